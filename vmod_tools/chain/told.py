"""A chain as data, for JSON and for text."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from vmod_tools.chain.model import Chain, Finding, Member, RolledAt
from vmod_tools.gamestate import GameState
from vmod_tools.modules import Module
from vmod_tools.pieces import Place
from vmod_tools.positions import Difference
from vmod_tools.rolls import roll_data
from vmod_tools.spots import Spot, spot

SCHEMA_VERSION = 1
_SHOWN_DIGITS = 16


def chain_data(chain: Chain, module: Module | None) -> dict[str, Any]:
    """The chain as JSON data; location names need `module`."""
    return {
        "schema_version": SCHEMA_VERSION,
        "clean": chain.clean,
        "players": [asdict(person) for person in chain.roster.people()],
        "logs": [_member_data(member) for member in chain.members],
        "findings": [_finding_data(f, chain, module) for f in chain.findings],
        "notes": list(chain.notes),
    }


def _member_data(member: Member) -> dict[str, Any]:
    follows = member.follows
    return {
        "log": member.number,
        "file": member.link.file,
        "line": member.line,
        "steps": len(member.link.marks),
        "player": member.person.player,
        "side": member.person.side,
        "start": member.link.start[:_SHOWN_DIGITS],
        "end": member.link.end[:_SHOWN_DIGITS],
        "follows": f"{follows[0]}.{follows[1]}" if follows else None,
        "repeats": member.repeats,
    }


def _finding_data(finding: Finding, chain: Chain, module: Module | None) -> dict[str, Any]:
    other = chain.members[finding.other - 1].link.end_state
    mine = chain.members[finding.log - 1].link.start_state
    return {
        "kind": finding.kind,
        "log": finding.log,
        "other": finding.other,
        "step": finding.step or None,
        "message": finding.message,
        "differences": [_difference_data(d, other, mine, module) for d in finding.differences],
        "rolls_before": [rolled_data(r) for r in finding.before],
        "rolls_after": {
            str(number): [rolled_data(r) for r in rolls]
            for number, rolls in zip((finding.other, finding.log), finding.after, strict=True)
            if rolls
        },
    }


def rolled_data(rolled: RolledAt) -> dict[str, Any]:
    """A roll with the id of its step."""
    return {"id": rolled.id, **roll_data(rolled.roll)}


def _difference_data(
    difference: Difference, earlier: GameState, later: GameState, module: Module | None
) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": difference.kind, "id": difference.id, "name": difference.name}
    start, end = spots_of(difference, earlier, later, module)
    if start is not None:
        data["from"] = asdict(start)
    if end is not None:
        data["to"] = asdict(end)
    if difference.changes.properties:
        data["changes"] = {name: [old, new] for name, old, new in difference.changes.properties}
    if difference.changes.traits:
        data["traits"] = list(difference.changes.traits)
    return data


def spots_of(
    difference: Difference, earlier: GameState, later: GameState, module: Module | None
) -> tuple[Spot | None, Spot | None]:
    """Where the thing stands in both positions."""

    def at(state: GameState, place: Place | None) -> Spot | None:
        return None if place is None else spot(module, state, place)

    return at(earlier, difference.start), at(later, difference.end)


def difference_text(
    difference: Difference, earlier: GameState, later: GameState, module: Module | None
) -> str:
    """One line on what differs, for people."""
    start, end = spots_of(difference, earlier, later, module)
    name = difference.name or difference.id
    changes = ", ".join(
        f"{key} {old!r} → {new!r}" for key, old, new in difference.changes.properties
    )
    if difference.changes.traits:
        changes += (", " if changes else "") + "state of " + ", ".join(difference.changes.traits)
    return {
        "missing": f"{name} ({start}) is not there",
        "extra": f"{name} is there, in {end}",
        "moved": f"{name} stands in {end}, not in {start}",
        "changed": f"{name} ({end}): {changes}",
        "deck": f"deck {name} ({end or start}) holds other cards or another order",
    }.get(difference.kind, changes)
