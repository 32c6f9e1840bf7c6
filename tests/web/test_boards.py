"""What the page is told of a board: tiles, and where moves happen."""

import json

import pytest

from sizeup.games import checkers, connect_four, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.contract import CHANCE, View
from sizeup.games.look import GREY, Ground, Look, Piece, Scene, Tile
from sizeup.games.seats import seat
from sizeup.web.board import Face, text_of
from sizeup.web.game import LiveGame
from sizeup.web.messages import PlaySetup
from sizeup.web.offers import Offers
from sizeup.web.settings import Settings
from sizeup.web.story import card_data


def told(view, state):
    return Face(view.base.game).state(view, state, ply=0, total=0.0, last=None, over=False)


def squares(view, state):
    return {one["action"]: one["squares"] for one in told(view, state)["legal"]}


def rows_of(view, state):
    return told(view, state)["rows"]


def names(view, state):
    """Every tile's piece and ground, row by row."""
    return [[(t["ground"], t["piece"]) for t in row] for row in rows_of(view, state)]


@pytest.mark.parametrize("game", [checkers, wall_of_fire])
def test_a_message_has_every_kind_of_tile_once(game):
    view = View(game)
    before = told(view, view.start())
    rows = before["rows"]
    told_in = [{"state": before}, {"states": [before, before]}]
    one, two = (json.loads(text_of({"type": "any", **message})) for message in told_in)
    assert one["tiles"] == two["tiles"]
    assert len({json.dumps(tile) for tile in one["tiles"]}) == len(one["tiles"])
    for state in (one["state"], *two["states"]):
        assert [[one["tiles"][number] for number in row] for row in state.pop("rows")] == rows
        assert state == {name: value for name, value in before.items() if name != "rows"}
    assert before["rows"] is rows  # which others hold too


def test_checkers_is_drawn_and_moved_on_as_the_books_do():
    board = View(checkers)
    start = board.start()
    drawn = names(board, start)
    assert drawn[0][:2] == [("light-square", None), ("dark-square", "black-man")]
    assert drawn[7][:2] == [("dark-square", "white-man"), ("light-square", None)]
    assert drawn[3][0] == ("dark-square", None)
    assert squares(board, start)["9-14"] == [[2, 1], [3, 2]]
    tile = rows_of(board, start)[0][1]
    assert (tile["label"], tile["note"]) == ("square 1, black man", "1")
    state = told(board, start)
    assert (state["hint"], state["standing"]) == ("", "black 12, white 12")
    assert state["legal"][0]["phrase"] == f"play {state['legal'][0]['action']}"


@pytest.mark.parametrize("game", [checkers, seat(checkers)])
def test_a_multiple_jump_has_every_stop(game):
    board = View(game)
    position = View(checkers).state_from_text("W:W22:B18,10,2")
    state = position if game is checkers else type(board.start())(position, 0, 0)
    assert told(board, state)["hint"] == "a capture is mandatory"
    (route,) = squares(board, state).values()
    assert route == [[5, 2], [3, 4], [1, 2]]


def test_a_king_that_jumps_in_a_circle_comes_back_to_where_it_started():
    board = View(checkers)
    state = View(checkers).state_from_text("W:WK22,K29:B17,18,9,10")
    routes = [route for route in squares(board, state).values() if route[0] == route[-1]]
    assert routes
    for route in routes:
        assert route[0] == [5, 2]
        assert len(route) == 5


def test_a_jump_that_must_not_begin_with_its_end_goes_round_first():
    """A circle below the king, and one more piece above it that leads to no way back."""
    board = View(checkers)
    state = board.state_from_text("W:WK10:B14,22,23,15,6")
    longest = max(squares(board, state).values(), key=len)
    assert len(longest) == 6
    assert (longest[0], longest[4], longest[5]) == ([2, 3], [2, 3], [0, 1])


