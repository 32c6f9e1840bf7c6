"""A user's own project: everything that the documentation shows first, under a strict type checker.

It is type-checked against the installed package, and its examples run with the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

import sizeup
from sizeup.agents import AgentConfig, Seat, read_agent
from sizeup.capability import Beliefs, TypeSet, UpdateRule, assemble
from sizeup.errors import InvalidInput, SizeupError
from sizeup.games.contract import View
from sizeup.planning import Planner, corridors, play_episode
from sizeup.play import Move, Record, Table
from sizeup.play.words import sentence
from sizeup.search import Searcher, SearchOptions, SearchResult
from sizeup.statistics import Interval, block_interval


def first_legal(view: View, state: object, seed: int) -> int:
    """A player of one's own is a function.

    >>> whose_game(seed=1)
    1
    """
    return view.actions(state)[0]


def whose_game(seed: int) -> int | None:
    """Play a match; the module itself can be called."""
    quick: AgentConfig = replace(read_agent("obl:2"), options=SearchOptions(iterations=20))
    record: Record = sizeup.play("connect-four", [[first_legal], [quick]], seed=seed)
    return record.winner


def told(record: Record) -> list[str]:
    """A match in words, and a callback with a type."""
    moves: list[Move] = []

    def watch(table: Table, state: object, move: Move) -> None:
        moves.append(move)

    sizeup.play(record.game, [[name] for name in record.players], seed=record.seed, watch=watch)
    return [sentence(record, move) for move in moves]


def depth_of(record: Record, player: str) -> int:
    """How deep a player thinks."""
    return sizeup.infer([record], types=(2, 4))[player].likeliest


def most_visited(view: View, types: tuple[int, ...]) -> SearchResult:
    """What a search finds at the start."""
    return Searcher(view, types).search(view.start(), seed=1)


def found_at(text: str) -> int:
    """The same through the door: games, positions and searches.

    >>> found_at("......./......./......./x....../xo...../xo..o.. x")
    0
    """
    found: SearchResult = sizeup.search("connect-four", text, types=4)
    return found.action


def replayed(record: sizeup.Record) -> bool:
    """A record plays again; a match can be followed move by move.

    >>> replayed(sizeup.play("connect-four", ["obl:1", "random"], seed=1))
    True
    """
    match = sizeup.Match(sizeup.set_table(record.game, ["obl:1", "random"]), seed=record.seed)
    first: Move = match.step()
    return first == record.moves[0] and sizeup.play_again(record) == record


class Agent:
    """An agent of one's own, as in a file."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def choose(self, state: object, seed: int) -> int:
        """The most visited action."""
        return self.seat.search(state, seed).action


@dataclass(frozen=True)
class Stubborn:
    """An update rule of one's own fits the protocol.

    >>> reward_of(Stubborn())
    -10.0
    """

    temperature: float = 1.0

    def evidence(self, q: npt.ArrayLike, action: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Learn nothing from anything."""
        rows = np.asarray(q, dtype=np.float64)
        return np.where(np.isnan(rows).any(axis=-1), np.nan, 0.0)


def reward_of(rule: UpdateRule) -> float:
    """Plan exactly, with beliefs updated by a rule."""
    planner = Planner(corridors(players=2, lengths=(3,), prizes=(20.0,)), TypeSet((2, 6)))
    return play_episode(planner, own=(6, 2), turns=20, seed=1, rule=rule).total


def agreed(beliefs: list[Beliefs]) -> tuple[int, ...]:
    """Types of players whose beliefs form a structure."""
    return assemble(beliefs).own


def low_end(scores: Sequence[float]) -> float:
    """The interval of a mean score of seed blocks.

    >>> round(low_end([0.25, 0.5, 0.25, 0.5]), 2)
    -0.22
    """
    found: Interval = block_interval(scores)
    return found.low


def problem_of(agent: str) -> str:
    """An error that is raised on purpose.

    >>> problem_of("obl:2"), problem_of("expert")[:24]
    ('', "there is no agent 'exper")
    """
    try:
        read_agent(agent)
    except InvalidInput as error:
        caught: SizeupError = error
        return str(caught)
    return ""
