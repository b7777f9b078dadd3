"""Every file comes out as it went in, and what a file is and holds is said without a password."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vmod_tools.verify as under_test
from tests.support.crafted import (
    ESC,
    TAB,
    add,
    basic_state,
    chain,
    change,
    game,
    log_text,
    map_window,
    module,
    move,
    piece,
    save_text,
    seq,
    stack,
    step,
    tag,
    zip_of,
)
from vmod_tools.archive import Archive
from vmod_tools.describe import describe
from vmod_tools.errors import VmodError
from vmod_tools.limits import COMMAND_LINE
from vmod_tools.logs import Log
from vmod_tools.modules import Module
from vmod_tools.show import json_text, visible
from vmod_tools.steplist import step_rows
from vmod_tools.verify import STATES, TYPES, Verification, verify

START = save_text(piece("1", 5, 5), stack("s", 5, 5, "1"), rest=["PLAYER\tpw\tAnn\tRed"])


# Real files: issue 2, "Must show"


@pytest.fixture(scope="module")
def verified(corpus_files: tuple[Path, ...], genuine: Path) -> dict[Path, Verification]:
    files = [
        *corpus_files,
        *(p for p in genuine.iterdir() if p.suffix in (".vlog", ".vsav", ".vmod")),
    ]
    return {path: verify(path.read_bytes(), path.name) for path in files}


def test_every_real_file_is_exact(verified: dict[Path, Verification]) -> None:
    inexact = {path.name: result.inexact for path, result in verified.items() if not result.exact}
    assert inexact == {}
    assert len(verified) > 150
    assert sum(sum(result.checked.values()) for result in verified.values()) > 200_000


def test_every_layer_was_looked_at(verified: dict[Path, Verification]) -> None:
    checked: Counter[str] = sum((r.checked for r in verified.values()), Counter())
    commands = ("add command", "change command", "move command")
    layers = ("archive", "hidden form", "command tree", *commands, "type", "state", "trait")
    assert all(checked[layer] > 10 for layer in layers), checked


# What is wrong in real files.
_FOOTPRINT = "the state of footprint; has a malformed field"
_LAYER = "the state of emb2; has a surplus field: 4 tokens where 2 are known"


def test_malformed_real_files_are_reported_and_no_failure(
    verified: dict[Path, Verification],
) -> None:
    malformed = {path.name: r.malformed for path, r in verified.items() if r.malformed}
    kinds: Counter[str] = Counter()
    for name, lines in malformed.items():
        codes = {re.search(r"\[(\w+)\]", line)[1] for line in lines}  # type: ignore[index]
        (code,) = codes
        kinds[code] += 1
        if code == "BUILDFILE_XML":
            assert "buildFile.xml line 1 column 1" in lines[0]
        elif name.startswith("BrentEaston_vsql"):
            # `0;false;false;0` in 5 slots whose type is `footprint;T`: no form that VASSAL 3 writes.
            assert len(lines) == 3
            assert all(_FOOTPRINT in line for line in lines)
        else:
            # `-1;-1;-1;false` in layers of the 3.1 form: four tokens where VASSAL writes one or two.
            assert all(_LAYER in line for line in lines)
    assert kinds == {"BUILDFILE_XML": 5, "TRAIT_STATE": 9}


def test_traits_are_held_against_their_table(verified: dict[Path, Verification]) -> None:
    checked: Counter[str] = sum((r.checked for r in verified.values()), Counter())
    assert checked[TYPES] > 1_400_000
    assert checked[STATES] > 1_400_000
    # Traits of modules' own classes are in no table.
    assert 0 < checked["trait"] - checked[TYPES] < 10_000


def test_every_real_file_is_described(verified: dict[Path, Verification]) -> None:
    kinds: Counter[str] = Counter()
    for path in verified:
        try:
            kinds[describe(path.read_bytes(), path.name).kind] += 1
        except VmodError as error:
            kinds[error.stable_code] += 1
    suffixes = Counter(path.suffix for path in verified)
    assert kinds == {
        "save": suffixes[".vsav"],
        "log": suffixes[".vlog"],
        "module": suffixes[".vmod"] - 5,
        "extension": suffixes[".vmdx"],
        "BUILDFILE_XML": 5,
    }


# What verify would find


@pytest.mark.parametrize(
    ("broken", "layer"),
    [
        ("encode", "hidden form"),
        ("encode_tree", "command tree"),
        ("encode_chain", "state"),
    ],
)
def test_difference_is_found(monkeypatch: pytest.MonkeyPatch, broken: str, layer: str) -> None:
    monkeypatch.setattr(under_test, broken, lambda *_: "something else")
    result = verify(game(START), "x.vsav")
    assert layer in result.inexact
    assert not result.exact


def test_difference_in_a_setup_inside_a_module_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "encode_tree", lambda _: "something else")
    result = verify(module(members={"setup.vsav": game(START)}), "m")
    assert result.inexact == ["setup.vsav: command tree"]


def test_difference_in_a_type_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "encode_chain", lambda _: "something else")
    text = save_text(piece("odd one", 5, 5, ("zzz;never seen before", "")))
    assert "type" in verify(game(text), "x").inexact


# What is malformed is reported and kept


def malformed(text: str | bytes) -> list[str]:
    result = verify(game(text), "x.vsav")
    assert result.exact
    return result.malformed


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            seq(ESC, "begin_save", "+/17", "end_save"),
            "x.vsav:command 2:type: the add command is cut short: it has 1 of 3 fields [COMMAND_SHORT]",
        ),
        (
            log_text(START, step("M/1/Main/ten/5/null/null/0/0/null/hunter2")),
            "command 10:x: not a whole number [COMMAND_NUMBER]",
        ),
        (
            seq(ESC, "begin_save", "+/17/" + chain("delete;D", "piece;;;a;b") + "/", "end_save"),
            "x.vsav:command 2:17: 2 traits but 1 states [PIECE_DEPTH]",
        ),
        (
            b"!VCSK5a1",
            "x.vsav:savedGame: the text is cut short: 3 hex digits, an odd number [ENVELOPE_ODD]",
        ),
        (b"VOB", "[ENVELOPE_UNKNOWN]"),
    ],
)
def test_malformed_text_is_reported(text: str | bytes, line: str) -> None:
    (found,) = malformed(text)
    assert line in found
    assert "hunter2" not in found


def test_what_does_not_fit_the_tables_is_reported() -> None:
    text = save_text(
        piece("1", 5, 5, ("delete;", ""), ("emb2;;x", "1;;;"), ("hide;72,130", "hunter2;;")),
        piece("2", 5, 5, ("emb2;;x", "1;;;"), ("zzz;unknown", "x")),
        rest=["FLARE\tFlare0\tone\ttwo\tmore", "SGKC\tSGKC0"],
    )
    found = malformed(text)
    assert [line.removeprefix("x.vsav:") for line in found] == [
        "command 4:activate_modifiers: the type of emb2; has a malformed field: "
        "not a whole number [TRAIT_TYPE] (2 times)",
        "command 4:3: the state of emb2; has a surplus field: "
        "4 tokens where 2 are known [TRAIT_STATE] (2 times)",
        *(
            f"command 7:{field}: the flare command has a {fault} field: {message} [COMMAND_FIELD]"
            for field, fault, message in [
                ("x", "malformed", "not a whole number"),
                ("y", "malformed", "not a whole number"),
                ("4", "surplus", "past the last field"),
            ]
        ),
        "command 8:applied: the startup_key command has a missing field: "
        "required, and not there [COMMAND_FIELD]",
    ]
    assert "hunter2" not in "".join(found)


def test_changes_are_taken_apart_too() -> None:
    text = log_text(START, step("D/1/" + chain("a", "b").replace("/", "\\/")), step("D/1/a/b"))
    result = verify(game(text), "x")
    assert result.exact
    assert result.checked["change command"] == 2


def test_damaged_entry_and_broken_setup_are_reported() -> None:
    slot = tag("VASSAL.build.widget.PieceSlot", "+/null", entryName="U", gpid="1")
    data = module(
        slot, members={"setup.vsav": b"no zip", "good.vsav": game(START), "a.png": b"12345"}
    )
    data = data.replace(b"12345", b"12346", 1)
    found = verify(data, "m")
    assert [line.rpartition("[")[2] for line in found.malformed] == [
        "COMMAND_SHORT]",
        "ARCHIVE_NOT_ZIP]",
        "ARCHIVE_CRC]",
    ]
    assert found.malformed[0].startswith("m:buildFile.xml line 2:type: ")
    assert found.exact


def test_setup_inside_a_setup_is_not_followed() -> None:
    inner = zip_of({"savedGame": START, "deeper.vsav": b"no zip at all"})
    assert verify(module(members={"setup.vsav": inner}), "m").malformed == []


def test_part_that_is_too_large_is_no_success() -> None:
    limits = replace(COMMAND_LINE, entry_bytes=10)
    with pytest.raises(VmodError) as caught:
        verify(game(START), "x", limits)
    assert caught.value.stable_code == "LIMIT_ENTRY_BYTES"


@pytest.mark.parametrize("action", [verify, describe])
def test_zip_that_is_no_vassal_file(action: Callable[[bytes, str], object]) -> None:
    with pytest.raises(VmodError) as caught:
        action(zip_of({"a": "b"}), "x")
    assert caught.value.stable_code == "NOT_VASSAL"


@given(st.text(st.sampled_from("\\'\x1b\t/;ab1")) | st.text(), st.booleans())
def test_any_text_is_exact_or_refused(text: str, framed: bool) -> None:
    if framed:
        text = seq(ESC, "begin_save", "", text, "end_save") + ESC + text
    data = game(text)
    assert verify(data, "x").exact
    try:
        describe(data, "x")
        log = Log.read(Archive.parse(data))
        assert len(list(step_rows(log, None))) == len(log.steps)
    except VmodError:
        return


FRAGMENTS = st.sampled_from(
    [
        piece("1", 5, 5),
        stack("s", 5, 5, "1", "2"),
        move("1", (9, 9)),
        move("s", (9, 9), under="1"),
        "D/1/a/b",
        "D/s/Main Map;1;2;1;@@0",
        "-/1",
        "-/s",
        "+/1/stack/",
        "+/d/deck;/x;1;2;false;1,d",
        "+/d/stack/x;1;2;d;1",
        "CHAT* UNDO: x",
        "UNDO\ttrue",
        "PLAYER\tpw\tA\tB",
        "TURNx\t0|1",
        "MutableProperty\ta\tb\tc",
        "BoardPicker\tx\t0",
        "whatever",
    ]
)


@given(st.lists(st.lists(FRAGMENTS, min_size=1, max_size=4), max_size=6))
def test_any_steps_in_any_order_are_listed(steps: list[list[str]]) -> None:
    data = game(log_text(START, *(step(*commands) for commands in steps)))
    log = Log.read(Archive.parse(data))
    assert len(
        list(step_rows(log, Module.read(Archive.parse(module(map_window("Main Map"))))))
    ) == len(steps)
    assert verify(data, "x").exact


# Descriptions


def test_description_of_a_log() -> None:
    data = game(
        log_text(
            save_text(
                piece("1", 5, 5, ("zzz;x", "")),
                stack("s", 5, 5, "1"),
                rest=["PLAYER\tpw\tAnn\tRed", "NOTES\tmine", "INFO\tx", "NOTES\tyours"],
            ),
            step("CHATx"),
        ),
        module="M",
        savedata="<data><VassalVersion>3.7.1</VassalVersion><description>turn 3</description></data>",
    )
    told = describe(data, "x.vlog")
    assert told.kind == "log"
    facts = told.facts
    assert (facts["module"], facts["module_version"]) == ("M", "1.0")
    assert (facts["vassal_version"], facts["description"]) == ("3.7.1", "turn 3")
    assert (facts["hidden_as"], facts["text_was_guessed"]) == ("VCSK", False)
    assert (facts["pieces"], facts["stacks"], facts["steps"]) == (1, 1, 1)
    assert facts["maps"] == ["Main Map"]
    assert facts["players"] == [{"player": "p1", "name": "Ann", "side": "Red"}]
    assert told.not_understood == {"command INFO": 1, "trait zzz;": 1}


def test_description_of_a_save_with_nothing_else() -> None:
    told = describe(game(START), "x.vsav")
    assert told.kind == "save"
    assert told.facts["module"] is None


def test_description_of_a_module_and_an_extension(genuine: Path) -> None:
    told = describe((genuine / "small.vmod").read_bytes(), "small.vmod")
    assert (told.kind, told.facts["name"], told.facts["slots"]) == ("module", "Oracle Test", 3)
    assert told.facts["maps"] == [
        {
            "name": "Main Map",
            "boards": [{"name": "Board", "width": 400, "height": 360, "grid": "HexGrid"}],
        }
    ]
    members = {
        "buildFile.xml": '<VASSAL.build.module.ModuleExtension module="M"/>',
        "extensiondata": "<data><version>1.1</version></data>",
    }
    extension = describe(zip_of(members), "x.vmdx")
    assert extension.kind == "extension"
    assert extension.facts == {"extends": "M", "version": "1.1", "entries": 2}
    members.pop("extensiondata")
    assert describe(zip_of(members), "x.vmdx").facts["version"] == ""


def test_save_inside_a_module_zip_makes_it_a_save() -> None:
    buffer = io.BytesIO(module())
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("savedGame", START)
    assert describe(buffer.getvalue(), "x").kind == "save"


# What may be looked at


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, 図, é", "plain, 図, é"),
        ("a\nb\x1b[31m\x7f\x9b", "a\\x0ab\\x1b[31m\\x7f\\x9b"),
        ("\u202eevil\u2069\u2028\ufeff", "\\u202eevil\\u2069\\u2028\\ufeff"),
        ("caf\udce9", "caf\\xe9"),
        ("\ud800", "\\ud800"),
    ],
)
def test_unsafe_characters_are_made_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_json_can_always_be_printed_and_read_back() -> None:
    import json

    for text in ("a\nb\x1b", "\u202e", "caf\udce9", "図", "</script>", '"\\'):
        for indent in (None, 1):
            written = json_text({"t": text}, indent=indent)
            assert json.loads(written) == {"t": text}
            written.encode()
            assert visible(written.replace("\n", "")) == written.replace("\n", "")
    assert TAB not in json_text("a\tb")


def test_pieces_inside_traits_and_states_in_changes_are_held_against_the_tables() -> None:
    def marker(spec: str) -> str:
        return seq(";", "placemark", "Place", "77,130", spec)

    inner = add("null", ["pivot;P;80,130;ten", "piece;;;a.png;A"], ["", basic_state(1, 2)])
    types = [marker(inner), marker("+/null"), marker("a/path"), "placemark;cut", "piece;;;b.png;B"]
    whole = add("7", types, [*[""] * 4, basic_state(1, 2)])
    layer = add("8", ["emb2;", "piece;;;b.png;B"], ["1", basic_state(1, 2)])
    changed = change("8", chain("x", basic_state(1, 2)), chain("1", basic_state(1, 2)))
    text = log_text(save_text(whole, layer), step(changed))
    result = verify(game(text), "x.vlog")
    assert result.exact
    assert [line.partition(": ")[2] for line in result.malformed] == [
        "the type of placemark; has a missing field: required, and not there [TRAIT_TYPE]",
        "the type of pivot; has a malformed field: not a whole number [TRAIT_TYPE]",
        "the state of emb2; has a malformed field: not a whole number [TRAIT_STATE]",
    ]
    # Seven traits, and the two inside the first.
    assert result.checked[TYPES] == 9
    assert result.checked[STATES] == 11
