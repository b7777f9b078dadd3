"""After one edit, every layer differs in that edit and its stated consequences, and in nothing else.

Issue 3, "Must show", on published and genuine files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e_edit.layers import (
    build_text,
    changed_entries,
    changed_leaves,
    game,
    text_of,
    the_change,
)
from tests.support import places
from vmod_tools.archive import Archive
from vmod_tools.commands.kinds import parse_command
from vmod_tools.edit.modules import ModuleEditor
from vmod_tools.edit.pieceedits import AddTrait, RemoveTrait, SetProperty, SetState
from vmod_tools.edit.saves import SaveEditor
from vmod_tools.edit.selectors import parse_selector
from vmod_tools.pieces import Piece, Place, parse_chain
from vmod_tools.saves import Save
from vmod_tools.traits import DYNAMIC_PROPERTY, MARKER, marker_values

EVERYTHING = parse_selector("*")
SAVES = (
    "andoroth_malifaux_vassal_module__d2105e30",
    "daishi1_IK_module__9b78a195",
    "patricksurry_jspy-vassal__96e17f51",
    "pacman-ghost_vasl-templates__c2660ca2",
    "SnookEE_WMH_Vassal__2e4267b8",
)
MODULES = (
    "BrentEaston_vsql__7e233507",
    "Cattlesquat_imperialstruggle__ab642acf",
    "SnookEE_WMH_Vassal__1bbcce52",
    "danj3000_BBVassal__adb55508",
    "jzedwards_vassal-hex-n-counters-template__011e7b8c",
)


def files(names: tuple[str, ...], *own: str) -> list[Path]:
    found = [p for p in places.corpus_files() if p.name.startswith(names)]
    folder = places.genuine()
    return found + ([folder / name for name in own] if folder else [])


saves = pytest.mark.parametrize(
    "path",
    files(SAVES, "small-3.6.vsav", "small-3.7.vsav", "small-3.6.vlog", "small-3.7.vlog"),
    ids=lambda p: p.name[:40],
)
modules = pytest.mark.parametrize("path", files(MODULES, "small.vmod"), ids=lambda p: p.name[:40])


def stated(piece: Piece) -> Iterator[tuple[str, str]]:
    """Markers and dynamic properties of a piece, outermost first."""
    for trait in piece.traits():
        if trait.kind is MARKER:
            yield from marker_values(trait).items()
        elif trait.kind is DYNAMIC_PROPERTY:
            yield trait["key"], trait.state


def pieces_with_values(editor: SaveEditor) -> Iterator[tuple[str, str, str]]:
    for piece_id in editor.select(EVERYTHING):
        for name, value in stated(editor.piece(piece_id)):
            if value.isalnum():
                yield piece_id, name, value


@saves
def test_one_value_of_one_piece(path: Path) -> None:
    before = path.read_bytes()
    editor = SaveEditor(Archive.parse(before))
    piece_id, name, value = next(pieces_with_values(editor), ("", "", ""))
    if not piece_id:
        # These pieces have neither markers nor dynamic properties: a layer's level, then.
        piece_id = editor.select(EVERYTHING)[0]
        index = next(
            i for i, t in enumerate(editor.piece(piece_id).traits()) if t.kind.prefix == "emb2;"
        )
        level = editor.piece(piece_id).type_chain[index].text
        value = editor.piece(piece_id).state_chain[index].text
        edit: SetProperty | SetState = SetState(level, "XYZ" + value)
    else:
        edit = SetProperty(name, "XYZ" + value)
    assert editor.edit([piece_id], edit) == 1
    after = editor.finish().to_bytes()

    assert changed_entries(before, after) == ["savedGame"]
    assert game(before)[0] == game(after)[0]
    assert the_change(text_of(before), text_of(after)) == ("", "XYZ")
    ((old,), (new,)) = changed_leaves(text_of(before), text_of(after))[0]
    assert len(changed_leaves(text_of(before), text_of(after))) == 1
    assert parse_command(old)["type"] == parse_command(new)["type"]
    assert parse_command(new)["id"] == piece_id
    chains = [parse_chain(parse_command(text)["state"]) for text in (old, new)]
    assert sum(a != b for a, b in zip(*chains, strict=True)) == 1


@saves
def test_value_set_and_set_back_gives_the_same_file(path: Path) -> None:
    archive = Archive.parse(path.read_bytes())
    editor = SaveEditor(archive)
    for piece_id, name, value in list(pieces_with_values(editor))[:20]:
        editor.edit([piece_id], SetProperty(name, "other'\\"))
        editor.edit([piece_id], SetProperty(name, value))
    assert editor.finish() is archive


@saves
def test_trait_added_to_fifty_pieces(path: Path) -> None:
    before = path.read_bytes()
    editor = SaveEditor(Archive.parse(before), steps=True)
    chosen = editor.select(EVERYTHING)[:50]
    assert editor.edit(chosen, AddTrait("mark;Supply", "full")) == len(chosen)
    after = editor.finish().to_bytes()

    assert changed_entries(before, after) == ["savedGame"]
    runs = changed_leaves(text_of(before), text_of(after))
    assert all(len(old) == len(new) == 1 for old, new in runs)
    added = [(old, new) for (old,), (new,) in runs if old.removeprefix("LOG\t")[:2] == "+/"]
    assert len({parse_command(new.removeprefix("LOG\t"))["id"] for _, new in added}) == len(chosen)
    for (old,), (new,) in runs:
        was, now = (parse_command(t.removeprefix("LOG\t")) for t in (old, new))
        assert was.kind is now.kind
        assert was["id"] == now["id"]
        fields = ("type", "state") if was.kind.name == "add" else ("state", "old_state")
        for field, text in zip(fields, ("mark;Supply", "full"), strict=True):
            outer, *rest = parse_chain(now[field])
            assert outer.text == ("full" if field.endswith("state") else text)
            assert tuple(rest) == parse_chain(was[field])


@saves
def test_trait_added_and_removed_gives_the_same_file(path: Path) -> None:
    archive = Archive.parse(path.read_bytes())
    editor = SaveEditor(archive, steps=True)
    chosen = editor.select(EVERYTHING)
    editor.edit(chosen, AddTrait("mark;Supply", "a\\"))
    editor.edit(chosen, RemoveTrait("mark;Supply"))
    assert editor.finish() is archive


@saves
def test_piece_moved_and_moved_back_in_its_stack(path: Path) -> None:
    """Only the piece and, where there is one, its stack say the new place."""
    before = path.read_bytes()
    editor = SaveEditor(Archive.parse(before))
    state = Save.read(Archive.parse(before)).state
    piece_id = next(
        i
        for i in editor.select(EVERYTHING)
        if (holder := state.holders.get(state.pieces[i].stack or "")) is None
        or (holder.piece.is_stack and len(holder.members) == 1)
    )
    place = editor.place(piece_id)
    editor.move([piece_id], Place(place.map or "Nowhere", 9871, 9872))
    after = editor.finish().to_bytes()
    assert changed_entries(before, after) == ["savedGame"]
    moved = Save.read(Archive.parse(after)).state
    assert moved.pieces[piece_id].place == Place(place.map or "Nowhere", 9871, 9872)
    runs = changed_leaves(text_of(before), text_of(after))
    ids = {parse_command(text)["id"] for _, new in runs for text in new}
    assert ids == {i for i in (piece_id, moved.pieces[piece_id].stack) if i}
    untouched = moved.pieces.keys() - {piece_id}
    assert all(moved.pieces[i] == state.pieces[i] for i in untouched)


# Modules


@modules
def test_one_attribute_of_one_element(path: Path) -> None:
    before = path.read_bytes()
    editor = ModuleEditor(Archive.parse(before))
    component = next(editor.root.descendants("Board", "Map", "PieceSlot"))
    name = "entryName" if component.kind == "PieceSlot" else "name"
    name = "mapName" if component.kind == "Map" else name
    assert editor.set_attribute(component, name, component.get(name) + ' & "XYZ"\n')
    after = editor.finish().to_bytes()
    assert changed_entries(before, after) == [editor.build.entry]
    old, new = the_change(build_text(before), build_text(after))
    assert (old, new) == ("", " &amp; &quot;XYZ&quot;&#10;")
    again = ModuleEditor(Archive.parse(after)).root
    value = next(again.descendants(component.kind)).get(name)
    assert value.endswith(' & "XYZ"\n')


@pytest.mark.parametrize("path", files(MODULES[1:2] + MODULES[3:4]), ids=lambda p: p.name[:40])
def test_one_site_moved(path: Path) -> None:
    before = path.read_bytes()
    editor = ModuleEditor(Archive.parse(before))
    site = next(editor.root.descendants("SetupStack"))
    x, y = site.get("x"), site.get("y")
    editor.set_attribute(site, "x", f"{x}7")
    editor.set_attribute(site, "y", f"{y}8")
    after = editor.finish().to_bytes()
    assert changed_entries(before, after) == [editor.build.entry]
    runs = changed_elements(build_text(before), build_text(after))
    assert runs == [(f'x="{x}" y="{y}"', f'x="{x}7" y="{y}8"')]


@modules
def test_trait_added_to_fifty_slots(path: Path) -> None:
    before = path.read_bytes()
    editor = ModuleEditor(Archive.parse(before))
    chosen = editor.select(parse_selector("kind=slot"))[:50]
    # A trait that makes pieces has a gpid of its own, and that moves the root's counter.
    assert editor.edit(chosen, AddTrait("mark;Supply", "full")) == len(chosen)
    after = editor.finish().to_bytes()
    assert changed_entries(before, after) == [editor.build.entry]
    old, new = build_text(before), build_text(after)
    assert len(chosen) == min(50, len(editor.select(parse_selector("kind=slot"))))
    assert len(old.split("<")) == len(new.split("<"))
    pairs = [(a, b) for a, b in zip(old.split("<"), new.split("<"), strict=True) if a != b]
    assert len(pairs) == len(chosen)
    for was, now in pairs:
        head, sign, command = was.partition("+/null/")
        again, _, edited = now.partition("+/null/")
        assert sign
        assert head == again
        assert edited.startswith("mark;Supply\t")
        assert command != edited


def changed_elements(before: str, after: str) -> list[tuple[str, str]]:
    """Of each start tag that differs, the part from the first changed attribute to the last."""
    found = []
    for old, new in zip(before.split("<"), after.split("<"), strict=True):
        if old != new:
            was, now = old.split(" "), new.split(" ")
            differing = [i for i, (a, b) in enumerate(zip(was, now, strict=True)) if a != b]
            first, last = differing[0], differing[-1]
            found.append(
                (
                    " ".join(was[first : last + 1]).rstrip("/>\r\n"),
                    " ".join(now[first : last + 1]).rstrip("/>\r\n"),
                )
            )
    return found
