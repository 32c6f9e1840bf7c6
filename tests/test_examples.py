"""Every example runs, in a process of its own, and prints what it promises."""

import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest

from sizeup.planning import Planner, corridors, play_episode

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name):
    command = [sys.executable, "-W", "error", str(EXAMPLES / name)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_example_runs(name):
    assert run(name)


def test_the_demo_tells_its_story():
    output = run("three_players.py")
    assert output.count("✓ one type structure") == 10
    assert "deeper than me: I treat Ann as 4" in output
    assert "the seed plays no part" in output  # and the next test holds it to that
    row = next(line for line in output.splitlines() if "6 4 2" in line)
    assert row.replace("│", " ").split()[3:] == ["1", "40", "91"]


def test_the_demos_totals_do_not_depend_on_the_seed():
    planner = Planner(corridors(3, (1, 3, 5), (3.0, 16.0, 100.0)), (2, 4, 6))
    for order in permutations((6, 4, 2)):
        for plan in ("oblivious", "public", "aware"):
            totals = {
                play_episode(planner, order, turns=40, seed=seed, plan=plan).total
                for seed in range(3)
            }
            assert len(totals) == 1
