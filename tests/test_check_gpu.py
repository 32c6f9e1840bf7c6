"""``sizeup check GAME --gpu``: whether a game's rules can run on a GPU, found out without one."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import sizeup
from sizeup import device
from sizeup.cli import app
from sizeup.errors import InvalidGame, InvalidInput
from sizeup.games.template import write_new_game
from sizeup.search import check_gpu as checker
from sizeup.search.check_gpu import check_gpu

pytest.importorskip("numba_cuda")
pytestmark = pytest.mark.slow

APPLY = "    left = state.stones - action\n"
LISTING = "    return count\n"
OUR_JIT = "from sizeup.jit import jit\n"
PLAIN_NUMBA = "from numba import njit as jit\n"  # whose rules may allocate, on the CPU
NO_ARRAYS = "rules cannot make arrays, lists or strings there; write to the buffer they are given"


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A function that writes the template's game with some of its text replaced, and loads it."""
    monkeypatch.chdir(tmp_path)

    def write(name, *changes):
        path, _ = write_new_game(name, Path())
        source = path.read_text()
        for old, new in changes:
            assert source.count(old) == 1
            source = source.replace(old, new)
        path.write_text(source)
        return sizeup.load_game(str(path))

    return write


@pytest.fixture
def quick(monkeypatch):
    """Compile the rules only; the search takes seconds."""
    monkeypatch.setattr(checker.Batch, "compile", lambda batch: None)


def line_of(text):
    """The number of the line of the only game here that has this text."""
    (path,) = set(Path().glob("*.py")) - set(Path().glob("test_*.py"))
    (number,) = (
        number for number, line in enumerate(path.read_text().splitlines(), 1) if text in line
    )
    return f"{path}:{number}"


def refusal(game):
    with pytest.raises(InvalidGame) as error:
        check_gpu(game)
    assert len(str(error.value).splitlines()) == 1
    return str(error.value)


def test_a_new_game_can_run_on_a_gpu(written):
    written("stones")
    found = CliRunner().invoke(app, ["check", "stones.py", "--gpu", "--games", "2"])
    assert found.exit_code == 0
    kept, can = found.output.splitlines()
    assert kept.startswith("stones: keeps the contract")
    assert can == "stones: can run on a GPU (7 rules and the search compiled)"


