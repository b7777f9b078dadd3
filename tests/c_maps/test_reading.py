"""Reading: the sketch of design.md section 4, refusals with their line, and all problems of a document."""

from __future__ import annotations

import pytest

from tests.c_maps.samples import DENMARK, denmark, one_map, read_map
from vmod_tools.errors import MapError
from vmod_tools.mapdoc.checks import check_document
from vmod_tools.mapdoc.model import Cell, Georeference, Grid, Hexside, Link, Position, Sheet
from vmod_tools.mapdoc.problems import MapDocumentError
from vmod_tools.mapdoc.reading import read_document


def test_the_sketch() -> None:
    document = denmark()
    (hex_map,) = document.maps
    assert (document.id, document.game, document.links) == ("weu-denmark", "weu", ())
    assert document.source == DENMARK.encode()
    assert hex_map.titles["ja"] == "デンマークとスカゲラク"
    assert hex_map.grid == Grid(120, "even")
    assert hex_map.georeference == Georeference("aeqd", 57.5, 11.5, 34.0, 324.0, 57.197, 31.931)
    assert hex_map.sheets[1] == Sheet("F", 1, 61, 1, 33, 60, 0)
    aalborg = hex_map.hexes[Cell(53, 30)]
    assert (aalborg.written, aalborg.line) == ("B5431", 11)
    assert aalborg.waters[0].course[1] == Position(0.1, -0.05)
    airfield = aalborg.sites[0]
    assert (airfield.at, airfield.xy_text) == (Position(0.12, -0.27), ("0.12", "-0.27"))
    assert dict(airfield.names) == {"en": "Aalborg", "ja": "オールボー"}
    assert aalborg.ways[0].bridge
    assert hex_map.hexes[Cell(60, 24)].written == "F0125"
    assert hex_map.hexes[Cell(60, 24)].names == {"en": "Oslofjord"}
    assert hex_map.hexsides[1] == Hexside(Cell(60, 24), "SE", "strait", "Oslofjord")
    assert check_document(document) == []


def test_comments_and_white_space_are_passed_over() -> None:
    hex_map = read_map(
        "<!-- a\n comment --><?pi?>",
        '<hex id=" 0101 " terrain="clear"><name> A <!-- x -->\n B </name>',
        '<site id="s" kind="k" x=" 0.10 " y="0"/></hex>',
    )
    hex_ = hex_map.hexes[Cell(0, 0)]
    assert hex_.names == {"en": "A B"}
    assert hex_.sites[0].xy_text == ("0.10", "0")
    assert hex_.line == 6


def test_links_between_maps() -> None:
    first = one_map('<hex id="0101" terrain="clear"/>').decode()
    second = first[first.index("<map ") : first.index("</maps>")].replace("main", "city")
    links = (
        '<link from="main:0101" to="city:0101" hexside="N"/><link from="main:0101" to="city:0101"/>'
    )
    document = read_document(first.replace("</maps>", second + links + "</maps>").encode())
    assert document.links == (
        Link("main:0101", "city:0101", "N"),
        Link("main:0101", "city:0101"),
    )


# Refusals before the content is looked at


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        (b"", "MAP_XML", "line 1"),
        (b"<maps>\n<map></maps>", "MAP_XML", "line 2"),
        (b"<maps>\n&nbsp;</maps>", "MAP_XML", "line 2"),
        (b"\xff\xfe\x00", "MAP_XML", "line 1"),
        (b"<!-- a\n-->\n<!DOCTYPE maps><maps/>", "MAP_DOCTYPE", "line 3"),
        (
            b'\xef\xbb\xbf<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><m>&a;</m>',
            "MAP_DOCTYPE",
            "line 1",
        ),
        ("<!DOCTYPE maps><maps/>".encode("utf-16"), "MAP_DOCTYPE", ""),
        (b"<maps/>", "MAP_SCHEMA", "line 1"),
    ],
)
def test_no_map_document(data: bytes, code: str, place: str) -> None:
    with pytest.raises(MapError) as caught:
        read_document(data, "some.xml")
    error = caught.value
    assert (error.stable_code, error.place, error.file) == (code, place, "some.xml")


# One problem each; the first child is in line 4.

RIVER = '<water kind="river" left="N" right="S" course="-0.45,0.2 0.45,0.2"/>'
STRAIT = '<water kind="strait" course="-0.45,0.2 0.45,0.2"/>'


