"""How deep does this player think? Posteriors over depths from the moves of recorded games.

Each move that was not forced is compared with a fresh search of our own at the same position, in
which the player is modelled as oblivious: as one that takes everybody for an equal. One progressive
pass shows what a player of each type would have looked at; :mod:`~sizeup.play.choice_model` turns
that into evidence.
"""

from __future__ import annotations

import json
import math
import re
import types as python_types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.capability import TypeSet, UpdateRule
from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.contract import CHANCE, GAMES, View, load_game
from sizeup.games.pdn import PdnGame, read_pdn
from sizeup.games.seats import seat
from sizeup.play.choice_model import rule_of
from sizeup.play.record import Record
from sizeup.search import Searcher, SearchOptions

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

Game: TypeAlias = Record | PdnGame
GameModule: TypeAlias = python_types.ModuleType
By: TypeAlias = Literal["name", "seat"]

CREDIBLE = 0.9
"""Mass of the credible set."""

_UNKNOWN = ("", "?")  # PDN's words for a player without a name


@dataclass(frozen=True, eq=False)
class Look:
    """A move, and what a search at its position shows for each type.

    ``game`` counts from 0, ``ply`` (moves of players) from 1. ``shares`` is ``(types, actions)``
    and ``chosen`` the column of the move played; a forced move has neither a search nor shares.
    """

    game: int
    ply: int
    seat: int
    player: str
    action: str
    chosen: int
    shares: NDArray[np.float64] | None

    @property
    def is_forced(self) -> bool:
        """Whether there was nothing to choose."""
        return self.shares is None


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
        """The moves that told most, by their swing."""
        return tuple(sorted(self.steps, key=lambda step: -step.swing)[:most])

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
        raise InvalidInput(f"there is no player {name!r}; players are {_listed(self)}")

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


def look(
    games: Sequence[Game],
    types: Sequence[int],
    *,
    by: By = "name",
    players: Sequence[str] | None = None,
    seed: int = 0,
    options: SearchOptions | None = None,
    game: GameModule | None = None,
) -> Iterator[Look]:
    """Search at every move that was not forced, as :func:`infer` does; see there.

    One search serves any number of rules: give what it finds to :func:`conclude`.

    Examples
    --------
    >>> from sizeup.games.pdn import read_pdn
    >>> quick = SearchOptions(iterations=20)
    >>> [first, _] = look(read_pdn("1. 11-15 22-18"), types=(1, 2), options=quick)
    >>> first.player, first.action, first.shares.shape
    ('Black', '11-15', (2, 7))
    """
    if by not in ("name", "seat"):
        raise InvalidInput(f"players are told apart by 'name' or by 'seat', got {by!r}")
    if type(seed) is not int or seed < 0:
        raise InvalidInput(f"a seed is a whole number of 0 or more, got {seed!r}")
    checked, values = _checked_games(games), TypeSet(types).values
    return _looks(checked, values, by, players, seed, options, game)


def _looks(
    games: Sequence[Game],
    types: tuple[int, ...],
    by: By,
    players: Sequence[str] | None,
    seed: int,
    options: SearchOptions | None,
    game: GameModule | None,
) -> Iterator[Look]:
    searchers: dict[str, Searcher] = {}
    for number, played in enumerate(games):
        kind = _kind(played)
        if kind not in searchers:
            searchers[kind] = Searcher(_view(played, game), types, options)
        searcher = searchers[kind]
        names = _names(played, searcher.view, by)
        yield from _Replay(number, searcher, seed, names, players).run(played)


@dataclass
class _Replay:
    """One game while it is gone through."""

    number: int
    searcher: Searcher
    seed: int
    names: Sequence[str]
    wanted: Sequence[str] | None
    state: Any = None
    ply: int = 0

    def run(self, played: Game) -> Iterator[Look]:
        view = self.searcher.view
        self.state = _first_state(played, view)
        for player, move in _moves(played):
            try:
                actor, action = view.actor(self.state), self._action(move)
                if player not in (None, actor):
                    raise InvalidInput(f"player {player} moved, but it is the turn of {actor}")
            except InvalidInput as error:
                raise InvalidInput(f"game {self.number + 1}, ply {self.ply + 1}: {error}") from None
            if actor != CHANCE:
                self.ply += 1
                if self.wanted is None or self.names[actor] in self.wanted:
                    yield self._look(actor, action)
            self.state, _ = view.apply(self.state, action)

    def _action(self, move: str | int) -> int:
        """The legal action that was written, as a text or as its number."""
        view = self.searcher.view
        if isinstance(move, str):
            return view.action_from_text(self.state, move)
        view.action_text(self.state, move)  # which refuses what is not legal
        return move

    def _look(self, actor: int, action: int) -> Look:
        view, state = self.searcher.view, self.state
        actions = view.actions(state)
        shares = None
        if len(actions) > 1:
            entropy = np.random.SeedSequence((self.seed, self.number, self.ply))
            seed = int(entropy.generate_state(1, np.uint64)[0])
            shares = self.searcher.search(state, seed=seed).shares
        text = view.action_text(state, action)
        name = self.names[actor]
        return Look(self.number, self.ply, actor, name, text, actions.index(action), shares)


