"""`vmod info`: what a file is, what it holds, and what in it is not understood."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from vmod_tools.archive import Archive
from vmod_tools.buildfile import BUILD_FILES, EXTENSION_DATA, BuildFile, read_metadata
from vmod_tools.commands.kinds import OPAQUE, first_word, kind_of
from vmod_tools.commands.tree import leaves
from vmod_tools.errors import ArchiveError
from vmod_tools.extensions import Extension
from vmod_tools.limits import COMMAND_LINE, Limits
from vmod_tools.logs import Log, player_label
from vmod_tools.modules import Module
from vmod_tools.saves import SAVED_GAME
from vmod_tools.traits import KINDS, Trait


@dataclass(frozen=True)
class Description:
    """The facts of one file, by name, in the order in which they are shown."""

    file: str
    kind: str
    facts: dict[str, Any] = field(default_factory=dict)
    not_understood: dict[str, int] = field(default_factory=dict)
    """Commands and traits that no table lists, with their number; they are kept as they are."""


def describe(data: bytes, file: str, limits: Limits = COMMAND_LINE) -> Description:
    """The description of one VASSAL file; raises VmodError when it cannot be read."""
    archive = Archive.parse(data, limits)
    if archive.find(SAVED_GAME) is not None:
        return _describe_game(archive, file)
    if any(archive.find(name) for name in BUILD_FILES):
        return _describe_module(archive, file)
    raise ArchiveError("neither a savedGame nor a buildFile is in it", code="NOT_VASSAL")


def _describe_game(archive: Archive, file: str) -> Description:
    log = Log.read(archive)
    save, state = log.start, log.start.state
    kinds: Counter[str] = Counter()
    for tree in save.start_commands:
        for leaf in leaves(tree):
            if kind_of(leaf) is OPAQUE:
                kinds["command " + first_word(leaf)] += 1
    # Pieces share their types by the hundred, so each distinct type is looked at once.
    types = Counter(placed.piece.type_chain for placed in state.pieces.values())
    for chain, count in types.items():
        for level in chain:
            prefix = Trait.decode(level.text).kind.prefix
            if prefix not in KINDS:
                kinds["trait " + prefix[:30]] += count
    facts = {
        "module": save.module.name if save.module else None,
        "module_version": save.module.version if save.module else None,
        "vassal_version": save.metadata.vassal_version if save.metadata else None,
        "description": save.metadata.description if save.metadata else None,
        "hidden_as": save.envelope.kind,
        "text_bytes": save.text_bytes,
        "text_was_guessed": save.guessed,
        "pieces": len(state.pieces),
        "stacks": len(state.holders),
        "maps": sorted({p.place.map for p in state.pieces.values() if p.place.map}),
        "players": [
            {"player": player_label(i), "name": p.name, "side": p.side}
            for i, p in enumerate(state.players)
        ],
        "steps": len(log.steps),
    }
    return Description(file, "log" if log.steps else "save", facts, dict(sorted(kinds.items())))


def _describe_module(archive: Archive, file: str) -> Description:
    build = BuildFile.read(archive)
    if build is None or build.is_extension:
        data = read_metadata(archive, EXTENSION_DATA)
        facts = {
            "extends": build.root.get("module") if build else "",
            "version": data.version if data else "",
            "entries": len(archive.entries),
        }
        warnings = list(Extension.read(archive).problems()) if build else []
        return Description(file, "extension", facts | ({"warnings": warnings} if warnings else {}))
    module = Module.read(archive)
    facts = {
        "name": module.name,
        "version": module.version,
        "vassal_version": module.vassal_version,
        "sides": list(module.sides),
        "maps": [
            {
                "name": m.identifier,
                "boards": [
                    {
                        "name": b.name,
                        "width": b.width,
                        "height": b.height,
                        "grid": _grid_kind(b.grid),
                    }
                    for b in m.boards
                ],
            }
            for m in module.maps
        ],
        "slots": len(module.slots),
        "turn_trackers": [t.name for t in module.turn_trackers],
        "dice_buttons": list(module.dice_buttons),
        "entries": len(archive.entries),
    }
    return Description(file, "module", facts)


def _grid_kind(grid: object) -> str | None:
    return None if grid is None else str(getattr(grid, "kind", type(grid).__name__))
