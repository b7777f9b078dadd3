"""What must agree in a map document beyond its schema (design.md section 4).

Each check is a function from a map (or the document) to problems and reports every case; none
relies on another having passed.  What cannot be put into the frozen data at all (a hex twice, an id
outside the sheets) is found while reading.

A small inline map shows a few hexes of a larger country, so `whole=False` leaves out the checks that
ask what lies next door.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from vmod_tools.errors import MapError
from vmod_tools.mapdoc.banks import (
    bank_names,
    bank_of,
    bank_sides,
    has_place,
    hexside_kind,
    same_bank,
    way_kinds,
)
from vmod_tools.mapdoc.geometry import (
    CIRCUMRADIUS,
    exit_side,
    hex_name,
    inside,
    layout,
    locate,
    neighbour,
    pixel,
)
from vmod_tools.mapdoc.model import (
    OPPOSITE,
    SIDES,
    Cell,
    Hex,
    HexMap,
    HexsideKind,
    MapDocument,
    Position,
    Side,
    Water,
)
from vmod_tools.mapdoc.names import resolve_across
from vmod_tools.mapdoc.problems import Problem, line_place, to_errors

WATER_TERRAINS = frozenset({"sea", "lake", "water"})
UNKNOWN_TERRAIN = "unknown"
"""The terrain of a hex that was extracted from a module without its document: nothing is known of it."""
"""Terrain words that mean open water; all others are the rulebook's own business."""

TOLERANCE = 0.02
"""How far a course's end may lie from its hexside, and must lie from a corner, in pitch units."""


def check_document(
    document: MapDocument, *, whole: bool = True, place: Callable[[int], str] = line_place
) -> list[MapError]:
    """All problems of a document in its own order; `place` words where a line is."""
    return to_errors(find_problems(document, whole=whole), place)


def find_problems(document: MapDocument, *, whole: bool = True) -> Iterator[Problem]:
    """All problems of a document, check by check.  `whole`: the maps show all there is."""
    yield from _site_ids(document)
    yield from _map_ids(document)
    yield from _links(document)
    for hex_map in document.maps:
        yield from _sheets(hex_map)
        yield from _hexsides(hex_map)
        for hex_ in hex_map.hexes.values():
            yield from _waters(hex_)
            yield from _banks(hex_)
            yield from _sites(hex_)
            yield from _way_ends(hex_)
            if whole:
                yield from _water_runs_on(hex_map, hex_)
                yield from _ways_run_on(hex_map, hex_)
                yield from _ports(hex_map, hex_)
        if whole and hex_map.hexes:
            yield from _sites_on_board(hex_map)


# The document


def _site_ids(document: MapDocument) -> Iterator[Problem]:
    seen: dict[str, Hex] = {}
    for hex_map in document.maps:
        for hex_ in hex_map.hexes.values():
            for site in hex_.sites:
                if site.id in seen:
                    message = (
                        f"site {site.id!r} of {hex_.written} is in {seen[site.id].written} too"
                    )
                    yield Problem("MAP_DUPLICATE_ID", message, site.line)
                seen.setdefault(site.id, hex_)


def _map_ids(document: MapDocument) -> Iterator[Problem]:
    seen = set()
    for hex_map in document.maps:
        if hex_map.id in seen:
            yield Problem("MAP_DUPLICATE_ID", f"there are two maps {hex_map.id!r}", hex_map.line)
        seen.add(hex_map.id)


def _links(document: MapDocument) -> Iterator[Problem]:
    for link in document.links:
        for end in (link.start, link.end):
            try:
                hex_map, cell = resolve_across(document, end)
            except MapError as error:
                yield Problem(error.stable_code, error.message, link.line)
            else:
                if cell not in hex_map.hexes:
                    message = f"link end {end} is no hex of the document"
                    yield Problem("HEX_UNKNOWN", message, link.line)


def _sheets(map: HexMap) -> Iterator[Problem]:
    seen = set()
    for sheet in map.sheets:
        if sheet.id in seen:
            yield Problem("MAP_DUPLICATE_ID", f"there are two sheets {sheet.id!r}", sheet.line)
        seen.add(sheet.id)
        for first, last in (
            (sheet.first_column, sheet.last_column),
            (sheet.first_row, sheet.last_row),
        ):
            if first > last:
                message = f"sheet {sheet.id!r} runs from {first} down to {last}"
                yield Problem("SHEET_RANGE", message, sheet.line)


def _hexsides(map: HexMap) -> Iterator[Problem]:
    seen: dict[tuple[Cell, Side], HexsideKind] = {}
    for entry in map.hexsides:
        other = neighbour(map, entry.cell, entry.side)
        named = f"hexside {entry.side} of {hex_name(map, entry.cell)}"
        if entry.cell not in map.hexes and other not in map.hexes:
            yield Problem("HEX_UNKNOWN", f"{named} is not at a hex of the map", entry.line)
        kind = seen.setdefault((entry.cell, entry.side), entry.kind)
        seen.setdefault((other, OPPOSITE[entry.side]), entry.kind)
        if kind != entry.kind:
            yield Problem("HEXSIDE_TWICE", f"{named} is {entry.kind} and {kind}", entry.line)


# One hex


def _waters(hex: Hex) -> Iterator[Problem]:
    for water in hex.waters:
        named = f"{water.kind} {water.name}".strip() + f" of {hex.written}"
        if any(_depth(point) > TOLERANCE for point in water.course):
            yield Problem("COURSE_OUTSIDE_HEX", f"{named} leaves its hexagon", water.line)
        if water.kind == "inlet":
            continue
        for at in water.course[:1] + water.course[-1:]:
            if exit_side(at, TOLERANCE) is None:
                message = (
                    f"{named} ends at {at.x:g},{at.y:g}, which is on no hexside or at a corner"
                )
                yield Problem("COURSE_END", message, water.line)
        if water.left and water.right and same_bank(water.left, water.right):
            message = f"{named} has bank {water.left} on both hands"
            yield Problem("BANKS_ALIKE", message, water.line)
        if water.kind == "strait":
            yield from _strait(hex, water, named)


