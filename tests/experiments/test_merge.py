"""Games from several machines and days add up, once each, and nothing else gets in."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pyarrow
import pytest
from pyarrow import parquet as pq

from sizeup.errors import InvalidInput
from sizeup.experiments.export import tidy, to_parquet, to_pdn
from sizeup.experiments.merge import Merged, merge, open_rows
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Played, Store, StoreError
from tests.experiments import tiny


@pytest.fixture
def planned(tmp_path):
    return tiny.planned(tmp_path)


@pytest.fixture
def whole(tmp_path, planned):
    """A store with all games."""
    return tiny.filled(tmp_path / "whole.db", planned)


@pytest.fixture
def rows(tmp_path, whole):
    """The same as compact rows."""
    return exported(whole)


def exported(path, compact=True):
    with Store.read(path) as store:
        to_parquet(store, path.with_suffix(".parquet"), compact)
    return path.with_suffix(".parquet")


def merged(path, *files, experiment, **options):
    return merge(path, [open_rows(file) for file in files], experiment, **options)


def contents(path, compact=True):
    with Store.read(path) as store:
        assert store.integrity() == []
        return [{**row, "origin": None, "seconds": None} for row in tidy(store, compact)]


def digest(path):
    with Store.read(path) as store:
        return store.digest()


@pytest.mark.slow
def test_compact_rows_make_a_store_that_exports_the_same(tmp_path, planned, whole, rows):
    new = tmp_path / "new.db"
    assert merged(new, rows, experiment=planned.experiment) == Merged(16, 0)
    assert contents(new) == contents(whole)
    assert merged(new, rows, rows, whole, experiment=planned.experiment) == Merged(0, 48)
    assert contents(new) == contents(whole)
    with Store.read(new) as store:
        assert next(store.rows("moves", "rewards")) == ([], [])
        assert store.origins() == {1: planned.origin}
        assert sum(seconds for (seconds,) in store.rows("seconds")) == 4
        to_pdn(store, tmp_path / "new.pdn")  # moves are found by playing again
    with Store.read(whole) as store:
        to_pdn(store, tmp_path / "whole.pdn")
    assert (tmp_path / "new.pdn").read_text() == (tmp_path / "whole.pdn").read_text()


def test_parts_from_several_machines_make_the_whole(tmp_path, planned, whole):
    one = tiny.filled(tmp_path / "one.db", planned, planned[::2], host="one")
    two = tiny.filled(tmp_path / "two.db", planned, planned[5::-1], host="two")
    rest = tiny.filled(tmp_path / "rest.db", planned, planned[7:], host="rest")
    full = exported(rest, compact=False)
    assert merged(one, two, full, experiment=planned.experiment) == Merged(8, 7)
    assert digest(one) == digest(whole)
    assert {row["host"] for row in contents(one)} == {"one", "two", "rest"}


def test_full_rows_and_compact_rows_of_a_game_are_the_same_game(tmp_path, planned, whole, rows):
    before = digest(whole)
    assert merged(whole, rows, experiment=planned.experiment) == Merged(0, 16)
    assert digest(whole) == before


@pytest.mark.slow
def test_root_seeds_add_up(tmp_path, planned, rows):
    other = tiny.planned(tmp_path, seed=5, blocks=1)
    path = tiny.filled(tmp_path / "five.db", other)
    assert merged(path, rows, experiment=planned.experiment) == Merged(16, 0)
    with Store.read(path) as store:
        assert [(o.seed, o.name) for o in store.origins().values()] == [(5, "tiny"), (0, "tiny")]
        assert len(store.done_jobs()) == 24
    for one in (planned, other):  # and either of them can be gone on with
        Store.open(path, one.origin).close()


@pytest.mark.slow
def test_series_of_several_seeds_stay_whole(tmp_path):
    series = ("rounds = 1", "rounds = 2")
    path, experiment = tmp_path / "series.db", tiny.experiment(tmp_path, series)
    for seed in (0, 5):
        planned = tiny.planned(tmp_path, series, seed=seed)
        one = tiny.filled(tmp_path / f"{seed}.db", planned, planned[:2])
        assert merged(path, exported(one), experiment=experiment) == Merged(4, 0)
    again = tmp_path / "again.db"
    assert merged(again, exported(path), experiment=experiment) == Merged(8, 0)
    assert contents(again) == contents(path)


def test_a_longer_plan_is_known_too(tmp_path, planned):
    longer = tiny.planned(tmp_path, blocks=9)
    last = tiny.filled(tmp_path / "last.db", longer, [longer[0], longer[20], longer[-1]])
    new = tmp_path / "new.db"
    assert merged(new, exported(last), experiment=planned.experiment) == Merged(3, 0)
    assert contents(new) == contents(last)


def forge(path, column, value, row=3):
    """Change a value of a file, and nothing else."""
    table = pq.read_table(path)
    values = table.column(column).to_pylist()
    values[row] = value
    place = table.schema.get_field_index(column)
    pq.write_table(
        table.set_column(
            place, table.schema.field(place), pyarrow.array(values, table.schema.field(place).type)
        ),
        path,
    )


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("game_id", "0123456789abcdef-0", "game_id is 0123456789abcdef-0, expected"),
        ("game_id", "", "game_id is , expected"),
        ("seed", "7", "seed is 7, expected"),
        ("cell", "oblivious", "game_id is .*, expected"),
        ("cell", "unaware", "there is no cell 'unaware' with block 0 and slot 3"),
        ("slot", 0, "game_id is .*, expected"),
        ("slot", 4, "there is no cell 'aware' with block 0 and slot 4"),
        ("block", 1, "game_id is .*, expected"),
        ("block", 10**9, "block 1000000000"),
        ("block", -1, "block -1"),
        ("round", 1, "round is 1, expected 0"),
        ("plan_index", 99, "plan_index is 99, expected 3"),
        ("config_fingerprint", "abc", "config_fingerprint is abc"),
        ("code_fingerprint", "abc", "code_fingerprint is abc"),
        ("origin", 7, "has no origin"),
        ("score", 5, "score is 5, expected 1 or 0 or -1"),
        ("score", None, "score is None, expected 1 or 0 or -1"),
        ("total", float("nan"), "total is nan, expected a number"),
        ("plies", None, "row 4 of .* cannot be read: plies is missing"),
        ("plies", -3, "plies is -3"),
        ("posteriors", "{", "row 4 of .* cannot be read"),
        ("posteriors", "[]", "posteriors do not have the shape"),
        ("posteriors", '{"0": 5}', "posteriors do not have the shape"),
        ("posteriors", '{"0": [["x"]]}', "posteriors do not have the shape"),
        ("deviations", "null", "deviations do not have the shape"),
        ("deviations", '{"0": [1]}', "deviations do not have the shape"),
        ("seconds", float("nan"), "seconds is nan, expected 0 or more"),
        ("team", "obl:1+obl:1", r"team is obl:1\+obl:1, expected"),
        ("against", None, "against is None, expected"),
        ("side", 5, "side is 5, expected"),
        ("game", "harvest", "game is harvest, expected"),
        ("experiment", "other", "experiment is other, expected tiny"),
        ("root_seed", "77", "root_seed is 77, expected"),
        ("game_id", None, "row 4 of .* cannot be read"),
        ("block", None, "row 4 of .* cannot be read"),
    ],
)
def test_a_forged_row_is_refused_and_nothing_is_written(
    tmp_path, planned, rows, column, value, message
):
    forge(rows, column, value)
    new = tmp_path / "new.db"
    with pytest.raises(InvalidInput, match=message):
        merged(new, rows, experiment=planned.experiment)
    assert not new.exists()


FULL = [
    ("score", 1, r"contradicts itself: score is 1, but the moves say (0|-1)"),
    ("total", 9.0, r"contradicts itself: total is 9.0, but the moves say"),
    ("plies", 13, "contradicts itself: plies is 13, but the moves say 14"),
    ("plies", 10**6, "contradicts itself: plies is 1000000, but the match ends before"),
    ("reason", "resigned", "contradicts itself: reason is resigned, but the moves say 14 plies"),
    ("moves", ["9-14", "1-32"], r"there are 2 moves and 14 rewards"),
    ("rewards", [5.0] * 14, r"move 1 \(.*\) is worth .*, not 5"),
    ("posteriors", '{"0": [[0.5, 0.6], [0.5, 0.5]]}', "of member 0 are not probabilities"),
    ("posteriors", '{"0": [[-0.5, 0.5], [0.5, 0.5]]}', "of member 0 are not probabilities"),
    ("posteriors", '{"0": [[0.5, 0.5]]}', "of member 0 are about 1 members of 2"),
    ("posteriors", '{"7": [[0.5, 0.5], [0.5, 0.5]]}', "of member 7 are about 2 members of 2"),
]


def odd(rows, score):
    """A row that did not go this way."""
    scores = pq.read_table(rows).column("score").to_pylist()
    return next(number for number, one in enumerate(scores) if one != score)


@pytest.mark.parametrize(("column", "value", "message"), FULL)
def test_a_row_that_contradicts_itself_is_refused(tmp_path, planned, whole, column, value, message):
    rows = exported(whole, compact=False)
    forge(rows, column, value, row=odd(rows, 1))
    with pytest.raises(InvalidInput, match=message):
        merged(tmp_path / "new.db", rows, experiment=planned.experiment)
    assert not (tmp_path / "new.db").exists()


def test_moves_that_are_illegal_or_too_many_are_refused(tmp_path, planned, whole):
    rows = exported(whole, compact=False)
    table = pq.read_table(rows)
    moves, rewards = (table.column(name).to_pylist()[3] for name in ("moves", "rewards"))
    forge(rows, "moves", [moves[0], "1-32", *moves[2:]])
    with pytest.raises(InvalidInput, match=r"move 2 \(1-32\) is not legal"):
        merged(tmp_path / "new.db", rows, experiment=planned.experiment)
    forge(rows, "moves", [*moves, "1-5"])
    forge(rows, "rewards", [*rewards, 0.0])
    with pytest.raises(InvalidInput, match=r"move 15 \(1-5\) is made after the end"):
        merged(tmp_path / "new.db", rows, experiment=planned.experiment)


def test_a_compact_row_has_the_score_of_its_total(tmp_path, planned, rows):
    forge(rows, "score", 1, row=odd(rows, 1))
    with pytest.raises(InvalidInput, match=r"contradicts itself: score is 1, but the total is"):
        merged(tmp_path / "new.db", rows, experiment=planned.experiment)


def test_a_store_with_a_broken_row_is_not_merged(tmp_path, planned, whole):
    with closing(sqlite3.connect(whole)) as database, database:
        database.execute("UPDATE games SET seconds = 9 WHERE plan_index = 2")
    with pytest.raises(StoreError, match=r"1 game\(s\) do not match their checksums"):
        merged(tmp_path / "new.db", whole, experiment=planned.experiment)


def test_the_published_rule_leaves_no_room_for_none_of_these(tmp_path):
    published = ("search = {", 'agents = { rule = "published" }\nsearch = {')
    planned = tiny.planned(tmp_path, published)
    rows = exported(tiny.filled(tmp_path / "whole.db", planned, planned[:4]))
    forge(rows, "posteriors", '{"0": [[0.5, 0.3], [0.5, 0.5]]}')
    with pytest.raises(InvalidInput, match="of member 0 are not probabilities"):
        merged(tmp_path / "new.db", rows, experiment=planned.experiment)


def test_a_row_of_one_team_has_no_score(tmp_path):
    toy = read_experiment("wall-of-fire")
    one = exported(tiny.filled(tmp_path / "toy.db", plan(toy), [plan(toy)[0]]))
    forge(one, "score", 1, row=0)
    with pytest.raises(InvalidInput, match="score is 1, expected None"):
        merged(tmp_path / "new.db", one, experiment=toy)


def test_columns_that_are_missing_are_named(tmp_path, planned, rows):
    table = pq.read_table(rows)
    pq.write_table(table.drop_columns(["plies", "seed"]), rows)
    with pytest.raises(InvalidInput, match="has no column seed, plies"):
        open_rows(rows)


@pytest.mark.parametrize(
    ("column", "kind"), [("total", "string"), ("plies", "float64"), ("game_id", "binary")]
)
def test_columns_of_another_type_are_named(planned, rows, column, kind):
    table = pq.read_table(rows)
    place = table.schema.get_field_index(column)
    other = table.column(column).cast(getattr(pyarrow, kind)())
    pq.write_table(table.set_column(place, column, other), rows)
    said = kind.replace("float64", "double")
    with pytest.raises(InvalidInput, match=f"column {column} is of type {said}, expected"):
        open_rows(rows)


@pytest.mark.parametrize("change", [{"versions": 7}, {"code": []}, {"seed": "1"}, {"name": None}])
def test_origins_of_another_shape_are_refused(rows, change):
    table = pq.read_table(rows)
    told = json.loads(table.schema.metadata[b"sizeup"])
    told["origins"] = {n: {**origin, **change} for n, origin in told["origins"].items()}
    pq.write_table(table.replace_schema_metadata({b"sizeup": json.dumps(told)}), rows)
    with pytest.raises(InvalidInput, match="holds no games of schema"):
        open_rows(rows)


def test_games_are_taken_into_a_file_that_is_still_empty(tmp_path, planned, rows):
    new = tmp_path / "new.db"
    new.touch()
    assert merged(new, rows, experiment=planned.experiment).new == len(planned)


def test_a_series_must_be_whole(tmp_path):
    series = tiny.planned(tmp_path, ("rounds = 1", "rounds = 2"))
    path = exported(tiny.filled(tmp_path / "series.db", series, series[:1]))
    pq.write_table(pq.read_table(path).slice(0, 1), path)
    with pytest.raises(InvalidInput, match=r"series \w+ ends after 1 game"):
        merged(tmp_path / "new.db", path, experiment=series.experiment)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("iterations = 4", "iterations = 5"), "search.iterations: 4 -> 5"),
        (("most_plies = 14", "most_plies = 16"), "config params.most_plies: 14 -> 16"),
        (('name = "tiny"', 'name = "teeny"'), 'name: "tiny" -> "teeny"'),
    ],
)
def test_another_configuration_is_refused_with_what_changed(tmp_path, whole, rows, change, message):
    other = tiny.experiment(tmp_path, change)
    for target, files in ((tmp_path / "new.db", [rows]), (whole, [rows])):
        with pytest.raises(InvalidInput, match=message):
            merged(target, *files, experiment=other, allow_changes=True)
    assert not (tmp_path / "new.db").exists()


def test_other_code_is_refused_unless_allowed(tmp_path, planned, whole):
    code = {**planned.origin.code, "search": "other"}
    origin = replace(planned.origin, code=code, seed=planned.seed)
    other = tiny.filled(tmp_path / "other.db", planned, planned[:4], origin=origin)
    half = tiny.filled(tmp_path / "half.db", planned, planned[2:8])
    with pytest.raises(InvalidInput, match="were played by other code: code of search; play them"):
        merged(half, exported(other), experiment=planned.experiment)
    assert len(contents(half)) == 6
    options = {"experiment": planned.experiment, "allow_changes": True}
    assert merged(half, exported(other), **options) == Merged(2, 2)
    prints = [row["code_fingerprint"] for row in contents(half)]
    assert prints == [origin.code_fingerprint] * 2 + [planned.origin.code_fingerprint] * 6
    assert merged(half, exported(other), experiment=planned.experiment) == Merged(0, 4)


def test_a_game_that_went_another_way_is_refused(tmp_path, planned, whole, rows):
    forge(rows, "plies", 12)
    before = digest(whole)
    with pytest.raises(StoreError, match=f"game {planned[3].game_id()} of .* but differs in plies"):
        merged(whole, rows, experiment=planned.experiment)
    assert digest(whole) == before


def test_other_beliefs_are_another_outcome(planned, whole, rows):
    forge(rows, "posteriors", '{"0": [[0.5, 0.5], [0.5, 0.5]]}')
    with pytest.raises(StoreError, match="but differs in posteriors"):
        merged(whole, rows, experiment=planned.experiment)


def test_nothing_is_taken_if_the_last_file_is_bad(tmp_path, planned, rows):
    half = tiny.filled(tmp_path / "half.db", planned, planned[:4])
    before = digest(half)
    bad = tmp_path / "bad.parquet"
    bad.write_bytes(rows.read_bytes())
    forge(bad, "slot", 1, row=15)
    with pytest.raises(InvalidInput, match=r"row 16 of .*bad.parquet"):
        merged(half, rows, bad, experiment=planned.experiment)
    assert digest(half) == before


def test_a_store_that_was_changed_is_refused(tmp_path, planned, whole):
    job = replace(planned[0], config={**planned[0].config, "rounds": 1, "params": {}})
    other = tmp_path / "other.db"
    with Store.open(other, planned.origin) as store:
        store.add([Played(job, tiny.outcomes(planned[0]), 1.0, "here", 1, "2026-01-01")])
    with pytest.raises(InvalidInput, match=r"config is .*expected"):
        merged(whole, other, experiment=planned.experiment)


def test_files_that_hold_no_games(tmp_path):
    with pytest.raises(InvalidInput, match=r"tiny.toml is neither a store nor Parquet"):
        open_rows(tiny.written(tmp_path))
    with pytest.raises(InvalidInput, match=r"cannot read .*missing"):
        open_rows(tmp_path / "missing")


def test_metadata_that_were_changed(tmp_path, planned, rows):
    table = pq.read_table(rows)
    for found in (
        "[",
        "[]",
        json.dumps({"schema": "sizeup-games/1", "origins": {"1": {}}}),
        json.dumps({"schema": "sizeup-games/2", "origins": {}}),
    ):
        pq.write_table(table.replace_schema_metadata({b"sizeup": found.encode()}), rows)
        with pytest.raises(InvalidInput, match="holds no games of schema"):
            open_rows(rows)
