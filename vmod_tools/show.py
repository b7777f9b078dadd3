"""Text from a file, made safe to look at: control and direction-changing characters become visible."""

from __future__ import annotations

import json
import re

# C0 and C1 controls, line separators, bidi marks, embeddings and isolates, lone surrogates
# (undecodable bytes): a terminal or a reader's eye could be led astray by each of them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """`text` on one line, with unsafe characters written as `\\x1b` or `\\u202e`."""
    return _UNSAFE.sub(_escape, text)


def json_text(data: object, indent: int | None = None) -> str:
    """`data` as JSON in which unsafe characters are `\\u` escapes: it can be printed, and looked at."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    # json has escaped the C0 controls in strings; those left are the line ends of an indented text.
    return _UNSAFE.sub(lambda m: m[0] if m[0] == "\n" else f"\\u{ord(m[0]):04x}", text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
