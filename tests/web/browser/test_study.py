"""A participant goes through a study: by mouse or by keyboard, on a desk or on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sizeup.experiments.study_log import study_rows
from tests.web.browser.axe import findings, width
from tests.web.browser.conftest import Visit
from tests.web.browser.serving import Server
from tests.web.browser.visiting import DESK, PHONE, Visitor, click_a_move
from tests.web.studying import study_of

SHOTS: Path | None = None
"""Where pictures go that somebody wants to look at."""


@pytest.fixture(scope="module")
def study_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("study")
    server = Server(folder, folder / "study.db", study=study_of(folder, 8))
    yield server
    server.stop()


def look(visitor: Visitor, name: str) -> None:
    """What is wrong with a page for those who read otherwise, or on a small screen."""
    assert findings(visitor.page) == []
    window = visitor.page.viewport_size
    assert window is not None
    assert width(visitor.page) <= window["width"]
    if SHOTS is not None:
        visitor.page.screenshot(path=SHOTS / f"{name}.png", full_page=True)


def answer(visitor: Visitor, **chosen: str) -> None:
    """Choose the first option of every question, or the one that is named; then go on."""
    for group in visitor.page.locator("fieldset.asked").all():
        wanted = [group.get_by_label(text, exact=True) for text in chosen.values()]
        fits = [one for one in wanted if one.count() == 1]
        (fits[0] if fits else group.get_by_role("radio").first).check()
    visitor.page.get_by_role("button", name="Continue").click()


def play_out(visitor: Visitor) -> None:
    while visitor.take_turn(click_a_move):
        pass
    visitor.page.get_by_role("button", name="Continue").click()


@pytest.mark.slow
@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_a_participant_goes_through_the_whole_study(
    visit: Visit, study_server: Server, size: dict[str, int], scheme: str
) -> None:
    visitor = visit(study_server, size=size, scheme=scheme)
    page, name = visitor.page, f"{size['width']}-{scheme}"
    assert page.locator("nav").count() == 0
    look(visitor, f"consent-{name}")
    page.get_by_role("button", name="I agree, begin").click()
    page.wait_for_selector("fieldset.asked")
    look(visitor, f"begin-{name}")
    answer(visitor)
    for game in ("game 1 of 2", "game 2 of 2"):
        page.wait_for_selector(f"h1:has-text('{game}')")
        visitor.take_turn(click_a_move)
        look(visitor, f"{game.replace(' ', '-')}-{name}")
        told = page.inner_text(".players")
        assert "aware" not in told.lower()
        assert "oblivious" not in told.lower()
        play_out(visitor)
        page.wait_for_selector("fieldset.scale")
        look(visitor, f"after-{game.replace(' ', '-')}-{name}")
        answer(visitor)
    page.wait_for_selector("textarea")
    look(visitor, f"end-{name}")
    answer(visitor, check="Fire")
    page.wait_for_selector(".completion-code")
    look(visitor, f"done-{name}")
    assert page.inner_text(".completion-code") == "FIRE-20"
    page.reload()
    page.wait_for_selector(".completion-code")


@pytest.mark.slow
def test_a_study_goes_on_after_a_crash_of_server_and_page(visit: Visit, tmp_path: Path) -> None:
    server = Server(tmp_path, tmp_path / "study.db", study=study_of(tmp_path, 2))
    visitor = visit(server)
    visitor.expect("WebSocket", "ERR_CONNECTION_REFUSED")
    page = visitor.page
    page.get_by_role("button", name="I agree, begin").click()
    page.wait_for_selector("fieldset.asked")
    answer(visitor)
    assert visitor.take_turn(click_a_move)
    assert visitor.wait_for_turn()
    ply = visitor.ply
    server.kill()
    page.wait_for_selector("text=Waiting for the connection")
    server.start()
    page.wait_for_selector(".turn.yours")
    assert visitor.ply == ply
    page.reload()  # as after a crash of the browser
    assert visitor.wait_for_turn()
    assert visitor.ply == ply
    play_out(visitor)
    page.wait_for_selector("fieldset.scale")
    moves = study_rows(tmp_path / "study.db")["moves"]
    assert [row["ply"] for row in moves] == list(range(len(moves)))
    assert all(row["thought"] is not None for row in moves if row["own"])
    server.stop()


@pytest.mark.slow
def test_who_leaves_is_forgotten(visit: Visit, study_server: Server, tmp_path: Path) -> None:
    visitor = visit(study_server)
    page = visitor.page
    page.get_by_role("button", name="I agree, begin").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("fieldset.asked")
    page.get_by_role("button", name="I want to stop").click()
    page.get_by_role("button", name="Leave the study").click()
    page.wait_for_selector("text=what you did is deleted")
