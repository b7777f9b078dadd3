"""Which names the state of a trait has: needed alike to write and to read a state.

VASSAL's own state fields get the names below and are attributes.  A marker's values are children with
the marker's names, a dynamic property's value is a child with the property's name, and the persistent
properties of a basic piece are `<property>` children.  Any other state is one text called `value`.

Source: the classes that `traits.toml` names; vassal-format.md sections 7.2, 7.4, 7.5 and 8.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from vmod_tools.pieces import parse_chain
from vmod_tools.traits import BASIC, DYNAMIC_PROPERTY, MARKER, Trait

STATE_NAMES = {
    "piece;": ("map", "x", "y", "gpid", "properties"),
    "stack": ("map", "x", "y"),
    "deck;": ("map", "x", "y", "face_down", "members"),
    "emb2;": ("value", "activation"),
    "footprint;": ("globally_visible", "start_map", "points"),
    "obs;": ("owner", "options"),
    "hide;": ("owner",),
    "sendto;": ("back_map", "back_x", "back_y"),
    "mat;": ("count",),
    "attach;": ("count",),
    "restrict;": ("owner",),
}
PROPERTIES_AT = STATE_NAMES["piece;"].index("properties")


@dataclass(frozen=True, slots=True)
class StatePlan:
    """How one trait's state is written: `names` are attributes, `keys` the names of children."""

    kind: str
    delimiter: str
    names: tuple[str, ...]
    keys: tuple[str, ...] = ()
    pairs: bool = False
    """The tokens behind the names are pairs of a property's name and value, and the last name counts them."""


RAW = StatePlan("", "", ("value",))


@lru_cache(maxsize=16_384)
def plans_of(type_text: str) -> tuple[StatePlan, ...]:
    """The plan of each level of a type, outermost first."""
    return tuple(_plan(Trait.decode(level.text)) for level in parse_chain(type_text))


def _plan(trait: Trait) -> StatePlan:
    kind = trait.kind
    if kind is MARKER:
        return StatePlan(kind.name, kind.state_delimiter, (), _usable(trait.tokens))
    if kind is DYNAMIC_PROPERTY:
        keys = _usable((trait["key"],))
        return StatePlan(kind.name, "", () if keys else RAW.names, keys)
    names = STATE_NAMES.get(kind.prefix, ())
    if not kind.state_delimiter:
        return StatePlan(kind.name, "", names or RAW.names)
    return StatePlan(kind.name, kind.state_delimiter, names, pairs=kind is BASIC)


def _usable(keys: tuple[str, ...]) -> tuple[str, ...]:
    """The keys, if each of them can name one child."""
    return keys if all(keys) and len(set(keys)) == len(keys) else ()
