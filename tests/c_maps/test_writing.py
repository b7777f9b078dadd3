"""Canonical XML: the same document, the same bytes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.c_maps.samples import DENMARK, denmark, one_map
from vmod_tools.mapdoc.reading import read_document
from vmod_tools.mapdoc.writing import canonical, decimal_text, write_document

UNTIDY = one_map(
    '<hexside side="S" of="0101" kind="normal"/>',
    '<hex terrain="a" id="0101"><!-- lost --><road to="S" from="s" bridge="no"/>',
    '<site y="-0.20" x="0.00" kind="k" id="s"/><bank sides="SW N" id="E"/><name>X</name>',
    '<water course="0.00,0.50 0,-0.5" kind="river"/></hex>',
    pushed="odd",
    links='<link to="main:0101" from="main:0101"/>',
)


def test_the_sketch_is_canonical() -> None:
    assert write_document(denmark()).decode() == DENMARK


def test_an_untidy_document() -> None:
    assert write_document(read_document(UNTIDY)).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<maps xmlns="urn:vassal-arbiter:map:1" id="test" game="none">\n'
        ' <map id="main">\n'
        '  <grid kind="hex" columns="vertical" pushed="odd" pitch="120"/>\n'
        '  <sheet id="" columns="1-20" rows="1-20" col0="0" row0="0"/>\n'
        '  <hex id="0101" terrain="a">\n'
        "   <name>X</name>\n"
        '   <water kind="river" course="0,0.5 0,-0.5"/>\n'
        '   <bank id="E" sides="N SW"/>\n'
        '   <site id="s" kind="k" x="0.00" y="-0.20"/>\n'
        '   <road from="s" to="S"/>\n'
        "  </hex>\n"
        '  <hexside of="0101" side="S" kind="normal"/>\n'
        " </map>\n"
        ' <link from="main:0101" to="main:0101"/>\n'
        "</maps>\n"
    )


@pytest.mark.parametrize("data", [DENMARK.encode(), UNTIDY])
def test_reading_and_writing_are_inverse(data: bytes) -> None:
    document = read_document(data)
    again = read_document(write_document(document))
    assert again == document
    assert canonical(again) == canonical(document)
    assert write_document(again) == write_document(document) == write_document(canonical(document))


def test_canonical_forgets_lines_and_source() -> None:
    document = read_document(UNTIDY)
    plain = canonical(document)
    assert "line=" in repr(document.maps[0])
    assert plain.source is None
    assert not re.search("line=[^0]", repr((plain, plain.links)))


def test_names_are_escaped() -> None:
    document = denmark()
    named = replace(document, maps=(replace(document.maps[0], titles={"en": "<A> & “B”"}),))
    assert read_document(write_document(named)).maps[0].titles == {"en": "<A> & “B”"}


@given(st.floats(-2, 2))
def test_decimals_read_back(value: float) -> None:
    text = decimal_text(value)
    assert float(text) == value
    assert "e" not in text
    assert text != "-0"


def test_decimals_are_short() -> None:
    assert [decimal_text(value) for value in (34.0, -0.0, 0.50, 1e-7, 100.0)] == [
        "34",
        "0",
        "0.5",
        "0.0000001",
        "100",
    ]
