"""Scripts for the engine, written with hexes instead of pixels.

A scenario is an engine script (see tests/vassal/oracle/README.md) whose steps may say `"hex": "B5431"`
in place of `map`, `x` and `y`.  The pixels come from the map document, so a scenario stays right when the
map grows and its board with it.

Run as `python -m tests.support.scenario NAME …` to write tests/data/NAME.vlog anew with the engine, on the
module built from maps/weu-denmark.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.vassal.engine import Engine
from vmod_tools.build.builder import build_module, read_map_set
from vmod_tools.build.mapwindow import map_name
from vmod_tools.mapdoc.geometry import centre, layout, resolve
from vmod_tools.mapdoc.model import HexMap

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
PASSWORD = "tonbo-9"  # noqa: S105  # of nobody; the tests look for it in every output
MAP_SET = ROOT / "maps" / "weu-denmark"


def to_script(scenario: dict[str, Any], hex_map: HexMap) -> dict[str, Any]:
    """The engine script of a scenario."""
    return {
        key: [_step(step, hex_map) for step in value] if key in ("setup", "steps") else value
        for key, value in scenario.items()
        if key != "about"
    }


def _step(step: dict[str, Any], hex_map: HexMap) -> dict[str, Any]:
    if "hex" not in step:
        return {key: value for key, value in step.items() if key != "expect"}
    x, y = centre(layout(hex_map), resolve(hex_map, step["hex"]))
    rest = {key: value for key, value in step.items() if key not in ("hex", "expect")}
    return rest | {"map": map_name(hex_map), "x": int(x), "y": int(y)}


def write_log(name: str, module: Path, engine: Engine) -> Path:
    """Plays tests/data/NAME.json on the module and writes tests/data/NAME.vlog."""
    scenario = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    script = to_script(scenario, read_map_set(MAP_SET).document.maps[0])
    target = DATA / f"{name}.vlog"
    engine.run("make-log", module, script, target, user="Ayako", password=PASSWORD)
    return target


def main(names: list[str]) -> None:
    """Writes the logs of the scenarios named."""
    engine = Engine.find()
    if engine is None:
        sys.exit(f"the engine cannot run here: {Engine.why_not()}")
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "weu-denmark.vmod"
        module.write_bytes(build_module(read_map_set(MAP_SET)))
        for name in names:
            sys.stderr.write(f"{write_log(name, module, engine)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
