"""The snapshot of a save or log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vmod_tools.archive import Archive
from vmod_tools.commands.kinds import (
    ADD,
    BEGIN_SAVE,
    BOARDS,
    CHANGE,
    CHAT,
    END_SAVE,
    GLOBAL_PROPERTY,
    LOG,
    MOVE,
    MUTABLE_PROPERTY,
    NULL,
    PLAYER,
    REMOVE,
    SETUP_STACK,
    TURN,
    UNDO,
    Command,
    first_word,
)
from vmod_tools.diff.entries import entry_items, metadata_items
from vmod_tools.diff.model import (
    Body,
    Difference,
    Hidden,
    Item,
    Snapshot,
    StepText,
    compare_items,
    plain_item,
)
from vmod_tools.diff.pieces import View, piece_item, place_text
from vmod_tools.gamestate import GameState, Holder, apply
from vmod_tools.logs import Log, Step, player_label
from vmod_tools.saves import SAVED_GAME

_IN_STATE = frozenset(
    kind.name
    for kind in (
        *(ADD, REMOVE, CHANGE, MOVE, PLAYER, BOARDS, TURN, GLOBAL_PROPERTY, MUTABLE_PROPERTY),
        *(NULL, BEGIN_SAVE, END_SAVE, SETUP_STACK, LOG),
    )
)
_SHOWN_WORDS = ("NOTES", "PNOTES", "EXT")
"""Commands without a table whose text may be shown; others may hold a password."""


def game_snapshot(archive: Archive, *, raw: bool = False, at_end: bool = False) -> Snapshot:
    """The snapshot of a save or log; with `at_end` of the state after its last step, without steps.

    Raises VmodError.
    """
    log = Log.read(archive)
    view = View(raw, log.players)
    state = log.start.state
    steps: list[StepText] = []
    for step in log.steps:
        after = apply(state, step.commands)
        if not at_end:
            steps.append(_step_text(step, state, after, view))
        state = after
    first = log.start.state
    if at_end:
        # Results of dice are properties that no save declares, so a save would differ in them.
        declared = {k: v for k, v in state.properties.items() if k in first.properties}
        first = state if raw else replace(state, properties=declared)
    items = [
        plain_item("file", {"hidden as": log.start.envelope.kind}),
        *metadata_items(archive),
        *_state_items(first, view),
        *_other_commands(log),
        *entry_items(archive, () if raw else (SAVED_GAME,)),
    ]
    return Snapshot("game", {item.key: item for item in items}, tuple(steps))


def _state_items(state: GameState, view: View) -> Iterator[Item]:
    for number, player in enumerate(state.players):
        yield plain_item(
            f"player {player_label(number)}", {"name": player.name, "side": player.side}
        )
    for window, tokens in sorted(state.boards.items()):
        yield plain_item(f"boards {window}", {"boards": _boards(tokens)})
    for tracker, text in sorted(state.turns.items()):
        yield plain_item(f"turn {tracker}", {"state": text})
    for key, value in sorted(state.properties.items()):
        yield _property_item(key, value)
    decks = {i: h for i, h in state.holders.items() if not h.piece.is_stack}
    for deck in sorted(decks, key=_by_age):
        yield _deck_item(decks[deck], view)
    if view.raw:
        stacks = state.holders.keys() - decks.keys()
        for stack in sorted(stacks, key=_by_age):
            holder = state.holders[stack]
            fields = {"place": place_text(holder.place), "members": ", ".join(holder.members)}
            yield plain_item(f"stack {stack}", fields)
    for piece in sorted(state.pieces, key=_by_age):
        yield _piece(state, piece, view)


def _property_item(key: tuple[str, str], value: str) -> Item:
    return plain_item("property " + "/".join(part for part in key if part), {"value": value})


def _piece(state: GameState, id: str, view: View) -> Item:
    placed = state.pieces[id]
    return piece_item(placed.piece, view, placed.place, _lies_on(state, id))


def _by_age(id: str) -> tuple[int, str]:
    """Ids are times in milliseconds: those of one length sort by age."""
    return len(id), id


def _lies_on(state: GameState, id: str) -> str:
    """The piece below this one, or the deck that holds it.  Stacks themselves come and go."""
    holder = state.holders.get(state.pieces[id].stack or "")
    if holder is None:
        return ""
    if holder.piece.is_deck:
        return f"deck {holder.piece.id}"
    at = holder.members.index(id) if id in holder.members else 0
    return holder.members[at - 1] if at else ""


def _deck_item(holder: Holder, view: View) -> Item:
    """Which cards it holds, the cards say; here only their order counts."""
    inner = piece_item(holder.piece, view, holder.place)
    face_down = (*holder.piece.basic.state_fields().tokens[3:4], "")[0]

    def body() -> Body:
        fields = inner.body().fields
        return Body({**fields, "face down": face_down}, holder.members)

    signature = (inner.signature, holder.members)
    return Item(f"deck {holder.piece.id}", signature, body, holder.piece.basic["deck_name"])


def _boards(tokens: tuple[str, ...]) -> str:
    triples = [tokens[i : i + 3] for i in range(0, len(tokens), 3)]
    return "; ".join(" ".join(triple) for triple in triples)


def _other_commands(log: Log) -> Iterator[Item]:
    """Commands of the start that do not touch the state of play: notes, clocks, a module's own."""
    seen: dict[str, int] = {}
    for command in log.start.commands():
        if command.kind.name not in _IN_STATE:
            word, value = _word_and_text(command)
            seen[word] = seen.get(word, 0) + 1
            yield plain_item(f"command {word} {seen[word]}", {"text": value})


