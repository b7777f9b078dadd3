"""A report as frozen data: the rulings on a log, and everything else that must be said with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from service.games import Game
from service.rulings import VERDICTS, Ruling

REFEREE, PUBLIC = "referee", "public"

CANNOT_PROVE = (
    "A log is not signed: that its players made these moves, in this order and with these dice, cannot be proved.",
)
STARTS = (
    "The log is taken to begin at the start of an own action step, with nothing done before in it.",
)


@dataclass(frozen=True)
class Report:
    """The answer on one log."""

    game: Game
    options: Mapping[str, str]
    view: str
    module_name: str
    module_version: str
    log_module: str | None
    """The module name that the log states; None when it states none."""
    steps: int
    players: tuple[tuple[str, str], ...]
    rulings: tuple[Ruling, ...]
    examined: tuple[str, ...]
    undone: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()
    cannot_prove: tuple[str, ...] = CANNOT_PROVE
    assumptions: tuple[str, ...] = STARTS
    hashes: Mapping[str, str] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """Rulings by verdict, all four named."""
        found = Counter(ruling.verdict for ruling in self.rulings)
        return {verdict: found[verdict] for verdict in VERDICTS}
