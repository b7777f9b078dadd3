"""From the elements of an archive back to its bytes."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field

from lxml import etree

from vmod_tools.archive import Archive, Entry
from vmod_tools.errors import ArchiveError, LimitError, SaveXmlError
from vmod_tools.limits import Limits
from vmod_tools.savexml.archives import DEEPEST
from vmod_tools.savexml.content import read_data, read_game, read_plain_text
from vmod_tools.savexml.deflate import USUAL, Setting
from vmod_tools.savexml.entries import read_attributes
from vmod_tools.savexml.escaping import encoded
from vmod_tools.savexml.nodes import attributes_of, elements, located, tag_of
from vmod_tools.zipformat import CENTRAL, DEFLATED, END, FULL32, read_directory


@dataclass
class ArchiveReader:
    """Builds archives from their elements; `warnings` tells what came out otherwise than it was."""

    limits: Limits
    warnings: list[str] = field(default_factory=list)

    def read(self, element: etree._Element, level: int = 0) -> bytes:
        """The file; raises SaveXmlError with the line."""
        if level > DEEPEST:
            raise LimitError("archives are nested too deeply", code="LIMIT_DEPTH")
        try:
            return self._read_archive(element, level).to_bytes()
        except (struct.error, ArchiveError) as error:
            raise SaveXmlError(
                f"this makes no zip archive: {error}", code="SAVEXML_ARCHIVE"
            ) from None

    def _read_archive(self, element: etree._Element, level: int) -> Archive:
        given = attributes_of(element)
        prefix = b"".join(map(read_data, elements(element, "prefix")))
        shift = int(given.get("shift", 0))
        entries = list(elements(element, "entry", "raw-entry"))
        places = [int(e.get("at", number)) for number, e in enumerate(entries, 1)]
        if sorted(places) != list(range(1, len(places) + 1)):
            raise SaveXmlError("these are not the places of all entries", code="SAVEXML_ORDER")
        made: dict[int, Entry] = {}
        position = len(prefix)
        for index in sorted(range(len(entries)), key=places.__getitem__):
            with located(entries[index]):
                made[index] = self._read_entry(entries[index], position - shift, level)
            position += len(made[index].chunk)
        tail = b"".join(map(read_data, elements(element, "tail")))
        if not tail:
            comment = encoded(given.get("comment", ""))
            tail = END.pack(b"PK\x05\x06", 0, 0, *(len(made) & 0xFFFF,) * 2, 0, 0, len(comment))
            tail += comment
        return Archive(prefix, tuple(made[i] for i in range(len(entries))), tail, shift)

    def _read_entry(self, element: etree._Element, offset: int, level: int) -> Entry:
        if tag_of(element) == "raw-entry":
            record, chunk = (read_data(child) for child in element)
            return _entry(_record_at(record, offset), chunk, offset)
        given = attributes_of(element)
        headers = read_attributes(given)
        stream = next((read_data(e) for e in elements(element, "stream")), None)
        content = self._read_content(element, stream, level)
        if headers.method != DEFLATED:
            stream = content
        elif stream is None or _inflated(stream, self.limits.entry_bytes) != content:
            level, memory = int(given.get("level", 6)), int(given.get("memory", USUAL.memory))
            stream = Setting(level, memory).deflate(content)
            self._compare(given, content, stream)
        try:
            record, chunk = headers.pack(content, stream, offset)
        except struct.error:
            raise SaveXmlError(
                "an offset, size or length does not fit a zip archive",
                code="SAVEXML_SIZE",
                field=given["name"],
            ) from None
        gap = next((read_data(child) for child in elements(element, "gap")), b"")
        return _entry(record, chunk + gap, offset)

    def _read_content(self, element: etree._Element, stream: bytes | None, level: int) -> bytes:
        for child in element:
            with located(child):
                match tag_of(child):
                    case "game":
                        return read_game(child, self.limits)
                    case "archive":
                        return self.read(child, level + 1)
                    case "text":
                        return read_plain_text(child)
                    case "bytes":
                        return read_data(child)
        content = _inflated(stream or b"", self.limits.entry_bytes)
        if content is None:
            raise SaveXmlError("the stream cannot be inflated", code="SAVEXML_STREAM")
        return content

    def _compare(self, given: dict[str, str], content: bytes, stream: bytes) -> None:
        """Notes when an untouched content deflates otherwise here than where the XML was written."""
        untouched = given.get("crc") == f"{zlib.crc32(content):08x}"
        if untouched and given.get("packed", "") not in ("", f"{zlib.crc32(stream):08x}"):
            self.warnings.append(
                f"{given['name']}: the content is the same, but this zlib deflates it otherwise"
            )


def _inflated(stream: bytes, limit: int) -> bytes | None:
    engine = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = engine.decompress(stream, limit)
    except zlib.error:
        return None
    return content if engine.eof else None


def _entry(record: bytes, chunk: bytes, offset: int) -> Entry:
    fields = CENTRAL.unpack_from(record)
    return Entry(
        name_bytes=record[CENTRAL.size : CENTRAL.size + fields[10]],
        flags=fields[3],
        method=fields[4],
        crc=fields[7],
        compressed_size=fields[8],
        size=fields[9],
        offset=offset,
        record=record,
        chunk=chunk,
        stream_at=0,
    )


def _record_at(record: bytes, offset: int) -> bytes:
    """A raw directory record for an entry that stands at `offset`."""
    try:
        stated = read_directory(record, 0, len(record), 1)[0].offset
    except ArchiveError as error:
        raise SaveXmlError(f"the record: {error.message}", code="SAVEXML_RECORD") from None
    if stated == offset:
        return record
    if record[42:46] == struct.pack("<I", FULL32) or offset >= FULL32:
        raise SaveXmlError("a zip64 entry cannot be moved", code="SAVEXML_SIZE")
    return record[:42] + struct.pack("<I", offset) + record[46:]
