"""A file as items that can be compared: pieces, components, entries … each with named fields.

The same items serve the comparison of two files and the text of one (for git's textconv), so that both
say the same.  A body is built only when it is needed: of two saves with thousands of pieces, those
whose signatures are equal are never looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher

NOT_SHOWN = "(not shown)"


class Hidden(str):
    """A text that is compared and never shown: it may hold a password."""

    __slots__ = ()


Value = str | Mapping[str, str]
"""A field: a text, or named texts (the fields of a trait)."""


@dataclass(frozen=True, slots=True)
class Body:
    """The fields of an item.  `order`: names of its parts in their order; it is compared only where both
    sides have the same parts, since parts that come or go are told anyway."""

    fields: Mapping[str, Value]
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One thing in a file.  Items of two files with one key are the same thing; equal signatures mean
    equal bodies."""

    key: str
    signature: object = field(repr=False)
    body: Callable[[], Body] = field(repr=False)
    title: str = ""


def plain_item(key: str, fields: Mapping[str, Value], title: str = "") -> Item:
    """An item whose fields are at hand."""
    return Item(key, fields, lambda: Body(fields), title)


@dataclass(frozen=True, slots=True)
class StepText:
    """One step of a log: what it did, a line each."""

    number: int
    player: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A whole file."""

    kind: str
    """game, module or extension."""
    items: Mapping[str, Item]
    steps: tuple[StepText, ...] = ()
    games: Mapping[str, Callable[[], Snapshot]] = field(default_factory=dict)
    """By the key of their item: the saves that a module holds."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field before and after; None where it is absent."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: `what` is added, removed, moved (a piece, and maybe more of it) or changed."""

    key: str
    what: str
    changes: tuple[FieldChange, ...]
    title: str = ""
    first_step: bool = False
    """Whether this is the first step in which two logs differ."""


def compare(old: Snapshot, new: Snapshot) -> tuple[Difference, ...]:
    """What differs, in the order of the files."""
    found: list[Difference] = []
    for key in _merged(list(old.items), list(new.items)):
        before, after = old.items.get(key), new.items.get(key)
        difference = compare_items(before, after)
        if difference is None:
            continue
        found.append(difference)
        if key in old.games and key in new.games:
            inner = compare(old.games[key](), new.games[key]())
            found += [
                Difference(f"{key}: {d.key}", d.what, d.changes, d.title, d.first_step)
                for d in inner
            ]
    return (*found, *_compare_steps(old.steps, new.steps))


def compare_items(old: Item | None, new: Item | None) -> Difference | None:
    """What differs between two items of one key, or None."""
    if old is None or new is None:
        item = new or old
        if item is None:
            return None
        body = item.body()
        changes = tuple(
            FieldChange(name, *((shown(value), None) if old else (None, shown(value))))
            for name, value in body.fields.items()
        )
        return Difference(item.key, "removed" if old else "added", changes, item.title)
    if old.signature == new.signature:
        return None
    before, after = old.body(), new.body()
    changes = tuple(_field_changes(before, after))
    if not changes:
        return None
    moved = any(change.name == "place" for change in changes)
    return Difference(new.key, "moved" if moved else "changed", changes, new.title or old.title)


def shown(value: Value) -> str:
    """A field's value as it may be shown."""
    if isinstance(value, Hidden):
        return NOT_SHOWN
    if isinstance(value, str):
        return value
    return "; ".join(f"{name}={shown(text)}" for name, text in value.items())


def _field_changes(before: Body, after: Body) -> Iterator[FieldChange]:
    for name in _merged(list(before.fields), list(after.fields)):
        old, new = before.fields.get(name), after.fields.get(name)
        if old == new:
            continue
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            for part in _merged(list(old), list(new)):
                if old.get(part) != new.get(part):
                    yield FieldChange(f"{name}: {part}", _or_none(old, part), _or_none(new, part))
        else:
            yield FieldChange(
                name, None if old is None else shown(old), None if new is None else shown(new)
            )
    if before.order != after.order and sorted(before.order) == sorted(after.order):
        start = _first_other(before.order, after.order)
        end = len(before.order) - _first_other(before.order[::-1], after.order[::-1])
        yield FieldChange(
            "order", ", ".join(before.order[start:end]), ", ".join(after.order[start:end])
        )


def _or_none(fields: Mapping[str, str], name: str) -> str | None:
    return shown(fields[name]) if name in fields else None


def _first_other(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    """Where two rows of one length begin to differ."""
    return next(i for i, pair in enumerate(zip(left, right, strict=True)) if pair[0] != pair[1])


def _merged(old: list[str], new: list[str]) -> list[str]:
    """The keys of both, in the old order; an added one stands behind its neighbour in the new."""
    known = set(old)
    behind: dict[str | None, list[str]] = {}
    neighbour: str | None = None
    for key in new:
        if key in known:
            neighbour = key
        else:
            behind.setdefault(neighbour, []).append(key)
    merged = behind.get(None, [])
    for key in old:
        merged += [key, *behind.get(key, [])]
    return merged


_MOST_STEPS = (
    3000  # aligning steps costs the product of their numbers; longer logs are compared in place
)


def _compare_steps(old: tuple[StepText, ...], new: tuple[StepText, ...]) -> Iterator[Difference]:
    start = 0
    while start < min(len(old), len(new)) and _same_step(old[start], new[start]):
        start += 1
    left, right = old[start:], new[start:]
    blocks: list[tuple[str, int, int, int, int]]
    if max(len(left), len(right)) > _MOST_STEPS:
        blocks = [("replace", 0, len(left), 0, len(right))]
    else:
        matcher = SequenceMatcher(
            None, [(s.player, s.lines) for s in left], [(s.player, s.lines) for s in right], False
        )
        blocks = list(matcher.get_opcodes())
    first = True
    for tag, a, a_end, b, b_end in blocks:
        if tag == "equal":
            continue
        for n in range(max(a_end - a, b_end - b)):
            before = left[a + n] if a + n < a_end else None
            after = right[b + n] if b + n < b_end else None
            difference = _step_difference(before, after, first=first)
            if difference is not None:
                yield difference
                first = False


def _same_step(old: StepText, new: StepText) -> bool:
    return old.player == new.player and old.lines == new.lines


def _step_difference(
    old: StepText | None, new: StepText | None, *, first: bool
) -> Difference | None:
    if old is not None and new is not None and _same_step(old, new):
        return None
    before, after = _step_lines(old), _step_lines(new)
    changes: list[FieldChange] = []
    matcher = SequenceMatcher(None, before, after, False)
    for tag, a, a_end, b, b_end in matcher.get_opcodes():
        if tag != "equal":
            changes += [FieldChange("", line, None) for line in before[a:a_end]]
            changes += [FieldChange("", None, line) for line in after[b:b_end]]
    numbers = [str(step.number) for step in (old, new) if step is not None]
    what = "changed" if len(numbers) == 2 else "removed" if old else "added"
    return Difference(f"step {'/'.join(dict.fromkeys(numbers))}", what, tuple(changes), "", first)


def _step_lines(step: StepText | None) -> tuple[str, ...]:
    return () if step is None else (f"player: {step.player}", *step.lines)
