"""Results: from a real small store, also while somebody writes it."""

import json
from dataclasses import replace

import pytest

from sizeup.experiments.job import Outcome
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Played, Store
from sizeup.report import summarise
from sizeup.web.offers import Offers
from sizeup.web.results import NotThere, Results, comparison_data, table_data
from tests.experiments import tiny
from tests.report.made_up import finished
from tests.web.clients import OURS, running


@pytest.fixture
def planned(tmp_path):
    return tiny.planned(tmp_path)


@pytest.fixture
def store(tmp_path, planned):
    return tiny.filled(tmp_path / "tiny.db", planned)


@pytest.fixture
def visitor(static, store):
    with running(static, store=store) as server, server.visitor() as somebody:
        yield somebody


def test_a_store_s_experiment_is_listed_and_shown(visitor, planned, store):
    (line,) = visitor.get("/api/results")["experiments"]
    games = planned.games
    assert line == {
        "name": "tiny", "title": "Short games", "question": "Does awareness win short games?",
        "seed": 0, "games": games, "planned": games, "finished": True, "running": False,
    }  # fmt: skip
    shown = visitor.get("/api/results/tiny")
    assert (shown["games"], shown["planned"], shown["finished"]) == (games, games, True)
    assert shown["command"] == "sizeup run tiny.toml --store tiny.db --seed 0"
    assert [cell["cell"] for cell in shown["cells"]] == ["aware", "oblivious"]
    (table,) = shown["tables"]
    assert (table["title"], table["measure"], table["rows"]) == ("Score", "score", ["total"])
    with Store.read(store) as opened:
        summary = summarise(planned.experiment, opened)
    for arm, found in zip(table["arms"], summary.tables[0].entries, strict=True):
        (entry,) = arm["entries"]
        assert entry["mean"] == found.value.value
        assert (entry["wins"], entry["draws"], entry["losses"]) == (
            found.tally.wins, found.tally.draws, found.tally.losses,
        )  # fmt: skip
        assert entry["cell"] == arm["arm"]
        assert entry["cells"] == [arm["arm"]]
    (comparison,) = shown["comparisons"]
    assert comparison["mean"] == summary.comparisons[0].difference.value
    assert comparison["sentence"].startswith(comparison["title"])
    assert visitor.get("/api/about")["store"]


def test_a_poll_is_cheap_until_there_is_something_new(visitor):
    first = visitor.http.get("/api/results/tiny")
    tag = first.headers["etag"]
    assert json.loads(first.text)["etag"] == tag.strip('"')
    again = visitor.http.get("/api/results/tiny", headers={"If-None-Match": tag})
    assert (again.status_code, again.text) == (304, "")
    other = visitor.http.get("/api/results/tiny", headers={"If-None-Match": '"x"'})
    assert other.status_code == 200


@pytest.mark.slow
def test_results_are_live_while_a_writer_is_writing(static, tmp_path, planned, monkeypatch):
    monkeypatch.setattr("sizeup.web.results._LONG", 1e9)  # nothing is spared, however slow it is
    jobs = list(planned)
    path = tiny.filled(tmp_path / "tiny.db", planned, jobs[:3])
    with running(static, store=path) as server, server.visitor() as visitor:
        before = visitor.get("/api/results/tiny")
        assert (before["games"], before["finished"], before["running"]) == (3, False, False)
        with Store.open(path, planned.origin) as writer:
            begun = visitor.get("/api/results/tiny")
            assert begun["running"]
            assert begun["etag"] != before["etag"]
            for done, job in enumerate(jobs[3:], start=4):
                writer.add([Played(job, tiny.outcomes(job), 0.1, "here", 1, "2026-01-01")])
                now = visitor.get("/api/results/tiny")
                assert (now["games"], now["finished"]) == (done, done == len(jobs))
                (line,) = visitor.get("/api/results")["experiments"]
                assert (line["games"], line["running"]) == (done, True)
        assert not visitor.get("/api/results/tiny")["running"]


def test_a_summary_is_made_once_for_each_state_of_the_store(store):
    results = Results(store, OURS)
    first = results.summary("tiny")
    assert results.summary("tiny") is first


def test_what_takes_long_is_not_made_anew_with_every_game(tmp_path, planned):
    """Here each look at the clock takes a second, and each summary a second's work."""
    jobs = list(planned)
    path = tiny.filled(tmp_path / "tiny.db", planned, jobs[:3])
    seconds, work = iter(range(1000)), iter(range(1000))
    results = Results(path, OURS, clock=seconds.__next__, work=work.__next__)
    assert results.summary("tiny")["games"] == 3  # made from second 0 to 1, good until 5
    tiny.filled(path, planned, jobs[:5])
    seen = [results.summary("tiny")["games"] for _ in range(6)]
    assert seen == [3, 3, 3, 5, 5, 5]


