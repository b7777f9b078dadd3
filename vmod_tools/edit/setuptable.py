"""A table of pieces (CSV): one row a piece, for a new save.

Columns: `slot` (a gpid, or the entry name of one slot alone), `map`, then `x` and `y` (map pixels) or
`location` (VASSAL's location name), and any others: properties of the piece, set where a cell is not empty.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass

from vmod_tools.errors import InputFileError
from vmod_tools.sequence import java_int

_COLUMNS = ("slot", "map", "x", "y", "location")


@dataclass(frozen=True, slots=True)
class Row:
    """A piece to be placed; `line` is its line of the file.  Either `point` or `location` is given."""

    line: int
    slot: str
    map: str
    point: tuple[int, int] | None
    location: str
    properties: Mapping[str, str]


def read_table(data: bytes) -> tuple[Row, ...]:
    """The rows of a table; raises InputFileError (SETUP_…) with the line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputFileError("the table is not UTF-8", code="SETUP_ENCODING") from None
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        names = list(reader.fieldnames or ())
        missing = [name for name in ("slot", "map") if name not in names]
        if missing or len(set(names)) != len(names):
            wrong = f"lacks the column {missing[0]}" if missing else "has a column twice"
            raise InputFileError(f"the table {wrong}", code="SETUP_COLUMNS", place="line 1")
        return tuple(_row(cells, reader.line_num) for cells in reader)
    except csv.Error as error:
        raise InputFileError(
            f"not a table: {error}", code="SETUP_CSV", place=f"line {reader.line_num + 1}"
        ) from error


def _row(cells: Mapping[str | None, str | list[str] | None], line: int) -> Row:
    if None in cells:
        raise bad_row(line, "has more cells than there are columns")
    texts = {name: value for name, value in cells.items() if name and isinstance(value, str)}
    x, y, location = (texts.get(name, "").strip() for name in ("x", "y", "location"))
    at = java_int(x), java_int(y)
    if (x or y) and location:
        raise bad_row(line, "has both pixels and a location")
    if not location and (at[0] is None or at[1] is None):
        raise bad_row(line, "needs x and y, whole numbers, or a location")
    return Row(
        line=line,
        slot=texts.get("slot", "").strip(),
        map=texts.get("map", ""),
        point=None if at[0] is None or at[1] is None else (at[0], at[1]),
        location=location,
        properties={name: v for name, v in texts.items() if name not in _COLUMNS and v},
    )


def bad_row(line: int, what: str) -> InputFileError:
    """The error for a row."""
    return InputFileError(f"the row {what}", code="SETUP_ROW", place=f"line {line}")
