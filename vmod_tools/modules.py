"""A module as the readers of its saves and logs need it: maps, boards, grids, slots, players, turns.

Everything is read from the build file once, when it is first asked for; board sizes come from image
headers, never from decoded pictures.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import imagesize

from vmod_tools.archive import Archive
from vmod_tools.boards import BoardDefinition, DeckDefinition, MapDefinition
from vmod_tools.buildfile import (
    MODULE_DATA,
    BuildFile,
    Component,
    Metadata,
    int_attribute,
    read_metadata,
)
from vmod_tools.commands.kinds import parse_command
from vmod_tools.errors import ArchiveError, BuildFileError, VmodError
from vmod_tools.grids import Grid, HexGrid, Numbering, UnreadGrid, Zone, ZonedGrid
from vmod_tools.pieces import Piece
from vmod_tools.turns import TurnTracker, read_levels

_GRIDS = ("HexGrid", "SquareGrid", "RegionGrid", "ZonedGrid", "ObliqueHexGrid")


@dataclass(frozen=True, slots=True)
class AtStartStack:
    """A SetupStack: board pixels, and the pieces that it puts there."""

    name: str
    board: str
    x: int
    y: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Module:
    """A module that was read."""

    archive: Archive = field(repr=False)
    build: BuildFile = field(repr=False)
    name: str
    version: str
    vassal_version: str

    @classmethod
    def read(cls, archive: Archive) -> Self:
        """The module in `archive`; raises BuildFileError when it holds none or an extension."""
        build = BuildFile.read(archive)
        if build is None:
            raise ArchiveError(
                "the archive holds no module: it has no buildFile", code="NOT_A_MODULE"
            )
        if build.is_extension:
            raise BuildFileError("this is an extension, not a module", code="NOT_A_MODULE")
        data = read_metadata(archive, MODULE_DATA)
        root = build.root
        return cls(
            archive=archive,
            build=build,
            name=(data.name if data else "") or root.get("name"),
            version=(data.version if data else "") or root.get("version"),
            vassal_version=(data.vassal_version if data else "") or root.get("VassalVersion"),
        )

    @cached_property
    def maps(self) -> tuple[MapDefinition, ...]:
        """The map windows in build order; private maps and hands are maps too."""
        components = self.build.root.descendants("Map", "PrivateMap", "PlayerHand")
        return tuple(self._map(c, number) for number, c in enumerate(components))

    def map(self, identifier: str) -> MapDefinition | None:
        """The map that saves call so, or None; of two with one name the first, as in VASSAL."""
        return next((m for m in self.maps if m.identifier == identifier), None)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides that players can take."""
        return tuple(
            entry.text
            for roster in self.build.root.children("PlayerRoster")
            for entry in roster.children("entry")
        )

    @cached_property
    def turn_trackers(self) -> tuple[TurnTracker, ...]:
        """The turn trackers, numbered in build order."""
        return tuple(
            TurnTracker(f"TurnTracker{number}", c.name, read_levels(c))
            for number, c in enumerate(self.build.root.descendants("TurnTracker"))
        )

    @cached_property
    def dice_buttons(self) -> tuple[str, ...]:
        """The names of the dice buttons."""
        return tuple(c.name for c in self.build.root.descendants("DiceButton"))

    @cached_property
    def slots(self) -> Mapping[str, Piece]:
        """The piece of each slot by gpid; slots without a gpid (before 3.2) are left out."""
        found = {}
        for component in self.build.root.descendants("PieceSlot", "CardSlot"):
            if component.get("gpid"):
                found[component.get("gpid")] = slot_piece(component)
        return found

    @cached_property
    def prototypes(self) -> Mapping[str, Piece]:
        """The prototypes by name; of two with one name the last, as in VASSAL.

        One that cannot be read is as good as missing.
        """
        found = {}
        for component in self.build.root.descendants("PrototypeDefinition"):
            with suppress(VmodError):
                found[component.name] = slot_piece(component)
        return found

    def at_start_stacks(self, map_component: Component) -> tuple[AtStartStack, ...]:
        """The SetupStacks of a map window."""
        return tuple(
            AtStartStack(
                name=c.name,
                board=c.get("owningBoard"),
                x=int_attribute(c, "x"),
                y=int_attribute(c, "y"),
                pieces=tuple(slot_piece(s) for s in c.children("PieceSlot", "CardSlot")),
            )
            for c in map_component.children("SetupStack")
        )

    def _map(self, component: Component, number: int) -> MapDefinition:
        pickers = list(component.children("BoardPicker"))
        boards = [self._board(b) for picker in pickers for b in picker.children("Board")]
        return MapDefinition(
            identifier=component.name or f"Map{number}",
            edge_width=int_attribute(component, "edgeWidth"),
            edge_height=int_attribute(component, "edgeHeight"),
            boards=tuple(boards),
            decks=tuple(
                DeckDefinition(
                    c.name, c.get("owningBoard"), int_attribute(c, "x"), int_attribute(c, "y")
                )
                for c in component.children("DrawPile")
            ),
        )

    def _board(self, component: Component) -> BoardDefinition:
        image = component.get("image")
        width, height = self._image_size(image) if image else (0, 0)
        if not image:
            width, height = (
                int_attribute(component, "width", 500),
                int_attribute(component, "height", 500),
            )
        grid = next((_grid(c, width, height) for c in component.children(*_GRIDS)), None)
        return BoardDefinition(component.name, width, height, grid, image)

    def _image_size(self, image: str) -> tuple[int, int]:
        entry = self.archive.find(f"images/{image}")
        if entry is None:
            return 0, 0
        try:
            # VASSAL does not turn photographs the right way up.
            image_file = io.BytesIO(self.archive.read(entry))
            width, height = imagesize.get(image_file, exif_rotation=False)
        except VmodError:
            return 0, 0
        return max(int(width), 0), max(int(height), 0)


