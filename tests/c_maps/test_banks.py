"""Banks, hexsides and ways: Aalborg, the Oslofjord, Rønne, and what a course can do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.c_maps.samples import denmark_map, read_map
from vmod_tools.mapdoc import banks as b
from vmod_tools.mapdoc.geometry import exit_side, resolve, side_point
from vmod_tools.mapdoc.model import (
    SIDES,
    Bank,
    BankName,
    Cell,
    Hex,
    HexId,
    Position,
    Side,
    Site,
    Water,
    Way,
)

N, S, W, E = (BankName(name) for name in "NSWE")


def hex_of(name: str) -> Hex:
    hex_map = denmark_map()
    return hex_map.hexes[resolve(hex_map, name)]


def with_course(*points: tuple[float, float], banks: tuple[Bank, ...] = ()) -> Hex:
    water = Water("river", tuple(Position(*point) for point in points), left=N, right=S)
    return Hex(Cell(0, 0), HexId("0101"), "clear", waters=(water,), banks=banks)


# Worked examples


def test_aalborg() -> None:
    aalborg = hex_of("B5431")
    airfield, port = aalborg.sites
    assert b.bank_names(aalborg) == ("N", "S")
    assert b.bank_of(aalborg, airfield.at) == b.site_bank(aalborg, airfield) == "N"
    assert b.bank_of(aalborg, port.at) == b.site_bank(aalborg, port) == "S"
    assert b.banks_of_way(aalborg, aalborg.ways[0]) == {"N", "S"}
    river = b.river(aalborg)
    assert river is not None
    assert river.name == "Limfjord"
    assert b.strait(aalborg) is None


def test_limfjord_banks_touch_what_the_course_leaves_them() -> None:
    aalborg = hex_of("B5431")
    assert b.bank_sides(aalborg, "N") == {"SW", "NW", "N", "NE"}
    assert b.bank_sides(aalborg, "S") == {"NE", "SE", "S", "SW"}


def test_oslofjord_cuts_one_bank_off_its_northern_neighbour() -> None:
    oslofjord = hex_of("F0125")
    assert b.strait(oslofjord) is not None
    assert b.river(oslofjord) is None
    assert b.touches(oslofjord, "W", "NE")
    assert not b.touches(oslofjord, "E", "NE")
    assert b.touches(oslofjord, "E", "SE")
    fornebu = oslofjord.sites[0]
    assert fornebu.bank is None
    assert b.site_bank(oslofjord, fornebu) == "W"


def test_oslofjord_by_its_course_alone() -> None:
    without = Hex(Cell(0, 0), HexId("F0125"), "clear", waters=hex_of("F0125").waters)
    assert b.bank_sides(without, "W") == {"S", "SW", "NW", "N", "NE"}
    assert b.bank_sides(without, "E") == {"NE", "SE", "S"}


def test_bornholm_has_coasts_only() -> None:
    bornholm = hex_of("C5808")
    assert b.bank_names(bornholm) == ("C", "SW")
    assert b.site_bank(bornholm, bornholm.sites[0]) == "WS"
    assert b.bank_of(bornholm, Position(0, 0.3)) is None
    assert b.bank_sides(bornholm, "WS") == {"S", "SW"}
    assert b.bank_sides(bornholm, "C") == frozenset()


# Names


def test_the_order_of_letters_does_not_matter() -> None:
    assert b.same_bank("SW", "WS")
    assert not b.same_bank("SW", "S")


def test_a_bank_is_named_once() -> None:
    hex_ = with_course((-0.5, 0), (0.5, 0), banks=(Bank(S, frozenset({"S"})), Bank(W, frozenset())))
    assert b.bank_names(hex_) == ("N", "S", "W")


# Sides of a course


def test_left_and_right_with_y_down() -> None:
    eastward = with_course((-0.5, 0), (0.5, 0))
    assert b.bank_of(eastward, Position(0, -0.3)) == "N"
    assert b.bank_of(eastward, Position(0, 0.3)) == "S"
    westward = with_course((0.5, 0), (-0.5, 0))
    assert b.bank_of(westward, Position(0, -0.3)) == "S"


def test_nobody_lives_on_the_course() -> None:
    assert b.bank_of(with_course((-0.5, 0), (0.5, 0)), Position(0.2, 0)) is None


def test_a_sharp_bend() -> None:
    # Beyond the tip both stretches are equally near, and the second one's line says the wrong hand.
    spike = with_course((-0.3, 0.4), (0.0, -0.2), (0.05, 0.45))
    assert b.bank_of(spike, Position(0.0, -0.4)) == "N"
    assert b.bank_of(spike, Position(-0.02, -0.3)) == "N"
    assert b.bank_of(spike, Position(0.04, -0.21)) == "N"
    assert b.bank_of(spike, Position(-0.05, 0.2)) == "S"


def test_a_point_written_twice_in_a_course() -> None:
    assert b.bank_of(with_course((-0.5, 0), (0, 0), (0, 0), (0.5, 0)), Position(0, -0.1)) == "N"


def test_inlets_and_waters_without_course_part_nothing() -> None:
    inlet = Water("inlet", (Position(0, 0.5), Position(0, 0)))
    unsaid = Water("river", (), left=N, right=S)
    hex_ = Hex(Cell(0, 0), HexId("0101"), "clear", waters=(inlet, unsaid))
    assert b.bank_of(hex_, Position(0.2, 0)) is None
    assert b.bank_names(hex_) == ("N", "S")
    assert b.bank_sides(hex_, "N") == frozenset()


def test_a_site_without_place_has_the_bank_that_it_says() -> None:
    hex_ = with_course((-0.5, 0.1), (0.5, 0.1))
    stated = Site("a", "port", Position(0, 0), ("", ""), bank=S)
    silent = Site("b", "port", Position(0, 0), ("", ""))
    assert b.site_bank(hex_, stated) == "S"
    assert b.site_bank(hex_, silent) is None


@given(st.sampled_from(SIDES), st.sampled_from(SIDES), st.floats(0.1, 0.4), st.floats(0.6, 0.9))
def test_both_banks_together_touch_all_sides(a: Side, c: Side, t: float, u: float) -> None:
    hex_ = with_course(side_point(a, t), (0, 0), side_point(c, u))
    left, right = b.bank_sides(hex_, "N"), b.bank_sides(hex_, "S")
    assert left | right == set(SIDES)
    assert {a, c} <= left & right
    # What one bank alone touches lies on its hand of the course.
    for side in SIDES:
        lies_on = b.bank_of(hex_, side_point(side))
        if side not in (a, c) and lies_on is not None and a != c:
            assert b.touches(hex_, lies_on, side)
            assert (side in left) != (side in right)


def test_in_and_out_by_one_side() -> None:
    first, second = side_point("N", 0.3), side_point("N", 0.7)
    assert b.bank_sides(with_course(first, (0, 0), second), "N") == {"N"}
    assert b.bank_sides(with_course(second, (0, 0), first), "N") == set(SIDES)


def test_a_bank_between_two_waters() -> None:
    upper = Water(
        "river", (Position(-0.45, -0.2), Position(0.45, -0.2)), left=N, right=BankName("C")
    )
    lower = Water("river", (Position(-0.45, 0.2), Position(0.45, 0.2)), left=BankName("C"), right=S)
    hex_ = Hex(Cell(0, 0), HexId("0101"), "clear", waters=(upper, lower))
    assert b.bank_sides(hex_, "C") == {"NW", "SW", "NE", "SE"}
    assert b.bank_sides(hex_, "N") == {"NW", "N", "NE"}
    assert b.bank_of(hex_, Position(0, 0.1)) == "C"


def test_a_course_that_ends_inside_leaves_nothing_known() -> None:
    assert exit_side(Position(0, 0)) is None
    assert b.bank_sides(with_course((-0.45, 0.2), (0, 0)), "N") == frozenset()
    assert b.bank_sides(with_course((-0.45, 0.2), (0.45, 0.2)), "W") == frozenset()


# Hexsides and ways


def test_hexsides_are_the_same_from_both_hexes() -> None:
    hex_map = denmark_map()
    assert b.hexside_kind(hex_map, resolve(hex_map, "B6124"), "S") == "blocked"
    assert b.hexside_kind(hex_map, resolve(hex_map, "F0125"), "N") == "blocked"
    assert b.hexside_kind(hex_map, resolve(hex_map, "F0225"), "NW") == "strait"
    assert b.hexside_kind(hex_map, resolve(hex_map, "F0225"), "N") == "normal"


def test_a_way_crosses_where_both_hexes_have_it() -> None:
    hex_map = read_map(
        '<hex id="0202" terrain="clear"><road from="N" to="centre"/><rail from="S" to="N"/></hex>',
        '<hex id="0201" terrain="clear"><road from="S" to="N"/><rail from="S" to="N"/></hex>',
    )
    here, there = resolve(hex_map, "0202"), resolve(hex_map, "0201")
    assert b.ways_across(hex_map, here, "N") == b.ways_across(hex_map, there, "S")
    assert b.ways_across(hex_map, here, "N") == {"road", "rail"}
    assert b.ways_across(hex_map, here, "S") == frozenset()
    assert b.ways_across(hex_map, Cell(9, 9), "S") == frozenset()


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("N", "centre", {"N"}),
        ("S", "port", {"S"}),
        ("airfield", "port", {"N", "S"}),
        ("nowhere", "unplaced", set()),
        ("NE", "NE", {"S"}),
    ],
)
def test_banks_of_a_way(start: str, end: str, expected: set[str]) -> None:
    hex_ = with_course((-0.45, 0.2), (0.45, 0.2), banks=(Bank(S, frozenset({"NE", "S"})),))
    sites = (
        Site("airfield", "airfield", Position(0, -0.2), ("0", "-0.2")),
        Site("port", "port", Position(0, 0.3), ("0", "0.3")),
        Site("unplaced", "city", Position(0, 0), ("", "")),
    )
    hex_ = Hex(hex_.cell, hex_.written, "clear", waters=hex_.waters, banks=hex_.banks, sites=sites)
    assert b.banks_of_way(hex_, Way("rail", start, end)) == expected
