"""Games, moves and beliefs as pandas tables: what stands in them, and that nothing gets lost."""

import json
import re
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.experiments.export import tidy, to_parquet, to_records
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Played, Store
from sizeup.experiments.stored import compact, record_in, rows_as_dicts
from sizeup.experiments.worker import play_job
from sizeup.play import play
from sizeup.report import frames
from sizeup.report.frames import (
    beliefs_frame,
    deviations_frame,
    games_frame,
    last_beliefs_frame,
    moves_frame,
    records_of,
)
from sizeup.search import SearchOptions
from tests.experiments import tiny
from tests.report.small_fire import sample_store

PAGE = Path(__file__).parents[2] / "docs" / "data_dictionary.md"
COLUMNS = {
    "games_frame": frames.GAMES,
    "moves_frame": frames.MOVES,
    "beliefs_frame": frames.BELIEFS,
    "last_beliefs_frame": frames.LAST_BELIEFS,
    "deviations_frame": frames.DEVIATIONS,
}
SEARCHED = ["choices", "iterations", "nodes", "share", "value", "distance"]

FARMERS = """
name = "farmers"
title = "Three farmers"
question = "What does the weather do?"
game = "harvest"
types = [1, 2]
blocks = 1
balance = []
search = { iterations = 4, rollouts = 1 }
[arms.aware]
team = "ca:2+obl:1+obl:1"
[[tables]]
title = "Reward"
"""


@pytest.fixture
def path(tmp_path):
    return tiny.filled(tmp_path / "tiny.db", tiny.planned(tmp_path))


@pytest.fixture
def store(path):
    with Store.read(path) as opened:
        yield opened


def farm(folder):
    """A store of one game in which chance moves."""
    file = folder / "farmers.toml"
    file.write_text(FARMERS)
    jobs = plan(read_experiment(file))
    path = folder / "farmers.db"
    with Store.open(path, jobs.origin) as store:
        store.add(Played(job, play_job(job), 0.5, "here", 1, "2026-01-01T00:00Z") for job in jobs)
    return path


def exported(store, folder, compact_rows):
    path = folder / "rows.parquet"
    to_parquet(store, path, compact_rows)
    return path


def all_frames(path):
    records = records_of(path)
    return {
        "games_frame": games_frame(path),
        "moves_frame": moves_frame(records),
        "beliefs_frame": beliefs_frame(records),
        "last_beliefs_frame": last_beliefs_frame(path),
        "deviations_frame": deviations_frame(path),
    }


def dtypes(frame):
    return {name: str(dtype) for name, dtype in frame.dtypes.items()}


def same(one, other):
    pd.testing.assert_frame_equal(one, other, check_exact=True)


@pytest.mark.slow
def test_every_frame_has_the_dtypes_it_promises_also_without_rows(tmp_path, path):
    for name, frame in all_frames(path).items():
        assert len(frame)
        assert dtypes(frame) == COLUMNS[name], name
    with Store.open(tmp_path / "none.db", tiny.planned(tmp_path).origin):
        pass
    for name in ("games_frame", "moves_frame", "last_beliefs_frame", "deviations_frame"):
        frame = getattr(frames, name)(tmp_path / "none.db")
        assert (len(frame), dtypes(frame)) == (0, COLUMNS[name])
    assert dtypes(beliefs_frame([])) == frames.BELIEFS


@pytest.mark.slow
def test_parquet_and_back_keeps_every_value_and_dtype(tmp_path, path):
    tables = {**all_frames(path), "toy": games_frame(farm(tmp_path)), "none": beliefs_frame([])}
    assert tables["toy"]["score"].isna().all()  # a missing whole number must survive too
    for name, frame in tables.items():
        frame.to_parquet(tmp_path / f"{name}.parquet")
        same(pd.read_parquet(tmp_path / f"{name}.parquet"), frame)


def test_a_game_is_what_the_store_says(store):
    frame = games_frame(store)
    assert len(frame) == 16
    for row, stored in zip(frame.to_dict("records"), tidy(store), strict=True):
        assert row["finished"] == pd.Timestamp(stored["finished"])
        assert row["arm"] == stored["cell"].split()[0]
        texts = {name: str(stored[name]) for name in ("seed", "root_seed")}
        expected = {**stored, **texts}
        others = set(frame.columns) - {"finished", "arm"}
        assert {name: row[name] for name in others} == {name: expected[name] for name in others}
    assert next(store.rows("game_id"))  # who opened it closes it


