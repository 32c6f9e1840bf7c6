"""Where a real Chromium is: told, installed, or Playwright's own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "no Chromium was found: `make browser` installs one, or SIZEUP_CHROMIUM names the program; "
    "looked for " + ", ".join(NAMES) + " on PATH and for Playwright's own"
)


def find_browser(playwright: Playwright) -> str:
    """The program to start; fails with what to do if there is none."""
    found = _told() or _installed() or _playwrights(playwright)
    assert found, MISSING
    return found


def _told() -> str | None:
    return os.environ.get("SIZEUP_CHROMIUM") or None


def _installed() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _playwrights(playwright: Playwright) -> str | None:
    path = playwright.chromium.executable_path
    return path if path and Path(path).exists() else None


if __name__ == "__main__":
    with sync_playwright() as playwright:
        print(find_browser(playwright))
