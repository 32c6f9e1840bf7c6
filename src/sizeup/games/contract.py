"""What a game is: a module of jitted functions over a small immutable state.

A game module (or an object that behaves like one) holds:

- ``INFO``: a :class:`GameInfo` with name, teams, bounds and default parameters;
- ``start(params)``: the first state;
- ``actor(state, params)``: the player to act, or :data:`CHANCE`;
- ``is_terminal(state, params)``: whether the game is over;
- ``legal_actions(state, params, out)``: write the legal actions to ``out``, return how many;
- ``apply(state, action, params)``: the next state;
- ``reward(state, action, after, params)``: the reward to team 0 for this action;
- ``probabilities(state, params, out)``, only with chance: write the probability of each outcome,
  in the order of ``legal_actions``;
- ``random_action(state, params, rng, out)``, if you like: one legal action, uniformly at random, or
  :data:`NO_ACTION` where there is none or the game is over; ``out`` is scratch space;
- ``evaluate(state, params, seen)``, if people are to be sized up
  (:mod:`sizeup.capability.people`): how good a state looks to team 0, also where the game is over;
  features whose bit is not in ``seen``, one of 62, are overlooked.

These functions are decorated with :func:`sizeup.jit.jit` and allocate nothing. A state is a
``NamedTuple`` of integers (int64), or of such tuples; ``params`` is a ``NamedTuple`` of numbers and
arrays: data at run time, so that a new board needs no new compilation. A game is over when
``is_terminal`` says so or when there is no legal action; a terminal state must have none. With two
teams the game is zero-sum.

The rest is plain Python, and all of it is optional:

- ``action_text(state, action, params)``: how people write an action; by default its number;
- ``action_from_text(state, text, params)``, if more than the exact text should be understood;
- ``state_text(state, params)`` together with ``state_from_text(text, params)``: a state on one
  line; by default its fields, ``first=0 second=8 side=1``;
- ``adjourned(plies, quiet_plies, params)``: why a match ends although the game does not, after so
  many moves of players, the last of them without reward; None while it goes on. Plans know nothing
  of it;
- ``total_bounds(params)``: the least and the most that a whole match can pay team 0. Intervals and
  sequential tests of rewards rest on it; of a small game the exact planner finds it out;
- ``board(...)``: parameters from what people would rather write, such as a board drawn as text;
  its arguments, which all have defaults, are those of ``params`` in an experiment's file;
- ``with_players(params, players)``: parameters of a game of one team for another number of
  players, each of whom has something of its own; a team of another size makes use of it;
- ``LOOK``: a :class:`sizeup.games.look.Look`, the game's face.

A game made of another one (:mod:`sizeup.games.seats`) has ``BASE``, that game; its states and
parameters have a field ``base``, which is that game's.

:class:`View` makes plain Python methods of it all; :mod:`sizeup.games.check` holds a game to it.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import math
import sys
import threading
import traceback
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import IllegalAction, InvalidGame, InvalidInput

__all__ = [
    "CHANCE", "GAMES", "NO_ACTION", "OVER", "TAG", "TERMINAL", "GameInfo", "View", "is_ours",
    "load_file", "load_game", "params_of", "tag_team", "untagged",
]  # fmt: skip

CHANCE = -1
"""The actor of a state where the next state is drawn by lot."""

TERMINAL = -2
"""What :meth:`View.actor` says of a state where the game is over."""

NO_ACTION = -(2**63)
"""What ``random_action`` returns where there is no legal action."""

OVER = "the game is over"
"""Why a match ended that its game itself ended, and no limit."""

GAMES = (
    "checkers", "connect_four", "foraging", "four_in_a_row", "harvest", "narrow_tunnel",
    "wall_of_fire",
)  # fmt: skip
"""The games that come with Sizeup."""

TAG = "tag:"
"""What the name of a game for tag teams begins with; see :func:`tag_team`."""

INT64 = (-(2**63), 2**63 - 1)


@dataclass(frozen=True, repr=False)
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
    no_move_loses
        Whether a side that cannot move has lost, whatever the reward.
    shared_turns
        Whether the players of one team merely take turns at the same thing, so that any number of
        them can be seated.
    drawn_turns
        Whether chance draws who of a team moves, of several; see :func:`tag_team`.
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
    no_move_loses: bool = False
    shared_turns: bool = False
    drawn_turns: bool = False

    def __repr__(self) -> str:
        return f"<GameInfo of {self.name}: teams {self.teams}>"

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.teams)


def is_integer(value: object) -> bool:
    """Whether a value is a whole number and not a truth value."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def misfit(state: Any, bounds: Any) -> str | None:
    """Say which field of a state is not an integer within its bounds, if one is not."""
    for field, value in zip(state._fields, state, strict=True):
        limits = bounds.get(field, INT64) if isinstance(bounds, dict) else bounds
        if isinstance(value, tuple):
            if problem := misfit(value, limits):
                return problem
        elif not is_integer(value):
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

    def __repr__(self) -> str:
        return f"<View of {self.info.name}>"

    @property
    def teams(self) -> Sequence[int]:
        """Team of each player."""
        return self.info.teams

    def start(self) -> Any:
        """Return the first state."""
        return self._steps.start(self.params)

    def actor(self, state: Any) -> int:
        """Player to act, :data:`CHANCE`, or :data:`TERMINAL` if the game is over."""
        return self.acting(state) if self.actions(state) else TERMINAL

    def acting(self, state: Any) -> int:
        """Whose turn it would be, even if there is nothing to do."""
        return int(self._steps.actor(state, self.params))

    def actions(self, state: Any) -> tuple[int, ...]:
        """Legal actions, or the possible outcomes in a chance state."""
        last, found = self._last  # a match asks many times about one state, which never changes
        if state is not last:
            over = self._steps.is_terminal(state, self.params)
            count = 0 if over else self._steps.legal_actions(state, self.params, self._actions)
            found = tuple(self._actions[:count].tolist())
            self._last = state, found
        return found

    def probabilities(self, state: Any) -> tuple[float, ...]:
        """Probability of each outcome of a chance state, in the order of :meth:`actions`."""
        count = len(self.actions(state))
        self._steps.probabilities(state, self.params, self._lots)
        return tuple(self._lots[:count].tolist())

    def apply(self, state: Any, action: int) -> tuple[Any, float]:
        """Next state, and the reward to team 0; :class:`IllegalAction` if it is not legal."""
        self._require_legal(state, action)
        after, reward = self._steps.step(state, action, self.params)
        return after, float(reward)

    def _require_legal(self, state: Any, action: int) -> None:
        legal = self.actions(state)
        if action not in legal:
            raise IllegalAction(f"action {action!r} is not legal here; legal are {legal}")

    @property
    def base(self) -> View:
        """The game beneath, if this one's sides are seated; otherwise itself."""
        return self if self._beneath is None else self._beneath.base

    def base_state(self, state: Any) -> Any:
        """A state as one of :attr:`base`, without who sits where."""
        return state if self._beneath is None else self._beneath.base_state(state.base)

    @cached_property
    def _beneath(self) -> View | None:
        return View(self.game.BASE, self.params.base) if hasattr(self.game, "BASE") else None

    def adjourned(self, plies: int, quiet_plies: int) -> str | None:
        """Why a match ends after so many moves, some without reward; None if it goes on."""
        rule = getattr(self.game, "adjourned", None)
        reason: str | None = None if rule is None else rule(plies, quiet_plies, self.params)
        return reason

    def total_bounds(self) -> tuple[float, float] | None:
        """The least and the most that a match can pay team 0, if the game says so.

        >>> from sizeup.games import harvest, wall_of_fire
        >>> View(wall_of_fire).total_bounds(), View(harvest).total_bounds()
        ((-40.0, 2000.0), None)
        """
        return total_bounds_of(self.base.game, self.base.params)

    def winner(self, state: Any, total: float) -> int | None:
        """Team that has won a match with this total reward; None for a draw or a single team."""
        if len(set(self.teams)) < 2:
            return None
        if self.info.no_move_loses and not self.actions(state):
            return 1 - self.teams[self.acting(state)]
        return None if total == 0 else int(total < 0)

    def action_text(self, state: Any, action: int) -> str:
        """Write a legal action the way people do."""
        self._require_legal(state, action)
        written = getattr(self.game, "action_text", None)
        return str(action) if written is None else str(written(state, action, self.params))

    def action_from_text(self, state: Any, text: str) -> int:
        """Read a legal action; :class:`InvalidInput` lists the legal ones.

        Capitals and space around it do not matter.
        """
        reader = getattr(self.game, "action_from_text", None)
        if reader is not None:
            found: int = reader(state, text, self.params)
            return found
        legal = {self.action_text(state, action): action for action in self.actions(state)}
        wanted = str(text).strip().lower()
        meant = {action for name, action in legal.items() if name.lower() == wanted}
        if len(meant) == 1:
            return meant.pop()
        options = ", ".join(legal) or "none: the game is over"
        raise InvalidInput(f"{text!r} is not a legal action here; legal are {options}")

    def state_text(self, state: Any) -> str:
        """Write a state on one line."""
        written = getattr(self.game, "state_text", None)
        if written is not None:
            return str(written(state, self.params))
        return " ".join(f"{name}={int(value)}" for name, value in fields_of(state))

    def state_from_text(self, text: str) -> Any:
        """Read a state that :meth:`state_text` wrote."""
        reader = getattr(self.game, "state_from_text", None)
        state = self._read_fields(text) if reader is None else reader(text, self.params)
        if problem := misfit(state, self.info.state_bounds):
            raise InvalidInput(f"{text!r} is not a state of {self.info.name}: it has {problem}")
        return state

    def _read_fields(self, text: str) -> Any:
        model = self.start()
        given = dict(part.partition("=")[::2] for part in str(text).split())
        try:
            values = {name: int(value) for name, value in given.items()}
        except ValueError:
            values = {}
        if list(values) != [name for name, _ in fields_of(model)]:
            raise InvalidInput(
                f"{text!r} is not a state of {self.info.name}; expected a text like "
                f"{self.state_text(model)!r}"
            )
        return _filled(model, values, "")


