"""Combat: A15 coordination, A17 positions and kinds in one hex, A27 in-hex rivers."""

from __future__ import annotations

from collections.abc import Iterator

from service.actions import Attack, Combat
from service.case import Case
from service.rules.weu.contact import (
    entry_missing,
    same_hex_attacks,
    shown,
    targets_of,
)
from service.rules.weu.tables import T2, Inputs, Pair
from service.rulings import Facts, Finding, illegal, legal, rule, undetermined
from service.situation import Unit, can_enter, known_bank, site_of
from vmod_tools.mapdoc import banks
from vmod_tools.mapdoc.geometry import side_between


@rule(
    "weu.A15",
    "P1.6.2, TS2",
    text=(
        "Eligible adjacent units, attacking or bombarding, and same-hex units may attack the same defender hex together as one combat.",
        "隣接から攻撃・砲撃できるユニットと同一ヘクス内のユニットは、同じ防御側ヘクスに対して、1回の戦闘として協同攻撃できます。",
    ),
    inputs=("hexes attacked",),
    breaches={
        "": (
            "{unit} attacks {hex}, the others attack {other}: that is no one combat.",
            "{unit}の攻撃目標は{hex}ですが、ほかの攻撃目標は{other}です。1回の戦闘にはなりません。",
        ),
        "far": (
            "{unit} stands in {start}, neither in nor next to {hex}.",
            "{unit}は{start}にいて、{hex}の中にも隣接ヘクスにもいません。",
        ),
    },
)
def coordinated(case: Case) -> Iterator[Finding]:
    """Whether each participant is eligible is what the other rules say of its own attack."""
    combat = case.action
    if not isinstance(combat, Combat) or len(combat.units) < 2:
        return
    for attack, unit in case.attacks:
        facts: Facts = {
            "unit": unit.name,
            "hex": shown(case.situation, attack.hex),
            "other": shown(case.situation, combat.hex),
            "start": shown(case.situation, unit.hex),
        }
        if attack.hex != combat.hex:
            yield illegal(facts)
        elif unit.hex is None:
            yield undetermined(facts, f"{unit.name}.hex")
        elif unit.hex != attack.hex and not _adjacent(case, unit, attack):
            yield illegal(facts, "far")
        else:
            yield legal(facts)


def _adjacent(case: Case, unit: Unit, attack: Attack) -> bool:
    return (
        unit.hex is not None and side_between(case.situation.map, unit.hex, attack.hex) is not None
    )


def pair_inputs(
    case: Case, attack: Attack, unit: Unit, target: Unit
) -> tuple[Inputs, dict[str, str]]:
    """The inputs of table T2, and by input the fact that is missing when it is not known."""
    situation = case.situation
    place = situation.hex_at(attack.hex)
    parted: bool | None = False
    missing = {
        "craft": f"{unit.name}.landing_craft",
        "attacker": f"{unit.name}.position",
        "bound": entry_missing(situation, unit, attack.hex),
        "defender": f"{target.name}.{'site' if target.posture == 'bp' else 'position'}",
        "arrived": f"{unit.name}.arrived",
        "parted": f"{unit.name}.bank",
    }
    if place is not None and banks.strait(place) is not None:
        own, theirs = known_bank(place, unit), known_bank(place, target)
        parted = None if own is None or theirs is None else not banks.same_bank(own, theirs)
        if own is not None:
            missing["parted"] = f"{target.name}.bank"
    enters = can_enter(situation, unit, attack.hex)
    # A unit that did not move in this step was there before it.
    stayed = unit.did is not None and "moved" not in unit.did
    arrived = "other" if stayed and unit.arrived is None else unit.arrived
    return {
        "parted": parted,
        "craft": unit.landing_craft,
        "arrived": arrived if arrived in ("air", "sea", None) else "other",
        "attacker": unit.posture,
        "bound": None if enters is None else not enters,
        "defender": _defender(case, attack, target),
    }, missing


def _defender(case: Case, attack: Attack, target: Unit) -> str | None:
    if target.posture != "bp":
        return target.posture
    place = case.situation.hex_at(attack.hex)
    site = site_of(place, target.site) if place is not None else None
    if site is None:
        return None
    return "city" if site.kind in ("city", "urban") else "bp"


def pair_of(
    case: Case, attack: Attack, unit: Unit, target: Unit
) -> tuple[Pair | None, tuple[str, ...]]:
    """The kinds of attack and defence by table T2, or None and the facts that are missing."""
    inputs, names = pair_inputs(case, attack, unit, target)
    outcomes = T2.outcomes(inputs)
    if len(outcomes) == 1:
        return _read(case, outcomes[0], inputs), ()
    return None, tuple(names[name] for name in T2.deciding(inputs))


def _read(case: Case, pair: Pair, inputs: Inputs) -> Pair:
    """The readings of the gaps that the table leaves open."""
    road, bound = inputs["attacker"] == "road", inputs["bound"]
    if (
        pair.attack == "close-on-road-flank"
        and road
        and bound
        and case.readings["G-A3"] == "frontal"
    ):
        return Pair("close-on-road-frontal", "on-road")
    if pair.attack == "close-on-road-frontal" and case.readings["G-A1"] == "no-attack":
        return Pair(None, pair.defence)
    if pair.defence == "in-strongpoint" and case.readings["G-A4"] == "undetermined":
        return Pair(pair.attack, None)
    return pair


