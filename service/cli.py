"""The `arbiter` command: check logs, rule on single situations, list rules and games, serve."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import Any, TypeVar

import click

from service.check import check_log
from service.games import Game, GameError, game_ids, load_game
from service.judge import judge, readings, rulebook_of
from service.report.data import report_data, ruling_data
from service.report.model import PUBLIC, REFEREE
from service.report.rules import rules_data, rules_markdown, rules_text
from service.report.text import report_text, ruling_text
from service.rulings import LANGUAGES
from service.schemas.reading import read_situation
from service.situation import SituationError
from vmod_tools.command_line import (
    CLEAN,
    FINDINGS,
    common_options,
    find_files,
    open_module,
    read_file,
    report,
    run,
)
from vmod_tools.errors import VmodError
from vmod_tools.show import json_text

CASE_SUFFIXES = (".json", ".toml")

_F = TypeVar("_F", bound=Callable[..., object])


def _language(function: _F) -> _F:
    return click.option(
        "--lang", type=click.Choice(LANGUAGES), default="en", help="The language of the messages."
    )(function)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vassal-arbiter", prog_name="arbiter")
def cli() -> None:
    """Say which moves of a VASSAL log were legal, why, and by which paragraph of the rules."""


@cli.command()
@click.argument("logs", nargs=-1, required=True)
@click.option(
    "--module", "module_name", required=True, help="The module the logs were played with."
)
@click.option("--game", "game_id", required=True, help="The game: see `arbiter games`.")
@click.option("--as", "view", default=PUBLIC, help="public, a side, or referee.")
@click.option("--option", "chosen", multiple=True, metavar="ID=VALUE", help="The reading of a gap.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("--strict", is_flag=True, help="Undetermined rulings count as findings too.")
@_language
@common_options
def check(
    logs: tuple[str, ...],
    module_name: str,
    game_id: str,
    view: str,
    chosen: tuple[str, ...],
    form: str,
    lang: str,
    *,
    strict: bool,
    quiet: bool,
    debug: bool,
) -> int:
    """Judge the steps of each LOG.  Exit code 1 when a move is illegal."""
    game = _game(game_id, chosen)
    if view not in (PUBLIC, REFEREE, *game.sides):
        raise GameError(f"there is no view {view[:40]!r}", code="VIEW_UNKNOWN", field="as")
    module = open_module(module_name)
    code = CLEAN
    data: list[dict[str, Any]] = []
    files = list(find_files(logs))
    for number, name in enumerate(files, 1):
        try:
            made = check_log(read_file(name), module, game, view=view, number=number)
        except VmodError as error:
            code = report(error.located(file=name), debug=debug)
            continue
        if made.counts["illegal"] or (strict and made.counts["undetermined"]):
            code = max(code, FINDINGS)
        if form == "json":
            data.append({"log": name, **report_data(made)})
        else:
            click.echo(report_text(made, name, lang), nl=False)
    if form == "json":
        _print_json(data, of=len(files))
    return code


@cli.command(name="rule")
@click.argument("cases", nargs=-1, required=True)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("--strict", is_flag=True, help="An undetermined ruling counts as a finding too.")
@_language
@common_options
def rule_command(
    cases: tuple[str, ...], form: str, lang: str, *, strict: bool, quiet: bool, debug: bool
) -> int:
    """Rule on the situation and action in each CASE (JSON or TOML, schemas/situation.schema.json)."""
    code = CLEAN
    data: list[dict[str, Any]] = []
    files = list(find_files(cases, CASE_SUFFIXES))
    for name in files:
        try:
            ruling = judge(*read_situation(_load(name)))
        except VmodError as error:
            code = report(error.located(file=name), debug=debug)
            continue
        if ruling.verdict == "illegal" or (strict and ruling.verdict == "undetermined"):
            code = max(code, FINDINGS)
        if form == "json":
            data.append(ruling_data(ruling))
        else:
            click.echo(ruling_text(ruling, lang), nl=False)
    if form == "json":
        _print_json(data, of=len(files))
    return code


@cli.command()
@click.argument("game_id", metavar="GAME")
@click.option("--format", "form", type=click.Choice(["text", "json", "md"]), default="text")
@_language
@common_options
def rules(game_id: str, form: str, lang: str, *, quiet: bool, debug: bool) -> int:
    """List the rules of GAME: id, paragraph, text in both languages, and the facts each needs."""
    book = rulebook_of(load_game(game_id))
    if form == "json":
        click.echo(json_text(rules_data(book), indent=1))
    else:
        click.echo(rules_markdown(book) if form == "md" else rules_text(book, lang), nl=False)
    return CLEAN


@cli.command()
@click.argument("game_id", metavar="GAME")
@_language
@common_options
def options(game_id: str, lang: str, *, quiet: bool, debug: bool) -> int:
    """List the options of GAME: the reading of each gap, its default and its alternatives."""
    game = load_game(game_id)
    in_force = readings(game)
    for option in rulebook_of(game).options:
        text = option.text.fill({})[lang]
        click.echo(
            f"{option.id} = {in_force[option.id]} ({' | '.join(option.alternatives)}): {text}"
        )
    return CLEAN


@cli.command()
@_language
@common_options
def games(lang: str, *, quiet: bool, debug: bool) -> int:
    """List the games."""
    for game_id in game_ids():
        click.echo(f"{game_id}: {load_game(game_id).titles[lang]}")
    return CLEAN


@cli.command()
@click.option("--port", default=8800, show_default=True, type=click.IntRange(0, 65535))
@click.option("--host", default="127.0.0.1", show_default=True)
@common_options
def serve(port: int, host: str, *, quiet: bool, debug: bool) -> int:
    """Serve the web API."""
    from service.api.server import serve_forever  # Flask is not loaded for the other commands

    serve_forever(host, port, announce=not quiet)
    return CLEAN


def _game(game_id: str, chosen: tuple[str, ...]) -> Game:
    pairs = [text.partition("=") for text in chosen]
    game = load_game(game_id).with_options({name: value for name, _, value in pairs})
    readings(game)  # a slip in an option is said once, before any log is read
    return game


def _load(name: str) -> Any:
    """The data of a JSON or TOML file; raises SituationError with the line."""
    text = read_file(name).decode("utf-8", "replace")
    try:
        return tomllib.loads(text) if name.endswith(".toml") else json.loads(text)
    except json.JSONDecodeError as error:
        raise SituationError(
            f"not valid JSON: {error.msg}",
            code="JSON",
            place=f"line {error.lineno} column {error.colno}",
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise SituationError(f"not valid TOML: {error}", code="TOML") from error
    except RecursionError:
        raise SituationError("the JSON is nested too deeply", code="JSON") from None
    except ValueError:
        # Python refuses whole numbers of thousands of digits.
        raise SituationError("a number has too many digits", code="JSON") from None


def _print_json(answers: list[dict[str, Any]], of: int) -> None:
    """One answer of one file as an object, those of several as a list, whether or not some failed."""
    if of > 1:
        click.echo(json_text(answers, indent=1))
    elif answers:
        click.echo(json_text(answers[0], indent=1))


def main() -> None:
    """The console script."""
    run(cli)


if __name__ == "__main__":
    main()
