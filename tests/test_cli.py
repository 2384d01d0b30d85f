import importlib
import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace

import pytest

import desert_envs
from desert_envs.cli import main
from desert_envs.engine import cache, kernel
from desert_envs.engine import compile as compiling
from desert_envs.engine.data import Origin, Ruling
from desert_envs.engine.errors import InputError
from desert_envs.engine.replay import Recorder, Replay
from desert_envs.engine.words import match
from desert_envs.terminal import Session, free_name
from tests import toy


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """So that no test sees the line about compiling."""
    for part in compiling.PARTS:
        compiling.ensure_compiled(toy.GAME, part)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command with lines typed at it; gives exit status, output and errors."""

    def run(command, typed=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = main(command.split())
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def file(here):
    recorder = Recorder(toy.GAME.scenario("crossing"), 3)
    while not recorder.position.over:
        recorder.apply(recorder.position.scripted())
    recorder.replay().save(here / "game.jsonl")
    return here / "game.jsonl"


def python(*arguments, **options):
    command = [sys.executable, "-W", "error", "-m", "desert_envs", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **options)


def root():
    return str(cache.PACKAGE.parent)


# -- list, info ------------------------------------------------------------------------------------------------------


def test_help_and_version(run, capsys):
    for arguments, expected in (
        (["--help"], "compile"),
        (["play", "--help"], "--resume"),
        (["--version"], "desert-envs"),
    ):
        with pytest.raises(SystemExit) as leaving:
            main(arguments)
        assert leaving.value.code == 0
        assert expected in capsys.readouterr().out


def test_list(run, monkeypatch):
    monkeypatch.setattr("desert_envs.cli.games", lambda: ("toy",))
    status, out, err = run("list")
    assert (status, err) == (0, "")
    assert [line.split() for line in out.splitlines() if line.startswith("toy")] == [
        ["toy", "Toy", "2", *toy.GAME.summary.split()]
    ]


def test_info_tells_all_about_a_game(run):
    status, out, err = run("info toy")
    assert (status, err) == (0, "")
    told = [*toy.GAME.options, *toy.GAME.players, *toy.GAME.decisions]
    told += [channel.name for channel in (*toy.GAME.planes, *toy.GAME.scalars, *toy.GAME.unit_features)]
    told += [block.name for block in toy.GAME.actions.blocks]
    assert all(word in out for word in told)
    lines = {line.split()[0]: line for line in out.splitlines() if line}
    assert " rulebook " in lines["crossing"]
    assert " own " in lines["duel"]
    assert lines["verb"].split()[1:3] == ["15-16", "2"]
    assert max(map(len, out.splitlines())) <= 120


def test_info_on_a_scenario(run):
    status, out, _ = run("info toy duel")
    assert status == 0
    assert "The tanks stand side by side" in out
    assert "desert-envs play toy duel" in out
    assert "crossing" not in out


# -- play ------------------------------------------------------------------------------------------------------------


def test_two_built_in_players(run):
    status, out, err = run("play toy crossing --auto --seed 3 --save game.jsonl")
    assert (status, err) == (0, "")
    assert "hides a mine" not in out
    assert "The game is over: axis_0 +1, allied_0 -1." in out
    assert Replay.load("game.jsonl").final().over


def test_random_players_draw_from_the_seed(run):
    outputs = [
        run(f"play toy crossing --auto --opponent random --seed {seed} --save {file}.jsonl")[1].replace(file, "file")
        for seed, file in ((1, "one"), (1, "again"), (2, "two"))
    ]
    assert outputs[0] == outputs[1] != outputs[2].replace("seed 2", "seed 1")


def test_a_person_plays_by_number_words_and_part_of_them(run):
    typed = "mine in 0302\n2\nTANK TO 0301\nstop\n0401\n1\n1\n1\n1\nquit\n"
    status, out, err = run("play toy crossing --seed 3 --save game.jsonl", typed)
    assert (status, err) == (0, "")
    actions = Replay.load("game.jsonl").actions
    position = toy.GAME.start("crossing", seed=3)
    told = []
    for action in actions:
        if position.player == 0:
            told.append(position.describe(action))
        position.apply(action)
    assert told[:3] == ["mine in 0302", "tank to 0201", "tank to 0301"]
    assert "Allies hides a mine" not in out
    assert "allied_0: " in out
    assert "Saved" in out


def test_nothing_typed_wrongly_ends_the_game_or_shows_a_traceback(run):
    typed = ["", "   ", "nonsense", "99", "0", "-1", "mine", "undo", "save no/such/folder/x.jsonl", "help", "\x00"]
    typed = "\n".join([*typed, "actions", "board", "mine in 0302", ""])
    status, out, err = run("play toy crossing --seed 3 --save game.jsonl", typed)
    assert (status, err) == (0, "")
    assert "no legal action 'nonsense'" in out
    assert "'mine' fits 9 actions: mine in 0201; mine in 0301; mine in 0401; mine in 0202; ..." in out
    assert "there is nothing to take back" in out
    assert "no/such/folder/x.jsonl: cannot be written" in out
    assert "Type the number of an action" in out
    assert len(Replay.load("game.jsonl").actions) == 2  # the person's and the answer


def test_undo_goes_back_to_the_persons_last_decision(run):
    status, _, _ = run("play toy crossing --seed 3 --save game.jsonl", "mine in 0302\nundo\nmine in 0203\nquit\n")
    assert status == 0
    replay = Replay.load("game.jsonl")
    assert toy.GAME.start("crossing", seed=3).describe(replay.actions[0]) == "mine in 0203"


def test_the_other_seat_and_two_persons(run):
    _, out, _ = run("play toy crossing --seat allied_0 --seed 3 --save a.jsonl", "quit\n")
    assert "Turn 0, allied_0: hide a mine" in out
    assert "Axis hides a mine" not in out
    _, out, _ = run("play toy crossing --opponent human --seed 3 --save b.jsonl", "mine in 0302\nmine in 0203\n")
    assert "Turn 0, allied_0: hide a mine" in out
    assert "M 0302 mine" not in out.split("Turn 0, allied_0: hide")[0]  # the second person sees no mine of the first
    assert len(Replay.load("b.jsonl").actions) == 2


def test_options_reach_the_game(run):
    run("play toy duel --option turns=1 --auto --opponent random --seed 1 --save game.jsonl")
    assert Replay.load("game.jsonl").head.options == {"turns": 1}


@pytest.mark.parametrize("player", ["mcts:30", "omniscient-mcts:0.01s"])
def test_a_tree_search_plays(run, player):
    status, _, err = run(f"play toy duel --auto --opponent {player} --seed 1 --save game.jsonl")
    assert (status, err) == (0, "")
    assert Replay.load("game.jsonl").final().over


def test_no_other_game_is_overwritten(run, file):
    before = file.read_bytes()
    typed = "save game.jsonl\nmine in 0302\nsave new.jsonl\nsave new.jsonl\nsave\nquit\n"
    status, out, _ = run("play toy crossing --seed 3 --save mine.jsonl", typed)
    assert status == 0
    assert "game.jsonl: is there already; name another file" in out
    assert out.count("Saved 2 actions to new.jsonl") == 2
    assert file.read_bytes() == before
    assert run("play --resume new.jsonl --save new.jsonl", "tank to 0201\n")[0] == 0
    assert len(Replay.load("new.jsonl").actions) == 3


def test_resume_goes_on_where_the_game_was_saved(run):
    run("play toy crossing --seed 3 --save game.jsonl", "mine in 0302\nquit\n")
    before = Replay.load("game.jsonl").actions
    status, out, _ = run("play --resume game.jsonl --save later.jsonl", "tank to 0201\n")
    assert status == 0
    assert "Turn 1, axis_0: move or fire" in out
    assert Replay.load("later.jsonl").actions == (*before, toy.NUMBERS.index("0201"))


def test_ctrl_c_saves_too(run, monkeypatch):
    typed = iter(["mine in 0302"])

    def interrupted(prompt):
        try:
            return next(typed)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", interrupted)
    status, out, err = run("play toy crossing --seed 3")
    assert (status, err) == (130, "")
    assert "Saved 2 actions to toy-crossing-seed3.jsonl" in out
    assert len(Replay.load("toy-crossing-seed3.jsonl").actions) == 2


def test_a_game_is_saved_when_nobody_reads_on(here, monkeypatch):
    class Closed(io.StringIO):
        def write(self, text):
            if self.tell() > 100:
                raise BrokenPipeError
            return super().write(text)

    recorder = Recorder(toy.GAME.scenario("crossing"), 3)
    monkeypatch.setattr(sys, "stdout", Closed())
    with pytest.raises(BrokenPipeError):
        Session(recorder, ["scripted", "scripted"], here / "game.jsonl").run()
    monkeypatch.undo()
    assert Replay.load(here / "game.jsonl").actions == tuple(recorder.actions) != ()


def test_a_game_that_cannot_be_saved_where_it_should_is_saved_elsewhere(run, here, monkeypatch):
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(here))
    (here / "folder").mkdir()
    (here / "taken").mkdir()
    status, out, err = run("play toy crossing --seed 3 --save folder/../taken", "mine in 0302\n")
    assert (status, err) == (0, "")
    assert "folder/../taken: cannot be written" in out
    assert len(Replay.load("desert-envs-game.jsonl").actions) == 2


def test_a_game_without_a_file_name_overwrites_no_other(run, here):
    for _ in range(2):
        run("play toy crossing --auto --seed 3")
    assert sorted(path.name for path in here.iterdir()) == ["toy-crossing-seed3-2.jsonl", "toy-crossing-seed3.jsonl"]
    assert free_name("toy-crossing-seed3").name == "toy-crossing-seed3-3.jsonl"


def test_match():
    described = {"III-2 moves to 1413": 7, "III-2 moves to 1414": 8, "stop": 9, "stop all": 10, "12": 11}
    assert match("stop", described) == 9
    assert match("1", described) == 7
    assert match("12", described) == 11  # the words themselves come before the number in the list
    assert match("1414", described) == 8
    assert match("iii-2 MOVES to 1413", described) == 7
    assert match("stop a", described) == 10


# -- replay ----------------------------------------------------------------------------------------------------------


def test_replay_tells_every_action_and_the_end(run, file):
    status, out, err = run(f"replay {file}")
    assert (status, err) == (0, "")
    assert "   1  turn  0  axis_0: Axis hides a mine in 0401" in out
    assert out.endswith("The game is over: axis_0 +1, allied_0 -1.\n")
    told = run(f"replay {file} --viewer allied_0")[1]
    assert "Axis hides a mine" not in told
    assert "   1  turn  0  allied_0: Allies hides a mine in" in told


def test_replay_by_steps(run, file):
    _, out, _ = run(f"replay {file} --step", "\n\n")
    assert out.count("● axis_0   ○ allied_0") == 3
    assert "The game is over" not in out


def test_replay_as_a_page_and_as_a_public_record(run, file, here):
    status, out, _ = run(f"replay {file} --html page.html --public public.jsonl")
    assert status == 0
    assert out == "Wrote public.jsonl\nWrote page.html\n"
    assert (here / "page.html").read_text("utf-8").startswith("<!doctype html>")
    assert "hides a mine in 0401" in (here / "page.html").read_text("utf-8")
    assert "hides a mine" not in (here / "public.jsonl").read_text("utf-8")
    run(f"replay {file} --html page.html --viewer allied_0")
    page = (here / "page.html").read_text("utf-8")
    assert "hides a mine in 0401" not in page
    assert "Allies hides a mine" in page


# -- draw ------------------------------------------------------------------------------------------------------------


def test_draw_writes_a_start_a_position_and_a_replay(run, file, here):
    status, out, err = run("draw toy duel --svg start.svg --png start.png --width 320")
    assert (status, out, err) == (0, "Wrote start.svg\nWrote start.png\n", "")
    assert (here / "start.png").read_bytes().startswith(b"\x89PNG")
    notation = toy.GAME.start("crossing", 3).notation()
    assert main(["draw", "toy", notation, "--svg", "position.svg"]) == 0
    assert run(f"draw toy {file}#2 --svg later.svg")[0] == 0
    drawn = [(here / f"{name}.svg").read_text("utf-8") for name in ("start", "position", "later")]
    assert all(text.startswith("<svg") for text in drawn)
    assert len(set(drawn)) == 3


def test_draw_shows_what_a_player_may_see_and_an_overlay(run, here):
    overlay = toy.GAME.overlays[0].name
    run("draw toy duel --svg plain.svg --viewer allied_0")
    run(f"draw toy duel --svg heat.svg --viewer allied_0 --overlay {overlay}")
    assert len((here / "heat.svg").read_text("utf-8")) > len((here / "plain.svg").read_text("utf-8"))


# -- bench, data, compile --------------------------------------------------------------------------------------------


def test_bench(run):
    status, out, _ = run("bench toy duel --seconds 0.01")
    assert status == 0
    rates = [int(number.replace(",", "")) for number in re.findall(r"  ([\d,]+) *$", out, re.MULTILINE)]
    assert len(rates) == 4
    assert min(rates) > 0
    assert "benchmarks.speed" in out


@dataclass(frozen=True)
class Part:
    origins: tuple[Origin, ...]
    rulings: tuple[Ruling, ...] = ()


def files(folder):
    if folder is not None and not (folder / "map.toml").exists():
        raise InputError("map.toml: is missing")
    map_ = Part((Origin(rulebook="9.8"), Origin(reconstructed="the road is straight"), Origin(source="a page")))
    ruling = Ruling(case="7.4", question="May it back up twice?", answer="No.", reason="It says once.")
    return {"map.toml": map_, "rulings.toml": Part((), (ruling,))}


@pytest.fixture
def game_with_data():
    return replace(
        toy.GAME, id="toy_with_data", files=files, scenarios=lambda folder: toy.SCENARIOS[:1], load=load, _scenarios={}
    )


def load(name, folder):
    return toy.load(name, None)


def test_data_tells_origins_and_rulings(run, game_with_data):
    status, out, err = run("data toy_with_data")
    assert (status, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    for row in (["map.toml", "1", "1", "1"], ["rulings.toml", "0", "0", "0"], ["all", "1", "1", "1"]):
        assert row in rows
    assert ["map.toml", "origins[1]", "the", "road", "is", "straight"] in rows
    assert ["7.4", "May", "it", "back", "up", "twice?", "No."] in [row[:7] for row in rows]


def test_data_of_a_folder_is_checked(run, game_with_data, here):
    assert run(f"data toy_with_data --data {here}") == (2, "", "map.toml: is missing\n")
    (here / "map.toml").touch()
    status, out, _ = run(f"data toy_with_data --data {here}")
    assert status == 0
    assert f"{here}: valid; 1 scenarios" in out


@pytest.mark.skipif(kernel.INTERPRETED, reason="nothing is compiled")
def test_compile_names_every_function(run, monkeypatch):
    monkeypatch.setattr(compiling, "is_compiled", lambda game, part: False)
    status, out, err = run("compile toy")
    assert (status, err) == (0, "")
    for function, _ in (*compiling.calls(toy.GAME, compiling.SINGLE), *compiling.calls(toy.GAME, compiling.MANY)):
        assert function.__name__ in out
    assert str(cache.roots()[-1]) in out


@pytest.mark.skipif(kernel.INTERPRETED, reason="nothing is compiled")
def test_compile_says_when_all_is_compiled(run):
    run("compile toy")
    status, out, err = run("compile toy")
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "Toy: compiled already"


# -- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "desert-envs: the following arguments are required: COMMAND; see desert-envs --help"),
        ("plya", "invalid choice: 'plya'"),
        ("info", "desert-envs info: the following arguments are required: GAME"),
        ("info toyy", "unknown game 'toyy'"),
        ("info toy crosing", "unknown scenario of toy 'crosing'; did you mean 'crossing'?"),
        ("info toy --data nowhere", "--data: there is no folder nowhere"),
        ("play", "give GAME and SCENARIO, or --resume FILE"),
        ("play toy", "give GAME and SCENARIO"),
        ("play toy duell", "did you mean 'duel'?"),
        ("play toy duel --seat axis", "did you mean 'axis_0'?"),
        ("play toy duel --seed x", "argument --seed: invalid int value: 'x'"),
        ("play toy duel --seed -1", "seed: -1 cannot be used"),
        ("play toy duel --opponent clever", "unknown opponent 'clever'; known: scripted, random, human, mcts:1000"),
        ("play toy duel --opponent mcts", "unknown opponent 'mcts'; did you mean 'mcts:1000'?"),
        ("play toy duel --opponent mct:9", "player 'mct:9': unknown kind of player 'mct'; did you mean 'mcts'?"),
        ("play toy duel --opponent mcts:few", "player 'mcts:few': 'few' is no budget"),
        ("play toy duel --auto --opponent human", "--auto: plays with built-in players only"),
        ("play toy duel --option turns", "--option turns: has no value"),
        ("play toy duel --option turn=3", "unknown option of toy 'turn'; did you mean 'turns'?"),
        ("play toy duel --option turns=many", "turns: 'many' cannot be used"),
        ("play toy duel --save no/such/x.jsonl", "--save: there is no folder no/such"),
        ("play toy duel --save game.jsonl", "--save: game.jsonl is there already; name another file, or go on with it"),
        ("play --resume nothing.jsonl", "nothing.jsonl: cannot be read"),
        ("play toy duel --resume game.jsonl", "SCENARIO: duel is asked for, but game.jsonl was played with crossing"),
        ("play toys --resume game.jsonl", "GAME: toys is asked for, but game.jsonl was played with toy; leave it out"),
        ("play --seed 4 --resume game.jsonl", "--seed: 4 is asked for, but game.jsonl was played with 3; leave it out"),
        ("play --option turns=4 --resume game.jsonl", "--option: {'turns': 4} is asked for, but game.jsonl was"),
        ("replay nothing.jsonl", "nothing.jsonl: cannot be read"),
        ("draw toy duel", "draw: nothing to write; give --svg OUT or --png OUT"),
        ("draw toy duell --svg a.svg", "did you mean 'duel'?"),
        ("draw toy duel --svg a.svg --overlay sunshine", "unknown overlay of toy 'sunshine'"),
        ("draw toy duel --svg a.svg --width 3", "--width: 3 cannot be used; it is from 16 to 20000 pixels"),
        ("draw toy duel --png no/such/a.png", "no/such/a.png: cannot be written"),
        ("draw toy game.jsonl#900 --svg a.svg", "there is no position after 900"),
        ("replay game.jsonl --html no/such/page.html", "cannot be written"),
        ("replay game.jsonl --html game.jsonl", "--html: game.jsonl is the recording itself; name another file"),
        ("replay game.jsonl --public ./game.jsonl", "--public: game.jsonl is the recording itself; name another file"),
        ("replay game.jsonl --public a --html a", "--public: a is the web page too; name another file"),
        ("replay game.jsonl --public a --viewer axis_0", "--public: shows everybody the same; leave out --viewer"),
        ("replay game.jsonl --html a --step", "--step: draws at the terminal; leave it out, or --html"),
        ("replay game.jsonl --viewer nobody", "unknown agent of toy 'nobody'"),
        ("bench toy --seconds 0", "--seconds: 0.0 cannot be used"),
        ("bench toy nothing", "unknown scenario of toy 'nothing'"),
        ("data toy", "toy: has no data files"),
        ("compile nothing", "unknown game 'nothing'"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(run, file, command, message):
    before = file.read_bytes()
    status, out, err = run(command)
    assert file.read_bytes() == before
    assert status == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_a_damaged_replay_is_one_line(run, file):
    file.write_text(file.read_text("utf-8")[:-20], "utf-8")
    status, out, err = run(f"replay {file}")
    assert (status, out) == (2, "")
    assert err.startswith("game.jsonl, line 3: damaged")
    assert err.count("\n") == 1


# -- as a program ----------------------------------------------------------------------------------------------------


def test_as_a_program_without_warnings(here):
    done = python("--version", cwd=root())
    assert (done.returncode, done.stdout, done.stderr) == (0, f"desert-envs {desert_envs.__version__}\n", "")
    done = python("info", "nothing", cwd=root())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [["info", "toy"], ["play", "toy", "duel", "--auto", "--seed", "1"]])
def test_whoever_stops_reading_sees_no_error(command, here):
    code = f"import sys; from tests import toy; from desert_envs.cli import main; sys.exit(main({command}))"
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root(), "PYTHONUNBUFFERED": ""},
    )
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=120) == 1
    assert [path.name for path in here.iterdir()] == ["toy-duel-seed1.jsonl"] * (command[0] == "play")


def test_the_list_of_games_outlives_the_import_of_one():
    assert importlib.import_module("desert_envs.games.rommels_panzers")
    assert desert_envs.games() == ("rommels_panzers", "panzerarmee_afrika", "desert_victory")


def test_the_command_line_imports_nothing_heavy():
    code = (
        "import sys, desert_envs.cli; print(sorted({'torch', 'stable_baselines3', 'pygame', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root(), check=True)
    assert done.stdout == "[]\n"


# -- streams and odd files -------------------------------------------------------------------------------------------


def toy_program(code, **options):
    """A program of its own that runs the command line with the toy; bytes in and out."""
    script = f"import sys; sys.path.insert(0, {root()!r}); import tests.toy; from desert_envs.cli import main; {code}"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"} | options.pop("env", {})
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=120, check=False, env=environment, **options
    )


PLAY = "sys.exit(main('play toy crossing --seed 3 --save game.jsonl'.split()))"


def test_bytes_that_are_no_text_cost_nothing(here):
    done = toy_program(PLAY, input=b"\xff\xfe\nmine in 0302\n\xc3\n", env={"PYTHONIOENCODING": "utf-8:strict"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"no legal action '\\xff\\xfe'" in done.stdout
    assert len(Replay.load(here / "game.jsonl").actions) >= 1


def test_a_terminal_without_the_letters_gets_escapes(here):
    done = toy_program(PLAY, input=b"mine in 0302\n\xc3\xa9\n", env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert (here / "game.jsonl").exists()


def test_closed_streams(here):
    done = toy_program(PLAY, preexec_fn=lambda: [os.close(number) for number in (0, 1)])
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_behind_the_output_is_one_line(here):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "desert_envs", "list"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (2, b"output: cannot be written (No space left on device)\n")


def test_whatever_goes_wrong_the_game_is_saved(here, monkeypatch):
    recorder = Recorder(toy.GAME.scenario("crossing"), 3)
    session = Session(recorder, ["scripted", "scripted"], here / "game.jsonl")

    def fails():
        recorder.apply(recorder.position.scripted())
        raise RuntimeError("a fault")

    monkeypatch.setattr(session, "_play", fails)
    with pytest.raises(RuntimeError, match="a fault"):
        session.run()
    assert len(Replay.load(here / "game.jsonl").actions) == 1


@pytest.mark.parametrize("out", ["/", ".", "no/such/folder/page.html", "a\0b", "x" * 300])
@pytest.mark.parametrize("kind", ["--html", "--public"])
def test_a_place_that_cannot_be_written_is_one_line_and_leaves_nothing(capsys, file, here, out, kind):
    before = sorted(here.iterdir())
    assert main(["replay", "game.jsonl", kind, out]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert re.search("cannot be written|no file can have this name", err)
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[2Jb", "a\u202eb", "a\0b", "\udcff", "x" * 5000])
@pytest.mark.parametrize(
    "command",
    [
        ["info", "NAME"],
        ["info", "toy", "NAME"],
        ["info", "toy", "--data", "NAME"],
        ["play", "toy", "crossing", "--seat", "NAME"],
        ["play", "toy", "crossing", "--opponent", "NAME"],
        ["play", "toy", "crossing", "--opponent", "mcts:NAME"],
        ["play", "toy", "crossing", "--option", "NAME"],
        ["play", "toy", "crossing", "--option", "NAME=1"],
        ["play", "toy", "crossing", "--option", "turns=NAME"],
        ["play", "toy", "crossing", "--seed", "NAME"],
        ["play", "--resume", "NAME"],
        ["replay", "NAME"],
        ["replay", "game.jsonl", "--viewer", "NAME"],
        ["bench", "toy", "--seconds", "NAME"],
        ["NAME"],
    ],
    ids=" ".join,
)
def test_names_reach_the_terminal_on_one_line(capsys, file, command, name):
    assert main([part.replace("NAME", name) for part in command]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err[:-1].isprintable()


@pytest.mark.parametrize("value", ["[" * 100_000, "9" * 5000, '{"a":' * 5000])
def test_options_of_any_kind_are_one_line(capsys, value):
    assert main(["play", "toy", "crossing", "--option", f"turns={value}"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert len(err) < 200


@pytest.mark.parametrize("seconds", ["inf", "nan", "0", "-1", "1e9"])
def test_seconds_have_an_end(capsys, seconds):
    assert main(["bench", "toy", "--seconds", seconds]) == 2
    assert capsys.readouterr().err.startswith("--seconds: ")
