"""Compiled kernels: cached, never stale, never shared between games."""

import os
import subprocess
import sys
import warnings

import pytest

import sizeup.jit
from sizeup.errors import InvalidInput
from sizeup.games import connect_four, harvest
from sizeup.jit import bind, fingerprint, is_jitted, jit, on_device, plain

GAME = """
from typing import NamedTuple
from sizeup.games.contract import GameInfo
from sizeup.jit import jit
import {helper} as rules_of_thumb

class State(NamedTuple):
    left: int

class Params(NamedTuple):
    stones: int = 6

INFO = GameInfo("{name}", (0, 0), 4, Params())

@jit
def start(params):
    return State(params.stones)

@jit
def actor(state, params):
    return 0

@jit
def is_terminal(state, params):
    return False

@jit
def legal_actions(state, params, out):
    count = min(rules_of_thumb.most(), state.left)
    for take in range(count):
        out[take] = take + 1
    return count

@jit
def apply(state, action, params):
    return State(state.left - action)

@jit
def reward(state, action, after, params):
    return 0.0
"""

HELPER = "from sizeup.jit import jit\n\n@jit\ndef most():\n    return {most}\n"

PERFT = """
import sys
import numpy as np
from sizeup.games.contract import load_game
from sizeup.jit import bind

for path in sys.argv[1:]:
    game = load_game(path)
    steps = bind("sizeup.games.steps", game)
    out, kept = np.zeros(4, np.int64), np.zeros(16, np.int64)
    print(int(steps.perft(steps.start(game.INFO.params), game.INFO.params, 3, out, kept)))
    print(sum(steps.perft.stats.cache_hits.values()), file=sys.stderr)
"""


def write(folder, name, most):
    (folder / f"{name}.py").write_text(GAME.format(name=name, helper=f"{name}_helper"))
    (folder / f"{name}_helper.py").write_text(HELPER.format(most=most))
    return str(folder / f"{name}.py")


def command(*paths):
    return [sys.executable, "-W", "error", "-c", PERFT, *paths]


def counts(*paths, **settings):
    """Counts of each game in a process of its own, and how often the disk cache answered."""
    done = subprocess.run(
        command(*paths), env={**os.environ, **settings}, capture_output=True, text=True, check=True
    )
    return [int(line) for line in done.stdout.split()], [int(n) for n in done.stderr.split()]


@pytest.mark.slow
def test_an_edited_helper_in_another_file_is_never_answered_by_old_code(tmp_path):
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    game = write(tmp_path, "piles", most=1)
    assert counts(game, **settings) == ([1], [0])
    assert counts(game, **settings) == ([1], [1])  # warm
    write(tmp_path, "piles", most=3)
    assert counts(game, **settings) == ([17], [0])
    write(tmp_path, "piles", most=1)
    assert counts(game, **settings) == ([1], [1])  # the old code is right again


@pytest.mark.slow
def test_two_games_of_the_same_state_type_never_share_code(tmp_path):
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    games = [write(tmp_path, name, most) for name, most in (("one", 1), ("two", 2), ("three", 3))]
    expected = [1, 8, 17]
    assert counts(*games, **settings) == (expected, [0, 0, 0])
    assert counts(*games, **settings) == (expected, [1, 1, 1])
    assert counts(*reversed(games), **settings)[0] == expected[::-1]


@pytest.mark.slow
def test_bounds_checks_are_respected_and_cached_apart(tmp_path):
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    game = write(tmp_path, "wide", most=1)
    assert counts(game, **settings) == ([1], [0])
    assert counts(game, NUMBA_BOUNDSCHECK="1", **settings) == ([1], [0])
    assert counts(game, NUMBA_BOUNDSCHECK="1", **settings) == ([1], [1])
    write(tmp_path, "wide", most=5)  # writes past a buffer of four
    with pytest.raises(subprocess.CalledProcessError) as caught:
        counts(game, NUMBA_BOUNDSCHECK="1", **settings)
    assert "IndexError" in caught.value.stderr


