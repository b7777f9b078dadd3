"""What can be done to one piece, as data: each edit gives the piece anew, or the same one if it has nothing to do.

Only the level that an edit speaks of is written anew, with the levels around it.  `reshape` does to a state
chain what the edit does to the piece's number of levels, so that later states of the piece in a log fit it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from vmod_tools.commands.kinds import TAB
from vmod_tools.edit.quoting import readable, replaced
from vmod_tools.errors import PieceError
from vmod_tools.pieces import NULL, Chain, Level, Piece, Place
from vmod_tools.sequence import NONE_QUOTED, Sequence, java_int, needs_quotes
from vmod_tools.traits import BASIC, DYNAMIC_PROPERTY, LAYER, MARKER, Trait


class PieceEdit(Protocol):
    """An edit of a piece."""

    def apply(self, piece: Piece) -> Piece:
        """The piece after the edit; `piece` itself when there is nothing to do."""
        ...

    def reshape(self, piece: Piece, states: Chain) -> Chain:
        """Another state chain of the piece, with the levels that the edit adds or takes away."""
        ...


class _SameShape:
    """An edit that adds and removes no levels."""

    def reshape(self, piece: Piece, states: Chain) -> Chain:
        """The same chain."""
        return states


@dataclass(frozen=True, slots=True)
class SetProperty(_SameShape):
    """Sets what a piece states as property `name`: a marker, a dynamic property, `<layer>_Level` or
    `<layer>_Active`.  Of several traits that state it, the outermost counts, as in VASSAL."""

    name: str
    value: str

    def apply(self, piece: Piece) -> Piece:
        """The piece with the property set."""
        for index, trait in enumerate(piece.traits()):
            state = _with_property(trait, self.name, self.value)
            if state is not None:
                return with_state(piece, index, state)
        return piece

    def is_stated_by(self, piece: Piece) -> bool:
        """Whether a trait of the piece states the property."""
        return any(_with_property(t, self.name, self.value) is not None for t in piece.traits())


def _with_property(trait: Trait, name: str, value: str) -> str | None:
    """The trait's state with the property set; None when the trait does not state it."""
    if trait.kind is MARKER and name in trait.tokens:
        return replaced(trait.state_fields(), trait.tokens.index(name), value).encode()
    if trait.kind is DYNAMIC_PROPERTY and trait["key"] == name:
        return value
    if trait.kind is LAYER and trait["name"]:
        level = trait.state_fields().tokens[0]
        if name == f"{trait['name']}_Level":
            if java_int(value) is None or value.startswith("-"):
                raise PieceError(f"{value!r} is no level", code="EDIT_LEVEL", field=name)
            sign = "-" if level.startswith("-") else ""
            return replaced(trait.state_fields(), 0, sign + value).encode()
        if name == f"{trait['name']}_Active":
            if value not in ("true", "false"):
                raise PieceError("must be true or false", code="EDIT_LEVEL", field=name)
            sign = "" if value == "true" else "-"
            return replaced(trait.state_fields(), 0, sign + level.removeprefix("-")).encode()
    return None


@dataclass(frozen=True, slots=True)
class SetState(_SameShape):
    """Sets the whole state text of every trait whose type begins with `prefix`."""

    prefix: str
    state: str

    def apply(self, piece: Piece) -> Piece:
        """The piece with the states set."""
        for index in levels_of(piece, self.prefix):
            piece = with_state(piece, index, self.state)
        return piece


@dataclass(frozen=True, slots=True)
class SetField(_SameShape):
    """Sets a field of the type of every trait whose type begins with `prefix`; its name is the table's."""

    prefix: str
    field: str
    value: str

    def apply(self, piece: Piece) -> Piece:
        """The piece with the fields set."""
        for index in levels_of(piece, self.prefix):
            piece = with_field(piece, index, self.field, self.value)
        return piece


@dataclass(frozen=True, slots=True)
class AddTrait:
    """Puts a trait around the piece, as VASSAL's editor does."""

    type: str
    state: str = ""

    def apply(self, piece: Piece) -> Piece:
        """The piece with the trait."""
        return replace(
            piece,
            type_chain=settled((_new_level(self.type), *piece.type_chain)),
            state_chain=self.reshape(piece, piece.state_chain),
        )

    def reshape(self, piece: Piece, states: Chain) -> Chain:
        """The chain with the trait's state in front."""
        return settled((_new_level(self.state), *states))


