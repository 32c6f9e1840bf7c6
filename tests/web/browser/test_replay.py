"""Recorded games: scrubbed, asked what if, taken along, brought."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from sizeup.play import play
from tests.web.browser.axe import findings, width
from tests.web.browser.conftest import Visit
from tests.web.browser.serving import Server
from tests.web.browser.visiting import DESK, PHONE, Visitor, start_game

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def record(browser: Browser, server: Server) -> str:
    """Address of a game that somebody watched to its end."""
    visitor = Visitor(browser, server)
    page = visitor.open("/watch", ".board")
    start_game(visitor, "Watch this", Seed="1")
    page.locator(".pace input").fill("4")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".end-card").get_by_role("link", name="Replay").click()
    page.wait_for_selector(".scrubber")
    found = re.search(r"/replay/[^/]+", page.url)
    visitor.close()
    assert found
    return found[0]


def test_scrubbing_keeps_address_board_and_beliefs_in_step(visit: Visit, record: str) -> None:
    visitor = visit()
    page = visitor.open(record, ".scrubber")
    assert page.url.endswith(f"{record}/0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert (visitor.ply, page.url.endswith("/2")) == (2, True)
    two, twenty, none = page.locator(".bars").first.locator("li").all_inner_texts()
    assert int(re.findall(r"\d+", two)[1]) > 90
    assert int(re.findall(r"\d+", twenty)[1]) < 10
    assert none.split() == ["none", "1", "%"]
    page.locator(".scrubber input").fill("7")
    assert (visitor.ply, page.url.endswith("/7")) == (7, True)
    page.keyboard.press("Home")
    page.locator(".curve").click(position={"x": 200, "y": 60})
    assert visitor.ply > 3
    page.locator(".log button").last.click()
    assert visitor.ply == 1
    page.get_by_role("button", name="To the end").click()
    assert visitor.ply == 20
    address = page.url
    page.reload()
    page.wait_for_selector('.board[data-ply="20"]')
    assert page.url == address


def test_tables_and_the_view_of_a_weaker_type(visit: Visit, record: str) -> None:
    visitor = visit()
    page = visitor.open(f"{record}/0", ".scrubber")
    page.wait_for_selector("text=No move yet")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=In place of move 1.")
    assert page.locator(".by-type thead th").all_inner_texts() == ["Move", "depth 2", "depth 20"]
    assert page.locator(".by-type tr.played").count() == 1
    page.keyboard.press("ArrowRight")
    note = page.wait_for_selector("text=In place of move 2.").inner_text()
    (searches,) = re.findall(r"in how many of (\d+) searches", note)
    first, second = page.locator(".by-type tr.played .share-value").all_inner_texts()
    page.locator(".told-numbers summary").click()
    said = page.locator(".told-numbers").inner_text()  # the same, in words
    assert f"looks 2 ahead plays this in {first} of {searches} searches" in said
    assert f"looks 20 ahead in {second}." in said
    page.get_by_label("View as").select_option("2")
    page.wait_for_selector("text=What a player of depth 2 would believe")
    two, none = page.locator(".search .bars li").all_inner_texts()  # depth 20 is out of its sight
    shares = int(re.findall(r"\d+", two)[1]), int(re.findall(r"\d+", none)[0])
    assert 99 <= sum(shares) <= 101
    assert shares[1] > 10  # to whom a step into the fire is like nobody's
    page.get_by_role("button", name="To the end").click()
    page.wait_for_selector("text=In place of move 20.")


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_sentence_table_and_board_speak_of_the_same_move(
    visit: Visit, record: str, size: dict[str, int], scheme: str
) -> None:
    visitor = visit(size=size, scheme=scheme)
    page = visitor.open(f"{record}/1", ".scrubber")
    for ply in (2, 3, 4):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"text=In place of move {ply}.")
        assert visitor.ply == ply
        said = page.locator(".told-line").inner_text()
        assert said.startswith(f"Move {ply} ")
        played = page.locator(".by-type tr.played th").inner_text().split("played")[0].strip()
        verb, _, way = played.partition(" ")
        assert re.search(rf"{verb}s? {way}", said)
        assert page.locator(".log .current").get_attribute("data-ply") == str(ply)
        assert page.locator(".arrow").count() == page.locator(".by-type thead th").count() - 1
        assert page.locator(".arrow text").all_text_contents() == ["2", "20"]
    told, board = page.locator(".told-line").bounding_box(), page.locator(".board").bounding_box()
    assert told is not None
    assert board is not None
    assert told["y"] + told["height"] <= size["height"]
    assert findings(page) == []


@pytest.fixture(scope="module")
def checkers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of checkers with somebody who tells four depths apart, as a file."""
    path = tmp_path_factory.mktemp("records") / "checkers.json"
    path.write_text(play("checkers", ["ca:4@1,2,3,4+obl:2", "obl:1+obl:1"], seed=3).to_json())
    return path


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_four_depths_fit_and_the_moves_follow(
    visit: Visit, checkers: Path, size: dict[str, int]
) -> None:
    visitor = visit(size=size)
    page = visitor.open("/replay", "h1")
    page.set_input_files("#record-file", checkers)
    page.wait_for_selector(".scrubber")
    page.locator(".scrubber input").fill("20")
    page.wait_for_selector("text=In place of move 20.")
    heads = ["Move", "depth 1", "depth 2", "depth 3", "depth 4"]
    assert page.locator(".by-type thead th").all_inner_texts() == heads
    assert width(page) <= size["width"]
    if size is DESK:
        assert page.eval_on_selector(".search .scroll", "box => box.scrollWidth <= box.clientWidth")
    assert page.locator(".by-type tr.played th").inner_text().split()[-1] == "played"
    log, line = page.locator(".log").bounding_box(), page.locator(".log .current").bounding_box()
    assert log is not None
    assert line is not None
    assert log["y"] <= line["y"]
    assert line["y"] + line["height"] <= log["y"] + log["height"]


