"""Results of experiments, read from a store while it may be written.

Tables are made once for each state of the store: whoever asks again before there are new games gets
what was made before. Where that is much work, they are not made anew with every game.

What was played is what the store says. The experiment's file adds titles, tables and comparisons,
if it is there and still says the same; without it every cell is shown by itself.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import (
    Arm,
    Cell,
    Experiment,
    Measure,
    Point,
    Side,
    Slot,
    TableSpec,
)
from sizeup.experiments.job import Origin, canonical
from sizeup.experiments.plan import plan
from sizeup.experiments.store import Store
from sizeup.experiments.stored import find_experiment, game_of, record_in, rows_as_dicts
from sizeup.play.record import Record
from sizeup.report.answer import amount, choice_text, commands, compared_text, digits_of
from sizeup.report.numbers import interval, thousands
from sizeup.report.summarise import summarise
from sizeup.report.summary import Compared, Entry, Estimate, Summary, Tabled
from sizeup.report.tables import parts
from sizeup.web.offers import Offers
from sizeup.web.story import finite

_MOST_GAMES = 500  # of a cell in one answer
_VERDICTS = {
    "positive": "the sequential test puts it above 0",
    "negative": "the sequential test puts it below 0",
    "smaller": "the sequential test finds no difference beyond the margin",
    "undecided": "not enough games to decide yet",
}
_SEED_VERDICTS = {
    "positive": "the first one earns more on most seeds that differ",
    "negative": "the first one earns less on most seeds that differ",
    "smaller": "the first one earns more on as many seeds as less",
    "undecided": "not enough games to decide yet",
}
_LONG, _REST = 0.5, 4.0  # what takes more seconds of work than that rests four times as long


class NotThere(InvalidInput):
    """There is no experiment, cell or game of this name in the store."""


class Results:
    """The experiments of one store."""

    def __init__(
        self,
        path: Path,
        offers: Offers,
        clock: Callable[[], float] = time.monotonic,
        work: Callable[[], float] = time.thread_time,
    ) -> None:
        self._path, self._offers, self._clock, self._work = path, offers, clock, work
        self._lock = Lock()  # two who ask at the same time wait for one answer
        # What was made of which state of the store, and until when it does in any case.
        self._made: dict[str, tuple[str, dict[str, Any], float]] = {}

    def tag(self) -> str:
        """Changes whenever the store does, and whenever a run begins or ends."""
        parts = [_stamp(self._path), _stamp(_beside(self._path, "-wal")), self._is_running()]
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def listed(self) -> list[dict[str, Any]]:
        """Every experiment that the store holds games of."""
        return list(self._once("", lambda: {"experiments": self._list()})["experiments"])

    def summary(self, name: str) -> dict[str, Any]:
        """Tables and comparisons of an experiment, as far as it is."""
        return self._once(name, lambda: self._summarise(name))

    def cell(self, name: str, label: str) -> dict[str, Any]:
        """Games of a cell in the order of the plan, and the command that plays them.

        It plays the whole arm that they belong to; cells cannot be named.
        """
        command = self.summary(name)["command"]
        with Store.read(self._path) as store:
            experiment = self._experiment(store, name)
            arms = {cell.label: cell.arm for cell in experiment.cells}
            if label not in arms:
                raise NotThere(f"{name} has no cell {label!r}")
            if len(set(arms.values())) > 1:
                command = f"{command} --arm {shlex.quote(arms[label])}"
            columns = ("game_id", "score", "total", "plies", "reason", "seed")
            rows = list(rows_as_dicts(store, columns, cell=label))
            return {
                "cell": label,
                "command": command,
                "games": [_game(row) for row in rows[:_MOST_GAMES]],
                "more": max(0, len(rows) - _MOST_GAMES),
            }

    def record(self, name: str, game_id: str) -> tuple[Record, str]:
        """A game played again, and the command that shows it."""
        with Store.read(self._path) as store:
            self._experiment(store, name)
            rows = list(rows_as_dicts(store, game_id=game_id))
            if not rows:
                raise NotThere(f"there is no game {game_id!r} in {self._path.name}")
            (row,) = rows
            self._offers.require_file(game_of(store, str(row["config"]["game"])))
            command = ["sizeup", "replay", self._path.name, game_id]
            return record_in(store, row), shlex.join(command)

    def _once(self, key: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        with self._lock:
            tag, now = self.tag(), self._clock()
            held, data, good_until = self._made.get(key, ("", {}, now))
            if held != tag and now >= good_until:
                begun = self._work()
                data = make()
                # Work, not time: on a busy machine a moment's work takes long, and games that were
                # written meanwhile would not be shown though there is nothing to spare them for.
                spent = self._work() - begun
                rest = _REST * spent if spent > _LONG else 0.0
                self._made[key] = tag, data, self._clock() + rest
            return data

    def _list(self) -> list[dict[str, Any]]:
        with Store.read(self._path) as store:
            names = dict.fromkeys(origin.name for origin in store.origins().values())
            games = Counter(number for (number,) in store.rows("origin"))
            return [self._line(store, name, games) for name in names]

    def _line(self, store: Store, name: str, games: Counter[int]) -> dict[str, Any]:
        experiment = self._experiment(store, name)
        mine = {number: one for number, one in store.origins().items() if one.name == name}
        seeds = list(dict.fromkeys(origin.seed for origin in mine.values()))
        played = sum(games[number] for number in mine)
        planned = sum(plan(experiment, seed).games for seed in seeds)
        return {
            "name": name,
            "title": experiment.title,
            "question": experiment.question,
            "seed": seeds[0],
            "games": played,
            "planned": max(planned, played),
            "finished": played >= planned,
            "running": self._is_running(),
        }

    def _summarise(self, name: str) -> dict[str, Any]:
        tag = self.tag()
        with Store.read(self._path) as store:
            experiment = self._experiment(store, name)
            found = summarise(experiment, store)
            games = Counter(label for (label,) in store.rows("cell"))
        return {
            "name": name,
            "title": found.title,
            "question": found.question,
            "finished": not found.counts.missing,
            "running": self._is_running(),
            "games": found.counts.played,
            "planned": found.counts.planned,
            "quarantined": found.counts.quarantined,
            "tables": [
                table_data(experiment, found, wanted, table)
                for wanted, table in zip(experiment.tables, found.tables, strict=True)
            ],
            "comparisons": [comparison_data(found, one) for one in found.comparisons],
            "cells": [
                {"cell": cell.label, "arm": cell.arm, "games": games[cell.label]}
                for cell in experiment.cells
            ],
            "command": commands(found)[0],
            "etag": tag,
        }

    def _experiment(self, store: Store, name: str) -> Experiment:
        mine = [origin for origin in store.origins().values() if origin.name == name]
        if not mine:
            raise NotThere(f"there is no experiment {name!r} in {self._path.name}")
        played = {label for (label,) in store.rows("cell")}
        with suppress(InvalidInput):
            found = find_experiment(mine, folders=[self._path.parent])
            stored = {canonical(origin.config) for origin in mine}
            if canonical(found.config) in stored and played <= {cell.label for cell in found.cells}:
                return found
        return _as_played(mine, played, max((n for (n,) in store.rows("block")), default=0) + 1)

    def _is_running(self) -> bool:
        """Whether somebody holds the writer's lock, without taking it even for a moment."""
        try:
            lock = _beside(self._path, ".lock").stat()
            held = Path("/proc/locks").read_text().splitlines()
        except OSError:
            return False
        device = f"{os.major(lock.st_dev):02x}:{os.minor(lock.st_dev):02x}:{lock.st_ino}"
        return any(" FLOCK " in line and f" {device} " in line for line in held)


