"""Any agents, played, written down and played again: the same record."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizeup.agents import STRATEGIES, read_agent
from sizeup.agents.config import BASELINES
from sizeup.capability import Adversarial, Constant, Exact, Stochastic, Tempered
from sizeup.errors import InvalidInput
from sizeup.games import connect_four, foraging, harvest, wall_of_fire
from sizeup.play import Record, play, set_table
from sizeup.play.match import play_at
from sizeup.play.replay import play_again, rematch, replay
from sizeup.search import SearchOptions
from tests.play.conftest import quick

TYPES = (1, 2, 3)
FIRE = wall_of_fire.board("..FC\n.SF.\n..FC", most_turns=6)
BUSHES = foraging.board("A.1\nB2C", most_turns=6)
GAMES = {
    "wall-of-fire": (FIRE, [2]),
    "wall-of-fire for three": (FIRE, [3]),
    "harvest": (harvest.season([0.5, 1.0, 0.2]), [3]),
    "connect-four 2v1": (connect_four.ConnectFourParams(), [2, 1]),
    "foraging": (BUSHES, [2]),
    "foraging for three": (BUSHES, [3]),
    "tag:wall-of-fire": (FIRE, [2]),
    "tag:connect-four 1v2": (connect_four.ConnectFourParams(), [1, 2]),
}
PLUGINS = (*BASELINES, str(Path(__file__).with_name("fickle.py")))


@dataclass(frozen=True)
class Halved:
    """An update rule of one's own: half of the loss."""

    temperature: float = 0.3

    def evidence(self, q, action):
        """Half of what the paper's rule says."""
        return 0.5 * Tempered(0.1, clip=0.4).evidence(q, action)


HALVED = Halved(0.2)


options = st.builds(
    SearchOptions,
    iterations=st.integers(1, 4),
    rollouts=st.integers(1, 2),
    discount=st.sampled_from([None, 0.5, 1.0]),
    axis=st.sampled_from(["depth", "iterations"]),
    depth=st.integers(1, 3),
    progressive=st.booleans(),
    exploration=st.sampled_from([None, 0.0, 2.5]),
    value_scale=st.sampled_from([None, "raw", "range"]),
    teammate_iterations=st.integers(0, 3),
    teammate_rule=st.sampled_from(["mean", "visits", "ucb", "replicas"]),
    teammate_statistics=st.sampled_from(["shared", "separate"]),
    beyond=st.sampled_from(["cap", "zero"]),
    copy=st.sampled_from(["all", "some", "values", "none"]),
    max_nodes=st.sampled_from([64, 2**12]),
)
temperatures = st.sampled_from([Constant(0.4), Adversarial(3), Stochastic(1.5)])
rules = st.one_of(
    st.just("published"),
    st.builds(Tempered, st.floats(0.05, 2) | temperatures, st.sampled_from([None, 0.3])),
    st.builds(Exact, st.floats(0, 0.5)),
    st.sampled_from([f"{__name__}:HALVED", f"{__name__}:Halved", "sizeup.capability:Exact"]),
)


@st.composite
def configs(draw, names=tuple(STRATEGIES)):
    """An agent of any kind, that considers types of its own or those of the match."""
    kind = STRATEGIES[draw(st.sampled_from(names))]
    own = draw(st.sampled_from(TYPES))
    chosen = tuple(sorted({own, *draw(st.sets(st.sampled_from(TYPES)))}))
    if kind.belief in ("truth", "public"):
        chosen = TYPES  # it is told what its teammates are
    types = draw(st.sampled_from([(), chosen]))
    weights = [draw(st.integers(1, 9)) for _ in types]
    prior = tuple(w / sum(weights) for w in weights) if draw(st.booleans()) else ()
    return replace(
        kind,
        own=own,
        types=types,
        prior=prior,
        rule=draw(rules),
        temperature=draw(st.floats(0.05, 2)),
        clip=draw(st.floats(0.1, 2)),
        forget=draw(st.sampled_from([0.0, 0.25])),
        common_seed=draw(st.booleans()),
        options=draw(options),
    )


@st.composite
def plugins(draw):
    """An agent of the literature or from a file."""
    text = f"{draw(st.sampled_from(PLUGINS))}:{draw(st.sampled_from(TYPES))}"
    types = draw(st.sampled_from(["", "@1,2,3"]))
    return read_agent(text + types, draw(options))


observers = configs(["ca", "ma", "sa", "public"])


@st.composite
def tables(draw):
    """A game, teams for it, and perhaps somebody who watches from the seat of a player."""
    game = draw(st.sampled_from(sorted(GAMES)))
    params, sizes = GAMES[game]
    teams = [[draw(configs() | plugins()) for _ in range(size)] for size in sizes]
    seats = [agent for team in teams for agent in team]
    quiet = [p for p, one in enumerate(seats) if not one.is_adaptive and one.model != "plugin"]
    seat = draw(st.sampled_from([None, *quiet]))
    watching = None if seat is None else (seat, draw(observers))
    return game.partition(" ")[0], teams, params, watching


def assert_same(record):
    again = Record.from_json(record.to_json())
    assert again == record
    assert not again.lacks
    assert play_again(again) == record
    assert [move for _, move in replay(again)] == list(record.moves)


@pytest.mark.slow
@settings(max_examples=50)
@given(tables(), st.integers(0, 2**70), st.booleans(), st.booleans())
def test_any_match_played_again_is_the_same_match(table, seed, carry, searches):
    game, teams, params, observer = table
    first = set_table(game, teams, params, observer=observer)
    assert_same(play_at(first, seed=seed, searches=searches))
    if carry:
        held = {
            p: one.beliefs
            for p, one in enumerate(first.seats)
            if one.config.model not in ("random", "plugin")
        }
        later = set_table(game, teams, params, beliefs=held, observer=observer)
        assert_same(play_at(later, seed=seed + 1, searches=searches))


def test_a_rule_that_cannot_be_written_down_is_not_replaced_by_another():
    teams = [[replace(agent, rule=HALVED) for agent in quick("ca:2+obl:1")]]
    record = play("wall-of-fire", teams, params=FIRE)
    again = Record.from_json(record.to_json())
    assert again.moves == record.moves
    assert [move for _, move in replay(again)] == list(record.moves)
    with pytest.raises(
        InvalidInput, match=rf"there is no update rule '{__name__}:Halved\(\.\.\.\)'"
    ):
        play_again(again)


def test_the_moves_of_people_and_functions_are_taken_from_the_record():
    def western(view, state, seed):
        return view.actions(state)[-1]

    record = play("wall-of-fire", [[*quick("ca:2@1,2"), western]], seed=3, params=FIRE)
    assert record.agents[1] is None
    assert_same(record)
    match = rematch(record)
    match.step()
    with pytest.raises(InvalidInput, match="western in seat 1 is not here: give its move"):
        match.step()


def test_somebody_else_in_a_seat_plays_another_match():
    record = play("wall-of-fire", [quick("ca:2+obl:1")], seed=3, params=FIRE)
    other = rematch(record, instead={1: read_agent("random")})
    while not other.finished:
        other.step()
    assert other.record().players == ("ca:2", "random")
    assert other.record().types == record.types
    assert other.moves != list(record.moves)
