"""`vmod to-xml` and `vmod from-xml`."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

import pytest

from tests.support.crafted import game, save_text, zip_of
from vmod_tools.cli import cli
from vmod_tools.command_line import run
from vmod_tools.savexml.deflate import Setting

SAVE = game(save_text(rest=["PLAYER\tletmein\tAnn\tRed", "CHATletmein"]))


def vmod(*arguments: str | Path) -> object:
    with pytest.raises(SystemExit) as caught:
        run(cli, map(str, arguments))
    return caught.value.code


def test_there_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save, xml, again = tmp_path / "a.vsav", tmp_path / "a.xml", tmp_path / "b.vsav"
    save.write_bytes(SAVE)
    assert vmod("to-xml", save, "-o", xml) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "passwords (1); --redact" in said.err
    assert "letmein" not in said.err
    assert vmod("from-xml", xml, "-o", again) == 0
    assert capsys.readouterr().err == ""
    assert again.read_bytes() == SAVE


def test_xml_goes_to_stdout(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    save = tmp_path / "a.vsav"
    save.write_bytes(SAVE)
    assert vmod("to-xml", save, "--redact") == 0
    said = capfdbinary.readouterr()
    assert said.out.startswith(b"<?xml")
    assert b'user_id="p1"' in said.out
    assert b"1 of the ids left out also stand in other texts" in said.err


def test_nothing_secret_no_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = tmp_path / "a.vsav"
    save.write_bytes(game(save_text()))
    assert vmod("to-xml", save, "-o", tmp_path / "a.xml") == 0
    assert capsys.readouterr().err == ""


def test_errors_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other, xml = tmp_path / "a.zip", tmp_path / "a.xml"
    other.write_bytes(zip_of({"a": b""}))
    xml.write_text("<a>\n<b></a>", encoding="utf-8")
    assert vmod("to-xml", other) == 2
    assert capsys.readouterr().err.endswith("[NOT_VASSAL]\n")
    assert vmod("from-xml", xml, "-o", tmp_path / "b") == 2
    err = capsys.readouterr().err
    assert err.startswith(f"{xml}:line 2 column")
    assert err.endswith("[SAVEXML_XML]\n")
    assert err.count("\n") == 1


def test_inputs_are_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save, xml = tmp_path / "a.vsav", tmp_path / "a.xml"
    save.write_bytes(SAVE)
    assert vmod("to-xml", save, "-o", save) == 2
    assert vmod("to-xml", save, "-o", xml) == 0
    assert vmod("from-xml", xml, "-o", xml) == 2
    assert "[FILE_INPUT]" in capsys.readouterr().err
    assert save.read_bytes() == SAVE


def test_other_zlib_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build, xml = tmp_path / "a.vmod", tmp_path / "a.xml"
    from_xml_of = tmp_path / "b.vmod"
    build.write_bytes(deflated())
    assert vmod("to-xml", build, "-o", xml) == 0
    monkeypatch.setattr(Setting, "deflate", lambda self, data: stored(data))
    assert vmod("from-xml", xml, "-o", from_xml_of) == 0
    assert "deflates it otherwise" in capsys.readouterr().err


def deflated() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(zipfile.ZipInfo("buildFile"), b"<a/>" * 99, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def stored(data: bytes) -> bytes:
    packer = zlib.compressobj(0, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()
