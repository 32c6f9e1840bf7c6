"""Kernel: what moves look like to somebody who looks so many moves ahead and judges what is there.

In place of random playouts, the end of every line is judged by the game's ``evaluate``. Beyond the
first move only the few that look best are followed, which is what people do. Nothing is random but
``seen``, the features of the evaluation that are not overlooked. There is no recursion: a position
is found again by playing the line that leads to it, which costs less than to keep it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.jit import injected, inner, jit

GAME: Any = injected()


class Line(NamedTuple):
    """Scratch space: a row for each move of the line that is being looked at.

    ``actions`` and how good they look, ``(levels, max_actions)``; how many are ``left`` to follow,
    the action ``taken``, and ``marks (levels, 4)``: the sign of who moves, the best value so far to
    whoever that is, and the bounds that matter.
    """

    actions: NDArray[np.int64]
    looks: NDArray[np.float64]
    left: NDArray[np.int64]
    taken: NDArray[np.int64]
    marks: NDArray[np.float64]


SIGN, BEST, LOW, HIGH = 0, 1, 2, 3


@jit
def root_values(
    state: Any, params: Any, signs: Any, depths: Any, width: Any, seen: Any, discount: Any,
    out: Any, line: Any,
) -> Any:  # fmt: skip
    """Write what each action is worth to the actor, ``out (depths, actions)``; return how many.

    ``signs`` says for each player whether it wants values high (1) or low (-1). What comes a move
    later is worth less by ``discount``: whoever can win now does not win later.
    """
    first = line.actions[0]  # of the root; the line has one level more than the deepest search
    count = GAME.legal_actions(state, params, first)
    sign = signs[GAME.actor(state, params)]
    for rank in range(len(depths)):
        for at in range(count):
            after = GAME.apply(state, first[at], params)
            out[rank, at] = sign * _value(
                after, params, signs, depths[rank], width, seen, discount, line
            )
    return count


@inner
def _value(
    root: Any, params: Any, signs: Any, end: Any, width: Any, seen: Any, discount: Any, line: Any
) -> Any:
    """What the position at level 1 is worth when lines end at level ``end``."""
    state, level = root, 1
    line.marks[1, LOW], line.marks[1, HIGH] = -np.inf, np.inf
    while True:
        is_leaf, value = _open(state, params, signs, end, level, width, seen, discount, line)
        while is_leaf:  # take its value back along the line, to where something is left to follow
            if level == 1:
                return value
            level -= 1
            is_leaf, value = _close(level, value, line)
        state = _follow(root, params, level, line)
        level += 1


@inner
def _open(
    state: Any, params: Any, signs: Any, end: Any, level: Any, width: Any, seen: Any,
    discount: Any, line: Any,
) -> Any:  # fmt: skip
    """Judge a position, or make ready to follow its moves: whether it was judged, and its value."""
    weight = discount ** (level - 1)
    if level == end or GAME.is_terminal(state, params):
        return True, weight * GAME.evaluate(state, params, seen)
    actions, looks = line.actions[level], line.looks[level]
    count = GAME.legal_actions(state, params, actions)
    if count == 0:
        return True, weight * GAME.evaluate(state, params, seen)
    sign, best = signs[GAME.actor(state, params)], -np.inf
    for at in range(count):
        looks[at] = sign * GAME.evaluate(GAME.apply(state, actions[at], params), params, seen)
        best = max(best, looks[at])
    looks[count:] = -np.inf
    line.left[level] = min(width, count)
    line.marks[level, SIGN], line.marks[level, BEST] = sign, -np.inf
    return level + 1 == end, sign * weight * discount * best


@inner
def _close(level: Any, value: Any, line: Any) -> Any:
    """Take back the value of a move; say whether that was the last one to follow, and the best."""
    sign = line.marks[level, SIGN]
    best = max(line.marks[level, BEST], sign * value)
    line.marks[level, BEST] = best
    if sign > 0:
        line.marks[level, LOW] = max(line.marks[level, LOW], value)
    else:
        line.marks[level, HIGH] = min(line.marks[level, HIGH], value)
    line.left[level] -= 1
    over = line.left[level] == 0 or line.marks[level, LOW] >= line.marks[level, HIGH]
    return over, sign * best


@inner
def _follow(root: Any, params: Any, level: Any, line: Any) -> Any:
    """The position after the next best looking move at a level."""
    looks = line.looks[level]
    at = np.argmax(looks)
    looks[at] = -np.inf
    line.taken[level] = line.actions[level, at]
    line.marks[level + 1, LOW] = line.marks[level, LOW]
    line.marks[level + 1, HIGH] = line.marks[level, HIGH]
    state = root
    for earlier in range(1, level + 1):
        state = GAME.apply(state, line.taken[earlier], params)
    return state
