"""What a learner is shown: every state as bits and back, every legal move as a number and back."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizeup.adapters.observations import ActionTexts, Encoding
from sizeup.errors import IllegalAction, InvalidGame
from sizeup.games import checkers, connect_four, foraging, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.contract import View
from sizeup.games.seats import seat
from tests.adapters import lottery

GAMES = (checkers, connect_four, foraging, harvest, narrow_tunnel, wall_of_fire, lottery)
VIEWS = [View(game) for game in (*GAMES, seat(checkers, 3, 2), seat(wall_of_fire, 4, 0))]


@pytest.mark.slow
@given(st.sampled_from(VIEWS), st.lists(st.integers(0, 10**6), max_size=40))
def test_states_and_moves_are_numbers_and_back(view, choices):
    encoding, state = Encoding(view), view.start()
    for choice in choices:
        legal = view.actions(state)
        shown = encoding.observation(state)
        assert encoding.state(shown["observation"]) == state
        assert shown["observation"].shape == (encoding.length,)
        assert encoding.space().contains(shown)
        numbers = [encoding.number(legal, action) for action in legal]
        assert [encoding.action(legal, np.int64(number)) for number in numbers] == list(legal)
        assert len(set(numbers)) == len(numbers)
        mask = encoding.mask(legal)
        assert np.flatnonzero(mask).tolist() == sorted(numbers)
        if not legal:
            break
        state, _ = view.apply(state, legal[choice % len(legal)])


def test_a_board_shows_its_squares_in_order():
    encoding = Encoding(View(checkers))
    bits = encoding.observation(
        checkers.CheckersState(black=0b101, white=1 << 34, kings=0b100, side=1)
    )
    assert np.flatnonzero(bits["observation"]).tolist() == [0, 2, 35 + 34, 70 + 2, 105, 106 + 1]
    assert [field.name for field in encoding.fields] == ["black", "white", "kings", "side"]


def test_a_field_without_bounds_takes_64_bits_counted_from_the_lowest():
    encoding = Encoding(View(lottery))
    assert encoding.fields[1] == ("luck", 64, 64, -(2**63))
    lowest = lottery.State(0, -(2**63))
    assert encoding.bits(lowest)[64:128].sum() == 0
    assert encoding.state(encoding.bits(lottery.State(3, 2**63 - 1))).luck == 2**63 - 1


@pytest.mark.parametrize(
    ("game", "numbers", "is_fixed"),
    [(checkers, 256, False), (connect_four, 7, True), (harvest, 3, True), (lottery, 2, False)],
)
def test_numbers_are_fixed_where_the_game_says_how_far_its_actions_go(game, numbers, is_fixed):
    encoding = Encoding(View(game))
    assert (encoding.numbers, encoding.is_fixed) == (numbers, is_fixed)


def test_a_number_that_is_no_legal_move():
    board = View(connect_four)
    with pytest.raises(IllegalAction, match=r"9 is not the number of a legal move here; legal .*6"):
        Encoding(board).action(board.actions(board.start()), 9)


def test_a_game_that_does_not_keep_its_word_is_told():
    encoding = Encoding(View(connect_four))
    with pytest.raises(InvalidGame, match="connect-four has a state with side = 2, outside INFO"):
        encoding.bits(connect_four.FourInARowState(0, 0, 2))
    with pytest.raises(InvalidGame, match=r"has the action 7, outside INFO.action_bounds \(0, 6\)"):
        encoding.number((7,), 7)


def test_texts_are_a_mapping_and_a_copy_is_a_dictionary():
    board = View(connect_four)
    texts = ActionTexts(Encoding(board), board.start(), board.actions(board.start()))
    assert texts == dict(zip(range(7), "abcdefg", strict=True))
    assert type(copy.deepcopy(texts)) is dict
    assert "z" not in texts
