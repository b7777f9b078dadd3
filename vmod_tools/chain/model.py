"""What a chain is found to be: its logs in order, and whatever is not one clean line."""

from __future__ import annotations

from dataclasses import dataclass, field

from vmod_tools.chain.links import Link
from vmod_tools.positions import Difference
from vmod_tools.rolls import Roll
from vmod_tools.roster import Person, Roster

MAIN, SIDE, COPY = "main", "side", "duplicate"


@dataclass(frozen=True)
class Member:
    """A log in its place: `number` counts from 1 over the whole chain, step ids are number.step."""

    number: int
    link: Link
    line: str
    """main, side or duplicate."""
    person: Person
    """Who took most steps."""
    follows: tuple[int, int] | None = None
    """Number and step after which it starts, or None when no log of the chain has its start."""
    repeats: int = 0
    """How many of its first steps are steps of the log before it, written down again."""

    @property
    def end_id(self) -> str:
        """The id of its last step."""
        return f"{self.number}.{len(self.link.marks)}"


@dataclass(frozen=True, slots=True)
class RolledAt:
    """A roll and the id of its step."""

    id: str
    roll: Roll


@dataclass(frozen=True)
class Finding:
    """Something that is not one clean line.  It states what is in the files, and no reason for it."""

    kind: str
    """gap, overlap, fork, wrong-base, other-dice or duplicate."""
    log: int
    """The log that does not fit."""
    other: int
    """The log that it is held against."""
    step: str
    """The last step that both have in common, or "" when that is a start."""
    message: str
    differences: tuple[Difference, ...] = ()
    """From the end of `other` to the start of `log`."""
    before: tuple[RolledAt, ...] = ()
    """Rolls in steps that both logs share (other-dice)."""
    after: tuple[tuple[RolledAt, ...], tuple[RolledAt, ...]] = ((), ())
    """Rolls behind the branch: those of `other`, those of `log`."""


@dataclass(frozen=True)
class Chain:
    """Logs in order; `notes` are remarks that do not make it less clean."""

    members: tuple[Member, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    roster: Roster = field(repr=False)

    @property
    def clean(self) -> bool:
        """Whether this is a single line without anything else."""
        return not self.findings
