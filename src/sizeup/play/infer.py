"""How deep does this player think? Posteriors over depths from the moves of recorded games.

Games are read and every move of a player is looked at (:mod:`~sizeup.play.evidence`); here what was
seen adds up to posteriors, by a rule that turns it into evidence (:mod:`~.choice_model`).
"""

from __future__ import annotations

import math
import types as python_types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.capability import Beliefs, TypeSet, UpdateRule
from sizeup.errors import InvalidInput
from sizeup.play.choice_model import rule_of
from sizeup.play.evidence import By, PlayedGame, SeenMove, look, read_games
from sizeup.search import SearchOptions
from sizeup.words import one_line, percent

__all__ = [
    "Inference",
    "PlayedGame",
    "PlayerDepth",
    "SeenMove",
    "Step",
    "conclude",
    "infer",
    "look",
    "read_games",
]


def infer(
    games: Sequence[PlayedGame],
    types: Sequence[int] = (2, 4, 6, 8),
    *,
    rule: str | UpdateRule = "fitted",
    prior: Sequence[float] | None = None,
    by: By = "name",
    players: Sequence[str] | None = None,
    seed: int = 0,
    options: SearchOptions | None = None,
    game: python_types.ModuleType | None = None,
    watch: Callable[[SeenMove], None] | None = None,
) -> Inference:
    """Infer how deep each player of some games thinks.

    Parameters
    ----------
    games
        Records of matches, or games of checkers from PDN, as from :func:`read_games`.
    types, prior
        The depths to tell apart, in ascending order, and the probability of each beforehand;
        uniform if not given.
    rule
        ``"fitted"`` for our choice model, ``"paper"`` for the paper's loss in visit share, or a
        rule of your own.
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

    Examples
    --------
    >>> from sizeup.games.checkers.pdn import read_pdn
    >>> games = read_pdn('[Black "Ann"] [White "Ben"] 1. 11-15 22-18 2. 15x22 25x18 *')
    >>> found = infer(games, types=(1, 2), options=SearchOptions(iterations=20))
    >>> [(player.name, len(player.steps), player.forced) for player in found.players]
    [('Ann', 1, 1), ('Ben', 2, 0)]
    """
    found = look(games, types, by=by, players=players, seed=seed, options=options, game=game)
    return conclude(_watched(found, watch), types, rule, prior=prior)


def _watched(
    looks: Iterator[SeenMove], watch: Callable[[SeenMove], None] | None
) -> Iterator[SeenMove]:
    for one in looks:
        if watch is not None:
            watch(one)
        yield one


@dataclass(frozen=True)
class Step:
    """What one move told: ``log_likelihood`` (up to a constant) and ``posterior`` of each type.

    ``swing`` is the largest change of log odds between any two types, ``reason`` says why.
    """

    game: int
    ply: int
    seat: int
    action: str
    log_likelihood: tuple[float, ...]
    posterior: tuple[float, ...]
    swing: float
    reason: str


@dataclass(frozen=True, repr=False)
class PlayerDepth:
    """How deep one player thinks: probabilities of each type before and after all of its moves.

    ``steps`` are the moves that were not forced, in order; ``games`` says in how many games it
    played, and ``forced`` how many of its moves were forced and told nothing.
    """

    name: str
    types: tuple[int, ...]
    prior: tuple[float, ...]
    posterior: tuple[float, ...]
    steps: tuple[Step, ...]
    games: int
    forced: int

    def __repr__(self) -> str:
        pairs = zip(self.types, self.posterior, strict=True)
        odds = ", ".join(f"{type_}: {percent(share)}" for type_, share in pairs)
        return f"<PlayerDepth of {self.name}: {odds} ({len(self.steps)} moves)>"

    @property
    def mean(self) -> float:
        """Posterior mean of the type."""
        return float(np.dot(self.types, self.posterior))

    @property
    def likeliest(self) -> int:
        """The most likely type, the weakest one of equals."""
        return self.types[int(np.argmax(self.posterior))]

    @property
    def credible(self) -> tuple[int, ...]:
        """The fewest types that together have 90 % of the posterior."""
        order = sorted(range(len(self.types)), key=lambda rank: -self.posterior[rank])
        mass = np.cumsum([self.posterior[rank] for rank in order])
        enough = int(np.searchsorted(mass, 0.9 - 1e-12)) + 1
        return tuple(sorted(self.types[rank] for rank in order[:enough]))

    def telling(self, most: int = 3) -> tuple[Step, ...]:
        """The moves that told most, by their swing, without those that told nothing."""
        told = [step for step in self.steps if step.swing > 0]
        return tuple(sorted(told, key=lambda step: -step.swing)[:most])

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """Everything as plain data, ready for JSON."""
        estimate = {"mean": self.mean, "likeliest": self.likeliest, "credible": self.credible}
        telling = [asdict(step) for step in self.telling(most)]
        data: dict[str, Any] = _json_ready({**asdict(self), **estimate, "telling": telling})
        return data


