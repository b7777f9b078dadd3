"""A rulebook as a list: JSON data, text, and the Markdown of docs/rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.rules import Rulebook


def rules_data(book: Rulebook) -> dict[str, Any]:
    """The rulebook as JSON data."""
    return {
        "id": book.id,
        "title": dict(book.title),
        "rules": [
            {
                "id": rule.id,
                "cite": rule.cite,
                "text": {"en": rule.text.en, "ja": rule.text.ja},
                "inputs": list(rule.inputs),
                "breaches": {
                    name or "default": {"en": text.en, "ja": text.ja}
                    for name, text in rule.breaches.items()
                },
            }
            for rule in book.rules
        ],
        "options": options_data(book),
    }


def options_data(book: Rulebook) -> list[dict[str, Any]]:
    """The options of a rulebook as JSON data."""
    return [
        {
            "id": option.id,
            "default": option.default,
            "alternatives": list(option.alternatives),
            "text": {"en": option.text.en, "ja": option.text.ja},
        }
        for option in book.options
    ]


def rules_text(book: Rulebook, lang: str) -> str:
    """One line a rule."""
    return "".join(f"{rule.id} ({rule.cite}): {rule.text.fill({})[lang]}\n" for rule in book.rules)


def rules_markdown(book: Rulebook) -> str:
    """The rule reference."""
    return "\n".join(_markdown(book)) + "\n"


def _markdown(book: Rulebook) -> Iterator[str]:
    yield f"# Rulebook `{book.id}`"
    yield ""
    yield f"{book.title['en']} / {book.title['ja']}"
    yield ""
    yield f"Made by `arbiter rules {book.id} --format md`; do not edit."
    for rule in book.rules:
        yield ""
        yield f"## {rule.id} ({rule.cite})"
        yield ""
        yield rule.text.en
        yield ""
        yield rule.text.ja
        yield ""
        yield f"Looks at: {', '.join(rule.inputs)}."
        for text in rule.breaches.values():
            yield ""
            yield f"* {text.en}"
            yield f"* {text.ja}"
    yield ""
    yield "## Options"
    yield ""
    yield "| option | default | alternatives | about |"
    yield "|---|---|---|---|"
    for option in book.options:
        others = ", ".join(f"`{a}`" for a in option.alternatives)
        yield f"| {option.id} | `{option.default}` | {others} | {option.text.en} {option.text.ja} |"
