"""From logs to a chain: puts them in order and says what does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from vmod_tools.chain.links import Link
from vmod_tools.chain.model import COPY, MAIN, SIDE, Chain, Finding, Member, RolledAt
from vmod_tools.chain.order import END, SAME_START, Join, Order, arrange, away, join
from vmod_tools.positions import written_otherwise
from vmod_tools.roster import Roster


def make_chain(links: Sequence[Link]) -> Chain:
    """The chain of `links`; players are numbered in the order of the logs found."""
    order = arrange(links)
    roster = Roster()
    sequence = [link for line in (*order.lines, *order.sides) for link in line]
    copies = [copy for copy, _ in order.duplicates]
    for link in (*sequence, *copies):
        roster.add(link.log)
    members = _members(order, roster)
    by_link = {id(m.link): m for m in members}
    findings = [
        *_line_findings(order, by_link),
        *_side_findings(order, members, by_link),
    ]
    for copy, original in order.duplicates:
        mine, other = by_link[id(copy)], by_link[id(original)]
        message = f"{mine.number} holds the same start and the same steps as {other.number}"
        findings.append(Finding("duplicate", mine.number, other.number, other.end_id, message))
    return Chain(tuple(members), tuple(findings), tuple(_notes(members, order)), roster)


def _members(order: Order, roster: Roster) -> list[Member]:
    members: list[Member] = []

    def add(link: Link, line: str, before: Member | None, found: Join | None) -> Member:
        member = Member(
            number=len(members) + 1,
            link=link,
            line=line,
            person=roster.person(link.log, link.actor),
            follows=(before.number, found.step) if before and found else None,
            repeats=found.repeats if found else 0,
        )
        members.append(member)
        return member

    for line, trails in ((MAIN, order.lines), (SIDE, order.sides)):
        for trail in trails:
            base, found = _base(trail[0], members) if line == SIDE else (None, None)
            before = add(trail[0], line, base, found)
            for link in trail[1:]:
                before = add(link, line, before, join(before.link, link))
    for copy, original in order.duplicates:
        place = next(m for m in members if m.link is original)
        add(copy, COPY, place, Join(SAME_START, 0))
    return members


def _base(link: Link, members: list[Member]) -> tuple[Member | None, Join | None]:
    """The log that a side line hangs on: one whose steps it repeats, else one that has its start, else
    one that it starts in the middle of, else one that it goes on from."""
    found = [(m, j) for m in members if (j := join(m.link, link)) is not None]
    inside = [pair for pair in found if pair[1].kind != END]
    same = [pair for pair in inside if pair[0].link.start == link.start]
    repeated = [pair for pair in inside if pair[1].repeats]
    return next(iter(repeated or same or inside or found), (None, None))


def _line_findings(order: Order, members: dict[int, Member]) -> Iterator[Finding]:
    for above, line in pairwise(order.lines):
        yield _gap(members[id(above[-1])], members[id(line[0])])
    for line in (*order.lines, *order.sides):
        for earlier, later in pairwise(line):
            found = join(earlier, later)
            if found is not None and found.kind != END:
                before, after = members[id(earlier)], members[id(later)]
                yield _overlap(before, after, found)
                yield from _other_dice(before, after, found)


def _side_findings(
    order: Order, members: list[Member], by_link: dict[int, Member]
) -> Iterator[Finding]:
    for line in order.sides:
        member = by_link[id(line[0])]
        earlier = [m for m in members if m.number < member.number]
        base, found = _base(line[0], earlier)
        if base is None or found is None:  # pragma: no cover  (a side line hangs on something)
            continue
        if found.kind == SAME_START:
            yield _same_start(base, member, found, members)
        else:
            yield _overlap(base, member, found)
        yield from _other_dice(base, member, found)


def _gap(before: Member, after: Member) -> Finding:
    found = away(before.link, after.link)
    message = (
        f"{after.number} starts at a position that no log has: "
        f"{len(found)} things stand otherwise than at the end of {before.number}"
    )
    return Finding("gap", after.number, before.number, before.end_id, message, found)


def _overlap(before: Member, after: Member, found: Join) -> Finding:
    at = _step_id(before, found.step)
    left = len(before.link.marks) - found.step - found.repeats
    parts = []
    if found.repeats:
        first, last = _step_id(before, found.step + 1), _step_id(before, found.step + found.repeats)
        parts.append(f"repeats {first}" + (f" to {last}" if found.repeats > 1 else ""))
    if left:
        parts.append(f"lacks the last {_count(left, 'step')} of {before.number}")
    where = f"after {at}" if found.step else f"where {before.number} starts"
    message = f"{after.number} starts {where}, not at the end of {before.number}"
    message += "".join(f", and {part}" for part in parts)
    last_common = _step_id(before, found.step + found.repeats)
    missing = away(before.link, after.link) if left else ()
    return Finding("overlap", after.number, before.number, last_common, message, missing)


def _same_start(other: Member, member: Member, found: Join, members: list[Member]) -> Finding:
    """Two logs from one position: of one player it is a fork, of two the later answers an old base."""
    common = _last_common(other, found, members)
    ends = f"Last common step: {common}" if common else "They have no earlier step in common"
    message = (
        f"{member.number}{_by(member)} starts where {other.number}{_by(other)} starts, "
        f"not where it ends. {ends}"
    )
    missing = away(other.link, member.link)
    kind = "wrong-base" if _two_players(other, member) else "fork"
    return Finding(kind, member.number, other.number, common, message, missing)


def _two_players(one: Member, two: Member) -> bool:
    known = one.person.player and two.person.player
    return bool(known) and one.person.player != two.person.player


def _last_common(other: Member, found: Join, members: list[Member]) -> str:
    if found.repeats:
        return _step_id(other, found.repeats)
    if other.follows is None:
        return ""
    number, step = other.follows
    return _step_id(members[number - 1], step) if step else ""


def _other_dice(other: Member, member: Member, found: Join) -> Iterator[Finding]:
    """The rolls on both sides of the branch point, when one player (or nobody known) made both."""
    if _two_players(other, member):
        return
    branch = found.step + found.repeats
    before = tuple(_rolls(other, 0, branch))
    mine, theirs = tuple(_rolls(member, found.repeats)), tuple(_rolls(other, branch))
    told = [[(r.roll.label, r.roll.values) for r in rolls] for rolls in (theirs, mine)]
    shorter = min(map(len, told))
    if not shorter or told[0][:shorter] == told[1][:shorter]:
        return
    common = _step_id(other, branch) if branch else ""
    message = (
        f"{other.number} and {member.number} come from the same position and roll other dice "
        f"after {common or 'it'}: {other.number} rolls {_said(theirs)}; {member.number} rolls {_said(mine)}"
    )
    yield Finding(
        "other-dice", member.number, other.number, common, message, (), before, (theirs, mine)
    )


def _rolls(member: Member, first: int, last: int | None = None) -> Iterator[RolledAt]:
    for number, mark in enumerate(member.link.marks[first:last], first + 1):
        for roll in mark.rolls:
            yield RolledAt(_step_id(member, number), roll)


def _said(rolls: tuple[RolledAt, ...]) -> str:
    told = [f"{r.roll.label} = {','.join(map(str, r.roll.values))} ({r.id})" for r in rolls[:5]]
    return ", ".join(told) + (f" and {len(rolls) - 5} more" if len(rolls) > 5 else "")


def _notes(members: list[Member], order: Order) -> Iterator[str]:
    for line in (*order.lines, *order.sides):
        for earlier, later in pairwise(line):
            if earlier.end != later.start:
                continue
            number = next(m.number for m in members if m.link is later)
            types, stacks = written_otherwise(earlier.end_state, later.start_state)
            if types:
                yield f"{number} writes {_count(types, 'piece')} in other words than the log before it"
            if stacks:
                yield f"{number} has {_count(stacks, 'stack')} in another order than the log before it"
    for member in members:
        marks = member.link.marks
        if member.line != COPY and all(m.position == member.link.start for m in marks):
            yield f"{member.number} changes no position, so nothing but its date tells its place"


def _step_id(member: Member, step: int) -> str:
    return f"{member.number}.{step}"


def _by(member: Member) -> str:
    return f" ({member.person.player})" if member.person.player else ""


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")
