"""The scenarios [19.1-19.6]: forces, terrain in play, set-up, who moves first, and who enters where and when."""

from __future__ import annotations

from collections import Counter

import pytest

from desert_envs.engine.position import Position
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import EDGES, HEX_NUMBERS
from desert_envs.games.rommels_panzers.board import BLACK, RED, ROADS
from desert_envs.games.rommels_panzers.codes import Flag, Phase, Status
from desert_envs.games.rommels_panzers.words import LABELS
from tests.games.rommels_panzers.helpers import flag, game, legal_texts, pass_to, place, play, position, roll, unit

GERMAN, BRITISH = 0, 1


def forces(position: Position, side: int) -> dict[str, int]:
    """The units of a side in play, by label."""
    state = position.state
    types = [
        counter for counter, status in zip(state.unit_type, state.unit_status, strict=True) if status != Status.UNUSED
    ]
    return Counter(LABELS[counter] for counter in types if position.board.type_side[counter] == side)


def force(text: str) -> dict[str, int]:
    """A force as the rulebook lists it: "2 GR, 4 ST"."""
    return {label: int(number) for number, label in (part.split() for part in text.split(", "))}


def set_up(scenario: str, seed: int = 0) -> Position:
    """A game after its set-up, in which everything stands as far south-east as it may."""
    start = game().start(scenario, seed)
    while start.state.phase == Phase.SET_UP:
        start.apply(start.legal_actions()[-1])
    return start


def enter_all(position: Position) -> Counter[tuple[str, str]]:
    """Bring on every unit that may enter in this phase; how many of each label came over each edge."""
    before, phase = set(_on_map(position)), (position.state.turn, position.state.phasing, position.state.phase)
    while phase == (position.state.turn, position.state.phasing, position.state.phase):
        texts = sorted(text for text in legal_texts(position) if text.startswith("enter a"))
        if not texts:
            break
        play(position, texts[0])
        label = LABELS[position.state.unit_type[position.state.chosen]]
        hexes = sorted(text[-4:] for text in legal_texts(position) if text.startswith(f"{label} enters at"))
        free = [hex_ for hex_ in hexes if position.state.hex_unit[HEX_NUMBERS.index(hex_)] == NOBODY]
        play(position, f"{label} enters at {free[len(_on_map(position)) * 7 % len(free)]}")  # scattered over the edge
        while position.state.chosen != NOBODY:
            texts = sorted(legal_texts(position), reverse=True)
            to = {text: HEX_NUMBERS.index(text[-4:]) for text in texts if " to " in text}
            inland = [
                text
                for text, hex_ in to.items()
                if not position.board.edges[hex_] and position.state.hex_unit[hex_] == NOBODY
            ]
            stop = [text for text in texts if text.endswith("stops")]
            on_edge = position.board.edges[position.state.unit_hex[position.state.chosen]]
            play(position, ((inland if on_edge else []) + stop + [text for text in texts if "facing" in text])[0])
    state = position.state
    return Counter(
        (LABELS[state.unit_type[index]], EDGES[state.unit_edge[index]])
        for index in _on_map(position)
        if index not in before
    )


def _on_map(position: Position) -> list[int]:
    return [index for index in range(position.state.units) if position.state.unit_status[index] == Status.ON_MAP]


def entries(text: str, edge: str) -> Counter[tuple[str, str]]:
    """The entry of a force over an edge."""
    return Counter({(label, edge): number for label, number in force(text).items()})


# ---- Forces, terrain, first player, length

