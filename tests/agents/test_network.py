from types import SimpleNamespace

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import make_masked_proba_distribution

from agents.network import HexPolicy, layout, load_policy, patches, probabilities, sample
from desert_envs.engine.errors import InputError
from desert_envs.envs.common import as_dict, learner_space
from desert_envs.envs.sb3 import GameVecEnv
from tests.games_under_test import every_game, first_scenario
from tests.toy import GAME as TOY

BIG = 691  # actions of the largest action space so far


def policy_for(game, **settings):
    torch.manual_seed(0)
    return HexPolicy(learner_space(game), spaces.Discrete(game.actions.size), lambda _: 1e-3, **settings)


def situations(game, number=24, seed=1):
    """What learners may see and do at some points of random games."""
    envs = GameVecEnv(game.scenario(first_scenario(game)), number, seed)
    envs.reset()
    rng = np.random.default_rng(seed)
    for _ in range(9):
        envs.step(sample(envs.action_masks() / 1.0, rng.random(number)))
    return envs.learners.look(), envs.action_masks()


def tensors(seen):
    return {name: torch.as_tensor(part) for name, part in as_dict(*seen).items()}


def test_the_picture_tells_which_hex_action_is_which_cell():
    assert layout(TOY.scenario("crossing")) == {"start": 0, "cells": list(range(15)), "place": [1, 2]}


