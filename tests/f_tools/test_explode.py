"""Explode and implode: the same bytes again, edits and nothing else, never a name from a file."""

from __future__ import annotations

import json
import os
import string
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.crafted import (
    ESC,
    board,
    build_file,
    game,
    hidden,
    log_text,
    map_window,
    module,
    piece,
    save_text,
    stack,
    step,
    tag,
    zip_of,
)
from tests.support.places import corpus_files
from vmod_tools.archive import Archive, new_archive
from vmod_tools.envelope import decode
from vmod_tools.errors import InputFileError, LimitError, VmodError
from vmod_tools.explode import parts, texts
from vmod_tools.explode.apart import take_apart
from vmod_tools.explode.disk import DiskFiles, write_folder
from vmod_tools.explode.index import INDEX, Index
from vmod_tools.explode.names import SafeNames, is_safe_path
from vmod_tools.explode.streams import deflate, find_settings
from vmod_tools.explode.together import Change, put_together
from vmod_tools.limits import COMMAND_LINE

SAVE = save_text(
    piece("1", 62, 62), stack("s", 62, 62, "1"), rest=["PLAYER\tsecret word\tAnn\tRed"]
)
GAME = game(log_text(SAVE, step("CHAT 100% <b>\u202e", "\tX ", ""), "LOG\tnull"), module="M")
SLOTS = "VASSAL.build.widget"
BUILD = map_window("Main/Map", board("East", 10, 10), board("east", 10, 10)) + tag(
    "VASSAL.build.module.PieceWindow",
    tag(
        f"{SLOTS}.TabWidget",
        tag(
            f"{SLOTS}.ListWidget",
            tag(f"{SLOTS}.PieceSlot", "+/null/piece;;;a.png;A/null;0;0;1"),
            entryName="CON",
        ),
    ),
    name="Pieces & more",
)
MODULE = module(BUILD, members={"Start.vsav": GAME, "images/a.png": b"not deflated", "empty": b""})


class Run(Protocol):
    def __call__(self, *arguments: str | Path) -> tuple[object, str, str]: ...


