"""An archive as elements: its entries in the directory's order, and whatever stands around them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

from vmod_tools.archive import Archive, Entry
from vmod_tools.errors import ArchiveError, EnvelopeError, SaveXmlError
from vmod_tools.limits import Limits
from vmod_tools.saves import SAVED_GAME
from vmod_tools.savexml.content import (
    game_problem,
    inner_archive,
    write_game,
    write_plain,
)
from vmod_tools.savexml.deflate import USUAL, setting_of
from vmod_tools.savexml.entries import Headers, attributes, headers_of
from vmod_tools.savexml.lines import Lines
from vmod_tools.savexml.redaction import Secrets
from vmod_tools.zipformat import DEFLATED, END

DEEPEST = 4
"""A save in a module in an archive …; deeper ones stay bytes."""
_GAMES = (".vsav", ".vlog", ".sav", ".log")


@dataclass
class ArchiveWriter:
    """Writes archives; `steps` counts those of the games in the outermost one."""

    lines: Lines
    secrets: Secrets
    limits: Limits
    steps: int = field(default=0, init=False)

    def write(self, archive: Archive, level: int = 0) -> None:
        """The `<archive>` element; with redaction, without the bytes between the entries."""
        comment = plain_comment(archive)
        given = [] if not archive.shift else [("shift", str(archive.shift))]
        if comment:
            given.append(("comment", comment.decode("utf-8", "surrogateescape")))
        self.lines.open("archive", [] if self.secrets.redact else given)
        if archive.prefix and not self.secrets.redact:
            self.lines.data("prefix", archive.prefix)
        places = sorted(range(len(archive.entries)), key=lambda i: archive.entries[i].offset)
        in_order = places == list(range(len(places)))
        for number, entry in enumerate(archive.entries):
            more = [] if in_order else [("at", str(places.index(number) + 1))]
            self._write_entry(archive, entry, more, level)
        if comment is None and not self.secrets.redact:
            self.lines.data("tail", archive.tail)
        self.lines.close("archive")

    def _write_entry(
        self, archive: Archive, entry: Entry, more: list[tuple[str, str]], level: int
    ) -> None:
        try:
            content = archive.read(entry)
            found = headers_of(entry, content)
            note = "its headers do not agree with each other or with its content"
        except ArchiveError as error:
            content, found, note = b"", None, f"{error.message} [{error.stable_code}]"
        if found is None:
            self._write_raw(entry, [*more, ("note", note)])
        else:
            self._write_known(entry, content, found, more, level)

    def _write_raw(self, entry: Entry, more: list[tuple[str, str]]) -> None:
        if self.secrets.redact:
            if entry.name == SAVED_GAME or entry.name.lower().endswith(_GAMES):
                raise _not_redacted(entry.name)
            return
        name = entry.name_bytes.decode("utf-8", "surrogateescape")
        self.lines.open("raw-entry", [("name", name), *more])
        self.lines.data("record", entry.record)
        self.lines.data("chunk", entry.chunk)
        self.lines.close("raw-entry")

    def _write_known(
        self,
        entry: Entry,
        content: bytes,
        found: tuple[Headers, bytes],
        more: list[tuple[str, str]],
        level: int,
    ) -> None:
        headers, gap = found
        is_game = entry.name == SAVED_GAME
        inner = None if is_game or level >= DEEPEST else inner_archive(content, self.limits)
        if self.secrets.redact and not is_game and inner is None and _may_hold_game(content):
            raise _not_redacted(entry.name)
        changed = self.secrets.redact and (is_game or inner is not None)
        given = attributes(headers) + more
        setting = setting_of(entry.stream, content) if entry.method == DEFLATED else USUAL
        if entry.method == DEFLATED and (setting or changed):
            setting = setting or USUAL
            given.append(("level", str(setting.level)))
            if setting.memory != USUAL.memory:
                given.append(("memory", str(setting.memory)))
            if not changed:
                given.append(("packed", f"{zlib.crc32(entry.stream):08x}"))
        if not changed:
            given.append(("crc", f"{entry.crc:08x}"))
        self.lines.open("entry", given)
        self._write_content(entry.name, content, inner, level, streamed=setting is None)
        if setting is None:
            self.lines.data("stream", entry.stream)
        if gap and not self.secrets.redact:
            self.lines.data("gap", gap)
        self.lines.close("entry")

    def _write_content(
        self, name: str, content: bytes, inner: Archive | None, level: int, *, streamed: bool
    ) -> None:
        if inner is not None:
            steps = self.steps
            self.write(inner, level + 1)
            self.steps = steps
        elif name == SAVED_GAME:
            try:
                self.steps += write_game(self.lines, content, self.secrets, self.limits)
            except EnvelopeError as error:
                if self.secrets.redact:
                    raise _not_redacted(name) from error
                self.lines.data("bytes", content, game_problem(error))
        else:
            write_plain(self.lines, name, content, bytes_too=not streamed)


def plain_comment(archive: Archive) -> bytes | None:
    """The archive's comment, if nothing else is remarkable about what follows its directory."""
    if len(archive.tail) < END.size:
        return None
    comment = archive.tail[END.size :]
    count = len(archive.entries) & 0xFFFF
    size = sum(len(e.record) for e in archive.entries)
    offset = len(archive.prefix) + sum(len(e.chunk) for e in archive.entries) - archive.shift
    if max(size, offset) >= 0xFFFFFFFF:
        return None
    plain = END.pack(b"PK\x05\x06", 0, 0, count, count, size, offset, len(comment)) + comment
    return comment if plain == archive.tail else None


def _may_hold_game(content: bytes) -> bool:
    """Whether this is an archive with a game that was not taken apart: odd, or too deep in others."""
    return b"PK\x01\x02" in content and SAVED_GAME.encode() in content


def _not_redacted(name: str) -> SaveXmlError:
    return SaveXmlError("what cannot be read cannot be redacted", code="SAVEXML_REDACT", field=name)
