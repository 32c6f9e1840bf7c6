"""Searches at the moves of games: which moves, whose, and with which random numbers."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.games import harvest
from sizeup.games.pdn import read_pdn
from sizeup.play import play
from sizeup.play.look import look
from tests.play.conftest import QUICK, quick

TYPES = (1, 3)


def test_seats_and_chance_and_parameters_are_played_again():
    dry = harvest.INFO.params._replace(rain=np.full(4, 0.1))
    cases = [
        play("connect-four", [quick("obl:3+obl:1"), quick("random")], seed=2),
        play("wall-of-fire", [quick("obl:3+obl:1")], seed=2),
        play("harvest", [quick("obl:3+obl:1+obl:1")], seed=2, params=dry),
        play("harvest", [quick("obl:3+obl:1+obl:1")], seed=2),
    ]
    looks = list(look(cases, TYPES, options=QUICK))
    for number, record in enumerate(cases):
        mine = [one for one in looks if one.game == number]
        moves = [move for move in record.moves if move.player >= 0]
        assert [one.action for one in mine] == [move.action for move in moves]
        assert [one.seat for one in mine] == [move.player for move in moves]
        assert [one.ply for one in mine] == [move.ply for move in moves]
        assert [one.player for one in mine] == [record.players[one.seat] for one in mine]


def test_every_search_has_random_numbers_of_its_own(four):
    def tables(seed):
        looks = list(look([four, four], TYPES, options=QUICK, seed=seed))
        return [[one.shares.tolist() for one in looks if one.game == game] for game in (0, 1)]

    first, second = tables(seed=1)
    assert first != second
    assert [first, second] == tables(seed=1)
    assert first != tables(seed=2)[0]


def test_a_game_from_a_position_is_gone_through_from_there():
    [game] = read_pdn('[White "Ben"] [FEN "W:W22,23:B9,10"] 1. 22-18 10-15 *')
    looks = list(look([game], TYPES, options=QUICK))
    assert [(one.ply, one.seat, one.player) for one in looks] == [(1, 1, "Ben"), (2, 0, "Black")]


def test_only_the_players_that_are_asked_for_are_looked_at(four):
    mine = list(look([four], TYPES, options=QUICK, players=["obl:1"]))
    every = list(look([four], TYPES, options=QUICK))
    assert [one.ply for one in mine] == [one.ply for one in every if one.seat == 1]
    by_seat = look([four], TYPES, options=QUICK, by="seat", players=["seat 1"])
    assert [one.ply for one in by_seat] == [one.ply for one in mine]
    for settings, message in (
        ({"players": ["obl:1", "Ann"]}, "no player 'Ann' in these games; players are obl:3, obl:1"),
        ({"players": ["obl:1"], "by": "seat"}, "no player 'obl:1' .* players are seat 0, seat 1"),
    ):
        with pytest.raises(InvalidInput, match=message):
            look([four], TYPES, **settings)
    with pytest.raises(InvalidInput, match="no player 'Ann' in these games; players are none"):
        look([], TYPES, players=["Ann"])


def test_what_is_wrong_with_a_record_is_said_before_any_search(four, fire):
    for record, message in (
        (replace(four, start="nowhere"), "game 2: 'nowhere' is no position of connect-four"),
        (replace(four, players=("obl:1",)), "game 2: the record has players"),
        (replace(four, game="os"), "game 2: 'os' is not a game of ours; pass the game's module"),
        (replace(four, params={"size": 1}), "game 2: the record's params hold .'size'., expected"),
        (replace(fire, params={**fire.params, "width": 0}), "game 2: the record's params.width is"),
    ):
        with pytest.raises(InvalidInput, match=message):
            look([four, record], TYPES)


def test_searching_games_needs_no_drawing():
    code = "import sys, sizeup.play.infer, sizeup.play.infer_plot; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "matplotlib" not in loaded
