"""From JSON data to a situation and an action: ids resolved, contradictions refused.

Errors are SituationErrors (or MapErrors of an inline map) whose place is the JSON path, so that a caller
finds the value at fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from marshmallow import ValidationError

from service.actions import Action, Attack, AttackKind, Combat, Move
from service.games import Game, load_game
from service.schemas.situation import SituationSchema
from service.situation import Situation, SituationError, Unit, UnitId, site_of
from vmod_tools.errors import VmodError
from vmod_tools.mapdoc import banks
from vmod_tools.mapdoc.geometry import resolve
from vmod_tools.mapdoc.jsonform import document_from_json
from vmod_tools.mapdoc.model import BankName, Cell, HexMap, MapDocument
from vmod_tools.mapdoc.reading import read_document
from vmod_tools.resources import data_folder

BOMBARDMENT: AttackKind = "preparatory-bombardment"


class ShapeError(SituationError):
    """JSON of the wrong shape; `problems` lists every message by its path."""

    code = "SHAPE"

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        place, message = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(message + more, place=place)
        self.problems = problems


@cache
def map_set(set_id: str) -> MapDocument:
    """The map document of a map set that comes with the product; raises SituationError."""
    # The id becomes a path only if it is the name of a folder that is there.
    known = sorted(p.name for p in data_folder("maps").iterdir() if (p / "map.xml").is_file())
    if set_id not in known:
        raise SituationError(
            f"there is no map {set_id[:40]!r}; there are {', '.join(known)}",
            code="MAP_UNKNOWN",
            field="map",
        )
    return read_document((data_folder("maps") / set_id / "map.xml").read_bytes(), "map.xml")


def read_situation(data: object) -> tuple[Situation, Action]:
    """The situation and the action in JSON data; raises SituationError, GameError or MapError."""
    try:
        loaded: dict[str, Any] = SituationSchema().load(data)  # type: ignore[arg-type]
    except ValidationError as error:
        raise ShapeError(flatten(error.messages)) from None
    return resolve_situation(loaded)


def resolve_situation(loaded: Mapping[str, Any]) -> tuple[Situation, Action]:
    """The same of a body that SituationSchema has loaded."""
    game = load_game(loaded["game"]).with_options(loaded.get("options", {}))
    hex_map = _map(loaded.get("map", game.map_set))
    _check_terrain(game, hex_map)
    reader = _Reader(game, hex_map, loaded)
    return reader.situation, reader.action()


def _map(given: object) -> HexMap:
    document = map_set(given) if isinstance(given, str) else document_from_json(given, "map")
    if len(document.maps) != 1:
        raise SituationError("a situation has exactly one map", code="MAP_COUNT", field="map")
    return document.maps[0]


def _check_terrain(game: Game, hex_map: HexMap) -> None:
    """Refuses a terrain that the game does not know: a slip there would decide rulings unseen."""
    for place in hex_map.hexes.values():
        if place.terrain not in game.terrains:
            raise SituationError(
                f"{place.terrain!r} is none of the terrains {', '.join(sorted(game.terrains))}",
                code="TERRAIN_UNKNOWN",
                place="map",
                field=str(place.written),
            )


def flatten(messages: object, path: str = "") -> list[tuple[str, str]]:
    """marshmallow's nested messages as (path, message)."""
    if isinstance(messages, dict):
        found = []
        for key, value in messages.items():
            # Errors that concern the whole object stand under `_schema`.
            inner = path if key == "_schema" else f"{path}.{key}".lstrip(".")
            found += flatten(value, inner)
        return found
    texts = messages if isinstance(messages, list) else [messages]
    return [(path, str(text)) for text in texts]


