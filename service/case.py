"""A case: one action in one situation, as rules look at it."""

from __future__ import annotations

from dataclasses import dataclass

from service.actions import Action, Attack, Combat
from service.situation import Situation, Unit


@dataclass(frozen=True)
class Case:
    """One action in one situation, with the readings of the gaps that are in force."""

    situation: Situation
    action: Action
    readings: dict[str, str]

    @property
    def attacks(self) -> tuple[tuple[Attack, Unit], ...]:
        """Every attack of the action with each unit that makes it."""
        attacks: tuple[Attack, ...] = ()
        if isinstance(self.action, Attack):
            attacks = (self.action,)
        elif isinstance(self.action, Combat):
            attacks = self.action.attacks
        return tuple((a, self.situation.unit(u)) for a in attacks for u in a.units)

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units that act."""
        return tuple(self.situation.unit(u) for u in self.action.units)
