"""The readings of the addendum's gaps, each an option that a table of players may set otherwise."""

from __future__ import annotations

from service.rulings import Option, Text


def _option(option_id: str, default: str, other: str | tuple[str, ...], en: str, ja: str) -> Option:
    others = (other,) if isinstance(other, str) else other
    return Option(option_id, default, (default, *others), Text(en, ja))


OPTIONS = (
    _option(
        "G-A1",
        "close-frontal",
        "no-attack",
        "A road-bound attacker against a defender deployed in the same hex.",
        "道路を離れられない攻撃側と、同じヘクスに展開した防御側。",
    ),
    _option(
        "G-A2",
        "bound",
        "free",
        "Whether bombardment is bound by adjacency at the start of the step and by move-or-attack.",
        "準備砲撃にも、行動ステップ開始時の隣接と「移動か攻撃か」の制限がかかるか。",
    ),
    _option(
        "G-A3",
        "flank",
        "frontal",
        "Both sides on the road in one hex.",
        "同じヘクスで両軍とも道路上にいる場合。",
    ),
    _option(
        "G-A4",
        "in-strongpoint",
        "undetermined",
        "The defence of a unit in an airfield or port: a strongpoint, without the urban area's benefit.",
        "飛行場や港にいるユニットの防御：市街地の恩恵のない拠点防御とするか。",
    ),
    _option(
        "G-A5",
        "undetermined",
        ("legal", "illegal"),
        "Whether a unit that can enter the base terrain may choose the on-road attack.",
        "基本地形に進入できるユニットが、道路上からの攻撃を選べるか。",
    ),
    _option(
        "G-A7",
        "river-only",
        "allowed",
        "Bombardment between opponents in one hex.",
        "同じヘクス内の敵に対する準備砲撃。",
    ),
    _option(
        "G-A19",
        "no-attack",
        "undetermined",
        "Land attack along a road or rail that crosses a blocked hexside.",
        "通行不能なヘクスサイドを越える道路・鉄道沿いの地上攻撃。",
    ),
    _option(
        "G-A21",
        "no-limit",
        "as-strait",
        "Whether the banks of an in-hex river limit adjacency.",
        "ヘクス内の河川の両岸が隣接関係を制限するか。",
    ),
    _option(
        "G-A24",
        "allowed",
        "not-allowed",
        "On-road frontal attack when the defender is deployed off the road.",
        "防御側が道路を離れて展開しているときの、道路上からの正面攻撃。",
    ),
    _option(
        "G-A25",
        "on-road-flank",
        "undetermined",
        "A defender on the road who could deploy and does not say so.",
        "展開できるのに宣言しなかった、道路上の防御側。",
    ),
    _option(
        "G-A26",
        "attacked-units",
        "any-enemy-in-hex",
        "To which enemy units an attacker must be adjacent at the start of the step.",
        "行動ステップ開始時に、どの敵ユニットに隣接していなければならないか。",
    ),
)
