"""The table of traits: what it says of the format's examples, of each version, and of every real file."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vmod_tools.archive import Archive
from vmod_tools.buildfile import BUILD_FILES, parse_xml
from vmod_tools.commands.kinds import ADD, kind_of, parse_command
from vmod_tools.commands.tree import leaves, parse_tree
from vmod_tools.errors import BuildFileError
from vmod_tools.pieces import Piece, is_face_down, layer_of
from vmod_tools.saves import SAVED_GAME, read_text
from vmod_tools.sequence import Sequence
from vmod_tools.traits import KINDS, Trait
from vmod_tools.values.codec import DECODERS, Value, decode_value, encode_value
from vmod_tools.values.keys import KeyStroke
from vmod_tools.values.layout import Field, FieldProblem, Layout
from vmod_tools.values.lists import StringArray
from vmod_tools.values.looks import MaskOptions, Owner, Point, StackLayer
from vmod_tools.values.plain import ValueProblem

LISTED = KINDS.keys() - {"emb;", "piece;", "stack", "deck;"}
"""The traits that section 8.4 lists."""
TEXTS = st.text(st.sampled_from("\\';,|0a")) | st.text()


def faults(problems: tuple[FieldProblem, ...]) -> list[tuple[str, str]]:
    return [(p.fault, p.field) for p in problems]


# The format's own description


def described(shared: Path) -> list[tuple[str, str]]:
    """Type and state of every example of section 8.4."""
    text = (shared / "vassal-format.md").read_text("utf-8")
    found = re.finditer(r"Example: `([^`]+)` with state (?:`([^`]*)`|empty)\.", text)
    return [(match[1], match[2] or "") for match in found]


def test_examples_of_the_format_fit_the_table(shared: Path) -> None:
    examples = described(shared)
    assert {Trait.decode(text).kind.prefix for text, _ in examples} == LISTED
    for text, state in examples:
        trait = Trait.decode(text, state)
        assert trait.problems() == (), text
        assert (trait.type_text(), trait.state_fields().encode()) == (text, state)
        fields = trait.kind.fields_for(trait.tokens)
        # They are of 3.7; and no editor writes a prototype's parameters.
        assert {f.since or f.name for f in fields[len(trait.tokens) :]} <= {"3.8", "parameters"}
        for field in fields[: len(trait.tokens)]:
            assert encode_value(trait.value(field.name)) == trait[field.name]


def test_table_is_that_of_the_format(shared: Path) -> None:
    """Names, kinds, defaults and versions are those of the machine-readable list."""
    told = json.loads((shared / "trait-fields.json").read_text("utf-8"))["traits"]
    assert told.keys() == LISTED
    finer = {"CN": "S", "PC": "S", "SF": "S", "MF": "S", "ST": "S", "MD": "S", "SD": "S", "SH": "R"}
    for prefix, trait in told.items():
        if trait["type"] is None or prefix == "mark;":
            continue
        ours = KINDS[prefix].fields
        assert [f.name.replace("_", "") for f in ours] == [
            row["field"].lower() for row in trait["type"]
        ]
        for field, row in zip(ours, trait["type"], strict=True):
            assert finer.get(field.kind, field.kind) == row["kind"], (prefix, field)
            assert (field.default is None) == (row["default"] == "required"), (prefix, field)
            assert field.since[:3] == row["since"][:3], (prefix, field)
        assert (KINDS[prefix].state_layout == Layout()) == (trait["state"] == ["empty"]), prefix


def test_every_kind_of_the_table_has_a_decoder() -> None:
    for kind in KINDS.values():
        for layout in (kind.layout, kind.state_layout, kind.variant, kind.variant_state):
            for field in (*layout.fixed, *layout.group, *layout.after) if layout else ():
                assert field.kind in DECODERS
                if field.default is not None:
                    value = decode_value(field.kind, field.default)
                    assert not isinstance(value, ValueProblem) or field.kind == "PT"


# Token counts of section 8.2 by version; rotate, the button's corners and late patch releases apart.
COUNTS = {
    "emb2;": (24, 29, 30, 31, 33, 33),
    "PROP;": (3, 3, 4, 4, 4, 4),
    "calcProp;": (None, 2, 3, 3, 3, 3),
    "clone;": (2, 2, 3, 3, 3, 3),
    "delete;": (2, 2, 3, 3, 3, 3),
    "submenu;": (2, 2, 3, 3, 3, 3),
    "immob;": (2, 2, 2, 4, 4, 4),
    "label;": (16, 17, 17, 17, 18, 18),
    "macro;": (6, 17, 17, 17, 17, 17),
    "obs;": (6, 7, 8, 11, 11, 11),
    "hide;": (None, 5, 6, 7, 7, 7),
    "report;": (5, 5, 5, 6, 6, 6),
    "globalkey;": (11, 11, 12, 12, 14, 14),
    "markmoved;": (None, 5, 6, 6, 11, 11),
    "footprint;": (None, 12, 16, 16, 16, 17),
    "pivot;": (None, 6, 7, 7, 10, 10),
    "placemark;": (12, 12, 12, 12, 14, 15),
    "replace;": (12, 12, 12, 12, 14, 15),
    "return;": (4, 4, 5, 8, 8, 8),
    "sendto;": (17, 18, 18, 18, 18, 18),
    "setprop;": (6, 6, 6, 6, 6, 6),
    "restrict;": (None, 3, 4, 4, 4, 4),
    "AreaOfEffect;": (None, 10, 10, 10, 16, 16),
    "button;": (6, 6, 6, 10, 10, 10),
    "playSound;": (None, 4, 5, 5, 6, 6),
    "locCommand;": (None, None, None, None, 6, 9),
    "deck;": (28, 33, 33, 49, 49, 49),
    "rotate;": (8, 8, 9, 13, 13, 13),
}
VERSIONS = ("3.1", "3.2", "3.5", "3.6", "3.7", "3.8")


def fields_of(version: str, fields: tuple[Field, ...]) -> int:
    def order(text: str) -> list[int]:
        return [int(part) for part in text.split(".")]

    return sum(not f.since or order(f.since) <= order(version) for f in fields)


@pytest.mark.parametrize("version", VERSIONS)
def test_token_counts_by_version(version: str) -> None:
    column = VERSIONS.index(version)
    for prefix, counts in COUNTS.items():
        wanted = counts[column]
        if wanted is not None:
            assert fields_of(version, KINDS[prefix].fields) == wanted, prefix


def test_token_counts_between_versions() -> None:
    assert fields_of("3.4", KINDS["footprint;"].fields) == 15
    assert fields_of("3.6.8", KINDS["label;"].fields) == 18
    assert fields_of("3.7.16", KINDS["placemark;"].fields) == 15
    free = KINDS["rotate;"].fields_for(("1",))
    assert [fields_of(v, free) for v in VERSIONS] == [6, 6, 7, 11, 11, 11]


# Typed states


# Trait, state, what its fields say, what the repeated ones say.
STATES: list[tuple[str, str, dict[str, Value], tuple[tuple[Value, ...], ...]]] = [
    ("emb2;", "-3;", {"value": -3, "activation": ""}, ()),
    ("emb2;", "2", {"value": 2, "activation": ""}, ()),
    ("mark;A,B", r"x\,y,z", {}, (("x,y",), ("z",))),
    ("PROP;Hits", "a;b,c", {"value": "a;b,c"}, ()),
    (
        "footprint;",
        "false;Main;2;120,96;175,128;true;2",
        {
            "globally_visible": False,
            "start_map": "Main",
            "points": 2,
            "initialized": True,
            "last_point_list_size": 2,
        },
        ((Point(120, 96),), (Point(175, 128),)),
    ),
    ("footprint;", "true;;0", {"globally_visible": True, "initialized": False}, ()),
    ("markmoved;m.gif", "true", {"moved": True}, ()),
    ("rotate;6", "5", {"facing": 5}, ()),
    ("rotate;1", "-37.5", {"angle": -37.5}, ()),
    ("obs;K;b.png", "null;", {"owner": Owner("null"), "options": None}, ()),
    (
        "obs;K;b.png",
        "ann;true|1|bob",
        {"owner": Owner("ann"), "options": MaskOptions(True, 1, ("bob",))},
        (),
    ),
    ("hide;", "a;b", {"owner": Owner("a;b")}, ()),
    ("label;", "$x$;y", {"label": "$x$;y"}, ()),
    ("report;", "-1", {"cycle_index": -1}, ()),
    ("sendto;", "Main;5;6", {"back_map": "Main", "back_x": 5, "back_y": 6}, ()),
    ("sendto;", ";;", {"back_map": "", "back_x": None}, ()),
    ("restrict;Red", "ann", {"owner": Owner("ann")}, ()),
    ("AreaOfEffect;", "true", {"active": True}, ()),
    ("mat;Tray;", "2;17;18", {"count": 2}, (("17",), ("18",))),
    ("mat;Tray;", "", {"count": None}, ()),
    ("matPiece;", "noMat", {"mat": "noMat"}, ()),
    ("attach;hq;", "1;17", {"count": 1}, (("17",),)),
    ("table;2;2", "a,b,c,d", {}, (("a",), ("b",), ("c",), ("d",))),
    ("propertysheet;0Name~3Hits;x", "Ike~2/3", {}, (("Ike",), ("2/3",))),
    (
        "piece;;;a.png;A",
        "Main;120;-96;ext:7;2;OldX;5;OldY;6",
        {"map": "Main", "x": 120, "y": -96, "gpid": "ext:7", "properties": 2},
        (("OldX", "5"), ("OldY", "6")),
    ),
    ("piece;;;a.png;A", "null;0;0", {"map": "null", "gpid": "", "properties": 0}, ()),
    ("stack", "Main;1;2;17;18;@@0", {"x": 1}, (("17",), ("18",), (StackLayer(0),))),
    ("deck;", "Main;1;2;true;17,18", {"face_down": True, "members": StringArray(("17", "18"))}, ()),
    ("emb;a;;;;;;0;0;x.png,one;y.png", "1", {"value": 1}, ()),
]


@pytest.mark.parametrize(("text", "state", "says", "items"), STATES)
def test_what_a_state_says(
    text: str, state: str, says: dict[str, Value], items: tuple[tuple[Value, ...], ...]
) -> None:
    trait = Trait.decode(text, state)
    assert {name: trait.state_value(name) for name in says} == says
    assert trait.state_items() == items
    assert list(trait.state_problems()) == []
    with pytest.raises(KeyError):
        trait.state_value("no such field")


def test_repeated_fields_of_types() -> None:
    button = Trait.decode("button;57344,0,Go;-10;-10;20;20;;false;false;1;2;-10;-10;10;-10")
    assert button.items() == ((-10, -10), (10, -10))
    assert button.value("points") == 2
    assert Trait.decode(r"mark;Side,Type\,x").items() == (("Side",), ("Type,x",))
    layers = Trait.decode("emb;A;;;;;;0;0;x.png,one;y.png").items()
    assert layers == ((StringArray(("x.png", "one")),), (StringArray(("y.png",)),))


def test_stacks_and_decks() -> None:
    stack = Trait.decode("stack", "Main;1;2;17;@@3")
    assert (layer_of(stack), is_face_down(stack)) == (3, False)
    assert layer_of(Trait.decode("stack", "Main;1;2;17")) is None
    assert layer_of(Trait.decode("piece;;;a;A", "@@3")) is None
    assert is_face_down(Trait.decode("deck;", "Main;1;2;true"))
    assert not is_face_down(Trait.decode("deck;", "Main;1;2;false;17"))


def test_rest_of_a_text_is_one_field() -> None:
    shape = Trait.decode("nonRect2;1.0;m,1,2,nodd;'image'")
    assert shape["shape_spec"] == "m,1,2,nodd;'image'"
    assert shape.problems() == ()
    other = shape.with_("shape_spec", "nother;'one'")
    assert other.type_text() == "nonRect2;1.0;nother;'one'"
    assert Trait.decode("nonRect2;").with_("shape_spec", "c").type_text() == "nonRect2;;c"


# What does not fit


@pytest.mark.parametrize(
    ("text", "state", "wanted"),
    [
        ("delete;", "", []),
        ("obs;77,130", "null;", [("missing", "image_name")]),
        ("submenu;x", "", [("missing", "subcommands")]),
        ("clone;Clone;67,130;;x", "", [("surplus", "4")]),
        ("clone;Clone;Ctrl", "", [("malformed", "key")]),
        ("pivot;P;80,130;a;b", "", [("malformed", "pivot_x"), ("malformed", "pivot_y")]),
        ("rotate;6;L,R", "x", [("malformed", "rotate_cw_key"), ("malformed", "facing")]),
        ("rotate;1;L", "x", [("malformed", "angle")]),
        ("button;;0;0;0;0;;;;1;3;1;2", "", [("count", "points")]),
        ("button;;0;0;0;0;;;;1;1;1;y", "", [("malformed", "corner_y")]),
        ("mat;a;b", "2;17", [("count", "count")]),
        ("mat;a;b", "0;17", [("surplus", "2")]),
        ("mat;a;b", "-1", [("count", "count")]),
        ("mat;a;b", "x;17", [("malformed", "count"), ("surplus", "2")]),
        ("delete;D", "state", [("surplus", "1")]),
        ("footprint;", "false;Main;1;5;true", [("malformed", "point")]),
        ("footprint;", "false;Main;0;true;2;9", [("surplus", "6")]),
        ("piece;;;a;A", "Main", [("missing", "x"), ("missing", "y")]),
        ("piece;;;a;A", "Main;1;2;7;2;OldX;5", [("count", "properties")]),
        ("stack", "Main;1;2;17;@@x", [("malformed", "member")]),
        ("zzz;anything;at;all", "x", []),
    ],
)
def test_what_does_not_fit(text: str, state: str, wanted: list[tuple[str, str]]) -> None:
    trait = Trait.decode(text, state)
    assert faults(trait.problems()) == wanted
    assert (trait.type_text(), trait.state) == (text, state)
    assert all("pw" not in p.message for p in trait.problems())


def test_a_malformed_token_is_a_value_that_says_so() -> None:
    trait = Trait.decode("pivot;P;80,130;ten")
    assert isinstance(trait.value("pivot_x"), ValueProblem)
    assert trait.value("key") == KeyStroke(80, 130)
    assert trait.value("angle") == 90.0
    with pytest.raises(KeyError):
        trait.value("no such field")
    with pytest.raises(KeyError):
        Trait.decode("submenu;x").value("subcommands")


@given(TEXTS, TEXTS)
def test_any_trait_can_be_asked_for_everything(text: str, state: str) -> None:
    for prefix, kind in KINDS.items():
        trait = Trait.decode(prefix + text, state)
        trait.problems()
        trait.items()
        trait.state_items()
        for field in kind.fields_for(trait.tokens):
            try:
                value = trait.value(field.name)
            except KeyError:
                assert field.default is None
            else:
                assert encode_value(value) == trait[field.name]
        layout = kind.state_layout_for(trait.tokens)
        assert layout is not None
        for field in (*layout.fixed, *layout.after):
            try:
                assert encode_value(trait.state_value(field.name)) == trait.state_text(field.name)
            except KeyError:
                assert field.default is None


# Replacing one token


def test_replaced_token_leaves_the_others_as_they_were() -> None:
    trait = Trait.decode("report;'70\\,130';a;;;'x'", "-1")
    changed = trait.with_("report_format", "b;c")
    assert changed.type_text() == "report;'70\\,130';b\\;c;;;'x'"
    assert changed.state == "-1"
    assert trait.with_("report_format", "a") is trait
    with pytest.raises(KeyError):
        trait.with_("no such field", "x")
    with pytest.raises(KeyError):
        Trait.decode("stack").with_("map", "x")


def test_missing_tokens_before_it_get_their_defaults() -> None:
    trait = Trait.decode("immob;n;V")
    assert trait.with_("description", "x").type_text() == "immob;n;V;R;x"
    assert Trait.decode("obs;").with_("mask_name", "M").type_text() == "obs;;;Mask;I;M"
    assert Trait.decode("clone;a\\").with_("key", "K").type_text() == "clone;'a\\';K"


def test_replaced_token_of_a_state() -> None:
    trait = Trait.decode("footprint;", "false;Main;1;5,6;true")
    assert trait.with_state_text("initialized", "false").state == "false;Main;1;5,6;false"
    assert trait.with_state_text("last_point_list_size", "1").state == "false;Main;1;5,6;true;1"
    assert trait.with_state_text("start_map", "a;b").state == "false;a\\;b;1;5,6;true"
    assert Trait.decode("hide;", "ann").with_state_text("owner", "'x'").state == "'x'"
    assert Trait.decode("piece;;;a;A", "Main").with_state_text("y", "2").state == "Main;;2"
    with pytest.raises(KeyError):
        trait.with_state_text("no such field", "x")
    with pytest.raises(KeyError):
        Trait.decode("zzz;").with_state_text("value", "x")


@given(TEXTS, TEXTS, st.data())
def test_replaced_token_is_read_back(text: str, new: str, data: st.DataObject) -> None:
    prefix = data.draw(st.sampled_from(sorted(p for p, k in KINDS.items() if k.fields)))
    trait = Trait.decode(prefix + text)
    fields = trait.kind.fields_for(trait.tokens)
    index = data.draw(st.integers(0, len(fields) - 1))
    if (prefix, index) == ("rotate;", 0):
        # Whether it is one decides what the others are.
        return
    field = fields[index]
    changed = Trait.decode(trait.with_(field.name, new).type_text())
    assert changed[field.name] == new
    assert changed.tokens[:index] == (
        *trait.tokens[:index],
        *changed.tokens[len(trait.tokens) : index],
    )
    if field.kind not in ("R", "SH"):
        assert changed.tokens[index + 1 :] == trait.tokens[index + 1 :]


def test_layout_of_fields_behind_a_group() -> None:
    rows = [Field("n", "I", "0"), Field("x", "S*", ""), Field("last", "S", "d")]
    layout = Layout.of(rows)
    full = Sequence.decode("2;a;b;c", ";")
    assert [layout.text(n, full) for n in ("n", "last")] == ["2", "c"]
    assert layout.items(full) == (("a",), ("b",))
    assert layout.text("last", Sequence.decode("2;a;b", ";")) == "d"
    assert layout.with_text("last", "z", full).encode() == "2;a;b;z"
    assert layout.value("last", full) == "c"


# Every real file

# (trait, what, field): why it stands in files.
EXCEPTIONS = {
    (
        "emb2;",
        "surplus",
        "3",
    ): "setups of one family of modules, saved by 3.2: `-1;-1;-1;false`, where"
    " VASSAL reads two tokens",
    (
        "footprint;",
        "malformed",
        "globally_visible",
    ): "a prototype of VSQL that is older than 3.1, whose state begins with a number",
    ("footprint;", "malformed", "points"): "the same state",
    ("footprint;", "malformed", "initialized"): "the same state",
}


def real_traits(data: bytes, *, members: bool = True) -> Iterator[tuple[str, str]]:
    """Type and state of every trait of a file, its predefined setups included."""
    archive = Archive.parse(data)
    for entry in archive.entries:
        if entry.name == SAVED_GAME:
            texts = list(leaves(parse_tree(read_text(archive.read(entry))[1])))
        elif entry.name in BUILD_FILES:
            try:
                elements = parse_xml(archive.read(entry), entry.name).iter("{*}*")
            except BuildFileError:
                continue
            texts = [e.text or "" for e in elements if (e.text or "").startswith(ADD.prefix)]
        elif members and entry.name.endswith((".vsav", ".vlog")):
            yield from real_traits(archive.read(entry), members=False)
            continue
        else:
            continue
        for text in texts:
            if kind_of(text) is ADD:
                yield from added(text)


def added(text: str) -> Iterator[tuple[str, str]]:
    """The traits of an AddPiece, and those of pieces that they place."""
    command = parse_command(text)
    piece = Piece.decode(command["id"], command["type"], command["state"])
    for level, trait in zip(piece.type_chain, piece.traits(), strict=True):
        yield level.text, trait.state
        spec = trait.tokens[2:3] if trait.kind.prefix in ("placemark;", "replace;") else ()
        if spec and kind_of(spec[0]) is ADD:
            yield from added(spec[0])


def test_no_real_trait_violates_its_table(corpus_files: tuple[Path, ...], genuine: Path) -> None:
    found: set[tuple[str, str]] = set()
    occurrences = 0
    for file in (*corpus_files, *sorted(genuine.glob("*.v*"))):
        for pair in real_traits(file.read_bytes()):
            occurrences += 1
            found.add(pair)
    listed = {(t, s) for t, s in found if Trait.decode(t).kind.prefix in KINDS}
    violations = Counter(
        (Trait.decode(text).kind.prefix, problem.fault, problem.field)
        for text, state in listed
        for problem in Trait.decode(text, state).problems()
    )
    types = {text for text, _ in listed}
    print(f"{occurrences} traits, {len(types)} distinct types, {len(listed)} with their states")  # noqa: T201
    assert violations.keys() == EXCEPTIONS.keys()
    assert sum(violations.values()) < 10
    assert len(types) > 29_000
    assert len(listed) > 50_000
