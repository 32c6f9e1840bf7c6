"""Each strategy is what its definition says, in sampled and in exact settings."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from sizeup.agents import STRATEGIES, Agent, AgentConfig, SearchEngine, read_agent
from sizeup.agents.engine import _sample_seed
from sizeup.capability import Beliefs, Sampled, Tempered, TypeSet, assemble
from sizeup.errors import IllegalAction, InconsistentBeliefs, InfeasibleType, InvalidInput
from sizeup.games import checkers, harvest, wall_of_fire
from sizeup.games.contract import View
from sizeup.games.seats import seat
from sizeup.planning import Planner, corridors
from sizeup.search import SearchOptions

QUICK = SearchOptions(iterations=20, rollouts=2)
KEEN = SearchOptions(exploration=2.0)  # visits tell more about what a search thinks
WORLD = View(wall_of_fire)
BOARD = View(seat(checkers, 2, 2))


def agent(text, view=BOARD, player=0, types=(2, 4), truth=None, **changes):
    config = replace(read_agent(text, QUICK), **changes)
    return Agent(config, view, player, types, truth={0: 4, 1: 2} if truth is None else truth)


# -- reading ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in STRATEGIES if n != "random"])
def test_agents_are_read_and_written(name):
    for text in (f"{name}:8", f"{name}:8@2,4,8"):
        assert str(read_agent(text)) == text
    assert read_agent(f" {name.upper()}:8@8,2 ").types == (2, 8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("obll:8", "there is no agent 'obll'; did you mean 'obl'"),
        ("foo:8", r"there is no agent 'foo'\. Agents are obl, "),
        ("ca", "'ca' has no type; write ca:8"),
        ("ca:0", "type is 1 or more, got 0"),
        ("ca:8@2,4", r"8 is not among the types \(2, 4\)"),
        ("ca:x", "'ca:x' is not an agent; expected a strategy and its type"),
        ("", "is not an agent"),
        ("ca:8@2,,8", "is not an agent"),
    ],
)
def test_bad_agents(text, message):
    with pytest.raises(InvalidInput, match=message):
        read_agent(text)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"temperature": 0}, "temperature must be above 0"),
        ({"clip": -1}, "clip must be above 0"),
        ({"forget": 1}, "forget is a share"),
        ({"change": 1}, "change is a share"),
        ({"change": "often"}, "change is a share"),
        ({"accuracy": 0.7}, "accuracy of a belief is a probability from 0.005 to 0.5, got 0.7"),
        ({"accuracy": "high"}, "the accuracy of a belief"),
        (
            {"rule": 7},
            "a rule is 'sampled', 'published', 'relative', module:name or has a method",
        ),
        ({"model": "friends"}, "'friends' is not one of"),
        ({"types": (2, 8), "prior": (1.0,)}, "one probability for each of the types"),
        ({"types": (2, 8), "prior": (0.5, 0.6)}, "must sum to 1, and be 0 or more, got"),
        ({"types": (2, 8), "prior": (-0.5, 1.5)}, "must sum to 1, and be 0 or more, got"),
        ({"types": (2, 8), "prior": ("a", 1)}, "must sum to 1, and be 0 or more, got"),
        ({"types": (2, 8), "prior": (float("nan"), 1)}, "must sum to 1, and be 0 or more, got"),
        ({"types": 8}, "types are a list with an entry for each type, got 8"),
        ({"prior": 1.0}, "prior are a list with an entry for each type, got 1.0"),
        ({"rule": Sampled}, "a rule is .* has a method evidence, got <class"),
        ({"top_up": 1}, "top_up is true or false, got 1"),
        ({"options": 7}, "options are SearchOptions, got 7"),
    ],
)
def test_bad_configurations(changes, message):
    with pytest.raises(InvalidInput, match=message):
        replace(STRATEGIES["ca"], **{"own": 8, **changes})


def test_types_may_come_as_a_list():
    config = replace(STRATEGIES["ca"], own=8, types=[2, 8], prior=[0.5, 0.5])
    assert (config.types, config.prior) == ((2, 8), (0.5, 0.5))
    assert hash(config) is not None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"player": 4}, "player 4 is out of range, expected 0 to 3"),
        ({"player": -1}, "player -1 is out of range"),
        ({"truth": {1: "8"}}, "a true type must be an integer, got '8'"),
        ({"truth": {1: float("nan")}}, "a true type must be an integer, got nan"),
        ({"truth": {9: 2}}, "player 9 is out of range"),
        ({"truth": [2, 4]}, r"true types are by player, such as \{1: 2\}, got \[2, 4\]"),
        ({"planner": 7}, "ca:2 needs a Planner to plan exactly, got 7"),
    ],
)
def test_bad_agents_at_a_table(changes, message):
    seated = {"view": BOARD, "player": 0, "types": (2, 4), **changes}
    with pytest.raises(InvalidInput, match=message):
        Agent(read_agent("ca:2", QUICK), **seated)


def test_what_did_not_happen_teaches_nothing():
    watcher, state = agent("ca:4"), BOARD.start()
    first = watcher.beliefs
    with pytest.raises(IllegalAction, match="player 0 cannot have made the move 999; legal are"):
        watcher.observe(state, 0, 999, seed=1)
    with pytest.raises(InvalidInput, match="player 7 is out of range"):
        watcher.observe(state, 7, BOARD.actions(state)[0], seed=1)
    for evidence, actions, samples, message in (
        ([np.nan, 0.0], 2, 4, "evidence holds NaN"),
        ([-1.0, 0.0], 2, 4, "evidence holds the negative value"),
        ([1.0, 0.0], 0, 4, "the number of actions must be 1 or more, got 0"),
        ([1.0, 0.0], 2, -4, "the number of samples must be 0 or more, got -4"),
    ):
        with pytest.raises(InvalidInput, match=message):
            watcher.recall(0, np.array(evidence), actions, samples)
    with pytest.raises(InfeasibleType, match="above the holder's own type"):
        agent("ca:2@2,4").recall(0, np.array([0.0, 1.0]), 2)
    assert watcher.beliefs is first


def test_a_search_engine_plans_on_beliefs_of_its_own_types_only():
    engine = SearchEngine(BOARD, TypeSet((2, 4)), read_agent("ca:2@2,4", QUICK))
    ask = {"state": BOARD.start(), "seed": 1}
    for beliefs, error, message in (
        (Beliefs.initial((2, 4), 4, 4), InfeasibleType, "a player of type 2 can evaluate only"),
        (Beliefs.initial((2, 8), 2, 4), InvalidInput, r"the beliefs are over \(2, 8\)"),
    ):
        for asked in (
            lambda held=beliefs: engine.choose(beliefs=held, minimise=False, **ask),
            lambda held=beliefs: engine.table(beliefs=held, **ask),
            lambda held=beliefs: engine.counts(beliefs=held, samples=range(1), **ask),
        ):
            with pytest.raises(error, match=message):
                asked()


def test_an_agents_type_is_among_the_types_of_the_match():
    with pytest.raises(InvalidInput, match=r"obl:8 looks 8 ahead, which is not among \(2, 4\)"):
        agent("obl:8")


# -- definitions --------------------------------------------------------------------------------


def watch(subject, moves=4):
    """Let an agent watch a team play random moves; return its beliefs after each."""
    view, rng = subject.view, np.random.default_rng(1)
    state, held = view.start(), [subject.beliefs]
    for _ in range(2 * moves):
        actor = view.actor(state)
        action = int(rng.choice(view.actions(state)))
        subject.observe(state, actor, action, seed=3)
        held.append(subject.beliefs)
        state, _ = view.apply(state, action)
    return held


@pytest.mark.parametrize("name", ["obl", "ora", "nu", "eq", "min"])
def test_beliefs_that_never_move(name):
    held = watch(agent(f"{name}:4"))
    assert all(beliefs == held[0] for beliefs in held)


@pytest.mark.parametrize("name", ["ca", "ma", "sa", "public"])
def test_beliefs_that_do(name):
    held = watch(agent(f"{name}:4"))
    assert held[-1] != held[0]
    assert held[-1].updates[:2].min() > 0  # about oneself too
    assert held[-1].updates[2:].tolist() == [0, 0]  # but not about opponents


def test_where_beliefs_start():
    assert agent("ora:4").probabilities()[1].tolist() == [1.0, 0.0]
    assert agent("eq:4").probabilities()[1].tolist() == [0.0, 1.0]
    assert agent("nu:4").probabilities()[1].tolist() == [0.5, 0.5]
    skewed = agent("ca:4@2,4", prior=(0.9, 0.1))
    np.testing.assert_allclose(skewed.probabilities()[1], [0.99 * 0.9, 0.99 * 0.1])
    np.testing.assert_allclose(skewed.beliefs.posterior()[1], [0.9, 0.1])
    assert agent("ora:2", truth={0: 2, 1: 4}).probabilities()[1].tolist() == [1.0, 0.0]


def test_the_oracle_plans_on_the_truth_and_the_control_on_equals():
    state = BOARD.start()
    oblivious = agent("obl:4").choose(state, seed=5)
    equal = agent("eq:4").choose(state, seed=5)
    oracle = agent("ora:4").choose(state, seed=5)
    np.testing.assert_array_equal(oblivious.search.visits[-1], equal.search.visits[-1])
    assert not np.array_equal(oblivious.search.visits[-1], oracle.search.visits[-1])


def test_the_minimiser_never_plans_on_help():
    """A coin two steps away needs a partner's step; chance meetings in playouts are all it sees."""
    world = View(wall_of_fire, wall_of_fire.board("..S.C"))
    choices = {
        name: Agent(read_agent(f"{name}:2", KEEN), world, 0, (2,)).choose(world.start(), seed=1)
        for name in ("obl", "min")
    }
    values = {name: choice.search.values[-1] for name, choice in choices.items()}
    assert values["obl"].argmax() == values["obl"].shape[0] - 2  # east, before west
    assert values["min"].max() < 0.6 * values["obl"].max()


