"""What differs between two forms of a file, layer by layer: archive, hidden text, command tree, levels.

Nothing here edits; the zip is read by the product's archive, whose exactness has its own tests.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from vmod_tools.archive import Archive, Entry
from vmod_tools.commands.tree import leaves, parse_tree
from vmod_tools.saves import SAVED_GAME, read_text


def changed_entries(before: bytes, after: bytes) -> list[str]:
    """The entries whose bytes in the archive differ, header and stream; the others must stand in order."""
    old, new = Archive.parse(before), Archive.parse(after)
    assert old.names() == new.names()
    assert [stable(e) for e in old.entries] == [stable(e) for e in new.entries]
    pairs = zip(old.entries, new.entries, strict=True)
    return [a.name for a, b in pairs if a.chunk != b.chunk]


def stable(entry: Entry) -> tuple[bytes, bytes]:
    """What no edit may touch: the name, and the date, attributes and comment of the directory."""
    record = entry.record
    return entry.name_bytes, record[12:16] + record[30:42]


def text_of(data: bytes) -> str:
    return game(data)[1]


def game(data: bytes) -> tuple[object, str]:
    """How the text is hidden, and the text."""
    archive = Archive.parse(data)
    entry = archive.find(SAVED_GAME)
    assert entry
    envelope, text, _ = read_text(archive.read(entry))
    return envelope, text


def the_change(before: str, after: str) -> tuple[str, str]:
    """The one stretch in which two texts differ: what stood there, and what stands there."""
    shorter = min(len(before), len(after))
    start = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    rest = shorter - start
    end = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    return before[start : len(before) - end], after[start : len(after) - end]


def changed_leaves(before: str, after: str) -> list[tuple[list[str], list[str]]]:
    """The runs of commands that differ, each as the old and the new ones."""
    old, new = list(leaves(parse_tree(before))), list(leaves(parse_tree(after)))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    runs = [(old[a:b], new[c:d]) for op, a, b, c, d in matcher.get_opcodes() if op != "equal"]
    # Runs of equal length are changes one by one.
    found: list[tuple[list[str], list[str]]] = []
    for was, now in runs:
        if len(was) == len(now):
            found += [([a], [b]) for a, b in zip(was, now, strict=True)]
        else:
            found.append((was, now))
    return found


def build_text(data: bytes) -> str:
    """A build file, byte for byte (undecodable ones as surrogates)."""
    archive = Archive.parse(data)
    entry = archive.find("buildFile.xml") or archive.find("buildFile")
    assert entry
    return archive.read(entry).decode("utf-8", "surrogateescape")
