"""How a move can have come about: the way over land, by air or by sea, as far as the map tells.

A log shows where a counter was put down, not the way it went.  Over land the judge looks for the way
with the fewest hexes of forbidden terrain, then the fewest hexes; if there is one, the move is legal by
it, and the ruling shows it.  If there is none, the obstacle is found by lifting one ban after another.

Movement allowances and terrain costs are not in the addendum (gap G-A9), so length is no obstacle.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from service.actions import Move
from service.case import Case
from service.rules.weu.contact import parting_water, shown
from service.situation import Arrival, Unit, can_enter, known_bank, stated_bank
from vmod_tools.mapdoc import banks
from vmod_tools.mapdoc.geometry import neighbour, side_between
from vmod_tools.mapdoc.model import OPPOSITE, SIDES, Cell, Hex, Side

Ban = Literal["central", "banks", "straits", "blocked", "enemies", "water"]
"""What can stand in the way: a bank of which nobody knows what it touches, the wrong bank, a strait
hexside, a blocked hexside, the enemy, open water."""

# Lifted in this order, so that the first that opens a way names the obstacle.
_LIFTS: tuple[tuple[Ban, ...], ...] = (
    ("central",),
    ("banks",),
    ("banks", "straits"),
    ("banks", "straits", "blocked"),
    ("enemies",),
    ("banks", "straits", "blocked", "water"),
)

WATER_TERRAIN = frozenset({"sea", "lake"})

_Node = tuple[Cell, str]
"""A hex and the bank in it; the bank is "" where no in-hex strait parts the hex."""


@dataclass(frozen=True, slots=True)
class Travel:
    """The judge's view of one unit's move.

    `arrived` None: how the unit came decides, and is not said.  `obstacle` is the ban without which
    there would be a way; `missing` the facts that would tell whether there is one.
    """

    unit: Unit
    arrived: Arrival | None
    cells: tuple[Cell, ...]
    obstacle: Ban | None = None
    missing: tuple[str, ...] = ()

    @property
    def over_land(self) -> bool:
        """Whether the unit went, or tried to go, by land or road."""
        return self.arrived in ("land", "road")


def travels(case: Case) -> list[Travel]:
    """How each unit of a move came to where it is; empty for other actions."""
    move = case.action
    if not isinstance(move, Move) or move.purpose != "move":
        return []
    return [_travel(case, unit, move) for unit in case.units]


def shown_way(case: Case, travel: Travel) -> list[str]:
    """The way as the report names it."""
    return [shown(case.situation, cell) for cell in travel.cells]


def _travel(case: Case, unit: Unit, move: Move) -> Travel:
    ends = (move.path[0], move.path[-1]) if len(move.path) > 1 else move.path
    if move.arrived == "carried":
        # "It was there" of a unit that has just come to another hex says nothing.
        move = replace(move, arrived=None)
    if move.arrived in ("air", "sea"):
        return Travel(unit, move.arrived, ends)
    if len(move.path) < 2:
        return Travel(unit, None, ends, missing=(f"{unit.name}.arrived",))
    by_land = _over_land(case, unit, move)
    # A path shown hex by hex is a march; only a jump leaves open how the unit came.
    if move.arrived is not None or move.exact or _is_march(case, by_land):
        return by_land
    missing = _could_have_come_otherwise(case, by_land)
    return Travel(unit, None, ends, missing=(*missing, *by_land.missing)) if missing else by_land


def _is_march(case: Case, by_land: Travel) -> bool:
    """Whether there is a way over land that the unit can go."""
    way = pairwise(by_land.cells)
    open_way = by_land.obstacle is None and not by_land.missing
    return open_way and all(_enterable(case, by_land.unit, start, end) for start, end in way)


def _could_have_come_otherwise(case: Case, by_land: Travel) -> tuple[str, ...]:
    """What would tell how a unit came of which nobody says it; nothing where it can only have marched.

    A class that is never dropped, without landing craft, crosses no strait and lands on no enemy;
    elsewhere it may have been shipped, of which this rulebook does not speak.
    """
    unit = by_land.unit
    unit_class, craft = case.situation.class_of(unit), unit.landing_craft
    held = case.situation.enemies_in(by_land.cells[-1], unit.side)
    direct = len(by_land.cells) == 2 and strait_crossed(case, by_land) is not None
    shipped = not (held or direct)
    if shipped or craft or (unit_class is not None and unit_class.drops):
        return (f"{unit.name}.arrived",)
    unknown = [("class", unit_class), ("landing_craft", craft)]
    missing = tuple(f"{unit.name}.{fact}" for fact, value in unknown if value is None)
    return (f"{unit.name}.arrived", *missing) if missing else ()


def _over_land(case: Case, unit: Unit, move: Move) -> Travel:
    arrived: Arrival = move.arrived or "land"
    starts = _start_nodes(case, unit, move)
    ways = [_find(case, unit, move, start, ()) for start in starts]
    found = [way for way in ways if way is not None]
    if len(found) == len(ways):
        return Travel(unit, arrived, found[0])
    if found:
        return Travel(unit, arrived, found[0], missing=(f"{unit.name}.bank",))
    for lifted in _LIFTS:
        way = _find(case, unit, move, starts[0], lifted)
        if way is not None:
            if lifted[-1] == "water":
                # Nothing in the addendum speaks of crossing open water but by an assault.
                return Travel(unit, None, way, missing=(f"{unit.name}.arrived",))
            if lifted[-1] == "enemies":
                return Travel(unit, arrived, way, missing=("base rules (movement past the enemy)",))
            if lifted[-1] == "central":
                return Travel(unit, arrived, way, missing=_silent_banks(case, way))
            return Travel(unit, arrived, way, obstacle=lifted[-1])
    return Travel(unit, arrived, move.path, missing=("map",))


def strait_crossed(case: Case, travel: Travel) -> tuple[Cell, Cell] | None:
    """The first strait hexside on a land way that has no other, or the one that a sea move crosses."""
    if travel.arrived != "sea" and travel.obstacle != "straits":
        return None
    for start, end in pairwise(travel.cells):
        side = side_between(case.situation.map, start, end)
        if side is not None and banks.hexside_kind(case.situation.map, start, side) == "strait":
            return start, end
    return None


def _silent_banks(case: Case, way: tuple[Cell, ...]) -> tuple[str, ...]:
    places = (case.situation.hex_at(cell) for cell in way)
    return tuple(
        f"{place.written}.banks"
        for place in places
        if place is not None
        and parting_water(case, place)
        and not all(banks.bank_sides(place, name) for name in banks.bank_names(place))
    )


def _start_nodes(case: Case, unit: Unit, move: Move) -> list[_Node]:
    cell = move.path[0]
    place = case.situation.hex_at(cell)
    if place is None or not parting_water(case, place):
        return [(cell, "")]
    bank = known_bank(place, unit) if unit.hex == cell else None
    names = [bank] if bank is not None else list(banks.bank_names(place))
    return [(cell, str(name)) for name in names] or [(cell, "")]


def _find(
    case: Case, unit: Unit, move: Move, start: _Node, lifted: tuple[Ban, ...]
) -> tuple[Cell, ...] | None:
    """The cheapest way along all points of the move's path, or None."""
    ways: dict[_Node, tuple[Cell, ...]] = {start: (start[0],)}
    for _, goal in pairwise(move.path):
        if move.exact:
            ways = {
                after: (*cells, goal)
                for node, cells in ways.items()
                for after in _steps(case, node, lifted)
                if after[0] == goal
            }
        else:
            ways = _cheapest(case, unit, ways, goal, lifted)
        if not ways:
            return None
    place = case.situation.hex_at(move.path[-1])
    if place is not None and parting_water(case, place) and "banks" not in lifted:
        # The bank stated on arrival is the one that the way must lead to.
        wanted = stated_bank(place, move.bank, move.site)
        if wanted is not None:
            return next((way for (_, bank), way in ways.items() if bank == wanted), None)
    # The first that was found is the cheapest.
    return next(iter(ways.values()))


