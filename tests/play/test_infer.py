"""Depths inferred from games: whose they are, how evidence adds up, tables and plain data."""

import json
import math
import re
import types
from dataclasses import replace

import numpy as np
import pytest

from sizeup.agents import SearchEngine, read_agent
from sizeup.capability import Sampled, Tempered
from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four
from sizeup.games.checkers.pdn import PdnGame, read_pdn, write_pdn
from sizeup.games.contract import View
from sizeup.play import play
from sizeup.play.infer import Inference, Interrupted, PlayerDepth, Step, infer, read_games
from sizeup.play.reading import REPEATED
from sizeup.search import SearchOptions, replicas
from sizeup.search.replicas import one_thread
from tests.play.conftest import QUICK, quick

TYPES = (1, 3)
RULES = ("sampled", "published")


def found_in(games, **settings):
    return infer(games, **{"types": TYPES, "options": QUICK, **settings})


def told_by(found):
    """Everything but what to mistrust, which depends on who is known to play, and on the game."""
    return replace(found, players=tuple(replace(one, mistrusted=()) for one in found.players))


@pytest.fixture(scope="module")
def draughts():
    """A short game of checkers, as a record and as PDN with the same players."""
    record = play("checkers", [quick("obl:3"), quick("obl:1")], seed=4)
    record = replace(record, moves=record.moves[:20])
    view = View(checkers)
    state, actions = view.start(), []
    for move in record.moves:
        actions.append(view.action_from_text(state, move.action))
        state, _ = view.apply(state, actions[-1])
    tags = (("Black", "obl:3"), ("White", "obl:1"))
    return record, PdnGame(tags, view.start(), tuple(actions))


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_posteriors_are_probabilities(four, draughts, rule):
    for found in (found_in([four], rule=rule), found_in([draughts[0]], rule=rule)):
        assert found.rule == rule
        for player in found.players:
            rows = np.array([player.prior, *(step.posterior for step in player.steps)])
            assert np.all(rows >= 0)
            sums, none = rows.sum(axis=1), 0.01 if rule == "sampled" else 0.0
            assert sums[0] == pytest.approx(1 - none)
            assert np.all(sums <= 1 + 1e-9)
            assert np.all(sums < 1) == (rule == "sampled")
            assert player.posterior == player.steps[-1].posterior
            assert player.none == pytest.approx(1 - sums[-1], abs=1e-9)
            assert 1 <= player.mean <= 3
            assert player.likeliest in player.credible
            assert (player.error > 0) == (rule == "sampled")


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


@pytest.mark.slow
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


def test_who_had_no_choice_keeps_its_prior():
    [game] = read_pdn('[White "Ann"] [FEN "W:W22:B18,1"] 1. 22x15 *')
    found = found_in([game], prior=(0.3, 0.7), rule="published")
    ann = found["Ann"]
    assert (ann.forced, ann.steps, ann.telling()) == (1, (), ())
    assert ann.posterior == ann.prior == pytest.approx((0.3, 0.7))
    shown = found_in([game]).table().splitlines()
    assert shown[0].split() == [
        *("player", "moves", "type", "1", "type", "3", "none", "90", "%", "verdict")
    ]
    assert shown[1] == "Ann         0    50 %    50 %   1 %  1 to 3  cannot tell (1 or 3)"
    assert shown[3].startswith("WARNING: Ann: not known to be a search. If this is a person, ")
    assert len(shown) == 5  # nothing was told, so nothing is told of moves


def test_pdn_and_record_of_the_same_game_tell_the_same(draughts, tmp_path):
    record, pdn = draughts
    record.save(tmp_path / "game.json")
    (tmp_path / "game.pdn").write_text(write_pdn(pdn))
    [from_record] = read_games(tmp_path / "game.json")
    [from_pdn] = read_games(tmp_path / "game.pdn")
    assert from_record == record
    assert from_pdn == pdn
    assert told_by(found_in([from_record])) == told_by(found_in([from_pdn]))


@pytest.mark.parametrize("rule", RULES)
def test_the_same_seed_gives_the_same_result(four, rule):
    found = found_in([four], rule=rule, seed=1)
    assert found_in([four], rule=rule, seed=1) == found
    assert found_in([four], rule=rule, seed=2) != found


def test_every_position_has_random_numbers_of_its_own(four):
    first, second = ([], [])
    for player in found_in([four, four]).players:
        for step in player.steps:
            (first, second)[step.game].append((step.ply, step.played))
    assert [ply for ply, _ in first] == [ply for ply, _ in second]
    assert first != second


