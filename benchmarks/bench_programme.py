"""What the published programme of checkers costs: 9,360 games, in core-minutes.

The first seed blocks of every cell are played in this process, the arms of the control (EQ) left
out, which was not published. A block of each cell is one measurement of the whole.

Run: python benchmarks/bench_programme.py [blocks, 2 if not given] (some minutes)
"""

import statistics
import sys
import time

from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.worker import play_job

PROGRAMME = ("checkers-aware", "checkers-multi", "checkers-ablation")


def main():
    blocks = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    rounds = [0.0] * blocks
    total = 0
    for name in PROGRAMME:
        experiment = read_experiment(name)
        experiment = experiment.only([a.name for a in experiment.arms if a.name != "eq"])
        games = len(plan(experiment))
        play_job(plan(experiment)[0])  # compiles
        seconds = [measured(plan(experiment, blocks=blocks), number) for number in range(blocks)]
        cost = statistics.fmean(seconds) * games
        print(f"{name:20}{games:6} games{cost / games:8.3f} s a game{cost / 60:8.1f} core-minutes")
        rounds = [so_far + one * games / 60 for so_far, one in zip(rounds, seconds, strict=True)]
        total += games
    spread = f" ({min(rounds):.1f} to {max(rounds):.1f} by block)" if blocks > 1 else ""
    print(f"{'together':20}{total:6} games{statistics.fmean(rounds):24.1f} core-minutes{spread}")


def measured(jobs, block):
    """Seconds of CPU that a game of one block takes."""
    chosen = [job for job in jobs if job.block == block]
    begin = time.process_time()
    for job in chosen:
        play_job(job)
    return (time.process_time() - begin) / len(chosen)


if __name__ == "__main__":
    main()
