"""The guided game of a first visit: by keyboard alone, on a desk and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.web.browser.axe import findings, width
from tests.web.browser.conftest import Visit
from tests.web.browser.visiting import DESK, PHONE

pytestmark = pytest.mark.slow

WINDOWS = [(DESK, "light"), (PHONE, "dark")]


def _tab_to(page: Page, name: str) -> None:
    """Press Tab until something of this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == name:
            return
    raise AssertionError(f"Tab does not lead to {name!r}")


def _is_in_sight(page: Page, selector: str) -> bool:
    """Whether the whole of something can be seen without scrolling."""
    box = page.locator(selector).first.bounding_box()
    size = page.viewport_size
    assert box
    assert size
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


@pytest.mark.parametrize(("size", "scheme"), WINDOWS, ids=["desk", "phone"])
def test_a_first_visit_by_keyboard(visit: Visit, size: dict[str, int], scheme: str) -> None:
    visitor = visit(size=size, scheme=scheme)
    page = visitor.page

    def looks_well() -> None:
        assert findings(page) == []
        assert width(page) <= size["width"]

    _tab_to(page, "Show me, in two minutes")
    page.keyboard.press("Enter")
    told = page.locator(".told-line")
    for number, (guess, said) in enumerate(
        [
            ("ArrowRight", "You were right. The expert moves east, −2 points."),
            ("ArrowRight", "You guessed: move east. The expert moves west."),
            ("ArrowUp", "You were right. The expert moves north."),
        ],
        1,
    ):
        page.get_by_role("heading", name=f"({number} of 3)").wait_for()
        assert page.locator(".board").get_attribute("data-ply") == str(2 * number - 2)
        page.keyboard.press(guess)
        page.wait_for_selector(f'.board[data-ply="{2 * number - 1}"]')
        assert told.inner_text() == said
        assert _is_in_sight(page, ".guessing .primary")
        looks_well()
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="The same game, twice").wait_for()
    assert "−20 and −2 points" in page.locator(".lead").inner_text()
    assert page.locator(".strip").count() == 2
    looks_well()
    _tab_to(page, "Next: your turn")
    page.keyboard.press("Enter")
    for _ in range(2):
        assert visitor.wait_for_turn()
        ply = visitor.ply
        page.keyboard.press("ArrowLeft")
        visitor.wait_past(ply)
    visitor.wait_for_turn()
    looks_well()
    _tab_to(page, "Stop and see")
    page.keyboard.press("Enter")
    page.wait_for_selector(".end-card .verdict")
    assert "2 moves ahead" in page.locator(".verdict").inner_text()
    _tab_to_the_start(page)
    _tab_to(page, "Done")
    page.keyboard.press("Enter")
    _tab_to(page, "Guided game again")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="(1 of 3)").wait_for()


def _tab_to_the_start(page: Page) -> None:
    """Leave what has the focus; the next Tab begins at the top."""
    page.evaluate("document.getElementById('main').focus()")


def test_it_is_skipped_once_and_for_all(visit: Visit) -> None:
    page = visit().page
    again = page.get_by_role("link", name="Guided game again")
    assert again.count() == 0
    page.get_by_role("link", name="Show me, in two minutes").click()
    page.get_by_role("button", name="Skip").click()
    again.wait_for()
    page.reload()
    again.wait_for()
    assert page.locator(".hero .primary").inner_text() == "Play Wall of Fire"


def test_tiles_and_buttons_guess_too(visit: Visit) -> None:
    page = visit().open("/tour", ".cell.target")
    page.get_by_role("button", name="Move south", exact=True).click()
    assert page.locator(".told-line").inner_text().startswith("You guessed: move south.")
    page.keyboard.press("ArrowRight")  # nothing is asked any more
    page.get_by_role("button", name="Next").click()
    page.locator(".cell.target").first.click()
    page.wait_for_selector('.board[data-ply="3"]')
