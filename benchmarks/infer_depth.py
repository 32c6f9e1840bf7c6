"""How well the depth of a checkers player is inferred from one game of it.

Oblivious players of equal depth play each other. From the moves of each player of each game, which
of the depths 2, 4, 6, 8 it has, by the paper's rule and by the fitted choice model. Each game gives
two answers, one for each player.

Run: python benchmarks/infer_depth.py [--games 200] (games for each depth; about 25 minutes)
     python benchmarks/infer_depth.py --fit --games 30 (fit the constants anew; about 10 minutes)
"""

import argparse
import time

import numpy as np

from sizeup.play import play
from sizeup.play.choice_model import RULES, fit
from sizeup.play.infer import conclude, look

TYPES = (2, 4, 6, 8)
FIT_TYPES = tuple(range(1, 9))
TEST_SEEDS, FIT_SEEDS = 1_000_000, 9_000_000  # never the same games for both
SURE = 0.9
HEATS = (1.0, 1.5, 2.0, 3.0, 5.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="games for each depth")
    parser.add_argument("--fit", action="store_true", help="fit the constants and print them")
    chosen = parser.parse_args()
    if chosen.fit:
        refit(chosen.games)
    else:
        validate(chosen.games)


def refit(games):
    seen = {depth: [] for depth in FIT_TYPES}
    for depth, looks in self_play(FIT_TYPES, games, FIT_SEEDS):
        rank = FIT_TYPES.index(depth)
        seen[depth] += [(one.shares[rank], one.chosen) for one in looks if not one.is_forced]
    print(f"fitted to {games} games for each depth")
    for depth, (sharp, error) in fit(seen).items():
        print(f"    {depth}: ({sharp:.2f}, {error:.3f}),  # {len(seen[depth])} moves", flush=True)


def validate(games):
    posteriors = {rule: [] for rule in RULES}  # of each player: (moves, types)
    truth = []
    for depth, looks in self_play(TYPES, games, TEST_SEEDS):
        found = {rule: conclude(looks, TYPES, rule).players for rule in RULES}
        truth += [TYPES.index(depth)] * len(found[RULES[0]])
        for rule, players in found.items():
            posteriors[rule] += [
                np.array([player.prior, *(step.posterior for step in player.steps)])
                for player in players
            ]
    for rule in RULES:
        print(f"\n== rule: {rule}; {games} games for each depth, {len(truth)} players in games")
        report(posteriors[rule], np.array(truth))


def self_play(types, games, first_seed):
    """Depth and looked-at moves of game after game, the depths in turn."""
    start = time.perf_counter()
    for number in range(games):
        for depth in types:
            seed = first_seed + 10_000 * depth + number
            record = play("checkers", [f"obl:{depth}"] * 2, seed=seed)
            yield depth, list(look([record], types, by="seat", seed=seed))
        if (number + 1) % 10 == 0 or number + 1 == games:
            spent = time.perf_counter() - start
            print(f"... {number + 1} of {games} games for each depth, {spent:.0f} s", flush=True)


def report(posteriors, truth):
    final = np.array([rows[-1] for rows in posteriors])
    confusion(final, truth)
    hit = final.argmax(axis=1) == truth
    outcome = np.eye(len(TYPES))[truth]
    brier = ((final - outcome) ** 2).sum(axis=1)
    print(
        f"likeliest type is the true one: {percent(hit)}; Brier score {brier.mean():.3f} "
        f"± {1.96 * brier.std() / np.sqrt(len(brier)):.3f} (0 is best, 2 worst, "
        f"{1 - 1 / len(TYPES):.2f} without looking); n = {len(truth)}"
    )
    reliability(final, outcome)
    speed(posteriors, truth)
    caution(final, truth)


def confusion(final, truth):
    print("| true depth | " + " | ".join(f"says {c}" for c in TYPES) + " | mean posterior | n |")
    print("|---" * (len(TYPES) + 3) + "|")
    for rank, depth in enumerate(TYPES):
        mine = final[truth == rank]
        said = np.bincount(mine.argmax(axis=1), minlength=len(TYPES))
        mean = " / ".join(f"{p:.2f}" for p in mine.mean(axis=0))
        print(f"| {depth} | " + " | ".join(map(str, said)) + f" | {mean} | {len(mine)} |")


def reliability(final, outcome, bins=10):
    """How often types that are given some probability are true."""
    print("| probability given | mean | true | n |\n|---|---|---|---|")
    given, true = final.ravel(), outcome.ravel()
    place = np.minimum((given * bins).astype(int), bins - 1)
    for at in range(bins):
        mask = place == at
        cells = (f"{given[mask].mean():.3f}", percent(true[mask])) if mask.any() else ("-", "-")
        print(f"| {at / bins:.1f} to {(at + 1) / bins:.1f} | {' | '.join(cells)} | {mask.sum()} |")


def speed(posteriors, truth):
    """Moves (that were not forced) until one type has 90 % for the first time."""
    print("| true depth | moves until 90 % sure: median | never | sure and wrong | n |")
    print("|---|---|---|---|---|")
    for rank, depth in enumerate(TYPES):
        mine = [rows for rows, true in zip(posteriors, truth, strict=True) if true == rank]
        first = [until_sure(rows) for rows in mine]
        never = [at is None for at in first]
        median = np.median([np.inf if at is None else at for at in first])
        wrong = [
            at is not None and rows[at].argmax() != rank
            for at, rows in zip(first, mine, strict=True)
        ]
        print(f"| {depth} | {median:g} | {percent(never)} | {percent(wrong)} | {len(mine)} |")


def caution(final, truth):
    """What it would do to read the evidence at higher temperatures: the prior is uniform."""
    print("| temperature, times that of the rule | Brier score | log loss | mean of largest | n |")
    print("|---|---|---|---|---|")
    for heat in HEATS:
        warm = np.maximum(final, 1e-300) ** (1 / heat)
        warm /= warm.sum(axis=1, keepdims=True)
        brier = ((warm - np.eye(len(TYPES))[truth]) ** 2).sum(axis=1).mean()
        loss = -np.log(warm[np.arange(len(truth)), truth]).mean()
        largest = warm.max(axis=1).mean()
        print(f"| {heat:g} | {brier:.3f} | {loss:.3f} | {largest:.3f} | {len(truth)} |")


def until_sure(rows):
    sure = np.flatnonzero(rows.max(axis=1) >= SURE)
    return int(sure[0]) if len(sure) else None


def percent(flags):
    """Share, with its 95 % interval (Wilson's)."""
    share, n = float(np.mean(flags)), len(flags)
    spread = 1.96**2 / n
    middle = (share + spread / 2) / (1 + spread)
    half = 1.96 / (1 + spread) * np.sqrt(share * (1 - share) / n + spread / (4 * n))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


if __name__ == "__main__":
    main()
