"""Prints how long reading and judging take, against the least that any reader must do.

The floor of reading is in `bench.measure`.  Each figure is the best of several runs, so that a busy machine
shows less.  Ratios are what counts; milliseconds depend on the machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.bigsave import big_save, piece_commands
from service.check import check_log
from service.facts import FactReader
from service.games import load_game
from service.replay import Replay
from vmod_tools.archive import Archive
from vmod_tools.build.builder import build_module, read_map_set
from vmod_tools.build.mapwindow import map_name
from vmod_tools.logs import Log
from vmod_tools.modules import Module
from vmod_tools.saves import Save

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("ARBITER_SHARED", ROOT.parent / "shared"))
RUNS = 5
SIZES = (3, 30, 300)
"""MB of plain text of the generated saves; published saves reach 465."""


def best(work: Callable[[], object]) -> float:
    """Seconds of the quickest of several runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def measured(work: str, file: Path) -> tuple[float, float]:
    """Seconds and peak MB of a piece of work, in a process of its own; the best of three."""
    runs = []
    for _ in range(3):
        command = [sys.executable, "-m", "bench.measure", work, str(file)]
        out = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
        runs.append(json.loads(out))
    return min(r["seconds"] for r in runs), min(r["peak_mb"] for r in runs)


def reading(name: str, file: Path, base_mb: float) -> Iterator[str]:
    """Rows on one save: time and peak memory (what Python and our modules take themselves left out)."""
    plain = Save.read(Archive.parse(file.read_bytes())).text_bytes / 1e6
    yield f"{name}: {plain:.1f} MB plain text"
    floor_seconds, floor_peak = measured("floor", file)
    for label, work in (
        ("(a) floor: inflate, un-hide, decode, split", "floor"),
        ("(b) vmod info", "info"),
        ("(b) step table of vmod log", "steps"),
        ("(c) every piece fully typed", "typed"),
    ):
        seconds, peak = measured(work, file) if work != "floor" else (floor_seconds, floor_peak)
        used, floor_used = max(peak - base_mb, 1.0), max(floor_peak - base_mb, 1.0)
        yield (
            f"  {label:44}{seconds:8.3f} s {seconds / floor_seconds:5.1f} ×"
            f"{used:9.0f} MB {used / floor_used:5.1f} ×"
            f"{seconds / plain * 1e3:8.2f} ms and {used / plain:5.2f} MB for each MB"
        )


def judging() -> Iterator[str]:
    """Rows on the demo's log."""
    module_data = build_module(read_map_set(ROOT / "maps" / "weu-denmark"))
    module = Module.read(Archive.parse(module_data))
    data = (ROOT / "tests" / "data" / "cases.vlog").read_bytes()
    game = load_game("weu")
    log = Log.read(Archive.parse(data))
    document = read_map_set(ROOT / "maps" / "weu-denmark").document.maps[0]

    def replay() -> object:
        reader = FactReader(game, module, document, map_name(document))
        return list(Replay(log, reader).plays())

    base = best(replay)
    whole = best(lambda: check_log(data, module, game))
    yield f"cases.vlog: {len(log.steps)} steps"
    yield f"  replay                                    {base * 1e3:9.2f} ms   1.0 ×"
    yield f"  read, replay, judge, report               {whole * 1e3:9.2f} ms {whole / base:5.1f} ×"
    built = best(lambda: build_module(read_map_set(ROOT / "maps" / "weu-denmark")))
    yield f"  build the module ({len(document.hexes)} hexes)             {built * 1e3:9.2f} ms"


def main() -> None:
    """Prints all rows."""
    saves = sorted(SHARED.glob("corpus/*.vsav"), key=lambda p: p.stat().st_size)
    with tempfile.TemporaryDirectory() as folder:
        if saves:
            idle = Path(folder) / "empty.vsav"
            shapes = piece_commands(saves[-6:])
            idle.write_bytes(big_save(shapes, 1))
            base = measured("info", idle)[1]
            for row in reading(saves[-1].name, saves[-1], base):
                print(row)
            for megabytes in SIZES:
                file = Path(folder) / "big.vsav"
                file.write_bytes(big_save(shapes, megabytes * 1_000_000))
                for row in reading("generated from real shapes", file, base):
                    print(row)
        else:
            print(f"no saves in {SHARED}: set ARBITER_SHARED")
    for row in judging():
        print(row)


if __name__ == "__main__":
    main()
