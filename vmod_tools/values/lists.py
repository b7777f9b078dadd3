"""Lists inside one token: texts, lines, parameters, who has access.

Source: configure/StringArrayConfigurer.java, TextConfigurer.java, ParameterListConfigurer.java,
PieceAccessConfigurer.java; vassal-format.md sections 4.3, 4.5, 8.3c, 8.3i.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Self

from vmod_tools.sequence import NONE_QUOTED, Sequence
from vmod_tools.values.plain import ValueProblem


@dataclass(frozen=True, slots=True)
class StringArray:
    """An array of texts."""

    items: tuple[str, ...]
    quoted: frozenset[int] = NONE_QUOTED

    @classmethod
    def of(cls, items: Iterable[str]) -> Self:
        """A new array."""
        tokens = Sequence.of(items, ",")
        return cls(tokens.tokens, tokens.quoted)

    def encode(self) -> str:
        """The token."""
        return Sequence(",", self.items, self.quoted).encode()


def decode_strings(text: str) -> StringArray | None:
    """An array of texts; None for an empty one, which is written like an array of one empty text."""
    if not text:
        return None
    tokens = Sequence.decode(text, ",")
    return StringArray(tokens.tokens, tokens.quoted)


@dataclass(frozen=True, slots=True)
class Lines:
    """A text of several lines in a field that holds one."""

    lines: tuple[str, ...]
    quoted: frozenset[int] = NONE_QUOTED

    @property
    def text(self) -> str:
        """The text with its line breaks."""
        return "\n".join(self.lines)

    @classmethod
    def of(cls, text: str) -> Self:
        """A new text; carriage returns are dropped, as VASSAL does."""
        tokens = Sequence.of(text.replace("\r", "").split("\n"), "|")
        return cls(tokens.tokens, tokens.quoted)

    def encode(self) -> str:
        """The token."""
        return Sequence("|", self.lines, self.quoted).encode()


def decode_lines(text: str) -> Lines:
    """A text of several lines."""
    tokens = Sequence.decode(text, "|")
    return Lines(tokens.tokens, tokens.quoted)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name and a value; one that is cut short has no value."""

    name: str
    value: str | None
    quoted: frozenset[int] = NONE_QUOTED

    def encode(self) -> str:
        """The token."""
        tokens = (self.name,) if self.value is None else (self.name, self.value)
        return Sequence(":", tokens, self.quoted).encode()


@dataclass(frozen=True, slots=True)
class Parameters:
    """A list of parameters: dynamic properties that a placed piece or a called one is given."""

    entries: tuple[Parameter, ...]
    quoted: frozenset[int] = NONE_QUOTED

    def encode(self) -> str:
        """The token."""
        return Sequence(",", tuple(e.encode() for e in self.entries), self.quoted).encode()


_PAIR = 2


def decode_parameters(text: str) -> Parameters | ValueProblem | None:
    """A list of parameters; None for an empty one."""
    if not text:
        return None
    outer = Sequence.decode(text, ",")
    entries = []
    for token in outer.tokens:
        pair = Sequence.decode(token, ":")
        if len(pair.tokens) > _PAIR:
            return ValueProblem(text, "not a list of parameters")
        value = pair.tokens[1] if len(pair.tokens) == _PAIR else None
        entries.append(Parameter(pair.tokens[0], value, pair.quoted))
    return Parameters(tuple(entries), outer.quoted)


Accessor = Literal["player", "side", "sides"]


@dataclass(frozen=True, slots=True)
class Access:
    """Who may hide or mask: any player (the owner is a user id), any side, or the sides listed."""

    kind: Accessor
    sides: tuple[str, ...] = ()
    quoted: frozenset[int] = NONE_QUOTED
    rest: str = ""
    """What stands behind `player:` or `side:`; VASSAL does not read it."""

    @property
    def owner_is_secret(self) -> bool:
        """Whether the owner in the state is a user id, which is a password."""
        return self.kind == "player"

    def encode(self) -> str:
        """The token."""
        if self.kind == "sides":
            return "sides:" + Sequence(":", self.sides, self.quoted).encode()
        return f"{self.kind}:{self.rest}"


def decode_access(text: str) -> Access | ValueProblem | None:
    """Who has access; VASSAL takes anything unknown for `player:`."""
    if not text:
        return None
    word, colon, rest = text.partition(":")
    if colon and word == "sides":
        sides = Sequence.decode(rest, ":")
        return Access("sides", sides.tokens, sides.quoted)
    if colon and word == "player":
        return Access("player", rest=rest)
    if colon and word == "side":
        return Access("side", rest=rest)
    return ValueProblem(text, "neither player:, side: nor sides:")
