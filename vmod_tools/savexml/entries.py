"""The zip side of an entry as attributes: what its two headers say beyond its content.

`pack` builds both headers from the attributes alone.  Where that does not give the bytes that the file
holds (zip64, a header that disagrees with the directory, a wrong checksum), the entry is written raw.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from vmod_tools.archive import Entry
from vmod_tools.savexml.escaping import encoded
from vmod_tools.zipformat import CENTRAL, FULL32, LOCAL

_MADE, _NEEDED = 20, 20
_STREAMED = 0x8  # sizes and checksum follow the stream
_DESCRIPTOR = b"PK\x07\x08"
_METHODS = {"store": 0, "deflate": 8}
_LOCAL_PLAIN, _LOCAL_ZERO = "given", "zero"


@dataclass(frozen=True, slots=True)
class Headers:
    """What the headers say; `descriptor` is its signature behind the stream, or None without one."""

    name: bytes
    made: int
    needed: int
    flags: int
    method: int
    stamp: int
    internal: int
    external: int
    extra: bytes
    comment: bytes
    local_extra: bytes
    descriptor: bytes | None
    zeroed: bool
    """The local header leaves sizes and checksum to the descriptor."""

    def pack(self, content: bytes, stream: bytes, offset: int) -> tuple[bytes, bytes]:
        """Directory record and local header + stream + descriptor; raises struct.error when too large."""
        sums = (zlib.crc32(content), len(stream), len(content))
        time, date = self.stamp & 0xFFFF, self.stamp >> 16
        record = (
            CENTRAL.pack(
                b"PK\x01\x02",
                self.made,
                self.needed,
                self.flags,
                self.method,
                time,
                date,
                *sums,
                len(self.name),
                len(self.extra),
                len(self.comment),
                0,
                self.internal,
                self.external,
                offset,
            )
            + self.name
            + self.extra
            + self.comment
        )
        local = LOCAL.pack(
            b"PK\x03\x04",
            self.needed,
            self.flags,
            self.method,
            time,
            date,
            *((0, 0, 0) if self.zeroed else sums),
            len(self.name),
            len(self.local_extra),
        )
        after = b"" if self.descriptor is None else self.descriptor + struct.pack("<3I", *sums)
        return record, local + self.name + self.local_extra + stream + after


def headers_of(entry: Entry, content: bytes) -> tuple[Headers, bytes] | None:
    """The headers and the bytes between the entry and the next; None when `pack` would not give them."""
    fields = CENTRAL.unpack_from(entry.record)
    name_length, extra_length = fields[10], fields[11]
    at = CENTRAL.size + name_length
    local = LOCAL.unpack_from(entry.chunk)
    sums = struct.pack("<3I", entry.crc, entry.compressed_size & FULL32, entry.size & FULL32)
    behind = entry.chunk[entry.stream_at + entry.compressed_size :]
    descriptor = next((d for d in (_DESCRIPTOR, b"") if behind.startswith(d + sums)), None)
    headers = Headers(
        name=entry.name_bytes,
        made=fields[1],
        needed=fields[2],
        flags=fields[3],
        method=fields[4],
        stamp=fields[5] | fields[6] << 16,
        internal=fields[14],
        external=fields[15],
        extra=entry.record[at : at + extra_length],
        comment=entry.record[at + extra_length :],
        local_extra=entry.chunk[LOCAL.size + local[9] : entry.stream_at],
        descriptor=descriptor if fields[3] & _STREAMED else None,
        zeroed=local[6:9] == (0, 0, 0) and bool(fields[3] & _STREAMED),
    )
    if max(entry.offset, entry.size, entry.compressed_size) >= FULL32:
        return None
    record, chunk = headers.pack(content, entry.stream, entry.offset)
    if record != entry.record or not entry.chunk.startswith(chunk):
        return None
    return headers, entry.chunk[len(chunk) :]


def attributes(headers: Headers) -> list[tuple[str, str]]:
    """The attributes of an `<entry>`, without those that have their usual value."""
    streamed = bool(headers.flags & _STREAMED)
    usual = _DESCRIPTOR if streamed else None
    given: list[tuple[str, str | None]] = [
        ("name", headers.name.decode("utf-8", "surrogateescape")),
        ("method", next(n for n, number in _METHODS.items() if number == headers.method)),
        ("modified", _moment(headers.stamp)),
        ("made", str(headers.made) if headers.made != _MADE else None),
        ("needed", str(headers.needed) if headers.needed != _NEEDED else None),
        ("flags", str(headers.flags) if headers.flags else None),
        ("internal", str(headers.internal) if headers.internal else None),
        ("external", str(headers.external) if headers.external else None),
        ("extra", headers.extra.hex() or None),
        (
            "local-extra",
            headers.local_extra.hex() if headers.local_extra != headers.extra else None,
        ),
        ("comment", headers.comment.decode("utf-8", "surrogateescape") or None),
        (
            "descriptor",
            {None: "none", b"": "bare", _DESCRIPTOR: "signed"}[headers.descriptor]
            if headers.descriptor != usual
            else None,
        ),
        (
            "local-sums",
            (_LOCAL_ZERO if headers.zeroed else _LOCAL_PLAIN)
            if headers.zeroed != streamed
            else None,
        ),
    ]
    return [(name, value) for name, value in given if value is not None]


def read_attributes(given: Mapping[str, str]) -> Headers:
    """The headers that an `<entry>` states."""
    flags = int(given.get("flags", 0))
    streamed = bool(flags & _STREAMED)
    extra = bytes.fromhex(given.get("extra", ""))
    signs = {"none": None, "bare": b"", "signed": _DESCRIPTOR}
    zeroed = given.get("local-sums", _LOCAL_ZERO if streamed else _LOCAL_PLAIN) == _LOCAL_ZERO
    return Headers(
        name=encoded(given["name"]),
        made=int(given.get("made", _MADE)),
        needed=int(given.get("needed", _NEEDED)),
        flags=flags,
        method=_METHODS[given["method"]],
        stamp=_stamp(given["modified"]),
        internal=int(given.get("internal", 0)),
        external=int(given.get("external", 0)),
        extra=extra,
        comment=encoded(given.get("comment", "")),
        local_extra=bytes.fromhex(given["local-extra"]) if "local-extra" in given else extra,
        descriptor=signs[given.get("descriptor", "signed" if streamed else "none")],
        zeroed=zeroed,
    )


def _moment(stamp: int) -> str:
    """A DOS date and time, in ISO's form; each part as it is stored, even a 31st of February."""
    date, time = stamp >> 16, stamp & 0xFFFF
    year, month, day = 1980 + (date >> 9), date >> 5 & 15, date & 31
    hour, minute, second = time >> 11, time >> 5 & 63, (time & 31) * 2
    return f"{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"


def _stamp(moment: str) -> int:
    date, _, time = moment.partition("T")
    year, month, day = map(int, date.split("-"))
    hour, minute, second = map(int, time.split(":"))
    return ((year - 1980) << 9 | month << 5 | day) << 16 | hour << 11 | minute << 5 | second // 2
