r"""The selector language: which pieces an edit speaks of.  Described for users in docs/editing.md.

    selector  = "*" | condition { "and" condition } ;
    condition = key ( "=" | "!=" ) value ;
    key       = "name" | "map" | "location" | "gpid" | "id" | "kind" | "trait" | [ "property:" ] property ;
    value     = bare text | '"' { character | '\"' | '\\' } '"' ;

A bare text runs to the next `and` between blanks, or to the end.  `trait` fits the beginning of a trait's
type; `trait=prototype:Land` fits a use of the prototype Land.  Comparison is exact, with letter case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from vmod_tools.edit.pieceedits import gpid_of
from vmod_tools.errors import VmodError
from vmod_tools.pieces import Piece, stated_properties
from vmod_tools.traits import PROTOTYPE

PIECE, SLOT, PROTOTYPE_DEFINITION = "piece", "slot", "prototype"
"""What `kind` says."""

_KEYS = ("name", "map", "location", "gpid", "id", "kind", "trait")
_PROPERTY = "property:"
_CONDITION = re.compile(
    r'\s*(?P<key>[^=!"]+?)\s*(?P<sign>!?=)\s*'
    r'(?:"(?P<quoted>(?:[^"\\]|\\.)*)"\s*|(?P<bare>(?:(?!\s+and(?:\s|\Z))[^"])*))'
    r"(?P<more>\s+and\s|\Z)",
    re.DOTALL,
)
_USE = "prototype:"


@dataclass(frozen=True)
class Subject:
    """A piece as a selector sees it."""

    piece: Piece
    id: str
    name: str
    kind: str = PIECE
    gpid: str | None = None
    """What the slot says; None: what the piece says."""
    map: str | None = None
    location: Callable[[], str | None] = lambda: None
    """VASSAL's location name; asked for only when a condition needs it."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison; `key` is a keyword, or `property:` and a property's name."""

    key: str
    value: str
    negated: bool = False

    def matches(self, subject: Subject) -> bool:
        """Whether the subject fits."""
        return self._fits(subject) != self.negated

    def _fits(self, subject: Subject) -> bool:
        if self.key == "trait":
            return _has_trait(subject.piece, self.value)
        if self.key.startswith(_PROPERTY):
            properties = stated_properties(subject.piece)
            return properties.get(self.key.removeprefix(_PROPERTY)) == self.value
        return self._stated(subject) == self.value

    def _stated(self, subject: Subject) -> str | None:
        if self.key == "gpid":
            return gpid_of(subject.piece) if subject.gpid is None else subject.gpid
        if self.key == "location":
            return subject.location()
        return {
            "name": subject.name,
            "map": subject.map,
            "id": subject.id,
            "kind": subject.kind,
        }[self.key]


@dataclass(frozen=True, slots=True)
class Selector:
    """All of its conditions must fit; without any, everything does."""

    text: str
    conditions: tuple[Condition, ...]

    def matches(self, subject: Subject) -> bool:
        """Whether the subject fits."""
        return all(c.matches(subject) for c in self.conditions)

    @property
    def asks_location(self) -> bool:
        """Whether a module is needed to say where things are."""
        return any(c.key == "location" for c in self.conditions)


def parse_selector(text: str) -> Selector:
    """The selector in `text`; raises VmodError (SELECTOR)."""
    if text.strip() == "*":
        return Selector(text, ())
    conditions = []
    at, more = 0, True
    while more:
        match = _CONDITION.match(text, at)
        if match is None:
            raise VmodError(
                f"not a selector at character {at + 1}: {text[at : at + 40]!r}; "
                "it is * or NAME=VALUE, joined by and",
                code="SELECTOR",
                field="--select",
            )
        key, quoted = match["key"], match["quoted"]
        value = match["bare"].strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
        if key not in _KEYS and not key.startswith(_PROPERTY):
            key = _PROPERTY + key
        conditions.append(Condition(key, value, match["sign"] == "!="))
        at, more = match.end(), bool(match["more"])
    return Selector(text, tuple(conditions))


def nothing_matched(what: str) -> VmodError:
    """The error for an edit that would change nothing because nothing fits."""
    return VmodError(f"nothing matched {what}", code="NOTHING_MATCHED")


def _has_trait(piece: Piece, wanted: str) -> bool:
    if wanted.startswith(_USE):
        uses = (t["prototype_name"] for t in piece.traits() if t.kind is PROTOTYPE)
        return wanted.removeprefix(_USE) in uses
    return any(level.text.startswith(wanted) for level in piece.type_chain)
