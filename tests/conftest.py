"""Fixtures that all tests may ask for, and how a run is judged.

Outside CI a test that lacks its files or the engine skips and says why.  With CI=true nothing may
skip: a skipped test fails the run with the reason it gave.  Nothing of the product is imported
here, so that coverage sees every line of it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests.support import places
from tests.vassal.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

IN_CI = os.environ.get("CI") == "true"

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

# too_slow judges the machine, not our code
settings.register_profile("default", deadline=None)
settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "slow", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def pytest_configure(config: pytest.Config) -> None:
    """Chooses the hypothesis profile, unless --hypothesis-profile did."""
    if config.getoption("--hypothesis-profile"):
        return
    if config.getoption("-m") == "slow":
        settings.load_profile("slow")
    else:
        settings.load_profile("ci" if IN_CI else "default")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that skips fails in CI."""
    return refuse_skip((yield), in_ci=IN_CI)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """So does a module that skips as a whole."""
    return refuse_skip((yield), in_ci=IN_CI)


def refuse_skip(report: Report, *, in_ci: bool) -> Report:
    """The report, failed if it skips in CI; an expected failure is no skip."""
    if in_ci and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"nothing may skip with CI=true. {reason}"
    return report


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder that stands beside the checkout, or where ARBITER_SHARED says."""
    if not places.SHARED.is_dir():
        pytest.skip(places.WITHOUT_SHARED)
    return places.SHARED


@pytest.fixture(scope="session")
def corpus_files(shared: Path) -> tuple[Path, ...]:
    """The published modules, extensions, saves and logs.  Never copy any of them."""
    files = places.corpus_files()
    assert files, f"{shared} holds no corpus"
    return files


@pytest.fixture(scope="session")
def genuine() -> Path:
    """The folder of small files that the real engine wrote, with its account of each."""
    folder = places.genuine()
    if folder is None:
        pytest.skip(places.WITHOUT_SHARED)
    return folder


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """The real VASSAL; tests that ask for it also carry the marker `engine`."""
    reason = Engine.why_not()
    if reason is not None:
        pytest.skip(f"no VASSAL engine: {reason}")
    engine = Engine()
    yield engine
    engine.close()
