"""Texts of all shapes come back: trees, quotes, unknown and malformed commands, odd chains."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.support.crafted import (
    ESC,
    add,
    basic_state,
    chain,
    change,
    game,
    hidden,
    log_text,
    move,
    piece,
    save_text,
    seq,
    stack,
    step,
)
from vmod_tools.commands.kinds import ALL_KINDS as KINDS
from vmod_tools.envelope import Envelope, encode
from vmod_tools.errors import LimitError
from vmod_tools.savexml import from_xml, to_xml
from vmod_tools.savexml.nodes import NAMESPACE
from vmod_tools.savexml.pieces import MOST_LEVELS
from vmod_tools.savexml.plans import STATE_NAMES
from vmod_tools.traits import KINDS as TRAITS

TAG = f"{{{NAMESPACE}}}"
NOISE = st.text(st.sampled_from("\\'\x1b\t/;,|ab")) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=8
)
PREFIXES = ("+/", "D/", "M/", "-/", "CHAT", "LOG\t", "LOG\tLOG\t", "UNDO\t", "PLAYER\t", "TURNa\t",
            "GlobalProperty\t;", "MutableProperty\t", "xBoardPicker", "SNOTE\t", "")  # fmt: skip
TYPES = st.lists(
    st.builds(
        "{}{}".format,
        st.sampled_from([*TRAITS, "mark;a,b", "mark;", "rotate;1", "info;", "stemdial", "'"]),
        NOISE,
    ),
    min_size=1,
    max_size=4,
)
PIECES = st.builds(
    lambda head, types, states, rest: head + seq("/", "7", chain(*types), chain(*states), *rest),
    st.sampled_from(["+/", "D/"]),
    TYPES,
    st.lists(NOISE | st.just("Main;1;2;3;1;k;v"), min_size=1, max_size=5),
    st.lists(NOISE, max_size=1),
)
COMMANDS = st.builds("{}{}".format, st.sampled_from(PREFIXES), NOISE) | PIECES
TEXTS = st.recursive(
    COMMANDS,
    lambda inner: st.lists(inner, min_size=1, max_size=4).map(lambda parts: seq(ESC, *parts)),
    max_leaves=10,
)


def comes_back(data: bytes) -> etree._Element:
    """The XML's root; its file is the one it came from."""
    document = to_xml(data).document
    rebuilt = from_xml(document)
    assert rebuilt.data == data
    return etree.fromstring(document)


@given(st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=3))
def test_every_text_comes_back(before: list[str], steps: list[str]) -> None:
    comes_back(game(seq(ESC, "begin_save", *before, "end_save", *steps)))


@given(NOISE)
def test_any_characters_come_back(text: str) -> None:
    comes_back(game(text or "x"))


@given(st.binary(min_size=1))
def test_any_bytes_come_back(data: bytes) -> None:
    comes_back(game(encode(Envelope("VCSK", 7, "lower"), data)))


@pytest.mark.parametrize(
    "content",
    [
        hidden("CHATabc", upper=True),
        b"!VCSK" + b"4aA" + b"bCd",
        encode(Envelope("VOBS", 200), b"begin_save\x1bCHAThi"),
        b"begin_save\x1bCHATplain \xe9",
        b"!VCSK4",
        b"something else",
        b"",
    ],
)
def test_every_hiding_comes_back(content: bytes) -> None:
    comes_back(game(content))


@given(st.binary(min_size=1, max_size=40), st.data())
def test_mixed_letter_case_comes_back(plain: bytes, data: st.DataObject) -> None:
    digits = hidden(plain.decode("latin-1"))[5:].decode()
    mixed = "".join(data.draw(st.sampled_from([d, d.upper()])) for d in digits)
    comes_back(game(b"!VCSK" + mixed.encode()))


PIECE = piece("1", 5, 6, ("mark;Side,Zug", "赤,三"), ("hide;73,130;Hide;;side:", "null"))


