"""A map of twenty hexes that has one of everything the board draws; every value is ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vmod_tools.mapdoc.model import (
    BankName,
    Cell,
    Grid,
    Hex,
    HexId,
    HexMap,
    Hexside,
    Position,
    Sheet,
    Site,
    Water,
    Way,
)

PITCH = 120
NASTY = 'Østfold <&">'

TERRAIN: Mapping[tuple[int, int], str] = {
    (0, 0): "sea", (1, 0): "sea", (2, 0): "clear", (3, 0): "forest", (4, 0): "mountain",
    (0, 1): "sea", (1, 1): "clear", (2, 1): "clear", (3, 1): "clear", (4, 1): "rough",
    (0, 2): "clear", (1, 2): "forest", (2, 2): "urban", (3, 2): "clear", (4, 2): "sea",
    (0, 3): "marsh", (1, 3): "heath", (2, 3): "moonscape", (3, 3): "lake", (4, 3): "clear",
}  # fmt: skip


def course(text: str) -> tuple[Position, ...]:
    """The course that `0,-0.5 0,0.5` spells."""
    pairs = [pair.split(",") for pair in text.split()]
    return tuple(Position(float(x), float(y)) for x, y in pairs)


def site(kind: str, x: float, y: float, en: str = "", ja: str = "") -> Site:
    """A site; its id is its name and kind."""
    names = {tag: text for tag, text in (("en", en), ("ja", ja)) if text}
    return Site(f"{en or ja}-{kind}".lower(), kind, Position(x, y), (str(x), str(y)), names=names)


def empty(col: int, row: int, terrain: str = "clear") -> Hex:
    """A hex with nothing in it."""
    return Hex(Cell(col, row), HexId(f"T{col + 1:02}{row + 1:02}"), terrain)


def _hexes() -> dict[Cell, Hex]:
    found = {Cell(*at): empty(*at, kind) for at, kind in TERRAIN.items()}

    def put(
        col: int,
        row: int,
        *,
        waters: tuple[Water, ...] = (),
        sites: tuple[Site, ...] = (),
        ways: tuple[Way, ...] = (),
        names: Mapping[str, str] | None = None,
    ) -> None:
        cell = Cell(col, row)
        found[cell] = replace(found[cell], waters=waters, sites=sites, ways=ways, names=names or {})

    put(
        1, 1,
        waters=(
            Water("river", course("-0.433,-0.25 -0.12,0.05 0.1,-0.05 0.433,0.25"), "Limfjord",
                  BankName("N"), BankName("S")),
        ),
        sites=(
            site("airfield", 0.12, -0.27, "Aalborg", "オールボー"),
            site("port", 0.02, 0.24, "Aalborg", "オールボー"),
            site("town", -0.24, 0.2, "Aalborg", "オールボー"),
        ),
        ways=(Way("rail", "S", "N", bridge=True), Way("road", "aalborg-town", "S")),
    )  # fmt: skip
    put(
        2, 1,
        waters=(Water("strait", course("0,-0.5 -0.06,-0.2 0.05,0.15 0,0.5"), "Oslofjord"),),
        ways=(Way("road", "NW", "SE"), Way("rail", "SW", "NE", bridge=True)),
        sites=(site("fortress", 0.3, -0.12, "Oscarsborg"),),
    )  # fmt: skip
    put(
        2, 0,
        waters=(Water("strait", course("0,0.5 0.05,-0.1 0,-0.5")),),
        names={"en": NASTY, "ja": "エストフォル"},
    )  # fmt: skip
    put(3, 0, sites=(site("strongpoint", 0.0, 0.05, "Fort", "砦"),))
    put(
        3, 1,
        waters=(Water("inlet", course("0.433,0.25 0.2,0.08 0.05,0.02"), "Vik"),),
        sites=(
            site("city", -0.2, -0.12, "Kongsby", "王の町"),
            site("port", -0.05, 0.2, "Kongsby havn"),
        ),
        ways=(
            Way("road", "NW", "kongsby-city"),
            Way("road", "kongsby-city", "S"),
            Way("rail", "SW", "centre"),
            Way("rail", "nowhere", "N"),
        ),
    )  # fmt: skip
    put(
        2, 2,
        sites=(site("urban", 0.0, 0.0, "Großstadt", "大都市"), site("bridge", 0.3, 0.1, "", "大橋")),
        ways=(Way("road", "N", "S", bridge=True),),
    )  # fmt: skip
    put(1, 2, waters=(Water("river", course("-0.5,0.13 0.1,-0.05 0.5,-0.13"), "Eider"),))
    put(
        0, 2,
        sites=(
            site("airport", 0.1, 0.1, "Bulltofta"),
            site("shrine", -0.2, -0.2, "Old shrine"),
            site("port", 0.3, 0.3),
        ),
    )  # fmt: skip
    return found


HEXSIDES = (
    Hexside(Cell(3, 2), "NE", "river", "Glomma"),
    Hexside(Cell(3, 2), "SE", "river", "Glomma"),
    Hexside(Cell(2, 2), "S", "river", "Drava"),
    Hexside(Cell(2, 3), "N", "river", "Drava"),
    Hexside(Cell(0, 3), "NE", "strait"),
    Hexside(Cell(4, 0), "S", "blocked", "Ridge"),
    Hexside(Cell(4, 1), "SW", "blocked"),
    Hexside(Cell(2, 3), "S", "normal"),
)


def build() -> HexMap:
    """The map."""
    return of_hexes(_hexes(), HEXSIDES)


def of_hexes(hexes: Mapping[Cell, Hex], hexsides: tuple[Hexside, ...] = ()) -> HexMap:
    """A map of some hexes on a sheet `T` of 5 by 4."""
    return HexMap(
        id="main",
        titles={"en": "Test"},
        grid=Grid(PITCH, "even"),
        sheets=(Sheet("T", 1, 5, 1, 4, 0, 0),),
        hexes=hexes,
        hexsides=hexsides,
    )