@pytest.mark.parametrize("flat_top", [True, False])
def test_hexes_may_be_numbered_in_any_order(flat_top):
    rows, columns = 3, 4
    order = np.random.default_rng(2).permutation(rows * columns)
    places = [(cell // columns, cell % columns) for cell in order]
    if flat_top:
        centres = [(1.5 * column, 3**0.5 * (row + column % 2 / 2)) for row, column in places]
    else:
        centres = [(3**0.5 * (column + row % 2 / 2), 1.5 * row) for row, column in places]
    picture = SimpleNamespace(centres=centres, flat_top=flat_top)
    block = SimpleNamespace(name="hex", labels=tuple(map(str, order)), start=5)
    game = SimpleNamespace(shape=(rows, columns), actions=SimpleNamespace(blocks=(block,)), units=(), unit_features=())
    scenario = SimpleNamespace(game=game, start=lambda: SimpleNamespace(picture=lambda: picture))
    assert layout(scenario) == {"start": 5, "cells": order.tolist()}


def test_patches_are_the_cells_around():
    around = patches((3, 5))
    assert around[6].tolist() == [0, 1, 2, 5, 6, 7, 10, 11, 12]
    assert around[0].tolist() == [15, 15, 15, 15, 0, 1, 15, 5, 6]


@every_game
def test_logits_of_legal_hexes_do_not_depend_on_what_else_is_legal(game):
    policy = policy_for(game, layout=layout(game.scenario(first_scenario(game))))
    seen, masks = situations(game)
    with torch.no_grad():
        features = policy.extract_features(tensors(seen))
        some = policy.action_net(*features, torch.as_tensor(masks))
        full = policy.action_net(*features, None)
    legal = torch.as_tensor(masks).bool()
    assert torch.allclose(some[legal], full[legal], atol=1e-6)
    assert full[legal].std() > 0


@every_game
def test_actions_that_name_units_are_judged_by_their_rows(game):
    scenario = game.scenario(first_scenario(game))
    found = layout(scenario)
    blocks = [block for block in game.actions.blocks if block.name == "unit"]
    assert [found.get("unit_start")] == ([block.start for block in blocks] or [None])
    if not blocks:
        return
    policy = policy_for(game, layout=found)
    seen, _ = situations(game)
    start, count = found["unit_start"], found["units"]
    with torch.no_grad():
        hexes, units, context = policy.extract_features(tensors(seen))
        before = policy.action_net(hexes, units, context, None)
        units[:, 3] += 1
        after = policy.action_net(hexes, units, context, None)
    changed = (before != after).any(0).nonzero().flatten().tolist()
    assert changed == [start + 3]
    assert count == len(blocks[0].labels)


@every_game
@pytest.mark.parametrize("with_layout", [True, False], ids=["hexes", "no hexes"])
def test_every_weight_learns_and_only_legal_actions_have_a_chance(game, with_layout):
    policy = policy_for(game, layout=layout(game.scenario(first_scenario(game))) if with_layout else None)
    seen, masks = situations(game)
    actions, values, chances = policy(tensors(seen), action_masks=masks)
    assert masks[np.arange(len(masks)), actions].all()
    again, judged, entropy = policy.evaluate_actions(tensors(seen), actions, torch.as_tensor(masks))
    assert torch.allclose(judged, chances, atol=1e-5)
    assert torch.allclose(again, values, atol=1e-5)
    assert torch.allclose(policy.predict_values(tensors(seen)), values, atol=1e-5)
    (judged.sum() + again.sum() + entropy.sum()).backward()
    assert [name for name, weight in policy.named_parameters() if weight.grad is None] == []
    shares = probabilities(policy, seen, masks)
    assert shares.sum(1) == pytest.approx(1)
    assert not shares[masks == 0].any()
    assert shares[np.arange(len(masks)), actions] == pytest.approx(chances.exp().detach().numpy(), rel=1e-4)
    assert torch.allclose(policy.look(seen, masks)[1], values, atol=1e-5)


def test_sampling_follows_the_chances_and_never_takes_an_impossible_action():
    chances = np.array([0.0, 0.25, 0.0, 0.75, 0.0])
    uniform = np.linspace(0, 1, 4001)[:-1]
    drawn = sample(np.tile(chances, (4000, 1)), uniform)
    assert np.bincount(drawn, minlength=5).tolist() == [0, 1000, 0, 3000, 0]
    assert sample(chances[None], np.array([np.nextafter(1.0, 0.0)])).tolist() == [3]


def test_a_saved_model_loads_as_any_other(tmp_path):
    envs = GameVecEnv(TOY.scenario("crossing"), 4)
    kwargs = {"layout": layout(TOY.scenario("crossing")), "hexes": 6, "context": 24, "head": 12}
    model = MaskablePPO(HexPolicy, envs, n_steps=8, batch_size=16, policy_kwargs=kwargs, seed=0, device="cpu")
    model.save(tmp_path / "model.zip")
    loaded = MaskablePPO.load(tmp_path / "model.zip", device="cpu")
    seen, masks = situations(TOY)
    before = probabilities(model.policy, seen, masks)
    assert np.array_equal(before, probabilities(loaded.policy, seen, masks))
    assert np.array_equal(before, probabilities(load_policy(tmp_path / "model.zip", TOY), seen, masks))
    actions, _ = loaded.predict(as_dict(*seen), action_masks=masks)
    assert masks[np.arange(len(masks)), actions].all()


def test_a_model_of_another_game_is_refused(tmp_path):
    shapes = ((2, 3, 5), (1,), (2, 3))
    other = spaces.Dict(as_dict(*(spaces.Box(0, 1, shape, np.int8) for shape in shapes)))

    class OtherEnv(GameVecEnv):
        def __init__(self):
            super().__init__(TOY.scenario("crossing"), 2)
            self.observation_space = other

    model = MaskablePPO(HexPolicy, OtherEnv(), n_steps=2, batch_size=4, device="cpu")
    model.save(tmp_path / "model.zip")
    with pytest.raises(InputError, match="observations or actions are not those of toy version 0"):
        load_policy(tmp_path / "model.zip", TOY)


def test_large_action_spaces_pass_the_checks_of_pytorch():
    """With many actions, masking again what had been normalised once failed PyTorch's Simplex check (SB3 issue 247)."""
    generator = torch.Generator().manual_seed(4)
    distribution = make_masked_proba_distribution(spaces.Discrete(BIG))
    for spread in (0.01, 1.0, 30.0):
        logits = spread * torch.randn(1024, BIG, generator=generator)
        masks = torch.rand(1024, BIG, generator=generator) < 0.02
        masks[:, -1] = True
        distribution.proba_distribution(logits)
        assert distribution.distribution.probs.sum(1) == pytest.approx(1, abs=1e-4)  # cached, as after a first use
        distribution.apply_masking(masks)
        actions = distribution.sample()
        assert masks.gather(1, actions[:, None]).all()
        assert torch.isfinite(distribution.entropy()).all()
