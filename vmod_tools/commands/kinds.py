"""One table for all commands we read: prefix, delimiter and field names.

A `Command` is its kind and its decoded fields; encoding it gives the text it came from.  Commands
that the table does not list (modules bring their own) are of kind `opaque` and keep their text.

Source: build/module/BasicCommandEncoder.java and the classes named in vassal-format.md section 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from vmod_tools.errors import CommandError
from vmod_tools.sequence import Sequence, java_int
from vmod_tools.values.codec import Value, decode_value
from vmod_tools.values.layout import FieldProblem
from vmod_tools.values.plain import ValueProblem

TAB = "\t"


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of command is written: `prefix`, then `fields` joined by `delimiter`.

    `delimiter` "" means that the rest of the text is one raw field.  The first `required` fields must
    be there, and `numbers` must be ints, for anything to be made of the command; of others, VASSAL wants
    `least` fields.  `types` has the letter codes (values.codec) of fields that are no plain texts.
    Tokens past the last field belong to the command too (boards); `rest_type` is their letter, None where
    there are none.  `secret` names fields that hold user ids or passwords; `*` means the tokens past the last.
    """

    name: str
    prefix: str
    fields: tuple[str, ...] = ()
    delimiter: str = ""
    required: int = 0
    numbers: frozenset[str] = frozenset()
    least: int = 0
    types: Mapping[str, str] = field(default_factory=dict, hash=False)
    rest_type: str | None = None
    secret: frozenset[str] = frozenset()
    network: bool = False
    """Only sent between running programs, never written to a file."""


_INTS_OF_MOVE = ("x", "y", "old_x", "old_y")

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
    frozenset(_INTS_OF_MOVE),
    types=dict.fromkeys(_INTS_OF_MOVE, "I"),
    secret=frozenset({"player"}),
)
CHAT = Kind("chat", "CHAT", ("text",))
LOG = Kind("log", "LOG\t", ("command",))
UNDO = Kind("undo", "UNDO\t", ("begins",), types={"begins": "B"})
NULL = Kind("null", "")
BEGIN_SAVE = Kind("begin_save", "begin_save")
END_SAVE = Kind("end_save", "end_save")
SETUP_STACK = Kind("setup_stack", "SETUP_STACK\t", ("rest",))
PLAYER = Kind(
    "player",
    "PLAYER\t",
    ("user_id", "name", "side"),
    TAB,
    3,
    secret=frozenset({"user_id"}),
)
REMOVE_PLAYER = Kind(
    "remove_player", "PYREMOVE\t", ("user_id",), TAB, least=1, secret=frozenset({"user_id"})
)
GLOBAL_PROPERTY = Kind(
    "global_property", "GlobalProperty\t;", ("name", "value", "container"), ";", 2
)
MUTABLE_PROPERTY = Kind(
    "mutable_property", "MutableProperty\t", ("name", "old_value", "value", "container"), TAB, 3
)
SCENARIO_NOTE = Kind("scenario_note", "NOTES\t", ("text",), types={"text": "N"})
PUBLIC_NOTE = Kind("public_note", "PNOTES\t", ("text",), types={"text": "N"})
PRIVATE_NOTE = Kind(
    "private_note",
    "PNOTE\t",
    ("owner", "text"),
    TAB,
    least=2,
    types={"text": "N"},
    secret=frozenset({"owner"}),
)
SECRET_NOTE = Kind(
    "secret_note",
    "SNOTE\t",
    ("name", "owner", "hidden", "text", "date", "handle"),
    TAB,
    least=4,
    types={"hidden": "B", "text": "N"},
    secret=frozenset({"owner"}),
)
DICE_RESULTS = Kind("dice_results", "SHOW_RESULTS\t", ("button",), TAB, least=1, rest_type="I")
EXTENSION = Kind("extension", "EXT\t", ("name", "version"), TAB, least=2)
PLUGIN = Kind("plugin", "PLUGIN\t", ("name", "version"), TAB, least=2)
UNMASK = Kind("unmask", "UNMASK\t", (), TAB, rest_type="U", secret=frozenset({"*"}))
LINE_OF_SIGHT = Kind(
    "line_of_sight",
    "LOS\t",
    ("thread", "anchor_x", "anchor_y", "arrow_x", "arrow_y", "persisting", "mirroring", "reset"),
    TAB,
    least=7,
    types=dict.fromkeys(("anchor_x", "anchor_y", "arrow_x", "arrow_y"), "I")
    | dict.fromkeys(("persisting", "mirroring", "reset"), "B"),
)
FLARE = Kind("flare", "FLARE\t", ("id", "x", "y"), TAB, least=3, types={"x": "I", "y": "I"})
CLOCK_CONTROL = Kind(
    "clock_control",
    "CLOCKCONTROL\t",
    ("showing", "online"),
    TAB,
    least=2,
    types={"showing": "B", "online": "B"},
)
CLOCK = Kind(
    "clock",
    "CLOCK\t",
    ("who", "name", "elapsed", "verified", "ticking", "restore"),
    TAB,
    least=6,
    types={"elapsed": "J", "verified": "J", "ticking": "B", "restore": "B"},
)
STARTUP_KEY = Kind("startup_key", "SGKC\t", ("id", "applied"), TAB, least=2, types={"applied": "B"})
OPTION_TAB_LOCK = Kind(
    "option_tab_lock",
    "LOCKSPOTAB\t",
    ("tab", "locked_by", "password", "date"),
    TAB,
    least=1,
    secret=frozenset({"locked_by", "password"}),
)
DICE_MAIL = Kind("dice_mail", "SEMAIL\t", ("address",))
SOUND = Kind("sound", "AUDIO\t", ("clip",))
SAVED_DECK = Kind("saved_deck", "DECK\t", ("rest",))
EVENTS = Kind("events", "Events", (), "|", rest_type="SA")
# The tracker's or map's own id stands before the first TAB, so these two have no fixed prefix: their
# first field is the whole first token.
TURN = Kind("turn", "", ("tracker", "state"), TAB, 2)
BOARDS = Kind("boards", "", ("picker",), TAB, 1, rest_type="S")
NETWORK = (
    Kind("synchronise", "SYNC", network=True),
    Kind("private_chat", "PRIV_CHAT/", ("rest",), network=True),
    Kind("play_with", "PLAY\t", ("rest",), network=True),
    Kind("invite", "INVITE\t", ("rest",), network=True),
)
OPAQUE = Kind("opaque", "", ("text",))

