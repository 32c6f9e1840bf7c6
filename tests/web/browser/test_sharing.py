"""Games taken along as pictures that move, and games of other programs brought here."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from sizeup.play import play
from sizeup.play.export import to_pdn
from tests.web.browser.axe import findings, width
from tests.web.browser.conftest import Visit
from tests.web.browser.visiting import DESK, PHONE

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_a_game_in_pdn_is_opened_and_its_players_are_sized_up(
    visit: Visit, browser: Browser, tmp_path: Path, size: dict[str, int], scheme: str
) -> None:
    played = play("checkers", ["obl:4", "obl:2"], seed=2)
    file = tmp_path / "game.pdn"
    file.write_text(to_pdn(played).replace("obl:4", "Ann").replace("obl:2", "Ben"))
    page = visit(size=size, scheme=scheme).open("/replay", "#record-file")
    page.locator("#record-file").set_input_files(file)
    page.wait_for_selector(".scrubber")
    assert page.locator(".players").inner_text().split() == ["Ann", "Ben"]
    page.get_by_role("button", name="Size up both players").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".sized")
    said = page.locator(".sized .verdict").all_inner_texts()
    assert [text.partition(" (")[0] for text in said] == [
        "Ann looks 4 moves ahead", "Ben looks 2 moves ahead",
    ]  # fmt: skip
    assert findings(page) == []
    assert width(page) <= size["width"]
    with page.expect_download() as saving:
        page.get_by_role("link", name="Animated SVG").click()
    picture = tmp_path / saving.value.suggested_filename
    saving.value.save_as(picture)
    assert picture.suffix == ".svg"
    alone = browser.new_page()
    alone.goto(picture.as_uri())
    assert alone.locator("animate").count() > len(played.moves)
    assert "Ann, Ben" in alone.locator("title").first.inner_html()
    alone.close()
    page.locator(".sized button").first.click()
    page.wait_for_selector('.board:not([data-ply="0"])')
    assert page.locator(".sized").count() == 2  # and what was found stays
