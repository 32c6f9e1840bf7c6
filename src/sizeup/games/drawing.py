"""Pictures of states: text for the terminal, and SVG.

Both are made of what a game's look says of a state (:mod:`sizeup.games.look`), and neither knows a
game.
"""

from __future__ import annotations

import traceback
import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from sizeup.errors import InvalidGame, InvalidInput
from sizeup.games import look as palette
from sizeup.games.contract import CHANCE, TERMINAL, View, is_integer
from sizeup.games.look import HEADING, Look, Row, Scene, Start, Tile, look_of, scene_of
from sizeup.words import one_line

if TYPE_CHECKING:
    from rich.text import Text

__all__ = [
    "Drawing", "Picture", "check_look", "describe", "draw_svg", "draw_text", "seat_name", "svg_of",
    "text_of", "tile_svg",
]  # fmt: skip


@dataclass(frozen=True)
class Drawing:
    """What is drawn, in words and tiles: all that a renderer gets."""

    title: str
    rows: tuple[Row, ...]
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
    >>> print(draw_text(wall_of_fire, wall_of_fire.WallOfFireState(2, 1, 1), params))
    wall-of-fire
     .  . ^A^^^^ o
    player 1 to move
    1 coin left
    . free  A avatar  ^ fire  o coin
    """
    return text_of(describe(game, state, params))


def draw_svg(game: types.ModuleType, state: Any, params: Any = None) -> str:
    """Draw a state as SVG, on a background of its own; the parameters of :func:`draw_text`.

    >>> from sizeup.games import connect_four
    >>> draw_svg(connect_four, connect_four.FourInARowState(1, 0, 1))[:4]
    '<svg'
    """
    return svg_of(describe(game, state, params))


class Picture:
    """A state that shows itself: as SVG in a notebook, as text when printed.

    Parameters are those of :func:`draw_text`.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> print(Picture(connect_four, connect_four.FourInARowState(0b1, 0b10, 0)))
    connect-four
     a  b  c  d  e  f  g
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
        self._drawing = describe(game, state, params)

    def __str__(self) -> str:
        return text_of(self._drawing).plain

    def __rich__(self) -> Text:
        return text_of(self._drawing)

    def _repr_svg_(self) -> str:
        return svg_of(self._drawing)


def describe(game: types.ModuleType, state: Any, params: Any = None) -> Drawing:
    """What is to be drawn, for whoever draws in a way of their own; see :func:`draw_text`.

    Of a game whose sides are seated it is the game beneath.

    >>> from sizeup.games import connect_four
    >>> describe(connect_four, connect_four.FourInARowState(0b1, 0, 1)).caption
    ('O (player 1) to move',)
    """
    view = View(game, params)
    expected, fields = view.start()._fields, getattr(state, "_fields", None)
    if fields != expected:
        raise InvalidInput(
            f"a state of {game.INFO.name} has the fields {', '.join(expected)}; got {state!r}"
        )
    scene = scene_of(look_of(game), view.base_state(state), view.base.params)
    heads = (tuple(Tile(HEADING, label=name) for name in scene.columns),) if scene.columns else ()
    return Drawing(
        one_line(game.INFO.name), (*heads, *scene.rows), (_turn(view, state, scene), *scene.notes)
    )


def _turn(view: View, state: Any, scene: Scene) -> str:
    """Whose turn it is, or why it is nobody's."""
    actor = view.actor(state)
    if actor == TERMINAL:
        return scene.over
    if actor == CHANCE:
        return scene.chance
    name = seat_name(view, actor)
    return f"{name} (player {actor}) to move" if name else f"player {actor} to move"


def seat_name(view: View, player: int) -> str:
    """What a player has that others have not: its side, or something of its own; or nothing."""
    look = look_of(view.game)
    if len(set(view.teams)) > 1:
        return look.sides[view.teams[player]] if look.sides else ""
    has_own = view.base is view or hasattr(view.base.game, "with_players")
    return look.seats[player] if look.seats and has_own else ""


def text_of(drawing: Drawing) -> Text:
    """Title, one line for each row, caption and legend, all of one width."""
    from rich.text import Text

    columns = zip_longest(*drawing.rows)
    widths = [max(len(tile.text) for tile in column if tile) for column in columns]
    lines = [
        Text(drawing.title, style="bold"),
        *(Text.assemble(*_styled(row, widths)) for row in drawing.rows),
        *(Text(line) for line in (*drawing.caption, _legend(drawing)) if line),
    ]
    width = max(line.cell_len for line in lines)
    for line in lines:
        line.pad_right(width - line.cell_len)
    return Text("\n", no_wrap=True).join(lines)


