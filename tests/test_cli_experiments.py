"""Experiments from the command line: run, look, export, merge, verify, and every way to end."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from sizeup.cli.run import _command
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment, shipped
from sizeup.experiments.store import Played, Store, StoreError
from tests.experiments import tiny
from tests.test_cli import run

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current directory, with the tiny experiment's file in it."""
    monkeypatch.chdir(tmp_path)
    tiny.written(tmp_path)
    return tmp_path


@pytest.fixture
def executor(monkeypatch):
    """Games are played in this process; some can be told to fail."""
    here = tiny.AtOnce()
    monkeypatch.setattr("sizeup.experiments.executors.open_executor", lambda *_: here)
    return here


def games(path):
    with Store.read(path) as store:
        assert store.integrity() == []
        return [game for (game,) in store.rows("game_id")]


def test_run_says_where_games_are_kept_and_shows_the_table(folder, executor):
    done = run("run", "tiny.toml")
    assert done.returncode == 0
    progress = done.stderr.splitlines()
    assert progress[0] == "tiny: 16 games, saved in tiny-0.db"
    assert progress[1] == "0 of 16 games; not enough games yet"
    assert progress[-1].startswith("16 of 16 games, ")
    assert "; aware - oblivious: " in progress[-1]
    assert progress[-1].endswith(" after 2 rounds")
    assert "tiny-0.db: all 16 games played" in done.stdout
    assert "sizeup report tiny-0.db --html tiny.html" in done.stdout
    assert "Most frequent rewards" not in done.stdout
    assert len(games("tiny-0.db")) == 16


def test_run_says_how_many_games_of_how_many(folder, executor):
    first = run("run", "tiny.toml", "--max-games", 4).stderr.splitlines()
    assert first[:2] == [
        "tiny: 4 of 16 games, saved in tiny-0.db",
        "0 of 4 games; not enough games yet",
    ]
    rounded = run("run", "tiny.toml", "--max-games", 11).stderr.splitlines()
    assert rounded[0] == (
        "tiny: 8 of 16 games (whole seed blocks within --max-games 11), saved in tiny-0.db"
    )
    assert len(games("tiny-0.db")) == 8
    everything = run("run", "tiny.toml", "--max-games", 99).stderr.splitlines()
    assert everything[0] == "tiny: 16 games, saved in tiny-0.db"
    longer = ["--until-decided", "--blocks", 10, "--max-games", 16]
    decided = run("run", "tiny.toml", *longer).stderr.splitlines()
    assert decided[0] == "tiny: at most 16 of 80 games, saved in tiny-0.db"
    assert decided[-1].startswith("not everything is decided: ")
    assert "undecided" in decided[-1]


def test_some_arms_alone(folder, executor):
    """The same games as those of the whole, which goes on from there."""
    part = run("run", "tiny.toml", "--arm", "oblivious").stderr.splitlines()
    assert part[0] == "tiny: 8 of 16 games, saved in tiny-0.db"
    assert part[-1].startswith("8 of 8 games, ")
    assert "; oblivious - its opponents: " in part[-1]
    first = games("tiny-0.db")
    everything = run("run", "tiny.toml").stderr.splitlines()
    assert everything[1].startswith("8 of 16 games")
    assert set(first) < set(games("tiny-0.db"))
    done = run("run", "tiny.toml", "--arm", "aware", "--arm", "min", "--store", "other.db")
    assert done.returncode == 2
    assert done.stderr == "sizeup: tiny has no arm 'min'; it has aware, oblivious\n"
    assert not Path("other.db").exists()
    half = run("run", "tiny.toml", "--arm", "aware", "--max-games", 5, "--store", "half.db")
    assert half.stderr.splitlines()[0] == (
        "tiny: 4 of 16 games (whole seed blocks within --max-games 5), saved in half.db"
    )


def test_series_count_game_by_game(folder, executor):
    tiny.written(folder, ("rounds = 1", "rounds = 2"))
    said = run("run", "tiny.toml", "--max-games", 9).stderr.splitlines()
    assert said[0].startswith("tiny: 8 of 32 games (whole seed blocks within --max-games 9)")
    assert len(games("tiny-0.db")) == 8


def test_the_command_to_go_on_names_the_file_that_was_typed(folder, executor):
    (folder / "tiny.toml").rename(folder / "other.toml")
    assert "sizeup run other.toml --store tiny-0.db" in run("run", "other.toml").stdout


def test_a_store_of_another_experiment_is_named(folder, executor):
    run("run", "tiny.toml", "--max-games", 4)
    failed = run("run", "wall-of-fire", "--store", "tiny-0.db")
    assert failed.returncode == 2
    assert failed.stderr.endswith("holds games of tiny, not of wall-of-fire: name another store\n")


def test_a_row_that_was_changed_is_named_by_all_who_read_it(folder, executor):
    run("run", "tiny.toml", "--max-games", 4)
    with closing(sqlite3.connect("tiny-0.db")) as database, database:
        database.execute("UPDATE games SET seconds = 9 WHERE plan_index = 2")
    named = f"1 game(s) do not match their checksums, .*: {games('tiny-0.db')[2]}; sizeup repair"
    export = ["export", "--csv", "rows.csv"]
    for command, code in ((["status"], 1), (["report"], 2), (["verify"], 2), (export, 2)):
        failed = run(*command, "tiny-0.db")
        assert failed.returncode == code
        assert re.search(re.escape(named).replace(r"\.\*", ".*"), failed.stderr)
        assert failed.stderr.count("\n") == 1
    said = run("repair", "tiny-0.db").stdout.splitlines()
    assert said[0].startswith(f"{Path('tiny-0-damaged.db').absolute()}: tiny-0.db as it was")
    assert said[1] == "tiny-0.db: 3 games, all as they were written; sizeup run plays the rest"
    assert run("run", "tiny.toml", "--max-games", 4).returncode == 0
    assert run("verify", "tiny-0.db").returncode == 0


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
@pytest.mark.parametrize("is_pipe", [True, False])
def test_rows_go_to_standard_output(folder, executor, name, is_pipe):
    run("run", "tiny.toml", "--max-games", 4)
    run("export", "tiny-0.db", "--csv", "rows.csv")
    command = [Path(sys.executable).with_name("sizeup"), "export", "tiny-0.db", "--csv", name]
    with Path("out.csv").open("w") as file:
        done = subprocess.run(
            command, stdout=subprocess.PIPE if is_pipe else file, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr) == (0, f"wrote {name}: 4 games\n")
    written = done.stdout if is_pipe else Path("out.csv").read_text()
    assert written == Path("rows.csv").read_text()
    assert not Path("-").exists()


