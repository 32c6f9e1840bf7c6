"""Two people and a watcher, each with a browser, at one table."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.browser.axe import findings, width
from tests.web.browser.visiting import PATIENCE, start_game

pytestmark = pytest.mark.slow

LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


def picture(page, name):
    """Keep a picture, where somebody wants to look at it."""
    if folder := os.environ.get("SIZEUP_PICTURES"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{folder}/{name}.png")


def invite(host, game="wall-of-fire", place="beside you"):
    """Set a game up for two: the links to play and to watch."""
    host.open(f"/play/{game}", ".board")
    page = host.page
    page.locator(".setup-box > summary").first.click()
    before = page.get_attribute(".board-box", "data-game")
    page.locator(".setup").get_by_label(place, exact=True).check()
    page.locator(".setup").get_by_label("It looks", exact=True).select_option("2")
    page.locator(".setup").get_by_role("button", name="Start this game").click()
    page.wait_for_selector(f'.board-box:not([data-game="{before}"])')
    codes = page.locator(".invitation code")
    expect(codes.first).to_be_visible()
    return [text for text in codes.all_inner_texts() if "/join#" in text]


def move(visitor):
    """Make one move in one's own turn, by a button or on the board; False if the game is over."""
    page = visitor.page
    if not visitor.wait_for_turn():
        return False
    ply = visitor.ply
    buttons = page.locator('.moves button[aria-disabled="false"], .moves .move')
    if buttons.count() > 0:
        buttons.first.click()
    else:
        page.locator(".cell.target").first.click()
    visitor.wait_past(ply)
    return True


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_two_people_play_to_the_end_while_somebody_watches(visit, size):
    host = visit(size=size)
    play, watch = invite(host)
    picture(host.page, f"two-invite-{size['width']}")
    guest = visit(size=size, invitation=play)
    guest.page.wait_for_selector(".board")
    watcher = visit(size=size, invitation=watch)
    watcher.page.wait_for_selector(".board")
    for page in (guest.page, watcher.page):
        assert page.url.endswith("/join")  # the link is not kept in the address
        assert page.locator("nav, a.logo[href]").count() == 0
    expect(host.page.locator(".invitation > summary")).to_contain_text("Your guest is here")
    expect(host.page.locator(".invitation > summary")).to_contain_text("one person watches")
    names = [page.locator(".player-name").all_inner_texts() for page in (host.page, guest.page)]
    assert names == [["Your partner", "You", "Your guest"], ["Your partner", "Your host", "You"]]
    assert host.page.locator(".belief").count() == guest.page.locator(".belief").count() == 2
    moved = 0
    while move(host) and move(guest):
        moved += 1
        watcher.wait_past(guest.ply - 1)
        if moved == 2:
            for who, name in ((host, "host"), (guest, "guest"), (watcher, "watcher")):
                picture(who.page, f"two-{name}-{size['width']}")
            assert watcher.page.locator(".cell.target, .turn.yours").count() == 0
    assert moved > 2
    for visitor in (host, guest, watcher):
        visitor.page.wait_for_selector(".end-card")
    expect(host.page.locator(".end-card")).to_contain_text("Your guest")
    expect(guest.page.locator(".end-card")).to_contain_text("Your host")
    picture(guest.page, f"two-end-{size['width']}")
    assert guest.page.locator(".end-card a, .end-card button").count() == 0
    assert findings(guest.page) == findings(host.page) == []
    assert width(guest.page) <= size["width"]
    assert width(host.page) <= size["width"]
    host.page.get_by_role("button", name="Play again").click()  # at the same table
    expect(guest.page.locator(".end-card")).to_have_count(0)
    assert move(host)
    assert move(guest)


def test_a_used_link_and_one_that_is_wrong_say_so(visit, server):
    host = visit()
    play, _ = invite(host)
    first = visit(invitation=play)
    first.page.wait_for_selector(".board")
    for link in (play, f"{server.root}/join#nonsense", f"{server.root}/join"):
        late = visit(invitation=link)
        late.expect("410", "401")
        words = "not valid any more" if link.endswith("join") else "has been used or has expired"
        expect(late.page.locator(".lead")).to_contain_text(words)
        assert late.page.locator(".board").count() == 0
    first.page.goto(play)  # the same browser may use its link again
    first.page.wait_for_selector(".board")


