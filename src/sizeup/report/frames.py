"""Games, moves and beliefs as pandas tables: tidy, one kind of row each, dtypes that never change.

*Data dictionary* in the documentation says what every column means. Every frame goes to Parquet and
back (``frame.to_parquet(path)``, ``pandas.read_parquet(path)``) with all values and dtypes. pandas
is only needed here: ``pip install 'sizeup[pandas]'``.

>>> from tempfile import TemporaryDirectory
>>> from sizeup.experiments import plan, spec, store, worker
>>> fire = plan.plan(spec.read_experiment("wall-of-fire"))
>>> game = store.Played(fire[3], worker.play_job(fire[3]), 0.5, "here", 1, "2026-01-01")
>>> with TemporaryDirectory() as folder:
...     with store.Store.open(f"{folder}/fire.db", fire.origin) as games:
...         new = games.add([game])
...         frame, last = games_frame(games), last_beliefs_frame(games)
...         away, records = deviations_frame(games), records_of(games)
>>> frame[["arm", "team", "total"]].values.tolist()
[['aware', 'ca:20@2,20+obl:2', -2.0]]
>>> last.query("about == 1")[["type", "probability"]].round(3).values.tolist()
[[2.0, 1.0], [20.0, 0.0]]
>>> away.loc[:1, ["update", "deviation"]].round(2).values.tolist()
[[0.0, 12.73], [1.0, 3.22]]
>>> [record.players for record in records.values()]
[('ca:20@2,20', 'obl:2')]
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.experiments.export import is_parquet, origins_in, rows_in, tidy
from sizeup.experiments.job import Origin
from sizeup.experiments.members import read_member
from sizeup.experiments.store import Store
from sizeup.experiments.stored import game_of, record_in, rows_as_dicts
from sizeup.games.contract import CHANCE
from sizeup.play.record import Move, Record, Seen
from sizeup.play.replay import first_beliefs
from sizeup.play.table import arena
from sizeup.play.verdict import Verdict
from sizeup.report.crossplay import rows_of_crossplay
from sizeup.report.figures import Figure, ForestRow, forest, with_runs
from sizeup.report.formats import COLUMNS, rows_of
from sizeup.report.summary import Summary
from sizeup.report.tables import mean_of_any_size, spread_of

if TYPE_CHECKING:
    from pandas import DataFrame  # type: ignore[import-untyped]  # unless stubs are installed

GamesLike: TypeAlias = Store | str | Path
"""A store, the path of one, or the path of exported rows."""

RecordsLike: TypeAlias = Record | Iterable[Record] | Mapping[str, Record] | str | Path
"""A record, some records (called 0, 1, ...), records by name, or a file or folder of them."""

_Row: TypeAlias = tuple[Any, ...]

_NO_SEARCH = (None, None, None, nan, nan, nan)

GAMES: Mapping[str, str] = {
    "game_id": "string", "experiment": "string", "arm": "string", "cell": "string",
    "block": "int32", "slot": "int32", "round": "int32", "plan_index": "int64",
    "game": "string", "team": "string", "against": "string", "side": "int8",
    "score": "Int8", "total": "float64", "reason": "string", "plies": "int32",
    "seed": "string", "root_seed": "string", "config_fingerprint": "string",
    "code_fingerprint": "string", "seconds": "float64", "host": "string", "attempt": "int32",
    "finished": "datetime64[us, UTC]",
}  # fmt: skip
"""Columns of :func:`games_frame` and their dtypes."""

CROSSPLAY: Mapping[str, str] = {
    "agent": "string", "teammate": "string", "run": "int32", "value": "float64",
}  # fmt: skip
"""Columns of :func:`crossplay_frame` and their dtypes."""

MATCHES: Mapping[str, str] = {
    "seed": "string", "game": "string", "teams": "string", "total": "float64", "winner": "Int8",
    "plies": "int32", "reason": "string",
}  # fmt: skip
"""Columns of :func:`matches_frame` and their dtypes; the total is that of the first team."""

MOVES: Mapping[str, str] = {
    "game_id": "string", "number": "int32", "ply": "int32", "player": "int8", "side": "Int8",
    "agent": "string", "action": "string", "reward": "float64", "total": "float64",
    "choices": "Int32", "iterations": "Int64", "nodes": "Int64", "share": "float64",
    "value": "float64", "distance": "float64",
}  # fmt: skip
"""Columns of :func:`moves_frame` and their dtypes."""

BELIEFS: Mapping[str, str] = {
    "game_id": "string", "number": "int32", "ply": "int32", "believer": "int8", "about": "int8",
    "type": "int32", "evidence": "float64", "before": "float64", "after": "float64",
    "played": "float64", "samples": "int32", "none": "float64",
}  # fmt: skip
"""Columns of :func:`beliefs_frame` and their dtypes."""

LAST_BELIEFS: Mapping[str, str] = {
    "game_id": "string", "believer": "int8", "about": "int8", "type": "int32",
    "probability": "float64",
}  # fmt: skip
"""Columns of :func:`last_beliefs_frame` and their dtypes."""

DEVIATIONS: Mapping[str, str] = {
    "game_id": "string", "believer": "int8", "about": "int8", "update": "int32",
    "deviation": "float64",
}  # fmt: skip
"""Columns of :func:`deviations_frame` and their dtypes."""


def games_frame(games: GamesLike) -> DataFrame:
    """One row for each game of an experiment, in the order of the plan.

    ``games`` is a store, the path of one, or that of rows that ``sizeup export --parquet`` wrote.
    """
    return _frame(GAMES, _of_store(_row_of_game, games, compact=True))


def summary_frame(summary: Summary) -> DataFrame:
    """One row for each number of a report: entries of tables, comparisons, regrets.

    Its columns are those of ``sizeup report --csv``, with all digits.

    >>> toy = Summary("toy", "A toy", "Who wins?", "checkers", "toy.toml", "toy.db")
    >>> list(summary_frame(toy).columns[:4])
    ['experiment', 'table', 'measure', 'by']
    """
    rows = rows_of(summary)
    return _frame(COLUMNS, (tuple(row.get(name) for name in COLUMNS) for row in rows))


def crossplay_frame(summary: Summary) -> DataFrame:
    """One row for each agent, teammate that is held out, and run (a seed block) of a crossplay."""
    if summary.crossplay is None:
        raise InvalidInput(f"{summary.name} is not on a set of teammates: see sizeup crossplay")
    return _frame(CROSSPLAY, rows_of_crossplay(summary.crossplay))


def matches_frame(records: Iterable[Record]) -> DataFrame:
    """One row for each match: who played, and how it ended.

    >>> from sizeup.play import play
    >>> frame = matches_frame([play("wall-of-fire", ["obl:2+obl:2"], seed=1)])
    >>> frame[["seed", "teams", "total", "plies"]].values.tolist()
    [['1', 'obl:2+obl:2', 0.0, 20]]
    """
    return _frame(MATCHES, map(_row_of_match, records))


def _row_of_match(record: Record) -> _Row:
    sides = sorted(set(record.teams))
    players = list(zip(record.teams, record.players, strict=True))
    teams = " against ".join("+".join(str(p) for t, p in players if t == side) for side in sides)
    plies = record.moves[-1].ply if record.moves else 0
    winner = record.winner if len(sides) > 1 else None
    return str(record.seed), record.game, teams, record.total, winner, plies, record.reason


def moves_frame(source: RecordsLike | GamesLike) -> DataFrame:
    """One row for each move.

    ``source`` is a record, several of them, a mapping from names to records, the path of a record
    or of a folder of records (``sizeup export --records``); or games as :func:`games_frame` takes
    them. A store keeps moves and rewards but no searches: those columns are empty, and
    :func:`records_of` plays games again.

    >>> from sizeup.play import play
    >>> frame = moves_frame(play("wall-of-fire", ["obl:2+obl:2"], seed=1))
    >>> frame.loc[:1, ["agent", "action", "reward"]].values.tolist()
    [['obl:2', 'W', 0.0], ['obl:2', 'W', 0.0]]
    """
    if _is_of_records(source):
        return _frame(MOVES, _of_records(_rows_of_moves, cast(RecordsLike, source)))
    return _frame(MOVES, _of_store(_rows_of_kept_moves, cast(GamesLike, source)))


def beliefs_frame(records: RecordsLike) -> DataFrame:
    """One row for each move, believer, player that it is about, and type.

    Move 0 is before the first one. Later there are rows only where a belief was updated.

    ``records`` are those that :func:`moves_frame` takes. A store keeps only the last beliefs:
    :func:`records_of` makes records of its games.

    >>> from sizeup.play import play
    >>> frame = beliefs_frame(play("connect-four", ["ca:3@1,3+obl:1", "obl:2"], seed=1))
    >>> frame.query("about == 1 and type == 1")["after"].round(2).tolist()[:5]
    [0.5, 0.5, 0.5, 0.98, 0.99]
    """
    return _frame(BELIEFS, _of_records(_rows_of_beliefs, records))


def last_beliefs_frame(games: GamesLike) -> DataFrame:
    """One row for each game, believer, teammate that it is about, and type: how beliefs ended.

    ``games`` are those that :func:`games_frame` takes; exported rows have three digits unless
    ``--full``.
    """
    return _frame(LAST_BELIEFS, _of_store(_rows_of_last_beliefs, games))


def deviations_frame(games: GamesLike) -> DataFrame:
    """One row for each game, believer, teammate and update: how far the belief was from the truth.

    ``games`` are those that :func:`games_frame` takes; exported rows have three digits unless
    ``--full``.
    """
    return _frame(DEVIATIONS, _of_store(_rows_of_deviations, games))


class Matches(list[Record]):
    """Records of matches, in the order of their seeds.

    >>> from sizeup import play_many
    >>> played = play_many("wall-of-fire", ["obl:2+obl:2"], seeds=range(3))
    >>> played
    <Matches: 3 of wall-of-fire>
    >>> played.frame()["total"].tolist()
    [0.0, 0.0, 0.0]
    """

    def frame(self) -> DataFrame:
        """One row for each match; see :func:`matches_frame`."""
        return matches_frame(self)

    def moves(self) -> DataFrame:
        """One row for each move, by the number of its match (``game_id``)."""
        return moves_frame(self)

    def beliefs(self) -> DataFrame:
        """What players believed after every move, by the number of its match (``game_id``)."""
        return beliefs_frame(self)

    def figure(self) -> Figure:
        """What each match paid, with the mean and its 95 % interval.

        It assumes that no match can pay more than twice as far from 0 as these did.
        """
        totals = np.array([record.total for record in self], dtype=np.float64)
        name = self[0].game if self else "no matches"
        mark = ForestRow(
            f"{len(self)} matches", mean_of_any_size([totals]), spread=spread_of(totals)
        )
        drawn = forest("matches", f"Rewards of {name}", [mark], "reward of the first team", 2)
        return Figure(f"Rewards of {name}", with_runs(drawn))

    def __repr__(self) -> str:
        games = ", ".join(dict.fromkeys(record.game for record in self))
        return f"<Matches: {len(self)}{f' of {games}' if games else ''}>"


def records_of(games: Store | str | Path, most: int | None = None) -> dict[str, Record]:
    """Full records of a store's games by name, played again, which takes as long as it took.

    ``games`` is a store or the path of one; ``most`` asks for the first games of the plan only.
    """
    with _opened(games) as held:
        if held.store is None:
            raise InvalidInput(
                f"{held.path} holds exported rows, which cannot be replayed: merge them into a "
                "store first (sizeup merge)"
            )
        rows = islice(rows_as_dicts(held.store), most)
        return {row["game_id"]: record_in(held.store, row) for row in rows}


def _is_of_records(source: Any) -> bool:
    """Whether a source is one of records; a store and a file of rows are not."""
    if isinstance(source, (str, Path)):
        return Path(source).is_dir() or Path(source).suffix.lower() == ".json"
    return not isinstance(source, Store)


def _of_records(
    rows_of: Callable[[str, Record], Iterator[_Row]], records: RecordsLike
) -> Iterator[_Row]:
    if not _is_of_records(records):
        raise InvalidInput(
            "a store or its rows do not keep the beliefs after every move: "
            "beliefs_frame(records_of(store)) plays its games again, last_beliefs_frame(store) "
            "gives the beliefs at the end"
        )
    for name, record in _named_records(records):
        yield from rows_of(name, record)


def _of_store(
    rows_of: Callable[[_Held, Mapping[str, Any]], Iterator[_Row]],
    games: GamesLike,
    compact: bool = False,
) -> Iterator[_Row]:
    """What ``rows_of`` makes of each game, which it gets as it is exported."""
    with _opened(games) as held:
        exported = rows_in(held.path) if held.store is None else tidy(held.store, compact)
        for row in exported:
            yield from rows_of(held, row)


def _frame(columns: Mapping[str, str], rows: Iterator[_Row]) -> DataFrame:
    try:
        pandas: Any = importlib.import_module("pandas")
    except ImportError:
        raise InvalidInput("a frame needs pandas: pip install 'sizeup[pandas]'") from None
    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    named = zip(columns.items(), values, strict=True)
    return pandas.DataFrame({name: _series(pandas, dtype, held) for (name, dtype), held in named})


def _series(pandas: Any, dtype: str, values: tuple[Any, ...]) -> Any:
    if not dtype.startswith("datetime64"):
        return pandas.Series(list(values), dtype=dtype)
    try:
        moments = pandas.to_datetime(list(values), utc=True, format="ISO8601")
    except ValueError as error:
        raise InvalidInput(f"cannot read when a game was finished: {error}") from None
    return pandas.Series(moments).astype(dtype)


@dataclass(frozen=True)
class _Held:
    """Games to make rows of: those of a store, or else of exported rows at ``path``."""

    path: Path
    origins: Mapping[int, Origin]
    store: Store | None


@contextmanager
def _opened(games: GamesLike) -> Iterator[_Held]:
    """Games ready to be read; a store that is open stays open."""
    if isinstance(games, Store):
        yield _Held(games.path, games.origins(), games)
    elif Path(games).is_file() and is_parquet(Path(games)):
        yield _Held(Path(games), origins_in(Path(games)), None)
    else:
        with Store.read(Path(games)) as store:
            yield _Held(store.path, store.origins(), store)


def _row_of_game(held: _Held, row: Mapping[str, Any]) -> Iterator[_Row]:
    yield (
        row["game_id"], row["experiment"], row["cell"].partition(" ")[0], row["cell"],
        row["block"], row["slot"], row["round"], row["plan_index"],
        row["game"], row["team"], row["against"], row["side"],
        row["score"], row["total"], row["reason"], row["plies"],
        str(row["seed"]), str(row["root_seed"]), row["config_fingerprint"],
        row["code_fingerprint"], row["seconds"], row["host"], row["attempt"],
        row["finished"],
    )  # fmt: skip


def _rows_of_last_beliefs(held: _Held, row: Mapping[str, Any]) -> Iterator[_Row]:
    config = held.origins[row["origin"]].config
    members = config["cells"][row["cell"]]["team"]["members"]  # whatever seats they have
    for believer, mates in _data(row["posteriors"]).items():
        types = read_member(members[int(believer)]).first.types
        for about, shares in enumerate(mates):
            for type_, share in zip(types, shares, strict=True):
                yield row["game_id"], int(believer), about, type_, share


def _rows_of_deviations(held: _Held, row: Mapping[str, Any]) -> Iterator[_Row]:
    for believer, mates in _data(row["deviations"]).items():
        for about, away in mates.items():
            for update, deviation in enumerate(away):
                yield row["game_id"], int(believer), int(about), update, deviation


def _rows_of_kept_moves(held: _Held, row: Mapping[str, Any]) -> Iterator[_Row]:
    """What is kept of each move; the rules say whose it was."""
    sides = [row["team"].split("+")]
    if row["against"] is not None:
        sides.insert(1 - row["side"], row["against"].split("+"))
    agents = [agent for side in sides for agent in side]
    params = held.origins[row["origin"]].config["params"]
    game = row["game"] if held.store is None else game_of(held.store, row["game"])
    view = arena(game, params, [len(side) for side in sides])
    sign = 1 - 2 * row["side"]  # exported rewards are the team's
    state, ply, total = view.start(), 0, 0.0
    for number, (action, reward) in enumerate(_played(held, row), start=1):
        player = view.actor(state)
        ply += player != CHANCE
        total += sign * reward
        who = (None, None) if player == CHANCE else (view.teams[player], agents[player])
        paid = sign * reward + 0.0, total + 0.0
        yield row["game_id"], number, ply, player, *who, action, *paid, *_NO_SEARCH
        state, _ = view.apply(state, view.action_from_text(state, action))


def _played(held: _Held, row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Moves and what they were worth to the team; a game that was kept without is played again."""
    if row["moves"] or not row["plies"]:
        return zip(row["moves"], row["rewards"], strict=True)
    if held.store is None:
        raise InvalidInput(
            f"{held.path} has no moves, since compact rows leave them out: export with --full, or "
            "give the store"
        )
    (whole,) = rows_as_dicts(held.store, game_id=row["game_id"])
    sign = 1 - 2 * row["side"]
    return ((move.action, sign * move.reward) for move in record_in(held.store, whole).moves)


