"""The map window of a module: its board, a zone with grid and numbering for each sheet, site counters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lxml import etree

from vmod_tools.build.counters import (
    AFTER_MOVE_KEY,
    SITE_LAYER,
    UNIT_LAYER,
    named_key,
    site_piece,
    site_title,
)
from vmod_tools.build.elements import element
from vmod_tools.draw.counters import SITE_SIZE
from vmod_tools.mapdoc.geometry import Layout, layout, outline, pixel, sheet_of
from vmod_tools.mapdoc.model import Cell, HexMap, Sheet, Site

BOARD_IMAGE = "board-{map}.svg"
SHEET_PROPERTY = "Sheet"
"""Zone property that keeps what a sheet's numbering alone does not tell: its extent and its place."""


def map_name(map: HexMap) -> str:
    """What VASSAL calls the map window."""
    return map.titles.get("en", map.id)


def board_image(map: HexMap) -> str:
    """The board's picture."""
    return BOARD_IMAGE.format(map=map.id)


def map_window(map: HexMap, gpids: Mapping[str, str], parent: etree._Element) -> None:
    """Adds the map window."""
    name = map_name(map)
    moves = "$pieceName$: $previousLocation$ → $location$ *"
    window = element(
        "Map",
        parent,
        mapName=name,
        allowMultiple=False,
        backgroundcolor="255,255,255",
        buttonName="",
        changeFormat="$message$",
        color="0,0,0",
        createFormat="$pieceName$ created in $location$ *",
        edgeHeight=0,
        edgeWidth=0,
        hideKey="",
        hotkey="",
        icon="/images/map.gif",
        launch=False,
        markMoved="Always",
        markUnmovedHotkey="",
        markUnmovedIcon="/images/unmoved.gif",
        markUnmovedReport="",
        markUnmovedText="",
        markUnmovedTooltip="",
        moveKey=named_key(AFTER_MOVE_KEY),
        moveToFormat=moves,
        moveWithinFormat=moves,
        onlyReportChangedLocation=False,
        showKey="",
        thickness=3,
    )
    _board(map, window)
    element(
        "StackMetrics",
        window,
        bottom="40,0",
        disabled=False,
        down="37,0",
        exSepX=6,
        exSepY=18,
        top="38,0",
        unexSepX=2,
        unexSepY=4,
        up="39,0",
    )
    for kind in (
        "ForwardToKeyBuffer",
        "ForwardToChatter",
        "MenuDisplayer",
        "MapCenterer",
        "StackExpander",
        "PieceMover",
        "KeyBufferer",
    ):
        element(kind, window)
    element("Scroller", window, useArrows="Prompt")
    element("HighlightLastMoved", window, color="255,0,0", enabled=True, thickness=2)
    element(
        "LayeredPieceCollection",
        window,
        description="",
        layerOrder=f"{SITE_LAYER},{UNIT_LAYER}",
        property="Layer",
    )
    element(
        "ImageSaver",
        window,
        buttonText="",
        hotkey="",
        icon="/images/camera.gif",
        tooltip="Save Map as PNG image",
    )
    element(
        "HidePiecesButton",
        window,
        buttonText="",
        hiddenIcon="/images/globe_selected.gif",
        hotkey="",
        showingIcon="/images/globe_unselected.gif",
        tooltip="Hide all pieces on this map",
    )
    element(
        "Zoomer",
        window,
        inButtonText="",
        inIconName="/images/zoomIn.gif",
        inTooltip="Zoom in",
        outButtonText="",
        outIconName="/images/zoomOut.png",
        outTooltip="Zoom out",
        pickButtonText="",
        pickIconName="/images/zoom.png",
        pickTooltip="Select zoom",
        zoomInKey="61,130",
        zoomLevels="0.25,0.39,0.625,1.0,1.6",
        zoomOutKey="45,130",
        zoomPickKey="",
        zoomStart=3,
    )
    plan = layout(map)
    for site, cell in _sites(map):
        x, y = pixel(plan, cell, site.at)
        stack = element(
            "SetupStack",
            window,
            name=site_title(site),
            owningBoard=map.id,
            useGridLocation=False,
            x=x,
            y=y,
        )
        slot = element(
            "PieceSlot",
            stack,
            entryName=site_title(site),
            gpid=gpids[site.id],
            height=SITE_SIZE,
            width=SITE_SIZE,
        )
        slot.text = site_piece(site, gpids[site.id])


def _sites(map: HexMap) -> Iterator[tuple[Site, Cell]]:
    return ((site, place.cell) for place in map.hexes.values() for site in place.sites)


def _board(map: HexMap, window: etree._Element) -> None:
    plan = layout(map)
    picker = element(
        "BoardPicker",
        window,
        addColumnText="Add column",
        addRowText="Add row",
        boardPrompt="Select board",
        slotHeight=125,
        slotScale=0.2,
        slotWidth=350,
        title="Choose Boards",
    )
    board = element("Board", picker, image=board_image(map), name=map.id, reversible=False)
    grid = element("ZonedGrid", board)
    for sheet in map.sheets:
        cells = _cells_of(map, plan, sheet)
        if cells:
            _zone(map, plan, sheet, cells, grid)


def _cells_of(map: HexMap, plan: Layout, sheet: Sheet) -> list[Cell]:
    """The cells of the board that show the sheet's number, whether the document describes them or not:
    counters may be put down anywhere."""
    columns = [cell.col for cell in map.hexes]
    rows = [cell.row for cell in map.hexes]
    cells = (
        Cell(c, r)
        for c in range(plan.col0, max(columns) + 1)
        for r in range(min(rows), max(rows) + 1)
    )
    return [cell for cell in cells if sheet_of(map, cell) == sheet]


def _zone(map: HexMap, plan: Layout, sheet: Sheet, cells: list[Cell], grid: etree._Element) -> None:
    path = ";".join(f"{x},{y}" for x, y in outline(plan, cells))
    zone = element(
        "Zone",
        grid,
        highlightProperty="",
        locationFormat=f"{sheet.id}$gridLocation$",
        name=sheet.id,
        path=path,
        useHighlight=False,
        useParentGrid=False,
    )
    hexes = element(
        "HexGrid",
        zone,
        color="0,0,0",
        cornersLegal=False,
        dotsVisible=False,
        dx=repr(plan.dx),
        dy=repr(plan.dy),
        edgesLegal=False,
        sideways=False,
        snapTo=True,
        visible=False,
        x0=plan.x0,
        y0=plan.y0,
    )
    element(
        "HexGridNumbering",
        hexes,
        color="0,0,0",
        first="H",
        fontSize=9,
        hDescend=False,
        hDrawOff=0,
        hLeading=1,
        # The printed number of the board's first column and row, which may lie outside the sheet.
        hOff=sheet.first_column + plan.col0 - sheet.col0,
        hType="N",
        locationFormat="$gridLocation$",
        rotateText=0,
        sep="",
        stagger=False,
        vDescend=False,
        vDrawOff=0,
        vLeading=1,
        vOff=sheet.first_row + plan.row0 - sheet.row0,
        vType="N",
        visible=False,
    )
    extent = f"{sheet.first_column}-{sheet.last_column} {sheet.first_row}-{sheet.last_row} {sheet.col0} {sheet.row0}"
    element(
        "ZoneProperty",
        zone,
        description="columns, rows, first column and row on the common grid",
        initialValue=extent,
        isNumeric=False,
        max="null",
        min="null",
        name=SHEET_PROPERTY,
        wrap=False,
    )
