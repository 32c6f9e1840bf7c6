"""What people's moves tell of how far they plan: best-first searches, and what speaks against them.

Run: python benchmarks/planning_depth.py people MOVES.csv --ratings PEOPLE.csv [--half first|second]
     python benchmarks/planning_depth.py recovery
     python benchmarks/planning_depth.py checkers GAMES.txt [--games N]
     python benchmarks/planning_depth.py turns GAMES.txt [--games N]

``people`` reads the tables of :mod:`benchmarks.people`. A model is chosen on the first half of the
people (every other one) and reported on the second. Moves are predicted from other folds than
their own, priors are fitted to other people. ``checkers`` reads lines of moves numbered from 0 with
the result behind a tab, and compares both sides of decided games; ``turns`` looks at the moves at
which the deepest search sees a piece lost by what a shallow one wants. Only aggregates are written.
"""

import argparse
import csv
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from people import interval, one_made_up, over_people, predicted, read_people, spearman, tell

from sizeup.capability.people import PersonTypes, fit_prior, posterior
from sizeup.games import checkers, four_in_a_row
from sizeup.games.contract import View
from sizeup.play.people import BestFirst, Onlooker
from sizeup.play.played import positions, read_games

STEPS = PersonTypes(
    depths=(1, 2, 4, 8, 16, 32, 64), drops=(0.5, 0.3, 0.15, 0.0),
    precisions=(0.1, 0.2, 0.4, 0.8, 1.6, 3.2), lapses=(0.3, 0.15, 0.05, 0.01),
)  # fmt: skip
GROUPS = 5
BINS = np.array([0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0])
CHECKERS = PersonTypes((1, 2, 4, 6), (0.0,), (0.5, 1.0, 2.0, 4.0), (0.3, 0.1, 0.03))
STAGES = {"moves 1 to 20": (0, 20), "moves 21 to 40": (20, 40), "later": (40, 10**9)}


class Person(NamedTuple):
    """What a person's moves told."""

    folds: np.ndarray  # (moves,)
    chances: np.ndarray  # (moves, types), logarithms
    uniform: np.ndarray  # (moves,)
    reach: np.ndarray  # (depths,) of the best line, mean over positions
    bins: np.ndarray  # (bins, 3): predictions, their sum, how many came true
    match: float  # share of moves that were the likeliest
    slower: tuple[float, float]  # seconds with what steps explain; the same at equal stones


def looked(moves, error):
    """Hold a person's moves, each a state, an action, a fold, a seed and seconds, against types."""
    onlooker = BestFirst(View(four_in_a_row), STEPS, error=error)
    seen, reach, chosen = [], [], []
    for fields, action, _, seed, _ in moves:
        state = four_in_a_row.FourInARowState(*fields)
        values, lengths = onlooker.look(state, seed)
        seen.append(values)
        reach.append(lengths.mean(axis=1))
        chosen.append(onlooker.view.actions(state).index(action))
    chances = np.array(
        [
            np.log(STEPS.chances(values, onlooker.searches, at))
            for values, at in zip(seen, chosen, strict=True)
        ]
    )
    folds = np.array([move[2] for move in moves])
    bins, match = foretold(seen, chosen, chances, folds, onlooker.searches)
    return Person(
        folds, chances, np.array([-np.log(values.shape[-1]) for values in seen]),
        np.mean(reach, axis=0), bins, match, time_taken(moves, chances),
    )  # fmt: skip


def foretold(seen, chosen, chances, folds, searches):
    """Calibration and match of the moves of each fold, foretold from the others."""
    bins, match = np.zeros((len(BINS) - 1, 3)), 0
    even = np.full(len(STEPS), 1 / len(STEPS))
    odds = {fold: posterior(chances[folds != fold].sum(axis=0), even) for fold in np.unique(folds)}
    for values, at, fold in zip(seen, chosen, folds, strict=True):
        told = odds[fold] @ STEPS.policies(values, searches)
        match += told.argmax() == at
        where = np.clip(np.searchsorted(BINS, told, side="right") - 1, 0, len(BINS) - 2)
        np.add.at(bins, (where, 0), 1)
        np.add.at(bins, (where, 1), told)
        bins[where[at], 2] += 1
    return bins, match / len(seen)