def test_a_store_its_path_and_its_exported_rows_are_the_same_games(tmp_path, path, store):
    frame = games_frame(store)
    same(games_frame(path), frame)
    same(games_frame(str(path)), frame)
    for compact_rows in (True, False):
        rows = exported(store, tmp_path, compact_rows)
        same(games_frame(rows), frame)
        digits = 3 if compact_rows else 9
        for make in (last_beliefs_frame, deviations_frame):
            same(make(rows), make(store).round(digits))


@pytest.mark.slow
def test_moves_of_a_store_are_those_of_its_records(tmp_path, store, path):
    records = records_of(store)
    kept, full = moves_frame(store), moves_frame(records)
    known = [name for name in frames.MOVES if name not in SEARCHED]
    same(kept[known], full[known])
    assert kept[SEARCHED].isna().all(axis=None)
    assert full["iterations"].notna().any()
    same(moves_frame(path), kept)
    same(moves_frame(exported(store, tmp_path, compact_rows=False)), kept)
    games = games_frame(store).set_index("game_id")
    signs = 1 - 2 * games["side"]
    ends = kept.groupby("game_id")["total"].last()
    assert (ends.loc[games.index] == signs * games["total"]).all()
    assert set(games["side"]) == {0, 1}
    assert (games["total"] != 0).any()


@pytest.mark.slow
def test_moves_that_were_left_out_are_played_again(tmp_path, store):
    jobs = list(tiny.planned(tmp_path))[:4]
    path = tmp_path / "compact.db"
    with Store.open(path, tiny.planned(tmp_path).origin) as short:
        for job in jobs:
            outcomes = tuple(map(compact, tiny.outcomes(job)))
            short.add([Played(job, outcomes, 0.1, "here", 1, "2026-01-01T00:00Z")])
    frame, whole = moves_frame(path), moves_frame(store)
    same(frame, whole[whole["game_id"].isin(frame["game_id"])])
    assert frame["game_id"].nunique() == 4
    with pytest.raises(InvalidInput, match=r"rows\.parquet has no moves.*--full"):
        moves_frame(exported(store, tmp_path, compact_rows=True))


@pytest.mark.slow
def test_chance_moves_without_a_side_or_an_agent(tmp_path):
    path = farm(tmp_path)
    frame, full = moves_frame(path), moves_frame(records_of(path))
    same(frame[["player", "side", "agent"]], full[["player", "side", "agent"]])
    drawn = frame[frame["player"] == -1]
    assert set(drawn["action"]) <= {"dry", "rain"}
    assert len(drawn)
    assert drawn[["side", "agent"]].isna().all(axis=None)
    assert (frame["number"] == np.arange(1, len(frame) + 1)).all()
    assert frame["ply"].iloc[-1] == len(frame) - len(drawn)


def test_a_move_has_the_numbers_of_its_search(store):
    row = next(rows_as_dicts(store))
    record = record_in(store, row)
    frame = moves_frame({"a": record})
    for move, told in zip(record.moves, frame.to_dict("records"), strict=True):
        if move.search is None:
            assert pd.isna(told["iterations"])
            continue
        at = move.search["actions"].index(move.action)
        visits = move.search["visits"][-1]
        assert told["choices"] == len(move.search["actions"])
        assert (told["iterations"], told["nodes"]) == (
            move.search["iterations"],
            move.search["nodes"],
        )
        assert told["share"] == visits[at] / sum(visits) == max(visits) / sum(visits)
        assert told["value"] == move.search["values"][-1][at]
    assert set(frame["game_id"]) == {"a"}


def test_a_search_that_was_stopped_at_once_has_no_share_and_no_value(store):
    record = record_in(store, next(rows_as_dicts(store)))
    at = next(at for at, move in enumerate(record.moves) if move.search)
    move = record.moves[at]
    nothing = {
        **move.search,
        "visits": [[0] * len(row) for row in move.search["visits"]],
        "values": [[None] * len(row) for row in move.search["values"]],
    }
    frame = moves_frame(replace(record, moves=(replace(move, search=nothing),)))
    assert frame["share"].tolist() == [0.0]
    assert frame["value"].isna().all()


