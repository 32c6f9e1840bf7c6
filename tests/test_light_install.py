"""A light install: importing Sizeup loads next to nothing, and what needs an extra says so."""

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import sizeup

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
EXTRAS = (
    "cuda", "fastapi", "greenlet", "gymnasium", "httpx", "matplotlib", "numba_cuda", "open_spiel",
    "pandas", "pettingzoo", "pyarrow", "PIL", "pydraughts", "pyspiel", "ray", "scipy", "uvicorn",
    "websockets",
)  # fmt: skip

WITHOUT_EXTRAS = f"""
import sys

class Nowhere:
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {EXTRAS}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Nowhere())
"""

IMPORT_ALL = """
import importlib, pkgutil, sizeup
from sizeup.errors import SizeupError

for found in pkgutil.walk_packages(sizeup.__path__, "sizeup.", onerror=lambda name: None):
    if found.name.startswith("sizeup.web."):
        continue  # behind one door, sizeup serve, which asks for the extra
    try:
        importlib.import_module(found.name)
    except SizeupError as error:
        assert "sizeup[" in str(error), f"{found.name}: {error}"
    print(found.name)
"""

PLAY = """
import sizeup
from sizeup.agents import read_agent
from sizeup.search import SearchOptions

quick = read_agent("ca:2@1,2", SearchOptions(iterations=5, rollouts=1))
record = sizeup.play("connect-four", [[quick, "random"], ["random"]], seed=1)
assert type(record).from_json(record.to_json()) == record
"""


def run(code):
    command = [sys.executable, "-W", "error", "-c", code]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.split()


def loaded_by(code):
    return set(run(f"{code}\nimport sys\nprint(*sorted(sys.modules))"))


def test_importing_sizeup_loads_no_library():
    heavy = {*EXTRAS, "numba", "numpy", "rich", "typer"}
    assert not loaded_by("import sizeup") & heavy
    assert "numba" in loaded_by("import sizeup\nsizeup.play")  # only when it is asked for


def test_what_a_gpu_needs_is_loaded_only_when_one_is_asked_for():
    names = "play play_many infer search run_experiment Searcher watch"
    verbs = "".join(f"sizeup.{name}\n" for name in names.split())
    loaded = loaded_by(
        f"import sizeup, sizeup.device, sizeup.experiments.worker\n{verbs}{PLAY}"
        "sizeup.play_many('wall-of-fire', ['random+random'], seeds=[1])\n"
    )
    assert "sizeup.report.frames" in loaded
    assert not loaded & {"greenlet", "numba.cuda", "numba_cuda", "cuda"}


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'plays'"):
        sizeup.plays  # noqa: B018


def test_the_commands_help_loads_nothing_that_is_slow():
    code = "from typer.testing import CliRunner\nfrom sizeup.cli import app\n"
    code += "assert CliRunner().invoke(app, ['--help']).exit_code == 0"
    assert not loaded_by(code) & {*EXTRAS, "numba", "numpy"}


def test_a_match_needs_no_extra():
    run(WITHOUT_EXTRAS + PLAY)


def test_every_module_imports_without_extras_or_names_the_one_it_needs():
    imported = run(WITHOUT_EXTRAS + IMPORT_ALL)
    assert {"sizeup.cli", "sizeup.experiments.driver", "sizeup.report.frames"} <= set(imported)


def distributions(wanted):
    """Names of these distributions and of everything they need on this machine."""
    found, waiting = set(), [Requirement(text) for text in wanted]
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        if name not in found and (one.marker is None or one.marker.evaluate({"extra": ""})):
            found.add(name)
            waiting += map(Requirement, metadata.requires(name) or ())
    return found


def test_the_readme_counts_what_an_install_brings():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = distributions(project["dependencies"])
    assert {"numba", "numpy", "rich", "typer", "llvmlite"} <= needed
    assert not needed & {"matplotlib", "pandas", "scipy"}
    (counted,) = re.findall(r"installs (\d+) packages", (ROOT / "README.md").read_text())
    assert int(counted) == len(needed) + 1  # Sizeup itself is one
