"""A game's face: what it looks like, what its sides and moves are called, where a visitor starts.

A game may have a ``LOOK``, an object of :class:`Look`; every field of it is optional. With it the
game is drawn, told and played in the terminal, in pictures and in the browser like any game that
comes with Sizeup. Without it a state is drawn as a table of its fields.

A scene is a grid of tiles on which pieces stand, and words. Nothing is told apart by colour alone:
every ground and piece has a mark of its own in text, and a shape or a letter in pictures.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from sizeup.errors import InvalidGame
from sizeup.games.contract import fields_of
from sizeup.words import one_line

__all__ = [
    "BLACK", "BLUE", "DARK", "GREEN", "GREY", "HEADING", "ORANGE", "PALE", "SAGE", "SAND", "SKY",
    "STOCK", "VERMILLION", "WHITE", "YELLOW", "Ground", "Limit", "Look", "Piece", "Row", "Scene",
    "Square", "Start", "Tile", "counts", "finite", "grid_scene", "look_of", "scene_of",
    "stock_tile",
]  # fmt: skip

# The colours of Okabe and Ito, which people with any colour vision can tell apart, and neutrals.
BLACK, WHITE = "#000000", "#FFFFFF"
ORANGE, YELLOW, VERMILLION = "#E69F00", "#F0E442", "#D55E00"
BLUE, SKY, GREEN = "#0072B2", "#56B4E9", "#009E73"
PALE, SAND, SAGE, GREY, DARK = "#F4F4F0", "#EFE6D2", "#A9C4B4", "#D5D5D5", "#4A4A4A"

Square: TypeAlias = tuple[int, int]
"""A place on the drawn board: its row from the top and its column from the left, from 0."""


@dataclass(frozen=True)
class Ground:
    """What a tile is made of; ``edge`` is what its text has on either side of the mark."""

    name: str
    fill: str = ""
    mark: str = " "
    edge: str = " "
    ink: str = BLACK
    shape: str = ""


@dataclass(frozen=True)
class Piece:
    """What stands on a tile: a ``mark`` in text, a ``shape`` with a letter (``sign``) in pictures.

    Shapes are ``"disc"``, ``"king"``, ``"stone"``, ``"avatar"``, ``"coin"``, ``"sprout"`` and
    ``"seed"``; any other is drawn as a disc.
    """

    name: str
    mark: str
    shape: str
    fill: str
    ink: str = BLACK
    sign: str = ""


@dataclass(frozen=True)
class Tile:
    """One place of the grid; ``note`` is small and in its corner, ``label`` in its middle."""

    ground: Ground
    piece: Piece | None = None
    note: str = ""
    label: str = ""
    marked: bool = False

    @property
    def name(self) -> str:
        """What a reader is told of this tile."""
        words = (self.note, self.piece.name if self.piece else "", self.ground.name, self.label)
        return ", ".join(word.strip() for word in words if word)

    @property
    def text(self) -> str:
        """What stands between the edges."""
        mark = self.piece.mark if self.piece else self.ground.mark
        return f"{mark}{self.note}" if not self.label else self.label


Row: TypeAlias = tuple[Tile, ...]


@dataclass(frozen=True)
class Scene:
    """A state as tiles and words; ``columns`` are the names of the columns, if they have any."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    over: str = "the game is over"
    chance: str = "chance decides"
    columns: tuple[str, ...] = ()


class Limit(NamedTuple):
    """A field of a game's parameters, whether its value is possible, and what was expected."""

    field: str
    holds: bool
    expected: str


@dataclass(frozen=True)
class Start:
    """Where a visitor starts, and how far agents may look.

    Parameters
    ----------
    types
        Depths that a partner considers possible.
    partner, opponent
        How far a visitor's partner and opponent look ahead.
    you
        Whether the visitor moves before or after the partner.
    deepest
        The deepest search that a page offers; one move of it takes about a second.
    light
        Depth of agents that answer at once, for learners' environments.
    """

    types: tuple[int, ...] = (2, 4)
    partner: int = 4
    opponent: int = 4
    you: Literal["first", "second"] = "second"
    deepest: int = 12
    light: int = 4


@dataclass(frozen=True, kw_only=True)
class Look:
    """How a game is shown and told; all of it is optional.

    Parameters
    ----------
    title
        What the game is called, if not by its name.
    about
        A paragraph for somebody who has never seen it.
    rules
        Its rules in a sentence or two.
    how_to_move
        What to click or press, if a list of moves does not make that plain.
    untold
        What agents are not told about it, such as when a match ends.
    sides
        Names of the two teams, such as ``("black", "white")``.
    seats
        Names of the players of one team, if each has something of its own.
    reward
        What the mean reward of a team is called in a report.
    won, drawn
        Why a game is over that somebody has won, or nobody.
    scene
        From (state, params) to a :class:`Scene`.
    grid, legend
        For a board of tiles, in place of a scene: from (state, params) to rows of letters, and what
        each letter is: a name from :data:`STOCK` (``"wall"``, ``"avatar"``, ``"coin"`` ...), any
        other name, or a :class:`Tile`. A dot is free ground.
    squares
        From (state, action, params) to the squares that an action touches: where the mover starts,
        every stop, and where it ends; one where something is put down.
    phrases
        Actions by their texts as a verb phrase, such as ``{"N": "move north"}``.
    keys
        Actions by their texts as arrow keys: ``"up"``, ``"right"``, ``"down"``, ``"left"`` or
        ``"stay"``.
    turned_for
        The team that sees the board upside down, so that its pieces are at the bottom.
    standing, hint
        From (state, params) to how things stand ("black 12, white 11"), and to what whoever moves
        should know ("a capture is mandatory"); an empty text if there is nothing to say.
    limits
        From params to the :class:`Limit` of each field: compiled rules trust their parameters, and
        a record may come from anywhere.
    start
        Where a visitor starts.

    Examples
    --------
    >>> look = Look(grid=lambda state, params: ["A.#"], legend={"A": "avatar", "#": "wall"})
    >>> [tile.name for tile in scene_of(look, None, None).rows[0]]
    ['avatar, free', 'free', 'wall']
    """

    title: str = ""
    about: str = ""
    rules: str = ""
    how_to_move: str = ""
    untold: str = ""
    sides: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    reward: str = "mean reward"
    won: str = "the game is over"
    drawn: str = "the game is over"
    scene: Callable[[Any, Any], Scene] | None = None
    grid: Callable[[Any, Any], Sequence[str]] | None = None
    legend: Mapping[str, str | Tile] = field(default_factory=dict)
    squares: Callable[[Any, int, Any], Sequence[Square]] | None = None
    phrases: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    turned_for: int | None = None
    standing: Callable[[Any, Any], str] | None = None
    hint: Callable[[Any, Any], str] | None = None
    limits: Callable[[Any], Iterable[Limit]] | None = None
    start: Start = Start()

    def phrase(self, action: str) -> str:
        """An action as a verb phrase: "move north", or else "play 11-15"."""
        return self.phrases.get(action, f"play {one_line(action)}")

    def side(self, team: int) -> str:
        """What a team is called: "white", or else "team 2"."""
        return self.sides[team] if team < len(self.sides) else f"team {team + 1}"