ALL_KINDS: Mapping[str, Kind] = {
    kind.name: kind for kind in (*(v for v in vars().values() if isinstance(v, Kind)), *NETWORK)
}
"""Every kind of command by its name."""

_BY_HEAD = {k.prefix: k for k in (ADD, REMOVE, CHANGE, MOVE)}
_BY_WORD = {k.prefix.partition(TAB)[0]: k for k in ALL_KINDS.values() if TAB in k.prefix}
_EXACT = {k.prefix: k for k in (NULL, BEGIN_SAVE, END_SAVE, NETWORK[0])}
_BY_START = (CHAT, EVENTS, NETWORK[1])

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

    def value(self, name: str) -> Value:
        """What the field `name` says; None where the text ends before it, and for an empty one."""
        text = self.get(name)
        return None if text is None else decode_value(self.kind.types.get(name, "S"), text)

    @property
    def rest(self) -> tuple[str, ...]:
        """The tokens past the last named field."""
        if isinstance(self.fields, str):
            return ()
        return self.fields.tokens[len(self.kind.fields) :]

    def rest_values(self) -> tuple[Value, ...]:
        """What the tokens past the last named field say: ids, faces of dice, events."""
        kind = self.kind.rest_type or "S"
        return tuple(decode_value(kind, token) for token in self.rest)

    def problems(self) -> Iterator[FieldProblem]:
        """Every field that is not of its kind, missing, or past the last; parsing lets them pass."""
        kind = self.kind
        for index, name in enumerate(kind.fields):
            text = self.get(name)
            if text is None and index < max(kind.required, kind.least):
                yield FieldProblem("missing", name, "required, and not there")
            elif isinstance(value := self.value(name), ValueProblem):
                yield FieldProblem("malformed", name, value.message)
        for value in self.rest_values():
            if isinstance(value, ValueProblem):
                yield FieldProblem("malformed", "*", value.message)
        if kind.rest_type is None and self.rest:
            yield FieldProblem("surplus", str(len(kind.fields) + 1), "past the last field")

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
    if text[:1] in "CEP":
        kind = next((k for k in _BY_START if text.startswith(k.prefix)), None)
        if kind is not None:
            return kind
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