def test_a_summary_that_only_had_to_wait_is_made_anew_with_the_next_game(tmp_path, planned):
    """Other programs take the machine for a minute each time: that is no work of ours."""
    jobs = list(planned)
    path = tiny.filled(tmp_path / "tiny.db", planned, jobs[:3])
    results = Results(path, OURS, clock=iter(range(0, 6000, 60)).__next__, work=lambda: 0.0)
    for done in range(4, 8):
        assert results.summary("tiny")["games"] == done - 1
        tiny.filled(path, planned, jobs[:done])


def test_results_are_of_what_was_played_when_the_file_was_edited_since(tmp_path, planned, store):
    tiny.written(tmp_path, ("[arms.aware]", "[arms.clever]"), ("aware - obl", "clever - obl"))
    shown = Results(store, OURS).summary("tiny")
    assert {cell["cell"]: cell["games"] for cell in shown["cells"]} == {"aware": 8, "oblivious": 8}
    assert (shown["games"], shown["planned"], shown["finished"]) == (16, 16, True)


@pytest.mark.parametrize("how", ["moved", "no TOML any more", "another name"])
def test_results_are_shown_without_the_experiment_s_file(tmp_path, planned, store, how):
    with_file = Results(store, OURS).summary("tiny")
    if how == "moved":
        (tmp_path / "tiny.toml").unlink()
    elif how == "another name":
        tiny.written(tmp_path, ('"tiny"', '"large"'))
    else:
        (tmp_path / "tiny.toml").write_text('name = "tiny"\n')
    results = Results(store, OURS)
    shown = results.summary("tiny")
    (line,) = results.listed()
    assert (line["name"], line["games"], line["planned"]) == ("tiny", 16, 16)
    assert [cell["cell"] for cell in shown["cells"]] == ["aware", "oblivious"]
    (table,) = shown["tables"]
    for arm, same in zip(table["arms"], with_file["tables"][0]["arms"], strict=True):
        assert arm["entries"][0]["mean"] == same["entries"][0]["mean"]
        assert arm["entries"][0]["n"] == 8
    assert len(results.cell("tiny", "aware")["games"]) == 8


def test_arms_of_several_files_are_all_shown(tmp_path, planned, store):
    """A run went on with --allow-changes after an arm got another name."""
    changes = ("[arms.aware]", "[arms.clever]"), ("aware - obl", "clever - obl")
    other = tiny.planned(tmp_path, *changes)
    with Store.open(store, other.origin, allow_changes=True) as writer:
        for job in [job for job in other if job.cell == "clever"][:2]:
            writer.add([Played(job, tiny.outcomes(job), 0.1, "here", 1, "2026-01-01")])
    cells = Results(store, OURS).summary("tiny")["cells"]
    games = {cell["cell"]: cell["games"] for cell in cells}
    assert games == {"aware": 8, "oblivious": 8, "clever": 2}


def test_a_cell_has_its_games_and_a_game_its_record(visitor, planned):
    cell = visitor.get("/api/results/tiny/cells/aware")
    jobs = [job for job in planned if job.cell == "aware"]
    assert [game["id"] for game in cell["games"]] == [job.game_id(0) for job in jobs]
    assert [game["seed"] for game in cell["games"]] == [str(job.seed) for job in jobs]
    assert cell["more"] == 0
    wanted = cell["games"][0]
    name = visitor.post(f"/api/results/tiny/games/{wanted['id']}/record")["id"]
    shown = visitor.get(f"/api/records/{name}")
    assert (len(shown["moves"]), shown["result"]["reason"]) == (wanted["plies"], wanted["reason"])
    assert shown["source"] == "store"
    assert shown["reproducible"]
    assert shown["command"] == f"sizeup replay tiny.db {wanted['id']}"


def test_only_so_many_games_of_a_cell_are_told(store, monkeypatch):
    monkeypatch.setattr("sizeup.web.results._MOST_GAMES", 3)
    cell = Results(store, OURS).cell("tiny", "aware")
    assert (len(cell["games"]), cell["more"]) == (3, 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "/api/results/other", "/api/results/tiny/cells/other", "/api/results/..%2f..%2fetc",
        "/api/results/tiny/cells/aware/../x",
    ],
)  # fmt: skip
def test_what_is_not_in_the_store_is_not_there(visitor, path):
    assert visitor.get(path, code=404)["error"]


