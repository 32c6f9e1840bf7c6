"""Fingerprints: of what an experiment plays, and of the code that decides how it is played."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

import sizeup
from sizeup.experiments.experiment import Experiment
from sizeup.experiments.origin import fingerprint
from sizeup.games.contract import GAMES, load_game

__all__ = ["code_parts", "config_parts"]

_ROOTS = ("sizeup.experiments.worker",)
_LIBRARIES = ("numba", "numpy")


def config_parts(experiment: Experiment) -> dict[str, Any]:
    """All that decides what an experiment plays, ready for JSON.

    Titles, tables and published numbers do not count, nor does the number of blocks: more blocks
    are more of the same.

    >>> from dataclasses import replace
    >>> from sizeup.experiments.spec import read_experiment
    >>> aware = read_experiment("checkers-aware")
    >>> config_parts(replace(aware, blocks=500)) == config_parts(aware)
    True
    >>> config_parts(replace(aware, rounds=2)) == config_parts(aware)
    False
    """
    return {
        "game": experiment.game,
        "params": dict(experiment.params),
        "rounds": experiment.rounds,
        "cells": {
            cell.label: {
                "team": _plain(cell.team),
                "against": None if cell.against is None else _plain(cell.against),
                "slots": [[slot.side, *map(list, slot[1:])] for slot in cell.slots],
            }
            for cell in experiment.cells
        },
    }


def _plain(side: Any) -> dict[str, Any]:
    return {
        "members": list(side.members),
        "agents": dict(side.agents),
        "search": dict(side.search),
    }


def code_parts(game: str = "checkers", root: Path | None = None) -> dict[str, str]:
    """Fingerprint of each room as far as a game's moves depend on it, and libraries' versions.

    Followed are the imports of the worker and of the game; what only draws, prints or reads files
    is not among them. Comments, docstrings and layout do not count.

    Parameters
    ----------
    game
        The game that is played: a name, a module, or a Python file.
    root
        Folder of the package, if not the one that is running.

    Examples
    --------
    >>> parts = code_parts("checkers")
    >>> "search" in parts, "cli" in parts
    (True, False)
    >>> [room for room, mark in code_parts("wall-of-fire").items() if parts[room] != mark]
    ['games']
    """
    files = _Files(Path(sizeup.__file__).parent if root is None else root)
    rooms: dict[str, dict[str, str]] = {}
    for module, mark in files.reached((*_ROOTS, *_game_modules(game))):
        rooms.setdefault(module.split(".")[1], {})[module] = mark
    parts = {room: fingerprint(rooms[room]) for room in sorted(rooms)}
    if not _game_modules(game):
        parts["the game"], _ = _read(Path(str(load_game(game).__file__)).read_bytes())
    return {**parts, **{name: metadata.version(name) for name in _LIBRARIES}}


def _game_modules(game: str) -> tuple[str, ...]:
    """Module of one of our games; nothing for a game from elsewhere."""
    name = game.replace("-", "_")
    return (f"sizeup.games.{name}",) if name in GAMES else ()


class _Files:
    """The modules of the package, as files: nothing is imported."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def reached(self, modules: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Modules that these lead to, themselves included, each with a mark of its code."""
        waiting, seen = list(modules), set(modules)
        while waiting:
            module = waiting.pop()
            mark, names = _read(self._path(module).read_bytes())
            yield module, mark
            found = {name for name in names if self._path(name).is_file()}
            waiting.extend(sorted(found - seen))
            seen |= found

    def _path(self, module: str) -> Path:
        place = self.root.joinpath(*module.split(".")[1:])
        return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


@lru_cache(maxsize=256)
def _read(source: bytes) -> tuple[str, frozenset[str]]:
    """A mark of a module's code, and the modules of ours that it names."""
    tree = ast.parse(source)
    words: list[str] = []
    _shape(tree, words)
    return hashlib.sha256("\n".join(words).encode()).hexdigest(), frozenset(_named(tree))


def _named(tree: ast.AST) -> Iterator[str]:
    """Modules of ours that a module may import: by a statement, or by name as kernels are."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = [node.value]
        for name in names:
            if name.startswith("sizeup.") and all(part.isidentifier() for part in name.split(".")):
                yield name


def _shape(node: ast.AST, words: list[str]) -> None:
    """Write down everything in a syntax tree that can run; what is empty is not mentioned."""
    words.append(type(node).__name__)
    for name in node._fields:
        value = getattr(node, name, None)
        for item in value if type(value) is list else (value,):
            if item is None or _is_text_alone(item):
                continue
            words.append(name)
            if isinstance(item, ast.AST):
                _shape(item, words)
            else:
                words.append(repr(item))


def _is_text_alone(item: Any) -> bool:
    """A docstring, or any other text that stands by itself."""
    return (
        isinstance(item, ast.Expr)
        and isinstance(item.value, ast.Constant)
        and isinstance(item.value.value, str)
    )
