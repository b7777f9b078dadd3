"""A step list in its written forms: JSON data, CSV rows, lines of text (docs/log-format.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from html import unescape
from typing import Any

from vmod_tools.rolls import DICE_SUFFIXES, roll_data
from vmod_tools.spots import Spot
from vmod_tools.steplist import Event, StepRow

SCHEMA_VERSION = 1

CSV_HEADER = (
    *("id", "log", "step", "player", "side", "event", "piece", "name"),
    *("from_map", "from_x", "from_y", "from", "to_map", "to_x", "to_y", "to"),
    *("property", "before", "after", "text", "undoes", "undone_by"),
)


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line of chat: who says it, if it was typed, and the text without the name."""

    speaker: str | None
    text: str


def read_chat(line: str) -> ChatLine:
    """The stored line, taken apart; since 3.4 the name's brackets are HTML-escaped, the text is not."""
    for opens, closes in (("&lt;", "&gt;"), ("<", ">")):
        if line.startswith(opens):
            name, closed, text = line[len(opens) :].partition(f"{closes} - ")
            if closed:
                return ChatLine(unescape(name), text)
    return ChatLine(None, line)


def row_data(row: StepRow) -> dict[str, Any]:
    """A row as JSON data: empty parts of events are left out, places keep all their fields."""
    return {
        "id": row.id,
        "log": row.log,
        "step": row.step,
        "player": row.player,
        "side": row.side,
        "events": [_event_data(event) for event in row.events],
        "chat": list(row.chat),
        "rolls": [roll_data(roll) for roll in row.rolls],
        "undoes": row.undoes,
        "undone_by": row.undone_by,
        "nothing": row.nothing,
    }


def _event_data(event: Event) -> dict[str, Any]:
    data: dict[str, Any] = {"event": event.event}
    if event.id:
        data["id"] = event.id
    if event.name:
        data["name"] = event.name
    if event.start:
        data["from"] = asdict(event.start)
    if event.end:
        data["to"] = asdict(event.end)
    if event.changes:
        data["changes"] = {name: [old, new] for name, old, new in event.changes}
    if event.traits:
        data["traits"] = list(event.traits)
    return data


def chat_data(row: StepRow) -> Iterator[dict[str, Any]]:
    """The chat lines of a row as JSON data."""
    for line in row.chat:
        told = read_chat(line)
        yield {
            "id": row.id,
            "log": row.log,
            "step": row.step,
            "player": row.player,
            "side": row.side,
            "speaker": told.speaker,
            "text": told.text,
            "undone_by": row.undone_by,
        }


def csv_rows(row: StepRow) -> Iterator[tuple[object, ...]]:
    """The lines of the table that a row makes: one for each thing that it did, or one for nothing."""
    who = (row.id, row.log, row.step, row.player, row.side)
    undo = (row.undoes, row.undone_by)
    nowhere = (None,) * 8
    made = False
    for event in row.events:
        what = (
            event.event,
            event.id,
            event.name,
            *_spot_cells(event.start),
            *_spot_cells(event.end),
        )
        text = ", ".join(event.traits)
        for change in event.changes or ((None, None, None),):
            made = True
            yield (*who, *what, *change, text, *undo)
    for roll in row.rolls:
        made = True
        values = ",".join(map(str, roll.values))
        yield (*who, "roll", "", roll.name, *nowhere, roll.label, None, values, "", *undo)
    for line in row.chat:
        made = True
        told = read_chat(line)
        yield (*who, "chat", "", told.speaker, *nowhere, None, None, None, told.text, *undo)
    if not made:
        yield (*who, "nothing", "", "", *nowhere, None, None, None, "", *undo)


def _spot_cells(spot: Spot | None) -> tuple[object, ...]:
    return (None,) * 4 if spot is None else (spot.map, spot.x, spot.y, spot.location)


def text_lines(rows: Iterable[StepRow], *, every: bool) -> Iterator[str]:
    """The list for people; steps in a row that do nothing are folded unless `every` is set."""
    idle: list[StepRow] = []
    for row in rows:
        if row.nothing and not every:
            if idle and idle[-1].log != row.log:
                yield _folded(idle)
                idle = []
            idle.append(row)
            continue
        if idle:
            yield _folded(idle)
            idle = []
        yield from _row_lines(row)
    if idle:
        yield _folded(idle)


def _folded(rows: list[StepRow]) -> str:
    first, last = rows[0], rows[-1]
    if first is last:
        return f"step {first.id}: nothing"
    return f"steps {first.id}–{last.id}: nothing"


def _row_lines(row: StepRow) -> Iterator[str]:
    mark = f" (undone by {row.log}.{row.undone_by})" if row.undone_by else ""
    mark += f" (undoes {row.log}.{row.undoes})" if row.undoes else ""
    who = "".join(f" {part}" for part in (row.player, row.side) if part)
    set_by_dice = {roll.label + suffix for roll in row.rolls for suffix in DICE_SUFFIXES}
    lines = [
        event_text(event)
        for event in row.events
        if not (event.event == "property" and event.changes[0][0] in set_by_dice)
    ]
    lines += [f"rolls {r.label}: {','.join(map(str, r.values))}" for r in row.rolls]
    lines += [f"chat: {_chat_text(line)}" for line in row.chat]
    first, *more = lines or ["nothing"]
    yield f"{row.id:>6}{who}{mark}: {first}"
    for line in more:
        yield f"       {line}"


def chat_lines(rows: Iterable[StepRow]) -> Iterator[str]:
    """The chat alone, for people."""
    for row in rows:
        mark = f" (undone by {row.log}.{row.undone_by})" if row.undone_by else ""
        for line in row.chat:
            yield f"{row.id:>6}{mark} {_chat_text(line)}"


def _chat_text(line: str) -> str:
    told = read_chat(line)
    return told.text if told.speaker is None else f"<{told.speaker}> {told.text}"


def event_text(event: Event) -> str:
    """An event in words."""
    place = event.end or event.start
    changes = [f"{name}: {old!r} → {new!r}" for name, old, new in event.changes]
    if event.traits:
        changes.append("state of " + ", ".join(event.traits))
    said = ", ".join(changes)
    return {
        "add": f"{event.name} placed in {place}",
        "remove": f"{event.name} removed from {place}",
        "move": f"{event.name} moves {event.start} → {place}",
        "change": f"{event.name} in {place}: {said}",
        "deck": f"deck {event.name} in {place}: other cards or another order",
        "property": said,
        "turn": f"turn: {said}",
        "command": event.name,
    }.get(event.event, f"command not understood: {event.name}")
