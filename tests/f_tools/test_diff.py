"""vmod diff: what differs between two files, said like git says it, without any password."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Protocol

import pytest

from tests.support.crafted import (
    add,
    basic_state,
    board,
    chain,
    change,
    deck,
    game,
    hidden,
    log_text,
    map_window,
    module,
    move,
    piece,
    save_text,
    stack,
    step,
    tag,
    zip_of,
)
from tests.support.places import REPO
from vmod_tools.archive import Archive
from vmod_tools.diff.files import difference_data, difference_lines, snapshot, snapshot_lines
from vmod_tools.diff.model import Snapshot, StepText, compare
from vmod_tools.envelope import decode
from vmod_tools.errors import VmodError
from vmod_tools.logs import Log

PASSWORD = "Tr0ub4dor"  # noqa: S105  (the point of these tests)
PLAYERS = [f"PLAYER\t{PASSWORD}\tAnn\tRed", "PLAYER\tother pw\tBob\tBlue"]
SLOT = "VASSAL.build.widget.PieceSlot"


class Run(Protocol):
    def __call__(self, *arguments: str | Path) -> tuple[object, str, str]: ...


def lines(old: bytes, new: bytes, *, raw: bool = False, at_end: bool = False) -> list[str]:
    """The differences, without the two lines that name the files."""
    found = compare(snapshot(old, raw=raw, at_end=at_end), snapshot(new, raw=raw, at_end=at_end))
    return list(difference_lines(found, "old", "new"))[2:]


def save(*pieces: str, rest: tuple[str, ...] = (), **more: bytes) -> bytes:
    return game(save_text(*pieces, rest=[*PLAYERS, *rest]), module="M", **more)


def text_of(data: bytes, *, raw: bool = False) -> list[str]:
    return list(snapshot_lines(snapshot(data, raw=raw)))


# Saves


def test_equal_saves_do_not_differ() -> None:
    old = save(piece("1", 1, 2, ("mark;Side", "Red")))
    assert lines(old, old) == []
    # Another key hides the same game; another date of saving is no difference.
    again = zip_of(
        {
            "savedGame": hidden(save_text(piece("1", 1, 2, ("mark;Side", "Red")), rest=PLAYERS), 9),
            "moduledata": Archive.parse(old)
            .read(Archive.parse(old).entries[1])
            .replace(b"1700000000000", b"1"),
        }
    )
    assert lines(old, again) == []
    assert lines(old, again, raw=True)[0] == "@@ entry savedGame @@ changed"


def test_pieces_that_come_go_move_and_change() -> None:
    old = save(
        piece("1", 10, 20, ("mark;Side,Size", "Red,2")),
        piece(
            "2", 30, 40, ("emb2;;2;A;;2;;;2;;;;1;false;0;0;a.png,b.png;,;true;Step;;;false;;1", "1")
        ),
        piece("3", 5, 5),
    )
    new = save(
        piece("1", 11, 20, ("mark;Side,Size", "Red,3")),
        piece(
            "2",
            30,
            40,
            ("emb2;;2;A;;2;;;2;;;;1;false;0;0;a.png,c.png;,;true;Step;;;false;;1", "-2"),
        ),
        piece("4", 5, 5),
    )
    assert lines(old, new) == [
        "@@ piece 1 unit 1 @@ moved",
        "-place: Main Map 10,20",
        "+place: Main Map 11,20",
        "-property Size: 2",
        "+property Size: 3",
        "@@ piece 2 unit 2 @@ changed",
        "-property Step_Level: 1",
        "+property Step_Level: 2",
        "-property Step_Active: true",
        "+property Step_Active: false",
        "-trait Layer Step: image_name: a.png,b.png",
        "+trait Layer Step: image_name: a.png,c.png",
        "@@ piece 4 unit 4 @@ added",
        "+place: Main Map 5,5",
        "+name: unit 4",
        "+gpid: 1",
        "+trait Basic Piece: image=red.png; name=unit 4",
        "@@ piece 3 unit 3 @@ removed",
        "-place: Main Map 5,5",
        "-name: unit 3",
        "-gpid: 1",
        "-trait Basic Piece: image=red.png; name=unit 3",
    ]


def test_traits_that_come_go_and_change_order() -> None:
    marker, cloned, deleted = (
        ("mark;Side", "Red"),
        ("clone;Clone;67,130;", ""),
        ("delete;Delete;68,130;", ""),
    )
    old = save(piece("1", 1, 1, marker, cloned, deleted))
    assert lines(old, save(piece("1", 1, 1, marker, deleted, cloned))) == [
        "@@ piece 1 unit 1 @@ changed",
        "-order: trait Clone Clone, trait Delete Delete",
        "+order: trait Delete Delete, trait Clone Clone",
    ]
    assert lines(old, save(piece("1", 1, 1, cloned, cloned, deleted))) == [
        "@@ piece 1 unit 1 @@ changed",
        "-property Side: Red",
        "-trait Marker Side: ",
        "+trait Clone Clone #2: command_name=Clone",
    ]


def test_defaults_that_are_written_or_left_out_are_the_same() -> None:
    """Another VASSAL version writes more fields; what they say is their default."""
    old = save(piece("1", 1, 1, ("delete;Delete;68,130", "")))
    new = save(piece("1", 1, 1, ("delete;Delete;68,130;", "")))
    assert lines(old, new) == []
    assert lines(old, new, raw=True)[1:3] == [
        "-type 1: delete;Delete;68,130",
        "+type 1: delete;Delete;68,130;",
    ]


def test_surplus_and_missing_fields_are_shown() -> None:
    cut_short = "propertysheet;x", "matPiece;", "deselect;"
    rest = [(text, "") for text in cut_short]
    old = save(piece("1", 1, 1, ("delete;Delete;68,130;;new", ""), ("return;", ""), *rest))
    new = save(piece("1", 1, 1, ("delete;Delete;68,130;;newer", ""), ("submenu;x", ""), *rest))
    assert lines(old, new) == [
        "@@ piece 1 unit 1 @@ changed",
        "-trait Delete Delete: field 4: new",
        "+trait Delete Delete: field 4: newer",
        "+trait Sub-menu x: menu_name=x",
        "-trait Return to Deck: return_command=",
    ]


def test_stacks_are_told_by_what_a_piece_lies_on() -> None:
    pieces = piece("1", 1, 1), piece("2", 1, 1), piece("3", 1, 1)
    old = save(*pieces, stack("s", 1, 1, "1", "2", "3"))
    new = save(*pieces, stack("t", 1, 1, "1", "3"), stack("u", 1, 1, "2"))
    assert lines(old, new) == [
        "@@ piece 2 unit 2 @@ changed",
        "-on: 1",
        "@@ piece 3 unit 3 @@ changed",
        "-on: 2",
        "+on: 1",
    ]
    assert "@@ stack u @@ added" in lines(old, new, raw=True)


def test_decks_are_told_by_their_order() -> None:
    cards = piece("1", 1, 1), piece("2", 1, 1), piece("3", 1, 1)
    old = save(*cards, deck("d", 1, 1, "1", "2", "3"))
    assert lines(old, save(*cards, deck("d", 1, 1, "2", "1", "3"))) == [
        "@@ deck d Deck @@ changed",
        "-order: 1, 2",
        "+order: 2, 1",
    ]
    assert lines(old, save(*cards, deck("d", 1, 1, "1", "2"))) == [
        "@@ piece 3 unit 3 @@ changed",
        "-on: deck d",
    ]


def test_boards_properties_turns_players_and_notes() -> None:
    turn = "TURNTurnTracker0\t0|1;0;true;13"
    old = save(
        rest=(
            turn,
            "GlobalProperty\t;Week;1;Module",
            "NOTES\tfirst",
            "EXT\tmore\t1",
            f"PNOTE\t{PASSWORD}\tsecret",
        )
    )
    new = game(
        save_text(
            rest=[
                f"PLAYER\t{PASSWORD}\tAnn\tBlue",
                turn.replace("1;", "2;"),
                "GlobalProperty\t;Week;2;Module",
                "GlobalProperty\t;New;1",
                "NOTES\tsecond\u202e",
                f"PNOTE\t{PASSWORD}\tother secret",
                "Second MapBoardPicker\tA\t0\t0\tB/rev\t1\t0",
                "CHATnote",
            ]
        ),
        module="N",
    )
    assert lines(old, new) == [
        "@@ metadata moduledata @@ changed",
        "-name: M",
        "+name: N",
        "@@ player p1 @@ changed",
        "-side: Red",
        "+side: Blue",
        "@@ player p2 @@ removed",
        "-name: Bob",
        "-side: Blue",
        "@@ boards Second Map @@ added",
        "+boards: A 0 0; B/rev 1 0",
        "@@ turn TurnTracker0 @@ changed",
        "-state: 0|1;0;true;13",
        "+state: 0|2;0;true;13",
        "@@ property New @@ added",
        "+value: 1",
        "@@ property Module/Week @@ changed",
        "-value: 1",
        "+value: 2",
        "@@ command NOTES 1 @@ changed",
        "-text: first",
        "+text: second\\u202e",
        "@@ command EXT 1 @@ removed",
        "-text: more\t1".replace("\t", "\\x09"),
        "@@ command PNOTE 1 @@ changed",
        "-text: (not shown)",
        "+text: (not shown)",
        "@@ command CHAT 1 @@ added",
        "+text: note",
    ]


def test_other_entries_are_told_by_their_content() -> None:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x04\x08\x06\0\0\0abcd"
    old = save()
    new = game(
        save_text(rest=PLAYERS),
        module="M",
        **{"images/a.png": png, "dir/": b"", "images/b.png": b"\0"},
    )
    assert lines(old, new) == [
        "@@ entry images/a.png @@ added",
        "+pixels: 3×4",
        "+bytes: 33",
        "+sha256: 0cfd67457c247581",
        "@@ entry images/b.png @@ added",
        "+bytes: 1",
        "+sha256: 6e340b9cffb37a98",
    ]


def test_damaged_and_double_entries_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile", "<VASSAL.build.GameModule/>")
        archive.writestr("moduledata", "<not xml")
        archive.writestr("x", b"12345")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("x", b"abcde")
    data = path.read_bytes().replace(b"12345", b"12346")
    found = text_of(data)
    assert "entry x" in found
    assert "  unreadable: ARCHIVE_CRC" in found
    assert "entry x #2" in found
    assert "entry moduledata" in found


# Logs


START = save_text(
    piece("1", 1, 1, ("PROP;Mode;;", "")),
    stack("s", 1, 1, "1"),
    piece("3", 5, 9),
    stack("t", 5, 9, "3"),
    deck("d", 9, 9),
    rest=PLAYERS,
)
STEPS = (
    step(move("1", (5, 5), (1, 1), player=PASSWORD), "CHAT* 1 moves"),
    step(change("1", chain("road", basic_state(5, 5))), "MutableProperty\tdice\t1\t2\tModule"),
    step(piece("2", 7, 7), "TURNTurnTracker0\t1|0", "UNDO\ttrue", "CUSTOM\tx"),
    step("-/2"),
    step(move("t", (9, 8), (5, 9), player="other pw"), change("d", "Main Map;9;9;true")),
)


def test_two_logs_with_other_steps() -> None:
    old = game(log_text(START, *STEPS))
    new = game(
        log_text(START, STEPS[0], STEPS[1].replace("road", "bp"), *STEPS[3:], step("CHAThello"))
    )
    assert lines(old, new) == [
        "@@ step 2 @@ changed, the first that differs",
        "-piece 1 unit 1: property Mode:  → road",
        "+piece 1 unit 1: property Mode:  → bp",
        "@@ step 3 @@ changed",
        "-added piece 2 unit 2",
        "-piece 2 unit 2: place: Main Map 7,7",
        "-turn TurnTracker0: 1|0",
        "-undo: true",
        "-command CUSTOM",
        "@@ step 4 @@ removed",
        "-player: p1",
        "-removed piece 2 unit 2",
        "-piece 2 unit 2: place: Main Map 7,7",
        "@@ step 5 @@ added",
        "+player: p2",
        "+chat: hello",
    ]
    data = difference_data(compare(snapshot(old), snapshot(new)), "a", "b")
    assert data["first_different_step"] == 2


def test_the_text_of_a_log() -> None:
    found = text_of(game(log_text(START, *STEPS)))
    assert found[found.index("step 1 p1") :] == [
        "step 1 p1",
        "  piece 1 unit 1: place: Main Map 1,1 → Main Map 5,5",
        "  chat: * 1 moves",
        "step 2 p1",
        "  piece 1 unit 1: property Mode:  → road",
        "  property Module/dice: 1 → 2",
        "step 3 p1",
        "  added piece 2 unit 2",
        "  piece 2 unit 2: place: Main Map 7,7",
        "  turn TurnTracker0: 1|0",
        "  undo: true",
        "  command CUSTOM",
        "step 4 p1",
        "  removed piece 2 unit 2",
        "  piece 2 unit 2: place: Main Map 7,7",
        "step 5 p2",
        "  deck d Deck: face down: false → true",
        "  piece 3 unit 3: place: Main Map 5,9 → Main Map 9,8",
    ]


def test_raw_steps_show_the_fields_but_the_player() -> None:
    found = text_of(game(log_text(START, *STEPS)), raw=True)
    assert "  move 1 Main Map 5 5 null Main Map 1 1 null" in found
    assert "  piece 1 unit 1: state 1:  → road" in found
    assert "  piece 2 unit 2: type 1: piece;;;red.png;unit 2" in found
    assert "stack s" in found


def test_a_log_and_the_save_at_its_end(genuine: Path, vmod: Run) -> None:
    end, log = genuine / "small-3.7.vsav", genuine / "small-3.7.vlog"
    code, out, _ = vmod("diff", log, end)
    assert code == 1
    assert "@@ step 1 @@ removed, the first that differs\n" in out
    assert vmod("diff", log, end, "--at-end") == (0, "", "")
    # Results of dice are properties, which no save holds.
    assert "-value: 3,3" in vmod("diff", log, end, "--at-end", "--raw")[1]


def test_the_genuine_log_in_two_versions(genuine: Path) -> None:
    found = lines(
        (genuine / "small-3.6.vlog").read_bytes(), (genuine / "small-3.7.vlog").read_bytes()
    )
    assert "-VASSAL version: 3.6.0-SNAPSHOT-9a37405aa" in found
    assert "+VASSAL version: 3.7.26" in found


def test_an_edited_genuine_save(genuine: Path, vmod: Run, tmp_path: Path) -> None:
    """Exploded, one value changed by hand, imploded: that value differs, and nothing else."""
    source, folder, edited = genuine / "small-3.7.vsav", tmp_path / "out", tmp_path / "b.vsav"
    vmod("explode", source, folder, "--quiet")
    text = folder / "savedGame.txt"
    content = text.read_bytes()
    text.write_bytes(content.replace(b"/5\tBlue,", b"/5\tRed,", 1))
    assert text.read_bytes() != content
    assert vmod("implode", folder, "-o", edited) == (0, "changed savedGame\n", "")
    code, out, _ = vmod("diff", source, edited)
    assert code == 1
    assert re.sub(r"\d{13}", "ID", out).splitlines()[2:] == [
        "@@ piece ID 1st Blue @@ changed",
        "-property Side: Blue",
        "+property Side: Red",
    ]


def test_very_long_logs_are_compared_in_place() -> None:
    old = [StepText(n, "", (f"a{n}",)) for n in range(1, 3100)]
    new = [StepText(1, "", ("b",)), *old[1:]]
    found = compare(Snapshot("game", {}, tuple(old)), Snapshot("game", {}, tuple(new)))
    assert [d.key for d in found] == ["step 1"]


# Passwords


def concealed(owner: str, *, spec_owner: str = "null") -> bytes:
    inner = add(
        "null",
        ["hide;72,130;Hide;;side:", "mine;x", "piece;;;m.png;mine"],
        [spec_owner, "z", "null;0;0;1"],
    )
    return save(
        piece(
            "1",
            1,
            1,
            ("hide;72,130;Hide;;player:", owner),
            ("obs;77,130;back.png;Mask;I;?;player:", f"{owner};"),
            ("restrict;;true;true", owner),
            (f"concealment;{owner};ge", f"{owner};1"),
            ("placemark;Mine;77,130;" + inner.replace(";", "\\;") + ";null;0;0", ""),
            ("replace;Broken;;+/x;null;0;0", ""),
            ("replace;Path;;a/b;null;0;0", ""),
        )
    )


@pytest.mark.parametrize("raw", [False, True])
def test_no_password_is_shown(raw: bool) -> None:
    clear, owned = concealed("null"), concealed(PASSWORD, spec_owner=PASSWORD)
    log = game(
        log_text(
            START,
            *STEPS,
            step(f"SNOTE\tname\t{PASSWORD}\tfalse\ttext", f"PLAYER\t{PASSWORD}\tAnn\tBlue"),
            step(
                add(
                    "9",
                    ["hide;72,130;Hide;;player:", "piece;;;a.png;A"],
                    [PASSWORD, basic_state(1, 1)],
                )
            ),
        )
    )
    for data in (clear, owned, log):
        text = "\n".join(text_of(data, raw=raw))
        assert PASSWORD not in text
        assert "other pw" not in text
    found = "\n".join(lines(clear, owned, raw=raw))
    assert PASSWORD not in found
    assert "(not shown)" in found
    if not raw:
        assert "+trait Invisible: owner: p1" in found
        assert "-trait concealment;: state: (not shown)" in found


def test_an_unknown_owner_is_someone() -> None:
    found = lines(concealed("null"), concealed("who?"))
    assert "+trait Invisible: owner: someone" in found
    assert "who?" not in "\n".join(found)


def test_a_new_password_is_no_difference() -> None:
    old = concealed(PASSWORD)
    archive = Archive.parse(old)
    plain = decode(archive.read(archive.entries[0]))[1].decode()
    new = game(plain.replace(PASSWORD, "a new one"), module="M")
    # Where a custom trait keeps it nobody knows; that it differs is said.
    assert lines(old, new) == [
        "@@ piece 1 unit 1 @@ changed",
        *[
            f"{sign}trait concealment;: {part}: (not shown)"
            for part in ("type", "state")
            for sign in "-+"
        ],
    ]


def known_ids(path: Path) -> set[str]:
    """Ids of players and owners in a file, but those that are also somebody's name or side."""
    try:
        log = Log.read(Archive.parse(path.read_bytes()))
    except VmodError:
        return set()
    ids = {p.user_id for p in log.players}
    for state in (log.states[0], log.states[-1]):
        for placed in state.pieces.values():
            for trait in placed.piece.traits():
                if trait.kind.prefix in ("obs;", "hide;", "restrict;"):
                    ids.add(trait.state.partition(";")[0])
    return ids - {p.name for p in log.players} - {p.side for p in log.players} - {"", "null"}


