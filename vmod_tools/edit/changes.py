"""What an edit changed, said piece by piece: what `vmod edit --dry-run` prints.

States of traits that hold a password (Mask, Invisible, Restricted Access), and of traits that no table
lists, are never shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from vmod_tools.pieces import Piece, stated_properties
from vmod_tools.traits import BASIC, DYNAMIC_PROPERTY, LAYER, MARKER, Trait

_BY_PROPERTY = (MARKER, DYNAMIC_PROPERTY, LAYER, BASIC)
_OWNED = ("obs;", "hide;", "restrict;")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changes: `where` is a piece or a component, `what` a property or an attribute."""

    where: str
    what: str
    before: str
    after: str


def piece_changes(where: str, before: Piece, after: Piece) -> Iterator[Change]:
    """The changes between two forms of a piece."""
    was, now = stated_properties(before), stated_properties(after)
    for name in sorted(was.keys() | now.keys()):
        if was.get(name) != now.get(name):
            yield Change(where, name, was.get(name, ""), now.get(name, ""))
    old, new = (Counter(level.text for level in p.type_chain) for p in (before, after))
    if len(before.type_chain) == len(after.type_chain):
        for a, b in zip(before.traits(), after.traits(), strict=True):
            yield from _trait_changes(where, a, b)
        return
    for text in (old - new).elements():
        yield Change(where, "trait", text, "")
    for text in (new - old).elements():
        yield Change(where, "trait", "", text)


def _trait_changes(where: str, before: Trait, after: Trait) -> Iterator[Change]:
    name = before.kind.name or before.kind.prefix[:30]
    if before.type_text() != after.type_text() and before.kind is not BASIC:
        yield Change(where, name, before.type_text(), after.type_text())
    if before.state != after.state and before.kind not in _BY_PROPERTY:
        yield Change(where, f"{name} state", _shown(before), _shown(after))


def _shown(trait: Trait) -> str:
    secret = not trait.kind.name or trait.kind.prefix in _OWNED
    return "(not shown)" if secret else trait.state
