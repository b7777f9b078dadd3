"""The commands that no state of play needs: notes, clocks, dice shown, locks; and all commands typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vmod_tools.archive import Archive
from vmod_tools.boards import BoardEntry, board_entries
from vmod_tools.commands.kinds import (
    ALL_KINDS,
    OPAQUE,
    Command,
    first_word,
    kind_of,
    parse_command,
)
from vmod_tools.commands.tree import leaves, parse_tree
from vmod_tools.errors import CommandError
from vmod_tools.saves import SAVED_GAME, read_text
from vmod_tools.sequence import Sequence
from vmod_tools.values.codec import DECODERS, Value
from vmod_tools.values.lists import Lines, StringArray
from vmod_tools.values.looks import Owner

Says = dict[str, Value]
COMMANDS: list[tuple[str, str, Says, tuple[Value, ...]]] = [
    # text, kind, what its fields say, what the tokens past them say
    ("NOTES\tone|two", "scenario_note", {"text": Lines(("one", "two"))}, ()),
    ("PNOTES\t", "public_note", {"text": Lines(("",))}, ()),
    ("PNOTE\tpw\ta\\|b", "private_note", {"owner": "pw", "text": Lines(("a|b",))}, ()),
    (
        "SNOTE\tPlan\tpw\ttrue\tone|two\t11/30/2026 5:04 PM\t7",
        "secret_note",
        {"name": "Plan", "owner": "pw", "hidden": True, "text": Lines(("one", "two")), "date": "11/30/2026 5:04 PM", "handle": "7"},
        (),
    ),
    ("PYREMOVE\tpw", "remove_player", {"user_id": "pw"}, ()),
    ("SHOW_RESULTS\tDice0\t0\t5", "dice_results", {"button": "Dice0"}, (0, 5)),
    ("EXT\t4los\t1.0", "extension", {"name": "4los", "version": "1.0"}, ()),
    ("PLUGIN\tx\t2", "plugin", {"name": "x", "version": "2"}, ()),
    ("UNMASK\tpw\tother", "unmask", {}, (Owner("pw"), Owner("other"))),
    ("UNMASK\t", "unmask", {}, (Owner(""),)),
    (
        "LOS\tLOS_Thread0\t1\t2\t-3\t4\ttrue\tfalse\tfalse",
        "line_of_sight",
        {"thread": "LOS_Thread0", "anchor_x": 1, "anchor_y": 2, "arrow_x": -3, "arrow_y": 4, "persisting": True, "mirroring": False, "reset": False},
        (),
    ),
    ("FLARE\tFlare0\t10\t-20", "flare", {"id": "Flare0", "x": 10, "y": -20}, ()),
    ("CLOCKCONTROL\ttrue\tfalse", "clock_control", {"showing": True, "online": False}, ()),
    (
        "CLOCK\t<observer>\tCentral Powers\t0\t5000000000\tfalse\ttrue",
        "clock",
        {"who": "<observer>", "name": "Central Powers", "elapsed": 0, "verified": 5_000_000_000, "ticking": False, "restore": True},
        (),
    ),
    ("SGKC\tSGKC0\ttrue", "startup_key", {"id": "SGKC0", "applied": True}, ()),
    (
        "LOCKSPOTAB\tRules\tAnn\tpw\t1700000000000",
        "option_tab_lock",
        {"tab": "Rules", "locked_by": "Ann", "password": "pw", "date": "1700000000000"},
        (),
    ),
    ("LOCKSPOTAB\tRules\t\t\t", "option_tab_lock", {"tab": "Rules", "locked_by": ""}, ()),
    ("SEMAIL\ta@b.c", "dice_mail", {"address": "a@b.c"}, ()),
    ("AUDIO\tboom.wav", "sound", {"clip": "boom.wav"}, ()),
    ("DECK\t", "saved_deck", {"rest": ""}, ()),
    ("Events1,Ann,moves|2,Bob,", "events", {}, (StringArray(("1", "Ann", "moves")), StringArray(("2", "Bob", "")))),
    ("UNDO\ttrue", "undo", {"begins": True}, ()),
    ("M/17/Main/1/2/null/Main/3/-4/null/pw", "move", {"x": 1, "old_y": -4, "player": "pw"}, ()),
    ("MainBoardPicker\tA\t0\t1", "boards", {"picker": "MainBoardPicker"}, ("A", "0", "1")),
    ("CHATx", "chat", {"text": "x"}, ()),
    ("SYNC", "synchronise", {}, ()),
    ("PRIV_CHAT/Ann/hello", "private_chat", {"rest": "Ann/hello"}, ()),
    ("PLAY\tpw", "play_with", {"rest": "pw"}, ()),
    ("INVITE\tx", "invite", {"rest": "x"}, ()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name", "says", "rest"), COMMANDS)
def test_what_a_command_says(
    text: str, name: str, says: dict[str, Value], rest: tuple[Value, ...]
) -> None:
    command = parse_command(text)
    assert command.kind is ALL_KINDS[name]
    assert {field: command.value(field) for field in says} == says
    assert command.rest_values() == rest
    assert list(command.problems()) == []
    assert command.encode() == text


@pytest.mark.parametrize(
    "text",
    [
        "SYNCx",
        "EXT",
        "LOCKSPOTAB",
        "NOTESx\t",
        "UNMASK",
        "Event",
        "PRIV_CHAT",
        "CLOCKS\tx",
        "OBA/x",
    ],
)
def test_other_texts_stay_opaque(text: str) -> None:
    assert kind_of(text) is OPAQUE
    assert parse_command(text).encode() == text


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("FLARE\tFlare0\tx", [("malformed", "x"), ("missing", "y")]),
        ("SNOTE\tPlan", [("missing", "owner"), ("missing", "hidden"), ("missing", "text")]),
        ("CLOCKCONTROL\tyes\ttrue\tx", [("malformed", "showing"), ("surplus", "3")]),
        ("SHOW_RESULTS\tDice0\tx", [("malformed", "*")]),
        ("UNDO\tmaybe", [("malformed", "begins")]),
        ("PLAYER\ta\tb\tc\td", [("surplus", "4")]),
        ("INFO\tanything", []),
    ],
)
def test_what_does_not_fit_is_told_and_kept(text: str, problems: list[tuple[str, str]]) -> None:
    command = parse_command(text)
    assert [(p.fault, p.field) for p in command.problems()] == problems
    assert command.encode() == text


def test_field_that_the_text_lacks_says_nothing() -> None:
    command = parse_command("FLARE\tFlare0")
    assert command.value("x") is None
    assert command.value("no such field") is None
    assert parse_command("CHATx").rest == ()


def test_boards_and_how_they_lie() -> None:
    command = parse_command("Main MapBoardPicker\tA\t0\t0\tB\\/C/rev\t1\t0\tD/x\ty\t2\tE\t3")
    assert board_entries(command.rest) == (
        BoardEntry("A", False, 0, 0),
        BoardEntry("B/C", True, 1, 0),
        BoardEntry("D", False, None, 2),
    )


def test_table_holds_together() -> None:
    for kind in ALL_KINDS.values():
        assert kind.secret - {"*"} <= set(kind.fields)
        assert kind.types.keys() <= set(kind.fields)
        assert kind.numbers <= kind.types.keys()
        assert {*kind.types.values(), kind.rest_type or "S"} <= DECODERS.keys()
        assert max(kind.required, kind.least) <= len(kind.fields)
        assert len(set(kind.fields)) == len(kind.fields)
    prefixes = [k.prefix for k in ALL_KINDS.values() if k.prefix]
    assert len(set(prefixes)) == len(prefixes)
    assert {k.name for k in ALL_KINDS.values() if k.network} == {
        *("synchronise", "private_chat", "play_with", "invite"),
    }
    assert {k.name: set(k.secret) for k in ALL_KINDS.values() if k.secret} == {
        "player": {"user_id"},
        "move": {"player"},
        "remove_player": {"user_id"},
        "private_note": {"owner"},
        "secret_note": {"owner"},
        "unmask": {"*"},
        "option_tab_lock": {"locked_by", "password"},
    }


STARTS = sorted({k.prefix for k in ALL_KINDS.values()} | {"TURNx\t", "MainBoardPicker\t"})


@given(st.sampled_from(STARTS), st.text(st.sampled_from("/\t;|\\',0a")) | st.text())
def test_every_text_comes_out_as_it_went_in(start: str, rest: str) -> None:
    try:
        command = parse_command(start + rest)
    except CommandError:
        return
    assert command.encode() == start + rest
    list(command.problems())
    command.rest_values()
    for name in command.kind.fields:
        command.value(name)


def test_new_command_of_any_kind_is_read_back() -> None:
    for kind in ALL_KINDS.values():
        if kind.delimiter and kind.prefix and kind.fields:
            numbers = kind.numbers or {n for n, t in kind.types.items() if t in "IJ"}
            words = {"B": "true"}
            tokens = [
                "1" if name in numbers else words.get(kind.types.get(name, ""), "a\\")
                for name in kind.fields
            ]
            command = Command(kind, Sequence.of(tokens, kind.delimiter))
            again = parse_command(command.encode())
            assert (again.kind, [again[name] for name in kind.fields]) == (kind, tokens)


def test_commands_of_real_files_are_typed_and_exact(
    corpus_files: tuple[Path, ...], genuine: Path
) -> None:
    seen: set[str] = set()
    opaque: set[str] = set()
    count = 0
    for file in (*corpus_files, *sorted(genuine.glob("*.v*"))):
        archive = Archive.parse(file.read_bytes())
        entry = archive.find(SAVED_GAME)
        if entry is None:
            continue
        for leaf in leaves(parse_tree(read_text(archive.read(entry))[1])):
            text = leaf.removeprefix("LOG\t")
            command = parse_command(text)
            assert command.encode() == text
            assert list(command.problems()) == []
            seen.add(command.kind.name)
            count += 1
            if command.kind is OPAQUE:
                opaque.add(first_word(text))
    print(f"{count} commands of {len(seen)} kinds; opaque: {sorted(opaque)}")  # noqa: T201
    assert count > 15_000
    assert seen >= {"scenario_note", "public_note", "private_note", "unmask", "clock", "sound"}
