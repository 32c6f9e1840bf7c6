"""An agent in a match: it chooses, and watches every move to learn who its teammates are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.agents.config import AgentConfig
from sizeup.agents.engine import ExactEngine, MakeSearcher, SearchEngine
from sizeup.agents.protocol import Choice, Evidence, Observation
from sizeup.capability import Beliefs, Sampled, TypeSet, public_beliefs
from sizeup.capability.arrays import check_player, whole
from sizeup.errors import IllegalAction, InfeasibleType, InvalidInput
from sizeup.games.contract import View
from sizeup.planning import Planner
from sizeup.search import Searcher


class Agent:
    """A player with a strategy.

    Parameters
    ----------
    config, view, player
        What kind of agent, the game, and the seat.
    types
        The types of the match, if the configuration does not name its own.
    truth
        True types of players, which only an oracle may see, and the weakest of which a public agent
        is told.
    planner, searcher
        An exact planner in place of the search; what makes a search that is shared or stopped.
    beliefs
        Beliefs from earlier games, to go on from.

    Examples
    --------
    >>> from sizeup.agents import read_agent
    >>> from sizeup.games import wall_of_fire
    >>> world = View(wall_of_fire)
    >>> expert = Agent(read_agent("ca:20@2,20"), world, player=0)
    >>> novice = Agent(read_agent("obl:2"), world, player=1, types=(2, 20))
    >>> state = world.start()
    >>> choice = expert.choose(state, seed=1)
    >>> world.action_text(state, choice.action)
    'E'
    >>> state, _ = world.apply(state, choice.action)
    >>> back = novice.choose(state, seed=1).action
    >>> seen = expert.observe(state, 1, back, seed=1)
    >>> world.action_text(state, back), seen.after.round(2)
    ('W', array([0.96, 0.03]))
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
        self.config, self.view = config, view
        self.player = int(check_player(player, len(view.teams)))
        self.team = [p for p, team in enumerate(view.teams) if team == view.teams[player]]
        self.name, self.is_adaptive = str(config), config.is_adaptive
        self._types, truth = TypeSet(chosen), self._told(truth)
        self.types = self._types.values
        self._require_known(truth)
        self._weakest = min([config.own, *(c for p, c in truth.items() if p in self.team)])
        self._engine: SearchEngine | ExactEngine | None = None
        if config.model != "random" and planner is not None:
            self._engine = ExactEngine(planner, view, self._types, config)
        elif config.model != "random":
            self._engine = SearchEngine(view, self._types, config, searcher)
        self.beliefs = self._first_beliefs(truth) if beliefs is None else beliefs
        self._last: Choice | None = None
        self._asked: Any = None  # the state of its last choice

    def __repr__(self) -> str:
        return f"<Agent {self.config} in seat {self.player} of {self.view.info.name}>"

    @property
    def beliefs(self) -> Beliefs:
        """What it believes; whatever is put here, an agent of this type must be able to hold."""
        return self._beliefs

    @beliefs.setter
    def beliefs(self, beliefs: Beliefs) -> None:
        self._beliefs = self._mine(beliefs)

    @property
    def temperature(self) -> Any:
        """Temperature at which beliefs are read."""
        return 1.0 if self._engine is None else self._engine.rule.temperature

    def probabilities(self) -> NDArray[np.float64]:
        """``(players, types)`` what it believes about everybody.

        What a row lacks to 1 is how likely the player is to be of none of the types.
        """
        return self.beliefs.probabilities(self.temperature)

    def choose(self, state: Any, seed: int) -> Choice:
        """Choose an action; a forced one needs no search."""
        actions = self.view.actions(state)
        if len(actions) == 1:
            self._last = Choice(actions[0], actions, np.ones(1))
        elif self._engine is None:
            drawn = int(np.random.default_rng(seed).integers(len(actions)))
            self._last = Choice(actions[drawn], actions, np.full(len(actions), 1 / len(actions)))
        else:
            minimise = self.config.model == "minimisers"
            beliefs = self.beliefs if self.config.model == "believed" else None
            if beliefs is not None and self.config.belief == "public":
                beliefs = public_beliefs(beliefs, self._weakest)
            self._last = self._engine.choose(state, beliefs, minimise, seed)
        self._asked = state
        return self._last

    def observe(self, state: Any, actor: int, action: int, seed: int) -> Observation | None:
        """Learn from a move; None if there was nothing to learn or nobody to learn about."""
        check_player(actor, len(self.view.teams))
        legal = self.view.actions(state)
        if action not in legal:
            raise IllegalAction(
                f"player {actor} cannot have made the move {action!r}; legal are {legal}"
            )
        forced = len(legal) < 2
        if self._engine is None or not self.is_adaptive or actor not in self.team or forced:
            return None
        told = self._watch(self._engine, state, actor, action, seed)
        before = self.probabilities()[actor]
        self.beliefs = self._after(actor, told)
        error = float(self.beliefs.standard_errors()[actor].max())
        return Observation(
            actor, told.evidence, before, self.probabilities()[actor],
            told.played, told.samples, error,
        )  # fmt: skip

    def recall(
        self, actor: int, evidence: NDArray[np.float64], actions: int, samples: int = 0
    ) -> None:
        """Learn again what it once learnt from a move, one of so many actions, without a search."""
        if self._engine is not None:
            whole(actions, "the number of actions", least=1)
            whole(samples, "the number of samples", least=0)
            told = Evidence.of(self._engine.rule, evidence, actions, samples=samples)
            self.beliefs = self._after(actor, told)

    def _after(self, actor: int, told: Evidence) -> Beliefs:
        """What it believes once it has been told something about a player."""
        held = self.beliefs.forget(self.config.forget)
        held = held.may_change(actor, self.config.change, self.temperature)
        return held.observe(actor, told.evidence, told.noise, told.none)

    def _watch(
        self, engine: SearchEngine | ExactEngine, state: Any, actor: int, action: int, seed: int
    ) -> Evidence:
        """What a move says, whoever made it: an own one is seen with the eyes of the others."""
        rule, held = engine.rule, None if self.config.update == "single" else self.beliefs
        if isinstance(engine, ExactEngine) or not isinstance(rule, Sampled):
            table, actions = self._table(engine, state, actor, held, seed), engine.actions(state)
            return Evidence.of(rule, rule.evidence(table, actions.index(action)), len(actions))

        def settled(told: Evidence) -> bool:
            return rule.settles(self._after(actor, told), actor, told.noise)

        agreed = self.config.common_seed
        return engine.sampled(rule, state, action, held, seed, None if agreed else settled)

    def _table(
        self, engine: SearchEngine | ExactEngine, state: Any, actor: int, held: Beliefs | None,
        seed: int,
    ) -> NDArray[np.float64]:  # fmt: skip
        """What the actor saw, if it was of each type."""
        search = self._last.search if self._last and self._asked is state else None
        mine = actor == self.player and search is not None and not self.config.common_seed
        if held is not None and mine and search is not None:
            rows = np.full((len(self.types), len(search.actions)), np.nan)
            rows[: len(search.types)] = search.shares  # its own search has the numbers already
            return rows
        return engine.table(state, held, seed)

    def _told(self, truth: Mapping[int, int] | None) -> Mapping[int, int]:
        """True types by player, if they are types and players."""
        if truth is not None and not isinstance(truth, Mapping):
            raise InvalidInput(f"true types are by player, such as {{1: 2}}, got {truth!r}")
        return {
            int(check_player(player, len(self.view.teams))): whole(c, "a true type", least=1)
            for player, c in (truth or {}).items()
        }

    def _require_known(self, truth: Mapping[int, int]) -> None:
        """Whoever is told what its teammates are must consider it possible."""
        if self.config.belief not in ("truth", "public"):
            return
        for mate in self.team:
            told = min(self.config.own, truth.get(mate, self.config.own))
            if told not in self.types:
                wanted = ",".join(map(str, sorted({*self.types, told})))
                raise InvalidInput(
                    f"{self.config} is told that a teammate is of type {told}, which is not among "
                    f"its types {self.types}; write {self.config.name}:{self.config.own}@{wanted}"
                )

    def _mine(self, beliefs: Beliefs) -> Beliefs:
        """Beliefs from elsewhere, if an agent of this type can hold them."""
        if not isinstance(beliefs, Beliefs):
            raise InvalidInput(f"{self.config} can hold Beliefs, got {beliefs!r}")
        if beliefs.types != self._types or beliefs.rank.ndim:
            raise InvalidInput(
                f"{self.config} considers the types {self.types}, but the given beliefs are over "
                f"{beliefs.types.values}; carry over the beliefs of one agent with the same types"
            )
        players, expected = beliefs.energy.shape[-2], max(2, len(self.view.teams))
        if players != expected:
            raise InvalidInput(
                f"{self.config} plays a game of {expected} players, but the given beliefs are "
                f"about {players}"
            )
        own = int(beliefs.own)
        if own != self.config.own:
            way_out = f"reduce them first, beliefs.reduce({self.config.own})"
            if own < self.config.own:
                way_out = f"they say nothing of types above {own}; start without beliefs"
            raise InfeasibleType(
                f"{self.config} cannot hold the beliefs of a player of type {own}: {way_out}"
            )
        return beliefs

    def _first_beliefs(self, truth: Mapping[int, int]) -> Beliefs:
        prior = self.config.prior if len(self.config.prior) == len(self._types) else None
        players, none = max(2, len(self.view.teams)), self._none_prior()
        beliefs = Beliefs.initial(self._types, self.config.own, players, prior, none)
        told = truth if self.config.belief == "truth" else {}
        for player in self.team if self.config.belief in ("truth", "equals") else ():
            known = min(self.config.own, told.get(player, self.config.own))
            beliefs = beliefs.condition(player, known)
        return beliefs

    def _none_prior(self) -> float:
        """How likely it thinks a player is like none of its types, where evidence can say so."""
        rule = None if self._engine is None else self._engine.rule
        likelihood = isinstance(rule, Sampled) or isinstance(self._engine, ExactEngine)
        if not (self.is_adaptive and likelihood):
            return 0.0
        return rule.none if isinstance(rule, Sampled) else Sampled().none
