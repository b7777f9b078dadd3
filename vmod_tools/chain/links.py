"""One log as a link of a chain: its positions after each step, its rolls, who took most of it.

The positions come from the log's own start, whatever other logs there are (VASSAL itself may carry the
state of one log into the next when they are loaded one over the other).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from vmod_tools.buildfile import SAVE_DATA, parse_xml
from vmod_tools.commands.kinds import MUTABLE_PROPERTY
from vmod_tools.gamestate import GameState, apply
from vmod_tools.logs import Log
from vmod_tools.positions import Digester, PropertyKey, declared_properties
from vmod_tools.rolls import Dice, DiceNames, Roll, step_rolls


@dataclass(frozen=True, slots=True)
class StepMark:
    """What makes two steps of two logs the same step."""

    position: str
    rolls: tuple[Roll, ...]
    chat: tuple[str, ...]
    properties: tuple[str, ...]
    """The property changes, old values and all: two rolls of the same number are two."""


@dataclass(frozen=True)
class Link:
    """A log, and what a chain needs of it."""

    file: str
    log: Log = field(repr=False)
    declared: frozenset[PropertyKey] = field(repr=False)
    start: str
    """The digest of its first position."""
    marks: tuple[StepMark, ...] = field(repr=False)
    end_state: GameState = field(repr=False)
    date_saved: int | None
    actor: int | None
    """Who took most steps: index of the log's players."""

    @property
    def end(self) -> str:
        """The digest of its last position."""
        return self.position(len(self.marks))

    @property
    def start_state(self) -> GameState:
        """Its first position."""
        return self.log.start.state

    def position(self, step: int) -> str:
        """The digest after a step; 0 is the start."""
        return self.marks[step - 1].position if step else self.start

    def common(self, step: int, other: Link) -> int:
        """How many steps behind `step` the other log repeats from its own start."""
        count = 0
        for mine, theirs in zip(self.marks[step:], other.marks, strict=False):
            if mine != theirs:
                break
            count += 1
        return count


def read_link(file: str, log: Log, dice: Mapping[str, Dice | None]) -> Link:
    """The link that `log` is; `dice` are those of the module, if one is at hand."""
    declared = declared_properties(log.start)
    names = DiceNames(dice, frozenset(name for _, name in declared))
    digester = Digester(declared)
    state = log.start.state
    start = digester.digest(state)
    marks = []
    for step in log.steps:
        state = apply(state, step.commands)
        properties = tuple(c.encode() for c in step.of_kind(MUTABLE_PROPERTY.name))
        rolls = step_rolls(step, names)
        marks.append(StepMark(digester.digest(state), rolls, step.chat, properties))
    return Link(
        file=file,
        log=log,
        declared=declared,
        start=start,
        marks=tuple(marks),
        end_state=state,
        date_saved=_date_saved(log),
        actor=_most(s.player for s in log.steps),
    )


def _most(players: Iterable[int | None]) -> int | None:
    counts = Counter(p for p in players if p is not None)
    return max(counts, key=lambda p: (counts[p], -p), default=None)


def _date_saved(log: Log) -> int | None:
    entry = log.start.archive.find(SAVE_DATA)
    if entry is None:
        return None
    text = parse_xml(log.start.archive.read(entry), SAVE_DATA).findtext("dateSaved") or ""
    return int(text) if text.isdecimal() and len(text) < 20 else None
