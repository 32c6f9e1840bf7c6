"""A report as plain text, Markdown, LaTeX (in the style of booktabs) and CSV."""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from sizeup.report.answer import answer, commands, progress
from sizeup.report.crossplay import Crossplay
from sizeup.report.grids import WordGrid, grids, origins_grid
from sizeup.report.numbers import MINUS, NOTHING
from sizeup.report.summary import (
    BySeed,
    Compared,
    Counts,
    Entry,
    Estimate,
    Regret,
    Summary,
    Tabled,
)
from sizeup.words import one_line

_WIDTH = 100
_MARKDOWN_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#])")
_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
    MINUS: "$-$", NOTHING: "--", "†": r"\dag{}", "Δ": r"$\Delta$",
}  # fmt: skip
COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("experiment", "table", "measure", "by", "row", "arm", "minus"), "string"),
    **dict.fromkeys(("value", "low", "high", "published"), "float64"), "agrees": "string",
    **dict.fromkeys(("blocks", *vars(Counts()), "wins", "draws", "losses"), "Int64"),
    **{
        f"{name}{end}": "float64"
        for name in ("mean_reward", "median", "iqm", "exact")
        for end in ("", "_low", "_high")
    },
    "verdict": "string", "decided_after": "Int64", "sequence_low": "float64",
    "sequence_high": "float64", "more_for_observed": "Int64", "more_for_margin": "Int64",
    "choice": "string", "chosen_after": "Int64",
    **dict.fromkeys(("seeds_more", "seeds_same", "seeds_less"), "Int64"),
    "seeds_verdict": "string", "seeds_after": "Int64",
}  # fmt: skip
"""Columns of the CSV file, and of :func:`~sizeup.report.frames.summary_frame`, with dtypes."""


def to_text(summary: Summary) -> str:
    """A summary as text: the answer, the tables in columns, what is missing.

    >>> toy = Summary("toy", "A toy", "Who wins?", "checkers", "toy.toml", "toy.db")
    >>> to_text(toy).splitlines()[6]
    'toy.db: all 0 games played'
    """
    parts = [
        one_line(summary.title),
        _wrapped(f"Question: {summary.question}"),
        _wrapped(f"Answer: {answer(summary)}"),
        f"{one_line(summary.store)}: {progress(summary)}",
        *map(_text_table, grids(summary)),
    ]
    jobs = [
        f"  {one.job_id}  {one.cell}  after {one.attempt} attempts: {one_line(one.error)}"
        for one in summary.quarantine
    ]
    parts += ["\n".join(["In quarantine:", *jobs])] if jobs else []
    return "\n\n".join([*parts, "\n".join(commands(summary))]) + "\n"


def _text_table(grid: WordGrid) -> str:
    groups = [[[one_line(word) for word in line] for line in g] for g in grid.lines()]
    every = [list(grid.columns), *(line for group in groups for line in group)]
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]

    def laid(line: list[str]) -> str:
        words = [
            word.ljust(width) if place < grid.heads else word.rjust(width)
            for place, (word, width) in enumerate(zip(line, widths, strict=True))
        ]
        return "  ".join(words).rstrip()

    rule = "  ".join("-" * width for width in widths)
    lines = [one_line(grid.caption), laid(list(grid.columns))]
    for group in groups:
        lines += [rule, *map(laid, group)]
    return "\n".join([*lines, *map(_wrapped, grid.notes)])


def _wrapped(text: str) -> str:
    whole = one_line(text).replace(" %", "\N{NO-BREAK SPACE}%")
    return "\n".join(textwrap.wrap(whole, _WIDTH)).replace("\N{NO-BREAK SPACE}%", " %")


def to_markdown(summary: Summary) -> str:
    """A summary as Markdown with pipe tables.

    >>> toy = Summary("toy", "A toy", "Who wins?", "checkers", "toy.toml", "toy.db")
    >>> print(to_markdown(toy).splitlines()[4])
    **No answer yet: no seed block is complete.**
    """
    parts = [
        f"# {_marked(summary.title)}",
        _marked(summary.question),
        f"**{_marked(answer(summary))}**",
        f"{_marked(summary.store)}: {progress(summary)}.",
    ]
    for grid in grids(summary):
        parts += [f"## {_marked(grid.caption)}", _markdown_table(grid), *map(_marked, grid.notes)]
    jobs = [
        f"- {_marked(one.job_id)} ({_marked(one.cell)}), after {one.attempt} attempts: "
        f"{_marked(one.error)}"
        for one in summary.quarantine
    ]
    parts += ["## In quarantine", "\n".join(jobs)] if jobs else []
    typed = ["```sh", *map(one_line, commands(summary)), "```"]
    parts += ["## Reproduce", "\n".join(typed), _markdown_table(origins_grid(summary))]
    return "\n\n".join(parts) + "\n"


def _markdown_table(grid: WordGrid) -> str:
    rule = ["---" if place < grid.heads else "--:" for place in range(len(grid.columns))]
    body = [map(_marked, line) for group in grid.lines() for line in group]
    lines = map(_marked, grid.columns), rule, *body
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _marked(text: str) -> str:
    return _MARKDOWN_SPECIAL.sub(r"\\\1", one_line(text))