SCENARIOS = [
    ("dawn_attack", "1 IIIS, 2 III, 5 II", "2 GR, 4 ST, 2 TRK", RED, GERMAN, 5),
    ("charge", "3 II, 1 88, 1 50, 3 28", "4 MAT, 7 ST, 9 C-II", RED | BLACK, BRITISH, 6),
    (
        "mixed_assault",
        *("1 IIIS, 4 III, 4 IV, 6 II, 1 88, 1 50, 4 28", "3 MAT, 1 GR, 5 ST, 6 C-II, 1 BFR, 1 2-PDR"),
        *(RED | BLACK, GERMAN, 10),
    ),
    (
        "tank_commanders_dream",
        # 10 trucks and 4 two-pounders, and the reinforcements of turns 1 to 4.
        # ST 2 + 3 + 3 + 4, C-II 4 + 6 + 3, GR 3 + 3 + 4, MAT 2 + 2 + 4.
        *("2 IIIS, 6 III, 4 IV, 8 II", "10 TRK, 4 2-PDR, 12 ST, 13 C-II, 10 GR, 8 MAT", RED | ROADS, GERMAN, 20),
    ),
    (
        "desert_sandwich",
        *("7 III, 5 II, 1 88, 2 50, 3 IIIS, 3 IV", "3 GR, 2 MAT, 3 C-II, 5 ST", RED | BLACK, GERMAN, 5),
    ),
    (
        "airfield_assault",
        *("2 IIIS, 4 III, 4 IV, 1 88, 1 50, 3 28, 5 TRK", "2 MAT, 3 C-II, 1 6-PDR, 1 BFR, 3 2-PDR"),
        *(RED | ROADS, GERMAN, 15),
    ),
]
CASES = {
    "dawn_attack": "19.1", "charge": "19.2", "mixed_assault": "19.3", "tank_commanders_dream": "19.4",
    "desert_sandwich": "19.6.1", "airfield_assault": "19.6.2",
}  # fmt: skip


@pytest.mark.parametrize(
    ("scenario", "german", "british", "terrain", "first", "turns"),
    [pytest.param(*row, marks=pytest.mark.rule(CASES[row[0]]), id=row[0]) for row in SCENARIOS],
)
def test_forces_terrain_first_player_and_length(scenario, german, british, terrain, first, turns):
    start = set_up(scenario)
    assert forces(start, GERMAN) == force(german)
    assert forces(start, BRITISH) == force(british)
    assert start.state.terrain == terrain
    assert start.state.first_player == start.state.phasing == first
    assert (start.state.turn, start.state.phase, start.state.last_turn) == (1, Phase.FIRST_MOVEMENT, turns)


@pytest.mark.rule("19.1", "19.4", "8.2")
@pytest.mark.parametrize(
    ("scenario", "black"), [("dawn_attack", False), ("tank_commanders_dream", False), ("mixed_assault", True)]
)
def test_ridges_out_of_play_do_not_block(scenario, black):
    # On the way south from 0707 to 0711 lies the black ridge 0708-0709, from 1106 to 1111 the red 1108-1109.
    for hexes, blocked in ((("0707", "0711"), black), (("1106", "1111"), True)):
        fire = position(
            f"{scenario} turn 2 german stationary fire | german: III {hexes[0]} S | british: ST {hexes[1]} N"
        )
        assert ("end stationary fire" not in legal_texts(fire)) is blocked  # the phase is passed over


# ---- 19.1 Dawn Attack


@pytest.mark.rule("19.1")
def test_the_laager_of_dawn_attack():
    start = set_up("dawn_attack")
    for label, hexes in {
        "TRK": {"2119", "2020"}, "GR": {"2018", "2321"}, "ST": {"2019", "2221", "2320", "2118"}
    }.items():  # fmt: skip
        assert {place(start, f"{label}-{number}") for number in range(1, len(hexes) + 1)} == hexes


@pytest.mark.rule("19.1")
def test_the_owner_chooses_how_his_tanks_face_where_the_scenario_is_silent():
    start = game().start("dawn_attack")
    assert start.player == BRITISH
    assert legal_texts(start) == {f"GR-1 faces {direction}" for direction in ("N", "NE", "SE", "S", "SW", "NW")}


