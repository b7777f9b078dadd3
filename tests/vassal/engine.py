"""Asks the real VASSAL engine, through the harness in tests/vassal/oracle.

`Engine.find()` gives an `Engine`, or None where it cannot run; `Engine.why_not()` says why.
`Engine.run` starts a JVM for one question (about 1.5 s).  `Engine.serve` keeps a JVM for one
module and answers many questions in milliseconds; `Engine.shared` shares such JVMs between tests.

An answer is the harness's JSON object.  Its `ok` is not "correct", and `clean` is stricter: the
README of the harness says what to look at.  What gets no usable answer raises an `EngineError`
that carries the tail of the engine's stderr.  Deliberately not here: anything of the product, so
that the second opinion stays one.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = Path(__file__).parent / "oracle" / "vassal-oracle"
CHECK_SECONDS = 120.0  # compiling the harness takes 3 s
START_SECONDS = 120.0  # a JVM is up in 1.5 s; large modules on a busy machine need more
ASK_SECONDS = 120.0
GRACE_SECONDS = 10.0  # the harness itself kills a JVM 5 s after asking it to end
SERVE_SECONDS = 24 * 3600.0  # of a JVM; each request has its own, shorter limit
STDERR_LINES = 40

Answer = dict[str, Any]
"""What the engine said; the shape below the first level depends on the verb."""

Argument = str | int | Path | Mapping[str, Any] | Sequence[Any]
"""A word of the request.  A mapping or a list travels as JSON text: scripts and lists of points."""

Option = str | int | Path | Sequence[str]


class EngineError(Exception):
    """The engine gave no usable answer."""

    def __init__(self, message: str, stderr: str = "") -> None:
        tail = f"\n--- the engine's stderr, last lines:\n{stderr}" if stderr else ""
        super().__init__(message + tail)
        self.stderr = stderr


class EngineRefusedError(EngineError):
    """The engine answered, but not with `ok`, or a step of the script failed."""

    def __init__(self, asked: str, answer: Answer, stderr: str = "") -> None:
        reasons = [step["error"] for step in _steps(answer) if "error" in step]
        complaints = ("exception", "bugs", "engineLog", "undecoded")
        reasons += [f"{key}: {answer[key]}" for key in complaints if answer.get(key)]
        super().__init__(f"{asked}: refused: {'; '.join(reasons) or answer}", stderr)
        self.answer = answer


class EngineTimeoutError(EngineError, TimeoutError):
    """The engine did not answer in time; its JVM was ended."""


class Engine:
    """The harness on this machine."""

    def __init__(self) -> None:
        self._shared: dict[Path, Session] = {}

    @staticmethod
    def why_not() -> str | None:
        """The reason why the engine cannot run here, or None.  Compiles the harness if need be."""
        try:
            check = subprocess.run(
                [COMMAND, "check"],
                capture_output=True,
                text=True,
                timeout=CHECK_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as exc:
            return str(exc)
        return None if check.returncode == 0 else "; ".join(check.stderr.split("\n")).strip("; ")

    @classmethod
    def find(cls) -> Engine | None:
        """The engine, or None where `why_not` has a reason."""
        return None if cls.why_not() else cls()

    def run(
        self,
        verb: str,
        *args: Argument,
        timeout: float = START_SECONDS,
        must: bool = True,
        **options: Option,
    ) -> Answer:
        """The answer of a JVM of its own; `args` begin with the module.

        `all_props=True` is `--all-props`, `from_=log` is `--from=log`.  With `must=False` an answer that is not `ok` is returned
        too; otherwise it raises `EngineRefusedError`.
        """
        words = [verb, *map(_word, args), *_as_words(options)]
        asked = _clipped(*words)
        process = _Process(words, timeout)
        try:
            return process.answer(asked, timeout, must=must)
        finally:
            process.close()

    @contextmanager
    def serve(self, module: Path, **options: Option) -> Iterator[Session]:
        """A JVM that holds `module`, ended on leaving; `options` are the defaults of requests."""
        session = Session(module, options)
        try:
            yield session
        finally:
            session.close()

    def shared(self, module: Path) -> Session:
        """The one JVM for `module` that all tests share; it ends with the engine.

        Each request begins a game of its own, so tests do not see one another's.
        """
        module = module.resolve()
        known = self._shared.get(module)
        if known is None or known.closed:
            known = self._shared[module] = Session(module, {})
        return known

    def close(self) -> None:
        """Ends every JVM that `shared` started."""
        while self._shared:
            self._shared.popitem()[1].close()


class Session:
    """One JVM with one module.  A request that runs out of time ends it."""

    def __init__(self, module: Path, options: Mapping[str, Option]) -> None:
        self.module = module
        self._process = _Process(["serve", str(module), *_as_words(options)], SERVE_SECONDS)
        try:
            self._process.answer(f"serve {module}", START_SECONDS, must=True)
        except EngineError:
            self.close()
            raise

    @property
    def closed(self) -> bool:
        """Whether the JVM is gone."""
        return self._process.gone

    def ask(
        self,
        verb: str,
        *args: Argument,
        timeout: float = ASK_SECONDS,
        must: bool = True,
        **options: Option,
    ) -> Answer:
        """The answer to one request, as `Engine.run`; `args` do not name the module."""
        words = [*map(_word, args)]
        request = {"verb": verb, "args": words, "options": _spelled(options)}
        asked = f"{self.module.name}: {_clipped(verb, *words, *_as_words(options))}"
        self._process.say(asked, json.dumps(request, ensure_ascii=False))
        return self._process.answer(asked, timeout, must=must)

    def close(self) -> None:
        """Ends the JVM; once more does nothing."""
        self._process.close()


def _steps(answer: Answer) -> list[Answer]:
    steps: list[Answer] = answer.get("steps", [])
    return steps


def _word(value: Argument) -> str:
    if isinstance(value, str | int | Path):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _spelled(options: Mapping[str, Option]) -> dict[str, str]:
    """Python's spelling to the harness's: `all_props=True` is all-props=true, `from_` is from."""
    given: dict[str, str] = {}
    for key, value in options.items():
        if isinstance(value, bool):
            text = "true" if value else "false"
        elif isinstance(value, str | int | Path):
            text = str(value)
        else:
            text = ",".join(value)
        given[key.rstrip("_").replace("_", "-")] = text
    return given


def _as_words(options: Mapping[str, Option]) -> list[str]:
    return [f"--{key}={value}" for key, value in _spelled(options).items()]


def _clipped(*words: str) -> str:
    text = " ".join(words)
    return text if len(text) <= 300 else f"{text[:300]}..."


class _Process:
    """The harness as a child: lines in, lines out, nothing left behind.

    It leads a process group of its own (shell, JVM, Xvfb), which is ended as one; its temporary
    files lie in a folder of ours, which goes even if it was killed.
    """

    def __init__(self, words: list[str], seconds: float) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="vassal-", ignore_cleanup_errors=True)
        # the harness's own limit is a second fence, for the case that this interpreter dies
        limit = str(int(seconds) + 10)
        self._child = subprocess.Popen(
            [COMMAND, *words, "--json=compact"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "TMPDIR": self._folder.name, "ORACLE_TIMEOUT": limit},
            start_new_session=True,
        )
        assert self._child.stdin
        assert self._child.stdout
        assert self._child.stderr
        self._stdin: IO[str] = self._child.stdin
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._readers = [
            threading.Thread(target=self._read, args=(self._child.stdout,), daemon=True),
            threading.Thread(target=self._drain, args=(self._child.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stdout: IO[str]) -> None:
        with stdout:
            for line in stdout:
                self._lines.put(line)
        self._lines.put(None)

    def _drain(self, stderr: IO[str]) -> None:
        with stderr:
            self._stderr.extend(stderr)

    @property
    def gone(self) -> bool:
        return self._child.poll() is not None

    def stderr_tail(self) -> str:
        return "".join(self._stderr.copy()).rstrip()

    def say(self, asked: str, line: str) -> None:
        try:
            self._stdin.write(line + "\n")
            self._stdin.flush()
        except (OSError, ValueError) as exc:  # ValueError: closed
            self.close()
            raise EngineError(f"{asked}: the engine is gone: {exc}", self.stderr_tail()) from exc

    def answer(self, asked: str, seconds: float, *, must: bool) -> Answer:
        """The next line of stdout, read as JSON."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            self._end(by=signal.SIGTERM)
            message = f"{asked}: no answer within {seconds:g} s, so the engine was ended"
            raise EngineTimeoutError(message, self.stderr_tail()) from None
        if line is None:
            self.close()
            message = f"{asked}: the engine ended with exit code {self._child.returncode}"
            raise EngineError(f"{message} and without an answer", self.stderr_tail())
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise EngineError(f"{asked}: not a JSON object: {line[:300]!r}", self.stderr_tail())
        if must and (answer.get("ok") is not True or any("error" in s for s in _steps(answer))):
            raise EngineRefusedError(asked, answer, self.stderr_tail())
        return answer

    def close(self) -> None:
        """Ends it politely by the end of its input, and by force if it does not listen."""
        with suppress(OSError):  # a last line that it no longer reads
            self._stdin.close()
        self._end(by=None)

    def _end(self, by: signal.Signals | None) -> None:
        for step in (by, signal.SIGTERM, signal.SIGKILL):
            if step is not None and not self.gone:
                os.killpg(self._child.pid, step)
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(GRACE_SECONDS)
                break
        for reader in self._readers:
            reader.join(GRACE_SECONDS)
        with suppress(OSError):
            self._stdin.close()
        self._folder.cleanup()
