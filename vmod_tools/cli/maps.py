"""`vmod build` and `vmod extract`: from a map document to a module and back."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from vmod_tools.archive import Archive
from vmod_tools.build.builder import build_module, read_map_set
from vmod_tools.build.sitenames import differing_names
from vmod_tools.cli.root import cli
from vmod_tools.command_line import (
    CLEAN,
    STANDARD_INPUT,
    common_options,
    open_module,
    refuse_input,
    write_file,
)
from vmod_tools.errors import InputFileError, VmodError
from vmod_tools.extract import extract
from vmod_tools.modules import Module
from vmod_tools.resources import data_folder
from vmod_tools.show import visible


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, help="The module to write.")
@common_options
def build(folder: Path, output: str, *, quiet: bool, debug: bool) -> int:
    """Build the module of a map set FOLDER (map.xml, module.toml, units.csv).

    Without such a folder here, the sets that come with the product are looked at.
    """
    if not folder.is_dir():
        folder = shipped_map_set(folder)
    refuse_input(output, *folder.iterdir())
    map_set = read_map_set(folder)
    data = build_module(map_set)
    write_file(output, data)
    if not quiet:
        for line in differing_names(map_set.document, Module.read(Archive.parse(data))):
            click.echo(f"{folder}: {line}", err=True)
        click.echo(f"{output}: {len(data)} bytes", err=True)
    return CLEAN


@cli.command(name="extract")
@click.argument("module_name", metavar="MODULE")
@click.option("-o", "--output", default=STANDARD_INPUT, help="The document to write; - is stdout.")
@common_options
def extract_command(module_name: str, output: str, *, quiet: bool, debug: bool) -> int:
    """Write the map document that MODULE holds.

    A site whose counter was moved in VASSAL's editor gets its new place, and a line on stderr.
    """
    try:
        extraction = extract(open_module(module_name))
    except VmodError as error:
        raise error.located(file=module_name) from None
    if output == STANDARD_INPUT:
        sys.stdout.buffer.write(extraction.document)
    else:
        refuse_input(output, module_name)
        write_file(output, extraction.document)
    for difference in extraction.differences:
        click.echo(visible(f"{module_name}: {difference}"), err=True)
    return CLEAN


def shipped_map_set(folder: Path) -> Path:
    """The map set of that name which comes with the product; raises InputFileError."""
    shipped = data_folder("maps") / folder.name
    if not shipped.is_dir():
        raise InputFileError("no such folder", code="FILE_MISSING", file=str(folder))
    return shipped
