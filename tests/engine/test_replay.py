import json
import os
import random

import pytest
from hypothesis import given, settings, strategies

from desert_envs.engine.errors import IllegalAction, InputError
from desert_envs.engine.replay import STRETCH, Recorder, Replay, public_words
from tests import toy


def played(scenario="crossing", seed=3, decisions=1000, **options):
    """A recorder of a random game: of at most so many decisions."""
    recorder = Recorder(toy.GAME.scenario(scenario, **options), seed)
    chance = random.Random(seed)
    while not recorder.position.over and len(recorder.actions) < decisions:
        recorder.apply(chance.choice(recorder.position.legal_actions()))
    return recorder


def long_game():
    """A game of more than two stretches: tanks that stand still."""
    recorder = Recorder(toy.GAME.scenario("crossing", turns=70), 9)
    for number in ("0201", "0403"):
        recorder.apply(recorder.position.find(f"mine in {number}"))
    while not recorder.position.over:
        recorder.apply(toy.STOP)
    return recorder


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.jsonl"
    long_game().replay().save(path)
    return path


def rewrite(path, line, **changes):
    """Change entries of one line of a file."""
    lines = path.read_text("utf-8").splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **changes}, separators=(",", ":"))
    path.write_text("\n".join(lines) + "\n", "utf-8")


@pytest.mark.parametrize("recorder", [played(), played("duel"), played(decisions=4), played(decisions=0), long_game()])
def test_round_trip(recorder, tmp_path):
    replay = recorder.replay()
    replay.save(tmp_path / "game.jsonl")
    again = Replay.load(tmp_path / "game.jsonl")
    assert (again.head, again.stretches, again.returns) == (replay.head, replay.stretches, replay.returns)
    assert again.actions == tuple(recorder.actions)
    assert again.final() == recorder.position
    assert again.returns == (recorder.position.returns if recorder.position.over else None)


def test_play_gives_every_action_and_the_position_it_is_taken_in():
    recorder = played()
    position = recorder.scenario.start(recorder.seed)
    for action, shown in recorder.replay().play():
        assert shown == position
        if action >= 0:
            position.apply(action)
    assert position.over


def test_a_check_every_stretch_and_at_the_end(file):
    replay = Replay.load(file)
    assert [len(stretch.actions) for stretch in replay.stretches] == [STRETCH, STRETCH, 142 - 2 * STRETCH]
    assert len({stretch.digest for stretch in replay.stretches}) == 3


def test_options_are_kept(file):
    assert Replay.load(file).head.options == {"turns": 70}
    assert Replay.load(file).setting() is toy.GAME.scenario("crossing", turns=70)


def test_an_altered_action_that_is_not_legal(file):
    actions = json.loads(file.read_text().splitlines()[2])["actions"]
    rewrite(file, 2, actions=[*actions[:7], toy.FIRE, *actions[8:]])
    with pytest.raises(InputError, match=r"^game.jsonl: differs at action 58: 16 was recorded, but it is not legal on"):
        Replay.load(file).final()


def test_an_altered_action_that_is_legal(file):
    actions = json.loads(file.read_text().splitlines()[1])["actions"]
    rewrite(file, 1, actions=[toy.NUMBERS.index("0302"), *actions[1:]])
    with pytest.raises(
        InputError, match=r"^game.jsonl: differs after action 50 .actions 1 to 50.*: digest of the state"
    ):
        Replay.load(file).final()


def test_actions_after_the_end(file):
    lines = file.read_text().splitlines()
    rewrite(file, 3, actions=[*json.loads(lines[3])["actions"], toy.STOP])
    rewrite(file, 4, end=143)
    with pytest.raises(InputError, match="differs at action 143: 15 was recorded, but the game is over"):
        Replay.load(file).final()


@pytest.mark.parametrize(
    ("line", "changes", "message"),
    [
        (0, {"seed": 10}, "digest of the state"),
        (1, {"turn": 2}, "turn is 25, recorded is 2"),
        (1, {"player": 1}, "player to decide is 0, recorded is 1"),
        (2, {"digest": "0" * 16}, "recorded is 0000000000000000"),
        (4, {"returns": [1.0, -1.0]}, "after action 142 the game is won"),
        (4, {"returns": None}, "after action 142 the game is won"),
        (0, {"version": 7}, "made with version 7 of toy, and this is version 0; replay it with"),
        (0, {"data_digest": "abc"}, "made with other data of toy .digest abc, here"),
        (0, {"game": "toyy"}, "unknown game 'toyy'"),
        (0, {"scenario": "crosing"}, "unknown scenario of toy 'crosing'; did you mean 'crossing'"),
        (0, {"options": {"turn": 70}}, "unknown option of toy 'turn'; did you mean 'turns'"),
        (0, {"options": {"turns": "x"}}, "turns: 'x' cannot be used"),
        (0, {"seed": -1}, "seed: -1 cannot be used"),
    ],
)
def test_what_does_not_fit_the_game_is_told_in_one_line(file, line, changes, message):
    rewrite(file, line, **changes)
    with pytest.raises(InputError, match=message) as caught:
        Replay.load(file).final()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "changes", "message"),
    [
        (0, {"format": "something"}, "not a replay of this kind"),
        (0, {"seed": "3"}, "line 1: damaged; expected `int`, got `str`"),
        (0, {"extra": 1}, "line 1: damaged; .*unknown field `extra`"),
        (2, {"actions": [1.5]}, "line 3: damaged"),
        (2, {"actions": "stop"}, "line 3: damaged"),
        (4, {"end": 141}, "has 142 actions, but its last line says 141"),
    ],
)
def test_a_damaged_file_is_not_loaded(file, line, changes, message):
    rewrite(file, line, **changes)
    with pytest.raises(InputError, match=f"^game.jsonl.*{message}") as caught:
        Replay.load(file)
    assert "\n" not in str(caught.value)


