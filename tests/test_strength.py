"""The strength benchmark: a run that was broken off goes on, and plays nothing twice."""

from agents.evaluate import evaluate
from benchmarks import strength
from tests import toy

COMMAND = ["--game", toy.GAME.id, "--scenario", "crossing", "--pair", "random", "scripted"]


def test_games_are_not_played_again(tmp_path, capsys, monkeypatch):
    file = tmp_path / "games.jsonl"
    assert strength.run([str(file), "--games", "16", *COMMAND]) == 0
    told, lines = capsys.readouterr().out, file.read_text().splitlines()
    assert len(lines) == 16
    file.write_text("\n".join(lines[:8]) + "\n")
    played = []
    monkeypatch.setattr(strength, "evaluate", lambda *given: played.append(given[-1]) or evaluate(*given))
    assert strength.run([str(file), "--games", "16", *COMMAND]) == 0
    assert played == [1]
    assert file.read_text().splitlines() == lines
    assert capsys.readouterr().out == told
