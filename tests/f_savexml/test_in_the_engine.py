"""VASSAL itself reads what `from-xml` makes of a redacted and of an edited document."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vassal.engine import Engine
from vmod_tools.savexml import from_xml, to_xml

FILES = ("small-3.6.vlog", "small-3.7.vlog", "small-3.7.vsav")


@pytest.mark.engine
@pytest.mark.parametrize("name", FILES)
def test_redacted_file_loads(engine: Engine, genuine: Path, tmp_path: Path, name: str) -> None:
    made = tmp_path / name
    made.write_bytes(from_xml(to_xml((genuine / name).read_bytes(), redact=True).document).data)
    told = engine.run("dump", genuine / "small.vmod", made)
    assert told["clean"]
    assert "p1" in str(told)


@pytest.mark.engine
@pytest.mark.parametrize("name", FILES)
def test_edited_marker_is_read(engine: Engine, genuine: Path, tmp_path: Path, name: str) -> None:
    document = to_xml((genuine / name).read_bytes()).document.decode()
    made = tmp_path / name
    edited = document.replace('name="Side">Red<', 'name="Side">緑;,\\<', 1)
    made.write_bytes(from_xml(edited.encode()).data)
    told = engine.run("dump", genuine / "small.vmod", made)
    assert told["clean"]
    assert "緑" in str(told)
