"""How far games have come: a bar on a terminal, a plain line now and then anywhere else."""

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

__all__ = ["ReplayProgress", "RunProgress", "duration"]

_LINES = 10  # where there is no bar, beside that of the beginning
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
        self._lines = _Lines(clock)
        self._screen: Screen | None = None
        self._bar: Bar | None = None
        self._drawn: float | None = None

    def __enter__(self) -> RunProgress:
        if _has_bars(self.console):
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
            if self._drawn is None or self._clock() - self._drawn >= _FRAME:
                self._drawn = self._clock()
                self._draw(now, self._screen, self._bar)
        elif self._lines.is_time(now.done, now.total):
            print_line(self.console, "; ".join([_text(now), *self._live.lines()]))

    def _draw(self, now: Progress, screen: Screen, bar: Bar) -> None:
        from rich.console import Group
        from rich.text import Text

        bar.update(bar.task_ids[0], completed=now.done, total=now.total, description=_text(now))
        lines = Text("\n".join(self._live.lines()))
        screen.update(Group(bar, lines), refresh=True)


class ReplayProgress:
    """Shows how many games were played again, and the time left.

    Parameters
    ----------
    total
        How many there are to play; nothing is shown of none.
    console
        Where to show it; the standard error if None.
    clock
        Tells the seconds.

    Examples
    --------
    >>> from rich.console import Console
    >>> with ReplayProgress(2, Console(), clock=lambda: 0.0) as played_again:
    ...     played_again()
    ...     played_again()
    1 of 2 games played again
    2 of 2 games played again
    """

    def __init__(
        self,
        total: int,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        from rich.console import Console

        self.console = Console(stderr=True) if console is None else console
        self._total, self._done = total, 0
        self._clock, self._begin = clock, clock()
        self._lines = _Lines(clock, done=0)
        self._bar: Bar | None = None

    def __enter__(self) -> ReplayProgress:
        if self._total and _has_bars(self.console):
            from rich.progress import BarColumn, TextColumn
            from rich.progress import Progress as Bar

            columns = (BarColumn(), TextColumn("{task.description}"))
            self._bar = Bar(*columns, console=self.console, transient=True)
            self._bar.add_task(self._text(), total=self._total)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __call__(self) -> None:
        """Count a game."""
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done, description=self._text())
        elif self._lines.is_time(self._done, self._total):
            print_line(self.console, self._text())

    def _text(self) -> str:
        text = f"{self._done} of {self._total} games played again"
        seconds = self._clock() - self._begin
        left = seconds * (self._total - self._done) / self._done if self._done else 0
        return f"{text}, {duration(left)} left" if left else text


class _Lines:
    """When to say something where there is no bar: at every tenth, and after a long silence.

    Unless something is ``done`` already, the beginning counts as a tenth.
    """

    def __init__(self, clock: Callable[[], float], done: int = -1) -> None:
        self._clock, self._tenth, self._when = clock, done, clock()

    def is_time(self, done: int, total: int) -> bool:
        """Whether there should be a line now that so much is done."""
        tenth = _LINES * done // total
        if tenth <= self._tenth and self._clock() - self._when < _PATIENCE:
            return False
        self._tenth, self._when = tenth, self._clock()
        return True


def _has_bars(console: Console) -> bool:
    return console.is_terminal and not console.is_dumb_terminal


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