def _data(given: Any) -> Any:
    """Beliefs of a row: JSON if it comes from a store, read already if from a file."""
    return json.loads(given) if isinstance(given, str) else given


def _named_records(given: RecordsLike) -> Iterator[tuple[str, Record]]:
    """Records with the name of each: that of its file, its key, or its number."""
    if isinstance(given, (str, Path)):
        found = sorted(Path(given).glob("*.json")) if Path(given).is_dir() else [Path(given)]
        if not found:
            raise InvalidInput(f"no records (*.json) in {given}")
        yield from ((path.stem, Record.load(path)) for path in found)
        return
    if isinstance(given, Record):
        given = [given]
    pairs = given.items() if isinstance(given, Mapping) else enumerate(given)
    for name, record in pairs:
        if not isinstance(record, Record):
            raise InvalidInput(f"expected records of matches, got {type(record).__name__}")
        yield str(name), record


def _rows_of_moves(name: str, record: Record) -> Iterator[_Row]:
    """Every move, and what is kept of the search behind it."""
    total = 0.0
    for number, move in enumerate(record.moves, start=1):
        total += move.reward
        at, away = move.player, nan if move.distance is None else move.distance
        who = (None, None) if at == CHANCE else (record.teams[at], record.players[at])
        paid = move.reward, total + 0.0
        yield name, number, move.ply, at, *who, move.action, *paid, *_search(move), away


