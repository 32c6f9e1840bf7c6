"""Lines of play between two positions of random games."""

import numpy as np
import pytest

from sizeup.adapters.open_spiel_bots import line_between
from sizeup.games import checkers, connect_four
from sizeup.games.contract import View

RULES = View(checkers)


def random_game(rules, seed):
    """Every position of a game, with how many plies there were since a capture."""
    rng, state, quiet = np.random.default_rng(seed), rules.start(), 0
    positions = [(state, quiet)]
    while rules.actions(state):
        state, reward = rules.apply(state, rng.choice(rules.actions(state)).item())
        quiet = quiet + 1 if reward == 0 else 0
        positions.append((state, quiet))
    return positions


def played(rules, state, quiet, line):
    for action in line:
        state, reward = rules.apply(state, action)
        quiet = quiet + 1 if reward == 0 else 0
    return state, quiet


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
def test_lines_of_checkers_lead_there_and_count_no_more_quiet_plies(plies):
    captures = 0
    for seed in range(3):
        positions = random_game(RULES, seed)[:60]
        for (known, before), (wanted, real) in zip(positions, positions[plies:], strict=False):
            line = line_between(RULES, known, wanted, most_plies=plies)
            state, quiet = played(RULES, known, before, line)
            assert state == wanted
            assert quiet <= real
            captures += real < plies
    assert captures > 10


def test_the_last_capture_is_as_late_as_it_can_be():
    """White could take on its first move or on its second, with the same board in the end."""
    known = RULES.state_from_text("B:W15,17:B2,8,12,K31,K32")
    wanted = RULES.state_from_text("B:W8,14:B2,12,K26,K32")
    line = line_between(RULES, known, wanted, most_plies=4)
    assert played(RULES, known, 0, line) == (wanted, 0)


def test_any_position_of_connect_four_is_found_from_the_start():
    rules = View(connect_four)
    for seed in range(5):
        for wanted, _ in random_game(rules, seed):
            line = line_between(rules, rules.start(), wanted, most_plies=42)
            assert played(rules, rules.start(), 0, line)[0] == wanted


def test_there_may_be_no_line():
    start = RULES.start()
    assert line_between(RULES, start, start, most_plies=0) == ()
    assert line_between(RULES, start, start._replace(side=1), most_plies=3) is None
    assert line_between(RULES, start, RULES.state_from_text("B:W32:B1"), most_plies=2) is None
