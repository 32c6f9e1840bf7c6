"""Games of a store again: their experiment and their records, replayed and compared."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.experiments.executors import Executor
from sizeup.experiments.experiment import Experiment
from sizeup.experiments.job import Job, Origin, Outcome, canonical, changed_parts, members_of
from sizeup.experiments.members import PERSON
from sizeup.experiments.plan import code_parts
from sizeup.experiments.spec import read_experiment, shipped
from sizeup.experiments.store import COLUMNS, Store, StoreError, outcome_of
from sizeup.experiments.study import experiment_in, names_in
from sizeup.experiments.worker import play_job, record_by_people, record_of
from sizeup.games.contract import untagged
from sizeup.play.record import Record

_FILE = re.compile(r"[^\s:@+]+\.py")

OnGame: TypeAlias = Callable[[], None]
"""Called after each game that was replayed."""

_DIGITS = 3  # of beliefs in compact rows
_MAGIC = b"SQLite format 3\0"


def is_store(path: str | Path) -> bool:
    """Whether a file looks like a store, and not like a record or a table of rows."""
    try:
        if Path(path).is_fifo():  # what is read from a pipe is gone
            return False
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def compact(outcome: Outcome) -> Outcome:
    """An outcome without moves and rewards, which can be replayed, and with rounded beliefs."""
    beliefs = {name: _rounded(getattr(outcome, name)) for name in ("posteriors", "deviations")}
    return replace(outcome, rewards=(), moves=(), **beliefs)


def _rounded(value: Any) -> Any:
    if type(value) is float:
        return round(value, _DIGITS)
    if type(value) is list:
        return [_rounded(inner) for inner in value]
    if type(value) is dict:
        return {key: _rounded(inner) for key, inner in value.items()}
    return value


def _is_compact(outcome: Outcome) -> bool:
    return outcome.plies > 0 and not outcome.moves


def differences(one: Outcome, other: Outcome) -> list[str]:
    """Names of what is not the same in two outcomes; as far as both have it."""
    if _is_compact(one) or _is_compact(other):
        one, other = compact(one), compact(other)
    names = [field.name for field in fields(Outcome)]
    return [name for name in names if getattr(one, name) != getattr(other, name)]


def _job_of(store: Store, row: Mapping[str, Any]) -> Job:
    return Job(
        row["job_id"], row["plan_index"], row["cell"], row["block"], row["slot"], row["seed"],
        row["config"], game_of(store, row["config"]["game"]),
        _agents_folder(store, members_of(row["config"])),
    )  # fmt: skip


def _agents_folder(store: Store, members: Iterable[str]) -> str:
    """Where files of agents are: beside the store, or beside the experiment's file."""
    files = [name for text in members for name in _FILE.findall(text)]
    beside = store.path.parent
    if all(Path(name).is_file() or (beside / name).is_file() for name in files):
        return str(beside)
    with suppress(InvalidInput):
        return find_experiment(store.origins().values(), folders=[beside]).folder
    raise StoreError(
        f"{store.path} needs the agents {', '.join(files)}, which are neither here nor next to the "
        "store: copy them here, or run this in their folder"
    )


def game_of(store: Store, name: str) -> str:
    """What to load a store's game by: its name, or where its file is by now.

    A file is looked for where one stands, beside the store, and beside the experiment's file.
    """
    file = untagged(name)
    if not file.endswith(".py") or Path(file).is_file():
        return name
    beside = store.path.parent / file
    if beside.is_file():
        return f"{name.removesuffix(file)}{beside}"
    with suppress(InvalidInput):
        return find_experiment(store.origins().values(), folders=[store.path.parent]).home or name
    raise StoreError(
        f"{store.path} needs the game {name}, which is neither here nor next to the store: copy it "
        "here, or run this in its folder"
    )


