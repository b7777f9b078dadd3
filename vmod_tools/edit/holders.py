"""Stacks and decks while a save is edited: who holds whom, and that members stand before their stack.

VASSAL's loader ignores a member that it does not know yet, so a piece that joins a stack further up in the
file goes there.  A stack that becomes empty is taken out (VASSAL keeps it, to no use); a deck stays.

Source: counters/Stack.java, Deck.java; vassal-format.md sections 5.2, 7.4, 7.5.
"""

from __future__ import annotations

from vmod_tools.edit.addpiece import AddedPiece, Cell, may_stack, with_members
from vmod_tools.edit.commandtree import Branch, Leaf, new_leaf
from vmod_tools.edit.ids import PieceIds
from vmod_tools.edit.pieceedits import with_place
from vmod_tools.gamestate import GameState
from vmod_tools.pieces import NULL, Piece, Place, members_of, place_of
from vmod_tools.traits import STACK

_NO_LAYER = "@@-1"


class Holders:
    """Where the pieces of a save are; shares its cells with the editor."""

    def __init__(
        self, state: GameState, cells: dict[str, Cell], tree: Branch, ids: PieceIds
    ) -> None:
        self._cells, self._tree, self._ids = cells, tree, ids
        self._places = {i: p.place for i, p in state.pieces.items()}
        self._holding = {i: p.stack for i, p in state.pieces.items() if p.stack is not None}
        self._holders = {i: h.place for i, h in state.holders.items()}
        self._writes_layers = any(
            "@@" in h.piece.state_chain[-1].text for h in state.holders.values() if h.piece.is_stack
        )

    def place(self, piece_id: str, piece: Piece) -> Place:
        """Where a piece stands; a member stands where its stack does."""
        holder = self._holding.get(piece_id)
        if holder is not None:
            return self._holders[holder]
        return self._places.get(piece_id) or place_of(piece.basic)

    def move(self, piece_id: str, place: Place) -> None:
        """Moves a piece: alone in its stack it takes the stack along, unless it joins another."""
        cell = self._cells[piece_id]
        holder = self._holding.get(piece_id)
        in_stack = holder is not None and self._cells[holder].piece.is_stack
        stacks = in_stack or may_stack(cell.piece)
        stays = (
            in_stack
            and place.map is not None
            and self._holder_at(place, stacks=True) is None
            and self._members(holder or "") == (piece_id,)
        )
        if holder is not None and stays:
            self._cells[holder].put(with_place(self._cells[holder].piece, place))
            self._holders[holder] = place
            if place_of(cell.piece.basic).map is not None:
                cell.put(with_place(cell.piece, place))
            return
        self._detach(piece_id)
        cell.put(with_place(cell.piece, place))
        self._attach(piece_id, place, stacks=stacks)

    def remove(self, piece_id: str) -> None:
        """Takes a piece out of the game."""
        self._detach(piece_id)
        self._drop(piece_id)
        self._places.pop(piece_id, None)

    def add(self, piece: Piece, place: Place) -> None:
        """Puts a new piece into the game."""
        added = AddedPiece.of(with_place(piece, place))
        branch, leaf = self._pieces_branch(), new_leaf(added.text)
        branch.parts.append(leaf)
        self._cells[piece.id] = Cell(branch, leaf, "", added)
        self._attach(piece.id, place, stacks=may_stack(piece))

    def _members(self, holder: str) -> tuple[str, ...]:
        """As the file states them, known or not."""
        return members_of(self._cells[holder].piece.basic)

    def _detach(self, piece_id: str) -> None:
        holder = self._holding.pop(piece_id, None)
        if holder is None:
            return
        members = tuple(m for m in self._members(holder) if m != piece_id)
        cell = self._cells[holder]
        if members or cell.piece.is_deck:
            cell.put(with_members(cell.piece, members))
        else:
            self._drop(holder)
            del self._holders[holder]

    def _drop(self, piece_id: str) -> None:
        cell = self._cells.pop(piece_id)
        del cell.branch.parts[cell.branch.index(cell.leaf)]

    def _attach(self, piece_id: str, place: Place, *, stacks: bool) -> None:
        self._places[piece_id] = place
        holder = self._holder_at(place, stacks=stacks)
        if holder is not None:
            cell = self._cells[holder]
            cell.put(with_members(cell.piece, (*self._members(holder), piece_id)))
            self._put_before(self._cells[piece_id], cell)
        elif stacks and place.map is not None:
            holder = self._new_stack(piece_id, place)
        if holder is not None:
            self._holding[piece_id] = holder

    def _holder_at(self, place: Place, *, stacks: bool) -> str | None:
        if place.map is None:
            return None
        for holder, at in self._holders.items():
            if at == place and (
                self._cells[holder].piece.is_deck or (stacks and self._members(holder))
            ):
                return holder
        return None

    def _new_stack(self, member: str, place: Place) -> str:
        """A stack of one, right behind its member."""
        layer = (_NO_LAYER,) if self._writes_layers else ()
        state = ";".join((place.map or NULL, str(place.x), str(place.y), *layer))
        stack = Piece.decode(self._ids.new(), STACK.prefix, state)
        added = AddedPiece.of(with_members(with_place(stack, place), (member,)))
        cell, leaf = self._cells[member], new_leaf(added.text)
        cell.branch.parts.insert(cell.branch.index(cell.leaf) + 1, leaf)
        self._cells[stack.id] = Cell(cell.branch, leaf, "", added)
        self._holders[stack.id] = place
        return stack.id

    def _put_before(self, cell: Cell, other: Cell) -> None:
        """Moves a leaf in front of another, unless it stands there already."""
        for _, leaf in self._tree.leaves():
            if leaf is cell.leaf:
                return
            if leaf is other.leaf:
                break
        del cell.branch.parts[cell.branch.index(cell.leaf)]
        cell.branch = other.branch
        cell.branch.parts.insert(cell.branch.index(other.leaf), cell.leaf)

    def _pieces_branch(self) -> Branch:
        """The branch that holds the pieces; a save without pieces lacks it."""
        last = next(reversed(self._cells.values()), None)
        if last is not None:
            return last.branch
        parts = self._tree.parts
        has_check = isinstance(parts[1], Leaf) and not parts[1].text
        branch = Branch([Leaf("")])
        parts.insert(2 if has_check else 1, branch)
        return branch
