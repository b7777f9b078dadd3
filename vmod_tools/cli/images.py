"""`vmod images`: what a module's images come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from vmod_tools.archive import Archive
from vmod_tools.cli.root import cli, print_json
from vmod_tools.command_line import CLEAN, FINDINGS, common_options, read_file
from vmod_tools.errors import VmodError
from vmod_tools.images.inventory import Inventory, MissingImage, take_inventory
from vmod_tools.show import visible

_MIB = 1 << 20


@cli.command(name="images")
@click.argument("module_name", metavar="MODULE")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@common_options
def images_command(module_name: str, form: str, *, quiet: bool, debug: bool) -> int:
    """List the images of MODULE that are missing, unused, no images, or there twice, and their sizes.

    The exit code is 1 when an image is missing (one that is there in other letter case is missing, too).
    """
    try:
        inventory = take_inventory(Archive.parse(read_file(module_name)))
    except VmodError as error:
        raise error.located(file=module_name) from None
    if form == "json":
        print_json({"file": module_name, **_data(inventory)})
    else:
        for line in _lines(inventory, quiet=quiet):
            click.echo(visible(line))
    return FINDINGS if inventory.missing or inventory.wrong_case else CLEAN


def _data(inventory: Inventory) -> dict[str, Any]:
    data = asdict(inventory)
    data["images"] = [
        {**shown, "memory": image.memory}
        for shown, image in zip(data["images"], inventory.images, strict=True)
    ]
    data["totals"] = {
        "images": len(inventory.images),
        "bytes": sum(i.bytes for i in inventory.images),
        "memory": sum(i.memory for i in inventory.images),
    }
    return data


def _lines(inventory: Inventory, *, quiet: bool) -> Iterator[str]:
    for lost in inventory.missing:
        yield f"missing: {_told(lost)}"
    for lost in inventory.wrong_case:
        yield f"wrong case: {_told(lost)}; there is {lost.actual}"
    for name in inventory.not_images:
        yield f"not an image: {name}"
    for name in inventory.unused:
        yield f"unused: {name}"
    for names in inventory.duplicates:
        yield f"the same content: {', '.join(names)}"
    if quiet:
        return
    for caution in inventory.cautions:
        yield f"caution: {caution}"
    for image in sorted(inventory.images, key=lambda i: (-i.memory, i.name)):
        if image.width:
            yield (
                f"{image.name}: {image.width}×{image.height}, {image.bytes} bytes,"
                f" {image.memory / _MIB:.1f} MiB of memory"
            )
    memory = sum(i.memory for i in inventory.images) / _MIB
    size = sum(i.bytes for i in inventory.images)
    yield f"{len(inventory.images)} images, {size} bytes, {memory:.1f} MiB of memory"


def _told(image: MissingImage) -> str:
    more = image.references - len(image.places)
    return f"{image.name} ({'; '.join(image.places)}{f'; and {more} more' if more > 0 else ''})"
