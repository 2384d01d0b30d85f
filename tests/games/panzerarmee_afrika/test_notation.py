"""The position notation: what a person writes is what is meant, it comes back, and faults are named."""

from __future__ import annotations

import numpy as np
import pytest

from desert_envs.engine import bits
from desert_envs.engine.errors import InputError
from desert_envs.engine.record import NOBODY, differing_fields
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Malta, Phase, Status
from desert_envs.games.panzerarmee_afrika.notation import read_state, unit_id, write
from desert_envs.games.panzerarmee_afrika.rules.set_up import set_up_game
from desert_envs.games.panzerarmee_afrika.rules.supply import determine_supply
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, STATE
from tests.games.panzerarmee_afrika.helpers import HEX, board, situation, unit
from tests.games.panzerarmee_afrika.random_games import GAME

TEXTS = [
    "campaign turn 3 axis movement | axis: G5Pz 2907 moved, I19 cadre, GRam1 coming | axis trucks: 2605 moved, "
    "none, due "
    "| axis supply: 2605 moved railed, 0316 | allied: A24Aus 2906, A4Arm 4810 strength 4 | allied trucks: wrecked 5 "
    "| ports: Bardia axis | bases: El-Agheila allied | points: german_armor 2, allied_infantry 10 "
    "| removals: infantry 2 unit, armor 1 either",
    "campaign turn 15 axis combat | axis: G5Pz 2907 chosen fought attack-supplied, I19 3007 unsupplied | allied: "
    "APol 3107 hit "
    "| pending: malta succeeded, options F+Bel, options-now 1, targets 3107+3108, loss 2, after attack, "
    "in-tobruk-since 0",
    "campaign turn 4 allied movement | allied: A24Aus 2907 chosen spent 3, APol 2906 grounded of-5 supplied "
    "| allied trucks: none, 2906 "
    "| pending: asked move, origin 2906, at 2907, spent 12, taken-back 2, way 1, crowded 2906, command 3, ports-used "
    "1+0+0+0+0+0+0+0+0+0+1+0",
    "campaign turn 20 axis removals over allied 2/3",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_back_with_the_same_meaning(text):
    own, state = situation(text)
    again, written = np.zeros(1, STATE), write(own, state)
    read_state(own, again[0], written)
    assert differing_fields(np.array(state).reshape(1), again) == []
    assert write(own, again[0]) == written


@pytest.mark.rule("5.42", "18.2")
def test_who_is_in_a_port_or_a_base_holds_it():
    _, state = situation("campaign turn 3 axis | axis: G5Pz 2906, G8Pz 6311 | allied supply: 0216")
    assert (state.port_owner.tolist(), state.base_owner.tolist()) == ([AXIS, ALLIED, AXIS], [ALLIED, AXIS])


@pytest.mark.parametrize("scenario", ["campaign", "battleaxe", "crusader", "gazala", "frontier"])
def test_the_set_up_of_a_scenario_comes_back(scenario):
    own, states = board(scenario), np.zeros((2, 1), STATE)
    first = states[0][0]
    set_up_game(own, first, np.uint64(0))
    first.phase, first.phasing = Phase.MOVEMENT, ALLIED
    determine_supply(own, first, AXIS)
    determine_supply(own, first, ALLIED)
    read_state(own, states[1][0], write(own, first))
    assert differing_fields(states[0], states[1]) == []


def test_what_a_text_says():
    own, state = situation(TEXTS[0])
    panzer, cadre = unit(own, "G5Pz"), unit(own, "I19")
    assert (state.turn, state.phasing, state.phase) == (3, AXIS, Phase.MOVEMENT)
    assert (state.unit_hex[panzer], state.unit_status[panzer]) == (HEX["2907"], Status.ON_MAP)
    assert int(state.unit_flags[panzer]) & Flag.MOVED
    assert (state.unit_hex[cadre], state.unit_status[cadre]) == (NOBODY, Status.CADRE)
    assert state.unit_status[unit(own, "G104")] == Status.UNUSED
    assert state.unit_strength[unit(own, "A4Arm")] == 4
    assert state.truck_status.tolist() == [
        Status.ON_MAP,
        Status.UNUSED,
        Status.DUE,
        Status.UNUSED,
        Status.WRECKED,
        Status.UNUSED,
        Status.UNUSED,
        Status.UNUSED,
    ]
    assert state.truck_turn[4] == 5
    assert bits.has(state.supplies[AXIS], HEX["0316"])
    assert not bits.has(state.supplies_moved, HEX["0316"])
    assert bits.has(state.supplies_railed, HEX["2605"])
    assert (state.port_owner.tolist(), state.base_owner.tolist()) == ([ALLIED, AXIS, ALLIED], [ALLIED, ALLIED])
    assert state.points.tolist() == [2, 0, 0, 0, 0, 10]
    own, state = situation(TEXTS[1])
    assert (state.phase, state.malta, state.targets, state.loss) == (Phase.COMBAT, Malta.SUCCEEDED, 2, 2)
    own, state = situation(TEXTS[2])
    assert (state.decision, state.origin, state.spent) == (Decision.MOVE, HEX["2906"], 12)
    assert int(state.unit_flags[unit(own, "APol")]) & Flag.GROUNDED
    assert state.unit_truck[unit(own, "APol")] == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("campaign | alied: APol 2907", "unknown section of a position 'alied'; did you mean 'allied:'?"),
        ("campaign turn 21", "position: head: turn 21; must be a number from 1 to 20"),
        ("campaign axis moovement", "unknown word in the head of a position 'moovement'; did you mean 'movement'?"),
        ("campaign | axis: G5Pz", "position: axis: G5Pz: G5Pz must be followed by a hex or coming, optional, due, "
         "cadre, "
         "removed"),
        ("campaign | axis: G5Pz 2907, G5Pz 2906", "position: axis: G5Pz: is named twice"),
        ("campaign | axis: APol 2907", "position: axis: APol: is allied"),
        ("campaign | axis: G5Pz 0101", "position: axis: G5Pz: hex 0101 is not in play: off the part of "
         "the map in play, or no land"),
        ("campaign | axis: G5Pz 9901", "position: axis: G5Pz: no hex 9901 on the map; they run from 0101 to 6523"),
        ("campaign | axis: G5Pz 2907 moovd", "position: axis: G5Pz: unknown word 'moovd'; did you mean 'moved'?"),
        ("campaign | axis: G5Pz 2907 | allied supply: 2907", "position: hex 2907: holds units of both sides; only "
         "one may be "
         "there"),
        ("campaign | axis supply: 2907 | allied supply: 2907", "position: allied supply: 2907 has a supply unit "
         "already; at "
         "most one may be there"),
        ("campaign | axis trucks: 2907, 2907, 2907, 2907, 2907", "position: axis trucks: 5 of them; a side has at "
         "most 4"),
        ("campaign | points: german_armor 11", "position: points: german_armor 11; must be a number from 0 to 10"),
        ("campaign | pending: asked move", "position: pending: asked move needs an origin and where it is at"),
        ("campaign turn 3 allied replacements | allied: A14 4810 grounded of-6 | allied trucks: 2005",
         "position: allied: A14: of-6, but truck 6 is not in play"),
        ("campaign | axis: G5Pz 2907 grounded of-5", "position: axis: G5Pz: of-5 is a truck of the allied"),
        ("campaign | axis: G5Pz 2907 of-1 | axis trucks: none, 2907",
         "position: axis: G5Pz: of-1 needs a unit on the map that is grounded"),
        ("campaign | axis: G5Pz 2906 | ports: Tobruk allied",
         "position: ports: Tobruk allied, but axis units are in 2906, so they hold it"),
        ("campaign | allied trucks: 0216 | bases: El-Agheila axis",
         "position: bases: El-Agheila axis, but allied units are in 0216, so they hold it"),
        ("campaign turn 3 axis | pending: in-tobruk-since 4", "position: pending: in-tobruk-since 4; it is turn 3"),
        ("campaign turn 3 axis combat | allied: A14 4810 | pending: targets 4810, goal 4811",
         "position: pending: goal 4811 is not one of the targets"),
        ("campaign turn 3 axis replacements | pending: asked ground, truck 5",
         "position: pending: truck must be one of the axis: 0 to 3"),
        ("campaign turn 3 axis | pending: truck 8", "position: pending: truck 8; must be a number from 0 to 7"),
        ("campaign turn 3 axis combat | pending: asked ground, truck 1",
         "position: pending: asked ground does not belong to the phase combat"),
        ("campaign turn 3 axis | pending: asked move, origin 2907, at 2907",
         "position: pending: asked move needs units that are chosen, or a mover"),
        ("campaign turn 3 axis | axis trucks: 2907 | pending: asked move, mover truck, truck 0, origin 2907, at 2908",
         "position: pending: truck 0 is not where the move is at"),
        ("campaign turn 3 axis reinforcements | axis: I61 0216 | pending: chosen I61",
         "position: pending: chosen I61 is not due to be placed"),
        ("campaign | points: german_armor 1 2", "position: points: '2' is one word too many after german_armor 1"),
        ("campaign | ports: Tobruk axis now", "position: ports: 'now' is one word too many after Tobruk axis"),
        ("campaign | removals: armor 1 unit x", "position: removals: 'x' is one word too many after armor 1 unit"),
        ("campaign | pending: spent 3 malt succeeded", "position: pending: unknown key 'malt'; did you mean 'malta'?"),
        ("campaign over british", "position: head: over 'british'; must be axis, allied or draw"),
    ],
)  # fmt: skip
def test_faults(text, message):
    own = board()
    with pytest.raises(InputError) as caught:
        read_state(own, np.zeros(1, STATE)[0], text)
    assert str(caught.value) == message


def test_a_hex_holds_no_more_units_than_observations_can_show():
    board = GAME.scenario("campaign").boards[0]
    names = [unit_id(board, unit) for unit in range(int(board.units)) if board.unit_side[unit] == 0][:19]
    text = "campaign | axis: " + ", ".join(f"{name} 2906" for name in names)
    with pytest.raises(
        InputError, match=r"^position: hex 2906: holds 19 combat units; at most 18 can be in a hex for a"
    ):
        GAME.position(text)
    GAME.position(text.rpartition(",")[0])
