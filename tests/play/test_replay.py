"""Records played back: games rebuilt from them, and tampered ones refused."""

import types
from dataclasses import replace

import numpy as np
import pytest

from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four, harvest, narrow_tunnel, wall_of_fire
from sizeup.play import Record, play
from sizeup.play.replay import replay, view_of
from sizeup.search import SearchOptions

QUICK = SearchOptions(iterations=10, rollouts=1)
SHORT = wall_of_fire.INFO.params._replace(most_turns=6)
BRIEF = checkers.Params(most_plies=40)


def quick(text):
    return [read_agent(part, QUICK) for part in text.split("+")]


@pytest.fixture(scope="module")
def fire():
    return play("wall-of-fire", ["ca:20+obl:2"], seed=1, params=SHORT)


@pytest.fixture(scope="module")
def field():
    return play("harvest", [quick("ca:4+obl:1+ca:2")], seed=2)


@pytest.fixture(scope="module")
def draughts():
    return play("checkers", [quick("ca:4+obl:2"), quick("obl:2")], seed=3, params=BRIEF)


def test_a_replay_passes_through_the_states_of_the_match():
    met = []
    record = play(
        "harvest",
        ["random+random+random"],
        seed=3,
        watch=lambda table, state, move: met.append((state, move)),
    )
    assert list(replay(Record.from_json(record.to_json()))) == met
    assert {move.player for _, move in met} == {-1, 0, 1, 2}


@pytest.mark.parametrize(
    ("game", "teams", "params"),
    [
        ("wall-of-fire", ["random+random"], wall_of_fire.board("S.FFC", most_turns=6)),
        ("narrow-tunnel", ["random+random"], narrow_tunnel.INFO.params),
        ("harvest", ["random+random+random"], harvest.season([0, 1, 0.5, 1])),
        ("connect-four", ["random+random", "random"], connect_four.Params(win=3.0)),
        ("checkers", ["random", "random+random+random"], None),
        ("checkers", ["random", "random"], None),
    ],
)
def test_games_are_rebuilt_with_their_parameters(game, teams, params):
    made = []
    record = play(
        game, teams, seed=5, params=params, watch=lambda table, state, move: made.append(table.view)
    )
    view = view_of(Record.from_json(record.to_json()))
    assert (view.info.name, view.teams) == (record.game, record.teams)
    for value, expected in zip(flat(view.params), flat(made[0].params), strict=True):
        assert type(value) is type(expected)
        np.testing.assert_array_equal(value, expected)
        assert getattr(value, "dtype", None) == getattr(expected, "dtype", None)
    assert len(list(replay(record))) == len(record.moves)


def flat(params):
    for value in params:
        yield from flat(value) if isinstance(value, tuple) else [value]


def test_a_game_of_ones_own_is_passed(fire):
    mine = types.ModuleType("mine")
    mine.__dict__.update(vars(connect_four))
    mine.INFO = replace(connect_four.INFO, name="my game 2v2")
    record = play(mine, ["random", "random"], seed=1)
    with pytest.raises(InvalidInput, match=r"'my game 2v2' is not a game of ours; pass the game's"):
        view_of(record)
    assert len(list(replay(record, game=mine))) == len(record.moves)
    seated = play(mine, ["random+random", "random"], seed=1)
    assert view_of(seated, game=mine).info.name == "my game 2v2 2v1"
    with pytest.raises(InvalidInput, match="is of 'wall-of-fire', but the given game is 'my game"):
        view_of(fire, game=mine)
    with pytest.raises(InvalidInput, match="'os' is not a game of ours"):
        view_of(replace(fire, game="os"))


def altered(record, index, **changes):
    moves = list(record.moves)
    moves[index] = replace(moves[index], **changes)
    return replace(record, moves=tuple(moves))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: altered(r, 2, action="X"), "ply 3 of the record: 'X' is not a legal action"),
        (lambda r: altered(r, 0, reward=0.0), "ply 1 of the record: E is worth -2, not 0"),
        (lambda r: altered(r, 0, reward=float("nan")), "ply 1 of the record: E is worth -2"),
        (lambda r: altered(r, 4, ply=9), "ply 5 of the record: it is numbered 9"),
        (lambda r: altered(r, 1, player=0), "ply 2 of the record: player 0 moves, but it is pla"),
        (lambda r: altered(r, 1, seen={7: r.moves[1].seen[0]}), "ply 2 of the record: player 7 l"),
        (
            lambda r: altered(r, 1, seen={0: replace(r.moves[1].seen[0], after=(1.0,))}),
            r"ply 2 of the record: player 0 considers 2 types; expected a number for each, got \[1",
        ),
        (
            lambda r: altered(r, 1, seen={0: replace(r.moves[1].seen[0], before=("a", "b"))}),
            "ply 2 of the record: player 0 considers 2 types",
        ),
        (lambda r: replace(r, total=3.0), "total is 3, but its moves are worth -2"),
        (lambda r: replace(r, winner=0), "winner is 0, but the moves say None"),
        (lambda r: replace(r, reason="the game is over"), "after ply 6 with 'the game is over'"),
        (lambda r: replace(r, moves=(), total=0.0, reason="the game is over"), "ends after ply 0"),
        (lambda r: replace(r, start="." * 9), r"the record starts at '\.\.\.\.\.\.\.\.\.', but"),
        (lambda r: replace(r, teams=(0, 1)), r"but wall-of-fire has teams \(0, 0\)"),
        (lambda r: replace(r, players=("ca:20",)), r"has players \('ca:20',\) in teams"),
        (lambda r: replace(r, first_beliefs={0: "no"}), "first beliefs of player 0 are 'no'"),
        (lambda r: replace(r, first_beliefs={5: [[1.0]]}), "first beliefs of player 5"),
        (lambda r: replace(r, params={"width": 17}), "params hold .'width'., expected the fields"),
        (lambda r: with_param(r, width=17.5), "params.width is 17.5, expected something like 17"),
        (lambda r: with_param(r, width=True), "params.width is True"),
        (lambda r: with_param(r, fire=[0.5]), r"params.fire is \[0.5\], expected a list of int64"),
        (lambda r: with_param(r, fire=[[1], [1, 2]]), "params.fire is"),
        (lambda r: with_param(r, fire="all"), "params.fire is 'all'"),
    ],
)
def test_tampered_records_are_refused_with_the_place(fire, change, message):
    with pytest.raises(InvalidInput, match=message):
        list(replay(change(fire)))


def with_param(record, **changes):
    return replace(record, params={**record.params, **changes})


def test_more_tampered_records(field, draughts):
    rain = next(at for at, move in enumerate(field.moves) if move.player == -1)
    ply = field.moves[rain].ply
    with pytest.raises(InvalidInput, match=f"ply {ply + 1} of .* player 0 moves, but it is chance"):
        list(replay(altered(field, rain, player=0, ply=ply + 1)))
    over = replace(field, moves=(*field.moves, replace(field.moves[0], ply=11)))
    with pytest.raises(InvalidInput, match=r"ply 11 of .* player 0 moves, but it is nobody's turn"):
        list(replay(over))
    with pytest.raises(InvalidInput, match="but the game is over"):
        list(replay(replace(field, reason="10 turns played")))
    with pytest.raises(InvalidInput, match=r"of checkers 2v2, but its params are for 2v1"):
        replay(replace(draughts, game="checkers 2v2"))
    with pytest.raises(InvalidInput, match=r"params.base hold 7"):
        replay(with_param(draughts, base=7))
    with pytest.raises(InvalidInput, match="ply 1 of the record"):
        list(replay(altered(draughts, 0, action="1-32")))
