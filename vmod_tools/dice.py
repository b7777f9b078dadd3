"""All dice of a chain of logs: every roll once, who made it, whether it stands, and what they come to.

Every roll that was thrown counts, undone ones and those of side lines too: leaving them out would be a
choice by their values.  How many stand is said beside.  Steps that a log only repeats from the one
before it, and copies of logs, are not rolled twice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vmod_tools.chain.model import COPY, MAIN, Chain, Member
from vmod_tools.dicestats import LEAST_EXPECTED, Summary, summarise
from vmod_tools.modules import Module
from vmod_tools.rolls import Dice, Roll, dice_named, module_dice, roll_data
from vmod_tools.roster import Person

SCHEMA_VERSION = 1
STANDS, UNDONE, SIDE_LINE = "stands", "undone", "side line"
EVERYONE = "all"


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll in its place."""

    id: str
    log: int
    step: int
    person: Person
    roll: Roll
    status: str
    """stands, undone or side line."""
    undone_by: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The rolls of one player (or of all) with one label."""

    player: str
    name: str
    label: str
    throws: tuple[Throw, ...]
    summary: Summary


@dataclass(frozen=True, slots=True)
class Reroll:
    """A roll that was undone, and the next one that its player made with these dice."""

    undone: Throw
    then: Throw | None


def throws_of(chain: Chain) -> tuple[Throw, ...]:
    """Every roll of the chain once, in order."""
    return tuple(t for m in chain.members if m.line != COPY for t in _throws(m, chain))


def _throws(member: Member, chain: Chain) -> Iterator[Throw]:
    log = member.link.log
    for step, mark in zip(log.steps, member.link.marks, strict=True):
        if step.number <= member.repeats:
            continue
        for roll in mark.rolls:
            person = chain.roster.person(log, step.player)
            if roll.name:
                person = chain.roster.speaker(log, roll.name)
            status = STANDS if member.line == MAIN else SIDE_LINE
            yield Throw(
                id=f"{member.number}.{step.number}",
                log=member.number,
                step=step.number,
                person=person,
                roll=roll,
                status=UNDONE if step.undone_by else status,
                undone_by=f"{member.number}.{step.undone_by}" if step.undone_by else None,
            )


def rerolls_of(throws: tuple[Throw, ...]) -> tuple[Reroll, ...]:
    """The undone rolls, each with what was rolled in its place."""
    found = []
    for at, throw in enumerate(throws):
        if throw.status == UNDONE:
            later = (
                t
                for t in throws[at + 1 :]
                if t.log == throw.log
                and t.roll.label == throw.roll.label
                and t.person.player == throw.person.player
            )
            found.append(Reroll(throw, next(later, None)))
    return tuple(found)


def groups_of(
    throws: tuple[Throw, ...], known: Mapping[str, Dice | None], sides: int | None = None
) -> tuple[Group, ...]:
    """The rolls by label and player; where several players used a label, also all of them together.

    `sides` is for labels of which neither the module nor the name tells it.
    """
    by_label: defaultdict[str, list[Throw]] = defaultdict(list)
    for throw in throws:
        by_label[throw.roll.label].append(throw)
    groups = []
    for label in sorted(by_label):
        of_label = by_label[label]
        dice = _dice(label, of_label, known, sides)
        by_player: defaultdict[tuple[int, str], list[Throw]] = defaultdict(list)
        for throw in of_label:
            by_player[_rank(throw.person), throw.person.player].append(throw)
        groups += [
            _group(player, of_player[-1].person.name, of_player, dice)
            for (_, player), of_player in sorted(by_player.items(), key=lambda item: item[0])
        ]
        if len(by_player) > 1:
            groups.append(_group(EVERYONE, "", of_label, dice))
    return tuple(groups)


def _rank(person: Person) -> int:
    return int(person.player[1:] or 0)


def _group(player: str, name: str, throws: list[Throw], dice: Dice | None) -> Group:
    summary = summarise([t.roll.values for t in throws], dice)
    return Group(player, name, throws[0].roll.label, tuple(throws), summary)


def _dice(
    label: str, throws: list[Throw], known: Mapping[str, Dice | None], sides: int | None
) -> Dice | None:
    if known.get(label) is not None:
        return known[label]
    named = None if label in known else dice_named(label)
    if named is not None or sides is None:
        return named
    (count, _), *others = Counter(len(t.roll.values) for t in throws).most_common()
    return None if others else Dice(count, sides)


def dice_data(chain: Chain, module: Module | None, sides: int | None = None) -> dict[str, Any]:
    """The dice of a chain as JSON data."""
    throws = throws_of(chain)
    return {
        "schema_version": SCHEMA_VERSION,
        "clean": chain.clean,
        "least_expected": LEAST_EXPECTED,
        "logs": [{"log": m.number, "file": m.link.file, "line": m.line} for m in chain.members],
        "groups": [_group_data(g) for g in groups_of(throws, module_dice(module), sides)],
        "rerolls": [
            {"undone": throw_data(r.undone), "then": throw_data(r.then) if r.then else None}
            for r in rerolls_of(throws)
        ],
        "rolls": [throw_data(t) for t in throws],
    }


def throw_data(throw: Throw) -> dict[str, Any]:
    """One roll as JSON data."""
    return {
        "id": throw.id,
        "log": throw.log,
        "step": throw.step,
        "player": throw.person.player,
        "side": throw.person.side,
        **roll_data(throw.roll),
        "name": throw.person.name,
        "status": throw.status,
        "undone_by": throw.undone_by,
    }


def _group_data(group: Group) -> dict[str, Any]:
    summary = group.summary
    chi = summary.chi_square
    status = Counter(t.status for t in group.throws)
    return {
        "player": group.player,
        "name": group.name,
        "label": group.label,
        "rolls": summary.rolls,
        "standing": status[STANDS],
        "undone": status[UNDONE],
        "side_line": status[SIDE_LINE],
        "faces": {str(face): n for face, n in summary.faces.items()},
        "expected_each_face": _rounded(summary.expected_each),
        "sums": {str(total): n for total, n in summary.sums.items()},
        "total": summary.total,
        "mean": _rounded(summary.mean),
        "expected_mean": _rounded(summary.expected_mean),
        "interval_95": [_rounded(x) for x in summary.interval] if summary.interval else None,
        "chi_square": {
            "value": _rounded(chi.value),
            "degrees_of_freedom": chi.degrees,
            "sample_size": chi.sample,
            "least_expected": _rounded(chi.least_expected),
            "probability": _rounded(chi.probability),
        }
        if chi
        else None,
        "sentence": summary.sentence,
    }


def _rounded(number: float | None) -> float | None:
    """Four digits behind the point: enough for people, and the same on every machine."""
    return None if number is None else round(number, 4)
