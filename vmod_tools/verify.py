"""`vmod verify`: takes a file apart to the last token and puts it together from the parts alone.

A file is *exact* when the archive's own bytes, the hidden text, the command tree, the fields of every
command and every level and token of every piece come out as they went in, with no source text used.
What VASSAL itself would call malformed is reported and kept byte for byte; that is no failure.  Every
trait's type and state are held against the table of traits as well, and every command against its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from vmod_tools.archive import Archive
from vmod_tools.buildfile import BUILD_FILES, parse_xml
from vmod_tools.commands.kinds import ADD, CHANGE, LOG, Command, parse_command
from vmod_tools.commands.tree import encode_tree, leaves, parse_tree
from vmod_tools.envelope import encode
from vmod_tools.errors import ArchiveError, LimitError, VmodError
from vmod_tools.limits import COMMAND_LINE, Limits
from vmod_tools.pieces import Piece, encode_chain, parse_chain
from vmod_tools.saves import SAVED_GAME, read_text
from vmod_tools.traits import KINDS, PLACERS, Trait
from vmod_tools.values.codec import SECRET
from vmod_tools.values.layout import FieldProblem, Layout

_SLOTS = ("PieceSlot", "CardSlot", "PrototypeDefinition")
TYPES, STATES = "trait type against its table", "trait state against its table"
"""What `Verification.checked` counts of the traits that the table lists, each as often as it occurs."""


@dataclass
class Verification:
    """The outcome for one file: `inexact` names the layers that differ, `malformed` what is broken."""

    file: str
    inexact: list[str] = field(default_factory=list)
    malformed: list[str] = field(default_factory=list)
    """One line for each thing, with the first place; a thing that is wrong in many pieces is one."""
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
    commands = (leaf.removeprefix(LOG.prefix) for leaf in leaves(tree))
    _verify_commands(result, ((f"command {n}", text) for n, text in enumerate(commands, 1)))


def _verify_commands(result: Verification, commands: Iterable[tuple[str, str]]) -> None:
    findings = _Findings(result)
    for place, text in commands:
        _verify_command(findings, text, place)
    findings.tell()


class _Findings:
    """What is malformed in one text; equal findings are counted, and told with their first place."""

    def __init__(self, result: Verification) -> None:
        self.result = result
        self.types: dict[str, str] = {}
        """The type of each piece that was added, for the states in changes of it."""
        self._first: dict[tuple[str, ...], VmodError] = {}
        self._times: Counter[tuple[str, ...]] = Counter()

    def add(self, error: VmodError, place: str) -> None:
        """Notes an error; those of a piece's depth name the piece, and are told one by one."""
        key = (error.stable_code, error.field, error.message)
        self._first.setdefault(key, error.located(file=self.result.file, place=place))
        self._times[key] += 1

    def tell(self) -> None:
        """Puts the findings into the result, in the order in which they were met."""
        for key, error in self._first.items():
            times = self._times[key]
            self.result.malformed.append(str(error) + (f" ({times} times)" if times > 1 else ""))


def _verify_command(findings: _Findings, text: str, place: str) -> None:
    try:
        command = parse_command(text)
        findings.result.compare(f"{command.kind.name} command", command.encode(), text)
        for problem in command.problems():
            findings.add(
                _error(problem, f"the {command.kind.name} command", "COMMAND_FIELD"), place
            )
        _verify_pieces(findings, command, place)
    except VmodError as error:
        findings.add(error, place)


def _verify_pieces(findings: _Findings, command: Command, place: str) -> None:
    result = findings.result
    if command.kind is ADD:
        piece = Piece.decode(command["id"], command["type"], command["state"])
        findings.types[command["id"]] = command["type"]
        _verify_type(findings, command["type"], place)
        result.compare("state", encode_chain(piece.state_chain), command["state"])
        _verify_states(findings, piece, place)
        problem = piece.depth_problem()
        if problem is not None:
            raise problem
    elif command.kind is CHANGE:
        type_text = findings.types.get(command["id"])
        for name in ("state", "old_state"):
            state = command.get(name)
            if state is not None:
                result.compare("state", encode_chain(parse_chain(state)), state)
            if state is not None and type_text is not None:
                _verify_states(findings, Piece.decode(command["id"], type_text, state), place)


