"""One move at a time, told at the board: at any size, in both themes, by keyboard too."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import WebSocket, WebSocketRoute

from tests.web.browser.axe import findings, width
from tests.web.browser.conftest import Visit
from tests.web.browser.test_screens import GAMES
from tests.web.browser.visiting import PHONE, Visitor, click_a_move, start_game

pytestmark = pytest.mark.slow

LAPTOP = {"width": 1280, "height": 800}
SIZES = {"laptop": LAPTOP, "phone": PHONE}


def _any_move(visitor: Visitor) -> None:
    visitor.page.locator('.cell.target, .move, .step[aria-disabled="false"]').first.click()


def test_replies_come_one_at_a_time_at_the_pace_that_was_chosen(visit: Visit) -> None:
    """The page's clock stands still unless it is told to go on."""
    visitor = visit(pace=None)
    page = visitor.page
    page.clock.install()
    told: list[str] = []
    page.on(
        "websocket",
        lambda line: line.on("framereceived", lambda frame: told.append(json.loads(frame)["type"])),
    )
    visitor.open("/play/connect-four", ".turn.yours")
    assert page.get_by_label("Pace").input_value() == "normal"
    start_game(visitor, It_looks="2", The_opponent_looks="2")
    visitor.wait_for_turn()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
    told.clear()
    own = visitor.ply + 1
    _any_move(visitor)
    while told.count("moved") < 4:  # yours, your opponent's, your partner's, your opponent's
        page.wait_for_timeout(20)
    for ply in (own, own + 1, own + 2):
        page.wait_for_selector(f'.board[data-ply="{ply}"]')
        page.clock.run_for(1150)
        assert visitor.ply == ply
        page.clock.run_for(50)
        page.wait_for_selector(f'.board[data-ply="{ply + 1}"]')
    assert page.locator(".turn.yours").count() == 1


def test_a_game_begins_while_its_page_is_still_loading(visit: Visit) -> None:
    """Its first question goes out before the page runs, and what is played before anybody has
    seen the board is not held back: the page's clock stands still.
    """
    visitor = visit(pace=None)
    page = visitor.page
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
    asked: list[str] = []
    lines: list[str] = []

    def heard(line: WebSocket) -> None:
        lines.append(line.url)
        line.on("framesent", lambda frame: asked.append(json.loads(frame)["type"]))

    page.on("websocket", heard)
    visitor.open("/play/connect-four", ".turn.yours")
    assert visitor.ply == 2
    assert asked == []
    (line,) = lines
    assert json.loads(parse_qs(urlsplit(line).query)["first"][0])["type"] == "new"
    visitor.take_turn(_any_move)
    page.reload()  # this tab has a game to go on with
    page.wait_for_selector(".board")
    assert "first=" not in lines[-1]
    assert "resume" in asked


def test_who_wants_replies_at_once_gets_them_and_is_remembered(visit: Visit) -> None:
    visitor = visit(pace=None)
    page = visitor.open("/play/connect-four", ".turn.yours")
    page.get_by_label("Pace").select_option("slow")
    visitor.take_turn(_any_move)
    page.wait_for_selector(".turn:not(.yours)")
    page.get_by_label("Pace").select_option("instant")
    visitor.wait_for_turn()
    page.reload()
    page.wait_for_selector(".turn.yours")
    assert page.get_by_label("Pace").input_value() == "instant"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_the_last_move_is_told_at_the_board_without_scrolling(
    visit: Visit, game: str, size: str
) -> None:
    window = SIZES[size]
    visitor = visit(size=window, scheme="light")
    page = visitor.open(f"/play/{game}", ".turn.yours")
    visitor.take_turn(click_a_move if game == "checkers" else _any_move)
    visitor.wait_for_turn()
    for ply in range(visitor.ply, 0, -1):
        line, board = page.locator(".told-line"), page.locator(".board")
        said = page.locator(f'.log li[data-ply="{ply}"] button')
        assert line.inner_text() == f"Move {ply} {said.inner_text().removesuffix(' telling')}"
        told, seen = line.bounding_box(), board.bounding_box()
        assert told is not None
        assert seen is not None
        assert told["y"] + told["height"] <= window["height"]
        assert seen["y"] + seen["height"] <= window["height"]
        below = seen["y"] + seen["height"] <= told["y"] <= seen["y"] + seen["height"] + 80
        beside = told["x"] >= seen["x"] + seen["width"] and told["y"] <= seen["y"] + 80
        assert below or beside
        # Others are told in the same place: they are looked at without the page being scrolled.
        page.evaluate(
            "n => document.querySelector(`.log [data-ply='${n}'] button`)?.click()", ply - 1
        )
    assert page.evaluate("window.scrollY") == 0
    assert width(page) <= window["width"]
    assert findings(page) == []
    page.emulate_media(color_scheme="dark")
    assert findings(page) == []


