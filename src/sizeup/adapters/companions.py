"""An agent of ours in an environment of others: it moves when asked, and catches up on the rest."""

from __future__ import annotations

from dataclasses import replace

from sizeup.adapters.episode import Episode, Step
from sizeup.agents import Agent, AgentConfig
from sizeup.play.match import ACTING, WATCHING, random_seed

__all__ = ["Companion", "among_strangers"]


class Companion:
    """An agent that follows one game.

    It looks at the moves since it was last asked before it moves again: what it then believes is
    what it would believe if it had watched each of them at once.

    Parameters
    ----------
    agent
        Who sits there.
    episode
        The game it follows.
    seed
        What its searches draw from, as in a match of that seed.
    """

    def __init__(self, agent: Agent, episode: Episode, seed: int) -> None:
        self.agent, self.episode, self.seed = agent, episode, seed
        self._seen = 0
        self._chose = -1

    def choose(self) -> int:
        """Its move, for the state that the game is in."""
        self.catch_up()
        self._chose = len(self.episode.steps)
        seed = random_seed(self.seed, self.episode.plies, ACTING, self.agent.player)
        return self.agent.act(self.episode.state, seed).action

    def catch_up(self) -> None:
        """Learn from the moves that it has not seen yet."""
        for number in range(self._seen, len(self.episode.steps)):
            step = self.episode.steps[number]
            # Its own search tells of a move of its own; it has none if it was not asked for one.
            if step.actor != self.agent.player or number == self._chose:
                self.agent.observe(step.state, step.actor, step.action, self._watching(step))
        self._seen = len(self.episode.steps)

    def _watching(self, step: Step) -> int:
        who = 0 if self.agent.config.common_seed else 1 + self.agent.player
        return random_seed(self.seed, step.ply, WATCHING, who)


def among_strangers(config: AgentConfig, known: tuple[int, ...] = ()) -> AgentConfig:
    """An agent that knows which types to consider where nobody tells it who is there.

    One that lists none, and has use for them, considers its own depth, halved again and again, and
    those that are known.

    >>> from sizeup.agents import read_agent
    >>> print(among_strangers(read_agent("ca:8")), among_strangers(read_agent("sa:6@2,6")))
    ca:8@1,2,4,8 sa:6@2,6
    """
    if config.types or config.model != "believed":
        return config
    halves = {config.own >> times for times in range(config.own.bit_length())}
    return replace(config, types=tuple(sorted({*halves, *known})))
