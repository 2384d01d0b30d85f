"""The tool that breaks rules, and a small fixed sample of what it finds: `make mutants` runs more."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

from tests.mutants import ROOT, breakages, cases_in

SOURCE = '''
def may_fire(board, state, unit):
    """True if a unit may fire [9.2]: "3 or more" is no number of the rule."""
    if is_towed(state, unit):
        return False
    return state.shots[unit] < 2 and not state.hidden[unit]
'''


def test_each_condition_and_number_of_a_function_is_broken_by_itself_and_mended_again():
    function = ast.parse(SOURCE).body[0]
    whole = ast.unparse(function)
    broken = []
    for _, _, context in breakages(function):
        with context():
            broken.append(ast.unparse(function))
        assert ast.unparse(function) == whole
    ends = {text.removeprefix(whole[: whole.index("    if")]).replace("\n", " ") for text in broken}
    assert len(ends) == len(broken) == 5
    assert any("if not is_towed" in text for text in ends)
    assert any("return True" in text for text in ends)
    assert any("<= 2 and" in text for text in ends)
    assert any("< 3 and" in text for text in ends)
    assert any("< 2 or" in text for text in ends)


def test_cases_stand_in_brackets():
    assert cases_in("Combat [9, 12.1, 8.71-8.73]: not 4.2, nor [a list]") == {"9", "12.1", "8.71", "8.73"}


@pytest.mark.skipif(sys.platform == "win32", reason="mutants are judged in forks")
@pytest.mark.parametrize(
    ("game", "file"), [("rommels_panzers", "machine_guns.py"), ("panzerarmee_afrika", "command.py")]
)
def test_marked_tests_notice_broken_rules(game, file):
    sample = ["--file", file, "--count", "8", "--seed", "1", "--least", "0.9"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutants", game, *sample],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
