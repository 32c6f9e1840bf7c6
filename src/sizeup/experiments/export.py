"""Games of a store for others: tidy rows as CSV, PDN, and full records.

:mod:`~sizeup.experiments.parquet` writes and reads the same rows as Parquet.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.experiments.arena import arena
from sizeup.experiments.job import Outcome
from sizeup.experiments.origin import Origin, canonical
from sizeup.experiments.store import COLUMNS as STORED
from sizeup.experiments.store import Store
from sizeup.experiments.stored import compact as in_compact
from sizeup.experiments.stored import job_of, outcome_of, record_in, rows_as_dicts
from sizeup.experiments.worker import play_job
from sizeup.games.pdn import PdnGame, write_pdn
from sizeup.games.scenes import one_line
from sizeup.play.export import require_checkers

__all__ = ["COLUMNS", "LEFT_OUT", "UNPLANNED", "tidy", "to_csv", "to_pdn", "to_records", "whole"]

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


def tidy(store: Store, compact: bool = False) -> Iterator[dict[str, Any]]:
    """Rows of all games in the order of the plan, one value a column; beliefs as JSON.

    ``origin`` is the number that the store has for what they come from.

    Parameters
    ----------
    store
        Open for reading.
    compact
        Leave out :data:`LEFT_OUT`, and give beliefs three digits.
    """
    origins = {number: _origin(origin) for number, origin in store.origins().items()}
    columns = [name for name in STORED if not (compact and name in LEFT_OUT)]
    for row in rows_as_dicts(store, columns):
        outcome = outcome_of(row)
        yield {
            **origins[row["origin"]],
            **{name: row[name] for name in _OF_THE_GAME},
            **_teams(row["config"]),
            **_result(in_compact(outcome) if compact else outcome),
            **({} if compact else {name: row[name] for name in LEFT_OUT}),
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


def _teams(config: Mapping[str, Any]) -> dict[str, Any]:
    """Who plays: members in the order of their seats."""
    against = config["against"]
    return {
        "game": config["game"], "team": _seated(config["team"]),
        "against": None if against is None else _seated(against), "side": config["side"],
    }  # fmt: skip


def _seated(side: Mapping[str, Any]) -> str:
    return "+".join(side["members"][number] for number in side["order"])


def _result(outcome: Outcome) -> dict[str, Any]:
    return {
        "score": outcome.score, "total": outcome.total, "reason": outcome.reason,
        "plies": outcome.plies, "posteriors": canonical(outcome.posteriors),
        "deviations": canonical(outcome.deviations),
    }  # fmt: skip


def to_csv(store: Store, path: Path, compact: bool = False) -> int:
    """Write tidy rows as CSV, lists as JSON; how many there are."""
    columns = [name for name in COLUMNS if not (compact and name in LEFT_OUT)]
    count = 0
    with whole(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in tidy(store, compact):
            lists = {name: canonical(row[name]) for name in LEFT_OUT if name in row}
            writer.writerow({**row, **lists})
            count += 1
    return count


def to_pdn(store: Store, path: Path) -> int:
    """Write all games, which must be of checkers, as PDN; how many there are.

    Games whose moves were left out of compact rows are played again.
    """
    for origin in store.origins().values():
        require_checkers(origin.config["game"])
    count = 0
    with whole(path) as part, part.open("w", encoding="utf-8") as file:
        for count, row in enumerate(rows_as_dicts(store), start=1):  # noqa: B007  (returned)
            file.write(write_pdn(_pdn(row)) + "\n")
    return count


def _pdn(row: Mapping[str, Any]) -> PdnGame:
    config = row["config"]
    sides = [config["team"], config["against"]]
    if config["side"] == 1:
        sides.reverse()
    black = 1 - 2 * config["side"]  # scores and totals are those of the team
    tags = (
        ("Event", one_line(row["cell"])),
        ("Round", row["game_id"]),
        ("Black", _seated(sides[0])),
        ("White", _seated(sides[1])),
        ("Termination", one_line(row["reason"])),
        ("Score", f"{black * row['total'] + 0.0:g}"),
        ("Seed", str(row["seed"])),
    )
    view = arena(config["game"], config["params"], [len(side["members"]) for side in sides])
    start = state = view.start()
    actions = []
    for move in _moves(row):
        actions.append(view.action_from_text(state, move))
        state, _ = view.apply(state, actions[-1])
    result = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[black * row["score"]]
    return PdnGame(tags, getattr(start, "base", start), tuple(actions), result)


def _moves(row: Mapping[str, Any]) -> Sequence[str]:
    moves: Sequence[str] = row["moves"]
    return moves or play_job(job_of(row))[row["round"]].moves


def to_records(store: Store, folder: Path) -> Iterator[Path]:
    """Play all games again, which takes as long as it took, and write the record of each."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"cannot write to {folder}: {error.strerror}") from None
    for row in rows_as_dicts(store):
        path = folder / f"{row['game_id']}.json"
        record = record_in(store, row)
        with whole(path) as part:
            record.save(part)
        yield path


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A file to write to that takes its place when all is written, so that there is no half one."""
    part = path.with_name(f".{path.name}.part")
    try:
        yield part
        os.replace(part, path)
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
