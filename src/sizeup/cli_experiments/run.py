"""``sizeup run``: play an experiment, or go on with one."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sizeup.cli_experiments.shared import (
    Blocks,
    Seed,
    Wanted,
    default_store,
    end_by_ctrl_c,
    print_columns,
    rewards_text,
    tell,
    verb,
)

if TYPE_CHECKING:
    from sizeup.experiments.driver import Summary
    from sizeup.experiments.experiment import Experiment
    from sizeup.experiments.job import Job
    from sizeup.experiments.plan import Plan
    from sizeup.experiments.store import Store

__all__ = ["run"]

_MOST_GAMES = 100_000  # of a run until everything is decided, if nothing else is said


@verb("what was played is kept, the same command goes on")
def run(
    experiment: Wanted,
    store: Annotated[
        Path | None, typer.Option(help="Where games are kept; NAME-SEED.db if not given.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes; all cores if not given.")] = None,
    max_games: Annotated[
        int | None,
        typer.Option(help="Play only the first whole seed blocks, of at most so many games."),
    ] = None,
    blocks: Blocks = None,
    arm: Annotated[
        list[str] | None,
        typer.Option(help="Play only this arm; may be given more than once. All if not given."),
    ] = None,
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
        "--arm": arm, "--seed": seed or None, "--on": None if on == "local" else on,
        "--until-decided": until_decided,
        "--smaller-than": smaller_than if until_decided and smaller_than != 2 else None,
        "--limit": limit, "--allow-changes": allow_changes,
    })  # fmt: skip
    read = read_experiment(experiment)
    part = read.only(arm) if arm else read
    live = Live(part, until_decided=until_decided, smaller_than=smaller_than / 100)
    planned = plan_games(read, seed, _most_blocks(read) if until_decided and not blocks else blocks)
    jobs = _first_jobs(planned, part, max_games)
    path = store or default_store(read, seed)
    with (
        open_executor(on, workers, limit) as executor,
        Store.open(path, planned.origin, allow_changes=allow_changes) as opened,
    ):
        tell(f"{read.name}: {_amount(planned, jobs, max_games, until_decided)}, kept in {path}")
        with RunProgress(live) as shown:
            ended = drive(jobs, play_job, opened, executor, stop=live, on_progress=shown)
        _end_if_interrupted(ended, again)
        _show_results(opened, read, experiment)
    if until_decided:
        tell(f"{'decided' if live.is_decided else 'ended'}: {'; '.join(live.verdicts())}")
    _name_quarantined(ended)


def _command(experiment: str, options: Mapping[str, Any]) -> str:
    """What to type to go on."""
    words = ["sizeup", "run", experiment]
    for option, value in options.items():
        if value is True:
            words.append(option)
        elif isinstance(value, list):
            words += [word for one in value for word in (option, one)]
        elif value not in (None, False):
            words += [option, str(value)]
    return shlex.join(words)


def _most_blocks(read: Experiment) -> int:
    return max(read.blocks, _MOST_GAMES * read.blocks // read.games)


def _first_jobs(planned: Plan, part: Experiment, max_games: int | None) -> Sequence[Job]:
    """What to play of a plan: jobs of a part of the experiment, and of these the first blocks."""
    from sizeup.experiments.driver import first_blocks

    cells = {cell.label for cell in part.cells}
    jobs = planned if part == planned.experiment else [job for job in planned if job.cell in cells]
    return jobs if max_games is None else first_blocks(jobs, max_games)


def _amount(planned: Plan, jobs: Sequence[Job], max_games: int | None, until_decided: bool) -> str:
    """How many games will be played, of how many, and why not as many as were asked for."""
    games = len(jobs) * planned.experiment.rounds
    text = f"{'at most ' if until_decided else ''}{games}"
    if games == planned.games:
        return f"{text} games"
    exact = max_games is None or games == max_games
    rounded = "" if exact else f" (whole seed blocks within --max-games {max_games})"
    return f"{text} of {planned.games} games{rounded}"


def _end_if_interrupted(ended: Summary, again: str) -> None:
    if ended.ended == "interrupted":
        now = ended.progress
        end_by_ctrl_c(f"{now.done} of {now.total} games are kept; go on with: {again}")


def _show_results(store: Store, read: Experiment, typed: str) -> None:
    from sizeup.experiments.status import status as status_of
    from sizeup.report import summarise, to_text

    typer.echo(to_text(replace(summarise(read, store), command=typed)), nl=False)
    rewards = status_of(store, read).rewards
    if rewards:
        titles = {arm.name: arm.title for arm in read.arms}
        typer.echo("\nRewards (runs)")
        print_columns([(titles[arm], rewards_text(found)) for arm, found in rewards.items()])


def _name_quarantined(ended: Summary) -> None:
    if ended.ended == "failed":
        tell(f"sizeup: stopped: none of the first {len(ended.quarantined)} jobs could be played")
    if ended.quarantined:
        for one in ended.quarantined:
            tell(f"sizeup: in quarantine: {one.job.job_id} ({one.job.cell}): {one.error}")
        raise typer.Exit(1)
