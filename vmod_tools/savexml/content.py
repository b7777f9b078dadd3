"""What an entry holds, as elements: a game, an archive, a text, or bytes; and back."""

from __future__ import annotations

import base64
import binascii
import zlib

from lxml import etree

from vmod_tools.archive import Archive
from vmod_tools.buildfile import BUILD_FILES, EXTENSION_DATA, MODULE_DATA, SAVE_DATA
from vmod_tools.commands.tree import parse_tree
from vmod_tools.envelope import Envelope, decode, encode
from vmod_tools.errors import EnvelopeError, SaveXmlError, VmodError
from vmod_tools.limits import Limits
from vmod_tools.saves import SAVED_GAME
from vmod_tools.savexml.commands import GameWriter, leaves_of
from vmod_tools.savexml.escaping import encoded
from vmod_tools.savexml.lines import Lines
from vmod_tools.savexml.nodes import attributes_of, elements, text_of
from vmod_tools.savexml.reader import GameReader
from vmod_tools.savexml.redaction import Secrets

TEXTS = (*BUILD_FILES, MODULE_DATA, SAVE_DATA, EXTENSION_DATA)
"""Entries that are texts whatever their bytes are."""
_NO_TEXT = bytes(set(range(0x20)) - {0x09, 0x0A, 0x0D})
_CRLF = "crlf"


def write_game(lines: Lines, data: bytes, secrets: Secrets, limits: Limits) -> int:
    """The `<game>` of a savedGame, and how many steps it has; raises EnvelopeError."""
    envelope, plain = decode(data)
    tree = parse_tree(plain.decode("utf-8", "surrogateescape"), limits.depth)
    if secrets.redact:
        secrets.learn(leaves_of(tree))
    attributes: list[tuple[str, str]] = [("form", envelope.kind)]
    if envelope.kind != "plain":
        attributes.append(("key", f"{envelope.key:02x}"))
    mixed = isinstance(envelope.case, bytes)
    if envelope.case:
        attributes.append(("case", "mixed" if mixed else str(envelope.case)))
    lines.open("game", attributes)
    if isinstance(envelope.case, bytes):
        mask = b"" if secrets.redact else zlib.compress(envelope.case, 9)
        lines.data("letter-case", mask)
    writer = GameWriter(lines.depth, secrets)
    writer.write(tree)
    writer.write_types(lines)
    lines.extend(writer.lines)
    lines.close("game")
    return writer.steps


def read_game(element: etree._Element, limits: Limits) -> bytes:
    """The savedGame of a `<game>`."""
    plain = encoded(GameReader(limits.depth).read(element))
    form, case = element.get("form"), element.get("case", "")
    key = int(element.get("key", "0"), 16)
    if form == "plain":
        return encode(Envelope("plain"), plain)
    if form == "VOBS":
        return encode(Envelope("VOBS", key), plain)
    if case == "mixed":
        mask = next((read_data(child) for child in elements(element, "letter-case")), b"")
        return encode(Envelope("VCSK", key, _unpacked(mask, 2 * len(plain) + 2)), plain)
    return encode(Envelope("VCSK", key, "upper" if case == "upper" else "lower"), plain)


def inner_archive(data: bytes, limits: Limits) -> Archive | None:
    """The save or log that an entry is (a module's predefined setup), if it is one."""
    if b"PK\x05\x06" not in data[-0x10100:]:
        return None
    try:
        archive = Archive.parse(data, limits)
    except VmodError:
        return None
    return archive if archive.find(SAVED_GAME) and archive.to_bytes() == data else None


def write_plain(lines: Lines, name: str, data: bytes, *, bytes_too: bool) -> None:
    """The `<text>` of an entry that is neither game nor archive, or its `<bytes>` if they are wanted."""
    if name not in TEXTS and not _is_text(data):
        if bytes_too:
            lines.data("bytes", data)
        return
    text = data.decode("utf-8", "surrogateescape")
    unix = text.replace("\r\n", "\n")
    crlf = "\r\n" in text and unix.replace("\n", "\r\n") == text
    lines.block("text", unix if crlf else text, [("lines", _CRLF)] if crlf else [])


def read_plain_text(element: etree._Element) -> bytes:
    """The bytes of a `<text>`."""
    text = text_of(element)
    if attributes_of(element).get("lines") == _CRLF:
        text = text.replace("\n", "\r\n")
    return encoded(text)


def read_data(element: etree._Element) -> bytes:
    """The bytes of an element in base64."""
    try:
        return base64.b64decode("".join((element.text or "").split()), validate=True)
    except (binascii.Error, ValueError):
        raise SaveXmlError(
            "this is no base64", code="SAVEXML_BASE64", place=f"line {element.sourceline}"
        ) from None


def game_problem(error: EnvelopeError) -> list[tuple[str, str]]:
    """The note on a savedGame whose hiding cannot be undone."""
    return [("note", f"{error.message} [{error.stable_code}]")]


def _is_text(data: bytes) -> bool:
    if not data or data.translate(None, _NO_TEXT) != data:
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _unpacked(mask: bytes, limit: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(mask, limit)
    except zlib.error:
        raise SaveXmlError("the letter case cannot be inflated", code="SAVEXML_BASE64") from None
