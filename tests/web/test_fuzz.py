"""Some hundreds of the messages of tests/web/fuzz.py, which sends thousands."""

import pytest

from tests.web.fuzz import fuzz

pytestmark = pytest.mark.slow


def test_whatever_is_sent_is_refused_and_others_play_on(tmp_path):
    done, games, refused = fuzz(tmp_path, messages=500, seed=2)
    assert len(set(games)) == 1
    assert set(done.codes) >= {"bad_message", "no_game", "too_big"}
    assert "internal" not in done.codes
    assert not done.closed
    assert refused["bad_message"] > 100
