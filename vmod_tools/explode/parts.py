"""A build file as one XML file a component, in folders that follow the component tree.

Where a component was cut out, its parent's file says `<?vmod-part NAME?>`; NAME.xml, in the folder
called like the parent's file, holds the component's own bytes and a line end.  So each file is XML that
an editor can show, and joining them again gives the build file byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import unescape

from vmod_tools.errors import ArchiveError, BuildFileError
from vmod_tools.explode.names import MAX_DEPTH, SafeNames, is_safe_path
from vmod_tools.xmlsplice import Span, spans

ROOT = "module"
"""The file of what is left when all components are cut out."""

_NAME = "name"
_PARTS: Mapping[str, str] = {
    # Windows and what stands in them
    **dict.fromkeys(("Map", "PrivateMap", "PlayerHand", "WidgetMap"), "mapName"),
    **dict.fromkeys(("Board", "DrawPile", "SetupStack", "GamePieceLayout"), _NAME),
    # Lists of slots
    **dict.fromkeys(("PieceWindow", "ChartWindow"), _NAME),
    **dict.fromkeys(
        ("TabWidget", "ListWidget", "BoxWidget", "PanelWidget", "MapWidget"), "entryName"
    ),
    # What pieces are made of
    **dict.fromkeys(("PrototypesContainer", "PrototypeDefinition", "PrototypeFolder"), _NAME),
    **dict.fromkeys(("GamePieceImageDefinitions", "GlobalProperties", "Documentation"), _NAME),
    # What stands in the toolbar
    **dict.fromkeys(("TurnTracker", "Inventory", "PredefinedSetup", "MassKeyCommand"), _NAME),
    **dict.fromkeys(("DiceButton", "SpecialDiceButton", "GlobalKeyCommand"), _NAME),
    **dict.fromkeys(("ModuleSubFolder", "MapSubFolder", "DeckSubFolder"), _NAME),
    # Extensions
    "ExtensionElement": "target",
}
"""The components that get a file of their own, and the attribute that names them."""

_MAX_XML_DEPTH = 200  # real modules reach 15
_MARK = re.compile(rb"<\?vmod-part ([^?]*)\?>")
_TAG = re.compile(rb"<([^\s/>]+)")


def split(data: bytes) -> dict[str, bytes] | None:
    """The files of a build file by path without `.xml`; None when it cannot be split exactly."""
    # Some modules have a stray character before the declaration; it stays in the root's file.
    start = max(data.find(b"<?xml"), 0)
    if _MARK.search(data):
        return None
    try:
        elements = spans(data[start:])
    except BuildFileError:
        return None
    depths = [0] * len(elements)
    for number, element in enumerate(elements[1:], 1):
        depths[number] = depths[element.parent] + 1
    if max(depths) > _MAX_XML_DEPTH:
        return None
    return _Splitter(data, start, elements).files


def join(read: Callable[[str], bytes]) -> bytes:
    """The build file; `read` gives the content of a file by its path without `.xml`.

    Raises ArchiveError when a part is called like no safe file, stands in two places, or is too deep.
    """
    return _joined(read, ROOT, "", set())


def _joined(read: Callable[[str], bytes], path: str, folder: str, used: set[str]) -> bytes:
    # Once each: a few forged files that name each other many times would fill the memory.
    if path in used or folder.count("/") > MAX_DEPTH:
        raise ArchiveError(
            "a part stands in two places or too deep", code="EXPLODE_PARTS", place=path
        )
    used.add(path)
    text = read(path)
    if path != ROOT:
        text = text.removesuffix(b"\n").removesuffix(b"\r")

    def part(match: re.Match[bytes]) -> bytes:
        name = match[1].decode("ascii", "replace")
        if not is_safe_path(name) or "/" in name:
            raise ArchiveError(
                f"a part cannot be called {name[:40]!r}", code="EXPLODE_PARTS", place=path
            )
        inner = folder + name
        return _joined(read, inner, inner + "/", used)

    return _MARK.sub(part, text)


class _Splitter:
    def __init__(self, data: bytes, start: int, elements: tuple[Span, ...]) -> None:
        self._data, self._start, self._elements = data, start, elements
        self._children: list[list[int]] = [[] for _ in elements]
        for number, element in enumerate(elements):
            if element.parent >= 0:
                self._children[element.parent].append(number)
        self._names = SafeNames()
        self.files: dict[str, bytes] = {}
        body = self._text(0, "", 0)
        root = elements[0]
        self.files[ROOT] = data[: start + root.start] + body + data[start + root.end :]

    def _text(self, number: int, folder: str, depth: int) -> bytes:
        """The element's bytes with its parts cut out."""
        element = self._elements[number]
        out, at = [], element.start
        for child in self._children[number]:
            span = self._elements[child]
            kind, name = _label(self._bytes(span.start, span.open_end))
            if kind in _PARTS and depth < MAX_DEPTH:
                # Without a dot before `.xml`, the folder of a part is never called like another's file.
                wanted = f"{kind}-{name}" if name else kind
                path = self._names.file(folder, wanted.replace(".", "_") + ".xml")
                path = path.removesuffix(".xml")
                text = self._text(child, path + "/", depth + 1)
                self.files[path] = text + b"\n"
                new = b"<?vmod-part " + path.rpartition("/")[2].encode("ascii") + b"?>"
            else:
                new = self._text(child, folder, depth)
            out += [self._bytes(at, span.start), new]
            at = span.end
        return b"".join([*out, self._bytes(at, element.end)])

    def _bytes(self, start: int, end: int) -> bytes:
        return self._data[self._start + start : self._start + end]


def _label(tag: bytes) -> tuple[str, str]:
    """What a start tag begins: the class without its package, and the component's name."""
    match = _TAG.match(tag)
    kind = match[1].decode("utf-8", "replace").rpartition(".")[2] if match else ""
    attribute = re.search(
        rb"\s" + _PARTS.get(kind, _NAME).encode() + rb"""\s*=\s*("[^"]*"|'[^']*')""", tag
    )
    name = unescape(attribute[1][1:-1].decode("utf-8", "replace")) if attribute else ""
    if kind == "ExtensionElement":
        # The target is a path; its last step is what the element is added to.
        name = name.rpartition("/")[2].rpartition(".")[2]
    return kind, name
