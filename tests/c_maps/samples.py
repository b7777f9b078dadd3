"""Documents that the tests of the map document share; the first is the sketch of design.md section 4."""

from __future__ import annotations

from vmod_tools.mapdoc.model import HexMap, MapDocument
from vmod_tools.mapdoc.reading import read_document

DENMARK = """\
<?xml version="1.0" encoding="UTF-8"?>
<maps xmlns="urn:vassal-arbiter:map:1" id="weu-denmark" game="weu">
 <map id="main">
  <title>Denmark and the Skagerrak</title>
  <title xml:lang="ja">デンマークとスカゲラク</title>
  <grid kind="hex" columns="vertical" pushed="even" pitch="120"/>
  <georeference projection="aeqd" lat="57.5" lon="11.5" km-per-hex="34" bearing="324" column="57.197" row="31.931"/>
  <sheet id="B" columns="1-61" rows="1-33" col0="0" row0="0"/>
  <sheet id="F" columns="1-61" rows="1-33" col0="60" row0="0"/>
  <sheet id="C" columns="1-61" rows="1-33" col0="0" row0="33"/>
  <hex id="B5431" terrain="clear">
   <water kind="river" name="Limfjord" left="N" right="S" course="-0.5,0.13 0.1,-0.05 0.5,-0.13"/>
   <site id="aalborg-airfield" kind="airfield" bank="N" x="0.12" y="-0.27">
    <name>Aalborg</name>
    <name xml:lang="ja">オールボー</name>
   </site>
   <site id="aalborg-port" kind="port" bank="S" x="0.05" y="0.21">
    <name>Aalborg</name>
   </site>
   <rail from="S" to="N" bridge="yes"/>
  </hex>
  <hex id="F0125" terrain="clear">
   <name>Oslofjord</name>
   <water kind="strait" name="Oslofjord" left="W" right="E" course="0.04,0.5 0.1,0.1 0.4330127,-0.25"/>
   <bank id="W" sides="N NE SW NW"/>
   <bank id="E" sides="SE S"/>
   <site id="fornebu" kind="airfield" x="-0.10" y="-0.2"/>
  </hex>
  <hex id="F0224" terrain="clear">
   <water kind="inlet" name="Oslofjord" course="-0.4330127,0.25 -0.1,0.1"/>
  </hex>
  <hex id="F0225" terrain="clear"/>
  <hex id="C5808" terrain="rough">
   <bank id="C"/>
   <bank id="SW" sides="S SW"/>
   <site id="ronne-port" kind="port" bank="WS" x="-0.2" y="0.2"/>
  </hex>
  <hexside of="B6124" side="S" kind="blocked"/>
  <hexside of="B6125" side="SE" kind="strait" name="Oslofjord"/>
 </map>
</maps>
"""
"""Canonical, so that writing it gives the same text."""


def denmark() -> MapDocument:
    """DENMARK, read."""
    return read_document(DENMARK.encode())


def denmark_map() -> HexMap:
    """The one map of DENMARK."""
    return denmark().maps[0]


def one_map(*children: str, pushed: str = "even", links: str = "") -> bytes:
    """A document of one map with a nameless sheet; the first child stands in line 4."""
    body = "\n".join(children)
    return f"""\
<maps xmlns="urn:vassal-arbiter:map:1" id="test" game="none"><map id="main">
<grid kind="hex" columns="vertical" pushed="{pushed}" pitch="120"/>
<sheet id="" columns="1-20" rows="1-20" col0="0" row0="0"/>
{body}
</map>{links}</maps>""".encode()


def read_map(*children: str, pushed: str = "even") -> HexMap:
    """The map of `one_map`, read."""
    return read_document(one_map(*children, pushed=pushed)).maps[0]
