"""How far the looking at games has come: a bar on a terminal, a few plain lines anywhere else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from sizeup.play.look import Look
from sizeup.play.read_games import Game, plies_of
from sizeup.play.show import print_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

__all__ = ["LookProgress"]

_LINES = 10  # beside the first one, where there is no bar


class LookProgress:
    """Shows how many moves have been looked at, as ``watch`` of :func:`~sizeup.play.infer.infer`.

    Parameters
    ----------
    games
        All that is looked at.
    console
        Where to show it; the standard error if None.

    Examples
    --------
    >>> from rich.console import Console
    >>> from sizeup.games.pdn import read_pdn
    >>> from sizeup.play.infer import infer
    >>> games = read_pdn("1. 11-15 22-18 *  1. 11-15 *")
    >>> with LookProgress(games, Console()) as progress:
    ...     found = infer(games, types=(1, 2), watch=progress)
    game 1 of 2: 1 of 3 moves
    game 1 of 2: 2 of 3 moves
    game 2 of 2: 3 of 3 moves
    """

    def __init__(self, games: Sequence[Game], console: Console | None = None) -> None:
        from rich.console import Console

        self.console = Console(stderr=True) if console is None else console
        self._begins = list(accumulate((plies_of(game) for game in games), initial=0))
        self._bar: Progress | None = None
        self._told = -1  # tenths that have been told

    def __enter__(self) -> LookProgress:
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            from rich.progress import Progress

            self._bar = Progress(console=self.console, transient=True)
            self._bar.add_task("looking", total=self._begins[-1])
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __call__(self, one: Look) -> None:
        """Show a move that has been looked at."""
        done, total = self._begins[one.game] + one.ply, self._begins[-1]
        place = f"game {one.game + 1} of {len(self._begins) - 1}"
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=place)
        elif _LINES * done // total > self._told:
            self._told = _LINES * done // total
            print_line(self.console, f"{place}: {done} of {total} moves")
