"""A report's numbers as CSV: a line for each number, whatever table it stands in."""

from __future__ import annotations

import csv
import io
from dataclasses import fields
from typing import Any

from sizeup.report.summary import Compared, Counts, Entry, Estimate, Summary, Tabled

__all__ = ["to_csv"]

_COUNTS = tuple(field.name for field in fields(Counts))
_COLUMNS = (
    "experiment", "table", "measure", "by", "row", "arm", "minus", "value", "low", "high",
    "published", "agrees", "blocks", *_COUNTS, "wins", "draws", "losses",
    "mean_reward", "mean_reward_low", "mean_reward_high", "exact", "exact_low", "exact_high",
    "verdict", "decided_after", "sequence_low", "sequence_high",
    "more_for_observed", "more_for_margin", "choice", "chosen_after",
)  # fmt: skip


def to_csv(summary: Summary) -> str:
    """All entries and comparisons of a summary; scores, differences and shares in percent.

    >>> from sizeup.report.sample import sample
    >>> to_csv(sample()).splitlines()[1][:57]
    'made-up,Score of the aware team,score,,total,ca,,12.5,-9.'
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for table in summary.tables:
        for entry in table.entries:
            writer.writerow({"experiment": summary.name, **_entry(table, entry)})
    for found in summary.comparisons:
        writer.writerow({"experiment": summary.name, **_compared(found)})
    return out.getvalue()


def _entry(table: Tabled, entry: Entry) -> dict[str, Any]:
    tally = entry.tally
    agrees = {None: "", True: "yes", False: "no"}[entry.agrees]
    return {
        "table": table.title, "measure": table.measure, "by": table.by, "row": entry.row,
        "arm": entry.arm, **_estimate("", entry.value), "published": _number(entry.published),
        "agrees": agrees, "blocks": entry.blocks, **_counts(entry.counts),
        **({} if tally is None else vars(tally)),
        **_estimate("mean_reward", entry.reward), **_estimate("exact", entry.exact),
    }  # fmt: skip


def _compared(found: Compared) -> dict[str, Any]:
    return {
        "table": "comparisons", "measure": "score", "row": "total", "arm": found.arm,
        "minus": found.minus or "", **_estimate("", found.difference), "blocks": found.blocks,
        **_counts(found.counts), "verdict": found.verdict, "decided_after": found.decided_after,
        "sequence_low": _number(found.low), "sequence_high": _number(found.high),
        "more_for_observed": _number(found.more_for_observed),
        "more_for_margin": _number(found.more_for_margin),
        "published": _number(found.published), "choice": found.choice or "",
        "chosen_after": found.chosen_after if found.choice else "",
    }  # fmt: skip


def _counts(counts: Counts) -> dict[str, int]:
    return {name: getattr(counts, name) for name in _COUNTS}


def _estimate(name: str, found: Estimate | None) -> dict[str, str]:
    if found is None or not found.is_known:
        return {}
    names = (f"{name}_low", f"{name}_high") if name else ("low", "high")
    return {
        name or "value": _number(found.value),
        names[0]: _number(found.low),
        names[1]: _number(found.high),
    }


def _number(number: float | None) -> str:
    return "" if number is None else f"{number:.6g}"
