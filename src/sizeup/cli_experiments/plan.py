"""``sizeup plan``: what an experiment would play."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sizeup.cli_experiments.shared import Blocks, Seed, default_store, print_columns, verb

if TYPE_CHECKING:
    from sizeup.experiments.experiment import Cell, Experiment
    from sizeup.experiments.plan import Plan

__all__ = ["plan"]


@verb("nothing was changed")
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
    from sizeup.experiments.spec import read_experiment

    if experiment is None:
        _print_shipped()
        return
    read = read_experiment(experiment)
    planned = plan_games(read, seed, blocks)
    seconds = _expected_seconds(store or default_store(read, seed), planned, store is not None)
    if as_json:
        typer.echo(json.dumps(_plan_data(planned, first, seconds), indent=1))
        return
    _print_head(planned, seconds)
    _print_cells(read)
    if first:
        _print_games(planned, first)


def _print_shipped() -> None:
    from sizeup.experiments.spec import read_experiment, shipped

    known = map(read_experiment, shipped())
    print_columns([(one.name, one.games, "games", one.title) for one in known])


def _expected_seconds(path: Path, planned: Plan, is_needed: bool) -> float | None:
    """Time in workers, going by games that were played; None if there are none."""
    from sizeup.experiments.status import expected_seconds
    from sizeup.experiments.store import Store

    if not is_needed and not path.exists():
        return None
    with Store.read(path) as store:
        return expected_seconds(store, planned)


def _print_head(planned: Plan, seconds: float | None) -> None:
    read = planned.experiment
    typer.echo(f"{read.title}\n{read.question}\n")
    series = f", series of {read.rounds} games each" if read.rounds > 1 else ""
    typer.echo(
        f"{planned.games} games of {read.game}: {len(read.cells)} cells, {planned.blocks} seed "
        f"blocks each{series}\nbalanced within a block: {', '.join(read.balance) or 'nothing'}"
    )
    typer.echo(_time_text(seconds))


def _time_text(seconds: float | None) -> str:
    from sizeup.experiments.executors import available_cores
    from sizeup.experiments.progress import duration

    if seconds is None:
        return "time: not known before some games are played\n"
    cores = available_cores()
    return f"time: {duration(seconds / cores)} on {cores} cores, by the games played so far\n"


def _print_cells(read: Experiment) -> None:
    """Every cell; what its team is set to only where cells differ in that."""
    cells = list(_cells_data(read))
    heads = {"cell": "cell", "team": "team", "settings": "settings", "against": "against",
             "games_a_block": "games a block"}  # fmt: skip
    if not any(cell["settings"] for cell in cells):
        del heads["settings"]
    rows = [[_cell_text(cell[key]) for key in heads] for cell in cells]
    print_columns([list(heads.values()), *rows])


def _cell_text(value: Any) -> Any:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {json.dumps(one)}" for key, one in value.items())
    return "" if value is None else value


def _cells_data(read: Experiment) -> Iterator[dict[str, Any]]:
    every = [_settings(cell) for cell in read.cells]
    for cell, settings in zip(read.cells, every, strict=True):
        special = {
            key: value
            for key, value in settings.items()
            if any(key not in other or other[key] != value for other in every)
        }
        yield {
            "cell": cell.label, "team": "+".join(cell.team.members), "settings": special,
            "against": None if cell.against is None else "+".join(cell.against.members),
            "games_a_block": len(cell.slots) * read.rounds,
        }  # fmt: skip


def _settings(cell: Cell) -> dict[str, Any]:
    """What the agents of a team and their search are set to, by the keys of the file."""
    sides = {"agents": cell.team.agents, "search": cell.team.search}
    return {f"{table}.{key}": value for table, some in sides.items() for key, value in some.items()}


def _print_games(planned: Plan, first: int) -> None:
    typer.echo("\nfirst games")
    print_columns(
        [(job.game_id(), job.cell, f"block {job.block}", f"slot {job.slot}", f"seed {job.seed}")
         for job in planned[:first]]
    )  # fmt: skip


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
