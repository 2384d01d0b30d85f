"""Hidden initial placement [15.0]: what the enemy may not know of a gun, and what brings it to light."""

from __future__ import annotations

import pytest

from desert_envs.games.rommels_panzers.codes import Flag
from tests.games.rommels_panzers.helpers import destroyed, flag, game, legal_texts, pass_to, place, play, position, roll

GERMAN, BRITISH = 0, 1


def seen(position, player) -> bytes:
    """All that a player is shown of a position."""
    return b"".join(array.tobytes() for array in position.observe(player))


# ---- Hidden


@pytest.mark.rule("15.0")
def test_the_enemy_is_not_shown_where_a_hidden_gun_is():
    one, other = (
        position(
            "mixed_assault turn 2 german first movement | german: III 1715 S "
            f"| british: C-II 2418 N, BFR {hex_} dug-in hidden"
        )
        for hex_ in ("2012", "2525")
    )
    assert seen(one, GERMAN) == seen(other, GERMAN)
    assert seen(one, BRITISH) != seen(other, BRITISH)


@pytest.mark.rule("15.0")
def test_the_enemy_is_shown_a_gun_that_is_not_hidden():
    one, other = (
        position(
            f"mixed_assault turn 2 german first movement | german: III 1715 S | british: C-II 2418 N, BFR {hex_} dug-in"
        )
        for hex_ in ("2012", "2525")
    )
    assert seen(one, GERMAN) != seen(other, GERMAN)


@pytest.mark.rule("15.0")
def test_where_a_hidden_gun_is_set_up_is_kept_from_the_enemy_but_not_where_a_tank_is():
    set_up = game().start("mixed_assault")
    kept = set()
    while set_up.state.phase == 0:
        for text in sorted(legal_texts(set_up))[:1]:
            if text.startswith("place"):
                kept.add(
                    (
                        text.split()[1].rpartition("-")[0],
                        set_up.game.hidden(set_up.board, set_up.state, set_up.find(text)),
                    )
                )
            play(set_up, text)
    assert kept == {("MAT", False), ("GR", False), ("ST", False), ("C-II", False), ("BFR", True), ("2-PDR", True)}
    assert flag(set_up, "BFR-1", Flag.HIDDEN)
    assert flag(set_up, "BFR-1", Flag.DUG_IN)


@pytest.mark.rule("15.0", "19.2", "19.6.2")
@pytest.mark.parametrize(("scenario", "gun"), [("charge", "88"), ("airfield_assault", "6-PDR")])
def test_guns_of_other_scenarios_are_not_hidden(scenario, gun):
    set_up = game().start(scenario)
    while set_up.state.phase == 0:
        set_up.apply(set_up.legal_actions()[-1])
    assert not flag(set_up, f"{gun}-1", Flag.HIDDEN)
    assert flag(set_up, f"{gun}-1", Flag.DUG_IN)


@pytest.mark.rule("15.0")
@pytest.mark.parametrize(("hidden", "shown"), [("hidden", False), ("", True)])
def test_a_hidden_gun_cannot_be_fired_at(hidden, shown):
    fire = position(
        "mixed_assault turn 2 german stationary fire | german: III 1011 S "
        f"| british: C-II 1014 N, ST 1015 N, BFR 1013 dug-in {hidden}"
    )
    play(fire, "choose III-1 at 1011")
    targets = {"III-1 fires at C-II-1 at 1014", "III-1 fires at ST-1 at 1015", "III-1 fires at BFR-1 at 1013"}
    assert legal_texts(fire) == (targets if shown else targets - {"III-1 fires at BFR-1 at 1013"})


@pytest.mark.rule("15.0")
@pytest.mark.parametrize(("hidden", "shown"), [("hidden", False), ("", True)])
def test_a_hidden_gun_cannot_be_chosen_to_be_overrun(hidden, shown):
    move = position(
        f"mixed_assault turn 2 german first movement | german: III 1710 S | british: BFR 1712 dug-in {hidden}"
    )
    play(move, "choose III-1 at 1710")
    assert ("III-1 overruns BFR-1 at 1712" in legal_texts(move)) is shown
    assert ("III-1 to 1712" in legal_texts(move)) is not shown  # it reads like any other hex


# ---- Brought to light


