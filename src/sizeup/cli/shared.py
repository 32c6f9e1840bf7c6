"""What the verbs have in common: arguments, ways to end, files to write, and columns of text."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer import Argument, Option

from sizeup.errors import InvalidInput

_REWARDS_SHOWN = 6

if TYPE_CHECKING:
    from sizeup.experiments.store import Store

StorePath = Annotated[
    Path, Argument(metavar="STORE", help="Store of an experiment, as sizeup run writes it.")
]
Which = Annotated[
    str | None,
    Option(
        "--experiment",
        help="Name or TOML file of the experiment, if it cannot be found from the store.",
    ),
]
SmallerThan = Annotated[
    float | None,
    Option(
        help="Differences below this many points, or this much reward, do not matter; default: "
        "the experiment's margin, 2 points, or 1 % of what a match can pay."
    ),
]


@contextmanager
def verb(after_ctrl_c: str = "") -> Iterator[None]:
    """Ctrl-C ends a verb with one line, and the code that shells expect; errors name TOML keys."""
    try:
        yield
    except KeyboardInterrupt:
        end_by_ctrl_c(after_ctrl_c)
    except InvalidInput as error:
        from sizeup.experiments.toml_file import in_toml

        raise InvalidInput(in_toml(str(error))) from None


def end_by_ctrl_c(what_now: str, number: int = signal.SIGINT) -> NoReturn:
    """End with one line and the code that shells expect, however often Ctrl-C is pressed."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # this process has nothing left to stop
    tell(f"sizeup: stopped: {what_now}" if what_now else "sizeup: stopped")
    raise typer.Exit(128 + number) from None


def tell(line: str) -> None:
    """Print a line to standard error: a message, not a result."""
    typer.echo(line, err=True)


def tell_of_log(store: Store) -> None:
    """Say if another file's log stood beside a store."""
    if store.log_aside is not None:
        done = "ignored" if store.log_aside.name.endswith("-wal") else "set aside"
        tell(f"sizeup: {store.log_aside}: the log of another file, {done}")


def require_suffix(option: str, path: Path | None, *fitting: str) -> None:
    """Refuse to write to a file whose name promises something else."""
    if path is not None and path.suffix and path.suffix.lower() not in fitting:
        raise InvalidInput(
            f"{option} writes a file that ends in {' or '.join(fitting)}, got {path}"
        )


def require_writable(path: Path | None) -> None:
    """Refuse what cannot be written before long work, not after it."""
    if path is None:
        return
    try:
        if not path.absolute().parent.is_dir():
            raise InvalidInput(f"cannot write {path}: there is no folder {path.parent}")
        if path.is_dir():
            raise InvalidInput(f"cannot write {path}: it is a folder")
        is_new = not path.exists()
        path.open("ab").close()  # there is no surer way to know, and it changes nothing
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror}") from None
    if is_new:
        path.unlink()


def tell_written(path: Path, more: str = "") -> None:
    """Say that a file was written; not in the middle of it, if that was standard output."""
    from sizeup.experiments.export import is_stdout

    typer.echo(f"wrote {path}{more}", err=is_stdout(path))


def write(path: Path, text: str) -> None:
    """Write a file, and say so."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror or error}") from None
    typer.echo(f"wrote {path}")


def print_columns(rows: Sequence[Sequence[Any]]) -> None:
    """Print a table: text to the left, numbers to the right."""
    texts = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row, line in zip(rows, texts, strict=True):
        laid = [
            text.rjust(width) if isinstance(value, int) else text.ljust(width)
            for value, text, width in zip(row, line, widths, strict=True)
        ]
        typer.echo("  ".join(laid).rstrip())


def _cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _reward(value: float) -> str:
    return f"{value:,g}".replace("-", "\N{MINUS SIGN}")


def rewards_text(found: Any) -> str:
    """The most frequent rewards, each with its number of games, and how many others there are."""
    shown = found.most_common(_REWARDS_SHOWN)
    text = ", ".join(f"{_reward(reward)} ({games:,})" for reward, games in shown)
    others = len(found) - len(shown)
    left = found.total() - sum(games for _, games in shown)
    return f"{text} and {others} other{'s' * (others > 1)} ({left:,})" if others else text


Device = Annotated[
    str, Option(help="Where to search: cpu, cuda (a GPU), or auto (a GPU if there is one).")
]


def chosen_device(device: str, on: str = "local") -> str:
    """The device to use, told unless it is the CPU that nobody asked about.

    A cluster's GPUs are the cluster's business.
    """
    if device == "cpu" or (device == "cuda" and on != "local"):
        return device
    from sizeup.device import chosen, describe, missing

    found = chosen(device)
    if found == "cuda":
        tell(f"searches on {describe()}")
    elif device == "auto":
        tell(f"searches on the CPU: {missing()}")
    return found
