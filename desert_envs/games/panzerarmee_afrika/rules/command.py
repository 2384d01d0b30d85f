"""Command Control of the Allied player [12]."""

from __future__ import annotations

from desert_envs.engine.dice import die
from desert_envs.engine.flags import set_flag
from desert_envs.engine.kernel import kernel
from desert_envs.engine.notes import note
from desert_envs.games.panzerarmee_afrika.codes import Flag, Note, Status
from desert_envs.games.panzerarmee_afrika.rules.units import side_of
from desert_envs.games.panzerarmee_afrika.state import ALLIED


@kernel
def roll_command(board, state):
    """Roll for Command Control: the units in hexes with the digits rolled neither move nor attack this turn [12.1]."""
    note(state, Note.COMMAND)
    state.command = die(state)
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == ALLIED:
            digit = board.last_digit[state.unit_hex[unit]]
            if board.command_digits[state.command - 1, digit] == 1:
                set_flag(state, unit, Flag.OUT_OF_COMMAND)
