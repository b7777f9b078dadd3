"""Modules: maps, boards, sides, slots and turns as the build file states them, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.crafted import (
    MODULE_DATA,
    board,
    build_file,
    hex_grid,
    map_window,
    module,
    piece,
    tag,
    zip_of,
    zone,
    zoned_grid,
)
from vmod_tools.archive import Archive
from vmod_tools.boards import BoardDefinition
from vmod_tools.buildfile import (
    BuildFile,
    Component,
    Metadata,
    int_attribute,
    parse_xml,
    read_metadata,
)
from vmod_tools.errors import BuildFileError, VmodError
from vmod_tools.grids import HexGrid, UnreadGrid, ZonedGrid
from vmod_tools.modules import Module, check_same_module, slot_piece
from vmod_tools.turns import TurnTracker, turn_values

PIECE_SLOT, SETUP = "VASSAL.build.widget.PieceSlot", "VASSAL.build.module.map.SetupStack"
FOLDER = "VASSAL.build.module.folder.ModuleSubFolder"
TURN = "VASSAL.build.module.turn"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4) + (480).to_bytes(4) + b"\x08\x02\0\0\0"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200.5"/>'


def read(*components: str, **members: bytes | str) -> Module:
    return Module.read(Archive.parse(module(*components, members=dict(members))))


def one_board(
    *inner: str, members: dict[str, bytes] | None = None, **given: object
) -> BoardDefinition:
    window = map_window("Main", board("Board", 100, 100, *inner, **given))
    data = module(window, members=dict(members or {}))
    return Module.read(Archive.parse(data)).maps[0].boards[0]


def error_of(action: str, *inner: str) -> VmodError:
    with pytest.raises(VmodError) as caught:
        getattr(read(*inner), action)
    return caught.value


# What a module is


def test_name_and_versions_come_from_the_metadata_then_the_build_file() -> None:
    both = read()
    assert (both.name, both.version, both.vassal_version) == ("Made by hand", "1.0", "3.5.8")
    alone = Module.read(Archive.parse(zip_of({"buildFile": build_file(name="Old")})))
    assert (alone.name, alone.version, alone.vassal_version) == ("Old", "1.0", "3.5.8")


@pytest.mark.parametrize(
    "members",
    [
        {"savedGame": "x"},
        {"buildFile.xml": "<VASSAL.build.module.ModuleExtension/>"},
    ],
)
def test_what_is_no_module(members: dict[str, str | bytes]) -> None:
    with pytest.raises(VmodError) as caught:
        Module.read(Archive.parse(zip_of(members)))
    assert caught.value.stable_code == "NOT_A_MODULE"


def test_module_must_be_the_one_that_was_played() -> None:
    made = read()
    check_same_module(made, None)
    check_same_module(made, Metadata())
    check_same_module(made, Metadata(name="Made by hand", version="0.9"))
    with pytest.raises(BuildFileError) as caught:
        check_same_module(made, Metadata(name="Another"))
    assert caught.value.stable_code == "MODULE_MISMATCH"
    assert "'Another'" in caught.value.message


# Maps and boards


def test_maps_are_called_by_name_or_by_number() -> None:
    made = read(
        map_window(""),
        map_window("Main", edgeWidth=7, edgeHeight=5),
        tag("VASSAL.build.module.PrivateMap", mapName="Hers"),
        tag("VASSAL.build.module.PlayerHand", mapName=""),
        map_window("Main"),
    )
    assert [m.identifier for m in made.maps] == ["Map0", "Main", "Hers", "Map3", "Main"]
    assert made.map("Main") is made.maps[1]
    assert (made.maps[1].edge_width, made.maps[1].edge_height) == (7, 5)
    assert made.map("nowhere") is None


def test_size_of_a_board() -> None:
    bare = one_board()
    assert (bare.width, bare.height, bare.grid, bare.image) == (100, 100, None, "")
    for image, data, size in (
        ("b.png", PNG, (640, 480)),
        ("b.svg", SVG, (320, 200)),
        ("b.png", b"no picture", (0, 0)),
        ("b.svg", b"<svg width='wide'/>", (0, 0)),
        ("missing.png", b"", (0, 0)),
    ):
        members = {f"images/{image}": data} if data else {}
        found = one_board(image=image, members=members)
        assert (found.width, found.height) == size, (image, data)


def test_picture_that_cannot_be_unpacked_has_no_size() -> None:
    archive = Archive.parse(module(map_window("Main", board("B", 9, 9, image="b.png")))).with_entry(
        "images/b.png", PNG
    )
    entry = archive.find("images/b.png")
    assert entry is not None
    wrong = archive.to_bytes().replace(entry.crc.to_bytes(4, "little"), b"\1\2\3\4")
    assert Module.read(Archive.parse(wrong)).maps[0].boards[0].width == 0


def test_kinds_of_grids() -> None:
    assert isinstance(one_board(hex_grid({})).grid, HexGrid)
    bare = one_board(hex_grid(None)).grid
    assert isinstance(bare, HexGrid)
    assert bare.numbering is None
    square = "VASSAL.build.module.map.boardPicker.board.SquareGrid"
    assert one_board(tag(square)).grid == UnreadGrid("SquareGrid")
    assert one_board(zoned_grid()).grid == ZonedGrid(())


def test_zone_counts_over_the_box_around_its_path() -> None:
    inner = hex_grid({"vDescend": "true"})
    grid = one_board(zoned_grid(zone("Z", "10,20; ;110,20;110,320;10,320", inner), inner)).grid
    assert isinstance(grid, ZonedGrid)
    assert grid.zones[0].path == ((10, 20), (110, 20), (110, 320), (10, 320))
    own, background = grid.zones[0].grid, grid.background
    assert isinstance(own, HexGrid)
    assert isinstance(background, HexGrid)
    assert own.numbering is not None
    assert background.numbering is not None
    assert (own.numbering.width, own.numbering.height) == (100, 300)
    assert (background.numbering.width, background.numbering.height) == (100, 100)
    empty = one_board(zoned_grid(zone("Z", ""))).grid
    assert isinstance(empty, ZonedGrid)
    assert empty.zones[0].path == ()


def test_decks_stand_on_their_map() -> None:
    pile = tag("VASSAL.build.module.map.DrawPile", name="Draw", owningBoard="B", x=3, y="")
    deck = read(map_window("Main", parts=pile)).maps[0].decks[0]
    assert (deck.name, deck.board, deck.x, deck.y) == ("Draw", "B", 3, 0)


@pytest.mark.parametrize(
    ("inner", "field"),
    [
        (board("B", 9, 9, zoned_grid(zone("Z", "1,2;x,4"))), "path"),
        (board("B", 9, 9, zoned_grid(zone("Z", "1,2;3"))), "path"),
        (tag("VASSAL.build.module.map.boardPicker.Board", name="B", width="wide"), "width"),
        (board("B", 9, 9, hex_grid({"hOff": "one"})), "hOff"),
        (board("B", 9, 9, hex_grid(None, dx="wide")), "dx"),
    ],
)
def test_malformed_attribute_is_named(inner: str, field: str) -> None:
    error = error_of("maps", map_window("Main", inner))
    assert (error.stable_code, error.field) == ("BUILDFILE_ATTRIBUTE", field)


# Slots, sides, dice


def slot(gpid: str, text: str, **given: object) -> str:
    return tag(PIECE_SLOT, text.replace("&", "&amp;"), entryName="Unit", gpid=gpid, **given)


UNIT = piece("null", 0, 0, map="null")


def test_slots_by_gpid() -> None:
    made = read(
        tag(
            "VASSAL.build.module.PieceWindow",
            tag("VASSAL.build.widget.ListWidget", slot("7", f"\n {UNIT} \n"), slot("", "broken")),
        ),
        map_window("Main", parts=tag(SETUP, slot("8", UNIT), name="s", owningBoard="B", x=4, y=5)),
    )
    assert list(made.slots) == ["7", "8"]
    assert made.slots["7"].basic["name"] == "unit null"
    window = next(made.build.root.children("Map"))
    (stack,) = made.at_start_stacks(window)
    assert (stack.name, stack.board, stack.x, stack.y, len(stack.pieces)) == ("s", "B", 4, 5, 1)


@pytest.mark.parametrize("text", ["", "+/null/type", "CHATx", "-/7"])
def test_slot_that_holds_no_piece(text: str) -> None:
    error = error_of("slots", slot("7", text))
    assert (error.stable_code, error.field) == ("BUILDFILE_SLOT", "Unit")
    assert error.place == "line 2"


def test_slot_piece_of_a_prototype() -> None:
    element = parse_xml(
        f'<a.PrototypeDefinition name="P">{UNIT}</a.PrototypeDefinition>'.encode(), "x"
    )
    assert slot_piece(Component(element)).id == "null"


def test_sides_and_dice_and_folders() -> None:
    roster = (
        "<VASSAL.build.module.PlayerRoster><entry> Blue </entry></VASSAL.build.module.PlayerRoster>"
    )
    dice = tag("VASSAL.build.module.DiceButton", name="2d6")
    made = read(tag(FOLDER, roster, tag(FOLDER, dice)), dice)
    assert made.sides == ("Red", "Blue")
    assert made.dice_buttons == ("2d6", "2d6")
    kinds = [c.kind for c in made.build.root.children()]
    assert kinds.count("DiceButton") == 2
    assert "ModuleSubFolder" not in kinds


# Turns


def tracker(*levels: str) -> TurnTracker:
    (found,) = read(tag(f"{TURN}.TurnTracker", *levels, name="Turn")).turn_trackers
    return found


LEVELS = tag(
    f"{TURN}.CounterTurnLevel",
    tag(
        f"{TURN}.ListTurnLevel",
        tag(f"{TURN}.ListTurnLevel", name="Step", property="Step", list="1,2\\,3"),
        name="Side",
        property="Side",
        list="German,Allied",
    ),
    name="Turn",
    property="Turn",
    start=3,
)


def test_levels_of_a_turn_tracker() -> None:
    found = tracker(LEVELS)
    assert (found.id, found.name) == ("TurnTracker0", "Turn")
    (turn,) = found.levels
    assert (turn.start, turn.values) == (3, ())
    assert turn.sublevels[0].values == ("German", "Allied")
    assert turn.sublevels[0].sublevels[0].values == ("1", "2,3")


@pytest.mark.parametrize(
    ("state", "values"),
    [
        (
            "0|4;0;false;-1;1\\;0\\;0\\;true,true\\;1\\\\;0\\\\;0\\\\;true",
            {"Turn": "4", "Side": "Allied", "Step": "2,3"},
        ),
        ("0|4;0;false;-1;7\\;0\\;0\\;true", {"Turn": "4", "Side": ""}),
        ("0|4;0;false;-1;--5\\;0\\;0\\;true", {"Turn": "4", "Side": "German"}),
        ("0|4;0;false;-1;²\\;0", {"Turn": "4", "Side": "German"}),
        ("0|4", {"Turn": "4"}),
        ("", {}),
    ],
)
def test_values_of_a_turn_trackers_state(state: str, values: dict[str, str]) -> None:
    assert turn_values(tracker(LEVELS), state) == values


# XML


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        (b"", "BUILDFILE_XML", "b line 1 column 1"),
        (b">\n<a/>", "BUILDFILE_XML", "b line 1 column 1"),
        (b"<a>\n<b></a>", "BUILDFILE_XML", "b line 2"),
        (b'<a b="\xb4"/>', "BUILDFILE_XML", "b line 1"),
        (b'<?xml version="1.0" encoding="nonsense"?><a/>', "BUILDFILE_XML", "b line 1"),
        (b"<!DOCTYPE a><a/>", "BUILDFILE_DOCTYPE", "b"),
        (b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "BUILDFILE_DOCTYPE", "b"),
        (b"<a>" * 300 + b"</a>" * 300, "BUILDFILE_XML", "b line 1"),
    ],
)
def test_xml_that_is_not_read(data: bytes, code: str, place: str) -> None:
    with pytest.raises(BuildFileError) as caught:
        parse_xml(data, "b")
    assert caught.value.stable_code == code
    assert caught.value.place.startswith(place)


def test_xml_that_is_read() -> None:
    assert parse_xml(b"\xef\xbb\xbf<a/>", "b").tag == "a"
    assert (
        parse_xml('<?xml version="1.0" encoding="Shift_JIS"?><a b="図"/>'.encode("cp932"), "b").get(
            "b"
        )
        == "図"
    )


def test_component() -> None:
    root = parse_xml(
        b'<x.y.Map mapName="M" n=" 7 "> t <!-- c --><x.Board name="B" w="x"/></x.y.Map>', "b"
    )
    component = Component(root)
    assert (component.kind, component.name, component.text) == ("Map", "M", "t")
    assert component.attributes == {"mapName": "M", "n": " 7 "}
    assert [c.name for c in component.children()] == ["B"]
    assert int_attribute(component, "absent", 9) == 9
    with pytest.raises(BuildFileError) as caught:
        int_attribute(next(component.children("Board")), "w")
    assert (caught.value.field, caught.value.place) == ("w", "line 1")


def test_metadata_takes_the_untranslated_texts() -> None:
    data = MODULE_DATA.format(name="English").replace(
        "<name>", '<name lang="es">Senderos</name><name>'
    )
    archive = Archive.parse(zip_of({"moduledata": data, "savedata": "<data><name/></data>"}))
    assert read_metadata(archive, "moduledata") == Metadata(
        "1.0",
        "3.5.8",
        "English",
        "made by hand",
        date_saved="1700000000000",
        # Versions before 3.6.11 swap language and text.
        names={"Senderos": "es"},
    )
    assert read_metadata(archive, "savedata") == Metadata()
    assert read_metadata(archive, "absent") is None


def test_build_file_of_either_name() -> None:
    assert BuildFile.read(Archive.parse(zip_of({}))) is None
    both = BuildFile.read(Archive.parse(zip_of({"buildFile": "<old/>", "buildFile.xml": "<new/>"})))
    assert both is not None
    assert (both.entry, both.root.kind, both.is_extension) == ("buildFile.xml", "new", False)


def test_every_published_module_is_read_or_refused_with_a_line(
    corpus_files: tuple[Path, ...],
) -> None:
    refused = []
    for path in (p for p in corpus_files if p.suffix == ".vmod"):
        try:
            found = Module.read(Archive.parse(path.read_bytes()))
        except BuildFileError as error:
            refused.append(error.place)
            continue
        assert found.name
        assert found.maps or found.slots
        assert len(found.turn_trackers) < 10
    assert refused == ["buildFile.xml line 1 column 1"] * 5
