"""The door: what ``import sizeup`` offers, how it shows itself, and that it stays light."""

import inspect
import subprocess
import sys

import pytest

import sizeup
from sizeup.games import connect_four
from sizeup.games.contract import View
from sizeup.search import SearchOptions

QUICK = SearchOptions(iterations=10, rollouts=1)


@pytest.fixture(scope="module")
def record():
    return sizeup.play("wall-of-fire", [["ca:4@2,4", "obl:2"]], seed=1)


@pytest.mark.slow
def test_a_bare_import_loads_nothing_heavy():
    code = "import sys, sizeup; print({'numpy', 'numba', 'rich', 'typer'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_every_name_is_there_with_its_signature_and_example():
    assert set(sizeup.__all__) <= set(dir(sizeup))
    for name in set(sizeup.__all__) - {"__version__"}:
        found = getattr(sizeup, name)
        assert ">>>" in inspect.getdoc(found), name
        if not inspect.isclass(found):
            assert "kwargs" not in inspect.signature(found).parameters, name
    with pytest.raises(AttributeError, match="no attribute 'plan'"):
        _ = sizeup.plan


def test_a_room_can_be_called_and_is_a_room():
    assert list(inspect.signature(sizeup.search).parameters)[:3] == ["game", "state", "types"]
    assert sizeup.search.Searcher is sizeup.Searcher
    assert sizeup.search("connect-four", types=(1, 2), options=QUICK).types == (1, 2)


def test_things_show_themselves_in_a_line(record):
    view = View(connect_four)
    searcher = sizeup.Searcher(view, (1, 2), QUICK)
    table = sizeup.set_table(view, ["obl:1", "random"])
    match = sizeup.Match(table)
    inference = sizeup.infer([record], types=(1, 2), options=QUICK)
    shown = {
        repr(view): "<View of connect-four>",
        repr(connect_four.INFO): "<GameInfo of connect-four: teams (0, 1)>",
        repr(searcher): "<Searcher of connect-four: types (1, 2)>",
        repr(searcher.search(view.start()))[:15]: "<SearchResult: ",
        repr(table): "<Table of connect-four: obl:1, random>",
        repr(table.seats[0]): "<Agent obl:1 in seat 0 of connect-four>",
        repr(match): "<Match of connect-four: 0 moves, 0 to move>",
        repr(record)[:40]: "<Record of wall-of-fire: ca:4@2,4+obl:2,",
        repr(inference): "<Inference of ca:4@2,4, obl:2>",
        repr(inference.players[1])[:23]: "<PlayerDepth of obl:2: ",
        str(inference): inference.table(),
    }
    assert list(shown) == list(shown.values())


def test_beliefs_of_a_record_are_drawn(record, tmp_path):
    figure = record.plot_beliefs()
    assert figure.axes[0].get_title(loc="left").startswith("ca:4@2,4 (seat 0) on obl:2 (seat 1)")
    assert record.plot_beliefs(tmp_path / "beliefs.svg") is None
    assert "seat 0" in (tmp_path / "beliefs.svg").read_text()
    with pytest.raises(sizeup.errors.InvalidInput, match="nobody keeps beliefs about a teammate"):
        sizeup.play("connect-four", ["random", "random"]).plot_beliefs()


@pytest.mark.slow
def test_an_experiment_from_python(tmp_path):
    store = tmp_path / "fire.db"
    found = sizeup.run_experiment("wall-of-fire", store, blocks=1, max_games=4, workers=1)
    assert repr(found) == "<Summary of wall-of-fire: 4 of 20 games>"
    assert str(found) == str(sizeup.report(store))
    assert found._repr_markdown_().startswith("#")


SMALL = """
name = "small"
title = "A small experiment"
question = "Does depth win games?"
game = "connect-four"
types = [1, 2]
blocks = 2
balance = ["sides"]
against = "obl:1"
search = { iterations = 10, rollouts = 1 }

[arms.deep]
team = "obl:2"

[[tables]]
title = "Score"
"""


@pytest.mark.slow
def test_a_script_without_a_guard_runs_an_experiment_once(tmp_path):
    """Workers would import it, and begin the experiment again, without end."""
    (tmp_path / "small.toml").write_text(SMALL)
    (tmp_path / "script.py").write_text(
        "import sizeup\n"
        "print('begun')\n"
        "print(repr(sizeup.run_experiment('small.toml', 'small.db', workers=2)))\n"
    )
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "begun\n<Summary of small: 4 of 4 games>\n", done.stderr
