"""Smooth lines: cubic pieces through given points, flattening, crossings, and noise that is no chance.

Points are pixels of the board, x right, y down.  `noise` stands where a painter's hand would vary a
little: it depends on its arguments alone, so the same document always gives the same picture.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from vmod_tools.draw.svg import Point, tenth


class Cubic(NamedTuple):
    """One Bezier piece: start, two control points, end."""

    start: Point
    first: Point
    second: Point
    end: Point

    def at(self, t: float) -> Point:
        """The point at parameter t, from 0 to 1."""
        u = 1 - t
        a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        x = a * self.start[0] + b * self.first[0] + c * self.second[0] + d * self.end[0]
        y = a * self.start[1] + b * self.first[1] + c * self.second[1] + d * self.end[1]
        return x, y

    def turned(self) -> Cubic:
        """The same piece from its end to its start."""
        return Cubic(self.end, self.second, self.first, self.start)


def noise(*seed: int) -> float:
    """A number from -1 to 1 that is always the same for the same seed."""
    text = ",".join(map(str, seed)).encode()
    return zlib.crc32(text) / 0x7FFFFFFF - 1.0


def between(a: Point, b: Point, t: float) -> Point:
    """The point that lies the share t of the way from a to b."""
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def direction(a: Point, b: Point) -> Point:
    """The unit vector from a to b; (0, 0) where they are the same point."""
    length = math.dist(a, b)
    return ((b[0] - a[0]) / length, (b[1] - a[1]) / length) if length else (0.0, 0.0)


def shifted(point: Point, vector: Point, length: float) -> Point:
    """The point moved along the vector, times `length`."""
    return point[0] + vector[0] * length, point[1] + vector[1] * length


def smooth(
    points: Sequence[Point], *, before: Point | None = None, after: Point | None = None
) -> list[Cubic]:
    """Catmull-Rom pieces through the points; `before` and `after` continue the line for its tangents."""
    line = [before or points[0], *points, after or points[-1]]
    pieces = []
    for p, a, b, n in zip(line, line[1:], line[2:], line[3:], strict=False):
        first = (a[0] + (b[0] - p[0]) / 6, a[1] + (b[1] - p[1]) / 6)
        second = (b[0] - (n[0] - a[0]) / 6, b[1] - (n[1] - a[1]) / 6)
        pieces.append(Cubic(a, first, second, b))
    return pieces


def path(pieces: Iterable[Cubic]) -> str:
    """Path data of pieces that follow on each other; a gap starts a new subpath."""
    data: list[str] = []
    last: Point | None = None
    for piece in pieces:
        if piece.start != last:
            data.append(f"M{_pair(piece.start)}")
        data.append(f"C{_pair(piece.first)} {_pair(piece.second)} {_pair(piece.end)}")
        last = piece.end
    return " ".join(data)


def _pair(point: Point) -> str:
    return f"{tenth(point[0])} {tenth(point[1])}"


def flattened(pieces: Sequence[Cubic], steps: int = 8) -> list[Point]:
    """The pieces as a line of points, `steps` a piece."""
    points = [pieces[0].start] if pieces else []
    for piece in pieces:
        points.extend(piece.at(i / steps) for i in range(1, steps + 1))
    return points


def paced(points: Sequence[Point], pace: float) -> Iterator[tuple[Point, Point]]:
    """Points every `pace` px along the line, the first half a pace in, each with the line's direction."""
    due = pace / 2
    for a, b in pairwise(points):
        length = math.dist(a, b)
        while due <= length and length:
            yield between(a, b, due / length), direction(a, b)
            due += pace
        due -= length


def crossings(line: Sequence[Point], other: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Where the first line crosses the other: the points, with the first line's direction there."""
    found = []
    for a, b in pairwise(line):
        for c, d in pairwise(other):
            t = _crossing(a, b, c, d)
            if t is not None:
                found.append((between(a, b, t), direction(a, b)))
    return found


def _crossing(a: Point, b: Point, c: Point, d: Point) -> float | None:
    """Where on a-b the segment c-d crosses it (from 0 up to 1, without 1), or None."""
    rx, ry, sx, sy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    across = rx * sy - ry * sx
    if abs(across) < 1e-9:  # parallel, or a segment without length
        return None
    t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / across
    u = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / across
    return t if 0 <= t < 1 and 0 <= u < 1 else None


def distance(point: Point, line: Sequence[Point]) -> float:
    """Distance in px from a point to a line of points; infinite to a line without points."""
    if len(line) < 2:
        return math.dist(point, line[0]) if line else math.inf
    return min(_to_segment(point, a, b) for a, b in pairwise(line))


def _to_segment(point: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square if square else 0.0
    return math.dist(point, between(a, b, min(1.0, max(0.0, along))))
