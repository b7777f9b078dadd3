"""Saves and logs: what is read, who did what, and which step takes back which."""

from __future__ import annotations

import pytest

from tests.support.crafted import (
    ESC,
    MODULE_DATA,
    add,
    change,
    game,
    log_text,
    move,
    piece,
    save_text,
    seq,
    stack,
    step,
    zip_of,
)
from vmod_tools.archive import Archive
from vmod_tools.commands.tree import encode_tree
from vmod_tools.errors import VmodError
from vmod_tools.logs import Log, player_label
from vmod_tools.saves import Save, read_text

START = save_text(piece("1", 5, 5), stack("s", 5, 5, "1"), rest=["PLAYER\tpw\tAnn\tRed"])


def log(*steps: str, start: str = START) -> Log:
    return Log.read(Archive.parse(game(log_text(start, *steps))))


def code_and_place(text: str | bytes) -> tuple[str, str, str]:
    with pytest.raises(VmodError) as caught:
        _ = Log.read(Archive.parse(game(text))).states
    return caught.value.stable_code, caught.value.place, caught.value.field


# Saves


def test_save_with_its_metadata() -> None:
    saved = MODULE_DATA.format(name="").replace("1.0</version>", "1.2</version>")
    save = Save.read(Archive.parse(game(START, module="M", savedata=saved)))
    assert save.module is not None
    assert (save.module.name, save.module.version) == ("M", "1.0")
    assert save.metadata is not None
    assert (save.metadata.version, save.metadata.description) == ("1.2", "made by hand")
    assert encode_tree(save.tree) == START
    assert encode_tree(save.tree) == START
    assert not save.guessed


def test_save_with_savedgame_alone_is_legal() -> None:
    save = Save.read(Archive.parse(game(START)))
    assert (save.metadata, save.module) == (None, None)
    save.require_whole()


def test_archive_without_a_game() -> None:
    with pytest.raises(VmodError, match="it has no savedGame"):
        Save.read(Archive.parse(zip_of({"buildFile.xml": "<x/>"})))


def test_undecodable_bytes_survive_and_the_guess_is_said() -> None:
    raw = START.encode().replace(b"Ann", b"Ann\xff")
    save = Save.read(Archive.parse(game(raw)))
    assert save.guessed
    assert save.state.players[0].name == "Ann\udcff"
    assert encode_tree(save.tree).encode("utf-8", "surrogateescape") == raw
    assert read_text(b"begin_save\x1b")[2] is False


def test_text_that_is_one_command() -> None:
    save = Save.read(Archive.parse(game("begin_save")))
    assert [c.kind.name for c in save.commands()] == ["begin_save"]
    assert save.after_end == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (seq(ESC, "begin_save", "+/17", "end_save"), ("COMMAND_SHORT", "command 2", "type")),
        (
            seq(ESC, "begin_save", "", seq(ESC, "", "M/17/Main/10"), "end_save"),
            ("COMMAND_SHORT", "command 4", "y"),
        ),
        (
            log_text(START, step("CHATa"), step("CHATb", "M/1/Main/ten/5/null/null/0/0/null/pw")),
            ("COMMAND_NUMBER", "step 2", "x"),
        ),
        ("begin_save", ("SAVE_TRUNCATED", "", "")),
        (START[:-8], ("SAVE_TRUNCATED", "", "")),
        ("CHATa" + ESC + "end_save", ("SAVE_START", "", "")),
    ],
)
def test_broken_text_is_said_with_its_place(text: str, found: tuple[str, str, str]) -> None:
    assert code_and_place(text) == found


# Logs


def test_steps_and_their_commands() -> None:
    found = log(
        step("CHAThello"),
        step("", move("1", (9, 9)), "CHAT* 1 moves"),
        step("null", change("1", "x")),
        step("D/1/a", seq(ESC, "-/1", "LOG\tCHATdeep")),
    )
    assert [s.number for s in found.steps] == [1, 2, 3, 4]
    kinds = [[c.kind.name for c in s.commands] for s in found.steps]
    assert kinds == [["chat"], ["move", "chat"], ["change"], ["change", "remove", "chat"]]
    assert [s.chat for s in found.steps] == [("hello",), ("* 1 moves",), (), ("deep",)]
    assert [len(list(s.of_kind("move", "remove"))) for s in found.steps] == [0, 1, 0, 1]


