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


@pytest.mark.slow
@pytest.mark.parametrize("moves", [12, 20, 40, 80, 160])
def test_how_bad_it_can_get(moves):
    """A family of games, one parameter: oblivious, they lose without bound; aware, they lose 1."""
    game = corridors(players=2, lengths=(3,), prizes=(20.0,), moves=moves)
    planner = Planner(game, (NOVICE, EXPERT))
    teams = {"aware": (EXPERT, NOVICE), "oblivious": (EXPERT, NOVICE)}
    totals = {
        plan: play_episode(planner, own, turns=2 * moves, seed=0, plan=plan).total
        for plan, own in teams.items()
    }
    equals = play_episode(planner, (EXPERT, EXPERT), turns=moves, seed=0, plan="oblivious")
    assert totals == {"aware": -1.0, "oblivious": -(moves - 2) / 2}  # nobody enters at the end
    assert equals.total == (20.0 - 3.0) * (moves // 4)


def test_the_episode_may_be_cut_off_instead():
    """Planners that see no end lose the same way."""
    aware = play_episode(FIRE, (EXPERT, NOVICE), turns=100, seed=0)
    oblivious = play_episode(FIRE, (EXPERT, NOVICE), turns=100, seed=0, plan="oblivious")
    assert (aware.total, oblivious.total) == (-1.0, -50.0)


@pytest.mark.slow
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


FORK = TabularGame(  # take 14, or walk on: then 20 or 1 by the teammate's depth, or 12
    teams=(0, 0),
    actor=[0, 0, 1, 1, 0, TERMINAL],
    successor=[[5, 1], [2, 3], [4, 5], [5, -1], [5, -1], [-1, -1]],
    reward=[[14, 0], [0, 0], [0, 1], [12, 0], [20, 0], [0, 0]],
)


@pytest.mark.parametrize(("steps", "first"), [(1, 1), (2, 0)])
def test_look_ahead_decides_the_move_and_how_it_is_read(steps, first):
    """One step hopes to know in time, two steps do not; observers must reason alike."""
    planner = Planner(FORK, (1, 4), discount=1.0)
    episode = play_episode(planner, (4, 4), turns=1, seed=0, look_ahead=steps)
    assert episode.moves[0].action == first
    assert np.isfinite(episode.beliefs.energy[:, 0, 1]).all()


def test_the_temperature_decides_the_plan_and_the_evidence():
    """The teammate grabbed once: a hot belief still hopes, a cold one does not."""
    planner = Planner(FORK, (1, 4), discount=1.0)
    team = Beliefs.initial((1, 4), (4, 4), 2)
    loss = [[0.0, 0.5]] * 2
    for temperature, share in ((0.1, 1 / (1 + np.exp(-5.0))), (10.0, 1 / (1 + np.exp(-0.05)))):
        rule = Tempered(temperature)
        hurt = team.observe(1, loss)
        expected = share * 12 + (1 - share) * 20
        table = planner.table(0, hurt[0], rule.temperature)
        np.testing.assert_allclose(table[1], [14.0, expected])
        after = observe_action(planner, 0, 1, hurt, rule)
        np.testing.assert_allclose(after.energy[0, 0], [14.0, max(0.0, 14.0 - expected)])


def test_ties_are_broken_at_random():
    tied = TabularGame((0, 0), [0, 1], [[1, 1], [0, 0]], [[1, 1], [0, 0]])
    first = [play_episode(Planner(tied, (1, 2)), (1, 2), turns=1, seed=s) for s in range(200)]
    assert 70 < sum(episode.moves[0].action for episode in first) < 130


@pytest.mark.slow
def test_chance_follows_its_probabilities_and_its_rewards_count():
    game = TabularGame(
        teams=(0, 0),
        actor=[TERMINAL, CHANCE, 1, 0],
        successor=[[-1, -1], [0, 2], [0, -1], [1, -1]],
        reward=[[0, 0], [10, 1], [0, 0], [5, 0]],
        chance=[[0, 0], [0.9, 0.1], [0, 0], [0, 0]],
        start=3,
    )
    episodes = [play_episode(Planner(game, (1, 2)), (1, 2), turns=3, seed=s) for s in range(300)]
    assert {episode.moves[0].state for episode in episodes} == {3}
    assert {episode.moves[0].reward for episode in episodes} == {15.0, 6.0}
    assert 15 < sum(episode.moves[0].reward == 6.0 for episode in episodes) < 50


def test_the_tolerance_for_ties_is_used_in_every_plan():
    """With a wide tolerance the weaker teammate is indifferent, and so is the planner's view."""
    game = TabularGame(
        teams=(0, 0),
        actor=[0, 1, TERMINAL],
        successor=[[1, -1], [2, 2], [-1, -1]],
        reward=[[0, 0], [1.0, 0.9], [0, 0]],
    )
    for tolerance, value in ((1e-9, 1.0), (0.5, 0.95)):
        planner = Planner(game, (1, 2), discount=1.0, tie_tolerance=tolerance)
        assert planner.known(0, (2, 1)).tolist() == pytest.approx([value])
        held = Beliefs.initial((1, 2), own=2, players=2).condition(1, 1)
        assert planner.q(0, held, as_type=2, look_ahead=2).tolist() == pytest.approx([value])
        assert planner.greedy([1.0, 0.9]).tolist() == ([1, 0] if tolerance < 0.1 else [0.5, 0.5])


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


@pytest.mark.slow
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
            r"action 3 is not legal in state CorridorState\(player=0",
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
    rules = worlds._Corridors(2, (3,), (20.0,), 1.0, -1)
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