@pytest.mark.parametrize(
    ("code", "children", "line", "words"),
    [
        (
            "MAP_DUPLICATE_ID",
            ['<hex id="0101" terrain="a"/>', '<hex id="0101" terrain="a"/>'],
            5,
            "0101",
        ),
        (
            "MAP_DUPLICATE_ID",
            [
                '<hex id="0101" terrain="a"><site id="s" kind="k" x="0" y="0"/>',
                '<site id="s" kind="k" x="0" y="0"/></hex>',
            ],
            5,
            "site 's' of 0101 is in 0101 too",
        ),
        (
            "MAP_DUPLICATE_ID",
            ['<hex id="0101" terrain="a"><bank id="SW"/>', '<bank id="WS"/></hex>'],
            5,
            "lists bank WS twice",
        ),
        (
            "MAP_DUPLICATE_ID",
            ['<hex id="0101" terrain="a"><name>A</name>', '<name xml:lang="en">B</name></hex>'],
            5,
            "two <name> in the language 'en'",
        ),
        ("HEX_UNKNOWN", ['<hex id="0121" terrain="a"/>'], 4, "'0121' is no hex of map 'main'"),
        (
            "HEX_UNKNOWN",
            ['<hex id="0101" terrain="a"/>', '<hexside of="2101" side="N" kind="river"/>'],
            5,
            "'2101' is no hex",
        ),
        (
            "HEX_UNKNOWN",
            ['<hex id="0101" terrain="a"/>', '<hexside of="0505" side="N" kind="river"/>'],
            5,
            "hexside N of 0505 is not at a hex of the map",
        ),
        (
            "SITE_OUTSIDE_HEX",
            ['<hex id="0101" terrain="a">', '<site id="s" kind="k" x="0" y="0.51"/></hex>'],
            5,
            "at 0,0.51 is outside",
        ),
        (
            "SITE_OUTSIDE_HEX",
            ['<hex id="0102" terrain="a">', '<site id="s" kind="k" x="0" y="-0.5"/></hex>'],
            5,
            "its pixel is in the next hex",
        ),
        (
            "SITE_BANK_CONTRADICTS_COURSE",
            [
                f'<hex id="0101" terrain="a">{RIVER}',
                '<site id="s" kind="k" bank="S" x="0" y="0"/></hex>',
            ],
            5,
            "says bank S, but lies on bank N",
        ),
        (
            "BANK_UNKNOWN",
            [
                f'<hex id="0101" terrain="a">{RIVER}',
                '<site id="s" kind="k" bank="E" x="0" y="0"/></hex>',
            ],
            5,
            "the hex has the banks N, S",
        ),
        (
            "BANK_UNKNOWN",
            ['<hex id="0101" terrain="a">', '<site id="s" kind="k" bank="E" x="0" y="0"/></hex>'],
            5,
            "the hex has no banks",
        ),
        (
            "HEXSIDE_TWICE",
            [
                '<hex id="0101" terrain="a"/>',
                '<hexside of="0101" side="S" kind="river"/>',
                '<hexside of="0102" side="N" kind="blocked"/>',
            ],
            6,
            "hexside N of 0102 is blocked and river",
        ),
        (
            "COURSE_END",
            ['<hex id="0101" terrain="a">', RIVER.replace("-0.45,0.2", "0,0"), "</hex>"],
            5,
            "ends at 0,0",
        ),
        (
            "COURSE_END",
            ['<hex id="0101" terrain="a">', RIVER.replace("-0.45,0.2", "-0.57,0"), "</hex>"],
            5,
            "at a corner",
        ),
        (
            "COURSE_OUTSIDE_HEX",
            ['<hex id="0101" terrain="a">', RIVER.replace(" 0.45", " 0,0.6 0.45"), "</hex>"],
            5,
            "leaves its hexagon",
        ),
        (
            "BANKS_ALIKE",
            ['<hex id="0101" terrain="a">', RIVER.replace('"S"', '"N"'), "</hex>"],
            5,
            "bank N on both hands",
        ),
        (
            "STRAIT_WITHOUT_BANKS",
            ['<hex id="0101" terrain="a"><bank id="N"/><bank id="S"/>', STRAIT, "</hex>"],
            5,
            "does not name the banks",
        ),
        (
            "WATER_STOPS",
            [
                '<hex id="0201" terrain="a"/>',
                f'<hex id="0102" terrain="a">{RIVER}</hex>',
                '<hex id="0202" terrain="a"/>',
            ],
            5,
            "river of 0102 stops at its side SE: no water in 0202",
        ),
        (
            "WAY_TO_NOWHERE",
            [
                '<hex id="0102" terrain="a"/>',
                '<hex id="0101" terrain="a">',
                '<road from="N" to="S"/></hex>',
            ],
            6,
            "road of 0101 stops at its side S: none in 0102",
        ),
        (
            "WAY_TO_NOWHERE",
            ['<hex id="0101" terrain="a">', '<road from="N" to="port"/></hex>'],
            5,
            "ends at 'port'",
        ),
        (
            "PORT_WITHOUT_WATER",
            ['<hex id="0101" terrain="a">', '<site id="s" kind="port" x="0" y="0"/></hex>'],
            5,
            "no water, no coast and no sea",
        ),
    ],
)
def test_one_problem(code: str, children: list[str], line: int, words: str) -> None:
    with pytest.raises(MapDocumentError) as caught:
        read_document(one_map(*children))
    error = caught.value
    assert (error.stable_code, error.place, error.file) == (code, f"line {line}", "map.xml")
    assert words in error.message
    assert len(error.problems) == 1
    assert str(error).startswith(f"map.xml:line {line}: ")
    assert str(error).endswith(f"[{code}]")


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('id="F" columns', 'id="B" columns', "MAP_DUPLICATE_ID", 9),
        ('<sheet id="C" columns="1-61" rows="1-33"', '<sheet id="C" columns="61-1" rows="1-33"', "SHEET_RANGE", 10),
        ('id="aalborg-port"', 'id="aalborg-airfield"', "MAP_DUPLICATE_ID", 17),
        ('<hex id="F0225"', '<hex id="B6125"', "MAP_DUPLICATE_ID", 32),
        ("</maps>", '<link from="main:B0101" to="main:B5431"/></maps>', "HEX_UNKNOWN", 41),
        ("</maps>", '<link from="main:Z0101" to="main:B5431"/></maps>', "HEX_UNKNOWN", 41),
        ("</maps>", '<link from="op:B5431" to="main:B5431"/></maps>', "MAP_UNKNOWN", 41),
        (
            "</maps>",
            '<map id="main"><grid kind="hex" columns="vertical" pushed="odd" pitch="60"/>'
            '<sheet id="" columns="1-9" rows="1-9" col0="0" row0="0"/><hex id="0101" terrain="a"/></map></maps>',
            "MAP_DUPLICATE_ID",
            41,
        ),
    ],
)  # fmt: skip
def test_problems_of_a_whole_document(old: str, new: str, code: str, line: int) -> None:
    with pytest.raises(MapDocumentError) as caught:
        read_document(DENMARK.replace(old, new, 1).encode())
    error = caught.value.problems[0]
    assert (error.stable_code, error.place) == (code, f"line {line}")


