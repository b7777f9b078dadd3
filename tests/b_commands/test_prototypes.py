"""Prototypes are put in place of their uses as VASSAL does it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vmod_tools.prototypes as under_test
from tests.support.crafted import add, chain, module, tag
from tests.support.places import REPO
from tests.vassal.engine import Engine
from vmod_tools.archive import Archive
from vmod_tools.build.builder import build_module, read_map_set
from vmod_tools.commands.kinds import ADD, parse_command
from vmod_tools.commands.tree import leaves
from vmod_tools.modules import Module
from vmod_tools.pieces import Piece, chain_of, encode_chain
from vmod_tools.prototypes import expand, expansion
from vmod_tools.saves import Save

BASIC = ("piece;;;a.png;x", "Main;1;2;7;0")


def piece_of(*traits: tuple[str, str], basic: tuple[str, str] = BASIC) -> Piece:
    pairs = (*traits, basic)
    return Piece.decode("17", chain(*(t for t, _ in pairs)), chain(*(s for _, s in pairs)))


def prototype(*traits: tuple[str, str]) -> Piece:
    return piece_of(*traits, basic=("piece;;;;", "null;0;0;;0"))


def use(name: str) -> tuple[str, str]:
    return f"prototype;{name}", ""


def pairs(piece: Piece) -> list[tuple[str, str]]:
    return [(trait.type_text(), trait.state) for trait in piece.traits()]


def test_traits_of_the_prototype_stand_where_the_use_stood() -> None:
    prototypes = {
        "Land": prototype(("mark;Move", "4"), use("Any"), ("delete;D", "")),
        "Any": prototype(("cmt;for all", ""), ("clone;C", "")),
        "Empty": prototype(),
    }
    piece = piece_of(("mark;A", "1"), use("Land"), use("Empty"), ("cmt;hm", ""), ("mark;B", "2"))
    made = expand(piece, prototypes)
    assert pairs(made) == [
        ("mark;A", "1"), ("mark;Move", "4"), ("clone;C", ""), ("delete;D", ""), ("mark;B", "2"),
        BASIC,
    ]  # fmt: skip
    assert made.id == "17"
    assert made.depth_problem() is None


def test_piece_without_prototypes_is_itself() -> None:
    odd = Piece.decode("1", "'mark;A'\tpiece;;;a;x\tsurplus", "1\tMain;1;2")
    assert expand(odd, {"A": prototype()}) is odd


def test_use_of_a_prototype_that_there_is_not_is_kept_or_dropped() -> None:
    piece = piece_of(use("Gone"), use("Here"))
    prototypes = {"Here": prototype(use("Gone too"))}
    kept = expansion(piece, prototypes)
    assert kept.types == ("prototype;Gone", "prototype;Gone too", BASIC[0])
    assert kept.missing == {"Gone", "Gone too"}
    assert expansion(piece, prototypes, keep_missing=False).types == (BASIC[0],)


def test_a_circle_is_cut() -> None:
    prototypes = {
        "A": prototype(("mark;A", "1"), use("B")),
        "B": prototype(("mark;B", "2"), use("A")),
    }
    made = expansion(piece_of(use("A"), use("B")), prototypes)
    assert made.types == ("mark;A", "mark;B", "mark;B", "mark;A", BASIC[0])
    assert made.circular == {"A", "B"}
    assert not made.too_many


def test_parameters_of_a_use_are_put_in() -> None:
    prototypes = {
        "P": prototype(("mark;Move", "$mp$"), ("clone;$mp$$x$", ""), use("Inner")),
        "Inner": prototype(("mark;Of", "$mp$")),
    }
    made = expand(piece_of(("prototype;P;mp=4,odd,=5,n=a\\,b", "")), prototypes)
    assert pairs(made)[:3] == [("mark;Move", "4"), ("clone;4x", ""), ("mark;Of", "$mp$")]


def test_value_that_takes_the_definition_apart_is_not_put_in() -> None:
    # A backslash before the slash between type and state makes one of two fields.
    odd = piece_of(("mark;A", ""), basic=("piece;;;;$x$", "null;0;0;;0"))
    user = Piece.decode("17", chain_of(("prototype;P;x=a\\", BASIC[0])), chain_of(("", BASIC[1])))
    assert expansion(user, {"P": odd}).types == ("mark;A", BASIC[0])


@pytest.mark.parametrize(
    ("name", "prototypes"),
    [
        ("traits", {f"P{n}": prototype(("mark;A", ""), use(f"P{n + 1}"), use(f"P{n + 1}"))
                    for n in range(30)}),
        ("levels", {f"P{n}": prototype(("mark;A", ""), use(f"P{n + 1}")) for n in range(90)}),
        ("length", {f"P{n}": prototype(("mark;$a$", ""), (f"prototype;P{n + 1};a=$a$$a$", ""))
                    for n in range(45)}),
    ],
)  # fmt: skip
def test_what_grows_without_bounds_is_cut(
    monkeypatch: pytest.MonkeyPatch, name: str, prototypes: dict[str, Piece]
) -> None:
    monkeypatch.setattr(under_test, "_MOST_TRAITS", 500)
    monkeypatch.setattr(under_test, "_LONGEST", 1000)
    made = expansion(piece_of(use("P0")), prototypes)
    assert made.too_many, name
    assert len(made.types) < 1200
    assert all(len(text) < 3000 for text in made.types)


NAMES = st.sampled_from(["A", "B", "C", "", "A;x=1,y=$x$"])
TRAITS = st.lists(
    st.one_of(
        NAMES.map(lambda name: ("prototype;" + name, "")),
        st.tuples(st.sampled_from(["mark;$x$", "cmt;$x$", "zzz;'", "delete"]), st.text(max_size=4)),
    ),
    max_size=4,
)


@given(TRAITS, st.dictionaries(st.sampled_from("ABC"), TRAITS.map(lambda t: prototype(*t))))
def test_any_prototypes_end(traits: list[tuple[str, str]], prototypes: dict[str, Piece]) -> None:
    made = expansion(piece_of(*traits), prototypes, keep_missing=False)
    assert len(made.types) == len(made.states)
    assert not any(text.startswith(("prototype;", "cmt;")) for text in made.types)
    assert sum(text.startswith("piece;") for text in made.types) == 1
    again = made.piece("1")
    assert encode_chain(again.type_chain) == encode_chain(expand(again, prototypes).type_chain)


def definition(name: str, text: str) -> str:
    return tag("VASSAL.build.module.PrototypeDefinition", text, name=name)


def test_prototypes_of_a_module() -> None:
    def text(mark: str) -> str:
        return add("null", [f"mark;{mark}", "piece;;;;"], ["", "null;0;0;;0"])

    container = tag(
        "x.PrototypesContainer",
        definition("A", text("first")),
        definition("A", text("last")),
        definition("Broken", "no piece"),
    )
    found = Module.read(Archive.parse(module(container))).prototypes
    assert {name: pairs(piece)[0][0] for name, piece in found.items()} == {"A": "mark;last"}


# The engine's own expansion

_CODE = re.compile(r"57\d{3}(\\*,0\\*,)")
"""Codes of named keys are handed out anew in each run."""


@pytest.mark.engine
def test_placed_slots_have_the_types_that_expand_gives(engine: Engine, tmp_path: Path) -> None:
    path, save = tmp_path / "weu-denmark.vmod", tmp_path / "x.vsav"
    path.write_bytes(build_module(read_map_set(REPO / "maps" / "weu-denmark")))
    read = Module.read(Archive.parse(path.read_bytes()))
    using = [g for g, p in read.slots.items() if any(t == use("Unit") for t in pairs(p))]
    placed = [using[0], using[1], using[-1]]
    steps = [
        {"op": "place", "slot": gpid, "map": read.maps[0].identifier, "x": 300 + 90 * n, "y": 300}
        for n, gpid in enumerate(placed)
    ]
    told = engine.run("make-save", path, json.dumps({"setup": steps, "steps": []}), save)
    assert told["clean"]
    types = {}
    for text in leaves(Save.read(Archive.parse(save.read_bytes())).tree):
        command = parse_command(text)
        if command.kind is ADD:
            piece = Piece.decode(command["id"], command["type"], command["state"])
            types[piece.basic.state_fields().tokens[3]] = command["type"]
    for gpid in placed:
        made = expand(read.slots[gpid], read.prototypes)
        assert len(made.type_chain) > 10
        ours = encode_chain(made.type_chain)
        assert _CODE.sub(r"57344\1", types[gpid]) == _CODE.sub(r"57344\1", ours)
