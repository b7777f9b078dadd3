"""Problems of a map document: all of them are found, and they are reported as one error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from vmod_tools.errors import MapError


class Problem(NamedTuple):
    """What is wrong with the element of a line; `line` counts nodes where a document is JSON."""

    code: str
    message: str
    line: int


class MapDocumentError(MapError):
    """The first problem of a document, which says how many more there are; `problems` holds them all."""

    def __init__(self, problems: Sequence[MapError]) -> None:
        first, more = problems[0], len(problems) - 1
        super().__init__(
            first.message + (f" (and {more} more)" if more else ""),
            code=first.stable_code,
            file=first.file,
            place=first.place,
            field=first.field,
        )
        self.problems = tuple(problems)


def line_place(line: int) -> str:
    """The place of an error as the XML form gives it."""
    return f"line {line}" if line else ""


def to_errors(
    problems: Iterable[Problem], place: Callable[[int], str] = line_place
) -> list[MapError]:
    """Problems as errors in the order of the document."""
    return [
        MapError(problem.message, code=problem.code, place=place(problem.line))
        for problem in sorted(problems, key=lambda problem: problem.line)
    ]
