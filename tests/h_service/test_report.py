"""Reports and facts at their edges: what the text shows, and pieces that are no units of the map."""

from __future__ import annotations

import pytest

from service.facts import FactReader
from service.games import GameError, game_ids, load_game
from service.report.text import report_text, ruling_text
from service.rulings import RuleRuling, Ruling
from service.situation import UnitId
from tests.h_service.material import hex_map, module, report_on
from tests.h_service.playing import Facts, Playing, window
from tests.support import crafted
from vmod_tools.archive import Archive
from vmod_tools.errors import VmodError
from vmod_tools.logs import Log
from vmod_tools.pieces import Place

GEB: Facts = ("German", "mountain", "B6024", {"Name": "Geb 3"})


def reader() -> FactReader:
    return FactReader(load_game("weu"), module(), hex_map(), window())


def test_text_shows_what_a_ruling_hangs_on() -> None:
    part = RuleRuling(
        "weu.A1", "P1.1", "illegal", {"way": ["0101", "0102"], "n": None}, {"en": "x"}
    )
    ruling = Ruling("move", ("a",), "illegal", (part,), depends_on=("1.2", "1.4"), step="1.5")
    text = ruling_text(ruling, "en")
    assert "    hangs on the illegal step 1.2, 1.4\n" in text
    assert "      facts: way=0101, 0102; n=?\n" in text


def test_text_of_a_report_without_rulings() -> None:
    text = report_text(Playing({"geb": GEB}).report(), "a\u202eb.vlog", "en")
    assert text == "a\\u202eb.vlog: weu, 0 steps: -\n"


def test_text_names_what_was_not_understood() -> None:
    report = Playing({"geb": GEB}).step("STRANGE\thush-77").report()
    for lang in ("en", "ja"):
        text = report_text(report, "x", lang)
        assert "command STRANGE" in text
        assert "hush-77" not in text


def test_report_says_what_it_takes_for_granted_and_cannot_prove() -> None:
    report = Playing({"geb": GEB}).report()
    assert report.assumptions
    assert report.cannot_prove
    assert report.counts == {"legal": 0, "illegal": 0, "undetermined": 0, "not-checked": 0}
    assert report.log_module == report.module_name == "Denmark and the Skagerrak"


def test_log_that_names_no_module_passes() -> None:
    game = Playing({"geb": GEB})
    data = crafted.game(crafted.save_text(game.units["geb"].add()))
    assert report_on(data).log_module is None


def test_pieces_elsewhere_and_pieces_that_are_gone() -> None:
    facts = reader()
    state = Log.read(Archive.parse(Playing({"geb": GEB}).data())).start.state
    assert facts.cell(state, Place("Reserves", 100, 100)) is None
    assert facts.declared(state, UnitId("gone")) == ("", "")
    assert facts.is_cleared(state, UnitId("gone"))
    other = FactReader(load_game("weu"), module(), hex_map(), "No such window")
    assert other.cell(state, Place("No such window", 1, 1)) is None


def test_piece_without_side_or_class_is_no_unit() -> None:
    units: dict[str, Facts] = {
        "marker": ("", "", "B6024", {}),
        "neutral": ("Swedish", "mountain", "B6024", {}),
        "classless": ("German", "", "B6024", {}),
        "geb": GEB,
    }
    state = Log.read(Archive.parse(Playing(units).data())).start.state
    assert list(reader().units(state)) == ["geb"]
    unit = reader().units(state)[UnitId("geb")]
    assert unit.landing_craft is False
    assert unit.name == "Geb 3"


def test_unknown_class_leaves_the_ruling_open() -> None:
    ghost: Facts = ("German", "dragoons", "B6024", {"Name": "Ghost"})
    alp: Facts = ("Allied", "mountain", "B6023", {})
    ruling = Playing({"g": ghost, "alp": alp}).attack("g", "B6023").rulings()["1.2"]
    assert ruling.missing == ("Ghost.class",)


def test_strongpoint_of_a_defender_gives_the_defence_against_adjacent_attack() -> None:
    defences = {}
    for site in ("kongsberg-town", "nowhere", ""):
        bde: Facts = ("Allied", "infantry", "B5924", {"Name": "Bde", "Mode": "bp", "Site": site})
        ruling = Playing({"geb": GEB, "bde": bde}).attack("geb", "B5924").rulings()["1.2"]
        result = ruling.result["geb"]
        assert isinstance(result, dict)
        defences[site] = result["defence"]["Bde"]
    assert defences == {"kongsberg-town": "concentrated-strongpoint", "nowhere": None, "": None}


def test_games_are_found_by_name_only() -> None:
    assert game_ids() == ("weu",)
    for name in ("", "../weu", "weu.toml", "WEU"):
        with pytest.raises(GameError, match="GAME_UNKNOWN"):
            load_game(name)


def test_module_of_another_name() -> None:
    text = crafted.save_text(crafted.piece("1", 1, 1))
    with pytest.raises(VmodError, match="MODULE_MISMATCH"):
        report_on(crafted.game(text, module="Tannenberg"))


def test_map_of_the_game_stands_in_for_one_that_is_not_embedded() -> None:
    """A module of which the embedded document was taken out is judged on the game's own map."""
    from service.check import check_log
    from tests.h_service.material import log_data
    from vmod_tools.build.builder import EMBEDDED_MAP
    from vmod_tools.modules import Module

    archive = module().archive
    members = {
        entry.name: archive.read(entry) for entry in archive.entries if entry.name != EMBEDDED_MAP
    }
    bare = Module.read(Archive.parse(crafted.zip_of(members)))
    assert bare.archive.find(EMBEDDED_MAP) is None
    found = check_log(log_data("aalborg"), bare, load_game("weu"))
    assert found.rulings == report_on(log_data("aalborg")).rulings
