import numpy as np
import pytest

from sizeup.capability import Beliefs, Exact, Tempered, TypeSet, assemble, distance
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.planning import (
    CHANCE,
    TERMINAL,
    Planner,
    TabularGame,
    corridors,
    observe_action,
    play_episode,
    random_game,
    worlds,
)

NOVICE, EXPERT = 2, 6
FIRE = Planner(corridors(players=2, lengths=(3,), prizes=(20.0,)), TypeSet((NOVICE, EXPERT)))
HALL = Planner(
    corridors(players=3, lengths=(1, 3, 5), prizes=(3.0, 16.0, 100.0)), TypeSet((2, 4, 6))
)


@pytest.mark.parametrize("seed", range(3))
def test_same_seed_same_episode(seed):
    game = random_game(seed=seed, players=3, states=12, chance=0.3)
    first, second = (
        play_episode(Planner(game, TypeSet((1, 2, 3))), (1, 2, 3), turns=15, seed=seed)
        for _ in range(2)
    )
    assert [move.action for move in first.moves] == [move.action for move in second.moves]
    assert first.beliefs == second.beliefs
    assert first.total == second.total


def test_one_interaction_is_enough_for_the_expert():
    """It enters the fire once; the novice backs out; it knows, and stays out."""
    episode = play_episode(FIRE, (EXPERT, NOVICE), turns=6, seed=0)
    actions = [FIRE.game.action_names[move.action] for move in episode.moves]
    assert actions == ["enter 3", "back", "stay", "stay", "stay", "stay"]
    assert episode.moves[0].beliefs[0].posterior()[1].tolist() == [0.5, 0.5]
    assert episode.moves[1].beliefs[0].posterior()[1].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("turns", [10, 20, 40, 80, 160])