def to_latex(summary: Summary) -> str:
    r"""The tables of a summary as ``table`` environments, to ``\input`` in a paper.

    >>> toy = Summary("toy", "A toy", "Who wins?", "checkers", "toy.toml", "toy.db")
    >>> print(to_latex(toy).splitlines()[2])
    % needs \usepackage{booktabs}
    """
    said = f"% {one_line(summary.title)}\n% {one_line(answer(summary))}"
    tables = [_latex_table(grid, f"{summary.name}-{i}") for i, grid in enumerate(grids(summary), 1)]
    return "\n\n".join([said + "\n% needs \\usepackage{booktabs}", *tables]) + "\n"


def _latex_table(grid: WordGrid, label: str) -> str:
    rows = [_latex_line(grid.columns)]
    for group in grid.lines():
        rows += [r"\midrule", *map(_latex_line, group)]
    caption = " ".join(_texed(text) for text in (f"{grid.title}.", *grid.notes))
    columns = "l" * grid.heads + "r" * (len(grid.columns) - grid.heads)
    return "\n".join(
        [r"\begin{table}", r"\centering", rf"\caption{{{caption}}}", rf"\label{{tab:{label}}}",
         rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *rows, r"\bottomrule",
         r"\end{tabular}", r"\end{table}"]
    )  # fmt: skip


def _latex_line(words: tuple[str, ...]) -> str:
    return " & ".join(map(_texed, words)) + r" \\"


def _texed(text: str) -> str:
    return "".join(_LATEX_SPECIAL.get(letter, letter) for letter in one_line(text))


def to_csv(summary: Summary) -> str:
    """All entries and comparisons of a summary; scores, their differences and shares in percent.

    >>> toy = Summary("toy", "A toy", "Who wins?", "checkers", "toy.toml", "toy.db")
    >>> to_csv(toy)[:42]
    'experiment,table,measure,by,row,arm,minus,'
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows_of(summary):
        writer.writerow({name: _written(value) for name, value in row.items()})
    return out.getvalue()


def rows_of(summary: Summary) -> Iterator[dict[str, Any]]:
    """Every entry, comparison and regret, by the names of :data:`COLUMNS`."""
    entries = (_entry(table, entry) for table in summary.tables for entry in table.entries)
    others = map(_compared, summary.comparisons), map(_regret, summary.regrets)
    for row in chain(entries, *others, _crossplay(summary.crossplay)):
        yield {"experiment": summary.name, **row}


def _written(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _entry(table: Tabled, entry: Entry) -> dict[str, Any]:
    agrees = {None: None, True: "yes", False: "no"}[entry.agrees]
    return {
        "table": table.title, "measure": table.measure, "by": table.by, "row": entry.row,
        "arm": entry.arm, **_estimate("", entry.value), "published": entry.published,
        "agrees": agrees, "blocks": entry.blocks, **vars(entry.counts),
        **({} if entry.tally is None else vars(entry.tally)),
        **_estimate("mean_reward", entry.reward), **_estimate("median", entry.median),
        **_estimate("iqm", entry.iqm), **_estimate("exact", entry.exact),
    }  # fmt: skip


def _compared(found: Compared) -> dict[str, Any]:
    return {
        "table": "comparisons", "measure": found.measure, "row": "total", "arm": found.arm,
        "minus": found.minus, **_estimate("", found.difference), "blocks": found.blocks,
        **vars(found.counts), "verdict": found.verdict, "decided_after": found.decided_after,
        "sequence_low": found.low, "sequence_high": found.high,
        "more_for_observed": found.more_for_observed, "more_for_margin": found.more_for_margin,
        "published": found.published, "choice": found.choice,
        "chosen_after": found.chosen_after if found.choice else None,
        **_estimate("iqm", found.typical), **_seeds(found.by_seed),
    }  # fmt: skip


def _seeds(found: BySeed | None) -> dict[str, Any]:
    return {} if found is None else {f"seeds_{name}": value for name, value in vars(found).items()}


def _regret(found: Regret) -> dict[str, Any]:
    """A regret; that to the optimum is of no other arm."""
    return {
        "table": "regret", "measure": "reward", "row": "total", "arm": found.arm,
        "minus": found.to or "the optimum", **_estimate("", found.value), "blocks": found.blocks,
    }  # fmt: skip


def _crossplay(found: Crossplay | None) -> Iterator[dict[str, Any]]:
    """The matrix, its regrets, and who is better: an arm is an agent, the row its teammate."""
    measure = "score" if found is None else found.measure
    for one in () if found is None else found.cells:
        same = {"row": one.mate, "arm": one.agent, "blocks": one.blocks}
        yield {"table": "crossplay", "measure": measure, **same, **_estimate("", one.value)}
        yield {"table": "crossplay regret", "measure": measure, **same, **_estimate("", one.regret)}
    for order in () if found is None else found.orders:
        yield {
            "table": "crossplay orderings", "measure": measure, "row": "total", "arm": order.agent,
            "minus": order.other, **_estimate("", order.difference), "blocks": order.blocks,
            "verdict": order.verdict, "seeds_more": order.more, "seeds_less": order.less,
            "seeds_same": order.blocks - order.more - order.less, "seeds_verdict": order.by_seed,
        }  # fmt: skip


def _estimate(name: str, found: Estimate | None) -> dict[str, float | None]:
    if found is None or not found.is_known:
        return {}
    names = (name, f"{name}_low", f"{name}_high") if name else ("value", "low", "high")
    return dict(zip(names, (found.value, found.low, found.high), strict=True))