def conclude(
    looks: Iterator[Look] | Sequence[Look],
    types: Sequence[int],
    rule: str | UpdateRule = "fitted",
    *,
    prior: Sequence[float] | None = None,
) -> Inference:
    """Turn what :func:`look` has found into posteriors.

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


def read_games(path: str | Path) -> list[Game]:
    """Read the games of a file: a record of a match (JSON), or checkers in PDN.

    Raises :class:`~sizeup.errors.InvalidInput` with one line that says what is wrong and where.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "games.pdn")
    ...     _ = path.write_text('[Black "Ann"] 1. 11-15 23-19 *')
    ...     len(read_games(path))
    1
    """
    text = _text(Path(path))
    try:
        games: Sequence[Game] = [Record.from_json(text)] if _is_json(text) else read_pdn(text)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None
    if not games:
        raise InvalidInput(f"{path}: there is no game in it; expected a record (JSON) or PDN")
    return list(games)


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror or error}") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")  # as old PDN files are


def _is_json(text: str) -> bool:
    """Whether a text opens like JSON; PDN opens with a tag, a move, or a comment in braces."""
    return re.match(r'\s*(\{\s*["}]|\[\s*[^\sA-Za-z0-9_])', text) is not None


def _checked_games(games: Sequence[Game]) -> Sequence[Game]:
    if isinstance(games, (str, Path)) or not isinstance(games, Sequence):
        raise InvalidInput(
            f"expected a list of games, got {type(games).__name__}; read_games(path) reads a file"
        )
    for one in games:
        if not isinstance(one, (Record, PdnGame)):
            raise InvalidInput(f"expected records or PDN games, got {type(one).__name__}")
    return games


def _first_state(played: Game, view: View) -> Any:
    return played.start if isinstance(played, PdnGame) else view.state_from_text(played.start)


def _view(played: Game, game: GameModule | None) -> View:
    """The game that was played, with its seats and parameters."""
    return View(checkers) if isinstance(played, PdnGame) else _recorded_view(played, game)


def _recorded_view(record: Record, game: GameModule | None) -> View:
    game = _known_game(record.game) if game is None else game
    teams = tuple(record.teams)
    if tuple(game.INFO.teams) != teams:
        game = seat(game, first=teams.count(0), second=teams.count(1))
    return View(game, _params(game.INFO.params, record.params))


def _known_game(name: str) -> GameModule:
    """A game of ours: a record may come from anywhere, and must not choose what is imported."""
    plain = re.sub(r" \d+v\d+$", "", name)  # without its seats
    if plain.replace("-", "_") not in GAMES:
        raise InvalidInput(
            f"the record is of {name!r}, which does not come with Sizeup; give the game's module"
        )
    return load_game(plain)


def _params(model: Any, given: Mapping[str, Any]) -> Any:
    """Parameters like ``model`` with the values that were written down."""
    if set(given) != set(model._fields):
        raise InvalidInput(
            f"the record has parameters {', '.join(sorted(given)) or 'none'}; expected "
            f"{', '.join(model._fields) or 'none'}"
        )
    return type(model)(*(_param(getattr(model, name), given[name], name) for name in model._fields))


def _param(model: Any, given: Any, name: str) -> Any:
    if isinstance(model, tuple) and isinstance(given, Mapping):
        return _params(model, given)
    try:
        value = np.array(given, dtype=np.asarray(model).dtype)
        if isinstance(model, tuple) or value.ndim != np.ndim(model):
            raise ValueError
    except (TypeError, ValueError):
        raise InvalidInput(
            f"the record's parameter {name} is {given!r}; expected one like {model!r}"
        ) from None
    return value if isinstance(model, np.ndarray) else value.item()


def _kind(played: Game) -> str:
    """What games must share to be searched by one searcher."""
    if isinstance(played, PdnGame):
        return "PDN"
    return json.dumps([played.game, played.teams, dict(played.params)], sort_keys=True)


def _names(played: Game, view: View, by: By) -> list[str]:
    if by == "seat":
        return [f"seat {player}" for player in range(len(view.teams))]
    if isinstance(played, Record):
        return list(played.players)
    tags = dict(played.tags)
    given = [(tags.get(side, "").strip(), side) for side in ("Black", "White")]
    return [side if name in _UNKNOWN else name for name, side in given]


def _moves(played: Game) -> Iterator[tuple[int | None, str | int]]:
    """Who moved, if it is written down, and the move as a text or as its number."""
    if isinstance(played, PdnGame):
        yield from ((None, action) for action in played.actions)
    else:
        yield from ((move.player, move.action) for move in played.moves)


def _watched(looks: Iterator[Look], watch: Callable[[Look], None] | None) -> Iterator[Look]:
    for one in looks:
        if watch is not None:
            watch(one)
        yield one


def _checked_prior(prior: Sequence[float] | None, types: int) -> tuple[float, ...]:
    if prior is None:
        return (1.0 / types,) * types
    given = tuple(float(p) for p in prior)
    if len(given) != types or min(given) < 0 or not math.isclose(sum(given), 1, abs_tol=1e-9):
        raise InvalidInput(
            f"a prior has {types} probabilities that sum to 1, one for each type, got {given}"
        )
    return given


def _cells(player: PlayerDepth) -> list[str]:
    sure = ", ".join(map(str, player.credible))
    odds = [_percent(p) for p in player.posterior]
    return [player.name, str(len(player.steps)), *odds, f"{player.mean:.1f}", sure]


def _telling_lines(player: PlayerDepth, most: int) -> list[str]:
    several = player.games > 1
    lines = [
        (f"  game {step.game + 1}, " if several else "  ") + f"ply {step.ply}: {step.reason}"
        for step in player.telling(most)
    ]
    return ["", f"{player.name}: what told most", *lines] if lines else []


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _listed(found: Inference) -> str:
    return ", ".join(player.name for player in found.players) or "none"


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
