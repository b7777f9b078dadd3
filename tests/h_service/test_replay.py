"""What the steps of a log mean: moves, declarations, combats, the ends of action steps."""

from __future__ import annotations

import pytest

from service.replay import Replay
from tests.h_service.playing import Facts, Playing, illegal, way

GEB: Facts = ("German", "mountain", "B6024", {"Name": "Geb 3", "NameJa": "第3山岳師団"})
GEB5: Facts = ("German", "mountain", "B6024", {"Name": "Geb 5"})
MECH: Facts = ("German", "mechanised", "F0123", {"Name": "Mech 16"})
ALPINE: Facts = ("Allied", "mountain", "B6023", {"Name": "Alpine 6", "NameJa": "第6アルペン師団"})
INF: Facts = ("German", "infantry", "F0125", {"Name": "Inf 163", "Bank": "E"})
OSLO: Facts = ("Allied", "infantry", "F0224", {"Name": "Oslo Bde 2", "Mode": "deployed"})
UNITS: dict[str, Facts] = {"geb": GEB, "mech": MECH, "alp": ALPINE}


def playing(**more: Facts) -> Playing:
    return Playing(UNITS | more)


# Moves


def test_consecutive_drags_of_one_unit_are_one_move() -> None:
    game = Playing({"geb": GEB}).drag("geb", to="B6025", Bank="W").drag("geb", to="F0125")
    (ruling,) = game.say("geb", Bank="W", Arrived="land").report().rulings
    assert ruling.step == "1.2"
    assert ruling.steps == ("1.1", "1.2")
    assert ruling.verdict == "legal"
    assert way(ruling) == ["B6024", "B6025", "B6125"]
    assert ruling.actor == "p1"


def test_another_unit_between_makes_them_two() -> None:
    game = Playing({"geb": GEB, "mech": MECH}).drag("geb", to="B6025").say("geb", Bank="W")
    game.drag("mech", to="F0322").drag("geb", to="B6024")
    rulings = game.rulings()
    assert list(rulings) == ["1.1", "1.3", "1.4"]
    assert illegal(rulings["1.4"]) == {"weu.A11"}


def test_menu_words_do_not_interrupt_a_move() -> None:
    game = Playing({"geb": GEB, "mech": MECH}).drag("geb", to="B5923").say("mech", Mode="deployed")
    game.chat("and on").drag("geb", to="B5823")
    (ruling,) = game.report().rulings
    assert ruling.steps == ("1.1", "1.4")


def test_drag_of_a_stack_is_a_move_of_each_member() -> None:
    game = Playing({"geb": GEB, "geb5": GEB5}).drag("geb", "geb5", to="F0223")
    game.drag("geb", to="F0222")
    rulings = game.rulings()
    assert list(rulings) == ["1.1", "1.2"]
    assert rulings["1.1"].units == ("Geb 5",)
    assert rulings["1.2"].steps == ("1.1", "1.2")
    whole = Playing({"geb": GEB, "geb5": GEB5}).drag("geb", "geb5", to="F0223").rulings()
    assert list(whole) == ["1.1 Geb 3", "1.1 Geb 5"]


def test_what_is_said_after_the_drag_holds_for_it() -> None:
    game = Playing({"fj": ("German", "airborne", "C5001", {})}).drag("fj", to="B5431")
    assert game.rulings()["1.1"].verdict == "undetermined"
    game.say("fj", Arrived="air").say("fj", Mode="bp").say("fj", Site="aalborg-airfield")
    assert game.rulings()["1.1"].verdict == "legal"
    assert illegal(game.say("fj", Bank="S").rulings()["1.1"]) == {"weu.A9"}


def test_but_not_after_another_unit_has_acted() -> None:
    units = {"fj": ("German", "airborne", "C5001", {}), "geb": GEB}
    game = Playing(units).drag("fj", to="B5431").say("fj", Arrived="air").drag("geb", to="F0223")
    ruling = game.say("fj", Bank="N").rulings()["1.1"]
    assert ruling.verdict == "undetermined"
    assert ruling.missing == ("fj.bank",)


