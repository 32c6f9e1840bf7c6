"""The wheel holds all of the package; a user's typed project passes a strict check against it.

``make package`` goes further: it installs the wheel into an empty environment and tries it there.
"""

import re
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools import package

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PROJECT = ROOT / "tests" / "typed_project"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from the working tree; without an environment of its own where that is possible."""
    folder = tmp_path_factory.mktemp("dist")
    known = ["--no-isolation"] if find_spec("hatchling") else []
    command = [sys.executable, "-m", "build", "--wheel", *known, "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_is_the_package_and_nothing_else(wheel):
    found = package.files_in(wheel)
    assert found == package.shipped_files()
    for name in ("py.typed", "games/template.txt", "agents/template.txt", "report/page.css"):
        assert f"sizeup/{name}" in found
    experiments = {name for name in found if name.startswith("sizeup/experiments/data/")}
    assert len(experiments) >= 12
    with zipfile.ZipFile(wheel) as whole:
        described = {name.partition(".dist-info/")[2] for name in whole.namelist()}
        (entry,) = (name for name in whole.namelist() if name.endswith("entry_points.txt"))
        assert "sizeup = sizeup.cli:main" in whole.read(entry).decode()
    assert "licenses/LICENSE" in described


def archive_of(folder, names):
    path = folder / "sizeup-1.tar.gz"
    empty = folder / "empty"
    empty.touch()
    with tarfile.open(path, "w:gz") as whole:
        for name in names:
            whole.add(empty, f"sizeup-1/{name}")
    return path


def wheel_of(folder, names):
    path = folder / "sizeup-1.whl"
    with zipfile.ZipFile(path, "w") as whole:
        for name in names:
            whole.writestr(name, "")
    return path


def test_what_is_missing_or_too_much_is_named(tmp_path):
    files = package.shipped_files()
    whole = archive_of(tmp_path, [f"src/{name}" for name in files])
    package.check_contents(wheel_of(tmp_path, files), whole)
    with pytest.raises(SystemExit, match=r"sizeup-1\.whl lacks sizeup/report/page\.css$"):
        package.check_contents(wheel_of(tmp_path, files - {"sizeup/report/page.css"}), whole)
    with pytest.raises(SystemExit, match=r"should not have tests/conftest\.py$"):
        package.check_contents(wheel_of(tmp_path, files | {"tests/conftest.py"}), whole)
    more = [*(f"src/{name}" for name in files), "web/node_modules/a.js", "web/node_modules/b.js"]
    with pytest.raises(SystemExit, match=r"tar\.gz should not have web/node_modules$"):
        package.check_contents(wheel_of(tmp_path, files), archive_of(tmp_path, more))
    short = archive_of(tmp_path, [f"src/{name}" for name in files - {"sizeup/py.typed"}])
    with pytest.raises(SystemExit, match=r"tar\.gz lacks src/sizeup/py\.typed$"):
        package.check_contents(wheel_of(tmp_path, files), short)


def mypy(*files):
    """Check files of the project as its author would; what was analysed is kept for next time."""
    cache = ROOT / ".mypy_cache" / "typed_project"
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(cache), *files]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)


def test_a_users_project_passes_a_strict_type_checker():
    checked = mypy("my_team.py")
    assert checked.returncode == 0, checked.stdout


def test_a_users_mistakes_are_found():
    lines = (PROJECT / "mistakes.py").read_text().splitlines()
    marked = {number for number, line in enumerate(lines, start=1) if line.endswith("# mistake")}
    found = re.findall(r"^mistakes\.py:(\d+): error", mypy("mistakes.py").stdout, re.MULTILINE)
    assert sorted(map(int, found)) == sorted(marked)
