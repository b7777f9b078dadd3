"""The board picture of a map, drawn from the map document alone.

Layers, bottom to top: terrain (with the coast), water, hexsides, ways, grid, sites, names, numbers.
Sites are counters in the module and can be dragged there, so the board only has a faint mark on the
ground where the document puts them, and their names nearby.  The picture is layout.width by
layout.height px and shares its origin with the module's grid.
"""

from __future__ import annotations

from vmod_tools.draw import palette, svg
from vmod_tools.draw.curves import flattened
from vmod_tools.draw.ground import Ground
from vmod_tools.draw.hexsides import along, distinct, draw_hexsides
from vmod_tools.draw.land import draw_coast_line, draw_land
from vmod_tools.draw.names import draw_labels, labels
from vmod_tools.draw.numbers import draw_numbers
from vmod_tools.draw.shore import shore
from vmod_tools.draw.svg import Node, num
from vmod_tools.draw.water import draw_streams, streams
from vmod_tools.draw.ways import draw_tracks, tracks
from vmod_tools.mapdoc.model import HexMap

LAYERS = ("terrain", "water", "hexsides", "ways", "grid", "sites", "names", "numbers")


def board_svg(map: HexMap) -> bytes:
    """The board of a map as SVG 1.1 in UTF-8; the same map gives the same bytes.

    Terrain and site kinds that are not known are drawn plainly.  Raises MapError for a map without hexes.
    """
    ground = Ground.of(map)
    root = svg.document(ground.layout.width, ground.layout.height)
    svg.add(
        root, "rect", width=ground.layout.width, height=ground.layout.height, fill=palette.PAPER
    )
    layer = {name: svg.add(root, "g", id=name) for name in LAYERS}
    waters = streams(ground)
    lines = tracks(ground, waters)

    coast = shore(ground)
    draw_land(layer["terrain"], ground, coast)
    draw_coast_line(layer["water"], ground, coast)
    draw_streams(layer["water"], ground, waters)
    draw_hexsides(layer["hexsides"], ground)
    draw_tracks(layer["ways"], lines, ground.pitch)
    _grid(layer["grid"], ground)
    _site_marks(layer["sites"], ground)

    covered = [point for stream in waters for point in stream.flat()]
    covered += [point for track in lines for point in track.flat()]
    covered += [
        point for side in distinct(ground) for point in flattened(along(ground, *side[:2]), 3)
    ]
    draw_labels(layer["names"], ground, labels(ground, waters, covered))
    draw_numbers(layer["numbers"], ground)
    return svg.to_bytes(root)


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
    radius = 0.075 * ground.pitch
    turn = f"a{num(radius)} {num(radius)} 0 1 0"
    for cell in ground.cells():
        sites = ground.map.hexes[cell].sites
        places = [ground.place(cell, site.at) for site in sites]
        discs = [
            f"M{num(x - radius)} {num(y)} {turn} {num(2 * radius)} 0 {turn} {num(-2 * radius)} 0 Z"
            for x, y in places
        ]
        if discs:
            svg.add(parent, "path", d=" ".join(discs), fill=palette.HALO, fill_opacity=0.5,
                    stroke=palette.GRID, stroke_opacity=0.5, stroke_width=0.009 * ground.pitch)  # fmt: skip
