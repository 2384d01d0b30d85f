"""The environments in the registries of Gymnasium and PettingZoo, where ``import desert_envs`` puts them.

Neither registry looks for plugins by itself, and neither call imports a game.
"""

from __future__ import annotations

# Of each game's environment: the number behind its names.
VERSIONS = {"rommels_panzers": 0, "panzerarmee_afrika": 0, "desert_victory": 0}


def gymnasium_id(game: str) -> str:
    """The id of a game in Gymnasium's registry: ``desert_envs/RommelsPanzers-v0``."""
    return f"desert_envs/{game.title().replace('_', '')}-v{VERSIONS[game]}"


def pettingzoo_id(game: str) -> str:
    """The id of a game in PettingZoo's registry: ``desert_envs/rommels_panzers-v0``."""
    return f"desert_envs/{game}-v{VERSIONS[game]}"


def register_gymnasium() -> None:
    """Make the games known to ``gymnasium.make`` and ``gymnasium.make_vec``, as environments for one learner."""
    import gymnasium

    for game in VERSIONS:
        if gymnasium_id(game) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(game),
                entry_point="desert_envs.envs.single:SingleEnv",
                vector_entry_point="desert_envs.envs.vector:VectorEnv",
                kwargs={"game": game},
            )


def register_pettingzoo() -> None:
    """Make the games known to ``pettingzoo.make("aec", ...)``."""
    from pettingzoo.env_registry.registration import aec_registry, register

    for game, version in VERSIONS.items():
        if pettingzoo_id(game) not in aec_registry:
            register("aec", pettingzoo_id(game), entry_point=f"desert_envs.{game}_v{version}:env")
