"""Experiments while they are played: ``sizeup run``, ``plan`` and ``status``."""

from __future__ import annotations

import json
import shlex
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from sizeup.cli import shared
from sizeup.cli.progress import RunProgress, duration
from sizeup.cli.shared import SmallerThan, StorePath, Which, print_columns, tell, verb
from sizeup.errors import InvalidInput
from sizeup.words import counted

if TYPE_CHECKING:
    from sizeup.experiments.experiment import Experiment
    from sizeup.experiments.job import Job
    from sizeup.experiments.plan import Plan
    from sizeup.experiments.status import Status
    from sizeup.experiments.store import Store

Seed = Annotated[int, Option(help="Root seed of the experiment.")]
Blocks = Annotated[
    int | None,
    Option(
        "--blocks", "--runs", help="Seed blocks for each cell; default: what the experiment says."
    ),
]


@verb("all finished games are saved; run the same command to resume")
def run(
    experiment: Annotated[str, Argument(help="Name of an experiment, or a TOML file.")],
    store: Annotated[
        Path | None, Option(help="File to keep the games in; default: NAME-SEED.db.")
    ] = None,
    workers: Annotated[int | None, Option(help="Number of processes; default: all cores.")] = None,
    max_games: Annotated[
        int | None, Option(help="Play at most this many games of the plan, in whole seed blocks.")
    ] = None,
    blocks: Blocks = None,
    arm: Annotated[
        list[str] | None, Option(help="Play only this arm; can be repeated. Default: all arms.")
    ] = None,
    seed: Seed = 0,
    on: Annotated[
        str, Option(help="Where to play: local, ray, or the address of a Ray cluster.")
    ] = "local",
    until_decided: Annotated[
        bool, Option("--until-decided", help="Stop as soon as every comparison is decided.")
    ] = False,
    smaller_than: SmallerThan = None,
    limit: Annotated[
        float | None,
        Option(
            help="Time limit for one game (or series), in seconds; 0: none. Default: many times "
            "what the longest one took."
        ),
    ] = None,
    memory: Annotated[
        float | None,
        Option(help="Memory that a worker may use, in GB; 0: no limit. Default: its share."),
    ] = None,
    device: shared.Device = "cpu",
    allow_changes: Annotated[
        bool,
        Option(
            "--allow-changes", help="Continue even if the code or the configuration has changed."
        ),
    ] = False,
) -> None:
    """Play an experiment, or resume one: games that are already in the store are not replayed."""
    from sizeup.experiments import driver, executors
    from sizeup.experiments.plan import plan as plan_games
    from sizeup.experiments.spec import read_experiment
    from sizeup.experiments.status import Live, blocks_until_decided
    from sizeup.experiments.store import Store
    from sizeup.experiments.worker import play_job

    again = _command(experiment, {
        "--store": store, "--workers": workers, "--max-games": max_games, "--blocks": blocks,
        "--arm": arm, "--seed": seed or None, "--on": None if on == "local" else on,
        "--until-decided": until_decided,
        "--smaller-than": smaller_than,
        "--limit": None if limit is None else f"{limit:g}",
        "--memory": None if memory is None else f"{memory:g}",
        "--device": None if device == "cpu" else device, "--allow-changes": allow_changes,
    })  # fmt: skip
    read = read_experiment(experiment)
    part = read.only(arm) if arm else read
    live = Live(part, until_decided=until_decided, smaller_than=smaller_than)
    if until_decided and not blocks:
        blocks = blocks_until_decided(read)
    planned = plan_games(read, seed, blocks)
    cells = {cell.label for cell in part.cells}
    jobs: Sequence[Job] = [job for job in planned if job.cell in cells] if arm else planned
    jobs = jobs if max_games is None else driver.first_blocks(jobs, max_games)
    path = store or Path(f"{read.name}-{seed}.db")
    chosen = shared.chosen_device(device, on)
    with (
        executors.open_executor(
            on, workers, limit or None, chosen, Path(f"{path}.out"), memory
        ) as executor,
        Store.open(path, planned.origin, allow_changes=allow_changes) as opened,
    ):
        shared.tell_of_log(opened)
        tell(f"{read.name}: {_amount(planned, jobs, max_games, until_decided)}, saved in {path}")
        if part.comparisons and not live.stakes.is_known:
            tell(
                f"what a match can pay is not known ({live.stakes.source}): this run decides which "
                "arm earns more on most seeds; to compare mean rewards, add total_bounds = "
                "[LEAST, MOST]"
            )
        with RunProgress(live) as shown:
            ended = driver.run(
                jobs, play_job, opened, executor, stop=live, on_progress=shown,
                measure_limit=limit is None and chosen == "cpu",
            )  # fmt: skip
        if ended.ended == "interrupted":
            now = ended.progress
            shared.end_by_ctrl_c(
                f"{now.done:,} of {now.total:,} games are saved; resume with: {again}",
                ended.signal or signal.SIGINT,
            )
        _show_results(opened, read, experiment, smaller_than)
    if until_decided:
        verdicts = "; ".join(live.verdicts())
        tell(f"{'decided' if live.is_decided else 'not everything is decided'}: {verdicts}")
    if ended.ended == "failed":
        tell(f"sizeup: stopped: the first {len(ended.quarantined)} jobs all failed")
    _end_if_quarantined([(one.job.job_id, one.job.cell, one.error) for one in ended.quarantined])


