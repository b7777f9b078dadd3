"""What the real engine makes of slots that use prototypes, against `expand`: odd uses, and small.vmod."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

import pytest

from tests.support.crafted import MAP, MODULE_DATA, add, board, build_file, map_window, tag, zip_of
from tests.vassal.engine import Engine
from vmod_tools.archive import Archive
from vmod_tools.modules import Module
from vmod_tools.prototypes import expansion
from vmod_tools.saves import Save
from vmod_tools.traits import Trait

pytestmark = pytest.mark.engine

_CODE = re.compile(r"57\d{3}(\\*,0\\*,)")
"""Codes of named keys are handed out anew in each run."""
BASE = "piece;;;;Unit"


def definition(name: str, *types: str, states: tuple[str, ...] = ()) -> str:
    texts = (*(states or [""] * (len(types) - 1)), "null;0;0;;0")
    return tag(
        "VASSAL.build.module.PrototypeDefinition", escape(add("null", types, texts)), name=name
    )


def slot(gpid: int, *types: str) -> str:
    texts = [""] * (len(types) - 1) + [f"null;0;0;{gpid};0"]
    text = escape(add("null", types, texts))
    return tag("VASSAL.build.widget.PieceSlot", text, entryName=str(gpid), gpid=gpid)


DEFINITIONS = (
    definition("Plain", "mark;A", "mark;B", "piece;;;;", states=("va", "vb")),
    definition("Nested", "mark;C", "prototype;Plain", "mark;D", "piece;;;;"),
    definition("Empty", "piece;;;;"),
    definition("Image", "mark;I", "piece;;;other.png;Other"),
    definition(
        "Filled", "mark;$x$", "calcProp;$x$$y$;{\\$z\\$};$x", "prototype;Named", "piece;;;;"
    ),
    definition("Named", "mark;In$x$", "piece;;;;"),
)
SLOTS = [
    ("mark;X", "prototype;Plain", "mark;Y"),
    ("prototype;Nested",),
    ("mark;X", "prototype;Empty"),
    ("mark;X", "prototype;Nope", "mark;Y"),
    ("prototype;Image",),
    ("prototype;Plain", "prototype;Plain"),
    ("prototype;Filled;x=one",),
    ("prototype;Filled;x=a\\,b\\=c=d\\,y,z=1",),
    ("prototype;Filled",),
    ("prototype;Named;",),
    ("prototype;Named;x",),
]


def placed(
    engine: Engine, path: Path, gpids: list[str], map: str, save: Path
) -> dict[str, list[str]]:
    """The type texts of each slot's piece, as the engine saves it."""
    steps = [
        {"op": "place", "slot": gpid, "map": map, "x": 60 + 30 * n, "y": 90}
        for n, gpid in enumerate(gpids)
    ]
    engine.run("make-save", path, json.dumps({"setup": steps, "steps": []}), save)
    state = Save.read(Archive.parse(save.read_bytes())).state
    return {
        p.piece.basic.state_text("gpid"): [
            _CODE.sub(r"57344\1", c.text) for c in p.piece.type_chain
        ]
        for p in state.pieces.values()
    }


def test_uses_of_every_sort(engine: Engine, tmp_path: Path) -> None:
    widget = tag(
        "VASSAL.build.widget.ListWidget",
        *(slot(n, *types, BASE) for n, types in enumerate(SLOTS, 1)),
        **{"entryName": "L", "height": 1, "scale": "1.0", "width": 300, "divider": 194},
    )
    build = build_file(
        map_window(MAP, board("Board", 500, 500)),
        tag("VASSAL.build.module.PieceWindow", widget, name="Pieces"),
    )
    container = "VASSAL.build.module.PrototypesContainer"
    build = build.replace(f"<{container}/>", tag(container, *DEFINITIONS))
    data = zip_of({"buildFile.xml": build, "moduledata": MODULE_DATA.format(name="Made by hand")})
    path = tmp_path / "m.vmod"
    path.write_bytes(data)
    read = Module.read(Archive.parse(data))
    gpids = [str(n) for n in range(1, len(SLOTS) + 1)]
    found = placed(engine, path, gpids, MAP, tmp_path / "x.vsav")
    for gpid in gpids:
        ours = expansion(read.slots[gpid], read.prototypes, keep_missing=False)
        assert list(ours.types) == found[gpid], SLOTS[int(gpid) - 1]


def test_slots_of_a_real_module(engine: Engine, genuine: Path, tmp_path: Path) -> None:
    path = genuine / "small.vmod"
    read = Module.read(Archive.parse(path.read_bytes()))
    gpids = list(read.slots)
    found = placed(engine, path, gpids, read.maps[0].identifier, tmp_path / "x.vsav")
    assert found.keys() == set(gpids)
    for gpid in gpids:
        ours = expansion(read.slots[gpid], read.prototypes).types
        assert len(ours) == len(found[gpid])
        for our_text, text in zip(ours, found[gpid], strict=True):
            our, theirs = Trait.decode(_CODE.sub(r"57344\1", our_text)), Trait.decode(text)
            assert our.kind is theirs.kind
            # The engine writes the fields that the module's texts end before, with their defaults, and
            # cuts off those of later versions.
            fields = our.kind.fields_for(our.tokens)
            assert [our[f.name] for f in fields] == [theirs[f.name] for f in fields], text
            assert our.tokens[len(fields) :] == theirs.tokens[len(fields) :], text
