"""What these tests share: the module, the logs of tests/data, and the two doors of the product."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from service.check import check_log
from service.cli import cli
from service.games import Game, load_game
from service.report.model import Report
from tests.support.places import DATA, REPO
from vmod_tools.archive import Archive
from vmod_tools.build.builder import build_module, read_map_set
from vmod_tools.command_line import run
from vmod_tools.mapdoc.model import HexMap
from vmod_tools.modules import Module

PASSWORD = "tonbo-9"  # noqa: S105  # of the players of the genuine logs (tests/support/scenario.py)
PLAYER = "Ayako"


@cache
def module_data() -> bytes:
    """The module of maps/weu-denmark."""
    return build_module(read_map_set(REPO / "maps" / "weu-denmark"))


@cache
def module() -> Module:
    return Module.read(Archive.parse(module_data()))


@cache
def hex_map() -> HexMap:
    return read_map_set(REPO / "maps" / "weu-denmark").document.maps[0]


def log_data(name: str) -> bytes:
    """The genuine log NAME.vlog."""
    return (DATA / f"{name}.vlog").read_bytes()


def report_on(log: bytes, game: Game | None = None, **more: Any) -> Report:
    return check_log(log, module(), game or load_game("weu"), **more)


# The two doors


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def arbiter(capsys: pytest.CaptureFixture[str], *words: object) -> Said:
    """Runs `arbiter` in this process."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        run(cli, [str(word) for word in words])
    said = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return Said(ended.value.code, said.out, said.err)


def form(log: bytes, module: bytes | None = None) -> dict[str, Any]:
    """The multipart form of a report."""
    return {
        "log": (io.BytesIO(log), "turn.vlog"),
        "module": (io.BytesIO(module_data() if module is None else module), "m.vmod"),
        "game": "weu",
    }
