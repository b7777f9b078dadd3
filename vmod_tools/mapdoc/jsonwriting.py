"""Writing the JSON form of a map document; `jsonform` reads it and tells of its two shapes.

What is empty is left out.  A coordinate is a number, unless the document spells it in a way that a
number would lose (`"0.10"`).
"""

from __future__ import annotations

from vmod_tools.mapdoc.banks import has_place
from vmod_tools.mapdoc.model import (
    Bank,
    Georeference,
    Hex,
    HexMap,
    Hexside,
    Link,
    MapDocument,
    Sheet,
    Site,
    Water,
    Way,
)
from vmod_tools.mapdoc.names import hex_name
from vmod_tools.mapdoc.writing import decimal_text, in_order

Json = dict[str, object]


def document_to_json(document: MapDocument) -> Json:
    """The document in the full JSON shape, ready for `json.dumps`.

    Raises MapError (HEX_UNKNOWN) for a hexside that no sheet covers.
    """
    return {
        **_given(id=document.id, game=document.game),
        "maps": [_map(part) for part in document.maps],
        **_given(links=[_link(link) for link in document.links]),
    }


def _given(**members: object) -> Json:
    """The members that say something."""
    return {
        name: value
        for name, value in members.items()
        if value is not None and value not in ("", [], {}, False)
    }


def _map(map: HexMap) -> Json:
    return {
        "id": map.id,
        **_given(titles=dict(map.titles)),
        "grid": {"pushed": map.grid.pushed, "pitch": map.grid.pitch},
        **_given(georeference=map.georeference and _georeference(map.georeference)),
        "sheets": [_sheet(sheet) for sheet in map.sheets],
        "hexes": [_hex(entry) for entry in map.hexes.values()],
        **_given(hexsides=[_hexside(map, entry) for entry in map.hexsides]),
    }


def _georeference(place: Georeference) -> Json:
    return {
        "projection": place.projection,
        "lat": place.lat,
        "lon": place.lon,
        "km-per-hex": place.km_per_hex,
        "bearing": place.bearing,
        "column": place.column,
        "row": place.row,
    }


def _sheet(sheet: Sheet) -> Json:
    return {
        "id": sheet.id,
        "columns": f"{sheet.first_column}-{sheet.last_column}",
        "rows": f"{sheet.first_row}-{sheet.last_row}",
        "col0": sheet.col0,
        "row0": sheet.row0,
    }


def _hex(hex: Hex) -> Json:
    return {
        "id": hex.written,
        "terrain": hex.terrain,
        **_given(
            names=dict(hex.names),
            waters=[_water(water) for water in hex.waters],
            banks=[_bank(bank) for bank in hex.banks],
            sites=[_site(site) for site in hex.sites],
            ways=[_way(way) for way in hex.ways],
        ),
    }


def _water(water: Water) -> Json:
    return {
        "kind": water.kind,
        **_given(
            name=water.name,
            left=water.left,
            right=water.right,
            course=[[_plain(at.x), _plain(at.y)] for at in water.course],
        ),
    }


def _bank(bank: Bank) -> Json:
    return {"id": bank.id, **_given(sides=in_order(bank.sides))}


def _site(site: Site) -> Json:
    x, y = (_coordinate(text) if text else None for text in site.xy_text)
    place = {"x": x, "y": y} if has_place(site) else {}
    return {
        "id": site.id,
        "kind": site.kind,
        **_given(bank=site.bank),
        **place,
        **_given(names=dict(site.names)),
    }


def _plain(value: float) -> int | float:
    """A number without a needless `.0`."""
    return int(value) if value == int(value) else value


def _coordinate(text: str) -> int | float | str:
    value = float(text)
    return _plain(value) if decimal_text(value) == text else text


def _way(way: Way) -> Json:
    return {"kind": way.kind, "from": way.start, "to": way.end, **_given(bridge=way.bridge)}


def _hexside(map: HexMap, entry: Hexside) -> Json:
    of = hex_name(map, entry.cell)
    return {"of": of, "side": entry.side, "kind": entry.kind, **_given(name=entry.name)}


def _link(link: Link) -> Json:
    return {"from": link.start, "to": link.end, **_given(hexside=link.side)}
