"""A small summary of games that nobody has played, to try the formats of a report on."""

from __future__ import annotations

from sizeup.report.summary import Counts, Entry, Estimate, Source, Summary, Tabled
from sizeup.statistics import Tally

__all__ = ["sample"]


def sample() -> Summary:
    """One table of one team.

    >>> sample().tables[0].entries[0].value
    Estimate(value=12.5, low=-9.5, high=33.0)
    """
    counts = Counts(planned=16, played=16, counted=16)
    entry = Entry(
        "total", "ca", Estimate(12.5, -9.5, 33.0), 3.3, counts, blocks=8, cells=1, of_cells=1,
        tally=Tally(8, 2, 6), reward=Estimate(0.5, -0.75, 1.75),
    )  # fmt: skip
    return Summary(
        name="made-up",
        title="A made-up experiment",
        question="Does a team win more often if its expert is aware of the novice?",
        game="checkers",
        command="made-up.toml",
        store="made-up.db",
        arms={"ca": "CA"},
        teams={"ca": ("ca:8", "obl:2")},
        rounds=1,
        counts=counts,
        tables=(Tabled("Score of the aware team", "", "score", (entry,)),),
        comparisons=(),
        margin=2.0,
        beliefs=(),
        beliefs_from=None,
        quarantine=(),
        foreign=0,
        seconds=8.0,
        sources=(Source(0, None, 16, "c0ffee", "5eed", {"sizeup": "0.1.0"}),),
        examples=(),
    )
