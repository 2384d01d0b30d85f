from pathlib import Path

import pytest

from agents.config import check, load
from agents.run import toml_lines
from agents.train import main
from desert_envs.engine.errors import InputError
from tests import toy  # noqa: F401 - registers the game of the file

TEXT = Path(__file__).with_name("toy.toml").read_text()


def written(tmp_path, old="", new=""):
    assert old in TEXT
    file = tmp_path / "run.toml"
    file.write_text(TEXT.replace(old, new, 1) if old else TEXT)
    return file


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("scenario =", "scenaro =", "run.toml: scenaro: unknown key 'scenaro'; did you mean 'scenario'?"),
        ("games = 16", "gmaes = 16", "run.toml: training.gmaes: unknown key 'gmaes'; did you mean 'games'?"),
        ('"toy"', '"tyo"', "run.toml: unknown game 'tyo'"),
        ('"crossing"', '"crosing"', "run.toml: unknown scenario of toy 'crosing'; did you mean 'crossing'?"),
        ("steps = 768", 'steps = "many"', "run.toml: training.steps: cannot be 'many'; must be a whole number"),
        ("steps = 768", "", "run.toml: training.steps: is missing"),
        ("n_epochs = 2", "n_epochs = 0", "run.toml: ppo.n_epochs: cannot be 0; must be a number from 1"),
        (
            "games = 16",
            'games = 16\nshaping = "socre"',
            "run.toml: training.shaping: cannot be 'socre'; must be one of",
        ),
        ("batch_size = 64", "batch_size = 640", "ppo.batch_size must be at most training.games x ppo.n_steps"),
        ("keep = 2", "random = 0\nscripted = 0\nsnapshots = 0", "must be above 0"),
        ("keep = 2", 'agents = {"mcts:9" = -1}', "opponents.agents.'mcts:9': cannot be -1.0; must be a number from 0"),
        ('"prioritised"', '"newest"', "opponents.rule: cannot be 'newest'; must be one of 'uniform', 'latest'"),
        ("games = 40", "games = 41", "evaluation.games: cannot be 41; must be a multiple of 2"),
        ("seed = 3", "seed = 3\noptions = 7", "run.toml: options: cannot be 7; must be a table"),
        ("seed = 3", "seed = 3\noptions = {turn = 5}", "run.toml: unknown option of toy 'turn'; did you mean 'turns'?"),
        ("seed = 3", "seed = ", "run.toml: not valid TOML"),
    ],
)
def test_a_mistake_in_a_config_is_told_in_one_line(tmp_path, capsys, old, new, message):
    assert main([str(written(tmp_path, old, new)), "--runs", str(tmp_path / "runs")]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("ppo.larning_rate=1", "--set ppo.larning_rate=1: ppo.larning_rate: unknown key 'larning_rate'"),
        ("ppo.gamma=2", "--set ppo.gamma=2: ppo.gamma: cannot be 2.0; must be a number from 0 to 1"),
        ("ppo.gamma", "--set ppo.gamma: has no value; write key=value"),
        ("seed.x=1", "--set seed.x=1: seed is not a table"),
        ("scenario=nowhere", "--set scenario=nowhere: unknown scenario of toy 'nowhere'"),
    ],
)
def test_a_mistake_in_a_setting_is_told_in_one_line(tmp_path, capsys, setting, message):
    assert main([str(written(tmp_path)), "--set", setting]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either CONFIG.toml, or --resume RUN"),
        (["nowhere.toml"], "nowhere.toml: cannot be read (No such file or directory)"),
        (["--resume", "nowhere"], "--resume nowhere: no config.toml in it"),
        (["nowhere.toml", "--seed", "x"], "invalid int value: 'x'"),
        (
            ["--resume", "nowhere", "--seed", "4"],
            "--set seed=4: a resumed run keeps this; it may change training.steps",
        ),
    ],
)
def test_a_mistake_on_the_command_line_is_told_in_one_line(capsys, arguments, message):
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_settings_are_laid_over_the_file(tmp_path):
    config, table = load(written(tmp_path), ["ppo.gamma=1", "scenario=duel", "options.turns=4", "training.minutes=0.5"])
    assert (config.ppo.gamma, config.scenario, config.options, config.training.minutes) == (
        1.0,
        "duel",
        {"turns": 4},
        0.5,
    )
    assert table["training"]["steps"] == 768
    table["opponents"]["agents"] = {"mcts:9": 0.5}
    config = check(table, "copy")
    copy = tmp_path / "copy.toml"
    copy.write_text("\n".join(toml_lines(table)))
    assert load(copy) == (config, table)


@pytest.mark.parametrize("file", sorted(Path("configs").glob("*/*.toml")), ids=lambda file: file.stem)
def test_the_configs_of_the_project_are_sound(file):
    config, _ = load(file)
    assert config.setting().name == config.scenario


def test_an_unreadable_config_raises():
    with pytest.raises(InputError, match="not valid TOML"):
        load(Path(__file__))