def test_gap_is_filled_by_the_cheapest_legal_way() -> None:
    ruling = Playing({"inf": INF}).drag("inf", to="F0224").rulings()["1.1"]
    assert way(ruling) == ["B6125", "F0225", "F0224"]
    west = ("German", "infantry", "F0125", {"Bank": "W"})
    assert way(Playing({"inf": west}).drag("inf", to="F0224").rulings()["1.1"]) == [
        "B6125",
        "F0224",
    ]


def test_move_off_the_map_or_along_its_rim_is_none() -> None:
    game = Playing({"geb": GEB}).drag("geb", to="off")
    assert game.report().rulings == ()
    ruling = game.drag("geb", to="F0223").rulings()["1.2"]
    assert way(ruling) == ["F0223"]
    assert ruling.missing == ("Geb 3.arrived",)


def test_drag_inside_a_hex_is_no_move() -> None:
    game = Playing({"geb": GEB})
    game.units["geb"].at = (game.units["geb"].at[0] + 20, game.units["geb"].at[1])
    x, y = game.units["geb"].at
    game.step(f"M/geb/Denmark and the Skagerrak/{x}/{y}/null/x/0/0/null/pw-1")
    assert game.report().rulings == ()


def test_counter_that_is_placed_has_not_moved() -> None:
    game = Playing({"geb": GEB}).step(Playing({"geb5": GEB5}).units["geb5"].add())
    (ruling,) = game.report().rulings
    assert (ruling.action, ruling.verdict) == ("placement", "not-checked")


def test_counter_removed_while_its_move_is_open() -> None:
    game = Playing({"geb": GEB}).drag("geb", to="F0223").delete("geb")
    ruling = game.rulings()["1.1"]
    assert ruling.units == ("Geb 3",)
    assert ruling.verdict == "legal"


def test_second_move_in_a_step_and_a_first_in_the_next() -> None:
    game = Playing({"geb": GEB, "mech": MECH}).drag("geb", to="F0223").drag("mech", to="F0322")
    game.drag("geb", to="F0222").next().drag("geb", to="F0223")
    rulings = game.rulings()
    assert illegal(rulings["1.3"]) == {"weu.A11"}
    assert rulings["1.5"].verdict == "legal"


def test_undone_drag_is_not_judged() -> None:
    game = Playing({"geb": GEB}).drag("geb", to="F0223").undo_drag("geb", to="B6024")
    report = game.report()
    assert report.rulings == ()
    assert report.undone == ("1.1",)
    (ruling,) = game.drag("geb", to="B6025").say("geb", Bank="W").report().rulings
    assert ruling.steps == ("1.3",)


# Attacks


def test_attack_is_ruled_at_the_step_that_completes_it() -> None:
    rulings = playing().attack("geb", "B6023").rulings()
    assert list(rulings) == ["1.2"]
    assert rulings["1.2"].verdict == "legal"
    reverse = playing().say("geb", Target="B6023").say("geb", Action="attack").rulings()
    assert list(reverse) == ["1.2"]


@pytest.mark.parametrize("target", ["B6023", "b6023", "Alpine 6", "第6アルペン師団", " B6023 "])
def test_target_is_a_hex_or_a_unit_in_either_language(target: str) -> None:
    assert playing().attack("geb", target).rulings()["1.2"].verdict == "legal"


@pytest.mark.parametrize("target", ["Alpine", "B9999", "Geb 3", "   ", "F0101"])
def test_target_that_names_nothing_is_missing(target: str) -> None:
    ruling = playing().attack("geb", target).rulings()["1.2"]
    assert ruling.verdict == "undetermined"
    assert ruling.missing == ("Geb 3.target",)
    assert ruling.action == "attack"


