"""How often intervals cover the truth and tests err, in simulated games whose truth is known.

Run: python benchmarks/simulate_statistics.py [runs, 4000 unless told]

A block has 8 games. Two games of a block are correlated by making each, with some chance, a copy
of the block's common game. ``lean`` is the share of decided games that are won.
"""

import sys
from math import sqrt

import numpy as np

from sizeup.statistics import RunningInterval, decide, sequence_blocks_needed
from sizeup.statistics.block_interval import Moments, limits, moments_of
from sizeup.statistics.intervals import student_reach
from sizeup.statistics.sequence import SHARES, STEPS

DRAWS = (0.0, 0.17, 0.4, 0.6)
MOST_DRAWN = (0.9, 0.97, 0.99)
LEANS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
MODERATE = 4  # leans up to 0.8
CORRELATIONS = (0.0, 0.1, 0.3, 0.6, 1.0)


def truth_of(draws, lean):
    return (1 - draws) * (2 * lean - 1)


def fates(rng, shape, correlation=0.0):
    """A uniform number for each game, shape (..., games); two of a block have this correlation."""
    own = rng.random(shape)
    if correlation == 0:
        return own
    copied = rng.random(shape) < np.sqrt(correlation)
    return np.where(copied, rng.random((*shape[:-1], 1)), own)


def results(fate, draws, lean):
    """Games won, drawn or lost; a higher lean never makes of the same fate a worse result."""
    wins, losses = (1 - draws) * lean, (1 - draws) * (1 - lean)
    return (fate < wins).astype(np.int8) - (fate >= 1 - losses).astype(np.int8)


def blocks(rng, shape, draws, lean, correlation=0.0, games=8):
    """Scores of blocks, of any shape."""
    return results(fates(rng, (*shape, games), correlation), draws, lean).mean(axis=-1)


def covered(low, high, truth):
    return float(((low <= truth + 1e-9) & (truth - 1e-9 <= high)).mean())


def ends(cells, weights=None, level=0.95):
    """Ends of intervals, for cells of scores of shape (runs, blocks) each."""
    counts = np.array([cell.shape[1] for cell in cells])
    weights = np.full(len(cells), 1 / len(cells)) if weights is None else np.array(weights)
    moments = Moments(*np.stack([moments_of(cell) for cell in cells], axis=-1))
    return limits(counts, moments, weights, level)


def student_ends(scores):
    n = scores.shape[1]
    half = student_reach(0.95, n - 1) * scores.std(axis=1, ddof=1) / np.sqrt(n)
    return scores.mean(axis=1) - half, scores.mean(axis=1) + half


def block_coverages(rng, runs, n, correlation, of=lambda scores: ends([scores]), rates=DRAWS):
    """Coverage for each draw rate and lean, shape (draws, leans)."""
    return np.array(
        [
            [
                covered(
                    *of(blocks(rng, (runs, n), draws, lean, correlation)), truth_of(draws, lean)
                )
                for lean in LEANS
            ]
            for draws in rates
        ]
    )


CELLS = ((0.1, 0.55), (0.17, 0.5), (0.3, 0.7), (0.05, 0.35), (0.2, 0.6), (0.6, 0.5))


def strata_coverage(rng, runs, counts, correlation=0.0):
    """Coverage of the mean of cells that differ in draws and lean."""
    cells = [
        blocks(rng, (runs, n), *cell, correlation) for n, cell in zip(counts, CELLS, strict=False)
    ]
    return covered(*ends(cells), np.mean([truth_of(*cell) for cell in CELLS[: len(counts)]]))


def two_arms(rng, shape, first, second, correlation):
    """Block scores of two arms on the same seeds; all 16 games of a seed are correlated."""
    fate = fates(rng, (*shape, 16), correlation)
    return (
        results(fate[..., :8], *first).mean(axis=-1),
        results(fate[..., 8:], *second).mean(axis=-1),
    )


def paired_coverage(rng, runs, n, first, second, correlation):
    x, y = two_arms(rng, (runs, n), first, second, correlation)
    low, high = ends([(x - y) / 2])
    return covered(2 * low, 2 * high, truth_of(*first) - truth_of(*second))


def unpaired_coverage(rng, runs, n, first, second, correlation):
    x = blocks(rng, (runs, n[0]), *first, correlation)
    y = blocks(rng, (runs, n[1]), *second, correlation)
    low, high = ends([x, y], (0.5, -0.5))
    return covered(2 * low, 2 * high, truth_of(*first) - truth_of(*second))


