"""`make demo`: builds the sample module, judges the sample log, prints the rulings.

Everything comes with the product: the map set in maps/weu-denmark, and a log that the real VASSAL engine
wrote by playing the script beside it (tests/data/aalborg.json).
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from service.check import check_log
from service.games import load_game
from service.report.data import report_data
from service.report.text import report_text
from vmod_tools.archive import Archive
from vmod_tools.build.builder import build_module, read_map_set
from vmod_tools.command_line import run, write_file
from vmod_tools.modules import Module
from vmod_tools.resources import data_folder
from vmod_tools.show import json_text

LOG = Path("tests/data/aalborg.vlog")
OUTPUT = Path("build/demo")


@click.command()
@click.option("--lang", type=click.Choice(["en", "ja"]), default="en")
def demo(lang: str) -> int:
    """Judge the sample log."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    module_data = build_module(read_map_set(data_folder("maps") / "weu-denmark"))
    write_file(str(OUTPUT / "weu-denmark.vmod"), module_data)
    report = check_log(LOG.read_bytes(), Module.read(Archive.parse(module_data)), load_game("weu"))
    click.echo(report_text(report, str(LOG), lang))
    write_file(str(OUTPUT / "report.json"), json_text(report_data(report), indent=1).encode())
    click.echo(f"The module to open in VASSAL:    {OUTPUT / 'weu-denmark.vmod'}")
    click.echo(f"The report as JSON:              {OUTPUT / 'report.json'}")
    click.echo("The same in Japanese:            .venv/bin/python -m service.demo --lang ja")
    click.echo("The web service, on this machine: make serve   (then http://127.0.0.1:8800/)")
    return 0


if __name__ == "__main__":
    run(demo, sys.argv[1:])
