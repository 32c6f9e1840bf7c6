"""Records played back: games rebuilt from them, and tampered ones refused."""

import copy
import functools
import io
import json
import operator
import random
import types
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four, harvest, narrow_tunnel, wall_of_fire
from sizeup.play import Record, play
from sizeup.play.record import _seal
from sizeup.play.replay import replay, view_of
from sizeup.play.show import MatchView


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
        ("connect-four", ["random+random", "random"], connect_four.ConnectFourParams(win=3.0)),
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
    with pytest.raises(InvalidInput, match=r"'my game 2v2' is not a game that comes with Sizeup"):
        view_of(record)
    assert len(list(replay(record, game=mine))) == len(record.moves)
    seated = play(mine, ["random+random", "random"], seed=1)
    assert view_of(seated, game=mine).info.name == "my game 2v2 2v1"
    with pytest.raises(InvalidInput, match="is of 'wall-of-fire', but the given game is 'my game"):
        view_of(fire, game=mine)
    with pytest.raises(InvalidInput, match="'os' is not a game that comes with Sizeup"):
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
        (
            lambda r: altered(r, 1, seen={0: replace(r.moves[1].seen[0], before=(0.5, 1.5))}),
            r"expected a number for each, got \[0.5, 1.5\]",
        ),
        (
            lambda r: altered(r, 1, seen={0: replace(r.moves[1].seen[0], after=(-0.5, 0.5))}),
            r"expected a number for each, got \[-0.5, 0.5\]",
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
        (lambda r: replace(r, first_beliefs={0: [[10**400]]}), "first beliefs of player 0"),
        (lambda r: replace(r, first_beliefs={0: [[1.5, -0.5]] * 2}), "first beliefs of player 0"),
        (lambda r: replace(r, carried={0: {"energy": [[-1.0, 0.0]] * 2}}), "make no sense"),
        (lambda r: replace(r, params={"width": 17}), "params hold .'width'., expected the fields"),
        (lambda r: with_param(r, width=17.5), "params.width is 17.5, expected something like 17"),
        (lambda r: with_param(r, width=True), "params.width is True"),
        (lambda r: with_param(r, fire=[0.5]), r"params.fire is \[0.5\], expected a list of int64"),
        (lambda r: with_param(r, fire=[[1], [1, 2]]), "params.fire is"),
        (lambda r: with_param(r, fire="all"), "params.fire is 'all'"),
        (lambda r: with_param(r, fire=[10**30]), "params.fire is .*expected a list of int64"),
        (lambda r: with_param(r, fire=[2**63]), "params.fire is .*expected a list of int64"),
        (lambda r: with_param(r, fire=[10**400, 0.5]), "params.fire is .*expected a list of int64"),
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
    with pytest.raises(InvalidInput, match="by the rules it ends there with 'the game is over'"):
        list(replay(replace(field, reason="10 turns played")))
    with pytest.raises(InvalidInput, match=r"of checkers 2v2, but its params are for 2v1"):
        replay(replace(draughts, game="checkers 2v2"))
    with pytest.raises(InvalidInput, match=r"params.base hold 7"):
        replay(with_param(draughts, base=7))
    with pytest.raises(InvalidInput, match="ply 1 of the record"):
        list(replay(altered(draughts, 0, action="1-32")))


def sealed(record, **changes):
    """The record with other contents and a seal that fits them."""
    return Record.from_json(replace(record, **changes).to_json())


def test_a_match_stops_where_its_rule_says(fire):
    longer = with_param(fire, most_turns=7)
    with pytest.raises(InvalidInput, match=r"after ply 6 with '6 turns played'; by .* goes on"):
        list(replay(sealed(longer)))
    shorter = with_param(fire, most_turns=4)
    with pytest.raises(
        InvalidInput, match="ply 5 of the record: the match had stopped before it: 4"
    ):
        list(replay(sealed(shorter)))
    with pytest.raises(InvalidInput, match="ends there with '6 turns played'"):
        list(replay(sealed(fire, reason="I had to leave")))
    empty = replace(with_param(fire, most_turns=0), moves=(), total=0.0, reason="0 turns played")
    assert list(replay(sealed(empty))) == []


def test_quiet_plies_are_counted_again():
    few = checkers.CheckersParams(most_quiet_plies=7)
    record = play("checkers", ["random", "random+random"], seed=3, params=few)
    assert record.reason == "7 plies without a capture"
    assert len(list(replay(record))) == len(record.moves)
    last = max(move.ply for move in record.moves if move.reward)
    assert last > 7  # so that counting has begun anew
    opened = record.moves[:3]
    claimed = sealed(record, moves=opened, total=0.0, winner=None)
    with pytest.raises(InvalidInput, match="ends after ply 3 with '7 plies without a capture'; by"):
        list(replay(claimed))
    params = {**record.params, "base": {**record.params["base"], "most_quiet_plies": 5}}
    with pytest.raises(InvalidInput, match=r"ply \d+ of .* stopped before it: 5 plies without"):
        list(replay(sealed(record, params=params)))


def test_chance_is_neither_quiet_nor_loud():
    mine = types.ModuleType("mine")
    mine.__dict__.update(vars(harvest))
    mine.INFO = replace(harvest.INFO, name="mine")
    mine.adjourned = lambda plies, quiet, params: f"{quiet} quiet" if quiet >= 4 else None
    record = play(mine, ["random+random+random"], seed=2)
    assert record.reason == "4 quiet"
    assert any(move.player == -1 for move in record.moves[-4:])
    assert len(list(replay(record, game=mine))) == len(record.moves)


NAN = float("nan")


@pytest.mark.parametrize(
    ("game", "teams", "change", "message"),
    [
        ("wall-of-fire", 2, {"width": 0}, "width is 0, expected a whole number of 1 or more"),
        ("wall-of-fire", 2, {"height": -7}, "height is -7, expected a whole number of 1 or more"),
        (
            "wall-of-fire",
            2,
            {"width": 18},
            r"fire is \[0, .*expected a number for each of 126 tiles",
        ),
        (
            "wall-of-fire",
            2,
            {"fire": [0]},
            r"fire is \[0\], expected a number for each of 119 tiles",
        ),
        ("wall-of-fire", 2, {"coin": [0]}, "coin is .*expected a number for each of 119 tiles"),
        ("wall-of-fire", 2, {"coin": [99] * 119}, r"coin is \[99.*numbers of coins from 0 to 61"),
        ("wall-of-fire", 2, {"start": 119}, "start is 119, expected a tile from 0 to 118"),
        ("wall-of-fire", 2, {"start": -1}, "start is -1, expected a tile"),
        ("wall-of-fire", 2, {"all_coins": -1}, "all_coins is -1, expected the bits of 62 coins"),
        ("wall-of-fire", 2, {"all_coins": 2**62}, "all_coins is .*the bits of 62 coins"),
        ("wall-of-fire", 2, {"most_turns": -5}, "most_turns is -5, expected a whole number of 0"),
        ("wall-of-fire", 2, {"most_turns": 10**30}, "most_turns is 10+, expected .* of 64 bits"),
        ("wall-of-fire", 2, {"fire_reward": NAN}, "fire_reward is nan, expected a number"),
        ("wall-of-fire", 2, {"coin_reward": 10**400}, r"coin_reward is 1.*expected .* of 64 bits"),
        ("narrow-tunnel", 2, {"wall": []}, r"wall is \[\], expected a number for each of 48 tiles"),
        ("narrow-tunnel", 2, {"blue": 48}, "blue is 48, expected a tile from 0 to 47"),
        ("narrow-tunnel", 2, {"red": 23}, "red is 23, expected another tile than blue's"),
        ("narrow-tunnel", 2, {"red_coins": -2}, "red_coins is -2, expected the bits"),
        ("narrow-tunnel", 2, {"red_reward": float("inf")}, "red_reward is inf, expected a number"),
        ("harvest", 3, {"rain": []}, r"rain is \[\], expected a list of probabilities"),
        ("harvest", 3, {"rain": [0.5, 1.5]}, r"rain is \[0.5, 1.5\], expected a list of prob"),
        ("harvest", 3, {"rain": [NAN]}, "rain is .nan., expected a list of probabilities"),
        ("connect-four", 0, {"win": NAN}, "win is nan, expected a number"),
        ("checkers", 0, {"most_plies": -1}, "most_plies is -1, expected a whole number of 0"),
        ("checkers", 0, {"most_quiet_plies": -1}, "most_quiet_plies is -1"),
        ("checkers", 0, {"king_value": NAN}, "king_value is nan"),
    ],
)
def test_parameters_that_a_game_cannot_have_are_refused(game, teams, change, message):
    seats = ["+".join(["random"] * teams)] if teams else ["random", "random"]
    record = with_param(play(game, seats, seed=1), **change)
    with pytest.raises(InvalidInput, match=f"^the record's params.{message}") as refused:
        replay(record)
    assert len(str(refused.value)) < 200
    if not teams:
        seated = play(game, ["random", "random+random"], seed=1)
        with pytest.raises(InvalidInput, match=f"^the record's params.base.{message}"):
            replay(with_param(seated, base={**seated.params["base"], **change}))


def resealed(body):
    """The text of a record with whatever contents, and a seal that fits them."""
    return json.dumps({**body, "sha256": _seal(body)})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": ["ca:20", 2]}, r"the record has players = \['ca:20', 2\]: 2 is of the wrong"),
        ({"teams": [0, 0.0]}, "the record has teams = .* 0.0 is of the wrong kind"),
        ({"types": [2, True]}, "the record has types = .* True is of the wrong kind"),
        ({"total": 10**400}, "the record has total = 1000.* of the wrong kind"),
        ({"first_beliefs": {"me": []}}, "has first_beliefs of me; expected numbers of seats"),
    ],
)
def test_records_that_hold_something_else_are_refused(fire, change, message):
    with pytest.raises(InvalidInput, match=message):
        Record.from_json(resealed({**json.loads(fire.to_json()), **change}))


