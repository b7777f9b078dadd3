"""The `vmod` command: thin wrappers that read files, call one function each and print."""

from __future__ import annotations

from vmod_tools.cli import chains, compare, edit, files, folders, images, logs, maps, xmlform
from vmod_tools.cli.root import cli
from vmod_tools.command_line import run

__all__ = [
    "chains",
    "cli",
    "compare",
    "edit",
    "files",
    "folders",
    "images",
    "logs",
    "main",
    "maps",
    "xmlform",
]


def main() -> None:
    """The console script."""
    run(cli)
