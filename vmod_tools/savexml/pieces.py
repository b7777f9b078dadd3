"""Types and states of pieces as elements, and back.

A type is written once, however many pieces have it, and pieces refer to it.  A state is written trait by
trait; traits whose state is empty are left out, which is most of them.  `at` gives the trait's place in
the chain, from 1 for the outermost.  A chain that is odd enough to hold surplus tokens stays one text.
"""

from __future__ import annotations

from collections.abc import Sequence as Row
from functools import lru_cache

from lxml import etree

from vmod_tools.commands.kinds import TAB
from vmod_tools.errors import SaveXmlError
from vmod_tools.pieces import Chain, encode_chain, parse_chain
from vmod_tools.savexml.lines import Attributes, Lines
from vmod_tools.savexml.nodes import attributes_of, fields_of, located
from vmod_tools.savexml.plans import PROPERTIES_AT, RAW, StatePlan
from vmod_tools.savexml.tokens import (
    QUOTED,
    decoded,
    joined,
    named,
    quoted,
    read_named,
    read_quoted,
)
from vmod_tools.sequence import NONE_QUOTED, Sequence
from vmod_tools.traits import Trait

LEVEL = "level"
"""The tokens of a chain's level that stood in quotes: 0 is the trait's text, 1 all that is inside it."""
ODD_NOTE = "the chain has surplus tokens, or too many levels"
MOST_LEVELS = 2000
"""Real pieces have up to 351; the text of a chain grows with the square of its levels."""


def write_type(lines: Lines, id: str, text: str) -> None:
    """The `<type>` element of a type text."""
    chain = parse_chain(text)
    if _is_odd(chain):
        lines.empty("type", [("id", id), ("text", text), ("note", ODD_NOTE)])
        return
    lines.open("type", [("id", id)])
    for level in chain:
        lines.add(_trait_text(level.text, level.quoted, lines.depth))
    lines.close("type")


def read_type(element: etree._Element) -> str:
    """The type text of a `<type>` element."""
    given = attributes_of(element)
    if "text" in given:
        return given["text"]
    levels = []
    _check_levels(len(element))
    for child in element:
        with located(child):
            levels.append(_read_trait(child))
    return _join_chain(levels)


def state_attributes(plans: Row[StatePlan], chain: Chain) -> list[tuple[str, str]]:
    """What the element that holds a state says of it as a whole."""
    if _is_odd(chain):
        return [("state", encode_chain(chain)), ("note", ODD_NOTE)]
    if len(chain) == len(plans):
        return []
    note = [("note", f"{len(plans)} traits but {len(chain)} states")] if plans else []
    return [("depth", str(len(chain))), *note]


def write_states(lines: Lines, plans: Row[StatePlan], chain: Chain) -> None:
    """The `<state>` elements of a chain without surplus tokens."""
    for index, level in enumerate(chain):
        if not level.text and not level.quoted:
            continue
        plan = plans[index] if index < len(plans) else RAW
        lines.add(_state_text(plan, index + 1, level.text, level.quoted, lines.depth))


def read_states(element: etree._Element, plans: Row[StatePlan]) -> str:
    """The state text of the `<state>` children, or the one that the element has as an attribute."""
    given = element.attrib
    if "state" in given:
        return attributes_of(element)["state"]
    depth = int(given.get("depth", len(plans)))
    _check_levels(depth)
    levels: list[tuple[str, frozenset[int]]] = [("", NONE_QUOTED)] * depth
    seen: set[int] = set()
    for child in element:
        with located(child):
            at = int(child.get("at", ""))
            if not 1 <= at <= len(levels) or at in seen:
                fault = "is there twice" if at in seen else f"is none of {len(levels)} traits"
                raise SaveXmlError(fault, code="SAVEXML_STATE", field=f"at={at}")
            seen.add(at)
            levels[at - 1] = _read_state(child, plans[at - 1] if at <= len(plans) else RAW)
    return _join_chain(levels)


# Pieces of one module share most of their traits, and many of their states: each is written once.
@lru_cache(maxsize=16_384)
def _trait_text(text: str, level: frozenset[int], depth: int) -> str:
    trait = Trait.decode(text)
    kind = [("kind", trait.kind.name)] if trait.kind.name else []
    attributes = [*kind, ("prefix", trait.kind.prefix), *quoted(level, LEVEL)]
    names = [field.name for field in trait.kind.fields_for(trait.tokens)]
    lines = Lines(depth)
    _write_tokens(lines, "trait", attributes, names, (), trait.type or Sequence("", ()))
    return lines.to_text()


