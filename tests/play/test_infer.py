"""Depths inferred from games: whose they are, how evidence adds up, tables and plain data."""

import json
import types
from dataclasses import replace

import numpy as np
import pytest

from sizeup.capability import Tempered
from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four
from sizeup.games.checkers.pdn import PdnGame, read_pdn, write_pdn
from sizeup.games.contract import View
from sizeup.play import play
from sizeup.play.choice_model import ChoiceModel
from sizeup.play.infer import SeenMove, conclude, infer, look, read_games
from tests.play.conftest import QUICK, quick

TYPES = (1, 3)


def found_in(games, **settings):
    return infer(games, **{"types": TYPES, "options": QUICK, **settings})


@pytest.fixture(scope="module")
def draughts():
    """A short game of checkers, as a record and as PDN with the same players."""
    record = play("checkers", [quick("obl:3"), quick("obl:1")], seed=4)
    record = replace(record, moves=record.moves[:30])
    view = View(checkers)
    state, actions = view.start(), []
    for move in record.moves:
        actions.append(view.action_from_text(state, move.action))
        state, _ = view.apply(state, actions[-1])
    tags = (("Black", "obl:3"), ("White", "obl:1"))
    return record, PdnGame(tags, view.start(), tuple(actions))


@pytest.mark.parametrize("rule", ["fitted", "paper"])
def test_posteriors_are_probabilities(four, draughts, rule):
    for found in (found_in([four], rule=rule), found_in([draughts[0]], rule=rule)):
        assert found.rule == rule
        for player in found.players:
            rows = np.array([player.prior, *(step.posterior for step in player.steps)])
            assert np.all(rows >= 0)
            assert rows.sum(axis=1) == pytest.approx(1.0)
            assert player.posterior == player.steps[-1].posterior
            assert 1 <= player.mean <= 3
            assert player.likeliest in player.credible


def test_players_come_in_the_order_of_their_seats_and_keep_their_moves_apart(four):
    found = found_in([four])
    assert [player.name for player in found.players] == ["obl:3", "obl:1"]
    for at, player in enumerate(found.players):
        assert {step.seat for step in player.steps} == {at}
        moves = [move.action for move in four.moves if move.player == at]
        assert len(player.steps) + player.forced == len(moves)
    assert found["obl:1"] == found.players[1]
    only = found_in([four], players=["obl:1"])
    assert only.players == (found["obl:1"],)


def test_evidence_of_several_games_adds_up_wherever_the_player_sits(four):
    swapped = play("connect-four", [quick("obl:1"), quick("obl:3")], seed=6)
    both = found_in([four, swapped])
    one, other = found_in([four])["obl:3"], both["obl:3"]
    assert other.games == 2
    assert other.steps[: len(one.steps)] == one.steps
    later = other.steps[len(one.steps) :]
    assert {step.seat for step in later} == {1}
    told = np.sum([step.log_likelihood for step in (*one.steps, *later)], axis=0)
    assert np.log(other.posterior[1] / other.posterior[0]) == pytest.approx(told[1] - told[0])
    by_seat = found_in([four, swapped], by="seat")
    assert [player.name for player in by_seat.players] == ["seat 0", "seat 1"]
    assert by_seat.players[0].posterior != other.posterior


def test_forced_moves_carry_nothing():
    pdn = read_pdn('[Black "Ann"] [White "Ben"] 1. 11-15 22-18 2. 15x22 25x18 *')
    ann, ben = found_in(pdn).players
    assert (len(ann.steps), ann.forced) == (1, 1)
    assert [step.action for step in ann.steps] == ["11-15"]
    assert (len(ben.steps), ben.forced) == (2, 0)
    forced = [one for one in look(pdn, TYPES, options=QUICK) if one.is_forced]
    assert [(one.ply, one.shares) for one in forced] == [(3, None)]
    alone = conclude(forced, TYPES, prior=(0.3, 0.7))["Ann"]
    assert alone.posterior == alone.prior == (0.3, 0.7)
    assert alone.telling() == ()
    shown = conclude(forced, TYPES).table().splitlines()
    assert shown[1].split() == ["Ann", "0", "50", "%", "50", "%", "2.0", "1,", "3"]
    assert len(shown) == 2


