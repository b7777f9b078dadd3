"""The JSON form: small maps with as little as possible, errors by pointer, and the way to XML and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.c_maps.samples import denmark, one_map
from vmod_tools.errors import MapError
from vmod_tools.mapdoc import banks
from vmod_tools.mapdoc.geometry import resolve
from vmod_tools.mapdoc.jsonform import document_from_json, document_to_json
from vmod_tools.mapdoc.model import Cell, Grid, MapDocument, Position, Sheet
from vmod_tools.mapdoc.problems import MapDocumentError
from vmod_tools.mapdoc.reading import read_document
from vmod_tools.mapdoc.writing import write_document

LINKED = one_map(
    '<hex id="0101" terrain="sea"><site id="s" kind="k" x="0.50" y="-0.10"/></hex>',
    links='<link from="main:0101" to="main:0101" hexside="N"/>',
)


def through_json(document: MapDocument) -> MapDocument:
    return document_from_json(json.loads(json.dumps(document_to_json(document))))


@pytest.mark.parametrize("document", [denmark(), read_document(LINKED)], ids=["denmark", "linked"])
def test_there_and_back(document: MapDocument) -> None:
    again = through_json(document)
    assert again == document
    assert write_document(again) == write_document(document)
    assert document_to_json(again) == document_to_json(document)


def test_the_names_are_those_of_the_xml() -> None:
    form: Any = document_to_json(denmark())
    (only,) = form["maps"]
    assert (form["id"], form["game"], only["id"]) == ("weu-denmark", "weu", "main")
    assert only["grid"] == {"pushed": "even", "pitch": 120}
    assert only["sheets"][1] == {
        "id": "F",
        "columns": "1-61",
        "rows": "1-33",
        "col0": 60,
        "row0": 0,
    }
    assert only["georeference"]["km-per-hex"] == 34.0
    aalborg = only["hexes"][0]
    assert aalborg["waters"] == [
        {
            "kind": "river",
            "name": "Limfjord",
            "left": "N",
            "right": "S",
            "course": [[-0.5, 0.13], [0.1, -0.05], [0.5, -0.13]],
        }
    ]
    assert aalborg["sites"][1] == {
        "id": "aalborg-port",
        "kind": "port",
        "bank": "S",
        "x": 0.05,
        "y": 0.21,
        "names": {"en": "Aalborg"},
    }
    assert aalborg["ways"] == [{"kind": "rail", "from": "S", "to": "N", "bridge": True}]
    assert only["hexsides"][0] == {"of": "B6124", "side": "S", "kind": "blocked"}


def test_a_spelling_that_a_number_would_lose_stays_text() -> None:
    form: Any = document_to_json(read_document(LINKED))
    assert form["maps"][0]["hexes"][0]["sites"][0] == {
        "id": "s",
        "kind": "k",
        "x": "0.50",
        "y": "-0.10",
    }


# Small maps


def test_hexes_are_enough() -> None:
    document = document_from_json({"hexes": [{"id": "0101"}, {"id": "0201"}]})
    (only,) = document.maps
    assert (document.id, document.game, only.id) == ("inline", "", "main")
    assert only.grid == Grid(120, "even")
    assert only.sheets == (Sheet("", 1, 99, 1, 99, 0, 0),)
    assert {hex_.terrain for hex_ in only.hexes.values()} == {"clear"}
    assert through_json(document) == document


def test_the_default_sheet_is_named_like_the_first_hex() -> None:
    document = document_from_json({"maps": [{"hexes": [{"id": "G5421"}]}]})
    assert resolve(document.maps[0], "G5421") == Cell(53, 20)


def test_a_full_map_in_the_short_shape() -> None:
    document = document_from_json(
        {
            "id": "doc",
            "game": "weu",
            "map": "op",
            "titles": {"en": "Oslo"},
            "grid": {"kind": "hex", "columns": "vertical", "pushed": "odd", "pitch": 60},
            "sheets": [{"id": "B", "rows": "1-33"}, {"id": "F", "col0": 60, "row0": 0}],
            "hexes": [{"id": "F0125", "names": {"ja": "フォルネブ"}}],
            "hexsides": [{"of": "B6125", "side": "N", "kind": "blocked", "name": "x"}],
        }
    )
    (only,) = document.maps
    assert (document.id, document.game, only.id) == ("doc", "weu", "op")
    assert only.grid == Grid(60, "odd")
    assert only.titles == {"en": "Oslo"}
    assert only.hexsides[0].cell == Cell(60, 24)


def test_a_site_without_place_believes_its_bank() -> None:
    course = [[-0.45, 0.2], [0.45, 0.2]]
    document = document_from_json(
        {
            "hexes": [
                {
                    "id": "0101",
                    "waters": [{"kind": "river", "left": "N", "right": "S", "course": course}],
                    "sites": [{"id": "p", "kind": "port", "bank": "S"}],
                }
            ]
        }
    )
    hex_ = document.maps[0].hexes[Cell(0, 0)]
    assert banks.site_bank(hex_, hex_.sites[0]) == "S"
    assert hex_.sites[0].at == Position(0, 0)
    assert through_json(document) == document


def test_a_strait_may_have_banks_for_a_course() -> None:
    document = document_from_json(
        {
            "hexes": [
                {
                    "id": "F0125",
                    "waters": [{"kind": "strait"}],
                    "banks": [{"id": "W", "sides": ["NE", "N"]}, {"id": "E", "sides": ["SE"]}],
                }
            ]
        }
    )
    hex_ = document.maps[0].hexes[Cell(0, 24)]
    assert banks.touches(hex_, "W", "NE")
    assert not banks.touches(hex_, "E", "NE")


def test_a_small_map_is_a_cut_out() -> None:
    document = document_from_json(
        {
            "hexes": [
                {"id": "0101", "ways": [{"kind": "road", "from": "N", "to": "S"}]},
                {"id": "0102", "sites": [{"id": "p", "kind": "port"}]},
            ]
        }
    )
    assert len(document.maps[0].hexes) == 2


# Errors


def hexes(**members: object) -> dict[str, object]:
    return {"hexes": [{"id": "0102"}, {"id": "0101", **members}]}


@pytest.mark.parametrize(
    ("obj", "place", "words"),
    [
        ([], "", "[] is not an object"),
        ({}, "", "'hexes' is missing"),
        ({"hexes": []}, "/hexes", "there is no hex"),
        ({"maps": []}, "/maps", "there is no map"),
        ({"maps": {}}, "/maps", "{} is not an array"),
        ({"maps": [{"hexes": [{}]}]}, "/maps/0/hexes/0", "'id' is missing"),
        ({"hexes": [], "a/b~": 1}, "/a~1b~0", "'a/b~' is not known here"),
        ({"hexes": [{"id": "0101"}], "grid": {"pitch": True}}, "/grid/pitch", "not a number"),
        ({"hexes": [{"id": "0101"}], "grid": {"pitch": 10.5}}, "/grid/pitch", "from 8 to 2000"),
        ({"hexes": [{"id": "0101"}], "grid": {"pitch": 10**400}}, "/grid/pitch", "of this size"),
        ({"hexes": [{"id": "0101"}], "grid": {"pitch": float("nan")}}, "/grid/pitch", "of this size"),
        ({"hexes": [{"id": "0101"}], "grid": {"kind": "square"}}, "/grid/kind", "one of hex"),
        ({"hexes": [{"id": "0101"}], "sheets": [{"columns": "1"}]}, "/sheets/0/columns", "a range"),
        ({"hexes": [{"id": "0101"}], "sheets": [{"id": "-"}]}, "/sheets/0/id", "a sheet id"),
        ({"hexes": [{"id": "0101"}], "titles": {"?": "x"}}, "/titles/?", "a language tag"),
        ({"hexes": [{"id": "0101"}], "titles": {"en": " "}}, "/titles/en", "a name"),
        ({"hexes": [{"id": "0101"}], "titles": {"en": "\x00"}}, "/titles/en", "a name"),
        ({"hexes": [{"id": "0101"}], "hexsides": [{"of": "0101", "side": "W", "kind": "river"}]}, "/hexsides/0/side", "one of N, NE"),
        ({"maps": [{"hexes": [{"id": "0101"}]}], "links": [{"from": "0101", "to": "a:0101"}]}, "/links/0/from", "op:2420"),
        (hexes(id="x"), "/hexes/1/id", "'x' is not a hex id"),
        (hexes(id=["x" * 99]), "/hexes/1/id", "…"),
        (hexes(terrain="very rough"), "/hexes/1/terrain", "a word without spaces"),
        (hexes(waters=[{"kind": "inlet", "left": "N"}]), "/hexes/1/waters/0/left", "parts nothing"),
        (hexes(waters=[{"kind": "river", "course": [[0, 0.5]]}]), "/hexes/1/waters/0/course", "two points"),
        (hexes(waters=[{"kind": "river", "course": [[0]]}]), "/hexes/1/waters/0/course/0", "[x, y]"),
        (hexes(banks=[{"id": "NS"}]), "/hexes/1/banks/0/id", "a bank"),
        (hexes(sites=[{"id": "N", "kind": "k"}]), "/hexes/1/sites/0/id", "a site id"),
        (hexes(sites=[{"id": "s", "kind": "k", "x": 1}]), "/hexes/1/sites/0", "both x and y"),
        (hexes(sites=[{"id": "s", "kind": "k", "x": "a", "y": 0}]), "/hexes/1/sites/0/x", "a decimal"),
        (hexes(ways=[{"kind": "road", "from": "N", "to": "S", "bridge": 1}]), "/hexes/1/ways/0/bridge", "true or false"),
    ],
)  # fmt: skip
def test_no_map_of_ours(obj: object, place: str, words: str) -> None:
    with pytest.raises(MapError) as caught:
        document_from_json(obj, where="")
    error = caught.value
    assert (error.stable_code, error.place) == ("MAP_JSON", place)
    assert words in error.message


COURSE = {"kind": "river", "left": "N", "right": "S", "course": [[-0.45, 0.2], [0.45, 0.2]]}


@pytest.mark.parametrize(
    ("obj", "code", "place"),
    [
        (hexes(id="0102"), "MAP_DUPLICATE_ID", "/map/hexes/1"),
        (hexes(id="B0101"), "HEX_UNKNOWN", "/map/hexes/1"),
        (hexes(sites=[{"id": "s", "kind": "k", "bank": "N"}]), "BANK_UNKNOWN", "/map/hexes/1/sites/0"),
        (hexes(sites=[{"id": "s", "kind": "k", "x": 0.6, "y": 0}]), "SITE_OUTSIDE_HEX", "/map/hexes/1/sites/0"),
        (
            hexes(waters=[COURSE], sites=[{"id": "s", "kind": "k", "bank": "S", "x": 0, "y": 0}]),
            "SITE_BANK_CONTRADICTS_COURSE",
            "/map/hexes/1/sites/0",
        ),
        (hexes(waters=[{"kind": "strait"}]), "STRAIT_WITHOUT_BANKS", "/map/hexes/1/waters/0"),
        (
            hexes(waters=[{"kind": "strait", "left": "N", "right": "S"}]),
            "STRAIT_WITHOUT_BANKS",
            "/map/hexes/1/waters/0",
        ),
        (hexes(ways=[{"kind": "rail", "from": "N", "to": "x"}]), "WAY_TO_NOWHERE", "/map/hexes/1/ways/0"),
        (
            {"hexes": [{"id": "0101"}], "hexsides": [{"of": "B0101", "side": "N", "kind": "river"}]},
            "HEX_UNKNOWN",
            "/map/hexsides/0",
        ),
        (
            {"maps": [{"hexes": [{"id": "0101"}]}], "links": [{"from": "a:0101", "to": "main:0101"}]},
            "MAP_UNKNOWN",
            "/map/links/0",
        ),
        (
            {"hexes": [{"id": "0101"}], "sheets": [{"id": ""}, {"id": ""}]},
            "MAP_DUPLICATE_ID",
            "/map/sheets/1",
        ),
        ({"maps": [{"hexes": [{"id": "0101"}]}] * 2}, "MAP_DUPLICATE_ID", "/map/maps/1"),
    ],
)  # fmt: skip
def test_a_map_that_contradicts_itself(obj: object, code: str, place: str) -> None:
    with pytest.raises(MapDocumentError) as caught:
        document_from_json(obj)
    assert (caught.value.stable_code, caught.value.place) == (code, place)


def test_bornholm_has_no_northern_bank() -> None:
    """combat-weu.md A-t19."""
    with pytest.raises(MapDocumentError, match="the hex has the banks C, SW"):
        document_from_json(
            {
                "hexes": [
                    {
                        "id": "C5808",
                        "banks": [{"id": "C"}, {"id": "SW", "sides": ["S", "SW"]}],
                        "sites": [{"id": "ronne-port", "kind": "port", "bank": "N"}],
                    }
                ]
            }
        )


def test_all_problems_in_document_order() -> None:
    sites = [{"id": "a", "kind": "k", "bank": "N"}, {"id": "a", "kind": "k"}]
    with pytest.raises(MapDocumentError) as caught:
        document_from_json(
            {**hexes(sites=sites), "hexsides": [{"of": "0909", "side": "N", "kind": "river"}]}
        )
    assert [error.place for error in caught.value.problems] == [
        "/map/hexes/1/sites/0",
        "/map/hexes/1/sites/1",
        "/map/hexsides/0",
    ]


def nodes(value: Any) -> list[tuple[Any, Any]]:
    """All places of a JSON value, as a container and a key."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    places = [(value, key) for key in keys]
    below = [nodes(value[key]) for key in keys if isinstance(value[key], dict | list)]
    return [*places, *(place for part in below for place in part)]


JUNK: st.SearchStrategy[object] = st.sampled_from(
    [None, True, -1, 0.5, 1e300, "", "N", "0101", "\ud800", [], [[]], {}, {"a": 1}]
)


@given(st.integers(0, 400), JUNK)
def test_junk_anywhere_is_a_map_error_or_a_map(index: int, junk: object) -> None:
    form = document_to_json(denmark())
    places = nodes(form)
    container, key = places[index % len(places)]
    container[key] = junk
    refused, document = None, None
    try:
        document = document_from_json(form)
    except MapError as error:
        refused = error
    assert refused is None or refused.place.startswith("/map")
    assert document is None or through_json(document) == document
