"""Strict reading of TOML into dataclasses, and origins, on a small format of their own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from time import perf_counter
from typing import Annotated, Literal

import pytest

from desert_envs.engine.data import (
    Ascending,
    Between,
    ByField,
    Case,
    Matching,
    Origin,
    Origins,
    Ruling,
    build,
    folder_digest,
    load_toml,
    origin_summary,
    origins,
    read_toml,
    walk,
)
from desert_envs.engine.errors import InputError, unknown


@dataclass(frozen=True, kw_only=True)
class Well:
    hex: Annotated[str, Matching(r"\d{4}", "four digits")]
    depth: Annotated[int, Between(1, 99)]
    water: Literal["sweet", "salt"]
    flow: float = 0.5
    dry: bool = False
    note: str | None = None
    days: Annotated[tuple[int, int], Ascending()] = (1, 2)
    origin: Origin | None = None

    def __post_init__(self) -> None:
        if self.dry and self.flow > 0:
            raise ValueError("a dry well has no flow")


@dataclass(frozen=True, kw_only=True)
class Oasis:
    name: str
    well: tuple[Well, ...] = ()
    stock: dict[str, Annotated[int, Between(0, 9)]] | None = None


WELL = {"hex": "0105", "depth": 12, "water": "sweet"}


def refused(table: dict) -> str:
    """The one line with which a table is refused as an Oasis."""
    with pytest.raises(InputError) as caught:
        build(Oasis, table, "oasis.toml")
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_table_becomes_a_dataclass():
    table = {"name": "Siwa", "well": [WELL | {"flow": 2, "days": [3, 3]}], "stock": {"dates": 9}}
    oasis = build(Oasis, table, "oasis.toml")
    well = Well(hex="0105", depth=12, water="sweet", flow=2.0, days=(3, 3))
    assert oasis == Oasis(name="Siwa", well=(well,), stock={"dates": 9})
    assert type(oasis.well[0].flow) is float
    assert build(Oasis, {"name": "Giarabub"}, "oasis.toml") == Oasis(name="Giarabub")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"depth": "deep"}, "well[0].depth: cannot be 'deep'; must be a whole number"),
        ({"depth": 1.5}, "well[0].depth: cannot be 1.5; must be a whole number"),
        ({"depth": True}, "well[0].depth: cannot be True; must be a whole number"),
        ({"depth": 0}, "well[0].depth: cannot be 0; must be a number from 1 to 99"),
        ({"depth": 100}, "well[0].depth: cannot be 100; must be a number from 1 to 99"),
        ({"hex": "105"}, "well[0].hex: cannot be '105'; must be four digits"),
        ({"hex": "\u0660105"}, "well[0].hex: cannot be '\u0660105'; must be four digits"),
        ({"hex": ""}, "well[0].hex: cannot be ''; must be text, not empty"),
        ({"hex": 105}, "well[0].hex: cannot be 105; must be text in quotes"),
        ({"water": "salty"}, "well[0].water: cannot be 'salty'; must be one of 'sweet', 'salt'"),
        ({"water": ["salt"]}, "well[0].water: cannot be ['salt']; must be one of 'sweet', 'salt'"),
        ({"flow": "fast"}, "well[0].flow: cannot be 'fast'; must be a number"),
        ({"dry": 0}, "well[0].dry: cannot be 0; must be true or false"),
        ({"dry": True}, "well[0]: does not hold together; a dry well has no flow"),
        ({"note": ""}, "well[0].note: cannot be ''; must be text, not empty"),
        ({"note": "x" * 100, "depth": "x" * 100}, f"well[0].depth: cannot be '{'x' * 56}...; must be a whole number"),
        ({"days": [2, 1]}, "well[0].days: cannot be (2, 1); must be two numbers, the first at most the second"),
        ({"days": [1]}, "well[0].days: cannot be [1]; must be a list of 2"),
        ({"days": 1}, "well[0].days: cannot be 1; must be a list"),
        ({"days": [1, "2"]}, "well[0].days[1]: cannot be '2'; must be a whole number"),
        ({"dept": 3}, "well[0].dept: unknown key 'dept'; did you mean 'depth'?"),
        ({"origin": {}}, "well[0].origin: does not hold together; an origin is exactly one of rulebook, source, "
         "reconstructed"),
        ({"origin": {"rulebook": "9.8", "source": "here"}}, "well[0].origin: does not hold together; an origin is "
         "exactly one of rulebook, source, reconstructed"),
        ({"origin": {"rulebook": "chapter 9"}}, "well[0].origin.rulebook: cannot be 'chapter 9'; must be a case of the "
         'rulebook such as "9.8"'),
    ],
)  # fmt: skip
def test_faults_of_an_entry(change, message):
    assert refused({"name": "Siwa", "well": [WELL | change]}) == f"oasis.toml: {message}"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "name: is missing; every entry must have this key"),
        ({"name": "Siwa", "well": [{"hex": "0105"}]}, "well[0].depth: is missing; every entry must have this key"),
        ({"name": "Siwa", "well": WELL}, f"well: cannot be {WELL}; must be a list"),
        ({"name": "Siwa", "well": ["0105"]}, "well[0]: cannot be '0105'; must be a table"),
        ({"name": "Siwa", "well": [WELL, WELL]}, "well[1]: is the same as an earlier entry; list each once"),
        ({"name": "Siwa", "stock": {"dates": 3, "salt": 10}}, "stock.salt: cannot be 10; must be a number from 0 to 9"),
        ({"name": "Siwa", "stock": ["dates"]}, "stock: cannot be ['dates']; must be a table"),
        ({"name": "Siwa", "a\nb": 1}, r"'a\nb': unknown key 'a\nb'; known: name, well, stock"),
        ({"name": "Siwa", "palms": 1}, "palms: unknown key 'palms'; known: name, well, stock"),
    ],
)
def test_faults_of_a_file(table, message):
    assert refused(table) == f"oasis.toml: {message}"


@dataclass(frozen=True, kw_only=True)
class Store:
    water: int
    fuel: int | None = None
    well: tuple[Well, ...] = ()  # each has an origin of its own
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Road:
    length: int
    width: int
    origin: Annotated[dict[str, Origin], ByField(("course",))]


MAP = {"source": "a map"}


def test_an_origin_for_each_field_that_is_given():
    store = build(Store, {"water": 1, "well": [WELL | {"origin": MAP}], "origin": {"water": MAP}}, "store.toml")
    assert store.origin["water"].text == "a map"
    assert build(Road, {"length": 3, "width": 1, "origin": {"course": MAP}}, "road.toml").origin["course"]


@pytest.mark.parametrize(
    ("kind", "table", "message"),
    [
        (
            Store,
            {"water": 1, "fuel": 2, "origin": {"water": MAP}},
            "origin.fuel: is missing; every datum must",
        ),
        (Store, {"water": 1, "origin": {"water": MAP, "fuel": MAP}}, "fuel: is missing; an origin is given for it"),
        (Store, {"water": 1, "origin": {"water": MAP, "wine": MAP}}, "origin.wine: unknown key 'wine'"),
        (Road, {"length": 3, "width": 1, "origin": {"length": MAP}}, "origin.course: is missing"),
    ],
)
def test_origins_by_field_are_neither_too_few_nor_too_many(kind, table, message):
    with pytest.raises(InputError) as caught:
        build(kind, table, "store.toml")
    assert str(caught.value).startswith(f"store.toml: {message}")


def test_a_fault_in_the_file_as_a_whole():
    with pytest.raises(InputError) as caught:
        build(Origin, {}, "origin.toml")
    assert str(caught.value).startswith("origin.toml: the file: does not hold together; an origin is exactly one")


def test_load_toml(tmp_path):
    path = tmp_path / "oasis.toml"
    path.write_text('name = "Siwa"\n[[well]]\nhex = "0105"\ndepth = 12\nwater = "salt"\n', encoding="utf-8")
    assert load_toml(path, Oasis).well == (Well(hex="0105", depth=12, water="salt"),)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b'name = "Siwa"\nname = "Siwa"\n',
            "oasis.toml: not valid TOML; cannot overwrite a value (at line 2, column 14)",
        ),
        (b"name = Siwa\n", "oasis.toml: not valid TOML; invalid value (at line 1, column 8)"),
        (b'name = "\xff"\n', "oasis.toml: not a text file; save it as UTF-8"),
        (b"name = 7\n", "oasis.toml: name: cannot be 7; must be text in quotes"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, content, message):
    path = tmp_path / "oasis.toml"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_toml(path, Oasis)
    assert str(caught.value) == message


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError) as caught:
        load_toml(tmp_path / "oasis.toml", Oasis)
    message = f"oasis.toml: cannot be read (No such file or directory); expected at {tmp_path / 'oasis.toml'}"
    assert str(caught.value) == message


# ---- origins, rulings, digest


@pytest.mark.parametrize("kind", ["rulebook", "source", "reconstructed"])
def test_kind_and_text_of_an_origin(kind):
    origin = Origin(**{kind: "9.8"}, note="of the chart")
    assert (origin.kind, origin.text) == (kind, "9.8")


def test_origins_are_found_with_their_keys_and_counted():
    well = WELL | {"origin": {"rulebook": "9.8"}}
    other = WELL | {"hex": "0106", "origin": {"reconstructed": "a guess"}}
    oasis = build(Oasis, {"name": "Siwa", "well": [well, other]}, "oasis.toml")
    assert origins(oasis) == [
        ("well[0].origin", Origin(rulebook="9.8")),
        ("well[1].origin", Origin(reconstructed="a guess")),
    ]
    assert origin_summary({"oasis.toml": oasis, "none.toml": Oasis(name="Siwa")}) == {
        "oasis.toml": {"rulebook": 1, "source": 0, "reconstructed": 1},
        "none.toml": {"rulebook": 0, "source": 0, "reconstructed": 0},
    }


def test_walk_goes_through_tables_lists_and_dicts():
    oasis = Oasis(name="Siwa", stock={"dates": 9})
    assert list(walk(oasis)) == [
        ("", oasis),
        ("name", "Siwa"),
        ("well", ()),
        ("stock", {"dates": 9}),
        ("stock.dates", 9),
    ]


@dataclass(frozen=True, kw_only=True)
class Cases:
    case: tuple[Case, ...]


@pytest.mark.parametrize("case", ["9.8", "10.0", "19.6.2", "3"])
def test_cases_of_a_rulebook(case):
    assert build(Cases, {"case": [case]}, "cases.toml").case == (case,)


@pytest.mark.parametrize("case", ["9.", ".8", "9,8", "9.8 ", "nine", "1.2.3.4"])
def test_texts_that_are_no_case(case):
    with pytest.raises(InputError, match=r"^cases\.toml: case\[0\]: "):
        build(Cases, {"case": [case]}, "cases.toml")


def test_a_ruling_needs_all_its_parts():
    with pytest.raises(InputError, match=r"^rulings\.toml: reason: is missing; "):
        build(Ruling, {"case": "9.8", "question": "How far?", "answer": "Two hexes."}, "rulings.toml")


def test_digest_is_that_of_names_and_contents(tmp_path):
    (tmp_path / "b.csv").write_bytes(b"0105\n")
    (tmp_path / "a.toml").write_bytes(b"x = 1\n")
    (tmp_path / "notes.txt").write_bytes(b"not data")
    expected = hashlib.sha256(b"a.toml\x006\x00x = 1\nb.csv\x005\x000105\n").hexdigest()
    assert folder_digest(tmp_path) == expected
    (tmp_path / "a.toml").write_bytes(b"x = 2\n")
    assert folder_digest(tmp_path) != expected


@dataclass(frozen=True, kw_only=True)
class Texts:
    text: str
    by_name: dict[str, str]


@pytest.mark.parametrize("odd", ["a\nb", "a\x1b[2J", "a\u202eb", "\x7f", "\x00"])
def test_texts_with_control_characters_are_refused(odd):
    right = r"must be text on one line, without control characters$"
    for text, by_name in ((odd, {}), ("a", {odd: "b"}), ("a", {"b": odd})):
        with pytest.raises(InputError, match=right) as caught:
            build(Texts, {"text": text, "by_name": by_name}, "x.toml")
        assert str(caught.value).isprintable()


def test_a_file_that_is_far_too_large_is_refused(tmp_path):
    (tmp_path / "x.toml").write_bytes(b"#" * ((1 << 24) + 1))
    with pytest.raises(InputError, match=r"^x\.toml: larger than 16 MiB; a data file has some thousand lines$"):
        read_toml(tmp_path / "x.toml")


@dataclass(frozen=True, kw_only=True)
class Long:
    numbers: tuple[Annotated[int, Between(0, 10**6)], ...]


def test_long_lists_are_read_at_once():
    begin = perf_counter()
    assert len(build(Long, {"numbers": list(range(100_000))}, "x.toml").numbers) == 100_000
    assert perf_counter() - begin < 10  # one look at each: a look at all before each takes minutes


def test_messages_list_the_first_of_many_names_and_quote_no_more_than_needed():
    known = [f"unit_{number}" for number in range(150)]
    message = str(unknown("unit", "zzz", known))
    assert message == f"unknown unit 'zzz'; known: {', '.join(known[:12])}, ... (150 in all)"
    assert len(str(unknown("unit", "z" * 10**6, known))) < 300
    assert str(unknown("unit", "unit_1O", known)) == "unknown unit 'unit_1O'; did you mean 'unit_1'?"
    assert str(InputError("a\nb\x1b[2Jc\udcff")) == r"a\nb\x1b[2Jc\udcff"
