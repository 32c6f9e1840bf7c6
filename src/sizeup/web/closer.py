"""A closer look at the moves of people, once their game is over and nobody waits for a move.

During a game a move is held against as many searches as one cares to wait for. That can be too few
to tell neighbouring depths apart, which mostly play the same. After it there is time for many more.
As in ``sizeup infer``, a person is taken for a player that takes everybody for its equal.
"""

from __future__ import annotations

from functools import partial

from sizeup.capability import Sampled
from sizeup.play.infer import Sizing
from sizeup.play.record import Record
from sizeup.search.searcher import Cancel
from sizeup.web.game import FreshSearcher, LiveGame, binding
from sizeup.web.story import believer_about

RULE = Sampled(accuracy=0.02, patience=4)
"""Up to 256 searches of every depth up to 8 for each move, and 64 of one that looks 20 ahead."""


class CloserLook:
    """A look at every person whom somebody has sized up, a move at a time."""

    def __init__(self, game: LiveGame, record: Record) -> None:
        self.cancel = Cancel()
        """Stops it, from any thread."""
        searcher = partial(FreshSearcher, self.cancel)
        self._sizings: dict[int, Sizing] = {}
        for seat in (one for one in game.people if one is not None):
            believer = believer_about(game.story, seat)
            types = () if believer is None else game.story.types[believer]
            if len(types) > 1 and any(move.player == seat for move in record.moves):
                with binding:
                    self._sizings[seat] = Sizing(
                        [record], types, game.offer.game, searcher, RULE, [f"seat {seat}"]
                    )

    def __bool__(self) -> bool:
        return bool(self._sizings)

    def step(self) -> bool:
        """Look at the next move; False if there is none."""
        return any(sizing.step() for sizing in self._sizings.values())

    def odds(self) -> dict[int, tuple[float, ...]]:
        """How likely each depth is, for every seat that was looked at."""
        found = {seat: sizing.inference().players for seat, sizing in self._sizings.items()}
        return {seat: players[0].posterior for seat, players in found.items() if players}
