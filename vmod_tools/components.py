r"""Components of a build file by path: ours, for people, and VASSAL's own, which extensions use.

Ours: `Map[Main Map]/Board[East]/HexGrid`, read from the root downwards:

    path = [ step { "/" step } ] ;                       the empty path is the root
    step = kind [ "[" name "]" ] [ "[#" number "]" ] ;   `]`, `\` and a first `#` of a name get a `\`

A step names what stands below the one before it: among the children if one fits, else anywhere below.
Folders and the BoardPicker are looked through.  Where several fit, `[#2]` is the second of them in
document order; without a number that is an error, never a guess.

VASSAL's: `VASSAL.build.module.PieceWindow:Pieces/VASSAL.build.widget.PieceSlot:1st Inf`.

Source: tools/ComponentPathBuilder.java; vassal-format.md section 9.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lxml import etree

from vmod_tools.buildfile import FOLDERS, Component
from vmod_tools.errors import BuildFileError
from vmod_tools.sequence import Sequence

TRANSPARENT = FOLDERS | {"BoardPicker"}
SLOTS = ("PieceSlot", "CardSlot")
PROTOTYPES = ("PrototypeDefinition",)

_STEP = re.compile(
    r"(?P<kind>[^\[\]/@\\]+)(?P<name>\[(?!\#\d+\])(?:[^\]\\]|\\.)*\])?(?:\[\#(?P<number>\d+)\])?"
)
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: `name` None fits any name, `number` counts from 1."""

    kind: str
    name: str | None = None
    number: int | None = None

    def __str__(self) -> str:
        """The step as it is written."""
        name = ""
        if self.name is not None:
            escaped = re.sub(r"([\]\\])", r"\\\1", self.name)
            name = f"[\\{escaped}]" if escaped.startswith("#") else f"[{escaped}]"
        number = "" if self.number is None else f"[#{self.number}]"
        return self.kind + name + number


def parse_path(text: str) -> tuple[Step, ...]:
    """The steps of a path; raises BuildFileError (BUILDFILE_PATH)."""
    steps, at = _steps(text)
    if at != len(text):
        raise _bad_path(text, at)
    return steps


def parse_attribute(text: str) -> tuple[tuple[Step, ...], str, str]:
    """Path, attribute and value of `PATH@name=value`; raises BuildFileError."""
    steps, at = _steps(text)
    name, equals, value = text[at + 1 :].partition("=")
    if text[at : at + 1] != "@" or not equals or not re.fullmatch(r"[^\s=<>\"'/&]+", name):
        raise _bad_path(text, at)
    return steps, name, value


def format_path(steps: Iterable[Step]) -> str:
    """The text of a path."""
    return "/".join(map(str, steps))


def _steps(text: str) -> tuple[tuple[Step, ...], int]:
    steps: list[Step] = []
    at = 0
    while match := _STEP.match(text, at):
        name, number = match["name"], match["number"]
        steps.append(
            Step(
                match["kind"],
                None if name is None else _ESCAPED.sub(r"\1", name[1:-1]),
                None if number is None else int(number),
            )
        )
        at = match.end()
        if text[at : at + 1] != "/":
            return tuple(steps), at
        at += 1
    return tuple(steps), at


def _bad_path(text: str, at: int) -> BuildFileError:
    return BuildFileError(
        f"not a component path: {text[:60]!r}, at character {at + 1}", code="BUILDFILE_PATH"
    )


def find(root: Component, path: Iterable[Step]) -> Component:
    """The one component of a path; raises BuildFileError where none or several fit."""
    found = root
    done: list[Step] = []
    for step in path:
        done.append(step)
        fitting = [c for c in _children(found) if _fits(c, step)]
        if not fitting:
            everything = map(Component, found.element.iterdescendants(tag=etree.Element))
            fitting = [c for c in everything if _fits(c, step)]
        if step.number is not None:
            fitting = fitting[step.number - 1 : step.number] if step.number else []
        if not fitting:
            raise BuildFileError(
                "there is no such component", code="BUILDFILE_NO_COMPONENT", place=format_path(done)
            )
        if len(fitting) > 1:
            raise BuildFileError(
                f"{len(fitting)} components fit; a number like [#2] chooses one",
                code="BUILDFILE_AMBIGUOUS",
                place=format_path(done),
            )
        found = fitting[0]
    return found


def path_of(component: Component) -> tuple[Step, ...]:
    """The path that `find` leads to this component; the root's is empty."""
    steps: list[Step] = []
    while (parent := component.element.getparent()) is not None:
        above = Component(parent)
        while above.kind in TRANSPARENT and (over := above.element.getparent()) is not None:
            above = Component(over)
        steps.append(_step_of(component, above))
        component = above
    return tuple(reversed(steps))


def _step_of(component: Component, above: Component) -> Step:
    name = component.name or None
    plain = Step(component.kind, name)
    fitting = [c.element for c in _children(above) if _fits(c, plain)]
    if component.kind in TRANSPARENT:
        # A path may end in what it would look through.
        inside = map(Component, above.element.iterdescendants(tag=etree.Element))
        fitting = [c.element for c in inside if _fits(c, plain)]
    if len(fitting) == 1:
        return plain
    return Step(component.kind, name, fitting.index(component.element) + 1)


def _children(component: Component) -> Iterator[Component]:
    for element in component.element.iterchildren(tag=etree.Element):
        child = Component(element)
        if child.kind in TRANSPARENT:
            yield from _children(child)
        else:
            yield child


def _fits(component: Component, step: Step) -> bool:
    return component.kind == step.kind and (step.name is None or component.name == step.name)


# VASSAL's own paths

VassalPath = tuple[tuple[str, str | None], ...]
"""Class name with its package, and configure name (None: the class has none)."""


def parse_vassal_path(text: str) -> VassalPath:
    """The steps of one of VASSAL's component paths; every text is one, the empty one is the module."""
    if not text:
        return ()
    steps = [Sequence.decode(step, ":").tokens for step in Sequence.decode(text, "/").tokens]
    return tuple((step[0], step[1] if len(step) > 1 else None) for step in steps)


def format_vassal_path(path: VassalPath) -> str:
    """The text of one of VASSAL's component paths."""
    steps = (
        Sequence.of((kind,) if name is None else (kind, name), ":").encode() for kind, name in path
    )
    return Sequence.of(steps, "/").encode() if path else ""


def vassal_path_of(component: Component) -> VassalPath:
    """VASSAL's path of a component."""
    steps: list[tuple[str, str | None]] = []
    element = component.element
    while (parent := element.getparent()) is not None:
        steps.append(_vassal_step(Component(element)))
        element = parent
    return tuple(reversed(steps))


def find_vassal(root: Component, path: VassalPath) -> Component | None:
    """The component that one of VASSAL's paths leads to, or None; of several the first, as in VASSAL.

    A folder may be left out: older modules had none.
    """
    found: Component | None = root
    for step in path:
        inside = _below(found) if found is not None else iter(())
        found = next((c for c in inside if _vassal_step(c) == step), None)
    return found


def _below(component: Component) -> Iterator[Component]:
    direct = [Component(e) for e in component.element.iterchildren(tag=etree.Element)]
    yield from direct
    for child in direct:
        if child.kind in FOLDERS:
            yield from _below(child)


def _vassal_step(component: Component) -> tuple[str, str | None]:
    return str(component.element.tag), component.configure_name
