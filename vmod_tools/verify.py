"""`vmod verify`: takes a file apart to the last token and puts it together from the parts alone.

A file is *exact* when the archive's own bytes, the hidden text, the command tree, the fields of every
command and every level and token of every piece come out as they went in, with no source text used.
What VASSAL itself would call malformed is reported and kept byte for byte; that is no failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from vmod_tools.archive import Archive
from vmod_tools.buildfile import BUILD_FILES, parse_xml
from vmod_tools.commands.kinds import ADD, CHANGE, LOG, kind_of, parse_command
from vmod_tools.commands.tree import encode_tree, leaves, parse_tree
from vmod_tools.envelope import encode
from vmod_tools.errors import ArchiveError, LimitError, VmodError
from vmod_tools.limits import COMMAND_LINE, Limits
from vmod_tools.pieces import Piece, encode_chain, parse_chain
from vmod_tools.saves import SAVED_GAME, read_text
from vmod_tools.traits import Trait

_SLOTS = ("PieceSlot", "CardSlot", "PrototypeDefinition")


@dataclass
class Verification:
    """The outcome for one file: `inexact` names the layers that differ, `malformed` what is broken."""

    file: str
    inexact: list[str] = field(default_factory=list)
    malformed: list[str] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)

    @property
    def exact(self) -> bool:
        """Whether every layer came out as it went in."""
        return not self.inexact

    def compare(self, layer: str, again: object, source: object) -> None:
        """Counts a check of `layer` and notes a difference."""
        self.checked[layer] += 1
        if again != source:
            self.inexact.append(layer)


def verify(
    data: bytes, file: str, limits: Limits = COMMAND_LINE, *, members: bool = True
) -> Verification:
    """The verification of one VASSAL file and, with `members`, of the setups inside a module.

    Raises ArchiveError when it is none, and LimitError when a part is too large to be looked at.
    """
    result = Verification(file)
    archive = Archive.parse(data, limits)
    result.compare("archive", archive.to_bytes() == data, True)
    names = archive.names()
    if SAVED_GAME not in names and not any(name in names for name in BUILD_FILES):
        raise ArchiveError("neither a savedGame nor a buildFile is in it", code="NOT_VASSAL")
    for entry in archive.entries:
        try:
            content = archive.read(entry)
            if entry.name == SAVED_GAME:
                _verify_text(result, content, limits)
            elif entry.name in BUILD_FILES:
                _verify_build_file(result, content, entry.name)
            elif members and entry.name.endswith((".vsav", ".vlog")):
                _verify_member(result, content, entry.name, limits)
        except LimitError:
            raise
        except VmodError as error:
            result.malformed.append(str(error.located(file=file, place=entry.name)))
    return result


def _verify_member(result: Verification, content: bytes, name: str, limits: Limits) -> None:
    """A predefined setup inside a module.  It has no such members itself, whatever it holds."""
    inner = verify(content, f"{result.file}!{name}", limits, members=False)
    result.inexact += [f"{name}: {layer}" for layer in inner.inexact]
    result.malformed += inner.malformed
    result.checked += inner.checked


def _verify_text(result: Verification, content: bytes, limits: Limits) -> None:
    envelope, text, _ = read_text(content)
    plain = text.encode("utf-8", "surrogateescape")
    result.compare("hidden form", encode(envelope, plain), content)
    tree = parse_tree(text, limits.depth)
    result.compare("command tree", encode_tree(tree), text)
    for number, leaf in enumerate(leaves(tree), 1):
        command_text = leaf.removeprefix(LOG.prefix)
        try:
            _verify_command(result, command_text)
        except VmodError as error:
            result.malformed.append(str(error.located(file=result.file, place=f"command {number}")))


def _verify_command(result: Verification, text: str) -> None:
    kind = kind_of(text)
    command = parse_command(text)
    result.compare(f"{kind.name} command", command.encode(), text)
    if kind is ADD:
        piece = Piece.decode(command["id"], command["type"], command["state"])
        _verify_type(result, command["type"])
        result.compare("state", encode_chain(piece.state_chain), command["state"])
        problem = piece.depth_problem()
        if problem is not None:
            raise problem
        _verify_states(result, piece)
    elif kind is CHANGE:
        for name in ("state", "old_state"):
            state = command.get(name)
            if state is not None:
                result.compare("state", encode_chain(parse_chain(state)), state)


def _verify_type(result: Verification, text: str) -> None:
    """Each distinct type is taken apart once; real saves repeat a few hundred of them."""
    exact, traits = _type_is_exact(text)
    result.checked["trait"] += traits
    result.compare("type", exact, True)


@lru_cache(maxsize=65_536)
def _type_is_exact(text: str) -> tuple[bool, int]:
    chain = parse_chain(text)
    exact = encode_chain(chain) == text
    for level in chain:
        exact = exact and Trait.decode(level.text).type_text() == level.text
    return exact, len(chain)


def _verify_states(result: Verification, piece: Piece) -> None:
    for trait in piece.traits():
        if trait.kind.state_delimiter:
            result.compare("trait state", trait.state_fields().encode(), trait.state)


def _verify_build_file(result: Verification, content: bytes, name: str) -> None:
    for line, text in _slot_texts(content, name):
        try:
            _verify_command(result, text)
        except VmodError as error:
            result.malformed.append(
                str(error.located(file=result.file, place=f"{name} line {line}"))
            )


def _slot_texts(content: bytes, name: str) -> Iterator[tuple[int, str]]:
    root = parse_xml(content, name)
    for element in root.iter("{*}*"):
        if str(element.tag).rpartition(".")[2] in _SLOTS:
            yield element.sourceline or 0, element.text or ""
