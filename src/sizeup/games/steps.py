"""Kernel: single steps, random playouts and perft of whatever game it is bound to."""

from typing import Any

import numpy as np

from sizeup.games.rng import below, drawn
from sizeup.jit import injected, jit

GAME: Any = injected()

NO_ACTION = np.int64(-(2**63))
CHANCE = np.int64(-1)


@jit
def start(params: Any) -> Any:
    """First state."""
    return GAME.start(params)


@jit
def actor(state: Any, params: Any) -> Any:
    """Player to act, or chance."""
    return GAME.actor(state, params)


@jit
def is_terminal(state: Any, params: Any) -> Any:
    """Whether the game is over."""
    return GAME.is_terminal(state, params)


@jit
def legal_actions(state: Any, params: Any, out: Any) -> Any:
    """Write the legal actions to ``out``; return how many."""
    return GAME.legal_actions(state, params, out)


@jit
def probabilities(state: Any, params: Any, out: Any) -> None:
    """Write the probability of each outcome of chance to ``out``."""
    GAME.probabilities(state, params, out)


@jit
def step(state: Any, action: Any, params: Any) -> Any:
    """Next state, and the reward."""
    after = GAME.apply(state, action, params)
    return after, GAME.reward(state, action, after, params)


if hasattr(GAME, "random_action"):
    random_action = GAME.random_action
else:

    @jit
    def random_action(state: Any, params: Any, rng: Any, out: Any) -> Any:
        """One legal action, uniformly at random, or NO_ACTION."""
        count = GAME.legal_actions(state, params, out)
        if count == 0:
            return NO_ACTION
        return out[below(rng, count)]


if hasattr(GAME, "probabilities"):

    @jit
    def random_move(state: Any, params: Any, rng: Any, out: Any, lots: Any) -> Any:
        """A random action for a player, or an outcome drawn by its probability for chance."""
        if GAME.actor(state, params) != CHANCE:
            return random_action(state, params, rng, out)
        count = GAME.legal_actions(state, params, out)
        GAME.probabilities(state, params, lots)
        return out[drawn(rng, lots, count)]

else:

    @jit
    def random_move(state: Any, params: Any, rng: Any, out: Any, lots: Any) -> Any:
        """A random action."""
        return random_action(state, params, rng, out)


@jit
def playout(state: Any, params: Any, rng: Any, limit: Any, out: Any, lots: Any) -> Any:
    """Play at random for at most ``limit`` moves; return (last state, moves, total reward)."""
    total = 0.0
    for moves in range(limit):
        if GAME.is_terminal(state, params):
            return state, moves, total
        action = random_move(state, params, rng, out, lots)
        if action == NO_ACTION:
            return state, moves, total
        after = GAME.apply(state, action, params)
        total += GAME.reward(state, action, after, params)
        state = after
    return state, limit, total


@jit
def playouts(state: Any, params: Any, rng: Any, limit: Any, games: Any, out: Any, lots: Any) -> Any:
    """Play ``games`` random games from ``state``; return the moves made and the total reward."""
    moves, total = 0, 0.0
    for _ in range(games):
        _, made, reward = playout(state, params, rng, limit, out, lots)
        moves += made
        total += reward
    return moves, total


@jit
def _count_actions(state: Any, params: Any, out: Any) -> Any:
    if GAME.is_terminal(state, params):
        return 0
    return GAME.legal_actions(state, params, out)


@jit
def perft(state: Any, params: Any, depth: Any, out: Any, kept: Any) -> Any:
    """Count the sequences of ``depth`` moves.

    ``out (max_actions,)`` is scratch space and ``kept ((depth + 1) * max_actions,)`` holds the
    moves of each level: one flat array, because a view for each level would cost more than the
    rules. The last level is counted from the one above it.
    """
    count = _count_actions(state, params, out)
    if depth == 1:
        return count
    first = depth * len(out)
    for i in range(count):
        kept[first + i] = out[i]
    total = 0
    for i in range(count):
        after = GAME.apply(state, kept[first + i], params)
        if depth == 2:
            total += _count_actions(after, params, out)
        else:
            total += perft(after, params, depth - 1, out, kept)
    return total
