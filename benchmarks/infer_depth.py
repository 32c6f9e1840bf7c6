"""How well the depth of a checkers player is inferred from one game of it.

Oblivious players of equal depth play each other. From the moves of each player of each game, which
of the depths 2, 4, 6, 8 it has, by the paper's rule and by the fitted choice model. Each game gives
two answers, one for each player. Constants, temperature and validation have seeds of their own.

Run: python benchmarks/infer_depth.py [--games 200] [--save FILE] (validate; games for each depth)
     python benchmarks/infer_depth.py --fit --games 30 (fit sharpness and error rate of each depth)
     python benchmarks/infer_depth.py --heat --games 60 (fit the temperature, given those)
On two cores 200 games for each depth take about 15 minutes.
"""

import argparse
import json
import math
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from sizeup.play import play
from sizeup.play.choice_model import RULES, ChoiceModel, fit, golden_section
from sizeup.play.infer import conclude, look

TYPES = (2, 4, 6, 8)
FIT_TYPES = tuple(range(1, 9))
FIT_SEEDS, HEAT_SEEDS, TEST_SEEDS = 9_000_000, 5_000_000, 2_000_000  # three sets of games
SURE = 0.9
HEATS = (1.0, 1.5, 2.0, 3.0, 5.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="games for each depth")
    parser.add_argument("--fit", action="store_true", help="fit the constants and print them")
    parser.add_argument("--heat", action="store_true", help="fit the temperature and print it")
    parser.add_argument("--save", type=Path, help="where to write all posteriors")
    chosen = parser.parse_args()
    if chosen.fit:
        refit(chosen.games)
    elif chosen.heat:
        refit_temperature(chosen.games)
    else:
        validate(chosen.games, chosen.save)


def refit(games):
    seen = {depth: [] for depth in FIT_TYPES}
    for depth, looks in self_play(FIT_TYPES, games, FIT_SEEDS):
        rank = FIT_TYPES.index(depth)
        seen[depth] += [(one.shares[rank], one.chosen) for one in looks if not one.is_forced]
    print(f"fitted to {games} games for each depth")
    for depth, (sharp, error) in fit(seen).items():
        print(f"    {depth}: ({sharp:.2f}, {error:.3f}),  # {len(seen[depth])} moves", flush=True)


def refit_temperature(games):
    """The temperature at which the posterior after a whole game has the least log loss."""
    cold = replace(ChoiceModel.of(TYPES), temperature=1.0)
    final, truth = [], []
    for depth, looks in self_play(TYPES, games, HEAT_SEEDS):
        players = conclude(looks, TYPES, cold).players
        final += [player.posterior for player in players]
        truth += [TYPES.index(depth)] * len(players)
    final, truth = np.array(final), np.array(truth)

    def best(rows):
        low, high = math.log(0.2), math.log(20)
        return math.exp(
            golden_section(
                lambda at: log_loss(warmed(final[rows], math.exp(at)), truth[rows]), low, high
            )
        )

    rng = np.random.default_rng(0)
    again = [best(rng.integers(len(truth), size=len(truth))) for _ in range(200)]
    low, high = np.percentile(again, (2.5, 97.5))
    everybody = np.arange(len(truth))
    print(f"temperature {best(everybody):.2f} ({low:.2f} to {high:.2f}), n = {len(truth)} players")
    caution(final, truth)


def validate(games, path):
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
    if path is not None:
        save(path, posteriors, truth)


def save(path, posteriors, truth):
    """What the documentation's figures need: final posteriors, and when players became sure."""
    rules = {}
    for rule, rows in posteriors.items():
        after, of = when_sure(rows)
        final = [[round(float(p), 6) for p in one[-1]] for one in rows]
        rules[rule] = {"final": final, "sure_after": after, "sure_of": of}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"types": TYPES, "truth": truth, "rules": rules}) + "\n")
    print(f"wrote {path}")


def self_play(types, games, first_seed):
    """Depth and looked-at moves of game after game, the depths in turn."""
    start = time.perf_counter()
    jobs = [(types, depth, first_seed, number) for number in range(games) for depth in types]
    with ProcessPoolExecutor() as pool:
        for done, found in enumerate(pool.map(one_game, jobs), start=1):
            yield found
            if done % (10 * len(types)) == 0 or done == len(jobs):
                spent = time.perf_counter() - start
                print(f"... {done} of {len(jobs)} games, {spent:.0f} s", flush=True)


def one_game(job):
    types, depth, first_seed, number = job
    seed = first_seed + 10_000 * depth + number
    record = play("checkers", [f"obl:{depth}"] * 2, seed=seed)
    return depth, list(look([record], types, by="seat", seed=seed))