def test_the_number_of_threads_does_not_matter(four, monkeypatch):
    with one_thread():
        alone = found_in([four])
    for threads in (2, 3):
        monkeypatch.setattr(replicas, "_CORES", threads)
        assert found_in([four]) == alone


def test_nameless_players_of_pdn_are_black_and_white():
    games = read_pdn('[Black "?"] 1. 11-15 22-18 *')
    assert [player.name for player in found_in(games).players] == ["Black", "White"]


# -- who is who ---------------------------------------------------------------------------------


def test_a_shallow_and_a_deep_player_are_told_apart():
    record = play("connect-four", ["obl:4", "obl:1"], seed=2)
    found = infer([record], types=(1, 4))
    for name, truth in (("obl:4", 4), ("obl:1", 1)):
        player = found[name]
        assert player.verdict.type == player.likeliest == truth
        assert player.credible == (truth,)
        assert player.none < 0.05
        assert f"type {truth} (" in str(found).splitlines()[1 if truth == 4 else 2]
        assert player.mean == pytest.approx(truth, abs=0.5)


@pytest.mark.slow
def test_a_random_player_is_none_of_these():
    records = [play("connect-four", ["random", "obl:2"], seed=seed) for seed in range(4)]
    found = infer(records, types=(2, 4), players=["random", "obl:2"])
    assert found["random"].verdict.is_none
    assert found["random"].verdict.type is None
    assert str(found["random"].verdict).startswith("none of these (")
    assert found["obl:2"].verdict.type == 2
    assert found["obl:2"].none < 0.01
    published = infer(records, types=(2, 4), players=["random"], rule="published")
    assert published["random"].none == 0.0  # which has no word for it


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
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
    fits = {"sampled": "a type-{} player plays this in ", "published": "it fits a type-{} player "}
    for name, action, truth in (("obl:20", "E", 20), ("obl:2", "W", 2)):
        reason = found[name].telling(1)[0].reason
        assert reason.startswith(f"{action}: {fits[rule].format(truth)}")


# -- how it is looked ---------------------------------------------------------------------------


def test_a_watcher_sees_every_move(four):
    seen = []
    found_in([four], watch=seen.append)
    assert [one.ply for one in seen] == [move.ply for move in four.moves]


def test_counts_are_of_whole_searches_and_more_of_them_if_it_is_to_be_surer(four):
    rough, fine = (found_in([four], accuracy=accuracy) for accuracy in (0.5, 0.05))
    looks = {step.samples for player in fine.players for step in player.steps}
    assert looks <= set(Sampled(0.05).looks)
    assert len(looks) > 1  # no more than it takes
    for player in fine.players:
        assert all(0 <= n <= step.samples for step in player.steps for n in step.played)
    drawn = [
        sum(step.samples for player in found.players for step in player.steps)
        for found in (rough, fine)
    ]
    assert drawn[0] < drawn[1]
    published = found_in([four], rule="published")
    assert {(s.played, s.samples) for p in published.players for s in p.steps} == {((), 0)}


def test_what_counts_say_is_what_the_rule_makes_of_them(four):
    """The log likelihood of a step is that of its own counts, to which neighbours lend some."""
    rule = Sampled()
    step = found_in([four])["obl:3"].steps[0]
    others = step.samples - np.array(step.played)
    spread = np.column_stack([step.played, *(others / 6,) * 6])  # seven columns are free
    assert step.log_likelihood == pytest.approx(np.log(rule.pooled_chances(spread, 0)))


@pytest.mark.parametrize("accuracy", [0, -0.1, 0.6, 0.001, float("nan"), "high", None, True])
def test_bad_accuracies(four, accuracy, monkeypatch):
    monkeypatch.setattr(SearchEngine, "sampled", None)  # it is told before any search
    for rule in RULES:
        with pytest.raises(InvalidInput, match="the accuracy of a belief") as refused:
            found_in([four], accuracy=accuracy, rule=rule)
        assert str(accuracy) in str(refused.value)


