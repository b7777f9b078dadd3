"""`python -m vmod_tools.cli`."""

from vmod_tools.cli import main

main()
