"""Players' ids and passwords: the one place that knows where they stand, and what stands for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crafted import add, basic_state, chain, change, seq
from vmod_tools.archive import Archive
from vmod_tools.commands.kinds import Command, kind_of, parse_command
from vmod_tools.commands.tree import leaves, parse_tree
from vmod_tools.pieces import encode_chain, parse_chain
from vmod_tools.saves import SAVED_GAME, read_text
from vmod_tools.secrets import (
    Pseudonyms,
    redact_chain,
    redact_command,
    redact_trait_state,
    secret_fields,
    secret_levels,
    secret_state_fields,
)
from vmod_tools.sequence import Sequence
from vmod_tools.traits import Trait

ANN, BOB, CARL = "s3cret-ann", "s3cret bob", "s3cret;carl"
HIDE, MASK = "hide;73,130;Hide;;player:;0.3", "obs;77,130;back.png;Mask;I;?;player:;Peek"
BY_SIDE = "obs;77,130;back.png;Mask;I;?;side:;Peek"
RESTRICT = "restrict;Red;true"
BASE = "piece;;;a.png;A"


# Commands


# Text, the secrets in it, and the redacted text.
COMMANDS: list[tuple[str, list[tuple[str, str]], str]] = [
    (f"PLAYER\t{ANN}\tAnn\tRed", [("user_id", ANN)], "PLAYER\tp1\tAnn\tRed"),
    (f"PYREMOVE\t{ANN}", [("user_id", ANN)], "PYREMOVE\tp1"),
    (f"PNOTE\t{ANN}\ttext", [("owner", ANN)], "PNOTE\tp1\ttext"),
    (f"SNOTE\tname\t{ANN}\ttrue", [("owner", ANN)], "SNOTE\tname\tp1\ttrue"),
    (f"UNMASK\t{ANN}\t{BOB}\t{ANN}", [("*", ANN), ("*", BOB), ("*", ANN)], "UNMASK\tp1\tp2\tp1"),
    ("UNMASK\t", [("*", "")], "UNMASK\t"),
    (
        f"LOCKSPOTAB\ttab\t{ANN}\tpw\tdate",
        [("locked_by", ANN), ("password", "pw")],
        "LOCKSPOTAB\ttab\tp1\tp2\tdate",
    ),
    ("LOCKSPOTAB\ttab\t\t\t", [("locked_by", ""), ("password", "")], "LOCKSPOTAB\ttab\t\t\t"),
    (
        f"M/1/Main/1/2/null/Main/3/4/null/{ANN}",
        [("player", ANN)],
        "M/1/Main/1/2/null/Main/3/4/null/p1",
    ),
    ("M/1/Main/1/2/null/Main/3/4/null", [], "M/1/Main/1/2/null/Main/3/4/null"),
    (f"CHAT<{ANN}> - hello", [], f"CHAT<{ANN}> - hello"),
    ("EXT\tname\t1", [], "EXT\tname\t1"),
    ("", [], ""),
]


@pytest.mark.parametrize(("text", "secrets", "redacted"), COMMANDS)
def test_secrets_of_commands(text: str, secrets: list[tuple[str, str]], redacted: str) -> None:
    command = parse_command(text)
    assert list(secret_fields(command)) == secrets
    assert redact_command(command, Pseudonyms()).encode() == redacted


def test_one_id_has_one_name_throughout_a_file() -> None:
    names = Pseudonyms()
    texts = [f"PLAYER\t{ANN}\tA\tR", f"PLAYER\t{BOB}\tB\tB", f"PYREMOVE\t{ANN}", f"PNOTE\t{BOB}\tx"]
    redacted = [redact_command(parse_command(t), names).encode() for t in texts]
    assert redacted == ["PLAYER\tp1\tA\tR", "PLAYER\tp2\tB\tB", "PYREMOVE\tp1", "PNOTE\tp2\tx"]
    assert names.names == {ANN: "p1", BOB: "p2"}


def test_commands_cut_short_have_secrets_too() -> None:
    text = f"PLAYER\t{ANN}"
    kind = kind_of(text)
    command = Command(kind, Sequence.decode(text.removeprefix(kind.prefix), kind.delimiter))
    assert list(secret_fields(command)) == [("user_id", ANN)]
    assert redact_command(command, Pseudonyms()).encode() == "PLAYER\tp1"
    short = Command(kind_of("+/1"), Sequence.decode("1", "/"))
    assert list(secret_fields(short)) == []
    assert redact_command(short, Pseudonyms()) == short


def test_commands_that_no_table_lists_are_searched_for_known_ids() -> None:
    names = Pseudonyms()
    names.of("hunter2")
    command = parse_command("INFO\tx:hunter2;hunter22\thunter2")
    assert list(secret_fields(command)) == []
    assert redact_command(command, names).encode() == "INFO\tx:p1;hunter22\tp1"


# Pieces


def piece(owner: str = ANN) -> str:
    state = seq(";", owner, seq("|", "true", "1", BOB))
    return add(
        "1",
        [HIDE, MASK, RESTRICT, "mark;Side", BASE],
        [owner, state, BOB, "Red", basic_state(1, 2)],
    )


def test_owners_of_a_piece() -> None:
    command = parse_command(piece())
    assert list(secret_fields(command)) == [
        ("state", ANN), ("state", ANN), ("state", BOB), ("state", BOB)
    ]  # fmt: skip
    redacted = redact_command(command, Pseudonyms())
    again = parse_command(redacted.encode())
    assert [level.text for level in parse_chain(again["state"])] == [
        *("p1", "p1;true|1|p2", "p2", "Red"),
        basic_state(1, 2),
    ]
    assert (again["id"], again["type"]) == (command["id"], command["type"])


def test_piece_of_nobody_stays_as_it_is() -> None:
    text = add("1", [HIDE, MASK, RESTRICT, BASE], ["null", "nobody;", "", basic_state(1, 2)])
    command = parse_command(text)
    assert list(secret_fields(command)) == []
    assert redact_command(command, Pseudonyms()) is command


def test_changes_need_the_type_or_ids_met_before() -> None:
    state = chain(ANN, f"{BOB};", CARL, "Red", basic_state(1, 2))
    command = parse_command(change("1", state, state))
    type_text = chain(HIDE, MASK, RESTRICT, "mark;Side", BASE)
    known = redact_command(command, Pseudonyms(), type_text)
    assert "s3cret" not in known.encode()
    assert (
        known["state"] == known["old_state"] == chain("p1", "p2;", "p3", "Red", basic_state(1, 2))
    )
    names = Pseudonyms()
    assert redact_command(command, names) is command
    for known_id in (ANN, BOB):
        names.of(known_id)
    assert redact_command(command, names)["state"].count("p1") == 1


@pytest.mark.parametrize(
    ("type_text", "state", "fields", "redacted"),
    [
        (HIDE, CARL, [("owner", CARL)], "p1"),
        (HIDE, "null", [], "null"),
        ("hide;73,130;Hide;;side:;0.3", "German", [], "German"),
        ("hide;73,130;Hide;;sides:German;0.3", "German", [], "German"),
        ("hide;73,130;Hide;;everybody;0.3", ANN, [("owner", ANN)], "p1"),
        ("hide;73,130", ANN, [("owner", ANN)], "p1"),
        (RESTRICT, "a;b", [("owner", "a;b")], "p1"),
        (MASK, f"{ANN};", [("owner", ANN)], "p1;"),
        (MASK, f"'{ANN}'", [("owner", ANN)], "p1"),
        (MASK, f"{ANN};|2|{ANN}|{BOB}", [("owner", ANN), *(("options", i) for i in (ANN, BOB))], "p1;|2|p1|p2"),
        (BY_SIDE, f"German;|1|{BOB}", [("options", BOB)], "German;|1|p1"),
        (MASK, f"{ANN};odd|{ANN}", [("owner", ANN)], "p1;odd|p1"),
        ("mark;Owner", ANN, [], ANN),
    ],
)  # fmt: skip
def test_owners_in_states(
    type_text: str, state: str, fields: list[tuple[str, str]], redacted: str
) -> None:
    trait = Trait.decode(type_text, state)
    assert list(secret_state_fields(trait)) == fields
    assert redact_trait_state(trait, Pseudonyms()).state == redacted


def test_unknown_traits_are_searched() -> None:
    names = Pseudonyms()
    names.of(ANN)
    trait = Trait.decode("conceal;x", f"a;{ANN};{BOB}")
    assert redact_trait_state(trait, names).state == f"a;p1;{BOB}"
    assert secret_levels(chain("conceal;x", "mark;A", HIDE, BASE)) == {0: "conceal;x", 2: HIDE}


def test_what_vassal_does_not_read_goes() -> None:
    states = parse_chain(seq("\t", ANN, basic_state(1, 2), ANN))
    redacted = redact_chain(chain(HIDE, BASE), states, Pseudonyms())
    assert encode_chain(redacted) == chain("p1", basic_state(1, 2))


@given(st.text(st.sampled_from("sx'\\;|/\t日\udce9"), min_size=1, max_size=6))
def test_any_password_goes(secret: str) -> None:
    secret = f"Q{secret}Q"
    names = Pseudonyms()
    text = add("1", [HIDE, MASK, BASE], [secret, seq(";", secret, ""), basic_state(1, 2)])
    for given_text in (text, seq("\t", "PLAYER", secret, "Ann", "Red")):
        redacted = redact_command(parse_command(given_text), names).encode()
        assert "Q" not in redacted
        assert parse_command(redacted).kind is parse_command(given_text).kind
    assert names.names == {secret: "p1"}


def test_real_files_keep_no_id(corpus_files: tuple[Path, ...], genuine: Path) -> None:
    seen = 0
    for file in (*corpus_files, *sorted(genuine.glob("*.v*"))):
        archive = Archive.parse(file.read_bytes())
        entry = archive.find(SAVED_GAME)
        if entry is None:
            continue
        names = Pseudonyms()
        commands = [
            parse_command(leaf.removeprefix("LOG\t"))
            for leaf in leaves(parse_tree(read_text(archive.read(entry))[1]))
        ]
        secrets = {text for c in commands for _, text in secret_fields(c)}
        redacted = [redact_command(c, names) for c in commands]
        left = {text for c in redacted for _, text in secret_fields(c)}
        assert left <= {*names.names.values(), "", "null", "nobody"}
        assert secrets - {"", "null", "nobody"} == names.names.keys()
        assert all(a is b or secret_fields(a) for a, b in zip(commands, redacted, strict=True))
        seen += len(names.names)
    assert seen > 50