@pytest.mark.rule("19.1")
def test_the_germans_come_over_any_edge_on_the_first_or_second_turn():
    start = set_up("dawn_attack")
    texts = legal_texts(play(start, "enter a II"))
    assert {f"II enters at {hex_}" for hex_ in ("0110", "3020", "1709", "1730")} <= texts  # west, east, north, south
    assert len([text for text in texts if "enters at" in text]) == 30 + 30 + 22 + 22 - 4  # all edges, corners once
    assert "hold back a II" in texts
    play(start, "hold back a II")
    on_time = enter_all(start)
    assert sum(on_time.values()) == 7
    pass_to(start, 2, "german", "first movement")
    assert "end first movement" not in legal_texts(start)  # now it must
    assert sum(enter_all(start).values()) == 1


# ---- 19.2 Charge


@pytest.mark.rule("19.2")
def test_in_charge_the_germans_set_up_anywhere_and_dig_their_guns_in():
    start = game().start("charge")
    assert start.player == GERMAN
    assert len(legal_texts(start)) == 660
    start = set_up("charge")
    for name in ("88-1", "50-1", "28-1", "28-2", "28-3"):
        assert flag(start, name, Flag.DUG_IN)


@pytest.mark.rule("19.2")
def test_in_charge_the_british_come_over_the_west_edge_on_the_first_and_second_turn():
    start = position(
        "charge turn 1 british first movement | german: 88 3020 | british: "
        + ", ".join(["MAT waiting"] * 4 + ["ST waiting"] * 7 + ["C-II waiting"] * 9)
    )
    assert "end first movement" in legal_texts(start)  # all of them may wait
    play(start, "enter a MAT", "hold back a MAT")
    came = enter_all(start)
    assert {edge for _, edge in came} == {"west"}
    pass_to(start, 2, "british", "first movement")
    assert "end first movement" not in legal_texts(start)
    came += enter_all(start)
    assert came == entries("4 MAT, 7 ST, 9 C-II", "west")


# ---- 19.3 Mixed Assault


@pytest.mark.rule("19.3")
def test_in_mixed_assault_the_british_set_up_within_13_hexes_of_the_east_edge():
    start = game().start("mixed_assault")
    assert start.player == BRITISH
    hexes = {text.rpartition(" ")[2] for text in legal_texts(start)}
    assert hexes == {hex_ for hex_ in HEX_NUMBERS if int(hex_[:2]) >= 18}  # 13 columns, the edge hex the first


@pytest.mark.rule("19.3")
def test_in_mixed_assault_the_germans_come_over_the_west_edge_on_the_first_and_second_turn():
    start = set_up("mixed_assault")
    assert "end first movement" in legal_texts(start)
    play(start, "enter a III", "hold back a III")
    came = enter_all(start)
    assert {edge for _, edge in came} == {"west"}
    pass_to(start, 2, "german", "first movement")
    assert "end first movement" not in legal_texts(start)
    came += enter_all(start)
    assert came == entries("1 IIIS, 4 III, 4 IV, 6 II, 1 88, 1 50, 4 28", "west")


TOWING = [("mixed_assault", True), ("desert_sandwich", True), ("charge", False)]


@pytest.mark.rule("19.3", "19.6.1")
@pytest.mark.parametrize(("scenario", "may"), TOWING)
def test_a_panzer_ii_tows_where_the_scenario_says_so(scenario, may):
    move = position(f"{scenario} turn 2 german first movement | german: II 1010 S, 50 1011 | british: C-II 2525 N")
    assert ("II-1 hooks up 50-1 at 1011" in legal_texts(play(move, "choose II-1 at 1010"))) is may


@pytest.mark.rule("19.6.2")
def test_a_panzer_ii_of_part_one_tows_in_part_two():
    move = position(
        "continuing_assault part 2 turn 3 german first movement | german: II 1010 S, 50 1011 | british: C-II 2525 N"
    )
    assert "II-1 hooks up 50-1 at 1011" in legal_texts(play(move, "choose II-1 at 1010"))


@pytest.mark.rule("19.3")
@pytest.mark.parametrize("label", ["III", "IV", "IIIS"])
def test_no_other_tank_tows(label):
    move = position(
        f"mixed_assault turn 2 german first movement | german: {label} 1010 S, 50 1011 | british: C-II 2525 N"
    )
    assert not any("hooks" in text for text in legal_texts(play(move, f"choose {label}-1 at 1010")))


