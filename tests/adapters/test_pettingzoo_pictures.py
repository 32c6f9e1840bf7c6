"""Pictures in pixels: what is drawn can be told apart, and all pictures of a game have one size."""

import importlib
import sys
from collections import namedtuple

import numpy as np
import pytest

from sizeup.adapters.rendering import frame_of, render
from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four, foraging, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.contract import View
from sizeup.games.drawing import Drawing, describe
from sizeup.games.look import BLUE, HEADING, PALE, STOCK, Ground, Look, Piece, Tile, scene_of
from sizeup.games.seats import seat
from tests.adapters import lottery

GAMES = [checkers, connect_four, foraging, harvest, narrow_tunnel, wall_of_fire, lottery]
TOP, LEFT = 32, 12  # where the tiles begin


def tile_of(picture, row, column, size=48):
    y, x = TOP + row * size, LEFT + column * size
    return picture[y : y + size + 1, x : x + size + 1]


@pytest.mark.slow
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
    floor, things = Ground("free", PALE), set(STOCK.values())
    for game, state in [(game, View(game).start()) for game in GAMES] + [
        (checkers, checkers.CheckersState(black=1, white=2, kings=3, side=0)),
        (connect_four, connect_four.FourInARowState(first=1, second=2, side=0)),
        (harvest, harvest.HarvestState(turn=4, growth=2, sown=0)),
        (harvest, harvest.HarvestState(turn=4, growth=0, sown=1)),
    ]:
        on_board = [tile for row in describe(game, state).rows for tile in row]
        things |= {tile.ground for tile in on_board} | {tile.piece for tile in on_board}
    tiles = [Tile(floor, thing) for thing in things if isinstance(thing, Piece)]
    tiles += [Tile(thing) for thing in things if isinstance(thing, Ground) and thing.fill]
    pictures = {one_tile(tile).tobytes() for tile in tiles}
    assert len(pictures) == len({drawn_like(tile) for tile in tiles}) > 20


def drawn_like(tile):
    """All that shows of a tile, whatever it is called."""
    ground, piece = tile.ground, tile.piece
    return ground.fill, ground.shape, piece and (piece.shape, piece.fill, piece.ink, piece.sign)


def one_tile(tile):
    return tile_of(frame_of(Drawing("", ((tile,),), ("",))), 0, 0)


def test_a_piece_is_where_it_stands():
    view = View(connect_four)
    empty = render(view, connect_four.FourInARowState(0, 0, 0), "rgb_array")
    stone = render(view, connect_four.FourInARowState(1, 0, 1), "rgb_array")
    board = TOP + 26  # under the names of the columns
    changed = np.argwhere((empty != stone).any(axis=2))
    on_board = changed[changed[:, 0] < board + 6 * 48]
    assert len(on_board) > 500
    assert (on_board.min(axis=0) >= (board + 5 * 48, LEFT)).all()
    assert (on_board.max(axis=0) <= (board + 6 * 48, LEFT + 48)).all()
    middle = stone[board + 5 * 48 + 10, LEFT + 24]
    assert middle.tolist() == [0xF0, 0xE4, 0x42]  # the first side's yellow


def test_a_marked_tile_has_a_frame():
    plain = Tile(Ground("free", BLUE))
    marked = Tile(Ground("free", BLUE), marked=True)
    frame, ground = one_tile(marked), one_tile(plain)
    assert frame[1, 1].tolist() == [0, 0, 0]
    assert frame[2, 24].tolist() == frame[24, 2].tolist() == [255, 255, 255]
    assert (frame[5:-5, 5:-5] == ground[5:-5, 5:-5]).all()


def test_words_are_cut_off_at_the_margin():
    long, short = (
        frame_of(Drawing("m" * letters, ((Tile(HEADING),),), ("",))) for letters in (500, 30)
    )
    assert long.shape == short.shape
    assert (long[:, -12:] == 255).all()
    assert (long[:, -40:] != short[:, -40:]).any()


def test_what_is_kept_cannot_be_spoilt():
    first = render(View(harvest), harvest.HarvestState(0, 0, 0), "rgb_array")
    kept = first.copy()
    first[:] = 0
    assert (render(View(harvest), harvest.HarvestState(0, 0, 0), "rgb_array") == kept).all()


def test_without_pillow_only_pixels_are_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.delitem(sys.modules, "sizeup.adapters.rendering")
    rendering = importlib.import_module("sizeup.adapters.rendering")
    assert rendering.checked_mode("ansi") == "ansi"
    with pytest.raises(InvalidInput, match=r"'rgb_array' needs Pillow.*run pip install pillow"):
        rendering.checked_mode("rgb_array")


def test_a_table_has_room_for_any_number():
    long = namedtuple("State", ["a_field_with_a_name_that_is_as_long_as_it_can_be"])
    small, large = (
        frame_of(Drawing("", scene_of(Look(), long(number), None).rows, ("",)))
        for number in (0, -(2**63))
    )
    assert small.shape == large.shape
    assert (small != large).any()