class Memory:
    """Files in memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise InputFileError("no such file", code="FILE_MISSING", file=path)
        return self.files[path]

    def below(self, folder: str) -> Iterable[str]:
        return sorted(path for path in self.files if path.startswith(folder))


def again(data: bytes) -> bytes:
    rebuilt, changes = put_together(Memory(take_apart(data)))
    assert changes == ()
    return rebuilt


def edited(
    data: bytes, edit: Callable[[dict[str, bytes]], None]
) -> tuple[Archive, tuple[Change, ...]]:
    files = take_apart(data)
    edit(files)
    rebuilt, changes = put_together(Memory(files))
    return Archive.parse(rebuilt), changes


def contents(archive: Archive) -> dict[str, bytes]:
    return {entry.name: archive.read(entry) for entry in archive.entries}


def code_of(files: dict[str, bytes]) -> str:
    with pytest.raises(VmodError) as caught:
        put_together(Memory(files))
    return caught.value.stable_code


# The same bytes


def test_every_published_file_comes_back_byte_for_byte(corpus_files: tuple[Path, ...]) -> None:
    """Issue 3, "Must show": 149 files, and 573 saves inside modules."""
    kept_as_streams = entries = 0
    for path in corpus_files:
        data = path.read_bytes()
        files = take_apart(data)
        assert put_together(Memory(files)) == (data, ()), path.name
        assert all(is_safe_path(p) for p in files), path.name
        assert len({p.lower() for p in files}) == len(files), path.name
        for name in files:
            if name.endswith(INDEX):
                index = Index.parse(files[name])
                entries += len(index.entries)
                kept_as_streams += sum(bool(e.stream) for e in index.entries)
    assert entries > 3000
    # Nearly all streams are zlib's own: two numbers stand for them.
    assert kept_as_streams < entries / 20


def test_genuine_files_come_back(genuine: Path) -> None:
    for path in sorted(genuine.glob("small*.v*")):
        assert again(path.read_bytes()) == path.read_bytes()


@pytest.mark.parametrize("data", [GAME, MODULE, zip_of({}), zip_of({"a": b""})])
def test_handmade_files_come_back(data: bytes) -> None:
    assert again(data) == data


def test_a_module_becomes_one_file_a_component() -> None:
    files = take_apart(MODULE)
    assert {p for p in files if p.startswith("buildFile/")} == {
        "buildFile/module.xml",
        "buildFile/Documentation.xml",
        "buildFile/PrototypesContainer.xml",
        "buildFile/Map-Main_Map-191af256.xml",
        "buildFile/Map-Main_Map-191af256/Board-East.xml",
        "buildFile/Map-Main_Map-191af256/Board-east-2.xml",
        "buildFile/PieceWindow-Pieces___more-141c23c4.xml",
        "buildFile/PieceWindow-Pieces___more-141c23c4/TabWidget.xml",
        "buildFile/PieceWindow-Pieces___more-141c23c4/TabWidget/ListWidget-CON.xml",
    }
    assert b"<?vmod-part Board-East?>" in files["buildFile/Map-Main_Map-191af256.xml"]
    assert files["members/Start.vsav/savedGame.txt"].startswith(b"begin_save\n %n\n %n\n  +/1/")
    assert "members/images/a.png" in files
    assert "members/empty" not in files


def test_a_game_becomes_one_command_a_line() -> None:
    lines = take_apart(GAME)["savedGame.txt"].decode().splitlines()
    assert " PLAYER\tsecret word\tAnn\tRed" in lines
    assert " LOG\tCHAT 100%25 <b>%E2%80%AE" in lines
    assert "  LOG\t\tX%20" in lines
    assert lines[-1] == " LOG\tnull"


@pytest.mark.parametrize("envelope", [{"upper": True}, {"key": 0}])
def test_the_envelope_is_kept(envelope: dict[str, bool]) -> None:
    data = zip_of({"savedGame": hidden(SAVE, **envelope)})
    assert again(data) == data


@pytest.mark.parametrize(
    "content",
    [
        b"VOBS\x07" + bytes(b ^ 7 for b in SAVE.encode()),
        SAVE.encode() + b"\xff\xfe",
        b"!VCSK00" + b"begin_save/Oo".hex().replace("6f", "6F", 1).encode(),
        b"!VCSK0",
        b"no game at all",
        b"\x1b".join([b"begin_save", b"'\x1b'", b"''", b"'"]),
    ],
    ids=["vobs", "undecodable", "mixed case", "cut short", "no game", "quotes"],
)
def test_odd_games_come_back(content: bytes) -> None:
    data = zip_of({"savedGame": content})
    assert again(data) == data


@given(
    st.text(
        alphabet=st.sampled_from(
            [ESC, "\\", "'", "%", " ", "\t", "\n", "\r", "q", "\u2028", "é", "\udcff"]
        )
    )
)
@example("'" + ESC + "'" + ESC + "''")
@example("'a\\" + ESC + "b'" + ESC + "c")
@example("'quoted'")
def test_any_text_comes_back_from_its_lines(text: str) -> None:
    lines = texts.to_lines(text)
    assert texts.from_lines(lines) == text
    assert texts.from_lines(lines.replace(b"\n", b"\r\n")) == text
    # No editor that trims lines can hurt.
    assert texts.from_lines(b"\n".join(line.rstrip() for line in lines.split(b"\n"))) == text


@pytest.mark.parametrize(
    "lines",
    [
        b"\xff\n",
        b"a\n  b\n",
        b"a\nb\n",
        b"",
        b" a\n",
        b"".join(b" " * n + b"x\n" for n in range(300)),
    ],
)
def test_broken_lines_are_refused(lines: bytes) -> None:
    with pytest.raises(VmodError) as caught:
        texts.from_lines(lines)
    assert caught.value.stable_code in ("EXPLODE_TEXT", "LIMIT_DEPTH")


# Streams and records


@pytest.mark.parametrize("level", range(1, 10))
@pytest.mark.parametrize("memory", [8, 9])
def test_zlib_settings_are_found(level: int, memory: int) -> None:
    content = os.urandom(2000) + b"some text that repeats " * 20_000
    found = find_settings(content, deflate(content, (level, memory)))
    if memory == 8 or level in (1, 6, 9):
        assert found is not None
    assert found is None or deflate(content, found) == deflate(content, (level, memory))


def test_a_stream_that_zlib_does_not_make_is_kept_beside() -> None:
    packer = zlib.compressobj(6, zlib.DEFLATED, -15, 8, zlib.Z_HUFFMAN_ONLY)
    content = b"abc" * 1000
    stream = packer.compress(content) + packer.flush()
    plain = new_archive({"a": content})
    ordinary = plain.entries[0]
    data = plain.to_bytes()
    swapped = data.replace(ordinary.stream, stream)
    size = struct.pack("<I", ordinary.compressed_size) + struct.pack("<I", len(content))
    swapped = swapped.replace(size, struct.pack("<II", len(stream), len(content)))
    at = swapped.index(b"PK\x01\x02")
    end = swapped.index(b"PK\x05\x06")
    swapped = swapped[: end + 16] + struct.pack("<I", at) + swapped[end + 20 :]
    files = take_apart(swapped)
    assert files["streams/a.bin"] == stream
    assert files["members/a"] == content
    assert again(swapped) == swapped


def test_another_machines_zlib_is_told() -> None:
    """The content stays; its stream is another, and so the file's bytes are."""
    data = zip_of({"savedGame": hidden(SAVE)})
    files = take_apart(data)
    index = json.loads(files[INDEX])
    index["entries"][0]["stream_crc"] ^= 1
    files[INDEX] = json.dumps(index).encode()
    rebuilt, changes = put_together(Memory(files))
    assert changes == (Change("savedGame", "deflated"),)
    assert contents(Archive.parse(rebuilt)) == contents(Archive.parse(data))