def test_what_if_branches_into_a_game_of_its_own(visit: Visit, record: str) -> None:
    visitor = visit()
    page = visitor.open(record, ".scrubber")
    page.keyboard.press("ArrowRight")
    page.get_by_label("Another move").select_option("N")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_function("before => !location.pathname.startsWith(before)", arg=record)
    page.wait_for_selector('.board[data-ply="2"]')
    assert "moves north" in page.locator(".told-line").inner_text()
    page.get_by_role("button", name="To the end").click()
    assert visitor.ply == 20
    assert "the original game" in page.locator(".table-head").inner_text()
    page.get_by_role("link", name="the original game").click()
    page.wait_for_function("before => location.pathname === before", arg=f"{record}/2")
    visitor.open("/replay", "tbody tr")
    assert "what if" in page.locator("tbody").inner_text()


def test_a_move_picked_on_the_board_is_offered(visit: Visit, record: str) -> None:
    visitor = visit()
    page = visitor.open(record, ".scrubber")
    page.keyboard.press("ArrowRight")
    page.locator(".cell.target").first.click()
    assert page.get_by_label("Another move").input_value() == "N"


def test_records_are_taken_along_and_brought_back(
    visit: Visit, record: str, tmp_path: Path
) -> None:
    visitor = visit()
    page = visitor.open(record, ".scrubber")
    saved = {}
    for name in ("JSON", "Board as SVG"):
        with page.expect_download() as saving:
            page.get_by_role("link", name=name, exact=True).click()
        saved[name] = tmp_path / saving.value.suggested_filename
        saving.value.save_as(saved[name])
    assert saved["Board as SVG"].read_text().startswith("<svg")
    page = visitor.open("/replay", "h1")
    page.set_input_files("#record-file", saved["JSON"])
    page.wait_for_selector(".scrubber")
    assert page.locator(".place").inner_text() == "0 of 20"
    page = visitor.open("/replay", "h1")
    broken = tmp_path / "broken.json"
    broken.write_text("<script>alert(1)</script>")
    visitor.expect("422")
    page.set_input_files("#record-file", broken)
    page.wait_for_selector(".notice:not([hidden])")
    assert "broken.json" in page.locator(".notice").inner_text()


def test_a_record_that_is_not_there_is_a_sentence(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("404")
    page = visitor.open("/replay/nothing", "h1")
    page.wait_for_function("() => !document.querySelector('main').textContent.includes('Loading')")
    assert "No such record" in page.locator("main").inner_text()
