"""The order of logs, from their positions alone: each position is a crossing, each log a road.

A clean line walks every road once.  Where there is none, the longest line is looked for, and what is
left over hangs on it or stands apart.  File dates and the order in which files were given only decide
between orders that the positions allow equally.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from vmod_tools.chain.links import Link
from vmod_tools.positions import Difference, differences

MAX_APART = 8
"""Lines without a common position that are tried in every order."""

END, OVERLAP, MIDDLE, SAME_START = "end", "overlap", "middle", "same-start"


@dataclass(frozen=True, slots=True)
class Join:
    """How one log starts from another: after which of its steps, and how many more it repeats."""

    kind: str
    """end; overlap: repeats all that the other still did; middle; same-start."""
    step: int
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class Order:
    """`lines` are those that follow one another, with a gap between two; `sides` hang on them."""

    lines: tuple[tuple[Link, ...], ...]
    sides: tuple[tuple[Link, ...], ...]
    duplicates: tuple[tuple[Link, Link], ...]
    """(the copy, the log that it is a copy of)"""


def join(earlier: Link, later: Link) -> Join | None:
    """How `later` starts from `earlier`, or None when it starts at no position of it."""
    length = len(earlier.marks)
    places = [n for n in range(length + 1) if earlier.position(n) == later.start]
    if not places:
        return None
    repeats = {n: earlier.common(n, later) for n in places}
    whole = [n for n in places if n < length and repeats[n] == length - n]
    if whole and len(later.marks) > repeats[whole[0]]:
        return Join(OVERLAP, whole[0], repeats[whole[0]])
    if places[-1] == length:
        return Join(END, length)
    best = max(places, key=lambda n: (repeats[n], n))
    return Join(MIDDLE if best else SAME_START, best, repeats[best])


def arrange(links: Sequence[Link]) -> Order:
    """The order of `links`; the same for the same files in the same order."""
    dated = sorted(links, key=lambda link: (link.date_saved is None, link.date_saved or 0))
    kept, duplicates = _without_copies(dated)
    whole = _one_line(kept)
    if whole is not None:
        return Order((whole,), (), duplicates)
    joins = {
        (i, j): found
        for i, earlier in enumerate(kept)
        for j, later in enumerate(kept)
        if i != j and (found := join(earlier, later)) is not None
    }
    trails = _trails(len(kept), joins)
    placed: set[int] = set()
    apart: list[tuple[Link, ...]] = []
    sides: list[tuple[Link, ...]] = []
    for trail in trails:
        attached = any((p, trail[0]) in joins for p in placed)
        (sides if attached else apart).append(tuple(kept[i] for i in trail))
        placed.update(trail)
    return Order(_by_nearness(apart), tuple(sides), duplicates)


def _without_copies(
    links: list[Link],
) -> tuple[list[Link], tuple[tuple[Link, Link], ...]]:
    first: dict[tuple[object, ...], Link] = {}
    copies = []
    for link in links:
        original = first.setdefault((link.start, link.marks), link)
        if original is not link:
            copies.append((link, original))
    return list(first.values()), tuple(copies)


def _one_line(links: list[Link]) -> tuple[Link, ...] | None:
    """The links as one line in which each starts where the last one ended, or None."""
    if all(a.end == b.start for a, b in pairwise(links)):
        line: tuple[Link, ...] | None = tuple(links)
    else:
        line = _euler(links)
    if line is None:
        return None
    fits = all((found := join(a, b)) is not None and found.kind == END for a, b in pairwise(line))
    return line if fits else None


def _euler(links: list[Link]) -> tuple[Link, ...] | None:
    """A walk over every link once (Hierholzer); positions may come again."""
    out: defaultdict[str, list[Link]] = defaultdict(list)
    surplus: Counter[str] = Counter()
    for link in reversed(links):
        out[link.start].append(link)
        surplus[link.start] += 1
        surplus[link.end] -= 1
    starts = [position for position, n in surplus.items() if n > 0]
    if len(starts) > 1 or any(surplus[s] > 1 for s in starts):
        return None
    at = starts[0] if starts else links[0].start
    stack: list[tuple[str, Link | None]] = [(at, None)]
    walk: list[Link] = []
    while stack:
        position, by = stack[-1]
        if out[position]:
            link = out[position].pop()
            stack.append((link.end, link))
        else:
            stack.pop()
            if by is not None:
                walk.append(by)
    return tuple(reversed(walk)) if len(walk) == len(links) else None


def _trails(count: int, joins: dict[tuple[int, int], Join]) -> list[list[int]]:
    """Lines that use each link once, the longest first; ties go to the earlier link."""
    follows: list[list[int]] = [[] for _ in range(count)]
    led: set[int] = set()
    for kinds in ((END, OVERLAP), (MIDDLE,)):
        # A start in the middle of a log counts where nothing better leads to it.
        new = [(i, j) for (i, j), found in joins.items() if found.kind in kinds and j not in led]
        for i, j in new:
            follows[i].append(j)
        led.update(j for _, j in new)
    reach = [1] * count
    for _ in range(count):
        longer = [1 + max((reach[j] for j in follows[i]), default=0) for i in range(count)]
        reach, before = longer, reach
        if reach == before:
            break
    left = set(range(count))
    trails = []
    while left:
        heads = [i for i in left if not any(i in follows[p] for p in left)] or list(left)
        at: int | None = min(heads, key=lambda i: (-reach[i], i))
        trail: list[int] = []
        while at is not None:
            trail.append(at)
            left.remove(at)
            nexts = [j for j in follows[at] if j in left]
            at = min(nexts, key=lambda j: (-reach[j], j), default=None)
        trails.append(trail)
    return trails


def _by_nearness(lines: list[tuple[Link, ...]]) -> tuple[tuple[Link, ...], ...]:
    """The lines in the order in which least changes from the end of one to the start of the next."""
    if not 1 < len(lines) <= MAX_APART:
        return tuple(lines)
    steps = [[len(away(a[-1], b[0])) if a is not b else 0 for b in lines] for a in lines]
    routes = []
    for first in range(len(lines)):
        route, total = [first], 0
        while len(route) < len(lines):
            here = route[-1]
            next_one = min(
                (n for n in range(len(lines)) if n not in route), key=steps[here].__getitem__
            )
            total += steps[here][next_one]
            route.append(next_one)
        routes.append((total, route))
    return tuple(lines[n] for n in min(routes)[1])


def away(earlier: Link, later: Link) -> tuple[Difference, ...]:
    """What stands otherwise at the start of `later` than at the end of `earlier`."""
    declared = earlier.declared | later.declared
    return differences(earlier.end_state, later.start_state, declared)