def test_what_cannot_be_read_is_kept_as_it_is() -> None:
    data = bytearray(zip_of({"a": b"content " * 9, "b": b"fine"}))
    data[Archive.parse(bytes(data)).entries[0].stream_at + 3] ^= 0xFF
    files = take_apart(bytes(data))
    assert "members/a" not in files
    assert again(bytes(data)) == data


def test_prefix_comment_order_and_duplicates_come_back(tmp_path: Path) -> None:
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.comment = b"a comment"
        archive.writestr("savedGame", hidden(SAVE))
        archive.writestr("buildFile", build_file(BUILD))
        archive.writestr("buildFile.xml", build_file())
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("savedGame", hidden(SAVE, 1))
        archive.filelist.reverse()
    data = b"#!/bin/sh\n" + path.read_bytes()
    files = take_apart(data)
    assert {
        "savedGame.txt",
        "savedGame-2.txt",
        "buildFile/module.xml",
        "buildFile-2/module.xml",
    } <= files.keys()
    assert again(data) == data


def test_offsets_that_stand_in_the_zip64_field_come_back() -> None:
    data = zip_of({"a": b"content"})
    at = data.index(b"PK\x01\x02")
    extra = struct.pack("<HHQ", 1, 8, 0)
    record = bytearray(data[at : at + 46] + b"a" + extra)
    record[30:32] = struct.pack("<H", len(extra))
    record[42:46] = b"\xff" * 4
    end = bytearray(data[data.index(b"PK\x05\x06") :])
    end[12:16] = struct.pack("<I", len(record))
    wide = data[:at] + bytes(record) + bytes(end)
    assert Index.parse(take_apart(wide)[INDEX]).entries[0].offset == 0
    assert again(wide) == wide


