"""`vmod log`: ids, folding, chat, dice, what undid what, and all its formats."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from tests.support.crafted import (
    board,
    deck,
    game,
    hex_grid,
    log_text,
    map_window,
    module,
    move,
    piece,
    save_text,
    stack,
    stack_state,
    step,
    tag,
)
from tests.support.plays import (
    MODE,
    PASSWORDS,
    Folder,
    Table,
    chat,
    drag,
    next_turn,
    nothing,
    place,
    remove,
    roll,
    say,
    set_mode,
    undo_drag,
)
from vmod_tools.archive import Archive
from vmod_tools.logs import Log
from vmod_tools.stepdata import read_chat
from vmod_tools.steplist import step_rows

HEADER = (
    "id,log,step,player,side,event,piece,name,from_map,from_x,from_y,from,to_map,to_x,to_y,to,"
    "property,before,after,text,undoes,undone_by"
)


def two(logs: Folder) -> None:
    table = Table(p1=(10, 10))
    logs.write(
        a=table.log(
            drag("1", 20, 20), nothing, nothing, nothing, roll("4,2"), undo_drag("1", 10, 10)
        ),
        b=table.log(nothing, set_mode("1", "road"), say("done <here>", "Bob"), next_turn, nothing),
    )


def steps(logs: Folder, names: str, *options: str) -> list[dict[str, Any]]:
    said = logs.vmod("log", names, "--format", "ndjson", *options)
    assert (said.code, said.err) == (0, "")
    return [json.loads(line) for line in said.out.splitlines()]


def test_text_of_two_logs(logs: Folder) -> None:
    two(logs)
    said = logs.vmod("log", "a b")
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        "   1.1 p1 Red (undone by 1.6): unit 1 moves Main Map 10,10 → Main Map 20,20\n"
        "       chat: * unit 1 moves *\n"
        "steps 1.2–1.4: nothing\n"
        "   1.5 p1 Red: rolls 2d6: 4,2\n"
        "       chat: *** 2d6 = 4,2 *** <Ann>\n"
        "   1.6 p1 Red (undoes 1.1): unit 1 moves Main Map 20,20 → Main Map 10,10\n"
        "       chat: * UNDO: * unit 1 moves *\n"
        "step 2.1: nothing\n"
        "   2.2: unit 1 in Main Map 10,10: Mode: '' → 'road'\n"
        "   2.3 p2 Blue: chat: <Bob> done <here>\n"
        "   2.4 p2 Blue: Turn: '1' → '2'\n"
        "step 2.5: nothing\n"
    )


def test_steps_that_do_nothing_are_shown_on_demand(logs: Folder) -> None:
    two(logs)
    lines = logs.vmod("log", "a b", "--all").out.splitlines()
    assert lines[2:5] == [
        "   1.2 p1 Red: nothing",
        "   1.3 p1 Red: nothing",
        "   1.4 p1 Red: nothing",
    ]
    assert len([line for line in lines if line.endswith(": nothing")]) == 5


def test_folding_ends_with_the_log(logs: Folder) -> None:
    table = Table(p1=(10, 10))
    logs.write(a=table.log(nothing, nothing), b=table.log(nothing, nothing, say("x")))
    assert logs.vmod("log", "a b").out.splitlines()[:2] == [
        "steps 1.1–1.2: nothing",
        "steps 2.1–2.2: nothing",
    ]


def test_json_has_one_shape(logs: Folder) -> None:
    """The rows of ndjson are those of json; the keys of earlier versions are still there."""
    two(logs)
    told = json.loads(logs.vmod("log", "a b", "--format", "json").out)
    assert told["schema_version"] == 1
    assert [(log["log"], log["file"][-6:]) for log in told["logs"]] == [
        (1, "a.vlog"),
        (2, "b.vlog"),
    ]
    rows = [row for log in told["logs"] for row in log["steps"]]
    assert rows == steps(logs, "a b")
    assert rows[4] == {
        "id": "1.5",
        "log": 1,
        "step": 5,
        "player": "p1",
        "side": "Red",
        "events": [{"event": "property", "changes": {"2d6_result": ["1", "4,2"]}}],
        "chat": ["*** 2d6 = 4,2 *** <Ann>"],
        "rolls": [
            {"label": "2d6", "values": [4, 2], "sum": 6, "name": "Ann", "source": "property"}
        ],
        "undoes": None,
        "undone_by": None,
        "nothing": False,
    }
    assert [row["id"] for row in rows if row["nothing"]] == ["1.2", "1.3", "1.4", "2.1", "2.5"]
    assert (rows[0]["undone_by"], rows[5]["undoes"]) == (6, 1)


def test_csv(logs: Folder) -> None:
    two(logs)
    out = logs.vmod("log", "a b", "--format", "csv").out
    assert out.splitlines() == [
        HEADER,
        "1.1,1,1,p1,Red,move,1,unit 1,Main Map,10,10,,Main Map,20,20,,,,,,,6",
        "1.1,1,1,p1,Red,chat,,,,,,,,,,,,,,* unit 1 moves *,,6",
        "1.2,1,2,p1,Red,nothing,,,,,,,,,,,,,,,,",
        "1.3,1,3,p1,Red,nothing,,,,,,,,,,,,,,,,",
        "1.4,1,4,p1,Red,nothing,,,,,,,,,,,,,,,,",
        '1.5,1,5,p1,Red,property,,,,,,,,,,,2d6_result,1,"4,2",,,',
        '1.5,1,5,p1,Red,roll,,Ann,,,,,,,,,2d6,,"4,2",,,',
        '1.5,1,5,p1,Red,chat,,,,,,,,,,,,,,"*** 2d6 = 4,2 *** <Ann>",,',
        "1.6,1,6,p1,Red,move,1,unit 1,Main Map,20,20,,Main Map,10,10,,,,,,1,",
        "1.6,1,6,p1,Red,chat,,,,,,,,,,,,,,* UNDO: * unit 1 moves *,1,",
        "2.1,2,1,,,nothing,,,,,,,,,,,,,,,,",
        "2.2,2,2,,,change,1,unit 1,Main Map,10,10,,Main Map,10,10,,Mode,,road,,,",
        "2.3,2,3,p2,Blue,chat,,Bob,,,,,,,,,,,,done <here>,,",
        "2.4,2,4,p2,Blue,property,,,,,,,,,,,Turn,1,2,,,",
        "2.5,2,5,p2,Blue,nothing,,,,,,,,,,,,,,,,",
    ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", " =", "＝", "＋", "－", "＠"])
def test_no_cell_of_csv_starts_a_formula(logs: Folder, start: str) -> None:
    evil = f"{start}HYPERLINK(1)"
    table = Table(p1=(10, 10))
    logs.write(a=table.log(set_mode("1", evil), chat(evil), say(evil), drag("1", -5, -6)))
    rows = list(csv.DictReader(io.StringIO(logs.vmod("log", "a", "--format", "csv").out)))
    assert [row["after"] for row in rows][:1] == [f"'{evil}"]
    assert [row["text"] for row in rows if row["event"] == "chat"][:2] == [f"'{evil}"] * 2
    assert [row["to_x"] for row in rows if row["event"] == "move"] == ["-5"]


def test_chat_alone(logs: Folder) -> None:
    two(logs)
    assert logs.vmod("log", "a b", "--chat").out == (
        "   1.1 (undone by 1.6) * unit 1 moves *\n"
        "   1.5 *** 2d6 = 4,2 *** <Ann>\n"
        "   1.6 * UNDO: * unit 1 moves *\n"
        "   2.3 <Bob> done <here>\n"
    )
    said = {
        "id": "2.3", "log": 2, "step": 3, "player": "p2", "side": "Blue",
        "speaker": "Bob", "text": "done <here>", "undone_by": None,
    }  # fmt: skip
    told = json.loads(logs.vmod("log", "a b", "--chat", "--format", "json").out)
    assert told["logs"][1]["chat"] == [said]
    assert steps(logs, "a b", "--chat")[-1] == said
    refused = logs.vmod("log", "a", "--chat", "--format", "csv")
    assert (refused.code, refused.out) == (2, "")
    assert "--chat is text, json or ndjson" in refused.err


@pytest.mark.parametrize(
    ("line", "speaker", "text"),
    [
        ("<Bob> - hi", "Bob", "hi"),
        ("&lt;Bob &amp; Co&gt; - &lt;hi&gt;", "Bob & Co", "&lt;hi&gt;"),
        ("<Bob> hi", None, "<Bob> hi"),
        ("* report", None, "* report"),
        ("<> - hi", "", "hi"),
    ],
)
def test_chat_line_taken_apart(line: str, speaker: str | None, text: str) -> None:
    told = read_chat(line)
    assert (told.speaker, told.text) == (speaker, text)


def test_control_and_bidi_characters_are_visible(logs: Folder) -> None:
    evil = "a\u202eb\x07c\x9b\u2066"
    table = Table(p1=(10, 10))
    logs.write(a=table.log(chat(evil), set_mode("1", evil), roll("4,2", label=evil)))
    for form in ("text", "json", "ndjson", "csv"):
        out = logs.vmod("log", "a", "--format", form).out
        assert not set(out) & set("\u202e\x07\x9b\u2066")
        assert "\\u202e" in out
    assert "a\\u202eb\\x07c\\x9b\\u2066" in logs.vmod("log", "a", "--chat").out


def test_passwords_are_in_no_format(logs: Folder) -> None:
    table = Table(p1=(10, 10))
    secret = PASSWORDS["Ann"]
    owned = "hide;k;c;;player:", "obs;k;b;M;I;?;player:", "restrict;Red;true;"
    shown = piece("9", 5, 5, *((t, "null") for t in owned))
    hidden = piece("9", 5, 5, *((t, secret) for t in owned))
    state = hidden.rpartition("/")[2], shown.rpartition("/")[2]
    text = log_text(
        save_text(shown, rest=[f"PLAYER\t{secret}\tAnn\tRed"]),
        step(f"D/9/{state[0]}/{state[1]}", move("9", (6, 6), (5, 5), player=secret)),
    )
    logs.write(a=table.log(drag("1", 20, 20)), b=game(text))
    assert steps(logs, "b")[0]["events"][1]["traits"] == ["Invisible", "Mask", "Restricted Access"]
    for form in ("text", "json", "ndjson", "csv"):
        out = logs.vmod("log", "a b", "--format", form, "--all").out
        assert "unit 9" in out
        assert not any(word in out for word in PASSWORDS.values())


def test_players_are_the_same_in_all_logs(logs: Folder) -> None:
    """p1 is who comes first in the first log, however later logs list them."""
    table = Table(p1=(10, 10))
    logs.write(
        a=table.log(drag("1", 20, 20, "Bob")),
        b=table.log(drag("1", 30, 30, "Bob"), drag("1", 40, 40, "Ann"), noise=True),
    )
    assert [(r["player"], r["side"]) for r in steps(logs, "a b")] == [
        ("p2", "Blue"), ("p2", "Blue"), ("p1", "Red"),
    ]  # fmt: skip
    assert [r["player"] for r in steps(logs, "b a")] == ["p1", "p2", "p1"]


def test_player_without_a_name_in_a_later_log_keeps_the_one_he_had(logs: Folder) -> None:
    start = save_text(piece("1", 5, 5))
    table = Table(p1=(10, 10))
    nameless = step(move("1", (6, 6), (5, 5), player=PASSWORDS["Bob"]))
    logs.write(a=table.log(drag("1", 20, 20)), b=game(log_text(start, nameless)))
    told = json.loads(logs.vmod("chain", "a b", "--format", "json").out)
    assert told["players"][1] == {"player": "p2", "name": "Bob", "side": "Blue"}
    assert [r["player"] for r in steps(logs, "a b")] == ["p1", "p2"]


def test_c3_23_each_log_is_read_from_its_own_start(logs: Folder) -> None:
    """Log 2 deletes a piece that log 1 created: it says the same alone, after 1, and twice."""
    table = Table(p1=(10, 10))
    logs.write(
        one=table.log(place("2", 30, 30), drag("1", 20, 20)),
        two=table.log(remove("2"), drag("1", 25, 25)),
    )

    def said(names: str, number: int) -> list[dict[str, Any]]:
        rows = [row for row in steps(logs, names) if row["log"] == number]
        return [{k: v for k, v in row.items() if k not in ("id", "log")} for row in rows]

    alone = said("two", 1)
    assert [e["event"] for row in alone for e in row["events"]] == ["remove", "move"]
    assert alone == said("one two", 2) == said("two one", 1) == said("two two", 2)
    chained = json.loads(logs.vmod("chain", "one two", "--format", "json").out)["logs"][1]
    twice = json.loads(logs.vmod("chain", "two two", "--format", "json").out)["logs"]
    assert {(log["start"], log["end"]) for log in (chained, *twice)} == {
        (chained["start"], chained["end"])
    }


def test_decks_traits_turns_and_stacks(logs: Folder) -> None:
    start = save_text(
        piece("1", 5, 5, ("rotate;6;;;;;;;;;;;", "0")),
        piece("2", 7, 7, (MODE, "")),
        stack("s", 5, 5, "1"),
        deck("d", 7, 7, "2"),
        rest=["TURNTurnTracker0\t0|1"],
    )
    turned = piece("1", 5, 5, ("rotate;6;;;;;;;;;;;", "3")).rpartition("/")[2]
    text = log_text(
        start,
        step(f"D/1/{turned}"),
        step("D/d/Main Map;7;7;false/Main Map;7;7;false;2"),
        step("TURNTurnTracker0\t0|1"),
        step("TURNTurnTracker0\t0|2"),
        step(f"D/s/{stack_state(9, 9, '1')}/x", move("1", (9, 9), (5, 5))),
        step(stack("new", 1, 1), "-/new"),
        step("MutableProperty\tx\t1\t1\tModule"),
        step(move("1", (0, 0), (9, 9), map="null"), "LOG"),
    )
    logs.write(a=game(text))
    assert logs.vmod("log", "a").out == (
        "   1.1: unit 1 in Main Map 5,5: state of Can Rotate\n"
        "   1.2: deck Deck in Main Map 7,7: other cards or another order\n"
        "step 1.3: nothing\n"
        "   1.4: turn: TurnTracker0: '0|1' → '0|2'\n"
        "   1.5 p1: unit 1 moves Main Map 5,5 → Main Map 9,9\n"
        "steps 1.6–1.7: nothing\n"
        "   1.8 p1: unit 1 moves Main Map 9,9 → off the map\n"
        "       command not understood: LOG\n"
    )


def test_location_names_need_the_module(logs: Folder) -> None:
    made = logs.path / "m.vmod"
    numbers = {"hOff": 1, "vOff": 1, "hLeading": 1, "vLeading": 1, "first": "H", "stagger": "true"}
    grid = hex_grid(numbers, dx="52.0", dy="60.0", x0=0, y0=0)
    made.write_bytes(module(map_window("Main Map", board("Board", 400, 400, grid))))
    table = Table(p1=(10, 10))
    logs.write(a=table.log(drag("1", 104, 60)))
    (row,) = steps(logs, "a", "--module", str(made))
    assert row["events"][0]["to"]["location"]
    other = logs.path / "o.vmod"
    other.write_bytes(module(name="Other"))
    logs.write(x=game(save_text(), module="Made by hand"))
    for verb in ("log", "chain", "dice"):
        said = logs.vmod(verb, "x", "--module", str(other))
        assert (said.code, said.out) == (2, "")
        assert "MODULE_MISMATCH" in said.err


def test_turns_in_the_words_of_the_module(logs: Folder) -> None:
    counter = tag("VASSAL.build.module.turn.CounterTurnLevel", name="Turn", property="Turn")
    made = logs.path / "m.vmod"
    made.write_bytes(module(tag("VASSAL.build.module.turn.TurnTracker", counter, name="Turn")))
    turns = [step(f"TURNTurnTracker0\t0|{n};0;true;9") for n in (1, 2, 2)]
    logs.write(a=game(log_text(save_text(), *turns)))
    assert logs.vmod("log", "a", "--module", made).out == (
        "   1.1: turn: Turn: '' → '1'\n   1.2: turn: Turn: '1' → '2'\nstep 1.3: nothing\n"
    )


def test_broken_module_is_named(logs: Folder) -> None:
    made = logs.path / "m.vmod"
    made.write_bytes(module(tag("VASSAL.build.module.DiceButton", name="x", nSides="six")))
    logs.write(a=game(save_text()))
    for verb in ("log", "chain", "dice"):
        said = logs.vmod(verb, "a", "--module", made)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith(f"{made}:")


def test_rows_without_a_roster(logs: Folder) -> None:
    two(logs)
    log = Log.read(Archive.parse((logs.path / "a.vlog").read_bytes()))
    assert [row.id for row in step_rows(log, None)] == [f"1.{n}" for n in range(1, 7)]


def test_step_that_breaks_late_names_its_file(logs: Folder) -> None:
    table = Table(p1=(10, 10))
    logs.write(
        a=table.log(say("x")), b=game(log_text(table.start("GlobalProperty\t;x"), step("CHATx")))
    )
    for verb in ("log", "chain"):
        said = logs.vmod(verb, "a b")
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith(f"{logs.path}/b.vlog:")
