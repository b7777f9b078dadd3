"""Texts in the XML: reversible, one form each, readable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from vmod_tools.errors import SaveXmlError
from vmod_tools.savexml.escaping import encoded, escape, escape_block, quote, unescape

ODD = "".join(map(chr, range(0x21))) + "\x7f\x85\u2028\u202e\ufeff\ufffe\uffff\ud800\udc80\udcff"
PICTURES = "".join(map(chr, range(0x2400, 0x2427)))
TEXTS = st.text(
    st.sampled_from(ODD + PICTURES + "&<>\"']日;f") | st.characters(exclude_categories=())
)


def parsed(document: str) -> etree._Element:
    return etree.fromstring(document.encode())


@given(TEXTS)
def test_element_text_is_reversible(text: str) -> None:
    written = escape(text)
    assert "\n" not in written
    assert unescape(parsed(f"<a>{written}</a>").text or "") == text


@given(TEXTS)
def test_attribute_is_reversible(text: str) -> None:
    assert unescape(parsed(f"<a b={quote(text)}/>").get("b", "")) == text


@given(TEXTS)
def test_block_is_reversible(text: str) -> None:
    assert unescape(parsed(f"<a>{escape_block(text)}</a>").text or "") == text


@given(st.binary())
def test_bytes_are_reversible(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    assert encoded(unescape(parsed(f"<a>{escape(text)}</a>").text or "")) == data


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("第三十一戦車連隊 a&b", "第三十一戦車連隊 a&amp;b"),
        ("a\x1bb\tc\r\n\0\x7f", "a␛b␉c␍␊␀␡"),
        ("\udce9\u202e\ufffe", "␦dce9;␦202e;␦fffe;"),
        ("␛ ␦ ␠", "␦241b; ␦2426; ␠"),
    ],
)
def test_written_form(text: str, written: str) -> None:
    assert escape(text) == written


def test_quotes_are_chosen_for_reading() -> None:
    assert quote('{Side=="Blue"}') == """'{Side=="Blue"}'"""
    assert quote("it's") == '"it\'s"'
    assert quote("""'"'""") == "\"'&quot;'\""


def test_block_holds_markup_as_it_is() -> None:
    assert escape_block("<a>\n\t</a>") == "<![CDATA[<a>\n\t</a>]]>"
    assert escape_block("a > b\n") == "a &gt; b\n"


def test_forms_typed_by_hand_are_read() -> None:
    assert unescape("␦41;␦1F600;") == "A\U0001f600"


@pytest.mark.parametrize("text", ["a␦", "␦;", "␦xyz;", "␦110000;"])
def test_substitute_without_code_is_refused(text: str) -> None:
    with pytest.raises(SaveXmlError, match="SAVEXML_ESCAPE"):
        unescape(text)


def test_surrogate_that_is_no_byte_is_refused() -> None:
    with pytest.raises(SaveXmlError, match="d800 is no character"):
        encoded("\ud800")
