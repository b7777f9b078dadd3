"""Dice: what is a roll, who made it, and what they come to."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Sequence
from typing import Any

import pytest

from tests.support.crafted import game, log_text, map_window, module, save_text, step, tag
from tests.support.plays import (
    PASSWORDS,
    Folder,
    Play,
    Table,
    chat,
    drag,
    roll,
    say,
    set_mode,
    undo_drag,
    undo_roll,
)
from vmod_tools.dicelines import MAX_LINE, DiceLine, read_dice_line
from vmod_tools.dicestats import chi_square, sum_chances, summarise, tail
from vmod_tools.rolls import Dice, dice_named

# Reports in the chat


@pytest.mark.parametrize(
    ("line", "label", "values", "name"),
    [
        ("*** 2d6 = 4,2 *** <Bob>", "2d6", (4, 2), "Bob"),
        ("*** 2d6 = 4,2 *** &lt;Bob&gt;", "2d6", (4, 2), "Bob"),
        ("*** 2d6 = 4,2 ** <Bob>", "2d6", (4, 2), "Bob"),
        ("*** Losses = 3 *** <Bob>", "Losses", (3,), "Bob"),
        ("*** 2d6 = 6 ***", "2d6", (6,), ""),
        ("*** 2d6 = [4] [2] *** <Ann>", "2d6", (4, 2), "Ann"),
        ("*** 2d6 = 4,2 = 6 *** <Ann>", "2d6", (4, 2), "Ann"),
        (
            '*** (IFT DR) 4,2 ***   <A "b" C>    [1 / 2   avg   8.00]  <Hull>',
            "IFT DR",
            (4, 2),
            'A "b" C',
        ),
        ("*** <b>2d6</b> = <font color=red>4,2</font> *** <Bob>", "2d6", (4, 2), "Bob"),
        ("* Bob rolls 2d6: 4,2", "2d6", (4, 2), "Bob"),
        ("* 2d6 result is 4, 2 <Bob>", "2d6", (4, 2), "Bob"),
        ("* <Bob> 2D6 → 4+2=6", "2D6", (4, 2), "Bob"),
        ("*! 1d20 = 17 &lt;Ann&gt;", "1d20", (17,), "Ann"),
        ("* d6 = 4", "d6", (4,), ""),
        ("* Combat 2d6: 4,2 <Bob>", "Combat 2d6", (4, 2), "Bob"),
        ("* Ann throws Fate: 3", "Fate", (3,), "Ann"),
        ("*** ２ｄ６ ＝ ４，２ *** ＜ボブ＞", "2d6", (4, 2), "ボブ"),
        ("* Bobが2d6を振った：４、２", "2d6", (4, 2), "Bob"),
        ("* 2d6の出目は 6と1 <Bob>", "2d6", (6, 1), "Bob"),
    ],
)
def test_report_of_dice(line: str, label: str, values: tuple[int, ...], name: str) -> None:
    assert read_dice_line(line, ["Fate", ""]) == DiceLine(label, values, name)


@pytest.mark.parametrize(
    "line",
    [
        "<Bob> - *** 2d6 = 6,6 *** <Bob>",
        "&lt;Bob&gt; - 2d6 = 6,6",
        "* UNDO: *** 2d6 = 4,2 *** <Bob>",
        "*** Turn = 3 days",
        "*** Turn = 3",
        "*** = 3 ***",
        "*** x<y> = 3 ***",
        "* Turn = 3 <Bob>",
        "* Bob moves 0201 -> 0302 *",
        "* 2nd Red created in 0502 *",
        "* 12345d6 = 4",
        "* bond60 = 4",
        "* d6x = 4",
        "* Bob rolls 2d6",
        "* 2d6: high",
        "* 2d6: 4th",
        "*** 2d6 = 9999999999 *** <x>",
        "*** x",
        "*",
        "",
        "*** 2d6 = 4,2 *** <Bob>" + " " * MAX_LINE,
    ],
)
def test_what_is_no_report_of_dice(line: str) -> None:
    assert read_dice_line(line, ["Fate"]) is None


@pytest.mark.parametrize(
    "body",
    [
        "*" * 1000,
        "*** " + "d6" * 990,
        "*** 2d6 = " + "1," * 990,
        "* " + "はの出目" * 480,
        "*** (" * 390,
    ],
)
def test_longest_lines_are_read_at_once(body: str) -> None:
    started = time.perf_counter()
    read_dice_line(body, ["label" * 10] * 50)
    assert time.perf_counter() - started < 0.5


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["*", "*** 2d6 = ", "<", "1,", "d6", "\ufdfa", "&lt;", "の出目は"])
def test_line_of_a_megabyte_is_read_at_once(unit: str) -> None:
    line = "*** " + unit * (1_000_000 // len(unit))
    started = time.perf_counter()
    read_dice_line(line, ["2d6"])
    assert time.perf_counter() - started < 0.5


def test_many_values_end_somewhere() -> None:
    found = read_dice_line("*** 900d6 = " + "1," * 900 + "*** <Bob>")
    assert found is not None
    assert len(found.values) == 900


def test_dice_in_a_name() -> None:
    assert dice_named("2d6") == Dice(2, 6)
    assert dice_named("Combat D10") == Dice(1, 10)
    assert [dice_named(x) for x in ("bid", "0d6", "2d0", "2d6x", "xd6", "d9999", "²d6")] == [
        None
    ] * 7


# Numbers


@pytest.mark.parametrize(
    ("counts", "value", "probability"),
    [
        # by hand: (25+4+1+4+0+100)/10, (4+1+81+16+4+0)/10, and nothing
        ((5, 8, 9, 8, 10, 20), 13.4, 0.0199),
        ((8, 9, 19, 6, 8, 10), 10.6, 0.0599),
        ((10,) * 6, 0.0, 1.0),
    ],
)
def test_chi_square_by_hand(counts: tuple[int, ...], value: float, probability: float) -> None:
    found = chi_square(counts, [10.0] * 6)
    assert found is not None
    assert found.value == pytest.approx(value)
    assert (found.degrees, found.sample, found.least_expected) == (5, 60, 10.0)
    assert found.probability == pytest.approx(probability, abs=5e-5)


@pytest.mark.parametrize(
    ("value", "degrees", "probability"),
    [
        # the printed table
        (3.841, 1, 0.05), (5.991, 2, 0.05), (7.815, 3, 0.05), (9.488, 4, 0.05), (11.070, 5, 0.05),
        (20.515, 5, 0.001), (18.307, 10, 0.05), (124.342, 100, 0.05), (1.145, 5, 0.95),
    ],
)  # fmt: skip
def test_tail_agrees_with_the_printed_table(value: float, degrees: int, probability: float) -> None:
    assert tail(value, degrees) == pytest.approx(probability, rel=1e-3)


def test_nothing_to_compare() -> None:
    assert chi_square([5], [5.0]) is None
    assert chi_square([5, 5], [5.0, 0.0]) is None
    assert chi_square([1] * 1001, [1.0] * 1001) is None


def test_chances_of_sums() -> None:
    chances = sum_chances(Dice(2, 6))
    assert [round(36 * c) for c in chances.values()] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert list(sum_chances(Dice(1, 4, plus=2))) == [3, 4, 5, 6]
    assert sum_chances(Dice(1000, 6)) == {}


def pairs(*faces: int) -> list[tuple[int, ...]]:
    return list(zip(faces[::2], faces[1::2], strict=True))


def test_summary_at_the_threshold() -> None:
    """30 dice of six sides are expected to show each face 5 times: enough; 28 are not."""
    faces = [1, 2, 3, 4, 5, 6] * 5
    enough = summarise(pairs(*faces), Dice(2, 6))
    assert enough.chi_square is not None
    assert (enough.chi_square.value, enough.chi_square.degrees, enough.chi_square.sample) == (
        0,
        5,
        30,
    )
    assert enough.sentence == (
        "Chi-square is 0.00 with 5 degrees of freedom over 30 dice; "
        "of samples of fair dice, 100.0 in 100 differ at least so much."
    )
    few = summarise(pairs(*faces[:28]), Dice(2, 6))
    assert few.chi_square is None
    assert few.sentence == (
        "Too small a sample to say anything (28 dice): fair dice would show the rarest face 4.7 times, "
        "and 5 are needed."
    )
    assert few.expected_each == pytest.approx(28 / 6)


def test_mean_and_its_interval() -> None:
    found = summarise(pairs(*[1, 2, 3, 4, 5, 6] * 5), Dice(2, 6))
    assert (found.total, found.mean, found.expected_mean) == (105, 7.0, 7.0)
    # a die's variance is 35/12; 1.96 · sqrt(2 · 35/12 / 15)
    assert found.interval == pytest.approx((7 - 1.2222, 7 + 1.2222), abs=1e-4)
    assert summarise([(1,)], Dice(1, 6)).interval == (1.0, 6.0)


def test_totals_alone_are_compared_as_sums() -> None:
    found = summarise([(7,)] * 180, Dice(2, 6))
    assert found.faces == {}
    assert found.chi_square is not None
    assert (found.chi_square.degrees, found.chi_square.least_expected) == (10, 5.0)
    assert summarise([(7,)], Dice(2, 6)).sentence.startswith(
        "Too small a sample to say anything (1 sum)"
    )
    assert "too many" in summarise([(5000,)], Dice(999, 10)).sentence


def test_dice_that_are_not_known() -> None:
    found = summarise([(4, 2), (2, 2)], None)
    assert (found.faces, found.sums) == ({2: 3, 4: 1}, {4: 1, 6: 1})
    assert (found.expected_mean, found.interval, found.chi_square) == (None, None, None)
    assert found.sentence == "The number of sides is not known, so nothing can be expected."
    assert summarise([(4,), (2,)], None).faces == {}


@pytest.mark.parametrize("values", [(7, 1), (0, 1), (13,), (1,), (1, 1, 1)])
def test_values_that_such_dice_cannot_show(values: tuple[int, ...]) -> None:
    found = summarise([values], Dice(2, 6))
    assert found.sentence == "Some values cannot come from 2 dice of 6 sides."


def test_what_is_added_to_each_die_moves_the_faces() -> None:
    assert list(summarise([(3,)], Dice(1, 4, plus=2)).faces) == [3, 4, 5, 6]


# Over a chain


def dice(logs: Folder, names: str, *options: str) -> dict[str, Any]:
    said = logs.vmod("dice", names, "--format", "json", *options)
    assert (said.code, said.err) == (0, "")
    answer: dict[str, Any] = json.loads(said.out)
    return answer


def groups(answer: dict[str, Any]) -> list[tuple[str, str, int, int]]:
    return [(g["player"], g["label"], g["rolls"], g["standing"]) for g in answer["groups"]]


def chain_of(logs: Folder, *plays: Sequence[Play]) -> str:
    """A chain of logs a, b, c … each of which moves a piece first."""
    table = Table(p1=(10, 10))
    names = "abcdef"[: len(plays)]
    for name, steps in zip(names, plays, strict=True):
        x, y, _ = table.pieces["1"]
        logs.write(**{name: table.log(drag("1", x + 1, y), *steps)})
    return " ".join(names)


def test_c3_28_statistics_go_over_the_chain_in_all_report_formats(logs: Folder) -> None:
    """3 logs, 2 players, 2d6 in three formats of report, 6 rolls: summed up, and too few to judge."""
    names = chain_of(
        logs,
        [chat("*** 2d6 = 4,2 *** <Ann>"), chat("* Bob rolls 2d6: 6,6")],
        [chat("*** 2d6 = 1,3 *** &lt;Bob&gt;"), chat("* Annが2d6を振った：５、５")],
        [chat("*** ２ｄ６ ＝ ２，２ *** ＜Ann＞"), roll("1,6", "Bob")],
    )
    answer = dice(logs, names)
    assert groups(answer) == [("p1", "2d6", 3, 3), ("p2", "2d6", 3, 3), ("all", "2d6", 6, 6)]
    ann, bob, both = answer["groups"]
    assert (ann["name"], ann["total"], ann["sums"]) == ("Ann", 20, {"4": 1, "6": 1, "10": 1})
    assert (bob["name"], bob["total"]) == ("Bob", 23)
    assert both["faces"] == {"1": 2, "2": 3, "3": 1, "4": 1, "5": 2, "6": 3}
    assert both["expected_each_face"] == 2.0
    assert both["chi_square"] is None
    assert both["sentence"] == (
        "Too small a sample to say anything (12 dice): fair dice would show the rarest face 2.0 times, "
        "and 5 are needed."
    )
    assert both["interval_95"] == [5.0674, 8.9326]  # 7 ± 1.96 · sqrt(2 · 35/12 / 6)
    assert [r["id"] for r in answer["rolls"]] == ["1.2", "1.3", "2.2", "2.3", "3.2", "3.3"]
    assert [r["source"] for r in answer["rolls"]] == ["chat"] * 5 + ["property"]
    assert [log["file"][-6:] for log in answer["logs"]] == ["a.vlog", "b.vlog", "c.vlog"]


def test_chi_square_of_a_long_chain(logs: Folder) -> None:
    counts = {1: 5, 2: 8, 3: 9, 4: 8, 5: 10, 6: 20}
    values = [face for face, n in counts.items() for _ in range(n)]
    plays = [roll(f"{a},{b}") for a, b in zip(values[::2], values[1::2], strict=True)]
    answer = dice(logs, chain_of(logs, plays[:10], plays[10:20], plays[20:]))
    (group,) = answer["groups"]
    assert group["faces"] == {str(face): n for face, n in counts.items()}
    assert group["chi_square"] == {
        "value": 13.4,
        "degrees_of_freedom": 5,
        "sample_size": 60,
        "least_expected": 10.0,
        "probability": 0.0199,
    }


def test_text(logs: Folder) -> None:
    names = chain_of(logs, [roll("1,1"), undo_roll("1"), roll("6,6")], [roll("3,4", "Bob")])
    said = logs.vmod("dice", names)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[:6] == [
        "2d6, p1 Ann: 2 rolls (1 undone)",
        "     faces: 1 ×2, 6 ×2",
        "     sums: 2 ×1, 12 ×1",
        "     fair dice: each face 0.67 times",
        "     mean 7.00; fair dice: 7.00, in 95 of 100 cases between 3.65 and 10.35 over so many rolls",
        "     Too small a sample to say anything (4 dice): "
        "fair dice would show the rarest face 0.7 times, and 5 are needed.",
    ]
    assert said.out.splitlines()[-4:] == [
        "p1 2d6: rolled 1,1 (1.2), undid (1.3), rolled 6,6 (1.4)",
        "   1.2 p1 Ann: 2d6 = 1,1 (undone)",
        "   1.4 p1 Ann: 2d6 = 6,6",
        "   2.2 p2 Bob: 2d6 = 3,4",
    ]


def test_csv(logs: Folder) -> None:
    names = chain_of(logs, [roll("1,1", label="=2d6"), undo_roll("1", label="=2d6")])
    rows = list(csv.reader(io.StringIO(logs.vmod("dice", names, "--format", "csv").out)))
    assert rows == [
        ["id", "log", "step", "player", "side", "name", "label", "values", "sum", "source", "status", "undone_by"],
        ["1.2", "1", "2", "p1", "Red", "Ann", "'=2d6", "1,1", "2", "property", "undone", "1.3"],
    ]  # fmt: skip


def test_undone_roll_is_marked_with_what_came_after_it(logs: Folder) -> None:
    plays = [
        roll("2,2"),
        undo_roll("1"),
        roll("5,5", "Bob"),
        roll("6,6"),
        roll("3,3"),
        undo_roll("6,6"),
    ]
    answer = dice(logs, chain_of(logs, plays))
    assert [(r["id"], r["status"], r["undone_by"]) for r in answer["rolls"]] == [
        ("1.2", "undone", "1.3"),
        ("1.4", "stands", None),
        ("1.5", "stands", None),
        ("1.6", "undone", "1.7"),
    ]
    first, second = answer["rerolls"]
    assert (first["undone"]["values"], first["then"]["values"]) == ([2, 2], [6, 6])
    assert (second["undone"]["id"], second["then"]) == ("1.6", None)
    assert groups(answer) == [("p1", "2d6", 3, 1), ("p2", "2d6", 1, 1), ("all", "2d6", 4, 2)]
    assert "rolled 3,3 (1.6), undid (1.7)\n" in logs.vmod("dice", "a").out


def test_undo_rolls_nothing_even_if_it_fits_no_step(logs: Folder) -> None:
    bracketed = step("UNDO\ttrue", "MutableProperty\t2d6_result\t1,1\t9,9\tModule", "UNDO\tfalse")
    told = step("CHAT* UNDO: something", "MutableProperty\t2d6_result\t1,1\t9,9\tModule")
    logs.write(a=game(log_text(save_text(), bracketed, told)))
    assert dice(logs, "a")["rolls"] == []
    assert logs.vmod("dice", "a").out == "no dice\n"


def test_rolls_of_side_lines_copies_and_repetitions(logs: Folder) -> None:
    table = Table(p1=(10, 10))
    half = table.copy()
    steps = [drag("1", 20, 20), roll("1,1"), set_mode("1", "road"), roll("2,2")]
    a = table.log(*steps, date=1)
    half.log(*steps[:2])
    b = half.log(*steps[2:], drag("1", 30, 30), roll("3,3"), date=2)
    fork = half.copy()
    logs.write(
        a=a,
        copy=a,
        b=b,
        c=half.log(drag("1", 40, 40), roll("4,4"), drag("1", 41, 41), date=3),
        d=half.log(drag("1", 50, 50), date=4),
        x=fork.log(drag("1", 60, 60), roll("5,5"), date=5),
    )
    answer = dice(logs, "a b c d x copy")
    assert [(r["values"][0], r["status"]) for r in answer["rolls"]] == [
        (1, "stands"), (2, "stands"), (3, "stands"), (4, "stands"), (5, "side line"),
    ]  # fmt: skip
    assert not answer["clean"]
    (group,) = answer["groups"]
    assert (group["rolls"], group["standing"], group["side_line"]) == (5, 4, 1)
    assert "5 rolls (1 on side lines)" in logs.vmod("dice", "a b c d x copy").out


def test_undo_of_a_move_says_nothing_of_dice(logs: Folder) -> None:
    names = chain_of(logs, [drag("1", 30, 10), undo_drag("1", 11, 10), roll("1,2")])
    assert [r["id"] for r in dice(logs, names)["rolls"]] == ["1.4"]


# What is a roll


def rolls(logs: Folder, *commands: str, start: str = "", options: tuple[str, ...] = ()) -> Any:
    people = [f"PLAYER\t{PASSWORDS[n]}\t{n} (Red)\tRed" for n in ("Ann", "Bob")]
    logs.write(
        r=game(log_text(save_text(rest=[*people, start]), step(*commands)), module="Made by hand")
    )
    found = dice(logs, "r", *options)["rolls"]
    return [(r["label"], r["values"], r["player"], r["name"], r["source"]) for r in found]


RESULT = "MutableProperty\t{}_result\t1\t{}\tModule"


def test_property_is_preferred_and_the_report_names_the_player(logs: Folder) -> None:
    report = "CHAT* two dice: 4 and 2 <Bob>"
    assert rolls(logs, report, RESULT.format("two", "4,2")) == [("two", [4, 2], "", "", "property")]
    report = "CHAT*** two = 6 *** <Bob>"
    assert rolls(logs, report, RESULT.format("two", "4,2")) == [
        ("two", [4, 2], "p2", "Bob (Red)", "property")
    ]


def test_several_rolls_in_one_step(logs: Folder) -> None:
    found = rolls(
        logs,
        "CHAT*** 2d6 = 4,2 *** <Ann>",
        RESULT.format("2d6", "4,2"),
        "CHAT*** 2d6 = 4,2 *** <Bob>",
        RESULT.format("1d6", "3"),
    )
    assert [(label, player, source) for label, _, player, _, source in found] == [
        ("2d6", "p1", "property"),
        ("1d6", "", "property"),
        ("2d6", "p2", "chat"),
    ]


def test_what_is_no_result_of_dice(logs: Folder) -> None:
    listed = "GlobalProperty\t;battle_result;1;Module"
    assert rolls(
        logs,
        RESULT.format("battle", "3"),
        RESULT.format("", "3"),
        RESULT.format("word", "heads"),
        RESULT.format("none", ""),
        "MutableProperty\tresult\t1\t3\tModule",
        start=listed,
    ) == []  # fmt: skip


def test_speaker_whom_no_log_lists(logs: Folder) -> None:
    found = rolls(
        logs,
        "CHAT*** 2d6 = 1,2 *** <Guest>",
        "CHAT*** 2d6 = 3,4 *** <Other>",
        "CHAT*** 2d6 = 5,6 *** <Guest>",
    )
    assert [(player, name) for _, _, player, name, _ in found] == [
        ("p3", "Guest"), ("p4", "Other"), ("p3", "Guest"),
    ]  # fmt: skip


def test_roll_of_nobody_known(logs: Folder) -> None:
    logs.write(
        a=game(log_text(save_text(), step(RESULT.format("2d6", "4,2")), step("CHAT* UNDO: x")))
    )
    out = logs.vmod("dice", "a").out
    assert "2d6, nobody known: 1 roll\n" in out
    assert "   1.1 nobody known: 2d6 = 4,2\n" in out
    undone = (
        step(RESULT.format("2d6", "4,2")),
        step("CHAT* UNDO: *", "MutableProperty\t2d6_result\t4,2\t1\tModule"),
    )
    logs.write(b=game(log_text(save_text(), *undone)))
    assert "someone 2d6: rolled 4,2 (1.1), undid (1.2)\n" in logs.vmod("dice", "b").out


DICE = "VASSAL.build.module.DiceButton"


def test_module_tells_its_dice(logs: Folder) -> None:
    made = logs.path / "m.vmod"
    made.write_bytes(
        module(
            map_window("Main Map"),
            tag(DICE, name="Fate", nDice=1, nSides=4, plus=2),
            tag(DICE, name="Two", nDice=2, nSides=6, reportTotal="true"),
            tag(DICE, name="2d8", nDice=2, nSides=8, keepDice="true"),
            tag(DICE, name="3d8", prompt="true"),
            tag(DICE, name="odd", nDice=0, nSides=1),
            tag("VASSAL.build.module.SpecialDiceButton", name="Omen"),
        )
    )
    commands = (
        "CHAT* Fate smiles: 5",
        "CHAT* Ann throws Fate: 5",
        "CHAT* Omen = 3 <Ann>",
        RESULT.format("Two", "7"),
        RESULT.format("2d8", "7"),
        RESULT.format("3d8", "7,7"),
        RESULT.format("odd", "7"),
    )
    module_option = ("--module", str(made))
    found = rolls(logs, *commands, options=module_option)
    assert [label for label, *_ in found] == ["Two", "2d8", "3d8", "odd", "Fate", "Omen"]
    told = {g["label"]: g for g in dice(logs, "r", *module_option)["groups"]}
    assert told["Fate"]["faces"] == {"3": 0, "4": 0, "5": 1, "6": 0}
    assert (told["Two"]["faces"], told["Two"]["expected_mean"]) == ({}, 7.0)
    for label in ("2d8", "3d8", "odd", "Omen"):
        assert told[label]["expected_mean"] is None


def test_sides_can_be_said(logs: Folder) -> None:
    names = chain_of(logs, [chat("*** (DR) 4,2 *** <Ann>"), chat("*** (dr) 4 *** <Ann>")])
    assert [g["expected_mean"] for g in dice(logs, names)["groups"]] == [None, None]
    found = dice(logs, names, "--sides", "6")["groups"]
    assert [(g["label"], g["expected_mean"]) for g in found] == [("DR", 7.0), ("dr", 3.5)]
    mixed = chain_of(logs, [chat("*** (DR) 4,2 *** <Ann>"), chat("*** (DR) 4 *** <Ann>")])
    assert dice(logs, mixed, "--sides", "6")["groups"][0]["expected_mean"] is None
    assert logs.vmod("dice", names, "--sides", "1").code == 2


def test_names_of_dice_are_data(logs: Folder) -> None:
    evil = "<script>\u202e\x07"
    names = chain_of(
        logs, [roll("4,2", label=evil), chat(f"*** x = 3 *** <Bob{evil[8:]}>"), say("x")]
    )
    for form in ("text", "json", "csv"):
        out = logs.vmod("dice", names, "--format", form).out
        assert not set(out) & {"\u202e", "\x07"}
        assert not any(word in out for word in PASSWORDS.values())
