"""Dynamic properties: what commands change them, how, and between which bounds.

    commands = seq(",") of command ;   command = seq(":") of [ menu text, key stroke, changer ] ;
    changer  = seq(",") of [ "P", value ] | [ "I", increment ] | [ "R", prompt ] | [ "E", prompt, array ] ;

Source: configure/DynamicKeyCommandListConfigurer.java, DynamicKeyCommandConfigurer.java,
build/module/properties/PropertyChangerConfigurer.java; vassal-format.md section 8.3a.
"""

from __future__ import annotations

from dataclasses import dataclass

from vmod_tools.sequence import NONE_QUOTED, Sequence
from vmod_tools.values.keys import KeyStroke, LegacyKey, decode_key
from vmod_tools.values.lists import StringArray, decode_strings
from vmod_tools.values.plain import ValueProblem, decode_bool, decode_int, number_text

_SET, _INCREMENT, _ASK, _CHOOSE = "P", "I", "R", "E"
_KINDS = (_SET, _INCREMENT, _ASK, _CHOOSE)


@dataclass(frozen=True, slots=True)
class Changer:
    """How a command changes a property.  `kind`: P set, I increment, R ask, E choose from a list."""

    kind: str
    arguments: tuple[str, ...]
    quoted: frozenset[int] = NONE_QUOTED

    @property
    def value(self) -> str | None:
        """What is set or added, or None."""
        return self._first if self.kind in (_SET, _INCREMENT) else None

    @property
    def prompt(self) -> str | None:
        """What the player is asked, or None."""
        return self._first if self.kind in (_ASK, _CHOOSE) else None

    @property
    def choices(self) -> StringArray | None:
        """What the player may choose from, or None."""
        if self.kind != _CHOOSE or len(self.arguments) < 2:
            return None
        return decode_strings(self.arguments[1])

    @property
    def _first(self) -> str:
        return self.arguments[0] if self.arguments else ""

    def encode(self) -> str:
        """The token."""
        return Sequence(",", (self.kind, *self.arguments), self.quoted).encode()


def decode_changer(text: str) -> Changer | ValueProblem:
    """A changer."""
    tokens = Sequence.decode(text, ",")
    kind, *arguments = tokens.tokens
    if kind not in _KINDS:
        return ValueProblem(text, "not a change of a property")
    return Changer(kind, tuple(arguments), tokens.quoted)


@dataclass(frozen=True, slots=True)
class PropertyCommand:
    """A command that changes a property; `key` and `changer` are None where the text ends before them."""

    menu: str
    key: KeyStroke | LegacyKey | None = None
    changer: Changer | None = None
    quoted: frozenset[int] = NONE_QUOTED
    tokens: int = 3
    """How many tokens the text has; behind the third VASSAL reads none."""
    surplus: tuple[str, ...] = ()

    def encode(self) -> str:
        """The token."""
        key = "" if self.key is None else self.key.encode()
        changer = "" if self.changer is None else self.changer.encode()
        tokens = (self.menu, key, changer, *self.surplus)[: self.tokens]
        return Sequence(":", tokens, self.quoted).encode()


@dataclass(frozen=True, slots=True)
class PropertyCommands:
    """The commands of a dynamic property."""

    commands: tuple[PropertyCommand, ...]
    quoted: frozenset[int] = NONE_QUOTED

    def encode(self) -> str:
        """The token."""
        return Sequence(",", tuple(c.encode() for c in self.commands), self.quoted).encode()


def decode_commands(text: str) -> PropertyCommands | ValueProblem | None:
    """The commands of a property; None for none."""
    if not text:
        return None
    outer = Sequence.decode(text, ",")
    commands = []
    for token in outer.tokens:
        parts = Sequence.decode(token, ":")
        menu, key_text, changer_text, *surplus = (*parts.tokens, "", "")[
            : max(len(parts.tokens), 3)
        ]
        key = decode_key(key_text)
        changer = decode_changer(changer_text) if changer_text else None
        if isinstance(key, ValueProblem) or isinstance(changer, ValueProblem):
            return ValueProblem(text, "not a list of commands that change a property")
        commands.append(
            PropertyCommand(menu, key, changer, parts.quoted, len(parts.tokens), tuple(surplus))
        )
    return PropertyCommands(tuple(commands), outer.quoted)


@dataclass(frozen=True, slots=True)
class Constraints:
    """Bounds of a property; None where the token is empty or the text ends before it."""

    numeric: bool | None = None
    minimum: int | None = None
    maximum: int | None = None
    wrap: bool | None = None
    quoted: frozenset[int] = NONE_QUOTED
    tokens: int = 4

    def encode(self) -> str:
        """The token."""
        values = (self.numeric, self.minimum, self.maximum, self.wrap)[: self.tokens]
        texts = tuple("" if v is None else number_text(v) for v in values)
        return Sequence(",", texts, self.quoted).encode()


_CONSTRAINTS = 4


def decode_constraints(text: str) -> Constraints | ValueProblem | None:
    """Bounds of a property; None for an empty text."""
    if not text:
        return None
    tokens = Sequence.decode(text, ",")
    count = len(tokens.tokens)
    numeric_text, low, high, wrap_text = (*tokens.tokens, "", "", "")[:_CONSTRAINTS]
    numeric, wrap = decode_bool(numeric_text), decode_bool(wrap_text)
    minimum, maximum = decode_int(low), decode_int(high)
    if (
        count > _CONSTRAINTS
        or isinstance(numeric, ValueProblem)
        or isinstance(minimum, ValueProblem)
        or isinstance(maximum, ValueProblem)
        or isinstance(wrap, ValueProblem)
    ):
        return ValueProblem(text, "not numeric, minimum, maximum, wrap")
    return Constraints(numeric, minimum, maximum, wrap, tokens.quoted, count)
