"""What the documentation says of the experiments is what the kept games say."""

from pathlib import Path

import pytest

from sizeup.experiments.merge import merge, open_rows
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Store
from sizeup.experiments.stored import sample, verify
from sizeup.report import summarise, to_csv, to_markdown

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # others cover it, in half the time

RESULTS = Path(__file__).parents[1] / "docs" / "results"
EXAMPLES = Path(__file__).parents[1] / "examples"
KEPT = sorted(path.stem for path in RESULTS.glob("*.parquet"))


@pytest.fixture(scope="module", params=KEPT)
def kept(request, tmp_path_factory):
    """An experiment, and a store with the games that were kept of it."""
    example = EXAMPLES / f"{request.param}.toml"
    experiment = read_experiment(example if example.exists() else request.param)
    path = tmp_path_factory.mktemp("kept") / f"{experiment.name}.db"
    rows = open_rows(RESULTS / f"{experiment.name}.parquet")
    merge(path, [rows], experiment, allow_changes=True)
    return experiment, path


def test_something_was_kept():
    assert {"checkers-aware", "checkers-multi", "checkers-ablation"} <= set(KEPT)


def test_tables_are_those_of_the_kept_games(kept):
    experiment, path = kept
    with Store.read(path) as store:
        summary = summarise(experiment, store)
    assert to_markdown(summary) == (RESULTS / f"{experiment.name}.md").read_text()
    assert to_csv(summary) == (RESULTS / f"{experiment.name}.csv").read_text()


def test_kept_games_are_played_the_same_way_today(kept):
    experiment, path = kept
    with Store.read(path) as store:
        checked = list(verify(sample(store, games=1, seed=1)))
    assert {game.game_id: game.differences for game in checked if game.differences} == {}
    assert len(checked) == experiment.rounds
