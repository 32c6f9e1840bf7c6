"""Foraging: one to four foragers on a grid, and food that takes several of them at once.

The foragers move in turn. Food of level n grows on a bush and is gathered when n foragers stand
beside it as one of them moves or stays; it pays n². The bush is bare then. Whenever everybody has
moved once and a bush is bare, chance decides whether food grows again, and on which of the bare
bushes. Whoever goes to food that needs a partner who does not come has lost the time.

Boards are text: ``A`` to ``D`` where the foragers start, ``1`` to ``4`` a bush and its level, ``#``
wall, ``.`` free. As many foragers play as there are members in the team; the letters of the others
are free ground. Nothing ends the game for those who plan; :func:`adjourned` ends the match.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.games import grid
from sizeup.games.contract import CHANCE, GameInfo
from sizeup.games.grid import is_terminal, neighbour
from sizeup.jit import jit

__all__ = [
    "BOARD", "EAST", "INFO", "MOST_BUSHES", "MOST_FORAGERS", "NORTH", "NOTHING", "SOUTH", "STAY",
    "TRAP", "WEST", "ForagingParams", "ForagingState", "action_text", "actor", "adjourned", "apply",
    "board", "is_terminal", "legal_actions", "probabilities", "reward", "start", "state_from_text",
    "state_text", "total_bounds", "with_players",
]  # fmt: skip

STAY, NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3, 4  # the directions of a grid, after staying
NOTHING = 0
"""The outcome of chance in which no food grows; outcome n + 1 is food on bush n."""

MOST_FORAGERS = 4
MOST_BUSHES = 12
ABSENT = -1
_LETTERS = "ABCD"
_CHANCE = "*"
_BARE = "-"
_NAME = "Foraging"

BOARD = """
1A...C1
...2...
1B...D1
"""
"""Food for one at hand, food for two a few steps away: who looks two moves ahead stays in the
corner, who looks six meets the partner in the middle."""

TRAP = """
1....A.2.....B1
"""
"""Without growth and with 14 turns: two who look 12 moves ahead get 5. With a partner who looks two
moves ahead, whoever takes it for an equal waits beside the food for two and gets about 1; whoever
sizes it up turns round in time and gets 2. Exact: tests/games/test_foraging.py."""


class ForagingState(NamedTuple):
    """Tiles of the foragers (row by row, -1 if absent), ripe bushes as bits, who moves, chance (1).

    After a round in which something is bare, ``growing`` is 1 and chance moves before the first
    forager does.
    """

    a: int
    b: int
    c: int
    d: int
    ripe: int
    forager: int
    growing: int


class ForagingParams(NamedTuple):
    """A board; ``bush`` holds each tile's bush or -1, ``level`` what each bush takes."""

    width: int
    height: int
    wall: NDArray[np.int64]
    bush: NDArray[np.int64]
    level: NDArray[np.int64]
    starts: NDArray[np.int64]
    foragers: int
    growth: float
    most_turns: int


def board(text: str = BOARD, growth: float = 0.5, most_turns: int = 24) -> ForagingParams:
    """Parameters from a board drawn as text, for two foragers; a team of others seats more.

    ``growth`` is how likely food is to grow again after a round, ``most_turns`` how many moves of
    foragers a match has.

    >>> board("A.2.B").level
    array([2])
    """
    what = f"a board of {_NAME}"
    rows = grid.read_board(text, f".#1234{_LETTERS}", what)
    tiles = "".join(rows)
    bushes = [tile in "1234" for tile in tiles]
    if not 1 <= sum(bushes) <= MOST_BUSHES:
        raise InvalidInput(f"{what} has 1 to {MOST_BUSHES} bushes (1 to 4), got {sum(bushes)}")
    if not 0 <= growth <= 1:
        raise InvalidInput(f"growth is a probability, got {growth}")
    if most_turns < 0:
        raise InvalidInput(f"most_turns is 0 or more, got {most_turns}")
    params = ForagingParams(
        width=len(rows[0]),
        height=len(rows),
        wall=np.array([tile == "#" for tile in tiles], dtype=np.int64),
        bush=np.where(bushes, np.cumsum(bushes) - 1, -1).astype(np.int64),
        level=np.array([int(tile) for tile in tiles if tile in "1234"], dtype=np.int64),
        starts=_starts(rows, what),
        foragers=1,
        growth=float(growth),
        most_turns=most_turns,
    )
    return with_players(params, min(2, len(params.starts)))


def _starts(rows: list[str], what: str) -> NDArray[np.int64]:
    """Where the foragers start, by their letters; none may be missing before another."""
    used = [letter for letter in _LETTERS if letter in "".join(rows)]
    if not used or used != list(_LETTERS[: len(used)]):
        raise InvalidInput(f"{what} needs foragers from A on, found {' '.join(used) or 'none'}")
    return np.array([grid.find_one(rows, letter, what) for letter in used], dtype=np.int64)


