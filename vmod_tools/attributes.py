"""The attributes of VASSAL's components: types and defaults, by table.

The table is `attributes.toml`.  Attributes and components that it does not list are ordinary: their values
are texts.  A text that its type cannot read is kept as a text too; VASSAL refuses most such modules, and
`malformed` says which it is.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from vmod_tools.sequence import Sequence, java_int

Value = str | int | float | bool | tuple[str, ...] | tuple[tuple[int, int], ...] | None
"""A typed value; None where neither the file nor the table says anything."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: `kind` is a letter code of the table; `default` None means that there is none."""

    name: str
    kind: str = "S"
    default: str | None = None
    since: str = ""


@dataclass(frozen=True, slots=True)
class ComponentKind:
    """What the table says of a class of components."""

    name: str
    name_attribute: str
    """The attribute that VASSAL's editor shows as the name; "" when the class has no name."""
    attributes: Mapping[str, Attribute]


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((Path(__file__).parent / "attributes.toml").read_text("utf-8"))


@cache
def component_kind(kind: str) -> ComponentKind:
    """The kind of that name (a class without its package); an unknown one has no attributes."""
    entry = _table().get(kind, {}) if kind[:1].isupper() else {}
    return ComponentKind(kind, entry.get("name", "name"), _attributes(entry))


def known_kinds() -> tuple[str, ...]:
    """All classes that the table lists."""
    return tuple(name for name in _table() if name[:1].isupper())


def _attributes(entry: Mapping[str, Any]) -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}
    for parent in entry.get("like", ()):
        found |= _attributes(_table()[parent])
    return found | {field[0]: Attribute(*field) for field in entry.get("fields", ())}


def typed(attribute: Attribute, text: str | None) -> Value:
    """The value of an attribute that stands in the file as `text` (None: it is absent)."""
    text = attribute.default if text is None else text
    if text is None:
        return None
    value = _READERS.get(attribute.kind, str)(text)
    return text if value is None else value


def malformed(attribute: Attribute, text: str) -> bool:
    """Whether the text is none of the attribute's type."""
    return _READERS.get(attribute.kind, str)(text) is None


def _double(text: str) -> float | None:
    try:
        value = float(text.strip())
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _boolean(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text)


def _texts(text: str) -> tuple[str, ...]:
    return Sequence.decode(text, ",").tokens if text else ()


def _points(text: str) -> tuple[tuple[int, int], ...] | None:
    points = []
    for part in filter(str.strip, text.split(";")):
        x, _, y = part.partition(",")
        at = java_int(x.strip()), java_int(y.strip())
        if at[0] is None or at[1] is None:
            return None
        points.append((at[0], at[1]))
    return tuple(points)


_READERS: Mapping[str, Callable[[str], Value]] = {
    "I": java_int,
    "D": _double,
    "B": _boolean,
    "SA": _texts,
    "P": _points,
}
