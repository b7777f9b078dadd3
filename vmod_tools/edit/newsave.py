"""A new save of a module from a table of pieces: boards, at-start stacks and decks, pieces; no players.

Commands stand in the order of VASSAL's own saves, members before their stacks.  Ids count on from the time
at which the module was saved, so that the same input gives the same bytes.

Source: vassal-format.md sections 5.2, 6.3, 7 and 14 ("write a save").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape

from vmod_tools.archive import Archive, new_archive
from vmod_tools.boards import MapDefinition, PlacedBoard, place_boards
from vmod_tools.buildfile import MODULE_DATA, SAVE_DATA, Component, read_metadata, vassal_version
from vmod_tools.commands.kinds import BEGIN_SAVE, END_SAVE, GLOBAL_PROPERTY, SETUP_STACK, TAB
from vmod_tools.commands.tree import ESC
from vmod_tools.edit.addpiece import AddedPiece, may_stack, with_members
from vmod_tools.edit.atstart import AT_START, AtStart, at_start
from vmod_tools.edit.ids import PieceIds
from vmod_tools.edit.making import PieceMaker
from vmod_tools.edit.pieceedits import with_place
from vmod_tools.edit.setuptable import Row
from vmod_tools.envelope import Envelope, encode
from vmod_tools.errors import BuildFileError, VmodError
from vmod_tools.modules import Module
from vmod_tools.pieces import Piece, Place, chain_of
from vmod_tools.saves import SAVED_GAME
from vmod_tools.sequence import Sequence
from vmod_tools.traits import STACK

_TIME = 1_700_000_000_000
"""For modules that do not say when they were saved."""
_LAYERS_SINCE = (3, 4, 8)
_HIDDEN = Envelope("VCSK", 0x5A, "lower")


@dataclass
class _Spot:
    """What stands at one point, bottom to top; `holder` is the deck there, if one is."""

    members: list[Piece] = field(default_factory=list)
    loose: list[Piece] = field(default_factory=list)
    deck: AtStart | None = None


def new_save(
    module: Module, rows: Iterable[Row], boards: Mapping[str, tuple[str, ...]] | None = None
) -> Archive:
    """The save; `boards` names, by map, boards to be laid side by side instead of the module's choice.

    Raises InputFileError with the line of a row that cannot be placed.
    """
    return _Builder(module, boards or {}).build(rows)


class _Builder:
    def __init__(self, module: Module, boards: Mapping[str, tuple[str, ...]]) -> None:
        self._module, self._wanted = module, boards
        root = module.build.root
        self._maps = list(
            zip(module.maps, root.descendants("Map", "PrivateMap", "PlayerHand"), strict=True)
        )
        self._maker = PieceMaker(module)
        stated = read_metadata(module.archive, MODULE_DATA)
        self._time = _milliseconds(stated.date_saved if stated else "") or _TIME
        self._ids = PieceIds((), self._time)
        # The visual layer of a stack, "not set yet".
        written = vassal_version(module.vassal_version) >= _LAYERS_SINCE
        self._layer = ("@@-1",) if written else ()
        self._spots: dict[Place, _Spot] = {}
        self._boards: dict[str, tuple[PlacedBoard, ...]] = {}

    def build(self, rows: Iterable[Row]) -> Archive:
        pickers = [self._picker(definition, c) for definition, c in self._maps]
        has_start = False
        for definition, component in self._maps:
            has_start = has_start or any(True for _ in component.children(*AT_START))
            placed = self._boards[definition.identifier]
            for found in at_start(component, definition, placed, self._module.vassal_version):
                self._put_at_start(found)
        for row in rows:
            try:
                self._put_row(row)
            except VmodError as error:
                raise error.located(place=f"line {row.line}") from None
        pieces = [AddedPiece.of(piece).text for piece in self._pieces()]
        commands = [
            BEGIN_SAVE.prefix,
            "",
            *([Sequence.of(["", *pieces], ESC).encode()] if pieces else []),
            *pickers,
            *([SETUP_STACK.prefix] if has_start else []),
            *self._global_properties(),
            END_SAVE.prefix,
        ]
        text = Sequence.of(commands, ESC).encode()
        return self._archive(encode(_HIDDEN, text.encode("utf-8", "surrogateescape")))

    def _archive(self, saved_game: bytes) -> Archive:
        version, vassal = self._module.version, self._module.vassal_version
        saved = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<data version="1">\n'
            f"  <version>{escape(version)}</version>\n  <extra1/>\n  <extra2/>\n"
            f"  <VassalVersion>{escape(vassal)}</VassalVersion>\n"
            f"  <dateSaved>{self._time}</dateSaved>\n</data>\n"
        )
        members = {SAVED_GAME: saved_game, SAVE_DATA: saved.encode()}
        entry = self._module.archive.find(MODULE_DATA)
        if entry is not None:
            members[MODULE_DATA] = self._module.archive.read(entry)
        return new_archive(members)

    # Boards and properties

    def _picker(self, definition: MapDefinition, component: Component) -> str:
        """The map's BoardPicker command; the boards that it chooses are placed."""
        wanted = self._wanted.get(definition.identifier)
        chosen: tuple[str, ...] = ()
        if wanted is not None:
            unknown = next((name for name in wanted if definition.board(name) is None), None)
            if unknown is not None:
                raise BuildFileError(
                    f"the map has no board {unknown!r}",
                    code="NO_BOARD",
                    field=definition.identifier,
                )
            for column, name in enumerate(wanted):
                chosen += (Sequence.of((name,), "/").encode(), str(column), "0")
        else:
            setups = (s for p in component.children("BoardPicker") for s in p.children("setup"))
            setup = next(setups, None)
            if setup is not None:
                chosen = Sequence.decode(setup.text, TAB).tokens[1:]
            elif len(definition.boards) == 1:
                chosen = (Sequence.of((definition.boards[0].name,), "/").encode(), "0", "0")
        self._boards[definition.identifier] = place_boards(definition, chosen)
        return Sequence.of((f"{definition.identifier}BoardPicker", *chosen), TAB).encode()

    def _global_properties(self) -> Iterator[str]:
        for container, found in self._properties():
            if found.name:
                fields = (found.name, found.get("initialValue"), container)
                yield GLOBAL_PROPERTY.prefix + Sequence.of(fields, ";").encode()

    def _properties(self) -> Iterator[tuple[str, Component]]:
        for group in self._module.build.root.children("GlobalProperties"):
            yield from (("Module", c) for c in group.children("GlobalProperty"))
        for definition, component in self._maps:
            name = definition.identifier
            for group in component.children("GlobalProperties"):
                yield from ((name, c) for c in group.children("GlobalProperty"))
            for zone in component.descendants("Zone"):
                yield from ((f"{name}:{zone.name}", c) for c in zone.children("ZoneProperty"))

    # Pieces

    def _put_at_start(self, found: AtStart) -> None:
        spot = self._spots.setdefault(found.place, _Spot())
        spot.deck = found if found.deck else spot.deck
        for slot in found.slots:
            piece = self._named(self._maker.piece(slot), found.place)
            stands = bool(found.deck) or may_stack(piece)
            (spot.members if stands else spot.loose).append(piece)

    def _put_row(self, row: Row) -> None:
        definition = self._maker.map_of(row)
        place = self._maker.place(row, self._boards[definition.identifier])
        piece = self._named(self._maker.piece_of(row), place)
        spot = self._spots.setdefault(place, _Spot())
        stands = spot.deck is not None or may_stack(piece)
        (spot.members if stands else spot.loose).append(piece)

    def _named(self, piece: Piece, place: Place) -> Piece:
        return with_place(replace(piece, id=self._ids.new()), place)

    def _pieces(self) -> Iterator[Piece]:
        """All pieces, each before the stack or deck that holds it."""
        for place, spot in self._spots.items():
            yield from spot.loose
            yield from spot.members
            members = tuple(piece.id for piece in spot.members)
            if spot.deck is not None:
                face_down = "true" if spot.deck.face_down else "false"
                yield self._holder(spot.deck.deck, place, members, (face_down,))
            elif members:
                yield self._holder(STACK.prefix, place, members, self._layer)

    def _holder(
        self, type_text: str, place: Place, members: tuple[str, ...], more: tuple[str, ...]
    ) -> Piece:
        state = Sequence.of((place.map or "", str(place.x), str(place.y), *more), ";").encode()
        holder = Piece.decode(self._ids.new(), chain_of((type_text,)), chain_of((state,)))
        return with_members(holder, members)


def _milliseconds(text: str) -> int | None:
    """A time in milliseconds, or None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
