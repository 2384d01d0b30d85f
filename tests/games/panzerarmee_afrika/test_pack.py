"""The data pack: facts of the rulebook, an origin for every datum, and one clear line for every error."""

from __future__ import annotations

import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from desert_envs.engine.data import origin_summary, origins
from desert_envs.engine.errors import InputError
from desert_envs.games.panzerarmee_afrika import schema
from desert_envs.games.panzerarmee_afrika.pack import assemble, load
from tests.games.data_faults import Files, bare, samples

PACK = load()
FOLDER = Path(str(files("desert_envs.games.panzerarmee_afrika") / "data"))
KINDS = {
    "map.toml": schema.Map,
    "counters.toml": schema.Counters,
    "tables.toml": schema.Tables,
    "turns.toml": schema.Turns,
    "scenarios.toml": schema.Scenarios,
    "rulings.toml": schema.Rulings,
}
DATA = Files(FOLDER, KINDS, PACK.files, assemble)
UNITS = {unit.id: (group, unit) for group, unit in PACK.units}

every_file = pytest.mark.parametrize("file", KINDS)


# ---- facts of the rulebook


@pytest.mark.rule("2.1")
def test_twenty_turns_from_april_1941_to_november_1942():
    assert [entry.turn for entry in PACK.turns] == list(range(1, 21))
    assert (PACK.turns[0].month, PACK.turns[14].month, PACK.turns[19].month) == ("Apr 41", "Jun 42", "Nov 42")
    assert (PACK.scenarios["campaign"].first_turn, PACK.scenarios["campaign"].last_turn) == (1, 20)


@pytest.mark.rule("4.31", "4.32")
def test_only_the_campaign_is_in_the_rulebook_and_begins_with_the_special_turn():
    assert [name for name, scenario in PACK.scenarios.items() if scenario.in_rulebook] == ["campaign"]
    special = {name for name, scenario in PACK.scenarios.items() if scenario.special_first_turn}
    assert special == {name for name, scenario in PACK.scenarios.items() if scenario.first_turn == 1}
    held = [PACK.setup(PACK.scenarios[name]).held for name in special]
    assert held == [None] * 3  # all ports are Allied at the start [5.42]


@pytest.mark.rule("8.7")
def test_combat_results_table():
    assert [" ".join(str(result) for result in row.result) for row in PACK.tables.crt.row] == [
        "2 2 3 4 4 6 6 6 8 10 10",
        "0 2 3 3 4 4 6 6 8 8 10",
        "0 0 2 3 3 4 4 6 6 8 8",
        "0 0 2 2 3 3 4 6 6 8 8",
        "0 0 0 2 3 3 4 6 6 6 8",
        "0 0 0 2 3 3 4 4 6 6 6",
    ]


@pytest.mark.rule("10.4")
def test_supply_states():
    supply = PACK.tables.supply
    assert (supply.general, supply.attack) == (20, 8)
    assert (supply.attack_general, supply.attack_supplied, supply.attack_maximum) == (50, 100, 200)
    assert supply.defence_unsupplied == 50


@pytest.mark.rule("8.62")
def test_counterattack_multipliers():
    combat = PACK.tables.combat
    assert (combat.german_counterattack, combat.italian_counterattack, combat.allied_counterattack) == (400, 200, 200)


@pytest.mark.rule("19.13", "19.3")
def test_malta_and_the_letters():
    letters = {option.letter: option for option in PACK.options}
    assert "".join(option.letter for option in PACK.options if option.side == "axis") == "FGHJKL"
    strength = {letter: sum(UNITS[name][1].strength for name in option.units) for letter, option in letters.items()}
    assert strength["L"] == 5  # the example of [19.3]
    malta = PACK.track.malta
    assert (malta.not_attempted, malta.succeeds, malta.fails) == (("FG", "HJKL"), ("F", "G", "H", "J", "K"), ("FGK",))
    due = {name: entry.turn for entry in PACK.turns for arrival in entry.arrival for name in arrival.units}
    assert sorted(due[name] for name in malta.delayed) == [16, 17, 17, 17]
    assert {UNITS[name][1].kind for name in malta.delayed} == {"parachute"}
    assert all(PACK.turns[turn - 1].supply.axis > 0 for turn in malta.lost_supply)


