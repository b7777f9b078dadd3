"""What a player may do in a step, as data: the questions that rules answer.

Cells, units and kinds are resolved before an action is made; what the player did not say is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from service.situation import Arrival, Posture, UnitId
from vmod_tools.mapdoc.model import BankName, Cell

ActionType = Literal["move", "attack", "bombard", "combat"]
ACTION_TYPES: tuple[ActionType, ...] = ("move", "attack", "bombard", "combat")

AttackKind = Literal[
    "adjacent-deployment",
    "adjacent-on-road-frontal",
    "preparatory-bombardment",
    "same-hex-base-terrain",
    "same-hex-strongpoint",
    "city-fighting",
    "close-on-road-flank",
    "close-on-road-frontal",
    "airborne-base-terrain",
    "airborne-strongpoint",
    "amphibious-base-terrain",
    "amphibious-strongpoint",
    "amphibious-assault",
]
"""The rulebook's attack kinds in words.  `amphibious-assault` is the one over a strait, before the
positions in the hex are known; the report uses the words, never letters."""


Purpose = Literal["move", "retreat", "advance"]
PURPOSES: tuple[Purpose, ...] = ("move", "retreat", "advance")


@dataclass(frozen=True, slots=True)
class Move:
    """A move of one unit or of several together.

    `path` holds the hexes that the player showed, first the one left; where two of them are not
    adjacent the judge looks for the cheapest legal way between them.  With `exact` each step of the
    path is taken as it stands.  The other facts hold on arrival.
    """

    units: tuple[UnitId, ...]
    path: tuple[Cell, ...]
    exact: bool = False
    arrived: Arrival | None = None
    posture: Posture | None = None
    site: str | None = None
    bank: BankName | None = None
    purpose: Purpose | None = "move"
    """None: a drag of which nobody says whether it is a move, a retreat or an advance after combat."""
    type: Literal["move"] = "move"


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack or a bombardment of one hex, adjacent or the units' own.

    `targets` None means every enemy unit in the hex; `kind` None means that no kind was declared.
    """

    type: Literal["attack", "bombard"]
    units: tuple[UnitId, ...]
    hex: Cell
    targets: tuple[UnitId, ...] | None = None
    kind: AttackKind | None = None


@dataclass(frozen=True, slots=True)
class Combat:
    """A coordinated attack: several attacks and bombardments resolved as one combat."""

    hex: Cell
    attacks: tuple[Attack, ...]
    type: Literal["combat"] = "combat"

    @property
    def units(self) -> tuple[UnitId, ...]:
        """All attackers."""
        return tuple(unit for attack in self.attacks for unit in attack.units)


Action = Move | Attack | Combat
