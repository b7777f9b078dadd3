"""Chains of logs played by hand: a table of pieces that goes on from log to log.

`Table.log` writes a log whose start is the table as it stands, plays the steps on it and leaves the
table as they left it.  A copy of a table is a fork.
"""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.crafted import (
    basic_state,
    chain,
    change,
    game,
    log_text,
    move,
    piece,
    save_text,
    stack,
    step,
)

PASSWORDS = {"Ann": "pw-ann-secret", "Bob": "pw-bob-secret"}
SIDES = {"Ann": "Red", "Bob": "Blue"}
MODE = "PROP;Mode;;"


class Said(NamedTuple):
    code: object
    out: str
    err: str


def vmod(*arguments: str | Path) -> Said:
    """Runs the command in this process."""
    from vmod_tools.cli import cli
    from vmod_tools.command_line import run

    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as caught,
    ):
        run(cli, [str(a) for a in arguments])
    return Said(caught.value.code, out.getvalue(), err.getvalue())


class Table:
    """Pieces by id: x, y and a dynamic property `Mode`."""

    def __init__(self, **places: tuple[int, int]) -> None:
        self.pieces = {name[1:]: (x, y, "") for name, (x, y) in places.items()}
        self.turn = "1"
        self.shown = "1"
        """What the dice showed last, which VASSAL does not save."""

    def copy(self) -> Table:
        return copy.deepcopy(self)

    def start(self, *more: str, noise: bool = False) -> str:
        """The save; with `noise` in another order, with empty stacks and lone members that say null."""
        pieces = []
        for name in sorted(self.pieces, reverse=noise):
            x, y, mode = self.pieces[name]
            pieces.append(piece(name, x, y, (MODE, mode), map="null" if noise else "Main Map"))
            pieces.append(stack(f"s{name}{'n' if noise else ''}", x, y, name))
        if noise:
            pieces.append("+/gone/stack/null;0;0;@@-1")
        people = [f"PLAYER\t{PASSWORDS[n]}\t{n}\t{SIDES[n]}" for n in PASSWORDS]
        rest = [*(people[::-1] if noise else people), f"GlobalProperty\t;Turn;{self.turn};Module"]
        rest.append("GlobalProperty\t;Weather;fine;Module")
        return save_text(*pieces, rest=[*rest, *more])

    def log(self, *steps: Play, noise: bool = False, date: int | None = None) -> bytes:
        """A log of these steps, in the order given."""
        start = self.start(noise=noise)
        text = log_text(start, *(play(self) for play in steps))
        if date is None:
            return game(text)
        data = f'<data version="1"><dateSaved>{date}</dateSaved></data>'
        return game(text, savedata=data)


Play = Callable[[Table], str]
"""A step: changes the table and gives the text."""


def drag(id: str, x: int, y: int, by: str = "Ann") -> Play:
    def play(table: Table) -> str:
        was_x, was_y, mode = table.pieces[id]
        table.pieces[id] = (x, y, mode)
        moved = move(id, (x, y), (was_x, was_y), player=PASSWORDS[by])
        return step(moved, f"CHAT* unit {id} moves *")

    return play


def undo_drag(id: str, x: int, y: int, by: str = "Ann") -> Play:
    """Takes the last drag back, to x, y."""

    def play(table: Table) -> str:
        was_x, was_y, mode = table.pieces[id]
        table.pieces[id] = (x, y, mode)
        back = move(id, (x, y), (was_x, was_y), player=PASSWORDS[by])
        return step("UNDO\ttrue", f"CHAT* UNDO: * unit {id} moves *", back, "UNDO\tfalse")

    return play


def set_mode(id: str, mode: str) -> Play:
    def play(table: Table) -> str:
        x, y, before = table.pieces[id]
        table.pieces[id] = (x, y, mode)
        state = basic_state(x, y)
        return step(change(id, chain(mode, state), chain(before, state)))

    return play


def remove(id: str) -> Play:
    def play(table: Table) -> str:
        del table.pieces[id]
        return step(f"-/{id}")

    return play


def place(id: str, x: int, y: int) -> Play:
    def play(table: Table) -> str:
        table.pieces[id] = (x, y, "")
        return step(piece(id, x, y, (MODE, "")), stack(f"s{id}", x, y, id))

    return play


def roll(values: str, by: str = "Ann", label: str = "2d6") -> Play:
    def play(table: Table) -> str:
        before, table.shown = table.shown, values
        return step(
            f"CHAT*** {label} = {values} *** <{by}>",
            f"MutableProperty\t{label}_result\t{before}\t{values}\tModule",
        )

    return play


def undo_roll(back_to: str, by: str = "Ann", label: str = "2d6") -> Play:
    def play(table: Table) -> str:
        before, table.shown = table.shown, back_to
        return step(
            f"CHAT* UNDO: *** {label} = {before} *** <{by}>",
            f"MutableProperty\t{label}_result\t{before}\t{back_to}\tModule",
        )

    return play


def say(text: str, by: str = "Ann") -> Play:
    return chat(f"&lt;{by}&gt; - {text}")


def chat(line: str) -> Play:
    """A stored chat line."""
    return lambda _: step(f"CHAT{line}")


def nothing(_: Table) -> str:
    """What VASSAL writes for a command that it cannot encode."""
    return step("null")


def next_turn(table: Table) -> str:
    before, table.turn = table.turn, str(int(table.turn) + 1)
    return step(f"MutableProperty\tTurn\t{before}\t{table.turn}\tModule")


class Folder:
    """Writes logs into a folder and runs the command on them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, **logs: bytes) -> None:
        for name, data in logs.items():
            (self.path / f"{name}.vlog").write_bytes(data)

    def vmod(self, verb: str, names: str, *options: str | Path) -> Said:
        return vmod(verb, *(self.path / f"{n}.vlog" for n in names.split()), *options)
