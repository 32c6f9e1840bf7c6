"""Jobs played: the team's view of a game, beliefs that carry over, players that change."""

import json
import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace

import pytest

from sizeup.agents import Agent, read_agent
from sizeup.errors import InvalidInput
from sizeup.experiments import members, worker
from sizeup.experiments.experiment import stored_settings
from sizeup.experiments.job import Job
from sizeup.experiments.members import Changing, Stint, read_member
from sizeup.experiments.worker import play_job, record_of
from sizeup.games import checkers, narrow_tunnel, wall_of_fire
from sizeup.games.contract import View, params_of
from sizeup.play.table import arena, seated_view

QUICK = {"iterations": 10, "rollouts": 1}
SHORT, SHORTER = {"most_plies": 40}, {"most_plies": 14}


def job(team, against="obl:2", *, side=0, order=None, rounds=1, seed=11, **more):
    """A job at checkers with a quick search; teams as text."""

    def plain(text, order=None):
        who = [part.strip() for part in text.split("+")]
        return {
            "members": who, "order": order or list(range(len(who))),
            "agents": more.get("agents", {}), "search": QUICK,
        }  # fmt: skip

    config = {
        "game": more.get("game", "checkers"), "params": more.get("params", SHORT),
        "rounds": rounds, "side": side, "team": plain(team, order),
        "against": None if against is None else plain(against),
    }  # fmt: skip
    return Job("abc", 0, "cell", 0, 0, seed, config)


TEAM = "ca:4@2,4+obl:2"


def test_outcomes_are_the_records_seen_from_the_team():
    for side in (0, 1):
        played, sign = job(TEAM, side=side, seed=3), 1 - 2 * side
        (outcome,), record = play_job(played), record_of(played)
        assert record.teams == ((0, 0, 1), (0, 1, 1))[side]
        assert (
            record.players == (("ca:4@2,4", "obl:2", "obl:2"), ("obl:2", "ca:4@2,4", "obl:2"))[side]
        )
        assert record.seed == 3
        assert outcome.moves == tuple(move.action for move in record.moves)
        assert outcome.total == sign * record.total == sum(outcome.rewards)
        assert outcome.plies == len(outcome.moves) == len(outcome.rewards)
        assert outcome.reason == record.reason
        assert any(move.search for move in record.moves)
        assert "-0.0" not in json.dumps(asdict(outcome))
        assert outcome.score == {None: 0, side: 1, 1 - side: -1}[record.winner]


def test_scores_are_the_teams(monkeypatch):
    play_at, scores = worker.play_at, {}
    for winner in (None, 0, 1):

        def won(table, *, _winner=winner, **how):
            return replace(play_at(table, **how), winner=_winner)

        monkeypatch.setattr(worker, "play_at", won)
        scores[winner] = [
            play_job(job("obl:2", side=side, params=SHORTER))[0].score for side in (0, 1)
        ]
    assert scores == {None: [0, 0], 0: [1, -1], 1: [-1, 1]}


def away(shares, types, truth):
    return math.sqrt(sum(p * (d - truth) ** 2 for d, p in zip(types, shares, strict=True)))


def test_deviations_are_from_the_teammates_depth():
    played = job(TEAM, order=[1, 0])
    (outcome,), record = play_job(played), record_of(played)
    assert record.players[:2] == ("obl:2", "ca:4@2,4")  # the expert has the second seat
    expected = [away([0.5, 0.5], (2, 4), 2)] + [
        away(move.seen[1].after, (2, 4), 2)
        for move in record.moves
        if 1 in move.seen and move.player == 0
    ]
    assert len(expected) > 3
    assert outcome.deviations == {"0": {"1": pytest.approx(expected)}}
    last = outcome.posteriors["0"][1]
    assert outcome.deviations["0"]["1"][-1] == pytest.approx(away(last, (2, 4), 2))
    assert len(outcome.posteriors["0"]) == 2  # about itself, too


