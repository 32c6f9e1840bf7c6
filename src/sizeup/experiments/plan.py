"""The plan of an experiment: every game, its seed and its name, in the order of play.

Rounds of the plan hold one whole seed block of every cell, so that a run which stops anywhere has
cells of equal size. A seed comes from the root seed, the point of the grid and the number of the
block: all arms share it, and neither other points nor more blocks change it. A longer plan begins
with the shorter one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, overload

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import MOST_BLOCKS, Cell, Experiment, Point, Side, Slot
from sizeup.experiments.fingerprint import code_parts, config_parts
from sizeup.experiments.job import Job
from sizeup.experiments.origin import Origin, fingerprint

__all__ = ["Plan", "plan"]


def plan(experiment: Experiment, seed: int = 0, blocks: int | None = None) -> Plan:
    """Plan an experiment.

    Parameters
    ----------
    experiment
        What to play.
    seed
        The root of all seeds: a whole number of 0 or more.
    blocks
        Seed blocks for each cell, if not as many as the experiment says.

    Examples
    --------
    >>> from sizeup.experiments.spec import read_experiment
    >>> short = plan(read_experiment("checkers-ablation"), seed=1, blocks=2)
    >>> longer = plan(read_experiment("checkers-ablation"), seed=1, blocks=50)
    >>> len(short), len(longer), list(short) == list(longer)[: len(short)]
    (576, 14400, True)
    >>> [job.cell for job in short][:9:4]
    ['ca 2<4 novice', 'ora 2<4 novice', 'obl 2<4 novice']
    """
    if type(seed) is not int or seed < 0:
        raise InvalidInput(f"a seed is a whole number of 0 or more, got {seed!r}")
    wanted = experiment.blocks if blocks is None else blocks
    if type(wanted) is not int or not 1 <= wanted <= MOST_BLOCKS:
        raise InvalidInput(f"blocks are a whole number from 1 to {MOST_BLOCKS}, got {wanted!r}")
    return Plan(experiment, seed, wanted)


class _Game(NamedTuple):
    """A slot of a cell: what all its games in all blocks have in common."""

    cell: str
    point: int
    slot: int
    config: dict[str, Any]
    mark: bytes
    home: str
    code: dict[str, str]


@dataclass(frozen=True)
class Plan(Sequence[Job]):
    """All jobs of an experiment in the order of play; made when they are asked for.

    Parameters
    ----------
    experiment, seed, blocks
        See :func:`plan`.
    """

    experiment: Experiment
    seed: int
    blocks: int

    def __len__(self) -> int:
        return self.blocks * len(self._round)

    @property
    def origin(self) -> Origin:
        """What the games come from: configuration, seed, and the code that decides them."""
        config = config_parts(self.experiment)
        return Origin(self.experiment.name, self.seed, config, self._code)

    @cached_property
    def _code(self) -> dict[str, str]:
        """As it is when somebody first asks; workers must have the same."""
        return code_parts(self.experiment.home or self.experiment.game)

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
        start = self._starts[self.experiment.cell(cell).label]
        slots = len(self.experiment.cell(cell).slots)
        if not 0 <= block < self.blocks or not 0 <= slot < slots:
            raise InvalidInput(
                f"{cell!r} has blocks 0 to {self.blocks - 1} of slots 0 to {slots - 1}, got block "
                f"{block} and slot {slot}"
            )
        return self[block * len(self._round) + start + slot]

    @cached_property
    def _seeds(self) -> Any:
        """``(points, blocks)`` seeds; the first ones are the same however many there are."""
        return np.array(
            [
                np.random.SeedSequence(self.seed, spawn_key=(_key(point),)).generate_state(
                    self.blocks, np.uint64
                )
                for point in self.experiment.points
            ]
        )

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
    def _starts(self) -> dict[str, int]:
        """Where in a round each cell begins."""
        sizes = [len(cell.slots) for cell in self.experiment.cells]
        labels = [cell.label for cell in self.experiment.cells]
        return dict(zip(labels, accumulate(sizes, initial=0), strict=False))


def _key(point: Point) -> int:
    """A number for a point that depends on nothing but its values."""
    return int(fingerprint(dict(point.values)), 16)


def _game(plan: Plan, cell: Cell, point: int, number: int, slot: Slot) -> _Game:
    experiment = plan.experiment
    against = None if cell.against is None else _seated(cell.against, slot.against_order)
    config = {
        "game": experiment.game,
        "params": dict(experiment.params),
        "rounds": experiment.rounds,
        "side": slot.side,
        "team": _seated(cell.team, slot.order),
        "against": against,
    }
    mark = fingerprint([config, cell.label, number], length=32)
    return _Game(cell.label, point, number, config, mark.encode(), experiment.home, plan._code)


def _seated(side: Side, order: tuple[int, ...]) -> dict[str, Any]:
    """A team as plain data: its members as they are written, and the order in which they sit."""
    return {
        "members": list(side.members),
        "order": list(order),
        "agents": dict(side.agents),
        "search": dict(side.search),
    }


def _job(game: _Game, index: int, block: int, seed: int) -> Job:
    name = hashlib.blake2b(b"%b %d" % (game.mark, seed), digest_size=8).hexdigest()
    return Job(name, index, game.cell, block, game.slot, seed, game.config, game.home, game.code)
