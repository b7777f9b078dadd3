"""XML's written forms of a text, and the smallest change that makes one text of another.

Writers spell the same character differently (`"` or `&quot;`, a TAB or `&#9;`).  A changed text keeps the
bytes of its longest common beginning and end with the old one, however they were spelled; only what stands
between is written anew, as VASSAL's own writer would.

Source: XML 1.0 sections 2.2, 2.11, 3.3.3 and 4.6; vassal-format.md section 9.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from vmod_tools.errors import BuildFileError

_UNIT = re.compile(r"&[^;&]*;|\r\n|.", re.DOTALL)
_NAMED = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&apos;": "'"}
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BLANK = " \t\r\n"


def escape_attribute(value: str, quote: str) -> str:
    """An attribute value as VASSAL's writer puts it: TAB, LF and CR as references."""
    text = value.replace("&", "&amp;").replace("<", "&lt;")
    text = text.replace('"', "&quot;") if quote == '"' else text.replace("'", "&apos;")
    return text.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")


def escape_text(text: str) -> str:
    """Element text: a TAB is literal, as in VASSAL's type strings."""
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    )


def encoded(text: str, encoding: str) -> bytes:
    """Text that is escaped already, in the document's encoding; raises BuildFileError for characters
    that no XML document can hold (VASSAL could not read it back)."""
    illegal = _ILLEGAL.search(text)
    if illegal:
        raise BuildFileError(
            f"XML cannot hold the character {illegal[0]!r}", code="BUILDFILE_CHARACTER"
        )
    return text.encode(encoding, "xmlcharrefreplace")


def attribute_value(raw: bytes, value: str, quote: str, encoding: str) -> bytes:
    """The written form `raw` of an attribute's value (without its quotes), changed to mean `value`."""
    units, known = _units(raw.decode(encoding), attribute=True)
    return encoded(_merged(units, known, value, lambda t: escape_attribute(t, quote)), encoding)


def element_text(raw: bytes, text: str, encoding: str) -> bytes:
    """The written form `raw` of an element's text, changed to mean `text`; blanks around it stay.

    Content that is more than plain text (CDATA, comments, elements) is replaced as a whole.
    """
    if b"<" in raw:
        return encoded(escape_text(text), encoding)
    units, known = _units(raw.decode(encoding), attribute=False)
    old = "".join(known)
    core = old.strip(_BLANK)
    if core:
        lead = len(old) - len(old.lstrip(_BLANK))
        tail = old[lead + len(core) :]
        text = old[:lead] + text.strip(_BLANK) + tail
    return encoded(_merged(units, known, text, escape_text), encoding)


def _units(raw: str, *, attribute: bool) -> tuple[list[str], list[str]]:
    """The written characters of `raw`, and what each of them means."""
    units = _UNIT.findall(raw)
    return units, [_meaning(unit, attribute=attribute) for unit in units]


def _meaning(unit: str, *, attribute: bool) -> str:
    if unit.startswith("&#x"):
        return chr(int(unit[3:-1], 16))
    if unit.startswith("&#"):
        return chr(int(unit[2:-1]))
    if unit in ("\r\n", "\r"):
        unit = "\n"
    if attribute and unit in ("\n", "\t"):
        return " "
    return _NAMED.get(unit, unit)


def _merged(units: list[str], known: list[str], new: str, escape: Callable[[str], str]) -> str:
    """`units` with the part that differs from `new` written anew."""
    shorter = min(len(known), len(new))
    start = next((i for i in range(shorter) if known[i] != new[i]), shorter)
    rest = shorter - start
    end = next((i for i in range(rest) if known[-1 - i] != new[-1 - i]), rest)
    kept = units[len(units) - end :] if end else []
    return "".join([*units[:start], escape(new[start : len(new) - end]), *kept])
