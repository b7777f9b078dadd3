"""Location names: the worked examples of vassal-format.md section 10, and the engine's own answers."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crafted import (
    ESC,
    board,
    game,
    hex_grid,
    map_window,
    module,
    seq,
    tag,
    zone,
    zoned_grid,
)
from tests.vassal.engine import Engine
from vmod_tools.archive import Archive
from vmod_tools.boards import (
    OFFBOARD,
    BoardDefinition,
    DeckDefinition,
    MapDefinition,
    location_name,
    place_boards,
)
from vmod_tools.errors import BuildFileError
from vmod_tools.grids import (
    DEFAULT_DX,
    HexGrid,
    Numbering,
    UnreadGrid,
    Zone,
    ZonedGrid,
    fill_format,
    format_number,
    java_round,
    polygon_contains,
)
from vmod_tools.modules import Module

Points = list[tuple[int, int]]

GRID = HexGrid(40, 35, 60, 70)


def named(point: tuple[int, int], *, stagger: bool, sideways: bool = False) -> str | None:
    numbering = Numbering(1000, 700, stagger=stagger)
    return HexGrid(40, 35, 60, 70, sideways, numbering).location_name(*point)


@pytest.mark.parametrize(
    ("point", "cell", "plain", "staggered"),
    [
        ((40, 35), (0, 0), "0101", "0101"),
        ((100, 70), (1, 0), "0201", "0202"),
        ((100, 0), (1, -1), "0200", "0201"),
        ((160, 105), (2, 1), "0302", "0302"),
    ],
)
def test_worked_examples(
    point: tuple[int, int], cell: tuple[int, int], plain: str, staggered: str
) -> None:
    assert GRID.raw_cell(*point) == cell
    assert named(point, stagger=False) == plain
    assert named(point, stagger=True) == staggered


@pytest.mark.parametrize(
    ("point", "name"), [((35, 40), "0101"), ((70, 100), "0201"), ((105, 40), "0102")]
)
def test_worked_examples_sideways(point: tuple[int, int], name: str) -> None:
    assert named(point, stagger=False, sideways=True) == name


@pytest.mark.parametrize(("point", "name"), [((335, 585), "C04"), ((378, 510), "D04")])
def test_real_module_that_counts_sideways_in_letters(point: tuple[int, int], name: str) -> None:
    numbers = {"vDescend": "true", "hType": "A", "stagger": "false", "hOff": "-1"}
    numbering = Numbering.from_attributes(numbers, 1200, 866)
    grid = HexGrid(-17, 75, 75.3256, 87, sideways=True, numbering=numbering)
    assert grid.location_name(*point) == name


def test_centre_is_where_vassal_snaps() -> None:
    assert [GRID.centre(c, r) for c, r in ((0, 0), (1, 0), (2, 1), (-1, -1))] == [
        (40, 35),
        (100, 70),
        (160, 105),
        (-20, 0),
    ]
    assert HexGrid(40, 35, 60, 70, sideways=True).centre(1, 0) == (70, 100)


@given(st.integers(-50, 50), st.integers(-50, 50), st.booleans(), st.floats(20, 200))
def test_centre_lies_in_its_cell(column: int, row: int, sideways: bool, dy: float) -> None:
    grid = HexGrid(31, 47, dy * 0.866, dy, sideways)
    assert grid.raw_cell(*grid.centre(column, row)) == (column, row)


@pytest.mark.parametrize(
    ("number", "kind", "leading", "text"),
    [
        (7, "N", 1, "07"),
        (0, "N", 1, "00"),
        (12, "N", 1, "12"),
        (100, "N", 1, "100"),
        (7, "N", 0, "7"),
        (-7, "N", 1, "-07"),
        (7, "N", 3, "0007"),
        (0, "A", 1, "A"),
        (25, "A", 1, "Z"),
        (26, "A", 1, "AA"),
        (27, "A", 1, "BB"),
        (51, "A", 1, "ZZ"),
        (52, "A", 1, "AAA"),
        (-1, "A", 1, "-B"),
    ],
)
def test_number_is_written_as_vassal_does(number: int, kind: str, leading: int, text: str) -> None:
    assert format_number(number, kind, leading) == text


def test_format_and_rounding() -> None:
    assert fill_format("$a$-$b$$c$", {"a": "1", "b": "2"}) == "1-2"
    assert fill_format("100% $", {}) == "100% "
    assert fill_format("5\\$ $a$", {"a": "1"}) == "5$ 1"
    assert [java_round(v) for v in (0.5, -0.5, -1.5, 2.4)] == [1, 0, -1, 2]


def test_grid_without_numbering_names_nothing() -> None:
    assert GRID.location_name(40, 35) is None
    assert UnreadGrid("SquareGrid").location_name(1, 1) is None


# Attributes: their defaults, and the trap in them


def test_defaults_of_a_hex_grid() -> None:
    assert HexGrid.from_attributes({}, None) == HexGrid(0, 32, DEFAULT_DX, 64.0)
    assert HexGrid.from_attributes({"dy": "100"}, None).dx == pytest.approx(86.6025403)
    assert HexGrid.from_attributes({"dx": "50", "dy": "100"}, None).dx == 50


def test_defaults_of_a_numbering() -> None:
    assert Numbering.from_attributes({}, 10, 20) == Numbering(10, 20)
    assert Numbering.from_attributes({"first": "Vertical", "hType": ""}, 1, 1).first == "V"


@pytest.mark.parametrize(
    ("attributes", "field"),
    [
        ({"x0": "ten"}, "x0"),
        ({"dx": "wide"}, "dx"),
        ({"dx": "0"}, "dx"),
        ({"dy": "-5"}, "dy"),
        ({"dy": "nan"}, "dy"),
        ({"dx": "inf"}, "dx"),
    ],
)
def test_malformed_attribute_is_named(attributes: dict[str, str], field: str) -> None:
    with pytest.raises(BuildFileError) as caught:
        HexGrid.from_attributes(attributes, None)
    assert (caught.value.stable_code, caught.value.field) == ("BUILDFILE_ATTRIBUTE", field)


# Polygons and zones

SQUARE = ((10, 10), (20, 10), (20, 20), (10, 20))


def test_polygon_holds_its_left_and_top_edge_only() -> None:
    inside = [(10, 10), (15, 10), (10, 15), (19, 19)]
    outside = [(20, 15), (15, 20), (9, 15), (20, 20), (10, 20)]
    assert all(polygon_contains(SQUARE, *p) for p in inside)
    assert not any(polygon_contains(SQUARE, *p) for p in outside)
    assert not polygon_contains(SQUARE[:2], 10, 10)


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=7),
    st.tuples(st.integers(-9, 9), st.integers(-9, 9)),
)
def test_polygon_is_the_same_whatever_its_direction(
    path: list[tuple[int, int]], point: tuple[int, int]
) -> None:
    assert polygon_contains(tuple(path), *point) == polygon_contains(tuple(path[::-1]), *point)
    assert polygon_contains(tuple(path), *point) == polygon_contains((*path[2:], *path[:2]), *point)


def test_first_zone_decides_then_the_background() -> None:
    inner = HexGrid(0, 0, 10, 10, numbering=Numbering(100, 100))
    first = Zone("first", SQUARE, "$name$ $gridLocation$", inner)
    second = Zone("second", ((0, 0), (30, 0), (30, 30), (0, 30)))
    parent = Zone("p", ((50, 0), (60, 0), (60, 60), (50, 60)), "$gridLocation$", None, True)
    grid = ZonedGrid((first, second, parent), inner)
    assert grid.location_name(15, 15) == "first 0303"
    assert grid.location_name(5, 5) == "second"
    assert grid.location_name(55, 5) == inner.location_name(55, 5)
    assert grid.location_name(90, 90) == inner.location_name(90, 90)
    assert ZonedGrid((first, parent)).location_name(55, 5) == ""
    assert ZonedGrid((first,)).location_name(90, 90) is None
    assert grid.zone_at(15, 15) is first
    assert grid.zone_at(-1, -1) is None


# Boards

PLAIN = HexGrid(0, 0, 10, 10, numbering=Numbering(100, 50))
A = BoardDefinition("A", 100, 50, PLAIN)
B = BoardDefinition("B", 30, 70, PLAIN)
BARE = BoardDefinition("bare", 20, 20)
WINDOW = MapDefinition("Main", 7, 5, (A, B, BARE), (DeckDefinition("Deck", "B", 3, 4),))


def placed(*chosen: str) -> list[tuple[str, int, int, bool]]:
    return [(b.definition.name, b.x, b.y, b.reversed) for b in place_boards(WINDOW, chosen)]


def test_boards_stand_side_by_side() -> None:
    assert placed("A", "0", "0", "B/rev", "1", "0", "bare", "1", "1") == [
        ("A", 7, 5, False),
        ("B", 107, 5, True),
        ("bare", 7, 75, False),
    ]


def test_unknown_or_malformed_choices_are_skipped() -> None:
    assert placed("nowhere", "0", "0", "A", "x", "0", "A", "0", "²", "A", "0") == []
    assert placed() == []


def test_only_board_needs_no_choice() -> None:
    window = MapDefinition("Main", 7, 5, (A,))
    assert [(b.x, b.y) for b in place_boards(window, ())] == [(7, 5)]


def test_location_names_on_a_map() -> None:
    boards = place_boards(WINDOW, ("A", "0", "0", "B/rev", "1", "0", "bare", "2", "0"))
    assert location_name(WINDOW, boards, 7, 5) == "0101"
    assert location_name(WINDOW, boards, 6, 5) == OFFBOARD
    assert location_name(WINDOW, boards, 106, 5) == PLAIN.location_name(99, 0)
    assert location_name(WINDOW, boards, 107, 5) == PLAIN.location_name(30, 70)
    assert location_name(WINDOW, boards, 110, 9) == "Deck"
    assert location_name(WINDOW, boards, 140, 10) == OFFBOARD
    assert WINDOW.board("B") is B


# The engine's answers: hand-made grids


def numbering(**changed: object) -> dict[str, object]:
    return {
        "first": "H",
        "sep": "",
        "hType": "N",
        "vType": "N",
        "hLeading": 1,
        "vLeading": 1,
        "hOff": 1,
        "vOff": 1,
        "hDescend": "false",
        "vDescend": "false",
        "stagger": "true",
        "locationFormat": "$gridLocation$",
    } | changed


BASE: dict[str, object] = {"x0": 30, "y0": 32, "dx": 52.0, "dy": 60.0}
# name -> attributes of the HexGrid, changes to its numbering
GRIDS: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "plain": ({}, {}),
    "no stagger": ({}, {"stagger": "false"}),
    "h descends": ({}, {"hDescend": "true"}),
    "v descends": ({}, {"vDescend": "true"}),
    "both descend": ({}, {"hDescend": "true", "vDescend": "true"}),
    "descending without stagger": ({}, {"vDescend": "true", "stagger": "false"}),
    "letters": ({}, {"hType": "A", "vLeading": 0}),
    "letters down": ({}, {"vType": "A", "hLeading": 3}),
    "first V": ({}, {"first": "V", "sep": "."}),
    "offsets": ({}, {"hOff": -3, "vOff": 98, "sep": "-"}),
    "negative letters": ({}, {"hOff": -4, "hType": "A", "sep": "/"}),
    "odd sizes": ({"x0": -17, "y0": 75, "dx": 56.29, "dy": 65.0}, {"hLeading": 0}),
    "format": ({}, {"locationFormat": "Hex $column$,$row$ ($gridLocation$)"}),
    "unknown property": ({}, {"locationFormat": "$gridLocation$ $nosuch$!"}),
    "odd dollar": ({}, {"locationFormat": "$gridLocation$ 5$"}),
    "two odd dollars": ({}, {"locationFormat": "$gridLocation$ 5$x$y$z"}),
    "escaped dollar": ({}, {"locationFormat": "\\$5 $gridLocation$"}),
    "quoted": ({}, {"locationFormat": "'a'$gridLocation$'b'"}),
    "blanks": ({}, {"locationFormat": "  $gridLocation$ x "}),
    "one text for all": ({}, {"locationFormat": "everywhere"}),
    "a number for all": ({}, {"locationFormat": "007"}),
    "blank": ({}, {"locationFormat": "  "}),
}
for _name in (
    "plain",
    "no stagger",
    "h descends",
    "v descends",
    "both descend",
    "letters",
    "first V",
):
    GRIDS[f"sideways, {_name}"] = ({"sideways": "true"}, GRIDS[_name][1])

ATTRIBUTE_SETS: dict[str, dict[str, object]] = {
    "nothing at all": {},
    "dy alone": {"dy": 48},
    "dx alone": {"dx": 40.5},
    "origin alone": {"x0": 11, "y0": -7},
    "default dx said": {"dx": DEFAULT_DX, "dy": 80},
}
SIZE = (421, 367)
TRIANGLE = "10,10;200,30;60,180"
STAR = "250,20;300,170;180,70;320,70;200,170"
ZONES = zoned_grid(
    zone(
        "tri", TRIANGLE, hex_grid(numbering(hOff=5), **BASE), locationFormat="$name$:$gridLocation$"
    ),
    zone("star", STAR, locationFormat="$name$"),
    zone(
        "own",
        "0,200;200,200;200,360;0,360",
        hex_grid(numbering(vDescend="true"), **BASE),
        locationFormat="$gridLocation$",
    ),
    zone(
        "parent",
        "200,200;300,200;300,300;200,300",
        useParentGrid="true",
        locationFormat="p$gridLocation$",
    ),
    zone("empty", "300,300;400,300;400,360;300,360", locationFormat=""),
    zone("no grid", "300,200;400,200;400,300;300,300", locationFormat="$name$ $gridLocation$."),
    hex_grid(numbering(), **BASE),
)


@pytest.fixture(scope="module")
def grid_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One module with a map for each grid, and one map of several boards."""
    windows = [
        map_window(name, board("Board", *SIZE, hex_grid(numbering(**numbers), **(BASE | given))))
        for name, (given, numbers) in GRIDS.items()
    ]
    windows += [
        map_window(name, board("Board", *SIZE, hex_grid(numbering(), **given)))
        for name, given in ATTRIBUTE_SETS.items()
    ]
    windows.append(map_window("zones", board("Board", *SIZE, ZONES)))
    pile = tag("VASSAL.build.module.map.DrawPile", name="Pile", owningBoard="Right", x=20, y=30)
    windows.append(
        map_window(
            "boards",
            board("Left", 150, 90, hex_grid(numbering(), **BASE), reversible="true"),
            board("Right", 100, 130, hex_grid(numbering(hType="A"), **BASE), reversible="true"),
            board("Low", 120, 60, hex_grid(None, **BASE)),
            parts=pile,
            edgeWidth=20,
            edgeHeight=10,
        )
    )
    path = tmp_path_factory.mktemp("grids") / "grids.vmod"
    path.write_bytes(module(*windows))
    return path


