"""XML edited in place: the edited stretch changes, every other byte of the document stays."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from vmod_tools.errors import BuildFileError
from vmod_tools.xmlsplice import Edit, Insert, Remove, SetAttribute, SetText, spans, splice

DOCUMENT = b"""<?xml version='1.0'   encoding="UTF-8"?>\r
<!-- kept --><root  b = 'x"y'\tz='&#x41;&amp;'>\r
    <a/><?pi?>\r
    <a>one &quot;two&quot; &#9; <![CDATA[<]]></a>\r
    <e></e>\r
    <t>\r
      a &lt; b&apos;\r
    </t>\r
</root  >\r
"""
ROOT, EMPTY, MIXED, CLOSED, TEXT = range(5)


def after(*edits: Edit) -> bytes:
    return splice(DOCUMENT, edits)


def code_of(data: bytes, *edits: Edit) -> str:
    with pytest.raises(BuildFileError) as caught:
        splice(data, edits)
    return caught.value.stable_code


@pytest.mark.parametrize(
    ("edits", "old", "new"),
    [
        ([SetAttribute(ROOT, "b", 'x"Y')], b"""b = 'x"y'""", b"""b = 'x"Y'"""),
        ([SetAttribute(ROOT, "b", "'")], b"""b = 'x"y'""", b"""b = '&apos;'"""),
        # What stays of a value keeps its spelling.
        ([SetAttribute(ROOT, "z", "A&B\t<")], b"z='&#x41;&amp;'", b"z='&#x41;&amp;B&#9;&lt;'"),
        ([SetAttribute(ROOT, "b", None)], b"""  b = 'x"y'""", b""),
        ([SetAttribute(ROOT, "none", None)], b"", b""),
        # New attributes go to their place in the alphabet.
        ([SetAttribute(ROOT, "c", "1")], b"\tz=", b'\tc="1"\tz='),
        ([SetAttribute(ROOT, "a", "1"), SetAttribute(ROOT, "aa", '"')], b"  b =",
         b'  a="1"  aa="&quot;"  b ='),
        ([SetAttribute(ROOT, "zz", "1")], b"&amp;'>", b"&amp;' zz=\"1\">"),
        ([SetAttribute(EMPTY, "n", "1"), SetAttribute(EMPTY, "m", "2")], b"<a/>", b'<a m="2" n="1"/>'),
        ([SetText(EMPTY, "x > y")], b"<a/>", b"<a>x &gt; y</a>"),
        ([SetText(EMPTY, "x"), SetAttribute(EMPTY, "n", "1"), Insert(EMPTY, "<b/>")],
         b"<a/>", b'<a n="1">x<b/></a>'),
        ([SetText(CLOSED, "x\ty")], b"<e></e>", b"<e>x\ty</e>"),
        # A text keeps the blanks around it and the spelling of what stays.
        ([SetText(TEXT, "a < c'")], b"b&apos;", b"c&apos;"),
        ([SetText(TEXT, "a < b'")], b"", b""),
        ([SetText(MIXED, "<")], b'one &quot;two&quot; &#9; <![CDATA[<]]>', b"&lt;"),
        ([Remove(MIXED)], b"\r\n    <a>one &quot;two&quot; &#9; <![CDATA[<]]></a>", b""),
        ([Insert(ROOT, "<n/>")], b"</t>\r\n", b"</t>\r\n    <n/>\r\n"),
        ([Insert(ROOT, "<n/>", 99)], b"</t>\r\n", b"</t>\r\n    <n/>\r\n"),
        ([Insert(ROOT, "<n/>", 2), Insert(ROOT, "<m/>", 2)], b"    <e></e>",
         b"    <n/>\r\n    <m/>\r\n    <e></e>"),
        ([Insert(CLOSED, "<n>é</n>")], b"<e></e>", "<e><n>é</n></e>".encode()),
    ],
)  # fmt: skip
def test_edit_changes_its_stretch(edits: Sequence[Edit], old: bytes, new: bytes) -> None:
    assert DOCUMENT.count(old) >= 1
    assert after(*edits) == DOCUMENT.replace(old, new, 1 if old else 0)


def test_characters_that_the_encoding_lacks_become_references() -> None:
    data = b'<?xml version="1.0" encoding="ISO-8859-1"?><a b="\xe9"/>'
    edits: list[Edit] = [SetAttribute(0, "b", "é武"), SetText(0, "é武")]
    assert splice(data, edits, "ISO-8859-1") == data.replace(
        b'"\xe9"/>', b'"\xe9&#27494;">\xe9&#27494;</a>'
    )


def test_what_stays_keeps_every_spelling() -> None:
    data = b"<a b='&#65;&#x42;\tc\nd&gt;x'>&#65;&#x42;\r\n&quot;\tx</a>"
    edits: list[Edit] = [SetAttribute(0, "b", "AB c d>y"), SetText(0, 'AB\n"\ty')]
    assert splice(data, edits) == data.replace(b"x'", b"y'").replace(b"x</a>", b"y</a>")


@pytest.mark.parametrize(
    ("data", "edits", "code"),
    [
        (b"<a>", [], "BUILDFILE_XML"),
        (b"<!DOCTYPE a><a/>", [], "BUILDFILE_DOCTYPE"),
        ("<a/>".encode("utf-16"), [], "BUILDFILE_ENCODING"),
        (b"<a/>", [Remove(1)], "BUILDFILE_ELEMENT"),
        (b"<a><b/></a>", [Remove(1), SetText(0, "x")], "BUILDFILE_OVERLAP"),
        (b"<a/>", [SetText(0, "\x1b")], "BUILDFILE_CHARACTER"),
        (b"<a/>", [SetAttribute(0, "b", "\udc80")], "BUILDFILE_CHARACTER"),
    ],
)
def test_what_cannot_be_done_is_refused(data: bytes, edits: Sequence[Edit], code: str) -> None:
    assert code_of(data, *edits) == code


def test_tag_that_the_grammar_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vmod_tools.xmlsplice._START_TAG", __import__("re").compile(rb"(x)"))
    assert code_of(b"<a/>") == "BUILDFILE_XML"


def test_elements_are_counted_as_lxml_counts_them() -> None:
    root = etree.fromstring(DOCUMENT)
    names = [str(e.tag) for e in root.iter(etree.Element)]
    found = [DOCUMENT[s.start + 1 :].split()[0].strip(b"</>") for s in spans(DOCUMENT)]
    assert len(names) == len(found) == 5
    assert all(b.startswith(n.encode()) for b, n in zip(found, names, strict=True))
    assert [s.parent for s in spans(DOCUMENT)] == [-1, 0, 0, 0, 0]
    assert [s.is_empty_tag for s in spans(DOCUMENT)] == [False, True, False, False, False]


_TEXT = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]) | st.just("\t"))


@given(_TEXT, _TEXT)
def test_value_and_text_read_back(old: str, new: str) -> None:
    data = f'<a b="{escape(old, {chr(34): "&quot;"})}">{escape(old)}</a>'.encode()
    edited = splice(data, [SetAttribute(0, "b", new), SetText(0, new)])
    root = etree.fromstring(edited)
    assert root.get("b") == new
    assert (root.text or "").strip(" \t") == new.strip(" \t")
