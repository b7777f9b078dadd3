"""Rules, findings and rulings: the form that every rulebook has.

A rule is one function that looks at a case and yields findings; it never raises for a breach and never
guesses.  Wording is data beside the function, in English and Japanese with the same placeholders:
`text` says what must be, each `breach` what is wrong in this case.  The ruling on an action gathers the
findings of all rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from service.vocabulary import TRANSLATED, say

if TYPE_CHECKING:
    from service.case import Case

Verdict = Literal["legal", "illegal", "undetermined", "not-checked"]
VERDICTS: tuple[Verdict, ...] = ("legal", "illegal", "undetermined", "not-checked")

Fact = str | int | bool | None | Sequence[str]
Facts = Mapping[str, Fact]

LANGUAGES = ("en", "ja")


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in both languages."""

    en: str
    ja: str

    def fill(self, facts: Facts) -> dict[str, str]:
        """The sentence with its placeholders filled in, by language."""
        return {
            lang: sentence.format_map({k: _show(k, v, lang) for k, v in facts.items()})
            for lang, sentence in (("en", self.en), ("ja", self.ja))
        }


def _show(name: str, value: Fact, lang: str) -> str:
    if value is None:
        return "?"
    if isinstance(value, str | int):
        return say(str(value), lang) if name in TRANSLATED else str(value)
    return ", ".join(value)


UNDECIDED = Text(
    "Cannot be decided: {missing} is not known.", "判定できません：{missing} が不明です。"
)
"""What every rule says when a fact is missing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule says of one case: the facts it used, the facts it lacks, the readings it took."""

    verdict: Literal["legal", "illegal", "undetermined"]
    facts: Facts
    missing: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    breach: str = ""
    """Which of the rule's breach sentences applies."""


def legal(facts: Facts, *, assumed: tuple[str, ...] = ()) -> Finding:
    """The rule was looked at and holds."""
    return Finding("legal", facts, assumed=assumed)


def illegal(facts: Facts, breach: str = "", *, assumed: tuple[str, ...] = ()) -> Finding:
    """The rule is broken."""
    return Finding("illegal", facts, assumed=assumed, breach=breach)


def undetermined(facts: Facts, *missing: str, assumed: tuple[str, ...] = ()) -> Finding:
    """The rule matters and cannot be decided without the facts named in `missing`."""
    return Finding("undetermined", facts, missing, assumed)


RuleFunction = Callable[["Case"], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its id, the paragraphs it stands in, what it says, and the function that looks."""

    id: str
    cite: str
    text: Text
    breaches: Mapping[str, Text]
    inputs: tuple[str, ...]
    look: RuleFunction = field(repr=False)


def rule(
    rule_id: str,
    cite: str,
    *,
    text: tuple[str, str],
    inputs: tuple[str, ...],
    breaches: Mapping[str, tuple[str, str]] | None = None,
) -> Callable[[RuleFunction], Rule]:
    """Makes a rule of a function.  `breaches` may be left out by rules that cannot be broken."""

    def make(function: RuleFunction) -> Rule:
        sentences = {name: Text(*pair) for name, pair in (breaches or {}).items()}
        return Rule(rule_id, cite, Text(*text), sentences, inputs, function)

    return make


@dataclass(frozen=True, slots=True)
class Option:
    """The reading of a gap that a table of players may choose."""

    id: str
    default: str
    alternatives: tuple[str, ...]
    text: Text


@dataclass(frozen=True, slots=True)
class RuleRuling:
    """One rule's part of a ruling."""

    id: str
    cite: str
    verdict: Literal["legal", "illegal", "undetermined"]
    facts: Facts
    message: Mapping[str, str]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer on one action."""

    action: str
    units: tuple[str, ...]
    verdict: Verdict
    rules: tuple[RuleRuling, ...]
    result: Mapping[str, object] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    step: str = ""
    steps: tuple[str, ...] = ()
    """All log steps that the action took, when it took more than one."""
    depends_on: tuple[str, ...] = ()
    actor: str = ""
    """p1, p2 …: the player of the log."""


def rule_ruling(rule: Rule, finding: Finding) -> RuleRuling:
    """A finding in words."""
    if finding.verdict == "illegal":
        message = rule.breaches[finding.breach].fill(finding.facts)
    elif finding.verdict == "undetermined":
        message = UNDECIDED.fill({"missing": list(finding.missing)})
    else:
        message = {"en": rule.text.en, "ja": rule.text.ja}
    return RuleRuling(rule.id, rule.cite, finding.verdict, finding.facts, message, finding.missing)


def overall(verdicts: list[str]) -> Verdict:
    """The action's verdict: illegal if any rule says so, else undetermined if any does, else legal."""
    if "illegal" in verdicts:
        return "illegal"
    if "undetermined" in verdicts:
        return "undetermined"
    return "legal" if verdicts else "not-checked"
