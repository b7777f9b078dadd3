"""The `vmod` command's root; each module beside this one adds its commands to it."""

from __future__ import annotations

import click

from vmod_tools.show import json_text


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vassal-arbiter", prog_name="vmod")
def cli() -> None:
    """Read, check, build and take apart VASSAL modules, saves and logs."""


def print_json(data: object) -> None:
    """Prints data as JSON."""
    click.echo(json_text(data, indent=1))