def test_pdn_and_record_of_the_same_game_tell_the_same(draughts, tmp_path):
    record, pdn = draughts
    record.save(tmp_path / "game.json")
    (tmp_path / "game.pdn").write_text(write_pdn(pdn))
    [from_record] = read_games(tmp_path / "game.json")
    [from_pdn] = read_games(tmp_path / "game.pdn")
    assert from_record == record
    assert from_pdn == pdn
    assert found_in([from_record]) == found_in([from_pdn])
    assert found_in([record], seed=1) != found_in([record])


def test_nameless_players_of_pdn_are_black_and_white():
    games = read_pdn('[Black "?"] 1. 11-15 22-18 *')
    assert [player.name for player in found_in(games).players] == ["Black", "White"]


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["fitted", "paper"])
def test_a_strong_signal_is_understood(rule):
    """The expert pushes into the fire, towards the coin that only it sees; the novice backs off."""
    record = play("wall-of-fire", ["obl:20+obl:2"], seed=1)
    assert [move.action for move in record.moves[:4]] == ["E", "W", "E", "W"]
    found = infer([replace(record, moves=record.moves[:8])], (2, 20), rule=rule)
    for player, truth in zip(found.players, (20, 2), strict=True):
        assert player.likeliest == truth
        assert max(player.posterior) > 0.95
        assert player.credible == (truth,)
        assert player.mean == pytest.approx(truth, abs=0.9)
    assert found["obl:20"].telling(1)[0].reason.startswith("type 20 gives E ")
    assert found["obl:2"].telling(1)[0].reason.startswith("type 2 gives W ")


def test_a_watcher_sees_every_move(four):
    seen = []
    found_in([four], watch=seen.append)
    assert [one.ply for one in seen] == [move.ply for move in four.moves]


def test_bad_input_is_refused_at_the_door(four, tmp_path):
    wrong = replace(four.moves[0], action="z")
    turn = replace(four.moves[0], player=1)
    for games, settings, message in (
        (str(tmp_path), {}, "expected a list of games, got str; read_games"),
        ([1], {}, "expected records or PDN games, got int"),
        ([four], {"types": (3, 1)}, "must ascend"),
        ([four], {"types": ()}, "at least one"),
        ([four], {"rule": "best"}, "there is no rule 'best'; expected one of fitted, paper"),
        ([four], {"prior": (0.5, 0.6)}, "a prior has 2 probabilities that sum to 1"),
        ([four], {"by": "hat"}, "told apart by 'name' or by 'seat', got 'hat'"),
        ([four], {"seed": -1}, "a seed is a whole number of 0 or more, got -1"),
        ([replace(four, moves=(wrong,))], {}, "game 1, ply 1: 'z' is not a legal action here"),
        ([replace(four, moves=(turn,))], {}, "game 1, ply 1: player 1 moved, but it is the turn"),
    ):
        with pytest.raises(InvalidInput, match=message):
            found_in(games, **settings)
    with pytest.raises(InvalidInput, match="there is no player 'Ann'; players are obl:3, obl:1"):
        found_in([four])["Ann"]


def test_records_of_ones_own_game(four):
    mine = types.ModuleType("mine")
    mine.__dict__.update(vars(connect_four), INFO=replace(connect_four.INFO, name="mine"))
    record = replace(four, game="mine")
    assert found_in([record], game=mine) == found_in([four])
    with pytest.raises(InvalidInput, match="game 1: 'mine' is not a game that comes with Sizeup"):
        found_in([record])
    with pytest.raises(InvalidInput, match=r"the record is of 'connect-four', but .* is 'mine'"):
        found_in([four], game=mine)


# -- from what was seen to posteriors -----------------------------------------------------------


@pytest.fixture(scope="module")
def looks(four):
    return list(look([four], TYPES, options=QUICK))


def seen(shares, player="Ann", game=0, ply=1, action="a"):
    return SeenMove(game, ply, 0, player, action, 0, np.array(shares))


def test_the_posterior_is_bayes_rule(looks):
    player = conclude(looks, TYPES, prior=(0.8, 0.2)).players[0]
    told = np.sum([step.log_likelihood for step in player.steps], axis=0)
    weights = np.array([0.8, 0.2]) * np.exp(told)
    assert player.posterior == pytest.approx(weights / weights.sum())