def test_a_game_that_is_not_in_the_store_cannot_be_played(visitor):
    error = visitor.post("/api/results/tiny/games/x' OR 1=1/record", 404)["error"]
    assert error.startswith("there is no game")


def test_without_a_store_there_are_no_results(server):
    with server.visitor() as somebody:
        assert somebody.get("/api/results") == {"experiments": []}
        for path in ("/api/results/tiny", "/api/results/tiny/cells/aware"):
            assert "--store FILE" in somebody.get(path, code=404)["error"]
        assert not somebody.get("/api/about")["store"]


def test_a_store_that_goes_away_is_one_sentence(visitor, store):
    store.unlink()
    assert "there is no store" in visitor.get("/api/results", code=422)["error"]


def test_only_games_that_are_offered_are_played_from_a_store(store):
    results = Results(store, Offers({}))
    game = results.cell("tiny", "aware")["games"][0]["id"]
    with pytest.raises(ValueError, match="if the server is started with it"):
        results.record("tiny", game)
    with pytest.raises(NotThere):
        results.record("tiny", "nothing")


def test_the_command_repeats_as_many_blocks_as_were_played(tmp_path):
    planned = plan(read_experiment("wall-of-fire"), blocks=7)
    over = Outcome(None, -2.0, "20 turns played", 20, (-2.0,), ("E",), {}, {})
    with Store.open(tmp_path / "toy.db", planned.origin) as writer:
        writer.add(Played(job, (over,), 0.5, "here", 1, "2026-01-01") for job in planned)
    wanted = "sizeup run wall-of-fire --store toy.db --seed 0 --blocks 7"
    results = Results(tmp_path / "toy.db", OURS)
    assert results.summary("wall-of-fire")["command"] == wanted
    assert results.cell("wall-of-fire", "aware")["command"] == f"{wanted} --arm aware"


def test_games_of_one_team_have_rewards_for_scores(tmp_path):
    planned = plan(read_experiment("wall-of-fire"))
    over = Outcome(None, -2.0, "20 turns played", 20, (-2.0,), ("E",), {}, {})
    with Store.open(tmp_path / "toy.db", planned.origin) as writer:
        writer.add(Played(job, (over,), 0.5, "here", 1, "2026-01-01") for job in planned)
    results = Results(tmp_path / "toy.db", OURS)
    shown = results.summary("wall-of-fire")
    assert shown["command"] == "sizeup run wall-of-fire --store toy.db --seed 0"
    entries = [entry for arm in shown["tables"][0]["arms"] for entry in arm["entries"]]
    assert {entry["mean"] for entry in entries} == {-2.0}
    assert entries[0]["wins"] is None
    assert [entry["published"] for entry in entries] == [0, 1490, -20, -2]
    (comparison,) = shown["comparisons"]
    assert comparison["mean"] == 0
    assert results.cell("wall-of-fire", "aware")["games"][0]["score"] == -2.0


def test_curves_of_updates_have_no_cells_and_unknown_numbers_are_none(tmp_path):
    curve = 'title = "Off"\nmeasure = "deviation"\nby = "update"'
    planned = tiny.planned(tmp_path, ('title = "Score"', curve))
    with Store.read(tiny.filled(tmp_path / "all.db", planned, list(planned))) as opened:
        summary = summarise(planned.experiment, opened)
    data = table_data(planned.experiment, summary, planned.experiment.tables[0], summary.tables[0])
    cells = [entry["cells"] for arm in data["arms"] for entry in arm["entries"]]
    assert cells == [[]] * 5 * len(data["arms"])
    with Store.read(tiny.filled(tmp_path / "one.db", planned, list(planned)[:1])) as opened:
        summary = summarise(planned.experiment, opened)
    compared = comparison_data(summary, summary.comparisons[0])
    assert (compared["mean"], compared["low"]) == (None, None)
    assert compared["sentence"].endswith("not enough games yet.")


def test_a_lock_that_cannot_be_read_is_no_run(tmp_path):
    assert not Results(tmp_path / "nothing.db", OURS)._is_running()


def test_a_comparison_says_what_was_decided(tmp_path):
    summary = finished(tmp_path)
    (found, *_) = summary.comparisons

    def sentence(**changes):
        return comparison_data(summary, replace(found, **changes))["sentence"]

    assert sentence(choice="none").endswith(
        "after 12 games; it is 0 or less, not the published +3.5."
    )
    assert sentence(choice="none", verdict="positive").endswith(
        "; the sequential test puts it above 0."
    )
    assert sentence().endswith("; not enough games to decide yet.")
