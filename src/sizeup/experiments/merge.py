"""Games from other stores, or from exported rows, taken into a store.

Everything is held against the plan before anything is written: what was played must be what the
experiment plays, and each game must bear the name that the plan gives it, which is derived anew
from configuration, cell, seed and slot. Games of several root seeds add up; a game that is there
already must have gone the same way and is not counted again. Rows that contradict themselves are
refused: what they say must be possible by the rules of the game and of arithmetic.
"""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from sizeup.errors import InvalidInput, SizeupError
from sizeup.experiments.experiment import MOST_BLOCKS, Experiment
from sizeup.experiments.export import is_parquet, origin_columns, origins_in, players_of, rows_in
from sizeup.experiments.job import Job, Origin, canonical, listed
from sizeup.experiments.plan import Plan, plan
from sizeup.experiments.store import EmptyStore, Played, Store, StoreError, outcome_of
from sizeup.experiments.stored import differences, is_store, rows_as_dicts
from sizeup.games.contract import CHANCE, OVER, View
from sizeup.play.match import ending
from sizeup.play.table import arena

_ROUNDED = 0.002  # that a probability of compact rows may be off, with some to spare


@dataclass(frozen=True)
class Merged:
    """How many games were new, and how many were already there."""

    new: int
    known: int


@dataclass(frozen=True)
class Rows:
    """A file of games, a store or Parquet, and what they come from."""

    path: Path
    origins: Mapping[int, Origin]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        if not is_store(self.path):
            yield from rows_in(self.path)
            return
        with Store.read(self.path) as store:
            yield from rows_as_dicts(store)


def open_rows(path: Path) -> Rows:
    """A file of games: another store, or Parquet as ``sizeup export`` writes it."""
    if is_store(path):
        with Store.read(path) as store:
            store.require_sound()
            return Rows(path, store.origins())
    if is_parquet(path):
        return Rows(path, origins_in(path))
    raise InvalidInput(
        f"{path} is neither a store nor Parquet: expected a file that sizeup run or sizeup export "
        "--parquet wrote"
    )


def merge(
    path: Path, files: Sequence[Rows], experiment: Experiment, *, allow_changes: bool = False
) -> Merged:
    """Merge the games of files into a store: all of them, or none if anything is wrong.

    With ``allow_changes``, games that other code has played are accepted; another configuration
    never is.
    """
    here = _origins_of(path) or list(files[0].origins.values())[:1]
    for origin in here:
        _check_config(origin, experiment, path)
    for file in files:
        for origin in file.origins.values():
            _check_config(origin, experiment, file.path)
            if not allow_changes:
                _check_code(origin, here, file.path)
    jobs = _Jobs(experiment)
    for file in files:
        deque(_checked(file, jobs, by_the_rules=True), maxlen=0)
    with Store.open(path, here[0], allow_changes=True) as store:
        return _add(store, files, jobs)


def _origins_of(path: Path) -> list[Origin]:
    if path.exists():
        with suppress(EmptyStore), Store.read(path) as store:
            return list(store.origins().values())
    return []


def _check_config(origin: Origin, experiment: Experiment, where: Path) -> None:
    now = replace(origin, name=experiment.name, config=experiment.config)
    changes = now.changes_since(origin)
    if changes:
        raise InvalidInput(
            f"{where} holds games of another configuration of {experiment.name}: {listed(changes)}"
        )


def _check_code(origin: Origin, here: Sequence[Origin], where: Path) -> None:
    """Refuse code that nothing here was played by; any root seed will do."""
    changes = [origin.changes_since(replace(old, seed=origin.seed)) for old in here]
    if all(changes):
        raise InvalidInput(
            f"the games of {where} were played by other code: {listed(changes[-1])}; play them "
            "again, or merge them with --allow-changes"
        )