def test_bad_input_is_refused_at_the_door(four, tmp_path):
    wrong = replace(four.moves[0], action="z")
    turn = replace(four.moves[0], player=1)
    for games, settings, message in (
        (str(tmp_path), {}, "expected a list of games, got str; read_games"),
        ([1], {}, "expected records or PDN games, got int"),
        ([four], {"types": (3, 1)}, "must ascend"),
        ([four], {"types": ()}, "at least one"),
        (
            [four],
            {"rule": "best"},
            "there is no update rule 'best' .* 'published', 'relative' or",
        ),
        (
            [four],
            {"rule": 7},
            "a rule is 'sampled', 'published', .* module:name or has .* got 7",
        ),
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


@pytest.mark.parametrize(
    "prior", [(0.5, 0.6), (1.0,), (), (1.5, -0.5), (float("nan"), 1.0), ("a", "b"), 1.0]
)
def test_bad_priors(prior):
    with pytest.raises(InvalidInput, match="a prior has 2 probabilities that sum to 1, one for"):
        found_in([], prior=prior)


@pytest.mark.slow
def test_records_of_ones_own_game(four):
    mine = types.ModuleType("mine")
    mine.__dict__.update(vars(connect_four), INFO=replace(connect_four.INFO, name="mine"))
    record = replace(four, game="mine")
    assert told_by(found_in([record], game=mine)) == told_by(found_in([four]))
    with pytest.raises(InvalidInput, match="game 1: 'mine' is not a game that comes with Sizeup"):
        found_in([record])
    with pytest.raises(InvalidInput, match=r"the record is of 'connect-four', but .* is 'mine'"):
        found_in([four], game=mine)


# -- from evidence to posteriors ----------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_the_posterior_is_bayes_rule(four, rule):
    """With none of these as one more type, which plays at random."""
    player = found_in([four], prior=(0.8, 0.2), rule=rule).players[0]
    weights = np.array([0.8, 0.2]) * np.exp(np.sum([s.log_likelihood for s in player.steps], 0))
    none = 0.0
    if rule == "sampled":
        view, state, choices = View(connect_four), View(connect_four).start(), []
        for move in four.moves:
            choices.append(len(view.actions(state)))
            state, _ = view.apply(state, view.action_from_text(state, move.action))
        chance = math.prod(1 / choices[step.ply - 1] for step in player.steps)
        none = 0.01 / 0.99 * chance
    assert player.posterior == pytest.approx(weights / (weights.sum() + none))
    assert player.none == pytest.approx(none / (weights.sum() + none), abs=1e-9)


class Table:
    """A rule of one's own that tells what it was shown."""

    temperature = 1.0

    def __init__(self, evidence):
        self.shown, self.told = [], evidence

    def evidence(self, q, action):
        self.shown.append((np.array(q), action))
        return np.array(self.told)


def test_the_papers_rule_is_the_clipped_loss(four):
    mine = Table([0.0, 0.0])
    assert found_in([four], rule=mine).rule == "Table"
    shares, at = mine.shown[0]
    assert shares.sum(axis=1) == pytest.approx(1.0)
    loss = np.minimum(shares.max(axis=1) - shares[:, at], 0.5)
    step = found_in([four], rule="published")["obl:3"].steps[0]
    assert step.log_likelihood == pytest.approx(-loss / 0.1)
    cooling = found_in([four], rule=Tempered(lambda updates: 1.0 * updates, clip=0.5))
    assert cooling.rule == "Tempered"
    second = cooling["obl:3"].steps[1]
    same = found_in([four], rule="published")["obl:3"].steps[1]
    assert np.array(second.log_likelihood) * 2 == pytest.approx(np.array(same.log_likelihood) * 0.1)


def test_infinite_evidence_is_kept_out_of_json(four):
    found = found_in([four], rule=Table([np.inf, 0.0]))
    assert found["obl:3"].posterior == (0.0, 1.0)
    told = found.to_dict()
    assert told["players"][0]["steps"][0]["log_likelihood"] == [None, 0.0]
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    with pytest.raises(InvalidInput, match="no type explains these moves"):
        found_in([four], rule=Table([np.inf, 0.0]), prior=(1.0, 0.0))


def made_up(*posteriors, likely=(0.0, -2.0), name="Ann"):
    """A player after moves that left these posteriors."""
    steps = tuple(
        Step(0, ply, 0, "a", likely, posterior, likely[0] - likely[1], "a: because")
        for ply, posterior in enumerate(posteriors, start=1)
    )
    return PlayerDepth(name, TYPES, (0.495, 0.495), posteriors[-1], steps, 1, 0)


def test_the_credible_set_is_the_smallest_that_has_90_percent():
    player = replace(made_up((0.5, 0.5)), types=(1, 2, 3))
    for posterior, credible in (
        ((0.9, 0.1, 0.0), (1,)),
        ((0.06, 0.04, 0.9), (3,)),
        ((0.5, 0.1, 0.4), (1, 3)),
        ((1 / 3, 1 / 3, 1 / 3), (1, 2, 3)),
        ((0.0, 1.0, 0.0), (2,)),
    ):
        assert replace(player, posterior=posterior).credible == credible


def test_who_is_none_of_these_has_a_depth_only_if_it_is_one():
    player = made_up((0.01, 0.03))
    assert (str(player.verdict), player.none) == ("none of these (96 %)", pytest.approx(0.96))
    assert player.mean == pytest.approx(0.25 * 1 + 0.75 * 3)
    assert repr(player) == "<PlayerDepth of Ann: none of these (96 %) (1 moves)>"
    nobody = made_up((0.0, 0.0))
    assert math.isnan(nobody.mean)
    assert nobody.to_dict()["mean"] is None


def test_the_table_calls_nothing_certain_and_gives_no_interval_to_who_may_be_none():
    def cells(posterior):
        [row] = Inference(TYPES, "sampled", (made_up(posterior),)).table().splitlines()[1:2]
        return re.split("  +", row)

    assert cells((0.0, 1.0)) == ["Ann", "1", "<1 %", ">99 %", "<1 %", "3", "type 3 (>99 %)"]
    assert cells((0.0, 0.0))[2:] == [
        "<1 %",
        "<1 %",
        ">99 %",
        "\N{EN DASH}",
        "none of these (>99 %)",
    ]
    assert cells((0.5, 0.2))[5:] == ["\N{EN DASH}", "cannot tell (1, 3 or none of these)"]
    assert cells((0.5, 0.45))[5:] == ["1 to 3", "cannot tell (1 or 3)"]


@pytest.mark.slow
def test_a_result_is_ready_for_json_and_for_people(four):
    found = found_in([four])
    body = found.to_dict(most=2)
    assert json.loads(json.dumps(body, allow_nan=False)) == body
    assert (body["rule"], body["types"]) == ("sampled", [1, 3])
    first = body["players"][0]
    assert first["name"] == "obl:3"
    assert len(first["telling"]) == 2
    assert len(first["steps"]) == len(found["obl:3"].steps)
    assert first["verdict"] == str(found["obl:3"].verdict)
    assert first["none"] == found["obl:3"].none
    assert first["steps"][0]["played"] == list(found["obl:3"].steps[0].played)
    swings = [step.swing for step in found["obl:3"].telling(99)]
    assert swings == sorted(swings, reverse=True)
    lines = found.table(most=2).splitlines()
    assert lines[0].split()[:2] == ["player", "moves"]
    assert lines[1].startswith("obl:3")
    assert lines[1].endswith(f"  {found['obl:3'].verdict}")
    player = found["obl:3"]
    at = lines.index(
        f"obl:3: {len(player.steps)} moves with a choice in 1 game, of which {player.informative} "
        "tell depths apart. What told most:"
    )
    best = player.telling(1)[0]
    assert lines[at + 1] == f"  ply {best.ply}: {best.reason}"
    [seen] = [one for one in player.foresights if one.ply == best.ply]
    assert lines[at + 2] == f"    {seen}"
    assert "  game 2, ply " in found_in([four, four]).table(most=20)


def test_a_reason_is_the_searchs_counts(four):
    for step in found_in([four])["obl:3"].steps:
        often = dict(zip(TYPES, step.played, strict=True))
        likely, unlikely = (1, 3) if step.log_likelihood[0] > step.log_likelihood[1] else (3, 1)
        if step.swing >= 0.2:
            assert step.reason == (
                f"{step.action}: a type-{likely} player plays this in {often[likely]:.0f} of "
                f"{step.samples} searches, a type-{unlikely} player in {often[unlikely]:.0f}"
            )
        else:
            assert step.reason.startswith(f"{step.action}: it tells nothing: players of every ")


def test_moves_that_told_nothing_are_not_told(four):
    found = found_in([four], rule=Table([0.3, 0.3]))
    assert found["obl:3"].telling() == ()
    alone = found_in([four], types=(2,), rule="published")
    assert (alone["obl:3"].posterior, alone["obl:3"].telling()) == ((1.0,), ())
    assert "told most" not in alone.table()
    assert "of which 0 tell depths apart.\n" in alone.table()


def test_of_who_is_like_none_the_moves_are_told_that_no_type_makes():
    def step(ply, likely, none, samples=64):
        swing = max(likely) - min(likely)
        return Step(0, ply, 0, "a", likely, (0.0, 0.02), swing, "a", (0, 0), samples, none)

    steps = (step(1, (-3.0, 0.0), -1.0), step(2, (-5.0, -5.1), -1.0), step(3, (-3.0, -3.0), -1.0))
    player = replace(made_up((0.0, 0.02)), steps=steps)
    assert player.verdict.is_none
    assert [one.ply for one in player.telling()] == [2, 3]
    sure = replace(player, posterior=(0.01, 0.98))
    assert [one.ply for one in sure.telling()] == [1]  # the others say nothing of which type


def test_play_at_random_is_explained_by_moves_of_no_type(four):
    random = play("connect-four", ["random", "random"], seed=6)
    player = found_in([replace(random, players=("Ann", "Ben"))], types=(4, 6))["Ann"]
    assert player.verdict.is_none
    assert player.telling()
    for step in player.telling():
        assert max(step.log_likelihood) < step.none == pytest.approx(-math.log(7), abs=1.0)
    assert player.telling()[0].reason.endswith(
        f": no type of player plays this in even 1 of {player.telling()[0].samples} searches"
    )


def test_halves_of_games_may_be_like_none_of_the_types():
    likely = {1: (-1.0, -3.0), 2: (-9.0, -9.0)}
    steps = tuple(
        Step(game, ply, 0, "a", likely[kind], (0.0, 0.0), 2.0, "a", (), 0, -2.0)
        for game, kind in ((0, 2), (1, 2), (2, 2), (3, 2))
        for ply in (1, 2)
    )
    alike = replace(made_up((0.0, 0.0)), steps=steps, games=4).change
    assert str(alike).startswith("first 2 games: none of these (>99 %); last 2 games: none of ")
    assert "; no sign of a change (odds 1 to " in str(alike)


def test_one_move_tells_and_thousands_are_readable():
    many = replace(made_up((0.9, 0.1)), games=2500, forced=1000)
    assert "in 2,500 games (1,000 more forced), of which" in many.evidence
    assert made_up((0.9, 0.1)).evidence.endswith("of which 1 tells depths apart")


def test_names_stay_on_their_line():
    found = Inference(TYPES, "sampled", (made_up((0.9, 0.1), name="An\x1b[2Jn\nBen"),))
    assert found.table().splitlines()[1].startswith("An[2Jn Ben  ")
    assert found.table().splitlines()[3].startswith("An[2Jn Ben: 1 move with a choice in 1 game, ")


# -- what a verdict rests on --------------------------------------------------------------------


def test_the_most_telling_moves_are_seen_by_the_deepest_type(four):
    for player in found_in([four]).players:
        told = {(step.game, step.ply): step.action for step in player.telling()}
        assert {(one.game, one.ply): one.move for one in player.foresights} == told
        assert {one.type for one in player.foresights} == {TYPES[-1]}
        assert all(1 <= len(one.line) <= 4 for one in player.foresights)


def test_how_much_evidence_there_is(four):
    player = found_in([four])["obl:3"]
    clear = [step for step in player.steps if step.swing >= 0.2]
    assert player.informative == len(clear) > 0
    assert made_up((0.5, 0.5), likely=(0.0, -0.19)).informative == 0
    assert player.interval == (player.credible[0], player.credible[-1])


@pytest.mark.slow
def test_how_many_points_moves_lose_is_told_where_the_game_can_say(four, draughts):
    player = found_in([four])["obl:1"]
    assert player.quality.moves == len(player.steps)
    assert 0 <= player.quality.low <= player.quality.lost <= player.quality.high
    assert f"  {player.quality}" in found_in([four]).table().splitlines()
    assert player.to_dict()["quality"]["lost"] == player.quality.lost
    renamed = replace(draughts[0], players=("obl:1", "obl:3"))
    assert found_in([four, renamed], players=["obl:1"])["obl:1"].quality is None  # other points
    fire = play("wall-of-fire", [[*quick("obl:2"), *quick("obl:1")]], seed=1)
    fire = replace(fire, moves=fire.moves[:4])
    assert {player.quality for player in found_in([fire]).players} == {None}


@pytest.mark.slow
def test_games_of_a_player_are_compared(four):
    alone, twice = found_in([four])["obl:3"], found_in([four, four])["obl:3"]
    assert alone.change is None
    assert list(twice.by_game) == [0, 1]
    for game, told in twice.by_game.items():
        steps = [step.log_likelihood for step in twice.steps if step.game == game]
        assert told == pytest.approx(np.sum(steps, axis=0))
    assert twice.change.games == (1, 1)
    assert twice.change.probability < 0.5
    assert f"  {twice.change}" in found_in([four, four]).table().splitlines()
    assert twice.to_dict()["change"]["probability"] == twice.change.probability


def test_who_changes_is_said_to_have_changed():
    games = [play("connect-four", [f"obl:{depth}", "obl:2"], seed=depth) for depth in (1, 4)]
    games = [replace(game, players=("Ann", "Ben")) for game in games]
    ann = infer(games, types=(1, 4), players=["Ann"])["Ann"]
    assert (ann.change.earlier.type, ann.change.later.type) == (1, 4)
    assert ann.change.probability > 0.9
    assert str(ann.change).startswith("first game: type 1 (")
    assert "; it changed (odds " in str(ann.change)


def test_a_warning_says_whom_it_concerns(four):
    person = replace(four, agents=(None, four.agents[1]), players=("Ann", "obl:1"))
    found = found_in([person])
    ann, agent = found.players
    assert ann.mistrusted[0].startswith("not known to be a search. If this is a person, read")
    assert not any("person" in why for why in agent.mistrusted)
    lines = found.table().splitlines()
    assert any(line.startswith("WARNING: Ann: not known to be a search. ") for line in lines)
    assert "WARNING: everybody: not tried on many players at connect-four, only at checkers." in (
        lines
    )
    many = tuple(replace(ann, name=name) for name in ("Ann", "Ben", "Cid", "Dan", "Eve"))
    told = Inference(TYPES, "sampled", (*many, agent)).table()
    assert "WARNING: Ann, Ben, Cid and 2 more: not known to be" in told


@pytest.mark.slow
def test_types_may_be_numbers_of_iterations():
    """The second axis by the same mechanism: players of one depth that think for longer."""
    options = SearchOptions(axis="iterations", depth=4)
    teams = [[read_agent(f"obl:{budget}", options)] for budget in (20, 2000)]
    games = [play("connect-four", teams, seed=seed) for seed in (1, 2)]
    found = infer(games, types=(20, 2000), options=options, seed=3)
    assert [found[name].verdict.type for name in ("obl:20", "obl:2000")] == [20, 2000]


def test_a_large_error_of_sampling_is_told():
    player = made_up((0.5, 0.45))
    assert player.doubt == replace(player, error=0.1).doubt == ""
    told = replace(player, error=0.187)
    assert told.doubt.startswith("searches alone may have moved these probabilities by 19 % (")
    assert f"  {told.doubt}" in Inference(TYPES, "sampled", (told,)).table().splitlines()
    assert " by 50 % or more (" in replace(player, error=1.5).doubt


def test_games_that_are_given_twice_are_noticed(four):
    def repeated(games):
        return [REPEATED in player.mistrusted for player in found_in(games).players]

    assert repeated([four]) == [False, False]
    assert repeated([four, four]) == [True, True]
    assert REPEATED in found_in([four, four]).table()


# -- nothing is lost ----------------------------------------------------------------------------


def test_ctrl_c_while_moves_are_explained_loses_nothing(four, monkeypatch):
    whole = found_in([four])

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("sizeup.play.infer.foresee", stop)
    with pytest.raises(Interrupted) as stopped:
        found_in([four])
    found = stopped.value.found
    assert [one.posterior for one in found.players] == [one.posterior for one in whole.players]
    assert [one.foresights for one in found.players] == [(), ()]


def test_who_stops_does_not_wait_for_explanations_of_many_players(four, monkeypatch):
    monkeypatch.setattr("sizeup.play.infer._EXPLAINED", 1)

    def stop(move):
        if move.ply == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        found_in([four], watch=stop)
    assert [bool(one.foresights) for one in stopped.value.found.players] == [True, False]


def test_a_record_is_checked_to_its_end_before_any_search(four, monkeypatch):
    monkeypatch.setattr("sizeup.play.infer.SearchEngine", None)
    last = replace(four.moves[-1], action="z")
    damaged = replace(four, moves=(*four.moves[:-1], last))
    message = f"game 2, ply {last.ply}: 'z' is not a legal action here"
    with pytest.raises(InvalidInput, match=message):
        found_in([four, damaged])


def test_pdn_is_not_read_as_another_game():
    with pytest.raises(InvalidInput, match=r"game 1: PDN is of checkers, but .* 'connect-four'"):
        found_in(read_pdn("1. 11-15 *"), game=connect_four)