def _cheapest(
    case: Case,
    unit: Unit,
    starts: Mapping[_Node, tuple[Cell, ...]],
    goal: Cell,
    lifted: tuple[Ban, ...],
) -> dict[_Node, tuple[Cell, ...]]:
    """Dijkstra over (hex, bank); cost = (hexes that the unit cannot enter, hexes).

    The ways go on from those to the starts; the goal's banks come with the cheapest way to each.
    """
    queue: list[tuple[int, int, tuple[Cell, ...], _Node]] = [
        (0, 0, cells, node) for node, cells in sorted(starts.items())
    ]
    done: set[_Node] = set()
    reached: dict[_Node, tuple[Cell, ...]] = {}
    while queue:
        barred, length, cells, node = heapq.heappop(queue)
        if node in done:
            continue
        done.add(node)
        if node[0] == goal and length:
            reached[node] = cells
            continue
        for after in _steps(case, node, lifted):
            cell = after[0]
            barring = cell != goal and "enemies" not in lifted
            if after in done or (barring and case.situation.enemies_in(cell, unit.side)):
                continue
            bar = barred + (not _enterable(case, unit, node[0], cell))
            heapq.heappush(queue, (bar, length + 1, (*cells, cell), after))
    return reached


def _steps(case: Case, node: _Node, lifted: tuple[Ban, ...]) -> Iterator[_Node]:
    """The nodes that a land move reaches from a node in one step."""
    cell, bank = node
    situation = case.situation
    place = situation.hex_at(cell)
    for side in SIDES:
        after = neighbour(situation.map, cell, side)
        next_place = situation.hex_at(after)
        if next_place is None:
            continue
        kind = banks.hexside_kind(situation.map, cell, side)
        if (kind == "strait" and "straits" not in lifted) or (
            kind == "blocked" and "blocked" not in lifted
        ):
            continue
        if next_place.terrain in WATER_TERRAIN and "water" not in lifted:
            continue
        if (
            bank
            and place is not None
            and "banks" not in lifted
            and not _touches(place, bank, side, lifted)
        ):
            continue
        yield from _landings(case, after, next_place, OPPOSITE[side], lifted)


def _landings(
    case: Case, cell: Cell, place: Hex, side: Side, lifted: tuple[Ban, ...]
) -> Iterator[_Node]:
    if not parting_water(case, place) or "banks" in lifted:
        yield cell, ""
        return
    for name in banks.bank_names(place):
        if _touches(place, name, side, lifted):
            yield cell, str(name)


def _touches(place: Hex, bank: str, side: Side, lifted: tuple[Ban, ...]) -> bool:
    sides = banks.bank_sides(place, bank)
    return side in sides or ("central" in lifted and not sides)


def _enterable(case: Case, unit: Unit, start: Cell, end: Cell) -> bool:
    """Whether terrain or a road lets the unit in; a class that is not known is taken to be able."""
    return can_enter(case.situation, unit, end) is not False or bool(ways_between(case, start, end))


def ways_between(case: Case, start: Cell, end: Cell) -> frozenset[str]:
    """The road and rail that join two adjacent hexes."""
    side = side_between(case.situation.map, start, end)
    if side is None:
        return frozenset()
    return frozenset(map(str, banks.ways_across(case.situation.map, start, side)))
