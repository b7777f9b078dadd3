"""VASSAL's escaping rule: vassal-format.md section 3, and exactness for every text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vmod_tools.sequence import (
    Sequence,
    java_int,
    needs_quotes,
    quoted_by_new_rule,
    quoted_by_old_rule,
    split,
)

DELIMITERS = st.sampled_from([*";,/\t\x1b|$:~=", "é"])
# Texts dense in what matters, beside texts of any kind.
NASTY = st.text(st.sampled_from("\\';,/\t\x1b|a\0\x01\x02\x03")) | st.text()


def naive(text: str, delimiter: str) -> list[str]:
    """The decoder of section 3.2, character by character."""
    tokens, current = [], ""
    for at, character in enumerate(text):
        if character != delimiter:
            current += character
        elif at and text[at - 1] == "\\":
            current = current[:-1] + delimiter
        else:
            tokens.append(current)
            current = ""
    tokens.append(current)
    return [t[1:-1] if len(t) > 1 and t[0] == "'" == t[-1] else t for t in tokens]


# (tokens, text as VASSAL 3.4 and later write it): section 3.3
TABLE = [
    (("a", "b"), "a,b"),
    (("a,b", "c"), r"a\,b,c"),
    ((",a",), r"\,a"),
    (("", ""), ","),
    ((r"\x", "y"), r"'\x',y"),
    (("'q'", "z"), "''q'',z"),
    (("'",), "'''"),
    ((r"a\,b",), r"a\\,b"),
]


@pytest.mark.parametrize(("tokens", "text"), TABLE)
def test_worked_table(tokens: tuple[str, ...], text: str) -> None:
    assert Sequence.decode(text, ",").tokens == tokens
    assert Sequence.decode(text, ",").encode() == text
    quoted = frozenset(i for i, t in enumerate(tokens) if quoted_by_new_rule(t))
    assert Sequence(",", tokens, quoted).encode() == text


def test_token_that_ends_in_a_backslash_is_lost_by_vassal_and_kept_by_us() -> None:
    assert Sequence(",", ("a\\", "b")).encode() == r"a\,b"
    assert Sequence.decode(r"a\,b", ",").tokens == ("a,b",)
    assert Sequence.of(("a\\", "b"), ",").encode() == r"'a\',b"


@given(NASTY, DELIMITERS)
def test_every_text_is_encoded_as_it_was(text: str, delimiter: str) -> None:
    assert Sequence.decode(text, delimiter).encode() == text


@given(st.lists(NASTY, min_size=1), DELIMITERS)
def test_every_list_of_tokens_comes_back(tokens: list[str], delimiter: str) -> None:
    text = Sequence.of(tokens, delimiter).encode()
    assert list(Sequence.decode(text, delimiter).tokens) == tokens
    assert naive(text, delimiter) == tokens


@given(NASTY, DELIMITERS)
def test_decoder_agrees_with_the_naive_one(text: str, delimiter: str) -> None:
    assert list(Sequence.decode(text, delimiter).tokens) == naive(text, delimiter)


def test_empty_texts() -> None:
    assert Sequence.decode("", ",").tokens == ("",)
    assert Sequence.decode(",", ",").tokens == ("", "")
    assert Sequence.of((), ",").encode() == ""


def test_text_with_every_stand_in_is_split_all_the_same() -> None:
    assert split("\0\x01\x02\x03\\,a,b", ",") == ["\0\x01\x02\x03,a", "b"]


@given(st.lists(NASTY, min_size=1), st.integers(0), NASTY, DELIMITERS)
def test_replacing_a_token_leaves_the_others_alone(
    tokens: list[str], index: int, new: str, delimiter: str
) -> None:
    index %= len(tokens)
    text = delimiter.join(f"'{t.replace(delimiter, chr(92) + delimiter)}'" for t in tokens)
    changed = Sequence.decode(text, delimiter).with_token(index, new)
    again = Sequence.decode(changed.encode(), delimiter)
    assert list(again.tokens) == [*tokens[:index], new, *tokens[index + 1 :]]
    assert again.quoted - {index} == frozenset(range(len(tokens))) - {index}


@pytest.mark.parametrize(
    ("token", "old", "new"),
    [
        ("", False, False),
        ("a", False, False),
        ("a\\", True, False),
        ("\\a", False, True),
        ("'a'", True, True),
        ("'", True, True),
        ("'a", False, False),
    ],
)
def test_two_generations_quote_different_tokens(token: str, old: bool, new: bool) -> None:
    assert (quoted_by_old_rule(token), quoted_by_new_rule(token)) == (old, new)
    assert needs_quotes(token) == (old or new)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-7", -7),
        ("+7", 7),
        ("007", 7),
        ("2147483647", 2**31 - 1),
        ("-2147483648", -(2**31)),
        ("2147483648", None),
        ("", None),
        ("-", None),
        ("--5", None),
        ("+-5", None),
        (" 5", None),
        ("5\n", None),
        ("1_0", None),
        ("5.0", None),
        ("²", None),
        ("٣", None),
        ("9" * 5000, None),
    ],
)
def test_whole_numbers_are_javas(text: str, number: int | None) -> None:
    assert java_int(text) == number
