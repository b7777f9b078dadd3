"""A map as the painters of the board see it: exact places in pixels, and what lies on either side.

VASSAL rounds counters to whole pixels (geometry.pixel); a picture does not, so places here are exact.
A cell without a `<hex>` is blank: the board shows paper there, no outline and no number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vmod_tools.draw.svg import Point
from vmod_tools.draw.terrain import ground_of
from vmod_tools.mapdoc import geometry
from vmod_tools.mapdoc.model import OPPOSITE, SIDES, Cell, HexMap, Position, Side

_LEAST_TYPE = 7.5  # px
CENTRE = Position(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Ground:
    """The map and where its cells lie; `pitch` in px is the measure of all that is drawn."""

    map: HexMap
    layout: geometry.Layout
    pitch: float

    @classmethod
    def of(cls, map: HexMap) -> Ground:
        """The ground of a map."""
        return cls(map, geometry.layout(map), float(map.grid.pitch))

    def type_size(self, share: float) -> float:
        """The size in px of type that is `share` pitch high; on small hexes no smaller than can be read."""
        return max(_LEAST_TYPE, share * self.pitch)

    def cells(self) -> list[Cell]:
        """The cells that have a `<hex>`, by column and row."""
        return sorted(self.map.hexes)

    def place(self, cell: Cell, at: Position = CENTRE) -> Point:
        """The exact pixel of a position in a cell."""
        x, y = geometry.centre(self.layout, cell)
        return x + at.x * self.pitch, y + at.y * self.pitch

    def on_side(self, cell: Cell, side: Side, t: float = 0.5) -> Point:
        """The pixel at the share t of a hexside, clockwise."""
        return self.place(cell, geometry.side_point(side, t))

    def ends(self, cell: Cell, side: Side) -> tuple[Point, Point]:
        """The two corners of a hexside, clockwise; equal numbers from each hex that shares them."""
        corners, first = geometry.corners(self.layout, cell), SIDES.index(side)
        return corners[first], corners[(first + 1) % 6]

    def neighbour(self, cell: Cell, side: Side) -> Cell:
        """The cell across a hexside; it may be blank."""
        return geometry.neighbour(self.map, cell, side)

    def water(self, cell: Cell) -> bool | None:
        """Whether a cell is open water; None for a blank cell."""
        found = self.map.hexes.get(cell)
        return None if found is None else ground_of(found.terrain).water

    def one_side(self, cell: Cell, side: Side) -> tuple[Cell, Side]:
        """The one name of a hexside that both of its cells agree on: its N, NE or SE side."""
        return (cell, side) if side in SIDES[:3] else (self.neighbour(cell, side), OPPOSITE[side])

    def sides(self) -> Iterator[tuple[Cell, Side]]:
        """Every hexside of the board once, by its one name."""
        seen: set[tuple[Cell, Side]] = set()
        for cell in self.cells():
            for side in SIDES:
                key = self.one_side(cell, side)
                if key not in seen:
                    seen.add(key)
                    yield key
