"""An example body for each action: published with the schema, and kept true by the tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_GEB3 = {
    "id": "geb3",
    "name": "Geb 3",
    "side": "German",
    "class": "mountain",
    "hex": "B6024",
    "start_hex": "B6024",
    "position": "deployed",
    "did": [],
}
_MECH16 = {
    "id": "mech16",
    "name": "Mech 16",
    "side": "German",
    "class": "mechanised",
    "hex": "F0123",
    "start_hex": "F0123",
    "did": [],
}
_ALPINE6 = {
    "id": "alp6",
    "name": "Alpine 6",
    "side": "Allied",
    "class": "mountain",
    "hex": "B6023",
    "start_hex": "B6023",
    "position": "deployed",
}

EXAMPLES: tuple[Mapping[str, Any], ...] = (
    {
        "game": "weu",
        "map": "weu-denmark",
        "units": [
            {
                "id": "fj1",
                "name": "FJ Coy 1",
                "side": "German",
                "class": "airborne",
                "hex": None,
                "start_hex": None,
                "did": [],
            }
        ],
        "action": {
            "type": "move",
            "units": ["fj1"],
            "to": "B5431",
            "arrived": "air",
            "position": "bp",
            "site": "aalborg-airfield",
        },
    },
    {
        "game": "weu",
        "map": "weu-denmark",
        "units": [_GEB3, _ALPINE6],
        "action": {"type": "attack", "units": ["geb3"], "target": {"hex": "B6023"}},
    },
    {
        "game": "weu",
        "map": {
            "hexes": [
                {"id": "0202", "terrain": "mountain"},
                {"id": "0203", "terrain": "clear"},
            ],
            "hexsides": [{"of": "0202", "side": "S", "kind": "blocked"}],
        },
        "units": [
            _MECH16 | {"hex": "0203", "start_hex": "0203"},
            _ALPINE6 | {"hex": "0202", "start_hex": "0202"},
        ],
        "action": {
            "type": "bombard",
            "units": ["mech16"],
            "target": {"hex": "0202", "units": ["alp6"]},
        },
    },
    {
        "game": "weu",
        "options": {"G-A2": "bound"},
        "map": "weu-denmark",
        "phase": {"active": "German", "turn": "1", "step": "1"},
        "units": [_GEB3, _MECH16, _ALPINE6],
        "action": {
            "type": "combat",
            "hex": "B6023",
            "attacks": [
                {"type": "attack", "units": ["geb3"], "kind": "adjacent-deployment"},
                {"type": "bombard", "units": ["mech16"]},
            ],
        },
    },
)