@pytest.mark.rule("19.3", "13.4")
def test_a_gun_towed_by_a_panzer_ii_is_no_target_and_dies_with_it():
    # C-II at the rear of a II next to it: 2 * 8 against 8 // 2 is 4-1, destroyed by a 5.
    fire = position(
        "mixed_assault turn 2 british stationary fire | german: II 1010 N tows 50 | british: C-II 1011 N, MAT 2525 N"
    )
    play(roll(fire, 5), "choose C-II-1 at 1011")  # the only target
    for name in ("II-1", "50-1"):
        assert fire.state.unit_status[unit(fire, name)] == Status.DESTROYED


# ---- 19.4 Tank Commander's Dream


@pytest.mark.rule("19.4")
def test_the_convoy_stands_on_the_road_and_four_trucks_tow_guns():
    start = set_up("tank_commanders_dream")
    hexes = ["1422", "1523", "1624", "1725", "1826", "1927", "2028", "2129", "2230", "2331"]
    assert [place(start, f"TRK-{number}") for number in range(1, 11)] == hexes
    towing = {
        place(start, f"TRK-{number}")
        for number in range(1, 11)
        if start.state.unit_tow[unit(start, f"TRK-{number}")] != NOBODY
    }
    assert towing == {"1422", "1826", "1927", "2331"}
    for number in range(1, 5):
        assert not flag(start, f"2-PDR-{number}", Flag.DUG_IN)


@pytest.mark.rule("19.4")
def test_the_germans_and_the_british_reinforcements_come_as_listed():
    start = set_up("tank_commanders_dream")
    assert "end first movement" not in legal_texts(start)  # all on turn one
    assert enter_all(start) == entries("2 IIIS, 6 III, 4 IV, 8 II", "south")
    for turn, east, west in (
        (1, "2 ST, 4 C-II", None),
        (2, "3 GR, 3 ST", "2 MAT, 3 ST"),
        (3, "6 C-II", "3 GR, 2 MAT"),
        (4, "4 ST, 3 C-II", "4 MAT, 4 GR"),
        (5, None, None),
    ):
        pass_to(start, turn, "british", "first movement")
        expected = (entries(east, "east") if east else Counter()) + (entries(west, "west") if west else Counter())
        assert enter_all(start) == expected


@pytest.mark.rule("19.4", "6.7")
def test_british_reinforcements_may_enter_and_need_not():
    text = "tank_commanders_dream turn {} british first movement | german: 4 | british: GR waiting, TRK 1422"
    text = text.replace("4", "III 0505 N, III 0506 N, III 0507 N, III 0508 N", 1).replace("GR", "GR-1")
    assert "enter a GR" not in legal_texts(position(text.format(1)))  # three Grants come on turn two
    for turn in (2, 3, 9):
        start = position(text.format(turn))
        assert {"enter a GR", "end first movement"} <= legal_texts(start)
        assert "hold back a GR" in legal_texts(play(start, "enter a GR"))


@pytest.mark.rule("19.4", "6.5")
def test_the_roads_are_in_play():
    move = position("tank_commanders_dream turn 2 british first movement | german: III 0505 N | british: TRK 1422")
    assert "TRK-1 to 1408" in legal_texts(play(move, "choose TRK-1 at 1422"))  # 14 hexes along the road, 8 off it
    move = position("mixed_assault turn 2 german first movement | german: II 1422 N | british: C-II 2525 N")
    assert "II-1 to 1411" not in legal_texts(play(move, "choose II-1 at 1422"))  # ten hexes, no bonus


# ---- 19.5 Open Scenario


