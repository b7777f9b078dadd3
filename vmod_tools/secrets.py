"""Players' ids and passwords: where they stand, and how they are left out.

VASSAL identifies a player by the password, so an id is one.  The command table says which fields hold one
(`Kind.secret`), the trait table which tokens of a state do (kinds U and OB; an owner is a side, and no secret,
where the trait's access is by side).  Ids become p1, p2 … in the order in which they are met, so who is who
stays visible within one file.  This is the one place that knows; every tool that shows or hides asks here.

What no table names (a module's own commands and traits, a change of a piece of unknown type) is searched for
the ids that were met before.

Source: vassal-format.md sections 6, 8.4 and 11.7.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from vmod_tools.commands.kinds import ADD, CHANGE, OPAQUE, Command
from vmod_tools.pieces import Chain, Level, encode_chain, parse_chain
from vmod_tools.sequence import Sequence
from vmod_tools.traits import KINDS, Trait
from vmod_tools.values.codec import SECRET
from vmod_tools.values.lists import Access
from vmod_tools.values.looks import MaskOptions, Owner

_BETWEEN = re.compile(r"([\t/;,|:~\\\x1b])")
_REST = "*"


class Pseudonyms:
    """The ids met so far, and what stands for each."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def of(self, id: str) -> str:
        """What stands for an id; a word for nobody stays."""
        if Owner(id).is_nobody:
            return id
        return self.names.setdefault(id, f"p{len(self.names) + 1}")

    def search(self, text: str) -> str:
        """A text of unknown form with every known id that stands in it as a token replaced."""
        parts = _BETWEEN.split(text)
        return "".join([self.names.get(part, part) for part in parts])


def secret_fields(command: Command) -> Iterator[tuple[str, str]]:
    """Name and text of every field that holds an id or password; `*` is the name of those without one.

    The owners in the state of an added piece are fields called `state`.
    """
    for index in _secret_indices(command):
        fields = command.kind.fields
        yield fields[index] if index < len(fields) else _REST, _tokens(command)[index]
    if command.kind is ADD and command.get("state") is not None:
        states = parse_chain(command["state"])
        for index, level in enumerate(parse_chain(command["type"])[: len(states)]):
            owners = secret_state_fields(Trait.decode(level.text, states[index].text))
            yield from (("state", text) for _, text in owners)


def redact_command(command: Command, names: Pseudonyms, type_text: str | None = None) -> Command:
    """The command without ids and passwords; `type_text` is that of a changed piece, if it is known."""
    fields = command.fields
    if command.kind is OPAQUE and isinstance(fields, str):
        return replace(command, fields=names.search(fields))
    if isinstance(fields, str):
        return command
    for index in _secret_indices(command):
        fields = fields.with_token(index, names.of(fields.tokens[index]))
    if command.kind in (ADD, CHANGE):
        known = command.get("type") if command.kind is ADD else type_text
        for index in range(2 if command.kind is ADD else 1, len(fields.tokens)):
            state = fields.tokens[index]
            redacted = encode_chain(redact_chain(known, parse_chain(state), names))
            if redacted != state:
                fields = fields.with_token(index, redacted)
    return command if fields is command.fields else replace(command, fields=fields)


def redact_chain(type_text: str | None, states: Chain, names: Pseudonyms) -> Chain:
    """The states of a piece without ids; without its type, only ids met before are found.

    What stands behind the two tokens of a level goes: VASSAL does not read it, and nothing says what it is.
    """
    secret = {} if type_text is None else secret_levels(type_text)

    def redacted(index: int, text: str) -> str:
        if type_text is None:
            return names.search(text)
        if index not in secret:
            return text
        return redact_trait_state(Trait.decode(secret[index], text), names).state

    return tuple(
        Level(redacted(index, level.text), level.quoted) for index, level in enumerate(states)
    )


def redact_trait_state(trait: Trait, names: Pseudonyms) -> Trait:
    """The trait without ids in its state; the state of an unknown trait is searched for known ones."""
    if trait.kind.prefix not in KINDS:
        return trait.with_state(names.search(trait.state))
    for name in _secret_names(trait):
        value = trait.state_value(name)
        if isinstance(value, Owner):
            text = names.of(value.id)
        elif isinstance(value, MaskOptions):
            ids = Sequence.of(map(names.of, value.ids), "|")
            text = replace(value, ids=ids.tokens, quoted=frozenset()).encode()
        else:
            # Options that are none: where an id stands in them is not known.
            text = names.search(trait.state_text(name))
        if text != trait.state_text(name):
            trait = trait.with_state_text(name, text)
    return trait


def secret_state_fields(trait: Trait) -> Iterator[tuple[str, str]]:
    """Name and id of every owner and every other user in the trait's state; words for nobody are left out."""
    for name in _secret_names(trait):
        value = trait.state_value(name)
        ids = value.ids if isinstance(value, MaskOptions) else ()
        if isinstance(value, Owner):
            ids = (value.id,)
        yield from ((name, text) for text in ids if not Owner(text).is_nobody)


@lru_cache(maxsize=16_384)
def secret_levels(type_text: str) -> dict[int, str]:
    """The levels of a type whose state may name a player, with the trait's type; unknown traits too."""
    found = {}
    for index, level in enumerate(parse_chain(type_text)):
        trait = Trait.decode(level.text)
        if trait.kind.prefix not in KINDS or _secret_names(trait):
            found[index] = level.text
    return found


def _secret_names(trait: Trait) -> tuple[str, ...]:
    layout = trait.kind.state_layout_for(trait.tokens)
    if layout is None:
        return ()
    secret = [field for field in layout.fixed if field.kind in SECRET]
    if secret and any(field.name == "access" for field in trait.kind.fields):
        access = trait.value("access")
        if isinstance(access, Access) and not access.owner_is_secret:
            secret = [field for field in secret if field.kind != "U"]
    return tuple(field.name for field in secret)


def _tokens(command: Command) -> tuple[str, ...]:
    return command.fields.tokens if isinstance(command.fields, Sequence) else (command.fields,)


def _secret_indices(command: Command) -> Iterator[int]:
    kind = command.kind
    for index in range(len(_tokens(command)) if kind.secret else 0):
        name = kind.fields[index] if index < len(kind.fields) else _REST
        if name in kind.secret:
            yield index