def look_of(game: types.ModuleType) -> Look:
    """The look of a game, or of the game beneath if its sides are seated; never without a title.

    >>> from sizeup.games import checkers
    >>> look_of(checkers).sides
    ('black', 'white')
    """
    while hasattr(game, "BASE"):
        game = game.BASE
    look = getattr(game, "LOOK", None)
    if look is None:
        look = Look()
    elif not isinstance(look, Look):
        raise InvalidGame(
            f"{game.INFO.name}: LOOK must be a Look (from sizeup.games.look), got {look!r}"
        )
    return look if look.title else replace(look, title=one_line(game.INFO.name))


FREE = Ground("free", PALE, ".", ink=DARK)
HEADING = Ground("")
_CELL = Ground("", PALE)

STOCK: dict[str, Ground | Piece] = {
    "free": FREE,
    "fire": Ground("fire", ORANGE, "^", "^", shape="flame"),
    "wall": Ground("wall", DARK, "#", "#", WHITE, "bricks"),
    "water": Ground("water", SKY, "~", "~"),
    "grass": Ground("grass", SAGE, ","),
    "avatar": Piece("avatar", "A", "avatar", BLUE, WHITE, "A"),
    "blue avatar": Piece("blue avatar", "B", "avatar", BLUE, WHITE, "B"),
    "red avatar": Piece("red avatar", "R", "avatar", VERMILLION, WHITE, "R"),
    "coin": Piece("coin", "o", "coin", YELLOW, sign="c"),
    "blue coin": Piece("blue coin", "b", "coin", BLUE, WHITE, "b"),
    "red coin": Piece("red coin", "r", "coin", VERMILLION, WHITE, "r"),
    "yellow stone": Piece("yellow stone", "X", "stone", YELLOW, sign="X"),
    "red stone": Piece("red stone", "O", "stone", VERMILLION, WHITE, "O"),
    "black man": Piece("black man", "b", "disc", "#1A1A1A", WHITE),
    "white man": Piece("white man", "w", "disc", WHITE),
}
"""Grounds and pieces by name, for the legends of grids."""


def scene_of(look: Look, state: Any, params: Any) -> Scene:
    """A state of a game as tiles and words; by default, one row for each field."""
    if look.scene is not None:
        return look.scene(state, params)
    if look.grid is not None:
        return grid_scene(look.grid(state, params), look.legend)
    return Scene(
        tuple(
            (Tile(HEADING, label=one_line(name)), Tile(_CELL, label=one_line(str(value))))
            for name, value in fields_of(state)
        )
    )


def grid_scene(
    rows: Sequence[str], legend: Mapping[str, str | Tile], notes: tuple[str, ...] = ()
) -> Scene:
    """A board of letters as a scene.

    >>> scene = grid_scene(["A.", ".x"], {"A": "avatar", "x": "trap"})
    >>> scene.rows[1][1].piece.shape, scene.rows[1][1].name
    ('disc', 'trap, free')
    """
    return Scene(tuple(tuple(_tile(letter, legend) for letter in row) for row in rows), notes)


def stock_tile(ground: str, piece: str | None = None) -> Tile:
    """A tile of grounds and pieces from the stock.

    >>> stock_tile("fire", "avatar").name
    'avatar, fire'
    """
    below, above = STOCK[ground], None if piece is None else STOCK[piece]
    assert isinstance(below, Ground)
    assert not isinstance(above, Ground)
    return Tile(below, above)


def _tile(letter: str, legend: Mapping[str, str | Tile]) -> Tile:
    meant = legend.get(letter, "free" if letter in ". " else letter)
    if isinstance(meant, Tile):
        return meant
    found = STOCK.get(meant) or Piece(meant, letter, "disc", GREY, sign=letter)
    if isinstance(found, Ground):
        return Tile(replace(found, mark=letter) if found is not FREE else found)
    return Tile(FREE, replace(found, mark=letter))


def finite(params: Any, *fields: str) -> Iterator[Limit]:
    """Limits of fields that may be any number."""
    for name in fields:
        yield Limit(name, math.isfinite(getattr(params, name)), "a number")


def counts(params: Any, *fields: str) -> Iterator[Limit]:
    """Limits of fields that count something."""
    for name in fields:
        yield Limit(name, getattr(params, name) >= 0, "a whole number of 0 or more")
