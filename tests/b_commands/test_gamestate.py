"""What one command does to a game, and the same by the real engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.crafted import (
    MAP,
    add,
    basic_state,
    chain,
    change,
    deck,
    game,
    log_text,
    move,
    piece,
    save_text,
    stack,
    stack_state,
    step,
)
from tests.vassal.engine import Engine
from vmod_tools.archive import Archive
from vmod_tools.boards import location_name, place_boards
from vmod_tools.commands.kinds import parse_command
from vmod_tools.gamestate import GameState, PlacedPiece, Player, apply
from vmod_tools.logs import Log
from vmod_tools.modules import Module
from vmod_tools.pieces import Place

Where = dict[str, tuple[int, int, str | None]]

SECRET = "hunter2"  # noqa: S105


def after(*texts: str, state: GameState | None = None) -> GameState:
    return apply(state or GameState(), map(parse_command, texts))


def where(state: GameState) -> Where:
    """By piece: x, y and its stack."""
    return {i: (p.place.x, p.place.y, p.stack) for i, p in state.pieces.items()}


def consistent(state: GameState) -> None:
    """A piece is in one stack at most, stands where its stack stands, and both know it."""
    held = [member for holder in state.holders.values() for member in holder.members]
    assert len(held) == len(set(held))
    for holder_id, holder in state.holders.items():
        for member in holder.members:
            placed = state.pieces[member]
            assert (placed.stack, placed.place) == (holder_id, holder.place)
    for piece_id, placed in state.pieces.items():
        assert placed.stack is None or piece_id in state.holders[placed.stack].members


# Two in a stack, one alone in a stack, and a deck with one card.
START = (
    piece("1", 10, 10),
    piece("2", 10, 10),
    stack("s", 10, 10, "1", "2"),
    piece("3", 50, 50),
    stack("t", 50, 50, "3"),
    piece("c", 90, 90),
    deck("d", 90, 90, "c"),
)
MOVES: dict[str, tuple[tuple[str, ...], Where]] = {
    "the start": ((), {}),
    "a member stands where the stack stands": (
        (piece("9", 0, 0, map="null"), stack("u", 7, 7, "9")),
        {"9": (7, 7, "u")},
    ),
    "a stack moves with its members": (
        (move("s", (20, 20)),),
        {"1": (20, 20, "s"), "2": (20, 20, "s")},
    ),
    "a member moves out": ((move("1", (20, 20)),), {"1": (20, 20, None)}),
    "a member moves out into a new stack": (
        (move("1", (20, 20)), stack("u", 20, 20, "1")),
        {"1": (20, 20, "u")},
    ),
    "a piece joins the stack of the piece below it": (
        (move("1", (50, 50), under="3"),),
        {"1": (50, 50, "t")},
    ),
    "the piece below must be there": ((move("1", (60, 60), under="3"),), {"1": (60, 60, None)}),
    "a piece joins the stack at its point": ((move("1", (50, 50)),), {"1": (50, 50, "t")}),
    "a piece moves within its stack": ((move("1", (10, 10), under="2"),), {"1": (10, 10, "s")}),
    "a stack joins the stack at its point": (
        (move("s", (50, 50)),),
        {"1": (50, 50, "t"), "2": (50, 50, "t")},
    ),
    "a piece joins the deck at its point": ((move("1", (90, 90)),), {"1": (90, 90, "d")}),
    "a deck joins nothing": ((move("d", (10, 10)),), {"c": (10, 10, "d")}),
    "a card is drawn": ((move("c", (20, 20)),), {"c": (20, 20, None)}),
    "a change of a member keeps the stack's place": (
        (change("1", basic_state(70, 70), basic_state(10, 10)),),
        {},
    ),
    "a change moves a piece that is in no stack": (
        (move("1", (20, 20)), change("1", basic_state(70, 70), basic_state(20, 20))),
        {"1": (70, 70, None)},
    ),
    "a change with the place of before does not move it back": (
        (move("1", (20, 20)), change("1", basic_state(10, 10), basic_state(10, 10))),
        {"1": (20, 20, None)},
    ),
    "a change without an old state counts from where the piece's state is": (
        (move("1", (20, 20)), change("1", basic_state(70, 70))),
        {"1": (70, 70, None)},
    ),
    "a change of a stack moves its members, named or not": (
        (change("s", stack_state(30, 30, "2")),),
        {"1": (30, 30, "s"), "2": (30, 30, "s")},
    ),
    "a change of a stack takes in new members": (
        (change("s", stack_state(10, 10, "1", "2", "3")),),
        {"3": (10, 10, "s")},
    ),
    "a shuffled deck lets go of what it does not name": (
        (change("d", f"{MAP};90;90;false;"),),
        {"c": (90, 90, None)},
    ),
    "a removed stack leaves its members": (
        ("-/s",),
        {"1": (10, 10, None), "2": (10, 10, None)},
    ),
    "a stack may name what is not there": ((stack("u", 7, 7, "nobody", "1"),), {"1": (7, 7, "u")}),
    "a stack may name a piece twice": ((stack("u", 7, 7, "1", "1"),), {"1": (7, 7, "u")}),
    "a piece added again stands where it says": ((piece("1", 33, 33),), {"1": (33, 33, None)}),
    "a stack added again holds what it names now": (
        (stack("s", 10, 10, "2"),),
        {"1": (10, 10, None)},
    ),
    "what is not there cannot move or change": (
        (move("nobody", (1, 1)), change("nobody", "x"), "-/nobody"),
        {},
    ),
    "nothing moves by talk": (("CHAThello", "NOTES\tx", "SETUP_STACK\t"), {}),
}


@pytest.mark.parametrize("name", MOVES)
def test_move(name: str) -> None:
    commands, changed = MOVES[name]
    state = after(*START, *commands)
    expected: Where = {
        "1": (10, 10, "s"),
        "2": (10, 10, "s"),
        "3": (50, 50, "t"),
        "c": (90, 90, "d"),
    }
    assert where(state) == expected | changed
    consistent(state)


def test_order_in_a_stack_is_bottom_to_top() -> None:
    state = after(*START, move("3", (10, 10), under="1"))
    assert state.holders["s"].members == ("1", "3", "2")
    assert after(*START, move("t", (10, 10))).holders["s"].members == ("1", "2", "3")
    assert after(*START, move("3", (10, 10))).holders["s"].members == ("1", "2", "3")


def test_piece_that_does_not_stack_stays_loose() -> None:
    lone = piece("9", 0, 0, ("immob;n;V;R;", ""))
    assert after(*START, lone, move("9", (10, 10))).pieces["9"].stack is None
    mobile = piece("9", 0, 0, ("immob;;;L;", ""))
    assert after(*START, mobile, move("9", (10, 10))).pieces["9"].stack == "s"


def test_removed_piece_is_gone_from_its_stack() -> None:
    state = after(*START, "-/1")
    assert "1" not in state.pieces
    assert state.holders["s"].members == ("2",)


def test_piece_may_leave_the_map() -> None:
    state = after(*START, move("1", (0, 0), map="null"))
    assert state.pieces["1"] == PlacedPiece(state.pieces["1"].piece, Place(None, 0, 0))


def test_state_with_too_few_levels_is_skipped_as_in_vassal() -> None:
    state = after(piece("9", 5, 5, ("mark;Side", "Red")))
    assert after(change("9", "Blue"), state=state) == state


def test_states_are_not_changed_by_later_commands() -> None:
    before = after(*START)
    kept = where(before)
    after("-/s", "-/1", "PLAYER\ta\tb\tc", state=before)
    assert where(before) == kept
    assert before.players == ()


def test_players_boards_turns_and_properties() -> None:
    state = after(
        f"PLAYER\t{SECRET}\tAnn\tRed",
        "PLAYER\tother\tBob\tBlue",
        f"PLAYER\t{SECRET}\tAnna\tBlue",
        "MainBoardPicker\tA\t0\t0",
        "TURNTurnTracker0\t0|1;0;true;13",
        "GlobalProperty\t;Turn;1;Module",
        "GlobalProperty\t;Old;1",
        "MutableProperty\tTurn\t1\t2\tModule",
    )
    assert state.players == (Player(SECRET, "Anna", "Blue"), Player("other", "Bob", "Blue"))
    assert state.boards == {"Main": ("A", "0", "0")}
    assert state.turns == {"TurnTracker0": "0|1;0;true;13"}
    assert state.properties == {("Module", "Turn"): "2", ("", "Old"): "1"}


def test_no_representation_shows_a_password() -> None:
    state = after(f"PLAYER\t{SECRET}\tAnn\tRed")
    assert SECRET not in repr(state)
    assert SECRET not in repr(state.players[0])


# The engine's account of the same


def engine_where(pieces: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    return {p["id"]: (p["x"], p["y"]) for p in pieces}


PLAYED = [
    move("s1", (154, 102), (102, 72)),
    move("2", (206, 132), (154, 102), under="3"),
    move("1", (258, 162), (154, 102)),
    move("4", (206, 132), (154, 102), under="1"),
    stack("s9", 50, 50, "9"),
    change("3", basic_state(400, 200), basic_state(206, 132)),
    change("s2", stack_state(380, 280, "2", "3"), stack_state(206, 132, "3")),
    move("9", (300, 300), (50, 50)),
    move("9", (310, 300), (300, 300), under="c1"),
    "-/3",
    piece("3", 60, 60),
    move("3", (310, 300), (60, 60), under="2"),
    move("5", (380, 280), (120, 60)),
    move("s2", (258, 162), (380, 280)),
    change("5", chain("", basic_state(280, 180)), chain("", basic_state(120, 60))),
]


@pytest.mark.engine
def test_engine_moves_the_pieces_to_the_same_places(
    engine: Engine, genuine: Path, tmp_path: Path
) -> None:
    start = save_text(
        piece("1", 102, 72),
        piece("2", 102, 72),
        stack("s1", 102, 72, "1", "2"),
        piece("3", 206, 132),
        stack("s2", 206, 132, "3"),
        piece("4", 154, 102),
        stack("s4", 154, 102, "4"),
        piece("5", 120, 60, ("immob;;;R;", "")),
        piece("9", 10, 20),
        deck("dk", 300, 300),
        piece("c1", 300, 300),
        rest=["PLAYER\tpw\tAlice\tRed"],
    )
    data = game(log_text(start, *(step(command) for command in PLAYED)), module="Oracle Test")
    path = tmp_path / "crafted.vlog"
    path.write_bytes(data)
    answer = engine.shared(genuine / "small.vmod").ask("play-log", path)
    log = Log.read(Archive.parse(data))
    theirs = engine_where(answer["initialPieces"])
    assert theirs == {i: xy[:2] for i, xy in where(log.states[0]).items()}
    for told, state in zip(answer["steps"], log.states[1:], strict=True):
        theirs |= engine_where(told["added"])
        for gone in told["removed"]:
            del theirs[gone["id"]]
        for changed in told["changed"]:
            x, y = theirs[changed["id"]]
            new = {k: v[1] for k, v in changed["changes"].items()}
            theirs[changed["id"]] = (new.get("x", x), new.get("y", y))
        assert theirs == {i: xy[:2] for i, xy in where(state).items()}, told["step"]
        consistent(state)


# The engine's recorded account: issue 2, "Must show"


@pytest.mark.parametrize("name", ["small-3.6", "small-3.7"])
def test_genuine_log_gives_the_engines_places_names_and_steps(genuine: Path, name: str) -> None:
    played = json.loads((genuine / f"{name}.play.json").read_text(encoding="utf-8"))
    log = Log.read(Archive.parse((genuine / f"{name}.vlog").read_bytes()))
    module = Module.read(Archive.parse((genuine / "small.vmod").read_bytes()))

    def ours(state: GameState) -> dict[str, tuple[str | None, int, int, str]]:
        found = {}
        for piece_id, placed in state.pieces.items():
            definition = module.map(placed.place.map or "")
            assert definition is not None
            boards = place_boards(definition, state.boards[definition.identifier])
            named = location_name(definition, boards, placed.place.x, placed.place.y)
            found[piece_id] = (placed.place.map, placed.place.x, placed.place.y, named)
        return found

    def theirs(pieces: list[dict[str, Any]]) -> dict[str, tuple[str | None, int, int, str]]:
        return {p["id"]: (p["map"], p["x"], p["y"], p["locationName"]) for p in pieces}

    assert len(log.steps) == played["logSteps"]
    assert ours(log.states[0]) == theirs(played["initialPieces"])
    assert ours(log.states[-1]) == theirs(played["pieces"])
    for told, state in zip(played["steps"], log.states[1:], strict=True):
        consistent(state)
        for changed in told["changed"]:
            now = ours(state)[changed["id"]]
            for at, key in ((1, "x"), (2, "y"), (3, "locationName")):
                if key in changed["changes"]:
                    assert now[at] == changed["changes"][key][1], (told["step"], key)
    stacks = {i: list(h.members) for i, h in log.states[-1].holders.items()}
    assert stacks == {s["id"]: s["pieces"] for s in played["stacks"]}
    assert [list(s.chat) for s in log.steps] == [s["chat"] for s in played["steps"]]


@pytest.mark.parametrize("name", ["small-3.6", "small-3.7"])
def test_end_of_a_genuine_log_is_the_save_made_there(genuine: Path, name: str) -> None:
    loaded = json.loads((genuine / f"{name}.load.json").read_text(encoding="utf-8"))
    log = Log.read(Archive.parse((genuine / f"{name}.vlog").read_bytes()))
    save = Log.read(Archive.parse((genuine / f"{name}.vsav").read_bytes()))
    assert save.steps == ()
    assert where(save.start.state).keys() == {p["id"] for p in loaded["pieces"]}
    places = {i: p.place for i, p in save.start.state.pieces.items()}
    assert places == {p["id"]: Place(p["map"], p["x"], p["y"]) for p in loaded["pieces"]}
    assert len(log.states) == len(log.steps) + 1


def test_every_published_save_is_consistent(corpus_files: tuple[Path, ...]) -> None:
    games = [p for p in corpus_files if p.suffix in (".vsav", ".vlog")]
    assert len(games) > 60
    for path in games:
        log = Log.read(Archive.parse(path.read_bytes()))
        for state in (log.states[0], log.states[-1]):
            consistent(state)


def test_chain_of_a_member_may_say_null() -> None:
    """Members placed on an existing stack keep `null` in their states: format section 11.6."""
    nowhere = add("9", ["mark;Side", "piece;;;a.png;A"], ["Red", "null;0;0;1;0"])
    state = after(*START, nowhere, move("9", (10, 10), under="2"))
    told = change("9", chain("Blue", "null;0;0;1;0"), chain("Red", "null;0;0;1;0"))
    assert where(after(told, state=state))["9"] == (10, 10, "s")