def test_only_evidence_that_is_a_likelihood_can_be_for_none_of_these():
    for name in ("ca", "sa", "public"):
        assert agent(f"{name}:4").beliefs.none_of_these() == pytest.approx(0.01)
        assert agent(f"{name}:4", rule="published").beliefs.none_prior == 0.0
        assert agent(f"{name}:4", rule=Sampled(none=0.2)).beliefs.none_prior == 0.2
        assert agent(f"{name}:4", rule=Tempered(0.1)).beliefs.none_prior == 0.0
    for name in ("obl", "ora", "nu", "eq", "min", "random"):  # which learn nothing
        assert agent(f"{name}:4" if name != "random" else name).beliefs.none_prior == 0.0


def oblivious_players(own, state, at, seeds):
    """In how many searches an oblivious player of a type plays an action, ties in parts."""
    player, played = agent(f"obl:{own}", types=(own,)), 0.0
    for seed in seeds:
        visits = player.choose(state, seed).search.visits[-1]
        played += (visits[at] == visits.max()) / (visits == visits.max()).sum()
    return played


def test_single_agent_inference_is_how_often_oblivious_players_do_it():
    """The samples are whole searches of oblivious players of each type, as those would make."""
    state = BOARD.start()
    actions = BOARD.actions(state)
    single, multi = agent("sa:4"), agent("ca:4")
    told = [single._engine.counts(state, None, 9, range(40))]
    told.append(multi._engine.counts(state, multi.beliefs, 9, range(40)))
    for counts in told:
        assert counts.shape == (2, len(actions))
        assert counts.sum(axis=1) == pytest.approx([40, 40])
    assert not np.allclose(told[0][1], told[1][1])  # an aware one plans on what it believes
    seeds = [_sample_seed(9, number) for number in range(40)]
    for own, counts in zip((2, 4), told[0], strict=True):
        for at in range(len(actions)):
            assert counts[at] == pytest.approx(oblivious_players(own, state, at, seeds))
    seen = single.observe(state, 0, actions[2], seed=9)
    first = single._engine.counts(state, None, 9, range(seen.samples))
    np.testing.assert_array_equal(seen.played, first[:, 2])
    assert seen.evidence == pytest.approx(-np.log(Sampled().pooled_chances(first, 2)))


