"""An engine plays by clicks: the end card names how far it looks ahead, or says that it cannot."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import WebSocket

from tests.web.browser.conftest import Visit
from tests.web.browser.visiting import Visitor, start_game
from tests.web.clients import Engine, setup

pytestmark = pytest.mark.slow

SEED = 1


class Overheard:
    """The states that the server told the page."""

    def __init__(self, visitor: Visitor) -> None:
        self.states: dict[int, dict[str, Any]] = {}
        visitor.page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._told)

    def _told(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "game":
            self.states = {state["ply"]: state for state in message["states"]}
        if message["type"] == "moved":
            self.states[message["state"]["ply"]] = message["state"]


def click_move(visitor: Visitor, state: dict[str, Any], action: str) -> None:
    """Click the piece, and where it goes; on the way only where the page asks for it."""
    page = visitor.page
    first, *way = next(one["squares"] for one in state["legal"] if one["action"] == action)

    def cell(square: list[int], kind: str = "") -> str:
        return f'.cell{kind}[data-cell="{square[0]},{square[1]}"]'

    if page.locator(cell(first, '[aria-selected="true"]')).count() == 0:
        page.locator(cell(first)).click()
    while way:
        open_to = [
            at for at, square in enumerate(way) if page.locator(cell(square, ".target")).count()
        ]
        page.locator(cell(way[open_to[-1]])).click()
        way = way[open_to[-1] + 1 :]
    visitor.wait_past(state["ply"])


@pytest.mark.parametrize("depth", [8, 2])
def test_the_end_card_names_how_far_an_engine_looks(visit: Visit, depth: int) -> None:
    visitor = visit()
    told = Overheard(visitor)
    visitor.open("/play/checkers", ".turn.yours")
    start_game(visitor, It_looks="8", The_opponent_looks="2", Seed=str(SEED))
    engine = Engine(setup("checkers", partner_depth=8, opponent_depth=2, seed=SEED), depth)
    while visitor.wait_for_turn():
        state = told.states[visitor.ply]
        click_move(visitor, state, engine.choose(state))
    verdict = visitor.page.locator(".end-card .verdict")
    assert verdict.locator("strong").inner_text() == f"{depth} moves ahead"
    said = verdict.inner_text()
    assert re.search(r"^Your partner is (almost certain|.*sure) that you look", said)
    assert int(re.search(r"(\d+) %\)\.$", said)[1]) >= 90
    bars = visitor.page.locator(".end-card .bars li").all_inner_texts()
    assert [re.findall(r"\d+|none", bar)[0] for bar in bars[:4]] == ["2", "4", "6", "8"]
    telling = visitor.page.locator(".end-card .telling p").all_inner_texts()
    assert any(re.search(rf"look [^.]*\b{depth}\b[^.]* ahead do that", text) for text in telling)
