"""The board picture: its size, its layers, and that everything the document says is on it once."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from lxml import etree

from tests.d_draw import sample
from vmod_tools.draw import ways
from vmod_tools.draw.board import LAYERS, board_svg
from vmod_tools.draw.ground import Ground
from vmod_tools.draw.names import labels, lines_of
from vmod_tools.draw.numbers import number_box, number_place
from vmod_tools.draw.pictograms import SIZE
from vmod_tools.draw.placing import Box
from vmod_tools.draw.shore import shore
from vmod_tools.draw.terrain import DEFAULT, TERRAINS, ground_of
from vmod_tools.draw.water import streams
from vmod_tools.errors import MapError
from vmod_tools.mapdoc import geometry
from vmod_tools.mapdoc.model import SIDES, Cell, Hexside, Sheet, Water, Way

NS = {"s": "http://www.w3.org/2000/svg"}


def parsed(data: bytes) -> etree._Element:
    return etree.fromstring(data)


def found(root: etree._Element, xpath: str) -> list[etree._Element]:
    result = root.xpath(xpath, namespaces=NS)
    assert isinstance(result, list)
    return [item for item in result if isinstance(item, etree._Element)]


def layer(root: etree._Element, name: str) -> etree._Element:
    (group,) = found(root, f"s:g[@id='{name}']")
    return group


@pytest.fixture(scope="module")
def root() -> etree._Element:
    return parsed(board_svg(sample.build()))


def test_size_is_that_of_the_layout_in_plain_numbers(root: etree._Element) -> None:
    layout = geometry.layout(sample.build())
    assert root.get("width") == str(layout.width)
    assert root.get("height") == str(layout.height)
    assert root.get("viewBox") == f"0 0 {layout.width} {layout.height}"


def test_layers_stand_in_order(root: etree._Element) -> None:
    assert [group.get("id") for group in found(root, "s:g")] == list(LAYERS)


def test_same_map_gives_same_bytes_in_any_process() -> None:
    here = Path(__file__).parent
    code = (
        f"import sys; sys.path[:0] = [{str(here.parents[1])!r}]\n"
        "import hashlib; from tests.d_draw import sample; from vmod_tools.draw.board import board_svg\n"
        "print(hashlib.sha256(board_svg(sample.build())).hexdigest())"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(hashes) == 1


def test_nothing_batik_does_not_know(root: etree._Element) -> None:
    text = etree.tostring(root, encoding="unicode")
    assert not found(root, "//s:style | //s:foreignObject | //*[@style] | //*[@class]")
    assert "var(" not in text
    assert "paint-order" not in text
    assert "nan" not in text
    assert "inf " not in text


def test_every_hex_has_its_number(root: etree._Element) -> None:
    board = sample.build()
    ids = [item.get("id") for item in layer(root, "numbers")]
    assert sorted(number for number in ids if number) == sorted(
        f"number-{geometry.hex_name(board, cell)}" for cell in board.hexes
    )


def test_numbers_beyond_the_alphabet_are_text() -> None:
    board = replace(sample.build(), sheets=(Sheet("北", 1, 5, 1, 4, 0, 0),))
    numbers = layer(parsed(board_svg(board)), "numbers")
    assert {item.text for item in numbers} == {
        geometry.hex_name(board, cell) for cell in board.hexes
    }


def test_number_stands_aside_where_something_crosses_the_top() -> None:
    ground = Ground.of(sample.build())
    centred = number_place(ground, Cell(0, 0))[0] - ground.place(Cell(0, 0))[0]
    rail_above = number_place(ground, Cell(1, 1))[0] - ground.place(Cell(1, 1))[0]
    from_above = number_place(ground, Cell(2, 3))[0] - ground.place(Cell(2, 3))[0]
    strait = number_place(ground, Cell(2, 0))[0] - ground.place(Cell(2, 0))[0]
    assert centred == pytest.approx(0)
    assert rail_above == from_above == strait == pytest.approx(-21)


def test_each_hexside_is_drawn_once(root: etree._Element) -> None:
    special = [group.get("id") for group in found(layer(root, "hexsides"), "s:g")]
    assert len(special) == len(set(special)) == 6  # Drava is listed from both sides; one is normal
    segments = [
        frozenset(pair.split(" L"))
        for path in layer(root, "grid")
        for pair in (path.get("d") or "").removeprefix("M").split(" M")
    ]
    assert len(segments) == len(set(segments))
    every = list(Ground.of(sample.build()).sides())
    assert len(segments) + len(special) == len(every) == len(set(every))


def test_all_of_a_map_without_specials_is_outlined() -> None:
    plain = parsed(board_svg(sample.of_hexes({Cell(0, 0): sample.empty(0, 0)})))
    assert sum((path.get("d") or "").count("M") for path in layer(plain, "grid")) == len(SIDES)


def test_names_are_escaped_and_bilingual(root: etree._Element) -> None:
    written = {text.text for text in found(layer(root, "names"), ".//s:text")}
    assert {
        sample.NASTY,
        "エストフォル",
        "Aalborg",
        "オールボー",
        "大橋",
        "Limfjord",
        "Glomma",
    } <= written
    assert b"&lt;&amp;" in board_svg(sample.build())


def test_a_name_shared_in_a_hex_is_written_once(root: etree._Element) -> None:
    texts = [text.text for text in found(layer(root, "names"), ".//s:text[not(@stroke)]")]
    assert texts.count("Aalborg") == 1
    assert texts.count("Glomma") == 1


def test_no_name_overlaps_a_name_a_number_or_a_site() -> None:
    board = sample.build()
    ground = Ground.of(board)
    placed = labels(ground, streams(ground), [])
    for one, other in combinations(placed, 2):
        assert not any(a.overlaps(b) for a in one.boxes for b in other.boxes), (one, other)
    fixed = [number_box(ground, cell) for cell in board.hexes]
    fixed += [
        Box.around(ground.place(cell, site.at), SIZE, SIZE)
        for cell, here in board.hexes.items()
        for site in here.sites
    ]
    assert not any(box.overlaps(b) for label in placed for box in label.boxes for b in fixed)


def test_a_name_without_room_is_left_out() -> None:
    crowd = tuple(
        sample.site("town", x / 10, y / 10, f"Very long name {x} {y} of a very long town")
        for x in range(-3, 4)
        for y in range(-3, 4)
    )
    here = replace(sample.empty(0, 0), sites=crowd, names={"ja": "場所" * 40})
    waters = (Water("river", sample.course("0,-0.5 0,0.5"), "A river with a name " * 9),)
    board = sample.of_hexes({Cell(0, 0): replace(here, waters=waters)})
    ground = Ground.of(board)
    assert len(labels(ground, streams(ground), [])) < 10


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        ({}, ()),
        ({"en": "Oslo"}, ("Oslo",)),
        ({"ja": "オスロ"}, ("オスロ",)),
        ({"en": "Oslo", "ja": "オスロ"}, ("Oslo", "オスロ")),
        ({"en": "Oslo", "ja": "Oslo"}, ("Oslo",)),
        ({"de": "Aalburg", "ja": ""}, ("Aalburg",)),
    ],
)
def test_lines_of_a_name(names: dict[str, str], lines: tuple[str, ...]) -> None:
    assert lines_of(names) == lines


def test_unknown_terrain_is_plain_ground(root: etree._Element) -> None:
    assert ground_of("moonscape") is DEFAULT
    assert ground_of(" Forest ") is TERRAINS["forest"]
    assert found(layer(root, "terrain"), f"s:path[@fill='{DEFAULT.fill}']")


def test_blank_neighbours_are_neither_sea_nor_outlined() -> None:
    lone = sample.of_hexes({Cell(0, 0): sample.empty(0, 0, "sea"), Cell(2, 0): sample.empty(2, 0)})
    assert shore(Ground.of(lone)).lines == ()


def test_coast_of_an_island_is_one_closed_line() -> None:
    cells = [Cell(c, r) for c in range(5) for r in range(4)]
    board = sample.of_hexes(
        {cell: sample.empty(*cell, "clear" if cell == Cell(2, 1) else "sea") for cell in cells}
    )
    (line,) = shore(Ground.of(board)).lines
    assert line[0].start == line[-1].end
    assert len(line) == 3 * len(SIDES)


def test_coast_is_the_same_curve_from_both_hexes() -> None:
    coast = shore(Ground.of(sample.build()))
    border = coast.borders[Cell(1, 0), "S"]
    assert [piece.turned() for piece in reversed(border)] == coast.borders[Cell(1, 1), "N"]


def test_courses_join_across_hexsides_and_keep_the_name() -> None:
    ground = Ground.of(sample.build())
    oslofjord = [stream for stream in streams(ground) if stream.kind == "strait"]
    assert [(stream.name, len(stream.points)) for stream in oslofjord] == [("Oslofjord", 6)]


def test_water_opens_to_the_sea_and_inlets_end_inside() -> None:
    by_name = {stream.name: stream for stream in streams(Ground.of(sample.build()))}
    assert by_name["Limfjord"].opens == (True, False)
    assert by_name["Vik"].opens == (True, False)
    assert by_name["Vik"].inside == (False, True)


def test_water_may_open_at_its_end_and_a_course_of_one_point_is_no_water() -> None:
    flows = replace(
        sample.empty(0, 1),
        waters=(
            Water("river", sample.course("0,0.1 0,-0.5")),
            Water("inlet", sample.course("0,0")),
        ),
    )
    board = sample.of_hexes({Cell(0, 0): sample.empty(0, 0, "sea"), Cell(0, 1): flows})
    (stream,) = streams(Ground.of(board))
    assert stream.opens == (False, True)
    assert stream.inside == (True, False)
    assert board_svg(board)


def tracks_of(*way: Way, hexsides: tuple[Hexside, ...] = ()) -> list[ways.Track]:
    waters = (Water("river", sample.course("-0.433,-0.25 0,0 0.433,0.25")),)
    board = sample.of_hexes(
        {Cell(0, 0): replace(sample.empty(0, 0), waters=waters, ways=way)}, hexsides
    )
    ground = Ground.of(board)
    return ways.tracks(ground, streams(ground))


def test_bridge_stands_where_the_way_crosses_the_water() -> None:
    (track,) = tracks_of(Way("rail", "S", "N", bridge=True))
    ((middle, _, half),) = track.bridges
    assert middle == pytest.approx(
        Ground.of(sample.of_hexes({Cell(0, 0): sample.empty(0, 0)})).place(Cell(0, 0))
    )
    assert half > 0
    assert len(track.parts) == 1


def test_way_without_a_bridge_stops_at_the_water() -> None:
    (track,) = tracks_of(Way("road", "S", "N"))
    assert len(track.parts) == 2
    assert track.bridges == ()


def test_bridge_over_a_hexside() -> None:
    wet = (Hexside(Cell(0, 0), "S", "river"), Hexside(Cell(0, 0), "SW", "blocked"))
    (over, _) = tracks_of(
        Way("road", "SW", "S", bridge=True), Way("road", "centre", "S"), hexsides=wet
    )
    assert len(over.bridges) == 1


def test_small_hexes_keep_type_that_can_be_read() -> None:
    board = sample.build()
    small = replace(board, grid=replace(board.grid, pitch=40))
    sizes = found(parsed(board_svg(small)), "//*[@font-size]")
    assert min(float(item.get("font-size") or 0) for item in sizes) >= 6


def test_map_without_hexes_is_refused() -> None:
    with pytest.raises(MapError):
        board_svg(sample.of_hexes({}))
