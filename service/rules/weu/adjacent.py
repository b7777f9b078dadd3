"""Adjacent attacks (P1): what an attacker can bring against a neighbouring hex.

Table T1 holds the answer; each rule here looks at one column of it.  Where the hexside is blocked or a
strait, A6 or A8 decides and the rules of the other columns stay silent, as the table's first rows say.
"""

from __future__ import annotations

from collections.abc import Iterator

from service.case import Case
from service.rules.weu.contact import Contact, contacts, entry_missing, shown
from service.rules.weu.tables import ADJACENT_DEPLOYMENT, ASSAULT, ON_ROAD_FRONTAL
from service.rulings import Fact, Facts, Finding, illegal, legal, rule, undetermined
from service.situation import can_enter


def _reaching(case: Case) -> Iterator[Contact]:
    """The contacts over a hexside that lets land combat through."""
    return (c for c in contacts(case) if c.side is not None and not c.closed)


def _facts(case: Case, contact: Contact) -> dict[str, Fact]:
    return {"unit": contact.unit.name, "hex": shown(case.situation, contact.attack.hex)}


def _entry(case: Case, contact: Contact) -> str:
    return entry_missing(case.situation, contact.unit, contact.attack.hex)


@rule(
    "weu.A1",
    "P1.1",
    text=(
        "A land attack into an adjacent hex needs a unit that can come into contact with the defender, in its base terrain or on its road.",
        "隣接ヘクスへの地上攻撃は、防御側の基本地形または道路上の敵に接触できるユニットだけが行えます。",
    ),
    inputs=("class", "terrain", "road or rail over the hexside"),
)
def contact_needed(case: Case) -> Iterator[Finding]:
    """Able by terrain or by road; a unit that is able by neither is reported by A4."""
    for contact in _reaching(case):
        if contact.attack.type != "attack":
            continue
        facts = _facts(case, contact)
        if contact.enters or contact.ways:
            yield legal({**facts, "road": sorted(contact.ways), "enters": contact.enters})
        elif contact.enters is None:
            yield undetermined(facts, _entry(case, contact))


@rule(
    "weu.A2",
    "P1.1.1",
    text=(
        "A unit that can enter the defender's base terrain makes an adjacent deployment attack.",
        "防御側の基本地形に進入できるユニットの攻撃は、隣接展開攻撃になります。",
    ),
    inputs=("class", "terrain", "declared kind"),
    breaches={
        "": (
            "{unit} cannot enter the {terrain} of {hex}, so it makes no deployment attack.",
            "{unit}は{hex}の{terrain}に進入できないので、展開攻撃はできません。",
        ),
        "kind": (
            "{unit} declares {kind} against the adjacent {hex}, where there are only deployment and on-road attacks.",
            "{unit}は隣接する{hex}に対して{kind}を宣言しましたが、隣接ヘクスへの攻撃は展開攻撃か道路上正面攻撃だけです。",
        ),
    },
)
def deployment_attack(case: Case) -> Iterator[Finding]:
    """AD for those who can enter; declared by another it is a breach, and so is a kind of another place."""
    for contact in _reaching(case):
        attack = contact.attack
        if attack.type != "attack" or attack.kind == ON_ROAD_FRONTAL:
            continue
        place = case.situation.hex_at(attack.hex)
        facts = {**_facts(case, contact), "terrain": place.terrain if place else "?"}
        if attack.kind not in (None, ADJACENT_DEPLOYMENT):
            # An assault over a river hexside is reported by A7.
            if contact.hexside != "river" or attack.kind != ASSAULT:
                yield illegal({**facts, "kind": attack.kind}, "kind")
            continue
        if contact.enters:
            yield legal({**facts, "kind": ADJACENT_DEPLOYMENT})
        elif attack.kind is not None:
            if contact.enters is None:
                yield undetermined(facts, _entry(case, contact))
            else:
                yield illegal(facts)


