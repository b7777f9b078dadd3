"""The command tree's text from its elements: the way back from `commands`."""

from __future__ import annotations

from lxml import etree

from vmod_tools.commands.kinds import ADD, ALL_KINDS, CHANGE, LOG
from vmod_tools.commands.tree import ESC
from vmod_tools.errors import LimitError, SaveXmlError
from vmod_tools.savexml.nodes import attributes_of, elements, fields_of, located, tag_of
from vmod_tools.savexml.pieces import read_states, read_type
from vmod_tools.savexml.plans import StatePlan, plans_of
from vmod_tools.savexml.tokens import QUOTED, joined, read_named, read_quoted


class GameReader:
    """Reads one `<game>`; raises SaveXmlError with the line of the element at fault."""

    def __init__(self, max_depth: int) -> None:
        self._max_depth = max_depth
        self._types: dict[str, str] = {}

    def read(self, game: etree._Element) -> str:
        """The plain text."""
        for types in elements(game, "types"):
            for element in types:
                with located(element):
                    self._add_type(element)
        return self._read_tree(next(elements(game, "commands")), log=0, depth=0)

    def _add_type(self, element: etree._Element) -> None:
        type_id = element.get("id", "")
        if type_id in self._types:
            raise SaveXmlError("two types have this id", code="SAVEXML_TYPE", field=type_id)
        self._types[type_id] = read_type(element)

    def _read_tree(self, element: etree._Element, log: int, depth: int) -> str:
        if depth > self._max_depth:
            raise LimitError("commands are nested too deeply", code="LIMIT_DEPTH")
        tokens = []
        for child in element:
            with located(child):
                tokens.append(self._read_child(child, log, depth))
        return joined(tokens, ESC, read_quoted(element.get(QUOTED, "")))

    def _read_child(self, element: etree._Element, log: int, depth: int) -> str:
        tag = tag_of(element)
        if tag == "tree":
            return self._read_tree(element, log, depth + 1)
        if tag == "step":
            return self._read_tree(element, 1, depth + 1)
        leaf = self._read_leaf(element, tag, log)
        if ESC in leaf or (len(leaf) > 1 and leaf[0] == "'" == leaf[-1]):
            # VASSAL would take it apart again.
            raise SaveXmlError(
                "a command can neither hold ESC nor stand in quotes", code="SAVEXML_COMMAND"
            )
        return leaf

    def _read_leaf(self, element: etree._Element, tag: str, log: int) -> str:
        prefix = LOG.prefix * int(element.get("log", log))
        quoted = read_quoted(element.get(QUOTED, ""))
        if tag == "piece":
            piece_id, type_text = attributes_of(element)["id"], self._type(element)
            state = read_states(element, self._plans(element))
            return prefix + ADD.prefix + joined((piece_id, type_text, state), ADD.delimiter, quoted)
        if tag == "change":
            plans = self._plans(element)
            states = [read_states(child, plans) for child in element]
            fields = (attributes_of(element)["id"], *states)
            return prefix + CHANGE.prefix + joined(fields, CHANGE.delimiter, quoted)
        return prefix + _read_command(element, quoted)

    def _type(self, element: etree._Element) -> str:
        type_id = element.get("type", "")
        if type_id not in self._types:
            raise SaveXmlError("there is no type of this id", code="SAVEXML_TYPE", field=type_id)
        return self._types[type_id]

    def _plans(self, element: etree._Element) -> tuple[StatePlan, ...]:
        return plans_of(self._type(element)) if "type" in element.attrib else ()


def _read_command(element: etree._Element, quoted: frozenset[int]) -> str:
    given = attributes_of(element, "log", QUOTED)
    name = given.pop("kind")
    kind = ALL_KINDS.get(name)
    if kind is None:
        raise SaveXmlError("there is no such kind of command", code="SAVEXML_KIND", field=name)
    rest = [text for _, text in fields_of(element)]
    tokens = [*read_named(kind.fields, given, whole=bool(rest)), *rest]
    if len(tokens) > 1 and not kind.delimiter:
        raise SaveXmlError("this command has one field", code="SAVEXML_FIELD")
    return kind.prefix + joined(tokens, kind.delimiter, quoted)