class _Reader:
    """Resolves one loaded body against its map."""

    def __init__(self, game: Game, hex_map: HexMap, loaded: Mapping[str, Any]) -> None:
        self.map = hex_map
        self.loaded = loaded
        self.game = game
        self.sides = tuple(loaded.get("sides") or game.sides)
        units: dict[UnitId, Unit] = {}
        for index, raw in enumerate(loaded["units"]):
            unit = self._unit(raw, f"units.{index}")
            if unit.id in units:
                raise SituationError(
                    f"two units are called {unit.id!r}",
                    code="UNIT_TWICE",
                    place=f"units.{index}.id",
                )
            units[unit.id] = unit
        phase = loaded.get("phase") or {}
        self.situation = Situation(
            game, hex_map, units, phase.get("active"), phase.get("turn"), phase.get("step")
        )

    def _unit(self, raw: Mapping[str, Any], at: str) -> Unit:
        side, unit_class = raw["side"], raw.get("unit_class")
        if side not in self.sides:
            raise SituationError(
                f"{side!r} is none of the sides {', '.join(self.sides)}",
                code="SIDE_UNKNOWN",
                place=f"{at}.side",
            )
        if unit_class is not None and unit_class not in self.game.classes:
            raise SituationError(
                f"{unit_class!r} is none of the classes {', '.join(self.game.classes)}",
                code="CLASS_UNKNOWN",
                place=f"{at}.class",
            )
        cell = self._cell(raw["hex"], f"{at}.hex") if raw.get("hex") else None
        start = self._cell(raw["start_hex"], f"{at}.start_hex") if raw.get("start_hex") else None
        self._check_place(cell, raw.get("bank"), raw.get("site"), at)
        did = raw.get("did")
        return Unit(
            id=UnitId(raw["id"]),
            name=raw.get("name") or raw["id"],
            side=side,
            unit_class=unit_class,
            hex=cell,
            hex_known="hex" in raw,
            start_hex=start,
            start_known="start_hex" in raw,
            posture=raw.get("position"),
            site=raw.get("site"),
            bank=BankName(raw["bank"]) if raw.get("bank") else None,
            arrived=raw.get("arrived"),
            landing_craft=raw.get("landing_craft"),
            did=tuple(did) if did is not None else None,
        )

    def _cell(self, text: str, at: str) -> Cell:
        """The cell of a hex id; it must be a hex that the map describes."""
        try:
            cell = resolve(self.map, text)
        except VmodError as error:
            raise error.located(place=at) from None
        if cell not in self.map.hexes:
            raise SituationError(
                f"the map does not describe hex {text!r}", code="HEX_NOT_ON_MAP", place=at
            )
        return cell

    def _check_place(self, cell: Cell | None, bank: str | None, site: str | None, at: str) -> None:
        """Refuses a bank that the hex does not have, and a site that is not in it."""
        place = self.situation_hex(cell)
        if place is None:
            return
        names = banks.bank_names(place)
        if bank and not any(banks.same_bank(bank, name) for name in names):
            have = f"the banks {' and '.join(names)} only" if names else "no banks"
            raise SituationError(
                f"there is no bank {bank!r}: the hex has {have}",
                code="BANK_UNKNOWN",
                place=f"{at}.bank",
            )
        if site and site_of(place, site) is None:
            have = ", ".join(s.id for s in place.sites) or "none"
            raise SituationError(
                f"there is no site {site!r} in the hex; its sites: {have}",
                code="SITE_UNKNOWN",
                place=f"{at}.site",
            )

    def situation_hex(self, cell: Cell | None) -> Any:
        """The hex at a cell, or None."""
        return None if cell is None else self.map.hexes.get(cell)

    # Actions

    def action(self) -> Action:
        """The action of the body."""
        raw = self.loaded["action"]
        if raw["type"] == "move":
            return self._move(raw)
        if raw["type"] == "combat":
            cell = self._cell(raw["hex"], "action.hex")
            attacks = []
            for index, part in enumerate(raw["attacks"]):
                at = f"action.attacks.{index}"
                own = self._target(part, at) if "target" in part else cell
                attacks.append(self._attack(part, at, own))
            return Combat(cell, tuple(attacks))
        return self._attack(raw, "action", self._target(raw, "action"))

    def _target(self, raw: Mapping[str, Any], at: str) -> Cell:
        return self._cell(raw["target"]["hex"], f"{at}.target.hex")

    def _units(self, ids: list[str], at: str) -> tuple[UnitId, ...]:
        for index, unit_id in enumerate(ids):
            try:
                self.situation.unit(UnitId(unit_id))
            except SituationError as error:
                error.field = ""
                raise error.located(place=f"{at}.units.{index}") from None
        return tuple(UnitId(unit_id) for unit_id in ids)

    def _move(self, raw: Mapping[str, Any]) -> Move:
        units = self._units(raw["units"], "action")
        if ("to" in raw) == ("path" in raw):
            raise SituationError(
                "a move has either `to` or `path`", code="MOVE_WAY", place="action"
            )
        starts = {self.situation.unit(u).hex for u in units}
        if len(starts) > 1:
            raise SituationError(
                "units that move together start in one hex",
                code="UNITS_APART",
                place="action.units",
            )
        start = starts.pop()
        exact = "path" in raw
        if exact:
            path = tuple(self._cell(h, f"action.path.{i}") for i, h in enumerate(raw["path"]))
            if start is not None and path[0] != start:
                raise SituationError(
                    "the path does not begin where the units are",
                    code="PATH_START",
                    place="action.path.0",
                )
        else:
            goal = self._cell(raw["to"], "action.to")
            path = (goal,) if start is None else (start, goal)
        self._check_place(path[-1], raw.get("bank"), raw.get("site"), "action")
        if raw.get("arrived") == "carried" and len(set(path)) > 1:
            raise SituationError(
                "a unit that comes to another hex was not there before",
                code="ARRIVED_CARRIED",
                place="action.arrived",
            )
        return Move(
            units=units,
            path=path,
            exact=exact,
            arrived=raw.get("arrived"),
            posture=raw.get("position"),
            site=raw.get("site"),
            bank=BankName(raw["bank"]) if raw.get("bank") else None,
            purpose=raw.get("purpose", "move"),
        )

    def _attack(self, raw: Mapping[str, Any], at: str, cell: Cell) -> Attack:
        units = self._units(raw["units"], at)
        for index, unit_id in enumerate(units):
            if self.situation.unit(unit_id).hex is None:
                raise SituationError(
                    "a unit that attacks is in a hex",
                    code="UNIT_NOWHERE",
                    place=f"{at}.units.{index}",
                )
        named = raw.get("target", {}).get("units")
        targets = None if named is None else self._units(named, f"{at}.target")
        for index, unit_id in enumerate(targets or ()):
            if self.situation.unit(unit_id).hex != cell:
                raise SituationError(
                    "the unit is not in the hex attacked",
                    code="TARGET_ELSEWHERE",
                    place=f"{at}.target.units.{index}",
                )
        self._check_sides(units, targets or (), at)
        kind = raw.get("kind")
        if kind is not None and (raw["type"] == "bombard") != (kind == BOMBARDMENT):
            raise SituationError(
                f"{kind!r} is no kind of {raw['type']}", code="KIND", place=f"{at}.kind"
            )
        return Attack(
            "bombard" if raw["type"] == "bombard" else "attack", units, cell, targets, kind
        )

    def _check_sides(self, units: tuple[UnitId, ...], targets: tuple[UnitId, ...], at: str) -> None:
        """Refuses attackers of two sides, and a target of the attackers' own."""
        side = self.situation.unit(units[0]).side
        for index, unit_id in enumerate(units):
            if self.situation.unit(unit_id).side != side:
                raise SituationError(
                    "units of two sides make no attack together",
                    code="SIDES_MIXED",
                    place=f"{at}.units.{index}",
                )
        for index, unit_id in enumerate(targets):
            if self.situation.unit(unit_id).side == side:
                raise SituationError(
                    "the target is of the attackers' own side",
                    code="TARGET_FRIENDLY",
                    place=f"{at}.target.units.{index}",
                )
