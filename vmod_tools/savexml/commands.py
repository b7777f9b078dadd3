"""The command tree as elements: commands with named fields, pieces, changes of pieces, steps.

`<tree>` is a command with sub-commands, its head first; a `<step>` is what a log holds behind end_save, and
the commands in it have stood behind one `LOG` each (`log` says where it was another number).  A command
that VASSAL could not read either is of kind `opaque` like an unknown one, with a note that says why.
"""

from __future__ import annotations

from collections.abc import Iterator

from vmod_tools.commands.kinds import ADD, CHANGE, END_SAVE, LOG, OPAQUE, Kind, parse_command
from vmod_tools.commands.tree import Node, Tree
from vmod_tools.errors import CommandError
from vmod_tools.pieces import parse_chain
from vmod_tools.savexml.lines import Lines
from vmod_tools.savexml.pieces import state_attributes, write_states, write_type
from vmod_tools.savexml.plans import plans_of
from vmod_tools.savexml.redaction import Secrets
from vmod_tools.savexml.tokens import named, quoted
from vmod_tools.sequence import Sequence

_MOST_TOKENS = 3  # of the commands that add or change a piece


class GameWriter:
    """Writes one game's tree; `types` collects the types of its pieces in order of appearance."""

    def __init__(self, depth: int, secrets: Secrets) -> None:
        self.lines = Lines(depth)
        self.types: dict[str, str] = {}
        self.steps = 0
        self._secrets = secrets
        self._type_of: dict[str, str] = {}
        self._log = 0

    def write(self, root: Tree) -> None:
        """The `<commands>` element of a whole text."""
        node = root if isinstance(root, Node) else Node(root, ())
        self.lines.open("commands", quoted(node.quoted))
        ended = False
        for child in (node.head, *node.children):
            if ended:
                self._write_step(child)
            else:
                self._write_tree(child)
            ended = ended or child == END_SAVE.prefix
        self.lines.close("commands")

    def write_types(self, lines: Lines) -> None:
        """The `<types>` element for the pieces written so far."""
        if self.types:
            lines.open("types")
            for text, type_id in self.types.items():
                write_type(lines, type_id, text)
            lines.close("types")

    def _write_step(self, tree: Tree) -> None:
        self.steps += 1
        node = tree if isinstance(tree, Node) else Node(tree, ())
        self.lines.open("step", [("n", str(self.steps)), *quoted(node.quoted)])
        self._log = 1
        for child in (node.head, *node.children):
            self._write_tree(child)
        self._log = 0
        self.lines.close("step")

    def _write_tree(self, tree: Tree) -> None:
        if isinstance(tree, str):
            self._write_leaf(tree)
            return
        self.lines.open("tree", quoted(tree.quoted))
        for child in (tree.head, *tree.children):
            self._write_tree(child)
        self.lines.close("tree")

    def _write_leaf(self, leaf: str) -> None:
        text = leaf
        log = 0
        while text.startswith(LOG.prefix):
            text = text[len(LOG.prefix) :]
            log += 1
        more = [("log", str(log))] if log != self._log else []
        try:
            command = parse_command(self._secrets.command(text))
        except CommandError as error:
            self._write_malformed(text, error.message, more)
            return
        kind, fields = command.kind, command.fields
        tokens = fields if isinstance(fields, Sequence) else Sequence("", (fields,))
        if kind is not ADD and kind is not CHANGE:
            self._write_command(kind, tokens, more)
        elif len(tokens.tokens) > _MOST_TOKENS:
            self._write_malformed(text, f"the {kind.name} command has surplus fields", more)
        elif kind is ADD:
            self._write_piece(tokens, more)
        else:
            self._write_change(tokens, more)

    def _write_malformed(self, text: str, note: str, more: list[tuple[str, str]]) -> None:
        kept = ("text", self._secrets.malformed(text))
        self.lines.empty("command", [("kind", OPAQUE.name), *more, kept, ("note", note)])

    def _write_command(self, kind: Kind, tokens: Sequence, more: list[tuple[str, str]]) -> None:
        attributes = [("kind", kind.name), *more, *quoted(tokens.quoted)]
        attributes += named(kind.fields, tokens.tokens)
        rest = tokens.tokens[len(kind.fields) :] if kind.delimiter else ()
        if not rest:
            self.lines.empty("command", attributes)
            return
        self.lines.open("command", attributes)
        for token in rest:
            self.lines.text("field", token)
        self.lines.close("command")

    def _write_piece(self, tokens: Sequence, more: list[tuple[str, str]]) -> None:
        piece_id, type_text, state = tokens.tokens
        type_id = self.types.setdefault(type_text, f"t{len(self.types) + 1}")
        self._type_of[piece_id] = type_text
        attributes = [("id", piece_id), ("type", type_id), *more, *quoted(tokens.quoted)]
        self._write_state("piece", attributes, type_text, state)

    def _write_change(self, tokens: Sequence, more: list[tuple[str, str]]) -> None:
        piece_id, *states = tokens.tokens
        type_text = self._type_of.get(piece_id)
        known = [] if type_text is None else [("type", self.types[type_text])]
        self.lines.open("change", [("id", piece_id), *known, *more, *quoted(tokens.quoted)])
        for tag, state in zip(("state-after", "state-before"), states, strict=False):
            self._write_state(tag, [], type_text, state)
        self.lines.close("change")

    def _write_state(
        self, tag: str, attributes: list[tuple[str, str]], type_text: str | None, state: str
    ) -> None:
        plans = () if type_text is None else plans_of(type_text)
        chain = self._secrets.chain(type_text, parse_chain(state))
        attributes = [*attributes, *state_attributes(plans, chain)]
        written = any(level.text or level.quoted for level in chain)
        if not written or any(name == "state" for name, _ in attributes):
            self.lines.empty(tag, attributes)
            return
        self.lines.open(tag, attributes)
        write_states(self.lines, plans, chain)
        self.lines.close(tag)


def leaves_of(tree: Tree) -> Iterator[str]:
    """The command texts without their LOG prefixes."""
    if isinstance(tree, str):
        text = tree
        while text.startswith(LOG.prefix):
            text = text[len(LOG.prefix) :]
        yield text
        return
    for child in (tree.head, *tree.children):
        yield from leaves_of(child)
