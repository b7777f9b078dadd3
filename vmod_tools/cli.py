"""The `vmod` command: thin wrappers that read files, call one function each and print."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from vmod_tools.archive import Archive
from vmod_tools.build.builder import build_module, read_map_set
from vmod_tools.command_line import (
    CLEAN,
    FINDINGS,
    STANDARD_INPUT,
    common_options,
    find_files,
    open_module,
    read_file,
    refuse_input,
    report,
    run,
    write_file,
)
from vmod_tools.describe import Description, describe
from vmod_tools.errors import InputFileError, VmodError
from vmod_tools.extract import extract
from vmod_tools.logs import Log
from vmod_tools.modules import check_same_module
from vmod_tools.resources import data_folder
from vmod_tools.show import json_text, visible
from vmod_tools.steplist import Event, StepRow, step_rows
from vmod_tools.verify import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vassal-arbiter", prog_name="vmod")
def cli() -> None:
    """Read, check, build and take apart VASSAL modules, saves and logs."""


@cli.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@common_options
def info(files: tuple[str, ...], form: str, *, quiet: bool, debug: bool) -> int:
    """Say what each FILE is and holds."""
    found: list[Description] = []
    code = CLEAN
    for name in find_files(files):
        try:
            found.append(describe(read_file(name), name))
        except VmodError as error:
            code = report(error.located(file=name), debug=debug)
    if form == "json":
        _print_json([asdict(d) for d in found])
    else:
        for description in found:
            _print_description(description)
    return code


@cli.command(name="verify")
@click.argument("files", nargs=-1, required=True)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@common_options
def verify_command(files: tuple[str, ...], form: str, *, quiet: bool, debug: bool) -> int:
    """Take each FILE apart and put it together: 0 when every byte comes out as it went in.

    What is malformed is reported and kept, and does not count as a failure.
    """
    code = CLEAN
    rows: list[dict[str, Any]] = []
    for name in find_files(files):
        try:
            result = verify(read_file(name), name)
        except VmodError as error:
            code = report(error.located(file=name), debug=debug)
            continue
        if not result.exact:
            code = max(code, FINDINGS)
        rows.append(
            {
                "file": name,
                "exact": result.exact,
                "inexact": sorted(set(result.inexact)),
                "malformed": result.malformed,
                "checked": dict(sorted(result.checked.items())),
            }
        )
        if form == "text":
            state = (
                "exact" if result.exact else "DIFFERS: " + ", ".join(sorted(set(result.inexact)))
            )
            if not quiet or not result.exact:
                click.echo(f"{visible(name)}: {state} ({sum(result.checked.values())} checks)")
            for line in result.malformed:
                click.echo(f"  malformed, kept as it is: {visible(line)}")
    if form == "json":
        _print_json(rows)
    return code


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
            _print_json({"file": name, "steps": [_row_data(r) for r in rows]})
        elif form == "ndjson":
            for row in rows:
                click.echo(json_text(_row_data(row)))
        else:
            _print_rows(rows)
    return CLEAN


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, help="The module to write.")
@common_options
def build(folder: Path, output: str, *, quiet: bool, debug: bool) -> int:
    """Build the module of a map set FOLDER (map.xml, module.toml, units.csv).

    Without such a folder here, the sets that come with the product are looked at.
    """
    if not folder.is_dir():
        folder = shipped_map_set(folder)
    refuse_input(output, *folder.iterdir())
    data = build_module(read_map_set(folder))
    write_file(output, data)
    if not quiet:
        click.echo(f"{output}: {len(data)} bytes", err=True)
    return CLEAN


@cli.command(name="extract")
@click.argument("module_name", metavar="MODULE")
@click.option("-o", "--output", default=STANDARD_INPUT, help="The document to write; - is stdout.")
@common_options
def extract_command(module_name: str, output: str, *, quiet: bool, debug: bool) -> int:
    """Write the map document that MODULE holds.

    A site whose counter was moved in VASSAL's editor gets its new place, and a line on stderr.
    """
    try:
        extraction = extract(open_module(module_name))
    except VmodError as error:
        raise error.located(file=module_name) from None
    if output == STANDARD_INPUT:
        sys.stdout.buffer.write(extraction.document)
    else:
        refuse_input(output, module_name)
        write_file(output, extraction.document)
    for difference in extraction.differences:
        click.echo(f"{module_name}: {difference}", err=True)
    return CLEAN


def shipped_map_set(folder: Path) -> Path:
    """The map set of that name which comes with the product; raises InputFileError."""
    shipped = data_folder("maps") / folder.name
    if not shipped.is_dir():
        raise InputFileError("no such folder", code="FILE_MISSING", file=str(folder))
    return shipped


def _print_json(data: object) -> None:
    click.echo(json_text(data, indent=1))


def _print_description(description: Description) -> None:
    click.echo(f"{visible(description.file)}: {description.kind}")
    for name, value in description.facts.items():
        if value not in (None, "", []):
            text = value if isinstance(value, str) else json_text(value)
            click.echo(f"  {name.replace('_', ' ')}: {visible(text)}")
    for name, count in description.not_understood.items():
        click.echo(f"  not understood, kept as it is: {visible(name)} ({count})")


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


def main() -> None:
    """The console script."""
    run(cli)


if __name__ == "__main__":
    main()
