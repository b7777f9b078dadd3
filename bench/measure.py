"""One measurement in a process of its own: `python -m bench.measure WORK FILE` prints seconds and peak MB.

The floor is what any reader must do: inflate, undo the hiding, decode UTF-8, split on ESC; it streams, so
that neither the hidden form nor the plain bytes are held longer than needed.
"""

from __future__ import annotations

import binascii
import io
import json
import sys
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from vmod_tools.archive import Archive
from vmod_tools.describe import describe
from vmod_tools.logs import Log
from vmod_tools.steplist import step_rows


def floor(data: bytes) -> object:
    """(a) The least that any reader does."""
    plain = bytearray()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("savedGame") as hidden:
        key = binascii.unhexlify(hidden.read(7)[5:])[0]
        table = bytes(b ^ key for b in range(256))
        while part := hidden.read(1 << 20):
            plain += binascii.unhexlify(part).translate(table)
    text = plain.decode("utf-8", "surrogateescape")
    del plain
    return text.split("\x1b")


def info(data: bytes) -> object:
    """(b) `vmod info`: pieces typed only when asked for."""
    return describe(data, "save")


def steps(data: bytes) -> object:
    """(b) The step table of `vmod log`."""
    return list(step_rows(Log.read(Archive.parse(data)), None))


def typed(data: bytes) -> object:
    """(c) Every piece fully typed."""
    state = Log.read(Archive.parse(data)).start.state
    return [list(placed.piece.traits()) for placed in state.pieces.values()]


WORK: Mapping[str, Callable[[bytes], object]] = {
    "floor": floor,
    "info": info,
    "steps": steps,
    "typed": typed,
}


def peak_mb() -> float:
    """The most memory that this process held.  ru_maxrss would count what the parent held at the fork."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main(work: str, file: str) -> None:
    """Prints one JSON line."""
    data = Path(file).read_bytes()
    start = time.perf_counter()
    kept = WORK[work](data)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "peak_mb": peak_mb(), "kept": kept is not None}))


if __name__ == "__main__":
    main(*sys.argv[1:])
