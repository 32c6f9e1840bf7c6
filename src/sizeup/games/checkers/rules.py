"""The rules of checkers (English draughts), on bitboards.

Every eighth bit stays empty, so that a step in one direction is one shift from any square: a piece
that steps off the board lands on an empty bit or beyond. Black ("dark") moves first and upwards on
this map of the bits, which is the printed board upside down::

    white    31  32  33  34
               27  28  29  30
             22  23  24  25
               18  19  20  21
             13  14  15  16
                9  10  11  12
              4   5   6   7
    black       0   1   2   3

Captures are mandatory, a multiple jump is one move, and a man that is crowned stops there. An
action holds the mover's squares that change (from and to) in its low 35 bits and the pieces it
captures above them. Pieces on the edge cannot be captured, so captures need only bits 5 to 29 and
an action is never negative; a king that jumps in a circle changes no square of its own.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from sizeup.games.bits import count_bits, nth_bit
from sizeup.games.contract import NO_ACTION, GameInfo
from sizeup.games.rng import below
from sizeup.jit import jit, on_device, once

__all__ = [
    "INFO", "CheckersParams", "CheckersState", "action_from_text", "action_text", "actor",
    "adjourned", "apply", "board_of", "captured", "changed", "evaluate", "is_terminal",
    "legal_actions", "random_action", "reward", "squares_of", "start", "state_from_text",
    "state_text", "total_bounds",
]  # fmt: skip


class CheckersState(NamedTuple):
    """Pieces of each side, which of them are kings, and the side to move (0 is black)."""

    black: int
    white: int
    kings: int
    side: int


class CheckersParams(NamedTuple):
    """What may differ between matches; plans know only the king's value."""

    king_value: float = 1.0
    most_plies: int = 120
    most_quiet_plies: int = 40


_SQUARES = (0, 2**35 - 1)

INFO = GameInfo(
    name="checkers",
    teams=(0, 1),
    max_actions=256,
    params=CheckersParams(),
    action_bounds=(0, 2**63 - 1),
    state_bounds={"black": _SQUARES, "white": _SQUARES, "kings": _SQUARES, "side": (0, 1)},
    value_scale="raw",
    no_move_loses=True,
)

_STACK = 208  # legal moves fill the buffer from below, unfinished jumps from here
_BOARD = 0x7FBFDFEFF
_CHANGED = 0x7FFFFFFFF
_CAPTURED = 0x3FFFFFE0
_SHIFT = 30  # from a captured piece's bit to its place in an action
_TOP = 0x780000000
_BOTTOM = 0x00000000F
_HALF = 0x7FFFFFFF


