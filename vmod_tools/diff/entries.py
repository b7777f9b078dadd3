"""Archive entries as items: metadata by what they say, the others by what they hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from hashlib import sha256

from vmod_tools.archive import Archive
from vmod_tools.buildfile import EXTENSION_DATA, MODULE_DATA, SAVE_DATA, read_metadata
from vmod_tools.diff.model import Item, plain_item
from vmod_tools.errors import VmodError
from vmod_tools.imagesizes import image_size

_METADATA = (MODULE_DATA, SAVE_DATA, EXTENSION_DATA)


def metadata_items(archive: Archive) -> Iterator[Item]:
    """What the metadata documents say; when a file was saved is not part of what it is."""
    for name in _METADATA:
        try:
            data = read_metadata(archive, name)
        except VmodError:
            # Then it is compared as any other entry.
            continue
        if data is not None:
            said = {
                "name": data.name,
                "version": data.version,
                "VASSAL version": data.vassal_version,
                "description": data.description,
                "extra 1": data.extra1,
                "extra 2": data.extra2,
                "universal": data.universal,
                **{f"name {k}": v for k, v in sorted(data.names.items())},
                **{f"description {k}": v for k, v in sorted(data.descriptions.items())},
            }
            yield plain_item(f"metadata {name}", {k: v for k, v in said.items() if v})


def entry_items(archive: Archive, told: Collection[str]) -> Iterator[Item]:
    """The entries that are not `told` otherwise: size, digest, and the size of a picture."""
    if told:
        said = {item.key.removeprefix("metadata ") for item in metadata_items(archive)}
        told = {*told, *said}
    seen: dict[str, int] = {}
    for entry in archive.entries:
        if entry.name in told or (entry.name.endswith("/") and not entry.size):
            continue
        seen[entry.name] = seen.get(entry.name, 0) + 1
        key = f"entry {entry.name}" + (f" #{seen[entry.name]}" if seen[entry.name] > 1 else "")
        try:
            content = archive.read(entry)
        except VmodError as error:
            yield plain_item(key, {"unreadable": error.stable_code, "bytes": str(entry.size)})
            continue
        fields = {"bytes": str(len(content)), "sha256": digest(content)}
        if entry.name.startswith("images"):
            width, height = image_size(content)
            if width:
                fields = {"pixels": f"{width}×{height}", **fields}
        yield plain_item(key, fields)


def digest(content: bytes) -> str:
    """Enough of a SHA-256 to tell contents apart."""
    return sha256(content).hexdigest()[:16]