@pytest.mark.slow
def test_two_processes_may_fill_a_cold_cache_together(tmp_path):
    settings = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    game = write(tmp_path, "both", most=2)
    together = [
        subprocess.Popen(command(game), env=settings, stdout=subprocess.PIPE) for _ in range(2)
    ]
    assert [process.communicate()[0] for process in together] == [b"8\n", b"8\n"]
    assert counts(game, NUMBA_CACHE_DIR=settings["NUMBA_CACHE_DIR"]) == ([8], [1])


@pytest.mark.slow
def test_code_compiled_beside_a_game_that_is_gone_is_compiled_anew(tmp_path):
    """Numba takes States of the same name for one, and writes down where the first came from."""
    step = """
import sys
from sizeup.games.contract import View, load_game

for path in sys.argv[1:]:
    view = View(load_game(path))
    print(view.apply(view.start(), view.actions(view.start())[0])[1])
"""

    def steps(*games):
        settings = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        run = [sys.executable, "-W", "error", "-c", step, *games]
        done = subprocess.run(run, env=settings, capture_output=True, text=True, check=False)
        return done.stdout.split(), done.stderr

    gone, kept = write(tmp_path, "gone", most=1), write(tmp_path, "kept", most=2)
    first, _ = steps(gone, kept)
    for path in tmp_path.glob("gone*.py"):
        path.unlink()
    for _ in range(2):
        assert steps(kept) == (first[1:], "")


@pytest.mark.slow
def test_a_cache_directory_that_cannot_be_made_is_no_obstacle(tmp_path):
    (tmp_path / "file").write_text("in the way")
    game = write(tmp_path, "blocked", most=2)
    assert counts(game, NUMBA_CACHE_DIR=str(tmp_path / "file" / "cache"))[0] == [8]


def test_without_any_cache_there_is_one_warning_and_the_game_works(tmp_path, monkeypatch):
    def refuse(function):
        raise RuntimeError("no locator available")

    monkeypatch.setattr(sizeup.jit, "_Cache", refuse)
    monkeypatch.setattr(sizeup.jit, "_bound", {})
    monkeypatch.setattr(sizeup.jit, "_warned", False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        steps = bind("sizeup.games.steps", harvest)
    assert [str(warning.message)[:37] for warning in caught] == [
        "compiled code cannot be cached (no lo"
    ]
    assert steps.start(harvest.INFO.params) == harvest.HarvestState(0, 0, 0)


def test_binding_twice_gives_the_same_module():
    assert bind("sizeup.games.steps", harvest) is bind("sizeup.games.steps", harvest)
    assert bind("sizeup.games.steps", harvest) is not bind("sizeup.games.steps", connect_four)


def test_an_unknown_kernel_is_named():
    with pytest.raises(InvalidInput, match=r"no kernel module 'sizeup\.nowhere'"):
        bind("sizeup.nowhere", harvest)


def test_fingerprints_tell_games_apart_and_stay_the_same():
    marks = [fingerprint(game) for game in (harvest, connect_four, harvest)]
    assert marks[0] == marks[2] != marks[1]


def test_the_plain_twin_is_plain_all_the_way_down():
    twin = plain(bind("sizeup.games.steps", harvest))
    assert not any(is_jitted(value) for value in vars(twin).values())
    assert not any(is_jitted(value) for value in vars(twin.GAME).values())
    assert twin.start(harvest.INFO.params) == harvest.HarvestState(0, 0, 0)


def test_closures_and_defaults_count_towards_the_fingerprint():
    def module_with(step, default):
        def move(x, by=default):
            return x + by + step

        module = type(harvest)("moves")
        module.move = jit(move)
        return module

    marks = {fingerprint(module_with(step, default)) for step in (1, 2) for default in (3, 4)}
    assert len(marks) == 4
    assert fingerprint(module_with(1, 3)) in marks


def test_what_stands_for_a_function_on_a_device_counts_towards_the_fingerprint():
    def module_with(step):
        def moved(x):
            return x + step

        def move(x):
            return x

        module = type(harvest)("moves")
        module.move = on_device(jit(moved))(jit(move))
        return module

    assert fingerprint(module_with(1)) == fingerprint(module_with(1))
    assert fingerprint(module_with(1)) != fingerprint(module_with(2))