def test_single_agent_inference_is_the_oblivious_search():
    single, multi = (agent(text, rule="published") for text in ("sa:4", "ca:4"))
    state, action = BOARD.start(), BOARD.actions(BOARD.start())[0]
    oblivious = single._engine._infer.search(state, seed=9)
    told = single.observe(state, 0, action, seed=9)
    np.testing.assert_allclose(told.evidence, np.minimum(oblivious.losses[:, 0], 0.5))
    assert (told.played, told.samples, told.error) == (None, 0, 0.0)
    other = multi.observe(state, 0, action, seed=9)
    assert not np.allclose(told.evidence[1], other.evidence[1])


@pytest.mark.parametrize("common", [False, True])
@pytest.mark.parametrize("name", ["ma", "sa"])
def test_a_player_sees_its_own_move_as_its_watchers_do(name, common):
    """With the same random numbers it comes to the same evidence, whatever its own search found."""
    state, action = BOARD.start(), BOARD.actions(BOARD.start())[1]
    actor, mate = (agent(f"{name}:4", player=player, common_seed=common) for player in (0, 1))
    actor.choose(state, seed=5)
    mine, theirs = (one.observe(state, 0, action, seed=9) for one in (actor, mate))
    for field in ("evidence", "played", "before", "after"):
        np.testing.assert_array_equal(getattr(mine, field), getattr(theirs, field))
    assert (mine.samples, mine.error) == (theirs.samples, theirs.error)
    assert actor.beliefs == mate.beliefs
    assert mine.samples == 32 if common else mine.samples in Sampled().looks
    other = mate.observe(state, 0, action, seed=10)
    assert not np.array_equal(other.played / other.samples, theirs.played / theirs.samples)


