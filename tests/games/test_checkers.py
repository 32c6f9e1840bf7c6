"""Checkers against published counts and two independent implementations of its rules."""

import numpy as np
import pyspiel
import pytest
from draughts import Board

from sizeup.games import checkers
from sizeup.games.checkers import CheckersState, board_of, rules
from sizeup.games.contract import NO_ACTION, View
from sizeup.games.rng import below, new_rng
from sizeup.jit import bind, plain

PERFT = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]
RULES = View(checkers)
STEPS = bind("sizeup.games.steps", checkers)
WIDTH = checkers.INFO.max_actions


def perft(rules, depth):
    out = np.zeros(WIDTH, dtype=np.int64)
    kept = np.zeros((depth + 1) * WIDTH, dtype=np.int64)
    return rules.perft(RULES.start(), RULES.params, depth, out, kept)


@pytest.mark.slow
@pytest.mark.parametrize("depth", range(1, 10))
def test_perft(depth):
    assert perft(STEPS, depth) == PERFT[depth - 1]


@pytest.mark.parametrize("depth", range(1, 5))
def test_perft_un_jitted(depth):
    assert perft(plain(STEPS), depth) == PERFT[depth - 1]


def spiel_board(state):
    """Our (black, white, kings) of an OpenSpiel state; its board is ours seen in a mirror."""
    black = white = kings = 0
    for row, line in enumerate(reversed(str(state).splitlines()[:8])):
        for x, piece in enumerate(line[1:]):
            if piece != ".":
                bit = board_of([4 * row + (7 - x) // 2 + 1])
                black |= bit * (piece in "o8")
                white |= bit * (piece in "+*")
                kings |= bit * (piece in "8*")
    return black, white, kings


def spiel_moves(state):
    """Boards after each complete move, with OpenSpiel's state there (it splits jumps up)."""
    mover, found, open_jumps = state.current_player(), {}, [state]
    while open_jumps:
        partial = open_jumps.pop()
        for action in partial.legal_actions():
            after = partial.child(action)
            if not after.is_terminal() and after.current_player() == mover:
                open_jumps.append(after)
            else:
                found[spiel_board(after)] = after
    return found


@pytest.mark.slow
def test_every_position_of_random_games_agrees_with_openspiel():
    """At least 20,000 positions: the same boards after every legal move."""
    rng, game = np.random.default_rng(0), pyspiel.load_game("checkers")
    positions = 0
    while positions < 20_000:
        ours, theirs = RULES.start(), game.new_initial_state()
        while not theirs.is_terminal():
            moves = spiel_moves(theirs)
            boards = [RULES.apply(ours, action)[0] for action in RULES.actions(ours)]
            assert {tuple(board[:3]) for board in boards} == set(moves)
            assert ours.side == theirs.current_player()
            positions += 1
            ours = boards[rng.integers(len(boards))]
            theirs = moves[tuple(ours[:3])]


def random_position(rng):
    """Pieces strewn about, many of them kings: captures in circles and choices of route."""
    squares = rng.permutation(32)
    blacks, whites = squares[: rng.integers(1, 13)], squares[20 : 20 + rng.integers(1, 13)]
    black, white = (board_of(int(n) + 1 for n in side) for side in (blacks, whites))
    crowned = (black & rules._TOP) | (white & rules._BOTTOM)
    kings = crowned | (int(rng.integers(2**35)) & (black | white))
    return CheckersState(black, white, kings, int(rng.integers(2)))


def to_fen(state):
    def side(pieces):
        squares = [n for n in range(1, 33) if pieces & board_of([n])]
        return ",".join(f"{'K' if state.kings & board_of([n]) else ''}{n}" for n in squares)

    return f"{'BW'[state.side]}:W{side(state.white)}:B{side(state.black)}"


def as_sets(fen):
    mover, *sides = fen.split(":")
    return mover, *sorted((side[0], tuple(sorted(side[1:].split(",")))) for side in sides)


@pytest.mark.slow
def test_strewn_positions_agree_with_pydraughts():
    """Three hundred positions: the same positions after every legal move."""
    rng, captures = np.random.default_rng(1), 0
    for _ in range(300):
        state = random_position(rng)
        fen = to_fen(state)
        theirs = set()
        for move in Board(variant="english", fen=fen).legal_moves():
            board = Board(variant="english", fen=fen)
            board.push(move)
            theirs.add(as_sets(board.fen))
        actions = RULES.actions(state)
        ours = {as_sets(to_fen(RULES.apply(state, action)[0])) for action in actions}
        assert ours == theirs, fen
        captures += any(checkers.captured(action) for action in actions)
    assert captures > 100


def test_a_circle_is_one_move_whichever_way_round():
    """A king on square 7 jumps four men and lands where it began, by two routes."""
    king, men = board_of([7]), board_of([10, 11, 18, 19])
    state = CheckersState(king, men, king, 0)
    circles = [action for action in RULES.actions(state) if checkers.changed(action) == 0]
    assert len(circles) == 1
    assert RULES.apply(state, circles[0]) == (CheckersState(king, 0, king, 1), 4.0)


def test_kings_value_is_a_parameter():
    rules = View(checkers, checkers.CheckersParams(king_value=1.5))
    state = CheckersState(board_of([10]), board_of([14]), board_of([14]), 0)
    (action,) = rules.actions(state)
    assert rules.apply(state, action)[1] == 1.5
    assert RULES.apply(state, action)[1] == 1.0


@pytest.mark.slow
def test_a_side_without_moves_or_pieces_is_at_the_end():
    blocked = CheckersState(
        board_of([29]), board_of([1]), 0, 0
    )  # a black man on its crowning row cannot move
    assert RULES.actions(blocked) == ()
    out = np.zeros(WIDTH, dtype=np.int64)
    assert STEPS.random_action(blocked, RULES.params, new_rng(0), out) == NO_ACTION
    assert RULES.actions(CheckersState(1, 0, 0, 1)) == ()


def test_matches_are_adjourned():
    assert checkers.adjourned(119, 39) is None
    assert checkers.adjourned(120, 0) == "120 plies played"
    assert checkers.adjourned(50, 40) == "40 plies without a capture"


@pytest.mark.slow
def test_the_buffer_holds_the_captures_of_the_wildest_positions():
    rng, most = np.random.default_rng(2), 0
    for _ in range(20_000):
        most = max(most, len(RULES.actions(random_position(rng))))
    assert 20 < most < rules._STACK // 2


def positions_of_a_game(seed):
    """Every position of a game at random."""
    rng, state = np.random.default_rng(seed), RULES.start()
    for _ in range(120):
        actions = RULES.actions(state)
        if not actions:
            return
        yield state
        state, _ = RULES.apply(state, actions[rng.integers(len(actions))])


def positions_with_captures(games):
    """Positions of games at random, in which kings come late, and ones with kings everywhere."""
    rng = np.random.default_rng(3)
    met = [state for seed in range(games) for state in positions_of_a_game(seed)]
    met += [random_position(rng) for _ in range(20 * games)]
    return [state for state in met if checkers.captured((*RULES.actions(state), 0)[0])]


@pytest.mark.slow
@pytest.mark.parametrize(("twin", "games"), [(STEPS, 200), (plain(STEPS), 50)])
def test_a_capture_at_random_is_the_one_that_a_list_would_give(twin, games):
    """Captures that are drawn without a list of them must stand where they would stand in it."""
    met = {(side, kings): 0 for side in (0, 1) for kings in (False, True)}
    out = np.zeros(WIDTH, dtype=np.int64)
    for number, state in enumerate(positions_with_captures(games)):
        actions = RULES.actions(state)
        ours, theirs = new_rng(number), new_rng(number)
        out[:] = -1
        with np.errstate(over="ignore"):
            drawn = twin.random_action(state, RULES.params, ours, out)
        if len(actions) == 1:
            assert drawn == actions[0]
            continue
        assert drawn == actions[below(theirs, len(actions))], to_fen(state)
        assert ours == theirs  # so that whatever is drawn next is the same too
        met[state.side, state.kings != 0] += (out == -1).all()  # nothing was listed
    assert min(met.values()) > games // 10
