"""What the images of a module come to: used or not, missing, wrongly spelt, no image, there twice."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from vmod_tools.archive import Archive
from vmod_tools.buildfile import BuildFile
from vmod_tools.errors import ArchiveError, VmodError
from vmod_tools.images.references import (
    IMAGES,
    Reference,
    generated_images,
    mentions,
    references,
)
from vmod_tools.imagesizes import image_size

# Vengine.jar of VASSAL 3.7: found when a module has no member of that name (tools/DataArchive.java).
_PROGRAM_IMAGES = frozenset(
    [
        "black.jpg",
        "camera.gif",
        "chart.gif",
        "chess_clock.png",
        "connect.gif",
        "counter.gif",
        "die.gif",
        "disconnect.gif",
        "Edit16.gif",
        "getMessages.gif",
        "globe_selected.gif",
        "globe_unselected.gif",
        "Help16.gif",
        "inventory.gif",
        "keyCommand.gif",
        "lockedRoom.gif",
        "map.gif",
        "mm-extension-active.png",
        "mm-extension-inactive.png",
        "mm-file.png",
        "mm-gamefolder-closed.png",
        "mm-gamefolder-open.png",
        "mm-module.png",
        "moved.gif",
        "notes.gif",
        "overview.gif",
        "playerAway.gif",
        "playerLooking.gif",
        "postMessage.gif",
        "recenter.gif",
        "Save16.gif",
        "SaveAs16.gif",
        "Splash.gif",
        "Splash.png",
        "status.gif",
        "StepForward16.gif",
        "thread.gif",
        "Undo16.gif",
        "unmoved.gif",
        "VASSAL-256x256.png",
        "zoom.png",
        "zoomIn.gif",
        "zoomIn.png",
        "zoomOut.gif",
        "zoomOut.png",
    ]
)
_BYTES_A_PIXEL = 4  # Java's TYPE_INT_ARGB
_PLACES = 3

CUSTOM_CODE = "the module has classes of its own, which may use images that nothing else speaks of"
EXTENSION = "this is an extension: what is missing here may be in its module"


@dataclass(frozen=True, slots=True)
class ImageMember:
    """A member below `images/`; without size when it is no image."""

    name: str
    bytes: int
    width: int
    height: int
    references: int

    @property
    def memory(self) -> int:
        """What it takes when it is decoded, in bytes."""
        return self.width * self.height * _BYTES_A_PIXEL


@dataclass(frozen=True, slots=True)
class MissingImage:
    """A name that is looked for in vain; `actual` is the member that differs in letter case alone."""

    name: str
    references: int
    places: tuple[str, ...]
    """The first of them."""
    actual: str = ""


@dataclass(frozen=True, slots=True)
class Inventory:
    """All that is to be said of a module's images."""

    images: tuple[ImageMember, ...]
    unused: tuple[str, ...]
    missing: tuple[MissingImage, ...]
    wrong_case: tuple[MissingImage, ...]
    not_images: tuple[str, ...]
    duplicates: tuple[tuple[str, ...], ...]
    cautions: tuple[str, ...]


def take_inventory(archive: Archive) -> Inventory:
    """The inventory of a module or extension; raises VmodError when the archive holds neither."""
    build = BuildFile.read(archive)
    if build is None:
        raise ArchiveError("the archive holds no module: it has no buildFile", code="NOT_A_MODULE")
    names = {e.name for e in archive.entries}
    generated = generated_images(build)
    counts: dict[str, int] = {}
    lost: dict[str, list[Reference]] = {}
    for reference in references(archive, build):
        member = _find(reference, names)
        if member is not None:
            counts[member] = counts.get(member, 0) + 1
        elif not _is_elsewhere(reference.name, generated):
            lost.setdefault(reference.name, []).append(reference)
    images, duplicates = _read_images(archive, counts)
    missing = _missing(lost, names)
    custom = any(name.endswith(".class") for name in names)
    return Inventory(
        images=images,
        unused=_unused(images, counts, {m.actual for m in missing}, mentions(archive, build)),
        missing=tuple(m for m in missing if not m.actual),
        wrong_case=tuple(m for m in missing if m.actual),
        not_images=tuple(i.name for i in images if not i.width),
        duplicates=duplicates,
        cautions=(CUSTOM_CODE,) * custom + (EXTENSION,) * build.is_extension,
    )


def _find(reference: Reference, names: set[str]) -> str | None:
    """The member that the reference finds: as it stands, in NFD, with `.gif`, or beside its page."""
    wanted = IMAGES + reference.name
    for name in (wanted, unicodedata.normalize("NFD", wanted), wanted + ".gif", reference.member):
        if name in names:
            return name
    return None


def _is_elsewhere(name: str, generated: frozenset[str]) -> bool:
    """Whether the image is the program's own (`/images/…`, or by that name) or drawn by the module."""
    return name.startswith("/") or name in generated or name in _PROGRAM_IMAGES


def _missing(lost: dict[str, list[Reference]], names: set[str]) -> list[MissingImage]:
    by_case = {name.casefold(): name for name in sorted(names)}
    found = []
    for name, places in sorted(lost.items()):
        actual = by_case.get((IMAGES + name).casefold()) or by_case.get(
            (IMAGES + name + ".gif").casefold(), ""
        )
        first = tuple(dict.fromkeys(p.place for p in places))[:_PLACES]
        found.append(MissingImage(name, len(places), first, actual.removeprefix(IMAGES)))
    return found


def _read_images(
    archive: Archive, counts: dict[str, int]
) -> tuple[tuple[ImageMember, ...], tuple[tuple[str, ...], ...]]:
    """The members below `images/`, and those with equal content."""
    images: dict[str, ImageMember] = {}
    same: dict[bytes, list[str]] = {}
    for entry in archive.entries:
        name = entry.name.removeprefix(IMAGES)
        if name == entry.name or not name or name.endswith("/"):
            continue
        try:
            content = archive.read(entry)
        except VmodError:
            content = b""
        width, height = image_size(content)
        images[name] = ImageMember(name, entry.size, width, height, counts.get(entry.name, 0))
        if content:
            same.setdefault(sha256(content).digest(), []).append(name)
    duplicates = tuple(tuple(sorted(set(equal))) for equal in same.values() if len(set(equal)) > 1)
    return tuple(images[name] for name in sorted(images)), tuple(sorted(duplicates))


def _unused(
    images: Iterable[ImageMember], counts: dict[str, int], meant: set[str], text: str
) -> tuple[str, ...]:
    # A wrong guess here deletes somebody's image: whatever names it keeps it, with or without suffix.
    return tuple(
        i.name
        for i in images
        if not counts.get(IMAGES + i.name)
        and i.name not in meant
        and i.name not in text
        and not _named_without_suffix(i.name, text)
    )


def _named_without_suffix(name: str, text: str) -> bool:
    stem, dot, suffix = name.rpartition(".")
    return suffix.lower() == "gif" and bool(dot) and len(stem) > 2 and stem in text