def time_taken(moves, chances):
    """Spearman of seconds with how much better many steps explain the move than one step does."""
    by_steps = chances.reshape(len(chances), len(STEPS.depths), -1).mean(axis=2)
    need = by_steps[:, -1] - by_steps[:, 0]
    seconds = np.array([move[4] for move in moves])
    stones = np.array([(move[0][0] | move[0][1]).bit_count() for move in moves])
    same = [np.flatnonzero(stones == number) for number in np.unique(stones)]
    same = [group for group in same if len(group) > 3]
    weights = [len(group) for group in same]
    inside = np.average([spearman(need[g], seconds[g]) for g in same], weights=weights)
    return spearman(need, seconds), float(inside)


def people(arguments):
    """Hold the moves of half of the people against all types; tell what comes of it."""
    with Path(arguments.moves_file).open(encoding="utf-8") as file:
        seconds = [float(row["seconds"]) for row in csv.DictReader(file)]
    moves = read_people(arguments.moves_file, arguments.moves)
    names = sorted(moves)[{"first": 0, "second": 1}[arguments.half] :: 2]
    begin = time.perf_counter()
    given = [[(*move, seconds[move[3] - 1]) for move in moves[name]] for name in names]
    with ProcessPoolExecutor(arguments.workers) as pool:
        found = list(pool.map(partial(looked, error=arguments.error), given))
    took = (time.perf_counter() - begin) / len(found)
    told = {
        "half": arguments.half, "error": arguments.error, "people": len(found),
        "moves": int(sum(len(one.folds) for one in found)), "seconds_a_person": took,
    }  # fmt: skip
    if arguments.ratings:
        with Path(arguments.ratings).open(encoding="utf-8") as file:
            rated = {row["person"]: row for row in csv.DictReader(file)}
        told |= inferred(found, [rated[name] for name in names])
    told |= explained(found)
    tell(told, arguments.save)


def priors(found, kept):
    """For each person, how common types are among people of the other groups.

    Steps are as common whatever the rest: else who moves precisely would be called deep, or
    shallow, by what others were.
    """
    every = np.array([one.chances[:, kept].sum(axis=0) for one in found])
    group = np.arange(len(found)) % GROUPS
    fitted = [apart(fit_prior(every[group != number])) for number in range(GROUPS)]
    return [fitted[number] for number in group]


def apart(prior):
    """A prior with the same shares of steps and of all else, independent of each other."""
    if len(prior) < len(STEPS):
        return prior
    table = prior.reshape(len(STEPS.depths), -1)
    return np.outer(table.sum(axis=1), table.sum(axis=0)).reshape(-1)


def measures(found):
    """What is inferred: a number for each type."""
    reach = np.mean([one.reach for one in found], axis=0)
    full = [np.array(column) for column in zip(*STEPS, strict=True)]
    return {
        "planning depth": reach[[STEPS.depths.index(int(steps)) for steps in full[0]]],
        "log steps": np.log(full[0]), "overlooked": full[1], "log precision": np.log(full[2]),
        "lapses": full[3],
    }  # fmt: skip