def test_the_credible_set_is_the_smallest_that_has_90_percent():
    player = conclude([seen([[0.5, 0.5]] * 3)], types=(1, 2, 3))["Ann"]
    for posterior, credible in (
        ((0.9, 0.1, 0.0), (1,)),
        ((0.06, 0.04, 0.9), (3,)),
        ((0.5, 0.1, 0.4), (1, 3)),
        ((1 / 3, 1 / 3, 1 / 3), (1, 2, 3)),
        ((0.0, 1.0, 0.0), (2,)),
    ):
        assert replace(player, posterior=posterior).credible == credible


def test_a_result_is_ready_for_json_and_for_people(looks):
    found = conclude(looks, TYPES)
    body = found.to_dict(most=2)
    assert json.loads(json.dumps(body, allow_nan=False)) == body
    first = body["players"][0]
    assert first["name"] == "obl:3"
    assert len(first["telling"]) == 2
    assert len(first["steps"]) == len(found["obl:3"].steps)
    swings = [step.swing for step in found["obl:3"].telling(99)]
    assert swings == sorted(swings, reverse=True)
    lines = found.table(most=2).splitlines()
    assert lines[0].split()[:2] == ["player", "moves"]
    assert lines[1].startswith("obl:3")
    at = lines.index("obl:3: what told most")
    best = found["obl:3"].telling(1)[0]
    assert lines[at + 1] == f"  ply {best.ply}: {best.reason}"
    later = [replace(one, game=1) for one in looks]
    assert "  game 2, ply " in conclude([*looks, *later], TYPES).table()


def test_moves_that_told_nothing_are_not_told():
    moves = [seen([[0.7, 0.3], [0.7, 0.3]]), seen([[0.9, 0.1], [0.2, 0.8]], ply=3)]
    found = conclude(moves, TYPES, "paper")
    assert [step.ply for step in found["Ann"].telling()] == [3]
    alone = conclude([seen([[0.7, 0.3]])], types=(2,))
    assert (alone["Ann"].posterior, alone["Ann"].telling()) == ((1.0,), ())
    assert "told most" not in alone.table()


def test_names_stay_on_their_line():
    found = conclude([seen([[0.9, 0.1], [0.2, 0.8]], player="An\x1b[2Jn\nBen")], TYPES)
    assert found.table().splitlines()[1].startswith("An[2Jn Ben  ")
    assert found.table().splitlines()[3] == "An[2Jn Ben: what told most"


@pytest.mark.parametrize(
    "prior", [(0.5, 0.6), (1.0,), (), (1.5, -0.5), (float("nan"), 1.0), ("a", "b"), 1.0]
)
def test_bad_priors(prior):
    with pytest.raises(InvalidInput, match="a prior has 2 probabilities that sum to 1, one for"):
        conclude([], TYPES, prior=prior)


def test_a_reason_is_the_searchs_numbers():
    shares = np.array([[0.04, 0.96], [0.61, 0.39]])
    [step] = conclude([SeenMove(0, 7, 1, "Ann", "22x15", 0, shares)], (2, 6))["Ann"].steps
    assert step.reason == "type 6 gives 22x15 61 % of its visits, type 2 4 %"


def test_the_papers_rule_is_the_clipped_loss(looks):
    step = conclude(looks, TYPES, "paper")["obl:3"].steps[0]
    shares = looks[0].shares
    loss = np.minimum(shares.max(axis=1) - shares[:, looks[0].chosen], 0.5)
    assert step.log_likelihood == pytest.approx(-loss / 0.1)
    mine = conclude(looks, TYPES, Tempered(lambda updates: 1.0 * updates, clip=0.5))
    assert mine.rule == "Tempered"
    assert sum(mine["obl:3"].posterior) == pytest.approx(1.0)


def test_infinite_evidence_is_kept_out_of_json():
    shares = np.array([[0.0, 1.0], [0.5, 0.5]])
    model = ChoiceModel(sharpness=(1e6, 1.0), error=(0.0, 0.0))
    found = conclude([SeenMove(0, 1, 0, "Ann", "a", 0, shares)], TYPES, model)
    assert found["Ann"].posterior == (0.0, 1.0)
    assert found.to_dict()["players"][0]["steps"][0]["log_likelihood"][0] is None
    with pytest.raises(InvalidInput, match="no type explains these moves"):
        conclude([SeenMove(0, 1, 0, "Ann", "a", 0, shares)], TYPES, model, prior=(1.0, 0.0))
