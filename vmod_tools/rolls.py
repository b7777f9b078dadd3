"""The dice that a step rolled.

A dice button writes its result as a property `<name>_result`; that is preferred.  Without it the chat
tells (`vmod_tools.dicelines`).  A step that takes another back rolls nothing, though it names the old
result again.  Properties that the save itself lists are a module's own counters, not dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from vmod_tools.buildfile import int_attribute
from vmod_tools.commands.kinds import MUTABLE_PROPERTY, UNDO
from vmod_tools.dicelines import UNDO_PREFIX, DiceLine, read_dice_line
from vmod_tools.logs import Step
from vmod_tools.modules import Module
from vmod_tools.sequence import java_int

_RESULT = "_result"
DICE_SUFFIXES = (_RESULT, "_total", "_keep", "_summary")
"""What a dice button sets, each behind its own name."""


@dataclass(frozen=True, slots=True)
class Dice:
    """What is known of some dice: how many, with how many sides, and what is added to each."""

    count: int
    sides: int
    plus: int = 0


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll: the values as they were told (each die, or their total), and whom the report names."""

    label: str
    values: tuple[int, ...]
    name: str
    source: str
    """property or chat."""


@dataclass(frozen=True, slots=True)
class DiceNames:
    """What tells dice from other things: labels of the module, and properties that are none."""

    known: Mapping[str, Dice | None]
    """By label; None when the module does not say how many sides."""
    declared: frozenset[str] = frozenset()
    """Names of properties that the save lists."""


def module_dice(module: Module | None) -> dict[str, Dice | None]:
    """The dice buttons of a module, by name."""
    found: dict[str, Dice | None] = {}
    for button in module.build.root.descendants("DiceButton") if module else ():
        dice = Dice(
            int_attribute(button, "nDice", 2),
            int_attribute(button, "nSides", 6),
            int_attribute(button, "plus"),
        )
        asked_anew = button.get("keepDice") == "true" or button.get("prompt") == "true"
        sound = dice.count > 0 and dice.sides > 1 and not asked_anew
        found[button.name] = dice if sound else None
    for button in module.build.root.descendants("SpecialDiceButton") if module else ():
        found[button.name] = None
    return found


def dice_named(label: str) -> Dice | None:
    """The dice that a label like `2d6` or `Combat 2d6` speaks of, or None."""
    for word in label.split():
        count, d, sides = word.lower().partition("d")
        if d and _is_small_number(sides) and (not count or _is_small_number(count)):
            return Dice(int(count or 1), int(sides))
    return None


def _is_small_number(text: str) -> bool:
    number = java_int(text) if text.isdecimal() else None
    return number is not None and 0 < number <= 1_000


def takes_back(step: Step) -> bool:
    """Whether the step is an undo, paired with what it undoes or not."""
    bracketed = any(c["begins"] == "true" for c in step.of_kind(UNDO.name))
    return bool(step.undoes or bracketed or any(c.startswith(UNDO_PREFIX) for c in step.chat))


def step_rolls(step: Step, names: DiceNames) -> tuple[Roll, ...]:
    """The rolls of a step, in the order in which it tells them."""
    if takes_back(step):
        return ()
    rolls = _property_rolls(step, names)
    open_rolls = list(range(len(rolls)))
    for line in step.chat:
        told = read_dice_line(line, names.known)
        if told is None:
            continue
        same = next((i for i in open_rolls if _is_report_of(told, rolls[i])), None)
        if same is None:
            rolls.append(Roll(told.label, told.values, told.name, "chat"))
        else:
            open_rolls.remove(same)
            rolls[same] = replace(rolls[same], name=told.name)
    return tuple(rolls)


def _property_rolls(step: Step, names: DiceNames) -> list[Roll]:
    rolls = []
    for command in step.of_kind(MUTABLE_PROPERTY.name):
        name = command["name"]
        label = name.removesuffix(_RESULT)
        if label and label != name and name not in names.declared:
            values = _numbers(command["value"])
            if values:
                rolls.append(Roll(label, values, "", "property"))
    return rolls


def _numbers(text: str) -> tuple[int, ...]:
    """The values in `4,2`; none when anything else is in the text."""
    numbers = [java_int(part) for part in text.split(",")]
    return tuple(n for n in numbers if n is not None) if None not in numbers else ()


def _is_report_of(told: DiceLine, roll: Roll) -> bool:
    return told.values == roll.values or (
        told.label == roll.label and sum(told.values) == sum(roll.values)
    )


def roll_data(roll: Roll) -> dict[str, Any]:
    """A roll as JSON data."""
    return {
        "label": roll.label,
        "values": list(roll.values),
        "sum": sum(roll.values),
        "name": roll.name,
        "source": roll.source,
    }
