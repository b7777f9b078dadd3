"""Roads and rails from hexside to hexside, to a site or to the centre, and their bridges.

A way leaves every hexside at a right angle, so that it runs on smoothly into the next hex.  Where it
crosses in-hex water with `bridge`, two brackets stand along it; without, the way stops short of the
water on both banks, because nothing says that it goes across.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from vmod_tools.draw import palette, svg
from vmod_tools.draw.curves import (
    Cubic,
    between,
    crossings,
    direction,
    distance,
    flattened,
    paced,
    shifted,
)
from vmod_tools.draw.ground import Ground
from vmod_tools.draw.svg import Node, Point
from vmod_tools.draw.water import Stream
from vmod_tools.mapdoc.model import SIDES, Hex, Way, WayKind

_STEPS = 32  # points a way is flattened to
_ROAD = (0.085, 0.06)  # pitch, casing and core; a rail on the same line leaves both edges in sight
_RAIL = 0.022
_SLEEPER = 0.055  # pitch, length and distance
_WATERSIDES = frozenset({"river", "strait"})


@dataclass(frozen=True, slots=True)
class Track:
    """A way as drawn: its unbroken parts, and where its bridges stand (middle, direction, half length)."""

    kind: WayKind
    parts: tuple[tuple[Point, ...], ...]
    bridges: tuple[tuple[Point, Point, float], ...]

    def flat(self) -> list[Point]:
        """Points close together on its parts and along its bridges."""
        points = [point for part in self.parts for point in part[::3]]
        for middle, along, half in self.bridges:
            points.extend(shifted(middle, along, half * t / 2) for t in (-2, -1, 0, 1, 2))
        return points


def tracks(ground: Ground, found: list[Stream]) -> list[Track]:
    """All ways of the map, by cell."""
    waters = [(stream, _box(stream.flat())) for stream in found]
    result = []
    for cell in ground.cells():
        here = ground.map.hexes[cell]
        for way in here.ways:
            line = flattened([_curve(ground, here, way)], _STEPS)
            box = _box(line)
            near = [stream for stream, other in waters if _overlap(box, other, ground.pitch)]
            result.append(_track(ground, here, way, line, near))
    return result


def _curve(ground: Ground, here: Hex, way: Way) -> Cubic:
    centre = ground.place(here.cell)
    start, end = (_end(ground, here, text) for text in (way.start, way.end))
    first, second = (
        between(point, centre, 0.55) if text in SIDES else None
        for text, point in ((way.start, start), (way.end, end))
    )
    # An end inside the hex has no direction of its own: the curve heads for the other end's control.
    return Cubic(
        start,
        first or between(start, second or end, 0.4),
        second or between(end, first or start, 0.4),
        end,
    )


def _end(ground: Ground, here: Hex, text: str) -> Point:
    """The pixel of a way's end; an id that is no site of the hex means the centre here."""
    if text in SIDES:
        return ground.on_side(here.cell, text)
    for site in here.sites:
        if site.id == text:
            return ground.place(here.cell, site.at)
    return ground.place(here.cell)


def _track(ground: Ground, here: Hex, way: Way, line: list[Point], near: list[Stream]) -> Track:
    pitch = ground.pitch
    if not way.bridge:
        parts = [line]
        for stream in near:
            if crossings(line, flat := stream.flat()):
                keep = stream.half_width(pitch) + 0.02 * pitch
                parts = [piece for part in parts for piece in _dry(part, flat, keep)]
        return Track(way.kind, tuple(map(tuple, parts)), ())
    bridges = [
        (point, along, stream.half_width(pitch) + 0.03 * pitch)
        for stream in near
        for point, along in crossings(line, stream.flat())
        # Water that ends where the way does is the next hex's, or runs along the hexside.
        if min(math.dist(point, line[0]), math.dist(point, line[-1])) > 0.05 * pitch
    ]
    return Track(way.kind, (tuple(line),), tuple(bridges or _side_bridges(ground, here, way, line)))


