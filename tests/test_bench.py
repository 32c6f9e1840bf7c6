"""``sizeup bench`` measures what it says; how fast a machine is, no test decides."""

import re
import sys
from pathlib import Path

import pytest

from sizeup.cli import bench
from sizeup.games.check import check_game
from sizeup.games.contract import load_game
from tests.test_cli import run

pytestmark = pytest.mark.slow

THEIRS = (
    "print('start depth 8: 20.0 ms'); print('middle depth 8: 10 ms'); print('late depth 8: 5 ms')"
)
ROW = re.compile(r"(.*?) +([\d.]+) (?:k it/s|x|ms) +([\d.]+) to ([\d.]+)")


def rows(monkeypatch, *options):
    """Median, lowest and highest of every row, by its name."""
    monkeypatch.setattr(bench, "_SEARCHES", 1)
    shown = run("bench", "--rounds", 1, *options)
    assert shown.returncode == 0
    found = [ROW.fullmatch(line).groups() for line in shown.stdout.splitlines()[1:]]
    return {name.strip(): tuple(map(float, values)) for name, *values in found}


def test_every_row_is_measured(monkeypatch):
    measured = rows(monkeypatch, "--beside", f'{sys.executable} -c "{THEIRS}"')
    assert len(measured) == 11
    for median, low, high in measured.values():
        assert 0 < low <= median <= high
    for name, seconds in (("start", 0.02), ("middle", 0.01), ("late", 0.005)):
        rate = measured[f"depth 8, n = 200, m = 5, {name} position"][0]
        ratio = measured[f"speed relative to the command, {name} position"][0]
        assert ratio == pytest.approx(seconds * rate / 7200 * 1e3, rel=0.02)  # of printed numbers


def test_rows_without_anything_to_compare_with(monkeypatch):
    assert len(rows(monkeypatch)) == 8


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-command-anywhere", "--beside: the command failed"),
        (f"{sys.executable} -c 'raise SystemExit(3)'", "--beside: the command failed"),
        (f"{sys.executable} -c 'print(1)'", "printed no times for start, middle, late"),
    ],
)
def test_a_bad_command_is_one_line(command, message):
    failed = run("bench", "--rounds", 1, "--beside", command)
    assert failed.returncode == 2
    assert message in failed.stderr
    assert len(failed.stderr.splitlines()) == 1


def test_checkers_to_the_end_keeps_the_contract():
    """The rules with which ``benchmarks/bench_mcts.py`` compares our search and OpenSpiel's."""
    file = Path(__file__).parents[1] / "benchmarks" / "whole_game.py"
    assert check_game(load_game(str(file)), games=10).moves > 100
