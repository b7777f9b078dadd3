"""Prototypes put in place of their uses, as VASSAL does when it makes a piece from a slot.

A `prototype;` trait names a definition of the module; the definition's traits, without its basic piece,
stand where the use stood.  Definitions may use others.  Comments (`cmt;`) are dropped on the way.
A use with parameters makes a formatted string of the definition's whole text, dollar signs and all.

Source: counters/PieceCloner.java, UsePrototype.java, PrototypesContainer.java; vassal-format.md section 7.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from vmod_tools.commands.kinds import ADD, parse_command
from vmod_tools.errors import CommandError
from vmod_tools.pieces import Piece, chain_of, encode_chain
from vmod_tools.sequence import Sequence
from vmod_tools.traits import BASIC, COMMENT, PROTOTYPE, Trait

_DEEPEST = 50
"""Honest prototypes nest a few levels deep; VASSAL has a recursion limit too."""
_MOST_TRAITS = 10_000
"""Definitions that each use the next one twice double with every level."""
_LONGEST = 1 << 20
"""So do parameters whose value names the parameter twice."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """Types and states of a piece's traits, outermost first, with the prototypes in place."""

    types: tuple[str, ...]
    states: tuple[str, ...]
    missing: frozenset[str] = frozenset()
    """Prototypes that are used and that there are not."""
    circular: frozenset[str] = frozenset()
    """Prototypes that use themselves, maybe through others; that use is cut."""
    too_many: bool = False
    """Whether something was left out because it has too many levels or traits, or is too long."""

    def piece(self, id: str) -> Piece:
        """The piece."""
        return Piece.decode(id, chain_of(self.types), chain_of(self.states))


def expand(piece: Piece, prototypes: Mapping[str, Piece]) -> Piece:
    """The piece with every prototype that there is in place of its use; other uses are kept.

    A piece without uses and comments is the piece itself, to the byte.
    """
    if not any(trait.kind in (PROTOTYPE, COMMENT) for trait in piece.traits()):
        return piece
    return expansion(piece, prototypes).piece(piece.id)


def expansion(
    piece: Piece, prototypes: Mapping[str, Piece], *, keep_missing: bool = True
) -> Expansion:
    """The traits of the piece with every prototype in its place.

    A use of a prototype that there is not stays, because the module or an extension may have it
    later.  VASSAL drops it when it makes a piece (seen in the engine): `keep_missing=False`.
    """
    run = _Run(prototypes, keep_missing)
    pairs = list(run.traits(piece, ()))
    return Expansion(
        tuple(t for t, _ in pairs),
        tuple(s for _, s in pairs),
        frozenset(run.missing),
        frozenset(run.circular),
        run.too_many,
    )


@dataclass
class _Run:
    prototypes: Mapping[str, Piece]
    keep_missing: bool
    missing: set[str] = field(default_factory=set)
    circular: set[str] = field(default_factory=set)
    too_many: bool = False
    count: int = 0

    def traits(self, piece: Piece, inside: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Type and state of each trait; `inside` are the prototypes that are being put in place."""
        for trait in piece.traits():
            if trait.kind is PROTOTYPE:
                yield from self._used(trait, inside)
            elif trait.kind is not COMMENT and not (inside and trait.kind is BASIC):
                self.count += 1
                yield trait.type_text(), trait.state

    def _used(self, trait: Trait, inside: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        name = trait["prototype_name"]
        prototype = self.prototypes.get(name)
        if prototype is None:
            self.missing.add(name)
            if self.keep_missing:
                yield trait.type_text(), trait.state
        elif name in inside:
            self.circular.add(name)
        elif len(inside) >= _DEEPEST or self.count >= _MOST_TRAITS:
            self.too_many = True
        else:
            filled = self._filled(prototype, trait)
            yield from self.traits(filled, (*inside, name))

    def _filled(self, prototype: Piece, use: Trait) -> Piece:
        """The definition that a use with parameters means; the definition itself where it has none."""
        if len(use.tokens) <= _PARAMETERS_AT:
            return prototype
        parameters = _parameters(use)
        text = _definition(prototype)
        longest_value = max(map(len, parameters.values()), default=0)
        # Reckoned beforehand: a long value in a definition full of names needs no nesting to be huge.
        if len(text) + text.count("$") // 2 * longest_value > _LONGEST:
            self.too_many = True
            return prototype
        try:
            command = parse_command(_format(text, parameters))
            return Piece.decode(command["id"], command["type"], command["state"])
        except (CommandError, KeyError):
            # A value with a slash takes the definition apart.
            return prototype


_PARAMETERS_AT = 1


def _definition(prototype: Piece) -> str:
    types, states = encode_chain(prototype.type_chain), encode_chain(prototype.state_chain)
    return ADD.prefix + Sequence.of((prototype.id, types, states), ADD.delimiter).encode()


def _format(text: str, values: Mapping[str, str]) -> str:
    """VASSAL's formatted string: a name without a value stands for itself, as in the engine."""
    tokens = Sequence.decode(text, "$").tokens
    last = len(tokens) - 1
    return "".join(
        values.get(token, token) if index % 2 and index != last else token
        for index, token in enumerate(tokens)
    )


def _parameters(trait: Trait) -> dict[str, str]:
    """The values that a use of a prototype gives to its `$names$`."""
    pairs = (
        Sequence.decode(p, "=").tokens for p in Sequence.decode(trait["parameters"], ",").tokens
    )
    return {name: more[0] for name, *more in pairs if more}
