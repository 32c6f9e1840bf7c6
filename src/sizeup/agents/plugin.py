"""Agents of your own: one Python file with a class ``Agent``.

A file such as ``my_agent.py`` (``sizeup new-agent my_agent`` writes one) holds a class ``Agent``
with this protocol:

- ``Agent(seat)``: sits down; a :class:`Seat` holds the game, the seat, its own type and a search;
- ``choose(state, seed)``: the action to play where it is to move, from the seed alone;
- ``observe(state, actor, action, seed)``, if you like: a move that was made, its own included;
- ``probabilities()``, if it keeps beliefs: ``(players, types)``, one row for each player;
- ``explain()``, if you like: a sentence about its last choice, which records keep.

``my_agent.py:8`` is then a member of a team wherever agents are, ``my_agent.py:8@2,8`` one that
considers these types. An installed package offers an agent through an entry point of the group
``sizeup.agents`` that names such a module. :func:`check_agent` holds an agent to all this.
"""

from __future__ import annotations

import importlib
import inspect
import traceback
import types as python_types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.agents.agent import Agent
from sizeup.agents.config import AgentConfig, plugin_config, read_agent
from sizeup.agents.engine import MakeSearcher, Searches
from sizeup.agents.protocol import Choice, Observation
from sizeup.capability.arrays import whole
from sizeup.errors import InfeasibleType, InvalidInput
from sizeup.games.contract import CHANCE, View, load_file, load_game
from sizeup.games.template import write_template
from sizeup.search import Searcher, SearchOptions, SearchResult

__all__ = ["PluginAgent", "Seat", "check_agent", "write_new_agent"]

_TEMPLATE = Path(__file__).parent / "template.txt"
_TEST = '''"""{name} keeps the protocol; run with: pytest test_{name}.py"""

from pathlib import Path

from sizeup.agents.plugin import check_agent


def test_{name}_keeps_the_protocol():
    assert check_agent(f"{{Path(__file__).with_name('{name}.py')}}:4").moves > 0
'''


@dataclass(frozen=True, eq=False)
class Seat:
    """What an agent is told when it sits down.

    Parameters
    ----------
    view, player
        The game and the seat; ``view.teams`` says who plays with whom.
    own, types
        Its capability type, None if it was given none; the types that it may consider.
    options, searcher
        How to search, and what makes a search.
    """

    view: View
    player: int
    own: int | None
    types: tuple[int, ...]
    options: SearchOptions = field(default_factory=SearchOptions)
    searcher: MakeSearcher = Searcher
    _searchers: dict[tuple[int, ...], Searches] = field(
        default_factory=dict, init=False, repr=False
    )

    @property
    def team(self) -> list[int]:
        """The players of its team, itself included."""
        return [p for p, team in enumerate(self.view.teams) if team == self.view.teams[self.player]]

    def search(
        self, state: Any, seed: int, own: int | None = None, beliefs: Any = None
    ) -> SearchResult:
        """Search as a player of its own type, or of a weaker one (``own``).

        ``beliefs`` are probabilities of the types up to its own for each teammate; without any,
        teammates are equals.
        """
        if self.own is None:
            raise InfeasibleType(
                "an agent without a type cannot search; write its type after its name, as in "
                "my_agent.py:4"
            )
        wanted = self.own if own is None else whole(own, "the type of a search", least=1)
        if wanted > self.own:
            raise InfeasibleType(
                f"an agent of type {self.own} cannot search as type {wanted}; expected one of "
                f"{tuple(c for c in self.types if c <= self.own)}"
            )
        types = tuple(sorted({*(c for c in self.types if c <= wanted), wanted}))
        if types not in self._searchers:
            self._searchers[types] = self.searcher(self.view, types, self.options)
        return self._searchers[types].search(state, beliefs=beliefs, seed=seed)


