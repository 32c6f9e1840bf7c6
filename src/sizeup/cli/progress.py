"""Progress of long work: a bar on a terminal, a line now and then anywhere else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from sizeup.words import percent

if TYPE_CHECKING:
    from typing import Self

    from rich.console import Console
    from rich.live import Live as Screen

    from sizeup.experiments.driver import Progress
    from sizeup.experiments.status import Live

Clock: TypeAlias = Callable[[], float]
LineMaker: TypeAlias = Callable[[], Iterable[str]]
_LINES = 10  # where there is no bar, after the first
_PATIENCE = 60.0  # seconds without a line
_PAUSE = 5.0  # seconds between two lines, at least
_FRAME = 0.1  # seconds that a picture stays


class _Shown:
    """A bar that leaves nothing behind; elsewhere a line at every tenth, and after a long silence.

    Tenths that come soon after each other share a line. ``tenth`` is the last one that needs none.
    """

    def __init__(self, console: Console | None, clock: Clock, tenth: int) -> None:
        from rich.console import Console

        self.console = Console(stderr=True) if console is None else console
        self._clock, self._when, self._tenth = clock, clock(), tenth
        self._screen: Screen | None = None
        self._next: Callable[[], None] | None = None
        self._drawn: float | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._next is not None:
            self._next()
        if self._screen is not None:
            self._screen.stop()

    def say(self, line: str) -> None:
        """Print a line for good, above the bar if there is one."""
        from sizeup.play.show import print_line

        print_line(self.console if self._screen is None else self._screen.console, line)

    def _show(self, done: int, total: int, text: str, lines: LineMaker) -> None:
        from sizeup.play.show import print_line

        now, tenth = self._clock(), _LINES * done // total
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self._next = partial(self._draw, done, total, text, lines)
            if self._drawn is None or now - self._drawn >= _FRAME:
                self._drawn = now
                self._next()
        elif now - self._when >= _PATIENCE or (
            tenth > self._tenth and (self._tenth < 0 or done == total or now - self._when >= _PAUSE)
        ):
            self._tenth, self._when = tenth, now
            print_line(self.console, "; ".join([text, *lines()]))

    def _draw(self, done: int, total: int, text: str, lines: LineMaker) -> None:
        from rich.console import Group
        from rich.live import Live as Screen
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar
        from rich.text import Text

        if self._screen is None:
            self._screen = Screen(console=self.console, auto_refresh=False, transient=True)
            self._screen.start()
        bar = Bar(BarColumn(), TextColumn("{task.description}"), console=self.console)
        bar.add_task(text, total=total, completed=done)
        self._screen.update(Group(bar, *map(Text, lines())), refresh=True)
        self._next = None


class RunProgress(_Shown):
    """Shows games played, games a second, time left and the live scores of a run.

    >>> from rich.console import Console
    >>> from sizeup.experiments.driver import Progress
    >>> from sizeup.experiments.spec import read_experiment
    >>> from sizeup.experiments.status import Live
    >>> live = Live(read_experiment("checkers-aware"))
    >>> with RunProgress(live, Console()) as shown:
    ...     shown(Progress(48, 960, 48, 8.0, 114.0, 0, 0))
    48 of 960 games, 8.0 games/s, 1 min 54 s left; not enough games yet
    """

    def __init__(
        self, live: Live, console: Console | None = None, clock: Clock = time.monotonic
    ) -> None:
        super().__init__(console, clock, tenth=-1)
        self._live = live
        self._limit: float | None = None

    def __call__(self, now: Progress) -> None:
        """Show how far it is."""
        self._show(now.done, now.total, _text(now), self._live.lines)
        if now.limit is not None and (self._limit is None or now.limit >= 2 * self._limit):
            self._limit = now.limit
            self.say(
                f"a game that takes longer than {duration(now.limit)} is ended and tried again "
                "(--limit SECONDS changes that, --limit 0 turns it off)"
            )


class ReplayProgress(_Shown):
    """Shows how many games were replayed, and the time left; nothing if there are none."""

    def __init__(
        self, total: int, console: Console | None = None, clock: Clock = time.monotonic
    ) -> None:
        super().__init__(console, clock, tenth=0)
        self._total, self._done, self._begin = total, 0, clock()

    def __enter__(self) -> Self:
        if self._total:
            self(0)
        return self

    def __call__(self, games: int = 1) -> None:
        """Count a game."""
        self._done += games
        text = f"{self._done:,} of {self._total:,} games replayed"
        left = (self._clock() - self._begin) * (self._total - self._done) / max(self._done, 1)
        text = f"{text}, {duration(left)} left" if left and self._done else text
        self._show(self._done, self._total, text, tuple)


class ReadProgress(_Shown):
    """Shows how much of a file has been read, and the time left; of a short one nothing.

    >>> from rich.console import Console
    >>> seconds = iter([0.0, 6.0, 6.0])
    >>> with ReadProgress("games.pdn", Console(), lambda: next(seconds)) as progress:
    ...     progress(0.25)
    games.pdn: 25 % read, 18 s left
    """

    def __init__(
        self, name: object, console: Console | None = None, clock: Clock = time.monotonic
    ) -> None:
        super().__init__(console, clock, tenth=0)
        self._name, self._begin, self._told = name, self._when, self._when

    def __call__(self, share: float) -> None:
        """Show the share of 1 that has been read."""
        now = self._clock()
        if now - self._told < 1.0:
            return  # a game is read in a moment
        self._told = now
        left = (now - self._begin) * (1.0 - share) / share
        text = f"{self._name}: {percent(share)} read"
        text = f"{text}, {duration(left)} left" if left else text
        self._show(int(100 * share), 100, text, tuple)


def _text(now: Progress) -> str:
    parts = [f"{now.done:,} of {now.total:,} games"]
    if now.new:
        parts.append(f"{now.per_second:.1f} games/s")
    if now.seconds_left:
        parts.append(f"{duration(now.seconds_left)} left")
    if now.failures:
        parts.append(f"{now.failures} failed attempt(s), {now.quarantined} in quarantine")
    if now.stalled:
        parts.append(f"no game has ended for {duration(now.stalled)}: one may hang")
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
