"""The state of play that rules look at: units, where they stand, and what is known of each.

A fact that is None is not known.  Places are cells of the map document, never texts: `B6125` and
`F0125` are one cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NewType

from service.games import Game, UnitClass
from vmod_tools.errors import VmodError
from vmod_tools.mapdoc import banks
from vmod_tools.mapdoc.model import BankName, Cell, Hex, HexMap, Site

UnitId = NewType("UnitId", str)

Posture = Literal["deployed", "road", "bp"]
"""Where in its hex a unit stands: in the base terrain off road, on road or rail, in a strongpoint."""

POSTURES: tuple[Posture, ...] = ("deployed", "road", "bp")

Arrival = Literal["land", "road", "air", "sea", "carried"]
"""How a unit came into its hex in this step; `carried`: it was there from the enemy's step."""

ARRIVALS: tuple[Arrival, ...] = ("land", "road", "air", "sea", "carried")

Deed = Literal["moved", "attacked"]
DEEDS: tuple[Deed, ...] = ("moved", "attacked")


class SituationError(VmodError):
    """A situation that contradicts itself or its map: an input error, never a verdict."""

    code = "SITUATION"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit and what is known of it at this moment."""

    id: UnitId
    name: str
    side: str
    unit_class: str | None = None
    hex: Cell | None = None
    """None: on no hex of the map (a reserve, a unit in the air or at sea), or see `hex_known`."""
    hex_known: bool = True
    start_hex: Cell | None = None
    """Where it stood when the current action step began; see `start_known`."""
    start_known: bool = True
    posture: Posture | None = None
    site: str | None = None
    bank: BankName | None = None
    arrived: Arrival | None = None
    landing_craft: bool | None = None
    did: tuple[Deed, ...] | None = None
    """What it did before in this action step, in order; None when that is not known."""
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Situation:
    """Everything that is known when an action is judged."""

    game: Game
    map: HexMap
    units: Mapping[UnitId, Unit]
    active: str | None = None
    turn: str | None = None
    step: str | None = None
    concealed: bool = False
    """Whether masked or invisible pieces are in play, of which nothing is known here."""

    def unit(self, unit_id: UnitId) -> Unit:
        """The unit of that id; raises SituationError."""
        try:
            return self.units[unit_id]
        except KeyError:
            raise SituationError(
                f"there is no unit {unit_id[:40]!r}", code="UNIT_UNKNOWN", field="units"
            ) from None

    def hex_at(self, cell: Cell | None) -> Hex | None:
        """The hex of the map document at a cell; None when the document does not describe it."""
        return None if cell is None else self.map.hexes.get(cell)

    def class_of(self, unit: Unit) -> UnitClass | None:
        """The unit's class as the game file has it, or None."""
        return self.game.classes.get(unit.unit_class) if unit.unit_class else None

    def units_in(self, cell: Cell) -> tuple[Unit, ...]:
        """The units in a hex."""
        return tuple(u for u in self.units.values() if u.hex == cell)

    def enemies_in(self, cell: Cell, side: str) -> tuple[Unit, ...]:
        """The units of other sides in a hex."""
        return tuple(u for u in self.units_in(cell) if u.side != side)

    def unseen_enemies(self, side: str) -> tuple[str, ...]:
        """What would have to be known to be sure that no other enemy stands in a hex."""
        lost = (u for u in self.units.values() if u.side != side and not u.hex_known)
        hidden = ("hidden units",) if self.concealed else ()
        return (*hidden, *(f"{u.name}.hex" for u in lost))


def can_enter(situation: Situation, unit: Unit, cell: Cell) -> bool | None:
    """Whether the unit can enter the base terrain of a hex; None when class or terrain is not known."""
    place, unit_class = situation.hex_at(cell), situation.class_of(unit)
    if place is None or place.terrain not in situation.game.terrains:
        return None
    if unit_class is None:
        # What every class can do, or none, this unit can or cannot too.
        answers = {place.terrain in c.enters for c in situation.game.classes.values()}
        return answers.pop() if len(answers) == 1 else None
    return place.terrain in unit_class.enters


def may_stand(situation: Situation, unit: Unit) -> bool:
    """Whether the unit can stand as it says: off the road only where it can enter the terrain."""
    if unit.posture != "deployed" or unit.hex is None:
        return True
    return can_enter(situation, unit, unit.hex) is not False


def site_of(place: Hex, site_id: str | None) -> Site | None:
    """The site of that id in a hex, or None."""
    return next((s for s in place.sites if s.id == site_id), None)


def known_bank(place: Hex, unit: Unit) -> BankName | None:
    """The bank on which a unit stands: stated, or that of the strongpoint that it names, or the only one."""
    names = banks.bank_names(place)
    return stated_bank(place, unit.bank, unit.site) or (names[0] if len(names) == 1 else None)


def stated_bank(place: Hex, bank: BankName | None, site_id: str | None) -> BankName | None:
    """The bank that a bank and a strongpoint, as a player states them, mean in a hex.

    Rule A9: naming a strongpoint whose place on the map lies on one bank states the bank.  A bank that the
    hex does not have says nothing.
    """
    if bank is not None:
        return next((name for name in banks.bank_names(place) if banks.same_bank(name, bank)), None)
    site = site_of(place, site_id)
    return None if site is None else banks.site_bank(place, site)