class _Jobs:
    """Jobs of the plans of all root seeds, as long as they are asked for."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._places = {(job.cell, job.slot): job.index for job in plan(experiment, blocks=1)}
        self._plans: dict[int, Plan] = {}

    def get(self, seed: int, cell: str, block: int, slot: int) -> Job | None:
        """The job at a place of the plan; None if there is no such place."""
        place = self._places.get((cell, slot))
        if place is None or not 0 <= block < MOST_BLOCKS:
            return None
        planned = self._plans.get(seed)
        if planned is None or block >= planned.blocks:
            enough = min(2 * block + 1, MOST_BLOCKS)
            planned = self._plans[seed] = plan(self._experiment, seed, enough)
        return planned[block * len(self._places) + place]


def _checked(file: Rows, jobs: _Jobs, by_the_rules: bool = False) -> Iterator[Played]:
    """Jobs of a file, with every game as the plan has it, and possible by the rules."""
    # What rows say of their origins, computed once: a fingerprint takes its time.
    columns = {number: origin_columns(origin) for number, origin in file.origins.items()}
    begun: dict[str, list[dict[str, Any]]] = {}
    for number, row in enumerate(file, start=1):
        origin = file.origins.get(row["origin"])
        if origin is None:
            raise InvalidInput(f"row {number} of {file.path} has no origin")
        job = jobs.get(origin.seed, row["cell"], row["block"], row["slot"])
        games = begun.setdefault(row["job_id"], [])
        problem = _problem(row, job, columns[row["origin"]], len(games))
        if job is None or problem:
            raise InvalidInput(
                f"row {number} of {file.path}: game {row['game_id']} is not in the plan of "
                f"{origin.name} with seed {origin.seed}: {problem}"
            )
        if by_the_rules and (problem := _contradiction(row, job)):
            raise InvalidInput(
                f"row {number} of {file.path}: game {row['game_id']} contradicts itself: {problem}"
            )
        games.append(row)
        if len(games) == job.rounds:
            yield _played(job, begun.pop(job.job_id), origin)
    for job_id, games in begun.items():
        raise InvalidInput(f"{file.path}: series {job_id} ends after {len(games)} game(s)")


def _problem(
    row: Mapping[str, Any], job: Job | None, origin: Mapping[str, Any], before: int
) -> str:
    """What differs from the plan, in words."""
    if job is None:
        return f"there is no cell {row['cell']!r} with block {row['block']} and slot {row['slot']}"
    planned: dict[str, Any] = {
        "game_id": job.game_id(before), "job_id": job.job_id, "round": before,
        "plan_index": job.index, "seed": job.seed, "config": job.config,
        **origin, "root_seed": str(origin["root_seed"]), **players_of(job.config),
    }  # fmt: skip
    for name, value in planned.items():
        if row.get(name, value) != value:
            return f"{name} is {row[name]}, expected {value}"
    return _odd_outcome(row, job)


def _odd_outcome(row: Mapping[str, Any], job: Job) -> str:
    """What is impossible in a game's outcome, in words."""
    scores = (None,) if job.config["against"] is None else (1, 0, -1)
    if row["score"] not in scores:
        return f"score is {row['score']}, expected {' or '.join(map(str, scores))}"
    if not math.isfinite(row["total"]):
        return f"total is {row['total']}, expected a number"
    for name in ("plies", "seconds", "attempt"):
        if not 0 <= row[name] < math.inf:
            return f"{name} is {row[name]}, expected 0 or more"
    if not _is_by_member(row["posteriors"], lambda rows: _is_list(rows, _is_numbers)):
        return "posteriors do not have the shape {member: [[probability]]}"
    if not _is_by_member(row["deviations"], lambda about: _is_by_member(about, _is_numbers)):
        return "deviations do not have the shape {member: {member: [distance]}}"
    return ""


def _is_by_member(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, dict) and all(
        key.isdecimal() and fits(inner) for key, inner in value.items()
    )


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _is_numbers(value: Any) -> bool:
    return _is_list(value, lambda one: type(one) in (int, float))


def _played(job: Job, rows: Sequence[Mapping[str, Any]], origin: Origin) -> Played:
    first = rows[0]
    return Played(
        job, tuple(map(outcome_of, rows)), sum(row["seconds"] for row in rows), first["host"],
        first["attempt"], first["finished"], origin,
    )  # fmt: skip


def _add(store: Store, files: Sequence[Rows], jobs: _Jobs) -> Merged:
    done = store.done_jobs()
    known: list[int] = []
    # An origin that the store was opened with need not be looked up for every game.
    at_home = {id(o): o == store.origin for file in files for o in file.origins.values()}

    def new() -> Iterator[Played]:
        for file in files:
            for played in _checked(file, jobs):
                if played.job.job_id not in done:
                    done.add(played.job.job_id)
                    yield replace(played, origin=None) if at_home[id(played.origin)] else played
                    continue
                _check_same(store, played, file.path)
                known.append(played.job.rounds)

    return Merged(store.add(new()), sum(known))


def _check_same(store: Store, played: Played, where: Path) -> None:
    """Whether the games that are there have gone as these have."""
    for number, outcome in enumerate(played.outcomes):
        game = played.job.game_id(number)
        (row,) = rows_as_dicts(store, game_id=game)
        other = differences(outcome_of(row), outcome)
        if other:
            raise StoreError(
                f"game {game} of {where} is already in {store.path} but differs in "
                f"{', '.join(other)}: the same game must have the same result; verify both"
            )


