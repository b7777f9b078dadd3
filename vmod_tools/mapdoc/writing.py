"""Writing a map document as canonical XML: UTF-8, LF, one space of indent a level, the order of the model.

Inside a hex that order is names, waters, banks, sites, roads and railways; in a map all hexes stand
before all hexsides.  Reading what was written gives the same document, and writing that gives the
same bytes.  Comments are not in the model: whoever wants the author's own text keeps
`MapDocument.source`.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from lxml import etree

from vmod_tools.mapdoc.model import (
    SIDES,
    Bank,
    Cell,
    Georeference,
    Hex,
    HexMap,
    Hexside,
    Link,
    MapDocument,
    Names,
    Sheet,
    Side,
    Site,
    Water,
    Way,
)
from vmod_tools.mapdoc.names import hex_name
from vmod_tools.mapdoc.schema import NAMESPACE, XML_LANG


def write_document(document: MapDocument) -> bytes:
    """The canonical XML of a document, whether or not it would pass the checks.

    Raises MapError (HEX_UNKNOWN) for a hexside that no sheet covers.
    """
    root = etree.Element(f"{{{NAMESPACE}}}maps", nsmap={None: NAMESPACE})
    root.set("id", document.id)
    root.set("game", document.game)
    for part in document.maps:
        _map(root, part)
    for link in document.links:
        _link(root, link)
    etree.indent(root, space=" ")
    text = etree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def canonical(document: MapDocument) -> MapDocument:
    """The same document without what is not its content: lines, and the text it was read from."""
    return replace(
        document,
        maps=tuple(_map_without_lines(part) for part in document.maps),
        links=tuple(replace(link, line=0) for link in document.links),
        source=None,
    )


def _map_without_lines(map: HexMap) -> HexMap:
    hexes: dict[Cell, Hex] = {
        cell: replace(
            entry,
            waters=tuple(replace(water, line=0) for water in entry.waters),
            banks=tuple(replace(bank, line=0) for bank in entry.banks),
            sites=tuple(replace(site, line=0) for site in entry.sites),
            ways=tuple(replace(way, line=0) for way in entry.ways),
            line=0,
        )
        for cell, entry in map.hexes.items()
    }
    return replace(
        map,
        sheets=tuple(replace(sheet, line=0) for sheet in map.sheets),
        hexes=hexes,
        hexsides=tuple(replace(side, line=0) for side in map.hexsides),
        line=0,
    )


def decimal_text(value: float) -> str:
    """The shortest decimal that reads back as the same number, without exponent or needless zeros."""
    text = f"{Decimal(repr(value)):f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def in_order(sides: frozenset[Side]) -> list[Side]:
    """Hexsides clockwise from N."""
    return [side for side in SIDES if side in sides]


def _add(parent: etree._Element, tag: str, **attributes: str | None) -> etree._Element:
    """A child with the attributes that have a value; `from_` and `km_per_hex` stand for `from`, `km-per-hex`."""
    child = etree.SubElement(parent, f"{{{NAMESPACE}}}{tag}")
    for name, value in attributes.items():
        if value is not None:
            child.set(name.rstrip("_").replace("_", "-"), value)
    return child


def _add_names(parent: etree._Element, tag: str, names: Names) -> None:
    for language, text in names.items():
        child = _add(parent, tag)
        if language != "en":
            child.set(XML_LANG, language)
        child.text = text


def _map(parent: etree._Element, map: HexMap) -> None:
    element = _add(parent, "map", id=map.id)
    _add_names(element, "title", map.titles)
    grid = map.grid
    _add(
        element,
        "grid",
        kind=grid.kind,
        columns=grid.columns,
        pushed=grid.pushed,
        pitch=str(grid.pitch),
    )
    if map.georeference is not None:
        _georeference(element, map.georeference)
    for sheet in map.sheets:
        _sheet(element, sheet)
    for entry in map.hexes.values():
        _hex(element, entry)
    for side in map.hexsides:
        _hexside(element, map, side)


def _georeference(parent: etree._Element, place: Georeference) -> None:
    _add(
        parent,
        "georeference",
        projection=place.projection,
        lat=decimal_text(place.lat),
        lon=decimal_text(place.lon),
        km_per_hex=decimal_text(place.km_per_hex),
        bearing=decimal_text(place.bearing),
        column=decimal_text(place.column),
        row=decimal_text(place.row),
    )


def _sheet(parent: etree._Element, sheet: Sheet) -> None:
    _add(
        parent,
        "sheet",
        id=sheet.id,
        columns=f"{sheet.first_column}-{sheet.last_column}",
        rows=f"{sheet.first_row}-{sheet.last_row}",
        col0=str(sheet.col0),
        row0=str(sheet.row0),
    )


def _hex(parent: etree._Element, hex: Hex) -> None:
    element = _add(parent, "hex", id=hex.written, terrain=hex.terrain)
    _add_names(element, "name", hex.names)
    for water in hex.waters:
        _water(element, water)
    for bank in hex.banks:
        _bank(element, bank)
    for site in hex.sites:
        _site(element, site)
    for way in hex.ways:
        _way(element, way)


def _water(parent: etree._Element, water: Water) -> None:
    course = " ".join(f"{decimal_text(x)},{decimal_text(y)}" for x, y in water.course)
    _add(
        parent,
        "water",
        kind=water.kind,
        name=water.name or None,
        left=water.left,
        right=water.right,
        course=course,
    )


def _bank(parent: etree._Element, bank: Bank) -> None:
    _add(parent, "bank", id=bank.id, sides=" ".join(in_order(bank.sides)) or None)


def _site(parent: etree._Element, site: Site) -> None:
    x, y = site.xy_text
    element = _add(parent, "site", id=site.id, kind=site.kind, bank=site.bank, x=x, y=y)
    _add_names(element, "name", site.names)


def _way(parent: etree._Element, way: Way) -> None:
    bridge = "yes" if way.bridge else None
    _add(parent, way.kind, from_=way.start, to=way.end, bridge=bridge)


def _hexside(parent: etree._Element, map: HexMap, entry: Hexside) -> None:
    name = entry.name or None
    _add(
        parent,
        "hexside",
        of=hex_name(map, entry.cell),
        side=entry.side,
        kind=entry.kind,
        name=name,
    )


def _link(parent: etree._Element, link: Link) -> None:
    _add(parent, "link", from_=link.start, to=link.end, hexside=link.side)