# ---- origins


@every_file
def test_every_datum_has_an_origin(file):
    if file != "rulings.toml":
        assert list(bare(PACK.files[file], file, covered=False)) == []
    assert origin_summary(PACK.files)[file] is not None
    assert sum(origin_summary(PACK.files)[file].values()) == len(origins(PACK.files[file]))


# ---- what the loader refuses

# Keys that an entry need not have: without them it says something else, but nothing wrong.
OPTIONAL = {
    "map.toml": {"note", "name"},
    "counters.toml": {"note", "formation"},
    "tables.toml": {"note"},
    "turns.toml": {
        *("note", "arrival", "removal", "excludes", "removal_turn", "forgone_points", "cancels_removal"),
        *schema.POINTS,
    },
    "scenarios.toml": {"note", "special_first_turn", "track", "victory", "Bardia", *schema.POINTS},
    "rulings.toml": set(),
}  # fmt: skip
FREE_TEXT = {
    *("name", "title", "summary", "note", "source", "reconstructed", "question", "answer", "reason", "nation"),
    *("formation", "month"),
}


@every_file
def test_the_packaged_files_are_accepted(file):
    assert DATA.refusal(file, DATA.tree(file)) is None


@every_file
def test_wrong_type(file):
    """Values, lists and tables of every kind are refused if they are of another type."""
    tree = DATA.tree(file)
    faults = ((keys, parent, "text" if isinstance(value, bool | int | float | dict | list) else 7)
              for keys, parent, value in samples(tree))  # fmt: skip
    assert DATA.check_each(file, tree, faults) > 10


@every_file
def test_numbers_out_of_range(file):
    tree = DATA.tree(file)
    numbers = [(keys, parent) for keys, parent, value in samples(tree) if type(value) in (int, float)]
    DATA.check_each(file, tree, ((keys, parent, wrong) for keys, parent in numbers for wrong in (10_000, -10_000)))
    assert bool(numbers) == (file != "rulings.toml")


@every_file
def test_names_and_texts(file):
    """Names that do not exist and texts that are empty."""
    tree = DATA.tree(file)
    texts = [(keys, parent) for keys, parent, value in samples(tree) if isinstance(value, str)]
    DATA.check_each(file, tree, ((keys, parent, "") for keys, parent in texts))
    names = [(keys, parent) for keys, parent in texts if keys[-1] not in FREE_TEXT]
    DATA.check_each(file, tree, ((keys, parent, "no such name") for keys, parent in names))


@every_file
def test_hexes_off_the_map(file):
    tree = DATA.tree(file)
    hexes = [(keys, parent, re.sub(r"[0-9]{4}", "9999", value)) for keys, parent, value in samples(tree)
             if isinstance(value, str) and re.fullmatch(r"[0-9]{4}(-[0-9]{4})?", value)]  # fmt: skip
    DATA.check_each(file, tree, iter(hexes))
    assert bool(hexes) == (file in ("map.toml", "scenarios.toml"))


@every_file
def test_missing_keys(file):
    """Every key of every table is needed, but for the optional ones, of which each can be left out somewhere."""

    def is_free(keys):  # a place, or a key without which it is turns.toml that has a fault
        return keys[-1] == "variant" or (len(keys) > 1 and keys[-2] in ("hex", "units"))

    DATA.check_missing(file, OPTIONAL[file], is_free)


@every_file
def test_unknown_keys(file):
    tree = DATA.tree(file)
    tables = [((), tree)] + [(keys, value) for keys, _, value in samples(tree) if isinstance(value, dict)]
    for keys, table in tables:
        table["tpyo"] = 1
        DATA.check_refused(file, tree, (*keys, "tpyo"))
        del table["tpyo"]


