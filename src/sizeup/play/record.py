"""The record of a match: complete, checked when read, and enough to play the same match again.

JSON with a version (``schema``) and a seal (``sha256`` of everything else), so that a record that
was cut off or edited is refused with the place.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numba
import numpy as np

from sizeup import __version__
from sizeup.errors import InvalidInput
from sizeup.games.contract import View

__all__ = ["SCHEMA", "Move", "Record", "Seen"]

SCHEMA = "sizeup-record/1"


@dataclass(frozen=True)
class Seen:
    """What a move told one agent.

    Evidence against each type (None above its own), and its beliefs about the actor before and
    after.
    """

    actor: int
    evidence: tuple[float | None, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True)
class Move:
    """One move: who made it (-1 is chance), what it was, and what came of it.

    ``search`` sums up the search behind it, ``seen`` says what each adaptive agent (by seat) made
    of it, ``distance`` how far the beliefs of a team are apart afterwards.
    """

    ply: int
    player: int
    action: str
    reward: float
    search: dict[str, Any] | None = None
    seen: Mapping[int, Seen] = field(default_factory=dict)
    distance: float | None = None


@dataclass(frozen=True)
class Record:
    """A match from its first state to its end.

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

    @classmethod
    def of(
        cls, view: View, players: Sequence[str], types: tuple[int, ...], seed: int, start: Any,
        first_beliefs: Mapping[int, Any], moves: tuple[Move, ...], reason: str, total: float,
        winner: int | None,
    ) -> Record:  # fmt: skip
        """Put a record together."""
        return cls(
            view.info.name, tuple(players), tuple(view.teams), types, seed, view.state_text(start),
            dict(first_beliefs), moves, reason, total, winner, _plain_params(view.params),
            {"sizeup": __version__, "numpy": np.__version__, "numba": numba.__version__},
        )  # fmt: skip

    def to_json(self) -> str:
        """Write the record."""
        body = json.loads(json.dumps({"schema": SCHEMA, **asdict(self)}))
        return json.dumps({**body, "sha256": _seal(body)}, indent=1) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the record to a file."""
        Path(path).write_text(self.to_json())

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """Read a record from a file."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise InvalidInput(f"cannot read {path}: {error.strerror or error}") from None
        except UnicodeDecodeError as error:
            raise InvalidInput(f"cannot read {path}: {error}") from None
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
            raise InvalidInput(f"this is no record of a match: {error}") from None
        if not isinstance(body, dict) or body.get("schema") != SCHEMA:
            given = body.get("schema") if isinstance(body, dict) else type(body).__name__
            raise InvalidInput(f"expected a record of schema {SCHEMA!r}, got {given!r}")
        _check(body)
        seal = body.pop("sha256", None)
        if seal != _seal(body):
            raise InvalidInput(
                "the record was edited: its sha256 does not fit what it holds; keep the original, "
                "or play the match again from its seed"
            )
        body.pop("schema")
        moves = tuple(_move(move, at) for at, move in enumerate(body.pop("moves"), start=1))
        beliefs = _by_seat(body.pop("first_beliefs"), "the record has first_beliefs")
        for key in ("players", "teams", "types"):
            body[key] = tuple(body[key])
        return cls(**body, moves=moves, first_beliefs=beliefs)


def _seal(body: Mapping[str, Any]) -> str:
    kept = {key: value for key, value in body.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


_FIELDS: dict[str, type | tuple[type, ...]] = {
    "game": str, "players": list, "teams": list, "types": list, "seed": int, "start": str,
    "first_beliefs": dict, "moves": list, "reason": str, "total": (int, float),
    "winner": (int, type(None)), "params": dict, "versions": dict, "sha256": str,
}  # fmt: skip
_MOVE_FIELDS: dict[str, type | tuple[type, ...]] = {
    "ply": int, "player": int, "action": str, "reward": (int, float),
    "search": (dict, type(None)), "seen": dict, "distance": (int, float, type(None)),
}  # fmt: skip
_MOST = 2**1000  # of a number; a seed may be longer than a machine's numbers


def _check(body: Mapping[str, Any]) -> None:
    """Every field is there and of its kind, or it is said which one is not."""
    _check_fields(body, {"schema": str, **_FIELDS}, "the record")
    for name, kind in (("players", str), ("teams", int), ("types", int)):
        for item in body[name]:
            if not _is_a(item, kind):
                raise InvalidInput(
                    f"the record has {name} = {body[name]!r}: {item!r} is of the wrong kind"
                )
    for number, move in enumerate(body["moves"], start=1):
        if not isinstance(move, dict):
            raise InvalidInput(f"move {number} of the record is {move!r}, expected an object")
        _check_fields(move, _MOVE_FIELDS, f"move {number} of the record")


def _check_fields(
    given: Mapping[str, Any], wanted: Mapping[str, type | tuple[type, ...]], where: str
) -> None:
    for name, kind in wanted.items():
        if name not in given:
            raise InvalidInput(f"{where} has no {name!r}")
        if not _is_a(given[name], kind):
            raise InvalidInput(f"{where} has {name} = {given[name]!r}, which is of the wrong kind")
    extra = set(given) - set(wanted)
    if extra:
        raise InvalidInput(f"{where} has unknown fields: {', '.join(sorted(extra))}")


def _is_a(value: Any, kind: type | tuple[type, ...]) -> bool:
    """Whether a value is of a kind; truths are no numbers, nor is what no float can hold."""
    return (
        isinstance(value, kind)
        and not isinstance(value, bool)
        and (not isinstance(value, int) or abs(value) < _MOST)
    )


def _move(given: dict[str, Any], number: int) -> Move:
    where = f"move {number} of the record has seen"
    seen = {player: _seen(told, where) for player, told in _by_seat(given["seen"], where).items()}
    return Move(**{**given, "seen": seen})


def _seen(told: Any, where: str) -> Seen:
    kinds = (int, float, type(None))
    try:
        lists = [tuple(told[name]) for name in ("evidence", "before", "after")]
        fits = all(_is_a(number, kinds) for number in (told["actor"], *itertools.chain(*lists)))
    except (KeyError, TypeError):
        fits = False
    if not fits:
        raise InvalidInput(f"{where} = {told!r}; expected actor, evidence, before and after")
    return Seen(told["actor"], *lists)


def _by_seat(given: Mapping[str, Any], where: str) -> dict[int, Any]:
    """JSON has only texts as keys: make them numbers again."""
    try:
        return {int(player): value for player, value in given.items()}
    except ValueError:
        raise InvalidInput(f"{where} of {', '.join(given)}; expected numbers of seats") from None


def _plain_params(params: Any) -> dict[str, Any]:
    """Parameters as plain data; arrays as lists, inner parameters as they are."""
    plain: dict[str, Any] = {}
    for name, value in zip(params._fields, params, strict=True):
        if isinstance(value, tuple):
            plain[name] = _plain_params(value)
        elif isinstance(value, np.ndarray):
            plain[name] = value.tolist()
        else:
            plain[name] = value
    return plain
