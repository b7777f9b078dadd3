"""The answers as JSON: rulings, reports, games, problems.  They describe; nothing is loaded with them."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from service.rulings import VERDICTS


class LanguagesSchema(Schema):
    """One text in both languages."""

    en = fields.String(required=True)
    ja = fields.String(required=True)


class RuleRulingSchema(Schema):
    """What one rule says."""

    id = fields.String(required=True)
    cite = fields.String(required=True, metadata={"description": "paragraph of the rulebook"})
    verdict = fields.String(required=True, validate=validate.OneOf(VERDICTS[:3]))
    facts = fields.Dict(keys=fields.String(), required=True)
    message = fields.Nested(LanguagesSchema, required=True)
    missing = fields.List(fields.String(), required=True)


class RulingSchema(Schema):
    """The ruling on one action."""

    step = fields.String(metadata={"description": "log.step; absent without a log"})
    steps = fields.List(fields.String())
    actor = fields.String(metadata={"description": "p1, p2 …"})
    action = fields.String(required=True)
    units = fields.List(fields.String(), required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(VERDICTS))
    rules = fields.List(fields.Nested(RuleRulingSchema), required=True)
    result = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={"description": "by unit: the way, or the open kinds"},
    )
    assumed = fields.List(
        fields.String(), required=True, metadata={"description": "readings of gaps"}
    )
    missing = fields.List(
        fields.String(), required=True, metadata={"description": "facts that would decide"}
    )
    depends_on = fields.List(
        fields.String(), required=True, metadata={"description": "illegal steps it hangs on"}
    )


class GameNameSchema(Schema):
    """A game's id and titles."""

    id = fields.String(required=True)
    titles = fields.Nested(LanguagesSchema, required=True)


class ReportModuleSchema(Schema):
    """The module of a report."""

    name = fields.String(required=True)
    version = fields.String(required=True)
    named_by_log = fields.String(required=True, allow_none=True)


class PlayerSchema(Schema):
    """A player of the log; names are not shown."""

    player = fields.String(required=True)
    side = fields.String(required=True)


class ReportSchema(Schema):
    """The report on one log or several."""

    schema_version = fields.Integer(required=True)
    tool_version = fields.String(required=True)
    game = fields.Nested(GameNameSchema, required=True)
    options = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    view = fields.String(required=True)
    module = fields.Nested(ReportModuleSchema, required=True)
    steps = fields.Integer(required=True)
    players = fields.List(fields.Nested(PlayerSchema), required=True)
    counts = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    rulings = fields.List(fields.Nested(RulingSchema), required=True)
    rules_examined = fields.List(fields.String(), required=True)
    undone = fields.List(fields.String(), required=True)
    not_understood = fields.List(fields.String(), required=True)
    cannot_prove = fields.List(fields.String(), required=True)
    assumptions = fields.List(fields.String(), required=True)
    hashes = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class OptionSchema(Schema):
    """The reading of a gap."""

    id = fields.String(required=True)
    default = fields.String(required=True)
    alternatives = fields.List(fields.String(), required=True)
    text = fields.Nested(LanguagesSchema, required=True)


class UnitClassSchema(Schema):
    """A class of units."""

    id = fields.String(required=True)
    names = fields.Nested(LanguagesSchema, required=True)
    enters = fields.List(fields.String(), required=True)
    drops = fields.Boolean(required=True)


class GameSchema(GameNameSchema):
    """A game with its options."""

    rulebook = fields.String(required=True)
    map = fields.String(required=True)
    sides = fields.List(fields.String(), required=True)
    classes = fields.List(fields.Nested(UnitClassSchema), required=True)
    terrains = fields.List(fields.String(), required=True)
    options = fields.List(fields.Nested(OptionSchema), required=True)
    in_force = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class RuleSchema(Schema):
    """A rule."""

    id = fields.String(required=True)
    cite = fields.String(required=True)
    text = fields.Nested(LanguagesSchema, required=True)
    inputs = fields.List(fields.String(), required=True)
    breaches = fields.Dict(
        keys=fields.String(), values=fields.Nested(LanguagesSchema), required=True
    )


class RulesSchema(Schema):
    """A rulebook."""

    id = fields.String(required=True)
    title = fields.Nested(LanguagesSchema, required=True)
    rules = fields.List(fields.Nested(RuleSchema), required=True)
    options = fields.List(fields.Nested(OptionSchema), required=True)


class HealthSchema(Schema):
    """The service is up."""

    status = fields.String(required=True, validate=validate.Equal("ok"))


class PlaceSchema(Schema):
    """One problem of a request, with its place."""

    place = fields.String(required=True)
    message = fields.String(required=True)


class ProblemSchema(Schema):
    """An error (RFC 9457)."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(required=True, metadata={"description": "stable"})
    errors = fields.List(fields.Nested(PlaceSchema), required=True)
