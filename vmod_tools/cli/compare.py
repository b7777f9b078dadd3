"""`vmod diff`: what differs between two files, and the text of one for git."""

from __future__ import annotations

import click

from vmod_tools.cli.root import cli, print_json
from vmod_tools.command_line import CLEAN, FINDINGS, common_options, read_file
from vmod_tools.diff.files import (
    difference_data,
    difference_lines,
    snapshot,
    snapshot_lines,
    unreadable_lines,
)
from vmod_tools.diff.model import Snapshot, compare
from vmod_tools.errors import InputFileError, VmodError


@cli.command()
@click.argument("files", nargs=-1, required=True, metavar="OLD NEW")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option(
    "--raw", is_flag=True, help="Compare tokens, and every entry, instead of the typed view."
)
@click.option(
    "--at-end", is_flag=True, help="Compare the state after a log's last step, not the steps."
)
@click.option("--textconv", is_flag=True, help="Print the text of one FILE, for git to compare.")
@common_options
def diff(
    files: tuple[str, ...],
    form: str,
    *,
    raw: bool,
    at_end: bool,
    textconv: bool,
    quiet: bool,
    debug: bool,
) -> int:
    """Say what differs between two saves, logs or modules: 0 when nothing does, 1 when something does.

    Passwords are never shown; what may hold one is compared, and written as "(not shown)".
    """
    wanted = 1 if textconv else 2
    if len(files) != wanted:
        raise click.UsageError(f"{wanted} file{'s'[: wanted - 1]} must be named, not {len(files)}.")
    if textconv:
        data = read_file(files[0])
        try:
            lines = snapshot_lines(snapshot(data, raw=raw, at_end=at_end))
        except VmodError as error:
            lines = unreadable_lines(data, error)
        for line in lines:
            click.echo(line)
        return CLEAN
    old, new = (_open(name, raw=raw, at_end=at_end) for name in files)
    if old.kind != new.kind:
        raise InputFileError(
            f"is a {new.kind}, and cannot be compared with a {old.kind}",
            code="DIFF_KINDS",
            file=files[1],
        )
    differences = compare(old, new)
    if form == "json":
        print_json(difference_data(differences, *files))
    else:
        for line in difference_lines(differences, *files):
            click.echo(line)
    return FINDINGS if differences else CLEAN


def _open(name: str, *, raw: bool, at_end: bool) -> Snapshot:
    try:
        return snapshot(read_file(name), raw=raw, at_end=at_end)
    except VmodError as error:
        raise error.located(file=name) from None