def test_limits_are_kept() -> None:
    limits = replace(COMMAND_LINE, entry_bytes=10)
    with pytest.raises(LimitError):
        take_apart(zip_of({"a": b"x" * 11}), limits)
    assert take_apart(zip_of({"a": b"x" * 10}), limits)


# Build files that are not split


@pytest.mark.parametrize(
    "text",
    [
        b"<a><b></a>",
        b"<!DOCTYPE a><a/>",
        b"<a><?vmod-part x?></a>",
        b"<a>" * 300 + b"</a>" * 300,
        "<a/>".encode("utf-16"),
    ],
)
def test_a_build_file_that_cannot_be_split_stays_whole(text: bytes) -> None:
    data = zip_of({"buildFile.xml": text})
    assert take_apart(data)["members/buildFile.xml"] == text
    assert again(data) == data


def test_a_stray_character_before_the_declaration_stays() -> None:
    data = zip_of({"buildFile.xml": ">" + build_file(BUILD)})
    assert take_apart(data)["buildFile/module.xml"].startswith(b"><?xml")
    assert again(data) == data


def test_line_ends_and_deep_nesting_stay() -> None:
    inner = "text\r\n"
    for n in range(12):
        inner = f'<VASSAL.build.widget.TabWidget entryName="{n}.xml">\r\n{inner}</VASSAL.build.widget.TabWidget>'
    split = parts.split(f"<r>{inner}<x.Inventory name='x y'/></r>\r\n".encode())
    assert split is not None
    assert "Inventory-x_y" in split
    assert max(path.count("/") for path in split) == 5
    assert parts.join(split.__getitem__).decode() == f"<r>{inner}<x.Inventory name='x y'/></r>\r\n"


def test_an_extensions_elements_are_called_after_their_target() -> None:
    target = "VASSAL.build.module.PieceWindow:Pieces/VASSAL.build.widget.ListWidget:Blue"
    split = parts.split(
        f'<e><a.ExtensionElement target="{target}"><b/></a.ExtensionElement></e>'.encode()
    )
    assert split is not None
    assert list(split) == ["ExtensionElement-ListWidget_Blue-36e070d5", "module"]


# Names


NAMES = [
    *(
        "../../etc/passwd",
        "/etc/passwd",
        "C:\\Windows\\x",
        "\\\\server\\share",
        "a\\..\\b",
        "con",
        "CON.txt",
    ),
    *(
        "aux.vsav",
        "nul",
        "LPT1.png",
        "a.",
        "a ",
        " a",
        "a..",
        "...",
        "..",
        ".",
        "",
        "a//b",
        ".git/hooks/x",
    ),
    *(
        ".gitattributes",
        "A.png",
        "a.png",
        "ａ.png",
        "é.png",
        "e\u0301.png",
        "a\0b",
        "a\nb",
        "\u202egnp.exe",
    ),
    *(
        "x" * 300 + ".png",
        "a/b",
        "a",
        "A/B/c",
        "GIT~1/x",
        "-rf",
        "vassal.json",
        "members/a",
        "%2e%2e/x",
        "a:b",
    ),
    *("d/" * 40 + "deep", "image.", "日本語/地図.png", "日本後/地図.png"),
]


def archive_of(names: Iterable[str]) -> bytes:
    """A zip with these names, each as often as it comes; zipfile would mend some of them."""
    chunks, records, at = [], [], 0
    for number, name in enumerate(names):
        raw = name.encode("utf-8", "surrogatepass")[:65_000]
        content = b"%d" % number
        sizes = (0, zlib.crc32(content), len(content), len(content), len(raw))
        chunk = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0x800, 0, 0, *sizes, 0) + raw + content
        record = struct.pack(
            "<4s6H3I5H2I",
            b"PK\x01\x02",
            20,
            20,
            0x800,
            0,
            0,
            *sizes[:1],
            *sizes[1:],
            0,
            0,
            0,
            0,
            0,
            at,
        )
        chunks.append(chunk)
        records.append(record + raw)
        at += len(chunk)
    directory = b"".join(records)
    count = len(records)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, count, count, len(directory), at, 0)
    return b"".join(chunks) + directory + end


