"""Where a module speaks of images: attributes, pieces and prototypes, predefined setups, help pages.

A reference is *needed* when VASSAL loads the image by that name.  A *mention* is a text in which the name
of an image may stand (help in plain text, expressions, custom classes): it keeps an image from being
called unused, and tells nothing about missing ones.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from urllib.parse import unquote

from vmod_tools.archive import Archive, Entry
from vmod_tools.buildfile import BuildFile, Component
from vmod_tools.commands.kinds import ADD, kind_of, parse_command
from vmod_tools.commands.tree import leaves, parse_tree
from vmod_tools.errors import VmodError
from vmod_tools.pieces import parse_chain
from vmod_tools.saves import SAVED_GAME, read_text
from vmod_tools.sequence import Sequence
from vmod_tools.traits import Trait

IMAGES = "images/"
_SLOTS = ("PieceSlot", "CardSlot", "PrototypeDefinition")
_GAMES = (".vsav", ".vlog", ".sav", ".log")
_PAGES = (".htm", ".html")
_MENTIONING = (*_PAGES, ".txt", ".properties", ".py", ".js", ".css", ".class", ".xml")
_SUFFIX = re.compile(r"\.(?:png|gif|jpe?g|bmp|svg)\Z", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?:.*icon|.*iconname|image|imagename)\Z", re.IGNORECASE)
_FILES = {"AboutScreen": "fileName", "Chart": "fileName"}
_TAG = re.compile(
    r"""<[^<>]*?\b(?:src|background)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE
)
_COMPUTED = re.compile(r"[${}]")


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that VASSAL looks for below `images/`; from a page also at `member`, beside the page."""

    name: str
    place: str
    member: str = ""


def references(archive: Archive, build: BuildFile) -> Iterator[Reference]:
    """The needed images of a module or extension, as often as they are spoken of."""
    for component in (build.root, *_all(build.root)):
        yield from _component(component, f"{build.entry} line {component.line}")
    for entry in archive.entries:
        lower = entry.name.lower()
        try:
            if lower.endswith(_GAMES):
                yield from _setup(archive, entry)
            elif lower.endswith(_PAGES):
                yield from _page(archive.read(entry), entry.name)
        except VmodError:
            # What cannot be read refers to nothing; `vmod verify` reports it.
            continue


def mentions(archive: Archive, build: BuildFile) -> str:
    """All texts in which an image's name may stand, as one."""
    texts = [value for c in (build.root, *_all(build.root)) for value in c.attributes.values()]
    texts += [component.text for component in _all(build.root)]
    for entry in archive.entries:
        if entry.name.lower().endswith(_MENTIONING):
            try:
                # Names in classes are modified UTF-8, which is ASCII where it matters.
                texts.append(archive.read(entry).decode("utf-8", "replace"))
            except VmodError:
                continue
    return "\n".join(texts)


def generated_images(build: BuildFile) -> frozenset[str]:
    """The names of the images that the module draws itself (GamePieceImage): no member holds them."""
    images = build.root.descendants("GamePieceImage")
    return frozenset(name for c in images if (name := c.get("name")))


def _all(root: Component) -> Iterator[Component]:
    for element in root.element.iterdescendants("{*}*"):
        yield Component(element)


def _component(component: Component, place: str) -> Iterator[Reference]:
    kind = component.kind
    for name, value in component.attributes.items():
        if not value:
            continue
        where = f"{place} {kind} {name}"
        if _ATTRIBUTE.match(name) or _FILES.get(kind) == name:
            yield Reference(value, where)
        elif kind in ("GamePieceLayout", "GamePieceImage") and name in ("layout", "props"):
            for token in re.split(r"[;|,]", value):
                if _SUFFIX.search(token):
                    yield Reference(token.strip("\\"), where)
        elif "<" in value:
            yield from _tags(value, where)
    if kind in _SLOTS:
        # The text is an AddPiece; ids and places say nothing here.
        for image in _images_of_command(component.text):
            yield Reference(image, f"{place} {kind} {component.name}".rstrip())


def _setup(archive: Archive, entry: Entry) -> Iterator[Reference]:
    inner = Archive.parse(archive.read(entry), archive.limits)
    game = inner.find(SAVED_GAME)
    if game is None:
        return
    _, text, _ = read_text(inner.read(game))
    seen: set[str] = set()
    for leaf in leaves(parse_tree(text, archive.limits.depth)):
        if kind_of(leaf) is ADD:
            command = parse_command(leaf)
            if command["type"] not in seen:
                seen.add(command["type"])
                for image in _images_of_type(command["type"]):
                    yield Reference(image, entry.name)


def _page(content: bytes, name: str) -> Iterator[Reference]:
    text = content.decode("utf-8", "replace")
    for reference in _tags(text, name):
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(name), reference.name))
        yield Reference(reference.name, name, beside)


def _tags(text: str, place: str) -> Iterator[Reference]:
    for match in _TAG.finditer(text):
        name = unquote(unescape(match[1].strip("\"'"))).strip()
        # Links to the web, embedded data, and names that an expression makes up.
        if name and ":" not in name and not _COMPUTED.search(name):
            yield Reference(name, place)


def _images_of_command(text: str) -> tuple[str, ...]:
    try:
        command = parse_command(text)
    except VmodError:
        return ()
    return _images_of_type(command["type"]) if command.kind is ADD else ()


@lru_cache(maxsize=65_536)
def _images_of_type(text: str) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            image
            for level in parse_chain(text)
            for image in _images_of_trait(Trait.decode(level.text))
            if image.strip()
        )
    )


def _images_of_trait(trait: Trait) -> Iterator[str]:
    prefix = trait.kind.prefix
    if prefix in _IMAGE_FIELDS:
        yield _field(trait, _IMAGE_FIELDS[prefix])
    if prefix == "emb2;":
        yield from Sequence.decode(_field(trait, "image_name"), ",").tokens
    elif prefix == "emb;":
        # Each token behind the eighth is a level: its image, and a name.
        for level in trait.tokens[8:]:
            yield Sequence.decode(level, ",").tokens[0]
    elif prefix == "obs;":
        style = _field(trait, "display_style")
        if style.startswith("G"):
            yield style[1:]
    elif prefix in ("placemark;", "replace;"):
        yield from _images_of_command(_field(trait, "marker_spec"))
    elif prefix in ("label;", "report;"):
        for token in trait.tokens:
            yield from (reference.name for reference in _tags(token, ""))


def _field(trait: Trait, name: str) -> str:
    try:
        return trait[name]
    except KeyError:
        return ""


_IMAGE_FIELDS = {"piece;": "image", "obs;": "image_name", "markmoved;": "moved_icon"}
