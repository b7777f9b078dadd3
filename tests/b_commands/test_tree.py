"""The command tree: every text has one, and it gives the text back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crafted import seq
from vmod_tools.commands.tree import (
    ESC,
    Node,
    Tree,
    _parse_nested,
    children_of,
    encode_tree,
    leaves,
    parse_tree,
)
from vmod_tools.errors import LimitError

TEXTS = st.text(st.sampled_from("\\'\x1bab")) | st.text()


@given(TEXTS)
def test_every_text_is_encoded_as_it_was(text: str) -> None:
    assert encode_tree(parse_tree(text)) == text


def build(tree: tuple[str, list[object]] | str) -> str:
    if isinstance(tree, str):
        return tree
    head, children = tree
    return seq(ESC, head, *(build(c) for c in children))  # type: ignore[arg-type]


# Commands below commands, as VASSAL writes them.
TREES = st.recursive(
    st.text(st.sampled_from("abc/\t;'"), min_size=1).filter(lambda t: t[0] != "'"),
    lambda inner: st.tuples(st.sampled_from(["", "x"]), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=12,
)


def flat(tree: tuple[str, list[object]] | str) -> list[str]:
    if isinstance(tree, str):
        return [tree]
    head, children = tree
    return [head, *(leaf for c in children for leaf in flat(c))]  # type: ignore[arg-type]


@given(TREES)
def test_leaves_come_in_the_order_of_execution(tree: tuple[str, list[object]] | str) -> None:
    assert list(leaves(parse_tree(build(tree)))) == flat(tree)


def test_shapes() -> None:
    cases: dict[str, Tree] = {
        "": "",
        "a": "a",
        "a\x1bb": Node("a", ("b",)),
        "a\x1b\\\x1bb\\\x1bc": Node("a", (Node("", ("b", "c")),)),
        "\x1bb": Node("", ("b",)),
        "'a'": Node("a", (), frozenset({0})),
        "a\x1b'\\b'": Node("a", ("\\b",), frozenset({1})),
        "\\\x1ba": Node(Node("", ("a",)), ()),
    }
    for text, tree in cases.items():
        assert parse_tree(text) == tree
        assert encode_tree(tree) == text
    assert children_of("leaf") == ()
    assert children_of(Node("a", ("b",))) == ("b",)


def test_log_inside_a_log() -> None:
    inner = seq(ESC, "LOG\tD/2/a", "LOG\tCHAT*")
    text = seq(ESC, "begin_save", "end_save", seq(ESC, "LOG\tM/1", inner, "LOG\tCHAT"))
    assert list(leaves(parse_tree(text))) == [
        "begin_save",
        "end_save",
        "LOG\tM/1",
        "LOG\tD/2/a",
        "LOG\tCHAT*",
        "LOG\tCHAT",
    ]
    assert encode_tree(parse_tree(text)) == text


def nested(depth: int) -> str:
    text = "leaf"
    for _ in range(depth):
        text = seq(ESC, "", text)
    return text


@pytest.mark.parametrize(("depth", "fits"), [(199, True), (200, True), (201, False)])
def test_limit_of_depth(depth: int, fits: bool) -> None:
    if fits:
        assert encode_tree(parse_tree(nested(depth))) == nested(depth)
        return
    with pytest.raises(LimitError) as caught:
        parse_tree(nested(depth))
    assert caught.value.stable_code == "LIMIT_DEPTH"


def test_backslashes_alone_are_no_depth() -> None:
    assert parse_tree("\\" * 5000) == "\\" * 5000


@given(st.text(st.sampled_from("\x1b\\'a")))
def test_one_pass_gives_the_tree_that_level_by_level_gives(text: str) -> None:
    assert parse_tree(text) == _parse_nested(text, 200)


def test_levels_may_be_skipped() -> None:
    assert parse_tree("a\x1bb\\\\\x1bc") == Node("a", (Node(Node("b", ("c",)), ()),))