def check_paths(files: dict[str, bytes]) -> None:
    """What every file system takes: plain names, no two alike, none both a file and a folder."""
    folded = {path.lower() for path in files}
    assert len(folded) == len(files)
    allowed = set(string.ascii_letters + string.digits + "._-/")
    for path in files:
        assert set(path) <= allowed
        assert is_safe_path(path)
        assert len(path) < 400
        folders = path.lower().split("/")[:-1]
        for depth in range(1, len(folders) + 1):
            assert "/".join(folders[:depth]) not in folded


def test_known_hostile_names() -> None:
    data = archive_of([*NAMES, *NAMES])
    files = take_apart(data)
    check_paths(files)
    assert len(files) == 2 * len(NAMES) + 1
    assert again(data) == data


hostile = st.one_of(
    st.sampled_from(NAMES),
    st.text(max_size=30),
    st.text(alphabet="./\\ aA~:con\0", max_size=12),
    st.lists(st.sampled_from(["..", ".", "", "CON", "a", "A", "nul.x", "é"]), max_size=9).map(
        "/".join
    ),
)


@settings(max_examples=200)
@given(st.lists(hostile, min_size=50, max_size=60))
def test_ten_thousand_hostile_names(names: list[str]) -> None:
    """Users.md D, zip slip: 200 archives of 50 names and more."""
    names = [name.encode("utf-8", "ignore").decode() for name in names]
    data = archive_of(names)
    files = take_apart(data)
    check_paths(files)
    assert again(data) == data


@pytest.mark.parametrize(
    "path",
    [
        "",
        "../x",
        "/x",
        "a/../b",
        "a\\b",
        "a/",
        "con",
        "a/NUL.txt",
        ".git/x",
        "a.",
        "a b",
        "-x",
        "é",
    ],
)
def test_unsafe_paths_are_known(path: str) -> None:
    assert not is_safe_path(path)


def test_names_are_recognised() -> None:
    names = SafeNames()
    assert names.file("", "Start position.vsav") == "Start_position.vsav"
    assert names.file("", "start_position.vsav") == "start_position-2.vsav"
    assert names.file("", "地図.png") == "__-85fcd6b5.png"
    assert names.file("", "CON.png") == "_CON.png"


# Edits


def test_an_edited_piece_is_the_only_change() -> None:
    def edit(files: dict[str, bytes]) -> None:
        files["savedGame.txt"] = files["savedGame.txt"].replace(
            b"Main Map;62;62;1", b"Main Map;99;62;1"
        )

    archive, changes = edited(GAME, edit)
    assert changes == (Change("savedGame", "changed"),)
    before = Archive.parse(GAME)
    for old, new in zip(before.entries, archive.entries, strict=True):
        assert (old.chunk == new.chunk) == (old.name != "savedGame")
    read = [a.read(a.entries[0]) for a in (before, archive)]
    assert decode(read[0])[0] == decode(read[1])[0]
    assert decode(read[1])[1].decode() == decode(read[0])[1].decode().replace(
        "Map;62;62;1", "Map;99;62;1"
    )


def test_an_edited_component_is_the_only_change() -> None:
    def edit(files: dict[str, bytes]) -> None:
        path = "buildFile/Map-Main_Map-191af256/Board-East.xml"
        files[path] = files[path].replace(b'width="10"', b'width="11"')

    archive, changes = edited(MODULE, edit)
    assert changes == (Change("buildFile.xml", "changed"),)
    old, new = contents(Archive.parse(MODULE)), contents(archive)
    assert new["buildFile.xml"] == old["buildFile.xml"].replace(b'width="10"', b'width="11"', 1)
    assert {k: v for k, v in new.items() if k != "buildFile.xml"} == {
        k: v for k, v in old.items() if k != "buildFile.xml"
    }


