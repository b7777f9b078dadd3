"""What lies between an attacker and the hex it attacks: the inputs of table T1, each known or not.

Names of missing facts are `unit.fact` with the unit's own name, so that a player sees whom to ask.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.actions import Attack, AttackKind
from service.case import Case
from service.rules.weu.tables import (
    ADJACENT_DEPLOYMENT,
    BOMBARDMENT,
    ON_ROAD_FRONTAL,
    T1,
    Inputs,
)
from service.rulings import Facts, Finding, illegal, legal, undetermined
from service.situation import Situation, Unit, can_enter, known_bank
from vmod_tools.mapdoc import banks
from vmod_tools.mapdoc.geometry import aliases, hex_name, side_between
from vmod_tools.mapdoc.model import OPPOSITE, Cell, Hex, HexsideKind, Side, WayKind


@dataclass(frozen=True, slots=True)
class Contact:
    """An attack by one unit on an adjacent hex (or one that is not: `side` None)."""

    attack: Attack
    unit: Unit
    targets: tuple[Unit, ...]
    side: Side | None
    hexside: HexsideKind | None
    parted: bool | None
    parted_missing: tuple[str, ...]
    moved: bool | None
    attacked: bool | None
    adjacent_at_start: bool | None
    start_missing: tuple[str, ...]
    start_reading: tuple[str, ...]
    """G-A26, where its other reading would answer otherwise or a table of players chose one."""
    enters: bool | None
    ways: frozenset[WayKind]

    @property
    def closed(self) -> bool:
        """Whether T1's first rows decide: a blocked or strait hexside makes the other columns idle."""
        return self.hexside in ("blocked", "strait")


def contacts(case: Case) -> list[Contact]:
    """The contacts of the attacks in a case on other hexes than the attackers' own."""
    return [
        _contact(case, attack, unit)
        for attack, unit in case.attacks
        if unit.hex is not None and unit.hex != attack.hex
    ]


def same_hex_attacks(case: Case) -> list[tuple[Attack, Unit]]:
    """The attacks of the case inside the attackers' own hex."""
    return [(attack, unit) for attack, unit in case.attacks if unit.hex == attack.hex]


def targets_of(case: Case, attack: Attack, unit: Unit) -> tuple[Unit, ...]:
    """The enemy units that are attacked: those named, else all in the hex."""
    if attack.targets is not None:
        return tuple(case.situation.unit(t) for t in attack.targets)
    there = case.situation.enemies_in(attack.hex, unit.side)
    place = case.situation.hex_at(attack.hex)
    if unit.hex == attack.hex and place is not None and banks.strait(place) is not None:
        # Of unnamed enemies in its hex the unit attacks those on its own bank, if there are any.
        own = known_bank(place, unit)
        near = tuple(t for t in there if own is not None and known_bank(place, t) == own)
        return near or there
    return there


def shown(situation: Situation, cell: Cell | None) -> str:
    """A hex as the report names it."""
    if cell is None:
        return "?"
    return str(hex_name(situation.map, cell)) if aliases(situation.map, cell) else "?"


def entry_missing(situation: Situation, unit: Unit, cell: Cell) -> str:
    """The fact that would tell whether a unit can enter a hex: its class, or the hex's terrain."""
    if situation.class_of(unit) is None:
        return f"{unit.name}.class"
    return f"{shown(situation, cell)}.terrain"


def with_craft(unit: Unit, facts: Facts) -> Finding:
    """The finding on an assault that needs landing craft."""
    if unit.landing_craft is None:
        return undetermined(facts, f"{unit.name}.landing_craft")
    return legal(facts) if unit.landing_craft else illegal(facts)


def touches(
    case: Case, unit: Unit, place: Hex | None, side: Side
) -> tuple[bool | None, tuple[str, ...]]:
    """Whether the unit's bank touches a hexside of its hex; without an in-hex strait every place does."""
    if place is None or not parting_water(case, place):
        return True, ()
    bank = known_bank(place, unit)
    if bank is not None:
        sides = banks.bank_sides(place, bank)
        # What a bank touches of which nothing is said ("central") the source leaves open, G-A28.
        return (side in sides, ()) if sides else (None, (f"{place.written}.banks",))
    answers = {banks.touches(place, name, side) for name in banks.bank_names(place)}
    if len(answers) == 1:
        return answers.pop(), ()
    return None, (f"{unit.name}.bank",)


def parting_water(case: Case, place: Hex) -> bool:
    """Whether in-hex water parts the hex for adjacency: a strait does (A29), a river by option only."""
    if banks.strait(place) is not None:
        return True
    return banks.river(place) is not None and case.readings["G-A21"] == "as-strait"


def t1_inputs(contact: Contact) -> Inputs:
    """The inputs of table T1."""
    free: bool | None = None
    if contact.moved is not None and contact.attacked is not None:
        free = not (contact.moved or contact.attacked)
    start = contact.adjacent_at_start
    eligible: bool | None = None
    if free is False or start is False:
        eligible = False
    elif free and start:
        eligible = True
    return {
        "hexside": contact.hexside,
        "parted": contact.parted,
        "eligible": eligible,
        "unspent": free,
        "craft": contact.unit.landing_craft,
        "enters": contact.enters,
        "way": bool(contact.ways),
    }


