"""Technical words as players say them: terrain, attack kinds, positions.  Ids in JSON stay as they are."""

from __future__ import annotations

from collections.abc import Mapping

# English words are the ids with blanks for hyphens, so only the Japanese needs a table.
_JA: Mapping[str, str] = {
    "clear": "平地",
    "heath": "荒野",
    "forest": "森林",
    "rough": "荒地",
    "mountain": "山岳",
    "marsh": "湿地",
    "sea": "海",
    "lake": "湖",
    "adjacent-deployment": "隣接展開攻撃",
    "adjacent-on-road-frontal": "隣接道路上正面攻撃",
    "preparatory-bombardment": "準備砲撃",
    "same-hex-base-terrain": "同一ヘクス基本地形攻撃",
    "same-hex-strongpoint": "同一ヘクス拠点攻撃",
    "city-fighting": "市街戦",
    "close-on-road-flank": "近接道路上側面攻撃",
    "close-on-road-frontal": "近接道路上正面攻撃",
    "airborne-base-terrain": "空挺攻撃（基本地形）",
    "airborne-strongpoint": "空挺攻撃（拠点）",
    "amphibious-base-terrain": "上陸攻撃（基本地形）",
    "amphibious-strongpoint": "上陸攻撃（拠点）",
    "amphibious-assault": "強襲上陸",
}

TRANSLATED = frozenset({"terrain", "kind", "actual"})
"""The facts whose values are such words."""


def say(word: str, lang: str) -> str:
    """A technical word in a language; one that is not in the table stays as it is."""
    if lang == "ja":
        return _JA.get(word, word)
    return word.replace("-", " ") if word in _JA else word
