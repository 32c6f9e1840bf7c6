"""What a game is: a module of jitted functions over a small immutable state.

A game module (or an object that behaves like one) holds:

- ``INFO``: a :class:`GameInfo` with name, teams, bounds and default parameters;
- ``State``: a ``NamedTuple`` of integers (int64), or of such tuples;
- ``start(params)``: the first state;
- ``actor(state, params)``: the player to act, or :data:`CHANCE`;
- ``is_terminal(state, params)``: whether the game is over;
- ``legal_actions(state, params, out)``: write the legal actions to ``out``, return how many;
- ``apply(state, action, params)``: the next state;
- ``reward(state, action, after, params)``: the reward to team 0 for this action;
- ``probabilities(state, params, out)``, only with chance: write the probability of each outcome,
  in the order of ``legal_actions``;
- ``random_action(state, params, rng, out)``, if you like: one legal action, uniformly at random, or
  :data:`NO_ACTION` where there is none or the game is over; ``out`` is scratch space.

These functions are decorated with :func:`sizeup.jit.jit` and allocate nothing. ``params`` is a
``NamedTuple`` of numbers and arrays: data at run time, so that a new board needs no new
compilation. A game is over when ``is_terminal`` says so or when there is no legal action; a
terminal state must have none. With two teams the game is zero-sum.

How people write moves and positions is plain Python, and all of it is optional (:mod:`~.notation`
has defaults): ``action_text(state, action, params)``; ``action_from_text(state, text, params)``, if
more than the exact text should be understood; ``state_text(state, params)`` together with
``state_from_text(text, params)``.

:class:`View` makes plain Python methods of it all; :mod:`sizeup.games.check` holds a game to it.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import math
import sys
import traceback
import types
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from sizeup.errors import IllegalAction, InvalidGame, InvalidInput
from sizeup.games import notation

__all__ = ["CHANCE", "GAMES", "NO_ACTION", "TERMINAL", "GameInfo", "View", "load_game"]

CHANCE = -1
"""The actor of a state where the next state is drawn by lot."""

TERMINAL = -2
"""What :meth:`View.actor` says of a state where the game is over."""

NO_ACTION = -(2**63)
"""What ``random_action`` returns where there is no legal action."""

GAMES = ("checkers", "connect_four", "harvest", "narrow_tunnel", "wall_of_fire")
"""The games that come with Sizeup."""

INT64 = (-(2**63), 2**63 - 1)


@dataclass(frozen=True)
class GameInfo:
    """What a game declares about itself, in plain Python.

    Parameters
    ----------
    name
        The game's name, as people would type it.
    teams
        Team of each player: all 0, or 0 and 1.
    max_actions
        Most legal actions (or outcomes of chance) that any state has.
    params
        Default parameters, a ``NamedTuple``.
    action_bounds, state_bounds, reward_bounds
        Lowest and highest action, state field (one pair for all, or a pair for each) and reward.
    exploration, value_scale
        The constant of the search's confidence bounds, and what it is measured in: ``"range"``, the
        range of values seen so far, or ``"raw"``, points of reward.
    discount
        The search's planning discount.
    """

    name: str
    teams: tuple[int, ...]
    max_actions: int
    params: Any
    action_bounds: tuple[int, int] = INT64
    state_bounds: tuple[int, int] | dict[str, Any] = INT64
    reward_bounds: tuple[float, float] = (-np.inf, np.inf)
    exploration: float = math.sqrt(2)
    value_scale: Literal["raw", "range"] = "range"
    discount: float = 0.9

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.teams)


def misfit(state: Any, bounds: Any) -> str | None:
    """Say which field of a state is not an integer within its bounds, if one is not.

    >>> from sizeup.games.connect_four import INFO, State
    >>> misfit(State(first=0, second=0, side=2), INFO.state_bounds)
    'side = 2, outside INFO.state_bounds (0, 1)'
    """
    for field, value in zip(state._fields, state, strict=True):
        limits = bounds.get(field, INT64) if isinstance(bounds, dict) else bounds
        if isinstance(value, tuple):
            problem = misfit(value, limits)
            if problem:
                return problem
        elif isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            return f"{field} = {value!r}, expected an integer in every field"
        elif not limits[0] <= value <= limits[1]:
            return f"{field} = {value}, outside INFO.state_bounds {tuple(limits)}"
    return None


class View:
    """A game of the contract as plain Python methods, for loops that are not hot.

    It is what the exact planner plans on, what a match is played on, and what adapters wrap. The
    rules run compiled; there is no second implementation of any of them.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> board = View(connect_four)
    >>> state = board.start()
    >>> board.actor(state), board.actions(state)
    (0, (0, 1, 2, 3, 4, 5, 6))
    >>> state, reward = board.apply(state, 3)
    >>> board.actor(state), reward
    (1, 0.0)
    >>> board.state_text(state)
    '......./......./......./......./......./...x... o'
    """

    def __init__(self, game: types.ModuleType, params: Any = None) -> None:
        from sizeup.jit import bind  # here, so that planning on arrays need not wait for Numba

        self.game = game
        self.info: GameInfo = game.INFO
        self.params = self.info.params if params is None else params
        self._steps = bind("sizeup.games.steps", game)
        self._actions = np.zeros(self.info.max_actions, dtype=np.int64)
        self._lots = np.zeros(self.info.max_actions, dtype=np.float64)
        self._last: tuple[Any, tuple[int, ...]] = (object(), ())

    def __eq__(self, other: object) -> bool:
        """Two views of one game with one and the same parameters show the same."""
        if not isinstance(other, View):
            return NotImplemented
        return self.game is other.game and self.params is other.params

    def __hash__(self) -> int:
        return hash((id(self.game), id(self.params)))

    @property
    def teams(self) -> Sequence[int]:
        """Team of each player."""
        return self.info.teams

    def start(self) -> Any:
        """Return the first state."""
        return self._steps.start(self.params)

    def actor(self, state: Any) -> int:
        """Player to act, :data:`CHANCE`, or :data:`TERMINAL` if the game is over."""
        if not self.actions(state):
            return TERMINAL
        return int(self._steps.actor(state, self.params))

    def acting(self, state: Any) -> int:
        """Whose turn it would be, even if there is nothing to do."""
        return int(self._steps.actor(state, self.params))

    def actions(self, state: Any) -> tuple[int, ...]:
        """Legal actions, or the possible outcomes in a chance state."""
        last, found = self._last  # a match asks many times about one state, which never changes
        if state is not last:
            found = self._listed(state)
            self._last = state, found
        return found

    def _listed(self, state: Any) -> tuple[int, ...]:
        if self._steps.is_terminal(state, self.params):
            return ()
        count = self._steps.legal_actions(state, self.params, self._actions)
        return tuple(self._actions[:count].tolist())

    def probabilities(self, state: Any) -> tuple[float, ...]:
        """Probability of each outcome of a chance state, in the order of :meth:`actions`."""
        count = len(self.actions(state))
        self._steps.probabilities(state, self.params, self._lots)
        return tuple(self._lots[:count].tolist())

    def apply(self, state: Any, action: int) -> tuple[Any, float]:
        """Next state, and the reward to team 0; :class:`IllegalAction` if it is not legal."""
        legal = self.actions(state)
        if action not in legal:
            raise IllegalAction(f"action {action!r} is not legal here; legal are {legal}")
        after, reward = self._steps.step(state, action, self.params)
        return after, float(reward)

    def action_text(self, state: Any, action: int) -> str:
        """Write a legal action the way people do."""
        return notation.action_text(self, state, action)

    def action_from_text(self, state: Any, text: str) -> int:
        """Read a legal action; :class:`InvalidInput` lists the legal ones."""
        return notation.action_from_text(self, state, text)

    def state_text(self, state: Any) -> str:
        """Write a state on one line."""
        return notation.state_text(self, state)

    def state_from_text(self, text: str) -> Any:
        """Read a state that :meth:`state_text` wrote."""
        return notation.state_from_text(self, text)


def load_game(name: str) -> types.ModuleType:
    """Load a game: the name of one of ours, a module's name, or the path of a Python file.

    >>> load_game("wall-of-fire") is load_game("wall_of_fire")
    True
    >>> load_game("chekers")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: there is no game 'chekers'; did you mean 'checkers'? Expected one of
    checkers, connect-four, harvest, narrow-tunnel, wall-of-fire, a module's name, or a file that
    ends in .py
    """
    ours = name.replace("-", "_")
    if ours in GAMES:
        return importlib.import_module(f"sizeup.games.{ours}")
    game = _load_file(Path(name)) if name.endswith(".py") else _load_module(name)
    if not hasattr(game, "INFO"):
        raise InvalidGame(f"{name} is no game: INFO is missing, a GameInfo with name, teams ..")
    return game


def _load_module(name: str) -> types.ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise _no_game(name)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if f"{name}.".startswith(f"{error.name}."):
            raise _no_game(name) from None
        raise _not_loaded(name, error) from None
    except (Exception, SystemExit) as error:
        raise _not_loaded(name, error) from None


def _no_game(name: str) -> InvalidInput:
    known = [game if "_" in name else game.replace("_", "-") for game in GAMES]
    close = difflib.get_close_matches(name.lower(), known, n=1)
    meant = f"{name}.py" if Path(f"{name}.py").is_file() else close[0] if close else None
    hint = f"; did you mean {meant!r}?" if meant else "."
    return InvalidInput(
        f"there is no game {name!r}{hint} Expected one of {', '.join(known)}, a module's name, or "
        "a file that ends in .py"
    )


def _not_loaded(what: str | Path, error: Exception | SystemExit) -> InvalidGame:
    line = getattr(error, "lineno", None) or traceback.extract_tb(error.__traceback__)[-1].lineno
    return InvalidGame(f"{what} cannot be loaded: line {line}: {type(error).__name__}: {error}")


def _load_file(path: Path) -> types.ModuleType:
    if not path.is_file():
        raise InvalidInput(f"there is no file {str(path)!r}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:  # pragma: no cover  # a .py file always has both
        raise InvalidInput(f"{str(path)!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[path.stem]
        raise _not_loaded(path, error) from None
    finally:
        sys.path.remove(str(path.parent.resolve()))
    return module
