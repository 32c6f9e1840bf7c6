"""How fast rules run: perft, random playouts beside OpenSpiel's, and steps of the grid worlds.

Run: python benchmarks/bench_games.py [perft depth, up to 11]
"""

import sys
import time

import numpy as np
import pyspiel

from sizeup.games import checkers, narrow_tunnel, wall_of_fire
from sizeup.games.contract import View
from sizeup.games.rng import new_rng

PERFT = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128]
ROUNDS = 5


def main():
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    perft(depth)
    playouts()
    grids()


def scratch(view):
    size = view.info.max_actions
    return np.zeros(size, dtype=np.int64), np.zeros(size)


def rate(call):
    """What ``call`` counts, per second of CPU."""
    begin = time.process_time()
    return call() / (time.process_time() - begin)


def best(call):
    """The highest rate of some rounds."""
    return max(rate(call) for _ in range(ROUNDS))


def perft(depth):
    view = View(checkers)
    out, _ = scratch(view)
    kept = np.zeros((depth + 1) * len(out), dtype=np.int64)
    count = view._steps.perft(view.start(), view.params, depth, out, kept)
    assert count == PERFT[depth - 1], count
    fastest = best(lambda: view._steps.perft(view.start(), view.params, depth, out, kept))
    print(f"checkers perft {depth}: {count} leaves, {fastest / 1e6:.1f} M/s")


def playouts():
    """Complete moves per second of uniform random games, to OpenSpiel's end of the game."""
    view, rng = View(checkers), new_rng(0)
    out, lots = scratch(view)
    first = view.start()
    game = pyspiel.load_game("checkers")
    simulations, rollouts = 2, 1_000  # two nodes with a thousand C++ rollouts each: all rollouts
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=0)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 100, False, 0, False)
    state = game.new_initial_state()
    moves = complete_moves_per_game(game, 300)

    def ours():
        return view._steps.playouts(first, view.params, rng, 200, 20_000, out, lots)[0]

    def theirs():
        bot.step(state)
        return simulations * rollouts * moves

    ours()  # compiled before the clock runs
    rounds = [(rate(ours), rate(theirs)) for _ in range(ROUNDS)]
    fast, slow = (float(np.median(side)) for side in zip(*rounds, strict=True))
    ratios = sorted(one / other for one, other in rounds)
    print(
        f"checkers random playouts: {fast / 1e6:.1f} M moves/s; OpenSpiel (C++) {slow / 1e6:.3f} "
        f"M/s at {moves:.1f} complete moves a game; ratio {np.median(ratios):.0f} (median of "
        f"{ROUNDS} alternate rounds, {ratios[0]:.0f} to {ratios[-1]:.0f})"
    )


def complete_moves_per_game(game, games):
    """Mean number of complete moves: OpenSpiel counts each jump of a multiple one."""
    rng, moves = np.random.default_rng(0), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            mover = state.current_player()
            legal = state.legal_actions()
            state.apply_action(legal[rng.integers(len(legal))])
            moves += state.is_terminal() or state.current_player() != mover
    return moves / games


def grids():
    for world in (wall_of_fire, narrow_tunnel):
        view, rng = View(world), new_rng(0)
        out, lots = scratch(view)
        steps, params, first = view._steps, view.params, view.start()
        fastest = best(
            lambda s=steps, p=params, f=first, r=rng, o=out, t=lots: s.playouts(
                f, p, r, 20, 20_000, o, t
            )[0]
        )
        print(f"{view.info.name}: {fastest / 1e6:.1f} M random steps/s (list, draw, apply, reward)")


if __name__ == "__main__":
    main()
