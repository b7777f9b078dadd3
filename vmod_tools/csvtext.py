"""Tables as CSV that a spreadsheet may open: no cell of ours starts a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from vmod_tools.show import visible

# The full-width signs too: Japanese spreadsheets take them for the plain ones.
_FORMULA_STARTS = tuple("=+-@＝＋－＠")


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """The rows as CSV text; texts from files are made visible and harmless, numbers stay numbers."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return buffer.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA_STARTS) else text
