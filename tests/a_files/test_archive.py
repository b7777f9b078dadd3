"""Archives: written back byte for byte, edited without touching the neighbours, refused when damaged."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crafted import zip_of
from vmod_tools.archive import Archive, Entry, new_archive
from vmod_tools.errors import ArchiveError, LimitError, VmodError
from vmod_tools.limits import COMMAND_LINE

MEMBERS = {
    "savedGame": b"begin_save" * 50,
    "images/a.png": b"\x89PNG" * 9,
    "moduledata": b"<data/>",
}
PLAIN = zip_of(MEMBERS)

END, CENTRAL, LOCAL = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"


def code_of(data: bytes, name: str | None = None) -> tuple[str, str]:
    """Code and place of the error that reading the archive (or one entry of it) gives."""
    with pytest.raises(VmodError) as caught:
        read(Archive.parse(data), name or "a")
    return caught.value.stable_code, caught.value.place


def read(archive: Archive, name: str) -> bytes:
    entry = archive.find(name)
    assert entry is not None
    return archive.read(entry)


def with_descriptors() -> bytes:
    """As a writer that cannot seek back makes it: sizes and checksums stand behind the streams."""

    class Unseekable(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise OSError

        def tell(self) -> int:
            raise OSError

    buffer = Unseekable()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in MEMBERS.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def with_comments() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = b"by hand"
        info = zipfile.ZipInfo("savedGame", (1999, 12, 31, 23, 59, 58))
        info.comment, info.extra = b"the game", b"\xfe\xca\x02\x00ab"
        info.external_attr = 0o644 << 16
        archive.writestr(info, MEMBERS["savedGame"])
        archive.writestr("moduledata", MEMBERS["moduledata"])
    return buffer.getvalue()


def with_zip64_sizes() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in MEMBERS.items():
            with archive.open(name, "w", force_zip64=True) as entry:
                entry.write(content)
    return to_zip64(buffer.getvalue())


def to_zip64(data: bytes) -> bytes:
    """Sizes and offsets moved to zip64 fields, in every record and in the end record."""
    archive = Archive.parse(data)
    directory = b""
    for entry in archive.entries:
        record = bytearray(entry.record)
        name_length, extra_length = struct.unpack_from("<2H", record, 28)
        wide = struct.pack("<2H3Q", 1, 24, entry.size, entry.compressed_size, entry.offset)
        record[20:28] = b"\xff" * 8
        record[42:46] = b"\xff" * 4
        record[30:32] = struct.pack("<H", extra_length + 4 + len(wide))
        at = 46 + name_length
        other = struct.pack("<2H", 0xCAFE, 0)
        directory += bytes(record[:at]) + other + wide + bytes(record[at:])
    start = data.index(CENTRAL)
    count, end_at = len(archive.entries), start + len(directory)
    end64 = struct.pack(
        "<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, len(directory), start
    )
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, end_at, 1)
    end = struct.pack("<4s4H2IH", END, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return data[:start] + directory + end64 + locator + end


SHAPES = {
    "plain": PLAIN,
    "descriptors": with_descriptors(),
    "comments": with_comments(),
    "zip64": with_zip64_sizes(),
    "stub in front, offsets without it": b"#!/bin/sh\n" + PLAIN,
    "stub in front, offsets with it": b"",  # made below
    "junk behind": PLAIN + b"junk behind the end record",
    "empty": zip_of({}),
    "stub in front of nothing": b"stub" + zip_of({}),
}


def _with_counted_stub() -> bytes:
    buffer = io.BytesIO(b"MZ stub")
    with zipfile.ZipFile(buffer, "a") as archive:
        for name, content in MEMBERS.items():
            archive.writestr(name, content)
    return buffer.getvalue()


SHAPES["stub in front, offsets with it"] = _with_counted_stub()


@pytest.mark.parametrize("shape", SHAPES)
def test_unedited_archive_is_written_back_as_it_was(shape: str) -> None:
    assert Archive.parse(SHAPES[shape]).to_bytes() == SHAPES[shape]


@pytest.mark.parametrize("shape", [s for s in SHAPES if "nothing" not in s and s != "empty"])
def test_content_is_that_of_the_standard_library(shape: str) -> None:
    archive = Archive.parse(SHAPES[shape])
    with zipfile.ZipFile(io.BytesIO(SHAPES[shape])) as other:
        assert archive.names() == other.namelist()
        assert {n: read(archive, n) for n in archive.names()} == {
            n: other.read(n) for n in other.namelist()
        }


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
        st.binary(),
        max_size=4,
    ),
    st.binary(max_size=9),
)
def test_any_members_go_round(members: dict[str, bytes], stub: bytes) -> None:
    made = new_archive(members).to_bytes()
    archive = Archive.parse(made)
    assert archive.to_bytes() == made
    assert {n: read(archive, n) for n in archive.names()} == members
    with zipfile.ZipFile(io.BytesIO(made)) as other:
        assert other.testzip() is None
    if not stub.endswith(b"P"):
        assert Archive.parse(stub + made).to_bytes() == stub + made


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(ArchiveError):
        Archive.parse(data)


@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 5000), st.binary(min_size=1, max_size=4))
def test_damaged_archive_is_read_or_refused(shape: str, at: int, damage: bytes) -> None:
    data = SHAPES[shape]
    at %= len(data)
    damaged = data[:at] + damage + data[at + len(damage) :]
    try:
        archive = Archive.parse(damaged)
        archive.names()
        assert archive.to_bytes() == damaged
    except VmodError:
        return
    for entry in archive.entries:
        with suppress(VmodError):
            archive.read(entry)


# After an edit


def around(archive: Archive, *edited: str) -> list[tuple[bytes, bytes, bytes]]:
    """Name, chunk, and record but for its offset, of every entry that was not edited."""
    kept = [e for e in archive.entries if e.name not in edited]
    return [(e.name_bytes, e.chunk, e.record[:42] + e.record[46:]) for e in kept]


@pytest.mark.parametrize("shape", [s for s in SHAPES if s not in ("zip64", "empty")])
@pytest.mark.parametrize("name", ["savedGame", "moduledata", "brand/new.txt"])
def test_replacing_an_entry_leaves_the_others_alone(shape: str, name: str) -> None:
    before = Archive.parse(SHAPES[shape])
    after = Archive.parse(before.with_entry(name, b"other" * 99).to_bytes())
    assert around(after, name) == around(before, name)
    assert after.prefix == before.prefix
    assert after.names() == (before.names() if name in before.names() else [*before.names(), name])
    assert read(after, name) == b"other" * 99
    with zipfile.ZipFile(io.BytesIO(after.to_bytes())) as other:
        assert other.testzip() is None
        assert other.comment == zipfile.ZipFile(io.BytesIO(SHAPES[shape])).comment


@pytest.mark.parametrize("shape", [s for s in SHAPES if s not in ("zip64", "empty")])
@pytest.mark.parametrize("name", ["savedGame", "moduledata", "not there"])
def test_leaving_an_entry_out_leaves_the_others_alone(shape: str, name: str) -> None:
    before = Archive.parse(SHAPES[shape])
    after = Archive.parse(before.without_entry(name).to_bytes())
    assert around(after) == around(before, name)
    for kept in after.names():
        assert read(after, kept) == read(before, kept)
    with zipfile.ZipFile(io.BytesIO(after.to_bytes())) as other:
        assert other.testzip() is None


def test_replaced_entry_keeps_date_attributes_and_comment() -> None:
    changed = Archive.parse(with_comments()).with_entry("savedGame", b"x").to_bytes()
    with zipfile.ZipFile(io.BytesIO(changed)) as other:
        info = other.getinfo("savedGame")
        assert (info.date_time, info.comment) == ((1999, 12, 31, 23, 59, 58), b"the game")
        assert info.external_attr == 0o644 << 16
        assert other.read("savedGame") == b"x"


def test_new_entry_takes_the_date_of_its_neighbour() -> None:
    changed = Archive.parse(PLAIN).with_entry("図.txt", b"x").to_bytes()
    with zipfile.ZipFile(io.BytesIO(changed)) as other:
        assert other.getinfo("図.txt").date_time == (2020, 2, 2, 2, 2, 2)


def test_two_edits_are_as_good_as_one() -> None:
    once = new_archive({"a": b"1", "b": b"2"})
    twice = once.with_entry("c", b"3").with_entry("a", b"4" * 50).without_entry("b")
    again = Archive.parse(twice.to_bytes())
    assert {n: read(again, n) for n in again.names()} == {"a": b"4" * 50, "c": b"3"}


def test_encrypted_entry_can_be_replaced() -> None:
    archive = Archive.parse(flagged(0x1)).with_entry("a", b"open now")
    assert read(Archive.parse(archive.to_bytes()), "a") == b"open now"


def test_zip64_archive_is_not_edited() -> None:
    archive = Archive.parse(SHAPES["zip64"]).with_entry("savedGame", b"x")
    with pytest.raises(ArchiveError) as caught:
        archive.to_bytes()
    assert caught.value.stable_code == "ARCHIVE_TOO_LARGE"


def test_archive_past_4_gib_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vmod_tools.archive.FULL32", 20)
    with pytest.raises(ArchiveError, match="4 GiB"):
        Archive.parse(PLAIN).with_entry("savedGame", b"x" * 99).to_bytes()


def test_zip64_field_is_looked_for_among_others_and_may_be_missing() -> None:
    data = SHAPES["zip64"].replace(struct.pack("<2H", 1, 24), struct.pack("<2H", 2, 24))
    assert code_of(data)[0] == "ARCHIVE_OVERLAP"


# Names


def test_names_are_shown_by_guess_and_kept_as_bytes() -> None:
    def named(raw: bytes, flags: int) -> Archive:
        blank = b"n" * len(raw)
        data = bytearray(zip_of({blank.decode(): b"x"}).replace(blank, raw))
        for signature, at in ((LOCAL, 6), (CENTRAL, 8)):
            struct.pack_into("<H", data, data.index(signature) + at, flags)
        archive = Archive.parse(bytes(data))
        assert archive.to_bytes() == bytes(data)
        assert archive.entries[0].name_bytes == raw
        return archive

    assert named("図.png".encode(), 0x800).names() == ["図.png"]
    assert named("図.png".encode(), 0).names() == ["図.png"]
    assert named("é".encode("cp437"), 0).names() == ["é"]
    assert named("図.png".encode("cp932"), 0).names() == [b"\x90}.png".decode("cp437")]
    assert named(b"\xff.png", 0x800).names() == ["�.png"]
    old = named("é.txt".encode("cp437"), 0)
    assert Archive.parse(old.with_entry("é.txt", b"new").to_bytes()).names() == ["é.txt"]


def test_of_two_entries_with_one_name_the_last_counts() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a", b"first")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a", b"last")
    read_back = Archive.parse(buffer.getvalue())
    assert read_back.to_bytes() == buffer.getvalue()
    assert read(read_back, "a") == b"last"
    edited = Archive.parse(read_back.with_entry("a", b"changed").to_bytes())
    assert [edited.read(e) for e in edited.entries] == [b"first", b"changed"]


# Damage


def flagged(flags: int, method: int = 0) -> bytes:
    data = bytearray(zip_of({"a": b"content"}))
    for signature, at in ((LOCAL, 6), (CENTRAL, 8)):
        struct.pack_into("<2H", data, data.index(signature) + at, flags, method)
    return bytes(data)


def patched(old: bytes, new: bytes, data: bytes = PLAIN) -> bytes:
    assert old in data
    return data.replace(old, new, 1)


def end_field(at: int, form: str, value: int, data: bytes = PLAIN) -> bytes:
    changed = bytearray(data)
    struct.pack_into(form, changed, data.rindex(END) + at, value)
    return bytes(changed)


def with_field(signature: bytes, at: int, form: str, value: int, data: bytes = PLAIN) -> bytes:
    changed = bytearray(data)
    struct.pack_into(form, changed, data.index(signature) + at, value)
    return bytes(changed)


DAMAGED: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "ARCHIVE_NOT_ZIP"),
    "text": (b"begin_save", "ARCHIVE_NOT_ZIP"),
    "cut in the end record": (PLAIN[:-5], "ARCHIVE_NOT_ZIP"),
    "cut at the front": (PLAIN[40:], "ARCHIVE_DAMAGED"),
    "two disks": (end_field(4, "<H", 1), "ARCHIVE_SPLIT"),
    "directory too long": (end_field(12, "<I", 9999), "ARCHIVE_DAMAGED"),
    "directory ends before its place": (
        to_zip64(PLAIN).replace(struct.pack("<Q", PLAIN.index(CENTRAL)), struct.pack("<Q", 9999)),
        "ARCHIVE_DAMAGED",
    ),
    "one entry too many announced": (end_field(10, "<H", 4), "ARCHIVE_DAMAGED"),
    "too many entries announced": (end_field(10, "<H", 0xFFFE), "ARCHIVE_DAMAGED"),
    "directory record without signature": (patched(CENTRAL, b"PK\x01\x09"), "ARCHIVE_DAMAGED"),
    "directory record too long": (with_field(CENTRAL, 32, "<H", 999), "ARCHIVE_DAMAGED"),
    "local header without signature": (patched(LOCAL, b"PK\x03\x09"), "ARCHIVE_DAMAGED"),
    "entry runs into the next": (with_field(CENTRAL, 20, "<I", 5000), "ARCHIVE_OVERLAP"),
    "two records of one entry": (
        with_field(CENTRAL, 42, "<I", PLAIN.index(LOCAL, 4)),
        "ARCHIVE_OVERLAP",
    ),
    "zip64 record gone": (
        patched(b"PK\x06\x06", b"PK\x09\x09", SHAPES["zip64"]),
        "ARCHIVE_DAMAGED",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_directory_is_refused(name: str) -> None:
    data, code = DAMAGED[name]
    assert code_of(data)[0] == code


def test_comment_may_look_like_an_end_record() -> None:
    comment = END + bytes(18) + b"and so on"
    data = end_field(20, "<H", len(comment)) + comment
    archive = Archive.parse(data)
    assert archive.names() == list(MEMBERS)
    assert archive.to_bytes() == data


def test_end_record_that_only_looks_like_zip64() -> None:
    # No zip64 records at all: the fields are what they say, and far too large.
    assert code_of(end_field(12, "<I", 0xFFFFFFFF))[0] == "ARCHIVE_DAMAGED"


DEFLATED = zlib.compress(b"content" * 50, 9)[2:-4]


def crafted_entry(stream: bytes, content: bytes, method: int = 8) -> Entry:
    made = new_archive({"a": b"x"}).entries[0]
    return replace(
        made,
        method=method,
        crc=zlib.crc32(content),
        compressed_size=len(stream),
        chunk=made.chunk[: made.stream_at] + stream,
    )


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (crafted_entry(DEFLATED[:-3], b"content" * 50), "ARCHIVE_DAMAGED"),
        (crafted_entry(b"", b""), "ARCHIVE_DAMAGED"),
        (crafted_entry(b"\xff\xff\xff\xff", b""), "ARCHIVE_DAMAGED"),
        (crafted_entry(DEFLATED, b"other"), "ARCHIVE_CRC"),
        (crafted_entry(b"stored", b"other", method=0), "ARCHIVE_CRC"),
        (crafted_entry(b"?", b"?", method=14), "ARCHIVE_METHOD"),
    ],
)
def test_damaged_entry_is_refused_by_name(entry: Entry, code: str) -> None:
    with pytest.raises(ArchiveError) as caught:
        new_archive({}).read(entry)
    assert (caught.value.stable_code, caught.value.place) == (code, "a")


def test_encrypted_entry_is_refused_but_kept() -> None:
    assert code_of(flagged(0x1), "a") == ("ARCHIVE_ENCRYPTED", "a")
    assert Archive.parse(flagged(0x1)).to_bytes() == flagged(0x1)


# Limits: one below, at, one above


def limit_code(action: Callable[[], object]) -> str | None:
    try:
        action()
    except LimitError as error:
        return error.stable_code
    return None


@pytest.mark.parametrize(("less", "code"), [(-1, None), (0, None), (1, "LIMIT_ARCHIVE_BYTES")])
def test_limit_of_archive_bytes(less: int, code: str | None) -> None:
    limits = replace(COMMAND_LINE, archive_bytes=len(PLAIN) - less)
    assert limit_code(lambda: Archive.parse(PLAIN, limits)) == code


@pytest.mark.parametrize(("less", "code"), [(-1, None), (0, None), (1, "LIMIT_ENTRIES")])
def test_limit_of_entries_is_looked_at_before_they_are_read(less: int, code: str | None) -> None:
    limits = replace(COMMAND_LINE, entries=0xFFFE - less)
    try:
        assert limit_code(lambda: Archive.parse(end_field(10, "<H", 0xFFFE), limits)) == code
    except ArchiveError:
        assert code is None


@pytest.mark.parametrize(("less", "code"), [(-1, None), (0, None), (1, "LIMIT_ENTRIES")])
def test_limit_of_entries(less: int, code: str | None) -> None:
    limits = replace(COMMAND_LINE, entries=len(MEMBERS) - less)
    assert limit_code(lambda: Archive.parse(PLAIN, limits)) == code


@pytest.mark.parametrize("method", ["stored", "deflated"])
@pytest.mark.parametrize(("less", "code"), [(-1, None), (0, None), (1, "LIMIT_ENTRY_BYTES")])
def test_limit_of_entry_bytes(method: str, less: int, code: str | None) -> None:
    content = bytes(range(256)) if method == "stored" else b"a" * (3 << 20)
    limits = replace(COMMAND_LINE, entry_bytes=len(content) - less)
    archive = Archive.parse(new_archive({"a": content}).to_bytes(), limits)
    assert archive.entries[0].method == (0 if method == "stored" else 8)
    assert limit_code(lambda: read(archive, "a")) == code


def many_entries(count: int) -> bytes:
    """So many entries that writers without zip64 let their number wrap round."""
    local = struct.pack("<4s5H3I2H", LOCAL, 20, 0, 0, 0, 0x21, 0, 0, 0, 1, 0) + b"a"
    central = b"".join(
        struct.pack(
            "<4s6H3I5H2I", CENTRAL, 20, 20, 0, 0, 0, 0x21, 0, 0, 0, 1, 0, 0, 0, 0, 0, n * 31
        )
        + b"a"
        for n in range(count)
    )
    wrapped = count & 0xFFFF
    end = (END, 0, 0, wrapped, wrapped, len(central), count * 31, 0)
    return local * count + central + struct.pack("<4s4H2IH", *end)


@pytest.mark.parametrize("count", [0xFFFF, 0x10001])
def test_number_of_entries_may_wrap_round(count: int) -> None:
    data = many_entries(count)
    assert Archive.parse(data).to_bytes() == data
    limits = replace(COMMAND_LINE, entries=count - 1)
    assert limit_code(lambda: Archive.parse(data, limits)) == "LIMIT_ENTRIES"


# Real files


def test_published_archives_keep_their_neighbours(corpus_files: tuple[Path, ...]) -> None:
    for path in corpus_files:
        archive = Archive.parse(path.read_bytes())
        name = archive.names()[len(archive.entries) // 2]
        changed = Archive.parse(archive.with_entry(name, b"changed").to_bytes())
        assert around(changed, name) == around(archive, name), path
        assert changed.names() == archive.names()
        assert read(changed, name) == b"changed"
