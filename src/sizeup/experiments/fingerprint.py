"""Fingerprints: of what an experiment plays, and of the code that decides how it is played."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import sys
import sysconfig
import types as python_types
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import metadata
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import sizeup
from sizeup.experiments.experiment import Experiment
from sizeup.experiments.origin import fingerprint
from sizeup.games.contract import GAMES, load_game

__all__ = ["code_parts", "config_parts"]

_ROOTS = ("sizeup.experiments.worker",)
_LIBRARIES = ("numba", "numpy")
_INSTALLED = frozenset({"site-packages", "dist-packages"})
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
    """A mark of a user's game, with all that it imports and that is the user's as well.

    Only files are looked at, so that it is the same whatever a process has imported already.
    """
    first = Path(str(game.__file__))
    places = [str(first.resolve().parent), *sys.path]
    waiting, marks = [(game.__name__, game.__package__ or "", first)], dict[str, str]()
    while waiting:
        name, package, file = waiting.pop()
        mark, names = _read(file.read_bytes())
        marks[name] = mark
        for other in sorted(_absolute(names, package)):
            found = _find(other, places)
            if found is not None and other not in marks and _is_users(other, found, game):
                is_package = found.name == "__init__.py"
                waiting.append((other, other if is_package else other.rpartition(".")[0], found))
    return marks[game.__name__] if len(marks) == 1 else fingerprint(marks)


def _absolute(names: Iterable[str], package: str) -> Iterator[str]:
    """Full names of modules; relative ones begin with a dot."""
    for name in names:
        if not name.startswith("."):
            yield name
        elif package:
            with suppress(ImportError):  # of more dots than the package has parts
                yield importlib.util.resolve_name(name, package)


def _find(name: str, places: list[str]) -> Path | None:
    """The Python file of a module of this name; nothing is imported."""
    parts, spec = name.split("."), None
    for number in range(len(parts)):
        spec = PathFinder.find_spec(".".join(parts[: number + 1]), places)
        if spec is None:
            return None
        places = list(spec.submodule_search_locations or ())
    file = spec.origin if spec is not None else None
    return Path(file) if file is not None and file.endswith(".py") else None


def _is_users(name: str, file: Path, game: python_types.ModuleType) -> bool:
    """Whether a file comes neither with Python nor with an installed package but the game's own."""
    package, own = name.partition(".")[0], game.__name__.partition(".")[0]
    if package == "sizeup":
        return False
    comes_with_python = file.is_relative_to(sysconfig.get_path("stdlib"))
    is_installed = comes_with_python or not _INSTALLED.isdisjoint(file.parts)
    return not is_installed or ("." in game.__name__ and package == own)


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
