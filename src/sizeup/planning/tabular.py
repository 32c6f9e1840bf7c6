"""Small games as explicit arrays: what the exact planner plans on.

A :class:`TabularGame` is written down directly or made from functions by :func:`tabulate`. One
actor moves in each state; chance is an actor with outcome probabilities. Rewards are team 0's;
with two teams the game is zero-sum and team 1 receives their negative.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    as_floats,
    as_integers,
    frozen,
    require,
    whole,
)
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games.contract import CHANCE, TERMINAL

__all__ = ["CHANCE", "TERMINAL", "SmallGame", "TabularGame", "tabulate"]

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)


@dataclass(frozen=True, eq=False, init=False)
class TabularGame:
    """A game as arrays over states and actions.

    Parameters
    ----------
    teams
        Team of each player: all 0 for a cooperative game, 0 and 1 for two teams.
    actor
        ``(states,)`` player to act, or :data:`CHANCE` or :data:`TERMINAL`.
    successor
        ``(states, actions)`` next state, -1 where the action is not legal.
    reward
        ``(states, actions)`` reward to team 0.
    chance
        ``(states, actions)`` probability of each outcome in chance states; may be left out if
        there are none.
    start
        The first state.
    state_names, action_names
        What states and actions stand for: numbers, text or any hashable label.

    Examples
    --------
    Player 0 chooses between 1 now and passing; then player 1 takes 3 or ends the game:

    >>> game = TabularGame(
    ...     teams=(0, 0),
    ...     actor=[0, 1, TERMINAL],
    ...     successor=[[2, 1], [2, 2], [-1, -1]],
    ...     reward=[[1, 0], [3, 0], [0, 0]],
    ... )
    >>> game.legal_actions(0), game.legal_actions(2)
    ((0, 1), ())
    """

    teams: tuple[int, ...]
    actor: IntArray
    successor: IntArray
    reward: FloatArray
    chance: FloatArray
    start: int
    state_names: tuple[Hashable, ...]
    action_names: tuple[Hashable, ...]

    def __init__(
        self,
        teams: Sequence[int],
        actor: ArrayLike,
        successor: ArrayLike,
        reward: ArrayLike,
        chance: ArrayLike | None = None,
        start: int = 0,
        state_names: Sequence[Hashable] = (),
        action_names: Sequence[Hashable] = (),
    ) -> None:
        moves = as_integers(successor, "successor")
        require(moves.ndim == 2, f"successor must be (states, actions), got shape {moves.shape}")
        lots = np.zeros(moves.shape) if chance is None else as_floats(chance, "chance")
        fields = {
            "teams": tuple(whole(team, "a team", least=0) for team in teams),
            "actor": frozen(as_integers(actor, "actor").copy()),
            "successor": frozen(moves.copy()),
            "reward": frozen(as_floats(reward, "reward").copy()),
            "chance": frozen(lots.copy()),
            "start": start,
            "state_names": tuple(state_names) or tuple(range(moves.shape[0])),
            "action_names": tuple(action_names) or tuple(range(moves.shape[1])),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        _check(self)

    @property
    def players(self) -> int:
        """How many players there are, on all teams."""
        return len(self.teams)

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.actor)

    @property
    def legal(self) -> BoolArray:
        """``(states, actions)`` mask of the legal actions (in chance states: the outcomes)."""
        mask: BoolArray = self.successor >= 0
        return mask

    def index(self, name: Hashable) -> int:
        """Index of the state with this name."""
        try:
            return self.state_names.index(name)
        except ValueError:
            raise InvalidInput(f"there is no state {name!r} in this game") from None

    def legal_actions(self, state: int) -> tuple[int, ...]:
        """Legal actions of a state, in the order that value arrays list them."""
        self.check_state(state)
        return tuple(np.flatnonzero(self.successor[state] >= 0).tolist())

    def position(self, state: int, action: int) -> int:
        """Position of an action among the legal ones, or :class:`IllegalAction`."""
        legal = self.legal_actions(state)
        if not _is_index(action) or action not in legal:
            raise IllegalAction(
                f"action {action!r} is not legal in state {self.state_names[state]!r}; legal are "
                + ", ".join(f"{a} ({self.action_names[a]})" for a in legal)
            )
        return legal.index(action)

    def edges(self, state: int) -> list[tuple[float, int]]:
        """Reward and next state of every legal action, in order."""
        return [
            (float(self.reward[state, action]), int(self.successor[state, action]))
            for action in self.legal_actions(state)
        ]

    def drawn(self, state: int) -> list[tuple[float, float, int]]:
        """Where chance leads from a state: (probability, reward on the way, state it ends in).

        A state that is not chance's is its own only outcome.
        """
        self.check_state(state)
        if self.actor[state] != CHANCE:
            return [(1.0, 0.0, state)]
        lots = self.chance[state, list(self.legal_actions(state))].tolist()
        return [
            (lot * chance, reward + more, after)
            for lot, (reward, following) in zip(lots, self.edges(state), strict=True)
            if lot > 0
            for chance, more, after in self.drawn(following)
        ]

    def chance_levels(self) -> list[IntArray]:
        """Chance states in the order in which their values follow from players' states."""
        known = self.actor != CHANCE
        levels = []
        while not known.all():
            ready = ~known & (known[self.successor] | (self.chance == 0)).all(axis=1)
            if not ready.any():
                raise InvalidInput(
                    f"chance state {self.state_names[int(np.argmin(known))]!r} can lead back to "
                    "chance for ever with no player in between; let a player act in every loop"
                )
            levels.append(np.flatnonzero(ready))
            known |= ready
        return levels

    def check_state(self, state: int) -> None:
        """Raise :class:`InvalidInput` unless ``state`` is the index of a state."""
        require(
            _is_index(state) and 0 <= state < self.states,
            f"state {state!r} is out of range, expected 0 to {self.states - 1}",
        )


