"""Makes the Flask application."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from flask.json.provider import DefaultJSONProvider

from service.api import problems
from service.api.views import blueprint, front, health
from service.schemas.published import describe_field
from vmod_tools.limits import MIB, SERVICE
from vmod_tools.show import json_text

_DEFAULTS: Mapping[str, Any] = {
    "API_TITLE": "vassal-arbiter",
    "API_VERSION": version("vassal-arbiter"),
    "OPENAPI_VERSION": "3.1.0",
    "OPENAPI_URL_PREFIX": "/",
    "OPENAPI_JSON_PATH": "openapi.json",
    # Two archives and the form round them.
    "MAX_CONTENT_LENGTH": 2 * SERVICE.archive_bytes + MIB,
    "MAX_FORM_MEMORY_SIZE": MIB,
    "MAX_FORM_PARTS": 64,
}


class _Json(DefaultJSONProvider):
    """JSON in the order that we give, with whatever could mislead a reader or break UTF-8 escaped."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        return json_text(obj)


def create_app(settings: Mapping[str, Any] | None = None) -> Flask:
    """The application; `settings` override the defaults (tests, deployment)."""
    app = Flask("service", static_folder=None)
    app.config.update(_DEFAULTS)
    app.config.update(settings or {})
    app.json = _Json(app)
    plugin = MarshmallowPlugin()
    api = problems.ProblemApi(app, spec_kwargs={"marshmallow_plugin": plugin})
    if plugin.converter is not None:  # it exists once the Api has initialised the plugin
        plugin.converter.add_attribute_function(describe_field)  # type: ignore[no-untyped-call]
    api.register_blueprint(blueprint)
    api.register_blueprint(health)
    app.register_blueprint(front)
    problems.register(app)
    return app