def test_parquet_goes_through_a_pipe(folder, executor):
    run("run", "tiny.toml", "--max-games", 4)
    run("export", "tiny-0.db", "--parquet", "rows.parquet")
    command = [Path(sys.executable).with_name("sizeup"), "export", "tiny-0.db", "--parquet", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout == Path("rows.parquet").read_bytes()


@pytest.mark.parametrize("points", [2, 100])
def test_a_run_and_its_report_agree_on_what_is_decided(folder, executor, points):
    done = run("run", "tiny.toml", "--until-decided", "--smaller-than", points, "--blocks", 8)
    last = done.stderr.splitlines()[-1]
    decided = last.startswith("decided: ")
    assert decided == ("Not decided yet" not in done.stdout)
    assert decided == (points == 100)
    later = run("report", "tiny-0.db", "--smaller-than", points)
    assert later.stdout.splitlines()[:8] == done.stdout.splitlines()[:8]


def test_a_backup_comes_back_over_a_store_in_the_middle_of_a_run(folder, executor):
    run("run", "tiny.toml", "--max-games", 4)
    done = run("backup", "tiny-0.db", "copy.db")
    assert (done.stdout, done.returncode) == ("wrote copy.db: 4 games\n", 0)
    again = run("backup", "tiny-0.db", "copy.db")
    assert again.stderr == "sizeup: copy.db already exists: name another file for the backup\n"
    run("run", "tiny.toml", "--max-games", 8)
    with Store.open("tiny-0.db", plan(read_experiment("tiny.toml")).origin) as store:
        store.add(
            [
                Played(
                    plan(read_experiment("tiny.toml"))[8],
                    tiny.outcomes(plan(read_experiment("tiny.toml"))[8]),
                    1.0,
                    "here",
                    1,
                    "today",
                )
            ]
        )
        log = Path("tiny-0.db-wal").read_bytes()
    Path("tiny-0.db").write_bytes(Path("copy.db").read_bytes())
    Path("tiny-0.db-wal").write_bytes(log)  # as a killed driver leaves it
    looked = run("status", "tiny-0.db")
    assert looked.stdout.startswith("tiny: 4 of 16 games in tiny-0.db")
    assert looked.stderr == "sizeup: tiny-0.db-wal: the log of another file, ignored\n"
    resumed = run("run", "tiny.toml").stderr.splitlines()
    assert resumed[0].endswith("tiny-0-set-aside.db-log: the log of another file, set aside")
    assert len(games("tiny-0.db")) == 16


def test_plan_lists_the_experiments_that_come_with_sizeup(folder):
    listed = run("plan").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(shipped())
    assert "960  games  Checkers: an aware team against an oblivious one" in run("plan").stdout


def test_run_goes_on_where_it_ended(folder, executor):
    assert run("run", "tiny.toml", "--max-games", 4, "--store", "s.db").returncode == 0
    assert (executor.submitted, len(games("s.db"))) == (4, 4)
    longer = run("run", "tiny.toml", "--store", "s.db", "--blocks", 3)
    assert (executor.submitted, len(games("s.db"))) == (24, 24)
    assert longer.stderr.splitlines()[1].startswith("4 of 24 games; ")
    again = run("run", "tiny.toml", "--store", "s.db", "--runs", 3)
    assert (again.returncode, executor.submitted) == (0, 24)


def test_a_changed_file_does_not_go_on_unless_told(folder, executor):
    run("run", "tiny.toml")
    tiny.written(folder, ("iterations = 4", "iterations = 5"))
    refused = run("run", "tiny.toml")
    assert refused.returncode == 2
    assert "search.iterations: 4 -> 5" in refused.stderr
    assert len(games("tiny-0.db")) == 16
    assert run("run", "tiny.toml", "--allow-changes").returncode == 0
    assert len(games("tiny-0.db")) == 32


def pretend(winner):
    """Every game is won by the same arm, without being played."""
    from sizeup.experiments.job import Outcome

    def play(job):
        score = 1 if job.cell == winner else -1
        return (Outcome(score, float(score), "made up", 1, (float(score),), ("a",), {}, {}),)

    return play


def test_run_until_decided_stops_by_itself(folder, executor):
    executor.play = pretend("aware")
    done = run("run", "tiny.toml", "--until-decided")
    assert done.returncode == 0
    assert done.stderr.startswith("tiny: at most 100,000 games, ")
    said = " ".join(done.stdout.split())
    assert "oblivious: +200.0 points" in said
    assert "Decided after 64 games: aware scores higher than oblivious." in said
    assert done.stderr.splitlines()[-1].startswith("decided: aware - oblivious: above 0")
    assert 8 < executor.submitted < 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["run", "wall-of-ice"],
            "there is no experiment 'wall-of-ice'; did you mean 'wall-of-fire'?",
        ),
        (["run", "missing.toml"], "cannot read missing.toml: No such file or directory"),
        (
            ["run", "tiny.toml", "--blocks", "0"],
            "blocks are a whole number from 1 to 1,000,000, got 0",
        ),
        (["run", "tiny.toml", "--seed", "-1"], "a seed is a whole number of 0 or more, got -1"),
        (["run", "tiny.toml", "--workers", "0"], "workers must be a whole number of 1 or more"),
        (["run", "tiny.toml", "--limit", "-1"], "the time limit must be above 0"),
        (["run", "tiny.toml", "--memory", "0.1"], "--memory must be 0.5 GB or more, or 0 for"),
        (["run", "tiny.toml", "--smaller-than", "0"], "--smaller-than must be above 0"),
        (
            ["run", "tiny.toml", "--max-games", "3"],
            "--max-games 3 is less than the first seed block: give 4 or more",
        ),
        (["run", "tiny.toml", "--max-games", "0"], "--max-games 0 is less than the first seed"),
        (
            ["run", "wall-of-fire", "--until-decided", "--smaller-than", "5000"],
            "--smaller-than must be above 0 and at most 1020 of reward",
        ),
        (
            ["run", "wall-of-fire", "--until-decided", "--arm", "aware"],
            "wall-of-fire compares nothing, so there is nothing to decide",
        ),
        (["run", "tiny.toml", "--store", "."], ". is a folder: name a file for the store"),
        (["plan", "tunnel"], "there is no experiment 'tunnel'"),
        (["plan", "tiny.toml", "--store", "missing.db"], "there is no store missing.db"),
        (["status", "missing.db"], "there is no store missing.db"),
        (["report", "tiny.toml"], "tiny.toml: it is not a store of games"),
        (["export", "missing.db"], "say what to write: --csv, --parquet, --pdn or --records"),
        (["export", "missing.db", "--csv", "x.csv"], "there is no store missing.db"),
        (["report", "missing.db", "--html", "x.pdf"], "--html writes a file that ends in .html or"),
        (["report", "missing.db", "--markdown", "x.html"], "--markdown writes a file that ends in"),
        (["report", "missing.db", "--latex", "x.md"], "--latex writes a file that ends in .tex or"),
        (["report", "missing.db", "--csv", "x.tex"], "--csv writes a file that ends in .csv, got"),
        (["export", "missing.db", "--csv", "x.parquet"], "--csv writes a file that ends in .csv"),
        (["export", "missing.db", "--parquet", "x.csv"], "--parquet writes a file that ends in"),
        (["export", "missing.db", "--pdn", "x.json"], "--pdn writes a file that ends in .pdn, got"),
        (["export", "missing.db", "--csv", "x.csv", "--beliefs"], "--beliefs only works together"),
        (
            ["export", "missing.db", "--csv", "x.csv", "--most", "3"],
            "--most only works with --pdn and",
        ),
        (
            ["export", "missing.db", "--pdn", "x.pdn", "--most", "0"],
            "--most must be 1 or more, got 0",
        ),
        (["merge", "new.db", "missing.parquet"], "cannot read missing.parquet"),
        (["merge", "new.db", "tiny.toml"], "tiny.toml is neither a store nor Parquet"),
        (["verify", "missing.db"], "there is no store missing.db"),
        (["run", "tiny.toml", "--limit", "inf"], "the time limit must be above 0 and at"),
        (
            ["run", "tiny.toml", "--blocks", "9" * 20],
            "blocks are a whole number from 1 to 1,000,000",
        ),
        (["plan", "tiny.toml", "--blocks", "1000001"], "blocks are a whole number from 1 to"),
        (["run", "tiny.toml", "--store", "/dev/null"], "/dev/null is not a regular file"),
        (["replay", "missing.db", "abc"], "there is no store missing.db"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(folder, arguments, message):
    before = set(folder.iterdir())
    failed = run(*arguments)
    assert failed.returncode == 2
    assert failed.stderr.startswith(f"sizeup: {message}")
    assert len(failed.stderr.splitlines()) == 1
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("types =", "tpyes ="), "line 7: tpyes: unknown; did you mean 'types'?"),
        (("ca:2+obl:1", "ca:5+obl:1"), "arms.aware.team: depth 5 is not among types = [1, 2]"),
        (("blocks = 2", "games = 6"), "games: 6 games are not whole blocks of 4"),
        (("blocks = 2", "blocks = "), "line 9"),
        (
            ("iterations = 4", "max_nodes = 1"),
            "line 12: search.max_nodes must be a whole number of 2 or more, got 1",
        ),
        (
            ('team = "ca:2+obl:1"', 'team = "ca:2+obl:1"\nsearch = { rollouts = 0 }'),
            ": arms.aware.search.rollouts must be a whole number of 1 or more, got 0",
        ),
    ],
)
def test_a_bad_file_is_one_line_and_nothing_is_written(folder, change, message):
    tiny.written(folder, change)
    before = set(folder.iterdir())
    for verb in ("run", "plan"):
        failed = run(verb, "tiny.toml")
        assert failed.returncode == 2
        assert failed.stderr.startswith("sizeup: tiny.toml: line ")
        assert message in failed.stderr
        assert len(failed.stderr.splitlines()) == 1
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "tiny.toml", "--store", "LONG"),
        ("status", "LONG"),
        ("replay", "LONG", "5eed"),
        ("merge", "LONG", "tiny-0.db"),
        ("report", "tiny-0.db", "--html", "LONG"),
        ("export", "tiny-0.db", "--csv", "LONG"),
    ],
)
def test_names_that_are_too_long_are_one_line(folder, executor, arguments):
    run("run", "tiny.toml", "--max-games", 8)
    failed = run(*(word.replace("LONG", "a" * 300) for word in arguments))
    assert failed.returncode == 2
    assert "File name too long" in failed.stderr.splitlines()[-1]
    assert "Traceback" not in failed.stderr


