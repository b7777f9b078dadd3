"""New identities by VASSAL's rules: gpids of slots and ids of pieces.

A module counts its slots in `nextPieceSlotId`, an extension too, with its own prefix: `abc:12`.  A piece's
id is its time of creation in milliseconds; VASSAL counts on until the id is free.

Source: build/GpIdChecker.java, build/module/GameState.java (getNewPieceId); vassal-format.md 7.3, 12.3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from vmod_tools.sequence import java_int

EARLIEST = 1_000_000_000_000
"""Ids below are no times (September 2001); VASSAL's are all later."""


class PieceIds:
    """Hands out piece ids that nothing in the game has."""

    def __init__(self, taken: Iterable[str], start: int | None = None) -> None:
        """`start` is the time in milliseconds; without one, ids follow the latest that is taken."""
        self._taken = set(taken)
        times = (int(i) for i in self._taken if i.isascii() and i.isdigit() and len(i) < 16)
        self._next = max(times, default=0) + 1 if start is None else start
        self._next = max(self._next, EARLIEST)

    def new(self) -> str:
        """An id that is free, now taken."""
        while str(self._next) in self._taken:
            self._next += 1
        self._taken.add(str(self._next))
        return str(self._next)


class Gpids:
    """Hands out gpids; `next` is what the build file's nextPieceSlotId must say afterwards."""

    def __init__(self, stated: str, taken: Collection[str], prefix: str = "") -> None:
        """`stated` is nextPieceSlotId, `prefix` an extension's id."""
        self._prefix = f"{prefix}:" if prefix else ""
        self.next = java_int(stated) or 0
        # Hand-made modules say too small a number; VASSAL's editor then counts on from the largest.
        for gpid in taken:
            self.take(gpid)

    def take(self, gpid: str) -> None:
        """Notes a gpid that someone else gave out."""
        number = java_int(gpid.rpartition(":")[2])
        if number is not None:
            self.next = max(self.next, number + 1)

    def new(self) -> str:
        """A gpid that is free."""
        self.next += 1
        return f"{self._prefix}{self.next - 1}"
