"""Components by path, their typed attributes, extensions, and the metadata documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from tests.support.crafted import (
    board,
    build_file,
    hex_grid,
    map_window,
    module,
    tag,
    zip_of,
)
from vmod_tools.archive import Archive
from vmod_tools.attributes import component_kind, known_kinds, malformed
from vmod_tools.buildfile import BuildFile, Component, read_metadata
from vmod_tools.components import (
    Step,
    find,
    find_vassal,
    format_path,
    format_vassal_path,
    parse_attribute,
    parse_path,
    parse_vassal_path,
    path_of,
    vassal_path_of,
)
from vmod_tools.describe import describe
from vmod_tools.edit.metadata import set_metadata
from vmod_tools.errors import ArchiveError, BuildFileError
from vmod_tools.extensions import Extension

FOLDER = "VASSAL.build.module.folder.MapSubFolder"
WRAPPER = "VASSAL.build.module.ExtensionElement"


def root_of(*components: str) -> Component:
    return Component(etree.fromstring(build_file(*components).encode()))


MODULE = (
    tag(
        FOLDER,
        map_window("Main Map", board("East", 10, 10, hex_grid({}, x0=5)), board("a]b\\#", 9, 9)),
        name="Maps",
    ),
    map_window("#2", board("East", 10, 10)),
    map_window("", board("", 10, 10)),
)


@pytest.fixture(scope="module")
def root() -> Component:
    return root_of(*MODULE)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("", ()),
        (
            "Map[Main Map]/Board[East]/HexGrid",
            (Step("Map", "Main Map"), Step("Board", "East"), Step("HexGrid")),
        ),
        (r"Map[\#2]/Board[a\]b\\#][#3]", (Step("Map", "#2"), Step("Board", "a]b\\#", 3))),
        ("Map[#3]", (Step("Map", None, 3),)),
        ("Map[a/b@c]", (Step("Map", "a/b@c"),)),
        ("Map[]", (Step("Map", ""),)),
    ],
)
def test_paths_are_read_as_they_are_written(text: str, steps: tuple[Step, ...]) -> None:
    assert parse_path(text) == steps
    assert format_path(steps) == text


@pytest.mark.parametrize("text", ["/Map", "Map/", "Map[", "Map]", "Map[a]x", "Map[#2", "Map@x=1"])
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(BuildFileError) as caught:
        find(Component(etree.fromstring("<x/>")), parse_path(text))
    assert caught.value.stable_code in ("BUILDFILE_PATH", "BUILDFILE_NO_COMPONENT")


def test_attributes_are_addressed_with_at_signs() -> None:
    path = (Step("Map", "a@b=c"), Step("Board"))
    assert parse_attribute("Map[a@b=c]/Board@x=1@y=2") == (path, "x", "1@y=2")
    for text in ("Map", "Map@x", "Map@=1", "Map@a b=1", "@"):
        with pytest.raises(BuildFileError):
            parse_attribute(text)
    assert parse_attribute("@version=2") == ((), "version", "2")


def test_component_is_found_through_folders_and_pickers(root: Component) -> None:
    grid = find(root, parse_path("Map[Main Map]/Board[East]/HexGrid"))
    assert grid.get("x0") == "5"
    assert format_path(path_of(grid)) == "Map[Main Map]/Board[East]/HexGrid"
    assert find(root, parse_path("HexGrid")).element is grid.element
    assert find(root, ()).element is root.element


def test_every_component_has_a_path_of_its_own(root: Component) -> None:
    for element in root.element.iter(etree.Element):
        path = path_of(Component(element))
        assert find(root, parse_path(format_path(path))).element is element


def test_real_components_have_paths_of_their_own(corpus_files: tuple[Path, ...]) -> None:
    seen = 0
    for file in corpus_files:
        if file.suffix not in (".vmod", ".vmdx") or file.name.startswith("GreifMax"):
            continue
        build = BuildFile.read(Archive.parse(file.read_bytes()))
        assert build
        elements = list(build.root.element.iter(etree.Element))
        for element in elements[:: max(1, len(elements) // 60)]:
            component = Component(element)
            assert find(build.root, parse_path(format_path(path_of(component)))).element is element
            path = vassal_path_of(component)
            assert parse_vassal_path(format_vassal_path(path)) == path
            seen += 1
    assert seen > 1500


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("Map[Nowhere]", "BUILDFILE_NO_COMPONENT"),
        ("Map", "BUILDFILE_AMBIGUOUS"),
        ("Map[#4]", "BUILDFILE_NO_COMPONENT"),
        ("Map[#0]", "BUILDFILE_NO_COMPONENT"),
    ],
)
def test_none_or_several_are_an_error(root: Component, path: str, code: str) -> None:
    with pytest.raises(BuildFileError) as caught:
        find(root, parse_path(path))
    assert caught.value.stable_code == code


def test_paths_of_vassal(root: Component) -> None:
    grid = find(root, parse_path("HexGrid"))
    path = vassal_path_of(grid)
    assert format_vassal_path(path[-2:]) == (
        "VASSAL.build.module.map.boardPicker.Board:East/"
        "VASSAL.build.module.map.boardPicker.board.HexGrid"
    )
    found = find_vassal(root, path)
    assert found is not None
    assert found.element is grid.element
    # Older modules had no folders, and paths without them still hold.
    found = find_vassal(root, path[1:])
    assert found is not None
    assert found.element is grid.element
    assert find_vassal(root, (("x", None), ("y", None))) is None
    assert parse_vassal_path("a:b\\:c\\/d/e") == (("a", "b:c/d"), ("e", None))
    assert parse_vassal_path("") == ()
    assert format_vassal_path(()) == ""


# Attributes


def test_values_have_types_and_defaults(root: Component) -> None:
    grid = find(root, parse_path("HexGrid"))
    values = grid.values()
    assert values["x0"] == 5
    assert values["dy"] == 64.0
    assert values["snapTo"] is True
    assert values["color"] == "0,0,0"
    zone = Component(etree.fromstring('<x.Zone path="1,2; 3,4;" other="7"/>'))
    assert zone.value("path") == ((1, 2), (3, 4))
    assert zone.values()["other"] == "7"
    picker = Component(etree.fromstring('<x.PrivateMap side="A,B" edgeWidth="wide"/>'))
    assert picker.value("side") == ("A", "B")
    assert picker.value("edgeWidth") == "wide"
    assert picker.value("moveToFormat") is None
    assert picker.name == ""


@pytest.mark.parametrize(
    ("kind", "name", "text"),
    [("HexGrid", "x0", "1.5"), ("HexGrid", "dx", "inf"), ("HexGrid", "dx", "x"),
     ("Zone", "path", "1,x"), ("Board", "reversible", "yes")],
)  # fmt: skip
def test_malformed_values_are_told(kind: str, name: str, text: str) -> None:
    assert malformed(component_kind(kind).attributes[name], text)


def test_table_names_every_kind_of_the_format() -> None:
    assert len(known_kinds()) > 100
    for kind in known_kinds():
        known = component_kind(kind)
        assert not known.name_attribute or known.name_attribute in known.attributes, kind
    assert not component_kind("toolbar").attributes
    assert not component_kind("Unknown").attributes


def test_no_real_attribute_contradicts_the_table(corpus_files: tuple[Path, ...]) -> None:
    checked, odd = 0, set()
    for file in corpus_files:
        if file.suffix not in (".vmod", ".vmdx") or file.name.startswith("GreifMax"):
            continue
        build = BuildFile.read(Archive.parse(file.read_bytes()))
        assert build
        for element in build.root.element.iter(etree.Element):
            component = Component(element)
            known = component_kind(component.kind).attributes
            for name, text in component.attributes.items():
                checked += 1
                if name in known and malformed(known[name], text):
                    odd.add((component.kind, name, text))
    assert checked > 200_000
    # One module leaves this one empty; VASSAL takes it for an old version.
    assert odd == {("CounterDetailViewer", "version", "")}


# Extensions


def extension(*wrappers: str, id: str = "abc") -> bytes:
    root = tag(
        "VASSAL.build.module.ModuleExtension",
        *wrappers,
        module="M",
        moduleVersion="1.0",
        version="0.1",
        anyModule="true",
        extensionId=id,
        nextPieceSlotId=4,
    )
    data = "<data><version>0.1</version><universal>true</universal></data>"
    return zip_of({"buildFile.xml": root, "extensiondata": data})


def test_extension_is_read_with_its_targets() -> None:
    target = "VASSAL.build.module.Map:Main Map"
    data = extension(
        tag(WRAPPER, "<x.DiceButton/>", target=target), tag(WRAPPER, "<x.A/>", target="no.Such")
    )
    found = Extension.read(Archive.parse(data))
    assert (found.id, found.module, found.module_version) == ("abc", "M", "1.0")
    assert found.any_module
    assert found.metadata is not None
    assert found.metadata.universal == "true"
    assert [[c.kind for c in a.elements] for a in found.additions] == [["DiceButton"], ["A"]]
    build = BuildFile.read(Archive.parse(module(*MODULE)))
    assert build is not None
    assert [c and c.name for c in found.targets(build)] == ["Main Map", None]
    assert not list(found.problems())


def test_wrappers_that_vassal_trips_over_are_warned_of() -> None:
    """users.md C3-38: an empty wrapper crashes the loader; of two components the second is lost."""
    data = extension(tag(WRAPPER, target="a"), tag(WRAPPER, "<x.A/>", "<x.B/>", target="b"))
    warnings = describe(data, "x.vmdx").facts["warnings"]
    assert ["empty" in w for w in warnings] == [True, False]
    assert "2 elements" in warnings[1]
    assert "warnings" not in describe(extension(), "x.vmdx").facts


def test_real_extensions_are_read(corpus_files: tuple[Path, ...]) -> None:
    files = [f for f in corpus_files if f.suffix == ".vmdx"]
    found = [Extension.read(Archive.parse(f.read_bytes())) for f in files]
    assert len(found) > 20
    assert all(e.module for e in found)
    assert sum(len(e.additions) for e in found) > 40


@pytest.mark.parametrize("data", [module(), zip_of({"x": b"y"})])
def test_what_is_no_extension_is_refused(data: bytes) -> None:
    with pytest.raises((ArchiveError, BuildFileError)) as caught:
        Extension.read(Archive.parse(data))
    assert caught.value.stable_code == "NOT_AN_EXTENSION"


# Metadata

NEW = """<?xml version="1.0" encoding="UTF-8"?>\r
<data version="1">\r
  <version>1.0</version>\r
  <VassalVersion>{version}</VassalVersion>\r
  <dateSaved>17</dateSaved>\r
  <description>en</description>\r
  <description {lang}</description>\r
  <name>Game</name>\r
