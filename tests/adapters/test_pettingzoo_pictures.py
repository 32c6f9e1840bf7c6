"""Pictures in pixels: what is drawn can be told apart, and all pictures of a game have one size."""

from collections import namedtuple

import numpy as np
import pytest

from sizeup.adapters.glyphs import letters
from sizeup.adapters.pixels import pixels_of
from sizeup.adapters.rendering import render
from sizeup.games import checkers, connect_four, harvest, narrow_tunnel, scenes, wall_of_fire
from sizeup.games.contract import View
from sizeup.games.scenes import Drawing, Tile
from sizeup.games.seats import seat
from tests.adapters import lottery

GAMES = [checkers, connect_four, harvest, narrow_tunnel, wall_of_fire, lottery]
TOP, LEFT = 32, 12  # where the tiles begin


def tile_of(picture, row, column, size=48):
    y, x = TOP + row * size, LEFT + column * size
    return picture[y : y + size + 1, x : x + size + 1]


@pytest.mark.parametrize("game", [*GAMES, seat(checkers, 3, 1)], ids=lambda game: game.__name__)
def test_all_pictures_of_a_game_have_one_size(game):
    view, rng, sizes = View(game), np.random.default_rng(0), set()
    for _ in range(3):
        state = view.start()
        for _ in range(60):
            picture = render(view, state, "rgb_array")
            sizes.add(picture.shape)
            assert picture.dtype == np.uint8
            if not view.actions(state):
                break
            state, _ = view.apply(state, int(rng.choice(view.actions(state))))
    assert len(sizes) == 1


def test_every_piece_and_ground_looks_like_itself():
    """No two of them are drawn alike, in any of the colours they have."""
    things = {value for value in vars(scenes).values() if isinstance(value, scenes.Piece)}
    floor = scenes.Ground("free", scenes.PALE)
    grounds = {value for value in vars(scenes).values() if isinstance(value, scenes.Ground)}
    tiles = [Tile(floor, piece) for piece in things]
    tiles += [Tile(ground) for ground in grounds if ground.fill and ground.name]
    pictures = {one_tile(tile).tobytes() for tile in tiles}
    looks = {(tile.ground.fill, tile.ground.shape, tile.piece) for tile in tiles}
    assert len(pictures) == len(looks) > 15


def one_tile(tile):
    return tile_of(pixels_of(Drawing("", ((tile,),), ("",))), 0, 0)


def test_a_piece_is_where_it_stands():
    view = View(connect_four)
    empty = render(view, connect_four.State(0, 0, 0), "rgb_array")
    stone = render(view, connect_four.State(1, 0, 1), "rgb_array")
    board = TOP + 26  # under the names of the columns
    changed = np.argwhere((empty != stone).any(axis=2))
    on_board = changed[changed[:, 0] < board + 6 * 48]
    assert len(on_board) > 500
    assert (on_board.min(axis=0) >= (board + 5 * 48, LEFT)).all()
    assert (on_board.max(axis=0) <= (board + 6 * 48, LEFT + 48)).all()
    middle = stone[board + 5 * 48 + 10, LEFT + 24]
    assert middle.tolist() == [0xF0, 0xE4, 0x42]  # the first side's yellow


def test_a_marked_tile_has_a_frame():
    plain = Tile(scenes.Ground("free", scenes.BLUE))
    marked = Tile(scenes.Ground("free", scenes.BLUE), marked=True)
    frame, ground = one_tile(marked), one_tile(plain)
    assert frame[1, 1].tolist() == [0, 0, 0]
    assert frame[2, 24].tolist() == frame[24, 2].tolist() == [255, 255, 255]
    assert (frame[5:-5, 5:-5] == ground[5:-5, 5:-5]).all()


def test_words_are_cut_off_at_the_margin_and_odd_letters_are_question_marks():
    picture = pixels_of(Drawing("m" * 500, ((Tile(scenes.HEADING, label="é"),),), ("",)))
    assert (picture[:, -12:] == 255).all()
    assert (letters("é") == letters("?")).all()
    assert letters("").shape == (7, 0)


def test_what_is_kept_cannot_be_spoilt():
    first = render(View(harvest), harvest.State(0, 0, 0), "rgb_array")
    kept = first.copy()
    first[:] = 0
    assert (render(View(harvest), harvest.State(0, 0, 0), "rgb_array") == kept).all()
    with pytest.raises(ValueError, match="read-only"):
        letters("a")[0, 0] = True


def test_a_table_has_room_for_any_number():
    long = namedtuple("State", ["a_field_with_a_name_that_is_as_long_as_it_can_be"])
    small, large = (
        pixels_of(Drawing("", scenes.table(long(number), None).rows, ("",)))
        for number in (0, -(2**63))
    )
    assert small.shape == large.shape
    assert (small != large).any()
