"""Every example runs, in a process of its own, and prints what it promises."""

import subprocess
import sys
from pathlib import Path

import pytest

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
    row = next(line for line in output.splitlines() if "6 4 2" in line)
    assert row.replace("│", " ").split()[3:] == ["1", "40", "91"]