@pytest.mark.rule("15.0")
def test_firing_reveals_a_gun():
    fire = position(
        "mixed_assault turn 2 british stationary fire | german: III 1011 S "
        "| british: BFR 1017 hidden dug-in, 2-PDR 1115 hidden dug-in"
    )
    play(roll(fire, 6), "choose BFR-1 at 1017")
    assert not flag(fire, "BFR-1", Flag.HIDDEN)
    assert flag(fire, "2-PDR-1", Flag.HIDDEN)


@pytest.mark.rule("15.0")
def test_a_gun_that_does_not_fire_stays_hidden():
    fire = position("mixed_assault turn 2 german defensive fire | german: III 1011 S | british: BFR 1017 hidden dug-in")
    pass_to(fire, 3, "german", "first movement")
    assert flag(fire, "BFR-1", Flag.HIDDEN)


@pytest.mark.rule("15.0")
def test_moving_reveals_a_gun():
    move = position(
        "mixed_assault turn 2 british first movement | german: III 0101 S "
        "| british: BFR 1716 hidden dug-in, 2-PDR 2020 hidden dug-in"
    )
    play(move, "choose BFR-1 at 1716", "BFR-1 to 1717")
    assert not flag(move, "BFR-1", Flag.HIDDEN)
    assert flag(move, "2-PDR-1", Flag.HIDDEN)


STEPS = [  # toward a gun in 1716: from, to, and whether that is next to it
    *(("1714", "1715", True), ("1916", "1816", True), ("1918", "1817", True)),
    *(("1718", "1717", True), ("1516", "1616", True), ("1514", "1615", True)),
    *(("1713", "1714", False), ("1814", "1815", False), ("1819", "1818", False)),
    *(("1719", "1718", False), ("1618", "1617", False), ("1613", "1614", False)),
]


@pytest.mark.rule("15.0")
@pytest.mark.parametrize(("start", "hex_", "next_to"), STEPS)
def test_an_enemy_unit_reveals_a_hidden_gun_from_the_six_hexes_next_to_it(start, hex_, next_to):
    move = position(
        f"airfield_assault turn 2 german first movement | german: TRK {start} | british: BFR 1716 dug-in hidden"
    )
    play(move, f"choose TRK-1 at {start}", f"TRK-1 to {hex_}")
    assert flag(move, "BFR-1", Flag.HIDDEN) is not next_to


@pytest.mark.rule("15.0")
@pytest.mark.parametrize(("phase", "facing"), [("first movement", ["III-1 arrives facing S"]), ("second movement", [])])
def test_a_tank_reveals_in_either_movement_phase(phase, facing):
    move = position(
        f"mixed_assault turn 2 german {phase} | german: III 1713 S | british: BFR 1716 hidden dug-in emergency-fired"
    )
    play(move, "choose III-1 at 1713", "III-1 to 1715", *facing)
    assert not flag(move, "BFR-1", Flag.HIDDEN)


@pytest.mark.rule("15.0")
def test_a_tank_that_runs_into_a_hidden_gun_stops_next_to_it_and_may_go_on():
    move = position("mixed_assault turn 2 german second movement | german: II 1713 S | british: BFR 1716 hidden dug-in")
    play(move, "choose II-1 at 1713", "II-1 to 1716")
    assert place(move, "II-1") == "1715"
    assert not flag(move, "BFR-1", Flag.HIDDEN)
    assert {"II-1 stops", "II-1 to 1816", "II-1 to 1615"} <= legal_texts(move)  # two of three hexes spent
    assert not {"II-1 to 1716", "II-1 overruns BFR-1 at 1716"} & legal_texts(move)


@pytest.mark.rule("12.3", "15.0")
def test_emergency_fire_reveals_a_hidden_gun():
    # Bofors at the front of an adjacent III: hit for certain, 2 * 12 = 24 against 15, so 1-1, destroyed by a 2.
    move = position("mixed_assault turn 2 german first movement | german: III 1713 S | british: BFR 1716 hidden dug-in")
    play(move, "choose III-1 at 1713", "III-1 to 1715")
    play(roll(move, 2), "III-1 arrives facing S")
    assert destroyed(move, "III-1")
    assert not flag(move, "BFR-1", Flag.HIDDEN)


