"""Hexes of a map document: neighbours, and where they lie on the board that a module will have.

Units: positions are in pitch units from the centre of their hex (x right, y down); pixels are board
pixels, without the edge buffer that VASSAL adds on a map.  All hexes here are true hexagons;
VASSAL's own rectangles are in `vmod_tools.grids`.

Two exact lattices carry everything, so that rounding happens once, at the end: centres lie at
(column, 2*row + pushed), corners at thirds of a column.  The modules
`hexagon` and `names` have their functions here too, so that callers need one import.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from vmod_tools.errors import MapError
from vmod_tools.mapdoc.hexagon import CIRCUMRADIUS, CORNER_STEPS, exit_side, inside, side_point
from vmod_tools.mapdoc.model import Cell, CellPosition, HexMap, Position, Side
from vmod_tools.mapdoc.names import aliases, hex_name, resolve, sheet_of

__all__ = [
    "CIRCUMRADIUS",
    "Layout",
    "Pixel",
    "aliases",
    "centre",
    "corners",
    "distance",
    "exit_side",
    "hex_name",
    "inside",
    "is_pushed",
    "keeps_pixel",
    "layout",
    "locate",
    "loops",
    "neighbour",
    "outline",
    "pixel",
    "resolve",
    "sheet_of",
    "shortest_position",
    "side_between",
    "side_point",
]

Pixel = tuple[int, int]

_MOST_DECIMALS = 15  # more than any float tells apart

# Column and (doubled) row of a neighbour: `2*row + pushed` makes the step the same from every column.
_STEPS: dict[Side, tuple[int, int]] = {
    "N": (0, -2),
    "NE": (1, -1),
    "SE": (1, 1),
    "S": (0, 2),
    "SW": (-1, 1),
    "NW": (-1, -1),
}
_SIDE_OF_STEP = {step: side for side, step in _STEPS.items()}


# Adjacency


def is_pushed(map: HexMap, col: int) -> bool:
    """Whether a column lies half a pitch lower; `pushed` speaks of the first sheet's numbers, run on."""
    first = map.sheets[0]
    odd_number = (first.first_column + col - first.col0) % 2 == 1
    return odd_number == (map.grid.pushed == "odd")


def _doubled(map: HexMap, cell: Cell) -> tuple[int, int]:
    return cell.col, 2 * cell.row + is_pushed(map, cell.col)


