r"""A report's tables as LaTeX, in the style of booktabs."""

from __future__ import annotations

from sizeup.games.scenes import one_line
from sizeup.report.answer import answer
from sizeup.report.grids import Grid, grids
from sizeup.report.numbers import MINUS, NOTHING
from sizeup.report.summary import Summary

__all__ = ["to_latex"]

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
    MINUS: "$-$", NOTHING: "--", "†": r"\dag{}", "Δ": r"$\Delta$",
}  # fmt: skip


def to_latex(summary: Summary) -> str:
    r"""The tables of a summary as ``table`` environments, to ``\input`` in a paper.

    >>> from sizeup.report.sample import sample
    >>> print(to_latex(sample()).splitlines()[8])
    \begin{tabular}{lrrrrrrrr}
    """
    head = [
        f"% {one_line(summary.title)}",
        f"% {one_line(answer(summary))}",
        r"% needs \usepackage{booktabs}",
    ]
    tables = [_table(grid, f"{summary.name}-{i}") for i, grid in enumerate(grids(summary), 1)]
    return "\n\n".join(["\n".join(head), *tables]) + "\n"


def _table(grid: Grid, label: str) -> str:
    rows = [rf"{_cells(grid.columns)} \\"]
    for group in grid.lines():
        rows += [r"\midrule", *(rf"{_cells(line)} \\" for line in group)]
    caption = " ".join(_escaped(text) for text in (f"{grid.title}.", *grid.notes))
    columns = "l" * grid.heads + "r" * (len(grid.columns) - grid.heads)
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\label{{tab:{label}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _cells(words: tuple[str, ...]) -> str:
    return " & ".join(map(_escaped, words))


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in one_line(text))
