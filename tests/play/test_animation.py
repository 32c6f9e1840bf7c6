"""The animation of matches in a toy world."""

import xml.etree.ElementTree as ElementTree

import pytest

from sizeup.errors import InvalidInput
from sizeup.play import play
from sizeup.play.animation import animate


def test_the_animation_shows_every_move():
    record = play("wall-of-fire", ["random+random"], seed=2)
    picture = ElementTree.fromstring(animate([record, record], ["<one>", "two"]))
    texts = ["".join(node.itertext()) for node in picture.iter() if node.tag.endswith("text")]
    assert [text for text in texts if text in ("<one>", "two")] == ["<one>", "two"]
    assert sum(text.startswith("move ") for text in texts) == 40
    avatars = [node for node in picture.iter() if node.get("r") == "9"]
    assert [len(next(iter(avatar)).get("values").split(";")) for avatar in avatars] == [21, 21]


def test_beliefs_run_below_the_board():
    record = play("wall-of-fire", ["ca:4+obl:2"], seed=2)
    assert "partner looks 2 ahead: 50 %" in animate([record], ["aware"])


def test_bad_animations():
    record = play("connect-four", ["random", "random"], seed=2)
    with pytest.raises(InvalidInput, match="matches of wall-of-fire, got one of connect-four"):
        animate([record], ["x"])
    with pytest.raises(InvalidInput, match="one title for each match"):
        animate([], [])
