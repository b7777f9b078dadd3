"""Prints how long reading and judging take, against the least that any reader must do.

The floor of reading is: inflate `savedGame`, undo the hiding, decode UTF-8, split on ESC.  Each figure is
the best of several runs, so that a busy machine shows less.  Ratios are what counts; milliseconds depend
on the machine.
"""

from __future__ import annotations

import binascii
import io
import os
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from service.check import check_log
from service.facts import FactReader
from service.games import load_game
from service.replay import Replay
from vmod_tools.archive import Archive
from vmod_tools.build.builder import build_module, read_map_set
from vmod_tools.build.mapwindow import map_name
from vmod_tools.envelope import decode
from vmod_tools.logs import Log
from vmod_tools.modules import Module
from vmod_tools.saves import Save
from vmod_tools.verify import verify

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("ARBITER_SHARED", ROOT.parent / "shared"))
RUNS = 5


def best(work: Callable[[], object]) -> float:
    """Seconds of the quickest of several runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def floor(data: bytes) -> list[str]:
    """The least that any reader of a save does."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        hidden = archive.read("savedGame")
    if hidden.startswith(b"!VCSK"):
        raw = binascii.unhexlify(hidden[5:])
        key = raw[0]
        plain = raw[1:].translate(bytes(b ^ key for b in range(256)))
    else:
        plain = decode(hidden)[1]
    return plain.decode("utf-8", "surrogateescape").split("\x1b")


def reading(name: str, data: bytes) -> Iterator[str]:
    """Rows on one save or log."""
    base = best(lambda: floor(data))
    size = len("\x1b".join(floor(data)))
    yield f"{name}: {size / 1e6:.2f} MB plain"
    yield f"  floor (inflate, un-hide, decode, split)   {base * 1e3:9.2f} ms   1.0 ×"
    for label, work in (
        ("command tree", lambda: Save.read(Archive.parse(data))),
        ("state of the game, pieces typed", lambda: Save.read(Archive.parse(data)).state),
        ("verify: every token taken apart and rebuilt", lambda: verify(data, name)),
    ):
        seconds = best(work)
        yield f"  {label:42}{seconds * 1e3:9.2f} ms {seconds / base:5.1f} ×"


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
    for path in [*saves[-1:], SHARED / "genuine" / "small-3.7.vlog"]:
        if path.is_file():
            for row in reading(path.name, path.read_bytes()):
                print(row)
    for row in judging():
        print(row)


if __name__ == "__main__":
    main()