_INNOCENT = {
    # Words that somebody wrote into a text of the game itself.
    "hip-concealed.vsav": "The configured user is test/password",
    "custom-labels.vlog": "<test>",
}


def test_no_published_file_gives_a_password(corpus_files: tuple[Path, ...]) -> None:
    checked = 0
    for path in corpus_files:
        if path.suffix not in (".vsav", ".vlog"):
            continue
        ids = known_ids(path)
        text = "\n".join(text_of(path.read_bytes()))
        innocent = next((v for k, v in _INNOCENT.items() if path.name.endswith(k)), None)
        if innocent is not None:
            text = text.replace(innocent, "")
        for word in ids:
            assert not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text), (path.name, word)
            checked += 1
    assert checked > 20


# Modules


PROTOTYPE = "+/null/delete;Delete;68,130;\tpiece;;;;/\tnull;0;0;;0"
SLOT_TEXT = "+/null/mark;Side\tpiece;;;a.png;A/Red\tnull;0;0;7;0"


def slot(text: str, name: str = "A", **more: str) -> str:
    return tag(SLOT, text, entryName=name, gpid="7", **more)


def window(*slots: str) -> str:
    return tag("VASSAL.build.widget.ListWidget", *slots, entryName="Units")


def definition(text: str) -> str:
    return tag("VASSAL.build.module.PrototypeDefinition", text, name="Unit")


