"""The `+/` command of a piece with its texts, and the places that stacks and decks have for their members."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vmod_tools.commands.kinds import ADD, Command, parse_command
from vmod_tools.edit.commandtree import Branch, Leaf
from vmod_tools.edit.pieceedits import with_state
from vmod_tools.edit.quoting import rebuilt, replaced
from vmod_tools.errors import CommandError
from vmod_tools.pieces import Chain, Piece, encode_chain
from vmod_tools.sequence import Sequence
from vmod_tools.traits import DOES_NOT_STACK

_TYPE, _STATE = ADD.fields.index("type"), ADD.fields.index("state")
_LAYER = "@@"


@dataclass(frozen=True, slots=True)
class AddedPiece:
    """An AddPiece command and its piece; `text` is the command as it stands."""

    fields: Sequence
    piece: Piece

    @classmethod
    def parse(cls, text: str) -> AddedPiece:
        """The command in `text`; raises CommandError when it is another one, or cut short."""
        command = parse_command(text)
        if command.kind is not ADD or not isinstance(command.fields, Sequence):
            raise CommandError("not an AddPiece command", code="COMMAND_KIND")
        piece = Piece.decode(command["id"], command["type"], command["state"])
        return cls(command.fields, piece)

    @classmethod
    def of(cls, piece: Piece) -> AddedPiece:
        """A new command."""
        texts = (piece.id, encode_chain(piece.type_chain), encode_chain(piece.state_chain))
        return cls(Sequence.of(texts, ADD.delimiter), piece)

    @property
    def text(self) -> str:
        """The command's text."""
        return Command(ADD, self.fields).encode()

    def with_piece(self, piece: Piece) -> AddedPiece:
        """The command with another form of its piece; a chain that stays keeps its text."""
        fields = self.fields
        fields = _with_chain(fields, _TYPE, self.piece.type_chain, piece.type_chain)
        fields = _with_chain(fields, _STATE, self.piece.state_chain, piece.state_chain)
        return AddedPiece(fields, piece)


def _with_chain(fields: Sequence, index: int, old: Chain, new: Chain) -> Sequence:
    return fields if old == new else rebuilt(fields, index, encode_chain(new))


@dataclass(eq=False, slots=True)
class Cell:
    """An AddPiece command in the tree; `prefix` is LOG in a step."""

    branch: Branch
    leaf: Leaf
    prefix: str
    added: AddedPiece

    @property
    def piece(self) -> Piece:
        """The piece as it is now."""
        return self.added.piece

    def put(self, piece: Piece) -> None:
        """Writes another form of the piece."""
        self.added = self.added.with_piece(piece)
        self.leaf.text = self.prefix + self.added.text


def with_members(holder: Piece, members: tuple[str, ...]) -> Piece:
    """A stack or deck with these members, bottom to top."""
    state = holder.basic.state_fields()
    if holder.is_deck:
        text = Sequence.of(members, ",").encode()
        if not members:
            # Without members there is no fifth token.
            tokens = replace(state, tokens=state.tokens[:4])
        else:
            tokens = replaced(state, 4, text)
    else:
        layer = tuple(t for t in state.tokens[3:] if t.startswith(_LAYER))
        quoted = frozenset(i for i in state.quoted if i < 3)
        tokens = Sequence(state.delimiter, (*state.tokens[:3], *members, *layer), quoted)
    return with_state(holder, len(holder.state_chain) - 1, tokens.encode())


def may_stack(piece: Piece) -> bool:
    """Whether the piece may stand in a stack, as far as it says so outside its prototypes."""
    own = (t for t in piece.traits() if t.kind is DOES_NOT_STACK)
    return all(trait["stacking"] == "L" for trait in own)
