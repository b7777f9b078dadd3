"""The zip side: order, headers, streams, what stands between and around the entries."""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.support.crafted import game, hidden, save_text, zip_of
from vmod_tools.archive import Archive, new_archive
from vmod_tools.errors import ArchiveError, LimitError, SaveXmlError
from vmod_tools.savexml import archives, assemble, document, from_xml, to_xml
from vmod_tools.savexml.deflate import USUAL, Setting, setting_of
from vmod_tools.savexml.nodes import NAMESPACE

TAG = f"{{{NAMESPACE}}}"
SAVE = hidden(save_text())
NOISE = random.Random(7).randbytes(300)  # noqa: S311 - no secret
TEXT = "".join(f"line {n * n}\n" for n in range(400)).encode()


def comes_back(data: bytes) -> etree._Element:
    written = to_xml(data).document
    rebuilt = from_xml(written)
    assert rebuilt.data == data
    assert rebuilt.warnings == ()
    return etree.fromstring(written)


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, level: int = 6) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method, compresslevel=level) as file:
        file.comment = b"comment \xe9"
        for name, content in members.items():
            info = zipfile.ZipInfo(name, (1999, 12, 31, 23, 59, 58))
            info.comment, info.extra = b"of an entry", b"\xca\xfe\x02\x00ab"
            info.external_attr, info.internal_attr, info.create_version = 0x81A4 << 16, 1, 45
            file.writestr(info, content, method)
    return buffer.getvalue()


class Unseekable(io.BytesIO):
    """A file that makes the writer put sizes and checksums behind the streams."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> int:
        raise OSError

    def tell(self) -> int:
        raise OSError


def streamed() -> bytes:
    buffer = Unseekable()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(zipfile.ZipInfo("savedGame"), SAVE)
    return buffer.getvalue()


@pytest.mark.parametrize("level", range(1, 10))
def test_every_level_is_found(level: int) -> None:
    (entry,) = comes_back(zipped({"savedGame": TEXT}, level=level)).iter(f"{TAG}entry")
    assert entry.get("level")
    assert not entry.findall(f"{TAG}stream")


def test_stored_entries_comment_and_attributes() -> None:
    root = comes_back(zipped({"savedGame": SAVE, "a.txt": b"x"}, zipfile.ZIP_STORED))
    entry = root.find(f".//{TAG}entry")
    assert entry is not None
    assert entry.get("method") == "store"
    assert entry.get("modified") == "1999-12-31T23:59:58"
    assert entry.get("comment") == "of an entry"
    assert root[0].get("comment") == "comment ␦dce9;"
    assert root.findtext(f".//{TAG}text") == "x"


def test_streamed_entries() -> None:
    (entry,) = comes_back(streamed()).iter(f"{TAG}entry")
    assert int(entry.get("flags", "0")) & 8
    assert entry.get("descriptor") is None


def test_other_memory_level() -> None:
    content = NOISE.hex().encode() + random.Random(3).randbytes(60_000).hex().encode()  # noqa: S311
    stream = Setting(9, 9).deflate(content)
    assert setting_of(stream, content) in (Setting(6, 9), Setting(9, 9))
    entries = [("savedGame", USUAL.deflate(SAVE), SAVE), ("a.txt", stream, content)]
    entry = comes_back(zip_with(entries)).find(f".//{TAG}entry[@memory='9']")
    assert entry is not None
    assert not entry.findall(f"{TAG}stream")


def with_stream(stream: bytes, content: bytes, name: str = "savedGame") -> bytes:
    """An archive whose one deflated entry has this very stream."""
    return zip_with([(name, stream, content)])


def zip_with(entries: list[tuple[str, bytes, bytes]]) -> bytes:
    body, directory = b"", b""
    for name, stream, content in entries:
        sums = (zlib.crc32(content), len(stream), len(content))
        raw = name.encode()
        directory += struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 8, 0, 33, *sums, len(raw), 0, 0, 0, 0, 0, len(body)) + raw  # fmt: skip
        body += struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 8, 0, 33, *sums, len(raw), 0) + raw
        body += stream
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, len(entries), len(entries), len(directory), len(body), 0)  # fmt: skip
    return body + directory + end


def foreign(content: bytes) -> bytes:
    """A deflate stream that no setting of ours makes: stored blocks of odd sizes."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(content[:7]) + packer.flush(zlib.Z_FULL_FLUSH) + packer.compress(content[7:]) + packer.flush()  # fmt: skip


def test_foreign_stream_is_kept_beside_a_readable_content() -> None:
    root = comes_back(with_stream(foreign(SAVE), SAVE))
    (entry,) = root.iter(f"{TAG}entry")
    assert [str(e.tag).removeprefix(TAG) for e in entry] == ["game", "stream"]