def test_what_a_reader_sees() -> None:
    text = log_text(
        save_text(PIECE, stack("s", 5, 6, "1"), rest=["PLAYER\tpw\tAnn\tRed", "INFO\tx"]),
        step(move("1", (7, 8), (5, 6)), "CHAT第一歩"),
        step(change("1", chain("青,四", "pw", basic_state(1, 2)))),
    )
    root = comes_back(game(text))
    assert root.get("kind") == "log"
    trait = root.find(f".//{TAG}trait[@kind='Marker']")
    assert trait is not None
    assert [f.text for f in trait] == ["Side", "Zug"]
    fields = root.find(f".//{TAG}piece/{TAG}state[@at='1']")
    assert fields is not None
    assert {f.get("name"): f.text for f in fields} == {"Side": "赤", "Zug": "三"}
    basic = root.find(f".//{TAG}piece/{TAG}state[@kind='Basic Piece']")
    assert basic is not None
    assert dict(basic.attrib) == {
        "at": "3", "kind": "Basic Piece", "map": "Main Map", "x": "5", "y": "6", "gpid": "1",
        "properties": "0",
    }  # fmt: skip
    assert [s.get("n") for s in root.iter(f"{TAG}step")] == ["1", "2"]
    moved = root.find(f".//{TAG}step[@n='1']/{TAG}command[@kind='move']")
    assert moved is not None
    assert (moved.get("x"), moved.get("old_x"), moved.get("player")) == ("7", "5", "pw")
    after = root.find(f".//{TAG}change/{TAG}state-after/{TAG}state/{TAG}field[@name='Zug']")
    assert after is not None
    assert after.text == "四"
    assert root.find(f".//{TAG}command[@text='INFO␉x']") is not None


def test_properties_of_a_basic_piece_have_names() -> None:
    text = add("1", ["piece;;;a.png;A"], ["Main;1;2;3;2;OldX;9;OldMap;Main"])
    root = comes_back(game(save_text(text)))
    found = {p.get("name"): p.text for p in root.iter(f"{TAG}property")}
    assert found == {"OldX": "9", "OldMap": "Main"}


@pytest.mark.parametrize(
    "state",
    ["Main;1;2;3;3;OldX;9", "Main;1;2;3;1;OldX", "Main;1;2;3;1;;9", "Main;1;2;3;1;'k';9", "null"],
)
def test_strange_properties_stay_tokens(state: str) -> None:
    root = comes_back(game(save_text(add("1", ["piece;;;a.png;A"], [state]))))
    assert not root.findall(f".//{TAG}property")


@pytest.mark.parametrize(
    ("command", "note"),
    [
        ("M/1/Main/x/2/null/Main/1/2/null/pw", "not a whole number"),
        ("PLAYER\tpw", "cut short"),
        ("+/1/piece;;;;", "cut short"),
        ("+/1/piece;;;;/null;0;0/surplus", "surplus"),
        ("D/1/a/b/c", "surplus"),
    ],
)
def test_malformed_command_is_kept_with_a_note(command: str, note: str) -> None:
    root = comes_back(game(save_text(rest=[command])))
    (kept,) = [c for c in root.iter(f"{TAG}command") if c.get("note")]
    assert kept.get("text", "").replace("␉", "\t") == command
    assert note in kept.get("note", "")


def test_odd_chains_are_kept_with_a_note() -> None:
    odd_type = seq("\t", "mark;a", "piece;;;;", "surplus")
    odd_state = seq("\t", "1", "null;0;0", "surplus")
    few = chain("1", "2")
    root = comes_back(
        game(
            save_text(
                "+/" + seq("/", "1", odd_type, few),
                "+/" + seq("/", "2", "piece;;;;", odd_state),
                "+/" + seq("/", "3", "piece;;;;", few),
                "D/" + seq("/", "unknown", few, odd_state),
                "+/" + seq("/", "4", "piece;;;;", chain(*["x"] * (MOST_LEVELS + 1))),
            )
        )
    )
    notes = [e.get("note") for e in root.iter(f"{TAG}type", f"{TAG}piece", f"{TAG}state-before")]
    odd = "the chain has surplus tokens, or too many levels"
    assert notes == [odd, None, None, odd, "1 traits but 2 states", odd, odd]


def test_deep_nesting_is_refused() -> None:
    text = "x"
    for _ in range(12):
        text = seq(ESC, "", text, "y")
    comes_back(game(text))
    for _ in range(200):
        text = "\x1b" + text.replace("\x1b", "\\\x1b")
    with pytest.raises(LimitError):
        to_xml(game(text))


def test_equal_types_are_written_once() -> None:
    pieces = [piece(str(n), n, n, ("mark;Side", "Red")) for n in range(20)]
    pieces = [re.sub(r"unit \d+", "unit", p) for p in pieces]
    root = comes_back(game(save_text(*pieces)))
    assert [t.get("id") for t in root.iter(f"{TAG}type")] == ["t1"]
    assert len(root.findall(f".//{TAG}piece[@type='t1']")) == 20


def test_no_field_has_the_name_of_an_attribute_of_ours() -> None:
    ours = {"kind", "prefix", "quoted", "level", "at", "note", "log"}
    for trait in TRAITS.values():
        assert not ours & {f.name for f in (*trait.fields, *trait.variant.fixed)}
    for kind in KINDS.values():
        assert not ours & set(kind.fields)
    for prefix, names in STATE_NAMES.items():
        assert prefix in TRAITS
        assert not ours & set(names)
    assert len({kind.name for kind in KINDS.values()}) == len(KINDS)
