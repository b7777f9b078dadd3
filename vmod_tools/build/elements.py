"""Elements of a build file: class names with their packages, attributes in VASSAL's own order.

VASSAL writes attributes alphabetically and does not care about the order on reading; keeping to it
makes a module that was saved in the editor differ as little as possible from ours.
"""

from __future__ import annotations

from lxml import etree

from vmod_tools.errors import MapError

_PACKAGES = {
    "GameModule": "build",
    "BasicCommandEncoder": "build.module",
    "Documentation": "build.module",
    "PlayerRoster": "build.module",
    "GlobalOptions": "build.module",
    "PrototypesContainer": "build.module",
    "PrototypeDefinition": "build.module",
    "PieceWindow": "build.module",
    "Map": "build.module",
    "DiceButton": "build.module",
    "NotesWindow": "build.module",
    "Chatter": "build.module",
    "KeyNamer": "build.module",
    "GlobalKeyCommand": "build.module",
    "GlobalProperties": "build.module.properties",
    "HelpFile": "build.module.documentation",
    "TurnTracker": "build.module.turn",
    "CounterTurnLevel": "build.module.turn",
    "ListTurnLevel": "build.module.turn",
    "TurnGlobalHotkey": "build.module.turn",
    "ListWidget": "build.widget",
    "TabWidget": "build.widget",
    "PieceSlot": "build.widget",
    "BoardPicker": "build.module.map",
    "StackMetrics": "build.module.map",
    "ForwardToKeyBuffer": "build.module.map",
    "Scroller": "build.module.map",
    "ForwardToChatter": "build.module.map",
    "MenuDisplayer": "build.module.map",
    "MapCenterer": "build.module.map",
    "StackExpander": "build.module.map",
    "PieceMover": "build.module.map",
    "KeyBufferer": "build.module.map",
    "ImageSaver": "build.module.map",
    "CounterDetailViewer": "build.module.map",
    "GlobalMap": "build.module.map",
    "Zoomer": "build.module.map",
    "HidePiecesButton": "build.module.map",
    "HighlightLastMoved": "build.module.map",
    "LayeredPieceCollection": "build.module.map",
    "SetupStack": "build.module.map",
    "Board": "build.module.map.boardPicker",
    "HexGrid": "build.module.map.boardPicker.board",
    "ZonedGrid": "build.module.map.boardPicker.board",
    "HexGridNumbering": "build.module.map.boardPicker.board.mapgrid",
    "Zone": "build.module.map.boardPicker.board.mapgrid",
    "ZoneProperty": "build.module.properties",
    "Language": "i18n",
}


def element(
    kind: str, parent: etree._Element | None = None, **attributes: object
) -> etree._Element:
    """A component; a Python boolean is written as VASSAL does, a keyword may end in `_`."""
    made = etree.Element(f"VASSAL.{_PACKAGES[kind]}.{kind}")
    for name in sorted(attributes):
        made.set(name.rstrip("_"), _text(attributes[name]))
    if parent is not None:
        parent.append(made)
    return made


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if not text.isprintable() and any(ord(c) < 32 and c not in "\t\n" for c in text):
        raise MapError("a text holds a control character", code="MAP_TEXT")
    return text


def to_bytes(root: etree._Element) -> bytes:
    """The build file: UTF-8, indented by four, as VASSAL writes it."""
    etree.indent(root, space="    ")
    body = etree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n{body}\n'.encode()
