"""`vmod edit`: what it asks for, what it says, and that a killed writer leaves the old file."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e_edit.layers import build_text, text_of
from tests.e_edit.test_modules import prototype, slot
from tests.support import crafted
from tests.support.crafted import (
    MAP,
    board,
    hex_grid,
    log_text,
    map_window,
    move,
    piece,
    save_text,
    stack,
    step,
    zip_of,
)
from vmod_tools.archive import Archive
from vmod_tools.cli import cli
from vmod_tools.command_line import run
from vmod_tools.saves import Save

PIECES = (
    piece("1", 5, 5, ("mark;Side", "Red"), ("hide;", "password")),
    piece("2", 5, 5, ("mark;Side", "Red")),
    stack("s", 5, 5, "1", "2"),
    piece("3", 70, 80),
)
SAVE = crafted.game(
    save_text(*PIECES, rest=["PLAYER\tsecret\tAnn\tRed", "GlobalProperty\t;Turn;1;Module"]),
    savedata="<data><version>1.0</version></data>",
)
MODULE = crafted.module(
    slot("A", "3", ("mark;Side", "Blue")),
    prototype("Land", ("mark;Side", "None")),
    map_window(MAP, board("Board", 99, 99, hex_grid({}, x0=5, y0=5))),
)


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "game.vsav"
    path.write_bytes(SAVE)
    return path


@pytest.fixture
def built(tmp_path: Path) -> Path:
    path = tmp_path / "game.vmod"
    path.write_bytes(MODULE)
    return path


def vmod(*words: object) -> int:
    with pytest.raises(SystemExit) as caught:
        run(cli, ["edit", *map(str, words)])
    assert isinstance(caught.value.code, int)
    return caught.value.code


def test_dry_run_says_what_would_change_and_writes_nothing(
    save: Path, built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--set", "Side=Blue", "--add-trait", "mark;New|x", "--remove-trait", "hide;"]
    more = ["--move", "70,80", "--rename", "Tank", "--set-global", "Turn=2"]
    select = ["--select", "Side=Red and location=0101", "--module", built]
    assert vmod(save, *select, *options, *more, "--set-metadata", "version=2", "--dry-run") == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "unit 1 (1)  Side: 'Red' → 'Blue'",
        "unit 2 (2)  Side: 'Red' → 'Blue'",
        "unit 1 (1)  New: '' → 'x'",
        "unit 1 (1)  trait: '' → 'mark;New'",
        "unit 2 (2)  New: '' → 'x'",
        "unit 2 (2)  trait: '' → 'mark;New'",
        "unit 1 (1)  trait: 'hide;' → ''",
        "unit 1 (1)  BasicName: 'unit 1' → 'Tank'",
        "unit 2 (2)  BasicName: 'unit 2' → 'Tank'",
        "Tank (1)  place: 'Main Map 5,5' → 'Main Map 70,80'",
        "Tank (2)  place: 'Main Map 5,5' → 'Main Map 70,80'",
        "global property Module  Turn: '1' → '2'",
        "savedata  version: '1.0' → '2'",
    ]
    assert err.splitlines() == ["2 matched", "1 of 2 have no trait 'hide;'", "13 changes"]
    assert "password" not in out + err
    assert save.read_bytes() == SAVE
    assert sorted(p.name for p in save.parent.iterdir()) == ["game.vmod", "game.vsav"]


def test_dry_run_without_an_edit_lists_what_matches(
    save: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert vmod(save, "--select", "*", "--dry-run", "--quiet") == 0
    assert capsys.readouterr().out.splitlines() == ["unit 1 (1)", "unit 2 (2)", "unit 3 (3)"]


def test_output_and_backup(save: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new.vsav"
    assert vmod(save, "--select", "id=3", "--delete", "-o", out) == 0
    assert capsys.readouterr().err.splitlines() == ["1 matched", "1 changes"]
    assert set(Save.read(Archive.parse(out.read_bytes())).state.pieces) == {"1", "2"}
    assert save.read_bytes() == SAVE
    assert vmod(save, "--select", "id=3", "--delete", "--in-place") == 0
    assert save.read_bytes() == out.read_bytes()
    assert (tmp_path / "game.vsav~").read_bytes() == SAVE
    # What changes nothing is not written, and no backup is lost.
    assert vmod(save, "--select", "id=2", "--set", "Side=Red", "--in-place") == 0
    assert (tmp_path / "game.vsav~").read_bytes() == SAVE


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "where to write"),
        (["-o", "x", "--in-place"], "where to write"),
        (["--new-save", "x.csv", "-o", "x"], "give a FILE to edit, or"),
        (["-o", "game.vsav"], "[FILE_INPUT]"),
        (["-o", "x", "--set", "Side=x"], "--select: which pieces? (* is all) [EDIT_SELECT]"),
        (["-o", "x", "--select", "name=9", "--delete"], "[NOTHING_MATCHED]"),
        (["-o", "x", "--select", "*", "--set", "No=1"], "[NOTHING_MATCHED]"),
        (["-o", "x", "--select", "*", "--remove-trait", "emb2;"], "[NOTHING_MATCHED]"),
        (["-o", "x", "--set-global", "None=1"], "[NOTHING_MATCHED]"),
        (["-o", "x", "--set-global", "Turn@Other=1"], "[NOTHING_MATCHED]"),
        (["-o", "x", "--set-attribute", "Map@a=b"], "[EDIT_KIND]"),
        (["-o", "x", "--set-attribute", "Map"], "--set-attribute: not a component path"),
        (["-o", "x", "--select", "*", "--set", "Side"], "--set: must be NAME=VALUE [EDIT_OPTION]"),
        (["-o", "x", "--select", "*", "--set-field", "a=b"], "[EDIT_OPTION]"),
        (["-o", "x", "--select", "*", "--add-trait", "|a"], "[EDIT_OPTION]"),
        (["-o", "x", "--select", "*", "--remove-trait", ""], "[EDIT_OPTION]"),
        (["-o", "x", "--select", "*", "--move", "5"], "[EDIT_OPTION]"),
        (["-o", "x", "--select", "*", "--move", ":5,5"], "[EDIT_OPTION]"),
        (["-o", "x", "--select", "location=1", "--delete"], "--module: location names need"),
        (["-o", "x", "--select", "no selector"], "[SELECTOR]"),
        (["-o", "x", "--add-pieces", "rows.csv"], "[MODULE_NEEDED]"),
        (["-o", "x", "--add-pieces", "bad.csv"], "bad.csv:line 1: the table lacks"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(
    save: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    words: list[str], said: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(save.parent)
    Path("rows.csv").write_text("slot,map,x,y\n3,Main Map,9,9\n")
    Path("bad.csv").write_text("nothing\n")
    assert vmod("game.vsav", *words) == 2
    assert said in capsys.readouterr().err
    assert save.read_bytes() == SAVE
    assert not Path("x").exists()


def test_piece_off_the_map_needs_a_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.vsav"
    path.write_bytes(crafted.game(save_text(piece("1", 0, 0, map="null"))))
    assert vmod(path, "--select", "*", "--move", "5,5", "-o", tmp_path / "y") == 2
    assert "[EDIT_MOVE]" in capsys.readouterr().err
    assert vmod(path, "--select", "*", "--move", "A:B: 5, 6", "-o", tmp_path / "y") == 0
    assert ";5;6;" in text_of((tmp_path / "y").read_bytes())


def test_pieces_are_added_from_a_table(save: Path, built: Path, tmp_path: Path) -> None:
    table = tmp_path / "more.csv"
    table.write_text("slot,map,location,Side\nA,Main Map,0101,Grey\n")
    assert vmod(save, "--add-pieces", table, "--module", built, "-o", tmp_path / "y") == 0
    state = Save.read(Archive.parse((tmp_path / "y").read_bytes())).state
    assert state.holders["s"].members == ("1", "2", "1000000000000")


def test_steps_of_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "x.vlog", tmp_path / "y.vlog"
    path.write_bytes(
        crafted.game(log_text(save_text(PIECES[1]), step(PIECES[0], move("2", (1, 1)))))
    )
    add = ["--select", "*", "--add-trait", r"calcProp;X;{a\|\|b}|"]
    assert vmod(path, *add, "-o", out) == 0
    assert text_of(out.read_bytes()).count("calcProp;X;{a||b}") == 1
    assert vmod(path, *add, "--steps", "-o", out) == 0
    assert text_of(out.read_bytes()).count("calcProp;X;{a||b}") == 2
    assert vmod(path, "--select", "*", "--add-trait", "delete;", "-o", out) == 0
    capsys.readouterr()


def test_text_that_ends_in_a_backslash_is_warned_of(
    save: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The engine reads it, and writes it back without quotes."""
    for words in (
        ["--set", "Side=a\\"], ["--add-trait", "mark;a\\"], ["--set-state", "mark;=a\\"],
        ["--set-field", "hide;:command=a\\"],
    ):  # fmt: skip
        assert vmod(save, "--select", "id=1", *words, "--dry-run") == 0
        assert "ends in a backslash" in capsys.readouterr().err


