"""The data pack: facts typed from the rulebook, an origin for every datum, and one clear line for every error."""

from __future__ import annotations

import re
import shutil
from dataclasses import fields, is_dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from desert_envs.engine.data import origin_summary, origins, walk
from desert_envs.engine.errors import InputError
from desert_envs.engine.hexes import distance
from desert_envs.games.rommels_panzers import schema
from desert_envs.games.rommels_panzers.pack import assemble, load
from tests.games.data_faults import Files, bare, samples

PACK = load()
FOLDER = Path(str(files("desert_envs.games.rommels_panzers") / "data"))
KINDS = {
    "map.toml": schema.Map,
    "counters.toml": schema.Counters,
    "tables.toml": schema.Tables,
    "scenarios.toml": schema.Scenarios,
    "rulings.toml": schema.Rulings,
}
DATA = Files(FOLDER, KINDS, PACK.files, assemble)
COUNTERS = {counter.id: counter for counter in PACK.counters}


def scenario_groups(name: str) -> list[tuple[str, dict[str, int] | None, str, tuple[int, int] | None]]:
    """(side, units, edges or way of set-up, turns) of the groups of a scenario."""
    rows = []
    for group in PACK.scenarios[name].group:
        if group.enter is not None:
            rows.append((group.side, group.units, " ".join(group.enter.edges), group.enter.turns))
        else:
            way = next(way for way in ("hexes", "area", "road") if getattr(group, way) is not None)
            rows.append((group.side, group.units, way, None))
    return rows


# ---- facts of the rulebook


def test_order_of_the_counters():
    order = "GR ST C-II MAT BFR 2-PDR 6-PDR TRK_B II III IIIS IV 28 50 88 TRK_G"
    assert " ".join(counter.id for counter in PACK.counters) == order == " ".join(schema.UNITS)


def test_sides_and_kinds_of_the_counters():
    british = {"GR", "ST", "C-II", "MAT", "BFR", "2-PDR", "6-PDR", "TRK_B"}  # [3.0]
    guns = {"BFR", "2-PDR", "6-PDR", "28", "50", "88"}
    assert {name for name, counter in COUNTERS.items() if counter.side == "british"} == british
    assert {name for name, counter in COUNTERS.items() if counter.kind == "gun"} == guns
    assert {name for name, counter in COUNTERS.items() if counter.kind == "truck"} == {"TRK_B", "TRK_G"}
    assert [COUNTERS[name].printed for name in ("TRK_B", "TRK_G", "C-II")] == ["TRK", "TRK", "C-II"]


def test_factors_that_the_rulebook_names():
    panzer = COUNTERS["III"]
    assert (panzer.attack, panzer.defense, panzer.move) == (13, 15, 6)  # [3.0]
    assert (COUNTERS["ST"].attack, COUNTERS["ST"].defense) == (10, 10)  # [9.7, 9.8]
    assert (COUNTERS["IV"].defense, COUNTERS["IV"].move) == (10, 7)  # [9.7, 6.5]
    assert COUNTERS["88"].attack == 60  # [9.7]
    assert COUNTERS["MAT"].defense == 25  # [9.7]


@pytest.mark.rule("9.9")
@pytest.mark.parametrize(("name", "flank"), [("ST", 5), ("III", 7), ("MAT", 20), ("IV", 5)])
def test_flank_defense_is_half_rounded_down_but_20_for_the_matilda(name, flank):
    assert COUNTERS[name].flank == flank


@pytest.mark.rule("6.6")
def test_stuart_and_panzer_ii_alone_are_fast():
    second = PACK.tables.movement.second
    fast = {name for name, it in COUNTERS.items() if it.kind == "tank" and it.move >= second.fast_from}
    assert fast == {"ST", "II"}
    assert (second.fast_tank, second.tank, second.truck) == (3, 2, 3)


@pytest.mark.rule("9.4")
def test_weapon_accuracy_follows_the_modifier_table():
    table = {"88": -3, "6-PDR": -2, "II": 1, "IV": 1, "MAT": 1, "C-II": 1, "ST": 0, "III": 0}
    table |= dict.fromkeys(("IIIS", "GR", "50", "28", "2-PDR", "BFR"), -1)
    assert {name: it.accuracy for name, it in COUNTERS.items() if it.kind != "truck"} == table


@pytest.mark.rule("12.1", "12.4")
def test_guns_fire_twice_but_heavy_guns_once():
    assert {name for name, it in COUNTERS.items() if it.heavy} == {"88", "6-PDR"}
    assert {name for name, it in COUNTERS.items() if it.shots == 2} == {"BFR", "2-PDR", "28", "50"}
    assert PACK.tables.second_shot.distance == 2