def test_a_report_names_the_file_and_not_the_experiment(folder, executor):
    tiny.written(folder, name="mine.toml")
    (folder / "tiny.toml").unlink()
    assert "sizeup run mine.toml --store tiny-0.db" in run("run", "mine.toml").stdout
    assert "sizeup run mine.toml --store tiny-0.db" in run("report", "tiny-0.db").stdout


def test_a_byte_order_mark_is_no_error(folder):
    file = folder / "tiny.toml"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert run("plan", "tiny.toml").returncode == 0


def test_a_game_that_cannot_be_loaded_is_one_line(folder):
    (folder / "own.py").write_text("raise RuntimeError('one\\ntwo')")
    tiny.written(folder, ('"checkers"', '"own.py"'))
    failed = run("plan", "tiny.toml")
    assert failed.returncode == 2
    assert failed.stderr.endswith("RuntimeError: one two\n")


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000])
def test_a_file_that_cannot_be_taken_in_is_said_and_stops_no_other(folder, executor, value):
    run("run", "tiny.toml")
    tiny.written(folder, ("blocks = 2", f"blocks = {value}"), name="odd.toml")
    failed = run("plan", "odd.toml")
    assert failed.returncode == 2
    problem = "a number is too long, or a list is nested too deeply"
    assert failed.stderr == f"sizeup: odd.toml: {problem}\n"
    assert run("status", "tiny-0.db").returncode == 0


