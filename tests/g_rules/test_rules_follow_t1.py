"""The rules and table T1 say the same: every combination of its inputs as a situation on a small map."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from service.judge import judge
from service.rules.weu.tables import T1, Value
from service.rulings import Ruling
from service.schemas.reading import read_situation

ATTACK_KINDS = {
    "adjacent-deployment": "attack",
    "adjacent-on-road-frontal": "attack",
    "amphibious-assault": "attack",
    "preparatory-bombardment": "bombard",
}

# Which of the two has its bank off the hexside.
PARTED_BY = ("attacker", "defender")
# How an attacker becomes ineligible or spent: (did, where it began).
DONE: Mapping[tuple[Value, Value], list[tuple[list[str], str | None]]] = {
    (True, True): [([], "0203")],
    (False, True): [([], None), ([], "0204")],
    (False, False): [(["moved"], "0203"), (["attacked"], "0203"), (["moved", "attacked"], "0203")],
}


def strait(on_side: str, other: str) -> dict[str, Any]:
    return {
        "waters": [{"kind": "strait", "left": "E", "right": "W"}],
        "banks": [{"id": "E", "sides": [on_side]}, {"id": "W", "sides": [other]}],
    }


def situation(
    inputs: Mapping[str, Value], side: str, done: tuple[list[str], str | None], parted_by: str
) -> dict[str, Any]:
    """The attacker in 0203, the defender north of it in 0202, with the inputs of T1 made true."""
    north: dict[str, Any] = {"id": "0202", "terrain": "mountain"}
    south: dict[str, Any] = {"id": "0203"}
    if inputs["way"]:
        north["ways"] = [{"kind": "road", "from": "S", "to": "centre"}]
        south["ways"] = [{"kind": "road", "from": "N", "to": "centre"}]
    attacker = {
        "id": "a",
        "side": "German",
        "class": "mountain" if inputs["enters"] else "mechanised",
        "hex": "0203",
        "start_hex": done[1],
        "did": done[0],
        "landing_craft": inputs["craft"],
    }
    defender = {"id": "d", "side": "Allied", "class": "mountain", "hex": "0202"}
    defender |= {"start_hex": "0202"}
    if inputs["parted"] and parted_by == "attacker":
        south |= strait("N", "S")
        attacker["bank"] = "W"
    elif inputs["parted"]:
        north |= strait("S", "N")
        defender["bank"] = "W"
    sides = [] if side == "unlisted" else [{"of": "0202", "side": "S", "kind": side}]
    return {
        "game": "weu",
        "map": {"hexes": [north, south, {"id": "0204"}], "hexsides": sides},
        "units": [attacker, defender],
    }


def ask(body: dict[str, Any], action: str, kind: str | None) -> Ruling:
    declared = {"type": action, "units": ["a"], "target": {"hex": "0202"}}
    declared |= {} if kind is None else {"kind": kind}
    return judge(*read_situation({**body, "action": declared}))


def realisations() -> list[tuple[dict[str, Value], dict[str, Any]]]:
    found = []
    for values in product(*T1.inputs.values()):
        inputs = dict(zip(T1.inputs, values, strict=True))
        # A unit that may still attack has done nothing, so the pair (eligible, spent) cannot be.
        for done in DONE.get((inputs["eligible"], inputs["unspent"]), []):
            for parted_by in PARTED_BY if inputs["parted"] else PARTED_BY[:1]:
                side = str(inputs["hexside"])
                found.append((inputs, situation(inputs, side, done, parted_by)))
    return found


ALL = realisations()


def test_every_possible_combination_is_realised() -> None:
    impossible = {(i["eligible"], i["unspent"]) for i, _ in ALL}
    assert impossible == set(DONE)
    rows = {id(T1.row(inputs)) for inputs, _ in ALL}
    assert rows == {id(row) for row in T1.rows}


@pytest.mark.parametrize("hexside", T1.inputs["hexside"])
def test_kinds_and_verdicts_are_those_of_the_table(hexside: str) -> None:
    for inputs, body in ALL:
        if inputs["hexside"] != hexside:
            continue
        legal = T1.row(inputs).outcome
        attack, bombard = ask(body, "attack", None), ask(body, "bombard", None)
        shown = attack.result["a"]
        assert isinstance(shown, dict)
        assert shown["kinds"] == sorted(legal), inputs
        assert (attack.verdict == "legal") == any(ATTACK_KINDS[k] == "attack" for k in legal), body
        assert (bombard.verdict == "legal") == ("preparatory-bombardment" in legal), body
        assert {attack.verdict, bombard.verdict} <= {"legal", "illegal"}
        if attack.verdict == "legal":
            assert shown["attack"] in legal


@pytest.mark.parametrize("kind", ATTACK_KINDS)
@pytest.mark.parametrize("hexside", T1.inputs["hexside"])
def test_declared_kind_is_legal_where_the_table_has_it(hexside: str, kind: str) -> None:
    for inputs, body in ALL:
        if inputs["hexside"] != hexside:
            continue
        open_by_gap = kind == "adjacent-on-road-frontal" and inputs["enters"] and inputs["way"]
        if open_by_gap:  # G-A5: may a unit that can deploy choose the road?
            continue
        ruling = ask(body, ATTACK_KINDS[kind], kind)
        assert (ruling.verdict == "legal") == (kind in T1.row(inputs).outcome), (body, ruling)


@pytest.mark.parametrize(
    "kind",
    ["same-hex-base-terrain", "city-fighting", "airborne-strongpoint", "close-on-road-flank"],
)
def test_kinds_of_same_hex_combat_are_none_over_a_hexside(kind: str) -> None:
    for _, body in ALL:
        assert ask(body, "attack", kind).verdict == "illegal"
