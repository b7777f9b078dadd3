"""A save: its text, its command tree and the state that it sets up.

A log is a save followed by steps, so logs are read here too as far as their start goes
(`vmod_tools.logs` reads the steps).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from vmod_tools.archive import Archive, Entry
from vmod_tools.buildfile import MODULE_DATA, SAVE_DATA, Metadata, read_metadata
from vmod_tools.commands.kinds import BEGIN_SAVE, END_SAVE, Command, parse_command
from vmod_tools.commands.tree import Tree, children_of, leaves, parse_tree
from vmod_tools.envelope import Envelope, decode, decode_stream
from vmod_tools.errors import ArchiveError, CommandError
from vmod_tools.gamestate import GameState, apply

SAVED_GAME = "savedGame"


@dataclass(frozen=True)
class Save:
    """A save or log that was read.  `guessed`: the text was not valid UTF-8, and the odd bytes are kept
    as lone surrogates; what is shown of them is a guess."""

    archive: Archive = field(repr=False)
    envelope: Envelope
    text_bytes: int
    guessed: bool
    tree: Tree = field(repr=False)
    metadata: Metadata | None
    module: Metadata | None
    """The copy of the module's own metadata; None in many honest files."""

    @classmethod
    def read(cls, archive: Archive) -> Self:
        """The save in `archive`; raises a VmodError that names the entry."""
        entry = archive.find(SAVED_GAME)
        if entry is None:
            raise ArchiveError("the archive holds no game: it has no savedGame", code="NOT_A_SAVE")
        envelope, text, guessed = read_entry_text(archive, entry)
        return cls(
            archive=archive,
            envelope=envelope,
            text_bytes=len(text)
            if text.isascii()
            else len(text.encode("utf-8", "surrogateescape")),
            guessed=guessed,
            tree=parse_tree(text, archive.limits.depth),
            metadata=read_metadata(archive, SAVE_DATA),
            module=read_metadata(archive, MODULE_DATA),
        )

    def require_whole(self) -> None:
        """Raises CommandError when the text does not run from begin_save to end_save."""
        top = [leaf for child in children_of(self.tree) if isinstance(leaf := child, str)]
        head = self.tree if isinstance(self.tree, str) else self.tree.head
        if head != BEGIN_SAVE.prefix:
            raise CommandError("the text does not start with begin_save", code="SAVE_START")
        if END_SAVE.prefix not in top:
            raise CommandError("the text is cut short: there is no end_save", code="SAVE_TRUNCATED")

    @cached_property
    def start_commands(self) -> tuple[Tree, ...]:
        """The top-level commands up to and with end_save."""
        return self._top[: self._end + 1]

    @cached_property
    def after_end(self) -> tuple[Tree, ...]:
        """The top-level commands behind end_save: the steps of a log."""
        return self._top[self._end + 1 :]

    @cached_property
    def state(self) -> GameState:
        """The state that the save sets up; raises CommandError with the number of a broken command."""
        return apply(GameState(), self.commands())

    def commands(self) -> Iterator[Command]:
        """The typed commands up to end_save, in order of execution."""
        number = 0
        for tree in self.start_commands:
            for leaf in leaves(tree):
                number += 1
                yield parse_located(leaf, f"command {number}")

    @cached_property
    def _top(self) -> tuple[Tree, ...]:
        return (self.tree,) if isinstance(self.tree, str) else (self.tree.head, *self.tree.children)

    @cached_property
    def _end(self) -> int:
        ends = (i for i, child in enumerate(self._top) if child == END_SAVE.prefix)
        return next(ends, len(self._top) - 1)


def parse_located(leaf: str, place: str) -> Command:
    """`parse_command`, with the command's place in the error."""
    try:
        return parse_command(leaf)
    except CommandError as error:
        raise error.located(place=place) from None


def read_entry_text(archive: Archive, entry: Entry) -> tuple[Envelope, str, bool]:
    """`read_text` of an entry, without ever holding its hidden form as a whole."""
    streamed = decode_stream(archive.chunks(entry))
    if streamed is None:
        return read_text(archive.read(entry))
    envelope, plain = streamed
    return envelope, *_text(plain)


def read_text(data: bytes) -> tuple[Envelope, str, bool]:
    """Envelope and text of a `savedGame`, and whether the text had to be guessed (was not UTF-8)."""
    envelope, plain = decode(data)
    return envelope, *_text(plain)


def _text(plain: bytes | bytearray) -> tuple[str, bool]:
    try:
        return plain.decode("utf-8"), False
    except UnicodeDecodeError:
        return plain.decode("utf-8", "surrogateescape"), True
