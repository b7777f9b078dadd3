"""Traits: one table entry a trait, one class for all of them.

A trait is its prefix, the tokens of its type text and its state text.  The table names the tokens of both;
a trait that the table does not list is the same class with no names.  Tokens are kept whether the table
knows them or not, with their quoting, so encoding a trait gives the text it came from.  Values are typed
when they are asked for; a token that is not of its kind is a `ValueProblem`, and stays.

The table is `traits.toml`; defaults are what VASSAL's reader takes when the text ends before the field.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from vmod_tools.sequence import Sequence
from vmod_tools.values.codec import Value
from vmod_tools.values.layout import Field, FieldProblem, Layout

_NO_TOKENS, _NO_LAYOUT = Sequence("", ()), Layout()


@dataclass(frozen=True, slots=True)
class TraitKind:
    """How one kind of trait is written: `prefix`, then fields joined by `delimiter`."""

    prefix: str
    name: str
    layout: Layout = _NO_LAYOUT
    state_layout: Layout | None = None
    """None for a kind that the table does not list."""
    delimiter: str = ";"
    state_delimiter: str = ""
    """Delimiter of the state's own fields; "" when the state is one raw text."""
    variant_first: str | None = None
    """A type whose first token is this has the layouts of `variant` instead."""
    variant: Layout = _NO_LAYOUT
    variant_state: Layout | None = None

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields that do not repeat."""
        return self.layout.fixed

    def fields_for(self, tokens: tuple[str, ...]) -> tuple[Field, ...]:
        """The fields that these tokens are, as far as they do not repeat."""
        return self.layout_for(tokens).fixed

    def layout_for(self, tokens: tuple[str, ...]) -> Layout:
        """What these tokens of a type are."""
        return self.variant if self._varies(tokens) else self.layout

    def state_layout_for(self, tokens: tuple[str, ...]) -> Layout | None:
        """What the state's tokens are, for a type with these tokens; None where nothing is known."""
        return self.variant_state if self._varies(tokens) else self.state_layout

    def _varies(self, tokens: tuple[str, ...]) -> bool:
        return self.variant_first is not None and tokens[:1] == (self.variant_first,)


def _kind(prefix: str, raw: Mapping[str, Any]) -> TraitKind:
    def layout(rows: list[list[str]]) -> Layout:
        return Layout.of(Field(*row) for row in rows)

    variant = raw.get("variant", {})
    return TraitKind(
        prefix,
        raw["name"],
        layout(raw["fields"]),
        layout(raw["state"]),
        raw.get("delimiter", ";"),
        raw.get("state_delimiter", ""),
        variant.get("first"),
        layout(variant.get("fields", [])),
        layout(variant.get("state", [])),
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
DELETE, CLONE, COMMENT = KINDS["delete;"], KINDS["clone;"], KINDS["cmt;"]
PLACERS = (KINDS["placemark;"], KINDS["replace;"])
"""Traits whose third field may hold a whole piece."""


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
        """The text of the type field `name`, or its default when the type ends before it.

        Raises KeyError for a name that the table lacks, or a required field that is missing.
        """
        return self._layout.text(name, self._tokens)

    def value(self, name: str) -> Value:
        """What the type field `name` says, or its default; raises KeyError as `[name]` does."""
        return self._layout.value(name, self._tokens)

    def items(self) -> tuple[tuple[Value, ...], ...]:
        """The fields of the type that repeat: a marker's keys, the corners of a button."""
        return self._layout.items(self._tokens)

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

    def state_text(self, name: str) -> str:
        """The text of the state field `name`, or its default; raises KeyError for a name that there is not."""
        return self._state_layout.text(name, self.state_fields())

    def state_value(self, name: str) -> Value:
        """What the state field `name` says, or its default; raises KeyError as `state_text` does."""
        return self._state_layout.value(name, self.state_fields())

    def state_items(self) -> tuple[tuple[Value, ...], ...]:
        """The fields of the state that repeat: a marker's values, a trail's points, a mat's cargo."""
        return self._state_layout.items(self.state_fields())

    def problems(self) -> tuple[FieldProblem, ...]:
        """Every token of type and state that does not fit the table; none for a kind that it lacks."""
        return (*self.type_problems(), *self.state_problems())

    def type_problems(self) -> Iterator[FieldProblem]:
        """Those of the type."""
        if self.kind.state_layout is not None:
            yield from self._layout.problems(self._tokens)

    def state_problems(self) -> Iterator[FieldProblem]:
        """Those of the state."""
        layout = self.kind.state_layout_for(self.tokens)
        if layout is not None:
            yield from layout.problems(self.state_fields())

    def with_(self, name: str, text: str) -> Self:
        """The same trait with one type token replaced; missing ones before it get their defaults.

        Raises KeyError for a name that the table lacks.
        """
        changed = self._layout.with_text(name, text, self._tokens)
        # The new token is quoted for every reader; one that stays the same keeps the form it had.
        same = changed.tokens == self.tokens
        return self if same else replace(self, type=changed)

    def with_state(self, state: str) -> Self:
        """The same trait in another state."""
        return replace(self, state=state)

    def with_state_text(self, name: str, text: str) -> Self:
        """The same trait with one token of its state replaced; raises KeyError as `with_` does."""
        fields = self._state_layout.with_text(name, text, self.state_fields())
        return self.with_state(fields.encode() if fields.delimiter else text)

    @property
    def _layout(self) -> Layout:
        return self.kind.layout_for(self.tokens)

    @property
    def _state_layout(self) -> Layout:
        return self.kind.state_layout_for(self.tokens) or _NO_LAYOUT

    @property
    def _tokens(self) -> Sequence:
        return _NO_TOKENS if self.type is None else self.type


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
