"""What games come from: an experiment's configuration and seed, and the code that played them."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

import sizeup

__all__ = ["Origin", "canonical", "fingerprint", "versions"]

_LIBRARIES = ("numba", "numpy")


@dataclass(frozen=True)
class Origin:
    """An experiment's configuration and seed, and the code that plays it.

    Parameters
    ----------
    name
        Name of the experiment.
    seed
        Its root seed.
    config
        The whole experiment as data, ready for JSON.
    code
        Fingerprint of each part of the code that can change a game, by the part's name.
    versions
        Of Python and the libraries: written down beside the games, and free to change.

    Examples
    --------
    >>> old = Origin("mine", 1, {"games": 8, "team": {"depth": 2}}, {"search": "a1", "play": "b1"})
    >>> new = Origin("mine", 1, {"games": 8, "team": {"depth": 4}}, {"search": "a2", "play": "b1"})
    >>> new.changes_since(old)
    ['config team.depth: 2 -> 4', 'code of search']
    """

    name: str
    seed: int
    config: Mapping[str, Any]
    code: Mapping[str, str]
    versions: Mapping[str, str] = field(default_factory=lambda: versions())

    @property
    def config_fingerprint(self) -> str:
        """Digest of name, seed and configuration."""
        return fingerprint([self.name, self.seed, self.config])

    @property
    def code_fingerprint(self) -> str:
        """Digest of all parts of the code."""
        return fingerprint(self.code)

    def changes_since(self, old: Origin) -> list[str]:
        """What is not as it was, in words; versions aside."""
        named = {"name": self.name, "seed": self.seed}
        changes = _differences(named, {"name": old.name, "seed": old.seed})
        changes += [
            f"config {text}" for text in _differences(_flat(self.config), _flat(old.config))
        ]
        rooms = sorted({*self.code, *old.code})
        return changes + [f"code of {r}" for r in rooms if self.code.get(r) != old.code.get(r)]


def canonical(value: Any) -> str:
    """JSON that is the same for equal values: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def fingerprint(value: Any, length: int = 16) -> str:
    """Short digest of a value that is ready for JSON.

    >>> fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    True
    """
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:length]


def versions() -> dict[str, str]:
    """Versions of Sizeup, Python and the libraries whose numbers games are made of."""
    found = {name: metadata.version(name) for name in _LIBRARIES}
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
