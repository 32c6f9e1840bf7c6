"""Games for others: tidy rows, compact rows, PDN and records."""

import csv
import json
import os
import sqlite3
import sys
from dataclasses import asdict
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet as pq

from sizeup.errors import InvalidInput
from sizeup.experiments import export
from sizeup.experiments.export import (
    COLUMNS,
    LEFT_OUT,
    UNPLANNED,
    is_parquet,
    origins_in,
    rows_in,
    tidy,
    to_csv,
    to_parquet,
    to_pdn,
    to_records,
    whole,
)
from sizeup.experiments.merge import merge, open_rows
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Store, StoreError
from sizeup.experiments.stored import (
    bare_games,
    find_game,
    is_store,
    record_in,
    stored_record,
)
from sizeup.experiments.worker import record_of
from sizeup.games import checkers
from sizeup.games.checkers.pdn import move_to_text, read_pdn
from sizeup.games.contract import View
from sizeup.play import Record
from tests.experiments import tiny


@pytest.fixture
def planned(tmp_path):
    return tiny.planned(tmp_path)


@pytest.fixture
def path(tmp_path, planned):
    return tiny.filled(tmp_path / "tiny.db", planned)


@pytest.fixture
def store(path):
    with Store.read(path) as opened:
        yield opened


@pytest.fixture
def bare(tmp_path, planned, store):
    """A store of the same games, merged from compact rows."""
    to_parquet(store, tmp_path / "compact.parquet")
    merge(tmp_path / "bare.db", [open_rows(tmp_path / "compact.parquet")], planned.experiment)
    with Store.read(tmp_path / "bare.db") as opened:
        yield opened


class Count:
    """Counts the games that were played again."""

    def __init__(self):
        self.games = 0

    def __call__(self):
        self.games += 1


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def without(rows, names):
    return [{key: value for key, value in row.items() if key not in names} for row in rows]


@pytest.mark.slow
def test_rows_of_equal_plans_are_equal_whatever_ran_them(tmp_path, planned, store):
    backwards = list(planned)[::-1]
    with Store.read(tiny.filled(tmp_path / "b.db", planned, backwards, host="there")) as other:
        for compact in (False, True):
            to_csv(store, tmp_path / "a.csv", compact)
            to_csv(other, tmp_path / "b.csv", compact)
            one, two = (without(table(tmp_path / f"{n}.csv"), UNPLANNED) for n in "ab")
            assert (len(one), one) == (16, two)
            to_parquet(store, tmp_path / "a.parquet", compact)
            to_parquet(other, tmp_path / "b.parquet", compact)
            one, two = (pq.read_table(tmp_path / f"{n}.parquet") for n in "ab")
            dropped = [*UNPLANNED, "origin"]
            assert one.drop_columns(dropped).equals(two.drop_columns(dropped))
            assert not one.equals(two)  # the host is another one


def test_a_row_says_who_played_and_how_it_went(tmp_path, planned, store):
    assert to_csv(store, tmp_path / "rows.csv") == 16
    rows = table(tmp_path / "rows.csv")
    assert list(rows[0]) == list(COLUMNS)
    for row, job in zip(rows, planned, strict=True):
        (outcome,) = tiny.outcomes(job)
        assert (row["game_id"], int(row["seed"])) == (job.game_id(), job.seed)
        assert (row["experiment"], row["root_seed"], row["game"]) == ("tiny", "0", "checkers")
        assert (int(row["score"]), float(row["total"])) == (outcome.score, outcome.total)
        assert json.loads(row["moves"]) == list(outcome.moves)
        assert json.loads(row["posteriors"]) == outcome.posteriors
    assert [row["team"] for row in rows[:2]] == ["ca:2@1,2+obl:1", "obl:1+ca:2@1,2"]
    assert [row["side"] for row in rows[:4]] == ["0", "0", "1", "1"]
    assert {row["against"] for row in rows} == {"obl:1"}
    assert rows[0]["code_fingerprint"] == planned.origin.code_fingerprint


