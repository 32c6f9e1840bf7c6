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
from sizeup.play.played import By, PlayedGame, PlayedMove, positions, read_games
from sizeup.play.verdict import Verdict
from sizeup.play.words import how_often
from sizeup.search import Searcher, SearchOptions
from sizeup.words import one_line, percent

if TYPE_CHECKING:
    from sizeup.search.crowd import Crowd

__all__ = [
    "Inference", "Interrupted", "PlayedGame", "PlayerDepth", "Sizing", "Step", "infer",
    "read_games",
]  # fmt: skip


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
    looking = _Looking(config, Searcher if crowd is None else crowd.searcher)
    found: dict[str, _Player] = {}
    moves = positions(games, by, players, game)
    name = rule if isinstance(rule, str) else type(rule).__name__
    try:
        if crowd is None:
            for position in moves:
                _player(found, position, looking).look([position], start, watch)
        else:
            _look_together(crowd, found, moves, looking, start, watch)
    except KeyboardInterrupt:
        looked = tuple(player.depth() for player in found.values() if player.steps)
        if not looked:
            raise
        raise Interrupted(Inference(values, name, looked)) from None
    return Inference(values, name, tuple(player.depth() for player in found.values()))


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
    ) -> None:  # fmt: skip
        self._types = TypeSet(types).values
        prior = _checked_prior(None, len(self._types))
        config = AgentConfig(
            "sa", max(self._types), self._types, update="single", rule=SAMPLED, prior=prior
        )
        self._looking = _Looking(config, searcher)
        self._found: dict[str, _Player] = {}
        self._moves = positions(games, "seat", game=game)

    def step(self) -> bool:
        """Look at the next move; False if there is none."""
        position = next(self._moves, None)
        if position is not None:
            _player(self._found, position, self._looking).see(position, seed=0)
        return position is not None

    def inference(self) -> Inference:
        """What the moves have told so far."""
        return Inference(
            self._types, SAMPLED, tuple(player.depth() for player in self._found.values())
        )


def _player(found: dict[str, _Player], position: PlayedMove, looking: _Looking) -> _Player:
    return found.setdefault(position.player, _Player(position.player, looking))


def _look_together(
    crowd: Crowd, found: dict[str, _Player], moves: Iterable[PlayedMove], looking: _Looking,
    seed: int, watch: Callable[[PlayedMove], None] | None,
) -> None:  # fmt: skip
    """Look at the moves of all players at once: they do not wait for each other."""
    theirs: dict[str, list[PlayedMove]] = {}
    for position in moves:
        _player(found, position, looking)
        theirs.setdefault(position.player, []).append(position)
    tasks = [partial(found[name].look, some, seed, watch) for name, some in theirs.items()]
    crowd.run(tasks, len(tasks))


def _crowd(device: str) -> Crowd | None:
    device = chosen(device)
    if device == "cpu":
        return None
    from sizeup.search.crowd import open_crowd  # here: it needs what not everybody has

    return open_crowd(device)


