"""Pictures of states, for the terminal and as SVG; rules know nothing of them.

A drawer turns a state into a scene: a grid of tiles on which pieces stand, and words. One renderer
makes text of any scene, another makes SVG; neither knows a game. A game that is not ours is drawn
as a table of its state's fields. Nothing is told apart by colour alone: every ground and piece has
a mark of its own in the text, and a shape or a letter in the SVG.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, TERMINAL, View
from sizeup.games.harvest import MOST_GROWTH

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["Picture", "draw_svg", "draw_text"]

# The colours of Okabe and Ito, which people with any colour vision can tell apart, and neutrals.
_BLACK, _WHITE = "#000000", "#FFFFFF"
_ORANGE, _YELLOW, _VERMILLION = "#E69F00", "#F0E442", "#D55E00"
_BLUE, _SKY, _GREEN = "#0072B2", "#56B4E9", "#009E73"
_PALE, _SAND, _SAGE, _GREY, _DARK = "#F4F4F0", "#EFE6D2", "#A9C4B4", "#D5D5D5", "#4A4A4A"


@dataclass(frozen=True)
class _Ground:
    """What a tile is made of; ``edge`` is what its text has on either side of the mark."""

    name: str
    fill: str = ""
    mark: str = " "
    edge: str = " "
    ink: str = _BLACK
    shape: str = ""


@dataclass(frozen=True)
class _Piece:
    """What stands on a tile: a ``mark`` in text, a ``shape`` with a letter (``sign``) in SVG."""

    name: str
    mark: str
    shape: str
    fill: str
    ink: str = _BLACK
    sign: str = ""


@dataclass(frozen=True)
class _Tile:
    """One place of the grid; ``note`` is small and in its corner, ``label`` in its middle."""

    ground: _Ground
    piece: _Piece | None = None
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


_Row = tuple[_Tile, ...]


@dataclass(frozen=True)
class _Scene:
    """What a drawer makes of a state, without the question of whose turn it is."""

    rows: tuple[_Row, ...]
    sides: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    over: str = "the game is over"
    chance: str = "chance decides"


@dataclass(frozen=True)
class _Drawing:
    """What is drawn, in words and tiles: all that a renderer gets."""

    title: str
    rows: tuple[_Row, ...]
    caption: tuple[str, ...]


def draw_text(game: types.ModuleType, state: Any, params: Any = None) -> Text:
    """Draw a state for the terminal, in aligned columns that need no colour.

    Parameters
    ----------
    game
        A game of the contract; one that is not ours is drawn as a table.
    state
        A state of this game.
    params
        Its parameters, if they are not the default ones.

    Examples
    --------
    >>> from sizeup.games import wall_of_fire
    >>> params = wall_of_fire.board("S.FFC")
    >>> print(draw_text(wall_of_fire, wall_of_fire.State(2, 1, 1), params))
    wall-of-fire
     .  . ^A^^^^ o
    player 1 to move
    1 coin left
    . free  A avatar  ^ fire  o coin
    """
    return _text(_describe(game, state, params))


def draw_svg(game: types.ModuleType, state: Any, params: Any = None) -> str:
    """Draw a state as SVG, on a background of its own; the parameters of :func:`draw_text`.

    >>> from sizeup.games import connect_four
    >>> draw_svg(connect_four, connect_four.State(1, 0, 1))[:4]
    '<svg'
    """
    return _svg(_describe(game, state, params))


class Picture:
    """A state that shows itself: as SVG in a notebook, as text when printed.

    Parameters are those of :func:`draw_text`.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> print(Picture(connect_four, connect_four.State(0b1, 0b10, 0)))
    connect-four
     0  1  2  3  4  5  6
     .  .  .  .  .  .  .
     .  .  .  .  .  .  .
     .  .  .  .  .  .  .
     .  .  .  .  .  .  .
     O  .  .  .  .  .  .
     X  .  .  .  .  .  .
    X (player 0) to move
    . empty  O second side's stone  X first side's stone
    """

    def __init__(self, game: types.ModuleType, state: Any, params: Any = None) -> None:
        self._drawing = _describe(game, state, params)

    def __str__(self) -> str:
        return _text(self._drawing).plain

    def __rich__(self) -> Text:
        return _text(self._drawing)

    def _repr_svg_(self) -> str:
        return _svg(self._drawing)


# From a state to words and tiles.


def _describe(game: types.ModuleType, state: Any, params: Any) -> _Drawing:
    """Draw a game's state, or that of the game beneath if its sides are seated."""
    _require_state_of(game, state)
    params = game.INFO.params if params is None else params
    rules, inner, inner_params = game, state, params
    while _is_seated(rules):
        rules, inner, inner_params = rules.GAME, inner.base, inner_params.base
    scene = _drawer(rules)(inner, inner_params)
    turn = _turn(View(game, params), state, scene, seated=rules is not game)
    return _Drawing(_one_line(game.INFO.name), scene.rows, (turn, *scene.notes))


