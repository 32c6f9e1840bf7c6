"""Games whose page went away, kept for a while: a page that is loaded again need not wait.

Without one of these a game goes on too, but every move of it has to be searched again.
"""

from __future__ import annotations

from collections import OrderedDict

from sizeup.web.game import Game
from sizeup.web.messages import PlaySetup, WatchSetup

__all__ = ["Parking"]


class Parking:
    """The last few games that were left behind, by visitor.

    Parameters
    ----------
    most
        How many; the oldest one makes room.
    """

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._parked: OrderedDict[str, tuple[str, Game, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._parked)

    def leave(self, visitor: str, game: Game, now: float) -> None:
        """Keep a visitor's game."""
        self._parked[game.id] = (visitor, game, now)
        while len(self._parked) > self._most:
            self._parked.popitem(last=False)

    def fetch(self, visitor: str, setup: PlaySetup | WatchSetup) -> Game | None:
        """Give a visitor's last game of this kind back, once."""
        for name, (owner, game, _) in reversed(self._parked.items()):
            if owner == visitor and game.setup == setup:
                del self._parked[name]
                return game
        return None

    def sweep(self, before: float) -> None:
        """Forget games that were left before some time."""
        for name in [name for name, (_, _, left) in self._parked.items() if left < before]:
            del self._parked[name]
