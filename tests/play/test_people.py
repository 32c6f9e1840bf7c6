"""People held against types: what types do, and made-up people who are found again."""

from dataclasses import replace

import numpy as np
import pytest

from sizeup.capability import Beliefs, TypeSet, assemble
from sizeup.capability.people import PersonTypes, posterior
from sizeup.errors import InfeasibleType, InvalidInput
from sizeup.games import checkers, connect_four, four_in_a_row, harvest, wall_of_fire
from sizeup.games.contract import View
from sizeup.play.people import BestFirst, Onlooker, PointsLost, _steps
from sizeup.play.played import PlayedMove

TYPES = PersonTypes((1, 2, 4), (0.5, 0.0), (0.5, 2.0), (0.2, 0.02))


def test_policies_come_from_the_seed_alone_and_know_depth():
    view = View(four_in_a_row)
    state = view.state_from_text("........./ooo....../xx.....x./......... x")
    onlooker = Onlooker(view, TYPES)
    policies = onlooker.policies(state, seed=4)
    np.testing.assert_array_equal(policies, Onlooker(view, TYPES).policies(state, seed=4))
    assert not np.array_equal(policies, onlooker.policies(state, seed=5))
    actions = [view.action_text(state, action) for action in view.actions(state)]
    blocks = policies[:, actions.index("d3")]
    sharp = [one.drop == 0 and one.precision == 2.0 and one.lapse == 0.02 for one in TYPES]
    assert (blocks[sharp][1:] > 0.9).all()  # whoever looks at the answer sees the threat
    move = PlayedMove(0, 1, 0, "Ann", view, state, view.actions(state)[actions.index("d3")])
    np.testing.assert_array_equal(onlooker.chances(move, seed=4), blocks)


def test_a_person_of_known_depth_is_found_again():
    view = View(four_in_a_row, four_in_a_row.board(4, 5, 3))
    types = PersonTypes((1, 3), (0.0,), (0.5, 2.0), (0.2, 0.02))
    onlooker, rng = Onlooker(view, types), np.random.default_rng(1)
    for depth in types.depths:
        kind = [one.depth == depth and one.precision == 2.0 for one in types].index(True)
        total = np.zeros(len(types))
        for _ in range(60):
            state = view.start()
            for _ in range(int(rng.integers(1, 6))):
                after, _ = view.apply(state, int(rng.choice(view.actions(state))))
                state = after if len(view.actions(after)) > 1 else state
            policies = onlooker.policies(state)
            total += np.log(policies[:, rng.choice(policies.shape[1], p=policies[kind])])
        odds = types.depth_odds(posterior(total, np.full(len(types), 1 / len(types))))
        assert odds[types.depths.index(depth)] > 0.9


@pytest.mark.slow
def test_more_steps_reach_further_and_find_the_answer():
    types = PersonTypes((1, 4, 32), (0.3, 0.0), (2.0,), (0.02,))
    view = View(four_in_a_row)
    onlooker = BestFirst(view, types, searches=6, error=0.3)
    state = view.state_from_text("........./ooo....../xx.....x./......... x")
    np.testing.assert_array_equal(onlooker.values(state, 3), BestFirst(
        view, types, searches=6, error=0.3).values(state, 3))  # fmt: skip
    assert onlooker.values(state).shape == (3, 12, 30)
    assert list(onlooker.reach(state)) == sorted(onlooker.reach(state))
    actions = [view.action_text(state, action) for action in view.actions(state)]
    blocks = onlooker.policies(state)[:, actions.index("d3")]
    assert blocks[5] > blocks[1]  # sees all and takes 32 steps, or one


def test_numbers_of_steps_have_the_mean_of_the_type():
    types = PersonTypes((1, 2, 8), (0.0,), (1.0,), (0.1,))
    steps = np.array([_steps(types, (at + 0.5) / 4000) for at in range(4000)])
    assert steps.mean(axis=0) == pytest.approx([1, 2, 8], rel=0.01)
    assert (np.diff(steps, axis=1) >= 0).all()


