"""Games: which rulebook, which map, and how the module's properties name the facts (data in *.toml)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from vmod_tools.errors import VmodError

_FOLDER = Path(__file__).parent


class GameError(VmodError):
    """An unknown game, option or value; the place is the field."""

    code = "GAME"


@dataclass(frozen=True, slots=True)
class UnitClass:
    """A kind of unit: the base terrains that it can enter off road, and whether it can be dropped."""

    id: str
    names: Mapping[str, str]
    enters: frozenset[str]
    drops: bool = False


@dataclass(frozen=True, slots=True)
class Phases:
    """Turn tracker properties: whose player turn it is, and which action step of it."""

    turn: str
    active: str
    step: str


@dataclass(frozen=True)
class Game:
    """A game file that was read."""

    id: str
    titles: Mapping[str, str]
    rulebook: str
    map_set: str
    sides: tuple[str, ...]
    facts: Mapping[str, str]
    """By fact (side, class, mode, bank …): the property of a unit that holds it."""
    phases: Phases
    classes: Mapping[str, UnitClass]
    terrains: frozenset[str]
    """The base terrains that the game knows; of any other nobody knows who can enter it."""
    options: Mapping[str, str]
    """Readings that this game file sets; the others have the rulebook's default."""

    def with_options(self, chosen: Mapping[str, str]) -> Game:
        """The game with some readings replaced."""
        return replace(self, options={**self.options, **chosen})


def game_ids() -> tuple[str, ...]:
    """The games that come with the product."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def load_game(game_id: str) -> Game:
    """The game of that id; raises GameError."""
    if game_id not in game_ids():
        raise GameError(
            f"there is no game {game_id[:40]!r}; there are {', '.join(game_ids())}",
            code="GAME_UNKNOWN",
            field="game",
        )
    data = tomllib.loads((_FOLDER / f"{game_id}.toml").read_text("utf-8"))
    return _game(data)


def _game(data: Mapping[str, Any]) -> Game:
    return Game(
        id=data["id"],
        titles=data["titles"],
        rulebook=data["rulebook"],
        map_set=data["map"],
        sides=tuple(data["sides"]),
        facts=data["facts"],
        phases=Phases(**data["phases"]),
        classes={
            class_id: UnitClass(
                class_id, c["names"], frozenset(c["enters"]), bool(c.get("drops", False))
            )
            for class_id, c in data["classes"].items()
        },
        terrains=frozenset(data["terrains"]),
        options=data.get("options", {}),
    )
