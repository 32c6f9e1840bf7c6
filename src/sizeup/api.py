"""The verbs of ``import sizeup`` that stand on several rooms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sizeup.play.record import Record
    from sizeup.play.table import AgentLike, GameLike
    from sizeup.report.summary import Summary

__all__ = ["run_experiment", "watch"]


def watch(
    game: GameLike,
    teams: Sequence[str | Sequence[AgentLike]],
    *,
    seed: int = 0,
    params: Any = None,
    delay: float = 0.4,
) -> Record:
    """Play a match and show it in the terminal: the board, what happens, and what players believe.

    Parameters
    ----------
    game, teams, seed, params
        As for :func:`sizeup.play`.
    delay
        Seconds between moves on a terminal.

    Examples
    --------
    >>> from sizeup.games import wall_of_fire
    >>> world = wall_of_fire.board("S.", most_turns=1)
    >>> record = watch(wall_of_fire, ["obl:1+obl:1"], params=world)  # doctest: +ELLIPSIS
    wall-of-fire
     A  .
    ...
    """
    from sizeup.play.match import play
    from sizeup.play.show import MatchView

    with MatchView(delay=delay) as shown:
        record = play(game, teams, seed=seed, params=params, watch=shown)
    shown.end(record)
    return record


def run_experiment(
    experiment: str | Path,
    store: str | Path | None = None,
    *,
    blocks: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    max_games: int | None = None,
    on: str = "local",
    device: str = "cpu",
) -> Summary:
    """Play an experiment, or continue one, and return what came of it; print it for its tables.

    What a store holds is not played again. Ctrl-C keeps what was played, and the same call
    continues.

    Parameters
    ----------
    experiment
        The name of one that comes with Sizeup, or a TOML file.
    store
        Where games are kept; ``NAME-SEED.db`` in the current folder if not given.
    blocks
        Seed blocks for each cell; the file's if not given.
    seed
        Root of all seeds.
    workers
        Processes; one for each core if not given.
    max_games
        Play only the first whole seed blocks, of at most so many games.
    on
        ``"local"``, ``"ray"``, or the address of a Ray cluster.
    device
        What searches are made on: ``"cpu"``, ``"cuda"`` (the GPUs of this machine) or ``"auto"``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = run_experiment("wall-of-fire", f"{folder}/fire.db", blocks=1, workers=1)
    >>> found
    <Summary of wall-of-fire: 4 of 20 games>
    """
    from sizeup.cli.progress import RunProgress
    from sizeup.device import chosen
    from sizeup.experiments.driver import first_blocks
    from sizeup.experiments.driver import run as drive
    from sizeup.experiments.executors import open_executor
    from sizeup.experiments.plan import plan
    from sizeup.experiments.spec import read_experiment
    from sizeup.experiments.status import Live
    from sizeup.experiments.store import Store
    from sizeup.experiments.worker import play_job
    from sizeup.report.summarise import summarise

    read = read_experiment(str(experiment))
    planned = plan(read, seed, blocks)
    jobs = planned if max_games is None else first_blocks(planned, max_games)
    path, live = Path(store or f"{read.name}-{seed}.db"), Live(read)
    found = chosen(device)
    with (
        open_executor(on, workers, None, found, Path(f"{path}.out")) as executor,
        Store.open(path, planned.origin) as opened,
        RunProgress(live) as shown,
    ):
        ended = drive(
            jobs, play_job, opened, executor, stop=live, on_progress=shown,
            measure_limit=found == "cpu",
        )  # fmt: skip
        summary = summarise(read, opened)
    if ended.ended == "interrupted":
        raise KeyboardInterrupt(f"what was played is kept in {path}; the same call continues")
    return summary