def test_a_file_cut_anywhere_is_not_loaded(file):
    whole = file.read_bytes()
    for size in range(len(whole) - 2):  # without the last brace and line end
        file.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"game\.jsonl"):
            Replay.load(file)


def test_no_file_and_no_text(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        Replay.load(tmp_path / "missing.jsonl")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(InputError, match=r"^picture\.png: not a replay"):
        Replay.load(tmp_path / "picture.png")


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        played().replay().save(tmp_path / "folder")
    with pytest.raises(InputError, match="cannot be written"):
        played().replay().save(tmp_path / "missing" / "game.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with open(os.open(tmp_path / "pipe", os.O_RDWR), "r+b", buffering=0) as pipe:
        played(decisions=1).replay().save(tmp_path / "pipe")
        assert pipe.read(20) == b'{"format":"desert-en'
    assert (tmp_path / "pipe").is_fifo()


def test_saving_replaces_the_file_as_a_whole(file):
    played(decisions=2).replay().save(file)
    assert len(Replay.load(file).actions) == 2
    assert [path.name for path in file.parent.iterdir()] == ["game.jsonl"]


def test_an_illegal_action_is_not_recorded():
    recorder = played(decisions=5)
    before = recorder.position.copy()
    with pytest.raises(IllegalAction):
        recorder.apply(toy.GAME.actions.size)
    assert len(recorder.actions) == 5
    assert recorder.position == before


def test_undo_gives_the_earlier_position_and_the_same_dice():
    recorder = played(decisions=12)
    actions, end = list(recorder.actions), recorder.position.copy()
    recorder.undo(5)
    assert recorder.position == played(decisions=7).position
    for action in actions[7:]:
        recorder.apply(action)
    assert recorder.position == end
    with pytest.raises(IllegalAction, match="only 12 actions"):
        recorder.undo(13)


def test_a_position_played_behind_the_recorder_is_not_saved():
    recorder = played(decisions=4)
    recorder.position.apply(recorder.position.legal_actions()[0])
    with pytest.raises(InputError, match="not the one that the recorded actions lead to"):
        recorder.replay()


def test_a_public_record_shows_neither_seed_nor_digest_nor_hidden_choice(tmp_path):
    recorder = played(seed=123456789)
    lines = recorder.replay().public_record()
    text = "\n".join(lines)
    assert "123456789" not in text
    assert "digest" not in text
    assert "hides a mine" not in text
    told = [json.loads(line) for line in lines]
    position = recorder.scenario.start(recorder.seed)
    for number, action in enumerate(recorder.actions):
        turn, player, words = position.state.turn, toy.GAME.players[position.player], position.describe(action)
        events = [event.words for event in position.play(action) if event.words != words]
        if number >= 2:
            line = {"turn": turn, "player": player, "text": words}
            assert told[number - 1] == line | ({"events": events} if events else {})
    assert told[-1] == {"end": len(recorder.actions) - 2, "returns": list(position.returns)}
    (tmp_path / "public.jsonl").write_text(text + "\n", "utf-8")
    with pytest.raises(InputError, match="a public record; it can be read but has no seed"):
        Replay.load(tmp_path / "public.jsonl")


def test_a_hidden_choice_is_told_to_its_player_only():
    position = toy.GAME.start("crossing")
    action = position.find("mine in 0302")
    assert [public_words(position, action, viewer) for viewer in (None, 0, 1)] == [None, "mine in 0302", None]


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(
    "line", ["[" * 100_000, '{"format":' * 5000, "9" * 5000, '{"end":' + "9" * 5000, "\x1b[2J", ""]
)
def test_lines_of_garbage_are_one_line(tmp_path, place, line):
    recorder = Recorder(toy.GAME.scenario("crossing"), 3)
    recorder.apply(recorder.position.scripted())
    recorder.replay().save(tmp_path / "game.jsonl")
    lines = (tmp_path / "game.jsonl").read_text("utf-8").splitlines()
    lines[place] = line
    (tmp_path / "game.jsonl").write_text("\n".join(lines), "utf-8")
    with pytest.raises(InputError) as caught:
        Replay.load(tmp_path / "game.jsonl").final()
    assert str(caught.value).isprintable()


@settings(max_examples=int(os.environ.get("DESERT_ENVS_EXAMPLES", "100")))
@given(seed=strategies.integers(0, 2**32))
def test_replays_with_changed_letters(tmp_path_factory, seed):
    chance, path = random.Random(seed), tmp_path_factory.mktemp("replay") / "game.jsonl"
    recorder = Recorder(toy.GAME.scenario("crossing"), 3)
    recorder.apply(recorder.position.scripted())
    recorder.replay().save(path)
    text = list(path.read_text("utf-8"))
    for _ in range(chance.randint(1, 3)):
        text[chance.randrange(len(text))] = chance.choice(("9", "-", '"', "[", "}", "null", "1e9", "\\u001b", "\n", ""))
    path.write_text("".join(text), "utf-8")
    try:
        replay = Replay.load(path)
        made, said = replay.final().state.decisions, ""
    except InputError as error:
        replay, made, said = None, 0, str(error)
    assert said.isprintable()
    assert replay is None or made == len(replay.actions)
