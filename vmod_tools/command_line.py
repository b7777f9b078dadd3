"""What the `vmod` and `arbiter` commands share: finding files, exit codes, one-line errors.

Exit codes: 0 clean, 1 findings, 2 could not run.  Results go to stdout, errors to stderr.
"""

from __future__ import annotations

import glob
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TextIO, TypeVar

import click

from vmod_tools.archive import Archive
from vmod_tools.errors import InputFileError, VmodError
from vmod_tools.modules import Module
from vmod_tools.show import visible

CLEAN, FINDINGS, FAILED = 0, 1, 2

STANDARD_INPUT = "-"
VASSAL_SUFFIXES = (".vmod", ".vmdx", ".vsav", ".vlog", ".mod", ".mdx", ".sav", ".log")
"""Files that a folder argument stands for."""


def run(command: click.Command, arguments: Iterable[str] | None = None) -> None:
    """Runs a click command and exits: a VmodError is one line on stderr and exit code 2."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _unless_unread(lambda: command.main(given, standalone_mode=False))
    except VmodError as error:
        code = report(error, debug="--debug" in given)
    except click.ClickException as error:
        error.show()
        code = FAILED
    except click.Abort:
        code = FAILED
    sys.exit(code if isinstance(code, int) else CLEAN)


def _unless_unread(command: Callable[[], object]) -> object:
    """What `command` returns, or CLEAN when the reader of our output (`| head`) has gone."""
    stdout = sys.stdout
    try:
        code = command()
        stdout.flush()
    except BrokenPipeError:
        _to_nowhere(stdout)
        return CLEAN
    except SystemExit:
        # click makes an exit code 1 of a broken pipe, and wraps stdout; that code means findings.
        if sys.stdout is stdout:
            raise
        _to_nowhere(stdout)
        return CLEAN
    return code


def _to_nowhere(stream: TextIO) -> None:
    """Lets Python flush the stream at its end without a complaint."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def report(error: VmodError, *, debug: bool = False) -> int:
    """Prints the error and gives its exit code."""
    if debug:
        traceback.print_exception(error)
    click.echo(visible(str(error)), err=True)
    return FAILED


def find_files(
    arguments: Iterable[str], suffixes: tuple[str, ...] = VASSAL_SUFFIXES
) -> Iterator[str]:
    """The files that the arguments name: files, folders, globs and `-`; raises InputFileError."""
    for argument in arguments:
        path = Path(argument)
        if argument == STANDARD_INPUT or path.is_file():
            yield argument
        elif path.is_dir():
            found = sorted(
                p for p in path.rglob("*") if p.suffix.lower() in suffixes and p.is_file()
            )
            if not found:
                raise InputFileError(
                    "no VASSAL file in this folder", code="FILE_NONE", file=argument
                )
            yield from map(str, found)
        else:
            # Path.glob takes no absolute pattern.
            everything = glob.glob(argument, recursive=True)  # noqa: PTH207
            matches = sorted(m for m in everything if Path(m).is_file())
            if not matches:
                raise InputFileError("no such file", code="FILE_MISSING", file=argument)
            yield from matches


def read_file(name: str) -> bytes:
    """The bytes of a file or of standard input; raises InputFileError."""
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except FileNotFoundError:
        raise InputFileError("no such file", code="FILE_MISSING", file=name) from None
    except OSError as error:
        raise InputFileError(
            f"cannot be read: {error.strerror}", code="FILE_READ", file=name
        ) from error


def refuse_input(output: str, *inputs: str | Path) -> None:
    """Raises InputFileError when `output` is one of the inputs: they are never overwritten."""
    target = Path(output).resolve()
    if any(target == Path(name).resolve() for name in inputs):
        raise InputFileError(
            "would be overwritten, and it is an input", code="FILE_INPUT", file=output
        )


def open_module(name: str) -> Module:
    """The module in a file; raises VmodError with the file's name."""
    try:
        return Module.read(Archive.parse(read_file(name)))
    except VmodError as error:
        raise error.located(file=name) from None


def write_file(name: str, data: bytes) -> None:
    """Writes to a temporary name beside the target and moves it into place; raises InputFileError."""
    target = Path(name)
    partial = target.with_name(f".{target.name}.part")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise InputFileError(
            f"cannot be written: {error.strerror}", code="FILE_WRITE", file=name
        ) from error


_F = TypeVar("_F", bound=Callable[..., object])


def common_options(function: _F) -> _F:
    """`--debug` and `--quiet`, which every command takes (read by `run` and by the commands)."""
    function = click.option("--debug", is_flag=True, help="Show a traceback with an error.")(
        function
    )
    return click.option("--quiet", is_flag=True, help="Say nothing that is not a result.")(function)
