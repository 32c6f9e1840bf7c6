"""Games of a store for others: tidy rows as CSV and Parquet, PDN, and full records.

Parquet is small enough to keep beside a paper, and whole enough to merge again: the file's metadata
hold what the games come from (:class:`~sizeup.experiments.job.Origin`).
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import IO, Any

from sizeup.errors import InvalidInput
from sizeup.experiments.job import Origin, Outcome, canonical
from sizeup.experiments.store import COLUMNS as STORED
from sizeup.experiments.store import Store, outcome_of
from sizeup.experiments.stored import Completed, OnGame, is_store, record_in, rows_as_dicts, silent
from sizeup.experiments.stored import compact as in_compact
from sizeup.games.checkers.pdn import PdnGame, read_pdn, write_pdn
from sizeup.play import export as play_export
from sizeup.play.table import arena
from sizeup.words import one_line

UNPLANNED = ("seconds", "host", "attempt", "finished")
"""Columns that depend on where and when a game was played. In all others, equal plans are equal."""

LEFT_OUT = ("moves", "rewards")
"""Columns that compact rows leave out: a game can be replayed from its seed."""

COLUMNS = (
    "experiment", "root_seed", "config_fingerprint", "code_fingerprint",
    "game_id", "plan_index", "cell", "block", "slot", "round", "seed",
    "game", "team", "against", "side",
    "score", "total", "reason", "plies", "posteriors", "deviations", *LEFT_OUT, *UNPLANNED,
)  # fmt: skip

_SCHEMA = "sizeup-games/1"  # of Parquet's columns and metadata; other versions are refused
_MAGIC = b"PAR1"
_KEY = b"sizeup"
_BATCH = 20_000  # held at a time
_COLUMN_TYPES = {
    "plan_index": "int64", "block": "int32", "slot": "int32", "round": "int32", "side": "int8",
    "score": "int8", "total": "float64", "plies": "int32", "seconds": "float32",
    "attempt": "int32", "origin": "int32",
}  # fmt: skip
_LIST_TYPES = {"moves": "string", "rewards": "float64"}
_OPTIONAL = ("against", "score")
_NEEDED = (*(n for n in COLUMNS if n not in (*_OPTIONAL, *LEFT_OUT)), "origin")
_STDOUT = Path("/dev/stdout")
_ALL_DIFFERENT = ("game_id", "posteriors", "deviations", "seconds", "finished")


def tidy(
    store: Store,
    compact: bool = False,
    outcome_in: Callable[[Mapping[str, Any]], Outcome] = outcome_of,
) -> Iterator[dict[str, Any]]:
    """Rows of all games in the order of the plan, one value a column; beliefs as JSON.

    ``origin`` is the number that the store has for what they come from. Compact rows leave out
    :data:`LEFT_OUT` and have beliefs of three digits. ``outcome_in`` reads how a game went;
    :class:`~sizeup.experiments.stored.Completed` replays what the store has only in compact form.
    """
    origins = {number: origin_columns(origin) for number, origin in store.origins().items()}
    columns = [name for name in STORED if not (compact and name in LEFT_OUT)]
    for row in rows_as_dicts(store, columns):
        outcome = outcome_in(row)
        result = vars(in_compact(outcome) if compact else outcome)
        values = {**row, **origins[row["origin"]], **players_of(row["config"]), **result}
        values |= {name: canonical(values[name]) for name in ("posteriors", "deviations")}
        values |= {name: list(values[name]) for name in LEFT_OUT}
        yield {name: values[name] for name in (*_columns(compact), "origin")}


def _columns(compact: bool) -> list[str]:
    return [name for name in COLUMNS if not (compact and name in LEFT_OUT)]


def origin_columns(origin: Origin) -> dict[str, Any]:
    """What the row of a game says about what it comes from."""
    return {
        "experiment": origin.name, "root_seed": origin.seed,
        "config_fingerprint": origin.config_fingerprint,
        "code_fingerprint": origin.code_fingerprint,
    }  # fmt: skip


def players_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """Who plays: members in the order of their seats."""
    try:
        against = config["against"]
        return {
            "game": config["game"], "team": _seated(config["team"]),
            "against": None if against is None else _seated(against), "side": config["side"],
        }  # fmt: skip
    except (LookupError, TypeError) as error:
        raise InvalidInput(f"the configuration of a game is damaged: {error} is missing") from None


def _seated(side: Mapping[str, Any]) -> str:
    return "+".join(side["members"][number] for number in side["order"])


def to_csv(store: Store, path: Path, compact: bool = False, on_game: OnGame = silent) -> int:
    """Write rows as CSV, lists as JSON; how many there are.

    Compact rows have no moves and rewards, and beliefs of three digits. For full rows, games that
    are stored without moves are replayed, and ``on_game`` is called after each.
    """
    outcome_in = outcome_of if compact else Completed(store, on_game)
    count = 0
    with whole(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, _columns(compact), extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in tidy(store, compact, outcome_in):
            lists = {name: canonical(row[name]) for name in LEFT_OUT if name in row}
            writer.writerow({**row, **lists})
            count += 1
    return count


def to_pdn(
    store: Store,
    path: Path,
    *,
    beliefs: bool = False,
    most: int | None = None,
    on_game: OnGame = silent,
) -> int:
    """Write games (the first ``most`` of the plan), which must be of checkers, as PDN; how many.

    Comments say which seat moved, where a side has several, and with ``beliefs`` what players
    believe about each other, as in :func:`sizeup.play.export.to_pdn`: all games are replayed for
    that, and otherwise those stored without moves.
    """
    for origin in store.origins().values():
        play_export.require_checkers(origin.config["game"])
    completed = Completed(store, on_game)
    count = 0
    with whole(path) as part, part.open("w", encoding="utf-8") as file:
        for count, row in enumerate(islice(rows_as_dicts(store), most), start=1):  # noqa: B007  returned below
            if beliefs:
                (game,) = read_pdn(play_export.to_pdn(record_in(store, row)))
                game = replace(game, tags=_tags(row))
                on_game()
            else:
                game = _with_seats(row, completed(row).moves)
            file.write(write_pdn(game) + "\n")
    return count


def _with_seats(row: Mapping[str, Any], moves: Sequence[str]) -> PdnGame:
    """A game with comments that say which seat moved."""
    sizes = [len(side["members"]) for side in _sides(row["config"])]
    view = arena(row["config"]["game"], row["config"]["params"], sizes)
    state = view.start()
    actions, comments = [], []
    for move in moves:
        seat = view.acting(state)
        comments.append("" if sizes[view.teams[seat]] == 1 else f"seat {seat}")
        actions.append(view.action_from_text(state, move))
        state, _ = view.apply(state, actions[-1])
    position = view.base_state(view.start())
    result = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[_sign(row) * row["score"]]
    return PdnGame(_tags(row), position, tuple(actions), result, tuple(comments))


def _sides(config: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Teams as they sit: black, then white."""
    sides = [config["team"], config["against"]]
    return sides if config["side"] == 0 else sides[::-1]


