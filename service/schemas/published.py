"""The published schemas: JSON Schema of situation and report, made from the marshmallow classes.

`python -m service.schemas.published` writes `schemas/situation.schema.json` and
`schemas/report.schema.json`; a test holds the files to the classes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema, fields

from service.schemas.answers import ReportSchema
from service.schemas.examples import EXAMPLES
from service.schemas.situation import ACTION_SCHEMAS, ActionField, MapField, SituationSchema
from vmod_tools.resources import data_folder

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_COMPONENTS = "#/components/schemas/"


def describe_field(converter: Any, field: fields.Field[Any], **_: Any) -> dict[str, Any]:
    """apispec attribute function: an action is one of the action schemas, a map an id or an object."""
    if isinstance(field, ActionField):
        actions = ACTION_SCHEMAS.values()
        return {"oneOf": [converter.resolve_nested_schema(schema) for schema in actions]}
    if isinstance(field, MapField):
        return {"anyOf": [{"type": "string"}, {"type": "object"}]}
    return {}


def json_schema(schema: type[Schema], title: str) -> dict[str, Any]:
    """The JSON Schema of a marshmallow schema, its parts under $defs."""
    plugin = MarshmallowPlugin(schema_name_resolver=_name)
    spec = APISpec(title, "1", "3.1.0", plugins=[plugin])
    plugin.converter.add_attribute_function(describe_field)  # type: ignore[union-attr]
    spec.components.schema(_name(schema), schema=schema)
    parts = spec.to_dict()["components"]["schemas"]
    made = json.loads(json.dumps(parts).replace(_COMPONENTS, "#/$defs/"))
    for part in made.values():
        part["additionalProperties"] = False  # marshmallow refuses unknown keys
    root = made.pop(_name(schema))
    return {"$schema": DRAFT, "title": title, **root, "$defs": made}


def _name(schema: type[Schema] | Schema | str) -> str:
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Schema")


def situation_schema() -> dict[str, Any]:
    """`situation.schema.json`: with the map form, and an example for each action."""
    schema = json_schema(SituationSchema, "A situation and one action")
    schema["properties"]["map"]["anyOf"] = [{"type": "string"}, {"$ref": "#/$defs/map"}]
    schema["$defs"]["map"] = json.loads(
        (data_folder("schemas") / "map.schema.json").read_text("utf-8")
    )
    schema["examples"] = list(EXAMPLES)
    return schema


def report_schema() -> dict[str, Any]:
    """`report.schema.json`."""
    return json_schema(ReportSchema, "A report on one log or several")


FILES: Mapping[str, Any] = {
    "situation.schema.json": situation_schema,
    "report.schema.json": report_schema,
}


def text(data: Mapping[str, Any]) -> str:
    """A schema as it is published."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def main() -> None:
    """Writes the published schemas anew."""
    for name, make in FILES.items():
        (data_folder("schemas") / name).write_text(text(make()), "utf-8")


if __name__ == "__main__":
    main()
