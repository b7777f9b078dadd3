"""Fields of a list by name: which token is which, and which tokens do not fit.

Most lists are fixed fields, whose tail may be cut off.  Some go on with a group of fields that repeats:
as often as the fixed field before it says (`*` behind the kind; more fixed fields may follow), or to the
end (`+`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Self

from vmod_tools.sequence import Sequence, needs_quotes
from vmod_tools.values.codec import RAW, Value, decode_value
from vmod_tools.values.plain import ValueProblem, decode_int

_COUNTED, _OPEN = "*", "+"


@dataclass(frozen=True, slots=True)
class Field:
    """A field.  `kind` is a letter code of `values.codec`; `default` None means that VASSAL refuses a text
    without it; `since` is the first version that writes it ("" from the start)."""

    name: str
    kind: str = "S"
    default: str | None = None
    since: str = ""


Fault = Literal["malformed", "missing", "surplus", "count"]


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """A token that does not fit its field: not of its kind, missing though required, past the last field,
    or a count that is not the number of what follows.  The token itself is not told: it may be a password."""

    fault: Fault
    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a list."""

    fixed: tuple[Field, ...] = ()
    group: tuple[Field, ...] = ()
    counted: bool = False
    after: tuple[Field, ...] = ()

    @classmethod
    def of(cls, fields: Iterable[Field]) -> Self:
        """The layout that a table's rows describe."""
        fixed: list[Field] = []
        group: list[Field] = []
        after: list[Field] = []
        counted = False
        for field in fields:
            mark = field.kind[-1:]
            if mark in (_COUNTED, _OPEN):
                counted = mark == _COUNTED
                group.append(Field(field.name, field.kind[:-1], field.default, field.since))
            else:
                (after if group else fixed).append(field)
        return cls(tuple(fixed), tuple(group), counted, tuple(after))

    def find(self, name: str, sequence: Sequence) -> tuple[Field, int] | None:
        """The field of that name and the index of its token; the token may not be there."""
        for index, field in enumerate(self.fixed):
            if field.name == name:
                return field, index
        behind = len(self.fixed) + self._repeats(sequence) * len(self.group)
        for index, field in enumerate(self.after, behind):
            if field.name == name:
                return field, index
        return None

    def text(self, name: str, sequence: Sequence) -> str:
        """The text of a field, or its default; raises KeyError without either."""
        found = self.find(name, sequence)
        if found is None:
            raise KeyError(name)
        field, index = found
        if index < len(sequence.tokens):
            return _rest(sequence, index) if field.kind in RAW else sequence.tokens[index]
        if field.default is None:
            raise KeyError(name)
        return field.default

    def value(self, name: str, sequence: Sequence) -> Value:
        """What a field says, or its default."""
        found = self.find(name, sequence)
        if found is None:
            raise KeyError(name)
        return decode_value(found[0].kind, self.text(name, sequence))

    def items(self, sequence: Sequence) -> tuple[tuple[Value, ...], ...]:
        """What the repeated group says, once for each time that it is there as a whole."""
        size, start = len(self.group), len(self.fixed)
        return tuple(
            tuple(
                decode_value(field.kind, token)
                for field, token in zip(self.group, sequence.tokens[at : at + size], strict=True)
            )
            for at in range(start, start + self._repeats(sequence) * size, size or 1)
        )

    def problems(self, sequence: Sequence) -> Iterator[FieldProblem]:
        """Every token that does not fit."""
        tokens = sequence.tokens
        groups = self._repeats(sequence) * len(self.group)
        fields = [*self.fixed]
        if groups:
            fields += [self.group[i % len(self.group)] for i in range(groups)]
        fields += self.after
        for index, field in enumerate(fields):
            if index >= len(tokens):
                if field.default is None:
                    yield FieldProblem("missing", field.name, "required, and not there")
                continue
            raw = field.kind in RAW
            value = decode_value(field.kind, _rest(sequence, index) if raw else tokens[index])
            if isinstance(value, ValueProblem):
                yield FieldProblem("malformed", field.name, value.message)
            if raw:
                return
        if self.counted and self._declared(sequence) != groups // len(self.group):
            yield FieldProblem("count", self.fixed[-1].name, "not the number of what follows")
        elif len(tokens) > len(fields) and tokens != ("",):
            name = str(len(fields) + 1)
            yield FieldProblem(
                "surplus", name, f"{len(tokens)} tokens where {len(fields)} are known"
            )

    def with_text(self, name: str, text: str, sequence: Sequence) -> Sequence:
        """The list with one token replaced; missing ones before it are filled with their defaults.

        Raises KeyError for a name that the layout lacks.
        """
        found = self.find(name, sequence)
        if found is None:
            raise KeyError(name)
        field, index = found
        if field.kind in RAW:
            head = self._filled(sequence, index)
            tail = Sequence.decode(text, sequence.delimiter)
            # A delimiter stands behind the head's last token, and maybe none did before.
            kept = {i for i in head.quoted if i < index}
            kept |= {i for i in range(index) if head.tokens[i].endswith("\\")}
            quoted = frozenset(kept | {i + index for i in tail.quoted})
            return Sequence(sequence.delimiter, head.tokens[:index] + tail.tokens, quoted)
        return self._filled(sequence, index + 1).with_token(index, text)

    def _filled(self, sequence: Sequence, length: int) -> Sequence:
        """The list with at least `length` tokens."""
        have = len(sequence.tokens)
        if have >= length:
            return sequence
        fields = (*self.fixed, *self.after) if not self.group else self.fixed
        more = [(fields[i].default or "") if i < len(fields) else "" for i in range(have, length)]
        tokens = (*sequence.tokens, *more)
        new = {i for i in range(have, length) if needs_quotes(tokens[i])}
        # No delimiter stood behind the last token before.
        last = {have - 1} if have and tokens[have - 1].endswith("\\") else set()
        quoted = sequence.quoted | new | last
        return Sequence(sequence.delimiter, tokens, quoted)

    def _declared(self, sequence: Sequence) -> int:
        index = len(self.fixed) - 1
        text = (*sequence.tokens, *[""] * len(self.fixed))[index]
        number = decode_int(text)
        return number if isinstance(number, int) else 0

    def _repeats(self, sequence: Sequence) -> int:
        """How often the group is there."""
        if not self.group:
            return 0
        there = max(len(sequence.tokens) - len(self.fixed), 0) // len(self.group)
        return max(0, min(there, self._declared(sequence))) if self.counted else there


def _rest(sequence: Sequence, index: int) -> str:
    """The text from a token to the end."""
    quoted = frozenset(i - index for i in sequence.quoted if i >= index)
    return Sequence(sequence.delimiter, sequence.tokens[index:], quoted).encode()
