"""Pictures of states, for the terminal and as SVG; rules know nothing of them.

A drawer turns a state into a scene: a grid of tiles on which pieces stand, and words. One renderer
makes text of any scene, another makes SVG; neither knows a game. A game that is not ours is drawn
as a table of its state's fields. Nothing is told apart by colour alone: every ground and piece has
a mark of its own in the text, and a shape or a letter in the SVG.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sizeup.errors import InvalidInput
from sizeup.games import scenes
from sizeup.games.contract import CHANCE, TERMINAL, View
from sizeup.games.scene_svg import svg_of
from sizeup.games.scene_text import text_of
from sizeup.games.scenes import Drawing, Scene, one_line

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["Picture", "describe", "draw_svg", "draw_text"]

_DRAWERS: dict[str, Callable[[Any, Any], Scene]] = {
    "checkers": scenes.checkers,
    "connect_four": scenes.connect_four,
    "harvest": scenes.harvest,
    "narrow_tunnel": scenes.narrow_tunnel,
    "wall_of_fire": scenes.wall_of_fire,
}


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
    return text_of(describe(game, state, params))


def draw_svg(game: types.ModuleType, state: Any, params: Any = None) -> str:
    """Draw a state as SVG, on a background of its own; the parameters of :func:`draw_text`.

    >>> from sizeup.games import connect_four
    >>> draw_svg(connect_four, connect_four.State(1, 0, 1))[:4]
    '<svg'
    """
    return svg_of(describe(game, state, params))


class Picture:
    """A state that shows itself: as SVG in a notebook, as text when printed.

    Parameters are those of :func:`draw_text`.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> print(Picture(connect_four, connect_four.State(0b1, 0b10, 0)))
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
    >>> describe(connect_four, connect_four.State(0b1, 0, 1)).caption
    ('O (player 1) to move',)
    """
    _require_state_of(game, state)
    params = game.INFO.params if params is None else params
    rules, inner, inner_params = game, state, params
    while _is_seated(rules):
        rules, inner, inner_params = rules.GAME, inner.base, inner_params.base
    scene = _drawer(rules)(inner, inner_params)
    turn = _turn(View(game, params), state, scene, seated=rules is not game)
    return Drawing(one_line(game.INFO.name), scene.rows, (turn, *scene.notes))


def _require_state_of(game: types.ModuleType, state: Any) -> None:
    expected, fields = game.State._fields, getattr(state, "_fields", None)
    if fields != expected:
        raise InvalidInput(
            f"a state of {game.INFO.name} has the fields {', '.join(expected)}; got {state!r}"
        )


def _is_seated(game: types.ModuleType) -> bool:
    return hasattr(game, "GAME") and "base" in game.State._fields


def _drawer(game: types.ModuleType) -> Callable[[Any, Any], Scene]:
    """By the module and not by ``INFO.name``: a user's variant may go by the name of ours."""
    room, _, name = game.__name__.rpartition(".")
    return _DRAWERS.get(name, scenes.table) if room == __package__ else scenes.table


def _turn(view: View, state: Any, scene: Scene, seated: bool) -> str:
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
