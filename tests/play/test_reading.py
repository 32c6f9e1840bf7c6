"""What a verdict rests on: lines of deeper players, changes, and what nobody has checked."""

import math
from dataclasses import replace

import pytest

from sizeup.agents import read_agent
from sizeup.games import checkers, connect_four, four_in_a_row
from sizeup.games.checkers.pdn import read_pdn
from sizeup.games.contract import View
from sizeup.play import play
from sizeup.play.reading import (
    AWARE,
    NAMELESS,
    ONE_TYPE,
    OPPONENT,
    OPTIONS,
    OTHER_KIND,
    OTHER_SEARCH,
    PEOPLE,
    Foresight,
    change_between,
    foresee,
    mistrusted,
    quality_of,
)
from sizeup.search import Searcher, SearchOptions

DEFAULT = SearchOptions()
FEW = checkers.INFO.params._replace(most_plies=4)


def seen_in(position, move, depth=4):
    view = View(connect_four)
    state = view.state_from_text(position)
    searcher = Searcher(view, (depth,), SearchOptions(iterations=100))
    return foresee((2, 9), searcher, state, view.action_from_text(state, move), seed=3)


def test_a_deeper_player_sees_the_win_and_what_the_move_lost():
    seen = seen_in("......./......./......./......./ooo..../xxx.... x", "g")
    assert (seen.game, seen.ply, seen.move, seen.type) == (2, 9, "g", 4)
    assert seen.line == ("d",)  # which ends the game
    assert seen.value > 0.8 > seen.value_of_move
    assert str(seen).startswith("a type-4 player prefers d, from which it expects ")
    assert str(seen_in("......./......./......./......./ooo..../xxx.... x", "d")).startswith(
        "a type-4 player plays it too, and expects "
    )


def test_lines_are_legal():
    view = View(checkers)
    searcher = Searcher(view, (4,), SearchOptions(iterations=50))
    state = view.start()
    seen = foresee((0, 1), searcher, state, view.actions(state)[0], seed=1)
    assert 2 <= len(seen.line) <= 4
    for text in seen.line:
        state, _ = view.apply(state, view.action_from_text(state, text))


def test_a_line_ends_where_nothing_is_preferred():
    """An empty board of four in a row: replies are tried once or twice, all as often."""
    view = View(four_in_a_row)
    searcher = Searcher(view, (2,), SearchOptions(iterations=60))
    seen = foresee((0, 1), searcher, view.start(), view.actions(view.start())[0], seed=1)
    assert len(seen.line) == 1


def test_points_lost_have_the_interval_of_few_moves_and_none_of_equal_ones():
    few = quality_of(3, [0.0, 1.0, 0.5])
    assert few.high == pytest.approx(0.5 + 4.303 * 0.5 / math.sqrt(3), abs=1e-3)  # Student's t
    same = quality_of(3, [0.0] * 3)
    assert [math.isnan(end) for end in (same.low, same.high)] == [True, True]
    told = "loses 0 points on each of 3 moves, as a player who looks 3 ahead judges them"
    assert str(same) == told


def test_a_move_that_was_never_tried_is_said_to_be_so():
    seen = Foresight(0, 1, "a", 8, ("b", "c", "d", "e"), 1.0, math.nan)
    assert str(seen) == (
        "a type-8 player prefers b (then c d e), from which it expects 1 point; it does not even "
        "try a"
    )


# -- change -------------------------------------------------------------------------------------


def test_a_change_is_told_by_bayes_rule():
    told = change_between((2, 8), (0.25, 0.75), [[0.0, -1.0], [-2.0, 0.0], [-0.5, 0.0]])
    first, last = (1.0, math.exp(-1)), (math.exp(-2.5), 1.0)
    apart = (0.25 * first[0] + 0.75 * first[1]) * (0.25 * last[0] + 0.75 * last[1])
    same = 0.25 * first[0] * last[0] + 0.75 * first[1] * last[1]
    assert told.games == (1, 2)
    assert told.probability == pytest.approx(apart / (apart + same))
    weak = 0.25 / (0.25 + 0.75 * math.exp(-1))
    assert told.earlier.probabilities == pytest.approx([weak, 1 - weak])


