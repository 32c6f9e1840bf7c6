"""Where an agent's numbers come from: a tree search, or the exact planner for small games.

Both answer two questions about a state in which a player acts: which action to take (``choose``),
given how teammates are modelled: as equals, if there are no beliefs; and what the actor would see
in each action if it were of each type (``table``, of shape ``(types, actions)``), as oblivious
without beliefs. A search also counts what such actors play (``counts``). Rows of types above the
agent's own are NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.agents.config import AgentConfig
from sizeup.agents.protocol import Choice, Evidence
from sizeup.capability import Beliefs, Exact, Sampled, TypeSet, UpdateRule
from sizeup.capability.updates import surprise
from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.planning import Planner
from sizeup.search import Searcher, SearchOptions, SearchResult
from sizeup.search.replicas import CountsChoices, Replicas
from sizeup.search.schedule import phases

# Of the samples of one move: 16 of a player that looks 20 ahead, or 64 of one that looks 8.
_MOST_ITERATIONS = 700_000

Odds = Mapping[int, NDArray[np.float64]]
"""Probabilities of each type, for each teammate."""


class Searches(CountsChoices, Protocol):
    """What the search engine needs of a :class:`~sizeup.search.Searcher`."""

    view: View

    def search(
        self, state: Any, *, beliefs: Odds | None = None, minimise: bool = False, seed: int = 0
    ) -> SearchResult:
        """Plan for the player who acts in a state."""


MakeSearcher: TypeAlias = Callable[[View, tuple[int, ...], SearchOptions], Searches]
"""A searcher of a game, for types and options."""


class SearchEngine:
    """Tree search: what a type sees in an action is its share of visits."""

    def __init__(
        self, view: View, types: TypeSet, config: AgentConfig, searcher: MakeSearcher = Searcher
    ) -> None:
        self.types, self.options, self.rule = types, config.options, config.update_rule()
        self._feasible = tuple(c for c in types if c <= config.own)
        self._tops_up = config.top_up
        self._searcher, self._plan = searcher, searcher(view, self._feasible, config.options)
        self._replicas = Replicas(view, lambda view: searcher(view, self._feasible, self.options))

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
        return self._with_unknown(found.shares)

    def sampled(
        self, rule: Sampled, state: Any, action: int, beliefs: Beliefs | None, seed: int,
        settled: Callable[[Evidence], bool] | None = None,
    ) -> Evidence:  # fmt: skip
        """What an action says by the sampled rule, from as many samples as it takes to settle.

        Without ``settled`` everybody is to come to the same evidence: their samples are as many as
        agreed, and a type's chance is read off its own samples alone, which all can make who are
        strong enough.

        A type that is not seen to take the action counts the more against itself, the more often
        it was asked. Cheap types are then asked at once as often as any type ever is, before what
        dear ones do says that it is enough (``top_up`` of the configuration).
        """
        actions = self.actions(state)
        chances = rule.chances if settled is None else rule.pooled_chances
        counts, drawn, at = np.zeros(()), 0, actions.index(action)
        looks, most, cheap = [rule.agreed], rule.looks[-1], []
        if settled is not None:
            looks = self._affordable(rule, beliefs is not None)
            cheap = self._cheap(most) if self._tops_up else []
        topped: dict[int, NDArray[np.float64]] = {}
        for samples in looks:
            counts = counts + self.counts(state, beliefs, seed, range(drawn, samples))
            missed = [c for c in cheap if c not in topped and counts[c, at] == 0]
            for rank in missed if samples < most else ():
                more = self._row(rank, state, beliefs, seed, range(samples, most))
                topped[rank] = counts[rank] + more
            rows = np.array([topped.get(rank, row) for rank, row in enumerate(counts)])
            evidence, drawn = surprise(chances(rows, at)), samples
            told = Evidence.of(rule, evidence, len(actions), counts[:, at], samples)
            if settled is None or settled(told):
                break
        return told

    def _affordable(self, rule: Sampled, is_aware: bool) -> list[int]:
        """After how many samples to look; where searches take long there are fewer.

        What a sample costs is told by its iterations, and by no clock: those of the strongest
        type's pass, or of every type's own if the actor is modelled as aware.
        """
        ranks = range(len(self._feasible)) if is_aware else (len(self._feasible) - 1,)
        cost = sum(map(self._cost, ranks))
        first, *more = rule.looks
        most = rule.patience * _MOST_ITERATIONS
        return [first, *(samples for samples in more if samples * cost <= most)]

    def _cost(self, rank: int) -> int:
        """Iterations of the search of the type of a rank."""
        return sum(phase.iterations for phase in phases(self._feasible, rank, self.options))

    def _cheap(self, samples: int) -> list[int]:
        """Ranks of which so many searches take no longer than one of the strongest type's."""
        *weaker, own = map(self._cost, range(len(self._feasible)))
        return [rank for rank, cost in enumerate(weaker) if samples * cost <= own]

    def counts(
        self, state: Any, beliefs: Beliefs | None, seed: int, samples: range
    ) -> NDArray[np.float64]:
        """How many of some samples of each type play each action.

        Every sample is the whole search of such a player, as :meth:`choose` makes it: with the
        beliefs of its type, and random numbers of its own.
        """
        plans: dict[int, Odds | None] = {self._feasible[-1]: None}  # it passes through all types
        if beliefs is not None:
            self._require_mine(beliefs)
            plans = {c: self._odds(beliefs.reduce(c)) for c in self._feasible}
        return self._with_unknown(self._replicas.count(state, _seeds(seed, samples), plans))

    def _row(
        self, rank: int, state: Any, beliefs: Beliefs | None, seed: int, samples: range
    ) -> NDArray[np.float64]:
        """How many of some samples of one type play each action: its row of :meth:`counts`."""
        own = self._feasible[rank]
        held = None if beliefs is None else self._odds(beliefs.reduce(own))
        found = self._replicas.count(state, _seeds(seed, samples), {own: held})
        return np.asarray(found[-1])

    def _with_unknown(self, feasible: NDArray[np.float64]) -> NDArray[np.float64]:
        """A table with rows for all types, NaN for those that it cannot evaluate."""
        rows = np.full((len(self.types), feasible.shape[1]), np.nan)
        rows[: len(feasible)] = feasible
        return rows

    def _odds(self, beliefs: Beliefs | None) -> Odds | None:
        if beliefs is None:
            return None
        self._require_mine(beliefs)
        odds = beliefs.to_plan_with(self.rule.temperature)
        return dict(enumerate(odds[:, : len(self._feasible)]))

    def _require_mine(self, beliefs: Beliefs) -> None:
        """Beliefs over these types, which a player of the own type or of a weaker one can hold."""
        if beliefs.types != self.types:
            raise InvalidInput(
                f"the types here are {self.types.values}, but the beliefs are over "
                f"{beliefs.types.values}"
            )
        self.types.require_feasible(int(beliefs.own), self._feasible[-1], "planning on a belief")


