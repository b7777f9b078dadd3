"""From a state of the game to the facts of its units, as the game file names them.

A piece is a unit when it states a side of the game and a class.  Its hex is the one whose name VASSAL
shows for its point; a point with another name is on no hex of the map.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from service.games import Game
from service.situation import ARRIVALS, POSTURES, Unit, UnitId
from vmod_tools.boards import PlacedBoard, location_name, place_boards
from vmod_tools.errors import MapError
from vmod_tools.gamestate import GameState, PlacedPiece
from vmod_tools.mapdoc.geometry import resolve
from vmod_tools.mapdoc.model import BankName, Cell, HexMap
from vmod_tools.modules import Module
from vmod_tools.pieces import Place, is_concealed, stated_properties
from vmod_tools.turns import turn_values


@dataclass(frozen=True)
class FactReader:
    """Reads units and phases out of states.  Places and pieces repeat, so both are read once each."""

    game: Game
    module: Module
    map: HexMap
    window: str
    """The map window that shows `map`."""
    _cells: dict[tuple[Place, tuple[str, ...]], Cell | None] = field(default_factory=dict)
    _stated: dict[int, tuple[PlacedPiece, Mapping[str, str]]] = field(default_factory=dict)

    def properties(self, placed: PlacedPiece) -> Mapping[str, str]:
        """What a piece states; kept by identity, for states share their pieces."""
        known = self._stated.get(id(placed.piece))
        if known is None:
            known = placed, stated_properties(placed.piece)
            self._stated[id(placed.piece)] = known
        return known[1]

    def is_unit(self, placed: PlacedPiece) -> bool:
        """Whether the piece is a unit of the game that everybody can see."""
        facts, says = self.game.facts, self.properties(placed)
        if is_concealed(placed.piece):
            return False
        return says.get(facts["side"], "") in self.game.sides and bool(says.get(facts["class"]))

    def cell(self, state: GameState, place: Place) -> Cell | None:
        """The hex at a place; None off the map."""
        if place.map != self.window:
            return None
        chosen = state.boards.get(self.window, ())
        key = place, chosen
        if key not in self._cells:
            self._cells[key] = self._locate(place, chosen)
        return self._cells[key]

    def _locate(self, place: Place, chosen: tuple[str, ...]) -> Cell | None:
        definition = self.module.map(self.window)
        if definition is None:
            return None
        boards: tuple[PlacedBoard, ...] = place_boards(definition, chosen)
        try:
            cell = resolve(self.map, location_name(definition, boards, place.x, place.y))
        except MapError:
            return None
        return cell if cell in self.map.hexes else None

    def units(self, state: GameState) -> dict[UnitId, Unit]:
        """All units of a state; what they did and where they began is the replay's to add."""
        return {
            UnitId(piece_id): self._unit(state, UnitId(piece_id), placed)
            for piece_id, placed in state.pieces.items()
            if self.is_unit(placed)
        }

    def _unit(self, state: GameState, unit_id: UnitId, placed: PlacedPiece) -> Unit:
        facts, says = self.game.facts, self.properties(placed)

        def fact(name: str) -> str | None:
            return says.get(facts[name]) or None

        mode, arrived = fact("mode"), fact("arrived")
        craft = says.get(facts["landing_craft"])
        bank = fact("bank")
        return Unit(
            id=unit_id,
            name=fact("name") or says.get("BasicName", unit_id),
            names={"ja": fact("name_ja") or ""},
            side=says[facts["side"]],
            unit_class=fact("class"),
            hex=self.cell(state, placed.place),
            posture=mode if mode in POSTURES else None,
            site=fact("site"),
            bank=BankName(bank) if bank else None,
            arrived=arrived if arrived in ARRIVALS else None,
            # A unit that has the property and no value in it has no craft; one without it: not known.
            landing_craft=None if craft is None else craft == "yes",
        )

    def declared(self, state: GameState, unit_id: UnitId) -> tuple[str, str]:
        """The action and the target that a unit declares; empty texts when it declares none."""
        placed = state.pieces.get(unit_id)
        if placed is None:
            return "", ""
        facts, says = self.game.facts, self.properties(placed)
        return says.get(facts["action"], ""), says.get(facts["target"], "")

    def is_cleared(self, state: GameState, unit_id: UnitId) -> bool:
        """Whether the unit says nothing of what holds for one action step only."""
        placed = state.pieces.get(unit_id)
        says = self.properties(placed) if placed else {}
        return not any(says.get(self.game.facts[f]) for f in ("arrived", "action", "target"))

    def has_concealed(self, state: GameState) -> bool:
        """Whether any piece is masked or invisible to a side."""
        return any(is_concealed(p.piece) for p in state.pieces.values())

    def phase(self, state: GameState) -> dict[str, str]:
        """The turn tracker's properties."""
        values: dict[str, str] = {}
        for tracker in self.module.turn_trackers:
            if tracker.id in state.turns:
                values |= turn_values(tracker, state.turns[tracker.id])
        return values
