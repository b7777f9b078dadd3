"""The words that the JSON form of a map is made of, each read from a JsonNode or from one of its keys.

They take what `schemas/map.rng` takes; a key that is absent gives the default.  All raise MapError
(MAP_JSON) with the place.
"""

from __future__ import annotations

from typing import cast

from vmod_tools.mapdoc.jsonnode import JsonNode
from vmod_tools.mapdoc.model import SIDES, BankName, HexId, Names, Side
from vmod_tools.mapdoc.writing import decimal_text

_BANK = "[NSEWC]|[NS][EW]|[EW][NS]"
_DECIMAL = r"-?[0-9]{1,6}(\.[0-9]+)?"
_HEX = "[A-Za-z0-9]*[0-9]{4}"
_LANGUAGE = "[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*"
_RANGE = "[0-9]{1,2}-[0-9]{1,2}"
_TOKEN = r"[\w.:\-]+"  # noqa: S105  an NMTOKEN
_NOT_A_SITE = "|".join((*SIDES, "centre"))


def items(keys: dict[str, JsonNode], key: str) -> list[JsonNode]:
    """The items of an array."""
    return keys[key].items() if key in keys else []


def token(keys: dict[str, JsonNode], key: str, default: str = "") -> str:
    """A word without spaces, an NMTOKEN in XML."""
    return keys[key].text(_TOKEN, "a word without spaces") if key in keys else default


def label(keys: dict[str, JsonNode], key: str) -> str:
    """A name for readers, not empty."""
    return keys[key].text(r".*\S.*", "a name") if key in keys else ""


def bank_name(keys: dict[str, JsonNode], key: str) -> BankName | None:
    """A bank, or None."""
    return bank(keys[key]) if key in keys else None


def side(node: JsonNode) -> Side:
    """A hexside."""
    return cast("Side", node.word(SIDES))


def names(keys: dict[str, JsonNode], key: str) -> Names:
    """Text by language tag."""
    if key not in keys:
        return {}
    found = {}
    for language, node in keys[key].members().items():
        JsonNode(language, node.pointer).text(_LANGUAGE, "a language tag")
        found[language] = node.text(r".*\S.*", "a name")
    return found


def decimal(node: JsonNode) -> str:
    """A number, or the text of one where its spelling matters (`"0.10"`)."""
    if isinstance(node.value, str):
        return node.text(_DECIMAL, "a decimal")
    return decimal_text(node.number())


def hex_id(node: JsonNode) -> HexId:
    """A hex as players write it."""
    return HexId(node.text(_HEX, "a hex id"))


def bank(node: JsonNode) -> BankName:
    """A bank."""
    return BankName(node.text(_BANK, "a bank"))


def link_end(node: JsonNode) -> str:
    """A hex with its map."""
    return node.text(rf"[^:\s]+:{_HEX}", "a hex with its map (`op:2420`)")


def sheet_id(keys: dict[str, JsonNode]) -> str:
    """A sheet's id, which may be empty."""
    return keys["id"].text("[A-Za-z0-9]*", "a sheet id") if "id" in keys else ""


def site_id(node: JsonNode) -> str:
    """A site's id: no word that a way's end could mean."""
    return node.text(f"(?!(?:{_NOT_A_SITE})$){_TOKEN}", "a site id")


def span(keys: dict[str, JsonNode], key: str) -> tuple[int, int]:
    """First and last number of a range; 1 to 99 when absent."""
    text = keys[key].text(_RANGE, 'a range such as "1-61"') if key in keys else "1-99"
    first, _, last = text.partition("-")
    return int(first), int(last)
