"""How long commands and compiled games take to start, beside a bare interpreter.

Run: python benchmarks/bench_startup.py
"""

import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 15
GAME = """
from sizeup.games import checkers
from sizeup.games.contract import View
board = View(checkers)
board.apply(board.start(), board.actions(board.start())[0])
"""


def main():
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import sizeup": [sys.executable, "-c", "import sizeup"],
        "sizeup --version": [str(Path(sys.executable).with_name("sizeup")), "--version"],
        "a game, warm": [sys.executable, "-c", GAME],
        "import numba": [sys.executable, "-c", "import numba"],
        "sizeup --help": [str(Path(sys.executable).with_name("sizeup")), "--help"],
    }
    times = {name: [] for name in commands}
    subprocess.run(commands["a game, warm"], check=True)  # compiled and cached
    for _ in range(ROUNDS):
        for name, command in commands.items():
            begin = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times[name].append(time.perf_counter() - begin)
    print(f"milliseconds, median of {ROUNDS}")
    for name, kept in times.items():
        print(f"{name:20}{sorted(kept)[ROUNDS // 2] * 1e3:8.0f}")


if __name__ == "__main__":
    main()
