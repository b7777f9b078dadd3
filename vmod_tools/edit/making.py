"""Pieces made from a module's slots, as a table asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from vmod_tools.boards import MapDefinition, PlacedBoard
from vmod_tools.buildfile import Component
from vmod_tools.components import PROTOTYPES, SLOTS
from vmod_tools.edit.pieceedits import SetProperty, with_gpid
from vmod_tools.edit.setuptable import Row, bad_row
from vmod_tools.errors import BuildFileError, VmodError
from vmod_tools.gridpoints import point_of
from vmod_tools.modules import Module, slot_piece
from vmod_tools.pieces import Piece, Place
from vmod_tools.prototypes import expansion


class PieceMaker:
    """Makes pieces of one module; they have no id yet."""

    def __init__(self, module: Module) -> None:
        self._module = module
        root = module.build.root
        self._slots = list(root.descendants(*SLOTS))
        self._prototypes = dict(_prototypes(root))

    def piece(self, slot: Component) -> Piece:
        """The piece of a slot as VASSAL makes it: prototypes expanded, the slot's gpid in its state.

        Raises BuildFileError where VASSAL would cut the expansion short.
        """
        made = expansion(slot_piece(slot), self._prototypes, keep_missing=False)
        if made.circular or made.too_many:
            raise BuildFileError(
                "its prototypes use each other in a circle, or too often",
                code="PROTOTYPE_CYCLE",
                place=f"line {slot.line}",
                field=slot.name,
            )
        return with_gpid(made.piece("null"), slot.get("gpid"))

    def piece_of(self, row: Row) -> Piece:
        """The piece of a row, with its properties; raises InputFileError with the row's line."""
        piece = self.piece(self._slot(row))
        for name, value in row.properties.items():
            edit = SetProperty(name, value)
            if not edit.is_stated_by(piece):
                raise bad_row(row.line, f"sets {name!r}, which no trait of the piece states")
            piece = edit.apply(piece)
        return piece

    def map_of(self, row: Row) -> MapDefinition:
        """The map of a row; raises InputFileError."""
        definition = self._module.map(row.map)
        if definition is None:
            raise bad_row(row.line, f"names a map that the module lacks: {row.map!r}")
        return definition

    def place(self, row: Row, boards: tuple[PlacedBoard, ...]) -> Place:
        """The place of a row on its map, which has these boards; raises InputFileError."""
        definition = self.map_of(row)
        point = row.point or point_of(definition, boards, row.location)
        if point is None:
            what = f"names a location for which no grid has a point: {row.location!r}; give x and y"
            raise bad_row(row.line, what)
        return Place(definition.identifier, *point)

    def _slot(self, row: Row) -> Component:
        by_gpid = [c for c in self._slots if row.slot and c.get("gpid") == row.slot]
        fitting = by_gpid or [c for c in self._slots if row.slot and c.name == row.slot]
        if len(fitting) != 1:
            what = f"{len(fitting)} slots are called" if fitting else "no slot is called"
            raise bad_row(row.line, f"does not name one slot: {what} {row.slot!r}")
        return fitting[0]


def _prototypes(root: Component) -> Iterator[tuple[str, Piece]]:
    for component in root.descendants(*PROTOTYPES):
        try:
            yield component.name, slot_piece(component)
        except VmodError:
            # One that cannot be read is as good as missing.
            continue
