"""module.toml and units.csv: read, and refused with the line and the field."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.places import REPO
from vmod_tools.build.settings import Choice, Level, read_settings, read_units
from vmod_tools.errors import MapError

MAPS = REPO / "maps"
TOML = (MAPS / "weu-denmark" / "module.toml").read_text(encoding="utf-8")
SETTINGS = read_settings(TOML.encode())
CSV = "id,side,class,size,strength,name,name_ja,short,LandingCraft\n"
ROW = "a1,German,infantry,XX,5-4,Inf 1,第1,Inf 1,yes\n"


def refused(read: Callable[[], object]) -> MapError:
    with pytest.raises(MapError) as caught:
        read()
    return caught.value


def test_settings_are_read() -> None:
    assert [s.name for s in SETTINGS.sides] == ["German", "Allied"]
    assert SETTINGS.levels == (
        Level("Turn", "Turn"),
        Level("Player turn", "ActivePlayer", ("German", "Allied")),
        Level("Action step", "ActionStep", ("1", "2")),
    )
    mode = SETTINGS.properties[0]
    assert mode.choices[0] == Choice("deployed", "Mode: deployed 展開")
    assert mode.clear == {"move"}
    assert SETTINGS.properties[1].choose == "sites"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "Denmark', 'name = Denmark"', "line 4"),
        ('name = "Denmark and the Skagerrak"\n', "", "missing"),
        ('name = "Denmark and the Skagerrak"', "name = 7", "name is 7"),
        ("date = 2026-12-01", 'date = "2026-12-01"', "date is"),
        ('vassal = "3.5.8"', "vassal = 3.5", "vassal is 3.5"),
        ('face = "#8f9a8b"', 'face = "grey"', "not a colour"),
        ('face = "#8f9a8b"', "face = 9", "face is 9"),
        ('face = "#8f9a8b", ', "", "face"),
        ('face = "#8f9a8b"', 'face = "#8f9a8b", hue = "#000000"', "hue"),
        ("count = 2", 'count = "2"', "count is '2'"),
        ("count = 2\n", "", "missing"),
        ('clear = ["move"]', 'clear = ["moved"]', "moved"),
        ('values = ["1", "2"]', "values = [1, 2]", "values is 1"),
        ('choose = "sites"', "choose = true", "choose is True"),
        ('{ value = "N", text', "{ text", "missing"),
        ('file = "declare-en.html"\n', "", "missing"),
        ('property = "ActionStep"\n', "", "missing"),
    ],
)
def test_broken_settings_say_what_is_wrong(old: str, new: str, words: str) -> None:
    assert old in TOML
    error = refused(lambda: read_settings(TOML.replace(old, new, 1).encode()))
    assert error.stable_code == "SETTINGS"
    assert words in str(error)


def test_settings_must_be_tables_of_text() -> None:
    for text in (b"\xff", b"side = 1\n", b"[side]\nname = 1\n"):
        assert refused(lambda text=text: read_settings(text)).stable_code == "SETTINGS"  # type: ignore[misc]
    sides_as_text = TOML.split("[[side]]")[0] + 'side = "German"\nlevel = []\nproperty = []\n'
    assert "wrong kind" in refused(lambda: read_settings(sides_as_text.encode())).message
    colours_as_text = TOML.replace(
        'colours = { face = "#8f9a8b"', 'colours = "x" # { face = "#8f9a8b"', 1
    )
    assert "wrong kind" in refused(lambda: read_settings(colours_as_text.encode())).message


def test_missing_setting_is_the_field() -> None:
    error = refused(lambda: read_settings(TOML.replace("count = 2", "cnt = 2").encode()))
    assert error.field == "count"


def test_units_are_read() -> None:
    (unit,) = read_units((CSV + ROW).encode(), SETTINGS)
    assert (unit.id, unit.side, unit.unit_class, unit.name_ja) == (
        "a1",
        "German",
        "infantry",
        "第1",
    )
    assert unit.properties == {"LandingCraft": "yes"}
    assert read_units(("\ufeff" + CSV + ROW).encode(), SETTINGS) == (unit,)
    assert read_units(CSV.encode(), SETTINGS) == ()


@pytest.mark.parametrize(
    ("text", "place", "field"),
    [
        (CSV + ROW.replace("German", "Swiss"), "line 2", "side"),
        (CSV + ROW + ROW, "line 3", "id"),
        (CSV + "\n\n" + ROW + "\n" + ROW, "line 6", "id"),
        (CSV + ROW.replace("Inf 1,第1", '"Inf\n1",第1') + ROW, "line 4", "id"),
        (CSV + ROW.replace("a1", ""), "line 2", "id"),
        (CSV.replace("short,", "") + ROW, "line 2", "short"),
        (CSV + "a1,German,infantry\n", "line 2", "size"),
        (CSV + ROW.replace(",yes", ""), "line 2", ""),
        (CSV + ROW.replace("yes", "yes,more"), "line 2", ""),
        (CSV.replace("LandingCraft", "Landed") + ROW, "line 2", "Landed"),
    ],
)
def test_broken_units_are_said_with_line_and_field(text: str, place: str, field: str) -> None:
    error = refused(lambda: read_units(text.encode(), SETTINGS))
    assert (error.stable_code, error.place, error.field) == ("UNITS", place, field)


@pytest.mark.parametrize("data", [b"\xff\xfe", b'id\n"open'])
def test_what_is_no_table(data: bytes) -> None:
    assert refused(lambda: read_units(data, SETTINGS)).stable_code == "UNITS"


# The module's settings and the game file: design.md section 4


def test_game_file_speaks_of_properties_that_the_module_has() -> None:
    games = {p: tomllib.loads(p.read_text(encoding="utf-8")) for p in games_folder().glob("*.toml")}
    checked = 0
    for game in games.values():
        folder = MAPS / game["map"]
        if not folder.is_dir():
            continue
        settings = read_settings((folder / "module.toml").read_bytes())
        units = read_units((folder / "units.csv").read_bytes(), settings)
        markers = {"Side", "Class", "Name", "NameJa", "UnitId", "Layer"}  # of every unit
        properties = {p.name for p in settings.properties} | markers
        assert set(game["facts"].values()) <= properties, game["id"]
        levels = {level.property: level.values for level in settings.levels}
        assert set(game["phases"].values()) == set(levels)
        sides = [side.name for side in settings.sides]
        assert list(game["sides"]) == sides == list(levels[game["phases"]["active"]])
        assert {unit.unit_class for unit in units} <= set(game["classes"])
        assert {unit.side for unit in units} == set(sides)
        checked += 1
    assert checked


def games_folder() -> Path:
    return REPO / "service" / "games"
