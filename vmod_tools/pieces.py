"""Pieces: two parallel chains of TAB-nested texts, the types and the states of the traits.

`a TAB (b TAB c)`, the inner list escaped as one token of the outer: outermost trait first, the basic
piece last.  Anything odd about a level (quotes, more than two tokens) is kept with it, so that the
chains re-encode exactly; a state chain whose depth differs from its type's is reported and kept.

Source: counters/Decorator.java, BasicPiece.java, Stack.java, Deck.java; vassal-format.md section 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from vmod_tools.commands.kinds import TAB
from vmod_tools.errors import PieceError
from vmod_tools.sequence import NONE_QUOTED, Sequence, java_int
from vmod_tools.traits import (
    BASIC,
    DECK,
    DYNAMIC_PROPERTY,
    LAYER,
    MARKER,
    STACK,
    Trait,
    marker_values,
)
from vmod_tools.values.looks import StackLayer, decode_member

NULL = "null"
"""How VASSAL writes "no map" and "no piece"."""


_CONCEALING = ("obs;", "hide;")


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a chain: its own text, which tokens were quoted, and tokens past the second."""

    text: str
    quoted: frozenset[int] = NONE_QUOTED
    surplus: tuple[str, ...] = ()


Chain = tuple[Level, ...]


def parse_chain(text: str) -> Chain:
    """The levels of a type or state text, outermost first."""
    parts = text.split(TAB)
    if len(parts) == 1 and "'" not in text:
        return (_level(text),)
    return _plain_levels(parts) or _nested_levels(text)


def _plain_levels(parts: list[str]) -> Chain | None:
    """The levels where TAB number k simply carries k - 1 backslashes, as in all but odd texts; else None.

    One split instead of one for each level: a chain of n levels is then read in one pass.
    """
    levels = []
    last = len(parts) - 1
    for depth, part in enumerate(parts):
        # A text in quotes, or one whose own backslashes or TABs blur the count, is read level by level.
        if part[:1] == "'":
            return None
        if depth == last:
            levels.append(_level(part))
            break
        size = len(part) - depth
        if size < 0 or part[size:] != "\\" * depth or part[size - 1 : size] == "\\":
            return None
        levels.append(_level(part[:size] if depth else part))
    return tuple(levels)


def _nested_levels(text: str) -> Chain:
    levels = []
    rest: str | None = text
    while rest is not None:
        tokens = Sequence.decode(rest, TAB)
        rest = tokens.tokens[1] if len(tokens.tokens) > 1 else None
        levels.append(Level(tokens.tokens[0], tokens.quoted, tokens.tokens[2:]))
    return tuple(levels)


@lru_cache(maxsize=65_536)
def _level(text: str) -> Level:
    """Level texts repeat (empty, `false`, a side), so equal ones are one object."""
    return Level(text)


def encode_chain(chain: Chain) -> str:
    """The text of a chain; exactly the one it was parsed from."""
    *outer, last = chain
    inner = Sequence(TAB, (last.text,), last.quoted).encode()
    for level in reversed(outer):
        inner = Sequence(TAB, (level.text, inner, *level.surplus), level.quoted).encode()
    return inner


