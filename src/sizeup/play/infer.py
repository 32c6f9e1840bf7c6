"""How deep does this player think? Posteriors over depths from the moves of recorded games.

Every move of a player that had a choice is held against players of each type: their searches are
made again and again (:mod:`sizeup.search.replicas`), and how often they come to the same move says
how likely the player is one of them. The player is modelled as oblivious: as one that takes
everybody for an equal.
"""

from __future__ import annotations

import math
import types as python_types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sizeup.agents import AgentConfig, SearchEngine
from sizeup.agents.config import SAMPLED
from sizeup.agents.engine import MakeSearcher
from sizeup.agents.protocol import Evidence
from sizeup.capability import Beliefs, Sampled, TypeSet, UpdateRule
from sizeup.device import chosen
from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.play.match import checked_seed
from sizeup.play.moves_table import MovesTable
from sizeup.play.people import AHEAD, PointsLost
from sizeup.play.played import By, PlayedGame, PlayedMove, positions, read_games
from sizeup.play.reading import (
    REPEATED,
    Change,
    Foresight,
    Quality,
    change_between,
    foresee,
    mistrusted,
    quality_of,
)
from sizeup.play.verdict import Verdict
from sizeup.play.words import how_often, told_apart
from sizeup.search import Searcher, SearchOptions
from sizeup.words import listed, one_line, percent, unsure

if TYPE_CHECKING:
    from sizeup.search.crowd import Crowd

__all__ = [
    "Inference", "Interrupted", "PlayedGame", "PlayerDepth", "Sizing", "Step", "infer",
    "read_games",
]  # fmt: skip

_NAMED = 3  # players who are named in a warning
_LARGE_ERROR = 0.1  # of sampling, in a probability
_EXPLAINED = 20  # players whose moves are explained after Ctrl-C


def infer(
    games: Sequence[PlayedGame],
    types: Sequence[int] = (2, 4, 6, 8),
    *,
    rule: str | UpdateRule = SAMPLED,
    accuracy: float = 0.05,
    prior: Sequence[float] | None = None,
    by: By = "name",
    players: Sequence[str] | None = None,
    seed: int = 0,
    options: SearchOptions | None = None,
    game: python_types.ModuleType | None = None,
    watch: Callable[[PlayedMove], None] | None = None,
    device: str = "cpu",
) -> Inference:
    """Infer how deep each player of some games thinks.

    Parameters
    ----------
    games
        Records of matches, games of checkers from PDN, or tables of moves, as from
        :func:`read_games`.
    types, prior
        The depths to tell apart, in ascending order, and the probability of each beforehand;
        uniform if not given.
    rule, accuracy
        ``"sampled"``, as often as it takes for probabilities of this accuracy; ``"published"`` for
        the paper's loss in visit share; or a rule of your own, as of an agent.
    by
        Whether players are told apart by ``"name"`` (evidence of all games and seats of a name is
        added up) or by ``"seat"``. A PDN game without names is between ``Black`` and ``White``.
    players
        Only these players; everybody, if not given.
    seed, options
        Of the searches: the same seed gives the same result; a type is a depth (or whatever the
        options make of it).
    game
        The game's module, for records of a game that does not come with Sizeup.
    watch
        Called after every move that was looked at.
    device
        What searches are made on: ``"cpu"``, ``"cuda"`` (a GPU) or ``"auto"``. The result is the
        same.

    Examples
    --------
    >>> from sizeup.games.checkers.pdn import read_pdn
    >>> games = read_pdn('[Black "Ann"] [White "Ben"] 1. 11-15 22-18 2. 15x22 25x18 *')
    >>> found = infer(games, types=(1, 2), options=SearchOptions(iterations=20))
    >>> [(player.name, len(player.steps), player.forced) for player in found.players]
    [('Ann', 1, 1), ('Ben', 2, 0)]

    Ctrl-C raises :class:`Interrupted`, which has what was found until then.
    """
    values = TypeSet(types).values
    config = AgentConfig(
        "sa", max(values), values, update="single", rule=rule, accuracy=accuracy,
        prior=_checked_prior(prior, len(values)), options=options or SearchOptions(),
    )  # fmt: skip
    crowd, start = _crowd(device), checked_seed(seed)
    looking = _Looking(config, games, start, Searcher if crowd is None else crowd.searcher)
    found: dict[str, _Player] = {}
    moves = positions(games, by, players, game)
    rule_name = rule if isinstance(rule, str) else type(rule).__name__
    stopped: KeyboardInterrupt | None = None
    try:
        if crowd is None:
            for position in moves:
                _player(found, position, looking).look([position], watch)
        else:
            _look_together(crowd, found, moves, looking, watch)
    except KeyboardInterrupt as pressed:
        stopped = pressed
        found = {name: player for name, player in found.items() if player.steps}
        if not found:
            raise
    try:  # explanations are searches: who stops does not wait for those of many players
        for player in list(found.values())[: _EXPLAINED if stopped else None]:
            player.explain()
    except KeyboardInterrupt as pressed:
        stopped = pressed
    told = Inference(values, rule_name, tuple(player.depth() for player in found.values()))
    if stopped:
        raise Interrupted(told) from None
    return told


