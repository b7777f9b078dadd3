"""Where the tests' files are: in the checkout, and in the folder shared beside it.

The shared folder holds other people's files, which tests read and never copy into the checkout.
These functions serve parametrisation, which happens before fixtures exist; tests ask the fixtures.
"""

from __future__ import annotations

import os
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
DATA = REPO / "tests" / "data"
SHARED = Path(os.environ.get("ARBITER_SHARED") or REPO.parent / "shared").resolve()
WITHOUT_SHARED = f"no folder {SHARED}: set ARBITER_SHARED to a checkout of the shared files"

CORPUS_SUFFIXES = (".vlog", ".vmdx", ".vmod", ".vsav")


def corpus_files(*suffixes: str) -> tuple[Path, ...]:
    """The published modules, extensions, saves and logs, by name; none where the folder is absent."""
    wanted = suffixes or CORPUS_SUFFIXES
    return tuple(sorted(p for p in SHARED.glob("corpus/*") if p.suffix in wanted))


def genuine() -> Path | None:
    """The folder of small files that the real engine wrote; our own copy of it goes first."""
    for folder in (DATA / "genuine", SHARED / "genuine"):
        if folder.is_dir():
            return folder
    return None