@lru_cache(maxsize=16_384)
def _state_text(plan: StatePlan, at: int, text: str, level: frozenset[int], depth: int) -> str:
    kind = [("kind", plan.kind)] if plan.kind else []
    attributes = [("at", str(at)), *kind, *quoted(level, LEVEL)]
    tokens = decoded(text, plan.delimiter)
    pairs = _pairs(tokens) if plan.pairs else []
    if pairs:
        tokens = Sequence(tokens.delimiter, tokens.tokens[:PROPERTIES_AT], tokens.quoted)
    lines = Lines(depth)
    _write_tokens(lines, "state", attributes, plan.names, plan.keys, tokens, pairs)
    return lines.to_text()


def _write_tokens(
    lines: Lines,
    tag: str,
    attributes: Attributes,
    names: Row[str],
    keys: Row[str],
    tokens: Sequence,
    pairs: Row[tuple[str, str]] = (),
) -> None:
    """One element: its named tokens as attributes, the others and the properties as children."""
    attributes = [*attributes, *quoted(tokens.quoted), *named(names, tokens.tokens)]
    rest = tokens.tokens[len(names) :]
    if not rest and not pairs:
        lines.empty(tag, attributes)
        return
    lines.open(tag, attributes)
    for i, token in enumerate(rest):
        lines.text("field", token, [("name", keys[i])] if i < len(keys) else [])
    for name, value in pairs:
        lines.text("property", value, [("name", name)])
    lines.close(tag)


def _read_trait(element: etree._Element) -> tuple[str, frozenset[int]]:
    given = attributes_of(element, "kind")
    prefix = given.pop("prefix")
    level = read_quoted(given.pop(LEVEL, ""))
    kind = Trait.decode(prefix).kind
    indices = read_quoted(given.pop(QUOTED, ""))
    # The first field tells which of two tables a trait follows, and both give it the same name.
    first = kind.fields[0].name if kind.fields else ""
    names = [field.name for field in kind.fields_for((given.get(first, ""),))]
    rest = [text for _, text in fields_of(element)]
    tokens = [*read_named(names, given, whole=bool(rest)), *rest]
    if tokens and not kind.delimiter:
        raise SaveXmlError(f"{prefix} has no fields", code="SAVEXML_FIELD")
    return prefix + joined(tokens, kind.delimiter, indices), level


def _read_state(element: etree._Element, plan: StatePlan) -> tuple[str, frozenset[int]]:
    given = attributes_of(element, "at", "kind")
    level = read_quoted(given.pop(LEVEL, ""))
    indices = read_quoted(given.pop(QUOTED, ""))
    children = len(element)
    pairs = [t for pair in fields_of(element, "property") for t in pair] if children else []
    if pairs:
        if not plan.pairs:
            raise SaveXmlError("only a basic piece has properties", code="SAVEXML_FIELD")
        given[plan.names[-1]] = str(len(pairs) // 2)
    rest = _placed(fields_of(element), plan.keys) if children else []
    tokens = [*read_named(plan.names, given, whole=bool(rest)), *rest, *pairs]
    if len(tokens) > 1 and not plan.delimiter:
        raise SaveXmlError("this state is one text", code="SAVEXML_FIELD")
    return joined(tokens, plan.delimiter, indices), level


def _placed(fields: list[tuple[str, str]], keys: Row[str]) -> list[str]:
    """The children's texts, each at the place of its name; those without a name go behind the last."""
    placed: dict[int, str] = {}
    following = 0
    for name, text in fields:
        if name and name not in keys:
            raise SaveXmlError("the trait has no such name", code="SAVEXML_FIELD", field=name)
        index = keys.index(name) if name else following
        if index in placed:
            raise SaveXmlError("the field is there twice", code="SAVEXML_FIELD", field=name)
        placed[index] = text
        following = index + 1
    return [placed.get(i, "") for i in range(max(placed, default=-1) + 1)]


def _pairs(tokens: Sequence) -> list[tuple[str, str]]:
    """The persistent properties of a basic piece's state; none if they are not written as VASSAL does."""
    rest = tokens.tokens[PROPERTIES_AT + 1 :]
    if (
        not rest
        or len(rest) % 2
        or tokens.tokens[PROPERTIES_AT] != str(len(rest) // 2)
        or any(i >= PROPERTIES_AT for i in tokens.quoted)
        or not all(rest[::2])
    ):
        return []
    return list(zip(rest[::2], rest[1::2], strict=True))


def _is_odd(chain: Chain) -> bool:
    return len(chain) > MOST_LEVELS or any(level.surplus for level in chain)


def _check_levels(count: int) -> None:
    if count > MOST_LEVELS:
        raise SaveXmlError(f"more than {MOST_LEVELS} traits", code="SAVEXML_STATE")


def _join_chain(levels: Row[tuple[str, frozenset[int]]]) -> str:
    """The text of a chain of (text, which tokens were quoted), outermost first."""
    inner = ""
    for number, (text, level) in enumerate(reversed(levels)):
        inner = joined((text,) if number == 0 else (text, inner), TAB, level)
    return inner
