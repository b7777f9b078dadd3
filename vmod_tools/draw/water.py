"""Water inside hexes: rivers, straits and inlets with a course of their own.

Courses that meet on a hexside are joined, so that a river bends smoothly from hex to hex.  All casings
are drawn before all cores: where a river runs into a strait, or a strait into the sea, the cores
run together and no line is left across the mouth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vmod_tools.draw import palette, svg
from vmod_tools.draw.curves import Cubic, direction, flattened, path, shifted, smooth
from vmod_tools.draw.ground import Ground
from vmod_tools.draw.svg import Node, Point
from vmod_tools.mapdoc.geometry import exit_side
from vmod_tools.mapdoc.model import Cell, Side, Water, WaterKind

_TOUCH = 0.06  # pitch, ends of courses this near are joined
_RUN_OUT = 0.035  # pitch, how far a core runs on into open water


@dataclass(frozen=True, slots=True)
class Look:
    """Widths in pitch units and colours of one kind of water, from the casing inwards."""

    width: float
    casing: str
    cores: tuple[tuple[float, str], ...]


LOOKS: Mapping[WaterKind, Look] = {
    "river": Look(0.1, palette.RIVER_CASING, ((0.074, palette.RIVER),)),
    "inlet": Look(0.13, palette.SHORE, ((0.104, palette.SHALLOW), (0.05, palette.SEA))),
    "strait": Look(0.22, palette.SHORE, ((0.194, palette.SHALLOW), (0.11, palette.SEA))),
}


@dataclass(frozen=True, slots=True)
class Stream:
    """Joined water of one kind: its line, and at either end whether it opens, stops inside, or just ends."""

    kind: WaterKind
    name: str
    points: tuple[Point, ...]
    opens: tuple[bool, bool]
    inside: tuple[bool, bool]

    def pieces(self) -> list[Cubic]:
        """The line as smooth pieces."""
        return smooth(self.points)

    def flat(self) -> list[Point]:
        """The line as points close together."""
        return flattened(self.pieces())

    def half_width(self, pitch: float) -> float:
        """Half of the width with casing, in px."""
        return LOOKS[self.kind].width * pitch / 2


@dataclass(frozen=True, slots=True)
class _Course:
    water: Water
    points: tuple[Point, ...]
    opens: tuple[bool, bool]
    inside: tuple[bool, bool]

    def turned(self) -> _Course:
        return _Course(self.water, self.points[::-1], self.opens[::-1], self.inside[::-1])


def streams(ground: Ground) -> list[Stream]:
    """All in-hex water of the map, joined across hexsides, by cell."""
    left = [
        _course(ground, cell, water)
        for cell in ground.cells()
        for water in ground.map.hexes[cell].waters
        if len(water.course) > 1
    ]
    found = []
    while left:
        line = _grown(_grown(left.pop(0), left, ground.pitch).turned(), left, ground.pitch).turned()
        found.append(Stream(line.water.kind, line.water.name, line.points, line.opens, line.inside))
    return found


def _course(ground: Ground, cell: Cell, water: Water) -> _Course:
    first, last = (exit_side(at) for at in (water.course[0], water.course[-1]))
    return _Course(
        water=water,
        points=tuple(ground.place(cell, at) for at in water.course),
        opens=(_opens(ground, cell, first), _opens(ground, cell, last)),
        inside=(first is None, last is None),
    )


def _opens(ground: Ground, cell: Cell, side: Side | None) -> bool:
    return side is not None and bool(ground.water(ground.neighbour(cell, side)))


def _grown(line: _Course, left: list[_Course], pitch: float) -> _Course:
    """The line with all courses of its kind that continue its end; they are taken from `left`."""
    while (found := _continuation(line, left, pitch)) is not None:
        index, more = found
        del left[index]
        line = _Course(
            line.water if line.water.name else more.water,
            line.points + more.points[1:],
            (line.opens[0], more.opens[1]),
            (line.inside[0], more.inside[1]),
        )
    return line


def _continuation(line: _Course, left: list[_Course], pitch: float) -> tuple[int, _Course] | None:
    end = line.points[-1]
    for index, other in enumerate(left):
        if other.water.kind == line.water.kind:
            for more in (other, other.turned()):
                if math.dist(end, more.points[0]) <= _TOUCH * pitch:
                    return index, more
    return None


def draw_streams(parent: Node, ground: Ground, found: list[Stream]) -> None:
    """The in-hex water: casings, then cores from the outside in."""
    pitch = ground.pitch
    for stream in found:
        look = LOOKS[stream.kind]
        _line(parent, stream.points, look.width * pitch, look.casing, stream.inside)
    depth = max(len(look.cores) for look in LOOKS.values())
    for level in range(depth):
        for stream in found:
            for width, colour in LOOKS[stream.kind].cores[level : level + 1]:
                rounded = (stream.inside[0] or stream.opens[0], stream.inside[1] or stream.opens[1])
                _line(parent, _run_out(stream, pitch), width * pitch, colour, rounded)


def _line(
    parent: Node, points: Sequence[Point], width: float, colour: str, rounded: tuple[bool, bool]
) -> None:
    """A line that is cut straight at its ends, or rounded at one or both of them."""
    svg.add(parent, "path", d=path(smooth(points)), fill="none", stroke=colour, stroke_width=width)
    for (x, y), is_round in zip((points[0], points[-1]), rounded, strict=True):
        if is_round:
            svg.add(parent, "circle", cx=x, cy=y, r=width / 2, fill=colour)


def _run_out(stream: Stream, pitch: float) -> list[Point]:
    """The line, run on a little into open water."""
    points = list(stream.points)
    if stream.opens[0]:
        points.insert(0, shifted(points[0], direction(points[1], points[0]), _RUN_OUT * pitch))
    if stream.opens[1]:
        points.append(shifted(points[-1], direction(points[-2], points[-1]), _RUN_OUT * pitch))
    return points
