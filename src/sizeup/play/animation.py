"""Matches of Wall of Fire as one animated SVG: boards below one another, in step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

from sizeup.errors import InvalidInput
from sizeup.games import wall_of_fire
from sizeup.games.contract import View
from sizeup.games.scenes import BLACK, BLUE, PALE, VERMILLION, YELLOW
from sizeup.play.record import Record

__all__ = ["animate"]

_TILE, _MARGIN, _CAPTION = 24, 12, 44
_FRAME = 0.6  # seconds


def animate(records: Sequence[Record], titles: Sequence[str]) -> str:
    """Draw matches of Wall of Fire on its own board, one below the other.

    The avatar moves with the match; below each board run the score and, if somebody keeps beliefs,
    what the first such player believes of its partner.

    Examples
    --------
    >>> from sizeup.play import play
    >>> animate([play("wall-of-fire", ["random+random"])], ["two drunkards"])[:39]
    '<svg xmlns="http://www.w3.org/2000/svg"'
    """
    if len(records) != len(titles) or not records:
        raise InvalidInput(f"expected one title for each match, got {len(titles)} titles")
    for record in records:
        if record.game != wall_of_fire.INFO.name or record.params != records[0].params:
            raise InvalidInput(f"expected matches of wall-of-fire, got one of {record.game}")
    params = wall_of_fire.INFO.params
    width = params.width * _TILE + 2 * _MARGIN
    height = params.height * _TILE + _CAPTION + 2 * _MARGIN
    boards = (
        f'<g transform="translate({_MARGIN},{n * height + _MARGIN})">{_board(record, title)}</g>'
        for n, (record, title) in enumerate(zip(records, titles, strict=True))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height * len(records)}" '
        f'font-family="sans-serif" font-size="14"><rect width="100%" height="100%" fill="white"/>'
        f"<title>{escape(' and '.join(titles))}</title>{''.join(boards)}</svg>\n"
    )


def _board(record: Record, title: str) -> str:
    view = View(wall_of_fire)
    states, state = [view.start()], view.start()
    for move in record.moves:
        state, _ = view.apply(state, view.action_from_text(state, move.action))
        states.append(state)
    tiles = "".join(_tiles(states))
    top = view.params.height * _TILE
    captions = "".join(_captions(record, title, top))
    return tiles + _avatar(states) + captions


def _tiles(states: Sequence[Any]) -> Iterator[str]:
    params = wall_of_fire.INFO.params
    for at in range(params.width * params.height):
        row, column = divmod(at, params.width)
        fill = VERMILLION if params.fire[at] else PALE
        yield (
            f'<rect x="{column * _TILE}" y="{row * _TILE}" width="{_TILE - 1}" '
            f'height="{_TILE - 1}" fill="{fill}"/>'
        )
        if params.coin[at] >= 0:
            shown = [float(state.coins >> int(params.coin[at]) & 1) for state in states]
            yield (
                f'<circle cx="{(column + 0.5) * _TILE}" cy="{(row + 0.5) * _TILE}" r="6" '
                f'fill="{YELLOW}" stroke="{BLACK}">{_changing("opacity", shown)}</circle>'
            )


def _avatar(states: Sequence[Any]) -> str:
    places = [divmod(state.at, wall_of_fire.INFO.params.width) for state in states]
    across = [(column + 0.5) * _TILE for _, column in places]
    down = [(row + 0.5) * _TILE for row, _ in places]
    return (
        f'<circle cx="{across[0]}" cy="{down[0]}" r="9" fill="{BLUE}" stroke="white">'
        f"{_changing('cx', across)}{_changing('cy', down)}</circle>"
    )


def _captions(record: Record, title: str, top: int) -> Iterator[str]:
    yield f'<text x="0" y="{top + 18}" font-weight="bold">{escape(title)}</text>'
    score, belief = 0.0, _first_belief(record)
    lines = [f"score 0{belief}"]
    for move in record.moves:
        score += move.reward
        watching = [seen for seen in move.seen.values() if seen.actor != min(move.seen)]
        if watching:
            belief = _told(record, watching[0].after)
        lines.append(f"move {move.ply}: score {score:g}{belief}")
    for number, line in enumerate(lines):
        shown = [float(number == other) for other in range(len(lines))]
        yield (
            f'<text x="0" y="{top + 37}" opacity="{shown[0]:g}">{escape(line)}'
            f"{_changing('opacity', shown)}</text>"
        )


def _first_belief(record: Record) -> str:
    if not record.first_beliefs:
        return ""
    watcher = min(record.first_beliefs)
    return _told(record, record.first_beliefs[watcher][1 - watcher])


def _told(record: Record, odds: Sequence[float]) -> str:
    return f", partner looks {record.types[0]} ahead: {100 * odds[0]:.0f} %"


def _changing(attribute: str, values: Sequence[float]) -> str:
    """An attribute that takes one value after the other, for ever."""
    listed = ";".join(f"{value:g}" for value in values)
    return (
        f'<animate attributeName="{attribute}" values="{listed}" dur="{_FRAME * len(values):g}s" '
        'calcMode="discrete" repeatCount="indefinite"/>'
    )
