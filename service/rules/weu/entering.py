"""A30: how a unit comes into a hex that the enemy holds."""

from __future__ import annotations

from collections.abc import Iterator

from service.actions import Move
from service.case import Case
from service.rules.weu.contact import entry_missing, shown
from service.rules.weu.travel import WATER_TERRAIN, Travel, strait_crossed, travels, ways_between
from service.rulings import Facts, Finding, illegal, legal, rule, undetermined
from service.situation import can_enter
from vmod_tools.mapdoc import banks
from vmod_tools.mapdoc.geometry import neighbour
from vmod_tools.mapdoc.model import SIDES, Cell


@rule(
    "weu.A30",
    "P2.7, TS1",
    text=(
        "A unit enters an enemy hex by a deployment move into terrain that it can enter, by road or rail into other terrain, by air drop, by amphibious assault, or by being there from the enemy's step.",
        "敵のいるヘクスに入る方法は、進入できる基本地形への展開移動、それ以外の地形への道路・鉄道移動、空挺降下、強襲上陸、敵ステップからの居残りのいずれかです。",
    ),
    inputs=("how the unit came", "class", "terrain", "road or rail", "landing craft"),
    breaches={
        "": (
            "{unit} can enter neither the {terrain} of {hex} nor a road into it, where the enemy stands.",
            "{unit}は敵のいる{hex}の{terrain}にも、そこへ通じる道路にも進入できません。",
        ),
        "craft": (
            "{unit} lands in {hex}, where the enemy stands, without landing craft.",
            "{unit}は上陸用舟艇なしで、敵のいる{hex}に上陸しています。",
        ),
        "inland": (
            "{unit} lands by sea in {hex}, which has no coast.",
            "{hex}には海岸がないので、{unit}は上陸できません。",
        ),
        "drop": (
            "{unit} is no unit that can be dropped by air into {hex}.",
            "{unit}は{hex}に空挺降下できるユニットではありません。",
        ),
    },
)
def entering(case: Case) -> Iterator[Finding]:
    """Into an enemy hex; into an empty one a drop, and what would have to be asked of the base rules."""
    if not isinstance(case.action, Move):
        return
    for travel in travels(case):
        if travel.obstacle is not None:
            continue
        goal = travel.cells[-1]
        place = case.situation.hex_at(goal)
        enemies = case.situation.enemies_in(goal, travel.unit.side)
        facts: Facts = {
            "unit": travel.unit.name,
            "hex": shown(case.situation, goal),
            "terrain": place.terrain if place else None,
            "arrived": travel.arrived,
            "enemies": sorted(e.name for e in enemies),
        }
        if travel.missing:
            # Whatever else is said of the move, how it came about is open.
            yield undetermined(facts, *travel.missing)
        elif travel.over_land:
            yield from _by_land(case, travel, facts, held=bool(enemies))
        else:
            yield from _from_outside(case, travel, facts, held=bool(enemies))


def _by_land(case: Case, travel: Travel, facts: Facts, *, held: bool) -> Iterator[Finding]:
    for start, end in zip(travel.cells, travel.cells[1:], strict=False):
        enters = can_enter(case.situation, travel.unit, end)
        by_road = bool(ways_between(case, start, end))
        last = end == travel.cells[-1]
        if enters or by_road:
            continue
        if enters is None:
            yield undetermined(facts, entry_missing(case.situation, travel.unit, end))
        elif last and held:
            yield illegal(facts)
        else:
            # Movement over terrain is a matter of the base rules, which are not in this rulebook.
            yield undetermined(
                {**facts, "hex": shown(case.situation, end)},
                "base rules 5.8 (terrain and movement)",
            )
        return
    if held:
        yield legal(facts)


def _from_outside(case: Case, travel: Travel, facts: Facts, *, held: bool) -> Iterator[Finding]:
    unit = travel.unit
    if travel.arrived == "air":
        unit_class = case.situation.class_of(unit)
        if unit_class is None:
            yield undetermined(facts, f"{unit.name}.class")
        elif not unit_class.drops:
            yield illegal(facts, "drop")
        elif held:
            yield legal(facts)
    elif travel.arrived == "sea":
        if not _coastal(case, travel.cells[-1]):
            yield illegal(facts, "inland")
        elif unit.landing_craft is None:
            yield undetermined(facts, f"{unit.name}.landing_craft")
        elif held:
            yield legal(facts) if unit.landing_craft else illegal(facts, "craft")
        elif not unit.landing_craft and strait_crossed(case, travel) is None:
            # Over a strait hexside A8 speaks; shipping to a friendly shore is in the base rules.
            yield undetermined(facts, "base rules (sea transport)")
    elif held:
        yield legal(facts)


def _coastal(case: Case, cell: Cell) -> bool:
    """Whether a unit can land in a hex: open water, a strait, or a hex that the map does not describe,
    lies beside it, or water runs through it."""
    place = case.situation.hex_at(cell)
    if place is None or place.waters:
        return True
    for side in SIDES:
        beyond = case.situation.hex_at(neighbour(case.situation.map, cell, side))
        if beyond is None or beyond.terrain in WATER_TERRAIN:
            return True
        if banks.hexside_kind(case.situation.map, cell, side) == "strait":
            return True
    return False


RULES = (entering,)
