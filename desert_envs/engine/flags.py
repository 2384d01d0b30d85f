"""Flags of units: bits of ``state.unit_flags`` (uint16 [units]), which a game names in an enum of `Bits`."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.kernel import kernel


@kernel
def set_flag(state, unit, flag):
    """Set flags of a unit."""
    state.unit_flags[unit] = np.uint16(int(state.unit_flags[unit]) | flag)


@kernel
def clear_flag(state, unit, flag):
    """Clear flags of a unit."""
    state.unit_flags[unit] = np.uint16(int(state.unit_flags[unit]) & ~flag)


@kernel
def has_flag(state, unit, flag):
    """Test flags of a unit: true if any of them is set."""
    return int(state.unit_flags[unit]) & flag != 0
