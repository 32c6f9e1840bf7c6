"""A summary as grids of words, which every format of a report lays out in its own way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sizeup.report.answer import compared_text
from sizeup.report.numbers import decimal, interval, plain, signed, thousands
from sizeup.report.summary import Compared, Counts, Entry, Estimate, Summary, Tabled
from sizeup.statistics import runs_for_median

_Line: TypeAlias = dict[str, str]
"""Words by heading; a heading without a word in any line is left out."""

_INTERVAL = "95 % interval"
_LEAVES_OUT = "†"
_MOST_UPDATES = 9
_VERDICTS = {
    "positive": "above 0",
    "negative": "below 0",
    "smaller": "within {margin:g} of 0",
    "undecided": "undecided",
}
_TESTS = (
    "The 95 % interval holds for a number of games fixed in advance. The sequential test may be "
    "checked at any time; it is wrong with a probability of at most 5 %."
)
_CHOICE = (
    "Published or 0: a sequential test between the published difference (or more) and 0 (or the "
    "opposite sign). It picks the wrong one with a probability of at most 5 %; if the truth lies "
    "between the two, it may pick either."
)
_MORE = (
    "More games: about how many more games the sequential test needs to tell the observed "
    "difference from 0, if it is the true one, or a difference of {margin:g} points, with a "
    "probability of 80 %."
)


@dataclass(frozen=True)
class WordGrid:
    """A table ready to be laid out."""

    title: str
    columns: tuple[str, ...]
    heads: int  # so many columns say what a line is about, the others hold numbers
    groups: tuple[tuple[tuple[str, ...], ...], ...]  # lines that belong together
    notes: tuple[str, ...] = ()
    is_finished: bool = True

    @property
    def caption(self) -> str:
        """The title, and whether it is finished."""
        return self.title if self.is_finished else f"{self.title} (unfinished)"

    def lines(self) -> Iterator[list[tuple[str, ...]]]:
        """Groups of lines in which a head that repeats the line above is left empty."""
        for group in self.groups:
            first = group[0][0]
            again = [("", *line[1:]) if line[0] == first else line for line in group[1:]]
            yield [group[0], *again]


def grids(summary: Summary) -> list[WordGrid]:
    """All tables of a report, the comparisons first."""
    tables = [table_grid(summary, table) for table in summary.tables if table.entries]
    return [comparison_grid(summary), *tables] if summary.comparisons else tables


def comparison_grid(summary: Summary) -> WordGrid:
    """The comparisons with what was decided."""
    lines = [_compared(summary, found) for found in summary.comparisons]
    worst = max((found.counts for found in summary.comparisons), key=lambda c: c.missing)
    notes = [_TESTS]
    if any(found.choice for found in summary.comparisons):
        notes.append(_CHOICE)
    if any(found.more_for_margin for found in summary.comparisons):
        notes.append(_MORE.format(margin=summary.margin))
    notes += _missing_note(worst)
    return _grid("Comparisons of scores, in points", [lines], 1, notes, not worst.missing)


def table_grid(summary: Summary, table: Tabled) -> WordGrid:
    """A table of the experiment; of a curve over updates, some points of it."""
    if table.by == "update":
        return _curve_grid(summary, table)
    several = len(table.arms) > 1 or not table.by
    measured = {"score": _score, "reward": _reward, "deviation": _deviation}[table.measure]
    groups: dict[str, list[_Line]] = {}
    for entry in table.entries:
        line = {table.by: entry.row} if table.by else {}
        line |= {"team": summary.arms[entry.arm]} if several else {}
        line |= {**measured(summary, entry), "missing": _count(entry.counts.missing or None)}
        together = entry.row if several or entry.row == "total" else ""
        groups.setdefault(together, []).append(line)
    heads, notes = bool(table.by) + several, _notes(summary, table)
    return _grid(table.title, list(groups.values()), heads, notes, table.is_finished)


def origins_grid(summary: Summary) -> WordGrid:
    """Where the games come from: seeds, fingerprints, versions."""
    libraries = list(dict.fromkeys(name for s in summary.sources for name in s.versions))
    versions = ([s.versions.get(name, "") for name in libraries] for s in summary.sources)
    lines = tuple(
        (str(s.seed), thousands(s.games), s.config, s.code, *its)
        for s, its in zip(summary.sources, versions, strict=True)
    )
    columns = ("seed", "games", "configuration", "code", *libraries)
    foreign = (
        f"The store also has {thousands(summary.foreign)} games of another configuration, which "
        "are left out."
    )
    notes = (foreign,) if summary.foreign else ()
    return WordGrid("Origin of the games", columns, 1, (lines,) if lines else (), notes)


def belief_note(summary: Summary) -> Iterator[str]:
    """That beliefs are not those of all games, if they are not."""
    if summary.beliefs_from is not None:
        yield f"Beliefs are from the first {thousands(summary.beliefs_from)} games only."


def _curve_grid(summary: Summary, table: Tabled) -> WordGrid:
    lines, most = [], _MOST_UPDATES - 1
    # The first, the last and some places between, denser at the beginning.
    some = {round((len(table.rows) - 1) * (i / most) ** 2) for i in range(_MOST_UPDATES)}
    for update in sorted(some):
        line = {"update": str(update)}
        for one in (entry for entry in table.entries if entry.row == str(update)):
            shown = f"{decimal(one.value.value, 2)} ({interval(one.value, 2)})"
            line[summary.arms[one.arm]] = shown
        lines.append({**line, "still playing": f"{decimal(table.going[update], 0)} %"})
    notes = (*_notes(summary, table), "A finished game keeps its last deviation.")
    return _grid(table.title, [lines], 1, notes, table.is_finished)


def _grid(
    title: str, groups: Sequence[Sequence[_Line]], heads: int, notes: Iterable[str], is_done: bool
) -> WordGrid:
    """A grid of lines, without columns that are empty."""
    every = [line for group in groups for line in group]
    columns = tuple(name for name in every[0] if any(line[name] for line in every))
    laid = tuple(tuple(tuple(line[name] for name in columns) for line in g) for g in groups)
    return WordGrid(title, columns, heads, laid, tuple(notes), is_done)


def _compared(summary: Summary, found: Compared) -> _Line:
    choice: str = found.choice or ""
    if choice in ("claimed", "none"):
        it = "published" if choice == "claimed" else "0"
        choice = f"{it}, after {thousands(found.chosen_after)}"
    return {
        "comparison": compared_text(summary, found),
        "difference": signed(found.difference.value),
        _INTERVAL: interval(found.difference, is_signed=True),
        "sequential test": _VERDICTS[found.verdict].format(margin=summary.margin),
        "games used": thousands(found.decided_after),
        "sequential interval": interval(Estimate(0.0, found.low, found.high), is_signed=True),
        "published": "" if found.published is None else signed(found.published),
        "published or 0": choice,
        "more games (observed)": _count(found.more_for_observed),
        f"more games ({summary.margin:g} points)": _count(found.more_for_margin),
    }


def _score(summary: Summary, entry: Entry) -> _Line:
    tally = entry.tally
    counts = () if tally is None else (tally.wins, tally.draws, tally.losses)
    return {
        "score": decimal(entry.value.value) + _leaves_out(entry),
        _INTERVAL: interval(entry.value),
        **_published(entry),
        "games": thousands(entry.counts.counted),
        "W / D / L": " / ".join(map(thousands, counts)),
        summary.reward: decimal(entry.reward.value if entry.reward else None, 2),
        f"{summary.reward} interval": interval(entry.reward, 2),
    }


def _reward(summary: Summary, entry: Entry) -> _Line:
    exact = entry.exact
    return {
        "median": plain(entry.value.value) + _leaves_out(entry),
        _INTERVAL: interval(entry.value, None),
        "published": "" if entry.published is None else plain(entry.published),
        "exact matches": "" if exact is None else f"{decimal(exact.value, 0)} %",
        "match interval": "" if exact is None else f"{interval(exact, 0)} %",
        "runs": thousands(entry.blocks),
    }


def _deviation(summary: Summary, entry: Entry) -> _Line:
    return {
        "deviation": decimal(entry.value.value, 2) + _leaves_out(entry),
        _INTERVAL: interval(entry.value, 2),
        **_published(entry),
        "games": thousands(entry.counts.counted),
    }


def _published(entry: Entry) -> _Line:
    return {
        "published": "" if entry.published is None else decimal(entry.published),
        "in our interval": {None: "", True: "yes", False: "no"}[entry.agrees],
    }


def _leaves_out(entry: Entry) -> str:
    return _LEAVES_OUT if 0 < entry.cells < entry.of_cells else ""


def _count(number: int | None) -> str:
    return "" if number is None else thousands(number)


def _notes(summary: Summary, table: Tabled) -> Iterator[str]:
    """What a reader of a table must know."""
    counts = sum((e.counts for e in table.entries if e.row == table.rows[-1]), Counts())
    yield from _missing_note(counts)
    if table.measure == "deviation":
        yield from belief_note(summary)
    if any(_leaves_out(entry) for entry in table.entries):
        yield f"{_LEAVES_OUT} Cells without a complete seed block are left out."
    few = runs_for_median()
    if table.measure == "reward" and any(0 < e.counts.counted < few for e in table.entries):
        yield f"A median has an interval from {few} runs on."


def _missing_note(counts: Counts) -> Iterator[str]:
    """That a table is not finished, if it is not."""
    if counts.missing:
        given_up = f" ({thousands(counts.quarantined)} in quarantine)" if counts.quarantined else ""
        missing = f"{thousands(counts.missing)} of {thousands(counts.planned)} games are missing"
        yield f"Unfinished: {missing}{given_up}. Only complete seed blocks count."
