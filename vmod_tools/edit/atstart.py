"""What a module puts on its maps when a game begins: at-start stacks, decks and their pieces.

A save that says SETUP_STACK must hold them itself.  Pieces that may not stack lie loose at their stack's
point, as in VASSAL; a deck keeps its pieces whatever they are.

Source: build/module/map/SetupStack.java, DrawPile.java, counters/Deck.java; vassal-format.md 6.3, 7.5, 9.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vmod_tools.boards import MapDefinition, PlacedBoard
from vmod_tools.buildfile import Component, int_attribute, vassal_version
from vmod_tools.components import SLOTS
from vmod_tools.errors import BuildFileError
from vmod_tools.gridpoints import grid_point
from vmod_tools.pieces import Place
from vmod_tools.sequence import Sequence
from vmod_tools.traits import DECK

AT_START = ("SetupStack", "DrawPile")

# Deck's own fields, by the attribute of the DrawPile that sets each.
_DECK_ATTRIBUTES: Mapping[str, str] = {
    "draw_outline": "draw",
    "outline_color": "color",
    "face_down_option": "faceDown",
    "shuffle_option": "shuffle",
    "allow_multiple_draw": "allowMultiple",
    "allow_select_draw": "allowSelect",
    "reshuffle_command": "reshuffleCommand",
    "reshuffle_target": "reshuffleTarget",
    "reshuffle_msg_format": "reshuffleMessage",
    "deck_name": "name",
    "shuffle_msg_format": "shuffleFormat",
    "reverse_msg_format": "reverseFormat",
    "face_down_msg_format": "faceDownFormat",
    "draw_face_up": "drawFaceUp",
    "persistable": "canSave",
    "shuffle_key": "shuffleHotkey",
    "reshuffle_key": "reshuffleHotkey",
    "max_stack": "maxStack",
    "count_expressions": "countExpressions",
    "expression_counting": "expressionCounting",
    "hotkey_on_empty": "hotkeyOnEmpty",
    "empty_key": "emptyHotkey",
    "select_display_property": "selectDisplayProperty",
    "select_sort_property": "selectSortProperty",
    "restrict_option": "restrictOption",
    "restrict_expression": "restrictExpression",
    "shuffle_command": "shuffleCommand",
    "reverse_command": "reverseCommand",
    "reverse_key": "reverseHotkey",
    "draw_multiple_message": "drawMultipleMessage",
    "draw_specific_message": "drawSpecificMessage",
    "face_up_message": "faceUpMessage",
    "face_down_message": "faceDownMessage",
    "face_up_key": "faceUpHotkey",
    "face_up_msg_format": "faceUpReportFormat",
    "face_flip_key": "faceFlipHotkey",
    "face_down_key": "faceDownHotkey",
    "save_message": "saveMessage",
    "save_key": "saveHotkey",
    "save_report": "saveReportFormat",
    "load_message": "loadMessage",
    "load_key": "loadHotkey",
    "load_report": "loadReportFormat",
    "restrict_access": "deckRestrictAccess",
    "owners": "deckOwners",
}
_FACE_UP = ("Never", "MenuDefaultUp")


@dataclass(frozen=True, slots=True)
class AtStart:
    """An at-start stack or deck as a game begins; `deck` is a deck's type text, "" for a stack."""

    place: Place
    slots: tuple[Component, ...]
    deck: str = ""
    face_down: bool = False


def at_start(
    component: Component,
    definition: MapDefinition,
    boards: tuple[PlacedBoard, ...],
    version: str,
) -> Iterator[AtStart]:
    """What stands on a map at the start; what belongs to a board that is not in play is left out.

    Raises BuildFileError for a deck with global commands, whose written form is not known here.
    """
    for found in component.children(*AT_START):
        owner = found.element.get("owningBoard")
        board = next((b for b in boards if owner in (None, b.definition.name)), None)
        if board is None and owner is not None:
            continue
        place = _place(found, definition, board)
        slots = tuple(found.children(*SLOTS))
        if found.kind == "SetupStack":
            yield AtStart(place, slots)
            continue
        if next(found.children("DeckGlobalKeyCommand"), None) is not None:
            raise BuildFileError(
                "a deck with global commands cannot be put into a new save",
                code="NEW_SAVE_DECK",
                place=f"line {found.line}",
                field=found.name,
            )
        face_down = found.get("faceDown", "Always") not in _FACE_UP
        yield AtStart(place, slots, _deck_type(found, version), face_down)


def _place(found: Component, definition: MapDefinition, board: PlacedBoard | None) -> Place:
    x, y = int_attribute(found, "x"), int_attribute(found, "y")
    if board is None:
        return Place(definition.identifier, x, y)
    if found.get("useGridLocation") == "true" and board.definition.grid is not None:
        x, y = grid_point(board.definition.grid, found.get("location")) or (x, y)
    return Place(definition.identifier, board.x + x, board.y + y)


def _deck_type(pile: Component, version: str) -> str:
    """The type of the deck that a DrawPile makes, with the fields that its VASSAL version writes."""
    numbers = vassal_version(version)
    tokens = []
    for field in DECK.fields:
        if field.since and numbers and numbers < vassal_version(field.since):
            break
        attribute = _DECK_ATTRIBUTES.get(field.name, field.name)
        tokens.append(pile.get(attribute, field.default or ""))
    names = [field.name for field in DECK.fields]
    if pile.get("reshufflable") != "true":
        tokens[names.index("reshuffle_command")] = ""
    return DECK.prefix + Sequence.of(tokens, DECK.delimiter).encode()
