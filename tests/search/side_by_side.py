"""Searches to be made side by side, and the same ones made alone."""

import dataclasses

import numpy as np

from sizeup.games.contract import CHANCE, TERMINAL
from sizeup.search.batch import Batch
from sizeup.search.tree import bytes_per_node

MEMORY = 2**22


def node_bytes(searcher):
    """Memory of a node in a batch, which has room for more types than a searcher may have."""
    return bytes_per_node(max(4, searcher.shape.slots))


def assert_same(one, other):
    """Equal in every field, not only nearly so."""
    for field in dataclasses.fields(one):
        ours, theirs = getattr(one, field.name), getattr(other, field.name)
        np.testing.assert_equal(ours, theirs, err_msg=field.name)  # to which NaN is NaN


def states_of(view, moves, seed=0):
    """Where players act along a line of play at random, from the start on."""
    rng, state = np.random.default_rng(seed), view.start()
    for _ in range(moves):
        actor = view.actor(state)
        if actor == TERMINAL:
            return
        if actor != CHANCE:
            yield state
        actions = view.actions(state)
        state, _ = view.apply(state, actions[rng.integers(len(actions))])


def asks_of(searcher, request, moves=3):
    """Searches of several states and of every rank, with what is requested and without."""
    asks = []
    for number, state in enumerate(states_of(searcher.view, moves)):
        asks += [
            searcher.ask(state, own, seed=100 * number + own) for own in reversed(searcher.types)
        ]
        asks.append(searcher.ask(state, seed=number, **request))
    return asks


def assert_as_alone(searcher, asks, **how):
    """In turns as short as can be, so that searches stop and go on in many places."""
    together = Batch(searcher, **{"memory": MEMORY, "lanes": 3, "turn": 0, **how}).search_many(asks)
    assert len(together) == len(asks) > 1
    for ask, found in zip(asks, together, strict=True):
        assert_same(found, searcher.answer(ask))
