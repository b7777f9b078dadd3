"""Saves and logs edited: pieces, stacks and decks, global properties; steps only when asked."""

from __future__ import annotations

import pytest

from tests.e_edit.layers import changed_entries, game, text_of
from tests.support import crafted
from tests.support.crafted import (
    ESC,
    MAP,
    add,
    board,
    change,
    deck,
    hex_grid,
    hidden,
    log_text,
    map_window,
    module,
    move,
    piece,
    save_text,
    seq,
    stack,
    step,
    zip_of,
)
from vmod_tools.archive import Archive
from vmod_tools.commands.tree import leaves, parse_tree
from vmod_tools.edit.pieceedits import AddTrait, RemoveTrait, Rename, SetProperty
from vmod_tools.edit.saves import SaveEditor
from vmod_tools.edit.selectors import parse_selector
from vmod_tools.errors import CommandError, VmodError
from vmod_tools.logs import Log
from vmod_tools.modules import Module
from vmod_tools.pieces import Piece, Place
from vmod_tools.saves import Save

EVERYTHING = parse_selector("*")
AT, THERE = Place(MAP, 5, 5), Place(MAP, 70, 80)
GLOBALS = [
    "GlobalProperty\t;Turn;1;Module",
    "GlobalProperty\t;Turn;2;Other",
    "GlobalProperty\t;Old;x",
]


def editor_of(*pieces: str, steps: bool = False, log: tuple[str, ...] = ()) -> SaveEditor:
    text = log_text(save_text(*pieces, rest=GLOBALS), *log)
    return SaveEditor(Archive.parse(crafted.game(text)), steps=steps)


def commands(editor: SaveEditor) -> list[str]:
    """The pieces' commands after the edit, in file order."""
    text = text_of(editor.finish().to_bytes())
    return [leaf for leaf in leaves(parse_tree(text)) if leaf[:2] == "+/"]


# Moving


def test_piece_alone_takes_its_stack_along() -> None:
    editor = editor_of(piece("1", 5, 5), stack("s", 5, 5, "1"))
    assert editor.move(["1"], THERE) == 1
    assert editor.move(["1"], THERE) == 0
    assert commands(editor) == [piece("1", 70, 80), stack("s", 70, 80, "1")]


def test_member_that_says_no_place_goes_on_saying_none() -> None:
    off = piece("1", 0, 0, map="null")
    editor = editor_of(off, stack("s", 5, 5, "1"))
    assert editor.place("1") == AT
    editor.move(["1"], THERE)
    assert commands(editor) == [off, stack("s", 70, 80, "1")]


def test_member_of_a_stack_gets_one_of_its_own() -> None:
    editor = editor_of(piece("1", 5, 5), piece("2", 5, 5), stack("s", 5, 5, "1", "2"))
    editor.move(["1"], THERE)
    new = commands(editor)
    assert new[0] == piece("1", 70, 80)
    assert new[1].endswith("/stack/Main Map;70;80;1;@@-1")
    assert new[2:] == [piece("2", 5, 5), stack("s", 5, 5, "2")]
    # The id of the new stack is a time.
    assert new[1].split("/")[1] == "1000000000000"


def test_new_stack_of_an_old_file_has_no_layer() -> None:
    first = add("s", ["stack"], [f"{MAP};5;5;1;2"])
    editor = editor_of(piece("1", 5, 5), piece("2", 5, 5), first)
    editor.move(["2"], THERE)
    assert commands(editor)[2].endswith("/stack/Main Map;70;80;2")


def test_piece_joins_the_stack_at_its_target_and_stands_before_it() -> None:
    editor = editor_of(
        piece("1", 70, 80), stack("s", 70, 80, "1"), piece("2", 5, 5), stack("t", 5, 5, "2")
    )
    editor.move(["2"], THERE)
    assert commands(editor) == [
        piece("1", 70, 80),
        piece("2", 70, 80),
        stack("s", 70, 80, "1", "2"),
    ]
    state = Save.read(editor.finish()).state
    assert state.holders["s"].members == ("1", "2")


def test_piece_that_stands_before_the_stack_stays_where_it_is_in_the_file() -> None:
    editor = editor_of(piece("2", 5, 5), piece("1", 70, 80), stack("s", 70, 80, "1"))
    editor.move(["2"], THERE)
    assert commands(editor)[0] == piece("2", 70, 80)


def test_several_moved_pieces_stand_in_the_order_given() -> None:
    editor = editor_of(piece("1", 5, 5), piece("2", 6, 6), piece("3", 7, 7))
    assert editor.move(["3", "1", "2"], THERE) == 3
    assert next(iter(Save.read(editor.finish()).state.holders.values())).members == ("3", "1", "2")


def test_piece_that_may_not_stack_lies_loose() -> None:
    loose = piece("1", 5, 5, ("immob;n;N", ""))
    editor = editor_of(loose, piece("2", 70, 80), stack("s", 70, 80, "2"))
    editor.move(["1"], THERE)
    state = Save.read(editor.finish()).state
    assert state.pieces["1"].stack is None
    assert state.pieces["1"].place == THERE


