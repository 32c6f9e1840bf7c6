"""A match move by move, which the web app plays."""

from dataclasses import replace

import pytest

import sizeup
from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.play.match import Match
from sizeup.play.table import set_table
from sizeup.search import Searcher, SearchOptions

QUICK = SearchOptions(iterations=10, rollouts=1)


def teams():
    return [[read_agent("ca:4", QUICK), read_agent("obl:2", QUICK)], [read_agent("obl:2", QUICK)]]


@pytest.mark.slow
def test_steps_make_the_same_record_as_a_whole_match():
    match = Match(set_table("connect-four", teams()), seed=5)
    assert match.first_beliefs == {0: [[0.495, 0.495]] * 3}  # 1 % is none of these
    while not match.finished:
        match.step()
    assert match.record() == sizeup.play("connect-four", teams(), seed=5)


@pytest.mark.slow
def test_an_agent_that_is_overruled_learns_from_what_it_saw():
    """A given action that the agent would have chosen changes nothing, beliefs included."""
    free, led = (Match(set_table("connect-four", teams()), seed=5) for _ in range(2))
    while not free.finished:
        state = free.state
        move = free.step()
        assert led.step(led.view.action_from_text(state, move.action)) == move
    assert led.record() == free.record()


def test_another_action_is_played_in_the_agent_s_place():
    match = Match(set_table("connect-four", teams()), seed=5)
    usual = Match(set_table("connect-four", teams()), seed=5).step()
    other = next(a for a in match.view.actions(match.state) if a != "abcdefg".index(usual.action))
    move = match.step(other)
    assert move.action == "abcdefg"[other]
    assert move.search == usual.search


def test_what_cannot_be_is_said():
    match = Match(set_table("connect-four", ["random", "random"]), seed=1)
    with pytest.raises(InvalidInput, match="the match has not ended"):
        match.record()
    with pytest.raises(InvalidInput, match=r"random in seat 0 chose 9, which is not legal"):
        match.step(9)
    while not match.finished:
        match.step()
    with pytest.raises(InvalidInput, match=r"the match has ended \(the game is over\)"):
        match.step()


def test_agents_search_with_what_they_are_given():
    made = []

    def searcher(*what):
        made.append(what[1:])
        return Searcher(*what)

    match = Match(set_table("connect-four", teams(), searcher=searcher), seed=5)
    plan, _, _ = made
    assert [types for types, _ in made] == [(2, 4), (2,), (2,)]
    plain = Match(set_table("connect-four", teams()), seed=5)
    for _ in range(3):
        assert match.step() == plain.step()
    assert len(made) > 3  # by who learns, when it does: as many as there are threads
    assert set(made[3:]) == {((2, 4), plan[1])}


def test_who_learns_by_the_published_rule_searches_once():
    made, (aware, *rest) = [], teams()[0]

    def searcher(*what):
        made.append(what[1:])
        return Searcher(*what)

    published = [[replace(aware, rule="published"), *rest], teams()[1]]
    match = Match(set_table("connect-four", published, searcher=searcher), seed=5)
    plan = made[0]
    assert match.first_beliefs == {0: [[0.5, 0.5]] * 3}
    for _ in range(3):
        match.step()
    assert made[3:] == [((2, 4), replace(plan[1], beyond="zero"))]