def test_every_capture_of_many_positions_has_a_route_that_its_text_names():
    """The stops are those that PDN names, where it names them."""
    board, named_whole = View(checkers), 0
    for fen in (
        "W:WK1:B6,7,15,14", "B:BK14,K3:W10,18,17,9,7,26", "W:WK31,K20:B27,26,18,10,24",
        "W:WK2:B6,7,14,15", "W:WK2,K31:B16,19,26,27,8,25,18",
    ):  # fmt: skip
        state = View(checkers).state_from_text(fen)
        for text, route in squares(board, state).items():
            numbers = [4 * row + column // 2 + 1 for row, column in route]
            named = [int(part) for part in text.replace("-", "x").split("x")]
            assert (numbers[0], numbers[-1]) == (named[0], named[-1])
            if len(named) > 2:
                assert named == numbers
                named_whole += 1
    assert named_whole == 4  # a circle, and three ways through the last position


def test_the_grids_step_to_their_neighbours():
    world = View(wall_of_fire)
    state = told(world, world.start())
    assert squares(world, world.start())["E"] == [[3, 4], [3, 5]]
    assert names(world, world.start())[3][4:6] == [("free", "avatar"), ("fire", None)]
    labels = [tile["label"] for tile in state["rows"][3]]
    assert (labels[4], labels[5], labels[10]) == ("avatar", "fire", "coin")
    assert next(one["phrase"] for one in state["legal"]) == "move north"
    assert "coins left" in state["standing"]
    inside, _ = world.apply(world.start(), wall_of_fire.EAST)
    assert rows_of(world, inside)[3][5]["label"] == "avatar, fire"
    tunnel = View(narrow_tunnel)
    blue = squares(tunnel, tunnel.start())
    assert blue["."] == [[1, 7]]
    assert blue["E"] == [[1, 7], [1, 8]]
    red = squares(tunnel, tunnel.apply(tunnel.start(), narrow_tunnel.STAY)[0])
    assert red["W"] == [[1, 10], [1, 9]]
    pieces = {piece for row in names(tunnel, tunnel.start()) for _, piece in row}
    assert pieces == {None, "blue-avatar", "red-avatar", "blue-coin", "red-coin"}


def test_a_stone_falls_into_the_lowest_hole_and_columns_have_names():
    board = View(connect_four)
    state = board.start()
    assert squares(board, state)["d"] == [[5, 3]]
    state, _ = board.apply(state, 3)
    assert squares(board, state)["d"] == [[4, 3]]
    drawn = names(board, state)
    assert (len(drawn), len(drawn[0])) == (6, 7)
    assert drawn[5][3] == ("empty", "first-side-s-stone")
    assert told(board, state)["columns"] == [*"abcdefg"]


def test_a_row_of_four_is_marked():
    board = View(connect_four)
    state = board.start()
    for column in (0, 1, 0, 1, 0, 1, 0):
        state, _ = board.apply(state, column)
    marked = [[tile.get("marked", False) for tile in row] for row in rows_of(board, state)]
    assert [row[0] for row in marked] == [False, False, True, True, True, True]
    assert sum(map(sum, marked)) == 4


def test_a_game_without_a_board_is_words():
    season = View(harvest)
    state = told(season, season.start())
    assert [(one["phrase"], one["squares"]) for one in state["legal"]] == [
        ("rest", []), ("sow", []),
    ]  # fmt: skip
    assert any(tile.get("text") for row in state["rows"] for tile in row)
    assert state["standing"] == "turn 1 of 10, growth 0 of 4"


def test_a_state_where_chance_decides_has_nobody_to_move():
    season = View(harvest)
    state = season.start()
    while season.actor(state) != CHANCE:
        state, _ = season.apply(state, season.actions(state)[-1])
    found = told(season, state)
    assert found["actor"] is None
    assert [one["phrase"] for one in found["legal"]] == [one["action"] for one in found["legal"]]


def test_everything_that_is_drawn_has_an_id_of_its_own(monkeypatch):
    """Also what is called alike, or like the id of something else."""
    things = [Ground("", GREY), Ground(""), Ground("plain 2"), Ground("a/b"), Ground("a b", GREY)]
    tiles = tuple(Tile(ground, Piece("a b", "x", "disc", GREY)) for ground in things)
    monkeypatch.setattr(wall_of_fire, "LOOK", Look(scene=lambda state, params: Scene((tiles,))))
    face, world = Face(wall_of_fire), View(wall_of_fire)
    board = face.board(world, world.start())
    (row,) = board["rows"]
    assert [tile["ground"] for tile in row] == ["plain", "plain-2", "plain-2-2", "a-b-2", "a-b-3"]
    assert {tile["piece"] for tile in row} == {"a-b"}
    assert {name: art["name"] for name, art in board["art"].items()}["a-b-2"] == "a/b"
    assert face.board(world, world.start()) == board  # once and for all
    assert board["art"]["plain"] == {
        "name": "", "shape": "", "fill": GREY, "ink": "#000000", "sign": "", "mark": " ",
    }  # fmt: skip


def test_tiles_that_are_never_alike_do_not_pile_up(monkeypatch):
    monkeypatch.setattr("sizeup.web.board._MOST_TILES", 3)
    world = View(wall_of_fire)
    face, state = Face(wall_of_fire), world.start()
    first = face.board(world, state)
    for action in (0, 1, 2, 3):
        state, _ = world.apply(state, action)
        face.board(world, state)
        assert len(face._tiles) <= 3
    assert face.board(world, world.start()) == first


BOARD_OF_ONES_OWN = """
from dataclasses import replace
from sizeup.games import four_in_a_row
from sizeup.games.four_in_a_row import *
from sizeup.games.four_in_a_row import LOOK

INFO = replace(four_in_a_row.INFO, name="{name}", params=four_in_a_row.board({board}))
"""


@pytest.mark.parametrize(
    ("board", "rows", "columns", "first_move"),
    [("4, 5, 3", 4, 5, "c3"), ("4, 4, 3, gravity=True", 4, 4, "c")],
)
def test_four_in_a_row_is_played_on_any_board(tmp_path, board, rows, columns, first_move):
    """A file of four lines is another board, with or without gravity, and the web plays it."""
    path = tmp_path / "own_board.py"
    path.write_text(BOARD_OF_ONES_OWN.format(name="own-board", board=board))
    offers = Offers.of(Settings(games=(str(path),)))
    quick = {"partner_depth": 2, "opponent_depth": 2, "partner": "obl"}
    game = LiveGame(PlaySetup(**{**offers["own-board"].setup, **quick}), offers)
    drawn = game.story.states[0]["rows"]
    assert (len(drawn), {len(row) for row in drawn}) == (rows, {columns})
    while not game.match.finished:
        yours = game.view.actor(game.match.state) == game.seat
        legal = [one["action"] for one in game.story.states[-1]["legal"]]
        game.step((first_move if first_move in legal else legal[0]) if yours else None)
    card = card_data(game.story, game.match.record().moves, game.seat)
    assert 0 < card["moves"] <= game.ply
