"""How deep does this player think? Posteriors over depths from the moves of recorded games.

Three steps, each of use on its own: games are read (:mod:`~sizeup.play.read_games`), every move of
a player is looked at (:mod:`~sizeup.play.look`), and what was seen adds up to posteriors
(:mod:`~sizeup.play.depths`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sizeup.capability import UpdateRule
from sizeup.play.depths import Inference, PlayerDepth, Step, conclude
from sizeup.play.look import GameModule, Look, look
from sizeup.play.read_games import By, Game, read_games
from sizeup.search import SearchOptions

__all__ = [
    "Game",
    "Inference",
    "Look",
    "PlayerDepth",
    "Step",
    "conclude",
    "infer",
    "look",
    "read_games",
]


def infer(
    games: Sequence[Game],
    types: Sequence[int] = (2, 4, 6, 8),
    *,
    rule: str | UpdateRule = "fitted",
    prior: Sequence[float] | None = None,
    by: By = "name",
    players: Sequence[str] | None = None,
    seed: int = 0,
    options: SearchOptions | None = None,
    game: GameModule | None = None,
    watch: Callable[[Look], None] | None = None,
) -> Inference:
    """Infer how deep each player of some games thinks.

    Parameters
    ----------
    games
        Records of matches, or games of checkers from PDN, as from :func:`read_games`.
    types
        The depths to tell apart, in ascending order.
    rule
        ``"fitted"`` for our choice model, ``"paper"`` for the paper's loss in visit share, or a
        rule of your own.
    prior
        Probability of each type beforehand; uniform if not given.
    by
        Whether players are told apart by ``"name"`` (evidence of all games and seats of a name is
        added up) or by ``"seat"``. A PDN game without names is between ``Black`` and ``White``.
    players
        Only these players; everybody, if not given.
    seed
        Seed of the searches. The same seed gives the same result.
    options
        How players search; a type is a depth (or whatever the options make of it).
    game
        The game's module, for records of a game that does not come with Sizeup.
    watch
        Called after every move that was looked at.

    Examples
    --------
    >>> from sizeup.games.pdn import read_pdn
    >>> games = read_pdn('[Black "Ann"] [White "Ben"] 1. 11-15 22-18 2. 15x22 25x18 *')
    >>> found = infer(games, types=(1, 2), options=SearchOptions(iterations=20))
    >>> [(player.name, len(player.steps), player.forced) for player in found.players]
    [('Ann', 1, 1), ('Ben', 2, 0)]
    """
    found = look(games, types, by=by, players=players, seed=seed, options=options, game=game)
    return conclude(_watched(found, watch), types, rule, prior=prior)


def _watched(looks: Iterator[Look], watch: Callable[[Look], None] | None) -> Iterator[Look]:
    for one in looks:
        if watch is not None:
            watch(one)
        yield one