@pytest.mark.parametrize("name", [":memory:", "file:games.db", "file:x.db?mode=memory"])
def test_a_store_is_a_file_whatever_it_is_called(folder, executor, name):
    assert run("run", "tiny.toml", "--store", name).returncode == 0
    assert len(games(folder / name)) == 16
    assert run("status", name).stdout.startswith("tiny: 16 of 16 games")


def test_what_is_written_never_takes_the_place_of_games_or_of_what_is_no_file(folder, executor):
    run("run", "tiny.toml", "--store", "games.csv")
    refused = run("export", "games.csv", "--csv", "games.csv")
    assert refused.returncode == 2
    assert "cannot write games.csv: it is a store of games" in refused.stderr
    assert len(games("games.csv")) == 16
    Path("kept.csv").write_text("old")
    Path("link.csv").symlink_to("kept.csv")
    assert run("export", "games.csv", "--csv", "link.csv").returncode == 0
    assert Path("link.csv").is_symlink()
    assert Path("kept.csv").read_text().startswith("experiment,")
    os.mkfifo("pipe.csv")
    with subprocess.Popen(["cat", "pipe.csv"], stdout=subprocess.PIPE, text=True) as reader:
        assert run("export", "games.csv", "--csv", "pipe.csv").returncode == 0
        assert reader.communicate()[0].startswith("experiment,")
    assert Path("pipe.csv").is_fifo()
    for nowhere in (".", ""):
        refused = run("export", "games.csv", "--csv", nowhere)
        assert (refused.returncode, "it is a folder" in refused.stderr) == (2, True)
    twice = run("report", "games.csv", "--markdown", "x", "--latex", "x")
    assert (twice.returncode, "x is given twice" in twice.stderr) == (2, True)


def test_status_of_another_experiment_is_refused(folder, executor):
    run("run", "tiny.toml")
    refused = run("status", "tiny-0.db", "--experiment", "wall-of-fire")
    assert refused.returncode == 2
    assert "tiny-0.db holds games of tiny, not of wall-of-fire" in refused.stderr


def test_output_that_cannot_be_written_is_one_line(folder, executor):
    run("run", "tiny.toml")
    command = [sys.executable, "-m", "sizeup", "status", "tiny-0.db"]
    with Path("/dev/full").open("w") as full:
        told = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert told.returncode == 2
    assert told.stderr == "sizeup: cannot write the output: No space left on device\n"


def test_games_in_quarantine_are_named(folder, executor):
    executor.failing = (2, 5)
    done = run("run", "tiny.toml")
    assert done.returncode == 1
    named = plan(read_experiment("tiny.toml"))
    lines = [
        f"sizeup: in quarantine: {named[i].job_id} ({named[i].cell}): ValueError: no luck"
        for i in (2, 5)
    ]
    assert done.stderr.splitlines()[-2:] == lines
    assert "14 of 16 games played, 2 in quarantine" in done.stdout
    seen = run("status", "tiny-0.db")
    assert (seen.returncode, seen.stderr.splitlines()) == (1, lines)
    assert "failed attempts: 8, in quarantine: 2" in seen.stdout
    executor.failing = ()
    assert run("run", "tiny.toml").returncode == 0
    assert run("status", "tiny-0.db").returncode == 0


def test_plan_shows_what_would_be_played(folder, executor):
    shown = run("plan", "tiny.toml", "--blocks", 3, "--first", 1)
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert lines[0] == "Short games"
    assert "24 games of checkers: 2 cells, 3 seed blocks each" in lines
    one = run("plan", "tiny.toml", "--blocks", 1)
    assert "8 games of checkers: 2 cells, 1 seed block each" in one.stdout.splitlines()
    assert "balanced within a block: sides, team" in lines
    assert "time: not known until some games are played" in lines
    assert "oblivious  obl:2+obl:1     obl:1                  4" in lines
    assert lines[-1].startswith(plan(read_experiment("tiny.toml"))[0].game_id())
    assert list(folder.iterdir()) == [folder / "tiny.toml"]

    run("run", "tiny.toml", "--max-games", 8)
    timed = run("plan", "tiny.toml", "--first", 0).stdout
    assert "judging by the games played" in timed
    assert "first games" not in timed


