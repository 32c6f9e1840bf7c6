"""The commands with ``--device``: a GPU, the CPU in its place, and what is not there."""

import shlex
import signal
from pathlib import Path

import pytest

from sizeup.device import Cpu, DeviceError
from tests.experiments import tiny
from tests.test_cli import run

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # others cover it, in half the time
WHY = "no GPU was found that CUDA can use"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The current directory, with the tiny experiment's file in it, of a machine without a GPU."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sizeup.device.missing", lambda: WHY)
    tiny.written(tmp_path)
    return tmp_path


def assert_refused(done, message):
    """One line, the code of a mistake, and nothing left behind."""
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"sizeup: {message}\n")
    assert [path.name for path in Path().iterdir()] == ["tiny.toml"]


def test_games_of_a_crowd_are_stored_and_replayed_either_way():
    pytest.importorskip("greenlet")
    played = run("run", "wall-of-fire", "--runs", 1, "--device", "lanes", "--store", "x.db")
    assert played.returncode == 0, played.stderr
    assert "4 of 4 games" in played.stderr
    for device in ("lanes", "cpu"):
        checked = run("verify", "x.db", "--games", 2, "--device", device)
        assert checked.returncode == 0, checked.stderr
        assert checked.stdout == "x.db: replayed 2 games, all match\n"


@pytest.mark.parametrize("verb", ["run tiny.toml", "infer games.json", "bench"])
@pytest.mark.parametrize(
    ("device", "message"),
    [
        ("tpu", "there is no device 'tpu'; expected cpu, cuda or auto"),
        ("cuda", f"{WHY}; choose --device cpu to search without one"),
    ],
)
def test_a_device_that_there_is_not_is_refused_before_anything_is_done(verb, device, message):
    assert_refused(run(*verb.split(), "--device", device), message)


def test_a_time_limit_is_not_for_a_gpu():
    done = run("run", "tiny.toml", "--device", "lanes", "--limit", "5")
    assert_refused(done, "--limit 5 is not for games on a GPU: leave out one of them")
    assert run("run", "tiny.toml", "--device", "cuda", "--limit", "5").returncode == 2


def test_without_a_gpu_auto_is_the_cpu_and_says_why(monkeypatch):
    asked = []

    def executor(*given):
        asked.append(given)
        return tiny.AtOnce()

    monkeypatch.setattr("sizeup.experiments.executors.open_executor", executor)
    done = run("run", "tiny.toml", "--device", "auto")
    assert done.returncode == 0
    assert done.stderr.splitlines()[0] == f"searches on the CPU: {WHY}"
    assert asked == [("local", None, None, "cpu", Path("tiny-0.db.out"), None)]
    assert "searches on" not in run("run", "tiny.toml", "--device", "cpu").stderr


def test_the_command_to_go_on_keeps_the_device(monkeypatch):
    def play(job):
        if job.index == 5:
            signal.raise_signal(signal.SIGINT)
        return tiny.outcomes(job)

    here = tiny.AtOnce(play=play)
    monkeypatch.setattr("sizeup.experiments.executors.open_executor", lambda *_: here)
    stopped = run("run", "tiny.toml", "--device", "lanes")
    assert stopped.returncode == 130
    assert stopped.stderr.rstrip().endswith("resume with: sizeup run tiny.toml --device lanes")


def test_a_device_that_fails_is_told_in_one_line(monkeypatch):
    pytest.importorskip("greenlet")

    def broken():
        raise DeviceError("no memory left")

    monkeypatch.setattr("sizeup.experiments.crowd_executor.makers", lambda _: [broken])
    command = "run tiny.toml --device lanes --workers 1 --store s.db"
    failed = run(*shlex.split(command))
    assert failed.returncode == 2
    assert failed.stderr.splitlines()[-1] == "sizeup: no memory left"
    assert "Traceback" not in failed.stderr
    monkeypatch.setattr("sizeup.experiments.crowd_executor.makers", lambda _: [Cpu])
    assert run(*shlex.split(command)).returncode == 0  # and it goes on when there is memory


def test_bench_beside_a_device(monkeypatch):
    monkeypatch.setattr("sizeup.cli.bench._AT_ONCE", {"lanes": 2})
    monkeypatch.setattr("sizeup.cli.bench._SEARCHES", 1)
    done = run("bench", "--rounds", 1, "--device", "lanes")
    assert done.returncode == 0
    head, *rows = done.stdout.splitlines()
    assert "lowest to highest of 1 alternating rounds" in head
    assert [row[: row.index("  ", 2)].strip() for row in rows] == [
        "2 plain searches of depth 8 at once",
        "speed relative to plain ones on one core",
        "2 capability-aware searches of depth 8 at once",
        "speed relative to plain ones on one core",
    ]
