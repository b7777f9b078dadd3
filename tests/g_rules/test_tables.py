"""Tables T1 and T2 over all their inputs, and the three-valued reading against brute force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.weu.tables import T1, T2, Inputs, Pair, Row, Table, Value

TABLES: list[Table[Any]] = [T1, T2]

# Rows of T2 that another row always comes before, and why they stand there.
UNREACHED: Mapping[str, str] = {}


def combinations(table: Table[Any]) -> Iterator[dict[str, Value]]:
    for values in product(*table.inputs.values()):
        yield dict(zip(table.inputs, values, strict=True))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_combination_has_a_row(table: Table[Any]) -> None:
    for inputs in combinations(table):
        fitting = [row for row in table.rows if row.fits(inputs)]
        assert fitting, inputs
        assert table.row(inputs) is fitting[0]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_no_row_is_out_of_reach(table: Table[Any]) -> None:
    reached = {id(table.row(inputs)) for inputs in combinations(table)}
    idle = [dict(row.when) for row in table.rows if id(row) not in reached]
    assert [str(when) for when in idle] == list(UNREACHED) if table is T2 else not idle


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_rows_name_inputs_and_values_that_exist(table: Table[Any]) -> None:
    for row in table.rows:
        for name, values in row.when.items():
            assert values <= set(table.inputs[name]), (name, values)


# T1 and T2 as combat-weu.md section 4 prints them, once more and by hand


def printed_t1(i: Mapping[str, Value]) -> set[str]:
    if i["hexside"] == "blocked":
        return set()
    if i["hexside"] == "strait":
        return {"amphibious-assault"} if i["craft"] and i["unspent"] else set()
    if i["parted"] or not i["eligible"]:
        return set()
    if i["enters"]:
        return {"adjacent-deployment", "preparatory-bombardment"}
    if i["way"]:
        return {"adjacent-on-road-frontal", "preparatory-bombardment"}
    return {"preparatory-bombardment"}


DEFENCE = {
    "deployed": "deployment",
    "emergency": "emergency-deployment",
    "road": "on-road-flank",
    "city": "concentrated-strongpoint",
    "bp": "in-strongpoint",
    "close": "close-concentrated-strongpoint",
}


def printed_t2(i: Mapping[str, Value]) -> tuple[str | None, str | None]:
    defender = str(i["defender"])
    in_terrain = defender in ("deployed", "emergency")
    if i["parted"]:
        return ("amphibious-assault", DEFENCE[defender]) if i["craft"] else (None, None)
    if i["arrived"] in ("air", "sea"):
        kind = "airborne" if i["arrived"] == "air" else "amphibious"
        return f"{kind}-{'base-terrain' if in_terrain else 'strongpoint'}", DEFENCE[defender]
    if defender == "close":
        return "city-fighting", DEFENCE[defender]
    if i["attacker"] == "deployed":
        if in_terrain:
            return "same-hex-base-terrain", DEFENCE[defender]
        kind = "close-on-road-flank" if defender == "road" else "same-hex-strongpoint"
        return kind, DEFENCE[defender]
    if i["attacker"] == "road" and i["bound"]:
        if in_terrain:
            return "close-on-road-frontal", DEFENCE[defender]
        if defender == "road":
            return "close-on-road-flank", DEFENCE[defender]
    return None, None


def test_t1_is_as_printed() -> None:
    for inputs in combinations(T1):
        assert T1.row(inputs).outcome == printed_t1(inputs), inputs


def test_t2_is_as_printed() -> None:
    for inputs in combinations(T2):
        assert T2.row(inputs).outcome == Pair(*printed_t2(inputs)), inputs  # type: ignore[arg-type]


# Unknown inputs


def partial(table: Table[Any]) -> st.SearchStrategy[dict[str, Value | None]]:
    return st.fixed_dictionaries(
        {name: st.sampled_from((None, *values)) for name, values in table.inputs.items()}
    )


def answers(table: Table[Any], inputs: Inputs) -> list[tuple[dict[str, Value], Any]]:
    """Every completion of the inputs with its outcome."""
    return [
        (known, table.row(known).outcome)
        for known in combinations(table)
        if all(value is None or known[name] == value for name, value in inputs.items())
    ]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
@given(data=st.data())
def test_unknown_inputs_are_tried_with_every_value(table: Table[Any], data: st.DataObject) -> None:
    inputs = data.draw(partial(table))
    all_answers = answers(table, inputs)
    outcomes = table.outcomes(inputs)
    assert len(set(outcomes)) == len(outcomes)
    assert set(outcomes) == {outcome for _, outcome in all_answers}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
@given(data=st.data())
def test_deciding_inputs_are_those_whose_value_can_change_the_outcome(
    table: Table[Any], data: st.DataObject
) -> None:
    inputs = data.draw(partial(table))
    deciding = set(table.deciding(inputs))
    assert deciding <= {name for name, value in inputs.items() if value is None}
    by_others: dict[tuple[str, tuple[tuple[str, Value], ...]], set[Any]] = {}
    for known, outcome in answers(table, inputs):
        for name in inputs:
            others = tuple((n, v) for n, v in known.items() if n != name)
            by_others.setdefault((name, others), set()).add(outcome)
    assert deciding == {name for (name, _), found in by_others.items() if len(found) > 1}
    if len(table.outcomes(inputs)) > 1:
        assert deciding, "something must be named that would tell"


def test_row_fits_only_its_values() -> None:
    row: Row[str] = Row("x", {"a": frozenset({"1", "2"})})
    assert row.fits({"a": "2", "b": "9"})
    assert not row.fits({"a": "3", "b": "9"})