def _word_and_text(command: Command) -> tuple[str, str]:
    if command.kind is CHAT:
        return "CHAT", command["text"]
    text = command.encode()
    word = first_word(text)
    if word in _SHOWN_WORDS:
        return word, text.removeprefix(word).strip("\t")
    return word, Hidden(text)


def _step_text(step: Step, before: GameState, after: GameState, view: View) -> StepText:
    lines = (*_piece_lines(step, before, after, view), *_other_lines(step, view))
    return StepText(step.number, player_label(step.player), lines)


def _piece_lines(step: Step, before: GameState, after: GameState, view: View) -> Iterator[str]:
    """What the step did to pieces and decks, each told once."""
    ids = [c["id"] for c in step.of_kind(ADD.name, REMOVE.name, CHANGE.name, MOVE.name)]
    members = {
        m for i in ids for s in (before, after) if i in s.holders for m in s.holders[i].members
    }
    for piece in dict.fromkeys([*ids, *sorted(members, key=_by_age)]):
        old = _piece(before, piece, view) if piece in before.pieces else _deck(before, piece, view)
        new = _piece(after, piece, view) if piece in after.pieces else _deck(after, piece, view)
        yield from _lines(compare_items(old, new), whole=view.raw)


def _deck(state: GameState, id: str, view: View) -> Item | None:
    holder = state.holders.get(id)
    return _deck_item(holder, view) if holder and holder.piece.is_deck else None


def _lines(difference: Difference | None, *, whole: bool) -> Iterator[str]:
    if difference is None:
        return
    head = f"{difference.key} {difference.title}".rstrip()
    if difference.what in ("added", "removed"):
        yield f"{difference.what} {head}"
    for change in difference.changes:
        if difference.what in ("moved", "changed"):
            yield f"{head}: {change.name}: {change.old or ''} → {change.new or ''}"
        elif whole or change.name == "place":
            yield f"{head}: {change.name}: {change.new or change.old}"


def _other_lines(step: Step, view: View) -> Iterator[str]:
    for command in step.commands:
        if command.kind is MUTABLE_PROPERTY:
            container = command.get("container") or ""
            name = "/".join(part for part in (container, command["name"]) if part)
            yield f"property {name}: {command['old_value']} → {command['value']}"
        elif command.kind is TURN:
            yield f"turn {command['tracker'].removeprefix('TURN')}: {command['state']}"
        elif command.kind is CHAT:
            yield f"chat: {command['text']}"
        elif command.kind is UNDO:
            yield f"undo: {command['begins']}"
        elif command.kind is MOVE and view.raw:
            # All but the last field, which is the player's password.
            yield "move " + " ".join(command.get(name) or "" for name in MOVE.fields[:-1])
        elif command.kind.name not in _IN_STATE:
            yield f"command {first_word(command.encode())}"
