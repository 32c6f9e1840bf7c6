"""Random small games and type sets for hypothesis, built so that failures shrink."""

import numpy as np
from hypothesis import strategies as st

from sizeup.capability import TypeSet
from sizeup.planning import CHANCE, TERMINAL, TabularGame


@st.composite
def small_games(draw, players=None, teams=None, chance=True):
    """Games with 2 to 4 players, integer rewards (ties are common) and a few states."""
    players = draw(st.integers(2, 4)) if players is None else players
    two_teams = draw(st.booleans()) if teams is None else teams == 2
    states = draw(st.integers(players + 1, players + 3))
    actions = draw(st.integers(2, 3))
    actor = [*range(players)]
    for _ in range(states - players - 1):
        actor.append(draw(st.sampled_from([*range(players), *([CHANCE] if chance else [])])))
    actor.append(TERMINAL)
    successor = np.full((states, actions), -1)
    lots = np.zeros((states, actions))
    settled = [s for s, who in enumerate(actor) if who != CHANCE]
    for s in range(states - 1):
        legal = draw(st.integers(2 if actor[s] == CHANCE else 1, actions))
        for a in range(legal):
            anywhere = settled if actor[s] == CHANCE else range(states)
            successor[s, a] = draw(st.sampled_from([*anywhere]))
        if actor[s] == CHANCE:
            heads = draw(st.integers(1, 3))
            lots[s, :2] = heads / 4, 1 - heads / 4
            successor[s, 2:] = -1
    reward = draw(
        st.lists(st.integers(-2, 3), min_size=states * actions, max_size=states * actions)
    )
    return TabularGame(
        teams=[player % 2 if two_teams else 0 for player in range(players)],
        actor=actor,
        successor=successor,
        reward=np.reshape(reward, (states, actions)),
        chance=lots,
    )


@st.composite
def type_sets(draw, smallest=2, deepest=4):
    values = draw(st.sets(st.integers(1, deepest), min_size=smallest, max_size=4))
    return TypeSet(sorted(values))