def _dry(line: list[Point], water: list[Point], keep: float) -> list[list[Point]]:
    """The parts of a line that stay at least `keep` px away from the water."""
    parts: list[list[Point]] = [[]]
    for point in line:
        if distance(point, water) >= keep:
            parts[-1].append(point)
        elif parts[-1]:
            parts.append([])
    return [part for part in parts if len(part) > 1]


def _side_bridges(
    ground: Ground, here: Hex, way: Way, line: list[Point]
) -> list[tuple[Point, Point, float]]:
    """Bridges over the water on the hexsides at which a way ends."""
    wet = {
        ground.one_side(side.cell, side.side)
        for side in ground.map.hexsides
        if side.kind in _WATERSIDES
    }
    found = []
    for text, point, along in (
        (way.start, line[0], direction(line[0], line[1])),
        (way.end, line[-1], direction(line[-2], line[-1])),
    ):
        if text in SIDES and ground.one_side(here.cell, text) in wet:
            found.append((point, along, 0.09 * ground.pitch))
    return found


def draw_tracks(parent: Node, found: list[Track], pitch: float) -> None:
    """Road casings, road cores, rails, then bridges, so that junctions have no lines across."""
    roads = [part for track in found if track.kind == "road" for part in track.parts]
    rails = [part for track in found if track.kind == "rail" for part in track.parts]
    for width, colour in zip(_ROAD, (palette.ROAD_CASING, palette.ROAD), strict=True):
        for part in roads:
            _stroke(parent, part, colour, width * pitch)
    for part in rails:
        _stroke(parent, part, palette.RAIL, _RAIL * pitch)
        svg.add(parent, "path", d=_sleepers(part, _SLEEPER * pitch), fill="none",
                stroke=palette.RAIL, stroke_width=_RAIL * 0.8 * pitch)  # fmt: skip
    for track in found:
        for bridge in track.bridges:
            _bridge(parent, *bridge, pitch)


def _stroke(parent: Node, line: tuple[Point, ...], colour: str, width: float) -> None:
    svg.add(parent, "path", d=svg.polyline(line), fill="none", stroke=colour, stroke_width=width,
            stroke_linecap="round", stroke_linejoin="round")  # fmt: skip


def _sleepers(line: tuple[Point, ...], length: float) -> str:
    ticks = []
    for point, (dx, dy) in paced(line, length):
        ends = (shifted(point, (-dy, dx), -length / 2), shifted(point, (-dy, dx), length / 2))
        ticks.append(svg.polyline(ends))
    return " ".join(ticks)


def _bridge(parent: Node, middle: Point, along: Point, half: float, pitch: float) -> None:
    """Two brackets, one on either side of the way, open outwards at the banks."""
    for sign in (-1.0, 1.0):
        across = (-along[1] * sign, along[0] * sign)
        rail = shifted(middle, across, 0.05 * pitch)
        flare = shifted(middle, across, 0.085 * pitch)
        points = (
            shifted(flare, along, -half - 0.03 * pitch),
            shifted(rail, along, -half),
            shifted(rail, along, half),
            shifted(flare, along, half + 0.03 * pitch),
        )
        for colour, width in ((palette.HALO, 0.045), (palette.BRIDGE, 0.022)):
            svg.add(parent, "path", d=svg.polyline(points), fill="none", stroke=colour,
                    stroke_width=width * pitch, stroke_linecap="round")  # fmt: skip


_Box = tuple[float, float, float, float]


def _box(points: list[Point]) -> _Box:
    xs, ys = zip(*points, strict=True) if points else ((math.inf,), (math.inf,))
    return min(xs), min(ys), max(xs), max(ys)


def _overlap(a: _Box, b: _Box, slack: float) -> bool:
    return (
        a[0] <= b[2] + slack
        and b[0] <= a[2] + slack
        and a[1] <= b[3] + slack
        and b[1] <= a[3] + slack
    )
