"""How pieces look and stand: flags of Does Not Stack, masks, shapes, property sheets, owners, points.

Source: counters/Immobilized.java, Obscurable.java, ObscurableOptions.java, NonRectangular.java,
PropertySheet.java, Footprint.java, Stack.java; vassal-format.md sections 8.3d, e, g, h and 8.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vmod_tools.sequence import NONE_QUOTED, Sequence
from vmod_tools.values.keys import KeyStroke, LegacyKey, decode_key
from vmod_tools.values.plain import (
    ValueProblem,
    decode_bool,
    decode_double,
    decode_int,
    number_text,
)

SELECTION: Mapping[str, str] = {
    "n": "never selected",
    "i": "selected with Shift",
    "t": "selected with Ctrl",
    "c": "selected with Alt",
    "g": "ignores the grid",
    "Z": "never band-selected",
    "A": "band-selected with Alt",
    "B": "band-selected with Alt and Shift",
}
MOVEMENT: Mapping[str, str] = {"V": "never moves", "I": "moves if selected", "N": "moves"}
STACKING: Mapping[str, str] = {"L": "stacks", "R": "never stacks"}


@dataclass(frozen=True, slots=True)
class Flags:
    """Letters that each say one thing."""

    letters: str

    def __contains__(self, letter: str) -> bool:
        """Whether the flag is set."""
        return letter in self.letters

    def encode(self) -> str:
        """The token."""
        return self.letters


def decode_selection(text: str) -> Flags | ValueProblem | None:
    """Flags of `SELECTION`."""
    return _flags(text, SELECTION, len(text))


def decode_movement(text: str) -> Flags | ValueProblem | None:
    """A flag of `MOVEMENT`."""
    return _flags(text, MOVEMENT, 1)


def decode_stacking(text: str) -> Flags | ValueProblem | None:
    """A flag of `STACKING`."""
    return _flags(text, STACKING, 1)


def _flags(text: str, known: Mapping[str, str], most: int) -> Flags | ValueProblem | None:
    if not text:
        return None
    if len(text) > most or any(letter not in known for letter in text):
        return ValueProblem(text, f"not of the flags {''.join(known)}")
    return Flags(text)


_PEEK, _IMAGE = "P", "G"
_STYLES = ("B", _PEEK, "I", "2", _IMAGE)


@dataclass(frozen=True, slots=True)
class MaskDisplay:
    """How a mask is shown to its owner: B background, P plain, I and 2 inset, G an image."""

    style: str
    peek_key: KeyStroke | LegacyKey | None = None
    rest: str = ""
    """The image of G; behind B, I and 2 VASSAL reads nothing."""

    @property
    def image(self) -> str | None:
        """The image shown to the owner, or None."""
        return self.rest if self.style == _IMAGE else None

    def encode(self) -> str:
        """The token."""
        return self.style + (self.rest if self.peek_key is None else self.peek_key.encode())


def decode_mask(text: str) -> MaskDisplay | ValueProblem:
    """How a mask is shown."""
    style, rest = text[:1], text[1:]
    if style not in _STYLES or not style:
        return ValueProblem(text, "no way to show a mask")
    if style != _PEEK:
        return MaskDisplay(style, rest=rest)
    key = decode_key(rest)
    if isinstance(key, ValueProblem):
        return ValueProblem(text, "the peek key is no key stroke")
    return MaskDisplay(style, key)


@dataclass(frozen=True, slots=True)
class Owner:
    """Who hides, masks or owns a piece: a user id (a password) or a side, by the trait's access."""

    id: str = field(repr=False)

    @property
    def is_nobody(self) -> bool:
        """Whether nobody does; `nobody` owns the cards of a face-down deck."""
        return self.id in ("", "null", "nobody")

    def encode(self) -> str:
        """The token."""
        return self.id


@dataclass(frozen=True, slots=True)
class MaskOptions:
    """Who else may unmask a piece; `override` None: as the module says."""

    override: bool | None
    count: int | None
    ids: tuple[str, ...] = field(default=(), repr=False)
    quoted: frozenset[int] = NONE_QUOTED

    def encode(self) -> str:
        """The token."""
        head = ("" if v is None else number_text(v) for v in (self.override, self.count))
        return Sequence("|", (*head, *self.ids), self.quoted).encode()


def decode_mask_options(text: str) -> MaskOptions | ValueProblem | None:
    """Who else may unmask a piece; None for nobody."""
    if not text:
        return None
    tokens = Sequence.decode(text, "|")
    override_text, count_text, *ids = (*tokens.tokens, "")[: max(2, len(tokens.tokens))]
    override, count = decode_bool(override_text), decode_int(count_text)
    if isinstance(override, ValueProblem) or isinstance(count, ValueProblem):
        return ValueProblem(text, "not the options of a mask")
    if len(tokens.tokens) < 2 or (count or 0) != len(ids):
        return ValueProblem(text, "the options of a mask do not count their user ids")
    return MaskOptions(override, count, tuple(ids), tokens.quoted)


