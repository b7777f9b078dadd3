"""Counter pictures: units 54 x 54 px, markers 54 x 54 px, sites 22 x 22 px, each as SVG 1.1 bytes.

A unit counter from top to bottom: its size (XX, III, ...), the box with the symbol of its class, its
strength, its name.  Text that is too long is set smaller down to a least size and is then cut with an
ellipsis, so that it never runs over the rim (widths are estimates; svg.text_width).
"""

from __future__ import annotations

from vmod_tools.draw import nato, pictograms, svg
from vmod_tools.draw.palette import HALO, Colours
from vmod_tools.draw.svg import Node

UNIT_SIZE = 54  # px, width and height of unit counters and markers
SITE_SIZE = pictograms.SIZE

_CENTRE = UNIT_SIZE / 2
_INNER = 47.0  # px that text may be wide
_BOX_Y = 21.5  # px, centre of the unit box
_SIZE_Y = 9.6  # px, baselines from here on
_STRENGTH_Y = 42.6
_NAME_Y = 50.2


def unit_counter_svg(
    symbol: str, side_colours: Colours, strength_text: str, size_text: str, name: str
) -> bytes:
    """The counter of a unit; `symbol` is its class (nato.SYMBOLS), any text may be empty."""
    root = _face(side_colours)
    _line(root, size_text, _SIZE_Y, 8.0, side_colours.ink, bold=True)
    _unit_box(root, symbol, side_colours)
    _line(root, strength_text, _STRENGTH_Y, 10.5, side_colours.ink, bold=True)
    _line(root, name, _NAME_Y, 6.8, side_colours.ink)
    return svg.to_bytes(root)


def marker_svg(text: str, colours: Colours, *, symbol: str = "") -> bytes:
    """A marker with large text, or with a pictogram (pictograms.PICTOGRAMS) and the text below it."""
    root = _face(colours)
    if symbol:
        _pictogram(root, symbol, x=_CENTRE, y=21.0, scale=1.5)
        _line(root, text, 47.0, 10.0, colours.ink, bold=True)
    else:
        size = svg.fitted(text, 24.0, _INNER, least=_LEAST, bold=True)
        _line(root, text, _CENTRE + size * 0.36, size, colours.ink, bold=True)
    return svg.to_bytes(root)


def site_svg(kind: str) -> bytes:
    """The symbol of a site on no ground of its own; a kind that is not known gets a ring with a dot."""
    root = svg.document(SITE_SIZE, SITE_SIZE)
    _pictogram(root, kind, x=SITE_SIZE / 2, y=SITE_SIZE / 2, scale=1.0)
    return svg.to_bytes(root)


_LEAST = 5.0  # px, the smallest type on a counter


def _face(colours: Colours) -> Node:
    """The rounded card with a light edge inside its rim."""
    root = svg.document(UNIT_SIZE, UNIT_SIZE)
    svg.add(root, "rect", x=0.75, y=0.75, width=52.5, height=52.5, rx=6, ry=6, fill=colours.face,
            stroke=colours.rim, stroke_width=1.5)  # fmt: skip
    svg.add(root, "rect", x=2.2, y=2.2, width=49.6, height=49.6, rx=4.8, ry=4.8, fill="none",
            stroke=HALO, stroke_width=1, stroke_opacity=0.35)  # fmt: skip
    return root


def _unit_box(root: Node, symbol: str, colours: Colours) -> None:
    group = svg.add(root, "g", transform=f"translate({svg.num(_CENTRE)} {svg.num(_BOX_Y)})")
    svg.add(group, "rect", x=-nato.WIDTH / 2, y=-nato.HEIGHT / 2, width=nato.WIDTH, height=nato.HEIGHT,
            fill=colours.box, stroke=_SYMBOL_INK, stroke_width=1.4)  # fmt: skip
    for data, style in nato.symbol(symbol):
        if style == "solid":
            svg.add(group, "path", d=data, fill=_SYMBOL_INK)
        else:
            svg.add(group, "path", d=data, fill="none", stroke=_SYMBOL_INK, stroke_width=1.4)
    if not nato.symbol(symbol):
        _line(group, symbol.strip()[:3].upper(), 4.0, 11.0, _SYMBOL_INK, bold=True, x=0.0)


_SYMBOL_INK = "#161616"


def _pictogram(root: Node, kind: str, *, x: float, y: float, scale: float) -> None:
    place = f"translate({svg.num(x)} {svg.num(y)})"
    group = svg.add(
        root, "g", transform=place if scale == 1.0 else f"{place} scale({svg.num(scale)})"
    )
    marks = pictograms.pictogram(kind)
    for mark in marks:
        svg.add(group, "path", d=mark.data, fill="none" if mark.fill == "none" else HALO, stroke=HALO,
                stroke_width=mark.width + 2.6, stroke_linejoin="round", stroke_linecap="round")  # fmt: skip
    for mark in marks:
        svg.add(group, "path", d=mark.data, fill=mark.fill, stroke=mark.stroke,
                stroke_width=mark.width, stroke_linejoin="round", stroke_linecap="round")  # fmt: skip


def _line(
    parent: Node,
    text: str,
    y: float,
    size: float,
    ink: str,
    *,
    bold: bool = False,
    x: float = _CENTRE,
) -> None:
    """One centred line with its baseline at y, set smaller or cut so that it stays inside the rim."""
    size = svg.fitted(text, size, _INNER, least=min(size, _LEAST), bold=bold)
    shown = svg.cut(text, size, _INNER, bold=bold)
    if shown:
        svg.add(parent, "text", shown, x=x, y=y, text_anchor="middle", font_family=svg.FONTS,
                font_size=size, font_weight="bold" if bold else "normal", fill=ink)  # fmt: skip