@pytest.mark.parametrize("name", shipped())
def test_no_two_cells_of_a_plan_look_the_same(folder, name):
    """Whatever they are called: what is played in them must be seen."""
    cells = json.loads(run("plan", name, "--json").stdout)["cells"]
    assert all(len(cell.pop("cell")) > 1 for cell in cells)
    assert len({json.dumps(cell) for cell in cells}) == len(cells)
    lines = run("plan", name, "--first", 0).stdout.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("cell "))
    told = [line[lines[head].index("team") :] for line in lines[head + 1 :]]
    assert len(set(told)) == len(told) == len(cells)


def test_settings_that_all_cells_share_are_not_shown(folder):
    tiny.written(folder, ("[arms.oblivious]", "agents = { forget = 0.5 }\n[arms.oblivious]"))
    shown = run("plan", "tiny.toml").stdout
    assert "aware      ca:2@1,2+obl:1  agents.forget = 0.5  obl:1 " in shown
    assert "iterations" not in shown
    assert "settings" not in run("plan", "wall-of-fire").stdout


def test_plan_as_data(folder):
    tiny.written(folder, ("rounds = 1", "rounds = 3"))
    data = json.loads(run("plan", "tiny.toml", "--json", "--seed", 4).stdout)
    job = plan(read_experiment("tiny.toml"), seed=4)[0]
    assert (data["games"], data["blocks"], data["rounds"], data["seed"]) == (48, 2, 3, 4)
    assert data["core_seconds"] is None
    assert data["cells"][0]["games_a_block"] == 12
    assert data["first"][0] == {
        "job_id": job.job_id, "cell": "aware", "block": 0, "slot": 0, "seed": job.seed,
        "config": job.config,
    }  # fmt: skip
    assert "series of 3 games each" in run("plan", "tiny.toml").stdout
    assert json.loads(run("plan", "wall-of-fire", "--json").stdout)["cells"][0]["against"] is None
    assert "balanced within a block: nothing" in run("plan", "wall-of-fire").stdout


def test_status_shows_wins_and_origins(folder, executor):
    run("run", "tiny.toml", "--max-games", 4, "--seed", 3)
    lines = run("status", "tiny-3.db").stdout.splitlines()
    assert lines[0] == "tiny: 4 of 16 games in tiny-3.db"
    assert lines[2].split() == ["arm", "games", "won", "drawn", "lost", "score"]
    assert lines[3].split()[:2] == ["aware", "4"]
    origin = plan(read_experiment("tiny.toml"), seed=3).origin
    assert lines[-1].startswith(
        f"seed 3: 4 games, configuration {origin.config_fingerprint}, code "
        f"{origin.code_fingerprint} (numba "
    )
    (folder / "tiny.toml").rename(folder / "elsewhere.txt")
    assert run("status", "tiny-3.db").stdout.startswith("tiny: 4 games in tiny-3.db")
    told = run("status", "tiny-3.db", "--experiment", "tiny.toml")
    assert (told.returncode, "cannot read tiny.toml" in told.stderr) == (2, True)


def test_status_of_a_store_that_was_only_begun(folder):
    Store.open("new.db", plan(read_experiment("tiny.toml")).origin).close()
    lines = run("status", "new.db").stdout.splitlines()
    assert lines[:2] == ["tiny: 0 of 16 games in new.db", "failed attempts: 0, in quarantine: 0"]
    with closing(sqlite3.connect("new.db")) as database, database:  # as after a disk that was full
        database.execute("DELETE FROM origins")
    assert run("status", "new.db").stdout.startswith("nothing yet: 0 games in new.db")


def test_report_prints_and_writes(folder, executor):
    run("run", "tiny.toml")
    shown = run("report", "tiny-0.db")
    assert shown.stdout.startswith("Short games\n")
    kinds = ("html", "markdown", "latex", "csv")
    options = [word for kind in kinds for word in (f"--{kind}", f"out.{kind}")]
    wrote = run("report", "tiny-0.db", *options)
    assert wrote.stdout.splitlines() == [f"wrote out.{kind}" for kind in kinds]
    assert Path("out.html").read_text().startswith("<!doctype html>")
    assert "\\begin{tabular}" in Path("out.latex").read_text()
    assert Path("out.csv").read_text().startswith("experiment,")
    failed = run("report", "tiny-0.db", "--html", "nowhere/x.html")
    assert (failed.returncode, "cannot write nowhere/x.html" in failed.stderr) == (2, True)


def test_rows_travel_and_are_verified(folder, executor):
    run("run", "tiny.toml", "--max-games", 8)
    wrote = run("export", "tiny-0.db", "--parquet", "rows.parquet", "--csv", "rows.csv",
                "--pdn", "games.pdn")  # fmt: skip
    left_out = ", without moves and rewards, beliefs to three digits"
    assert wrote.stdout.splitlines() == [
        "wrote rows.csv: 8 games",
        f"wrote rows.parquet: 8 games{left_out}",
        "wrote games.pdn: 8 games",
    ]
    run("run", "tiny.toml", "--store", "other.db")
    merged = run("merge", "other.db", "rows.parquet", "tiny-0.db")
    assert merged.stdout == "other.db: 0 new games, 16 were already there\n"
    assert run("merge", "new.db", "rows.parquet").stdout.startswith("new.db: 8 new games")
    shown = run("verify", "new.db", "--games", 3)
    assert shown.stdout == (
        "new.db: replayed 3 games, all match (3 are stored without moves, so theirs were not "
        "compared)\n"
    )
    assert shown.stderr.splitlines()[-1] == "3 of 3 games replayed"
    verified = run("verify", "other.db", "--games", 99, "--seed", 1)
    assert verified.stdout == "other.db: replayed 16 games, all match\n"
    assert verified.stderr.splitlines()[-1] == "16 of 16 games replayed"