def test_foreign_stream_alone_where_the_content_is_bytes() -> None:
    entries = [("savedGame", foreign(SAVE), SAVE), ("a.png", foreign(NOISE), NOISE)]
    root = comes_back(zip_with(entries))
    assert [str(e.tag).removeprefix(TAG) for e in root[0][1]] == ["stream"]


def test_edit_wins_over_a_foreign_stream() -> None:
    data = zip_with([("savedGame", foreign(SAVE), SAVE), ("a.txt", foreign(TEXT), TEXT)])
    edited = to_xml(data).document.replace(b"line 16\n", b"line xvi\n")
    archive = Archive.parse(from_xml(edited).data)
    assert archive.read(archive.entries[1]) == TEXT.replace(b"line 16\n", b"line xvi\n")


def mangled_prefix() -> bytes:
    return b"#!stub\n" + game(save_text())


def mangled_gap() -> bytes:
    archive = Archive.parse(game(save_text(), a=b"1", b=b"2"))
    first, *others = archive.entries
    return replace(
        archive, entries=(replace(first, chunk=first.chunk + b"junk PK\3\4"), *others)
    ).to_bytes()


def mangled_order() -> bytes:
    archive = Archive.parse(game(save_text(), a=b"1", b=b"2"))
    return replace(archive, entries=tuple(reversed(archive.entries))).to_bytes()


def mangled_tail() -> bytes:
    return game(save_text()) + b"behind the end"


def mangled_local_extra() -> bytes:
    archive = Archive.parse(game(save_text()))
    (entry,) = archive.entries
    chunk = entry.chunk[:28] + b"\4\0" + entry.chunk[30:39] + b"\1\2\0\0" + entry.chunk[39:]
    return replace(archive, entries=(replace(entry, chunk=chunk),)).to_bytes()


def mangled_bare_descriptor() -> bytes:
    archive = Archive.parse(streamed())
    (entry,) = archive.entries
    chunk = entry.chunk.replace(b"PK\7\x08", b"")
    return replace(archive, entries=(replace(entry, chunk=chunk),)).to_bytes()


def mangled_flag_without_descriptor() -> bytes:
    data = bytearray(game(save_text()))
    data[6] |= 8
    data[data.index(b"PK\1\2") + 8] |= 8
    return bytes(data)


def mangled_name() -> bytes:
    return game(save_text(), axxb=b"1").replace(b"axxb", b"a\xe9\x82b")


@pytest.mark.parametrize(
    ("make", "sign"),
    [
        (mangled_prefix, "prefix"),
        (mangled_gap, "gap"),
        (mangled_order, "at="),
        (mangled_tail, "<tail>"),
        (mangled_local_extra, "local-extra="),
        (mangled_bare_descriptor, 'descriptor="bare"'),
        (mangled_flag_without_descriptor, 'descriptor="none" local-sums="given"'),
        (mangled_name, "a␦dce9;␦dc82;b"),
    ],
)
def test_strange_archives_come_back(make: Callable[[], bytes], sign: str) -> None:
    data = make()
    comes_back(data)
    assert sign in to_xml(data).document.decode()


def wrong_checksum(data: bytes) -> bytes:
    at = data.index(b"PK\1\2") + 16
    return data[:at] + b"\0\0\0\0" + data[at + 4 :]


def wrong_local_time(data: bytes) -> bytes:
    return data[:10] + b"\1" + data[11:]


def encrypted(data: bytes) -> bytes:
    at = data.index(b"PK\1\2") + 8
    return data[:at] + b"\1" + data[at + 1 :]


def other_method(data: bytes) -> bytes:
    at = data.index(b"PK\1\2") + 10
    return data[:at] + b"\x0c" + data[at + 1 :]


def zip64(data: bytes) -> bytes:
    """The first entry's size in a zip64 field of the directory."""
    at = data.index(b"PK\1\2")
    size = data[at + 24 : at + 28]
    extra = b"\1\0\x08\0" + size + b"\0\0\0\0"
    name_end = at + 46 + struct.unpack_from("<H", data, at + 28)[0]
    entry = (
        data[at : at + 24] + b"\xff" * 4 + data[at + 28 : at + 30] + struct.pack("<H", len(extra))
    )
    changed = data[:at] + entry + data[at + 32 : name_end] + extra + data[name_end:]
    end = changed.rindex(b"PK\5\6")
    length = struct.unpack_from("<I", changed, end + 12)[0] + len(extra)
    return changed[: end + 12] + struct.pack("<I", length) + changed[end + 16 :]


RAW = [wrong_checksum, wrong_local_time, encrypted, other_method, zip64]


@pytest.mark.parametrize("spoil", RAW)
def test_entry_that_cannot_be_described_is_kept_raw(spoil: Callable[[bytes], bytes]) -> None:
    root = comes_back(spoil(game(save_text(), a=b"1")))
    assert [e.get("name") for e in root.iter(f"{TAG}raw-entry")] == ["savedGame"]
    assert all(e.get("note") for e in root.iter(f"{TAG}raw-entry"))


