"""One server for all tests that change nothing about it."""

import pytest

from tests.web.clients import page, running


@pytest.fixture(scope="session")
def static(tmp_path_factory):
    return page(tmp_path_factory.mktemp("page") / "static")


@pytest.fixture(scope="session")
def server(static):
    with running(static) as started:
        yield started


@pytest.fixture
def visitor(server):
    with server.visitor() as somebody:
        yield somebody


@pytest.fixture
def talk(visitor):
    with visitor.socket() as opened:
        yield opened
