"""Saves written from a table, and pieces put into a save from one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.e_edit.layers import text_of
from tests.e_edit.test_modules import prototype, slot
from tests.support.crafted import (
    ESC,
    TAB,
    board,
    hex_grid,
    map_window,
    module,
    tag,
    zip_of,
    zone,
    zoned_grid,
)
from vmod_tools.archive import Archive
from vmod_tools.boards import BoardDefinition, MapDefinition, place_boards
from vmod_tools.commands.tree import leaves
from vmod_tools.edit.newsave import new_save
from vmod_tools.edit.setuptable import Row, read_table
from vmod_tools.errors import VmodError
from vmod_tools.gridpoints import grid_point, point_of
from vmod_tools.grids import HexGrid, Numbering, UnreadGrid, Zone, ZonedGrid
from vmod_tools.modules import Module
from vmod_tools.pieces import Place
from vmod_tools.saves import Save
from vmod_tools.verify import verify

IMMOBILE = ("immob;n;N", "")


def module_of(*components: str, version: str = "3.5.8") -> Module:
    data = module(*components)
    archive = Archive.parse(data)
    entry = archive.find("moduledata")
    assert entry
    text = archive.read(entry).replace(b"3.5.8", version.encode())
    return Module.read(archive.with_entry("moduledata", text))


def table(*lines: str) -> tuple[Row, ...]:
    return read_table("\n".join(lines).encode())


GRID = hex_grid({}, x0=30, y0=32, dx=52, dy=60)
PALETTE = tag(
    "x.PieceWindow",
    slot("Inf", "1", ("mark;Side", "Blue"), ("prototype;Unit", "")),
    slot("Fort", "2", IMMOBILE),
    slot("Twin", "3"),
    slot("Twin", "4"),
)
PROTOTYPES = tag("x.PrototypesContainer", prototype("Unit", ("PROP;Mode;;", "road")))
MAIN = map_window("Main", board("B", 400, 300, GRID), edgeWidth=20, edgeHeight=10)


@pytest.fixture(scope="module")
def plain() -> Module:
    return module_of(PROTOTYPES, PALETTE, MAIN)


def test_save_is_written_from_a_table(plain: Module) -> None:
    rows = table(
        "slot,map,x,y,location,Side,Mode",
        "1,Main,,,0302,Red,",
        "Fort,Main,154,102,,,",
        "1,Main,154,102,,,bp",
        "2,Main,9,9,,,",
    )
    archive = new_save(plain, rows)
    data = archive.to_bytes()
    assert verify(data, "x").exact
    assert text_of(data) == ESC.join(
        [
            "begin_save",
            "",
            "\\" + ESC + f"\\{ESC}".join([
                "+/1700000000001/immob;n;N\tpiece;;;a.png;Fort/\tMain;154;102;2;0",
                "+/1700000000000/mark;Side\tPROP;Mode;;\\\tpiece;;;a.png;Inf/"
                "Red\troad\\\tMain;154;102;1;0",
                "+/1700000000002/mark;Side\tPROP;Mode;;\\\tpiece;;;a.png;Inf/"
                "Blue\tbp\\\tMain;154;102;1;0",
                "+/1700000000004/stack/Main;154;102;1700000000000;1700000000002;@@-1",
                "+/1700000000003/immob;n;N\tpiece;;;a.png;Fort/\tMain;9;9;2;0",
            ]),
            f"MainBoardPicker{TAB}B{TAB}0{TAB}0",
            "end_save",
        ]
    )  # fmt: skip
    save = Save.read(Archive.parse(data))
    save.require_whole()
    assert [e.name for e in archive.entries] == ["savedGame", "savedata", "moduledata"]
    assert save.metadata is not None
    assert (save.metadata.version, save.metadata.date_saved) == ("1.0", "1700000000000")
    assert save.module is not None
    assert save.module.name == "Made by hand"
    assert new_save(plain, rows).to_bytes() == data


def test_save_without_pieces(plain: Module) -> None:
    text = text_of(new_save(plain, ()).to_bytes())
    assert text == f"begin_save{ESC}{ESC}MainBoardPicker\tB\t0\t0{ESC}end_save"


def test_module_that_says_little(plain: Module) -> None:
    build = plain.archive.find("buildFile.xml")
    assert build
    xml = plain.archive.read(build).replace(b"3.5.8", b"3.4.7")
    bare = Module.read(Archive.parse(zip_of({"buildFile.xml": xml})))
    archive = new_save(bare, table("slot,map,x,y", "1,Main,5,5"))
    assert [e.name for e in archive.entries] == ["savedGame", "savedata"]
    # Stacks had no layers before 3.4.8.
    assert "/stack/Main;5;5;1700000000000\x1b" in text_of(archive.to_bytes())


def test_what_stands_on_the_map_at_the_start_is_in_the_save() -> None:
    at_start = tag("x.SetupStack", slot("S", "5"), slot("Wall", "6", IMMOBILE), name="s",
                   owningBoard="B", x=30, y=32, useGridLocation="true", location="0302")  # fmt: skip
    elsewhere = tag("x.SetupStack", slot("N", "7"), name="n", owningBoard="Other", x=1, y=1)
    anywhere = tag("x.SetupStack", slot("O", "8"), name="o", x=1, y=2)
    pile = tag("x.DrawPile", slot("Card", "9", kind="CardSlot"), slot("Card2", "10", IMMOBILE),
               name="Deck;1", x=50, y=60, owningBoard="B", faceDown="Never",
               reshuffleCommand="Again", shuffleCommand="Mix")  # fmt: skip
    empty = tag("x.DrawPile", name="Empty", x=70, y=60, reshufflable="true", reshuffleCommand="Go")
    parts = at_start + elsewhere + anywhere + pile + empty
    loaded = module_of(
        PALETTE, map_window("Main", board("B", 400, 300, GRID), edgeWidth=20, parts=parts)
    )
    rows = table("slot,map,x,y,location", "1,Main,154,92,", "2,Main,,,Deck;1")
    save = Save.read(new_save(loaded, rows))
    state = save.state
    names = {p.piece.basic["name"]: (p.place.x, p.place.y, p.stack) for p in state.pieces.values()}
    holders = {h.place: h for h in state.holders.values()}
    assert set(names) == {"S", "Wall", "O", "Card", "Card2", "Inf", "Fort"}
    assert names["Wall"] == (154, 92, None)
    stack = holders[Place("Main", 154, 92)]
    assert [state.pieces[m].piece.basic["name"] for m in stack.members] == ["S", "Inf"]
    deck = holders[Place("Main", 70, 60)]
    assert [state.pieces[m].piece.basic["name"] for m in deck.members] == ["Card", "Card2", "Fort"]
    assert deck.piece.basic["deck_name"] == "Deck;1"
    assert deck.piece.basic["reshuffle_command"] == ""
    assert deck.piece.basic["shuffle_command"] == "Mix"
    # 3.5 writes 33 fields.
    assert len(deck.piece.basic.tokens) == 33
    assert deck.piece.state_chain[-1].text.startswith("Main;70;60;false;")
    bare = holders[Place("Main", 90, 60)]
    assert bare.members == ()
    assert bare.piece.basic["reshuffle_command"] == "Go"
    assert bare.piece.state_chain[-1].text == "Main;90;60;true"
    assert "SETUP_STACK\t" in list(leaves(save.tree))


def test_at_start_stack_on_a_map_without_boards() -> None:
    parts = tag("x.SetupStack", slot("O", "8"), name="o", x=1, y=2)
    two = map_window("Main", board("A", 9, 9), board("B", 9, 9), parts=parts)
    state = Save.read(new_save(module_of(two), ())).state
    assert [p.place for p in state.pieces.values()] == [Place("Main", 1, 2)]
    assert state.boards == {"Main": ()}


def test_deck_with_global_commands_is_refused() -> None:
    pile = tag("x.DrawPile", tag("x.DeckGlobalKeyCommand"), name="D")
    with pytest.raises(VmodError) as caught:
        new_save(module_of(map_window("Main", board("B", 9, 9), parts=pile)), ())
    assert caught.value.stable_code == "NEW_SAVE_DECK"


def test_boards_are_the_modules_choice_or_ours() -> None:
    boards = board("A/1", 100, 90, GRID), board("B", 50, 90, GRID)
    setup = "<setup>OldBoardPicker\tB\t0\t0</setup>"
    two = module_of(PALETTE, map_window("Main", *boards))
    chosen = new_save(two, table("slot,map,location,x,y", "1,Main,0101,,"), {"Main": ("A/1", "B")})
    assert Save.read(chosen).state.boards == {"Main": ("A\\/1", "0", "0", "B", "1", "0")}
    own = module_of(PALETTE, map_window("Main", *boards, setup))
    assert Save.read(new_save(own, ())).state.boards == {"Main": ("B", "0", "0")}
    with pytest.raises(VmodError) as caught:
        new_save(two, (), {"Main": ("C",)})
    assert caught.value.stable_code == "NO_BOARD"


def test_global_properties_begin_with_their_values() -> None:
    def properties(kind: str, *names: str) -> str:
        return "".join(tag(f"x.{kind}", name=n, initialValue=f"{n};1") for n in names)

    zones = zoned_grid(zone("Z", "0,0;9,0;9,9", properties("ZoneProperty", "C")))
    parts = tag("x.GlobalProperties", properties("GlobalProperty", "B"))
    loaded = module_of(
        tag("x.GlobalProperties", properties("GlobalProperty", "A", "")),
        map_window("Main", board("B", 9, 9, zones), parts=parts),
    )
    state = Save.read(new_save(loaded, ())).state
    assert state.properties == {
        ("Module", "A"): "A;1",
        ("Main", "B"): "B;1",
        ("Main:Z", "C"): "C;1",
    }


# Bad tables


@pytest.mark.parametrize(
    ("lines", "code", "place"),
    [
        (["slot,x,y", "1,2,3"], "SETUP_COLUMNS", "line 1"),
        (["slot,map,map"], "SETUP_COLUMNS", "line 1"),
        ([""], "SETUP_COLUMNS", "line 1"),
        (["slot,map,x,y", "1,Main,1,2,3"], "SETUP_ROW", "line 2"),
        (["slot,map,x,y", "1,Main,1,"], "SETUP_ROW", "line 2"),
        (["slot,map,x,y", "1,Main,one,2"], "SETUP_ROW", "line 2"),
        (["slot,map,x,location", "1,Main,1,0101"], "SETUP_ROW", "line 2"),
        (['slot,map,x,y', '"1,Main,1,2'], "SETUP_CSV", "line 2"),
        (["slot,map,x,y", "99,Main,1,2"], "SETUP_ROW", "line 2"),
        (["slot,map,x,y", "Twin,Main,1,2"], "SETUP_ROW", "line 2"),
        (["slot,map,x,y", ",Main,1,2"], "SETUP_ROW", "line 2"),
        (["slot,map,x,y", "1,Main,1,2", "1,Other,1,2"], "SETUP_ROW", "line 3"),
        (["slot,map,location", "1,Main,9z"], "SETUP_ROW", "line 2"),
        (["slot,map,x,y,None", "1,Main,1,2,x"], "SETUP_ROW", "line 2"),
        (["slot,map,x,y,Strength_Level", "1,Main,1,2,x"], "SETUP_ROW", "line 2"),
    ],
)  # fmt: skip
def test_bad_table_is_told_with_its_line(
    plain: Module, lines: list[str], code: str, place: str
) -> None:
    with pytest.raises(VmodError) as caught:
        new_save(plain, table(*lines))
    assert (caught.value.stable_code, caught.value.place) == (code, place)


def test_error_of_an_edit_gets_the_line() -> None:
    layer = ("emb2;;128;A;;128;;;128;;;;1;false;0;0;a.png;;false;Step", "1")
    loaded = module_of(tag("x.PieceWindow", slot("L", "1", layer)), MAIN)
    with pytest.raises(VmodError) as caught:
        new_save(loaded, table("slot,map,x,y,Step_Level", "1,Main,1,2,two"))
    assert (caught.value.stable_code, caught.value.place) == ("EDIT_LEVEL", "line 2")


def test_table_in_another_encoding_is_refused() -> None:
    assert read_table(b"\xef\xbb\xbfslot,map,x,y\r\n1,Main,1,2\r\n")[0].point == (1, 2)
    with pytest.raises(VmodError) as caught:
        read_table(b"slot,map\n\xff,x")
    assert caught.value.stable_code == "SETUP_ENCODING"


# From names to points


def numbered(
    numbers: Mapping[str, object] | None = None,
    *,
    sideways: bool = False,
    size: tuple[int, int] = (1000, 700),
) -> HexGrid:
    texts = {k: str(v) for k, v in (numbers or {}).items()}
    return HexGrid(40, 35, 60.0, 70.0, sideways, Numbering.from_attributes(texts, *size))


BOOLEANS = ("false", "true")


@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize("stagger", BOOLEANS)
@pytest.mark.parametrize("h", BOOLEANS)
@pytest.mark.parametrize("v", BOOLEANS)
@pytest.mark.parametrize("size", [(1000, 700), (1060, 770)])
def test_every_name_leads_to_its_point(
    *, sideways: bool, stagger: str, h: str, v: str, size: tuple[int, int]
) -> None:
    """With VASSAL's own inverse, names with stagger, a descending column axis and an odd maximum fail."""
    numbers = {
        "stagger": stagger,
        "hDescend": h,
        "vDescend": v,
        "sep": "-",
        "hOff": -2,
        "first": "V",
    }
    grid = numbered(numbers, sideways=sideways, size=size)
    for column in range(6):
        for row in range(4):
            point = grid.centre(column, row)
            name = grid.location_name(*point)
            assert name is not None
            assert grid_point(grid, name) == point


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ({"hType": "A", "vType": "A", "sep": "/"}, "BB/C"),
        ({"hType": "A", "hOff": -30}, "-AA04"),
        ({"locationFormat": "Hex $column$, $row$!"}, "Hex 03, 04!"),
        ({"locationFormat": "$row$.$column$", "hLeading": 0}, "04.3"),
    ],
)
def test_names_of_other_forms(attributes: dict[str, object], name: str) -> None:
    grid = numbered(attributes)
    point = grid_point(grid, name)
    assert point is not None
    assert grid.location_name(*point) == name