def test_piece_leaves_and_joins_decks() -> None:
    editor = editor_of(piece("1", 5, 5), deck("d", 5, 5, "1"), deck("e", 70, 80), piece("2", 9, 9))
    editor.move(["1", "2"], THERE)
    state = Save.read(editor.finish()).state
    assert state.holders["d"].members == ()
    assert state.holders["e"].members == ("1", "2")


def test_piece_goes_off_the_map() -> None:
    editor = editor_of(piece("1", 5, 5), stack("s", 5, 5, "1"), piece("2", 1, 1))
    editor.move(["1", "2"], Place(None, 0, 0))
    assert commands(editor) == [piece("1", 0, 0, map="null"), piece("2", 0, 0, map="null")]


# Removing, adding, renaming


def test_removed_piece_takes_its_emptied_stack_along() -> None:
    editor = editor_of(
        piece("1", 5, 5), stack("s", 5, 5, "1"), piece("2", 6, 6), piece("3", 6, 6),
        stack("t", 6, 6, "2", "3"), piece("4", 7, 7), deck("d", 7, 7, "4"), piece("5", 8, 8),
    )  # fmt: skip
    assert editor.remove(["1", "2", "4", "5"]) == 4
    assert commands(editor) == [piece("3", 6, 6), stack("t", 6, 6, "3"), deck("d", 7, 7)[:-1]]
    assert [c.after for c in editor.changes] == ["(removed)"] * 4


def test_added_piece_gets_an_id_of_its_own() -> None:
    editor = editor_of(piece("1700000000000", 5, 5))
    new = Piece.decode("null", "piece;;;;New", "null;0;0;17;0")
    assert editor.add(new, AT) == "1700000000001"
    assert [c.split("/")[1] for c in commands(editor)] == [
        "1700000000000", "1700000000001", "1700000000002",
    ]  # fmt: skip
    state = Save.read(editor.finish()).state
    assert state.pieces["1700000000001"].place == AT
    assert state.holders["1700000000002"].members == ("1700000000001",)


@pytest.mark.parametrize("head", [["begin_save", ""], ["begin_save"]])
def test_piece_is_added_to_a_save_without_any(head: list[str]) -> None:
    text = seq(ESC, *head, "SETUP_STACK\t", "end_save")
    editor = SaveEditor(Archive.parse(crafted.game(text)))
    editor.add(Piece.decode("null", "piece;;;;New", "null;0;0;17;0"), AT)
    after = text_of(editor.finish().to_bytes())
    assert after.startswith(ESC.join(head) + ESC + "\\" + ESC + "+/1000000000000/")
    assert after.endswith("SETUP_STACK\t" + ESC + "end_save")


def test_pieces_without_a_gpid_are_kept() -> None:
    """users.md C3-34: no gpid, an unknown one, or a match by name alone: all are kept as they are."""
    pieces = [
        add("1", ["piece;;;;a"], [f"{MAP};5;5"]),
        add("2", ["piece;;;;a"], [f"{MAP};5;5;;0"]),
        add("3", ["piece;;;;b"], [f"{MAP};5;5;99;0"]),
    ]
    editor = editor_of(*pieces)
    assert editor.select(parse_selector('gpid=""')) == ("1", "2")
    assert editor.edit(editor.select(parse_selector("name=b")), Rename("c")) == 1
    assert commands(editor) == [*pieces[:2], pieces[2].replace(";b/", ";c/")]


def test_later_of_two_pieces_with_one_id_is_edited() -> None:
    editor = editor_of(piece("1", 5, 5, ("mark;A", "x")), piece("1", 6, 6, ("mark;A", "x")))
    assert editor.edit(["1"], SetProperty("A", "y")) == 1
    assert commands(editor) == [
        piece("1", 5, 5, ("mark;A", "x")),
        piece("1", 6, 6, ("mark;A", "y")),
    ]


# Properties


@pytest.mark.parametrize(
    ("name", "container", "count", "old", "new"),
    [
        ("Turn", "Module", 1, ";Turn;1;Module", ";Turn;a\\;b;Module"),
        ("Turn", "Nowhere", 0, "", ""),
        ("None", None, 0, "", ""),
        ("Old", None, 1, ";Old;x", ";Old;a\\;b"),
        ("Old", "", 1, ";Old;x", ";Old;a\\;b"),
    ],
)
def test_global_property_is_set(
    name: str, container: str | None, count: int, old: str, new: str
) -> None:
    editor = editor_of(piece("1", 5, 5))
    before = save_text(piece("1", 5, 5), rest=GLOBALS)
    assert editor.set_global(name, "a;b", container) == count
    assert text_of(editor.finish().to_bytes()) == before.replace(old, new)


def test_property_of_all_containers_is_set() -> None:
    editor = editor_of()
    assert editor.set_global("Turn", "2") == 2
    assert [c.where for c in editor.changes] == ["global property Module"]


