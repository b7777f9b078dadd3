"""Counters, markers and site symbols."""

from __future__ import annotations

import pytest
from lxml import etree

from vmod_tools.draw import nato, pictograms, svg
from vmod_tools.draw.counters import SITE_SIZE, UNIT_SIZE, marker_svg, site_svg, unit_counter_svg
from vmod_tools.draw.palette import NAMED, Colours, luminance, mixed

GREY = NAMED["grey"]


def texts(data: bytes) -> list[str]:
    root = etree.fromstring(data)
    return [item.text or "" for item in root.iter(f"{{{svg.NAMESPACE}}}text")]


@pytest.mark.parametrize("unit_class", [*nato.SYMBOLS, *nato.ALIASES, "militia", ""])
def test_unit_counters_are_54_px_with_all_they_were_given(unit_class: str) -> None:
    data = unit_counter_svg(unit_class, GREY, "4-6", "XX", "Geb 3")
    root = etree.fromstring(data)
    assert (root.get("width"), root.get("height")) == (str(UNIT_SIZE), str(UNIT_SIZE))
    assert {"4-6", "XX", "Geb 3"} <= set(texts(data))
    assert data == unit_counter_svg(unit_class, GREY, "4-6", "XX", "Geb 3")


def test_classes_look_different() -> None:
    pictures = {unit_counter_svg(name, GREY, "", "", "") for name in nato.SYMBOLS}
    assert len(pictures) == len(nato.SYMBOLS)
    assert nato.symbol("Armor") == nato.SYMBOLS["armour"]


def test_unknown_class_shows_its_first_letters() -> None:
    assert texts(unit_counter_svg("militia", GREY, "", "", "")) == ["MIL"]
    assert texts(unit_counter_svg("", GREY, "", "", "")) == []


def test_text_is_escaped_and_cleaned() -> None:
    data = unit_counter_svg("infantry", GREY, '<&"', "", "a\x00b")
    assert b"&lt;&amp;" in data
    assert texts(data) == ['<&"', "a\ufffdb"]


def test_long_names_are_set_smaller_and_then_cut() -> None:
    name = texts(unit_counter_svg("infantry", GREY, "", "", "5th Guards Mechanized Corps"))[0]
    assert name.endswith("…")
    assert svg.text_width(name, 5.0) <= 47


def test_cut_never_leaves_more_than_fits() -> None:
    assert svg.cut("abc", 10, 100) == "abc"
    assert svg.cut("abcdef", 10, 25) == "ab…"
    assert svg.cut("WWW", 10, 1) == ""


@pytest.mark.parametrize(
    ("text", "symbol"), [("CC", ""), ("支配", ""), ("Allied", "airfield"), ("", "port")]
)
def test_markers(text: str, symbol: str) -> None:
    data = marker_svg(text, NAMED["white"], symbol=symbol)
    assert texts(data) == ([text] if text else [])
    assert etree.fromstring(data).get("width") == str(UNIT_SIZE)


@pytest.mark.parametrize("kind", [*pictograms.PICTOGRAMS, "shrine"])
def test_site_symbols_are_22_px_with_a_white_halo_below(kind: str) -> None:
    root = etree.fromstring(site_svg(kind))
    assert (root.get("width"), root.get("height")) == (str(SITE_SIZE), str(SITE_SIZE))
    strokes = [path.get("stroke") for path in root.iter(f"{{{svg.NAMESPACE}}}path")]
    assert strokes[0] == "#ffffff"


def test_airfield_and_airport_are_the_same_and_unknown_kinds_the_default() -> None:
    assert site_svg("airfield") == site_svg("Airport")
    assert site_svg("shrine") == site_svg("henge")
    others = {kind for kind in pictograms.PICTOGRAMS if kind != "airport"}
    assert len({site_svg(kind) for kind in others}) == len(others)


def test_writing_contrasts_with_the_face() -> None:
    for name, colours in NAMED.items():
        light, dark = sorted((luminance(colours.face), luminance(colours.ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, name
    assert Colours.of("#101010").ink == "#ffffff"
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"