@dataclass(frozen=True, repr=False)
class Inference:
    """What games tell about the depth of their players, in the order in which they first sat.

    >>> from sizeup.play import play
    >>> found = infer([play("checkers", ["obl:4", "obl:1"], seed=2)], types=(1, 4))
    >>> [(player.name, player.likeliest) for player in found.players]
    [('obl:4', 4), ('obl:1', 1)]
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
        header = ["player", "moves", *(f"type {c}" for c in self.types), "mean", "90 % sure"]
        rows = [header, *(_cells(player) for player in self.players)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
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


def conclude(
    looks: Iterable[SeenMove],
    types: Sequence[int],
    rule: str | UpdateRule = "fitted",
    *,
    prior: Sequence[float] | None = None,
) -> Inference:
    """Turn what :func:`~sizeup.play.evidence.look` has found into posteriors.

    >>> shares = np.array([[0.5, 0.5], [0.9, 0.1]])
    >>> seen = [SeenMove(0, ply, 0, "Ann", "a", 0, shares) for ply in (1, 3, 5)]
    >>> conclude(seen, types=(1, 4))["Ann"].likeliest
    4
    """
    values = TypeSet(types).values
    resolved = rule_of(rule, values) if isinstance(rule, str) else rule
    first = _checked_prior(prior, len(values))
    moves: dict[str, list[SeenMove]] = {}
    for one in looks:
        moves.setdefault(one.player, []).append(one)
    found = tuple(_player(who, values, first, resolved, mine) for who, mine in moves.items())
    return Inference(values, rule if isinstance(rule, str) else type(rule).__name__, found)


def _player(
    name: str, types: tuple[int, ...], prior: tuple[float, ...], rule: UpdateRule,
    moves: Sequence[SeenMove],
) -> PlayerDepth:  # fmt: skip
    # Whoever watches can judge every type; beliefs are about two players at least.
    beliefs = Beliefs.initial(types, max(types), players=2, prior=prior)
    steps: list[Step] = []
    for move in moves:
        if move.shares is None:
            continue
        evidence = rule.evidence(move.shares, move.chosen)
        beliefs = beliefs.observe(0, evidence)
        if bool(beliefs.stronger_than_me()[0]):
            raise InvalidInput(
                "no type explains these moves: every likelihood is 0; use a rule with an error rate"
            )
        updates = np.array(len(steps) + 1)  # of this player; nothing is known of the other one
        heat = float(rule.temperature(updates) if callable(rule.temperature) else rule.temperature)
        posterior = tuple(beliefs.probabilities(heat)[0].tolist())
        steps.append(_step(move, move.shares, types, -evidence / heat, posterior))
    return PlayerDepth(
        name, types, prior, steps[-1].posterior if steps else prior, tuple(steps),
        len({move.game for move in moves}), len(moves) - len(steps),
    )  # fmt: skip


def _step(
    move: SeenMove, shares: NDArray[np.float64], types: tuple[int, ...], told: NDArray[np.float64],
    posterior: tuple[float, ...],
) -> Step:  # fmt: skip
    more, less = int(np.argmax(told)), int(np.argmin(told))
    chosen = [percent(share) for share in shares[:, move.chosen]]
    reason = (
        f"type {types[more]} gives {move.action} {chosen[more]} of its visits, "
        f"type {types[less]} {chosen[less]}"
    )
    swing = float(told[more] - told[less]) if more != less else 0.0
    return Step(
        move.game, move.ply, move.seat, move.action, tuple(told.tolist()), posterior, swing, reason
    )


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
    sure = ", ".join(map(str, player.credible))
    odds = [percent(p) for p in player.posterior]
    return [one_line(player.name), str(len(player.steps)), *odds, f"{player.mean:.1f}", sure]


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
