"""Fixtures of the log tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.plays import Folder


@pytest.fixture
def logs(tmp_path: Path) -> Folder:
    """A folder for logs."""
    from tests.support.plays import Folder

    return Folder(tmp_path)
