"""What each game looks like: one function per game makes a scene, tiles and words, of a state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sizeup.games.checkers import board_of
from sizeup.games.connect_four import COLUMNS, four_in_a_row
from sizeup.games.harvest import MOST_GROWTH

__all__ = [
    "BLACK",
    "BLUE",
    "DARK",
    "GREEN",
    "GREY",
    "HEADING",
    "ORANGE",
    "PALE",
    "SAGE",
    "SAND",
    "SKY",
    "VERMILLION",
    "WHITE",
    "YELLOW",
    "Drawing",
    "Ground",
    "Piece",
    "Row",
    "Scene",
    "Tile",
    "checkers",
    "connect_four",
    "harvest",
    "narrow_tunnel",
    "one_line",
    "table",
    "wall_of_fire",
]

# The colours of Okabe and Ito, which people with any colour vision can tell apart, and neutrals.
BLACK, WHITE = "#000000", "#FFFFFF"
ORANGE, YELLOW, VERMILLION = "#E69F00", "#F0E442", "#D55E00"
BLUE, SKY, GREEN = "#0072B2", "#56B4E9", "#009E73"
PALE, SAND, SAGE, GREY, DARK = "#F4F4F0", "#EFE6D2", "#A9C4B4", "#D5D5D5", "#4A4A4A"


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
    """What stands on a tile: a ``mark`` in text, a ``shape`` with a letter (``sign``) in SVG."""

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


Row = tuple[Tile, ...]


@dataclass(frozen=True)
class Scene:
    """What a drawer makes of a state, without the question of whose turn it is."""

    rows: tuple[Row, ...]
    sides: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    over: str = "the game is over"
    chance: str = "chance decides"


@dataclass(frozen=True)
class Drawing:
    """What is drawn, in words and tiles: all that a renderer gets."""

    title: str
    rows: tuple[Row, ...]
    caption: tuple[str, ...]


HEADING = Ground("")
_CELL = Ground("", PALE)
_LIGHT_SQUARE = Ground("light square", SAND)
_DARK_SQUARE = Ground("dark square", SAGE)
_HOLE = Ground("empty", BLUE, ".", ink=WHITE, shape="hole")
_FREE = Ground("free", PALE, ".", ink=DARK)
_FIRE = Ground("fire", ORANGE, "^", "^", shape="flame")
_WALL = Ground("wall", DARK, "#", "#", WHITE, "bricks")
_PAST = Ground("past", GREY)
_SKIES = Ground("to come", SKY)
_SOIL = Ground("bare soil", SAND, ".", ink=DARK)

_BLACK_MAN = Piece("black man", "b", "disc", "#1A1A1A", WHITE)
_BLACK_KING = Piece("black king", "B", "king", "#1A1A1A", WHITE)
_WHITE_MAN = Piece("white man", "w", "disc", WHITE)
_WHITE_KING = Piece("white king", "W", "king", WHITE)
_FIRST_STONE = Piece("first side's stone", "X", "stone", YELLOW, sign="X")
_SECOND_STONE = Piece("second side's stone", "O", "stone", VERMILLION, WHITE, "O")
_AVATAR = Piece("avatar", "A", "avatar", BLUE, WHITE, "A")
_BLUE_AVATAR = Piece("blue avatar", "B", "avatar", BLUE, WHITE, "B")
_RED_AVATAR = Piece("red avatar", "R", "avatar", VERMILLION, WHITE, "R")
_COIN = Piece("coin", "o", "coin", YELLOW, sign="c")
_BLUE_COIN = Piece("blue coin", "b", "coin", BLUE, WHITE, "b")
_RED_COIN = Piece("red coin", "r", "coin", VERMILLION, WHITE, "r")
_SPROUT = Piece("grown", "Y", "sprout", GREEN, WHITE)
_SEED = Piece("sown", "s", "seed", DARK, WHITE)


def table(state: Any, params: Any) -> Scene:
    """Any state at all: one row for each field."""
    return Scene(
        tuple(
            (Tile(HEADING, label=one_line(name)), Tile(_CELL, label=one_line(str(value))))
            for name, value in _fields(state)
        )
    )


def _fields(state: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Names and values of a tuple's fields, and of the tuples in it."""
    for name, value in zip(state._fields, state, strict=True):
        if hasattr(value, "_fields"):
            yield from _fields(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def one_line(text: str) -> str:
    """Without line breaks, which would spoil columns, and what XML does not allow."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def checkers(state: Any, params: Any) -> Scene:
    """The diagram of the books: square 1 on top, white at the bottom."""
    rows = tuple(
        tuple(_checkers_tile(state, row, column) for column in range(8)) for row in range(8)
    )
    sides = ("black", "white")
    return Scene(rows, sides, over=f"{sides[1 - state.side]} has won")


def _checkers_tile(state: Any, row: int, column: int) -> Tile:
    if (row + column) % 2 == 0:
        return Tile(_LIGHT_SQUARE)
    square = 4 * row + column // 2 + 1
    bit = board_of([square])
    piece = None
    if state.black & bit:
        piece = _BLACK_KING if state.kings & bit else _BLACK_MAN
    elif state.white & bit:
        piece = _WHITE_KING if state.kings & bit else _WHITE_MAN
    return Tile(_DARK_SQUARE, piece, note=f"{square:2}")


def connect_four(state: Any, params: Any) -> Scene:
    """Columns carry the name of their action; a row of four is marked."""
    four = four_in_a_row(state.first) | four_in_a_row(state.second)
    head = tuple(Tile(HEADING, label=column) for column in COLUMNS)
    rows = tuple(
        tuple(_connect_four_tile(state, four, 7 * column + level) for column in range(7))
        for level in reversed(range(6))
    )
    sides = ("X", "O")
    over = f"{sides[1 - state.side]} has won" if four else "a draw"
    return Scene((head, *rows), sides, over=over)


def _connect_four_tile(state: Any, four: int, bit: int) -> Tile:
    piece = None
    if state.first >> bit & 1:
        piece = _FIRST_STONE
    elif state.second >> bit & 1:
        piece = _SECOND_STONE
    return Tile(_HOLE, piece, marked=bool(four >> bit & 1))


def wall_of_fire(state: Any, params: Any) -> Scene:
    """The board, with the one avatar and the coins that are left."""
    tiles = [
        Tile(_FIRE if params.fire[at] else _FREE, _wall_of_fire_piece(state, params, at))
        for at in range(params.width * params.height)
    ]
    return Scene(_in_rows(tiles, params.width), notes=(_coins_left(state.coins),))


def _wall_of_fire_piece(state: Any, params: Any, at: int) -> Piece | None:
    if at == state.at:
        return _AVATAR
    return _COIN if _has_coin(state, params, at) else None


def narrow_tunnel(state: Any, params: Any) -> Scene:
    """The board, with an avatar for each side and the coins that are left."""
    tiles = [
        Tile(_WALL if params.wall[at] else _FREE, _narrow_tunnel_piece(state, params, at))
        for at in range(params.width * params.height)
    ]
    red = state.coins & params.red_coins
    notes = (_coins_left(red, "red "), _coins_left(state.coins ^ red, "blue "))
    return Scene(_in_rows(tiles, params.width), ("blue", "red"), (", ".join(notes),))


def _narrow_tunnel_piece(state: Any, params: Any, at: int) -> Piece | None:
    if at in (state.blue, state.red):
        return _BLUE_AVATAR if at == state.blue else _RED_AVATAR
    if not _has_coin(state, params, at):
        return None
    return _RED_COIN if params.red_coins >> int(params.coin[at]) & 1 else _BLUE_COIN


def _has_coin(state: Any, params: Any, at: int) -> bool:
    number = int(params.coin[at])
    return number >= 0 and bool(state.coins >> number & 1)


def _coins_left(coins: int, colour: str = "") -> str:
    count = int(coins).bit_count()
    return f"{count} {colour}coin{'' if count == 1 else 's'} left"


def _in_rows(tiles: Sequence[Tile], width: int) -> tuple[Row, ...]:
    return tuple(tuple(tiles[at : at + width]) for at in range(0, len(tiles), width))


_TURNS_SHOWN = 12  # as many as an ordinary terminal has room for


def harvest(state: Any, params: Any) -> Scene:
    """The chance of rain on the turns around this one, and the field under them."""
    season, now = len(params.rain), state.turn - state.sown
    first = max(0, min(now - _TURNS_SHOWN // 2, season - _TURNS_SHOWN))
    shown = range(first, min(first + _TURNS_SHOWN, season))
    rows = (
        _labelled("turn", (Tile(HEADING, label=str(turn + 1)) for turn in shown)),
        _labelled("rain", (_weather(turn, now, params.rain[turn]) for turn in shown)),
        (Tile(HEADING),),  # the field has nothing to do with the turns above it
        _labelled("field", (_furrow(step, state) for step in range(MOST_GROWTH))),
    )
    notes = f"turn {min(now + 1, season)} of {season}, growth {state.growth} of {MOST_GROWTH}"
    chance = "the weather decides whether what is sown grows"
    return Scene(rows, notes=(notes,), over="the season is over", chance=chance)


def _labelled(label: str, tiles: Iterator[Tile]) -> Row:
    return (Tile(HEADING, label=label), *tiles)


def _weather(turn: int, now: int, rain: float) -> Tile:
    ground = _PAST if turn < now else _SKIES
    return Tile(ground, label=f"{rain:.0%}", marked=turn == now)


def _furrow(step: int, state: Any) -> Tile:
    """One step of growth: grown, sown and waiting for rain, or bare."""
    if step < state.growth:
        return Tile(_SOIL, _SPROUT)
    return Tile(_SOIL, _SEED if state.sown and step == state.growth else None)