def test_numbers_are_one_click_deeper_and_stay_open(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    start_game(visitor, Seed="1")
    visitor.wait_for_turn()
    said = page.locator(".told-line").inner_text()
    assert "Your partner moves east" in said
    assert "looking 20 moves ahead" not in said
    numbers = page.locator(".told-numbers")
    assert not numbers.locator("p").is_visible()
    numbers.locator("summary").focus()
    page.keyboard.press("Enter")
    assert "looking 20 moves ahead" in numbers.inner_text()
    visitor.take_turn(lambda _: page.get_by_role("button", name="Move west", exact=True).click())
    visitor.wait_for_turn()
    assert numbers.locator("p").is_visible()
    own = page.locator(".told-yours").inner_text()
    assert "You move west. " in own
    assert " players who look 2 ahead do that, almost none who look 20 ahead." in own
    assert "telling" in page.locator(".log li").nth(1).inner_text()


def test_hidden_beliefs_are_not_told_either(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    page.get_by_role("switch", name="Show beliefs").uncheck()
    visitor.take_turn(lambda _: page.locator('.step[aria-disabled="false"]').first.click())
    visitor.wait_for_turn()
    assert "ahead" not in page.locator(".told").inner_text()
    assert not page.locator(".told-numbers").is_visible()


@pytest.mark.parametrize("size", SIZES)
def test_an_earlier_move_is_looked_at_by_keyboard_during_play(visit: Visit, size: str) -> None:
    visitor = visit(size=SIZES[size])
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    for _ in range(2):
        visitor.take_turn(_any_move)
    visitor.wait_for_turn()
    newest = visitor.ply
    line = page.locator('.log li[data-ply="2"] button')
    line.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector('.board[data-ply="2"]')
    assert page.locator(".told-line").inner_text().startswith("Move 2")
    assert page.locator(".log .current").get_attribute("data-ply") == "2"
    # There is nothing to play there, neither by clicks nor by keys.
    assert page.locator('.cell.target, .step[aria-disabled="false"]').count() == 0
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    assert findings(page) == []
    back = page.get_by_role("button", name="Back to the game")
    back.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f'.board[data-ply="{newest}"]')
    assert len(visitor.moves()) == newest
    assert visitor.take_turn(_any_move)


def test_compiling_is_called_by_its_name(visit: Visit) -> None:
    """The server says so, and then takes its time."""

    def slow(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def heard(message: str | bytes) -> None:
            told: dict[str, Any] = json.loads(message)
            if told["type"] == "game":
                line.send(json.dumps({"type": "preparing", "game": told["setup"]["game"]}))
            if told["type"] != "moved":
                line.send(message)

        server.on_message(heard)

    visitor = visit()
    visitor.page.route_web_socket("**/ws*", slow)
    page = visitor.open("/play/wall-of-fire", ".thinking")
    assert page.locator(".turn").inner_text().startswith("Compiling the rules, once")


def test_a_row_of_four_is_marked(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/play/connect-four", ".turn.yours")
    start_game(visitor, It_looks="8", The_opponent_looks="8", Seed="3")
    for _ in range(21):
        if not visitor.take_turn(_any_move):
            break
    page.wait_for_selector(".end-card")
    assert "Four in a row." in page.locator(".end-card").inner_text()
    assert page.locator(".scene .sign.line").count() >= 4
