"""Small saves, logs and modules made by hand, after the format's description and not by the product.

`seq` is VASSAL's escaping rule as the description states it (the quoting of 3.4 and later); everything
else nests it.  A `LOG` prefix goes before every command of a step, at every depth.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from html import escape

ESC, TAB = "\x1b", "\t"
MAP = "Main Map"
"""The map of the shared folder's small.vmod, and of `module`."""

MODULE_DATA = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<data version="1"><version>1.0</version>'
    "<VassalVersion>3.5.8</VassalVersion><dateSaved>1700000000000</dateSaved>"
    "<description>made by hand</description><name>{name}</name></data>\n"
)


# Texts


def seq(delimiter: str, *tokens: str) -> str:
    def written(token: str) -> str:
        escaped = token.replace(delimiter, "\\" + delimiter)
        quoted = token.startswith("\\") or (token[:1] == "'" == token[-1:])
        return f"'{escaped}'" if quoted else escaped

    return delimiter.join(map(written, tokens))


def chain(*texts: str) -> str:
    inner = seq(TAB, texts[-1])
    for text in reversed(texts[:-1]):
        inner = seq(TAB, text, inner)
    return inner


def add(id: str, types: Iterable[str], states: Iterable[str]) -> str:
    return "+/" + seq("/", id, chain(*types), chain(*states))


def basic_state(x: int, y: int, map: str = MAP, gpid: str = "1") -> str:
    return f"{map};{x};{y};{gpid};0"


def piece(id: str, x: int, y: int, *traits: tuple[str, str], map: str = MAP) -> str:
    """A piece called `unit <id>`; traits are (type, state), outermost first."""
    types = [text for text, _ in traits]
    states = [state for _, state in traits]
    return add(id, [*types, f"piece;;;red.png;unit {id}"], [*states, basic_state(x, y, map)])


def stack_state(x: int, y: int, *members: str, map: str = MAP) -> str:
    return ";".join([map, str(x), str(y), *members, "@@-1"])


def stack(id: str, x: int, y: int, *members: str, map: str = MAP) -> str:
    return add(id, ["stack"], [stack_state(x, y, *members, map=map)])


def deck(id: str, x: int, y: int, *members: str) -> str:
    return add(id, ["deck;true;0,0,0;40;40"], [f"{MAP};{x};{y};false;{','.join(members)}"])


def move(
    id: str,
    to: tuple[int, int],
    start: tuple[int, int] = (0, 0),
    under: str = "null",
    player: str = "pw",
    map: str = MAP,
) -> str:
    fields = (id, map, *map_str(to), under, MAP, *map_str(start), "null", player)
    return "M/" + seq("/", *fields)


def map_str(numbers: Iterable[int]) -> list[str]:
    return [str(n) for n in numbers]


def change(id: str, state: str, old: str | None = None) -> str:
    return "D/" + seq("/", id, state, *([] if old is None else [old]))


def save_text(*pieces: str, rest: Iterable[str] = ()) -> str:
    """A whole save: the pieces below the null command, then the other commands."""
    board = f"{MAP}BoardPicker{TAB}Board{TAB}0{TAB}0"
    pieces_below = seq(ESC, "", *pieces) if pieces else ""
    tokens = ["begin_save", "", pieces_below, board, *rest, f"SETUP_STACK{TAB}", "end_save"]
    return seq(ESC, *tokens)


def step(*commands: str) -> str:
    return seq(ESC, *(f"LOG{TAB}{command}" for command in commands))


def log_text(start: str, *steps: str) -> str:
    return ESC.join([start, *(seq(ESC, s) for s in steps)])


# Files


def hidden(text: str, key: int = 0x5A, *, upper: bool = False) -> bytes:
    plain = text.encode("utf-8", "surrogateescape")
    digits = bytes([key, *(byte ^ key for byte in plain)]).hex()
    return b"!VCSK" + (digits.upper() if upper else digits).encode()


def zip_of(members: Mapping[str, bytes | str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 2, 2, 2, 2, 2)), content)
    return buffer.getvalue()


def game(text: str | bytes, *, module: str = "", **members: bytes | str) -> bytes:
    """A save or log; text is hidden, bytes are the `savedGame` as they are."""
    content = hidden(text) if isinstance(text, str) else text
    more = {"moduledata": MODULE_DATA.format(name=module)} if module else {}
    return zip_of({"savedGame": content} | more | members)


# Modules

_MAP_PARTS = "".join(
    f"<VASSAL.build.module.map.{kind}/>"
    for kind in (
        "StackMetrics",
        "ForwardToKeyBuffer",
        "ForwardToChatter",
        "MenuDisplayer",
        "MapCenterer",
        "StackExpander",
        "PieceMover",
        "KeyBufferer",
    )
)
_BOARD = "VASSAL.build.module.map.boardPicker.Board"
_GRID = "VASSAL.build.module.map.boardPicker.board"


def tag(kind: str, *inner: str, **attributes: object) -> str:
    """An element; a keyword may end in `_`."""
    given = "".join(
        f' {name.rstrip("_")}="{escape(str(value))}"' for name, value in attributes.items()
    )
    return f"<{kind}{given}>{''.join(inner)}</{kind}>"


def hex_grid(numbering: Mapping[str, object] | None = None, **attributes: object) -> str:
    """A HexGrid; without `numbering` it has none."""
    numbers = "" if numbering is None else tag(f"{_GRID}.mapgrid.HexGridNumbering", **numbering)
    return tag(f"{_GRID}.HexGrid", numbers, **attributes)


def zone(name: str, path: str, *inner: str, **attributes: object) -> str:
    return tag(f"{_GRID}.mapgrid.Zone", *inner, name=name, path=path, **attributes)


def zoned_grid(*inner: str) -> str:
    return tag(f"{_GRID}.ZonedGrid", *inner)


def board(name: str, width: int, height: int, *inner: str, **attributes: object) -> str:
    size = {"width": width, "height": height, "color": "200,200,200"}
    return tag(_BOARD, *inner, name=name, **size, **attributes)


def map_window(name: str, *boards: str, parts: str = "", **attributes: object) -> str:
    picker = tag("VASSAL.build.module.map.BoardPicker", *boards)
    size = {"edgeWidth": 0, "edgeHeight": 0} | attributes
    return tag("VASSAL.build.module.Map", picker, _MAP_PARTS, parts, mapName=name, **size)


def build_file(*components: str, name: str = "Made by hand") -> str:
    common = (
        "<VASSAL.build.module.BasicCommandEncoder/><VASSAL.build.module.Documentation/>"
        "<VASSAL.build.module.PlayerRoster><entry>Red</entry></VASSAL.build.module.PlayerRoster>"
        "<VASSAL.build.module.GlobalOptions/><VASSAL.build.module.PrototypesContainer/>"
    )
    last = "<VASSAL.build.module.Chatter/><VASSAL.build.module.KeyNamer/>"
    root = tag(
        "VASSAL.build.GameModule",
        common,
        *components,
        last,
        name=name,
        version="1.0",
        VassalVersion="3.5.8",
        description="",
        nextPieceSlotId=1000,
    )
    return f'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n{root}\n'


def module(
    *components: str, name: str = "Made by hand", members: Mapping[str, bytes | str] | None = None
) -> bytes:
    files: dict[str, bytes | str] = {
        "buildFile.xml": build_file(*components, name=name),
        "moduledata": MODULE_DATA.format(name=name),
    }
    return zip_of(files | dict(members or {}))
