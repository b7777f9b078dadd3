"""The test cases A-t of combat-weu.md as JSON situations (tests/data/cases), by both doors."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from tests.h_service.material import arbiter
from tests.support.places import DATA, REPO

if TYPE_CHECKING:
    from flask.testing import FlaskClient

FOLDER = DATA / "cases"

AD, AR = "adjacent-deployment", "adjacent-on-road-frontal"
AB, XM = "preparatory-bombardment", "amphibious-assault"


@dataclass(frozen=True)
class Expected:
    """What the rulebook says: the verdict, what is not legal, what is missing, the kinds and the way."""

    verdict: str
    rules: str = ""
    missing: str = ""
    kinds: dict[str, list[str]] = field(default_factory=dict)
    attack: dict[str, str | None] = field(default_factory=dict)
    way: str = ""


EXPECTED: dict[str, Expected] = {
    "A-t1a": Expected("legal", kinds={"geb3": [AD, AB]}, attack={"geb3": AD}),
    "A-t1b": Expected("legal", kinds={"geb3": [AD, AB]}, attack={"geb3": AB}),
    "A-t2a": Expected("illegal", "weu.A4", kinds={"mech16": [AB]}, attack={"mech16": None}),
    "A-t2b": Expected("legal", kinds={"mech16": [AB]}, attack={"mech16": AB}),
    "A-t3a": Expected("legal", kinds={"alp6": [AD, AB]}, attack={"alp6": AD}),
    "A-t3b": Expected("legal", kinds={"alp6": [AD, AB]}, attack={"alp6": AB}),
    "A-t4": Expected("legal", attack={"geb3": "same-hex-base-terrain", "mech16": AB}),
    "A-t5a": Expected("illegal", "weu.A12 weu.A13"),
    "A-t5b": Expected("illegal", "weu.A12 weu.A13", kinds={"mech16": []}),
    "A-t6a": Expected("legal", kinds={"mech16": [AR, AB]}, attack={"mech16": AR}),
    "A-t6b": Expected("legal", kinds={"mech16": [AR, AB]}, attack={"mech16": AB}),
    "A-t7": Expected("legal", attack={"geb3": "same-hex-base-terrain", "mech16": AB}),
    "A-t9": Expected("legal", attack={"geb3": "close-on-road-flank"}),
    "A-t10": Expected("legal", attack={"mech16": "close-on-road-frontal"}),
    "A-t14a": Expected("undetermined", "weu.A9", missing="FJ Coy 1.bank"),
    "A-t14b": Expected("legal"),
    "A-t14c": Expected("illegal", "weu.A9"),
    "A-t15": Expected("legal", attack={"fj1": "airborne-strongpoint"}),
    "A-t16a": Expected("legal", way="B6125 F0224"),
    "A-t16b": Expected("legal", kinds={"inf163": [AD, AB]}),
    "A-t17a": Expected("illegal", "weu.A29", kinds={"inf163": []}),
    "A-t17b": Expected("legal", way="B6125 F0225 F0224"),
    "A-t17c": Expected("illegal", "weu.A29"),
    "A-t18a": Expected("legal", kinds={"oslo2": [AD, AB]}),
    "A-t18b": Expected("legal", kinds={"oslo2": [AD, AB]}),
    "A-t19c": Expected("legal"),
    "A-t20a": Expected("illegal", "weu.A8", kinds={"art2": []}),
    "A-t20b": Expected("illegal", "weu.A8", kinds={"art2": []}),
    "A-t20c": Expected("illegal", "weu.A8"),
    "A-t20d": Expected("legal", kinds={"sea4": [XM]}, attack={"sea4": XM}),
    "A-t20e": Expected("illegal", "weu.A8", kinds={"sea4": [XM]}),
    "A-t21": Expected("illegal", "weu.A6", kinds={"inf163": []}),
    "A-t28": Expected("legal", attack={"geb5": AD, "fj1": "airborne-strongpoint"}),
}

# A-t19: what contradicts the map is an input error, never a verdict: (place, code).
INPUT_ERRORS = {
    "A-t19a": ("action.bank", "BANK_UNKNOWN"),
    "A-t19b": ("units.1.bank", "BANK_UNKNOWN"),
}


def body_of(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return data


def test_every_file_is_in_a_table() -> None:
    files = {path.stem for path in FOLDER.glob("*.json")}
    assert files == EXPECTED.keys() | INPUT_ERRORS.keys()
    numbers = {name.removeprefix("A-t").rstrip("abcde") for name in files}
    assert numbers >= {*map(str, range(1, 8)), "14", "16", "17", "18", "19", "20", "21"}


@pytest.mark.parametrize("name", EXPECTED.keys() | INPUT_ERRORS.keys())
def test_file_follows_the_published_schema(name: str) -> None:
    schema = json.loads((REPO / "schemas" / "situation.schema.json").read_text("utf-8"))
    body = body_of(name)
    assert body["about"]
    jsonschema.validate(body, schema, cls=jsonschema.Draft202012Validator)
    assert (FOLDER / body["$schema"]).resolve() == REPO / "schemas" / "situation.schema.json"


@pytest.mark.parametrize("name", EXPECTED)
def test_ruling_is_the_rulebooks(
    name: str, capsys: pytest.CaptureFixture[str], client: FlaskClient
) -> None:
    expected = EXPECTED[name]
    said = arbiter(capsys, "rule", FOLDER / f"{name}.json", "--format", "json")
    answer = client.post("/v1/rulings", json=body_of(name))
    assert answer.status_code == 200
    assert answer.get_json() == said.json
    ruling = said.json
    assert said.code == (1 if expected.verdict == "illegal" else 0)
    assert said.err == ""
    assert ruling["verdict"] == expected.verdict
    open_findings = {part["id"] for part in ruling["rules"] if part["verdict"] != "legal"}
    assert open_findings == set(expected.rules.split())
    assert ruling["missing"] == ([expected.missing] if expected.missing else [])
    for unit, kinds in expected.kinds.items():
        assert ruling["result"][unit]["kinds"] == kinds
    for unit, attack in expected.attack.items():
        assert ruling["result"][unit]["attack"] == attack
    if expected.way:
        (way,) = (result["way"] for result in ruling["result"].values())
        assert way == expected.way.split()


@pytest.mark.parametrize("name", INPUT_ERRORS)
def test_what_the_map_contradicts_is_an_input_error(
    name: str, capsys: pytest.CaptureFixture[str], client: FlaskClient
) -> None:
    place, code = INPUT_ERRORS[name]
    path = FOLDER / f"{name}.json"
    said = arbiter(capsys, "rule", path, "--format", "json")
    assert said.code == 2
    assert said.out == ""
    message = "there is no bank 'N': the hex has the banks C and SW only"
    assert said.err == f"{path}:{place}: {message} [{code}]\n"
    answer = client.post("/v1/rulings", json=body_of(name))
    assert answer.status_code == 422
    assert answer.get_json()["code"] == code
    assert answer.get_json()["errors"] == [{"place": place, "message": message}]


def test_strict_counts_what_cannot_be_decided(capsys: pytest.CaptureFixture[str]) -> None:
    path = FOLDER / "A-t14a.json"
    assert arbiter(capsys, "rule", path).code == 0
    assert arbiter(capsys, "rule", path, "--strict").code == 1
