"""Saves, logs, modules and extensions as readable XML, byte for byte both ways.

`to_xml` and `from_xml` are all that others need.  docs/format/xml-form.md describes the form, the schema
`schemas/save.rng` fixes it.
"""

from vmod_tools.savexml.document import Rebuilt, XmlForm, from_xml, to_xml

__all__ = ["Rebuilt", "XmlForm", "from_xml", "to_xml"]
