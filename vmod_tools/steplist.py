"""The readable list of a log: who moved what, from where to where, and what else each step did.

Everything but dice of a module's own code comes from the commands, never from chat texts, which change
with the language and version of the writing client.  Owner ids of hidden and masked pieces are
passwords; no state is shown whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vmod_tools.commands.kinds import (
    ADD,
    BEGIN_SAVE,
    BOARDS,
    CHANGE,
    CHAT,
    END_SAVE,
    GLOBAL_PROPERTY,
    LOG,
    MOVE,
    MUTABLE_PROPERTY,
    NULL,
    OPAQUE,
    PLAYER,
    REMOVE,
    SETUP_STACK,
    TURN,
    UNDO,
    Command,
    first_word,
)
from vmod_tools.gamestate import GameState, apply
from vmod_tools.logs import Log, Step
from vmod_tools.modules import Module
from vmod_tools.piecechanges import piece_changes
from vmod_tools.pieces import stated_properties
from vmod_tools.positions import deck_name, declared_properties
from vmod_tools.rolls import DiceNames, Roll, module_dice, step_rolls
from vmod_tools.roster import Roster
from vmod_tools.spots import Spot, spot
from vmod_tools.turns import turn_values

_TOLD_ELSEWHERE = (
    *(CHAT, LOG, UNDO, NULL, PLAYER),
    # Parts of a save, which a log repeats when a game is loaded into it.
    *(BEGIN_SAVE, END_SAVE, SETUP_STACK, BOARDS, GLOBAL_PROPERTY),
)
"""Kinds of command that make no event of their own."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that a step did to one piece or property."""

    event: str
    """add, move, remove, change, deck, property, turn, command (another one that is known) or unknown."""
    id: str = ""
    name: str = ""
    start: Spot | None = None
    end: Spot | None = None
    changes: tuple[tuple[str, str, str], ...] = ()
    """(property, before, after)."""
    traits: tuple[str, ...] = ()
    """Names of other traits that changed; their states are not shown."""


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step of the list."""

    id: str
    """log.step"""
    log: int
    step: int
    player: str
    side: str
    events: tuple[Event, ...]
    chat: tuple[str, ...]
    rolls: tuple[Roll, ...]
    undoes: int | None
    undone_by: int | None

    @property
    def nothing(self) -> bool:
        """Whether the step did nothing that anyone could see."""
        return not (self.events or self.chat or self.rolls or self.undoes or self.undone_by)


def step_rows(
    log: Log, module: Module | None, number: int = 1, roster: Roster | None = None
) -> Iterator[StepRow]:
    """The list of `log`, the `number`th of several; location names need `module`.

    The states are made anew from the log's own start, and only two of them are held at a time.
    """
    if roster is None:
        roster = Roster()
        roster.add(log)
    declared = frozenset(name for _, name in declared_properties(log.start))
    names = DiceNames(module_dice(module), declared)
    before = log.start.state
    for step in log.steps:
        after = apply(before, step.commands)
        person = roster.person(log, step.player)
        yield StepRow(
            id=f"{number}.{step.number}",
            log=number,
            step=step.number,
            player=person.player,
            side=person.side,
            events=tuple(_events(step, before, after, module)),
            chat=step.chat,
            rolls=step_rolls(step, names),
            undoes=step.undoes,
            undone_by=step.undone_by,
        )
        before = after


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
                yield from _piece_events(piece_id, before, after, module, told)
        elif kind is MUTABLE_PROPERTY:
            change = (command["name"], command["old_value"], command["value"])
            if change[1] != change[2]:
                yield Event("property", changes=(change,))
        elif kind is TURN:
            changes = tuple(_turn_changes(command, before, module))
            if changes:
                yield Event("turn", changes=changes)
        elif kind is OPAQUE:
            yield Event("unknown", name=first_word(command["text"]))
        elif kind not in _TOLD_ELSEWHERE:
            yield Event("command", name=kind.name.replace("_", " "))


def _piece_events(
    piece_id: str, before: GameState, after: GameState, module: Module | None, told: set[str]
) -> Iterator[Event]:
    """What happened to one piece over the whole step; stacks are only told through their members."""
    old, new = before.pieces.get(piece_id), after.pieces.get(piece_id)
    if old is None and new is None:
        yield from _holder_events(piece_id, before, after, module, told)
        return
    start = spot(module, before, old.place) if old else None
    end = spot(module, after, new.place) if new else None
    shown = new or old
    name = stated_properties(shown.piece).get("BasicName", "") if shown else ""
    if old is None or new is None:
        yield Event("remove" if old else "add", piece_id, name, start, end)
        return
    if old.place != new.place:
        yield Event("move", piece_id, name, start, end)
    changes = piece_changes(old.piece, new.piece)
    if changes:
        yield Event("change", piece_id, name, start, end, changes.properties, changes.traits)


def _holder_events(
    holder_id: str, before: GameState, after: GameState, module: Module | None, told: set[str]
) -> Iterator[Event]:
    was, now = before.holders.get(holder_id), after.holders.get(holder_id)
    if was is None or now is None:
        return
    for member in now.members:
        old, new = before.pieces.get(member), after.pieces.get(member)
        moved = old is not None and new is not None and old.place != new.place
        if moved and member not in told:
            told.add(member)
            yield from _piece_events(member, before, after, module, told)
    if now.piece.is_deck and was.members != now.members:
        there = spot(module, after, now.place)
        yield Event("deck", holder_id, deck_name(now), there, there)


def _turn_changes(
    command: Command, before: GameState, module: Module | None
) -> Iterator[tuple[str, str, str]]:
    tracker_id = command["tracker"].removeprefix("TURN")
    old_state, new_state = before.turns.get(tracker_id, ""), command["state"]
    trackers = module.turn_trackers if module else ()
    tracker = next((t for t in trackers if t.id == tracker_id), None)
    if tracker is None:
        if old_state != new_state:
            yield tracker_id, old_state, new_state
        return
    old = turn_values(tracker, old_state)
    for key, value in turn_values(tracker, new_state).items():
        if old.get(key, "") != value:
            yield key, old.get(key, ""), value
