"""Errors over HTTP: application/problem+json with a stable code and the place (RFC 9457).

An illegal move is no error.  400: malformed request; 404: no such thing; 413: too large; 415: not a
VASSAL file; 422: readable, but not judgeable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from flask import Flask, Response
from flask_smorest import Api
from werkzeug.exceptions import HTTPException

from service.games import GameError
from service.schemas.answers import ProblemSchema
from service.schemas.reading import ShapeError, flatten
from vmod_tools.errors import (
    ArchiveError,
    BuildFileError,
    EnvelopeError,
    LimitError,
    VmodError,
)
from vmod_tools.show import json_text

PROBLEM_JSON = "application/problem+json"

# The first class that an error is of gives its status.
_STATUS: tuple[tuple[type[VmodError], HTTPStatus], ...] = (
    (LimitError, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    (ArchiveError, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    (EnvelopeError, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    (ShapeError, HTTPStatus.BAD_REQUEST),
    (VmodError, HTTPStatus.UNPROCESSABLE_ENTITY),
)
# A module that is an extension, or whose XML cannot be read, is not the file that was asked for.
_NOT_THE_FILE = frozenset({"NOT_A_MODULE", "BUILDFILE_XML", "BUILDFILE_DOCTYPE"})


def status_of(error: VmodError) -> HTTPStatus:
    """The HTTP status of an error."""
    if isinstance(error, BuildFileError) and error.stable_code in _NOT_THE_FILE:
        return HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    return next(status for kind, status in _STATUS if isinstance(error, kind))


def problem(
    status: int,
    code: str,
    detail: str,
    errors: Sequence[tuple[str, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A problem response."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "code": code,
        "errors": [{"place": place, "message": message} for place, message in errors],
    }
    response = Response(json_text(body), status=status, mimetype=PROBLEM_JSON)
    response.headers.update(headers or {})
    return response


def of_error(error: VmodError) -> Response:
    """The response to an error of our own."""
    if isinstance(error, ShapeError):
        places = error.problems
    else:
        where = ":".join(part for part in (error.file, error.place, error.field) if part)
        places = [(where, error.message)]
    return problem(status_of(error), error.stable_code, str(error), places)


class ProblemApi(Api):  # type: ignore[misc]  # flask-smorest ships no types
    """flask-smorest's Api, answering errors as problems and keeping their headers (`Allow`)."""

    ERROR_SCHEMA = ProblemSchema

    def _register_responses(self) -> None:
        """Describes the errors that every resource has by the media type that they come in."""
        usual: str = Api.DEFAULT_RESPONSE_CONTENT_TYPE
        self.DEFAULT_RESPONSE_CONTENT_TYPE = PROBLEM_JSON
        super()._register_responses()
        self.DEFAULT_RESPONSE_CONTENT_TYPE = usual

    def handle_http_exception(self, error: HTTPException) -> Response:
        """The response to an HTTP error; webargs' messages become the list of places."""
        data: dict[str, Any] = getattr(error, "data", {})
        messages = data.get("messages", {})
        # webargs puts the location (json, form, files) round the fields.
        inner = next(iter(messages.values()), {}) if isinstance(messages, dict) else messages
        places = flatten(inner)
        status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
        kept = {k: v for k, v in error.get_headers() if k not in ("Content-Type", "Content-Length")}
        code = "SHAPE" if places else HTTPStatus(status).name
        detail = (": ".join(filter(None, places[0])) if places else error.description) or ""
        return problem(status, code, detail, places, kept)


def register(app: Flask) -> None:
    """Makes the app answer our errors as problems."""

    def handle(error: VmodError) -> Response:
        return of_error(error)

    def too_deep(error: RecursionError) -> Response:
        return problem(HTTPStatus.BAD_REQUEST, "JSON", "the JSON is nested too deeply")

    def too_long(error: ValueError) -> Response:
        # Python refuses to read a whole number of thousands of digits; any other is our own fault.
        if "integer string conversion" not in str(error):
            raise error
        return problem(HTTPStatus.BAD_REQUEST, "JSON", "a number has too many digits")

    app.register_error_handler(VmodError, handle)
    app.register_error_handler(RecursionError, too_deep)
    app.register_error_handler(ValueError, too_long)


def not_found(error: GameError) -> Response:
    """The response to an id in a path that names nothing."""
    return problem(
        HTTPStatus.NOT_FOUND, error.stable_code, str(error), [(error.field, error.message)]
    )
