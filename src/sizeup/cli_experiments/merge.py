"""``sizeup merge``: games from other stores and from exported rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sizeup.cli_experiments.shared import Which, verb

__all__ = ["merge"]


@verb("nothing was taken, the same command begins again")
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
