"""Players' ids and passwords: where they stand, and how they are left out.

VASSAL identifies a player by the password, so an id is one.  Ids become p1, p2 … in the order in which the
roster, then the rest of the file, names them: who is who stays visible, and the file still loads.  What no
table names (a module's own commands and traits) is searched for the ids that the tables found.

Source: vassal-format.md section 6 and the traits hide, obs and restrict of section 8.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from vmod_tools.commands.kinds import ADD, CHANGE, OPAQUE, kind_of
from vmod_tools.pieces import NULL, Chain, Level, parse_chain
from vmod_tools.savexml.escaping import escape
from vmod_tools.sequence import Sequence
from vmod_tools.traits import KINDS, Trait

_NOBODY = ("", NULL, "nobody")
_PLAYER = "PLAYER\t"
# Prefix, delimiter, and which tokens behind the prefix are ids or passwords (None: all).
_COMMANDS: tuple[tuple[str, str, tuple[int, ...] | None], ...] = (
    (_PLAYER, "\t", (0,)),
    ("M/", "/", (9,)),
    ("PYREMOVE\t", "\t", (0,)),
    ("UNMASK\t", "\t", None),
    ("PNOTE\t", "\t", (0,)),
    ("SNOTE\t", "\t", (1,)),
    ("LOCKSPOTAB\t", "\t", (1, 2)),
)
_PREFIXES = tuple(prefix for prefix, _, _ in _COMMANDS)
_BY_SIDE = ("side:", "sides:")
_BETWEEN = re.compile(r"([\t/;,|:~\\\x1b])")
_WORTH_SEARCHING = 4  # shorter ids are parts of ordinary words


class Secrets:
    """The ids met so far.  Without `redact` they are only counted, and every text stays as it is."""

    def __init__(self, *, redact: bool) -> None:
        self.redact = redact
        self.pseudonyms: dict[str, str] = {}

    def learn(self, texts: Iterable[str]) -> None:
        """Meets the ids of a game's commands, the roster's first."""
        commands = list(texts)
        for text in commands:
            if text.startswith(_PLAYER):
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
        for prefix, delimiter, where in _COMMANDS if text.startswith(_PREFIXES) else ():
            if text.startswith(prefix):
                fields = Sequence.decode(text[len(prefix) :], delimiter)
                for index in range(len(fields.tokens)) if where is None else where:
                    if index < len(fields.tokens):
                        fields = fields.with_token(index, self._pseudonym(fields.tokens[index]))
                return prefix + fields.encode() if self.redact else text
        if self.redact and kind_of(text) is OPAQUE:
            return self._searched(text)
        return text

    def malformed(self, text: str) -> str:
        """A command that cannot be read: where its secrets stand is not known, so it goes as a whole."""
        return "" if self.redact else text

    def chain(self, type_text: str | None, chain: Chain) -> Chain:
        """A state's chain, redacted if wanted."""
        secret = {} if type_text is None else _secret_levels(type_text)
        if not self.redact:
            for index, prefix in secret.items():
                if prefix and index < len(chain):
                    self._state(prefix, chain[index].text)
            return chain
        if type_text is None:
            secret = dict.fromkeys(range(len(chain)), "")
        return tuple(
            Level(self._state(secret[i], level.text) if i in secret else level.text, level.quoted)
            for i, level in enumerate(chain)
        )

    def left_in(self, document: bytes) -> int:
        """How many of the ids stand in the document all the same (in chat, as a name)."""
        return sum(
            len(secret) >= _WORTH_SEARCHING and escape(secret).encode() in document
            for secret in self.pseudonyms
        )

    def _pseudonym(self, secret: str) -> str:
        if secret in _NOBODY:
            return secret
        return self.pseudonyms.setdefault(secret, f"p{len(self.pseudonyms) + 1}")

    def _state(self, prefix: str, text: str) -> str:
        if prefix == "restrict;":
            return self._pseudonym(text)
        if prefix in ("hide;", "obs;"):
            fields = Sequence.decode(text, ";")
            fields = fields.with_token(0, self._pseudonym(fields.tokens[0]))
            if prefix == "obs;" and len(fields.tokens) > 1:
                options = Sequence.decode(fields.tokens[1], "|")
                for index in range(2, len(options.tokens)):
                    name = self._pseudonym(options.tokens[index])
                    options = options.with_token(index, name)
                fields = fields.with_token(1, options.encode())
            return fields.encode()
        return self._searched(text)

    def _searched(self, text: str) -> str:
        """A text of unknown form with every known id that stands in it as a token replaced."""
        parts = _BETWEEN.split(text)
        return "".join([self.pseudonyms.get(part, part) for part in parts])


@lru_cache(maxsize=16_384)
def _secret_levels(type_text: str) -> dict[int, str]:
    """The levels of a type whose state names a player, with the trait's prefix; "" for an unknown trait."""
    found = {}
    for index, level in enumerate(parse_chain(type_text)):
        trait = Trait.decode(level.text)
        prefix = trait.kind.prefix
        if prefix not in KINDS:
            found[index] = ""
        elif prefix == "restrict;" or (
            prefix in ("hide;", "obs;") and not trait["access"].startswith(_BY_SIDE)
        ):
            found[index] = prefix
    return found
