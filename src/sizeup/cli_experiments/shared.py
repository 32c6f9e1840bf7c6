"""What the verbs of experiments have in common: arguments, ways to end, and columns of text."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from sizeup.errors import InvalidInput

if TYPE_CHECKING:
    from sizeup.experiments.experiment import Experiment
    from sizeup.experiments.store import Store

__all__ = [
    "Blocks",
    "Games",
    "Seed",
    "Wanted",
    "Which",
    "default_store",
    "end_by_ctrl_c",
    "experiment_of",
    "print_columns",
    "require_suffix",
    "rewards_text",
    "tell",
    "verb",
]

Wanted = Annotated[str, typer.Argument(help="An experiment's name, or a TOML file.")]
Seed = Annotated[int, typer.Option(help="Root of all seeds.")]
Blocks = Annotated[
    int | None,
    typer.Option("--blocks", "--runs", help="Seed blocks for each cell; the file's if not given."),
]
Games = Annotated[Path, typer.Argument(metavar="STORE", help="Games, as sizeup run keeps them.")]
Which = Annotated[
    str | None,
    typer.Option("--experiment", help="Whose games they are, if that is not found by itself."),
]


@contextmanager
def verb(how_to_go_on: str) -> Iterator[None]:
    """Ctrl-C ends a verb with one line, and the code that shells expect; errors name TOML keys."""
    try:
        yield
    except KeyboardInterrupt:
        end_by_ctrl_c(how_to_go_on)
    except InvalidInput as error:
        from sizeup.experiments.toml_words import in_toml

        raise InvalidInput(in_toml(str(error))) from None


def end_by_ctrl_c(how_to_go_on: str) -> NoReturn:
    """End with one line and the code that shells expect, however often Ctrl-C is pressed."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # this process has nothing left to stop
    tell(f"sizeup: stopped: {how_to_go_on}")
    raise typer.Exit(130) from None


def tell(line: str) -> None:
    """Say something that is no result."""
    typer.echo(line, err=True)


def default_store(read: Experiment, seed: int) -> Path:
    """Where the games of an experiment are if nobody says otherwise."""
    return Path(f"{read.name}-{seed}.db")


def experiment_of(store: Store, given: str | None) -> Experiment:
    """The experiment that the games of a store are of."""
    from sizeup.experiments.find import find_experiment

    return find_experiment(store.origins().values(), given, [store.path.parent])


def require_suffix(option: str, path: Path | None, *fitting: str) -> None:
    """Refuse to write to a file whose name promises something else.

    >>> require_suffix("--html", Path("report.pdf"), ".html", ".htm")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: --html writes a file that ends in .html or .htm, got report.pdf
    """
    if path is not None and path.suffix and path.suffix.lower() not in fitting:
        raise InvalidInput(
            f"{option} writes a file that ends in {' or '.join(fitting)}, got {path}"
        )


def print_columns(rows: Sequence[Sequence[Any]]) -> None:
    """Words to the left, numbers to the right."""
    texts = [[str(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row, line in zip(rows, texts, strict=True):
        laid = [
            text.rjust(width) if isinstance(value, int) else text.ljust(width)
            for value, text, width in zip(row, line, widths, strict=True)
        ]
        typer.echo("  ".join(laid).rstrip())


def rewards_text(found: Any) -> str:
    """The most frequent rewards, each with its number of runs."""
    return ", ".join(f"{reward:g} ({runs})" for reward, runs in found.most_common(6))