@dataclass(frozen=True, slots=True)
class RemoveTrait:
    """Takes out every trait whose type begins with `prefix`; the basic piece stays."""

    prefix: str

    def apply(self, piece: Piece) -> Piece:
        """The piece without the traits."""
        gone = levels_of(piece, self.prefix)
        if not gone:
            return piece
        return replace(
            piece,
            type_chain=_without(piece.type_chain, gone),
            state_chain=_without(piece.state_chain, gone),
        )

    def reshape(self, piece: Piece, states: Chain) -> Chain:
        """The chain without the traits' states."""
        return _without(states, levels_of(piece, self.prefix))


@dataclass(frozen=True, slots=True)
class Rename(_SameShape):
    """Gives the basic piece another name."""

    name: str

    def apply(self, piece: Piece) -> Piece:
        """The piece with the name; stacks and decks have none."""
        if piece.basic.kind is not BASIC:
            return piece
        return with_field(piece, len(piece.type_chain) - 1, "name", self.name)


def levels_of(piece: Piece, prefix: str) -> tuple[int, ...]:
    """The numbers of the traits whose type begins with `prefix`, outermost 0; never the basic piece's."""
    traits = piece.type_chain[:-1]
    return tuple(i for i, level in enumerate(traits) if level.text.startswith(prefix))


def with_state(piece: Piece, index: int, state: str) -> Piece:
    """The piece with another state text of one trait; raises PieceError when it has no state there."""
    if index >= len(piece.state_chain):
        raise PieceError("the piece has fewer states than traits", code="PIECE_DEPTH")
    chain = _with_text(piece.state_chain, index, state)
    return piece if chain is piece.state_chain else replace(piece, state_chain=chain)


def with_place(piece: Piece, place: Place) -> Piece:
    """The piece, stack or deck with another place in its innermost state."""
    tokens = Sequence.decode(piece.state_chain[-1].text, ";")
    new = (NULL if place.map is None else place.map, str(place.x), str(place.y))
    for index, token in enumerate(new):
        if index >= len(tokens.tokens) or tokens.tokens[index] != token:
            tokens = replaced(tokens, index, token)
    return with_state(piece, len(piece.state_chain) - 1, tokens.encode())


def with_gpid(piece: Piece, gpid: str) -> Piece:
    """The piece with another gpid in its innermost state."""
    tokens = Sequence.decode(piece.state_chain[-1].text, ";")
    return with_state(piece, len(piece.state_chain) - 1, replaced(tokens, 3, gpid).encode())


def gpid_of(piece: Piece) -> str:
    """The gpid that the piece states; "" when it states none."""
    return "".join(Sequence.decode(piece.state_chain[-1].text, ";").tokens[3:4])


def settled(chain: Chain) -> Chain:
    """The chain with quotes where an edited level needs them to be read back."""
    levels = [chain[-1]]
    inner = Sequence(TAB, (chain[-1].text,), chain[-1].quoted).encode()
    for level in reversed(chain[:-1]):
        tokens = readable(Sequence(TAB, (level.text, inner, *level.surplus), level.quoted))
        levels.append(replace(level, quoted=tokens.quoted))
        inner = tokens.encode()
    return tuple(reversed(levels))


def _new_level(text: str) -> Level:
    return Level(text, frozenset({0}) if needs_quotes(text) else NONE_QUOTED)


def _with_text(chain: Chain, index: int, text: str) -> Chain:
    old = chain[index]
    if old.text == text:
        return chain
    level = replace(old, text=text, quoted=(old.quoted - {0}) | _new_level(text).quoted)
    return settled((*chain[:index], level, *chain[index + 1 :]))


def with_field(piece: Piece, index: int, field: str, value: str) -> Piece:
    """The piece with a field of one trait's type changed; fields before it get VASSAL's defaults if they
    are missing.  Raises PieceError when the table does not know the field."""
    trait = Trait.decode(piece.type_chain[index].text)
    fields = trait.kind.fields_for(trait.tokens)
    at = next((i for i, f in enumerate(fields) if f.name == field), None)
    if at is None or trait.type is None:
        raise PieceError(
            f"a trait {trait.kind.name or trait.kind.prefix[:30]!r} has no such field",
            code="EDIT_FIELD",
            field=field,
        )
    tokens = trait.type
    if at < len(tokens.tokens) and tokens.tokens[at] == value:
        return piece
    for missing in fields[len(tokens.tokens) : at]:
        # VASSAL reads by position, so what lies between must be there.
        tokens = replaced(tokens, len(tokens.tokens), missing.default or "")
    text = trait.kind.prefix + replaced(tokens, at, value).encode()
    return replace(piece, type_chain=_with_text(piece.type_chain, index, text))


def _without(chain: Chain, gone: tuple[int, ...]) -> Chain:
    return settled(tuple(level for i, level in enumerate(chain) if i not in gone))