@verb("all finished games are saved; run the same command to resume")
def crossplay(
    teammates: Annotated[
        str, Argument(help="A set of teammates: its name (GAME-teammates), or a TOML file.")
    ],
    store: Annotated[
        Path | None, Option(help="File to keep the games in; default: NAME-SEED.db.")
    ] = None,
    workers: Annotated[int | None, Option(help="Number of processes; default: all cores.")] = None,
    blocks: Blocks = None,
    seed: Seed = 0,
    device: shared.Device = "cpu",
    html: Annotated[Path | None, Option(help="Write a page with the heat map.")] = None,
    csv: Annotated[Path | None, Option(help="Write all numbers as CSV.")] = None,
    rliable: Annotated[
        Path | None, Option(help="Write the runs of each agent as .npz, which rliable reads.")
    ] = None,
) -> None:
    """Play every agent with every other: a matrix with intervals, regret and a summary."""
    from sizeup.experiments.spec import read_experiment, shipped
    from sizeup.experiments.store import Store
    from sizeup.report import to_csv, to_html
    from sizeup.report.summarise import summarise

    shared.require_suffix("--html", html, ".html", ".htm")
    shared.require_suffix("--csv", csv, ".csv")
    shared.require_suffix("--rliable", rliable, ".npz")
    for file in (html, csv, rliable):
        shared.require_writable(file)
    read = read_experiment(teammates)
    if read.teammates is None:
        sets = [name for name in shipped() if name.endswith("-teammates")]
        raise InvalidInput(
            f"{teammates} is not a set of teammates; expected a table [teammates] with version and "
            f"agents in place of arms, or one of {', '.join(sets)}"
        )
    path = store or Path(f"{read.name}-{seed}.db")
    run(teammates, store=path, workers=workers, blocks=blocks, seed=seed, device=device)
    with Store.read(path) as opened:
        found = summarise(read, opened)
    for file, write in ((html, to_html), (csv, to_csv)):
        if file is not None:
            shared.write(file, write(found))
    if rliable is not None and found.crossplay is not None:
        found.crossplay.save_rliable(rliable)
        typer.echo(f"wrote {rliable}")


def _command(experiment: str, options: Mapping[str, Any]) -> str:
    """What to type to resume."""
    words = ["sizeup", "run", experiment]
    for option, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            if one not in (None, False):
                words += [option] if one is True else [option, str(one)]
    return shlex.join(words)


def _amount(planned: Plan, jobs: Sequence[Job], max_games: int | None, until_decided: bool) -> str:
    """How many games will be played, of how many, and why not as many as were asked for."""
    games = len(jobs) * planned.experiment.rounds
    text = f"{'at most ' if until_decided else ''}{games:,}"
    if games == planned.games:
        return f"{text} games"
    exact = max_games is None or games == max_games
    rounded = "" if exact else f" (whole seed blocks within --max-games {max_games:,})"
    return f"{text} of {planned.games:,} games{rounded}"