def with_players(params: ForagingParams, players: int) -> ForagingParams:
    """The same board with another number of foragers.

    >>> with_players(board(), 3).foragers
    3
    """
    if not 1 <= players <= len(params.starts):
        raise InvalidInput(
            f"this board of {_NAME} has places for {len(params.starts)} foragers, got a team of "
            f"{players}; draw A to {_LETTERS[min(players, MOST_FORAGERS) - 1]} on it"
        )
    return params._replace(foragers=players)


INFO = GameInfo(
    name="foraging",
    teams=(0, 0),
    max_actions=MOST_BUSHES + 1,
    params=board(),
    action_bounds=(0, MOST_BUSHES),
    state_bounds={
        **dict.fromkeys("abcd", (ABSENT, 2**31)),
        "ripe": (0, 2**MOST_BUSHES - 1),
        "forager": (0, MOST_FORAGERS - 1),
        "growing": (0, 1),
    },
    reward_bounds=(0.0, 4.0 * MOST_FORAGERS**2),  # four bushes around one forager
    # Exploration and discount are every game's defaults: of this game only the board was tuned, so
    # that two who look six moves ahead gather more than two who look two moves ahead.
)


@jit
def _start_of(forager: int, params: ForagingParams) -> int:
    return params.starts[forager] if forager < params.foragers else ABSENT


@jit
def start(params: ForagingParams) -> ForagingState:
    """Everybody where their letters are, all bushes ripe, the first forager to move."""
    return ForagingState(
        _start_of(0, params),
        _start_of(1, params),
        _start_of(2, params),
        _start_of(3, params),
        (1 << len(params.level)) - 1,
        0,
        0,
    )


@jit
def actor(state: ForagingState, params: ForagingParams) -> int:
    """The foragers in turn; chance after a round, if a bush is bare."""
    return CHANCE if state.growing else state.forager


@jit
def _place(state: ForagingState, forager: int) -> int:
    """Tile of a forager."""
    if forager == 0:
        return state.a
    if forager == 1:
        return state.b
    return state.c if forager == 2 else state.d


@jit
def _step(at: int, action: int, params: ForagingParams) -> int:
    """Tile that an action leads to, or -1 off the board."""
    if action == STAY:
        return at
    return neighbour(at, action - NORTH, params.width, params.height)


@jit
def _is_free(state: ForagingState, at: int, params: ForagingParams) -> bool:
    """Whether a forager could go to a tile: no wall, no bush, nobody there."""
    if params.wall[at] or params.bush[at] >= 0:
        return False
    return at != state.a and at != state.b and at != state.c and at != state.d


@jit
def legal_actions(state: ForagingState, params: ForagingParams, out: Any) -> int:
    """Stay, or move to a free tile; of chance: nothing, or food on a bare bush."""
    if state.growing:
        return _bare_bushes(state, params, out)
    at = _place(state, state.forager)
    out[0] = STAY
    count = 1
    for action in range(NORTH, WEST + 1):
        to = _step(at, action, params)
        if to >= 0 and _is_free(state, to, params):
            out[count] = action
            count += 1
    return count


@jit
def _bare_bushes(state: ForagingState, params: ForagingParams, out: Any) -> int:
    out[0] = NOTHING
    count = 1
    for bush in range(len(params.level)):
        if not state.ripe >> bush & 1:
            out[count] = bush + 1
            count += 1
    return count


@jit
def probabilities(state: ForagingState, params: ForagingParams, out: Any) -> None:
    """Food grows with the probability ``growth``, on each bare bush alike."""
    bare = 0
    for bush in range(len(params.level)):
        bare += 1 - (state.ripe >> bush & 1)
    out[0] = 1.0 - params.growth
    for outcome in range(1, bare + 1):
        out[outcome] = params.growth / bare


@jit
def _beside(at: int, bush: int, params: ForagingParams) -> bool:
    """Whether a bush is on a neighbouring tile."""
    if at < 0:
        return False
    for direction in range(4):
        to = neighbour(at, direction, params.width, params.height)
        if to >= 0 and params.bush[to] == bush:
            return True
    return False


@jit
def _gathered(state: ForagingState, mover: int, params: ForagingParams) -> int:
    """Bits of the ripe bushes beside the mover that enough foragers stand beside."""
    at, found = _place(state, mover), 0
    for direction in range(4):
        to = neighbour(at, direction, params.width, params.height)
        bush = params.bush[to] if to >= 0 else -1
        if bush >= 0 and state.ripe >> bush & 1:
            there = 0
            for forager in range(params.foragers):
                there += _beside(_place(state, forager), bush, params)
            if there >= params.level[bush]:
                found |= 1 << bush
    return found