def test_a_save_in_a_module_is_edited_there() -> None:
    def edit(files: dict[str, bytes]) -> None:
        path = "members/Start.vsav/savedGame.txt"
        files[path] = files[path].replace(b"\tAnn\t", b"\tBob\t")

    archive, changes = edited(MODULE, edit)
    assert changes == (Change("Start.vsav", "changed"),)
    inner = Archive.parse(contents(archive)["Start.vsav"])
    assert b"\tBob\t" in decode(inner.read(inner.entries[0]))[1]


def test_new_members_are_added_and_taken_out() -> None:
    def add(files: dict[str, bytes]) -> None:
        files["members/images/new one.png"] = b"new"
        files["members/Start.vsav/members/note"] = b"inner"

    archive, changes = edited(MODULE, add)
    assert changes == (Change("Start.vsav", "changed"), Change("images/new one.png", "added"))
    assert archive.names()[-1] == "images/new one.png"
    inner = Archive.parse(contents(archive)["Start.vsav"])
    assert contents(inner)["note"] == b"inner"

    def drop(files: dict[str, bytes]) -> None:
        index = json.loads(files[INDEX])
        index["entries"] = [e for e in index["entries"] if e["entry"] != "images/a.png"]
        files[INDEX] = json.dumps(index).encode()

    archive, changes = edited(MODULE, drop)
    assert changes == ()
    assert "images/a.png" not in archive.names()


# Forged and broken folders


def with_index(change: Callable[[dict[str, object]], None], data: bytes = GAME) -> dict[str, bytes]:
    files = take_apart(data)
    index = json.loads(files[INDEX])
    change(index)
    files[INDEX] = json.dumps(index).encode()
    return files


def of_first(**fields: object) -> Callable[[dict[str, object]], None]:
    def change(index: dict[str, object]) -> None:
        entries = index["entries"]
        assert isinstance(entries, list)
        entries[0].update(fields)

    return change


FIRST = {"kind": "VCSK", "key": 1, "case": "lower"}


@pytest.mark.parametrize(
    "change",
    [
        *(of_first(path=p) for p in ("../../x", "/etc/passwd", "a\\b", ".git/config", "con")),
        of_first(stream="../x"),
        of_first(kind="program"),
        of_first(local="no base64!"),
        of_first(local="AAAA"),
        of_first(central=None),
        of_first(deflate=[99, 8]),
        of_first(envelope=FIRST | {"kind": "zip"}),
        of_first(envelope=FIRST | {"key": 256}),
        of_first(envelope=FIRST | {"case": "odd"}),
        of_first(envelope=[]),
        lambda index: index.update(version=2),
        lambda index: index.update(format="other"),
        lambda index: index.update(files=["../x"]),
        lambda index: index.clear(),
    ],
)
def test_a_forged_index_is_refused(change: Callable[[dict[str, object]], None]) -> None:
    assert code_of(with_index(change)) == "EXPLODE_INDEX"


def test_an_index_that_is_no_json_is_refused() -> None:
    for text in (b"", b"[" * 100_000, b"\xff", b"[]"):
        assert code_of({INDEX: text}) == "EXPLODE_INDEX"


def test_parts_are_never_read_from_elsewhere() -> None:
    for name in (b"../../x", b"a/b", b"con", b""):
        files = take_apart(MODULE)
        files["buildFile/module.xml"] = b"<a><?vmod-part " + name + b"?></a>"
        assert code_of(files) == "EXPLODE_PARTS"


def test_parts_end() -> None:
    """Forged files that hold themselves, or each other a thousand times a thousand times."""
    once, twice = b"<?vmod-part a?>", b"<?vmod-part a?><?vmod-part a?>"
    for forged in (lambda _: once, lambda path: twice if path == parts.ROOT else b""):
        with pytest.raises(VmodError) as caught:
            parts.join(forged)
        assert caught.value.stable_code == "EXPLODE_PARTS"


