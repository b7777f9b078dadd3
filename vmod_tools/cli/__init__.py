"""The `vmod` command: thin wrappers that read files, call one function each and print."""

from __future__ import annotations

from vmod_tools.cli import files, logs, maps
from vmod_tools.cli.root import cli
from vmod_tools.command_line import run

__all__ = ["cli", "files", "logs", "main", "maps"]


def main() -> None:
    """The console script."""
    run(cli)