def test_with_a_common_seed_a_weaker_player_comes_to_the_same_as_far_as_it_sees():
    state, action = BOARD.start(), BOARD.actions(BOARD.start())[1]
    strong, weak = (
        agent(text, player=p, common_seed=True) for p, text in enumerate(("ma:4", "ma:2"))
    )
    told, known = (one.observe(state, 0, action, seed=9) for one in (strong, weak))
    assert told.evidence[0] == known.evidence[0]
    assert np.isnan(known.evidence[1])
    assert not np.isnan(told.evidence[1])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ma", "sa"])
@pytest.mark.parametrize("own", [(4, 2), (2, 4, 1), (1, 4, 2, 4)])
def test_with_a_common_seed_beliefs_of_searching_players_form_a_type_structure(name, own):
    """Exactly, move after move, although each of them searches by itself."""
    params = wall_of_fire.board(".SFFC\n.....", fire=-1, coin=20)
    view = View(seat(wall_of_fire, first=len(own), second=0, params=params))
    team = [
        agent(f"{name}:{c}@1,2,4", view, p, truth={}, common_seed=True, accuracy=0.1)
        for p, c in enumerate(own)
    ]
    state = view.start()
    for turn in range(5):
        actor = view.actor(state)
        action = team[actor].choose(state, seed=turn).action
        for member in team:
            member.observe(state, actor, action, seed=100 + turn)
        structure = assemble([member.beliefs for member in team])
        for member, c in zip(team, own, strict=True):
            assert structure.typed(c) == member.beliefs
        state, _ = view.apply(state, action)
    strongest = team[own.index(4)].beliefs
    assert np.ptp(strongest.energy[0]) > 0.5  # something was learnt
    for seed, member in enumerate(team):  # random numbers of one's own: not exactly
        member.observe(view.start(), 0, view.actions(view.start())[0], seed)
    with pytest.raises(InconsistentBeliefs):
        assemble([member.beliefs for member in team])


@pytest.mark.parametrize("name", ["sa", "ca"])
def test_a_cheap_type_that_never_makes_the_move_is_asked_as_often_as_can_be(name):
    """A step into the fire tells of an expert, the more the surer it is that no novice makes it."""
    state, told = WORLD.start()._replace(player=1), {}
    for top_up in (False, True):
        expert = agent(f"{name}:20@2,20", WORLD, truth={}, top_up=top_up)
        told[top_up] = expert.observe(state, 1, wall_of_fire.EAST, seed=1)
    assert told[True].played[0] == told[False].played[0] == 0  # in the samples that all types have
    at_most = np.log((64 + 0.5) * 4 / 0.5)
    assert told[False].evidence[0] < told[True].evidence[0] <= at_most
    assert told[True].evidence[0] > 6.0
    assert told[True].samples <= told[False].samples  # it is sure the sooner


