"""What types for people are worth beside simpler models, and a measure of people that is reliable.

Run: python benchmarks/people_baselines.py models MOVES.csv PEOPLE.csv [--moves N] [--save FILE]
     python benchmarks/people_baselines.py quality MOVES.csv PEOPLE.csv [--moves N] [--save FILE]

Reads the tables of ``people.py``. ``models``: every model foretells a person's moves from the
person's other folds, on the second half of the people (``planning_depth.py`` chose its model on the
first); Elo and the published fits foretell them from the people who are nearest by these, without
any move of the person. ``quality``: how many points people lose, as a search that looks so far
ahead sees it, with itself and with Elo, in both halves apart. Only aggregates are written.
"""

import argparse
import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from people import LAPSES, interval, over_people, predicted, read_people, spearman, tell
from planning_depth import GROUPS, STEPS, apart, at_equal

from sizeup.baselines.l_ibm import fitted
from sizeup.capability.people import PersonTypes, fit_prior
from sizeup.games import four_in_a_row
from sizeup.games.contract import View
from sizeup.play.people import BestFirst, Onlooker, PointsLost
from sizeup.search import Searcher, SearchOptions

AHEAD = PersonTypes((1, 2, 3, 4), (0.0,), STEPS.precisions, (0.01,))
FIXED = PersonTypes(AHEAD.depths, (0.0,), (1e3,), LAPSES)  # the best move, but for lapses
PLAYOUTS = (1, 2, 4)  # depths of searches with random playouts, as ``sizeup infer`` makes them
SAMPLES = 4
NEAREST = 12  # people who stand for one whose Elo, or published fit, is known
PUBLISHED = ("fitted_depth", "fitted_quality", "fitted_drop_rate")


class Held(NamedTuple):
    """A person's moves under every model; what ends in chances is logarithms."""

    folds: np.ndarray  # (moves,)
    uniform: np.ndarray  # (moves,)
    chances: np.ndarray  # (moves, types) of STEPS
    rational: np.ndarray  # (moves, depths, precisions)
    fixed: np.ndarray  # (moves, depths, lapses)
    playouts: np.ndarray  # (moves, depths, lapses)
    agreed: np.ndarray  # (moves, depths) share of searches with random playouts that did the same
    match: np.ndarray  # (moves, depths) whether a search that counts rows did the same


def held(moves):
    """Hold a person's moves, each a state, an action, a fold and a seed, against every model."""
    view = View(four_in_a_row)
    steps, ahead = BestFirst(view, STEPS), Onlooker(view, AHEAD)
    playing = Searcher(view, PLAYOUTS, SearchOptions())
    rows = []
    for fields, action, fold, seed in moves:
        state = four_in_a_row.FourInARowState(*fields)
        at, many = view.actions(state).index(action), len(view.actions(state))
        values = ahead.values(state)
        seeds = [SAMPLES * seed + number for number in range(SAMPLES)]
        agreed = playing.choices(state, seeds)[:, at] / SAMPLES
        rows.append(
            (
                fold,
                -np.log(many),
                np.log(STEPS.chances(steps.values(state, seed), steps.searches, at)),
                np.log(AHEAD.chances(values, (1,), at)).reshape(len(AHEAD.depths), -1),
                np.log(FIXED.chances(values, (1,), at)).reshape(len(AHEAD.depths), -1),
                np.log(np.outer(agreed, 1 - np.array(LAPSES)) + np.array(LAPSES) / many),
                agreed,
                values[:, 0].argmax(axis=1) == at,
            )
        )
    return Held(*(np.array(column) for column in zip(*rows, strict=True)))


# -- what foretells moves -----------------------------------------------------------------------


