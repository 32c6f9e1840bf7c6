"""The record of a match: complete, checked when read, and enough to play the same match again.

JSON with a version (``schema``) and a seal (``sha256`` of everything else), so that a record that
was cut off or edited is refused with the place. It holds the whole configuration of every agent:
names alone would not say how they searched. Records of version 1, which hold names only, are read
as if their agents had default options, and say so (:attr:`Record.lacks`).
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from sizeup import __version__
from sizeup.agents.config import PUBLISHED, AgentConfig, read_agent
from sizeup.capability import Beliefs
from sizeup.errors import InvalidInput
from sizeup.words import figure

if TYPE_CHECKING:
    from sizeup.play.table import Table

__all__ = ["SCHEMA", "Move", "Record", "Seen"]

SCHEMA = "sizeup-record/2"
_FIRST_SCHEMA = "sizeup-record/1"
_MOST_PIPED = 256_000_000  # bytes; a file on a disk ends, but a pipe may go on for ever


@dataclass(frozen=True)
class Seen:
    """What a move told one agent: evidence against each type (None above its own), and beliefs.

    What ``before`` and ``after`` lack to 1 is the probability of none of the types. If the evidence
    comes from ``samples`` of what each type plays, ``played`` is in how many of them it made this
    move, and ``error`` the largest sampling error of ``after``.
    """

    actor: int
    evidence: tuple[float | None, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    played: tuple[float | None, ...] = ()
    samples: int = 0
    error: float = 0.0


@dataclass(frozen=True)
class Move:
    """One move: who made it (-1 is chance), what it was, and what came of it.

    ``search`` sums up the search behind it, ``seen`` says what each adaptive agent (by seat) made
    of it, ``distance`` how far the beliefs of a team are apart afterwards, ``note`` what the player
    said about it.
    """

    ply: int
    player: int
    action: str
    reward: float
    search: dict[str, Any] | None = None
    seen: Mapping[int, Seen] = field(default_factory=dict)
    distance: float | None = None
    note: str = ""


@dataclass(frozen=True, repr=False)
class Record:
    """A match from its first state to its end.

    ``agents`` are the configurations of the players, None for a person or a function; ``observer``
    is the seat and configuration of somebody who watched in silence; ``carried`` is what agents, by
    seat, believed from earlier games; ``most_plies`` is where it was stopped at the latest, if it
    was; ``lacks`` says what an old record does not hold.

    Examples
    --------
    >>> from sizeup.play import play
    >>> record = play("connect-four", ["obl:2", "random"], seed=3)
    >>> again = Record.from_json(record.to_json())
    >>> again == record
    True
    >>> Record.from_json(record.to_json()[:-40])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: the record is cut off or no JSON: line ...
    """

    game: str
    players: tuple[str, ...]
    teams: tuple[int, ...]
    types: tuple[int, ...]
    seed: int
    start: str
    first_beliefs: Mapping[int, Any]
    moves: tuple[Move, ...]
    reason: str
    total: float
    winner: int | None
    params: Mapping[str, Any]
    versions: Mapping[str, str]
    agents: tuple[AgentConfig | None, ...] = ()
    observer: tuple[int, AgentConfig] | None = None
    carried: Mapping[int, Any] = field(default_factory=dict)
    most_plies: int | None = None
    lacks: str = field(default="", compare=False)

    @classmethod
    def of(
        cls, table: Table, seed: int, start: Any, first_beliefs: Mapping[int, Any],
        moves: tuple[Move, ...], reason: str, total: float, winner: int | None,
        most_plies: int | None = None,
    ) -> Record:  # fmt: skip
        """Put a record together."""
        view, watching = table.view, table.observer
        return cls(
            view.info.name, table.names, tuple(view.teams), table.types, seed,
            view.state_text(start), dict(first_beliefs), moves, reason, total, winner,
            _plain_params(view.params),
            {"sizeup": __version__, "numpy": np.__version__, "numba": numba.__version__},
            tuple(seated.config for seated in table.seats),
            None if watching is None else (watching.player, watching.config),
            {p: _plain_beliefs(held) for p, held in (table.carried or {}).items()}, most_plies,
        )  # fmt: skip

    def __repr__(self) -> str:
        teams = " against ".join(
            "+".join(n for n, t in zip(self.players, self.teams, strict=True) if t == team)
            for team in sorted(set(self.teams))
        )
        end = f"total {figure(self.total)}" if len(set(self.teams)) < 2 else f"winner {self.winner}"
        return f"<Record of {self.game}: {teams}, {len(self.moves)} moves, {end}>"

    def _repr_html_(self) -> str:
        """The last board, and how beliefs came about, in a notebook."""
        from sizeup.play.pictures import record_html

        return record_html(self)

    def plot_beliefs(self, path: str | Path | None = None) -> Any:
        """Draw how every belief about a teammate moved, to a file or for a notebook."""
        from sizeup.play.plots import plot_beliefs

        return plot_beliefs(self, path)

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return self.players

    def depth_of(self, seat: int) -> int:
        """The capability type of a player; 0 if it has none, or nobody knows."""
        agent = self.agents[seat]
        return 0 if agent is None else agent.depth or 0

    def types_of(self, seat: int) -> tuple[int, ...]:
        """The types that a player considers, or the observer in its seat."""
        watching = self.observer is not None and self.observer[0] == seat
        agent = self.observer[1] if self.observer and watching else self.agents[seat]
        return self.types if agent is None else self._considered(agent)

    def _considered(self, agent: AgentConfig) -> tuple[int, ...]:
        own = set() if agent.untyped else {agent.own}
        return tuple(sorted({*(agent.types or self.types), *own}))

    def beliefs_carried(self) -> dict[int, Beliefs]:
        """What agents, by seat, believed from earlier games."""
        found = {}
        for seat, held in self.carried.items():
            if seat not in range(len(self.agents)):
                raise InvalidInput(f"the record has carried beliefs of seat {seat}, which it lacks")
            agent = self.agents[seat]
            if agent is not None:
                found[seat] = _beliefs(held, self._considered(agent), agent.own)
        return found

    def to_json(self) -> str:
        """Write the record; one of version 1 stays one, with what it lacks."""
        data = {"schema": SCHEMA, **asdict(replace(self, agents=(), observer=None))}
        del data["lacks"]
        if self.observer is not None:
            data["observer"] = {"seat": self.observer[0], "agent": self.observer[1].to_data()}
        data["agents"] = [None if one is None else one.to_data() for one in self.agents]
        if self.lacks:  # only what version 1 knows
            data = {name: data[name] for name in data if name not in _NEW_FIELDS}
            moves = [{name: move[name] for name in _MOVE_FIELDS} for move in data["moves"]]
            for seen in (seen for move in moves for seen in move["seen"].values()):
                for name in _NEW_SEEN_FIELDS:
                    del seen[name]
            data |= {"schema": _FIRST_SCHEMA, "moves": moves}
        body = json.loads(json.dumps(data))
        return json.dumps({**body, "sha256": _seal(body)}, indent=1) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the record to a file."""
        Path(path).write_text(self.to_json())

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """Read a record from a file."""
        try:
            text = read_file(path).decode()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InvalidInput(f"cannot read {path}: {reason}") from None
        if Path(path).suffix.lower() == ".pdn":
            raise InvalidInput(
                f"{path} is PDN, which does not hold all of a match: expected a record (JSON)"
            )
        try:
            return cls.from_json(text)
        except InvalidInput as error:
            raise InvalidInput(f"{path}: {error}") from None

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read a record, and refuse one that is not whole."""
        try:
            body = json.loads(text)
        except json.JSONDecodeError as error:
            raise InvalidInput(
                f"the record is cut off or no JSON: line {error.lineno}, column {error.colno}: "
                f"{error.msg}"
            ) from None
        except (ValueError, RecursionError) as error:  # numbers too long, brackets too deep
            raise InvalidInput(f"this is not a record of a match: {error}") from None
        schema = body.get("schema") if isinstance(body, dict) else type(body).__name__
        if schema not in (SCHEMA, _FIRST_SCHEMA):
            found = "JSON that names none" if schema is None else repr(schema)
            raise InvalidInput(f"expected a record of schema {SCHEMA!r}, got {found}")
        is_first = schema == _FIRST_SCHEMA
        _check(body, is_first)
        if body.pop("sha256") != _seal(body):
            raise InvalidInput(
                "the record was edited: its sha256 does not fit what it holds; keep the original, "
                "or play the match again from its seed"
            )
        body.pop("schema")
        moves = tuple(_move(move, at) for at, move in enumerate(body.pop("moves"), start=1))
        for key in ("first_beliefs", *(() if is_first else ("carried",))):
            body[key] = _by_seat(body[key], f"the record has {key}")
        for key in ("players", "teams", "types"):
            body[key] = tuple(body[key])
        if is_first:
            named = tuple(_named(name) for name in body["players"])
            return cls(**body, agents=named, lacks=_LACKS, moves=moves)
        return cls(**{**body, **_agents(body)}, moves=moves)


def read_file(path: str | Path) -> bytes:
    """What a file holds, or a pipe, if that comes to an end."""
    with Path(path).open("rb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file.read()
        found = file.read(_MOST_PIPED + 1)
    if len(found) > _MOST_PIPED:
        raise InvalidInput(
            f"{path} is no file, and gave more than {_MOST_PIPED / 1e6:.0f} MB: save what it gives "
            "to a file first"
        )
    return found


def _agents(body: Mapping[str, Any]) -> dict[str, Any]:
    """The configurations that a record holds."""
    agents = tuple(None if one is None else AgentConfig.from_data(one) for one in body["agents"])
    if len(agents) != len(body["players"]):
        raise InvalidInput(
            f"the record has {len(agents)} agents for {len(body['players'])} players"
        )
    watching = body["observer"]
    if watching is None:
        return {"agents": agents, "observer": None}
    try:
        return {
            "agents": agents,
            "observer": (int(watching["seat"]), AgentConfig.from_data(watching["agent"])),
        }
    except (KeyError, TypeError, ValueError):
        raise InvalidInput(
            f"the record has observer = {watching!r}; expected a seat and an agent"
        ) from None


_LACKS = (
    "a record of version 1 holds the names of its agents only: how they searched and updated their "
    "beliefs is taken to be the default"
)


def _named(name: str) -> AgentConfig | None:
    """An agent of a record of version 1, as far as its name tells."""
    try:
        agent = read_agent(name)
    except InvalidInput:
        return None
    if agent.model == "plugin":  # which there were none of
        return None
    return replace(agent, rule=PUBLISHED)  # as all agents had


def _seal(body: Mapping[str, Any]) -> str:
    kept = {key: value for key, value in body.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


_FIELDS: dict[str, type | tuple[type, ...]] = {
    "game": str, "players": list, "teams": list, "types": list, "seed": int, "start": str,
    "first_beliefs": dict, "moves": list, "reason": str, "total": (int, float),
    "winner": (int, type(None)), "params": dict, "versions": dict, "sha256": str,
}  # fmt: skip
_NEW_FIELDS: dict[str, type | tuple[type, ...]] = {
    "agents": list, "observer": (dict, type(None)), "carried": dict,
    "most_plies": (int, type(None)),
}  # fmt: skip
_MOVE_FIELDS: dict[str, type | tuple[type, ...]] = {
    "ply": int, "player": int, "action": str, "reward": (int, float),
    "search": (dict, type(None)), "seen": dict, "distance": (int, float, type(None)),
}  # fmt: skip
_NEW_SEEN_FIELDS = ("played", "samples", "error")
_MOST = 2**1000  # of a number; a seed may be longer than a machine's numbers


def _check(body: Mapping[str, Any], is_first: bool) -> None:
    """Every field is there and of its kind, or it is said which one is not."""
    new, note = ({}, {}) if is_first else (_NEW_FIELDS, {"note": str})
    _check_fields(body, {"schema": str, **_FIELDS, **new}, "the record")
    for name, kind in (("players", str), ("teams", int), ("types", int)):
        for item in body[name]:
            if not _is_a(item, kind):
                raise InvalidInput(
                    f"the record has {name} = {body[name]!r}: {item!r} is of the wrong kind"
                )
    for number, move in enumerate(body["moves"], start=1):
        if not isinstance(move, dict):
            raise InvalidInput(f"move {number} of the record is {move!r}, expected an object")
        _check_fields(move, {**_MOVE_FIELDS, **note}, f"move {number} of the record")


def _check_fields(given: Mapping[str, Any], wanted: Mapping[str, Any], where: str) -> None:
    for name, kind in wanted.items():
        if name not in given:
            raise InvalidInput(f"{where} has no {name!r}")
        if not _is_a(given[name], kind):
            raise InvalidInput(f"{where} has {name} = {given[name]!r}, which is of the wrong kind")
    extra = set(given) - set(wanted)
    if extra:
        raise InvalidInput(f"{where} has unknown fields: {', '.join(sorted(extra))}")


def _is_a(value: Any, kind: Any) -> bool:
    """Whether a value is of a kind; truths are no numbers, nor is what no float can hold."""
    unfit = isinstance(value, bool) or (isinstance(value, int) and abs(value) >= _MOST)
    return isinstance(value, kind) and not unfit


def _move(given: dict[str, Any], number: int) -> Move:
    where = f"move {number} of the record has seen"
    seen = {player: _seen(told, where) for player, told in _by_seat(given["seen"], where).items()}
    return Move(**{**given, "seen": seen})


def _seen(told: Any, where: str) -> Seen:
    kinds = (int, float, type(None))
    try:
        evidence, before, after = (tuple(told[name]) for name in ("evidence", "before", "after"))
        played, samples = tuple(told.get("played", ())), told.get("samples", 0)
        error = told.get("error", 0.0)
        numbers = (told["actor"], samples, error, *itertools.chain(evidence, before, after, played))
        fits = all(_is_a(number, kinds) for number in numbers)
        fits = fits and _is_a(samples, int) and _is_a(error, (int, float))
    except (KeyError, TypeError, AttributeError):
        fits = False
    if not fits:
        raise InvalidInput(f"{where} = {told!r}; expected actor, evidence, before and after")
    return Seen(told["actor"], evidence, before, after, played, samples, error)


def _by_seat(given: Mapping[str, Any], where: str) -> dict[int, Any]:
    """JSON has only texts as keys: make them numbers again."""
    try:
        return {int(player): value for player, value in given.items()}
    except ValueError:
        raise InvalidInput(f"{where} of {', '.join(given)}; expected numbers of seats") from None


def _plain_params(params: Any) -> dict[str, Any]:
    """Parameters as plain data; arrays as lists, inner parameters as they are."""
    plain: dict[str, Any] = params._asdict()
    for name, value in plain.items():
        if isinstance(value, tuple):
            plain[name] = _plain_params(value)
        elif isinstance(value, np.ndarray):
            plain[name] = value.tolist()
    return plain


def _plain_beliefs(held: Beliefs) -> dict[str, Any]:
    """Beliefs as plain data; what is infinite is None, for which JSON has a word."""
    energy, prior = (
        [[one if np.isfinite(one) else None for one in row] for row in rows.tolist()]
        for rows in (held.energy, held.log_prior)
    )
    none = [one if np.isfinite(one) else None for one in held.none.tolist()]
    return {
        "energy": energy, "updates": held.updates.tolist(), "log_prior": prior,
        "noise": held.noise.tolist(), "none": none, "none_prior": held.none_prior,
    }  # fmt: skip


def _beliefs(data: Mapping[str, Any], types: tuple[int, ...], own: int) -> Beliefs:
    """Read what :func:`_plain_beliefs` wrote."""
    try:
        energy = [[np.inf if e is None else e for e in row] for row in data["energy"]]
        prior = [[-np.inf if p is None else p for p in row] for row in data["log_prior"]]
        none = data.get("none", [0.0] * len(energy))  # of a record from before there was any
        return replace(
            Beliefs.initial(types, own, len(energy)),
            energy=np.array(energy),
            updates=data["updates"],
            log_prior=np.array(prior),
            noise=data.get("noise", 0.0),
            none=np.array([np.inf if e is None else e for e in none]),
            none_prior=data.get("none_prior", 0.0),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"the record has carried beliefs that make no sense: {error}") from None
