"""Curves, boxes, digits and numbers: the small change of drawing."""

from __future__ import annotations

import math

import pytest

from vmod_tools.draw import digits, svg
from vmod_tools.draw.curves import (
    crossings,
    direction,
    distance,
    flattened,
    noise,
    paced,
    path,
    smooth,
)
from vmod_tools.draw.placing import Box, Space, best, slanted


@pytest.mark.parametrize(
    ("value", "two", "one"),
    [
        (1.0, "1", "1"),
        (-0.001, "0", "0"),
        (1.256, "1.26", "1.3"),
        (10.0, "10", "10"),
        (-2.5, "-2.5", "-2.5"),
    ],
)
def test_numbers_are_short(value: float, two: str, one: str) -> None:
    assert svg.num(value) == two
    assert svg.tenth(value) == one


def test_wide_and_narrow_letters() -> None:
    assert svg.text_width("支", 10) == 10
    assert svg.text_width("i", 10) < svg.text_width("a", 10) < svg.text_width("A", 10)
    assert svg.text_width("A", 10) < svg.text_width("M", 10)
    assert svg.text_width("a", 10, bold=True) > svg.text_width("a", 10)


def test_a_smooth_line_runs_through_its_points() -> None:
    points = [(0.0, 0.0), (10.0, 5.0), (20.0, 0.0)]
    pieces = smooth(points)
    assert [piece.start for piece in pieces] + [pieces[-1].end] == points
    assert path(pieces).count("M") == 1
    assert path([pieces[0], pieces[0]]).count("M") == 2
    assert flattened([]) == []
    assert len(flattened(pieces, 4)) == 9


def test_noise_is_fixed_and_within_one() -> None:
    values = [noise(i, 3) for i in range(200)]
    assert values == [noise(i, 3) for i in range(200)]
    assert min(values) < -0.8
    assert max(values) > 0.8
    assert all(-1 <= value <= 1.000001 for value in values)


def test_paced_points_begin_half_a_pace_in() -> None:
    line = [(0.0, 0.0), (0.0, 0.0), (10.0, 0.0), (25.0, 0.0)]
    assert [point[0] for point, _ in paced(line, 10)] == [5, 15, 25]


def test_crossings() -> None:
    level, upright = [(0.0, 0.0), (10.0, 0.0)], [(5.0, -5.0), (5.0, 5.0)]
    assert crossings(level, upright) == [((5.0, 0.0), (1.0, 0.0))]
    assert crossings(level, [(0.0, 1.0), (10.0, 1.0)]) == []
    assert crossings(level, [(5.0, 1.0), (5.0, 5.0)]) == []


def test_distances() -> None:
    assert distance((0, 3), []) == math.inf
    assert distance((0, 3), [(0, 0)]) == 3
    assert distance((5, 3), [(0, 0), (0, 0), (10, 0)]) == 3
    assert direction((1, 1), (1, 1)) == (0, 0)


def test_boxes() -> None:
    box = Box.around((10, 10), 10, 10)
    assert box.middle == (10, 10)
    assert box.overlaps(Box(14, 14, 20, 20))
    assert not box.overlaps(Box(15, 5, 20, 15))
    assert box.within(Box(0, 0, 15, 15))
    assert not box.within(Box(6, 0, 20, 20))


def test_slanted_boxes_cover_the_text() -> None:
    boxes = slanted((0, 0), 60, 10, math.pi / 6)
    for i in range(-30, 31):
        point = (i * math.cos(math.pi / 6), i * math.sin(math.pi / 6))
        assert any(box.holds(point) for box in boxes)


def test_best_takes_the_least_disliked_free_place() -> None:
    space = Space(Box(0, 0, 100, 100), better_free=[(30.0, 30.0)])
    space.take([Box(0, 0, 20, 20)])
    taken, covering, free = Box(10, 10, 30, 30), Box(25, 25, 35, 35), Box(50, 50, 60, 60)
    assert best(space, [((taken,), 0.0), ((covering,), 0.0), ((free,), 0.5)]) == 2
    assert best(space, [((taken,), 0.0), ((covering,), 0.0), ((free,), 2.0)]) == 1
    assert best(space, [((taken,), 0.0), ((Box(90, 90, 110, 110),), 0.0)]) is None


def test_the_alphabet() -> None:
    assert digits.can_write("B5431-")
    assert not digits.can_write("b1")
    assert digits.width("", 6) == 0
    assert digits.width("11", 6) == pytest.approx(9.6)
    assert digits.strokes("-", (0, 0), 6) == "M-1 0 L1 0"
