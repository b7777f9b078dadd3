"""With which settings zlib makes a given deflate stream, if with any.

Java and Python use the same zlib, so that most streams of VASSAL's files come out again from their content
and the level alone.  Others (made by other programs) have to be kept beside it.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True)
class Setting:
    """zlib's level and memory level."""

    level: int
    memory: int = zlib.DEF_MEM_LEVEL

    def deflate(self, data: bytes) -> bytes:
        """The stream of `data`."""
        packer = self._packer()
        return packer.compress(data) + packer.flush()

    def makes(self, stream: bytes, data: bytes) -> bool:
        """Whether `stream` is what this setting makes of `data`; a difference is seen early."""
        packer = self._packer()
        at = 0
        for start in range(0, len(data), _AT_ONCE):
            part = packer.compress(data[start : start + _AT_ONCE])
            if not stream.startswith(part, at):
                return False
            at += len(part)
        return stream[at:] == packer.flush()

    def _packer(self) -> zlib._Compress:
        return zlib.compressobj(self.level, zlib.DEFLATED, -zlib.MAX_WBITS, self.memory)


USUAL = Setting(6)
# What writers choose, the likely ones first: Java's and zip's default, the best, the fastest; 7-zip and
# others that are not zlib never match.
_SETTINGS = (
    USUAL,
    *(Setting(n) for n in (9, 1, 5, 8, 7, 4, 3, 2, 0)),
    Setting(6, 9),
    Setting(9, 9),
)


def setting_of(stream: bytes, data: bytes) -> Setting | None:
    """The setting that makes `stream` of `data`, or None."""
    return next((s for s in _SETTINGS if s.makes(stream, data)), None)