def _styled(row: Row, widths: Sequence[int]) -> Iterator[tuple[str, str]]:
    """A row as pieces of text, each with its style."""
    for tile, width in zip(row, widths, strict=False):  # a row may be short
        ground, middle = tile.ground, tile.text.center(width, tile.ground.edge)
        style = f"{ground.ink} on {ground.fill}" if ground.fill else ""
        piece = f"bold {tile.piece.ink} on {tile.piece.fill}" if tile.piece else style
        left, right = ("[", "]") if tile.marked else (ground.edge, ground.edge)
        yield from ((left, style), (middle, piece), (right, style))


def _legend(drawing: Drawing) -> str:
    """What each mark on the board means, in the order in which they appear."""
    things = [tile.piece or tile.ground for row in drawing.rows for tile in row if not tile.label]
    names = {thing.mark: thing.name for thing in things if thing.mark.strip()}
    return "  ".join(f"{mark} {name}" for mark, name in names.items())


_SIZE = 48  # side of a tile; shapes are drawn around its middle
_HEADING_HEIGHT = 26
_LINE = 22
_MARGIN = 14
_LETTER, _BOLD = 8.6, 12  # rough widths of a letter, for what must not be cut off

_DISC = '<circle r="15.5" fill="{fill}" stroke="#777777"/>'
_FLAME = (
    '<path d="M1-21C3-12 14-7 14 6A14 14 0 0 1-14 6C-14-1-10-5-8-11C-6-8-5-7-3-6'
    f'C-4-12-2-17 1-21Z" fill="{palette.VERMILLION}" stroke="{palette.ORANGE}"/>'
    f'<path d="M1-4C2 1 8 4 8 10A7.5 7.5 0 0 1-7 10C-7 5-1 3 1-4Z" fill="{palette.YELLOW}"/>'
)
_SHAPES = {
    "hole": f'<circle r="19" fill="{palette.PALE}" stroke="{palette.BLACK}" stroke-opacity=".4"/>',
    "flame": "".join(  # three of them, so that some are seen beside whoever stands in the fire
        f'<g transform="translate({place}) scale({scale})">{_FLAME}</g>'
        for place, scale in (("-14 -5", 0.75), ("14 -5", 0.75), ("0 2", 1))
    ),
    "bricks": (
        f'<path d="M-24-8H24M-24 8H24M-8-24V-8M16-24V-8M-16-8V8M8-8V8M-8 8V24M16 8V24" '
        f'stroke="{palette.GREY}" stroke-width="2"/>'
    ),
    "disc": f'{_DISC}<circle r="11" fill="none" stroke="{{ink}}" stroke-width="1.5"/>',
    "king": (
        f'{_DISC}<path d="M-10 8V-6L-5 0L0-9L5 0L10-6V8Z" fill="{palette.ORANGE}" '
        'stroke="{ink}"/>'
    ),
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


def svg_of(drawing: Drawing) -> str:
    """Title, grid and caption below one another."""
    columns = zip_longest(*drawing.rows)
    longest = [max(len(tile.label) for tile in column if tile) for column in columns]
    widths = [max(_SIZE, letters * _LETTER + 16) for letters in longest]
    words = max(len(drawing.title) * _BOLD, *(len(line) * _LETTER for line in drawing.caption))
    width = round(max(sum(widths), words)) + 2 * _MARGIN
    top = _MARGIN + _LINE + 6
    bottom = top + sum(_row_height(row) for row in drawing.rows)
    height = bottom + 8 + _LINE * len(drawing.caption) + _MARGIN
    lines = enumerate(drawing.caption)
    parts = (
        _svg_line(drawing.title, _MARGIN + 16, 'font-size="17" font-weight="bold"'),
        *_svg_tiles(drawing.rows, widths, top),
        *(_svg_line(line, bottom + 24 + _LINE * n, 'font-size="14"') for n, line in lines),
    )
    return svg_page("; ".join((drawing.title, *drawing.caption)), width, height, parts)


def svg_page(title: str, width: int, height: int, parts: Iterable[str], style: str = "") -> str:
    """Parts of a picture as one of its own, on a background that suits any page."""
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img" '
            f'font-family="DejaVu Sans, Verdana, Helvetica, sans-serif"{style}>',
            f"<title>{escape(title)}</title>",
            f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" '
            f'fill="{palette.WHITE}" stroke="{palette.GREY}"/>',
            *parts,
            "</svg>",
        )
    )


def _row_height(row: Row) -> int:
    return _HEADING_HEIGHT if all(tile.ground is HEADING for tile in row) else _SIZE


def _svg_line(words: str, y: float, style: str) -> str:
    return f'<text x="{_MARGIN}" y="{y}" fill="{palette.BLACK}" {style}>{escape(words)}</text>'


def _svg_tiles(rows: Sequence[Row], widths: Sequence[float], top: float) -> Iterator[str]:
    y = top
    for row in rows:
        x, height = float(_MARGIN), _row_height(row)
        for tile, width in zip(row, widths, strict=False):  # a row may be short
            middle = f'transform="translate({x + width / 2:g} {y + height / 2:g})"'
            yield f"<g {middle}>{''.join(tile_svg(tile, width, height))}</g>"
            x += width
        y += height


