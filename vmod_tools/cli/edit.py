"""`vmod edit`: changes pieces, components and properties, and nothing else; or writes a new save."""

from __future__ import annotations

from typing import Any

import click

from vmod_tools.archive import Archive
from vmod_tools.cli.root import cli
from vmod_tools.command_line import (
    CLEAN,
    common_options,
    open_module,
    read_file,
    refuse_input,
    write_file,
)
from vmod_tools.edit import options
from vmod_tools.edit.newsave import new_save as make_save
from vmod_tools.edit.pieceedits import PieceEdit, Rename
from vmod_tools.edit.request import Outcome, Request, apply_request
from vmod_tools.edit.selectors import parse_selector
from vmod_tools.edit.setuptable import Row, read_table
from vmod_tools.errors import InputFileError, VmodError
from vmod_tools.saves import Save
from vmod_tools.show import visible


@cli.command()
@click.argument("file", required=False)
@click.option("--select", help="Which pieces: name=…, map=…, trait=…, PROPERTY=…, and; * is all.")
@click.option("--set", "sets", multiple=True, metavar="NAME=VALUE", help="A property.")
@click.option(
    "--set-state", "states", multiple=True, metavar="PREFIX=STATE", help="A trait's state."
)
@click.option("--set-field", "fields", multiple=True, metavar="PREFIX:FIELD=VALUE")
@click.option("--add-trait", "adds", multiple=True, metavar="TYPE|STATE", help="Around the piece.")
@click.option("--remove-trait", "removes", multiple=True, metavar="PREFIX")
@click.option("--rename", metavar="NAME")
@click.option("--move", metavar="X,Y|MAP:X,Y", help="In a save.")
@click.option("--delete", is_flag=True, help="In a save.")
@click.option("--add-pieces", metavar="TABLE.csv", help="Into a save; needs --module.")
@click.option("--set-attribute", "attributes", multiple=True, metavar="PATH@NAME=VALUE")
@click.option("--set-global", "globals_", multiple=True, metavar="NAME[@CONTAINER]=VALUE")
@click.option("--set-metadata", "metadata", multiple=True, metavar="FIELD[LANG]=VALUE")
@click.option("--steps", is_flag=True, help="Of a log, edit what its steps bring in, too.")
@click.option("--module", "module_name", help="The module, for location names and new pieces.")
@click.option("--new-save", metavar="TABLE.csv", help="Write a new save instead.")
@click.option("--boards", multiple=True, metavar="MAP=BOARD,…", help="Of a new save.")
@click.option("-o", "--output", help="The file to write.")
@click.option("--in-place", is_flag=True, help="Write FILE itself; the old one becomes FILE~.")
@click.option("--dry-run", is_flag=True, help="Say what would change; write nothing.")
@common_options
def edit(
    file: str | None,
    module_name: str | None,
    new_save: str | None,
    boards: tuple[str, ...],
    output: str | None,
    *,
    in_place: bool,
    dry_run: bool,
    quiet: bool,
    debug: bool,
    **asked: Any,
) -> int:
    """Edit pieces, components and properties of FILE; everything else keeps its bytes.

    The selectors, paths and every option are described in docs/editing.md.
    """
    _check_target(file, output, in_place=in_place, dry_run=dry_run, new=new_save is not None)
    if new_save is not None:
        return _write_new_save(new_save, module_name, boards, output or "", quiet=quiet)
    name = file or ""
    module = open_module(module_name) if module_name else None
    request = _request(asked)
    data = read_file(name)
    try:
        outcome = apply_request(Archive.parse(data), request, module)
    except VmodError as error:
        raise error.located(file=name) from None
    if dry_run:
        _print_outcome(outcome)
    elif in_place:
        new = outcome.archive.to_bytes()
        if new != data:
            write_file(name + "~", data)
            write_file(name, new)
    elif output is not None:
        refuse_input(output, name, *([module_name] if module_name else []))
        write_file(output, outcome.archive.to_bytes())
    if not quiet:
        _print_counts(outcome)
    return CLEAN


def _check_target(
    file: str | None, output: str | None, *, in_place: bool, dry_run: bool, new: bool
) -> None:
    """Exactly one place to write to, unless nothing is written; and one thing to edit."""
    if new == (file is not None):
        raise click.UsageError("give a FILE to edit, or --new-save TABLE.csv")
    if new and (in_place or dry_run or output is None):
        raise click.UsageError("--new-save needs -o OUT")
    if not new and not dry_run and (output is not None) == in_place:
        raise click.UsageError("say where to write: -o OUT or --in-place (or --dry-run)")


def _request(asked: dict[str, Any]) -> Request:
    select, move, table = asked["select"], asked["move"], asked["add_pieces"]
    edits: tuple[PieceEdit, ...] = (
        *map(options.parse_set, asked["sets"]),
        *map(options.parse_state, asked["states"]),
        *map(options.parse_field, asked["fields"]),
        *map(options.parse_add_trait, asked["adds"]),
        *map(options.parse_remove_trait, asked["removes"]),
        *([Rename(asked["rename"])] if asked["rename"] is not None else []),
    )
    return Request(
        selector=None if select is None else parse_selector(select),
        edits=edits,
        target=None if move is None else options.parse_target(move),
        delete=asked["delete"],
        added=() if table is None else _table(table),
        attributes=tuple(map(options.parse_set_attribute, asked["attributes"])),
        globals=tuple(map(options.parse_global, asked["globals_"])),
        metadata=tuple(map(options.parse_metadata, asked["metadata"])),
        steps=asked["steps"],
    )


def _table(name: str) -> tuple[Row, ...]:
    try:
        return read_table(read_file(name))
    except VmodError as error:
        raise error.located(file=name) from None


def _write_new_save(
    table: str, module_name: str | None, boards: tuple[str, ...], output: str, *, quiet: bool
) -> int:
    if module_name is None:
        raise InputFileError("a new save needs its module", code="MODULE_NEEDED", field="--module")
    rows = _table(table)
    chosen = dict(map(options.parse_boards, boards))
    module = open_module(module_name)
    try:
        archive = make_save(module, rows, chosen)
    except VmodError as error:
        raise error.located(file=table) from None
    data = archive.to_bytes()
    # Our own reader goes over it before anybody else does.
    placed = len(Save.read(Archive.parse(data)).state.pieces)
    refuse_input(output, table, module_name)
    write_file(output, data)
    if not quiet:
        click.echo(f"{output}: {placed} pieces, {len(data)} bytes", err=True)
    return CLEAN


def _print_outcome(outcome: Outcome) -> None:
    """Everything that would change; with nothing asked, the pieces that match."""
    for change in outcome.changes:
        click.echo(visible(f"{change.where}  {change.what}: {change.before!r} → {change.after!r}"))
    if not outcome.changes:
        for label in outcome.matched or ():
            click.echo(visible(label))


def _print_counts(outcome: Outcome) -> None:
    if outcome.matched is not None:
        click.echo(f"{len(outcome.matched)} matched", err=True)
    for note in outcome.notes:
        click.echo(visible(note), err=True)
    click.echo(f"{len(outcome.changes)} changes", err=True)
