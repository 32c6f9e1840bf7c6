"""Depths inferred from games: posteriors, readers, and how evidence adds up."""

import json
from dataclasses import replace

import numpy as np
import pytest

from sizeup.agents import read_agent
from sizeup.capability import Tempered
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games import checkers, connect_four, harvest
from sizeup.games.contract import View
from sizeup.games.pdn import PdnGame, read_pdn, write_pdn
from sizeup.play import play
from sizeup.play.choice_model import (
    FITTED,
    PAPER,
    ChoiceModel,
    fit,
    golden_section,
    rule_of,
)
from sizeup.play.infer import Look, conclude, infer, look, read_games
from sizeup.search import SearchOptions

QUICK = SearchOptions(iterations=20, rollouts=1)
TYPES = (1, 3)


def quick(text):
    return [read_agent(part, QUICK) for part in text.split("+")]


def found_in(games, **settings):
    return infer(games, **{"types": TYPES, "options": QUICK, **settings})


@pytest.fixture(scope="module")
def four():
    """A game of Connect Four between unequal players."""
    return play("connect-four", [quick("obl:3"), quick("obl:1")], seed=5)


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


def test_the_posterior_is_bayes_rule(four):
    player = found_in([four], prior=(0.8, 0.2)).players[0]
    told = np.sum([step.log_likelihood for step in player.steps], axis=0)
    weights = np.array([0.8, 0.2]) * np.exp(told)
    assert player.posterior == pytest.approx(weights / weights.sum())


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


def test_the_credible_set_is_the_smallest_that_has_90_percent():
    player = found_in(read_pdn("1. 11-15 *"), types=(1, 2, 3)).players[0]
    for posterior, credible in (
        ((0.9, 0.1, 0.0), (1,)),
        ((0.06, 0.04, 0.9), (3,)),
        ((0.5, 0.1, 0.4), (1, 3)),
        ((1 / 3, 1 / 3, 1 / 3), (1, 2, 3)),
        ((0.0, 1.0, 0.0), (2,)),
    ):
        assert replace(player, posterior=posterior).credible == credible


@pytest.mark.parametrize("rule", ["fitted", "paper"])
def test_a_strong_signal_is_understood(rule):
    """The expert pushes into the fire, towards the coin that only it sees; the novice backs off."""
    record = play("wall-of-fire", ["obl:20+obl:2"], seed=1)
    assert [move.action for move in record.moves[:4]] == ["E", "W", "E", "W"]
    found = infer([replace(record, moves=record.moves[:4])], (2, 20), rule=rule)
    for player, truth in zip(found.players, (20, 2), strict=True):
        assert player.likeliest == truth
        assert max(player.posterior) > 0.95
        assert player.credible == (truth,)
        assert player.mean == pytest.approx(truth, abs=0.9)
    assert found["obl:20"].telling(1)[0].reason.startswith("type 20 gives E ")
    assert found["obl:2"].telling(1)[0].reason.startswith("type 2 gives W ")


def test_a_result_is_ready_for_json_and_for_people(four):
    found = found_in([four])
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
    assert "  game 2, ply " in found_in([four, four]).table()


def test_a_reason_is_the_searchs_numbers():
    shares = np.array([[0.04, 0.96], [0.61, 0.39]])
    [step] = conclude([Look(0, 7, 1, "Ann", "22x15", 0, shares)], (2, 6))["Ann"].steps
    assert step.reason == "type 6 gives 22x15 61 % of its visits, type 2 4 %"


def test_a_watcher_sees_every_move(four):
    seen = []
    found_in([four], watch=seen.append)
    assert [one.ply for one in seen] == [move.ply for move in four.moves]


def test_the_papers_rule_is_the_clipped_loss(four):
    looks = list(look([four], TYPES, options=QUICK))
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
    found = conclude([Look(0, 1, 0, "Ann", "a", 0, shares)], TYPES, model)
    assert found["Ann"].posterior == (0.0, 1.0)
    assert found.to_dict()["players"][0]["steps"][0]["log_likelihood"][0] is None
    with pytest.raises(InvalidInput, match="no type explains these moves"):
        conclude([Look(0, 1, 0, "Ann", "a", 0, shares)], TYPES, model, prior=(1.0, 0.0))


