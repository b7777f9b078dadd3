"""One flat-top hexagon in pitch units: its corners, its sides, and what lies inside.

The distance between opposite sides is 1, so the centre is 0.5 from each side and 0.577 from each corner;
x runs to the right, y down.
"""

from __future__ import annotations

import math

from vmod_tools.mapdoc.model import SIDES, Position, Side

CIRCUMRADIUS = 1 / math.sqrt(3)
"""Distance from the centre to a corner, in pitch units; also the length of a side."""

CORNER_STEPS = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""Corners on a lattice of a third of a column by half a pitch, clockwise from the upper left.

Side i of SIDES runs from corner i to corner i+1.
"""

_CORNERS = tuple(Position(x * CIRCUMRADIUS / 2, y / 2) for x, y in CORNER_STEPS)
_SLACK = 1e-9  # a corner written with ten decimals is still inside


def inside(at: Position) -> bool:
    """Whether a position lies in its hexagon, edges included."""
    x, y = abs(at.x), abs(at.y)
    return y <= 0.5 + _SLACK and x * math.sqrt(3) / 2 + y / 2 <= 0.5 + _SLACK


def side_point(side: Side, t: float = 0.5) -> Position:
    """The point of a hexside at `t` of the way clockwise from its first corner (0.5 = its middle)."""
    index = SIDES.index(side)
    (x1, y1), (x2, y2) = _CORNERS[index], _CORNERS[(index + 1) % 6]
    return Position(x1 + (x2 - x1) * t, y1 + (y2 - y1) * t)


def exit_side(at: Position, tolerance: float = 0.02) -> Side | None:
    """The hexside on which a position lies; None inside, outside or at a corner (tolerance in pitch)."""
    for side in SIDES:
        (x1, y1), (x2, y2) = side_point(side, 0), side_point(side, 1)
        # A side is CIRCUMRADIUS long.  `off` is the distance to its line, `along` from its first corner.
        ux, uy = (x2 - x1) / CIRCUMRADIUS, (y2 - y1) / CIRCUMRADIUS
        along = (at.x - x1) * ux + (at.y - y1) * uy
        off = abs((at.y - y1) * ux - (at.x - x1) * uy)
        if off <= tolerance and tolerance < along < CIRCUMRADIUS - tolerance:
            return side
    return None