class PluginAgent:
    """An agent of your own in a seat; the parameters are those of :class:`Agent`."""

    beliefs = None  # what it believes is its own affair: it cannot be carried to another match

    def __init__(
        self,
        config: AgentConfig,
        view: View,
        player: int,
        types: tuple[int, ...] = (),
        searcher: MakeSearcher = Searcher,
    ) -> None:
        self.config, self.view, self.player, self.name = config, view, player, str(config)
        own = () if config.depth is None else (config.depth,)
        self.types = tuple(sorted({*(config.types or types), *own}))
        self._seat = Seat(view, player, config.depth, self.types, config.options, searcher)
        made = agent_class(config)
        self._file = inspect.getsourcefile(made)
        self._agent = self._call("Agent(seat)", made, self._seat)
        self.is_adaptive = hasattr(self._agent, "probabilities")
        if not callable(getattr(self._agent, "choose", None)):
            raise InvalidInput(f"{config.name}: its class Agent has no method choose(state, seed)")

    def choose(self, state: Any, seed: int) -> Choice:
        """Ask it for an action, which must be legal."""
        actions = self.view.actions(state)
        chosen = self._call("choose", self._agent.choose, state, seed)
        if not isinstance(chosen, (int, np.integer)) or chosen not in actions:
            raise InvalidInput(
                f"{self.name} in seat {self.player} chose {chosen!r}, which is not legal; legal "
                f"are {actions}"
            )
        note = self._call("explain", self._agent.explain) if hasattr(self._agent, "explain") else ""
        return Choice.of(int(chosen), actions, str(note or ""))

    def observe(self, state: Any, actor: int, action: int, seed: int) -> Observation | None:
        """Let it see a move; what that did to its beliefs, if it keeps any."""
        if not hasattr(self._agent, "observe"):
            return None
        before = self.probabilities() if self.is_adaptive else None
        self._call("observe", self._agent.observe, state, actor, action, seed)
        if before is None or actor not in self._seat.team or len(self.view.actions(state)) < 2:
            return None
        nothing = np.full(len(self.types), np.nan)
        return Observation(actor, nothing, before[actor], self.probabilities()[actor])

    def probabilities(self) -> NDArray[np.float64]:
        """``(players, types)`` what it believes about everybody."""
        given = self._call("probabilities", self._agent.probabilities)
        try:
            rows = np.array(given, dtype=np.float64)
        except (TypeError, ValueError):  # something else than numbers, or rows of unequal length
            rows = np.zeros(0)
        shape = len(self.view.teams), len(self.types)
        if rows.shape != shape or (rows.sum(axis=1) > 1 + 1e-6).any() or not (rows >= 0).all():
            shown = " ".join(repr(given).split())
            raise InvalidInput(
                f"{self.name}: probabilities() gave {shown}, expected {shape[0]} rows of "
                f"probabilities of the types {self.types}, each summing to 1, or to less where it "
                "may be none of these"
            )
        return rows

    def _call(self, what: str, function: Any, *arguments: Any) -> Any:
        """Call the user's code; what it raises is told with the user's file and line."""
        try:
            return function(*arguments)
        except InvalidInput:
            raise
        except (Exception, SystemExit) as error:
            frames = traceback.extract_tb(error.__traceback__)[1:]  # the first is of this file
            mine = [frame for frame in frames if frame.filename == self._file]
            places = [*frames, *mine][-1:]  # where the user's file came to it, if it did
            at = "".join(f" at {Path(one.filename).name}:{one.lineno}" for one in places)
            raise InvalidInput(
                f"{self.config.name}: {what} failed{at}: {type(error).__name__}: {error}"
            ) from error


def agent_class(config: AgentConfig) -> type[Any]:
    """The class ``Agent`` of a plug-in."""
    made = getattr(load_plugin(config), "Agent", None)
    if not inspect.isclass(made):
        raise InvalidInput(
            f"{config.name} has no class Agent; sizeup new-agent writes one to start"
        )
    return made


