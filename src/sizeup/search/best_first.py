"""Kernel: what moves look like to somebody who follows the most promising line a step at a time.

A search starts with a glance at every move, judged by the game's ``evaluate``. Each step then takes
the line of best moves from the root to its end, adds the moves that are possible there, leaves out
those that look worse than the best by more than a threshold, and takes what was found back along
the line. Every judgement has an error of its own. So lines grow where they look good, and how far
they reach is found out, not given: more steps make longer lines.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.jit import injected, inner, jit

GAME: Any = injected()


class Lines(NamedTuple):
    """Scratch space: the tree of lines, one entry for each position, the root first.

    The ``action`` that leads there, where its children begin (``first``) and how many they are
    (``children``, 0 at the end of a line), the ``value`` to the first team and the ``sign`` of who
    moves; the ``path`` that is being followed; ``actions`` that are being added, and their
    ``looks``.
    """

    action: NDArray[np.int64]
    first: NDArray[np.int64]
    children: NDArray[np.int64]
    value: NDArray[np.float64]
    sign: NDArray[np.float64]
    path: NDArray[np.int64]
    actions: NDArray[np.int64]
    looks: NDArray[np.float64]


@jit
def grow(
    root: Any, params: Any, signs: Any, stops: Any, threshold: Any, discount: Any, seen: Any,
    errors: Any, out: Any, reach: Any, lines: Any,
) -> Any:  # fmt: skip
    """Write what actions look like after so many steps, ``out (stops, actions)``; return how many.

    ``stops`` are numbers of steps that do not descend; ``reach (stops,)`` becomes the length of the
    best line. ``errors`` are added to judgements, one for each position of the tree in turn.
    """
    lines.children[0] = 0
    size, is_over = _add(root, params, signs, 0, 1, np.inf, 0.0, 1.0, seen, errors, lines)
    count, steps = lines.children[0], 1
    tempo = _charge_tempo(root, params, seen, count, lines)
    for rank in range(len(stops)):
        while steps < stops[rank] and not is_over:
            leaf, level, state = _best_line(root, params, lines)
            steps += 1
            is_over = size + len(lines.actions) > len(lines.action) or level + 2 > len(lines.path)
            if not is_over:
                size, is_over = _add(
                    state, params, signs, leaf, size, threshold, tempo, discount**level, seen,
                    errors, lines,
                )  # fmt: skip
            if not is_over:
                _take_back(level, lines)
        _, reach[rank], _ = _best_line(root, params, lines)
        for at in range(count):
            out[rank, at] = lines.sign[0] * lines.value[1 + at]
    return count


@inner
def _charge_tempo(root: Any, params: Any, seen: Any, count: Any, lines: Any) -> Any:
    """Half of what the best move gains, taken from all of them; the same will be from all replies.

    Whoever moved last looks better than they are. Without this, a move that was followed by one
    reply could not compare with one that was not, and all moves would be followed before any twice.
    """
    sign, gain = lines.sign[0], -np.inf
    now = sign * GAME.evaluate(root, params, seen)
    for at in range(1, 1 + count):
        gain = max(gain, sign * lines.value[at] - now)
    for at in range(1, 1 + count):
        lines.value[at] -= 0.5 * sign * gain
    return 0.5 * gain


@inner
def _best_line(root: Any, params: Any, lines: Any) -> Any:
    """The end of the line of best moves, how many moves it has, and its position."""
    node, level, state = 0, 0, root
    while lines.children[node] > 0:
        best, high = lines.first[node], -np.inf
        for child in range(lines.first[node], lines.first[node] + lines.children[node]):
            looks = lines.sign[node] * lines.value[child]
            if looks > high:
                best, high = child, looks
        lines.path[level] = node
        node = best
        level += 1
        state = GAME.apply(state, lines.action[node], params)
    lines.path[level] = node
    return node, level, state


@inner
def _add(
    state: Any, params: Any, signs: Any, node: Any, size: Any, threshold: Any, tempo: Any,
    weight: Any, seen: Any, errors: Any, lines: Any,
) -> Any:  # fmt: skip
    """Add the moves at the end of a line that look good; the new size, and whether none is left.

    A line that ends the game is followed no further, and neither is any other: it stays the best.
    """
    actions, looks = lines.actions, lines.looks
    if GAME.is_terminal(state, params):
        return size, True
    count = GAME.legal_actions(state, params, actions)
    if count == 0:
        return size, True
    sign, high = signs[GAME.actor(state, params)], -np.inf
    for at in range(count):
        after = GAME.apply(state, actions[at], params)
        looks[at] = sign * weight * GAME.evaluate(after, params, seen)
        looks[at] += errors[(size + at) % len(errors)] - tempo
        high = max(high, looks[at])
    lines.sign[node], lines.first[node], lines.children[node] = sign, size, 0
    for at in range(count):
        if high - looks[at] <= threshold:
            lines.action[size], lines.children[size] = actions[at], 0
            lines.value[size] = sign * looks[at]
            lines.children[node] += 1
            size += 1
    return size, False


@inner
def _take_back(level: Any, lines: Any) -> Any:
    """Values of the positions on the line that was followed, from its end to the root."""
    for at in range(level, 0, -1):
        node = lines.path[at]
        high = -np.inf
        for child in range(lines.first[node], lines.first[node] + lines.children[node]):
            high = max(high, lines.sign[node] * lines.value[child])
        lines.value[node] = lines.sign[node] * high
