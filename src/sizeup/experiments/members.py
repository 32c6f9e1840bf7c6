"""Members of a team as an experiment writes them, also such as become another during a game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sizeup.agents import Agent, AgentConfig, read_agent
from sizeup.agents.config import BASELINES, PUBLISHED
from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.search import SearchOptions

SETTINGS = (
    "rule", "accuracy", "top_up", "temperature", "clip", "forget", "change", "prior", "common_seed",
)  # fmt: skip
"""What can be set for agents that plan on beliefs."""

PERSON = "person"
"""A member of a team that is no agent: somebody who plays in a study."""

_CHANGE = re.compile(r"\s*(\S+)\s+until\s+(\d+)\s+then\s+(\S+)\s*")


@dataclass(frozen=True)
class Member:
    """A member of a team: one agent, or another one once the team has made ``until`` moves."""

    first: AgentConfig
    until: int = 0
    then: AgentConfig | None = None

    def __str__(self) -> str:
        if self.then is None:
            return str(self.first)
        return f"{self.first} until {self.until} then {self.then}"

    @property
    def configs(self) -> tuple[AgentConfig, ...]:
        """All that it is during a game."""
        return (self.first,) if self.then is None else (self.first, self.then)

    def at(self, moves: int) -> AgentConfig:
        """What it is when its team has made so many moves."""
        return self.first if self.then is None or moves < self.until else self.then

    def depth(self, moves: int) -> int | None:
        """How deep it looks then; None for one that does not plan."""
        return self.at(moves).depth


def read_member(
    text: str,
    types: Sequence[int] = (),
    agents: Mapping[str, Any] | None = None,
    search: Mapping[str, Any] | None = None,
    folder: str = "",
) -> Member:
    """Read a member: ``ca:8``, ``random``, ``my_agent.py:4``, ``obl:2 until 10 then obl:8``.

    A ``person`` cannot be asked for moves: see :func:`~sizeup.experiments.worker.seated`.

    ``types``, if it names none of its own, and ``agents`` (see :data:`SETTINGS`) are for a member
    that plans on beliefs; files of agents are also looked for in ``folder``. Settings without a
    rule mean the published one, and without ``top_up`` there is none: they are those of a stored
    game, and there was no other when the first games were stored.
    """
    try:
        options = SearchOptions(**(search or {}))
    except TypeError as error:  # what a file names is checked before; a stored game may be damaged
        raise InvalidInput(f"options of the search: {error}") from None
    if text == PERSON:
        return Member(AgentConfig(PERSON, 1, model="random", untyped=True))
    change = _CHANGE.fullmatch(text)
    if change is None:
        return Member(_configured(text, types, agents or {}, options, folder))
    first, then = (_configured(change[i], types, agents or {}, options, folder) for i in (1, 3))
    until = int(change[2])
    if first.is_adaptive or then.is_adaptive:
        raise InvalidInput(
            f"{text!r}: an agent that updates its beliefs cannot become another one; expected "
            "agents such as obl:2"
        )
    if until < 1:
        raise InvalidInput(f"{text!r}: expected a change after 1 move of the team or more")
    return Member(first, until, then)


def _configured(
    text: str, types: Sequence[int], agents: Mapping[str, Any], options: SearchOptions, folder: str
) -> AgentConfig:
    config = read_agent(text, options, folder)
    if config.untyped and config.name in BASELINES:
        raise InvalidInput(f"{text!r} has no type; write it after its name, as in {text}:4")
    if config.model == "plugin":
        return replace(config, types=config.types or tuple(types))
    if config.model != "believed":
        return config
    settings: dict[str, Any] = {"rule": PUBLISHED, "top_up": False} | {
        name: tuple(value) if isinstance(value, list) else value for name, value in agents.items()
    }
    return replace(config, types=config.types or tuple(types), **settings)


class Stint(NamedTuple):
    """What a player is from its team's move ``start`` (counted from 0), and the truth then."""

    start: int
    config: AgentConfig
    truth: Mapping[int, int]


class Changing:
    """A player that is another agent, or an oracle that is told another truth, as a game goes on.

    It sits in seat ``player``, at a ``place`` in the order of its team of this ``size``; the first
    of its ``phases`` starts at move 0.
    """

    def __init__(
        self, name: str, phases: Sequence[Stint], player: int, place: int, size: int,
        types: tuple[int, ...],
    ) -> None:  # fmt: skip
        self.__name__ = name  # what a match calls a player that is a function
        self._phases, self._player, self._types = tuple(phases), player, types
        self._moves, self._size = place, size  # the team's moves when it is this member's turn
        self._agents: dict[int, Agent] = {}

    @property
    def phase(self) -> int:
        """Which of its phases it is in."""
        return max(i for i, phase in enumerate(self._phases) if phase.start <= self._moves)

    def __call__(self, view: View, state: Any, seed: int) -> int:
        """Act as the agent that it is now."""
        number = self.phase
        if number not in self._agents:
            _, config, truth = self._phases[number]
            self._agents[number] = Agent(config, view, self._player, self._types, truth)
        self._moves += self._size
        return self._agents[number].choose(state, seed).action
