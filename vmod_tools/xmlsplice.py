"""Editing XML by splicing: the edited places change, every other byte of the document stays.

Serialising a parsed tree again changes declaration quotes, line ends, spaces between attributes and the
form of empty elements.  So an edit here replaces byte ranges of the original text: expat says where each
element begins and ends, a small grammar finds the attributes inside its start tag.

Elements are addressed by their number in document order, counted from 0; lxml's `iter()` counts alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pyexpat import ExpatError, XMLParserType
from xml.parsers import expat

from vmod_tools.errors import BuildFileError
from vmod_tools.xmltext import attribute_value, element_text, encoded, escape_attribute


@dataclass(frozen=True, slots=True)
class Span:
    """Where an element is, in bytes: `<` of its start tag, behind that tag, `<` of its end tag, behind all.

    For `<a/>` the last three are the same.
    """

    start: int
    open_end: int
    close_start: int
    end: int
    parent: int
    """The number of its parent; -1 for the root."""

    @property
    def is_empty_tag(self) -> bool:
        """Whether it is written `<a/>`."""
        return self.open_end == self.end


@dataclass(frozen=True, slots=True)
class SetAttribute:
    """Gives an element an attribute; None takes it away.  A new attribute goes to its alphabetical place."""

    element: int
    name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class SetText:
    """Replaces the content of an element by text; of a text that stays in part, that part keeps its bytes."""

    element: int
    text: str


@dataclass(frozen=True, slots=True)
class Insert:
    """Puts XML into an element: before its child element number `at`, or behind its content (None).

    `xml` stands as it is, but is set on a line of its own with the indent of its neighbours.
    """

    element: int
    xml: str
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """Takes an element out, with the white space before it."""

    element: int


Edit = SetAttribute | SetText | Insert | Remove

# XML 1.0: a start tag. expat has seen the document, so the pattern need not refuse anything.
_START_TAG = re.compile(rb"""<([^\s/>]+)((?:\s+[^\s=>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(/?)>""")
_ATTRIBUTE = re.compile(rb"""(\s+)([^\s=>]+)(\s*=\s*)("[^"]*"|'[^']*')""")
_NAME = re.compile(rb"[^\s/>]+")
_BLANK_BEFORE = re.compile(rb"[ \t\r\n]*\Z")


def spans(data: bytes) -> tuple[Span, ...]:
    """The elements of a document in order; raises BuildFileError when it is not well-formed, or has a
    DOCTYPE.  Only encodings in which ASCII stands for itself can be spliced."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BuildFileError("UTF-16 cannot be edited in place", code="BUILDFILE_ENCODING")
    found: list[list[int]] = []
    open_elements: list[int] = []
    parser = expat.ParserCreate()

    def begin(name: str, attributes: Mapping[str, str]) -> None:
        at = parser.CurrentByteIndex
        tag = _START_TAG.match(data, at)
        if tag is None:
            raise BuildFileError(
                "a start tag cannot be read", code="BUILDFILE_XML", place=f"byte {at}"
            )
        found.append(
            [at, tag.end(), tag.end(), tag.end(), open_elements[-1] if open_elements else -1]
        )
        open_elements.append(len(found) - 1)

    def finish(name: str) -> None:
        element = found[open_elements.pop()]
        at = parser.CurrentByteIndex
        if at > element[0] and data[at : at + 2] == b"</":
            element[2], element[3] = at, data.index(b">", at) + 1

    def doctype(*_: object) -> None:
        raise BuildFileError("a DOCTYPE is not allowed", code="BUILDFILE_DOCTYPE")

    parser.StartElementHandler = begin
    parser.EndElementHandler = finish
    parser.StartDoctypeDeclHandler = doctype
    _parse(parser, data)
    return tuple(Span(*element) for element in found)


def _parse(parser: XMLParserType, data: bytes) -> None:
    try:
        parser.Parse(data, True)  # expat takes it by position
    except ExpatError as error:
        raise BuildFileError(
            f"not well-formed XML: {expat.ErrorString(error.code)}",
            code="BUILDFILE_XML",
            place=f"line {error.lineno} column {error.offset}",
        ) from error


def splice(data: bytes, edits: Iterable[Edit], encoding: str = "utf-8") -> bytes:
    """The document with the edits made.  Edits of one element's attributes may be several, and so may
    insertions at one place (they keep their order); edits that touch overlapping ranges raise
    BuildFileError."""
    known = spans(data)
    patches: list[tuple[int, int, bytes]] = []
    attributes: dict[int, dict[str, str | None]] = {}
    opened: dict[int, list[bytes]] = {}
    for edit in edits:
        if not 0 <= edit.element < len(known):
            raise BuildFileError(f"there is no element {edit.element}", code="BUILDFILE_ELEMENT")
        if isinstance(edit, SetAttribute):
            attributes.setdefault(edit.element, {})[edit.name] = edit.value
        elif isinstance(edit, Insert) and known[edit.element].is_empty_tag:
            opened.setdefault(edit.element, []).append(encoded(edit.xml, encoding))
        elif isinstance(edit, SetText) and known[edit.element].is_empty_tag:
            opened.setdefault(edit.element, []).append(element_text(b"", edit.text, encoding))
        else:
            patches.append(_patch(data, known, edit, encoding))
    for element, values in attributes.items():
        span = known[element]
        # Without the end of the tag: content that `<a/>` gets changes that.
        end = span.open_end - (2 if span.is_empty_tag else 1)
        patches.append(
            (span.start, end, _with_attributes(data[span.start : end], values, encoding))
        )
    for element, content in opened.items():
        patches.append(_opened(data, known[element], b"".join(content)))
    patches.sort(key=lambda patch: patch[:2])
    out, at = [], 0
    for start, end, new in patches:
        if start < at:
            raise BuildFileError("two edits touch the same place", code="BUILDFILE_OVERLAP")
        out += [data[at:start], new]
        at = end
    return b"".join([*out, data[at:]])


def _patch(
    data: bytes, known: tuple[Span, ...], edit: SetText | Insert | Remove, encoding: str
) -> tuple[int, int, bytes]:
    span = known[edit.element]
    if isinstance(edit, Remove):
        return _blank_start(data, span.start), span.end, b""
    if isinstance(edit, SetText):
        old = data[span.open_end : span.close_start]
        return span.open_end, span.close_start, element_text(old, edit.text, encoding)
    children = [s for s in known if s.parent == edit.element]
    xml = encoded(edit.xml, encoding)
    if children:
        # A neighbour's own indent, whatever the author's tool made it.
        last = edit.at is None or edit.at >= len(children)
        model = children[0] if edit.at is None or last else children[edit.at]
        indent = data[_blank_start(data, model.start) : model.start]
        if last:
            return children[-1].end, children[-1].end, indent + xml
        return model.start, model.start, xml + indent
    return span.close_start, span.close_start, xml


def _opened(data: bytes, span: Span, content: bytes) -> tuple[int, int, bytes]:
    """`<a/>` opened to hold content."""
    name = _NAME.match(data, span.start + 1)
    return span.open_end - 2, span.end, b">" + content + b"</" + (name[0] if name else b"") + b">"


def _blank_start(data: bytes, at: int) -> int:
    line = data.rfind(b">", 0, at) + 1
    blank = _BLANK_BEFORE.search(data, line, at)
    return blank.start() if blank else at


def _with_attributes(tag: bytes, values: Mapping[str, str | None], encoding: str) -> bytes:
    """A start tag, without its end, with attributes set, added or taken away; the others keep their bytes.

    A new attribute goes before the first one that sorts behind it: VASSAL writes them alphabetically.
    """
    present = list(_ATTRIBUTE.finditer(tag))
    names = [match[2].decode(encoding) for match in present]
    fresh = sorted(n for n, v in values.items() if v is not None and n not in names)
    out, at = bytearray(), 0
    for match, name in zip(present, names, strict=True):
        while fresh and fresh[0] < name:
            out += tag[at : match.start()] + match[1] + _written(fresh.pop(0), values, encoding)
            at = match.start()
        if name in values:
            value, quote = values[name], match[4][:1]
            out += tag[at : match.start()]
            if value is not None:
                inner = attribute_value(match[4][1:-1], value, quote.decode(), encoding)
                out += match[1] + match[2] + match[3] + quote + inner + quote
            at = match.end()
    bare = len(tag.rstrip())
    out += tag[at:bare]
    for name in fresh:
        out += b" " + _written(name, values, encoding)
    return bytes(out) + tag[max(at, bare) :]


def _written(name: str, values: Mapping[str, str | None], encoding: str) -> bytes:
    return encoded(f'{name}="{escape_attribute(values[name] or "", chr(34))}"', encoding)