def report(posteriors, truth):
    final = np.array([rows[-1] for rows in posteriors])
    print(summary(final, truth))
    print("\n".join(confusion_rows(final, truth)))
    print("| probability given | mean | true | n |\n|---|---|---|---|")
    for low, high, mean, hits in reliability(final, truth):
        print(f"| {low:.1f} to {high:.1f} | {mean:.3f} | {percent(hits)} | {len(hits)} |")
    print("\n".join(speed_rows(*when_sure(posteriors), truth)))
    caution(final, truth)


def summary(final, truth):
    """One line: how often right, and the Brier score."""
    hit = final.argmax(axis=1) == truth
    brier = ((final - np.eye(len(TYPES))[truth]) ** 2).sum(axis=1)
    return (
        f"likeliest type is the true one: {percent(hit)}; Brier score {brier.mean():.3f} "
        f"± {1.96 * brier.std() / np.sqrt(len(brier)):.3f} (0 is best, 2 worst, "
        f"{1 - 1 / len(TYPES):.2f} without looking); n = {len(truth)}"
    )


def confusion_rows(final, truth):
    """Lines of a table: how often players of each depth are called which."""
    rows = ["| true depth | " + " | ".join(f"says {c}" for c in TYPES) + " | mean posterior | n |"]
    rows.append("|---" * (len(TYPES) + 3) + "|")
    for rank, depth in enumerate(TYPES):
        mine = final[truth == rank]
        said = np.bincount(mine.argmax(axis=1), minlength=len(TYPES))
        mean = " / ".join(f"{p:.2f}" for p in mine.mean(axis=0))
        rows.append(f"| {depth} | " + " | ".join(map(str, said)) + f" | {mean} | {len(mine)} |")
    return rows


def reliability(final, truth, bins=10):
    """How often types that are given some probability are true: (low, high, mean, hits) a bin."""
    given, true = final.ravel(), np.eye(len(TYPES))[truth].ravel()
    place = np.minimum((given * bins).astype(int), bins - 1)
    for at in np.unique(place):
        mask = place == at
        yield at / bins, (at + 1) / bins, given[mask].mean(), true[mask]


def when_sure(posteriors):
    """Of each player: after how many moves one type had 90 %, and which; None if never."""
    after = [until_sure(rows) for rows in posteriors]
    of = [
        None if at is None else int(rows[at].argmax())
        for at, rows in zip(after, posteriors, strict=True)
    ]
    return after, of


def speed_rows(sure_after, sure_of, truth):
    """Lines of a table: moves (that were not forced) until one type has 90 %."""
    rows = ["| true depth | moves until 90 % sure: median | never | sure and wrong | n |"]
    rows.append("|---|---|---|---|---|")
    for rank, depth in enumerate(TYPES):
        mine = [at for at, true in enumerate(truth) if true == rank]
        median = np.median([np.inf if sure_after[at] is None else sure_after[at] for at in mine])
        never = [sure_of[at] is None for at in mine]
        wrong = [sure_of[at] not in (None, rank) for at in mine]
        rows.append(f"| {depth} | {median:g} | {percent(never)} | {percent(wrong)} | {len(mine)} |")
    return rows


def caution(final, truth):
    """What it would do to read the evidence at higher temperatures: the prior is uniform."""
    print("| temperature, times that of the rule | Brier score | log loss | mean of largest | n |")
    print("|---|---|---|---|---|")
    for heat in HEATS:
        warm = warmed(final, heat)
        brier = ((warm - np.eye(len(TYPES))[truth]) ** 2).sum(axis=1).mean()
        largest = warm.max(axis=1).mean()
        loss = log_loss(warm, truth)
        print(f"| {heat:g} | {brier:.3f} | {loss:.3f} | {largest:.3f} | {len(truth)} |")


def warmed(final, heat):
    warm = np.maximum(final, 1e-300) ** (1 / heat)
    return warm / warm.sum(axis=1, keepdims=True)


def log_loss(posterior, truth):
    return -float(np.log(posterior[np.arange(len(truth)), truth]).mean())


def until_sure(rows):
    sure = np.flatnonzero(rows.max(axis=1) >= SURE)
    return int(sure[0]) if len(sure) else None


def percent(flags):
    """Share, with its 95 % interval (Wilson's)."""
    share, (low, high) = float(np.mean(flags)), wilson(flags)
    return f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def wilson(flags):
    share, n = float(np.mean(flags)), len(flags)
    spread = 1.96**2 / n
    middle = (share + spread / 2) / (1 + spread)
    half = 1.96 / (1 + spread) * np.sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, middle - half), min(1.0, middle + half)


if __name__ == "__main__":
    main()