def test_none_of_these_is_no_depth_and_so_no_deviation():
    """How far a belief is from the truth says only what is believed of the types."""
    played = job(TEAM, agents={"rule": "sampled"}, params=SHORTER)
    (outcome,), record = play_job(played), record_of(played)
    told = [move.seen[0].after for move in record.moves if move.player == 1 and 0 in move.seen]
    assert max(sum(shares) for shares in told) < 1 - 1e-6
    expected = [away([0.5, 0.5], (2, 4), 2)]
    expected += [away([p / sum(shares) for p in shares], (2, 4), 2) for shares in told]
    assert outcome.deviations["0"]["1"] == pytest.approx(expected)
    assert outcome.posteriors["0"][1] == pytest.approx(told[-1])  # which do have it


def test_a_belief_that_a_player_is_surely_none_of_these_deviates_by_nothing(monkeypatch):
    play_at = worker.play_at

    def nobody(table, **how):
        record = play_at(table, **how)
        first = {seat: [[0.0, 0.0]] * len(rows) for seat, rows in record.first_beliefs.items()}
        return replace(record, first_beliefs=first)

    monkeypatch.setattr(worker, "play_at", nobody)
    (outcome,) = play_job(job(TEAM, params=SHORTER))
    assert outcome.deviations["0"]["1"][0] == 0.0


def test_settings_without_a_rule_are_those_of_a_game_from_before_there_was_another():
    assert read_member("ca:4@2,4").first.rule == "published"
    assert read_member("ca:4@2,4", agents={"forget": 0.1}).first.rule == "published"
    assert read_member("ca:4@2,4", agents=stored_settings({})).first.rule == "sampled"
    assert not read_member("ca:4@2,4", agents=stored_settings({})).first.top_up
    assert read_member("ca:4@2,4", agents=stored_settings({"top_up": True})).first.top_up
    old, new = (
        play_job(job(TEAM, agents=given, params=SHORTER))[0] for given in ({}, {"rule": "sampled"})
    )
    assert sum(old.posteriors["0"][1]) == pytest.approx(1.0)
    assert sum(new.posteriors["0"][1]) < 1 - 1e-6


def test_members_keep_their_numbers_in_every_seat():
    straight, turned = (
        play_job(job("ma:8@2,4,8+ma:4@2,4,8+obl:2", order=order, side=1, params=SHORTER))[0]
        for order in ([0, 1, 2], [2, 0, 1])
    )
    for outcome in (straight, turned):
        assert list(outcome.deviations) == list(outcome.posteriors) == ["0", "1"]
        assert list(outcome.deviations["0"]) == ["1", "2"]
        assert list(outcome.deviations["1"]) == ["0", "2"]
        even = [1 / 3] * 3
        assert outcome.deviations["0"]["1"][0] == pytest.approx(away(even, (2, 4, 8), 4))
        assert outcome.deviations["0"]["2"][0] == pytest.approx(away(even, (2, 4, 8), 2))
        # the second member cannot see beyond 4, so 4 is the best it can say about the first
        assert outcome.deviations["1"]["0"][0] == pytest.approx(away([0.5, 0.5], (2, 4), 4))


def test_opponents_beliefs_are_not_the_teams():
    (outcome,) = play_job(job("obl:4+obl:2", against="ca:4@2,4+obl:2", params=SHORTER))
    assert outcome.posteriors == outcome.deviations == {}


def test_nothing_is_known_about_a_player_without_depth():
    (outcome,) = play_job(job("ca:4@2,4+random", params=SHORTER))
    assert outcome.deviations == {"0": {}}
    assert len(outcome.posteriors["0"]) == 2


def test_one_team_has_no_score():
    played = job("ca:8@2,8+obl:2", against=None, game="wall-of-fire", params={"most_turns": 6})
    (outcome,) = play_job(played)
    assert outcome.score is None
    assert (outcome.plies, outcome.reason) == (6, "6 turns played")
    assert list(outcome.deviations["0"]) == ["1"]


def test_a_game_that_is_over_at_once():
    (outcome,) = play_job(job("obl:2", params={"most_plies": 0}))
    assert (outcome.plies, outcome.moves, outcome.score) == (0, (), 0)


