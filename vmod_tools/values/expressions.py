"""Expressions, formatted strings, property matches and targets.  Nothing is ever evaluated.

Source: script/expression/Expression.java, FormattedStringExpression.java, PropertyMatchExpression.java,
counters/PropertiesPieceFilter.java, GlobalCommandTarget.java; vassal-format.md sections 4.4, 8.3b.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vmod_tools.sequence import Sequence, java_int
from vmod_tools.values.plain import ValueProblem, decode_bool

Form = Literal["blank", "beanshell", "integer", "formatted", "literal"]


@dataclass(frozen=True, slots=True)
class Expression:
    """A text that VASSAL interprets."""

    text: str

    @property
    def form(self) -> Form:
        """How VASSAL interprets it."""
        text = self.text.strip()
        if not text:
            return "blank"
        if text[0] == "{" and text[-1] == "}":
            return "beanshell"
        if java_int(text) is not None:
            return "integer"
        return "formatted" if "$" in text else "literal"

    @property
    def properties(self) -> tuple[str, ...]:
        """The names between dollar signs of a formatted string, each once."""
        if self.form != "formatted":
            return ()
        # A name is closed by another sign: the last token is always literal.
        names = Sequence.decode(self.text, "$").tokens[:-1][1::2]
        return tuple(dict.fromkeys(name for name in names if name))

    def encode(self) -> str:
        """The token."""
        return self.text


_OPERATORS = ("!=", "<=", ">=", ">", "<", "=~", "=", "!~")


@dataclass(frozen=True, slots=True)
class Condition:
    """`name op value` of the old grammar."""

    name: str
    operator: str
    value: str


@dataclass(frozen=True, slots=True)
class PropertyMatch:
    """Which pieces are meant: BeanShell in braces, or the old grammar."""

    text: str

    @property
    def is_beanshell(self) -> bool:
        """Whether this is BeanShell."""
        return Expression(self.text).form == "beanshell"

    @property
    def conditions(self) -> tuple[tuple[Condition, ...], ...]:
        """The old grammar: alternatives of conditions that must all hold; none for BeanShell.

        A part without an operator is left out.
        """
        if self.is_beanshell or not self.text.strip():
            return ()
        alternatives = (part.split("&&") for part in self.text.split("||"))
        return tuple(tuple(filter(None, map(_condition, parts))) for parts in alternatives)

    def encode(self) -> str:
        """The token."""
        return self.text


def _condition(text: str) -> Condition | None:
    # VASSAL looks for one operator after the other, in this order.
    for operator in _OPERATORS:
        name, found, value = text.partition(operator)
        if found:
            return Condition(name.strip(), operator, value.strip())
    return None


_BOOLEAN = ("true", "false")
# Name, default, and the words that it may be (none: an expression).
_TARGET: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("kind", "", ("COUNTER", "MAP", "MODULE", "DECK")),
    ("fast_match_location", "false", _BOOLEAN),
    (
        "target_type",
        "MAP",
        (
            *("CURSTACK", "CURMAP", "CURZONE", "CURLOC", "MAP", "ZONE", "LOCATION", "XY", "DECK"),
            *("CURMAT", "CURATTACH"),
        ),
    ),
    ("map", "", ()),
    ("board", "", ()),
    ("zone", "", ()),
    ("location", "", ()),
    ("x", "0", ()),
    ("y", "0", ()),
    ("deck", "", ()),
    ("fast_match_property", "false", _BOOLEAN),
    ("property", "", ()),
    ("value", "", ()),
    (
        "compare",
        "EQUALS",
        (
            *("EQUALS", "NOT_EQUALS", "GREATER", "GREATER_EQUALS", "LESS", "LESS_EQUALS"),
            *("MATCH", "NOT_MATCH"),
        ),
    ),
    ("attachment", "", ()),
    ("attachment_id", "", ()),
)
TARGET_FIELDS = tuple(name for name, _, _ in _TARGET)


@dataclass(frozen=True, slots=True)
class Target:
    """Where a global command looks for its pieces; fields by name (`TARGET_FIELDS`)."""

    tokens: Sequence

    def __getitem__(self, name: str) -> str:
        """The field's text, or its default when the text ends before it; raises KeyError."""
        if name not in TARGET_FIELDS:
            raise KeyError(name)
        index = TARGET_FIELDS.index(name)
        tokens = self.tokens.tokens
        return tokens[index] if index < len(tokens) else _TARGET[index][1]

    def is_set(self, name: str) -> bool:
        """Whether a boolean field is true."""
        return decode_bool(self[name]) is True

    def encode(self) -> str:
        """The token."""
        return self.tokens.encode()


def decode_target(text: str) -> Target | ValueProblem | None:
    """A target; None for an empty text, which means every piece."""
    if not text:
        return None
    tokens = Sequence.decode(text, "|")
    if len(tokens.tokens) > len(_TARGET):
        return ValueProblem(text, "a target with surplus fields")
    for token, (name, _, words) in zip(tokens.tokens, _TARGET, strict=False):
        if words and token and token not in words:
            return ValueProblem(text, f"not a target: its {name} is none")
    return Target(tokens)
