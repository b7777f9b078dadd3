"""Chains that VASSAL itself wrote: two players in turn, each from the other's log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import corpus_files
from tests.support.plays import Folder
from tests.vassal.engine import Engine, Session

MAP = "Main Map"
ANN = {"user": "Ayako", "password": "tonbo-9"}
BEN = {"user": "Ben", "password": "kaze-3"}


def put(slot: str, x: int, y: int) -> dict[str, Any]:
    return {"op": "place", "slot": slot, "map": MAP, "x": x, "y": y, "as": f"slot{slot}"}


def go(piece: str, x: int, y: int) -> dict[str, Any]:
    return {"op": "move", "piece": piece, "x": x, "y": y}


def dice(*values: int) -> dict[str, Any]:
    return {"op": "button", "name": "2d6", "rolls": list(values)}


UNDO = {"op": "undo"}


def write(
    session: Session,
    out: Path,
    steps: list[dict[str, Any]],
    player: dict[str, str],
    base: Path | None = None,
    setup: tuple[dict[str, Any], ...] = (),
) -> None:
    script: dict[str, Any] = {"side": "Red" if player is ANN else "Blue", "steps": steps}
    script |= {"from": str(base)} if base else {"setup": list(setup)}
    session.ask("make-log", script, out, user=player["user"], password=player["password"])


@pytest.fixture(scope="module")
def played(engine: Engine, genuine: Path, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """1 → 2 → 3, and what starts from 1 again: 2b by Ben with other dice, 3b by Ayako on the old base."""
    folder = tmp_path_factory.mktemp("chain")
    session = engine.shared(genuine / "small.vmod")
    file = {n: folder / f"{n}.vlog" for n in ("1", "2", "3", "2b", "3b")}
    move_blue = go("1st Blue", 154, 102)
    opening = [go("1st Red", 154, 102), dice(4, 2), {"op": "chat", "text": "hi"}, UNDO]
    setup = (put("1", 102, 72), put("3", 206, 132))
    write(session, file["1"], opening, ANN, setup=setup)
    reply = [move_blue, dice(1, 1), UNDO, dice(6, 6)]
    write(session, file["2"], reply, BEN, file["1"])
    stronger = {"op": "menu", "piece": "1st Red", "menu": "Up"}
    third = [stronger, go("1st Red", 258, 102), put("2", 258, 102), dice(5, 2)]
    write(session, file["3"], third, ANN, file["2"])
    write(session, file["2b"], [move_blue, dice(6, 5)], BEN, file["1"])
    write(session, file["3b"], [go("1st Red", 258, 162)], ANN, file["1"])
    return Folder(folder)


@pytest.mark.engine
@pytest.mark.parametrize("names", ["1 2 3", "3 1 2", "2 3 1"])
def test_genuine_chain_is_one_clean_line(played: Folder, genuine: Path, names: str) -> None:
    said = played.vmod("chain", names, "--module", genuine / "small.vmod")
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        f"   1 {played.path}/1.vlog: 4 steps p1 Red, first\n"
        f"   2 {played.path}/2.vlog: 4 steps p2 Blue, after 1.4\n"
        f"   3 {played.path}/3.vlog: 4 steps p1 Red, after 2.4\n"
        "one clean line of 3 logs\n"
    )


@pytest.mark.engine
def test_c3_26_genuine_reply_on_the_wrong_base(played: Folder, genuine: Path) -> None:
    options = ("--module", genuine / "small.vmod", "--format", "json")
    said = played.vmod("chain", "1 2 3b", *options)
    assert said.code == 1
    (finding,) = json.loads(said.out)["findings"]
    assert (finding["kind"], finding["log"], finding["other"]) == ("wrong-base", 3, 2)
    assert finding["step"] == "1.4"
    moved = finding["differences"][0]
    assert (moved["name"], moved["from"]["location"], moved["to"]["location"]) == (
        "1st Blue", "0302", "0403",
    )  # fmt: skip


@pytest.mark.engine
def test_genuine_second_try_with_other_dice(played: Folder) -> None:
    told = json.loads(played.vmod("chain", "1 2 3 2b", "--format", "json").out)
    assert [(f["kind"], f["step"]) for f in told["findings"]] == [
        ("fork", "2.1"),
        ("other-dice", "2.1"),
    ]
    after = told["findings"][1]["rolls_after"]
    assert [r["values"] for r in after["2"]] == [[1, 1], [6, 6]]
    assert [r["values"] for r in after["4"]] == [[6, 5]]


@pytest.mark.engine
def test_genuine_gap(played: Folder) -> None:
    told = json.loads(played.vmod("chain", "1 3", "--format", "json").out)
    (finding,) = told["findings"]
    assert (finding["kind"], finding["step"]) == ("gap", "1.4")
    assert {d["name"] for d in finding["differences"]} == {"1st Blue"}


@pytest.mark.engine
def test_genuine_dice(played: Folder) -> None:
    told = json.loads(played.vmod("dice", "1 2 3", "--format", "json").out)
    assert [(r["id"], r["name"], r["values"], r["status"]) for r in told["rolls"]] == [
        ("1.2", "Ayako", [4, 2], "stands"),
        ("2.2", "Ben", [1, 1], "undone"),
        ("2.4", "Ben", [6, 6], "stands"),
        ("3.4", "Ayako", [5, 2], "stands"),
    ]
    out = played.vmod("dice", "1 2 3").out
    assert "p2 2d6: rolled 1,1 (2.2), undid (2.3), rolled 6,6 (2.4)\n" in out


@pytest.mark.engine
def test_genuine_logs_give_no_password_away(played: Folder, genuine: Path) -> None:
    module = genuine / "small.vmod"
    for verb, forms in (
        ("log", ("text", "json", "ndjson", "csv")),
        ("chain", ("text", "json")),
        ("dice", ("text", "json", "csv")),
    ):
        for form in forms:
            said = played.vmod(verb, "1 2 3 2b 3b", "--format", form, "--module", module)
            assert "p1" in said.out
            for word in ("tonbo-9", "kaze-3"):
                assert word not in said.out + said.err


@pytest.mark.parametrize("name", ["small-3.6", "small-3.7"])
def test_genuine_log_lists_its_rolls_and_its_undo(genuine: Path, name: str) -> None:
    said = Folder(genuine).vmod("log", name, "--module", genuine / "small.vmod")
    assert "  1.11 p1 Red (undone by 1.12): 2nd Red removed from 0502\n" in said.out
    assert "  1.12 p1 Red (undoes 1.11): 2nd Red placed in 0502\n" in said.out
    assert said.out.count(" rolls 2d6: ") == 2
    assert "  1.13 p1 Red: 1st Blue in 0302: state of Mark When Moved\n" in said.out


def test_published_logs_of_two_sessions_fit(shared: Path) -> None:
    """Files of others: two sessions, and one log that holds both of them."""
    files = {p.stem.rpartition("_")[2]: p for p in corpus_files(".vlog")}
    both, first, second = (files[n] for n in ("multiple-1", "multiple-1a", "multiple-1b"))
    folder = Folder(both.parent)
    said = folder.vmod("chain", f"{second.stem} {first.stem}")
    assert said.out.endswith("one clean line of 2 logs\n")
    told = json.loads(
        folder.vmod("chain", f"{first.stem} {both.stem} {second.stem}", "--format", "json").out
    )
    assert [(f["kind"], f["step"]) for f in told["findings"]] == [
        ("overlap", "1.16"),
        ("overlap", "2.22"),
    ]
    rolls = json.loads(
        folder.vmod("dice", f"{first.stem} {both.stem} {second.stem}", "--format", "json").out
    )["rolls"]
    assert len(rolls) == 15
    assert {r["status"] for r in rolls} == {"stands"}


def test_every_published_log_is_listed(corpus_files: tuple[Path, ...]) -> None:
    for path in corpus_files:
        if path.suffix == ".vlog":
            for verb, form in (
                ("log", "csv"),
                ("log", "ndjson"),
                ("chain", "json"),
                ("dice", "text"),
            ):
                said = Folder(path.parent).vmod(verb, path.stem, "--format", form)
                assert (said.code, said.err) == (0, "")
