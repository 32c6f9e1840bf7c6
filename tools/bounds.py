"""Try Sizeup with the lowest, or the newest, versions that pyproject.toml allows.

An environment of its own, ``build/bounds-lowest`` or ``build/bounds-newest``, gets exactly the
lower bound of everything that Sizeup asks for, or the newest there is, and the tests that take a
moment are run in it.

Run: python tools/bounds.py lowest   (make lowest), or newest (make newest)
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = ("gymnasium", "open-spiel", "pandas", "parquet", "pettingzoo", "plot", "web")
"""What the quick tests need. Ray and numba-cuda have wheels for few Python versions."""

TESTERS = (
    "httpx", "hypothesis", "nbformat", "packaging", "pydraughts", "pytest", "pytest-cov",
    "pytest-xdist", "pyyaml",
)  # fmt: skip
LEFT_OUT = {"lowest": ("tests/adapters", "tests/web/browser"), "newest": ("tests/web/browser",)}
"""Adapters know games of OpenSpiel and a registry of PettingZoo that only newer versions have;
what needs a browser is slow."""

QUICK = ("--import-mode=importlib", "--strict-markers")


def main(which: str) -> None:
    """Make the environment, and run the quick tests in it."""
    if which not in ("lowest", "newest"):
        sys.exit(f"expected lowest or newest, got {which!r}")
    home = ROOT / "build" / f"bounds-{which}"
    venv.create(home, clear=True, with_pip=True)
    folder = "Scripts" if sys.platform == "win32" else "bin"
    python = home / folder / "python"
    bounds = home / "bounds.txt"
    bounds.write_text("".join(f"{line}\n" for line in lower_bounds()) if which == "lowest" else "")
    run(
        python, "-m", "pip", "install", "--quiet", "--constraint", bounds,
        "--editable", f"{ROOT}[{','.join(EXTRAS)}]", *TESTERS,
    )  # fmt: skip
    run(python, "-m", "pip", "list", "--format", "freeze")
    run(
        python, "-m", "pytest", "tests", "--quiet", "-m", "not slow", "-o",
        f"addopts={' '.join(QUICK)}", "-o", "filterwarnings=default",
        *(f"--ignore={folder}" for folder in LEFT_OUT[which]),
    )  # fmt: skip


def lower_bounds() -> Iterator[str]:
    """The lowest version of everything that is asked for, as pip's constraints."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"]]
    for extra in EXTRAS:
        wanted += project["optional-dependencies"][extra]
    for text in dict.fromkeys(wanted):
        name, _, least = text.partition(">=")
        if least:
            yield f"{name.partition('[')[0]}=={least}"


def run(*command: object) -> None:
    """Run a command in the repository, or end with its exit code."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main(*sys.argv[1:2] or ["lowest"])