def _show_results(store: Store, read: Experiment, typed: str, margin: float | None) -> None:
    from sizeup.experiments.status import status as status_of
    from sizeup.report import to_text
    from sizeup.report.summarise import summarise

    summary = summarise(read, store, margin=margin)
    typer.echo(to_text(replace(summary, command=typed)), nl=False)
    rewards = status_of(store, read).rewards
    if rewards and read.teammates is None:  # of a set, the matrix says more
        titles = {arm.name: arm.title for arm in read.arms}
        typer.echo("\nMost frequent rewards (games)")
        print_columns([(titles[arm], shared.rewards_text(found)) for arm, found in rewards.items()])


def _end_if_quarantined(failed: Sequence[tuple[str, str, str]]) -> None:
    """Name jobs that failed too often, each with its cell and its error."""
    for job_id, cell, error in failed:
        tell(f"sizeup: in quarantine: {job_id} ({cell}): {error}")
    if failed:
        raise typer.Exit(1)


@verb("nothing was changed")
def plan(
    experiment: Annotated[
        str | None, Argument(help="Name of an experiment, or a TOML file; none lists all names.")
    ] = None,
    seed: Seed = 0,
    blocks: Blocks = None,
    first: Annotated[int, Option(min=0, help="How many of the first games to show.")] = 3,
    store: Annotated[
        Path | None, Option(help="Store of games to estimate the time from; default: NAME-SEED.db.")
    ] = None,
    as_json: Annotated[bool, Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show what an experiment would play (cells, blocks, games, time) without playing it."""
    from sizeup.experiments.plan import plan as plan_games
    from sizeup.experiments.spec import read_experiment, shipped
    from sizeup.experiments.status import expected_seconds
    from sizeup.experiments.store import Store

    if experiment is None:
        known = map(read_experiment, shipped())
        print_columns([(one.name, one.games, "games", one.title) for one in known])
        return
    read = read_experiment(experiment)
    planned = plan_games(read, seed, blocks)
    seconds, path = None, store or Path(f"{read.name}-{seed}.db")
    if store is not None or path.exists():
        with Store.read(path) as opened:
            seconds = expected_seconds(opened, planned)
    if as_json:
        typer.echo(json.dumps(_plan_data(planned, first, seconds), indent=1))
        return
    _print_head(planned, seconds)
    _print_cells(read)
    if first:
        typer.echo("\nfirst games")
        print_columns([
            (job.game_id(), job.cell, f"block {job.block}", f"slot {job.slot}", f"seed {job.seed}")
            for job in planned[:first]
        ])  # fmt: skip


def _print_head(planned: Plan, seconds: float | None) -> None:
    from sizeup.experiments.executors import available_cores

    read, cores = planned.experiment, available_cores()
    series = f", series of {read.rounds} games each" if read.rounds > 1 else ""
    time = (
        "not known until some games are played" if seconds is None
        else f"about {duration(seconds / cores)} on {cores} cores, judging by the games played"
    )  # fmt: skip
    typer.echo(
        f"{read.title}\n{read.question}\n\n"
        f"{counted(planned.games, 'game')} of {read.game}: {counted(len(read.cells), 'cell')}, "
        f"{counted(planned.blocks, 'seed block')} each{series}\n"
        f"balanced within a block: {', '.join(read.balance) or 'nothing'}\ntime: {time}\n"
    )


def _print_cells(read: Experiment) -> None:
    """Every cell; what its team is set to only where cells differ in that."""
    rows: list[tuple[Any, ...]] = [("cell", "team", "settings", "against", "games per block")]
    for cell in _cells_data(read):
        settings = (f"{key} = {json.dumps(one)}" for key, one in cell["settings"].items())
        rows.append(tuple((cell | {"settings": ", ".join(settings)}).values()))
    if not any(row[2] for row in rows[1:]):
        rows = [(*row[:2], *row[3:]) for row in rows]
    print_columns([["" if value is None else value for value in row] for row in rows])


def _cells_data(read: Experiment) -> Iterator[dict[str, Any]]:
    """Cells; of what the agents and the search are set to, by the keys of the file, differences."""
    every = [
        {f"agents.{key}": value for key, value in cell.team.agents.items()}
        | {f"search.{key}": value for key, value in cell.team.search.items()}
        for cell in read.cells
    ]
    for cell, settings in zip(read.cells, every, strict=True):
        special = dict(
            one for one in settings.items() if any(one not in other.items() for other in every)
        )
        yield {
            "cell": cell.label, "team": "+".join(cell.team.members), "settings": special,
            "against": None if cell.against is None else "+".join(cell.against.members),
            "games_a_block": len(cell.slots) * read.rounds,
        }  # fmt: skip


def _plan_data(planned: Plan, first: int, seconds: float | None) -> dict[str, Any]:
    read, origin = planned.experiment, planned.origin
    return {
        "experiment": read.name, "title": read.title, "question": read.question,
        "game": read.game, "seed": planned.seed, "blocks": planned.blocks,
        "rounds": read.rounds, "games": planned.games, "balance": list(read.balance),
        "core_seconds": seconds, "config_fingerprint": origin.config_fingerprint,
        "code_fingerprint": origin.code_fingerprint,
        "cells": list(_cells_data(read)),
        "first": [
            {"job_id": job.job_id, "cell": job.cell, "block": job.block, "slot": job.slot,
             "seed": job.seed, "config": dict(job.config)}
            for job in planned[:first]
        ],
    }  # fmt: skip


@verb("nothing was changed")
def status(store: StorePath, experiment: Which = None) -> None:
    """Show what a store holds; works while a run is in progress."""
    from sizeup.experiments.status import status as status_of
    from sizeup.experiments.store import Store, broken_rows

    with Store.read(store) as opened:
        shared.tell_of_log(opened)
        now = status_of(opened, _experiment_if_found(opened, experiment))
        broken = opened.broken()
    _print_amount(now, store)
    _print_arms(now)
    typer.echo(f"failed attempts: {now.failures}, in quarantine: {len(now.quarantined)}")
    for origin, games in now.origins:
        versions = ", ".join(f"{name} {number}" for name, number in origin.versions.items())
        typer.echo(
            f"seed {origin.seed}: {games:,} games, configuration {origin.config_fingerprint}, code "
            f"{origin.code_fingerprint} ({versions})"
        )
    if broken:
        tell(f"sizeup: {store}: {broken_rows(broken)}")
    _end_if_quarantined([(one.job_id, one.cell, one.error) for one in now.quarantined])
    if broken:
        raise typer.Exit(1)


def _experiment_if_found(store: Store, given: str | None) -> Experiment | None:
    from sizeup.experiments.stored import find_experiment

    try:
        found = find_experiment(store.origins().values(), given, [store.path.parent])
    except InvalidInput:
        if given is not None:
            raise
        return None
    names = {origin.name for origin in store.origins().values()}
    if names and found.name not in names:
        raise InvalidInput(f"{store.path} holds games of {', '.join(names)}, not of {found.name}")
    return found


def _print_amount(now: Status, store: Path) -> None:
    of_planned = "" if now.planned is None else f" of {now.planned:,}"
    names = ", ".join(dict.fromkeys(origin.name for origin, _ in now.origins)) or "nothing yet"
    typer.echo(f"{names}: {now.played:,}{of_planned} games in {store}")
    if now.foreign:
        typer.echo(f"{now.foreign:,} more games have another configuration and are not counted")
    if now.played:
        typer.echo(f"{duration(now.seconds)} of work, last game at {now.finished}")


def _print_arms(now: Status) -> None:
    if now.tallies:
        head = ("arm", "games", "won", "drawn", "lost", "score")
        rows = [
            (arm, one.n, one.wins, one.draws, one.losses, f"{100 * one.score:+.1f}")
            for arm, one in now.tallies.items()
        ]
        print_columns([head, *rows])
    if now.rewards:
        print_columns([("arm", "games", "most frequent rewards (games)"), *(
            (arm, now.games[arm], shared.rewards_text(found)) for arm, found in now.rewards.items()
        )])  # fmt: skip