def _search(move: Move) -> tuple[Any, ...]:
    """Choices, iterations, nodes, and the share and value of the move to who made it."""
    found = move.search
    if found is None:
        return _NO_SEARCH[:-1]
    at, visits = found["actions"].index(move.action), found["visits"][-1]
    value, share = found["values"][-1][at], visits[at] / max(1, sum(visits))
    size = len(visits), found["iterations"], found["nodes"]
    return *size, share, nan if value is None else value


def _rows_of_beliefs(name: str, record: Record) -> Iterator[_Row]:
    """Beliefs before the first move, and wherever one was updated."""
    for believer, rows in first_beliefs(record).items():
        types = record.types_of(believer)
        for about, shares in enumerate(rows[: len(record.players)]):
            for type_, share in zip(types, shares, strict=True):
                told = type_, nan, nan, share, nan, 0, Verdict(types, shares).none
                yield name, 0, 0, believer, about, *told
    for number, move in enumerate(record.moves, start=1):
        for believer, seen in move.seen.items():
            for told in _told(record, number, believer, seen):
                yield name, number, move.ply, believer, seen.actor, *told


def _told(record: Record, number: int, believer: int, seen: Seen) -> Iterator[_Row]:
    """Type, evidence against it, its probability before and after, and how often it plays this."""
    types = record.types_of(believer)
    played = seen.played or (None,) * len(types)
    if {len(seen.evidence), len(seen.before), len(seen.after), len(played)} != {len(types)}:
        raise InvalidInput(
            f"move {number}: player {believer} considers the types {tuple(types)}; expected one "
            f"number for each, got evidence {seen.evidence}, beliefs {seen.before} and "
            f"{seen.after}, and counts {seen.played}"
        )
    none = Verdict(types, seen.after).none
    for type_, against, before, after, count in zip(
        types, seen.evidence, seen.before, seen.after, played, strict=True
    ):
        yield type_, _number(against), before, after, _number(count), seen.samples, none


def _number(given: float | None) -> float:
    return nan if given is None else given
