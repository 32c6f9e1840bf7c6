"""Records in memory: the last ones played, watched or sent in, by ids that nobody guesses.

Nothing is written to the disk; with the server everything here is gone.
"""

from __future__ import annotations

import secrets
import zlib
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from sizeup.errors import InvalidInput
from sizeup.experiments.arena import arena
from sizeup.games.contract import GAMES, View
from sizeup.play.record import Move, Record
from sizeup.play.recorded_game import view_of
from sizeup.play.replay import replay
from sizeup.play.words import types_of
from sizeup.web.players import title_of
from sizeup.web.story import Story
from sizeup.web.words import points, team_called

__all__ = [
    "Kept", "Observer", "Opened", "Origin", "Records", "Source", "keep", "open_kept", "view_for",
]  # fmt: skip

Source: TypeAlias = Literal["played", "watched", "uploaded", "store", "branch"]


@dataclass(frozen=True)
class Observer:
    """A silent observer: the seat that it watched from, and the depths it told apart."""

    seat: int
    types: tuple[int, ...]


@dataclass(frozen=True)
class Origin:
    """Where a branch comes from: a record, and the number of the move that is another one."""

    id: str
    ply: int
    players: tuple[str, ...]
    result: dict[str, Any]


@dataclass(frozen=True)
class Kept:
    """A record, packed; with what a silent observer saw, if there was one.

    ``owner`` is the visitor who may see it in a list; ``command`` shows the match again, if it is
    known to; ``origin`` is there for a branch.
    """

    id: str
    packed: bytes
    source: Source
    owner: str
    line: dict[str, Any]
    observer: Observer | None = None
    command: str | None = None
    origin: Origin | None = None


@dataclass(frozen=True, eq=False)
class Opened:
    """A record that was unpacked and played back: its game, states before each move, its story."""

    kept: Kept
    record: Record
    view: View
    states: tuple[Any, ...]
    story: Story

    def plain_record(self) -> Record:
        """The record as the match made it, without a silent observer."""
        watched = self.kept.observer
        if watched is None:
            return self.record
        first = {p: rows for p, rows in self.record.first_beliefs.items() if p != watched.seat}
        moves = tuple(_without(move, watched.seat) for move in self.record.moves)
        return replace(self.record, first_beliefs=first, moves=moves)


def _without(move: Move, seat: int) -> Move:
    return replace(move, seen={p: seen for p, seen in move.seen.items() if p != seat})


def keep(
    record: Record,
    source: Source,
    owner: str,
    observer: Observer | None = None,
    command: str | None = None,
    origin: Origin | None = None,
) -> Kept:
    """Pack a record.

    >>> from sizeup.play import play
    >>> kept = keep(play("connect-four", ["random", "random"], seed=3), "watched", "Ada")
    >>> kept.line["result"], open_kept(kept).record.seed
    ('Red won', 3)
    """
    packed = zlib.compress(record.to_json().encode(), 1)
    name = secrets.token_urlsafe(9)
    return Kept(name, packed, source, owner, _line(record), observer, command, origin)


def _line(record: Record) -> dict[str, Any]:
    if len(set(record.teams)) < 2:
        result = points(record.total)
    elif record.winner is None:
        result = "a draw"
    else:
        result = f"{team_called(record.game, record.winner)} won"
    return {
        "game": record.game,
        "players": [title_of(name) for name in record.players],
        "plies": len(record.moves),
        "result": result,
    }


def view_for(record: Record) -> View:
    """The game of a record with its seats and parameters; what takes long is done once."""
    name = record.game.partition(" ")[0]
    if name.replace("-", "_") not in GAMES:
        raise InvalidInput(
            f"{record.game!r} is not a game of ours: show it with sizeup replay RECORD --game "
            "my_game.py"
        )
    sizes = [record.teams.count(team) for team in sorted(set(record.teams))]
    return view_of(record, arena(name, {}, sizes).game)


def open_kept(kept: Kept) -> Opened:
    """Unpack a record and play it back, which checks all of it."""
    record = Record.from_json(zlib.decompress(kept.packed).decode())
    watched = kept.observer
    types = {p: tuple(types_of(record.players[p], record.types)) for p in record.first_beliefs}
    first = dict(record.first_beliefs)
    if watched is not None:
        types[watched.seat] = watched.types
    view = view_for(record)
    story = Story(view, record.players, types, first, watched is not None)
    opened = Opened(kept, record, view, (), story)
    played = [before for before, _ in replay(opened.plain_record(), view.game)]
    states = (*played, _last_state(view, played, record))
    story.begin(states[0], over=not record.moves)
    for at, move in enumerate(record.moves):
        story.add(states[at], move, states[at + 1], over=at + 1 == len(record.moves))
    return replace(opened, states=states)


def _last_state(view: View, played: list[Any], record: Record) -> Any:
    if not played:
        return view.start()
    action = view.action_from_text(played[-1], record.moves[-1].action)
    return view.apply(played[-1], action)[0]


class Records:
    """The last records, and the last few of them unpacked.

    Examples
    --------
    >>> from sizeup.play import play
    >>> records = Records(most=1)
    >>> for seed in (1, 2):
    ...     played = play("connect-four", ["random", "random"], seed=seed)
    ...     records.add(keep(played, "watched", "Ada"))
    >>> [line["result"] for line in records.listed("Ada")], records.listed("Bob")
    (['Red won'], [])
    """

    def __init__(self, most: int, most_open: int = 8) -> None:
        self._most, self._most_open = most, most_open
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._open: OrderedDict[str, Opened] = OrderedDict()

    def add(self, kept: Kept) -> None:
        """Remember a record; the oldest one makes room."""
        self._kept[kept.id] = kept
        while len(self._kept) > self._most:
            name, _ = self._kept.popitem(last=False)
            self._open.pop(name, None)

    def find(self, name: str) -> Kept | None:
        """The record of this id, which is now the newest; None if it is gone."""
        if name in self._kept:
            self._kept.move_to_end(name)
        return self._kept.get(name)

    def opened(self, name: str) -> Opened | None:
        """A record that is unpacked already."""
        return self._open.get(name)

    def add_opened(self, opened: Opened) -> None:
        """Remember a record that was unpacked; the oldest one makes room."""
        if opened.kept.id in self._kept:
            self._open[opened.kept.id] = opened
        while len(self._open) > self._most_open:
            self._open.popitem(last=False)

    def listed(self, owner: str) -> list[dict[str, Any]]:
        """Lines about a visitor's records, the newest first."""
        return [
            {"id": kept.id, **kept.line, "source": kept.source}
            for kept in reversed(self._kept.values())
            if kept.owner == owner
        ]
