"""Many matches of the same teams: a list of records, with frames and a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sizeup.play.record import Record
from sizeup.report.figures import Figure, ForestRow, forest, with_runs
from sizeup.report.frames import beliefs_frame, matches_frame, moves_frame
from sizeup.report.tables import mean_of_any_size, spread_of

if TYPE_CHECKING:
    from pandas import DataFrame  # type: ignore[import-untyped]  # unless stubs are installed

__all__ = ["Matches"]


class Matches(list[Record]):
    """Records of matches, in the order of their seeds.

    >>> from sizeup.play.many import play_many
    >>> played = Matches(play_many("wall-of-fire", ["obl:2+obl:2"], seeds=range(3)))
    >>> played
    <Matches: 3 of wall-of-fire>
    >>> played.frame()["total"].tolist()
    [0.0, 0.0, 0.0]
    """

    def frame(self) -> DataFrame:
        """One row for each match; see :func:`~sizeup.report.frames.matches_frame`."""
        return matches_frame(self)

    def moves(self) -> DataFrame:
        """One row for each move, by the number of its match (``game_id``)."""
        return moves_frame(self)

    def beliefs(self) -> DataFrame:
        """What players believed after every move, by the number of its match (``game_id``)."""
        return beliefs_frame(self)

    def figure(self) -> Figure:
        """What each match paid, with the mean and its 95 % interval.

        It assumes that no match can pay more than twice as far from 0 as these did.
        """
        totals = np.array([record.total for record in self], dtype=np.float64)
        name = self[0].game if self else "no matches"
        mark = ForestRow(
            f"{len(self)} matches", mean_of_any_size([totals]), spread=spread_of(totals)
        )
        drawn = forest("matches", f"Rewards of {name}", [mark], "reward of the first team", 2)
        return Figure(f"Rewards of {name}", with_runs(drawn))

    def __repr__(self) -> str:
        games = ", ".join(dict.fromkeys(record.game for record in self))
        return f"<Matches: {len(self)}{f' of {games}' if games else ''}>"
