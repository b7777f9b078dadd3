"""The build file: a module's or extension's tree of components.

The tree is read with lxml (no DTD, no entities, no network); the original bytes stay with the
archive entry, so reading never changes a file.  Class names are given without their package:
`VASSAL.build.module.map.boardPicker.Board` is a `Board`.

Source: build/Builder.java, GameModule.java; vassal-format.md section 9.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from lxml import etree

from vmod_tools.archive import Archive
from vmod_tools.attributes import Attribute, Value, component_kind, typed
from vmod_tools.errors import BuildFileError

BUILD_FILES = ("buildFile.xml", "buildFile")
MODULE_DATA, SAVE_DATA, EXTENSION_DATA = "moduledata", "savedata", "extensiondata"

FOLDERS = frozenset(
    {"ModuleSubFolder", "MapSubFolder", "DeckSubFolder", "PrototypeFolder", "GlobalPropertyFolder"}
)
"""Folders are transparent: their children act as if they stood in the folder's parent."""


@dataclass(frozen=True, slots=True)
class Component:
    """An element of the build file."""

    element: etree._Element = field(repr=False)

    @property
    def kind(self) -> str:
        """The class name without its package."""
        return str(self.element.tag).rpartition(".")[2]

    @property
    def name(self) -> str:
        """The name that the editor shows; "" for a class without one."""
        return self.configure_name or ""

    @property
    def configure_name(self) -> str | None:
        """VASSAL's name of the component: None where its class has none, or the attribute is absent."""
        attribute = component_kind(self.kind).name_attribute
        name = self.element.get(attribute) if attribute else None
        return None if name is None else str(name)

    def value(self, attribute: str) -> Value:
        """An attribute's typed value, or VASSAL's default when it is absent."""
        known = component_kind(self.kind).attributes.get(attribute, Attribute(attribute))
        return typed(known, self.element.get(attribute))

    def values(self) -> dict[str, Value]:
        """The typed values of all attributes that the class has or the file gives."""
        names = [*component_kind(self.kind).attributes, *map(str, self.element.attrib)]
        return {name: self.value(name) for name in dict.fromkeys(names)}

    @property
    def attributes(self) -> dict[str, str]:
        """All attributes as text."""
        return {str(k): str(v) for k, v in self.element.attrib.items()}

    @property
    def text(self) -> str:
        """The element's text without the white space around it, as VASSAL reads it."""
        return (self.element.text or "").strip()

    @property
    def line(self) -> int:
        """The line of the build file."""
        return self.element.sourceline or 0

    def get(self, attribute: str, default: str = "") -> str:
        """An attribute, or the default."""
        return str(self.element.get(attribute, default))

    def children(self, *kinds: str) -> Iterator[Component]:
        """Direct children of these kinds (all, if none is named); folders are looked through."""
        for element in self.element.iterchildren(tag=etree.Element):
            child = Component(element)
            if child.kind in FOLDERS:
                yield from child.children(*kinds)
            elif not kinds or child.kind in kinds:
                yield child

    def descendants(self, *kinds: str) -> Iterator[Component]:
        """All components below this one of these kinds, in document order."""
        for element in self.element.iterdescendants(tag=etree.Element):
            child = Component(element)
            if child.kind in kinds:
                yield child


@dataclass(frozen=True, slots=True)
class BuildFile:
    """A build file that was read."""

    entry: str
    root: Component

    @classmethod
    def read(cls, archive: Archive) -> Self | None:
        """The build file of a module or extension; None when the archive has none."""
        for name in BUILD_FILES:
            entry = archive.find(name)
            if entry is not None:
                return cls(name, Component(parse_xml(archive.read(entry), name)))
        return None

    @property
    def is_extension(self) -> bool:
        """Whether this is an extension's."""
        return self.root.kind == "ModuleExtension"


@dataclass(frozen=True, slots=True)
class Metadata:
    """What `moduledata`, `savedata` or `extensiondata` says; empty where it says nothing."""

    version: str = ""
    vassal_version: str = ""
    name: str = ""
    description: str = ""
    extra1: str = ""
    extra2: str = ""
    date_saved: str = ""
    """Milliseconds since 1970, as written."""
    universal: str = ""
    """Of extensions: whether they fit any module."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Translations of the name by language."""
    descriptions: Mapping[str, str] = field(default_factory=dict)


# Before, VASSAL wrote the translation as the attribute and the language as the text (its issue 11929).
_LANGUAGE_MENDED = (3, 6, 11)


def read_metadata(archive: Archive, entry_name: str) -> Metadata | None:
    """The metadata document of that name, or None when the archive has none (a normal case)."""
    entry = archive.find(entry_name)
    if entry is None:
        return None
    root = parse_xml(archive.read(entry), entry_name)

    def first(tag: str) -> str:
        found = (e for e in root.findall(tag) if e.get("lang") is None)
        return next(((e.text or "").strip() for e in found), "")

    swapped = has_swapped_languages(first("VassalVersion"))

    def translations(tag: str) -> dict[str, str]:
        pairs = ((e.get("lang"), (e.text or "").strip()) for e in root.findall(tag))
        stated = ((str(lang), text) for lang, text in pairs if lang is not None)
        return {text: lang for lang, text in stated} if swapped else dict(stated)

    return Metadata(
        first("version"),
        first("VassalVersion"),
        first("name"),
        first("description"),
        first("extra1"),
        first("extra2"),
        first("dateSaved"),
        first("universal"),
        translations("name"),
        translations("description"),
    )


def has_swapped_languages(version: str) -> bool:
    """Whether a VASSAL of that version wrote translations the wrong way round; an unknown one did not."""
    return () < vassal_version(version) < _LANGUAGE_MENDED


def vassal_version(text: str) -> tuple[int, ...]:
    """The numbers at the front of a VASSAL version (`3.6.0-beta2` is 3, 6, 0), to be compared."""
    numbers = re.match(r"\d{1,9}(?:\.\d{1,9})*", text)
    return tuple(map(int, numbers[0].split("."))) if numbers else ()


def int_attribute(component: Component, name: str, default: int = 0) -> int:
    """A whole-number attribute; the default when absent or empty.  Raises BuildFileError."""
    text = component.get(name)
    try:
        return int(text) if text else default
    except ValueError:
        raise BuildFileError(
            f"{text[:20]!r} is not a whole number",
            code="BUILDFILE_ATTRIBUTE",
            place=f"line {component.line}",
            field=name,
        ) from None


def parse_xml(data: bytes, entry: str) -> etree._Element:
    """The root element; raises BuildFileError with line and column.  A DOCTYPE is refused."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, strip_cdata=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        raise BuildFileError(
            f"not well-formed XML: {error.msg}",
            code="BUILDFILE_XML",
            place=f"{entry} line {line} column {column}",
        ) from error
    if root.getroottree().docinfo.doctype:
        raise BuildFileError("a DOCTYPE is not allowed", code="BUILDFILE_DOCTYPE", place=entry)
    return root
