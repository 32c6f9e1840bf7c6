"""Seats of games of one team whose players take turns at the same thing."""

import types
from dataclasses import replace

import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.games import harvest, wall_of_fire
from sizeup.games.check import check_game
from sizeup.games.contract import CHANCE, View
from sizeup.games.drawing import draw_svg, draw_text
from sizeup.games.rng import new_rng
from sizeup.games.seats import seat, teams_to_seat
from sizeup.jit import plain
from sizeup.play import Record, play
from sizeup.play.replay import replay, view_of

SMALL = wall_of_fire.board("..F\n.SF\n..C")


@pytest.fixture(scope="module")
def field():
    """A game of one's own, with chance, whose farmers take turns at one field."""
    mine = types.ModuleType("my_field")
    mine.__dict__.update(vars(harvest))
    mine.INFO = replace(harvest.INFO, name="my field", shared_turns=True)
    return mine


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_any_number_of_players_keeps_the_contract(players, field):
    for game in (wall_of_fire, field):
        seated = seat(game, first=players, second=0)
        assert seated.INFO.teams == (0,) * players
        assert seated.INFO.name == f"{game.INFO.name} {players}v0"
        assert check_game(seated, games=5).moves > 10


def order_of(view, moves):
    state, rng, order = view.start(), np.random.default_rng(0), []
    for _ in range(moves):
        order.append(view.actor(state))
        odds = view.probabilities(state) if order[-1] == CHANCE else None
        state, _ = view.apply(state, int(rng.choice(view.actions(state), p=odds)))
    return order


def test_players_move_in_turn_and_chance_passes_no_turn_on(field):
    assert order_of(View(seat(wall_of_fire, 3, 0)), 7) == [0, 1, 2, 0, 1, 2, 0]
    assert order_of(View(seat(wall_of_fire, 1, 0)), 3) == [0, 0, 0]
    order = order_of(View(seat(field, 4, 0)), 12)
    assert CHANCE in order
    movers = [player for player in order if player != CHANCE]
    assert movers == [turn % 4 for turn in range(len(movers))]


def test_seats_change_nothing_but_whose_turn_it_is():
    """The same moves lead to the same places and pay the same, jitted and plain."""
    alone, shared = View(wall_of_fire), View(seat(wall_of_fire, 3, 0))
    out, lots = np.zeros(4, dtype=np.int64), np.zeros(4)
    for steps in (shared._steps, plain(shared._steps)):
        with np.errstate(over="ignore"):
            ends = [
                one.playout(view.start(), view.params, new_rng(5), 50, out, lots)
                for one, view in ((alone._steps, alone), (steps, shared))
            ]
        assert ends[1][0].base == ends[0][0]
        assert ends[1][1:] == ends[0][1:]
        assert ends[1][0].first == 50 % 3


def test_texts_and_drawings_say_whose_turn_it_is():
    view = View(seat(wall_of_fire, 3, 0, params=SMALL))
    state, _ = view.apply(view.start(), wall_of_fire.NORTH)
    state, _ = view.apply(state, wall_of_fire.WEST)
    assert view.state_text(state) == "@.F/..F/..C 0 next 2,0"
    assert view.state_from_text("@.F/..F/..C 0 next 2,0") == state
    assert view.action_text(state, view.action_from_text(state, "s")) == "S"
    with pytest.raises(InvalidInput, match="first = 3, outside"):
        view.state_from_text("@.F/..F/..C 0 next 3,0")
    with pytest.raises(InvalidInput, match="second = 1, outside"):
        view.state_from_text("@.F/..F/..C 0 next 2,1")
    lines = [line.rstrip() for line in str(draw_text(view.game, state)).splitlines()]
    assert lines[:2] == ["wall-of-fire 3v0", " A  . ^^^"]
    assert lines[4] == "player 2 to move"
    assert "player 2 to move" in draw_svg(view.game, state)


def test_which_games_have_seats_to_give(field):
    assert teams_to_seat(field) == 1
    assert teams_to_seat(harvest) == 0  # it does not say so
    assert teams_to_seat(seat(wall_of_fire, 2, 0)) == 0  # it has the seats it was given
    field_of_two = types.ModuleType("field_of_two")
    field_of_two.__dict__.update(vars(field))
    field_of_two.INFO = replace(field.INFO, teams=(0, 1, 1))
    assert teams_to_seat(field_of_two) == 0


def test_matches_give_a_seat_to_everybody(field):
    record = play("wall-of-fire", ["random+random+random"], seed=1, params=SMALL)
    assert record.game == "wall-of-fire 3v0"
    assert record.teams == (0, 0, 0)
    assert record.reason == "20 turns played"
    assert record.winner is None
    assert [move.player for move in record.moves[:4]] == [0, 1, 2, 0]
    again = Record.from_json(record.to_json())
    assert view_of(again).params.base.width == 3
    assert [move for _, move in replay(again)] == list(record.moves)
    own = play(field, ["random+random"], seed=1)
    assert [move for _, move in replay(own, game=field)] == list(own.moves)
    with pytest.raises(InvalidInput, match="harvest has teams"):
        view_of(replace(own, game="harvest 2v0"))
