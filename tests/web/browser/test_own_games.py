"""Games of a user's own, with a look and without one, and agents, are offered like any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.browser.axe import findings, width
from tests.web.browser.conftest import Visit
from tests.web.browser.serving import Server
from tests.web.browser.visiting import (
    PHONE,
    Visitor,
    click_a_move,
    key_a_move,
    press_a_move,
    start_game,
)

pytestmark = pytest.mark.slow

_OWN = Path(__file__).parent / "own"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a game on a grid, one that says nothing of how it looks, and an agent."""
    server = Server(tmp_path_factory.mktemp("state"), own=sorted(_OWN.glob("*.py")))
    yield server
    server.stop()


def _tab_to_a_move(visitor: Visitor) -> None:
    """A button that is reached and pressed by keyboard."""
    page = visitor.page
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.moves .move')"):
            return page.keyboard.press("Enter")
    raise AssertionError("no move was reached")


def _arrow(visitor: Visitor) -> None:
    """An arrow key that stands for a move."""
    steps = visitor.page.locator('.step[aria-disabled="false"]')
    key = (steps.first.get_attribute("class") or "").rpartition("-")[2]
    visitor.page.locator("main").focus()
    visitor.page.keyboard.press(f"Arrow{key.capitalize()}")


HANDS: dict[str, tuple[str, Callable[[Visitor], None]]] = {
    "meadow by mouse": ("meadow", click_a_move),
    "meadow by the cells": ("meadow", key_a_move),
    "meadow by arrow keys": ("meadow", _arrow),
    "pile by mouse": ("pile", press_a_move),
    "pile by keyboard": ("pile", _tab_to_a_move),
}


@pytest.mark.parametrize("hand", HANDS)
def test_own_game_is_played_to_the_end_and_replayed(visit: Visit, own: Server, hand: str) -> None:
    game, how = HANDS[hand]
    visitor = visit(own, size=PHONE) if how is press_a_move else visit(own)
    page = visitor.open(f"/play/{game}", ".turn.yours")
    assert width(page) <= (page.viewport_size or PHONE)["width"]
    while visitor.take_turn(how):
        pass
    card = page.locator(".end-card")
    outcome = "Team score: " if game == "meadow" else "Your team "
    assert outcome in card.inner_text()
    plies = visitor.ply
    assert page.get_by_role("link", name="Save PDN").count() == 0
    card.get_by_role("link", name="Replay").click()
    page.wait_for_selector(".scrubber")
    page.get_by_role("button", name="To the end").click()
    assert visitor.ply == plies


def test_a_game_without_a_look_is_a_table(visit: Visit, own: Server) -> None:
    page = visit(own).open("/play/pile", ".turn.yours")
    assert page.locator(".board th").all_inner_texts() == ["stones", "side"]
    assert page.locator(".moves .move").all_inner_texts() == ["take 1", "take 2", "take 3"]
    assert findings(page) == []


def test_own_pieces_have_a_letter_and_their_name(visit: Visit, own: Server) -> None:
    page = visit(own).open("/play/meadow", ".turn.yours")
    assert page.get_by_role("gridcell", name="flower").count() == 1
    assert "f" in page.locator(".piece .sign-letter").all_text_contents()
    assert findings(page) == []


def test_own_games_stand_in_the_menu(visit: Visit, own: Server) -> None:
    page = visit(own).open("/play", ".game-card")
    cards = page.locator(".game-card")
    assert cards.filter(has_text="Meadow").locator("svg.scene").count() == 1
    assert cards.filter(has_text="pile").locator("table").count() == 1
    assert findings(page) == []


def _watch_to_the_end(visitor: Visitor) -> None:
    page = visitor.page
    page.locator(".pace input").fill("4")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector(".end-card")
    assert visitor.ply == len(visitor.moves())


def test_own_game_with_a_look_is_watched(visit: Visit, own: Server) -> None:
    visitor = visit(own)
    page = visitor.open("/watch", ".board")
    start_game(visitor, "Watch this", Game="meadow", Seed="3")
    assert (
        "Meadow: Capability-aware 4 and Oblivious 1"
        in page.locator(".setup-box > summary").inner_text()
    )
    # Its two players are given by its rules.
    assert page.get_by_role("button", name="Add a player").count() == 0
    _watch_to_the_end(visitor)


def test_teams_of_any_size_are_watched(visit: Visit, own: Server) -> None:
    visitor = visit(own)
    page = visitor.open("/watch", ".board")
    start_game(visitor, "Watch this", Game="pile", Seed="3")
    before = page.get_attribute(".board-box", "data-game")
    page.locator(".setup-box > summary").click()
    first, second = page.locator(".team").all()
    first.get_by_role("button", name="Add a player").click()
    first, second = page.locator(".team").all()
    assert first.locator(".member").count() == 3
    second.get_by_role("button", name="Remove the last player").click()
    page.get_by_role("button", name="Watch this").click()
    page.wait_for_selector(f'.board-box:not([data-game="{before}"])')
    assert page.locator(".player").count() == 4
    _watch_to_the_end(visitor)


def test_chance_moves_are_shown_in_a_game_of_three(visit: Visit, own: Server) -> None:
    visitor = visit(own)
    page = visitor.open("/play/harvest", ".turn.yours")
    start_game(visitor, It_looks="2")
    assert page.locator(".player").count() == 3
    while visitor.take_turn(press_a_move):
        pass
    assert "Team score: " in page.locator(".end-card").inner_text()
    assert any("Chance decides" in told for told in visitor.moves())


def test_own_agent_is_a_partner(visit: Visit, own: Server) -> None:
    visitor = visit(own)
    page = visitor.open("/play/meadow", ".turn.yours")
    page.locator(".setup-box > summary").click()
    page.get_by_role("radio", name="last_agent").check()
    before = page.get_attribute(".board-box", "data-game")
    page.get_by_role("button", name="Start this game").click()
    page.wait_for_selector(f'.board-box:not([data-game="{before}"])')
    assert (
        "Partner: last_agent, looks 4 moves ahead"
        in page.locator(".setup-box > summary").inner_text()
    )
    while visitor.take_turn(click_a_move):
        pass
    assert "Team score: " in page.locator(".end-card").inner_text()
