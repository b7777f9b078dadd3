"""Players' ids and passwords in the XML form: counted, and replaced by p1, p2 … if that is wanted.

Ids are numbered in the order in which the roster, then the rest of the file, names them: who is who stays
visible, and the file still loads.  Where they stand, `vmod_tools.secrets` knows.
"""

from __future__ import annotations

from collections.abc import Iterable

from vmod_tools.commands.kinds import ADD, CHANGE, OPAQUE, PLAYER, Command, kind_of
from vmod_tools.pieces import Chain, parse_chain
from vmod_tools.savexml.escaping import escape
from vmod_tools.secrets import (
    Pseudonyms,
    redact_chain,
    redact_command,
    secret_levels,
    secret_state_fields,
)
from vmod_tools.sequence import Sequence
from vmod_tools.traits import Trait

_WORTH_SEARCHING = 4  # shorter ids are parts of ordinary words


class Secrets:
    """The ids met so far.  Without `redact` they are only counted, and every text stays as it is."""

    def __init__(self, *, redact: bool) -> None:
        self.redact = redact
        self._names = Pseudonyms()

    @property
    def pseudonyms(self) -> dict[str, str]:
        """What stands for each id."""
        return self._names.names

    def learn(self, texts: Iterable[str]) -> None:
        """Meets the ids of a game's commands, the roster's first."""
        commands = list(texts)
        for text in commands:
            if text.startswith(PLAYER.prefix):
                self.command(text)
        types: dict[str, str] = {}
        for text in commands:
            kind = kind_of(text)
            if kind is not ADD and kind is not CHANGE:
                self.command(text)
                continue
            tokens = Sequence.decode(text[2:], "/").tokens
            if kind is ADD and len(tokens) == 3:
                types[tokens[0]] = tokens[1]
            for state in tokens[1 if kind is CHANGE else 2 :]:
                self.chain(types.get(tokens[0]), parse_chain(state))

    def command(self, text: str) -> str:
        """The command's text, redacted if wanted; states of pieces are not looked at."""
        kind = kind_of(text)
        if kind is ADD or kind is CHANGE or not (kind.secret or (self.redact and kind is OPAQUE)):
            return text
        body = text[len(kind.prefix) :]
        # Not parsed: one that is cut short has ids too.
        fields = Sequence.decode(body, kind.delimiter) if kind.delimiter else body
        redacted = redact_command(Command(kind, fields), self._names)
        return redacted.encode() if self.redact else text

    def malformed(self, text: str) -> str:
        """A command that cannot be read: where its secrets stand is not known, so it goes as a whole."""
        return "" if self.redact else text

    def chain(self, type_text: str | None, chain: Chain) -> Chain:
        """A state's chain, redacted if wanted."""
        if self.redact:
            return redact_chain(type_text, chain, self._names)
        secret = {} if type_text is None else secret_levels(type_text)
        for index, trait_type in secret.items():
            if index < len(chain):
                trait = Trait.decode(trait_type, chain[index].text)
                for _, owner in secret_state_fields(trait):
                    self._names.of(owner)
        return chain

    def left_in(self, document: bytes) -> int:
        """How many of the ids stand in the document all the same (in chat, as a name)."""
        return sum(
            len(secret) >= _WORTH_SEARCHING and escape(secret).encode() in document
            for secret in self.pseudonyms
        )