def test_who_goes_is_missed_and_comes_back(visit):
    host = visit()
    play, _ = invite(host)
    guest = visit(invitation=play)
    for visitor in (host, guest):
        visitor.expect("localStorage")  # which a blank page has not
    assert move(host)
    assert guest.wait_for_turn()
    guest.page.reload()
    assert guest.wait_for_turn()  # by the pass, without the link
    guest.page.goto("about:blank")
    expect(host.page.locator(".invitation > summary")).to_contain_text("Your guest is away")
    guest.page.goto(host.server.root + "/join")
    expect(host.page.locator(".invitation > summary")).to_contain_text("Your guest is here")
    host.page.goto("about:blank")
    expect(guest.page.locator(".guest > .notice")).to_contain_text("Your host is away")
    picture(guest.page, "two-away-1280")
    host.page.goto(host.server.root + "/play/wall-of-fire")
    expect(guest.page.locator(".guest > .notice")).to_be_hidden()
    assert move(guest)
    assert move(host)


def test_both_go_on_at_a_server_that_was_killed(visit, server):
    host = visit()
    play, _ = invite(host)
    guest = visit(invitation=play)
    for visitor in (host, guest):
        visitor.expect("ERR_CONNECTION_REFUSED", "WebSocket connection")
    assert move(host)
    assert move(guest)
    assert host.wait_for_turn()  # both were told
    seen = host.ply
    server.kill()
    expect(guest.page.locator(".table .notice")).to_contain_text(
        "Connection lost", timeout=PATIENCE
    )
    server.start()
    assert host.wait_for_turn()
    assert host.ply == seen
    assert move(host)
    assert move(guest)
    assert host.wait_for_turn()
    expect(guest.page.locator(".log li")).to_have_count(host.ply)  # and nothing was told twice


def test_new_links_end_the_old_ones(visit):
    host = visit()
    play, _ = invite(host)
    guest = visit(invitation=play)
    guest.page.wait_for_selector(".board")
    host.page.locator(".invitation > summary").click()
    host.page.get_by_role("button", name="New links").click()
    expect(guest.page.locator(".table .notice")).to_contain_text("made new links")
    expect(host.page.locator(".invitation > summary")).to_contain_text("Nobody has come yet")
    fresh = host.page.locator(".invitation code").first.inner_text()
    assert fresh != play
    guest.page.goto(fresh)
    guest.page.reload()
    guest.page.wait_for_selector(".board")
    host.page.reload()  # and the host finds the new table again
    expect(host.page.locator(".invitation > summary")).to_contain_text("Your guest is here")


def test_to_resign_takes_two_clicks_and_a_draw_has_an_answer(visit):
    visitor = visit(size=LAPTOP)
    page = visitor.open("/play/connect-four", ".board")
    start_game(visitor, Seed="5", It_looks="2", The_opponent_looks="2")
    assert visitor.wait_for_turn()
    draw = page.get_by_role("button", name="Offer a draw")
    resign = page.get_by_role("button", name="Resign")
    picture(page, "giving-up-1280")
    resign.click()
    assert page.locator(".end-card").count() == 0
    page.get_by_role("button", name="Resign: are you sure?").click()
    expect(page.locator(".end-card")).to_contain_text("You resigned")
    expect(page.locator(".end-card")).to_contain_text("Your team lost")
    picture(page, "resigned-1280")
    page.get_by_role("link", name="Replay", exact=True).last.click()
    page.wait_for_selector(".replaying, .scrubber")
    picture(page, "resigned-replay-1280")
    visitor.open("/play/connect-four", ".board")
    assert visitor.wait_for_turn()
    draw.click()
    page.wait_for_selector(".end-card, .giving-up p:not(:empty)")
    visitor.open("/play/wall-of-fire", ".board")
    assert draw.count() == resign.count() == 0