def test_beliefs_carry_over_in_a_series():
    series = job(TEAM, rounds=3, params=SHORTER)
    first, second, third = play_job(series)
    assert play_job(job(TEAM, params=SHORTER)) == (first,)
    for before, after in ((first, second), (second, third)):
        assert after.deviations["0"]["1"][0] == before.deviations["0"]["1"][-1]
        assert after.moves != before.moves
    record = record_of(series, 2)
    assert tuple(move.action for move in record.moves) == third.moves
    assert record.first_beliefs[0][1] == pytest.approx(second.posteriors["0"][1])
    assert record.seed != series.seed


def test_games_are_numbered_from_0():
    for number in (-1, 2):
        with pytest.raises(
            InvalidInput, match=f"job abc has games 0 to 1, there is no game {number}"
        ):
            record_of(job("obl:2", rounds=2), number)


def test_settings_reach_the_agents(monkeypatch):
    set_table, seen = worker.set_table, []

    def watched(view, teams, **more):
        seen.append(teams)
        return set_table(view, teams, **more)

    monkeypatch.setattr(worker, "set_table", watched)
    agents = {"forget": 0.2, "prior": [0.9, 0.1], "temperature": 0.3, "common_seed": True}
    (outcome,) = play_job(job(TEAM, agents=agents, params=SHORTER))
    expert, novice = seen[0][0]
    assert (expert.forget, expert.prior, expert.temperature) == (0.2, (0.9, 0.1), 0.3)
    assert expert.common_seed
    assert novice == replace(read_agent("obl:2"), options=expert.options)
    assert expert.options.iterations == 10
    assert outcome.deviations["0"]["1"][0] == pytest.approx(away([0.9, 0.1], (2, 4), 2))


CODE = """
from tests.experiments.test_worker import TEAM, job
from sizeup.experiments.worker import play_job
print(play_job(job(TEAM, rounds=2, params={"most_plies": 14})))
"""


@pytest.mark.slow
def test_another_process_plays_the_same_games():
    there = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert there.stdout.strip() == str(play_job(job(TEAM, rounds=2, params=SHORTER)))


# Players that change


def test_a_member_that_changes():
    member = read_member("obl:2 until 10 then obl:8")
    assert str(member) == "obl:2 until 10 then obl:8"
    assert [member.depth(moves) for moves in (0, 9, 10, 50)] == [2, 2, 8, 8]
    assert read_member("random until 3 then obl:8").depth(2) is None


def test_a_change_comes_after_the_teams_moves(monkeypatch):
    built = []

    class Spy(Agent):
        def __init__(self, config, view, player, types, truth):
            super().__init__(config, view, player, types, truth)
            self.acted = 0
            built.append((str(config), player, types, truth, self))

        def choose(self, state, seed):
            self.acted += 1
            return super().choose(state, seed)

    monkeypatch.setattr(members, "Agent", Spy)
    (outcome,) = play_job(job("ora:4@2,4+obl:2 until 5 then obl:4", side=1))
    plan = [(name, seat, truth) for name, seat, _, truth, _ in built]
    assert sorted(plan, key=str) == sorted(
        [
            ("ora:4@2,4", 1, {1: 4, 2: 2}),
            ("ora:4@2,4", 1, {1: 4, 2: 4}),
            ("obl:2", 2, {1: 4, 2: 2}),
            ("obl:4", 2, {1: 4, 2: 4}),
        ],
        key=str,
    )
    assert all(types == (2, 4) for _, _, types, _, _ in built)
    acted = {(name, truth[2]): spy.acted for name, _, _, truth, spy in built}
    assert acted["ora:4@2,4", 2] == 3  # the team's moves 0, 2 and 4
    assert acted["obl:2", 2] == 2  # 1 and 3
    assert sum(acted.values()) == outcome.plies // 2


def test_until_a_change_the_game_is_as_without_it():
    plain, changing = (
        play_job(job(f"ora:4@2,4+{mate}"))[0].moves
        for mate in ("obl:2", "obl:2 until 6 then obl:4")
    )
    assert changing[:12] == plain[:12]
    assert changing != plain


