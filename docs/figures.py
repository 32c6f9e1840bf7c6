"""The figures of the documentation; run this file to redraw the README's pictures."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # what is measured stands in benchmarks/

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

from benchmarks import beliefs
from benchmarks.bench_convergence import ITERATIONS, errors
from sizeup.capability import (
    Adversarial,
    Exact,
    NoisyValues,
    Sampled,
    SolvedGame,
    Stochastic,
    Tempered,
    TypeSet,
    adversarial_bound,
    simulate,
    smallest_d,
    stochastic_bound,
)
from sizeup.planning import Planner, corridors, play_episode
from sizeup.play import play
from sizeup.play.pictures import animate
from sizeup.words import figure as written

mpl.rcParams.update(
    {"svg.hashsalt": "sizeup", "axes.spines.top": False, "axes.spines.right": False}
)

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#777777"  # colour-blind safe
EXPERT, NOVICE = 6, 2


def convergence(axes, cases=("oblivious", "chance", "minimiser", "known, depth 2", "believed")):
    """Error of the search's root value against the exact planner, as the search gets longer."""
    for case, marker in zip(cases, "os^dv", strict=True):
        axes.loglog(
            ITERATIONS, [errors(case, n).mean() for n in ITERATIONS], marker + "-", label=case
        )
    guide = np.array(ITERATIONS, dtype=float)
    axes.loglog(guide, 5 / np.sqrt(guide), color=GREY, linestyle="--", label="1/√n")
    axes.set(
        xlabel="iterations of the first level",
        ylabel="mean error of the root value",
        title="The search converges to the exact planner",
    )
    axes.legend(fontsize="small")


def reliability(axes, rows):
    """How often types that are given some probability are true."""
    bins = list(beliefs.reliability(rows))
    mean, share = [given for given, _ in bins], np.array([np.mean(hits) for _, hits in bins])
    ends = np.array([beliefs.wilson(hits) for _, hits in bins])
    spread = np.maximum(0.0, [share - ends[:, 0], ends[:, 1] - share])
    axes.plot([0, 1], [0, 1], color=GREY, linestyle="--")
    axes.errorbar(mean, share, yerr=spread, fmt="o", color=BLUE, capsize=3)
    for x, y, (_, hits) in zip(mean, share, bins, strict=True):
        axes.annotate(f"{len(hits)}", (x, y), (4, -11), textcoords="offset points", size=7)
    axes.set(
        xlabel="probability given to a type",
        ylabel="how often it was the true one",
        title=f"n = {len(rows)} players",
    )


def sampling(axes, moves=40, players=200):
    """How sure a belief gets about two types that act alike: with and without lending counts."""
    rng, rule = np.random.default_rng(0), Sampled()
    for chances, colour, label in (
        (rule.chances, ORANGE, "each by its own counts"),
        (rule.pooled_chances, BLUE, "neighbours may lend theirs"),
    ):
        top = np.zeros((players, moves))
        for one in top:
            energy = np.zeros(2)
            for move in range(moves):
                counts = rng.multinomial(16, [0.5, 0.3, 0.2], size=2).astype(float)
                energy -= np.log(chances(counts, int(rng.choice(3, p=[0.5, 0.3, 0.2]))))
                one[move] = 1 / (1 + np.exp(-abs(energy[0] - energy[1])))
        axes.plot(1 + np.arange(moves), (top > 0.9).mean(axis=0), color=colour, label=label)
    axes.set(
        xlabel="moves that tell nothing",
        ylabel="beliefs above 90 %",
        title=f"Two types that act alike, 16 searches a move, n = {players}",
    )
    axes.legend(fontsize="small")


def how_bad(axes, turns=(12, 20, 40, 80, 120, 160)):
    """Total reward of a deep and a shallow player at the fire, in longer and longer games."""
    planners = [
        Planner(corridors(players=2, lengths=(3,), prizes=(20.0,), moves=n), (2, 6)) for n in turns
    ]
    for plan, colour, label in (
        ("oblivious", ORANGE, "oblivious pair"),
        ("aware", BLUE, "aware pair"),
    ):
        totals = [
            play_episode(planner, (EXPERT, NOVICE), turns=n, seed=0, plan=plan).total
            for planner, n in zip(planners, turns, strict=True)
        ]
        axes.plot(turns, totals, "o-", color=colour, label=label)
        axes.annotate(
            f"{label}: {written(totals[-1])}",
            (turns[-1], totals[-1]),
            xytext=(-10, -16 if plan == "aware" else -3),
            textcoords="offset points",
            ha="right",
            color=colour,
        )
    axes.set(
        xlabel="moves in the game",
        ylabel="total reward",
        title="A deep and a shallow player at the fire",
    )


