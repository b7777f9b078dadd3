"""Map windows and boards: from a map point to the location name that VASSAL shows.

Source: build/module/Map.java, map/BoardPicker.java, boardPicker/Board.java; format section 10.1.
"""

from __future__ import annotations

from dataclasses import dataclass

from vmod_tools.grids import Grid
from vmod_tools.sequence import Sequence, java_int

OFFBOARD = "offboard"
"""The location name of a point without a board, or on a board whose grid names nothing."""


@dataclass(frozen=True, slots=True)
class BoardDefinition:
    """A board of a map: sizes in pixels (0 when its picture is missing or not readable)."""

    name: str
    width: int
    height: int
    grid: Grid | None = None
    image: str = ""


@dataclass(frozen=True, slots=True)
class DeckDefinition:
    """A DrawPile: board pixels; `board` "" means any board."""

    name: str
    board: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class MapDefinition:
    """A map window.  `identifier` is what saves call it: its name, or Map0, Map1 … without one."""

    identifier: str
    edge_width: int
    edge_height: int
    boards: tuple[BoardDefinition, ...]
    decks: tuple[DeckDefinition, ...] = ()

    def board(self, name: str) -> BoardDefinition | None:
        """The board of that name, or None."""
        return next((b for b in self.boards if b.name == name), None)


@dataclass(frozen=True, slots=True)
class PlacedBoard:
    """A board as a game uses it: its origin in map pixels, and whether it is turned by 180°."""

    definition: BoardDefinition
    x: int
    y: int
    reversed: bool = False

    def local(self, x: int, y: int) -> tuple[int, int]:
        """The board point of a map point."""
        x, y = x - self.x, y - self.y
        # Not width - 1: VASSAL's own formula, and its own inverse.
        return (self.definition.width - x, self.definition.height - y) if self.reversed else (x, y)

    def contains(self, x: int, y: int) -> bool:
        """Whether a map point lies on the board."""
        return (
            self.x <= x < self.x + self.definition.width
            and self.y <= y < self.y + self.definition.height
        )


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A board of a BoardPicker command: its name, whether it is turned by 180°, its column and row.

    A column or row that is no number is None, and VASSAL skips the board.
    """

    name: str
    reversed: bool
    column: int | None
    row: int | None


def board_entries(chosen: tuple[str, ...]) -> tuple[BoardEntry, ...]:
    """The boards in the fields of a BoardPicker command; an incomplete one at the end is left out."""
    entries = []
    for token, column, row in zip(chosen[0::3], chosen[1::3], chosen[2::3], strict=False):
        name, *flags = Sequence.decode(token, "/").tokens
        entries.append(BoardEntry(name, flags[:1] == ["rev"], java_int(column), java_int(row)))
    return tuple(entries)


def place_boards(definition: MapDefinition, chosen: tuple[str, ...]) -> tuple[PlacedBoard, ...]:
    """The boards of a game, from the fields of its BoardPicker command (name, column, row, …).

    Without a choice, a map with exactly one board uses it.  Unknown names are skipped, as in VASSAL.
    """
    slots: dict[tuple[int, int], tuple[BoardDefinition, bool]] = {}
    for entry in board_entries(chosen):
        found = definition.board(entry.name)
        if found is not None and entry.column is not None and entry.row is not None:
            slots[entry.column, entry.row] = found, entry.reversed
    if not slots and len(definition.boards) == 1:
        slots[0, 0] = definition.boards[0], False
    placed = []
    for (at_column, at_row), (board, reverse) in slots.items():
        # Widths come from the same row, heights from the same column; an empty place counts 0.
        x = sum(b.width for (c, r), (b, _) in slots.items() if r == at_row and c < at_column)
        y = sum(b.height for (c, r), (b, _) in slots.items() if c == at_column and r < at_row)
        placed.append(
            PlacedBoard(board, x + definition.edge_width, y + definition.edge_height, reverse)
        )
    return tuple(placed)


def location_name(
    definition: MapDefinition, boards: tuple[PlacedBoard, ...], x: int, y: int
) -> str:
    """The location name that VASSAL shows for a map point."""
    for deck in definition.decks:
        owner = next((b for b in boards if deck.board in ("", b.definition.name)), None)
        if owner is not None and (owner.x + deck.x, owner.y + deck.y) == (x, y):
            return deck.name
    board = next((b for b in boards if b.contains(x, y)), None)
    if board is None or board.definition.grid is None:
        return OFFBOARD
    name = board.definition.grid.location_name(*board.local(x, y))
    return OFFBOARD if name is None else name
