"""`vmod log`: the steps of logs."""

from __future__ import annotations

from itertools import chain

import click

from vmod_tools.archive import Archive
from vmod_tools.cli.root import cli, print_json
from vmod_tools.command_line import (
    CLEAN,
    common_options,
    find_files,
    open_module,
    read_file,
)
from vmod_tools.csvtext import csv_text
from vmod_tools.errors import VmodError
from vmod_tools.logs import Log
from vmod_tools.modules import Module, check_same_module
from vmod_tools.rolls import module_dice
from vmod_tools.roster import Roster
from vmod_tools.show import json_text, visible
from vmod_tools.stepdata import (
    CSV_HEADER,
    SCHEMA_VERSION,
    chat_data,
    chat_lines,
    csv_rows,
    row_data,
    text_lines,
)
from vmod_tools.steplist import StepRow, step_rows

FORMATS = ("text", "json", "ndjson", "csv")


@cli.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--module", "module_name", help="The module, for location names.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text")
@click.option("--chat", "only_chat", is_flag=True, help="List the chat alone.")
@click.option("--all", "every", is_flag=True, help="Show each step that does nothing.")
@common_options
def log(
    files: tuple[str, ...],
    module_name: str | None,
    form: str,
    *,
    only_chat: bool,
    every: bool,
    quiet: bool,
    debug: bool,
) -> int:
    """List the steps of each log FILE: who moved what, from where to where.

    Steps are called LOG.STEP; logs are numbered in the order given (`vmod chain` finds the right one).
    """
    if only_chat and form == "csv":
        raise click.UsageError(
            "--chat is text, json or ndjson; the csv of all steps holds the chat"
        )
    module = ready_module(module_name)
    names = list(find_files(files))
    logs = [open_log(name, module) for name in names]
    roster = Roster()
    for opened in logs:
        roster.add(opened)
    lists = [
        list(step_rows(opened, module, number, roster)) for number, opened in enumerate(logs, 1)
    ]
    if form == "json":
        _print_json(names, lists, only_chat=only_chat)
        return CLEAN
    rows = list(chain.from_iterable(lists))
    if form == "csv":
        table = chain.from_iterable(csv_rows(row) for row in rows)
        click.echo(csv_text([CSV_HEADER, *table]), nl=False)
    elif form == "ndjson":
        for row in rows:
            for data in chat_data(row) if only_chat else (row_data(row),):
                click.echo(json_text(data))
    else:
        for line in chat_lines(rows) if only_chat else text_lines(rows, every=every):
            click.echo(visible(line))
    return CLEAN


def ready_module(name: str | None) -> Module | None:
    """The module of that file, with all that the list of a log asks of it; raises VmodError."""
    if name is None:
        return None
    module = open_module(name)
    try:
        _ = module.maps, module.turn_trackers, module_dice(module)
    except VmodError as error:
        raise error.located(file=name) from None
    return module


def open_log(name: str, module: Module | None) -> Log:
    """The log in a file, which must be of `module` if one is given; raises VmodError with its name."""
    try:
        opened = Log.read(Archive.parse(read_file(name)))
        if module is not None:
            check_same_module(module, opened.start.module)
    except VmodError as error:
        raise error.located(file=name) from None
    return opened


def _print_json(names: list[str], lists: list[list[StepRow]], *, only_chat: bool) -> None:
    key = "chat" if only_chat else "steps"
    told = [
        {
            "log": number,
            "file": name,
            key: [data for r in rows for data in (chat_data(r) if only_chat else (row_data(r),))],
        }
        for number, (name, rows) in enumerate(zip(names, lists, strict=True), 1)
    ]
    print_json({"schema_version": SCHEMA_VERSION, "logs": told})
