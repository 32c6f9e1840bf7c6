"""The server dies and comes back; the game goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.browser.conftest import Visit
from tests.web.browser.serving import Server
from tests.web.browser.visiting import click_a_move, start_game

pytestmark = pytest.mark.slow


@pytest.fixture  # ask for it before visitors: they must leave before it stops
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("state"))
    yield server
    server.stop()


def test_a_look_at_another_game_loses_nothing(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/play/checkers", ".turn.yours")
    visitor.take_turn(click_a_move)
    visitor.wait_for_turn()
    moves = visitor.moves()
    page.get_by_role("switch", name="Show beliefs").uncheck()
    visitor.open("/play/wall-of-fire", ".turn.yours")
    assert not page.get_by_role("switch", name="Show beliefs").is_checked()
    visitor.open("/play/checkers", ".turn.yours")
    page.get_by_role("switch", name="Show beliefs").check()
    assert visitor.moves() == moves


def test_a_game_survives_the_death_of_the_server(mortal: Server, visit: Visit) -> None:
    visitor = visit(mortal)
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    for _ in range(2):
        visitor.take_turn(click_a_move)
    visitor.wait_for_turn()
    told, ply = visitor.moves(), visitor.ply
    visitor.expect("WebSocket")
    mortal.kill()
    page.wait_for_selector(".notice:not([hidden])")
    assert "your game is safe" in page.locator(".notice").inner_text()
    assert visitor.ply == ply
    assert page.locator(".cell.target").count() == 0
    assert page.locator(".turn").inner_text() == "Waiting for the connection"
    mortal.start()
    # It may have come back by itself already: then there is nothing to press.
    page.evaluate("document.querySelector('.notice button')?.click()")
    page.wait_for_selector(".notice", state="hidden")
    visitor.wait_for_turn()
    assert visitor.moves() == told
    visitor.take_turn(click_a_move)
    visitor.wait_for_turn()
    assert visitor.moves()[: len(told)] == told
    assert visitor.ply == ply + 2


def test_a_finished_game_can_be_replayed_after_the_death_of_the_server(
    mortal: Server, visit: Visit
) -> None:
    visitor = visit(mortal)
    page = visitor.open("/play/narrow-tunnel", ".board")
    start_game(visitor, It_looks="10")  # all of its searches are made again at the end
    while visitor.take_turn(click_a_move):
        pass
    card = page.locator(".end-card")
    card.locator(".kept").wait_for()
    told, moves = card.inner_text(), visitor.moves()
    forgotten = card.get_by_role("link", name="Replay").get_attribute("href")
    visitor.expect("WebSocket", "404")
    mortal.kill()
    page.wait_for_selector(".notice:not([hidden])")
    mortal.start()
    page.wait_for_function(
        "href => ![null, href].includes(document.querySelector("
        "'.end-card a.secondary')?.getAttribute('href') ?? null)",
        arg=forgotten,
    )
    card.locator(".kept").wait_for()
    assert card.inner_text() == told
    assert visitor.moves() == moves
    visitor.open("/replay", ".your-games")
    assert page.locator(".your-games tbody tr").count() == 1  # still the same game
    page.locator(".your-games tbody button").first.click()
    page.wait_for_selector(".scrubber")
    assert page.locator(".log li").count() == len(moves)


def test_a_game_survives_a_reload(mortal: Server, visit: Visit) -> None:
    visitor = visit(mortal)
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    visitor.take_turn(click_a_move)
    visitor.wait_for_turn()
    told = visitor.moves()
    page.reload()
    visitor.wait_for_turn()
    assert visitor.moves() == told