def foretold(found, rows):
    """Mean log chance of moves that were left out, of each person, by model."""
    kinds = list(STEPS)
    plain = [one.drop == 0 and one.lapse == min(STEPS.lapses) for one in kinds]
    one_step = [kind and one.depth == 1 for kind, one in zip(plain, kinds, strict=True)]
    told = {
        "types for people": _by_types(found, [True] * len(kinds)),
        "no planning: types of one step": _by_types(found, [one.depth == 1 for one in kinds]),
        "Boltzmann-rational, without depth": _fitted(found, lambda one: one.chances[:, one_step]),
        "L-IBM, a budget of steps": [_by_budgets(one, plain) for one in found],
    }
    for rank, depth in enumerate(AHEAD.depths):
        told[f"Boltzmann-rational at depth {depth}"] = _fitted(
            found, lambda one, rank=rank: one.rational[:, rank]
        )
        told[f"best move of depth {depth}, with lapses"] = _fitted(
            found, lambda one, rank=rank: one.fixed[:, rank]
        )
    for rank, depth in enumerate(PLAYOUTS):
        told[f"random playouts at depth {depth}, with lapses"] = _fitted(
            found, lambda one, rank=rank: one.playouts[:, rank]
        )
    elo = np.array([[float(row["elo"])] for row in rows])
    fits = np.array([[float(row[name]) for name in PUBLISHED] for row in rows])
    nobody = np.zeros_like(elo)
    return told | {
        "other people's types": _by_others(found, nobody, len(found) - 1),
        "types of people of like Elo": _by_others(found, elo, NEAREST),
        "types of people of like published fits": _by_others(found, fits, NEAREST),
        "a choice at random": [one.uniform.mean() for one in found],
    }


def _by_types(found, kept):
    """Types for people, with a prior that is fitted to people of other groups."""
    every = np.array([one.chances[:, kept].sum(axis=0) for one in found])
    group = np.arange(len(found)) % GROUPS
    priors = [apart(fit_prior(every[group != number])) for number in range(GROUPS)]
    return [
        predicted(one.chances[:, kept], one.folds, priors[number]).mean()
        for one, number in zip(found, group, strict=True)
    ]


def _fitted(found, rows_of):
    """A model with one parameter, about which a person's other folds tell."""
    rows = [rows_of(one) for one in found]
    even = np.full(rows[0].shape[1], 1 / rows[0].shape[1])
    return [predicted(some, one.folds, even).mean() for one, some in zip(found, rows, strict=True)]


def _by_budgets(one, plain):
    """L-IBM: a budget is drawn with each move, one precision for all; both from other folds."""
    table = one.chances[:, plain].reshape(len(one.folds), len(STEPS.depths), -1)
    out = np.empty(len(one.folds))
    for fold in np.unique(one.folds):
        inside = one.folds == fold
        models = []
        for precision in range(table.shape[2]):
            seen = np.exp(table[~inside, :, precision])
            weights = fitted(seen)
            models.append((np.log(seen @ weights).sum(), precision, weights))
        _, precision, weights = max(models, key=lambda model: model[0])
        out[inside] = np.log(np.exp(table[inside, :, precision]) @ weights)
    return out.mean()


def _by_others(found, known, nearest):
    """Types as common as among the people who are nearest by what is known, no move looked at."""
    every = np.array([one.chances.sum(axis=0) for one in found])
    scale = known.std(axis=0)
    spread = known / np.where(scale > 0, scale, 1.0)
    out = []
    for number, one in enumerate(found):
        distance = np.linalg.norm(spread - spread[number], axis=1)
        distance[number] = np.inf
        close = np.argsort(distance, kind="stable")[:nearest]
        prior = fit_prior(every[close])
        out.append(np.log(np.exp(one.chances) @ prior).mean())
    return out


def likelihoods(found, rows):
    """Log chances with intervals over people, and how far types for people are above each."""
    told, ours = {}, None
    for name, values in foretold(found, rows).items():
        ours = values if ours is None else ours
        told[f"log chance a move: {name}"] = interval(values)
        told[f"  types for people above {name}"] = interval(np.subtract(ours, values))
    for rank, depth in enumerate(AHEAD.depths):
        told[f"moves that are the best of depth {depth}"] = interval(
            [one.match[:, rank].mean() for one in found]
        )
    for rank, depth in enumerate(PLAYOUTS):
        told[f"moves that random playouts at depth {depth} make"] = interval(
            [one.agreed[:, rank].mean() for one in found]
        )
    return told


