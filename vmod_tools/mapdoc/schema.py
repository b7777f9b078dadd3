"""Validation against `schemas/map.rng`, with a sentence that says what is wrong.

libxml2 decides whether a document is valid, but often blames the parent's first child, or names an
element without its fault.  `explain` therefore reads the grammar itself: which attributes an element
has and must have, whether each value alone would do, and which children may stand where.  Whatever
that does not find (order, repetition) is left to libxml2's own words.
"""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path

from lxml import etree

from vmod_tools.errors import MapError
from vmod_tools.mapdoc.problems import line_place
from vmod_tools.resources import data_folder

NAMESPACE = "urn:vassal-arbiter:map:1"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_RNG = "{http://relaxng.org/ns/structure/1.0}"
_TEXT_ELEMENTS = ("title", "name")


def schema_path() -> Path:
    """The published schema of the map document."""
    return data_folder("schemas") / "map.rng"


def validate(root: etree._Element) -> None:
    """Raises MapError (MAP_SCHEMA) with the line when a document is not valid."""
    schema = _compiled()
    if schema.validate(root):
        return
    line, message = explain(root) or _own_words(schema)
    raise MapError(message, code="MAP_SCHEMA", place=line_place(line))


@cache
def _grammar() -> etree._Element:
    return etree.parse(str(schema_path())).getroot()


@cache
def _compiled() -> etree.RelaxNG:
    return etree.RelaxNG(_grammar())


def _own_words(schema: etree.RelaxNG) -> tuple[int, str]:
    # Entries without a line are about the attributes of an element that another entry places.
    entry = next((entry for entry in schema.error_log if entry.line), schema.error_log[0])
    return entry.line, entry.message


def explain(root: etree._Element) -> tuple[int, str] | None:
    """The line and a sentence for the first fault that one element alone can be blamed for."""
    for element in root.iter(etree.Element):
        fault = _fault(element)
        if fault is not None:
            return int(element.sourceline or 0), fault
    return None


def _fault(element: etree._Element) -> str | None:
    tag = _local(element)
    pattern = _patterns().get(tag)
    if pattern is None or element.tag != f"{{{NAMESPACE}}}{tag}":
        return f"<{tag}> is not an element of {NAMESPACE}"
    parent = element.getparent()
    if parent is not None and tag not in _children(_local(parent)):
        return f"<{tag}> may not stand in <{_local(parent)}>"
    if tag not in _TEXT_ELEMENTS and any(text.strip() for text in _own_text(element)):
        return f"<{tag}> may not hold text"
    declared = _attributes(tag)
    for name, value in element.attrib.items():
        shown = f"{str(name).replace(XML_LANG, 'xml:lang')}={str(value)[:40]!r}"
        if str(name) not in declared:
            return f"<{tag}> has no attribute {shown}"
        if not any(_accepts(one, str(name), str(value)) for one in declared[str(name)]):
            return f"<{tag}> may not have {shown}"
    for name in declared:
        if name not in element.attrib and all(_is_required(one) for one in declared[name]):
            return f"<{tag}> lacks its attribute {name!r}"
    return None


def _local(element: etree._Element) -> str:
    return etree.QName(element).localname


def _own_text(element: etree._Element) -> list[str]:
    return [element.text or "", *(child.tail or "" for child in element)]


@cache
def _patterns() -> dict[str, etree._Element]:
    """The grammar's element patterns by tag."""
    found = {}
    for pattern in _grammar().iter(f"{_RNG}element"):
        names = [pattern.get("name"), *(name.text for name in pattern.iter(f"{_RNG}name"))]
        found.update({name: pattern for name in names if name})
    return found


def _inside(pattern: etree._Element) -> list[etree._Element]:
    """All patterns below one, references followed, down to attributes and child elements."""
    found: list[etree._Element] = []
    waiting = list(pattern)
    while waiting:
        node = waiting.pop(0)
        found.append(node)
        if node.tag == f"{_RNG}ref":
            define = _grammar().find(f"{_RNG}define[@name='{node.get('name')}']")
            waiting.extend(define if define is not None else ())
        elif node.tag not in (f"{_RNG}element", f"{_RNG}attribute"):
            waiting.extend(node)
    return found


@cache
def _children(tag: str) -> frozenset[str]:
    below = _inside(_patterns()[tag])
    return frozenset(name for name, pattern in _patterns().items() if pattern in below)


@cache
def _attributes(tag: str) -> dict[str, list[etree._Element]]:
    found: dict[str, list[etree._Element]] = {}
    for node in _inside(_patterns()[tag]):
        if node.tag == f"{_RNG}attribute":
            name = (node.get("name") or "").replace("xml:lang", XML_LANG)
            found.setdefault(name, []).append(node)
    return found


def _is_required(attribute: etree._Element) -> bool:
    return all(node.tag != f"{_RNG}optional" for node in attribute.iterancestors())


def _accepts(attribute: etree._Element, name: str, value: str) -> bool:
    probe = etree.Element(f"{{{NAMESPACE}}}probe")
    probe.set(name, value)
    return _alone(attribute).validate(probe)


@cache
def _alone(attribute: etree._Element) -> etree.RelaxNG:
    """A grammar of one element `probe` with nothing but one attribute, to find out which one is at fault."""
    grammar = copy.deepcopy(_grammar())
    for start in grammar.iter(f"{_RNG}start"):
        start.clear()
        element = etree.SubElement(start, f"{_RNG}element", name="probe")
        element.append(copy.deepcopy(attribute))
    return etree.RelaxNG(grammar)
