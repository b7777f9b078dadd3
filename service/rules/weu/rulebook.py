"""The rulebook `weu`: its rules in the order of their numbers, and what it answers beside a verdict."""

from __future__ import annotations

from service.actions import Attack, Move
from service.case import Case
from service.rules import Rulebook
from service.rules.weu import action_step, adjacent, bank_rules, entering, hexsides, same_hex
from service.rules.weu.contact import contacts, open_kinds, same_hex_attacks, targets_of
from service.rules.weu.options import OPTIONS
from service.rules.weu.tables import ADJACENT_DEPLOYMENT, ASSAULT, BOMBARDMENT, ON_ROAD_FRONTAL, T3
from service.rules.weu.travel import shown_way, travels
from service.situation import Unit, site_of

_ATTACKS = (ADJACENT_DEPLOYMENT, ON_ROAD_FRONTAL, ASSAULT)


def _number(rule_id: str) -> int:
    return int("".join(c for c in rule_id.partition(".")[2] if c.isdigit()))


def _result(case: Case) -> dict[str, object]:
    """The way of a move; of an attack the open kinds, the kind it is, and the kind of the defence."""
    if isinstance(case.action, Move):
        return {t.unit.id: {"way": shown_way(case, t), "arrived": t.arrived} for t in travels(case)}
    result: dict[str, object] = {}
    for contact in contacts(case):
        kinds = open_kinds(case, contact)
        declared = contact.attack.kind
        attack = declared
        if declared is None and kinds is not None:
            wanted = (BOMBARDMENT,) if contact.attack.type == "bombard" else _ATTACKS
            attack = next((k for k in wanted if k in kinds), None)
        result[contact.unit.id] = {
            "kinds": kinds,
            "attack": attack,
            "defence": {t.name: _adjacent_defence(case, t) for t in contact.targets},
        }
    for attack_made, unit in same_hex_attacks(case):
        result[unit.id] = _same_hex_result(case, attack_made, unit)
    return result


def _same_hex_result(case: Case, attack: Attack, unit: Unit) -> dict[str, object]:
    targets = targets_of(case, attack, unit)
    pairs = {t.name: same_hex.pair_of(case, attack, unit, t)[0] for t in targets}
    named = {pair.attack for pair in pairs.values() if pair is not None and pair.attack}
    known = all(pair is not None for pair in pairs.values())
    made = next(iter(named)) if known and len(named) == 1 else None
    shells = [same_hex.bombardment_inside(case, attack, unit, t)[0] for t in targets]
    kinds = sorted({*named, *([BOMBARDMENT] if True in shells else [])})
    return {
        "kinds": kinds if known and None not in shells else None,
        "attack": BOMBARDMENT if attack.type == "bombard" else attack.kind or made,
        "defence": {name: pair.defence if pair else None for name, pair in pairs.items()},
    }


def _adjacent_defence(case: Case, target: Unit) -> str | None:
    if target.posture is None:
        return None
    if target.posture != "bp":
        return T3[target.posture]
    place = case.situation.hex_at(target.hex)
    site = site_of(place, target.site) if place is not None else None
    if site is None:
        return None
    if site.kind in ("city", "urban"):
        return T3["city"]
    return T3["bp"] if case.readings["G-A4"] == "in-strongpoint" else None


RULEBOOK = Rulebook(
    id="weu",
    title={
        "en": "War in Europe, 5th edition addendum: conditions of combat and position in the hex",
        "ja": "War in Europe 第5版追補：戦闘の条件とヘクス内の位置",
    },
    rules=tuple(
        sorted(
            (
                *adjacent.RULES,
                *hexsides.RULES,
                *bank_rules.RULES,
                *action_step.RULES,
                *same_hex.RULES,
                *entering.RULES,
            ),
            key=lambda r: _number(r.id),
        )
    ),
    options=OPTIONS,
    result=_result,
)
