"""One table for all commands we read: prefix, delimiter and field names.

A `Command` is its kind and its decoded fields; encoding it gives the text it came from.  Commands
that the table does not list (modules bring their own) are of kind `opaque` and keep their text.

Source: build/module/BasicCommandEncoder.java and the classes named in vassal-format.md section 6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from vmod_tools.errors import CommandError
from vmod_tools.sequence import Sequence, java_int

TAB = "\t"


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of command is written: `prefix`, then `fields` joined by `delimiter`.

    `delimiter` "" means that the rest of the text is one raw field.  The first `required` fields must
    be there; tokens past the last field belong to the command too (boards).  `numbers` must be ints.
    """

    name: str
    prefix: str
    fields: tuple[str, ...] = ()
    delimiter: str = ""
    required: int = 0
    numbers: frozenset[str] = frozenset()


ADD = Kind("add", "+/", ("id", "type", "state"), "/", 3)
REMOVE = Kind("remove", "-/", ("id",))
CHANGE = Kind("change", "D/", ("id", "state", "old_state"), "/", 2)
MOVE = Kind(
    "move",
    "M/",
    ("id", "map", "x", "y", "under", "old_map", "old_x", "old_y", "old_under", "player"),
    "/",
    # Very old files lack the player.
    9,
    frozenset({"x", "y", "old_x", "old_y"}),
)
CHAT = Kind("chat", "CHAT", ("text",))
LOG = Kind("log", "LOG\t", ("command",))
UNDO = Kind("undo", "UNDO\t", ("begins",))
NULL = Kind("null", "")
BEGIN_SAVE = Kind("begin_save", "begin_save")
END_SAVE = Kind("end_save", "end_save")
SETUP_STACK = Kind("setup_stack", "SETUP_STACK\t", ("rest",))
PLAYER = Kind("player", "PLAYER\t", ("user_id", "name", "side"), TAB, 3)
GLOBAL_PROPERTY = Kind(
    "global_property", "GlobalProperty\t;", ("name", "value", "container"), ";", 2
)
MUTABLE_PROPERTY = Kind(
    "mutable_property", "MutableProperty\t", ("name", "old_value", "value", "container"), TAB, 3
)
# The tracker's or map's own id stands before the first TAB, so these two have no fixed prefix: their
# first field is the whole first token.
TURN = Kind("turn", "", ("tracker", "state"), TAB, 2)
BOARDS = Kind("boards", "", ("picker",), TAB, 1)
OPAQUE = Kind("opaque", "", ("text",))

_BY_HEAD = {k.prefix: k for k in (ADD, REMOVE, CHANGE, MOVE)}
_BY_WORD = {
    k.prefix.partition(TAB)[0]: k
    for k in (LOG, UNDO, SETUP_STACK, PLAYER, GLOBAL_PROPERTY, MUTABLE_PROPERTY)
}
_EXACT = {k.prefix: k for k in (NULL, BEGIN_SAVE, END_SAVE)}

_WORD = re.compile(r"[A-Za-z_]{1,30}")
_BOARD_PICKER, _TURN_TRACKER = "BoardPicker", "TURN"


@dataclass(frozen=True, slots=True)
class Command:
    """A command and its fields."""

    kind: Kind
    fields: Sequence | str = ""

    def __getitem__(self, name: str) -> str:
        """The field `name`; raises KeyError when the kind has none such or the text ends before it."""
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def get(self, name: str) -> str | None:
        """The field `name`, or None."""
        if isinstance(self.fields, str):
            return self.fields if self.kind.fields == (name,) else None
        index = self.kind.fields.index(name) if name in self.kind.fields else -1
        return self.fields.tokens[index] if 0 <= index < len(self.fields.tokens) else None

    def number(self, name: str) -> int:
        """The field `name` as an integer."""
        return int(self[name])

    def encode(self) -> str:
        """The command's text."""
        return self.kind.prefix + (
            self.fields if isinstance(self.fields, str) else self.fields.encode()
        )


def kind_of(text: str) -> Kind:
    """Which kind of command `text` is."""
    kind = _BY_HEAD.get(text[:2]) or _EXACT.get(text)
    if kind is not None:
        return kind
    if text.startswith(CHAT.prefix):
        return CHAT
    word, tab, _ = text.partition(TAB)
    if word.endswith(_BOARD_PICKER):
        return BOARDS
    if tab:
        kind = _BY_WORD.get(word)
        if kind is not None and text.startswith(kind.prefix):
            return kind
        if word.startswith(_TURN_TRACKER):
            return TURN
    return OPAQUE


def first_word(text: str) -> str:
    """How a command that no table lists is spoken of: what follows its first word may be a password."""
    word = _WORD.match(text)
    return word[0] if word else "?"


def parse_command(text: str) -> Command:
    """The command in `text`; raises CommandError when it is cut short or a number is none."""
    kind = kind_of(text)
    body = text[len(kind.prefix) :]
    if not kind.delimiter:
        return Command(kind, body)
    command = Command(kind, Sequence.decode(body, kind.delimiter))
    _check(command)
    return command


def _check(command: Command) -> None:
    kind, fields = command.kind, command.fields
    have = len(fields.tokens) if isinstance(fields, Sequence) else 1
    if have < kind.required:
        raise CommandError(
            f"the {kind.name} command is cut short: it has {have} of {kind.required} fields",
            code="COMMAND_SHORT",
            field=kind.fields[have],
        )
    for name in kind.numbers:
        if java_int(command[name]) is None:
            # What stands there instead is not shown: in a shifted M/ it may be a password.
            raise CommandError("not a whole number", code="COMMAND_NUMBER", field=name)
