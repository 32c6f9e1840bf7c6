"""What can be played: games with the depths that make sense in them, and kinds of agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["CATALOG", "KINDS", "Offer"]


@dataclass(frozen=True)
class Offer:
    """A game as it is offered.

    Parameters
    ----------
    name, title, blurb
        What it is called, and what it is about in a sentence.
    note
        What agents do not know of it, if anything.
    types
        Depths that a partner takes for possible.
    partner_depth, opponent_depth, you
        What a visitor starts with.
    sides
        How many teams there are.
    max_depth
        The deepest search that is allowed; it takes about a second a move.
    """

    name: str
    title: str
    blurb: str
    types: tuple[int, ...]
    partner_depth: int
    opponent_depth: int | None
    you: str
    sides: int
    max_depth: int
    note: str = ""

    @property
    def setup(self) -> dict[str, Any]:
        """What a visitor starts with, as the page sends it back."""
        return {
            "mode": "play", "game": self.name, "partner": "ca",
            "partner_depth": self.partner_depth, "opponent_depth": self.opponent_depth,
            "you": self.you, "side": 0, "seed": 1,
        }  # fmt: skip

    def types_of(self, depth: int) -> tuple[int, ...]:
        """Depths that a partner of this depth can tell apart.

        >>> CATALOG["checkers"].types_of(5)
        (2, 4, 5)
        """
        return (*(c for c in self.types if c < depth), depth)


_OFFERS = (
    Offer(
        "wall-of-fire",
        "Wall of Fire",
        "Five columns of fire, coins behind them, and one avatar that you two move in turn.",
        types=(2, 20), partner_depth=20, opponent_depth=None, you="second", sides=1, max_depth=24,
        note="Agents are not told when the game ends, and plan past its last turn.",
    ),
    Offer(
        "narrow-tunnel",
        "Narrow Tunnel",
        "Blue and red want to go opposite ways through a tunnel that only one of them fits in.",
        types=(10, 30), partner_depth=30, opponent_depth=None, you="first", sides=1, max_depth=30,
        note="Agents are not told when the game ends, and plan past its last turn.",
    ),
    Offer(
        "checkers",
        "Cooperative checkers",
        "You and your partner take turns moving the same pieces, against one opponent.",
        types=(2, 4, 6, 8), partner_depth=8, opponent_depth=6, you="second", sides=2, max_depth=12,
        note="Agents are not told that a game without captures ends.",
    ),
    Offer(
        "connect-four",
        "Connect four",
        "You and your partner take turns dropping the same stones, against one opponent.",
        types=(2, 4, 6, 8), partner_depth=8, opponent_depth=6, you="second", sides=2, max_depth=12,
    ),
)  # fmt: skip

CATALOG = {offer.name: offer for offer in _OFFERS}
"""The games by name."""

KINDS = (
    (
        "ca",
        "Capability-aware",
        "Sizes up its teammates from their moves, and plans for who they are.",
    ),
    ("obl", "Oblivious", "Takes every teammate for its equal."),
    ("ora", "Oracle", "Is told how deep its teammates look."),
    ("nu", "No update", "Keeps its first guess about its teammates."),
    ("sa", "Single adaptive", "Sizes up teammates as if they did not size it up."),
    ("ma", "Multi-adaptive", "Capability-aware, in a team of several that are."),
    ("eq", "Equal", "Plans for teammates with a depth like its own."),
    ("public", "Public", "Plans on what everybody could know."),
    ("min", "Minimiser", "Expects the worst of every teammate."),
    ("random", "Random", "Plays any legal move."),
)
"""Kinds of agents: name, title and what it does."""
