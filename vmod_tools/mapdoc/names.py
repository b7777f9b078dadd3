"""Names of hexes: sheets are offsets on one common grid, so one cell may have several names.

A name is a sheet id (which may be empty) and two digits each of column and row: `B6125`, `0101`.
Where sheets overlap, the first sheet's name is the one that VASSAL shows and the others are
aliases; nothing else may tell a hex by its text.
"""

from __future__ import annotations

from vmod_tools.errors import MapError
from vmod_tools.mapdoc.model import Cell, HexId, HexMap, MapDocument, Sheet

_DIGITS = 4


def resolve(map: HexMap, text: str) -> Cell:
    """The cell that a name means; it need not be a hex of the map.  Raises MapError (HEX_UNKNOWN)."""
    # Exactly four digits belong to column and row, so sheet ids that end in digits are not ambiguous.
    sheet_id, digits = text[:-_DIGITS], text[-_DIGITS:]
    if len(digits) == _DIGITS and digits.isascii() and digits.isdigit():
        column, row = int(digits[:2]), int(digits[2:])
        for sheet in map.sheets:
            if sheet.id == sheet_id and _prints(sheet, column, row):
                return Cell(
                    sheet.col0 + column - sheet.first_column, sheet.row0 + row - sheet.first_row
                )
    known = ", ".join(_extent(sheet) for sheet in map.sheets)
    raise MapError(
        f"{text[:40]!r} is no hex of map {map.id!r}, whose sheets are {known}", code="HEX_UNKNOWN"
    )


def _prints(sheet: Sheet, column: int, row: int) -> bool:
    return (
        sheet.first_column <= column <= sheet.last_column
        and sheet.first_row <= row <= sheet.last_row
    )


def _extent(sheet: Sheet) -> str:
    first = f"{sheet.id}{sheet.first_column:02}{sheet.first_row:02}"
    return f"{first} to {sheet.id}{sheet.last_column:02}{sheet.last_row:02}"


def _name_in(sheet: Sheet, cell: Cell) -> HexId | None:
    column = sheet.first_column + cell.col - sheet.col0
    row = sheet.first_row + cell.row - sheet.row0
    return HexId(f"{sheet.id}{column:02}{row:02}") if _prints(sheet, column, row) else None


def aliases(map: HexMap, cell: Cell) -> tuple[HexId, ...]:
    """All names of a cell in the order of the sheets; empty when no sheet covers it."""
    names = (_name_in(sheet, cell) for sheet in map.sheets)
    return tuple(name for name in names if name is not None)


def sheet_of(map: HexMap, cell: Cell) -> Sheet | None:
    """The first sheet that covers a cell, whose numbering VASSAL shows there; None when none does."""
    return next((sheet for sheet in map.sheets if _name_in(sheet, cell) is not None), None)


def hex_name(map: HexMap, cell: Cell) -> HexId:
    """The name of a cell in the first sheet that covers it.  Raises MapError (HEX_UNKNOWN) without one."""
    for name in aliases(map, cell):
        return name
    raise MapError(
        f"no sheet of map {map.id!r} covers column {cell.col}, row {cell.row} of its grid",
        code="HEX_UNKNOWN",
    )


def map_of(document: MapDocument, id: str) -> HexMap:
    """The map with an id.  Raises MapError (MAP_UNKNOWN)."""
    for hex_map in document.maps:
        if hex_map.id == id:
            return hex_map
    raise MapError(f"there is no map {id[:40]!r} in {document.id!r}", code="MAP_UNKNOWN")


def resolve_across(document: MapDocument, text: str) -> tuple[HexMap, Cell]:
    """The map and the cell of a name across maps: `op:2420`; where there is one map, its id may be left out.

    Raises MapError (MAP_UNKNOWN, HEX_UNKNOWN).
    """
    map_id, colon, name = text.rpartition(":")
    if not colon and len(document.maps) == 1:
        return document.maps[0], resolve(document.maps[0], name)
    hex_map = map_of(document, map_id)
    return hex_map, resolve(hex_map, name)
