"""Rulings and reports as JSON data: fixed key order, nothing that depends on time or machine."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from service.report.model import Report
from service.rulings import Ruling

SCHEMA_VERSION = 1


def ruling_data(ruling: Ruling) -> dict[str, Any]:
    """A ruling as JSON data; the keys of the log are there only when it comes from one."""
    data: dict[str, Any] = {}
    if ruling.step:
        data |= {"step": ruling.step, "steps": list(ruling.steps), "actor": ruling.actor}
    return data | {
        "action": ruling.action,
        "units": list(ruling.units),
        "verdict": ruling.verdict,
        "rules": [
            {
                "id": part.id,
                "cite": part.cite,
                "verdict": part.verdict,
                "facts": dict(part.facts),
                "message": dict(part.message),
                "missing": list(part.missing),
            }
            for part in ruling.rules
        ],
        "result": dict(ruling.result),
        "assumed": list(ruling.assumed),
        "missing": list(ruling.missing),
        "depends_on": list(ruling.depends_on),
    }


def report_data(report: Report) -> dict[str, Any]:
    """A report as JSON data."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool_version": version("vassal-arbiter"),
        "game": {"id": report.game.id, "titles": dict(report.game.titles)},
        "options": dict(report.options),
        "view": report.view,
        "module": {
            "name": report.module_name,
            "version": report.module_version,
            "named_by_log": report.log_module,
        },
        "steps": report.steps,
        "players": [{"player": player, "side": side} for player, side in report.players],
        "counts": report.counts,
        "rulings": [ruling_data(ruling) for ruling in report.rulings],
        "rules_examined": list(report.examined),
        "undone": list(report.undone),
        "not_understood": list(report.not_understood),
        "cannot_prove": list(report.cannot_prove),
        "assumptions": list(report.assumptions),
        "hashes": dict(report.hashes),
    }
