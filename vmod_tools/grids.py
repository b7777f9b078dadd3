"""VASSAL's grid arithmetic: from a point of a board to the location name that VASSAL shows.

Names go by rectangles, not hexagons (8.4 % of a hexagon carries a neighbour's name); this module
reproduces the program, including its oddities, and `vmod_tools.mapdoc.geometry` does the hexagons.
Points are board pixels (x right, y down).  A grid that has no name for a point gives None.

Source: boardPicker/board/HexGrid.java, ZonedGrid.java, mapgrid/HexGridNumbering.java,
RegularGridNumbering.java, Zone.java; vassal-format.md section 10.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

from vmod_tools.errors import BuildFileError
from vmod_tools.sequence import Sequence, java_int

Point = tuple[int, int]
_Number = TypeVar("_Number", int, float)

DEFAULT_DX, DEFAULT_DY = 55.42562584220407, 64.0
"""HexGrid's own defaults; see `HexGrid.from_attributes` for the trap in them."""


class Grid(Protocol):
    """Anything that names points."""

    def location_name(self, x: int, y: int) -> str | None:
        """The location name of a board point, or None."""
        ...


def java_round(value: float) -> int:
    """Java's Math.round: halves go up."""
    return math.floor(value + 0.5)


def _odd(number: int) -> bool:
    return number % 2 != 0


@dataclass(frozen=True, slots=True)
class Numbering:
    """HexGridNumbering.  `width`, `height`: size in pixels of the board, or of the box around a zone."""

    width: int
    height: int
    first: str = "H"
    separator: str = ""
    h_type: str = "N"
    v_type: str = "N"
    h_leading: int = 1
    v_leading: int = 1
    h_offset: int = 1
    v_offset: int = 1
    h_descending: bool = False
    v_descending: bool = False
    stagger: bool = True
    location_format: str = "$gridLocation$"

    @classmethod
    def from_attributes(cls, attributes: Mapping[str, str], width: int, height: int) -> Self:
        """The numbering in a HexGridNumbering element's attributes; raises BuildFileError."""
        take = _Attributes(attributes)
        return cls(
            width=width,
            height=height,
            first=take.letter("first", "H"),
            separator=attributes.get("sep", ""),
            h_type=take.letter("hType", "N"),
            v_type=take.letter("vType", "N"),
            h_leading=take.integer("hLeading", 1),
            v_leading=take.integer("vLeading", 1),
            h_offset=take.integer("hOff", 1),
            v_offset=take.integer("vOff", 1),
            h_descending=take.boolean("hDescend", default=False),
            v_descending=take.boolean("vDescend", default=False),
            stagger=take.boolean("stagger", default=True),
            location_format=attributes.get("locationFormat", "$gridLocation$"),
        )


@dataclass(frozen=True, slots=True)
class HexGrid:
    """HexGrid: centre of cell (0, 0) at (x0, y0); odd columns lie dy/2 lower (all swapped if sideways)."""

    x0: int = 0
    y0: int = 32
    dx: float = DEFAULT_DX
    dy: float = DEFAULT_DY
    sideways: bool = False
    numbering: Numbering | None = None

    @classmethod
    def from_attributes(cls, attributes: Mapping[str, str], numbering: Numbering | None) -> Self:
        """The grid in a HexGrid element's attributes; raises BuildFileError.

        Attributes are set in the order dx, dy; setting dy while dx is still the default constant
        makes VASSAL compute dx = dy * sqrt(3) / 2, so a file with dy alone gets a fitting dx.
        """
        take = _Attributes(attributes)
        dx, dy = take.decimal("dx", DEFAULT_DX), take.decimal("dy", DEFAULT_DY)
        if dx == DEFAULT_DX and "dy" in attributes:
            dx = math.sqrt(3) / 2 * dy
        return cls(
            x0=take.integer("x0", 0),
            y0=take.integer("y0", 32),
            dx=dx,
            dy=dy,
            sideways=take.boolean("sideways", default=False),
            numbering=numbering,
        )

    def raw_cell(self, x: int, y: int) -> tuple[int, int]:
        """Column and row of the rectangle around a point, before any numbering."""
        if self.sideways:
            x, y = y, x
        column = math.floor((x - self.x0) / self.dx + 0.5)
        # The row asks for the column with Math.round, the column itself uses floor(+0.5): the same.
        lowered = self.dy / 2 if _odd(column) else 0.0
        return column, java_round((y - self.y0 - lowered) / self.dy)

    def centre(self, column: int, row: int) -> Point:
        """The point to which VASSAL snaps for a cell."""
        x = int(self.dx * column + self.x0)
        lowered = int(self.dy / 2) if _odd(column) else 0
        y = int(self.dy * row + lowered + self.y0)
        return (y, x) if self.sideways else (x, y)

    def location_name(self, x: int, y: int) -> str | None:
        """The name of a point; None without a numbering."""
        if self.numbering is None:
            return None
        column, row = _numbered(self, self.numbering, *self.raw_cell(x, y))
        return _grid_name(self.numbering, column, row)


