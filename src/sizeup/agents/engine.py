"""Where an agent's numbers come from: a tree search, or the exact planner for small games.

Both answer two questions about a state in which a player acts: which action to take (``choose``),
given how teammates are modelled: as equals, if there are no beliefs; and what the actor would see
in each action if it were of each type (``table``, of shape ``(types, actions)``), as oblivious
without beliefs. Rows of types above the agent's own are NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.agents.config import AgentConfig
from sizeup.agents.protocol import Choice
from sizeup.capability import Beliefs, Exact, TypeSet, UpdateRule
from sizeup.games.contract import View
from sizeup.planning import Planner
from sizeup.search import Searcher, SearchOptions, SearchResult

Odds = Mapping[int, NDArray[np.float64]]
"""Probabilities of each type, for each teammate."""


class Searches(Protocol):
    """What the search engine needs of a :class:`~sizeup.search.Searcher`."""

    view: View

    def search(
        self, state: Any, *, beliefs: Odds | None = None, minimise: bool = False, seed: int = 0
    ) -> SearchResult:
        """Plan for the player who acts in a state."""


MakeSearcher: TypeAlias = Callable[[View, tuple[int, ...], SearchOptions], Searches]
"""A searcher of a game, for types and options."""


class SearchEngine:
    """Tree search: the share of visits says what a type sees in an action."""

    def __init__(
        self, view: View, types: TypeSet, config: AgentConfig, searcher: MakeSearcher = Searcher
    ) -> None:
        self.types, self.options, self.rule = types, config.options, config.update_rule()
        self._feasible = tuple(c for c in types if c <= config.own)
        self._searcher, self._plan = searcher, searcher(view, self._feasible, config.options)

    @cached_property
    def _infer(self) -> Searches:
        """What it infers with; many an agent never does."""
        # Whoever is inferred about holds its beliefs reduced to the type it is tried as.
        options = replace(self.options, beyond="zero")
        return self._searcher(self._plan.view, self._feasible, options)

    def actions(self, state: Any) -> tuple[Any, ...]:
        """Legal actions in the game's order, which is that of the table's columns."""
        return self._plan.view.actions(state)

    def choose(self, state: Any, beliefs: Beliefs | None, minimise: bool, seed: int) -> Choice:
        """Search; play the most visited action."""
        found = self._plan.search(state, beliefs=self._odds(beliefs), minimise=minimise, seed=seed)
        return Choice(found.action, found.actions, found.shares[-1], found)

    def table(self, state: Any, beliefs: Beliefs | None, seed: int) -> NDArray[np.float64]:
        """Shares of visits of each type, from one pass."""
        found = self._infer.search(state, beliefs=self._odds(beliefs), seed=seed)
        rows = np.full((len(self.types), len(found.actions)), np.nan)
        rows[: len(found.types)] = found.shares
        return rows

    def _odds(self, beliefs: Beliefs | None) -> Odds | None:
        if beliefs is None:
            return None
        feasible = beliefs.probabilities(self.rule.temperature)[:, : int(beliefs.rank) + 1]
        return dict(enumerate(feasible))


class ExactEngine:
    """The exact planner: no noise, so beliefs are updated by the exact rule."""

    def __init__(self, planner: Planner, config: AgentConfig) -> None:
        self.planner, self.own = planner, config.own
        self.rule: UpdateRule = Exact(planner.tie_tolerance)
        self._index = {name: at for at, name in enumerate(planner.game.state_names)}

    def actions(self, state: Any) -> tuple[Any, ...]:
        """In the planner's order: that in which it met them, whatever the game's."""
        game = self.planner.game
        return tuple(game.action_names[a] for a in game.legal_actions(self._index[state]))

    def choose(self, state: Any, beliefs: Beliefs | None, minimise: bool, seed: int) -> Choice:
        """Play greedily, ties at random."""
        at, actions = self._index[state], self.actions(state)
        if minimise:
            values = self.planner.minimizer(at, self.own)
        elif beliefs is None:
            values = self.planner.oblivious(at, self.own)
        else:
            values = self.planner.q(at, beliefs, self.own, self.rule.temperature)
        greedy = self.planner.greedy(values)
        drawn = np.random.default_rng(seed).choice(len(actions), p=greedy)
        return Choice(actions[drawn], actions, greedy)

    def table(self, state: Any, beliefs: Beliefs | None, seed: int) -> NDArray[np.float64]:
        """Values to each type."""
        at = self._index[state]
        if beliefs is not None:
            return self.planner.table(at, beliefs, self.rule.temperature)
        nothing = np.full(len(self.planner.game.legal_actions(at)), np.nan)
        types = self.planner.types
        rows = [self.planner.oblivious(at, c) if c <= self.own else nothing for c in types]
        return np.array(rows)
