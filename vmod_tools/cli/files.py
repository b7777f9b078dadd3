"""`vmod info` and `vmod verify`: what a file is, and whether it comes out as it went in."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from vmod_tools.cli.root import cli, print_json
from vmod_tools.command_line import (
    CLEAN,
    FINDINGS,
    common_options,
    find_files,
    read_file,
    report,
)
from vmod_tools.describe import Description, describe
from vmod_tools.errors import VmodError
from vmod_tools.show import json_text, visible
from vmod_tools.verify import verify


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
        print_json([asdict(d) for d in found])
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
        print_json(rows)
    return code


def _print_description(description: Description) -> None:
    click.echo(f"{visible(description.file)}: {description.kind}")
    for name, value in description.facts.items():
        if value not in (None, "", []):
            text = value if isinstance(value, str) else json_text(value)
            click.echo(f"  {name.replace('_', ' ')}: {visible(text)}")
    for name, count in description.not_understood.items():
        click.echo(f"  not understood, kept as it is: {visible(name)} ({count})")