@pytest.mark.parametrize(
    ("file", "keys", "wrong", "message"),
    [
        ("map.toml", ("line", 0, "path", 3), "0416", "line[0].path[4]: 0515 is not next to 0416; a line must not "
         "have gaps"),
        ("map.toml", ("escarpment", 0, "hexsides", 0), "0101-0303", "escarpment[0].hexsides[0]: 0101-0303 parts no "
         "adjacent hexes; must name two hexes side by side"),
        ("map.toml", ("fort", 0, "hex"), "0101", "fort[0].hex: 0101 is sea; must be land"),
        ("map.toml", ("base", 0, "centre"), "0415", "base[0]: does not hold together; hexes must hold the centre"),
        ("map.toml", ("port", 1, "name"), "Tobruk", "port[1]: repeats 'Tobruk'; list each once"),
        ("map.toml", ("terrain", 1, "hexes", 0), "0101", "terrain[1].hexes[0]: 0101 is sea already; list each hex "
         "once"),
        ("counters.toml", ("group", 0, "unit", 1, "id"), "G5Pz", "unit ids[1]: repeats 'G5Pz'; list each once"),
        ("counters.toml", ("group", 0, "pool"), "allied", "group[0]: does not hold together; pool must be allied "
         "for the "
         "allied side alone"),
        ("tables.toml", ("crt", "row", 2, "die"), 2, "crt.row: has not one row for each die; must have the dice 1 "
         "to 6 in "
         "order"),
        ("tables.toml", ("crt", "row", 0, "result", 3), 1, "crt.row[0].result: falls somewhere; must rise with the "
         "superiority"),
        ("turns.toml", ("turn", 0, "arrival", 0, "units", 0), "oG7Pz", "turn[0].arrival[0].units[0]: oG7Pz comes "
         "with an "
         "option only; variant must be false"),
        ("turns.toml", ("turn", 0, "arrival", 0, "side"), "allied", "turn[0].arrival[0].units[0]: G104 is axis; "
         "must be "
         "allied"),
        ("turns.toml", ("option", 0, "letter"), "G", "option[1]: repeats 'G'; list each once"),
        ("scenarios.toml", ("scenario", 1, "setup", "units", "0216", 0), "G3Rnc", "scenario[1].setup.units.0216[0]: "
         "unknown "
         "unit 'G3Rnc'; did you mean 'G3Rcn'?"),
        ("scenarios.toml", ("scenario", 1, "setup", "units", "0216"), ["G5Pz", "G3Rcn", "G8MG", "G104"],
         "scenario[1].setup.units.0216: has 4 units; at most 3 may stack there"),
        ("scenarios.toml", ("scenario", 1, "setup", "cadres", 0), "G5Pz", "scenario[1].setup units[20]: repeats "
         "'G5Pz'; list "
         "each once"),
        ("scenarios.toml", ("scenario", 1, "setup", "supply", "allied", 0), "0216",
         "scenario[1].setup.supply.allied[0]: "
         "0216 holds axis units; must be a hex of the allied side"),
        ("scenarios.toml", ("scenario", 2, "like"), "campain", "scenario[2].like: unknown scenario with a set-up "
         "'campain'; "
         "did you mean 'campaign'?"),
        ("scenarios.toml", ("scenario", 0, "cut", "rows"), [5, 9], "scenario[0].base[1].hexes[1]: 4310 is off the "
         "cut; must "
         "lie in its columns and rows"),
        ("rulings.toml", ("ruling", 0, "case"), "nine", "ruling[0].case: cannot be 'nine'; must be a case of the "
         "rulebook "
         'such as "9.8"'),
    ],
)  # fmt: skip
def test_faults(file, keys, wrong, message):
    DATA.check_message(file, keys, wrong, f"{file}: {message}")


# ---- a folder of one's own


@pytest.fixture
def folder(tmp_path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "own"))


def test_a_copy_of_the_folder_is_the_same_pack_and_an_edit_changes_the_digest(folder):
    pack = load(folder)
    assert pack.files == PACK.files
    assert pack.digest == PACK.digest
    path = folder / "tables.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("overrun = 10", "overrun = 9"), encoding="utf-8")
    assert load(folder).tables.movement.overrun == 9
    assert load(folder).digest != PACK.digest


@every_file
def test_a_missing_file(folder, file):
    (folder / file).unlink()
    with pytest.raises(InputError) as caught:
        load(folder)
    assert str(caught.value) == f"{file}: cannot be read (No such file or directory); expected at {folder / file}"