@pytest.mark.rule("19.5")
def test_unit_cost_chart():
    chart = {"C-II": 6, "MAT": 18, "ST": 10, "GR": 18, "2-PDR": 10, "BFR": 15, "6-PDR": 15}
    chart |= {"II": 5, "III": 14, "IIIS": 20, "IV": 10, "28": 10, "50": 15}
    assert {name: it.cost for name, it in COUNTERS.items() if it.cost is not None} == chart
    assert (COUNTERS["88"].value, COUNTERS["TRK_G"].value, COUNTERS["GR"].value) == (30, 0, 18)


@pytest.mark.rule("9.3", "9.8")
def test_to_hit_table():
    rows = [(band.nearest, band.farthest, band.automatic, band.need, band.attack) for band in PACK.tables.to_hit.band]
    assert rows == [
        (1, 1, True, None, "doubled"),
        (2, 5, False, 6, "doubled"),
        (6, 10, False, 4, "normal"),
        (11, 20, False, 3, "normal"),
        (21, None, False, 2, "halved"),
    ]
    assert PACK.tables.mobile_fire.modifier == 2


@pytest.mark.rule("9.5")
def test_cover_modifiers():
    cover = PACK.tables.cover
    assert (cover.gun_in_open, cover.tank_or_truck_covered) == (1, 2)
    assert (cover.gun_covered_or_dug_in, cover.gun_in_building) == (3, 4)


@pytest.mark.rule("9.7")
def test_hit_effects_table():
    effects = PACK.tables.hit_effects
    assert effects.odds == ("1-2", "1-1", "2-1", "3-1", "4-1")
    assert [row.result for row in effects.row[:4]] == ["XXXXX", "-XXXX", "--XXX", "---XX"]
    assert effects.row[4].result[0] == "-"  # the one cell of row 5 that is printed
    # A 1-1 attack destroys on 1-2 and a 2-1 attack on 1-3 [16.2, 17.2].
    assert [row.result[1] for row in effects.row] == list("XX----")
    assert [row.result[2] for row in effects.row] == list("XXX---")


@pytest.mark.rule("11.2", "11.4")
def test_machine_gun():
    gun = PACK.tables.machine_gun
    assert [(band.nearest, band.farthest, band.attack) for band in gun.band] == [(1, 5, 4), (6, 10, 2)]
    assert gun.spray_divisor == 2


@pytest.mark.rule("16.2", "17.2")
def test_artillery_and_mines():
    kinds = {it.kind: (it.side, it.destroys_up_to) for it in PACK.tables.artillery}
    assert kinds == {"25-pdr": ("british", 2), "105mm": ("german", 2), "150mm": ("german", 3)}
    assert PACK.tables.mines.destroys_up_to == 3
    assert PACK.map.scatter.distance == 2  # [16.1]


