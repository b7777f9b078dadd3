"""A value of a JSON document together with its place, so that whoever reads it can say what is wrong where.

Places are JSON pointers.  Every method that finds another kind of value raises MapError (MAP_JSON).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vmod_tools.errors import MapError

# What XML 1.0 cannot carry; a map that came as JSON must be writable as XML.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value and its JSON pointer."""

    value: object
    pointer: str

    def error(self, message: str) -> MapError:
        """An error at this place."""
        return MapError(message, code="MAP_JSON", place=self.pointer)

    def _unlike(self, expected: str) -> MapError:
        shown = repr(self.value)
        shown = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
        return self.error(f"{shown} is not {expected}")

    def _below(self, key: str | int, value: object) -> JsonNode:
        escaped = str(key).replace("~", "~0").replace("/", "~1")
        return JsonNode(value, f"{self.pointer}/{escaped}")

    def members(self) -> dict[str, JsonNode]:
        """The members of an object with any keys."""
        if not isinstance(self.value, Mapping):
            raise self._unlike("an object")
        return {str(key): self._below(str(key), value) for key, value in self.value.items()}

    def record(self, required: Iterable[str], optional: Iterable[str] = ()) -> dict[str, JsonNode]:
        """The members of an object that must have some keys, may have others, and has no more."""
        found, required = self.members(), set(required)
        for key in found.keys() - required - set(optional):
            raise found[key].error(f"{key[:_SHOWN]!r} is not known here")
        for key in sorted(required - found.keys()):
            raise self.error(f"{key!r} is missing")
        return found

    def items(self) -> list[JsonNode]:
        """The items of an array."""
        if not isinstance(self.value, list | tuple):
            raise self._unlike("an array")
        return [self._below(index, item) for index, item in enumerate(self.value)]

    def text(self, pattern: str = "(?s).*", meaning: str = "text") -> str:
        """A string that matches a pattern as a whole, with its white space collapsed."""
        if not isinstance(self.value, str) or _NOT_XML.search(self.value):
            raise self._unlike(meaning)
        text = " ".join(self.value.split())
        if not re.fullmatch(pattern, text):
            raise self._unlike(meaning)
        return text

    def word(self, choices: Iterable[str]) -> str:
        """One of some strings."""
        choices = tuple(choices)
        if self.value not in choices:
            raise self._unlike("one of " + ", ".join(choices))
        return self.value

    def number(self) -> float:
        """A finite number; true and false are none."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self._unlike("a number")
        # An integer too large for a float is no number of ours either.
        if abs(self.value) > 1e15 or not math.isfinite(self.value):
            raise self._unlike("a number of this size")
        return float(self.value)

    def integer(self, least: int, most: int) -> int:
        """A whole number between two bounds, both included."""
        value = self.number()
        if value != int(value) or not least <= value <= most:
            raise self._unlike(f"a whole number from {least} to {most}")
        return int(value)

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self._unlike("true or false")
        return self.value
