"""Hex numbers in single strokes: a plain alphabet of capitals and digits as path data.

Why not text: VASSAL draws an SVG board tile by tile and lays out all of its text anew for every tile.
On a board of 400 hexes the numbers alone took a third of the time; as paths they take a twentieth.
Glyphs stand on a grid 4 wide and 6 high; `10 30/20 26` is a stroke from (1, 0) to (3, 0) and another
from (2, 0) to (2, 6).
"""

from __future__ import annotations

from collections.abc import Mapping

from vmod_tools.draw.svg import Point, polyline

HEIGHT = 6  # units
_ADVANCE = 5.6  # units from one glyph to the next
_WIDTH = 4  # units

_GLYPHS: Mapping[str, str] = {
    "0": "10 30 41 45 36 16 05 01 10",
    "1": "11 20 26/16 36",
    "2": "01 10 30 41 42 06 46",
    "3": "01 10 30 41 42 33 23/33 44 45 36 16 05",
    "4": "36 30 04 44",
    "5": "40 00 03 12 32 43 45 36 16 05",
    "6": "41 30 10 01 05 16 36 45 44 33 13 04",
    "7": "00 40 16",
    "8": "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
    "9": "05 16 36 45 41 30 10 01 02 13 33 42",
    "A": "06 02 20 42 46/04 44",
    "B": "00 06 36 45 44 33 03/33 42 41 30 00",
    "C": "41 30 10 01 05 16 36 45",
    "D": "00 06 26 44 42 20 00",
    "E": "40 00 06 46/03 33",
    "F": "40 00 06/03 33",
    "G": "41 30 10 01 05 16 36 45 43 23",
    "H": "00 06/40 46/03 43",
    "I": "20 26/10 30/16 36",
    "J": "40 45 36 16 05",
    "K": "00 06/40 03 46",
    "L": "00 06 46",
    "M": "06 00 23 40 46",
    "N": "06 00 46 40",
    "O": "10 30 41 45 36 16 05 01 10",
    "P": "06 00 30 41 42 33 03",
    "Q": "10 30 41 45 36 16 05 01 10/24 46",
    "R": "06 00 30 41 42 33 03/23 46",
    "S": "41 30 10 01 02 13 33 44 45 36 16 05",
    "T": "00 40/20 26",
    "U": "00 05 16 36 45 40",
    "V": "00 26 40",
    "W": "00 16 23 36 40",
    "X": "00 46/40 06",
    "Y": "00 23 40/23 26",
    "Z": "00 40 06 46",
    "-": "13 33",
}


def can_write(text: str) -> bool:
    """Whether the alphabet has every character."""
    return all(char in _GLYPHS for char in text)


def width(text: str, height: float) -> float:
    """The width in px of a text whose capitals are `height` px high."""
    return max(0.0, len(text) * _ADVANCE - (_ADVANCE - _WIDTH)) * height / HEIGHT


def strokes(text: str, middle: Point, height: float) -> str:
    """Path data of a text around a point; every character must be in the alphabet."""
    unit = height / HEIGHT
    left, top = middle[0] - width(text, height) / 2, middle[1] - height / 2
    data = []
    for i, char in enumerate(text):
        for stroke in _GLYPHS[char].split("/"):
            points = [
                (left + (i * _ADVANCE + int(spot[0])) * unit, top + int(spot[1]) * unit)
                for spot in stroke.split()
            ]
            data.append(polyline(points))
    return " ".join(data)
