"""Short matches that several files of tests look at."""

import pytest

from sizeup.agents import read_agent
from sizeup.games import checkers, wall_of_fire
from sizeup.play import play
from sizeup.search import SearchOptions

QUICK = SearchOptions(iterations=10, rollouts=1)
SHORT = wall_of_fire.INFO.params._replace(most_turns=6)
BRIEF = checkers.CheckersParams(most_plies=40)


def quick(text, options=QUICK):
    """Members of a team that search little."""
    return [read_agent(part, options) for part in text.split("+")]


@pytest.fixture(scope="session")
def fire():
    return play("wall-of-fire", ["ca:20+obl:2"], seed=1, params=SHORT)


@pytest.fixture(scope="session")
def field():
    return play("harvest", [quick("ca:4+obl:1+ca:2")], seed=2)


@pytest.fixture(scope="session")
def draughts():
    return play("checkers", [quick("ca:4+obl:2"), quick("obl:2")], seed=3, params=BRIEF)


@pytest.fixture(scope="session")
def four():
    """A game of Connect Four between unequal players."""
    return play("connect-four", [quick("obl:3"), quick("obl:1")], seed=5)
