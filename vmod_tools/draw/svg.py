"""Small helpers over lxml for writing SVG that Batik 1.16 (the renderer inside VASSAL) draws.

Only SVG 1.1 presentation attributes are used: no style sheets, no CSS variables, no `paint-order`,
no `dominant-baseline`.  The same input gives the same bytes: attributes keep the order in which they
are given, numbers are written with at most two decimals.

Units: pixels of the picture; text widths are estimates, because nobody knows which font the player
has.  They err on the wide side.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TypeAlias

from lxml import etree

Node: TypeAlias = etree._Element
Point: TypeAlias = tuple[float, float]

NAMESPACE = "http://www.w3.org/2000/svg"
FONTS = "DejaVu Sans, Noto Sans CJK JP, IPAGothic, sans-serif"

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# Advance widths in em, measured in DejaVu Sans and rounded up; a CJK glyph fills its square.
_ADVANCE = {"W": 1.0, "F": 1.0, "A": 0.7}
_NARROW = frozenset("iljtfI.,:;'|!()[] -")
_WIDE = frozenset("mwMWQO@%")
_BOLD = 1.12


def num(value: float) -> str:
    """A number with at most two decimals and no trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tenth(value: float) -> str:
    """A coordinate to a tenth of a pixel: path data is most of a board, and VASSAL reads it often."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def clean(text: str) -> str:
    """The text with characters that XML cannot carry shown as U+FFFD; escaping is left to lxml."""
    return _NOT_XML.sub("\ufffd", text)


def document(width: float, height: float) -> Node:
    """An empty picture; width and height are plain pixel numbers, as VASSAL reads them."""
    root = etree.Element(f"{{{NAMESPACE}}}svg", nsmap={None: NAMESPACE})
    root.set("version", "1.1")
    root.set("width", num(width))
    root.set("height", num(height))
    root.set("viewBox", f"0 0 {num(width)} {num(height)}")
    return root


def add(parent: Node, tag: str, /, content: str = "", **attributes: str | float) -> Node:
    """A child element; `stroke_width=2` becomes `stroke-width="2"`."""
    child = etree.SubElement(parent, f"{{{NAMESPACE}}}{tag}")
    for name, value in attributes.items():
        spelled = clean(value) if isinstance(value, str) else num(value)
        child.set(name.replace("_", "-") if name != "viewBox" else name, spelled)
    if content:
        child.text = clean(content)
    return child


def to_bytes(root: Node) -> bytes:
    """The picture as UTF-8 with an XML declaration, one element a line."""
    etree.indent(root, space=" ")
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"


def polyline(points: Iterable[Point], *, closed: bool = False) -> str:
    """Path data through the points in straight lines."""
    data = " ".join(f"{'L' if i else 'M'}{tenth(x)} {tenth(y)}" for i, (x, y) in enumerate(points))
    return data + " Z" if closed else data


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Estimated width in px of one line set in `size` px."""
    em = sum(_advance(char) for char in text)
    return em * size * (_BOLD if bold else 1.0)


def _advance(char: str) -> float:
    wide = _ADVANCE.get(unicodedata.east_asian_width(char))
    if wide is not None:
        return wide
    if char in _NARROW:
        return 0.4
    if char in _WIDE:
        return 0.98
    return 0.7 if char.isupper() else 0.64


def fitted(text: str, size: float, width: float, *, least: float, bold: bool = False) -> float:
    """The largest font size up to `size` in which the text is at most `width` px wide, but not below `least`."""
    natural = text_width(text, size, bold=bold)
    return size if natural <= width else max(least, size * width / natural)


def cut(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """The text if it fits into `width` px, else its beginning with an ellipsis."""
    shown = text
    while shown and text_width(shown, size, bold=bold) > width:
        shown = shown.removesuffix("\u2026")[:-1].rstrip() + "\u2026" if len(shown) > 1 else ""
    return shown
