"""Rulebooks: each is its rules, its options, and a function that answers what kinds are open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from service.case import Case
from service.rulings import Option, Rule


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A rulebook.  `result` answers beside the verdict: the kinds that are open, the way taken."""

    id: str
    title: Mapping[str, str]
    rules: tuple[Rule, ...]
    options: tuple[Option, ...]
    result: Callable[[Case], dict[str, object]]

    def rule(self, rule_id: str) -> Rule | None:
        """The rule of that id, or None."""
        return next((r for r in self.rules if r.id == rule_id), None)
