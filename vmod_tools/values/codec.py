"""From a kind's letter code to its decoder.

S text                  F formatted string or expression    X property match
I int, J long           D double                            B boolean            CH one character
K key stroke            KA array of key strokes             C colour             SA array of texts
AC access               T target                            P parameters         N lines in one token
R rest of the text, raw                                     SH outline, likewise
PC property commands    CN constraints                      SD fields of a property sheet
SF, MF, ST flags of Does Not Stack: selection, movement, stacking                MD mask display
U owner: a user id or side, maybe a password                OB options of a mask: user ids too
PT point                ME member of a stack, or its layer
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from vmod_tools.values import changers, expressions, keys, lists, looks, plain
from vmod_tools.values.plain import ValueProblem, number_text

Value = (
    str
    | bool
    | int
    | float
    | keys.KeyStroke
    | keys.KeyStrokes
    | keys.LegacyKey
    | keys.LegacyKeys
    | plain.Colour
    | plain.NoColour
    | lists.StringArray
    | lists.Lines
    | lists.Parameters
    | lists.Access
    | expressions.Expression
    | expressions.PropertyMatch
    | expressions.Target
    | changers.PropertyCommands
    | changers.Constraints
    | looks.Flags
    | looks.MaskDisplay
    | looks.MaskOptions
    | looks.Owner
    | looks.Point
    | looks.StackLayer
    | looks.SheetDefinition
    | looks.ShapePath
    | ValueProblem
    | None
)
"""What a token says; None where it is empty and VASSAL takes the default."""


def _text(text: str) -> str:
    return text


DECODERS: Mapping[str, Callable[[str], Value]] = {
    "S": _text,
    "R": _text,
    "F": expressions.Expression,
    "X": expressions.PropertyMatch,
    "I": plain.decode_int,
    "J": plain.decode_long,
    "D": plain.decode_double,
    "B": plain.decode_bool,
    "CH": plain.decode_char,
    "C": plain.decode_colour,
    "K": keys.decode_key,
    "KA": keys.decode_keys,
    "SA": lists.decode_strings,
    "N": lists.decode_lines,
    "P": lists.decode_parameters,
    "AC": lists.decode_access,
    "T": expressions.decode_target,
    "PC": changers.decode_commands,
    "CN": changers.decode_constraints,
    "SF": looks.decode_selection,
    "MF": looks.decode_movement,
    "ST": looks.decode_stacking,
    "MD": looks.decode_mask,
    "U": looks.Owner,
    "OB": looks.decode_mask_options,
    "PT": looks.decode_point,
    "ME": looks.decode_member,
    "SD": looks.decode_sheet,
    "SH": looks.decode_shape,
}

RAW = frozenset({"R", "SH"})
"""Kinds that take the rest of the text, delimiters and all."""
SECRET = frozenset({"U", "OB"})
"""Kinds that may hold user ids, which are passwords."""


def decode_value(kind: str, text: str) -> Value:
    """What a token of this kind says; a malformed one is a ValueProblem."""
    return DECODERS[kind](text) if kind in SECRET else _decode(kind, text)


# Real files repeat a few thousand tokens; those that may be passwords are not kept.
@lru_cache(maxsize=16_384)
def _decode(kind: str, text: str) -> Value:
    return DECODERS[kind](text)


def encode_value(value: Value) -> str:
    """The token; exactly the one that was decoded."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return number_text(value) if isinstance(value, int | float) else value.encode()
