"""The harness around the real engine answers, and fails in words.  No product code here."""

from __future__ import annotations

import json
import shutil
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.vassal.engine import (
    COMMAND,
    Engine,
    EngineError,
    EngineRefusedError,
    EngineTimeoutError,
    Session,
)

pytestmark = pytest.mark.engine

MAP = "Main Map"
RED_AT_0202 = {"op": "place", "slot": "1", "map": MAP, "x": 102, "y": 72, "as": "red"}


@pytest.fixture(scope="module")
def small(engine: Engine, genuine: Path) -> Session:
    return engine.shared(genuine / "small.vmod")


def processes_with(word: str) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            words = process.read_text(encoding="utf-8", errors="replace").split("\0")
            found += [" ".join(words)] if word in words else []
    return found


# --- what the engine answers


def test_location_names_are_those_of_the_recorded_play(small: Session, genuine: Path) -> None:
    played = json.loads((genuine / "small-3.6.play.json").read_text(encoding="utf-8"))
    named = {
        (p["x"], p["y"]): p["locationName"] for p in [*played["initialPieces"], *played["pieces"]]
    }
    answer = small.ask("location", MAP, [[x, y] for x, y in named])
    assert {(p["x"], p["y"]): p["locationName"] for p in answer["points"]} == named
    assert len(named) > 2


def test_one_question_may_have_a_jvm_of_its_own(engine: Engine, genuine: Path) -> None:
    answer = engine.run("location", genuine / "small.vmod", MAP, 102, 72, names=["0302"])
    assert [p["locationName"] for p in answer["points"]] == ["0202"]
    assert answer["names"] == {"0302": [154, 102]}
    assert answer["clean"]


def test_recorded_log_plays_as_recorded(small: Session, genuine: Path) -> None:
    def story(answer: dict[str, Any]) -> list[Any]:
        return [(step["commands"], step["chat"]) for step in answer["steps"]]

    played = json.loads((genuine / "small-3.6.play.json").read_text(encoding="utf-8"))
    assert story(small.ask("play-log", genuine / "small-3.6.vlog")) == story(played)


def test_script_becomes_a_log_that_plays_back(small: Session, tmp_path: Path) -> None:
    out = tmp_path / "out.vlog"
    script = {
        "side": "Red",
        "setup": [RED_AT_0202],
        "steps": [
            {"op": "move", "piece": "@red", "x": 140, "y": 110},
            {"op": "chat", "text": "!攻撃 0302"},
            {"op": "button", "name": "2d6", "rolls": [6, 1]},
        ],
    }
    made = small.ask("make-log", script, out, user="Ayako", password="pw")  # noqa: S106
    assert zipfile.is_zipfile(out)
    assert made["players"] == [{"id": "pw", "name": "Ayako", "side": "Red"}]
    assert [step["chat"][0] for step in made["steps"]] == [
        "* 1st Red moves 0202 -> 0302 *",
        "&lt;Ayako&gt; - !攻撃 0302",
        "*** 2d6 = 6,1 ** <Ayako>",
    ]
    played = small.ask("play-log", out)
    assert [step["chat"] for step in played["steps"]] == [step["chat"] for step in made["steps"]]


def test_second_player_takes_up_the_log_of_the_first(small: Session, tmp_path: Path) -> None:
    first, second = tmp_path / "1.vlog", tmp_path / "2.vlog"
    opening = {"side": "Red", "steps": [RED_AT_0202]}
    small.ask("make-log", opening, first, user="Ayako", password="a")  # noqa: S106
    steps = [{"op": "move", "piece": "1st Red", "x": 154, "y": 102}]
    reply = {"side": "Blue", "from": first, "steps": steps}
    small.ask("make-log", reply, second, user="Ben", password="b")  # noqa: S106
    played = small.ask("play-log", second)
    assert [(p["name"], p["side"]) for p in played["players"]] == [
        ("Ayako", "Red"),
        ("Ben", "Blue"),
    ]
    assert [p["locationName"] for p in played["pieces"]] == ["0302"]
    assert small.ask("location", MAP, 154, 102, from_=second)["clean"]


def test_requests_of_one_jvm_do_not_see_one_another(small: Session, tmp_path: Path) -> None:
    for out in (tmp_path / "a.vsav", tmp_path / "b.vsav"):
        made = small.ask("make-save", {"setup": [RED_AT_0202], "steps": []}, out)
        assert [p["name"] for p in made["pieces"]] == ["1st Red"]
        assert made["players"] == [{"id": "oracle", "name": "Oracle", "side": "<observer>"}]
        # the engine would start a second JVM for the module manager after each save
        assert not processes_with(str(out))


