"""Reading the JSON form of a map document: the names of the XML, for small maps inside a situation.

Two shapes are read.  The full one is `{"id", "game", "maps": [{"id", "titles", "grid", "sheets", "hexes",
"hexsides"}], "links"}`; the short one is a single map, `{"hexes": […], "hexsides": […]}`, whose own id
is `map`.  Only the hexes must be given.  Without sheets there is one with columns and rows 1 to 99,
whose id is what stands before the digits of the first hex; a water need have no course, and a site
no place.

A small map is a cut-out, so the checks that look at the hex next door are left out.  Errors name
their place by JSON pointer.  `jsonwriting` goes the other way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from vmod_tools.mapdoc import jsonwords as words
from vmod_tools.mapdoc.checks import find_problems
from vmod_tools.mapdoc.jsonnode import JsonNode
from vmod_tools.mapdoc.jsonwriting import document_to_json
from vmod_tools.mapdoc.model import (
    Bank,
    Georeference,
    Grid,
    Hex,
    HexId,
    HexMap,
    Hexside,
    HexsideKind,
    Link,
    MapDocument,
    Position,
    Sheet,
    Site,
    Water,
    WaterKind,
    Way,
    WayKind,
)
from vmod_tools.mapdoc.placing import UNPLACED, place
from vmod_tools.mapdoc.problems import MapDocumentError, Problem, to_errors
from vmod_tools.mapdoc.writing import canonical

__all__ = ["document_from_json", "document_to_json"]

_MAP_KEYS = ("titles", "grid", "georeference", "sheets", "hexsides")


@dataclass(slots=True)
class _Found:
    """What is gathered while reading: problems, and the places that their `line` numbers stand for."""

    problems: list[Problem] = field(default_factory=list)
    places: list[str] = field(default_factory=lambda: [""])

    def line(self, node: JsonNode) -> int:
        """A number for a node; numbers rise in the order of the document, as lines do."""
        self.places.append(node.pointer)
        return len(self.places) - 1


def document_from_json(obj: object, where: str = "map") -> MapDocument:
    """The document that a JSON value means; `where` is its key in the request, for the pointers.

    Raises MapError: MAP_JSON for the first value of another kind than expected, else (as
    MapDocumentError, with all problems) the codes of `checks`, MAP_DUPLICATE_ID and HEX_UNKNOWN.
    """
    root = JsonNode(obj, f"/{where}" if where else "")
    found = _Found()
    document = _full(root, found) if "maps" in root.members() else _short(root, found)
    problems = [*found.problems, *find_problems(document, whole=False)]
    if problems:
        raise MapDocumentError(to_errors(problems, found.places.__getitem__))
    return canonical(document)


def _full(root: JsonNode, found: _Found) -> MapDocument:
    keys = root.record(("maps",), ("id", "game", "links"))
    maps = []
    for node in keys["maps"].items():
        map_keys = node.record(("hexes",), ("id", *_MAP_KEYS))
        maps.append(_map(node, map_keys, words.token(map_keys, "id", "main"), found))
    if not maps:
        raise keys["maps"].error("there is no map")
    links = tuple(_link(node, found) for node in words.items(keys, "links"))
    return MapDocument(
        id=words.token(keys, "id", "inline"),
        game=words.token(keys, "game", ""),
        maps=tuple(maps),
        links=links,
    )


def _short(root: JsonNode, found: _Found) -> MapDocument:
    keys = root.record(("hexes",), ("id", "game", "map", *_MAP_KEYS))
    only = _map(root, keys, words.token(keys, "map", "main"), found)
    return MapDocument(
        id=words.token(keys, "id", "inline"), game=words.token(keys, "game", ""), maps=(only,)
    )


def _map(node: JsonNode, keys: dict[str, JsonNode], id: str, found: _Found) -> HexMap:
    line = found.line(node)
    georeference = _georeference(keys["georeference"]) if "georeference" in keys else None
    sheets = tuple(_sheet(item, found) for item in words.items(keys, "sheets"))
    hexes = [_hex(item, found) for item in keys["hexes"].items()]
    if not hexes:
        raise keys["hexes"].error("there is no hex")
    empty = HexMap(
        id=id,
        titles=words.names(keys, "titles"),
        grid=_grid(keys["grid"]) if "grid" in keys else Grid(pitch=120),
        sheets=sheets or (_default_sheet(hexes[0]),),
        hexes={},
        georeference=georeference,
        line=line,
    )
    hexsides = [_hexside(item, found) for item in words.items(keys, "hexsides")]
    return place(empty, hexes, hexsides, found.problems)


def _default_sheet(first: Hex) -> Sheet:
    return Sheet(first.written[:-4], 1, 99, 1, 99, col0=0, row0=0)


def _grid(node: JsonNode) -> Grid:
    keys = node.record((), ("kind", "columns", "pushed", "pitch"))
    for key, only in (("kind", "hex"), ("columns", "vertical")):
        if key in keys:
            keys[key].word((only,))
    odd = "pushed" in keys and keys["pushed"].word(("even", "odd")) == "odd"
    pitch = keys["pitch"].integer(8, 2000) if "pitch" in keys else 120
    return Grid(pitch=pitch, pushed="odd" if odd else "even")


def _georeference(node: JsonNode) -> Georeference:
    keys = node.record(("projection", "lat", "lon", "km-per-hex", "bearing", "column", "row"))
    return Georeference(
        projection=words.token(keys, "projection"),
        lat=keys["lat"].number(),
        lon=keys["lon"].number(),
        km_per_hex=keys["km-per-hex"].number(),
        bearing=keys["bearing"].number(),
        column=keys["column"].number(),
        row=keys["row"].number(),
    )


def _sheet(node: JsonNode, found: _Found) -> Sheet:
    keys = node.record((), ("id", "columns", "rows", "col0", "row0"))
    columns, rows = words.span(keys, "columns"), words.span(keys, "rows")
    return Sheet(
        id=words.sheet_id(keys),
        first_column=columns[0],
        last_column=columns[1],
        first_row=rows[0],
        last_row=rows[1],
        col0=keys["col0"].integer(-9999, 9999) if "col0" in keys else 0,
        row0=keys["row0"].integer(-9999, 9999) if "row0" in keys else 0,
        line=found.line(node),
    )


def _hex(node: JsonNode, found: _Found) -> Hex:
    keys = node.record(("id",), ("terrain", "names", "waters", "banks", "sites", "ways"))
    return Hex(
        cell=UNPLACED,
        line=found.line(node),
        written=words.hex_id(keys["id"]),
        terrain=words.token(keys, "terrain", "clear"),
        names=words.names(keys, "names"),
        waters=tuple(_water(item, found) for item in words.items(keys, "waters")),
        banks=tuple(_bank(item, found) for item in words.items(keys, "banks")),
        sites=tuple(_site(item, found) for item in words.items(keys, "sites")),
        ways=tuple(_way(item, found) for item in words.items(keys, "ways")),
    )


def _water(node: JsonNode, found: _Found) -> Water:
    keys = node.record(("kind",), ("name", "left", "right", "course"))
    kind = cast("WaterKind", keys["kind"].word(("river", "strait", "inlet")))
    for hand in ("left", "right"):
        if hand in keys and kind == "inlet":
            raise keys[hand].error("an inlet parts nothing and has no banks")
    course = tuple(_point(item) for item in words.items(keys, "course"))
    if len(course) == 1:
        raise keys["course"].error("a course has at least two points")
    return Water(
        kind=kind,
        course=course,
        name=words.label(keys, "name"),
        left=words.bank_name(keys, "left"),
        right=words.bank_name(keys, "right"),
        line=found.line(node),
    )


def _point(node: JsonNode) -> Position:
    pair = node.items()
    if len(pair) != 2:
        raise node.error("a point is [x, y]")
    return Position(pair[0].number(), pair[1].number())


def _bank(node: JsonNode, found: _Found) -> Bank:
    keys = node.record(("id",), ("sides",))
    return Bank(
        id=words.bank(keys["id"]),
        sides=frozenset(words.side(item) for item in words.items(keys, "sides")),
        line=found.line(node),
    )


def _site(node: JsonNode, found: _Found) -> Site:
    keys = node.record(("id", "kind"), ("bank", "x", "y", "names"))
    if ("x" in keys) != ("y" in keys):
        raise node.error("a site has both x and y, or neither")
    x, y = (words.decimal(keys[key]) if key in keys else "" for key in ("x", "y"))
    return Site(
        id=words.site_id(keys["id"]),
        kind=words.token(keys, "kind"),
        at=Position(float(x or 0), float(y or 0)),
        xy_text=(x, y),
        bank=words.bank_name(keys, "bank"),
        names=words.names(keys, "names"),
        line=found.line(node),
    )


def _way(node: JsonNode, found: _Found) -> Way:
    keys = node.record(("kind", "from", "to"), ("bridge",))
    return Way(
        kind=cast("WayKind", keys["kind"].word(("road", "rail"))),
        start=words.token(keys, "from"),
        end=words.token(keys, "to"),
        bridge="bridge" in keys and keys["bridge"].flag(),
        line=found.line(node),
    )


def _hexside(node: JsonNode, found: _Found) -> tuple[HexId, Hexside]:
    keys = node.record(("of", "side", "kind"), ("name",))
    kinds = ("normal", "river", "strait", "blocked")
    entry = Hexside(
        cell=UNPLACED,
        side=words.side(keys["side"]),
        kind=cast("HexsideKind", keys["kind"].word(kinds)),
        name=words.label(keys, "name"),
        line=found.line(node),
    )
    return words.hex_id(keys["of"]), entry


def _link(node: JsonNode, found: _Found) -> Link:
    keys = node.record(("from", "to"), ("hexside",))
    return Link(
        start=words.link_end(keys["from"]),
        end=words.link_end(keys["to"]),
        side=words.side(keys["hexside"]) if "hexside" in keys else None,
        line=found.line(node),
    )
