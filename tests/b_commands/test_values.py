"""Typed values: every text of every kind comes out as it went in, and says what VASSAL reads in it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vmod_tools.sequence import Sequence
from vmod_tools.values.changers import Changer, Constraints, PropertyCommand, PropertyCommands
from vmod_tools.values.codec import DECODERS, RAW, SECRET, Value, decode_value, encode_value
from vmod_tools.values.expressions import Condition, Expression, PropertyMatch, Target
from vmod_tools.values.keys import KeyStroke, KeyStrokes, LegacyKey, LegacyKeys
from vmod_tools.values.lists import Access, Lines, Parameter, Parameters, StringArray, decode_lines
from vmod_tools.values.looks import (
    Flags,
    MaskDisplay,
    MaskOptions,
    Owner,
    Point,
    ShapePath,
    ShapeStep,
    SheetDefinition,
    SheetField,
    StackLayer,
)
from vmod_tools.values.plain import (
    Colour,
    NoColour,
    OddFloat,
    OddInt,
    ValueProblem,
    double_text,
    number_text,
)

# Pieces that texts of these kinds are made of, odd ones included.
PARTS = (
    *("", "0", "1", "-1", "+5", "007", "255", "256", "1.5", "1.", ".5", "1e3", "1E400", "NaN", "2147483648"),
    *(",", ";", ":", "|", "~", "\\", "'", "$", " ", "=", "{", "}", "\\,", "\\:", "\\|", "''"),
    *("true", "false", "True", "null", "0x1fF", "65,130", "57344,0,Go", "K", "P", "I", "R", "E"),
    *("COUNTER", "MAP", "EQUALS", "player:", "side:", "sides:", "n", "V", "L", "G", "2", "@@", "d", "m"),
    *("l", "c", "M", "Z", "N", "m,1,2", "d M 1 2", "3Hits", "&&", "||", ">=", "日本", "\udce9", "\t"),
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), max_size=7).map("".join) | st.text()


@pytest.mark.parametrize("kind", sorted(DECODERS))
@given(text=TEXTS)
def test_every_text_of_every_kind_comes_out_as_it_went_in(kind: str, text: str) -> None:
    value = decode_value(kind, text)
    assert encode_value(value) == text
    if not isinstance(value, float):
        assert decode_value(kind, encode_value(value)) == value


@pytest.mark.parametrize("kind", sorted(DECODERS))
def test_an_empty_token_is_the_default_or_says_why_not(kind: str) -> None:
    value = decode_value(kind, "")
    assert not isinstance(value, ValueProblem) or kind in ("MD", "PT")
    assert encode_value(value) == ""


# Kind, text, what it says.
GOOD: list[tuple[str, str, Value]] = [
    ("S", "a\\,b", "a\\,b"),
    ("I", "-12", -12),
    ("I", "+5", 5),
    ("J", "1700000000000", 1_700_000_000_000),
    ("D", "0.30000001192092896", 0.30000001192092896),
    ("D", "1", 1.0),
    ("D", "1.0E-4", 1e-4),
    ("D", "-1.25E10", -1.25e10),
    ("D", "Infinity", math.inf),
    ("D", "-Infinity", -math.inf),
    ("D", " 2.5f ", 2.5),
    ("B", "true", True),
    ("B", "false", False),
    ("CH", "t", "t"),
    ("C", "255,0,12", Colour(255, 0, 12)),
    ("C", "255,0,12,80", Colour(255, 0, 12, 80)),
    ("C", "1,2,3,255", Colour(1, 2, 3, 255, "1,2,3,255")),
    ("C", "0xFF8001", Colour(255, 128, 1, written="0xFF8001")),
    ("C", "null", NoColour()),
    ("C", "", None),
    ("K", "72,130", KeyStroke(72, 130)),
    ("K", "57344,0,Go", KeyStroke(57344, 0, "Go")),
    ("K", "57344,0,Go,on", KeyStroke(57344, 0, "Go", ("on",))),
    ("K", "65,130,", KeyStroke(65, 130, "")),
    ("K", "D", LegacyKey("D")),
    ("KA", r"65\,130,57348\,0\,Go", KeyStrokes((KeyStroke(65, 130), KeyStroke(57348, 0, "Go")))),
    ("KA", r"65\,130,", KeyStrokes((KeyStroke(65, 130), None))),
    ("KA", "AB", LegacyKeys("AB")),
    ("SA", r"a\,b,c", StringArray(("a,b", "c"))),
    ("SA", "'a',", StringArray(("a", ""), frozenset({0}))),
    ("N", r"one|tw\|o", Lines(("one", "tw|o"))),
    ("AC", "player:", Access("player")),
    ("AC", "side:", Access("side")),
    ("AC", r"sides:Red:Bl\:ue", Access("sides", ("Red", "Bl:ue"))),
    ("P", "a:1,b:", Parameters((Parameter("a", "1"), Parameter("b", "")))),
    ("P", ":", Parameters((Parameter("", ""),))),
    ("P", "a", Parameters((Parameter("a", None),))),
    ("T", "COUNTER|false|MAP", Target(Sequence("|", ("COUNTER", "false", "MAP")))),
    ("CN", "true,0,4,false", Constraints(True, 0, 4, False)),
    ("CN", "true,,4", Constraints(True, None, 4, None, tokens=3)),
    (
        "PC",
        r":48\,130:P\,0,:57344\,0\,Up:I\,1",
        PropertyCommands(
            (
                PropertyCommand("", KeyStroke(48, 130), Changer("P", ("0",))),
                PropertyCommand("", KeyStroke(57344, 0, "Up"), Changer("I", ("1",))),
            )
        ),
    ),
    ("PC", "Go", PropertyCommands((PropertyCommand("Go", tokens=1),))),
    ("SF", "nZ", Flags("nZ")),
    ("MF", "V", Flags("V")),
    ("ST", "L", Flags("L")),
    ("MD", "I", MaskDisplay("I")),
    ("MD", "P", MaskDisplay("P")),
    ("MD", "P80,130", MaskDisplay("P", KeyStroke(80, 130))),
    ("MD", "PK", MaskDisplay("P", LegacyKey("K"))),
    ("MD", "Gown.png", MaskDisplay("G", rest="own.png")),
    ("OB", "false|0", MaskOptions(False, 0)),
    ("OB", "|", MaskOptions(None, None)),
    ("OB", "|2|ann|bob", MaskOptions(None, 2, ("ann", "bob"))),
    ("U", "ann", Owner("ann")),
    ("PT", "120,-96", Point(120, -96)),
    ("ME", "@@-1", StackLayer(-1)),
    ("ME", "17", "17"),
    (
        "SD",
        "0Name~3Hits~1Notes",
        SheetDefinition(
            (SheetField("0", "Name"), SheetField("3", "Hits"), SheetField("1", "Notes"))
        ),
    ),
    (
        "SH",
        "m,-20,-20,l,20,-20,c",
        ShapePath("old", (ShapeStep("m", (-20, -20)), ShapeStep("l", (20, -20)), ShapeStep("c"))),
    ),
    ("SH", "nback.png", ShapePath("old", (ShapeStep("n", image="back.png"),))),
    (
        "SH",
        "d M 1.5 2.0 Q 1.0 2.0 3.0 4.0 C 1.0 2.0 3.0 4.0 5.0 6.0 Z N my image.png",
        ShapePath(
            "new",
            (
                ShapeStep("M", (1.5, 2.0)),
                ShapeStep("Q", (1.0, 2.0, 3.0, 4.0)),
                ShapeStep("C", (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)),
                ShapeStep("Z"),
                ShapeStep("N", image="my image.png"),
            ),
        ),
    ),
]


@pytest.mark.parametrize(("kind", "text", "value"), GOOD)
def test_what_a_token_says(kind: str, text: str, value: Value) -> None:
    assert decode_value(kind, text) == value
    assert encode_value(decode_value(kind, text)) == text


BAD = [
    *(("I", t) for t in ("ten", "1_0", " 1", "٣", "2147483648", "1.0")),
    *(("J", t) for t in ("ten", "9223372036854775808")),
    *(("D", t) for t in ("ten", "1,5", "0x1p3", "٣", "1_0.0")),
    *(("B", t) for t in ("True", "yes", " true")),
    ("CH", "top"),
    *(("C", t) for t in ("red", "1,2", "1,2,3,4,5", "256,0,0", "1,2,x", "0xGG")),
    *(("K", t) for t in ("Delete", "a,b", "65,", "65,ctrl")),
    *(("KA", t) for t in ("65,130", r"A,65\,130", r"65\,x,66\,130")),
    ("AC", "everybody"),
    ("P", "a:b:c"),
    *(("T", t) for t in ("PIECE", "COUNTER|no", "COUNTER|false|MAP" + "|" * 14)),
    *(("CN", t) for t in ("x", "true,x", "true,0,x", "true,0,1,x", "true,0,1,true,5")),
    *(("PC", t) for t in (r":72\,130:Q\,1", "Go:Delete:P")),
    *(("SF", t) for t in ("q", "n?")),
    *(("MF", t) for t in ("VN", "x")),
    ("ST", "N"),
    *(("MD", t) for t in ("", "X", "P80,x")),
    *(("OB", t) for t in ("maybe|0", "true", "true|x", "true|2|ann")),
    *(("PT", t) for t in ("", "1", "1,", "x,1", "1,2,3")),
    ("ME", "@@x"),
    *(("SD", t) for t in ("Name", "0Name~8Hits", "0Name~")),
    *(("SH", t) for t in ("x", "m,1", "m,1,x", "d X", "d M 1", "d N ", "d ")),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), BAD)
def test_what_is_not_of_its_kind_is_a_problem_and_stays(kind: str, text: str) -> None:
    value = decode_value(kind, text)
    assert isinstance(value, ValueProblem)
    assert value.text == text
    assert value.message
    assert value.encode() == text


# Numbers


@given(st.integers(-(2**31), 2**31 - 1))
def test_integers_are_plain(number: int) -> None:
    value = decode_value("I", str(number))
    assert value == number
    assert type(value) is int
    assert encode_value(number) == str(number)


@given(st.floats())
def test_doubles_are_plain_if_java_would_print_them_so(number: float) -> None:
    value = decode_value("D", double_text(number))
    assert isinstance(value, float)
    assert not isinstance(value, OddFloat)
    assert value == number or (math.isnan(value) and math.isnan(number))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (0.001, "0.001"),
        (0.00012, "1.2E-4"),
        (1e7, "1.0E7"),
        (12345678.9, "1.23456789E7"),
        (9999999.0, "9999999.0"),
        (math.nan, "NaN"),
    ],
)
def test_doubles_as_java_prints_them(number: float, text: str) -> None:
    assert double_text(number) == text


def test_oddly_spelled_numbers_are_numbers() -> None:
    five = decode_value("I", "+05")
    assert isinstance(five, OddInt)
    assert (five + 1, five.written) == (6, "+05")
    half = decode_value("D", ".5")
    assert isinstance(half, OddFloat)
    assert (half * 2, half.written) == (1.0, ".5")
    assert number_text(True) == "true"


# Key strokes


def test_named_keys_match_by_name_others_by_code_and_modifier() -> None:
    go, other = KeyStroke(57344, 0, "Go"), KeyStroke(57399, 0, "Go")
    assert go.same_key(other)
    assert not go.same_key(KeyStroke(57344, 0, "Stop"))
    assert not go.same_key(KeyStroke(57344, 0))
    assert KeyStroke(68, 2).same_key(KeyStroke(68, 130))
    assert KeyStroke(68, 128).same_key(KeyStroke(68, 130))
    assert not KeyStroke(68, 130).same_key(KeyStroke(68, 520))


@pytest.mark.parametrize(
    ("mask", "normal"), [(0, 0), (1, 65), (64, 65), (2, 130), (3, 195), (260, 260), (8, 520)]
)
def test_modifiers_as_vassal_writes_them_today(mask: int, normal: int) -> None:
    assert KeyStroke(65, mask).normal_modifiers == normal


def test_no_key_and_keys_of_old_versions() -> None:
    assert KeyStroke(0, 0).is_none
    assert not KeyStroke(57344, 0, "Go").is_none
    assert LegacyKey("d").key() == KeyStroke(68, 130)


@given(
    st.lists(
        st.builds(
            KeyStroke,
            st.integers(0, 99),
            st.integers(0, 9),
            st.text().filter(lambda t: "," not in t),
        )
    )
)
def test_new_arrays_of_keys_are_read_back(keys: list[KeyStroke]) -> None:
    array = KeyStrokes.of(*keys)
    assert decode_value("KA", array.encode()) == (array if keys else None)


# Lists


@given(st.lists(st.text(), min_size=1))
def test_new_lists_are_read_back(items: list[str]) -> None:
    array = StringArray.of(items)
    if array.encode():
        assert decode_value("SA", array.encode()) == array
    lines = Lines.of("\n".join(items))
    assert decode_lines(lines.encode()) == lines
    assert lines.text == "\n".join(items).replace("\r", "")


def test_who_has_access_decides_whether_the_owner_is_secret() -> None:
    kinds = {t: decode_value("AC", t) for t in ("player:", "side:", "sides:Red", "player:x")}
    secret = {t: isinstance(a, Access) and a.owner_is_secret for t, a in kinds.items()}
    assert secret == {"player:": True, "side:": False, "sides:Red": False, "player:x": True}
    assert "ann" not in repr(Owner("ann"))
    assert "ann" not in repr(MaskOptions(None, 1, ("ann",)))


@pytest.mark.parametrize(
    ("id", "nobody"), [("", True), ("null", True), ("nobody", True), ("ann", False)]
)
def test_who_is_nobody(id: str, nobody: bool) -> None:
    assert Owner(id).is_nobody == nobody


# Expressions


@pytest.mark.parametrize(
    ("text", "form", "properties"),
    [
        (" ", "blank", ()),
        ("{Hits<4}", "beanshell", ()),
        ("007", "integer", ()),
        ("$name$ at $place$ or $name$", "formatted", ("name", "place")),
        ("$open", "formatted", ()),
        (r"\$5 for $it$", "formatted", ("it",)),
        ("plain", "literal", ()),
    ],
)
def test_how_vassal_interprets_a_text(text: str, form: str, properties: tuple[str, ...]) -> None:
    expression = Expression(text)
    assert (expression.form, expression.properties) == (form, properties)


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("", ()),
        ("{a==b}", ()),
        ("Side = Red", ((Condition("Side", "=", "Red"),),)),
        (
            "a!=1 && b >= 2 || c =~ x.*",
            (
                (Condition("a", "!=", "1"), Condition("b", ">=", "2")),
                (Condition("c", "=~", "x.*"),),
            ),
        ),
        ("nonsense", ((),)),
    ],
)
def test_property_matches(text: str, conditions: tuple[tuple[Condition, ...], ...]) -> None:
    match = PropertyMatch(text)
    assert match.conditions == conditions
    assert match.is_beanshell == text.startswith("{")


def test_fields_of_a_target() -> None:
    target = decode_value("T", "COUNTER|true|ZONE|$m$||Z")
    assert isinstance(target, Target)
    assert (target["kind"], target["map"], target["zone"], target["x"]) == (
        *("COUNTER", "$m$", "Z", "0"),
    )
    assert target["compare"] == "EQUALS"
    assert (target.is_set("fast_match_location"), target.is_set("fast_match_property")) == (
        *(True, False),
    )
    with pytest.raises(KeyError):
        target["no such field"]


# Dynamic properties, flags, masks


def test_what_a_command_does_to_a_property() -> None:
    text = r"Set:72\,130:P\,3,Add:73\,130:I\,{x},Ask:74\,130:R\,How many?,Pick:75\,130:E\,Which?\,a\\,b,Nothing"
    commands = decode_value("PC", text)
    assert isinstance(commands, PropertyCommands)
    *changers, last = [c.changer for c in commands.commands]
    assert last is None
    told = [(c.value, c.prompt, c.choices) for c in changers if c]
    assert told == [
        ("3", None, None),
        ("{x}", None, None),
        (None, "How many?", None),
        (None, "Which?", StringArray(("a", "b"))),
    ]
    assert Changer("I", ()).value == ""
    assert Changer("E", ("p",)).choices is None


def test_flags_and_masks() -> None:
    flags = decode_value("SF", "ig")
    assert isinstance(flags, Flags)
    assert "g" in flags
    assert "Z" not in flags
    shown = [decode_value("MD", t) for t in ("Gown.png", "B")]
    assert [m.image for m in shown if isinstance(m, MaskDisplay)] == ["own.png", None]


def test_kinds_with_meanings_of_their_own() -> None:
    assert set(DECODERS) >= RAW | SECRET
