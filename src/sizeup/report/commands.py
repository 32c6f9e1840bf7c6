"""The commands that make the games and the report again."""

from __future__ import annotations

import shlex

from sizeup.report.summary import Summary

__all__ = ["commands", "replay_command"]


def commands(summary: Summary) -> list[str]:
    """What to type to run the experiment, to check its games, and to write the page.

    >>> from sizeup.report.sample import sample
    >>> commands(sample())[0]
    'sizeup run made-up.toml --store made-up.db --seed 0'
    """
    store = shlex.quote(summary.store)
    run = f"sizeup run {shlex.quote(summary.command)} --store {store} --seed"
    runs = dict.fromkeys(
        f"{run} {source.seed}" + (f" --blocks {source.blocks}" if source.blocks else "")
        for source in summary.sources
    )
    page = shlex.quote(f"{summary.name}.html")
    return [*runs, f"sizeup verify {store}", f"sizeup report {store} --html {page}"]


def replay_command(summary: Summary, game_id: str) -> str:
    """What to type to see a game again."""
    return f"sizeup replay {shlex.quote(summary.store)} {shlex.quote(game_id)}"
