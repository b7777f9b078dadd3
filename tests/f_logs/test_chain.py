"""`vmod chain`: the order of logs, and everything that is not one clean line."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest

from tests.support.crafted import deck, game, log_text, piece, save_text, stack, step
from tests.support.plays import (
    MODE,
    PASSWORDS,
    Folder,
    Play,
    Table,
    drag,
    next_turn,
    nothing,
    place,
    remove,
    roll,
    say,
    set_mode,
)

Told = dict[str, Any]


def table() -> Table:
    return Table(p1=(10, 10), p2=(50, 50))


def told(logs: Folder, names: str) -> Told:
    said = logs.vmod("chain", names, "--format", "json")
    answer: Told = json.loads(said.out)
    assert said.err == ""
    assert said.code == (0 if answer["clean"] else 1)
    return answer


def order(answer: Told) -> str:
    """File names in the order found, side lines in brackets."""
    names = [log["file"].rpartition("/")[2].removesuffix(".vlog") for log in answer["logs"]]
    lines = [log["line"] for log in answer["logs"]]
    marks = {"main": "{}", "side": "({})", "duplicate": "[{}]"}
    return " ".join(marks[line].format(n) for n, line in zip(names, lines, strict=True))


def kinds(answer: Told) -> list[tuple[str, int, int, str | None]]:
    return [(f["kind"], f["log"], f["other"], f["step"]) for f in answer["findings"]]


def three(logs: Folder) -> None:
    game_ = table()
    logs.write(
        a=game_.log(drag("1", 20, 20), roll("4,2"), say("over to you")),
        b=game_.log(drag("2", 60, 60, "Bob"), next_turn, noise=True),
        c=game_.log(set_mode("1", "road"), place("3", 5, 5), remove("2")),
    )


# A clean line


@pytest.mark.parametrize("names", [" ".join(p) for p in permutations("abc")])
def test_order_comes_from_positions_however_they_are_given(logs: Folder, names: str) -> None:
    three(logs)
    answer = told(logs, names)
    assert (answer["clean"], order(answer), answer["findings"]) == (True, "a b c", [])
    assert [log["follows"] for log in answer["logs"]] == [None, "1.3", "2.2"]
    assert [log["player"] for log in answer["logs"]] == ["p1", "p2", ""]
    assert [log["steps"] for log in answer["logs"]] == [3, 2, 3]


def test_text_of_a_clean_line(logs: Folder) -> None:
    three(logs)
    said = logs.vmod("chain", "c b a")
    assert (said.code, said.err) == (0, "")
    folder = logs.path
    assert said.out == (
        f"   1 {folder}/a.vlog: 3 steps p1 Red, first\n"
        f"   2 {folder}/b.vlog: 2 steps p2 Blue, after 1.3\n"
        f"   3 {folder}/c.vlog: 3 steps of nobody known, after 2.2\n"
        "one clean line of 3 logs\n"
    )


def test_one_log_alone_is_a_line(logs: Folder) -> None:
    three(logs)
    assert logs.vmod("chain", "a").out.endswith("one clean line of 1 log\n")


def test_position_may_come_again(logs: Folder) -> None:
    """There and back again: a start that two logs have is no fork if the line passes it twice."""
    game_ = table()
    logs.write(
        a=game_.log(drag("1", 20, 20)),
        b=game_.log(drag("1", 10, 10, "Bob")),
        c=game_.log(drag("2", 90, 90)),
    )
    for names in ("c b a", "b c a", "a b c"):
        assert (order(told(logs, names)), told(logs, names)["clean"]) == ("a b c", True)


def test_closed_ring_begins_with_the_earliest_log(logs: Folder) -> None:
    game_ = table()
    logs.write(
        a=game_.log(drag("1", 20, 20), date=100),
        b=game_.log(drag("1", 10, 10), date=200),
    )
    assert order(told(logs, "b a")) == "a b"


def test_log_that_changes_no_position_is_noted(logs: Folder) -> None:
    game_ = table()
    logs.write(a=game_.log(drag("1", 20, 20)), b=game_.log(say("hello"), nothing))
    answer = told(logs, "b a")
    assert (answer["clean"], order(answer)) == (True, "a b")
    assert answer["notes"] == ["2 changes no position, so nothing but its date tells its place"]
    assert "note: 2 changes no position" in logs.vmod("chain", "a b").out


def test_what_the_hash_does_not_see(logs: Folder) -> None:
    """Stack ids and empties, order, players, null members, clicks, owners of masks."""

    def start(click: str, owner: str, id: str) -> str:
        traits = (("obs;77,130;b.png;Mask;I;?;player:;Peek", f"{owner};"),)
        text = piece("1", 5, 5, *traits).replace("5;5;1;0", f"5;5;1;2;ClickedX;{click}")
        return save_text(text, stack(id, 5, 5, "1"), rest=[f"PLAYER\t{owner}\tAnn\tRed"])

    logs.write(
        a=game(log_text(start("0", "pw", "s"), step("CHATx"))), b=game(start("7", "qw", "t"))
    )
    starts = {log["start"] for log in told(logs, "a b")["logs"]}
    assert len(starts) == 1


@pytest.mark.parametrize(
    "text",
    [
        save_text(piece("1", 5, 6), deck("d", 9, 9)),
        save_text(piece("1", 5, 5, (MODE, "road")), deck("d", 9, 9)),
        save_text(piece("1", 5, 5), deck("d", 8, 9)),
        save_text(piece("1", 5, 5), deck("d", 9, 9), rest=["TURNTurnTracker0\t0|1"]),
        save_text(piece("1", 5, 5), deck("d", 9, 9), rest=["GlobalProperty\t;Turn;1;Module"]),
        save_text(piece("1", 5, 5), deck("d", 9, 9).replace("false", "true")),
        save_text(piece("1", 5, 5).replace("5;5;1;", "5;5;2;"), deck("d", 9, 9)),
        save_text(piece("1", 5, 5), piece("2", 5, 5), deck("d", 9, 9)),
    ],
)
def test_what_the_hash_sees(logs: Folder, text: str) -> None:
    logs.write(a=game(save_text(piece("1", 5, 5), deck("d", 9, 9))), b=game(text))
    assert len({log["start"] for log in told(logs, "a b")["logs"]}) == 2


def test_mask_of_a_side_is_seen_and_a_piece_off_the_map_has_no_place(logs: Folder) -> None:
    def masked(by: str) -> bytes:
        return game(save_text(piece("1", 5, 5, ("obs;k;b;Mask;I;?;side:", f"{by};"))))

    def away(x: int) -> bytes:
        return game(save_text(piece("1", x, 5, map="null")))

    logs.write(a=masked("Red"), b=masked("Blue"), c=masked("null"), d=away(1), e=away(2))
    assert len({log["start"] for log in told(logs, "a b c d e")["logs"]}) == 4


def test_global_property_of_an_old_file_has_no_container(logs: Folder) -> None:
    def start(value: str) -> str:
        return save_text(piece("1", 5, 5), rest=[f"GlobalProperty\t;Turn;{value}"])

    later = step("MutableProperty\tTurn\t1\t2\tModule", "MutableProperty\tOther\t\t1\tModule")
    logs.write(a=game(log_text(start("1"), later)), b=game(start("2")))
    assert told(logs, "b a")["clean"]


def test_other_words_and_stacking_are_notes(logs: Folder) -> None:
    def start(type_: str, *members: str) -> str:
        pieces = [piece(i, 5, 5, (type_, "x")) for i in "123"]
        return save_text(*pieces, stack("s", 5, 5, *members))

    a = log_text(start(MODE, "1", "2", "3"), step("CHATx"))
    logs.write(a=game(a), b=game(log_text(start(MODE + ";", "3", "2", "1"), step("CHATy"))))
    answer = told(logs, "a b")
    assert answer["clean"]
    assert answer["notes"][:2] == [
        "2 writes 3 pieces in other words than the log before it",
        "2 has 1 stack in another order than the log before it",
    ]


def test_deck_stays_the_same_over_steps_that_do_not_touch_it(logs: Folder) -> None:
    start = save_text(piece("1", 5, 5), deck("d", 9, 9))
    shuffled = step("D/d/Main Map;9;9;true;/Main Map;9;9;false;")
    logs.write(a=game(log_text(start, step("CHATx"), step("CHATy"))), b=game(start))
    assert told(logs, "a b")["clean"]
    logs.write(a=game(log_text(start, step("CHATx"), shuffled)))
    still, turned = told(logs, "a b")["logs"]
    assert still["end"] == turned["start"] != turned["end"]


# What does not fit


def test_gap_with_what_stands_otherwise(logs: Folder) -> None:
    game_ = Table(p1=(10, 10), p2=(50, 50), p4=(70, 70))
    a = game_.log(drag("4", 71, 71), drag("1", 20, 20))
    game_.log(drag("2", 60, 60, "Bob"), set_mode("1", "road"), place("3", 5, 5), next_turn)
    c = game_.log(remove("3"))
    logs.write(a=a, c=c)
    answer = told(logs, "c a")
    assert (order(answer), kinds(answer)) == ("a c", [("gap", 2, 1, "1.2")])
    assert [(d["kind"], d["id"]) for d in answer["findings"][0]["differences"]] == [
        ("changed", "1"),
        ("moved", "2"),
        ("extra", "3"),
        ("property", "Module/Turn"),
    ]
    changed, moved, extra, turn = answer["findings"][0]["differences"]
    assert changed["changes"] == {"Mode": ["", "road"]}
    assert moved["from"] == {"map": "Main Map", "x": 50, "y": 50, "location": None}
    assert moved["to"] == {"map": "Main Map", "x": 60, "y": 60, "location": None}
    assert "from" not in extra
    assert turn["changes"] == {"Turn": ["1", "2"]}
    assert answer["logs"][1]["follows"] is None
    assert logs.vmod("chain", "a c").out.splitlines()[1:] == [
        f"   2 {logs.path}/c.vlog: 1 steps of nobody known, from a position of no other log",
        "gap: 2 starts at a position that no log has: 4 things stand otherwise than at the end of 1",
        "     unit 1 (Main Map 20,20): Mode '' → 'road'",
        "     unit 2 stands in Main Map 60,60, not in Main Map 50,50",
        "     unit 3 is there, in Main Map 5,5",
        "     Turn '1' → '2'",
    ]


def test_gap_names_decks_turns_missing_pieces_and_traits(logs: Folder) -> None:
    state = "TURNTurnTracker0\t0|"
    before = save_text(
        piece("1", 5, 5, ("hide;k;c;;player:", "null")), piece("2", 1, 1), deck("d", 9, 9, "2"),
        rest=[state + "1"],
    )  # fmt: skip
    after = save_text(
        piece("1", 5, 5, ("hide;k;c;;player:", "pw-secret")), deck("d", 9, 9), deck("e", 1, 1),
        rest=[state + "2"],
    )  # fmt: skip
    logs.write(a=game(before), b=game(after))
    said = logs.vmod("chain", "a b")
    assert said.out.splitlines()[3:] == [
        "     unit 1 (Main Map 5,5): state of Invisible",
        "     unit 2 (Main Map 9,9) is not there",
        "     deck Deck (Main Map 9,9) holds other cards or another order",
        "     deck Deck (Main Map 1,1) holds other cards or another order",
        "     TurnTracker0 '0|1' → '0|2'",
        "note: 1 changes no position, so nothing but its date tells its place",
        "note: 2 changes no position, so nothing but its date tells its place",
    ]
    (gap,) = told(logs, "a b")["findings"]
    assert [d["kind"] for d in gap["differences"]] == [
        "changed", "missing", "deck", "deck", "turn",
    ]  # fmt: skip
    assert gap["differences"][0]["traits"] == ["Invisible"]
    assert "secret" not in said.out


def test_gap_of_what_only_one_log_knows(logs: Folder) -> None:
    """A property that the later log lacks; a piece with a trait more; turns that agree."""
    turn = "TURNTurnTracker0\t0|1"
    one = save_text(piece("1", 5, 5), rest=["GlobalProperty\t;Old;x;Module", turn])
    two = save_text(piece("1", 5, 5, ("rotate;6", "1")), rest=[turn])
    logs.write(a=game(one), b=game(two))
    (gap,) = told(logs, "a b")["findings"]
    assert [(d["kind"], d.get("traits"), d.get("changes")) for d in gap["differences"]] == [
        ("changed", ["list of traits"], None),
        ("property", None, {"Old": ["x", ""]}),
    ]


def test_many_differences_are_cut_in_text(logs: Folder) -> None:
    many = [piece(str(i), i, i) for i in range(30)]
    logs.write(a=game(save_text(*many)), b=game(save_text()))
    said = logs.vmod("chain", "a b").out
    assert said.count("is not there") == 20
    assert "     and 10 more\n" in said


def test_gaps_between_many_lines(logs: Folder) -> None:
    """The nearest start goes next, whatever order they came in; too many are left as they came."""
    apart = {
        f"l{n}": Table(p1=(n, n), **{f"p{10 + k}": (k, k) for k in range(n)}) for n in range(9)
    }
    logs.write(**{name: t.log(say(name)) for name, t in apart.items()})
    assert order(told(logs, "l2 l0 l1")) in ("l0 l1 l2", "l2 l1 l0")
    names = [f"l{n}" for n in (8, 0, 1, 2, 3, 4, 5, 6, 7)]
    assert order(told(logs, " ".join(names))) == " ".join(names)


def forked(logs: Folder, second: Play, third: Play) -> Told:
    game_ = table()
    a = game_.log(drag("1", 20, 20), date=1)
    other = game_.copy()
    logs.write(a=a, b=game_.log(second, date=2), c=other.log(third, date=3))
    return told(logs, "c b a")


def test_c3_26_reply_on_an_older_position_than_the_last(logs: Folder) -> None:
    """Logs A → B, and the reply C starts where B starts: the moves of B are missing from it."""
    answer = forked(logs, drag("2", 60, 60, "Bob"), drag("1", 30, 30, "Ann"))
    assert order(answer) == "a b (c)"
    assert kinds(answer) == [("wrong-base", 3, 2, "1.1")]
    (finding,) = answer["findings"]
    assert finding["message"] == (
        "3 (p1) starts where 2 (p2) starts, not where it ends. Last common step: 1.1"
    )
    (vanished,) = finding["differences"]
    assert (vanished["kind"], vanished["id"], vanished["to"]["x"]) == ("moved", "2", 50)
    assert [log["follows"] for log in answer["logs"]] == [None, "1.1", "2.0"]
    assert logs.vmod("chain", "a b c").out.splitlines()[2].endswith(", after 2.0 (side line)")


def test_fork_of_one_player(logs: Folder) -> None:
    answer = forked(logs, drag("2", 60, 60, "Bob"), drag("2", 70, 70, "Bob"))
    assert (order(answer), kinds(answer)) == ("a b (c)", [("fork", 3, 2, "1.1")])


def test_fork_at_the_very_start_has_no_common_step(logs: Folder) -> None:
    game_ = table()
    other = game_.copy()
    logs.write(a=game_.log(drag("1", 1, 1)), b=other.log(drag("1", 2, 2)))
    answer = told(logs, "a b")
    assert kinds(answer) == [("fork", 2, 1, None)]
    assert answer["findings"][0]["message"].endswith("They have no earlier step in common")


def test_longer_line_is_the_main_one(logs: Folder) -> None:
    game_ = table()
    a = game_.log(drag("1", 20, 20), date=1)
    other = game_.copy()
    logs.write(
        a=a,
        x=other.log(drag("2", 70, 70), date=2),
        b=game_.log(drag("2", 60, 60), date=3),
        c=game_.log(drag("2", 65, 65), date=4),
    )
    assert order(told(logs, "x a c b")) == "a b c (x)"


def test_same_start_with_other_dice_is_a_fact(logs: Folder) -> None:
    game_ = table()
    a = game_.log(drag("1", 20, 20), date=1)
    other = game_.copy()
    first = (roll("3,3", "Bob"), drag("2", 60, 60, "Bob"), roll("1,2", "Bob"))
    again = (roll("3,3", "Bob"), drag("2", 60, 60, "Bob"), roll("6,6", "Bob"))
    logs.write(a=a, b=game_.log(*first, date=2), c=other.log(*again, drag("2", 9, 9), date=3))
    answer = told(logs, "a b c")
    assert kinds(answer) == [("fork", 3, 2, "2.2"), ("other-dice", 3, 2, "2.2")]
    dice = answer["findings"][1]
    assert dice["message"] == (
        "2 and 3 come from the same position and roll other dice after 2.2: "
        "2 rolls 2d6 = 1,2 (2.3); 3 rolls 2d6 = 6,6 (3.3)"
    )
    assert [(r["id"], r["values"]) for r in dice["rolls_before"]] == [("2.1", [3, 3])]
    after = {log: [(r["id"], r["values"]) for r in rs] for log, rs in dice["rolls_after"].items()}
    assert after == {"2": [("2.3", [1, 2])], "3": [("3.3", [6, 6])]}
    assert "cheat" not in logs.vmod("chain", "a b c").out


def test_same_dice_are_not_other_dice(logs: Folder) -> None:
    answer = forked(logs, roll("3,3", "Bob"), drag("2", 1, 1, "Bob"))
    assert [k for k, *_ in kinds(answer)] == []
    game_ = table()
    other = game_.copy()
    logs.write(
        a=game_.log(drag("1", 1, 1), roll("3,3")),
        b=other.log(drag("1", 2, 2), roll("3,3"), roll("4,4")),
    )
    assert [k for k, *_ in kinds(told(logs, "a b"))] == ["fork"]


def test_dice_of_two_players_are_not_held_against_each_other(logs: Folder) -> None:
    game_ = table()
    other = game_.copy()
    logs.write(
        a=game_.log(drag("1", 1, 1), *[roll("3,3")] * 2),
        b=other.log(drag("2", 2, 2, "Bob"), roll("6,6", "Bob")),
    )
    assert [k for k, *_ in kinds(told(logs, "a b"))] == ["wrong-base"]


def test_many_rolls_are_cut_in_the_message(logs: Folder) -> None:
    game_ = table()
    other = game_.copy()
    many = [roll(f"{n},{n}") for n in (1, 2, 3, 4, 5, 6, 1)]
    logs.write(a=game_.log(drag("1", 1, 1), *many), b=other.log(drag("1", 2, 2), roll("6,6")))
    (_, dice) = told(logs, "a b")["findings"]
    assert "5,5 (1.6) and 2 more; 2 rolls 2d6 = 6,6 (2.2)" in dice["message"]
    assert len(dice["rolls_after"]["1"]) == 7


def overlapping(*repeated: int) -> tuple[Table, bytes, list[Play], Table]:
    """A log of four steps, and the table after the second of them."""
    steps = [drag("1", 20, 20), roll("4,2"), drag("2", 60, 60), roll("1,1")]
    game_ = table()
    half = game_.copy()
    a = game_.log(*steps, date=1)
    half.log(*steps[:2])
    return game_, a, steps, half


def test_overlap_repeats_the_rest_and_goes_on(logs: Folder) -> None:
    _, a, steps, half = overlapping()
    logs.write(a=a, b=half.log(*steps[2:], drag("1", 5, 5), date=2), c=half.log(drag("2", 1, 1)))
    answer = told(logs, "c a b")
    assert (order(answer), kinds(answer)) == ("a b c", [("overlap", 2, 1, "1.4")])
    assert answer["findings"][0]["message"] == (
        "2 starts after 1.2, not at the end of 1, and repeats 1.3 to 1.4"
    )
    assert answer["logs"][1]["repeats"] == 2
    assert answer["findings"][0]["differences"] == []


def test_overlap_of_the_last_dice_alone(logs: Folder) -> None:
    """The positions fit, but the reply wrote the last roll of the log before it down again."""
    game_, a, steps, _ = overlapping()
    game_.shown = "4,2"
    logs.write(a=a, b=game_.log(steps[3], drag("1", 5, 5)))
    answer = told(logs, "b a")
    assert (order(answer), kinds(answer)) == ("a b", [("overlap", 2, 1, "1.4")])
    assert answer["findings"][0]["message"].endswith(
        "starts after 1.3, not at the end of 1, and repeats 1.4"
    )


def test_same_number_rolled_again_is_no_repetition(logs: Folder) -> None:
    game_ = table()
    a = game_.log(drag("1", 20, 20), roll("4,2"))
    logs.write(a=a, b=game_.log(roll("4,2"), drag("1", 5, 5)))
    assert told(logs, "a b")["clean"]


def test_log_that_holds_another_whole(logs: Folder) -> None:
    steps = [drag("1", 20, 20), drag("2", 60, 60)]
    game_ = table()
    other = game_.copy()
    logs.write(a=game_.log(*steps, date=1), b=other.log(*steps, drag("1", 5, 5), date=2))
    answer = told(logs, "b a")
    assert kinds(answer) == [("overlap", 2, 1, "1.2")]
    assert answer["findings"][0]["message"] == (
        "2 starts where 1 starts, not at the end of 1, and repeats 1.1 to 1.2"
    )


def test_start_in_the_middle_of_a_log_on_another_way(logs: Folder) -> None:
    _, a, _, half = overlapping()
    logs.write(a=a, b=half.log(drag("2", 5, 5), roll("6,6"), date=2))
    answer = told(logs, "a b")
    assert order(answer) == "a b"
    assert kinds(answer) == [("overlap", 2, 1, "1.2"), ("other-dice", 2, 1, "1.2")]
    assert answer["findings"][0]["message"] == (
        "2 starts after 1.2, not at the end of 1, and lacks the last 2 steps of 1"
    )
    assert [d["id"] for d in answer["findings"][0]["differences"]] == ["2"]


def test_side_line_from_the_middle(logs: Folder) -> None:
    game_, a, _, half = overlapping()
    c = game_.log(drag("1", 99, 99), date=2)
    logs.write(a=a, c=c, b=half.log(drag("2", 5, 5), roll("6,6"), date=3))
    answer = told(logs, "a b c")
    assert order(answer) == "a c (b)"
    assert kinds(answer) == [("overlap", 3, 1, "1.2"), ("other-dice", 3, 1, "1.2")]


def test_two_ways_on_from_one_end(logs: Folder) -> None:
    """One reply repeats the last step first, the other does not: both go on from the end."""
    game_, a, steps, _ = overlapping()
    other = game_.copy()
    other.shown = "4,2"
    logs.write(
        a=a,
        b=other.log(steps[3], drag("1", 5, 5), date=2),
        c=other.log(drag("1", 6, 6), date=3),
        x=game_.log(drag("1", 7, 7), date=4),
    )
    answer = told(logs, "a b c x")
    assert order(answer) == "a b c (x)"
    assert [k for k, *_ in kinds(answer)] == ["overlap", "overlap"]


def test_duplicates_are_put_aside(logs: Folder) -> None:
    three(logs)
    (logs.path / "copy.vlog").write_bytes((logs.path / "b.vlog").read_bytes())
    answer = told(logs, "a b c copy")
    assert (order(answer), kinds(answer)) == ("a b c [copy]", [("duplicate", 4, 2, "2.2")])
    said = logs.vmod("chain", "a b c copy").out
    assert said.splitlines()[3].endswith("copy.vlog: 2 steps p2 Blue, a copy of 2")


def test_ring_with_a_side_line(logs: Folder) -> None:
    """No log is without one before it, and there is a fork too."""
    game_ = table()
    a = game_.log(drag("1", 20, 20), date=1)
    other = game_.copy()
    logs.write(
        a=a,
        b=game_.log(drag("1", 10, 10), date=2),
        x=other.log(drag("2", 1, 1), date=3),
        y=other.copy().log(drag("2", 2, 2), date=4),
        z=other.log(drag("2", 3, 3), date=5),
    )
    answer = told(logs, "a b x y z")
    assert len(answer["logs"]) == 5
    assert not answer["clean"]
    assert answer == told(logs, "a b x y z")


# Whatever the input


def test_broken_log_is_named(logs: Folder) -> None:
    three(logs)
    logs.write(bad=game(log_text(save_text(piece("1", 5, 5)), step("M/1/x"))))
    said = logs.vmod("chain", "a bad")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"{logs.path}/bad.vlog:step 1:")


def test_broken_date_is_named_or_ignored(logs: Folder) -> None:
    start = save_text(piece("1", 5, 5))
    logs.write(
        odd=game(start, savedata="<data><dateSaved>soon</dateSaved></data>"),
        bad=game(start, savedata="<data>"),
    )
    assert logs.vmod("chain", "odd").code == 0
    said = logs.vmod("chain", "bad")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert said.err.startswith(f"{logs.path}/bad.vlog:")


def test_passwords_and_control_characters_stay_inside(logs: Folder) -> None:
    game_ = table()
    evil = "\u202e\x07"
    a = game_.log(drag("1", 20, 20), roll("4,2", label=f"die{evil}"))
    other = game_.copy()
    logs.write(
        a=a,
        b=game_.log(set_mode("1", f"x{evil}"), roll("1,1", label=f"die{evil}")),
        c=other.log(set_mode("1", f"y{evil}"), roll("2,2", label=f"die{evil}")),
    )
    for form in ("text", "json"):
        out = logs.vmod("chain", "a b c", "--format", form).out
        assert "other dice" in out
        assert not set(evil) & set(out)
        assert not any(word in out for word in PASSWORDS.values())
