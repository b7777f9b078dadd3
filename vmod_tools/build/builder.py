"""Puts a module together from its map set: build file, metadata, pictures, help, and the document itself.

Everything is deterministic: the same folder gives the same bytes.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from lxml import etree

from vmod_tools.archive import new_archive
from vmod_tools.build.counters import (
    NEXT_STEP_KEY,
    UNIT_PROTOTYPE,
    marker_piece,
    named_key,
    unit_piece,
    unit_prototype,
)
from vmod_tools.build.elements import element, to_bytes
from vmod_tools.build.mapwindow import board_image, map_window
from vmod_tools.build.settings import Settings, UnitRow, read_settings, read_units
from vmod_tools.draw.board import board_svg
from vmod_tools.draw.counters import UNIT_SIZE, marker_svg, site_svg, unit_counter_svg
from vmod_tools.errors import InputFileError, MapError
from vmod_tools.mapdoc.model import MapDocument
from vmod_tools.mapdoc.reading import read_document
from vmod_tools.sequence import Sequence

MAP_FILE, UNITS_FILE, SETTINGS_FILE = "map.xml", "units.csv", "module.toml"
EMBEDDED_MAP = "arbiter/map.xml"
"""VASSAL's editor keeps members that it does not know."""

_TURN_HOTKEY = "NextPhase"
_STEP_HOTKEY = "StepBegins"
_MOVED = b"""<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" viewBox="0 0 12 12"><path d="M1 6h7M6 2l5 4-5 4z" fill="#d22" stroke="#fff" stroke-width="1"/></svg>
"""


@dataclass(frozen=True, slots=True)
class MapSet:
    """A map set's folder that was read; `help_pages` by file name."""

    document: MapDocument
    settings: Settings
    units: tuple[UnitRow, ...]
    help_pages: Mapping[str, bytes]


def read_map_set(folder: Path) -> MapSet:
    """The map set in a folder; raises VmodError with file and line."""
    settings = _located(folder / SETTINGS_FILE, read_settings)
    document = _located(folder / MAP_FILE, lambda data: read_document(data, MAP_FILE))
    units = _located(folder / UNITS_FILE, lambda data: read_units(data, settings))
    pages = {page.file: _located(folder / page.file, bytes) for page in settings.help_pages}
    return MapSet(document, settings, units, pages)


_T = TypeVar("_T")


def _located(path: Path, read: Callable[[bytes], _T]) -> _T:
    try:
        return read(path.read_bytes())
    except FileNotFoundError:
        raise InputFileError("no such file", code="FILE_MISSING", file=str(path)) from None
    except OSError as error:
        raise InputFileError(
            f"cannot be read: {error.strerror}", code="FILE_READ", file=str(path)
        ) from error
    except MapError as error:
        error.file = str(path)
        raise


def build_module(map_set: MapSet) -> bytes:
    """The module as a `.vmod`; raises MapError when the map set contradicts itself."""
    document, settings = map_set.document, map_set.settings
    gpids = _gpids(map_set)
    members = {
        "buildFile.xml": to_bytes(_build_file(map_set, gpids)),
        "moduledata": _metadata(settings),
        EMBEDDED_MAP: document.source or b"",
        **{f"help/{name}": page for name, page in map_set.help_pages.items()},
        "images/moved.svg": _MOVED,
    }
    for hex_map in document.maps:
        members[f"images/{board_image(hex_map)}"] = board_svg(hex_map)
    colours = {side.name: side.colours for side in settings.sides}
    for unit in map_set.units:
        members[f"images/unit-{unit.id}.svg"] = unit_counter_svg(
            unit.unit_class, colours[unit.side], unit.strength, unit.size, unit.short
        )
    for marker in settings.markers:
        members[f"images/marker-{marker.name}.svg"] = marker_svg(marker.text, marker.colours)
    for kind in sorted({site_kind for site_kind, _ in _sites(document)}):
        members[f"images/site-{kind}.svg"] = site_svg(kind)
    return new_archive(members).to_bytes()


def _sites(document: MapDocument) -> Iterator[tuple[str, str]]:
    """Kind and id of every site."""
    for hex_map in document.maps:
        for place in hex_map.hexes.values():
            yield from ((site.kind, site.id) for site in place.sites)


def _gpids(map_set: MapSet) -> dict[str, str]:
    """A gpid for every slot: units, markers (slot and Place Marker trait), sites; counted from 1."""
    keys = [f"unit:{unit.id}" for unit in map_set.units]
    for marker in map_set.settings.markers:
        keys += [f"marker:{marker.name}", f"place:{marker.name}"]
    keys += [f"site:{site_id}" for _, site_id in _sites(map_set.document)]
    return {key: str(number) for number, key in enumerate(keys, 1)}


