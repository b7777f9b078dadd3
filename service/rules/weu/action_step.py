"""What a unit may still do in its own action step: A11 move or attack, A16 nothing after an attack."""

from __future__ import annotations

from collections.abc import Iterator

from service.actions import Move
from service.case import Case
from service.rules.weu.contact import contacts, same_hex_attacks
from service.rulings import Facts, Finding, illegal, legal, rule, undetermined
from service.situation import Unit


@rule(
    "weu.A11",
    "P1.6, TA3",
    text=(
        "In one own action step a unit moves or attacks, once; only same-hex combat may follow a move.",
        "1回の自軍行動ステップで、ユニットは移動か攻撃のどちらかを1回だけ行います。移動のあとに行えるのは同一ヘクス内の戦闘だけです。",
    ),
    inputs=("what the unit did in this step",),
    breaches={
        "moved": (
            "{unit} has moved in this action step and cannot move again.",
            "{unit}はこの行動ステップですでに移動しており、再び移動することはできません。",
        ),
        "attacked": (
            "{unit} has attacked in this action step and cannot attack again.",
            "{unit}はこの行動ステップですでに攻撃しており、再び攻撃することはできません。",
        ),
        "twice": (
            "{unit} takes part in this combat more than once.",
            "{unit}はこの戦闘に2回以上参加しています。",
        ),
    },
)
def one_action(case: Case) -> Iterator[Finding]:
    """A second move or a second attack; an adjacent attack after a move is A13, a move after an attack A16."""
    if isinstance(case.action, Move):
        for unit in case.units:
            yield _step_of(case.action, unit)
        return
    free = case.readings["G-A2"] == "free"
    for contact in contacts(case):
        if contact.attack.type == "bombard" and free:
            continue
        # An assault over a strait hexside is a move, then same-hex combat.
        assault = contact.hexside == "strait" and contact.attack.type == "attack"
        yield _once(contact.unit, "attacked", *(("moved",) if assault else ()))
    for _, unit in same_hex_attacks(case):
        yield _once(unit, "attacked")
    made = [unit for _, unit in case.attacks]
    for unit in case.units:
        if made.count(unit) > 1:
            yield illegal(_facts(unit), "twice")


def _step_of(move: Move, unit: Unit) -> Finding:
    """Retreats and advances are no moves of the step; of their ways the source is silent (G-A28)."""
    if move.purpose is None:
        return undetermined(_facts(unit), f"{unit.name}.action (move, retreat or advance)")
    if move.purpose != "move":
        return undetermined(_facts(unit), "G-A28 (retreats and advances)", assumed=("G-A28",))
    return _once(unit, "moved")


def _once(unit: Unit, *deeds: str) -> Finding:
    if unit.did is None:
        return undetermined(_facts(unit), f"{unit.name}.did")
    done = [deed for deed in deeds if deed in unit.did]
    return illegal(_facts(unit), done[0]) if done else legal(_facts(unit))


def _facts(unit: Unit) -> Facts:
    return {"unit": unit.name, "did": None if unit.did is None else list(unit.did)}


@rule(
    "weu.A16",
    "TA2.4",
    text=(
        "A unit that has attacked is finished: it does not move in that step.",
        "攻撃したユニットは行動終了となり、そのステップ中は移動できません。",
    ),
    inputs=("what the unit did in this step",),
    breaches={
        "": (
            "{unit} has attacked in this action step and cannot move any more.",
            "{unit}はこの行動ステップですでに攻撃しているので、もう移動できません。",
        )
    },
)
def no_move_after_attack(case: Case) -> Iterator[Finding]:
    """Looked at for moves."""
    if not isinstance(case.action, Move) or case.action.purpose != "move":
        return
    for unit in case.units:
        facts: Facts = {"unit": unit.name}
        if unit.did is None:
            yield undetermined(facts, f"{unit.name}.did")
        elif "attacked" in unit.did:
            yield illegal(facts)
        else:
            yield legal(facts)


RULES = (one_action, no_move_after_attack)
