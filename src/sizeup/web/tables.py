"""What a search saw in the moves before one was played: visits, values and losses by depth.

Taken from the record where it is there; searched again otherwise, or as a player of another depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.agents import Agent, AgentConfig
from sizeup.agents.engine import MakeSearcher
from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE
from sizeup.play.match import LOOKING_UP, OBSERVING, WATCHING, random_seed
from sizeup.search import SearchOptions, SearchResult
from sizeup.web.modest import require_modest
from sizeup.web.players import config_of
from sizeup.web.records import Opened
from sizeup.web.story import believer_about

__all__ = ["table_before"]

_REDUCED = SearchOptions(beyond="zero")  # beliefs are reduced to the type that is searched as


def table_before(
    opened: Opened, ply: int, as_type: int | None, searcher: MakeSearcher
) -> dict[str, Any]:
    """The table before a move, counted from 1.

    Parameters
    ----------
    opened
        The record.
    ply
        The number of the move.
    as_type
        Search as a player of this depth, with beliefs reduced to it.
    searcher
        Makes what is searched with.
    """
    if not 1 <= ply <= len(opened.record.moves):
        raise InvalidInput(f"the match has moves 1 to {len(opened.record.moves)}, got {ply}")
    found = _Before(opened, ply, searcher)
    if as_type is not None:
        table, reduced = found.as_type(as_type)
        return {"table": table, "source": "searched", "reduced": reduced}
    recorded = found.recorded()
    if recorded is not None or not found.is_choice:
        return {"table": recorded, "source": "recorded"}
    return {"table": found.searched(), "source": "searched"}


class _Before:
    """The moment before a move."""

    def __init__(self, opened: Opened, ply: int, searcher: MakeSearcher) -> None:
        self.ply, self.searcher = ply, searcher
        self.record, self.view, self.story = opened.record, opened.view, opened.story
        self.move, self.state = self.record.moves[ply - 1], opened.states[ply - 1]
        actions = self.view.actions(self.state)
        self.texts = [self.view.action_text(self.state, action) for action in actions]
        self.is_choice = self.move.player != CHANCE and len(actions) > 1

    def recorded(self) -> dict[str, Any] | None:
        """The table of the record; None if it has none that makes sense."""
        kept = self.move.search
        if kept is None:
            return None
        try:
            types = [int(c) for c in kept["types"]]
            visits = np.array(kept["visits"], dtype=np.int64)
            values = np.array(kept["values"], dtype=np.float64)  # None becomes NaN
            actions = list(kept["actions"])
        except (KeyError, TypeError, ValueError, OverflowError):
            return None
        shape = (len(types), len(self.texts))
        fits = actions == self.texts and visits.shape == values.shape == shape
        return self._table(types, visits, values) if fits and (visits >= 0).all() else None

    def searched(self) -> dict[str, Any] | None:
        """The table of the mover's own search, or of the search that sized a person up."""
        mover = self.move.player
        config = config_of(self.record.players[mover])
        if config is None:
            return self._watched()
        require_modest(self.view, config)
        if config.model == "random":
            return None
        if self._learns:
            known, rows = self._believed(mover)
            types = tuple(c for c in known if c <= config.own)
            return self._search(types, rows, config.options)
        return self._asked(config)

    def as_type(self, wanted: int) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
        """The table of a player of another depth, and what such a player believes."""
        known, rows = self._believed()
        if wanted not in known:
            raise InvalidInput(f"as_type is one of {list(known)}, got {wanted}")
        types = tuple(c for c in known if c <= wanted)
        reduced = None if rows is None else [_reduced(row, len(types)) for row in rows]
        watcher = None if self._learns else believer_about(self.story, self.move.player)
        seed = None if watcher is None else self._seed_of_watcher(watcher)
        table = self._search(types, reduced, _REDUCED, seed) if self.is_choice else None
        return table, self._told(types, reduced)

    @property
    def _learns(self) -> bool:
        """Whether the mover itself sizes others up."""
        return self.move.player in self.story.types and not self.story.observer

    def _watched(self) -> dict[str, Any] | None:
        """The table behind the sentence about a person's move: the search of whoever watched.

        With the same depths, beliefs and random numbers it is the same search.
        """
        types, rows = self._believed()
        watcher = believer_about(self.story, self.move.player)
        if watcher is None:
            return self._search(types, rows, _REDUCED)
        config = None if self.story.observer else config_of(self.record.players[watcher])
        feasible = tuple(c for c in types if config is None or c <= config.own)
        alone = config is not None and config.update == "single"
        seed = self._seed_of_watcher(watcher)
        return self._search(feasible, None if alone else rows, _REDUCED, seed)

    def _seed_of_watcher(self, watcher: int) -> int:
        """The random numbers that it searched with when the move was made."""
        seed, ply = self.record.seed, self.move.ply
        if self.story.observer:
            return random_seed(seed, ply, OBSERVING, watcher)
        return random_seed(seed, ply - 1, WATCHING, 1 + watcher)

    def _believed(self, believer: int | None = None) -> tuple[tuple[int, ...], Any]:
        """Depths and beliefs of a believer: the mover, or whoever sizes the mover up best.

        Without one, the depths of the match.
        """
        mover = self.move.player
        if believer is None:
            believer = mover if self._learns else believer_about(self.story, mover)
        if believer is None:
            return self.record.types or (2,), None
        return tuple(self.story.types[believer]), self.story.held[self.ply - 1][believer]

    def _search(
        self, types: tuple[int, ...], rows: Any, options: SearchOptions, seed: int | None = None
    ) -> dict[str, Any] | None:
        if not types:  # of a record whose agents know no depth up to their own
            return None
        require_modest(self.view, AgentConfig("ca", max(types), types=types))
        feasible = None if rows is None else [list(row)[: len(types)] for row in rows]
        held = None if feasible is None else dict(enumerate(map(np.asarray, feasible)))
        searcher = self.searcher(self.view, types, options)
        if seed is None:
            seed = self._seed(max(types))
        return self._of_search(searcher.search(self.state, beliefs=held, seed=seed))

    def _asked(self, config: AgentConfig) -> dict[str, Any] | None:
        """The search of an agent whose beliefs never move."""
        configs = {p: config_of(name) for p, name in enumerate(self.record.players)}
        truth = {p: c.own for p, c in configs.items() if c is not None and c.model != "random"}
        mover, types = self.move.player, self.record.types
        agent = Agent(config, self.view, mover, types, truth, searcher=self.searcher)
        found = agent.act(self.state, self._seed(0)).search
        return None if found is None else self._of_search(found)

    def _of_search(self, found: SearchResult) -> dict[str, Any]:
        return self._table(found.types, found.visits, found.values)

    def _table(
        self, types: Sequence[int], visits: NDArray[np.int64], values: NDArray[np.float64]
    ) -> dict[str, Any]:
        total = visits.sum(axis=1, keepdims=True)
        shares = np.divide(visits, total, out=np.zeros(visits.shape), where=total > 0)
        losses = shares.max(axis=1, keepdims=True) - shares
        return {
            "types": list(types),
            "actions": [
                {
                    "action": text,
                    "played": text == self._played,
                    "by_type": [
                        {
                            "visits": int(visits[rank, at]),
                            "share": float(shares[rank, at]),
                            "value": _finite(values[rank, at]),
                            "loss": float(losses[rank, at]),
                        }
                        for rank in range(len(types))
                    ],
                }
                for at, text in enumerate(self.texts)
            ],
        }

    @property
    def _played(self) -> str:
        action = self.view.action_from_text(self.state, self.move.action)
        return self.view.action_text(self.state, action)

    def _told(self, types: tuple[int, ...], rows: Any) -> list[dict[str, Any]]:
        mover, teams = self.move.player, self.view.teams
        if rows is None or mover == CHANCE:
            return []
        return [
            {"believer": mover, "about": mate, "types": list(types), "probabilities": rows[mate]}
            for mate in range(len(teams))
            if teams[mate] == teams[mover] and mate != mover
        ]

    def _seed(self, kind: int) -> int:
        return random_seed(self.record.seed, self.ply, LOOKING_UP, kind)


def _reduced(row: Sequence[float], count: int) -> list[float]:
    """A belief without the depths above some: what a player that cannot judge them believes."""
    kept = np.array(row[:count], dtype=np.float64)
    total = kept.sum()
    return list((kept / total if total > 0 else np.full(count, 1 / count)).tolist())


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