def test_components_slots_prototypes_and_entries() -> None:
    old = module(
        map_window("Main", board("East", 10, 10)),
        window(slot(SLOT_TEXT), slot(SLOT_TEXT)),
        definition(PROTOTYPE),
        members={
            "images/a.png": b"one",
            "images/b.png": b"same",
            "Start.vsav": save(piece("1", 1, 1)),
        },
    )
    new = module(
        map_window("Main", board("East", 10, 12), board("West", 5, 5)),
        window(
            slot(SLOT_TEXT.replace("Red", "Blue").replace("a.png", "b.png"), height="9"),
            slot(SLOT_TEXT),
        ),
        definition(PROTOTYPE.replace("68,130", "69,130")),
        members={
            "images/a.png": b"two",
            "images/b.png": b"same",
            "Start.vsav": save(piece("1", 2, 1)),
        },
    )
    found = lines(old, new)
    assert [line for line in found if "sha256" not in line and "text: " not in line] == [
        "@@ Map[Main]/BoardPicker/Board[East] @@ changed",
        "-height: 10",
        "+height: 12",
        "@@ Map[Main]/BoardPicker/Board[West] @@ added",
        "+name: West",
        "+width: 5",
        "+height: 5",
        "+color: 200,200,200",
        "@@ ListWidget[Units]/PieceSlot[A] @@ changed",
        "+height: 9",
        "-property Side: Red",
        "+property Side: Blue",
        "-trait Basic Piece: image: a.png",
        "+trait Basic Piece: image: b.png",
        "@@ PrototypeDefinition[Unit] @@ changed",
        "+trait Delete Delete: key: 69,130",
        "@@ game Start.vsav @@ changed",
        "@@ game Start.vsav: piece 1 unit 1 @@ moved",
        "-place: Main Map 1,1",
        "+place: Main Map 2,1",
        "@@ entry images/a.png @@ changed",
    ]
    assert lines(old, new, raw=True)


