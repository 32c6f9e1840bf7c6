"""What a game's look says of a state, as plain data: tiles, what they look like, and moves."""

from __future__ import annotations

import json
import re
import types as python_types
from collections.abc import Iterable, Sequence
from itertools import chain, count
from threading import Lock
from typing import Any

from sizeup.games.contract import View
from sizeup.games.look import Ground, Piece, Scene, Tile, look_of, scene_of
from sizeup.words import one_line

_PLAIN = (" ", ".")  # marks of grounds that are not worth a word where something stands on them
_PARTS = ("name", "shape", "fill", "ink", "sign", "mark")
_MOST_TILES = 4096


class Face:
    """A game's look, with a short name for everything that is drawn in it.

    The names stay the same for as long as the server runs, so that a page needs each drawing once.
    """

    def __init__(self, game: python_types.ModuleType) -> None:
        self.look = look_of(game)
        self._lock = Lock()
        self._ids: dict[Ground | Piece, str] = {}
        self._art: dict[str, dict[str, str]] = {}
        self._tiles: dict[Tile, dict[str, Any]] = {}

    def board(self, view: View, state: Any) -> dict[str, Any]:
        """A position without anything around it."""
        scene = self._scene(view, state)
        rows = self._rows(scene)
        return {"rows": rows, "columns": list(scene.columns), "art": self.art([{"rows": rows}])}

    def state(
        self,
        view: View,
        state: Any,
        *,
        ply: int,
        total: float,
        last: Sequence[Any] | None,
        over: bool,
    ) -> dict[str, Any]:
        """A state and what can be done in it; a match may be over while the rules would go on."""
        scene, actor = self._scene(view, state), view.actor(state)
        told = (view.base_state(state), view.base.params)
        hint = None if over or actor < 0 else self.look.hint
        return {
            "ply": ply,
            "text": view.state_text(state),
            "actor": actor if actor >= 0 and not over else None,
            "rows": self._rows(scene),
            "columns": list(scene.columns),
            "legal": [] if over else self._legal(view, state, actor),
            "hint": hint(*told) if hint else "",
            "standing": self.look.standing(*told) if self.look.standing else ", ".join(scene.notes),
            "score": scores(total, view.teams),
            "last": list(last) if last else None,
        }

    def squares(self, view: View, state: Any, action: int) -> list[list[int]]:
        """Where the mover starts, stops and ends; nothing if the look does not say."""
        if self.look.squares is None or view.actor(state) < 0:
            return []
        found = self.look.squares(view.base_state(state), action, view.base.params)
        return [[int(row), int(column)] for row, column in found]

    def art(self, states: Iterable[dict[str, Any]]) -> dict[str, dict[str, str]]:
        """What the tiles of some states are drawn as."""
        tiles = (tile for state in states for row in state["rows"] for tile in row)
        used = {name for tile in tiles for name in (tile["ground"], tile["piece"]) if name}
        return {name: self._art[name] for name in sorted(used)}

    def _scene(self, view: View, state: Any) -> Scene:
        return scene_of(self.look, view.base_state(state), view.base.params)

    def _legal(self, view: View, state: Any, actor: int) -> list[dict[str, Any]]:
        texts = {action: view.action_text(state, action) for action in view.actions(state)}
        return [
            {
                "action": text,
                "phrase": self.look.phrase(text) if actor >= 0 else one_line(text),
                "squares": self.squares(view, state, action),
            }
            for action, text in texts.items()
        ]

    def _rows(self, scene: Scene) -> list[list[dict[str, Any]]]:
        return [[self._tile(tile) for tile in row] for row in scene.rows]

    def _tile(self, tile: Tile) -> dict[str, Any]:
        """One object for all tiles alike: a long game has thousands of them."""
        found = self._tiles.get(tile)
        if found is None:
            if len(self._tiles) >= _MOST_TILES:
                self._tiles.clear()
            more = {"note": tile.note.strip(), "text": tile.label, "marked": tile.marked}
            found = self._tiles[tile] = {
                "ground": self._id(tile.ground),
                "piece": None if tile.piece is None else self._id(tile.piece),
                "label": _label(tile),
                **{name: value for name, value in more.items() if value},
            }
        return found

    def _id(self, thing: Ground | Piece) -> str:
        """Its name, with a number if something else is called the same."""
        with self._lock:
            if thing not in self._ids:
                name = re.sub(r"[^a-z0-9]+", "-", thing.name.lower()).strip("-") or "plain"
                numbered = (f"{name}-{number}" for number in count(2))
                own = next(one for one in chain([name], numbered) if one not in self._art)
                self._ids[thing] = own
                self._art[own] = {part: str(getattr(thing, part, "")) for part in _PARTS}
            return self._ids[thing]


def _label(tile: Tile) -> str:
    """What a screen reader says: the square's number, what stands on it, and in what."""
    number = f"square {tile.note.strip()}" if tile.note else ""
    piece = tile.piece.name if tile.piece else ""
    ground = "" if piece and tile.ground.mark in _PLAIN else tile.ground.name
    return ", ".join(filter(None, (number, piece, ground, tile.label)))


def text_of(data: dict[str, Any]) -> str:
    """A message for a socket: a tile that is on its boards many times is written once.

    Rows hold the numbers of their tiles then.

    >>> free = {"ground": "free", "piece": None, "label": "free"}
    >>> text_of({"type": "placed", "state": {"ply": 1, "rows": [[free, free]]}})
    ... # doctest: +NORMALIZE_WHITESPACE
    '{"type":"placed","state":{"ply":1,"rows":[[0,0]]},"tiles":[{"ground":"free","piece":null,"label":"free"}]}'
    """
    numbers: dict[int, int] = {}  # by identity, as all tiles alike are one object
    tiles: list[dict[str, Any]] = []

    def numbered(tile: dict[str, Any]) -> int:
        if id(tile) not in numbers:
            numbers[id(tile)] = len(tiles)
            tiles.append(tile)
        return numbers[id(tile)]

    def short(state: dict[str, Any]) -> dict[str, Any]:
        return {**state, "rows": [[numbered(tile) for tile in row] for row in state["rows"]]}

    told = dict(data)
    if "state" in told:
        told["state"] = short(told["state"])
    if "states" in told:
        told["states"] = [short(state) for state in told["states"]]
    return json.dumps({**told, "tiles": tiles} if tiles else told, separators=(",", ":"))


def scores(total: float, teams: Sequence[int]) -> list[float]:
    """Reward by team: what one wins the other loses."""
    return [total + 0.0, 0.0 - total] if len(set(teams)) > 1 else [total + 0.0]
