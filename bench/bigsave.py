"""Makes a large save of real shapes: pieces of real saves, each with an id of its own."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from vmod_tools.archive import Archive, new_archive
from vmod_tools.commands.kinds import ADD, parse_command
from vmod_tools.commands.tree import ESC, leaves
from vmod_tools.envelope import Envelope, encode
from vmod_tools.saves import Save
from vmod_tools.sequence import Sequence

_SEED = 7


def piece_commands(saves: Iterable[Path]) -> list[str]:
    """The AddPiece commands of saves: the shapes to vary."""
    found = []
    for path in saves:
        save = Save.read(Archive.parse(path.read_bytes()))
        found += [
            x for tree in save.start_commands for x in leaves(tree) if x.startswith(ADD.prefix)
        ]
    return found


def big_save(shapes: list[str], plain_bytes: int) -> bytes:
    """A save of about `plain_bytes` of plain text, as a file.  The same arguments give the same bytes."""
    # Nothing here is secret: the seed makes the choice of shapes repeatable.
    chance = random.Random(_SEED)  # noqa: S311
    commands, size, number = [], 0, 1_700_000_000_000
    while size < plain_bytes:
        number += 1
        command = parse_command(chance.choice(shapes))
        quoted = command.fields.quoted if isinstance(command.fields, Sequence) else frozenset()
        fields = Sequence("/", (str(number), command["type"], command["state"]), quoted)
        commands.append(ADD.prefix + fields.encode())
        size += len(commands[-1]) + 2
    pieces = Sequence.of(["", *commands], ESC).encode()
    rest = [
        "Main MapBoardPicker\tMap\t0\t0",
        "PLAYER\tnobody\tBob\tBlue",
        "SETUP_STACK\t",
        "end_save",
    ]
    text = Sequence.of(["begin_save", "", pieces, *rest], ESC).encode()
    return new_archive(
        {"savedGame": encode(Envelope("VCSK", 0x5A, "lower"), text.encode())}
    ).to_bytes()
