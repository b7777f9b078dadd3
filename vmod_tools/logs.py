"""A log: a save and its steps.

A step is one action of a player: a tree of commands, each behind its own `LOG` prefix.  Steps are
numbered from 1 in file order.  An undo is a step of its own; it and the step that it takes back are
marked, and running all steps in order still gives the right state.

Source: build/module/BasicLogger.java; format section 11.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import unescape
from typing import Self

from vmod_tools.archive import Archive
from vmod_tools.commands.kinds import ADD, CHANGE, CHAT, LOG, MOVE, REMOVE, UNDO, Command
from vmod_tools.commands.tree import Tree, leaves
from vmod_tools.gamestate import GameState, Player, apply
from vmod_tools.saves import Save, parse_located

_NO_ENCODING = "null"
"""How Java writes a head that has no text; VASSAL reads it as nothing."""

_UNDO_CHAT = "* UNDO: "


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its number, its commands in order of execution, and who took it (index of `players`)."""

    number: int
    commands: tuple[Command, ...] = field(repr=False)
    player: int | None = None
    undoes: int | None = None
    """The number of the step that this one takes back."""
    undone_by: int | None = None

    def of_kind(self, *names: str) -> Iterator[Command]:
        """The commands of these kinds."""
        return (c for c in self.commands if c.kind.name in names)

    @property
    def chat(self) -> tuple[str, ...]:
        """The chat lines as stored."""
        return tuple(c["text"] for c in self.of_kind(CHAT.name))


@dataclass(frozen=True)
class Log:
    """A log that was read: `start` is its save part."""

    start: Save
    steps: tuple[Step, ...]
    players: tuple[Player, ...] = field(repr=False)
    """Those of the start, then any others that moved a piece; p1 is the first."""

    @classmethod
    def read(cls, archive: Archive) -> Self:
        """The log in `archive` (a save is a log without steps); raises VmodError with the step."""
        start = Save.read(archive)
        start.require_whole()
        trees = (tree for tree in start.after_end)
        steps = [Step(n, _step_commands(tree, n)) for n, tree in enumerate(trees, 1)]
        named, players = _name_players(steps, start.state.players)
        return cls(start, tuple(_mark_undone(named)), players)

    @cached_property
    def states(self) -> tuple[GameState, ...]:
        """The state before the first step and after each one."""
        states = [self.start.state]
        for step in self.steps:
            states.append(apply(states[-1], step.commands))
        return tuple(states)


def player_label(index: int | None) -> str:
    """How a player is shown: p1, p2 …; names are free texts, and ids are passwords."""
    return "" if index is None else f"p{index + 1}"


def _step_commands(tree: Tree, number: int) -> tuple[Command, ...]:
    commands = []
    for leaf in leaves(tree):
        text = leaf.removeprefix(LOG.prefix)
        if text and text != _NO_ENCODING:
            commands.append(parse_located(text, f"step {number}"))
    return tuple(commands)


def _name_players(
    steps: list[Step], known: tuple[Player, ...]
) -> tuple[list[Step], tuple[Player, ...]]:
    """Who took each step: the mover's id, else the name in its chat, else whoever took the last one."""
    players = list(known)
    named: list[Step] = []
    last: int | None = None
    for step in steps:
        ids = [c.get("player") for c in step.of_kind(MOVE.name)]
        mover = next((i for i in ids if i), None)
        if mover is not None and all(p.user_id != mover for p in players):
            players.append(Player(mover, "", ""))
        if mover is not None:
            last = next(i for i, p in enumerate(players) if p.user_id == mover)
        else:
            last = _speaker(step.chat, players, last)
        named.append(replace(step, player=last))
    return named, tuple(players)


def _speaker(chat: tuple[str, ...], players: list[Player], default: int | None) -> int | None:
    for line in chat:
        text = unescape(line)
        for index, player in enumerate(players):
            if player.name and text.startswith(f"<{player.name}>"):
                return index
    return default


def _mark_undone(steps: list[Step]) -> list[Step]:
    """Ties each undo to the step that it takes back: the latest one that it can.

    From 3.6.7 on an undo stands between UNDO brackets.  Before, only its chat says so, if the undone
    step had any; without either, a piece that comes back under its old id after it was removed proves
    an undo, and anything else (a layer flipped back, say) is a step like any other.
    """
    marked = list(steps)
    effects = [_effects(step) for step in steps]
    removed_in: dict[str, int] = {}
    open_steps: list[int] = []
    for index, step in enumerate(steps):
        bracketed = any(c["begins"] == "true" for c in step.of_kind(UNDO.name))
        if bracketed or any(line.startswith(_UNDO_CHAT) for line in step.chat):
            candidates = [i for i in reversed(open_steps) if effects[i]]
        else:
            revived = {removed_in.get(c["id"]) for c in step.of_kind(ADD.name)}
            candidates = (
                [i for i in reversed(open_steps) if i in revived] if revived - {None} else []
            )
        target = next((i for i in candidates if _inverse(effects[i]) <= effects[index]), None)
        if target is None and bracketed and candidates:
            target = candidates[0]
        if target is None:
            open_steps.append(index)
            removed_in |= {c["id"]: index for c in step.of_kind(REMOVE.name)}
            continue
        open_steps.remove(target)
        marked[target] = replace(steps[target], undone_by=step.number)
        marked[index] = replace(step, undoes=target + 1)
    return marked


_Effect = tuple[str, str, str, str]


def _effects(step: Step) -> Counter[_Effect]:
    """What the step does to pieces, as (kind, id, before, after); chat is left out, for its text changes."""
    effects: Counter[_Effect] = Counter()
    for c in step.commands:
        if c.kind is MOVE:
            before = "/".join(c[f] for f in ("old_map", "old_x", "old_y"))
            effects["move", c["id"], before, "/".join(c[f] for f in ("map", "x", "y"))] += 1
        elif c.kind is CHANGE:
            effects["change", c["id"], c.get("old_state") or "", c["state"]] += 1
        elif c.kind is ADD:
            effects["exists", c["id"], "", "yes"] += 1
        elif c.kind is REMOVE:
            effects["exists", c["id"], "yes", ""] += 1
        elif c.kind.name == "mutable_property":
            effects["property", c["name"], c["old_value"], c["value"]] += 1
        elif c.kind is CHAT:
            # An undo of a step without effects is told by its text alone.
            effects["chat", "", "", c["text"].removeprefix("* UNDO: ")] += 1
    return effects


def _inverse(effects: Counter[_Effect]) -> Counter[_Effect]:
    return Counter(
        {
            (kind, who, before, after) if kind == "chat" else (kind, who, after, before): n
            for (kind, who, before, after), n in effects.items()
        }
    )
