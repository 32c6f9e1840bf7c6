"""Stop and see, take back, go on from a replayed move: with a mouse, by keyboard, on a phone."""

from __future__ import annotations

import re

import pytest

from tests.web.browser.axe import findings, width
from tests.web.browser.conftest import Visit
from tests.web.browser.visiting import DESK, PHONE, Visitor, start_game

pytestmark = pytest.mark.slow

WINDOWS = [(DESK, "light"), (PHONE, "dark")]


def _west(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Move west", exact=True).click()


def _press(visitor: Visitor, name: str) -> None:
    """Press a button without a mouse."""
    button = visitor.page.get_by_role("button", name=name, exact=True)
    button.focus()
    visitor.page.keyboard.press("Enter")


def _at_the_fire(visitor: Visitor, turns: int) -> None:
    visitor.open("/play/wall-of-fire", ".turn.yours")
    start_game(visitor, Seed="1")
    for _ in range(turns):
        visitor.take_turn(_west)
    visitor.wait_for_turn()


@pytest.mark.parametrize(("size", "scheme"), WINDOWS)
def test_stop_and_see_what_it_thinks_by_keyboard(
    visit: Visit, size: dict[str, int], scheme: str
) -> None:
    visitor = visit(size=size, scheme=scheme)
    page = visitor.page
    _at_the_fire(visitor, 2)
    made = visitor.ply
    _press(visitor, "Stop and see")
    card = page.locator(".end-card")
    card.wait_for()
    assert f"Stopped after {made} moves" in card.inner_text()
    assert "that you look 2 moves ahead" in card.locator(".verdict").inner_text()
    assert not page.get_by_role("button", name="Take back").is_visible()
    card.get_by_text("On a closer look, your partner").wait_for()
    assert "that you look 2 moves ahead" in card.locator(".verdict").inner_text()
    assert card.locator(".looking-closer").count() == 0
    assert card.evaluate("card => card === document.activeElement")
    assert findings(page) == []
    assert width(page) <= size["width"]


@pytest.mark.parametrize(("size", "scheme"), WINDOWS)
def test_a_move_is_taken_back_by_keyboard(visit: Visit, size: dict[str, int], scheme: str) -> None:
    visitor = visit(size=size, scheme=scheme)
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    start_game(visitor, Seed="1")
    visitor.wait_for_turn()
    undo = page.get_by_role("button", name="Take back")
    assert undo.get_attribute("aria-disabled") == "true"
    avatar = page.locator('.cell[aria-label*="avatar"]')
    before = avatar.get_attribute("data-cell")
    visitor.take_turn(_west)
    visitor.wait_for_turn()
    assert undo.get_attribute("aria-disabled") == "false"
    assert avatar.count() == 1
    _press(visitor, "Take back")
    page.wait_for_selector('.board[data-ply="1"]')
    visitor.wait_for_turn()
    assert avatar.get_attribute("data-cell") == before
    assert len(visitor.moves()) == 1
    assert findings(page) == []
    assert visitor.take_turn(_west)


def test_an_earlier_move_that_is_looked_at_is_taken_back_with_all_after_it(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    _at_the_fire(visitor, 2)
    page.locator('.log li[data-ply="2"] button').click()
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector('.board[data-ply="1"]')
    visitor.wait_for_turn()
    assert len(visitor.moves()) == 1
    assert visitor.take_turn(_west)


@pytest.mark.parametrize(("size", "scheme"), WINDOWS)
def test_one_s_own_game_goes_on_from_a_replayed_move(
    visit: Visit, size: dict[str, int], scheme: str
) -> None:
    visitor = visit(size=size, scheme=scheme)
    page = visitor.page
    _at_the_fire(visitor, 2)
    said = visitor.moves()
    _press(visitor, "Stop and see")
    page.locator(".end-card").get_by_role("link", name="Replay").click()
    page.wait_for_selector(".scrubber")
    page.locator(".scrubber input").fill("3")
    _press(visitor, "Play on yourself")
    page.wait_for_selector(".turn.yours")
    assert "from move 3 of another game" in page.locator(".setup-words").text_content()
    assert visitor.moves()[:3] == said[:3]
    assert visitor.take_turn(lambda one: one.page.keyboard.press("ArrowLeft"))
    page.reload()  # and is not lost with the page
    page.wait_for_selector(".turn.yours")
    assert len(visitor.moves()) > 4
    assert findings(page) == []


def test_a_watched_game_goes_on_with_you_in_a_seat(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/watch", ".board")
    start_game(visitor, "Watch this", Seed="1")
    page.locator(".pace input").fill("4")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".end-card").get_by_role("link", name="Replay").click()
    page.wait_for_selector(".scrubber")
    page.locator(".scrubber input").fill("5")
    seats = page.get_by_label("Your seat")
    assert re.findall(r"in place of (\S+ \d+)", " ".join(seats.locator("option").all_inner_texts()))
    seats.select_option("1")
    page.get_by_role("button", name="Play on yourself").click()
    page.wait_for_selector(".turn.yours")
    assert visitor.ply == 5
    assert visitor.take_turn(lambda one: one.page.keyboard.press("ArrowLeft"))
