"""What an agent is: a small protocol, and what crosses it.

A match asks whoever sits at it to ``choose`` where it is to move, and lets everybody ``observe``
every move. :class:`~sizeup.agents.agent.Agent` does so by search and belief, a file of your own
(:mod:`sizeup.agents.plugin`) however it likes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.capability import Beliefs, Sampled, UpdateRule
from sizeup.capability.energy import log
from sizeup.games.contract import View
from sizeup.search import SearchResult

if TYPE_CHECKING:
    from sizeup.agents.config import AgentConfig

Player: TypeAlias = Callable[[View, Any, int], int]
"""A player of one's own: a function from (game, state, seed) to a legal action."""


@dataclass(frozen=True, eq=False)
class Choice:
    """An action, how likely each legal one was, the search behind it and the agent's own note."""

    action: int
    actions: tuple[int, ...]
    distribution: NDArray[np.float64]
    search: SearchResult | None = None
    note: str = ""

    @classmethod
    def of(cls, action: int, actions: tuple[int, ...], note: str = "") -> Choice:
        """A choice that was bound to be this action."""
        return cls(action, actions, np.array([float(a == action) for a in actions]), note=note)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a move says about whoever made it.

    ``evidence`` is a surprise (or a loss) to each type, NaN where unknown or above the agent's own
    type, and ``none`` the surprise of a choice at random. If it comes from ``samples`` of what each
    type plays, ``played`` says in how many of them the type made this move, and ``noise`` is the
    variance of the evidence (rather too large for a cheap type that had more samples).
    """

    evidence: NDArray[np.float64]
    none: float
    noise: NDArray[np.float64]
    played: NDArray[np.float64] | None = None
    samples: int = 0

    @classmethod
    def of(
        cls, rule: UpdateRule, evidence: NDArray[np.float64], actions: int,
        played: NDArray[np.float64] | None = None, samples: int = 0,
    ) -> Evidence:  # fmt: skip
        """What evidence by a rule, on one of so many actions, is worth."""
        noise = np.zeros(len(evidence))
        if isinstance(rule, Sampled) and samples:
            noise = rule.noise(evidence, samples)
        return cls(evidence, float(log(np.array(float(actions)))), noise, played, samples)


@dataclass(frozen=True, eq=False)
class Observation:
    """What one move told an agent: evidence, and beliefs about the actor before and after.

    ``evidence``, ``played`` and ``samples`` are those of :class:`Evidence`; what ``before`` and
    ``after`` lack to 1 is the probability of none of the types, and ``error`` is the largest
    sampling error of ``after``.
    """

    actor: int
    evidence: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    played: NDArray[np.float64] | None = None
    samples: int = 0
    error: float = 0.0


class Seated(Protocol):
    """Whoever sits at a table."""

    @property
    def config(self) -> AgentConfig | None:
        """What kind of agent it is; None for a person or a function."""

    @property
    def name(self) -> str:
        """What a record calls it."""

    @property
    def types(self) -> tuple[int, ...]:
        """The types that it considers possible."""

    @property
    def is_adaptive(self) -> bool:
        """Whether it keeps beliefs that move."""

    @property
    def beliefs(self) -> Beliefs | None:
        """What it believes, if that can be carried to another match."""

    def choose(self, state: Any, seed: int) -> Choice:
        """Choose an action where it is to move."""

    def observe(self, state: Any, actor: int, action: int, seed: int) -> Observation | None:
        """Learn from a move; None if there was nothing to learn."""

    def probabilities(self) -> NDArray[np.float64]:
        """``(players, types)`` what it believes about everybody."""


class Outsider:
    """A person or a function in a seat: it learns nothing, and nothing is known of it.

    >>> first = Outsider(lambda view, state, seed: view.actions(state)[0], View.__new__(View))
    >>> first.name, first.is_adaptive
    ('function', False)
    """

    config = None
    types: tuple[int, ...] = ()
    is_adaptive = False
    beliefs = None

    def __init__(self, player: Player, view: View) -> None:
        self.player, self.view = player, view
        name = getattr(player, "__name__", type(player).__name__)
        self.name = "function" if name == "<lambda>" else str(name)

    def choose(self, state: Any, seed: int) -> Choice:
        """Ask for an action."""
        return Choice.of(self.player(self.view, state, seed), self.view.actions(state))

    def observe(self, state: Any, actor: int, action: int, seed: int) -> None:
        """Nothing."""

    def probabilities(self) -> NDArray[np.float64]:
        """Nothing."""
        return np.zeros((0, 0))