def test_ambiguous_name_is_never_the_first_match() -> None:
    twin = ("Allied", "mountain", "F0122", {"Name": "Alpine 6"})
    ruling = playing(twin=twin).attack("geb", "Alpine 6").rulings()["1.2"]
    assert ruling.verdict == "undetermined"
    assert ruling.missing == ("Geb 3.target",)


def test_attacker_outside_the_map() -> None:
    nowhere = ("German", "mountain", "off", {"Name": "Geb 5"})
    ruling = playing(geb5=nowhere).attack("geb5", "B6023").rulings()["1.2"]
    assert ruling.missing == ("Geb 5.hex",)


def test_log_without_steps_has_no_rulings() -> None:
    report = playing().report()
    assert report.rulings == ()
    assert report.steps == 0


def test_target_declared_anew_replaces_the_first() -> None:
    other = ("Allied", "infantry", "B5924", {"Name": "Bde 15"})
    game = playing(bde=other).attack("geb", "B6023").say("geb", Target="B5924")
    rulings = game.rulings()
    assert list(rulings) == ["1.2", "1.3"]
    assert {r.verdict for r in rulings.values()} == {"legal"}


def test_attack_ends_every_open_move() -> None:
    game = playing().drag("mech", to="F0322").attack("geb", "B6023").drag("mech", to="F0123")
    rulings = game.rulings()
    assert list(rulings) == ["1.1", "1.3", "1.4"]
    assert illegal(rulings["1.4"]) == {"weu.A11"}


def test_move_after_an_attack() -> None:
    rulings = playing().attack("geb", "B6023").drag("geb", to="F0223", Arrived="land").rulings()
    assert illegal(rulings["1.3"]) == {"weu.A16"}


def test_drag_after_an_attack_may_be_a_retreat_or_an_advance() -> None:
    unsaid = playing().attack("geb", "B6023").drag("geb", to="F0223").rulings()["1.3"]
    assert unsaid.verdict == "undetermined"
    assert unsaid.missing == ("Geb 3.action (move, retreat or advance)",)
    said = playing().attack("geb", "B6023").drag("geb", to="F0223", Action="retreat").rulings()
    assert said["1.3"].missing == ("G-A28 (retreats and advances)",)


def test_attack_that_is_taken_back_spends_nobody() -> None:
    game = playing().attack("geb", "B6023").say("geb", Action="").drag("geb", to="F0223")
    assert list(game.rulings().values())[-1].verdict == "legal"


def test_what_a_counter_said_of_its_move_is_not_lost_with_it() -> None:
    game = playing().drag("geb", to="F0223").say("geb", Arrived="land").delete("geb")
    (way,) = game.rulings()["1.1"].result.values()
    assert isinstance(way, dict)
    assert way["arrived"] == "land"


def test_mistyped_order_is_said_to_be_not_understood() -> None:
    report = playing().chat("!resolve ZZZZ").report()
    assert any("!resolve ZZZZ" in name for name in report.not_understood)


def test_declaration_of_another_action_is_no_attack() -> None:
    game = playing().say("geb", Action="search").say("geb", Target="B6023")
    assert game.report().rulings == ()


def test_second_attack_after_the_first_was_resolved() -> None:
    game = playing().attack("geb", "B6023").chat("!resolve B6023").attack("geb", "B6023", "bombard")
    # The action changes first, and the old target still stands.
    assert illegal(game.rulings()["1.4"]) == {"weu.A11"}


# Combats


@pytest.mark.parametrize("order", ["!resolve B6023", "!解決 B6023", "！RESOLVE b6023"])
def test_resolve_makes_one_combat_of_all_attacks_on_the_hex(order: str) -> None:
    game = playing().attack("geb", "B6023").attack("mech", "B6023", "bombard").chat(order)
    rulings = game.rulings()
    combat = rulings["1.5"]
    assert combat.action == "combat"
    assert combat.units == ("Geb 3", "Mech 16")
    assert combat.verdict == "legal"
    moved = game.drag("geb", to="F0223", Arrived="land").rulings()
    assert illegal(moved["1.6"]) == {"weu.A16"}