def _contradiction(row: Mapping[str, Any], job: Job) -> str:
    """What a row says that cannot be, in words; nothing if it may well have been so.

    The moves are followed by the rules. Compact rows have none; what they say of the end is held
    against the rules all the same.
    """
    view = _view(job)
    sign = 1 - 2 * int(job.config["side"])  # rewards are those of side 0
    if row["plies"] and view.adjourned(row["plies"] - 1, 0):
        return f"plies is {row['plies']}, but the match ends before"
    problem = _odd_posteriors(row["posteriors"], job.config["team"])
    if problem or row["plies"] == 0:
        return problem
    return _odd_moves(row, view, sign) if row.get("moves") else _odd_score(row, view)


def _view(job: Job) -> View:
    sides = [job.config["team"]]
    if job.config["against"] is not None:
        sides.insert(1 - job.config["side"], job.config["against"])
    sizes = tuple(len(side["members"]) for side in sides)
    return _arena(job.game, canonical(job.config["params"]), sizes)


@lru_cache(maxsize=64)
def _arena(game: str, params: str, sizes: tuple[int, ...]) -> View:
    return arena(game, json.loads(params), sizes)


def _odd_posteriors(posteriors: Mapping[str, Any], team: Mapping[str, Any]) -> str:
    """Beliefs about everybody of the team, each of probabilities that add up to 1.

    What they lack to that is the probability of none of these types, which the published rule does
    not know.
    """
    size = len(team["members"])
    is_whole = team["agents"].get("rule", "published") == "published"
    for member, rows in posteriors.items():
        if int(member) >= size or len(rows) != size:
            return f"posteriors of member {member} are about {len(rows)} members of {size}"
        for shares in rows:
            total, spare = math.fsum(shares), _ROUNDED * len(shares)
            least = 1 - spare if is_whole else 0.0
            if not least <= total <= 1 + spare or any(not 0 <= one <= 1 for one in shares):
                return f"posteriors of member {member} are not probabilities: {shares}"
    return ""


def _odd_moves(row: Mapping[str, Any], view: View, sign: int) -> str:
    """What is wrong with the moves, and with what the row says of where they lead."""
    moves, rewards = row["moves"], row["rewards"]
    if len(moves) != len(rewards):
        return f"there are {len(moves)} moves and {len(rewards)} rewards"
    state, plies, quiet, total = view.start(), 0, 0, 0.0
    for number, (text, told) in enumerate(zip(moves, rewards, strict=True), start=1):
        if ending(view, state, plies, quiet) is not None:
            return f"move {number} ({text}) is made after the end"
        is_chance, made = view.actor(state) == CHANCE, _made(view, state, text)
        if made is None:
            return f"move {number} ({text}) is not legal"
        state, reward = made
        if not math.isclose(sign * reward, told, abs_tol=1e-9):
            return f"move {number} ({text}) is worth {sign * reward:g}, not {told:g}"
        plies += not is_chance
        quiet = quiet if is_chance else (quiet + 1) * (reward == 0)
        total += reward
    won = view.winner(state, total)
    score = None if row["score"] is None else 0 if won is None else sign * (1 - 2 * won)
    same = math.isclose(row["total"], sign * total, abs_tol=1e-9)
    return _other_facts(row, {
        "plies": plies, "reason": ending(view, state, plies, quiet),
        "total": row["total"] if same else sign * total, "score": score,
    })  # fmt: skip


def _made(view: View, state: Any, text: str) -> tuple[Any, float] | None:
    """The state after a move and its reward; None if it is not legal."""
    try:
        return view.apply(state, view.action_from_text(state, text))
    except (SizeupError, TypeError, ValueError):
        return None


def _other_facts(row: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    """The first thing that a row says otherwise."""
    for name, fact in facts.items():
        if row[name] != fact:
            return f"{name} is {row[name]}, but the moves say {fact}"
    return ""


def _odd_score(row: Mapping[str, Any], view: View) -> str:
    """Whether a score goes with a total: who is ahead has won, unless a side had no move left."""
    if row["score"] is None or (row["reason"] == OVER and view.info.no_move_loses):
        return ""
    ahead = (row["total"] > 0) - (row["total"] < 0)
    if row["score"] == ahead:
        return ""
    return f"score is {row['score']}, but the total is {row['total']:g}"
