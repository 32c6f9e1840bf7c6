"""Agents play and somebody watches, at any pace."""

from __future__ import annotations

import pytest

from tests.web.browser.conftest import Visit
from tests.web.browser.visiting import MINUS, start_game

pytestmark = pytest.mark.slow


def test_step_play_pause_and_speed(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/watch", ".board")
    start_game(visitor, "Watch this", Seed="1")
    assert visitor.ply == 0
    page.get_by_role("button", name="Step").click()
    visitor.wait_past(0)
    page.locator(".pace input").fill("4")
    page.get_by_role("button", name="Play", exact=True).click()
    visitor.wait_past(4)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector(".end-card")
    assert visitor.ply == 20
    assert f"Team score: {MINUS}2 points" in page.locator(".end-card").inner_text()
    assert page.get_by_role("button", name="Step").is_disabled()


def test_seats_depths_and_seed_are_chosen(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/watch", ".board")
    start_game(visitor, "Watch this", Game="checkers", looks_ahead="3", Seed="11")
    page.wait_for_selector(".checkered")
    assert page.locator(".team").count() == 2
    seats = (
        "Capability-aware 3 and Oblivious 2 (seat 2) against Oblivious 8 and Oblivious 2 (seat 4)"
    )
    assert f"{seats}; seed 11" in page.locator(".setup-box > summary").inner_text()
    page.get_by_role("button", name="Step").click()
    visitor.wait_past(0)
    assert page.locator(".belief").count() == 1


@pytest.mark.parametrize("label", ["Seed", "looks ahead"])
def test_a_number_that_is_missing_is_asked_for(visit: Visit, label: str) -> None:
    page = visit().open("/watch", ".board")
    page.locator(".setup-box > summary").click()
    game = page.get_attribute(".board-box", "data-game")
    field = page.locator(".setup").get_by_label(label, exact=True).first
    field.fill("")
    page.get_by_role("button", name="Watch this").click()
    assert field.evaluate("field => field.matches(':invalid:focus')")
    field.fill("2")
    page.get_by_role("button", name="Watch this").click()
    page.wait_for_selector(f'.board-box:not([data-game="{game}"])')


def test_kinds_say_what_they_do_and_a_seat_is_given_to_another(visit: Visit) -> None:
    page = visit().open("/watch", ".board")
    page.locator(".setup-box > summary").click()
    assert "Sizes up its teammates" in page.locator(".team").inner_text()
    page.get_by_role("button", name="Make the first player oblivious").click()
    assert "Sizes up its teammates" not in page.locator(".team").inner_text()
    assert page.get_by_label("looks ahead").first.input_value() == "20"
    page.get_by_label("Player").first.select_option("ora")
    assert "Is told how deep" in page.locator(".team").inner_text()


def test_a_team_that_cannot_be_is_refused_in_a_sentence(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/watch", ".board")
    page.locator(".setup-box > summary").click()
    page.evaluate("document.querySelector('.member input').removeAttribute('max')")
    page.get_by_label("looks ahead").first.fill("99")
    page.get_by_role("button", name="Watch this").click()
    page.wait_for_selector(".notice:not([hidden])")
    assert "99" in page.locator(".notice").inner_text()