@pytest.mark.parametrize("name", ["sa", "ca"])
def test_further_samples_of_a_type_are_those_that_all_types_would_have_had(name):
    engine = agent(f"{name}:4@2,4", types=(2, 4), truth={})._engine
    held = Beliefs.initial((2, 4), 4, 4) if name == "ca" else None
    counts = engine.counts(BOARD.start(), held, 7, range(3, 9))
    for rank in range(2):
        row = engine._row(rank, BOARD.start(), held, 7, range(3, 9))
        np.testing.assert_array_equal(row, counts[rank])


@pytest.mark.parametrize(
    ("types", "cheap"),
    [((2, 20), [0]), ((2, 4, 6, 8), []), ((10, 30), []), ((2, 4, 30), [0]), ((8,), [])],
)
def test_a_type_is_cheap_if_all_its_samples_take_no_longer_than_one_of_the_strongest(types, cheap):
    listed = ",".join(map(str, types))
    engine = agent(f"ca:{types[-1]}@{listed}", WORLD, types=types, truth={})._engine
    assert engine._cheap(Sampled().looks[-1]) == cheap


def test_agents_that_were_stored_before_types_were_topped_up_do_without():
    data = read_agent("ca:20@2,20").to_data()
    assert AgentConfig.from_data(data).top_up
    del data["top_up"]
    assert not AgentConfig.from_data(data).top_up


def test_to_a_public_agent_nobody_on_the_team_is_weaker_than_the_weakest_it_included():
    public = agent("public:2@2,4", truth={1: 4})
    assert public.choose(BOARD.start(), seed=1).action in BOARD.actions(BOARD.start())


@pytest.mark.parametrize(("own", "most"), [(8, 64), (20, 16)])
def test_where_searches_take_long_there_are_fewer_samples(own, most):
    engine = Agent(read_agent(f"ca:{own}@2,{own}"), WORLD, 0)._engine
    assert engine._affordable(Sampled(), is_aware=False)[0] == 4
    assert engine._affordable(Sampled(), is_aware=False)[-1] == most


def test_what_was_learnt_can_be_learnt_again_without_a_search():
    state, action = BOARD.start(), BOARD.actions(BOARD.start())[1]
    for settings in ({}, {"rule": "published"}, {"forget": 0.5}):
        first, second = agent("ca:4", **settings), agent("ca:4", **settings)
        for seed in (1, 2):
            told = first.observe(state, 1, action, seed)
            second.recall(1, told.evidence, len(BOARD.actions(state)), told.samples)
        assert second.beliefs == first.beliefs


@pytest.mark.parametrize("common", [False, True])
def test_what_a_player_makes_of_its_own_move_by_the_published_rule(common):
    """Its own search has the numbers, unless everybody is to infer with the same ones."""
    state, action = BOARD.start(), BOARD.actions(BOARD.start())[0]
    actor, mate = (
        agent("ma:4", player=player, common_seed=common, rule="published") for player in (0, 1)
    )
    searched = actor.choose(state, seed=5).search
    mine = actor.observe(state, 0, action, seed=9).evidence
    theirs = mate.observe(state, 0, action, seed=9).evidence
    assert np.array_equal(mine, np.minimum(searched.losses[:, 0], 0.5)) == (not common)
    assert np.array_equal(mine, theirs) == common


@pytest.mark.slow
def test_one_interaction_at_the_fire_tells():
    expert = Agent(read_agent("ca:20@2,20"), WORLD, 0)
    state, _ = WORLD.apply(WORLD.start(), wall_of_fire.EAST)
    told = expert.observe(state, 1, wall_of_fire.WEST, seed=2)
    assert told.before.tolist() == [0.495, 0.495]
    assert told.after[0] > 0.95
    assert told.played.tolist() == [told.samples, 0]


def test_a_forced_move_needs_no_search_and_tells_nothing():
    corridor = View(wall_of_fire, wall_of_fire.board("S.FC"))
    watcher = agent("ca:4", corridor)
    choice = watcher.choose(corridor.start(), seed=0)
    assert (choice.action, choice.search) == (wall_of_fire.EAST, None)
    assert watcher.observe(corridor.start(), 0, choice.action, seed=0) is None