def sizing_up(axes, subject=1, moves=10):
    """What the deepest of three players believes about another one, move by move."""
    planner = Planner(corridors(3, (1, 3, 5), (3.0, 16.0, 100.0)), TypeSet((2, 4, 6)))
    episode = play_episode(planner, (6, 4, 2), turns=moves, seed=0)
    held = [episode.first_beliefs, *(move.beliefs for move in episode.moves)]
    shares = np.array([beliefs[0].probabilities()[subject] for beliefs in held])
    for rank, (depth, colour) in enumerate(zip((2, 4, 6), (ORANGE, BLUE, GREEN), strict=True)):
        axes.step(range(moves + 1), shares[:, rank], where="post", color=colour, lw=2)
        level = shares[3, rank] + (0.03 if depth != 4 else -0.08)
        axes.text(3, level, f"depth {depth}", color=colour)
    axes.set(
        xlabel="moves seen",
        ylabel="probability",
        ylim=(-0.04, 1.08),
        title="What Ann (depth 6) believes about Ben (depth 4)",
    )


def drift(figure, players=3, epsilon=0.1, delta=0.05, episodes=200, turns=60):
    """Distance between beliefs under noise: the hard update, and both tempered ones."""
    types, own = TypeSet((1, 2, 3)), (3, 2, 3)
    d = smallest_d(players, len(types), delta)
    game = SolvedGame.random(types, players, seed=0)
    time = np.arange(1, turns // players + 1)
    left, right = figure.subplots(1, 2)
    for name, colour, rule, adversarial in (
        ("hard update", ORANGE, Exact(), False),
        ("T = 6tN, adversarial noise", GREEN, Tempered(Adversarial(players)), True),
        ("T = √d·t^(2/3), iid noise", BLUE, Tempered(Stochastic(d)), False),
    ):
        noise = NoisyValues(epsilon, adversarial)
        seen = simulate(game, own, rule, noise, episodes=episodes, turns=turns, seed=1)
        apart = np.logical_or.accumulate(np.isinf(seen.gap).any(axis=2))
        right.plot(range(1, turns + 1), apart.mean(axis=1), color=colour, label=name)
        if not isinstance(rule, Exact):
            largest = [seen.gap[seen.updates == t].max() for t in time]
            left.plot(time, largest, color=colour, label=f"largest, {name}")
    left.plot(time, adversarial_bound(epsilon, time), "--", color=GREEN, label="bound 3εt")
    bound = stochastic_bound(epsilon, time, d, players)
    left.plot(time, bound, "--", color=BLUE, label="bound √d·ε·t^(2/3) / 2N")
    left.set(
        xlabel="updates about the subject",
        ylabel="largest difference of energies",
        title="Tempered updates stay below their bounds",
    )
    right.set(
        xlabel="moves",
        ylabel="share of episodes",
        title="Beliefs have been infinitely far apart",
        ylim=(-0.04, 1.04),
    )
    left.legend(frameon=False, fontsize="small")
    right.legend(frameon=False, fontsize="small")


def readme_picture(path):
    """Both sides of the idea: what obliviousness costs, and how a belief finds the truth."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    how_bad(left)
    sizing_up(right)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


def fire_loop(path):
    """The oblivious pair above the aware one at the wall of fire, animated."""
    pairs = {
        "oblivious expert and novice": "obl:20+obl:2",
        "aware expert and novice": "ca:20+obl:2",
    }
    records = [play("wall-of-fire", [agents], seed=1) for agents in pairs.values()]
    path.write_text(animate(records, list(pairs)))


if __name__ == "__main__":
    images = Path(__file__).parent / "images"
    for draw, name in ((readme_picture, "sizing_up.svg"), (fire_loop, "wall_of_fire.svg")):
        draw(images / name)
        print(f"wrote {(images / name).relative_to(images.parents[1])}")
