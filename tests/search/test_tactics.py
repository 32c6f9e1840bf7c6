"""Combinations of English checkers that a deep enough search must find and a shallow one must not.

Exact minimax over the same rules certifies each position first: the solution is worth at least one
piece more than any other move at the depth that sees it, and no more than another move at the depth
that misses it. Nearly all solutions give pieces away before they win more of them back: playouts
show even a shallow search more than its depth, and it takes a sacrifice to hide something from it.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from sizeup.games import checkers
from sizeup.games.contract import View
from sizeup.search.searcher import Searcher

RULES = View(checkers)
SEEDS = range(20)
LEAST_SEEN = 19
MOST_MISSED = 5


class Tactic(NamedTuple):
    """A position with one winning move, a depth that sees it and one that misses it."""

    name: str
    fen: str
    solution: str
    sees: int
    misses: int


TACTICS = [
    # 14-17 21x14 18x4: one man for all four, and the game.
    Tactic("3-clean-sweep", "B:WK6,K7,8,21:B14,K18,K32", "14-17", sees=3, misses=1),
    # 19-16 12x19 23x7: two for one, though 24x15 looks like the natural recapture.
    Tactic(
        "3-two-for-one",
        "W:W10,19,22,23,24,26,27,28:B1,3,5,8,9,11,12,20",
        "19-16",
        sees=3,
        misses=2,
    ),
    # 23-18 14x23 26x3: three for one, and a crown.
    Tactic(
        "3-three-for-one",
        "W:W21,23,24,25,26,28,30:B1,4,5,8,14,16,17",
        "23-18",
        sees=3,
        misses=1,
    ),
    # 13-17 22x6 1x28: three for two, across the whole board.
    Tactic(
        "3-three-for-two",
        "B:W15,22,24,27,29,30,31,32:B1,2,3,4,7,9,12,13,21",
        "13-17",
        sees=3,
        misses=2,
    ),
    # 22-26 29x22 26x3: the king offers a man and jumps three pieces, two of them kings.
    Tactic("3-king-tour", "B:WK7,K14,24,27,28,29:B5,6,20,K22,25", "22-26", sees=3, misses=1),
    # 15-19 23x16 11x27 (or 24x15 11x27): two for one; other wins of a man are recaptured.
    Tactic("4-either-capture", "B:W7,22,23,24,25,29:B8,11,12,15,K32", "15-19", sees=4, misses=1),
    # 16-20 7x16 12x28: gives a man for a king and a man.
    Tactic(
        "4-man-for-king",
        "B:WK7,21,23,24,26,29,30,31:B1,4,8,11,12,14,16,K32",
        "16-20",
        sees=4,
        misses=2,
    ),
    # 18-15 11x18 22x15: an exchange that holds; every other move loses a man within four plies.
    Tactic(
        "4-only-exchange",
        "W:W18,20,22,25,26,28,29,32:B1,4,6,8,11,12,16,19",
        "18-15",
        sees=4,
        misses=2,
    ),
    # 19-16: every other move loses a man within four plies.
    Tactic("4-only-defence", "W:W6,K12,15,19,23:B9,14,25,K30,K31", "19-16", sees=4, misses=3),
    # 15-18 22x15 10x19 24x15 3x19: an exchange, and then two more for one.
    Tactic(
        "5-exchange-first",
        "B:W7,13,21,22,24,25,28,29:B3,5,6,9,10,12,15",
        "15-18",
        sees=5,
        misses=3,
    ),
    # 11-15 14x7 15-18 23x14 16x32: gives two, takes two, crowned; other moves lose a man.
    Tactic(
        "5-two-for-two",
        "B:W5,14,17,19,23,24,27,29:B4,10,11,12,16,20,22",
        "11-15",
        sees=5,
        misses=3,
    ),
    # 15-11 8x15 23-19 16x23 26x1: gives two men in a row, takes three and is crowned.
    Tactic(
        "5-three-for-two",
        "W:W15,23,24,25,26,28,30:B3,4,5,6,7,8,16",
        "15-11",
        sees=5,
        misses=3,
    ),
    # 15-18 22x15 19-24 28x19 16x30: gives two men in a row, takes two and is crowned.
    Tactic(
        "5-saved-by-a-shot",
        "B:W13,21,22,25,26,28,32:B5,8,12,15,16,19,20",
        "15-18",
        sees=5,
        misses=2,
    ),
    # 27-24 20x27 19-16 12x19 15x22: gives two men, takes all three pieces, and the game.
    Tactic("5-win-of-the-game", "W:W14,K15,19,27:B12,20,K26", "27-24", sees=5, misses=2),
    # 17-14 10x17 25-21 3x10 21x7: gives two, takes two, where all other moves lose a man.
    Tactic(
        "6-counter-shot",
        "W:W7,17,20,24,25,26,28,29:B3,5,6,8,10,12,13,K27",
        "17-14",
        sees=6,
        misses=3,
    ),
    # 15-11 7x16 24-19: the man comes back in a few plies; all other moves lose one for good.
    Tactic("6-lend-a-man", "W:W13,15,18,23,24,27:B1,6,7,9,20", "15-11", sees=6, misses=3),
    # 27-24 9x18 24x15: an exchange that holds; every other move loses a man within six plies.
    Tactic("6-only-exchange", "W:W14,17,25,26,27,29:B2,5,7,8,9,19,28", "27-24", sees=6, misses=4),
    # 16-20 23x16 20x27 31x24 7-10 14x7 2x27: an exchange, one more man, and a jump over three.
    Tactic(
        "7-jump-over-three",
        "B:W14,22,23,24,26,28,30,31:B2,5,7,8,13,15,16,19",
        "16-20",
        sees=7,
        misses=4,
    ),
    # 23-18 14x23 27x18 20x27 32x23 11x20 18x2: exchanges clear the way to the king row.
    Tactic(
        "7-clear-the-way",
        "W:W12,16,21,22,23,24,27,28,32:B3,7,10,11,14,15,20,26",
        "23-18",
        sees=7,
        misses=3,
    ),
    # 11-15 20x11 18-23 27x18 15x29 11-7 3x10: two for two, and the man on 11 cannot be saved.
    Tactic(
        "7-stranded-man",
        "B:W20,24,25,27,30,31,32:B1,3,4,5,8,11,16,18",
        "11-15",
        sees=7,
        misses=3,
    ),
    # 20-16 12x19 15x31 8-11 14-10 11-15 21x14: two for one, and a third piece is lost as well.
    Tactic("7-third-piece", "W:W14,K15,20,21,25,30:B5,8,12,17,K27", "20-16", sees=7, misses=3),
    # 19-15 11x18 20x11 8x15 23-19 4-8 19x10: all comes back in the end; other moves lose a man.
    Tactic(
        "7-long-way-back",
        "W:W6,19,20,23,24,27,29:B3,4,8,11,12,14,16,K31",
        "19-15",
        sees=7,
        misses=4,
    ),
    # 17-22 19x17 13x22 20-16 12x19 29-25 22x29: two men for a king, and the rest must walk in.
    Tactic("7-win-of-the-game", "B:WK19,20,K29:B12,13,17,23", "17-22", sees=7, misses=3),
]

every_tactic = pytest.mark.parametrize("tactic", TACTICS, ids=[tactic.name for tactic in TACTICS])


def minimax(
    state: Any,
    depth: int,
    moves: Sequence[int] | None = None,
    alpha: float = -math.inf,
    beta: float = math.inf,
) -> float:
    """Pieces that the side to move wins, net, over ``depth`` plies of best play.

    Only ``moves`` are tried for the first of these plies, if they are given.
    """
    moves = RULES.actions(state) if moves is None else moves
    if depth == 0 or not moves:
        return 0.0
    sign = 1.0 if RULES.actor(state) == 0 else -1.0
    best = -math.inf
    for move in moves:
        after, to_black = RULES.apply(state, move)
        won = sign * to_black
        best = max(best, won - minimax(after, depth - 1, None, won - beta, won - max(alpha, best)))
        if best >= beta:
            break
    return best


def margin(tactic: Tactic, depth: int) -> float:
    """What the solution is worth more than the best other move, in pieces."""
    state = RULES.state_from_text(tactic.fen)
    solution = RULES.action_from_text(state, tactic.solution)
    others = [move for move in RULES.actions(state) if move != solution]
    return minimax(state, depth, [solution]) - minimax(state, depth, others)


@cache
def searcher(depth: int) -> Searcher:
    return Searcher(checkers, types=(depth,))


def times_solved(tactic: Tactic, depth: int) -> int:
    """In how many searches of this depth, one for each seed, the solution is played."""
    state = RULES.state_from_text(tactic.fen)
    played = [searcher(depth).search(state, seed=seed).action for seed in SEEDS]
    return [RULES.action_text(state, action) for action in played].count(tactic.solution)


@every_tactic
def test_minimax_wins_a_piece_by_the_solution_at_the_depth_that_sees_it(tactic):
    assert margin(tactic, tactic.sees) >= 1


@every_tactic
def test_minimax_does_not_prefer_the_solution_at_the_depth_that_misses_it(tactic):
    assert tactic.misses < tactic.sees
    assert margin(tactic, tactic.misses) <= 0


@every_tactic
def test_a_search_that_is_deep_enough_finds_the_solution(tactic):
    assert times_solved(tactic, tactic.sees) >= LEAST_SEEN


@every_tactic
def test_a_search_that_is_too_shallow_misses_the_solution(tactic):
    assert times_solved(tactic, tactic.misses) <= MOST_MISSED