def test_what_cannot_is_one_line_and_exit_code_2(written, tmp_path):
    written(
        "stones", (OUR_JIT, f"import numpy as np\n{PLAIN_NUMBA}"),
        (APPLY, "    taken = np.zeros(1)\n    taken[0] = action\n"
                "    left = state.stones - int(taken[0])\n"),
    )  # fmt: skip
    asked = [sys.executable, "-m", "sizeup", "check", "stones.py", "--games", "2"]
    assert subprocess.run(asked, cwd=tmp_path, capture_output=True).returncode == 0
    ended = subprocess.run([*asked, "--gpu"], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr == (
        f"sizeup: {line_of('np.zeros(1)')}: apply cannot run on a GPU: {NO_ARRAYS}\n"
    )


@pytest.mark.parametrize(
    ("rule", "old", "new", "why"),
    [
        ("apply", APPLY, "    left = state.stones - [action][0]  # here\n", NO_ARRAYS),
        (
            "apply", APPLY,
            "    taken = []\n    taken.append(action)  # here\n"
            "    left = state.stones - taken[0]\n",
            NO_ARRAYS,
        ),
        (
            "apply", APPLY,
            "    try:\n        left = state.stones - action  # here\n"
            "    except Exception:\n        left = 0\n",
            "there is no try and except there",
        ),
        (
            "legal_actions", LISTING, "    out[:count].sort()  # here\n    return count\n",
            "there is no array.sort(Array(int64, 1, 'C', False, aligned=True),) there",
        ),
        (
            "legal_actions", LISTING, "    return count + 0 * int(np.random.random())  # here\n",
            "it calls something that numba-cuda cannot compile",
        ),
        (
            "legal_actions", LISTING, "    return coun  # here\n",
            "NameError: name 'coun' is not defined",
        ),
    ],
    ids=["list", "append", "try", "sort", "random", "name"],
)  # fmt: skip
def test_a_rule_that_cannot_is_named_with_its_line(written, quick, rule, old, new, why):
    game = written("stones", (OUR_JIT, f"import numpy as np\n{PLAIN_NUMBA}"), (old, new))
    assert refusal(game) == f"{line_of('# here')}: {rule} cannot run on a GPU: {why}"


def test_so_is_what_a_rule_calls(written, quick):
    helper = "@jit\ndef taken(action):\n    return [action][0]  # here\n\n\n@jit\ndef apply("
    game = written(
        "stones", (OUR_JIT, PLAIN_NUMBA), ("@jit\ndef apply(", helper),
        (APPLY, "    left = state.stones - taken(action)\n"),
    )  # fmt: skip
    said = f"{line_of('# here')}: apply cannot run on a GPU, because of taken: {NO_ARRAYS}"
    assert refusal(game) == said


def test_a_game_elsewhere_is_named_with_its_whole_path(written, quick, tmp_path, monkeypatch):
    game = written("stones", (APPLY, "    left = state.stones - len(str(action))\n"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert refusal(game).startswith(f"{tmp_path}/stones.py:")


def test_rules_that_are_not_jitted_cannot(written):
    game = written("stones", ("@jit\ndef reward(", "def reward("))
    assert refusal(game) == (
        f"{line_of('def reward')}: reward cannot run on a GPU: it is not jitted: put @jit (from "
        "sizeup.jit) above it"
    )
    told = CliRunner().invoke(app, ["check", "stones.py", "--gpu"])  # the ordinary check is first
    assert "reward is not jitted" in str(told.exception)


def test_parameters_are_numbers(written):
    more = "    most: int = 3\n    wind: tuple = (1, 2.5, 'west')\n"
    assert refusal(written("stones", ("    most: int = 3\n", more))) == (
        "stones cannot run on a GPU: its parameter wind is (1, 2.5, 'west'), expected numbers or "
        "arrays of them"
    )


def test_an_error_that_names_no_place_is_told_with_the_rule(written, monkeypatch):
    def fail(compiler, function, arguments):
        raise NotImplementedError

    monkeypatch.setattr(device.Compiler, "routines", fail)
    start = refusal(written("stones"))
    assert start.endswith(": start cannot run on a GPU: NotImplementedError")
    assert start.startswith("stones.py:")


def test_an_error_of_a_rule_and_mathematics_are_noted(written, quick):
    game = written(
        "stones", (OUR_JIT, f"import math\n{OUR_JIT}"),
        (APPLY, f"    if action > 3:\n        raise ValueError('too many')\n{APPLY}"),
        ("return float(action)", "return math.exp(float(action)) + math.sqrt(2.0)"),
    )  # fmt: skip
    raising, rounding = check_gpu(game).notes
    assert raising == (
        f"{line_of('raise ValueError')}: apply may raise an error; on a GPU such a search is made "
        "again on the CPU, which raises it"
    )
    assert rounding.endswith(
        ": reward uses exp, whose last digit may differ on a GPU, and with it the search"
    )


def test_what_helpers_in_other_modules_do_is_noted_once(quick):
    (note,) = check_gpu(sizeup.load_game("checkers")).notes  # which more than one rule calls
    assert "_keep may raise an error" in note
    shown = CliRunner().invoke(app, ["check", "checkers", "--gpu", "--games", "1"])
    assert shown.output.splitlines()[-1] == f"note: {note}"


def test_a_search_that_does_not_compile_is_told(written, monkeypatch):
    def fail(batch):
        raise TypeError("something new")

    monkeypatch.setattr(checker.Batch, "compile", fail)
    assert refusal(written("stones")) == (
        "stones cannot run on a GPU: its rules compile, but not the search: something new"
    )


def test_agents_have_no_rules():
    told = CliRunner().invoke(app, ["check", "my_agent.py:4", "--gpu"])
    assert isinstance(told.exception, InvalidInput)
    assert str(told.exception) == "--gpu checks the rules of a game, and my_agent.py:4 is an agent"


def test_without_compilation_there_is_nothing_to_check(written, monkeypatch):
    game = written("stones")
    monkeypatch.setattr(checker, "jit_is_off", lambda: True)
    with pytest.raises(InvalidInput, match="NUMBA_DISABLE_JIT=1 turns all compilation off"):
        check_gpu(game)
    monkeypatch.setattr(checker, "jit_is_off", lambda: False)
    monkeypatch.setattr(device, "_simulated", lambda: True)
    with pytest.raises(device.DeviceError, match="plays a GPU and compiles nothing"):
        check_gpu(game)


def test_without_nvvm_the_extra_is_named(written, monkeypatch):
    def nowhere():
        raise ImportError("libNVVM is not available")

    device.load()
    monkeypatch.setattr(importlib.import_module("numba.cuda.cudadrv.nvvm"), "NVVM", nowhere)
    with pytest.raises(device.DeviceError, match=r"libNVVM .*: pip install 'sizeup\[gpu\]'"):
        check_gpu(written("stones"))


def test_without_numba_cuda_the_extra_is_named(written, tmp_path):
    written("stones")
    code = "import sys; sys.modules['numba_cuda'] = None; from sizeup.cli import main; main()"
    asked = [sys.executable, "-c", code, "check", "stones.py", "--games", "1", "--gpu"]
    ended = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True)
    assert (ended.returncode, len(ended.stderr.splitlines())) == (2, 1)
    assert "numba-cuda" in ended.stderr
    assert ended.stderr.endswith("[gpu]'\n")  # of the package, or of the clone it runs from


def test_only_one_module_names_numba_cuda():
    """Import-linter sees whole libraries only, and everybody may import Numba."""
    source = Path(sizeup.__file__).parent
    naming = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if any(name in path.read_text() for name in ("numba.cuda", "numba import cuda"))
    }
    assert naming == {"device.py"}


def test_colours_are_no_part_of_what_an_error_says():
    assert checker._said(Exception("\x1b[1m\x1b[1mNameError: no\x1b[0m")) == "NameError: no"
