"""The one error family of vmod_tools.

Bad input is reported as a `VmodError` leaf that carries its place (file, then entry, step or line,
then field), a sentence and a stable code; `str()` is the one-line form that both commands print:
``file:step:field: message [CODE]``.  Layers that know only a part of the place raise with what they
know; `located` adds the rest on the way up, so that no layer has to pass names down.

Never put file content that could hold a password (PLAYER, M/, hide, obs, restrict) in a message.
"""

from __future__ import annotations

from typing import ClassVar, Self


class VmodError(Exception):
    """Input that cannot be read, built or judged; never a programming error."""

    code: ClassVar[str] = "INPUT"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        file: str = "",
        place: str = "",
        field: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.stable_code = code or type(self).code
        self.file = file
        self.place = place
        self.field = field

    def located(self, *, file: str = "", place: str = "", field: str = "") -> Self:
        """The same error with the unknown parts of its place filled in; known parts stay."""
        self.file = self.file or file
        self.place = self.place or place
        self.field = self.field or field
        return self

    def __str__(self) -> str:
        where = ":".join(part for part in (self.file, self.place, self.field) if part)
        return (
            f"{where}: {self.message} [{self.stable_code}]"
            if where
            else f"{self.message} [{self.stable_code}]"
        )


class InputFileError(VmodError):
    """The file itself: missing, unreadable, not writable."""

    code = "FILE"


class ArchiveError(VmodError):
    """Not a zip archive, or a damaged one; the place is the entry."""

    code = "ARCHIVE"


class EnvelopeError(VmodError):
    """A `savedGame` whose hiding cannot be undone."""

    code = "ENVELOPE"


class CommandError(VmodError):
    """A command with fields missing or of the wrong kind; the place is its number."""

    code = "COMMAND"


class PieceError(VmodError):
    """A type or state chain that does not hold together."""

    code = "PIECE"


class BuildFileError(VmodError):
    """A build file or metadata document that cannot be read; the place is a line or a path."""

    code = "BUILDFILE"


class MapError(VmodError):
    """A map document that is not well-formed, not valid, or contradicts itself; the place is a line."""

    code = "MAP"


class SaveXmlError(VmodError):
    """An XML form that is not well-formed, not valid, or says what no file can hold; the place is a line."""

    code = "SAVEXML"


class LimitError(VmodError):
    """A named limit was passed (see `vmod_tools.limits`)."""

    code = "LIMIT"