def test_compact_rows_leave_moves_out_and_round_beliefs(tmp_path, store):
    to_csv(store, tmp_path / "full.csv")
    assert to_csv(store, tmp_path / "rows.csv", compact=True) == 16
    full, rows = table(tmp_path / "full.csv"), table(tmp_path / "rows.csv")
    assert set(full[0]) - set(rows[0]) == set(LEFT_OUT)
    same = without(full, [*LEFT_OUT, "posteriors", "deviations"])
    assert same == without(rows, ["posteriors", "deviations"])
    exact, short = (
        [json.loads(row["posteriors"])["0"][1] for row in some if row["cell"] == "aware"]
        for some in (full, rows)
    )
    assert exact != short
    assert short == [[round(share, 3) for share in shares] for shares in exact]


def test_what_games_print_stays_out_of_rows_on_standard_output(capfd):
    with whole(Path("-")) as place:
        os.system("echo a word of a game")
        place.write_text("rows\n")
    assert capfd.readouterr() == ("rows\n", "a word of a game\n")
    os.system("echo later")
    assert capfd.readouterr().out == "later\n"


@pytest.mark.slow
def test_full_rows_of_compact_ones_are_played_again(tmp_path, planned, store, bare):
    assert (bare_games(store), bare_games(bare), bare_games(bare, most=5)) == (0, 16, 5)
    again = Count()
    assert to_parquet(bare, tmp_path / "full.parquet", compact=False, on_game=again) == 16
    assert again.games == 16
    rows = open_rows(tmp_path / "full.parquet")
    merge(tmp_path / "whole.db", [rows], planned.experiment)
    with Store.read(tmp_path / "whole.db") as whole:
        assert whole.digest() == store.digest() != bare.digest()
    to_csv(store, tmp_path / "a.csv", on_game=again)
    assert again.games == 16  # nothing is played of games that have their moves
    to_csv(bare, tmp_path / "b.csv")
    one, two = (without(table(tmp_path / f"{n}.csv"), ["seconds"]) for n in "ab")
    assert one == two


def test_compact_rows_of_compact_ones_are_not_played_again(tmp_path, bare):
    again = Count()
    to_csv(bare, tmp_path / "rows.csv", compact=True, on_game=again)
    assert again.games == 0
    assert [row["moves"] for row in tidy(bare)] == [[]] * 16  # as they are stored


@pytest.mark.slow
def test_a_series_is_played_again_only_once(tmp_path, monkeypatch):
    planned = tiny.planned(tmp_path, ("rounds = 1", "rounds = 3"))
    with Store.read(tiny.filled(tmp_path / "series.db", planned, planned[:2])) as store:
        to_parquet(store, tmp_path / "compact.parquet")
    merge(tmp_path / "bare.db", [open_rows(tmp_path / "compact.parquet")], planned.experiment)
    played = []

    def counted(job):
        played.append(job.job_id)
        return tiny.outcomes(job)

    monkeypatch.setattr("sizeup.experiments.stored.play_job", counted)
    with Store.read(tmp_path / "bare.db") as bare:
        to_csv(bare, tmp_path / "rows.csv")
    assert played == [job.job_id for job in planned[:2]]
    moves = [json.loads(row["moves"]) for row in table(tmp_path / "rows.csv")]
    assert moves == [list(one.moves) for job in planned[:2] for one in tiny.outcomes(job)]


def test_a_compact_game_that_goes_another_way_is_not_exported(tmp_path, planned, bare):
    change(bare.path, "reason = 'boredom'")
    with pytest.raises(StoreError, match=f"game {planned[0].game_id()} replays differently from"):
        to_csv(bare, tmp_path / "rows.csv")
    assert not (tmp_path / "rows.csv").exists()


def test_one_team_has_no_score_and_nobody_against_it(tmp_path):
    toy = plan(read_experiment("wall-of-fire"), blocks=1)
    path = tiny.filled(tmp_path / "toy.db", toy, [toy[0]])
    with Store.read(path) as store:
        (row,) = tidy(store)
        assert (row["against"], row["score"], row["team"]) == (None, None, "obl:2+obl:2")
        to_parquet(store, tmp_path / "toy.parquet")
        to_csv(store, tmp_path / "toy.csv")
    (read,) = rows_in(tmp_path / "toy.parquet")
    assert (read["against"], read["score"], read["total"]) == (None, None, row["total"])
    assert table(tmp_path / "toy.csv")[0]["score"] == ""


