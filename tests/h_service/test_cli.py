"""The `arbiter` command: its formats, exit codes, one-line errors, and the server that it starts."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from service.cli import main
from service.rules.weu.rulebook import RULEBOOK
from tests.h_service.broken import SECRET, Broken, broken_logs, broken_modules
from tests.h_service.material import Said, arbiter, log_data
from tests.h_service.playing import Facts, Playing
from tests.support.places import DATA

LOG = DATA / "aalborg.vlog"
CASES = DATA / "cases"
Capsys = pytest.CaptureFixture[str]


@pytest.fixture
def check(capsys: Capsys, module_file: Path) -> Any:
    """`arbiter check` on the module, with the words given."""

    def run_check(*words: object, module: Path = module_file, game: str = "weu") -> Said:
        return arbiter(capsys, "check", *words, "--module", module, "--game", game)

    return run_check


# check


def test_check_text(check: Any) -> None:
    said = check(LOG)
    assert said.code == 1
    assert said.err == ""
    assert said.out.splitlines()[0] == (f"{LOG}: weu, 36 steps: 9 legal, 4 ILLEGAL, 1 undetermined")
    assert re.search(
        r"^1\.5 p1 Mech 16: adjacent attack: ILLEGAL weu\.A4 \(P1\.2\)$", said.out, re.M
    )
    assert "      facts: unit=Mech 16; hex=B6023; terrain=mountain\n" in said.out
    assert "    missing: Sea Rgt 4.bank\n" in said.out
    assert "    readings: G-A2\n" in said.out
    assert said.out.endswith("undone steps, not judged: 1.32\n")


def test_check_in_japanese(check: Any) -> None:
    said = check(LOG, "--lang", "ja")
    assert said.code == 1
    assert "1.5 p1 Mech 16: 隣接攻撃: 違反 weu.A4 (P1.2)" in said.out
    assert "Mech 16はB6023の山岳にも、そこへ通じる道路にも進入できません。" in said.out
    assert "不足している情報: Sea Rgt 4.bank" in said.out
    assert "ILLEGAL" not in said.out


def test_check_json_is_the_report_and_the_name_of_the_log(check: Any) -> None:
    said = check(LOG, "--format", "json")
    golden = json.loads((DATA / "aalborg.report.json").read_text("utf-8"))
    assert said.json == {"log": str(LOG), **golden}


def test_check_of_several_logs_numbers_them(check: Any) -> None:
    reports = check(LOG, DATA / "cases.vlog", "--format", "json").json
    assert [r["log"] for r in reports] == [str(LOG), str(DATA / "cases.vlog")]
    assert reports[0]["rulings"][0]["step"] == "1.3"
    assert reports[1]["rulings"][0]["step"] == "2.3"


def test_check_goes_on_after_a_log_that_cannot_be_read(check: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.vlog"
    bad.write_bytes(b"no zip")
    said = check(bad, LOG, "--format", "json")
    assert said.code == 2
    assert said.err == f"{bad}: not a zip archive [ARCHIVE_NOT_ZIP]\n"
    # A list, because two were asked for.
    assert [report["log"] for report in said.json] == [str(LOG)]
    assert check(LOG, bad).code == 2


def test_check_of_a_folder_and_of_standard_input(
    check: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.vlog").write_bytes(log_data("aalborg"))
    assert check(tmp_path).out.startswith(f"{tmp_path / 'a.vlog'}: weu, 36 steps")

    class Stdin:
        buffer = (tmp_path / "a.vlog").open("rb")

    with Stdin.buffer:
        monkeypatch.setattr(sys, "stdin", Stdin)
        assert check("-").out.startswith("-: weu, 36 steps")


def test_check_for_a_view(check: Any) -> None:
    for view in ("public", "German", "Allied"):
        report = check(LOG, "--format", "json", "--as", view).json
        assert report["view"] == view
        assert report["hashes"] == {}
    hashes = check(LOG, "--format", "json", "--as", "referee").json["hashes"]
    assert hashes.keys() == {"log", "module"}
    assert all(re.fullmatch("[0-9a-f]{64}", value) for value in hashes.values())


def test_check_with_another_reading(check: Any) -> None:
    report = check(LOG, "--format", "json", "--option", "G-A2=free", "--option", "G-A5=legal").json
    assert report["options"]["G-A2"] == "free"
    assert report["options"]["G-A5"] == "legal"


def test_exit_codes_of_check(check: Any, tmp_path: Path) -> None:
    geb: Facts = ("German", "mountain", "B6024", {})
    alp: Facts = ("Allied", "mountain", "B6023", {})
    clean, open_ = tmp_path / "clean.vlog", tmp_path / "open.vlog"
    clean.write_bytes(Playing({"geb": geb, "alp": alp}).attack("geb", "B6023").data())
    fj: Facts = ("German", "airborne", "C5001", {})
    open_.write_bytes(Playing({"fj": fj}).drag("fj", to="B5431").data())
    assert check(clean).code == 0
    assert check(clean, "--strict").code == 0
    assert check(open_).code == 0
    assert check(open_, "--strict").code == 1
    assert check(LOG).code == 1
    assert check(clean, LOG, open_).code == 1


ERRORS = [
    (["nowhere.vlog"], "nowhere.vlog: no such file [FILE_MISSING]"),
    ([LOG, "--as", "Polish"], "as: there is no view 'Polish' [VIEW_UNKNOWN]"),
    ([LOG, "--option", "G-A99=x"], "options: there is no option 'G-A99' [OPTION_UNKNOWN]"),
    (
        [LOG, "--option", "G-A2=x"],
        "options.G-A2: 'x' is none of bound, free [OPTION_VALUE]",
    ),
    ([LOG, "--option", "G-A2"], "options.G-A2: '' is none of bound, free [OPTION_VALUE]"),
]


@pytest.mark.parametrize(("words", "line"), ERRORS, ids=[line for _, line in ERRORS])
def test_check_refuses_in_one_line(words: list[object], line: str, check: Any) -> None:
    said = check(*words)
    assert said.code == 2
    assert said.out == ""
    assert said.err == f"{line}\n"


def test_unknown_game(check: Any) -> None:
    said = check(LOG, game="chess")
    assert said.code == 2
    assert said.err == "game: there is no game 'chess'; there are weu [GAME_UNKNOWN]\n"


@pytest.mark.parametrize("name", broken_logs())
def test_broken_log_is_one_line_and_exit_code_2(name: str, check: Any, tmp_path: Path) -> None:
    broken = broken_logs()[name]
    path = tmp_path / "turn.vlog"
    path.write_bytes(broken.data)
    for form in ("text", "json"):
        said = check(path, "--format", form)
        assert said.code == 2
        assert said.out == ""
        assert_one_line(said.err, path, broken)


@pytest.mark.parametrize("name", broken_modules())
def test_broken_module_is_one_line_and_exit_code_2(name: str, check: Any, tmp_path: Path) -> None:
    broken = broken_modules()[name]
    path = tmp_path / "m.vmod"
    path.write_bytes(broken.data)
    said = check(LOG, module=path)
    assert said.code == 2
    assert said.out == ""
    # What is wrong with the pair of them is said of the log.
    assert_one_line(said.err, LOG if broken.code == "MAP_WINDOW" else path, broken)


def assert_one_line(err: str, path: Path, broken: Broken) -> None:
    assert err.count("\n") == 1
    where = f"{path}:{broken.place}" if broken.place else str(path)
    assert err.startswith(f"{where}:")
    assert err.endswith(f" [{broken.code}]\n")
    assert SECRET not in err


def test_missing_module(check: Any, tmp_path: Path) -> None:
    said = check(LOG, module=tmp_path / "none.vmod")
    assert said.code == 2
    assert said.err == f"{tmp_path / 'none.vmod'}: no such file [FILE_MISSING]\n"


def test_debug_shows_where(check: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.vlog"
    path.write_bytes(b"")
    said = check(path, "--debug")
    assert "Traceback" in said.err
    assert said.err.endswith("[ARCHIVE_NOT_ZIP]\n")


def test_usage_errors_exit_with_2(capsys: Capsys) -> None:
    assert arbiter(capsys, "check").code == 2
    assert arbiter(capsys, "check", LOG).code == 2
    assert arbiter(capsys, "nothing").code == 2
    assert arbiter(capsys, "serve", "--port", "99999").code == 2
    assert arbiter(capsys, "check", LOG, "--lang", "de").code == 2


# rule


def test_rule_text(capsys: Capsys) -> None:
    said = arbiter(capsys, "rule", CASES / "A-t2a.json")
    assert said.code == 1
    assert said.out.splitlines()[0] == "Mech 16: adjacent attack: ILLEGAL weu.A4 (P1.2)"
    japanese = arbiter(capsys, "rule", CASES / "A-t2a.json", "--lang", "ja").out
    assert japanese.startswith("Mech 16: 隣接攻撃: 違反 weu.A4 (P1.2)")


def test_rule_of_several_files_is_a_list(capsys: Capsys) -> None:
    said = arbiter(capsys, "rule", CASES / "A-t1a.json", CASES / "A-t19a.json", "--format", "json")
    assert said.code == 2
    assert [ruling["verdict"] for ruling in said.json] == ["legal"]
    said = arbiter(capsys, "rule", str(CASES / "A-t20?.json"), "--format", "json")
    assert said.code == 1
    assert len(said.json) == 5


TOML = """
game = "weu"
map.hexes = [{ id = "0202", terrain = "mountain" }, { id = "0203" }]
units = [
  { id = "geb", side = "German", class = "mountain", hex = "0203", start_hex = "0203", did = [] },
  { id = "alp", side = "Allied", class = "mountain", hex = "0202", start_hex = "0202" },
]
action = { type = "attack", units = ["geb"], target = { hex = "0202" } }
"""


def test_rule_reads_toml(capsys: Capsys, tmp_path: Path) -> None:
    path = tmp_path / "case.toml"
    path.write_text(TOML, "utf-8")
    said = arbiter(capsys, "rule", path, "--format", "json")
    assert said.code == 0
    assert said.json["verdict"] == "legal"


BAD_CASES = [
    ("case.json", "{", ":line 1 column 2: not valid JSON: ", "JSON"),
    ("case.json", '{\n "game": }', ":line 2 column 10: not valid JSON: ", "JSON"),
    ("case.json", "[" * 100_000, ": the JSON is nested too deeply", "JSON"),
    ("case.json", "[]", ": Invalid input type.", "SHAPE"),
    ("case.json", '{"game": 1}', ":game: Not a valid string. (and 2 more)", "SHAPE"),
    ("case.toml", "game = ", ": not valid TOML: ", "TOML"),
    ("case.toml", TOML.replace("0203", "0909", 1), ":units.0.hex: ", "HEX_NOT_ON_MAP"),
    ("case.toml", TOML.replace('"weu"', '"chess"'), ":game: ", "GAME_UNKNOWN"),
    ("case.toml", TOML.replace("mountain", "jungle", 1), ":map:0202: ", "TERRAIN_UNKNOWN"),
    ("case.toml", TOML + 'options = { G-A2 = "x" }', ":options.G-A2: ", "OPTION_VALUE"),
]


@pytest.mark.parametrize(("name", "text", "message", "code"), BAD_CASES)
def test_bad_case_is_one_line(
    name: str, text: str, message: str, code: str, capsys: Capsys, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    said = arbiter(capsys, "rule", path)
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith(f"{path}{message}")
    assert said.err.endswith(f" [{code}]\n")
    assert said.err.count("\n") == 1


def test_text_that_could_mislead_a_reader_is_escaped(capsys: Capsys, tmp_path: Path) -> None:
    body = json.loads((CASES / "A-t2a.json").read_text("utf-8"))
    body["units"][0]["name"] = "Mech\u202e\ud800\x1b[2J"
    path = tmp_path / "case.json"
    path.write_text(json.dumps(body), "utf-8")
    for words in ((), ("--format", "json"), ("--lang", "ja")):
        said = arbiter(capsys, "rule", path, *words)
        assert said.code == 1
        assert not set("\u202e\ud800\x1b") & set(said.out)
        assert "\\u202e" in said.out


# rules, options, games


def test_rules_text_json_and_markdown(capsys: Capsys) -> None:
    text = arbiter(capsys, "rules", "weu")
    assert text.code == 0
    assert text.out.startswith("weu.A1 (P1.1): A land attack")
    assert len(text.out.splitlines()) == len(RULEBOOK.rules)
    assert arbiter(capsys, "rules", "weu", "--lang", "ja").out.startswith("weu.A1 (P1.1): 隣接")
    data = arbiter(capsys, "rules", "weu", "--format", "json").json
    assert [rule["id"] for rule in data["rules"]] == [rule.id for rule in RULEBOOK.rules]
    assert data["rules"][3]["breaches"]["default"].keys() == {"en", "ja"}
    markdown = arbiter(capsys, "rules", "weu", "--format", "md").out
    assert all(f"## {rule.id} ({rule.cite})" in markdown for rule in RULEBOOK.rules)
    assert arbiter(capsys, "rules", "chess").code == 2


def test_options_say_what_is_in_force(capsys: Capsys) -> None:
    lines = arbiter(capsys, "options", "weu").out.splitlines()
    assert len(lines) == len(RULEBOOK.options)
    assert any(line.startswith("G-A2 = bound (bound | free): ") for line in lines)
    assert "準備砲撃" in arbiter(capsys, "options", "weu", "--lang", "ja").out


def test_games(capsys: Capsys) -> None:
    assert arbiter(capsys, "games").out.startswith("weu: War in Europe")
    assert "第5版追補" in arbiter(capsys, "games", "--lang", "ja").out


def test_version_and_help(capsys: Capsys) -> None:
    assert arbiter(capsys, "--version").out.startswith("arbiter, version ")
    assert "check" in arbiter(capsys, "-h").out


def test_console_script(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["arbiter", "games"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("weu: ")


# serve


def test_serve_answers_and_stops() -> None:
    words = [sys.executable, "-m", "service.cli", "serve", "--port", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            address = re.fullmatch(r"vassal-arbiter listens on (http://127\.0\.0\.1:\d+/)\n", line)
            assert address, line
            with urllib.request.urlopen(f"{address[1]}healthz", timeout=10) as answer:  # noqa: S310
                assert json.load(answer) == {"status": "ok"}
            # A second one cannot take the same port.
            port = address[1].rstrip("/").rpartition(":")[2]
            second = subprocess.run(
                [*words[:-1], port], capture_output=True, text=True, timeout=30, check=False
            )
            assert second.returncode == 2
            assert second.stderr.startswith(f"port {port} on 127.0.0.1 cannot be opened: ")
            assert second.stderr.endswith("[PORT]\n")
            assert second.stderr.count("\n") == 1
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0


def test_serve_in_this_process(monkeypatch: pytest.MonkeyPatch, capsys: Capsys) -> None:
    from werkzeug.serving import BaseWSGIServer

    def interrupted(self: BaseWSGIServer, *_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(BaseWSGIServer, "serve_forever", interrupted)
    said = arbiter(capsys, "serve", "--port", "0")
    assert said.code == 0
    assert "listens on http://127.0.0.1:" in said.err
    assert "listens" not in arbiter(capsys, "serve", "--port", "0", "--quiet").err


def test_serve_on_a_port_that_is_taken(capsys: Capsys) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = arbiter(capsys, "serve", "--port", taken.getsockname()[1])
    assert said.code == 2
    assert said.err.endswith(" [PORT]\n")


def test_no_command_needs_a_home_or_a_terminal() -> None:
    env = {"PATH": os.environ["PATH"], "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "games"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0
