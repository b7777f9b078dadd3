"""What lies along hexsides: rivers, straits and blocked sides, each drawn once.

A document may name a hexside from either of its hexes.  Where it names one twice, the first word
counts; that the two agree is for the document's own checks to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vmod_tools.draw import palette, svg
from vmod_tools.draw.curves import Cubic, direction, noise, paced, path, shifted, smooth
from vmod_tools.draw.ground import Ground
from vmod_tools.draw.svg import Node, num
from vmod_tools.mapdoc.model import SIDES, Cell, Hexside, HexsideKind, Side

_STRAY = 0.02  # pitch, how far a river winds to either side of its hexside


def distinct(ground: Ground) -> list[tuple[Cell, Side, Hexside]]:
    """The listed hexsides, each once, by the one name of the hexside, in document order."""
    found: dict[tuple[Cell, Side], Hexside] = {}
    for hexside in ground.map.hexsides:
        found.setdefault(ground.one_side(hexside.cell, hexside.side), hexside)
    return [(cell, side, hexside) for (cell, side), hexside in found.items()]


def draw_hexsides(parent: Node, ground: Ground) -> None:
    """All hexsides that are not normal, as one group each: `hexside-COL-ROW-SIDE`."""
    for cell, side, hexside in distinct(ground):
        painter = _PAINTERS.get(hexside.kind)
        if painter is not None:
            group = svg.add(parent, "g", id=f"hexside-{cell.col}-{cell.row}-{side}")
            painter(group, along(ground, cell, side), ground.pitch)


def along(ground: Ground, cell: Cell, side: Side) -> list[Cubic]:
    """A slightly winding line from corner to corner of a hexside."""
    start, end = ground.ends(cell, side)
    middle = ground.place(cell)
    knots = []
    for i, t in enumerate((0.33, 0.67)):
        point = ground.on_side(cell, side, t)
        stray = _STRAY * noise(*cell, SIDES.index(side), i, 7)
        knots.append(shifted(point, direction(middle, point), stray * ground.pitch))
    return smooth([start, *knots, end])


def _river(group: Node, line: list[Cubic], pitch: float) -> None:
    for width, colour in ((0.085, palette.RIVER_CASING), (0.062, palette.RIVER)):
        svg.add(group, "path", d=path(line), fill="none", stroke=colour, stroke_width=width * pitch,
                stroke_linecap="round")  # fmt: skip


def _strait(group: Node, line: list[Cubic], pitch: float) -> None:
    start, end = line[0].start, line[-1].end
    band = svg.polyline((start, end))
    for width, colour in ((0.15, palette.SHORE), (0.126, palette.SHALLOW)):
        svg.add(group, "path", d=band, fill="none", stroke=colour, stroke_width=width * pitch)
    svg.add(group, "path", d=band, fill="none", stroke=palette.RIVER_CASING,
            stroke_width=0.035 * pitch, stroke_dasharray=f"{num(0.06 * pitch)} {num(0.045 * pitch)}")  # fmt: skip


def _blocked(group: Node, line: list[Cubic], pitch: float) -> None:
    start, end = line[0].start, line[-1].end
    svg.add(group, "path", d=svg.polyline((start, end)), fill="none", stroke=palette.BLOCKED,
            stroke_width=0.05 * pitch, stroke_linecap="round")  # fmt: skip
    ticks = []
    for point, (dx, dy) in paced((start, end), 0.115 * pitch):
        tick = (shifted(point, (-dy, dx), -0.055 * pitch), shifted(point, (-dy, dx), 0.055 * pitch))
        ticks.append(svg.polyline(tick))
    svg.add(group, "path", d=" ".join(ticks), fill="none", stroke=palette.BLOCKED,
            stroke_width=0.026 * pitch)  # fmt: skip


_PAINTERS: Mapping[HexsideKind, Callable[[Node, list[Cubic], float], None]] = {
    "river": _river,
    "strait": _strait,
    "blocked": _blocked,
}