def test_how_bad_it_can_get(turns):
    """Oblivious, a deep and a shallow player lose without bound; aware, they lose 1."""
    aware = play_episode(FIRE, (EXPERT, NOVICE), turns=turns, seed=0)
    oblivious = play_episode(FIRE, (EXPERT, NOVICE), turns=turns, seed=0, plan="oblivious")
    equals = play_episode(FIRE, (EXPERT, EXPERT), turns=turns, seed=0, plan="oblivious")
    assert aware.total == -1.0
    assert oblivious.total == -turns / 2
    assert equals.total == (20.0 - 3.0) * (turns // 4) - turns % 4


def test_the_public_agent_loses_what_only_stronger_players_can_infer():
    totals = {
        plan: [play_episode(HALL, (6, 4, 2), turns=40, seed=s, plan=plan).total for s in range(5)]
        for plan in ("aware", "public", "oblivious")
    }
    assert min(totals["aware"]) > max(totals["public"]) > max(totals["oblivious"])


def test_the_type_structure_infers_what_the_public_agent_cannot():
    episode = play_episode(HALL, (6, 4, 2), turns=12, seed=0)
    strongest, weakest = episode.beliefs[0], episode.beliefs[2]
    assert strongest.posterior()[1].tolist() == [0, 1, 0]
    assert strongest.posterior()[2].tolist() == [1, 0, 0]
    assert weakest.stronger_than_me().tolist() == [True, True, False]
    assert distance(episode.beliefs) == 0.0


def test_minimizer_never_counts_on_the_teammate():
    episode = play_episode(FIRE, (EXPERT, EXPERT), turns=10, seed=0, plan="minimizer")
    assert episode.total == 0.0


def test_each_player_may_plan_in_its_own_way():
    mixed = play_episode(FIRE, (EXPERT, NOVICE), turns=20, seed=0, plan=("aware", "oblivious"))
    assert mixed.total == -1.0


def test_tempered_updates_in_an_episode():
    rule = Tempered(temperature=0.1, clip=0.5)
    episode = play_episode(FIRE, (EXPERT, NOVICE), turns=20, seed=0, rule=rule)
    assert episode.total == -1.0
    assert distance(episode.beliefs) == 0.0
    assert episode.beliefs[0].posterior(rule.temperature)[1, 0] > 0.99


def test_more_look_ahead_in_an_episode():
    episode = play_episode(FIRE, (EXPERT, NOVICE), turns=10, seed=0, look_ahead=3)
    assemble(episode.beliefs)
    assert episode.total == -1.0


def test_chance_moves_by_itself_and_terminal_ends_the_episode():
    for seed in range(20):
        game = random_game(seed=seed, players=2, states=8, chance=0.5)
        episode = play_episode(Planner(game, TypeSet((1, 2))), (1, 2), turns=30, seed=seed)
        assert all(game.actor[move.state] >= 0 for move in episode.moves)
        assert len(episode.moves) == 30 or game.actor[episode.last_state] == TERMINAL


def test_what_chance_gives_before_the_first_move_counts():
    game = TabularGame(
        (0, 0), [CHANCE, 0, TERMINAL], [[1], [2], [-1]], [[5], [1], [0]], [[1], [0], [0]]
    )
    episode = play_episode(Planner(game, (1, 2)), (1, 2), turns=5, seed=0)
    assert (episode.first_reward, episode.total) == (5.0, 6.0)


def test_players_update_with_the_tolerance_that_they_play_with():
    planner = Planner(random_game(3, players=2, states=8), (1, 2), tie_tolerance=0.5)
    for seed in range(30):
        episode = play_episode(planner, (2, 2), turns=6, seed=seed)
        assert np.isfinite(episode.beliefs.energy[:, :, 1]).all()


def test_the_public_belief_is_the_weakest_teammates_not_the_opponents():
    planner = Planner(random_game(299, players=4, states=12, teams=2), (1, 3))
    first = [
        play_episode(planner, (3, c, 3, 3), turns=1, seed=0, plan="public").moves[0].action
        for c in (1, 3)
    ]
    assert first[0] == first[1]


def test_no_turns_no_moves():
    episode = play_episode(FIRE, (EXPERT, NOVICE), turns=0, seed=0)
    assert episode.moves == ()
    assert episode.beliefs == Beliefs.initial(FIRE.types, (EXPERT, NOVICE), 2)


def test_evidence_for_an_action_nobody_would_take():
    """Every type is ruled out: then every player treats the actor as its equal."""
    team = Beliefs.initial(FIRE.types, (EXPERT, NOVICE), 2)
    game = TabularGame((0, 0), [0, 1], [[1, 1], [0, 0]], [[1, 0], [0, 0]])
    after = observe_action(Planner(game, FIRE.types), 0, 1, team, Exact())
    assert after.stronger_than_me()[:, 0].all()
    np.testing.assert_array_equal(after.probabilities()[:, 0], [[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: play_episode(FIRE, (6,), turns=1, seed=0), InvalidInput, "each of 2 players"),
        (lambda: play_episode(FIRE, (6, 3), turns=1, seed=0), InvalidInput, "3 is not a cap"),
        (lambda: play_episode(FIRE, (6, 2), turns=-1, seed=0), InvalidInput, "got -1"),
        (lambda: play_episode(FIRE, (6, 2), turns=2.5, seed=0), InvalidInput, "integer, got 2.5"),
        (lambda: play_episode(FIRE, (6, 2), turns=1, seed=None), InvalidInput, "seed must be an"),
        (lambda: play_episode(FIRE, 6, turns=1, seed=0), InvalidInput, "own must give .* got 6"),
        (lambda: play_episode(FIRE.game, (6, 2), turns=1, seed=0), InvalidInput, "a Planner"),
        (lambda: play_episode(FIRE, (6, 2), turns=1, seed=0, plan=None), InvalidInput, "got None"),
        (lambda: play_episode(FIRE, (6, 2), turns=1, seed=0, rule=Exact), InvalidInput, "rule"),
        (
            lambda: observe_action(FIRE, 0, 0, Beliefs.initial((2, 6), 6, 2), Exact()),
            InvalidInput,
            "a team's beliefs",
        ),
        (
            lambda: play_episode(FIRE, (6, 2), turns=1, seed=0, plan="awre"),
            InvalidInput,
            "plan must be one of .*got 'awre'",
        ),
        (
            lambda: play_episode(FIRE, (6, 2), turns=1, seed=0, prior=[0.9, 0.2]),
            InvalidInput,
            "sum to 1",
        ),
        (
            lambda: observe_action(FIRE, 0, 3, Beliefs.initial(FIRE.types, (6, 2), 2), Exact()),
            IllegalAction,
            r"action 3 is not legal in state Place\(player=0",
        ),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players must be 2 or more, got 1"),
        ({"lengths": (3, 3), "prizes": (1, 2)}, "a length of its own"),
        ({"lengths": (3,), "prizes": (1, 2)}, "a length of its own"),
        ({"lengths": (), "prizes": ()}, "a length of its own"),
        ({"lengths": 3, "prizes": 20.0}, "lengths and prizes are lists, got 3 and 20.0"),
        ({"lengths": (1.5,), "prizes": (3.0,)}, "must be an integer, got 1.5"),
        ({"lengths": (0,), "prizes": (1,)}, "length of a corridor must be 1 or more, got 0"),
    ],
)
def test_bad_corridors(options, message):
    with pytest.raises(InvalidInput, match=message):
        corridors(**options)


def test_corridors_know_no_chance():
    rules = worlds._Corridors(2, (3,), (20.0,), 1.0)
    assert rules.probabilities(rules.start()) == ()
    assert not (corridors().actor == CHANCE).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 3, "states": 3}, "states must be 4 or more, got 3"),
        ({"actions": 0}, "actions must be 1 or more, got 0"),
        ({"teams": 0}, "1 or 2 teams, got 0"),
        ({"chance": 5}, "chance is a probability, got 5"),
    ],
)
def test_bad_random_games(options, message):
    with pytest.raises(InvalidInput, match=message):
        random_game(seed=0, **options)
