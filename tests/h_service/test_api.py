"""The HTTP API: statuses, problems with code and place, the same answers as the command, its OpenAPI."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from werkzeug.datastructures import FileStorage
from werkzeug.test import stream_encode_multipart

from service.api.app import create_app
from service.api.problems import PROBLEM_JSON
from service.rules.weu.rulebook import RULEBOOK
from service.schemas.examples import EXAMPLES
from tests.h_service.broken import SECRET, broken_logs, broken_modules
from tests.h_service.material import form, log_data, module_data
from tests.h_service.test_reading import REFUSED, SHAPES, changed
from tests.support.places import DATA, REPO

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

BODY = json.loads((DATA / "cases" / "A-t2a.json").read_text("utf-8"))


def problem(answer: TestResponse, status: int, code: str) -> dict[str, Any]:
    """The problem of an answer, checked for its form."""
    assert answer.status_code == status, answer.get_data(as_text=True)
    assert answer.mimetype == PROBLEM_JSON
    body: dict[str, Any] = answer.get_json()
    assert body.keys() == {"type", "title", "status", "detail", "code", "errors"}
    assert body["status"] == status
    assert body["code"] == code
    assert body["detail"]
    assert all(e.keys() == {"place", "message"} for e in body["errors"])
    return body


# Reports


def test_report_is_that_of_the_command(client: FlaskClient) -> None:
    answer = client.post("/v1/reports", data=form(log_data("aalborg")))
    assert answer.status_code == 200
    assert answer.mimetype == "application/json"
    assert answer.get_json() == json.loads((DATA / "aalborg.report.json").read_text("utf-8"))


def test_report_on_several_logs(client: FlaskClient) -> None:
    logs = [(io.BytesIO(log_data(name)), name) for name in ("aalborg", "cases")]
    data = form(b"") | {"log": logs, "as": "referee"}
    report = client.post("/v1/reports", data=data).get_json()
    assert report["steps"] == 36 + 105
    assert report["view"] == "referee"
    assert report["hashes"].keys() == {"log.1", "log.2", "module"}
    assert {r["step"].partition(".")[0] for r in report["rulings"]} == {"1", "2"}
    assert report["undone"] == ["1.32"]
    assert sum(report["counts"].values()) == len(report["rulings"])


@pytest.mark.parametrize("name", broken_logs())
def test_broken_log(name: str, client: FlaskClient) -> None:
    broken = broken_logs()[name]
    body = problem(client.post("/v1/reports", data=form(broken.data)), broken.status, broken.code)
    place = f"log:{broken.place}" if broken.place else "log"
    assert body["errors"][0]["place"] == place
    assert SECRET not in json.dumps(body)
    assert "turn.vlog" not in body["detail"], "a file's own name is not echoed"


@pytest.mark.parametrize("name", broken_modules())
def test_broken_module(name: str, client: FlaskClient) -> None:
    broken = broken_modules()[name]
    answer = client.post("/v1/reports", data=form(log_data("aalborg"), broken.data))
    body = problem(answer, broken.status, broken.code)
    part = "log" if broken.code == "MAP_WINDOW" else "module"
    assert body["errors"][0]["place"].startswith(part)


FORMS: list[tuple[str, dict[str, Any], int, str, str]] = [
    ("unknown game", {"game": "chess"}, 422, "GAME_UNKNOWN", "game"),
    ("unknown view", {"as": "Polish"}, 422, "VIEW_UNKNOWN", "as"),
    ("unknown language", {"lang": "de"}, 400, "SHAPE", "lang"),
    ("unknown field", {"colour": "red"}, 400, "SHAPE", "colour"),
    ("game too long", {"game": "x" * 81}, 400, "SHAPE", "game"),
    ("module as text", {"module": "text"}, 400, "SHAPE", "module"),
    ("log as text", {"log": "text"}, 400, "SHAPE", "log"),
]


@pytest.mark.parametrize(
    ("fields", "status", "code", "place"), [f[1:] for f in FORMS], ids=[f[0] for f in FORMS]
)
def test_wrong_form(
    fields: dict[str, Any], status: int, code: str, place: str, client: FlaskClient
) -> None:
    body = problem(client.post("/v1/reports", data=form(b"") | fields), status, code)
    assert [error["place"] for error in body["errors"]] == [place]


def test_form_without_anything(client: FlaskClient) -> None:
    body = problem(client.post("/v1/reports"), 400, "SHAPE")
    assert {error["place"] for error in body["errors"]} == {"log", "module", "game"}
    problem(client.post("/v1/reports", json={"game": "weu"}), 400, "SHAPE")


def test_form_that_is_too_large() -> None:
    client = create_app({"MAX_CONTENT_LENGTH": 10_000}).test_client()
    answer = client.post("/v1/reports", data=form(log_data("aalborg")))
    problem(answer, 413, "REQUEST_ENTITY_TOO_LARGE")


def test_module_with_too_many_entries(client: FlaskClient) -> None:
    from tests.support import crafted
    from vmod_tools.limits import SERVICE

    many = crafted.zip_of({str(n): "" for n in range(SERVICE.entries + 1)})
    # The test client would leave its temporary file of a large form open.
    files = {"log": FileStorage(io.BytesIO(b""), "l"), "module": FileStorage(io.BytesIO(many), "m")}
    stream, _, boundary = stream_encode_multipart(files | {"game": "weu"}, use_tempfile=False)
    kind = f"multipart/form-data; boundary={boundary}"
    answer = client.post("/v1/reports", data=stream.read(), content_type=kind)
    body = problem(answer, 413, "LIMIT_ENTRIES")
    assert body["errors"][0]["place"] == "module"


# Rulings


def test_ruling(client: FlaskClient) -> None:
    answer = client.post("/v1/rulings", json=BODY)
    assert answer.status_code == 200
    ruling = answer.get_json()
    assert ruling["verdict"] == "illegal"
    assert "step" not in ruling
    assert list(ruling) == [
        *("action", "units", "verdict", "rules", "result", "assumed", "missing", "depends_on")
    ]
    assert "進入できません" in answer.get_data(as_text=True), "Japanese is written as it is"


@pytest.mark.parametrize(
    ("path", "body"), SHAPES, ids=[f"{i} {p}" for i, (p, _) in enumerate(SHAPES)]
)
def test_wrong_shape(path: str, body: dict[str, Any], client: FlaskClient) -> None:
    answer = problem(client.post("/v1/rulings", json=body), 400, "SHAPE")
    assert path in [error["place"] for error in answer["errors"]]


@pytest.mark.parametrize(("code", "body"), [(c, b) for c, _, b in REFUSED])
def test_contradiction(code: str, body: dict[str, Any], client: FlaskClient) -> None:
    problem(client.post("/v1/rulings", json=body), 422, code)


@pytest.mark.parametrize(
    ("data", "kind", "code"),
    [
        (b"", "application/json", "SHAPE"),
        (b"{", "application/json", "SHAPE"),
        (b"\xff{}", "application/json", "SHAPE"),
        (b"[]", "application/json", "SHAPE"),
        (b"null", "application/json", "SHAPE"),
        (b"[" * 100_000, "application/json", "JSON"),
        (b"game=weu", "application/x-www-form-urlencoded", "SHAPE"),
    ],
)
def test_body_that_is_no_json_object(
    data: bytes, kind: str, code: str, client: FlaskClient
) -> None:
    problem(client.post("/v1/rulings", data=data, content_type=kind), 400, code)


def test_text_that_is_no_unicode_is_escaped(client: FlaskClient) -> None:
    body = changed(("units.0.name", "A\ud800\u202e"), ("units.0.did", []))
    answer = client.post("/v1/rulings", data=json.dumps(body), content_type="application/json")
    assert answer.status_code == 200
    assert "A\\ud800\\u202e" in answer.get_data(as_text=True)
    body = changed(("units.0.hex", "\ud800"))
    answer = client.post("/v1/rulings", data=json.dumps(body), content_type="application/json")
    problem(answer, 422, "HEX_UNKNOWN")


# The rest


def test_games(client: FlaskClient) -> None:
    assert [game["id"] for game in client.get("/v1/games").get_json()] == ["weu"]
    game = client.get("/v1/games/weu").get_json()
    assert game["in_force"]["G-A2"] == "bound"
    assert {option["id"] for option in game["options"]} == {o.id for o in RULEBOOK.options}
    assert game["sides"] == ["German", "Allied"]
    assert {c["id"] for c in game["classes"] if c["drops"]} == {"airborne"}
    assert "mountain" in game["terrains"]


def test_rules(client: FlaskClient) -> None:
    rules = client.get("/v1/games/weu/rules").get_json()
    assert [rule["id"] for rule in rules["rules"]] == [rule.id for rule in RULEBOOK.rules]


def test_no_such_game(client: FlaskClient) -> None:
    for path in ("/v1/games/chess", "/v1/games/chess/rules"):
        body = problem(client.get(path), 404, "GAME_UNKNOWN")
        assert body["errors"][0]["place"] == "game"


def test_no_such_page_and_method(client: FlaskClient) -> None:
    problem(client.get("/v1/nothing"), 404, "NOT_FOUND")
    answer = client.put("/v1/games")
    problem(answer, 405, "METHOD_NOT_ALLOWED")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_health_and_front(client: FlaskClient) -> None:
    assert client.get("/healthz").get_json() == {"status": "ok"}
    front = client.get("/")
    assert front.mimetype == "text/plain"
    assert "/v1/reports" in front.get_data(as_text=True)


def test_fault_of_ours_is_a_problem_without_details(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import service.api.views

    def crash(*_: object) -> object:
        raise ZeroDivisionError("tonbo")

    monkeypatch.setattr(service.api.views, "judge", crash)
    answer = client.post("/v1/rulings", json=BODY)
    body = problem(answer, 500, "INTERNAL_SERVER_ERROR")
    assert "tonbo" not in json.dumps(body)
    assert "ZeroDivisionError" in caplog.text


# OpenAPI


@pytest.fixture
def openapi(client: FlaskClient) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/openapi.json").get_json()
    return document


def references(value: Any) -> list[str]:
    if isinstance(value, dict):
        here = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return here + [ref for inner in value.values() for ref in references(inner)]
    if isinstance(value, list):
        return [ref for inner in value for ref in references(inner)]
    return []


def resolve(document: dict[str, Any], ref: str) -> Any:
    assert ref.startswith("#/")
    place: Any = document
    for part in ref[2:].split("/"):
        place = place[part.replace("~1", "/").replace("~0", "~")]
    return place


def test_openapi_lists_every_resource(openapi: dict[str, Any]) -> None:
    assert openapi["openapi"] == "3.1.0"
    assert openapi["info"]["title"] == "vassal-arbiter"
    assert openapi["paths"].keys() == {
        "/v1/reports",
        "/v1/rulings",
        "/v1/games",
        "/v1/games/{game_id}",
        "/v1/games/{game_id}/rules",
        "/healthz",
    }
    for path in openapi["paths"].values():
        for method, operation in path.items():
            if method == "parameters":
                continue
            for status, response in operation["responses"].items():
                named = "$ref" in response
                content = (resolve(openapi, response["$ref"]) if named else response)["content"]
                wanted = "application/json" if status == "200" else PROBLEM_JSON
                assert list(content) == [wanted], (status, method)
            assert {"200"} <= operation["responses"].keys()
            assert operation["summary"]
            assert operation["responses"]["200"]["description"]


def test_every_reference_resolves(openapi: dict[str, Any]) -> None:
    refs = set(references(openapi))
    assert len(refs) > 10
    for ref in refs:
        assert resolve(openapi, ref) is not None


def test_components_are_schemas(openapi: dict[str, Any]) -> None:
    for schema in openapi["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_openapi_describes_the_bodies_that_are_read(openapi: dict[str, Any]) -> None:
    body = openapi["paths"]["/v1/rulings"]["post"]["requestBody"]["content"]["application/json"]
    whole = {**body["schema"], "components": openapi["components"]}
    for example in EXAMPLES:
        jsonschema.validate(example, whole, cls=jsonschema.Draft202012Validator)
    actions = openapi["components"]["schemas"]["Situation"]["properties"]["action"]
    assert len(actions["oneOf"]) == 4


def test_answers_are_as_described(openapi: dict[str, Any], client: FlaskClient) -> None:
    answers = {
        ("/v1/rulings", "post"): client.post("/v1/rulings", json=BODY),
        ("/v1/reports", "post"): client.post("/v1/reports", data=form(log_data("cases"))),
        ("/v1/games", "get"): client.get("/v1/games"),
        ("/v1/games/{game_id}", "get"): client.get("/v1/games/weu"),
        ("/v1/games/{game_id}/rules", "get"): client.get("/v1/games/weu/rules"),
        ("/healthz", "get"): client.get("/healthz"),
    }
    for (path, method), answer in answers.items():
        described = openapi["paths"][path][method]["responses"]["200"]["content"]
        whole = described["application/json"]["schema"] | {"components": openapi["components"]}
        jsonschema.validate(answer.get_json(), whole, cls=jsonschema.Draft202012Validator)


APP = create_app()
SCHEMA = schemathesis.openapi.from_wsgi("/openapi.json", APP)


@SCHEMA.exclude(path="/v1/reports").parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_schemathesis_finds_nothing(case: Any) -> None:
    # A body of the right shape can speak of units or hexes that are not there: 422, as documented.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])


def test_limits_leave_room_for_two_archives() -> None:
    from vmod_tools.limits import SERVICE

    assert APP.config["MAX_CONTENT_LENGTH"] > 2 * SERVICE.archive_bytes
    assert len(module_data()) < SERVICE.archive_bytes


def test_published_situation_schema_agrees_with_openapi(openapi: dict[str, Any]) -> None:
    """Both are made from the same classes; the file adds the map's own form and the examples."""
    file = json.loads((REPO / "schemas" / "situation.schema.json").read_text("utf-8"))
    described = openapi["components"]["schemas"]["Situation"]
    assert described["properties"].keys() == file["properties"].keys()
    assert sorted(described["required"]) == sorted(file["required"])
