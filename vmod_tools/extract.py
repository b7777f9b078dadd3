"""`vmod extract`: the map document back out of a module.

With the embedded document: its own bytes, unless a site's counter was moved in VASSAL's editor.  Counters
win for positions; what they change is written into the document's own text, and said.

Without it: everything that the build file holds, which is the sites with their pixels, positions, banks
and names, the grid, and the sheets.  Terrain, water and hexsides are not in a build file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from vmod_tools.build.builder import EMBEDDED_MAP
from vmod_tools.build.mapwindow import SHEET_PROPERTY, map_name
from vmod_tools.buildfile import Component, int_attribute, parse_xml
from vmod_tools.errors import MapError
from vmod_tools.grids import HexGrid
from vmod_tools.mapdoc.checks import UNKNOWN_TERRAIN
from vmod_tools.mapdoc.geometry import (
    Layout,
    hex_name,
    keeps_pixel,
    layout,
    locate,
    resolve,
    shortest_position,
)
from vmod_tools.mapdoc.model import (
    Bank,
    BankName,
    Cell,
    Grid,
    Hex,
    HexMap,
    MapDocument,
    Position,
    Sheet,
    Site,
)
from vmod_tools.mapdoc.reading import read_document
from vmod_tools.mapdoc.writing import write_document
from vmod_tools.modules import Module, slot_piece
from vmod_tools.pieces import stated_properties

_PROLOG = re.compile(r"\ufeff?(?:\s+|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
_NAMESPACE = "{urn:vassal-arbiter:map:1}"


@dataclass(frozen=True, slots=True)
class Counter:
    """A site's counter in a module: board pixels, and what its markers say."""

    id: str
    kind: str
    bank: str
    name: str
    name_ja: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Extraction:
    """The document's bytes, and what differs from the embedded one, a sentence each."""

    document: bytes
    differences: tuple[str, ...] = ()


def extract(module: Module) -> Extraction:
    """The map document of a module; raises MapError when it holds no map of ours."""
    embedded = module.archive.find(EMBEDDED_MAP)
    if embedded is None:
        return Extraction(write_document(_rebuild(module)))
    data = module.archive.read(embedded)
    return _with_counters(data, read_document(data, EMBEDDED_MAP), module)


def site_counters(window: Component) -> Iterator[Counter]:
    """The sites' counters of a map window: at-start stacks whose piece has a SiteId."""
    for stack in window.children("SetupStack"):
        for slot in stack.children("PieceSlot"):
            says = stated_properties(slot_piece(slot))
            if says.get("SiteId"):
                yield Counter(
                    id=says["SiteId"],
                    kind=says.get("SiteKind", ""),
                    bank=says.get("Bank", ""),
                    name=says.get("Name", ""),
                    name_ja=says.get("NameJa", ""),
                    x=int_attribute(stack, "x"),
                    y=int_attribute(stack, "y"),
                )


# With the embedded document


def _with_counters(data: bytes, document: MapDocument, module: Module) -> Extraction:
    root = None
    differences: list[str] = []
    windows = {w.name: w for w in module.build.root.descendants("Map")}
    for hex_map in document.maps:
        window = windows.get(map_name(hex_map))
        counters = {c.id: c for c in site_counters(window)} if window else {}
        plan = layout(hex_map)
        for place in hex_map.hexes.values():
            for site in place.sites:
                counter = counters.pop(site.id, None)
                if counter is None:
                    differences.append(f"site {site.id}: its counter is gone from the module; kept")
                elif not keeps_pixel(plan, place.cell, site.at, (counter.x, counter.y)):
                    root = parse_xml(data, EMBEDDED_MAP) if root is None else root
                    differences.append(_move(root, hex_map, plan, site, counter))
        differences += [f"site {gone}: it is in the module only; left out" for gone in counters]
    if root is None:
        return Extraction(data, tuple(differences))
    changed = _rewritten(root, data)
    try:
        read_document(changed, EMBEDDED_MAP)
    except MapError as error:
        # A way may lead to a site that now lies elsewhere, or the other bank of a river is reached.
        differences.append(f"the document must be mended by hand: {error}")
    return Extraction(changed, tuple(differences))


def _move(root: etree._Element, hex_map: HexMap, plan: Layout, site: Site, counter: Counter) -> str:
    """Writes a dragged counter's place into the document's tree."""
    cell, _ = locate(plan, counter.x, counter.y)
    name = hex_name(hex_map, cell)
    element = next(e for e in root.iter(f"{_NAMESPACE}site") if e.get("id") == site.id)
    home = next((e for e in root.iter(f"{_NAMESPACE}hex") if _is(hex_map, e, cell)), None)
    if home is None:
        raise MapError(
            f"its counter stands in {name}, which the document does not describe",
            code="SITE_OFF_MAP",
            field=site.id,
        )
    x, y = shortest_position(plan, cell, (counter.x, counter.y))
    element.set("x", x)
    element.set("y", y)
    if counter.bank:
        element.set("bank", counter.bank)
    if element.getparent() is not home:
        home.append(element)
    return f"site {site.id}: its counter stands in {name} at {x},{y}"


