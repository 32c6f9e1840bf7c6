"""What inference says of players, as one HTML page that loads nothing from anywhere else."""

from __future__ import annotations

from collections.abc import Iterator

from sizeup.play.infer import Inference, PlayerDepth
from sizeup.play.verdict import CONFIDENCE
from sizeup.report.page import safe, whole_page
from sizeup.words import listed, percent

_KINDS = 6  # colours of lines, in page.css
_WIDTH, _HEIGHT, _LEFT, _FOOT = 620, 150, 44, 22  # of a curve; margins of its axes
_NONE = "none of these"

_READING = f"""A depth is named if it is at least {percent(CONFIDENCE)} likely, and otherwise
the page says that one cannot tell. What moves tell is how often searches of each depth make them;
moves that all make as often tell nothing. “None of these” is play that no depth explains."""


def verdicts_page(found: Inference) -> str:
    """A page with the verdict about every player, and what it rests on.

    >>> from sizeup.games.checkers.pdn import read_pdn
    >>> from sizeup.play.infer import infer
    >>> found = infer(read_pdn('[Black "Ann & Bo"] 1. 11-15 23-19 2. 8-11 *'), types=(1, 2))
    >>> "<h2>Ann &amp; Bo</h2>" in verdicts_page(found)
    True
    """
    title = "How deep does each player think?"
    depths = listed(found.types, "or")
    players = "".join(_section(player) for player in found.players)
    return whole_page(
        title,
        f"<h1>{title}</h1><p class='question'>Moves held against searches that look {depths} moves "
        f"ahead.</p>{players}<section><h2>How to read this</h2><p>{safe(_READING)}</p></section>",
    )


def _section(player: PlayerDepth) -> str:
    return (
        f"<section><h2>{safe(player.name)}</h2>"
        f"<p class='answer'><strong>{safe(_sentence(player))}</strong></p>"
        f"{''.join(map(_warning, player.mistrusted))}"
        f"<p>{safe(player.evidence)}.</p>{_odds(player)}{_curve(player)}{_telling(player)}"
        f"{_paragraph(player.quality, 'How well')}{_paragraph(player.change, 'Over games')}"
        f"{_paragraph(player.doubt or None, 'Sampling')}"
        "</section>"
    )


def _sentence(player: PlayerDepth) -> str:
    """The verdict with its interval."""
    verdict, between = player.verdict, f"90 % interval {player.between}"
    if verdict.is_none:
        return f"Like none of these depths ({verdict.certainty})."
    if verdict.type is not None:
        return f"Depth {verdict.type} ({verdict.certainty}; {between})."
    return f"Cannot tell ({between})." if player.between else f"{str(verdict).capitalize()}."


def _warning(why: str) -> str:
    return f"<p class='unfinished'>Mind: {safe(why)}.</p>"


def _paragraph(told: object, heading: str) -> str:
    return "" if told is None else f"<p><strong>{heading}:</strong> {safe(str(told))}.</p>"


def _odds(player: PlayerDepth) -> str:
    """How likely each depth is before and after all moves."""
    names = [f"depth {c}" for c in player.types] + [_NONE]
    head = "".join(f"<th scope='col'>{name}</th>" for name in names)
    rows = "".join(
        f"<tr><th class='head' scope='row'>{when}</th>"
        + "".join(f"<td>{safe(cell)}</td>" for cell in cells)
        + "</tr>"
        for when, cells in (("before", player.odds(before=True)), ("after", player.odds()))
    )
    return (
        "<div class='table'><table><caption>How likely each depth is</caption><thead><tr>"
        f"<th class='head' scope='col'>moves</th>{head}</tr></thead><tbody>{rows}</tbody>"
        "</table></div>"
    )


def _curve(player: PlayerDepth) -> str:
    """The probability of each depth after every move that was not forced."""
    if len(player.steps) < 2:
        return ""
    lines, keys = [], []
    for rank, depth in enumerate(player.types):
        heights = [player.prior[rank], *(step.posterior[rank] for step in player.steps)]
        kind = f"kind{rank % _KINDS}"
        lines.append(f"<polyline class='line {kind}' points='{_points(heights)}'/>")
        keys.append(
            f"<span><svg width='26' height='8' aria-hidden='true'><line class='line {kind}' x1='0' "
            f"y1='4' x2='26' y2='4'/></svg> depth {depth}</span>"
        )
    said = safe(f"How likely each depth of {player.name} was after each move")
    return (
        f"<div class='legend'>{' '.join(keys)}</div><figure>"
        f"<svg viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img' aria-label='{said}'>"
        f"{''.join(_axes(len(player.steps)))}{''.join(lines)}</svg></figure>"
    )


def _axes(moves: int) -> Iterator[str]:
    for share in (0, 50, 100):
        y = _y(share / 100)
        yield f"<line class='grid' x1='{_LEFT}' y1='{y}' x2='{_WIDTH - 6}' y2='{y}'/>"
        at = f"x='{_LEFT - 6}' y='{y + 4}' text-anchor='end'"
        yield f"<text class='tick' {at}>{share} %</text>"
    yield f"<text class='tick' x='{_LEFT}' y='{_HEIGHT - 4}'>start</text>"
    yield (
        f"<text class='tick' x='{_WIDTH - 6}' y='{_HEIGHT - 4}' text-anchor='end'>"
        f"{moves} moves</text>"
    )


def _points(heights: list[float]) -> str:
    step = (_WIDTH - 6 - _LEFT) / (len(heights) - 1)
    return " ".join(f"{_LEFT + step * n:.1f},{_y(height):.1f}" for n, height in enumerate(heights))


def _y(share: float) -> float:
    return 8 + (1.0 - share) * (_HEIGHT - _FOOT - 8)


def _telling(player: PlayerDepth) -> str:
    """The moves that told most, and what a deeper player saw there."""
    seen = {(one.game, one.ply): str(one) for one in player.foresights}
    items = [
        f"<li>{safe(player.place(step))}: {safe(step.reason)}"
        f"{_seen(seen.get((step.game, step.ply)))}</li>"
        for step in player.telling()
    ]
    return f"<h3>What told most</h3><ul>{''.join(items)}</ul>" if items else ""


def _seen(told: str | None) -> str:
    return "" if told is None else f"<br>{safe(told[0].upper() + told[1:])}"
