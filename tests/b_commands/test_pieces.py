"""Pieces: two chains of traits that come out as they went in, and what their traits say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crafted import chain
from vmod_tools.pieces import (
    Piece,
    Place,
    chain_of,
    encode_chain,
    is_concealed,
    members_of,
    parse_chain,
    place_of,
    stated_properties,
)
from vmod_tools.traits import (
    BASIC,
    CLONE,
    DECK,
    DELETE,
    DOES_NOT_STACK,
    KINDS,
    LAYER,
    PROTOTYPE,
    REPORT,
    STACK,
    Trait,
    marker_values,
)

TEXTS = st.text(st.sampled_from("\\'\tab;")) | st.text()
BASE = "piece;;;a.png;Unit"


@given(TEXTS)
def test_every_chain_is_encoded_as_it_was(text: str) -> None:
    assert encode_chain(parse_chain(text)) == text


@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_new_chain_holds_its_levels(texts: list[str]) -> None:
    assert [level.text for level in parse_chain(chain_of(tuple(texts)))] == texts


def test_odd_levels_are_kept() -> None:
    for text in ("a\tb\tc\td", "'a'\t'b\\\tc'", "\t", "a\t", "'a\\'\tb"):
        assert encode_chain(parse_chain(text)) == text
    assert [level.surplus for level in parse_chain("a\tb\tc\td")] == [("c", "d"), ()]


@given(TEXTS, TEXTS)
def test_any_texts_make_a_piece(types: str, states: str) -> None:
    piece = Piece.decode("1", types, states)
    traits = list(piece.traits())
    assert [t.type_text() for t in traits] == [level.text for level in piece.type_chain]
    assert traits[-1] == piece.basic
    stated_properties(piece)
    place_of(piece.basic)
    members_of(piece.basic)
    is_concealed(piece)


@pytest.mark.parametrize(
    ("types", "states", "problem"),
    [
        (("delete;D;;", BASE), ("", "Main;1;2;7;0"), None),
        (("delete;D;;", BASE), ("Main;1;2;7;0",), "2 traits but 1 states"),
        ((BASE,), ("", "Main;1;2;7;0"), "1 traits but 2 states"),
    ],
)
def test_depth_of_types_and_states(
    types: tuple[str, ...], states: tuple[str, ...], problem: str | None
) -> None:
    piece = Piece.decode("17", chain(*types), chain(*states))
    found = piece.depth_problem()
    assert (found and found.message) == problem
    if found is not None:
        assert (found.stable_code, found.field) == ("PIECE_DEPTH", "17")
        assert len(list(piece.traits())) == len(types)


def test_missing_states_are_empty() -> None:
    piece = Piece.decode("1", chain("mark;A", BASE), "x")
    assert [t.state for t in piece.traits()] == ["x", ""]
    assert piece.basic.state == ""
    assert place_of(piece.basic) == Place(None, 0, 0)


@pytest.mark.parametrize(
    ("state", "place"),
    [
        ("Main Map;12;-3;7;0", Place("Main Map", 12, -3)),
        ("null;0;0", Place(None, 0, 0)),
        (";5;6", Place(None, 5, 6)),
        ("Main;ten;1_0;7;0", Place("Main", 0, 0)),
        ("Main\\;2;5;6", Place("Main;2", 5, 6)),
        ("Main", Place("Main", 0, 0)),
    ],
)
def test_place(state: str, place: Place) -> None:
    assert place_of(Trait.decode(BASE, state)) == place


def test_members() -> None:
    assert members_of(Trait.decode("stack", "Main;1;2;7;8;@@0")) == ("7", "8")
    assert members_of(Trait.decode("stack", "Main;1;2")) == ()
    assert members_of(Trait.decode("deck;x", "Main;1;2;false;7,8")) == ("7", "8")
    assert members_of(Trait.decode("deck;x", "Main;1;2;false;")) == ()
    assert members_of(Trait.decode("deck;x", "Main;1;2;false")) == ()
    assert members_of(Trait.decode(BASE, "Main;1;2;7;0")) == ()


def test_stacks_and_decks() -> None:
    stack, deck = Piece.decode("1", "stack", "Main;1;2"), Piece.decode("2", "deck;x", "Main;1;2")
    assert (stack.is_stack, stack.is_deck) == (True, False)
    assert (deck.is_stack, deck.is_deck) == (False, True)
    assert (stack.basic.kind, deck.basic.kind) == (STACK, DECK)


def test_piece_states_its_properties_outer_over_inner() -> None:
    layer = "emb2;;128;A;;128;;;128;;;;1;false;0;0;a,b;,;true;Step;;;false;;1;1;true;;70,130"
    piece = Piece.decode(
        "1",
        chain("mark;Side,Class", "PROP;Mode;;", "mark;Side", layer, "PROP;Empty", "zzz;1", BASE),
        chain("German,infantry", "road", "Allied", "-2;", "", "x", "Main;1;2;42;0"),
    )
    assert stated_properties(piece) == {
        "Side": "German",
        "Class": "infantry",
        "Mode": "road",
        "Step_Level": "2",
        "Step_Active": "false",
        "Empty": "",
        "BasicName": "Unit",
        "PieceGpid": "42",
    }
    assert stated_properties(Piece.decode("1", BASE, "Main;1;2"))["PieceGpid"] == ""


def test_marker_with_too_few_values() -> None:
    assert marker_values(Trait.decode("mark;A,B\\,C", "1")) == {"A": "1", "B,C": ""}


@pytest.mark.parametrize(
    ("trait", "state", "concealed"),
    [
        ("obs;77,130;b.png;Mask;I;?;side:;Peek", "German;false|0", True),
        ("obs;77,130;b.png;Mask;I;?;side:;Peek", "null;", False),
        ("hide;73,130;Invisible", "pw", True),
        ("hide;73,130;Invisible", "null", False),
        ("hide;73,130;Invisible", "", False),
        ("mark;A", "German", False),
    ],
)
def test_mask_or_invisible_conceals(trait: str, state: str, concealed: bool) -> None:
    piece = Piece.decode("1", chain(trait, BASE), chain(state, "Main;1;2;3;0"))
    assert is_concealed(piece) == concealed


# Traits


def test_fields_by_name_and_their_defaults() -> None:
    trait = Trait.decode("report;70\\,130")
    assert trait.kind is REPORT
    assert trait["keys"] == "70\\,130"
    assert trait["no_suppress"] == "false"
    assert Trait.decode("immob;n;V")["stacking"] == "R"
    assert Trait.decode("prototype;Unit")["prototype_name"] == "Unit"
    assert Trait.decode("piece;;;a.png;Unit")["name"] == "Unit"


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("delete;Delete;68,130;", DELETE, "command_name"),
        ("clone;Clone;67,130;", CLONE, "key"),
        ("prototype;Unit", PROTOTYPE, "parameters"),
        ("immob;;N;L", DOES_NOT_STACK, "movement"),
        ("emb2;;", LAYER, "only_property_state"),
        ("piece;", BASIC, "image"),
    ],
)
def test_known_traits(text: str, kind: object, name: str) -> None:
    trait = Trait.decode(text)
    assert trait.kind is kind
    assert isinstance(trait[name], str)
    with pytest.raises(KeyError):
        trait["no such field"]


def test_trait_whose_first_field_decides_about_the_others() -> None:
    free, fixed = Trait.decode("rotate;1;K"), Trait.decode("rotate;6;L;R")
    assert free["set_angle_key"] == "K"
    assert fixed["facings"] == "6"
    with pytest.raises(KeyError):
        fixed["set_angle_key"]


def test_field_that_vassal_needs() -> None:
    with pytest.raises(KeyError, match="command_name"):
        Trait.decode("delete;").kind.fields and Trait(DELETE, None)["command_name"]


def test_unknown_trait_is_a_trait_without_names() -> None:
    trait = Trait.decode("zzz;a;'b';c\\;d", "state")
    assert trait.kind.prefix == "zzz;"
    assert trait.kind.prefix not in KINDS
    assert trait.tokens == ("a", "b", "c;d")
    assert trait.type_text() == "zzz;a;'b';c\\;d"
    assert trait.state_fields().tokens == ("state",)


def test_trait_without_fields() -> None:
    trait = Trait.decode("stack", "Main;1;2;@@0")
    assert trait.tokens == ()
    assert trait.type_text() == "stack"
    assert trait.with_state("x").state == "x"


@given(TEXTS, TEXTS)
def test_every_trait_is_encoded_as_it_was(text: str, state: str) -> None:
    for prefix in ("", *KINDS):
        trait = Trait.decode(prefix + text, state)
        assert trait.type_text() == prefix + text
        assert trait.state_fields().encode() == state
