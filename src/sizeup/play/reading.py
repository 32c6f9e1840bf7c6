"""What a verdict about a player rests on: what a deeper player saw, what changed, what to mistrust.

A depth alone is little. A reader wants to see the moves with the eyes of somebody who looks
further, to know whether later games say the same as earlier ones, and to be told where nobody has
checked that such a depth can be found out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sizeup.games.checkers import INFO as CHECKERS
from sizeup.play.played import PlayedGame, is_nameless
from sizeup.play.record import Record
from sizeup.play.verdict import CONFIDENCE, Verdict
from sizeup.search import Searcher, SearchOptions, SearchResult
from sizeup.search.explain import ROOT, Eyes, eyes_of, visited
from sizeup.statistics.intervals import student_reach
from sizeup.words import figure, points

__all__ = [
    "Change", "Foresight", "Quality", "change_between", "foresee", "mistrusted", "quality_of",
]  # fmt: skip

_SEARCHES = 4  # in which a deeper player looks at a position
_LINE = 4  # moves of a line that are told
_DEEPEST_TRIED = 8  # of the players whose depth was known, docs/infer_depth.md


@dataclass(frozen=True)
class Foresight:
    """What players of a type see where a move was made.

    ``line`` is the move that most of their searches come to, and what they expect after it;
    ``value`` is what they expect from it, and ``value_of_move`` from the move that was made (NaN
    if they never tried it), in points for whoever made it. ``game`` and ``ply`` say where.

    >>> seen = Foresight(0, 7, "11-16", 6, ("11-15", "22-18"), 0.5, -1.0)
    >>> print(seen)
    a type-6 player prefers 11-15 (then 22-18), from which it expects 0.5 points, and −1 from 11-16
    """

    game: int
    ply: int
    move: str
    type: int
    line: tuple[str, ...]
    value: float
    value_of_move: float

    def __str__(self) -> str:
        best, *later = self.line
        then = f" (then {' '.join(later[: _LINE - 1])})" if later else ""
        if best == self.move:
            return f"a type-{self.type} player plays it too{then}, and expects {points(self.value)}"
        told = f"a type-{self.type} player prefers {best}{then}, from which it expects "
        if math.isnan(self.value_of_move):
            return f"{told}{points(self.value)}; it does not even try {self.move}"
        return f"{told}{points(self.value)}, and {figure(self.value_of_move)} from {self.move}"


def foresee(
    place: tuple[int, int], searcher: Searcher, state: Any, action: int, seed: int
) -> Foresight:
    """Look at a move, the one of ``place`` (game and ply), as a searcher's deepest type does.

    >>> from sizeup.games import connect_four
    >>> from sizeup.games.contract import View
    >>> view = View(connect_four)
    >>> state = view.state_from_text("......./......./......./......./ooo..../xxx.... x")
    >>> seen = foresee((0, 6), Searcher(view, (2,), SearchOptions(iterations=50)), state, 4, seed=1)
    >>> seen.line, seen.value > seen.value_of_move
    (('d',), True)
    """
    view = searcher.view
    found = [
        searcher.search(state, seed=seed + number, keep_tree=True) for number in range(_SEARCHES)
    ]
    chosen = [result.action for result in found]
    best = max(chosen, key=chosen.count)
    line = next(_line(result) for result in found if result.action == best)
    return Foresight(
        *place, view.action_text(state, action), searcher.types[-1], line,
        _mean_value(found, best), _mean_value(found, action),
    )  # fmt: skip


def _line(result: SearchResult) -> tuple[str, ...]:
    """The moves that a search expects, from the one it plays, as far as it prefers any."""
    eyes = eyes_of(result, None)
    state = result.state
    texts: list[str] = []
    node: int | None = next(
        one for one in visited(eyes, ROOT) if eyes.tree.action[one] == result.action
    )
    while node is not None and len(texts) < _LINE:
        action = int(eyes.tree.action[node])
        texts.append(result.view.action_text(state, action))
        state, _ = result.view.apply(state, action)
        node = _expected(eyes, node)
    return tuple(texts)


def _expected(eyes: Eyes, node: int) -> int | None:
    """The move expected next: not one that was tried once, or as often as another."""
    ranked = visited(eyes, node)
    tried = [int(eyes.visits[one]) for one in ranked[:2]]
    return ranked[0] if tried and tried[0] > max((1, *tried[1:])) else None


def _mean_value(found: Sequence[SearchResult], action: int) -> float:
    values = np.array([result.values[-1][result.actions.index(action)] for result in found])
    tried = values[~np.isnan(values)]
    return float(tried.mean()) if len(tried) else math.nan


@dataclass(frozen=True)
class Change:
    """What earlier and later games of a player say, each alone.

    ``games`` are how many of each, and ``probability`` is that of a change of type between them,
    as likely beforehand as none.
    """

    games: tuple[int, int]
    earlier: Verdict
    later: Verdict
    probability: float

    def __str__(self) -> str:
        if self.probability >= CONFIDENCE:
            said = "it changed"
        elif self.probability > 0.5:
            said = "it may have changed, one cannot tell"
        else:
            said = "no sign of a change"
        first, last = self.games
        return (
            f"first {_games(first)}: {self.earlier}; last {_games(last)}: {self.later}; {said} "
            f"(odds {_odds(self.probability)})"
        )


def _games(number: int) -> str:
    return "game" if number == 1 else f"{number:,} games"


def _odds(probability: float) -> str:
    """As somebody who bets says it; beyond 1,000 to 1 nobody counts."""
    high = max(probability, 1 - probability) / max(min(probability, 1 - probability), 1e-3)
    times = f"{min(high, 1000):,.{0 if high >= 10 else 1}f}".removesuffix(".0")
    return f"{times} to 1" if probability >= 0.5 else f"1 to {times}"


def change_between(
    types: tuple[int, ...], prior: Sequence[float], games: Sequence[Sequence[float]],
    none: Sequence[float] = (),
) -> Change | None:  # fmt: skip
    """Hold the first half of a player's games against the rest; None if there is only one.

    ``games`` are the log likelihoods of each type in each game, one after the other, and ``none``
    are those of play like none of them, whose prior is what ``prior`` lacks to 1.

    >>> print(change_between((2, 8), (0.5, 0.5), [[0, -9], [0, -9], [-9, 0], [-9, 0]]))
    first 2 games: type 2 (>99 %); last 2 games: type 8 (>99 %); it changed (odds 1,000 to 1)
    >>> print(change_between((2, 8), (0.5, 0.5), [[0.0, -4.0], [0.0, -4.0]]))
    first game: type 2 (98 %); last game: type 2 (98 %); no sign of a change (odds 1 to 1.9)
    """
    if len(games) < 2:
        return None
    half = len(games) // 2
    rows, lacking = np.array(games), 1.0 - sum(prior)
    if len(none) and lacking > 1e-9 and not np.isnan(none).any():
        rows, prior = np.column_stack([rows, none]), (*prior, lacking)
    apart = [rows[:half].sum(axis=0), rows[half:].sum(axis=0)]
    odds = np.array(prior) / sum(prior)
    one, other, both = (_posterior(told, odds) for told in (*apart, apart[0] + apart[1]))
    if one is None or other is None:
        return None
    log_odds = math.inf if both is None else one.log_evidence + other.log_evidence
    log_odds -= 0.0 if both is None else both.log_evidence
    return Change(
        (half, len(games) - half),
        Verdict(types, one.odds[: len(types)]), Verdict(types, other.odds[: len(types)]),
        1.0 / (1.0 + math.exp(-min(max(log_odds, -700.0), 700.0))),
    )  # fmt: skip


class _Posterior(NamedTuple):
    odds: tuple[float, ...]
    log_evidence: float


def _posterior(told: Any, prior: Any) -> _Posterior | None:
    """Probabilities of types, and how likely what was told is; None if no type explains it."""
    top = float(told[prior > 0].max())
    if not math.isfinite(top):
        return None
    weights = np.exp(told - top) * prior
    total = float(weights.sum())
    return _Posterior(tuple((weights / total).tolist()), top + math.log(total))


@dataclass(frozen=True)
class Quality:
    """How well somebody plays: mean points that moves lose, with its 95 % interval.

    ``ahead`` is how far the player looks who judges (:class:`~sizeup.play.people.PointsLost`).

    Moves that all lose the same do not say how far off their mean may be: no interval (NaN).

    >>> print(Quality(3, 34, 0.42, 0.3, 0.54))
    loses 0.42 points a move (95 %: 0.3 to 0.54), as a player who looks 3 ahead judges 34 moves
    >>> print(Quality(3, 5, 0.0, math.nan, math.nan))
    loses 0 points on each of 5 moves, as a player who looks 3 ahead judges them
    """

    ahead: int
    moves: int
    lost: float
    low: float
    high: float

    def __str__(self) -> str:
        if math.isnan(self.low):
            return (
                f"loses {points(self.lost)} on each of {self.moves:,} moves, as a player who looks "
                f"{self.ahead} ahead judges them"
            )
        return (
            f"loses {points(self.lost)} a move (95 %: {figure(self.low)} to {figure(self.high)}), "
            f"as a player who looks {self.ahead} ahead judges {self.moves:,} moves"
        )


def quality_of(ahead: int, lost: Sequence[float]) -> Quality | None:
    """The quality of moves that lose so many points; None of one move, which has no interval.

    >>> told = quality_of(3, [0.0, 1.0, 0.0, 1.0])
    >>> (told.lost, told.low, round(told.high, 2)), quality_of(3, [1.0])
    ((0.5, 0.0, 1.42), None)
    """
    if len(lost) < 2:
        return None
    mean, spread = float(np.mean(lost)), float(np.std(lost, ddof=1))
    if spread < 1e-9:
        return Quality(ahead, len(lost), mean, math.nan, math.nan)
    reach = float(student_reach(0.95, len(lost) - 1)) * spread / math.sqrt(len(lost))
    return Quality(ahead, len(lost), mean, max(0.0, mean - reach), mean + reach)


# -- what to mistrust ----------------------------------------------------------------------------

PEOPLE = (
    "not known to be a search. If this is a person, read a depth as “moves like a search of this "
    "depth”, and no more: how far people look ahead could not be measured reliably by their moves "
    "(documentation, “How far do people plan?”)"
)
AWARE = "plans made for the team at hand, held against players that take everybody for an equal"
OTHER_KIND = "play of another kind than that of the players it is held against"
OTHER_SEARCH = "searches with other options than those of the players they are held against"
OPPONENT = "opponents of another kind or depth; tried only with equals"
NAMELESS = "games that do not say who played are taken for those of one player"
ONE_TYPE = "only one depth was asked about, so no other could be found"
REPEATED = (
    "half of the moves or more repeat others, each the same move in the same position; they count "
    "as often as they are given"
)
OPTIONS = "searches have other options than those with which this was tried"


def mistrusted(
    seats: Iterable[tuple[PlayedGame, int, str]], types: tuple[int, ...], options: SearchOptions
) -> tuple[str, ...]:
    """Where nobody has checked that the depth of a player can be found out like that.

    ``seats`` are games in which it played, its seat there, and what the game is called. What was
    tried is in the documentation, “How deep does this player think?”.

    >>> from sizeup.games.checkers.pdn import read_pdn
    >>> [game] = read_pdn("1. 11-15 22-18 *")
    >>> told = mistrusted([(game, 0, "checkers")], (2, 4, 10), SearchOptions())
    >>> told[0][:26], told[1:]
    ('not known to be a search. ', ('depths above 8 were not tried',))
    """
    found: list[str] = []
    nameless: set[int] = set()
    for game, seat, name in seats:
        found += _of_a_game(game, seat, options)
        nameless.update([id(game)] * is_nameless(game, seat))
        if (kind := name.partition(" ")[0]) != CHECKERS.name:
            found.append(f"not tried on many players at {kind}, only at checkers")
    if len(nameless) > 1:
        found.append(NAMELESS)
    if len(types) == 1:
        found.append(ONE_TYPE)
    if options != SearchOptions():
        found.append(OPTIONS)
    elif max(types) > _DEEPEST_TRIED:
        found.append(f"depths above {_DEEPEST_TRIED} were not tried")
    return tuple(dict.fromkeys(found))


def _of_a_game(game: PlayedGame, seat: int, options: SearchOptions) -> list[str]:
    agents = game.agents if isinstance(game, Record) else ()
    mine = agents[seat] if agents else None
    if not isinstance(game, Record) or mine is None:
        return [PEOPLE]
    found = [] if mine.name == "obl" else [AWARE if mine.model == "believed" else OTHER_KIND]
    if mine.options != options:
        found.append(OTHER_SEARCH)
    others = [one for one, team in zip(agents, game.teams, strict=True) if team != game.teams[seat]]
    if any(one is None or (one.name, one.depth) != (mine.name, mine.depth) for one in others):
        found.append(OPPONENT)
    return found
