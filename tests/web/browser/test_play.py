"""Somebody plays: by clicks, by keyboard, by dragging, alone and beside somebody else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.web.browser.conftest import Visit
from tests.web.browser.visiting import (
    DESK,
    PHONE,
    Visitor,
    click_a_move,
    drag_a_move,
    key_a_move,
    start_game,
)

pytestmark = pytest.mark.slow


def _beliefs(visitor: Visitor) -> dict[str, int]:
    lines = visitor.page.locator(".panel .belief .bars li").all_inner_texts()
    pairs = (re.findall(r"\d+|none", line) for line in lines)
    return {depth: int(percent) for depth, percent in pairs}


def test_wall_of_fire_by_clicks_sizes_up_who_steps_back(visit: Visit, tmp_path: Path) -> None:
    visitor = visit(still=False)
    page = visitor.open("/play/wall-of-fire", ".board")
    start_game(visitor, Seed="1")
    page.wait_for_selector(".turn.yours")
    first = _beliefs(visitor)
    assert first == {"2": 50, "20": 50, "none": 1}
    assert "Your partner moves east" in visitor.moves()[0]
    # Away from the fire, whose far side only a deep player sees.
    visitor.take_turn(lambda _: page.get_by_role("button", name="Move west", exact=True).click())
    visitor.wait_for_turn()
    assert _beliefs(visitor)["2"] > 90
    while visitor.take_turn(click_a_move):
        pass
    card = page.locator(".end-card")
    assert "20 turns played" in card.inner_text()
    assert "agents that look 20 and 2 moves ahead scored" in card.inner_text()
    assert "Turn 20 of 20" in page.locator(".score").inner_text()
    assert "2 moves ahead" in card.inner_text()
    assert card.locator(".telling li").count() >= 1
    with page.expect_download() as saving:
        card.get_by_role("link", name="Save JSON").click()
    saving.value.save_as(tmp_path / "record.json")
    record = json.loads((tmp_path / "record.json").read_text())
    assert len(record["moves"]) == 20
    card.get_by_role("button", name="Play again").click()
    page.wait_for_selector(".turn.yours")
    assert page.locator(".end-card").count() == 0
    assert visitor.ply == 1


def test_wall_of_fire_by_keyboard_alone(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    # From the address bar: Tab to the door, Enter, and never a mouse.
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Play Wall of Fire":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn.yours")
    start_game(visitor, It_looks="2")
    turns = 0
    while visitor.take_turn(key_a_move):
        turns += 1
    assert turns == 10
    assert page.evaluate("document.activeElement.className") == "end-card"
    assert "The game is over" in page.locator(".turn").inner_text()


def test_arrow_keys_play_the_moves_they_stand_for(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("ArrowLeft")
    visitor.wait_past(2)
    assert visitor.moves()[1].partition("\n")[2].startswith("You move west")
    # Also after a click on the board.
    visitor.take_turn(click_a_move)
    visitor.wait_for_turn()
    page.keyboard.press("ArrowLeft")
    visitor.wait_past(6)
    assert "You move west" in visitor.moves()[5]
    page.locator(".setup-box > summary").first.click()
    seed = page.get_by_label("Seed")
    seed.fill("7")
    seed.press("ArrowUp")
    assert seed.input_value() == "8"
    assert seed.evaluate("field => field === document.activeElement")


def test_arrow_keys_lead_to_a_board_whose_moves_have_none(visit: Visit) -> None:
    page = visit().open("/play/checkers", ".turn.yours")
    page.keyboard.press("ArrowDown")
    assert page.locator(".cell:focus").count() == 1


def test_moves_and_beliefs_are_said_aloud(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    visitor.take_turn(lambda _: page.get_by_role("button", name="Move west", exact=True).click())
    page.wait_for_function(
        "() => /You move west|Your partner moves/"
        ".test(document.querySelector('[aria-live]').textContent)"
    )
    grid = page.get_by_role("grid", name="Wall of Fire, the board")
    assert grid.get_by_role("gridcell", name="avatar", exact=False).count() == 1
    assert page.locator('.cell[aria-label*="fire"]').count() == 35


def test_tunnel_by_dragging_and_waiting(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/play/narrow-tunnel", ".turn.yours")
    start_game(visitor, It_looks="10")
    visitor.take_turn(drag_a_move)
    visitor.take_turn(lambda _: page.get_by_role("button", name="Stay", exact=True).click())
    visitor.wait_for_turn()
    told = visitor.moves()
    assert len(told) == 4
    assert "You stay" in told[2]


def test_checkers_by_clicks_to_the_end(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/play/checkers", ".turn.yours")
    start_game(visitor, It_looks="2", The_opponent_looks="2", Seed="7")
    hints = set()
    while visitor.wait_for_turn():
        hints.add(visitor.page.locator(".hint").inner_text())
        visitor.take_turn(click_a_move)
    assert any("A capture is mandatory" in hint for hint in hints)
    assert any("Click a piece and then where it goes" in hint for hint in hints)
    card = visitor.page.locator(".end-card").inner_text()
    assert re.search(r"Your team won|Your team lost|A draw", card)
    with visitor.page.expect_download() as saving:
        visitor.page.get_by_role("link", name="Save PDN").click()
    assert saving.value.suggested_filename.endswith(".pdn")


def test_checkers_by_keyboard_to_the_end(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/play/checkers", ".turn.yours")
    start_game(visitor, It_looks="2", The_opponent_looks="2", Seed="8")
    turns = 0
    while visitor.take_turn(key_a_move):
        turns += 1
    assert turns >= 5


def test_cells_are_counted_as_they_are_seen(visit: Visit) -> None:
    page = visit().open("/play/checkers", ".turn.yours")
    first = page.get_by_role("gridcell").first
    assert "row 1, column 1" in (first.get_attribute("aria-label") or "")
    below = page.get_by_role("gridcell", name="square 4,", exact=False)
    assert "row 8, column 1" in (below.get_attribute("aria-label") or "")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_letters_stand_below_the_columns_that_they_name(visit: Visit, size: dict[str, int]) -> None:
    visitor = visit(size=size)
    page = visitor.open("/play/connect-four", ".turn.yours")
    letter = page.get_by_role("button", name="c", exact=True)
    place, column = letter.bounding_box(), page.locator('.cell[data-cell="0,2"]').bounding_box()
    assert place is not None
    assert column is not None
    assert abs((place["x"] + place["width"] / 2) - (column["x"] + column["width"] / 2)) < 2
    visitor.take_turn(lambda _: letter.click())
    visitor.wait_for_turn()
    assert "You play c" in "".join(visitor.moves())


def test_escape_puts_a_piece_down(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/play/checkers", ".turn.yours")
    page.locator(".cell.movable").first.click()
    assert page.locator(".cell.target").count() > 0
    page.keyboard.press("Escape")
    assert page.locator(".cell.target").count() == 0
    assert page.locator('.cell[aria-selected="true"]').count() == 0


def test_oblivious_partner_and_hidden_beliefs(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/play/wall-of-fire", ".turn.yours")
    page.locator(".setup-box > summary").click()
    page.get_by_role("radio", name="Oblivious").check()
    page.get_by_label("It looks", exact=True).select_option("2")
    page.get_by_role("button", name="Start this game").click()
    page.wait_for_selector(".belief >> text=What an observer in its place believes")
    page.get_by_role("switch", name="Show beliefs").uncheck()
    assert not page.locator(".belief .bars").is_visible()
    assert not page.locator(".log").is_visible()
    while visitor.take_turn(lambda _: page.locator('.step[aria-disabled="false"]').first.click()):
        pass
    assert "silent observer" in page.locator(".end-card").inner_text()
    assert page.get_by_text("Hidden while you play").count() == 0


def test_two_visitors_play_their_own_games(visit: Visit) -> None:
    one, other = visit(), visit(size=PHONE)
    one.open("/play/wall-of-fire", ".turn.yours")
    other.open("/play/narrow-tunnel", ".turn.yours")
    start_game(one, It_looks="2")
    start_game(other, It_looks="10")
    for _ in range(3):
        one.take_turn(click_a_move)
        other.take_turn(click_a_move)
    one.wait_for_turn()
    other.wait_for_turn()
    assert one.ply == 7
    assert other.ply == 6
    other.open("/replay", "main p")
    assert other.page.locator("table tbody tr").count() == 0
