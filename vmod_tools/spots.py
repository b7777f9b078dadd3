"""Where something stands, in words: map, pixels, and VASSAL's own location name when a module is at hand."""

from __future__ import annotations

from dataclasses import dataclass

from vmod_tools.boards import location_name, place_boards
from vmod_tools.gamestate import GameState
from vmod_tools.modules import Module
from vmod_tools.pieces import Place


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something is: `location` is VASSAL's name, None when no module was given."""

    map: str | None
    x: int
    y: int
    location: str | None

    def __str__(self) -> str:
        """The location name, else the map and the pixels; "off the map" on none."""
        if self.map is None:
            return "off the map"
        return self.location or f"{self.map} {self.x},{self.y}"


def spot(module: Module | None, state: GameState, place: Place) -> Spot:
    """A place with its location name."""
    definition = module.map(place.map) if module and place.map else None
    if definition is None:
        return Spot(place.map, place.x, place.y, None)
    boards = place_boards(definition, state.boards.get(definition.identifier, ()))
    return Spot(place.map, place.x, place.y, location_name(definition, boards, place.x, place.y))
