"""The ground layer of the board: fills, shallows, motifs, and the coast line.

Shapes of one colour are gathered into one path for each block of hexes: VASSAL builds the whole
picture anew for every tile that it draws, so the number of elements is what costs, and blocks still
let it skip what lies far from the tile.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from vmod_tools.draw import palette, svg
from vmod_tools.draw.curves import distance, path
from vmod_tools.draw.ground import Ground
from vmod_tools.draw.shore import Shore
from vmod_tools.draw.svg import Node
from vmod_tools.draw.terrain import MOTIF_UNIT, Terrain, ground_of, spots, stamped
from vmod_tools.draw.water import LOOKS
from vmod_tools.mapdoc.model import Hex, Position

BLOCK = 8  # hexes each way
_SITE_ROOM = 0.15  # pitch that motifs keep from a site
_WATER_ROOM = 0.07  # pitch that motifs keep from the bank of in-hex water
# Width in pitch units and colour of the shallows, from the outside in.
_SHALLOWS = ((0.2, "#c0dcec"), (0.11, palette.SHALLOW))


def draw_land(parent: Node, ground: Ground, coast: Shore) -> None:
    """Water, then its shallows along the coast, then land over the landward half of the shallows."""
    blocks = list(_blocks(ground))
    for terrain, hexes in blocks:
        if terrain.water:
            _fill(parent, ground, coast, terrain, hexes)
    for width, colour in _SHALLOWS:
        for line in coast.lines:
            svg.add(parent, "path", d=path(line), fill="none", stroke=colour,
                    stroke_width=width * ground.pitch, stroke_linejoin="round")  # fmt: skip
    for terrain, hexes in blocks:
        if not terrain.water:
            _fill(parent, ground, coast, terrain, hexes)
    for terrain, hexes in blocks:
        _motifs(parent, ground, terrain, hexes)


def draw_coast_line(parent: Node, ground: Ground, coast: Shore) -> None:
    """The line between water and land."""
    for line in coast.lines:
        svg.add(parent, "path", d=path(line), fill="none", stroke=palette.SHORE,
                stroke_width=0.014 * ground.pitch, stroke_linecap="round")  # fmt: skip


def _blocks(ground: Ground) -> Iterator[tuple[Terrain, list[Hex]]]:
    """Hexes that look alike and lie together."""

    def key(here: Hex) -> tuple[str, int, int]:
        return ground_of(here.terrain).fill, here.cell.col // BLOCK, here.cell.row // BLOCK

    ordered = sorted(ground.map.hexes.values(), key=lambda here: (key(here), here.cell))
    for _, group in groupby(ordered, key):
        hexes = list(group)
        yield ground_of(hexes[0].terrain), hexes


def _fill(parent: Node, ground: Ground, coast: Shore, terrain: Terrain, hexes: list[Hex]) -> None:
    data = " ".join(coast.outline(ground, here.cell) for here in hexes)
    # The stroke closes the hairline that anti-aliasing leaves between two fills that only touch.
    svg.add(parent, "path", d=data, fill=terrain.fill, stroke=terrain.fill, stroke_width=0.8)


def _motifs(parent: Node, ground: Ground, terrain: Terrain, hexes: list[Hex]) -> None:
    """One path for each layer of the motif."""
    unit = MOTIF_UNIT * ground.pitch
    places = [
        (ground.place(here.cell, at), size * unit)
        for here in hexes
        for at, size in _places(terrain, here)
    ]
    if places:
        for stamp in terrain.stamps:
            data = " ".join(stamped(stamp, at, size) for at, size in places)
            svg.add(parent, "path", d=data, fill=stamp.fill, stroke=stamp.stroke,
                    stroke_width=unit, stroke_linejoin="round", stroke_linecap="round")  # fmt: skip


def _places(terrain: Terrain, here: Hex) -> Iterator[tuple[Position, float]]:
    """Where motifs stand in a hex, clear of its sites and its water."""
    courses = [(list(water.course), LOOKS[water.kind].width / 2) for water in here.waters]

    def free(at: Position) -> bool:
        return all(distance(at, [site.at]) > _SITE_ROOM for site in here.sites) and all(
            distance(at, course) > half + _WATER_ROOM for course, half in courses
        )

    yield from spots(here.cell, terrain.spacing, free) if terrain.stamps else ()