# Modules


def test_module_is_edited(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "y.vmod"
    words = ["--set-attribute", f"Map[{MAP}]/Board[Board]@width=100", "--set-metadata",
             "description[de]=Spiel", "--select", "kind=slot", "--set", "Side=Red"]  # fmt: skip
    assert vmod(built, *words, "-o", out) == 0
    assert build_text(out.read_bytes()) == build_text(MODULE).replace(
        '"99" height', '"100" height'
    ).replace('width="99"', 'width="100"').replace("/Blue\t", "/Red\t")
    assert capsys.readouterr().err.splitlines() == ["1 matched", "3 changes"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--select", "*", "--delete"], "[EDIT_KIND]"),
        (["--select", "name=x", "--rename", "y"], "[NOTHING_MATCHED]"),
        (["--set-attribute", "Map[x]@a=b"], "Map[x]: there is no such component"),
        (["--set-metadata", "x=y"], "[METADATA_FIELD]"),
    ],
)
def test_what_a_module_cannot_do(
    built: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert vmod(built, *words, "--dry-run") == 2
    assert said in capsys.readouterr().err


def test_extension_is_edited(tmp_path: Path) -> None:
    path = tmp_path / "x.vmdx"
    root = '<VASSAL.build.module.ModuleExtension extensionId="abc"/>'
    path.write_bytes(zip_of({"buildFile.xml": root, "extensiondata": "<data></data>"}))
    words = ["--set-attribute", "@version=2", "--set-metadata", "universal=true", "--in-place"]
    assert vmod(path, *words) == 0
    archive = Archive.parse(path.read_bytes())
    assert [archive.read(e) for e in archive.entries] == [
        b'<VASSAL.build.module.ModuleExtension extensionId="abc" version="2"/>',
        b"<data><universal>true</universal></data>",
    ]


# New saves


def test_new_save(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, out = tmp_path / "rows.csv", tmp_path / "new.vsav"
    table.write_text("slot,map,location\nA,Main Map,0101\n")
    words = ["--new-save", table, "--module", built, "--boards", f"{MAP}=Board,Board", "-o", out]
    assert vmod(*words) == 0
    assert "1 pieces" in capsys.readouterr().err
    assert vmod(*words, "--quiet") == 0
    assert capsys.readouterr().err == ""
    state = Save.read(Archive.parse(out.read_bytes())).state
    assert state.boards[MAP] == ("Board", "0", "0", "Board", "1", "0")


def test_bad_new_save(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "rows.csv"
    table.write_text("slot,map,location\nA,Main Map,nowhere\n")
    assert vmod("--new-save", table, "-o", tmp_path / "y") == 2
    assert "[MODULE_NEEDED]" in capsys.readouterr().err
    assert vmod("--new-save", table, "--module", built, "-o", tmp_path / "y") == 2
    assert "rows.csv:line 2: the row names a location" in capsys.readouterr().err
    assert vmod("--new-save", table, "--module", built) == 2
    assert vmod("--new-save", table, "--module", built, "--dry-run", "-o", "x") == 2
    assert not (tmp_path / "y").exists()


# Atomic writes

_SLOW = """
import os, sys, time
from vmod_tools.cli import cli
from vmod_tools.command_line import run

def hang(descriptor):
    print(flush=True)
    time.sleep(60)

os.fsync = hang
run(cli, sys.argv[1:])
"""


def test_killed_writer_leaves_the_old_file(save: Path) -> None:
    """users.md C3-38: the writer dies in the middle of writing, before or behind the backup."""
    words = ["edit", str(save), "--select", "id=3", "--delete", "--in-place"]
    for backup_is_written in (False, True):
        script = _SLOW if not backup_is_written else _SLOW.replace(
            "def hang(descriptor):", "def hang(descriptor, calls=[]):\n    calls.append(0)\n"
            "    if len(calls) < 2:\n        return"
        )  # fmt: skip
        with subprocess.Popen(
            [sys.executable, "-c", script, *words], stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout
            assert writer.stdout.readline() == b"\n"
            partial = list(save.parent.glob(".*.part"))
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        assert partial
        assert save.read_bytes() == SAVE
        assert save.with_name("game.vsav~").exists() == backup_is_written
    # The next writer is not hindered by what the dead one left.
    assert vmod(*words[1:]) == 0
    assert save.read_bytes() != SAVE
    assert not list(save.parent.glob(".*vsav.part"))
