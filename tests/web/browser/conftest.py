"""A real server and a real Chromium for the page's tests.

The browser lives as long as a module's tests: Playwright keeps an event loop running in its
thread, and tests elsewhere start loops of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.browser.find_browser import find_browser
from tests.web.browser.serving import Server
from tests.web.browser.visiting import Visitor

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        program = find_browser(playwright)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("state"))
    yield server
    server.stop()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Make visitors; each is asked at the end whether anything was wrong."""
    visitors: list[Visitor] = []

    def come(where: Server = server, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, where, **options))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.close()