def test_the_form_of_rows_can_be_chosen(folder, executor):
    run("run", "tiny.toml", "--max-games", 4)
    wrote = run("export", "tiny-0.db", "--csv", "c.csv", "--parquet", "c.parquet", "--compact")
    assert [line.endswith("three digits") for line in wrote.stdout.splitlines()] == [True, True]
    wrote = run("export", "tiny-0.db", "--csv", "f.csv", "--parquet", "f.parquet", "--full")
    assert [line.endswith("4 games") for line in wrote.stdout.splitlines()] == [True, True]
    assert run("merge", "new.db", "f.parquet").returncode == 0
    with Store.read("new.db") as new, Store.read("tiny-0.db") as old:
        assert new.digest() == old.digest()
    records = run("export", "tiny-0.db", "--records", "records")
    assert records.stdout == "wrote 4 records to records\n"
    name = f"{games('tiny-0.db')[0]}.json"
    assert run("replay", f"records/{name}", "--delay", 0).returncode == 0


def test_games_without_moves_are_played_again_for_full_rows(folder, executor):
    run("run", "tiny.toml", "--max-games", 8)
    run("export", "tiny-0.db", "--parquet", "compact.parquet", "--csv", "whole.csv")
    run("merge", "bare.db", "compact.parquet")
    wrote = run("export", "bare.db", "--parquet", "full.parquet", "--full", "--csv", "again.csv")
    assert wrote.stdout == "wrote again.csv: 8 games\nwrote full.parquet: 8 games\n"
    told = wrote.stderr.splitlines()
    assert told[0] == (
        "8 games are stored without moves in bare.db: replaying them for again.csv; use "
        "--compact to avoid this"
    )
    assert told.count("8 of 8 games replayed") == 2  # once for each file
    run("merge", "whole.db", "full.parquet")
    with Store.read("whole.db") as new, Store.read("tiny-0.db") as old:
        assert new.digest() == old.digest()
    assert run("export", "bare.db", "--csv", "x.csv", "--compact").stderr == ""
    assert run("export", "tiny-0.db", "--csv", "x.csv", "--full").stderr == ""


def test_games_and_records_can_be_few_and_tell_beliefs(folder, executor):
    run("run", "tiny.toml", "--max-games", 4)
    wrote = run("export", "tiny-0.db", "--pdn", "told.pdn", "--beliefs", "--records", "records",
                "--most", 3)  # fmt: skip
    assert wrote.stdout == "wrote told.pdn: 3 games\nwrote 3 records to records\n"
    assert wrote.stderr.splitlines()[-1] == "3 of 3 games replayed"
    assert "seat 1 on seat 2: 1 " in " ".join(Path("told.pdn").read_text().split())
    assert len(list(Path("records").iterdir())) == 3
    plain = run("export", "tiny-0.db", "--pdn", "plain.pdn", "--most", 99)
    assert (plain.stdout, plain.stderr) == ("wrote plain.pdn: 4 games\n", "")
    assert "{seat 0}" in Path("plain.pdn").read_text()
    run("export", "tiny-0.db", "--parquet", "compact.parquet")
    run("merge", "bare.db", "compact.parquet")
    bare = run("export", "bare.db", "--pdn", "bare.pdn", "--most", 2)
    assert bare.stderr.splitlines()[-1] == "2 of 2 games replayed"


@pytest.mark.parametrize(
    "kind", [["--csv", "x.csv"], ["--parquet", "x.parquet", "--full"], ["--records", "records"]]
)
def test_ctrl_c_while_games_are_played_again(folder, executor, monkeypatch, kind):
    run("run", "tiny.toml", "--max-games", 4)
    run("export", "tiny-0.db", "--parquet", "compact.parquet")
    run("merge", "bare.db", "compact.parquet")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("sizeup.experiments.stored.play_job", interrupted)
    monkeypatch.setattr("sizeup.experiments.stored.record_of", interrupted)
    before = set(folder.iterdir())
    stopped = run("export", "bare.db", *kind)
    assert (stopped.returncode, stopped.stdout) == (130, "")
    assert stopped.stderr.splitlines()[-1].startswith("sizeup: stopped: no unfinished file is left")
    assert {path for path in folder.iterdir() if path.is_file()} == before


def test_what_the_file_asks_for_in_vain_is_named_as_in_the_file(folder):
    tiny.written(folder, ("iterations = 4", "max_nodes = 8"))
    failed = run("run", "tiny.toml", "--max-games", 4, "--workers", 1)
    assert failed.returncode == 1
    assert "search.max_nodes must be above the 256 actions" in failed.stderr.splitlines()[-1]
    assert "SearchOptions" not in failed.stderr + failed.stdout
    assert "SearchOptions" not in run("status", "tiny-0.db").stderr


def test_a_game_that_differs_is_named(folder, executor):
    run("run", "tiny.toml", "--max-games", 4)
    named = plan(read_experiment("tiny.toml"))
    with Store.open("bad.db", named.origin) as store:
        for job in named[:2]:
            store.add([Played(job, pretend("aware")(job), 1.0, "here", 1, "now")])
    failed = run("verify", "bad.db")
    assert failed.returncode == 1
    assert failed.stdout == ""
    told = [line for line in failed.stderr.splitlines() if line.startswith("sizeup")]
    assert len(told) == 2
    assert f"sizeup: game {named[0].game_id()} differs: " in failed.stderr
    assert "the code has changed" not in failed.stderr


