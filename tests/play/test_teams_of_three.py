"""Teams of three players of three depths: whole games, what they believe, and how far apart.

How likely the members find one move for players of each type differs by the noise of their
searches. Energies differ by the noise added up so far; energies within eta of each other give
posteriors, over the types alone, within tanh(eta / 2) of each other in total variation.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from sizeup.agents import read_agent
from sizeup.capability import TypeSet
from sizeup.games.contract import OVER, load_game, params_of
from sizeup.play import Record, play
from sizeup.play.replay import replay, view_of
from sizeup.search import SearchOptions

pytestmark = pytest.mark.slow

QUICK = SearchOptions(iterations=30, rollouts=1)
MATCHES = {
    "fire, deep first": ("wall-of-fire", ["ca:8+ca:4+ca:2"], {}),
    "fire, shallow first": ("wall-of-fire", ["ca:2+ca:4+ca:8"], {}),
    "fire, deep in the middle": ("wall-of-fire", ["ma:4+ma:8+ma:2"], {}),
    "checkers, black": ("checkers", ["ca:6+ca:4+ca:2", "obl:4"], {"most_plies": 36}),
    "checkers, white": ("checkers", ["obl:4", "ca:2+ca:6+ca:4"], {}),  # to the end by the rules
}


def teams_of(name, **changes):
    _, teams, _ = MATCHES[name]
    return [[replace(read_agent(p, QUICK), **changes) for p in team.split("+")] for team in teams]


@cache
def played(name, common_seed=False):
    game, _, given = MATCHES[name]
    params = params_of(load_game(game), given)
    return play(game, teams_of(name, common_seed=common_seed), seed=7, params=params)


def own_types(record):
    """Type of each member of the team of three, by seat."""
    return {p: read_agent(record.players[p]).own for p in record.first_beliefs}


def told(record):
    """Moves from which somebody learnt."""
    return [move for move in record.moves if move.seen]


# -- whole games --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MATCHES)
def test_whole_games_are_played_in_turn(name):
    record = played(name)
    view = view_of(record)
    *_, (state, last) = replay(record)  # which refuses a match that ends too early or too late
    after, _ = view.apply(state, view.action_from_text(state, last.action))
    assert (record.reason == OVER) == (not view.actions(after))
    team = sorted(own_types(record))
    assert len(team) == 3
    movers = [move.player for move in record.moves if move.player in team]
    assert movers == [team[turn % 3] for turn in range(len(movers))]
    assert len(movers) > 12


@pytest.mark.parametrize("name", MATCHES)
def test_records_play_back_move_by_move(name):
    record = played(name)
    again = Record.from_json(record.to_json())
    assert again == record
    view = view_of(again)
    for state, move in replay(again):
        assert view.actor(state) == move.player
        learns = move.player in own_types(record) and len(view.actions(state)) > 1
        assert set(move.seen) == (set(own_types(record)) if learns else set())


@pytest.mark.parametrize("name", MATCHES)
def test_everybody_has_beliefs_about_everybody(name):
    record, own = played(name), own_types(played(name))
    assert set(record.types) == set(own.values()) | ({4} if record.game.startswith("ch") else set())
    held = {
        (holder, subject): row
        for holder, rows in record.first_beliefs.items()
        for subject, row in enumerate(rows)
    }
    met = set()
    for move in told(record):
        for holder, seen in move.seen.items():
            assert seen.actor == move.player
            assert list(seen.before) == list(held[holder, move.player])
            held[holder, move.player] = seen.after
            met.add((holder, move.player))
    assert met == set(product(own, own))
    assert any(seen.before != seen.after for move in told(record) for seen in move.seen.values())


@pytest.mark.parametrize("name", MATCHES)
def test_beliefs_are_probabilities_of_types_up_to_ones_own(name):
    record = played(name)
    for holder, own in own_types(record).items():
        above = [c > own for c in record.types]
        rows = [*record.first_beliefs[holder]]
        for move in told(record):
            seen = move.seen[holder]
            rows += [seen.before, seen.after]
            assert [loss is None for loss in seen.evidence] == above
            assert all(0 <= one < np.inf for one in seen.evidence if one is not None)
            assert [count is None for count in seen.played] == above
            assert all(0 <= n <= seen.samples for n in seen.played if n is not None)
        none = 1 - np.sum(rows, axis=1)
        np.testing.assert_allclose(none[: len(record.players)], 0.01, atol=1e-12)
        assert ((none > 0) & (none < 1)).all()
        assert (np.array(rows)[:, above] == 0).all()
        assert (np.array(rows) >= 0).all()


# -- seeds --------------------------------------------------------------------------------------

CODE = """
from tests.play.test_teams_of_three import played
for name in ("fire, deep first", "checkers, black"):
    print(played(name).to_json())