def _seeds(seed: int, samples: range) -> list[int]:
    return [_sample_seed(seed, number) for number in samples]


def _sample_seed(seed: int, number: int) -> int:
    sequence = np.random.SeedSequence(seed, spawn_key=(number,))
    return int(sequence.generate_state(1, np.uint64)[0])


class ExactEngine:
    """The exact planner: no noise, so beliefs are updated by the exact rule."""

    def __init__(self, planner: Planner, view: View, types: TypeSet, config: AgentConfig) -> None:
        if not isinstance(planner, Planner):
            raise InvalidInput(f"{config} needs a Planner to plan exactly, got {planner!r}")
        if planner.game.teams != tuple(view.teams):
            raise InvalidInput(
                f"{config} sits at {view.info.name} with teams {tuple(view.teams)}, but its "
                f"planner is of a game with teams {planner.game.teams}"
            )
        if planner.types != types:
            raise InvalidInput(
                f"{config} considers the types {types.values}, but its planner was made for "
                f"{planner.types.values}"
            )
        self.planner, self.own = planner, config.own
        self.rule: UpdateRule = Exact(planner.tie_tolerance)
        self._index = {name: at for at, name in enumerate(planner.game.state_names)}

    def _at(self, state: Any) -> int:
        """Number of a state in the planner's game."""
        if state not in self._index:
            raise InvalidInput(f"{state!r} is no state of the game that the planner has solved")
        return self._index[state]

    def actions(self, state: Any) -> tuple[Any, ...]:
        """In the planner's order: that in which it met them, whatever the game's."""
        game = self.planner.game
        return tuple(game.action_names[a] for a in game.legal_actions(self._at(state)))

    def choose(self, state: Any, beliefs: Beliefs | None, minimise: bool, seed: int) -> Choice:
        """Play greedily, ties at random."""
        at, actions = self._at(state), self.actions(state)
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
        at = self._at(state)
        if beliefs is not None:
            return self.planner.table(at, beliefs, self.rule.temperature)
        nothing = np.full(len(self.planner.game.legal_actions(at)), np.nan)
        types = self.planner.types
        rows = [self.planner.oblivious(at, c) if c <= self.own else nothing for c in types]
        return np.array(rows)
