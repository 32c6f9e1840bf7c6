"""Players over the fence: an agent of ours in a PettingZoo loop, somebody's policy in a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.adapters.companions import Companion, among_strangers
from sizeup.adapters.episode import Episode, checked_seed
from sizeup.adapters.observations import Encoding, Observation
from sizeup.agents import Agent, AgentConfig, read_agent
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games.contract import View
from sizeup.play.match import Player

__all__ = ["Policy", "SearchPolicy", "as_player"]

Policy: TypeAlias = Callable[[Observation], Any]
"""From what is observed to the number of a legal move."""


class SearchPolicy:
    """An agent that plays a seat of :func:`sizeup.adapters.pettingzoo_env.env`.

    Ask it for a move whenever it is its turn. It looks at the moves that the others have made in
    the meantime by itself, and starts afresh when the environment is reset.

    Parameters
    ----------
    config
        Who plays: a text such as ``"ca:8@2,4,8"``, or a configuration. One that lists no types, and
        has use for them, considers its own depth, halved again and again: ``ca:8`` is
        ``ca:8@1,2,4,8``.
    env
        The environment, wrapped or not.
    agent
        Whose moves it makes, such as ``"black_0"``.
    seed
        What its searches draw from; a game after a reset has the next number.
    keep_beliefs
        Whether it goes on from what it believed when the environment is reset.
    truth
        Depths of other agents by name, which only an oracle (``ora``) may see, and the weakest of
        which a public agent is told.

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
    (-2.0, array([0.99, 0.01]))
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
        told = {self._seat(name): depth for name, depth in (truth or {}).items()}
        given = read_agent(config) if isinstance(config, str) else config
        self.config = among_strangers(given, tuple(c for c in told.values() if c <= given.own))
        self.agent, self.player = agent, self._seat(agent)
        self.seed, self.keep_beliefs = checked_seed(seed), keep_beliefs
        self._truth = {**told, self.player: given.own}
        self._companion: Companion | None = None

    def act(self, env: Any) -> int:
        """The number of its move, for the state that the environment is in."""
        companion = self._following(env)
        episode: Episode = companion.episode
        if episode.ended is not None or episode.actor != self.player:
            raise InvalidInput(
                f"it is not the turn of {self.agent}; ask a policy only when the environment's "
                "agent_selection is its agent and the game is not over"
            )
        return int(_ours(env).encoding.number(episode.legal, companion.choose()))

    def beliefs(self, env: Any) -> dict[str, NDArray[np.float64]]:
        """What it believes about each agent by now: the probability of each of its types."""
        companion = self._following(env)
        companion.catch_up()
        return dict(zip(self.names, companion.agent.probabilities(), strict=False))

    def _seat(self, name: str) -> int:
        if name not in self.names:
            raise InvalidInput(f"there is no agent {name!r}; agents are {', '.join(self.names)}")
        return self.names.index(name)

    def _following(self, env: Any) -> Companion:
        """The companion for the game that is under way."""
        raw = _ours(env)
        if raw.episode is None:
            raise InvalidInput("the environment has no game yet; call its reset() first")
        before = self._companion
        if before is None or before.episode is not raw.episode:
            self._companion = self._next(raw, before)
        assert self._companion is not None
        return self._companion

    def _next(self, raw: Any, before: Companion | None) -> Companion:
        held = None
        if before is not None:
            before.catch_up()
            held = before.agent.beliefs if self.keep_beliefs else None
        agent = Agent(self.config, raw.view, self.player, truth=self._truth, beliefs=held)
        return Companion(agent, raw.episode, self.seed if before is None else before.seed + 1)


def as_player(policy: Policy, name: str | None = None) -> Player:
    """Make a player for a match of a policy that was trained in an environment of ours.

    The observation is that of the environments, for the game and the teams of the match: a policy
    of a team of two wants a team of two. If a policy draws lots, it does so on its own: only one
    that does not makes moves that depend on the seed of the match alone.

    Parameters
    ----------
    policy
        From an observation, a dictionary with ``observation`` and ``action_mask``, to the number of
        a legal move.
    name
        What the record calls the player; the function's own name if None.

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
        raise InvalidInput(f"{policy!r} is no policy; expected a function from an observation")
    own = str(getattr(policy, "__name__", type(policy).__name__))
    return _PolicyPlayer(policy, name or ("policy" if own == "<lambda>" else own))


class _PolicyPlayer:
    """A policy in a seat."""

    def __init__(self, policy: Policy, name: str) -> None:
        self.policy = policy
        self.__name__ = name  # what a match calls a player that is a function
        self._encoding: Encoding | None = None

    def __call__(self, view: View, state: Any, seed: int) -> int:
        """Ask the policy for a move."""
        if self._encoding is None or self._encoding.view is not view:
            self._encoding = Encoding(view)
        number = self.policy(self._encoding.observation(state))
        try:
            return self._encoding.action(view.actions(state), number)
        except IllegalAction as error:
            raise IllegalAction(f"{self.__name__} chose a move: {error}") from None


def _ours(env: Any) -> Any:
    """The environment inside its wrappers."""
    raw = getattr(env, "unwrapped", env)
    if not all(hasattr(raw, name) for name in ("encoding", "episode", "possible_agents")):
        raise InvalidInput(
            f"{env} is no environment of ours; expected one of "
            "sizeup.adapters.pettingzoo_env.env(...)"
        )
    return raw
