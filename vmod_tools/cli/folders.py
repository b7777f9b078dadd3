"""`vmod explode` and `vmod implode`: a file as a folder that git can compare, and back."""

from __future__ import annotations

from pathlib import Path

import click

from vmod_tools.cli.root import cli
from vmod_tools.command_line import CLEAN, common_options, read_file, write_file
from vmod_tools.errors import InputFileError, VmodError
from vmod_tools.explode.apart import take_apart
from vmod_tools.explode.disk import DiskFiles, write_folder
from vmod_tools.explode.together import put_together
from vmod_tools.show import visible

_PASSWORDS = "holds a game: its lines carry the players' passwords, as the file itself does"


@cli.command()
@click.argument("file")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@common_options
def explode(file: str, folder: Path, *, quiet: bool, debug: bool) -> int:
    """Write FILE as one file a component into DIR, for git.

    DIR must be new, empty, or an earlier explode, which is brought up to date. `vmod implode` makes the
    same bytes of it again, or a file with what was edited.
    """
    try:
        files = take_apart(read_file(file))
    except VmodError as error:
        raise error.located(file=file) from None
    removed = write_folder(folder, files)
    if any(path.endswith("savedGame.txt") for path in files):
        click.echo(f"{visible(file)} {_PASSWORDS}", err=True)
    if not quiet:
        click.echo(f"{len(files)} files in {visible(str(folder))}", err=True)
        for path in removed:
            click.echo(f"removed {path}", err=True)
    return CLEAN


@cli.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, help="The file to write.")
@common_options
def implode(folder: Path, output: str, *, quiet: bool, debug: bool) -> int:
    """Make the file of an exploded DIR again, with the edits made in it; says which entries changed."""
    try:
        data, changes = put_together(DiskFiles(folder))
    except VmodError as error:
        raise error.located(file=str(folder)) from None
    if folder.resolve() in Path(output).resolve().parents:
        raise InputFileError(
            "lies in the folder, which is the input", code="FILE_INPUT", file=output
        )
    write_file(output, data)
    if not quiet:
        for change in changes:
            click.echo(f"{change.what} {visible(change.entry)}")
    return CLEAN
