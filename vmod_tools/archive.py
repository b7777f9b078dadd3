"""Zip archives, lossless: every entry keeps its name bytes, order, metadata and deflate stream.

VASSAL's four file kinds are ordinary zips.  The standard library can read them but not write an
untouched entry back as it was (it deflates anew and rebuilds the headers), so this module keeps the
archive as a row of *chunks*: the bytes from one local header to the next, opaque, beside the central
directory records that describe them.  Writing joins the chunks again; an unedited archive comes out
byte for byte, and an edit rebuilds the chunk and the record of the edited entry alone (and the
offsets of what follows it).

Zip64 sizes are read; encrypted entries and multi-disk archives are refused.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

from vmod_tools.errors import ArchiveError, LimitError
from vmod_tools.limits import COMMAND_LINE, Limits
from vmod_tools.zipformat import (
    CENTRAL,
    DEFLATED,
    END,
    END64,
    FLAG_ENCRYPTED,
    FLAG_UTF8,
    FULL32,
    LOCAL,
    STORED,
    Record,
    find_end,
    read_directory,
)

_READ_AT_ONCE, _SLICE = 1 << 20, 1 << 16


@dataclass(frozen=True, slots=True)
class Entry:
    """One member.  `record` is its raw central directory record, `chunk` all its bytes in the archive
    (local header, stream, data descriptor and whatever stood before the next header)."""

    name_bytes: bytes
    flags: int
    method: int
    crc: int
    compressed_size: int
    size: int
    offset: int
    record: bytes
    chunk: bytes
    stream_at: int
    fresh: bool = False
    """Made by an edit: `offset` then only gives its place in the order, and its record has none yet."""

    @property
    def name(self) -> str:
        """The name as text: UTF-8 when flagged or valid, else CP437 as the zip format says."""
        if self.flags & FLAG_UTF8:
            return self.name_bytes.decode("utf-8", "replace")
        try:
            # VASSAL writes UTF-8 names without always setting the flag.
            return self.name_bytes.decode("utf-8")
        except UnicodeDecodeError:
            return self.name_bytes.decode("cp437")

    @property
    def stream(self) -> bytes:
        """The stored bytes, still deflated if the method says so."""
        return self.chunk[self.stream_at : self.stream_at + self.compressed_size]


@dataclass(frozen=True, slots=True)
class Archive:
    """Entries in central directory order, and the bytes around them."""

    prefix: bytes
    entries: tuple[Entry, ...]
    tail: bytes
    """What follows the central directory: zip64 records, end record, comment."""
    shift: int = 0
    """What all offsets lack: the length of a prefix that they do not count."""
    limits: Limits = COMMAND_LINE

    @classmethod
    def parse(cls, data: bytes, limits: Limits = COMMAND_LINE) -> Self:
        """The archive in `data`; raises ArchiveError (codes ARCHIVE_*) or LimitError."""
        if len(data) > limits.archive_bytes:
            raise LimitError(
                f"the archive has {len(data)} bytes, more than {limits.archive_bytes}",
                code="LIMIT_ARCHIVE_BYTES",
            )
        end_at, count, directory_at, directory_size = find_end(data)
        if count > limits.entries:
            raise LimitError(f"{count} entries, more than {limits.entries}", code="LIMIT_ENTRIES")
        # Bytes put in front of a zip (a self-extractor stub) shift every offset by the same amount.
        shift = end_at - directory_size - directory_at
        if shift < 0:
            raise ArchiveError("the central directory does not fit", code="ARCHIVE_DAMAGED")
        start = directory_at + shift
        records = read_directory(data, start, start + directory_size, count)
        if len(records) > limits.entries:
            # The announced number is only 16 bits wide.
            raise LimitError(
                f"{len(records)} entries, more than {limits.entries}", code="LIMIT_ENTRIES"
            )
        offsets = sorted({r.offset + shift for r in records})
        if len(offsets) != len(records):
            raise ArchiveError("two entries share their bytes", code="ARCHIVE_OVERLAP")
        ends = dict(zip(offsets, [*offsets[1:], start], strict=False))
        entries = tuple(
            _with_chunk(data, r, r.offset + shift, ends[r.offset + shift]) for r in records
        )
        return cls(
            data[: offsets[0] if offsets else start],
            entries,
            data[start + directory_size :],
            shift,
            limits,
        )

    def names(self) -> list[str]:
        """Entry names as text, in directory order."""
        return [entry.name for entry in self.entries]

    def find(self, name: str) -> Entry | None:
        """The entry of that name; of duplicates the last, as zip readers do."""
        return next((e for e in reversed(self.entries) if e.name == name), None)

    def read(self, entry: Entry) -> bytes:
        """The entry's content, inflated and checked against its CRC; raises ArchiveError, LimitError."""
        return b"".join(self.chunks(entry))

    def chunks(self, entry: Entry) -> Iterator[bytes]:
        """The same piece by piece; whoever stops half way has seen bytes that were not checked."""
        if entry.flags & FLAG_ENCRYPTED:
            raise ArchiveError("the entry is encrypted", code="ARCHIVE_ENCRYPTED", place=entry.name)
        if entry.method not in (STORED, DEFLATED):
            raise ArchiveError(
                f"compression method {entry.method} is not known",
                code="ARCHIVE_METHOD",
                place=entry.name,
            )
        total, crc = 0, 0
        for part in _inflate(entry) if entry.method == DEFLATED else (entry.stream,):
            total += len(part)
            if total > self.limits.entry_bytes:
                raise _too_large(entry, self.limits.entry_bytes)
            crc = zlib.crc32(part, crc)
            yield part
        if crc != entry.crc:
            raise ArchiveError(
                "the checksum does not fit the content", code="ARCHIVE_CRC", place=entry.name
            )

    def to_bytes(self) -> bytes:
        """The archive as a file.  Entries that were not replaced keep every byte but their offset."""
        by_place = sorted(self.entries, key=lambda e: e.offset)
        at: dict[int, int] = {}
        position = len(self.prefix)
        for entry in by_place:
            at[id(entry)] = position
            position += len(entry.chunk)
        directory = b"".join(_record_at(e, at[id(e)] - self.shift) for e in self.entries)
        return b"".join(
            [
                self.prefix,
                *(e.chunk for e in by_place),
                directory,
                _tail_at(self.tail, len(self.entries), len(directory), position - self.shift),
            ]
        )

    def with_entry(self, name: str, data: bytes) -> Archive:
        """A copy in which the entry `name` holds `data`; a new entry goes to the end."""
        old = self.find(name)
        fresh = _new_entry(name, data, old, self.entries[-1] if self.entries else None)
        if old is not None:
            kept = tuple(replace(fresh, offset=old.offset) if e is old else e for e in self.entries)
        else:
            last = max((e.offset for e in self.entries), default=-1)
            kept = (*self.entries, replace(fresh, offset=last + 1))
        return replace(self, entries=kept)

    def without_entry(self, name: str) -> Archive:
        """A copy without the entry `name` (no change when there is none)."""
        return replace(self, entries=tuple(e for e in self.entries if e.name != name))


