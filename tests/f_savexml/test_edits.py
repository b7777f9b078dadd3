"""One edit by hand gives a file with that edit, and all else equal."""

from __future__ import annotations

import pytest

from tests.support.crafted import (
    ESC,
    add,
    basic_state,
    chain,
    change,
    game,
    log_text,
    move,
    piece,
    save_text,
    seq,
    stack,
    step,
)
from vmod_tools.archive import Archive
from vmod_tools.errors import SaveXmlError
from vmod_tools.logs import Log
from vmod_tools.saves import Save, read_text
from vmod_tools.savexml import from_xml, to_xml

LAYER = (
    "emb2;;128;A;;128;;;128;;;;1;false;0;0;a.png,b.png;,;true;Step;;;false;;1;1;true;;;;;1.0;;true"
)
RANGERS = piece("1", 5, 6, ("mark;Side,Zug", "Blue,三"), (LAYER, "1"), ("PROP;Hits;;", "0"))
TEXT = log_text(
    save_text(RANGERS, stack("s", 5, 6, "1"), rest=["PLAYER\tpw\tAnn\tRed"]),
    step(move("1", (7, 8), (5, 6)), "CHAT&lt;Ann&gt; - first"),
    step("CHATsecond"),
)
LOG = game(TEXT, module="M")


def edited(old: str, new: str, data: bytes = LOG) -> str:
    """The plain text after one replacement in the XML; everything else of the file is as it was."""
    document = to_xml(data).document.decode()
    assert document.count(old) == 1, document
    after = from_xml(document.replace(old, new).encode()).data
    before_archive, archive = Archive.parse(data), Archive.parse(after)
    for was, now in zip(before_archive.entries, archive.entries, strict=True):
        if was.name != "savedGame":
            assert now.chunk == was.chunk
            assert now.record[:42] == was.record[:42]
    assert archive.tail[-2:] == before_archive.tail[-2:]
    return read_text(archive.read(archive.entries[0]))[1]


@pytest.mark.parametrize(
    ("old", "new", "text_old", "text_new"),
    [
        ('name="Zug">三<', 'name="Zug">四<', "Blue,三", "Blue,四"),
        ('name="Zug">三<', 'name="Zug">a,b<', "Blue,三", "Blue,a\\,b"),
        ('name="Hits">0<', 'name="Hits">2<', "\\\t0\\\\\t", "\\\t2\\\\\t"),
        ('kind="Layer" value="1"', 'kind="Layer" value="2"', "\t1\\\t0", "\t2\\\t0"),
        ('text="second"', 'text="第二"', "CHATsecond", "CHAT第二"),
        (' x="5" y="6" gpid', ' x="50" y="6" gpid', ";5;6;1;0", ";50;6;1;0"),
        ('x="7"', 'x="70"', "/7/8/", "/70/8/"),
        ('loop_levels="true" ', "", ";,;true;Step", ";,;;Step"),
        ('image_name="a.png,b.png"', 'image_name="c.png"', "a.png,b.png", "c.png"),
        ('name="Step"', 'name="Step;1"', ";Step;", ";Step\\;1;"),
    ],
)
def test_one_edit(old: str, new: str, text_old: str, text_new: str) -> None:
    assert TEXT.count(text_old) == 1
    assert edited(old, new) == TEXT.replace(text_old, text_new)


@pytest.mark.parametrize(
    "value", ["ends with \\", "\\", "'quoted'", "''", "'", "a\\;,\t/b", "␀␦241b;␍"]
)
def test_edited_value_reads_back_whatever_it_is(value: str) -> None:
    data = game(save_text(piece("1", 5, 6, ("mark;Side,Zug", "Blue,三"))))
    text = edited('name="Side">Blue<', f'name="Side">{value}<', data)
    save = Save.read(Archive.parse(game(text)))
    (placed,) = save.state.pieces.values()
    marker = next(placed.piece.traits())
    wanted = (
        value.replace("␦241b;", "\ue000")
        .replace("␀", "\0")
        .replace("␍", "\r")
        .replace("\ue000", "␛")
    )
    assert marker.state_fields().tokens == (wanted, "三")


def test_edited_chat_that_ends_with_a_backslash_keeps_the_next_step() -> None:
    text = edited('text="second"', 'text="second\\"')
    assert len(Log.read(Archive.parse(game(text))).steps) == 2
    text = edited(' - first"', ' - first\\"')
    log = Log.read(Archive.parse(game(text)))
    assert [s.chat for s in log.steps] == [("&lt;Ann&gt; - first\\",), ("second",)]


def test_steps_can_be_taken_out_and_put_in() -> None:
    document = to_xml(LOG).document.decode()
    at, end = document.index('<step n="2">'), document.index("</commands>")
    added = '<step n="9"><command kind="chat" text="new"/></step>'
    log = Log.read(Archive.parse(from_xml((document[:at] + added + document[end:]).encode()).data))
    assert [s.chat[0] for s in log.steps] == ["&lt;Ann&gt; - first", "new"]


def test_marker_fields_go_by_name() -> None:
    old = '<field name="Side">Blue</field>\n        <field name="Zug">三</field>'
    new = '<field name="Zug">三</field><field name="Side">Blue</field>'
    assert edited(old, new) == TEXT
    assert edited(old, '<field name="Zug">三</field>') == TEXT.replace("Blue,三", ",三")


def test_properties_are_counted_anew() -> None:
    data = game(save_text(add("1", ["piece;;;a.png;A"], ["Main;1;2;3;1;OldX;9"])))
    old = '<property name="OldX">9</property>'
    text = edited(old, old + '<property name="OldY">8</property>', data)
    assert "Main;1;2;3;2;OldX;9;OldY;8" in text


def test_changes_know_the_names_of_their_piece() -> None:
    state = chain("Red,一", "1", "1", basic_state(5, 6))
    data = game(log_text(save_text(RANGERS), step(change("1", state))))
    text = edited('name="Side">Red<', 'name="Side">Green<', data)
    assert "LOG\tD/1/Green,一" in text


def test_commands_nested_by_hand_are_escaped() -> None:
    old = '<command kind="chat" text="second"/>'
    new = '<tree><command kind="chat" text="a"/><command kind="chat" log="2" text="b"/></tree>'
    inner = seq(ESC, "LOG\tCHATa", "LOG\tLOG\tCHATb")
    assert edited(old, new).endswith(ESC + seq(ESC, seq(ESC, inner)))


@pytest.mark.parametrize(
    ("old", "text", "line"),
    [
        ('kind="chat" text="second"', "a␛b", 56),
        ('kind="setup_stack" rest=""', "'quoted'", 49),
    ],
)
def test_command_that_vassal_would_take_apart_is_refused(old: str, text: str, line: int) -> None:
    with pytest.raises(SaveXmlError, match=rf"line {line}: .*SAVEXML_COMMAND"):
        edited(old, f'kind="opaque" text="{text}"')
