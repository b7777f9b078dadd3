"""Tokens of a list as attributes and child elements, and back.

A token that VASSAL's format names is an attribute.  Tokens behind the last name, or those that a module
names (markers), are `<field>` children.  An attribute may be left out when its token is empty and a later
one is there: a Layer has 33 fields, most of them empty.  The list therefore ends with the last attribute
or child that is written.

`quoted` gives the tokens (from 0) that stood in quotes.  A token that was changed and would be misread
without quotes gets them; none that was read from a file ever needs it (`sequence`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Row

from vmod_tools.errors import SaveXmlError
from vmod_tools.sequence import NONE_QUOTED, Sequence

QUOTED = "quoted"


def named(names: Row[str], tokens: Row[str]) -> list[tuple[str, str]]:
    """The attributes for `tokens`, as far as there are names."""
    last = min(len(names), len(tokens)) - 1
    return [
        (name, token)
        for i, (name, token) in enumerate(zip(names, tokens, strict=False))
        if token or i == last
    ]


def quoted(indices: Iterable[int], name: str = QUOTED) -> list[tuple[str, str]]:
    """The attribute that lists quoted tokens, if there are any."""
    shown = " ".join(map(str, sorted(indices)))
    return [(name, shown)] if shown else []


def read_named(names: Row[str], attributes: Mapping[str, str], *, whole: bool) -> list[str]:
    """The tokens of the attributes; with `whole`, up to the last name (children follow).

    Raises SaveXmlError for an attribute that has no place among the names.
    """
    if not attributes:
        return [""] * len(names) if whole else []
    unknown = next((name for name in attributes if name not in names), None)
    if unknown is not None:
        raise SaveXmlError("there is no such field here", code="SAVEXML_FIELD", field=unknown)
    count = len(names) if whole else 1 + max(i for i, n in enumerate(names) if n in attributes)
    return [attributes.get(name, "") for name in names[:count]]


def read_quoted(text: str) -> frozenset[int]:
    """The indices that `quoted` lists (the schema has seen that they are numbers)."""
    if not text:
        return NONE_QUOTED
    return frozenset(map(int, text.split()))


def decoded(text: str, delimiter: str) -> Sequence:
    """The list in `text`; without a delimiter its one token."""
    return Sequence.decode(text, delimiter) if delimiter else Sequence("", (text,))


def joined(tokens: Row[str], delimiter: str, indices: frozenset[int] = NONE_QUOTED) -> str:
    """The list's text, with quotes where they stood and where they are needed."""
    if not delimiter:
        return "".join(tokens)
    suspects = [i for i, t in enumerate(tokens) if t and (t[-1] == "\\" or t[0] == "'")]
    if not suspects and not indices:
        escaped = "\\" + delimiter
        return delimiter.join([t.replace(delimiter, escaped) for t in tokens])
    last = len(tokens) - 1
    needed = {i for i in suspects if _needs_quotes(tokens[i], last=i == last)}
    return Sequence(delimiter, tuple(tokens), indices | needed).encode()


def _needs_quotes(token: str, *, last: bool) -> bool:
    """Whether the token would be misread without; unlike `sequence.needs_quotes`, for no other reason."""
    return (token[-1] == "\\" and not last) or (len(token) > 1 and token[0] == "'" == token[-1])
