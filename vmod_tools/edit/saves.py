"""Editing a save, or the start of a log: only the commands of edited pieces are written anew.

A log's steps stay as they are, unless `steps` is set.  Then the pieces that steps bring in are edited too,
and later states of a piece get the levels that an edit adds to it or takes from it; without it such an edit
is refused where a step would no longer fit the piece (VASSAL skips a step whose state has too few levels).
Steps that move or set what was edited keep what they say: they are the players' own.

Source: vassal-format.md sections 5, 7, 11 and 14.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vmod_tools.archive import Archive
from vmod_tools.boards import MapDefinition, PlacedBoard, location_name, place_boards
from vmod_tools.commands.kinds import CHANGE, GLOBAL_PROPERTY, LOG, MOVE, REMOVE, parse_command
from vmod_tools.commands.tree import encode_tree
from vmod_tools.edit.addpiece import AddedPiece, Cell
from vmod_tools.edit.changes import Change, piece_changes
from vmod_tools.edit.commandtree import Branch, Leaf, editable, encode
from vmod_tools.edit.holders import Holders
from vmod_tools.edit.ids import PieceIds
from vmod_tools.edit.pieceedits import PieceEdit
from vmod_tools.edit.quoting import rebuilt, replaced
from vmod_tools.edit.selectors import Selector, Subject
from vmod_tools.envelope import encode as hide
from vmod_tools.errors import VmodError
from vmod_tools.modules import Module
from vmod_tools.pieces import Piece, Place, encode_chain, parse_chain, stated_properties
from vmod_tools.saves import SAVED_GAME, Save
from vmod_tools.sequence import Sequence


class SaveEditor:
    """A save or log that is being edited; `finish` gives the archive."""

    def __init__(
        self, archive: Archive, module: Module | None = None, *, steps: bool = False
    ) -> None:
        """Raises a VmodError when the save cannot be read whole."""
        self._save = Save.read(archive)
        self._save.require_whole()
        self._module, self._steps = module, steps
        self._tree = editable(self._save.tree)
        self._cells: dict[str, Cell] = {}
        self._later: dict[str, list[Cell]] = {}
        """AddPiece commands in steps."""
        self._states: dict[str, list[tuple[Leaf, str]]] = {}
        """ChangePiece commands in steps, each with its prefix."""
        self._properties: list[Leaf] = []
        taken = self._read_start() | self._read_steps()
        self.ids = PieceIds(taken)
        self._holders = Holders(self._save.state, self._cells, self._tree, self.ids)
        self._boards: dict[str, tuple[PlacedBoard, ...]] = {}
        self.changes: list[Change] = []

    # Reading

    def _read_start(self) -> set[str]:
        for branch, leaf in self._top(after_end=False):
            if leaf.text.startswith("+/"):
                added = AddedPiece.parse(leaf.text)
                # Of two pieces with one id the later one counts, as in VASSAL.
                self._cells[added.piece.id] = Cell(branch, leaf, "", added)
            elif leaf.text.startswith(GLOBAL_PROPERTY.prefix):
                self._properties.append(leaf)
        return set(self._cells)

    def _read_steps(self) -> set[str]:
        taken = set()
        for branch, leaf in self._top(after_end=True):
            text = leaf.text.removeprefix(LOG.prefix)
            prefix = leaf.text[: len(leaf.text) - len(text)]
            if text[:2] == "+/":
                added = AddedPiece.parse(text)
                taken.add(added.piece.id)
                self._later.setdefault(added.piece.id, []).append(Cell(branch, leaf, prefix, added))
            elif text[:2] in (CHANGE.prefix, MOVE.prefix, REMOVE.prefix):
                piece_id = parse_command(text)["id"]
                taken.add(piece_id)
                if text[:2] == CHANGE.prefix:
                    self._states.setdefault(piece_id, []).append((leaf, prefix))
        return taken

    def _top(self, *, after_end: bool) -> Iterator[tuple[Branch, Leaf]]:
        ended = False
        for part in list(self._tree.parts):
            if ended == after_end:
                if isinstance(part, Leaf):
                    yield self._tree, part
                else:
                    yield from part.leaves()
            ended = ended or (isinstance(part, Leaf) and part.text == "end_save")

    # Choosing

    def select(self, selector: Selector) -> tuple[str, ...]:
        """The ids of the pieces that fit, in file order; stacks and decks are no pieces.

        Raises VmodError when the selector speaks of locations and there is no module.
        """
        if selector.asks_location and self._module is None:
            raise VmodError(
                "location names need the module", code="MODULE_NEEDED", field="--module"
            )
        found = [i for i, c in self._cells.items() if _is_piece(c.piece)]
        if self._steps:
            found += [i for i in self._later if i not in self._cells and _is_piece(self.piece(i))]
        return tuple(i for i in found if selector.matches(self._subject(i)))

    def piece(self, piece_id: str) -> Piece:
        """A piece as it is now, or as the step that brings it in has it."""
        cell = self._cells.get(piece_id) or self._later[piece_id][0]
        return cell.piece

    def label(self, piece_id: str) -> str:
        """How a piece is spoken of: its name and id."""
        return _where(self.piece(piece_id))

    def place(self, piece_id: str) -> Place:
        """Where a piece stands."""
        return self._holders.place(piece_id, self.piece(piece_id))

    def _subject(self, piece_id: str) -> Subject:
        piece, place = self.piece(piece_id), self.place(piece_id)
        return Subject(
            piece, piece_id, _name(piece), map=place.map, location=lambda: self._location(place)
        )

    def _location(self, place: Place) -> str | None:
        definition = self._module.map(place.map) if self._module and place.map else None
        if definition is None:
            return None
        return location_name(definition, self.boards(definition), place.x, place.y)

    def boards(self, definition: MapDefinition) -> tuple[PlacedBoard, ...]:
        """The boards of a map in this game."""
        key = definition.identifier
        if key not in self._boards:
            self._boards[key] = place_boards(definition, self._save.state.boards.get(key, ()))
        return self._boards[key]

    # Editing

    def edit(self, pieces: Iterable[str], edit: PieceEdit) -> int:
        """Makes an edit to each of the pieces; the number of those that it changed."""
        changed = 0
        for piece_id in pieces:
            before = self.piece(piece_id)
            cells = [c for c in (self._cells.get(piece_id),) if c]
            if self._steps or not cells:
                cells += self._later.get(piece_id, [])
            try:
                after = edit.apply(before)
                if after == before:
                    continue
                if len(after.type_chain) != len(before.type_chain):
                    self._reshape(piece_id, edit)
                for cell in cells:
                    cell.put(edit.apply(cell.piece))
            except VmodError as error:
                raise error.located(place=f"piece {piece_id}") from None
            self.changes += piece_changes(_where(before), before, after)
            changed += 1
        return changed

    def _reshape(self, piece_id: str, edit: PieceEdit) -> None:
        """Fits later states of the piece to the levels that it will have."""
        states = self._states.get(piece_id, [])
        again = self._later.get(piece_id, []) if piece_id in self._cells else []
        if (states or again) and not self._steps:
            raise VmodError(
                f"{len(states) + len(again)} steps of the log would no longer fit the piece; "
                "they can be edited too (--steps)",
                code="EDIT_STEPS",
            )
        piece = self.piece(piece_id)
        for leaf, prefix in states:
            text = leaf.text.removeprefix(prefix + CHANGE.prefix)
            fields = Sequence.decode(text, CHANGE.delimiter)
            for index in range(1, len(fields.tokens)):
                chain = edit.reshape(piece, parse_chain(fields.tokens[index]))
                fields = rebuilt(fields, index, encode_chain(chain))
            leaf.text = prefix + CHANGE.prefix + fields.encode()

    def move(self, pieces: Iterable[str], place: Place) -> int:
        """Moves pieces to a point; there they stand on top of what stands there, in the order given.

        A piece that a stack holds alone takes its stack along.
        """
        moved = 0
        for piece_id in self._only_start(pieces):
            before = self.place(piece_id)
            if before != place:
                self._holders.move(piece_id, place)
                self.changes.append(
                    Change(_where(self.piece(piece_id)), "place", _said(before), _said(place))
                )
                moved += 1
        return moved

    def remove(self, pieces: Iterable[str]) -> int:
        """Removes pieces, and the stacks that become empty by it; decks stay."""
        gone = list(self._only_start(pieces))
        for piece_id in gone:
            piece, place = self.piece(piece_id), self.place(piece_id)
            self._holders.remove(piece_id)
            self.changes.append(Change(_where(piece), "piece", _said(place), "(removed)"))
        return len(gone)

    def add(self, piece: Piece, place: Place) -> str:
        """Adds a piece under a new id, on top of what stands at that point; the id."""
        piece = replace(piece, id=self.ids.new())
        self._holders.add(piece, place)
        self.changes.append(Change(_where(piece), "piece", "(added)", _said(place)))
        return piece.id

    def set_global(self, name: str, value: str, container: str | None = None) -> int:
        """Sets the global properties of that name, in one container or in all; the number of those that fit."""
        fitting = 0
        for leaf in self._properties:
            text = leaf.text.removeprefix(GLOBAL_PROPERTY.prefix)
            fields = Sequence.decode(text, GLOBAL_PROPERTY.delimiter)
            old = (*fields.tokens, "")[:3]
            if old[0] == name and container in (None, old[2]):
                fitting += 1
                if old[1] != value:
                    leaf.text = GLOBAL_PROPERTY.prefix + replaced(fields, 1, value).encode()
                    self.changes.append(Change(f"global property {old[2]}", name, old[1], value))
        return fitting

    def _only_start(self, pieces: Iterable[str]) -> Iterator[str]:
        for piece_id in pieces:
            if piece_id not in self._cells:
                raise VmodError(
                    "a step brings the piece in; only pieces of the start can be moved or removed",
                    code="EDIT_STEPS",
                    place=f"piece {piece_id}",
                )
            yield piece_id

    # Writing

    def finish(self) -> Archive:
        """The archive with the edited text; the same archive when nothing changed."""
        text = encode(self._tree)
        if text == encode_tree(self._save.tree):
            return self._save.archive
        plain = text.encode("utf-8", "surrogateescape")
        return self._save.archive.with_entry(SAVED_GAME, hide(self._save.envelope, plain))


def _is_piece(piece: Piece) -> bool:
    return not (piece.is_stack or piece.is_deck)


def _name(piece: Piece) -> str:
    return stated_properties(piece).get("BasicName", "")


def _where(piece: Piece) -> str:
    return f"{_name(piece)} ({piece.id})"


def _said(place: Place) -> str:
    return "off the map" if place.map is None else f"{place.map} {place.x},{place.y}"
