"""`vmod chain` and `vmod dice`: what several logs are together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from vmod_tools.chain.findings import make_chain
from vmod_tools.chain.links import read_link
from vmod_tools.chain.model import Chain, Finding, Member
from vmod_tools.chain.told import chain_data, difference_text
from vmod_tools.cli.logs import open_log, ready_module
from vmod_tools.cli.root import cli, print_json
from vmod_tools.command_line import CLEAN, FINDINGS, common_options, find_files
from vmod_tools.csvtext import csv_text
from vmod_tools.dice import Throw, dice_data, rerolls_of, throws_of
from vmod_tools.modules import Module
from vmod_tools.rolls import module_dice
from vmod_tools.show import visible

SHOWN_DIFFERENCES = 20
"""Lines of text; JSON has all."""


@cli.command(name="chain")
@click.argument("logs", nargs=-1, required=True)
@click.option("--module", "module_name", help="The module, for location names and dice.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@common_options
def chain_command(
    logs: tuple[str, ...], module_name: str | None, form: str, *, quiet: bool, debug: bool
) -> int:
    """Order LOGS by the positions in which they start and end, and say what does not fit.

    Exit code 1 when they are anything but one line in which each starts where the last one ends.
    """
    module = ready_module(module_name)
    found = read_chain(logs, module)
    if form == "json":
        print_json(chain_data(found, module))
    else:
        for line in _chain_lines(found, module):
            click.echo(visible(line))
    return CLEAN if found.clean else FINDINGS


@cli.command(name="dice")
@click.argument("logs", nargs=-1, required=True)
@click.option("--module", "module_name", help="The module, for its dice.")
@click.option("--format", "form", type=click.Choice(["text", "json", "csv"]), default="text")
@click.option(
    "--sides",
    type=click.IntRange(2, 1000),
    help="Sides of dice of which neither the module nor the name says it.",
)
@common_options
def dice_command(
    logs: tuple[str, ...],
    module_name: str | None,
    form: str,
    *,
    sides: int | None,
    quiet: bool,
    debug: bool,
) -> int:
    """List every dice roll in LOGS by player and label, with counts and chi-square."""
    module = ready_module(module_name)
    found = read_chain(logs, module)
    data = dice_data(found, module, sides)
    if form == "json":
        print_json(data)
    elif form == "csv":
        click.echo(csv_text(_dice_table(data["rolls"])), nl=False)
    else:
        for line in _dice_lines(data, throws_of(found)):
            click.echo(visible(line))
    return CLEAN


def read_chain(arguments: tuple[str, ...], module: Module | None) -> Chain:
    """The chain of the logs that the arguments name; raises VmodError with the file's name."""
    dice = module_dice(module)
    return make_chain(
        [read_link(name, open_log(name, module), dice) for name in find_files(arguments)]
    )


def _chain_lines(chain: Chain, module: Module | None) -> Iterator[str]:
    for member in chain.members:
        yield _member_line(member)
    for finding in chain.findings:
        yield f"{finding.kind}: {finding.message}"
        yield from _difference_lines(finding, chain, module)
    for note in chain.notes:
        yield f"note: {note}"
    if chain.clean:
        count = len(chain.members)
        yield "one clean line of " + ("1 log" if count == 1 else f"{count} logs")


def _member_line(member: Member) -> str:
    who = " ".join(part for part in (member.person.player, member.person.side) if part)
    steps = len(member.link.marks)
    base = "first" if member.number == 1 else "from a position of no other log"
    if member.follows:
        base = f"after {member.follows[0]}.{member.follows[1]}"
    if member.line == "duplicate" and member.follows:
        base = f"a copy of {member.follows[0]}"
    line = " (side line)" if member.line == "side" else ""
    return f"{member.number:>4} {member.link.file}: {steps} steps {who or 'of nobody known'}, {base}{line}"


def _difference_lines(finding: Finding, chain: Chain, module: Module | None) -> Iterator[str]:
    earlier = chain.members[finding.other - 1].link.end_state
    later = chain.members[finding.log - 1].link.start_state
    shown = finding.differences[:SHOWN_DIFFERENCES]
    for difference in shown:
        yield f"     {difference_text(difference, earlier, later, module)}"
    left = len(finding.differences) - len(shown)
    if left:
        yield f"     and {left} more"


def _dice_table(rolls: list[dict[str, Any]]) -> Iterator[list[object]]:
    header = ("id", "log", "step", "player", "side", "name", "label", "values", "sum")
    yield [*header, "source", "status", "undone_by"]
    for roll in rolls:
        values = ",".join(map(str, roll["values"]))
        row = roll | {"values": values}
        yield [row[key] for key in (*header, "source", "status", "undone_by")]


def _dice_lines(data: dict[str, Any], throws: tuple[Throw, ...]) -> Iterator[str]:
    for group in data["groups"]:
        who = " ".join(part for part in (group["player"], group["name"]) if part) or "nobody known"
        count = f"{group['rolls']} roll" + ("" if group["rolls"] == 1 else "s")
        aside = [
            f"{group[k]} {w}"
            for k, w in (("undone", "undone"), ("side_line", "on side lines"))
            if group[k]
        ]
        yield f"{group['label']}, {who}: {count}" + (f" ({', '.join(aside)})" if aside else "")
        for key, word in (("faces", "faces"), ("sums", "sums")):
            if group[key]:
                yield f"     {word}: " + ", ".join(f"{v} ×{n}" for v, n in group[key].items() if n)
        each = group["expected_each_face"]
        if each is not None:
            yield f"     fair dice: each face {each:.2f} times"
        mean = f"     mean {group['mean']:.2f}"
        if group["interval_95"]:
            low, high = group["interval_95"]
            mean += (
                f"; fair dice: {group['expected_mean']:.2f}, "
                f"in 95 of 100 cases between {low:.2f} and {high:.2f} over so many rolls"
            )
        yield mean
        yield f"     {group['sentence']}"
    for reroll in rerolls_of(throws):
        yield _reroll_line(reroll.undone, reroll.then)
    if not data["groups"]:
        yield "no dice"
    for throw in throws:
        yield f"{throw.id:>6} {_throw_text(throw)}"


def _reroll_line(undone: Throw, then: Throw | None) -> str:
    who = undone.person.player or undone.person.name or "someone"
    text = f"{who} {undone.roll.label}: rolled {_values(undone)} ({undone.id}), undid ({undone.undone_by})"
    return text + (f", rolled {_values(then)} ({then.id})" if then else "")


def _throw_text(throw: Throw) -> str:
    who = (
        " ".join(part for part in (throw.person.player, throw.person.name) if part)
        or "nobody known"
    )
    status = "" if throw.status == "stands" else f" ({throw.status})"
    return f"{who}: {throw.roll.label} = {_values(throw)}{status}"


def _values(throw: Throw) -> str:
    return ",".join(map(str, throw.roll.values))
