"""The coast: wavy borders where open water meets land, so that the sea does not end in straight sides.

Each border belongs to one hexside.  It stays within about 0.07 pitch of it, both hexes use the same
curve (no gap, no overlap), and neighbouring borders meet smoothly.  Where the hex beyond is blank,
the coast ends at the corner.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vmod_tools.draw.curves import Cubic, between, noise, smooth
from vmod_tools.draw.ground import Ground
from vmod_tools.draw.svg import Point, tenth
from vmod_tools.mapdoc.model import OPPOSITE, SIDES, Cell, Side

_WOBBLE = 0.03  # pitch, how far a coast point strays from its hexside
_KNOTS = (0.3, 0.7)  # shares of a hexside where the coast may stray

CoastSide = tuple[Cell, Side]  # always named from the water


@dataclass(frozen=True, slots=True)
class Shore:
    """Whole coast lines, their parts by cell and side (clockwise from that cell), and moved corners."""

    lines: tuple[tuple[Cubic, ...], ...]
    borders: Mapping[CoastSide, list[Cubic]]
    corners: Mapping[Point, Point]

    def outline(self, ground: Ground, cell: Cell) -> str:
        """Path data of a hex with its straight sides and its coasts."""
        data: list[str] = []
        for side in SIDES:
            corner = ground.ends(cell, side)[0]
            x, y = self.corners.get(corner, corner)
            data.append(f"{'L' if data else 'M'}{tenth(x)} {tenth(y)}")
            data.extend(
                "C" + " ".join(f"{tenth(x)} {tenth(y)}" for x, y in piece[1:])
                for piece in self.borders.get((cell, side), ())
            )
        return " ".join(data) + " Z"


def shore(ground: Ground) -> Shore:
    """The coast of a map."""
    coast = tuple(
        (cell, side)
        for cell in ground.cells()
        if ground.water(cell)
        for side in SIDES
        if ground.water(ground.neighbour(cell, side)) is False
    )
    meeting: dict[Point, list[CoastSide]] = defaultdict(list)
    for cell, side in coast:
        for corner in ground.ends(cell, side):
            meeting[corner].append((cell, side))
    corners = {
        corner: _rounded(ground, corner, pair) for corner, pair in meeting.items() if len(pair) > 1
    }
    borders: dict[CoastSide, list[Cubic]] = {}
    for cell, side in coast:
        ends = ground.ends(cell, side)
        start, end = (corners.get(corner, corner) for corner in ends)
        before, after = (
            _knot_beyond(ground, corner, meeting[corner], (cell, side)) for corner in ends
        )
        line = smooth([start, *_knots(ground, cell, side), end], before=before, after=after)
        borders[cell, side] = line
        across = ground.neighbour(cell, side)
        borders[across, OPPOSITE[side]] = [piece.turned() for piece in reversed(line)]
    return Shore(tuple(_lines(ground, coast, borders)), borders, corners)


def _lines(
    ground: Ground, coast: tuple[CoastSide, ...], borders: Mapping[CoastSide, list[Cubic]]
) -> Iterator[tuple[Cubic, ...]]:
    """The borders joined end to end; lines with two ends come first, then closed ones."""
    starts = {ground.ends(*key)[0]: key for key in coast}
    entered = {ground.ends(*key)[1] for key in coast}
    open_ends = [corner for corner in starts if corner not in entered]
    for first in [*open_ends, *starts]:
        line: list[Cubic] = []
        corner = first
        while corner in starts:
            key = starts.pop(corner)
            line.extend(borders[key])
            corner = ground.ends(*key)[1]
        if line:
            yield tuple(line)


def _knots(ground: Ground, cell: Cell, side: Side) -> list[Point]:
    """The points through which the coast along a side runs, clockwise seen from the water."""
    middle = ground.place(cell)
    knots = []
    for i, t in enumerate(_KNOTS):
        stray = _WOBBLE * noise(*cell, SIDES.index(side), i)
        # a hexside lies half a pitch from the middle of its hex, hence twice the share
        knots.append(between(ground.on_side(cell, side, t), middle, 2 * stray))
    return knots


def _rounded(ground: Ground, corner: Point, pair: list[CoastSide]) -> Point:
    """Where the coast passes a corner: halfway to the middle between its two sides' middles."""
    first, second = (ground.on_side(cell, side) for cell, side in pair)
    return between(corner, between(first, second, 0.5), 0.5)


def _knot_beyond(
    ground: Ground, corner: Point, meeting: list[CoastSide], own: CoastSide
) -> Point | None:
    """The nearest coast point on the other side that meets at a corner; None where the coast ends."""
    for cell, side in meeting:
        if (cell, side) != own:
            return _knots(ground, cell, side)[0 if ground.ends(cell, side)[0] == corner else -1]
    return None
