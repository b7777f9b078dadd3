"""Numbers, booleans, colours: tokens that are one value.

A value that VASSAL writes in one way is a plain `int`, `float`, `bool` or `str`; one that a file spells
otherwise (`+5`, `1e3`) remembers its spelling.  An empty token is None: VASSAL takes the default.
A token that is not of its kind is a `ValueProblem`, never an exception.

Source: tools/SequenceEncoder.java, configure/ColorConfigurer.java; vassal-format.md sections 3.4, 4.2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Self

from vmod_tools.sequence import java_int


@dataclass(frozen=True, slots=True)
class ValueProblem:
    """A token that is not of its kind: the text as it stands, and what is wrong with it."""

    text: str
    message: str

    def encode(self) -> str:
        """The token."""
        return self.text


class OddInt(int):
    """An integer that Java would print otherwise: with a plus sign, or zeros in front."""

    written: str

    def __new__(cls, value: int, written: str) -> Self:
        """The number `value`, spelled `written`."""
        self = super().__new__(cls, value)
        self.written = written
        return self


class OddFloat(float):
    """A double that Java would print otherwise: `1`, `1e3`, `.5`."""

    written: str

    def __new__(cls, value: float, written: str) -> Self:
        """The number `value`, spelled `written`."""
        self = super().__new__(cls, value)
        self.written = written
        return self


_DOUBLE = re.compile(
    r"[\x00-\x20]*([+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,20})?))[fFdD]?[\x00-\x20]*"
)


def decode_int(text: str) -> int | ValueProblem | None:
    """A Java int."""
    if not text:
        return None
    number = java_int(text)
    if number is None:
        return ValueProblem(text, "not a whole number")
    return number if str(number) == text else OddInt(number, text)


_LONG = re.compile(r"[+-]?[0-9]{1,40}")


def decode_long(text: str) -> int | ValueProblem | None:
    """A Java long (times in milliseconds)."""
    if not text:
        return None
    number = int(text) if _LONG.fullmatch(text) else None
    if number is None or not -(2**63) <= number < 2**63:
        return ValueProblem(text, "not a whole number")
    return number if str(number) == text else OddInt(number, text)


def decode_double(text: str) -> float | ValueProblem | None:
    """A Java double."""
    if not text:
        return None
    match = _DOUBLE.fullmatch(text)
    if match is None:
        return ValueProblem(text, "not a number")
    number = float(match[1])
    return number if double_text(number) == text else OddFloat(number, text)


def decode_bool(text: str) -> bool | ValueProblem | None:
    """`true` or `false`; VASSAL reads anything else as false."""
    if text in ("true", "false"):
        return text == "true"
    return ValueProblem(text, "neither true nor false") if text else None


def decode_char(text: str) -> str | ValueProblem | None:
    """One character; VASSAL reads the first of several."""
    if len(text) > 1:
        return ValueProblem(text, "more than one character")
    return text or None


def double_text(number: float) -> str:
    """The number as Java prints it (the shortest text that gives it back)."""
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return repr(number)
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    first, *rest = map(str, digits)
    power = int(exponent) + len(rest)
    return f"{'-' if sign else ''}{first}.{''.join(rest) or '0'}E{power}"


def number_text(number: float) -> str:
    """The token of a number (or boolean): its own spelling, else Java's."""
    if isinstance(number, OddInt | OddFloat):
        return number.written
    if isinstance(number, bool):
        return "true" if number else "false"
    return str(number) if isinstance(number, int) else double_text(number)


_BYTE = 255


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour.  `written` is its text where VASSAL would write another."""

    red: int
    green: int
    blue: int
    alpha: int = _BYTE
    written: str = ""

    def encode(self) -> str:
        """The token."""
        if self.written:
            return self.written
        parts = [self.red, self.green, self.blue]
        return ",".join(map(str, parts if self.alpha == _BYTE else [*parts, self.alpha]))


@dataclass(frozen=True, slots=True)
class NoColour:
    """The word `null` in place of a colour; an empty token says the same."""

    def encode(self) -> str:
        """The token."""
        return "null"


_HEX = re.compile(r"0[xX]([0-9a-fA-F]{1,6})")


def decode_colour(text: str) -> Colour | NoColour | ValueProblem | None:
    """`r,g,b` with an alpha if not opaque, or `0xRRGGBB`."""
    if not text:
        return None
    if text == "null":
        return NoColour()
    hexadecimal = _HEX.fullmatch(text)
    if hexadecimal is not None:
        number = int(hexadecimal[1], 16)
        return Colour(number >> 16, number >> 8 & _BYTE, number & _BYTE, written=text)
    parts = [java_int(part) for part in text.split(",")]
    numbers = [p for p in parts if p is not None and 0 <= p <= _BYTE]
    if len(numbers) != len(parts) or len(parts) not in (3, 4):
        return ValueProblem(text, "not a colour")
    red, green, blue, alpha = (*numbers, _BYTE)[:4]
    colour = Colour(red, green, blue, alpha)
    return colour if colour.encode() == text else replace(colour, written=text)