def tile_svg(tile: Tile, width: float, height: float) -> Iterator[str]:
    """A tile around the origin; hovering over it tells what it is."""
    ground, piece = tile.ground, tile.piece
    if tile.name:
        yield f"<title>{escape(tile.name)}</title>"
    if ground.fill:
        edge = f'stroke="{palette.DARK}" stroke-width=".5"'
        yield _svg_box(width, height, f'fill="{ground.fill}" {edge}')
    yield _SHAPES.get(ground.shape, "")
    if piece:
        shape = _SHAPES.get(piece.shape, _SHAPES["disc"])
        yield shape.format(fill=piece.fill, ink=piece.ink)
        yield _svg_letters(piece.sign, 0, _SIGN_DROP.get(piece.shape, 0), 15, piece.ink)
    yield _svg_letters(tile.note.strip(), 9 - width / 2, 7 - height / 2, 9, ground.ink)
    yield _svg_letters(tile.label, 0, 0, 14, ground.ink)
    if tile.marked:
        frame = 'fill="none" stroke="{}" stroke-width="{}"'
        yield _svg_box(width - 5, height - 5, frame.format(palette.BLACK, 5))
        yield _svg_box(width - 5, height - 5, frame.format(palette.WHITE, 2))


def _svg_box(width: float, height: float, style: str) -> str:
    place = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}"'
    return f"<rect {place} {style}/>"


def _svg_letters(words: str, x: float, y: float, size: int, ink: str) -> str:
    if not words:
        return ""
    place = f'x="{x:g}" y="{y:g}" dy=".36em" text-anchor="middle"'
    return f'<text {place} font-size="{size}" fill="{ink}">{escape(words)}</text>'


def check_look(game: types.ModuleType, states: Sequence[Any]) -> None:
    """Raise :class:`InvalidGame` unless a game's look can show these states and their moves."""
    try:
        problem = next(_problems(game, states), None)
    except InvalidGame:
        raise
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        problem = f"its look failed at {at.filename}:{at.lineno}: {type(error).__name__}: {error}"
    if problem is not None:
        raise InvalidGame(f"{game.INFO.name}: {problem}")


def _problems(game: types.ModuleType, states: Sequence[Any]) -> Iterator[str]:
    look, view, teams = look_of(game), View(game), len(set(game.INFO.teams))
    players, params = view.base.info.players, view.base.params
    if len(look.sides) not in (0, teams):
        yield f"LOOK.sides needs {teams} names, got {look.sides}"
    fits = len(look.seats) in (0, players) or hasattr(view.base.game, "with_players")
    if not fits:
        yield f"LOOK.seats needs {players} names, got {look.seats}"
    yield from _problems_of_words(look)
    for limit in look.limits(params) if look.limits else ():
        if not limit.holds:
            yield f"LOOK.limits refuse INFO.params: {limit.field}, expected {limit.expected}"
    reason = view.adjourned(0, 0)
    if reason is not None and not isinstance(reason, str):
        yield (
            f"adjourned(0, 0, params) is {reason!r}, expected a text, or None while the match "
            "goes on"
        )
    for state in states:
        yield from _problems_of(view, state)
        draw_svg(game, state)


def _problems_of_words(look: Look) -> Iterator[str]:
    for name in ("title", "about", "rules", "how_to_move", "untold"):
        if not isinstance(text := getattr(look, name), str):
            yield f"LOOK.{name} must be a text, got {text!r}"
    if not _is_start(look.start):
        yield (
            f"LOOK.start is {look.start}, expected whole numbers of 1 or more, and types in "
            "ascending order"
        )


def _is_start(start: Start) -> bool:
    ahead = (*start.types, start.partner, start.opponent, start.deepest, start.light)
    rising = sorted(set(start.types)) == list(start.types) != []
    return rising and all(is_integer(depth) and depth >= 1 for depth in ahead)


def _problems_of(view: View, state: Any) -> Iterator[str]:
    look, base, params = look_of(view.game), view.base_state(state), view.base.params
    scene = scene_of(look, base, params)
    if not all(isinstance(tile, Tile) for row in scene.rows for tile in row):
        yield f"the scene of {state} has {scene.rows!r}, expected rows of tiles"
    for tell in (look.standing, look.hint):
        told = "" if tell is None else tell(base, params)
        if not isinstance(told, str):
            yield f"{told!r} is told of {state}, expected a text"
    if view.actor(state) < 0:
        return  # nobody clicks while chance decides
    for action in view.actions(state) if look.squares else ():
        assert look.squares is not None
        for row, column in look.squares(base, action, params):
            if not (0 <= row < len(scene.rows) and 0 <= column < len(scene.rows[row])):
                yield (
                    f"LOOK.squares({base}, {action}) names row {row}, column {column}, which is "
                    "not on the board that its scene shows"
                )
