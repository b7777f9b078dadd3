"""Documents that are refused: the line and what is wrong there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crafted import game, log_text, piece, save_text, step
from vmod_tools.errors import VmodError
from vmod_tools.savexml import from_xml, to_xml

LOG = to_xml(
    game(
        log_text(
            save_text(piece("1", 5, 6, ("mark;Side", "Red"), ("PROP;Hits;;", "3")), "D/1/Red"),
            step("CHATend", "PLAYER\tpw\tAnn\tRed"),
        ),
        module="M",
    )
).document.decode()


def fault(document: str | bytes) -> tuple[str, str, str]:
    data = document.encode() if isinstance(document, str) else document
    with pytest.raises(VmodError) as caught:
        from_xml(data)
    return caught.value.stable_code, caught.value.place, str(caught.value)


def line_of(text: str) -> str:
    return f"line {LOG[: LOG.index(text)].count(chr(10)) + 1}"


@pytest.mark.parametrize(
    ("old", "new", "code", "says"),
    [
        ('kind="log"', 'kind="other"', "SAVEXML_SCHEMA", "kind"),
        ('version="1"', 'version="2"', "SAVEXML_SCHEMA", "version"),
        ('method="store"', 'method="zip"', "SAVEXML_SCHEMA", "method"),
        ('modified="2020-02', 'modified="2020-99', "SAVEXML_SCHEMA", "modified"),
        ('key="5a"', 'key="5"', "SAVEXML_SCHEMA", "key"),
        ("<types>", "<typos>", "SAVEXML_XML", "typos"),
        ('<type id="t1">', '<type id="t2">', "SAVEXML_TYPE", "t1"),
        ('type="t1"', 'type="t9"', "SAVEXML_TYPE", "t9"),
        ('key="Hits"', 'hits="Hits"', "SAVEXML_FIELD", "hits"),
        ('prefix="PROP;"', 'prefix="stack"', "SAVEXML_FIELD", "key"),
        ('<type id="t1">', '<type id="t1"><trait prefix="stack"/></type><type id="t1">', "SAVEXML_TYPE", "two types"),
        ('<type id="t1">', '<type id="t1"><trait prefix="stack"><field/></trait>', "SAVEXML_FIELD", "no fields"),
        ("<field>Side</field>", "<field>Sid␦e</field>", "SAVEXML_ESCAPE", "␦241b;"),
        ('<field name="Side">Red</field>', '<field name="Zug">Red</field>', "SAVEXML_FIELD", "Zug"),
        (
            '<field name="Side">Red</field>',
            '<field name="Side">Red</field><field name="Side">Blue</field>',
            "SAVEXML_FIELD",
            "twice",
        ),
        ('at="2"', 'at="4"', "SAVEXML_STATE", "3 traits"),
        ('at="2"', 'at="1"', "SAVEXML_STATE", "twice"),
        ('<piece id="1" type="t1">', '<piece id="1" type="t1" depth="9999">', "SAVEXML_STATE", "2000"),
        ('kind="player"', 'kind="gambler"', "SAVEXML_KIND", "gambler"),
        ('user_id="pw"', 'password="pw"', "SAVEXML_FIELD", "password"),
        ('text="end"/>', 'text="end"><field>x</field></command>', "SAVEXML_FIELD", "one field"),
        ('text="end"', 'text="␦d800;"', "SAVEXML_ESCAPE", "d800"),
        ('kind="chat" text="end"', 'text="end"', "SAVEXML_SCHEMA", "<command> with the attributes text, without kind"),
        ('text="end"', 'log="300" text="end"', "SAVEXML_SCHEMA", "log"),
        ("<text>", "<text lines='lf'>", "SAVEXML_SCHEMA", "lines"),
        ('<entry name="moduledata"', '<entry at="9" name="moduledata"', "SAVEXML_ORDER", "places"),
        ('<step n="1">', '<step n="one">', "SAVEXML_SCHEMA", "n"),
        (' <field name="Hits">', ' <property name="Hits">1</property><field name="Hits">', "SAVEXML_FIELD", "basic piece"),
        ('<field name="Hits">3</field>', '<field>3</field><field>4</field>', "SAVEXML_FIELD", "one text"),
        ("</commands>", "<step n='2'/></commands>", "SAVEXML_SCHEMA", "step"),
    ],
)  # fmt: skip
def test_fault_is_placed(old: str, new: str, code: str, says: str) -> None:
    assert old in LOG
    found, place, message = fault(LOG.replace(old, new, 1))
    assert found == code
    assert place.startswith("line ")
    assert says in message


def test_values_are_not_shown() -> None:
    document = LOG.replace('log="', 'quoted="x" log="').replace('<step n="1"', '<step n="hunter2"')
    assert "hunter2" not in fault(document)[2]


def test_line_is_that_of_the_element() -> None:
    for old, new in (('user_id="pw"', 'password="pw"'), ('key="Hits"', 'hits="Hits"')):
        assert fault(LOG.replace(old, new))[1] == line_of(old)
    assert fault(LOG.replace('log="', 'quoted="x" log="').replace('<step n="1">', '<step n="1" quoted="x">'))[1] == line_of("<step")  # fmt: skip


def test_lines_beyond_65535_are_counted() -> None:
    document = LOG.replace("<commands>", "\n" * 70_000 + "<commands>")
    assert fault(document.replace('user_id="pw"', 'password="pw"'))[1].startswith("line 700")


PREFIX = '<?xml version="1.0"?>\n'
DOCTYPE = '<!DOCTYPE vassal [<!ENTITY a "b">]>'


@pytest.mark.parametrize(
    "before", ["", PREFIX, PREFIX + "<!-- <x> -->\n<?pi?> ", "\ufeff" + PREFIX]
)
def test_doctype_is_refused(before: str) -> None:
    code, place, _ = fault(before + DOCTYPE + LOG[LOG.index("<vassal") :])
    assert code == "SAVEXML_DOCTYPE"
    assert place == f"line {before.count(chr(10)) + 1}"


def test_other_encodings_are_refused() -> None:
    assert fault(LOG.replace("UTF-8", "UTF-16").encode("utf-16"))[0] == "SAVEXML_XML"
    assert fault(LOG.encode().replace(b"Red", b"R\xe9d"))[0] == "SAVEXML_XML"


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ("", "SAVEXML_XML"),
        ("<a/>", "SAVEXML_SCHEMA"),
        ("<vassal/>", "SAVEXML_SCHEMA"),
        (LOG[:-12], "SAVEXML_XML"),
        (LOG.replace("save:1", "save:2"), "SAVEXML_SCHEMA"),
        (LOG.replace("user_id", "&nbsp;"), "SAVEXML_XML"),
    ],
)
def test_no_such_document(document: str, code: str) -> None:
    assert fault(document)[0] == code


def with_entry(inner: str, more: str = "", method: str = "deflate") -> str:
    at, end = LOG.index("<archive>") + 9, LOG.index("</archive>")
    entry = (
        f'<entry name="a" method="{method}" modified="1980-01-01T00:00:00"{more}>{inner}</entry>'
    )
    return LOG[:at] + entry + LOG[end:]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (with_entry("<bytes>not base64!</bytes>"), "SAVEXML_BASE64"),
        (with_entry("<bytes>AAA</bytes>"), "SAVEXML_BASE64"),
        (with_entry("<bytes>日本</bytes>"), "SAVEXML_BASE64"),
        (with_entry("<stream>AAAA</stream>"), "SAVEXML_STREAM"),
        (with_entry("<stream>////</stream>"), "SAVEXML_STREAM"),
        (with_entry("<bytes/>", ' comment="' + "x" * 70_000 + '"'), "SAVEXML_SIZE"),
        (with_entry("<bytes/>").replace("<archive>", '<archive shift="9">'), "SAVEXML_SIZE"),
        (with_entry("<bytes/>", ' extra="abc"'), "SAVEXML_SCHEMA"),
        (with_entry("<bytes/>").replace("<archive>", f'<archive comment="{"x" * 70_000}">'), "SAVEXML_ARCHIVE"),
        (with_entry("<bytes/>").replace("</archive>", "<tail>AAAA</tail></archive>"), "SAVEXML_ARCHIVE"),
        (with_entry("<game form='VCSK' case='mixed'><letter-case>AAAA</letter-case><commands><command kind='null'/></commands></game>"), "SAVEXML_BASE64"),
        (LOG.replace("<archive>", "<archive><raw-entry name='a'><record>AAAA</record><chunk>AAAA</chunk></raw-entry>"), "SAVEXML_RECORD"),
        (with_entry("<game form='plain'><commands>" + "<tree>" * 300 + "<command kind='null'/>" + "</tree>" * 300 + "</commands></game>"), "LIMIT_DEPTH"),
    ],
)  # fmt: skip
def test_entry_that_cannot_be_made(document: str, code: str) -> None:
    found, place, _ = fault(document)
    assert found == code
    assert place.startswith("line ")


def test_types_have_an_end() -> None:
    many = '<trait prefix="x"/>' * 2001
    document = LOG.replace('<type id="t1">', f'<type id="t1">{many}')
    assert fault(document)[0] == "SAVEXML_STATE"


def test_stored_entry_may_come_as_a_stream() -> None:
    document = with_entry("<stream>AwA=</stream>", method="store")
    assert from_xml(document.encode()).data.startswith(b"PK\3\4")


@given(st.integers(0, len(LOG)), st.text(st.sampled_from("<>&\"'/ =a0␦\x0b"), max_size=3))
def test_any_damage_is_read_or_reported(at: int, noise: str) -> None:
    document = (LOG[:at] + noise + LOG[at + 2 :]).encode()
    try:
        from_xml(document)
    except VmodError as error:
        assert error.place  # noqa: PT017
