"""What axe-core, the accessibility checker, has to say about a page, and whether the page fits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)"

_SMALLEST = """() => {
    const words = [...document.querySelectorAll('.forest text, .curve text')];
    const size = word => parseFloat(getComputedStyle(word).fontSize) * word.getScreenCTM().a;
    return Math.min(99, ...words.map(size));
}"""


def findings(page: Page) -> list[str]:
    """Serious and critical findings, in words."""
    assert _AXE.exists(), "axe-core is missing: `make browser` (or `npm ci` in web/) installs it"
    page.evaluate(_AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate(_RUN)
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:120]}"
        for violation in found
        for node in violation["nodes"]
        if violation["impact"] in ("serious", "critical")
    ]


def width(page: Page) -> int:
    """Pixels that the page takes; more than the window has means that it scrolls sideways."""
    return int(page.evaluate("document.documentElement.scrollWidth"))


def smallest_letters(page: Page) -> float:
    """Height in pixels of the smallest words of any chart, as drawn on this screen."""
    return float(page.evaluate(_SMALLEST))
