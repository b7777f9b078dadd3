"""Every real file comes back byte for byte from its XML, and its XML is valid."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from tests.support import places
from vmod_tools.resources import data_folder
from vmod_tools.savexml import from_xml, to_xml
from vmod_tools.savexml.nodes import NAMESPACE

FOLDER = places.genuine()
GENUINE = (
    sorted(p for p in FOLDER.iterdir() if p.suffix in places.CORPUS_SUFFIXES) if FOLDER else []
)
FILES = [*places.corpus_files(), *GENUINE]
TAG = f"{{{NAMESPACE}}}"


@pytest.fixture(scope="module")
def schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(str(data_folder("schemas") / "save.rng")))


# from_xml refuses what is not valid, so this shows both.
@pytest.mark.parametrize("file", FILES, ids=lambda p: p.name)
def test_real_file_comes_back(file: Path) -> None:
    data = file.read_bytes()
    document = to_xml(data).document
    rebuilt = from_xml(document)
    assert rebuilt.data == data
    assert rebuilt.warnings == ()


def test_there_are_files_of_every_kind(corpus_files: tuple[Path, ...]) -> None:
    assert {file.suffix for file in corpus_files} == set(places.CORPUS_SUFFIXES)
    assert len(FILES) >= 154


@pytest.mark.parametrize("file", GENUINE, ids=lambda p: p.name)
def test_real_file_is_readable(file: Path, schema: etree.RelaxNG) -> None:
    root = etree.fromstring(to_xml(file.read_bytes()).document)
    schema.assertValid(root)
    assert not root.findall(f".//{TAG}raw-entry")
    if file.suffix == ".vmod":
        text = root.findtext(f".//{TAG}entry[@name='buildFile.xml']/{TAG}text") or ""
        assert text.startswith("<?xml")
    else:
        opaque = {
            e.get("text", "") for e in root.iter(f"{TAG}command") if e.get("kind") == "opaque"
        }
        assert {text[:5] for text in opaque} <= {"null", "NOTES", "PNOTE"}
        assert root.findall(f".//{TAG}state[@kind='Marker']/{TAG}field[@name='Side']")


def test_output_does_not_grow_out_of_hand(shared: Path) -> None:
    file = max(shared.glob("corpus/*.vsav"), key=lambda p: p.stat().st_size)
    document = to_xml(file.read_bytes()).document
    root = etree.fromstring(document)
    pieces, types = root.findall(f".//{TAG}piece"), root.findall(f".//{TAG}type")
    assert len(types) < len(pieces)
    assert len(document) < 40 * file.stat().st_size


def test_output_is_deterministic(genuine: Path) -> None:
    data = (genuine / "small-3.7.vlog").read_bytes()
    assert to_xml(data).document == to_xml(data).document
