"""The snapshot of a module or extension: its components by path, and its entries."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from lxml import etree

from vmod_tools.archive import Archive, Entry
from vmod_tools.buildfile import BuildFile, Component
from vmod_tools.diff.entries import digest, entry_items, metadata_items
from vmod_tools.diff.game import game_snapshot
from vmod_tools.diff.model import Body, Item, Snapshot, plain_item
from vmod_tools.diff.pieces import View, slot_fields
from vmod_tools.errors import ArchiveError, BuildFileError, VmodError
from vmod_tools.saves import SAVED_GAME, read_text

_SLOTS = ("PieceSlot", "CardSlot", "PrototypeDefinition")
_GAMES = (".vsav", ".vlog", ".sav", ".log")


def module_snapshot(archive: Archive, *, raw: bool = False) -> Snapshot:
    """The snapshot of a module or extension; raises VmodError.

    Of one whose build file is not well-formed (VASSAL refuses it too) the entries alone are compared.
    """
    items = list(metadata_items(archive))
    told: list[str] = []
    kind = "module"
    try:
        build = BuildFile.read(archive)
    except BuildFileError as error:
        items.append(plain_item("build file", {"unreadable": error.stable_code}))
    else:
        if build is None:
            raise ArchiveError("neither a savedGame nor a buildFile is in it", code="NOT_VASSAL")
        items += _components(build.root, View(raw))
        told.append(build.entry)
        kind = "extension" if build.is_extension else "module"
    games: dict[str, Callable[[], Snapshot]] = {}
    for entry in archive.entries:
        if entry.name.endswith(_GAMES) and archive.find(entry.name) is entry:
            found = _game(archive, entry, raw=raw)
            if found is not None:
                key = f"game {entry.name}"
                items.append(plain_item(key, {"text": found[0]}))
                games[key] = found[1]
                told.append(entry.name)
    items += entry_items(archive, () if raw else told)
    return Snapshot(kind, {item.key: item for item in items}, games=games)


def _game(outer: Archive, member: Entry, *, raw: bool) -> tuple[str, Callable[[], Snapshot]] | None:
    """The digest of the text of a save in a module, and its snapshot; None when it is no save."""
    try:
        archive = Archive.parse(outer.read(member), outer.limits)
        entry = archive.find(SAVED_GAME)
        if entry is None:
            return None
        _, text, _ = read_text(archive.read(entry))
    except VmodError:
        return None
    return (
        digest(text.encode("utf-8", "surrogateescape")),
        functools.partial(game_snapshot, archive, raw=raw),
    )


def _components(root: Component, view: View) -> Iterator[Item]:
    """The components in document order; a path names each level by class and name."""
    todo = [(root, _step(root))]
    while todo:
        component, path = todo.pop()
        seen: dict[str, int] = {}
        children = []
        for element in component.element.iterchildren(tag=etree.Element):
            child = Component(element)
            step = _step(child)
            seen[step] = seen.get(step, 0) + 1
            children.append((child, step if seen[step] == 1 else f"{step}#{seen[step]}"))
        yield _component_item(component, path, tuple(step for _, step in children), view)
        # The root says nothing that a path needs.
        base = "" if component is root else f"{path}/"
        todo += [(child, base + step) for child, step in reversed(children)]


def _step(component: Component) -> str:
    name = component.name or component.get("name")
    if component.kind == "entry":
        name = component.text
    return f"{component.kind}[{name}]" if name else component.kind


def _component_item(component: Component, path: str, children: tuple[str, ...], view: View) -> Item:
    element = component.element
    attributes = component.attributes
    slot = component.kind in _SLOTS

    def body() -> Body:
        if slot:
            piece = slot_fields(component.text, view)
            return Body({**attributes, **piece.fields}, piece.order)
        text = {"text": component.text} if component.text else {}
        return Body({**attributes, **text}, children)

    return Item(path, (sorted(attributes.items()), element.text, children), body)
