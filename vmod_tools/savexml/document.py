"""A whole file as an XML document, and back.

Reading: no DOCTYPE, UTF-8 only, then the grammar `schemas/save.rng`, then what a grammar cannot see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lxml import etree

from vmod_tools.archive import Archive
from vmod_tools.buildfile import BUILD_FILES, EXTENSION_DATA
from vmod_tools.errors import ArchiveError, SaveXmlError, VmodError
from vmod_tools.limits import COMMAND_LINE, Limits
from vmod_tools.resources import data_folder
from vmod_tools.saves import SAVED_GAME
from vmod_tools.savexml.archives import ArchiveWriter
from vmod_tools.savexml.assemble import ArchiveReader
from vmod_tools.savexml.lines import Lines
from vmod_tools.savexml.nodes import NAMESPACE, located, tag_of
from vmod_tools.savexml.redaction import Secrets

_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'
# What may stand before the root element; whatever follows it is the root, or a DOCTYPE.
_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_RNG = "{http://relaxng.org/ns/structure/1.0}"
_VAGUE = ("RELAXNG_ERR_ATTRVALID", "RELAXNG_ERR_CONTENTVALID")
_VALUE = re.compile(r" value '.*'", re.DOTALL)
_EXTENSION_ROOT = b"ModuleExtension"


@dataclass(frozen=True, slots=True)
class XmlForm:
    """A document; `ids` counts the players' ids in the file, `left` those that a redacted one still shows
    in other places (chat, names)."""

    document: bytes
    ids: int
    left: int


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A file made from a document; `warnings` says what may differ from the file that it came from."""

    data: bytes
    warnings: tuple[str, ...]


def to_xml(data: bytes, *, redact: bool = False, limits: Limits = COMMAND_LINE) -> XmlForm:
    """The document of a VASSAL file; `from_xml` gives the same bytes, unless redacted.

    Raises VmodError when the file is none of VASSAL's.
    """
    archive = Archive.parse(data, limits)
    names = archive.names()
    if SAVED_GAME not in names and not any(name in names for name in BUILD_FILES):
        raise ArchiveError("neither a savedGame nor a buildFile is in it", code="NOT_VASSAL")
    secrets = Secrets(redact=redact)
    body = ArchiveWriter(Lines(1), secrets, limits)
    body.write(archive)
    given = [("xmlns", NAMESPACE), ("version", "1"), ("kind", _kind(archive, body.steps))]
    lines = Lines()
    lines.open("vassal", [*given, ("redacted", "yes")] if redact else given)
    lines.extend(body.lines)
    lines.close("vassal")
    document = _DECLARATION + lines.to_bytes()
    left = secrets.left_in(document) if redact else 0
    return XmlForm(document, len(secrets.pseudonyms), left)


def from_xml(document: bytes, limits: Limits = COMMAND_LINE) -> Rebuilt:
    """The file of a document; raises SaveXmlError with the line and what is wrong there."""
    root = parse(document)
    schema = _schema()
    valid = schema.validate(root)
    reader = ArchiveReader(limits)
    try:
        with located(root):
            data = reader.read(root[0])
    except VmodError:
        raise
    except (LookupError, ValueError, StopIteration):
        # The reader trusts the grammar; what it stumbles over in an invalid document says less.
        if valid:
            raise
        data = b""
    if not valid:
        raise _schema_error(root, schema.error_log)
    return Rebuilt(data, tuple(reader.warnings))


def parse(document: bytes) -> etree._Element:
    """The root element; raises SaveXmlError for what is not well-formed, not UTF-8, or has a DOCTYPE."""
    prolog = _PROLOG.match(document)
    at = prolog.end() if prolog else 0
    if document.startswith(b"<!DOCTYPE", at):
        line = document.count(b"\n", 0, at) + 1
        raise SaveXmlError("a DOCTYPE is not allowed", code="SAVEXML_DOCTYPE", place=f"line {line}")
    # A stated encoding is overruled: in UTF-16 the search above would have seen nothing.
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=True,  # a text may be a whole build file; nothing can expand without a DOCTYPE
    )
    try:
        return etree.fromstring(document, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        raise SaveXmlError(
            f"not well-formed XML: {error.msg}",
            code="SAVEXML_XML",
            place=f"line {line} column {column}",
        ) from error


def _schema_path() -> Path:
    return data_folder("schemas") / "save.rng"


@cache
def _schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(str(_schema_path())))


def _schema_error(root: etree._Element, log: Iterable[etree._LogEntry]) -> SaveXmlError:
    """The most telling of libxml2's entries, with what it leaves unsaid; never an attribute's value."""
    entry = min(log, key=lambda e: (not e.line, e.type_name in _VAGUE))
    element = next((e for e in root.iter() if e.sourceline == entry.line), None)
    if element is None:
        # libxml2 loses the line of an element that lacks an attribute.
        element = next((e for e in root.iter() if _missing(e)), root)
    names = ", ".join(map(str, element.attrib)) or "none"
    missing = "".join(f", without {name}" for name in _missing(element))
    return SaveXmlError(
        f"not valid: <{tag_of(element)}> with the attributes {names}{missing}: "
        + _VALUE.sub("", entry.message),
        code="SAVEXML_SCHEMA",
        place=f"line {element.sourceline}",
    )


def _missing(element: etree._Element) -> list[str]:
    """The attributes that the grammar asks of an element and that it lacks."""
    return [name for name in _required().get(tag_of(element), ()) if name not in element.attrib]


@cache
def _required() -> dict[str, list[str]]:
    grammar = etree.parse(str(_schema_path())).getroot()
    return {
        str(element.get("name")): [str(a.get("name")) for a in element.findall(f"{_RNG}attribute")]
        for element in grammar.iter(f"{_RNG}element")
    }


def _kind(archive: Archive, steps: int) -> str:
    if archive.find(SAVED_GAME):
        return "log" if steps else "save"
    if archive.find(EXTENSION_DATA):
        return "extension"
    build = next(e for name in BUILD_FILES if (e := archive.find(name)))
    try:
        return "extension" if _EXTENSION_ROOT in archive.read(build)[:500] else "module"
    except ArchiveError:
        return "module"