@pytest.mark.parametrize(
    "attributes",
    [
        {"locationFormat": "$column$"},
        {"locationFormat": "$column$$column$$row$"},
        {"locationFormat": "[$gridLocation$"},
        {"hLeading": 12},
    ],
)
def test_names_that_do_not_say_the_cell_have_no_point(attributes: dict[str, object]) -> None:
    assert grid_point(numbered(attributes), "0304") is None


def test_grids_without_names_have_no_points() -> None:
    assert grid_point(HexGrid(), "0101") is None
    assert grid_point(UnreadGrid("RegionGrid"), "Rome") is None


SQUARE = ((0, 0), (500, 0), (500, 500), (0, 500))


@pytest.mark.parametrize(
    ("zones", "name", "found"),
    [
        ([Zone("Z", SQUARE, "$name$ $gridLocation$", numbered())], "Z 0303", True),
        ([Zone("Z", SQUARE, "$name$ $gridLocation$", numbered())], "Z 9903", False),
        ([Zone("Z", SQUARE, "$gridLocation$", use_parent_grid=True)], "0303", True),
        ([Zone("Z", SQUARE, "$name$")], "Z", True),
        ([Zone("Z", SQUARE, "$other$x")], "x", True),
        ([Zone("Z", (), "$name$")], "Z", False),
        # The mean of this one's corners lies outside, and so its first corner is taken.
        ([Zone("L", ((0, 0), (90, 0), (90, 9), (9, 9), (9, 90), (0, 90)), "$name$")], "L", True),
        ([Zone("Z", SQUARE, "$name$", numbered())], "2003", True),
        ([Zone("Z", SQUARE, "$gridLocation$")], "", True),
    ],
)
def test_names_of_zones(zones: list[Zone], name: str, *, found: bool) -> None:
    grid = ZonedGrid(tuple(zones), numbered())
    point = grid_point(grid, name)
    if name == "":
        # The zone has no grid: every point of it is called "", and no point is known.
        found = False
    assert (point is not None) == found
    if point is not None:
        assert grid.location_name(*point) == name