class _Looking:
    """What all players are looked at with; games of one kind share a search."""

    def __init__(self, config: AgentConfig, searcher: MakeSearcher = Searcher) -> None:
        self._searcher = searcher
        self.config, self.types, self.rule = config, TypeSet(config.types), config.update_rule()
        self._engine: tuple[View | None, SearchEngine | None] = (None, None)

    def engine(self, view: View) -> SearchEngine:
        """The search of a game; that of the last one is kept."""
        if self._engine[0] is not view or self._engine[1] is None:
            self._engine = (view, SearchEngine(view, self.types, self.config, self._searcher))
        engine = self._engine[1]
        assert engine is not None
        return engine

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
        self.games: set[int] = set()
        self.forced = 0

    def look(
        self, moves: Sequence[PlayedMove], seed: int, watch: Callable[[PlayedMove], None] | None
    ) -> None:
        """Learn from some moves."""
        for position in moves:
            self.see(position, seed)
            if watch is not None:
                watch(position)

    def see(self, position: PlayedMove, seed: int) -> None:
        """Learn from a move."""
        self.games.add(position.game)
        if position.is_forced:
            self.forced += 1
            return
        told = self._told(position, seed)
        self.beliefs = self._after(told)
        if bool(self.beliefs.stronger_than_me()[0]) and not self.beliefs.none_prior:
            raise InvalidInput(
                "no type explains these moves: every likelihood is 0; use a rule with an error rate"
            )
        rule, updates = self.looking.rule, np.array(len(self.steps) + 1)
        heat = float(rule.temperature(updates) if callable(rule.temperature) else rule.temperature)
        posterior = tuple(self.beliefs.probabilities(heat)[0].tolist())
        self.steps.append(_step(position, self.looking.config.types, told, heat, posterior))

    def _told(self, position: PlayedMove, seed: int) -> Evidence:
        _, ply, _, _, view, state, action = position
        engine, rule = self.looking.engine(view), self.looking.rule
        entropy = np.random.SeedSequence((seed, position.game, ply))
        own_seed = int(entropy.generate_state(1, np.uint64)[0])
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

    def depth(self) -> PlayerDepth:
        """What was learnt."""
        prior = tuple(self.looking.first_beliefs().probabilities()[0].tolist())
        return PlayerDepth(
            self.name, self.looking.config.types, prior,
            self.steps[-1].posterior if self.steps else prior, tuple(self.steps),
            len(self.games), self.forced, float(self.beliefs.standard_errors()[0].max()),
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
        reason, played, told.samples,
    )  # fmt: skip


@dataclass(frozen=True)
class Step:
    """What one move told: ``log_likelihood`` (up to a constant) and ``posterior`` of each type.

    ``swing`` is the largest change of log odds between any two types, ``reason`` says why, and
    ``played`` in how many of the ``samples`` of each type's search it made the same move.
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


@dataclass(frozen=True, repr=False)
class PlayerDepth:
    """How deep one player thinks: probabilities of each type before and after all of its moves.

    What ``prior`` and ``posterior`` lack to 1 is the probability of none of the types. ``steps``
    are the moves that were not forced, in order; ``games`` says in how many games it played,
    ``forced`` how many of its moves were forced and told nothing, ``error`` is the largest sampling
    error of the posterior.
    """

    name: str
    types: tuple[int, ...]
    prior: tuple[float, ...]
    posterior: tuple[float, ...]
    steps: tuple[Step, ...]
    games: int
    forced: int
    error: float = 0.0

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

    def telling(self, most: int = 3) -> tuple[Step, ...]:
        """The moves that told most, by their swing, without those that told nothing."""
        told = [step for step in self.steps if step.swing > 0]
        return tuple(sorted(told, key=lambda step: -step.swing)[:most])

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """Everything as plain data, ready for JSON."""
        estimate = {
            "verdict": str(self.verdict), "none": self.none, "mean": self.mean,
            "likeliest": self.likeliest, "credible": self.credible,
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
        header = ["player", "moves", *(f"type {c}" for c in self.types), "none", "verdict"]
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
            lines += _telling_lines(player, most)
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
    odds = [percent(p) for p in (*player.posterior, player.none)]
    return [one_line(player.name), str(len(player.steps)), *odds, str(player.verdict)]


def _telling_lines(player: PlayerDepth, most: int) -> list[str]:
    lines = [
        (f"  game {step.game + 1}, " if player.games > 1 else "  ")
        + f"ply {step.ply}: {step.reason}"
        for step in player.telling(most)
    ]
    return ["", f"{one_line(player.name)}: what told most", *lines] if lines else []


def _json_ready(value: Any) -> Any:
    """Plain data without infinities, which JSON has no word for: they become None."""
    if isinstance(value, Mapping):
        return {key: _json_ready(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_ready(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
