"""How deep do people think? Types for people, held against games of people and made-up people.

Run: python benchmarks/people.py recovery
     python benchmarks/people.py people MOVES.csv [--ratings PEOPLE.csv] [--moves N] [--save FILE]

``recovery`` makes up people of known type, lets them move in positions of random games, and says
how well their depth is found again. ``people`` reads a table of moves (``person``, ``black``,
``white``, ``to_move``, ``move`` and ``fold``; :mod:`sizeup.play.moves_table`) and, if given, a
table with ``person``, ``elo`` and ``fitted_depth``. Nothing of a single person is printed or
written: only means, correlations and their intervals, over people and by bootstrap. Priors are
fitted to other people than those they are used for, and moves are predicted from other folds than
their own.
"""

import argparse
import csv
import json
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sizeup.capability.people import PersonTypes, fit_prior, posterior
from sizeup.games import four_in_a_row
from sizeup.games.contract import View
from sizeup.play.people import Onlooker
from sizeup.play.played import positions, read_games

TYPES = PersonTypes(
    depths=(1, 2, 3, 4, 5), drops=(0.3, 0.0), precisions=(0.1, 0.2, 0.4, 0.8, 1.6, 3.2),
    lapses=(0.3, 0.15, 0.05, 0.01),
)  # fmt: skip
SEARCHES = 3
GROUPS = 5  # of people: the prior of one group is fitted to the others
BOOTSTRAPS = 1000
LAPSES = tuple(np.arange(0.05, 1.0, 0.05).tolist())  # of the baselines that only lapse
# A hundredth of lapses, or a single odd move would decide about a baseline.
RATIONAL = PersonTypes(TYPES.depths, (0.0,), TYPES.precisions, (0.01,))
FIXED = PersonTypes(TYPES.depths, (0.0,), (1e3,), LAPSES)


class Looked(NamedTuple):
    """What a person's moves told: log chances by type, by baseline, and whether depths match."""

    folds: np.ndarray  # (moves,)
    types: np.ndarray  # (moves, types)
    uniform: np.ndarray  # (moves,)
    rational: np.ndarray  # (moves, depths, precisions)
    fixed: np.ndarray  # (moves, depths, lapses)
    match: np.ndarray  # (moves, depths)


def looked(moves):
    """Hold a person's moves, each a state, an action, a fold and a seed, against all types."""
    onlooker = Onlooker(View(four_in_a_row), TYPES, SEARCHES)
    seen = []
    for fields, action, fold, seed in moves:
        state = four_in_a_row.FourInARowState(*fields)
        at = onlooker.view.actions(state).index(action)
        seen.append((onlooker.values(state, seed), at, fold))
    return judged(seen, onlooker.searches)


def judged(seen, searches):
    """The same from what each action is worth, which one was chosen, and the fold."""
    rows = []
    for values, at, fold in seen:
        sharp = values[:, -1:]  # the search that overlooks nothing
        rows.append(
            (
                fold,
                np.log(TYPES.chances(values, searches, at)),
                -np.log(values.shape[-1]),
                _by_depth(RATIONAL.chances(sharp, (1,), at)),
                _by_depth(FIXED.chances(sharp, (1,), at)),
                sharp[:, 0].argmax(axis=1) == at,
            )
        )
    return Looked(*(np.array(column) for column in zip(*rows, strict=True)))


def _by_depth(chances):
    return np.log(chances).reshape(len(TYPES.depths), -1)


# -- people -------------------------------------------------------------------------------------


