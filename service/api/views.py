"""The resources of version 1, each a few lines: read, call one function, dump."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from flask import Blueprint as PlainBlueprint
from flask import Response, request
from flask_smorest import Blueprint
from flask_smorest.fields import Upload
from marshmallow import Schema, ValidationError, fields, validate
from werkzeug.datastructures import FileStorage

from service.api.problems import PROBLEM_JSON, not_found
from service.check import check_logs
from service.games import GameError, game_ids, load_game
from service.judge import judge, readings, rulebook_of
from service.report.data import report_data, ruling_data
from service.report.model import PUBLIC, REFEREE
from service.report.rules import options_data, rules_data
from service.rulings import LANGUAGES
from service.schemas.answers import (
    GameNameSchema,
    GameSchema,
    HealthSchema,
    ProblemSchema,
    ReportSchema,
    RulesSchema,
    RulingSchema,
)
from service.schemas.reading import ShapeError, flatten, resolve_situation
from service.schemas.situation import SituationSchema
from vmod_tools.archive import Archive
from vmod_tools.errors import VmodError
from vmod_tools.limits import SERVICE
from vmod_tools.modules import Module

_F = TypeVar("_F", bound=Callable[..., Any])

blueprint = Blueprint("v1", __name__, url_prefix="/v1", description="Rulings on VASSAL logs")
# A body of the wrong shape is a malformed request; 422 is kept for what cannot be judged.
blueprint.ARGUMENTS_PARSER.DEFAULT_VALIDATION_STATUS = 400


class FileField(Upload):  # type: ignore[misc]  # flask-smorest ships no types
    """An uploaded file; a text under its name is none."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, FileStorage):
            raise ValidationError("Not a file.")
        return value


class ReportFormSchema(Schema):
    """A report's multipart form: the logs of one game, the module they were played with, and choices."""

    log: fields.List[Any] = fields.List(
        FileField(), required=True, validate=validate.Length(min=1, max=50)
    )
    module = FileField(required=True)
    game = fields.String(required=True, validate=validate.Length(max=80))
    view = fields.String(
        data_key="as",
        load_default=PUBLIC,
        validate=validate.Length(max=80),
        metadata={"description": "public, a side, or referee"},
    )
    lang = fields.String(load_default="en", validate=validate.OneOf(LANGUAGES))


def _problem(status: int, about: str) -> Callable[[_F], _F]:
    """Describes an error that a resource can answer with."""
    described: Callable[[_F], _F] = blueprint.alt_response(
        status, schema=ProblemSchema, description=about, content_type=PROBLEM_JSON
    )
    return described


@blueprint.route("/reports", methods=["POST"])
@blueprint.doc(
    requestBody={"required": True, "content": {"multipart/form-data": {"schema": ReportFormSchema}}}
)
@blueprint.response(200, ReportSchema)
@_problem(400, "malformed request")
@_problem(413, "too large")
@_problem(415, "not a VASSAL file")
@_problem(422, "readable, but not judgeable")
def post_report() -> dict[str, Any]:
    """Judge the steps of a log."""
    # webargs parses files and form apart, and the document would then show two bodies.
    sent = {
        **request.form.to_dict(),
        **request.files.to_dict(),
        "log": request.files.getlist("log"),
    }
    try:
        form: Mapping[str, Any] = ReportFormSchema().load(sent)
    except ValidationError as error:
        raise ShapeError(flatten(error.messages)) from None
    game = load_game(form["game"])
    if form["view"] not in (PUBLIC, REFEREE, *game.sides):
        raise GameError("there is no such view", code="VIEW_UNKNOWN", field="as")
    with _named("module"):
        module = Module.read(Archive.parse(form["module"].read(), SERVICE))
    logs = [upload.read() for upload in form["log"]]
    with _named("log"):
        return report_data(check_logs(logs, module, game, view=form["view"], limits=SERVICE))


@contextmanager
def _named(part: str) -> Iterator[None]:
    """Names the part of the form in errors; a file's own name is never echoed."""
    try:
        yield
    except VmodError as error:
        raise error.located(file=part) from None


@blueprint.route("/rulings", methods=["POST"])
@blueprint.arguments(SituationSchema)
@blueprint.response(200, RulingSchema)
@_problem(422, "readable, but not judgeable")
def post_ruling(body: Mapping[str, Any]) -> dict[str, Any]:
    """Rule on one action in one situation, without any file."""
    return ruling_data(judge(*resolve_situation(body)))


@blueprint.route("/games")
@blueprint.response(200, GameNameSchema(many=True))
def get_games() -> list[dict[str, Any]]:
    """The games."""
    return [{"id": g, "titles": dict(load_game(g).titles)} for g in game_ids()]


@blueprint.route("/games/<game_id>")
@blueprint.response(200, GameSchema)
@_problem(404, "no such game")
def get_game(game_id: str) -> dict[str, Any] | Response:
    """A game with its classes and options."""
    try:
        game = load_game(game_id)
    except GameError as error:
        return not_found(error)
    return {
        "id": game.id,
        "titles": dict(game.titles),
        "rulebook": game.rulebook,
        "map": game.map_set,
        "sides": list(game.sides),
        "classes": [
            {"id": c.id, "names": dict(c.names), "enters": sorted(c.enters), "drops": c.drops}
            for c in game.classes.values()
        ],
        "terrains": sorted(game.terrains),
        "options": options_data(rulebook_of(game)),
        "in_force": readings(game),
    }


@blueprint.route("/games/<game_id>/rules")
@blueprint.response(200, RulesSchema)
@_problem(404, "no such game")
def get_rules(game_id: str) -> dict[str, Any] | Response:
    """The rules of a game, each with its paragraph and its text in both languages."""
    try:
        return rules_data(rulebook_of(load_game(game_id)))
    except GameError as error:
        return not_found(error)


health = Blueprint("health", __name__, description="Is the service up?")


@health.route("/healthz")
@health.response(200, HealthSchema)
def get_health() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


front = PlainBlueprint("front", __name__)


@front.route("/")
def get_front() -> Response:
    """Where to go from here."""
    text = (
        "vassal-arbiter: rulings on VASSAL logs\n\n"
        "POST /v1/reports   multipart: log, module, game=weu\n"
        "POST /v1/rulings   JSON: a situation and one action\n"
        "GET  /v1/games     GET /v1/games/weu   GET /v1/games/weu/rules\n"
        "GET  /openapi.json GET /healthz\n"
    )
    return Response(text, mimetype="text/plain")
