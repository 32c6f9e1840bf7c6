"""Matches as pictures: a record in a notebook, and matches as one animated SVG."""

from __future__ import annotations

import types as python_types
from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.games.drawing import draw_svg, tile_svg
from sizeup.games.look import Row, look_of, scene_of
from sizeup.play.plots import believed
from sizeup.play.record import Record
from sizeup.play.replay import replay, view_of
from sizeup.words import figure, percent

__all__ = ["animate", "record_html"]

_TILE, _MARGIN, _CAPTION = 24, 12, 44
_FRAME = 0.6  # seconds


def record_html(record: Record) -> str:
    """A record in a notebook: its last board, and the beliefs it ended with."""
    head = f"<p><b>{escape(repr(record)[1:-1])}</b></p>"
    try:
        view = view_of(record)
        board = draw_svg(view.game, _states(record, view)[-1], view.params)
    except InvalidInput as error:  # of a game that does not come with Sizeup
        return f"{head}<p>{escape(str(error))}</p>"
    lines = ""
    for one in believed(record):
        odds = ", ".join(
            f"type {type_} {percent(share)}"
            for type_, share in zip(one.types, one.posterior, strict=True)
        )
        odds += f", none of these {percent(one.none)}" if one.none else ""
        lines += f"<li>{escape(one.name)}: {escape(odds)}</li>"
    return f"{head}{board}<ul>{lines}</ul>"


def animate(
    records: Sequence[Record], titles: Sequence[str], game: python_types.ModuleType | None = None
) -> str:
    """Draw matches of a game as one animated SVG, one below the other and in step.

    Below each board run the score and what the first player that keeps beliefs believes of its
    partner. ``game`` is the game's module, if it is not one of ours.

    >>> from sizeup.play import play
    >>> animate([play("wall-of-fire", ["random+random"])], ["two drunkards"])[:39]
    '<svg xmlns="http://www.w3.org/2000/svg"'
    """
    if len(records) != len(titles) or not records:
        raise InvalidInput(f"expected one title for each match, got {len(titles)} titles")
    boards, top, width = [], 0.0, 0.0
    for record, title in zip(records, titles, strict=True):
        view = view_of(record, game)
        look, params = look_of(view.game), view.base.params
        states = [view.base_state(state) for state in _states(record, view, game)]
        scenes = [scene_of(look, state, params).rows for state in states]
        height = _TILE * max(map(len, scenes))
        body = "".join((*_tiles(scenes), *_captions(record, title, height)))
        boards.append(f'<g transform="translate({_MARGIN},{top + _MARGIN})">{body}</g>')
        top += height + _CAPTION + 2 * _MARGIN
        columns = max(len(row) for scene in scenes for row in scene)
        width = max(width, _TILE * columns + 2 * _MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {top:g}" '
        f'font-family="sans-serif" font-size="14"><rect width="100%" height="100%" fill="white"/>'
        f"<title>{escape(' and '.join(titles))}</title>{''.join(boards)}</svg>\n"
    )


def _states(record: Record, view: View, game: python_types.ModuleType | None = None) -> list[Any]:
    """Every state of a match, its last one included."""
    states = [view.start()]
    for before, move in replay(record, game):
        states.append(view.apply(before, view.action_from_text(before, move.action))[0])
    return states


def _tiles(scenes: Sequence[tuple[Row, ...]]) -> Iterator[str]:
    """Every tile once, and once for each thing that it shows in the course of the match."""
    drawn_at = [
        {(row, column): tile for row, line in enumerate(scene) for column, tile in enumerate(line)}
        for scene in scenes
    ]
    for row, column in dict.fromkeys(at for tiles in drawn_at for at in tiles):  # it may grow
        shown = [tiles.get((row, column)) for tiles in drawn_at]
        place = f'transform="translate({(column + 0.5) * _TILE:g} {(row + 0.5) * _TILE:g}) '
        for tile in dict.fromkeys(one for one in shown if one is not None):
            drawn = "".join(tile_svg(tile, 48, 48))
            seen = [float(one == tile) for one in shown]
            moving = "" if all(seen) else _changing(seen)
            yield f'<g {place}scale({_TILE / 48:g})" opacity="{seen[0]:g}">{drawn}{moving}</g>'


def _captions(record: Record, title: str, top: int) -> Iterator[str]:
    yield f'<text x="0" y="{top + 18}" font-weight="bold">{escape(title)}</text>'
    believer, teams = min(record.first_beliefs, default=-1), record.teams
    mates = [p for p, team in enumerate(teams) if team == teams[believer] and p != believer]
    told = ""
    if believer >= 0 and mates:
        told = _belief(record, believer, record.first_beliefs[believer][mates[0]])
    score, lines = 0.0, [f"score 0{told}"]
    for move in record.moves:
        score += move.reward
        if believer in move.seen and move.player in mates[:1]:
            told = _belief(record, believer, move.seen[believer].after)
        lines.append(f"move {move.ply}: score {figure(score)}{told}")
    for number, line in enumerate(lines):
        shown = [float(number == other) for other in range(len(lines))]
        yield (
            f'<text x="0" y="{top + 37}" opacity="{shown[0]:g}">{escape(line)}'
            f"{_changing(shown)}</text>"
        )


def _belief(record: Record, believer: int, odds: Sequence[float]) -> str:
    return f", partner looks {record.types_of(believer)[0]} ahead: {percent(odds[0])}"


def _changing(values: Sequence[float]) -> str:
    """An opacity that takes one value after the other, for ever."""
    listed = ";".join(f"{value:g}" for value in values)
    return (
        f'<animate attributeName="opacity" values="{listed}" dur="{_FRAME * len(values):g}s" '
        'calcMode="discrete" repeatCount="indefinite"/>'
    )
