"""Slots and prototypes as pieces, and the gpids of new ones.

A slot has a gpid, and so has a trait that makes a piece (Place Marker, Replace).

Source: build/GpIdChecker.java; vassal-format.md sections 7.3, 9.4, 12.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lxml import etree

from vmod_tools.buildfile import Component
from vmod_tools.components import PROTOTYPES, SLOTS, format_path, path_of
from vmod_tools.edit.addpiece import AddedPiece
from vmod_tools.edit.ids import Gpids
from vmod_tools.edit.pieceedits import levels_of, with_field
from vmod_tools.errors import VmodError
from vmod_tools.pieces import Piece
from vmod_tools.traits import Trait
from vmod_tools.xmlsplice import Edit, SetAttribute, SetText, splice

NEXT_GPID = "nextPieceSlotId"
_MAKERS = ("placemark;", "replace;")


@dataclass(eq=False, slots=True)
class SlotPiece:
    """A slot or prototype with a piece that can be read."""

    component: Component
    added: AddedPiece

    @property
    def piece(self) -> Piece:
        """The piece as it is now."""
        return self.added.piece

    @property
    def label(self) -> str:
        """How the slot is spoken of: its path."""
        return format_path(path_of(self.component))


class SlotGpids:
    """The gpids of a module or extension, and new ones."""

    def __init__(self, root: Component, slots: Iterable[SlotPiece], prefix: str) -> None:
        """`prefix` is an extension's id."""
        own = (gpid for slot in slots for _, gpid in _made_by(slot.piece))
        stated = (c.get("gpid") for c in root.descendants(*SLOTS))
        self._taken = {gpid for gpid in (*stated, *own) if gpid}
        self._source = Gpids(root.get(NEXT_GPID), self._taken, prefix)
        self._before = self._source.next

    @property
    def next(self) -> int | None:
        """What the root's nextPieceSlotId must become; None when it can stay."""
        return self._source.next if self._source.next != self._before else None

    def fresh(self, xml: str, fragment: etree._Element) -> str:
        """The XML of a new element, whose parsed form is `fragment`, with new gpids where they are needed."""
        edits: list[Edit] = []
        for number, element in enumerate(fragment.iter(etree.Element)):
            component = Component(element)
            if component.kind in SLOTS:
                gpid = component.get("gpid")
                if (new := self._free(gpid)) != gpid:
                    edits.append(SetAttribute(number, "gpid", new))
            if component.kind in (*SLOTS, *PROTOTYPES):
                edits += self._of_text(number, component)
        return splice(xml.encode(), edits).decode() if edits else xml

    def of_traits(self, piece: Piece, *, outermost: bool = False) -> Piece:
        """The piece with a new gpid in each trait (or the outermost alone) that lacks one, or shares it."""
        for index, gpid in list(_made_by(piece)):
            if (index == 0 or not outermost) and (new := self._free(gpid)) != gpid:
                piece = with_field(piece, index, "gpid", new)
        return piece

    def _of_text(self, number: int, component: Component) -> Iterator[Edit]:
        try:
            added = AddedPiece.parse(component.text)
        except VmodError:
            return
        piece = self.of_traits(added.piece)
        if piece != added.piece:
            yield SetText(number, added.with_piece(piece).text)

    def _free(self, gpid: str) -> str:
        """The gpid if it is one and free, else a new one; it is taken then."""
        if not gpid or gpid in self._taken:
            gpid = self._source.new()
        self._source.take(gpid)
        self._taken.add(gpid)
        return gpid


def _made_by(piece: Piece) -> Iterator[tuple[int, str]]:
    """The traits of a piece that make pieces, and their gpids."""
    for prefix in _MAKERS:
        for index in levels_of(piece, prefix):
            yield index, Trait.decode(piece.type_chain[index].text)["gpid"]
