"""From the files of a folder back to the bytes of the file, with what was edited in between."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from vmod_tools.archive import Archive, Entry
from vmod_tools.envelope import Envelope, encode
from vmod_tools.errors import ArchiveError, VmodError
from vmod_tools.explode import parts, texts
from vmod_tools.explode.apart import MEMBERS
from vmod_tools.explode.index import INDEX, Index, IndexedEntry
from vmod_tools.explode.streams import deflate
from vmod_tools.limits import COMMAND_LINE, Limits
from vmod_tools.zipformat import CENTRAL, END, LOCAL

_EMPTY_TAIL = END.pack(b"PK\x05\x06", 0, 0, 0, 0, 0, 0, 0)


class Files(Protocol):
    """Where the files are: on disk, or in memory."""

    def read(self, path: str) -> bytes:
        """A file's content; raises InputFileError when it is missing."""

    def below(self, folder: str) -> Iterable[str]:
        """The paths of all files in a folder ("" or ending in a slash), sorted."""


@dataclass(frozen=True, slots=True)
class Change:
    """One entry that is not what was exploded.

    `deflated` means equal content in another stream: the zlib of this machine is not the one that
    found the settings.
    """

    entry: str
    what: Literal["changed", "added", "deflated"]


def put_together(
    files: Files, base: str = "", limits: Limits = COMMAND_LINE
) -> tuple[bytes, tuple[Change, ...]]:
    """The file that the folder stands for, and which entries differ from what was exploded.

    Unchanged entries keep every byte; files below `members/` that the index does not list become new
    entries at the end.  Raises InputFileError for a missing file, ArchiveError for what cannot be read.
    """
    index = Index.parse(files.read(base + INDEX))
    changes: list[Change] = []
    entries = []
    for entry in index.entries:
        try:
            built, what = _entry(files, base, entry, limits)
        except VmodError as error:
            raise error.located(place=entry.name) from None
        entries.append(built)
        if what is not None:
            changes.append(Change(entry.name, what))
    archive = Archive(index.prefix, tuple(entries), index.tail, index.shift, limits)
    listed = {base + path for path in index.files}
    inner = tuple(base + e.path for e in index.entries if e.kind == "archive")
    for path in files.below(base + MEMBERS):
        if path not in listed and not path.startswith(inner):
            name = path.removeprefix(base + MEMBERS)
            archive = archive.with_entry(name, files.read(path))
            changes.append(Change(name, "added"))
    return archive.to_bytes(), tuple(changes)


def _entry(
    files: Files, base: str, entry: IndexedEntry, limits: Limits
) -> tuple[Entry, Literal["changed", "deflated"] | None]:
    content = _content(files, base, entry, limits)
    stream = files.read(base + entry.stream) if entry.stream else None
    if content is None:
        return _as_it_was(entry, stream or b""), None
    if len(content) == entry.size and zlib.crc32(content) == entry.crc:
        if stream is None:
            stream = content if entry.deflate is None else deflate(content, entry.deflate)
        if zlib.crc32(stream) == entry.stream_crc:
            return _as_it_was(entry, stream), None
        return _anew(entry, content), "deflated"
    return _anew(entry, content), "changed"


def _content(files: Files, base: str, entry: IndexedEntry, limits: Limits) -> bytes | None:
    """The entry's content as the files have it now; None when only its stream is there."""
    path = base + entry.path
    match entry.kind:
        case "stream":
            return None
        case "empty":
            return b""
        case "file":
            return files.read(path)
        case "game":
            text = texts.from_lines(files.read(path), limits.depth)
            envelope = entry.envelope or Envelope("plain")
            return encode(envelope, text.encode("utf-8", "surrogateescape"))
        case "build":
            return parts.join(lambda name: files.read(f"{path}{name}.xml"))
    # What is left is an archive inside.
    if base:
        raise ArchiveError("an archive in an archive in an archive", code="EXPLODE_INDEX")
    return put_together(files, path, limits)[0]


def _as_it_was(entry: IndexedEntry, stream: bytes) -> Entry:
    if len(entry.central) < CENTRAL.size or len(entry.local) < LOCAL.size:
        raise ArchiveError("the records in the index are cut short", code="EXPLODE_INDEX")
    fields = CENTRAL.unpack_from(entry.central)
    return Entry(
        name_bytes=entry.central[CENTRAL.size : CENTRAL.size + fields[10]],
        flags=fields[3],
        method=fields[4],
        crc=entry.crc,
        compressed_size=len(stream),
        size=entry.size,
        # Without a stated offset it only says which entry of the file this is.
        offset=entry.place if entry.offset is None else entry.offset,
        record=entry.central,
        chunk=entry.local + stream + entry.behind,
        stream_at=len(entry.local),
        fresh=entry.offset is None,
    )


def _anew(entry: IndexedEntry, content: bytes) -> Entry:
    """The entry with other content, deflated anew; its name, date and attributes stay."""
    old = _as_it_was(entry, b"")
    return Archive(b"", (old,), _EMPTY_TAIL).with_entry(old.name, content).entries[0]