def _build_file(map_set: MapSet, gpids: Mapping[str, str]) -> etree._Element:
    settings, document = map_set.settings, map_set.document
    root = element(
        "GameModule",
        ModuleOther1="",
        ModuleOther2="",
        VassalVersion=settings.vassal,
        description=settings.description,
        name=settings.name,
        nextPieceSlotId=len(gpids) + 1,
        version=settings.version,
    )
    element("BasicCommandEncoder", root)
    documentation = element("Documentation", root)
    for page in settings.help_pages:
        element(
            "HelpFile",
            documentation,
            fileName=f"help/{page.file}",
            fileType="archive",
            title=page.title,
        )
    roster = element(
        "PlayerRoster",
        root,
        buttonKeyStroke="",
        buttonText="Retire",
        buttonToolTip="Switch sides, or release your side",
    )
    for side in settings.sides:
        etree.SubElement(roster, "entry").text = side.name
    element(
        "GlobalOptions",
        root,
        autoReport="Always",
        centerOnMove="Use Preferences Setting",
        chatterHTMLSupport="Never",
        hotKeysOnClosedWindows="Never",
        inventoryForAll="Always",
        nonOwnerUnmaskable="Never",
        playerIdFormat="$PlayerName$",
        promptString="Opponents can unmask pieces",
        sendToLocationMoveTrails="Never",
        storeLeadingZeroIntegersAsStrings=True,
    )
    element("GlobalProperties", root)
    sites = tuple(site_id for _, site_id in _sites(document))
    places = {marker.name: gpids[f"place:{marker.name}"] for marker in settings.markers}
    prototype = element(
        "PrototypeDefinition",
        element("PrototypesContainer", root),
        description="",
        name=UNIT_PROTOTYPE,
    )
    prototype.text = unit_prototype(settings, sites, places)
    _turn_tracker(settings, root)
    _palette(map_set, gpids, root)
    site_gpids = {site_id: gpids[f"site:{site_id}"] for site_id in sites}
    for hex_map in document.maps:
        map_window(hex_map, site_gpids, root)
    element(
        "GlobalKeyCommand",
        root,
        buttonHotkey=named_key(_STEP_HOTKEY),
        buttonText="",
        canDisable=False,
        deckCount="-1",
        filter="",
        hotkey=named_key(NEXT_STEP_KEY),
        icon="",
        name="A new action step begins",
        propertyGate="",
        reportFormat="",
        reportSingle=True,
        singleMap=True,
        target="MODULE|false|MAP|||||0|0||false|||EQUALS",
        tooltip="",
    )
    for dice in settings.dice:
        element(
            "DiceButton",
            root,
            addToTotal=0,
            canDisable=False,
            hotkey="68,650",
            icon="/images/die.gif",
            keepCount=1,
            keepDice=False,
            keepOption=">",
            lockAdd=False,
            lockDice=False,
            lockPlus=False,
            lockSides=False,
            nDice=dice.count,
            nSides=dice.sides,
            name=dice.name,
            plus=0,
            prompt=False,
            reportFormat="** $name$ = $result$ *** &lt;$PlayerName$&gt;",
            reportTotal=False,
            sortDice=False,
            text=dice.name,
            tooltip="",
        )
    element(
        "NotesWindow",
        root,
        buttonText="Notes",
        hotkey="",
        icon="/images/notes.gif",
        tooltip="Notes",
    )
    for kind in ("Language", "Chatter", "KeyNamer"):
        element(kind, root)
    return root


def _turn_tracker(settings: Settings, root: etree._Element) -> None:
    levels = " ".join(f"$level{n}$" for n in range(1, len(settings.levels) + 1))
    tracker = element(
        "TurnTracker",
        root,
        buttonText="Turn",
        fwdOnly=False,
        hotkey="",
        icon="",
        length=-1,
        lengthStyle="Maximum",
        name="Turn",
        nexthotkey=named_key(_TURN_HOTKEY),
        prevhotkey="",
        reportFormat="turn: $oldTurn$ → $newTurn$",
        tooltip="",
        turnFormat=levels,
    )
    parent = tracker
    for level in settings.levels:
        if level.values:
            parent = element(
                "ListTurnLevel",
                parent,
                configFirst=False,
                configList=False,
                list=Sequence.of(level.values, ",").encode(),
                name=level.name,
                property=level.property,
                prompt="",
                turnFormat="$value$",
            )
        else:
            parent = element(
                "CounterTurnLevel",
                parent,
                incr=1,
                loop=False,
                loopLimit=-1,
                name=level.name,
                property=level.property,
                start=1,
                turnFormat="$value$",
            )
    element(
        "TurnGlobalHotkey",
        tracker,
        hotkey=named_key(_STEP_HOTKEY),
        match="",
        name="A new action step begins",
        reportFormat="",
    )


def _palette(map_set: MapSet, gpids: Mapping[str, str], root: etree._Element) -> None:
    window = element(
        "PieceWindow",
        root,
        defaultWidth=0,
        hidden=False,
        hotkey="",
        icon="/images/counter.gif",
        name="Units",
        scale=1.0,
        text="",
        tooltip="Units",
    )
    tabs = element("TabWidget", window, entryName="Units")
    for side in map_set.settings.sides:
        pieces = element(
            "ListWidget", tabs, divider=150, entryName=side.name, height=300, scale=1.0, width=300
        )
        for unit in map_set.units:
            if unit.side == side.name:
                gpid = gpids[f"unit:{unit.id}"]
                slot = element(
                    "PieceSlot",
                    pieces,
                    entryName=unit.name,
                    gpid=gpid,
                    height=UNIT_SIZE,
                    width=UNIT_SIZE,
                )
                slot.text = unit_piece(unit, map_set.settings, gpid)
    marks = element(
        "ListWidget", tabs, divider=150, entryName="Markers", height=300, scale=1.0, width=300
    )
    for marker in map_set.settings.markers:
        gpid = gpids[f"marker:{marker.name}"]
        slot = element(
            "PieceSlot", marks, entryName=marker.name, gpid=gpid, height=UNIT_SIZE, width=UNIT_SIZE
        )
        slot.text = marker_piece(marker, gpid)


def _metadata(settings: Settings) -> bytes:
    """The moduledata document; its date is the settings', so that building twice gives the same bytes."""
    saved = datetime.datetime.combine(settings.date, datetime.time(), datetime.UTC)
    root = etree.Element("data", version="1")
    for name, text in (
        ("version", settings.version),
        ("extra1", ""),
        ("extra2", ""),
        ("VassalVersion", settings.vassal),
        ("dateSaved", str(int(saved.timestamp() * 1000))),
        ("description", settings.description),
        ("name", settings.name),
    ):
        etree.SubElement(root, name).text = text
    return to_bytes(root)