def test_the_order_of_components_counts() -> None:
    one, other = board("A", 1, 1), board("B", 2, 2)
    found = lines(module(map_window("M", one, other)), module(map_window("M", other, one)))
    assert found == [
        "@@ Map[M]/BoardPicker @@ changed",
        "-order: Board[A], Board[B]",
        "+order: Board[B], Board[A]",
    ]


def test_texts_that_are_no_pieces_are_not_shown() -> None:
    old, new = (module(window(slot(text))) for text in ("-/x", f"+/{PASSWORD}"))
    assert lines(old, new) == [
        "@@ ListWidget[Units]/PieceSlot[A] @@ changed",
        "-text: (not shown)",
        "+text: (not shown)",
    ]
    old, new = (module(tag("a.PlayerRoster", tag("entry", side))) for side in ("Red", "Blue"))
    assert lines(old, new) == [
        "@@ PlayerRoster#2/entry[Blue] @@ added",
        "+text: Blue",
        "@@ PlayerRoster#2/entry[Red] @@ removed",
        "-text: Red",
    ]


def test_members_that_are_no_saves_are_plain_entries() -> None:
    data = module(members={"a.vsav": b"no zip", "b.vsav": zip_of({"x": b""}), "c.vsav": game(b"?")})
    found = text_of(data)
    assert {"entry a.vsav", "entry b.vsav", "entry c.vsav"} <= set(found)