class Sizing:
    """:func:`infer`, a move at a time: for a server that does other things in between.

    Examples
    --------
    >>> from sizeup.games.checkers.pdn import read_pdn
    >>> sizing = Sizing(read_pdn("1. 11-15 22-18 *"), types=(1, 2))
    >>> while sizing.step():
    ...     pass
    >>> [player.name for player in sizing.inference().players]
    ['seat 0', 'seat 1']
    """

    def __init__(
        self, games: Sequence[PlayedGame], types: Sequence[int],
        game: python_types.ModuleType | None = None, searcher: MakeSearcher = Searcher,
        rule: str | UpdateRule = SAMPLED, players: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        self._types = TypeSet(types).values
        prior = _checked_prior(None, len(self._types))
        config = AgentConfig(
            "sa", max(self._types), self._types, update="single", rule=rule, prior=prior
        )
        self._looking = _Looking(config, games, 0, searcher)
        self._found: dict[str, _Player] = {}
        self._moves = positions(games, "seat", players, game)

    def step(self) -> bool:
        """Look at the next move; False if there is none."""
        position = next(self._moves, None)
        if position is not None:
            _player(self._found, position, self._looking).see(position)
        return position is not None

    def inference(self) -> Inference:
        """What the moves have told so far."""
        for player in self._found.values():
            player.explain()
        return Inference(
            self._types, SAMPLED, tuple(player.depth() for player in self._found.values())
        )


def _player(found: dict[str, _Player], position: PlayedMove, looking: _Looking) -> _Player:
    return found.setdefault(position.player, _Player(position.player, looking))


def _look_together(
    crowd: Crowd, found: dict[str, _Player], moves: Iterable[PlayedMove], looking: _Looking,
    watch: Callable[[PlayedMove], None] | None,
) -> None:  # fmt: skip
    """Look at the moves of all players at once: they do not wait for each other."""
    theirs: dict[str, list[PlayedMove]] = {}
    for position in moves:
        _player(found, position, looking)
        theirs.setdefault(position.player, []).append(position)
    tasks = [partial(found[name].look, some, watch) for name, some in theirs.items()]
    crowd.run(tasks, len(tasks))


def _crowd(device: str) -> Crowd | None:
    device = chosen(device)
    if device == "cpu":
        return None
    from sizeup.search.crowd import open_crowd  # here: it needs what not everybody has

    return open_crowd(device)


class _Looking:
    """What all players are looked at with; games of one kind share a search."""

    def __init__(
        self, config: AgentConfig, games: Sequence[PlayedGame], seed: int,
        searcher: MakeSearcher = Searcher,
    ) -> None:  # fmt: skip
        self._searcher, self.games, self.seed = searcher, games, seed
        self.config, self.types, self.rule = config, TypeSet(config.types), config.update_rule()
        self._engine: tuple[View | None, SearchEngine | None] = (None, None)
        self._deepest: tuple[View | None, Searcher | None] = (None, None)
        self._judge: tuple[View | None, PointsLost | None] = (None, None)

    def engine(self, view: View) -> SearchEngine:
        """The search of a game; that of the last one is kept."""
        if self._engine[0] is not view or self._engine[1] is None:
            self._engine = (view, SearchEngine(view, self.types, self.config, self._searcher))
        engine = self._engine[1]
        assert engine is not None
        return engine

    def foresight(self, move: PlayedMove) -> Foresight:
        """What a player of the deepest type sees where a move was made."""
        if self._deepest[0] is not move.view or self._deepest[1] is None:
            deepest = Searcher(move.view, self.types.values[-1:], self.config.options)
            self._deepest = (move.view, deepest)
        searcher = self._deepest[1]
        assert searcher is not None
        return foresee(
            (move.game, move.ply), searcher, move.state, move.action, self.seed_of(move, 1)
        )

    def lost(self, move: PlayedMove) -> float | None:
        """Points that a move loses; None where nobody says how good a position looks."""
        if self._judge[0] is not move.view:
            can_judge = hasattr(move.view.game, "evaluate")
            can_judge = can_judge and not hasattr(move.view.game, "probabilities")
            self._judge = (move.view, PointsLost(move.view) if can_judge else None)
        judge = self._judge[1]
        return None if judge is None else judge.of(move.state, move.action)

    def seed_of(self, move: PlayedMove, *more: int) -> int:
        """The seed of what is searched in a position."""
        entropy = np.random.SeedSequence((self.seed, move.game, move.ply, *more))
        return int(entropy.generate_state(1, np.uint64)[0])

    def first_beliefs(self) -> Beliefs:
        """Whoever watches can judge every type; beliefs are about two players at least."""
        none = self.rule.none if isinstance(self.rule, Sampled) else 0.0
        return Beliefs.initial(self.types, self.config.own, 2, self.config.prior, none)


class _Player:
    """One player while its moves are looked at."""

    def __init__(self, name: str, looking: _Looking) -> None:
        self.name, self.looking = name, looking
        self.beliefs = looking.first_beliefs()
        self.steps: list[Step] = []
        self.moves: list[PlayedMove] = []  # of these steps
        self.seats: dict[tuple[int, int], str] = {}  # game and seat, and what the game is called
        self.lost: dict[str, list[float]] = {}  # points, by what the game is called
        self.foresights: tuple[Foresight, ...] = ()
        self.different: set[tuple[View, Any, int]] = set()  # moves
        self.forced = 0

    def look(self, moves: Sequence[PlayedMove], watch: Callable[[PlayedMove], None] | None) -> None:
        """Learn from some moves."""
        for position in moves:
            self.see(position)
            if watch is not None:
                watch(position)

    def see(self, position: PlayedMove) -> None:
        """Learn from a move."""
        self.seats[position.game, position.seat] = position.view.info.name
        if position.is_forced:
            self.forced += 1
            return
        told = self._told(position)
        self.beliefs = self._after(told)
        if bool(self.beliefs.stronger_than_me()[0]) and not self.beliefs.none_prior:
            raise InvalidInput(
                "no type explains these moves: every likelihood is 0; use a rule with an error rate"
            )
        rule, updates = self.looking.rule, np.array(len(self.steps) + 1)
        heat = float(rule.temperature(updates) if callable(rule.temperature) else rule.temperature)
        posterior = tuple(self.beliefs.probabilities(heat)[0].tolist())
        self.steps.append(_step(position, self.looking.config.types, told, heat, posterior))
        self.moves.append(position)
        self.different.add(position[-3:])
        if (lost := self.looking.lost(position)) is not None:
            self.lost.setdefault(position.view.info.name, []).append(lost)

    def _told(self, position: PlayedMove) -> Evidence:
        view, state, action = position[-3:]
        engine, rule = self.looking.engine(view), self.looking.rule
        own_seed = self.looking.seed_of(position)
        if not isinstance(rule, Sampled):
            at = engine.actions(state).index(action)
            shares = engine.table(state, None, own_seed)
            return Evidence.of(rule, rule.evidence(shares, at), shares.shape[1])
        sampled = rule

        def settled(told: Evidence) -> bool:
            return sampled.settles(self._after(told), 0, told.noise)

        return engine.sampled(sampled, state, action, None, own_seed, settled)

    def _after(self, told: Evidence) -> Beliefs:
        return self.beliefs.observe(0, told.evidence, told.noise, told.none)

    def explain(self) -> None:
        """Look at the moves that told most with the eyes of the deepest type."""
        best = {(step.game, step.ply) for step in self.depth().telling()}
        moves = [move for move in self.moves if (move.game, move.ply) in best]
        self.foresights = tuple(map(self.looking.foresight, moves))

    def depth(self) -> PlayerDepth:
        """What was learnt."""
        prior = tuple(self.looking.first_beliefs().probabilities()[0].tolist())
        games, config = self.looking.games, self.looking.config
        seats = [(games[game], seat, name) for (game, seat), name in self.seats.items()]
        repeats = len(self.moves) - len(self.different)
        again = (REPEATED,) if 0 < repeats >= len(self.moves) / 2 else ()
        return PlayerDepth(
            self.name, config.types, prior,
            self.steps[-1].posterior if self.steps else prior, tuple(self.steps),
            len({game for game, _ in self.seats}), self.forced,
            float(self.beliefs.standard_errors()[0].max()),
            self.foresights,
            mistrusted=(*mistrusted(seats, config.types, config.options), *again),
            # Points of one game are no points of another.
            quality=quality_of(AHEAD, *self.lost.values()) if len(self.lost) == 1 else None,
            rows=all(isinstance(games[game], MovesTable) for game, _ in self.seats),
        )  # fmt: skip


def _step(
    position: PlayedMove, types: tuple[int, ...], told: Evidence, heat: float,
    posterior: tuple[float, ...],
) -> Step:  # fmt: skip
    gains = -told.evidence / heat
    more, less = int(np.argmax(gains)), int(np.argmin(gains))
    action = position.view.action_text(position.state, position.action)
    played = () if told.played is None else tuple(told.played.tolist())
    reason = f"{action}: {how_often(types, tuple(told.evidence.tolist()), played, told.samples)}"
    swing = float(gains[more] - gains[less]) if more != less else 0.0
    return Step(
        position.game, position.ply, position.seat, action, tuple(gains.tolist()), posterior, swing,
        reason, played, told.samples, -float(told.none) / heat,
    )  # fmt: skip


@dataclass(frozen=True)
class Step:
    """What one move told: ``log_likelihood`` (up to a constant) and ``posterior`` of each type.

    ``none`` is the log likelihood of play that is like none of them, up to the same constant; NaN
    if it is not known. ``swing`` is the largest change of log odds between any two types,
    ``reason`` says why, and ``played`` in how many of the ``samples`` of each type's search it made
    the same move.
    """

    game: int
    ply: int
    seat: int
    action: str
    log_likelihood: tuple[float, ...]
    posterior: tuple[float, ...]
    swing: float
    reason: str
    played: tuple[float, ...] = ()
    samples: int = 0
    none: float = math.nan

    @property
    def is_telling(self) -> bool:
        """Whether the move is likelier for one type than for another, by more than noise."""
        if not self.samples:
            return self.swing > 0
        return told_apart([-one for one in self.log_likelihood], self.samples)

    @property
    def against_all(self) -> float:
        """By how much play like none of the types explains the move better than any of them."""
        return self.none - max(self.log_likelihood)


@dataclass(frozen=True, repr=False)
class PlayerDepth:
    """How deep one player thinks: probabilities of each type before and after all of its moves.

    What ``prior`` and ``posterior`` lack to 1 is the probability of none of the types. ``steps``
    are the moves that were not forced, in order; ``games`` says in how many games it played,
    ``forced`` how many of its moves were forced and told nothing, ``error`` is the largest sampling
    error of the posterior. ``foresights`` say what a player of the deepest type sees where the most
    telling moves were made, ``mistrusted`` where nobody has checked that a depth can be found out,
    ``quality`` how many points its moves lose, in a game that says how good a position looks.
    With ``rows`` they are rows of tables: a "game" is a table then, and a ply the number of a row.
    """

    name: str
    types: tuple[int, ...]
    prior: tuple[float, ...]
    posterior: tuple[float, ...]
    steps: tuple[Step, ...]
    games: int
    forced: int
    error: float = 0.0
    foresights: tuple[Foresight, ...] = ()
    mistrusted: tuple[str, ...] = ()
    quality: Quality | None = None
    rows: bool = False

    def __repr__(self) -> str:
        return f"<PlayerDepth of {self.name}: {self.verdict} ({len(self.steps)} moves)>"

    @property
    def verdict(self) -> Verdict:
        """What can be said: a type, none of these, or that one cannot tell."""
        return Verdict(self.types, self.posterior)

    @property
    def none(self) -> float:
        """Probability that the player is like none of the types."""
        return self.verdict.none

    @property
    def mean(self) -> float:
        """Posterior mean of the type, if it is one of them."""
        total = sum(self.posterior)
        return float(np.dot(self.types, self.posterior) / total) if total else math.nan

    @property
    def likeliest(self) -> int:
        """The most likely type, the weakest one of equals."""
        return self.verdict.likeliest

    @property
    def credible(self) -> tuple[int, ...]:
        """The fewest types that together have 90 % of the posterior."""
        return self.verdict.credible

    @property
    def interval(self) -> tuple[int, int]:
        """From the weakest to the strongest of these: 90 %, if it is one of the types."""
        return self.credible[0], self.credible[-1]

    @property
    def between(self) -> str:
        """The interval in words; empty if the player may well be like none of the types."""
        low, high = self.interval
        if self.verdict.may_be_none:
            return ""
        return str(low) if low == high else f"{low} to {high}"

    def odds(self, *, before: bool = False) -> tuple[str, ...]:
        """How likely each type is, and none of them, as percentages: now, or before all moves.

        What was possible never becomes certain or impossible.
        """
        prior = (*self.prior, Verdict(self.types, self.prior).none)
        now = prior if before else (*self.posterior, self.none)
        return tuple(
            (unsure if 0 < first < 1 else percent)(p) for first, p in zip(prior, now, strict=True)
        )

    @property
    def informative(self) -> int:
        """How many moves are likelier for one type than for another, by more than noise."""
        return sum(told_apart([-one for one in step.log_likelihood]) for step in self.steps)

    @property
    def evidence(self) -> str:
        """How much there is to go by, in words."""
        kind = "table" if self.rows else "game"
        games = f"{self.games:,} {kind}{'' if self.games == 1 else 's'}"
        moves = f"{len(self.steps):,} move{'' if len(self.steps) == 1 else 's'} with a choice"
        forced = f" ({self.forced:,} more forced)" if self.forced else ""
        tell = "tells" if self.informative == 1 else "tell"
        return f"{moves} in {games}{forced}, of which {self.informative:,} {tell} depths apart"

    @property
    def doubt(self) -> str:
        """What to know of the error of sampling, in words; empty if it is small."""
        if self.error <= _LARGE_ERROR:
            return ""
        error = f"{percent(self.error)}" if self.error < 0.5 else "50 % or more"  # is no more exact
        return (
            f"searches alone may have moved these probabilities by {error} (standard error); a "
            "smaller accuracy takes more of them"
        )

    @property
    def unit(self) -> str:
        """What moves are counted in."""
        return "row" if self.rows else "ply"

    def place(self, step: Step) -> str:
        """Where a move was made, in words."""
        kind = "table" if self.rows else "game"
        game = f"{kind} {step.game + 1:,}, " if self.games > 1 else ""
        return f"{game}{self.unit} {step.ply:,}"

    @property
    def by_game(self) -> dict[int, tuple[float, ...]]:
        """Log likelihoods of each type (up to a constant) in each game alone."""
        told: dict[int, list[tuple[float, ...]]] = {}
        for step in self.steps:
            told.setdefault(step.game, []).append(step.log_likelihood)
        return {game: tuple(np.sum(rows, axis=0).tolist()) for game, rows in told.items()}

    @property
    def change(self) -> Change | None:
        """Whether later games say something else than earlier ones; None if there is one only."""
        none: dict[int, float] = {}
        for step in self.steps:
            none[step.game] = none.get(step.game, 0.0) + step.none
        rows = list(self.by_game.values())
        return change_between(self.types, self.prior, rows, list(none.values()))

    def telling(self, most: int = 3) -> tuple[Step, ...]:
        """The moves that told most, without those that told nothing.

        Of whoever is like none of the types these are the moves that speak most against all of
        them; of anybody else those that tell types apart, by their swing.
        """
        against = [step for step in self.steps if step.against_all > 0]
        if self.verdict.is_none and against:
            return tuple(sorted(against, key=lambda step: -step.against_all)[:most])
        told = [step for step in self.steps if step.is_telling]
        return tuple(sorted(told, key=lambda step: -step.swing)[:most])

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """Everything as plain data, ready for JSON."""
        estimate = {
            "verdict": str(self.verdict), "none": self.none, "mean": self.mean,
            "likeliest": self.likeliest, "credible": self.credible, "interval": self.interval,
            "informative": self.informative, "by_game": self.by_game,
            "change": None if self.change is None else asdict(self.change),
        }  # fmt: skip
        telling = [asdict(step) for step in self.telling(most)]
        data: dict[str, Any] = _json_ready({**asdict(self), **estimate, "telling": telling})
        return data


@dataclass(frozen=True, repr=False)
class Inference:
    """What games tell about the depth of their players, in the order in which they first sat.

    >>> from sizeup.play import play
    >>> found = infer([play("checkers", ["obl:4", "obl:1"], seed=2)], types=(1, 4))
    >>> [(player.name, str(player.verdict)) for player in found.players]
    [('obl:4', 'type 4 (>99 %)'), ('obl:1', 'type 1 (>99 %)')]
    """

    types: tuple[int, ...]
    rule: str
    players: tuple[PlayerDepth, ...]

    def __repr__(self) -> str:
        return f"<Inference of {', '.join(player.name for player in self.players)}>"

    def __str__(self) -> str:
        return self.table()

    def __getitem__(self, name: str) -> PlayerDepth:
        for player in self.players:
            if player.name == name:
                return player
        names = ", ".join(player.name for player in self.players) or "none"
        raise InvalidInput(f"there is no player {name!r}; players are {names}")

    def table(self, most: int = 3) -> str:
        """Estimates of all players, then the ``most`` telling moves of each."""
        header = ["player", "moves", *(f"type {c}" for c in self.types), "none", "90 %", "verdict"]
        rows = [header, *(_cells(player) for player in self.players)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                [
                    row[0].ljust(widths[0]),
                    *map(str.rjust, row[1:-1], widths[1:-1]),
                    row[-1],
                ]
            ).rstrip()
            for row in rows
        ]
        for player in self.players:
            lines += _told_lines(player, most)
        lines += _mistrusted_lines(self.players)
        return "\n".join(lines) + "\n"

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """Everything as plain data, ready for JSON."""
        players = [player.to_dict(most) for player in self.players]
        return {"types": list(self.types), "rule": self.rule, "players": players}

    def plot(self, path: str | Path) -> None:
        """Draw how the posteriors came about, as :func:`~sizeup.play.plots.plot_depths`."""
        from sizeup.play.plots import plot_depths

        plot_depths(self, path)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, after some moves have been looked at; ``found`` is what these told.

    >>> def stop(move):
    ...     raise KeyboardInterrupt
    >>> from sizeup.games.checkers.pdn import read_pdn
    >>> try:
    ...     infer(read_pdn("1. 11-15 22-18 *"), types=(1, 2), watch=stop)
    ... except Interrupted as stopped:
    ...     len(stopped.found["Black"].steps)
    1
    """

    def __init__(self, found: Inference) -> None:
        super().__init__(found)
        self.found = found


def _checked_prior(prior: Sequence[float] | None, types: int) -> tuple[float, ...]:
    if prior is None:
        return (1.0 / types,) * types
    try:
        given = tuple(float(p) for p in prior)
    except (TypeError, ValueError):
        given = ()
    if len(given) != types or min(given) < 0 or not math.isclose(sum(given), 1, abs_tol=1e-9):
        raise InvalidInput(
            f"a prior has {types} probabilities that sum to 1, one for each type, got {prior!r}"
        )
    return given


def _cells(player: PlayerDepth) -> list[str]:
    moves = f"{len(player.steps):,}"
    between = player.between or "\N{EN DASH}"
    return [one_line(player.name), moves, *player.odds(), between, str(player.verdict)]


def _told_lines(player: PlayerDepth, most: int) -> list[str]:
    """How much evidence there is, what told most, and whether the player changed."""
    if not player.steps:
        return []
    seen = {(one.game, one.ply): one for one in player.foresights}
    telling = player.telling(most)
    end = ". What told most:" if telling else "."
    lines = ["", f"{one_line(player.name)}: {player.evidence}{end}"]
    for step in telling:
        lines.append(f"  {player.place(step)}: {step.reason}")
        if (step.game, step.ply) in seen:
            lines.append(f"    {seen[step.game, step.ply]}")
    lines += [f"  {player.change}"] if player.change is not None else []
    lines += [f"  {player.quality}"] if player.quality is not None else []
    return [*lines, f"  {player.doubt}"] if player.doubt else lines


def _mistrusted_lines(players: Sequence[PlayerDepth]) -> list[str]:
    """What to mistrust, once for all whom it concerns."""
    named: dict[str, list[str]] = {}
    for player in players:
        for why in player.mistrusted:
            named.setdefault(why, []).append(one_line(player.name))
    told = [
        f"WARNING: {listed(_whom(names, len(players)))}: {why}." for why, names in named.items()
    ]
    return ["", *told] if told else []


def _whom(names: list[str], players: int) -> list[str]:
    if len(names) == players > 1:
        return ["everybody"]
    return names if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"]


def _json_ready(value: Any) -> Any:
    """Plain data without infinities, which JSON has no word for: they become None."""
    if isinstance(value, Mapping):
        return {str(key): _json_ready(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_ready(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
