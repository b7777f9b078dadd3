"""Modules and extensions edited: elements, slots, prototypes, gpids."""

from __future__ import annotations

import pytest

from tests.e_edit.layers import build_text, changed_entries
from tests.support.crafted import (
    add,
    board,
    build_file,
    hex_grid,
    map_window,
    module,
    tag,
    zip_of,
    zone,
    zoned_grid,
)
from vmod_tools.archive import Archive
from vmod_tools.components import parse_path
from vmod_tools.edit.modules import ModuleEditor
from vmod_tools.edit.pieceedits import AddTrait, Rename, SetField, SetProperty
from vmod_tools.edit.selectors import parse_selector
from vmod_tools.errors import ArchiveError, BuildFileError, PieceError, VmodError

EVERYTHING = parse_selector("*")
PLACE = "placemark;Mark;;+/null/x;null;0;0;false;;;{};0;false"


def slot(name: str, gpid: str = "", *traits: tuple[str, str], kind: str = "PieceSlot") -> str:
    types = [text for text, _ in traits]
    states = [state for _, state in traits]
    text = add("null", [*types, f"piece;;;a.png;{name}"], [*states, "null;0;0;;0"])
    given = {"gpid": gpid} if gpid else {}
    return tag(f"VASSAL.build.widget.{kind}", text, entryName=name, **given)


def prototype(name: str, *traits: tuple[str, str]) -> str:
    text = add(
        "null", [*(t for t, _ in traits), "piece;;;;"], [*(s for _, s in traits), "null;0;0"]
    )
    return tag("VASSAL.build.module.PrototypeDefinition", text, name=name)


def editor_of(*components: str) -> ModuleEditor:
    return ModuleEditor(Archive.parse(module(*components)))


def edited(editor: ModuleEditor) -> str:
    data = editor.finish().to_bytes()
    return build_text(data)


SLOTS = (
    slot("A", "3", ("mark;Side", "Blue")),
    slot("B", "7", ("mark;Side", "Red"), (PLACE.format("12"), "")),
    tag("VASSAL.build.widget.PieceSlot", "not a piece", entryName="broken"),
    slot("C", kind="CardSlot"),
    prototype("Land", ("mark;Side", "None")),
    tag("VASSAL.build.module.PrototypeDefinition", name="Empty"),
)


# Slots and prototypes


def test_slots_and_prototypes_are_chosen() -> None:
    editor = editor_of(*SLOTS)

    def names(text: str) -> list[str]:
        return [s.component.name for s in editor.select(parse_selector(text))]

    assert names("*") == ["A", "B", "C", "Land"]
    assert names("kind=slot and trait=mark;Side") == ["A", "B"]
    assert names("gpid=7") == ["B"]
    assert names("Side=None") == ["Land"]
    assert editor.select(EVERYTHING)[3].label == "PrototypeDefinition[Land]"


def test_value_of_a_slot_changes_alone() -> None:
    before = module(*SLOTS)
    editor = ModuleEditor(Archive.parse(before))
    assert editor.edit(editor.select(parse_selector("name=A")), SetProperty("Side", "Green")) == 1
    assert editor.edit(editor.select(parse_selector("name=A")), SetProperty("Side", "Green")) == 0
    after = editor.finish().to_bytes()
    assert changed_entries(before, after) == ["buildFile.xml"]
    assert build_text(after) == build_text(before).replace("/Blue\t", "/Green\t")


def test_slot_is_renamed_with_its_piece() -> None:
    editor = editor_of(*SLOTS)
    chosen = editor.select(EVERYTHING)
    # A prototype is used by its name.
    assert editor.edit(chosen, Rename("New")) == 3
    text = edited(editor)
    assert text.count('entryName="New"') == 3
    assert text.count(";New/") == 3
    assert 'name="Land"' in text
    other = editor_of(slot("A").replace('entryName="A"', 'entryName="Other"'))
    other.edit(other.select(EVERYTHING), Rename("New"))
    assert 'entryName="Other"' in edited(other)


