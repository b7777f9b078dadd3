"""Commands: their kinds, their fields, and what is wrong with broken ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vmod_tools.commands.kinds import Command, first_word, kind_of, parse_command
from vmod_tools.errors import CommandError
from vmod_tools.sequence import Sequence

# One of each kind, and its fields (vassal-format.md section 6).
KINDS: dict[str, tuple[str, dict[str, str]]] = {
    "+/17/piece;;;a.png;A/Main;1;2;3;0": (
        "add",
        {"id": "17", "type": "piece;;;a.png;A", "state": "Main;1;2;3;0"},
    ),
    "+/17/a\\/b/": ("add", {"id": "17", "type": "a/b", "state": ""}),
    "-/17/8": ("remove", {"id": "17/8"}),
    "D/17/new/old": ("change", {"id": "17", "state": "new", "old_state": "old"}),
    "D/17/new": ("change", {"id": "17", "state": "new"}),
    "M/17/Main/10/-20/9/null/0/0/null/pw": (
        "move",
        {
            "id": "17",
            "map": "Main",
            "x": "10",
            "y": "-20",
            "under": "9",
            "old_map": "null",
            "old_x": "0",
            "old_y": "0",
            "old_under": "null",
            "player": "pw",
        },
    ),
    "M/17/Main/10/20/9/null/0/0/null": ("move", {"id": "17", "old_under": "null"}),
    "CHAT<Bob> - a\tb": ("chat", {"text": "<Bob> - a\tb"}),
    "CHAT": ("chat", {"text": ""}),
    "LOG\tCHATx": ("log", {"command": "CHATx"}),
    "UNDO\ttrue": ("undo", {"begins": "true"}),
    "": ("null", {}),
    "begin_save": ("begin_save", {}),
    "end_save": ("end_save", {}),
    "SETUP_STACK\t": ("setup_stack", {"rest": ""}),
    "PLAYER\tpw\tBob (Red)\tRed": ("player", {"user_id": "pw", "name": "Bob (Red)", "side": "Red"}),
    "GlobalProperty\t;Turn;1;Module": (
        "global_property",
        {"name": "Turn", "value": "1", "container": "Module"},
    ),
    "GlobalProperty\t;Turn;1": ("global_property", {"name": "Turn", "value": "1"}),
    "MutableProperty\t2d6_result\t1\t3,3\tModule": (
        "mutable_property",
        {"name": "2d6_result", "old_value": "1", "value": "3,3", "container": "Module"},
    ),
    "TURNTurnTracker0\t0|1;0;true;13": (
        "turn",
        {"tracker": "TURNTurnTracker0", "state": "0|1;0;true;13"},
    ),
    "Main MapBoardPicker\tA\t0\t0\tB/rev\t1\t0": ("boards", {"picker": "Main MapBoardPicker"}),
    "Main MapBoardPicker": ("boards", {"picker": "Main MapBoardPicker"}),
    "NOTES\ta|b": ("scenario_note", {"text": "a|b"}),
    "begin_save ": ("opaque", {"text": "begin_save "}),
    "PLAYER": ("opaque", {"text": "PLAYER"}),
    "GlobalProperty\tx": ("opaque", {"text": "GlobalProperty\tx"}),
    "INFO\tmodule's own": ("opaque", {"text": "INFO\tmodule's own"}),
}


@pytest.mark.parametrize("text", KINDS)
def test_kind_and_fields(text: str) -> None:
    command = parse_command(text)
    name, fields = KINDS[text]
    assert (kind_of(text).name, command.kind.name) == (name, name)
    assert {field: command[field] for field in fields} == fields
    assert command.encode() == text


def test_numbers_of_a_move() -> None:
    command = parse_command("M/17/Main/+10/-20/9/null/0/0/null/pw")
    assert (command.number("x"), command.number("y")) == (10, -20)


def test_field_that_is_not_there() -> None:
    command = parse_command("D/17/new")
    assert command.get("old_state") is None
    assert command.get("no such name") is None
    assert parse_command("CHATx").get("no such name") is None
    with pytest.raises(KeyError, match="old_state"):
        command["old_state"]


def test_boards_keep_the_tokens_behind_their_names() -> None:
    fields = parse_command("MainBoardPicker\tA\t0\t0").fields
    assert isinstance(fields, Sequence)
    assert fields.tokens == ("MainBoardPicker", "A", "0", "0")


# (text, code, field)
BROKEN = [
    ("+/17", "COMMAND_SHORT", "type"),
    ("+/17/type", "COMMAND_SHORT", "state"),
    ("+/", "COMMAND_SHORT", "type"),
    ("D/17", "COMMAND_SHORT", "state"),
    ("M/17/Main/10", "COMMAND_SHORT", "y"),
    ("M/17/Main/ten/20/null/null/0/0/null/pw", "COMMAND_NUMBER", "x"),
    ("M/17/Main/10/--5/null/null/0/0/null/pw", "COMMAND_NUMBER", "y"),
    ("M/17/Main/10/20/null/null/0/99999999999/null/pw", "COMMAND_NUMBER", "old_y"),
    ("M/17/Main/10/20/null/null//0/null/pw", "COMMAND_NUMBER", "old_x"),
    ("PLAYER\tpw\tBob", "COMMAND_SHORT", "side"),
    ("GlobalProperty\t;Turn", "COMMAND_SHORT", "value"),
    ("MutableProperty\ta\tb", "COMMAND_SHORT", "value"),
]


@pytest.mark.parametrize(("text", "code", "field"), BROKEN)
def test_broken_command_names_the_field(text: str, code: str, field: str) -> None:
    with pytest.raises(CommandError) as caught:
        parse_command(text)
    assert (caught.value.stable_code, caught.value.field) == (code, field)


def test_message_of_a_shifted_move_does_not_show_the_password() -> None:
    with pytest.raises(CommandError) as caught:
        parse_command("M/17/Main/1/2/null/0/0/null/hunter2")
    assert "hunter2" not in str(caught.value)


@given(st.sampled_from(sorted(KINDS)), st.text(st.sampled_from("/\t;\\'a\x1b")) | st.text())
def test_any_text_is_a_command_or_refused(start: str, rest: str) -> None:
    for text in (start + rest, start[:5] + rest, rest):
        try:
            command = parse_command(text)
        except CommandError:
            continue
        assert command.encode() == text


def test_new_command_is_written_like_a_read_one() -> None:
    read = parse_command("D/17/a/b")
    assert isinstance(read.fields, Sequence)
    new = Command(read.kind, Sequence.of(read.fields.tokens, "/"))
    assert new.encode() == "D/17/a/b"


def test_unknown_commands_are_spoken_of_by_their_first_word() -> None:
    assert first_word("NOTES\tsecret") == "NOTES"
    assert first_word("OBA/secret") == "OBA"
    assert first_word("\x07") == "?"
