"""From files to a report: opens log and module, replays, judges, and gathers what must be said."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from service.declare import is_command, read_resolve
from service.facts import FactReader
from service.games import Game
from service.judge import judge, readings, rulebook_of
from service.replay import Play, Replay
from service.report.model import PUBLIC, REFEREE, Report
from service.rulings import Ruling
from service.schemas.reading import map_set
from vmod_tools.archive import Archive
from vmod_tools.build.builder import EMBEDDED_MAP
from vmod_tools.build.mapwindow import map_name
from vmod_tools.errors import MapError
from vmod_tools.limits import COMMAND_LINE, Limits
from vmod_tools.logs import Log, player_label
from vmod_tools.mapdoc.model import HexMap, MapDocument
from vmod_tools.mapdoc.reading import read_document
from vmod_tools.modules import Module, check_same_module


def check_log(
    log_data: bytes,
    module: Module,
    game: Game,
    *,
    view: str = PUBLIC,
    number: int = 1,
    limits: Limits = COMMAND_LINE,
) -> Report:
    """The report on a log.  Raises VmodError when it cannot be read or does not fit the module."""
    options = readings(game)
    log = Log.read(Archive.parse(log_data, limits))
    check_same_module(module, log.start.module)
    hex_map, window = _find_map(module, game)
    reader = FactReader(game, module, hex_map, window)
    rulings = _rule(Replay(log, reader, number))
    return Report(
        game=game,
        options=options,
        view=view,
        module_name=module.name,
        module_version=module.version,
        log_module=log.start.module.name if log.start.module else None,
        steps=len(log.steps),
        players=tuple((player_label(i), p.side) for i, p in enumerate(log.players)),
        rulings=rulings,
        examined=tuple(rule.id for rule in rulebook_of(game).rules),
        undone=tuple(f"{number}.{s.number}" for s in log.steps if s.undone_by is not None),
        not_understood=_not_understood(log, reader),
        hashes=(
            {"log": _sha256(log_data), "module": _sha256(module.archive.to_bytes())}
            if view == REFEREE
            else {}
        ),
    )


def check_logs(
    logs: Sequence[bytes],
    module: Module,
    game: Game,
    *,
    view: str = PUBLIC,
    limits: Limits = COMMAND_LINE,
) -> Report:
    """One report on several logs, in the order given, each judged from its own start."""
    reports = [
        check_log(data, module, game, view=view, number=number, limits=limits)
        for number, data in enumerate(logs, 1)
    ]
    first, *others = reports
    if not others:
        return first
    return replace(
        first,
        steps=sum(r.steps for r in reports),
        rulings=tuple(ruling for r in reports for ruling in r.rulings),
        undone=tuple(step for r in reports for step in r.undone),
        not_understood=tuple(dict.fromkeys(name for r in reports for name in r.not_understood)),
        hashes={
            name if name == "module" else f"{name}.{number}": value
            for number, r in enumerate(reports, 1)
            for name, value in r.hashes.items()
        },
    )


def _find_map(module: Module, game: Game) -> tuple[HexMap, str]:
    """The map that the module plays on, and its window: the embedded document's, else the game's own."""
    embedded = module.archive.find(EMBEDDED_MAP)
    document: MapDocument
    if embedded is not None:
        document = read_document(module.archive.read(embedded), EMBEDDED_MAP)
    else:
        document = map_set(game.map_set)
    for hex_map in document.maps:
        if module.map(map_name(hex_map)) is not None:
            return hex_map, map_name(hex_map)
    raise MapError(
        f"the module has no map window called {map_name(document.maps[0])!r}", code="MAP_WINDOW"
    )


def _rule(replay: Replay) -> tuple[Ruling, ...]:
    """The rulings on all plays.  What hangs on an illegal step names that step."""
    tainted: dict[str, str] = {}
    rulings = []
    for play in replay.plays():
        ruling = _ruling(play)
        concerned = {u.id for u in play.units} | _targets(play)
        depends = sorted({tainted[u] for u in concerned if u in tainted}, key=_step_order)
        rulings.append(replace(ruling, depends_on=tuple(depends)))
        if ruling.action == "move" and ruling.verdict == "illegal":
            # The judge goes on from where the log has the unit.
            tainted |= {u.id: play.step for u in play.units}
    return tuple(sorted(rulings, key=lambda r: _step_order(r.step)))


def _ruling(play: Play) -> Ruling:
    if play.placed:
        ruling = Ruling("placement", tuple(u.name for u in play.units), "not-checked", ())
    elif play.action is None:
        ruling = Ruling("attack", tuple(u.name for u in play.units), "undetermined", ())
        ruling = replace(ruling, missing=play.missing)
    else:
        ruling = judge(play.before, play.action)
    return replace(ruling, step=play.step, steps=play.steps, actor=play.actor)


def _targets(play: Play) -> set[str]:
    cell = getattr(play.action, "hex", None)
    return {u.id for u in play.before.units_in(cell)} if cell is not None else set()


def _step_order(step: str) -> tuple[int, ...]:
    return tuple(int(part) for part in step.split("."))


def _not_understood(log: Log, reader: FactReader) -> tuple[str, ...]:
    """Commands of steps that no table lists, by their first word, and pieces of which nothing is told."""
    words = {
        c["text"].partition("\t")[0][:20] for step in log.steps for c in step.of_kind("opaque")
    }
    found = [f"command {word}" for word in sorted(words)]
    found += [
        f"chat of step {step.number}: {line}"
        for step in log.steps
        for line in step.chat
        if is_command(line) and read_resolve(line, reader.map) is None
    ]
    if any(reader.has_concealed(state) for state in (log.states[0], log.states[-1])):
        found.append("masked or invisible pieces: left out")
    return tuple(found)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