@pytest.mark.rule("19.5")
def test_forces_are_bought_secretly_by_the_cost_chart_for_120_to_150_points():
    start = game().start("open_scenario")
    costs = {"II": 5, "III": 14, "IIIS": 20, "IV": 10, "28": 10, "50": 15}
    assert start.player == GERMAN
    assert legal_texts(start) == {f"buy a {label}" for label in costs}  # no 88, no truck
    for label, cost in costs.items():
        one = play(start.copy(), f"buy a {label}")
        assert one.state.force_points[GERMAN] == cost
        assert one.game.hidden(start.board, start.state, start.find(f"buy a {label}"))
        assert all(
            a.tobytes() == b.tobytes() for a, b in zip(one.observe(BRITISH), start.observe(BRITISH), strict=True)
        )
    play(start, *["buy a III"] * 8)  # 112
    assert "buy no more" not in legal_texts(start)
    play(start, "buy a IV")  # 122
    assert "buy no more" in legal_texts(start)
    play(start, "buy a III", "buy a IV")  # 146
    assert legal_texts(start) == {"buy no more"}  # 151 would be too many


@pytest.mark.rule("19.5")
def test_120_and_150_points_are_both_allowed():
    start = play(game().start("open_scenario"), *["buy a IIIS"] * 5, "buy a 50", "buy a II")
    assert start.state.force_points[GERMAN] == 120
    assert "buy no more" in legal_texts(start)
    play(start, *["buy a 50"] * 2)
    assert start.state.force_points[GERMAN] == 150
    assert legal_texts(start) == {"buy no more"}


@pytest.mark.rule("19.5")
def test_the_british_cost_chart():
    start = play(game().start("open_scenario"), *["buy a IIIS"] * 5, "buy a 50", "buy a II", "buy no more")
    assert start.player == BRITISH
    costs = {"C-II": 6, "MAT": 18, "ST": 10, "GR": 18, "2-PDR": 10, "BFR": 15, "6-PDR": 15}
    assert legal_texts(start) == {f"buy a {label}" for label in costs}
    for label, cost in costs.items():
        assert play(start.copy(), f"buy a {label}").state.force_points[BRITISH] == cost


@pytest.mark.rule("19.5")
def test_no_more_units_than_there_are_counters():
    start = game().start("open_scenario")
    for _ in range(start.board.type[list(LABELS).index("IIIS")].count):
        play(start, "buy a IIIS")
    assert "buy a IIIS" not in legal_texts(start)
    assert "buy a III" in legal_texts(start)


def bought(*dice: int) -> Position:
    """Both forces are bought, and then the dice are rolled: terrain, length, and each side for the choice of edge."""
    start = play(game().start("open_scenario"), *["buy a IIIS"] * 5, "buy a 50", "buy a II", "buy no more")
    play(start, *["buy a ST"] * 12)
    return play(roll(start, *dice), "buy no more")


@pytest.mark.rule("19.5")
@pytest.mark.parametrize(
    ("die", "terrain"),
    [(1, 0), (2, BLACK | ROADS), (3, RED), (4, RED | BLACK | ROADS), (5, RED | BLACK), (6, RED | BLACK | ROADS)],
)
def test_a_die_decides_the_terrain(die, terrain):
    assert bought(die, 1, 6, 1).state.terrain == terrain


@pytest.mark.rule("19.5")
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_it_lasts_four_turns_and_a_die(die):
    assert bought(1, die, 6, 1).state.last_turn == 4 + die


@pytest.mark.rule("19.5")
@pytest.mark.parametrize(
    ("dice", "chooser"), [((6, 1), GERMAN), ((1, 6), BRITISH), ((3, 3, 2, 4), BRITISH), ((3, 3, 2, 1), GERMAN)]
)
@pytest.mark.parametrize(
    ("edge", "opposite"), [("north", "south"), ("east", "west"), ("south", "north"), ("west", "east")]
)
def test_the_high_die_chooses_an_edge_and_the_other_comes_first_from_the_opposite_one(dice, chooser, edge, opposite):
    start = bought(1, 1, *dice)
    assert start.player == chooser
    assert legal_texts(start) == {f"come over the {name} edge" for name in ("north", "east", "south", "west")}
    play(start, f"come over the {edge} edge")
    assert start.state.phasing == start.player == 1 - chooser
    assert [EDGES[start.state.entry_edge[side]] for side in (1 - chooser, chooser)] == [opposite, edge]