def _require_state_of(game: types.ModuleType, state: Any) -> None:
    expected, fields = game.State._fields, getattr(state, "_fields", None)
    if fields != expected:
        raise InvalidInput(
            f"a state of {game.INFO.name} has the fields {', '.join(expected)}; got {state!r}"
        )


def _is_seated(game: types.ModuleType) -> bool:
    return hasattr(game, "GAME") and "base" in game.State._fields


def _drawer(game: types.ModuleType) -> Callable[[Any, Any], _Scene]:
    """By the module and not by ``INFO.name``: a user's variant may go by the name of ours."""
    room, _, name = game.__name__.rpartition(".")
    return _DRAWERS.get(name, _table) if room == __package__ else _table


def _turn(view: View, state: Any, scene: _Scene, seated: bool) -> str:
    """Whose turn it is, or why it is nobody's."""
    actor = view.actor(state)
    if actor == TERMINAL:
        return scene.over
    if actor == CHANCE:
        return scene.chance
    if not scene.sides:
        return f"player {actor} to move"
    side = view.teams[actor] if seated else actor
    return f"{scene.sides[side]} (player {actor}) to move"


def _one_line(text: str) -> str:
    """Without line breaks, which would spoil columns, and what XML does not allow."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


_HEADING = _Ground("")
_CELL = _Ground("", _PALE)
_LIGHT_SQUARE = _Ground("light square", _SAND)
_DARK_SQUARE = _Ground("dark square", _SAGE)
_HOLE = _Ground("empty", _BLUE, ".", ink=_WHITE, shape="hole")
_FREE = _Ground("free", _PALE, ".", ink=_DARK)
_FIRE = _Ground("fire", _ORANGE, "^", "^", shape="flame")
_WALL = _Ground("wall", _DARK, "#", "#", _WHITE, "bricks")
_PAST = _Ground("past", _GREY)
_SKIES = _Ground("to come", _SKY)
_SOIL = _Ground("bare soil", _SAND, ".", ink=_DARK)

_BLACK_MAN = _Piece("black man", "b", "disc", "#1A1A1A", _WHITE)
_BLACK_KING = _Piece("black king", "B", "king", "#1A1A1A", _WHITE)
_WHITE_MAN = _Piece("white man", "w", "disc", _WHITE)
_WHITE_KING = _Piece("white king", "W", "king", _WHITE)
_FIRST_STONE = _Piece("first side's stone", "X", "stone", _YELLOW, sign="X")
_SECOND_STONE = _Piece("second side's stone", "O", "stone", _VERMILLION, _WHITE, "O")
_AVATAR = _Piece("avatar", "A", "avatar", _BLUE, _WHITE, "A")
_BLUE_AVATAR = _Piece("blue avatar", "B", "avatar", _BLUE, _WHITE, "B")
_RED_AVATAR = _Piece("red avatar", "R", "avatar", _VERMILLION, _WHITE, "R")
_COIN = _Piece("coin", "o", "coin", _YELLOW, sign="c")
_BLUE_COIN = _Piece("blue coin", "b", "coin", _BLUE, _WHITE, "b")
_RED_COIN = _Piece("red coin", "r", "coin", _VERMILLION, _WHITE, "r")
_SPROUT = _Piece("grown", "Y", "sprout", _GREEN, _WHITE)
_SEED = _Piece("sown", "s", "seed", _DARK, _WHITE)


def _table(state: Any, params: Any) -> _Scene:
    """Any state at all: one row for each field."""
    return _Scene(
        tuple(
            (_Tile(_HEADING, label=_one_line(name)), _Tile(_CELL, label=_one_line(str(value))))
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


def _checkers(state: Any, params: Any) -> _Scene:
    """The diagram of the books: square 1 on top, white at the bottom."""
    rows = tuple(
        tuple(_checkers_tile(state, row, column) for column in range(8)) for row in range(8)
    )
    sides = ("black", "white")
    return _Scene(rows, sides, over=f"{sides[1 - state.side]} has won")


def _checkers_tile(state: Any, row: int, column: int) -> _Tile:
    if (row + column) % 2 == 0:
        return _Tile(_LIGHT_SQUARE)
    bit = 4 * row + column // 2
    piece = None
    if state.black >> bit & 1:
        piece = _BLACK_KING if state.kings >> bit & 1 else _BLACK_MAN
    elif state.white >> bit & 1:
        piece = _WHITE_KING if state.kings >> bit & 1 else _WHITE_MAN
    return _Tile(_DARK_SQUARE, piece, note=f"{bit + 1:2}")


def _connect_four(state: Any, params: Any) -> _Scene:
    """Columns carry the number of their action; a row of four is marked."""
    four = _four_in_a_row(state.first) | _four_in_a_row(state.second)
    head = tuple(_Tile(_HEADING, label=str(column)) for column in range(7))
    rows = tuple(
        tuple(_connect_four_tile(state, four, 7 * column + level) for column in range(7))
        for level in reversed(range(6))
    )
    sides = ("X", "O")
    over = f"{sides[1 - state.side]} has won" if four else "a draw"
    return _Scene((head, *rows), sides, over=over)


def _connect_four_tile(state: Any, four: int, bit: int) -> _Tile:
    piece = None
    if state.first >> bit & 1:
        piece = _FIRST_STONE
    elif state.second >> bit & 1:
        piece = _SECOND_STONE
    return _Tile(_HOLE, piece, marked=bool(four >> bit & 1))


def _four_in_a_row(stones: int) -> int:
    """Those stones that are part of four in a row."""
    found = 0
    for step in (1, 6, 7, 8):
        ends = stones & stones >> step & stones >> 2 * step & stones >> 3 * step
        found |= ends | ends << step | ends << 2 * step | ends << 3 * step
    return found


def _wall_of_fire(state: Any, params: Any) -> _Scene:
    tiles = [
        _Tile(_FIRE if params.fire[at] else _FREE, _wall_of_fire_piece(state, params, at))
        for at in range(params.width * params.height)
    ]
    return _Scene(_in_rows(tiles, params.width), notes=(_coins_left(state.coins),))


def _wall_of_fire_piece(state: Any, params: Any, at: int) -> _Piece | None:
    if at == state.at:
        return _AVATAR
    return _COIN if _has_coin(state, params, at) else None


def _narrow_tunnel(state: Any, params: Any) -> _Scene:
    tiles = [
        _Tile(_WALL if params.wall[at] else _FREE, _narrow_tunnel_piece(state, params, at))
        for at in range(params.width * params.height)
    ]
    red = state.coins & params.red_coins
    notes = (_coins_left(red, "red "), _coins_left(state.coins ^ red, "blue "))
    return _Scene(_in_rows(tiles, params.width), ("blue", "red"), (", ".join(notes),))


def _narrow_tunnel_piece(state: Any, params: Any, at: int) -> _Piece | None:
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


def _in_rows(tiles: Sequence[_Tile], width: int) -> tuple[_Row, ...]:
    return tuple(tuple(tiles[at : at + width]) for at in range(0, len(tiles), width))


_TURNS_SHOWN = 12  # as many as an ordinary terminal has room for


def _harvest(state: Any, params: Any) -> _Scene:
    """The chance of rain on the turns around this one, and the field under them."""
    season, now = len(params.rain), state.turn - state.sown
    first = max(0, min(now - _TURNS_SHOWN // 2, season - _TURNS_SHOWN))
    shown = range(first, min(first + _TURNS_SHOWN, season))
    rows = (
        _labelled("turn", (_Tile(_HEADING, label=str(turn + 1)) for turn in shown)),
        _labelled("rain", (_weather(turn, now, params.rain[turn]) for turn in shown)),
        (_Tile(_HEADING),),  # the field has nothing to do with the turns above it
        _labelled("field", (_furrow(step, state) for step in range(MOST_GROWTH))),
    )
    notes = f"turn {min(now + 1, season)} of {season}, growth {state.growth} of {MOST_GROWTH}"
    chance = "the weather decides whether what is sown grows"
    return _Scene(rows, notes=(notes,), over="the season is over", chance=chance)


def _labelled(label: str, tiles: Iterator[_Tile]) -> _Row:
    return (_Tile(_HEADING, label=label), *tiles)


def _weather(turn: int, now: int, rain: float) -> _Tile:
    ground = _PAST if turn < now else _SKIES
    return _Tile(ground, label=f"{rain:.0%}", marked=turn == now)


def _furrow(step: int, state: Any) -> _Tile:
    """One step of growth: grown, sown and waiting for rain, or bare."""
    if step < state.growth:
        return _Tile(_SOIL, _SPROUT)
    return _Tile(_SOIL, _SEED if state.sown and step == state.growth else None)


_DRAWERS: dict[str, Callable[[Any, Any], _Scene]] = {
    "checkers": _checkers,
    "connect_four": _connect_four,
    "harvest": _harvest,
    "narrow_tunnel": _narrow_tunnel,
    "wall_of_fire": _wall_of_fire,
}


# From words and tiles to text.


def _text(drawing: _Drawing) -> Text:
    """Title, one line for each row, caption and legend, all of one width."""
    from rich.text import Text

    columns = zip_longest(*drawing.rows)
    widths = [max(len(tile.text) for tile in column if tile) for column in columns]
    lines = [
        Text(drawing.title, style="bold"),
        *(_text_row(row, widths) for row in drawing.rows),
        *(Text(line) for line in (*drawing.caption, _legend(drawing)) if line),
    ]
    width = max(line.cell_len for line in lines)
    for line in lines:
        line.pad_right(width - line.cell_len)
    return Text("\n", no_wrap=True).join(lines)


def _text_row(row: _Row, widths: Sequence[int]) -> Text:
    from rich.text import Text

    line = Text()
    for tile, width in zip(row, widths, strict=False):  # a row may be short
        ground, middle = tile.ground, tile.text.center(width, tile.ground.edge)
        style = f"{ground.ink} on {ground.fill}" if ground.fill else ""
        piece = f"bold {tile.piece.ink} on {tile.piece.fill}" if tile.piece else style
        left, right = ("[", "]") if tile.marked else (ground.edge, ground.edge)
        line.append(left, style).append(middle, piece).append(right, style)
    return line


def _legend(drawing: _Drawing) -> str:
    """What each mark on the board means, in the order in which they appear."""
    things = [tile.piece or tile.ground for row in drawing.rows for tile in row if not tile.label]
    names = {thing.mark: thing.name for thing in things if thing.mark.strip()}
    return "  ".join(f"{mark} {name}" for mark, name in names.items())


# From words and tiles to SVG.

_SIZE = 48  # side of a tile; shapes are drawn around its middle
_HEADING_HEIGHT = 26
_LINE = 22
_MARGIN = 14
_LETTER, _BOLD = 8.6, 12  # rough widths of a letter, for what must not be cut off

_DISC = '<circle r="15.5" fill="{fill}" stroke="#777777"/>'
_FLAME = (
    '<path d="M1-21C3-12 14-7 14 6A14 14 0 0 1-14 6C-14-1-10-5-8-11C-6-8-5-7-3-6'
    f'C-4-12-2-17 1-21Z" fill="{_VERMILLION}" stroke="{_ORANGE}"/>'
    f'<path d="M1-4C2 1 8 4 8 10A7.5 7.5 0 0 1-7 10C-7 5-1 3 1-4Z" fill="{_YELLOW}"/>'
)
_SHAPES = {
    "hole": f'<circle r="19" fill="{_PALE}" stroke="{_BLACK}" stroke-opacity=".4"/>',
    "flame": "".join(  # three of them, so that some are seen beside whoever stands in the fire
        f'<g transform="translate({place}) scale({scale})">{_FLAME}</g>'
        for place, scale in (("-14 -5", 0.75), ("14 -5", 0.75), ("0 2", 1))
    ),
    "bricks": (
        f'<path d="M-24-8H24M-24 8H24M-8-24V-8M16-24V-8M-16-8V8M8-8V8M-8 8V24M16 8V24" '
        f'stroke="{_GREY}" stroke-width="2"/>'
    ),
    "disc": f'{_DISC}<circle r="11" fill="none" stroke="{{ink}}" stroke-width="1.5"/>',
    "king": f'{_DISC}<path d="M-10 8V-6L-5 0L0-9L5 0L10-6V8Z" fill="{_ORANGE}" stroke="{{ink}}"/>',
    "stone": '<circle r="19" fill="{fill}" stroke="#000000" stroke-opacity=".5"/>',
    "avatar": (
        '<g fill="{fill}" stroke="{ink}" stroke-width="2">'
        '<path d="M-17 21C-17 4-10-4 0-4C10-4 17 4 17 21Z"/><circle cy="-11" r="9"/></g>'
    ),
    "coin": (
        '<circle r="14" fill="{fill}" stroke="{ink}" stroke-width="1.5"/>'
        '<circle r="11" fill="none" stroke="{ink}" stroke-width=".8"/>'
    ),
    "sprout": (
        '<path d="M0 18V-4" stroke="{fill}" stroke-width="4"/>'
        '<path d="M0 4C-4-8-11-11-18-11C-17-2-10 4 0 4ZM0-3C2-13 9-18 17-18C17-9 10-3 0-3Z" '
        'fill="{fill}"/>'
    ),
    "seed": '<ellipse cy="9" rx="9" ry="6" fill="{fill}" stroke="{ink}"/>',
}
_SIGN_DROP = {"avatar": 11}  # its letter stands on the chest


def _svg(drawing: _Drawing) -> str:
    """Title, grid and caption below one another, on a background that suits any page."""
    widths = [_column_width(column) for column in zip_longest(*drawing.rows)]
    words = max(len(drawing.title) * _BOLD, *(len(line) * _LETTER for line in drawing.caption))
    width = round(max(sum(widths), words)) + 2 * _MARGIN
    top = _MARGIN + _LINE + 6
    bottom = top + sum(_row_height(row) for row in drawing.rows)
    height = bottom + 8 + _LINE * len(drawing.caption) + _MARGIN
    lines = enumerate(drawing.caption)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img" '
            'font-family="DejaVu Sans, Verdana, Helvetica, sans-serif">',
            f"<title>{escape('; '.join((drawing.title, *drawing.caption)))}</title>",
            f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" '
            f'fill="{_WHITE}" stroke="{_GREY}"/>',
            _svg_line(drawing.title, _MARGIN + 16, 'font-size="17" font-weight="bold"'),
            *_svg_tiles(drawing.rows, widths, top),
            *(_svg_line(line, bottom + 24 + _LINE * n, 'font-size="14"') for n, line in lines),
            "</svg>",
        )
    )


def _column_width(column: Sequence[_Tile | None]) -> float:
    longest = max(len(tile.label) for tile in column if tile)
    return max(_SIZE, longest * _LETTER + 16)


def _row_height(row: _Row) -> int:
    return _HEADING_HEIGHT if all(tile.ground is _HEADING for tile in row) else _SIZE


def _svg_line(words: str, y: float, style: str) -> str:
    return f'<text x="{_MARGIN}" y="{y}" fill="{_BLACK}" {style}>{escape(words)}</text>'


def _svg_tiles(rows: Sequence[_Row], widths: Sequence[float], top: float) -> Iterator[str]:
    y = top
    for row in rows:
        x, height = float(_MARGIN), _row_height(row)
        for tile, width in zip(row, widths, strict=False):  # a row may be short
            middle = f'transform="translate({x + width / 2:g} {y + height / 2:g})"'
            yield f"<g {middle}>{''.join(_svg_tile(tile, width, height))}</g>"
            x += width
        y += height


def _svg_tile(tile: _Tile, width: float, height: float) -> Iterator[str]:
    """A tile around the origin; hovering over it tells what it is."""
    ground, piece = tile.ground, tile.piece
    if tile.name:
        yield f"<title>{escape(tile.name)}</title>"
    if ground.fill:
        yield _svg_box(width, height, f'fill="{ground.fill}" stroke="{_DARK}" stroke-width=".5"')
    yield _SHAPES.get(ground.shape, "")
    if piece:
        yield _SHAPES[piece.shape].format(fill=piece.fill, ink=piece.ink)
        yield _svg_letters(piece.sign, 0, _SIGN_DROP.get(piece.shape, 0), 15, piece.ink)
    yield _svg_letters(tile.note.strip(), 9 - width / 2, 7 - height / 2, 9, ground.ink)
    yield _svg_letters(tile.label, 0, 0, 14, ground.ink)
    if tile.marked:
        frame = 'fill="none" stroke="{}" stroke-width="{}"'
        yield _svg_box(width - 5, height - 5, frame.format(_BLACK, 5))
        yield _svg_box(width - 5, height - 5, frame.format(_WHITE, 2))


def _svg_box(width: float, height: float, style: str) -> str:
    place = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}"'
    return f"<rect {place} {style}/>"


def _svg_letters(words: str, x: float, y: float, size: int, ink: str) -> str:
    if not words:
        return ""
    place = f'x="{x:g}" y="{y:g}" dy=".36em" text-anchor="middle"'
    return f'<text {place} font-size="{size}" fill="{ink}">{escape(words)}</text>'
