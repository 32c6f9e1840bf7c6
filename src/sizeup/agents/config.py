"""What an agent is: one small frozen configuration, written the way people would type it.

Two switches make all strategies: how teammates are modelled in the plan, and whether (and how)
beliefs about them are updated.
"""

from __future__ import annotations

import difflib
import importlib
import math
import re
import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from sizeup import capability
from sizeup.capability import Sampled, Tempered, UpdateRule
from sizeup.capability.arrays import require
from sizeup.errors import InvalidInput
from sizeup.search import SearchOptions

Model: TypeAlias = Literal["equals", "believed", "minimisers", "random", "plugin"]
BeliefKind: TypeAlias = Literal["none", "prior", "truth", "equals", "public"]
Update: TypeAlias = Literal["none", "multi", "single"]

SAMPLED, PUBLISHED, RELATIVE = "sampled", "published", "relative"


def _are_odds(prior: tuple[Any, ...]) -> bool:
    numbers = all(isinstance(p, (int, float)) and p >= 0 for p in prior)
    return numbers and math.isclose(sum(prior), 1, abs_tol=1e-9)


@dataclass(frozen=True)
class AgentConfig:
    """An agent.

    Parameters
    ----------
    name, own
        The strategy's name, as in :data:`STRATEGIES`, and the agent's own capability type.
    types
        The types it considers possible, its own among them; () for the types of all agents in the
        match.
    model
        Teammates are planned with as ``"equals"``, as types that are ``"believed"``, or as
        ``"minimisers"``; ``"random"`` does not plan, and a ``"plugin"`` does as it likes.
    belief
        Where beliefs start: a common ``"prior"``, the ``"truth"``, fixed ``"equals"``, or the
        ``"public"`` part of what is inferred from a prior.
    update
        Beliefs are not updated, or with the actor modelled as capability-aware (``"multi"``) or as
        oblivious (``"single"``).
    prior
        Probability of each type; uniform if empty.
    rule, accuracy, temperature, clip
        How an action becomes evidence: ``"sampled"`` (how often players of each type take it, in
        as many searches as it needs for this accuracy; see :class:`~sizeup.capability.Sampled`),
        ``"published"`` (the paper's tempered update: how sharply losses tell types apart, and the
        most that one counts), ``"relative"`` (the same, with losses as shares of the best action's
        value), ``"module:name"`` for an update rule of your own, or such a rule itself.
    top_up
        Whether a type that never makes the move that was made is asked as often as any type ever
        is (64 times, for the usual accuracy), where that takes no longer than one search of the
        agent's own type; for the sampled rule.
    change
        Chance that a player has become another one since its last move, for partners that change:
        beliefs about it go back to the prior by so much, however sure they are
        (:meth:`~sizeup.capability.Beliefs.may_change`).
    forget
        Share of the evidence that is forgotten with each move, another way to the same end: it
        keeps beliefs of a team consistent, and is worse at finding changes.
    common_seed
        Whether everybody infers with the same random numbers, as if they had agreed on them;
        otherwise each player's inference has sampling noise of its own.
    options, untyped, source
        How to search; whether it has no capability type, like a random player; and where a plug-in
        is loaded from, which is no part of what it is.

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
    belief: BeliefKind = "none"
    update: Update = "none"
    prior: tuple[float, ...] = ()
    rule: str | UpdateRule = SAMPLED
    accuracy: float = 0.05
    temperature: float = 0.1
    clip: float = 0.5
    top_up: bool = True
    forget: float = 0.0
    change: float = 0.0
    common_seed: bool = False
    options: SearchOptions = field(default_factory=SearchOptions)
    untyped: bool = False
    source: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        whole = type(self.own) is int and self.own >= 1
        require(whole, f"an agent's type is 1 or more, got {self.own!r}")
        for value, kind in ((self.model, Model), (self.belief, BeliefKind), (self.update, Update)):
            require(value in get_args(kind), f"{value!r} is not one of {get_args(kind)}")
        for name in ("types", "prior"):
            given = getattr(self, name)
            listed = isinstance(given, Iterable) and not isinstance(given, str)
            require(listed, f"{name} are a list with an entry for each type, got {given!r}")
            object.__setattr__(self, name, tuple(given))
        whole = all(type(c) is int and c >= 1 for c in self.types)
        require(
            whole and sorted(set(self.types)) == list(self.types),
            f"types are whole numbers of 1 or more in ascending order, got {self.types}",
        )
        require(
            not self.types or self.own in self.types,
            f"{self.own} is not among the types {self.types}; write {self.name}:{self.own}@"
            f"{','.join(map(str, sorted({self.own, *self.types})))}",
        )
        require(
            not self.prior or len(self.prior) == len(self.types),
            f"a prior has one probability for each of the types {self.types}, got {self.prior}",
        )
        require(
            not self.prior or _are_odds(self.prior),
            f"prior probabilities must sum to 1, and be 0 or more, got {self.prior}",
        )
        for name, number in (("temperature", self.temperature), ("clip", self.clip)):
            positive = isinstance(number, (int, float)) and 0 < number < math.inf
            require(positive, f"{name} must be above 0, got {number!r}")
        require(
            isinstance(self.rule, str)
            or (hasattr(self.rule, "evidence") and not isinstance(self.rule, type)),
            f"a rule is {SAMPLED!r}, {PUBLISHED!r}, {RELATIVE!r}, module:name or has a method "
            f"evidence, got {self.rule!r}",
        )
        Sampled(self.accuracy)  # which refuses what is not an accuracy
        require(
            isinstance(self.options, SearchOptions),
            f"options are SearchOptions, got {self.options!r}",
        )
        require(type(self.top_up) is bool, f"top_up is true or false, got {self.top_up!r}")
        for name, share in (("forget", self.forget), ("change", self.change)):
            fits = isinstance(share, (int, float)) and 0 <= share < 1
            require(fits, f"{name} is a share of at least 0 and below 1, got {share!r}")

    def __str__(self) -> str:
        if self.untyped:
            return self.name
        listed = ",".join(map(str, self.types))
        return f"{self.name}:{self.own}" + (f"@{listed}" if listed else "")

    @property
    def is_adaptive(self) -> bool:
        """Whether its beliefs move."""
        return self.update != "none"

    @property
    def depth(self) -> int | None:
        """Its capability type; None if it has none."""
        return None if self.untyped else self.own

    def update_rule(self) -> UpdateRule:
        """The rule by which it updates its beliefs."""
        if self.rule == SAMPLED:
            return Sampled(self.accuracy)
        if self.rule == PUBLISHED:
            return Tempered(self.temperature, self.clip)
        if self.rule == RELATIVE:
            return Tempered(self.temperature, self.clip, relative=True)
        return _imported_rule(self.rule) if isinstance(self.rule, str) else self.rule

    def to_data(self) -> dict[str, Any]:
        """Everything that decides what it plays, ready for JSON."""
        data = asdict(replace(self, rule=SAMPLED))
        del data["source"]
        lists = {name: list(value) for name, value in data.items() if isinstance(value, tuple)}
        return {**data, **lists, "rule": _rule_data(self.rule)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> AgentConfig:
        """Read what :meth:`to_data` wrote; a field that is missing has its default.

        Without a rule it is the published one, and without ``top_up`` there is none: there was no
        other when such data was written.
        """
        known = {one.name for one in fields(cls)} - {"source"}
        try:
            given: dict[str, Any] = {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in data.items()
            }
            if not {"name", "own"} <= set(given) <= known or not isinstance(given["name"], str):
                raise TypeError(f"its fields are {', '.join(data)}")
            given["options"] = SearchOptions(**given.get("options", {}))
            given["rule"] = _rule_from_data(given.get("rule", PUBLISHED))
            given["top_up"] = given.get("top_up", False)
            config = cls(**given)
        except (TypeError, AttributeError) as error:
            raise InvalidInput(
                f"{reprlib.repr(data)} is not the configuration of an agent: {error}"
            ) from None
        return config


def _imported_rule(name: str) -> UpdateRule:
    """An update rule by where it is: ``module:name``, an object or a class without arguments."""
    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
        rule: UpdateRule = found() if isinstance(found, type) else found
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise InvalidInput(
            f"there is no update rule {name!r} ({error}); expected {SAMPLED!r}, {PUBLISHED!r}, "
            f"{RELATIVE!r} or module:name"
        ) from None
    require(hasattr(rule, "evidence"), f"{name} is {rule!r}, which has no method evidence")
    return rule


def _rule_data(rule: Any) -> Any:
    """A rule of ours, or its temperature, as data; any other one by name.

    Of an object that holds anything the name ends in (...), so that nobody plays again with another
    rule than the one that was used.
    """
    kind = type(rule)
    if getattr(capability, kind.__name__, None) is kind:
        held = {one.name: _rule_data(getattr(rule, one.name)) for one in fields(rule)}
        return {"class": kind.__name__, **held}
    if rule is None or isinstance(rule, (str, int, float)):
        return rule
    holds = "(...)" if getattr(rule, "__dict__", None) else ""
    return f"{kind.__module__}:{kind.__qualname__}{holds}"


def _rule_from_data(data: Any) -> Any:
    """What :func:`_rule_data` wrote; a record may come from anywhere, so nothing is imported."""
    if not isinstance(data, dict):
        return data
    given = {name: _rule_from_data(value) for name, value in data.items()}
    kind = getattr(capability, str(given.pop("class", "Tempered")), None)
    if not isinstance(kind, type):
        raise TypeError(f"{data!r} is not an update rule")
    return kind(**given)


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
    "random": AgentConfig("random", 1, model="random", untyped=True),
}
"""The strategies by name: oblivious, capability-aware, a member of a multi-agent team (the same
thing), single-agent adaptive, oracle, no-update, equal (a control), public agent, minimiser,
random."""

PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "default": {"search": {}, "agents": {}},
    "published": {
        "search": {
            "exploration": math.sqrt(2),
            "value_scale": "total",
            "copy": "all",
            "teammate_rule": "ucb",
            "teammate_iterations": 1,
        },
        "agents": {"rule": RELATIVE, "temperature": 0.1, "clip": 0.5},
    },
}
"""Settings with a name: what an experiment's ``preset`` adds to its ``search`` and its ``agents``.
``default`` is the best we have; ``published`` is how we read the paper: rewards as if they lay
between 0 and 1, teammates that choose by confidence bounds, losses relative to the most visited."""

BASELINES = (
    "plastic", "hba", "l-ibm", "level-k", "hierarchy", "boltzmann", "expector", "tenfold",
)  # fmt: skip
"""Agents of the literature by name, each a plug-in in a module of :mod:`sizeup.baselines`."""

_TEXT = re.compile(r"\s*([^\s:@+]+)(?::(\d+)(?:@(\d+(?:,\d+)*))?)?\s*")


def read_agent(
    text: str, options: SearchOptions | None = None, folder: str | Path = ""
) -> AgentConfig:
    """Read an agent: ``ca:8``, ``obl:2``, ``ca:8@2,4,6,8``, or your own, ``my_agent.py:8``.

    Parameters
    ----------
    text
        A strategy, a baseline, the path of a Python file, or the name under which an installed
        package offers an agent; then its capability type; then, after ``@``, the types it
        considers.
    options
        How to search.
    folder
        Where a file is looked for beside the current folder; it must be there to be played.

    Examples
    --------
    >>> read_agent("oblivious:8")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: there is no agent 'oblivious'; did you mean 'obl'? Agents are obl,
    ca, ma, sa, ora, nu, eq, public, min, random, plastic, hba, l-ibm, level-k, hierarchy,
    boltzmann, expector, tenfold, or a file such as my_agent.py:8
    """
    match = _TEXT.fullmatch(str(text))
    if match is None:
        raise InvalidInput(
            f"{text!r} is not an agent; expected a strategy and its type, such as ca:8, obl:2 or "
            "ca:8@2,4,6,8, or a file such as my_agent.py:8"
        )
    name, own, types = match.groups()
    kind = plugin_config(name, folder) or STRATEGIES.get(name.lower())
    if kind is None:
        known = [*STRATEGIES, *_offered()]
        raise InvalidInput(
            f"there is no agent {name!r}{_hint(name, known)} Agents are {', '.join(known)}, or a "
            "file such as my_agent.py:8"
        )
    if own is None and kind.model not in ("random", "plugin"):
        raise InvalidInput(f"{text!r} has no type; write {name}:8 for one that looks 8 moves ahead")
    return replace(
        kind,
        own=int(own or 1),
        untyped=kind.model == "random" or own is None,
        types=tuple(sorted({int(c) for c in types.split(",")})) if types else (),
        options=options or SearchOptions(),
    )


def plugin_config(name: str, folder: str | Path = "") -> AgentConfig | None:
    """An agent from a file, of the literature, or of an installed package; None if it is none."""
    if name.endswith(".py"):
        places = [Path(name), Path(folder, name)]
        found = next((str(place.resolve()) for place in places if place.is_file()), "")
        return AgentConfig(name, 1, model="plugin", source=found)  # a seat asks whether it is there
    if name not in STRATEGIES and name in _offered():
        return AgentConfig(name, 1, model="plugin", source=_offered()[name])
    return None


@lru_cache(maxsize=1)
def _offered() -> dict[str, str]:
    """Modules of agents by their names: the baselines, and what installed packages offer."""
    offered = {one.name: one.value for one in metadata.entry_points(group="sizeup.agents")}
    ours = {name: f"sizeup.baselines.{name.replace('-', '_')}" for name in BASELINES}
    return {**offered, **ours}


def _hint(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.45)
    meant = [f"{name}.py"] if Path(f"{name}.py").is_file() else close
    return f"; did you mean {meant[0]!r}?" if meant else "."