def _sign(row: Mapping[str, Any]) -> int:
    """What makes a score of the team one of black."""
    return 1 - 2 * int(row["config"]["side"])


def _tags(row: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    black, white = _sides(row["config"])
    return (
        ("Event", one_line(row["cell"])),
        ("Round", row["game_id"]),
        ("Black", _seated(black)),
        ("White", _seated(white)),
        ("Termination", one_line(row["reason"])),
        ("Score", f"{_sign(row) * row['total'] + 0.0:g}"),
        ("Seed", str(row["seed"])),
    )


def to_records(store: Store, folder: Path, most: int | None = None) -> Iterator[Path]:
    """Replay games (the first ``most`` of the plan) and write the record of each."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"cannot write to {folder}: {error.strerror}") from None
    for row in islice(rows_as_dicts(store), most):
        path = folder / f"{row['game_id']}.json"
        record = record_in(store, row)
        with whole(path) as part:
            record.save(part)
        yield path


def is_stdout(path: Path) -> bool:
    """Whether a path stands for standard output."""
    return str(path) in ("-", str(_STDOUT), "/dev/fd/1", "/proc/self/fd/1")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A file to write to that takes its place once it is complete, so that none is ever half done.

    A link stays a link. A device or pipe, and standard output (``-`` or ``/dev/stdout``), is
    written to directly.
    """
    if is_stdout(path):
        if not _STDOUT.exists():
            raise InvalidInput(f"this system has no {_STDOUT}: name a file instead of {path}")
        with _to_itself() as stdout:
            yield stdout
        return
    _check_target(path)
    real = Path(os.path.realpath(path))
    in_place = real.exists() and not real.is_file()
    part = real if in_place else real.with_name(f".{real.name}.part")
    try:
        yield part
        if not in_place:
            os.replace(part, real)
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        if not in_place:
            with suppress(OSError):
                part.unlink(missing_ok=True)


@contextmanager
def _to_itself() -> Iterator[Path]:
    """Standard output as a path; what games print in the meantime goes to standard error."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield Path(f"/dev/fd/{kept}")
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def _check_target(path: Path) -> None:
    """Refuse to write where a file cannot be, or where games are."""
    if not path.name or path.is_dir():
        raise InvalidInput(f"cannot write {str(path)!r}: it is a folder, name a file in it")
    if path.is_file() and is_store(path):
        raise InvalidInput(f"cannot write {path}: it is a store of games, name another file")


def to_parquet(store: Store, path: Path, compact: bool = True, on_game: OnGame = silent) -> int:
    """Write rows as Parquet; how many there are. See :func:`to_csv`."""
    arrow, parquet = _pyarrow()
    names = [*_columns(compact), "origin"]
    origins = {str(number): asdict(origin) for number, origin in store.origins().items()}
    metadata = json.dumps({"schema": _SCHEMA, "origins": origins}, sort_keys=True).encode()
    schema = arrow.schema([(name, _kind(arrow, name)) for name in names], {_KEY: metadata})
    words = [name for name in names if name not in (*_ALL_DIFFERENT, *LEFT_OUT)]
    outcome_in = outcome_of if compact else Completed(store, on_game)
    count, rows = 0, tidy(store, compact, outcome_in)
    with (
        whole(path) as part,
        _seekable(part) as place,
        parquet.ParquetWriter(
            place, schema, compression="zstd", compression_level=15, use_dictionary=words
        ) as writer,
    ):
        while some := [_with_text_seeds(row) for row in islice(rows, _BATCH)]:
            writer.write_table(arrow.Table.from_pylist(some, schema))
            count += len(some)
    return count


@contextmanager
def _seekable(path: Path) -> Iterator[Path | IO[bytes]]:
    """Where one can go back and forth while writing; a pipe gets it all in the end."""
    if path.is_file() or not path.exists():
        yield path
        return
    with tempfile.TemporaryFile() as file:
        yield file
        file.seek(0)
        with path.open("wb") as pipe:
            shutil.copyfileobj(file, pipe)


def _kind(arrow: Any, name: str) -> Any:
    if name in _LIST_TYPES:
        return arrow.list_(getattr(arrow, _LIST_TYPES[name])())
    return getattr(arrow, _COLUMN_TYPES.get(name, "string"))()


def _with_text_seeds(row: Mapping[str, Any]) -> dict[str, Any]:
    """Seeds can be larger than any of Parquet's numbers."""
    return {**row, "root_seed": str(row["root_seed"]), "seed": str(row["seed"])}


def is_parquet(path: Path) -> bool:
    """Whether a file looks like Parquet."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror}") from None


def origins_in(path: Path) -> dict[int, Origin]:
    """What the games of a file come from, by the number in their rows."""
    arrow, parquet = _pyarrow()
    try:
        schema = parquet.read_schema(path)
    except (OSError, arrow.ArrowException) as error:
        raise _unreadable(path, error) from None
    try:
        found = json.loads((schema.metadata or {})[_KEY])
        if found["schema"] != _SCHEMA:
            raise ValueError
        origins = {int(number): _read_origin(origin) for number, origin in found["origins"].items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InvalidInput(
            f"{path} holds no games of schema {_SCHEMA!r}: expected a file that sizeup export "
            "--parquet wrote"
        ) from None
    missing = [name for name in (*_NEEDED, *_OPTIONAL) if name not in schema.names]
    if missing:
        raise InvalidInput(f"{path} has no column {', '.join(missing)}")
    for name in set(COLUMNS).intersection(schema.names):
        kind, expected = schema.field(name).type, _kind(arrow, name)
        if kind != expected:
            raise InvalidInput(f"{path}: column {name} is of type {kind}, expected {expected}")
    return origins


def _read_origin(given: dict[str, Any]) -> Origin:
    """What games come from, if it is of the right shape."""
    origin = Origin(**given)
    texts = (*origin.code.values(), *origin.versions.values(), origin.name)
    if type(origin.seed) is not int or not all(isinstance(text, str) for text in texts):
        raise TypeError
    return origin


def rows_in(path: Path) -> Iterator[dict[str, Any]]:
    """Rows of a file as a store gives them, with what is left out empty."""
    arrow, parquet = _pyarrow()
    try:
        with parquet.ParquetFile(path) as file:
            rows = (row for batch in file.iter_batches(_BATCH) for row in batch.to_pylist())
            for number, row in enumerate(rows, start=1):
                yield _read_row(row, f"row {number} of {path} cannot be read")
    except (OSError, arrow.ArrowException) as error:
        raise _unreadable(path, error) from None


def _read_row(row: Mapping[str, Any], complaint: str) -> dict[str, Any]:
    for name in _NEEDED:
        if row[name] is None:
            raise InvalidInput(f"{complaint}: {name} is missing")
    try:
        read = {
            "seed": int(row["seed"]), "posteriors": json.loads(row["posteriors"]),
            "deviations": json.loads(row["deviations"]),
        }  # fmt: skip
    except ValueError as error:
        raise InvalidInput(f"{complaint}: {error}") from None
    job_id = row["game_id"].rpartition("-")[0]
    left_out: dict[str, Any] = {name: [] for name in LEFT_OUT}
    return {**left_out, **row, **read, "job_id": job_id}


def _unreadable(path: Path, error: Exception) -> InvalidInput:
    return InvalidInput(f"cannot read {path}: {str(error).splitlines()[0]}")


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InvalidInput(
            "Parquet needs pyarrow: pip install 'sizeup[parquet]', or export CSV"
        ) from None
    return pyarrow, parquet
