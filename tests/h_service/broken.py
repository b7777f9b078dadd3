"""Files that cannot be judged, each broken in one way, and what both doors say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.h_service.material import log_data
from tests.support import crafted

NAME = "Denmark and the Skagerrak"
SECRET = "hush-77"  # noqa: S105  # a player's password in the broken logs


@dataclass(frozen=True)
class Broken:
    """A file, the code and status of its error, and the place inside it."""

    data: bytes
    code: str
    status: int
    place: str = ""


def _hidden(text: str) -> bytes:
    return crafted.hidden(text)


def _save(*more: str) -> str:
    return crafted.save_text(crafted.piece("1", 1, 1), rest=[f"PLAYER\t{SECRET}\tx\tGerman", *more])


def broken_logs() -> Mapping[str, Broken]:
    """By what is wrong."""
    whole = _hidden(_save())
    digit = whole[:40] + b"g" + whole[41:]
    short = crafted.log_text(_save(), crafted.step("M/1/Main Map/3"))
    wrong_number = crafted.log_text(_save(), crafted.step("M/1/Main Map/x/3/null/a/0/0/null/p"))
    return {
        "not a zip": Broken(b"PK no archive", "ARCHIVE_NOT_ZIP", 415),
        "empty file": Broken(b"", "ARCHIVE_NOT_ZIP", 415),
        "zip cut in the middle": Broken(log_data("aalborg")[:5000], "ARCHIVE_NOT_ZIP", 415),
        "zip without savedGame": Broken(crafted.zip_of({"readme": "x"}), "NOT_A_SAVE", 415),
        "savedGame cut inside a byte": Broken(crafted.game(whole[:-101]), "ENVELOPE_ODD", 415),
        "savedGame cut inside a command": Broken(
            crafted.game(whole[:-100], module=NAME), "SAVE_TRUNCATED", 422
        ),
        "bad hex digit": Broken(crafted.game(digit), "ENVELOPE_HEX", 415),
        "unknown magic": Broken(crafted.game(b"!QQQQ" + whole[5:]), "ENVELOPE_UNKNOWN", 415),
        "command cut short": Broken(
            crafted.game(short, module=NAME), "COMMAND_SHORT", 422, "step 1:y"
        ),
        "number that is none": Broken(
            crafted.game(wrong_number, module=NAME), "COMMAND_NUMBER", 422, "step 1:x"
        ),
        "module of another name": Broken(
            crafted.game(_save(), module="Tannenberg"), "MODULE_MISMATCH", 422
        ),
    }


def broken_modules() -> Mapping[str, Broken]:
    """Files given as the module."""
    other_map = crafted.module(crafted.map_window("Elsewhere"), name=NAME)
    return {
        "not a zip": Broken(b"PK no archive", "ARCHIVE_NOT_ZIP", 415),
        "a log": Broken(log_data("aalborg"), "NOT_A_MODULE", 415),
        "build file cut short": Broken(
            crafted.zip_of({"buildFile.xml": "<VASSAL.build.GameModule>"}), "BUILDFILE_XML", 415
        ),
        "another map": Broken(other_map, "MAP_WINDOW", 422),
    }