def test_other_code_is_mentioned_when_games_differ(folder, monkeypatch):
    named = plan(read_experiment("tiny.toml"))
    with Store.open("bad.db", named.origin) as store:
        store.add([Played(named[0], pretend("aware")(named[0]), 1.0, "here", 1, "now")])
    monkeypatch.setattr("sizeup.experiments.stored.code_changes", lambda store: ["search"])
    failed = run("verify", "bad.db")
    assert failed.stderr.splitlines()[-1] == "sizeup: the code has changed since: search"


def test_a_broken_file_is_not_verified(folder, executor, monkeypatch):
    run("run", "tiny.toml", "--max-games", 4)
    problems = ["*** in database main ***\nPage 3 is torn", *(f"row {n} is lost" for n in "12345")]
    monkeypatch.setattr(Store, "integrity", lambda store: problems)
    failed = run("verify", "tiny-0.db")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == (
        "sizeup: tiny-0.db: *** in database main ***; Page 3 is torn; row 1 is lost; row 2 is lost "
        "and 3 more\n"
    )


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
def test_a_damaged_store_is_named_once(folder, executor, share):
    run("run", "tiny.toml")
    content = bytearray(Path("tiny-0.db").read_bytes())
    middle = int(len(content) * share)
    content[middle : middle + 8192] = b"\xff" * 8192  # a whole page at least
    Path("tiny-0.db").write_bytes(content[: len(content) // 4096 * 4096])
    failed = run("verify", "tiny-0.db")
    assert failed.returncode == 1
    assert (failed.stdout, failed.stderr.count("tiny-0.db")) == ("", 1)
    assert len(failed.stderr.splitlines()) == 1


def test_who_only_reads_leaves_no_file(folder, executor):
    run("run", "tiny.toml")
    before = set(folder.iterdir())
    for verb in (["status"], ["report"], ["verify", "--games", 1], ["export", "--csv", "x.csv"]):
        assert run(verb[0], "tiny-0.db", *verb[1:]).returncode == 0
    game = games("tiny-0.db")[0]
    assert run("replay", "tiny-0.db", game, "--delay", 0).returncode == 0
    assert set(folder.iterdir()) == before | {folder / "x.csv"}


def test_a_stored_game_is_watched_again(folder, executor):
    run("run", "tiny.toml", "--max-games", 4)
    name = games("tiny-0.db")[1]
    shown = run("replay", "tiny-0.db", name[:8], "--delay", 0, "--save", "game.pdn")
    assert shown.returncode == 0
    assert "14 plies played" in shown.stdout
    assert shown.stdout.splitlines()[-1] == "wrote game.pdn"
    for arguments, message in (
        (["tiny-0.db"], "tiny-0.db has 4 games: give the ID of one, such as"),
        (["tiny-0.db", "zz"], "tiny-0.db has no game 'zz'; expected one such as"),
        (["tiny.toml", name], "tiny.toml: it is not a store of games"),
    ):
        failed = run("replay", *arguments)
        assert (failed.returncode, failed.stderr.startswith(f"sizeup: {message}")) == (2, True)


def test_the_table_of_a_toy(folder, executor):
    shown = run("run", "wall-of-fire", "--runs", 1)
    assert shown.returncode == 0
    assert "Our median matches the published one for 4 of 4 teams." in shown.stdout
    assert shown.stdout.splitlines()[-5:] == [
        "Most frequent rewards (games)",
        "novice + novice            0 (1)",
        "expert + expert            1,490 (1)",
        "oblivious expert + novice  −20 (1)",
        "aware expert + novice      −2 (1)",
    ]
    seen = run("status", "wall-of-fire-0.db").stdout.splitlines()
    assert seen[2].split() == ["arm", "games", "most", "frequent", "rewards", "(games)"]
    assert seen[-3].split() == ["aware", "1", "−2", "(1)"]


@pytest.mark.parametrize(
    ("verb", "broken", "line"),
    [
        (["run", "tiny.toml"], "sizeup.experiments.driver.run", "all finished games are saved"),
        (["merge", "new.db", "tiny-0.db"], "sizeup.experiments.merge.merge", "nothing was merged"),
        (
            ["export", "tiny-0.db", "--csv", "x"],
            "sizeup.experiments.export.to_csv",
            "no unfinished file",
        ),
        (["status", "tiny-0.db"], "sizeup.experiments.status.status", "nothing was changed"),
    ],
)
def test_ctrl_c_is_one_line_and_130(folder, executor, monkeypatch, verb, broken, line):
    run("run", "tiny.toml", "--max-games", 4)

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(broken, interrupted)
    stopped = run(*verb)
    assert stopped.returncode == 130
    assert stopped.stderr.splitlines()[-1].startswith(f"sizeup: stopped: {line}")


def test_the_command_to_go_on_has_what_was_said():
    options = {
        "--store": Path("my games.db"),
        "--blocks": 3,
        "--limit": None,
        "--x": True,
        "--y": False,
    }
    assert _command("tiny.toml", options) == (
        "sizeup run tiny.toml --store 'my games.db' --blocks 3 --x"
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_between_games_says_how_many_are_kept(folder, executor, number, code):
    def play(job):
        if job.index == 5:
            signal.raise_signal(number)
        return tiny.outcomes(job)

    executor.play = play
    stopped = run("run", "tiny.toml", "--seed", 2)
    assert (stopped.returncode, stopped.stdout) == (code, "")
    kept = len(games("tiny-2.db"))
    assert 0 < kept < 16
    assert stopped.stderr.splitlines()[-1] == (
        f"sizeup: stopped: {kept} of 16 games are saved; resume with: sizeup run tiny.toml --seed 2"
    )
    executor.play = None
    assert run("run", "tiny.toml", "--seed", 2).returncode == 0
    assert len(games("tiny-2.db")) == 16


def wait_for_games(path, process):
    """Wait until a run has games in its store."""
    while process.poll() is None:
        with suppress(StoreError), Store.read(path) as store:  # it may not be there yet, or empty
            if len(store.done_jobs()) >= 3:
                return
        time.sleep(0.05)


def test_ctrl_c_on_a_real_run_and_on_with_it(folder):
    command = [Path(sys.executable).with_name("sizeup"), "run", "tiny.toml", "--workers", "1",
               "--blocks", "5000", "--store", "s.db"]  # fmt: skip
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as job:
        wait_for_games(folder / "s.db", job)
        job.send_signal(signal.SIGINT)
        said, told = job.communicate()
    assert (job.returncode, said) == (130, "")
    last = told.splitlines()[-1]
    kept = games("s.db")
    assert last == (
        f"sizeup: stopped: {len(kept)} of 40,000 games are saved; resume with: "
        "sizeup run tiny.toml --store s.db --workers 1 --blocks 5000"
    )
    assert "Traceback" not in told

    room = 8 * (len(kept) // 8 + 1)
    assert run("run", "tiny.toml", "--workers", 1, "--store", "s.db", "--blocks", 5000,
               "--max-games", room).returncode == 0  # fmt: skip
    assert set(kept) <= set(games("s.db"))
    assert run("verify", "s.db", "--games", 5).returncode == 0


@pytest.mark.parametrize("pause", [0.0, 0.05, 0.3])
def test_impatient_ctrl_c_leaves_no_traceback(folder, pause):
    command = [Path(sys.executable).with_name("sizeup"), "run", "tiny.toml", "--workers", "1",
               "--blocks", "5000", "--store", "s.db"]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as job:
        wait_for_games(folder / "s.db", job)
        for _ in range(6):
            job.send_signal(signal.SIGINT)
            time.sleep(pause)  # the pace of whoever presses it, not a wait for something
        _, told = job.communicate()
    assert job.returncode in (130, -signal.SIGINT)  # which is what shells make of the second
    assert "Traceback" not in told
    assert "Exception" not in told
    with Store.read("s.db") as store:
        assert len(store.done_jobs()) >= 3


def test_a_game_that_never_works_does_not_go_through_the_whole_plan(folder, executor):
    executor.failing = range(800)
    ended = run("run", "tiny.toml", "--blocks", 100)
    assert ended.returncode == 1
    first, *named = ended.stderr.splitlines()[-9:]
    assert first == "sizeup: stopped: the first 8 jobs all failed"
    assert all(line.startswith("sizeup: in quarantine: ") for line in named)
    assert executor.submitted < 60
    executor.failing = ()
    assert run("run", "tiny.toml").returncode == 0


def test_a_real_run_is_the_same_as_one_in_this_process(folder, monkeypatch):
    short = ["run", "tiny.toml", "--max-games", 8]
    assert run(*short, "--workers", 2, "--store", "two.db").returncode == 0
    monkeypatch.setattr("sizeup.experiments.executors.open_executor", lambda *_: tiny.AtOnce())
    assert run(*short, "--store", "here.db").returncode == 0
    with Store.read("here.db") as one, Store.read("two.db") as two:
        assert one.digest() == two.digest()


MATES = """
name = "mates"
title = "Everybody with everybody"
question = "Who gets on with whom?"
game = "harvest"
types = [1, 2]
blocks = 2
balance = ["team"]
search = { iterations = 8, rollouts = 1 }
[teammates]
version = 1
size = 3
agents = ["obl:2", "obl:1", "random"]
"""


def test_crossplay_plays_everybody_with_everybody(folder, executor):
    (folder / "mates.toml").write_text(MATES)
    files = ["--html", "mates.html", "--csv", "mates.csv", "--rliable", "mates.npz"]
    done = run("crossplay", "mates.toml", *files)
    assert done.returncode == 0, done.stderr
    assert "Agents with the teammates of mates, version 1" in done.stdout
    assert "Everybody with everybody" in done.stdout
    assert done.stdout.splitlines()[-3:] == [
        "wrote mates.html",
        "wrote mates.csv",
        "wrote mates.npz",
    ]
    played = len(games("mates-0.db"))
    again = run("crossplay", "mates.toml")
    assert (again.returncode, len(games("mates-0.db"))) == (0, played)
    assert "crossplay" in Path("mates.csv").read_text()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["tiny.toml"], "tiny.toml is not a set of teammates; expected a table [teammates] with"),
        (["mates.toml", "--csv", "no/x.csv"], "cannot write no/x.csv: there is no folder no"),
        (["mates.toml", "--rliable", "x.csv"], "--rliable writes a file that ends in .npz, got"),
        (["nowhere.toml"], "cannot read nowhere.toml"),
    ],
)
def test_crossplay_of_what_is_no_set_is_one_line(folder, words, problem):
    (folder / "mates.toml").write_text(MATES)
    failed = run("crossplay", *words)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr.startswith(f"sizeup: {problem}")
    assert len(failed.stderr.splitlines()) == 1


def test_an_experiment_of_one_team_is_run_until_it_is_decided(folder, executor):
    """From TOML to the answer: what cannot be told is said, and how many games it would take."""
    (folder / "own.toml").write_text(
        MATES[: MATES.index("[teammates]")].replace('"mates"', '"own"')
        + 'comparisons = ["plans - guesses"]\nmargin = 15\n'
        + '[arms.plans]\nteam = "obl:2+obl:2+obl:2"\n[arms.guesses]\nteam = "random+random+random"'
    )
    done = run("run", "own.toml", "--until-decided")
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1].startswith("decided: plans - guesses: ")
    assert "A match can pay 0 to 32, as the exact planner found" in done.stdout
    assert "Most frequent rewards (games)" in done.stdout
