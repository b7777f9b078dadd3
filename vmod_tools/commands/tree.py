"""The command tree: one nested string, taken apart and put together exactly.

A command with sub-commands is a list joined by ESC whose first token is its head; both head and
sub-commands may be such lists again.  A text that the splitting rule leaves as it is, is a leaf.
What may be strange and must survive: empty heads (null commands), quoted leaves, a head that is
itself a tree.

Source: build/GameModule.java (encode, decode); vassal-format.md section 5.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vmod_tools.errors import LimitError
from vmod_tools.limits import COMMAND_LINE
from vmod_tools.sequence import NONE_QUOTED, Sequence

ESC = "\x1b"
# A quoted token begins behind an ESC; without one the levels of the text can be read off its ESCs.
_QUOTE_BEHIND_ESC = ESC + "'"


@dataclass(frozen=True, slots=True)
class Node:
    """A command with sub-commands.  `quoted` counts the head as 0, the first child as 1."""

    head: Tree
    children: tuple[Tree, ...]
    quoted: frozenset[int] = NONE_QUOTED


Tree = str | Node
"""A leaf is its text."""


def parse_tree(text: str, max_depth: int = COMMAND_LINE.depth) -> Tree:
    """The tree in `text`; every text has one.  Raises LimitError when nested deeper than `max_depth`."""
    if text[:1] == "'" or _QUOTE_BEHIND_ESC in text:
        return _parse_nested(text, max_depth)
    return _grow(list(scan(text)), 0, 1, max_depth)[0]


def scan(text: str) -> Iterator[tuple[int, str]]:
    """The leaves of a text without quoted tokens, in order, each with the level of the ESC before it.

    An ESC behind k backslashes parts tokens of level k + 1: each level takes one backslash away.  So one
    pass over the ESCs finds the whole tree, and no inner text is copied once for each level.
    """
    start, level = 0, 0
    at = text.find(ESC)
    while at >= 0:
        end = at
        while end > start and text[end - 1] == "\\":
            end -= 1
        yield level, text[start:end]
        start, level = at + 1, at - end + 1
        at = text.find(ESC, start)
    yield level, text[start:]


def _grow(found: list[tuple[int, str]], at: int, level: int, max_depth: int) -> tuple[Tree, int]:
    """The tree whose first leaf is number `at`, and the number of the first leaf behind it; its own
    tokens are parted at `level`."""
    if at + 1 == len(found) or found[at + 1][0] < level:
        return found[at][1], at + 1
    if level > max_depth:
        raise LimitError("commands are nested too deeply", code="LIMIT_DEPTH")
    head, at = _grow(found, at, level + 1, max_depth)
    children: list[Tree] = []
    while at < len(found) and found[at][0] == level:
        if at + 1 == len(found) or found[at + 1][0] <= level:
            children.append(found[at][1])
            at += 1
        else:
            child, at = _grow(found, at, level + 1, max_depth)
            children.append(child)
    return Node(head, tuple(children)), at


def _parse_nested(text: str, max_depth: int) -> Tree:
    """Level by level, as VASSAL does it: quoted tokens hide where their inner levels end."""
    if ESC not in text and not (len(text) > 1 and text[0] == "'" == text[-1]):
        return text
    if max_depth <= 0:
        raise LimitError("commands are nested too deeply", code="LIMIT_DEPTH")
    tokens = Sequence.decode(text, ESC)
    first, *rest = [_parse_nested(token, max_depth - 1) for token in tokens.tokens]
    return Node(first, tuple(rest), tokens.quoted)


def encode_tree(tree: Tree) -> str:
    """The text of a tree; exactly the one it was parsed from."""
    if isinstance(tree, str):
        return tree
    tokens = (encode_tree(tree.head), *(encode_tree(child) for child in tree.children))
    return Sequence(ESC, tokens, tree.quoted).encode()


def children_of(tree: Tree) -> tuple[Tree, ...]:
    """The sub-commands; a leaf has none."""
    return () if isinstance(tree, str) else tree.children


def leaves(tree: Tree) -> Iterator[str]:
    """Every command text of the tree in the order in which VASSAL executes them: head, then children."""
    if isinstance(tree, str):
        yield tree
        return
    yield from leaves(tree.head)
    for child in tree.children:
        yield from leaves(child)