def test_piece_is_found_by_its_properties_or_refused(small: Session, tmp_path: Path) -> None:
    def move(**wanted: str) -> dict[str, Any]:
        twice = [RED_AT_0202, RED_AT_0202 | {"x": 206, "y": 132, "as": "other"}]
        steps = [{"op": "move", "piece": wanted, "x": 258, "y": 102}]
        return small.ask("make-save", {"setup": twice, "steps": steps}, tmp_path / "x.vsav")

    found = move(name="1st Red", LocationName="0403")
    assert sorted(p["locationName"] for p in found["pieces"]) == ["0202", "0502"]
    with pytest.raises(EngineRefusedError, match="2 pieces are"):
        move(name="1st Red")


# --- how it fails


def test_failing_step_of_a_script_is_an_error(small: Session, tmp_path: Path) -> None:
    steps = [{"op": "menu", "piece": "nobody", "menu": "Flip"}]
    with pytest.raises(EngineRefusedError, match="no piece nobody") as caught:
        small.ask("make-save", {"steps": steps}, tmp_path / "out.vsav")
    assert caught.value.answer["steps"][0]["op"] == "menu"


def test_refusal_is_an_answer_when_wanted(small: Session, tmp_path: Path) -> None:
    with pytest.raises(EngineRefusedError, match="NoSuchFile"):
        small.ask("load-save", tmp_path / "absent.vsav")
    assert small.ask("load-save", tmp_path / "absent.vsav", must=False)["ok"] is False
    assert not small.closed


def test_file_that_is_no_module_is_refused(engine: Engine, tmp_path: Path) -> None:
    bad = tmp_path / "bad.vmod"
    bad.write_bytes(b"no zip")
    with pytest.raises(EngineRefusedError, match="exception"), engine.serve(bad):
        pass


def test_request_out_of_time_ends_the_engine_and_says_so(engine: Engine, genuine: Path) -> None:
    with engine.serve(genuine / "small.vmod", user="OutOfTime") as session:
        assert processes_with("--user=OutOfTime")
        # 200 000 points take seconds
        points = [[x, y] for x in range(500) for y in range(400)]
        with pytest.raises(EngineTimeoutError, match=r"small\.vmod.* no answer within 0\.05 s"):
            session.ask("location", MAP, points, timeout=0.05)
        assert session.closed
        assert not processes_with("--user=OutOfTime")
        with pytest.raises(EngineError, match="the engine is gone"):
            session.ask("location", MAP, 1, 1)


def test_start_out_of_time_says_so(engine: Engine, genuine: Path) -> None:
    with pytest.raises(EngineTimeoutError, match=r"load-module .* within 0\.1 s"):
        engine.run("load-module", genuine / "small.vmod", user="LateStart", timeout=0.1)
    assert not processes_with("--user=LateStart")


def test_wrong_call_carries_the_tail_of_stderr(engine: Engine, genuine: Path) -> None:
    with pytest.raises(EngineError, match="exit code 64") as caught:
        engine.run("--draw")
    assert "verbs: load-module" in caught.value.stderr


def test_machine_without_the_engine_gets_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("VASSAL_ORACLE_HOME", str(tmp_path))
    assert Engine.find() is None
    reason = Engine.why_not()
    assert reason is not None
    assert "Vengine.jar" in reason
    assert "oracle/install" in reason


def test_nothing_stays_behind_a_closed_engine(
    engine: Engine, genuine: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with engine.serve(genuine / "small.vmod", user="Closing") as session:
        assert list(tmp_path.iterdir())
        assert session.ask("load-module", no_slots=True)["sides"] == ["Red", "Blue"]
    assert not list(tmp_path.iterdir())
    assert not processes_with("--user=Closing")


def test_changed_sources_are_not_served_by_old_classes(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert engine.why_not() is None
    copy = tmp_path / "oracle"
    shutil.copytree(COMMAND.parent, copy)
    monkeypatch.setattr("tests.vassal.engine.COMMAND", copy / COMMAND.name)
    assert engine.why_not() is None
    with (copy / "src" / "oracle" / "Oracle.java").open("a", encoding="utf-8") as source:
        source.write("not Java")
    assert "javac refused" in str(engine.why_not())
