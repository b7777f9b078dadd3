"""A map of about twenty hexes that has one of everything the board draws; every value is ours."""

from __future__ import annotations

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

TERRAIN = {
    (0, 0): "sea", (1, 0): "sea", (2, 0): "clear", (3, 0): "forest", (4, 0): "mountain",
    (0, 1): "sea", (1, 1): "clear", (2, 1): "clear", (3, 1): "clear", (4, 1): "rough",
    (0, 2): "clear", (1, 2): "forest", (2, 2): "urban", (3, 2): "clear", (4, 2): "sea",
    (0, 3): "marsh", (1, 3): "heath", (2, 3): "moonscape", (3, 3): "lake", (4, 3): "clear",
}  # fmt: skip


def course(text: str) -> tuple[Position, ...]:
    """The course that `0,-0.5 0,0.5` spells."""
    return tuple(Position(*map(float, pair.split(","))) for pair in text.split())


def site(kind: str, x: float, y: float, en: str = "", ja: str = "") -> Site:
    """A site; its id is its kind and name."""
    names = {tag: text for tag, text in (("en", en), ("ja", ja)) if text}
    return Site(f"{en or ja}-{kind}".lower(), kind, Position(x, y), (str(x), str(y)), names=names)


RIVER = course("-0.433,0.25 -0.1,0.05 0.1,-0.05 0.433,-0.25")

CONTENTS: dict[tuple[int, int], dict[str, object]] = {
    (1, 1): {
        "waters": (
            Water("river", course("-0.433,-0.25 -0.12,0.05 0.1,-0.05 0.433,0.25"), "Limfjord",
                  BankName("N"), BankName("S")),
        ),
        "sites": (
            site("airfield", 0.12, -0.27, "Aalborg", "オールボー"),
            site("port", 0.02, 0.24, "Aalborg", "オールボー"),
            site("town", -0.24, 0.2, "Aalborg", "オールボー"),
        ),
        "ways": (Way("rail", "S", "N", bridge=True), Way("road", "aalborg-town", "S")),
    },
    (2, 1): {
        "waters": (Water("strait", course("0,-0.5 -0.06,-0.2 0.05,0.15 0,0.5"), "Oslofjord"),),
        "ways": (Way("road", "NW", "SE"), Way("rail", "SW", "NE", bridge=True)),
        "sites": (site("fortress", 0.3, -0.12, "Oscarsborg"),),
    },
    (2, 0): {"waters": (Water("strait", course("0,-0.5 0.05,-0.1 0,0.5"), "Oslofjord"),),
             "names": {"en": "Østfold <&\">", "ja": "エストフォル"}},
    (3, 0): {"sites": (site("strongpoint", 0.0, 0.05, "Fort", "砦"),)},
    (3, 1): {
        "waters": (Water("inlet", course("0.433,0.25 0.2,0.08 0.05,0.02"), "Vik"),),
        "sites": (site("city", -0.2, -0.12, "Kongsby", "王の町"), site("port", -0.05, 0.2, "Kongsby havn")),
        "ways": (Way("road", "NW", "kongsby-city"), Way("road", "kongsby-city", "S"),
                 Way("rail", "SW", "centre"), Way("rail", "nowhere", "N")),
    },
    (2, 2): {"sites": (site("urban", 0.0, 0.0, "Großstadt", "大都市"), site("bridge", 0.3, 0.1, "", "大橋")),
             "ways": (Way("road", "N", "S", bridge=True),)},
    (1, 2): {"waters": (Water("river", RIVER, "Eider"),)},
    (0, 2): {"sites": (site("airport", 0.1, 0.1, "Bulltofta"), site("shrine", -0.2, -0.2, "Old shrine"))},
}  # fmt: skip


def build(terrain: dict[tuple[int, int], str] = TERRAIN) -> HexMap:
    """The map of the terrain, with the contents of its cells."""
    hexes = {
        Cell(*at): Hex(Cell(*at), HexId(f"T{at[0] + 1:02}{at[1] + 1:02}"), kind, **CONTENTS.get(at, {}))  # type: ignore[arg-type]
        for at, kind in terrain.items()
    }
    return HexMap(
        id="main",
        titles={"en": "Test"},
        grid=Grid(PITCH, "even"),
        sheets=(Sheet("T", 1, 5, 1, 4, 0, 0),),
        hexes=hexes,
        hexsides=(
            Hexside(Cell(3, 2), "NE", "river", "Glomma"),
            Hexside(Cell(3, 2), "SE", "river", "Glomma"),
            Hexside(Cell(2, 2), "S", "river", "Drava"),
            Hexside(Cell(2, 3), "N", "river", "Drava"),
            Hexside(Cell(0, 3), "NE", "strait"),
            Hexside(Cell(4, 0), "S", "blocked", "Ridge"),
            Hexside(Cell(4, 1), "SW", "blocked"),
            Hexside(Cell(2, 3), "S", "normal"),
        ),
    )
