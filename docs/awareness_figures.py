"""What awareness is worth in random games: the figure and table of when_to_size_up.md.

The numbers are those of docs/results/awareness.json (benchmarks/value_of_awareness.py --save).
"""

import json
from pathlib import Path

from IPython.display import Markdown

KEPT = json.loads((Path(__file__).parent / "results" / "awareness.json").read_text())
GAPS = [str(gap) for gap in range(1, 8)]
SURPRISED = "gap, where the deep player is surprised"
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#777777"


def gains(axes):
    """Mean gain by the gap of the depths: where the partner surprises, and where it never does."""
    surprised, all_pairs = KEPT[SURPRISED], KEPT["depth gap"]
    places = range(1, 8)
    for table, colour, label in (
        (surprised, BLUE, "the partner does something unexpected"),
        (all_pairs, GREY, "all pairs"),
    ):
        means, halves = ([table[gap][i] for gap in GAPS] for i in (0, 1))
        axes.errorbar(places, means, halves, color=colour, marker="o", capsize=3, label=label)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(xlabel="plies that the partner looks less far", ylabel="points gained by knowing it")
    axes.legend(frameon=False, loc="upper left")


def how_often(axes):
    """How often knowing helps and hurts, where the partner does something unexpected."""
    table, places = KEPT[SURPRISED], range(1, 8)
    axes.bar(places, [100 * table[gap][2] for gap in GAPS], color=BLUE, label="it helps")
    axes.bar(places, [-100 * table[gap][3] for gap in GAPS], color=ORANGE, label="it hurts")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(xlabel="plies that the partner looks less far", ylabel="% of such pairs")
    axes.legend(frameon=False, loc="upper left")


def table(predictor, heading):
    """A table with the gain at each level of a predictor."""
    lines = [f"| {heading} | aware − oblivious | helps | hurts | pairs |", "|---|---|--:|--:|--:|"]
    for level, (gain, half, helps, hurts, pairs) in KEPT[predictor].items():
        shown = f"{gain:+.3f} ± {half:.3f} | {helps:.1%} | {hurts:.1%} | {pairs:,} |"
        lines.append(
            f"| {_words(level)} | " + shown.replace("-", "−").replace("%", "\N{NO-BREAK SPACE}%")
        )
    return Markdown("\n".join(lines))


def _words(level):
    if level.startswith("to"):
        return f"up to {level[2:].strip()}"
    return {"0 %": "none", "the deep one": "only the deep player", "neither": "nobody"}.get(
        level, level
    )