def check_same_module(module: Module, stated: Metadata | None) -> None:
    """Raises BuildFileError when a save names another module; one that names none passes."""
    if stated is not None and stated.name and stated.name != module.name:
        raise BuildFileError(
            f"the log was played with the module {stated.name!r}, not with {module.name!r}",
            code="MODULE_MISMATCH",
        )


def slot_piece(component: Component) -> Piece:
    """The piece that a PieceSlot, CardSlot or PrototypeDefinition holds; raises CommandError."""
    try:
        command = parse_command(component.text)
        return Piece.decode(command["id"], command["type"], command["state"])
    except (VmodError, KeyError) as error:
        raise BuildFileError(
            "the slot holds no piece",
            code="BUILDFILE_SLOT",
            place=f"line {component.line}",
            field=component.name,
        ) from error


def _grid(component: Component, width: int, height: int) -> Grid:
    if component.kind == "HexGrid":
        numbers = next(component.children("HexGridNumbering"), None)
        numbering = None
        if numbers is not None:
            numbering = Numbering.from_attributes(numbers.attributes, width, height)
        return HexGrid.from_attributes(component.attributes, numbering)
    if component.kind == "ZonedGrid":
        background = next((_grid(c, width, height) for c in component.children(*_GRIDS)), None)
        zones = tuple(_zone(c) for c in component.children("Zone"))
        return ZonedGrid(zones, background)
    return UnreadGrid(component.kind)


def _zone(component: Component) -> Zone:
    path = _path(component)
    xs, ys = [x for x, _ in path] or [0], [y for _, y in path] or [0]
    # A grid inside a zone counts its rows over the box around the zone's path.
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    return Zone(
        name=component.name,
        path=path,
        location_format=component.get("locationFormat", "$name$"),
        grid=next((_grid(c, width, height) for c in component.children(*_GRIDS)), None),
        use_parent_grid=component.get("useParentGrid") == "true",
    )


def _path(component: Component) -> tuple[tuple[int, int], ...]:
    points = []
    for text in component.get("path").split(";"):
        x, _, y = text.partition(",")
        if text.strip():
            try:
                points.append((int(x), int(y)))
            except ValueError:
                raise BuildFileError(
                    f"{text[:20]!r} is not a point",
                    code="BUILDFILE_ATTRIBUTE",
                    place=f"line {component.line}",
                    field="path",
                ) from None
    return tuple(points)