def new_archive(members: Mapping[str, bytes]) -> Archive:
    """An archive of `members` in their order, dated 1980-01-01 so that equal content gives equal bytes."""
    archive = Archive(b"", (), END.pack(b"PK\x05\x06", 0, 0, 0, 0, 0, 0, 0))
    for name, data in members.items():
        archive = archive.with_entry(name, data)
    return archive


def _with_chunk(data: bytes, record: Record, at: int, end: int) -> Entry:
    name = record.name.decode("utf-8", "replace")
    if data[at : at + 4] != b"PK\x03\x04" or at + LOCAL.size > end:
        raise ArchiveError(f"no local header at byte {at}", code="ARCHIVE_DAMAGED", place=name)
    name_length, extra_length = LOCAL.unpack_from(data, at)[9:11]
    stream_at = LOCAL.size + name_length + extra_length
    if at + stream_at + record.compressed_size > end:
        raise ArchiveError("the entry runs into the next one", code="ARCHIVE_OVERLAP", place=name)
    return Entry(
        name_bytes=record.name,
        flags=record.flags,
        method=record.method,
        crc=record.crc,
        compressed_size=record.compressed_size,
        size=record.size,
        offset=record.offset,
        record=record.raw,
        chunk=data[at:end],
        stream_at=stream_at,
    )


