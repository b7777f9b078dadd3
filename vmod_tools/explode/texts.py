"""The text of a save or log as lines: one command a line, sub-commands below it, one blank deeper.

    begin_save
     %n                          the null command that holds the pieces
      +/1700000000001/piece;;;…
     Main MapBoardPicker ⇥ Board ⇥ 0 ⇥ 0

`%` is the only character that stands for more than itself: `%` and two hex digits is one byte of the
UTF-8 text (so line ends, control and direction-changing characters and undecodable bytes cannot hide),
and at the start of a line `%q` says that the command was quoted in its list, `%h` that its head was,
`%t` that its head is itself a command with sub-commands (the first line below it), `%n` an empty text.
Blanks at the ends of a command are written `%20`, so that an editor may trim lines; `\\r\\n` is read too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from vmod_tools.commands.tree import Node, Tree, encode_tree, parse_tree
from vmod_tools.errors import ArchiveError, LimitError
from vmod_tools.limits import COMMAND_LINE
from vmod_tools.sequence import NONE_QUOTED

# As in vmod_tools.show, but TAB is an ordinary character here: it joins the traits of every piece.
_ESCAPED = re.compile(
    "[%\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_BYTE = re.compile(rb"%([0-9A-Fa-f]{2})")
_LINE = re.compile(r"( *)((?:%[qht])*)(.*)", re.DOTALL)
_EMPTY = "%n"


def to_lines(text: str, depth: int = COMMAND_LINE.depth) -> bytes:
    """The lines of a text; `from_lines` gives the text again.  Raises LimitError."""
    lines: list[str] = []
    _write(parse_tree(text, depth), 0, "", lines)
    return ("\n".join(lines) + "\n").encode("utf-8")


def from_lines(data: bytes, depth: int = COMMAND_LINE.depth) -> str:
    """The text that the lines stand for; raises ArchiveError with the line, LimitError."""
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise _bad("not UTF-8", data.count(b"\n", 0, error.start) + 1) from error
    root = _Line("")
    path = [root]
    for number, line in enumerate(lines, 1):
        bare = line.removesuffix("\r")
        if not bare:
            continue
        match = _LINE.fullmatch(bare)
        blanks, flags, text = match.groups() if match else ("", "", bare)
        level = len(blanks) + 1
        if level > len(path):
            raise _bad("the line stands deeper than the one above it allows", number)
        if level > depth:
            raise LimitError("commands are nested too deeply", code="LIMIT_DEPTH")
        del path[level:]
        node = _Line(_unescape(text), flags)
        path[-1].below.append(node)
        path.append(node)
    if len(root.below) != 1:
        raise _bad("there must be one command without blanks before it, and all others below it", 1)
    return encode_tree(_tree(root.below[0]))


@dataclass(slots=True)
class _Line:
    text: str
    flags: str = ""
    below: list[_Line] = field(default_factory=list)


def _write(tree: Tree, depth: int, flags: str, lines: list[str]) -> None:
    if isinstance(tree, str):
        lines.append(" " * depth + flags + _escape(tree))
        return
    flags += "%h" if 0 in tree.quoted else ""
    if isinstance(tree.head, str):
        lines.append(" " * depth + flags + _escape(tree.head))
    else:
        lines.append(" " * depth + flags + "%t" + _EMPTY)
        _write(tree.head, depth + 1, "", lines)
    for number, child in enumerate(tree.children, 1):
        _write(child, depth + 1, "%q" if number in tree.quoted else "", lines)


def _tree(line: _Line) -> Tree:
    if not line.below and "%h" not in line.flags:
        return line.text
    head, below = (
        (_tree(line.below[0]), line.below[1:])
        if "%t" in line.flags and line.below
        else (line.text, line.below)
    )
    quoted = {number for number, child in enumerate(below, 1) if "%q" in child.flags}
    if "%h" in line.flags:
        quoted.add(0)
    return Node(head, tuple(map(_tree, below)), frozenset(quoted) or NONE_QUOTED)


def _escape(text: str) -> str:
    if not text:
        return _EMPTY
    text = _ESCAPED.sub(_as_bytes, text)
    if text[0] == " ":
        text = "%20" + text[1:]
    if text[-1] in " \t":
        text = f"{text[:-1]}%{ord(text[-1]):02X}"
    return text


def _as_bytes(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogateescape"))


def _unescape(text: str) -> str:
    text = "" if text == _EMPTY else text
    if "%" not in text:
        return text
    raw = _BYTE.sub(lambda m: bytes([int(m[1], 16)]), text.encode("utf-8"))
    return raw.decode("utf-8", "surrogateescape")


def _bad(message: str, line: int) -> ArchiveError:
    return ArchiveError(message, code="EXPLODE_TEXT", place=f"line {line}")
