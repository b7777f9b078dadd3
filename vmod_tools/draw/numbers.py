"""Hex numbers: at the top of every hex, aside where something crosses its N side."""

from __future__ import annotations

from vmod_tools.draw import digits, palette, svg
from vmod_tools.draw.ground import Ground
from vmod_tools.draw.placing import Box
from vmod_tools.draw.svg import Node, Point
from vmod_tools.mapdoc import geometry
from vmod_tools.mapdoc.model import Cell, Position, Way

_SIZE = 0.092  # pitch, size of type; capitals are 0.73 of it high
_CAPITALS = 0.73
_AT = (Position(0.0, -0.42), Position(-0.175, -0.42))  # pitch; the second where something crosses N


def number_place(ground: Ground, cell: Cell) -> Point:
    """The middle of the number of a hex."""
    here = ground.map.hexes[cell]
    above = ground.map.hexes.get(ground.neighbour(cell, "N"))
    crossed = (
        _ends_at(here.ways, "N")
        or (above is not None and _ends_at(above.ways, "S"))
        or any(geometry.exit_side(at) == "N" for water in here.waters for at in water.course)
    )
    return ground.place(cell, _AT[crossed])


def _ends_at(ways: tuple[Way, ...], side: str) -> bool:
    return any(side in (way.start, way.end) for way in ways)


def number_box(ground: Ground, cell: Cell) -> Box:
    """The box of the number of a hex."""
    size = ground.type_size(_SIZE)
    text = geometry.hex_name(ground.map, cell)
    width = (
        digits.width(text, size * _CAPITALS)
        if digits.can_write(text)
        else svg.text_width(text, size)
    )
    return Box.around(number_place(ground, cell), width, size)


def draw_numbers(parent: Node, ground: Ground) -> None:
    """Write the number of every hex as an element with the id `number-NAME`.

    Strokes where the alphabet has all of its characters, else text.
    """
    size = ground.type_size(_SIZE)
    attributes = {"font-family": svg.FONTS, "font-size": svg.num(size), "text-anchor": "middle"}
    for name, value in attributes.items():
        parent.set(name, value)
    for cell in ground.cells():
        text = geometry.hex_name(ground.map, cell)
        x, y = number_place(ground, cell)
        if digits.can_write(text):
            svg.add(parent, "path", id=f"number-{text}", d=digits.strokes(text, (x, y), size * _CAPITALS),
                    fill="none", stroke=palette.NUMBER, stroke_width=0.1 * size,
                    stroke_linecap="round", stroke_linejoin="round")  # fmt: skip
        else:
            svg.add(
                parent,
                "text",
                text,
                id=f"number-{text}",
                x=x,
                y=y + 0.36 * size,
                fill=palette.NUMBER,
            )
