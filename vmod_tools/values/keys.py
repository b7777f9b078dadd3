"""Key strokes and arrays of them.

A stroke is a Java key code and a sum of modifier masks; a named one (3.2 and later) has a code that the
writing session happened to hand out, and only its name counts.  Files of 2.x have one character, for Ctrl
and that key.

Source: configure/HotKeyConfigurer.java, NamedHotKeyConfigurer.java, NamedKeyStrokeArrayConfigurer.java;
vassal-format.md section 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from vmod_tools.sequence import NONE_QUOTED, Sequence
from vmod_tools.values.plain import ValueProblem, decode_int, number_text

CTRL = 130
# Java's old mask and new mask of a modifier; files hold one, the other, or the sum.
_MASKS = ((1, 64), (2, 128), (4, 256), (8, 512))


@dataclass(frozen=True, slots=True)
class KeyStroke:
    """A key stroke.  `cut` is what stands behind a comma in the name, which VASSAL does not read."""

    code: int
    modifiers: int
    name: str | None = None
    cut: tuple[str, ...] = ()

    @property
    def is_none(self) -> bool:
        """Whether this is VASSAL's way to write no key at all."""
        return not (self.code or self.modifiers or self.name)

    @property
    def normal_modifiers(self) -> int:
        """The modifiers as VASSAL writes them today: the sum of old and new mask of each."""
        return sum(old + new for old, new in _MASKS if self.modifiers & (old | new))

    def same_key(self, other: KeyStroke) -> bool:
        """Whether VASSAL takes both for one key: by name if they have one."""
        if self.name or other.name:
            return self.name == other.name
        return (self.code, self.normal_modifiers) == (other.code, other.normal_modifiers)

    def encode(self) -> str:
        """The token."""
        parts = [number_text(self.code), number_text(self.modifiers)]
        if self.name is not None:
            parts += [self.name, *self.cut]
        return ",".join(parts)


@dataclass(frozen=True, slots=True)
class LegacyKey:
    """A key stroke of 2.x: Ctrl and this character."""

    character: str

    def key(self) -> KeyStroke:
        """The stroke as later versions write it."""
        return KeyStroke(ord(self.character.upper()[0]), CTRL)

    def encode(self) -> str:
        """The token."""
        return self.character


def decode_key(text: str) -> KeyStroke | LegacyKey | ValueProblem | None:
    """A key stroke; None for none."""
    if not text:
        return None
    if "," not in text:
        return LegacyKey(text) if len(text) == 1 else ValueProblem(text, "not a key stroke")
    code_text, modifiers_text, *name = text.split(",")
    code, modifiers = decode_int(code_text), decode_int(modifiers_text)
    if not isinstance(code, int) or not isinstance(modifiers, int):
        return ValueProblem(text, "not a key stroke")
    return KeyStroke(code, modifiers, name[0] if name else None, tuple(name[1:]))


@dataclass(frozen=True, slots=True)
class KeyStrokes:
    """An array of key strokes; an empty token in it is None, and VASSAL skips it."""

    keys: tuple[KeyStroke | None, ...]
    quoted: frozenset[int] = NONE_QUOTED

    @classmethod
    def of(cls, *keys: KeyStroke) -> Self:
        """A new array."""
        tokens = Sequence.of([key.encode() for key in keys], ",")
        return cls(keys, tokens.quoted)

    def encode(self) -> str:
        """The token."""
        tokens = tuple("" if key is None else key.encode() for key in self.keys)
        return Sequence(",", tokens, self.quoted).encode()


@dataclass(frozen=True, slots=True)
class LegacyKeys:
    """An array of 2.x: each character is Ctrl and that key."""

    characters: str

    def encode(self) -> str:
        """The token."""
        return self.characters


def decode_keys(text: str) -> KeyStrokes | LegacyKeys | ValueProblem | None:
    """An array of key strokes; None for an empty one."""
    if not text:
        return None
    if "," not in text:
        return LegacyKeys(text)
    tokens = Sequence.decode(text, ",")
    keys: list[KeyStroke | None] = []
    for token in tokens.tokens:
        key = decode_key(token)
        if key is not None and not isinstance(key, KeyStroke):
            # Alone in an array, a character is no key: VASSAL reads nothing.
            return ValueProblem(text, "not an array of key strokes")
        keys.append(key)
    return KeyStrokes(tuple(keys), tokens.quoted)
