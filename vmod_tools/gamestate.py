"""The state of a game, and what one command does to it.

A `GameState` is never changed; `apply` gives the next one, so the state before a step is still there
when its ruling is read.  VASSAL keeps a piece's place twice (in the piece and in its stack); the place
of a member is the stack's, whatever its own state says.

Source: command/AddPiece.java, ChangePiece.java, MovePiece.java, RemovePiece.java; counters/Stack.java;
format sections 6 and 11.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from vmod_tools.commands.kinds import (
    ADD,
    BOARDS,
    CHANGE,
    GLOBAL_PROPERTY,
    MOVE,
    MUTABLE_PROPERTY,
    PLAYER,
    REMOVE,
    TURN,
    Command,
)
from vmod_tools.pieces import NULL, Piece, Place, members_of, parse_chain, place_of
from vmod_tools.sequence import Sequence
from vmod_tools.traits import DOES_NOT_STACK

_PICKER = "BoardPicker"


@dataclass(frozen=True, slots=True)
class Player:
    """A player of the game.  `user_id` is his password text: it is compared, and never shown."""

    user_id: str = field(repr=False)
    name: str
    side: str


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece and where it stands; `stack` is the id of the stack or deck that holds it."""

    piece: Piece
    place: Place
    stack: str | None = None


