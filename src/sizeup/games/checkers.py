"""Checkers (English draughts): rules only, on bitboards.

Bit ``n`` is square ``n + 1`` of the standard numbering. Black ("dark") moves first and upwards on
this map of the bits, which is the printed board upside down::

    white    28  29  30  31
               24  25  26  27
             20  21  22  23
               16  17  18  19
             12  13  14  15
                8   9  10  11
              4   5   6   7
    black       0   1   2   3

Captures are mandatory, a multiple jump is one move, and a man that is crowned stops there. An
action holds the mover's squares that change (from and to) in its low 32 bits and the pieces it
captures in the high ones. Pieces on the edge cannot be captured, so an action is never negative; a
king that jumps in a circle changes no square of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sizeup.games.contract import NO_ACTION, GameInfo
from sizeup.games.rng import below
from sizeup.jit import jit

__all__ = ["INFO", "Params", "State", "adjourned"]


class State(NamedTuple):
    """Pieces of each side, which of them are kings, and the side to move (0 is black)."""

    black: int
    white: int
    kings: int
    side: int


class Params(NamedTuple):
    """What may differ between matches; plans know only the king's value."""

    king_value: float = 1.0
    most_plies: int = 120
    most_quiet_plies: int = 40


_SQUARES = (0, 2**32 - 1)

INFO = GameInfo(
    name="checkers",
    teams=(0, 1),
    max_actions=256,
    params=Params(),
    action_bounds=(0, 2**63 - 1),
    state_bounds={"black": _SQUARES, "white": _SQUARES, "kings": _SQUARES, "side": (0, 1)},
)

_STACK = 208  # legal moves fill the buffer from below, unfinished jumps from here
_BOARD = 0xFFFFFFFF
_EVEN = 0x0F0F0F0F  # rows 0, 2, 4, 6 from black's side
_ODD = ~_EVEN  # negative, so that it fits an instruction; boards have no higher bits
_ODD_BELOW_TOP = 0x00F0F0F0
_NOT_LEFT = ~0x11111111
_NOT_RIGHT = 0x77777777
_TOP = 0xF0000000
_BOTTOM = 0x0000000F


@jit
def _up_left(x: int) -> int:
    return ((x & _EVEN) << 4) | ((x & _ODD_BELOW_TOP & _NOT_LEFT) << 3)


@jit
def _up_right(x: int) -> int:
    return ((x & _EVEN & _NOT_RIGHT) << 5) | ((x & _ODD_BELOW_TOP) << 4)


@jit
def _down_left(x: int) -> int:
    return ((x & _EVEN) >> 4) | ((x & _ODD & _NOT_LEFT) >> 5)


@jit
def _down_right(x: int) -> int:
    return ((x & _EVEN & _NOT_RIGHT) >> 3) | ((x & _ODD) >> 4)


@jit
def _count(x: int) -> int:
    """Number of set bits (LLVM makes one instruction of this loop)."""
    count = 0
    while x:
        x &= x - 1
        count += 1
    return count


@jit
def start(params: Params) -> State:
    """Twelve men on either side, black to move."""
    return State(0x00000FFF, 0xFFF00000, 0, 0)


@jit
def actor(state: State, params: Params) -> int:
    """Side to move."""
    return state.side


@jit
def is_terminal(state: State, params: Params) -> bool:
    """One side has no pieces left; a side without moves has lost too."""
    return state.black == 0 or state.white == 0


@jit
def _movers(state: State) -> tuple[int, int, int, int]:
    """Pieces that move up, pieces that move down, the opponent's, and empty squares."""
    if state.side == 0:
        return state.black, state.black & state.kings, state.white, _empty(state)
    return state.white & state.kings, state.white, state.black, _empty(state)


@jit
def _empty(state: State) -> int:
    return ~(state.black | state.white) & _BOARD


@jit
def _jumpers(up: int, down: int, foes: int, empty: int) -> int:
    """Pieces that can capture: their neighbour is a foe with an empty square behind it."""
    above = _down_right(foes & _down_right(empty)) | _down_left(foes & _down_left(empty))
    below_ = _up_right(foes & _up_right(empty)) | _up_left(foes & _up_left(empty))
    return (up & above) | (down & below_)


@jit
def legal_actions(state: State, params: Params, out: Any) -> int:
    """All captures if there is any, else all quiet moves."""
    up, down, foes, empty = _movers(state)
    jumpers = _jumpers(up, down, foes, empty)
    if jumpers:
        return _captures(jumpers, up, down, foes, empty, out)
    count = 0
    targets = _up_left(up) & empty
    while targets:
        to = targets & -targets
        targets ^= to
        out[np.uint64(count)] = to | _down_right(to)
        count += 1
    targets = _up_right(up) & empty
    while targets:
        to = targets & -targets
        targets ^= to
        out[np.uint64(count)] = to | _down_left(to)
        count += 1
    targets = _down_left(down) & empty
    while targets:
        to = targets & -targets
        targets ^= to
        out[np.uint64(count)] = to | _up_right(to)
        count += 1
    targets = _down_right(down) & empty
    while targets:
        to = targets & -targets
        targets ^= to
        out[np.uint64(count)] = to | _up_left(to)
        count += 1
    return count