def test_random_plays_at_random():
    player = agent("random")
    drawn = {player.choose(BOARD.start(), seed=seed).action for seed in range(60)}
    assert drawn == set(BOARD.actions(BOARD.start()))
    assert player.observe(BOARD.start(), 1, BOARD.actions(BOARD.start())[0], seed=0) is None


def test_forgetting():
    steady, forgetful = agent("ca:4"), agent("ca:4", forget=0.5)
    kept, lost = watch(steady)[-1], watch(forgetful)[-1]
    assert lost.energy[0, 0] < kept.energy[0, 0]


def test_beliefs_carry_over():
    first = agent("ca:4")
    watch(first)
    second = Agent(first.config, BOARD, 0, (2, 4), beliefs=first.beliefs)
    np.testing.assert_array_equal(second.probabilities(), first.probabilities())


def test_before_it_judges_a_move_it_allows_for_a_change():
    steady, wary = (agent("sa:4@2,4", WORLD, truth={}, change=rate) for rate in (0.0, 0.25))
    state = WORLD.start()._replace(player=1)
    for seed in range(6):
        before = wary.beliefs
        steady.observe(state, 1, wall_of_fire.WEST, seed)
        told = wary.observe(state, 1, wall_of_fire.WEST, seed)
        expected = before.may_change(1, 0.25).observe(1, told.evidence, none=np.log(4))
        np.testing.assert_allclose(told.after, expected.probabilities()[1], atol=1e-9)
    assert wary.beliefs.updates[1] == steady.beliefs.updates[1] == 6
    assert wary.probabilities()[1].min() > 0.01  # it can still be convinced of anything


def test_play_like_that_of_no_type_is_none_of_these():
    """A partner that walks into a fire with nothing in sight looks bad to everybody."""
    expert = Agent(read_agent("sa:4@2,4", KEEN), WORLD, 0)
    assert expert.beliefs.none_of_these()[1] == pytest.approx(0.01)
    for seed in range(5):
        expert.observe(WORLD.start()._replace(player=1), 1, wall_of_fire.EAST, seed)
    assert expert.beliefs.none_of_these()[1] > 0.9
    assert expert.probabilities()[1].sum() == pytest.approx(1 - expert.beliefs.none_of_these()[1])
    assert expert.beliefs.none_of_these()[0] == pytest.approx(0.01)  # nobody else is
    plan = expert.beliefs.to_plan_with()[1]
    assert plan[1] > 0.9  # it is planned with as an equal
    assert plan.sum() == pytest.approx(1.0)


def test_beliefs_that_an_agent_cannot_hold_are_refused():
    for beliefs, error, message in (
        (Beliefs.initial((2, 4), 4, 4), InfeasibleType, r"beliefs.reduce\(2\)"),
        (Beliefs.initial((2, 8), 2, 4), InvalidInput, r"the given beliefs are over \(2, 8\)"),
        (Beliefs.initial((2, 4), [2, 2], 4), InvalidInput, "carry over the beliefs of one agent"),
        (Beliefs.initial((2, 4), 2, 3), InvalidInput, "a game of 4 players, but .* are about 3"),
        ([[1.0, 0.0]] * 4, InvalidInput, r"can hold Beliefs, got \[\["),
        (5, InvalidInput, "can hold Beliefs, got 5"),
    ):
        with pytest.raises(error, match=message):
            Agent(read_agent("ca:2@2,4", QUICK), BOARD, 0, beliefs=beliefs)
        holder = agent("ca:2@2,4")
        with pytest.raises(error, match=message):
            holder.beliefs = beliefs
    with pytest.raises(InfeasibleType, match="nothing of types above 2; start without beliefs"):
        Agent(read_agent("ca:4@2,4", QUICK), BOARD, 0, beliefs=Beliefs.initial((2, 4), 2, 4))
    reduced = Beliefs.initial((2, 4), 4, 4).reduce(2)
    assert Agent(read_agent("ca:2@2,4", QUICK), BOARD, 0, beliefs=reduced).beliefs is reduced


# -- exact --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def planner():
    return Planner(harvest, TypeSet((1, 2, 4)), discount=0.9)


