"""Our agents in PettingZoo loops, policies as players, and seats whose moves are made elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.adapters.observations import Encoding, Observed
from sizeup.agents import AgentConfig, Player, read_agent
from sizeup.capability.arrays import whole
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games.contract import View
from sizeup.play.match import Match, checked_seed
from sizeup.play.table import Table, sit_down

__all__ = ["Policy", "SearchPolicy", "as_player"]

Policy: TypeAlias = Callable[[Observed], Any]
"""Takes an observation and returns the number of a legal move."""


class SearchPolicy:
    """An agent that plays a seat of :func:`sizeup.adapters.pettingzoo_env.env`.

    Ask it for a move whenever it is its turn. It follows the other agents' moves by itself, and
    starts again when the environment is reset.

    Parameters
    ----------
    config
        Who plays: a text such as ``"ca:8@2,4,8"``, or a configuration. An agent that uses types and
        lists none considers its own depth, halved again and again: ``ca:8`` is ``ca:8@1,2,4,8``.
    env
        The environment, wrapped or not.
    agent
        Which agent's moves it plays, such as ``"black_0"``.
    seed
        Seed of its searches; each reset moves on to the next number.
    keep_beliefs
        Whether it keeps its beliefs when the environment is reset; an agent of your own
        (``my_agent.py:8``) begins afresh.
    truth
        Depths of other agents by name: only an oracle (``ora``) sees them, and a public agent
        learns the lowest.

    Examples
    --------
    >>> from sizeup.adapters import pettingzoo_env
    >>> env = pettingzoo_env.env("wall-of-fire")
    >>> expert = SearchPolicy("ca:20@2,20", env, "player_0")
    >>> novice = SearchPolicy("obl:2", env, "player_1")
    >>> env.reset(seed=0)
    >>> total = 0.0
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     total += reward if agent == "player_0" else 0.0
    ...     over = termination or truncation
    ...     policy = expert if agent == "player_0" else novice
    ...     env.step(None if over else policy.act(env))
    >>> total, expert.beliefs(env)["player_1"].round(2)
    (-2.0, array([1., 0.]))
    """

    def __init__(
        self,
        config: str | AgentConfig,
        env: Any,
        agent: str,
        seed: int = 0,
        keep_beliefs: bool = False,
        truth: Mapping[str, int] | None = None,
    ) -> None:
        self.names = tuple(_ours(env).possible_agents)
        if not isinstance(truth or {}, Mapping):
            raise InvalidInput(f"true depths are by name, such as {{'player_1': 2}}, got {truth!r}")
        told = {
            self._seat(name): whole(depth, f"the depth of {name}", least=1)
            for name, depth in (truth or {}).items()
        }
        given = read_agent(config) if isinstance(config, str) else config
        if not isinstance(given, AgentConfig):
            raise InvalidInput(f"{given!r} is not an agent; expected a text like ca:8@2,4,8")
        self.config = among_strangers(given, tuple(c for c in told.values() if c <= given.own))
        self.agent, self.player = agent, self._seat(agent)
        self.seed, self.keep_beliefs = checked_seed(seed), keep_beliefs
        self._truth = {**told, self.player: given.own}
        self._match: Match | None = None  # its own, in step with the environment's
        self._theirs: Match | None = None

    def act(self, env: Any) -> int:
        """The number of the move it chooses now."""
        match = self._up_to_date(env)
        if match.actor != self.player:
            raise InvalidInput(
                f"it is not {self.agent}'s turn; ask a policy only when the environment's "
                "agent_selection is its agent and the game is not over"
            )
        return int(_ours(env).encoding.number(match.legal, match.choose().action))

    def beliefs(self, env: Any) -> dict[str, NDArray[np.float64]]:
        """What it believes about each agent now: the probability of each of its types.

        Nothing at all if it is an agent of your own that has no ``probabilities()``.
        """
        seated = self._up_to_date(env).table.seats[self.player]
        if seated.beliefs is None and not seated.is_adaptive:
            return {}
        return dict(zip(self.names, seated.probabilities(), strict=False))

    def _seat(self, name: str) -> int:
        if name not in self.names:
            raise InvalidInput(f"there is no agent {name!r}; agents are {', '.join(self.names)}")
        return self.names.index(name)

    def _up_to_date(self, env: Any) -> Match:
        """Its own match, with all moves that were made in the environment."""
        theirs = under_way(_ours(env).match)
        if self._match is None or self._theirs is not theirs:
            self._match, self._theirs = self._next(theirs), theirs
        self._catch_up(self._match, theirs)
        return self._match

    def _next(self, theirs: Match) -> Match:
        """Its match for a game that has begun."""
        seed, held, view = self.seed, None, theirs.view
        if self._match is not None and self._theirs is not None:
            seed = self._match.seed + 1
            if self.keep_beliefs:
                self._catch_up(self._match, self._theirs)
                held = self._match.table.seats[self.player].beliefs
        seats = tuple(
            sit_down(self.config, view, p, truth=self._truth, beliefs=held)
            if p == self.player
            else sit_down(Stranger(name), view, p)
            for p, name in enumerate(self.names)
        )
        table = Table(view, seats, seats[self.player].types)
        return Match(table, seed, searches=False, most_plies=theirs.most_plies)

    def _catch_up(self, match: Match, theirs: Match) -> None:
        """Learn from the moves since it was last asked, as if it had watched each at once."""
        for action in theirs.actions[len(match.actions) :]:
            # A move in its name that it did not think about is no news, and would cost a search.
            match.play(action, watched=match.actor != self.player or match.asked)


def as_player(policy: Policy, name: str | None = None) -> Player:
    """Turn a policy that was trained in one of our environments into a player of a match.

    It observes what the environment of the match's game and teams shows: a policy trained in a team
    of two needs a team of two. A policy gets no seed, so a match can be repeated only if its policy
    is deterministic.

    Parameters
    ----------
    policy
        Takes an observation, a dictionary with ``observation`` and ``action_mask``, and returns the
        number of a legal move.
    name
        What the record calls the player; None for the function's own name.

    Examples
    --------
    >>> from sizeup.play import play
    >>> def leftmost(observation):
    ...     return observation["action_mask"].argmax()
    >>> record = play("connect-four", [[as_player(leftmost)], ["random"]], seed=1)
    >>> record.players, "".join(move.action for move in record.moves if move.player == 0)
    (('leftmost', 'random'), 'aaaaabbbbb')
    """
    if not callable(policy):
        raise InvalidInput(f"{policy!r} is not a policy; expected a function of an observation")
    own = str(getattr(policy, "__name__", type(policy).__name__))
    return _PolicyPlayer(policy, name or ("policy" if own == "<lambda>" else own))


class _PolicyPlayer:
    """A policy in a seat."""

    def __init__(self, policy: Policy, name: str) -> None:
        self.policy = policy
        self.__name__ = name  # what a match calls a player that is a function
        self._encoding: Encoding | None = None

    def __call__(self, view: View, state: Any, seed: int) -> int:
        if self._encoding is None or self._encoding.view != view:
            self._encoding = Encoding(view)
        number = self.policy(self._encoding.observation(state))
        try:
            return self._encoding.action(view.actions(state), number)
        except IllegalAction as error:
            raise IllegalAction(f"{self.__name__} chose an illegal move: {error}") from None


def _ours(env: Any) -> Any:
    """The environment inside its wrappers."""
    raw = getattr(env, "unwrapped", env)
    if not all(hasattr(raw, name) for name in ("encoding", "match", "possible_agents")):
        raise InvalidInput(
            f"{env} is not one of Sizeup's environments; make one with "
            "sizeup.adapters.pettingzoo_env.env(...)"
        )
    return raw


class Stranger:
    """Sits where somebody else moves: ``match.play(action)`` makes its moves, ``step`` cannot."""

    def __init__(self, name: str) -> None:
        self.__name__ = name  # what a match calls a player that is a function

    def __call__(self, view: View, state: Any, seed: int) -> int:
        raise InvalidInput(f"{self.__name__} moves in its own loop; play its moves by play(action)")


def among_strangers(config: AgentConfig, known: tuple[int, ...] = ()) -> AgentConfig:
    """Give an agent types to consider where nobody says who its teammates are.

    If it uses types and lists none, they are its own depth, halved again and again, and the
    ``known`` ones.

    >>> print(among_strangers(read_agent("ca:8")), among_strangers(read_agent("sa:6@2,6")))
    ca:8@1,2,4,8 sa:6@2,6
    """
    if config.types or config.untyped or config.model not in ("believed", "plugin"):
        return config
    halves = {config.own >> times for times in range(config.own.bit_length())}
    return replace(config, types=tuple(sorted({*halves, *known})))


def under_way(match: Match | None) -> Match:
    """The match of an environment; an error if there is none yet."""
    if match is None:
        raise InvalidInput("the environment has no game yet; call its reset() first")
    return match
