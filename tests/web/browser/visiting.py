"""A visitor with a browser: opens the page, plays, and notices what should not happen."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request

from tests.web.browser.serving import Server

PATIENCE = 60_000
"""Milliseconds; a loaded machine must not fail a test, and a good one never waits so long."""

MINUS = "\N{MINUS SIGN}"

DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


class Visitor:
    """One browser context with one page, logged in, or invited by a link."""

    def __init__(
        self,
        browser: Browser,
        server: Server,
        *,
        size: dict[str, int] = DESK,
        scheme: str = "light",
        still: bool = True,
        pace: str | None = "instant",
        invitation: str | None = None,
    ) -> None:
        self.server = server
        self.complaints: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.strangers: list[str] = []
        self.context: BrowserContext = browser.new_context(
            viewport=size,
            color_scheme=scheme,
            reduced_motion="reduce" if still else "no-preference",
            accept_downloads=True,
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.on("request", self._asked)
        if pace is not None:
            choose = "localStorage.getItem(key) ?? localStorage.setItem(key, pace)"
            given = f"const key = 'sizeup-pace', pace = '{pace}'; {choose}"
            self.context.add_init_script(f"(() => {{ {given} }})()")
        self.page: Page = self.context.new_page()
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(invitation or server.address)
        self.page.wait_for_selector("main h1")

    def _asked(self, request: Request) -> None:
        host = urlsplit(request.url).netloc
        if host != urlsplit(self.server.root).netloc and not request.url.startswith("data:"):
            self.strangers.append(request.url)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def close(self) -> None:
        """Leave, after all that was wrong has been said."""
        self.context.close()
        assert self.strangers == []
        odd = [c for c in self.complaints if not any(word in c for word in self.expected)]
        assert odd == [], odd

    def expect(self, *words: str) -> None:
        """Let the browser note what the test brings about, such as a refused request."""
        self.expected = words

    def open(self, path: str, ready: str) -> Page:
        """Go to an address of the page and wait for something there."""
        self.page.goto(self.server.root + path)
        self.page.wait_for_selector(ready)
        return self.page

    @property
    def ply(self) -> int:
        """Number of moves that the board shows."""
        return int(self.page.get_attribute(".board", "data-ply") or 0)

    def moves(self) -> list[str]:
        """Sentences of all moves so far, the first one first."""
        return self.page.locator(".log li").all_inner_texts()[::-1]

    def wait_for_turn(self) -> bool:
        """Wait until the visitor may move; False if the game ended before."""
        self.page.wait_for_selector(".turn.yours, .end-card")
        return self.page.locator(".end-card").count() == 0

    def wait_past(self, ply: int) -> None:
        """Wait until the board shows more moves than so many."""
        self.page.wait_for_function(
            "ply => Number(document.querySelector('.board')?.dataset.ply ?? 0) > ply", arg=ply
        )

    def take_turn(self, how: Callable[[Visitor], None]) -> bool:
        """Make one move in some way; False if the game is over.

        A jump whose ways must be told apart asks for its stops: then more and more is picked.
        """
        if not self.wait_for_turn():
            return False
        ply = self.ply
        for picked in range(1, 10):
            how(self)
            self.page.wait_for_function(_MOVED_OR_PICKED, arg=[ply, picked])
            if self.ply > ply:
                return True
        raise AssertionError(f"no move came of {picked} picks")


_MOVED_OR_PICKED = """([ply, picked]) =>
    Number(document.querySelector('.board').dataset.ply) > ply
    || document.querySelectorAll('.cell[aria-selected=true]').length > picked
"""


def start_game(visitor: Visitor, press: str = "Start this game", **chosen: str) -> None:
    """Change the setup of a game that is played or watched and start it; labels name the fields."""
    page = visitor.page
    page.wait_for_selector(".board")
    before = page.get_attribute(".board-box", "data-game")
    page.locator(".setup-box > summary").click()
    form = page.locator(".setup")
    for label, value in chosen.items():
        field = form.get_by_label(label.replace("_", " "), exact=True).first
        if field.evaluate("element => element.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    form.get_by_role("button", name=press).click()
    page.wait_for_selector(f'.board-box:not([data-game="{before}"])')


def click_a_move(visitor: Visitor) -> None:
    """The first piece that can move, then the first place it can go to."""
    page = visitor.page
    if page.locator(".cell.target").count() == 0:
        page.locator(".cell.movable").first.click()
    page.locator(".cell.target").first.click()


def press_a_move(visitor: Visitor) -> None:
    """The last of the buttons that name moves."""
    visitor.page.locator(".moves .move").last.click()


def key_a_move(visitor: Visitor) -> None:
    """The same by arrows and Enter only."""
    page = visitor.page
    page.locator('.cell[tabindex="0"]').focus()
    if page.locator(".cell.target").count() == 0:
        _walk_to(page, page.locator(".cell.movable").first)
        page.keyboard.press("Enter")
    _walk_to(page, page.locator(".cell.target").first)
    page.keyboard.press("Enter")


def drag_a_move(visitor: Visitor) -> None:
    """Press on the piece, carry it and let go."""
    page = visitor.page
    start = page.locator(".cell.movable").first
    if page.locator(".cell.target").count() == 0:
        start.click()
    page.locator('.cell[aria-selected="true"]').first.drag_to(page.locator(".cell.target").first)


def _walk_to(page: Page, cell: Locator) -> None:
    """Press arrows until the focus is on a cell."""
    place = (
        "cell => [[...cell.parentElement.parentElement.children].indexOf(cell.parentElement),"
        " [...cell.parentElement.children].indexOf(cell)]"
    )
    row, column = cell.evaluate(place)
    at_row, at_column = page.locator(".cell:focus").evaluate(place)
    for key, times in (
        ("ArrowDown", row - at_row),
        ("ArrowUp", at_row - row),
        ("ArrowRight", column - at_column),
        ("ArrowLeft", at_column - column),
    ):
        for _ in range(times):
            page.keyboard.press(key)