def inferred(found, rows):
    """Posterior means of people: with Elo, and from one fold with another."""
    elo = np.array([float(row["elo"]) for row in rows])
    prior, every = priors(found, slice(None)), np.unique(found[0].folds)

    def odds(which):
        return np.array(
            [
                posterior(one.chances[which(one)].sum(axis=0), own)
                for one, own in zip(found, prior, strict=True)
            ]
        )

    total = odds(lambda one: slice(None))
    alone = [odds(lambda one, fold=fold: one.folds == fold) for fold in every]
    told, values = {}, {}
    for name, scale in measures(found).items():
        values[name] = total @ scale
        told[f"{name}, mean over people"] = interval(values[name])
        parts = [part @ scale for part in alone]
        told[f"{name} of one fold with another, Spearman"] = over_people(
            lambda who, parts=parts: np.mean(
                [spearman(a[who], b[who]) for a, b in combinations(parts, 2)]
            ),
            len(found),
        )
    values |= {name: np.array([float(row[name]) for row in rows]) for name in ("fitted_depth",)}
    told["planning depth with Elo at equal precision, Spearman"] = over_people(
        lambda who: at_equal(
            *(one[who] for one in (values["planning depth"], elo, values["log precision"]))
        ),
        len(rows),
    )
    halves = [odds(lambda one, rest=rest: one.folds % 2 == rest) for rest in (0, 1)]
    told["planning depth of even folds with odd ones, Spearman"] = over_people(
        lambda who: spearman(*((half @ measures(found)["planning depth"])[who] for half in halves)),
        len(rows),
    )
    for name, value in values.items():
        told[f"{name} with Elo, Spearman"] = over_people(
            partial(lambda value, who: spearman(value[who], elo[who]), value), len(rows)
        )
    return told


def at_equal(a, b, third):
    """Spearman of two, that with a third one taken out of both (partial correlation of ranks)."""
    ab, ac, bc = spearman(a, b), spearman(a, third), spearman(b, third)
    return (ab - ac * bc) / max(1e-9, np.sqrt((1 - ac**2) * (1 - bc**2)))


def explained(found):
    """Held-out log chances, calibration, match, and time."""
    steps = np.array([one.depth for one in STEPS])
    kept = {"all": steps > 0, "one step": steps == 1, "more than one step": steps > 1}
    kept |= {f"mean of {mean} steps": steps == mean for mean in STEPS.depths[1:]}
    chances = {
        name: np.array(
            [
                predicted(one.chances[:, which], one.folds, prior).mean()
                for one, prior in zip(found, priors(found, which), strict=True)
            ]
        )
        for name, which in kept.items()
    }
    told = {"log chance a move: at random": interval([one.uniform.mean() for one in found])}
    for name, values in chances.items():
        told[f"log chance a move: {name}"] = interval(values)
        told[f"  all above {name}"] = interval(chances["all"] - values)
    told["moves that were the likeliest"] = interval([one.match for one in found])
    for number, (count, total, true) in enumerate(sum(one.bins for one in found)):
        told[f"foretold {BINS[number]:g} to {BINS[number + 1]:g}"] = {
            "moves": int(count), "foretold": float(total / max(1, count)),
            "came true": float(true / max(1, count)),
        }  # fmt: skip
    told["seconds with need of steps, Spearman in a person"] = interval(
        [o.slower[0] for o in found]
    )
    told["  the same among positions of as many stones"] = interval(
        [one.slower[1] for one in found]
    )
    return told


# -- made-up people -----------------------------------------------------------------------------


def made_up(job):
    """A made-up person who follows the most promising line."""
    return one_made_up(BestFirst(View(four_in_a_row), STEPS), job)


def recovery(arguments):
    """How well the types of made-up people are found again."""
    jobs = [(number, arguments.moves, arguments.seed) for number in range(arguments.people)]
    with ProcessPoolExecutor(arguments.workers) as pool:
        found = list(pool.map(made_up, jobs, chunksize=4))
    kinds = np.array([list(STEPS)[kind] for kind, _ in found])
    odds = posterior([total for _, total in found], np.full(len(STEPS), 1 / len(STEPS)))
    full = np.array(list(STEPS))
    told = {"people": len(found), "moves of each": arguments.moves}
    for column, name in enumerate(("steps", "overlooked", "precision", "lapses")):
        told[f"{name}, inferred with true, Spearman"] = over_people(
            lambda who, column=column: spearman(
                (odds @ np.log(full[:, column] + 0.01))[who], kinds[who, column]
            ),
            len(found),
        )
    for rank, mean in enumerate(STEPS.depths):
        share = STEPS.depth_odds(odds[kinds[:, 0] == mean]).mean(axis=0)
        told[f"mean odds of {STEPS.depths} steps at {mean}"] = share.round(3).tolist()
        told[f"  people of {mean} steps"] = int((kinds[:, 0] == STEPS.depths[rank]).sum())
    tell(told, arguments.save)


