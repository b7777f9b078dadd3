"""A log as plays: what each step did, in terms of the rules, with the situation before and after it.

A drag is not yet a move: a player drags a counter from hex to hex and then says from its menu how it
came and where it stands.  So a move stays open until another unit acts, or the unit itself attacks, or
the step of the turn ends; then it is one play at its last drag.  An attack is a play at the step that
completes a unit's action and target; all attacks on one hex are a combat at `!resolve` or when the
action step ends.

Undone steps and their undos are left out: only the net effect is judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from service.actions import Action, Attack, Combat, Move, Purpose
from service.declare import Target, read_resolve, read_target
from service.facts import FactReader
from service.situation import Deed, Situation, Unit, UnitId, may_stand
from vmod_tools.commands.kinds import TURN
from vmod_tools.gamestate import GameState
from vmod_tools.logs import Log, Step, player_label
from vmod_tools.mapdoc.model import Cell

_ATTACKS = {"attack": "attack", "bombard": "bombard"}


@dataclass(frozen=True)
class Play:
    """One action of a log.  `action` None: what was declared cannot be read, `missing` says what."""

    step: str
    steps: tuple[str, ...]
    actor: str
    units: tuple[Unit, ...]
    before: Situation
    action: Action | None
    after: Situation
    missing: tuple[str, ...] = ()
    placed: bool = False
    """A counter put on the map from the palette: no rule of combat speaks of it."""


@dataclass
class _OpenMove:
    """A move that may go on: the hexes dragged to, and the state before the first drag."""

    unit: UnitId
    path: list[Cell]
    steps: list[int]
    before: Situation
    player: int | None


@dataclass
class _Declared:
    """An attack that a unit declared, and the state in which it did."""

    attack: Attack
    state: GameState


@dataclass
class _Clock:
    """What happened so far in the current action step."""

    start: dict[UnitId, Cell | None] = field(default_factory=dict)
    did: dict[UnitId, tuple[Deed, ...]] = field(default_factory=dict)
    declared: dict[UnitId, _Declared] = field(default_factory=dict)
    placed: set[UnitId] = field(default_factory=set)
    """Units that came from the palette in this step and have not been dragged since."""
    phase: dict[str, str] = field(default_factory=dict)


class Replay:
    """Walks a log once; `number` is the log's place in its chain, counted from 1."""

    def __init__(self, log: Log, reader: FactReader, number: int = 1) -> None:
        self._log = log
        self._reader = reader
        self._number = number
        self._open: dict[UnitId, _OpenMove] = {}
        self._clock = _Clock()
        self._begin_step(log.states[0])

    def plays(self) -> Iterator[Play]:
        """The plays in the order in which they were completed."""
        states = self._log.states
        net = [s for s in self._log.steps if s.undoes is None and s.undone_by is None]
        for step, following in zip_longest(net, net[1:]):
            before, after = states[step.number - 1], states[step.number]
            yield from self._step(step, following, before, after)
        yield from self._close(set(self._open), states[-1])
        if self._log.steps:
            yield from self._combats(self._log.steps[-1], states[-1], None)

    def _step(
        self, step: Step, following: Step | None, before: GameState, after: GameState
    ) -> Iterator[Play]:
        if _turns(step):
            yield from self._close(set(self._open), before)
            yield from self._combats(step, before, None)
            self._begin_step(after)
            return
        if following is not None and _turns(following) and self._clears(step, before, after):
            # The turn tracker clears the declarations in a step of its own, just before it goes on.
            yield from self._close(set(self._open), before)
            yield from self._combats(following, before, None)
            return
        removed = {UnitId(c["id"]) for c in step.of_kind("remove")} & self._open.keys()
        # What a counter said of its move is gone with it.
        yield from self._close(removed, before)
        yield from self._placed(step, before, after)
        self._withdraw(step, after)
        moved = self._moved(step, before, after)
        if moved:
            yield from self._close(set(self._open) - set(moved), before)
            for unit_id, (start, end) in moved.items():
                yield from self._drag(unit_id, start, end, step, before)
        for unit_id in self._completed(step, before, after):
            # Attacking is acting: every open move ends here, the attacker's own included.
            yield from self._close(set(self._open), after)
            yield self._attack(unit_id, step, after)
        for line in step.chat:
            cell = read_resolve(line, self._reader.map)
            if cell is not None:
                yield from self._close(set(self._open), after)
                yield from self._combats(step, after, cell)

    def _clears(self, step: Step, before: GameState, after: GameState) -> bool:
        """Whether the step does nothing but clear what is cleared when an action step ends."""
        changed = [UnitId(c["id"]) for c in step.of_kind("change")]
        return len(changed) == len(step.commands) > 0 and all(
            self._reader.is_cleared(after, unit_id) and not self._reader.is_cleared(before, unit_id)
            for unit_id in changed
        )

    def _placed(self, step: Step, before: GameState, after: GameState) -> Iterator[Play]:
        """Units that came from the palette in this step."""
        if not any(c.kind.name == "add" for c in step.commands):
            return
        old = self._reader.units(before)
        situation = self._situation(after)
        for unit_id, unit in situation.units.items():
            if unit_id not in old and unit.hex is not None:
                self._clock.placed.add(unit_id)
                yield Play(
                    step=self._id(step.number),
                    steps=(self._id(step.number),),
                    actor=player_label(step.player),
                    units=(unit,),
                    before=situation,
                    action=None,
                    after=situation,
                    placed=True,
                )

    def _withdraw(self, step: Step, after: GameState) -> None:
        """Takes back the attacks whose units say by menu that they do nothing."""
        if any(step.of_kind("move")):
            return  # a drag clears what was declared; that takes nothing back
        for command in step.of_kind("change"):
            unit_id = UnitId(command["id"])
            if unit_id in self._clock.declared and not self._reader.declared(after, unit_id)[0]:
                del self._clock.declared[unit_id]

    # Moves

    def _moved(
        self, step: Step, before: GameState, after: GameState
    ) -> dict[UnitId, tuple[Cell | None, Cell]]:
        """The units that came to another hex in this step, by drag or by menu."""
        moved: dict[UnitId, tuple[Cell | None, Cell]] = {}
        if not any(c.kind.name in ("move", "change") for c in step.commands):
            return moved
        for piece_id, placed in after.pieces.items():
            old = before.pieces.get(piece_id)
            if old is None or old.place == placed.place:
                continue
            if not (self._reader.is_unit(placed) and self._reader.is_unit(old)):
                continue
            start = self._reader.cell(before, old.place)
            end = self._reader.cell(after, placed.place)
            if end is not None and start != end:
                moved[UnitId(piece_id)] = start, end
        return moved

    def _drag(
        self, unit_id: UnitId, start: Cell | None, end: Cell, step: Step, before: GameState
    ) -> Iterator[Play]:
        known = self._open.get(unit_id)
        if known is not None and known.path[-1] == start:
            known.path.append(end)
            known.steps.append(step.number)
            return
        if known is not None:
            yield from self._close({unit_id}, before)
        self._clock.placed.discard(unit_id)
        path = [end] if start is None else [start, end]
        self._open[unit_id] = _OpenMove(
            unit_id, path, [step.number], self._situation(before), step.player
        )

    def _close(self, unit_ids: set[UnitId], now: GameState) -> Iterator[Play]:
        """Ends open moves; what their units say of themselves by now holds for the move."""
        ending = [m for unit_id, m in self._open.items() if unit_id in unit_ids]
        for move in sorted(ending, key=lambda m: m.steps[-1]):
            del self._open[move.unit]
            says = self._reader.units(now).get(move.unit)
            unit = move.before.units[move.unit]
            purpose = self._purpose(move, unit, says, now)
            yield Play(
                step=self._id(move.steps[-1]),
                steps=tuple(map(self._id, move.steps)),
                actor=player_label(move.player),
                units=(unit,),
                before=move.before,
                action=Move(
                    units=(move.unit,),
                    path=tuple(move.path),
                    arrived=says.arrived if says else None,
                    posture=says.posture if says else None,
                    site=says.site if says else None,
                    bank=says.bank if says else None,
                    purpose=purpose,
                ),
                after=self._situation(now),
            )
            if purpose == "move":
                self._deed(move.unit, "moved")

    def _purpose(
        self, move: _OpenMove, unit: Unit, says: Unit | None, now: GameState
    ) -> Purpose | None:
        """What a drag was for.  A unit whose turn it is not, or that has attacked, may retreat or advance
        after combat; whoever says how it arrived says that it moved."""
        action, _ = self._reader.declared(now, move.unit)
        if action in ("retreat", "advance"):
            return "retreat" if action == "retreat" else "advance"
        active = move.before.active
        own = active is None or active == unit.side
        spent = "attacked" in (move.before.units[move.unit].did or ())
        return "move" if (says and says.arrived) or (own and not spent) else None

    # Attacks

    def _completed(self, step: Step, before: GameState, after: GameState) -> list[UnitId]:
        """The units whose action and target are both said now, and were not so before."""
        changed = {c.get("id") or "" for c in step.of_kind("change")}
        found = []
        for unit_id in sorted(changed & after.pieces.keys()):
            action, target = self._reader.declared(after, UnitId(unit_id))
            new = (action, target) != self._reader.declared(before, UnitId(unit_id))
            if (
                new
                and action in _ATTACKS
                and target
                and self._reader.is_unit(after.pieces[unit_id])
            ):
                found.append(UnitId(unit_id))
        return found

    def _attack(self, unit_id: UnitId, step: Step, now: GameState) -> Play:
        # A target declared anew replaces the one before; it is no second attack.
        self._clock.declared.pop(unit_id, None)
        situation = self._situation(now)
        unit = situation.units[unit_id]
        if unit_id in self._clock.placed:
            # It was not here before this step; how it came is for its player to say.
            unit = replace(unit, did=("moved", *(unit.did or ())))
            situation = replace(situation, units={**situation.units, unit_id: unit})
        action, text = self._reader.declared(now, unit_id)
        target = read_target(text, self._reader.map, situation.units, unit.side)
        play = Play(
            step=self._id(step.number),
            steps=(self._id(step.number),),
            actor=player_label(step.player),
            units=(unit,),
            before=situation,
            action=None,
            after=situation,
        )
        if target is None or unit.hex is None:
            fact = "target" if target is None else "hex"
            return replace(play, missing=(f"{unit.name}.{fact}",))
        attack = _declared_attack(unit_id, action, target)
        self._clock.declared[unit_id] = _Declared(attack, now)
        return replace(play, action=attack)

    def _combats(self, step: Step, now: GameState, only: Cell | None) -> Iterator[Play]:
        """Combats of several attackers; the attackers are spent with it.

        At `!resolve` (`only`) the units stand as they do then; at the end of the action step, when
        losses and retreats may have been carried out, as they did when the last attack was declared.
        """
        hexes = sorted({d.attack.hex for d in self._clock.declared.values()})
        for cell in hexes:
            if only is not None and cell != only:
                continue
            made = [d for d in self._clock.declared.values() if d.attack.hex == cell]
            for declared in made:
                del self._clock.declared[declared.attack.units[0]]
            last = made[-1].state
            situation = self._situation(last if only is None else now)
            attacks = _still_there(made, situation)
            if len(attacks) < len(made) and only is not None:
                situation = self._situation(last)
                attacks = _still_there(made, situation)
            if len(attacks) > 1:
                combat = Combat(cell, tuple(attacks))
                yield Play(
                    step=self._id(step.number),
                    steps=(self._id(step.number),),
                    actor=player_label(step.player),
                    units=tuple(situation.units[u] for u in combat.units),
                    before=situation,
                    action=combat,
                    after=situation,
                )
            for declared in made:
                self._deed(declared.attack.units[0], "attacked")

    # State

    def _begin_step(self, state: GameState) -> None:
        """Takes the snapshot of an action step."""
        units = self._reader.units(state)
        self._clock = _Clock(
            start={unit_id: unit.hex for unit_id, unit in units.items()},
            phase=self._reader.phase(state),
        )

    def _deed(self, unit_id: UnitId, deed: Deed) -> None:
        self._clock.did[unit_id] = (*self._clock.did.get(unit_id, ()), deed)

    def _situation(self, state: GameState) -> Situation:
        clock, phases = self._clock, self._reader.game.phases
        units = {}
        for unit_id, unit in self._reader.units(state).items():
            did = clock.did.get(unit_id, ())
            if unit_id in clock.declared:
                did = (*did, "attacked")
            units[unit_id] = replace(unit, start_hex=clock.start.get(unit_id), did=did)
        situation = Situation(
            self._reader.game,
            self._reader.map,
            units,
            active=clock.phase.get(phases.active),
            turn=clock.phase.get(phases.turn),
            step=clock.phase.get(phases.step),
            concealed=self._reader.has_concealed(state),
        )
        # A posture that cannot be says nothing of where the unit stands.
        odd = [u for u in units.values() if not may_stand(situation, u)]
        sound = units | {u.id: replace(u, posture=None) for u in odd}
        return replace(situation, units=sound) if odd else situation

    def _id(self, step: int) -> str:
        return f"{self._number}.{step}"


def _turns(step: Step) -> bool:
    return any(c.kind is TURN for c in step.commands)


def _still_there(made: list[_Declared], situation: Situation) -> list[Attack]:
    """The attacks whose units and named targets are all in the situation: counters can be removed."""
    attacks = [declared.attack for declared in made]
    return [a for a in attacks if {*a.units, *(a.targets or ())} <= situation.units.keys()]


def _declared_attack(unit_id: UnitId, action: str, target: Target) -> Attack:
    targets = None if target.unit is None else (target.unit,)
    return Attack("bombard" if action == "bombard" else "attack", (unit_id,), target.hex, targets)
