"""The `vmod` command: results on stdout, one-line errors on stderr, exit codes 0, 1 and 2."""

from __future__ import annotations

import io
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import click
import pytest

import vmod_tools.verify
from tests.support.crafted import (
    ESC,
    add,
    basic_state,
    chain,
    change,
    game,
    log_text,
    map_window,
    module,
    move,
    piece,
    save_text,
    seq,
    stack,
    step,
    zip_of,
)
from tests.support.places import REPO
from vmod_tools import command_line
from vmod_tools.cli import cli
from vmod_tools.command_line import run
from vmod_tools.errors import InputFileError, VmodError

START = save_text(
    piece("1", 62, 62, ("PROP;Mode;;", "")), stack("s", 62, 62, "1"), rest=["PLAYER\tpw\tAnn\tRed"]
)
LOG = game(
    log_text(
        START,
        step("CHAT&lt;Ann&gt; - hello"),
        step(move("1", (114, 92), (62, 62)), "CHAT* 1 moves"),
        step(change("1", chain("road", basic_state(62, 62)), chain("", basic_state(62, 62)))),
        step("UNDO\ttrue", "CHAT* UNDO: * 1 moves", move("1", (62, 62), (114, 92)), "UNDO\tfalse"),
    ),
    module="Oracle Test",
)


class Said(NamedTuple):
    code: object
    out: str
    err: str


