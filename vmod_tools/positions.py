"""Whole positions: what two logs must agree on where one goes on from the other.

A position is every piece (id, traits' states, place), deck (order), global property and turn tracker.
Not part of it, because an honest reply differs in it: stacks and their ids, the order of commands in
the file, what a member's own state says of its place, BasicPiece's notes to itself (where it was
clicked, where it came from), players, and who owns a mask.  How types are written and how pieces lie
on one another is compared too, but only told: another VASSAL version writes the same piece in other
words.

The digest is a sum of hashes, so a step costs no more than the pieces that it touched.  It is no proof
against forgers; nothing in a log is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from vmod_tools.commands.kinds import GLOBAL_PROPERTY
from vmod_tools.commands.tree import leaves
from vmod_tools.gamestate import GameState, Holder, PlacedPiece
from vmod_tools.piecechanges import PieceChanges, piece_changes, public_state
from vmod_tools.pieces import Place, stated_properties
from vmod_tools.saves import Save, parse_located

_MODULUS = 1 << 256

PropertyKey = tuple[str, str]
"""Container and name."""


def declared_properties(save: Save) -> frozenset[PropertyKey]:
    """The global properties that the save itself lists.

    Results of dice buttons are properties too, but VASSAL does not save them: a reply cannot agree.
    """
    found = set()
    for tree in save.start_commands:
        for leaf in leaves(tree):
            if leaf.startswith(GLOBAL_PROPERTY.prefix):
                command = parse_located(leaf, "global property")
                found.add((command.get("container") or "", command["name"]))
    return frozenset(found)


class Digester:
    """Digests the states of one log, one after the other."""

    def __init__(self, declared: frozenset[PropertyKey]) -> None:
        self._declared = declared
        self._pieces: dict[str, tuple[PlacedPiece, int]] = {}
        self._decks: dict[str, tuple[Holder, int]] = {}

    def digest(self, state: GameState) -> str:
        """The digest of a state, as 64 hex digits."""
        total = 0
        pieces, decks = {}, {}
        for piece_id, placed in state.pieces.items():
            known = self._pieces.get(piece_id)
            entry = (
                known if known and known[0] is placed else (placed, _hash(_piece(piece_id, placed)))
            )
            pieces[piece_id] = entry
            total += entry[1]
        for piece_id, holder in state.holders.items():
            if holder.piece.is_deck:
                of_deck = self._decks.get(piece_id)
                if not of_deck or of_deck[0] is not holder:
                    of_deck = holder, _hash(_deck(piece_id, holder))
                decks[piece_id] = of_deck
                total += of_deck[1]
        self._pieces, self._decks = pieces, decks
        for key, value in global_values(state, self._declared).items():
            total += _hash(("property", *key, value))
        total += sum(_hash(("turn", *item)) for item in state.turns.items())
        return f"{total % _MODULUS:064x}"


def global_values(state: GameState, declared: frozenset[PropertyKey]) -> Mapping[PropertyKey, str]:
    """The declared properties; a declaration without a container (old files) fits any of them."""
    values = {}
    for key in declared:
        value = state.properties.get(key, "")
        if not key[0]:
            later = [v for (_, name), v in state.properties.items() if name == key[1]]
            value = later[-1] if later else value
        values[key] = value
    return values


def _hash(parts: tuple[object, ...]) -> int:
    text = repr(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(sha256(text).digest(), "big")


def _piece(id: str, placed: PlacedPiece) -> tuple[object, ...]:
    *traits, basic = placed.piece.traits()
    gpid = basic.state_fields().tokens[3:4]
    return (id, _place(placed.place), tuple(map(public_state, traits)), gpid)


def _deck(id: str, holder: Holder) -> tuple[object, ...]:
    face_down = holder.piece.basic.state_fields().tokens[3:4]
    return (id, _place(holder.place), face_down, holder.members)


def _place(place: Place) -> tuple[object, ...]:
    return (place.map, place.x, place.y) if place.map is not None else (None,)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which two positions differ."""

    kind: str
    """missing, extra, moved, changed, deck, property or turn; seen from the earlier position."""
    id: str
    name: str = ""
    start: Place | None = None
    end: Place | None = None
    changes: PieceChanges = field(default_factory=lambda: PieceChanges((), ()))


def differences(
    earlier: GameState, later: GameState, declared: frozenset[PropertyKey]
) -> tuple[Difference, ...]:
    """What stands elsewhere or otherwise in `later`, sorted by kind of thing and id."""
    found = [*_piece_differences(earlier, later), *_deck_differences(earlier, later)]
    before, after = global_values(earlier, declared), global_values(later, declared)
    for key in sorted(declared):
        if before[key] != after[key]:
            change = PieceChanges(((key[1], before[key], after[key]),), ())
            found.append(Difference("property", "/".join(key), key[1], changes=change))
    for tracker in sorted(earlier.turns.keys() | later.turns.keys()):
        was, now = earlier.turns.get(tracker, ""), later.turns.get(tracker, "")
        if was != now:
            change = PieceChanges(((tracker, was, now),), ())
            found.append(Difference("turn", tracker, tracker, changes=change))
    return tuple(found)


def _piece_differences(earlier: GameState, later: GameState) -> Iterator[Difference]:
    for piece_id in sorted(earlier.pieces.keys() | later.pieces.keys()):
        old, new = earlier.pieces.get(piece_id), later.pieces.get(piece_id)
        if old is new or (old and new and _piece(piece_id, old) == _piece(piece_id, new)):
            continue
        start, end = old.place if old else None, new.place if new else None
        name = _name(new or old)
        if old is None or new is None:
            yield Difference("missing" if old else "extra", piece_id, name, start, end)
            continue
        if _place(old.place) != _place(new.place):
            yield Difference("moved", piece_id, name, start, end)
        changes = piece_changes(old.piece, new.piece)
        if changes:
            yield Difference("changed", piece_id, name, start, end, changes)


def _name(placed: PlacedPiece | None) -> str:
    return stated_properties(placed.piece).get("BasicName", "") if placed else ""


def _deck_differences(earlier: GameState, later: GameState) -> Iterator[Difference]:
    old, new = decks_of(earlier), decks_of(later)
    for piece_id in sorted(old.keys() | new.keys()):
        was, now = old.get(piece_id), new.get(piece_id)
        if (was and _deck(piece_id, was)) != (now and _deck(piece_id, now)):
            start, end = was.place if was else None, now.place if now else None
            yield Difference("deck", piece_id, deck_name(now or was), start, end)


def decks_of(state: GameState) -> dict[str, Holder]:
    """The decks of a state by id."""
    return {piece_id: h for piece_id, h in state.holders.items() if h.piece.is_deck}


def deck_name(holder: Holder | None) -> str:
    """What its module calls a deck."""
    return holder.piece.basic["deck_name"] if holder else ""


def written_otherwise(earlier: GameState, later: GameState) -> tuple[int, int]:
    """In positions that agree: how many pieces have other type texts, and how many stacks another order."""
    both = earlier.pieces.keys() & later.pieces.keys()
    types = sum(
        earlier.pieces[piece_id].piece.type_chain != later.pieces[piece_id].piece.type_chain
        for piece_id in both
    )
    orders = _orders(earlier) ^ _orders(later)
    return types, (len(orders) + 1) // 2


def _orders(state: GameState) -> set[tuple[str, ...]]:
    stacks = (h for h in state.holders.values() if h.piece.is_stack)
    return {h.members for h in stacks if len(h.members) > 1}
