"""The answer to an experiment's question in a sentence or two, and the commands behind it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sizeup.report.numbers import MINUS, interval, plain, signed, thousands
from sizeup.report.summary import Compared, Entry, Summary
from sizeup.words import listed


def answer(summary: Summary) -> str:
    """What the games say, from the sequential tests if there are comparisons."""
    if not summary.counts.counted:
        return "No answer yet: no seed block is complete."
    if len(summary.comparisons) == 1:
        return _one(summary, summary.comparisons[0])
    if summary.comparisons:
        return _several(summary)
    return _beside_published(
        summary, [e for table in summary.tables for e in table.entries if e.published is not None]
    )


def progress(summary: Summary) -> str:
    """How far the experiment is."""
    counts = summary.counts
    if not counts.missing:
        return f"all {thousands(counts.planned)} games played"
    given_up = f", {thousands(counts.quarantined)} in quarantine" if counts.quarantined else ""
    played = f"{thousands(counts.played)} of {thousands(counts.planned)} games played"
    return f"unfinished: {played}{given_up}"


def compared_text(summary: Summary, comparison: Compared) -> str:
    """A comparison's name: whose score minus whose."""
    other = "its opponents" if comparison.minus is None else summary.arms[comparison.minus]
    return f"{summary.arms[comparison.arm]} {MINUS} {other}"


def choice_text(found: Compared) -> str:
    """Which of two differences it is, the published one or 0."""
    published = found.published or 0.0
    far, near = ("more", "less") if published > 0 else ("less", "more")
    if found.choice == "claimed":
        return f"{signed(published)} or {far}, as published, not 0"
    return f"0 or {near}, not the published {signed(published)}"


def commands(summary: Summary) -> list[str]:
    """What to type to run the experiment, to check its games, and to write the page."""
    store = shlex.quote(summary.store)
    run = f"sizeup run {shlex.quote(summary.command)} --store {store} --seed"
    runs = dict.fromkeys(
        f"{run} {source.seed}" + (f" --blocks {source.blocks}" if source.blocks else "")
        for source in summary.sources
    )
    page = shlex.quote(f"{summary.name}.html")
    return [*runs, f"sizeup verify {store}", f"sizeup report {store} --html {page}"]


def replay_command(summary: Summary, game_id: str) -> str:
    """What to type to watch a game again."""
    return f"sizeup replay {shlex.quote(summary.store)} {shlex.quote(game_id)}"


def _points(found: Compared) -> str:
    """The difference and its interval, in a parenthesis that stays open."""
    ends = interval(found.difference, is_signed=True)
    return f"{signed(found.difference.value)} points (95 % interval {ends}"


def _one(summary: Summary, found: Compared) -> str:
    """A comparison in words: the difference, its interval, and what was decided."""
    name = compared_text(summary, found)
    if not found.difference.is_known:
        return f"{name}: no complete seed block yet."
    so_far = f"{name}: {_points(found)}, {thousands(found.counts.counted)} games). "
    if found.is_decided:
        is_sign = found.verdict != "undecided"
        after = thousands(found.decided_after if is_sign else found.chosen_after)
        decision = _claim(summary, found) if is_sign else choice_text(found)
        return f"{so_far}Decided after {after} games: {decision}."
    if found.more_for_observed is None:
        return f"{so_far}Not decided yet; how many more games it takes cannot be estimated."
    return (
        f"{so_far}Not decided yet: about {thousands(found.more_for_observed)} more games would "
        f"decide it if the true difference is {signed(found.difference.value)} points."
    )


def _several(summary: Summary) -> str:
    decided = [found for found in summary.comparisons if found.is_decided]
    left = len(summary.comparisons) - len(decided)
    played = thousands(summary.counts.counted)
    if not decided:
        first = summary.comparisons[0]
        return (
            f"None of the {left} comparisons is decided after {played} games. "
            f"{compared_text(summary, first)}: {_points(first)})."
        )
    claims = [f"{_claim(summary, one)} ({signed(one.difference.value)} points)" for one in decided]
    rest = f" {left} comparison{'s are' if left > 1 else ' is'} undecided." if left else ""
    return f"After {played} games: {'; '.join(claims)}.{rest}"


def _claim(summary: Summary, found: Compared) -> str:
    """What the sequential tests say, the one for the sign if it has an answer."""
    if found.verdict == "undecided":
        return f"{compared_text(summary, found)} is {choice_text(found)}"
    arm = summary.arms[found.arm]
    margin = f"{summary.margin:g} points"
    if found.minus is None:
        return {
            "positive": f"{arm} wins more often than it loses",
            "negative": f"{arm} loses more often than it wins",
            "smaller": f"{arm} wins as often as it loses, within {margin}",
        }[found.verdict]
    other = summary.arms[found.minus]
    return {
        "positive": f"{arm} scores higher than {other}",
        "negative": f"{arm} scores lower than {other}",
        "smaller": f"{arm} and {other} score the same, within {margin}",
    }[found.verdict]


def _beside_published(summary: Summary, entries: Sequence[Entry]) -> str:
    if not entries:
        return f"{progress(summary).capitalize()}; no published numbers to compare them with."
    if not all(entry.exact is not None for entry in entries):
        inside = sum(bool(entry.agrees) for entry in entries)
        return f"{inside} of {len(entries)} published numbers lie within our 95 % intervals."
    others = [
        f"{summary.arms[e.arm]} ({plain(e.value.value)}, published {plain(e.published)})"
        for e in entries
        if e.value.value != e.published
    ]
    same = len(entries) - len(others)
    text = f"Our median matches the published one for {same} of {len(entries)} teams"
    return f"{text}, but not for {listed(others)}." if others else f"{text}."
