"""Banks: which bank a place or a hexside belongs to, and what lies along and across a hexside.

A course parts its hex into a left and a right bank, seen by one who follows it.  The rim of the
hexagon is thereby cut in two arcs, from which follow the hexsides that each bank touches.  `<bank
sides>` overrides the arcs (a fjord's shore may run on past the hexside that the course leaves by);
it never overrides on which hand of the course a site lies.  In a hex without a course the banks are
coasts, known by name only, and a site's bank is what it says.

Bank names are the rulebook's words: nothing here reads a compass out of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from vmod_tools.mapdoc.geometry import exit_side, neighbour, side_point
from vmod_tools.mapdoc.model import (
    OPPOSITE,
    SIDES,
    Bank,
    BankName,
    Cell,
    Hex,
    HexMap,
    HexsideKind,
    Position,
    Side,
    Site,
    Water,
    WaterKind,
    Way,
    WayKind,
)

_ON_COURSE = 1e-9  # pitch; only a point that is meant to lie on the course is this near to it


# Names


def same_bank(a: str, b: str) -> bool:
    """Whether two names mean one bank: `SW` and `WS` do (combat-weu.md G-A13)."""
    return set(a) == set(b)


def bank_names(hex: Hex) -> tuple[BankName, ...]:
    """The banks of a hex: those of its water in document order, left before right, then its coasts."""
    found: list[BankName] = []
    sides = (name for water in hex.waters for name in (water.left, water.right))
    for name in (*sides, *(bank.id for bank in hex.banks)):
        if name is not None and not any(same_bank(name, known) for known in found):
            found.append(name)
    return tuple(found)


def _listed(hex: Hex, bank: str) -> Bank | None:
    return next((known for known in hex.banks if same_bank(known.id, bank)), None)


# Water


def _water(hex: Hex, kind: WaterKind) -> Water | None:
    return next((water for water in hex.waters if water.kind == kind), None)


def river(hex: Hex) -> Water | None:
    """The in-hex river, or None: crossing it is ordinary."""
    return _water(hex, "river")


def strait(hex: Hex) -> Water | None:
    """The in-hex strait, or None: crossing it needs craft."""
    return _water(hex, "strait")


def _parting(hex: Hex) -> Iterator[Water]:
    return (water for water in hex.waters if water.kind != "inlet" and len(water.course) > 1)


# Places


def bank_of(hex: Hex, at: Position) -> BankName | None:
    """The bank on which a place lies by the course of the water; the nearest stretch of it decides.

    None where there is no course, where its banks have no names, and on the course itself.
    """
    nearest = min(
        (
            (away, -abs(offset), offset, water)
            for water in _parting(hex)
            for away, offset in _stretches(water, at)
        ),
        key=lambda found: found[:2],
        default=None,
    )
    if nearest is None:
        return None
    _, _, offset, water = nearest
    if abs(offset) <= _ON_COURSE:
        return None
    return water.left if offset < 0 else water.right


def _stretches(water: Water, at: Position) -> Iterator[tuple[float, float]]:
    """Distance to each stretch, and the offset from its line: negative on the left.

    Where two stretches meet in the point that is nearest, the distances are equal and the larger
    offset tells the truth: at a sharp bend the place can be beyond the line of the other stretch.
    """
    for a, b in zip(water.course, water.course[1:], strict=False):
        length = math.dist(a, b)
        if length == 0:
            continue
        ux, uy = (b.x - a.x) / length, (b.y - a.y) / length
        along = (at.x - a.x) * ux + (at.y - a.y) * uy
        # With y down, a positive cross product is a turn to the right.
        offset = ux * (at.y - a.y) - uy * (at.x - a.x)
        if along <= 0:
            yield math.dist(at, a), offset
        elif along >= length:
            yield math.dist(at, b), offset
        else:
            yield abs(offset), offset


def has_place(site: Site) -> bool:
    """Whether the document says where in its hex a site lies (a small inline map need not)."""
    return site.xy_text != ("", "")


def site_bank(hex: Hex, site: Site) -> BankName | None:
    """A site's bank: what it says, else what the course says; None when neither does."""
    if site.bank is not None:
        return site.bank
    return bank_of(hex, site.at) if has_place(site) else None


