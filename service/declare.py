"""What players declare: the target that a unit names, and `!resolve` in the chat.

chat    = [ "<" name ">" " - " ] , "!" , ( "resolve" | "解決" ) , hex ;
target  = hex | unit ;          (* a unit by its name in either language *)
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass

from service.situation import Unit, UnitId
from vmod_tools.errors import MapError
from vmod_tools.mapdoc.geometry import resolve
from vmod_tools.mapdoc.model import Cell, HexMap

_COMMAND = re.compile(r"(?:<[^>]*>\s*-\s*)?[!！]\S")
_RESOLVE = re.compile(r"(?:<[^>]*>\s*-\s*)?[!！](?:resolve|解決)\s*(\S+)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Target:
    """What a declaration means: a hex, and the unit in it if one was named."""

    hex: Cell
    unit: UnitId | None = None


def read_target(
    text: str, hex_map: HexMap, units: Mapping[UnitId, Unit], side: str
) -> Target | None:
    """The target that `text` names for an attacker of `side`; None when it names none, or several."""
    wanted = text.strip()
    cell = _hex(wanted, hex_map)
    if cell is not None:
        return Target(cell)
    if not wanted:
        return None  # a unit without a Japanese name has an empty one
    named = [
        u
        for u in units.values()
        if u.side != side and u.hex is not None and wanted in (u.name, u.names.get("ja"))
    ]
    # Two units of one name: never the first match.
    if len(named) != 1 or named[0].hex is None:
        return None
    return Target(named[0].hex, named[0].id)


def is_command(line: str) -> bool:
    """Whether a chat line speaks to the arbiter: it begins with `!`."""
    return bool(_COMMAND.match(html.unescape(line)))


def read_resolve(line: str, hex_map: HexMap) -> Cell | None:
    """The hex that a chat line resolves the combat of, or None."""
    match = _RESOLVE.match(html.unescape(line))
    return _hex(match[1], hex_map) if match else None


def _hex(text: str, hex_map: HexMap) -> Cell | None:
    try:
        cell = resolve(hex_map, text.upper())
    except MapError:
        return None
    return cell if cell in hex_map.hexes else None
