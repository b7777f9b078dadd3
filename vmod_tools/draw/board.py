"""The board picture of a map, drawn from the map document alone.

Layers, bottom to top: terrain (with the coast), water, hexsides, ways, grid, sites, names, numbers.
Sites are counters in the module and can be dragged there, so the board only has a faint mark on the
ground where the document puts them, and their names nearby.  The picture is layout.width by
layout.height px and shares its origin with the module's grid.
"""

from __future__ import annotations

from vmod_tools.draw import palette, svg
from vmod_tools.draw.curves import distance, flattened, path
from vmod_tools.draw.ground import Ground
from vmod_tools.draw.hexsides import along, distinct, draw_hexsides
from vmod_tools.draw.names import draw_labels, draw_numbers, labels
from vmod_tools.draw.shore import Shore, shore
from vmod_tools.draw.svg import Node
from vmod_tools.draw.terrain import MOTIF_UNIT, Terrain, ground_of, spots, stamped
from vmod_tools.draw.water import LOOKS, draw_streams, streams
from vmod_tools.draw.ways import draw_tracks, tracks
from vmod_tools.mapdoc.model import Hex, HexMap, Position

LAYERS = ("terrain", "water", "hexsides", "ways", "grid", "sites", "names", "numbers")

_SITE_ROOM = 0.15  # pitch that motifs keep from a site
_WATER_ROOM = 0.07  # pitch that motifs keep from the bank of in-hex water
# Width in pitch units and colour of the shallows, from the outside in.
_SHALLOWS = ((0.2, "#c0dcec"), (0.11, palette.SHALLOW))


def board_svg(map: HexMap) -> bytes:
    """The board of a map as SVG 1.1 in UTF-8; the same map gives the same bytes.

    Terrain and site kinds that are not known are drawn plainly.  Raises MapError for a map without hexes.
    """
    ground = Ground.of(map)
    root = svg.document(ground.layout.width, ground.layout.height)
    svg.add(root, "rect", width=ground.layout.width, height=ground.layout.height, fill=palette.PAPER)
    layer = {name: svg.add(root, "g", id=name) for name in LAYERS}
    waters = streams(ground)
    lines = tracks(ground, waters)

    coast = shore(ground)
    _terrain(layer["terrain"], ground, coast)
    _coast_line(layer["water"], ground, coast)
    draw_streams(layer["water"], ground, waters)
    draw_hexsides(layer["hexsides"], ground)
    draw_tracks(layer["ways"], lines, ground.pitch)
    _grid(layer["grid"], ground)
    _site_marks(layer["sites"], ground)

    covered = [point for stream in waters for point in stream.flat()]
    covered += [point for track in lines for point in track.flat()]
    covered += [point for side in distinct(ground) for point in flattened(along(ground, *side[:2]), 3)]
    for name in ("names", "numbers"):
        layer[name].set("font-family", svg.FONTS)
    draw_labels(layer["names"], ground, labels(ground, waters, covered))
    draw_numbers(layer["numbers"], ground)
    return svg.to_bytes(root)


def _terrain(parent: Node, ground: Ground, coast: Shore) -> None:
    """Water, then its shallows along the coast, then land over the landward half of the shallows."""
    hexes = [(ground.map.hexes[cell], ground_of(ground.map.hexes[cell].terrain)) for cell in ground.cells()]
    for hex, terrain in hexes:
        if terrain.water:
            _fill(parent, ground, coast, hex, terrain)
    for width, colour in _SHALLOWS:
        for line in coast.lines:
            svg.add(parent, "path", d=path(line), fill="none", stroke=colour,
                    stroke_width=width * ground.pitch, stroke_linejoin="round")  # fmt: skip
    for hex, terrain in hexes:
        if not terrain.water:
            _fill(parent, ground, coast, hex, terrain)
    for hex, terrain in hexes:
        _motifs(parent, ground, hex, terrain)


def _fill(parent: Node, ground: Ground, coast: Shore, hex: Hex, terrain: Terrain) -> None:
    # The stroke closes the hairline that anti-aliasing leaves between two fills that only touch.
    svg.add(parent, "path", d=coast.outline(ground, hex.cell), fill=terrain.fill,
            stroke=terrain.fill, stroke_width=0.8)  # fmt: skip


def _motifs(parent: Node, ground: Ground, hex: Hex, terrain: Terrain) -> None:
    """One path for all the motifs of a hex and each layer of a motif."""
    if not terrain.stamps:
        return
    unit = MOTIF_UNIT * ground.pitch
    courses = [(list(water.course), LOOKS[water.kind].width / 2) for water in hex.waters]

    def free(at: Position) -> bool:
        return all(distance(at, [site.at]) > _SITE_ROOM for site in hex.sites) and all(
            distance(at, course) > half + _WATER_ROOM for course, half in courses
        )

    places = [
        (ground.place(hex.cell, at), size) for at, size in spots(hex.cell, terrain.spacing, free)
    ]
    if places:
        for stamp in terrain.stamps:
            data = " ".join(stamped(stamp, at, size * unit) for at, size in places)
            svg.add(parent, "path", d=data, fill=stamp.fill, stroke=stamp.stroke,
                    stroke_width=unit, stroke_linejoin="round", stroke_linecap="round")  # fmt: skip


def _coast_line(parent: Node, ground: Ground, coast: Shore) -> None:
    for line in coast.lines:
        svg.add(parent, "path", d=path(line), fill="none", stroke=palette.SHORE,
                stroke_width=0.014 * ground.pitch, stroke_linecap="round")  # fmt: skip


def _grid(parent: Node, ground: Ground) -> None:
    """The thin hex outlines, one path a column, each hexside once; where a river or a bar lies, none."""
    drawn = {(cell, side) for cell, side, hexside in distinct(ground) if hexside.kind != "normal"}
    columns: dict[int, list[str]] = {}
    for cell, side in ground.sides():
        if (cell, side) not in drawn:
            columns.setdefault(cell.col, []).append(svg.polyline(ground.ends(cell, side)))
    for col in sorted(columns):
        svg.add(parent, "path", d=" ".join(columns[col]), fill="none", stroke=palette.GRID,
                stroke_width=0.0085 * ground.pitch, stroke_opacity=0.6, stroke_linecap="round")  # fmt: skip


def _site_marks(parent: Node, ground: Ground) -> None:
    """A faint disc where the document puts a site, seen when its counter has been moved."""
    for cell in ground.cells():
        for site in ground.map.hexes[cell].sites:
            x, y = ground.place(cell, site.at)
            svg.add(parent, "circle", cx=x, cy=y, r=0.075 * ground.pitch, fill=palette.HALO,
                    fill_opacity=0.5, stroke=palette.GRID, stroke_opacity=0.5,
                    stroke_width=0.009 * ground.pitch)  # fmt: skip
