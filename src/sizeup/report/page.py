"""A report as one HTML page that loads nothing from anywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib import resources
from itertools import groupby

from sizeup.report.answer import answer, commands, progress, replay_command
from sizeup.report.figures import (
    belief_figure,
    comparison_figure,
    crossplay_figure,
    seat_text,
    table_figure,
)
from sizeup.report.grids import (
    WordGrid,
    belief_note,
    comparison_grids,
    crossplay_grids,
    origins_grid,
    table_grid,
)
from sizeup.report.numbers import decimal, thousands, work
from sizeup.report.summary import FinalBelief, Summary
from sizeup.words import one_line

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_SCORES = """A score is wins minus losses, in percent of the games. A game stopped before its end
counts for the side that is ahead in reward. Games that share a seed, with sides and seats
exchanged, form a block."""

_REWARDS = """A reward is what the team earns in a whole game. Games that share a seed, with seats
exchanged, form a block, and all teams play the same seeds: differences are taken block by block.
The mean is what a team earns in the long run, and its interval allows for rare games, not seen yet,
that pay as much as a match can. The interquartile mean (IQM) and the median say what a usual game
pays."""

_BLOCKS = """Only complete blocks count, every cell of a row has the same weight, and intervals come
from how much blocks differ."""

_SEQUENTIAL = """A 95 % interval holds for a number of games fixed in advance. The sequential test
reads blocks in the order of the plan and may be checked at any time; once it has decided, more
games do not change its answer."""

_FRAMED = """Framed: the true depth, or the believer's own depth if the teammate searches deeper
than that."""

_SEATS = """Seats are places in the team as it is written; within a block, everybody may sit in each
of them."""


def to_html(summary: Summary) -> str:
    """A summary as a page: text, styles and pictures in one file.

    >>> toy = Summary("toy", "A toy", "Who wins?", "checkers", "toy.toml", "toy.db")
    >>> "<h1>A toy</h1>" in to_html(toy)
    True
    """
    typed = "\n".join(map(safe, commands(summary)))
    origins = _grid_table(origins_grid(summary))
    again = f"<section><h2>Reproduce</h2><pre><code>{typed}</code></pre>{origins}</section>"
    numbers, beliefs = "".join(_numbers(summary)), _beliefs(summary)
    body = _header(summary) + numbers + beliefs + _reading(summary)
    body += _quarantine(summary) + again + _replays(summary)
    return whole_page(summary.title, body)


def whole_page(title: str, body: str) -> str:
    """A page around a body that is HTML already.

    >>> "<title>Ann &amp; Bo</title>" in whole_page("Ann & Bo", "<p>Hello</p>")
    True
    """
    css = (resources.files("sizeup.report") / "page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{safe(title)}</title><style>{css}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _header(summary: Summary) -> str:
    counts, kind, bar = summary.counts, "", ""
    if counts.missing:
        kind = ' class="unfinished"'
        ends = f'max="{counts.planned}" value="{counts.played}"'
        bar = f'<progress {ends} aria-label="games played"></progress>'
    return (
        f'<header><p class="kicker">Sizeup, experiment {safe(summary.name)}</p>'
        f"<h1>{safe(summary.title)}</h1>"
        f'<p class="question">{safe(summary.question)}</p>'
        f'<p class="answer">{safe(answer(summary))}</p>'
        f'<p class="status"><span{kind}>{safe(progress(summary).capitalize())}</span>, in '
        f"{work(summary.seconds)}.</p>{bar}</header>"
    )


def _reading(summary: Summary) -> str:
    """What the words above mean, as far as there are any."""
    if not summary.counts.counted:
        return ""
    measured = _SCORES if summary.stakes.measure == "score" else _REWARDS
    told = [f"{measured} {_BLOCKS}", *([_SEQUENTIAL] if summary.comparisons else [])]
    text = "".join(f"<p>{safe(one)}</p>" for one in told)
    return f"<section><h2>How to read this</h2>{text}</section>"


def _numbers(summary: Summary) -> Iterator[str]:
    """Comparisons and tables, each with its figure."""
    for number, grid in enumerate(comparison_grids(summary)):
        is_first = number == 0 and summary.comparisons and summary.counts.counted
        yield _section(grid, comparison_figure(summary) if is_first else "")
    for number, grid in enumerate(crossplay_grids(summary)):
        drawn = crossplay_figure(summary.crossplay) if number == 0 and summary.crossplay else ""
        yield _section(grid, drawn)
    for number, table in enumerate(summary.tables, start=1):
        if table.entries:
            drawn = table_figure(summary, table, f"table{number}")
            is_curve = table.by in ("update", "round")
            yield _section(table_grid(summary, table), drawn, is_curve)


def _section(grid: WordGrid, drawn: str, is_curve: bool = False) -> str:
    """A table under its figure; that of a curve is for those who ask."""
    mark = "" if grid.is_finished else ' <span class="unfinished">unfinished</span>'
    table = _grid_table(grid)
    if is_curve:
        table = f"<details><summary>The curve in numbers</summary>{table}</details>"
    return f"<section><h2>{safe(grid.title)}{mark}</h2>{drawn}{table}</section>"


def _beliefs(summary: Summary) -> str:
    """Mean posteriors by who believes and what is true; over a series, also how they got there."""
    if not summary.beliefs:
        return ""
    last = [belief for belief in summary.beliefs if belief.round == summary.rounds]
    types = sorted({depth for belief in last for depth, _ in belief.posterior})
    groups = groupby(last, key=lambda b: (b.arm, b.member, b.about))
    table = _table(
        "Final beliefs",
        "Mean probability of each depth at the end of "
        + ("the last game of a series" if summary.rounds > 1 else "a game"),
        ["true depth", *map(str, types), "games"],
        (_believed(summary, list(group), types) for _, group in groups),
    )
    drawn = belief_figure(summary) if summary.rounds > 1 else ""
    notes = _notes([_FRAMED, _SEATS, *belief_note(summary)])
    return f"<section><h2>Beliefs at the end</h2>{drawn}{table}{notes}</section>"


def _believed(summary: Summary, group: Sequence[FinalBelief], types: Sequence[int]) -> str:
    first = group[0]
    believer, about = (seat_text(summary, first.arm, n) for n in (first.member, first.about))
    label = f"{summary.arms[first.arm]}: {believer} about {about}"
    lines = ""
    for belief in group:
        chances = dict(belief.posterior)
        cells = "".join(_chance(chances.get(depth), depth == belief.truth) for depth in types)
        head = f'<th scope="row" class="head">{belief.truth}</th>'
        lines += f"<tr>{head}{cells}<td>{thousands(belief.games)}</td></tr>"
    return _over(label, len(types) + 2) + lines


def _chance(chance: float | None, is_true: bool) -> str:
    if chance is None:
        return "<td></td>"
    kind = ' class="true"' if is_true else ""
    shade = f' style="background:rgb(var(--heat)/{0.5 * chance:.2f})"'
    return f"<td{kind}{shade}>{decimal(chance, 2)}</td>"


def _quarantine(summary: Summary) -> str:
    if not summary.quarantine:
        return ""
    items = "".join(
        f"<li><code>{safe(one.job_id)}</code> ({safe(one.cell)}), after {one.attempt} "
        f"attempts: {safe(one.error)}</li>"
        for one in summary.quarantine
    )
    return (
        '<section><h2>In quarantine <span class="unfinished">missing for good</span></h2>'
        "<p>These games failed repeatedly and were given up. Their seed blocks do not count.</p>"
        f"<ul>{items}</ul></section>"
    )


def _replays(summary: Summary) -> str:
    """Some games of each cell, with what to type to see them."""
    if not summary.examples:
        return ""
    bodies = []
    for cell, some in groupby(summary.examples, key=lambda example: example.cell):
        lines = [
            f"<td>{safe(one.result)}</td>"
            f"<td><code>{safe(replay_command(summary, one.game_id))}</code></td>"
            for one in some
        ]
        head = f'<th scope="rowgroup" rowspan="{len(lines)}" class="head">{safe(cell)}</th>'
        bodies.append(f"<tr>{head}" + "</tr><tr>".join(lines) + "</tr>")
    heads = ["cell", "result", "command"]
    table = _table("Games to replay", "Commands that show a game", heads, bodies, " games")
    which = "These are the first games with each result in every cell."
    if summary.left_out:
        rest = f"{thousands(summary.left_out)} other result{'s are' * (summary.left_out > 1)}"
        rest += " is" * (summary.left_out == 1)
        which = f"These are the first games with some results of every cell; {rest} left out."
    return (
        "<section><h2>Replays</h2><p>Every stored game can be watched again in a terminal. "
        f"{which}</p>"
        f"<details><summary>Games to replay</summary>{table}</details></section>"
    )


def _grid_table(grid: WordGrid) -> str:
    """A grid as a table; where lines have two heads, the first one stands above its group."""
    heads = grid.columns[max(grid.heads - 1, 0) :]
    bodies = (_group(grid, group) for group in grid.groups)
    return _table(grid.title, grid.caption, heads, bodies) + _notes(grid.notes)


def _table(
    label: str, caption: str, heads: Sequence[str], bodies: Iterable[str], kind: str = ""
) -> str:
    """A table that a screen reader can follow; the first column says what a line is about."""
    first, *others = map(safe, heads)
    head = f'<th scope="col" class="head">{first}</th>'
    head += "".join(f'<th scope="col">{name}</th>' for name in others)
    body = "".join(f"<tbody>{lines}</tbody>" for lines in bodies)
    return (
        f'<div class="table{kind}" role="region" aria-label="{safe(label)}" tabindex="0">'
        f"<table><caption>{safe(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead>{body}</table></div>"
    )


def _group(grid: WordGrid, group: Sequence[tuple[str, ...]]) -> str:
    if grid.heads < 2:
        return "".join(map(_line, group))
    first = group[0][0]
    label = first if first == "total" else f"{grid.columns[0]}: {first}"
    return _over(label, len(grid.columns) - 1) + "".join(_line(line[1:]) for line in group)


def _over(label: str, columns: int) -> str:
    """A line that says what the lines below it are about."""
    head = f'<th scope="rowgroup" colspan="{columns}"><span>{safe(label)}</span></th>'
    return f'<tr class="group">{head}</tr>'


def _line(line: Sequence[str]) -> str:
    kind = ' class="total"' if line[0] == "total" else ""
    strong = {"no": ' class="strong"'}
    cells = "".join(f"<td{strong.get(word, '')}>{safe(word)}</td>" for word in line[1:])
    return f'<tr{kind}><th scope="row" class="head">{safe(line[0])}</th>{cells}</tr>'


def _notes(notes: Sequence[str]) -> str:
    lines = "".join(f"<p>{safe(note)}</p>" for note in notes)
    return f'<div class="notes">{lines}</div>' if notes else ""


def safe(text: str) -> str:
    """Text that is safe in a page."""
    return escape(one_line(text)).replace(" %", "\N{NO-BREAK SPACE}%")
