"""The benchmark runs and says what it measures; how fast a machine is no test decides."""

import sys

import pytest

from sizeup import bench
from sizeup.bench import table, whole_game
from sizeup.errors import InvalidInput
from sizeup.games.check import check_game

THEIRS = (
    "print('start depth 8: 20.0 ms'); print('middle depth 8: 10 ms'); print('late depth 8: 5 ms')"
)


def test_every_row_is_measured(monkeypatch):
    monkeypatch.setattr(table, "_SEARCHES", 1)
    rows = list(bench.rows(rounds=1, beside=f'{sys.executable} -c "{THEIRS}"'))
    assert len(rows) == 12
    assert all(row.low <= row.median <= row.high for row in rows)
    assert min(row.median for row in rows) > 0
    speeds = {row.name: row.median for row in rows if "position" in row.name}
    beside = [speeds[f"  its speed beside the command's, {n} position"] for n in table.POSITIONS]
    own = [speeds[f"depth 8, n = 200, m = 5, {name} position"] for name in table.POSITIONS]
    ratios = [t * rate / 7200 * 1e3 for t, rate in zip((0.02, 0.01, 0.005), own, strict=True)]
    assert beside == pytest.approx(ratios)


def test_rows_without_anything_to_compare_with(monkeypatch):
    monkeypatch.setattr(table, "_SEARCHES", 1)
    monkeypatch.setattr(table, "_has_open_spiel", lambda: False)
    rows = list(bench.rows(rounds=1))
    assert len(rows) == 8
    assert str(rows[0]).startswith("depth 8, n = 200, m = 5, start position")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-command-anywhere", "does not run"),
        (f"{sys.executable} -c 'raise SystemExit(3)'", "does not run"),
        (f"{sys.executable} -c 'print(1)'", "printed no times for start, middle, late"),
    ],
)
def test_a_bad_command_is_told(command, message):
    with pytest.raises(InvalidInput, match=message):
        list(bench.rows(rounds=1, beside=command))


def test_rounds():
    with pytest.raises(InvalidInput, match="rounds must be 1 or more, got 0"):
        list(bench.rows(rounds=0))


def test_checkers_to_the_end_keeps_the_contract():
    assert check_game(whole_game, games=10).moves > 100
