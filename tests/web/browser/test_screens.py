"""Every screen, dark and light, on a desk and on a phone: nothing overflows, axe finds nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import WebSocketRoute

from tests.web.browser.axe import findings, smallest_letters, width
from tests.web.browser.conftest import Visit
from tests.web.browser.visiting import DESK, PHONE, Visitor, start_game

pytestmark = pytest.mark.slow


def _to_the_end(visitor: Visitor) -> None:
    page = visitor.open("/play/wall-of-fire", ".board")
    start_game(visitor, It_looks="2")
    while visitor.take_turn(lambda _: page.locator('.step[aria-disabled="false"]').first.click()):
        pass


def _replay(visitor: Visitor) -> None:
    _to_the_end(visitor)
    visitor.page.locator(".end-card").get_by_role("link", name="Replay").click()
    visitor.page.wait_for_selector(".scrubber")
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.wait_for_selector(".by-type")


def _thinking(visitor: Visitor) -> None:
    """The partner thinks and thinks: its move is kept from the page."""

    def hold(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def heard(message: str | bytes) -> None:
            if json.loads(message)["type"] != "moved":
                line.send(message)

        server.on_message(heard)

    visitor.page.route_web_socket("**/ws*", hold)
    visitor.open("/play/wall-of-fire", ".thinking")


def _with_setup(path: str, ready: str) -> Callable[[Visitor], None]:
    def show(visitor: Visitor) -> None:
        page = visitor.open(path, ready)
        page.locator(".setup-box > summary").click()

    return show


def _plain(path: str, ready: str) -> Callable[[Visitor], None]:
    return lambda visitor: visitor.open(path, ready) and None


SCREENS: dict[str, Callable[[Visitor], None]] = {
    "home": _plain("/", ".strip .board"),
    "games": _plain("/play", ".game-card"),
    "checkers": _with_setup("/play/checkers", ".turn.yours"),
    "tunnel": _plain("/play/narrow-tunnel", ".turn.yours"),
    "four": _plain("/play/connect-four", ".turn.yours"),
    "harvest": _with_setup("/play/harvest", ".turn.yours"),
    "thinking": _thinking,
    "end": _to_the_end,
    "watch": _with_setup("/watch", ".board"),
    "records": _plain("/replay", "main p"),
    "replay": _replay,
    "results": _plain("/results", ".cards p"),
}


@pytest.mark.parametrize(
    ("scheme", "size"), [("light", DESK), ("dark", PHONE)], ids=["desk", "phone"]
)
@pytest.mark.parametrize("screen", SCREENS)
def test_screen(
    visit: Visit, screen: str, scheme: str, size: dict[str, int], tmp_path: Path
) -> None:
    visitor = visit(size=size, scheme=scheme)
    SCREENS[screen](visitor)
    assert findings(visitor.page) == []
    assert width(visitor.page) <= size["width"]
    assert smallest_letters(visitor.page) >= 9
    picture = tmp_path / f"{screen}-{scheme}.png"
    visitor.page.screenshot(path=picture, full_page=True)
    assert picture.stat().st_size > 10_000


def test_theme_is_switched_and_remembered(visit: Visit) -> None:
    visitor = visit(scheme="light")
    page = visitor.page
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.get_by_role("button", name="Dark theme").click()
    dark = page.evaluate(colour)
    assert dark != light
    page.reload()
    page.get_by_role("button", name="Light theme").wait_for()
    assert page.evaluate(colour) == dark


GAMES = (
    "wall-of-fire", "foraging", "narrow-tunnel", "checkers", "connect-four", "four-in-a-row",
    "harvest",
)  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_board_and_controls_are_above_the_fold(visit: Visit, game: str) -> None:
    size = {"width": 1280, "height": 800}
    page = visit(size=size).open(f"/play/{game}", ".turn.yours")
    fewest = 2 if game == "harvest" else 3  # a bare field can only be sown or left alone
    assert page.locator(".move, .step").count() >= fewest
    for part in page.locator(".board, .move, .step, .hint:not(:empty)").all():
        box = part.bounding_box()
        assert box is not None
        assert 0 <= box["y"] < box["y"] + box["height"] <= size["height"], part
    assert not any(brief.is_visible() for brief in page.locator(".brief").all())


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_beliefs_stand_at_the_board(visit: Visit, game: str) -> None:
    page = visit(size=PHONE).open(f"/play/{game}", ".turn.yours")
    briefs, board = page.locator(".brief"), page.locator(".board")
    said = re.findall(r"(\d+) (\d+) %", " ".join(briefs.all_inner_texts()))
    bars = page.locator(".panel .bars li").all_inner_texts()
    depths = [bar for bar in bars if "depth" in bar]  # there is no room for none of these
    assert said == [tuple(re.findall(r"\d+", bar)) for bar in depths]
    above, below = briefs.last.bounding_box(), board.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]
    assert below["y"] + below["height"] <= PHONE["height"]
    page.get_by_role("switch", name="Show beliefs").uncheck()
    assert not any(brief.is_visible() for brief in briefs.all())


def test_nothing_moves_for_ever(visit: Visit) -> None:
    visitor = visit(still=False)
    for path, ready in (("/", ".strip .board"), ("/play/wall-of-fire", ".turn.yours")):
        page = visitor.open(path, ready)
        assert page.locator(".flame").count() > 100
        assert page.evaluate(_ENDLESS) == 0


_ENDLESS = """document.getAnimations()
    .filter(one => one.effect.getTiming().iterations === Infinity).length"""


def test_the_fires_move_unless_somebody_wants_stillness(visit: Visit) -> None:
    moving, still = visit(still=False), visit(still=True)
    ply = "document.querySelector('.strip .board').dataset.ply"
    moving.page.wait_for_function(f"() => Number({ply}) >= 2")
    assert still.page.evaluate(ply) == "20"
    assert still.page.get_by_role("button", name="Play", exact=True).count() == 1


def test_every_door_leads_somewhere_and_back_leads_back(visit: Visit) -> None:
    page = visit().page
    for door in ("Play", "Watch", "Replay", "Results"):
        page.get_by_role("navigation").get_by_role("link", name=door, exact=True).click()
        page.wait_for_selector(f'nav a[aria-current]:has-text("{door}")')
        assert page.title() == f"{door} \N{EN DASH} Sizeup"
    page.go_back()
    page.wait_for_selector('nav a[aria-current]:has-text("Replay")')


def test_without_the_key_nothing_is_shown(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("401")
    visitor.context.clear_cookies()
    answer = visitor.page.goto(visitor.server.root + "/play")
    assert answer is not None
    assert answer.status == 401