class SmallGame(Protocol[State, Action]):
    """A small game as functions over hashable states; :func:`tabulate` makes arrays of it."""

    @property
    def teams(self) -> Sequence[int]:
        """Team of each player, 0 or 1."""
        ...

    def start(self) -> State:
        """Return the first state."""
        ...

    def actor(self, state: State) -> int:
        """Player to act, :data:`CHANCE` or :data:`TERMINAL`."""
        ...

    def actions(self, state: State) -> Sequence[Action]:
        """Legal actions, or the possible outcomes in a chance state."""
        ...

    def probabilities(self, state: State) -> Sequence[float]:
        """Probability of each outcome of a chance state, in the order of its actions."""
        ...

    def apply(self, state: State, action: Action) -> tuple[State, float]:
        """Next state, and the reward to team 0."""
        ...


def tabulate(game: SmallGame[State, Action], max_states: int = 1_000_000) -> TabularGame:
    """Walk through every state that can be reached and write the game down as arrays.

    Parameters
    ----------
    max_states
        Give up, with a clear error, when there are more states than this.

    Examples
    --------
    >>> class Countdown:
    ...     teams = (0, 0)
    ...     def start(self): return 3
    ...     def actor(self, state): return state % 2 if state else TERMINAL
    ...     def actions(self, state): return (1, 2) if state > 1 else (1,)
    ...     def probabilities(self, state): return ()
    ...     def apply(self, state, action): return state - action, float(action)
    >>> tabulate(Countdown()).state_names
    (3, 2, 1, 0)
    """
    walk = _Walk(game, max_states)
    walk.run()
    return walk.table()


