"""Bodies of situations: what is refused and where, and that the published schema says the same."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.actions import Combat, Move
from service.games import GameError, UnitClass
from service.judge import judge, readings
from service.schemas.examples import EXAMPLES
from service.schemas.published import FILES, text
from service.schemas.reading import ShapeError, flatten, map_set, read_situation
from service.situation import SituationError, UnitId
from tests.g_rules.casefiles import all_cases, assign, remove
from tests.support.places import REPO
from vmod_tools.errors import MapError, VmodError

SCHEMA = json.loads((REPO / "schemas" / "situation.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

BASE: Mapping[str, Any] = {
    "game": "weu",
    "map": {
        "hexes": [
            {"id": "0202", "sites": [{"id": "town", "kind": "city"}]},
            {"id": "0203"},
            {"id": "0204"},
        ]
    },
    "units": [
        {"id": "a", "side": "German", "class": "infantry", "hex": "0203", "start_hex": "0203"},
        {"id": "d", "side": "Allied", "class": "infantry", "hex": "0202", "start_hex": "0202"},
        {"id": "b", "side": "German", "hex": "0204"},
        {"id": "n", "side": "German", "hex": None},
    ],
    "action": {"type": "attack", "units": ["a"], "target": {"hex": "0202"}},
}
MOVE = {"type": "move", "units": ["a"], "to": "0202"}


def changed(*changes: tuple[str, Any], without: tuple[str, ...] = ()) -> dict[str, Any]:
    body = copy.deepcopy(dict(BASE))
    for dotted, value in changes:
        assign(body, dotted, value)
    for dotted in without:
        remove(body, dotted)
    return body


# The published files


@pytest.mark.parametrize("name", FILES)
def test_published_file_is_what_the_classes_make(name: str) -> None:
    """`python -m service.schemas.published` writes them anew."""
    assert (REPO / "schemas" / name).read_text("utf-8") == text(FILES[name]())


@pytest.mark.parametrize("name", FILES)
def test_published_file_is_a_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(FILES[name]())


def test_writing_the_published_files(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from service.schemas import published

    (tmp_path / "map.schema.json").write_bytes((REPO / "schemas" / "map.schema.json").read_bytes())
    monkeypatch.setattr(published, "data_folder", lambda _: tmp_path)
    published.main()
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (REPO / "schemas" / name).read_bytes()


def test_examples_are_published_one_for_each_action() -> None:
    assert SCHEMA["examples"] == list(EXAMPLES)
    assert [e["action"]["type"] for e in EXAMPLES] == ["move", "attack", "bombard", "combat"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["action"]["type"])
def test_example_is_valid_and_judged(example: Mapping[str, Any]) -> None:
    VALIDATOR.validate(example)
    assert judge(*read_situation(example)).verdict in ("legal", "illegal")


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_rule_cases_follow_the_published_schema(case: Any) -> None:
    VALIDATOR.validate(case.body)


# Shapes

LONG = "x" * 81
SHAPES: list[tuple[str, dict[str, Any]]] = [
    ("game", changed(without=("game",))),
    ("game", changed(("game", 7))),
    ("game", changed(("game", ""))),
    ("game", changed(("game", LONG))),
    ("about", changed(("about", None))),
    ("$schema", changed(("$schema", 1))),
    ("unknown", changed(("unknown", 1))),
    ("options", changed(("options", []))),
    ("options.G-A2.value", changed(("options", {"G-A2": 1}))),
    ("sides", changed(("sides", "German"))),
    ("sides.0", changed(("sides", [1]))),
    ("phase", changed(("phase", "1"))),
    ("phase.active", changed(("phase", {"active": 3}))),
    ("phase.day", changed(("phase", {"day": "1"}))),
    ("units", changed(without=("units",))),
    ("units", changed(("units", {}))),
    ("units.0.id", changed(without=("units.0.id",))),
    ("units.0.side", changed(without=("units.0.side",))),
    ("units.0.class", changed(("units.0.class", 4))),
    ("units.0.hex", changed(("units.0.hex", ["0202"]))),
    ("units.0.name", changed(("units.0.name", None))),
    ("units.0.position", changed(("units.0.position", "hidden"))),
    ("units.0.arrived", changed(("units.0.arrived", "rail"))),
    ("units.0.landing_craft", changed(("units.0.landing_craft", "no"))),
    ("units.0.landing_craft", changed(("units.0.landing_craft", 1))),
    ("units.0.did", changed(("units.0.did", "moved"))),
    ("units.0.did.0", changed(("units.0.did", ["slept"]))),
    ("units.0.strength", changed(("units.0.strength", 5))),
    ("action", changed(without=("action",))),
    ("action", changed(("action", "attack"))),
    ("action", changed(("action", None))),
    ("action.type", changed(("action.type", "retreat"))),
    ("action.type", changed(without=("action.type",))),
    ("action.units", changed(without=("action.units",))),
    ("action.units", changed(("action.units", []))),
    ("action.units", changed(("action.units", "a"))),
    ("action.target", changed(without=("action.target",))),
    ("action.target.hex", changed(("action.target", {}))),
    ("action.target.units", changed(("action.target.units", []))),
    ("action.kind", changed(("action.kind", "ambush"))),
    ("action.to", changed(("action", MOVE | {"to": 202}))),
    ("action.path", changed(("action", MOVE | {"path": ["0203"]}))),
    ("action.target", changed(("action", MOVE | {"target": {"hex": "0202"}}))),
    ("action.attacks", changed(("action", {"type": "combat", "hex": "0202", "attacks": []}))),
    (
        "action.attacks.0.type",
        changed(
            (
                "action",
                {"type": "combat", "hex": "0202", "attacks": [{"type": "x", "units": ["a"]}]},
            )
        ),
    ),
    ("action.hex", changed(("action", {"type": "combat", "attacks": [{"type": "attack"}]}))),
]


@pytest.mark.parametrize(
    ("path", "body"), SHAPES, ids=[f"{i} {p}" for i, (p, _) in enumerate(SHAPES)]
)
def test_wrong_shape_is_refused_at_its_path_and_by_the_schema(
    path: str, body: dict[str, Any]
) -> None:
    with pytest.raises(ShapeError) as refused:
        read_situation(body)
    error = refused.value
    assert path in [place for place, _ in error.problems]
    assert error.stable_code == "SHAPE"
    assert error.place == error.problems[0][0]
    assert str(error).startswith(f"{error.place}: ")
    assert not VALIDATOR.is_valid(body)


@pytest.mark.parametrize("body", [None, [], "x", 3])
def test_body_that_is_no_object(body: object) -> None:
    with pytest.raises(ShapeError, match=r"Invalid input type\. \[SHAPE\]"):
        read_situation(body)
    assert not VALIDATOR.is_valid(body)


def test_every_problem_is_told() -> None:
    with pytest.raises(ShapeError) as refused:
        read_situation(changed(("units.0.did", 1), ("units.1.side", 2), without=("game",)))
    assert {place for place, _ in refused.value.problems} == {
        "game",
        "units.0.did",
        "units.1.side",
    }
    assert "(and 2 more)" in str(refused.value)


def test_problems_without_a_key_stand_at_their_object() -> None:
    assert flatten({"a": {"_schema": ["x"]}, "b": "y"}) == [("a", "x"), ("b", "y")]


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.floats(allow_nan=False),
    st.sampled_from(["", "0202", "moved", "attack", "a", "land", LONG]),
    st.lists(st.sampled_from(["a", 1, None]), max_size=2),
    st.dictionaries(st.sampled_from(["hex", "type", "units", "x"]), st.just("0202"), max_size=2),
)


def places(value: Any, at: str = "") -> list[str]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, below in inner:
        here = f"{at}.{key}".lstrip(".")
        if here == "map":
            continue  # its own schema and its own tests: tests/c_maps
        found.append(here)
        if isinstance(below, dict | list):
            found += places(below, here)
    return found


@given(data=st.data())
def test_schema_and_reading_agree_on_any_body(data: st.DataObject) -> None:
    bodies = [BASE, changed(("action", MOVE)), *EXAMPLES]
    body = copy.deepcopy(dict(data.draw(st.sampled_from(bodies))))
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.sampled_from(sorted(places(body))))
        if data.draw(st.booleans()):
            assign(body, place, data.draw(ODD))
        else:
            remove(body, place)
    try:
        read_situation(body)
        shape = True
    except VmodError as error:
        shape = not isinstance(error, ShapeError)
    assert shape == VALIDATOR.is_valid(body), [e.message for e in VALIDATOR.iter_errors(body)]


# Contradictions

REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    ("GAME_UNKNOWN", "game", changed(("game", "chess"))),
    ("OPTION_UNKNOWN", "options", changed(("options", {"G-A999": "x"}))),
    ("OPTION_VALUE", "options.G-A2", changed(("options", {"G-A2": "x"}))),
    ("MAP_UNKNOWN", "map", changed(("map", "../weu-denmark"))),
    ("MAP_UNKNOWN", "map", changed(("map", ""))),
    ("MAP_JSON", "/map", changed(("map", {}))),
    ("MAP_JSON", "/map", changed(("map", 0))),
    ("MAP_JSON", "/map", changed(("map", []))),
    ("MAP_COUNT", "map", changed(("map", {"maps": [{"id": "x", "hexes": [{"id": "0202"}]}] * 1
        + [{"id": "y", "hexes": [{"id": "0202"}]}]}))),
    ("TERRAIN_UNKNOWN", "map:0203", changed(("map.hexes.1.terrain", "jungle"))),
    ("SIDE_UNKNOWN", "units.0.side", changed(("units.0.side", "Polish"))),
    ("CLASS_UNKNOWN", "units.0.class", changed(("units.0.class", "elephants"))),
    ("HEX_UNKNOWN", "units.0.hex", changed(("units.0.hex", "Z9"))),
    ("HEX_NOT_ON_MAP", "units.1.start_hex", changed(("units.1.start_hex", "0909"))),
    ("BANK_UNKNOWN", "units.0.bank", changed(("units.0.bank", "N"))),
    ("SITE_UNKNOWN", "units.1.site", changed(("units.1.site", "field"))),
    ("UNIT_TWICE", "units.1.id", changed(("units.1.id", "a"))),
    ("UNIT_UNKNOWN", "action.units.0", changed(("action.units", ["z"]))),
    ("UNIT_UNKNOWN", "action.target.units.0", changed(("action.target.units", ["z"]))),
    ("UNIT_NOWHERE", "action.units.0", changed(("action.units", ["n"]))),
    ("TARGET_ELSEWHERE", "action.target.units.0", changed(("action.target.units", ["b"]))),
    ("TARGET_FRIENDLY", "action.target.units.0", changed(("units.2.hex", "0202"),
        ("action.target.units", ["b"]))),
    ("SIDES_MIXED", "action.units.1", changed(("action.units", ["a", "d"]))),
    ("KIND", "action.kind", changed(("action.kind", "preparatory-bombardment"))),
    ("KIND", "action.kind", changed(("action.type", "bombard"), ("action.kind", "city-fighting"))),
    ("HEX_UNKNOWN", "action.target.hex", changed(("action.target.hex", "x"))),
    ("MOVE_WAY", "action", changed(("action", {"type": "move", "units": ["a"]}))),
    ("MOVE_WAY", "action", changed(("action", MOVE | {"path": ["0203", "0202"]}))),
    ("UNITS_APART", "action.units", changed(("action", MOVE | {"units": ["a", "b"]}))),
    ("PATH_START", "action.path.0", changed(("action",
        {"type": "move", "units": ["a"], "path": ["0204", "0203"]}))),
    ("BANK_UNKNOWN", "action.bank", changed(("action", MOVE | {"bank": "W"}))),
    ("SITE_UNKNOWN", "action.site", changed(("action", MOVE | {"site": "x"}))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "place", "body"), REFUSED, ids=[f"{i} {c}" for i, (c, _, _) in enumerate(REFUSED)]
)
def test_contradiction_is_an_error_with_code_and_place(
    code: str, place: str, body: dict[str, Any]
) -> None:
    with pytest.raises(VmodError) as refused:
        judge(*read_situation(body))
    error = refused.value
    assert error.stable_code == code
    assert isinstance(error, SituationError | GameError | MapError)
    assert ":".join(part for part in (error.place, error.field) if part) == place
    if not code.startswith("MAP_JSON"):
        assert VALIDATOR.is_valid(body) or code == "MAP_COUNT"


def test_error_shows_no_more_of_a_long_name_than_it_needs() -> None:
    with pytest.raises(VmodError) as refused:
        read_situation(changed(("action.units", ["z" * 80])))
    assert len(refused.value.message) < 80


# What is read


def test_names_of_one_hex_are_one_place() -> None:
    body = {
        "game": "weu",
        "units": [{"id": "a", "side": "German", "hex": "B6125", "start_hex": "F0125"}],
        "action": {"type": "move", "units": ["a"], "to": "F0224"},
    }
    situation, action = read_situation(body)
    unit = situation.unit(UnitId("a"))
    assert unit.hex == unit.start_hex
    assert isinstance(action, Move)
    assert not action.exact


def test_left_out_is_not_known_and_null_hex_is_no_hex() -> None:
    situation, _ = read_situation(changed(("units.2.start_hex", None), without=("units.2.hex",)))
    unknown, nowhere = situation.unit(UnitId("b")), situation.unit(UnitId("n"))
    assert (unknown.hex, unknown.hex_known, unknown.start_known) == (None, False, True)
    assert (nowhere.hex, nowhere.hex_known, nowhere.start_known) == (None, True, False)
    assert unknown.did is None
    assert unknown.name == "b"


def test_combat_gives_its_hex_to_parts_that_name_none() -> None:
    parts = [{"type": "attack", "units": ["a"]}, {"type": "bombard", "units": ["b"]}]
    action = {"type": "combat", "hex": "0202", "attacks": parts}
    _, combat = read_situation(changed(("action", action)))
    assert isinstance(combat, Combat)
    assert {attack.hex for attack in combat.attacks} == {combat.hex}
    assert combat.units == ("a", "b")


def test_sides_of_the_body_replace_the_games() -> None:
    body = changed(("sides", ["Red", "Blue"]), ("units.0.side", "Red"), ("units.1.side", "Blue"))
    body["units"] = body["units"][:2]
    situation, _ = read_situation(body)
    assert {unit.side for unit in situation.units.values()} == {"Red", "Blue"}


def test_map_set_is_read_by_its_name_only() -> None:
    assert map_set("weu-denmark").id == "weu-denmark"
    for name in ("", ".", "..", "weu-denmark/..", "/etc"):
        with pytest.raises(SituationError, match="MAP_UNKNOWN"):
            map_set(name)


def test_game_with_its_own_readings() -> None:
    situation, _ = read_situation(changed(("options", {"G-A2": "free"})))
    assert readings(situation.game)["G-A2"] == "free"
    infantry = situation.class_of(situation.unit(UnitId("a")))
    assert isinstance(infantry, UnitClass)
    assert not infantry.drops


def test_rule_that_fails_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from dataclasses import replace

    import service.judge
    from service.rules.weu.rulebook import RULEBOOK
    from service.rulings import Rule

    def crash(case: object) -> Any:
        raise ZeroDivisionError(case)

    def refuse(case: object) -> Any:
        raise SituationError("no", code="NO")

    def book(look: Any) -> Any:
        first: Rule = replace(RULEBOOK.rules[0], look=look)
        return {"weu": replace(RULEBOOK, rules=(first, *RULEBOOK.rules[1:]))}

    monkeypatch.setattr(service.judge, "RULEBOOKS", book(crash))
    ruling = judge(*read_situation(changed(("units.0.did", []))))
    assert ruling.verdict == "undetermined"
    assert ruling.missing == ("rule weu.A1",)
    assert "ZeroDivisionError" in caplog.text
    monkeypatch.setattr(service.judge, "RULEBOOKS", book(refuse))
    with pytest.raises(SituationError, match="NO"):
        judge(*read_situation(changed()))
