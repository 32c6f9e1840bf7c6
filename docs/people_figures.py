"""Tables and figures of the page about people, from the aggregates in docs/results."""

import json
from pathlib import Path

import matplotlib.pyplot as plt
from IPython.display import Markdown

RESULTS = Path(__file__).parent / "results"


def aggregates(name):
    """What a benchmark saved."""
    return json.loads((RESULTS / f"planning_depth_{name}.json").read_text(encoding="utf-8"))


def table(name, rows):
    """Some aggregates with their intervals, by their keys and what to call them."""
    told = aggregates(name)
    lines = [f"| {title} | {_text(told[key])} |" for key, title in rows.items()]
    return Markdown("\n".join(["| | |", "|---|---|", *lines]))


def beside(name, values, differences):
    """Log chances by model, worst first, and how far types for people are above each."""
    told = aggregates(name)
    models = [key.removeprefix(values) for key in told if key.startswith(values)]
    models.sort(key=lambda model: told[values + model]["value"])
    rows = [
        f"| {model} | {_text(told[values + model])} | {_text(told[differences + model])} |"
        for model in models
    ]
    head = ["| | log chance a move | types for people above it |", "|---|---|---|"]
    return Markdown("\n".join([*head, *rows]))


def _text(value):
    if not isinstance(value, dict):
        return str(value)
    numbers = (f"{value[key]:.2f}".replace("-", "−") for key in ("value", "low", "high"))
    return "{} [{}, {}]".format(*numbers)


def calibration():
    """How often moves were played that were foretold at some chance."""
    told = aggregates("people")
    bins = [value for key, value in told.items() if key.startswith("foretold ")]
    figure, axes = plt.subplots(figsize=(4.5, 4))
    axes.plot([0.003, 1], [0.003, 1], color="grey", linewidth=1)
    axes.plot([one["foretold"] for one in bins], [one["came true"] for one in bins], "o-")
    axes.set(xscale="log", yscale="log", xlabel="foretold chance", ylabel="share played")
    figure.tight_layout()
    plt.close(figure)
    return figure
