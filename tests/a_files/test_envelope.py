"""How texts are hidden: three kinds, any key, any letter case; and what cannot be undone, said in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crafted import game, hidden, log_text, move, piece, save_text, step
from vmod_tools.archive import Archive
from vmod_tools.envelope import Envelope, decode, encode
from vmod_tools.errors import EnvelopeError
from vmod_tools.logs import Log

TEXT = "begin_save\x1bend_save"
# The worked example of vassal-format.md section 2.
EXAMPLE = b"!VCSK4a282f2d232415392b3c2f512f242e15392b3c2f"


def code_and_message(data: bytes) -> tuple[str, str]:
    with pytest.raises(EnvelopeError) as caught:
        decode(data)
    return caught.value.stable_code, caught.value.message


def test_worked_example() -> None:
    assert decode(EXAMPLE) == (Envelope("VCSK", 0x4A, "lower"), TEXT.encode())
    assert encode(Envelope("VCSK", 0x4A, "lower"), TEXT.encode()) == EXAMPLE


# Public report 15060: one log of three commands, written in every way
LOG = log_text(save_text(piece("1", 5, 5)), step(move("1", (9, 9))))
KEYS = (0x00, 0x5A, 0xFF)
WAYS = {
    **{f"hex {key:02x}": (hidden(LOG, key), Envelope("VCSK", key, "lower")) for key in KEYS},
    **{
        f"HEX {key:02X}": (hidden(LOG, key, upper=True), Envelope("VCSK", key, "upper"))
        for key in KEYS
    },
    **{
        f"raw {key:02x}": (
            b"VOBS" + bytes([key]) + bytes(b ^ key for b in LOG.encode()),
            Envelope("VOBS", key),
        )
        for key in KEYS
    },
    "plain": (LOG.encode(), Envelope("plain")),
}


@pytest.mark.parametrize("way", WAYS)
def test_log_is_read_however_it_is_hidden(way: str) -> None:
    data, envelope = WAYS[way]
    assert decode(data) == (envelope, LOG.encode())
    assert encode(envelope, LOG.encode()) == data
    log = Log.read(Archive.parse(game(data)))
    assert log.start.envelope == envelope
    assert [(p.x, p.y) for p in (s.pieces["1"].place for s in log.states)] == [(5, 5), (9, 9)]


UNREADABLE = {
    b"": "ENVELOPE_EMPTY",
    b"VOB": "ENVELOPE_UNKNOWN",
    b"!VCS": "ENVELOPE_UNKNOWN",
    b"!VCSJ00": "ENVELOPE_UNKNOWN",
    b"PK\x03\x04": "ENVELOPE_UNKNOWN",
    b"\x00\x1b": "ENVELOPE_UNKNOWN",
    b"VOBS": "ENVELOPE_SHORT",
    b"!VCSK": "ENVELOPE_SHORT",
    b"!VCSK5": "ENVELOPE_SHORT",
    b"!VCSK5a1": "ENVELOPE_ODD",
    b"!VCSK5a1g": "ENVELOPE_HEX",
    b"!VCSK5a 1": "ENVELOPE_HEX",
    b"!VCSKxy": "ENVELOPE_HEX",
    b"!VCSK5a1\n": "ENVELOPE_HEX",
    "!VCSK5aé".encode(): "ENVELOPE_HEX",
}


@pytest.mark.parametrize("data", UNREADABLE)
def test_unreadable_text_has_a_code(data: bytes) -> None:
    assert code_and_message(data)[0] == UNREADABLE[data]


def test_message_shows_the_bytes_that_were_met() -> None:
    assert "b'!VCSJ00'" in code_and_message(b"!VCSJ00")[1]
    assert code_and_message(b"!VCSK5a1g")[1] == "b'g' at byte 8 is not a hex digit"
    assert "3 hex digits, an odd number" in code_and_message(b"!VCSK5a1")[1]


def test_text_may_be_empty_behind_its_key() -> None:
    assert decode(b"!VCSK00") == (Envelope("VCSK", 0, "lower"), b"")
    assert decode(b"VOBS\x07") == (Envelope("VOBS", 7), b"")


@pytest.mark.parametrize("text", ["+/1/a/b", "CHAThello", "anything\x1bjoined", "LOG\t", "é\x1b"])
def test_plain_text_begins_with_a_command(text: str) -> None:
    assert decode(text.encode()) == (Envelope("plain"), text.encode())


@given(st.binary(), st.integers(0, 255), st.sampled_from(["VCSK", "VOBS"]))
def test_any_bytes_go_round(plain: bytes, key: int, kind: str) -> None:
    envelope = Envelope("VOBS", key) if kind == "VOBS" else Envelope("VCSK", key, "upper")
    decoded, again = decode(encode(envelope, plain))
    assert again == plain
    assert (decoded.kind, decoded.key) == (kind, key)


@given(st.binary(min_size=1), st.randoms(use_true_random=False))
def test_every_mixture_of_letter_case_is_kept(raw: bytes, random: st.DataObject) -> None:
    mixed = "".join(random.choice([c.upper(), c]) for c in raw.hex())  # type: ignore[attr-defined]
    data = b"!VCSK" + mixed.encode()
    envelope, plain = decode(data)
    assert encode(envelope, plain) == data


@pytest.mark.parametrize("length", [0, 3, 9])
def test_changed_text_keeps_the_letter_case_as_far_as_it_goes(length: int) -> None:
    envelope, _ = decode(b"!VCSK00aAbBcCdD")
    again = encode(envelope, b"\xaa\xbb\xcc\xdd\xee\xff\xaa\xbb\xcc"[:length])
    assert again == b"!VCSK00" + b"aAbBcCdDeeffaabbcc"[: 2 * length]
    assert decode(again)[1] == b"\xaa\xbb\xcc\xdd\xee\xff\xaa\xbb\xcc"[:length]


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for start in (b"", b"!VCSK", b"VOBS", b"begin_save"):
        try:
            envelope, plain = decode(start + data)
        except EnvelopeError:
            continue
        assert encode(envelope, plain) == start + data
