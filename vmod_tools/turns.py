"""Turn trackers: the phases of a game, and what a tracker's state says of them.

Source: build/module/turn/TurnTracker.java, CounterTurnLevel.java, ListTurnLevel.java; format section 6.4.
"""

from __future__ import annotations

from dataclasses import dataclass

from vmod_tools.buildfile import Component, int_attribute
from vmod_tools.sequence import Sequence, java_int


@dataclass(frozen=True, slots=True)
class TurnLevel:
    """A level of a turn tracker.  A counter level has no `values`."""

    name: str
    property: str
    values: tuple[str, ...]
    start: int
    sublevels: tuple[TurnLevel, ...]


@dataclass(frozen=True, slots=True)
class TurnTracker:
    """A turn tracker: `id` is what saves call it (TurnTracker0 …)."""

    id: str
    name: str
    levels: tuple[TurnLevel, ...]


def turn_values(tracker: TurnTracker, state: str) -> dict[str, str]:
    """The property values of a tracker in the state field of a `TURN…` command."""
    values: dict[str, str] = {}
    _, *parts = Sequence.decode(state, "|").tokens
    for level, text in zip(tracker.levels, parts, strict=False):
        _level_values(level, text, values)
    return values


def _level_values(level: TurnLevel, text: str, values: dict[str, str]) -> None:
    current, *rest = Sequence.decode(text, ";").tokens
    number = java_int(current) or 0
    if level.values:
        values[level.property] = level.values[number] if 0 <= number < len(level.values) else ""
    else:
        values[level.property] = current
    # Behind the current value stand the current sub-level and two fields that rules do not need.
    for sublevel, part in zip(level.sublevels, rest[3:], strict=False):
        _level_values(sublevel, part, values)


def read_levels(component: Component) -> tuple[TurnLevel, ...]:
    return tuple(
        TurnLevel(
            name=c.name,
            property=c.get("property"),
            values=Sequence.decode(c.get("list"), ",").tokens if c.kind == "ListTurnLevel" else (),
            start=int_attribute(c, "start", 1),
            sublevels=read_levels(c),
        )
        for c in component.children("CounterTurnLevel", "ListTurnLevel")
    )