def test_one_attack_alone_is_no_combat() -> None:
    game = playing().attack("geb", "B6023").chat("!resolve B6023")
    assert list(game.rulings()) == ["1.2"]
    assert illegal(game.attack("geb", "B6023", "bombard").rulings()["1.4"]) == {"weu.A11"}


@pytest.mark.parametrize("line", ["resolve B6023", "!resolve", "!resolve Z9999", "!resolve F0101"])
def test_other_chat_resolves_nothing(line: str) -> None:
    game = playing().attack("geb", "B6023").attack("mech", "B6023", "bombard").chat(line)
    # The combat is that of the end of the log.
    assert list(game.chat("and so on").rulings()) == ["1.2", "1.4", "1.6"]


def test_resolve_of_one_hex_leaves_the_other() -> None:
    more: dict[str, Facts] = {
        "bde": ("Allied", "infantry", "F0322", {}),
        "inf": ("German", "infantry", "F0422", {}),
        "inf2": ("German", "infantry", "F0422", {}),
    }
    game = playing(**more).attack("geb", "B6023").attack("mech", "B6023", "bombard")
    game.attack("inf", "F0322").attack("inf2", "F0322").chat("!resolve F0322").next()
    rulings = game.rulings()
    assert rulings["1.9"].units == ("inf", "inf2")
    assert rulings["1.11"].units == ("Geb 3", "Mech 16")


def test_end_of_the_action_step_resolves_what_is_left() -> None:
    game = playing().attack("geb", "B6023").attack("mech", "B6023", "bombard").next()
    rulings = game.rulings()
    assert list(rulings) == ["1.2", "1.4", "1.6"]
    assert rulings["1.6"].action == "combat"
    game.attack("geb", "B6023")
    assert game.rulings()["1.8"].verdict == "legal"


def test_tracker_that_clears_nothing_resolves_as_well() -> None:
    game = playing().attack("geb", "B6023").attack("mech", "B6023", "bombard").turn()
    assert game.rulings()["1.5"].action == "combat"


def test_end_of_the_log_resolves_too() -> None:
    game = playing().attack("geb", "B6023").attack("mech", "B6023", "bombard")
    assert [r.action for r in game.report().rulings] == ["adjacent-attack", "bombardment", "combat"]


def test_open_move_is_read_before_the_tracker_clears_it() -> None:
    game = Playing({"fj": ("German", "airborne", "C5001", {})}).drag("fj", to="B5431")
    game.say("fj", Arrived="air", Bank="N").next()
    assert game.rulings()["1.1"].verdict == "legal"


def test_losses_before_the_step_ends_do_not_undo_the_combat() -> None:
    """Beaten and eliminated counters are taken off; the combat is that of the last declaration."""
    game = playing().attack("geb", "Alpine 6").attack("mech", "Alpine 6", "bombard")
    game.delete("alp").delete("mech").next()
    combat = game.rulings()["1.8"]
    assert combat.units == ("Geb 3", "Mech 16")
    assert combat.verdict == "legal"


def test_losses_before_the_combat_is_resolved() -> None:
    game = playing().attack("geb", "Alpine 6").attack("mech", "Alpine 6", "bombard")
    game.delete("mech").chat("!resolve B6023")
    assert game.rulings()["1.6"].units == ("Geb 3", "Mech 16")


def test_attacker_gone_before_another_declared_is_left_out() -> None:
    game = playing(geb5=GEB5).attack("geb5", "B6023").delete("geb5").attack("geb", "B6023")
    game.attack("mech", "B6023", "bombard").next()
    assert game.rulings()["1.9"].units == ("Geb 3", "Mech 16")


def test_attacker_dragged_off_the_map_before_the_combat() -> None:
    game = playing().attack("geb", "B6023").attack("mech", "B6023", "bombard")
    game.drag("mech", to="off").chat("!resolve B6023")
    combat = game.rulings()["1.6"]
    assert combat.missing == ("Mech 16.hex",)


