"""Games of a store for others: tidy rows as CSV, PDN, and full records.

:mod:`~sizeup.experiments.parquet` writes and reads the same rows as Parquet.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.experiments.arena import arena
from sizeup.experiments.job import Outcome
from sizeup.experiments.origin import Origin, canonical
from sizeup.experiments.store import COLUMNS as STORED
from sizeup.experiments.store import Store
from sizeup.experiments.stored import (
    Completed,
    OnGame,
    is_store,
    outcome_of,
    record_in,
    rows_as_dicts,
    silent,
)
from sizeup.experiments.stored import compact as in_compact
from sizeup.games.pdn import PdnGame, read_pdn, write_pdn
from sizeup.games.scenes import one_line
from sizeup.play.export import require_checkers
from sizeup.play.export import to_pdn as record_to_pdn

__all__ = [
    "COLUMNS",
    "LEFT_OUT",
    "UNPLANNED",
    "exported",
    "players_of",
    "tidy",
    "to_csv",
    "to_pdn",
    "to_records",
    "whole",
]

UNPLANNED = ("seconds", "host", "attempt", "finished")
"""Columns that depend on where and when a game was played. In all others, equal plans are equal."""

LEFT_OUT = ("moves", "rewards")
"""Columns that compact rows have no room for: a game can be played again from its seed."""

COLUMNS = (
    "experiment", "root_seed", "config_fingerprint", "code_fingerprint",
    "game_id", "plan_index", "cell", "block", "slot", "round", "seed",
    "game", "team", "against", "side",
    "score", "total", "reason", "plies", "posteriors", "deviations", *LEFT_OUT, *UNPLANNED,
)  # fmt: skip
"""Columns of exported rows."""


def tidy(
    store: Store,
    compact: bool = False,
    outcome_in: Callable[[Mapping[str, Any]], Outcome] = outcome_of,
) -> Iterator[dict[str, Any]]:
    """Rows of all games in the order of the plan, one value a column; beliefs as JSON.

    ``origin`` is the number that the store has for what they come from.

    Parameters
    ----------
    store
        Open for reading.
    compact
        Leave out :data:`LEFT_OUT`, and give beliefs three digits.
    outcome_in
        Reads how a game went from its row; :class:`~sizeup.experiments.stored.Completed` also
        gives what the store has only in compact form.
    """
    origins = {number: _origin(origin) for number, origin in store.origins().items()}
    columns = [name for name in STORED if not (compact and name in LEFT_OUT)]
    for row in rows_as_dicts(store, columns):
        outcome = outcome_in(row)
        yield {
            **origins[row["origin"]],
            **{name: row[name] for name in _OF_THE_GAME},
            **players_of(row["config"]),
            **_result(in_compact(outcome) if compact else outcome),
            **({} if compact else {name: list(getattr(outcome, name)) for name in LEFT_OUT}),
            **{name: row[name] for name in UNPLANNED},
            "origin": row["origin"],
        }


_OF_THE_GAME = ("game_id", "plan_index", "cell", "block", "slot", "round", "seed")


def _origin(origin: Origin) -> dict[str, Any]:
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
        raise InvalidInput(f"the configuration of a game is damaged: no {error}") from None


def _seated(side: Mapping[str, Any]) -> str:
    return "+".join(side["members"][number] for number in side["order"])


def _result(outcome: Outcome) -> dict[str, Any]:
    return {
        "score": outcome.score, "total": outcome.total, "reason": outcome.reason,
        "plies": outcome.plies, "posteriors": canonical(outcome.posteriors),
        "deviations": canonical(outcome.deviations),
    }  # fmt: skip


def exported(store: Store, compact: bool, on_game: OnGame = silent) -> Iterator[dict[str, Any]]:
    """Tidy rows, complete unless they are compact: what has no moves is played again."""
    return tidy(store, compact) if compact else tidy(store, outcome_in=Completed(store, on_game))


def to_csv(store: Store, path: Path, compact: bool = False, on_game: OnGame = silent) -> int:
    """Write rows as CSV, lists as JSON; how many there are. See :func:`exported`."""
    columns = [name for name in COLUMNS if not (compact and name in LEFT_OUT)]
    count = 0
    with whole(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in exported(store, compact, on_game):
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
    """Write games, which must be of checkers, as PDN; how many there are.

    Comments say which seat moved, where a side has several. Games whose moves were left out of
    compact rows are played again.

    Parameters
    ----------
    store
        Open for reading.
    path
        The file.
    beliefs
        Comments also say what players believe about each other, as in
        :func:`sizeup.play.export.to_pdn`. All games are played again for that.
    most
        Only the first games of the plan, at most so many.
    on_game
        Told of each game that was played again.
    """
    for origin in store.origins().values():
        require_checkers(origin.config["game"])
    pdn_of = _WithBeliefs(store, on_game) if beliefs else _WithSeats(store, on_game)
    count = 0
    with whole(path) as part, part.open("w", encoding="utf-8") as file:
        for count, row in enumerate(islice(rows_as_dicts(store), most), start=1):  # noqa: B007  returned below
            file.write(write_pdn(pdn_of(row)) + "\n")
    return count


class _WithSeats:
    """Games from the moves that are stored, or else played again."""

    def __init__(self, store: Store, on_game: OnGame) -> None:
        self._completed = Completed(store, on_game)

    def __call__(self, row: Mapping[str, Any]) -> PdnGame:
        sizes = [len(side["members"]) for side in _sides(row["config"])]
        view = arena(row["config"]["game"], row["config"]["params"], sizes)
        start = state = view.start()
        actions, comments = [], []
        for move in self._completed(row).moves:
            seat = view.acting(state)
            is_alone = sizes[view.teams[seat]] == 1
            comments.append("" if is_alone else f"seat {seat}")
            actions.append(view.action_from_text(state, move))
            state, _ = view.apply(state, actions[-1])
        position = getattr(start, "base", start)
        return PdnGame(_tags(row), position, tuple(actions), _pdn_result(row), tuple(comments))


class _WithBeliefs:
    """Games from full records, which takes playing them again."""

    def __init__(self, store: Store, on_game: OnGame) -> None:
        self._store, self._on_game = store, on_game

    def __call__(self, row: Mapping[str, Any]) -> PdnGame:
        (game,) = read_pdn(record_to_pdn(record_in(self._store, row)))
        self._on_game()
        return replace(game, tags=_tags(row))


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


def _pdn_result(row: Mapping[str, Any]) -> str:
    return {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[_sign(row) * row["score"]]


def to_records(store: Store, folder: Path, most: int | None = None) -> Iterator[Path]:
    """Play games again, which takes as long as it took, and write the record of each.

    With ``most`` it is only the first games of the plan, at most so many.
    """
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


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A file to write to that takes its place when all is written, so that there is no half one.

    A link stays a link. What is no file, such as ``/dev/stdout``, is written to as it is.
    """
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


def _check_target(path: Path) -> None:
    """Refuse to write where a file cannot be, or where games are."""
    if not path.name or path.is_dir():
        raise InvalidInput(f"cannot write {str(path)!r}: it is a directory, name a file in it")
    if path.is_file() and is_store(path):
        raise InvalidInput(f"cannot write {path}: it is a store of games, name another file")
