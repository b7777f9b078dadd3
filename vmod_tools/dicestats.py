"""Numbers about dice: counts, what fair dice would show, and chi-square with its sample size.

Nothing here says that anyone cheated.  A sample in which any class is expected fewer than five times is
too small for chi-square (the usual rule); then that is all that is said.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vmod_tools.rolls import Dice

LEAST_EXPECTED = 5
"""The count that fair dice must be expected to show in each class before chi-square is used."""

MAX_CLASSES = 1_000
"""Sums of many dice with many sides are only counted."""


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """Counts against what fair dice would show; `sample` is the number of dice (or sums) counted."""

    value: float
    degrees: int
    sample: int
    least_expected: float
    probability: float
    """How often fair dice differ from the expected counts at least so much."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What some rolls of one kind of dice come to."""

    rolls: int
    faces: Mapping[int, int]
    """How often each face came; empty when only sums were told."""
    sums: Mapping[int, int]
    total: int
    expected_each: float | None
    """How often fair dice show each face; None when the number of sides is not known."""
    expected_mean: float | None
    """Of a roll's sum."""
    interval: tuple[float, float] | None
    """Where the mean of so many fair rolls lies in 95 of 100 cases."""
    chi_square: ChiSquare | None
    sentence: str

    @property
    def mean(self) -> float:
        """Of a roll's sum."""
        return self.total / self.rolls


def summarise(rolls: Sequence[tuple[int, ...]], dice: Dice | None) -> Summary:
    """The summary of at least one roll; `dice` None means that the number of sides is not known.

    Values are single dice if there are as many as `dice` has, or several; else one value is a sum.
    """
    told = [r for r in rolls if len(r) == (dice.count if dice else max(map(len, rolls)))]
    if dice is None and max(map(len, rolls)) == 1:
        told = []
    faces = Counter(value for roll in told for value in roll)
    sums = Counter(sum(roll) for roll in rolls)
    total = sum(sum(roll) for roll in rolls)
    if dice is None or not _possible(rolls, dice):
        why = "The number of sides is not known, so nothing can be expected."
        if dice is not None:
            why = f"Some values cannot come from {dice.count} dice of {dice.sides} sides."
        counts = _sorted(faces), _sorted(sums)
        return Summary(len(rolls), *counts, total, None, None, None, None, why)
    all_faces = range(1 + dice.plus, dice.sides + dice.plus + 1)
    mean = dice.count * (dice.sides + 1 + 2 * dice.plus) / 2
    spread = 1.96 * math.sqrt(dice.count * (dice.sides**2 - 1) / 12 / len(rolls))
    if len(told) == len(rolls):
        shown, each = {f: faces[f] for f in all_faces}, len(told) * dice.count / dice.sides
        chi = chi_square(list(shown.values()), [each] * dice.sides)
        what, class_name = _counted(len(told) * dice.count, "die", "dice"), "face"
    else:
        shown, each = {}, None
        chances = sum_chances(dice)
        chi = chi_square([sums[s] for s in chances], [c * len(rolls) for c in chances.values()])
        what, class_name = _counted(len(rolls), "sum", "sums"), "sum"
    fits = chi is not None and chi.least_expected >= LEAST_EXPECTED
    return Summary(
        rolls=len(rolls),
        faces=shown,
        sums=_sorted(sums),
        total=total,
        expected_each=each,
        expected_mean=mean,
        interval=(
            max(mean - spread, dice.count * (1 + dice.plus)),
            min(mean + spread, dice.count * (dice.sides + dice.plus)),
        ),
        chi_square=chi if fits else None,
        sentence=_sentence(chi, what, class_name),
    )


def _possible(rolls: Iterable[tuple[int, ...]], dice: Dice) -> bool:
    low, high = 1 + dice.plus, dice.sides + dice.plus
    for roll in rolls:
        count = dice.count if len(roll) == 1 else 1
        if len(roll) not in (1, dice.count) or not all(
            count * low <= value <= count * high for value in roll
        ):
            return False
    return True


def _sorted(counts: Counter[int]) -> dict[int, int]:
    return dict(sorted(counts.items()))


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _sentence(chi: ChiSquare | None, what: str, class_name: str) -> str:
    if chi is None:
        return f"Not compared with fair dice ({what}): there is one class, or there are too many."
    if chi.least_expected < LEAST_EXPECTED:
        return (
            f"Too small a sample to say anything ({what}): fair dice would show the rarest {class_name} "
            f"{chi.least_expected:.1f} times, and {LEAST_EXPECTED} are needed."
        )
    return (
        f"Chi-square is {chi.value:.2f} with {chi.degrees} degrees of freedom over {what}; "
        f"of samples of fair dice, {100 * chi.probability:.1f} in 100 differ at least so much."
    )


def chi_square(counts: Sequence[int], expected: Sequence[float]) -> ChiSquare | None:
    """The statistic of `counts` against `expected`; None for fewer than two classes or too many."""
    if not 2 <= len(counts) <= MAX_CLASSES or not min(expected) > 0:
        return None
    value = sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))
    degrees = len(counts) - 1
    return ChiSquare(value, degrees, sum(counts), min(expected), tail(value, degrees))


def sum_chances(dice: Dice) -> dict[int, float]:
    """How likely each sum is; empty when there are more sums than `MAX_CLASSES`."""
    if dice.count * (dice.sides - 1) + 1 > MAX_CLASSES:
        return {}
    chances = {dice.count * dice.plus: 1.0}
    for _ in range(dice.count):
        following: dict[int, float] = {}
        for total, chance in chances.items():
            for face in range(1, dice.sides + 1):
                following[total + face] = following.get(total + face, 0.0) + chance / dice.sides
        chances = following
    return dict(sorted(chances.items()))


def tail(value: float, degrees: int) -> float:
    """The chance that chi-square with so many degrees of freedom is at least `value`.

    The finite sums for whole degrees of freedom: Abramowitz and Stegun, 26.4.4 and 26.4.5.
    """
    if degrees % 2:
        total = math.erfc(math.sqrt(value / 2))
        term, first = math.sqrt(2 * value / math.pi) * math.exp(-value / 2), 3
    else:
        total, term, first = 0.0, math.exp(-value / 2), 2
    for k in range(first, degrees + 1, 2):
        total += term
        term *= value / k
    return min(total, 1.0)