def test_parquet_gives_back_what_was_written(tmp_path, planned, store, monkeypatch):
    monkeypatch.setattr("sizeup.experiments.export._BATCH", 5)  # several pieces
    path = tmp_path / "rows.parquet"
    for compact in (True, False):
        assert to_parquet(store, path, compact) == 16
        assert is_parquet(path)
        assert origins_in(path) == {1: planned.origin}
        rows = list(rows_in(path))
        stored = list(tidy(store, compact))
        for row, wanted in zip(rows, stored, strict=True):
            assert row["moves"] == ([] if compact else wanted["moves"])
            assert row["rewards"] == ([] if compact else wanted["rewards"])
            assert row["posteriors"] == json.loads(wanted["posteriors"])
            assert row["job_id"] == wanted["game_id"].partition("-")[0]
            for name in ("game_id", "seed", "block", "score", "total", "plies", "finished"):
                assert row[name] == wanted[name]


def test_parquet_that_is_not_ours_is_refused(tmp_path, store):
    path = tmp_path / "rows.parquet"
    pq.write_table(pyarrow.table({"x": [1]}), path)
    with pytest.raises(InvalidInput, match="holds no games of schema 'sizeup-games/1'"):
        origins_in(path)
    to_parquet(store, path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-200])
    with pytest.raises(InvalidInput, match=r"cannot read .*rows.parquet"):
        origins_in(path)
    with pytest.raises(InvalidInput, match=r"cannot read .*rows.parquet"):
        next(rows_in(path))
    with pytest.raises(InvalidInput, match=r"cannot read .*missing.parquet"):
        is_parquet(tmp_path / "missing.parquet")


def test_without_pyarrow_it_is_said_how_to_get_it(tmp_path, store, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InvalidInput, match=r"pip install 'sizeup\[parquet\]'"):
        to_parquet(store, tmp_path / "rows.parquet")


@pytest.mark.slow
def test_pdn_holds_every_game_with_its_result(tmp_path, planned, store):
    path = tmp_path / "games.pdn"
    assert to_pdn(store, path) == 16
    games = read_pdn(path.read_text())
    results = set()
    for game, job in zip(games, planned, strict=True):
        (outcome,) = tiny.outcomes(job)
        tags, record = dict(game.tags), record_of(job)
        assert tags["Round"] == job.game_id()
        assert float(tags["Score"]) == record.total  # black's
        winner = {"1-0": 0, "0-1": 1, "1/2-1/2": None}[game.result]
        assert winner == record.winner
        results.add((game.result, job.config["side"]))
        state = game.start
        for action, move in zip(game.actions, outcome.moves, strict=True):
            assert move_to_text(state, action).replace("x", "-") == move.replace("x", "-")
            state, _ = View(checkers).apply(state, action)
    assert len(results) > 2
    assert dict(games[2].tags)["Black"] == "obl:1"
    assert dict(games[2].tags)["White"] == "ca:2@1,2+obl:1"


def test_pdn_says_which_seat_moved(tmp_path, store):
    to_pdn(store, tmp_path / "games.pdn", most=3)
    first, second, third = read_pdn((tmp_path / "games.pdn").read_text())
    assert first.comments[:4] == ("seat 0", "", "seat 1", "")  # two players against one
    assert second.comments[:4] == first.comments[:4]
    assert third.comments[:4] == ("", "seat 1", "", "seat 2")


def test_pdn_of_compact_rows_is_played_again(tmp_path, store, bare):
    again = Count()
    to_pdn(store, tmp_path / "a.pdn", most=4, on_game=again)
    assert again.games == 0
    to_pdn(bare, tmp_path / "b.pdn", most=4, on_game=again)
    assert again.games == 4
    assert (tmp_path / "a.pdn").read_text() == (tmp_path / "b.pdn").read_text()


def test_pdn_can_say_what_players_believe(tmp_path, store):
    again = Count()
    assert to_pdn(store, tmp_path / "told.pdn", beliefs=True, most=4, on_game=again) == 4
    assert again.games == 4
    to_pdn(store, tmp_path / "games.pdn", most=4)
    told, plain = (read_pdn((tmp_path / f"{n}.pdn").read_text()) for n in ("told", "games"))
    for one, other in zip(told, plain, strict=True):
        assert (one.tags, one.actions, one.result) == (other.tags, other.actions, other.result)
        assert [text.partition(" | ")[0] for text in one.comments] == list(other.comments)
    assert any("| seat 1 on seat 2: 1 " in text for text in told[2].comments)
    assert any("| seat 2 on seat 1: 1 " in text for text in told[3].comments)


