"""The page's source: typed, tested, and the same as what is built into the package."""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from sizeup.games.contract import GAMES
from tests.web.browser.find_browser import find_browser

pytestmark = pytest.mark.slow

_ROOT = Path(__file__).parents[3]
_WEB = _ROOT / "web"
_BUILT = _ROOT / "src" / "sizeup" / "web" / "static"


def _node(*command: str) -> None:
    """Run a tool of the page's, installed by ``make browser``."""
    # One that `make browser` had to install stands beside Python.
    node = shutil.which("node", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert node, "Node.js 20 or newer is missing: `make browser` says how to get it"
    tool = _WEB / "node_modules" / command[0]
    assert tool.exists(), (
        f"{tool.name} is missing: `make browser` (or `npm ci` in web/) installs it"
    )
    done = subprocess.run(
        [node, str(tool), *command[1:]], cwd=_WEB, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_missing_browser_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Playwright:
        class chromium:  # noqa: N801
            executable_path = "/nowhere"

    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("SIZEUP_CHROMIUM", raising=False)
    with pytest.raises(AssertionError, match="`make browser` installs one"):
        find_browser(cast("Any", Playwright))
    monkeypatch.setenv("SIZEUP_CHROMIUM", "/somewhere/chromium")
    assert find_browser(cast("Any", Playwright)) == "/somewhere/chromium"


def test_types() -> None:
    _node("typescript/bin/tsc", "--noEmit")


def test_functions() -> None:
    _node("vitest/vitest.mjs", "run")


def test_build_is_up_to_date(tmp_path: Path) -> None:
    _node("vite/bin/vite.js", "build", "--outDir", str(tmp_path), "--emptyOutDir")
    alone = ("--config", "vite.alone.config.ts", "--outDir", str(tmp_path / "assets"))
    _node("vite/bin/vite.js", "build", *alone)
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    built = {str(path.relative_to(_BUILT)) for path in _BUILT.rglob("*") if path.is_file()}
    assert names == built, "run `make web` and commit what it builds"
    _, differing, missing = filecmp.cmpfiles(tmp_path, _BUILT, sorted(names), shallow=False)
    assert not differing, "run `make web` and commit what it builds"
    assert not missing


@pytest.mark.parametrize("words", ["innerHTML", "outerHTML", "insertAdjacentHTML", "eval("])
def test_text_never_becomes_markup(words: str) -> None:
    sources = [path for path in (_WEB / "src").rglob("*.ts") if not path.name.endswith(".test.ts")]
    assert len(sources) > 30
    assert [str(path) for path in sources if words in path.read_text()] == []


def test_the_page_names_no_game() -> None:
    names = re.compile("|".join(name.replace("_", ".?") for name in GAMES), re.IGNORECASE)
    sources = [path for path in (_WEB / "src").rglob("*.*") if ".test." not in path.name]
    assert [str(path) for path in sources if names.search(path.read_text())] == []


def test_lock_file_names_no_private_place() -> None:
    lines = (_WEB / "package-lock.json").read_text().splitlines()
    resolved = [line for line in lines if '"resolved"' in line]
    assert all("https://registry.npmjs.org/" in line for line in resolved)