def neighbour(map: HexMap, cell: Cell, side: Side) -> Cell:
    """The cell across a hexside; it need not be a hex of the map."""
    step_col, step_row = _STEPS[side]
    col, doubled = _doubled(map, cell)
    col += step_col
    return Cell(col, (doubled + step_row - is_pushed(map, col)) // 2)


def side_between(map: HexMap, a: Cell, b: Cell) -> Side | None:
    """The hexside of `a` that it shares with `b`; None when they are not adjacent."""
    (a_col, a_row), (b_col, b_row) = _doubled(map, a), _doubled(map, b)
    return _SIDE_OF_STEP.get((b_col - a_col, b_row - a_row))


def distance(map: HexMap, a: Cell, b: Cell) -> int:
    """Distance in hexes."""
    (a_col, a_row), (b_col, b_row) = _doubled(map, a), _doubled(map, b)
    cols, rows = abs(a_col - b_col), abs(a_row - b_row)
    return cols + max(0, (rows - cols) // 2)


# The board


@dataclass(frozen=True, slots=True)
class Layout:
    """A board: the cell (col0, row0), never a pushed one, has its centre at pixel (x0, y0).

    `dx`, `dy`: distance of columns and of rows in pixels, as VASSAL's HexGrid takes them; dy is the pitch.
    """

    col0: int
    row0: int
    x0: int
    y0: int
    dx: float
    dy: float
    width: int
    height: int


def layout(map: HexMap) -> Layout:
    """The board of a map: the box around its hexes with a quarter of a pitch of margin.

    VASSAL pushes odd columns counted from 0; where the leftmost column is pushed, the board
    therefore begins one (empty) column further left.  Raises MapError (MAP_EMPTY) without hexes.
    """
    if not map.hexes:
        raise MapError(f"map {map.id!r} has no hexes", code="MAP_EMPTY")
    pitch = map.grid.pitch
    dx = pitch * math.sqrt(3) / 2
    columns = [cell.col for cell in map.hexes]
    col0 = min(columns) - is_pushed(map, min(columns))
    row0 = min(cell.row for cell in map.hexes)
    lowest = max(_doubled(map, cell)[1] for cell in map.hexes) / 2 - row0
    half_width, margin = pitch * CIRCUMRADIUS, pitch / 4
    x0, y0 = round(margin + half_width), round(margin + pitch / 2)
    return Layout(
        col0=col0,
        row0=row0,
        x0=x0,
        y0=y0,
        dx=dx,
        dy=float(pitch),
        width=math.ceil(x0 + (max(columns) - col0) * dx + half_width + margin),
        height=math.ceil(y0 + lowest * pitch + pitch / 2 + margin),
    )


def _lattice(layout: Layout, cell: Cell) -> tuple[int, int]:
    # The centre in thirds of a column and halves of a pitch; col0 is not pushed, so odd columns are.
    col = cell.col - layout.col0
    return 3 * col, 2 * (cell.row - layout.row0) + col % 2


def _on_board(layout: Layout, point: tuple[int, int]) -> tuple[float, float]:
    return layout.x0 + point[0] * layout.dx / 3, layout.y0 + point[1] * layout.dy / 2


def centre(layout: Layout, cell: Cell) -> tuple[float, float]:
    """The exact centre of a hex in pixels; VASSAL itself truncates it."""
    return _on_board(layout, _lattice(layout, cell))


def pixel(layout: Layout, cell: Cell, at: Position) -> Pixel:
    """The pixel of a position: exact centre + pitch * position, halves rounded up as Java does."""
    x, y = centre(layout, cell)
    return _round(x + layout.dy * at.x), _round(y + layout.dy * at.y)


def _round(value: float) -> int:
    return math.floor(value + 0.5)


def locate(layout: Layout, x: float, y: float) -> CellPosition:
    """The hexagon that holds a point (by nearest centre) and the place in it; it need not be a hex of the map.

    A point exactly on an edge goes to the left, then to the upper hex.
    """
    near = layout.col0 + math.floor((x - layout.x0) / layout.dx)
    candidates = []
    for col in (near, near + 1):
        _, top = centre(layout, Cell(col, layout.row0))
        cell = Cell(col, layout.row0 + math.ceil((y - top) / layout.dy - 0.5))
        cx, cy = centre(layout, cell)
        candidates.append(((x - cx) ** 2 + (y - cy) ** 2, cell, cx, cy))
    _, cell, cx, cy = min(candidates)
    return CellPosition(cell, Position((x - cx) / layout.dy, (y - cy) / layout.dy))


def keeps_pixel(layout: Layout, cell: Cell, at: Position, pixel_: Pixel) -> bool:
    """Whether a position still rounds to a counter's pixel, so that its text in the document may stay."""
    return pixel(layout, cell, at) == pixel_


def shortest_position(layout: Layout, cell: Cell, pixel_: Pixel) -> tuple[str, str]:
    """The shortest decimals for x and y that round to a pixel.

    Of equally short ones those nearest to the pixel.  At the rim of the hexagon they get the fewest
    digits more that keep the position inside it.
    """
    exact = tuple((p - c) / layout.dy for p, c in zip(pixel_, centre(layout, cell), strict=True))
    least = [_fewest_decimals(layout, cell, pixel_, axis) for axis in (0, 1)]
    for more in range(_MOST_DECIMALS):
        for more_x in range(more + 1):
            texts = (
                _decimal(exact[0], least[0] + more_x),
                _decimal(exact[1], least[1] + more - more_x),
            )
            at = Position(float(texts[0]), float(texts[1]))
            if inside(at) and keeps_pixel(layout, cell, at, pixel_):
                return texts
    # The pixel is not in this hexagon at all; the caller wants it in terms of this cell even so.
    return _decimal(exact[0], least[0]), _decimal(exact[1], least[1])


def _fewest_decimals(layout: Layout, cell: Cell, pixel_: Pixel, axis: int) -> int:
    middle = centre(layout, cell)[axis]
    exact = (pixel_[axis] - middle) / layout.dy
    return next(
        digits
        for digits in range(_MOST_DECIMALS + 1)
        if _round(middle + layout.dy * float(_decimal(exact, digits))) == pixel_[axis]
    )


def _decimal(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def corners(layout: Layout, cell: Cell) -> tuple[tuple[float, float], ...]:
    """The six corners in pixels, clockwise from the upper left; hexside i of SIDES begins at corner i.

    A corner that hexes share is the same number in all of them.
    """
    x, y = _lattice(layout, cell)
    return tuple(_on_board(layout, (x + i, y + j)) for i, j in CORNER_STEPS)


def loops(layout: Layout, cells: Iterable[Cell]) -> tuple[tuple[Pixel, ...], ...]:
    """The rims of a union of hexes in rounded pixels: outer rims clockwise, rims of holes the other way.

    Edges that two hexes share cancel out.  Three hexes meet at a corner, so at most one rim passes
    through it and a rim never touches itself.  Each loop begins at its uppermost, then leftmost corner.
    """
    edges: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    for cell in set(cells):
        x, y = _lattice(layout, cell)
        rim = [(x + i, y + j) for i, j in CORNER_STEPS]
        edges.update(zip(rim, rim[1:] + rim[:1], strict=True))
    follows = {begin: end for begin, end in edges if (end, begin) not in edges}
    found = []
    while follows:
        start = min(follows, key=lambda point: (point[1], point[0]))
        loop = [start]
        while (point := follows.pop(loop[-1])) != start:
            loop.append(point)
        found.append(tuple(loop))
    return tuple(
        tuple((_round(x), _round(y)) for x, y in (_on_board(layout, point) for point in loop))
        for loop in found
    )


def outline(layout: Layout, cells: Iterable[Cell]) -> tuple[Pixel, ...]:
    """The one rim of a union of hexes, clockwise in rounded pixels: the path of a VASSAL Zone.

    Raises MapError (OUTLINE_PARTS) when the union is empty, falls apart or has a hole; see `loops`.
    """
    found = loops(layout, cells)
    if len(found) != 1:
        raise MapError(
            f"the hexes have {len(found)} outlines, and a zone can have one", code="OUTLINE_PARTS"
        )
    return found[0]
