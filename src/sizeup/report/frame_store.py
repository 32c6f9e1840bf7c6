"""Rows for frames from an experiment's games: a store, or what was exported from one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from sizeup.errors import InvalidInput
from sizeup.experiments.arena import arena
from sizeup.experiments.export import tidy
from sizeup.experiments.members import read_member
from sizeup.experiments.origin import Origin
from sizeup.experiments.parquet import is_parquet, origins_in, rows_in
from sizeup.experiments.store import Store
from sizeup.experiments.stored import game_of, record_in, rows_as_dicts
from sizeup.games.contract import CHANCE
from sizeup.play.record import Record

__all__ = ["Games", "Held", "opened", "replayed", "stored_moves"]

Games: TypeAlias = Store | str | Path
"""A store, the path of one, or the path of exported rows."""

Row: TypeAlias = tuple[Any, ...]

_NO_SEARCH = (None, None, None, math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Held:
    """Games to make rows of: those of a store, or else of exported rows at ``path``."""

    path: Path
    origins: Mapping[int, Origin]
    store: Store | None

    def tidy(self, compact: bool = False) -> Iterator[dict[str, Any]]:
        """Rows as they are exported."""
        return rows_in(self.path) if self.store is None else tidy(self.store, compact)

    def rows(self) -> Iterator[Row]:
        """Of each game, what it was and how it went."""
        for row in self.tidy(compact=True):
            yield (
                row["game_id"], row["experiment"], row["cell"].partition(" ")[0], row["cell"],
                row["block"], row["slot"], row["round"], row["plan_index"],
                row["game"], row["team"], row["against"], row["side"],
                row["score"], row["total"], row["reason"], row["plies"],
                str(row["seed"]), str(row["root_seed"]), row["config_fingerprint"],
                row["code_fingerprint"], row["seconds"], row["host"], row["attempt"],
                row["finished"],
            )  # fmt: skip

    def last_beliefs(self) -> Iterator[Row]:
        """Of each game, the last beliefs of everybody who learns."""
        for row in self.tidy():
            members = self.members(row)
            for believer, mates in _data(row["posteriors"]).items():
                types = read_member(members[int(believer)]).first.types
                for about, shares in enumerate(mates):
                    for type_, share in zip(types, shares, strict=True):
                        yield row["game_id"], int(believer), about, type_, share

    def deviations(self) -> Iterator[Row]:
        """Of each game, how far beliefs were from the truth before and after each update."""
        for row in self.tidy():
            for believer, mates in _data(row["deviations"]).items():
                for about, away in mates.items():
                    for update, deviation in enumerate(away):
                        yield row["game_id"], int(believer), int(about), update, deviation

    def members(self, row: Mapping[str, Any]) -> list[str]:
        """Members of a game's team as the experiment writes them, whatever seat they have."""
        members: list[str] = self.origins[row["origin"]].config["cells"][row["cell"]]["team"][
            "members"
        ]
        return members


@contextmanager
def opened(games: Games) -> Iterator[Held]:
    """Games ready to be read; a store that is open stays open."""
    if isinstance(games, Store):
        yield Held(games.path, games.origins(), games)
        return
    path = Path(games)
    if path.is_file() and is_parquet(path):
        yield Held(path, origins_in(path), None)
        return
    with Store.read(path) as store:
        yield Held(path, store.origins(), store)


def replayed(held: Held, most: int | None) -> Iterator[tuple[str, Record]]:
    """Records of games by their names, each played again."""
    if held.store is None:
        raise InvalidInput(
            f"{held.path} holds rows, of which no record can be made: merge them into a store "
            "first (sizeup merge)"
        )
    for row in islice(rows_as_dicts(held.store), most):
        yield row["game_id"], record_in(held.store, row)


def stored_moves(held: Held) -> Iterator[Row]:
    """Of each move, what is kept of it; the rules say whose it was."""
    for row in held.tidy():
        yield from _moves_of(held, row)


def _moves_of(held: Held, row: Mapping[str, Any]) -> Iterator[Row]:
    sides = [row["team"].split("+")]
    if row["against"] is not None:
        sides.insert(1 - row["side"], row["against"].split("+"))
    agents = [agent for side in sides for agent in side]
    params = held.origins[row["origin"]].config["params"]
    game = row["game"] if held.store is None else game_of(held.store, row["game"])
    view = arena(game, params, [len(side) for side in sides])
    sign = 1 - 2 * row["side"]  # exported rewards are the team's
    state, ply, total = view.start(), 0, 0.0
    for number, (action, reward) in enumerate(_played(held, row), start=1):
        player = view.actor(state)
        ply += player != CHANCE
        total += sign * reward
        side = None if player == CHANCE else view.teams[player]
        agent = None if player == CHANCE else agents[player]
        yield (
            row["game_id"], number, ply, player, side, agent, action, sign * reward + 0.0,
            total + 0.0, *_NO_SEARCH,
        )  # fmt: skip
        state, _ = view.apply(state, view.action_from_text(state, action))


def _played(held: Held, row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Moves and what they were worth to the team; a game that was kept without is played again."""
    if not row["moves"] and row["plies"]:
        if held.store is None:
            raise InvalidInput(
                f"{held.path} has no moves: they are left out of compact rows; export with --full, "
                "or give the store"
            )
        (whole,) = rows_as_dicts(held.store, game_id=row["game_id"])
        sign = 1 - 2 * row["side"]
        moves = record_in(held.store, whole).moves
        yield from ((move.action, sign * move.reward) for move in moves)
    else:
        yield from zip(row["moves"], row["rewards"], strict=True)


def _data(given: Any) -> Any:
    """Beliefs of a row: JSON if it comes from a store, read already if from a file."""
    return json.loads(given) if isinstance(given, str) else given