def confidence_sequence(scores, level=0.95, bound=1.0):
    """Ends of the running interval after each round."""
    return RunningInterval.start(level, bound).followed(scores)[1]


def beside(truth, bound=1.0, level=0.95):
    """A running interval that has only the steps next to the truth left: all that it takes."""
    place = (truth / bound + 1) / 2 * STEPS
    steps = np.arange(np.floor(place + 1e-6), np.ceil(place - 1e-6) + 1).astype(int)
    money = np.repeat(SHARES[:, None], len(steps), axis=1)
    return RunningInterval(level, bound, 0, int(steps[0]) - 1, money, money)


def excludes(trail, truth):
    """Whether a trail left the truth behind at some time; its ends are excluded too."""
    return bool((trail.low >= truth - 1e-9).any() or (trail.high <= truth + 1e-9).any())


def ever_excluded(runs, truth, bound=1.0, level=0.95):
    """Share of runs whose confidence sequence excludes the truth at some time."""
    start = beside(truth, bound, level)
    return float(np.mean([excludes(start.followed(scores)[1], truth) for scores in runs]))


def fixed_rule_ever_excludes(runs, truth=0.0, least=10):
    """The same for looking again and again at intervals made for a fixed number of blocks."""
    n = np.arange(1, runs.shape[1] + 1)
    means = runs.cumsum(axis=1) / n
    sds = np.sqrt(np.maximum((runs**2).cumsum(axis=1) / n - means**2, 1e-12))
    out = np.abs(means - truth) > 1.96 * sds / np.sqrt(n)
    return float(out[:, least:].any(axis=1).mean())


def outcomes(runs, **options):
    """Share of each outcome, and the mean number of blocks until the final ones."""
    decisions = [decide(scores, **options) for scores in runs]
    names = [decision.outcome for decision in decisions]
    taken = [decision.blocks for decision in decisions if decision.is_final]
    shares = {name: names.count(name) / len(names) for name in sorted(set(names))}
    return shares, float(np.mean(taken)) if taken else float("nan")


