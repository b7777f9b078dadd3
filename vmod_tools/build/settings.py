"""What a map set's folder says besides the map: `module.toml` and `units.csv`, read and checked.

No rule is in here: sides, phases, the properties that players set from a counter's menu, dice, markers,
help pages and units.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from vmod_tools.draw.palette import Colours
from vmod_tools.errors import MapError

AFTER_MOVE, NEXT_STEP = "move", "step"
"""When a property is cleared: after each drag of the counter, and when the turn tracker goes on."""

_TABLES = frozenset(
    [
        "name",
        "version",
        "description",
        "vassal",
        "date",
        "side",
        "level",
        "property",
        "dice",
        "marker",
        "help",
    ]
)

UNIT_COLUMNS = ("id", "side", "class", "size", "strength", "name", "name_ja", "short")


@dataclass(frozen=True, slots=True)
class Side:
    """A side and the colours of its counters."""

    name: str
    colours: Colours


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the turn tracker; no values make it a counter."""

    name: str
    property: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One menu entry of a property: its text, and the value that it sets."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class Property:
    """A dynamic property of every unit.  `choose` offers a list (`sites`: all site ids), `ask` any text."""

    name: str
    menu: str
    choices: tuple[Choice, ...] = ()
    choose: str = ""
    ask: str = ""
    clear: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Dice:
    """A dice button."""

    name: str
    count: int
    sides: int


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker that any unit can place."""

    name: str
    menu: str
    text: str
    colours: Colours


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A help page; `file` is beside module.toml."""

    title: str
    file: str


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit of the palette.  `properties`: initial values of dynamic properties (LandingCraft)."""

    id: str
    side: str
    unit_class: str
    size: str
    strength: str
    name: str
    name_ja: str
    short: str
    properties: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Settings:
    """`module.toml`."""

    name: str
    version: str
    description: str
    vassal: str
    date: datetime.date
    sides: tuple[Side, ...]
    levels: tuple[Level, ...]
    properties: tuple[Property, ...]
    dice: tuple[Dice, ...]
    markers: tuple[Marker, ...]
    help_pages: tuple[HelpPage, ...]


def read_settings(data: bytes) -> Settings:
    """The settings in a module.toml; raises MapError (SETTINGS) with what is wrong."""
    try:
        raw = tomllib.loads(data.decode("utf-8"))
        settings = Settings(
            name=_text(raw, "name"),
            version=_text(raw, "version"),
            description=_text(raw, "description"),
            vassal=_text(raw, "vassal"),
            date=_of_kind(datetime.date, raw["date"], "date"),
            sides=tuple(Side(_text(s, "name"), _colours(s)) for s in raw["side"]),
            levels=tuple(_level(x) for x in raw["level"]),
            properties=tuple(_property(p) for p in raw["property"]),
            dice=tuple(_dice(d) for d in raw.get("dice", [])),
            markers=tuple(
                Marker(_text(m, "name"), _text(m, "menu"), _text(m, "text"), _colours(m))
                for m in raw.get("marker", [])
            ),
            help_pages=tuple(
                HelpPage(_text(h, "title"), _text(h, "file")) for h in raw.get("help", [])
            ),
        )
        _check(settings, raw)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MapError(f"not valid TOML: {error}", code="SETTINGS") from error
    except KeyError as error:
        raise MapError("a setting is missing", code="SETTINGS", field=str(error.args[0])) from error
    except (TypeError, AttributeError) as error:
        raise MapError(f"a setting is of the wrong kind: {error}", code="SETTINGS") from error
    return settings


_T = TypeVar("_T")


def _of_kind(kind: type[_T], value: object, name: str) -> _T:
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r}")
    return value


def _text(raw: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = raw[name] if default is None else raw.get(name, default)
    return _of_kind(str, value, name)


def _colours(raw: Mapping[str, Any]) -> Colours:
    for name, value in raw["colours"].items():
        if not re.fullmatch("#[0-9a-fA-F]{6}", _of_kind(str, value, name)):
            raise TypeError(f"{name} is {value!r}, not a colour like #8f9a8b")
    return Colours(**raw["colours"])


def _level(raw: Mapping[str, Any]) -> Level:
    values = tuple(_of_kind(str, v, "values") for v in raw.get("values", ()))
    return Level(_text(raw, "name"), _text(raw, "property"), values)


def _dice(raw: Mapping[str, Any]) -> Dice:
    count, sides = (_of_kind(int, raw[name], name) for name in ("count", "sides"))
    return Dice(_text(raw, "name"), count, sides)


def _property(raw: Mapping[str, Any]) -> Property:
    clear = frozenset(raw.get("clear", ()))
    if not clear <= {AFTER_MOVE, NEXT_STEP}:
        raise TypeError(f"clear is {sorted(clear)}, not some of {AFTER_MOVE}, {NEXT_STEP}")
    return Property(
        name=_text(raw, "name"),
        menu=_text(raw, "menu"),
        choices=tuple(Choice(_text(c, "value"), _text(c, "text")) for c in raw.get("choices", ())),
        choose=_text(raw, "choose", ""),
        ask=_text(raw, "ask", ""),
        clear=clear,
    )


def _check(settings: Settings, raw: Mapping[str, Any]) -> None:
    """Refuses what would build a broken module, or take a file from outside the folder."""
    unknown = sorted(raw.keys() - _TABLES)
    if unknown:
        raise MapError(f"there is no setting {unknown[0]!r}", code="SETTINGS", field=unknown[0])
    for page in settings.help_pages:
        if not re.fullmatch(r"[\w-][\w .-]*", page.file):
            raise MapError(
                "a help page is a file of this folder", code="SETTINGS", field="help.file"
            )
    for dice in settings.dice:
        if dice.count < 1 or dice.sides < 1:
            raise MapError(
                "dice have a count and sides of 1 or more", code="SETTINGS", field="dice"
            )


def read_units(data: bytes, settings: Settings) -> tuple[UnitRow, ...]:
    """The units in a units.csv; raises MapError (UNITS) with the line.

    Columns past the fixed ones are initial values of properties.
    """
    try:
        # Spreadsheets put a byte order mark in front.
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        rows = [(reader.line_num, row) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise MapError(f"not a readable table: {error}", code="UNITS") from error
    known = {p.name for p in settings.properties}
    sides = {s.name for s in settings.sides}
    units: list[UnitRow] = []
    for line, row in rows:
        problem = _row_problem(row, known, sides, {u.id for u in units})
        if problem is not None:
            raise MapError(problem[1], code="UNITS", place=f"line {line}", field=problem[0])
        units.append(
            UnitRow(
                id=row["id"],
                side=row["side"],
                unit_class=row["class"],
                size=row["size"],
                strength=row["strength"],
                name=row["name"],
                name_ja=row["name_ja"],
                short=row["short"],
                properties={k: v for k, v in row.items() if k not in UNIT_COLUMNS},
            )
        )
    return tuple(units)


def _row_problem(
    row: Mapping[str | None, str | None], known: set[str], sides: set[str], ids: set[str]
) -> tuple[str, str] | None:
    """The column and what is wrong with it, or None."""
    for column in UNIT_COLUMNS:
        if row.get(column) is None:
            return column, "the column is missing"
    if None in row or None in row.values():
        return "", "the row has too many or too few columns"
    for name in row:
        if name not in UNIT_COLUMNS and name not in known:
            return str(name), "there is no such property in module.toml"
    if row["side"] not in sides:
        return "side", f"{row['side']!r} is no side"
    if not row["id"] or row["id"] in ids:
        return "id", f"{row['id']!r} is empty or used twice"
    return None
