"""`vmod to-xml` and `vmod from-xml`: files as readable XML, byte for byte both ways."""

from __future__ import annotations

import sys

import click

from vmod_tools.cli.root import cli
from vmod_tools.command_line import (
    CLEAN,
    STANDARD_INPUT,
    common_options,
    read_file,
    refuse_input,
    write_file,
)
from vmod_tools.errors import VmodError
from vmod_tools.savexml import from_xml, to_xml
from vmod_tools.show import visible


@cli.command(name="to-xml")
@click.argument("file")
@click.option("-o", "--output", default=STANDARD_INPUT, help="The XML to write; - is stdout.")
@click.option("--redact", is_flag=True, help="Leave out players' ids and passwords, for good.")
@common_options
def to_xml_command(file: str, output: str, *, redact: bool, quiet: bool, debug: bool) -> int:
    """Write the save, log, module or extension FILE as XML.

    `vmod from-xml` makes the same bytes of it again, unless it was redacted.
    """
    try:
        form = to_xml(read_file(file), redact=redact)
    except VmodError as error:
        raise error.located(file=file) from None
    if output == STANDARD_INPUT:
        sys.stdout.buffer.write(form.document)
    else:
        refuse_input(output, file)
        write_file(output, form.document)
    if form.ids and not redact:
        _warn(file, f"the XML holds players' passwords ({form.ids}); --redact leaves them out")
    if form.left:
        _warn(file, f"{form.left} of the ids left out also stand in other texts, such as chat")
    return CLEAN


@cli.command(name="from-xml")
@click.argument("file")
@click.option("-o", "--output", required=True, help="The file to write.")
@common_options
def from_xml_command(file: str, output: str, *, quiet: bool, debug: bool) -> int:
    """Write the file that the XML in FILE describes; `schemas/save.rng` says what may stand in it."""
    try:
        rebuilt = from_xml(read_file(file))
    except VmodError as error:
        raise error.located(file=file) from None
    refuse_input(output, file)
    write_file(output, rebuilt.data)
    for warning in rebuilt.warnings:
        _warn(output, warning)
    return CLEAN


def _warn(file: str, text: str) -> None:
    click.echo(visible(f"{file}: {text}"), err=True)
