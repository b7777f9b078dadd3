"""A report as plain text for a terminal or a mail, in English or Japanese."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.report.model import Report
from service.rulings import RuleRuling, Ruling
from service.vocabulary import say
from vmod_tools.show import visible

WORDS: Mapping[str, Mapping[str, str]] = {
    "legal": {"en": "legal", "ja": "合法"},
    "illegal": {"en": "ILLEGAL", "ja": "違反"},
    "undetermined": {"en": "undetermined", "ja": "判定不能"},
    "not-checked": {"en": "not checked", "ja": "対象外"},
    "placement": {"en": "placed from the palette", "ja": "パレットから配置"},
    "move": {"en": "move", "ja": "移動"},
    "attack": {"en": "attack", "ja": "攻撃"},
    "adjacent-attack": {"en": "adjacent attack", "ja": "隣接攻撃"},
    "same-hex-attack": {"en": "same-hex attack", "ja": "同一ヘクス内の攻撃"},
    "bombardment": {"en": "bombardment", "ja": "準備砲撃"},
    "combat": {"en": "combat", "ja": "戦闘"},
    "steps": {"en": "steps", "ja": "ステップ"},
    "missing": {"en": "missing", "ja": "不足している情報"},
    "facts": {"en": "facts", "ja": "判定に使った事実"},
    "assumed": {"en": "readings", "ja": "採用した解釈"},
    "depends_on": {"en": "hangs on the illegal step", "ja": "違反のあったステップに依存"},
    "not_understood": {"en": "not understood", "ja": "解釈できなかったもの"},
    "undone": {"en": "undone steps, not judged", "ja": "取り消されたステップ（判定せず）"},
}


def report_text(report: Report, title: str, lang: str) -> str:
    """The whole report."""
    return "\n".join(_lines(report, title, lang)) + "\n"


def ruling_text(ruling: Ruling, lang: str) -> str:
    """One ruling."""
    return "\n".join(_ruling_lines(ruling, lang)) + "\n"


def _lines(report: Report, title: str, lang: str) -> Iterator[str]:
    counts = ", ".join(f"{n} {WORDS[verdict][lang]}" for verdict, n in report.counts.items() if n)
    yield f"{visible(title)}: {report.game.id}, {report.steps} {WORDS['steps'][lang]}: {counts or '-'}"
    for ruling in report.rulings:
        yield from _ruling_lines(ruling, lang)
    if report.undone:
        yield f"{WORDS['undone'][lang]}: {', '.join(report.undone)}"
    for name in report.not_understood:
        yield f"{WORDS['not_understood'][lang]}: {visible(name)}"


def _ruling_lines(ruling: Ruling, lang: str) -> Iterator[str]:
    head = [ruling.step, ruling.actor, ", ".join(ruling.units)]
    who = " ".join(visible(part) for part in head if part)
    cites = ", ".join(dict.fromkeys(f"{p.id} ({p.cite})" for p in _shown(ruling)))
    result = visible(_result(ruling, lang))
    yield f"{who}: {WORDS[ruling.action][lang]}{result}: {WORDS[ruling.verdict][lang]} {cites}".rstrip()
    if ruling.verdict != "legal":
        for part in _shown(ruling):
            yield f"    {part.id} ({part.cite}): {visible(part.message[lang])}"
            yield f"      {WORDS['facts'][lang]}: {_facts(part)}"
    if ruling.missing:
        yield f"    {WORDS['missing'][lang]}: {visible(', '.join(ruling.missing))}"
    if ruling.assumed:
        yield f"    {WORDS['assumed'][lang]}: {', '.join(ruling.assumed)}"
    if ruling.depends_on:
        yield f"    {WORDS['depends_on'][lang]} {', '.join(ruling.depends_on)}"


def _shown(ruling: Ruling) -> list[RuleRuling]:
    """The parts that carry the verdict."""
    return [part for part in ruling.rules if part.verdict == ruling.verdict]


def _result(ruling: Ruling, lang: str) -> str:
    """The way of a move, or the kinds of an attack, behind the action's name."""
    shown = []
    for value in ruling.result.values():
        if isinstance(value, Mapping) and value.get("way"):
            shown.append(" → ".join(value["way"]))
        elif isinstance(value, Mapping) and value.get("attack"):
            shown.append(say(str(value["attack"]), lang))
    return f" ({'; '.join(shown)})" if shown else ""


def _facts(part: RuleRuling) -> str:
    pairs = []
    for name, value in part.facts.items():
        if isinstance(value, list | tuple):
            text = ", ".join(value)
        else:
            text = "?" if value is None else str(value)
        pairs.append(f"{name}={text}")
    return visible("; ".join(pairs))