def test_archives_nest_once() -> None:
    files = take_apart(MODULE)
    inner = json.loads(files["members/Start.vsav/vassal.json"])
    inner["entries"][0].update(kind="archive", path="deeper/")
    files["members/Start.vsav/vassal.json"] = json.dumps(inner).encode()
    assert code_of(files) == "EXPLODE_INDEX"


def test_a_mask_of_letter_cases_survives_the_index() -> None:
    data = zip_of(
        {
            "savedGame": b"!VCSK"
            + b"00"
            + "".join(f"{b:02x}" for b in SAVE.encode()).replace("6f", "6F", 3).encode()
        }
    )
    assert again(data) == data


# On disk


def tree(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_there_and_back(vmod: Run, tmp_path: Path) -> None:
    source, folder, back = tmp_path / "a.vmod", tmp_path / "out", tmp_path / "b.vmod"
    source.write_bytes(MODULE)
    code, out, err = vmod("explode", source, folder)
    assert (code, out) == (0, "")
    assert "passwords" in err
    assert (folder / ".gitattributes").read_text().endswith("* -text\n")
    assert vmod("implode", folder, "-o", back) == (0, "", "")
    assert back.read_bytes() == MODULE
    (folder / "members/images/a.png").write_bytes(b"other")
    assert vmod("implode", folder, "-o", back) == (0, "changed images/a.png\n", "")
    assert vmod("implode", folder, "-o", back, "--quiet") == (0, "", "")


def test_a_folder_is_brought_up_to_date(vmod: Run, tmp_path: Path) -> None:
    source, folder = tmp_path / "a.vmod", tmp_path / "out"
    source.write_bytes(MODULE)
    vmod("explode", source, folder)
    (folder / "members/mine.txt").write_bytes(b"mine")
    (folder / ".gitattributes").write_bytes(b"mine")
    unchanged = (folder / "members/moduledata").stat().st_ino
    source.write_bytes(module(map_window("Main/Map"), members={"images": b"a file now"}))
    code, _, err = vmod("explode", source, folder)
    assert code == 0
    assert "removed members/Start.vsav/savedGame.txt" in err
    files = tree(folder)
    assert files["members/mine.txt"] == files[".gitattributes"] == b"mine"
    assert files["members/images"] == b"a file now"
    assert not any("Start.vsav" in path or "Board" in path for path in files)
    assert (folder / "members/moduledata").stat().st_ino == unchanged


def test_folders_that_become_empty_go(tmp_path: Path) -> None:
    write_folder(tmp_path, take_apart(zip_of({"a/b/c": b"1"})))
    assert write_folder(tmp_path, take_apart(zip_of({}))) == ("members/a/b/c",)
    assert sorted(p.name for p in tmp_path.iterdir()) == [".gitattributes", INDEX]


def test_a_folder_of_others_is_left_alone(vmod: Run, tmp_path: Path) -> None:
    source, folder = tmp_path / "a.vsav", tmp_path / "out"
    source.write_bytes(GAME)
    folder.mkdir()
    (folder / "thesis.txt").write_bytes(b"mine")
    code, _, err = vmod("explode", source, folder)
    assert code == 2
    assert err == f"{folder}: the folder is neither empty nor made by vmod explode [FILE_FOLDER]\n"
    assert list(tree(folder)) == ["thesis.txt"]
    assert "[FILE_FOLDER]" in vmod("explode", source, folder / "thesis.txt")[2]
    (folder / "thesis.txt").unlink()
    (folder / ".git").mkdir()
    assert vmod("explode", source, folder)[0] == 0


def test_a_file_of_others_in_the_way_is_left_alone(tmp_path: Path) -> None:
    write_folder(tmp_path, take_apart(zip_of({"a": b"1"})))
    (tmp_path / "members/b").write_bytes(b"mine")
    with pytest.raises(InputFileError) as caught:
        write_folder(tmp_path, take_apart(zip_of({"b": b"2"})))
    assert caught.value.stable_code == "FILE_EXISTS"
    # One with our own content is left from an explode that was cut short.
    (tmp_path / "members/b").write_bytes(b"2")
    assert write_folder(tmp_path, take_apart(zip_of({"b": b"2"}))) == ("members/a",)


def test_links_are_not_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.mkdir()
    (outside / "a").write_bytes(b"secret")
    write_folder(root, take_apart(zip_of({"d/a": b"1"})))
    (root / "members/d/a").unlink()
    (root / "members/d").rmdir()
    (root / "members/d").symlink_to(outside)
    with pytest.raises(InputFileError) as caught:
        DiskFiles(root).read("members/d/a")
    assert caught.value.stable_code == "FILE_LINK"
    with pytest.raises(InputFileError):
        write_folder(root, take_apart(zip_of({"d/a": b"2"})))
    assert write_folder(root, take_apart(zip_of({}))) == ("members/d/a",)
    assert (outside / "a").read_bytes() == b"secret"
    (root / "members/e").symlink_to(outside / "a")
    assert list(DiskFiles(root).below("members/")) == []


def test_a_forged_earlier_index_removes_nothing_outside(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "mine").write_bytes(b"mine")
    for path in ("../mine", str(tmp_path / "mine")):
        forged = {"format": "vmod-explode", "version": 1, "prefix": "", "tail": "", "shift": 0}
        (root / INDEX).write_text(json.dumps(forged | {"entries": [], "files": [path]}))
        with pytest.raises(VmodError) as caught:
            write_folder(root, take_apart(GAME))
        assert caught.value.stable_code == "EXPLODE_INDEX"
    assert (tmp_path / "mine").exists()


def test_missing_files_are_named(vmod: Run, tmp_path: Path) -> None:
    source, folder, back = tmp_path / "a.vsav", tmp_path / "out", tmp_path / "b.vsav"
    source.write_bytes(GAME)
    vmod("explode", source, folder, "--quiet")
    (folder / "members/moduledata").unlink()
    code, _, err = vmod("implode", folder, "-o", back)
    assert code == 2
    assert err.endswith("[FILE_MISSING]\n")
    assert "members/moduledata" in err
    (folder / "members/moduledata").mkdir()
    assert "[FILE_READ]" in vmod("implode", folder, "-o", back)[2]
    assert not back.exists()
    assert "[FILE_MISSING]" in vmod("implode", tmp_path / "nothing", "-o", back)[2]


def test_the_folder_itself_is_not_overwritten(vmod: Run, tmp_path: Path) -> None:
    write_folder(tmp_path, take_apart(GAME))
    before = tree(tmp_path)
    assert "[FILE_INPUT]" in vmod("implode", tmp_path, "-o", tmp_path / "savedGame.txt")[2]
    assert tree(tmp_path) == before


def test_what_is_no_archive_is_refused(vmod: Run, tmp_path: Path) -> None:
    source = tmp_path / "a.vsav"
    source.write_bytes(b"nothing")
    code, _, err = vmod("explode", source, tmp_path / "out")
    assert (code, err) == (2, f"{source}: not a zip archive [ARCHIVE_NOT_ZIP]\n")
    assert not (tmp_path / "out").exists()


def test_a_disk_that_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(InputFileError) as caught:
        write_folder(tmp_path / "out", take_apart(GAME))
    assert caught.value.stable_code == "FILE_WRITE"
    assert not list((tmp_path / "out").rglob("*"))


@pytest.mark.parametrize("suffix", [".vmod", ".vlog"])
def test_a_published_file_goes_to_disk_and_back(vmod: Run, tmp_path: Path, suffix: str) -> None:
    files = corpus_files(suffix)
    if not files:
        pytest.skip("no corpus")
    source = min(files, key=lambda p: abs(p.stat().st_size - 20_000))
    assert vmod("explode", source, tmp_path / "out", "--quiet")[0] == 0
    assert vmod("implode", tmp_path / "out", "-o", tmp_path / "back")[:2] == (0, "")
    assert (tmp_path / "back").read_bytes() == source.read_bytes()