@pytest.mark.parametrize(
    "saved_game",
    [hidden(save_text(piece("1", 5, 5)), key=0, upper=True), save_text(piece("1", 5, 5)).encode()],
)
def test_text_stays_hidden_as_it_was(saved_game: bytes) -> None:
    before = zip_of({"savedGame": saved_game, "other": b"x" * 99, "moduledata": "<data/>"})
    editor = SaveEditor(Archive.parse(before))
    editor.edit(["1"], Rename("武蔵"))
    after = editor.finish().to_bytes()
    assert changed_entries(before, after) == ["savedGame"]
    assert game(before)[0] == game(after)[0]
    assert "武蔵" in game(after)[1]


def test_undecodable_bytes_stay() -> None:
    text = save_text(piece("1", 5, 5, ("mark;A", "x")), rest=["CHAT\udcb4"])
    editor = SaveEditor(Archive.parse(crafted.game(text)))
    editor.edit(["1"], SetProperty("A", "y"))
    assert text_of(editor.finish().to_bytes()) == text.replace("/x\t", "/y\t")


# Logs

LOGGED = (
    step(
        move("1", (9, 9)),
        change("1", "q\t" + f"{MAP};5;5;1;0", "x\t" + f"{MAP};5;5;1;0"),
        change("1", "x\t" + f"{MAP};5;5;1;0"),
    ),
    step(piece("2", 9, 9, ("mark;A", "x")), "-/1"),
    step(piece("1", 5, 5, ("mark;A", "x")), "CHATx"),
)


def test_steps_stay_unless_asked() -> None:
    editor = editor_of(piece("1", 5, 5, ("mark;A", "x")), log=LOGGED)
    before = text_of(crafted.game(log_text(save_text(rest=GLOBALS), *LOGGED))).partition("end_save")
    assert editor.select(EVERYTHING) == ("1",)
    assert editor.edit(["1"], SetProperty("A", "y")) == 1
    after = text_of(editor.finish().to_bytes())
    assert after.partition("end_save")[2] == before[2]


@pytest.mark.parametrize("edit", [AddTrait("mark;B"), RemoveTrait("mark;A")])
def test_edit_that_steps_would_not_survive_is_refused(edit: AddTrait | RemoveTrait) -> None:
    editor = editor_of(piece("1", 5, 5, ("mark;A", "x")), log=LOGGED)
    with pytest.raises(VmodError) as caught:
        editor.edit(["1"], edit)
    assert caught.value.stable_code == "EDIT_STEPS"
    assert caught.value.place == "piece 1"
    assert "3 steps" in str(caught.value)


def test_steps_are_edited_when_asked() -> None:
    editor = editor_of(piece("1", 5, 5, ("mark;A", "x")), log=LOGGED, steps=True)
    assert editor.select(EVERYTHING) == ("1", "2")
    assert editor.edit(["1", "2"], AddTrait("mark;B", "b")) == 2
    log = Log.read(editor.finish())
    new = log.states[-1].pieces
    assert [x.text for x in new["1"].piece.state_chain] == ["b", "x", f"{MAP};5;5;1;0"]
    assert [x.text for x in new["2"].piece.state_chain] == ["b", "x", f"{MAP};9;9;1;0"]
    # The state between was changed by the player, and stays so.
    assert [x.text for x in log.states[1].pieces["1"].piece.state_chain][:2] == ["b", "x"]
    assert "LOG\tD/1/b\tq\\\t" in text_of(editor.finish().to_bytes())


def test_piece_of_a_step_is_not_moved() -> None:
    editor = editor_of(piece("1", 5, 5), log=LOGGED, steps=True)
    with pytest.raises(VmodError) as caught:
        editor.move(["2"], THERE)
    assert caught.value.stable_code == "EDIT_STEPS"
    with pytest.raises(VmodError) as caught:
        editor.remove(["2"])
    assert caught.value.stable_code == "EDIT_STEPS"
    assert editor.place("2") == Place(MAP, 9, 9)


def test_new_ids_keep_clear_of_those_in_steps() -> None:
    steps = (step("-/1700000000001"), step(move("1700000000002", (1, 1))))
    editor = editor_of(piece("1700000000000", 5, 5), log=steps)
    new = Piece.decode("null", "piece;;;;New", "null;0;0;17;0")
    assert editor.add(new, AT) == "1700000000003"


# Choosing


def test_locations_need_the_module() -> None:
    data = crafted.game(save_text(piece("1", 5, 5), piece("2", 5, 5, map="Other")))
    wanted = parse_selector("location=0101")
    with pytest.raises(VmodError) as caught:
        SaveEditor(Archive.parse(data)).select(wanted)
    assert caught.value.stable_code == "MODULE_NEEDED"
    built = module(map_window(MAP, board("Board", 99, 99, hex_grid({}, x0=5, y0=5))))
    editor = SaveEditor(Archive.parse(data), Module.read(Archive.parse(built)))
    assert editor.select(wanted) == ("1",)
    assert editor.label("1") == "unit 1 (1)"


def test_cut_save_is_refused() -> None:
    with pytest.raises(CommandError):
        SaveEditor(Archive.parse(crafted.game(f"begin_save{ESC}x")))
    broken = crafted.game(save_text("+/1"))
    with pytest.raises(CommandError):
        SaveEditor(Archive.parse(broken))
