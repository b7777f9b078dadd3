"""Banks: A9 stating one, A28 crossing an in-hex strait, A29 adjacency judged from the bank.

An in-hex strait parts its hex: a bank that does not touch a hexside is not adjacent through it.  An
in-hex river parts nothing (P2.5), unless the option G-A21 says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from service.actions import Move
from service.case import Case
from service.rules.weu.contact import (
    contacts,
    same_hex_attacks,
    shown,
    targets_of,
    touches,
    with_craft,
)
from service.rules.weu.travel import shown_way, travels
from service.rulings import Facts, Finding, illegal, legal, rule, undetermined
from service.situation import Situation, Unit, known_bank, site_of, stated_bank
from vmod_tools.mapdoc import banks
from vmod_tools.mapdoc.model import OPPOSITE, SIDES, Cell, Hex


@rule(
    "weu.A9",
    "P1.5, P2.5, P2.6",
    text=(
        "A unit that comes to a hex at a strait hexside, or with an in-hex river or strait, states its bank at once; a strongpoint that lies on one bank states it.",
        "海峡ヘクスサイドに接するヘクス、またはヘクス内に河川・海峡があるヘクスに入ったユニットは、直ちにどの岸かを宣言します。一方の岸にある拠点を指定すれば、それが岸の宣言になります。",
    ),
    inputs=("bank", "strongpoint named", "banks of the hex"),
    breaches={
        "": (
            "{unit} names {site}, which lies on bank {site_bank} of {hex}, and bank {bank} as well.",
            "{unit}は{hex}の{site_bank}岸にある{site}を指定しながら、{bank}岸と宣言しています。",
        )
    },
)
def bank_stated(case: Case) -> Iterator[Finding]:
    """Asked of every move that ends in such a hex, and of drops and landings."""
    move = case.action
    if not isinstance(move, Move):
        return
    cell = move.path[-1]
    place = case.situation.hex_at(cell)
    if place is None or not _needs_bank(case.situation, place):
        return
    for unit in case.units:
        facts: dict[str, str | None] = {
            "unit": unit.name,
            "hex": shown(case.situation, cell),
            "bank": move.bank,
        }
        site = site_of(place, move.site)
        site_bank = banks.site_bank(place, site) if site is not None else None
        if site is not None and site_bank is not None:
            facts |= {"site": site.id, "site_bank": site_bank}
            if move.bank is not None and not banks.same_bank(move.bank, site_bank):
                yield illegal(facts)
            else:
                yield legal({**facts, "bank": site_bank})
        elif move.site is not None and site is None:
            # A strongpoint of another hex contradicts whatever else is said.
            yield undetermined(facts, f"{unit.name}.site")
        elif move.bank is None:
            yield undetermined(facts, f"{unit.name}.bank")
        elif stated_bank(place, move.bank, None) is not None:
            yield legal(facts)
        else:
            yield undetermined(facts, f"{unit.name}.bank")


def _needs_bank(situation: Situation, place: Hex) -> bool:
    """Whether a unit that comes here must state a bank: in-hex water, or a strait hexside and coasts.

    A hex with one bank, or with none listed, leaves nothing to state.
    """
    if len(banks.bank_names(place)) < 2:
        return False
    if banks.strait(place) is not None or banks.river(place) is not None:
        return True
    return any(banks.hexside_kind(situation.map, place.cell, s) == "strait" for s in SIDES)


@rule(
    "weu.A28",
    "P2.6",
    text=(
        "Across an in-hex strait there is only an amphibious assault with landing craft, and no bombardment.",
        "ヘクス内の海峡を渡る攻撃は、上陸用舟艇による強襲上陸だけで、準備砲撃はできません。",
    ),
    inputs=("banks of attacker and defender", "landing craft"),
    breaches={
        "": (
            "{unit} and {target} stand on different banks of the strait in {hex}, and {unit} has no landing craft.",
            "{unit}と{target}は{hex}の海峡をはさんで別の岸にいますが、{unit}には上陸用舟艇がありません。",
        ),
        "bombard": (
            "{unit} cannot bombard {target} across the strait in {hex}.",
            "{unit}は{hex}の海峡越しに{target}を砲撃できません。",
        ),
    },
)
def in_hex_strait(case: Case) -> Iterator[Finding]:
    """Attacks inside one hex between its banks."""
    for attack, unit in same_hex_attacks(case):
        place = case.situation.hex_at(attack.hex)
        if place is None or banks.strait(place) is None:
            continue
        for target in targets_of(case, attack, unit):
            facts: Facts = {
                "unit": unit.name,
                "target": target.name,
                "hex": shown(case.situation, attack.hex),
            }
            own, theirs = known_bank(place, unit), known_bank(place, target)
            if own is None or theirs is None:
                missing = [
                    f"{u.name}.bank" for u, b in ((unit, own), (target, theirs)) if b is None
                ]
                yield undetermined(facts, *missing)
            elif not banks.same_bank(own, theirs):
                if attack.type == "bombard":
                    yield illegal(facts, "bombard")
                else:
                    yield with_craft(unit, facts)


@rule(
    "weu.A29",
    "P2.6",
    text=(
        "In a hex with an in-hex strait, adjacency for move and attack is judged from the bank: a bank that does not touch a hexside is not adjacent through it.",
        "ヘクス内に海峡があるヘクスでは、移動と攻撃の隣接関係は岸ごとに判定します。ヘクスサイドに触れていない岸は、そこを通じて隣接しません。",
    ),
    inputs=("bank of attacker, defender or mover", "hexsides that each bank touches"),
    breaches={
        "": (
            "{unit} on bank {bank} of {start} is not adjacent to {hex}.",
            "{start}の{bank}岸にいる{unit}は、{hex}に隣接していません。",
        ),
        "target": (
            "{unit} in {start} is not adjacent to {target}, whose bank of {hex} does not touch the hexside.",
            "{start}にいる{unit}は、{hex}の岸がヘクスサイドに接していない{target}に隣接していません。",
        ),
        "move": (
            "There is no way over land for {unit} from {start} to {hex} along {way}: the strait lies between its bank and where it goes.",
            "{unit}には、{start}から{hex}へ{way}を通る陸路がありません。ユニットのいる岸と行き先は海峡に隔てられています。",
        ),
    },
)
def adjacency_from_bank(case: Case) -> Iterator[Finding]:
    """The attacker's bank and the defender's alike; a river cuts nothing (G-A21)."""
    readings = ("G-A21",) if case.readings["G-A21"] != "no-limit" else ()
    for contact in contacts(case):
        if contact.side is None or contact.closed:
            continue
        own, theirs = (
            case.situation.hex_at(contact.unit.hex),
            case.situation.hex_at(contact.attack.hex),
        )
        if (
            not any(place is not None and banks.strait(place) for place in (own, theirs))
            and not readings
        ):
            continue
        facts = _bank_facts(case, contact.unit, contact.unit.hex, contact.attack.hex)
        if contact.parted is None:
            yield undetermined(facts, *contact.parted_missing, assumed=readings)
        elif not contact.parted:
            yield legal(facts, assumed=readings)
        elif touches(case, contact.unit, own, contact.side)[0] is False:
            yield illegal(facts, assumed=readings)
        else:
            away = [
                t.name
                for t in contact.targets
                if touches(case, t, theirs, OPPOSITE[contact.side])[0] is False
            ]
            yield illegal({**facts, "target": away}, "target", assumed=readings)
    for travel in travels(case):
        if not travel.over_land or len(travel.cells) < 2:
            continue
        if (
            not any(_has_strait(case.situation, cell) for cell in travel.cells)
            and travel.obstacle != "banks"
        ):
            continue
        facts = {
            **_bank_facts(case, travel.unit, travel.cells[0], travel.cells[-1]),
            "way": shown_way(case, travel),
        }
        if travel.missing:
            yield undetermined(facts, *travel.missing, assumed=readings)
        elif travel.obstacle == "banks":
            yield illegal(facts, "move", assumed=readings)
        elif travel.obstacle is None:
            yield legal(facts, assumed=readings)


def _bank_facts(case: Case, unit: Unit, start: Cell | None, end: Cell) -> Facts:
    place = case.situation.hex_at(start)
    return {
        "unit": unit.name,
        "bank": known_bank(place, unit) if place is not None else None,
        "start": shown(case.situation, start),
        "hex": shown(case.situation, end),
    }


def _has_strait(situation: Situation, cell: Cell) -> bool:
    place = situation.hex_at(cell)
    return place is not None and banks.strait(place) is not None


RULES = (bank_stated, in_hex_strait, adjacency_from_bank)
