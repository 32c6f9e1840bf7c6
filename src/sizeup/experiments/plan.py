"""The plan of an experiment: every game, its seed and its name, in the order of play.

Rounds of the plan hold one whole seed block of every cell, so that a run which stops anywhere has
cells of equal size. A seed comes from the root seed, the point of the grid and the number of the
block: all arms share it, and neither other points nor more blocks change it. A longer plan begins
with the shorter one.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import sys
import sysconfig
import types as python_types
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import metadata
from importlib.machinery import PathFinder
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np

import sizeup
from sizeup.agents.plugin import load_plugin
from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import MOST_BLOCKS, Cell, Experiment, Side, Slot
from sizeup.experiments.job import Job, Origin, fingerprint
from sizeup.experiments.members import read_member
from sizeup.games.contract import is_ours, load_game, untagged

_ROOTS = ("sizeup.experiments.worker",)
_LIBRARIES = ("numba", "numpy")
AGENT = "the agent "
_BASELINES = "sizeup.baselines."
_INSTALLED = frozenset({"site-packages", "dist-packages"})
_OURS = re.compile(r"sizeup(\.\w+)+")
_SHOWS = frozenset({"drawing", "explain", "look", "pictures", "plots", "template", "tree_svg"})
"""Modules, by the last part of their names, that only show what was played."""


def plan(experiment: Experiment, seed: int = 0, blocks: int | None = None) -> Plan:
    """Plan an experiment, or so many ``blocks`` of each cell; ``seed`` is the root of all seeds."""
    if type(seed) is not int or seed < 0:
        raise InvalidInput(f"a seed is a whole number of 0 or more, got {seed!r}")
    wanted = experiment.blocks if blocks is None else blocks
    if type(wanted) is not int or not 1 <= wanted <= MOST_BLOCKS:
        raise InvalidInput(f"blocks are a whole number from 1 to {MOST_BLOCKS:,}, got {wanted!r}")
    return Plan(experiment, seed, wanted)


class _Game(NamedTuple):
    """A slot of a cell: what all its games in all blocks have in common."""

    cell: str
    point: int
    slot: int
    config: dict[str, Any]
    mark: bytes
    where: tuple[str, str, dict[str, str]]  # home, folder and code of its jobs


@dataclass(frozen=True)
class Plan(Sequence[Job]):
    """All jobs of an experiment in the order of play; made when they are asked for."""

    experiment: Experiment
    seed: int
    blocks: int

    def __len__(self) -> int:
        return self.blocks * len(self._round)

    @property
    def origin(self) -> Origin:
        """What the games come from: configuration, seed, and the code that decides them."""
        return Origin(self.experiment.name, self.seed, self.experiment.config, self._code)

    @cached_property
    def _code(self) -> dict[str, str]:
        """As it is when somebody first asks; workers must have the same."""
        experiment = self.experiment
        members = [text for cell in experiment.cells for text in cell.members]
        return code_parts(experiment.home or experiment.game, members, experiment.folder)

    @property
    def games(self) -> int:
        """How many games there are; a job has as many as the experiment has rounds."""
        return len(self) * self.experiment.rounds

    def __iter__(self) -> Iterator[Job]:
        index = 0
        for block, seeds in enumerate(self._seeds.T.tolist()):
            for game in self._round:
                yield _job(game, index, block, seeds[game.point])
                index += 1

    @overload
    def __getitem__(self, index: int) -> Job: ...
    @overload
    def __getitem__(self, index: slice) -> list[Job]: ...
    def __getitem__(self, index: int | slice) -> Job | list[Job]:
        places = range(len(self))[index]
        return self._at(places) if isinstance(places, int) else [self._at(i) for i in places]

    def _at(self, index: int) -> Job:
        block, place = divmod(index, len(self._round))
        game = self._round[place]
        return _job(game, index, block, int(self._seeds[game.point, block]))

    def job(self, cell: str, block: int, slot: int) -> Job:
        """The job of a cell, a block and a slot."""
        start, slots = self._starts[self.experiment.cell(cell).label]
        if not 0 <= block < self.blocks or not 0 <= slot < slots:
            raise InvalidInput(
                f"{cell!r} has blocks 0 to {self.blocks - 1} of slots 0 to {slots - 1}, got block "
                f"{block} and slot {slot}"
            )
        return self[block * len(self._round) + start + slot]

    @cached_property
    def _seeds(self) -> Any:
        """``(points, blocks)`` seeds; the first ones are the same however many there are."""
        # A point's own number depends on nothing but its values.
        keys = [int(fingerprint(dict(point.values)), 16) for point in self.experiment.points]
        roots = [np.random.SeedSequence(self.seed, spawn_key=(key,)) for key in keys]
        return np.array([root.generate_state(self.blocks, np.uint64) for root in roots])

    @cached_property
    def _round(self) -> list[_Game]:
        """One block of every cell."""
        points = {point.label: number for number, point in enumerate(self.experiment.points)}
        return [
            _game(self, cell, points[cell.point.label], number, slot)
            for cell in self.experiment.cells
            for number, slot in enumerate(cell.slots)
        ]

    @cached_property
    def _starts(self) -> dict[str, tuple[int, int]]:
        """Where in a round each cell begins, and how many slots it has."""
        places = Counter(game.cell for game in self._round)
        starts = accumulate(places.values(), initial=0)
        return {cell: (next(starts), slots) for cell, slots in places.items()}


def _game(plan: Plan, cell: Cell, point: int, number: int, slot: Slot) -> _Game:
    experiment = plan.experiment
    against = None if cell.against is None else _seated(cell.against, slot.against_order)
    config = {
        "game": experiment.game, "params": dict(experiment.params), "rounds": experiment.rounds,
        "side": slot.side, "team": _seated(cell.team, slot.order), "against": against,
    }  # fmt: skip
    mark = fingerprint([config, cell.label, number], length=32).encode()
    where = (experiment.home, experiment.folder, plan._code)
    return _Game(cell.label, point, number, config, mark, where)


def _seated(side: Side, order: tuple[int, ...]) -> dict[str, Any]:
    """A team as plain data, with the order in which its members sit."""
    return {**side.config, "order": list(order)}


def _job(game: _Game, index: int, block: int, seed: int) -> Job:
    name = hashlib.blake2b(b"%b %d" % (game.mark, seed), digest_size=8).hexdigest()
    return Job(name, index, game.cell, block, game.slot, seed, game.config, *game.where)


def code_parts(
    game: str = "checkers", members: Iterable[str] = (), folder: str = "", root: Path | None = None
) -> dict[str, str]:
    """Fingerprint of each room as far as a game's moves depend on it, and libraries' versions.

    Followed are the imports of the worker and of the game, of a user's game or agent also those of
    other files of the user's; what only draws, prints or reads files is not among them, nor are
    installed packages. Comments, docstrings and layout do not count. ``root`` is the folder of the
    package, if not the one that is running.
    """
    root = root or Path(sizeup.__file__).parent
    rooms: dict[str, dict[str, str]] = {}
    for module, mark in _reached(root, (*_ROOTS, *_game_modules(game))):
        rooms.setdefault(module.split(".")[1], {})[module] = mark
    parts = {room: fingerprint(rooms[room]) for room in sorted(rooms)}
    if not _game_modules(game):
        parts["the game"] = _mark_of(load_game(game))
    for config in (c for text in set(members) for c in read_member(text, folder=folder).configs):
        if config.model == "plugin":
            parts[f"{AGENT}{config.name}"] = _mark_of(load_plugin(config))
    return {**parts, **{name: metadata.version(name) for name in _LIBRARIES}}


def _game_modules(game: str) -> tuple[str, ...]:
    """Module of one of our games; nothing for a game from elsewhere."""
    name = untagged(game).replace("-", "_")
    return (f"sizeup.games.{name}.rules",) if is_ours(game) else ()


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
        return name.startswith(_BASELINES)  # no worker imports them before somebody plays them
    comes_with_python = file.is_relative_to(sysconfig.get_path("stdlib"))
    is_installed = comes_with_python or not _INSTALLED.isdisjoint(file.parts)
    return not is_installed or ("." in game.__name__ and package == own)


def _reached(root: Path, modules: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Modules of the package that these lead to, themselves included, with marks of their code.

    They are read as files: nothing is imported.
    """
    waiting, seen = list(modules), set(modules)
    while waiting:
        module = waiting.pop()
        mark, names = _read(_path(root, module).read_bytes())
        yield module, mark
        found = {n for n in names if n.startswith("sizeup.") and _path(root, n).is_file()}
        found = {n for n in found if n.rpartition(".")[2] not in _SHOWS}
        waiting.extend(sorted(found - seen))
        seen |= found


def _path(root: Path, module: str) -> Path:
    place = root.joinpath(*module.split(".")[1:])
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
    return isinstance(item, ast.Expr) and isinstance(getattr(item.value, "value", None), str)