@jit
def _captures(jumpers: int, up: int, down: int, foes: int, empty: int, out: Any) -> int:
    """Every complete multiple jump, as a depth-first walk with its stack in ``out``."""
    count = 0
    while jumpers:
        origin = jumpers & -jumpers
        jumpers ^= origin
        free = empty | origin  # the square it left may be landed on
        first = count
        top = _STACK
        out[top] = origin
        top += 1
        while top > _STACK:
            top -= 1
            at, taken = out[top] & _BOARD, out[top] >> 32
            pushed, left = top, foes & ~taken
            if up & origin:
                over = _up_left(at) & left
                top = _push(over, _up_left(over) & free, taken, out, top)
                over = _up_right(at) & left
                top = _push(over, _up_right(over) & free, taken, out, top)
            if down & origin:
                over = _down_left(at) & left
                top = _push(over, _down_left(over) & free, taken, out, top)
                over = _down_right(at) & left
                top = _push(over, _down_right(over) & free, taken, out, top)
            if top == pushed:
                count = _keep((origin ^ at) | (taken << 32), first, count, out)
    return count


@jit
def _push(over: int, to: int, taken: int, out: Any, top: int) -> int:
    """Put a jump ``over`` a piece on the stack, if there is a square ``to`` land on."""
    if to:
        out[top] = to | ((taken | over) << 32)
        top += 1
    return top


@jit
def _keep(action: int, first: int, count: int, out: Any) -> int:
    """Add a capture, once: two ways round a circle are the same move."""
    if count == _STACK:
        raise ValueError("more captures than the buffer holds")
    for other in range(first, count):
        if out[other] == action:
            return count
    out[count] = action
    return count + 1


@jit
def random_action(state: State, params: Params, rng: Any, out: Any) -> int:
    """A uniform legal action; a quiet move is drawn without listing the others."""
    up, down, foes, empty = _movers(state)
    jumpers = _jumpers(up, down, foes, empty)
    if jumpers:
        return out[below(rng, _captures(jumpers, up, down, foes, empty, out))]
    # Targets to the left and to the right in one word, so that a draw between them costs no
    # branch. No move rises onto the lowest row or falls onto the highest: bit 63 stays free.
    rising = (_up_left(up) & empty) | (((_up_right(up) & empty) >> 4) << 32)
    falling = (_down_left(down) & empty) | ((_down_right(down) & empty) << 32)
    first = _count(rising)
    total = first + _count(falling)
    if total == 0:
        return NO_ACTION
    pick = below(rng, total)
    if pick < first:
        bit = _nth_bit(rising, pick)
        left, right = bit & _BOARD, (bit >> 32) << 4
        return left | right | _down_right(left) | _down_left(right)
    bit = _nth_bit(falling, pick - first)
    left, right = bit & _BOARD, bit >> 32
    return left | right | _up_right(left) | _up_left(right)


@jit
def _nth_bit(x: int, n: int) -> int:
    for _ in range(n):
        x &= x - 1
    return x & -x


@jit
def apply(state: State, action: int, params: Params) -> State:
    """Move, take what was captured, crown on the far row."""
    changed, taken = action & _BOARD, action >> 32
    kings = state.kings & ~taken
    if kings & changed:
        kings ^= changed
    if state.side == 0:
        black = state.black ^ changed
        return State(black, state.white & ~taken, kings | (black & changed & _TOP), 1)
    white = state.white ^ changed
    return State(state.black & ~taken, white, kings | (white & changed & _BOTTOM), 0)


@jit
def reward(state: State, action: int, after: State, params: Params) -> float:
    """Pieces captured, to black; a captured king counts ``king_value``."""
    taken = action >> 32
    if taken == 0:
        return 0.0
    value = _count(taken) + (params.king_value - 1.0) * _count(taken & state.kings)
    return value if state.side == 0 else -value


def adjourned(plies: int, quiet_plies: int, params: Params = INFO.params) -> str | None:
    """Why a match ends before the game does, if it does; plans know nothing of this.

    >>> adjourned(plies=100, quiet_plies=40)
    '40 plies without a capture'
    """
    if plies >= params.most_plies:
        return f"{params.most_plies} plies played"
    if quiet_plies >= params.most_quiet_plies:
        return f"{params.most_quiet_plies} plies without a capture"
    return None