def test_error_names_the_slot() -> None:
    editor = editor_of(*SLOTS)
    with pytest.raises(PieceError) as caught:
        editor.edit(editor.select(EVERYTHING), SetField("mark;", "nothing", "x"))
    assert caught.value.place == "PieceSlot[A]"


# gpids


def test_added_trait_that_makes_pieces_gets_gpids() -> None:
    editor = editor_of(*SLOTS)
    chosen = editor.select(parse_selector("kind=slot"))
    assert editor.edit(chosen, AddTrait(PLACE.format("1000"))) == 3
    text = edited(editor)
    # The first may have the gpid that was given; no two are the same.
    assert [text.count(f"false;;;{n};0") for n in (12, 1000, 1001, 1002)] == [1, 1, 1, 1]
    assert 'nextPieceSlotId="1003"' in text


def test_new_slot_gets_the_next_gpid_and_moves_the_counter() -> None:
    before = module(*SLOTS, tag("x.ListWidget", slot("Z", "9"), entryName="List"))
    editor = ModuleEditor(Archive.parse(before))
    widget = editor.component("ListWidget[List]")
    new = tag("x.BoxWidget", slot("D"), slot("E", "9"), slot("F", "77"), SLOTS[2],
              prototype("P", (PLACE.format("12"), ""), (PLACE.format(""), "")))  # fmt: skip
    editor.insert(widget, new)
    after = edited(editor)
    given = [c.get("gpid") for c in ModuleEditor(editor.finish()).component("BoxWidget").children()]
    assert given == ["1000", "1001", "77", "1002", ""]
    assert 'nextPieceSlotId="1005"' in after
    assert "false;;;1003;0" in after
    assert "false;;;1004;0" in after
    # Before and behind the new element only the counter differs.
    start, end = after.index("<x.BoxWidget"), after.index("</x.BoxWidget>") + len("</x.BoxWidget>")
    assert after[:start] + after[end:] == build_text(before).replace('Id="1000"', 'Id="1005"')


def test_element_without_slots_moves_no_counter() -> None:
    editor = editor_of()
    editor.insert(editor.root, "<x.DiceButton name='2d6'/>", 0)
    assert 'nextPieceSlotId="1000"' in edited(editor)
    assert editor.changes[0].after == "DiceButton 2d6"


# Elements


def test_text_attribute_and_element_change() -> None:
    before = module(map_window("Main", board("B", 9, 9)), tag("x.Old", name="gone"))
    editor = ModuleEditor(Archive.parse(before))
    entry = editor.component("PlayerRoster/entry")
    assert editor.set_text(entry, "Blue & Grey")
    assert not editor.set_text(editor.component("Map/Board"), " ")
    assert editor.set_attribute(editor.component("Map/Board"), "width", None)
    assert not editor.set_attribute(editor.component("Map/Board"), "image", None)
    editor.remove(editor.component("Old[gone]"))
    assert edited(editor) == (
        build_text(before)
        .replace(">Red<", ">Blue &amp; Grey<")
        .replace(' width="9"', "")
        .replace('<x.Old name="gone"></x.Old>', "")
    )
    assert [(c.where, c.what) for c in editor.changes] == [
        ("PlayerRoster/entry", "text"),
        ("Map[Main]/Board[B]", "width"),
        ("Old[gone]", "element"),
    ]


def test_siblings_are_never_reordered() -> None:
    """users.md C2-19: two grids in one zone stand in their order after any edit."""
    region = tag("VASSAL.build.module.map.boardPicker.board.Region", name="R", originx=1, originy=2)
    regions = tag("VASSAL.build.module.map.boardPicker.board.RegionGrid", region)
    grids = zoned_grid(zone("Z", "0,0;9,0;9,9", hex_grid({}, dx=5), regions))
    before = module(map_window("Main", board("B", 9, 9, grids)))
    editor = ModuleEditor(Archive.parse(before))
    new = region.replace('"R"', '"S"')
    editor.insert(editor.component("Zone[Z]/RegionGrid"), new)
    after = edited(editor)
    assert after == build_text(before).replace(region, region + new)
    order = [c.kind for c in ModuleEditor(editor.finish()).component("Zone[Z]").children()]
    assert order == ["HexGrid", "RegionGrid"]