# -- checkers -----------------------------------------------------------------------------------


class Game(NamedTuple):
    """What the moves of a decided game told."""

    won: np.ndarray  # (moves,) whether by the side that won
    plies: np.ndarray  # (moves,)
    chances: np.ndarray  # (moves, types), logarithms
    uniform: np.ndarray  # (moves,)
    match: np.ndarray  # (moves, depths) chance that a fixed-depth search makes the move


def decided(path, most):
    """Moves with a choice of every n-th decided game: state, action, whether the winner's, ply."""
    lines = [line for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    wins = {"1-0": 0, "0-1": 1}
    winner = {at: wins.get(line.rpartition("\t")[2].strip()) for at, line in enumerate(lines)}
    every = [at for at in winner if winner[at] is not None]
    kept = set(every[:: max(1, len(every) // most)][:most])
    games = {at: [] for at in kept}
    for move in positions(read_games(path)):
        if move.game in kept:
            row = tuple(move.state), move.action, move.seat == winner[move.game], move.ply
            games[move.game].append(row)
    return list(games.values())


def sized(moves):
    """Hold the moves of a game against searches of fixed depth that count men and kings."""
    onlooker, rows = Onlooker(View(checkers), CHECKERS, width=6), []
    for fields, action, won, ply in moves:
        state = checkers.CheckersState(*fields)
        actions = onlooker.view.actions(state)
        if len(actions) < 2:
            continue
        values, at = onlooker.values(state), actions.index(action)
        best = values[:, 0] >= values[:, 0].max(axis=1, keepdims=True) - 1e-9
        rows.append(
            (
                won,
                ply,
                np.log(CHECKERS.chances(values, onlooker.searches, at)),
                -np.log(len(actions)),
                best[:, at] / best.sum(axis=1),
            )
        )
    return Game(*(np.array(column) for column in zip(*rows, strict=True)))


def sides(arguments):
    """Winners against losers of the same games."""
    with ProcessPoolExecutor(arguments.workers) as pool:
        found = list(pool.map(sized, decided(arguments.games_file, arguments.games), chunksize=4))
    prior = fit_prior([one.chances.sum(axis=0) for one in found])
    told = {"games": len(found), "moves with a choice": sum(len(one.won) for one in found)}
    for name, (first, last) in {"all moves": (0, 10**9), **STAGES}.items():
        told |= {f"{name}: {key}": value for key, value in compared(found, prior, first, last)}
    tell(told, arguments.save)


def compared(found, prior, first, last):
    """Winner less loser in moves of a stage: depth, match; log chances above a choice at random."""
    pairs = []
    for one in found:
        inside = (one.plies > first) & (one.plies <= last)
        both = [inside & one.won, inside & ~one.won]
        if all(side.any() for side in both):
            pairs.append((one, *both))
    yield "games", len(pairs)
    depth = np.array(
        [
            [CHECKERS.mean_depth(posterior(one.chances[s].sum(axis=0), prior)) for s in both]
            for one, *both in pairs
        ]
    )
    yield "depth of winners", interval(depth[:, 0])
    yield "depth, winner less loser", interval(depth[:, 0] - depth[:, 1])
    for rank, ahead in enumerate(CHECKERS.depths):
        match = np.array([[one.match[s, rank].mean() for s in both] for one, *both in pairs])
        yield f"match with depth {ahead}", interval(match.mean(axis=1))
        yield f"match with depth {ahead}, winner less loser", interval(match[:, 0] - match[:, 1])
        kept = [kind.depth == ahead for kind in CHECKERS]
        gain = [_above_random(one, np.array(kept), prior, a | b) for one, a, b in pairs]
        yield f"log chance a move above random, depth {ahead}", interval(gain)


def _above_random(one, kept, prior, which):
    """Of types of one depth as common as they are among everybody."""
    odds = prior[kept] / prior[kept].sum()
    return float((np.log(np.exp(one.chances[which][:, kept]) @ odds) - one.uniform[which]).mean())


# -- where the deeper search turns ----------------------------------------------------------------

SHALLOW, DEEP = CHECKERS.depths.index(2), len(CHECKERS.depths) - 1
A_PIECE = 0.9  # points that a move loses if it loses a man, however late


class Turn(NamedTuple):
    """A decided game's traps: moves at which depth 2 wants what depth 6 sees losing a piece."""

    won: np.ndarray  # (traps,) whether the side that won was to move
    fell: np.ndarray  # (traps,) whether a move was made that loses a piece
    shallow: np.ndarray  # (traps,) chance that a player of depth 2 would have made one
    others: np.ndarray  # (2,) share of other moves that lose a piece, of loser and winner


def turned(moves):
    """Look at a game for moves at which the deeper search turns away from what depth 2 wants."""
    onlooker, traps, others = Onlooker(View(checkers), CHECKERS, width=6), [], ([], [])
    for fields, action, won, _ in moves:
        state = checkers.CheckersState(*fields)
        actions = onlooker.view.actions(state)
        if len(actions) < 2:
            continue
        shallow, deep = onlooker.values(state)[[SHALLOW, DEEP], 0]
        loses = deep.max() - deep >= A_PIECE
        fell, risk = loses[actions.index(action)], loses[shallow >= shallow.max() - 1e-9].mean()
        if risk > 0:
            traps.append((won, fell, risk))
        elif loses.any():
            others[won].append(fell)
    won, fell, risk = np.array(traps, dtype=float).reshape(-1, 3).T
    shares = np.array([np.mean(side) if side else np.nan for side in others])
    return Turn(won > 0, fell, risk, shares)


def turns(arguments):
    """Losers beside winners where the deeper search turns; means over games with both."""
    with ProcessPoolExecutor(arguments.workers) as pool:
        games = decided(arguments.games_file, arguments.games)
        found = list(pool.map(turned, games, chunksize=4))
    both = [one for one in found if one.won.any() and not one.won.all()]
    told = {
        "games": len(found), "traps": sum(len(one.won) for one in found),
        "games in which both sides were to move at one": len(both),
    }  # fmt: skip
    for key, name in (("fell", "fell into it"), ("shallow", "a player of depth 2 would have")):
        values = [getattr(one, key) for one in both]
        sides = np.array(
            [[v[~o.won].mean(), v[o.won].mean()] for o, v in zip(both, values, strict=True)]
        )
        told |= {
            f"{name}, loser": interval(sides[:, 0]), f"{name}, winner": interval(sides[:, 1]),
            f"{name}, loser less winner": interval(sides[:, 0] - sides[:, 1]),
        }  # fmt: skip
    others = np.array([one.others for one in found if not np.isnan(one.others).any()])
    told["other moves that lose a piece, loser less winner"] = interval(others[:, 0] - others[:, 1])
    tell(told, arguments.save)


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name in ("people", "recovery", "checkers", "turns"):
        verb = verbs.add_parser(name)
        verb.add_argument("--workers", type=int, default=2)
        verb.add_argument("--save", help="write the aggregates to this JSON file")
    verb = verbs.choices["people"]
    verb.add_argument("moves_file")
    verb.add_argument("--ratings")
    verb.add_argument("--half", choices=("first", "second"), default="second")
    verb.add_argument("--moves", type=int, default=10**9, help="most moves of a person")
    verb.add_argument("--error", type=float, default=1.0, help="of every judgement")
    verb = verbs.choices["recovery"]
    verb.add_argument("--people", type=int, default=60)
    verb.add_argument("--moves", type=int, default=60)
    verb.add_argument("--seed", type=int, default=0)
    for name in ("checkers", "turns"):
        verbs.choices[name].add_argument("games_file")
        verbs.choices[name].add_argument("--games", type=int, default=300)
    arguments = parser.parse_args()
    {"people": people, "recovery": recovery, "checkers": sides, "turns": turns}[arguments.verb](
        arguments
    )


if __name__ == "__main__":
    main()
