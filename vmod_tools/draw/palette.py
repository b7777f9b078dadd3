"""Colours, in one place: what the board looks like, and how a side's counters are coloured.

Values are sRGB `#rrggbb`.  The board is kept pale so that counters and names stand out on it; water
is told from land by hue and by lightness, for readers who see few hues.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

INK = "#1d1d1b"
PAPER = "#f3efe4"
HALO = "#ffffff"

SEA = "#b4d5e8"
SHALLOW = "#cfe5f0"
SHORE = "#4f7f9c"
RIVER = "#5b9ccb"
RIVER_CASING = "#3a6f99"
WATER_NAME = "#1f4e79"

BLOCKED = "#8c2f1e"
ROAD = "#e8c27a"
ROAD_CASING = "#8a5a24"
RAIL = "#2b2b2b"
BRIDGE = "#1d1d1b"
GRID = "#6d6656"
NUMBER = "#5a5446"

_DARK = 0.2  # luminance; at about this, black and white writing read equally well


def luminance(colour: str) -> float:
    """Relative luminance from 0 to 1, as WCAG 2 defines it."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def mixed(colour: str, other: str, share: float) -> str:
    """`colour` with `share` (0 to 1) of `other` mixed in."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours of one side's counters: the counter's face, what is written on it, the unit box, the rim."""

    face: str
    ink: str = INK
    box: str = "#fbf8ee"
    rim: str = "#3a3a38"

    @classmethod
    def of(cls, face: str) -> Colours:
        """Colours for a face given as `#rrggbb`: light writing on a dark face, dark writing on a light one."""
        dark = luminance(face) < _DARK
        return cls(
            face=face,
            ink="#ffffff" if dark else INK,
            box=mixed(face, "#ffffff", 0.62 if dark else 0.72),
            rim=mixed(face, "#000000", 0.55),
        )


NAMED: Mapping[str, Colours] = {
    name: Colours.of(face)
    for name, face in {
        "grey": "#8f9a8b",
        "black": "#2e2e30",
        "red": "#b5493a",
        "tan": "#d8bf8a",
        "green": "#7d9f66",
        "olive": "#5c6136",
        "blue": "#6f97cb",
        "navy": "#2c3f66",
        "yellow": "#e9cf5a",
        "white": "#f4f1e8",
    }.items()
}
"""Ready-made faces that can be told apart side by side; `white` suits markers."""