def find_game(store: Store, name: str) -> dict[str, Any]:
    """The row of a game, by its ID or by a beginning that no other job has."""
    ids = [game for (game,) in store.rows("game_id")]
    found = [name] if name in ids else [game for game in ids if game.startswith(name)]
    jobs = {game.rpartition("-")[0] for game in found}
    if len(jobs) != 1 or not name:
        raise InvalidInput(f"{store.path} has {_no_such_game(name, found, ids)}")
    (row,) = rows_as_dicts(store, game_id=found[0])
    return row


def _no_such_game(name: str, found: list[str], ids: list[str]) -> str:
    if not name and ids:
        return f"{len(ids)} games: give the ID of one, such as {ids[0]}, or its first characters"
    if found:
        return f"{len(found)} games whose ID starts with {name!r}: {', '.join(found[:3])}"
    close = difflib.get_close_matches(name, ids, n=1) or ids[:1]
    return f"no game {name!r}; expected one such as {close[0]}" if close else "no games yet"


def rows_as_dicts(
    store: Store, columns: Sequence[str] = COLUMNS, **equal: Any
) -> Iterator[dict[str, Any]]:
    """Rows of a store by the names of their columns."""
    for row in store.rows(*columns, **equal):
        yield dict(zip(columns, row, strict=True))


def bare_games(store: Store, most: int | None = None) -> int:
    """How many games (of the first ``most``) have no moves, since they come from compact rows."""
    bare = {game for game, plies in store.rows("game_id", "plies", moves="[]") if plies > 0}
    if most is None or not bare:
        return len(bare)
    return sum(game in bare for (game,) in islice(store.rows("game_id"), most))


def silent() -> None:
    """Tell nobody."""


class Completed:
    """Outcomes of rows with all that compact rows leave out: such games are replayed.

    Rows of a series must come together, so that it is replayed only once. ``on_game`` is called
    after each game that was replayed.
    """

    def __init__(self, store: Store, on_game: OnGame = silent) -> None:
        self._store, self._on_game, self._job_id = store, on_game, ""
        self._outcomes: tuple[Outcome, ...] = ()

    def __call__(self, row: Mapping[str, Any]) -> Outcome:
        """How the game of a row went; a replay must match what is stored."""
        stored = outcome_of(row)
        if not _is_compact(stored):
            return stored
        if row["job_id"] != self._job_id:
            self._outcomes = play_job(_job_of(self._store, row))
            self._job_id = row["job_id"]
        outcome: Outcome = self._outcomes[row["round"]]
        if differences(stored, outcome):
            raise _replays_differently(self._store, row)
        self._on_game()
        return outcome


def record_in(store: Store, row: Mapping[str, Any]) -> Record:
    """The full record of a stored game by replaying it, which must match what is stored."""
    job = _job_of(store, row)
    by_people = PERSON in job.members
    record = record_by_people(job, row["moves"]) if by_people else record_of(job, row["round"])
    moves = [move.action for move in record.moves]
    plies = record.moves[-1].ply if record.moves else 0
    if (row["moves"] or moves) != moves or (plies, record.reason) != (row["plies"], row["reason"]):
        raise _replays_differently(store, row)
    return record


def _replays_differently(store: Store, row: Mapping[str, Any]) -> StoreError:
    return StoreError(
        f"game {row['game_id']} replays differently from what is stored in {store.path}: it was "
        "played by other code, or the store was changed"
    )


def stored_record(path: Path, name: str) -> tuple[Record, str]:
    """The full record of a game in a store's file, and the game that is played in it."""
    with Store.read(path) as store:
        row = find_game(store, name)
        return record_in(store, row), game_of(store, row["config"]["game"])


def find_experiment(
    origins: Iterable[Origin], given: str | None = None, folders: Iterable[Path] = ()
) -> Experiment:
    """The experiment that games come from: as given, or the one of the right name that fits best.

    TOML files are looked for in ``folders`` and in the current folder.
    """
    known = list(origins)
    names = list(dict.fromkeys(origin.name for origin in known))
    if given is not None and (study := names_in(Path(given))):
        names = [name for name in names if name in study] or sorted(study)
        if len(names) == 1:
            return experiment_in(given, names[0])
    elif given in names and given not in shipped():
        names = [given]
    elif given is not None:
        return read_experiment(given)
    if not names:
        raise InvalidInput("there are no games")
    if len(names) > 1:
        raise InvalidInput(f"there are games of {', '.join(names)}: choose one with --experiment")
    found = _candidates(names[0], folders)
    played = {canonical(origin.config) for origin in known}
    fitting = (one for one in found if canonical(one.config) in played)
    return next(fitting, found[0])


