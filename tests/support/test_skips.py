"""In CI nothing may skip: each way to skip fails the run with its reason (tests/conftest.py)."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.places import REPO

if TYPE_CHECKING:
    from pathlib import Path

SKIPS = {
    "in_the_test": "def test_it(): pytest.skip('in the test')",
    "in_a_fixture": """
@pytest.fixture
def moon(): pytest.skip('in a fixture')
def test_it(moon): pass
""",
    "by_a_mark": "@pytest.mark.skip(reason='by a mark')\ndef test_it(): pass",
    "whole_module": "pytest.skip('whole module', allow_module_level=True)",
    "no_parameters": "@pytest.mark.parametrize('moon', [])\ndef test_it(moon): pass",
}
EXPECTED_FAILURE = "@pytest.mark.xfail\ndef test_it(): assert 0"


def run(folder: Path, ci: str) -> tuple[int, str]:
    for name, text in {**SKIPS, "expected_failure": EXPECTED_FAILURE}.items():
        test = folder / f"test_{name}.py"
        test.write_text(f"import pytest\n{text}\n", encoding="utf-8")
    plugins = ["-p", "tests.conftest", "-p", "no:cacheprovider"]
    said = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            *plugins,
            "-rA",
            "--continue-on-collection-errors",
            folder,
        ],
        cwd=REPO,
        env={**os.environ, "CI": ci, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return said.returncode, said.stdout


def test_every_skip_fails_in_ci_with_its_reason(tmp_path: Path) -> None:
    code, said = run(tmp_path, ci="true")
    assert code == 1, said
    for reason in ("in the test", "in a fixture", "by a mark", "whole module", "parameter set"):
        assert any("nothing may skip" in s and reason in s for s in said.splitlines()), said
    # an expected failure is no skip
    assert "1 failed, 1 xfailed, 4 errors in" in said.splitlines()[-1]


def test_skips_are_skips_elsewhere(tmp_path: Path) -> None:
    code, said = run(tmp_path, ci="")
    assert code == 0, said
    assert "5 skipped, 1 xfailed in" in said.splitlines()[-1]
