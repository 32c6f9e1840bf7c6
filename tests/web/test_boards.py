"""What the page is told of a board: tiles, and where moves happen."""

import pytest

from sizeup.games import checkers, connect_four, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.contract import CHANCE, View
from sizeup.games.seats import seat
from sizeup.web.cells import captures, cells_of
from sizeup.web.states import state_data
from sizeup.web.tiles import rows_of


def told(view, state):
    return state_data(view, state, ply=0, total=0.0, last=None, over=False)


def cells(view, state):
    return {one["action"]: one["cells"] for one in told(view, state)["legal"]}


def names(view, state):
    """Every tile's piece and ground, row by row."""
    return [[(t["ground"], t["piece"]) for t in row] for row in rows_of(view, state)]


def test_checkers_is_drawn_and_moved_on_as_the_books_do():
    board = View(checkers)
    start = board.start()
    drawn = names(board, start)
    assert drawn[0][:2] == [("light", None), ("dark", "man-0")]
    assert drawn[7][:2] == [("dark", "man-1"), ("light", None)]
    assert drawn[3][0] == ("dark", None)
    assert cells(board, start)["9-14"] == [(2, 1), (3, 2)]
    tile = rows_of(board, start)[0][1]
    assert tile["label"] == "square 1, black man"
    assert not told(board, start)["captures"]


@pytest.mark.parametrize("game", [checkers, seat(checkers)])
def test_a_multiple_jump_has_every_stop(game):
    board = View(game)
    position = View(checkers).state_from_text("W:W22:B18,10,2")
    state = position if game is checkers else type(board.start())(position, 0, 0)
    assert told(board, state)["captures"]
    (route,) = cells(board, state).values()
    assert route == [(5, 2), (3, 4), (1, 2)] or route[0] == (5, 2)
    assert len(route) == 3


def test_a_king_that_jumps_in_a_circle_comes_back_to_where_it_started():
    board = View(checkers)
    state = View(checkers).state_from_text("W:WK22,K29:B17,18,9,10")
    routes = [route for route in cells(board, state).values() if route[0] == route[-1]]
    assert routes
    for route in routes:
        assert route[0] == (5, 2)
        assert len(route) == 5


def test_a_jump_that_must_not_begin_with_its_end_goes_round_first():
    """A circle below the king, and one more piece above it that leads to no way back."""
    board = View(checkers)
    state = board.state_from_text("W:WK10:B14,22,23,15,6")
    longest = max(cells(board, state).values(), key=len)
    assert len(longest) == 6
    assert (longest[0], longest[4], longest[5]) == ((2, 3), (2, 3), (0, 1))


def test_every_capture_of_many_positions_has_a_route_that_its_text_names():
    """The stops are those that PDN names, where it names them."""
    board = View(checkers)
    for fen in ("W:WK1:B6,7,15,14", "B:BK14,K3:W10,18,17,9,7,26", "W:WK31,K20:B27,26,18,10,24"):
        state = View(checkers).state_from_text(fen)
        for text, route in cells(board, state).items():
            squares = [4 * row + column // 2 + 1 for row, column in route]
            named = [int(part) for part in text.replace("-", "x").split("x")]
            assert (squares[0], squares[-1]) == (named[0], named[-1])
            assert len(named) == 2 or sorted(named) == sorted(squares)


def test_the_grids_step_to_their_neighbours():
    world = View(wall_of_fire)
    assert cells(world, world.start())["E"] == [(3, 4), (3, 5)]
    assert names(world, world.start())[3][4:6] == [("floor", "avatar"), ("fire", None)]
    labels = [tile["label"] for tile in rows_of(world, world.start())[3]]
    assert (labels[4], labels[5], labels[10]) == ("avatar", "fire", "coin")
    inside, _ = world.apply(world.start(), wall_of_fire.EAST)
    assert rows_of(world, inside)[3][5]["label"] == "avatar, fire"
    tunnel = View(narrow_tunnel)
    blue = cells(tunnel, tunnel.start())
    assert blue["."] == [(1, 7)]
    assert blue["E"] == [(1, 7), (1, 8)]
    red = cells(tunnel, tunnel.apply(tunnel.start(), narrow_tunnel.STAY)[0])
    assert red["W"] == [(1, 10), (1, 9)]
    pieces = {piece for row in names(tunnel, tunnel.start()) for _, piece in row}
    assert pieces == {None, "avatar-0", "avatar-1", "coin-0", "coin-1"}


def test_a_stone_falls_into_the_lowest_hole():
    board = View(connect_four)
    state = board.start()
    assert cells(board, state)["d"] == [(5, 3)]
    state, _ = board.apply(state, 3)
    assert cells(board, state)["d"] == [(4, 3)]
    drawn = names(board, state)
    assert (len(drawn), len(drawn[0])) == (6, 7)
    assert drawn[5][3] == ("floor", "disc-0")
    assert not captures(board, state)


def test_a_game_without_a_board_is_words():
    season = View(harvest)
    state = season.start()
    assert cells_of(season, state, season.actions(state)[0]) == []
    assert any(tile.get("text") for row in rows_of(season, state) for tile in row)


def test_a_state_where_chance_decides_has_nobody_to_move():
    season = View(harvest)
    state = season.start()
    while season.actor(state) != CHANCE:
        state, _ = season.apply(state, season.actions(state)[-1])
    assert told(season, state)["actor"] is None


def test_the_lowest_row_of_connect_four_names_its_columns():
    board = View(connect_four)
    *above, lowest = rows_of(board, board.start())
    assert [tile["note"] for tile in lowest] == [*"abcdefg"]
    assert not any("note" in tile for row in above for tile in row)