def open_kinds(case: Case, contact: Contact) -> list[str] | None:
    """The legal kinds by table T1 and the readings in force, sorted; None when a missing fact decides."""
    if contact.side is None:
        return []
    inputs = t1_inputs(contact)
    outcomes = {_reach_of_road(case, contact, kinds) for kinds in T1.outcomes(inputs)}
    if case.readings["G-A2"] == "free" and contact.targets:
        # Bombardment asks neither for start adjacency nor whether the unit has acted.
        free = {BOMBARDMENT in kinds for kinds in T1.outcomes({**inputs, "eligible": True})}
        if free == {True}:
            outcomes = {None if kinds is None else kinds | {BOMBARDMENT} for kinds in outcomes}
        elif free == {True, False}:
            return None
    only = outcomes.pop()
    return None if outcomes or only is None else sorted(only)


def _reach_of_road(
    case: Case, contact: Contact, kinds: frozenset[AttackKind]
) -> frozenset[AttackKind] | None:
    """The kinds with the readings of G-A5 and G-A24 taken; None when a position would decide."""
    if ADJACENT_DEPLOYMENT in kinds and contact.ways and case.readings["G-A5"] == "legal":
        return kinds | {ON_ROAD_FRONTAL}
    if ON_ROAD_FRONTAL in kinds and case.readings["G-A24"] != "allowed":
        postures = {target.posture for target in contact.targets}
        if postures == {"deployed"}:
            return kinds - {ON_ROAD_FRONTAL}
        if None in postures:
            return None
    return kinds


def _contact(case: Case, attack: Attack, unit: Unit) -> Contact:
    situation = case.situation
    targets = targets_of(case, attack, unit)
    side = side_between(situation.map, unit.hex, attack.hex) if unit.hex else None
    parted, missing = _parted(case, attack, unit, targets, side)
    chosen = case.readings["G-A26"] == "any-enemy-in-hex"
    start, start_missing = _adjacent_at_start(case, attack, unit, targets, anyone=chosen)
    other, _ = _adjacent_at_start(case, attack, unit, targets, anyone=not chosen)
    known = unit.did is not None
    return Contact(
        attack=attack,
        unit=unit,
        targets=targets,
        side=side,
        hexside=banks.hexside_kind(situation.map, unit.hex, side) if unit.hex and side else None,
        parted=parted,
        parted_missing=missing,
        moved="moved" in unit.did if known and unit.did is not None else None,
        attacked="attacked" in unit.did if known and unit.did is not None else None,
        adjacent_at_start=start,
        start_missing=start_missing,
        start_reading=("G-A26",) if chosen or other != start else (),
        enters=can_enter(situation, unit, attack.hex),
        ways=banks.ways_across(situation.map, unit.hex, side) if unit.hex and side else frozenset(),
    )


def _parted(
    case: Case, attack: Attack, unit: Unit, targets: tuple[Unit, ...], side: Side | None
) -> tuple[bool | None, tuple[str, ...]]:
    """Whether water in either hex keeps the two off their hexside, and the facts that would tell.

    Named targets must all be reached; of unnamed ones it is enough that one is.
    """
    if side is None:
        return False, ()
    situation = case.situation
    own, missing = touches(case, unit, situation.hex_at(unit.hex), side)
    theirs = [
        touches(case, target, situation.hex_at(attack.hex), OPPOSITE[side]) for target in targets
    ]
    answers = [answer for answer, _ in theirs]
    missing += tuple(name for _, names in theirs for name in names)
    if attack.targets is None:
        reached = True if True in answers or not answers else None if None in answers else False
    else:
        reached = False if False in answers else None if None in answers else True
    if own is False or reached is False:
        return True, ()
    if own and reached:
        return False, ()
    return None, missing


def _adjacent_at_start(
    case: Case, attack: Attack, unit: Unit, targets: tuple[Unit, ...], *, anyone: bool
) -> tuple[bool | None, tuple[str, ...]]:
    """Whether the attacker was adjacent, when the step began, to the units it attacks (A12, G-A26).

    They stood in the hex attacked even then: an enemy that came there later is no target.  With
    `anyone` it is enough that some enemy stood there.
    """
    situation = case.situation
    beside = _began_beside(situation, unit, attack.hex)
    unseen = () if attack.targets is not None else situation.unseen_enemies(unit.side)
    if beside is False or not (targets or unseen):
        return False, ()
    others = targets
    if anyone:
        others = tuple(u for u in situation.units.values() if u.side != unit.side)
    answers = [u.start_hex == attack.hex if u.start_known else None for u in others]
    if attack.targets is not None and not anyone:
        there = False if False in answers else None if None in answers else True
    else:
        there = True if True in answers else None if None in answers or unseen else False
    if there is False or (there and beside):
        return there, ()
    unknown = [unit] if beside is None else []
    if there is None:
        unknown += [u for u, answer in zip(others, answers, strict=True) if answer is None]
    return None, (*(f"{u.name}.start_hex" for u in unknown), *(() if there else unseen))


def _began_beside(situation: Situation, unit: Unit, cell: Cell) -> bool | None:
    if not unit.start_known:
        return None
    return unit.start_hex is not None and (
        side_between(situation.map, unit.start_hex, cell) is not None
    )
