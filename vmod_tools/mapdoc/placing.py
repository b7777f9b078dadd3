"""Putting hexes that were read onto the grid of their map: the step from written ids to cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vmod_tools.errors import MapError
from vmod_tools.mapdoc.model import Cell, Hex, HexId, HexMap, Hexside
from vmod_tools.mapdoc.names import resolve
from vmod_tools.mapdoc.problems import Problem

UNPLACED = Cell(0, 0)
"""The cell of a hex or hexside before it is placed."""


def place(
    empty: HexMap,
    hexes: Iterable[Hex],
    hexsides: Iterable[tuple[HexId, Hexside]],
    problems: list[Problem],
) -> HexMap:
    """A map with its hexes and hexsides; the latter come with the written id of their hex.

    What cannot be placed is left out and added to `problems`: HEX_UNKNOWN, and MAP_DUPLICATE_ID for a
    second hex in a cell, under whatever name.
    """
    placed: dict[Cell, Hex] = {}
    for unplaced in hexes:
        cell = _resolved(empty, unplaced.written, unplaced.line, problems)
        if cell in placed:
            message = f"hex {unplaced.written} is here twice, first as {placed[cell].written}"
            problems.append(Problem("MAP_DUPLICATE_ID", message, unplaced.line))
        elif cell is not None:
            placed[cell] = replace(unplaced, cell=cell)
    sides = []
    for written, entry in hexsides:
        cell = _resolved(empty, written, entry.line, problems)
        if cell is not None:
            sides.append(replace(entry, cell=cell))
    return replace(empty, hexes=placed, hexsides=tuple(sides))


def _resolved(map: HexMap, text: str, line: int, problems: list[Problem]) -> Cell | None:
    try:
        return resolve(map, text)
    except MapError as error:
        problems.append(Problem(error.stable_code, error.message, line))
        return None
