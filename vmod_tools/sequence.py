r"""VASSAL's one escaping rule, decoded and re-encoded exactly.

Every list in VASSAL's formats is tokens joined by a delimiter; a delimiter inside a token gets a
backslash in front, and some tokens are wrapped in quotes.  Two writer generations quote different
tokens, and readers strip quotes however they came, so the tokens alone do not say how the text
looked.  The one missing fact is *which tokens were quoted*: with it, decode → encode is exact for
every text.  (Proof: inside a token each delimiter stands behind a backslash, else it would have ended
the token; unescaping drops exactly that backslash and escaping puts it back.)

Source: tools/SequenceEncoder.java and vassal-format.md section 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Self

NONE_QUOTED: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Sequence:
    r"""A decoded list: its tokens, and the indices of those that were quoted.

    The delimiter is one character, neither `\` nor `'`; without one ("") there is one raw token.
    """

    delimiter: str
    tokens: tuple[str, ...]
    quoted: frozenset[int] = NONE_QUOTED

    @classmethod
    def decode(cls, text: str, delimiter: str) -> Self:
        """The list in `text`; the empty text is one empty token."""
        raw = split(text, delimiter)
        if "'" not in text:
            return cls(delimiter, tuple(raw))
        quoted = frozenset(i for i, t in enumerate(raw) if len(t) > 1 and t[0] == "'" == t[-1])
        if not quoted:
            return cls(delimiter, tuple(raw))
        return cls(
            delimiter, tuple(t[1:-1] if i in quoted else t for i, t in enumerate(raw)), quoted
        )

    @classmethod
    def of(cls, tokens: Iterable[str], delimiter: str) -> Self:
        """A new list, quoted so that every version reads it back (see `needs_quotes`)."""
        kept = tuple(tokens)
        return cls(delimiter, kept, frozenset(i for i, t in enumerate(kept) if needs_quotes(t)))

    def encode(self) -> str:
        """The text; exactly the one that was decoded, if this came from `decode`."""
        delimiter, escaped = self.delimiter, "\\" + self.delimiter
        tokens: Iterable[str] = self.tokens
        if delimiter and any(delimiter in t for t in self.tokens):
            tokens = [t.replace(delimiter, escaped) for t in self.tokens]
        if self.quoted:
            tokens = [f"'{t}'" if i in self.quoted else t for i, t in enumerate(tokens)]
        return delimiter.join(tokens)

    def with_token(self, index: int, token: str) -> Self:
        """A copy with one token replaced; its quoting is decided anew, the others keep theirs."""
        tokens = (*self.tokens[:index], token, *self.tokens[index + 1 :])
        others = self.quoted - {index}
        return replace(
            self, tokens=tokens, quoted=others | {index} if needs_quotes(token) else others
        )


def split(text: str, delimiter: str) -> list[str]:
    """The tokens of `text`, unescaped but with their quotes."""
    escaped = "\\" + delimiter
    if escaped not in text:
        return text.split(delimiter)
    # Hide the escaped delimiters behind a character that the text does not hold, then split at C speed.
    for stand_in in "\0\x01\x02\x03":
        if stand_in not in text and stand_in != delimiter:
            hidden = text.replace(escaped, stand_in)
            return [t.replace(stand_in, delimiter) for t in hidden.split(delimiter)]
    return [t.replace(escaped, delimiter) for t in _bare_delimiter(delimiter).split(text)]


@cache
def _bare_delimiter(delimiter: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\\){re.escape(delimiter)}")


_INTEGER = re.compile(r"[+-]?[0-9]{1,40}")


def java_int(text: str) -> int | None:
    """The number that Java's Integer.parseInt reads in `text`, or None.

    Python's int() would also take blanks, underscores, other scripts' digits and any length.
    """
    number = int(text) if _INTEGER.fullmatch(text) else None
    return number if number is not None and -(2**31) <= number < 2**31 else None


def needs_quotes(token: str) -> bool:
    r"""Whether a new token must be quoted.

    VASSAL ≤ 3.3 quotes tokens that end in `\`, ≥ 3.4 those that start with it (and then loses the
    delimiter after a token ending in `\`); both quote what already looks quoted.  Quoting all three
    is read alike by every version, because the reader strips quotes without asking why.
    """
    return bool(token) and (token[-1] == "\\" or token[0] == "\\" or token[0] == "'" == token[-1])


def quoted_by_old_rule(token: str) -> bool:
    r"""Whether VASSAL ≤ 3.3 quotes the token."""
    return bool(token) and (token[-1] == "\\" or token[0] == "'" == token[-1])


def quoted_by_new_rule(token: str) -> bool:
    r"""Whether VASSAL ≥ 3.4 quotes the token."""
    return bool(token) and (token[0] == "\\" or token[0] == "'" == token[-1])