def _candidates(name: str, folders: Iterable[Path]) -> list[Experiment]:
    """Experiments of this name; errors in files only matter if there is no other."""
    found: list[Experiment] = []
    missing = InvalidInput(
        f"cannot find the file of experiment {name!r}: give it with --experiment FILE"
    )
    here = dict.fromkeys(folder.resolve() for folder in (Path(), *folders))
    files = (file for folder in here for file in sorted(folder.glob("*.toml")))
    ours: list[str | Path] = [name] if name in shipped() else []
    named = (file for file in files if _name_in(file) == name or name in names_in(file))
    for place in (*ours, *named):
        try:
            is_study = isinstance(place, Path) and names_in(place)
            found.append(experiment_in(place, name) if is_study else read_experiment(place))
        except InvalidInput as error:
            missing = error
    if not found:
        raise missing
    return found


def _name_in(file: Path) -> object:
    """What a TOML file calls itself; None if it cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")).get("name")
    except (OSError, ValueError, RecursionError):
        return None


@dataclass(frozen=True)
class Checked:
    """A game that was replayed, and the names of what differs."""

    game_id: str
    differences: tuple[str, ...]
    has_moves: bool  # without them, in a compact row, only the rest was compared


class Drawn(NamedTuple):
    """A stored job to replay, and the rows of its games."""

    job: Job
    rows: list[dict[str, Any]]


def sample(store: Store, games: int, seed: int = 0) -> list[Drawn]:
    """Jobs of at least so many games, drawn at random; a series comes whole."""
    if games < 1:
        raise InvalidInput(f"--games must be 1 or more, got {games}")
    jobs = [job for (job,) in store.rows("job_id", round=0)]
    drawn: list[Drawn] = []
    for place in np.random.default_rng(seed).permutation(len(jobs)):
        if games <= 0:
            break
        drawn.append(_drawn(store, jobs[place]))
        games -= len(drawn[-1].rows)
    return drawn


def _drawn(store: Store, job_id: str) -> Drawn:
    """A job with its games, found by their names: there is no index on jobs."""
    rows = list(rows_as_dicts(store, game_id=f"{job_id}-0"))
    job = _job_of(store, rows[0])
    for number in range(1, job.rounds):
        rows += rows_as_dicts(store, game_id=f"{job_id}-{number}")
    return Drawn(job, rows)


def verify(drawn: Iterable[Drawn], executor: Executor | None = None) -> Iterator[Checked]:
    """Replay games of a :func:`sample` and compare everything that is stored of them.

    They are replayed here and one by one, or all at once by an executor.
    """
    jobs = list(drawn)
    if executor is None:
        played: Iterable[tuple[Outcome, ...]] = (play_job(job) for job, _ in jobs)
    else:
        futures = [executor.submit(play_job, job) for job, _ in jobs]
        played = (future.result().outcomes for future in futures)
    for (_, rows), outcomes in zip(jobs, played, strict=True):
        for row, outcome in zip(rows, outcomes, strict=True):
            stored = outcome_of(row)
            other = tuple(differences(stored, outcome))
            yield Checked(row["game_id"], other, has_moves=bool(stored.moves))


def code_changes(store: Store) -> list[str]:
    """Parts of the code that are not what they were when the games were played, in words."""
    changed: dict[str, None] = {}
    for origin in store.origins().values():
        members = {text for cell in origin.config["cells"].values() for text in members_of(cell)}
        folder = _agents_folder(store, members)
        now = code_parts(game_of(store, origin.config["game"]), members, folder)
        changed.update(dict.fromkeys(changed_parts(now, origin.code)))
    return list(changed)
