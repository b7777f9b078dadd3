"""How an entry was deflated: the settings of zlib that give its very stream again, if there are any.

VASSAL, Info-ZIP and most other writers use zlib itself, so two numbers stand for the whole stream.
"""

from __future__ import annotations

import zlib

Settings = tuple[int, int]
"""zlib's level and its memory level."""

# Java and Info-ZIP default to level 6, packagers like 9; some writers ask for the larger memory level.
_LIKELY: tuple[Settings, ...] = (
    *((level, 8) for level in (6, 9, 1, 5, 4, 3, 2, 7, 8)),
    *((level, 9) for level in (6, 9, 1)),
)
_PROBE = 1 << 18


def deflate(content: bytes, settings: Settings) -> bytes:
    """The raw stream of `content`."""
    packer = _packer(settings)
    return packer.compress(content) + packer.flush()


def find_settings(content: bytes, stream: bytes) -> Settings | None:
    """The settings with which zlib makes `stream` of `content`; None when there are none."""
    for settings in _LIKELY:
        packer = _packer(settings)
        begun = packer.compress(content[:_PROBE])
        if not stream.startswith(begun):
            continue
        rest = packer.compress(content[_PROBE:]) + packer.flush()
        if len(begun) + len(rest) == len(stream) and stream.endswith(rest):
            return settings
    return None


def _packer(settings: Settings) -> zlib._Compress:
    level, memory = settings
    return zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS, memory)
