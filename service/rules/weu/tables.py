"""The decision tables T1 to T3 as data, and how they are read when facts are missing.

A table is a tuple of rows; the first row that fits decides.  A row names the value that an input must
have, or leaves it out for "any".  An input that is not known (None) is tried with every value it could
have: if the outcome is the same each time, the fact need not be known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeVar

from service.actions import AttackKind

Value = str | bool
Inputs = Mapping[str, Value | None]
Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Row(Generic[Outcome]):
    """One row: the inputs that it asks for, and what then holds."""

    outcome: Outcome
    when: Mapping[str, frozenset[Value]]

    def fits(self, inputs: Mapping[str, Value]) -> bool:
        """Whether the row covers these inputs."""
        return all(inputs[name] in values for name, values in self.when.items())


@dataclass(frozen=True, slots=True)
class Table(Generic[Outcome]):
    """A decision table: the values that each input can have, and its rows in order."""

    name: str
    inputs: Mapping[str, tuple[Value, ...]]
    rows: tuple[Row[Outcome], ...]

    def row(self, inputs: Mapping[str, Value]) -> Row[Outcome]:
        """The first row that fits; every combination has one (a test enumerates them)."""
        return next(row for row in self.rows if row.fits(inputs))

    def outcomes(self, inputs: Inputs) -> list[Outcome]:
        """The different outcomes over every value that the unknown inputs could have."""
        found: list[Outcome] = []
        for known in _completions(self.inputs, inputs):
            outcome = self.row(known).outcome
            if outcome not in found:
                found.append(outcome)
        return found

    def deciding(self, inputs: Inputs) -> tuple[str, ...]:
        """The unknown inputs that would change the outcome, were they known."""
        unknown = [name for name in self.inputs if inputs[name] is None]
        return tuple(name for name in unknown if self._matters(name, inputs))

    def _matters(self, name: str, inputs: Inputs) -> bool:
        others = {n: v for n, v in inputs.items() if n != name}
        for known in _completions({n: v for n, v in self.inputs.items() if n != name}, others):
            if len(self.outcomes({**known, name: None})) > 1:
                return True
        return False


def _completions(
    values: Mapping[str, tuple[Value, ...]], inputs: Inputs
) -> Iterator[dict[str, Value]]:
    choices = []
    for name, possible in values.items():
        known = inputs[name]
        choices.append(possible if known is None else (known,))
    for chosen in product(*choices):
        yield dict(zip(values, chosen, strict=True))


def _row(outcome: Outcome, **when: Value | tuple[Value, ...]) -> Row[Outcome]:
    return Row(
        outcome,
        {n: frozenset(v if isinstance(v, tuple) else (v,)) for n, v in when.items()},
    )


_YES_NO = (True, False)

NONE: frozenset[AttackKind] = frozenset()
ADJACENT_DEPLOYMENT: AttackKind = "adjacent-deployment"
ON_ROAD_FRONTAL: AttackKind = "adjacent-on-road-frontal"
BOMBARDMENT: AttackKind = "preparatory-bombardment"
ASSAULT: AttackKind = "amphibious-assault"

# T1, adjacent attack.  `parted`: an in-hex strait keeps the attacker's or the defender's bank off the
# hexside.  `eligible`: the target units were adjacent at the start of the step, and the attacker has
# neither moved nor attacked.  `unspent`: it has neither moved nor attacked (an assault over a strait is a
# move, then same-hex combat, so start adjacency is not asked, G-A10).
T1: Table[frozenset[AttackKind]] = Table(
    "T1",
    {
        "hexside": ("normal", "river", "strait", "blocked"),
        "parted": _YES_NO,
        "eligible": _YES_NO,
        "unspent": _YES_NO,
        "craft": _YES_NO,
        "enters": _YES_NO,
        "way": _YES_NO,
    },
    (
        _row(NONE, hexside="blocked"),
        _row(frozenset({ASSAULT}), hexside="strait", craft=True, unspent=True),
        _row(NONE, hexside="strait"),
        _row(NONE, parted=True),
        _row(NONE, eligible=False),
        _row(frozenset({ADJACENT_DEPLOYMENT, BOMBARDMENT}), enters=True),
        _row(frozenset({ON_ROAD_FRONTAL, BOMBARDMENT}), enters=False, way=True),
        _row(frozenset({BOMBARDMENT}), enters=False, way=False),
    ),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A combat situation: the kind of the attack and of the defence.  None: the source names none."""

    attack: AttackKind | None
    defence: str | None


_UNNAMED = Pair(None, None)

# T2, same hex.  `arrived` tells only air and sea from the rest.  `defender`: deployed, emergency (on the
# road, able to enter, declares emergency deployment), road, city, bp (another strongpoint), close (in an
# urban area, declares close defence).  `bound`: the attacker cannot enter the base terrain.
_DEFENCE = {
    "deployed": "deployment",
    "emergency": "emergency-deployment",
    "road": "on-road-flank",
    "city": "concentrated-strongpoint",
    "bp": "in-strongpoint",
    "close": "close-concentrated-strongpoint",
}
_BT, _BP = ("deployed", "emergency"), ("road", "city", "bp", "close")


def _t2_rows() -> Iterator[Row[Pair]]:
    for defender, defence in _DEFENCE.items():
        # Across an in-hex strait there is only the assault, and only with craft.
        yield _row(Pair("amphibious-assault", defence), parted=True, craft=True, defender=defender)
    yield _row(Pair(None, None), parted=True, craft=False)
    for arrived, terrain, point in (
        ("air", "airborne-base-terrain", "airborne-strongpoint"),
        ("sea", "amphibious-base-terrain", "amphibious-strongpoint"),
    ):
        for defender, defence in _DEFENCE.items():
            kind = terrain if defender in _BT else point
            yield _row(Pair(kind, defence), arrived=arrived, defender=defender)  # type: ignore[arg-type]
    yield _row(Pair("city-fighting", _DEFENCE["close"]), defender="close")
    yield _row(
        Pair("same-hex-base-terrain", "deployment"), attacker="deployed", defender="deployed"
    )
    yield _row(
        Pair("same-hex-base-terrain", "emergency-deployment"),
        attacker="deployed",
        defender="emergency",
    )
    yield _row(Pair("close-on-road-flank", "on-road-flank"), attacker="deployed", defender="road")
    for defender in ("city", "bp"):
        yield _row(
            Pair("same-hex-strongpoint", _DEFENCE[defender]), attacker="deployed", defender=defender
        )
    for defender in _BT:
        yield _row(
            Pair("close-on-road-frontal", _DEFENCE[defender]),
            attacker="road",
            bound=True,
            defender=defender,
        )
    yield _row(
        Pair("close-on-road-flank", "on-road-flank"), attacker="road", bound=True, defender="road"
    )
    yield _row(_UNNAMED)


T2: Table[Pair] = Table(
    "T2",
    {
        "parted": _YES_NO,
        "craft": _YES_NO,
        "arrived": ("air", "sea", "other"),
        "attacker": ("deployed", "road", "bp"),
        "bound": _YES_NO,
        "defender": tuple(_DEFENCE),
    },
    tuple(_t2_rows()),
)

# T3, the defence against an adjacent attack, by where the defender stands.
T3: Mapping[str, str] = {
    "deployed": "deployment",
    "road": "on-road",
    "city": "concentrated-strongpoint",
    "bp": "in-strongpoint",
}
