"""Codes and bits: enums with words, which kernels compile to plain numbers."""

from __future__ import annotations

import numpy as np
import pytest

from desert_envs.engine.codes import Bits, Code
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import record


class Weather(Code):
    """One of several."""

    CLEAR = "clear"
    SAND_STORM = "sand storm", "a storm blows"


class Mark(Bits):
    """Any of several."""

    WET = "wet"
    COLD = "cold"
    DARK = "dark"


DAY = record([("weather", np.int8), ("marks", np.uint8)])


@kernel
def worst(days):
    """Codes in what kernels do with numbers."""
    highest = 0
    for number in range(len(days)):
        highest = max(highest, max(int(days[number].weather), Weather.SAND_STORM) + Mark.DARK * number)
    return highest


@kernel
def darken(days, number):
    days[number].marks = np.uint8((int(days[number].marks) | Mark.DARK) & ~Mark.WET)


@apart(DAY)
def is_stormy(day) -> bool:
    return day.weather == Weather.SAND_STORM


@kernel
def count_storms(days):
    found = 0
    for number in range(len(days)):
        found += int(is_stormy(days[number]))
    return found


@kernel
def twice(code):
    return 2 * code


def test_numbers_follow_from_the_place():
    assert [*Weather] == [0, 1]
    assert [*Mark] == [1, 2, 4]


def test_words_labels_and_meanings():
    storm = Weather(1)
    assert (storm.words, storm.label, storm.meaning) == ("sand storm", "sand_storm", "a storm blows")
    assert Weather.CLEAR.meaning == "clear"
    assert Mark.all_words() == ("wet", "cold", "dark")
    assert Weather.named("sand storm") is Weather.SAND_STORM
    with pytest.raises(ValueError, match="not in tuple"):
        Weather.named("rain")


def test_kernels_read_members_as_numbers():
    days = np.zeros(2, DAY)
    days[1].weather = Weather.SAND_STORM
    days[1].marks = Mark.WET | Mark.COLD
    assert worst(days) == 1 + 4
    darken(days, 1)
    assert days[1].marks == 2 + 4
    assert count_storms(days) == 1


def test_a_member_can_be_given_to_a_kernel():
    assert twice(Mark.DARK) == 8
