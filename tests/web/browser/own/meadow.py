"""Meadow: two players walk one avatar to a flower before their turns are over."""

from typing import NamedTuple

from sizeup.games.contract import GameInfo
from sizeup.games.look import Look, Start
from sizeup.jit import jit

WIDTH, HEIGHT = 5, 3


class State(NamedTuple):
    """Where the avatar is, whose turn it is, and whether the flower is still there."""

    at: int
    turn: int
    flower: int


class Params(NamedTuple):
    """How long a game is."""

    most_turns: int = 6


INFO = GameInfo(
    name="meadow",
    teams=(0, 0),
    max_actions=4,
    params=Params(),
    action_bounds=(0, 3),
    state_bounds={"at": (0, 14), "turn": (0, 6), "flower": (0, 1)},
    reward_bounds=(0.0, 10.0),
)


@jit
def start(params):
    """In the middle of the left side."""
    return State(5, 0, 1)


@jit
def actor(state, params):
    """Players take turns."""
    return state.turn % 2


@jit
def is_terminal(state, params):
    """After the last turn."""
    return state.turn >= params.most_turns


@jit
def legal_actions(state, params, out):
    """North, east, south and west, as far as the meadow reaches."""
    row, column = state.at // WIDTH, state.at % WIDTH
    count = 0
    if row > 0:
        out[count] = 0
        count += 1
    if column < WIDTH - 1:
        out[count] = 1
        count += 1
    if row < HEIGHT - 1:
        out[count] = 2
        count += 1
    if column > 0:
        out[count] = 3
        count += 1
    return count


@jit
def apply(state, action, params):
    """A step; a flower is picked by whoever comes to it."""
    to = state.at
    if action == 0:
        to -= WIDTH
    elif action == 1:
        to += 1
    elif action == 2:
        to += WIDTH
    else:
        to -= 1
    return State(to, state.turn + 1, 0 if to == 9 else state.flower)


@jit
def reward(state, action, after, params):
    """Ten for the flower."""
    return 10.0 if state.flower > after.flower else 0.0


def action_text(state, action, params):
    """A letter for each direction."""
    return "NESW"[action]


def _grid(state, params):
    tiles = [["."] * WIDTH for _ in range(HEIGHT)]
    tiles[0][2] = tiles[2][2] = "~"
    if state.flower:
        tiles[1][4] = "f"
    tiles[state.at // WIDTH][state.at % WIDTH] = "A"
    return ["".join(row) for row in tiles]


def _squares(state, action, params):
    to = apply(state, action, params).at
    return [divmod(state.at, WIDTH), divmod(to, WIDTH)]


LOOK = Look(
    title="Meadow",
    about="A meadow with a flower in it, and one avatar that you two move in turn.",
    rules="The flower pays 10, and there are 6 turns.",
    how_to_move="Click a neighbouring tile or an arrow, or use the arrow keys.",
    grid=_grid,
    legend={"A": "avatar", "f": "flower", "~": "water"},
    squares=_squares,
    phrases={"N": "walk north", "E": "walk east", "S": "walk south", "W": "walk west"},
    keys={"N": "up", "E": "right", "S": "down", "W": "left"},
    start=Start(types=(1, 4), partner=4, deepest=8),
)
