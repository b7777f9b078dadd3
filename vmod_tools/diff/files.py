"""From the bytes of files to what differs, as text or data, and the stable text of one file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vmod_tools.archive import Archive
from vmod_tools.diff.entries import digest
from vmod_tools.diff.game import game_snapshot
from vmod_tools.diff.model import Difference, Snapshot, shown
from vmod_tools.diff.module import module_snapshot
from vmod_tools.errors import VmodError
from vmod_tools.limits import COMMAND_LINE, Limits
from vmod_tools.saves import SAVED_GAME
from vmod_tools.show import visible


def snapshot(
    data: bytes, *, raw: bool = False, at_end: bool = False, limits: Limits = COMMAND_LINE
) -> Snapshot:
    """The snapshot of one VASSAL file; raises VmodError when it cannot be read."""
    archive = Archive.parse(data, limits)
    if archive.find(SAVED_GAME) is not None:
        return game_snapshot(archive, raw=raw, at_end=at_end)
    return module_snapshot(archive, raw=raw)


def difference_lines(differences: tuple[Difference, ...], old: str, new: str) -> Iterator[str]:
    """The differences as `diff` writes them; nothing when there are none."""
    if differences:
        yield f"--- {visible(old)}"
        yield f"+++ {visible(new)}"
    for difference in differences:
        name = f"{difference.key} {difference.title}".rstrip()
        note = ", the first that differs" if difference.first_step else ""
        yield f"@@ {visible(name)} @@ {difference.what}{note}"
        for change in difference.changes:
            label = f"{change.name}: " if change.name else ""
            if change.old is not None:
                yield f"-{visible(label + change.old)}"
            if change.new is not None:
                yield f"+{visible(label + change.new)}"


def difference_data(differences: tuple[Difference, ...], old: str, new: str) -> dict[str, Any]:
    """The differences as data."""
    first = next((d.key.removeprefix("step ") for d in differences if d.first_step), None)
    return {
        "old": old,
        "new": new,
        "different": bool(differences),
        "first_different_step": None if first is None else int(first.partition("/")[0]),
        "differences": [
            {
                "item": d.key,
                "name": d.title,
                "what": d.what,
                "changes": [{"field": c.name, "old": c.old, "new": c.new} for c in d.changes],
            }
            for d in differences
        ],
    }


def unreadable_lines(data: bytes, error: VmodError) -> Iterator[str]:
    """What git compares of a file that cannot be read: it would stop at a textconv that fails."""
    yield visible(f"not readable: {error.message} [{error.stable_code}]")
    yield f"  sha256: {digest(data)}"


def snapshot_lines(whole: Snapshot) -> Iterator[str]:
    """A file as text that is the same whenever the file says the same: what git compares."""
    yield whole.kind
    for item in whole.items.values():
        yield visible(f"{item.key} {item.title}".rstrip())
        for name, value in item.body().fields.items():
            yield visible(f"  {name}: {shown(value)}")
    for step in whole.steps:
        yield visible(f"step {step.number} {step.player}".rstrip())
        for line in step.lines:
            yield visible(f"  {line}")
