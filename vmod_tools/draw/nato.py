"""Unit symbols: what stands inside the box of a unit counter, after the NATO way of drawing branches.

Every symbol is a few paths in a box 30 wide and 20 high around (0, 0), x right, y down.  A path is a
stroke or a solid.  Classes are plain words of `units.csv`; other spellings of the same branch are
aliases, and a class that is not listed has an empty box (the counter then shows its first letters).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

WIDTH = 30.0  # px
HEIGHT = 20.0  # px


class Stroke(NamedTuple):
    """Path data and whether it is drawn as a line or filled."""

    data: str
    style: Literal["line", "solid"] = "line"


_CROSS = Stroke("M-15 -10 L15 10 M-15 10 L15 -10")
_SLASH = Stroke("M-15 10 L15 -10")
_TRACK = Stroke("M-6 -5.5 H6 A5.5 5.5 0 0 1 6 5.5 H-6 A5.5 5.5 0 0 1 -6 -5.5 Z")
_SPINE = Stroke("M0 -10 V10")
_PEAK = Stroke("M-5 10 L0 1.5 L5 10 Z", "solid")
_WING = Stroke("M-8 7.5 Q-4 2.5 0 7.5 Q4 2.5 8 7.5")
_BALL = Stroke("M-3.6 0 A3.6 3.6 0 1 0 3.6 0 A3.6 3.6 0 1 0 -3.6 0 Z", "solid")
_COMB = Stroke("M-7 5 V-3.5 H7 V5 M0 -3.5 V5")
_ANCHOR = Stroke(
    "M0 -5 V7 M-3.5 -2.5 H3.5 M-5.5 3 Q-4.5 7 0 7 Q4.5 7 5.5 3 M-1.6 -6.6 a1.6 1.6 0 1 0 3.2 0 a1.6 1.6 0 1 0 -3.2 0"
)
_DOME = Stroke("M-15 10 A15 11 0 0 1 15 10")
_FLAG = Stroke("M-15 -4 H15")

SYMBOLS: Mapping[str, tuple[Stroke, ...]] = {
    "infantry": (_CROSS,),
    "mountain": (_CROSS, _PEAK),
    "motorised": (_CROSS, _SPINE),
    "mechanised": (_CROSS, _TRACK),
    "armour": (_TRACK,),
    "airborne": (_CROSS, _WING),
    "cavalry": (_SLASH,),
    "artillery": (_BALL,),
    "reconnaissance": (_SLASH, _TRACK),
    "engineer": (_COMB,),
    "marine": (_CROSS, _ANCHOR),
    "air-defence": (_DOME,),
    "headquarters": (_FLAG,),
}

ALIASES: Mapping[str, str] = {
    "motorized": "motorised",
    "mechanized": "mechanised",
    "armor": "armour",
    "tank": "armour",
    "panzer": "armour",
    "parachute": "airborne",
    "airlanding": "airborne",
    "recon": "reconnaissance",
    "alpine": "mountain",
    "amphibious": "marine",
    "foot": "infantry",
    "hq": "headquarters",
}


def symbol(unit_class: str) -> tuple[Stroke, ...]:
    """The strokes of a class, compared without case; empty for a class that is not known."""
    key = unit_class.strip().lower()
    return SYMBOLS.get(ALIASES.get(key, key), ())