@pytest.mark.rule("6.5", "7.3", "7.4", "14.2")
def test_movement_costs():
    movement = PACK.tables.movement
    assert (movement.backing.most, movement.overrun.cost) == (2, 3)
    road = movement.road
    assert [COUNTERS[name].move * road.tank_percent // 100 for name in ("III", "IV")] == [9, 10]
    assert road.truck_percent == 200


@pytest.mark.rule("13.1", "19.3")
def test_towers():
    assert PACK.tables.towing.towers == ("TRK_B", "TRK_G")
    assert PACK.tables.towing.towers_by_scenario == ("II",)
    towed = {name for name, scenario in PACK.scenarios.items() if scenario.tow_pz2}
    assert towed == {"mixed_assault", "desert_sandwich", "airfield_assault"}


# ---- the map


def test_hexes_are_in_the_order_of_the_columns():
    numbers = PACK.grid.numbers
    assert len(numbers) == 30 * 22
    for number, index in {"0101": 0, "0122": 21, "0202": 22, "1413": 13 * 22 + 5, "3037": 659}.items():
        assert (numbers[index], PACK.grid.hex(number)) == (number, index)


def test_edges_are_the_outermost_hexes():
    sizes = {edge: len(hexes) for edge, hexes in PACK.edges.items()}
    assert sizes == {"north": 30, "east": 22, "south": 30, "west": 22}
    border = {hex_ for hex_ in range(660) if -1 in PACK.grid.neighbour[hex_]}
    assert set().union(*PACK.edges.values()) == border
    assert set(PACK.edges["north"]) & set(PACK.edges["west"]) == {PACK.grid.hex("0101")}


def test_roads_run_from_edge_to_edge_and_cross_at_1413():
    assert set(PACK.roads["A"]) & set(PACK.roads["B"]) == {PACK.grid.hex("1413")} == {PACK.crossroads}
    assert PACK.roads["A"][0] in PACK.edges["north"]
    assert PACK.roads["A"][-1] in PACK.edges["south"]
    assert PACK.roads["B"][0] in PACK.edges["west"]
    assert PACK.roads["B"][-1] in PACK.edges["east"]


def test_ridges_part_adjacent_hexes():
    colours = [colour for _, _, colour in PACK.ridges]
    assert (colours.count("red"), colours.count("black")) == (84, 49)
    assert PACK.ridges[0] == (PACK.grid.hex("0405"), PACK.grid.hex("0505"), "red")
    assert all(distance(PACK.grid.axial[a], PACK.grid.axial[b]) == 1 for a, b, _ in PACK.ridges)


# ---- scenarios


def test_names_of_the_scenarios():
    booklet = "dawn_attack charge mixed_assault tank_commanders_dream open_scenario desert_sandwich airfield_assault"
    assert [name for name, scenario in PACK.scenarios.items() if scenario.in_rulebook] == booklet.split()
    assert [name for name, it in PACK.scenarios.items() if not it.in_rulebook] == ["duel", "skirmish", "gun_line"]
    assert {name: it.parts for name, it in PACK.series.items()} == {
        "continuing_assault": ("desert_sandwich", "airfield_assault")
    }


@pytest.mark.parametrize(
    ("name", "turns", "cap", "first", "terrain"),
    [
        pytest.param("dawn_attack", 5, None, "german", "red", marks=pytest.mark.rule("19.1")),
        pytest.param("charge", 6, None, "british", "red black", marks=pytest.mark.rule("19.2")),
        pytest.param("mixed_assault", 10, None, "german", "red black", marks=pytest.mark.rule("19.3")),
        pytest.param("tank_commanders_dream", None, 20, "german", "red roads", marks=pytest.mark.rule("19.4")),
        pytest.param("desert_sandwich", 5, None, "german", "red black", marks=pytest.mark.rule("19.6.1")),
        pytest.param("airfield_assault", None, 15, "german", "red roads", marks=pytest.mark.rule("19.6.2")),
    ],
)
def test_length_first_side_and_terrain(name, turns, cap, first, terrain):
    scenario = PACK.scenarios[name]
    assert (scenario.turns, scenario.cap, scenario.first) == (turns, cap, first)
    assert " ".join(kind for kind in ("red", "black", "roads") if getattr(scenario.terrain, kind)) == terrain


@pytest.mark.rule("19.1")
def test_dawn_attack():
    (laager, german) = PACK.scenarios["dawn_attack"].group
    assert laager.units == {"GR": 2, "ST": 4, "TRK_B": 2}
    assert laager.hexes == {
        "TRK_B": ("2119", "2020"),
        "GR": ("2018", "2321"),
        "ST": ("2019", "2221", "2320", "2118"),
    }
    assert german.units == {"IIIS": 1, "III": 2, "II": 5}
    assert set(german.enter.edges) == {"north", "east", "south", "west"}
    assert german.enter.turns == (1, 2)
    assert PACK.scenarios["dawn_attack"].victory.kind == "more_units"
    assert PACK.scenarios["dawn_attack"].exits is None


@pytest.mark.rule("19.2")
def test_charge():
    assert scenario_groups("charge") == [
        ("german", {"II": 3, "88": 1, "50": 1, "28": 3}, "area", None),
        ("british", {"MAT": 4, "ST": 7, "C-II": 9}, "west", (1, 2)),
    ]
    guns = PACK.scenarios["charge"].group[0]
    assert (guns.dug_in, guns.hidden, len(PACK.area(guns.area))) == (True, False, 660)
    victory = PACK.scenarios["charge"].victory
    assert (victory.kind, victory.side) == ("no_guns_left", "british")


@pytest.mark.rule("19.3")
def test_mixed_assault():
    assert scenario_groups("mixed_assault") == [
        ("british", {"MAT": 3, "GR": 1, "ST": 5, "C-II": 6, "BFR": 1, "2-PDR": 1}, "area", None),
        ("german", {"IIIS": 1, "III": 4, "IV": 4, "II": 6, "88": 1, "50": 1, "28": 4}, "west", (1, 2)),
    ]
    british = PACK.scenarios["mixed_assault"].group[0]
    assert (british.dug_in, british.hidden) == (True, True)
    columns = {PACK.grid.numbers[hex_][:2] for hex_ in PACK.area(british.area)}
    assert columns == {str(column) for column in range(18, 31)}  # 13 hexes from the east edge, its own included
    victory = PACK.scenarios["mixed_assault"].victory
    assert (victory.kind, victory.side) == ("no_units_left", "german")


@pytest.mark.rule("19.4")
def test_tank_commanders_dream():
    # The reinforcements may enter: on their turn or, by the ruling, on a later one.
    assert scenario_groups("tank_commanders_dream") == [
        ("british", {"TRK_B": 10, "2-PDR": 4}, "road", None),
        ("german", {"IIIS": 2, "III": 6, "IV": 4, "II": 8}, "south", (1, 1)),
        ("british", {"ST": 2, "C-II": 4}, "east", (1, 20)),
        ("british", {"GR": 3, "ST": 3}, "east", (2, 20)),
        ("british", {"MAT": 2, "ST": 3}, "west", (2, 20)),
        ("british", {"C-II": 6}, "east", (3, 20)),
        ("british", {"GR": 3, "MAT": 2}, "west", (3, 20)),
        ("british", {"ST": 4, "C-II": 3}, "east", (4, 20)),
        ("british", {"MAT": 4, "GR": 4}, "west", (4, 20)),
    ]
    victory = PACK.scenarios["tank_commanders_dream"].victory
    assert (victory.kind, victory.side, victory.exits) == ("convoy", "german", 4)
    assert (victory.edge, victory.from_turn) == ("south", 3)


@pytest.mark.rule("19.4")
def test_convoy_stands_on_exactly_ten_road_hexes():
    road = PACK.scenarios["tank_commanders_dream"].group[0].road
    path = [PACK.grid.numbers[hex_] for hex_ in PACK.roads[road.id]]
    stretch = path[path.index(road.start) : path.index(road.end) + 1]
    assert stretch == ["1422", "1523", "1624", "1725", "1826", "1927", "2028", "2129", "2230", "2331"]
    assert road.towing == dict.fromkeys(("1422", "1826", "1927", "2331"), "2-PDR")


@pytest.mark.rule("19.5")
def test_open_scenario():
    scenario = PACK.scenarios["open_scenario"]
    assert (scenario.turns, scenario.extra_turns_die, scenario.last_turn) == (4, True, 10)
    assert (scenario.force.least, scenario.force.most, scenario.force.turns) == (120, 150, (1, 1))
    assert scenario.first == "edge_roll"
    assert scenario.victory.kind == "points"
    terrain = {die: (it.red, it.black, it.roads) for die, it in scenario.terrain_roll.items()}
    everything = (True, True, True)
    assert terrain == {
        "1": (False, False, False),
        "2": (False, True, True),
        "3": (True, False, False),
        "4": everything,
        "5": (True, True, False),
        "6": everything,
    }


@pytest.mark.rule("19.6.1")
def test_desert_sandwich():
    assert scenario_groups("desert_sandwich") == [
        ("british", {"GR": 3, "MAT": 2, "C-II": 3, "ST": 5}, "area", None),
        ("german", {"III": 3, "II": 5, "88": 1, "50": 2}, "south", (1, 1)),
        ("german", {"IIIS": 3, "III": 4, "IV": 3}, "north", (1, 1)),
    ]
    scenario = PACK.scenarios["desert_sandwich"]
    assert [group.enter.phase for group in scenario.group[1:]] == ["first", "second"]
    exits = {(it.side, it.edge, it.turns) for it in scenario.exits}
    assert exits == {("german", "entered", (4, 5)), ("british", "west", (3, 5))}


@pytest.mark.rule("19.6.2")
def test_airfield_assault():
    assert scenario_groups("airfield_assault") == [
        ("british", {"MAT": 2, "C-II": 3, "6-PDR": 1, "BFR": 1, "2-PDR": 3}, "area", None),
        ("british", None, "area", None),
        ("german", {"IIIS": 2, "III": 4, "IV": 4, "88": 1, "50": 1, "28": 3, "TRK_G": 5}, "west", (1, 2)),
        ("german", None, "west", (2, 3)),
    ]
    scenario = PACK.scenarios["airfield_assault"]
    assert [group.survivors for group in scenario.group] == [False, True, False, True]
    assert (scenario.group[0].dug_in, scenario.group[0].hidden) == (True, False)
    buildings = scenario.buildings
    assert (buildings.side, buildings.count, buildings.within, buildings.of) == ("british", 4, 2, "1413")
    assert (buildings.off_road, scenario.mines.side, scenario.mines.count) == (True, "british", 6)
    barrages = {(it.side, it.kind, it.count, it.from_turn) for it in scenario.artillery}
    assert barrages == {("british", "25-pdr", 2, 1), ("german", "150mm", 1, 3)}
    assert scenario.ammunition_last_turn == 6
    levels = [(level.name, level.buildings) for level in scenario.victory.levels]
    assert levels == [("marginal", 1), ("substantial", 3), ("decisive", 4)]


@pytest.mark.rule("19.6.2")
def test_ten_hexes_off_the_roads_have_room_for_four_buildings():
    near = set(PACK.grid.within(PACK.crossroads, 2).tolist())
    assert len(near - set(PACK.roads["A"]) - set(PACK.roads["B"])) == 10


def test_training_scenarios_play_on_a_cut():
    duel, skirmish, gun_line = (PACK.scenarios[name] for name in ("duel", "skirmish", "gun_line"))
    at = {side: [PACK.grid.axial[PACK.grid.hex(n)] for n in group.hexes[unit]]
          for group, side, unit in zip(duel.group, ("german", "british"), ("III", "ST"), strict=True)}  # fmt: skip
    assert {int(distance(a, b)) for a in at["german"] for b in at["british"]} == {8}
    assert len(PACK.area(duel.cut)) == 13 * 9
    in_play = set(PACK.area(skirmish.cut))
    assert sum({a, b} <= in_play for a, b, colour in PACK.ridges if colour == "red") == 5  # one chain, the end outside
    west = [PACK.grid.numbers[hex_] for hex_ in PACK.edge(gun_line, "west")]
    assert west == [f"08{row:02}" for row in range(12, 22)]
    assert PACK.edge(PACK.scenarios["charge"], "west") == PACK.edges["west"]


@pytest.mark.parametrize(
    ("edge", "first", "last", "count"),
    [
        ("north", "0812", "2118", 14),
        ("east", "2118", "2127", 10),
        ("south", "0821", "2127", 14),
        ("west", "0812", "0821", 10),
    ],
)
def test_edges_of_a_cut(edge, first, last, count):
    numbers = [PACK.grid.numbers[hex_] for hex_ in PACK.edge(PACK.scenarios["gun_line"], edge)]
    assert (numbers[0], numbers[-1], len(numbers)) == (first, last, count)


# ---- origins


@pytest.mark.parametrize("name", ["map.toml", "counters.toml", "tables.toml", "scenarios.toml"])
def test_every_datum_has_an_origin(name):
    assert list(bare(PACK.files[name], name, covered=False)) == []


def test_where_values_have_origins_of_their_own_none_is_left_out():
    under = dict.fromkeys(("id", "label", "name", "side", "kind"), "type") | {"flank_defense": "defense"}
    under |= {"optional_cost": "cost"} | dict.fromkeys(("columns", "rows", "first_row"), "extent")
    tables = [part for file in PACK.files.values() for _, part in walk(file) if is_dataclass(part)]
    shared = [table for table in tables if isinstance(getattr(table, "origin", None), dict)]
    assert len(shared) == 5 + 16  # grid, scatter, counter sheet, machine guns, towing, and the counters
    for table in shared:
        assert {under.get(slot.name, slot.name) for slot in fields(table)[:-1]} <= {*table.origin}


def test_values_of_the_rulebook_are_marked_so():
    marked = {(counter.id, name): counter.origin[name] for counter in PACK.counters for name in
              ("attack", "defense", "move")}  # fmt: skip
    rulebook = {key for key, origin in marked.items() if origin.kind == "rulebook"}
    assert rulebook == {
        ("III", "attack"), ("III", "defense"), ("III", "move"), ("ST", "attack"), ("ST", "defense"),
        ("IV", "defense"), ("IV", "move"), ("88", "attack"), ("MAT", "defense"),
    }  # fmt: skip
    rows = [row.origin.kind for row in PACK.tables.hit_effects.row]
    assert rows == ["rulebook"] * 4 + ["reconstructed"] * 2


def test_origin_summary_counts_every_origin():
    summary = origin_summary(PACK.files)
    assert list(summary) == list(KINDS)
    for name, file in PACK.files.items():
        assert sum(summary[name].values()) == len(origins(file))
    assert summary["counters.toml"]["rulebook"] + summary["counters.toml"]["reconstructed"] + 1 == 3 + 16 * 8


# ---- what the loader refuses

# Keys that an entry need not have: without them it says something else, but nothing wrong.
OPTIONAL = {
    "map.toml": {"note"},
    "counters.toml": {"note", "label", "flank_defense", "cost", "optional_cost"},
    "tables.toml": {"note"},
    "scenarios.toml": {
        "note", "facing", "phase", "dug_in", "hidden", "extra_turns_die", "cut", "tow_pz2", "ammunition_last_turn",
        "exits", "buildings", "mines", "artillery",
    },
    "rulings.toml": set(),
}  # fmt: skip
FREE_TEXT = {
    "name", "title", "label", "summary", "note", "source", "reconstructed", "question", "answer", "reason",
}  # fmt: skip


@pytest.fixture(params=KINDS)
def file(request) -> str:
    return request.param


@pytest.fixture
def tree(file) -> dict[str, Any]:
    return DATA.tree(file)


def test_the_packaged_files_are_accepted(file, tree):
    assert DATA.refusal(file, tree) is None


def test_wrong_type(file, tree):
    """Values, lists and tables of every kind are refused if they are of another type."""
    faults = ((keys, parent, "text" if isinstance(value, bool | int | dict | list) else 7)
              for keys, parent, value in samples(tree))  # fmt: skip
    assert DATA.check_each(file, tree, faults) > 10


def test_numbers_out_of_range(file, tree):
    numbers = [(keys, parent) for keys, parent, value in samples(tree) if type(value) is int]
    DATA.check_each(file, tree, ((keys, parent, wrong) for keys, parent in numbers for wrong in (10_000, -10_000)))
    assert bool(numbers) == (file != "rulings.toml")


def test_names_and_texts(file, tree):
    """Names that do not exist and texts that are empty."""
    texts = [(keys, parent) for keys, parent, value in samples(tree) if isinstance(value, str)]
    DATA.check_each(file, tree, ((keys, parent, "") for keys, parent in texts))
    names = [(keys, parent) for keys, parent in texts if keys[-1] not in FREE_TEXT and "artillery" not in keys]
    DATA.check_each(file, tree, ((keys, parent, "no such name") for keys, parent in names))


def test_hexes_off_the_map(file, tree):
    hexes = [(keys, parent, re.sub(r"[0-9]{4}", "9999", value)) for keys, parent, value in samples(tree)
             if isinstance(value, str) and re.fullmatch(r"[0-9]{4}(-[0-9]{4})?", value)]  # fmt: skip
    DATA.check_each(file, tree, iter(hexes))
    assert bool(hexes) == (file in ("map.toml", "scenarios.toml"))


def test_missing_keys(file):
    """Every key of every table is needed, but for the optional ones, of which each can be left out somewhere."""
    DATA.check_missing(file, OPTIONAL[file], lambda keys: "units" in keys[:-1])


def test_unknown_keys(file, tree):
    tables = [((), tree)] + [(keys, value) for keys, _, value in samples(tree) if isinstance(value, dict)]
    for keys, table in tables:
        table["tpyo"] = 1
        DATA.check_refused(file, tree, (*keys, "tpyo"))
        del table["tpyo"]
    assert DATA.refusal(file, tree) is None


def test_entries_listed_twice(file, tree):
    lists = [(keys, value) for keys, _, value in samples(tree) if isinstance(value, list) and value]
    for keys, entries in lists:
        entries.append(entries[-1])
        DATA.check_refused(file, tree, keys)
        entries.pop()
    assert DATA.refusal(file, tree) is None


LAAGER = ("scenario", 0, "group", 0)
CONVOY = ("scenario", 3, "group", 0, "road")


@pytest.mark.parametrize(
    ("keys", "wrong", "message"),
    [
        (("grid", "rows"), 21, "map.toml: edges.east[21]: no hex '3037' on the map; its numbers run from 0101 to 3036"),
        (("edges", "north", 3), "0404", "map.toml: edges.north[3]: hex 0404 has six neighbours; must be a hex at the "
         "edge of the map"),
        (("road", 0, "path", 3), "1512", "map.toml: road[0].path[3]: 1512 is not next to 1410; a road must not have "
         "gaps"),
        (("road", 1, "id"), "A", "map.toml: road[1]: repeats 'A'; list each once"),
        (("crossroads", "hex"), "1414", "map.toml: crossroads.hex: 1414 is not on two roads; must be the hex where the "
         "roads cross"),
        (("ridges", "red", 0, 0), "0405-0606", "map.toml: ridges.red[0][0]: 0405-0606 parts no adjacent hexes; must "
         "name two hexes side by side"),
        (("ridges", "red", 0, 0), "0405-0405", "map.toml: ridges.red[0][0]: 0405-0405 parts no adjacent hexes; must "
         "name two hexes side by side"),
        (("ridges", "black", 0), ["0505-0405"], "map.toml: ridges.black[0][0]: 0505-0405 is a ridge already; list each "
         "hexside once"),
        (("ridges", "red", 0, 1), "0505-0506", "map.toml: ridges.red[0][2]: 0304-0404 does not join the hexside "
         "before; begin a new chain for it"),
        (("scatter", "directions"), ["N", "S"], "map.toml: scatter: does not hold together; directions must have one "
         "for each die, 1 to 6"),
    ],
)  # fmt: skip
def test_faults_of_the_map(keys, wrong, message):
    DATA.check_message("map.toml", keys, wrong, message)


@pytest.mark.parametrize(
    ("file", "keys", "wrong", "message"),
    [
        ("counters.toml", ("counter", 1, "id"), "GR", "counter[1]: repeats 'GR'; list each once"),
        ("counters.toml", ("counter", 1, "id"), "STU", "counter[1].id: unknown unit 'STU'; did you mean 'ST'?"),
        ("counters.toml", ("counter", 0, "attack"), 0, "counter[0]: does not hold together; attack must be above 0 for "
         "tanks and guns, and 0 for trucks"),
        ("counters.toml", ("counter", 0, "attack"), "16", "counter[0].attack: cannot be '16'; must be a whole number"),
        ("counters.toml", ("counter", 0, "attack"), 100, "counter[0].attack: cannot be 100; must be a number from 0 to "
         "99"),
        ("counters.toml", ("counter", 0, "side"), "italian", "counter[0].side: cannot be 'italian'; must be one of "
         "'german', 'british'"),
        ("counters.toml", ("counter", 0, "count"), 30, "sheet.counters: the counts add up to 130; at most 126 are on "
         "it"),
        ("counters.toml", ("counter", 0, "origin", "attack"), {}, "counter[0].origin.attack: does not hold together; "
         "an origin is exactly one of rulebook, source, reconstructed"),
        ("tables.toml", ("to_hit", "band", 2, "nearest"), 7, "to_hit.band[2].nearest: 7 leaves a gap or an overlap; "
         "must be 6"),
        ("tables.toml", ("to_hit", "band", 2, "farthest"), 11, "to_hit.band[3].nearest: 11 leaves a gap or an overlap; "
         "must be 12"),
        ("tables.toml", ("to_hit", "band", 2, "farthest"), 5, "to_hit.band[2].farthest: 5 is below nearest; must be 6 "
         "or more"),
        ("tables.toml", ("hit_effects", "row", 2, "die"), 2, "hit_effects.row: has not one row for each die; must have "
         "the dice 1 to 6 in order"),
        ("tables.toml", ("hit_effects", "row", 2, "result"), "XXX", "hit_effects.row[2].result: has 3 characters; must "
         "have one of X and - for each of the 5 odds"),
        ("tables.toml", ("hit_effects", "odds", 4), "2-2", "hit_effects.odds: 1-2, 1-1, 2-1, 3-1, 2-2 do not rise; "
         "list the odds from low to high"),
        ("tables.toml", ("artillery", 1, "kind"), "25-pdr", "artillery[1]: repeats '25-pdr'; list each once"),
        ("rulings.toml", ("ruling", 0, "case"), "nine", "ruling[0].case: cannot be 'nine'; must be a case of the "
         'rulebook such as "9.8"'),
    ],
)  # fmt: skip
def test_faults_of_counters_tables_and_rulings(file, keys, wrong, message):
    DATA.check_message(file, keys, wrong, f"{file}: {message}")


@pytest.mark.parametrize(
    ("keys", "wrong", "message"),
    [
        ((*LAAGER, "units", "III"), 1, "scenario[0].group[0].units.III: is a german unit; a british group has its own"),
        ((*LAAGER, "units", "GR"), 3, "scenario[0].group[0].hexes.GR: has 2 hexes; must have one for each of 3 units"),
        ((*LAAGER, "hexes", "GR", 0), "2119", "scenario[0] set-up[2]: repeats '2119'; list each once"),
        (("scenario", 1, "group", 1, "units", "MAT"), 9, "scenario[1].group: has 9 MAT; the counter sheet has 8"),
        (("scenario", 6, "group", 0, "units", "MAT"), 7, "series[0].parts: has 9 MAT; the counter sheet has 8"),
        (("scenario", 0, "group", 1, "enter", "turns"), [2, 1], "scenario[0].group[1].enter.turns: cannot be (2, 1); "
         "must be two numbers, the first at most the second"),
        (("scenario", 0, "group", 1, "enter", "turns"), [1, 6], "scenario[0].group[1].enter.turns: cannot be turn 6; "
         "the last turn is 5"),
        (("scenario", 0, "group", 1, "enter", "edges"), [], "scenario[0].group[1].enter: does not hold together; edges "
         "must name at least one edge"),
        (("scenario", 0, "group", 1, "hidden"), True, "scenario[0].group[1]: does not hold together; only units set up "
         "dig in or hide"),
        (("scenario", 0, "cap"), 9, "scenario[0]: does not hold together; a scenario has either turns or cap"),
        (("scenario", 0, "name"), "charge", "scenario[1]: repeats 'charge'; list each once"),
        (("scenario", 0, "victory", "kind"), "convoy", "scenario[0].victory: does not hold together; convoy takes "
         "edge, exits, from_turn, side"),
        (("scenario", 1, "group", 0, "area", "rows"), [1, 23], "scenario[1].group[0].area.rows: goes to 23; the map "
         "has 22"),
        (("scenario", 9, "group", 0, "area"), {"columns": [17, 18], "rows": [9, 9]}, "scenario[9].group[0].area: has 2 "
         "hexes; 3 units must find room"),
        (("scenario", 7, "group", 0, "hexes", "III", 0), "1720", "scenario[7].group[0].hexes.III[0]: 1720 is off the "
         "cut; must lie in its columns and rows"),
        (("scenario", 0, "group", 1, "survivors"), True, "scenario[0].group[1]: does not hold together; a group has "
         "either units or survivors = true"),
        (("series", 0, "parts"), ["airfield_assault", "desert_sandwich"], "scenario[6].group[1].survivors: no part "
         "comes before; list it in a series as a later part"),
        (("series", 0, "parts", 0), "dessert_sandwich", "series[0].parts[0]: unknown scenario 'dessert_sandwich'; did "
         "you mean 'desert_sandwich'?"),
        (("series", 0, "name"), "charge", "series[0].name: 'charge' is a scenario; choose another name"),
        (("scenario", 6, "artillery", 0, "kind"), "150mm", "scenario[6].artillery[0].kind: unknown british artillery "
         "'150mm'; known: 25-pdr"),
        (("scenario", 6, "buildings", "count"), 5, "scenario[6].buildings.count: cannot be 5; the counter sheet has 4"),
        (("scenario", 6, "victory", "levels", 1, "thirds"), 1, "scenario[6].victory: does not hold together; levels "
         "must rise in buildings and thirds, and there is at least one"),
        (("scenario", 4, "terrain_roll", "7"), {"red": True, "black": True, "roads": True}, "scenario[4]: does not "
         "hold together; terrain_roll must have the keys 1 to 6"),
        (("scenario", 3, "terrain", "roads"), False, "scenario[3].group[0].road: the roads are not in play; "
         "terrain.roads must be true"),
        ((*CONVOY, "id"), "B", "scenario[3].group[0].road.start: 1422 is not on it; must be on road B"),
        ((*CONVOY, "end"), "2432", "scenario[3].group[0].road: has 11 hexes from start to end; must be 10, one for "
         "each truck"),
        ((*CONVOY, "towing", "1422"), "TRK_B", "scenario[3].group[0].road.towing: has 1 of 10 TRK_B; every gun is "
         "towed, nothing else"),
        ((*CONVOY, "towing", "1421"), "2-PDR", "scenario[3].group[0].road.towing.1421: unknown hex of the stretch "
         "'1421'; did you mean '1422'?"),
    ],
)  # fmt: skip
def test_faults_of_scenarios(keys, wrong, message):
    DATA.check_message("scenarios.toml", keys, wrong, f"scenarios.toml: {message}")


# ---- a folder of one's own


@pytest.fixture
def folder(tmp_path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "own"))


def test_a_copy_of_the_folder_is_the_same_pack(folder):
    pack = load(folder)
    assert pack.files == PACK.files
    assert pack.digest == PACK.digest


def test_an_edited_counter_is_loaded_and_changes_the_digest(folder):
    path = folder / "counters.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("attack = 16", "attack = 17", 1), encoding="utf-8")
    pack = load(folder)
    assert pack.counters[0].attack == 17
    assert pack.digest != PACK.digest


@pytest.mark.parametrize("name", KINDS)
def test_a_missing_file(folder, name):
    (folder / name).unlink()
    with pytest.raises(InputError) as caught:
        load(folder)
    assert str(caught.value) == f"{name}: cannot be read (No such file or directory); expected at {folder / name}"


@pytest.mark.parametrize("name", KINDS)
def test_a_file_that_is_not_toml(folder, name):
    (folder / name).write_text("grid = [1,\n\nend", encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{name}: not valid TOML; .* \(at line 3, column 1\)$"):
        load(folder)
