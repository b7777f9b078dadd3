"""`vmod log`: the steps of a log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

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
from vmod_tools.errors import VmodError
from vmod_tools.logs import Log
from vmod_tools.modules import check_same_module
from vmod_tools.show import json_text, visible
from vmod_tools.steplist import Event, StepRow, step_rows


@cli.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--module", "module_name", help="The module, for location names.")
@click.option("--format", "form", type=click.Choice(["text", "json", "ndjson"]), default="text")
@common_options
def log(
    files: tuple[str, ...], module_name: str | None, form: str, *, quiet: bool, debug: bool
) -> int:
    """List the steps of each log FILE: who moved what, from where to where."""
    module = open_module(module_name) if module_name else None
    for name in find_files(files):
        try:
            opened = Log.read(Archive.parse(read_file(name)))
            if module is not None:
                check_same_module(module, opened.start.module)
            rows = list(step_rows(opened, module))
        except VmodError as error:
            raise error.located(file=name) from None
        if form == "json":
            print_json({"file": name, "steps": [_row_data(r) for r in rows]})
        elif form == "ndjson":
            for row in rows:
                click.echo(json_text(_row_data(row)))
        else:
            _print_rows(rows)
    return CLEAN


def _row_data(row: StepRow) -> dict[str, Any]:
    """A row as JSON data: empty parts are left out, places keep all their fields."""
    data = asdict(row)
    data["events"] = [
        {k: v for k, v in event.items() if v or k == "event"} for event in data["events"]
    ]
    for event in data["events"]:
        if "changes" in event:
            event["changes"] = {name: [old, new] for name, old, new in event["changes"]}
        for ours, theirs in (("start", "from"), ("end", "to")):
            if ours in event:
                event[theirs] = event.pop(ours)
    return data


def _print_rows(rows: Iterable[StepRow]) -> None:
    for row in rows:
        mark = f" (undone by {row.undone_by})" if row.undone_by else ""
        mark += f" (undoes {row.undoes})" if row.undoes else ""
        who = " ".join(part for part in (row.player, row.side) if part)
        lines = [_event_text(event) for event in row.events] + [
            f"chat: {line}" for line in row.chat
        ]
        click.echo(
            f"{row.step:>4} {visible(who)}{mark}: {visible(lines[0] if lines else 'nothing')}"
        )
        for line in lines[1:]:
            click.echo(f"     {visible(line)}")


def _event_text(event: Event) -> str:
    where = event.end or event.start
    place = "" if where is None else (where.location or f"{where.map} {where.x},{where.y}")
    before = event.start
    start = "" if before is None else (before.location or f"{before.map} {before.x},{before.y}")
    changes = ", ".join(f"{name}: {old!r} → {new!r}" for name, old, new in event.changes)
    return {
        "add": f"{event.name} placed in {place}",
        "remove": f"{event.name} removed from {place}",
        "move": f"{event.name} moves {start} → {place}",
        "change": f"{event.name} in {place}: {changes}",
        "property": changes,
        "turn": f"turn: {changes}",
    }.get(event.event, f"command not understood: {event.name}")