def test_deviations_follow_a_change():
    played = job("ca:4@2,4+obl:2 until 8 then obl:4")
    (outcome,), record = play_job(played), record_of(played)
    assert record.players[1] == "obl:2 until 8 then obl:4"
    expected, moves = [away([0.5, 0.5], (2, 4), 2)], 0
    for move in record.moves:
        if move.player in (0, 1):
            if move.player == 1 and 0 in move.seen:
                expected.append(away(move.seen[0].after, (2, 4), 2 if moves < 8 else 4))
            moves += 1
    assert outcome.deviations["0"]["1"] == pytest.approx(expected)
    assert len(expected) > 6


def test_a_changing_player_is_new_in_each_game_of_a_series():
    first, second = play_job(
        job("obl:4+obl:2 until 4 then obl:4", rounds=2, params={"most_plies": 8})
    )
    again = play_job(job("obl:4+obl:2", params={"most_plies": 8}))[0]
    assert first.moves == again.moves
    assert second.plies == 8


def test_a_random_player_can_come_to_its_senses():
    changing = "obl:4+random until 4 then obl:2"
    (outcome,) = play_job(job(changing, params=SHORTER))
    assert outcome.plies == 14
    assert record_of(job(changing, params=SHORTER)).players[:2] == tuple(changing.split("+"))


def test_phases():
    view = View(checkers)
    phases = [Stint(start, read_agent("random"), {}) for start in (0, 3, 4)]
    player = Changing("x", phases, player=0, place=1, size=2, types=(1,))
    seen = []
    for _ in range(3):
        seen.append(player.phase)
        player(view, view.start(), seed=1)
    assert seen == [0, 1, 2]  # at the team's moves 1, 3 and 5
    assert player.__name__ == "x"


# What is kept from job to job


def test_jobs_are_the_same_in_any_order_and_in_threads():
    """A worker's searchers are used again; what they found before leaves no trace."""
    jobs = [job(f"ca:{depth}@2,4+obl:2", side=side) for depth in (2, 4) for side in (0, 1)]
    alone = []
    for one in jobs:
        worker._HERE.__init__()
        alone.append(play_job(one))
    assert [play_job(one) for one in reversed(jobs)] == alone[::-1]
    assert [play_job(one) for one in jobs] == alone
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(play_job, jobs)) == alone


def test_the_memory_of_searches_is_used_again():
    worker._HERE.__init__()
    one = job("ca:4@2,4+obl:2")
    play_job(one)
    made = worker._HERE.searcher.cache_info().misses
    play_job(one)
    assert worker._HERE.searcher.cache_info().misses == made > 0


# Where it is played


def test_arenas_are_made_once():
    assert arena("checkers", SHORT, (2, 1)).game is arena("checkers", dict(SHORT), [2, 1]).game
    assert arena("checkers", SHORT, (2, 1)).params.base.most_plies == 40
    assert arena("checkers", {}, (1, 1)).game is checkers
    assert arena("wall-of-fire", {"text": "SFC"}, (3,)).params.base.width == 3


def test_parameters_keep_their_kind():
    assert type(params_of(checkers, {"king_value": 2}).king_value) is float
    assert params_of(wall_of_fire, {}).width == wall_of_fire.INFO.params.width
    with pytest.raises(
        InvalidInput, match=r"no parameter 'texts'; parameters are text, fire, coin"
    ):
        params_of(wall_of_fire, {"texts": "S"})
    with pytest.raises(InvalidInput, match=r"text is a text, such as '.*'; got 3"):
        params_of(wall_of_fire, {"text": 3})


def test_sizes_of_teams():
    with pytest.raises(InvalidInput, match=r"checkers needs 2 teams of 1 to 4 players, got 1"):
        seated_view(checkers, [2])
    seated_view(narrow_tunnel, [2])
    seated_view(wall_of_fire, [4])
    with pytest.raises(InvalidInput, match=r"narrow-tunnel needs teams of 2, got teams of 3"):
        seated_view(narrow_tunnel, [3])
    with pytest.raises(InvalidInput, match="a team has 1 to 4 members, got 5"):
        seated_view(checkers, [5, 1])
