"""Editing the metadata documents: moduledata, savedata, extensiondata.

Source: build/module/metadata/AbstractMetaData.java; vassal-format.md section 1.4.
"""

from __future__ import annotations

from lxml import etree

from vmod_tools.archive import Archive
from vmod_tools.buildfile import Metadata, has_swapped_languages, parse_xml, read_metadata
from vmod_tools.errors import BuildFileError
from vmod_tools.xmlsplice import Edit, Insert, SetAttribute, SetText, splice
from vmod_tools.xmltext import escape_attribute, escape_text

FIELDS = (
    "version",
    "extra1",
    "extra2",
    "VassalVersion",
    "dateSaved",
    "description",
    "name",
    "universal",
)
"""The elements in the order in which VASSAL writes them."""
_ATTRIBUTES = {"VassalVersion": "vassal_version", "dateSaved": "date_saved"}
TRANSLATED = ("description", "name")


def stated_metadata(
    archive: Archive, entry_name: str, field: str, language: str | None = None
) -> str:
    """What a metadata document says in a field of `FIELDS`, or in a translation of it; "" if nothing."""
    stated = read_metadata(archive, entry_name) or Metadata()
    if language is not None:
        return (stated.names if field == "name" else stated.descriptions).get(language, "")
    return str(getattr(stated, _ATTRIBUTES.get(field, field)))


def set_metadata(
    archive: Archive, entry_name: str, field: str, value: str, language: str | None = None
) -> Archive:
    """The archive with one field of a metadata document set, or one translation of it.

    Raises BuildFileError for a field that VASSAL does not have, or a document that is not there.
    """
    entry, stated = archive.find(entry_name), read_metadata(archive, entry_name)
    if entry is None or stated is None:
        raise BuildFileError("the archive has no such document", code="METADATA", place=entry_name)
    if field not in FIELDS or (language is not None and field not in TRANSLATED):
        raise BuildFileError("VASSAL has no such field", code="METADATA_FIELD", field=field)
    data = archive.read(entry)
    root = parse_xml(data, entry_name)
    elements = list(root.iter(etree.Element))
    swapped = has_swapped_languages(stated.vassal_version)
    edit = _edit(elements, field, value, language, swapped=swapped)
    encoding = root.getroottree().docinfo.encoding or "UTF-8"
    new = splice(data, [edit], encoding)
    return archive if new == data else archive.with_entry(entry_name, new)


def _edit(
    elements: list[etree._Element], field: str, value: str, language: str | None, *, swapped: bool
) -> Edit:
    for number, element in enumerate(elements):
        stated, text = element.get("lang"), (element.text or "").strip()
        if element.tag != field or (stated is None) != (language is None):
            continue
        if language is None or (not swapped and stated == language):
            return SetText(number, value)
        if swapped and text == language:
            return SetAttribute(number, "lang", value)
    text, lang = (language or "", value) if swapped and language else (value, language)
    attribute = "" if lang is None else f' lang="{escape_attribute(lang, chr(34))}"'
    xml = f"<{field}{attribute}>{escape_text(text)}</{field}>"
    # Before the first child that VASSAL writes later.
    later = FIELDS[FIELDS.index(field) + 1 :]
    at = next((i for i, child in enumerate(elements[1:]) if child.tag in later), None)
    return Insert(0, xml, at)
