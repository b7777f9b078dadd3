"""Any text as XML text and back: what XML 1.0 cannot hold, or an eye cannot see, is written visibly.

* A C0 control character stands as its picture: ESC as `␛`, CR as `␍`, TAB as `␉` (U+2400 on; DEL as `␡`).
* Other characters that cannot stand (lone surrogates, which are undecodable bytes; U+FFFE and U+FFFF) or
  that nobody sees (C1 controls, direction marks, line separators, the byte order mark), and the pictures
  themselves, stand as `␦` + code in hex + `;`: the byte 0xE9 is `␦dce9;`, a real `␛` is `␦241b;`.

Every text has exactly one written form; a form that was typed by hand (a TAB as itself, `␦41;`) is read as
what it says.  A *block* keeps TAB and line feed as themselves, for whole documents.
"""

from __future__ import annotations

import re

from vmod_tools.errors import SaveXmlError

SUBSTITUTE = "\u2426"
_PICTURES, _DELETE = 0x2400, 0x2421

_ODD = (
    "\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff\ufffe\uffff\u2400-\u241f\u2421\u2426"
)
_LINE = re.compile(f"[&<>\x00-\x1f{_ODD}]")
_ATTRIBUTE = re.compile(f'["&<>\x00-\x1f{_ODD}]')
_BLOCK = re.compile(f"[\x00-\x08\x0b-\x1f{_ODD}]")
_WRITTEN = re.compile("[\u2400-\u241f\u2421]|\u2426([0-9a-fA-F]{1,6};)?")
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escape(text: str) -> str:
    """`text` as the content of an element, on one line."""
    return _LINE.sub(_write, text) if _LINE.search(text) else text


def quote(text: str) -> str:
    """`text` as an attribute value with its quotes, which are `'` where that saves escaping."""
    if not _ATTRIBUTE.search(text):
        return f'"{text}"'
    written = escape(text)
    if '"' not in written:
        return f'"{written}"'
    if "'" not in written:
        return f"'{written}'"
    return '"' + written.replace('"', "&quot;") + '"'


def escape_block(text: str) -> str:
    """`text` as the content of an element, over many lines; a CDATA section where it holds markup."""
    written = _BLOCK.sub(_write, text)
    if "<" in written or "&" in written:
        return "<![CDATA[" + written.replace("]]>", "]]]]><![CDATA[>") + "]]>"
    return written.replace(">", "&gt;")


def unescape(text: str) -> str:
    """The text that was written; raises SaveXmlError for a `␦` without a code."""
    return _WRITTEN.sub(_read, text) if _WRITTEN.search(text) else text


def encoded(text: str) -> bytes:
    """The text's bytes; what were undecodable bytes are those again."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise SaveXmlError(
            f"{code:x} is no character; only dc80 to dcff stand for bytes", code="SAVEXML_ESCAPE"
        ) from None


def _write(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if character in _MARKUP:
        return _MARKUP[character]
    if code < 0x20:
        return chr(_PICTURES + code)
    return chr(_DELETE) if code == 0x7F else f"{SUBSTITUTE}{code:x};"


def _read(match: re.Match[str]) -> str:
    character, code = match[0], match[1]
    if character == chr(_DELETE):
        return "\x7f"
    if character[0] != SUBSTITUTE:
        return chr(ord(character) - _PICTURES)
    if code is None or int(code[:-1], 16) > 0x10FFFF:
        raise SaveXmlError(
            f"after {SUBSTITUTE} the code of a character and a semicolon must stand, as in {SUBSTITUTE}241b;",
            code="SAVEXML_ESCAPE",
        )
    return chr(int(code[:-1], 16))
