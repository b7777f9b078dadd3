"""Site symbols: 22 x 22 px pictograms for what lies at one spot of a hex.

A pictogram is a list of marks around (0, 0), x right, y down, within a circle of 9 px.  Each path is
drawn twice: first wide in white, which gives the halo that lifts it off any ground, then in ink.
The symbol says the kind alone; whose it is, and whether it is captured, is told by markers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

SIZE = 22  # px, width and height of a site counter

_INK = "#1d1d1b"
_RED = "#a3271c"
_BLUE = "#1f4e79"
_ROOF = "#7a4b33"


class Mark(NamedTuple):
    """Path data, its fill and its stroke (`none` for neither), and the stroke's width in px."""

    data: str
    fill: str
    stroke: str = "none"
    width: float = 0.0


def _block(x: float, y: float, w: float, h: float) -> str:
    return f"M{x} {y} h{w} v{h} h{-w} Z"


_DISC = "M-9 0 A9 9 0 1 0 9 0 A9 9 0 1 0 -9 0 Z"
_PLANE = (
    "M0 -7.6 C1.1 -7.6 1.3 -5.6 1.3 -3.2 L7.4 1.2 V3 L1.3 1.4 L1 4.8 L3.2 6.6 V7.8 L0 7 L-3.2 7.8 V6.6"
    " L-1 4.8 L-1.3 1.4 L-7.4 3 V1.2 L-1.3 -3.2 C-1.3 -5.6 -1.1 -7.6 0 -7.6 Z"
)
_ANCHOR = (
    "M0 -3.8 V6.6 M-3.6 -1.6 H3.6 M-6 1.6 C-5.6 5 -3 6.8 0 6.8 C3 6.8 5.6 5 6 1.6"
    " M-1.8 -5.6 a1.8 1.8 0 1 0 3.6 0 a1.8 1.8 0 1 0 -3.6 0"
)
_AIRFIELD = (Mark(_DISC, "#ffffff", _INK, 1.4), Mark(_PLANE, _INK))

PICTOGRAMS: Mapping[str, tuple[Mark, ...]] = {
    "airfield": _AIRFIELD,
    "airport": _AIRFIELD,
    "port": (Mark(_DISC, _BLUE, _INK, 1.0), Mark(_ANCHOR, "none", "#ffffff", 1.7)),
    "town": (
        Mark(_block(-6, -1, 5, 6) + " " + _block(1, 1, 5, 4), _ROOF, _INK, 1.0),
        Mark("M-7 -1 L-3.5 -5 L0 -1 Z M0 1 L3.5 -2.5 L7 1 Z", _RED, _INK, 1.0),
    ),
    "city": (
        Mark(
            " ".join((_block(-8, -1, 5, 8), _block(-3, -8, 6, 15), _block(3, -4, 5, 11))),
            _ROOF,
            _INK,
            1.0,
        ),
        Mark(
            "M-1.2 -5.5 h2.4 M-1.2 -2.5 h2.4 M-1.2 0.5 h2.4 M-6.4 1.5 h1.8 M4.6 -1 h1.8 M4.6 2 h1.8",
            "none",
            "#ffe9a8",
            1.3,
        ),
    ),
    "urban": (
        Mark(
            " ".join(_block(x, y, 6, 6) for x, y in ((-7, -7), (1, -7), (-7, 1), (1, 1))),
            _ROOF,
            _INK,
            1.0,
        ),
    ),
    "fortress": (
        Mark(
            "M0 -9 L2.4 -5.4 H6.4 V-1.6 L9 0 L6.4 1.6 V5.4 H2.4 L0 9 L-2.4 5.4 H-6.4 V1.6 L-9 0 L-6.4 -1.6 V-5.4 H-2.4 Z",
            _RED,
            _INK,
            1.0,
        ),
        Mark(_block(-2.6, -2.6, 5.2, 5.2), "#ffffff", _INK, 0.8),
    ),
    "strongpoint": (
        Mark(
            "M-7.5 5.5 V-4 H-4.5 V-1.5 H-1.5 V-4 H1.5 V-1.5 H4.5 V-4 H7.5 V5.5 Z",
            "#5a5a55",
            _INK,
            1.0,
        ),
        Mark("M-2 5.5 V3.5 A2 2 0 0 1 2 3.5 V5.5 Z", "#ffffff"),
    ),
    "bridge": (
        Mark("M-8.5 -4.5 L-6 -2.5 H6 L8.5 -4.5 M-8.5 4.5 L-6 2.5 H6 L8.5 4.5", "none", _INK, 1.9),
        Mark("M-8 0 H8", "none", _INK, 1.2),
    ),
}

DEFAULT: tuple[Mark, ...] = (
    Mark("M-5.5 0 A5.5 5.5 0 1 0 5.5 0 A5.5 5.5 0 1 0 -5.5 0 Z", "#ffffff", _INK, 1.8),
    Mark("M-2 0 A2 2 0 1 0 2 0 A2 2 0 1 0 -2 0 Z", _INK),
)


def pictogram(kind: str) -> tuple[Mark, ...]:
    """The marks of a kind, compared without case; a ring with a dot for a kind that is not known."""
    return PICTOGRAMS.get(kind.strip().lower(), DEFAULT)