def chain_of(texts: tuple[str, ...]) -> str:
    """A new chain text, quoted so that every VASSAL version reads it."""
    inner = Sequence.of(texts[-1:], TAB).encode()
    for text in reversed(texts[:-1]):
        inner = Sequence.of((text, inner), TAB).encode()
    return inner


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece, stack or deck as its AddPiece command states it."""

    id: str
    type_chain: Chain
    state_chain: Chain

    @classmethod
    def decode(cls, id: str, type_text: str, state_text: str) -> Self:
        """The piece; any texts make one (see `depth_problem`)."""
        return cls(id, _parse_type(type_text), parse_chain(state_text))

    def traits(self) -> Iterator[Trait]:
        """The traits, outermost first; states that are missing are empty."""
        states = self.state_chain
        for i, level in enumerate(self.type_chain):
            yield Trait.decode(level.text, states[i].text if i < len(states) else "")

    @property
    def basic(self) -> Trait:
        """The innermost trait: BasicPiece, Stack or Deck."""
        depth = len(self.type_chain)
        state = self.state_chain[depth - 1].text if depth <= len(self.state_chain) else ""
        return Trait.decode(self.type_chain[-1].text, state)

    @property
    def is_stack(self) -> bool:
        """Whether this is a stack of pieces."""
        return self.type_chain[-1].text == STACK.prefix

    @property
    def is_deck(self) -> bool:
        """Whether this is a deck."""
        return self.type_chain[-1].text.startswith(DECK.prefix)

    def depth_problem(self) -> PieceError | None:
        """VASSAL aborts a load when a state has fewer levels than its type; more levels are odd too."""
        types, states = len(self.type_chain), len(self.state_chain)
        if types == states:
            return None
        return PieceError(f"{types} traits but {states} states", code="PIECE_DEPTH", field=self.id)


@lru_cache(maxsize=65_536)
def _parse_type(text: str) -> Chain:
    """Parsed once for each distinct type: real saves hold thousands of pieces of a few hundred types."""
    return parse_chain(text)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece stands: map identifier (None: on no map) and map pixels, edge buffer included."""

    map: str | None
    x: int
    y: int


def place_of(trait: Trait) -> Place:
    """The place that the state of a BasicPiece, Stack or Deck states.

    A coordinate that is no number becomes 0, as in VASSAL.
    """
    tokens = (*trait.state_fields().tokens, "", "", "")[:3]
    return Place(
        None if tokens[0] in (NULL, "") else tokens[0],
        java_int(tokens[1]) or 0,
        java_int(tokens[2]) or 0,
    )


def members_of(trait: Trait) -> tuple[str, ...]:
    """The ids of the pieces in a stack or deck, bottom to top."""
    tokens = trait.state_fields().tokens
    if trait.kind is STACK:
        return tuple(t for t in tokens[3:] if t and not t.startswith("@@"))
    if trait.kind is DECK and len(tokens) > 4 and tokens[4]:
        return Sequence.decode(tokens[4], ",").tokens
    return ()


def layer_of(trait: Trait) -> int | None:
    """The visual layer that a stack's state names (-1: not set), or None: written since 3.4.8."""
    last = trait.state_fields().tokens[-1] if trait.kind is STACK else ""
    layer = decode_member(last)
    return layer.number if isinstance(layer, StackLayer) else None


def is_face_down(trait: Trait) -> bool:
    """Whether a deck lies face down; nothing else does."""
    return trait.kind is DECK and trait.state_value("face_down") is True


def stated_properties(piece: Piece) -> dict[str, str]:
    """What a piece states of itself: markers, dynamic properties, levels of named layers,
    BasicName and PieceGpid.

    Outer traits win over inner ones, as in VASSAL.  Expressions are never evaluated.
    """
    properties: dict[str, str] = {}
    for trait in reversed(list(piece.traits())):
        if trait.kind is BASIC:
            gpid = trait.state_fields().tokens[3:4]
            properties |= {"BasicName": trait["name"], "PieceGpid": gpid[0] if gpid else ""}
        elif trait.kind is MARKER:
            properties |= marker_values(trait)
        elif trait.kind is DYNAMIC_PROPERTY:
            properties[trait["key"]] = trait.state
        elif trait.kind is LAYER and trait["name"]:
            # The sign says whether the layer is active.
            level = trait.state_fields().tokens[0]
            properties[f"{trait['name']}_Level"] = level.lstrip("-")
            properties[f"{trait['name']}_Active"] = "false" if level.startswith("-") else "true"
    return properties


def is_concealed(piece: Piece) -> bool:
    """Whether a Mask or Invisible trait hides the piece from a side; whose, is a password or a side."""
    for trait in piece.traits():
        if trait.kind.prefix in _CONCEALING:
            owner = Sequence.decode(trait.state, ";").tokens[0]
            if owner not in ("", NULL):
                return True
    return False