# -- what measures a person ---------------------------------------------------------------------


class Lost(NamedTuple):
    """What a person's moves lost."""

    folds: np.ndarray  # (moves,)
    points: np.ndarray  # (moves, depths) as players see it who look so far ahead

    def in_folds(self, which):
        """Mean points kept, of moves of some folds; ``(depths,)``."""
        return -self.points[np.isin(self.folds, which)].mean(axis=0)


def lost(moves):
    """Judge a person's moves by what the best move would have been worth."""
    judges = [PointsLost(View(four_in_a_row), depth) for depth in AHEAD.depths]
    found = [
        judge.of(four_in_a_row.FourInARowState(*fields), action)
        for fields, action, *_ in moves
        for judge in judges
    ]
    points = np.array(found).reshape(len(moves), len(AHEAD.depths))
    return Lost(np.array([move[2] for move in moves]), points)


def qualities(found, rows):
    """How points kept go with themselves, from fold to fold, and with Elo."""
    elo = np.array([float(row["elo"]) for row in rows])
    every = sorted({int(fold) for one in found for fold in one.folds})
    total = np.array([one.in_folds(every) for one in found])
    folds = np.array([[one.in_folds(fold) for one in found] for fold in every])
    halves = np.array([[one.in_folds(every[at::2]) for one in found] for at in (0, 1)])
    told = {}
    for rank, depth in enumerate(AHEAD.depths):
        name = f"points kept, {depth} ahead"
        told[f"{name}: mean"] = interval(total[:, rank])
        told[f"{name}: one fold with another"] = _together(folds[:, :, rank])
        told[f"{name}: one half of the folds with the other"] = _together(halves[:, :, rank])
        told[f"{name}: with Elo"] = _together([total[:, rank], elo])
        if rank:
            told[f"{name}: with Elo at equal points kept 1 ahead"] = over_people(
                lambda who, rank=rank: at_equal(total[who, rank], elo[who], total[who, 0]),
                len(found),
            )
    for name in PUBLISHED:
        values = np.array([float(row[name]) for row in rows])
        told[f"published {name}: with Elo"] = _together([values, elo])
    return told


def _together(columns):
    """Mean Spearman of all pairs of columns, one row a person."""
    table = np.array(columns)
    return over_people(
        lambda who: np.mean([spearman(a[who], b[who]) for a, b in combinations(table, 2)]),
        table.shape[1],
    )


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name in ("models", "quality"):
        verb = verbs.add_parser(name)
        verb.add_argument("moves_file")
        verb.add_argument("ratings")
        verb.add_argument("--moves", type=int, default=10**9, help="most moves of a person")
        verb.add_argument("--workers", type=int, default=2)
        verb.add_argument("--save", help="write the aggregates to this JSON file")
    arguments = parser.parse_args()
    with Path(arguments.ratings).open(encoding="utf-8") as file:
        rated = {row["person"]: row for row in csv.DictReader(file)}
    moves = read_people(arguments.moves_file, arguments.moves)
    names = [name for name in sorted(moves) if name in rated]
    look, measure, halves = {
        "models": (held, likelihoods, {"second half": 1}),
        "quality": (lost, qualities, {"first half": 0, "second half": 1}),
    }[arguments.verb]
    told = {}
    for half, first in halves.items():
        some, found = names[first::2], []
        with ProcessPoolExecutor(arguments.workers) as pool:
            for number, one in enumerate(pool.map(look, [moves[name] for name in some]), 1):
                found.append(one)
                print(f"{half}: {number} of {len(some)} people", file=sys.stderr)
        told[f"{half}: people"] = len(found)
        told[f"{half}: moves"] = int(sum(len(one.folds) for one in found))
        for key, value in measure(found, [rated[name] for name in some]).items():
            told[f"{half}: {key}"] = value
    tell(told, arguments.save)


if __name__ == "__main__":
    main()