class _Walk(Generic[State, Action]):
    """Breadth-first walk through a functional game."""

    def __init__(self, game: SmallGame[State, Action], max_states: int) -> None:
        self.game = game
        self.max_states = max_states
        self.states: dict[State, int] = {game.start(): 0}
        self.actions: dict[Action, int] = {}
        self.actors: list[int] = []
        self.edges: list[tuple[int, int, int, float, float]] = []

    def run(self) -> None:
        queue = [*self.states]
        while len(self.actors) < len(queue):
            state = queue[len(self.actors)]
            actor = self.game.actor(state)
            require(
                _is_index(actor) and TERMINAL <= actor < len(self.game.teams),
                f"state {state!r} has no such actor: {actor!r}; expected a player from 0 to "
                f"{len(self.game.teams) - 1}, CHANCE ({CHANCE}) or TERMINAL ({TERMINAL})",
            )
            self.actors.append(actor)
            if actor != TERMINAL:
                queue += self._expand(state, actor)

    def _expand(self, state: State, actor: int) -> list[State]:
        """Record every edge out of a state; return the states that are new."""
        actions = self.game.actions(state)
        lots = self.game.probabilities(state) if actor == CHANCE else [0.0] * len(actions)
        require(
            len(lots) == len(actions),
            f"state {state!r} has {len(actions)} outcomes but {len(lots)} probabilities",
        )
        require(
            len(set(actions)) == len(actions),
            f"state {state!r} lists an action twice: {tuple(actions)!r}",
        )
        new = []
        for action, lot in zip(actions, lots, strict=True):
            following, reward = self.game.apply(state, action)
            if following not in self.states:
                self.states[following] = len(self.states)
                new.append(following)
                self._check_size()
            column = self.actions.setdefault(action, len(self.actions))
            self.edges.append((self.states[state], column, self.states[following], reward, lot))
        return new

    def _check_size(self) -> None:
        require(
            len(self.states) <= self.max_states,
            f"the game has more than {self.max_states} states; the exact planner is for small "
            "games: use a smaller game or raise max_states",
        )

    def table(self) -> TabularGame:
        shape = (len(self.states), max(1, len(self.actions)))
        successor = np.full(shape, -1, dtype=np.int64)
        reward, chance = np.zeros(shape), np.zeros(shape)
        if self.edges:
            rows, columns, following, rewards, lots = (
                np.array(x) for x in zip(*self.edges, strict=True)
            )
            successor[rows, columns] = following
            reward[rows, columns], chance[rows, columns] = rewards, lots
        return TabularGame(
            tuple(self.game.teams),
            np.array(self.actors),
            successor,
            reward,
            chance,
            state_names=tuple(self.states),
            action_names=tuple(self.actions),
        )


def _is_index(value: object) -> bool:
    """Whether a value can stand for a state, an action or an actor; True cannot."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _check(game: TabularGame) -> None:
    """Every promise of a tabular game, checked once at the door."""
    shape = game.successor.shape
    require(len(game.teams) >= 2, f"a game needs 2 players or more, got teams {game.teams}")
    require(
        set(game.teams) in ({0}, {0, 1}),
        f"teams must be all 0, or 0 and 1, one for each player; got {game.teams}",
    )
    require(
        game.actor.shape == shape[:1] and game.reward.shape == game.chance.shape == shape,
        f"actor, reward and chance must fit the (states, actions) = {shape} of successor; got "
        f"{game.actor.shape}, {game.reward.shape} and {game.chance.shape}",
    )
    game.check_state(game.start)
    for names, what, count in (
        (game.state_names, "state_names", shape[0]),
        (game.action_names, "action_names", shape[1]),
    ):
        require(
            len(names) == count and len(set(names)) == count,
            f"{what} must be {count} different names, got {names!r}",
        )
    _refuse(
        game, ~np.isin(game.actor, [TERMINAL, CHANCE, *range(game.players)]), "has no such actor"
    )
    nowhere = (game.successor >= game.states) | (game.successor < -1)
    _refuse(game, nowhere.any(axis=1), "leads to a state that is not there")
    _refuse(game, ~np.isfinite(game.reward).all(axis=1), "has a reward that is not a number")
    open_actions, over = game.legal.any(axis=1), game.actor == TERMINAL
    _refuse(game, over & open_actions, "is terminal but has legal actions")
    _refuse(game, ~over & ~open_actions, "is not terminal but has no legal action")
    _check_chance(game)
    game.chance_levels()  # refuses loops


def _check_chance(game: TabularGame) -> None:
    lot = game.actor == CHANCE
    _refuse(game, ~(game.chance >= 0).all(axis=1), "has a probability that is not 0 or more")
    off = (game.chance > 0) & ~(game.legal & lot[:, None])
    _refuse(game, off.any(axis=1), "gives a probability to what is no outcome of chance")
    sums = game.chance.sum(axis=1)
    wrong: BoolArray = lot & (np.abs(sums - 1.0) > 1e-9)
    if wrong.any():
        state = int(np.argmax(wrong))
        raise InvalidInput(
            f"the probabilities of chance state {game.state_names[state]!r} sum to {sums[state]:g},"
            " expected 1"
        )


def _refuse(game: TabularGame, wrong: BoolArray | np.bool_, problem: str) -> None:
    if wrong.any():
        state = int(np.argmax(wrong))
        raise InvalidInput(
            f"state {game.state_names[state]!r} {problem} (actor {game.actor[state]}, "
            f"successors {game.successor[state].tolist()}, rewards {game.reward[state].tolist()}, "
            f"chance {game.chance[state].tolist()})"
        )
