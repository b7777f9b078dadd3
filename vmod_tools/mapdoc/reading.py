"""Reading a map document from XML: well-formed, valid, consistent, in this order.

A document that is not well-formed or not valid gives one error; after that all problems are found,
and one MapDocumentError says the first and how many more there are.  A DOCTYPE is refused: it could
pull in entities and files, and a map document has no use for one.  Comments and processing
instructions are passed over; `MapDocument.source` keeps the whole text.

The caller limits the size of what it reads.
"""

from __future__ import annotations

import re
from typing import cast

from lxml import etree

from vmod_tools.errors import MapError
from vmod_tools.mapdoc.checks import find_problems
from vmod_tools.mapdoc.model import (
    Bank,
    BankName,
    Georeference,
    Grid,
    Hex,
    HexId,
    HexMap,
    Hexside,
    HexsideKind,
    Link,
    MapDocument,
    Names,
    Position,
    Sheet,
    Side,
    Site,
    Water,
    WaterKind,
    Way,
    WayKind,
)
from vmod_tools.mapdoc.placing import UNPLACED, place
from vmod_tools.mapdoc.problems import MapDocumentError, Problem, line_place, to_errors
from vmod_tools.mapdoc.schema import NAMESPACE, XML_LANG, validate

_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE", re.DOTALL)
_DOCTYPE = "a map document may not have a DOCTYPE"


def read_document(data: bytes, name: str = "map.xml") -> MapDocument:
    """The document in `data`; `name` is the file that errors speak of.

    Raises MapError: MAP_DOCTYPE, MAP_XML, MAP_SCHEMA, or (as MapDocumentError, with all problems) the
    codes of `vmod_tools.mapdoc.checks`, MAP_DUPLICATE_ID and HEX_UNKNOWN.
    """
    try:
        root = _parse(data)
        validate(root)
        document, problems = _document(root, data)
        errors = to_errors([*problems, *find_problems(document)])
    except MapError as error:
        raise error.located(file=name) from None
    if errors:
        raise MapDocumentError([error.located(file=name) for error in errors])
    return document


def _parse(data: bytes) -> etree._Element:
    # Looked for before parsing too, so that entities of a hostile document are never expanded.
    found = _PROLOG.match(data)
    if found:
        line = found.group().count(b"\n") + 1
        raise MapError(_DOCTYPE, code="MAP_DOCTYPE", place=line_place(line))
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        message = (error.msg or "not XML").partition(", line ")[0]
        place = line_place(error.lineno or 0)
        raise MapError(f"not well-formed: {message}", code="MAP_XML", place=place) from None
    if root.getroottree().docinfo.doctype:
        raise MapError(_DOCTYPE, code="MAP_DOCTYPE")  # in an encoding that the pattern cannot see
    return root


# From elements to frozen data.  The schema has been checked: attributes are there and of their kind.


def _document(root: etree._Element, data: bytes) -> tuple[MapDocument, list[Problem]]:
    problems: list[Problem] = []
    maps = tuple(_map(child, problems) for child in _children(root, "map"))
    links = tuple(
        Link(
            start=_word(child, "from"),
            end=_word(child, "to"),
            side=cast("Side | None", child.get("hexside")),
            line=_line(child),
        )
        for child in _children(root, "link")
    )
    document = MapDocument(
        id=_word(root, "id"), game=_word(root, "game"), maps=maps, links=links, source=data
    )
    return document, problems


def _map(element: etree._Element, problems: list[Problem]) -> HexMap:
    grid = _children(element, "grid")[0]
    empty = HexMap(
        id=_word(element, "id"),
        titles=_names(element, "title", problems),
        grid=Grid(
            pitch=int(_word(grid, "pitch")),
            pushed="odd" if grid.get("pushed") == "odd" else "even",
        ),
        sheets=tuple(_sheet(child) for child in _children(element, "sheet")),
        hexes={},
        georeference=next(
            (_georeference(child) for child in _children(element, "georeference")), None
        ),
        line=_line(element),
    )
    return place(
        empty,
        [_hex(child, problems) for child in _children(element, "hex")],
        [_hexside(child) for child in _children(element, "hexside")],
        problems,
    )


