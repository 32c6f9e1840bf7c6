"""One's own games stay in the browser, and any game is one file that needs no server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.web.browser.axe import findings, width
from tests.web.browser.conftest import Visit
from tests.web.browser.serving import Server
from tests.web.browser.visiting import DESK, PHONE, Visitor, start_game

pytestmark = pytest.mark.slow

WINDOWS = [(DESK, "light"), (PHONE, "dark")]


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("state"))
    yield server
    server.stop()


def _play_and_stop(visitor: Visitor, turns: int = 2) -> None:
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    start_game(visitor, Seed="1")
    for _ in range(turns):
        west = page.get_by_role("button", name="Move west", exact=True)
        visitor.take_turn(lambda _, west=west: west.click())
    visitor.wait_for_turn()
    page.get_by_role("button", name="Stop and see").click()
    page.wait_for_selector(".end-card .kept")


@pytest.mark.parametrize(("size", "scheme"), WINDOWS)
def test_games_outlive_the_server_until_they_are_deleted(
    visit: Visit, mortal: Server, size: dict[str, int], scheme: str
) -> None:
    visitor = visit(mortal, size=size, scheme=scheme)
    page = visitor.page
    for turns in (2, 3):
        _play_and_stop(visitor, turns)
    visitor.open("/replay", ".your-games")
    rows = page.locator(".your-games tbody tr")
    assert rows.count() == 2
    said = rows.first.inner_text()
    assert "Wall of Fire" in said
    assert "Stopped after " in said
    assert "2 moves ahead" in said
    assert "of 2 games, you were read as 2 moves ahead in 2" in page.locator(".menu").inner_text()
    assert findings(page) == []
    assert width(page) <= size["width"]
    visitor.expect("404", "ERR_CONNECTION_REFUSED", "WebSocket")
    mortal.kill()
    mortal.start()
    visitor.open("/replay", ".your-games")
    rows.first.get_by_role("button", name="Wall of Fire", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".scrubber")
    assert page.locator(".told-line").inner_text() == "The start of the game."
    address = page.url
    mortal.kill()
    mortal.start()
    page.goto(address.rpartition("/")[0] + "/2")  # a link from before
    page.wait_for_selector('.board[data-ply="2"]')
    visitor.open("/replay", ".your-games")
    rows.first.get_by_role("button", name="Delete").click()
    rows.nth(1).wait_for(state="detached")
    assert rows.count() == 1
    page.get_by_role("button", name="Delete all").click()
    page.wait_for_selector(".your-games", state="detached")
    page.reload()
    page.wait_for_selector("tbody tr")  # those that the server was told of again
    assert page.locator(".your-games").count() == 0


@pytest.fixture
def shared(visit: Visit, tmp_path: Path) -> Path:
    """A game as one file."""
    visitor = visit()
    _play_and_stop(visitor)
    with visitor.page.expect_download() as saving:
        visitor.page.locator(".end-card").get_by_role("link", name="One page to share").click()
    path = tmp_path / saving.value.suggested_filename
    saving.value.save_as(path)
    return path


@pytest.mark.parametrize(("size", "scheme"), WINDOWS)
def test_a_game_is_one_file_that_opens_without_a_server(
    browser: Browser, shared: Path, size: dict[str, int], scheme: str
) -> None:
    assert shared.suffix == ".html"
    context = browser.new_context(viewport=size, color_scheme=scheme, offline=True)
    page: Page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(shared.as_uri())
    page.wait_for_selector(".scrubber")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector('.board[data-ply="2"]')
    assert page.locator(".told-line").inner_text().startswith("Move 2 You move west.")
    assert page.locator(".curve").count() == 1
    assert page.locator(".log li").count() >= 4
    assert page.locator("nav, .what-if, .search, .keep").count() == 0
    assert "Wall of Fire" in page.title()
    assert findings(page) == []
    assert width(page) <= size["width"]
    assert asked == [shared.as_uri()]
    assert wrong == []
    context.close()
