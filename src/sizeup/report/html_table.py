"""A grid as an HTML table that a screen reader can follow."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sizeup.games.scenes import one_line
from sizeup.report.grids import Grid

__all__ = ["html_notes", "html_table", "over", "words"]


def words(text: str) -> str:
    """Text that is safe in a page.

    >>> words('<a href="x">')
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return escape(one_line(text)).replace(" %", "\N{NO-BREAK SPACE}%")


def html_table(grid: Grid) -> str:
    """The table; where lines have two heads, the first one stands above its group."""
    shown = grid.columns[max(grid.heads - 1, 0) :]
    head = "".join(
        f'<th scope="col"{_HEAD if place == 0 else ""}>{words(name)}</th>'
        for place, name in enumerate(shown)
    )
    body = "".join(f"<tbody>{_group(grid, group)}</tbody>" for group in grid.groups)
    return (
        f'<div class="table" role="region" aria-label="{words(grid.title)}" tabindex="0">'
        f"<table><caption>{words(grid.caption)}</caption>"
        f"<thead><tr>{head}</tr></thead>{body}</table></div>{html_notes(grid.notes)}"
    )


def html_notes(notes: Sequence[str]) -> str:
    """Remarks under a table."""
    if not notes:
        return ""
    return f'<div class="notes">{"".join(f"<p>{words(note)}</p>" for note in notes)}</div>'


_HEAD = ' class="head"'


def _group(grid: Grid, group: Sequence[tuple[str, ...]]) -> str:
    if grid.heads < 2:
        return "".join(map(_line, group))
    first = group[0][0]
    label = first if first == "total" else f"{grid.columns[0]}: {first}"
    return over(label, len(grid.columns) - 1) + "".join(_line(line[1:]) for line in group)


def over(label: str, columns: int) -> str:
    """A line that says what the lines below it are about."""
    head = f'<th scope="rowgroup" colspan="{columns}"><span>{words(label)}</span></th>'
    return f'<tr class="group">{head}</tr>'


def _line(line: Sequence[str]) -> str:
    kind = ' class="total"' if line[0] == "total" else ""
    cells = "".join(f"<td{_STRONG if word == 'no' else ''}>{words(word)}</td>" for word in line[1:])
    return f'<tr{kind}><th scope="row" class="head">{words(line[0])}</th>{cells}</tr>'


_STRONG = ' class="strong"'
