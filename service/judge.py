"""The judge: runs every rule of a rulebook on a case and gathers the findings into a ruling."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping

from service.actions import Action, Attack, Combat
from service.case import Case
from service.games import Game, GameError
from service.rules import Rulebook
from service.rules.weu.rulebook import RULEBOOK as WEU
from service.rulings import (
    Finding,
    Rule,
    RuleRuling,
    Ruling,
    overall,
    rule_ruling,
    undetermined,
)
from service.situation import Situation
from vmod_tools.errors import VmodError

RULEBOOKS: Mapping[str, Rulebook] = {book.id: book for book in (WEU,)}

_LOG = logging.getLogger(__name__)


def rulebook_of(game: Game) -> Rulebook:
    """The rulebook of a game."""
    return RULEBOOKS[game.rulebook]


def readings(game: Game) -> dict[str, str]:
    """The reading of every gap: the game's own, else the default.  Raises GameError on an unknown one."""
    book = rulebook_of(game)
    known = {option.id: option for option in book.options}
    for option_id, value in game.options.items():
        option = known.get(option_id)
        if option is None:
            raise GameError(
                f"there is no option {option_id[:40]!r}", code="OPTION_UNKNOWN", field="options"
            )
        if value not in option.alternatives:
            raise GameError(
                f"{str(value)[:40]!r} is none of {', '.join(option.alternatives)}",
                code="OPTION_VALUE",
                field=f"options.{option_id}",
            )
    return {o.id: game.options.get(o.id, o.default) for o in book.options}


def judge(situation: Situation, action: Action) -> Ruling:
    """The ruling on one action in one situation."""
    book = rulebook_of(situation.game)
    case = Case(situation, action, readings(situation.game))
    found: list[RuleRuling] = []
    assumed: set[str] = set()
    for rule_id, part, taken in _findings(book, case):
        found.append(part)
        assumed.update(taken)
        _LOG.debug("%s: %s", rule_id, part.verdict)
    verdict = overall([part.verdict for part in found])
    missing = {name for part in found if part.verdict == "undetermined" for name in part.missing}
    return Ruling(
        action=action_name(case),
        units=tuple(unit.name for unit in case.units),
        verdict=verdict,
        rules=tuple(found),
        result=book.result(case),
        assumed=tuple(sorted(assumed)),
        missing=tuple(sorted(missing)) if verdict == "undetermined" else (),
    )


def _findings(book: Rulebook, case: Case) -> Iterator[tuple[str, RuleRuling, tuple[str, ...]]]:
    for rule in book.rules:
        seen: list[RuleRuling] = []
        for finding in _look(rule, case):
            part = rule_ruling(rule, finding)
            # Two targets may give one and the same finding.
            if part not in seen:
                seen.append(part)
                yield rule.id, part, finding.assumed


def _look(rule: Rule, case: Case) -> list[Finding]:
    """What a rule finds.  One that fails decides nothing; that is our fault, and the log says where."""
    try:
        return list(rule.look(case))
    except VmodError:
        raise
    except Exception:
        _LOG.exception("rule %s failed", rule.id)
        return [undetermined({}, f"rule {rule.id}")]


def action_name(case: Case) -> str:
    """What the action is called in a report."""
    action = case.action
    if isinstance(action, Combat):
        return "combat"
    if isinstance(action, Attack):
        same_hex = any(unit.hex == action.hex for unit in case.units)
        if action.type == "bombard":
            return "bombardment"
        return "same-hex-attack" if same_hex else "adjacent-attack"
    return "move"
