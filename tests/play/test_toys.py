"""The toy tables and their animation."""

import xml.etree.ElementTree as ElementTree

import pytest

from sizeup.errors import InvalidInput
from sizeup.play import play
from sizeup.play.animation import animate
from sizeup.play.toys import HEADER, TOYS, Cell, run_toy


def test_a_toy_table_does_not_depend_on_workers():
    told = []
    one = next(run_toy("wall-of-fire", runs=2, seed=7, workers=1, progress=told.append))
    two = next(run_toy("wall-of-fire", runs=2, seed=7, workers=2))
    assert one == two
    assert told[-1].startswith("novice + novice: 2 of 2 runs")


def test_a_cell_counts_exact_runs():
    cell = Cell(TOYS["wall-of-fire"][3], (-2.0, -2.0, -4.0, -2.0))
    assert (cell.median, cell.exact) == (-2.0, 0.75)
    assert "75 %" in str(cell)
    assert HEADER.index("median") < HEADER.index("exactly")


@pytest.mark.parametrize(
    ("name", "runs", "message"),
    [("wall-of-ice", 5, "there is no experiment 'wall-of-ice'"), ("wall-of-fire", 0, "runs must")],
)
def test_bad_experiments(name, runs, message):
    with pytest.raises(InvalidInput, match=message):
        next(run_toy(name, runs))


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