# Consequences


def test_what_hangs_on_an_illegal_move_says_so() -> None:
    units = {"mech": MECH, "inf": (*OSLO[:2], "F0322", {"Name": "Bde"}), "geb": GEB, "alp": ALPINE}
    game = Playing(units).drag("mech", to="B6023").say("mech", Arrived="land").next("Allied", 1)
    game.attack("alp", "F0123").attack("inf", "B6023")
    rulings = game.rulings()
    assert illegal(rulings["1.1"]) == {"weu.A30"}
    assert rulings["1.1"].depends_on == ()
    later = [r for r in rulings.values() if r.step != "1.1"]
    assert any(r.depends_on == ("1.1",) for r in later)


def test_mover_without_a_hex_before_is_new_on_the_map() -> None:
    game = Playing({"fj": ("German", "airborne", "off", {})}).drag("fj", to="F0223", Arrived="air")
    ruling = game.rulings()["1.1"]
    assert ruling.verdict == "legal"
    assert way(ruling) == ["F0223"]


# Facts that a counter states wrongly


def test_bank_that_the_hex_does_not_have_says_nothing() -> None:
    lost: Facts = ("German", "infantry", "F0125", {"Name": "Inf", "Bank": "N"})
    attack = Playing({"inf": lost, "oslo": OSLO}).attack("inf", "F0224").rulings()["1.2"]
    assert attack.missing == ("Inf.bank",)
    # A way leads to F0224 from either bank.
    assert Playing({"inf": lost}).drag("inf", to="F0224").rulings()["1.1"].verdict == "legal"
    game = Playing({"geb": GEB}).drag("geb", to="F0125").say("geb", Bank="S", Arrived="land")
    assert game.rulings()["1.1"].missing == ("Geb 3.bank",)


def test_words_that_no_menu_has_are_not_known() -> None:
    odd: Facts = ("German", "mountain", "B6023", {"Mode": "flying", "Arrived": "rail"})
    ruling = Playing({"odd": odd, "alp": ALPINE}).attack("odd", "B6023").rulings()["1.2"]
    assert set(ruling.missing) == {"Alpine 6.position", "odd.position"}


# Hidden pieces


def test_masked_units_are_left_out_and_that_is_said() -> None:
    hidden = ("Allied", "mountain", "B6023", {"mask": "pw-2"})
    game = Playing({"geb": GEB, "alp": hidden}).attack("geb", "B6023")
    report = game.report()
    assert report.rulings[0].missing == ("hidden units",)
    assert report.not_understood == ("masked or invisible pieces: left out",)


def test_unit_that_is_unmasked_while_it_is_dragged_has_no_known_start() -> None:
    game = Playing({"geb": (*GEB[:3], {"mask": "pw-1"})})
    game.units["geb"].mask = "null"
    game.drag("geb", to="F0223")
    assert game.report().rulings == ()


def test_unknown_commands_are_named() -> None:
    game = Playing({"geb": GEB}).step("NEWTHING\tsecret-9")
    assert game.report().not_understood == ("command NEWTHING",)


# The plays themselves


def test_play_holds_the_situation_before_and_after() -> None:
    from service.facts import FactReader
    from service.games import load_game
    from tests.h_service.material import hex_map, module
    from tests.h_service.playing import window
    from vmod_tools.archive import Archive
    from vmod_tools.logs import Log

    log = Log.read(Archive.parse(Playing({"geb": GEB}).drag("geb", to="F0223").data()))
    reader = FactReader(load_game("weu"), module(), hex_map(), window())
    (play,) = Replay(log, reader, number=7).plays()
    assert play.step == "7.1"
    before, after = play.before.units[play.units[0].id], play.after.units[play.units[0].id]
    assert before.hex != after.hex
    assert before.start_hex == after.start_hex == before.hex
    assert (play.before.active, play.before.turn, play.before.step) == ("German", "1", "1")
