"""Extraction: the document comes back, with counters that were dragged, and without the embedded copy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.crafted import map_window
from tests.support.crafted import module as crafted_module
from tests.support.places import REPO
from vmod_tools.archive import Archive
from vmod_tools.build.builder import EMBEDDED_MAP, build_module, read_map_set
from vmod_tools.errors import MapError
from vmod_tools.extract import Extraction, extract
from vmod_tools.mapdoc.geometry import aliases, hex_name, layout, locate, pixel, resolve
from vmod_tools.mapdoc.model import HexMap, Site
from vmod_tools.mapdoc.reading import read_document
from vmod_tools.modules import Module

FOLDER = REPO / "maps" / "weu-denmark"
SOURCE = (FOLDER / "map.xml").read_bytes()
SITE = "aalborg-airfield"


@pytest.fixture(scope="module")
def built() -> Archive:
    return Archive.parse(build_module(read_map_set(FOLDER)))


@pytest.fixture(scope="module")
def hex_map() -> HexMap:
    return read_document(SOURCE).maps[0]


def build_file(archive: Archive) -> str:
    entry = archive.find("buildFile.xml")
    assert entry is not None
    return archive.read(entry).decode()


def extracted(archive: Archive, text: str | None = None, *, embedded: bool = True) -> Extraction:
    if text is not None:
        archive = archive.with_entry("buildFile.xml", text.encode())
    if not embedded:
        archive = archive.without_entry(EMBEDDED_MAP)
    return extract(Module.read(Archive.parse(archive.to_bytes())))


def dragged(archive: Archive, site: str, x: int, y: int) -> str:
    """The build file in which the site's SetupStack stands elsewhere."""
    text = build_file(archive)
    at = text.index(f"{site},")  # the marker's state
    start = text.rindex("<VASSAL.build.module.map.SetupStack", 0, at)
    end = text.index(">", start)
    moved = re.sub(r'\bx="\d+" y="\d+"', f'x="{x}" y="{y}"', text[start:end])
    assert moved != text[start:end]
    return text[:start] + moved + text[end:]


def sites(hex_map: HexMap) -> dict[str, tuple[str, Site]]:
    return {
        site.id: (hex_name(hex_map, place.cell), site)
        for place in hex_map.hexes.values()
        for site in place.sites
    }


# With the embedded document


def test_document_comes_back_byte_for_byte(built: Archive) -> None:
    assert extracted(built) == Extraction(SOURCE, ())


@pytest.mark.parametrize("step", [(0, 1), (-1, 0), (9, -7)])
def test_dragged_counter_comes_back_at_its_pixel(
    built: Archive, hex_map: HexMap, step: tuple[int, int]
) -> None:
    hex_name_before, site = sites(hex_map)[SITE]
    cell = resolve(hex_map, hex_name_before)
    x, y = pixel(layout(hex_map), cell, site.at)
    x, y = x + step[0], y + step[1]
    result = extracted(built, dragged(built, SITE, x, y))
    again = read_document(result.document).maps[0]
    where, moved = sites(again)[SITE]
    assert where == hex_name_before
    assert pixel(layout(again), resolve(again, where), moved.at) == (x, y)
    assert len(result.differences) == 1
    assert SITE in result.differences[0]
    assert hex_name_before in result.differences[0]
    others = {i: s for i, s in sites(again).items() if i != SITE}
    assert others == {i: s for i, s in sites(hex_map).items() if i != SITE}
    # Every line but that of the site is as it was.
    before, after = SOURCE.splitlines(), result.document.splitlines()
    assert [b for b, a in zip(before, after, strict=True) if b != a] == [
        line for line in before if f'id="{SITE}"'.encode() in line
    ]


def test_counter_dragged_into_another_hex_comes_back_there(built: Archive, hex_map: HexMap) -> None:
    target = resolve(hex_map, "B5330")
    text = SOURCE.decode()
    site = next(
        i
        for i, (_, s) in sites(hex_map).items()
        if s.bank is None and f'to="{i}"' not in text and f'from="{i}"' not in text
    )
    x, y = pixel(layout(hex_map), target, sites(hex_map)[site][1].at)
    result = extracted(built, dragged(built, site, x, y))
    again = read_document(result.document).maps[0]
    where, moved = sites(again)[site]
    assert where == "B5330"
    assert pixel(layout(again), target, moved.at) == (x, y)


def test_document_that_a_dragged_counter_breaks_is_given_with_a_warning(
    built: Archive, hex_map: HexMap
) -> None:
    target = resolve(hex_map, "B5330")
    x, y = pixel(layout(hex_map), target, sites(hex_map)["gardermoen-airfield"][1].at)
    result = extracted(built, dragged(built, "gardermoen-airfield", x, y))
    assert result.differences[0].startswith("site gardermoen-airfield: its counter stands in B5330")
    assert "mended by hand" in result.differences[1]
    assert "[WAY_TO_NOWHERE]" in result.differences[1]


