"""The recipes run as they stand, with small settings: they learn, choose nothing illegal, and nothing warns."""

import importlib
import re

import pytest
import torch

from desert_envs.engine.kernel import INTERPRETED
from desert_envs.envs.aec import RawEnv
from docs.recipes.common import Network, make_env, report

pytestmark = pytest.mark.skipif(INTERPRETED, reason="takes minutes as plain Python")

UPDATES, STEPS, GAMES = 2, 128, 4
SMALL = ["--updates", str(UPDATES), "--steps", str(STEPS), "--games", str(GAMES)]


@pytest.fixture
def chosen(monkeypatch):
    """True if each action was legal that any environment was given."""
    legal = []
    step = RawEnv.step

    def watched(env, action):
        if action is not None:
            legal.append(action in env.legal_actions)
        step(env, action)

    monkeypatch.setattr(RawEnv, "step", watched)
    return legal


@pytest.fixture
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def weights(network):
    return torch.cat([each.detach().flatten().clone() for each in network.parameters()])


def run(name, monkeypatch):
    """Run a recipe; the weights of its networks when they were made, and of the one it reports on."""
    recipe = importlib.import_module(f"docs.recipes.{name}")
    first, last = [], []

    class Watched(Network):
        def __init__(self, *settings):
            super().__init__(*settings)
            first.append(weights(self))

    def watched(network, options):
        last.append(weights(network))
        report(network, options)

    monkeypatch.setattr(recipe, "Network", Watched)
    monkeypatch.setattr(recipe, "report", watched)
    recipe.main(SMALL)
    return first, last[0]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the frameworks' own code, which no user sees
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("framework", ["tianshou", "torchrl", "ray.rllib"])
def test_recipe(framework, chosen, monkeypatch, capfd):
    pytest.importorskip(framework)
    make_env().reset(seed=0)  # compiled now, if need be, and what is said of it
    capfd.readouterr()
    first, last = run(f"{framework.removeprefix('ray.')}_ppo", monkeypatch)
    said, warned = capfd.readouterr()
    assert first
    assert all((last != each).any() for each in first)
    assert last.isfinite().all()
    assert len(chosen) > UPDATES * STEPS
    assert all(chosen)
    updates = re.findall(r"^update (\d+): (\d+) games, mean result of axis_0 [+-]\d\.\d\d$", said, re.MULTILINE)
    assert [int(number) for number, _ in updates] == list(range(1, UPDATES + 1))
    assert sum(int(games) for _, games in updates) > 0
    by_side = r"\(\d+% as axis_0, \d+% as allied_0\)"
    assert re.search(rf"^against random: won \d+\.\d% of {GAMES} games {by_side}$", said, re.MULTILINE)
    assert warned == ""


def test_the_network_gives_illegal_actions_no_chance():
    torch.manual_seed(0)
    env = make_env()
    env.reset(seed=0)
    network = Network(env)
    for seed in range(3):
        env.reset(seed=seed)
        while not env.terminations[env.agent_selection]:
            observation, *_ = env.last()
            seen = (torch.as_tensor(observation[key])[None] for key in ("observation", "action_mask"))
            logits, values = network(*seen)
            chances = logits.softmax(1)[0]
            assert (chances > 0).tolist() == (observation["action_mask"] == 1).tolist()
            assert values.shape == (1,)
            env.step(network.choose(observation))
        assert env.position.over


def test_the_logit_of_a_hex_comes_from_its_cell():
    env = make_env()
    env.reset(seed=0)
    network = Network(env)
    with torch.no_grad():
        network.cells[0].weight.zero_()
        network.cells[0].weight[0, 0] = 1  # the first feature: an own tank stands here
        network.hexes.weight.zero_()
        network.hexes.bias.zero_()
        network.hexes.bias[0] = 1
    observation = env.observe("axis_0")
    board = torch.as_tensor(observation["observation"])[None]
    logits, _ = network(board, torch.ones(1, env.game.actions.size))
    hexes = logits[0, : board[0, 0].numel()] - network.cells[0].bias[0].relu()
    found = [env.game.actions.blocks[0].labels[number] for number in (hexes > 0.5).nonzero().flatten().tolist()]
    assert found
    assert board[0, 0].sum() == len(found)
    text = env.position.notation()
    assert all(label in text for label in found)
