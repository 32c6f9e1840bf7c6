"""Baselines of the field, each held to a case that can be worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from sizeup import SearchOptions, play, play_again
from sizeup.agents import PluginAgent, Seat, check_agent, read_agent
from sizeup.agents.config import BASELINES
from sizeup.baselines import boltzmann, expector, hba, l_ibm, plastic, tenfold
from sizeup.baselines.hierarchy import poisson_below
from sizeup.baselines.level_k import KnownStates, LevelK, Levels
from sizeup.baselines.library import Library
from sizeup.errors import InvalidInput
from sizeup.experiments import plan as plans
from sizeup.experiments.members import read_member
from sizeup.games import connect_four, wall_of_fire
from sizeup.games.contract import View
from sizeup.search import Searcher
from tests.baselines import fork
from tests.baselines.fork import DISCOUNT, GREEDY, PATIENT, RISK, SAFE

QUICK = SearchOptions(iterations=20, rollouts=1)
VIEW = View(fork)
START = VIEW.start()
TRUSTED, _ = VIEW.apply(START, RISK)  # where the partner decides
NEXT, _ = VIEW.apply(TRUSTED, GREEDY)

# What the partner's two answers are worth to it.
AT_GREEDY = 2 + DISCOUNT**3 * -10
AT_PATIENT = DISCOUNT**3 * 6


def seat(own=3, types=(1, 3), player=0, view=VIEW, options=QUICK):
    return Seat(view, player, own, types, options)


def test_the_fork_is_what_it_says():
    assert Searcher(fork, (1, 3), QUICK).search(TRUSTED, seed=1).choices.tolist() == [
        [0, 1],  # a novice is greedy
        [1, 0],
    ]
    assert read_agent("obl:3").own == 3
    assert seat().search(START, 1).action == RISK  # with an equal


# -- all of them --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BASELINES)
def test_each_keeps_the_protocol(name):
    config = replace(read_agent(f"{name}:2@1,2"), options=QUICK)
    assert check_agent(config, games=1).moves > 2


@pytest.mark.slow
@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize(
    ("game", "rest", "params"),
    [
        ("harvest", ["obl:1", "obl:2"], None),
        ("connect-four", ["obl:1"], None),
        ("wall-of-fire", ["obl:2"], wall_of_fire.board("..FC\n.SF.\n..FC", most_turns=6)),
    ],
)
def test_each_plays_in_a_team_and_can_be_replayed(name, game, rest, params):
    agents = [read_agent(text, QUICK) for text in (f"{name}:2@1,2", *rest)]
    teams = [agents, ["random"]] if game == "connect-four" else [agents]
    record = play(game, teams, seed=3, params=params)
    assert record.players[0].startswith(f"{name}:2")
    assert play_again(record) == record


@pytest.mark.parametrize("name", BASELINES)
def test_each_asks_for_its_type(name):
    with pytest.raises(InvalidInput, match="in seat 0 has no type; write it after its name, as in"):
        PluginAgent(read_agent(name), View(connect_four), 0, (1, 2))
    with pytest.raises(InvalidInput, match=f"{name!r} has no type; write it after its name, as in"):
        read_member(name, (1, 2))


def test_numbers_of_a_paper_are_changed_by_deriving(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "calm.py").write_text(
        "from sizeup.baselines import boltzmann\n\n\n"
        "class Agent(boltzmann.Boltzmann):\n    temperature, lapse = 1e-6, 0.0\n"
    )
    assert check_agent(replace(read_agent("calm.py:2"), options=QUICK), games=1).moves > 2


# -- the library, PLASTIC and HBA ---------------------------------------------------------------


def test_a_library_holds_what_each_type_plays():
    library = Library(seat(types=(1, 3, 5)), searches=4)
    assert library.types == (1, 3)  # 5 is above its own
    # All four searches agree; a fifth that knows nothing is counted in.
    assert library.policies(TRUSTED, 1) == pytest.approx(np.array([[0.1, 0.9], [0.9, 0.1]]))
    assert library.chances(TRUSTED, GREEDY, 1) == pytest.approx([0.9, 0.1])


def test_plastic_follows_the_polynomial_weights():
    agent = plastic.Plastic(seat())
    for _ in range(3):
        agent.observe(TRUSTED, 1, GREEDY, seed=1)
    # Losses 0.1 and 0.9, so that weights shrink by 0.99 and 0.91 each time.
    weights = np.array([0.99**3, 0.91**3])
    assert agent.probabilities()[1] == pytest.approx(weights / weights.sum())
    assert agent.probabilities()[0].tolist() == [0, 1]  # of itself it is certain
    assert agent.explain() == "it takes its teammates for 1"


def test_a_library_of_other_policies_can_be_given():
    class Lapsing(Library):
        def policies(self, state, seed):
            return 0.5 * super().policies(state, seed) + 0.25

    class Wary(hba.HBA):
        kinds = Lapsing

    agent = Wary(seat())
    agent.observe(TRUSTED, 1, GREEDY, seed=1)
    assert agent.probabilities()[1] == pytest.approx([0.7, 0.3])


def test_plastic_plays_for_the_likeliest_kind_alone():
    agent = plastic.Plastic(seat())
    agent.weights[1] = 0.45, 0.55
    assert agent.choose(START, 1) == RISK
    agent.weights[1] = 0.55, 0.45
    assert agent.choose(START, 1) == SAFE


def test_hba_is_bayes_rule_and_plans_on_all_of_it():
    agent = hba.HBA(seat())
    agent.observe(TRUSTED, 1, GREEDY, seed=1)
    agent.observe(TRUSTED, 1, GREEDY, seed=2)
    assert agent.probabilities()[1] == pytest.approx([0.81 / 0.82, 0.01 / 0.82])
    assert agent.choose(START, 1) == SAFE
    assert agent.expected()[1] == pytest.approx(agent.probabilities()[1])


@pytest.mark.parametrize("kind", [plastic.Plastic, hba.HBA, l_ibm.LIBM])
def test_own_moves_forced_moves_and_opponents_tell_nothing(kind):
    agent = kind(seat())
    before = agent.probabilities().tolist()
    agent.observe(START, 0, RISK, seed=1)
    agent.observe(NEXT, 1, 0, seed=1)
    assert agent.probabilities().tolist() == before
    other = kind(seat(view=View(connect_four)))
    first = other.probabilities().tolist()
    other.observe(other.seat.view.apply(other.seat.view.start(), 3)[0], 1, 2, seed=1)
    assert other.probabilities().tolist() == first


# -- the search with ten times the budget -------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "types", "iterations"),
    [
        (QUICK, (1, 3), (20 * 10) * (1 + 2 + 3)),
        (SearchOptions(axis="iterations", depth=5, rollouts=1), (30, 60), 600),
    ],
)
def test_tenfold_searches_ten_times_as_long(options, types, iterations):
    done = []

    class Counting(Searcher):
        def answer(self, *given, **named):
            done.append(super().answer(*given, **named))
            return done[-1]

    sits = replace(seat(types[-1], types, options=options), searcher=Counting)
    agent = tenfold.Tenfold(sits)
    agent.weights[1] = 1.0, 0.0
    assert agent.choose(START, 1) in (SAFE, RISK)
    assert [found.iterations for found in done] == [iterations]


def test_tenfold_plans_for_whom_it_has():
    agent = tenfold.Tenfold(seat())
    agent.weights[1] = 1.0, 0.0
    assert agent.choose(START, 1) == SAFE
    agent.weights[1] = 0.0, 1.0
    assert agent.choose(START, 1) == RISK


# -- L-IBM --------------------------------------------------------------------------------------


def test_the_fit_of_budgets_is_the_most_likely_one():
    rows = np.array([[0.75, 0.25]] * 5 + [[0.25, 0.75]] * 3)
    grid = np.linspace(0.0001, 0.9999, 9999)
    both = np.stack([grid, 1 - grid])
    imagined = 0.5 * np.log(both).sum(axis=0)
    likeliest = grid[(np.log(rows @ both).sum(axis=0) + imagined).argmax()]
    assert l_ibm.fitted(rows) == pytest.approx([likeliest, 1 - likeliest], abs=2e-3)
    # Without the imagined move 3/4 of them are of the first budget, by hand; it draws towards 1/2.
    assert 0.6 < likeliest < 0.75


def test_l_ibm_finds_out_a_short_budget_and_plans_for_it():
    agent = l_ibm.LIBM(seat(own=4, types=(3, 4)))
    assert agent.budgets == (1, 2, 3, 4)
    assert agent.probabilities()[1] == pytest.approx([0.75, 0.25])  # 1, 2 and 3 count for 3
    for turn in range(8):
        agent.observe(TRUSTED, 1, GREEDY, seed=turn)
    assert agent.weights[1].argmax() == 0
    assert agent.choose(START, 1) == SAFE
    other = l_ibm.LIBM(seat(own=4, types=(3, 4)))
    for turn in range(8):
        other.observe(TRUSTED, 1, PATIENT, seed=turn)
    assert other.weights[1, 0] < 0.2
    assert other.choose(START, 1) == RISK


# -- Boltzmann ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "temperature", "lapse", "expected"),
    [
        ([5.0, 9.0], 1 / np.log(3), 0.0, [1 / 4, 3 / 4]),
        ([0.0, 0.5, 1.0], 0.5 / np.log(2), 0.0, [1 / 7, 2 / 7, 4 / 7]),
        ([0.0, 1.0], 1e-6, 0.2, [0.1, 0.9]),  # a lapse may hit on the best action too
        ([3.0, 3.0], 0.1, 0.0, [0.5, 0.5]),
        ([np.nan, 1.0, 0.0], 1 / np.log(2), 0.0, [0.25, 0.5, 0.25]),
        ([np.nan, np.nan], 0.1, 0.0, [0.5, 0.5]),
    ],
)
def test_softmax_with_lapses(values, temperature, lapse, expected):
    assert boltzmann.chances(np.array(values), temperature, lapse) == pytest.approx(expected)


def test_a_boltzmann_player_errs_as_often_as_it_should():
    agent = boltzmann.Boltzmann(seat())
    agent.temperature, agent.lapse = 1e-6, 0.4
    safe = sum(agent.choose(START, turn) == SAFE for turn in range(400))
    assert 80 - 33 < safe < 80 + 33  # 20 % of 400, give or take four standard errors
    assert agent.explain() in ("it does this 80% of the time", "it does this 20% of the time")


# -- levels -------------------------------------------------------------------------------------


def test_levels_that_share_a_tree_find_what_they_find_alone():
    tree = KnownStates(VIEW)
    for moves in (2, 5, 8):
        shared = Levels(VIEW, DISCOUNT, poisson_below, tree=tree)
        alone = Levels(VIEW, DISCOUNT, poisson_below)
        assert (
            shared.values(3, 0, START, moves).tolist() == alone.values(3, 0, START, moves).tolist()
        )
    assert START in tree


@pytest.mark.slow
def test_a_level_that_forgets_its_tree_plays_the_same(monkeypatch):
    match = "wall-of-fire", ["level-k:2+hierarchy:2"]
    kept = play(*match, seed=3)
    monkeypatch.setattr("sizeup.baselines.level_k._MOST_KEPT", 0)
    assert [move.action for move in play(*match, seed=3).moves] == [m.action for m in kept.moves]


def test_levels_by_hand():
    levels = Levels(VIEW, DISCOUNT)
    at_random = (AT_GREEDY + AT_PATIENT) / 2
    assert levels.values(1, 0, START, 8) == pytest.approx([1, DISCOUNT * at_random])
    assert levels.policy(1, TRUSTED, 7).tolist() == [1, 0]  # patient: the rest is forced
    assert levels.values(2, 0, START, 8) == pytest.approx([1, DISCOUNT * AT_PATIENT])
    # Cut off after two moves nobody sees what was sown, and level 1 is greedy.
    assert levels.policy(1, TRUSTED, 1).tolist() == [0, 1]
    assert levels.values(2, 0, START, 2) == pytest.approx([1, DISCOUNT * 2])


def test_a_hierarchy_by_hand():
    # Shares of a Poisson distribution of mean 1.5, as published: 0.223, 0.335, 0.251.
    shares = np.array([0.22313, 0.33470, 0.25102])
    assert poisson_below(3) == pytest.approx(shares / shares.sum(), abs=1e-4)
    levels = Levels(VIEW, DISCOUNT, poisson_below)
    at_random = (AT_GREEDY + AT_PATIENT) / 2
    assert levels.values(2, 0, START, 8) == pytest.approx(
        [1, DISCOUNT * (0.4 * at_random + 0.6 * AT_PATIENT)]
    )


class Coin:
    """One player stops with 1, or lets chance decide between 4 (a quarter of the time) and 0."""

    teams = (1,)
    actor = staticmethod(lambda state: -1 if state == "toss" else 0)
    actions = staticmethod(lambda state: () if state == "over" else (0, 1))
    probabilities = staticmethod(lambda state: (0.25, 0.75))

    @staticmethod
    def apply(state, action):
        if state == "toss":
            return "over", -4.0 if action == 0 else 0.0
        return ("over", -1.0) if action == 0 else ("toss", 0.0)


def test_chance_takes_no_move_and_rewards_of_team_1_are_turned():
    assert Levels(Coin(), 0.5).values(1, 0, "start", 2).tolist() == [1.0, 0.5]
    assert Levels(Coin(), 0.5).values(1, 0, "start", 1).tolist() == [1.0, 0.0]


def test_level_2_stops_what_level_1_would_do():
    view = View(connect_four)
    state = view.state_from_text("......./......./......./x....../xo...../xo..... o")
    plays = {LevelK(seat(2, (1, 2), 1, view)).choose(state, turn) for turn in range(5)}
    assert {view.action_text(state, action) for action in plays} == {"a"}


def test_levels_look_at_no_more_states_than_they_may():
    view = View(connect_four)
    agent = LevelK(seat(2, (1, 2), 0, view))
    looked = []

    def apply(state, action, made=view.apply):
        looked.append(action)
        return made(state, action)

    view.apply = apply
    agent.choose(view.start(), 1)
    # Two moves at the least, then one more each time; the last one is given up half-way.
    assert 1000 < len(looked) < 4 * agent.states


# -- the expector -------------------------------------------------------------------------------


def test_the_expector_knows_its_partner():
    agent = expector.Expector(seat(types=(1, 3)))
    assert agent.choose(START, 1) == SAFE
    assert agent.explain() == "it expects 1.0 points with a partner of type 1"
    # The line by hand: the greedy answer pays 2 one move later, and then the engine is asked.
    worth = agent.seat.search(NEXT, 1).values[-1][0]
    assert worth < -2
    assert agent.line(START, RISK, 1) == pytest.approx(DISCOUNT * 2 + DISCOUNT**2 * worth)
    alike = expector.Expector(seat(types=(3,)))
    assert alike.choose(START, 1) == RISK
    assert alike.line(START, RISK, 1) > 1


def test_the_expector_counts_for_its_own_team():
    view = View(connect_four)
    state = view.state_from_text("......./......./......./x....../xo...../xo..... o")
    agent = expector.Expector(seat(4, (1, 4), 1, view))
    assert view.action_text(state, agent.choose(state, 1)) == "a"


# -- in experiments -----------------------------------------------------------------------------


def test_a_store_is_marked_with_the_baselines_that_play_and_no_others(monkeypatch):
    def parts(*members):
        return plans.code_parts("harvest", members)

    before = {name: parts(name) for name in ("hba:2", "boltzmann:2", "obl:2")}
    read = plans._read

    def changed(source):
        mark, names = read(source)
        return ("another" if b"class Plastic" in source else mark), names

    monkeypatch.setattr(plans, "_read", changed)  # as if somebody had edited plastic.py
    assert parts("hba:2")["the agent hba"] != before["hba:2"]["the agent hba"]  # derived from it
    assert parts("boltzmann:2") == before["boltzmann:2"]
    assert parts("obl:2") == before["obl:2"]