def test_an_unreadable_build_file_leaves_the_entries() -> None:
    old, new = (zip_of({"buildFile.xml": "><a/>", "x": content}) for content in ("1", "2"))
    assert lines(old, new)[0] == "@@ entry x @@ changed"
    assert "  unreadable: BUILDFILE_XML" in text_of(old)


def test_published_modules(corpus_files: tuple[Path, ...]) -> None:
    """Two versions of one module: a few components differ, and the rest does not."""
    first, second = (
        p
        for p in corpus_files
        if "hurufu" in p.name and p.suffix == ".vmod" and "f149" not in p.name
    )
    found = lines(first.read_bytes(), second.read_bytes())
    assert found
    assert len(found) < 200
    assert lines(first.read_bytes(), first.read_bytes()) == []


# The command


def test_exit_codes_and_formats(vmod: Run, tmp_path: Path) -> None:
    old, new, other, bad = (tmp_path / n for n in ("a.vsav", "b.vsav", "c.vmod", "d.vsav"))
    old.write_bytes(save(piece("1", 1, 1)))
    new.write_bytes(save(piece("1", 2, 1)))
    other.write_bytes(module())
    bad.write_bytes(b"nothing")
    assert vmod("diff", old, old) == (0, "", "")
    assert vmod("diff", old, new) == (
        1,
        f"--- {old}\n+++ {new}\n@@ piece 1 unit 1 @@ moved\n-place: Main Map 1,1\n+place: Main Map 2,1\n",
        "",
    )
    code, out, _ = vmod("diff", old, new, "--format", "json")
    assert code == 1
    assert json.loads(out) == {
        "old": str(old),
        "new": str(new),
        "different": True,
        "first_different_step": None,
        "differences": [
            {
                "item": "piece 1",
                "name": "unit 1",
                "what": "moved",
                "changes": [{"field": "place", "old": "Main Map 1,1", "new": "Main Map 2,1"}],
            }
        ],
    }
    assert vmod("diff", old, other)[::2] == (
        2,
        f"{other}: is a module, and cannot be compared with a game [DIFF_KINDS]\n",
    )
    assert vmod("diff", old, bad)[::2] == (2, f"{bad}: not a zip archive [ARCHIVE_NOT_ZIP]\n")
    assert vmod("diff", old, tmp_path / "no")[0] == 2
    assert vmod("diff", old)[0] == 2
    assert "1 file must" in vmod("diff", old, new, "--textconv")[2]


