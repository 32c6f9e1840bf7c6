"""``sizeup report``: tables on the terminal or in files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sizeup.cli_experiments.shared import Games, Which, experiment_of, require_suffix, verb
from sizeup.errors import InvalidInput

__all__ = ["report"]


@verb("the same command begins again")
def report(
    store: Games,
    experiment: Which = None,
    html: Annotated[Path | None, typer.Option(help="Write one self-contained page.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write Markdown.")] = None,
    latex: Annotated[Path | None, typer.Option(help="Write LaTeX tables.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write all numbers as CSV.")] = None,
) -> None:
    """Show tables with intervals beside the published numbers, or write them to files."""
    require_suffix("--html", html, ".html", ".htm")
    require_suffix("--markdown", markdown, ".md", ".markdown")
    require_suffix("--latex", latex, ".tex", ".latex")
    require_suffix("--csv", csv, ".csv")
    files = [path.resolve() for path in (html, markdown, latex, csv) if path is not None]
    for file in files:
        if files.count(file) > 1:
            raise InvalidInput(f"{file.name} is named twice: name a file for each kind of report")
    from sizeup.experiments.export import whole
    from sizeup.experiments.store import Store
    from sizeup.report import summarise, to_csv, to_html, to_latex, to_markdown, to_text

    with Store.read(store) as opened:
        summary = summarise(experiment_of(opened, experiment), opened)
    wanted = ((html, to_html), (markdown, to_markdown), (latex, to_latex), (csv, to_csv))
    if not any(path for path, _ in wanted):
        typer.echo(to_text(summary), nl=False)
    for path, write in wanted:
        if path is not None:
            with whole(path) as part:
                part.write_text(write(summary), encoding="utf-8")
            typer.echo(f"wrote {path}")
