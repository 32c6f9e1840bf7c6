"""Pictures of the web app for the README and the documentation: docs/images/web_*.png.

python tools/web_screenshots.py [--store GAMES.db]; needs `make browser`. Without a store there is
no picture of results.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

_ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(_ROOT))

from tests.web.browser.find_browser import find_browser  # noqa: E402
from tests.web.browser.serving import Server  # noqa: E402
from tests.web.browser.visiting import PHONE, Visitor, click_a_move, start_game  # noqa: E402

_IMAGES = _ROOT / "docs" / "images"
_MOST_BYTES = 150_000
_LINES = ("0072b2", "c04a00", "00805c", "a8457f", "56b4e9", "ff9d4d", "3fc79a", "e79ac6")


def _home(visitor: Visitor) -> None:
    visitor.open("/", ".strip .board")
    visitor.page.wait_for_function(
        "() => document.querySelector('.strip .board').dataset.ply === '7'"
    )
    visitor.page.get_by_role("button", name="Pause").click()


def _checkers(visitor: Visitor) -> None:
    visitor.open("/play/checkers", ".turn.yours")
    start_game(visitor, Seed="3")
    for _ in range(4):
        visitor.take_turn(click_a_move)
    visitor.wait_for_turn()
    visitor.page.locator(".cell.movable").last.click()


def _step(visitor: Visitor, *names: str) -> None:
    for name in names:
        visitor.take_turn(lambda v, name=name: v.page.get_by_role("button", name=name).click())
    visitor.wait_for_turn()


def _fire(visitor: Visitor) -> None:
    visitor.open("/play/wall-of-fire", ".turn.yours")
    start_game(visitor, Seed="1")
    _step(visitor, "west", "south", "west")


def _end(visitor: Visitor) -> None:
    _fire(visitor)
    while visitor.take_turn(click_a_move):
        pass


def _replay(visitor: Visitor) -> None:
    page = visitor.open("/watch", ".board")
    start_game(visitor, "Watch this", Game="checkers", Seed="5")
    page.locator(".pace input").fill("4")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".end-card").get_by_role("link", name="Replay").click()
    page.wait_for_selector(".scrubber")
    page.locator(".scrubber input").fill("20")
    page.wait_for_selector(".by-type")


def _results(visitor: Visitor) -> None:
    visitor.open("/results", ".experiment").locator(".experiment").click()
    visitor.page.wait_for_selector(".forest")


_PICTURES: dict[str, tuple[Callable[[Visitor], None], str, dict[str, int]]] = {
    "home": (_home, "light", {"width": 1200, "height": 1060}),
    "play": (_checkers, "light", {"width": 1200, "height": 960}),
    "fire": (_fire, "dark", {"width": 1200, "height": 900}),
    "replay": (_replay, "light", {"width": 1200, "height": 1010}),
    "results": (_results, "light", {"width": 1200, "height": 760}),
    "phone": (_fire, "dark", PHONE),
    "end": (_end, "dark", {"width": 1200, "height": 900}),
}


def _save(picture: bytes, name: str) -> None:
    path = _IMAGES / f"web_{name}.png"
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.save(path, optimize=True)
    if path.stat().st_size >= _MOST_BYTES:
        _with_palette(image).save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path.relative_to(_ROOT)}: {size:,} bytes")
    assert size < _MOST_BYTES


def _with_palette(image: Image.Image) -> Image.Image:
    """A third of the bytes; the colours of thin lines, which no count of pixels finds, are kept."""
    common = 256 - len(_LINES)
    colours = (image.quantize(common).getpalette() or [])[: 3 * common]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*colours, *(part for line in _LINES for part in bytes.fromhex(line))])
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def main() -> None:
    """Take every picture from a real server in a real browser."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, help="a store whose results are shown")
    parser.add_argument("names", nargs="*", help="only these pictures")
    told = parser.parse_args()
    wanted = told.names or [name for name in _PICTURES if told.store or name != "results"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), told.store)
        program = find_browser(playwright)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name in wanted:
            show, scheme, size = _PICTURES[name]
            visitor = Visitor(browser, server, size=size, scheme=scheme, still=name != "home")
            show(visitor)
            visitor.page.wait_for_timeout(800)  # bars and pieces come to rest
            visitor.page.evaluate("scrollTo(0, 0)")
            _save(visitor.page.screenshot(), name)
            visitor.close()
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