def test_the_distance_of_a_teams_beliefs_is_with_the_move():
    aware = read_agent("ca:3@1,3", SearchOptions(iterations=10, rollouts=1))
    record = play("connect-four", [[aware, aware], ["random"]], seed=1)
    frame = moves_frame(record)
    given = [move.distance for move in record.moves]
    assert any(given)
    assert frame["distance"].fillna(-1).tolist() == [-1 if d is None else d for d in given]


def test_beliefs_are_those_of_the_record_in_long_form(store):
    (row, *_) = (row for row in rows_as_dicts(store) if row["cell"] == "aware")
    record = record_in(store, row)
    frame = beliefs_frame([record])
    wide = frame.pivot(
        index=["number", "believer", "about"],
        columns="type",
        values=["evidence", "before", "after", "played", "samples", "none"],
    )
    ((believer, first),) = record.first_beliefs.items()
    assert wide.loc[0].shape[0] == len(record.players)
    for about in range(len(record.players)):
        assert wide.loc[(0, believer, about), "after"].tolist() == first[about]
    told = 0
    for number, move in enumerate(record.moves, start=1):
        for seat, seen in move.seen.items():
            here = wide.loc[(number, seat, move.player)]
            assert here["before"].tolist() == list(seen.before)
            assert here["after"].tolist() == list(seen.after)
            assert here["evidence"].tolist() == list(seen.evidence)
            assert here["played"].tolist() == list(seen.played)
            assert here["samples"].tolist() == [seen.samples] * 2
            assert here["none"].tolist() == pytest.approx([1 - sum(seen.after)] * 2)
            assert (seen.samples, len(seen.played)) >= (4, 2)
            told += 1
    assert len(wide) == len(record.players) + told
    assert told
    start = frame.query("number == 0")
    assert start[["evidence", "before", "played"]].isna().all(axis=None)
    assert set(start["samples"]) == {0}
    assert start["none"].tolist() == pytest.approx([0.01] * len(start))
    types = record.types_of(believer)
    assert set(frame["type"]) == set(types)


def test_evidence_about_types_above_ones_own_is_missing():
    record = play("connect-four", [["ca:1@1,2", "obl:2"], ["random"]], seed=1)
    frame = beliefs_frame(record).query("number > 0")
    assert frame.query("type == 2")["evidence"].isna().all()
    assert frame.query("type == 1")["evidence"].notna().all()
    assert frame.query("type == 2")["played"].isna().all()
    assert frame.query("type == 1")["played"].notna().all()


def test_rules_that_do_not_sample_have_no_counts():
    aware = replace(read_agent("ca:2@1,2"), rule="published")
    frame = beliefs_frame(play("connect-four", [[aware, "obl:2"], ["random"]], seed=1))
    assert frame.query("number > 0")["evidence"].notna().all()
    assert frame["played"].isna().all()
    assert set(frame["samples"]) == {0}
    assert set(frame["none"]) == {0.0}


def test_last_beliefs_and_deviations_are_the_stored_ones(store):
    last, away = last_beliefs_frame(store), deviations_frame(store)
    for row in rows_as_dicts(store):
        mine = last[last["game_id"] == row["game_id"]]
        kept = {int(b): np.array(rows) for b, rows in row["posteriors"].items()}
        assert set(mine["believer"]) == set(kept)
        for believer, shares in kept.items():
            wide = mine[mine["believer"] == believer].pivot(
                index="about", columns="type", values="probability"
            )
            assert (wide.columns.tolist(), wide.to_numpy().tolist()) == ([1, 2], shares.tolist())
        mine = away[away["game_id"] == row["game_id"]]
        told = [
            (int(b), int(a), u, d)
            for b, mates in row["deviations"].items()
            for a, values in mates.items()
            for u, d in enumerate(values)
        ]
        columns = ["believer", "about", "update", "deviation"]
        assert list(mine[columns].itertuples(index=False, name=None)) == told