@rule(
    "weu.A3",
    "P1.1.2",
    text=(
        "A unit that cannot enter the defender's base terrain, but is joined to it by road or rail, makes an adjacent on-road frontal attack.",
        "防御側の基本地形に進入できなくても、道路か鉄道でつながっていれば、隣接道路上正面攻撃になります。",
    ),
    inputs=("class", "terrain", "road or rail over the hexside", "declared kind"),
    breaches={
        "": (
            "{unit} can enter the base terrain of {hex}: its attack is a deployment attack, not an on-road one.",
            "{unit}は{hex}の基本地形に進入できるので、道路上正面攻撃ではなく展開攻撃になります。",
        ),
        "off-road": (
            "{target} in {hex} is deployed off the road, out of reach of an on-road attack by {unit}.",
            "{hex}の{target}は道路を離れて展開しており、{unit}の道路上正面攻撃は届きません。",
        ),
    },
)
def on_road_attack(case: Case) -> Iterator[Finding]:
    """AR for those who cannot enter and have a road; what if they can enter is G-A5."""
    for contact in _reaching(case):
        attack = contact.attack
        if attack.type != "attack" or attack.kind not in (None, ON_ROAD_FRONTAL):
            continue
        facts = {**_facts(case, contact), "road": sorted(contact.ways)}
        if contact.enters is False and contact.ways:
            yield from _against_deployed(case, contact, facts)
        elif attack.kind is not None and contact.enters:
            reading = case.readings["G-A5"]
            if not contact.ways:
                yield illegal(facts)
            elif reading == "undetermined":
                yield undetermined(facts, "G-A5", assumed=("G-A5",))
            elif reading == "legal":
                yield legal({**facts, "kind": ON_ROAD_FRONTAL}, assumed=("G-A5",))
            else:
                yield illegal(facts, assumed=("G-A5",))
        elif contact.enters is None:
            reach = _reach_matters(case, contact)
            if reach or attack.kind is not None:
                readings = ("G-A24",) if reach else ()
                yield undetermined(facts, _entry(case, contact), assumed=readings)


def _reach_matters(case: Case, contact: Contact) -> bool:
    """Whether the attack, were it an on-road one, might not reach a defender (G-A24)."""
    off = any(t.posture in (None, "deployed") for t in contact.targets)
    return case.readings["G-A24"] != "allowed" and bool(contact.ways) and off


def _against_deployed(case: Case, contact: Contact, facts: Facts) -> Iterator[Finding]:
    """G-A24: may the on-road attack reach a defender who is deployed off the road?"""
    if case.readings["G-A24"] == "allowed":
        off = any(t.posture in (None, "deployed") for t in contact.targets)
        yield legal({**facts, "kind": ON_ROAD_FRONTAL}, assumed=("G-A24",) if off else ())
        return
    for target in contact.targets:
        if target.posture is None:
            yield undetermined(facts, f"{target.name}.position", assumed=("G-A24",))
        elif target.posture == "deployed":
            yield illegal({**facts, "target": target.name}, "off-road", assumed=("G-A24",))
        else:
            yield legal(
                {**facts, "kind": ON_ROAD_FRONTAL, "target": target.name}, assumed=("G-A24",)
            )


@rule(
    "weu.A4",
    "P1.2",
    text=(
        "A unit that can enter neither the base terrain nor a road there can only make a preparatory bombardment.",
        "基本地形にも道路にも進入できないユニットは、準備砲撃しかできません。",
    ),
    inputs=("class", "terrain", "road or rail over the hexside"),
    breaches={
        "": (
            "{unit} can enter neither the {terrain} of {hex} nor a road into it: it may bombard, but not attack.",
            "{unit}は{hex}の{terrain}にも、そこへ通じる道路にも進入できません。準備砲撃はできますが、攻撃はできません。",
        )
    },
)
def only_bombardment(case: Case) -> Iterator[Finding]:
    """Neither terrain nor road: an attack is a breach, a bombardment is not."""
    for contact in _reaching(case):
        place = case.situation.hex_at(contact.attack.hex)
        facts = {**_facts(case, contact), "terrain": place.terrain if place else "?"}
        if contact.enters is False and not contact.ways:
            yield illegal(facts) if contact.attack.type == "attack" else legal(facts)
        elif contact.enters is None and not contact.ways and contact.attack.type == "attack":
            yield undetermined(facts, _entry(case, contact))


@rule(
    "weu.A5",
    "P1.2, OF",
    text=(
        "A unit that can attack may bombard instead.",
        "攻撃できるユニットは、攻撃の代わりに準備砲撃を行えます。",
    ),
    inputs=("class", "terrain", "road or rail over the hexside"),
)
def may_bombard_instead(case: Case) -> Iterator[Finding]:
    """A permission: it cannot be broken."""
    for contact in _reaching(case):
        if contact.attack.type == "bombard" and (contact.enters is not False or contact.ways):
            yield legal(_facts(case, contact))


