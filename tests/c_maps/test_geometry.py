"""Hexes, sheets and boards: worked examples of design.md section 4, and properties."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.c_maps.samples import denmark, denmark_map
from vmod_tools.errors import MapError
from vmod_tools.mapdoc import geometry as g
from vmod_tools.mapdoc.model import (
    OPPOSITE,
    SIDES,
    Cell,
    Grid,
    Hex,
    HexId,
    HexMap,
    Position,
    Sheet,
    Side,
)
from vmod_tools.mapdoc.names import resolve_across

# Small boards with the grid's corner and the printed numbers out of step in every way.
_CELLS = st.builds(Cell, st.integers(0, 9), st.integers(0, 9))
_SIDES = st.sampled_from(SIDES)


def board(
    *cells: Cell, pitch: int = 120, pushed: Literal["even", "odd"] = "even", first_column: int = 1
) -> HexMap:
    sheet = Sheet("", first_column, first_column + 19, 1, 20, col0=0, row0=0)
    hexes = {cell: Hex(cell, HexId(""), "clear") for cell in cells}
    return HexMap("test", {}, Grid(pitch, pushed), (sheet,), hexes)


@st.composite
def boards(draw: st.DrawFn) -> HexMap:
    cells = draw(st.sets(_CELLS, min_size=1, max_size=12))
    return board(
        *sorted(cells),
        pitch=draw(st.integers(40, 200)),
        pushed=draw(st.sampled_from(["even", "odd"])),
        first_column=draw(st.integers(0, 3)),
    )


def layout_of(hex_map: HexMap) -> g.Layout:
    return g.layout(hex_map)


# Sheets and names


def test_two_names_of_one_hex() -> None:
    hex_map = denmark_map()
    assert g.resolve(hex_map, "B6125") == g.resolve(hex_map, "F0125") == Cell(60, 24)
    assert g.aliases(hex_map, Cell(60, 24)) == ("B6125", "F0125")
    assert g.hex_name(hex_map, Cell(60, 24)) == "B6125"


def test_sheets_below_and_beside() -> None:
    hex_map = denmark_map()
    assert g.resolve(hex_map, "C0101") == Cell(0, 33)
    assert g.hex_name(hex_map, Cell(61, 0)) == "F0201"
    sheet = g.sheet_of(hex_map, Cell(61, 0))
    assert sheet is not None
    assert sheet.id == "F"
    assert g.sheet_of(hex_map, Cell(61, 40)) is None


@pytest.mark.parametrize(
    "text", ["B6225", "B6100", "B0034", "G5421", "5431", "B543", "", "B54３1", "B54 1", "b5431"]
)
def test_names_outside_the_sheets(text: str) -> None:
    with pytest.raises(MapError) as caught:
        g.resolve(denmark_map(), text)
    assert caught.value.stable_code == "HEX_UNKNOWN"
    assert "B0101 to B6133" in caught.value.message


def test_sheet_ids_may_end_in_digits() -> None:
    grid = Grid(120)
    sheets = tuple(Sheet(name, 1, 20, 1, 20, col0, 0) for name, col0 in (("B", 0), ("B1", 40)))
    hex_map = HexMap("test", {}, grid, sheets, {})
    assert g.resolve(hex_map, "B0101") == Cell(0, 0)
    assert g.resolve(hex_map, "B10101") == Cell(40, 0)


def test_a_sheet_without_id() -> None:
    assert g.resolve(board(), "0203") == Cell(1, 2)
    assert g.hex_name(board(), Cell(1, 2)) == "0203"


def test_no_sheet_no_name() -> None:
    with pytest.raises(MapError, match=r"no sheet of map 'main' covers column 61, row 40"):
        g.hex_name(denmark_map(), Cell(61, 40))


def test_names_across_maps() -> None:
    document = denmark()
    assert resolve_across(document, "B6125") == resolve_across(document, "main:F0125")
    with pytest.raises(MapError, match="there is no map 'op'"):
        resolve_across(document, "op:2420")
    two = replace(document, maps=(*document.maps, replace(document.maps[0], id="op")))
    assert resolve_across(two, "op:B6125")[0].id == "op"
    with pytest.raises(MapError, match="there is no map ''"):
        resolve_across(two, "B6125")


# Adjacency


def test_the_way_round_the_oslofjord() -> None:
    hex_map = denmark_map()
    f0125, f0225, f0224 = (g.resolve(hex_map, name) for name in ("F0125", "F0225", "F0224"))
    assert g.side_between(hex_map, f0125, f0224) == "NE"
    assert g.side_between(hex_map, f0125, f0225) == "SE"
    assert g.side_between(hex_map, f0225, f0224) == "N"


@pytest.mark.parametrize(
    ("pushed", "first", "col", "expected"),
    [("even", 1, 0, False), ("even", 1, 1, True), ("odd", 1, 0, True), ("even", 0, 0, True)],
)
def test_pushed_is_about_printed_numbers(
    pushed: Literal["even", "odd"], first: int, col: int, *, expected: bool
) -> None:
    assert g.is_pushed(board(pushed=pushed, first_column=first), col) is expected


@given(boards(), _CELLS, _SIDES)
def test_neighbours_are_mutual(hex_map: HexMap, cell: Cell, side: Side) -> None:
    other = g.neighbour(hex_map, cell, side)
    assert g.neighbour(hex_map, other, OPPOSITE[side]) == cell
    assert g.side_between(hex_map, cell, other) == side
    assert g.distance(hex_map, cell, other) == 1


@given(boards(), _CELLS, _CELLS)
def test_distance_is_the_fewest_steps(hex_map: HexMap, a: Cell, b: Cell) -> None:
    reached, steps = {a}, 0
    while b not in reached:
        reached |= {g.neighbour(hex_map, cell, side) for cell in reached for side in SIDES}
        steps += 1
    assert g.distance(hex_map, a, b) == g.distance(hex_map, b, a) == steps
    assert (g.side_between(hex_map, a, b) is not None) == (steps == 1)


# One hexagon


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ((0, 0.5), True),
        ((0, 0.51), False),
        ((0.57735, 0), True),
        ((0.578, 0), False),
        ((0.4330127, 0.25), True),
        ((0.44, 0.25), False),
        ((-0.44, -0.25), False),
    ],
)
def test_inside(at: tuple[float, float], *, expected: bool) -> None:
    assert g.inside(Position(*at)) is expected


@given(_SIDES, st.floats(0.05, 0.95))
def test_points_of_a_side_lie_on_it(side: Side, t: float) -> None:
    assert g.exit_side(g.side_point(side, t)) == side


@pytest.mark.parametrize("side", SIDES)
def test_corners_are_on_no_side(side: Side) -> None:
    assert g.exit_side(g.side_point(side, 0)) is None
    assert g.exit_side(g.side_point(side, 1)) is None
    middle = g.side_point(side)
    assert math.isclose(math.hypot(*middle), 0.5)
    assert g.exit_side(Position(middle.x * 0.9, middle.y * 0.9)) is None


# The board


def test_the_board_of_one_hex() -> None:
    layout = g.layout(board(Cell(0, 0)))
    assert (layout.col0, layout.row0, layout.x0, layout.y0) == (0, 0, 99, 90)
    assert (layout.dx, layout.dy) == (120 * math.sqrt(3) / 2, 120)
    assert (layout.width, layout.height) == (199, 180)


def test_a_board_never_begins_with_a_pushed_column() -> None:
    layout = g.layout(board(Cell(1, 5)))
    assert (layout.col0, layout.row0) == (0, 5)
    assert g.centre(layout, Cell(1, 5)) == (99 + layout.dx, 90 + 60)
    assert layout.height == 90 + 60 + 60 + 30


def test_a_map_without_hexes_has_no_board() -> None:
    with pytest.raises(MapError, match="has no hexes"):
        g.layout(board())


@given(boards())
def test_all_hexagons_are_on_the_board(hex_map: HexMap) -> None:
    layout = layout_of(hex_map)
    assert not g.is_pushed(hex_map, layout.col0)
    for cell in hex_map.hexes:
        for x, y in g.corners(layout, cell):
            assert layout.dy / 5 < x < layout.width - layout.dy / 5
            assert layout.dy / 5 < y < layout.height - layout.dy / 5


@given(boards(), _CELLS, _SIDES)
def test_neighbours_lie_a_pitch_apart(hex_map: HexMap, cell: Cell, side: Side) -> None:
    layout = layout_of(hex_map)
    x1, y1 = g.centre(layout, cell)
    x2, y2 = g.centre(layout, g.neighbour(hex_map, cell, side))
    middle = g.side_point(side)
    assert math.isclose((x2 - x1) / layout.dy, 2 * middle.x, abs_tol=1e-9)
    assert math.isclose((y2 - y1) / layout.dy, 2 * middle.y, abs_tol=1e-9)


def test_pixel_rounds_halves_up_from_the_exact_centre() -> None:
    layout = g.layout(board(Cell(0, 0), Cell(1, 0)))
    assert g.pixel(layout, Cell(0, 0), Position(0.5 / 120, -0.5 / 120)) == (100, 90)
    # 99 + 103.923 = 202.923, which VASSAL's own centre would truncate to 202.
    assert g.pixel(layout, Cell(1, 0), Position(0, 0)) == (203, 150)


@given(boards(), st.floats(-300, 1500), st.floats(-300, 1500))
def test_locate_finds_the_hexagon(hex_map: HexMap, x: float, y: float) -> None:
    layout = layout_of(hex_map)
    cell, at = g.locate(layout, x, y)
    assert g.inside(at)
    cx, cy = g.centre(layout, cell)
    assert math.isclose(cx + layout.dy * at.x, x, abs_tol=1e-6)
    assert math.isclose(cy + layout.dy * at.y, y, abs_tol=1e-6)


def test_a_point_on_an_edge_goes_left_and_up() -> None:
    layout = g.layout(board(Cell(0, 0), Cell(0, 1)))
    assert g.locate(layout, 99, 150).cell == Cell(0, 0)
    assert g.locate(layout, 99, 151).cell == Cell(0, 1)


@given(boards(), st.integers(-100, 1500), st.integers(-100, 1500))
def test_pixel_to_position_and_back(hex_map: HexMap, x: int, y: int) -> None:
    layout = layout_of(hex_map)
    cell, exact = g.locate(layout, x, y)
    text = g.shortest_position(layout, cell, (x, y))
    at = Position(float(text[0]), float(text[1]))
    assert g.pixel(layout, cell, at) == (x, y)
    assert g.keeps_pixel(layout, cell, at, (x, y))
    assert g.inside(at)
    assert math.dist(at, exact) < 1.5 / layout.dy
    assert all(len(part.lstrip("-")) <= 7 for part in text)


def test_shortest_position_is_short() -> None:
    layout = g.layout(board(Cell(0, 0)))
    assert g.shortest_position(layout, Cell(0, 0), (99, 90)) == ("0", "0")
    assert g.shortest_position(layout, Cell(0, 0), (99 + 14, 90 - 32)) == ("0.12", "-0.27")
    assert g.shortest_position(layout, Cell(0, 0), (99 + 12, 90 + 60)) == ("0.1", "0.5")


def test_shortest_position_stays_inside_at_the_rim() -> None:
    # 0.42, 0.275 would round to this pixel too, but is just outside the hexagon.
    layout = g.layout(board(Cell(0, 0)))
    assert not g.inside(Position(0.42, 0.275))
    assert g.keeps_pixel(layout, Cell(0, 0), Position(0.42, 0.275), (149, 123))
    assert g.shortest_position(layout, Cell(0, 0), (149, 123)) == ("0.417", "0.275")


def test_shortest_position_of_a_pixel_outside_its_cell() -> None:
    layout = g.layout(board(Cell(0, 0)))
    assert g.shortest_position(layout, Cell(0, 0), (219, 90)) == ("1", "0")


@given(boards(), _CELLS, _SIDES)
def test_shared_corners_are_the_same_number(hex_map: HexMap, cell: Cell, side: Side) -> None:
    layout = layout_of(hex_map)
    i, j = SIDES.index(side), SIDES.index(OPPOSITE[side])
    here, there = g.corners(layout, cell), g.corners(layout, g.neighbour(hex_map, cell, side))
    assert here[i] == there[(j + 1) % 6]
    assert here[(i + 1) % 6] == there[j]


def area(loop: tuple[g.Pixel, ...]) -> float:
    """Positive when clockwise on a screen."""
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise((*loop, loop[0]))) / 2


@given(boards())
def test_outlines_hold_the_area_of_their_hexes(hex_map: HexMap) -> None:
    layout = layout_of(hex_map)
    loops = g.loops(layout, hex_map.hexes)
    one = math.sqrt(3) / 2 * layout.dy**2
    corners = sum(len(loop) for loop in loops)
    assert abs(sum(area(loop) for loop in loops) - one * len(hex_map.hexes)) < corners * layout.dy


def test_outline_of_two_hexes() -> None:
    layout = g.layout(board(Cell(0, 0), Cell(0, 1)))
    upper = ((64, 30), (134, 30), (168, 90), (134, 150))
    lower = ((168, 210), (134, 270), (64, 270), (30, 210), (64, 150), (30, 90))
    assert g.outline(layout, [Cell(0, 0), Cell(0, 1), Cell(0, 1)]) == upper + lower


def test_outline_refuses_holes_parts_and_nothing() -> None:
    hex_map = board(Cell(5, 5))
    layout = g.layout(hex_map)
    ring = [g.neighbour(hex_map, Cell(5, 5), side) for side in SIDES]
    outer, hole = g.loops(layout, ring)
    assert area(outer) > 0 > area(hole)
    for cells in (ring, [Cell(5, 5), Cell(9, 9)], []):
        with pytest.raises(MapError) as caught:
            g.outline(layout, cells)
        assert caught.value.stable_code == "OUTLINE_PARTS"
