"""The ground of each kind of terrain: its colour, whether it is open water, and the motif strewn on it.

Motifs are small shapes at places that follow from the cell alone.  They keep away from the number at
the top of the hex and from whatever else the caller names (sites, water), so that a player can read
all of it.  Sizes in pitch units; a motif is drawn around (0, 0) and one unit of its path is 1/120 pitch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from vmod_tools.draw.curves import noise
from vmod_tools.draw.svg import Point, tenth
from vmod_tools.mapdoc.model import Cell, Position

MOTIF_UNIT = 1 / 120  # pitch


@dataclass(frozen=True, slots=True)
class Stamp:
    """One layer of a motif: relative path data (starts at the place), its fill or its stroke."""

    data: str
    fill: str = "none"
    stroke: str = "none"


@dataclass(frozen=True, slots=True)
class Terrain:
    """How a terrain is drawn; `spacing` between motifs in pitch units."""

    fill: str
    water: bool = False
    stamps: tuple[Stamp, ...] = ()
    spacing: float = 0.2


_CROWN = "m-5.5 0 a5.5 5.5 0 1 0 11 0 a5.5 5.5 0 1 0 -11 0 z"
_LIGHT = "m-4 -1.2 a3 3 0 0 1 3 -3"
_PEAK = "m-11 7 l11 -17 l11 17 z"
_SHADE = "m0 -10 l11 17 h-8 l1 -6 l-5 -3 z"
_LEDGE = "m-8 3 q2 -6 7 -6 q6 0 8 6 m-10 -1 q1 -2.5 3.5 -2.5"
_REED = "m-7 3 h14 m-10 0 l-2 -6 m5 6 v-7.5 m3 7.5 l2 -6"
_SPRIG = "m-3 2 l-1.5 -4 m3.5 4 v-5 m2 5 l1.5 -4"
_HOUSES = "m-6 -5 h5 v5 h-5 z m7 1 h5 v4 h-5 z m-7 6 h4 v4 h-4 z m7 0 h5 v4 h-5 z"
_WAVE = "m-7 0 q3.5 -3.5 7 0 q3.5 3.5 7 0"

TERRAINS: Mapping[str, Terrain] = {
    "sea": Terrain("#b4d5e8", water=True),
    "lake": Terrain("#bcdcea", water=True, stamps=(Stamp(_WAVE, stroke="#8fbdd6"),), spacing=0.3),
    "clear": Terrain("#e6ecc9"),
    "forest": Terrain(
        "#cfe0ae",
        stamps=(Stamp(_CROWN, fill="#8fb377", stroke="#6f9560"), Stamp(_LIGHT, stroke="#c0d8a4")),
        spacing=0.17,
    ),
    "mountain": Terrain(
        "#ddd2b8",
        stamps=(Stamp(_PEAK, fill="#f4eddb", stroke="#8f7d62"), Stamp(_SHADE, fill="#b09c7c")),
        spacing=0.27,
    ),
    "rough": Terrain("#e4dcb6", stamps=(Stamp(_LEDGE, stroke="#a8946a"),), spacing=0.23),
    "marsh": Terrain("#d6e3d0", stamps=(Stamp(_REED, stroke="#5f8f9a"),), spacing=0.24),
    "heath": Terrain("#e8d9d3", stamps=(Stamp(_SPRIG, stroke="#a97f93"),), spacing=0.2),
    "urban": Terrain(
        "#e0d8cd", stamps=(Stamp(_HOUSES, fill="#c3ab9d", stroke="#9a8273"),), spacing=0.19
    ),
}

DEFAULT = Terrain("#e9e2cc")
"""Terrain that a rulebook names and this table does not: plain ground, so that nothing is claimed."""


def ground_of(terrain: str) -> Terrain:
    """How a terrain is drawn, its name compared without case; plain ground for an unknown one."""
    return TERRAINS.get(terrain.strip().lower(), DEFAULT)


def spots(
    cell: Cell, spacing: float, free: Callable[[Position], bool]
) -> Iterator[tuple[Position, float]]:
    """Places for motifs in a hex, from top to bottom, each with a size factor around 1."""
    rows = math.ceil(0.42 / (spacing * 0.87))
    columns = int(0.5 / spacing) + 1
    for i in range(-rows, rows + 1):
        for j in range(-columns, columns + 1):
            seed = (cell.col, cell.row, i, j)
            x = (j + 0.5 * (i % 2)) * spacing + noise(*seed, 1) * spacing * 0.22
            y = i * spacing * 0.87 + noise(*seed, 2) * spacing * 0.2
            at = Position(x, y)
            if _inside(at) and not _under_number(at) and free(at):
                yield at, 1.0 + 0.18 * noise(*seed, 3)


def _inside(at: Position) -> bool:
    """Whether a motif there stays off the hexsides."""
    x, y = abs(at.x), abs(at.y)
    return y <= 0.42 and x * 0.866 + y * 0.5 <= 0.41


def _under_number(at: Position) -> bool:
    return at.y < -0.27 and abs(at.x) < 0.27


def stamped(stamp: Stamp, at: Point, size: float) -> str:
    """Path data of a stamp at a pixel, `size` px to its unit."""
    return f"M{tenth(at[0])} {tenth(at[1])} {_scaled(stamp.data, size)}"


def _scaled(data: str, size: float) -> str:
    """Relative path data times `size`; the flags of arcs are not lengths and stay."""
    words: list[str] = []
    command, place = "", 0
    for word in data.split():
        if word[0].isalpha():
            command, place, word = word[0], 0, word[1:]
            words.append(command)
            if not word:
                continue
        flag = command == "a" and place % 7 in (2, 3, 4)
        words.append(word if flag else tenth(float(word) * size))
        place += 1
    return " ".join(words)