def test_a_site_on_the_wrong_bank_in_denmark() -> None:
    text = DENMARK.replace('kind="airfield" bank="N"', 'kind="airfield" bank="S"')
    with pytest.raises(MapError) as caught:
        read_document(text.encode(), "maps/weu-denmark/map.xml")
    assert str(caught.value) == (
        "maps/weu-denmark/map.xml:line 13: site 'aalborg-airfield' of B5431 says bank S,"
        " but lies on bank N of the course [SITE_BANK_CONTRADICTS_COURSE]"
    )


def test_all_problems_are_found_in_order() -> None:
    with pytest.raises(MapDocumentError) as caught:
        read_document(
            one_map(
                '<hex id="9999" terrain="a"/>',
                '<hex id="0101" terrain="a"><site id="s" kind="port" bank="N" x="0" y="0.6"/>',
                '<rail from="x" to="y"/></hex>',
            )
        )
    error = caught.value
    assert error.message.endswith("(and 5 more)")
    assert [(each.stable_code, each.place) for each in error.problems] == [
        ("HEX_UNKNOWN", "line 4"),
        ("SITE_OUTSIDE_HEX", "line 5"),
        ("BANK_UNKNOWN", "line 5"),
        ("PORT_WITHOUT_WATER", "line 5"),
        ("WAY_TO_NOWHERE", "line 6"),
        ("WAY_TO_NOWHERE", "line 6"),
    ]
    assert all(each.file == "map.xml" for each in error.problems)


# What is no problem


@pytest.mark.parametrize(
    "next_door",
    [
        '<hex id="0202" terrain="sea"/>',
        '<hex id="0202" terrain="a"><water kind="inlet" course="-0.45,-0.2 0,0"/></hex>',
        '<hex id="0202" terrain="a"/><hexside of="0202" side="NW" kind="river"/>',
        '<hex id="0101" terrain="a"/>',
    ],
)
def test_water_may_run_on_into(next_door: str) -> None:
    assert read_map(f'<hex id="0102" terrain="a">{RIVER}</hex>', next_door).hexes


@pytest.mark.parametrize(
    "children",
    [
        [f'<hex id="0101" terrain="a">{RIVER}%s</hex>'],
        ['<hex id="0101" terrain="a"><bank id="S"/>%s</hex>'],
        ['<hex id="0101" terrain="lake">%s</hex>'],
        ['<hex id="0101" terrain="a">%s</hex>', '<hex id="0102" terrain="sea"/>'],
        ['<hex id="0101" terrain="a">%s</hex>', '<hexside of="0101" side="S" kind="strait"/>'],
    ],
)
def test_a_port_is_content_with(children: list[str]) -> None:
    site = '<site id="s" kind="port" x="0" y="0"/>'
    assert read_map(*(child.replace("%s", site) for child in children)).hexes


def test_a_hexside_may_be_listed_from_both_hexes() -> None:
    hex_map = read_map(
        '<hex id="0101" terrain="a"/>',
        '<hexside of="0101" side="S" kind="river"/>',
        '<hexside of="0102" side="N" kind="river"/>',
    )
    assert len(hex_map.hexsides) == 2


def test_a_way_that_both_hexes_have() -> None:
    assert read_map(
        '<hex id="0101" terrain="a"><road from="N" to="S"/></hex>',
        '<hex id="0102" terrain="a"><road from="N" to="centre"/></hex>',
    ).hexes


def test_a_site_on_the_course_may_say_either_bank() -> None:
    assert read_map(
        f'<hex id="0101" terrain="a">{RIVER}<site id="s" kind="k" bank="S" x="0" y="0.2"/></hex>'
    ).hexes
