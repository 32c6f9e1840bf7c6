"""Lines of a report's tables: what each measure shows of an entry, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from sizeup.report.answer import compared_text
from sizeup.report.numbers import decimal, interval, plain, signed, thousands
from sizeup.report.summary import Compared, Counts, Entry, Estimate, Summary, Tabled
from sizeup.statistics import runs_for_median

__all__ = [
    "INTERVAL",
    "Line",
    "belief_note",
    "compared_line",
    "entry_line",
    "missing_note",
    "notes",
]

Line: TypeAlias = dict[str, str]
"""Words by heading; a heading with no word in any line is left out."""

INTERVAL = "95 % interval"
LEAVES_OUT = "†"
_REWARDS = {"checkers": "piece difference"}
_VERDICTS = {
    "positive": "above 0",
    "negative": "below 0",
    "smaller": "within {margin:g} of 0",
    "undecided": "undecided",
}


def compared_line(summary: Summary, found: Compared) -> Line:
    """A comparison."""
    return {
        "comparison": compared_text(summary, found),
        "difference": signed(found.difference.value),
        INTERVAL: interval(found.difference),
        "sequential test": _VERDICTS[found.verdict].format(margin=summary.margin),
        "after games": thousands(found.decided_after),
        "its interval": interval(Estimate(0.0, found.low, found.high)),
        "published": "" if found.published is None else signed(found.published),
        "published or 0": _choice(found),
        "more for this": _count(found.more_for_observed),
        f"more for {summary.margin:g} points": _count(found.more_for_margin),
    }


def _choice(found: Compared) -> str:
    if found.choice in (None, "undecided"):
        return found.choice or ""
    it = "published" if found.choice == "claimed" else "0"
    return f"{it}, after {thousands(found.chosen_after)}"


def entry_line(summary: Summary, table: Tabled, entry: Entry) -> Line:
    """An entry of a table by its measure."""
    line = {"score": _score, "reward": _reward, "deviation": _deviation}[table.measure]
    return {**line(summary, entry), "missing": _count(entry.counts.missing or None)}


def _score(summary: Summary, entry: Entry) -> Line:
    tally, reward = entry.tally, _REWARDS.get(summary.game, "mean reward")
    return {
        "score": decimal(entry.value.value) + _leaves_out(entry),
        INTERVAL: interval(entry.value),
        **_published(entry, 1),
        "games": thousands(entry.counts.counted),
        "W / D / L": "" if tally is None else f"{tally.wins} / {tally.draws} / {tally.losses}",
        reward: decimal(entry.reward.value if entry.reward else None, 2),
        "its interval": interval(entry.reward, 2),
    }


def _reward(summary: Summary, entry: Entry) -> Line:
    exact = entry.exact
    return {
        "median": plain(entry.value.value) + _leaves_out(entry),
        INTERVAL: interval(entry.value, None),
        "published": "" if entry.published is None else plain(entry.published),
        "exactly that": "" if exact is None else f"{decimal(exact.value, 0)} %",
        "its interval": "" if exact is None else f"{interval(exact, 0)} %",
        "runs": thousands(entry.blocks),
    }


def _deviation(summary: Summary, entry: Entry) -> Line:
    return {
        "deviation": decimal(entry.value.value, 2) + _leaves_out(entry),
        INTERVAL: interval(entry.value, 2),
        **_published(entry, 1),
        "games": thousands(entry.counts.counted),
    }


def _published(entry: Entry, digits: int) -> Line:
    agrees = {None: "", True: "yes", False: "no"}[entry.agrees]
    return {
        "published": "" if entry.published is None else decimal(entry.published, digits),
        "within ours": agrees,
    }


def _leaves_out(entry: Entry) -> str:
    return LEAVES_OUT if 0 < entry.cells < entry.of_cells else ""


def _count(number: int | None) -> str:
    return "" if number is None else thousands(number)


def belief_note(summary: Summary) -> Iterator[str]:
    """That beliefs are not those of all games, if they are not."""
    if summary.beliefs_from is not None:
        yield f"Beliefs are those of the first {thousands(summary.beliefs_from)} games."


def notes(summary: Summary, table: Tabled) -> Iterator[str]:
    """What a reader of a table must know."""
    counts = sum((e.counts for e in table.entries if e.row == table.rows[-1]), Counts())
    yield from missing_note(counts)
    if table.measure == "deviation":
        yield from belief_note(summary)
    if any(_leaves_out(entry) for entry in table.entries):
        yield f"{LEAVES_OUT} Some of its cells have no whole seed block yet and are left out."
    few = runs_for_median()
    if table.measure == "reward" and any(0 < e.counts.counted < few for e in table.entries):
        yield f"The interval of a median takes {few} runs."


def missing_note(counts: Counts) -> Iterator[str]:
    """That a table is not finished, if it is not."""
    if counts.missing:
        text = f"{thousands(counts.missing)} of {thousands(counts.planned)} games missing"
        given_up = f", {thousands(counts.quarantined)} in quarantine" if counts.quarantined else ""
        yield f"Unfinished: {text}{given_up}. Only whole seed blocks count."
