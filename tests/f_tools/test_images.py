"""vmod images: what VASSAL would look for in vain, and what nothing looks for."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Protocol

import pytest

from tests.support.crafted import (
    add,
    basic_state,
    board,
    game,
    map_window,
    module,
    piece,
    save_text,
    seq,
    tag,
    zip_of,
)
from vmod_tools.archive import Archive
from vmod_tools.errors import VmodError
from vmod_tools.images.inventory import CUSTOM_CODE, EXTENSION, Inventory, take_inventory
from vmod_tools.imagesizes import image_size


class Run(Protocol):
    def __call__(self, *arguments: str | Path) -> tuple[object, str, str]: ...


def png(width: int, height: int, more: bytes = b"") -> bytes:
    header = struct.pack(">2I5B", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + header + b"crc!" + more


def images(*names: str) -> dict[str, bytes | str]:
    """Members of these names, each with other content."""
    return {f"images/{name}": png(2, 3, name.encode()) for name in names}


def inventory(*components: str, members: Mapping[str, bytes | str] | None = None) -> Inventory:
    return take_inventory(Archive.parse(module(*components, members=members)))


def slot(*types: str) -> str:
    text = add("null", [*types, "piece;;;base.png;A"], [*("" for _ in types), "null;0;0;1"])
    return tag("VASSAL.build.widget.PieceSlot", escape(text, quote=False), entryName="A")


def missing(found: Inventory) -> list[str]:
    return [m.name for m in found.missing]


def spec(image: str) -> str:
    return add("null", [f"piece;;;{image};M"], ["null;0;0;2"])


@pytest.mark.parametrize(
    ("traits", "wanted"),
    [
        (("emb2;;2;A;;2;;;2;;;;1;false;0;0;a.png,,b\\,c.png;,,;true;Step",), {"a.png", "b,c.png"}),
        (("emb;A;;;;;;0;0;a.png,first;b.png",), {"a.png", "b.png"}),
        (("obs;77,130;a.png;Mask;Gb.png;?;side:",), {"a.png", "b.png"}),
        (("obs;77,130;a.png;Mask;I;?;side:",), {"a.png"}),
        (("markmoved;a.png;0;0",), {"a.png"}),
        (("placemark;" + seq(";", "Mark", "77,130", spec("a.png")),), {"a.png"}),
        (("replace;" + seq(";", "Mark", "", "null"),), set()),
        (("label;;;10;;;;;;;;;<img src='a.png'>$label$",), {"a.png"}),
        (("report;;<img src=$x$.png>",), set()),
        (("prototype;Unit", "mark;image", "conceal;a.png", "emb2", "markmoved;", "emb2; "), set()),
    ],
)
def test_images_of_a_piece(traits: tuple[str, ...], wanted: set[str]) -> None:
    found = inventory(slot(*traits))
    assert set(missing(found)) == wanted | {"base.png"}


def test_pieces_inside_placed_pieces() -> None:
    inner = add(
        "null",
        ["placemark;" + seq(";", "Mark", "", spec("deep.png")), "piece;;;a.png;M"],
        ["", "null;0;0"],
    )
    found = inventory(slot("replace;" + seq(";", "Swap", "", inner)))
    assert missing(found) == ["a.png", "base.png", "deep.png"]


def test_images_of_components() -> None:
    found = inventory(
        map_window(
            "Main",
            board("East", 1, 1, image="map.jpg"),
            icon="map icon.png",
            markUnmovedIcon="/images/unmoved.gif",
        ),
        tag("a.Zoomer", inIconName="in.png", outIconName="zoomOut.gif"),
        tag("a.MapShader", scaleImage="false", useImage="true"),
        tag("a.AboutScreen", fileName="about.png"),
        tag("a.Chart", fileName="chart.svg"),
        tag("a.HelpFile", fileName="help.html"),
        tag(
            "a.DiceButton",
            reportFormat="<b>$result$</b> <img src='die.png'> <img src=http://x/y.png>",
        ),
        tag("a.PrototypeDefinition", add("null", ["piece;;;proto.png;"], ["null;0;0"]), name="P"),
        tag("a.PieceSlot", "no piece"),
        tag("a.PieceSlot", "+/cut short"),
        tag("a.PieceSlot", add("null", ["obs;77,130", "emb2;"], ["", ""])),
        tag("a.PieceSlot", "-/1"),
    )
    assert missing(found) == [
        *("about.png", "chart.svg", "die.png", "in.png", "map icon.png", "map.jpg", "proto.png"),
    ]
    assert found.missing[-2].places == ("buildFile.xml line 2 Board image",)


def test_where_a_name_is_looked_for() -> None:
    """As it stands, in NFD, with .gif behind it; else in the program."""
    found = inventory(
        *(
            tag("a.B", icon=name)
            for name in ("a.png", "caf\u00e9.png", "b", "moved.gif", "/images/x.gif", "d/e.png")
        ),
        members=images("a.png", "cafe\u0301.png", "b.gif", "d/e.png"),
    )
    assert (found.missing, found.wrong_case, found.unused) == ((), (), ())
    assert {i.name: i.references for i in found.images} == {
        "a.png": 1,
        "cafe\u0301.png": 1,
        "b.gif": 1,
        "d/e.png": 1,
    }


def test_other_letter_case_is_missing_with_a_hint() -> None:
    found = inventory(
        tag("a.B", icon="Flag.PNG"), tag("a.B", icon="tree"), members=images("flag.png", "TREE.gif")
    )
    assert [(m.name, m.actual) for m in found.wrong_case] == [
        ("Flag.PNG", "flag.png"),
        ("tree", "TREE.gif"),
    ]
    assert found.missing == ()


def test_images_that_the_module_draws() -> None:
    found = inventory(
        tag(
            "a.GamePieceLayout",
            tag("a.GamePieceImage", name="made.png", props="Image;Image0;Center;1x1.png"),
            layout="Image;town.png;Fixed|Image0;Center",
            name="L",
        ),
        tag("a.B", icon="made.png"),
        members=images("1x1.png"),
    )
    assert missing(found) == ["town.png"]
    assert found.unused == ()


def test_setups_use_images_too() -> None:
    setup = game(
        save_text(
            piece("1", 1, 1, ("markmoved;used.png;0;0", "")),
            add("2", ["piece;;;lost.png;A"], [basic_state(1, 1)]),
        )
    )
    found = inventory(
        members=images("red.png", "used.png")
        | {
            "Start.vsav": setup,
            "odd.vsav": b"no zip",
            "none.vsav": zip_of({"x": b""}),
            "bad.vlog": game(b"\0"),
        }
    )
    assert found.unused == ()
    assert [(m.name, m.places) for m in found.missing] == [("lost.png", ("Start.vsav",))]


def test_help_pages_find_images_beside_them_too() -> None:
    page = "<p><IMG SRC='pic%20one.png'><img alt=x src=../images/two.png><td background=three.png><img src=gone.png>"
    found = inventory(
        members=images("two.png", "three.png")
        | {"help/index.html": page, "help/pic one.png": png(1, 1)}
    )
    assert missing(found) == ["gone.png"]
    assert found.unused == ()


def test_unused_images_and_what_spares_one() -> None:
    found = inventory(
        tag("a.B", expression='{"expression_" + n + "mentioned.png"}'),
        members=images(
            "mentioned.png", "noted.png", "coded.png", "stemmed.gif", "x.gif", "unused.png"
        )
        | {"notes.txt": "see noted.png", "a/B.class": b"\xca\xfe\0\tcoded.png\0stemmed"},
    )
    assert found.unused == ("unused.png", "x.gif")
    assert found.cautions == (CUSTOM_CODE,)
    assert inventory().cautions == ()


def test_no_images_sizes_and_duplicates() -> None:
    found = inventory(
        members={
            "images/": b"",
            "images/a.png": png(30, 40),
            "images/same.png": png(30, 40),
            "images/Thumbs.db": b"not one",
            "images/broken.jpg": b"\xff\xd8\xff",
            "images/drawn.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="9"/>',
        }
    )
    assert found.not_images == ("Thumbs.db", "broken.jpg")
    assert found.duplicates == (("a.png", "same.png"),)
    sizes = {i.name: (i.width, i.height, i.memory) for i in found.images}
    assert sizes["a.png"] == (30, 40, 4800)
    assert sizes["drawn.svg"] == (7, 9, 252)


@pytest.mark.parametrize(
    "content", [b"", b"GIF89a", b"BM", b"<svg width='x'>", b"RIFF\0\0\0\0WEBP", b"\0\0\0\x0cjP  "]
)
def test_what_is_cut_short_is_no_image(content: bytes) -> None:
    assert image_size(content) == (0, 0)


def test_damaged_members_are_no_images() -> None:
    content = png(1, 1) + b"tail that is easy to find"
    data = bytearray(
        zip_of(
            {
                "buildFile.xml": "<a.GameModule/>",
                "images/a.png": content,
                "a.html": b"page" * 20,
                "a.txt": b"x" * 80,
            }
        )
    )
    for entry in Archive.parse(bytes(data)).entries[1:]:
        at = entry.offset + entry.stream_at
        data[at : at + 2] = b"\xff\xff"
    found = take_inventory(Archive.parse(bytes(data)))
    assert found.not_images == ("a.png",)


def test_an_extension_may_find_them_in_its_module() -> None:
    root = '<VASSAL.build.module.ModuleExtension><a.B icon="x.png"/></VASSAL.build.module.ModuleExtension>'
    found = take_inventory(Archive.parse(zip_of({"buildFile": root})))
    assert (missing(found), found.cautions) == (["x.png"], (EXTENSION,))


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(VmodError) as caught:
        take_inventory(Archive.parse(game(save_text())))
    assert caught.value.stable_code == "NOT_A_MODULE"


def test_exit_codes_and_formats(vmod: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.vmod"
    path.write_bytes(
        module(members={"images/a.png": png(512, 1024), "images/odd.bin": b"?", "A.class": b""})
    )
    assert vmod("images", path) == (
        0,
        "not an image: odd.bin\nunused: a.png\nunused: odd.bin\n"
        f"caution: {CUSTOM_CODE}\n"
        "a.png: 512×1024, 33 bytes, 2.0 MiB of memory\n"
        "2 images, 34 bytes, 2.0 MiB of memory\n",
        "",
    )
    assert (
        vmod("images", path, "--quiet")[1]
        == "not an image: odd.bin\nunused: a.png\nunused: odd.bin\n"
    )
    components = [tag("a.B", icon="gone.png") for _ in range(2)] + [
        tag("a.C", icon="gone.png"),
        tag("a.B", icon="A.png"),
    ]
    path.write_bytes(
        module(
            "\n".join(components),
            members=images("a.png", "b.png") | {"images/c.png": png(2, 3, b"a.png")},
        )
    )
    code, out, _ = vmod("images", path)
    assert code == 1
    assert out.splitlines()[:3] == [
        "missing: gone.png (buildFile.xml line 2 B icon; buildFile.xml line 3 B icon; buildFile.xml line 4 C icon)",
        "wrong case: A.png (buildFile.xml line 5 B icon); there is a.png",
        "unused: b.png",
    ]
    assert "the same content: a.png, c.png" in out
    code, out, _ = vmod("images", path, "--format", "json")
    data = json.loads(out)
    assert code == 1
    assert data["totals"]["images"] == 3
    assert data["wrong_case"][0]["actual"] == "a.png"
    assert data["images"][0]["memory"] == 24
    path.write_bytes(b"nothing")
    assert vmod("images", path)[::2] == (2, f"{path}: not a zip archive [ARCHIVE_NOT_ZIP]\n")


def test_many_places_are_counted(vmod: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.vmod"
    path.write_bytes(module("\n".join([tag("a.B", icon="gone.png")] * 9)))
    assert "; and 6 more)" in vmod("images", path)[1]


def test_published_modules(corpus_files: tuple[Path, ...]) -> None:
    """Of the modules with images: what is missing was looked up by hand in two of them."""
    read = 0
    refused = []
    by_name = {}
    for path in corpus_files:
        if path.suffix in (".vmod", ".vmdx"):
            try:
                by_name[path.name] = take_inventory(Archive.parse(path.read_bytes()))
                read += 1
            except VmodError as error:
                refused.append(error.stable_code)
    # Five modules have a stray character before the declaration; VASSAL refuses them too.
    assert read > 50
    assert refused == ["BUILDFILE_XML"] * 5
    template = next(v for k, v in by_name.items() if "template__458e7b81" in k)
    assert missing(template) == ["INF-white", "MEC-black-white", "blank-white"]
    assert template.unused == ("sym-INF-nvw-white",)
    small = next(v for k, v in by_name.items() if "hurufu" in k and "f1493797" in k)
    assert missing(small) == []
    assert small.duplicates == (("Player 2 Town", "Town"),)


def test_our_own_module_misses_nothing(genuine: Path) -> None:
    found = take_inventory(Archive.parse((genuine / "small.vmod").read_bytes()))
    assert (found.missing, found.wrong_case, found.not_images, found.unused) == ((), (), (), ())