BAD_FILES = {
    '[GameType "20"] 1. 32-28 *': "line 1, column 12: the game type is '20'; expected 21",
    "1. 32-28 19-23 *": "line 1, column 4: ",
    "{}": "expected a record of schema 'sizeup-record/1', got None",
    '{"schema": "sizeup-record/1", ': "the record is cut off or no JSON: line 1",
    "[]": "got 'list'",
    "": "there is no game in it; expected a record",
    "\x00\x01\x02": "line 1, column 1: ",
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_file_that_is_none_is_refused_in_one_line(tmp_path, text):
    path = tmp_path / "games"
    path.write_text(text)
    with pytest.raises(InvalidInput) as refused:
        read_games(path)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert BAD_FILES[text] in message
    assert "\n" not in message


def test_files_that_cannot_be_read_and_files_of_long_ago(four, tmp_path):
    with pytest.raises(InvalidInput, match=r"cannot read .*missing: No such file"):
        read_games(tmp_path / "missing")
    (tmp_path / "old.pdn").write_bytes('[Black "Lépine"] {a note} 1. 11-15 *'.encode("latin-1"))
    assert dict(read_games(tmp_path / "old.pdn")[0].tags) == {"Black": "Lépine"}
    (tmp_path / "noted.pdn").write_bytes(b"\xef\xbb\xbf{a note} 1. 11-15 *")
    assert len(read_games(tmp_path / "noted.pdn")) == 1
    (tmp_path / "marked.json").write_text(four.to_json(), encoding="utf-8-sig")
    assert read_games(tmp_path / "marked.json") == [four]


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
        ([four], {"prior": (1.0,)}, "a prior has 2 probabilities"),
        ([four], {"by": "hat"}, "told apart by 'name' or by 'seat', got 'hat'"),
        ([four], {"seed": -1}, "a seed is a whole number of 0 or more, got -1"),
        ([replace(four, moves=(wrong,))], {}, "game 1, ply 1: 'z' is not a legal action here"),
        ([replace(four, moves=(turn,))], {}, "game 1, ply 1: player 1 moved, but it is the turn"),
        ([replace(four, game="os")], {}, "the record is of 'os', which does not come with Sizeup"),
        ([replace(four, params={"size": 1})], {}, "the record has parameters size; expected win"),
    ):
        with pytest.raises(InvalidInput, match=message):
            found_in(games, **settings)
    with pytest.raises(InvalidInput, match="there is no player 'Ann'; players are obl:3, obl:1"):
        found_in([four])["Ann"]
    assert found_in([replace(four, game="mine")], game=connect_four) == found_in([four])


def test_parameters_of_the_wrong_kind_are_refused():
    record = play("wall-of-fire", [quick("obl:1+obl:1")], seed=2)
    name, value = next(iter(record.params.items()))
    for bad in ("much", [[[value]]], None):
        with pytest.raises(InvalidInput, match=f"the record's parameter {name} is"):
            found_in([replace(record, params={**record.params, name: bad})])


def test_a_choice_model_gives_probabilities_that_fall_with_the_share():
    model = ChoiceModel.of((2, 5, 20))
    chances = model.probabilities([[0.5, 0.3, 0.2, 0.0]] * 3)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert np.all(np.diff(chances, axis=1) <= 0)
    assert np.all(chances > 0)
    assert -np.log(chances[:, 2]) == pytest.approx(model.evidence([[0.5, 0.3, 0.2, 0.0]] * 3, 2))


def test_fitted_constants_are_those_of_their_depths_and_between():
    assert ChoiceModel.of((2, 8)).sharpness == pytest.approx((FITTED[2][0], FITTED[8][0]))
    assert ChoiceModel.of((30,)).sharpness == pytest.approx((FITTED[8][0],))
    assert ChoiceModel.of((2, 4), error=0.3).error == (0.3, 0.3)
    assert rule_of("fitted", (2, 4)) == ChoiceModel.of((2, 4))
    assert rule_of("paper", (2, 4)) is PAPER


@pytest.mark.parametrize(("sharp", "rate"), [(4.0, 0.05), (15.0, 0.2)])
def test_a_fit_finds_the_constants_that_made_the_choices(sharp, rate):
    rng = np.random.default_rng(1)
    model = ChoiceModel((sharp,), (rate,))
    moves = []
    for _ in range(4000):
        shares = rng.dirichlet(np.ones(rng.integers(2, 9)))
        chances = model.probabilities([shares])[0]
        moves.append((shares, int(rng.choice(len(shares), p=chances))))
    found = fit({4: moves})[4]
    assert found[0] == pytest.approx(sharp, rel=0.15)
    assert found[1] == pytest.approx(rate, abs=0.03)


def test_golden_section_finds_a_valley():
    assert golden_section(lambda x: abs(x - 2.0), -5.0, 9.0) == pytest.approx(2.0, abs=0.01)


def test_choice_models_refuse_nonsense():
    for sharpness, error, heat, message in (
        ((1.0,), (0.1, 0.1), 1.0, "a sharpness and an error rate for each type"),
        ((), (), 1.0, "for each type"),
        ((-1.0,), (0.1,), 1.0, "a sharpness is 0 or more"),
        ((1.0,), (1.5,), 1.0, "an error rate is from 0 to 1"),
        ((1.0,), (0.1,), 0.0, "a temperature must be above 0"),
    ):
        with pytest.raises(InvalidInput, match=message):
            ChoiceModel(sharpness, error, heat)
    model = ChoiceModel((1.0, 1.0), (0.1, 0.1))
    with pytest.raises(InvalidInput, match="expected shares of 2 types in rows"):
        model.probabilities([[0.5, 0.5]])
    with pytest.raises(InvalidInput, match="not all 0"):
        model.probabilities([[0.0, 0.0], [0.5, 0.5]])
    for action in (2, -1, 0.5):
        with pytest.raises(IllegalAction, match="not one of the 2 legal actions"):
            model.evidence([[0.5, 0.5], [0.5, 0.5]], action)
    with pytest.raises(InvalidInput, match="no moves to fit to"):
        fit({2: []})
