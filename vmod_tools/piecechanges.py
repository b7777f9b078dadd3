"""What changed in a piece between two of its states, said without showing a state whole.

What a piece states of itself (markers, dynamic properties, layers) is shown with its values.  Of the
other traits the name alone is: the states of Mask, Invisible and Restricted Access hold passwords, and
a custom trait's may.
"""

from __future__ import annotations

from dataclasses import dataclass

from vmod_tools.pieces import Piece, stated_properties
from vmod_tools.sequence import Sequence
from vmod_tools.traits import BASIC, DYNAMIC_PROPERTY, LAYER, MARKER, Trait

_SHOWN_BY_PROPERTIES = (MARKER, DYNAMIC_PROPERTY, LAYER)
_OWNED = ("obs;", "hide;", "restrict;")
_SOMEONE = "*"


@dataclass(frozen=True, slots=True)
class PieceChanges:
    """`properties` are (name, before, after); `traits` are names of traits whose state differs."""

    properties: tuple[tuple[str, str, str], ...]
    traits: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.properties or self.traits)


def piece_changes(old: Piece, new: Piece) -> PieceChanges:
    """What differs between two states of a piece."""
    before, after = stated_properties(old), stated_properties(new)
    properties = tuple(
        (key, before.get(key, ""), after.get(key, ""))
        for key in sorted(before.keys() | after.keys())
        if before.get(key, "") != after.get(key, "")
    )
    traits: dict[str, None] = {}
    if len(old.type_chain) != len(new.type_chain):
        traits["list of traits"] = None
    for was, now in zip(old.traits(), new.traits(), strict=False):
        unsaid = was.kind not in _SHOWN_BY_PROPERTIES or (was.kind is LAYER and not was["name"])
        if unsaid and was.kind is not BASIC and public_state(was) != public_state(now):
            traits[was.kind.name or was.kind.prefix.rstrip(";")[:30]] = None
    return PieceChanges(properties, tuple(traits))


def public_state(trait: Trait) -> str:
    """The state text of a trait with owners that may be passwords replaced by a sign for someone."""
    if trait.kind.prefix not in _OWNED:
        return trait.state
    owner = Sequence.decode(trait.state, ";").tokens[0]
    if owner in ("", "null"):
        return ""
    by_side = trait.kind.prefix != "restrict;" and trait["access"].startswith("side")
    return owner if by_side else _SOMEONE
