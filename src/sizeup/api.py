"""The verbs of ``import sizeup`` that stand on several rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sizeup.agents.engine import MakeSearcher
    from sizeup.capability import Beliefs
    from sizeup.play.record import Record
    from sizeup.play.table import AgentLike, GameLike
    from sizeup.report.frames import Matches
    from sizeup.report.summary import Summary

__all__ = ["play_many", "run_experiment", "watch"]

_AT_ONCE = 4096  # matches whose searches are made together


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


def play_many(
    game: GameLike,
    teams: Sequence[str | Sequence[AgentLike]],
    seeds: Sequence[int],
    *,
    params: Any = None,
    beliefs: Mapping[int, Beliefs] | None = None,
    device: str = "cpu",
    watch: Callable[[Record], None] | None = None,
) -> Matches:
    """Play a match for each seed; a list of the records that :func:`sizeup.play` would give.

    Its ``frame()``, ``moves()`` and ``beliefs()`` are pandas frames, its ``figure()`` shows what
    the matches paid.

    Parameters
    ----------
    game, teams, params, beliefs
        As for :func:`sizeup.play`; every match begins with the same beliefs.
    seeds
        One for each match.
    device
        What searches are made on: ``"cpu"``, ``"cuda"`` (a GPU, which makes those of thousands of
        matches together), or ``"auto"``.
    watch
        Called with every record as a match ends, in whatever order they do.

    Examples
    --------
    >>> played = play_many("wall-of-fire", ["obl:2+obl:2"], seeds=range(3))
    >>> [record.total for record in played]
    [0.0, 0.0, 0.0]
    >>> played.frame()[["seed", "plies"]].values.tolist()
    [['0', 20], ['1', 20], ['2', 20]]
    """
    from sizeup.device import chosen
    from sizeup.play.match import play_at
    from sizeup.play.table import members_of, seated_view, set_table
    from sizeup.report.frames import Matches
    from sizeup.search import Searcher

    view = seated_view(game, [len(team) for team in members_of(teams)], params)
    found: dict[int, Record] = {}

    def match(number: int, searcher: MakeSearcher = Searcher) -> None:
        table = set_table(view, teams, None, beliefs, searcher)
        found[number] = play_at(table, seed=seeds[number])
        if watch is not None:
            watch(found[number])

    device = chosen(device)
    if device == "cpu":
        for number in range(len(seeds)):
            match(number)
    else:
        from sizeup.search.crowd import open_crowd  # here: it needs what not everybody has

        crowd = open_crowd(device)
        tasks = (partial(match, number, crowd.searcher) for number in range(len(seeds)))
        crowd.run(tasks, _AT_ONCE)
    return Matches(found[number] for number in range(len(seeds)))


def run_experiment(
    experiment: str | Path,
    store: str | Path | None = None,
    *,
    blocks: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    max_games: int | None = None,
    until_decided: bool = False,
    smaller_than: float | None = None,
    on: str = "local",
    device: str = "cpu",
) -> Summary:
    """Play an experiment, or continue one, and return what came of it; print it for its tables.

    Its ``frame()`` and ``games()`` are pandas frames, its ``figures()`` those of the page.

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
    until_decided, smaller_than
        Stop as soon as every comparison is decided; differences below so many points, or so much
        reward, do not matter (the experiment's margin if not given).
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
    >>> found.frame().query("table == 'Reward'")[["arm", "value"]].values.tolist()[:2]
    [['novices', 0.0], ['experts', 1490.0]]
    >>> list(found.figures())
    ['comparisons', 'Reward']
    """
    from sizeup.cli.progress import RunProgress
    from sizeup.device import chosen
    from sizeup.experiments.driver import first_blocks
    from sizeup.experiments.driver import run as drive
    from sizeup.experiments.executors import open_executor
    from sizeup.experiments.plan import plan
    from sizeup.experiments.spec import read_experiment
    from sizeup.experiments.status import Live, blocks_until_decided
    from sizeup.experiments.store import Store
    from sizeup.experiments.worker import play_job
    from sizeup.report.summarise import summarise

    read = read_experiment(str(experiment))
    live = Live(read, until_decided=until_decided, smaller_than=smaller_than)
    if until_decided and not blocks:
        blocks = blocks_until_decided(read)
    planned = plan(read, seed, blocks)
    jobs = planned if max_games is None else first_blocks(planned, max_games)
    path = Path(store or f"{read.name}-{seed}.db")
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
        summary = summarise(read, opened, margin=smaller_than)
    if ended.ended == "interrupted":
        raise KeyboardInterrupt(f"what was played is kept in {path}; the same call continues")
    return summary
