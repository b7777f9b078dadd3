"""The real engine reads what was edited, and sees the edit and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import places
from tests.vassal.engine import Engine, Session
from vmod_tools.archive import Archive
from vmod_tools.boards import place_boards
from vmod_tools.edit.modules import ModuleEditor
from vmod_tools.edit.newsave import new_save
from vmod_tools.edit.pieceedits import AddTrait, RemoveTrait, Rename, SetProperty
from vmod_tools.edit.saves import SaveEditor
from vmod_tools.edit.selectors import parse_selector
from vmod_tools.edit.setuptable import read_table
from vmod_tools.gridpoints import point_of
from vmod_tools.modules import Module
from vmod_tools.pieces import Place
from vmod_tools.saves import Save

pytestmark = pytest.mark.engine

MAP = "Main Map"
EVERYTHING = parse_selector("*")
GENUINE = ("small-3.6.vsav", "small-3.7.vsav", "small-3.6.vlog", "small-3.7.vlog")


@pytest.fixture(scope="module")
def small(engine: Engine, genuine: Path) -> Session:
    return engine.shared(genuine / "small.vmod")


def differences(answer: dict[str, Any]) -> set[tuple[str, str, str]]:
    """What the engine would write otherwise: piece, kind of difference, and the texts; levels are not
    counted, for an added trait moves them."""
    found = {
        (piece["id"], kind, json.dumps(texts[1:]))
        for piece in answer["roundTrip"]["pieceDifferences"]
        for kind, changes in piece.items()
        if kind != "id"
        for texts in changes
    }
    lost = answer["roundTrip"]["commandsOnlyInFile"]
    return found | {("", "lost", command) for command in lost}


def by_id(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {piece["id"]: piece for piece in answer["pieces"]}


def edit_marker(editor: SaveEditor, piece_id: str) -> None:
    assert editor.edit([piece_id], SetProperty("Kind", "Guard;1/2'")) == 1


def edit_dynamic(editor: SaveEditor, piece_id: str) -> None:
    assert editor.edit([piece_id], SetProperty("Strength", "9")) == 1


def edit_traits(editor: SaveEditor, piece_id: str) -> None:
    assert editor.edit(editor.select(EVERYTHING), AddTrait("mark;Supply", "full")) == 4
    assert editor.edit([piece_id], RemoveTrait("delete;")) == 1


def edit_name(editor: SaveEditor, piece_id: str) -> None:
    assert editor.edit([piece_id], Rename("武蔵")) == 1


@pytest.mark.parametrize("name", GENUINE)
@pytest.mark.parametrize("edit", [edit_marker, edit_dynamic, edit_traits, edit_name])
def test_edited_file_differs_in_the_edit_alone(
    small: Session, genuine: Path, tmp_path: Path, name: str, edit: Any
) -> None:
    original = genuine / name
    editor = SaveEditor(Archive.parse(original.read_bytes()), steps=True)
    piece_id = editor.select(EVERYTHING)[0]
    edit(editor, piece_id)
    edited = tmp_path / name
    edited.write_bytes(editor.finish().to_bytes())

    asked = "Kind,Side,Strength,Supply,LocationName"
    before = small.ask("load-save", original, props=asked)
    after = small.ask("load-save", edited, props=asked)
    assert after["clean"] == before["clean"]
    assert differences(after) <= differences(before)
    was, now = by_id(before), by_id(after)
    assert was.keys() == now.keys()
    if edit is edit_marker:
        assert now[piece_id]["props"].pop("Kind") == "Guard;1/2'"
        was[piece_id]["props"].pop("Kind")
    elif edit is edit_dynamic:
        assert now[piece_id]["props"].pop("Strength") == "9"
        was[piece_id]["props"].pop("Strength")
    elif edit is edit_traits:
        # Those that the steps bring in are edited too, and not yet there.
        assert {p["props"].pop("Supply") for p in now.values()} <= {"full"}
        [p["props"].pop("Supply", None) for p in was.values()]
    else:
        assert "武蔵" in now[piece_id]["name"]
        for side in (was, now):
            for key in ("name", "basicName", "localizedName"):
                side.get(piece_id, {}).pop(key, None)
    assert now == was


@pytest.mark.parametrize("name", GENUINE[:2])
def test_moved_added_and_removed_pieces_are_where_they_belong(
    small: Session, genuine: Path, tmp_path: Path, name: str
) -> None:
    module = Module.read(Archive.parse((genuine / "small.vmod").read_bytes()))
    original = genuine / name
    editor = SaveEditor(Archive.parse(original.read_bytes()), module)
    gone, *others = editor.select(EVERYTHING)
    definition = module.maps[0]
    target = point_of(definition, editor.boards(definition), "0202")
    assert target == (102, 72)
    editor.remove([gone])
    editor.move(others, Place(MAP, *target))
    editor.set_global("Turn", "7")
    edited = tmp_path / name
    edited.write_bytes(editor.finish().to_bytes())

    before, after = small.ask("load-save", original), small.ask("load-save", edited)
    assert differences(after) <= differences(before)
    assert after["clean"] == before["clean"]
    assert {(p["id"], p["locationName"]) for p in after["pieces"]} == {(i, "0202") for i in others}
    stack = next(s for s in after["stacks"] if s["pieces"])
    assert stack["pieces"] == others
    assert after["globalProperties"]["Turn"] == "7"
    written = tmp_path / "again.vsav"
    small.ask("resave", edited, written)
    ours, theirs = (Save.read(Archive.parse(p.read_bytes())).state for p in (edited, written))
    assert {i: p.place for i, p in ours.pieces.items()} == {
        i: p.place for i, p in theirs.pieces.items()
    }


@pytest.mark.parametrize("name", GENUINE[2:])
def test_edited_log_plays_as_before(
    small: Session, genuine: Path, tmp_path: Path, name: str
) -> None:
    editor = SaveEditor(Archive.parse((genuine / name).read_bytes()), steps=True)
    editor.edit(editor.select(EVERYTHING), AddTrait("mark;Supply", "full"))
    edited = tmp_path / name
    edited.write_bytes(editor.finish().to_bytes())
    before = small.ask("play-log", genuine / name)
    after = small.ask("play-log", edited, props="Supply")
    assert [s["chat"] for s in after["steps"]] == [s["chat"] for s in before["steps"]]
    assert [(p["id"], p["name"], p["locationName"]) for p in after["pieces"]] == [
        (p["id"], p["name"], p["locationName"]) for p in before["pieces"]
    ]
    assert {p["props"]["Supply"] for p in after["pieces"]} == {"full"}


def test_new_save_loads_with_its_pieces_at_their_places(
    small: Session, genuine: Path, tmp_path: Path
) -> None:
    module = Module.read(Archive.parse((genuine / "small.vmod").read_bytes()))
    rows = read_table(
        b"slot,map,x,y,location,Strength,Side\n"
        b"1,Main Map,,,0302,7,\n1st Blue,Main Map,154,102,,,Green\n2nd Red,Main Map,102,72,,,\n"
    )
    path = tmp_path / "new.vsav"
    path.write_bytes(new_save(module, rows).to_bytes())
    answer = small.ask("load-save", path, props="Strength,Side")
    assert answer["clean"]
    assert [
        (p["name"], p["gpid"], p["locationName"], p["x"], p["y"], p["props"])
        for p in answer["pieces"]
    ] == [
        ("1st Red", "1", "0302", 154, 102, {"Strength": "7", "Side": "Red"}),
        ("1st Blue", "3", "0302", 154, 102, {"Strength": "5", "Side": "Green"}),
        ("2nd Red", "2", "0202", 102, 72, {"Strength": "6", "Side": "Red"}),
    ]
    assert [len(s["pieces"]) for s in answer["stacks"]] == [2, 1]
    assert not answer["roundTrip"]["commandsOnlyInFile"]
    assert all("stateChanged" not in d for d in answer["roundTrip"]["pieceDifferences"])


def test_points_of_names_are_the_engines(small: Session, genuine: Path) -> None:
    module = Module.read(Archive.parse((genuine / "small.vmod").read_bytes()))
    definition = module.maps[0]
    boards = place_boards(definition, ())
    names = [f"{column:02}{row:02}" for column in range(1, 7) for row in range(2, 6)]
    answer = small.ask("location", MAP, 1, 1, names=names)
    assert {n: list(point_of(definition, boards, n) or ()) for n in names} == answer["names"]


# Published files

PAIRS = (
    ("jzedwards_vassal-hex-n-counters-template__011e7b8c", "jzedwards_", ".vsav"),
    ("danj3000_BBVassal__adb55508", "danj3000_BBVassal__", ".vsav"),
    ("daishi1_IK_module__c37ab026", "daishi1_IK_module__50275f50", ".vsav"),
)


@pytest.mark.parametrize(("module", "save", "suffix"), PAIRS, ids=lambda word: word[:12])
def test_edited_published_save_differs_in_the_edit_alone(
    engine: Engine,
    corpus_files: tuple[Path, ...],
    tmp_path: Path,
    module: str,
    save: str,
    suffix: str,
) -> None:
    played = next(p for p in corpus_files if p.name.startswith(module))
    original = next(p for p in corpus_files if p.name.startswith(save) and p.suffix == suffix)
    editor = SaveEditor(Archive.parse(original.read_bytes()), steps=True)
    chosen = editor.select(EVERYTHING)
    assert editor.edit(chosen[:50], AddTrait("mark;Supply", "full")) == len(chosen[:50])
    assert editor.edit(chosen[:1], Rename("Renamed")) == 1
    edited = tmp_path / original.name
    edited.write_bytes(editor.finish().to_bytes())
    with engine.serve(played) as session:
        before, after = (
            session.ask("load-save", path, props="Supply") for path in (original, edited)
        )
    assert differences(after) <= differences(before)
    # A save without SETUP_STACK gets the module's deck once more, under new ids each time.
    was, now = ({i: p for i, p in by_id(a).items() if i in chosen} for a in (before, after))
    assert len(now) == len(chosen)
    assert {i for i, p in now.items() if p["props"].get("Supply") == "full"} == {
        i for i in chosen[:50] if i in was
    }
    renamed = now.pop(chosen[0])
    was.pop(chosen[0])
    assert renamed["basicName"] == "Renamed"
    for piece in (*was.values(), *now.values()):
        piece.pop("props")
    assert now == was


# A published module with a deck and several maps


@pytest.fixture(scope="module")
def template() -> Path:
    found = [p for p in places.corpus_files() if "hex-n-counters-template__011e7b8c" in p.name]
    if not found:
        pytest.skip(places.WITHOUT_SHARED)
    return found[0]


def test_deck_of_a_new_save_is_the_engines_own(
    engine: Engine, template: Path, tmp_path: Path
) -> None:
    session = engine.shared(template)
    module = Module.read(Archive.parse(template.read_bytes()))
    rows = read_table(b"slot,map,location\n2-INF,Main Map,0303\n".replace(b"2-INF", _slot(module)))
    ours, theirs = tmp_path / "ours.vsav", tmp_path / "theirs.vsav"
    ours.write_bytes(new_save(module, rows).to_bytes())
    session.ask("make-save", {"setup": [], "steps": []}, theirs)
    answer = session.ask("load-save", ours)
    # The module's pictures are not in the corpus.
    assert all("Image not found" in entry["message"] for entry in answer["engineLog"])
    assert not answer["bugs"] + answer["undecoded"]
    assert [d["deck"] for d in answer["decks"]] == ["Draw"]
    assert len(answer["decks"][0]["pieces"]) == 3
    assert [p["locationName"] for p in answer["pieces"] if p["map"] == "Main Map"] == ["0303"]
    decks = []
    for path in (ours, theirs):
        state = Save.read(Archive.parse(path.read_bytes())).state
        decks.append(next(h for h in state.holders.values() if h.piece.is_deck))
    # The engine is a 3.6 snapshot that writes fewer fields.
    assert decks[0].piece.basic.tokens[:37] == decks[1].piece.basic.tokens[:37]
    assert decks[0].place == decks[1].place


def _slot(module: Module) -> bytes:
    return next(iter(module.slots)).encode()


def test_edited_module_loads_as_before(engine: Engine, template: Path, tmp_path: Path) -> None:
    editor = ModuleEditor(Archive.parse(template.read_bytes()))
    chosen = editor.select(parse_selector("kind=slot"))
    assert editor.edit(chosen, AddTrait("mark;Supply", "full")) == len(chosen)
    board = editor.component("Map[Main Map]/Board")
    editor.set_attribute(board, "name", 'Ground & "sea"')
    edited = tmp_path / "edited.vmod"
    edited.write_bytes(editor.finish().to_bytes())
    before, after = (engine.run("load-module", path) for path in (template, edited))
    for key in ("clean", "definitionsDiffering", "undefinedPrototypes", "gpidsUsedTwice"):
        assert _plain(after.get(key)) == _plain(before.get(key)), key
    assert after["components"] == before["components"]
    names = [b["name"] for m in after["maps"] for b in m["boards"]]
    assert 'Ground & "sea"' in names


def _plain(value: Any) -> Any:
    """Without what the edit itself puts into a definition, and without the levels that it moves."""
    if isinstance(value, list):
        return [_plain(v) for v in value if not isinstance(v, int)]
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return value.replace("mark;Supply\t", "") if isinstance(value, str) else value
