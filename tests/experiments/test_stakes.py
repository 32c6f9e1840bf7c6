"""What a match can pay: from the experiment's file, the game, or the exact planner."""

import textwrap
from types import SimpleNamespace

import numpy as np
import pytest

from sizeup.errors import InvalidGame
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.stakes import Stakes, stakes_of
from sizeup.games.check import check_game
from sizeup.games.contract import load_game, total_bounds_of
from sizeup.games.template import write_new_game

EXPERIMENT = """
name = "own"
title = "x"
question = "x"
game = "{name}.py"
types = [1]
blocks = 1
balance = []
{more}
[arms.a]
team = "obl:1+obl:1"
"""


def own_game(folder, name, *changes):
    write_new_game(name, folder)
    file = folder / f"{name}.py"
    text = file.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file.write_text(text)
    return file


def stakes_in(folder, name, more=""):
    path = folder / "own.toml"
    path.write_text(EXPERIMENT.format(name=name, more=more))
    return stakes_of(read_experiment(path))


BOUNDS = "return 0.0, float(params.most)"
NO_BOUNDS = ("def total_bounds", "def _total_bounds")


def test_a_game_says_it(tmp_path):
    own_game(tmp_path, "says_it")
    found = stakes_in(tmp_path, "says_it")
    assert (found.low, found.high, found.source) == (0.0, 3.0, "as the game says")
    assert found.best is not None  # the planner knows that, too
    assert 0 < found.best <= 3


def test_parameters_count(tmp_path):
    own_game(tmp_path, "with_params")
    assert stakes_in(tmp_path, "with_params", "params = { most = 2 }").high == 2


def test_the_planner_finds_it(tmp_path):
    own_game(tmp_path, "finds_it", NO_BOUNDS)
    found = stakes_in(tmp_path, "finds_it")
    assert (found.low, found.high) == (0.0, 3.0)
    assert found.source == "as the exact planner found"


def test_the_file_has_the_last_word(tmp_path):
    own_game(tmp_path, "last_word")
    found = stakes_in(tmp_path, "last_word", "total_bounds = [-1, 9]")
    assert (found.low, found.high, found.source) == (-1, 9, "as the experiment's file says")


def test_a_match_that_is_stopped_when_nothing_happens_keeps_what_it_has(tmp_path):
    quiet = 'return "100 turns played" if plies >= 100 else None'
    stops = 'return "quiet" if quiet_plies >= 4 or plies >= 100 else None'
    own_game(tmp_path, "quiet_game", NO_BOUNDS, (quiet, stops))
    found = stakes_in(tmp_path, "quiet_game")
    assert (found.low, found.high, found.best) == (0.0, 3.0, None)  # planners know nothing of it


def test_what_is_too_large_is_not_known(tmp_path, monkeypatch):
    monkeypatch.setattr("sizeup.experiments.stakes._MOST_STATES", 3)
    own_game(tmp_path, "too_large", NO_BOUNDS)
    found = stakes_in(tmp_path, "too_large")
    assert not found.is_known
    assert found.source == "too_large has no total_bounds and too many states to go through"


def test_a_game_that_always_pays_the_same(tmp_path):
    own_game(tmp_path, "the_same", (BOUNDS, "return 3.0, 3.0"))
    found = stakes_in(tmp_path, "the_same")
    assert (found.is_known, found.source) == (False, "every match pays 3, as the game says")


NO_RANGE = r"total_bounds gave .*, expected the least and the most"


@pytest.mark.parametrize("given", [3.0, (1.0, 0.0), (0.0, float("inf")), ("a", "b"), None])
def test_bounds_that_are_none(given):
    game = SimpleNamespace(INFO=SimpleNamespace(name="odd"), total_bounds=lambda params: given)
    with pytest.raises(InvalidGame, match=NO_RANGE):
        total_bounds_of(game, None)


@pytest.mark.slow
def test_a_game_with_bounds_that_are_none(tmp_path):
    file = own_game(tmp_path, "no_bounds", (BOUNDS, "return 3.0"))
    with pytest.raises(InvalidGame, match=NO_RANGE):
        check_game(load_game(str(file)), games=2)
    assert "the game cannot be asked" in stakes_in(tmp_path, "no_bounds").source


def test_the_check_sees_a_match_that_pays_more(tmp_path):
    file = own_game(tmp_path, "pays_more", (BOUNDS, "return 0.0, 0.5"))
    with pytest.raises(
        InvalidGame, match=r"a match has paid [123], outside total_bounds \(0.0, 0.5"
    ):
        check_game(load_game(str(file)), games=20)


@pytest.mark.slow
def test_the_check_stops_where_a_match_does(tmp_path):
    """What a game could pay after a match has been adjourned does not count."""
    stopped = 'return "100 turns played" if plies >= 100 else None'
    at_once = 'return "1 turn played" if plies >= 1 else None'
    file = own_game(tmp_path, "at_once", (BOUNDS, "return 0.0, 0.5"), (stopped, at_once))
    assert check_game(load_game(str(file)), games=20).moves > 20


def test_an_adjournment_that_fails_is_told(tmp_path):
    stopped = 'return "100 turns played" if plies >= 100 else None'
    file = own_game(tmp_path, "fails", (stopped, "return 1 / 0"))
    with pytest.raises(InvalidGame, match=r"adjourned.* failed at .*fails\.py"):
        check_game(load_game(str(file)), games=2)


def test_scales_go_there_and_back():
    found = Stakes("reward", 10.0, 30.0)
    values = np.array([10.0, 20.0, 30.0])
    assert found.scaled(values, is_difference=False).tolist() == [-1, 0, 1]
    assert found.scaled(values - 20, is_difference=True).tolist() == [-1, 0, 1]
    assert found.unscaled(-1.0, is_difference=False) == 10
    assert found.unscaled(2.0, is_difference=True) == 20
    assert found.holds([10, 30 + 1e-9])
    assert not found.holds([9.9])


def test_nothing_is_asked_of_a_game_whose_file_is_gone(tmp_path):
    file = own_game(tmp_path, "gone")
    path = tmp_path / "own.toml"
    path.write_text(textwrap.dedent(EXPERIMENT.format(name="gone", more="")))
    read = read_experiment(path)
    file.unlink()
    found = stakes_of(read)
    assert not found.is_known
    assert found.source.startswith("the game cannot be asked: ")
