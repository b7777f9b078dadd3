"""What schemas/map.rng refuses, and that the refusal names the element, its fault and its line."""

from __future__ import annotations

import pytest
from lxml import etree

from tests.c_maps.samples import DENMARK, one_map
from vmod_tools.errors import MapError
from vmod_tools.mapdoc.reading import read_document
from vmod_tools.mapdoc.schema import explain, schema_path

RNG = "{http://relaxng.org/ns/structure/1.0}"
ANNOTATION = "{http://relaxng.org/ns/compatibility/annotations/1.0}documentation"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('kind="river"', 'kind="lake"', 12, "<water> may not have kind='lake'"),
        ('id="SW"', 'id="SX"', 35, "<bank> may not have id='SX'"),
        (' x="0.12"', "", 13, "<site> lacks its attribute 'x'"),
        ('x="0.12"', 'x=".12"', 13, "<site> may not have x='.12'"),
        ('x="0.12"', 'x="1e-1"', 13, "<site> may not have x='1e-1'"),
        ('id="aalborg-port"', 'id="centre"', 17, "<site> may not have id='centre'"),
        ('<rail from="S"', '<canal from="S"', 20, "<canal> is not an element of"),
        ('pitch="120"', 'pitch="7"', 6, "<grid> may not have pitch='7'"),
        ('columns="vertical"', 'columns="sideways"', 6, "<grid> may not have columns='sideways'"),
        ('pushed="even" ', "", 6, "<grid> lacks its attribute 'pushed'"),
        ("0.1,-0.05 0.5,-0.13", "", 12, "<water> may not have course="),
        ("0.1,-0.05", "0.1;-0.05", 12, "<water> may not have course="),
        ('kind="blocked"', 'kind="blocked" x="1"', 38, "<hexside> has no attribute x='1'"),
        ('side="S" kind', 'side="W" kind', 38, "<hexside> may not have side='W'"),
        ('sides="S SW"', 'sides="S W"', 35, "<bank> may not have sides='S W'"),
        ('xml:lang="ja"', 'lang="ja"', 5, "<title> has no attribute lang='ja'"),
        ('xml:lang="ja"', 'xml:lang="?"', 5, "<title> may not have xml:lang='?'"),
        ('bridge="yes"/>', 'bridge="yes">x</rail>', 20, "<rail> may not hold text"),
        (' game="weu"', "", 2, "<maps> lacks its attribute 'game'"),
        ("arbiter:map:1", "arbiter:map:2", 2, "<maps> is not an element of urn:vassal-arbiter:map:1"),
        ('<hex id="F0225" terrain="clear"/>', '<bank id="N"/>', 32, "<bank> may not stand in <map>"),
        ('id="F0225"', 'id="F225"', 32, "<hex> may not have id='F225'"),
        ('columns="1-61" rows="1-33" col0="60"', 'columns="1 61" rows="1-33" col0="60"', 9, "columns='1 61'"),
        # Faults that no element has alone are told in libxml2's words.
        ("<name>Oslofjord</name>", "<name> </name>", 23, "validat"),
        ("  <hexside", "  <title/><hexside", 38, "title"),
    ],
)  # fmt: skip
def test_refused(old: str, new: str, line: int, message: str) -> None:
    assert old in DENMARK
    with pytest.raises(MapError) as caught:
        read_document(DENMARK.replace(old, new, 1).encode())
    error = caught.value
    assert (error.stable_code, error.place) == ("MAP_SCHEMA", f"line {line}")
    assert message in error.message


@pytest.mark.parametrize(
    "water", ['<water kind="inlet" left="N" course="0,0.5 0,0"/>', '<water kind="river" left="N"/>']
)
def test_refused_water(water: str) -> None:
    with pytest.raises(MapError, match=r"line 4"):
        read_document(one_map(f'<hex id="0101" terrain="a">{water}</hex>'))


def test_a_map_needs_hexes() -> None:
    with pytest.raises(MapError) as caught:
        read_document(one_map())
    assert caught.value.stable_code == "MAP_SCHEMA"


def test_nothing_to_explain_in_a_valid_document() -> None:
    assert explain(etree.fromstring(DENMARK.encode())) is None


def test_every_element_of_the_schema_is_documented() -> None:
    grammar = etree.parse(str(schema_path())).getroot()
    for define in grammar.iter(f"{RNG}define"):
        if define.find(f"{RNG}element") is not None:
            text = define.findtext(ANNOTATION)
            assert text, define.get("name")
            assert text.strip(), define.get("name")