def _inflate(entry: Entry) -> Iterator[bytes]:
    """The inflated parts, at most a MiB each: zlib hands back what it has not used, so the input goes in
    by small slices, else the rest of the stream would be copied for every part."""
    engine = zlib.decompressobj(-zlib.MAX_WBITS)
    stream = memoryview(entry.stream)
    try:
        for at in range(0, len(stream), _SLICE):
            pending: bytes | memoryview = stream[at : at + _SLICE]
            while pending and not engine.eof:
                yield engine.decompress(pending, _READ_AT_ONCE)
                pending = engine.unconsumed_tail
        if not engine.eof:
            yield engine.flush()
    except zlib.error as error:
        raise ArchiveError(
            f"the entry cannot be inflated: {error}", code="ARCHIVE_DAMAGED", place=entry.name
        ) from error
    if not engine.eof:
        raise ArchiveError("the entry is cut short", code="ARCHIVE_DAMAGED", place=entry.name)


def _too_large(entry: Entry, limit: int) -> LimitError:
    return LimitError(
        f"the entry holds more than {limit} bytes", code="LIMIT_ENTRY_BYTES", place=entry.name
    )


def _record_at(entry: Entry, offset: int) -> bytes:
    if offset == entry.offset and not entry.fresh:
        return entry.record
    if offset >= FULL32:
        raise ArchiveError(
            "the archive would pass 4 GiB", code="ARCHIVE_TOO_LARGE", place=entry.name
        )
    return entry.record[:42] + struct.pack("<I", offset) + entry.record[46:]


def _tail_at(tail: bytes, count: int, size: int, offset: int) -> bytes:
    at = tail.find(b"PK\x05\x06")
    _, disk, first, here, old_count, _, _, comment = END.unpack_from(tail, at)
    if tail.startswith(b"PK\x06\x06"):
        # A zip64 tail states nothing that an unedited archive would change; edited ones are refused.
        if END64.unpack_from(tail)[7:] == (count, size, offset):
            return tail
        raise ArchiveError("a zip64 archive cannot be edited", code="ARCHIVE_TOO_LARGE")
    # Writers without zip64 let the number of entries wrap round; readers count for themselves.
    counts = ((here - old_count + count) & 0xFFFF, count & 0xFFFF)
    end = END.pack(b"PK\x05\x06", disk, first, *counts, size, offset, comment)
    return tail[:at] + end + tail[at + END.size :]


def _new_entry(name: str, data: bytes, old: Entry | None, model: Entry | None) -> Entry:
    """An entry for `data`: date, attributes and comment of `old`, else the date of `model`."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(data) + packer.flush()
    method = DEFLATED
    if len(packed) >= len(data):
        packed, method = data, STORED
    crc = zlib.crc32(data)
    if old is not None:
        fields = list(CENTRAL.unpack_from(old.record))
        rest = old.record[CENTRAL.size + fields[10] :]
        raw_name, flags = old.name_bytes, old.flags & FLAG_UTF8
    else:
        raw_name = name.encode("utf-8")
        flags = 0 if raw_name.isascii() else FLAG_UTF8
        time, day = (0, 0x21) if model is None else CENTRAL.unpack_from(model.record)[5:7]
        fields = [b"PK\x01\x02", 20, 20, 0, 0, time, day, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        rest = b""
    fields[3], fields[4], fields[7], fields[8], fields[9] = (
        flags,
        method,
        crc,
        len(packed),
        len(data),
    )
    fields[10], fields[16] = len(raw_name), FULL32
    record = CENTRAL.pack(*fields) + raw_name + rest
    local = LOCAL.pack(
        b"PK\x03\x04",
        fields[2],
        flags,
        method,
        fields[5],
        fields[6],
        crc,
        len(packed),
        len(data),
        len(raw_name),
        0,
    )
    return Entry(
        name_bytes=raw_name,
        flags=flags,
        method=method,
        crc=crc,
        compressed_size=len(packed),
        size=len(data),
        offset=0,
        record=record,
        chunk=local + raw_name + packed,
        stream_at=len(local) + len(raw_name),
        fresh=True,
    )