@pytest.mark.rule("19.5")
def test_all_enter_over_their_edge_on_the_first_turn():
    start = play(bought(1, 1, 6, 1), "come over the west edge")
    assert "end first movement" not in legal_texts(start)
    assert enter_all(start) == entries("12 ST", "east")
    pass_to(start, 1, "german", "first movement")
    assert "end first movement" not in legal_texts(start)
    assert enter_all(start) == entries("5 IIIS, 1 50, 1 II", "west")


@pytest.mark.rule("19.5")
def test_the_open_scenario_ends_after_the_turns_rolled():
    game = position(
        "open_scenario turn 5 british second movement | german: III 1010 N | british: ST 2525 N "
        "| pending: last-turn 6 first german"
    )
    play(game, "end second movement")
    pass_to(game, 6, "british", "second movement")
    play(game, "end second movement")
    assert game.over


# ---- 19.6.1 Desert Sandwich


@pytest.mark.rule("19.6.1")
def test_in_part_one_the_british_set_up_anywhere():
    start = game().start("desert_sandwich")
    assert start.player == BRITISH
    assert len(legal_texts(start)) == 660


@pytest.mark.rule("19.6.1", "6.7")
def test_in_part_one_the_germans_come_from_the_south_first_and_from_the_north_in_the_second_movement_phase():
    start = set_up("desert_sandwich")
    assert "end first movement" not in legal_texts(start)
    assert enter_all(start) == entries("3 III, 5 II, 1 88, 2 50", "south")
    pass_to(start, 1, "german", "second movement")
    assert "end second movement" not in legal_texts(start)
    assert enter_all(start) == entries("3 IIIS, 4 III, 3 IV", "north")


# ---- 19.6 Continuing Assault


def part_two(british: str = "", german: str = "") -> Position:
    """Part one ends, with these units besides a tank of each side; part two is to be set up."""
    last = position(
        f"continuing_assault part 1 turn 5 british second movement | german: III 1010 N {german} "
        f"| british: ST 2020 N {british}"
    )
    assert not last.over
    return play(last, "end second movement")


@pytest.mark.rule("19.6")
def test_continuing_assault_begins_with_part_one_and_goes_on_with_part_two():
    start = game().start("continuing_assault")
    assert start.state.part == 0
    assert legal_texts(start) == legal_texts(game().start("desert_sandwich"))
    second = part_two()
    assert not second.over
    assert (second.state.part, second.state.phase, second.player) == (1, Phase.SET_UP, BRITISH)
    assert all("building in" in text for text in legal_texts(second))


@pytest.mark.rule("19.6", "19.6.2")
def test_units_that_exited_or_were_left_on_the_map_fight_again_destroyed_ones_do_not():
    second = part_two(
        ", ST exited, ST destroyed, GR exited, GR destroyed", ", III exited, III destroyed, 88 1015, 50 destroyed"
    )
    assert forces(second, BRITISH) == force("2 MAT, 3 C-II, 1 6-PDR, 1 BFR, 3 2-PDR, 2 ST, 1 GR")
    # 2 III and an 88 besides those of part two
    assert forces(second, GERMAN) == force("2 IIIS, 6 III, 4 IV, 2 88, 1 50, 3 28, 5 TRK")


@pytest.mark.rule("19.6.2")
def test_the_map_is_cleared_for_part_two():
    last = position(
        "continuing_assault part 1 turn 5 british second movement | german: II 1010 N tows 50 moved, III 1012 N "
        "| british: ST 2020 N | wrecks: 0505"
    )
    second = play(last, "end second movement")
    assert "wrecks:" not in second.notation()
    assert (second.state.hex_unit == NOBODY).all()
    for name in ("II-1", "50-1", "III-1"):
        index = unit(second, name)
        assert second.state.unit_flags[index] == 0  # the state of part one is forgotten
        assert second.state.unit_tow[index] == NOBODY  # tower and gun are units of their own
        assert second.state.unit_hex[index] == NOBODY