def table_of_blocks(rng, runs):
    print(f"\nBlocks of 8 games, {runs} runs a case, 4 draw rates x 8 leans: coverage in %")
    print(f"{'games':>6} {'blocks':>6} {'corr.':>6} {'lowest':>8} {'lean up to 0.8':>16}")
    for n in (1, 2, 3, 5, 10, 20, 40, 120, 300):
        for correlation in CORRELATIONS:
            found = 100 * block_coverages(rng, runs if n < 100 else runs // 2, n, correlation)
            usual = found[:, :MODERATE]
            row = f"{8 * n:6} {n:6} {correlation:6} {found.min():8.1f}"
            print(row + f" {usual.min():8.1f} - {usual.max():5.1f}")
    for n in (5, 20, 40, 120):
        rare = [
            100 * block_coverages(rng, runs, n, correlation, rates=MOST_DRAWN).min()
            for correlation in CORRELATIONS
        ]
        print(f"{8 * n:6} {n:6} draws 90 to 99 %: lowest " + " ".join(f"{c:.1f}" for c in rare))
    plain = 100 * block_coverages(rng, runs, 20, 0.3, student_ends)
    print(f"plain Student, 20 blocks, corr. 0.3: lowest {plain.min():.1f}")


def table_of_strata(rng, runs):
    print(f"\nMean of cells that differ, {runs} runs a case: coverage in %")
    print(f"{'blocks in each cell':30}" + "".join(f"corr. {c:<5}" for c in CORRELATIONS))
    for counts in ([1] * 6, [2] * 6, [3] * 6, [2, 1, 1, 2, 1, 1], [20] * 6, [40, 10, 5, 20, 3, 9]):
        found = [100 * strata_coverage(rng, runs, counts, c) for c in CORRELATIONS]
        print(f"{counts!s:30}" + "".join(f"{value:<11.1f}" for value in found))


def table_of_differences(rng, runs):
    print(f"\nDifference of two arms, {runs} runs a case: coverage in %, paired / unpaired")
    print(
        f"{'arms (draws, lean)':32}{'blocks':>7}  " + "".join(f"corr. {c:<7}" for c in CORRELATIONS)
    )
    for first, second in (
        ((0.17, 0.5), (0.17, 0.5)),
        ((0.17, 0.55), (0.4, 0.45)),
        ((0.0, 0.9), (0.0, 0.9)),
        ((0.0, 0.98), (0.0, 0.02)),
        ((0.6, 0.7), (0.1, 0.5)),
    ):
        for n in (3, 5, 20, 150):
            row = f"{first!s:16}{second!s:16}{n:7}  "
            for c in CORRELATIONS:
                both = paired_coverage(rng, runs, n, first, second, c)
                apart = unpaired_coverage(rng, runs, (n, n), first, second, c)
                row += f"{100 * both:5.1f} / {100 * apart:<5.1f}"
            print(row)


def table_of_sequences(rng, runs):
    few, n = runs, 300
    print(
        f"\nConfidence sequence, a look after each of {n} blocks, {few} runs: truth ever excluded"
    )
    for draws, lean, correlation, games in (
        (0.0, 0.5, 0.0, 8),
        (0.17, 0.5, 0.0, 8),
        (0.6, 0.5, 0.0, 8),
        (0.17, 0.5, 0.3, 8),
        (0.17, 0.5, 1.0, 8),
        (0.9, 0.5, 1.0, 8),
        (0.0, 0.95, 0.6, 8),
        (0.17, 0.7, 0.1, 8),
        (0.0, 0.98, 0.0, 1),
    ):
        sample = blocks(rng, (few, n), draws, lean, correlation, games)
        truth = truth_of(draws, lean)
        found, naive = ever_excluded(sample, truth), fixed_rule_ever_excludes(sample, truth)
        case = f"draws {draws:<5} lean {lean:<5} corr. {correlation:<4} games {games}"
        print(f"  {case}  {found:6.1%}   (1.96 rule after every block from 11 on: {naive:.0%})")
    x, y = two_arms(rng, (few, n), (0.17, 0.5), (0.17, 0.5), 0.3)
    print(f"  paired difference, corr. 0.3{'':26}{ever_excluded(x - y, 0.0, bound=2.0):6.1%}")
    cells = np.stack([blocks(rng, (few, 50), *cell) for cell in CELLS], axis=-1)
    truth = np.mean([truth_of(*cell) for cell in CELLS])
    print(f"  mean of 6 cells, 50 rounds{'':28}{ever_excluded(cells, truth):6.1%}")
    trails = [confidence_sequence(scores) for scores in cells[:50]]
    running = np.mean([50 * (trail.high[-1] - trail.low[-1]) for trail in trails])
    low, high = ends(list(np.moveaxis(cells[:50], -1, 0)))
    fixed = 50 * (high - low).mean()
    print(f"  its half-width after 50 rounds: {running:.2f} points, {fixed:.2f} at a fixed n")


def table_of_widths(rng, runs):
    few = max(50, runs // 40)
    print(f"\nHalf-width in points near zero, 17 % draws, mean of {few} runs")
    print(f"{'games':>6} {'blocks':>6} {'fixed n':>9} {'sequence':>9} {'ratio':>6}")
    sample = blocks(rng, (few, 3000), 0.17, 0.5)
    trails = [confidence_sequence(scores) for scores in sample]
    for n in (5, 10, 20, 50, 120, 150, 300, 1250, 3000):
        low, high = ends([sample[:, :n]])
        fixed = 50 * (high - low).mean()
        running = np.mean([50 * (trail.high[n - 1] - trail.low[n - 1]) for trail in trails])
        print(f"{8 * n:6} {n:6} {fixed:9.2f} {running:9.2f} {running / fixed:6.2f}")


def table_of_decisions(rng, runs):
    few = max(100, runs // 10)
    print(f"\nDecisions, 17 % draws, blocks of 8, looks after every block, {few} runs")
    for score, n, x in ((0.0, 600, None), (0.0, 600, 0.06), (0.1, 600, None), (-0.2, 300, None)):
        sample = blocks(rng, (few, n), 0.17, (1 + score / 0.83) / 2)
        shares, taken = outcomes(sample, smaller_than=x)
        said = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
        print(f"  score {score:+.2f}, {n} blocks, smaller_than {x}: {said}; {taken:.0f} blocks")
    print("Plans for a power of 80 %: blocks, and the share of runs that decide by then")
    for score in (0.05, 0.1, 0.2):
        running = sequence_blocks_needed(score, sqrt((0.83 - score**2) / 8))
        sample = blocks(rng, (few, running), 0.17, (1 + score / 0.83) / 2)
        shares, taken = outcomes(sample)
        share = shares.get("positive", 0)
        print(f"  score {score:.2f}: {running} ({share:.0%}, {taken:.0f} on average)")


def main(runs=4000):
    """Print every table."""
    rng = np.random.default_rng(2024)
    table_of_blocks(rng, runs)
    table_of_strata(rng, runs)
    table_of_differences(rng, runs)
    table_of_sequences(rng, runs)
    table_of_widths(rng, runs)
    table_of_decisions(rng, runs)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
