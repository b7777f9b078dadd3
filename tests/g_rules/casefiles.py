"""Rule cases as data: one TOML file a rule, one base situation, and named changes to it.

`base` is a body of `POST /v1/rulings` (schemas/situation.schema.json).  A case changes it with `set`
(dotted paths to values; "unknown" stands for null, which TOML lacks) and `remove` (dotted paths), and says
what is expected:

verdict    of the ruling
rules      "weu.A4 illegal": every finding that is not legal, no more and no fewer; legal ones as wanted
missing    exactly, none if left out
assumed    exactly; of a case that says nothing the readings are not looked at
result     dotted paths into the ruling's result, "unknown" for null
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "cases"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class RuleCase:
    """One case: the situation after its changes, and what is expected."""

    rule: str
    name: str
    body: Mapping[str, Any]
    expected: Mapping[str, Any]

    @property
    def id(self) -> str:
        return f"{self.rule}: {self.name}"

    @property
    def findings(self) -> set[tuple[str, str]]:
        """The expected findings as (rule id, verdict)."""
        return {(rule, verdict) for rule, verdict in map(str.split, self.expected["rules"])}


@cache
def all_cases() -> tuple[RuleCase, ...]:
    """Every case of every file."""
    return tuple(case for path in sorted(FOLDER.glob("*.toml")) for case in _read(path))


def _read(path: Path) -> Iterator[RuleCase]:
    data = tomllib.loads(path.read_text("utf-8"))
    for raw in data["case"]:
        known = {"name", "set", "remove", "verdict", "rules", "missing", "assumed", "result"}
        assert raw.keys() <= known, f"{path.name}: {raw['name']}: {raw.keys() - known}"
        body = copy.deepcopy(data["base"])
        for dotted in raw.get("remove", ()):
            remove(body, dotted)
        for dotted, value in raw.get("set", {}).items():
            assign(body, dotted, value)
        yield RuleCase(data["rule"], raw["name"], _nulls(body), _nulls(raw))


def assign(body: Any, dotted: str, value: Any) -> None:
    """Sets the value at a dotted path; the last step may be new."""
    *way, last = dotted.split(".")
    place = look_up(body, way)
    place[int(last) if isinstance(place, list) else last] = copy.deepcopy(value)


def remove(body: Any, dotted: str) -> None:
    """Takes away what is at a dotted path."""
    *way, last = dotted.split(".")
    place = look_up(body, way)
    del place[int(last) if isinstance(place, list) else last]


def look_up(body: Any, way: list[str]) -> Any:
    """What is at the end of a path."""
    for step in way:
        body = body[int(step) if isinstance(body, list) else step]
    return body


def _nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _nulls(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_nulls(inner) for inner in value]
    return None if value == UNKNOWN else value