def board_of(squares: Iterable[int]) -> int:
    """Bits of squares, which are numbered from 1 to 32.

    >>> board_of([1, 9, 32])
    17179869697
    """
    return sum(1 << (square - 1 + (square - 1) // 8) for square in squares)


def squares_of(board: int) -> list[int]:
    """Numbers of the squares of a board's bits, from 1 to 32.

    >>> squares_of(board_of([1, 9, 32]))
    [1, 9, 32]
    """
    return [square for square, bit in enumerate(_BITS, start=1) if board & bit]


_BITS = tuple(board_of([square]) for square in range(1, 33))


@jit
def changed(action: int) -> int:
    """The mover's squares that an action changes."""
    return action & _CHANGED


@jit
def captured(action: int) -> int:
    """The pieces that an action captures."""
    return (action >> _SHIFT) & _CAPTURED


@jit
def _up_left(x: int) -> int:
    return x << 4


@jit
def _up_right(x: int) -> int:
    return x << 5


@jit
def _down_left(x: int) -> int:
    return x >> 5


@jit
def _down_right(x: int) -> int:
    return x >> 4


@jit
def start(params: CheckersParams) -> CheckersState:
    """Twelve men on either side, black to move."""
    return CheckersState(0x1EFF, 0x7FBC00000, 0, 0)


@jit
def actor(state: CheckersState, params: CheckersParams) -> int:
    """Side to move."""
    return state.side


@jit
def is_terminal(state: CheckersState, params: CheckersParams) -> bool:
    """One side has no pieces left; a side without moves has lost too."""
    return state.black == 0 or state.white == 0


@jit
def _movers(state: CheckersState) -> tuple[int, int, int, int]:
    """Pieces that move up, pieces that move down, the opponent's, and empty squares."""
    if state.side == 0:
        return state.black, state.black & state.kings, state.white, _empty(state)
    return state.white & state.kings, state.white, state.black, _empty(state)


@jit
def _empty(state: CheckersState) -> int:
    return ~(state.black | state.white) & _BOARD


@jit
def _jumpers(up: int, down: int, foes: int, empty: int) -> int:
    """Pieces that can capture: their neighbour is a foe with an empty square behind it."""
    above = _down_right(foes & _down_right(empty)) | _down_left(foes & _down_left(empty))
    below_ = _up_right(foes & _up_right(empty)) | _up_left(foes & _up_left(empty))
    return (up & above) | (down & below_)


@jit
def legal_actions(state: CheckersState, params: CheckersParams, out: Any) -> int:
    """All captures if there is any, else all quiet moves."""
    up, down, foes, empty = _movers(state)
    jumpers = _jumpers(up, down, foes, empty)
    if jumpers:
        return _captures(jumpers, up, down, foes, empty, out)
    rising, falling = _quiet(
        _up_left(up), _up_right(up), _down_left(down), _down_right(down), empty
    )
    count = 0
    while rising:
        out[np.uint64(count)] = _rise(rising & -rising)
        rising &= rising - 1
        count += 1
    while falling:
        out[np.uint64(count)] = _fall(falling & -falling)
        falling &= falling - 1
        count += 1
    return count


@jit
def _quiet(
    up_left: int, up_right: int, down_left: int, down_right: int, empty: int
) -> tuple[int, int]:
    """Targets of quiet moves, those to the left and to the right in one word.

    One word is one loop to list them and one count to draw from them. No move rises onto the
    lowest row or falls onto the highest: 31 bits hold either half.
    """
    rising = ((up_left & empty) >> 4) | (((up_right & empty) >> 4) << 31)
    falling = (down_left & empty) | ((down_right & empty) << 31)
    return rising, falling


@jit
def _rise(target: int) -> int:
    """Action of one bit of ``rising``: from and to."""
    left, right = target & _HALF, target >> 31
    return left | (left << 4) | (right >> 1) | (right << 4)


@jit
def _fall(target: int) -> int:
    """Action of one bit of ``falling``: to and from."""
    left, right = target & _HALF, target >> 31
    return left | (left << 5) | right | (right << 4)


@jit
def _quiet_move_in_step(rising: int, falling: int, number: int, rises: int) -> int:
    """The same with one search for the bit: neighbours on a GPU wait for each other."""
    is_rise = number < rises
    target = nth_bit(rising if is_rise else falling, number - (0 if is_rise else rises))
    return _rise(target) if is_rise else _fall(target)


@on_device(_quiet_move_in_step)
@jit
def _quiet_move(rising: int, falling: int, number: int, rises: int) -> int:
    """A quiet move by its place in the list of all."""
    if number < rises:
        return _rise(nth_bit(rising, number))
    return _fall(nth_bit(falling, number - rises))


@once
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
            at, taken = changed(out[top]), captured(out[top])
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
                count = _keep((origin ^ at) | (taken << _SHIFT), first, count, out)
    return count


@jit
def _push(over: int, to: int, taken: int, out: Any, top: int) -> int:
    """Put a jump ``over`` a piece on the stack, if there is a square ``to`` land on."""
    if to:
        out[top] = to | ((taken | over) << _SHIFT)
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
def _only_way(
    origin: int, to: int, over: int, up: int, down: int, foes: int, empty: int
) -> tuple[int, int]:
    """Where the only piece that can capture ends, and what it takes, if it never has a choice.

    Nothing is taken if it has one, which is left to the walk.
    """
    at, taken, free = to, over, empty | origin
    while True:
        left = foes & ~taken
        rising, falling = at if up & origin else 0, at if down & origin else 0
        over_ul = _up_left(rising) & left & _down_right(free)
        over_ur = _up_right(rising) & left & _down_left(free)
        over_dl = _down_left(falling) & left & _up_right(free)
        over_dr = _down_right(falling) & left & _up_left(free)
        over = over_ul | over_ur | over_dl | over_dr
        if over == 0:
            return at, taken
        if over & (over - 1):
            return at, 0
        at = _up_left(over_ul) | _up_right(over_ur) | _down_left(over_dl) | _down_right(over_dr)
        taken |= over


@jit
def _first_jump(jumps: tuple[int, int, int, int], number: int) -> tuple[int, int, int]:
    """Who makes a jump, over which piece and to where, by its place in the list of all.

    ``jumps`` are who can jump up to the left, up to the right, down to the left and to the right.
    In the list of all a piece's jumps stand in the opposite order.
    """
    up_left, up_right, down_left, down_right = jumps
    pieces = up_left | up_right | down_left | down_right
    piece = pieces & -pieces
    while True:
        count = 1 if up_left & piece else 0
        count += 1 if up_right & piece else 0
        count += 1 if down_left & piece else 0
        count += 1 if down_right & piece else 0
        if number < count:
            break
        number -= count
        pieces ^= piece
        piece = pieces & -pieces
    over, to, left = 0, 0, number
    if down_right & piece:
        over, to, left = _down_right(piece), _down_right(_down_right(piece)), left - 1
    if left >= 0 and down_left & piece:
        over, to, left = _down_left(piece), _down_left(_down_left(piece)), left - 1
    if left >= 0 and up_right & piece:
        over, to, left = _up_right(piece), _up_right(_up_right(piece)), left - 1
    if left >= 0:
        over, to = _up_left(piece), _up_left(_up_left(piece))
    return piece, over, to


@jit
def _are_lines(
    jumps: tuple[int, int, int, int], count: int, up: int, down: int, foes: int, empty: int
) -> bool:
    """Whether every first jump is one capture: none has a choice later, or comes round a circle."""
    for number in range(count):
        origin, over, to = _first_jump(jumps, number)
        taken = _only_way(origin, to, over, up, down, foes, empty)[1]
        if taken == 0 or count_bits(taken) > 3:
            return False
    return True


@jit
def evaluate(state: CheckersState, params: CheckersParams, seen: int) -> float:
    """How good a position looks to black: a man counts 1, a king half as much again.

    Nobody overlooks pieces, so ``seen`` does not matter.
    """
    men = count_bits(state.black) - count_bits(state.white)
    kings = count_bits(state.black & state.kings) - count_bits(state.white & state.kings)
    return men + 0.5 * kings


@jit
def random_action(state: CheckersState, params: CheckersParams, rng: Any, out: Any) -> int:
    """A uniform legal action, in most positions without a list of the others."""
    up, down, foes, empty = _movers(state)
    up_left, up_right, down_left, down_right = (
        _up_left(up), _up_right(up), _down_left(down), _down_right(down)
    )  # fmt: skip
    # Foes that can be captured, by the direction of the jump.
    foes_ul = up_left & foes & _down_right(empty)
    foes_ur = up_right & foes & _down_left(empty)
    foes_dl = down_left & foes & _up_right(empty)
    foes_dr = down_right & foes & _up_left(empty)
    if foes_ul | foes_ur | foes_dl | foes_dr:
        jumps = (
            _down_right(foes_ul), _down_left(foes_ur), _up_right(foes_dl), _up_left(foes_dr)
        )  # fmt: skip
        return _random_capture(jumps, up, down, foes, empty, rng, out)
    rising, falling = _quiet(up_left, up_right, down_left, down_right, empty)
    rises = count_bits(rising)
    total = rises + count_bits(falling)
    if total == 0:
        return NO_ACTION
    return _quiet_move(rising, falling, below(rng, total), rises)


@jit
def _random_capture(
    jumps: tuple[int, int, int, int], up: int, down: int, foes: int, empty: int, rng: Any, out: Any
) -> int:
    """A uniform capture: nearly always each first jump leads to one, and no walk is needed."""
    count = (
        count_bits(jumps[0]) + count_bits(jumps[1]) + count_bits(jumps[2]) + count_bits(jumps[3])
    )
    if count == 1:
        up_left, up_right, down_left, down_right = jumps
        origin = up_left | up_right | down_left | down_right
        over = _up_left(up_left) | _up_right(up_right) | _down_left(down_left)
        over |= _down_right(down_right)
        to = _up_left(_up_left(up_left)) | _up_right(_up_right(up_right))
        to |= _down_left(_down_left(down_left)) | _down_right(_down_right(down_right))
        at, taken = _only_way(origin, to, over, up, down, foes, empty)
        if taken:
            if taken != over:
                below(rng, 1)  # the walk draws, also where there is but one way
            return (origin ^ at) | (taken << _SHIFT)
    elif _are_lines(jumps, count, up, down, foes, empty):
        origin, over, to = _first_jump(jumps, below(rng, count))
        at, taken = _only_way(origin, to, over, up, down, foes, empty)
        return (origin ^ at) | (taken << _SHIFT)
    jumpers = jumps[0] | jumps[1] | jumps[2] | jumps[3]
    return out[below(rng, _captures(jumpers, up, down, foes, empty, out))]


@jit
def apply(state: CheckersState, action: int, params: CheckersParams) -> CheckersState:
    """Move, take what was captured, crown on the far row."""
    moved, taken = changed(action), captured(action)
    kings = state.kings & ~taken
    if kings & moved:
        kings ^= moved
    if state.side == 0:
        black = state.black ^ moved
        return CheckersState(black, state.white & ~taken, kings | (black & moved & _TOP), 1)
    white = state.white ^ moved
    return CheckersState(state.black & ~taken, white, kings | (white & moved & _BOTTOM), 0)


@jit
def reward(
    state: CheckersState, action: int, after: CheckersState, params: CheckersParams
) -> float:
    """Pieces captured, to black; a captured king counts ``king_value``."""
    taken = captured(action)
    if taken == 0:
        return 0.0
    value = count_bits(taken) + (params.king_value - 1.0) * count_bits(taken & state.kings)
    return value if state.side == 0 else -value


def total_bounds(params: CheckersParams = INFO.params) -> tuple[float, float]:
    """All twelve pieces of a side, each at most a king.

    >>> total_bounds(CheckersParams(king_value=1.5))
    (-18.0, 18.0)
    """
    most = 12 * max(1.0, abs(params.king_value))
    return -most, most


def action_text(state: CheckersState, action: int, params: CheckersParams) -> str:
    """Write a move as PDN does: ``11-15``, ``15x22``."""
    from sizeup.games.checkers.notation import move_to_text  # which is written in terms of these

    return move_to_text(state, action)


def action_from_text(state: CheckersState, text: str, params: CheckersParams) -> int:
    """Read a move of PDN."""
    from sizeup.games.checkers.notation import move_from_text

    return move_from_text(state, text)


def state_text(state: CheckersState, params: CheckersParams) -> str:
    """Write a position as FEN."""
    from sizeup.games.checkers.notation import state_to_fen

    return state_to_fen(state)


def state_from_text(text: str, params: CheckersParams) -> CheckersState:
    """Read FEN."""
    from sizeup.games.checkers.notation import state_from_fen

    return state_from_fen(text)


def adjourned(plies: int, quiet_plies: int, params: CheckersParams = INFO.params) -> str | None:
    """Why a match ends before the game does, if it does; plans know nothing of this.

    >>> adjourned(plies=100, quiet_plies=40)
    '40 plies without a capture'
    """
    if plies >= params.most_plies:
        return f"{params.most_plies} plies played"
    if quiet_plies >= params.most_quiet_plies:
        return f"{params.most_quiet_plies} plies without a capture"
    return None