@pytest.mark.parametrize(
    ("seen", "message"),
    [
        ({"me": {}}, "move 2 of the record has seen of me; expected numbers of seats"),
        ({"0": 7}, "move 2 of the record has seen = 7; expected actor, evidence, before and after"),
        ({"0": {"actor": 1}}, "has seen = {'actor': 1}; expected actor, evidence"),
        ({"0": {"actor": 1, "evidence": ["x"], "before": [], "after": []}}, "expected actor, ev"),
    ],
)
def test_what_was_seen_has_its_form(fire, seen, message):
    body = json.loads(fire.to_json())
    body["moves"][1]["seen"] = seen
    with pytest.raises(InvalidInput, match=message):
        Record.from_json(resealed(body))


ODD = (
    *(None, True, -1, 0, 3, 10**30, 10**400, 2.5, NAN, float("inf"), "x", "", "0"),
    *([], [1], [[1], [1, 2]], {}, {"0": 1}, {"odd": 1}),
)


@pytest.mark.slow
def test_whatever_is_in_a_record_it_is_refused_in_one_line_or_played_back(fire, field):
    """A seal only says that nobody has changed a record since it was sealed."""
    rng = random.Random(1)
    bodies = [json.loads(record.to_json()) for record in (fire, field)]
    refusals = []
    for _ in range(250):
        body = copy.deepcopy(rng.choice(bodies))
        name = rng.choice([key for key in body if key not in ("schema", "sha256", "versions")])
        *path, last = rng.choice(list(places(body[name], (name,))))
        inner = functools.reduce(operator.getitem, path, body)
        inner[last] = copy.deepcopy(rng.choice(ODD))
        try:
            played = Record.from_json(resealed(body))
            MatchView(Console(file=io.StringIO(), width=60)).play_back(played)
        except InvalidInput as error:
            refusals.append(str(error))
    assert len(refusals) > 150
    assert not any("\n" in message for message in refusals)


def places(value, path):
    """Where something could be changed, as paths of keys and indices."""
    yield path
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))
