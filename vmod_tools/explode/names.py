"""Safe names for files on disk, made from names that a stranger's archive holds.

Nothing is ever written under a name from a file.  A generated name has only ASCII letters, digits, dot,
dash and underscore, begins with a letter, digit or underscore, does not end in a dot, is no device name of
Windows, and differs from its neighbours in more than letter case.  The index says which entry it stands
for, so the name need not be reversible; it is only meant to be recognised.
"""

from __future__ import annotations

import re
import zlib

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
_SAFE = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?")
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
_DEVICES = frozenset(
    {"CON", "PRN", "AUX", "NUL", "CONIN", "CONOUT"}
    | {f"{port}{n}" for port in ("COM", "LPT") for n in range(10)}
)
_MAX_NAME = 48  # Windows takes 260 characters for a whole path; real names are 15 long
MAX_DEPTH = 6
"""Folders below the root; deeper names are joined into one."""


def is_safe_path(path: str) -> bool:
    """Whether every part of a relative path could have been made here; an index may be forged."""
    return all(
        _SAFE.fullmatch(part) is not None and not _is_device(part) for part in path.split("/")
    )


class SafeNames:
    """Hands out paths, none twice; paths that differ in letter case alone count as the same."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._folders: dict[tuple[str, str], str] = {}

    def file(self, folder: str, wanted: str) -> str:
        """A path in `folder` ("" or ending in a slash) for a file that would like to be called `wanted`."""
        name = _safe_name(wanted)
        stem, dot, suffix = name.rpartition(".")
        if not stem:
            stem, dot, suffix = name, "", ""
        path, number = folder + name, 2
        while path.lower() in self._taken:
            path, number = f"{folder}{stem}-{number}{dot}{suffix}", number + 1
        self._taken.add(path.lower())
        return path

    def folder(self, parent: str, wanted: str) -> str:
        """The path, with its slash, of the folder `wanted` in `parent`: the same each time."""
        key = (parent, wanted)
        if key not in self._folders:
            self._folders[key] = self.file(parent, wanted) + "/"
        return self._folders[key]

    def folder_of(self, root: str, name: str) -> tuple[str, str]:
        """The folder for an entry called `name`, and what is left of the name for the file itself."""
        *parts, last = name.split("/")
        folder = root
        for part in parts[:MAX_DEPTH]:
            folder = self.folder(folder, part)
        return folder, "_".join([*parts[MAX_DEPTH:], last])


def _safe_name(text: str) -> str:
    # A blank is the one odd character that is common and tells nothing; any other loss is marked by a
    # checksum, so that such names stay apart from each other whichever of them comes first.
    plain = text.replace(" ", "_")
    name = _UNSAFE.sub("_", plain)
    lossy = name != plain
    if name.startswith((".", "-")):
        name, lossy = "_" + name[1:], True
    if name.endswith("."):
        name, lossy = name[:-1] + "_", True
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix) > 10:
        stem, dot, suffix = name, "", ""
    room = _MAX_NAME - 9 - len(suffix)
    if len(stem) > room:
        stem, lossy = stem[:room], True
    if lossy:
        mark = zlib.crc32(text.encode("utf-8", "surrogatepass"))
        stem = f"{stem}-{mark:08x}"
    name = (stem + dot + suffix) or "_"
    return "_" + name if _is_device(name) else name


def _is_device(name: str) -> bool:
    return name.partition(".")[0].upper() in _DEVICES
