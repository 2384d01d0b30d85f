"""Sets of hexes: the engine's bit sets, a bit a hex, by the names that suit them."""

from __future__ import annotations

from desert_envs.engine.actions import allow as add
from desert_envs.engine.actions import allowed as has
from desert_envs.engine.actions import count as size
from desert_envs.engine.actions import forbid as remove
from desert_envs.engine.actions import forbid_all as clear
from desert_envs.engine.actions import list_actions as list_hexes

__all__ = ["add", "clear", "has", "list_hexes", "remove", "size"]