def _as_played(origins: Sequence[Origin], played: set[str], blocks: int) -> Experiment:
    """An experiment as its games say it: an arm for each cell, and one table of all.

    Of several configurations the last counts; cells that only an earlier one has are kept if there
    are games of them.
    """
    last = origins[-1]
    cells = {
        label: given
        for origin in origins
        for label, given in origin.config["cells"].items()
        if label in played or label in last.config["cells"]
    }
    read = tuple(_cell(label, given) for label, given in cells.items())
    measure: Measure = "reward" if read[0].against is None else "score"
    return Experiment(
        name=last.name, title=last.name, question="", game=str(last.config["game"]),
        params=last.config["params"], types=(), outsiders=(), rounds=int(last.config["rounds"]),
        blocks=blocks, balance=(), arms=tuple(_arm(cell) for cell in read), points=(_POINT,),
        cells=read, tables=(TableSpec(measure.title(), "", measure, 0, None, {}),), comparisons=(),
    )  # fmt: skip


_POINT = Point("", {}, {})


def _cell(label: str, given: Mapping[str, Any]) -> Cell:
    against = given["against"]
    return Cell(
        label, _POINT, Side(**given["team"]), None if against is None else Side(**against),
        tuple(Slot(side, *map(tuple, orders)) for side, *orders in given["slots"]),
    )  # fmt: skip


