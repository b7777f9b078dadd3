"""From the bytes of a file to the files of its folder, by path; nothing is written here."""

from __future__ import annotations

import struct
import zlib

from vmod_tools.archive import Archive, Entry
from vmod_tools.buildfile import BUILD_FILES
from vmod_tools.envelope import Envelope, encode
from vmod_tools.errors import LimitError, VmodError
from vmod_tools.explode import parts, texts
from vmod_tools.explode.index import INDEX, Index, IndexedEntry, Kind
from vmod_tools.explode.names import SafeNames
from vmod_tools.explode.streams import find_settings
from vmod_tools.limits import COMMAND_LINE, Limits
from vmod_tools.saves import SAVED_GAME, read_text
from vmod_tools.zipformat import DEFLATED, FULL32, STORED

MEMBERS = "members/"
_STREAMS = "streams/"
_GAME_SUFFIXES = (".vsav", ".vlog", ".sav", ".log")
_OFFSET = slice(42, 46)
_NO_OFFSET = b"\0\0\0\0"


def take_apart(data: bytes, limits: Limits = COMMAND_LINE) -> dict[str, bytes]:
    """The files that stand for the file `data`; `put_together` makes the same bytes of them.

    What cannot be read (encrypted, damaged) is kept as it is.  Raises ArchiveError when `data` is no
    zip, and LimitError.
    """
    files: dict[str, bytes] = {}
    _Folder(files, "", limits).fill(Archive.parse(data, limits), inner=True)
    return files


class _Folder:
    """One archive's folder; archives inside it get folders of their own, which hold none."""

    def __init__(self, files: dict[str, bytes], base: str, limits: Limits) -> None:
        self._files, self._base, self._limits = files, base, limits
        self._names = SafeNames()
        self._names.file("", INDEX)

    def fill(self, archive: Archive, *, inner: bool) -> None:
        before = set(self._files)
        wide = any(e.record[_OFFSET] == struct.pack("<I", FULL32) for e in archive.entries)
        order = sorted(archive.entries, key=lambda e: e.offset)
        places = {id(e): place for place, e in enumerate(order)}
        folders = [self._names.folder_of(MEMBERS, e.name) for e in archive.entries]
        entries = []
        for entry, (folder, wanted) in zip(archive.entries, folders, strict=True):
            kind, path, content, envelope = self._keep(archive, entry, folder, wanted, inner=inner)
            settings = (
                find_settings(content, entry.stream)
                if content is not None and entry.method == DEFLATED
                else None
            )
            stream = ""
            if content is None or (settings is None and entry.method != STORED):
                stream = self._names.file(_STREAMS, f"{wanted}.bin")
                self._write(stream, entry.stream)
            stream_end = entry.stream_at + entry.compressed_size
            record = entry.record
            entries.append(
                IndexedEntry(
                    name=entry.name,
                    kind=kind,
                    path=path,
                    crc=entry.crc,
                    size=entry.size,
                    local=entry.chunk[: entry.stream_at],
                    central=record if wide else record[:42] + _NO_OFFSET + record[46:],
                    behind=entry.chunk[stream_end:],
                    deflate=settings,
                    stream=stream,
                    stream_crc=zlib.crc32(entry.stream),
                    place=places[id(entry)],
                    offset=entry.offset if wide else None,
                    envelope=envelope,
                )
            )
        written = sorted(p.removeprefix(self._base) for p in self._files.keys() - before)
        index = Index(tuple(entries), archive.prefix, archive.tail, archive.shift, tuple(written))
        self._write(INDEX, index.to_bytes())

    def _keep(
        self, archive: Archive, entry: Entry, folder: str, wanted: str, *, inner: bool
    ) -> tuple[Kind, str, bytes | None, Envelope | None]:
        """Writes the content and says how: its kind, its path, the content, its envelope."""
        try:
            content = archive.read(entry)
        except LimitError:
            raise
        except VmodError:
            return "stream", "", None, None
        if not content:
            return "empty", "", content, None
        if entry.name == SAVED_GAME:
            game = self._lines(content)
            if game is not None:
                path = self._names.file("", f"{SAVED_GAME}.txt")
                self._write(path, game[1])
                return "game", path, content, game[0]
        elif entry.name in BUILD_FILES:
            split = parts.split(content)
            if split is not None and parts.join(split.__getitem__) == content:
                path = self._names.file("", "buildFile") + "/"
                for name, part in split.items():
                    self._write(f"{path}{name}.xml", part)
                return "build", path, content, None
        elif inner and entry.name.lower().endswith(_GAME_SUFFIXES):
            nested = self._archive_in(content)
            if nested is not None:
                path = self._names.file(folder, wanted) + "/"
                _Folder(self._files, self._base + path, self._limits).fill(nested, inner=False)
                return "archive", path, content, None
        path = self._names.file(folder, wanted)
        self._write(path, content)
        return "file", path, content, None

    def _lines(self, content: bytes) -> tuple[Envelope, bytes] | None:
        """Envelope and lines of a game; None when they would not give it again."""
        try:
            envelope, text, _ = read_text(content)
            lines = texts.to_lines(text, self._limits.depth)
            again = texts.from_lines(lines, self._limits.depth)
        except VmodError:
            return None
        plain = again.encode("utf-8", "surrogateescape")
        return (envelope, lines) if encode(envelope, plain) == content else None

    def _archive_in(self, content: bytes) -> Archive | None:
        try:
            nested = Archive.parse(content, self._limits)
        except VmodError:
            return None
        return nested if nested.find(SAVED_GAME) is not None else None

    def _write(self, path: str, content: bytes) -> None:
        self._files[self._base + path] = content
