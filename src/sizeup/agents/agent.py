"""An agent in a match: it acts, and watches every move to learn who its teammates are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.agents.config import AgentConfig
from sizeup.agents.engine import Choice, Engine, ExactEngine, MakeSearcher, SearchEngine
from sizeup.capability import Beliefs, TypeSet, public_beliefs
from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.planning import Planner
from sizeup.search import Searcher

__all__ = ["Agent", "Observation"]

_MISFIT = 0.25
"""Mean loss in the eyes of the type that explains a player best, above which no type does."""


@dataclass(frozen=True, eq=False)
class Observation:
    """What one move told an agent.

    ``evidence`` is the loss (or surprise) in the eyes of each type, NaN above the agent's own;
    ``before`` and ``after`` are its beliefs about the actor.
    """

    actor: int
    evidence: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]


class Agent:
    """A player with a strategy.

    Parameters
    ----------
    config
        What kind of agent.
    view
        The game.
    player
        Which seat it has.
    types
        The types of the match, if the configuration does not name its own.
    truth
        True types of players, which only an oracle may see, and the weakest of which a public agent
        is told.
    planner
        An exact planner in place of the search.
    beliefs
        Beliefs from earlier games, to go on from.
    searcher
        Makes what it searches with, if that is to be shared or stopped.

    Examples
    --------
    >>> from sizeup.agents import read_agent
    >>> from sizeup.games import wall_of_fire
    >>> world = View(wall_of_fire)
    >>> expert = Agent(read_agent("ca:20@2,20"), world, player=0)
    >>> novice = Agent(read_agent("obl:2"), world, player=1, types=(2, 20))
    >>> state = world.start()
    >>> choice = expert.act(state, seed=1)
    >>> world.action_text(state, choice.action)
    'E'
    >>> state, _ = world.apply(state, choice.action)
    >>> back = novice.act(state, seed=1).action
    >>> seen = expert.observe(state, 1, back, seed=1)
    >>> world.action_text(state, back), seen.after.round(2)
    ('W', array([0.99, 0.01]))
    """

    def __init__(
        self,
        config: AgentConfig,
        view: View,
        player: int,
        types: tuple[int, ...] = (),
        truth: Mapping[int, int] | None = None,
        planner: Planner | None = None,
        beliefs: Beliefs | None = None,
        searcher: MakeSearcher = Searcher,
    ) -> None:
        chosen = config.types or types or (config.own,)
        if config.model == "random":
            chosen = (config.own,)  # it has no type, and nobody asks
        if config.own not in chosen:
            raise InvalidInput(f"{config} looks {config.own} ahead, which is not among {chosen}")
        self.config, self.view, self.player = config, view, player
        self.types = TypeSet(chosen)
        self.team = [p for p, team in enumerate(view.teams) if team == view.teams[player]]
        self._weakest = min([c for p, c in (truth or {}).items() if p in self.team] or [config.own])
        self._engine: Engine | None = None
        if config.model != "random":
            self._engine = (
                SearchEngine(view, self.types, config, searcher)
                if planner is None
                else ExactEngine(planner, config)
            )
        self.beliefs = self._first_beliefs(truth or {}) if beliefs is None else beliefs
        self._last: Choice | None = None
        self._fits: dict[int, list[float]] = {p: [] for p in self.team}

    @property
    def temperature(self) -> Any:
        """Temperature at which beliefs are read."""
        return 1.0 if self._engine is None else self._engine.rule.temperature

    def probabilities(self) -> NDArray[np.float64]:
        """``(players, types)`` what it believes about everybody."""
        return self.beliefs.probabilities(self.temperature)

    def act(self, state: Any, seed: int) -> Choice:
        """Choose an action; a forced one needs no search."""
        actions = self.view.actions(state)
        if len(actions) == 1:
            self._last = Choice(actions[0], actions, np.ones(1))
        elif self._engine is None:
            drawn = int(np.random.default_rng(seed).integers(len(actions)))
            self._last = Choice(actions[drawn], actions, np.full(len(actions), 1 / len(actions)))
        else:
            minimise = self.config.model == "minimisers"
            beliefs = self._planned_on() if self.config.model == "believed" else None
            self._last = self._engine.choose(state, beliefs, minimise, seed)
        return self._last

    def observe(self, state: Any, actor: int, action: int, seed: int) -> Observation | None:
        """Learn from a move; None if there was nothing to learn or nobody to learn about."""
        actions = self.view.actions(state)
        if not self.config.is_adaptive or actor not in self.team or len(actions) < 2:
            return None
        assert self._engine is not None  # what is adaptive plans
        table = self._table(state, actor, seed)
        evidence = self._engine.rule.evidence(table, self._engine.actions(state).index(action))
        before = self.probabilities()[actor]
        self.beliefs = _forgetting(self.beliefs, self.config.forget).observe(actor, evidence)
        self._fits[actor].append(float(np.nanmin(evidence)))
        return Observation(actor, evidence, before, self.probabilities()[actor])

    def fits_no_type(self, player: int) -> bool:
        """Whether a player's moves look bad to every type: stronger than this agent, or odd."""
        if bool(self.beliefs.stronger_than_me()[player]):
            return True
        seen = self._fits.get(player, [])
        return len(seen) >= 3 and float(np.mean(seen)) > _MISFIT

    def _table(self, state: Any, actor: int, seed: int) -> NDArray[np.float64]:
        """What the actor saw, if it was of each type."""
        assert self._engine is not None
        if self.config.update == "single":
            return self._engine.table(state, None, seed)
        search = None if self._last is None else self._last.search
        if actor == self.player and search is not None and not self.config.common_seed:
            rows = np.full((len(self.types), len(search.actions)), np.nan)
            rows[: len(search.types)] = search.shares  # its own search has the numbers already
            return rows
        return self._engine.table(state, self.beliefs, seed)

    def _planned_on(self) -> Beliefs:
        if self.config.belief == "public":
            return public_beliefs(self.beliefs, self._weakest)
        return self.beliefs

    def _first_beliefs(self, truth: Mapping[int, int]) -> Beliefs:
        prior = self.config.prior or None
        beliefs = Beliefs.initial(self.types, self.config.own, max(2, len(self.view.teams)), prior)
        if self.config.belief in ("truth", "equals"):
            for player in self.team:
                known = (
                    truth.get(player, self.config.own)
                    if self.config.belief == "truth"
                    else self.config.own
                )
                beliefs = beliefs.condition(player, min(self.config.own, known))
        return beliefs


def _forgetting(beliefs: Beliefs, rate: float) -> Beliefs:
    """Beliefs that have lost some of their evidence."""
    if rate == 0:
        return beliefs
    return replace(beliefs, energy=beliefs.energy * (1.0 - rate))
