"""Names on the board: of sites, of areas, of water and of hexsides.

English stands first, Japanese in smaller type below it.  Sites of one hex that share a name get it
once.  Names of water run along the water.  Order of placing: sites (towns before fields), areas,
water; a name that finds no free room even in small type is left out, for the counter carries it too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vmod_tools.draw import palette, svg
from vmod_tools.draw.curves import between, direction, shifted
from vmod_tools.draw.ground import Ground
from vmod_tools.draw.hexsides import distinct
from vmod_tools.draw.numbers import number_box
from vmod_tools.draw.pictograms import SIZE
from vmod_tools.draw.placing import Box, Space, around, best, slanted
from vmod_tools.draw.svg import Node, Point
from vmod_tools.draw.water import Stream
from vmod_tools.mapdoc.model import Cell, Hex, Names, Site

_SECOND = 0.8  # size of the Japanese line to the English one
_LEADING = 1.16  # height of a line to its size
_SHRUNK = (1.0, 0.82, 0.7)
_WATER_SIZE = 0.11  # pitch, like all sizes of type here
_HALO = 0.75  # opacity
_SMALLER = 1.6  # dislike of the next smaller type
_LESSER = 1.0  # dislike of standing beside the next lesser site of the same name
_ASTRAY = 7.0  # dislike of a corner one pitch outside the hex


@dataclass(frozen=True, slots=True)
class Style:
    """Type of one sort of name; `rank` says who is placed first."""

    size: float
    bold: bool = False
    italic: bool = False
    colour: str = palette.INK
    rank: int = 5


SITE_STYLES: Mapping[str, Style] = {
    "city": Style(0.135, bold=True, rank=0),
    "urban": Style(0.125, bold=True, rank=1),
    "town": Style(0.118, rank=2),
    "fortress": Style(0.108, bold=True, rank=3),
    "port": Style(0.105, rank=4),
    "airfield": Style(0.105, rank=4),
    "airport": Style(0.105, rank=4),
}
OTHER_SITE = Style(0.1)
AREA = Style(0.12, italic=True, colour="#6b4f2a")
WATER = Style(_WATER_SIZE, italic=True, colour=palette.WATER_NAME)


@dataclass(frozen=True, slots=True)
class Label:
    """A placed name: its lines, the boxes it takes, the middle it is turned about, the angle in degrees."""

    lines: tuple[str, ...]
    style: Style
    scale: float
    middle: Point
    boxes: tuple[Box, ...]
    angle: float = 0.0


def lines_of(names: Names) -> tuple[str, ...]:
    """What to write of a name: English (or whatever there is), and Japanese where it says more."""
    first = names.get("en") or next((text for text in names.values() if text), "")
    second = names.get("ja", "")
    return tuple(text for text in dict.fromkeys((first, second)) if text)


def labels(ground: Ground, streams: Iterable[Stream], better_free: Iterable[Point]) -> list[Label]:
    """All names of the board, placed."""
    board = Box(0, 0, ground.layout.width, ground.layout.height)
    space = Space(board, better_free)
    hexes = [ground.map.hexes[cell] for cell in ground.cells()]
    space.take(number_box(ground, here.cell) for here in hexes)
    space.take(
        Box.around(ground.place(here.cell, site.at), SIZE, SIZE)
        for here in hexes
        for site in here.sites
    )
    wanted = sorted(
        (_site_style(sites[0]).rank, here.cell, lines, sites)
        for here in hexes
        for lines, sites in _named_sites(here)
    )
    found: list[Label | None] = []
    for _, cell, lines, sites in wanted:
        points = [ground.place(cell, site.at) for site in sites]
        found.append(
            _beside(ground, space, cell, lines, _site_style(sites[0]), points, SIZE / 2 + 2)
        )
    found.extend(
        _beside(ground, space, here.cell, lines, AREA, [ground.place(here.cell)], 0.0)
        for here in hexes
        if (lines := lines_of(here.names))
    )
    found.extend(_along(ground, space, *named) for named in _lines(ground, streams))
    return [label for label in found if label is not None]


def _site_style(site: Site) -> Style:
    return SITE_STYLES.get(site.kind.strip().lower(), OTHER_SITE)


def _named_sites(here: Hex) -> list[tuple[tuple[str, ...], list[Site]]]:
    """The names in a hex with the sites that bear them, the most important site first."""
    groups: dict[tuple[str, ...], list[Site]] = {}
    for site in sorted(here.sites, key=lambda site: _site_style(site).rank):
        if lines := lines_of(site.names):
            groups.setdefault(lines, []).append(site)
    return list(groups.items())


def _extent(lines: tuple[str, ...], style: Style, size: float) -> tuple[float, float]:
    """Width and height in px of lines set in `size` px, the first one large."""
    widths = [
        svg.text_width(text, size * (_SECOND if i else 1.0), bold=style.bold)
        for i, text in enumerate(lines)
    ]
    return max(widths), size * _LEADING * (1 + _SECOND * (len(lines) - 1))


def _beside(
    ground: Ground,
    space: Space,
    cell: Cell,
    lines: tuple[str, ...],
    style: Style,
    points: list[Point],
    gap: float,
) -> Label | None:
    """A name beside (or, without a gap, on) one of the points, smaller if need be; None without room."""
    candidates: list[tuple[tuple[Box], float]] = []
    scales: list[float] = []
    for step, scale in enumerate(_SHRUNK):
        width, height = _extent(lines, style, ground.type_size(style.size * scale))
        boxes = [] if gap else [(Box.around(point, width, height), 0.0) for point in points]
        for i, point in enumerate(points):
            for box, dislike in around(point, width, height, gap or 0.08 * ground.pitch, rings=3):
                boxes.append((box, dislike + _LESSER * i + _astray(ground, cell, box)))
        candidates += [((box,), dislike + _SMALLER * step) for box, dislike in boxes]
        scales += [scale] * len(boxes)
    chosen = best(space, candidates)
    if chosen is None:
        return None
    taken = candidates[chosen][0]
    space.take(taken)
    return Label(lines, style, scales[chosen], taken[0].middle, taken)


def _astray(ground: Ground, cell: Cell, box: Box) -> float:
    """How far the corners of a box lie outside its hex, as dislike."""
    x, y = ground.place(cell)
    beyond = 0.0
    for corner in ((box.x0, box.y0), (box.x1, box.y0), (box.x0, box.y1), (box.x1, box.y1)):
        dx, dy = abs(corner[0] - x) / ground.pitch, abs(corner[1] - y) / ground.pitch
        beyond += max(0.0, dy - 0.5, dx * math.sqrt(3) / 2 + dy / 2 - 0.5)
    return _ASTRAY * beyond


def _lines(
    ground: Ground, streams: Iterable[Stream]
) -> Iterator[tuple[str, Style, list[Point], float]]:
    """Names of water and hexsides, each with a line to run along and the distance in px to keep from it."""
    # A fjord that names its hex is written there.
    seen = {text for here in ground.map.hexes.values() for text in lines_of(here.names)}
    text_height = ground.type_size(_WATER_SIZE)
    for stream in streams:
        if stream.name and stream.name not in seen:
            seen.add(stream.name)
            half = stream.half_width(ground.pitch)
            gap = 0.0 if half > 0.8 * text_height else half + text_height * 0.6
            yield stream.name, WATER, stream.flat(), gap
    for cell, side, hexside in distinct(ground):
        if hexside.name and hexside.name not in seen:
            seen.add(hexside.name)
            style = AREA if hexside.kind == "blocked" else WATER
            gap = 0.06 * ground.pitch + text_height * 0.6
            yield hexside.name, style, list(ground.ends(cell, side)), gap


def _along(
    ground: Ground, space: Space, name: str, style: Style, line: list[Point], gap: float
) -> Label | None:
    """A name that runs along a line, `gap` px beside it, as near to its middle as there is room."""
    spots = [(between(a, b, 0.5), direction(a, b)) for a, b in pairwise(line)]
    half = len(spots) // 2
    for scale in _SHRUNK:
        width, height = _extent((name,), style, ground.type_size(style.size * scale))
        candidates, places = [], []
        for i, (point, (dx, dy)) in enumerate(spots):
            angle = math.atan2(dy, dx) if dx >= 0 else math.atan2(-dy, -dx)  # never upside down
            for off in (-gap, gap) if gap else (0.0,):
                middle = shifted(point, (-math.sin(angle), math.cos(angle)), off)
                boxes = slanted(middle, width, height, angle)
                candidates.append((boxes, 0.3 * abs(i - half) + (0.5 if off > 0 else 0.0)))
                places.append((middle, angle))
        chosen = best(space, candidates)
        if chosen is not None:
            space.take(candidates[chosen][0])
            middle, angle = places[chosen]
            return Label(
                (name,), style, scale, middle, tuple(candidates[chosen][0]), math.degrees(angle)
            )
    return None


def draw_labels(parent: Node, ground: Ground, found: Sequence[Label]) -> None:
    """Write names with a light halo."""
    parent.set("font-family", svg.FONTS)
    parent.set("text-anchor", "middle")
    for label in found:
        size = ground.type_size(label.style.size * label.scale)
        height = _extent(label.lines, label.style, size)[1]
        x, y = label.middle
        group = svg.add(parent, "g", font_style="italic" if label.style.italic else "normal",
                        font_weight="bold" if label.style.bold else "normal", fill=label.style.colour)  # fmt: skip
        if label.angle:
            group.set("transform", f"rotate({svg.num(label.angle)} {svg.num(x)} {svg.num(y)})")
        base = y - height / 2
        for i, text in enumerate(label.lines):
            line = size * (_SECOND if i else 1.0)
            base += line * _LEADING
            _write(group, text, (x, base - 0.3 * line), line)


def _write(group: Node, text: str, at: Point, size: float) -> None:
    """One line twice: its halo, for Batik knows no paint-order, then its ink."""
    svg.add(group, "text", text, x=at[0], y=at[1], font_size=size, fill=palette.HALO,
            stroke=palette.HALO, stroke_width=size * 0.26, stroke_linejoin="round",
            stroke_opacity=_HALO)  # fmt: skip
    svg.add(group, "text", text, x=at[0], y=at[1], font_size=size)