@rule(
    "weu.A17",
    "P2",
    text=(
        "In same-hex combat the exact position of each side is known: in the base terrain, in a strongpoint, on road or rail.",
        "同一ヘクス内の戦闘では、両軍の正確な位置（基本地形、拠点、道路・鉄道）が明らかでなければなりません。",
    ),
    inputs=("positions of attacker and defender", "how the attacker came", "landing craft"),
    breaches={
        "": (
            "{unit} declares {kind} against {target} in {hex}, but their positions make it {actual}.",
            "{unit}は{hex}の{target}に対して{kind}を宣言しましたが、位置関係からは{actual}になります。",
        ),
        "none": (
            "{unit} can make no attack on {target} in {hex} from where they stand.",
            "{unit}は現在の位置から{hex}の{target}を攻撃できません。",
        ),
        "nobody": (
            "There is no enemy unit in {hex} for {unit} to attack.",
            "{hex}には、{unit}が攻撃できる敵ユニットがいません。",
        ),
    },
)
def positions_known(case: Case) -> Iterator[Finding]:
    """Table T2: the positions make the kinds; where the source names no kind it is G-A27."""
    for attack, unit in same_hex_attacks(case):
        targets = targets_of(case, attack, unit)
        if not targets:
            facts = {"unit": unit.name, "hex": shown(case.situation, attack.hex)}
            unseen = case.situation.unseen_enemies(unit.side)
            yield undetermined(facts, *unseen) if unseen else illegal(facts, "nobody")
        for target in targets if attack.type == "attack" else ():
            yield _positions(case, attack, unit, target)


def _positions(case: Case, attack: Attack, unit: Unit, target: Unit) -> Finding:
    pair, missing = pair_of(case, attack, unit, target)
    facts: dict[str, str | None] = {
        "unit": unit.name,
        "target": target.name,
        "hex": shown(case.situation, attack.hex),
        "position": unit.posture,
        "target_position": target.posture,
    }
    if pair is None:
        return undetermined(facts, *missing)
    inputs, _ = pair_inputs(case, attack, unit, target)
    may_deploy = can_enter(case.situation, target, attack.hex)
    assumed = _assumed(inputs, may_deploy)
    if pair.attack is None:
        if inputs["parted"] or "G-A1" in assumed:
            return illegal(facts, "none", assumed=assumed)
        return undetermined(facts, "G-A27", assumed=("G-A27",))
    for gap in ("G-A4", "G-A25"):
        if gap in assumed and case.readings[gap] == "undetermined":
            # Of a defender who cannot deploy nobody asks whether he does.
            asked = gap == "G-A25" and may_deploy is None
            missing = (entry_missing(case.situation, target, attack.hex),) if asked else (gap,)
            return undetermined(facts, *missing, assumed=assumed)
    facts |= {"kind": attack.kind or pair.attack, "actual": pair.attack, "defence": pair.defence}
    if attack.kind not in (None, pair.attack):
        return illegal(facts, assumed=assumed)
    return legal(facts, assumed=assumed)


def _assumed(inputs: Inputs, may_deploy: bool | None) -> tuple[str, ...]:
    """The gaps whose readings the pair rests on; `may_deploy`: the defender can enter the terrain."""
    attacker, defender = inputs["attacker"], inputs["defender"]
    if defender == "bp":
        return ("G-A4",)
    if inputs["arrived"] != "other" or inputs["parted"]:
        return ()
    if attacker == "road" and defender == "road":
        return ("G-A3",)
    if attacker == "road" and inputs["bound"] and defender == "deployed":
        return ("G-A1",)
    if attacker == "deployed" and defender == "road" and may_deploy is not False:
        # He could declare emergency deployment, and does not.
        return ("G-A25",)
    return ()


@rule(
    "weu.A27",
    "P2.5",
    text=(
        "Across an in-hex river combat is ordinary land combat without craft, and bombardment is allowed; otherwise nobody bombards inside a hex.",
        "ヘクス内の河川を挟んだ戦闘は通常の地上戦闘で、舟艇は要らず、準備砲撃もできます。それ以外では、同一ヘクス内の準備砲撃はできません。",
    ),
    inputs=("in-hex river", "banks of attacker and defender"),
    breaches={
        "": (
            "No river in {hex} parts {unit} from {target}: there is no bombardment inside the hex.",
            "{hex}では{unit}と{target}の間に河川がないので、ヘクス内の準備砲撃はできません。",
        )
    },
)
def in_hex_river(case: Case) -> Iterator[Finding]:
    """Bombardment inside a hex (G-A7); what it is across an in-hex strait A28 says too."""
    for attack, unit in same_hex_attacks(case):
        for target in targets_of(case, attack, unit) if attack.type == "bombard" else ():
            facts: Facts = {
                "unit": unit.name,
                "target": target.name,
                "hex": shown(case.situation, attack.hex),
            }
            allowed, missing = bombardment_inside(case, attack, unit, target)
            if allowed is None:
                yield undetermined(facts, *missing, assumed=("G-A7",))
            else:
                yield (legal if allowed else illegal)(facts, assumed=("G-A7",))


def bombardment_inside(
    case: Case, attack: Attack, unit: Unit, target: Unit
) -> tuple[bool | None, tuple[str, ...]]:
    """Whether a unit may bombard another in its own hex, and the facts that would tell.

    Across an in-hex strait A28 forbids it; a river must part the two, unless G-A7 allows it anywhere.
    """
    place = case.situation.hex_at(attack.hex)
    anywhere = case.readings["G-A7"] == "allowed"
    strait = place is not None and banks.strait(place) is not None
    river = place is not None and banks.river(place) is not None
    if place is None or not (strait or river):
        return anywhere, ()
    if strait and not anywhere:
        return False, ()
    if anywhere and not strait:
        return True, ()
    own, theirs = known_bank(place, unit), known_bank(place, target)
    if own is None or theirs is None:
        return None, tuple(f"{u.name}.bank" for u, b in ((unit, own), (target, theirs)) if not b)
    return banks.same_bank(own, theirs) is strait, ()


RULES = (coordinated, positions_known, in_hex_river)