def test_attribute_that_vassal_could_not_read_is_refused() -> None:
    editor = editor_of(map_window("Main", board("B", 9, 9)))
    with pytest.raises(BuildFileError) as caught:
        editor.set_attribute(editor.component("Board"), "width", "wide")
    assert caught.value.stable_code == "BUILDFILE_ATTRIBUTE"
    assert caught.value.place == "Map[Main]/Board[B]"
    # What the table does not know is a text.
    assert editor.set_attribute(editor.component("Board"), "mine", "wide")


def test_root_is_addressed_and_stays() -> None:
    editor = editor_of()
    assert editor.set_attribute(editor.component(""), "version", "1.1")
    assert editor.changes[0].where == "GameModule"
    with pytest.raises(BuildFileError) as caught:
        editor.remove(editor.root)
    assert caught.value.stable_code == "BUILDFILE_ROOT"
    with pytest.raises(BuildFileError):
        editor.insert(editor.root, "<x")


def test_nothing_edited_is_the_same_archive() -> None:
    archive = Archive.parse(module(*SLOTS))
    assert ModuleEditor(archive).finish() is archive


def test_encoding_of_the_document_is_kept() -> None:
    text = build_file(tag("x.A", name="é")).replace("UTF-8", "ISO-8859-1")
    before = zip_of({"buildFile": text.encode("latin-1")})
    editor = ModuleEditor(Archive.parse(before))
    editor.set_attribute(editor.component("A"), "name", "éü武")
    assert build_text(editor.finish().to_bytes()).encode("utf-8", "surrogateescape") == (
        text.replace('"é"', '"éü&#27494;"').encode("latin-1")
    )


def test_archive_without_a_build_file_is_refused() -> None:
    with pytest.raises(ArchiveError):
        ModuleEditor(Archive.parse(zip_of({"x": b""})))


# Extensions

WRAPPER = "VASSAL.build.module.ExtensionElement"


def extension(*wrappers: str) -> ModuleEditor:
    root = tag(
        "VASSAL.build.module.ModuleExtension", *wrappers, extensionId="abc", nextPieceSlotId=4
    )
    return ModuleEditor(Archive.parse(zip_of({"buildFile.xml": root})))


def test_extension_gets_a_wrapper_and_prefixed_gpids() -> None:
    editor = extension(tag(WRAPPER, slot("A", "abc:4"), target="a"))
    editor.add_to_extension('VASSAL.build.module.PieceWindow:"P"', slot("B"))
    text = edited(editor)
    assert 'nextPieceSlotId="6"' in text
    assert 'gpid="abc:5"' in text
    new = ModuleEditor(editor.finish())
    added = new.component('ExtensionElement[VASSAL.build.module.PieceWindow:"P"]/PieceSlot')
    assert parse_path("PieceSlot[B]") == parse_path(f"PieceSlot[{added.name}]")


@pytest.mark.parametrize(
    "xml", [f"<{WRAPPER} target='a'/>", f"<{WRAPPER}><x.A/><x.B/></{WRAPPER}>"]
)
def test_wrapper_holds_one_element(xml: str) -> None:
    editor = extension(tag(WRAPPER, "<x.A/>", target="a"), tag(WRAPPER, target="b"))
    for parent, new in (("", xml), ("ExtensionElement[a]", "<x.B/>")):
        with pytest.raises(VmodError) as caught:
            editor.insert(editor.component(parent), new)
        assert caught.value.stable_code == "EXTENSION_WRAPPER"
    editor.insert(editor.component("ExtensionElement[b]"), "<x.B/>")
    editor.insert(editor.root, "<x.Own/>")
    assert edited(editor).count("<x.B/>") == 1