"""


@pytest.mark.slow
def test_the_same_seed_gives_the_same_records_in_another_process():
    there = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True
    ).stdout
    here = [played(name).to_json() for name in ("fire, deep first", "checkers, black")]
    assert there == "\n".join([*here, ""])


def test_the_same_seed_gives_the_same_records_in_threads_at_once():
    names = ["checkers, black", "fire, deep first"] * 2
    here = [played(name).to_json() for name in names]
    with ThreadPoolExecutor(len(names)) as pool:
        there = list(pool.map(lambda name: played.__wrapped__(name).to_json(), names))
    assert there == here


# -- how far apart ------------------------------------------------------------------------------


def surprises(record, move):
    """``(members, types)`` what each member saw in a move, NaN above its own type."""
    rows = [move.seen[p].evidence for p in sorted(own_types(record))]
    return np.array([[np.nan if e is None else e for e in row] for row in rows])


def apart(rows):
    """Largest difference of two members, at types that both can evaluate."""
    return max(float(np.nanmax(np.abs(one - other))) for one, other in combinations(rows, 2))


def variation(record, move):
    """Largest total variation between two members' beliefs, after reduction to the weaker one."""
    types, own = TypeSet(record.types), own_types(record)
    farthest = 0.0
    for one, other in combinations(sorted(own), 2):
        common = types.rank(min(own[one], own[other])) + 1
        rows = [np.array(move.seen[p].after[:common]) for p in (one, other)]
        reduced = [row / row.sum() for row in rows]
        farthest = max(farthest, float(np.abs(reduced[0] - reduced[1]).sum() / 2))
    return farthest


def drift(record):
    """By move: the actor, distance and variation of beliefs, and the noise about the actor."""
    energies, noise = {}, {}
    for move in told(record):
        seen = surprises(record, move)
        energies[move.player] = energies.get(move.player, 0.0) + seen
        noise.setdefault(move.player, []).append(apart(seen))
        farthest = max(apart(rows) for rows in energies.values())
        yield move, farthest, variation(record, move), noise


@pytest.mark.parametrize("name", MATCHES)
def test_the_distance_of_a_team_is_written_down_whenever_somebody_learns(name):
    record = played(name)
    for move, farthest, *_ in drift(record):
        assert move.distance == pytest.approx(farthest, abs=1e-12)
    assert all(move.distance is None for move in record.moves if not move.seen)


@pytest.mark.parametrize("name", MATCHES)
def test_a_team_drifts_apart_no_further_than_the_noise_of_its_searches(name):
    record = played(name)
    bounds, distances = [], []
    for move, farthest, variation, noise in drift(record):
        assert farthest <= max(map(sum, noise.values())) + 1e-12
        added_up, worst = sum(noise[move.player]), max(map(max, noise.values()))
        bound = np.tanh(added_up / 2)
        assert variation <= bound + 1e-12
        assert variation <= np.tanh(worst * len(noise[move.player]) / 2) + 1e-12
        bounds.append(bound)
        distances.append(variation)
    assert max(distances) > 0  # searches with random numbers of their own do differ
    assert max(bounds[:3]) < 0.9  # and while they are few the bound says something


@pytest.mark.parametrize("name", MATCHES)
def test_members_that_infer_with_the_same_random_numbers_agree_exactly(name):
    """A weaker member's search is the first part of a stronger one's, on the same beliefs."""
    record = played(name, common_seed=True)
    for _, farthest, variation, _ in drift(record):
        assert farthest == 0.0
        assert variation <= 1e-12  # the sums that they divide by are rounded
    assert {move.distance for move in told(record)} == {0.0}
    assert max(one for move in told(record) for one in surprises(record, move)[:, 0]) > 0
    assert {seen.samples for move in told(record) for seen in move.seen.values()} == {32}


def test_agreement_takes_the_same_way_of_searching():
    """Common random numbers are of no use to a member that searches longer."""
    team = teams_of("fire, deep first", common_seed=True)
    team[0][1] = replace(team[0][1], options=replace(QUICK, iterations=2 * QUICK.iterations))
    record = play("wall-of-fire", team, seed=7)
    assert max(farthest for _, farthest, *_ in drift(record)) > 0
