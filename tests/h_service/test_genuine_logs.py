"""The logs that the real engine wrote: aalborg.vlog against its golden report, cases.vlog step by step.

The golden report is made anew by `make demo && cp build/demo/report.json tests/data/aalborg.report.json`;
read the difference before committing it.  The logs themselves are made anew from the scripts beside them by
`python -m tests.support.scenario aalborg cases` (which needs the engine), and then so is the report.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest

from service import demo
from service.games import load_game
from service.report.data import report_data
from service.report.text import report_text
from tests.h_service.material import (
    PASSWORD,
    PLAYER,
    arbiter,
    form,
    log_data,
    report_on,
)
from tests.support import crafted
from tests.support.places import DATA, REPO
from vmod_tools.archive import Archive
from vmod_tools.command_line import run
from vmod_tools.envelope import decode
from vmod_tools.errors import VmodError
from vmod_tools.logs import Log

if TYPE_CHECKING:
    from flask.testing import FlaskClient

GENUINE = ("aalborg", "cases")

# (test case of combat-weu.md, step of cases.vlog, verdict, rules that are not legal)
CASES = [
    ("A-t1 attack", "1.3", "legal", ""),
    ("A-t1 bombardment", "1.4", "legal", ""),
    ("A-t2 attack", "1.7", "illegal", "weu.A4"),
    ("A-t2 bombardment", "1.8", "legal", ""),
    ("A-t1 and A-t2 together", "1.11", "legal", ""),
    ("A-t4 the mountain division walks in", "1.13", "legal", ""),
    ("A-t4 same-hex attack", "1.17", "legal", ""),
    ("A-t4 bombardment", "1.19", "legal", ""),
    ("A-t4 one combat", "1.20", "legal", ""),
    ("A-t3 out of the mountains", "1.25", "legal", ""),
    ("A-t18 F0125 is B6125", "1.27", "legal", ""),
    ("A-t5 moves adjacent, through forest", "1.32", "undetermined", "weu.A30"),
    ("A-t5 bombardment", "1.35", "illegal", "weu.A13"),
    ("A-t6 attack along the road", "1.38", "legal", ""),
    ("A-t6 bombardment", "1.39", "legal", ""),
    ("A-t7 the mountain division walks in", "1.41", "legal", ""),
    ("A-t7 same-hex attack", "1.45", "legal", ""),
    ("A-t7 one combat", "1.46", "legal", ""),
    ("A-t16 attack from the west bank", "1.49", "legal", ""),
    ("the same unit says bombardment", "1.51", "legal", ""),
    ("A-t21 over a blocked hexside", "1.52", "illegal", "weu.A6"),
    ("A-t14 into the hex", "1.56", "undetermined", "weu.A9"),
    ("A-t16 move from the west bank", "1.59", "legal", ""),
    ("A-t14 for the airfield", "1.69", "legal", ""),
    ("A-t14 and the south bank", "1.81", "illegal", "weu.A9"),
    ("A-t17 attack from the east bank", "1.87", "illegal", "weu.A29"),
    ("A-t17 the move goes round", "1.95", "legal", ""),
    ("A-t20 with landing craft", "1.99", "legal", ""),
    ("A-t20 without", "1.101", "illegal", "weu.A8"),
    ("A-t20 bombardment", "1.102", "illegal", "weu.A8"),
    ("A-t20 both in one combat", "1.105", "illegal", "weu.A8"),
]


def test_cases_are_ruled_as_the_rulebook_says() -> None:
    report = report_on(log_data("cases"))
    found = [
        (r.step, r.verdict, " ".join(sorted({p.id for p in r.rules if p.verdict != "legal"})))
        for r in report.rulings
        if r.action != "placement"
    ]
    assert found == [case[1:] for case in CASES]
    placed = [r for r in report.rulings if r.action == "placement"]
    assert len(placed) == 4
    assert {r.verdict for r in placed} == {"not-checked"}
    ways = {r.step: list(r.result.values()) for r in report.rulings}
    assert ways["1.95"] == [{"way": ["B6125", "F0225", "F0224"], "arrived": "land"}]
    assert ways["1.59"] == [{"way": ["B6125", "F0224"], "arrived": "land"}]


# aalborg.vlog


def test_report_is_the_golden_one() -> None:
    golden = json.loads((DATA / "aalborg.report.json").read_text("utf-8"))
    assert report_data(report_on(log_data("aalborg"))) == golden


def test_report_fits_its_published_schema() -> None:
    schema = json.loads((REPO / "schemas" / "report.schema.json").read_text("utf-8"))
    for name in GENUINE:
        jsonschema.validate(
            json.loads(json.dumps(report_data(report_on(log_data(name))))),
            schema,
            cls=jsonschema.Draft202012Validator,
        )


def test_demo_shows_what_it_must() -> None:
    script = json.loads((DATA / "aalborg.json").read_text("utf-8"))
    assert len(script["steps"]) >= 25
    report = report_on(log_data("aalborg"))
    assert report.counts["legal"] > 0
    assert report.counts["undetermined"] >= 1
    assert report.counts["not-checked"] == 0
    broken = [
        {p.id for p in r.rules if p.verdict == "illegal"}
        for r in report.rulings
        if r.verdict == "illegal"
    ]
    assert len(broken) >= 3
    assert {"weu.A4", "weu.A8", "weu.A12"} <= set().union(*broken)


def test_log_is_the_script_step_by_step() -> None:
    log = Log.read(Archive.parse(log_data("aalborg")))
    script = json.loads((DATA / "aalborg.json").read_text("utf-8"))
    # Each turn of the tracker clears the declarations in a step of its own before it.
    turns = sum(step.get("named") == "NextPhase" for step in script["steps"])
    assert len(log.steps) == len(script["steps"]) + turns


def test_undone_step_is_listed_and_not_judged() -> None:
    report = report_on(log_data("aalborg"))
    assert report.undone == ("1.32",)
    assert not {"1.32", "1.33"} & {step for r in report.rulings for step in r.steps}


def test_report_is_the_same_each_time() -> None:
    once, twice = (report_text(report_on(log_data("aalborg")), "x", "ja") for _ in range(2))
    assert once == twice


# The players' password


def test_password_is_in_the_files_and_in_no_answer(
    capsys: pytest.CaptureFixture[str], client: FlaskClient, module_file: Path
) -> None:
    answers = []
    for name in GENUINE:
        data = log_data(name)
        assert PASSWORD in plain_text(data)
        path = DATA / f"{name}.vlog"
        for words in (
            ["--format", "json"],
            ["--format", "json", "--as", "referee"],
            ["--lang", "ja", "--as", "German"],
            ["--option", "G-A2=free"],
            ["--option", f"{PASSWORD[:3]}=x"],
        ):
            said = arbiter(capsys, "check", path, "--module", module_file, "--game", "weu", *words)
            answers += [said.out, said.err]
        for fields in ({}, {"as": "referee"}, {"lang": "ja"}):
            answer = client.post("/v1/reports", data=form(data) | fields)
            assert answer.status_code == 200
            answers.append(answer.get_data(as_text=True))
        for cut in (len(data) // 2, len(data) - 30):
            answers.append(client.post("/v1/reports", data=form(data[:cut])).get_data(as_text=True))
        answers += broken_logs(data)
    assert len(answers) > 60
    assert not any(PASSWORD in answer or PLAYER in answer for answer in answers)


def plain_text(log: bytes) -> str:
    archive = Archive.parse(log)
    saved = archive.find("savedGame")
    assert saved is not None
    return decode(archive.read(saved))[1].decode()


def broken_logs(data: bytes) -> list[str]:
    """What is said of logs whose text is cut short at many places."""
    text, said = plain_text(data), []
    for end in range(len(text) // 40, len(text), len(text) // 20):
        cut = crafted.game(text[:end], module="Denmark and the Skagerrak")
        try:
            said.append(report_text(report_on(cut), "cut", "en"))
        except VmodError as error:
            said.append(str(error))
    return said


# The demo command


def test_demo_prints_the_rulings_and_where_the_report_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(demo, "OUTPUT", tmp_path / "out" / "demo")
    monkeypatch.setattr(demo, "LOG", DATA / "aalborg.vlog")
    with pytest.raises(SystemExit) as ended:
        run(demo.demo, ["--lang", "ja"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "weu.A4 (P1.2)" in out
    assert "違反" in out
    last = out.splitlines()[-4:]
    assert str(tmp_path / "out" / "demo" / "report.json") in last[1]
    assert "http://127.0.0.1:8800/" in last[3]
    written = json.loads((tmp_path / "out" / "demo" / "report.json").read_text("utf-8"))
    assert written == json.loads((DATA / "aalborg.report.json").read_text("utf-8"))
    assert (tmp_path / "out" / "demo" / "weu-denmark.vmod").is_file()


def test_game_file_names_the_properties_of_the_module() -> None:
    """service/games/weu.toml and maps/weu-denmark/module.toml are two files about one thing."""
    import tomllib

    game = load_game("weu")
    settings = tomllib.loads((REPO / "maps" / "weu-denmark" / "module.toml").read_text("utf-8"))
    properties = {entry["name"] for entry in settings["property"]}
    markers = {"Side", "Class", "Name", "NameJa"}
    assert set(game.facts.values()) <= properties | markers
    levels = {entry["property"] for entry in settings["level"]}
    assert {game.phases.turn, game.phases.active, game.phases.step} == levels
    assert [side["name"] for side in settings["side"]] == list(game.sides)
    values = {entry["name"]: entry for entry in settings["property"]}

    def said(name: str) -> set[str]:
        return {choice["value"] for choice in values[name]["choices"]} - {""}

    assert said("Mode") == {"deployed", "road", "bp"}
    assert said("Arrived") == {"land", "road", "air", "sea", "carried"}
    assert said("Action") == {"attack", "bombard", "retreat", "advance"}
