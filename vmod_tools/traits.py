"""Traits: one table entry a trait, one class for all of them.

A trait is its prefix, the tokens of its type text and its state text.  The table names the tokens;
a trait that the table does not list is the same class with no names.  Tokens are kept whether the
table knows them or not, with their quoting, so encoding a trait gives the text it came from.

The table is `traits.toml`; defaults are what VASSAL's reader takes when the text ends before the field.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from vmod_tools.sequence import Sequence


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a trait's type.  `kind` is a letter code of traits.toml; `default` None means that VASSAL
    refuses a text without it; `since` is the first version that writes it ("" from the start)."""

    name: str
    kind: str = "S"
    default: str | None = None
    since: str = ""


@dataclass(frozen=True, slots=True)
class TraitKind:
    """How one kind of trait is written: `prefix`, then `fields` joined by `delimiter`."""

    prefix: str
    name: str
    fields: tuple[Field, ...] = ()
    delimiter: str = ";"
    state_delimiter: str = ""
    """Delimiter of the state's own fields; "" when the state is one raw text."""
    variant_first: str | None = None
    """A type whose first token is this has the fields of `variant` instead."""
    variant: tuple[Field, ...] = ()

    def fields_for(self, tokens: tuple[str, ...]) -> tuple[Field, ...]:
        """The fields that these tokens are."""
        if self.variant_first is not None and tokens[:1] == (self.variant_first,):
            return self.variant
        return self.fields


def _kind(prefix: str, raw: Mapping[str, Any]) -> TraitKind:
    variant = raw.get("variant", {})
    return TraitKind(
        prefix,
        raw["name"],
        tuple(Field(*field) for field in raw["fields"]),
        raw.get("delimiter", ";"),
        raw.get("state_delimiter", ""),
        variant.get("first"),
        tuple(Field(*field) for field in variant.get("fields", ())),
    )


KINDS: Mapping[str, TraitKind] = {
    prefix: _kind(prefix, raw)
    for prefix, raw in tomllib.loads(
        (Path(__file__).parent / "traits.toml").read_text("utf-8")
    ).items()
}
"""Every trait by its prefix."""

BASIC, STACK, DECK = KINDS["piece;"], KINDS["stack"], KINDS["deck;"]
MARKER, DYNAMIC_PROPERTY, LAYER = KINDS["mark;"], KINDS["PROP;"], KINDS["emb2;"]
PROTOTYPE, DOES_NOT_STACK, REPORT = KINDS["prototype;"], KINDS["immob;"], KINDS["report;"]
DELETE, CLONE = KINDS["delete;"], KINDS["clone;"]


@dataclass(frozen=True, slots=True)
class Trait:
    """One trait of a piece: `type` holds the tokens behind the prefix, `state` the raw state text."""

    kind: TraitKind
    type: Sequence | None
    state: str = ""

    @classmethod
    def decode(cls, type_text: str, state: str = "") -> Self:
        """The trait in `type_text`; an unknown prefix gives a kind without a table."""
        kind, tokens = _decode_type(type_text)
        return cls(kind, tokens, state)

    def __getitem__(self, name: str) -> str:
        """The type field `name`, or its default when the text ends before it.

        Raises KeyError for a name that the table lacks, or a required field that is missing.
        """
        for index, field in enumerate(self.kind.fields_for(self.tokens)):
            if field.name == name:
                if self.type is not None and index < len(self.type.tokens):
                    return self.type.tokens[index]
                if field.default is None:
                    break
                return field.default
        raise KeyError(name)

    @property
    def tokens(self) -> tuple[str, ...]:
        """All tokens of the type, named or not."""
        return () if self.type is None else self.type.tokens

    def type_text(self) -> str:
        """The type's text."""
        return self.kind.prefix + ("" if self.type is None else self.type.encode())

    def state_fields(self) -> Sequence:
        """The state's own fields (one, if this kind's state is a raw text)."""
        if not self.kind.state_delimiter:
            return Sequence("", (self.state,))
        return Sequence.decode(self.state, self.kind.state_delimiter)

    def with_state(self, state: str) -> Self:
        """The same trait in another state."""
        return replace(self, state=state)


def marker_values(trait: Trait) -> dict[str, str]:
    """A marker's properties; a state with fewer values leaves the rest empty, as VASSAL does."""
    values = trait.state_fields().tokens
    return {key: values[i] if i < len(values) else "" for i, key in enumerate(trait.tokens)}


@lru_cache(maxsize=65_536)
def _decode_type(text: str) -> tuple[TraitKind, Sequence | None]:
    """Parsed once for each distinct text: real saves repeat a few hundred of them."""
    head, semicolon, rest = text.partition(";")
    prefix = head + semicolon
    kind = KINDS.get(prefix)
    if kind is None:
        kind = TraitKind(prefix, "", delimiter=";" if semicolon else "")
    if not kind.delimiter:
        return kind, None
    return kind, Sequence.decode(rest, kind.delimiter)
