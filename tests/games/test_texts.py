"""Texts of actions and states: each game reads back what it writes, and refuses the rest."""

import pytest

from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games import (
    checkers,
    connect_four,
    foraging,
    four_in_a_row,
    harvest,
    narrow_tunnel,
    wall_of_fire,
)
from sizeup.games.contract import View
from sizeup.games.seats import seat

STARTS = {
    checkers: "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    connect_four: "......./......./......./......./......./....... x",
    four_in_a_row: "........./........./........./......... x",
    foraging: "1A....1/...2.../1B....1 A",
    harvest: "turn=0 growth=0 sown=0",
    wall_of_fire: ".....FFFFFCCCCCCC/.....FFFFFCCCCCCC/.....FFFFFCCCCCCC/....@FFFFFCCCCCCC"
    "/.....FFFFFCCCCCCC/.....FFFFFCCCCCCC/.....FFFFFCCCCCCC 0",
    narrow_tunnel: "........##....../rrr....B..R.bbbb/........##...... B",
}


@pytest.mark.parametrize("game", STARTS)
def test_first_states(game):
    view = View(game)
    assert view.state_text(view.start()) == STARTS[game]
    assert view.state_from_text(f" {STARTS[game]} ".strip()) == view.start()


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (harvest, "turn=0 growth=0", "not a state of harvest; expected a text like 'turn=0 growth"),
        (harvest, "turn=0 growth=x sown=0", "not a state of harvest"),
        (harvest, "turn=0 growth=9 sown=0", r"growth = 9, outside INFO.state_bounds \(0, 4\)"),
        (harvest, "", "not a state of harvest"),
        (connect_four, "......./......./......./......./......./.......", "not a position"),
        (connect_four, "......./......./......./......./.......  x", "not a position"),
        (connect_four, "......./......./......./......./......./x...... x", "cannot come up"),
        (connect_four, "......./......./......./......./x....../....... o", "stand on others"),
        (wall_of_fire, STARTS[wall_of_fire][:-1] + "2", "who moves"),
        (wall_of_fire, STARTS[wall_of_fire].replace("@", "."), "at = -1"),
        (wall_of_fire, STARTS[wall_of_fire].replace("F", ".", 1), "not a state of this board"),
        (wall_of_fire, "@ 0", "not a state of this board"),
        (narrow_tunnel, STARTS[narrow_tunnel].replace("#", "b", 1), "not a state of this board"),
        (narrow_tunnel, STARTS[narrow_tunnel].replace("R", "."), "red = -1"),
        (checkers, "nonsense", " between colons"),
        (seat(connect_four), STARTS[connect_four], "expected a text like"),
        (seat(connect_four), STARTS[connect_four] + " next 2,0", "first = 2, outside"),
    ],
)
def test_bad_states(game, text, message):
    with pytest.raises(InvalidInput, match=message):
        View(game).state_from_text(text)


def test_coins_taken_are_not_shown():
    world = View(wall_of_fire, wall_of_fire.board("SCF\n..C"))
    state, _ = world.apply(world.start(), wall_of_fire.EAST)
    state, _ = world.apply(state, wall_of_fire.WEST)
    assert world.state_text(state) == "@.F/..C 0"
    assert world.state_from_text("@.F/..C 0") == state


def test_actions_by_name():
    world = View(narrow_tunnel)
    assert world.action_from_text(world.start(), " e ") == narrow_tunnel.EAST
    assert world.action_text(world.start(), narrow_tunnel.STAY) == "."
    with pytest.raises(InvalidInput, match=r"'up' is not a legal action here; legal are \., N, E"):
        world.action_from_text(world.start(), "up")
    with pytest.raises(IllegalAction, match="action 9 is not legal"):
        world.action_text(world.start(), 9)


def test_nothing_is_legal_at_the_end():
    field = View(harvest, harvest.season([0.5]))
    state, _ = field.apply(field.start(), harvest.REST)
    with pytest.raises(InvalidInput, match="none: the game is over"):
        field.action_from_text(state, "rest")


def test_seats_follow_the_position():
    shared = View(seat(checkers, 2, 1))
    state, _ = shared.apply(shared.start(), shared.action_from_text(shared.start(), "11-15"))
    text = shared.state_text(state)
    assert text.endswith(":B1,2,3,4,5,6,7,8,9,10,12,15 next 1,0")
    assert shared.state_from_text(text) == state
