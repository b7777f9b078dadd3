"""A piece as an item: where it stands, what it states of itself, and its traits with named fields.

Passwords: the states of Mask, Invisible and Restricted Access hold the owner's, and custom traits keep it
anywhere (VASL's `concealment;` in its type); these are compared and never shown.  Who owns a mask is said as p1, p2 …, which is the same
before and after a player took another password.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Row
from dataclasses import dataclass, replace

from vmod_tools.commands.kinds import ADD, parse_command
from vmod_tools.diff.model import NOT_SHOWN, Body, Hidden, Item, Value, shown
from vmod_tools.errors import VmodError
from vmod_tools.gamestate import Player
from vmod_tools.logs import player_label
from vmod_tools.pieces import (
    NULL,
    Level,
    Piece,
    Place,
    encode_chain,
    stated_properties,
)
from vmod_tools.sequence import Sequence
from vmod_tools.traits import (
    BASIC,
    DECK,
    DYNAMIC_PROPERTY,
    KINDS,
    LAYER,
    MARKER,
    STACK,
    Trait,
)

_OWNED = ("obs;", "hide;", "restrict;")
_SPEC = "marker_spec"
_NAMES = (
    "name",
    "key",
    "prototype_name",
    "property_name",
    "command_name",
    "menu_name",
    "mat_name",
    "attach_name",
    "return_command",
    "description",
)
"""Fields that tell a trait from others of its kind, the best first."""


@dataclass(frozen=True, slots=True)
class View:
    """How pieces are looked at: as tokens, or typed; and who the players are."""

    raw: bool = False
    players: Row[Player] = ()


def piece_item(
    piece: Piece, view: View, place: Place | None = None, on: str = "", key: str = ""
) -> Item:
    """The item of a piece; `place` and `on` (what it lies on) are not part of its own state."""
    properties = stated_properties(piece)
    return Item(
        key or f"piece {piece.id}",
        (piece.type_chain, piece.state_chain, place, on),
        lambda: _body(piece, view, place, on),
        properties.get("BasicName", ""),
    )


def place_text(place: Place) -> str:
    """A place as text."""
    return "off the map" if place.map is None else f"{place.map} {place.x},{place.y}"


def slot_fields(text: str, view: View) -> Body:
    """The piece in the text of a slot or prototype; what is no piece is compared and not shown."""
    piece = _piece_in(text)
    if piece is None:
        return Body({"text": Hidden(text)})
    return _body(piece, view, None, "")


def _piece_in(text: str) -> Piece | None:
    try:
        command = parse_command(text)
    except VmodError:
        return None
    if command.kind is not ADD:
        return None
    return Piece.decode(command["id"], command["type"], command["state"])


def _body(piece: Piece, view: View, place: Place | None, on: str) -> Body:
    fields: dict[str, Value] = {}
    if place is not None:
        fields["place"] = place_text(place)
    if on:
        fields["on"] = on
    traits = list(piece.traits())
    if view.raw:
        for number, trait in enumerate(traits, 1):
            known = trait.kind.prefix in KINDS
            label = f"type {number}" if known else f"type {number} {trait.kind.prefix}"
            fields[label] = _type_text(trait) if known else Hidden(trait.type_text())
            fields[f"state {number}"] = trait.state if _may_be_shown(trait) else Hidden(trait.state)
        return Body(fields)
    for name, value in stated_properties(piece).items():
        if value or name not in ("BasicName", "PieceGpid"):
            fields[_PROPERTY_NAMES.get(name, f"property {name}")] = value
    order = []
    for label, trait in _labelled(traits):
        fields[label] = _trait_fields(trait, view)
        order.append(label)
    return Body(fields, tuple(order))


_PROPERTY_NAMES = {"BasicName": "name", "PieceGpid": "gpid"}


def _labelled(traits: list[Trait]) -> Iterator[tuple[str, Trait]]:
    """Each trait with a name that no other of the piece has."""
    seen: dict[str, int] = {}
    for trait in traits:
        label = f"trait {trait.kind.name or trait.kind.prefix} {_own_name(trait)}".rstrip()
        seen[label] = seen.get(label, 0) + 1
        yield label if seen[label] == 1 else f"{label} #{seen[label]}", trait


def _own_name(trait: Trait) -> str:
    if trait.kind is MARKER:
        return ",".join(trait.tokens)
    if trait.kind is BASIC:
        return ""
    kinds = {f.name: f.kind for f in trait.kind.fields_for(trait.tokens)}
    for name in _NAMES:
        if kinds.get(name) not in (None, "K", "KA"):
            try:
                value = trait[name]
            except KeyError:
                continue
            if value:
                return value
    return ""


def _trait_fields(trait: Trait, view: View) -> dict[str, str]:
    """The fields of the type that are not their default, and the state unless properties say it."""
    fields: dict[str, str] = {}
    if trait.kind.prefix not in KINDS:
        return {"type": Hidden(trait.type_text()), "state": Hidden(trait.state)}
    if trait.kind is not MARKER:
        table = trait.kind.fields_for(trait.tokens)
        for number, token in enumerate(trait.tokens):
            known = table[number] if number < len(table) else None
            if known is None:
                fields[f"field {number + 1}"] = token
            elif token != known.default:
                fields[known.name] = _spec(token) if known.name == _SPEC else token
    if trait.kind.prefix in _OWNED:
        owner = _owner(trait, view)
        if owner:
            fields["owner"] = owner
    elif trait.state and not _is_said(trait):
        fields["state"] = trait.state
    return fields


def _is_said(trait: Trait) -> bool:
    """Whether properties or the place say all that the state does."""
    if trait.kind in (BASIC, STACK, DECK, MARKER, DYNAMIC_PROPERTY):
        return True
    return trait.kind is LAYER and bool(trait["name"])


def _may_be_shown(trait: Trait) -> bool:
    return trait.kind.prefix in KINDS and trait.kind.prefix not in _OWNED


def _owner(trait: Trait, view: View) -> str:
    """Who hides or owns the piece, as p1, p2 …; "someone" where no player has that id."""
    owner = Sequence.decode(trait.state, ";").tokens[0]
    if owner in ("", NULL):
        return ""
    ids = [player.user_id for player in view.players]
    return player_label(ids.index(owner)) if owner in ids else "someone"


def _type_text(trait: Trait) -> str:
    """The type's text, without what must not be shown; a piece inside it (Place Marker) likewise."""
    if trait.kind.prefix not in KINDS:
        return f"{trait.kind.prefix}{NOT_SHOWN}"
    if trait.type is None or _SPEC not in {f.name for f in trait.kind.fields}:
        return trait.type_text()
    tokens = tuple(shown(_spec(t)) for t in trait.tokens)
    return replace(trait, type=replace(trait.type, tokens=tokens)).type_text()


def _spec(text: str) -> str:
    piece = _piece_in(text)
    if piece is None:
        # A component path, or the end of a text that is cut short.
        return text if not text.startswith(ADD.prefix) else Hidden(text)
    states = tuple(
        level if _may_be_shown(trait) or level.text in ("", NULL) else Level("?")
        for level, trait in zip(piece.state_chain, piece.traits(), strict=False)
    )
    types = tuple(Level(_type_text(trait)) for trait in piece.traits())
    return f"{ADD.prefix}{piece.id}/{encode_chain(types)}/{encode_chain(states or (Level(''),))}"
