"""A summary as grids of words, which every format of a report lays out in its own way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sizeup.report.answer import compared_text, digits_of, orders_text
from sizeup.report.crossplay import FEWEST, Crossplay
from sizeup.report.numbers import NOTHING, decimal, interval, plain, short, signed, thousands
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
_SEED_VERDICTS = {
    "positive": "more on most",
    "negative": "less on most",
    "smaller": "as often",
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
    "difference from 0, if it is the true one, or a difference of {margin}, with a probability of "
    "80 %."
)
_SEEDS = (
    "Seeds: on how many of them the first team earned more, as much, or less. This test asks "
    "nothing of the rewards: it says whether more is more frequent than less, not by how much."
)
_IQM = (
    "IQM: the interquartile mean, of the middle half of the runs, which a few runs far away do not "
    "move. A run is a seed block."
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
    return [*comparison_grids(summary), *crossplay_grids(summary), *tables]


def crossplay_grids(summary: Summary) -> list[WordGrid]:
    """Everybody with everybody, and what it comes to for each agent."""
    found = summary.crossplay
    if found is None:
        return []
    orders = [_order_grid(summary, found)] if found.decided else []
    return [_ranking_grid(summary, found), *orders, _matrix_grid(summary, found)]


def _ranking_grid(summary: Summary, found: Crossplay) -> WordGrid:
    digits = 1 if found.measure == "score" else 2
    ranked = sorted(found.overall, key=lambda one: (not one.mean.is_known, -one.mean.value))
    lines = [
        {
            "agent": one.agent,
            "mean": decimal(one.mean.value, digits),
            _INTERVAL: interval(one.mean, digits),
            "IQM": decimal(one.iqm.value, digits),
            "IQM interval": interval(one.iqm, digits),
            "regret": decimal(one.regret.value, digits),
            "regret interval": interval(one.regret, digits),
            "runs": thousands(found.runs[one.agent].size),
        }
        for one in ranked
    ]
    notes = [
        "With all teammates but itself, which spares a weak agent its own company; orderings "
        "compare two agents with the teammates that are neither. Intervals are bootstrapped on "
        f"seed blocks, which all teams share, of {FEWEST} or more. Regret: how much less than "
        f"{found.bound}.",
        _IQM,
        *([orders_text(found)] if found.orders else []),
    ]
    version = found.teammates.version
    title = f"Agents with the teammates of {summary.name}, version {version}"
    return _grid(title, [lines], 1, notes, not summary.counts.missing)


def _order_grid(summary: Summary, found: Crossplay) -> WordGrid:
    digits = 1 if found.measure == "score" else 2
    left = len(found.orders) - len(found.decided)
    lines = [
        {
            "better": one.agent,
            "than": one.other,
            "difference": signed(one.difference.value, digits),
            _INTERVAL: interval(one.difference, digits, is_signed=True),
            "seeds": f"{one.more} of {one.blocks}",
            "decided is": "how often" if one.by_mean == "undecided" else "the mean",
        }
        for one in found.decided
    ]
    notes = [
        "With all teammates that are neither of the two. Seeds: on how many of them the better one "
        "did better; where only that is decided, the mean may yet be another matter.",
        *([f"{left} more pairs of agents are undecided and left out."] if left else []),
    ]
    return _grid("Orderings that are decided", [lines], 2, notes, not summary.counts.missing)


def _matrix_grid(summary: Summary, found: Crossplay) -> WordGrid:
    digits = 1 if found.measure == "score" else 2
    groups = []
    for agent in found.teammates.agents:
        cells = [found.of(agent, mate) for mate in found.teammates.agents]
        groups.append([
            {
                "agent": agent,
                "with": one.mate,
                "mean": decimal(one.value.value, digits),
                _INTERVAL: interval(one.value, digits),
                "regret": decimal(one.regret.value, digits),
                "regret interval": interval(one.regret, digits),
                "runs": thousands(one.blocks),
            }
            for one in cells
        ])  # fmt: skip
    return _grid("Everybody with everybody", groups, 2, range_note(summary), True)


def comparison_grids(summary: Summary) -> list[WordGrid]:
    """The comparisons; of rewards also usual differences, and what could have been earned."""
    found = [comparison_grid(summary)] if summary.comparisons else []
    found += [seeds_grid(summary)] if any(one.by_seed for one in summary.comparisons) else []
    return found + ([regret_grid(summary)] if summary.regrets and summary.counts.counted else [])


def comparison_grid(summary: Summary) -> WordGrid:
    """The comparisons with what was decided."""
    lines = [_compared(summary, found) for found in summary.comparisons]
    worst = max((found.counts for found in summary.comparisons), key=lambda c: c.missing)
    notes = [_TESTS]
    if any(found.choice for found in summary.comparisons):
        notes.append(_CHOICE)
    if any(found.more_for_margin for found in summary.comparisons):
        notes.append(_MORE.format(margin=_margin(summary)))
    notes += [*range_note(summary), *_missing_note(worst)]
    title = "Comparisons of scores, in points"
    if summary.stakes.measure == "reward":
        title = "Comparisons of rewards, a game"
    return _grid(title, [lines], 1, notes, not worst.missing)


def seeds_grid(summary: Summary) -> WordGrid:
    """Usual differences of rewards, which rare games do not move, and seeds that are counted."""
    lines = []
    for found in summary.comparisons:
        seeds = found.by_seed
        counts = () if seeds is None else (seeds.more, seeds.same, seeds.less)
        line = {
            "comparison": compared_text(summary, found),
            "IQM of differences": signed(found.typical.value if found.typical else None, 2),
            _INTERVAL: interval(found.typical, 2, is_signed=True),
            "seeds: more / same / less": " / ".join(map(thousands, counts)),
            "sequential test": "" if seeds is None else _SEED_VERDICTS[seeds.verdict],
            "games used": "" if seeds is None else thousands(seeds.after),
        }
        lines.append(line)
    finished = not any(found.counts.missing for found in summary.comparisons)
    return _grid("Seed by seed", [lines], 1, [_SEEDS, _IQM], finished)


def regret_grid(summary: Summary) -> WordGrid:
    """How much less the teams earned than they could have."""
    arms = dict.fromkeys(one.arm for one in summary.regrets)
    lines = [_regret(summary, arm) for arm in arms]
    notes = ["Regret: how much less a team earned, a game, than it could have."]
    if any(one.to is not None for one in summary.regrets):
        notes.append("A team that is told whom it plays with has played the same seeds.")
    if any(one.to is None for one in summary.regrets):
        best = decimal(summary.stakes.best, 2)
        notes.append(
            f"The optimum, {best}, is what a team can expect that plays perfectly, as the exact "
            "planner found."
        )
    return _grid("Regret", [lines], 1, notes, not summary.counts.missing)


def _regret(summary: Summary, arm: str) -> _Line:
    line = {"team": summary.arms[arm]}
    for to in dict.fromkeys(one.to for one in summary.regrets):
        name = "to the optimum" if to is None else f"to {summary.arms[to]}"
        found = next((r for r in summary.regrets if (r.arm, r.to) == (arm, to)), None)
        line[name] = "" if found is None else decimal(found.value.value, 2)
        line[f"{_INTERVAL} ({name})"] = "" if found is None else interval(found.value, 2)
        if to is None and found is not None:
            line["runs"] = thousands(found.blocks)
    return line


def range_note(summary: Summary) -> Iterator[str]:
    """What intervals of rewards rest on: what a match can pay."""
    stakes = summary.stakes
    if stakes.measure == "score":
        return
    if stakes.is_known:
        ends = f"{plain(stakes.low)} to {plain(stakes.high)}"
        yield f"A match can pay {ends}, {stakes.source}; no interval goes beyond that."
        return
    yield (
        f"What a match can pay is not known: {stakes.source}. Intervals of means assume that it is "
        "at most twice as far from 0 as anything seen; there is no sequential test of means, and "
        "the one shown is of seeds. total_bounds in the game or in the experiment's file says it."
    )


def _margin(summary: Summary) -> str:
    unit = " points" if summary.stakes.measure == "score" else ""
    return f"{plain(summary.margin)}{unit}"


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
    left_out = len(table.rows) - len(lines)
    some_of_them = [f"{left_out} updates between these are left out."] if left_out else []
    notes = (*_notes(summary, table), *some_of_them, "A finished game keeps its last deviation.")
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
    digits, ends = digits_of(found), Estimate(0.0, found.low, found.high)
    return {
        "comparison": compared_text(summary, found),
        "difference": signed(found.difference.value, digits),
        _INTERVAL: interval(found.difference, digits, is_signed=True),
        "sequential test": _VERDICTS[found.verdict].format(margin=summary.margin),
        "games used": thousands(found.decided_after),
        "sequential interval": "" if found.low is None else interval(ends, digits, is_signed=True),
        "published": "" if found.published is None else signed(found.published),
        "published or 0": choice,
        "more games (observed)": _count(found.more_for_observed),
        f"more games ({_margin(summary)})": _count(found.more_for_margin),
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
        "mean": decimal(entry.value.value, 2) + _leaves_out(entry),
        _INTERVAL: interval(entry.value, 2),
        "IQM": decimal(entry.iqm.value if entry.iqm else None, 2),
        "IQM interval": interval(entry.iqm, 2),
        "median": short(entry.median.value if entry.median else None),
        "median interval": _short_interval(entry.median),
        "published": "" if entry.published is None else plain(entry.published),
        "exact matches": "" if exact is None else f"{decimal(exact.value, 0)} %",
        "match interval": "" if exact is None else f"{interval(exact, 0)} %",
        "runs": thousands(entry.blocks),
    }


def _short_interval(found: Estimate | None) -> str:
    if found is None or found.low is None or found.high is None:
        return NOTHING
    return f"{short(found.low)} to {short(found.high)}"


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
    if table.measure == "reward":
        yield _IQM
        few = runs_for_median()
        if any(0 < e.blocks < few for e in table.entries):
            yield f"A median has an interval from {few} runs on."
        if not summary.comparisons:  # where it is said already
            yield from range_note(summary)


def _missing_note(counts: Counts) -> Iterator[str]:
    """That a table is not finished, if it is not."""
    if counts.missing:
        given_up = f" ({thousands(counts.quarantined)} in quarantine)" if counts.quarantined else ""
        missing = f"{thousands(counts.missing)} of {thousands(counts.planned)} games are missing"
        yield f"Unfinished: {missing}{given_up}. Only complete seed blocks count."