def test_states_stand_before_and_after_each_step() -> None:
    found = log(step(move("1", (9, 9))), step("-/1"))
    assert [len(s.pieces) for s in found.states] == [1, 1, 0]
    assert found.states[1].pieces["1"].place.x == 9


def test_who_took_a_step() -> None:
    start = save_text(piece("1", 5, 5), rest=["PLAYER\tpw\tAnn\tRed", "PLAYER\tqw\tBob\tBlue"])
    found = log(
        step("CHAT* a report of nobody"),
        step("CHAT&lt;Bob&gt; - hello"),
        step("CHAT* 2d6 = 7"),
        step(move("1", (9, 9), player="pw")),
        step("CHAT<Nobody> - hello"),
        step(move("1", (5, 5), player="third")),
        step("M/1/Main Map/9/9/null/Main Map/5/5/null"),
        start=start,
    )
    assert [s.player for s in found.steps] == [None, 1, 1, 0, 0, 2, 2]
    assert [p.user_id for p in found.players] == ["pw", "qw", "third"]
    assert (player_label(None), player_label(0), player_label(2)) == ("", "p1", "p3")


def undone(*steps: str) -> list[tuple[int | None, int | None]]:
    """(undoes, undone by) of each step."""
    return [(s.undoes, s.undone_by) for s in log(*steps).steps]


FORTH, BACK = move("1", (9, 9), (5, 5)), move("1", (5, 5), (9, 9))


def test_undo_in_brackets() -> None:
    assert undone(
        step(FORTH, "CHAT* 1 moves"),
        step("UNDO\ttrue", BACK, "CHAT* UNDO: * 1 moves", "UNDO\tfalse"),
    ) == [(None, 2), (1, None)]


def test_undo_of_the_latest_step_that_fits() -> None:
    assert undone(
        step(FORTH),
        step(change("1", "b", "a")),
        step("UNDO\ttrue", change("1", "a", "b"), "UNDO\tfalse"),
        step("UNDO\ttrue", BACK, "UNDO\tfalse"),
    ) == [(None, 4), (None, 3), (2, None), (1, None)]


def test_bracketed_undo_that_fits_nothing_takes_back_the_latest_step() -> None:
    assert undone(step(FORTH), step("UNDO\ttrue", "CHAT?", "UNDO\tfalse")) == [(None, 2), (1, None)]


def test_undo_with_nothing_before_it() -> None:
    assert undone(step("UNDO\ttrue", BACK, "UNDO\tfalse")) == [(None, None)]


def test_undo_by_chat() -> None:
    assert undone(step(FORTH, "CHAT* 1 moves"), step("CHAT* UNDO: * 1 moves", BACK)) == [
        (None, 2),
        (1, None),
    ]
    assert undone(step("CHAT* rolls"), step("CHAT* UNDO: * rolls")) == [(None, 2), (1, None)]


def test_undo_by_chat_that_fits_nothing_is_a_step_like_any_other() -> None:
    assert undone(step(FORTH), step("CHAT* UNDO: * 2 moves")) == [(None, None)] * 2


def test_undo_of_a_removal_by_revival() -> None:
    assert undone(
        step("-/1"), step("CHATx"), step(piece("1", 5, 5), change("s", "Main Map;5;5;1;@@0"))
    ) == [(None, 3), (None, None), (1, None)]


def test_undo_of_properties_and_pieces() -> None:
    new = add("2", ["piece;;;a;B"], ["Main Map;1;1;1;0"])
    assert undone(
        step(new, "MutableProperty\tTurn\t1\t2\tModule"),
        step("UNDO\ttrue", "MutableProperty\tTurn\t2\t1\tModule", "-/2", "UNDO\tfalse"),
    ) == [(None, 2), (1, None)]


def test_layer_flipped_back_is_no_undo() -> None:
    assert undone(step(change("1", "2", "1")), step(change("1", "1", "2"))) == [(None, None)] * 2


def test_piece_dragged_back_is_no_undo() -> None:
    assert undone(step(FORTH), step(BACK)) == [(None, None)] * 2


def test_step_is_undone_once() -> None:
    undo = step("UNDO\ttrue", BACK, "UNDO\tfalse")
    assert undone(step(FORTH), step(FORTH), undo, undo) == [
        (None, 4),
        (None, 3),
        (2, None),
        (1, None),
    ]


def test_representations_show_no_password() -> None:
    found = log(step(move("1", (9, 9), player="hunter2")))
    assert "hunter2" not in repr(found)
    assert "hunter2" not in repr(found.steps)