@pytest.fixture(scope="module")
def grids_read(grid_module: Path) -> Module:
    return Module.read(Archive.parse(grid_module.read_bytes()))


def points(seed: str, width: int, height: int, count: int = 150) -> list[tuple[int, int]]:
    rng = random.Random(seed)  # noqa: S311
    return [(rng.randrange(-9, width + 9), rng.randrange(-9, height + 9)) for _ in range(count)]


def corners(path: str) -> Iterable[tuple[int, int]]:
    """Points on and beside the corners and middles of a path's edges."""
    at = [tuple(map(int, p.split(","))) for p in path.split(";")]
    for (x, y), (u, v) in zip(at, at[1:] + at[:1], strict=True):
        for px, py in ((x, y), ((x + u) // 2, (y + v) // 2)):
            yield from ((px + dx, py + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def theirs(
    engine: Engine, path: Path, map: str, asked: Points, save: Path | None = None
) -> list[str]:
    options: dict[str, Any] = {} if save is None else {"from_": save}
    answer = engine.shared(path).ask("location", map, [list(p) for p in asked], **options)
    assert [(p["x"], p["y"]) for p in answer["points"]] == list(asked)
    return [p["locationName"] for p in answer["points"]]


def ours(read: Module, map: str, asked: Points, *chosen: str) -> list[str]:
    definition = read.map(map)
    assert definition is not None
    boards = place_boards(definition, chosen)
    return [location_name(definition, boards, *p) for p in asked]


@pytest.mark.engine
@pytest.mark.parametrize("name", [*GRIDS, *ATTRIBUTE_SETS, "zones"])
def test_engine_names_points_alike(
    engine: Engine, grid_module: Path, grids_read: Module, name: str
) -> None:
    asked = points(name, *SIZE)
    if name == "zones":
        asked += [*corners(TRIANGLE), *corners(STAR), *points("more", *SIZE, 600)]
    assert ours(grids_read, name, asked) == theirs(engine, grid_module, name, asked)


@pytest.mark.engine
@pytest.mark.parametrize("chosen", ["Left,Right", "Right,Left", "Left/rev,Right/rev", "Low,Right"])
def test_engine_names_points_of_several_boards_alike(
    engine: Engine, grid_module: Path, grids_read: Module, tmp_path: Path, chosen: str
) -> None:
    asked = [(p[0], p[1]) for p in points(chosen, 320, 160, 300)]
    fields = [f for column, b in enumerate(chosen.split(",")) for f in (b, str(column), "0")]
    first = place_boards(grids_read.maps[-1], tuple(fields))
    right = next(b for b in first if b.definition.name == "Right")
    asked.append((right.x + 20, right.y + 30))
    save = tmp_path / "boards.vsav"
    picker = "\t".join(["boardsBoardPicker", *fields])
    save.write_bytes(game(seq(ESC, "begin_save", "", picker, "SETUP_STACK\t", "end_save")))
    answered = theirs(engine, grid_module, "boards", asked, save)
    assert ours(grids_read, "boards", asked, *fields) == answered
    assert answered[-1] == "Pile"


# The engine's answers: published modules whose boards have a known size

PUBLISHED = {
    "jzedwards_vassal-hex-n-counters-template__011e7b8c_src_840ec84d.vmod": "Main Map",
    "jzedwards_vassal-hex-n-counters-template__65da1fca_jzhex-n-counters-template-v12-379.vmod": "Main Map",
    "aitortilladepatata6969_JADO-WORLD__29c1ac79_JADO-WORLD_f9f622f2.vmod": "AIR TACTICAL COMBAT",
}


@pytest.mark.engine
@pytest.mark.parametrize("name", PUBLISHED)
def test_engine_names_the_cells_of_published_modules_alike(
    engine: Engine, shared: Path, name: str
) -> None:
    path = shared / "corpus" / name
    read = Module.read(Archive.parse(path.read_bytes()))
    definition = read.map(PUBLISHED[name])
    assert definition is not None
    only = definition.boards[0]
    asked = points(name, only.width, only.height, 400)
    grid = only.grid
    if isinstance(grid, HexGrid):
        columns, rows = int(only.width / grid.dx), int(only.height / grid.dy)
        centres = [grid.centre(c, r) for c in range(columns) for r in range(rows)]
        asked += [(x + definition.edge_width, y + definition.edge_height) for x, y in centres]
    assert ours(read, definition.identifier, asked) == theirs(
        engine, path, definition.identifier, asked
    )