def test_believers_are_numbered_as_the_experiment_writes_them(tmp_path):
    jobs = tiny.planned(tmp_path, ("ca:2+obl:1", "obl:1+ca:2"))
    frame = last_beliefs_frame(tiny.filled(tmp_path / "second.db", jobs, list(jobs)[:4]))
    assert set(frame["believer"]) == {1}  # in whatever seat
    assert set(frame["type"]) == {1, 2}


def test_records_come_from_files_folders_mappings_and_lists(tmp_path, store):
    (tmp_path / "none").mkdir()
    paths = list(islice(to_records(store, tmp_path / "records"), 2))
    frame = moves_frame(tmp_path / "records")
    assert set(frame["game_id"]) == {path.stem for path in paths}
    assert set(moves_frame(str(paths[0]))["game_id"]) == {paths[0].stem}
    joined = frame.merge(games_frame(store), on="game_id", suffixes=("", "_game"))
    assert len(joined) == len(frame)  # records have the names of the store
    records = list(records_of(store, most=2).values())
    assert set(beliefs_frame(records)["game_id"]) == {"0", "1"}
    with pytest.raises(InvalidInput, match=r"no records \(\*\.json\) in"):
        moves_frame(tmp_path / "none")
    with pytest.raises(InvalidInput, match="expected records of matches, got str"):
        moves_frame(["game.json"])


def test_records_of_plays_as_many_as_asked_for(store, path):
    two = records_of(path, most=2)
    assert list(two) == [row["game_id"] for row in tidy(store)][:2]
    assert [record.total for record in two.values()] == [
        (1 - 2 * row["side"]) * row["total"] for row in tidy(store)
    ][:2]


def test_what_cannot_be_had_is_said(tmp_path, store, path):
    with pytest.raises(InvalidInput, match=r"beliefs_frame\(records_of\(store\)\)"):
        beliefs_frame(store)
    with pytest.raises(InvalidInput, match="last_beliefs_frame"):
        beliefs_frame(path)
    with pytest.raises(InvalidInput, match=r"sizeup merge"):
        records_of(exported(store, tmp_path, compact_rows=True))
    record = play("connect-four", [["ca:2", "obl:1"], ["random"]], seed=1)
    at = next(at for at, move in enumerate(record.moves) if move.seen)
    (told,) = record.moves[at].seen.values()
    short = replace(record.moves[at], seen={0: replace(told, after=(1.0,))})
    uncounted = replace(record.moves[at], seen={0: replace(told, played=(1.0,))})
    for move in (short, uncounted):
        with pytest.raises(
            InvalidInput, match=rf"move {at + 1}: player 0 considers the types \(1, 2\)"
        ):
            beliefs_frame(replace(record, moves=(*record.moves[:at], move)))


def test_a_time_that_is_none_is_named(tmp_path):
    jobs = tiny.planned(tmp_path)
    path = tmp_path / "odd.db"
    with Store.open(path, jobs.origin) as store:
        store.add([Played(jobs[0], tiny.outcomes(jobs[0]), 0.1, "here", 1, "at dawn")])
    with pytest.raises(InvalidInput, match="at dawn"):
        games_frame(path)


@pytest.mark.parametrize("name", COLUMNS)
def test_without_pandas_the_extra_is_named(monkeypatch, name, tmp_path):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InvalidInput, match=r"pip install 'sizeup\[pandas\]'"):
        getattr(frames, name)(tmp_path / "not even looked at")


def test_the_sample_is_a_real_store():
    with sample_store() as path:
        assert json.loads(games_frame(path)["score"].to_json()) == {"0": None, "1": None}
        assert moves_frame(path)["game_id"].nunique() == 2
    assert not path.exists()


def test_the_data_dictionary_has_these_columns_and_dtypes_and_no_others():
    written = {}
    sections = PAGE.read_text().split("\n## ")[1:]
    for section in (section for section in sections if "| column |" in section):
        (name, *_) = re.findall(r"\{func\}`~sizeup\.report\.frames\.(\w+)`", section)
        rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| (.+) \| (.*)\|$", section, re.MULTILINE)
        assert all(meaning.strip() for _, _, meaning, _ in rows)
        written[name] = {column: dtype for column, dtype, *_ in rows}
        assert len(written[name]) == len(rows) == section.count("\n| ") - 1
    assert written == COLUMNS
    assert [list(columns) for columns in written.values()] == [list(c) for c in COLUMNS.values()]
