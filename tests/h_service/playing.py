"""Logs written step by step for the tests of the replay, in the terms of our own module.

Every step is what VASSAL writes for it: a drag clears what the module's after-move key clears, the turn
tracker goes on after a step that clears the declarations.  Pixels come from the map document.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from service.report.model import Report
from service.rulings import Ruling
from tests.h_service.material import hex_map, report_on
from tests.support import crafted
from vmod_tools.build.mapwindow import map_name
from vmod_tools.mapdoc.geometry import centre, layout, resolve

MARKERS = ("Side", "Class", "Name", "NameJa")
SAID = ("Mode", "Site", "Bank", "Arrived", "Action", "Target", "LandingCraft")
AFTER_MOVE = ("Mode", "Site", "Bank", "Arrived", "Action", "Target")
NEXT_STEP = ("Arrived", "Action", "Target")

# Turn 1; German or Allied; action step 1 or 2: as the engine wrote them in aalborg.vlog.
TURNS = {
    ("German", 1): "0|1;0;false;-1;0\\;0\\;0\\;true,true\\;0\\\\;0\\\\;0\\\\;true,true",
    ("German", 2): "0|1;0;false;-1;0\\;0\\;0\\;true,true\\;1\\\\;0\\\\;0\\\\;true,true",
    ("Allied", 1): "0|1;0;false;-1;1\\;0\\;0\\;true,true\\;0\\\\;0\\\\;0\\\\;true,true",
}


Facts = tuple[str, str, str, Mapping[str, str]]
"""Side, class, hex, and what the counter says: its names, and the properties of its menu."""


class Unit:
    """A counter: where it is and what it says."""

    def __init__(self, id: str, facts: Facts) -> None:
        side, kind, place, given = facts
        said = dict(given)
        self.id, self.at = id, pixel(place)
        name, name_ja = said.pop("Name", id), said.pop("NameJa", "")
        self.markers = dict(zip(MARKERS, (side, kind, name, name_ja), strict=True))
        self.mask = said.pop("mask", None)
        self.said = dict.fromkeys(SAID, "") | said

    def _traits(self) -> list[tuple[str, str]]:
        marks = ",".join(self.markers.values())
        properties = [(f"PROP;{name};false,0,100,false;", self.said[name]) for name in SAID]
        hidden = [] if self.mask is None else [("obs;72,130;back.png;Mask;B", self.mask)]
        return [*hidden, (f"mark;{','.join(MARKERS)}", marks), *properties]

    def add(self) -> str:
        return crafted.piece(self.id, *self.at, *self._traits(), map=window())

    def state(self) -> str:
        states = [state for _, state in self._traits()]
        return crafted.chain(*states, crafted.basic_state(*self.at, window()))


def window() -> str:
    return map_name(hex_map())


def pixel(hex: str) -> tuple[int, int]:
    if hex == "off":
        return 1, 1
    x, y = centre(layout(hex_map()), resolve(hex_map(), hex))
    return int(x), int(y)


class Playing:
    """A game being played; each method is one step of the log."""

    def __init__(
        self, units: Mapping[str, Facts], *, start: tuple[str, int] = ("German", 1)
    ) -> None:
        self.units = {name: Unit(name, facts) for name, facts in units.items()}
        self._start = [unit.add() for unit in self.units.values()]
        self._turn = start
        self._rest = [
            f"{window()}BoardPicker\tmain\t0\t0",
            f"TURNTurnTracker0\t{TURNS[start]}",
            "PLAYER\tpw-1\tAyako\tGerman",
        ]
        self._steps: list[str] = []

    def step(self, *commands: str) -> Playing:
        self._steps.append(crafted.step(*commands))
        return self

    def _change(self, id: str) -> str:
        return crafted.change(id, self.units[id].state())

    def drag(self, *ids: str, to: str, **said: str) -> Playing:
        commands = []
        for name in ids:
            unit = self.units[name]
            unit.said |= dict.fromkeys(AFTER_MOVE, "") | said
            start, unit.at = unit.at, pixel(to)
            move = crafted.move(name, unit.at, start, player="pw-1", map=window())
            commands += [self._change(name), move]
        return self.step(*commands)

    def say(self, *ids: str, **said: str) -> Playing:
        for name in ids:
            self.units[name].said |= said
        return self.step(*map(self._change, ids))

    def attack(self, id: str, target: str, action: str = "attack") -> Playing:
        return self.say(id, Action=action).say(id, Target=target)

    def chat(self, text: str) -> Playing:
        return self.step(f"CHAT<Ayako> - {text}")

    def delete(self, id: str) -> Playing:
        del self.units[id]
        return self.step(f"-/{id}")

    def clear(self) -> Playing:
        """The step that the turn tracker takes before it goes on."""
        dirty = [u for u in self.units.values() if any(u.said[name] for name in NEXT_STEP)]
        for unit in dirty:
            unit.said |= dict.fromkeys(NEXT_STEP, "")
        return self.step(*(self._change(u.id) for u in dirty)) if dirty else self

    def turn(self, side: str = "German", number: int = 2) -> Playing:
        return self.step(f"TURNTurnTracker0\t{TURNS[side, number]}")

    def next(self, side: str = "German", number: int = 2) -> Playing:
        return self.clear().turn(side, number)

    def undo_drag(self, id: str, to: str, **said: str) -> Playing:
        """Takes back the last step, a drag of the unit from `to`, as VASSAL 3.7 writes it."""
        unit = self.units[id]
        unit.said |= said
        start, unit.at = unit.at, pixel(to)
        back = crafted.move(id, unit.at, start, player="pw-1", map=window())
        return self.step("UNDO\ttrue", back, self._change(id), "UNDO\tfalse")

    def data(self) -> bytes:
        text = crafted.log_text(crafted.save_text(*self._start, rest=self._rest), *self._steps)
        return crafted.game(text, module="Denmark and the Skagerrak")

    def report(self, **more: Any) -> Report:
        return report_on(self.data(), **more)

    def rulings(self, **more: Any) -> dict[str, Ruling]:
        """The rulings by step; a stack drag's are told apart by the unit."""
        rulings = self.report(**more).rulings
        steps = [r.step for r in rulings]
        names = [r.step if steps.count(r.step) == 1 else f"{r.step} {r.units[0]}" for r in rulings]
        return dict(zip(names, rulings, strict=True))


def illegal(ruling: Ruling) -> set[str]:
    return {part.id for part in ruling.rules if part.verdict == "illegal"}


def way(ruling: Ruling) -> list[str]:
    (only,) = ruling.result.values()
    assert isinstance(only, dict)
    found: Iterable[str] = only["way"]
    return list(found)
