"""Editing a module or an extension: elements of its build file, and the pieces in its slots and prototypes.

An untouched element keeps its bytes (see `vmod_tools.xmlsplice`).  A new slot gets a gpid by VASSAL's rules
and moves the root's nextPieceSlotId; nothing else follows from an edit.  Siblings are never reordered.

Source: vassal-format.md sections 9 and 12.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml import etree

from vmod_tools.archive import Archive
from vmod_tools.attributes import component_kind, malformed
from vmod_tools.buildfile import BuildFile, Component, parse_xml
from vmod_tools.components import PROTOTYPES, SLOTS, find, format_path, parse_path, path_of
from vmod_tools.edit.addpiece import AddedPiece
from vmod_tools.edit.changes import Change, piece_changes
from vmod_tools.edit.pieceedits import AddTrait, PieceEdit, Rename
from vmod_tools.edit.selectors import PROTOTYPE_DEFINITION, SLOT, Selector, Subject
from vmod_tools.edit.slots import NEXT_GPID, SlotGpids, SlotPiece
from vmod_tools.errors import ArchiveError, BuildFileError, VmodError
from vmod_tools.extensions import WRAPPER
from vmod_tools.pieces import Piece, stated_properties
from vmod_tools.xmlsplice import Edit, Insert, Remove, SetAttribute, SetText, splice
from vmod_tools.xmltext import escape_attribute

_EXTENSION_ELEMENT = "VASSAL.build.module.ExtensionElement"


class ModuleEditor:
    """A module or extension that is being edited; `finish` gives the archive."""

    def __init__(self, archive: Archive) -> None:
        """Raises a VmodError when there is no build file that can be read."""
        build = BuildFile.read(archive)
        if build is None:
            raise ArchiveError("the archive holds no buildFile", code="NOT_A_MODULE")
        entry = archive.find(build.entry)
        assert entry is not None  # noqa: S101  # it was just read
        self._archive, self.build, self.root = archive, build, build.root
        self._data = archive.read(entry)
        self._encoding = self.root.element.getroottree().docinfo.encoding or "UTF-8"
        elements = self.root.element.iter(etree.Element)
        self._numbers = {element: number for number, element in enumerate(elements)}
        self._edits: list[Edit] = []
        self._written: dict[int, SlotPiece] = {}
        self._slots = {s.component.element: s for s in self._read_slots()}
        prefix = self.root.get("extensionId") if build.is_extension else ""
        self._gpids = SlotGpids(self.root, self._slots.values(), prefix)
        self.changes: list[Change] = []

    def _read_slots(self) -> Iterator[SlotPiece]:
        for component in self.root.descendants(*SLOTS, *PROTOTYPES):
            try:
                yield SlotPiece(component, AddedPiece.parse(component.text))
            except VmodError:
                # Prototypes without traits and damaged slots stay as they are.
                continue

    # Elements

    def component(self, path: str) -> Component:
        """The component of a path; raises BuildFileError where none or several fit."""
        return find(self.root, parse_path(path))

    def set_attribute(self, component: Component, name: str, value: str | None) -> bool:
        """Sets an attribute, or takes it away (None); whether that changed anything.

        Raises BuildFileError for a value that VASSAL could not read as the attribute's type.
        """
        known = component_kind(component.kind).attributes.get(name)
        if known is not None and value is not None and malformed(known, value):
            raise BuildFileError(
                f"{value[:40]!r} is no value for it",
                code="BUILDFILE_ATTRIBUTE",
                place=_said(component),
                field=name,
            )
        before = component.element.get(name)
        if before == value:
            return False
        self._edits.append(SetAttribute(self._numbers[component.element], name, value))
        self.changes.append(Change(_said(component), name, str(before or ""), value or ""))
        return True

    def set_text(self, component: Component, text: str) -> bool:
        """Replaces an element's text; white space around it stays.  Whether that changed anything."""
        if component.text == text.strip():
            return False
        self._edits.append(SetText(self._numbers[component.element], text))
        self.changes.append(Change(_said(component), "text", component.text, text))
        return True

    def insert(self, parent: Component, xml: str, at: int | None = None) -> None:
        """Puts an element into another, before its child number `at` or behind the last.

        Slots in it get a gpid of their own where they have none, or one that is taken.  Raises
        BuildFileError when `xml` is no element, or a wrapper would hold two.
        """
        fragment = parse_xml(xml.encode(), "the new element")
        if parent.kind == WRAPPER and len(parent.element):
            raise BuildFileError(
                "a wrapper holds one element", code="EXTENSION_WRAPPER", place=_said(parent)
            )
        if parent.element is self.root.element and self.build.is_extension:
            _check_wrapper(fragment)
        xml = self._gpids.fresh(xml, fragment)
        self._edits.append(Insert(self._numbers[parent.element], xml, at))
        new = Component(fragment)
        label = f"{new.kind} {new.name}".strip()
        self.changes.append(Change(_said(parent), "element", "", label))

    def add_to_extension(self, target: str, xml: str) -> None:
        """Puts an element into an extension; `target` is VASSAL's path of the module's component."""
        value = escape_attribute(target, '"')
        self.insert(
            self.root, f'<{_EXTENSION_ELEMENT} target="{value}">{xml}</{_EXTENSION_ELEMENT}>'
        )

    def remove(self, component: Component) -> None:
        """Takes an element out, with all that it holds; the root cannot go."""
        if component.element is self.root.element:
            raise BuildFileError("the root cannot be removed", code="BUILDFILE_ROOT")
        self._edits.append(Remove(self._numbers[component.element]))
        self.changes.append(Change(_said(component), "element", component.name, "(removed)"))

    # Pieces

    def select(self, selector: Selector) -> tuple[SlotPiece, ...]:
        """The slots and prototypes that fit, in document order."""
        return tuple(s for s in self._slots.values() if selector.matches(_subject(s)))

    def edit(self, slots: Iterable[SlotPiece], edit: PieceEdit) -> int:
        """Makes an edit to the pieces of the slots; the number of those that it changed.

        A slot that is called like its piece is renamed with it; prototypes are not renamed, for they are
        used by name.
        """
        changed = 0
        for slot in slots:
            before = slot.piece
            if isinstance(edit, Rename) and slot.component.kind in PROTOTYPES:
                continue
            try:
                after = edit.apply(before)
                if isinstance(edit, AddTrait):
                    after = self._gpids.of_traits(after, outermost=True)
            except VmodError as error:
                raise error.located(place=_said(slot.component)) from None
            if after == before:
                continue
            slot.added = slot.added.with_piece(after)
            self._written[self._numbers[slot.component.element]] = slot
            self.changes += piece_changes(_said(slot.component), before, after)
            changed += 1
            if isinstance(edit, Rename) and slot.component.name == _name(before):
                self.set_attribute(slot.component, "entryName", edit.name)
        return changed

    # Writing

    def finish(self) -> Archive:
        """The archive with the edited build file; the same archive when nothing changed."""
        edits = list(self._edits)
        for number, slot in self._written.items():
            edits.append(SetText(number, slot.added.text))
        if self._gpids.next is not None:
            edits.append(SetAttribute(0, NEXT_GPID, str(self._gpids.next)))
        if not edits:
            return self._archive
        data = splice(self._data, edits, self._encoding)
        parse_xml(data, self.build.entry)
        return self._archive.with_entry(self.build.entry, data)


def _check_wrapper(fragment: etree._Element) -> None:
    wrapper = Component(fragment)
    if wrapper.kind == WRAPPER and len(list(wrapper.children())) != 1:
        raise BuildFileError("a wrapper holds one element", code="EXTENSION_WRAPPER")


def _subject(slot: SlotPiece) -> Subject:
    component = slot.component
    kind = SLOT if component.kind in SLOTS else PROTOTYPE_DEFINITION
    name = component.name or _name(slot.piece)
    return Subject(slot.piece, "", name, kind, gpid=component.get("gpid"))


def _name(piece: Piece) -> str:
    return stated_properties(piece).get("BasicName", "")


def _said(component: Component) -> str:
    return format_path(path_of(component)) or component.kind
