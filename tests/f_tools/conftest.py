"""The `vmod` command run in this process."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from vmod_tools.cli import cli
from vmod_tools.command_line import run


class Said(NamedTuple):
    code: object
    out: str
    err: str


class Vmod:
    """Runs the command."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Said:
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as caught:
            run(cli, [str(a) for a in arguments])
        return Said(caught.value.code, *self._capsys.readouterr())


@pytest.fixture
def vmod(capsys: pytest.CaptureFixture[str]) -> Vmod:
    return Vmod(capsys)
