"""The readable list of a log: who moved what, from where to where, and what else each step did.

Everything comes from the commands, never from chat texts, which change with the language and version
of the writing client.  Owner ids of hidden and masked pieces are passwords; no state is shown whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vmod_tools.boards import location_name, place_boards
from vmod_tools.commands.kinds import (
    ADD,
    CHANGE,
    MOVE,
    MUTABLE_PROPERTY,
    OPAQUE,
    REMOVE,
    TURN,
    Command,
    first_word,
)
from vmod_tools.gamestate import GameState
from vmod_tools.logs import Log, Step, player_label
from vmod_tools.modules import Module
from vmod_tools.pieces import Place, stated_properties
from vmod_tools.turns import turn_values


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something is: `location` is VASSAL's name, None when no module was given."""

    map: str | None
    x: int
    y: int
    location: str | None


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that a step did to one piece or property."""

    event: str
    """add, move, remove, change, property, turn or unknown."""
    id: str = ""
    name: str = ""
    start: Spot | None = None
    end: Spot | None = None
    changes: tuple[tuple[str, str, str], ...] = ()
    """(property, before, after)."""


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step of the list."""

    step: int
    player: str
    side: str
    events: tuple[Event, ...]
    chat: tuple[str, ...]
    undoes: int | None
    undone_by: int | None


def step_rows(log: Log, module: Module | None) -> Iterator[StepRow]:
    """The list of `log`; location names need `module`."""
    for step, before, after in zip(log.steps, log.states[:-1], log.states[1:], strict=True):
        player = log.players[step.player] if step.player is not None else None
        yield StepRow(
            step=step.number,
            player=player_label(step.player),
            side=player.side if player else "",
            events=tuple(_events(step, before, after, module)),
            chat=step.chat,
            undoes=step.undoes,
            undone_by=step.undone_by,
        )


def spot(module: Module | None, state: GameState, place: Place) -> Spot:
    """A place with its location name."""
    definition = module.map(place.map) if module and place.map else None
    if definition is None:
        return Spot(place.map, place.x, place.y, None)
    boards = place_boards(definition, state.boards.get(definition.identifier, ()))
    return Spot(place.map, place.x, place.y, location_name(definition, boards, place.x, place.y))


def _events(
    step: Step, before: GameState, after: GameState, module: Module | None
) -> Iterator[Event]:
    told: set[str] = set()
    for command in step.commands:
        kind = command.kind
        if kind in (ADD, MOVE, REMOVE, CHANGE):
            piece_id = command["id"]
            if piece_id not in told:
                told.add(piece_id)
                yield from _piece_events(piece_id, before, after, module)
        elif kind is MUTABLE_PROPERTY:
            change = (command["name"], command["old_value"], command["value"])
            yield Event("property", changes=(change,))
        elif kind is TURN:
            yield Event("turn", changes=tuple(_turn_changes(command, before, module)))
        elif kind is OPAQUE:
            yield Event("unknown", name=first_word(command["text"]))


def _piece_events(
    piece_id: str, before: GameState, after: GameState, module: Module | None
) -> Iterator[Event]:
    """What happened to one piece over the whole step; stacks are only told through their members."""
    old, new = before.pieces.get(piece_id), after.pieces.get(piece_id)
    if old is None and new is None:
        holder = after.holders.get(piece_id)
        for member in holder.members if holder and piece_id in before.holders else ():
            was, now = before.pieces.get(member), after.pieces.get(member)
            if was is not None and now is not None and was.place != now.place:
                yield from _piece_events(member, before, after, module)
        return
    start = spot(module, before, old.place) if old else None
    end = spot(module, after, new.place) if new else None
    properties_before = stated_properties(old.piece) if old else {}
    properties = stated_properties(new.piece) if new else {}
    name = (properties or properties_before).get("BasicName", "")
    if old is None or new is None:
        yield Event("remove" if old else "add", piece_id, name, start, end)
        return
    if old.place != new.place:
        yield Event("move", piece_id, name, start, end)
    changes = tuple(
        (key, properties_before.get(key, ""), properties.get(key, ""))
        for key in sorted(properties_before.keys() | properties.keys())
        if properties_before.get(key, "") != properties.get(key, "")
    )
    if changes:
        yield Event("change", piece_id, name, start, end, changes)


def _turn_changes(
    command: Command, before: GameState, module: Module | None
) -> Iterator[tuple[str, str, str]]:
    tracker_id = command["tracker"].removeprefix("TURN")
    tracker = (
        next((t for t in module.turn_trackers if t.id == tracker_id), None) if module else None
    )
    if tracker is None:
        yield tracker_id, before.turns.get(tracker_id, ""), command["state"]
        return
    old = turn_values(tracker, before.turns.get(tracker_id, ""))
    for key, value in turn_values(tracker, command["state"]).items():
        if old.get(key, "") != value:
            yield key, old.get(key, ""), value