def test_pdn_is_for_checkers(tmp_path):
    toy = plan(read_experiment("wall-of-fire"), blocks=1)
    with (
        Store.open(tmp_path / "toy.db", toy.origin) as store,
        pytest.raises(InvalidInput, match="PDN is for checkers"),
    ):
        to_pdn(store, tmp_path / "toy.pdn")
    assert not (tmp_path / "toy.pdn").exists()


@pytest.mark.slow
def test_records_are_complete_and_those_that_were_stored(tmp_path, planned):
    path = tiny.filled(tmp_path / "two.db", planned, planned[:2])
    with Store.read(path) as store:
        files = list(to_records(store, tmp_path / "deep" / "records"))
        assert [file.name for file in files] == [f"{job.game_id()}.json" for job in planned[:2]]
        assert list(to_records(store, tmp_path / "one", most=1)) == [
            tmp_path / "one" / f"{planned[0].game_id()}.json"
        ]
        record = Record.load(files[1])
        assert asdict(record) == asdict(Record.from_json(record_of(planned[1]).to_json()))
        with pytest.raises(InvalidInput, match=r"cannot write to .*two.db: .*[Ff]ile exists"):
            next(to_records(store, path))


def change(path, assignment, *values):
    with sqlite3.connect(path) as database:
        database.execute(f"UPDATE games SET {assignment}", values)
    database.close()


def test_a_game_that_goes_another_way_is_no_record(path, planned):
    with Store.read(path) as store:
        row = find_game(store, planned[3].job_id)
        assert len(record_in(store, {**row, "moves": []}).moves) == row["plies"]
    for assignment in ("moves = json_replace(moves, '$[4]', '1-5')", "reason = 'boredom'"):
        change(path, assignment)
        with pytest.raises(
            StoreError, match=f"game {planned[3].game_id()} replays differently from"
        ):
            stored_record(path, planned[3].job_id)
        path.unlink()
        tiny.filled(path, planned)


def test_a_game_is_found_by_its_name_or_the_beginning_of_it(store, planned):
    wanted = planned[5]
    for name in (wanted.game_id(), wanted.job_id, wanted.job_id[:9]):
        assert find_game(store, name)["game_id"] == wanted.game_id()
    slip = wanted.job_id[:-1] + "?-0"
    with pytest.raises(InvalidInput, match=f"has no game .*expected one such as {wanted.job_id}"):
        find_game(store, slip)
    with pytest.raises(InvalidInput, match="has 16 games: give the ID of one, such as"):
        find_game(store, "")


@pytest.mark.slow
def test_a_series_is_found_game_by_game(tmp_path):
    planned = tiny.planned(tmp_path, ("rounds = 1", "rounds = 2"))
    with Store.read(tiny.filled(tmp_path / "series.db", planned, planned[:1])) as store:
        assert find_game(store, planned[0].job_id)["round"] == 0
        row = find_game(store, planned[0].game_id(1))
        assert row["round"] == 1
        assert record_in(store, row).total == record_of(planned[0], 1).total
        with pytest.raises(InvalidInput, match="expected one such as"):
            find_game(store, "zz")


def test_an_empty_store_has_no_games(tmp_path, planned):
    with (
        Store.open(tmp_path / "empty.db", planned.origin) as store,
        pytest.raises(InvalidInput, match="has no games yet"),
    ):
        find_game(store, "a")


def test_a_store_is_told_from_other_files(path, tmp_path):
    assert is_store(path)
    assert not is_store(tmp_path / "tiny.toml")
    assert not is_store(tmp_path / "missing")


def test_no_half_file_is_left(tmp_path, store, monkeypatch):
    path = tmp_path / "rows.csv"
    path.write_text("what was there")
    names = set(tmp_path.iterdir())

    def interrupted(*_, **__):
        yield from list(tidy(store))[:3]
        raise KeyboardInterrupt

    monkeypatch.setattr(export, "tidy", interrupted)
    with pytest.raises(KeyboardInterrupt):
        to_csv(store, path)
    assert path.read_text() == "what was there"
    assert set(tmp_path.iterdir()) == names


@pytest.mark.parametrize("write", [to_csv, to_parquet, to_pdn])
def test_what_cannot_be_written_is_said(tmp_path, store, write):
    for place in (tmp_path / "nowhere" / "rows", tmp_path / "tiny.toml" / "rows"):
        with pytest.raises(InvalidInput, match=r"cannot write .*rows: "):
            write(store, place)
