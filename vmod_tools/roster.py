"""Players over several logs: p1, p2 … are the same persons in each of them.

VASSAL knows a player by his password and shows his name.  Passwords are compared here and never come
out; players who only speak in the chat are known by name.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vmod_tools.gamestate import Player
from vmod_tools.logs import Log, player_label


@dataclass(frozen=True, slots=True)
class Person:
    """A player as he may be shown."""

    player: str
    """p1, p2 …"""
    name: str
    side: str


NOBODY = Person("", "", "")


@dataclass
class Roster:
    """The players of all logs that were added, numbered in order of appearance."""

    _players: list[Player] = field(default_factory=list, repr=False)
    _heard: list[str] = field(default_factory=list)

    def add(self, log: Log) -> None:
        """Adds the players of a log; the latest name and side of a player hold."""
        for player in log.players:
            at = self._index(player)
            if at is None:
                self._players.append(player)
            elif player.name or player.side:
                self._players[at] = player

    def person(self, log: Log, index: int | None) -> Person:
        """The player at `index` of `log.players`, with the side that he has in that log."""
        return NOBODY if index is None else self._person(log.players[index])

    def speaker(self, log: Log, name: str) -> Person:
        """The player whom a report names; one whom no log lists gets a number after all listed ones."""
        for players in (log.players, self._players):
            # A report may say the name alone where the roster has `Bob (Allied)`.
            for shown in (str, _bare):
                fitting = [p for p in players if shown(p.name) == name]
                if len(fitting) == 1:
                    return self._person(fitting[0])
        if name not in self._heard:
            self._heard.append(name)
        return Person(player_label(len(self._players) + self._heard.index(name)), name, "")

    def people(self) -> tuple[Person, ...]:
        """Everyone, by number."""
        listed = [Person(player_label(i), p.name, p.side) for i, p in enumerate(self._players)]
        first = len(self._players)
        heard = [Person(player_label(first + i), n, "") for i, n in enumerate(self._heard)]
        return tuple(listed + heard)

    def _person(self, player: Player) -> Person:
        return Person(player_label(self._index(player)), player.name, player.side)

    def _index(self, player: Player) -> int | None:
        ids = (i for i, p in enumerate(self._players) if p.user_id == player.user_id)
        return next(ids, None)


def _bare(name: str) -> str:
    return name.partition(" (")[0]
