"""``sizeup export``: games for others to read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sizeup.cli_experiments.shared import Games, require_suffix, tell, verb
from sizeup.errors import InvalidInput

if TYPE_CHECKING:
    from sizeup.experiments.store import Store

__all__ = ["export"]


@verb("no half file is left, the same command begins again")
def export(
    store: Games,
    csv: Annotated[Path | None, typer.Option(help="Write rows as CSV.")] = None,
    parquet: Annotated[Path | None, typer.Option(help="Write rows as Parquet.")] = None,
    pdn: Annotated[
        Path | None,
        typer.Option(help="Write games of checkers as PDN; comments say which seat moved."),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            help="Folder for a full record of each game. All are played again, which takes as long "
            "as it took one worker."
        ),
    ] = None,
    compact: Annotated[
        bool | None,
        typer.Option(
            "--compact/--full",
            help="Without moves, beliefs to three digits: default of Parquet, not of CSV. Full "
            "rows of games that a store has only compact are played again.",
        ),
    ] = None,
    beliefs: Annotated[
        bool,
        typer.Option(
            "--beliefs",
            help="With --pdn: comments also say what players believe of each other. All games are "
            "played again, which takes as long as it took one worker.",
        ),
    ] = False,
    most: Annotated[
        int | None,
        typer.Option(help="With --pdn and --records: only the first games, at most so many."),
    ] = None,
) -> None:
    """Write games for others to read: a row each, PDN, or records."""
    if not (csv or parquet or pdn or records):
        raise InvalidInput("say what to write: --csv, --parquet, --pdn or --records")
    require_suffix("--csv", csv, ".csv")
    require_suffix("--parquet", parquet, ".parquet", ".pq")
    require_suffix("--pdn", pdn, ".pdn")
    if beliefs and not pdn:
        raise InvalidInput("--beliefs are for the comments of --pdn: say where to write that")
    _check_most(most, rows=bool(csv or parquet))
    from sizeup.experiments.store import Store

    with Store.read(store) as opened:
        if csv is not None:
            _write_rows(opened, csv, "csv", compact is True)
        if parquet is not None:
            _write_rows(opened, parquet, "parquet", compact is not False)
        if pdn is not None:
            _write_pdn(opened, pdn, beliefs, most)
        if records is not None:
            _write_records(opened, records, most)


def _check_most(most: int | None, rows: bool) -> None:
    if most is not None and rows:
        raise InvalidInput(
            "--most is for --pdn and --records, rows are those of all games: leave it out, or "
            "export them apart"
        )
    if most is not None and most < 1:
        raise InvalidInput(f"--most takes a number of games of 1 or more, got {most}")


def _write_rows(store: Store, path: Path, kind: str, compact: bool) -> None:
    from sizeup.experiments.export import LEFT_OUT, to_csv
    from sizeup.experiments.parquet import to_parquet
    from sizeup.experiments.progress import ReplayProgress
    from sizeup.experiments.stored import bare_games

    bare = 0 if compact else bare_games(store)
    if bare:
        tell(
            f"{bare} games have no moves in {store.path} and are played again for {path}; "
            "--compact does without"
        )
    write = {"csv": to_csv, "parquet": to_parquet}[kind]
    with ReplayProgress(bare) as played_again:
        games = write(store, path, compact, played_again)
    left_out = f", without {' and '.join(LEFT_OUT)}, beliefs to three digits"
    typer.echo(f"wrote {path}: {games} games{left_out * compact}")


def _write_pdn(store: Store, path: Path, beliefs: bool, most: int | None) -> None:
    from sizeup.experiments.export import to_pdn
    from sizeup.experiments.progress import ReplayProgress
    from sizeup.experiments.stored import bare_games

    again = _count(store, most) if beliefs else bare_games(store, most)
    with ReplayProgress(again) as played_again:
        games = to_pdn(store, path, beliefs=beliefs, most=most, on_game=played_again)
    typer.echo(f"wrote {path}: {games} games")


def _write_records(store: Store, folder: Path, most: int | None) -> None:
    from sizeup.experiments.export import to_records
    from sizeup.experiments.progress import ReplayProgress

    games = 0
    with ReplayProgress(_count(store, most)) as played_again:
        for games, _ in enumerate(to_records(store, folder, most), start=1):  # noqa: B007  told below
            played_again()
    typer.echo(f"wrote {games} records to {folder}")


def _count(store: Store, most: int | None) -> int:
    games = sum(1 for _ in store.rows("game_id"))
    return games if most is None else min(games, most)
