"""A command tree that can be edited: leaves replaced, put in and taken out, and everything else kept.

Source: vassal-format.md sections 5.1 and 14 ("edit in place").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from vmod_tools.commands.tree import ESC, Tree
from vmod_tools.edit.quoting import readable
from vmod_tools.sequence import Sequence, needs_quotes


@dataclass(eq=False, slots=True)
class Leaf:
    """A command without sub-commands."""

    text: str
    quoted: bool = False


@dataclass(eq=False, slots=True)
class Branch:
    """A command with sub-commands; the first of its parts is its head."""

    parts: list[Leaf | Branch] = field(default_factory=list)
    quoted: bool = False

    def leaves(self) -> Iterator[tuple[Branch, Leaf]]:
        """All leaves in order of execution, each with the branch that holds it."""
        for part in self.parts:
            if isinstance(part, Leaf):
                yield self, part
            else:
                yield from part.leaves()

    def index(self, part: Leaf | Branch) -> int:
        """The place of a part, by identity: two commands may have the same text."""
        return next(i for i, p in enumerate(self.parts) if p is part)


def editable(tree: Tree) -> Branch:
    """The tree as branches; a single leaf becomes the only part of one."""
    made = _editable(tree, quoted=False)
    return made if isinstance(made, Branch) else Branch([made])


def encode(branch: Branch) -> str:
    """The text of a branch; of an unedited one, the text it came from."""
    parts = branch.parts
    if len(parts) == 1 and not parts[0].quoted:
        return _text(parts[0])
    quoted = frozenset(i for i, part in enumerate(parts) if part.quoted)
    return readable(Sequence(ESC, tuple(map(_text, parts)), quoted)).encode()


def new_leaf(text: str) -> Leaf:
    """A new command, quoted as VASSAL would."""
    return Leaf(text, quoted=needs_quotes(text))


def _editable(tree: Tree, *, quoted: bool) -> Leaf | Branch:
    if isinstance(tree, str):
        return Leaf(tree, quoted)
    parts = [tree.head, *tree.children]
    made = [_editable(part, quoted=i in tree.quoted) for i, part in enumerate(parts)]
    return Branch(made, quoted)


def _text(part: Leaf | Branch) -> str:
    return part.text if isinstance(part, Leaf) else encode(part)
