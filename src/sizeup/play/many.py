"""Many matches of the same teams, side by side if there is a GPU to search on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sizeup.agents.engine import MakeSearcher
from sizeup.capability import Beliefs
from sizeup.device import chosen
from sizeup.play.match import play_at
from sizeup.play.record import Record
from sizeup.play.table import AgentLike, GameLike, members_of, seated_view, set_table
from sizeup.search import Searcher

__all__ = ["play_many"]

_AT_ONCE = 4096


def play_many(
    game: GameLike,
    teams: Sequence[str | Sequence[AgentLike]],
    seeds: Sequence[int],
    *,
    params: Any = None,
    beliefs: Mapping[int, Beliefs] | None = None,
    device: str = "cpu",
    watch: Callable[[Record], None] | None = None,
) -> list[Record]:
    """Play a match for each seed; the records are those of :func:`sizeup.play`, whatever plays.

    The parameters are those of :func:`sizeup.play_many`.

    Examples
    --------
    >>> [record.total for record in play_many("wall-of-fire", ["obl:2+obl:2"], seeds=range(3))]
    [0.0, 0.0, 0.0]
    """
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
    return [found[number] for number in range(len(seeds))]
