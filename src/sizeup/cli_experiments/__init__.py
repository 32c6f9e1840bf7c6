"""The verbs of the ``sizeup`` command for experiments: parsing and printing only, a file each.

Heavy imports belong inside the verbs, as in :mod:`sizeup.cli`.
"""

from __future__ import annotations

import typer

from sizeup.cli_experiments import export, merge, plan, report, run, status, verify

__all__ = ["add_verbs"]


def add_verbs(app: typer.Typer) -> None:
    """Give a command the verbs of experiments."""
    for verb in (run.run, plan.plan, status.status, report.report, export.export, merge.merge,
                 verify.verify):  # fmt: skip
        app.command()(verb)
