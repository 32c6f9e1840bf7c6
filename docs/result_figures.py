"""Figures of the results page, drawn from the numbers in docs/results."""

import csv
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown

from sizeup.experiments.spec import read_experiment

RESULTS = Path(__file__).parent / "results"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # colour-blind safe


def titles_of(name):
    """What the arms of an experiment are called."""
    example = RESULTS.parents[1] / "examples" / f"{name}.toml"
    arms = read_experiment(example if example.exists() else name).arms
    return {arm.name: arm.title for arm in arms}


def numbers(name):
    """All numbers of an experiment's report, a dictionary each."""
    with (RESULTS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def curve(axes, name, by, measure, title, table=None, most=None, leave_out=(), band=True):
    """One line with its 95 % band for each arm, over rounds or over updates of the belief."""
    titles = titles_of(name)
    rows = [
        row for row in numbers(name)
        if row["by"] == by and row["measure"] == measure and row["row"] != "total"
        and (table is None or table in row["table"]) and row["value"]
    ]  # fmt: skip
    arms = [arm for arm in titles if arm not in leave_out and any(r["arm"] == arm for r in rows)]
    for arm, colour in zip(arms, COLOURS, strict=False):
        mine = [row for row in rows if row["arm"] == arm][:most]
        at = np.array([int(row["row"]) for row in mine])
        value, low, high = (
            np.array([float(row[key] or "nan") for row in mine]) for key in ("value", "low", "high")
        )
        axes.plot(at, value, color=colour, label=titles[arm])
        if band:
            axes.fill_between(at, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set_title(title)
    axes.legend(frameon=False)


def forest(axes, name, table, title, leave_out=()):
    """Every entry of a table with its 95 % interval; diamonds are the published numbers."""
    titles = titles_of(name)
    rows = [
        row for row in numbers(name)
        if table in row["table"] and row["value"] and row["arm"] not in leave_out
    ]  # fmt: skip
    for place, row in enumerate(rows):
        value, low, high = (float(row[key]) for key in ("value", "low", "high"))
        axes.plot([low, high], [place, place], color=COLOURS[0], linewidth=2)
        axes.plot(value, place, "o", color=COLOURS[0])
        if row["published"]:
            axes.plot(float(row["published"]), place, "D", color=COLOURS[1], markersize=5)
    axes.axvline(0, color="#777777", linewidth=0.8)
    axes.set_yticks(range(len(rows)), [_label(row, titles) for row in rows])
    axes.invert_yaxis()
    axes.set(title=title, xlabel="points")


def differences(axes, name, title):
    """Every comparison of an experiment: 95 % interval, and that of the sequential test."""
    titles = titles_of(name)
    rows = [row for row in numbers(name) if row["table"] == "comparisons" and row["value"]]
    for place, row in enumerate(rows):
        value, low, high, least, most = (
            float(row[key]) for key in ("value", "low", "high", "sequence_low", "sequence_high")
        )
        axes.plot([least, most], [place, place], color="#bbbbbb", linewidth=5)
        axes.plot([low, high], [place, place], color=COLOURS[0], linewidth=2)
        axes.plot(value, place, "o", color=COLOURS[0])
    axes.axvline(0, color="#777777", linewidth=0.8)
    labels = [
        titles[row["arm"]] + (f" \u2212 {titles[row['minus']]}" if row["minus"] else "")
        for row in rows
    ]
    axes.set_yticks(range(len(rows)), labels)
    axes.invert_yaxis()
    axes.set(title=title, xlabel="difference of scores in points")


CLAIMS = (  # experiment, arm, minus which arm
    ("checkers-aware", "ca", ""),
    ("checkers-multi", "ma", "sa"),
    *(("checkers-ablation", arm, "obl") for arm in ("ca", "ora", "nu", "min", "eq")),
)


def claims():
    """Every published claim beside what was found with 1 and with 5 teammate iterations."""
    lines = [
        "| difference | published | with 1 teammate iteration | with 5 teammate iterations |",
        "|---|--:|---|---|",
    ]
    for name, arm, minus in CLAIMS:
        titles = titles_of(name)
        first, other = (_compared(each, arm, minus) for each in (name, f"{name}-5"))
        label = f"{titles[arm]} \u2212 {titles[minus] if minus else 'OBL, face to face'}"
        published = f"{float(first['published']):+.1f}" if first["published"] else ""
        cells = (label, published, _found(first), _found(other))
        lines.append(f"| {' | '.join(cells)} |".replace("-", "\u2212"))
    return Markdown("\n".join(lines))


def _compared(name, arm, minus):
    """The row of a comparison, None if nothing of it was played."""
    if not (RESULTS / f"{name}.csv").exists():
        return None
    return next(
        (
            row for row in numbers(name)
            if (row["table"], row["arm"], row["minus"]) == ("comparisons", arm, minus)
            and row["value"] and int(row["counted"])
        ),
        None,
    )  # fmt: skip


def _found(row):
    """A difference with its any-time interval and games, and whether that settles it."""
    if row is None:
        return "not played yet"
    value, low, high = (float(row[key]) for key in ("value", "sequence_low", "sequence_high"))
    estimate = f"{value:+.1f} ({low:.1f} to {high:.1f})"
    return f"{estimate}<br>{int(row['counted']):,} games: {_settled(row)}"


def _settled(row):
    sign = {"positive": "above 0", "negative": "below 0", "smaller": "equal within 2 points"}
    choice = {"claimed": "as published, not 0", "none": "0, not as published"}
    if row["verdict"] in sign:
        return f"**{sign[row['verdict']]}**, after {int(row['decided_after']):,}"
    if row["choice"] in choice:
        return f"**{choice[row['choice']]}**, after {int(row['chosen_after']):,}"
    wide = (float(row["high"]) - float(row["low"])) / 2
    return f"known to \u00b1{wide:.1f}" if wide <= 2 else f"open (\u00b1{wide:.1f})"


def canvas(columns=1, height=3.4):
    """A figure of the page's width."""
    return plt.subplots(1, columns, figsize=(9, height), layout="constrained")


def _label(row, titles):
    where = "" if row["row"] == "total" and not row["by"] else f"{row['by']} {row['row']}"
    where = row["row"] if row["row"] == "total" else where
    return f"{titles[row['arm']]}, {where}"


def leaderboards():
    """What the kept games of each set of teammates say, and who comes out how."""
    return Markdown(
        "\n\n".join(_leaderboard(path) for path in sorted(RESULTS.glob("*-teammates.md")))
    )


def _leaderboard(path):
    name, text = path.stem, path.read_text()
    answer = next(line for line in text.splitlines() if line.startswith("**"))
    lines = [line for line in text.split("\n## ")[1].splitlines() if line.startswith("|")]
    blocks = max(int(row["blocks"]) for row in numbers(name) if row["table"] == "crossplay")
    command = f"`sizeup crossplay {name} --blocks {blocks}`"
    report = f'<a href="report-{name}.html">matrix and heat map</a>'
    table = "\n".join(lines)
    game = read_experiment(name).title.split(":")[0]
    return f"### {game}\n\n{answer.strip('*')} ({command}, {report})\n\n{table}"
