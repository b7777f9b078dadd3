"""The map document as frozen data: what `maps/<set>/map.xml` says, and nothing that follows from it.

Contract: design.md section 4.  Geometry (neighbours, pixels, polygons) is in `geometry`, banks in
`banks`, reading and checks in `reading`; this module only names the parts.

`line` is where an element stands in its document (0 = not read from one); it is no part of what the
element says, so equality leaves it out.

Units: positions are in pitch units (1.0 = distance between opposite hexsides) from the hex centre,
x to the right, y down.  Cells count from 0 on the grid that all sheets of a map share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, NewType

HexId = NewType("HexId", str)
"""A hex as players write it (`B5431`).  Resolve it through the sheets; never compare it as text."""

BankName = NewType("BankName", str)
"""A bank in the rulebook's words: N S E W C or two letters (SW).  Never computed from the board."""

Side = Literal["N", "NE", "SE", "S", "SW", "NW"]
SIDES: tuple[Side, ...] = ("N", "NE", "SE", "S", "SW", "NW")
"""Hexsides of a flat-top hex as they lie on the board, clockwise from up."""

OPPOSITE: Mapping[Side, Side] = {s: SIDES[(i + 3) % 6] for i, s in enumerate(SIDES)}

HexsideKind = Literal["normal", "river", "strait", "blocked"]
WaterKind = Literal["river", "strait", "inlet"]
"""An inlet is a fjord head or harbour basin: it is drawn, but parts nothing and has no banks."""

WayKind = Literal["road", "rail"]


class Cell(NamedTuple):
    """Column and row on the common grid of a map, from 0."""

    col: int
    row: int


class Position(NamedTuple):
    """A point inside a hex, in pitch units from its centre (x right, y down)."""

    x: float
    y: float


class CellPosition(NamedTuple):
    """A point of the map: a cell and a position inside it."""

    cell: Cell
    at: Position


Names = Mapping[str, str]
"""Text by language tag; an element without xml:lang is `en`."""


@dataclass(frozen=True, slots=True)
class Grid:
    """`<grid>`: flat-top hexes; `pushed` says which columns (by printed number) lie half a hex lower."""

    pitch: int
    pushed: Literal["even", "odd"] = "even"
    kind: Literal["hex"] = "hex"
    columns: Literal["vertical"] = "vertical"


@dataclass(frozen=True, slots=True)
class Georeference:
    """`<georeference>`: where the grid lies on the earth; column and row are the first sheet's numbering run on."""

    projection: str
    lat: float
    lon: float
    km_per_hex: float
    bearing: float
    column: float
    row: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """`<sheet>`: printed numbers first..last of columns and rows; number `first` is cell col0 or row0."""

    id: str
    first_column: int
    last_column: int
    first_row: int
    last_row: int
    col0: int
    row0: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Bank:
    """`<bank>`: all hexsides that a bank touches; none listed leaves them to the course."""

    id: BankName
    sides: frozenset[Side]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Water:
    """`<water>`: in-hex water; its course runs from one hexside to another (an inlet may end inside).

    The course is empty where a small inline map only says that there is water, and between which banks.
    """

    kind: WaterKind
    course: tuple[Position, ...]
    name: str = ""
    left: BankName | None = None
    right: BankName | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Site:
    """`<site>`: a feature with a place of its own in the hex; `xy_text` is how the document spells x and y.

    Both texts are empty when a small inline map gives no place; `at` is then the centre and means nothing.
    """

    id: str
    kind: str
    at: Position
    xy_text: tuple[str, str]
    bank: BankName | None = None
    names: Names = field(default_factory=dict)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Way:
    """`<road>` or `<rail>`: its two ends are hexsides, site ids of the hex, or `centre`."""

    kind: WayKind
    start: str
    end: str
    bridge: bool = False
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Hex:
    """`<hex>`: `written` is the id as the document has it, `cell` what it means."""

    cell: Cell
    written: HexId
    terrain: str
    waters: tuple[Water, ...] = ()
    banks: tuple[Bank, ...] = ()
    sites: tuple[Site, ...] = ()
    ways: tuple[Way, ...] = ()
    names: Names = field(default_factory=dict)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Hexside:
    """`<hexside>`: what lies along one hexside; a hexside that is not listed is normal."""

    cell: Cell
    side: Side
    kind: HexsideKind
    name: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Link:
    """`<link>`: two hexes of different maps (`op:2420`, `city:1320`) that are adjacent."""

    start: str
    end: str
    side: Side | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class HexMap:
    """`<map>`: one board.  `hexes` and `hexsides` are in document order."""

    id: str
    titles: Names
    grid: Grid
    sheets: tuple[Sheet, ...]
    hexes: Mapping[Cell, Hex]
    hexsides: tuple[Hexside, ...] = ()
    georeference: Georeference | None = None
    line: int = field(default=0, compare=False)
    listed: Mapping[tuple[Cell, Side], Hexside] = field(init=False, compare=False, repr=False)
    """`hexsides` by the hex and side they are listed under; ask `banks.hexside_kind` for either hex."""

    def __post_init__(self) -> None:
        # Of two contradicting entries (HEXSIDE_TWICE) the first counts.
        index = {(entry.cell, entry.side): entry for entry in reversed(self.hexsides)}
        object.__setattr__(self, "listed", index)


@dataclass(frozen=True, slots=True)
class MapDocument:
    """`<maps>`: a map set.  `source` is the document's own text, byte for byte, when it was read from XML."""

    id: str
    game: str
    maps: tuple[HexMap, ...]
    links: tuple[Link, ...] = ()
    source: bytes | None = field(default=None, compare=False, repr=False)
