"""XML written line by line: one element a line, indented by its depth."""

from __future__ import annotations

import base64
from collections.abc import Iterable

from vmod_tools.savexml.escaping import escape, escape_block, quote

Attributes = Iterable[tuple[str, str]]

_DEEPEST = 24  # commands nest up to 200 deep: beyond this an indent helps no eye
_INDENTS = [" " * depth for depth in range(_DEEPEST + 1)]
_BASE64_LINE = 100


class Lines:
    """The lines of a document so far; `depth` is that of the next element."""

    def __init__(self, depth: int = 0) -> None:
        self.depth = depth
        self._lines: list[str] = []

    def open(self, tag: str, attributes: Attributes = ()) -> None:
        """A start tag; what follows stands in it until `close`."""
        self._lines.append(f"{self._indent()}<{tag}{_written(attributes)}>")
        self.depth += 1

    def close(self, tag: str) -> None:
        """The end tag."""
        self.depth -= 1
        self._lines.append(f"{self._indent()}</{tag}>")

    def empty(self, tag: str, attributes: Attributes = ()) -> None:
        """An element without content."""
        self._lines.append(f"{self._indent()}<{tag}{_written(attributes)}/>")

    def text(self, tag: str, text: str, attributes: Attributes = ()) -> None:
        """An element that holds a text on one line."""
        start = f"{self._indent()}<{tag}{_written(attributes)}"
        self._lines.append(f"{start}>{escape(text)}</{tag}>" if text else f"{start}/>")

    def block(self, tag: str, text: str, attributes: Attributes = ()) -> None:
        """An element that holds a document as it stands."""
        start = f"{self._indent()}<{tag}{_written(attributes)}>"
        self._lines.append(f"{start}{escape_block(text)}</{tag}>")

    def data(self, tag: str, data: bytes, attributes: Attributes = ()) -> None:
        """An element that holds bytes in base64."""
        digits = base64.b64encode(data).decode("ascii")
        rows = [digits[i : i + _BASE64_LINE] for i in range(0, len(digits), _BASE64_LINE)]
        start = f"{self._indent()}<{tag}{_written(attributes)}>"
        body = "\n" + "\n".join(rows) + "\n" if len(rows) > 1 else digits
        self._lines.append(f"{start}{body}</{tag}>")

    def extend(self, other: Lines) -> None:
        """Adds the lines of another, which was given the right depth."""
        self._lines += other._lines

    def to_bytes(self) -> bytes:
        """The document."""
        return (self.to_text() + "\n").encode()

    def to_text(self) -> str:
        """The lines as one text, without a line end behind the last."""
        return "\n".join(self._lines)

    def add(self, text: str) -> None:
        """Lines that were written before, at this depth."""
        self._lines.append(text)

    def _indent(self) -> str:
        return _INDENTS[min(self.depth, _DEEPEST)]


def _written(attributes: Attributes) -> str:
    return "".join([f" {name}={quote(value)}" for name, value in attributes])
