"""Traits: one table entry a trait, one class for all of them.

A trait is its prefix, the tokens of its type text and its state text.  The table names the tokens;
a trait that the table does not list is the same class with no names.  Tokens are kept whether the
table knows them or not, with their quoting, so encoding a trait gives the text it came from.

`trait-fields.json` and vassal-format.md section 8 are the source; defaults are what VASSAL's reader
takes when the text ends before the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from vmod_tools.sequence import Sequence


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a trait's type: `default` None means that VASSAL refuses a text without it."""

    name: str
    default: str | None = ""


@dataclass(frozen=True, slots=True)
class TraitKind:
    """How one kind of trait is written: `prefix`, then `fields` joined by `delimiter`."""

    prefix: str
    name: str
    fields: tuple[Field, ...] = ()
    delimiter: str = ";"
    state_delimiter: str = ""
    """Delimiter of the state's own fields; "" when the state is one raw text."""


def _fields(*named: str | tuple[str, str | None]) -> tuple[Field, ...]:
    return tuple(Field(n) if isinstance(n, str) else Field(*n) for n in named)


BASIC = TraitKind(
    "piece;",
    "Basic Piece",
    _fields("clone_key", "delete_key", "image", "name"),
    state_delimiter=";",
)
STACK = TraitKind("stack", "Stack", delimiter="", state_delimiter=";")
DECK = TraitKind("deck;", "Deck", state_delimiter=";")
MARKER = TraitKind("mark;", "Marker", delimiter=",", state_delimiter=",")
DYNAMIC_PROPERTY = TraitKind(
    "PROP;", "Dynamic Property", _fields(("key", "name"), "constraints", "commands", "description")
)
LAYER = TraitKind(
    "emb2;",
    "Layer",
    _fields(
        "activate_command",
        ("activate_modifiers", "128"),
        ("activate_key_legacy", "A"),
        "up_command",
        ("up_modifiers", "128"),
        "up_key_legacy",
        "down_command",
        ("down_modifiers", "128"),
        "down_key_legacy",
        "reset_command",
        "reset_key",
        ("reset_level", "1"),
        ("draw_underneath", "false"),
        ("x_offset", "0"),
        ("y_offset", "0"),
        "images",
        "level_names",
        ("loop", "true"),
        "name",
        "random_key",
        "random_text",
        ("follow_property", "false"),
        "property_name",
        ("first_level_value", "1"),
        ("version", "0"),
        ("always_active", "true"),
        "activate_key",
        "increase_key",
        "decrease_key",
        "description",
        ("scale", "1.0"),
        "only_property_name",
        ("only_property_state", "true"),
    ),
    state_delimiter=";",
)
PROTOTYPE = TraitKind("prototype;", "Prototype", _fields("prototype_name", "parameters"))
DOES_NOT_STACK = TraitKind(
    "immob;", "Does not stack", _fields("selection", "movement", ("stacking", "R"), "description")
)
REPORT = TraitKind(
    "report;",
    "Report Action",
    _fields(
        "keys",
        ("report_format", "$location$: $newPieceName$ *"),
        "cycle_down_keys",
        "cycle_report_format",
        "description",
        ("no_suppress", "false"),
    ),
)
DELETE = TraitKind(
    "delete;", "Delete", _fields(("command_name", None), ("key", "68,130"), "description")
)
CLONE = TraitKind(
    "clone;", "Clone", _fields(("command_name", None), ("key", "67,130"), "description")
)

KINDS: Mapping[str, TraitKind] = {
    kind.prefix: kind
    for kind in (
        BASIC,
        STACK,
        DECK,
        MARKER,
        DYNAMIC_PROPERTY,
        LAYER,
        PROTOTYPE,
        DOES_NOT_STACK,
        REPORT,
        DELETE,
        CLONE,
    )
}


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
        for index, field in enumerate(self.kind.fields):
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
