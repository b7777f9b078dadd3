"""What every rule, option and word promises: ids, citations, both languages."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from service.actions import AttackKind
from service.games import load_game
from service.report.rules import rules_markdown
from service.rules.weu.options import OPTIONS
from service.rules.weu.rulebook import RULEBOOK
from service.rules.weu.tables import T3
from service.rulings import UNDECIDED, VERDICTS, Option, Rule, Text, overall
from service.vocabulary import say
from tests.support.places import REPO

_JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")

TEXTS: list[tuple[str, Text]] = [
    *((rule.id, rule.text) for rule in RULEBOOK.rules),
    *((f"{r.id} {name or 'breach'}", t) for r in RULEBOOK.rules for name, t in r.breaches.items()),
    *((option.id, option.text) for option in OPTIONS),
    ("undecided", UNDECIDED),
]


def test_ids_are_unique_and_in_order() -> None:
    ids = [rule.id for rule in RULEBOOK.rules]
    assert len(set(ids)) == len(ids)
    assert ids == sorted(ids, key=lambda rule_id: int(rule_id.removeprefix("weu.A")))
    assert len({option.id for option in OPTIONS}) == len(OPTIONS)


def test_rules_of_the_issue_are_all_there() -> None:
    numbers = [*range(1, 10), *range(11, 17), 29, 30, 34]
    assert all(RULEBOOK.rule(f"weu.A{number}") is not None for number in numbers)
    assert RULEBOOK.rule("weu.A99") is None


@pytest.mark.parametrize("rule", RULEBOOK.rules, ids=lambda rule: rule.id)
def test_rule_cites_a_paragraph_and_names_its_facts(rule: Rule) -> None:
    paragraph = r"(P\d(\.\d+)+|P2|AS|OF|DF|TA\d(\.\d)?|TS\d?)"
    assert re.fullmatch(rf"{paragraph}(, {paragraph})*", rule.cite)
    assert rule.inputs


@pytest.mark.parametrize(("name", "text"), TEXTS, ids=[name for name, _ in TEXTS])
def test_text_stands_in_both_languages_with_the_same_placeholders(name: str, text: Text) -> None:
    assert sorted(_PLACEHOLDER.findall(text.en)) == sorted(_PLACEHOLDER.findall(text.ja)), name
    assert _JAPANESE.search(text.ja), f"{name}: no Japanese"
    assert not _JAPANESE.search(text.en)
    assert text.en.endswith(".")
    assert text.ja.endswith("。")


def test_rule_texts_have_no_placeholders() -> None:
    assert not any(_PLACEHOLDER.search(rule.text.en) for rule in RULEBOOK.rules)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.id)
def test_option_has_a_default_and_alternatives(option: Option) -> None:
    assert option.alternatives[0] == option.default
    assert len(set(option.alternatives)) == len(option.alternatives) > 1


def test_words_are_said_in_both_languages() -> None:
    game = load_game("weu")
    terrains = {terrain for unit_class in game.classes.values() for terrain in unit_class.enters}
    for word in (*get_args(AttackKind), *terrains):
        assert _JAPANESE.search(say(word, "ja")), word
        assert "-" not in say(word, "en")
    assert say("Geb 3", "ja") == say("Geb 3", "en") == "Geb 3"
    assert all(unit_class.names.keys() == {"en", "ja"} for unit_class in game.classes.values())
    assert T3.keys() == {"deployed", "road", "city", "bp"}


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        ([], "not-checked"),
        (["legal"], "legal"),
        (["legal", "undetermined"], "undetermined"),
        (["undetermined", "illegal", "legal"], "illegal"),
    ],
)
def test_verdict_of_the_whole(verdicts: list[str], whole: str) -> None:
    assert overall(verdicts) == whole
    assert whole in VERDICTS


def test_unknown_fact_is_shown_as_a_question_mark() -> None:
    facts: dict[str, Any] = {"unit": None, "kind": "city-fighting", "way": ["0101", "0102"]}
    text = Text("{unit} {kind} {way}", "{unit} {kind} {way}").fill(facts)
    assert text == {"en": "? city fighting 0101, 0102", "ja": "? 市街戦 0101, 0102"}


def test_rule_reference_is_what_the_rules_say() -> None:
    """`arbiter rules weu --format md > docs/rules/weu.md` makes it anew."""
    written = (REPO / "docs" / "rules" / "weu.md").read_text("utf-8")
    assert written == rules_markdown(RULEBOOK)