def read_people(path, most):
    """Moves of each person, at most so many: every n-th, the largest n that leaves enough."""
    with Path(path).open(encoding="utf-8") as file:
        folds = [int(row["fold"]) for row in csv.DictReader(file)]
    everybody = {}
    for move in positions(read_games(path)):
        row = tuple(move.state), move.action, folds[move.ply - 1], move.ply
        everybody.setdefault(move.player, []).append(row)
    return {name: moves[:: max(1, len(moves) // most)][:most] for name, moves in everybody.items()}


def people(arguments):
    """Hold everybody's moves against all types; tell what comes of it."""
    moves = read_people(arguments.moves_file, arguments.moves)
    begin = time.perf_counter()
    with ProcessPoolExecutor(arguments.workers) as pool:
        found = list(pool.map(looked, moves.values()))
    seconds = (time.perf_counter() - begin) / len(moves)
    told = {
        "people": len(found), "moves": int(sum(len(one.folds) for one in found)),
        "seconds_a_person": seconds, **held_out(found), **reliability(found),
    }  # fmt: skip
    if arguments.ratings:
        with Path(arguments.ratings).open(encoding="utf-8") as file:
            rated = {row["person"]: row for row in csv.DictReader(file)}
        who = [name in rated for name in moves]
        rows = [rated[name] for name in moves if name in rated]
        told |= against_ratings([one for one, is_in in zip(found, who, strict=True) if is_in], rows)
    tell(told, arguments.save)


# What the types are worth without some of them: whether each part of a type earns its place.
PARTS = {
    "without depths above 1": lambda one: one.depth == 1,
    "without overlooked features": lambda one: one.drop == 0,
    "without either": lambda one: one.depth == 1 and one.drop == 0,
    "without lapses but the fewest": lambda one: one.lapse == min(TYPES.lapses),
    "without depth 1": lambda one: one.depth > 1,
}


def priors(found, kept=slice(None)):
    """For each person, how common types are among people of the other groups."""
    every = np.array([one.types[:, kept].sum(axis=0) for one in found])
    group = np.arange(len(found)) % GROUPS
    fitted = [fit_prior(every[group != number]) for number in range(GROUPS)]
    return [fitted[number] for number in group]


def predicted(rows, folds, prior):
    """Log chance of each move from the moves of the other folds; rows (moves, alternatives)."""
    out = np.empty(len(rows))
    for fold in np.unique(folds):
        odds = posterior(rows[folds != fold].sum(axis=0), prior)
        out[folds == fold] = np.log(np.exp(rows[folds == fold]) @ odds)
    return out


def held_out(found):
    """Mean log chance of moves that were left out, and what it is above each baseline's."""

    def with_types(kept):
        return [
            predicted(one.types[:, kept], one.folds, prior).mean()
            for one, prior in zip(found, priors(found, kept), strict=True)
        ]

    ours = with_types(slice(None))

    def baseline(rows_of):
        return [
            predicted(rows, one.folds, np.full(rows.shape[1], 1 / rows.shape[1])).mean()
            for one in found
            for rows in [rows_of(one)]
        ]

    others = {
        "uniform": [one.uniform.mean() for one in found],
        **{
            f"Boltzmann-rational at depth {depth}": baseline(
                lambda one, rank=rank: one.rational[:, rank]
            )
            for rank, depth in enumerate(TYPES.depths)
        },
        **{
            f"depth {depth} with lapses": baseline(lambda one, rank=rank: one.fixed[:, rank])
            for rank, depth in enumerate(TYPES.depths)
        },
        **{name: with_types([which(one) for one in TYPES]) for name, which in PARTS.items()},
    }
    told = {"log chance a move: types for people": interval(ours)}
    for name, values in others.items():
        told[f"log chance a move: {name}"] = interval(values)
        told[f"  types for people above {name}"] = interval(np.subtract(ours, values))
    for rank, depth in enumerate(TYPES.depths):
        told[f"moves that match depth {depth}"] = interval([m.match[:, rank].mean() for m in found])
    return told


MEASURES = {
    "depth": (0, np.array(TYPES.depths, dtype=float)),
    "drop": (1, np.array(TYPES.drops)),
    "log precision": (2, np.log(TYPES.precisions)),
    "lapses": (3, np.array(TYPES.lapses)),
}


def posterior_means(odds):
    """``(people,)`` of each measure, everything else summed out."""
    full = odds.reshape(len(odds), *TYPES.shape)
    others = {axis: tuple(1 + at for at in range(4) if at != axis) for axis in range(4)}
    return {name: full.sum(axis=others[axis]) @ scale for name, (axis, scale) in MEASURES.items()}


def inferred(found, folds=None):
    """Posterior means of each person, from some folds or all."""
    kept = [np.isin(one.folds, folds) if folds else slice(None) for one in found]
    odds = [
        posterior(one.types[which].sum(axis=0), prior)
        for one, which, prior in zip(found, kept, priors(found), strict=True)
    ]
    return posterior_means(np.array(odds))


def reliability(found):
    """Spearman between what is inferred from one fold and another, mean over all pairs."""
    folds = sorted({int(fold) for one in found for fold in one.folds})
    alone = [inferred(found, [fold]) for fold in folds]
    if len(alone) < 2:
        return {}
    return {
        f"{name} of one fold with another, Spearman": over_people(
            lambda who, name=name: np.mean(
                [spearman(a[name][who], b[name][who]) for a, b in combinations(alone, 2)]
            ),
            len(found),
        )
        for name in MEASURES
    }


def against_ratings(found, rows):
    """Spearman of what was inferred with Elo, beside that of the published fits."""
    elo = np.array([float(row["elo"]) for row in rows])
    measures = {f"inferred {name}": values for name, values in inferred(found).items()}
    measures["mean log chance of the moves"] = np.array([_explained(one) for one in found])
    for name in ("fitted_depth", "fitted_quality", "fitted_drop_rate"):
        if name in rows[0]:
            measures[f"published {name}"] = np.array([float(row[name]) for row in rows])
    return {
        f"{name} with Elo, Spearman": over_people(
            partial(lambda values, who: spearman(values[who], elo[who]), values), len(rows)
        )
        for name, values in measures.items()
    }


def _explained(one):
    return one.types.mean(axis=0).max()


# -- made-up people -----------------------------------------------------------------------------


def one_made_up(onlooker, job):
    """A person of some type who moves in positions of random games, and what was inferred."""
    number, moves, seed = job
    rng = np.random.default_rng((seed, number))
    view, types = onlooker.view, len(onlooker.types)
    kind, total = int(rng.integers(types)), np.zeros(types)
    for _ in range(moves):
        state = view.start()
        for _ in range(int(rng.integers(2, 20))):
            after, _ = view.apply(state, int(rng.choice(view.actions(state))))
            state = after if len(view.actions(after)) > 1 else state
        theirs = onlooker.policies(state, int(rng.integers(2**32)))[kind]
        at = int(rng.choice(len(theirs), p=theirs / theirs.sum()))
        total += np.log(onlooker.policies(state, int(rng.integers(2**32)))[:, at])
    return kind, total


def made_up(job):
    """A made-up person of one of our types."""
    return one_made_up(Onlooker(View(four_in_a_row), TYPES, SEARCHES), job)


def recovery(arguments):
    """How well the types of made-up people are found again."""
    jobs = [(number, arguments.moves, arguments.seed) for number in range(arguments.people)]
    with ProcessPoolExecutor(arguments.workers) as pool:
        found = list(pool.map(made_up, jobs, chunksize=4))
    kinds = np.array([list(TYPES)[kind] for kind, _ in found])
    odds = posterior([total for _, total in found], np.full(len(TYPES), 1 / len(TYPES)))
    by_depth = TYPES.depth_odds(odds)
    true = np.array([TYPES.depths.index(int(depth)) for depth in kinds[:, 0]])
    sure, right = by_depth.max(axis=1) >= 0.9, by_depth.argmax(axis=1) == true
    told = {
        "people": len(found), "moves of each": arguments.moves,
        "likeliest depth is the true one": interval(right),
        "share with 90 % or more for one depth": interval(sure),
        "of those, right": interval(right[sure]) if sure.any() else None,
    }  # fmt: skip
    for name, values in posterior_means(odds).items():
        truth = kinds[:, MEASURES[name][0]]
        told[f"{name}, inferred with true, Spearman"] = over_people(
            partial(lambda a, b, who: spearman(a[who], b[who]), values, truth), len(found)
        )
    for rank, depth in enumerate(TYPES.depths):
        told[f"mean odds of depths {TYPES.depths} at true depth {depth}"] = [
            round(float(value), 3) for value in by_depth[true == rank].mean(axis=0)
        ]
    tell(told, arguments.save)


# -- statistics ---------------------------------------------------------------------------------


def ranks(values):
    """Ranks, those of equals averaged."""
    _, at, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[at]


def spearman(a, b):
    """Correlation of ranks; 0 where there is nothing to rank."""
    first, second = ranks(a), ranks(b)
    if first.std() == 0 or second.std() == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


def over_people(statistic, people):
    """A statistic of people, with its 95 % interval by bootstrap over them."""
    rng = np.random.default_rng(0)
    draws = [statistic(rng.integers(people, size=people)) for _ in range(BOOTSTRAPS)]
    low, high = np.quantile(draws, [0.025, 0.975])
    return {"value": float(statistic(np.arange(people))), "low": float(low), "high": float(high)}


def interval(values):
    """A mean over people, with its 95 % interval by bootstrap over them."""
    given = np.asarray(values, dtype=float)
    return over_people(lambda who: given[who].mean(), len(given))


def tell(told, save):
    """Print aggregates, and write them."""
    for name, value in told.items():
        if isinstance(value, dict) and "low" in value:
            value = f"{value['value']:.3f} [{value['low']:.3f}, {value['high']:.3f}]"
        print(f"{name}: {value}")
    if save:
        Path(save).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name, moves in (("recovery", 100), ("people", 10**9)):
        verb = verbs.add_parser(name)
        verb.add_argument("--moves", type=int, default=moves, help="most moves of a person")
        verb.add_argument("--workers", type=int, default=2)
        verb.add_argument("--save", help="write the aggregates to this JSON file")
    verbs.choices["recovery"].add_argument("--people", type=int, default=100)
    verbs.choices["recovery"].add_argument("--seed", type=int, default=0)
    verbs.choices["people"].add_argument("moves_file")
    verbs.choices["people"].add_argument("--ratings")
    arguments = parser.parse_args()
    {"recovery": recovery, "people": people}[arguments.verb](arguments)


if __name__ == "__main__":
    main()