def _arm(cell: Cell) -> Arm:
    against = "" if cell.against is None else "+".join(cell.against.members)
    team = "+".join(cell.team.members)
    return Arm(cell.arm, cell.arm, team, against, cell.team.agents, cell.team.search)


def _stamp(path: Path) -> tuple[int, int]:
    """When a file was written and how long it is; an empty log, as readers leave it, is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return (found.st_mtime_ns, found.st_size) if found.st_size else (0, 0)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _game(row: dict[str, Any]) -> dict[str, Any]:
    """A line about a game; of one team, its reward stands for a score."""
    score = row["total"] if row["score"] is None else row["score"]
    same = {name: row[name] for name in ("plies", "reason")}
    return {"id": row["game_id"], "score": score, **same, "seed": str(row["seed"])}


def table_data(
    experiment: Experiment, summary: Summary, wanted: TableSpec, table: Tabled
) -> dict[str, Any]:
    """A table, arm by arm."""
    cells = _cells(experiment, wanted, table)
    return {
        "title": table.title,
        "measure": table.measure,
        "rows": list(table.rows),
        "arms": [
            {
                "arm": arm,
                "title": summary.arms[arm],
                "entries": [_entry(e, cells.get((e.row, e.arm), [])) for e in table.of(arm)],
            }
            for arm in table.arms
        ],
    }


def _cells(experiment: Experiment, wanted: TableSpec, table: Tabled) -> dict[Any, list[str]]:
    """Labels of the cells behind each entry, by row and arm; a curve of updates has none."""
    if wanted.by == "update":
        return {}
    found = (part for row in table.rows for part in parts(experiment, wanted, row))
    return {(part.row, part.arm): [cell.label for cell in part.cells] for part in found}


def _entry(entry: Entry, cells: list[str]) -> dict[str, Any]:
    return {
        "row": entry.row,
        **_measured(entry.value),
        "n": entry.counts.counted,
        **{name: getattr(entry.tally, name, None) for name in ("wins", "draws", "losses")},
        "missing": entry.counts.missing,
        "published": finite(entry.published),
        "cell": cells[0] if len(cells) == 1 else None,
        "cells": cells,
    }


def _measured(value: Estimate) -> dict[str, float | None]:
    return {"mean": finite(value.value), "low": finite(value.low), "high": finite(value.high)}


def comparison_data(summary: Summary, found: Compared) -> dict[str, Any]:
    """A comparison, with what the sequential test says."""
    name, difference = compared_text(summary, found), found.difference
    sentence = f"{name}: not enough games yet."
    if difference.is_known:
        is_chosen = found.verdict == "undecided" and found.is_decided
        of_means = found.measure == "score" or found.low is not None
        verdict = (_VERDICTS if of_means else _SEED_VERDICTS)[found.verdict]
        verdict = f"it is {choice_text(found)}" if is_chosen else verdict
        sentence = (
            f"{name}: {amount(difference.value, found)}, 95 % interval "
            f"{interval(difference, digits_of(found))}, "
            f"after {thousands(found.counts.counted)} games; {verdict}."
        )
    return {"title": name, **_measured(difference), "n": found.counts.counted, "sentence": sentence}
