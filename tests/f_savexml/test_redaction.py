"""`--redact`: no id or password is left, who is who stays, and the file still loads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crafted import (
    add,
    basic_state,
    chain,
    change,
    game,
    hidden,
    log_text,
    move,
    piece,
    save_text,
    seq,
    step,
    zip_of,
)
from vmod_tools.archive import Archive
from vmod_tools.errors import SaveXmlError
from vmod_tools.logs import Log
from vmod_tools.saves import SAVED_GAME, read_text
from vmod_tools.savexml import from_xml, to_xml

ANN, BOB, CARL = "s3cret-ann", "s3cret bob", "s3cret/carl"
HIDE, MASK = "hide;73,130;Hide;;player:;0.3", "obs;77,130;back.png;Mask;I;?;player:;Peek"
MASKED = f"{BOB};" + seq("|", "true", "2", ANN, CARL)
START = save_text(
    piece("1", 5, 6, (HIDE, ANN), (MASK, MASKED), ("restrict;Red;true", CARL), ("mark;Side", "Red")),
    piece("2", 5, 6, ("hide;73,130;Hide;;side:;0.3", "Blue"), ("conceal;x", f"a;{BOB}")),
    piece("3", 5, 6, (MASK, "nobody;"), (HIDE, "null")),
    rest=[
        f"PLAYER\t{BOB}\tBob\tBlue",
        f"PLAYER\t{ANN}\tAnn\tRed",
        f"PYREMOVE\t{CARL}",
        f"PNOTE\t{ANN}\tprivate",
        f"SNOTE\tname\t{BOB}\ttrue\ttext\tdate\thandle",
        f"UNMASK\t{ANN}\t{BOB}",
        f"LOCKSPOTAB\ttab\t{ANN}\thunter2hunter2\tdate",
        f"INFO\tx\t{BOB}",
    ],
)  # fmt: skip
HIDDEN = chain(ANN, MASKED, CARL, "Red", basic_state(7, 8))
TEXT = log_text(
    START,
    step(move("1", (7, 8), (5, 6), player=ANN), "CHAThello"),
    step(change("1", HIDDEN, HIDDEN)),
    step(change("9", chain(BOB, basic_state(1, 2)))),
    step(f"M/1/Main/x/{ANN}", "PLAYER\t" + ANN, f"D/1/{ANN}/{ANN}/{ANN}"),
)
SECRETS = ("s3cret", "hunter2")


def redacted(data: bytes) -> tuple[str, str]:
    """The XML and the plain text of the file made from it."""
    form = to_xml(data, redact=True)
    archive = Archive.parse(from_xml(form.document).data)
    entry = archive.find(SAVED_GAME)
    assert entry is not None
    return form.document.decode(), read_text(archive.read(entry))[1]


def test_nothing_secret_is_left() -> None:
    form = to_xml(game(TEXT), redact=True)
    document, text = redacted(game(TEXT))
    assert form.ids == 4
    assert form.left == 0
    for secret in SECRETS:
        assert secret in TEXT
        assert secret not in document
        assert secret not in text
    assert 'redacted="yes"' in document


def test_who_is_who_stays() -> None:
    _, text = redacted(game(TEXT))
    assert "PLAYER\tp1\tBob\tBlue\x1bPLAYER\tp2\tAnn\tRed" in text
    assert "UNMASK\tp2\tp1" in text
    assert "PNOTE\tp2\tprivate" in text
    assert "SNOTE\tname\tp1\ttrue" in text
    assert re.search(r"LOCKSPOTAB\ttab\tp2\tp\d\tdate", text)
    assert "INFO\tx\tp1" in text
    assert "/null/p2\\\x1bLOG\tCHAThello" in text
    assert "a;p1" in text
    assert "p1;true|2|p2|p3" in text


def test_what_is_not_secret_stays() -> None:
    document, text = redacted(game(TEXT))
    assert 'owner="nobody"' in document
    assert 'owner="null"' in document
    assert 'kind="Invisible" owner="Blue"' in document
    assert text.count("Red") >= 2


def test_redacted_file_loads() -> None:
    form = to_xml(game(TEXT, module="M"), redact=True)
    log = Log.read(Archive.parse(from_xml(form.document).data))
    assert len(log.steps) == 4
    assert [p.user_id for p in log.players] == ["p1", "p2"]
    assert len(log.start.state.pieces) == 3
    again = to_xml(from_xml(form.document).data, redact=True)
    assert from_xml(again.document).data == from_xml(form.document).data


def test_malformed_commands_go_as_a_whole() -> None:
    document, _ = redacted(game(TEXT))
    assert len(re.findall('kind="opaque" text="" note=', document)) == 3


def test_lossless_output_counts_the_ids_and_keeps_them() -> None:
    form = to_xml(game(TEXT))
    assert form.ids == 4
    assert form.left == 0
    assert b"s3cret-ann" in form.document
    assert to_xml(game(save_text(piece("3", 1, 1, (HIDE, "null"))))).ids == 0


def test_ids_elsewhere_are_told() -> None:
    data = game(save_text(rest=["PLAYER\tletmein\tAnn\tRed", "CHATmy password is letmein"]))
    form = to_xml(data, redact=True)
    assert (form.ids, form.left) == (1, 1)


def test_a_setup_in_a_module_is_redacted_too() -> None:
    data = zip_of({"buildFile": b"<a/>", "start.vsav": game(TEXT)})
    form = to_xml(data, redact=True)
    assert not any(s.encode() in form.document for s in SECRETS)
    inner = Archive.parse(from_xml(form.document).data)
    content = inner.read(inner.entries[1])
    assert len(Log.read(Archive.parse(content)).steps) == 4


def test_streams_gaps_and_letter_case_do_not_tell() -> None:
    digits = hidden(TEXT)[5:].decode()
    mixed = b"!VCSK" + (digits[:9].upper() + digits[9:]).encode()
    data = b"stub s3cret" + game(mixed) + b"s3cret"
    document, text = redacted(data)
    assert "s3cret" not in document + text
    assert "<letter-case></letter-case>" in document
    assert "packed=" not in document


@pytest.mark.parametrize("content", [b"unknown", b"!VCSK4"])
def test_what_cannot_be_read_is_not_redacted(content: bytes) -> None:
    with pytest.raises(SaveXmlError, match="SAVEXML_REDACT"):
        to_xml(game(content), redact=True)


def test_raw_games_are_refused_and_other_raw_entries_left_out() -> None:
    data = game(save_text(), a=b"1")
    at = data.index(b"PK\1\2") + 16
    spoilt = data[:at] + b"\0\0\0\0" + data[at + 4 :]
    with pytest.raises(SaveXmlError, match="SAVEXML_REDACT"):
        to_xml(spoilt, redact=True)
    at = data.rindex(b"PK\1\2") + 16
    spoilt = data[:at] + b"\0\0\0\0" + data[at + 4 :]
    archive = Archive.parse(from_xml(to_xml(spoilt, redact=True).document).data)
    assert archive.names() == ["savedGame"]


def test_games_that_are_not_taken_apart_are_refused() -> None:
    setup = game(TEXT)
    damaged = setup[:-6] + b"\xff" + setup[-5:]
    data = zip_of({"buildFile": b"<a/>", "start.vsav": damaged})
    with pytest.raises(SaveXmlError, match=r"start.vsav.*SAVEXML_REDACT"):
        to_xml(data, redact=True)
    assert from_xml(to_xml(data).document).data == data


def test_odd_chains_are_redacted() -> None:
    odd = seq("\t", ANN, basic_state(1, 2), ANN)
    text = save_text(
        "+/" + seq("/", "1", chain(HIDE, "piece;;;;"), odd),
        "+/" + seq("/", "2", seq("\t", HIDE, "piece;;;;", "x"), chain(ANN, "null;0;0")),
    )
    document, plain = redacted(game(text))
    assert "s3cret" not in document + plain


@given(st.text(st.sampled_from("sx'\\;|/\t日\udce9"), min_size=1, max_size=6))
def test_any_password_goes(secret: str) -> None:
    secret = f"Q{secret}Q"
    text = save_text(
        add("1", [HIDE, MASK, "piece;;;;"], [seq(";", secret), seq(";", secret, ""), "null;0;0"]),
        rest=[seq("\t", "PLAYER", secret, "Ann", "Red")],
    )
    document, plain = redacted(game(text))
    assert "Q" not in plain
    assert "Q" not in document


def test_real_logs_keep_no_id(corpus_files: tuple[Path, ...]) -> None:
    seen = 0
    for file in corpus_files:
        if file.suffix not in (".vlog", ".vsav"):
            continue
        data = file.read_bytes()
        _, text = redacted(data)
        archive = Archive.parse(data)
        entry = archive.find(SAVED_GAME)
        assert entry is not None
        source = read_text(archive.read(entry))[1]
        ids = set(re.findall("\x1bPLAYER\t([^\t\x1b]+)\t", source))
        seen += len(ids)
        left = set(re.findall("\x1bPLAYER\t([^\t\x1b]+)\t", text))
        assert all(re.fullmatch(r"p[0-9]+", name) for name in left)
        assert len(left) == len(ids)
    assert seen > 50