@pytest.fixture(scope="module")
def fire_planner():
    """Two tiles of fire before a coin, and three players who move the one avatar in turn.

    The start lacks a direction, so the planner meets actions in another order than the game's.
    """
    params = wall_of_fire.board(".SFFC\n.....", fire=-1, coin=20)
    view = View(seat(wall_of_fire, first=3, second=0, params=params))
    return Planner(view, TypeSet((1, 2, 4)), discount=0.9), view


def exact_moves(planner, view, own, seed, turns=24):
    """The members of an exact team, after every move that one of them had a choice in."""
    team = [Agent(read_agent(f"ma:{c}@1,2,4"), view, p, planner=planner) for p, c in enumerate(own)]
    state, rng = view.start(), np.random.default_rng(seed)
    for _ in range(turns):
        actor, actions = view.actor(state), view.actions(state)
        if not actions:
            return
        if actor < 0:
            action = int(rng.choice(actions, p=view.probabilities(state)))
        else:
            action = team[actor].choose(state, seed=int(rng.integers(99))).action
            told = [member.observe(state, actor, action, seed=0) for member in team]
            assert [one is not None for one in told] == [len(actions) > 1] * 3
            yield team
        state, _ = view.apply(state, action)


@pytest.mark.slow
@pytest.mark.parametrize("own", list(permutations((1, 2, 4))))
def test_exact_agents_keep_one_type_structure(own, planner, fire_planner):
    """Beliefs agree at every move, and nobody's true type is ruled out by who can evaluate it."""
    rank_of = {c: rank for rank, c in enumerate(planner.types)}
    for plans, view in ((planner, View(harvest)), fire_planner):
        moves = 0
        for seed in range(3):
            for team in exact_moves(plans, view, own, seed):
                structure = assemble([member.beliefs for member in team])
                assert structure.own == own
                for member, c in zip(team, own, strict=True):
                    assert structure.typed(c) == member.beliefs
                    known = [(p, rank_of[other]) for p, other in enumerate(own) if other <= c]
                    assert all(np.isfinite(member.beliefs.energy[at]) for at in known)
                moves += 1
            assert max(member.beliefs.updates.max() for member in team) >= 2
        assert moves >= 15


def test_exact_agents_tell_types_apart(fire_planner):
    """Agreement is not for want of evidence: the deepest comes to know who the others are."""
    team = list(exact_moves(*fire_planner, (4, 1, 2), seed=0))[-1]
    believed = team[0].probabilities()
    assert team[0].beliefs.posterior()[1].tolist() == [1.0, 0.0, 0.0]
    assert believed[1, 0] > 0.99
    assert believed.sum(axis=1) == pytest.approx(1 - team[0].beliefs.none_of_these())
    assert believed[2, 1] > 0.3
    assert believed[2, 2] == 0.0


def test_a_planner_over_other_types_is_refused(planner):
    with pytest.raises(
        InvalidInput, match=r"types \(1, 2\), but its planner was made for \(1, 2, 4\)"
    ):
        Agent(read_agent("ca:2@1,2"), View(harvest), 0, planner=planner)
    with pytest.raises(InvalidInput, match=r"wall-of-fire with teams \(0, 0\), but its planner"):
        Agent(read_agent("ca:2@1,2,4"), WORLD, 0, planner=planner)
    of_another = Planner(corridors(players=2), (1, 2, 4))
    elsewhere = Agent(read_agent("ca:2@1,2,4"), WORLD, 0, planner=of_another)
    with pytest.raises(InvalidInput, match="is no state of the game that the planner has solved"):
        elsewhere.choose(WORLD.start(), seed=1)
    random = Agent(read_agent("random"), View(harvest), 0, planner=planner)  # which plans nothing
    assert random.choose(View(harvest).start(), seed=1).search is None


def test_exact_agents_of_every_strategy(planner):
    view = View(harvest)
    for name in ("obl", "min", "nu", "sa", "ca"):
        player = Agent(read_agent(f"{name}:2@1,2,4"), view, 0, planner=planner)
        choice = player.choose(view.start(), seed=1)
        assert choice.action in view.actions(view.start())
        assert choice.distribution.sum() == pytest.approx(1.0)
        player.observe(view.start(), 0, choice.action, seed=1)
        assert (player.beliefs.updates.max() > 0) == (name in ("sa", "ca"))
