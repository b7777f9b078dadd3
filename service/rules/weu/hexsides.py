"""What lies along a hexside: A6 blocked, A7 river, A8 strait, A10 blocked for movement."""

from __future__ import annotations

from collections.abc import Iterator

from service.case import Case
from service.rules.weu.contact import contacts, shown, with_craft
from service.rules.weu.tables import ASSAULT
from service.rules.weu.travel import shown_way, strait_crossed, travels
from service.rulings import Facts, Finding, illegal, legal, rule, undetermined


@rule(
    "weu.A6",
    "P1.3",
    text=(
        "Over a blocked hexside there is neither land attack nor bombardment.",
        "通行不能なヘクスサイド越しには、地上攻撃も準備砲撃もできません。",
    ),
    inputs=("hexside",),
    breaches={
        "": (
            "The hexside between {start} and {hex} is blocked: {unit} can neither attack nor bombard over it.",
            "{start}と{hex}の間のヘクスサイドは通行不能です。{unit}はそこを越えて攻撃も砲撃もできません。",
        )
    },
)
def blocked_hexside(case: Case) -> Iterator[Finding]:
    """A road or rail over it changes nothing for a land attack (G-A19), and never for a bombardment."""
    for contact in contacts(case):
        facts: Facts = {
            "unit": contact.unit.name,
            "start": shown(case.situation, contact.unit.hex),
            "hex": shown(case.situation, contact.attack.hex),
            "hexside": contact.hexside,
        }
        if contact.hexside == "blocked":
            along = ("G-A19",) if contact.ways and contact.attack.type == "attack" else ()
            if along and case.readings["G-A19"] != "no-attack":
                yield undetermined(facts, "G-A19", assumed=along)
            else:
                yield illegal(facts, assumed=along)
        elif contact.hexside is not None:
            yield legal(facts)


@rule(
    "weu.A7",
    "P1.4",
    text=(
        "Over a river hexside land attack and bombardment are as usual, without landing craft.",
        "河川ヘクスサイド越しの地上攻撃と準備砲撃は通常どおりで、上陸用舟艇は要りません。",
    ),
    inputs=("hexside", "declared kind"),
    breaches={
        "": (
            "The hexside to {hex} is a river: {unit} makes an ordinary attack there, no amphibious assault.",
            "{hex}とのヘクスサイドは河川なので、{unit}が行うのは通常の攻撃で、強襲上陸ではありません。",
        )
    },
)
def river_hexside(case: Case) -> Iterator[Finding]:
    """Ordinary combat; an amphibious assault declared over a river is a breach."""
    for contact in contacts(case):
        if contact.hexside == "river":
            facts: Facts = {
                "unit": contact.unit.name,
                "hex": shown(case.situation, contact.attack.hex),
            }
            yield illegal(facts) if contact.attack.kind == ASSAULT else legal(facts)


@rule(
    "weu.A8",
    "P1.5",
    text=(
        "Over a strait hexside there is only an amphibious assault with landing craft: no ordinary attack or move, no bombardment.",
        "海峡ヘクスサイド越しには、上陸用舟艇による強襲上陸しかできません。通常の攻撃・移動・準備砲撃は不可です。",
    ),
    inputs=("hexside", "landing craft", "declared kind"),
    breaches={
        "": (
            "The hexside between {start} and {hex} is a strait, and {unit} has no landing craft.",
            "{start}と{hex}の間は海峡ヘクスサイドですが、{unit}には上陸用舟艇がありません。",
        ),
        "kind": (
            "Over the strait between {start} and {hex}, {unit} can only make an amphibious assault.",
            "{start}と{hex}の間の海峡越しに、{unit}ができるのは強襲上陸だけです。",
        ),
    },
)
def strait_hexside(case: Case) -> Iterator[Finding]:
    """For attacks and moves alike; start adjacency is not asked (G-A10)."""
    for contact in contacts(case):
        if contact.hexside != "strait":
            continue
        facts: Facts = {
            "unit": contact.unit.name,
            "start": shown(case.situation, contact.unit.hex),
            "hex": shown(case.situation, contact.attack.hex),
            "landing_craft": contact.unit.landing_craft,
        }
        ordinary = contact.attack.type == "bombard" or contact.attack.kind not in (None, ASSAULT)
        yield illegal(facts, "kind") if ordinary else with_craft(contact.unit, facts)
    for travel in travels(case):
        crossing = strait_crossed(case, travel)
        if crossing is not None:
            facts = {
                "unit": travel.unit.name,
                "start": shown(case.situation, crossing[0]),
                "hex": shown(case.situation, crossing[1]),
                "landing_craft": travel.unit.landing_craft,
            }
            if travel.arrived == "sea" or travel.unit.landing_craft is False:
                yield with_craft(travel.unit, facts)
            else:
                yield illegal(facts, "kind")


@rule(
    "weu.A10",
    "P1.5, P2.6",
    text=(
        "Movement is expressly banned only where a hexside is marked blocked; that a mark is missing allows no crossing of a strait.",
        "移動が明示的に禁止されるのは「通行不能」と記されたヘクスサイドだけです。記載がないことは、海峡の横断を許すものではありません。",
    ),
    inputs=("hexsides of the way",),
    breaches={
        "": (
            "{unit} can reach {hex} only over a blocked hexside.",
            "{unit}が{hex}に行くには、通行不能なヘクスサイドを越えるしかありません。",
        )
    },
)
def no_move_over_blocked(case: Case) -> Iterator[Finding]:
    """Looked at for moves over land."""
    for travel in travels(case):
        if not travel.over_land:
            continue
        facts: Facts = {
            "unit": travel.unit.name,
            "hex": shown(case.situation, travel.cells[-1]),
            "way": shown_way(case, travel),
        }
        if travel.obstacle == "blocked" and travel.arrived == "road":
            # A rail line may be carried over it by rail movement, of which the base rules speak.
            yield undetermined(facts, "weu.A46 (rail movement)")
        elif travel.obstacle == "blocked":
            yield illegal(facts)
        elif travel.obstacle is None and not travel.missing:
            yield legal(facts)


RULES = (blocked_hexside, river_hexside, strait_hexside, no_move_over_blocked)
