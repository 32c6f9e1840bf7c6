"""Small worlds to plan in: random games, and the corridors that separate deep from shallow.

Each is a few dozen states, so that the exact planner answers at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sizeup.capability.arrays import number, require, whole
from sizeup.planning.tabular import CHANCE, TERMINAL, TabularGame, tabulate

__all__ = ["CorridorState", "corridors", "random_game"]


class CorridorState(NamedTuple):
    """A state of the corridors: whose turn it is, and where the team stands.

    ``corridor`` is -1 in the hall; ``step`` counts the tiles of fire crossed so far; ``left`` the
    moves until the game is over, -1 in a game without end.

    >>> CorridorState(player=0)
    CorridorState(player=0, corridor=-1, step=0, left=-1)
    """

    player: int
    corridor: int = -1
    step: int = 0
    left: int = -1


class _Corridors:
    """The rules of :func:`corridors`."""

    def __init__(
        self,
        players: int,
        lengths: Sequence[int],
        prizes: Sequence[float],
        fire: float,
        moves: int,
    ) -> None:
        self.teams, self.moves = (0,) * players, moves
        self.lengths, self.prizes, self.fire = tuple(lengths), tuple(prizes), fire

    def start(self) -> CorridorState:
        return CorridorState(0, left=self.moves)

    def actor(self, state: CorridorState) -> int:
        return TERMINAL if state.left == 0 else state.player

    def actions(self, state: CorridorState) -> tuple[str, ...]:
        if state.corridor < 0:
            return ("stay", *(f"enter {length}" for length in self.lengths))
        return ("on", "back")

    def probabilities(self, state: CorridorState) -> tuple[float, ...]:
        return ()

    def apply(self, state: CorridorState, action: str) -> tuple[CorridorState, float]:
        hall = CorridorState((state.player + 1) % len(self.teams), left=max(-1, state.left - 1))
        if action in ("stay", "back"):
            return hall, 0.0
        corridor, step = state.corridor, state.step
        if action.startswith("enter"):
            corridor = self.actions(state).index(action) - 1
        if step == self.lengths[corridor]:
            return hall, self.prizes[corridor]
        return hall._replace(corridor=corridor, step=step + 1), -self.fire


def corridors(
    players: int = 2,
    lengths: Sequence[int] = (3,),
    prizes: Sequence[float] = (20.0,),
    fire: float = 1.0,
    moves: int | None = None,
) -> TabularGame:
    """Make a hall with burning corridors, each with a prize behind its fire.

    The players take turns moving one avatar. In the hall they stay or enter a corridor; in a
    corridor they go on, for the price of each tile of fire, or go back to the hall. Past the last
    tile waits the prize; then the team stands in the hall again. Who looks fewer steps ahead than
    the prize is away sees only fire.

    Parameters
    ----------
    lengths, prizes
        Tiles of fire in each corridor, and what waits behind them.
    fire
        The price of one tile.
    moves
        The game is over after so many moves; without end if left out.

    Examples
    --------
    >>> game = corridors(players=2, lengths=(3,), prizes=(20.0,))
    >>> game.states, game.action_names
    (8, ('stay', 'enter 3', 'on', 'back'))
    """
    whole(players, "the number of players", least=2)
    require(
        np.ndim(lengths) == 1 and np.ndim(prizes) == 1,
        f"lengths and prizes are lists, got {lengths!r} and {prizes!r}",
    )
    require(
        len(lengths) == len(prizes) > 0 and len(set(lengths)) == len(lengths),
        f"each corridor has a length of its own and a prize, got lengths {tuple(lengths)} and "
        f"prizes {tuple(prizes)}",
    )
    for length in lengths:
        whole(length, "the length of a corridor", least=1)
    last = -1 if moves is None else whole(moves, "moves", least=1)
    return tabulate(_Corridors(players, lengths, prizes, fire, last))


def random_game(
    seed: int,
    players: int = 2,
    states: int = 8,
    actions: int = 3,
    teams: int = 1,
    chance: float = 0.0,
) -> TabularGame:
    """Make a random small game with integer rewards, so that ties are common.

    Parameters
    ----------
    chance
        How likely a state is to be chance's; chance always leads to a player's state or the end.

    Examples
    --------
    >>> game = random_game(seed=1, players=3, chance=0.5)
    >>> game.states, bool((game.actor == CHANCE).any())
    (8, True)
    """
    whole(players, "the number of players", least=2)
    whole(states, "the number of states", least=players + 1)
    whole(actions, "the number of actions", least=1)
    require(teams in (1, 2), f"a game has 1 or 2 teams, got {teams!r}")
    require(0 <= number(chance, "chance") <= 1, f"chance is a probability, got {chance}")
    rng = np.random.default_rng(seed)
    actor = rng.integers(players, size=states)
    actor[rng.random(states) < chance] = CHANCE
    actor[:players] = np.arange(players)  # everybody gets to act
    actor[-1] = TERMINAL
    successor = np.full((states, actions), -1)
    lots = np.zeros((states, actions))
    settled = np.flatnonzero(actor != CHANCE)
    for state in range(states - 1):
        if actor[state] == CHANCE:
            successor[state] = rng.choice(settled, size=actions)
            lots[state] = rng.dirichlet(np.ones(actions))
        else:
            legal = rng.permutation(actions)[: rng.integers(1, actions + 1)]
            successor[state, legal] = rng.integers(states, size=len(legal))
    return TabularGame(
        teams=[player % teams for player in range(players)],
        actor=actor,
        successor=successor,
        reward=rng.integers(-2, 4, size=(states, actions)).astype(np.float64),
        chance=lots,
    )
