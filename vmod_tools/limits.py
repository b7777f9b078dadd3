"""Named limits on what a file may ask of us, in two tiers (design.md section 9).

Honest files are large: saves of 465 MB deflated 17 to 1 have been published, so the command line's
tier is generous and the service's is not.  Bytes are counted while inflating, never believed from a
header.
"""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one archive may hold; sizes in bytes."""

    archive_bytes: int
    entries: int
    entry_bytes: int
    depth: int
    """Command nesting; real files reach 15 (351 backslashes belong to traits, which do not recurse)."""


COMMAND_LINE = Limits(archive_bytes=4096 * MIB, entries=100_000, entry_bytes=2048 * MIB, depth=200)
SERVICE = Limits(archive_bytes=64 * MIB, entries=20_000, entry_bytes=256 * MIB, depth=200)
