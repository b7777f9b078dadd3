"""The texts in which the command line states an edit."""

from __future__ import annotations

import re

from vmod_tools.components import Step, parse_attribute
from vmod_tools.edit.pieceedits import AddTrait, RemoveTrait, SetField, SetProperty, SetState
from vmod_tools.edit.request import Target
from vmod_tools.errors import VmodError
from vmod_tools.sequence import Sequence, java_int


def parse_set(text: str) -> SetProperty:
    """`NAME=VALUE`."""
    name, value = _pair(text, "--set", "NAME=VALUE")
    return SetProperty(name, value)


def parse_state(text: str) -> SetState:
    """`PREFIX=STATE`."""
    prefix, state = _pair(text, "--set-state", "PREFIX=STATE")
    return SetState(prefix, state)


def parse_field(text: str) -> SetField:
    """`PREFIX:FIELD=VALUE`."""
    left, value = _pair(text, "--set-field", "PREFIX:FIELD=VALUE")
    prefix, colon, name = left.rpartition(":")
    if not colon or not prefix:
        raise _unread("--set-field", "PREFIX:FIELD=VALUE")
    return SetField(prefix, name, value)


def parse_add_trait(text: str) -> AddTrait:
    r"""`TYPE|STATE`: the last bare `|` parts them; `\|` is a plain one.  Without one the state is empty."""
    parts = re.split(r"(?<!\\)\|", text)
    type_text, state = ("|".join(parts[:-1]), parts[-1]) if len(parts) > 1 else (parts[0], "")
    type_text, state = type_text.replace("\\|", "|"), state.replace("\\|", "|")
    if not type_text:
        raise _unread("--add-trait", "TYPE|STATE")
    return AddTrait(type_text, state)


def parse_remove_trait(text: str) -> RemoveTrait:
    """`PREFIX`, not empty."""
    if not text:
        raise _unread("--remove-trait", "PREFIX")
    return RemoveTrait(text)


def parse_target(text: str) -> Target:
    """`X,Y` or `MAP:X,Y`."""
    name, colon, point = text.rpartition(":")
    x, comma, y = point.partition(",")
    at = java_int(x.strip()), java_int(y.strip())
    if not comma or at[0] is None or at[1] is None or (colon and not name):
        raise _unread("--move", "X,Y or MAP:X,Y")
    return Target(name or None, at[0], at[1])


def parse_global(text: str) -> tuple[str, str]:
    """`NAME=VALUE` or `NAME@CONTAINER=VALUE`."""
    return _pair(text, "--set-global", "NAME=VALUE")


def parse_boards(text: str) -> tuple[str, tuple[str, ...]]:
    """`MAP=BOARD,BOARD…`."""
    name, value = _pair(text, "--boards", "MAP=BOARD,BOARD…")
    return name, Sequence.decode(value, ",").tokens


def parse_metadata(text: str) -> tuple[str, str | None, str]:
    """`FIELD=VALUE` or `FIELD[LANGUAGE]=VALUE`."""
    name, value = _pair(text, "--set-metadata", "FIELD=VALUE")
    match = re.fullmatch(r"(\w+)\[([\w-]+)\]", name)
    return (match[1], match[2], value) if match else (name, None, value)


def parse_set_attribute(text: str) -> tuple[tuple[Step, ...], str, str]:
    """`PATH@NAME=VALUE`."""
    try:
        return parse_attribute(text)
    except VmodError as error:
        raise error.located(field="--set-attribute") from None


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise _unread(option, form)
    return name, value


def _unread(option: str, form: str) -> VmodError:
    return VmodError(f"must be {form}", code="EDIT_OPTION", field=option)
