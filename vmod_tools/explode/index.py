"""The index of an exploded file, `vassal.json`: what git need not compare but the exact bytes need.

One line an entry, in the order of the zip's directory, so that merges meet only where both sides
changed the same entry.  Everything that follows from the entries (offsets, sizes of the directory) is
worked out again when the folder is imploded.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass, field
from typing import Any, Literal

from vmod_tools.envelope import Envelope
from vmod_tools.errors import ArchiveError
from vmod_tools.explode.names import is_safe_path
from vmod_tools.explode.streams import Settings

INDEX = "vassal.json"
FORMAT, VERSION = "vmod-explode", 1

Kind = Literal["file", "game", "build", "archive", "empty", "stream"]
KINDS: tuple[Kind, ...] = ("file", "game", "build", "archive", "empty", "stream")
"""How an entry's content is kept: a file; a game as lines; a build file in parts; a folder like this one;
not at all; or only as the stream that could not be read."""


@dataclass(frozen=True, slots=True)
class IndexedEntry:
    """What the index says of one entry."""

    name: str
    kind: Kind
    path: str
    """The file or folder, without the `.xml` of a build file's root; "" for an empty entry."""
    crc: int
    size: int
    local: bytes = field(repr=False)
    """Its local header."""
    central: bytes = field(repr=False)
    """Its directory record, with the offset left out."""
    behind: bytes = field(repr=False, default=b"")
    """What stands between its stream and the next header."""
    deflate: Settings | None = None
    stream: str = ""
    """The file of the stream itself, where no settings of zlib give it again."""
    stream_crc: int = 0
    place: int = 0
    """Which entry of the file it is; the directory may have another order."""
    offset: int | None = None
    """The stated offset, where the record does not hold it (zip64)."""
    envelope: Envelope | None = None


@dataclass(frozen=True, slots=True)
class Index:
    """The whole index; `files` are all files that were written, relative to it."""

    entries: tuple[IndexedEntry, ...]
    prefix: bytes = b""
    tail: bytes = b""
    shift: int = 0
    files: tuple[str, ...] = ()

    def to_bytes(self) -> bytes:
        """The index as a file."""
        entries = ",\n  ".join(json.dumps(_entry_data(e), ensure_ascii=True) for e in self.entries)
        files = ",\n  ".join(json.dumps(path) for path in self.files)
        head = json.dumps(
            {
                "format": FORMAT,
                "version": VERSION,
                "prefix": _packed(self.prefix),
                "tail": _packed(self.tail),
                "shift": self.shift,
            }
        )
        return f'{head[:-1]},\n "entries": [\n  {entries}\n ],\n "files": [\n  {files}\n ]}}\n'.encode()

    @classmethod
    def parse(cls, data: bytes) -> Index:
        """The index in a file; raises ArchiveError when it is none, or names a file outside the folder."""
        try:
            raw = json.loads(data)
            if raw["format"] != FORMAT or raw["version"] != VERSION:
                raise _bad(f"this is not version {VERSION} of an index by vmod explode")
            index = cls(
                tuple(_entry(e) for e in raw["entries"]),
                _unpacked(raw["prefix"]),
                _unpacked(raw["tail"]),
                int(raw["shift"]),
                tuple(str(path) for path in raw["files"]),
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise _bad("the index cannot be read") from error
        named = [p for e in index.entries for p in (e.path.rstrip("/"), e.stream) if p]
        for path in (*named, *index.files):
            if not is_safe_path(path):
                raise _bad(f"the index names {path[:60]!r}, which is no file of this folder")
        return index


def _entry_data(entry: IndexedEntry) -> dict[str, Any]:
    data: dict[str, Any] = {
        "entry": entry.name,
        "kind": entry.kind,
        "path": entry.path,
        "crc": entry.crc,
        "size": entry.size,
        "local": _packed(entry.local),
        "central": _packed(entry.central),
        "behind": _packed(entry.behind),
        "deflate": entry.deflate,
        "stream": entry.stream,
        "stream_crc": entry.stream_crc,
        "place": entry.place,
        "offset": entry.offset,
    }
    if entry.envelope is not None:
        case = entry.envelope.case
        data["envelope"] = {
            "kind": entry.envelope.kind,
            "key": entry.envelope.key,
            "case": case if isinstance(case, str) else {"mask": _packed(case)},
        }
    return {k: v for k, v in data.items() if v not in ("", None)}


def _entry(raw: dict[str, Any]) -> IndexedEntry:
    if raw["kind"] not in KINDS:
        raise ValueError(raw["kind"])
    level, memory = raw.get("deflate") or (0, 0)
    if level and not (1 <= level <= 9 and 1 <= memory <= 9):
        raise ValueError(level)
    offset, envelope = raw.get("offset"), raw.get("envelope")
    return IndexedEntry(
        name=str(raw.get("entry", "")),
        kind=raw["kind"],
        path=str(raw.get("path", "")),
        crc=int(raw["crc"]),
        size=int(raw["size"]),
        local=_unpacked(raw["local"]),
        central=_unpacked(raw["central"]),
        behind=_unpacked(raw.get("behind", "")),
        deflate=(level, memory) if level else None,
        stream=str(raw.get("stream", "")),
        stream_crc=int(raw.get("stream_crc", 0)),
        place=int(raw["place"]),
        offset=None if offset is None else int(offset),
        envelope=None if envelope is None else _envelope(envelope),
    )


def _envelope(raw: dict[str, Any]) -> Envelope:
    kind, key, case = raw["kind"], int(raw["key"]), raw["case"]
    if kind not in ("VCSK", "VOBS", "plain") or not 0 <= key <= 255:
        raise ValueError(kind)
    if isinstance(case, dict):
        return Envelope(kind, key, _unpacked(case["mask"]))
    if case not in ("lower", "upper", ""):
        raise ValueError(case)
    return Envelope(kind, key, case)


def _packed(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _unpacked(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("base64") from error


def _bad(message: str) -> ArchiveError:
    return ArchiveError(message, code="EXPLODE_INDEX", place=INDEX)