def _numbered(grid: HexGrid, n: Numbering, raw_column: int, raw_row: int) -> tuple[int, int]:
    """Column and row before the offsets.  The odd pairing of sizes with dx and dy is VASSAL's own."""
    max_rows = math.floor(n.height / grid.dx + 0.5)
    max_columns = math.floor(n.width / grid.dy + 0.5)
    column, row = raw_column, raw_row
    if grid.sideways:
        if n.v_descending:
            column = max_rows - raw_column
        if n.h_descending:
            row = max_columns - raw_row
    else:
        if n.h_descending:
            column = max_columns - raw_column
        if n.v_descending:
            row = max_rows - raw_row
    if n.stagger and _odd(raw_column):
        descending = n.h_descending if grid.sideways else n.v_descending
        row += -1 if descending else 1
    return column, row


def _grid_name(n: Numbering, column: int, row: int) -> str:
    column_text = format_number(column + n.h_offset, n.h_type, n.h_leading)
    row_text = format_number(row + n.v_offset, n.v_type, n.v_leading)
    first, second = (column_text, row_text) if n.first == "H" else (row_text, column_text)
    return fill_format(
        n.location_format,
        {"gridLocation": first + n.separator + second, "row": row_text, "column": column_text},
    )


def format_number(number: int, kind: str, leading: int) -> str:
    """A row or column as VASSAL writes it: `A` repeats letters (26 = AA, 27 = BB), else digits."""
    sign, value = ("-", -number) if number < 0 else ("", number)
    if kind == "A":
        return sign + chr(ord("A") + value % 26) * (value // 26 + 1)
    zeros = ""
    while leading > 0 and value < 10**leading:
        zeros += "0"
        leading -= 1
    return f"{sign}{zeros}{value}"


def fill_format(text: str, values: Mapping[str, str]) -> str:
    """A location format with its properties filled in; unknown properties become empty.

    Every second part between `$` is a property, but for the last: a `$` that is not closed vanishes.
    Blanks around the format count for nothing, and a format that is a number loses its zeros.
    """
    number = java_int(text.strip())
    if number is not None:
        return str(number)
    *parts, last = Sequence.decode(text.strip(), "$").tokens
    filled = (values.get(p, "") if i % 2 else p for i, p in enumerate(parts))
    return "".join(filled) + last


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone of a ZonedGrid: a polygon with a grid of its own, or the background's."""

    name: str
    path: tuple[Point, ...]
    location_format: str = "$name$"
    grid: Grid | None = None
    use_parent_grid: bool = False

    def contains(self, x: int, y: int) -> bool:
        """Whether a point lies inside, by the half-open even-odd rule of java.awt.Polygon."""
        return polygon_contains(self.path, x, y)


@dataclass(frozen=True, slots=True)
class ZonedGrid:
    """ZonedGrid: the first zone that holds the point decides, then the background grid."""

    zones: tuple[Zone, ...]
    background: Grid | None = None

    def zone_at(self, x: int, y: int) -> Zone | None:
        """The zone of a point, or None."""
        return next((zone for zone in self.zones if zone.contains(x, y)), None)

    def location_name(self, x: int, y: int) -> str | None:
        """The name of a point; inside a zone it is never None, though it may be empty."""
        zone = self.zone_at(x, y)
        if zone is None:
            return self.background.location_name(x, y) if self.background else None
        grid = self.background if zone.use_parent_grid else zone.grid
        inner = grid.location_name(x, y) if grid else None
        return fill_format(zone.location_format, {"name": zone.name, "gridLocation": inner or ""})


@dataclass(frozen=True, slots=True)
class UnreadGrid:
    """A grid of a kind that is not read yet: it names nothing, and says what it is."""

    kind: str

    def location_name(self, x: int, y: int) -> str | None:
        """Always None."""
        return None


def polygon_contains(path: tuple[Point, ...], x: int, y: int) -> bool:
    """java.awt.Polygon.contains for integer points: left and top edges in, right and bottom out."""
    if len(path) <= 2:
        return False
    inside = False
    last = path[-1]
    for point in path:
        (upper_x, upper_y), (lower_x, lower_y) = sorted((last, point), key=lambda p: p[1])
        # The order of these floating-point steps is Java's: points on a slanted edge depend on it.
        if upper_y <= y < lower_y and x - upper_x < (y - upper_y) / (lower_y - upper_y) * (
            lower_x - upper_x
        ):
            inside = not inside
        last = point
    return inside


@dataclass(frozen=True, slots=True)
class _Attributes:
    """Typed access to attributes: an attribute that is there and malformed stops VASSAL's load."""

    values: Mapping[str, str]

    def integer(self, name: str, default: int) -> int:
        return default if name not in self.values else self._convert(name, int)

    def decimal(self, name: str, default: float) -> float:
        value = default if name not in self.values else self._convert(name, float)
        if not math.isfinite(value) or (name in ("dx", "dy") and value <= 0):
            raise BuildFileError(f"{value} is no distance", code="BUILDFILE_ATTRIBUTE", field=name)
        return value

    def boolean(self, name: str, *, default: bool) -> bool:
        return default if name not in self.values else self.values[name] == "true"

    def letter(self, name: str, default: str) -> str:
        return (self.values.get(name) or default)[0]

    def _convert(self, name: str, kind: type[_Number]) -> _Number:
        try:
            return kind(self.values[name])
        except ValueError:
            raise BuildFileError(
                f"{self.values[name][:20]!r} is not a number",
                code="BUILDFILE_ATTRIBUTE",
                field=name,
            ) from None