def load_plugin(config: AgentConfig) -> python_types.ModuleType:
    """The module of a plug-in, from its file or from an installed package."""
    found = config if config.source else plugin_config(config.name)  # as of a record
    if found is None:
        raise InvalidInput(f"there is no agent {config.name!r}; no installed package offers it")
    if not found.source:
        raise InvalidInput(f"there is no file {config.name!r} with an agent in it")
    return _module(found.source)


@lru_cache(maxsize=64)
def _module(source: str) -> python_types.ModuleType:
    if source.endswith(".py"):
        return load_file(Path(source))
    try:
        return importlib.import_module(source)
    except (Exception, SystemExit) as error:
        raise InvalidInput(
            f"the module {source!r} of an agent cannot be loaded: {type(error).__name__}: {error}"
        ) from None


@dataclass(frozen=True)
class AgentReport:
    """What an agent that passed was put through."""

    name: str
    games: int
    moves: int


def check_agent(
    agent: str | AgentConfig, game: str | python_types.ModuleType = "connect-four", games: int = 3
) -> AgentReport:
    """Hold an agent to the protocol; raise :class:`InvalidInput` with the first problem found.

    It plays games against random players and must choose legal actions, the same ones from the
    same seeds, and may not search as a type above its own.

    >>> check_agent("obl:2", games=1).moves > 0
    True
    """
    config = read_agent(agent) if isinstance(agent, str) else agent
    view = View(load_game(game) if isinstance(game, str) else game)
    moves = 0
    for seed in range(games):
        with _no_peeking(config):
            first, again = (_lines(config, view, seed) for _ in range(2))
        if first != again:
            at = next(i for i, (a, b) in enumerate(zip(first, again, strict=False)) if a != b)
            move = sum(isinstance(one, int) for one in first[: at + 1])
            did = "played" if isinstance(first[at], int) else "believed"
            raise InvalidInput(
                f"{config} is not determined by its seed: at its move {move} of game {seed} it "
                f"{did} {first[at]!r} first and {again[at]!r} when asked again; draw from the seed "
                "that choose and observe get"
            )
        moves += sum(isinstance(one, int) for one in first)
    return AgentReport(str(config), games, moves)


def _lines(config: AgentConfig, view: View, seed: int, most: int = 60) -> list[Any]:
    """What an agent does in a game of random players, move by move."""
    make: Any = PluginAgent if config.model == "plugin" else Agent
    agent = make(config, view, 0, config.types or (config.own,))
    rng, state, told = np.random.default_rng(seed), view.start(), []
    for ply in range(most):
        actor, actions = view.actor(state), view.actions(state)
        if not actions:
            break
        action = int(actions[rng.integers(len(actions))])
        if actor == 0:
            action = agent.choose(state, seed + ply).action
            told.append(action)
        if actor != CHANCE:
            agent.observe(state, actor, action, seed + ply)
            if agent.is_adaptive:
                told.append(agent.probabilities().tolist())
        state, _ = view.apply(state, action)
    return told


@contextmanager
def _no_peeking(config: AgentConfig) -> Iterator[None]:
    """Refuse, while an agent is checked, searches of types above its own."""
    made = Searcher.__init__

    def guarded(self: Searcher, game: Any, types: Any, options: Any = None) -> None:
        known = tuple(types)
        if config.depth is not None and max(known, default=0) > config.depth:
            raise InfeasibleType(
                f"{config} searches as type {max(known)}, above its own type {config.depth}: it "
                "may evaluate only types up to its own"
            )
        made(self, game, known, options)

    # An agent may make searchers of its own, beside its seat's: only the class sees them all.
    Searcher.__init__ = guarded  # type: ignore[method-assign]
    try:
        yield
    finally:
        Searcher.__init__ = made  # type: ignore[method-assign]


def write_new_agent(name: str, folder: Path) -> list[Path]:
    """Write ``NAME.py`` and ``test_NAME.py``; refuse a bad name or files that are there already."""
    return write_template(name, folder, _TEMPLATE.read_text(), _TEST)