def _sheet(element: etree._Element) -> Sheet:
    columns, rows = _range(_word(element, "columns")), _range(_word(element, "rows"))
    return Sheet(
        id=_word(element, "id"),
        first_column=columns[0],
        last_column=columns[1],
        first_row=rows[0],
        last_row=rows[1],
        col0=int(_word(element, "col0")),
        row0=int(_word(element, "row0")),
        line=_line(element),
    )


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first), int(last)


def _georeference(element: etree._Element) -> Georeference:
    return Georeference(
        projection=_word(element, "projection"),
        lat=float(_word(element, "lat")),
        lon=float(_word(element, "lon")),
        km_per_hex=float(_word(element, "km-per-hex")),
        bearing=float(_word(element, "bearing")),
        column=float(_word(element, "column")),
        row=float(_word(element, "row")),
    )


def _hex(element: etree._Element, problems: list[Problem]) -> Hex:
    return Hex(
        cell=UNPLACED,
        written=HexId(_word(element, "id")),
        terrain=_word(element, "terrain"),
        waters=tuple(_water(child) for child in _children(element, "water")),
        banks=tuple(_bank(child) for child in _children(element, "bank")),
        sites=tuple(_site(child, problems) for child in _children(element, "site")),
        ways=tuple(_way(child) for child in _children(element, "road", "rail")),
        names=_names(element, "name", problems),
        line=_line(element),
    )


def _water(element: etree._Element) -> Water:
    return Water(
        kind=cast("WaterKind", _word(element, "kind")),
        course=tuple(_point(text) for text in _word(element, "course").split()),
        name=_word(element, "name"),
        left=_bank_name(element, "left"),
        right=_bank_name(element, "right"),
        line=_line(element),
    )


def _point(text: str) -> Position:
    x, _, y = text.partition(",")
    return Position(float(x), float(y))


def _bank(element: etree._Element) -> Bank:
    return Bank(
        id=BankName(_word(element, "id")),
        sides=frozenset(cast("list[Side]", _word(element, "sides").split())),
        line=_line(element),
    )


def _site(element: etree._Element, problems: list[Problem]) -> Site:
    x, y = _word(element, "x"), _word(element, "y")
    return Site(
        id=_word(element, "id"),
        kind=_word(element, "kind"),
        at=Position(float(x), float(y)),
        xy_text=(x, y),
        bank=_bank_name(element, "bank"),
        names=_names(element, "name", problems),
        line=_line(element),
    )


def _way(element: etree._Element) -> Way:
    return Way(
        kind=cast("WayKind", etree.QName(element).localname),
        start=_word(element, "from"),
        end=_word(element, "to"),
        bridge=_word(element, "bridge") == "yes",
        line=_line(element),
    )


def _hexside(element: etree._Element) -> tuple[HexId, Hexside]:
    entry = Hexside(
        cell=UNPLACED,
        side=cast("Side", _word(element, "side")),
        kind=cast("HexsideKind", _word(element, "kind")),
        name=_word(element, "name"),
        line=_line(element),
    )
    return HexId(_word(element, "of")), entry


# Small things


def _children(element: etree._Element, *tags: str) -> list[etree._Element]:
    return list(element.iterchildren(*(f"{{{NAMESPACE}}}{tag}" for tag in tags)))


def _word(element: etree._Element, attribute: str) -> str:
    """An attribute with its white space collapsed, as the schema's `token` reads it; empty when absent."""
    return " ".join((element.get(attribute) or "").split())


def _line(element: etree._Element) -> int:
    return int(element.sourceline or 0)


def _bank_name(element: etree._Element, attribute: str) -> BankName | None:
    text = _word(element, attribute)
    return BankName(text) if text else None


def _names(element: etree._Element, tag: str, problems: list[Problem]) -> Names:
    found: dict[str, str] = {}
    for child in _children(element, tag):
        language = child.get(XML_LANG) or "en"
        if language in found:
            message = f"there are two <{tag}> in the language {language!r}"
            problems.append(Problem("MAP_DUPLICATE_ID", message, _line(child)))
        # Comments may stand inside; the text around them is one text.
        text = " ".join("".join(str(part) for part in child.itertext()).split())
        found.setdefault(language, text)
    return found
