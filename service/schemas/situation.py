"""A situation and one action as JSON: the marshmallow schemas, and reading them into facts.

The schemas say which keys there are and of what kind; `read_situation` then resolves ids against the map
and refuses what contradicts it.  A key that is left out, or null, is a fact that is not known, except
that a null hex means "on no hex".

One source: `schemas/situation.schema.json` and the OpenAPI document are made from these classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from marshmallow import Schema, ValidationError, fields, validate

from service.actions import ACTION_TYPES, PURPOSES, AttackKind
from service.situation import ARRIVALS, DEEDS, POSTURES

ATTACK_KINDS: tuple[str, ...] = get_args(AttackKind)

_SHORT = validate.Length(min=1, max=80)
_MANY = validate.Length(min=1, max=200)


def _text(about: str, **more: Any) -> fields.String:
    return fields.String(validate=_SHORT, metadata={"description": about}, **more)


def _choice(values: tuple[str, ...], about: str) -> fields.String:
    return fields.String(
        validate=validate.OneOf(values), allow_none=True, metadata={"description": about}
    )


class TrueOrFalse(fields.Boolean):
    """A boolean and nothing that could pass for one: "no" is a text."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class UnitSchema(Schema):
    """A unit and what is known of it."""

    id = _text("the unit's id in this situation", required=True)
    name = _text("what the ruling calls it; the id, if left out")
    side = _text("one of the sides", required=True)
    unit_class = fields.String(
        data_key="class",
        allow_none=True,
        validate=_SHORT,
        metadata={"description": "a class of the game file"},
    )
    hex = fields.String(
        allow_none=True, validate=_SHORT, metadata={"description": "where it is; null: on no hex"}
    )
    start_hex = fields.String(
        allow_none=True,
        validate=_SHORT,
        metadata={"description": "where it was when the action step began; left out: not known"},
    )
    position = _choice(POSTURES, "deployed off the road, on the road, or in a strongpoint")
    site = fields.String(
        allow_none=True, validate=_SHORT, metadata={"description": "the strongpoint's site id"}
    )
    bank = fields.String(
        allow_none=True, validate=_SHORT, metadata={"description": "N, S, E, W, C or two letters"}
    )
    arrived = _choice(ARRIVALS, "how it came into its hex in this step")
    landing_craft = TrueOrFalse(
        allow_none=True, metadata={"description": "whether landing craft are allocated to it"}
    )
    did = fields.List(
        fields.String(validate=validate.OneOf(DEEDS)),
        allow_none=True,
        metadata={"description": "what it did before in this action step; left out: not known"},
    )


class PhaseSchema(Schema):
    """Whose player turn it is, and which action step of it."""

    active = _text("the side whose player turn it is")
    turn = _text("the turn")
    step = _text("the action step")


class TargetSchema(Schema):
    """What is attacked: a hex, and the units there if not all of them."""

    hex = _text("the hex attacked", required=True)
    units = fields.List(_text("unit id"), validate=_MANY)


class MoveSchema(Schema):
    """A move, drop or landing of one unit or of several together."""

    type = fields.String(required=True, validate=validate.Equal("move"))
    units = fields.List(_text("unit id"), required=True, validate=_MANY)
    to = _text("where the move ends; the judge looks for the cheapest legal way")
    path = fields.List(
        _text("hex"),
        validate=validate.Length(min=2, max=100),
        metadata={
            "description": "every hex of the way, first the one left; then no way is looked for"
        },
    )
    arrived = _choice(ARRIVALS, "how the units came")
    position = _choice(POSTURES, "the position stated on arrival")
    site = fields.String(allow_none=True, validate=_SHORT, metadata={"description": "site id"})
    bank = fields.String(
        allow_none=True, validate=_SHORT, metadata={"description": "the bank stated on arrival"}
    )
    purpose = _choice(
        PURPOSES, "a move (if left out), or a retreat or an advance after combat; null: not known"
    )


class AttackSchema(Schema):
    """An attack on a hex, adjacent or the attackers' own."""

    type = fields.String(required=True, validate=validate.Equal("attack"))
    units = fields.List(_text("unit id"), required=True, validate=_MANY)
    target = fields.Nested(TargetSchema, required=True)
    kind = _choice(ATTACK_KINDS, "the kind declared; left out: the kind is what the rules make it")


class BombardSchema(AttackSchema):
    """A preparatory bombardment of a hex."""

    type = fields.String(required=True, validate=validate.Equal("bombard"))


class PartSchema(Schema):
    """One part of a combat: who attacks or bombards."""

    type = fields.String(required=True, validate=validate.OneOf(("attack", "bombard")))
    units = fields.List(_text("unit id"), required=True, validate=_MANY)
    target = fields.Nested(TargetSchema)
    kind = _choice(ATTACK_KINDS, "the kind declared")


class CombatSchema(Schema):
    """A coordinated attack: attacks and bombardments of one hex resolved as one combat."""

    type = fields.String(required=True, validate=validate.Equal("combat"))
    hex = _text("the hex attacked", required=True)
    attacks = fields.List(fields.Nested(PartSchema), required=True, validate=_MANY)


ACTION_SCHEMAS: Mapping[str, type[Schema]] = {
    "move": MoveSchema,
    "attack": AttackSchema,
    "bombard": BombardSchema,
    "combat": CombatSchema,
}


class ActionField(fields.Field[Any]):
    """One of the action schemas, chosen by `type`."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        """The loaded action; raises ValidationError with the key at fault."""
        if not isinstance(value, dict):
            raise ValidationError("Not an object.")
        schema = ACTION_SCHEMAS.get(str(value.get("type")))
        if schema is None:
            raise ValidationError({"type": [f"Must be one of: {', '.join(ACTION_TYPES)}."]})
        return schema().load(value)


class MapField(fields.Raw):
    """A map: the id of a map set, or a small one inline, which the map document's own reader reads."""


class SituationSchema(Schema):
    """The body of `POST /v1/rulings`: a situation and one action."""

    schema_uri = fields.String(
        data_key="$schema", metadata={"description": "for editors; not read"}
    )
    about = fields.String(metadata={"description": "a note for the reader; not judged"})
    game = _text("the game's id", required=True)
    options = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={"description": "readings of gaps, by option id"},
    )
    map = MapField(
        metadata={
            "description": "the id of a map set, or a small map inline; the game's own, if left out"
        }
    )
    sides = fields.List(_text("side"), metadata={"description": "the game's own, if left out"})
    phase = fields.Nested(PhaseSchema)
    units = fields.List(
        fields.Nested(UnitSchema), required=True, validate=validate.Length(max=5000)
    )
    action = ActionField(required=True, metadata={"description": "what is asked about"})