def _rewritten(root: etree._Element, data: bytes) -> bytes:
    """The changed tree as text, in the encoding and with everything around the root that `data` had."""
    encoding = root.getroottree().docinfo.encoding or "UTF-8"
    text = data.decode(encoding)
    prolog = _PROLOG.match(text)
    before = prolog[0] if prolog else ""
    body = etree.tostring(root, encoding="unicode", with_tail=False)
    if "\r\n" in text:
        # XML parsers make one character of both.
        body = body.replace("\n", "\r\n")
    after = text[text.index(">", text.rindex("</")) + 1 :]
    return (before + body + after).encode(encoding, "xmlcharrefreplace")


def _is(hex_map: HexMap, element: etree._Element, cell: Cell) -> bool:
    parent = element.getparent()
    same_map = parent is not None and parent.get("id") == hex_map.id
    return same_map and resolve(hex_map, element.get("id") or "") == cell


# Without it


def _rebuild(module: Module) -> MapDocument:
    maps = tuple(m for m in (_rebuild_map(w) for w in module.build.root.descendants("Map")) if m)
    if not maps:
        raise MapError("the module has no map with sheets as zones", code="MAP_NONE")
    return MapDocument(id="extracted", game="unknown", maps=maps)


def _rebuild_map(window: Component) -> HexMap | None:
    zones = [z for z in window.descendants("Zone") if _extent(z) is not None]
    if not zones:
        return None
    sheets = tuple(_sheet(zone) for zone in zones)
    component = next(zones[0].descendants("HexGrid"), None)
    numbering = next(zones[0].descendants("HexGridNumbering"), None)
    if component is None or numbering is None:
        raise MapError(
            "the zone of the sheet has no hex grid with numbers",
            code="GRID_MISSING",
            field=zones[0].name,
        )
    grid = HexGrid.from_attributes(component.attributes, None)
    # The numbering counts from the board's first column and row; the sheet says where they lie.
    col0 = int_attribute(numbering, "hOff", 1) - sheets[0].first_column + sheets[0].col0
    row0 = int_attribute(numbering, "vOff", 1) - sheets[0].first_row + sheets[0].row0
    plan = Layout(col0, row0, grid.x0, grid.y0, grid.dx, grid.dy, 0, 0)
    # Board columns counted from an unpushed one: the printed parity of the pushed ones follows.
    pushed = "even" if int_attribute(numbering, "hOff", 1) % 2 == 1 else "odd"
    empty = HexMap(
        id=next(window.descendants("Board")).name,
        titles={"en": window.name},
        grid=Grid(pitch=round(grid.dy), pushed="even" if pushed == "even" else "odd"),
        sheets=sheets,
        hexes={},
    )
    hexes: dict[Cell, Hex] = {}
    for counter in site_counters(window):
        cell, _ = locate(plan, counter.x, counter.y)
        x, y = shortest_position(plan, cell, (counter.x, counter.y))
        names = {k: v for k, v in (("en", counter.name), ("ja", counter.name_ja)) if v}
        at = Position(float(x), float(y))
        site = Site(counter.id, counter.kind, at, (x, y), _bank(counter), names)
        old = hexes.get(cell) or Hex(cell, hex_name(empty, cell), UNKNOWN_TERRAIN)
        banks = old.banks
        if site.bank is not None and site.bank not in {bank.id for bank in banks}:
            # Which hexsides the bank touches is not in a build file; that there is one, is.
            banks = (*banks, Bank(site.bank, frozenset()))
        hexes[cell] = Hex(cell, old.written, UNKNOWN_TERRAIN, banks=banks, sites=(*old.sites, site))
    return HexMap(empty.id, empty.titles, empty.grid, sheets, hexes)


def _bank(counter: Counter) -> BankName | None:
    return BankName(counter.bank) if counter.bank else None


def _extent(zone: Component) -> str | None:
    found = (p for p in zone.children("ZoneProperty") if p.get("name") == SHEET_PROPERTY)
    prop = next(found, None)
    return None if prop is None else prop.get("initialValue")


def _sheet(zone: Component) -> Sheet:
    """The sheet that a zone stands for; raises MapError when its property was changed beyond reading."""
    try:
        columns, rows, col0, row0 = (_extent(zone) or "").split()
        first_column, last_column = map(int, columns.split("-"))
        first_row, last_row = map(int, rows.split("-"))
        return Sheet(
            zone.name, first_column, last_column, first_row, last_row, int(col0), int(row0)
        )
    except ValueError:
        raise MapError(
            "the zone's property `Sheet` is not four parts like `1-61 1-33 0 0`",
            code="SHEET_PROPERTY",
            field=zone.name,
        ) from None
