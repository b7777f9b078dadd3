"""Every rule on its cases (cases/*.toml), and that no rule, verdict, breach or reading lacks one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from service.case import Case
from service.games import load_game
from service.judge import judge, readings
from service.report.data import ruling_data
from service.rules.weu.rulebook import RULEBOOK
from service.rulings import Finding, Rule
from service.schemas.reading import read_situation
from tests.g_rules.casefiles import RuleCase, all_cases, look_up

CASES = all_cases()

# (rule, verdict) that no case can have, and why.
EXEMPT: Mapping[tuple[str, str], str] = {
    ("weu.A1", "illegal"): "a unit able by neither terrain nor road is reported by A4",
    ("weu.A5", "illegal"): "a permission",
    ("weu.A5", "undetermined"): "a permission; what it needs A1 and A4 ask for",
    ("weu.A7", "undetermined"): "the map always says what a hexside is",
    ("weu.A10", "undetermined"): "a way that cannot be told is reported by A30",
    ("weu.A14", "illegal"): "a permission",
    ("weu.A14", "undetermined"): "a permission",
    (
        "weu.A15",
        "undetermined",
    ): "a situation refuses an attacker without a hex; test_unfinished_logs",
    ("weu.A34", "illegal"): "a permission",
    ("weu.A34", "undetermined"): "a permission; silent while a class is not known",
}

# Breach sentences that no case can reach, and why.
UNREACHED: Mapping[tuple[str, str], str] = {}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: RuleCase) -> None:
    ruling = ruling_data(judge(*read_situation(case.body)))
    found = {(part["id"], part["verdict"]) for part in ruling["rules"]}
    expected = case.findings
    assert ruling["verdict"] == case.expected["verdict"], found
    assert {f for f in found if f[1] != "legal"} == {f for f in expected if f[1] != "legal"}
    assert {f for f in expected if f[1] == "legal"} <= found
    assert ruling["missing"] == case.expected.get("missing", [])
    if "assumed" in case.expected:
        assert ruling["assumed"] == case.expected["assumed"]
    for dotted, value in case.expected.get("result", {}).items():
        assert look_up(ruling["result"], dotted.split(".")) == value, dotted


def test_names_of_cases_are_told_apart() -> None:
    assert len({case.id for case in CASES}) == len(CASES)


@pytest.mark.parametrize("verdict", ["legal", "illegal", "undetermined"])
@pytest.mark.parametrize("rule", RULEBOOK.rules, ids=lambda rule: rule.id)
def test_rule_has_a_case_of_each_verdict(rule: Rule, verdict: str) -> None:
    cases = [c for c in CASES if c.rule == rule.id and (rule.id, verdict) in c.findings]
    reason = EXEMPT.get((rule.id, verdict))
    assert bool(cases) != bool(reason), f"{rule.id} {verdict}: {reason or 'no case'}"


def test_exemptions_are_of_rules_that_exist() -> None:
    ids = {rule.id for rule in RULEBOOK.rules}
    assert {rule_id for rule_id, _ in EXEMPT} <= ids
    assert {case.rule for case in CASES} == ids


# What the rules find in their cases


def findings_of(rule: Rule) -> list[Finding]:
    found: list[Finding] = []
    for case in CASES:
        situation, action = read_situation(case.body)
        found += rule.look(Case(situation, action, readings(situation.game)))
    return found


@pytest.mark.parametrize("rule", RULEBOOK.rules, ids=lambda rule: rule.id)
def test_every_breach_is_reached_and_its_placeholders_are_facts(rule: Rule) -> None:
    reached = {f.breach for f in findings_of(rule) if f.verdict == "illegal"}
    exempt = {breach for rule_id, breach in UNREACHED if rule_id == rule.id}
    assert reached | exempt == set(rule.breaches)
    for finding in findings_of(rule):
        if finding.verdict == "illegal":
            message = rule.breaches[finding.breach].fill(finding.facts)  # KeyError: no such fact
            assert "{" not in message["en"] + message["ja"]
            assert "?" not in message["en"], f"{rule.id}: an illegal finding with an unknown fact"
        if finding.verdict == "undetermined":
            assert finding.missing


# Options


def with_option(body: Mapping[str, Any], option: str, value: str) -> dict[str, Any]:
    return {**body, "options": {**body.get("options", {}), option: value}}


@pytest.mark.parametrize("option", RULEBOOK.options, ids=lambda option: option.id)
def test_every_reading_changes_some_ruling_and_is_named_there(option: Any) -> None:
    default = option.default
    for value in option.alternatives:
        if value == default:
            continue
        changed = []
        for case in CASES:
            if case.body.get("options", {}).get(option.id) != value:
                continue
            ruling = ruling_data(judge(*read_situation(case.body)))
            other = ruling_data(judge(*read_situation(with_option(case.body, option.id, default))))
            # The ruling under either reading says that it took one.
            if (ruling["verdict"], ruling["result"]) != (other["verdict"], other["result"]):
                assert option.id in ruling["assumed"], case.id
                changed.append(case.id)
        assert changed, f"no case in which {option.id} = {value} changes anything"


def test_game_file_sets_no_reading_that_is_unknown() -> None:
    game = load_game("weu")
    assert readings(game).keys() == {option.id for option in RULEBOOK.options}
