"""Build the wheel and the source archive, and try the wheel in an empty environment.

The wheel is built from the source archive, so that both are known to be whole. The environment has
nothing but the wheel and what it needs, in the versions of constraints.txt, and no extras.

Run: python tools/package.py   (make package)
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST, EMPTY = ROOT / "dist", ROOT / "build" / "package"
SOURCES = ROOT / "src"
SMOKE = ROOT / "tools" / "smoke.py"
TYPED = ROOT / "tests" / "typed_project"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NOT_SHIPPED = ("__pycache__",)
FETCHED = "node_modules"  # of the web page's tools; it belongs into .gitignore
NOT_OURS = ("pip", "setuptools")  # what a new environment has before anything is installed


def main() -> None:
    """Build, install, measure, and try."""
    for old in DIST.glob("sizeup-*"):
        old.unlink()
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    (wheel,), (archive,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    check_contents(wheel, archive)
    python = install(wheel)
    print(size_of(python), flush=True)
    run(python, "-I", SMOKE, cwd=EMPTY)
    cache = EMPTY / "mypy"
    run(
        sys.executable, "-m", "mypy", "--python-executable", python, "--cache-dir", cache,
        "my_team.py", cwd=TYPED,
    )  # fmt: skip
    if "Repository" not in PROJECT.get("urls", {}):
        print("pyproject.toml names no Repository: an index would not find the README's pictures")
    print(f"{wheel.name} and {archive.name} are whole, install and run: {DIST}")


def shipped_files() -> set[str]:
    """Every file that belongs into the wheel: all of the package."""
    return {
        path.relative_to(SOURCES).as_posix()
        for path in (SOURCES / "sizeup").rglob("*")
        if path.is_file() and not set(path.parts) & set(NOT_SHIPPED)
    }


def files_in(wheel: Path) -> set[str]:
    """Files of a wheel, without what describes it."""
    with zipfile.ZipFile(wheel) as whole:
        return {name for name in whole.namelist() if ".dist-info/" not in name}


def check_contents(wheel: Path, archive: Path) -> None:
    """Wheel and archive hold all of the package, the wheel nothing else, the archive only ours."""
    wanted, found = shipped_files(), files_in(wheel)
    _refuse(f"{wheel.name} lacks", wanted - found)
    _refuse(f"{wheel.name} should not have", found - wanted)
    with tarfile.open(archive) as whole:
        names = {name.partition("/")[2] for name in whole.getnames()}
    _refuse(f"{archive.name} lacks", {f"src/{name}" for name in wanted} - names)
    fetched = (name.partition(FETCHED) for name in names if FETCHED in name)
    _refuse(f"{archive.name} should not have", {folder + found for folder, found, _ in fetched})


def install(wheel: Path) -> Path:
    """Make an empty environment, install the wheel there, and return its Python."""
    venv.create(EMPTY / "venv", clear=True, with_pip=True)
    python = EMPTY / "venv" / "bin" / "python"
    run(
        python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
        "--constraint", ROOT / "constraints.txt", wheel,
    )  # fmt: skip
    return python


def size_of(python: Path) -> str:
    """How many distributions an environment has, and how large they are together."""
    listed = subprocess.run(
        [python, "-c", _LIST], capture_output=True, text=True, check=True
    ).stdout.split()
    sizes = {name: int(size) for name, size in zip(listed[::2], listed[1::2], strict=True)}
    ours = {name: size for name, size in sizes.items() if name not in NOT_OURS}
    largest = sorted(ours, key=lambda name: -ours[name])[:3]
    parts = ", ".join(f"{name} {ours[name] / 1e6:.0f}" for name in largest)
    return f"{len(ours)} distributions, {sum(ours.values()) / 1e6:.0f} MB ({parts})"


_LIST = """
from importlib.metadata import distributions
for one in distributions():
    files = [one.locate_file(file) for file in one.files or ()]
    print(one.metadata["Name"], sum(file.stat().st_size for file in files if file.is_file()))
"""


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run a command, and end with it if it fails."""
    words = [str(word) for word in command]
    ended = subprocess.run(words, cwd=cwd, env={**os.environ, "NO_COLOR": "1"})
    if ended.returncode:
        sys.exit(f"package: this failed: {' '.join(words)}")


def _refuse(problem: str, files: Iterable[str]) -> None:
    if listed := sorted(files):
        sys.exit(f"package: {problem} {', '.join(listed)}")


if __name__ == "__main__":
    main()