def test_raw_entry_moves_when_another_grows() -> None:
    good = game(save_text(), b="the text")
    spoilt = Archive.parse(good)
    a, b = spoilt.entries
    bad = replace(a, offset=b.offset + 9, record=encrypted(a.record))
    data = replace(spoilt, entries=(b, bad)).to_bytes()
    edited = from_xml(to_xml(data).document.replace(b"the text", b"the longer text")).data
    again = Archive.parse(edited)
    assert again.read(again.entries[0]) == b"the longer text"
    assert again.entries[1].chunk == a.chunk


def test_setup_inside_a_module_is_nested() -> None:
    setup = game(save_text())
    files = {"buildFile.xml": b"<VASSAL.build.GameModule/>", "start.vsav": setup, "empty.txt": b""}
    root = comes_back(zip_of(files))
    assert root.get("kind") == "module"
    assert root.find(f".//{TAG}entry/{TAG}archive/{TAG}entry/{TAG}game") is not None


def test_extension_is_called_one() -> None:
    build = b"<VASSAL.build.module.ModuleExtension/>"
    assert comes_back(zip_of({"buildFile": build})).get("kind") == "extension"
    files = {"buildFile": b"<a/>", "extensiondata": b"<data/>"}
    assert comes_back(zip_of(files)).get("kind") == "extension"
    unreadable = encrypted(zip_of({"buildFile": b"<a/>"}))
    assert comes_back(unreadable).get("kind") == "module"


def test_no_vassal_file_is_refused() -> None:
    with pytest.raises(ArchiveError, match="NOT_VASSAL"):
        to_xml(zip_of({"a": b""}))


def test_archives_in_archives_end_as_bytes() -> None:
    data = game(save_text())
    for _ in range(archives.DEEPEST + 2):
        data = game(save_text(), inner=data)
    root = comes_back(data)
    assert len(root.findall(f".//{TAG}archive")) == archives.DEEPEST + 1


def test_what_only_looks_like_an_archive_is_bytes() -> None:
    root = comes_back(
        zip_of(
            {
                "buildFile": b"<a/>",
                "a.zip": b"PK\5\6" + bytes(30),
                "c.bin": b"\xff\xfe",
                "b.zip": b"PK\5\6" + b"1" * 18,
            }
        )
    )
    assert root.find(f".//{TAG}bytes") is not None


@pytest.mark.parametrize(
    "text",
    ["a\r\nb\r\n", "a\r\nb\n", "a\rb", "日本\n", "<a>]]></a>", "\ufeff<a/>", "\n a \n", "a\x0bb"],
)
def test_texts_come_back(text: str) -> None:
    comes_back(zip_of({"buildFile.xml": text, "a.txt": text}))


@given(st.binary())
def test_build_file_of_any_bytes_comes_back(data: bytes) -> None:
    comes_back(zip_of({"buildFile": data}))


def test_large_archive_keeps_its_tail() -> None:
    archive = Archive.parse(new_archive({"a": b"1"}).to_bytes())
    assert archives.plain_comment(archive) == b""
    assert archives.plain_comment(replace(archive, tail=b"short")) is None
    assert archives.plain_comment(replace(archive, shift=-(1 << 32))) is None


def test_other_zlib_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    written = to_xml(zipped({"savedGame": SAVE})).document
    monkeypatch.setattr(Setting, "deflate", lambda self, data: foreign(data))
    rebuilt = from_xml(written)
    archive = Archive.parse(rebuilt.data)
    assert archive.read(archive.entries[0]) == SAVE
    assert "deflates it otherwise" in rebuilt.warnings[0]


def test_too_deep_archives_are_refused() -> None:
    inner = '<entry name="a" method="store" modified="1980-01-01T00:00:00"><archive>'
    depth = archives.DEEPEST + 2
    text = f'<vassal xmlns="{NAMESPACE}" version="1" kind="save"><archive>{inner * depth}'
    text += "</archive></entry>" * depth + "</archive></vassal>"
    with pytest.raises(LimitError):
        from_xml(text.encode())


def test_zip64_entry_cannot_be_moved() -> None:
    data = zip64(game(save_text(), a=b"1"))
    written = to_xml(data).document
    record = Archive.parse(data).entries[0].record
    assert document.parse(written) is not None
    moved = written.replace(b"<archive>", b"<archive><prefix>AAAA</prefix>", 1)
    assert from_xml(moved).data.startswith(b"\0\0\0PK")
    full = record[:42] + b"\xff" * 4 + record[46:]

    with pytest.raises(SaveXmlError):
        assemble._record_at(full, 5)