def total_bounds_of(game: types.ModuleType, params: Any) -> tuple[float, float] | None:
    """What a game says that its matches can pay team 0; None if it says nothing."""
    rule = getattr(game, "total_bounds", None)
    if rule is None:
        return None
    given = rule(params)
    try:
        low, high = (float(end) for end in given)
    except (TypeError, ValueError):
        low, high = math.inf, -math.inf
    if not -math.inf < low <= high < math.inf:
        raise InvalidGame(
            f"{game.INFO.name}: total_bounds gave {given!r}, expected the least and the most that "
            "a match can pay: two numbers, the smaller one first"
        )
    return low, high


def fields_of(state: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Names and values of a state's fields, those of inner states with their path."""
    for name, value in zip(state._fields, state, strict=True):
        if hasattr(value, "_fields"):
            yield from fields_of(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _filled(model: Any, values: dict[str, int], prefix: str) -> Any:
    """Return a state like ``model`` with other values."""
    fields = (
        _filled(value, values, f"{prefix}{name}.")
        if isinstance(value, tuple)
        else values[prefix + name]
        for name, value in zip(model._fields, model, strict=True)
    )
    return type(model)(*fields)


class _Here(threading.local):
    """Views of this thread: a view has room for one list of actions."""

    def __init__(self) -> None:
        self.views: dict[tuple[int, int], View] = {}


_HERE = _Here()


def view_here(game: types.ModuleType, params: Any = None) -> View:
    """A view that only this thread uses, made once: reading and writing moves needs one often.

    >>> from sizeup.games import checkers
    >>> view_here(checkers) is view_here(checkers)
    True
    """
    key = id(game), id(params)
    if key not in _HERE.views:
        if len(_HERE.views) >= 16:
            _HERE.views.clear()
        _HERE.views[key] = View(game, params)  # which keeps both, so that their ids stay theirs
    return _HERE.views[key]


def params_of(game: types.ModuleType, given: Mapping[str, Any]) -> Any:
    """Parameters of a game, with some that differ from its own.

    A game that has a function ``board`` takes that function's arguments, such as ``text``.

    >>> from sizeup.games import checkers, wall_of_fire
    >>> params_of(checkers, {"most_plies": 60})
    CheckersParams(king_value=1.0, most_plies=60, most_quiet_plies=40)
    >>> params_of(wall_of_fire, {"text": "SFC"}).width
    3
    """
    own = game.INFO.params
    make = getattr(game, "board", None)
    if make is None:
        defaults, make = own._asdict(), own._replace
    else:
        defaults = {name: p.default for name, p in inspect.signature(make).parameters.items()}
    return make(**{name: _like(name, value, defaults) for name, value in given.items()})


def array_like(model: NDArray[Any], given: Any) -> NDArray[Any] | None:
    """A list as an array of the model's kind, or None; whole numbers will do for any numbers.

    >>> array_like(np.zeros(2), [1, 2, 3]), array_like(np.zeros(2), [[1, 2]])
    (array([1., 2., 3.]), None)
    """
    try:
        array = np.array(given)
    except (ValueError, OverflowError):  # rows of unequal length, or numbers beyond any kind
        return None
    kinds = {"f": "fiu", "i": "i", "u": "iu"}.get(model.dtype.kind, model.dtype.kind)
    fits = array.ndim == model.ndim and (not array.size or array.dtype.kind in kinds)
    return array.astype(model.dtype) if fits else None


_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def _kind_of(value: Any) -> str:
    """What a parameter is, by its default."""
    if isinstance(value, np.ndarray):
        return f"a list of numbers ({value.dtype}), such as {value.tolist()}"
    return f"{_KINDS.get(type(value), type(value).__name__)}, such as {value!r}"


def _like(name: str, value: Any, defaults: Mapping[str, Any]) -> Any:
    """A value of the kind that the parameter has: compiled rules tell 2 from 2.0."""
    if name not in defaults:
        raise InvalidInput(f"there is no parameter {name!r}; parameters are {', '.join(defaults)}")
    kind, given = type(defaults[name]), value
    if kind is float and type(value) is int:
        return float(value)
    if kind is np.ndarray and isinstance(value, (list, tuple)):
        value = array_like(defaults[name], value)
    if type(value) is not kind:
        raise InvalidInput(f"{name} is {_kind_of(defaults[name])}; got {given!r}")
    return value


def load_game(name: str) -> types.ModuleType:
    """Load a game: the name of one of ours, a module's name, or the path of a Python file.

    >>> load_game("wall-of-fire") is load_game("wall_of_fire")
    True
    >>> load_game("tag:checkers").INFO.drawn_turns
    True
    >>> load_game("chekers")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: there is no game 'chekers'; did you mean 'checkers'? Expected one of
    checkers, connect-four, foraging, four-in-a-row, harvest, narrow-tunnel, wall-of-fire, a
    module's name, or a file that ends in .py
    """
    if name.startswith(TAG):
        return tag_team(load_game(untagged(name)))
    if is_ours(name):
        return importlib.import_module(f"sizeup.games.{name.replace('-', '_')}")
    game = load_file(Path(name)) if name.endswith(".py") else _load_module(name)
    if not hasattr(game, "INFO"):
        raise InvalidGame(
            f"{name} is not a game: INFO is missing, a GameInfo that says its name, teams and more"
        )
    return game


def untagged(name: str) -> str:
    """The name of a game, or of the one that a game for tag teams is made of.

    >>> untagged("tag:checkers"), untagged("checkers")
    ('checkers', 'checkers')
    """
    return name.removeprefix(TAG)


def is_ours(name: str) -> bool:
    """Whether a game of this name comes with Sizeup, for tag teams or not.

    >>> is_ours("tag:connect-four"), is_ours("my_game.py")
    (True, False)
    """
    return untagged(name).replace("-", "_") in GAMES


@lru_cache(maxsize=64)  # kernels are kept for every module they are bound to
def tag_team(game: types.ModuleType) -> types.ModuleType:
    """Make a game of another in which chance draws who of a team moves, whenever it is to move.

    With one member in each team it is the same game. Rules, texts and look are the game's own.

    >>> from sizeup.games import connect_four
    >>> tag_team(connect_four).INFO.name
    'tag:connect-four'
    """
    info: GameInfo = game.INFO
    if info.drawn_turns:
        raise InvalidInput(f"{info.name} is a game for tag teams already")
    if info.teams != (0, 1) and not info.shared_turns:
        raise InvalidInput(
            f"{info.name} has teams {info.teams}: a tag team needs a game with one player on each "
            "of two sides, or of one team whose INFO says shared_turns=True"
        )
    tagged = types.ModuleType(game.__name__)
    tagged.__dict__.update(vars(game))
    tagged.__dict__["INFO"] = replace(info, name=f"{TAG}{info.name}", drawn_turns=True)
    return tagged


def _load_module(name: str) -> types.ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise _no_game(name)
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        missing = isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}.")
        raise (_no_game(name) if missing else _not_loaded(name, error)) from None


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


def load_file(path: Path) -> types.ModuleType:
    """Load a Python file as a module; what goes wrong is told with its line."""
    if not path.is_file():
        raise InvalidInput(f"there is no file {str(path)!r}")
    if path.stem in sys.stdlib_module_names:
        raise InvalidInput(f"{path} has the name of a module of Python's own: rename it")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
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
