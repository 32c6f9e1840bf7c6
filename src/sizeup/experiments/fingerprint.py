"""Fingerprints: of what an experiment plays, and of the code that decides how it is played."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import sys
import sysconfig
import types as python_types
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
_OURS = re.compile(r"sizeup(\.\w+)+")


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

    Followed are the imports of the worker and of the game, of a user's game also those of other
    files of the user's; what only draws, prints or reads files is not among them, nor are installed
    packages. Comments, docstrings and layout do not count.

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
        parts["the game"] = _mark_of(load_game(game))
    return {**parts, **{name: metadata.version(name) for name in _LIBRARIES}}


def _game_modules(game: str) -> tuple[str, ...]:
    """Module of one of our games; nothing for a game from elsewhere."""
    name = game.replace("-", "_")
    return (f"sizeup.games.{name}",) if name in GAMES else ()


def _mark_of(game: python_types.ModuleType) -> str:
    """A mark of a user's game, with all that it imports and that is the user's as well."""
    waiting, marks = [game], dict[str, str]()
    while waiting:
        module = waiting.pop()
        mark, names = _read(Path(str(module.__file__)).read_bytes())
        marks["" if module is game else module.__name__] = mark
        for name in sorted(names):
            found = _imported(name, module)
            if found is not None and found.__name__ not in marks and _is_users(found, game):
                waiting.append(found)
    return marks[""] if len(marks) == 1 else fingerprint(marks)


def _imported(name: str, by: python_types.ModuleType) -> python_types.ModuleType | None:
    """A module that was imported under this name."""
    if name.startswith("."):
        try:
            name = importlib.util.resolve_name(name, by.__package__ or "")
        except ImportError:
            return None
    return sys.modules.get(name)


def _is_users(module: python_types.ModuleType, game: python_types.ModuleType) -> bool:
    """Whether a module is a Python file that does not come with Python or an installed package."""
    file = getattr(module, "__file__", None)
    if file is None or not file.endswith(".py") or module is game:
        return False
    package = module.__name__.partition(".")[0]
    if package == "sizeup":
        return False
    mine = "." in game.__name__ and package == game.__name__.partition(".")[0]
    installed = (sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
    return mine or not any(Path(file).is_relative_to(folder) for folder in installed)


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
            found = {n for n in names if n.startswith("sizeup.") and self._path(n).is_file()}
            waiting.extend(sorted(found - seen))
            seen |= found

    def _path(self, module: str) -> Path:
        place = self.root.joinpath(*module.split(".")[1:])
        return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


@lru_cache(maxsize=256)
def _read(source: bytes) -> tuple[str, frozenset[str]]:
    """A mark of a module's code, and the modules that it names."""
    tree = ast.parse(source)
    words: list[str] = []
    _shape(tree, words)
    return hashlib.sha256("\n".join(words).encode()).hexdigest(), frozenset(_named(tree))


def _named(tree: ast.AST) -> Iterator[str]:
    """Modules that a module may import by a statement, or by name as our kernels are.

    Some are things in a module, and no modules; relative names begin with a dot.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            stem = "." * node.level + (node.module or "")
            yield stem
            dot = "" if stem.endswith(".") else "."
            yield from (f"{stem}{dot}{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and _OURS.fullmatch(str(node.value)):
            yield str(node.value)


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
