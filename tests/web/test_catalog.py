"""What a visitor is told of a game before it begins."""

import pytest

from sizeup.games.contract import load_game
from sizeup.web.catalog import CATALOG


@pytest.mark.parametrize("name", CATALOG)
def test_an_end_that_agents_know_nothing_of_is_said(name):
    unknown = hasattr(load_game(name), "adjourned")
    assert unknown == (name != "connect-four")
    assert ("not told" in CATALOG[name].note) == unknown
