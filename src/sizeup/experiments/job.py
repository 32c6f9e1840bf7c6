"""What crosses the door between the plan, the workers and the store: plain data only."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any, TypeAlias

import sizeup


@dataclass(frozen=True)
class Job:
    """One planned game, or a series of games in which beliefs carry over.

    ``home`` (of the game's own file), ``folder`` (of agents' files) and ``code`` (fingerprints that
    a worker must have too, if any) are no part of what is played.
    """

    job_id: str  # hash of all that decides what is played: configuration, cell, seed and slot
    index: int  # place in the plan, from 0
    cell: str  # of the experiment's tables, such as "ca 2+8"
    block: int  # number of the seed block within the cell
    slot: int  # place in the block (colours and seat orders)
    seed: int  # of the match, the same for all games of a block
    config: Mapping[str, Any]  # ready for JSON: game, parameters, teams, options, rounds
    home: str = field(default="", compare=False)
    folder: str = field(default="", compare=False)
    code: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def game(self) -> str:
        """What to load the game by."""
        return self.home or str(self.config["game"])

    @property
    def members(self) -> tuple[str, ...]:
        """Everybody who plays, as they are written."""
        return members_of(self.config)

    @property
    def rounds(self) -> int:
        """How many games one after the other."""
        return int(self.config.get("rounds", 1))

    def game_id(self, number: int = 0) -> str:
        """Name of one game of the job, counted from 0."""
        return f"{self.job_id}-{number}"


@dataclass(frozen=True)
class Outcome:
    """How one game went, seen from the team that the experiment is about.

    ``posteriors`` are final beliefs of its adaptive members, ``{"0": [[...], ...]}``: (members,
    types) probabilities. ``deviations``, ``{"0": {"1": [...]}}``, say how far member 0 was from the
    truth about its teammate 1, before its first update and after each. Members are numbered as the
    experiment writes them, whatever seat they have in this game.
    """

    score: int | None  # 1 for a win, 0 for a draw, -1 for a loss; None where only one team plays
    total: float  # undiscounted reward of the team (in checkers: difference in captured pieces)
    reason: str
    plies: int
    rewards: tuple[float, ...]  # of every move, to the team
    moves: tuple[str, ...]
    posteriors: Mapping[str, Any]
    deviations: Mapping[str, Any]


Play: TypeAlias = Callable[[Job], tuple[Outcome, ...]]
"""Plays a job's games, an outcome for each; runs in a worker and must be importable there."""


@dataclass(frozen=True)
class Origin:
    """An experiment's configuration and seed, and the code that plays it."""

    name: str
    seed: int
    config: Mapping[str, Any]  # the whole experiment, ready for JSON
    code: Mapping[str, str]  # fingerprint of each part of the code that can change a game
    versions: Mapping[str, str] = field(default_factory=lambda: versions())  # free to change

    @property
    def config_fingerprint(self) -> str:
        """Digest of name, seed and configuration."""
        return fingerprint([self.name, self.seed, self.config])

    @property
    def code_fingerprint(self) -> str:
        """Digest of all parts of the code."""
        return fingerprint(self.code)

    def changes_since(self, old: Origin) -> list[str]:
        """What is not as it was, such as "config team.depth: 2 -> 4"; versions aside."""
        changes = _differences(
            {"name": self.name, "seed": self.seed}, {"name": old.name, "seed": old.seed}
        )
        configs = _differences(_flat(self.config), _flat(old.config))
        changes += [f"config {text}" for text in configs]
        return changes + [f"code of {room}" for room in changed_parts(self.code, old.code)]


def members_of(config: Mapping[str, Any]) -> tuple[str, ...]:
    """Everybody who plays in a game or a cell of this configuration, as they are written."""
    sides = (config.get("team"), config.get("against"))
    return tuple(text for side in sides if side for text in side["members"])


def changed_parts(new: Mapping[str, str], old: Mapping[str, str]) -> list[str]:
    """Parts of the code whose fingerprints differ, or that only one of the two has."""
    return [part for part in sorted({*new, *old}) if new.get(part) != old.get(part)]


def listed(changes: Sequence[str], most: int = 4) -> str:
    """The first few of many changes, and how many more there are."""
    more = len(changes) - most
    return ", ".join(changes[:most]) + (f" and {more} more" if more > 0 else "")


def canonical(value: Any) -> str:
    """JSON that is the same for equal values: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def fingerprint(value: Any, length: int = 16) -> str:
    """Short digest of a value that is ready for JSON."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:length]


def versions() -> dict[str, str]:
    """Versions of Sizeup, Python and the libraries whose numbers games are made of."""
    found = {name: metadata.version(name) for name in ("numba", "numpy")}
    return {"sizeup": sizeup.__version__, "python": platform.python_version(), **found}


def _flat(value: Any, path: str = "") -> dict[str, Any]:
    """Nested data as one mapping from dotted keys."""
    if isinstance(value, Mapping) and value:
        inner: Any = value.items()
    elif isinstance(value, list | tuple) and value:
        inner = enumerate(value)
    else:
        return {path: value}
    flat: dict[str, Any] = {}
    for key, item in inner:
        flat.update(_flat(item, f"{path}.{key}" if path else str(key)))
    return flat


def _differences(new: Mapping[str, Any], old: Mapping[str, Any]) -> list[str]:
    return [
        f"{key}: {_shown(old, key)} -> {_shown(new, key)}"
        for key in sorted({*new, *old})
        if _shown(new, key) != _shown(old, key)
    ]


def _shown(values: Mapping[str, Any], key: str) -> str:
    return canonical(values[key]) if key in values else "nothing"
