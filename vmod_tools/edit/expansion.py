"""Prototypes put in place of their uses, as VASSAL does when a piece is made from its slot.

Source: counters/PieceCloner.java, UsePrototype.java; vassal-format.md section 7.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vmod_tools.errors import PieceError
from vmod_tools.pieces import Piece
from vmod_tools.sequence import Sequence
from vmod_tools.traits import BASIC, PROTOTYPE, Trait

_COMMENT = "cmt;"
_DEEPEST = 50
"""VASSAL cuts cycles of prototypes at a recursion limit; honest ones nest a few levels deep."""


def expanded(
    piece: Piece, prototypes: Mapping[str, Piece]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Types and states of the piece's traits with every prototype in its place.

    Comments are dropped, and so are uses of prototypes that the module lacks (seen in the engine).  Raises PieceError where prototypes use each other in a circle.
    """
    pairs = [*_traits(piece, prototypes, 0)]
    return tuple(t for t, _ in pairs), tuple(s for _, s in pairs)


def _traits(piece: Piece, prototypes: Mapping[str, Piece], depth: int) -> Iterator[tuple[str, str]]:
    if depth > _DEEPEST:
        raise PieceError("prototypes use each other in a circle", code="PROTOTYPE_CYCLE")
    for trait in piece.traits():
        if trait.kind is PROTOTYPE:
            prototype = prototypes.get(trait["prototype_name"])
            parameters = _parameters(trait)
            inner = () if prototype is None else _traits(prototype, prototypes, depth + 1)
            for type_text, state in inner:
                yield _filled(type_text, parameters), _filled(state, parameters)
        elif trait.kind.prefix != _COMMENT and (depth == 0 or trait.kind is not BASIC):
            yield trait.type_text(), trait.state


def _parameters(trait: Trait) -> dict[str, str]:
    """The values that a use of a prototype gives to its `$names$`."""
    pairs = (p.partition("=") for p in Sequence.decode(trait["parameters"], ",").tokens)
    return {name: value for name, sign, value in pairs if sign}


def _filled(text: str, parameters: Mapping[str, str]) -> str:
    for name, value in parameters.items():
        text = text.replace(f"${name}$", value)
    return text
