"""The verbs of the ``sizeup`` command for experiments: parsing and printing only.

Heavy imports belong inside the verbs, as in :mod:`sizeup.cli`.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sizeup.errors import InvalidInput

if TYPE_CHECKING:
    from sizeup.experiments.driver import Summary
    from sizeup.experiments.experiment import Experiment
    from sizeup.experiments.plan import Plan
    from sizeup.experiments.status import Status
    from sizeup.experiments.store import Store
    from sizeup.experiments.verify import Checked

__all__ = ["add_verbs"]

_MOST_GAMES = 100_000  # of a run until everything is decided, if nothing else is said

Wanted = Annotated[str, typer.Argument(help="An experiment's name, or a TOML file.")]
Seed = Annotated[int, typer.Option(help="Root of all seeds.")]
Blocks = Annotated[
    int | None,
    typer.Option("--blocks", "--runs", help="Seed blocks for each cell; the file's if not given."),
]
Games = Annotated[Path, typer.Argument(metavar="STORE", help="Games, as sizeup run keeps them.")]
Which = Annotated[
    str | None,
    typer.Option("--experiment", help="Whose games they are, if that is not found by itself."),
]


@contextmanager
def _stoppable(how_to_go_on: str) -> Iterator[None]:
    """Ctrl-C ends a verb with one line, and the code that shells expect."""
    try:
        yield
    except KeyboardInterrupt:
        _tell(f"sizeup: stopped: {how_to_go_on}")
        raise typer.Exit(130) from None


def add_verbs(app: typer.Typer) -> None:
    """Give a command the verbs of experiments."""
    for verb in (run, plan, status, report, export, merge, verify):
        app.command()(verb)


@_stoppable("what was played is kept, the same command goes on")
def run(
    experiment: Wanted,
    store: Annotated[
        Path | None, typer.Option(help="Where games are kept; NAME-SEED.db if not given.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes; all cores if not given.")] = None,
    max_games: Annotated[
        int | None,
        typer.Option(min=1, help="Play only the first blocks, of at most so many games."),
    ] = None,
    blocks: Blocks = None,
    seed: Seed = 0,
    on: Annotated[str, typer.Option(help="local, ray, or the address of a Ray cluster.")] = "local",
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Stop when every comparison is decided.")
    ] = False,
    smaller_than: Annotated[
        float, typer.Option(help="Points below which a difference does not matter.")
    ] = 2.0,
    limit: Annotated[
        float | None, typer.Option(help="Seconds that a game (or a series) may take.")
    ] = None,
    allow_changes: Annotated[
        bool, typer.Option("--allow-changes", help="Go on although code or configuration changed.")
    ] = False,
) -> None:
    """Play an experiment, or go on with one: what is in the store is not played again."""
    from sizeup.experiments.driver import run as drive
    from sizeup.experiments.executors import open_executor
    from sizeup.experiments.live import Live
    from sizeup.experiments.plan import plan as plan_games
    from sizeup.experiments.progress import RunProgress
    from sizeup.experiments.spec import read_experiment
    from sizeup.experiments.store import Store
    from sizeup.experiments.worker import play_job

    again = _command(experiment, {
        "--store": store, "--workers": workers, "--max-games": max_games, "--blocks": blocks,
        "--seed": seed or None, "--on": None if on == "local" else on,
        "--until-decided": until_decided,
        "--smaller-than": smaller_than if until_decided and smaller_than != 2 else None,
        "--limit": limit, "--allow-changes": allow_changes,
    })  # fmt: skip
    read = read_experiment(experiment)
    live = Live(read, until_decided=until_decided, smaller_than=smaller_than / 100)
    if until_decided and blocks is None:
        blocks = max(read.blocks, _MOST_GAMES * read.blocks // read.games)
    planned = plan_games(read, seed, blocks)
    path = store or _default_store(read, seed)
    with (
        open_executor(on, workers, limit) as executor,
        Store.open(path, planned.origin, allow_changes=allow_changes) as opened,
    ):
        most = "at most " if until_decided else ""
        _tell(f"{read.name}: {most}{planned.games} games, kept in {path}")
        with RunProgress(live) as shown:
            ended = drive(
                planned, play_job, opened, executor,
                max_games=max_games, stop=live, on_progress=shown,
            )  # fmt: skip
        if ended.ended == "interrupted":
            now = ended.progress
            _tell(f"sizeup: stopped: {now.done} of {now.total} games are kept; go on with: {again}")
            raise typer.Exit(130)
        _show_results(opened, read, experiment)
    _name_quarantined(ended)


def _command(experiment: str, options: Mapping[str, Any]) -> str:
    """What to type to go on."""
    words = ["sizeup", "run", experiment]
    for option, value in options.items():
        if value is True:
            words.append(option)
        elif value not in (None, False):
            words += [option, str(value)]
    return shlex.join(words)


def _default_store(read: Experiment, seed: int) -> Path:
    return Path(f"{read.name}-{seed}.db")


def _show_results(store: Store, read: Experiment, typed: str) -> None:
    from sizeup.experiments.status import status as status_of
    from sizeup.report import summarise, to_text

    typer.echo(to_text(replace(summarise(read, store), command=typed)), nl=False)
    rewards = status_of(store, read).rewards
    if rewards:
        titles = {arm.name: arm.title for arm in read.arms}
        typer.echo("\nRewards (runs)")
        _print_columns([(titles[arm], _rewards(found)) for arm, found in rewards.items()])


def _rewards(found: Any) -> str:
    return ", ".join(f"{reward:g} ({runs})" for reward, runs in found.most_common(6))


def _name_quarantined(ended: Summary) -> None:
    if ended.quarantined:
        for one in ended.quarantined:
            _tell(f"sizeup: in quarantine: {one.job.job_id} ({one.job.cell}): {one.error}")
        raise typer.Exit(1)


@_stoppable("nothing was changed")
def plan(
    experiment: Annotated[
        str | None,
        typer.Argument(help="An experiment's name, or a TOML file; without it, list all names."),
    ] = None,
    seed: Seed = 0,
    blocks: Blocks = None,
    first: Annotated[int, typer.Option(min=0, help="How many of the first games to show.")] = 3,
    store: Annotated[
        Path | None, typer.Option(help="Games to tell the time from; NAME-SEED.db if not given.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All of it as JSON.")] = False,
) -> None:
    """Show what an experiment would play: cells, blocks, games, time; nothing is played."""
    from sizeup.experiments.plan import plan as plan_games
    from sizeup.experiments.spec import read_experiment, shipped

    if experiment is None:
        known = map(read_experiment, shipped())
        _print_columns([(one.name, one.games, "games", one.title) for one in known])
        return
    read = read_experiment(experiment)
    planned = plan_games(read, seed, blocks)
    seconds = _expected_seconds(store or _default_store(read, seed), planned, store is not None)
    if as_json:
        typer.echo(json.dumps(_plan_data(planned, first, seconds), indent=1))
        return
    typer.echo(f"{read.title}\n{read.question}\n")
    series = f", series of {read.rounds} games each" if read.rounds > 1 else ""
    typer.echo(
        f"{planned.games} games of {read.game}: {len(read.cells)} cells, {planned.blocks} seed "
        f"blocks each{series}\nbalanced within a block: {', '.join(read.balance) or 'nothing'}"
    )
    typer.echo(_time_text(seconds))
    head = ("cell", "team", "against", "games a block")
    cells = [_cell_data(planned, cell.label) for cell in read.cells]
    _print_columns(
        [head, *((c["cell"], c["team"], c["against"] or "", c["games_a_block"]) for c in cells)]
    )
    if first:
        typer.echo("\nfirst games")
        rows = [(j.game_id(), j.cell, f"block {j.block}", f"slot {j.slot}", f"seed {j.seed}")
                for j in planned[:first]]  # fmt: skip
        _print_columns(rows)


def _expected_seconds(path: Path, planned: Plan, is_needed: bool) -> float | None:
    """Time in workers, going by games that were played; None if there are none."""
    from sizeup.experiments.status import expected_seconds
    from sizeup.experiments.store import Store

    if not is_needed and not path.exists():
        return None
    with Store.read(path) as store:
        return expected_seconds(store, planned)


def _time_text(seconds: float | None) -> str:
    from sizeup.experiments.executors import available_cores
    from sizeup.experiments.progress import duration

    if seconds is None:
        return "time: not known before some games are played\n"
    cores = available_cores()
    return f"time: {duration(seconds / cores)} on {cores} cores, by the games played so far\n"


def _plan_data(planned: Plan, first: int, seconds: float | None) -> dict[str, Any]:
    read, origin = planned.experiment, planned.origin
    return {
        "experiment": read.name, "title": read.title, "question": read.question,
        "game": read.game, "seed": planned.seed, "blocks": planned.blocks,
        "rounds": read.rounds, "games": planned.games, "balance": list(read.balance),
        "core_seconds": seconds, "config_fingerprint": origin.config_fingerprint,
        "code_fingerprint": origin.code_fingerprint,
        "cells": [_cell_data(planned, cell.label) for cell in read.cells],
        "first": [
            {"job_id": job.job_id, "cell": job.cell, "block": job.block, "slot": job.slot,
             "seed": job.seed, "config": dict(job.config)}
            for job in planned[:first]
        ],
    }  # fmt: skip


def _cell_data(planned: Plan, label: str) -> dict[str, Any]:
    cell = planned.experiment.cell(label)
    return {
        "cell": label, "team": "+".join(cell.team.members),
        "against": None if cell.against is None else "+".join(cell.against.members),
        "games_a_block": len(cell.slots) * planned.experiment.rounds,
    }  # fmt: skip


@_stoppable("nothing was changed")
def status(store: Games, experiment: Which = None) -> None:
    """Show what a store holds, also while a run is going on."""
    from sizeup.experiments.progress import duration
    from sizeup.experiments.status import status as status_of
    from sizeup.experiments.store import Store

    with Store.read(store) as opened:
        read = _experiment_if_found(opened, experiment)
        now = status_of(opened, read)
    of_planned = "" if now.planned is None else f" of {now.planned}"
    names = ", ".join(dict.fromkeys(origin.name for origin, _ in now.origins))
    typer.echo(f"{names}: {now.played}{of_planned} games in {store}")
    if now.played:
        typer.echo(f"{duration(now.seconds)} of work, the last game at {now.finished}")
    _print_arms(now)
    typer.echo(f"failed attempts: {now.failures}, in quarantine: {len(now.quarantined)}")
    for origin, games in now.origins:
        versions = ", ".join(f"{name} {number}" for name, number in origin.versions.items())
        typer.echo(
            f"seed {origin.seed}: {games} games, configuration {origin.config_fingerprint}, code "
            f"{origin.code_fingerprint} ({versions})"
        )
    for one in now.quarantined:
        _tell(f"sizeup: in quarantine: {one.job_id} ({one.cell}): {one.error}")
    if now.quarantined:
        raise typer.Exit(1)


def _experiment_if_found(store: Store, given: str | None) -> Experiment | None:
    try:
        return _experiment_of(store, given)
    except InvalidInput:
        if given is not None:
            raise
        return None


def _experiment_of(store: Store, given: str | None) -> Experiment:
    from sizeup.experiments.find import find_experiment

    return find_experiment(store.origins().values(), given, [store.path.parent])


def _print_arms(now: Status) -> None:
    if now.tallies:
        head = ("arm", "games", "won", "drawn", "lost", "score")
        rows = [
            (arm, one.n, one.wins, one.draws, one.losses, f"{100 * one.score:+.1f}")
            for arm, one in now.tallies.items()
        ]
        _print_columns([head, *rows])
    if now.rewards:
        _print_columns([("arm", "games", "rewards (runs)"), *(
            (arm, now.games[arm], _rewards(found)) for arm, found in now.rewards.items()
        )])  # fmt: skip


@_stoppable("the same command begins again")
def report(
    store: Games,
    experiment: Which = None,
    html: Annotated[Path | None, typer.Option(help="Write one self-contained page.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write Markdown.")] = None,
    latex: Annotated[Path | None, typer.Option(help="Write LaTeX tables.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write all numbers as CSV.")] = None,
) -> None:
    """Show tables with intervals beside the published numbers, or write them to files."""
    from sizeup.experiments.export import whole
    from sizeup.experiments.store import Store
    from sizeup.report import summarise, to_csv, to_html, to_latex, to_markdown, to_text

    with Store.read(store) as opened:
        summary = summarise(_experiment_of(opened, experiment), opened)
    wanted = ((html, to_html), (markdown, to_markdown), (latex, to_latex), (csv, to_csv))
    if not any(path for path, _ in wanted):
        typer.echo(to_text(summary), nl=False)
    for path, write in wanted:
        if path is not None:
            with whole(path) as part:
                part.write_text(write(summary), encoding="utf-8")
            typer.echo(f"wrote {path}")


@_stoppable("no half file is left, the same command begins again")
def export(
    store: Games,
    csv: Annotated[Path | None, typer.Option(help="Write rows as CSV.")] = None,
    parquet: Annotated[Path | None, typer.Option(help="Write rows as Parquet.")] = None,
    pdn: Annotated[Path | None, typer.Option(help="Write games of checkers as PDN.")] = None,
    records: Annotated[
        Path | None, typer.Option(help="Folder for a full record of each game, played again.")
    ] = None,
    compact: Annotated[
        bool | None,
        typer.Option(
            "--compact/--full",
            help="Without moves, beliefs to three digits: default of Parquet, not of CSV.",
        ),
    ] = None,
) -> None:
    """Write games for others to read: a row each, PDN, or records."""
    if not (csv or parquet or pdn or records):
        raise InvalidInput("say what to write: --csv, --parquet, --pdn or --records")
    from sizeup.experiments.export import LEFT_OUT, to_csv, to_pdn, to_records
    from sizeup.experiments.parquet import to_parquet
    from sizeup.experiments.store import Store

    left_out = f", without {' and '.join(LEFT_OUT)}, beliefs to three digits"
    with Store.read(store) as opened:
        if csv is not None:
            short = compact is True
            games = to_csv(opened, csv, short)
            typer.echo(f"wrote {csv}: {games} games{left_out * short}")
        if parquet is not None:
            short = compact is not False
            games = to_parquet(opened, parquet, short)
            typer.echo(f"wrote {parquet}: {games} games{left_out * short}")
        if pdn is not None:
            typer.echo(f"wrote {pdn}: {to_pdn(opened, pdn)} games")
        if records is not None:
            games = sum(1 for _ in to_records(opened, records))
            typer.echo(f"wrote {games} records to {records}")


@_stoppable("nothing was taken, the same command begins again")
def merge(
    store: Annotated[
        Path, typer.Argument(metavar="STORE", help="Where to take games; made if not there.")
    ],
    files: Annotated[list[Path], typer.Argument(help="Exported Parquet files, or other stores.")],
    experiment: Which = None,
    allow_changes: Annotated[
        bool, typer.Option("--allow-changes", help="Take games that other code has played.")
    ] = False,
) -> None:
    """Take games from other machines and days into a store, each checked against the plan."""
    from sizeup.experiments.find import find_experiment
    from sizeup.experiments.merge import merge as merge_games
    from sizeup.experiments.merge import open_rows

    rows = [open_rows(file) for file in files]
    origins = [origin for one in rows for origin in one.origins.values()]
    folders = [store.parent, *(file.parent for file in files)]
    read = find_experiment(origins, experiment, folders)
    merged = merge_games(store, rows, read, allow_changes=allow_changes)
    typer.echo(f"{store}: {merged.new} games are new, {merged.known} were there already")


@_stoppable("the same command begins again")
def verify(
    store: Games,
    games: Annotated[int, typer.Option(help="How many games to play again.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Another seed draws other games.")] = 0,
) -> None:
    """Play some stored games again, drawn at random, and compare everything."""
    from sizeup.experiments.store import Store
    from sizeup.experiments.verify import code_changes, sample
    from sizeup.experiments.verify import verify as verify_games

    with Store.read(store) as opened:
        broken = opened.integrity()
        drawn = [] if broken else sample(opened, games, seed)
        changed = code_changes(opened)
    for problem in broken:
        _tell(f"sizeup: {store}: {problem}")
    found = list(_counted(verify_games(drawn), sum(map(len, drawn))))
    others = [one for one in found if one.differences]
    for one in others:
        _tell(f"sizeup: game {one.game_id} differs: {', '.join(one.differences)}")
    if others and changed:
        _tell(f"sizeup: the code has changed since: {', '.join(changed)}")
    if broken or others:
        raise typer.Exit(1)
    bare = sum(not one.has_moves for one in found)
    note = f" ({bare} without their moves, which compact rows leave out)" if bare else ""
    typer.echo(f"{store}: {len(found)} games played again, all as they are stored{note}")


def _counted(checked: Iterator[Checked], total: int) -> Iterator[Checked]:
    """Say at every tenth how far it is."""
    for done, one in enumerate(checked, start=1):
        if 10 * done // total > 10 * (done - 1) // total:
            _tell(f"{done} of {total} games played again")
        yield one


def _print_columns(rows: Sequence[Sequence[Any]]) -> None:
    """Words to the left, numbers to the right."""
    texts = [[str(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row, line in zip(rows, texts, strict=True):
        laid = [
            text.rjust(width) if isinstance(value, int) else text.ljust(width)
            for value, text, width in zip(row, line, widths, strict=True)
        ]
        typer.echo("  ".join(laid).rstrip())


def _tell(line: str) -> None:
    typer.echo(line, err=True)
