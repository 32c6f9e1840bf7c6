"""How deep players think: posteriors over depths, from what was seen at each of their moves.

:mod:`~sizeup.play.look` does the looking; :mod:`~sizeup.play.choice_model` turns what it finds into
evidence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.capability import TypeSet, UpdateRule
from sizeup.errors import InvalidInput
from sizeup.games.scenes import one_line
from sizeup.play.choice_model import rule_of
from sizeup.play.look import Look

__all__ = ["Inference", "PlayerDepth", "Step", "conclude"]

CREDIBLE = 0.9
"""Mass of the credible set."""


@dataclass(frozen=True)
class Step:
    """What one move told.

    ``log_likelihood`` (up to a constant) and ``posterior`` have one number for each type. ``swing``
    is the largest change of log odds between any two types, and ``reason`` says why in the
    search's numbers.
    """

    game: int
    ply: int
    seat: int
    action: str
    log_likelihood: tuple[float, ...]
    posterior: tuple[float, ...]
    swing: float
    reason: str


@dataclass(frozen=True)
class PlayerDepth:
    """How deep one player thinks.

    Parameters
    ----------
    name
        The player.
    types
        The types that were considered.
    prior, posterior
        Probability of each type before and after all moves.
    steps
        The moves that were not forced, in order.
    games, forced
        How many games it played in, and how many of its moves were forced and told nothing.
    """

    name: str
    types: tuple[int, ...]
    prior: tuple[float, ...]
    posterior: tuple[float, ...]
    steps: tuple[Step, ...]
    games: int
    forced: int

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
        enough = int(np.searchsorted(mass, CREDIBLE - 1e-12)) + 1
        return tuple(sorted(self.types[rank] for rank in order[:enough]))

    def telling(self, most: int = 3) -> tuple[Step, ...]:
        """The moves that told most, by their swing, without those that told nothing."""
        told = [step for step in self.steps if step.swing > 0]
        return tuple(sorted(told, key=lambda step: -step.swing)[:most])

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """Everything as plain data, ready for JSON."""
        estimate = {
            "mean": self.mean,
            "likeliest": self.likeliest,
            "credible": list(self.credible),
            "telling": [asdict(step) for step in self.telling(most)],
        }
        return {key: json_ready(value) for key, value in {**asdict(self), **estimate}.items()}


@dataclass(frozen=True)
class Inference:
    """What games tell about the depth of their players, in the order in which they first sat.

    Examples
    --------
    >>> from sizeup.play import play
    >>> from sizeup.play.infer import infer
    >>> found = infer([play("checkers", ["obl:4", "obl:1"], seed=2)], types=(1, 4))
    >>> [(player.name, player.likeliest) for player in found.players]
    [('obl:4', 4), ('obl:1', 1)]
    """

    types: tuple[int, ...]
    rule: str
    players: tuple[PlayerDepth, ...]

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
        """Draw how the posteriors came about, as :func:`~sizeup.play.infer_plot.plot_depths`."""
        from sizeup.play.infer_plot import plot_depths

        plot_depths(self, path)


def conclude(
    looks: Iterable[Look],
    types: Sequence[int],
    rule: str | UpdateRule = "fitted",
    *,
    prior: Sequence[float] | None = None,
) -> Inference:
    """Turn what :func:`~sizeup.play.look.look` has found into posteriors.

    Examples
    --------
    >>> shares = np.array([[0.5, 0.5], [0.9, 0.1]])
    >>> seen = [Look(0, ply, 0, "Ann", "a", 0, shares) for ply in (1, 3, 5)]
    >>> conclude(seen, types=(1, 4))["Ann"].likeliest
    4
    """
    values = TypeSet(types).values
    resolved = rule_of(rule, values) if isinstance(rule, str) else rule
    first = _checked_prior(prior, len(values))
    moves: dict[str, list[Look]] = {}
    for one in looks:
        moves.setdefault(one.player, []).append(one)
    found = (_player(who, values, first, resolved, mine) for who, mine in moves.items())
    name = rule if isinstance(rule, str) else type(rule).__name__
    return Inference(values, name, tuple(found))


def _player(
    name: str,
    types: tuple[int, ...],
    prior: tuple[float, ...],
    rule: UpdateRule,
    moves: Sequence[Look],
) -> PlayerDepth:
    with np.errstate(divide="ignore"):  # log 0: a type ruled out beforehand
        weights = np.log(prior)
    energy = np.zeros(len(types))
    steps: list[Step] = []
    for move in moves:
        if move.shares is None:
            continue
        evidence = rule.evidence(move.shares, move.chosen)
        energy = energy + evidence
        heat = _heat(rule, len(steps) + 1)
        told = -evidence / heat
        posterior = _normalised(weights - energy / heat)
        steps.append(_step(move, types, told, posterior))
    return PlayerDepth(
        name, types, prior, steps[-1].posterior if steps else prior, tuple(steps),
        len({move.game for move in moves}), len(moves) - len(steps),
    )  # fmt: skip


def _heat(rule: UpdateRule, updates: int) -> float:
    heat = rule.temperature
    return float(heat(np.array(updates))) if callable(heat) else float(heat)


def _normalised(log_weights: NDArray[np.float64]) -> tuple[float, ...]:
    if not np.isfinite(log_weights).any():
        raise InvalidInput(
            "no type explains these moves: every likelihood is 0; use a rule with an error rate"
        )
    mass = np.exp(log_weights - log_weights.max())
    return tuple((mass / mass.sum()).tolist())


def _step(
    move: Look, types: tuple[int, ...], told: NDArray[np.float64], posterior: tuple[float, ...]
) -> Step:
    assert move.shares is not None
    more, less = int(np.argmax(told)), int(np.argmin(told))
    shares = move.shares[:, move.chosen]
    reason = (
        f"type {types[more]} gives {move.action} {_percent(shares[more])} of its visits, "
        f"type {types[less]} {_percent(shares[less])}"
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
    odds = [_percent(p) for p in player.posterior]
    return [one_line(player.name), str(len(player.steps)), *odds, f"{player.mean:.1f}", sure]


def _telling_lines(player: PlayerDepth, most: int) -> list[str]:
    several = player.games > 1
    lines = [
        (f"  game {step.game + 1}, " if several else "  ") + f"ply {step.ply}: {step.reason}"
        for step in player.telling(most)
    ]
    return ["", f"{one_line(player.name)}: what told most", *lines] if lines else []


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def json_ready(value: Any) -> Any:
    """Plain data without infinities, which JSON has no word for: they become None.

    >>> json_ready({"told": (0.5, -math.inf)})
    {'told': [0.5, None]}
    """
    if isinstance(value, Mapping):
        return {key: json_ready(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