@pytest.mark.rule("15.0")
def test_once_seen_a_gun_is_not_hidden_again():
    move = position(
        "mixed_assault turn 2 german first movement | german: 28 1713, III 0101 S | british: BFR 1716 hidden dug-in"
    )
    play(move, "choose 28-1 at 1713", "28-1 to 1715", "28-1 to 1714")
    assert not flag(move, "BFR-1", Flag.HIDDEN)


# ---- What would tell of a hidden gun


@pytest.mark.rule("15.0")
@pytest.mark.parametrize(
    ("phase", "side"), [("first movement", "british"), ("stationary fire", "british"), ("defensive fire", "german")]
)
def test_who_has_a_hidden_gun_is_asked_even_if_it_can_do_nothing(phase, side):
    # The only tank is 20 hexes behind ridges, or the gun's own tank stands in every way: that must not show.
    for gun in ("BFR 3037 dug-in hidden", "BFR 1012 dug-in hidden"):
        asked = position(f"mixed_assault turn 2 {side} {phase} | german: III 1011 S | british: {gun}")
        assert asked.player == BRITISH
        assert asked.state.phase == ("first movement", "stationary fire", "defensive fire").index(phase) + 1
        assert f"end {phase}" in legal_texts(asked)


@pytest.mark.rule("15.0")
def test_without_a_hidden_gun_a_phase_in_which_nothing_can_be_done_is_passed_over():
    for hidden, phase in (("hidden", 3), ("", 5)):
        fire = position(
            f"mixed_assault turn 2 german defensive fire | german: III 0101 S moved | british: BFR 3037 dug-in {hidden}"
        )
        assert fire.state.phase == phase


@pytest.mark.rule("15.0")
def test_a_hidden_gun_that_is_chosen_looks_as_if_nothing_had_been_chosen():
    text = (
        "mixed_assault turn 2 british {} | german: III 1011 S, II 1012 S | british: BFR 1017 hidden dug-in, ST 2025 N"
    )
    for phase in ("first movement", "stationary fire"):
        before = position(text.format(phase))
        after = play(before.copy(), "choose BFR-1 at 1017")
        assert after.state.decision != before.state.decision
        assert seen(after, GERMAN) == seen(before, GERMAN)
        assert seen(after, BRITISH) != seen(before, BRITISH)
        assert after.picture(GERMAN) == before.picture(GERMAN)
        assert seen(play(before.copy(), "choose ST-1 at 2025"), GERMAN) != seen(before, GERMAN)


@pytest.mark.rule("15.0")
def test_a_shot_of_a_hidden_gun_is_no_secret_and_neither_is_its_first_move():
    fire = position(
        "mixed_assault turn 2 british stationary fire | german: III 1011 S | british: BFR 1017 hidden dug-in"
    )
    choice = fire.find("choose BFR-1 at 1017")  # at the only target: it fires at once
    assert not fire.game.hidden(fire.board, fire.state, choice)
    move = position(
        "mixed_assault turn 2 british first movement | german: III 0101 S | british: BFR 1716 hidden dug-in"
    )
    choice = move.find("choose BFR-1 at 1716")
    assert move.game.hidden(move.board, move.state, choice)
    move.apply(choice)
    assert not move.game.hidden(move.board, move.state, move.find("BFR-1 to 1717"))
    assert move.game.hidden(move.board, move.state, move.find("BFR-1 stops"))


@pytest.mark.rule("15.0", "16.1")
def test_a_hidden_gun_directs_no_barrage():
    text = "airfield_assault turn 2 british stationary fire | german: III 0110 S | british: BFR 1716 dug-in {}"
    assert "barrage on 1716" in legal_texts(position(text.format("")))
    assert not any(words.startswith("barrage") for words in legal_texts(position(text.format("hidden"))))


@pytest.mark.rule("15.0", "19.6.2")
def test_a_hidden_gun_of_the_attacker_holds_no_building():
    for hidden, taken in (("", True), ("hidden", False)):
        move = position(
            f"airfield_assault turn 2 german first movement | german: 50 1311 {hidden}, III 0101 S "
            "| british: 2-PDR 3030 | buildings: 1312"
        )
        pass_to(move, 3, "german", "stationary fire")
        assert bool(move.state.buildings_taken.any()) is taken
