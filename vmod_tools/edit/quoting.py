r"""Quotes for lists in which something was edited.

A list that was decoded keeps its quotes.  An edited token may now need some that it had not: a text in
quotes would lose them when it is read, and one that ends in `\` would swallow the delimiter behind it.
"""

from __future__ import annotations

from dataclasses import replace

from vmod_tools.sequence import Sequence


def readable(sequence: Sequence) -> Sequence:
    """The list with quotes around those tokens that would not be read back without; a decoded list has none."""
    last = len(sequence.tokens) - 1
    needed = {
        i
        for i, token in enumerate(sequence.tokens)
        if i not in sequence.quoted and _unreadable(token, is_last=i == last)
    }
    return replace(sequence, quoted=sequence.quoted | needed) if needed else sequence


def replaced(sequence: Sequence, index: int, token: str, pad: str = "") -> Sequence:
    """The list with one token replaced, or added behind its end (`pad` fills what lies between)."""
    missing = index - len(sequence.tokens)
    if missing >= 0:
        sequence = replace(sequence, tokens=(*sequence.tokens, *([pad] * missing), ""))
    return readable(sequence.with_token(index, token))


def rebuilt(sequence: Sequence, index: int, inner: str) -> Sequence:
    """The list with a token that holds a list itself replaced: it stays quoted, or bare, if that is read alike."""
    tokens = (*sequence.tokens[:index], inner, *sequence.tokens[index + 1 :])
    return readable(replace(sequence, tokens=tokens))


def _unreadable(token: str, *, is_last: bool) -> bool:
    looks_quoted = len(token) > 1 and token[0] == "'" == token[-1]
    return looks_quoted or (token.endswith("\\") and not is_last)
