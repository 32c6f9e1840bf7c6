"""``sizeup status``: what a store holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sizeup.cli_experiments.shared import (
    Games,
    Which,
    experiment_of,
    print_columns,
    rewards_text,
    tell,
    verb,
)
from sizeup.errors import InvalidInput

if TYPE_CHECKING:
    from sizeup.experiments.experiment import Experiment
    from sizeup.experiments.status import Status
    from sizeup.experiments.store import Store

__all__ = ["status"]


@verb("nothing was changed")
def status(store: Games, experiment: Which = None) -> None:
    """Show what a store holds, also while a run is going on."""
    from sizeup.experiments.status import status as status_of
    from sizeup.experiments.store import Store

    with Store.read(store) as opened:
        now = status_of(opened, _experiment_if_found(opened, experiment))
    _print_amount(now, store)
    _print_arms(now)
    typer.echo(f"failed attempts: {now.failures}, in quarantine: {len(now.quarantined)}")
    _print_origins(now)
    for one in now.quarantined:
        tell(f"sizeup: in quarantine: {one.job_id} ({one.cell}): {one.error}")
    if now.quarantined:
        raise typer.Exit(1)


def _experiment_if_found(store: Store, given: str | None) -> Experiment | None:
    try:
        found = experiment_of(store, given)
    except InvalidInput:
        if given is not None:
            raise
        return None
    names = {origin.name for origin in store.origins().values()}
    if names and found.name not in names:
        raise InvalidInput(f"{store.path} holds games of {', '.join(names)}, not of {found.name}")
    return found


def _print_amount(now: Status, store: Path) -> None:
    from sizeup.experiments.progress import duration

    of_planned = "" if now.planned is None else f" of {now.planned}"
    names = ", ".join(dict.fromkeys(origin.name for origin, _ in now.origins)) or "nothing yet"
    typer.echo(f"{names}: {now.played}{of_planned} games in {store}")
    if now.foreign:
        typer.echo(f"{now.foreign} games of another configuration are there too, not counted here")
    if now.played:
        typer.echo(f"{duration(now.seconds)} of work, the last game at {now.finished}")


def _print_arms(now: Status) -> None:
    if now.tallies:
        head = ("arm", "games", "won", "drawn", "lost", "score")
        rows = [
            (arm, one.n, one.wins, one.draws, one.losses, f"{100 * one.score:+.1f}")
            for arm, one in now.tallies.items()
        ]
        print_columns([head, *rows])
    if now.rewards:
        print_columns([("arm", "games", "rewards (runs)"), *(
            (arm, now.games[arm], rewards_text(found)) for arm, found in now.rewards.items()
        )])  # fmt: skip


def _print_origins(now: Status) -> None:
    for origin, games in now.origins:
        versions = ", ".join(f"{name} {number}" for name, number in origin.versions.items())
        typer.echo(
            f"seed {origin.seed}: {games} games, configuration {origin.config_fingerprint}, code "
            f"{origin.code_fingerprint} ({versions})"
        )
