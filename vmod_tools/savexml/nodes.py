"""Reading the XML form's elements: attributes and texts unescaped, errors with their line."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from vmod_tools.errors import VmodError
from vmod_tools.savexml.escaping import unescape

NAMESPACE = "urn:vassal-arbiter:save:1"
_TAG_AT = len(NAMESPACE) + 2


def tag_of(element: etree._Element) -> str:
    """The element's name without its namespace."""
    return str(element.tag)[_TAG_AT:]


def elements(element: etree._Element, *tags: str) -> Iterator[etree._Element]:
    """The child elements, all or those of these names."""
    return (child for child in element if not tags or tag_of(child) in tags)


def attributes_of(element: etree._Element, *without: str) -> dict[str, str]:
    """The attributes as the file's texts, without those that only tell a reader something."""
    given = {str(n): str(v) if v.isascii() else unescape(str(v)) for n, v in element.items()}
    for name in (*without, "note"):
        given.pop(name, None)
    return given


def text_of(element: etree._Element) -> str:
    """The element's text as the file's."""
    return unescape(element.text or "")


def fields_of(element: etree._Element, tag: str = "field") -> list[tuple[str, str]]:
    """Name (or "") and text of the children that are called `tag`."""
    return [
        (unescape(child.get("name", "")), text_of(child))
        for child in element
        if tag_of(child) == tag
    ]


class located:  # noqa: N801 - a context manager that is written like a function
    """Gives an error that comes out of the block the element's line, if it has no place yet."""

    __slots__ = ("_element",)

    def __init__(self, element: etree._Element) -> None:
        self._element = element

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, VmodError):
            error.located(place=f"line {self._element.sourceline}")
