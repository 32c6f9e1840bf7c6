"""What an agent is: one small frozen configuration, written the way people would type it.

Two switches make all strategies: how teammates are modelled in the plan, and whether (and how)
beliefs about them are updated.
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from sizeup.errors import InvalidInput
from sizeup.search import SearchOptions

__all__ = ["STRATEGIES", "AgentConfig", "Belief", "Model", "Update", "read_agent"]

Model: TypeAlias = Literal["equals", "believed", "minimisers", "random"]
Belief: TypeAlias = Literal["none", "prior", "truth", "equals", "public"]
Update: TypeAlias = Literal["none", "multi", "single"]


def _require(condition: bool, problem: str) -> None:
    if not condition:
        raise InvalidInput(problem)


@dataclass(frozen=True)
class AgentConfig:
    """An agent.

    Parameters
    ----------
    name
        The strategy's name, as in :data:`STRATEGIES`.
    own
        The agent's own capability type.
    types
        The types it considers possible, its own among them; () for the types of all agents in the
        match.
    model
        Teammates are planned with as ``"equals"``, as types that are ``"believed"``, or as
        ``"minimisers"``; ``"random"`` does not plan.
    belief
        Where beliefs start: a common ``"prior"``, the ``"truth"``, fixed ``"equals"``, or the
        ``"public"`` part of what is inferred from a prior.
    update
        Beliefs are not updated, or with the actor modelled as capability-aware (``"multi"``) or as
        oblivious (``"single"``).
    prior
        Probability of each type; uniform if empty.
    temperature, clip
        Of the tempered update: how sharply losses tell types apart, and the most that one counts.
    forget
        Share of the evidence that is forgotten with each move, for partners that change.
    common_seed
        Whether everybody infers with the same random numbers, as if they had agreed on them;
        otherwise each player's inference has sampling noise of its own.
    options
        How to search.

    Examples
    --------
    >>> read_agent("ca:8@2,4,6,8").types
    (2, 4, 6, 8)
    >>> str(read_agent("obl:2"))
    'obl:2'
    """

    name: str
    own: int
    types: tuple[int, ...] = ()
    model: Model = "equals"
    belief: Belief = "none"
    update: Update = "none"
    prior: tuple[float, ...] = ()
    temperature: float = 0.1
    clip: float = 0.5
    forget: float = 0.0
    common_seed: bool = False
    options: SearchOptions = field(default_factory=SearchOptions)

    def __post_init__(self) -> None:
        _require(
            type(self.own) is int and self.own >= 1,
            f"an agent's type is 1 or more, got {self.own!r}",
        )
        for value, kind in ((self.model, Model), (self.belief, Belief), (self.update, Update)):
            _require(value in get_args(kind), f"{value!r} is not one of {get_args(kind)}")
        whole = all(type(c) is int and c >= 1 for c in self.types)
        _require(
            whole and sorted(set(self.types)) == list(self.types),
            f"types are whole numbers of 1 or more in ascending order, got {self.types}",
        )
        _require(
            not self.types or self.own in self.types,
            f"{self.own} is not among the types {self.types}; write it as in ca:{self.own}@2,"
            f"{self.own}",
        )
        _require(
            not self.prior or len(self.prior) == len(self.types),
            f"a prior has one probability for each of the types {self.types}, got {self.prior}",
        )
        for name in ("temperature", "clip"):
            value = getattr(self, name)
            _require(
                isinstance(value, (int, float)) and 0 < value < math.inf,
                f"{name} must be above 0, got {value!r}",
            )
        _require(
            isinstance(self.forget, (int, float)) and 0 <= self.forget < 1,
            f"forget is a share of at least 0 and below 1, got {self.forget!r}",
        )

    def __str__(self) -> str:
        if self.model == "random":
            return self.name
        listed = ",".join(map(str, self.types))
        return f"{self.name}:{self.own}" + (f"@{listed}" if listed else "")

    @property
    def is_adaptive(self) -> bool:
        """Whether its beliefs move."""
        return self.update != "none"


STRATEGIES: dict[str, AgentConfig] = {
    "obl": AgentConfig("obl", 1),
    "ca": AgentConfig("ca", 1, model="believed", belief="prior", update="multi"),
    "ma": AgentConfig("ma", 1, model="believed", belief="prior", update="multi"),
    "sa": AgentConfig("sa", 1, model="believed", belief="prior", update="single"),
    "ora": AgentConfig("ora", 1, model="believed", belief="truth"),
    "nu": AgentConfig("nu", 1, model="believed", belief="prior"),
    "eq": AgentConfig("eq", 1, model="believed", belief="equals"),
    "public": AgentConfig("public", 1, model="believed", belief="public", update="multi"),
    "min": AgentConfig("min", 1, model="minimisers"),
    "random": AgentConfig("random", 1, model="random"),
}
"""The strategies by name: oblivious, capability-aware, a member of a multi-agent team (the same
thing), single-agent adaptive, oracle, no-update, equal (a control), public agent, minimiser,
random."""


def read_agent(text: str, options: SearchOptions | None = None) -> AgentConfig:
    """Read an agent such as ``ca:8``, ``obl:2`` or ``ca:8@2,4,6,8``.

    >>> read_agent("oblivious:8")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: there is no agent 'oblivious'; did you mean 'obl'? Agents are obl,
    ca, ma, sa, ora, nu, eq, public, min, random
    """
    match = re.fullmatch(r"\s*([A-Za-z]+)(?::(\d+)(?:@(\d+(?:,\d+)*))?)?\s*", str(text))
    if match is None:
        raise InvalidInput(
            f"{text!r} is no agent; expected a strategy and its type, such as ca:8, obl:2 or "
            "ca:8@2,4,6,8"
        )
    name, own, types = match[1].lower(), match[2], match[3]
    if name not in STRATEGIES:
        close = difflib.get_close_matches(name, STRATEGIES, n=1, cutoff=0.3)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise InvalidInput(f"there is no agent {name!r}{hint} Agents are {', '.join(STRATEGIES)}")
    if own is None and name != "random":
        raise InvalidInput(f"{text!r} has no type; write {name}:8 for one that looks 8 moves ahead")
    return replace(
        STRATEGIES[name],
        own=int(own or 1),
        types=tuple(sorted({int(c) for c in types.split(",")})) if types else (),
        options=options or SearchOptions(),
    )