def airfield_with_survivors() -> Position:
    """Part two after its set-up; of part one, a III and an 88, a ST and a GR survived."""
    second = part_two(", GR exited", ", 88 1015")
    play(second, *(f"building in {hex_}" for hex_ in ("1514", "1313", "1512", "1613")))
    play(second, *(f"mine in 20{row}" for row in range(14, 20)))
    while second.state.phase == Phase.SET_UP:
        assert second.player == BRITISH
        second.apply(second.legal_actions()[-1])
    return second


@pytest.mark.rule("19.6.2")
def test_british_survivors_are_set_up_with_the_others_anywhere():
    second = part_two(", GR exited")
    play(second, *(f"building in {hex_}" for hex_ in ("1514", "1313", "1512", "1613")))
    play(second, *(f"mine in 20{row}" for row in range(14, 20)))
    placed = Counter()
    while second.state.phase == Phase.SET_UP:
        name = next(iter(legal_texts(second))).split()[1]
        if any(text.startswith("place") for text in legal_texts(second)):
            gun = name.rpartition("-")[0] in ("6-PDR", "BFR", "2-PDR")
            taken = len([hex_ for hex_ in second.state.hex_unit if hex_ != NOBODY])
            assert len(legal_texts(second)) == 660 - taken - (0 if gun else 4)
            placed[name.rpartition("-")[0]] += 1
        second.apply(second.legal_actions()[-1])
    assert placed == force("2 MAT, 3 C-II, 1 6-PDR, 1 BFR, 3 2-PDR, 1 ST, 1 GR")


@pytest.mark.rule("19.6.2")
def test_german_survivors_come_over_the_west_edge_on_the_second_and_third_turn():
    second = airfield_with_survivors()
    assert "end first movement" in legal_texts(second)  # turn one: the units of part two may wait for turn two
    assert enter_all(second) == entries("2 IIIS, 4 III, 4 IV, 1 88, 1 50, 3 28, 5 TRK", "west")
    pass_to(second, 2, "german", "first movement")
    assert {"enter a III", "enter an 88", "end first movement"} <= legal_texts(second)
    play(second, "enter an 88", "hold back an 88")
    assert enter_all(second) == entries("1 III", "west")
    pass_to(second, 3, "german", "first movement")
    assert "end first movement" not in legal_texts(second)
    assert enter_all(second) == entries("1 88", "west")


@pytest.mark.rule("19.6.2")
def test_the_germans_of_part_two_come_over_the_west_edge_on_the_first_and_second_turn():
    start = set_up("airfield_assault")
    play(start, "enter a IV", "hold back a IV")
    came = enter_all(start)
    pass_to(start, 2, "german", "first movement")
    assert "end first movement" not in legal_texts(start)
    came += enter_all(start)
    assert came == entries("2 IIIS, 4 III, 4 IV, 1 88, 1 50, 3 28, 5 TRK", "west")


@pytest.mark.rule("19.6", "19.6.2")
def test_part_two_decides_the_whole():
    units = "german: III 0505 N | british: C-II 2020 N | buildings: 1514 1313 1512 1613 | taken:"
    last = position(f"continuing_assault part 2 turn 15 british second movement | {units} 1514 1313 1512")
    assert play(last, "end second movement").returns == pytest.approx((2 / 3, -2 / 3))
    assert last.over


@pytest.mark.rule("19.6")
def test_part_one_does_not_decide_even_if_a_side_has_lost_everything():
    # The last Briton leaves over the west edge; no German unit is lost.
    game = position(
        "continuing_assault part 1 turn 4 british first movement | german: III 1010 N | british: ST 0110 NW"
    )
    play(game, "choose ST-1 at 0110", "ST-1 leaves over the west edge")
    if game.state.part == 0:
        play(game, "end first movement")
    assert not game.over
    assert game.state.part == 1
    assert game.state.unit_status[unit(game, "ST-1")] not in (Status.EXITED, Status.DESTROYED)
