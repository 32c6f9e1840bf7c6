"""How far a run has come: a bar on a terminal, a plain line now and then anywhere else."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from sizeup.experiments.driver import Progress
from sizeup.experiments.live import Live
from sizeup.play.show import print_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live as Screen
    from rich.progress import Progress as Bar

__all__ = ["RunProgress", "duration"]

_LINES = 10  # beside the first one, where there is no bar
_PATIENCE = 60.0  # seconds without a line
_FRAME = 0.1  # seconds that a picture stays


class RunProgress:
    """Shows games played, games a second, time left and the live scores of a run.

    Parameters
    ----------
    live
        The scores.
    console
        Where to show it; the standard error if None.
    clock
        Tells the seconds.

    Examples
    --------
    >>> from rich.console import Console
    >>> from sizeup.experiments.spec import read_experiment
    >>> live = Live(read_experiment("checkers-aware"))
    >>> with RunProgress(live, Console()) as shown:
    ...     shown(Progress(48, 960, 48, 8.0, 114.0, 0, 0))
    48 of 960 games, 8.0 games/s, 1 min 54 s left; no whole block of every cell yet
    """

    def __init__(
        self,
        live: Live,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        from rich.console import Console

        self.console = Console(stderr=True) if console is None else console
        self._live, self._clock = live, clock
        self._screen: Screen | None = None
        self._bar: Bar | None = None
        self._told, self._when = -1, clock()

    def __enter__(self) -> RunProgress:
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            from rich.live import Live as Screen
            from rich.progress import BarColumn, TextColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(BarColumn(), TextColumn("{task.description}"), console=self.console)
            self._bar.add_task("", total=None)
            self._screen = Screen(console=self.console, auto_refresh=False, transient=True)
            self._screen.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._screen is not None:
            self._screen.stop()
            self._screen = self._bar = None

    def __call__(self, now: Progress) -> None:
        """Show how far it is."""
        if self._screen is not None and self._bar is not None:
            if self._told < 0 or self._clock() - self._when >= _FRAME:
                self._told, self._when = now.done, self._clock()
                self._draw(now, self._screen, self._bar)
        elif self._is_time(now):
            print_line(self.console, "; ".join([_text(now), *self._live.lines()]))

    def _draw(self, now: Progress, screen: Screen, bar: Bar) -> None:
        from rich.console import Group
        from rich.text import Text

        bar.update(bar.task_ids[0], completed=now.done, total=now.total, description=_text(now))
        lines = Text("\n".join(self._live.lines()))
        screen.update(Group(bar, lines), refresh=True)

    def _is_time(self, now: Progress) -> bool:
        """At every tenth, and when there was no line for a while."""
        tenth = _LINES * now.done // now.total
        if tenth <= self._told and self._clock() - self._when < _PATIENCE:
            return False
        self._told, self._when = tenth, self._clock()
        return True


def _text(now: Progress) -> str:
    parts = [f"{now.done} of {now.total} games"]
    if now.new:
        parts.append(f"{now.per_second:.1f} games/s")
    if now.seconds_left:
        parts.append(f"{duration(now.seconds_left)} left")
    if now.failures:
        parts.append(f"{now.failures} failure(s), {now.quarantined} in quarantine")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """Seconds for people.

    >>> duration(4.2), duration(114), duration(7500), duration(200000)
    ('4 s', '1 min 54 s', '2 h 5 min', '2 d 8 h')
    """
    steps = (("d", "h", 3600, 24), ("h", "min", 60, 60), ("min", "s", 1, 60))
    for large, small, unit, size in steps:
        units = round(seconds / unit)
        if units >= size:
            return f"{units // size} {large} {units % size} {small}"
    return f"{max(round(seconds), 1)} s"
