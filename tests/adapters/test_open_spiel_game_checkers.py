"""OpenSpiel's checkers through the adapter, beside our own: the same moves and the same results."""

import numpy as np

from sizeup.adapters.open_spiel_game import TWINS, open_spiel_game
from sizeup.games import checkers
from sizeup.games.contract import View

OURS, THEIRS = View(checkers), View(open_spiel_game("checkers"))
TWIN = TWINS["checkers"]
GAMES = 12


def whole_moves(state):
    """State of OpenSpiel's after each complete move, by the steps of the move as it writes them."""
    mover, unfinished, found = THEIRS.actor(state), [((), state)], {}
    while unfinished:
        steps, partial = unfinished.pop()
        for action in THEIRS.actions(partial):
            longer = (*steps, THEIRS.action_text(partial, action))
            after, _ = THEIRS.apply(partial, action)
            if THEIRS.actor(after) == mover:
                unfinished.append((longer, after))
            else:
                found[longer] = after
    return found


def test_random_games_have_the_same_moves_and_results():
    rng, compared, jumps, results = np.random.default_rng(3), 0, 0, []
    for _ in range(GAMES):
        ours, theirs, quiet = OURS.start(), THEIRS.start(), 0
        while OURS.actions(ours) and quiet < 40:
            moves = whole_moves(theirs)
            by_action = {TWIN.action(ours, steps): after for steps, after in moves.items()}
            assert set(by_action) == set(OURS.actions(ours))
            assert OURS.actor(ours) == THEIRS.actor(theirs)
            jumps += any(len(steps) > 1 for steps in moves)
            action = OURS.actions(ours)[rng.integers(len(by_action))]
            ours, reward = OURS.apply(ours, action)
            theirs, quiet = by_action[action], 0 if reward else quiet + 1
            compared += 1
        assert not THEIRS.actions(theirs)  # over there as well: by our rules, or by its draw
        lost = 0.0 if OURS.actions(ours) else (-1.0 if OURS.acting(ours) == 0 else 1.0)
        assert theirs.board.spiel.returns()[0] == lost
        results.append(lost)
    assert compared > 400
    assert jumps > 15
    assert set(results) == {1.0, 0.0, -1.0}
