"""The zip format's records: end of directory, central directory, zip64 sizes.

Source: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from vmod_tools.errors import ArchiveError

LOCAL = struct.Struct("<4s5H3I2H")
CENTRAL = struct.Struct("<4s6H3I5H2I")
END = struct.Struct("<4s4H2IH")
END64 = struct.Struct("<4sQ2H2I4Q")
_LOCATOR64 = struct.Struct("<4sIQI")

STORED, DEFLATED = 0, 8
FLAG_ENCRYPTED, FLAG_UTF8 = 0x1, 0x800
FULL32 = 0xFFFFFFFF


def find_end(data: bytes) -> tuple[int, int, int, int]:
    """Where the directory ends, the entry count, the directory's stated offset and its size."""
    at = _end_record(data)
    _, disk, first_disk, _, count, size, offset, _ = END.unpack_from(data, at)
    if FULL32 in (size, offset) or count == 0xFFFF:
        located = _find_end64(data, at)
        if located is not None:
            return located
    if disk or first_disk:
        raise ArchiveError("the archive is split over several disks", code="ARCHIVE_SPLIT")
    if offset + size > at:
        raise ArchiveError("the archive is cut short", code="ARCHIVE_DAMAGED")
    return at, count, offset, size


def _end_record(data: bytes) -> int:
    """The last end record whose comment ends with the file; else the last one, with junk behind it."""
    # The comment after the end record is at most 64 KiB long.
    first = max(0, len(data) - END.size - 0xFFFF)
    last = at = data.rfind(b"PK\x05\x06", first, max(first, len(data) - END.size + 4))
    while at >= 0:
        if at + END.size + END.unpack_from(data, at)[7] == len(data):
            return at
        at = data.rfind(b"PK\x05\x06", first, at)
    if last < 0:
        raise ArchiveError("not a zip archive", code="ARCHIVE_NOT_ZIP")
    return last


def _find_end64(data: bytes, end_at: int) -> tuple[int, int, int, int] | None:
    locator_at = end_at - _LOCATOR64.size
    if locator_at < 0 or data[locator_at : locator_at + 4] != b"PK\x06\x07":
        return None
    at = _LOCATOR64.unpack_from(data, locator_at)[2]
    if data[at : at + 4] != b"PK\x06\x06" or at + END64.size > len(data):
        raise ArchiveError("the zip64 end record is missing", code="ARCHIVE_DAMAGED")
    *_, count, size, offset = END64.unpack_from(data, at)
    return at, count, offset, size


@dataclass(frozen=True, slots=True)
class Record:
    name: bytes
    flags: int
    method: int
    crc: int
    compressed_size: int
    size: int
    offset: int
    raw: bytes


def read_directory(data: bytes, at: int, end: int, count: int) -> list[Record]:
    records = []
    while at < end:
        if data[at : at + 4] != b"PK\x01\x02" or at + CENTRAL.size > end:
            raise ArchiveError(
                f"the central directory is damaged at byte {at}", code="ARCHIVE_DAMAGED"
            )
        fields = CENTRAL.unpack_from(data, at)
        flags, method, crc, packed, size = fields[3], fields[4], fields[7], fields[8], fields[9]
        name_length, extra_length, comment_length, offset = (
            fields[10],
            fields[11],
            fields[12],
            fields[16],
        )
        name_at = at + CENTRAL.size
        extra_at = name_at + name_length
        stop = extra_at + extra_length + comment_length
        if stop > end:
            raise ArchiveError("the central directory is cut short", code="ARCHIVE_DAMAGED")
        size, packed, offset = _zip64_sizes(
            data[extra_at : extra_at + extra_length], size, packed, offset
        )
        records.append(
            Record(data[name_at:extra_at], flags, method, crc, packed, size, offset, data[at:stop])
        )
        at = stop
    if len(records) != count & 0xFFFFFFFF and len(records) & 0xFFFF != count:
        raise ArchiveError(
            f"{count} entries are announced, {len(records)} are there", code="ARCHIVE_DAMAGED"
        )
    return records


def _zip64_sizes(extra: bytes, size: int, packed: int, offset: int) -> tuple[int, int, int]:
    """Sizes with the zip64 extra field (id 1) applied, which lists only the fields that are full."""
    if FULL32 not in (size, packed, offset):
        return size, packed, offset
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        body = extra[at + 4 : at + 4 + length]
        if kind == 1:
            wide = iter(struct.unpack(f"<{len(body) // 8}Q", body[: len(body) // 8 * 8]))
            values = [next(wide, v) if v == FULL32 else v for v in (size, packed, offset)]
            return values[0], values[1], values[2]
        at += 4 + length
    return size, packed, offset