@dataclass(frozen=True, slots=True)
class Holder:
    """A stack or deck: where it stands, and its members bottom to top."""

    piece: Piece
    place: Place
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything that commands have set so far."""

    pieces: Mapping[str, PlacedPiece] = field(default_factory=dict)
    holders: Mapping[str, Holder] = field(default_factory=dict)
    players: tuple[Player, ...] = field(default=(), repr=False)
    boards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By map identifier: the fields of its BoardPicker command."""
    turns: Mapping[str, str] = field(default_factory=dict)
    """By tracker id: its state."""
    properties: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Global properties by (container, name)."""


class _Draft:
    """A state under construction: the dicts are copied once for a whole batch of commands."""

    def __init__(self, state: GameState) -> None:
        self.pieces = dict(state.pieces)
        self.holders = dict(state.holders)
        self.players = list(state.players)
        self.boards = dict(state.boards)
        self.turns = dict(state.turns)
        self.properties = dict(state.properties)

    def finish(self) -> GameState:
        return GameState(
            self.pieces, self.holders, tuple(self.players), self.boards, self.turns, self.properties
        )

    def take_out(self, id: str) -> None:
        """Takes a piece out of the stack that holds it; an emptied one stays, as in VASSAL."""
        placed = self.pieces.get(id)
        if placed is None or placed.stack is None:
            return
        holder = self.holders[placed.stack]
        self.pieces[id] = replace(placed, stack=None)
        members = tuple(m for m in holder.members if m != id)
        self.holders[placed.stack] = replace(holder, members=members)

    def set_members(self, id: str, holder: Holder) -> None:
        """Makes `holder` hold its members, taking them out of where they were.

        Members that are not there (yet) are left out, as in VASSAL: they will lie loose.
        """
        old = self.holders.get(id)
        members = tuple(m for m in dict.fromkeys(holder.members) if m in self.pieces)
        holder = replace(holder, members=members)
        for member in old.members if old else ():
            if member not in holder.members:
                self.pieces[member] = replace(self.pieces[member], stack=None)
        for member in holder.members:
            placed = self.pieces[member]
            if placed.stack not in (None, id):
                self.take_out(member)
            self.pieces[member] = replace(placed, place=holder.place, stack=id)
        self.holders[id] = holder


def apply(state: GameState, commands: Iterable[Command]) -> GameState:
    """The state after `commands`, in their order.  Commands that do not touch the state are skipped,
    and so are those that speak of a piece that is not there (VASSAL skips them too)."""
    draft = _Draft(state)
    for command in commands:
        action = _ACTIONS.get(command.kind.name)
        if action is not None:
            action(draft, command)
    return draft.finish()


def _add(draft: _Draft, command: Command) -> None:
    piece = Piece.decode(command["id"], command["type"], command["state"])
    place = place_of(piece.basic)
    if piece.is_stack or piece.is_deck:
        draft.set_members(piece.id, Holder(piece, place, members_of(piece.basic)))
        return
    draft.take_out(piece.id)
    draft.pieces[piece.id] = PlacedPiece(piece, place)


def _remove(draft: _Draft, command: Command) -> None:
    piece_id = command["id"]
    draft.take_out(piece_id)
    draft.pieces.pop(piece_id, None)
    holder = draft.holders.pop(piece_id, None)
    for member in holder.members if holder else ():
        draft.pieces[member] = replace(draft.pieces[member], stack=None)


def _change(draft: _Draft, command: Command) -> None:
    piece_id, new = command["id"], parse_chain(command["state"])
    holder = draft.holders.get(piece_id)
    if holder is not None:
        piece = replace(holder.piece, state_chain=new)
        place, members = place_of(piece.basic), members_of(piece.basic)
        if piece.is_stack:
            # A stack keeps members that its new state does not name; a deck lets go of them.
            members += tuple(m for m in holder.members if m not in members)
        draft.set_members(piece_id, Holder(piece, place, members))
        return
    placed = draft.pieces.get(piece_id)
    if placed is None or len(new) < len(placed.piece.type_chain):
        # VASSAL runs out of states while it merges them, and skips the command.
        return
    old_text = command.get("old_state")
    old_chain = placed.piece.state_chain if old_text is None else parse_chain(old_text)
    piece = replace(placed.piece, state_chain=new)
    # VASSAL merges level by level: what is the same in the old and the new state stays as it is now.
    place, before = (
        place_of(piece.basic),
        place_of(replace(placed.piece, state_chain=old_chain).basic),
    )
    moved = placed.stack is None and place != before
    draft.pieces[piece_id] = replace(placed, piece=piece, place=place if moved else placed.place)


def _move(draft: _Draft, command: Command) -> None:
    piece_id = command["id"]
    map_text = command["map"]
    place = Place(
        None if map_text in (NULL, "") else map_text, command.number("x"), command.number("y")
    )
    moving: tuple[str, ...]
    holder = draft.holders.get(piece_id)
    if holder is not None:
        draft.set_members(piece_id, replace(holder, place=place))
        if holder.piece.is_deck:
            return
        moving = holder.members
    elif piece_id in draft.pieces:
        draft.take_out(piece_id)
        draft.pieces[piece_id] = replace(draft.pieces[piece_id], place=place)
        moving = (piece_id,)
    else:
        return
    target = _holder_at(draft, piece_id, place, command["under"])
    if target is not None:
        holder = draft.holders[target]
        below = (
            holder.members.index(command["under"]) + 1
            if command["under"] in holder.members
            else len(holder.members)
        )
        members = (*holder.members[:below], *moving, *holder.members[below:])
        draft.set_members(target, replace(holder, members=members))


def _holder_at(draft: _Draft, moved: str, place: Place, under: str) -> str | None:
    """The stack or deck that a moved piece or stack joins: the one of the piece below it if that is
    there, else one at exactly that point."""
    below = draft.pieces.get(under)
    if below is not None and below.place == place and below.stack not in (None, moved):
        return below.stack
    if place.map is None:
        return None
    loose = moved in draft.pieces and not _stacks(draft.pieces[moved].piece)
    return next(
        (
            i
            for i, h in draft.holders.items()
            if i != moved and h.place == place and (h.piece.is_deck or (h.members and not loose))
        ),
        None,
    )


def _stacks(piece: Piece) -> bool:
    """Whether the piece may stand in a stack, as far as it says so outside its prototypes."""
    own = (t for t in piece.traits() if t.kind is DOES_NOT_STACK)
    return all(trait["stacking"] == "L" for trait in own)


def _player(draft: _Draft, command: Command) -> None:
    player = Player(command["user_id"], command["name"], command["side"])
    # The roster is written twice in some versions; the id is the key, the later entry holds.
    others = [p for p in draft.players if p.user_id != player.user_id]
    at = next((i for i, p in enumerate(draft.players) if p.user_id == player.user_id), len(others))
    draft.players = [*others[:at], player, *others[at:]]


def _boards(draft: _Draft, command: Command) -> None:
    picker, *fields = command.fields.tokens if isinstance(command.fields, Sequence) else ("",)
    draft.boards[picker.removesuffix(_PICKER)] = tuple(fields)


def _turn(draft: _Draft, command: Command) -> None:
    draft.turns[command["tracker"].removeprefix("TURN")] = command["state"]


def _property(draft: _Draft, command: Command) -> None:
    draft.properties[command.get("container") or "", command["name"]] = command["value"]


_ACTIONS: Mapping[str, Callable[[_Draft, Command], None]] = {
    ADD.name: _add,
    REMOVE.name: _remove,
    CHANGE.name: _change,
    MOVE.name: _move,
    PLAYER.name: _player,
    BOARDS.name: _boards,
    TURN.name: _turn,
    GLOBAL_PROPERTY.name: _property,
    MUTABLE_PROPERTY.name: _property,
}
