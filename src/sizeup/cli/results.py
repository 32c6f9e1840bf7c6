"""Experiments once they are played: report, export, merge, verify, backup and repair."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from sizeup.cli.progress import ReplayProgress
from sizeup.cli.shared import (
    Device,
    SmallerThan,
    StorePath,
    Which,
    chosen_device,
    require_suffix,
    tell,
    tell_of_log,
    tell_written,
    verb,
)
from sizeup.errors import InvalidInput
from sizeup.words import counted

if TYPE_CHECKING:
    from sizeup.experiments.store import Store

_PROBLEMS_SHOWN = 4


@verb("run the same command again")
def report(
    store: StorePath,
    experiment: Which = None,
    html: Annotated[Path | None, Option(help="Write a self-contained HTML page.")] = None,
    markdown: Annotated[Path | None, Option(help="Write Markdown.")] = None,
    latex: Annotated[Path | None, Option(help="Write LaTeX tables.")] = None,
    csv: Annotated[Path | None, Option(help="Write all numbers as CSV.")] = None,
    smaller_than: SmallerThan = None,
) -> None:
    """Print tables with intervals next to the published numbers, or write them to files."""
    require_suffix("--html", html, ".html", ".htm")
    require_suffix("--markdown", markdown, ".md", ".markdown")
    require_suffix("--latex", latex, ".tex", ".latex")
    require_suffix("--csv", csv, ".csv")
    files = [path.resolve() for path in (html, markdown, latex, csv) if path is not None]
    for file in files:
        if files.count(file) > 1:
            raise InvalidInput(f"{file.name} is given twice: use a different file for each format")
    from sizeup.experiments.export import whole
    from sizeup.experiments.store import Store
    from sizeup.experiments.stored import find_experiment
    from sizeup.report import summarise, to_csv, to_html, to_latex, to_markdown, to_text

    with Store.read(store) as opened:
        tell_of_log(opened)
        opened.require_sound()
        read = find_experiment(opened.origins().values(), experiment, [store.parent])
        summary = summarise(read, opened, margin=smaller_than)
    wanted = ((html, to_html), (markdown, to_markdown), (latex, to_latex), (csv, to_csv))
    if not any(path for path, _ in wanted):
        typer.echo(to_text(summary), nl=False)
    for path, write in wanted:
        if path is not None:
            with whole(path) as part:
                part.write_text(write(summary), encoding="utf-8")
            tell_written(path)


@verb("no unfinished file is left; run the same command again")
def export(
    store: StorePath,
    csv: Annotated[Path | None, Option(help="Write one row per game as CSV.")] = None,
    parquet: Annotated[Path | None, Option(help="Write one row per game as Parquet.")] = None,
    pdn: Annotated[
        Path | None, Option(help="Write games of checkers as PDN; comments say which seat moved.")
    ] = None,
    records: Annotated[
        Path | None,
        Option(
            help="Folder for a full record of each game. Replays every game, which takes as long "
            "as playing them with one worker."
        ),
    ] = None,
    compact: Annotated[
        bool | None,
        Option(
            "--compact/--full",
            help="Compact rows leave out moves and round beliefs to three digits: the default for "
            "Parquet, not for CSV. Full rows of games stored without moves are replayed.",
        ),
    ] = None,
    beliefs: Annotated[
        bool,
        Option(
            "--beliefs",
            help="With --pdn: comments also say what players believe about each other. Replays "
            "every game, which takes as long as playing them with one worker.",
        ),
    ] = False,
    most: Annotated[
        int | None, Option(help="With --pdn and --records: only this many games, from the first.")
    ] = None,
) -> None:
    """Export games: as rows (CSV, Parquet), as PDN, or as full records."""
    if not (csv or parquet or pdn or records):
        raise InvalidInput("say what to write: --csv, --parquet, --pdn or --records")
    require_suffix("--csv", csv, ".csv")
    require_suffix("--parquet", parquet, ".parquet", ".pq")
    require_suffix("--pdn", pdn, ".pdn")
    if beliefs and not pdn:
        raise InvalidInput("--beliefs only works together with --pdn")
    if most is not None:
        _check_most(most, rows=bool(csv or parquet))
    from sizeup.experiments.store import Store

    with Store.read(store) as opened:
        opened.require_sound()
        if csv is not None:
            _write_rows(opened, csv, "csv", compact is True)
        if parquet is not None:
            _write_rows(opened, parquet, "parquet", compact is not False)
        if pdn is not None:
            _write_pdn(opened, pdn, beliefs, most)
        if records is not None:
            _write_records(opened, records, most)


@verb("no unfinished file is left; run the same command again")
def study_tables(
    store: StorePath,
    folder: Annotated[Path, Argument(metavar="FOLDER", help="Where to write them.")],
) -> None:
    """Write what participants of a study did as CSV: participants, answers, games and moves."""
    import csv as csv_files

    from sizeup.experiments.export import whole
    from sizeup.experiments.study_log import COLUMNS, study_rows

    for name, rows in study_rows(store).items():
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.csv"
        with whole(path) as part, part.open("w", newline="", encoding="utf-8") as file:
            writer = csv_files.DictWriter(file, list(COLUMNS[name]))
            writer.writeheader()
            writer.writerows(rows)
        tell_written(path)


def _check_most(most: int, rows: bool) -> None:
    if rows:
        raise InvalidInput(
            "--most only works with --pdn and --records; rows always hold all games: leave it out, "
            "or export them separately"
        )
    if most < 1:
        raise InvalidInput(f"--most must be 1 or more, got {most}")


def _write_rows(store: Store, path: Path, kind: str, compact: bool) -> None:
    from sizeup.experiments.export import LEFT_OUT, to_csv, to_parquet
    from sizeup.experiments.stored import bare_games

    bare = 0 if compact else bare_games(store)
    if bare:
        tell(
            f"{bare:,} games are stored without moves in {store.path}: replaying them for {path}; "
            "use --compact to avoid this"
        )
    with ReplayProgress(bare) as replayed:
        write = to_csv if kind == "csv" else to_parquet
        games = write(store, path, compact, replayed)
    left_out = f", without {' and '.join(LEFT_OUT)}, beliefs to three digits"
    tell_written(path, f": {counted(games, 'game')}{left_out * compact}")


def _write_pdn(store: Store, path: Path, beliefs: bool, most: int | None) -> None:
    from sizeup.experiments.export import to_pdn
    from sizeup.experiments.stored import bare_games

    again = _count(store, most) if beliefs else bare_games(store, most)
    with ReplayProgress(again) as replayed:
        games = to_pdn(store, path, beliefs=beliefs, most=most, on_game=replayed)
    tell_written(path, f": {counted(games, 'game')}")


def _write_records(store: Store, folder: Path, most: int | None) -> None:
    from sizeup.experiments.export import to_records

    games = 0
    with ReplayProgress(_count(store, most)) as replayed:
        for games, _ in enumerate(to_records(store, folder, most), start=1):  # noqa: B007  told below
            replayed()
    typer.echo(f"wrote {counted(games, 'record')} to {folder}")


def _count(store: Store, most: int | None) -> int:
    games = sum(1 for _ in store.rows("game_id"))
    return games if most is None else min(games, most)


@verb("nothing was merged; run the same command again")
def merge(
    store: Annotated[
        Path, Argument(metavar="STORE", help="Store to merge into; created if it does not exist.")
    ],
    files: Annotated[list[Path], Argument(help="Exported Parquet files, or other stores.")],
    experiment: Which = None,
    allow_changes: Annotated[
        bool,
        Option("--allow-changes", help="Accept games played by a different version of the code."),
    ] = False,
) -> None:
    """Merge games from other machines or other days into a store; each is checked first."""
    from sizeup.experiments import merge as merging
    from sizeup.experiments.stored import find_experiment

    rows = [merging.open_rows(file) for file in files]
    origins = [origin for one in rows for origin in one.origins.values()]
    folders = [store.parent, *(file.parent for file in files)]
    read = find_experiment(origins, experiment, folders)
    merged = merging.merge(store, rows, read, allow_changes=allow_changes)
    typer.echo(f"{store}: {counted(merged.new, 'new game')}, {merged.known:,} were already there")


@verb("run the same command again")
def verify(
    store: StorePath,
    games: Annotated[int, Option(help="How many games to replay.")] = 20,
    seed: Annotated[int, Option(min=0, help="Another seed picks other games.")] = 0,
    device: Device = "cpu",
) -> None:
    """Replay a random sample of the stored games and compare everything."""
    from sizeup.experiments import stored
    from sizeup.experiments.executors import open_executor
    from sizeup.experiments.store import Store

    with Store.read(store) as opened:
        tell_of_log(opened)
        _end_if_damaged(opened.integrity(), store)
        opened.require_sound()
        drawn = stored.sample(opened, games, seed)
        changed = stored.code_changes(opened)
    found, on = [], chosen_device(device)
    with (
        nullcontext() if on == "cpu" else open_executor(device=on) as executor,
        ReplayProgress(sum(len(one.rows) for one in drawn)) as replayed,
    ):
        for one in stored.verify(drawn, executor):
            found.append(one)
            replayed()
    others = [one for one in found if one.differences]
    for one in others:
        tell(f"sizeup: game {one.game_id} differs: {', '.join(one.differences)}")
    if others and changed:
        tell(f"sizeup: the code has changed since: {', '.join(changed)}")
    if others:
        raise typer.Exit(1)
    bare = sum(not one.has_moves for one in found)
    note = f" ({bare:,} are stored without moves, so theirs were not compared)" if bare else ""
    typer.echo(f"{store}: replayed {counted(len(found), 'game')}, all match{note}")


@verb("no unfinished file is left; run the same command again")
def backup(
    store: StorePath,
    copy: Annotated[Path, Argument(metavar="COPY", help="File to write; it must be new.")],
) -> None:
    """Copy a store to another file, also while a run is writing to it."""
    from sizeup.experiments.repair import backup as back_up

    games = back_up(store, copy)
    typer.echo(f"wrote {copy}: {counted(games, 'game')}")


@verb("run the same command again")
def repair(
    store: Annotated[Path, Argument(metavar="STORE", help="Store that is damaged or missing.")],
) -> None:
    """Make a store whole again from the file, its log and what was rescued; nothing is deleted."""
    from sizeup.experiments.repair import repair as mend

    for line in mend(store):
        typer.echo(line)


def _end_if_damaged(problems: Sequence[str], store: Path) -> None:
    """Say in one line what is wrong with the file; there may be hundreds of problems."""
    if problems:
        lines = [line.strip() for problem in problems for line in problem.splitlines()]
        more = len(lines) - _PROBLEMS_SHOWN
        shown = "; ".join(lines[:_PROBLEMS_SHOWN]) + (f" and {more} more" if more > 0 else "")
        tell(f"sizeup: {store}: {shown}")
        raise typer.Exit(1)