def _depth(at: Position) -> float:
    """How far a point is beyond the nearest side of its hexagon; negative inside."""
    return max(abs(at.y), abs(at.x) / CIRCUMRADIUS / 2 + abs(at.y) / 2) - 0.5


def _strait(hex: Hex, water: Water, named: str) -> Iterator[Problem]:
    names = [name for name in (water.left, water.right) if name]
    if not water.course:
        # Without a course nobody needs to know which bank is on which hand.
        names = list(bank_names(hex))
    if len(names) < 2:
        message = f"{named} does not name the banks that it parts"
        yield Problem("STRAIT_WITHOUT_BANKS", message, water.line)
    for name in names:
        if not water.course and not bank_sides(hex, name):
            message = f"{named} has no course, and no <bank> lists the hexsides of bank {name}"
            yield Problem("STRAIT_WITHOUT_BANKS", message, water.line)


def _banks(hex: Hex) -> Iterator[Problem]:
    for index, bank in enumerate(hex.banks):
        if any(same_bank(bank.id, earlier.id) for earlier in hex.banks[:index]):
            message = f"{hex.written} lists bank {bank.id} twice"
            yield Problem("MAP_DUPLICATE_ID", message, bank.line)


def _sites(hex: Hex) -> Iterator[Problem]:
    known = bank_names(hex)
    for site in hex.sites:
        named = f"site {site.id!r} of {hex.written}"
        if not inside(site.at):
            message = f"{named} at {site.at.x:g},{site.at.y:g} is outside the hexagon"
            yield Problem("SITE_OUTSIDE_HEX", message, site.line)
        if site.bank is None:
            continue
        if not any(same_bank(site.bank, name) for name in known):
            has = f"the banks {', '.join(known)}" if known else "no banks"
            message = f"{named} is on bank {site.bank}, but the hex has {has}"
            yield Problem("BANK_UNKNOWN", message, site.line)
            continue
        lies_on = bank_of(hex, site.at) if has_place(site) else None
        if lies_on is not None and not same_bank(lies_on, site.bank):
            message = f"{named} says bank {site.bank}, but lies on bank {lies_on} of the course"
            yield Problem("SITE_BANK_CONTRADICTS_COURSE", message, site.line)


def _way_ends(hex: Hex) -> Iterator[Problem]:
    ends = {*SIDES, "centre", *(site.id for site in hex.sites)}
    for way in hex.ways:
        for end in (way.start, way.end):
            if end not in ends:
                message = (
                    f"{way.kind} of {hex.written} ends at {end!r}: no hexside and no site of it"
                )
                yield Problem("WAY_TO_NOWHERE", message, way.line)


# Next door


def _open_water(hex: Hex | None) -> bool:
    return hex is not None and hex.terrain in WATER_TERRAINS


def _reaches(waters: Iterable[Water], side: Side) -> bool:
    ends = (at for water in waters for at in water.course[:1] + water.course[-1:])
    return any(exit_side(at, TOLERANCE) == side for at in ends)


def _water_runs_on(map: HexMap, hex: Hex) -> Iterator[Problem]:
    for water in hex.waters:
        for side in SIDES:
            other = map.hexes.get(neighbour(map, hex.cell, side))
            if (
                _reaches((water,), side)
                and other is not None
                and not _open_water(other)
                and not _reaches(other.waters, OPPOSITE[side])
                and hexside_kind(map, hex.cell, side) not in ("river", "strait")
            ):
                message = f"{water.kind} of {hex.written} stops at its side {side}: no water in {other.written}"
                yield Problem("WATER_STOPS", message, water.line)


def _ways_run_on(map: HexMap, hex: Hex) -> Iterator[Problem]:
    for way in hex.ways:
        for side in SIDES:
            other = map.hexes.get(neighbour(map, hex.cell, side))
            if (
                side in (way.start, way.end)
                and other is not None
                and way.kind not in way_kinds(other, OPPOSITE[side])
            ):
                message = (
                    f"{way.kind} of {hex.written} stops at its side {side}: none in {other.written}"
                )
                yield Problem("WAY_TO_NOWHERE", message, way.line)


def _ports(map: HexMap, hex: Hex) -> Iterator[Problem]:
    around = [map.hexes.get(neighbour(map, hex.cell, side)) for side in SIDES]
    kinds = {hexside_kind(map, hex.cell, side) for side in SIDES}
    if (
        hex.waters
        or hex.banks
        or kinds & {"river", "strait"}
        or hex.terrain == UNKNOWN_TERRAIN
        or any(_open_water(near) for near in (hex, *around))
    ):
        return
    for site in hex.sites:
        if site.kind == "port":
            message = (
                f"port {site.id!r} of {hex.written} has no water, no coast and no sea beside it"
            )
            yield Problem("PORT_WITHOUT_WATER", message, site.line)


def _sites_on_board(map: HexMap) -> Iterator[Problem]:
    """Sites on the rim whose counter would stand in the next hex, so that extraction would move them."""
    board = layout(map)
    for hex_ in map.hexes.values():
        for site in hex_.sites:
            at = pixel(board, hex_.cell, site.at)
            if inside(site.at) and locate(board, *at).cell != hex_.cell:
                message = f"site {site.id!r} of {hex_.written} is so near the rim that its pixel is in the next hex"
                yield Problem("SITE_OUTSIDE_HEX", message, site.line)
