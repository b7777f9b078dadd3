"""Reads dice reports in the chat: what was rolled, and by whom.

A log's commands say a roll better (`vmod_tools.rolls`); this is for logs that lack them: dice of a
module's own code, and very old ones.  Two shapes are known:

* the default report of all versions, `*** 2d6 = 4,2 *** <Bob>`, with any label, and the `(LABEL) 4,2` of
  some modules in the place of `LABEL = 4,2`;
* a report that names its dice (`2d6`, or a label that is known), in words: `* Bob rolls 2d6: 4,2`,
  `* Bobが2d6を振った：４、２`.

Written as a scanner that only goes forward, for reports are texts of strangers.  Lines that players
typed begin with their name, so nobody can type a roll.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape

MAX_LINE = 2_000
"""Characters of the longest line that is looked at; real reports have some 40 to 120."""

UNDO_PREFIX = "* UNDO: "
_MAX_VALUES, _MAX_DIGITS = 1_000, 9
_COLOURS = "!?~|`"
"""Quick colours: a character between the star and the text, since 3.5."""

_BETWEEN = (
    *("=", ":", "->", "→", "⇒"),
    *("rolls", "rolled", "result is", "results", "result", "is", "was"),
    *("の出目は", "の出目", "の結果は", "の結果", "の目は"),
    *("を振りました", "を振った", "を振って", "を振ると", "を振る", "は", "、", "。"),
)
"""What may stand between the dice and their values."""
_BEHIND_NAME = ("が", "は", "の", "rolls a", "rolls", "rolled a", "rolled", "throws", ":")
"""What may stand between a player's name and the dice."""
_SPACES = " \t"
_TAGS = frozenset(["b", "br", "div", "em", "font", "i", "img", "p", "span", "strong", "u"])
"""What a module's own report may be marked up with; anything else in brackets is a player's name."""
_JOINTS = " \t,、と+[]"


@dataclass(frozen=True, slots=True)
class DiceLine:
    """A roll as the chat tells it; `name` is "" where the report names nobody."""

    label: str
    values: tuple[int, ...]
    name: str = ""


def read_dice_line(line: str, labels: Iterable[str] = ()) -> DiceLine | None:
    """The roll that a stored chat line reports, or None; `labels` are names of dice that are known."""
    if not line.startswith("*") or line.startswith(UNDO_PREFIX) or len(line) > MAX_LINE:
        return None
    # Full-width digits, signs and brackets of Japanese reports become the plain ones.
    text = unicodedata.normalize("NFKC", unescape(_without_tags(line)))
    body = text.lstrip("*")
    stars = len(text) - len(body)
    if stars == 1 and body[:1] in _COLOURS:
        body = body[1:]
    body = body.strip()
    first_name = ""
    if body.startswith("<") and ">" in body:
        first_name, _, body = body[1:].partition(">")
    found = _default_report(body) if stars >= 3 else None
    if found is None:
        found = _worded_report(body, sorted(labels, key=len, reverse=True))
    if found is None or not first_name:
        return found
    return DiceLine(found.label, found.values, first_name.strip())


def _without_tags(line: str) -> str:
    first, *parts = line.split("<")
    kept = [first]
    for part in parts:
        tag, closed, text = part.partition(">")
        word = tag.strip("/").partition(" ")[0].lower()
        kept.append(text if closed and word in _TAGS else f"<{part}")
    return "".join(kept)


def _default_report(body: str) -> DiceLine | None:
    """`LABEL = 4,2 *** <name>` or `(LABEL) 4,2 *** <name>`."""
    if body.startswith("("):
        label, closed, rest = body[1:].partition(")")
    else:
        label, closed, rest = body.partition("=")
    if not closed or not label.strip() or "<" in label:
        return None
    values, end = _values(rest, 0)
    tail = rest[end:].lstrip()
    # Without its closing stars or name this is another report, say `*** Turn = 3 days`.
    if not values or tail[:1] not in ("*", "<", "=", "("):
        return None
    return DiceLine(label.strip(), values, _name_in(tail))


def _worded_report(body: str, labels: list[str]) -> DiceLine | None:
    """A report with a known label, or one like 2d6, in it."""
    start, end = _label_at(body, labels)
    if end == 0:
        return None
    label, before = body[start:end], body[:start].strip()
    values, at = _values(body, _skip_words(body, end))
    if not values:
        return None
    name = next((before.removesuffix(w).strip() for w in _BEHIND_NAME if before.endswith(w)), "")
    if before and not name:
        label = f"{before} {label}"
    return DiceLine(label, values, name.strip("<>") or _name_in(body[at:]))


def _label_at(body: str, labels: list[str]) -> tuple[int, int]:
    """Where the dice are named; (0, 0) when they are not."""
    for label in labels:
        at = body.find(unicodedata.normalize("NFKC", label)) if label else -1
        if at >= 0:
            return at, at + len(unicodedata.normalize("NFKC", label))
    for at, character in enumerate(body):
        if character in "dD" and _is_digit(body[at + 1 : at + 2]):
            start, end = at, at + 1
            while start > 0 and at - start < 4 and _is_digit(body[start - 1]):
                start -= 1
            while end < len(body) and end - at < 5 and _is_digit(body[end]):
                end += 1
            before, behind = body[start - 1 : start], body[end : end + 1]
            if not (_is_latin(before) or _is_digit(before) or _is_latin(behind)):
                return start, end
    return 0, 0


def _skip_words(body: str, at: int) -> int:
    """The place behind blanks and words that may stand before the values."""
    while at < len(body):
        word = next((w for w in _BETWEEN if body.startswith(w, at)), "")
        if not word and body[at] not in _SPACES:
            break
        at += len(word) or 1
    return at


def _values(text: str, at: int) -> tuple[tuple[int, ...], int]:
    """The whole numbers from `at` on, and the place behind them; none if a word goes on from them."""
    values: list[int] = []
    behind = at
    while at < len(text) and len(values) < _MAX_VALUES:
        if text[at] in _JOINTS:
            at += 1
            continue
        end = at
        while end < len(text) and _is_digit(text[end]) and end - at <= _MAX_DIGITS:
            end += 1
        if end == at or end - at > _MAX_DIGITS or _is_latin(text[end : end + 1]):
            break
        values.append(int(text[at:end]))
        at = behind = end
    return tuple(values), behind


def _name_in(text: str) -> str:
    """The first name in angle brackets."""
    _, opened, rest = text.partition("<")
    name, closed, _ = rest.partition(">")
    return name.strip() if opened and closed else ""


def _is_digit(character: str) -> bool:
    return "0" <= character <= "9"


def _is_latin(character: str) -> bool:
    return character.isascii() and (character.isalpha() or character == "_")
