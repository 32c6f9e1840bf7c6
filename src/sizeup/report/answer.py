"""The answer to an experiment's question in a sentence or two, and the commands behind it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sizeup.report.crossplay import Crossplay, Overall
from sizeup.report.numbers import MINUS, decimal, interval, plain, short, signed, thousands
from sizeup.report.summary import Compared, Entry, Summary
from sizeup.words import listed

_MOST_RANKED = 4


def answer(summary: Summary) -> str:
    """What the games say, from the sequential tests if there are comparisons."""
    if not summary.counts.counted:
        return "No answer yet: no seed block is complete."
    published = [e for table in summary.tables for e in table.entries if e.published is not None]
    if summary.crossplay is not None:
        return _crossed(summary.crossplay)
    if not summary.comparisons:
        if published or summary.stakes.measure == "score":
            return _beside_published(summary, published)
        return _ranked(summary)
    first, *others = summary.comparisons
    said = _several(summary) if others else _one(summary, first)
    if published and summary.stakes.measure == "reward":
        said = f"{said} {_beside_published(summary, published)}"
    return said


def _crossed(found: Crossplay) -> str:
    """Who gets on best with teammates that it has not chosen."""
    known = [one for one in found.overall if one.mean.is_known]
    if not known:
        return "No answer yet: no seed block is complete for all teams of an agent."
    best, *others = sorted(known, key=lambda one: -one.mean.value)
    digits, unit = (1, "points") if found.measure == "score" else (2, "a game")

    def earned(one: Overall) -> str:
        ends = interval(one.mean, digits)
        sure = "too few seed blocks for an interval"
        sure = sure if one.mean.low is None else f"95 % interval {ends}"
        return f"{one.agent} ({decimal(one.mean.value, digits)} {unit}, {sure})"

    joint = "as has" if others and others[0].mean.value == best.mean.value else "before"
    beside = f", {joint} {earned(others[0])}" if others else ""
    left = len(found.overall) - len(known)
    yet = f"; {left} of the {len(found.overall)} agents have no complete seed block yet" * bool(
        left
    )
    sure = others and (best.agent, others[0].agent) in {
        (one.agent, one.other) for one in found.decided
    }
    does = "does best" if sure else "has the highest mean"
    most = f"{earned(best)} {does} with the other teammates of the set{beside}{yet}."
    return f"{most} {orders_text(found)}" if found.orders else most


def orders_text(found: Crossplay) -> str:
    """How many orderings of agents are decided, and after how much."""
    blocks = max(one.blocks for one in found.orders)
    decided, of = len(found.decided), len(found.orders)
    said = f"{decided or 'None'} of the {of} orderings of agents"
    are = "is" if decided <= 1 else "are"
    after = f"{thousands(blocks)} seed block{'s' * (blocks != 1)}"
    together = ", all of them right with a probability of 95 %" if decided else ""
    return f"{said} {are} decided after {after}{together}."


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


def digits_of(found: Compared) -> int:
    """How many digits a difference is shown with."""
    return 1 if found.measure == "score" else 2


def amount(number: float, found: Compared) -> str:
    """A difference with its unit."""
    unit = "points" if found.measure == "score" else "a game"
    return f"{signed(number, digits_of(found))} {unit}"


def _points(found: Compared) -> str:
    """The difference and its interval, in a parenthesis that stays open."""
    ends = interval(found.difference, digits_of(found), is_signed=True)
    return f"{amount(found.difference.value, found)} (95 % interval {ends}"


def _one(summary: Summary, found: Compared) -> str:
    """A comparison in words: the difference, its interval, and what was decided."""
    name = compared_text(summary, found)
    if not found.difference.is_known:
        return f"{name}: no complete seed block yet."
    if found.measure == "reward":
        return _one_of_rewards(summary, found)
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


def _one_of_rewards(summary: Summary, found: Compared) -> str:
    """Who earns more, by how much, and how sure that is, in one sentence."""
    arm, other = summary.arms[found.arm], summary.arms[str(found.minus)]
    games = thousands(found.counts.counted)
    measured = f"{_points(found)}, {games} games; {seeds_text(found)})"
    if found.is_decided:
        after = thousands(found.decided_after)
        return f"{_claim(summary, found)}: {measured}, decided after {after} games."
    undecided = f"Not decided yet whether {arm} earns more than {other}: {measured}"
    often = {"positive": "more", "negative": "less"}.get(
        found.by_seed.verdict if found.by_seed else ""
    )
    if often is not None:
        undecided += f", though it is decided that it earns {often} on most seeds"
    if found.more_for_observed is None:
        return f"{undecided}; how many more games it takes cannot be estimated."
    more = thousands(found.more_for_observed)
    return f"{undecided}; about {more} more games would decide it if that is the true difference."


def seeds_text(found: Compared) -> str:
    """On how many seeds the first arm earned more, and less."""
    if found.by_seed is None:
        return ""
    of = thousands(found.by_seed.more + found.by_seed.same + found.by_seed.less)
    return (
        f"more on {thousands(found.by_seed.more)} of {of} seeds, less on "
        f"{thousands(found.by_seed.less)}"
    )


def _ranked(summary: Summary) -> str:
    """Arms by their mean reward, where nothing is to be compared."""
    totals = (e for t in summary.tables if t.measure == "reward" for e in t.entries)
    known = {e.arm: e for e in totals if e.row == "total" and e.value.is_known}
    if not known:
        return f"{progress(summary).capitalize()}; the experiment asks for no rewards."
    ranked = sorted(known.values(), key=lambda entry: -entry.value.value)
    told = [
        f"{summary.arms[e.arm]} earns {decimal(e.value.value, 2)} a game (95 % interval "
        f"{interval(e.value, 2)})"
        for e in ranked[:_MOST_RANKED]
    ]
    rest = len(ranked) - len(told)
    others = f"; {rest} more team{'s' * (rest > 1)} less" if rest else ""
    nothing = "; the experiment compares no teams" if len(ranked) > 1 else ""
    return f"{', '.join(told)}{others}{nothing}."


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
    claims = [f"{_claim(summary, one)} ({amount(one.difference.value, one)})" for one in decided]
    rest = f" {left} comparison{'s are' if left > 1 else ' is'} undecided." if left else ""
    return f"After {played} games: {'; '.join(claims)}.{rest}"


def _claim(summary: Summary, found: Compared) -> str:
    """What the sequential tests say, the one for the sign if it has an answer."""
    if found.verdict == "undecided":
        return f"{compared_text(summary, found)} is {choice_text(found)}"
    arm = summary.arms[found.arm]
    if found.measure == "reward":
        return _claim_of_rewards(summary, found)
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


def _claim_of_rewards(summary: Summary, found: Compared) -> str:
    arm, other = summary.arms[found.arm], summary.arms[str(found.minus)]
    if found.low is None:  # mean rewards have no test
        return {
            "positive": f"{arm} earns more than {other} on more seeds than less",
            "negative": f"{arm} earns less than {other} on more seeds than more",
            "smaller": f"{arm} earns more than {other} as often as less",
        }[found.verdict]
    return {
        "positive": f"{arm} earns more than {other}",
        "negative": f"{arm} earns less than {other}",
        "smaller": f"{arm} and {other} earn the same, within {plain(summary.margin)}",
    }[found.verdict]


def _beside_published(summary: Summary, entries: Sequence[Entry]) -> str:
    if not entries:
        return f"{progress(summary).capitalize()}; no published numbers to compare them with."
    if not all(entry.exact is not None for entry in entries):
        inside = sum(bool(entry.agrees) for entry in entries)
        return f"{inside} of {len(entries)} published numbers lie within our 95 % intervals."
    others = [
        f"{summary.arms[e.arm]} ({short(e.median.value)}, published {plain(e.published)})"
        for e in entries
        if e.median is not None and short(e.median.value) != short(e.published)
    ]
    same = len(entries) - len(others)
    text = f"Our median matches the published one for {same} of {len(entries)} teams"
    return f"{text}, but not for {listed(others)}." if others else f"{text}."