def test_whoever_moves_second_does_not_give_pieces_away():
    view = View(checkers)
    state = view.state_from_text("W:W22,31:B14,1")
    one, two = Onlooker(view, PersonTypes((1, 2), (0.0,), (3.0,), (0.0,))).values(state)[:, 0]
    assert len(set(one)) == 1  # nothing is taken at once
    safe = [view.action_text(state, action) in ("31-26", "31-27") for action in view.actions(state)]
    assert min(two[safe]) > max(two[np.invert(safe)])
    assert checkers.evaluate(view.state_from_text("B:WK1,6:B20"), checkers.INFO.params, -1) == -1.5


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (wall_of_fire, "wall-of-fire does not say how good a position looks; add evaluate"),
        (harvest, "harvest does not say"),
    ],
)
def test_a_game_must_say_how_good_a_position_looks(game, message):
    with pytest.raises(InvalidInput, match=message):
        Onlooker(View(game), TYPES)


def test_connect_four_looks_like_its_board():
    params, state = (
        four_in_a_row.board(6, 7, 4, gravity=True),
        connect_four.FourInARowState(7, 7 << 7, 0),
    )
    assert connect_four.evaluate(state, connect_four.INFO.params, -1) == four_in_a_row.evaluate(
        state, params, -1
    )


# -- types that stronger ones can simulate ------------------------------------------------------


@pytest.mark.parametrize("kind", [Onlooker, BestFirst])
def test_a_weaker_onlooker_sees_what_a_stronger_one_sees_of_weak_types(kind):
    """A stronger player's search has the weaker one's in it: their policies are the same."""
    view = View(four_in_a_row)
    state = view.state_from_text("........./ooo....../xx.....x./......... x")
    strong = kind(view, TYPES)
    weak = kind(view, replace(TYPES, depths=TYPES.depths[:-1]))
    feasible = [one.depth < TYPES.depths[-1] for one in TYPES]
    np.testing.assert_array_equal(weak.policies(state, seed=7), strong.policies(state, 7)[feasible])


def test_beliefs_about_people_agree_under_reduction():
    """People's types are an ordered set like depths: whoever is weaker believes the reduction."""
    view = View(four_in_a_row, four_in_a_row.board(4, 5, 3))
    onlooker, ranks = Onlooker(view, TYPES), TypeSet(range(1, len(TYPES) + 1))
    own = {"expert": len(TYPES), "novice": len(TYPES) // 2}
    held = {who: Beliefs.initial(ranks, own=rank, players=2) for who, rank in own.items()}
    state, rng = view.start(), np.random.default_rng(2)
    for seed in range(4):
        at = int(rng.integers(len(view.actions(state))))
        surprise = -np.log(onlooker.policies(state, seed)[:, at])
        for who, rank in own.items():
            seen = np.where(np.arange(len(TYPES)) < rank, surprise, np.nan)
            held[who] = held[who].observe(1, seen)
        state, _ = view.apply(state, view.actions(state)[at])
    expert, novice = held["expert"], held["novice"]
    np.testing.assert_allclose(expert.reduce(own["novice"]).energy, novice.energy)
    assert assemble([expert, novice]).own == (own["expert"], own["novice"])
    with pytest.raises(InfeasibleType):
        novice.observe(1, surprise)  # which holds types that it cannot think through


# -- how well somebody plays --------------------------------------------------------------------


def test_who_looks_further_loses_fewer_points_and_a_random_player_most():
    view = View(four_in_a_row, four_in_a_row.board(4, 5, 3))
    types = PersonTypes((1, 3), (0.0,), (2.0,), (0.0,))
    onlooker, judge, rng = Onlooker(view, types), PointsLost(view), np.random.default_rng(3)
    lost = {"random": [], 1: [], 3: []}
    for _ in range(40):
        state = view.start()
        for _ in range(int(rng.integers(1, 6))):
            after, _ = view.apply(state, int(rng.choice(view.actions(state))))
            state = after if len(view.actions(after)) > 1 else state
        actions = view.actions(state)
        one, three = onlooker.policies(state)
        for who, odds in (("random", None), (1, one), (3, three)):
            lost[who].append(judge.of(state, int(rng.choice(actions, p=odds))))
    means = {who: np.mean(points) for who, points in lost.items()}
    assert means[3] < means[1] < means["random"]
    assert all(0 <= points <= judge.most for found in lost.values() for points in found)


def test_the_best_move_loses_nothing():
    view = View(checkers)
    judge, state = PointsLost(view, ahead=2), view.state_from_text("W:W22,31:B14,1")
    assert min(judge.of(state, action) for action in view.actions(state)) == 0.0