def test_counter_dragged_off_the_described_hexes_is_refused(
    built: Archive, hex_map: HexMap
) -> None:
    plan = layout(hex_map)
    x, y = next(
        (x, y)
        for x in range(0, plan.width, 20)
        for y in range(0, plan.height, 20)
        if locate(plan, x, y).cell not in hex_map.hexes
    )
    with pytest.raises(MapError) as caught:
        extracted(built, dragged(built, SITE, x, y))
    assert (caught.value.stable_code, caught.value.field) == ("SITE_OFF_MAP", SITE)


def test_counters_that_came_or_went_are_said(built: Archive) -> None:
    text = build_file(built).replace(f"{SITE},", "new-site,")
    result = extracted(built, text)
    assert result.document == SOURCE
    assert result.differences == (
        f"site {SITE}: its counter is gone from the module; kept",
        "site new-site: it is in the module only; left out",
    )


def test_other_at_start_stacks_are_no_sites(built: Archive) -> None:
    text = build_file(built).replace("SiteId,", "NoSiteId,")
    result = extracted(built, text)
    assert result.document == SOURCE
    assert all("gone from the module" in d for d in result.differences)


def test_map_window_that_was_renamed_keeps_the_document(built: Archive) -> None:
    text = build_file(built).replace('mapName="Denmark and the Skagerrak"', 'mapName="Other"')
    result = extracted(built, text)
    assert result.document == SOURCE
    assert all("gone from the module" in d for d in result.differences)


def test_declaration_and_end_of_the_document_are_kept(built: Archive, hex_map: HexMap) -> None:
    x, y = pixel(layout(hex_map), resolve(hex_map, "B5431"), sites(hex_map)[SITE][1].at)
    for data in (
        SOURCE.replace(b'<?xml version="1.0" encoding="UTF-8"?>\n', b""),
        SOURCE.replace(b'<?xml version="1.0"', b"<?xml version='1.0'").rstrip(),
        SOURCE.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + SOURCE + b"<!-- kept -->",
        SOURCE.decode().replace("UTF-8", "UTF-16", 1).encode("utf-16"),
    ):
        archive = built.with_entry(EMBEDDED_MAP, data)
        moved = extracted(archive, dragged(built, SITE, x + 3, y)).document
        old, new = b'x="0.12" y="-0.27"', b'x="0.145" y="-0.27"'
        if b"\0" in data:
            old, new = (text.decode().encode("utf-16-le") for text in (old, new))
        assert moved == data.replace(old, new, 1)
        read_document(moved)


# Without it


def test_without_the_copy_every_site_is_at_its_pixel(built: Archive, hex_map: HexMap) -> None:
    result = extracted(built, embedded=False)
    again = read_document(result.document).maps[0]
    assert result.differences == ()
    ours, rebuilt = sites(hex_map), sites(again)
    assert rebuilt.keys() == ours.keys()
    # Counted from the hex: the rebuilt board is cut to the hexes that have sites.
    for name, (where, site) in ours.items():
        found_in, found = rebuilt[name]
        assert found_in == where, name
        assert (found.kind, found.bank, dict(found.names)) == (
            site.kind,
            site.bank,
            dict(site.names),
        )
        cell = resolve(hex_map, where)
        assert pixel(layout(hex_map), cell, found.at) == pixel(layout(hex_map), cell, site.at)


def test_without_the_copy_grid_and_sheets_are_equal(built: Archive, hex_map: HexMap) -> None:
    again = read_document(extracted(built, embedded=False).document).maps[0]
    assert again.grid == hex_map.grid
    assert again.sheets == hex_map.sheets
    for cell in again.hexes:
        assert aliases(again, cell) == aliases(hex_map, cell)
    assert again.titles["en"] == hex_map.titles["en"]


def test_module_without_our_map_is_refused(built: Archive) -> None:
    data = crafted_module(map_window("Main"))
    with pytest.raises(MapError) as caught:
        extract(Module.read(Archive.parse(data)))
    assert caught.value.stable_code == "MAP_NONE"


@pytest.mark.parametrize(
    ("pattern", "replacement", "code"),
    [
        (r'initialValue="1-61 1-33 0 0"', 'initialValue="1-61 1-33"', "SHEET_PROPERTY"),
        (r'initialValue="1-61 1-33 0 0"', 'initialValue="1-x 1-33 0 0"', "SHEET_PROPERTY"),
        (r"<VASSAL\S+HexGridNumbering [^>]*>", "", "GRID_MISSING"),
        (r"(?s)<VASSAL\S+\.HexGrid .*?</VASSAL\S+\.HexGrid>", "", "GRID_MISSING"),
    ],
)
def test_module_that_was_changed_beyond_reading_is_refused(
    built: Archive, pattern: str, replacement: str, code: str
) -> None:
    text, count = re.subn(pattern, replacement, build_file(built))
    assert count
    with pytest.raises(MapError) as caught:
        extracted(built, text, embedded=False)
    assert caught.value.stable_code == code


def test_extracted_document_builds_the_same_counters(
    built: Archive, hex_map: HexMap, tmp_path: Path
) -> None:
    """Document to module to document: both are identities."""
    for name in FOLDER.iterdir():
        (tmp_path / name.name).write_bytes(name.read_bytes())
    (tmp_path / "map.xml").write_bytes(extracted(built).document)
    assert build_module(read_map_set(tmp_path)) == built.to_bytes()
    assert hex_map.hexes
