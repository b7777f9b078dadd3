"""A fact that is taken away changes nothing, or makes the ruling undetermined and is named; it never
turns legal into illegal or back."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.judge import judge
from service.rulings import Ruling
from service.schemas.examples import EXAMPLES
from service.schemas.reading import read_situation
from tests.g_rules.casefiles import all_cases, remove

UNIT_FACTS = (
    *("class", "start_hex", "position", "site", "bank", "arrived", "landing_craft", "did"),
)
ACTION_FACTS = ("arrived", "position", "site", "bank")

BODIES: list[tuple[str, Mapping[str, Any]]] = [
    *((f"example {n}", body) for n, body in enumerate(EXAMPLES)),
    *((case.id, case.body) for case in all_cases()),
]


def facts_of(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Dotted paths of the facts that can be taken away, each with the name it must be missed by."""
    for index, unit in enumerate(body["units"]):
        name = unit.get("name", unit["id"])
        yield from (
            (f"units.{index}.{f}", f"{name}.{f}") for f in UNIT_FACTS if unit.get(f) is not None
        )
        if unit.get("start_hex", "") is None:
            yield f"units.{index}.start_hex", f"{name}.start_hex"
    action = body["action"]
    if action["type"] == "move":
        mover = next(u for u in body["units"] if u["id"] == action["units"][0])
        name = mover.get("name", mover["id"])
        yield from ((f"action.{f}", f"{name}.{f}") for f in ACTION_FACTS if f in action)


def ruling_on(body: Mapping[str, Any]) -> Ruling:
    return judge(*read_situation(body))


def check(before: Ruling, after: Ruling, gone: Mapping[str, str]) -> None:
    if after.verdict == before.verdict or takes_back(before, after, gone):
        return
    assert after.verdict == "undetermined", f"{before.verdict} became {after.verdict}"
    # A strongpoint is one way to say the bank (A9).
    names = {name.replace(".site", ".bank") for name in gone.values()} | set(gone.values())
    assert set(after.missing) & names, (gone, after.missing)


def takes_back(before: Ruling, after: Ruling, gone: Mapping[str, str]) -> bool:
    """Whether what is gone is a statement of the player that was itself the breach.

    Of two that contradict each other one is left (A9); and a move of which nobody says how it came is
    legal where a legal way leads over land (design.md section 5).
    """
    broken = {part.id for part in before.rules if part.verdict == "illegal"}
    if after.verdict == "illegal":
        return False
    if broken == {"weu.A9"} and {"action.site", "action.bank"} & gone.keys():
        return True
    return broken <= {"weu.A8", "weu.A30"} and marches(after) and "action.arrived" in gone


def marches(ruling: Ruling) -> bool:
    """Whether the judge found a way over land."""
    return any(dict(r).get("arrived") == "land" for r in ruling.result.values())  # type: ignore[call-overload]


@pytest.mark.parametrize(("name", "body"), BODIES, ids=[name for name, _ in BODIES])
def test_one_fact_taken_away(name: str, body: Mapping[str, Any]) -> None:
    before = ruling_on(body)
    if before.verdict == "undetermined":
        return  # another missing fact may only add to what is missing: see below
    for path, fact in facts_of(body):
        poorer = copy.deepcopy(dict(body))
        remove(poorer, path)
        check(before, ruling_on(poorer), {path: fact})


@given(data=st.data())
def test_many_facts_taken_away(data: st.DataObject) -> None:
    _, body = data.draw(st.sampled_from(BODIES))
    facts = dict(facts_of(body))
    gone = data.draw(
        st.lists(st.sampled_from(sorted(facts)), unique=True) if facts else st.just([])
    )
    poorer = copy.deepcopy(dict(body))
    for path in gone:
        remove(poorer, path)
    before, after = ruling_on(body), ruling_on(poorer)
    if before.verdict == "undetermined":
        assert after.verdict == "undetermined" or takes_back(before, after, dict.fromkeys(gone, ""))
    else:
        check(before, after, {path: facts[path] for path in gone})
    if after.verdict == "undetermined":
        assert after.missing
