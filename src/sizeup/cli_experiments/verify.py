"""``sizeup verify``: stored games played again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sizeup.cli_experiments.shared import Games, tell, verb

if TYPE_CHECKING:
    from sizeup.experiments.verify import Checked, Drawn

__all__ = ["verify"]

_PROBLEMS_SHOWN = 4


@verb("the same command begins again")
def verify(
    store: Games,
    games: Annotated[int, typer.Option(help="How many games to play again.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Another seed draws other games.")] = 0,
) -> None:
    """Play some stored games again, drawn at random, and compare everything."""
    from sizeup.experiments.store import Store
    from sizeup.experiments.verify import code_changes, sample

    with Store.read(store) as opened:
        _end_if_damaged(opened.integrity(), store)
        drawn = sample(opened, games, seed)
        changed = code_changes(opened)
    found = _played_again(drawn)
    others = [one for one in found if one.differences]
    for one in others:
        tell(f"sizeup: game {one.game_id} differs: {', '.join(one.differences)}")
    if others and changed:
        tell(f"sizeup: the code has changed since: {', '.join(changed)}")
    if others:
        raise typer.Exit(1)
    bare = sum(not one.has_moves for one in found)
    note = f" ({bare} without their moves, which compact rows leave out)" if bare else ""
    typer.echo(f"{store}: {len(found)} games played again, all as they are stored{note}")


def _end_if_damaged(problems: Sequence[str], store: Path) -> None:
    """Say in one line what is wrong with the file; there may be hundreds of such things."""
    if problems:
        lines = [line.strip() for problem in problems for line in problem.splitlines()]
        more = len(lines) - _PROBLEMS_SHOWN
        shown = "; ".join(lines[:_PROBLEMS_SHOWN]) + (f" and {more} more" if more > 0 else "")
        tell(f"sizeup: {store}: {shown}")
        raise typer.Exit(1)


def _played_again(drawn: list[Drawn]) -> list[Checked]:
    from sizeup.experiments.progress import ReplayProgress
    from sizeup.experiments.verify import verify as verify_games

    found = []
    with ReplayProgress(sum(len(one.rows) for one in drawn)) as played_again:
        for one in verify_games(drawn):
            found.append(one)
            played_again()
    return found