@jit
def apply(state: ForagingState, action: int, params: ForagingParams) -> ForagingState:
    """Move, and gather what there are enough foragers for; chance may make food grow."""
    if state.growing:
        ripe = state.ripe if action == NOTHING else state.ripe | 1 << (action - 1)
        return ForagingState(state.a, state.b, state.c, state.d, ripe, state.forager, 0)
    mover = state.forager
    to = _step(_place(state, mover), action, params)
    moved = ForagingState(
        to if mover == 0 else state.a,
        to if mover == 1 else state.b,
        to if mover == 2 else state.c,
        to if mover == 3 else state.d,
        state.ripe,
        mover,
        0,
    )
    ripe = state.ripe & ~_gathered(moved, mover, params)
    following = (mover + 1) % params.foragers
    all_ripe = (1 << len(params.level)) - 1
    growing = 1 if following == 0 and ripe != all_ripe and params.growth > 0 else 0
    return ForagingState(moved.a, moved.b, moved.c, moved.d, ripe, following, growing)


@jit
def reward(
    state: ForagingState, action: int, after: ForagingState, params: ForagingParams
) -> float:
    """What was gathered, each bush its level squared."""
    gathered, paid = state.ripe & ~after.ripe, 0.0
    for bush in range(len(params.level)):
        if gathered >> bush & 1:
            paid += params.level[bush] * params.level[bush]
    return paid


def action_text(state: ForagingState, action: int, params: ForagingParams) -> str:
    """N, E, S, W, or a dot to stay; of chance, where food grows by row and column."""
    if not state.growing:
        return f".{grid.DIRECTIONS}"[action]
    if action == NOTHING:
        return "nothing grows"
    row, column = divmod(int(np.flatnonzero(params.bush == action - 1)[0]), int(params.width))
    return f"food grows in row {row + 1}, column {column + 1}"


def state_text(state: ForagingState, params: ForagingParams) -> str:
    """Rows of the board as it is now, ``-`` for a bare bush, and who moves (``*``: chance)."""
    tiles = "".join(_tile(state, params, at) for at in range(params.width * params.height))
    return grid.join_state(
        tiles, params.width, _CHANCE if state.growing else _LETTERS[state.forager]
    )


def _tile(state: ForagingState, params: ForagingParams, at: int) -> str:
    if at in state[:MOST_FORAGERS]:
        return _LETTERS[state.index(at)]
    bush = params.bush[at]
    if bush >= 0:
        return str(params.level[bush]) if state.ripe >> int(bush) & 1 else _BARE
    return "#" if params.wall[at] else "."


def state_from_text(text: str, params: ForagingParams) -> ForagingState:
    """Read what :func:`state_text` writes for the same board."""
    tiles, player = grid.split_state(text, _LETTERS + _CHANCE, _NAME)
    growing = int(player == len(_LETTERS))
    state = ForagingState(
        tiles.find("A"),
        tiles.find("B"),
        tiles.find("C"),
        tiles.find("D"),
        grid.coins_shown(tiles, "1234", params.bush),
        0 if growing else player,
        growing,
    )
    if not _is_possible(state, params) or state_text(state, params) != text.strip():
        raise InvalidInput(
            f"{text!r} is not a state of this board of {_NAME}; expected a text like "
            f"{state_text(start(params), params)!r}"
        )
    return state


def _is_possible(state: ForagingState, params: ForagingParams) -> bool:
    """Whether exactly the foragers that play are there, and chance has something to decide."""
    there = [at >= 0 for at in state[:MOST_FORAGERS]]
    bare = state.ripe != (1 << len(params.level)) - 1
    return (
        there == [forager < params.foragers for forager in range(MOST_FORAGERS)]
        and state.forager < params.foragers
        and (not state.growing or (bare and params.growth > 0))
    )


def adjourned(plies: int, quiet_plies: int, params: ForagingParams = INFO.params) -> str | None:
    """Why a match ends, if it does; plans know nothing of this.

    >>> adjourned(plies=24, quiet_plies=3)
    '24 turns played'
    """
    return f"{params.most_turns} turns played" if plies >= params.most_turns else None


def total_bounds(params: ForagingParams = INFO.params) -> tuple[float, float]:
    """As if everything were gathered, and the best food that there are enough foragers for grew.

    >>> total_bounds(board("A.2.B", most_turns=6))
    (0.0, 12.0)
    """
    levels = [int(level) for level in params.level if level <= params.foragers]
    rounds = max(0, params.most_turns - 1) // params.foragers if params.growth > 0 else 0
    most = sum(level**2 for level in levels) + rounds * max(levels, default=0) ** 2
    return 0.0, float(most)
