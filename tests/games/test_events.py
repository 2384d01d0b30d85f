"""What a game tells those who look: every die in one event, words for everything, and answers for whoever decides."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from desert_envs.engine.dice import advance
from desert_envs.engine.errors import InputError
from desert_envs.engine.events import Event
from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.notes import DIE, NOTES, PARTS, forget_notes, grouped, note, noted
from desert_envs.engine.position import Position
from desert_envs.engine.record import differing_fields, state_record
from tests.games_under_test import OF_ANY_NUMBER, any_number_of_players, first_scenario
from tests.toy import GAME as TOY
from tests.toy import Note

SETTINGS = [
    pytest.param(game, info.name, id=f"{game.id}-{info.name}")
    for game in (param.values[0] for param in OF_ANY_NUMBER)
    for info in game.scenarios(None)
]
every_scenario = pytest.mark.parametrize(("game", "scenario"), SETTINGS)
GAMES_EACH, MOST = (1, 150) if INTERPRETED else (6, 3_000)


def steps(game, scenario: str, seed: int, most: int = MOST) -> Iterator[tuple[Position, int, Position]]:
    """A game, half by chance and half by the scripted player: each action between the positions before and after."""
    chance, position = random.Random(seed), game.start(scenario, seed)
    while not position.over and most > 0:
        before, most = position.copy(), most - 1
        action = chance.choice(position.legal_actions()) if chance.random() < 0.5 else position.scripted()
        position.apply(action)
        yield before, action, position


def rolled(before: int, after: int) -> int:
    """How often the generator was advanced from one counter to another."""
    for number in range(1_000):
        if before == after:
            return number
        before = int(advance(np.uint64(before)))
    raise AssertionError("the counter of the dice is not reached")


def dice_noted(position: Position) -> list[int]:
    return [one[1] for one in noted(position.state) if one[0] == DIE]


def dice_told(events: tuple[Event, ...]) -> list[int]:
    return [die for event in events for die in event.dice]


# ---- Every die is in exactly one event -----------------------------------------------------------------------------


@every_scenario
def test_every_die_of_a_random_game_is_in_one_event(game, scenario):
    if game.events is None:
        pytest.skip("declares no events")
    for seed in range(GAMES_EACH):
        start = game.start(scenario, seed)
        assert sorted(dice_told(start.events())) == sorted(dice_noted(start))
        for before, action, after in steps(game, scenario, seed):
            events = after.events(before, action)
            drawn = rolled(int(before.state.dice), int(after.state.dice))
            assert len(dice_told(events)) == len(dice_noted(after)) == drawn, before.notation()
            assert sorted(dice_told(events)) == sorted(dice_noted(after)), before.notation()


@every_scenario
def test_no_random_game_notes_more_than_is_kept(game, scenario):
    for seed in range(3 * GAMES_EACH):
        assert all(after.state.noted <= NOTES for _, _, after in steps(game, scenario, seed))


@every_scenario
def test_events_are_told_in_words_and_name_what_there_is(game, scenario):
    if game.events is None:
        pytest.skip("declares no events")
    players, hexes = range(-1, len(game.players)), range(-1, len(game.start(scenario).picture().numbers))
    for before, action, after in steps(game, scenario, 1):
        events = after.events(before, action)
        assert events, (before.describe(action), before.notation())
        for event in events:
            assert event.kind, event
            assert event.words == event.words.strip() != "", event
            assert "\n" not in event.words, event
            assert event.player in players
            assert {event.origin, event.hex, *event.path} <= {*hexes}, event
            assert len(event.needed) == len(event.dice), event
            assert all(str(die) in event.words for die in event.dice), event
            assert len({event.is_known_to(player) for player in range(len(game.players))}) == 1 or event.known_to


@every_scenario
def test_a_move_that_is_told_ends_where_the_unit_is(game, scenario):
    if game.events is None:
        pytest.skip("declares no events")
    for before, action, after in steps(game, scenario, 2):
        moves = [event for event in after.events(before, action) if event.path]
        for event in moves:
            assert event.path[-1] == event.hex, (event, before.notation())
        where = {counter.unit: counter.hex for counter in after.picture().counters if counter.unit >= 0}
        last = {event.unit: event.hex for event in moves if event.kind == "move"}
        for unit, hex_ in last.items():
            assert where.get(unit, hex_) == hex_, (before.describe(action), before.notation())


@any_number_of_players
def test_a_game_without_events_tells_which_action_it_was(game):
    position = game.start(first_scenario(game), 1)
    action = position.legal_actions()[0]
    bare = object.__new__(type(game))
    bare.__dict__.update(game.__dict__ | {"events": None, "explain": None, "why_not": None, "names": None})
    scenario = object.__new__(type(position.scenario))
    scenario.__dict__.update(position.scenario.__dict__ | {"game": bare})
    plain = Position(scenario, position.raw.copy())
    assert plain.explain(action).words == (position.describe(action),)
    assert bare.player_names == game.players
    told = plain.play(action)
    assert [event.words for event in told] == [position.describe(action)]
    assert plain.events() == ()
    assert plain.when == f"turn {int(plain.state.turn)}"


# ---- The notes -----------------------------------------------------------------------------------------------------

STATE = state_record([("only_here", np.int8)])  # else numba takes it for the beginning of any other state


def blank():
    return np.zeros(1, STATE)


def test_notes_beyond_the_last_are_counted_and_written_nowhere():
    states = blank()
    for number in range(NOTES + 5):
        note(states[0], number, 1, 2, 3, 4)
    assert states[0].noted == NOTES + 5
    assert noted(states[0])[-1] == (NOTES - 1, 1, 2, 3, 4)
    assert states[0].dice == states[0].decisions == 0
    forget_notes(states[0])
    assert states.tobytes() == blank().tobytes()


def test_dice_belong_to_the_note_before_them():
    states = blank()
    for one in ((0, 7), (DIE, 3), (DIE, 5), (2, 8), (1, 9), (DIE, 6)):
        note(states[0], *one)
    groups = [(code, first, dice) for (code, first, *_), dice in grouped(states[0])]
    assert groups == [(0, 7, (3, 5)), (2, 8, ()), (1, 9, (6,))]
    assert len(noted(states[0])[0]) == PARTS


def test_a_die_that_nothing_was_noted_for_is_refused():
    states = blank()
    note(states[0], DIE, 3)
    with pytest.raises(ValueError, match="no note says what for"):
        grouped(states[0])


def test_each_action_begins_with_no_notes():
    position = TOY.start("duel", 0)
    while not dice_noted(position):
        position.apply(TOY.actions.index("verb", "fire"))
        assert noted(position.state)[0][0] == Note.SHOT
    if not position.over:
        position.apply(TOY.actions.index("verb", "stop"))
        assert position.state.noted == 0


def test_notes_are_no_part_of_the_position():
    position = TOY.start("duel", 0)
    position.apply(TOY.actions.index("verb", "fire"))
    other = position.copy()
    forget_notes(other.state)
    assert position.state.noted > 0
    assert (position, hash(position), position.digest()) == (other, hash(other), other.digest())
    assert differing_fields(position.states, other.states) == []
    other.state.dice += 1
    assert position != other


def test_a_copy_with_dice_of_its_own_has_no_notes():
    position = TOY.start("duel", 0)
    position.apply(TOY.actions.index("verb", "fire"))
    assert position.copy().state.noted == position.state.noted > 0
    assert position.copy(1).state.noted == position.resample(0, 1).state.noted == 0


# ---- Names, explanations, reasons, overlays ------------------------------------------------------------------------


@every_scenario
def test_a_scenario_has_a_title_and_tells_how_it_is_won(game, scenario):
    position = game.start(scenario, 1)
    assert position.scenario.title
    assert len(game.player_names) == len(game.players)
    if game.names is None:
        pytest.skip("declares no names")
    assert position.scenario.victory
    assert all(sentence.endswith(".") for sentence in position.scenario.victory)
    assert position.when


@every_scenario
def test_whoever_decides_is_told_what_each_action_does_and_why_he_may_not_choose_another(game, scenario):
    for before, _, _ in islice(steps(game, scenario, 3), 0, None, 7 if INTERPRETED else 23):
        legal = before.legal_actions()
        for action in legal[:: max(1, len(legal) // 8)]:
            told = before.explain(action)
            assert told.words
            assert all(sentence.strip() == sentence != "" for sentence in told.words)
            assert told.chance is None or 0 <= told.chance <= 1
            assert told == before.explain(action, before.player)
            assert before.why_not(before.describe(action)) == ""
        block = game.actions.block("hex")
        for hex_ in range(0, len(block.labels), max(1, len(block.labels) // 9)):
            reason = before.why_not(hex_)
            assert (reason == "") == (block.start + hex_ in legal)
            assert reason == before.why_not(block.labels[hex_])
            assert "\n" not in reason


@any_number_of_players
def test_only_who_decides_may_ask(game):
    position = game.start(first_scenario(game), 1)
    other = next(player for player in range(len(game.players)) if player != position.player)
    for ask in (lambda: position.explain(position.legal_actions()[0], other), lambda: position.why_not(0, other)):
        with pytest.raises(InputError, match="does not decide"):
            ask()
    with pytest.raises(InputError, match="why_not: hex"):
        position.why_not(10_000)
    assert position.why_not("dance in the desert")


@every_scenario
def test_overlays_give_a_number_for_hexes_of_the_map(game, scenario):
    for before, _, _ in islice(steps(game, scenario, 4), 0, None, 9 if INTERPRETED else 31):
        numbers = before.picture().numbers
        for overlay in game.overlays:
            assert overlay.meaning
            for viewer in (None, *range(len(game.players))):
                values = before.overlay(overlay.name, viewer)
                assert all(0 <= hex_ < len(numbers) and value == float(value) for hex_, value in values.items())


@any_number_of_players
def test_an_unknown_overlay_is_refused(game):
    with pytest.raises(InputError, match="unknown overlay"):
        game.start(first_scenario(game), 1).overlay("sunshine")


# ---- Pictures ------------------------------------------------------------------------------------------------------


@every_scenario
def test_a_picture_says_what_each_counter_is(game, scenario):
    met = 0
    for before, _, _ in islice(steps(game, scenario, 5), 0, None, 5 if INTERPRETED else 29):
        picture = before.picture()
        if not picture.terrain:
            pytest.skip("declares no details")
        assert len(picture.terrain) == len(picture.numbers)
        boxed = [counter for box in picture.boxes for counter in box.counters]
        units = [counter for counter in (*picture.counters, *boxed) if counter.unit >= 0]
        met += len(units)
        assert all(counter.name for counter in units)
        assert len({counter.unit for counter in units}) == len(units), "a unit has one counter"
        assert all(counter.progress in ("", "moved", "done") for counter in units)
        assert all(counter.hex == -1 for counter in boxed)
        hexes = {*picture.pending, *(place.hex for place in picture.places), *(hex_ for hex_, _ in picture.objectives)}
        assert all(0 <= hex_ < len(picture.numbers) for hex_ in hexes)
    assert met > 0