</data>\r
"""
MENDED = NEW.format(version="3.6.11", lang='lang="es">texto')
SWAPPED = NEW.format(version="3.6.10-SNAPSHOT", lang='lang="texto">es')


def data_of(archive: Archive) -> str:
    entry = archive.find("moduledata")
    assert entry
    return archive.read(entry).decode()


@pytest.mark.parametrize("text", [MENDED, SWAPPED])
def test_translations_are_read_whichever_way_round(text: str) -> None:
    """VASSAL issue 11929: versions before 3.6.11 swap language and text."""
    found = read_metadata(Archive.parse(zip_of({"moduledata": text})), "moduledata")
    assert found is not None
    assert found.descriptions == {"es": "texto"}
    assert (found.version, found.description, found.name, found.date_saved) == (
        "1.0", "en", "Game", "17",
    )  # fmt: skip
    assert found.names == {}


def test_document_without_a_version_is_read_as_it_stands() -> None:
    """users.md C1-8: language and text swapped by someone; read as stored."""
    text = '<data><name lang="Senderos">es</name></data>'
    found = read_metadata(Archive.parse(zip_of({"moduledata": text})), "moduledata")
    assert found is not None
    assert found.names == {"Senderos": "es"}


@pytest.mark.parametrize(
    ("text", "field", "value", "language", "old", "new"),
    [
        (MENDED, "version", "1.1", None, "<version>1.0<", "<version>1.1<"),
        (MENDED, "description", "x & y", None, ">en<", ">x &amp; y<"),
        (MENDED, "description", "otro", "es", ">texto<", ">otro<"),
        (SWAPPED, "description", "otro", "es", '"texto"', '"otro"'),
        (MENDED, "description", "ja", "ja", "  <name>",
         '  <description lang="ja">ja</description>\r\n  <name>'),
        (SWAPPED, "name", "Spiel", "de", "Game</name>\r\n",
         'Game</name>\r\n  <name lang="Spiel">de</name>\r\n'),
        (MENDED, "extra1", "e", None, "  <VassalVersion",
         "  <extra1>e</extra1>\r\n  <VassalVersion"),
        (MENDED, "name", "Game", None, "", ""),
    ],
)  # fmt: skip
def test_metadata_is_edited_in_place(
    text: str, field: str, value: str, language: str | None, old: str, new: str
) -> None:
    archive = Archive.parse(zip_of({"moduledata": text}))
    edited = set_metadata(archive, "moduledata", field, value, language)
    assert data_of(edited) == text.replace(old, new, 1 if old else 0)
    assert (edited is archive) == (old == new)


@pytest.mark.parametrize(
    ("entry", "field", "language", "code"),
    [
        ("savedata", "version", None, "METADATA"),
        ("moduledata", "nothing", None, "METADATA_FIELD"),
        ("moduledata", "version", "es", "METADATA_FIELD"),
    ],
)
def test_metadata_that_vassal_lacks_is_refused(
    entry: str, field: str, language: str | None, code: str
) -> None:
    with pytest.raises(BuildFileError) as caught:
        set_metadata(Archive.parse(zip_of({"moduledata": MENDED})), entry, field, "x", language)
    assert caught.value.stable_code == code
