"""From a location name to a point: what VASSAL's grids say, and no answer where they would mislead.

VASSAL's own inverse is one row off where the column axis descends over an odd number of columns
(vassal-format.md section 10.3).  So each point found is named again, and the rows beside it are tried; a
name that no point has gives None.

Source: mapgrid/RegularGridNumbering.java (getLocation), HexGridNumbering.java, ZonedGrid.java, Zone.java.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vmod_tools.boards import MapDefinition, PlacedBoard
from vmod_tools.grids import Grid, HexGrid, Numbering, Point, Zone, ZonedGrid
from vmod_tools.sequence import Sequence


def point_of(definition: MapDefinition, boards: tuple[PlacedBoard, ...], name: str) -> Point | None:
    """The map point that a location name means: a deck's, else the first board's whose grid knows it."""
    for deck in definition.decks:
        owner = next((b for b in boards if deck.board in ("", b.definition.name)), None)
        if owner is not None and deck.name == name:
            return owner.x + deck.x, owner.y + deck.y
    for board in boards:
        found = None if board.definition.grid is None else grid_point(board.definition.grid, name)
        if found is not None:
            # A turned board's formula is its own inverse.
            x, y = found
            if board.reversed:
                x, y = board.definition.width - x, board.definition.height - y
            return board.x + x, board.y + y
    return None


def grid_point(grid: Grid, name: str) -> Point | None:
    """The board point of a name; None when the grid has no such name, or cannot be asked."""
    if isinstance(grid, HexGrid):
        return next((p for p in _hexes(grid, name) if grid.location_name(*p) == name), None)
    if isinstance(grid, ZonedGrid):
        return _zoned_point(grid, name)
    return None


def _hexes(grid: HexGrid, name: str) -> Iterator[Point]:
    """Points that may have the name, VASSAL's own answer first."""
    numbering = grid.numbering
    cell = None if numbering is None else _cell(numbering, name)
    if numbering is None or cell is None:
        return
    column, row = cell
    column, row = column - numbering.h_offset, row - numbering.v_offset
    if numbering.stagger and column % 2:
        descends = numbering.h_descending if grid.sideways else numbering.v_descending
        row += 1 if descends else -1
    max_rows = int(numbering.height / grid.dx + 0.5)
    max_columns = int(numbering.width / grid.dy + 0.5)
    if grid.sideways:
        column = max_rows - column if numbering.v_descending else column
        row = max_columns - row if numbering.h_descending else row
    else:
        column = max_columns - column if numbering.h_descending else column
        row = max_rows - row if numbering.v_descending else row
    for beside in (0, -1, 1):
        yield grid.centre(column, row + beside)


def _cell(numbering: Numbering, name: str) -> tuple[int, int] | None:
    """The column and row that a name states."""
    pattern = ""
    tokens = Sequence.decode(numbering.location_format, "$").tokens
    column = f"(?P<column>{_digits(numbering.h_type, numbering.h_leading)})"
    row = f"(?P<row>{_digits(numbering.v_type, numbering.v_leading)})"
    both = (column, row) if numbering.first == "H" else (row, column)
    parts = {
        "gridLocation": re.escape(numbering.separator).join(both),
        "column": column,
        "row": row,
    }
    for index, token in enumerate(tokens):
        is_property = index % 2 and index < len(tokens) - 1
        pattern += parts.get(token, ".*") if is_property else re.escape(token)
    try:
        match = re.fullmatch(pattern, name)
    except re.error:
        # A format that names the column twice.
        return None
    groups = match.groupdict() if match else {}
    if "column" not in groups or "row" not in groups:
        return None
    return (
        _number(groups["column"], numbering.h_type),
        _number(groups["row"], numbering.v_type),
    )


def _digits(kind: str, leading: int) -> str:
    if kind == "A":
        return "-?(?:" + "|".join(f"{chr(c)}+" for c in range(ord("A"), ord("Z") + 1)) + ")"
    return f"-?[0-9]{{{max(leading, 0) + 1},9}}"


def _number(text: str, kind: str) -> int:
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    if kind == "A":
        return sign * (ord(digits[0]) - ord("A") + 26 * (len(digits) - 1))
    return sign * int(digits)


def _zoned_point(grid: ZonedGrid, name: str) -> Point | None:
    for zone in grid.zones:
        for point in _zone_points(grid, zone, name):
            if zone.contains(*point) and grid.location_name(*point) == name:
                return point
    return None if grid.background is None else grid_point(grid.background, name)


def _zone_points(grid: ZonedGrid, zone: Zone, name: str) -> Iterator[Point]:
    """Points that may have the name in this zone."""
    tokens = Sequence.decode(zone.location_format, "$").tokens
    pattern = ""
    for index, token in enumerate(tokens):
        if index % 2 and index < len(tokens) - 1:
            pattern += {"name": re.escape(zone.name), "gridLocation": "(.*)"}.get(token, "")
        else:
            pattern += re.escape(token)
    match = re.fullmatch(pattern, name)
    if match is None or not zone.path:
        return
    inner = grid.background if zone.use_parent_grid else zone.grid
    for text in dict.fromkeys(match.groups()):
        point = None if inner is None else grid_point(inner, text)
        if point is not None:
            yield point
    if not match.groups():
        xs, ys = [x for x, _ in zone.path], [y for _, y in zone.path]
        yield sum(xs) // len(xs), sum(ys) // len(ys)
        yield zone.path[0]
