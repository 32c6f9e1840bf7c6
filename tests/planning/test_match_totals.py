"""What a match can pay, held to playing every match."""

from functools import cache

import numpy as np
import pytest

from sizeup.games import harvest
from sizeup.games.contract import CHANCE, TERMINAL, View
from sizeup.planning import TabularGame, match_totals, random_game, tabulate, totals


def naive(game, plies):
    """Least, most and most expected, by going through all matches one after the other."""

    @cache
    def walk(state, left):
        actor = int(game.actor[state])
        if actor == TERMINAL or left == 0:
            return 0.0, 0.0, 0.0
        after = left if actor == CHANCE else left - 1
        found = [
            [reward + paid for paid in walk(following, after)]
            for reward, following in game.edges(state)
        ]
        lows, highs, means = zip(*found, strict=True)
        if actor == CHANCE:
            lots = list(game.chance[state][list(game.legal_actions(state))])
            possible = [at for at, lot in enumerate(lots) if lot > 0]
            mean = sum(lots[at] * means[at] for at in possible)
            return min(lows[at] for at in possible), max(highs[at] for at in possible), mean
        return min(lows), max(highs), max(means)

    return walk(game.start, plies)


def test_every_match_of_a_season():
    game = tabulate(View(harvest, harvest.season([0.7, 0.4] * 3)))
    found = totals(game)
    assert (found.low, found.high, found.best) == pytest.approx(naive(game, 100))
    short = totals(game, plies=3)
    assert (short.low, short.high, short.best) == pytest.approx(naive(game, 3))
    assert short.best < found.best


@pytest.mark.parametrize("seed", range(8))
def test_random_games_that_are_stopped(seed):
    game = random_game(np.random.default_rng(seed), players=2)
    for plies in (1, 4):
        found = totals(game, plies)
        assert (found.low, found.high, found.best) == pytest.approx(naive(game, plies))


def loop(reward):
    """A player may go round for ever, or end it."""
    return TabularGame(
        teams=(0, 0),
        actor=[0, TERMINAL],
        successor=[[0, 1], [-1, -1]],
        reward=[[reward, 0], [0, 0]],
    )


def test_a_game_that_pays_for_ever_has_no_bounds():
    assert totals(loop(1.0)) is None
    assert totals(loop(-1.0)) is None
    assert totals(loop(0.0)) == match_totals.Totals(0.0, 0.0, 0.0)
    assert totals(loop(1.0), plies=5) == match_totals.Totals(0.0, 5.0, 5.0)


def test_a_match_that_may_stop_at_any_time_keeps_what_it_has():
    game = TabularGame(
        teams=(0, 0),
        actor=[0, 1, TERMINAL],
        successor=[[1], [2], [-1]],
        reward=[[5.0], [-8.0], [0.0]],
    )
    assert totals(game) == match_totals.Totals(-3.0, -3.0, -3.0)
    assert totals(game, any_time=True) == match_totals.Totals(-3.0, 5.0, -3.0)


def test_too_much_work_is_not_begun(monkeypatch):
    monkeypatch.setattr(match_totals, "_MOST_WORK", 10)
    assert totals(loop(1.0), plies=50) is None
    assert totals(loop(0.0)) is not None  # which is settled at once