class Vmod:
    """Runs the command in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Said:
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as caught:
            run(cli, [str(a) for a in arguments])
        return Said(caught.value.code, *self._capsys.readouterr())

    def fails(self, *arguments: str | Path) -> str:
        """The one line on stderr, of a command that could not run."""
        said = self(*arguments)
        assert (said.code, said.out) == (2, "")
        assert re.fullmatch(r"[^\n]+\n", said.err), said.err
        return said.err.rstrip()


@pytest.fixture
def vmod(capsys: pytest.CaptureFixture[str]) -> Vmod:
    return Vmod(capsys)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "a.vlog"
    path.write_bytes(LOG)
    return path


def file_of(folder: Path, text: str | bytes, name: str = "x.vlog") -> Path:
    path = folder / name
    path.write_bytes(game(text))
    return path


# Errors: issue 2, "Must show"


@pytest.mark.parametrize("verb", ["info", "log", "verify", "extract"])
def test_no_such_file(vmod: Vmod, verb: str) -> None:
    assert vmod.fails(verb, "no/such.vlog") == "no/such.vlog: no such file [FILE_MISSING]"


@pytest.mark.parametrize("verb", ["info", "log", "verify", "extract"])
def test_not_a_zip(vmod: Vmod, tmp_path: Path, verb: str) -> None:
    path = tmp_path / "x.vlog"
    path.write_bytes(b"begin_save")
    assert vmod.fails(verb, path) == f"{path}: not a zip archive [ARCHIVE_NOT_ZIP]"


@pytest.mark.parametrize(
    ("verb", "code"),
    [
        ("info", "NOT_VASSAL"),
        ("verify", "NOT_VASSAL"),
        ("log", "NOT_A_SAVE"),
        ("extract", "NOT_A_MODULE"),
    ],
)
def test_zip_without_a_game_or_module(vmod: Vmod, tmp_path: Path, verb: str, code: str) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(zip_of({"readme.txt": "hello"}))
    said = vmod.fails(verb, path)
    assert said.startswith(f"{path}: ")
    assert said.endswith(f"[{code}]")


HALF = b"!VCSK00" + seq(ESC, "begin_save", "CHATx").encode().hex().encode()
BROKEN: dict[str, tuple[str | bytes, str]] = {
    "odd hex": (HALF[:-1], " the text is cut short: 33 hex digits, an odd number [ENVELOPE_ODD]"),
    "cut in the middle": (HALF, " the text is cut short: there is no end_save [SAVE_TRUNCATED]"),
    "bad digit": (HALF[:-1] + b"?", " b'?' at byte 38 is not a hex digit [ENVELOPE_HEX]"),
    "empty": (b"", " the text is empty [ENVELOPE_EMPTY]"),
    "header only": (b"!VCSK", " the text ends inside its header [ENVELOPE_SHORT]"),
    "unknown magic": (
        b"VOBX1234",
        " unknown kind of text: it begins with b'VOBX1234', not with !VCSK, VOBS or a command [ENVELOPE_UNKNOWN]",
    ),
    # Public report 9349
    "command cut short": (
        seq(ESC, "begin_save", "+/17", "end_save"),
        "command 2:type: the add command is cut short: it has 1 of 3 fields [COMMAND_SHORT]",
    ),
    "move cut short": (
        log_text(START, step("M/17/Main/10")),
        "step 1:y: the move command is cut short: it has 3 of 9 fields [COMMAND_SHORT]",
    ),
    "not a number": (
        log_text(START, step("CHATx"), step("M/17/Main/ten/1/null/null/0/0/null/pw")),
        "step 2:x: not a whole number [COMMAND_NUMBER]",
    ),
    "no begin_save": (
        "CHATx" + ESC + "end_save",
        " the text does not start with begin_save [SAVE_START]",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_text_is_one_line_with_its_place(vmod: Vmod, tmp_path: Path, name: str) -> None:
    text, message = BROKEN[name]
    path = file_of(tmp_path, text)
    assert vmod.fails("log", path) == f"{path}:{message}"
    assert vmod.fails("info", path).startswith(f"{path}:")


@pytest.mark.parametrize("name", ["odd hex", "bad digit", "command cut short", "not a number"])
def test_verify_reports_broken_text_and_goes_on(vmod: Vmod, tmp_path: Path, name: str) -> None:
    path = file_of(tmp_path, BROKEN[name][0])
    said = vmod("verify", path)
    assert (said.code, said.err) == (0, "")
    assert f"{path}: exact (" in said.out
    assert "  malformed, kept as it is: " in said.out


def test_module_of_another_name(vmod: Vmod, log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.vmod"
    other.write_bytes(module(map_window("Main Map"), name="Other"))
    assert vmod.fails("log", log, "--module", other) == (
        f"{log}: the log was played with the module 'Oracle Test', not with 'Other' [MODULE_MISMATCH]"
    )


def test_module_that_is_none(vmod: Vmod, log: Path) -> None:
    said = vmod.fails("log", log, "--module", log)
    assert said.startswith(f"{log}: ")
    assert said.endswith("[NOT_A_MODULE]")


def test_unreadable_file_is_named(vmod: Vmod, monkeypatch: pytest.MonkeyPatch, log: Path) -> None:
    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert vmod.fails("info", log) == f"{log}: cannot be read: Permission denied [FILE_READ]"


def test_usage_errors_are_exit_code_2(vmod: Vmod) -> None:
    assert vmod("log").code == 2
    assert vmod("no-such-command").code == 2
    assert vmod("info", "x", "--format", "html").code == 2
    assert "Missing argument" in vmod("verify").err


def test_help_and_version_are_exit_code_0(vmod: Vmod) -> None:
    assert vmod("--help").code == 0
    assert "Usage:" in vmod("log", "-h").out
    assert vmod("--version").out.startswith("vmod, version ")


def test_debug_shows_a_traceback(vmod: Vmod) -> None:
    for verb in ("info", "log"):
        said = vmod(verb, "no/such.vlog", "--debug")
        assert said.code == 2
        assert "Traceback" in said.err
        assert said.err.endswith("no/such.vlog: no such file [FILE_MISSING]\n")


def test_name_of_a_file_cannot_break_the_line(vmod: Vmod, tmp_path: Path) -> None:
    path = tmp_path / "a\n\x1b[31mb.vlog"
    path.write_bytes(b"no zip")
    assert vmod.fails("info", path).endswith(
        "a\\x0a\\x1b[31mb.vlog: not a zip archive [ARCHIVE_NOT_ZIP]"
    )


def test_abort_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    @click.command()
    def stop() -> None:
        raise click.Abort

    with pytest.raises(SystemExit) as caught:
        run(stop, [])
    assert caught.value.code == 2
    assert capsys.readouterr().out == ""


# Files, folders, globs and standard input


def test_folders_globs_and_files(
    vmod: Vmod, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "folder.vmod").mkdir()
    for name in ("b.vsav", "deep/c.VLOG", "a[1].vlog"):
        file_of(tmp_path, START, name)
    (tmp_path / "readme.txt").write_text("not looked at")
    monkeypatch.chdir(tmp_path)

    def listed(*arguments: str) -> list[str]:
        said = vmod("info", *arguments, "--format", "json")
        assert said.code == 0
        return [d["file"] for d in json.loads(said.out)]

    assert listed(".") == ["a[1].vlog", "b.vsav", "deep/c.VLOG"]
    assert listed("*.v*") == ["a[1].vlog", "b.vsav"]
    assert listed("**/*.VLOG") == ["deep/c.VLOG"]
    assert listed("a[1].vlog", "b.vsav") == ["a[1].vlog", "b.vsav"]
    assert vmod.fails("info", "*.vmdx") == "*.vmdx: no such file [FILE_MISSING]"
    assert vmod.fails("info", "fold*") == "fold*: no such file [FILE_MISSING]"
    assert (
        vmod.fails("info", "folder.vmod")
        == "folder.vmod: no VASSAL file in this folder [FILE_NONE]"
    )


def test_standard_input(vmod: Vmod, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG)))
    assert vmod("info", "-").out.startswith("-: log\n")


def test_one_bad_file_does_not_hide_the_others(vmod: Vmod, log: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.vsav").write_bytes(b"")
    for verb in ("info", "verify"):
        said = vmod(verb, tmp_path)
        assert said.code == 2
        assert str(log) in said.out
        assert said.err == f"{tmp_path / 'bad.vsav'}: not a zip archive [ARCHIVE_NOT_ZIP]\n"


# info


def test_info_as_text(vmod: Vmod, log: Path) -> None:
    said = vmod("info", log)
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == f"{log}: log"
    assert "  module: Oracle Test" in lines
    assert '  players: [{"player": "p1", "name": "Ann", "side": "Red"}]' in lines
    assert not any(line.endswith(": None") for line in lines)


def test_info_says_what_it_does_not_understand(vmod: Vmod, tmp_path: Path) -> None:
    path = file_of(tmp_path, seq(ESC, "begin_save", "OWN\tsecret", "end_save"))
    assert "  not understood, kept as it is: command OWN (1)\n" in vmod("info", path).out


# verify


def test_verify_as_text_and_json(vmod: Vmod, log: Path) -> None:
    said = vmod("verify", log)
    assert re.fullmatch(rf"{re.escape(str(log))}: exact \(\d\d checks\)\n", said.out)
    assert vmod("verify", "--quiet", log).out == ""
    (row,) = json.loads(vmod("verify", log, "--format", "json").out)
    assert (row["file"], row["exact"], row["inexact"], row["malformed"]) == (str(log), True, [], [])
    assert row["checked"]["archive"] == 1


def test_verify_that_finds_a_difference_is_exit_code_1(
    vmod: Vmod, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vmod_tools.verify, "encode_tree", lambda _: "something else")
    for arguments in ([log], [log, "--quiet"]):
        said = vmod("verify", *arguments)
        assert said.code == 1
        assert said.out.startswith(f"{log}: DIFFERS: command tree (")
    assert vmod("verify", log, "--format", "json").code == 1


# log


def test_log_as_text_without_a_module(vmod: Vmod, log: Path) -> None:
    said = vmod("log", log)
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        "   1.1 p1 Red: chat: <Ann> hello\n"
        "   1.2 p1 Red (undone by 1.4): unit 1 moves Main Map 62,62 → Main Map 114,92\n"
        "       chat: * 1 moves\n"
        "   1.3 p1 Red: unit 1 in Main Map 114,92: Mode: '' → 'road'\n"
        "   1.4 p1 Red (undoes 1.2): unit 1 moves Main Map 114,92 → Main Map 62,62\n"
        "       chat: * UNDO: * 1 moves\n"
    )


def test_log_with_a_module_names_the_places(vmod: Vmod, log: Path, genuine: Path) -> None:
    said = vmod("log", log, "--module", genuine / "small.vmod", "--format", "json")
    (told,) = json.loads(said.out)["logs"]
    assert told["file"] == str(log)
    wanted = {
        "step": 2,
        "player": "p1",
        "side": "Red",
        "events": [
            {
                "event": "move",
                "id": "1",
                "name": "unit 1",
                "from": {"map": "Main Map", "x": 62, "y": 62, "location": "0101"},
                "to": {"map": "Main Map", "x": 114, "y": 92, "location": "0202"},
            }
        ],
        "chat": ["* 1 moves"],
        "undoes": None,
        "undone_by": 4,
    }
    assert wanted.items() <= told["steps"][1].items()
    assert told["steps"][2]["events"][0]["changes"] == {"Mode": ["", "road"]}
    text = vmod("log", log, "--module", genuine / "small.vmod").out
    assert "unit 1 moves 0101 → 0202" in text


def test_log_as_ndjson_is_one_line_a_step(vmod: Vmod, log: Path) -> None:
    lines = vmod("log", log, "--format", "ndjson").out.splitlines()
    assert [json.loads(line)["step"] for line in lines] == [1, 2, 3, 4]


def test_all_events_in_words(vmod: Vmod, tmp_path: Path) -> None:
    tracker = (
        '<VASSAL.build.module.turn.TurnTracker name="Turn">'
        '<VASSAL.build.module.turn.CounterTurnLevel name="Turn" property="Turn"/>'
        "</VASSAL.build.module.turn.TurnTracker>"
    )
    made = tmp_path / "m.vmod"
    made.write_bytes(module(map_window("Main Map"), tracker, name="M"))
    new = add("2", ["piece;;;a;new one"], ["Main Map;1;2;1;0"])
    steps = [
        step(new),
        step(move("s", (70, 70), (62, 62))),
        step("-/2"),
        step("MutableProperty\tSum\t1\t7\tModule"),
        step("TURNTurnTracker0\t0|1"),
        step("TURNTurnTracker0\t0|2;0"),
        step("TURNTurnTracker7\t0|2"),
        step("NOTES\tsecret", "OWN\tsecret"),
        step(""),
        step(move("1", (0, 0), map="null")),
        step(stack("s9", 5, 5), "M/s9/Main Map/6/6/null/Main Map/5/5/null/pw"),
        step(move("1", (5, 5), map="Elsewhere")),
    ]
    path = tmp_path / "x.vlog"
    path.write_bytes(game(log_text(START, *steps), module="M"))
    said = vmod("log", path, "--module", made, "--all")
    assert [line[6:].lstrip() for line in said.out.splitlines()] == [
        ": new one placed in offboard",
        "p1 Red: unit 1 moves offboard → offboard",
        "p1 Red: new one removed from offboard",
        "p1 Red: Sum: '1' → '7'",
        "p1 Red: turn: Turn: '' → '1'",
        "p1 Red: turn: Turn: '1' → '2'",
        "p1 Red: turn: TurnTracker7: '' → '0|2'",
        "p1 Red: scenario note",
        "command not understood: OWN",
        "p1 Red: nothing",
        "p1 Red: unit 1 moves offboard → off the map",
        "p1 Red: nothing",
        "p1 Red: unit 1 moves off the map → Elsewhere 5,5",
    ]


def test_text_from_a_file_is_data(vmod: Vmod, tmp_path: Path) -> None:
    chat = "CHAT<img src=x onerror=y>\x07\u202e</script>"
    path = file_of(
        tmp_path,
        log_text(START, step(chat)).encode() + "CHAT\udcff".encode("utf-8", "surrogateescape"),
    )
    assert "\\x07\\u202e</script>" in vmod("log", path).out
    for form in ("json", "ndjson"):
        out = vmod("log", path, "--format", form).out
        assert "\u202e" not in out
        assert "onerror=y>\\u0007\\u202e</script>" in out


def test_undecodable_text_can_be_printed(vmod: Vmod, tmp_path: Path) -> None:
    raw = log_text(START, step("CHATcafX")).encode().replace(b"cafX", b"caf\xe9")
    path = file_of(tmp_path, raw)
    assert "chat: caf\\xe9" in vmod("log", path).out
    (told,) = json.loads(vmod("log", path, "--format", "json").out)["logs"]
    assert told["steps"][0]["chat"] == ["caf\udce9"]
    assert "  text was guessed: true\n" in vmod("info", path).out


# Passwords

SECRET = "hunter2-s3cret"  # noqa: S105


def secretive() -> dict[str, str]:
    traits = (
        ("hide;73,130;Invisible;255,255,255;player:", SECRET),
        ("obs;77,130;back.png;Mask;I;?;player:", f"{SECRET};|0"),
        ("restrict;Restricted;false;;", SECRET),
    )
    hidden_piece = piece("1", 5, 5, *traits)
    shown_state = chain("null", "null;", "", "Main Map;5;5;1;0")
    hidden_state = chain(SECRET, f"{SECRET};", SECRET, "Main Map;5;5;1;0")
    start = save_text(
        hidden_piece,
        stack("s", 5, 5, "1"),
        rest=[
            f"PLAYER\t{SECRET}\tAnn\tRed",
            f"PNOTE\t{SECRET}\tnote",
            f"SNOTE\tname\t{SECRET}\tfalse\ttext\tdate\thandle",
            f"UNMASK\t{SECRET}",
            f"PYREMOVE\t{SECRET}",
        ],
    )
    steps = [
        step(move("1", (9, 9), (5, 5), player=SECRET)),
        step(change("1", shown_state, hidden_state)),
        step(change("1", hidden_state, shown_state)),
        step(f"PNOTE\t{SECRET}\tother"),
        step(f"PLAYER\t{SECRET}\tAnn\tBlue"),
        step("UNDO\ttrue", move("1", (5, 5), (9, 9), player=SECRET), "UNDO\tfalse"),
    ]
    shifted = f"M/1/Main Map/5/5/null/null/0/{SECRET}/null/9"
    return {
        "save": start,
        "log": log_text(start, *steps),
        "short player": log_text(start, step(f"PLAYER\t{SECRET}")),
        "shifted move": log_text(start, step(shifted)),
        "short move": log_text(start, step(f"M/1/{SECRET}")),
        "short change": log_text(start, step(f"D/{SECRET}")),
        "cut": start[: start.index("UNMASK")],
        "states too few": log_text(start.replace(f"\\\t{SECRET};", f";{SECRET};"), *steps),
    }


@pytest.mark.parametrize("name", secretive())
@pytest.mark.parametrize("verb", ["info", "log", "verify"])
def test_no_output_shows_a_password(vmod: Vmod, tmp_path: Path, name: str, verb: str) -> None:
    path = file_of(tmp_path, secretive()[name])
    for form in ("text", "json", *(["ndjson"] if verb == "log" else [])):
        said = vmod(verb, path, "--format", form)
        assert SECRET not in said.out + said.err
        assert said.out or said.err or (name, verb) == ("save", "log")


# build and extract


def test_build_and_extract(vmod: Vmod, tmp_path: Path) -> None:
    out, again = tmp_path / "x.vmod", tmp_path / "x.xml"
    said = vmod("build", REPO / "maps" / "weu-denmark", "-o", out)
    assert (said.code, said.out) == (0, "")
    assert said.err.endswith(f"{out}: {out.stat().st_size} bytes\n")
    assert "site malmoe-port lies in C5605; VASSAL names its point C5505" in said.err
    assert vmod("extract", out, "-o", again) == Said(0, "", "")
    source = (REPO / "maps" / "weu-denmark" / "map.xml").read_bytes()
    assert again.read_bytes() == source
    assert vmod("extract", out).out.encode() == source
    assert vmod("build", "weu-denmark", "--quiet", "-o", out) == Said(0, "", "")


def test_extract_says_what_differs(vmod: Vmod, tmp_path: Path) -> None:
    out = tmp_path / "x.vmod"
    vmod("build", "weu-denmark", "-o", out)
    from vmod_tools.archive import Archive

    archive = Archive.parse(out.read_bytes())
    entry = archive.find("buildFile.xml")
    assert entry is not None
    text = archive.read(entry).replace(b"aalborg-airfield,", b"renamed,")
    out.write_bytes(archive.with_entry("buildFile.xml", text).to_bytes())
    said = vmod("extract", out)
    assert said.code == 0
    assert said.err.splitlines() == [
        f"{out}: site aalborg-airfield: its counter is gone from the module; kept",
        f"{out}: site renamed: it is in the module only; left out",
    ]


def test_build_of_what_is_not_there(vmod: Vmod, tmp_path: Path) -> None:
    assert vmod.fails("build", "no-such-set", "-o", tmp_path / "x") == (
        "no-such-set: no such folder [FILE_MISSING]"
    )
    assert vmod.fails("build", tmp_path, "-o", tmp_path / "x").startswith(
        str(tmp_path / "module.toml")
    )


def test_inputs_are_not_overwritten(vmod: Vmod, tmp_path: Path, genuine: Path) -> None:
    path = tmp_path / "small.vmod"
    path.write_bytes((genuine / "small.vmod").read_bytes())
    built = tmp_path / "x.vmod"
    vmod("build", "weu-denmark", "-o", built)
    assert vmod.fails("extract", built, "-o", built).endswith("it is an input [FILE_INPUT]")
    copied = tmp_path / "set"
    copied.mkdir()
    for file in (REPO / "maps" / "weu-denmark").iterdir():
        (copied / file.name).write_bytes(file.read_bytes())
    assert vmod.fails("build", copied, "-o", copied / "map.xml").endswith("[FILE_INPUT]")
    assert (copied / "map.xml").read_bytes() == (
        REPO / "maps" / "weu-denmark" / "map.xml"
    ).read_bytes()


# Writing


def test_failing_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "x.vmod"
    target.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputFileError) as caught:
        command_line.write_file(str(target), b"new")
    assert str(caught.value) == f"{target}: cannot be written: No space left on device [FILE_WRITE]"
    assert target.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.vmod"]


def test_place_that_cannot_be_written_is_named(vmod: Vmod, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for out in (tmp_path / "none" / "x.vmod", tmp_path / "file" / "x.vmod", tmp_path):
        said = vmod.fails("build", "weu-denmark", "-o", out)
        assert said.startswith(f"{out}: cannot be written: ")
        assert said.endswith("[FILE_WRITE]")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


# As a process of its own

VMOD = (sys.executable, "-m", "vmod_tools.cli")


def test_reader_that_goes_away_is_no_failure(shared: Path) -> None:
    command = [*VMOD, "info", str(shared / "genuine" / "small-3.6.vlog")] * 1
    files = [str(shared / "genuine" / "small-3.6.vlog")] * 2000
    for arguments in ([*command, *files], command):
        with subprocess.Popen(
            arguments, cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            said = process.stderr.read()
        assert (process.returncode, said) == (0, b"")


def test_error_of_a_process() -> None:
    said = subprocess.run(
        [*VMOD, "info", "no/such.vlog"], cwd=REPO, capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr == "no/such.vlog: no such file [FILE_MISSING]\n"


# Errors as such


def test_place_of_an_error_is_filled_in_from_the_outside() -> None:
    error = (
        VmodError("wrong", code="X")
        .located(place="step 2")
        .located(file="f", place="other", field="y")
    )
    assert str(error) == "f:step 2:y: wrong [X]"
    assert str(VmodError("wrong")) == "wrong [INPUT]"


def test_console_script_and_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["vmod", "--version"])
    with pytest.raises(SystemExit) as caught:
        runpy.run_module("vmod_tools.cli", run_name="__main__")
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("vmod, version ")


@pytest.mark.parametrize("flushed", [True, False])
def test_broken_pipe_is_no_failure(monkeypatch: pytest.MonkeyPatch, flushed: bool) -> None:
    @click.command()
    def talk() -> int:
        sys.stdout.write("x")
        if flushed:
            sys.stdout.flush()
        return 1

    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream:
        # click wraps both when it meets a broken pipe
        monkeypatch.setattr(sys, "stderr", sys.stderr)
        monkeypatch.setattr(sys, "stdout", stream)
        with pytest.raises(SystemExit) as caught:
            run(talk, [])
        assert caught.value.code == 0
    monkeypatch.undo()


def test_exit_of_a_command_is_its_own() -> None:
    @click.command()
    def stop() -> None:
        sys.exit(7)

    with pytest.raises(SystemExit) as caught:
        run(stop, [])
    assert caught.value.code == 7
