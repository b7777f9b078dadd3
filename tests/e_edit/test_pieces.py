"""Edits of one piece, the selector language, new identities, and prototypes put in place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crafted import chain
from vmod_tools.edit.addpiece import AddedPiece, may_stack, with_members
from vmod_tools.edit.changes import Change, piece_changes
from vmod_tools.edit.commandtree import Branch, Leaf, editable, encode
from vmod_tools.edit.ids import EARLIEST, Gpids, PieceIds
from vmod_tools.edit.pieceedits import (
    AddTrait,
    PieceEdit,
    RemoveTrait,
    Rename,
    SetField,
    SetProperty,
    SetState,
    gpid_of,
    with_gpid,
    with_place,
)
from vmod_tools.edit.selectors import Subject, parse_selector
from vmod_tools.errors import CommandError, PieceError, VmodError
from vmod_tools.pieces import Piece, Place, chain_of, encode_chain, place_of, stated_properties

LAYER = "emb2;;128;A;;128;;;128;;;;1;false;0;0;a.png,b.png;,;false;Step;;;false;;1;1"
TYPES = (
    "PROP;Strength;true;Up:85\\,130:I\\,1",
    "mark;Side,Kind",
    LAYER,
    "hide;72,130;Hide;;side:",
    "odd;x",
    "piece;;;inf.png;1st",
)
STATES = ("5", "Blue", "-1", "secret", "hm", "Main;1;2;17;0")


def piece_of(types: tuple[str, ...] = TYPES, states: tuple[str, ...] = STATES) -> Piece:
    return Piece.decode("1", chain(*types), chain(*states))


def texts(piece: Piece) -> tuple[list[str], list[str]]:
    return [x.text for x in piece.type_chain], [x.text for x in piece.state_chain]


@pytest.mark.parametrize(
    ("edit", "level", "state"),
    [
        (SetProperty("Strength", "6"), 0, "6"),
        (SetProperty("Side", "Red,1"), 1, "Red\\,1"),
        # A marker with fewer values than keys is filled up.
        (SetProperty("Kind", "Inf"), 1, "Blue,Inf"),
        (SetProperty("Kind", "\\"), 1, "Blue,'\\'"),
        (SetProperty("Step_Level", "2"), 2, "-2"),
        (SetProperty("Step_Active", "true"), 2, "1"),
        (SetProperty("Step_Active", "false"), 2, "-1"),
        (SetState("hide;", "null"), 3, "null"),
        (SetState("odd", "x\\"), 4, "x\\"),
    ],
)  # fmt: skip
def test_one_state_changes(edit: PieceEdit, level: int, state: str) -> None:
    before = piece_of()
    after = edit.apply(before)
    types, states = texts(after)
    assert states[level] == state
    assert (types, [*states[:level], STATES[level], *states[level + 1 :]]) == texts(before)
    # It reads back from its text.
    text = encode_chain(after.state_chain)
    assert texts(Piece.decode("1", chain(*TYPES), text))[1] == states
    assert edit.apply(after) == after
    assert edit.reshape(before, before.state_chain) is before.state_chain


def test_outermost_trait_that_states_a_property_is_set() -> None:
    piece = piece_of(("mark;Side", *TYPES), ("Outer", *STATES))
    after = SetProperty("Side", "New").apply(piece)
    assert texts(after)[1] == ["New", *STATES]


def test_property_that_no_trait_states_is_left() -> None:
    edit = SetProperty("Nothing", "x")
    assert edit.apply(piece_of()) is not None
    assert edit.apply(piece_of()) == piece_of()
    assert not edit.is_stated_by(piece_of())
    assert SetProperty("Step_Level", "1").is_stated_by(piece_of())


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (SetProperty("Step_Level", "two"), "EDIT_LEVEL"),
        (SetProperty("Step_Level", "-2"), "EDIT_LEVEL"),
        (SetProperty("Step_Active", "yes"), "EDIT_LEVEL"),
        (SetField("odd;", "name", "x"), "EDIT_FIELD"),
        (SetField("hide;", "nothing", "x"), "EDIT_FIELD"),
    ],
)
def test_what_a_trait_cannot_say_is_refused(edit: PieceEdit, code: str) -> None:
    with pytest.raises(PieceError) as caught:
        edit.apply(piece_of())
    assert caught.value.stable_code == code


def test_piece_with_fewer_states_than_traits_is_not_edited_there() -> None:
    short = Piece.decode("1", chain(*TYPES), chain("5", "x"))
    with pytest.raises(PieceError) as caught:
        SetState("hide;", "null").apply(short)
    assert caught.value.stable_code == "PIECE_DEPTH"


@pytest.mark.parametrize(
    ("edit", "level", "text"),
    [
        (SetField("hide;", "command", "Cover"), 3, "hide;72,130;Cover;;side:"),
        (SetField("hide;", "command", "Hide"), 3, "hide;72,130;Hide;;side:"),
        # Fields between the end of the text and the one set get VASSAL's defaults.
        (SetField("hide;", "description", "d;e"), 3, "hide;72,130;Hide;;side:;0.3;d\\;e"),
        (SetField("PROP;", "key", "a\\"), 0, "PROP;'a\\';true;Up:85\\,130:I\\,1"),
        (Rename("2nd"), 5, "piece;;;inf.png;2nd"),
    ],
)
def test_one_field_of_a_type_changes(edit: PieceEdit, level: int, text: str) -> None:
    types, states = texts(edit.apply(piece_of()))
    assert types == [*TYPES[:level], text, *TYPES[level + 1 :]]
    assert states == list(STATES)


def test_stacks_and_decks_are_not_renamed() -> None:
    stack = Piece.decode("1", "stack", "Main;1;2;3")
    assert Rename("x").apply(stack) is stack


def test_trait_is_put_around_the_piece_and_taken_out() -> None:
    before = piece_of()
    edit = AddTrait("mark;\\New", "a\\")
    after = edit.apply(before)
    assert texts(after) == (["mark;\\New", *TYPES], ["a\\", *STATES])
    assert encode_chain(after.state_chain).startswith("'a\\'\t5\\\t")
    assert RemoveTrait("mark;\\").apply(after) == before
    assert texts(RemoveTrait("mark;").apply(after)) == texts(RemoveTrait("mark;").apply(before))
    assert RemoveTrait("piece;").apply(before) is before
    assert edit.reshape(before, before.state_chain) == after.state_chain
    assert RemoveTrait("mark;\\").reshape(after, after.state_chain) == before.state_chain


_TEXTS = st.lists(st.text(alphabet="ab;,'\\\t/", max_size=6), min_size=2, max_size=5)


@given(_TEXTS, st.text(alphabet="ab'\\\t", max_size=5), st.integers(0, 3))
def test_any_state_can_be_set_and_reads_back(states: list[str], new: str, at: int) -> None:
    at %= len(states) - 1
    types = [f"odd{i};" for i in range(len(states) - 1)] + ["piece;;;;x"]
    piece = Piece.decode("1", chain(*types), chain_of(tuple(f"x{s}" for s in states)))
    after = SetState(f"odd{at};", new).apply(piece)
    again = Piece.decode("1", chain(*types), encode_chain(after.state_chain))
    expected = [f"x{s}" for s in states]
    expected[at] = new
    assert texts(again)[1] == expected


def test_place_and_gpid_are_in_the_innermost_state() -> None:
    piece = with_gpid(with_place(piece_of(), Place(None, 3, 4)), "abc:9")
    assert texts(piece)[1][-1] == "null;3;4;abc:9;0"
    assert gpid_of(piece) == "abc:9"
    assert gpid_of(piece_of(states=(*STATES[:-1], "Main;1;2"))) == ""
    assert with_place(piece_of(), Place("Main", 1, 2)) == piece_of()
    assert place_of(piece.basic) == Place(None, 3, 4)


def test_quotes_of_other_levels_stay() -> None:
    """What some old version quoted, or left bare, is not written anew."""
    state = "\\+3 +\t'quoted'\\\tMain;1;2"
    piece = Piece.decode("1", chain("emb2;", "mark;A", "piece;;;;x"), state)
    assert encode_chain(piece.state_chain) == state
    after = SetProperty("A", "v").apply(piece)
    assert encode_chain(after.state_chain) == "\\+3 +\tv\\\tMain;1;2"


def test_changes_never_show_owners() -> None:
    before = piece_of()
    after = before
    edits = (
        SetState("hide;", "password"),
        SetState("odd;", "private"),
        SetProperty("Side", "Red"),
        SetField("hide;", "command", "Cover"),
        SetState("emb2;", "2"),
    )
    for edit in edits:
        after = edit.apply(after)
    changes = list(piece_changes("1st", before, after))
    said = str(changes)
    assert "password" not in said
    assert "secret" not in said
    assert "private" not in said
    assert Change("1st", "Side", "Blue", "Red") in changes
    assert Change("1st", "Invisible state", "(not shown)", "(not shown)") in changes
    assert Change("1st", "Step_Level", "1", "2") in changes
    footprint = piece_of(("footprint;", "piece;;;;x"), ("true", "Main;1;2"))
    shown = list(piece_changes("x", footprint, SetState("footprint;", "false").apply(footprint)))
    assert shown == [Change("x", "Movement Trail state", "true", "false")]
    less = RemoveTrait("hide;").apply(before)
    assert Change("x", "trait", TYPES[3], "") in list(piece_changes("x", before, less))


# Holders


def test_members_of_stacks_and_decks_are_written() -> None:
    stack = Piece.decode("s", "stack", "'M';1;2;a;@@0")
    assert texts(with_members(stack, ("b", "c")))[1] == ["'M';1;2;b;c;@@0"]
    assert encode_chain(with_members(stack, ("b",)).state_chain) == "'M';1;2;b;@@0"
    deck = Piece.decode("d", "deck;true", "M;1;2;true")
    assert texts(with_members(deck, ("b", "c")))[1] == ["M;1;2;true;b,c"]
    assert texts(with_members(with_members(deck, ("b",)), ()))[1] == ["M;1;2;true"]


def test_only_some_pieces_may_stack() -> None:
    assert may_stack(piece_of())
    assert not may_stack(piece_of(("immob;n;N", "piece;;;;x"), ("", "M;1;2")))
    assert may_stack(piece_of(("immob;n;N;L", "piece;;;;x"), ("", "M;1;2")))


def test_other_commands_are_no_pieces() -> None:
    with pytest.raises(CommandError) as caught:
        AddedPiece.parse("CHATx")
    assert caught.value.stable_code == "COMMAND_KIND"


# The tree


def test_tree_of_one_command_is_a_branch_of_one() -> None:
    assert encode(editable("x")) == "x"
    branch = editable("a\x1b'b'\x1b\\\x1bc")
    assert encode(branch) == "a\x1b'b'\x1b\\\x1bc"
    assert encode(Branch([Leaf("'x'", quoted=True)])) == "''x''"


# Selectors

SUBJECT = Subject(piece_of(), "1700", "1st Inf", map="Main Map", location=lambda: "0302")


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("*", True),
        (" * ", True),
        ("name=1st Inf", True),
        ("name = 1st", False),
        ('name="1st Inf"', True),
        ("map=Main Map and location=0302", True),
        ("map=Main Map and location=0303", False),
        ("gpid=17", True),
        ("id=1700", True),
        ("kind=piece and kind!=slot", True),
        ("Side=Blue", True),
        ("Side!=Blue", False),
        ("property:Side=Blue", True),
        ("property:name=x", False),
        ("Nothing=", False),
        ("trait=mark;Side", True),
        ("trait=hide;", True),
        ("trait=immob;", False),
        ("trait=prototype:Unit", False),
        ("Strength=5 and Step_Level=1", True),
        ('Side="a \\"b\\" \\\\ and c"', False),
    ],
)
def test_selector_fits(text: str, fits: bool) -> None:
    assert parse_selector(text).matches(SUBJECT) is fits


def test_values_of_a_selector() -> None:
    conditions = parse_selector('a="x \\"y\\" and z" and b = c=d and e=').conditions
    assert [(c.key, c.value) for c in conditions] == [
        ("property:a", 'x "y" and z'),
        ("property:b", "c=d"),
        ("property:e", ""),
    ]
    assert parse_selector("location=1").asks_location
    uses = piece_of(("prototype;Land", "piece;;;;x"), ("", "M;1;2"))
    assert parse_selector("trait=prototype:Land").matches(Subject(uses, "", "x", gpid="5"))
    assert parse_selector("gpid=5").matches(Subject(uses, "", "x", gpid="5"))
    assert SUBJECT.map == "Main Map"
    assert Subject(uses, "", "x").location() is None


@pytest.mark.parametrize("text", ["", "name", "=x", "name=1 and", 'name="x', 'a="x" b', "and a=b="])
def test_what_is_no_selector_is_refused(text: str) -> None:
    if text == "and a=b=":
        assert parse_selector(text).conditions[0].key == "property:and a"
        return
    with pytest.raises(VmodError) as caught:
        parse_selector(text)
    assert caught.value.stable_code == "SELECTOR"


# Identities


def test_piece_ids_are_times_that_nothing_has() -> None:
    ids = PieceIds(["1700000000000", "x", "99999999999999999999"])
    assert [ids.new(), ids.new()] == ["1700000000001", "1700000000002"]
    ids = PieceIds(["1700000000000", "1700000000001"], start=1_700_000_000_000)
    assert ids.new() == "1700000000002"
    assert PieceIds([]).new() == str(EARLIEST)


@pytest.mark.parametrize(
    ("stated", "taken", "prefix", "new"),
    [("10", ["3"], "", "10"), ("3", ["3", "7"], "", "8"), ("", [], "", "0"),
     ("4", ["abc:4", "x"], "abc", "abc:5")],
)  # fmt: skip
def test_gpids_count_on(stated: str, taken: list[str], prefix: str, new: str) -> None:
    gpids = Gpids(stated, taken, prefix)
    assert gpids.new() == new
    assert gpids.next == int(new.rpartition(":")[2]) + 1


def test_stated_properties_follow_an_edit() -> None:
    assert stated_properties(SetProperty("Kind", "x").apply(piece_of()))["Kind"] == "x"
