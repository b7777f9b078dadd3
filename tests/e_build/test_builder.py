"""Building: the same bytes twice, what the engine makes of it, and every name where we say it is."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from tests.support.places import REPO
from tests.vassal.engine import Engine
from vmod_tools.archive import Archive
from vmod_tools.boards import location_name, place_boards
from vmod_tools.build.builder import EMBEDDED_MAP, MapSet, build_module, read_map_set
from vmod_tools.build.elements import element, to_bytes
from vmod_tools.build.mapwindow import map_name
from vmod_tools.build.sitenames import differing_names
from vmod_tools.errors import MapError, VmodError
from vmod_tools.grids import ZonedGrid
from vmod_tools.mapdoc.geometry import centre, hex_name, layout, pixel
from vmod_tools.mapdoc.model import HexMap, Sheet
from vmod_tools.modules import Module
from vmod_tools.pieces import stated_properties
from vmod_tools.verify import verify

FOLDER = REPO / "maps" / "weu-denmark"
SEED, POINTS = 20261201, 2000


@pytest.fixture(scope="module")
def map_set() -> MapSet:
    return read_map_set(FOLDER)


@pytest.fixture(scope="module")
def hex_map(map_set: MapSet) -> HexMap:
    (only,) = map_set.document.maps
    return only


@pytest.fixture(scope="module")
def built(map_set: MapSet) -> bytes:
    return build_module(map_set)


@pytest.fixture(scope="module")
def module(built: bytes) -> Module:
    return Module.read(Archive.parse(built))


@pytest.fixture(scope="module")
def path(built: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "weu-denmark.vmod"
    path.write_bytes(built)
    return path


def test_building_twice_gives_the_same_bytes(built: bytes) -> None:
    assert build_module(read_map_set(FOLDER)) == built


def test_built_module_is_exact_and_whole(built: bytes) -> None:
    result = verify(built, "weu")
    assert result.exact
    assert result.malformed == []
    names = Archive.parse(built).names()
    assert len(names) == len(set(names))


def test_document_travels_in_the_module(built: bytes) -> None:
    archive = Archive.parse(built)
    entry = archive.find(EMBEDDED_MAP)
    assert entry is not None
    assert archive.read(entry) == (FOLDER / "map.xml").read_bytes()


def test_every_picture_that_is_named_is_there(module: Module) -> None:
    names = set(module.archive.names())
    slots = [p for p in module.slots.values() if p.basic["image"]]
    assert {f"images/{p.basic['image']}" for p in slots} <= names
    assert {f"images/{b.image}" for m in module.maps for b in m.boards} <= names
    help_files = {c.get("fileName") for c in module.build.root.descendants("HelpFile")}
    assert help_files
    assert help_files <= names


def test_units_of_the_table_are_in_the_palette(module: Module, map_set: MapSet) -> None:
    found = {
        says["UnitId"]: says
        for says in map(stated_properties, module.slots.values())
        if "UnitId" in says
    }
    assert list(found) == [u.id for u in sorted(map_set.units, key=lambda u: u.side != "German")]
    assert len(found) >= 12
    for unit in map_set.units:
        says = found[unit.id]
        assert (says["Side"], says["Class"]) == (unit.side, unit.unit_class)
        assert (says["Name"], says["NameJa"]) == (unit.name, unit.name_ja)
        for name, value in unit.properties.items():
            assert says.get(name, "") == value


def test_sites_stand_at_their_pixels(module: Module, hex_map: HexMap) -> None:
    (window,) = module.build.root.children("Map")
    plan = layout(hex_map)
    stands = {
        stated_properties(stack.pieces[0])["SiteId"]: (stack.x, stack.y)
        for stack in module.at_start_stacks(window)
    }
    assert stands == {
        site.id: pixel(plan, place.cell, site.at)
        for place in hex_map.hexes.values()
        for site in place.sites
    }


def test_turns_and_dice_and_sides(module: Module, map_set: MapSet) -> None:
    (tracker,) = module.turn_trackers
    levels = [tracker.levels[0]]
    while levels[-1].sublevels:
        levels.append(levels[-1].sublevels[0])
    assert [(x.name, x.property, x.values) for x in levels] == [
        (x.name, x.property, x.values) for x in map_set.settings.levels
    ]
    assert module.dice_buttons == ("2D6",)
    assert module.sides == ("German", "Allied")


# Names


def names_by_grid(module: Module, points: list[tuple[int, int]]) -> list[str]:
    (definition,) = module.maps
    boards = place_boards(definition, ())
    return [location_name(definition, boards, *p) for p in points]


def centres(hex_map: HexMap) -> list[tuple[int, int]]:
    plan = layout(hex_map)
    return [(int(x), int(y)) for x, y in (centre(plan, cell) for cell in hex_map.hexes)]


def engine_names(engine: Engine, path: Path, map: str, points: list[tuple[int, int]]) -> list[str]:
    answer = engine.shared(path).ask("location", map, [list(p) for p in points])
    return [p["locationName"] for p in answer["points"]]


def test_hex_centres_carry_the_names_of_the_document(module: Module, hex_map: HexMap) -> None:
    assert len(hex_map.hexes) >= 60
    assert names_by_grid(module, centres(hex_map)) == [hex_name(hex_map, c) for c in hex_map.hexes]


@pytest.mark.engine
def test_engine_names_every_hex_as_we_do(
    engine: Engine, path: Path, module: Module, hex_map: HexMap
) -> None:
    theirs = engine_names(engine, path, map_name(hex_map), centres(hex_map))
    assert theirs == names_by_grid(module, centres(hex_map))
    assert theirs == [hex_name(hex_map, c) for c in hex_map.hexes]


@pytest.mark.engine
def test_engine_names_points_anywhere_as_we_do(
    engine: Engine, path: Path, module: Module, hex_map: HexMap
) -> None:
    plan, rng = layout(hex_map), random.Random(SEED)  # noqa: S311
    points = [(rng.randrange(plan.width), rng.randrange(plan.height)) for _ in range(POINTS)]
    # The rim of every zone too: there the names change, and zones are half-open.
    (only,) = module.maps
    grid = only.boards[0].grid
    assert isinstance(grid, ZonedGrid)
    corners = [xy for zone in grid.zones for xy in zone.path]
    points += [(x + dx, y + dy) for x, y in corners for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    theirs = engine_names(engine, path, map_name(hex_map), points)
    assert theirs == names_by_grid(module, points)
    assert len(set(theirs)) > 60


@pytest.mark.engine
def test_engine_loads_the_module_clean(engine: Engine, path: Path, module: Module) -> None:
    told = engine.run("load-module", path)
    assert told["clean"]
    for complaint in ("definitionsDiffering", "undefinedPrototypes", "gpidsUsedTwice"):
        assert not told[complaint], complaint
    assert told["name"] == module.name
    assert len(told["slots"]) == len(module.slots)


@pytest.mark.engine
def test_engine_puts_every_site_where_we_do(
    engine: Engine, path: Path, tmp_path: Path, hex_map: HexMap
) -> None:
    made = engine.shared(path).ask("make-save", {"steps": []}, tmp_path / "start.vsav")
    plan = layout(hex_map)
    assert sorted((p["x"], p["y"]) for p in made["pieces"]) == sorted(
        pixel(plan, place.cell, site.at) for place in hex_map.hexes.values() for site in place.sites
    )


# Map sets that cannot be built


def copy_of(folder: Path) -> Path:
    return Path(shutil.copytree(FOLDER, folder / "set"))


@pytest.mark.parametrize("name", ["map.xml", "units.csv", "module.toml", "declare-ja.html"])
def test_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = copy_of(tmp_path)
    (folder / name).unlink()
    with pytest.raises(VmodError) as caught:
        read_map_set(folder)
    assert (caught.value.stable_code, caught.value.file) == ("FILE_MISSING", str(folder / name))


def test_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    folder = copy_of(tmp_path)
    (folder / "map.xml").unlink()
    (folder / "map.xml").mkdir()
    with pytest.raises(VmodError) as caught:
        read_map_set(folder)
    assert (caught.value.stable_code, caught.value.file) == ("FILE_READ", str(folder / "map.xml"))


@pytest.mark.parametrize(
    ("name", "old", "new", "code", "place"),
    [
        ("map.xml", 'bank="N" x=', 'bank="S" x=', "", "line "),
        ("map.xml", "<maps ", "<maps", "MAP_XML", "line "),
        ("module.toml", "name = ", "name ", "SETTINGS", ""),
        ("units.csv", ",German,", ",Swiss,", "UNITS", "line 2"),
    ],
)
def test_broken_file_is_named_with_its_line(
    tmp_path: Path, name: str, old: str, new: str, code: str, place: str
) -> None:
    folder = copy_of(tmp_path)
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(MapError) as caught:
        read_map_set(folder)
    assert caught.value.file == str(folder / name)
    assert caught.value.stable_code.startswith(code)
    assert caught.value.place.startswith(place)


def test_sheet_without_a_hex_of_the_board_gets_no_zone(map_set: MapSet, hex_map: HexMap) -> None:
    elsewhere = Sheet("Z", 1, 9, 1, 9, col0=500, row0=500)
    more = replace(hex_map, sheets=(*hex_map.sheets, elsewhere))
    made = build_module(replace(map_set, document=replace(map_set.document, maps=(more,))))
    (only,) = Module.read(Archive.parse(made)).maps
    grid = only.boards[0].grid
    assert isinstance(grid, ZonedGrid)
    assert [zone.name for zone in grid.zones] == [sheet.id for sheet in hex_map.sheets]


# Elements


def test_attributes_are_written_in_vassals_order() -> None:
    made = element("Board", None, width=3, name="B", reversible=False, image="x")
    assert list(made.attrib) == ["image", "name", "reversible", "width"]
    assert made.get("reversible") == "false"
    assert made.tag == "VASSAL.build.module.map.boardPicker.Board"
    assert element("Board", None, class_="x").get("class") == "x"


def test_control_characters_are_refused() -> None:
    with pytest.raises(MapError) as caught:
        element("Board", None, name="a\x01b")
    assert caught.value.stable_code == "MAP_TEXT"
    assert element("Board", None, name="a\tb\n\u200b").get("name") == "a\tb\n\u200b"


def test_build_file_is_utf_8() -> None:
    root = etree.Element("a", b="図")
    assert (
        to_bytes(root)
        == '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<a b="図"/>\n'.encode()
    )


def test_sites_that_vassal_names_otherwise_are_said(module: Module, map_set: MapSet) -> None:
    told = list(differing_names(map_set.document, module))
    assert "site malmoe-port lies in C5605; VASSAL names its point C5505" in told
    assert not any("aalborg" in line for line in told)
    other = replace(map_set.document.maps[0], titles={"en": "No such window"})
    assert not list(differing_names(replace(map_set.document, maps=(other,)), module))
