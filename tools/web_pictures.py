"""Take the pictures of the web app in docs/images anew, in a real Chromium: look at them after.

Run: make pictures
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from sizeup.play import play
from tests.web.browser.find_browser import find_browser
from tests.web.browser.serving import Server
from tests.web.browser.visiting import (
    MINUS,
    PHONE,
    Visitor,
    click_a_move,
    start_game,
)

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
SIZEUP = Path(sys.executable).with_name("sizeup")
TEAMS = ("ca:8@2,8+obl:2", "obl:8+obl:2")


def main() -> None:
    """Start a server with some games in a store, and visit it."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        store, record = folder / "checkers-ablation.db", folder / "record.json"
        rows = ROOT / "docs" / "results" / "checkers-ablation.parquet"
        sizeup("merge", store, rows, "--experiment", "checkers-ablation", "--allow-changes")
        record.write_text(play("checkers", list(TEAMS), seed=5).to_json())
        program = find_browser(playwright)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        server = Server(folder, store)
        try:
            take_all(browser, server, record)
        finally:
            server.stop()
            browser.close()


def take_all(browser: Browser, server: Server, record: Path) -> None:
    """Every picture, by a visitor of its own."""

    def take(name: str, show: Callable[[Visitor], None], **options: Any) -> None:
        visitor = Visitor(browser, server, **options)
        show(visitor)
        visitor.page.mouse.move(0, 0)
        picture = IMAGES / f"web_{name}.png"
        visitor.page.screenshot(path=picture)
        visitor.close()
        Image.open(picture).quantize(256, dither=Image.Dither.NONE).save(picture, optimize=True)
        print(f"docs/images/web_{name}.png", flush=True)

    def replayed(visitor: Visitor) -> None:
        page = visitor.open("/replay", "input[type=file]")
        page.locator("input[type=file]").set_input_files(record)
        page.wait_for_selector(".scrubber")
        page.locator(".scrubber input").fill("23")
        page.wait_for_selector(".by-type")

    take("home", at_home, size=wide(1060), still=False)
    take("tour", on_tour, size=wide(560))
    take("play", at_checkers, size=wide(960))
    take("fire", lambda visitor: at_the_fire(visitor, 3), size=wide(900), scheme="dark")
    take("end", lambda visitor: at_the_fire(visitor, 10), size=wide(900), scheme="dark")
    take("phone", lambda visitor: at_the_fire(visitor, 3), size=PHONE, scheme="dark")
    take("replay", replayed, size=wide(1010))
    take("results", in_results, size=wide(760))


def at_home(visitor: Visitor) -> None:
    """The oblivious pair has been in the fire four times."""
    visitor.page.locator(".strip").first.get_by_text(f"{MINUS}8").wait_for()


def on_tour(visitor: Visitor) -> None:
    """The second guess was wrong."""
    page = visitor.open("/tour", ".cell.target")
    for key in ("ArrowRight", "Enter", "ArrowRight"):
        page.keyboard.press(key)
    page.wait_for_selector('.board[data-ply="3"]')


def at_checkers(visitor: Visitor) -> None:
    """Some moves into a game, a piece picked."""
    page = visitor.open("/play/checkers", ".turn.yours")
    start_game(visitor, Seed="5")
    for _ in range(5):
        visitor.take_turn(click_a_move)
    visitor.wait_for_turn()
    page.locator(".cell.movable").first.click()


def at_the_fire(visitor: Visitor, moves: int) -> None:
    """A novice's moves: away from the fire, to the west."""
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    start_game(visitor, Seed="1")
    for _ in range(moves):
        ways = page.locator('.step[aria-disabled="false"]')
        west = page.locator('.step[aria-disabled="false"][aria-label*="west" i]')
        visitor.take_turn(lambda _, a=ways, b=west: (b if b.count() else a).first.click())
    if moves < 10:
        visitor.wait_for_turn()
    else:
        page.wait_for_selector(".end-card")


def in_results(visitor: Visitor) -> None:
    """The published table beside ours."""
    page = visitor.open("/results", ".cards a")
    page.locator(".cards a").first.click()
    page.wait_for_selector(".result-parts svg")


def wide(height: int) -> dict[str, int]:
    """A window."""
    return {"width": 1200, "height": height}


def sizeup(*words: object) -> None:
    """One command of Sizeup."""
    subprocess.run([SIZEUP, *map(str, words)], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
