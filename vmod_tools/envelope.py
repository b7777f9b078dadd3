"""How VASSAL hides the text of a `savedGame`: three kinds, undone and redone exactly.

* `!VCSK` + two hex digits of a key byte + two hex digits for each byte XOR key (all versions);
* `VOBS` + the key byte + raw bytes XOR key (3.8, change #15060);
* plain text, which VASSAL reads as it stands.

Kind, key and the letter case of the hex digits are kept, so that `encode` gives the very bytes that
`decode` read without looking at them again.  Everything works on whole buffers.

Source: tools/io/ObfuscatingOutputStream.java, DeobfuscatingInputStream.java.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Literal

from vmod_tools.errors import EnvelopeError

Kind = Literal["VCSK", "VOBS", "plain"]

_HEX_MAGIC, _RAW_MAGIC = b"!VCSK", b"VOBS"
_HEAD = len(_HEX_MAGIC) + 2
# A plain text begins with a command; anything else is some other file. ESC joins commands.
_PLAIN_START = re.compile(
    rb"begin_save|end_save|[+\-DM]/|CHAT|LOG\t|UNDO\t|PLAYER\t|[^\x00-\x08\x0a-\x1a\x1c-\x1f]*\x1b"
)
_NOT_HEX = re.compile(rb"[^0-9A-Fa-f]")
_UPPER = bytes.maketrans(b"abcdef", b"ABCDEF")
# 0x20 (the bit between upper and lower case) where a digit is a letter.
_LETTERS = bytes(0x20 if byte in b"abcdef" else 0 for byte in range(256))


@dataclass(frozen=True, slots=True)
class Envelope:
    """How a text was hidden.  `case`: hex letters `lower` or `upper`, or a mask of the digits whose
    letters are upper case (0x20 each) where a file mixes both; empty for the other kinds."""

    kind: Kind
    key: int = 0
    case: Literal["lower", "upper", ""] | bytes = ""


@cache
def _xor_table(key: int) -> bytes:
    return bytes(byte ^ key for byte in range(256))


def decode(data: bytes) -> tuple[Envelope, bytes]:
    """The envelope and the plain bytes of a `savedGame`; raises EnvelopeError."""
    if data.startswith(_HEX_MAGIC):
        return _decode_hex(data)
    if data.startswith(_RAW_MAGIC):
        if len(data) <= len(_RAW_MAGIC):
            raise EnvelopeError("the text ends inside its header", code="ENVELOPE_SHORT")
        key = data[len(_RAW_MAGIC)]
        return Envelope("VOBS", key), data[len(_RAW_MAGIC) + 1 :].translate(_xor_table(key))
    if _PLAIN_START.match(data):
        return Envelope("plain"), data
    if not data:
        raise EnvelopeError("the text is empty", code="ENVELOPE_EMPTY")
    raise EnvelopeError(
        f"unknown kind of text: it begins with {data[:8]!r}, not with !VCSK, VOBS or a command",
        code="ENVELOPE_UNKNOWN",
    )


def decode_stream(chunks: Iterable[bytes]) -> tuple[Envelope, bytearray] | None:
    """`decode` for content that comes piece by piece, so that the hidden form, twice as long as the text,
    is never there as a whole.  None where only `decode` can tell: every odd case, and every fault."""
    parts = iter(chunks)
    head = b""
    while len(head) < _HEAD:
        part = next(parts, None)
        if part is None:
            return None
        head += part
    if not head.startswith(_HEX_MAGIC):
        return None
    key = head[len(_HEX_MAGIC) : _HEAD]
    plain = bytearray()
    lower, upper, rest = True, True, b""
    try:
        table = _xor_table(binascii.unhexlify(key)[0])
        for part in chain((key, head[_HEAD:]), parts):
            lower, upper = lower and part.lower() == part, upper and part.upper() == part
            digits = rest + part if rest else part
            whole = len(digits) & ~1
            rest = digits[whole:]
            plain += binascii.unhexlify(digits[:whole] if rest else digits).translate(table)
    except binascii.Error:
        return None
    if rest or not (lower or upper):
        return None
    del plain[:1]  # the key itself
    return Envelope("VCSK", table[0], "lower" if lower else "upper"), plain


def encode(envelope: Envelope, plain: bytes) -> bytes:
    """The `savedGame` that hides `plain` as `envelope` says."""
    if envelope.kind == "plain":
        return plain
    hidden = plain.translate(_xor_table(envelope.key))
    if envelope.kind == "VOBS":
        return _RAW_MAGIC + bytes([envelope.key]) + hidden
    digits = binascii.hexlify(bytes([envelope.key])) + binascii.hexlify(hidden)
    if envelope.case == "upper":
        digits = digits.translate(_UPPER)
    elif isinstance(envelope.case, bytes):
        # A changed text may be longer or shorter than the mask; digits beyond it are lower case.
        mask = envelope.case[: len(digits)].ljust(len(digits), b"\0")
        letters = int.from_bytes(digits.translate(_LETTERS))
        digits = _xor(digits, (int.from_bytes(mask) & letters).to_bytes(len(digits)))
    return _HEX_MAGIC + digits


def _decode_hex(data: bytes) -> tuple[Envelope, bytes]:
    digits = data[len(_HEX_MAGIC) :]
    if len(digits) < 2:
        raise EnvelopeError("the text ends inside its header", code="ENVELOPE_SHORT")
    try:
        raw = binascii.unhexlify(digits)
    except binascii.Error:
        bad = _NOT_HEX.search(digits)
        if bad is None:
            raise EnvelopeError(
                f"the text is cut short: {len(digits)} hex digits, an odd number",
                code="ENVELOPE_ODD",
            ) from None
        raise EnvelopeError(
            f"{digits[bad.start() : bad.start() + 1]!r} at byte {bad.start() + len(_HEX_MAGIC)} is not a hex digit",
            code="ENVELOPE_HEX",
        ) from None
    key = raw[0]
    return Envelope("VCSK", key, _letter_case(digits)), raw[1:].translate(_xor_table(key))


def _letter_case(digits: bytes) -> Literal["lower", "upper"] | bytes:
    lower = digits.lower()
    if lower == digits:
        return "lower"
    if digits.translate(_UPPER) == digits:
        return "upper"
    return _xor(lower, digits)


def _xor(left: bytes, right: bytes) -> bytes:
    """XOR of two buffers of one length, by way of big integers: no loop over bytes."""
    return (int.from_bytes(left) ^ int.from_bytes(right)).to_bytes(len(left))
