"""What the constant of the confidence bounds is measured in."""

import math
import types

import pytest

from sizeup.errors import InvalidInput
from sizeup.games import connect_four, wall_of_fire
from sizeup.games.contract import View
from sizeup.search import Searcher, SearchOptions


def found(game, params=None, **options):
    quick = SearchOptions(iterations=20, rollouts=1, **options)
    view = View(game, params)
    return Searcher(view, (2, 4), quick).search(view.start(), seed=3)


def test_a_total_scale_is_the_constant_times_what_a_match_can_pay():
    board = wall_of_fire.board(".SFC", most_turns=3)  # from -6 to 100
    total = found(wall_of_fire, board, exploration=0.5, value_scale="total")
    raw = found(wall_of_fire, board, exploration=53.0, value_scale="raw")
    other = found(wall_of_fire, board, exploration=0.5, value_scale="raw")
    assert total.visits.tolist() == raw.visits.tolist() != other.visits.tolist()
    assert total.values.tolist() == raw.values.tolist()


def test_a_game_that_does_not_say_what_it_pays_has_no_total_scale():
    silent = types.ModuleType("silent")
    silent.__dict__.update(
        {name: value for name, value in vars(connect_four).items() if name != "total_bounds"}
    )
    with pytest.raises(InvalidInput, match="does not say what a match can pay; add total_bounds"):
        found(silent, value_scale="total")
    assert math.isfinite(found(connect_four, value_scale="total").values.max())