def test_zones_without_a_background() -> None:
    assert grid_point(ZonedGrid((Zone("Z", SQUARE, "$name$"),)), "Y") is None


def test_boards_and_decks_are_searched(plain: Module) -> None:
    definition = plain.maps[0]
    boards = place_boards(definition, ())
    assert point_of(definition, boards, "0302") == (154, 102)
    turned = place_boards(definition, ("B/rev", "0", "0"))
    found = point_of(definition, turned, "0302")
    assert found == (20 + 400 - 134, 10 + 300 - 92)
    blank = MapDefinition("M", 0, 0, (BoardDefinition("B", 9, 9),))
    assert point_of(blank, place_boards(blank, ()), "0302") is None


def test_prototype_that_cannot_be_read_is_as_good_as_missing() -> None:
    broken = tag("VASSAL.build.module.PrototypeDefinition", "no piece", name="Unit")
    loaded = module_of(broken, PALETTE, MAIN)
    state = Save.read(new_save(loaded, table("slot,map,x,y", "1,Main,1,2"))).state
    (placed,) = state.pieces.values()
    assert [level.text for level in placed.piece.type_chain] == ["mark;Side", "piece;;;a.png;Inf"]


def test_prototypes_in_a_circle_are_refused() -> None:
    circle = prototype("Unit", ("prototype;Unit", ""))
    with pytest.raises(VmodError) as caught:
        new_save(module_of(circle, PALETTE, MAIN), table("slot,map,x,y", "1,Main,1,2"))
    assert caught.value.stable_code == "PROTOTYPE_CYCLE"


def test_prototypes_are_put_in_place_with_their_parameters() -> None:
    prototypes = (
        prototype("Land", ("mark;Move", "$mp$"), ("prototype;Any", ""), ("prototype;Gone", "")),
        prototype("Any", ("clone;$mp$$x$", "")),
    )
    unit = slot("Tank", "1", ("mark;A", "1"), ("prototype;Land;mp=4", ""), ("cmt;hm", ""))
    rows = table("slot,map,x,y", "1,Main,1,2")
    state = Save.read(new_save(module_of(*prototypes, unit, MAIN), rows)).state
    (placed,) = state.pieces.values()
    assert [level.text for level in placed.piece.type_chain] == [
        "mark;A", "mark;Move", "clone;$mp$$x$", "piece;;;a.png;Tank",
    ]  # fmt: skip
    assert [level.text for level in placed.piece.state_chain][:3] == ["1", "4", ""]
