"""The build file: a module's or extension's tree of components.

The tree is read with lxml (no DTD, no entities, no network); the original bytes stay with the
archive entry, so reading never changes a file.  Class names are given without their package:
`VASSAL.build.module.map.boardPicker.Board` is a `Board`.

Source: build/Builder.java, GameModule.java; vassal-format.md section 9.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

from lxml import etree

from vmod_tools.archive import Archive
from vmod_tools.errors import BuildFileError

BUILD_FILES = ("buildFile.xml", "buildFile")
MODULE_DATA, SAVE_DATA, EXTENSION_DATA = "moduledata", "savedata", "extensiondata"

# Folders are transparent: their children act as if they stood in the folder's parent.
_FOLDERS = frozenset(
    {"ModuleSubFolder", "MapSubFolder", "DeckSubFolder", "PrototypeFolder", "GlobalPropertyFolder"}
)
# Components whose configure name is not their `name` attribute.
_NAME_ATTRIBUTE = {
    "Map": "mapName",
    "PrivateMap": "mapName",
    "PlayerHand": "mapName",
    "PieceSlot": "entryName",
    "CardSlot": "entryName",
}


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
        """The name that the editor shows."""
        return self.get(_NAME_ATTRIBUTE.get(self.kind, "name"))

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
            if child.kind in _FOLDERS:
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
    """What `moduledata` or `savedata` says; empty texts where it says nothing."""

    version: str = ""
    vassal_version: str = ""
    name: str = ""
    description: str = ""


def read_metadata(archive: Archive, entry_name: str) -> Metadata | None:
    """The metadata document of that name, or None when the archive has none (a normal case)."""
    entry = archive.find(entry_name)
    if entry is None:
        return None
    root = parse_xml(archive.read(entry), entry_name)

    def first(tag: str) -> str:
        """The untranslated element of that name (before 3.6.11 `lang` may hold the text; kept as read)."""
        found = root.findall(tag)
        plain = next((e for e in found if e.get("lang") is None), None)
        return "" if plain is None else (plain.text or "").strip()

    return Metadata(first("version"), first("VassalVersion"), first("name"), first("description"))


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