@dataclass(frozen=True, slots=True)
class Point:
    """A point in map pixels."""

    x: int
    y: int

    def encode(self) -> str:
        """The token."""
        return f"{number_text(self.x)},{number_text(self.y)}"


def decode_point(text: str) -> Point | ValueProblem:
    """A point."""
    x_text, comma, y_text = text.partition(",")
    x, y = decode_int(x_text), decode_int(y_text)
    if not comma or not isinstance(x, int) or not isinstance(y, int):
        return ValueProblem(text, "not a point")
    return Point(x, y)


@dataclass(frozen=True, slots=True)
class StackLayer:
    """The visual layer of a stack, last in its state; -1 when not set."""

    number: int

    def encode(self) -> str:
        """The token."""
        return "@@" + number_text(self.number)


def decode_member(text: str) -> str | StackLayer | ValueProblem:
    """The id of a piece in a stack, or the stack's layer."""
    if not text.startswith("@@"):
        return text
    number = decode_int(text[2:])
    return StackLayer(number) if isinstance(number, int) else ValueProblem(text, "no layer")


@dataclass(frozen=True, slots=True)
class SheetField:
    """A field of a property sheet; `kind` is an index of `SHEET_KINDS`, as a digit."""

    kind: str
    name: str


SHEET_KINDS = (
    *("text", "lines", "label", "ticks", "ticks with maximum"),
    *("ticks with value", "ticks with value and maximum", "spinner"),
)


@dataclass(frozen=True, slots=True)
class SheetDefinition:
    """The fields of a property sheet."""

    fields: tuple[SheetField, ...]
    quoted: frozenset[int] = NONE_QUOTED

    def encode(self) -> str:
        """The token."""
        return Sequence("~", tuple(f.kind + f.name for f in self.fields), self.quoted).encode()


def decode_sheet(text: str) -> SheetDefinition | ValueProblem | None:
    """The fields of a property sheet; None for none."""
    if not text:
        return None
    tokens = Sequence.decode(text, "~")
    if any(token[:1] not in tuple("01234567") for token in tokens.tokens):
        return ValueProblem(text, "a field of the sheet has no kind from 0 to 7")
    return SheetDefinition(tuple(SheetField(t[0], t[1:]) for t in tokens.tokens), tokens.quoted)


@dataclass(frozen=True, slots=True)
class ShapeStep:
    """A step of a shape: m or M moves, l or L draws a line, Q and C curves, c or Z closes, n or N names an image."""

    letter: str
    numbers: tuple[float, ...] = ()
    image: str = ""


@dataclass(frozen=True, slots=True)
class ShapePath:
    """The outline of a piece; `form` is `old` (commas, ints) or `new` (3.6 and later: blanks)."""

    form: str
    steps: tuple[ShapeStep, ...]

    def encode(self) -> str:
        """The token."""
        words = [] if self.form == "old" else ["d"]
        for step in self.steps:
            image = step.letter in "nN" and bool(step.image)
            glue = " " if self.form == "new" else ""
            words.append(step.letter + glue + step.image if image else step.letter)
            words += map(number_text, step.numbers)
        return ("," if self.form == "old" else " ").join(words)


_OLD_STEPS = {"c": 0, "m": 2, "l": 2}
_NEW_STEPS = {"M": 2, "L": 2, "Q": 4, "C": 6, "Z": 0}


def decode_shape(text: str) -> ShapePath | ValueProblem | None:
    """The outline of a piece; None for that of its image."""
    if not text:
        return None
    problem = ValueProblem(text, "not a path")
    new = text.partition(" ")[0] == "d"
    body, image, known = text, "", _OLD_STEPS
    if new:
        known = _NEW_STEPS
        body, found, image = text.partition(" N ")
        if found and not image:
            return problem
    words = body.split(" ")[1:] if new else body.split(",")
    steps = []
    while words:
        letter, *words = words
        if not new and letter[:1] == "n":
            steps.append(ShapeStep("n", image=letter[1:]))
            continue
        need = known.get(letter)
        numbers = map(decode_double if new else decode_int, words[: need or 0])
        kept = tuple(n for n in numbers if isinstance(n, int | float))
        if need is None or len(kept) != need:
            return problem
        steps.append(ShapeStep(letter, kept))
        words = words[need:]
    if image:
        steps.append(ShapeStep("N", image=image))
    return ShapePath("new" if new else "old", tuple(steps))