def test_textconv_never_fails_on_a_file_that_is_there(vmod: Run, tmp_path: Path) -> None:
    """git stops with an error when a textconv does."""
    path = tmp_path / "a.vsav"
    for content in (b"nothing", zip_of({"x": b""}), game(b"?\x00")):
        path.write_bytes(content)
        code, out, err = vmod("diff", "--textconv", path)
        assert (code, err) == (0, "")
        assert re.fullmatch(r"not readable: .* \[[A-Z_]+\]\n  sha256: [0-9a-f]{16}\n", out)
    assert vmod("diff", "--textconv", tmp_path / "no")[0] == 2


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@x", *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@needs_git
def test_git_shows_what_differs(tmp_path: Path) -> None:
    """docs/git.md, word for word, in a real repository."""
    guide = (REPO / "docs/git.md").read_text("utf-8")
    attributes = re.findall(r"^\*\.v\w+ diff=vassal$", guide, re.MULTILINE)
    settings = re.findall(r"^git config (\S+) (?:\"(.*)\"|(\w+))$", guide, re.MULTILINE)
    assert (len(attributes), len(settings)) == (4, 2)
    git(tmp_path, "init", "--quiet")
    for name, quoted, plain in settings:
        command = quoted.replace("vmod ", f"'{sys.executable}' -m vmod_tools.cli ")
        git(tmp_path, "config", name, command or plain)
    (tmp_path / ".gitattributes").write_text("\n".join(attributes) + "\n")
    path = tmp_path / "turn 1.vsav"
    path.write_bytes(save(piece("1", 10, 20, ("mark;Side", "Red"))))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    path.write_bytes(save(piece("1", 11, 20, ("mark;Side", "Red"))))
    shown = git(tmp_path, "diff")
    assert re.findall(r"^[+-] .*$", shown, re.MULTILINE) == [
        "-  place: Main Map 10,20",
        "+  place: Main Map 11,20",
    ]
    assert " piece 1 unit 1" in shown
    assert PASSWORD not in shown
    # A file that cannot be read does not stop git.
    path.write_bytes(b"broken")
    assert "+not readable: not a zip archive [ARCHIVE_NOT_ZIP]" in git(tmp_path, "diff")


@needs_git
def test_git_keeps_the_bytes_of_a_folder(vmod: Run, tmp_path: Path) -> None:
    """With the setting that changes all line ends, and a build file that has both kinds."""
    source, folder = tmp_path / "a.vmod", tmp_path / "repository"
    text = module(
        map_window("M", board("A", 1, 1)), members={"help.txt": b"a\r\nb\n", "s.vsav": save()}
    )
    source.write_bytes(text)
    folder.mkdir()
    git(folder, "init", "--quiet")
    git(folder, "config", "core.autocrlf", "true")
    assert vmod("explode", source, folder / "game")[0] == 0
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "first")
    shutil.rmtree(folder / "game")
    git(folder, "checkout", ".")
    assert vmod("implode", folder / "game", "-o", tmp_path / "b.vmod") == (0, "", "")
    assert (tmp_path / "b.vmod").read_bytes() == text
    # Exploding the same file again changes nothing.
    assert vmod("explode", source, folder / "game")[0] == 0
    assert git(folder, "status", "--porcelain") == ""
