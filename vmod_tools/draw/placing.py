"""Where names go: boxes that must not overlap, and the best free one of a few candidates.

Boxes are estimates (svg.text_width) in px of the board.  What may never be covered: hex numbers,
sites, names that already stand, the rim of the board.  What is better not covered: water and ways.
The order of names decides, nothing else, so the same document gives the same board.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from vmod_tools.draw.svg import Point

_BUCKET = 64.0  # px


class Box(NamedTuple):
    """Left, top, right, bottom in px."""

    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def around(cls, point: Point, width: float, height: float) -> Box:
        """The box of a width and height around a point."""
        x, y = point
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def middle(self) -> Point:
        """The point in its middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def overlaps(self, other: Box) -> bool:
        """Whether the insides meet; boxes that only touch do not overlap."""
        return (
            self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1
        )

    def holds(self, point: Point) -> bool:
        """Whether a point lies in it."""
        return self.x0 <= point[0] <= self.x1 and self.y0 <= point[1] <= self.y1

    def within(self, other: Box) -> bool:
        """Whether it lies wholly in the other."""
        return (
            other.x0 <= self.x0
            and self.x1 <= other.x1
            and other.y0 <= self.y0
            and self.y1 <= other.y1
        )


class Space:
    """The room on a board: what is taken, and the points that are better left free."""

    def __init__(self, board: Box, better_free: Iterable[Point] = ()) -> None:
        self.board = board
        self._taken: dict[tuple[int, int], list[Box]] = defaultdict(list)
        self._points: dict[tuple[int, int], list[Point]] = defaultdict(list)
        for x, y in better_free:
            self._points[int(x // _BUCKET), int(y // _BUCKET)].append((x, y))

    def take(self, boxes: Iterable[Box]) -> None:
        """Mark boxes as taken."""
        for box in boxes:
            for key in _buckets(box):
                self._taken[key].append(box)

    def free(self, boxes: Iterable[Box]) -> bool:
        """Whether all boxes lie on the board and overlap nothing that is taken."""
        return all(
            box.within(self.board)
            and not any(box.overlaps(other) for key in _buckets(box) for other in self._taken[key])
            for box in boxes
        )

    def crowding(self, boxes: Iterable[Box]) -> int:
        """How many of the points that are better left free the boxes cover."""
        return sum(
            box.holds(point)
            for box in boxes
            for key in _buckets(box)
            for point in self._points[key]
        )


def _buckets(box: Box) -> Iterator[tuple[int, int]]:
    for i in range(int(box.x0 // _BUCKET), int(box.x1 // _BUCKET) + 1):
        for j in range(int(box.y0 // _BUCKET), int(box.y1 // _BUCKET) + 1):
            yield i, j


# Sides of a point in the order in which map makers like them, as shares of half the box and the gap.
_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


def around(
    point: Point, width: float, height: float, gap: float, rings: int
) -> Iterator[tuple[Box, float]]:
    """Boxes beside a point, `gap` px away, then in `rings` - 1 wider rings, and how little each is liked."""
    for ring in range(rings):
        for i, (dx, dy) in enumerate(_AROUND):
            away = gap * (1 + 0.6 * ring) * (0.75 if dx and dy else 1.0)
            x = point[0] + dx * (width / 2 + away)
            y = point[1] + dy * (height / 2 + away)
            yield Box.around((x, y), width, height), 0.3 * i + 2.0 * ring


def slanted(middle: Point, width: float, height: float, angle: float) -> list[Box]:
    """Small boxes that together cover a line of text turned by an angle in radians."""
    count = max(1, math.ceil(width / height))
    step = width / count
    size = height * (abs(math.cos(angle)) + abs(math.sin(angle)))
    boxes = []
    for i in range(count):
        off = (i + 0.5) * step - width / 2
        at = (middle[0] + math.cos(angle) * off, middle[1] + math.sin(angle) * off)
        boxes.append(Box.around(at, max(size, step * abs(math.cos(angle))), size))
    return boxes


def best(
    space: Space, candidates: Sequence[tuple[Sequence[Box], float]], *, most: float = math.inf
) -> int | None:
    """Which candidate (boxes, and how little it is liked) to take; None if none is free or all too crowded."""
    chosen, least = None, most
    for index, (boxes, dislike) in enumerate(candidates):
        if dislike < least and space.free(boxes):
            cost = dislike + 0.7 * space.crowding(boxes)
            if cost < least:
                chosen, least = index, cost
    return chosen