@rule(
    "weu.A12",
    "P1.6.1, TA1",
    text=(
        "Only a unit that was adjacent to the enemy units it attacks when its own action step began may make an adjacent attack.",
        "隣接攻撃は、自軍行動ステップの開始時に、攻撃する敵ユニットに隣接していたユニットだけが行えます。",
    ),
    inputs=("hex at the start of the step, of the attacker and of the units attacked",),
    breaches={
        "": (
            "{unit} began this action step in {start_hex}, not adjacent to the enemy now attacked in {hex}.",
            "{unit}はこの行動ステップの開始時に{start_hex}にいて、攻撃する{hex}の敵に隣接していませんでした。",
        ),
        "outside": (
            "{unit} began this action step on no hex of the map, so not adjacent to the enemy in {hex}.",
            "{unit}はこの行動ステップの開始時に地図上のヘクスにいなかったので、{hex}の敵に隣接していませんでした。",
        ),
        "nobody": (
            "There is no enemy unit in {hex} for {unit} to attack.",
            "{hex}には、{unit}が攻撃できる敵ユニットがいません。",
        ),
        "apart": (
            "{unit} stands in {start}, which is not next to {hex}.",
            "{unit}は{start}にいて、{hex}に隣接していません。",
        ),
    },
)
def adjacent_at_start(case: Case) -> Iterator[Finding]:
    """Both sides' places are those of the snapshot at the start of the step (G-A26)."""
    for contact in contacts(case):
        assault = contact.hexside == "strait" and contact.attack.type == "attack"
        if contact.closed and not (assault and not contact.targets):
            continue
        facts = _facts(case, contact) | {
            "start": shown(case.situation, contact.unit.hex),
            "start_hex": shown(case.situation, contact.unit.start_hex),
        }
        readings = contact.start_reading
        if contact.attack.type == "bombard":
            readings += ("G-A2",)
        if not contact.targets and not case.situation.unseen_enemies(contact.unit.side):
            yield illegal(facts, "nobody")
        elif contact.side is None and contact.adjacent_at_start is not False:
            yield illegal(facts, "apart")
        elif _free_bombardment(case, contact):
            yield legal(facts, assumed=("G-A2",))
        elif contact.adjacent_at_start is None:
            yield undetermined(facts, *contact.start_missing, assumed=readings)
        elif contact.adjacent_at_start:
            yield legal(facts, assumed=readings)
        else:
            breach = "outside" if contact.unit.start_hex is None else ""
            yield illegal(facts, breach, assumed=readings)


@rule(
    "weu.A13",
    "P1.6, TA3",
    text=(
        "A unit that ends its move next to an enemy cannot attack it in that action step.",
        "移動を終えて敵に隣接したユニットは、その行動ステップ中には攻撃できません。",
    ),
    inputs=("what the unit did in this step",),
    breaches={
        "": (
            "{unit} has moved in this action step and cannot make an adjacent attack on {hex}.",
            "{unit}はこの行動ステップですでに移動しているので、{hex}への隣接攻撃はできません。",
        )
    },
)
def no_attack_after_move(case: Case) -> Iterator[Finding]:
    """Adjacent attacks and bombardments (G-A2) only; same-hex combat is the exception of A11."""
    for contact in contacts(case):
        if contact.closed or _free_bombardment(case, contact):
            continue
        facts = _facts(case, contact)
        readings = ("G-A2",) if contact.attack.type == "bombard" else ()
        if contact.moved is None:
            yield undetermined(facts, f"{contact.unit.name}.did", assumed=readings)
        elif contact.moved:
            yield illegal(facts, assumed=readings)
        else:
            yield legal(facts, assumed=readings)


def _free_bombardment(case: Case, contact: Contact) -> bool:
    """G-A2 read as "free": bombardment is not bound by start adjacency nor by move-or-attack."""
    return contact.attack.type == "bombard" and case.readings["G-A2"] == "free"


@rule(
    "weu.A14",
    "P1.6.2",
    text=(
        "Adjacent attacks need not be resolved first; other units may move before.",
        "隣接攻撃を先に解決する必要はなく、その前に他のユニットが移動してもかまいません。",
    ),
    inputs=("what the other units did in this step",),
)
def free_order(case: Case) -> Iterator[Finding]:
    """A permission: said when other units of the side have moved before the attack."""
    for contact in _reaching(case):
        moved = [
            u.name
            for u in case.situation.units.values()
            if u.side == contact.unit.side and u.id != contact.unit.id and "moved" in (u.did or ())
        ]
        if moved:
            yield legal({**_facts(case, contact), "moved_before": sorted(moved)})


@rule(
    "weu.A34",
    "AS",
    text=(
        "Terrain limits are not symmetric: a unit that could not attack into a hex can be attacked out of it.",
        "地形の制限は対称ではありません。あるヘクスへ攻撃できないユニットも、そのヘクスからは通常どおり攻撃されます。",
    ),
    inputs=("class of the units attacked", "terrain of the attacker's hex"),
)
def not_symmetric(case: Case) -> Iterator[Finding]:
    """A permission: said when the defender could not attack the other way."""
    for contact in _reaching(case):
        unit = contact.unit
        for target in contact.targets:
            if unit.hex is not None and can_enter(case.situation, target, unit.hex) is False:
                yield legal({**_facts(case, contact), "target": target.name})


RULES = (
    contact_needed,
    deployment_attack,
    on_road_attack,
    only_bombardment,
    may_bombard_instead,
    adjacent_at_start,
    no_attack_after_move,
    free_order,
    not_symmetric,
)