def _error(problem: FieldProblem, what: str, code: str) -> VmodError:
    message = f"{what} has a {problem.fault} field: {problem.message}"
    return VmodError(message, code=code, field=problem.field)


def _verify_type(findings: _Findings, text: str, place: str) -> None:
    """Each distinct type is taken apart once; real saves repeat a few hundred of them."""
    result = findings.result
    facts = _facts_of(text)
    result.checked["trait"] += facts.traits
    result.checked[TYPES] += facts.listed
    result.compare("type", facts.exact, True)
    for prefix, problem in facts.problems:
        findings.add(_error(problem, f"the type of {prefix}", "TRAIT_TYPE"), place)


@dataclass(frozen=True, slots=True)
class _TypeFacts:
    exact: bool
    traits: int
    listed: int
    problems: tuple[tuple[str, FieldProblem], ...]


@lru_cache(maxsize=65_536)
def _facts_of(text: str) -> _TypeFacts:
    chain = parse_chain(text)
    traits = [Trait.decode(level.text) for level in chain]
    exact = encode_chain(chain) == text and all(
        trait.type_text() == level.text for trait, level in zip(traits, chain, strict=True)
    )
    problems = [(t.kind.prefix, problem) for t in traits for problem in t.type_problems()]
    listed = sum(t.kind.prefix in KINDS for t in traits)
    count = len(chain)
    for inner in map(_type_inside, traits):
        if inner is not None:
            facts = _facts_of(inner)
            count, listed = count + facts.traits, listed + facts.listed
            exact = exact and facts.exact
            problems += facts.problems
    return _TypeFacts(exact, count, listed, tuple(problems))


def _type_inside(trait: Trait) -> str | None:
    """The type of the piece that a Place Marker or Replace holds, unless it names a slot or is cut short."""
    text = trait.tokens[2] if trait.kind in PLACERS and len(trait.tokens) > 2 else ""
    try:
        command = parse_command(text)
    except VmodError:
        return None
    return command["type"] if command.kind is ADD else None


def _verify_states(findings: _Findings, piece: Piece, place: str) -> None:
    result = findings.result
    levels = len(piece.state_chain)
    for number, trait in enumerate(piece.traits()):
        if trait.kind.state_delimiter:
            result.compare("trait state", trait.state_fields().encode(), trait.state)
        if trait.kind.prefix not in KINDS or number >= levels:
            continue
        result.checked[STATES] += 1
        for problem in _state_problems(trait):
            what = f"the state of {trait.kind.prefix}"
            findings.add(_error(problem, what, "TRAIT_STATE"), place)


def _state_problems(trait: Trait) -> Iterable[FieldProblem]:
    layout = trait.kind.state_layout_for(trait.tokens) or Layout()
    if any(f.kind in SECRET for f in layout.fixed):
        # It may hold a password, which nothing must remember.
        return trait.state_problems()
    return _problems_of(trait.type_text(), trait.state)


@lru_cache(maxsize=65_536)
def _problems_of(type_text: str, state: str) -> tuple[FieldProblem, ...]:
    return tuple(Trait.decode(type_text, state).state_problems())


def _verify_build_file(result: Verification, content: bytes, name: str) -> None:
    slots = _slot_texts(content, name)
    _verify_commands(result, ((f"{name} line {line}", text) for line, text in slots))


def _slot_texts(content: bytes, name: str) -> Iterator[tuple[int, str]]:
    root = parse_xml(content, name)
    for element in root.iter("{*}*"):
        if str(element.tag).rpartition(".")[2] in _SLOTS:
            yield element.sourceline or 0, element.text or ""
