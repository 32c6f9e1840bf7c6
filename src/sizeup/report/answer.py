"""The answer to the experiment's question in one sentence, as far as there is one."""

from __future__ import annotations

from collections.abc import Sequence

from sizeup.report.numbers import MINUS, interval, plain, signed, thousands
from sizeup.report.summary import Compared, Entry, Summary

__all__ = ["answer", "choice_text", "compared_text", "progress"]


def answer(summary: Summary) -> str:
    """What the games say, from the sequential tests if there are comparisons."""
    if not summary.counts.counted:
        return "No answer yet: no seed block is complete."
    if len(summary.comparisons) == 1:
        return _only(summary, summary.comparisons[0])
    if summary.comparisons:
        return _several(summary)
    totals = [e for table in summary.tables for e in table.entries if e.published is not None]
    return _beside_published(summary, totals)


def progress(summary: Summary) -> str:
    """How far the experiment is."""
    counts = summary.counts
    text = f"{thousands(counts.played)} of {thousands(counts.planned)} games"
    if not counts.missing:
        return f"all {thousands(counts.planned)} games are played"
    given_up = f", {thousands(counts.quarantined)} in quarantine" if counts.quarantined else ""
    return f"unfinished: {text} are played{given_up}"


def compared_text(summary: Summary, comparison: Compared) -> str:
    """A comparison's name: whose score minus whose."""
    other = "its opponents" if comparison.minus is None else summary.arms[comparison.minus]
    return f"{summary.arms[comparison.arm]} {MINUS} {other}"


def choice_text(found: Compared) -> str:
    """Which of two differences it is, the published one or 0."""
    published = f"the published {signed(found.published or 0.0)}"
    it, other = (published, "0") if found.choice == "claimed" else ("0", published)
    return f"rather {it} than {other}"


def _only(summary: Summary, found: Compared) -> str:
    numbers = f"{signed(found.difference.value)} points, 95 % interval {interval(found.difference)}"
    if found.verdict != "undecided":
        told = f"the sequential test told so after {thousands(found.decided_after)} games"
        return f"{_claim(summary, found)} ({numbers}); {told}."
    if found.is_decided:
        told = f"told after {thousands(found.chosen_after)} games"
        return f"{_decided(summary, found)} ({numbers}); {told}."
    more = found.more_for_observed
    outlook = (
        f"if that is the truth, about {thousands(more)} more games would show it"
        if more is not None
        else "how many more games would show it cannot be said yet"
    )
    played = thousands(found.counts.counted)
    name = compared_text(summary, found)
    return f"Not decided yet: after {played} games {name} is at {numbers}; {outlook}."


def _several(summary: Summary) -> str:
    decided = [found for found in summary.comparisons if found.is_decided]
    left = len(summary.comparisons) - len(decided)
    played = thousands(summary.counts.counted)
    if not decided:
        first = summary.comparisons[0]
        return (
            f"Not decided yet: after {played} games none of the {left} comparisons is settled; "
            f"{compared_text(summary, first)} is at {signed(first.difference.value)} points "
            f"(95 % interval {interval(first.difference)})."
        )
    claims = [
        f"{_decided(summary, found)} ({signed(found.difference.value)} points)" for found in decided
    ]
    rest = {0: "", 1: "; one comparison is undecided"}.get(left, f"; {left} are undecided")
    return f"After {played} games {_listed(claims)}{rest}."


def _decided(summary: Summary, found: Compared) -> str:
    """What the sequential tests say, the one for the sign if it has an answer."""
    if found.verdict == "undecided":
        return f"{compared_text(summary, found)} is {choice_text(found)}"
    return _claim(summary, found)


def _claim(summary: Summary, found: Compared) -> str:
    """What was decided."""
    arm = summary.arms[found.arm]
    margin = f"{summary.margin:g} points"
    if found.minus is None:
        return {
            "positive": f"{arm} wins more often than it loses",
            "negative": f"{arm} loses more often than it wins",
            "smaller": f"{arm} wins and loses alike within {margin}",
        }[found.verdict]
    other = summary.arms[found.minus]
    return {
        "positive": f"{arm} scores more than {other}",
        "negative": f"{arm} scores less than {other}",
        "smaller": f"{arm} and {other} score alike within {margin}",
    }[found.verdict]


def _beside_published(summary: Summary, entries: Sequence[Entry]) -> str:
    if not entries:
        return f"{progress(summary).capitalize()}; nothing was published to set beside them."
    medians = all(entry.exact is not None for entry in entries)
    if not medians:
        inside = sum(bool(entry.agrees) for entry in entries)
        return f"{inside} of {len(entries)} published numbers lie within our 95 % intervals."
    others = [entry for entry in entries if entry.value.value != entry.published]
    same = len(entries) - len(others)
    text = f"Our median is the published one for {same} of {len(entries)} teams"
    if not others:
        return f"{text}."
    named = [
        f"{summary.arms[entry.arm]} ({plain(entry.value.value)}, published "
        f"{plain(entry.published)})"
        for entry in others
    ]
    return f"{text}, but not for {_listed(named)}."


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
