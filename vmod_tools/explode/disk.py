"""The folder on disk: written, brought up to date, read; never through a link, never outside."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from vmod_tools.errors import InputFileError
from vmod_tools.explode.index import INDEX, Index

_GIT_ATTRIBUTES = ".gitattributes"
_ATTRIBUTES = (
    b"# Written by vmod explode. No line end may change, or implode gives other bytes.\n* -text\n"
)


class DiskFiles:
    """The files of an exploded folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: str) -> bytes:
        """A file's content; raises InputFileError."""
        target = self._root / path
        if _through_link(self._root, target):
            raise InputFileError("is a link, not a file", code="FILE_LINK", file=str(target))
        try:
            return target.read_bytes()
        except FileNotFoundError:
            raise InputFileError(
                "no such file; to leave its entry out, take its line out of vassal.json",
                code="FILE_MISSING",
                file=str(target),
            ) from None
        except OSError as error:
            raise InputFileError(
                f"cannot be read: {error.strerror}", code="FILE_READ", file=str(target)
            ) from error

    def below(self, folder: str) -> Iterable[str]:
        """The files in a folder, sorted; links and names with a dot in front (`.DS_Store`) are left out."""
        return sorted(self._walk(folder))

    def _walk(self, folder: str) -> Iterator[str]:
        for at, folders, names in os.walk(self._root / folder):
            folders[:] = [n for n in folders if n[0] != "." and not (Path(at) / n).is_symlink()]
            inside = Path(at).relative_to(self._root).as_posix()
            for name in names:
                if name[0] != "." and not (Path(at) / name).is_symlink():
                    yield f"{inside}/{name}"


def write_folder(root: Path, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Writes the files into a new or empty folder, or over an earlier explode; returns what was removed.

    Files that an earlier index lists and that are not written now are removed, and no others.  The index
    goes first: a folder that was left half written is known as ours, and implode tells what is missing.
    Raises InputFileError.
    """
    try:
        old = _earlier(root)
        _refuse_strangers(root, files, old)
        stale = sorted(set(old) - files.keys())
        for path in stale:
            _remove(root, path)
        for path in [INDEX, *(p for p in files if p != INDEX)]:
            _write(root, path, files[path])
        if not os.path.lexists(root / _GIT_ATTRIBUTES):
            _write(root, _GIT_ATTRIBUTES, _ATTRIBUTES)
    except OSError as error:
        raise InputFileError(
            f"cannot be written: {error.strerror}", code="FILE_WRITE", file=str(root)
        ) from error
    return tuple(stale)


def _earlier(root: Path) -> tuple[str, ...]:
    """The files of an earlier explode, none if the folder is new or empty."""
    if not root.exists():
        return ()
    if not root.is_dir():
        raise InputFileError("is not a folder", code="FILE_FOLDER", file=str(root))
    index = root / INDEX
    if index.is_file() and not index.is_symlink():
        return (INDEX, *Index.parse(index.read_bytes()).files)
    # A new repository is as good as empty.
    if any(child.name != ".git" for child in root.iterdir()):
        raise InputFileError(
            "the folder is neither empty nor made by vmod explode",
            code="FILE_FOLDER",
            file=str(root),
        )
    return ()


def _refuse_strangers(root: Path, files: Mapping[str, bytes], old: Iterable[str]) -> None:
    """Raises InputFileError when a file that we did not write is in the way."""
    ours = set(old)
    for path, content in files.items():
        target = root / path
        if _through_link(root, target):
            raise InputFileError("is a link, not a file", code="FILE_LINK", file=str(target))
        # A file with our content is left from an explode that was cut short.
        if path not in ours and target.is_file() and not _holds(target, content):
            raise InputFileError(
                "is in the way, and was not made by vmod explode",
                code="FILE_EXISTS",
                file=str(target),
            )


def _holds(target: Path, content: bytes) -> bool:
    return target.is_file() and target.read_bytes() == content


def _through_link(root: Path, target: Path) -> bool:
    """Whether a link stands between the root and the file."""
    while target != root:
        if target.is_symlink():
            return True
        target = target.parent
    return False


def _write(root: Path, path: str, content: bytes) -> None:
    target = root / path
    if _holds(target, content):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(prefix=".vmod-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(partial).chmod(0o644)
        Path(partial).replace(target)
    except OSError:
        with suppress(OSError):
            Path(partial).unlink()
        raise


def _remove(root: Path, path: str) -> None:
    """Removes a file, and the folders that it leaves empty."""
    target = root / path
    if _through_link(root, target) or not target.is_file():
        return
    target.unlink()
    with suppress(OSError):
        while target.parent != root:
            target = target.parent
            target.rmdir()