def test_one_game_shows_no_change_and_unexplained_games_none_either():
    assert change_between((2, 8), (0.5, 0.5), [[0.0, -1.0]]) is None
    assert change_between((2, 8), (0.5, 0.5), [[-math.inf, -math.inf], [0.0, 0.0]]) is None
    certain = change_between((2, 8), (0.5, 0.5), [[0.0, -math.inf], [-math.inf, 0.0]])
    assert certain.probability == pytest.approx(1.0)
    ruled_out = change_between((2, 8), (1.0, 0.0), [[0.0, 9.0], [0.0, 9.0]])
    assert ruled_out.probability == pytest.approx(0.5)  # there is one type only


@pytest.mark.parametrize(
    ("later", "said"),
    [
        ([0.0, -3.0], "no sign of a change (odds 1 to "),
        ([-2.0, 0.0], "it may have changed, one cannot tell (odds "),
        ([-9.0, 0.0], "it changed (odds "),
    ],
)
def test_a_change_in_words(later, said):
    told = str(change_between((2, 8), (0.5, 0.5), [[0.0, -3.0], later]))
    assert told.startswith("first game: type 2 (95 %); last game: ")
    assert said in told


# -- what to mistrust ---------------------------------------------------------------------------


def warned(record, seat=0, game="checkers", types=(2, 4), options=DEFAULT):
    return mistrusted([(record, seat, game)], types, options)


@pytest.fixture(scope="module")
def equals():
    """A few moves of two players of one depth."""
    return play("checkers", ["obl:2", "obl:2"], seed=1, params=FEW)


def test_what_was_tried_needs_no_warning(equals):
    assert warned(equals) == ()


def test_what_was_not_tried_is_named(equals):
    assert warned(equals, game="four-in-a-row 2v1") == (
        "not tried on many players at four-in-a-row, only at checkers",
    )
    assert warned(equals, types=(8, 20)) == ("depths above 8 were not tried",)
    few = SearchOptions(iterations=20)
    assert warned(equals, options=few) == (OTHER_SEARCH, OPTIONS)
    own = [replace(one, options=few) for one in equals.agents]
    assert warned(replace(equals, agents=tuple(own))) == (OTHER_SEARCH,)


def test_opponents_and_kinds_that_were_not_tried_are_named(equals):
    other = play("checkers", ["obl:2", "obl:4"], seed=1, params=FEW)
    assert warned(other) == warned(other, seat=1) == (OPPONENT,)
    assert warned(replace(equals, agents=(equals.agents[0], None))) == (OPPONENT,)
    aware = read_agent("ca:2")
    record = replace(equals, agents=(aware, aware))
    assert warned(record) == (AWARE,)
    random = read_agent("random")
    assert warned(replace(equals, agents=(random, random))) == (OTHER_KIND,)


def test_games_without_names_are_said_to_be_held_for_those_of_one_player():
    games = read_pdn('[White "Ben"] 1. 11-15 * [White "Ben"] 1. 11-15 22-18 *')
    for seat, nameless in ((0, (NAMELESS,)), (1, ())):
        told = mistrusted([(game, seat, "checkers") for game in games], (2, 4), DEFAULT)
        assert told == (PEOPLE, *nameless)


def test_a_depth_without_another_is_said_to_be_the_only_one(equals):
    assert warned(equals, types=(2,)) == (ONE_TYPE,)


def test_people_and_whoever_is_not_known_are_people(equals):
    assert warned(replace(equals, agents=(None, None))) == (PEOPLE,)
    assert warned(replace(equals, agents=())) == (PEOPLE,)
    [game] = read_pdn("1. 11-15 22-18 *")
    assert warned(game) == warned(game, seat=1) == (PEOPLE,)
    twice = mistrusted([(game, 0, "checkers"), (game, 1, "checkers")], (2, 4), DEFAULT)
    assert twice == (PEOPLE,)