# Hexsides


def bank_sides(hex: Hex, bank: str) -> frozenset[Side]:
    """The hexsides that a bank touches: all that `<bank sides>` lists, else those the course leaves it.

    A hexside by which the course leaves is touched by both banks.  Empty when nothing is said.
    """
    listed = _listed(hex, bank)
    if listed is not None and listed.sides:
        return listed.sides
    # A bank between two waters is what both leave it.
    arcs = [arc for water in _parting(hex) if (arc := _arc(water, bank)) is not None]
    return frozenset.intersection(*arcs) if arcs else frozenset()


def _arc(water: Water, bank: str) -> frozenset[Side] | None:
    """The hexsides between the ends of a course on the hand of a bank; None when it has no such bank.

    The left hand of the course is the rim passed clockwise from its beginning to its end.
    """
    begin, end = water.course[0], water.course[-1]
    if water.left is not None and same_bank(water.left, bank):
        return _clockwise(begin, end)
    if water.right is not None and same_bank(water.right, bank):
        return _clockwise(end, begin)
    return None


def _clockwise(begin: Position, end: Position) -> frozenset[Side]:
    first, last = exit_side(begin), exit_side(end)
    if first is None or last is None:
        return frozenset()  # COURSE_END says so when the document is checked
    start, stop = SIDES.index(first), SIDES.index(last)
    if start == stop and _along(first, end) < _along(first, begin):
        return frozenset(SIDES)  # out by the side it came in by, and round the hex
    return frozenset(SIDES[(start + i) % 6] for i in range((stop - start) % 6 + 1))


def _along(side: Side, at: Position) -> float:
    return math.dist(side_point(side, 0), at)


def touches(hex: Hex, bank: str, side: Side) -> bool:
    """Whether a bank touches a hexside, so that a unit on it is adjacent through that side."""
    return side in bank_sides(hex, bank)


def hexside_kind(map: HexMap, cell: Cell, side: Side) -> HexsideKind:
    """What lies along a hexside, whichever of its two hexes it is listed from; normal when unlisted."""
    entry = map.listed.get((cell, side)) or map.listed.get(
        (neighbour(map, cell, side), OPPOSITE[side])
    )
    return entry.kind if entry is not None else "normal"


# Roads and railways


def way_kinds(hex: Hex, side: Side) -> frozenset[WayKind]:
    """The kinds of way that reach a hexside inside a hex."""
    return frozenset(way.kind for way in hex.ways if side in (way.start, way.end))


def ways_across(map: HexMap, cell: Cell, side: Side) -> frozenset[WayKind]:
    """The kinds of way that join two hexes: both must have an end of that kind at the shared side."""
    here, there = map.hexes.get(cell), map.hexes.get(neighbour(map, cell, side))
    if here is None or there is None:
        return frozenset()
    return way_kinds(here, side) & way_kinds(there, OPPOSITE[side])


def banks_of_way(hex: Hex, way: Way) -> frozenset[BankName]:
    """The banks on which the two ends of a way lie; empty where nothing says so.

    At a hexside that only one listed bank touches it is that bank, else the course decides for the
    middle of the side.
    """
    ends = (_bank_of_end(hex, end) for end in (way.start, way.end))
    return frozenset(bank for bank in ends if bank is not None)


def _bank_of_end(hex: Hex, end: str) -> BankName | None:
    if end == "centre":
        return bank_of(hex, Position(0, 0))
    for side in SIDES:
        if side == end:
            listed = [bank.id for bank in hex.banks if side in bank.sides]
            return listed[0] if len(listed) == 1 else bank_of(hex, side_point(side))
    site = next((site for site in hex.sites if site.id == end), None)
    return site_bank(hex, site) if site is not None else None
