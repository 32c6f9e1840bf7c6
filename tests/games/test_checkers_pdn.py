"""PDN: moves and games as text and back, what is refused and where, and mutated texts.

``fuzz(100_000, seed=1)`` reads as many mutated texts; the tests run a few thousand.
"""

import itertools
import re
import sys
import time
from collections import Counter

import numpy as np
import pytest

from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games import checkers
from sizeup.games.checkers import CheckersState, board_of, captured, changed
from sizeup.games.checkers.pdn import (
    PdnError,
    PdnGame,
    move_from_text,
    move_to_text,
    read_pdn,
    state_from_fen,
    state_to_fen,
    write_pdn,
)
from sizeup.games.contract import View

RULES = View(checkers)
START = RULES.start()
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

CIRCLE = state_from_fen("B:W10,11,18,19:BK7")  # a king that can go round over four men
TWO_WAYS = state_from_fen("B:W7,8,15,16:B3")  # 3x10x19 and 3x12x19 take different men


def row_and_column(square):
    """Row and column of a square by its usual number, told apart from the library's own way."""
    row, left = divmod(square - 1, 4)
    return row, 2 * left + (1 if row % 2 == 0 else 0)


def captured_on(path):
    """What a piece that lands on these squares one after the other jumps over, as a bitboard."""
    taken = 0
    for (r, c), (to_r, to_c) in itertools.pairwise(path):
        assert abs(r - to_r) == abs(c - to_c) == 2, "not a jump"
        between = board_of([4 * ((r + to_r) // 2) + ((c + to_c) // 2) // 2 + 1])
        assert not taken & between, "the same piece is taken twice"
        taken |= between
    return taken


def is_ambiguous(action, legal):
    """A capture that its first and last square do not tell from another, or a circle."""
    moved = changed(action)
    if not captured(action):
        return False
    return moved == 0 or sum(changed(other) == moved for other in legal) > 1


def random_position(rng):
    """Valid position with 1 to 12 pieces a side, most of them kings."""
    side = int(rng.integers(2))
    if rng.random() < 0.3:
        free = rng.permutation(32).tolist()
        mine, theirs = free[: rng.integers(1, 13)], free[-rng.integers(1, 13) :]
    else:  # foes on every other row with free squares between them: long jumps, in circles too
        odd = int(rng.integers(2))
        rows = [[n for n in range(32) if n // 4 % 2 == which] for which in (odd, 1 - odd)]
        inner = [n for n in rows[0] if 0 < n // 4 < 7 and 0 < row_and_column(n + 1)[1] < 7]
        mine = rng.permutation(rows[1])[: rng.integers(1, 4)].tolist()
        theirs = rng.permutation(inner)[: rng.integers(4, 10)].tolist()
    pieces = [mine, theirs] if side == 0 else [theirs, mine]
    boards = [board_of(n + 1 for n in squares) for squares in pieces]
    crowned = (boards[0] & board_of(range(29, 33))) | (boards[1] & board_of(range(1, 5)))
    chance = board_of(n for n in range(1, 33) if rng.random() < 0.7)
    return CheckersState(*boards, crowned | (chance & (boards[0] | boards[1])), side)


def random_game(rng, start, most=120):
    """Random legal moves, and how many of them were ambiguous captures and circles."""
    state, actions, met = start, [], Counter()
    while len(actions) < most and (legal := RULES.actions(state)):
        action = legal[rng.integers(len(legal))]
        met["ambiguous"] += is_ambiguous(action, legal)
        met["circle"] += changed(action) == 0
        actions.append(action)
        state, _ = RULES.apply(state, action)
    comments = tuple(rng.choice(["", "", "", "good; (or) not [1-0] 11-15", "% 99%"], len(actions)))
    tags = (("Event", 'a "b" \\ c'), ("Black", "x]"), ("Annotator", "{}"))
    result = RESULTS[rng.integers(4)]
    return PdnGame(tags, start, tuple(actions), result, tuple(map(str, comments))), met


@pytest.mark.slow
def test_random_games_from_the_start_come_back_exactly():
    rng = np.random.default_rng(1)
    games = [random_game(rng, START)[0] for _ in range(600)]
    for game in games:
        assert read_pdn(write_pdn(game)) == [game]
    assert read_pdn("\n".join(write_pdn(game) for game in games[:50])) == games[:50]


@pytest.mark.slow
def test_random_games_from_random_positions_come_back_exactly():
    rng = np.random.default_rng(2)
    met = Counter()
    for _ in range(1400):
        game, seen = random_game(rng, random_position(rng))
        assert read_pdn(write_pdn(game)) == [game]
        met += seen
    assert met["ambiguous"] >= 200  # else this test says nothing about whole paths
    assert met["circle"] >= 20


@pytest.mark.slow
def test_every_legal_move_has_a_text_of_its_own_that_is_its_path():
    rng = np.random.default_rng(3)
    whole = 0
    for _ in range(1500):
        state = random_position(rng)
        legal = RULES.actions(state)
        texts = [move_to_text(state, action) for action in legal]
        assert len(set(texts)) == len(texts)
        for action, text in zip(legal, texts, strict=True):
            assert move_from_text(state, text) == action
            squares = [int(square) for square in re.split("[-x]", text)]
            assert "x" in text if captured(action) else re.fullmatch(r"\d+-\d+", text)
            if is_ambiguous(action, legal):
                whole += 1
                assert captured_on([row_and_column(n) for n in squares]) == captured(action)
            else:
                assert len(squares) == 2
                assert board_of(squares) == changed(action)
    assert whole >= 500


def test_moves_are_written_short_where_that_is_enough():
    assert [move_to_text(START, action) for action in RULES.actions(START)] == [
        "9-13", "10-14", "11-15", "12-16", "9-14", "10-15", "11-16",
    ]  # fmt: skip
    one_capture = state_from_fen("B:W18:B15")
    assert [move_to_text(one_capture, a) for a in RULES.actions(one_capture)] == ["15x22"]
    double = state_from_fen("B:W6,14:B1")
    assert [move_to_text(double, a) for a in RULES.actions(double)] == ["1x17"]


def test_captures_with_the_same_ends_are_written_with_their_paths():
    (one, other) = sorted(RULES.actions(TWO_WAYS))
    assert {move_to_text(TWO_WAYS, one), move_to_text(TWO_WAYS, other)} == {"3x10x19", "3x12x19"}
    for text in ("3x10x19", "3x12x19"):
        assert move_to_text(TWO_WAYS, move_from_text(TWO_WAYS, text)) == text
    with pytest.raises(
        PdnError, match=r"'3x19' is ambiguous; expected one of 3x1[02]x19, 3x1[02]x"
    ):
        move_from_text(TWO_WAYS, "3x19")


def test_a_circle_is_read_either_way_round():
    (circle,) = RULES.actions(CIRCLE)
    assert changed(circle) == 0
    assert move_to_text(CIRCLE, circle) == "7x14x23x16x7"
    for text in ("7x14x23x16x7", "7x16x23x14x7", "7x7", "7x23x7", "7-7", "7x14x7"):
        assert move_from_text(CIRCLE, text) == circle
    for text in ("7x14", "7x14x16x23x7", "14x23x16x7x14", "7x23x14x16x7"):
        with pytest.raises(PdnError, match="is not legal here; legal are 7x14x23x16x7"):
            move_from_text(CIRCLE, text)


@pytest.mark.slow
def test_a_whole_path_means_itself_even_if_a_longer_capture_could_be_shortened_to_it():
    rng = np.random.default_rng(4)
    met = 0
    for _ in range(1500):
        state = random_position(rng)
        legal = RULES.actions(state)
        for action in legal:
            text = move_to_text(state, action)
            if captured(action).bit_count() == 1 and is_ambiguous(action, legal):
                met += 1
                assert text.count("x") == 1
                assert move_from_text(state, text) == action
    assert met >= 5


def test_partial_paths_are_read_if_they_are_clear():
    state = state_from_fen("B:W6,14,22,23:B1")  # 1x10x17x26 and no other
    (action,) = RULES.actions(state)
    assert move_to_text(state, action) == "1x26"
    for text in (
        "1x10x17x26",
        "1x17x26",
        "1x10x26",
        "1x26",
        "1-26",
        "1X10:17-26",
        "01x26!?*",
        " 1x26 ",
    ):
        assert move_from_text(state, text) == action


def test_old_databases_may_confuse_the_signs():
    assert move_from_text(START, "11x15") == move_from_text(START, "11-15")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("11-19", "'11-19' is not legal here; legal are 9-13, 10-14, 11-15, 12-16, 9-14, 10"),
        ("0-4", "'0-4' is not legal here"),
        ("99-4", "'99-4' is not legal here"),
        ("", "'' is not a move; expected one like 11-15 or 15x22"),
        ("11", "'11' is not a move"),
        ("11-", "'11-' is not a move"),
        ("11--15", "is not a move"),
        ("11-15x", "is not a move"),
        ("11-15+", "is not a move"),
        ("111-15", "is not a move"),
        ("11 15", "is not a move"),
        ("\u0661\u0661-15", "is not a move"),
        ("11-15\x00", r"'11-15\x00' is not a move"),
        ("\ud800", r"'\ud800' is not a move"),
        ("1" * 100_000, "(and 99,960 characters more) is not a move"),
        ("1x10" * 100_000, "(and 399,960 characters more) is not a move"),
        ("1x" * 100_000 + "1", "(and 199,961 characters more) is not legal here"),
    ],
)
def test_what_is_no_move_is_refused(text, says):
    with pytest.raises(PdnError) as caught:
        move_from_text(START, text)
    assert says in str(caught.value)
    assert (caught.value.line, caught.value.column) == (1, 1)


def test_there_is_no_move_after_the_end():
    with pytest.raises(PdnError, match="legal are none: the game is over"):
        move_from_text(state_from_fen("B:W:B1"), "1-5")


def test_an_illegal_action_is_not_written():
    with pytest.raises(IllegalAction, match="action 3 is not legal here; legal are 9-13"):
        move_to_text(START, 3)
    with pytest.raises(IllegalAction):
        write_pdn(PdnGame((), START, (3,)))


def moves(state, *texts):
    actions = []
    for text in texts:
        actions.append(move_from_text(state, text))
        state, _ = RULES.apply(state, actions[-1])
    return tuple(actions)


FOUR = moves(START, "11-15", "23-19", "8-11", "22-17")


def test_a_game_is_written_like_this():
    tags = (
        ("PlyCount", "4"), ("White", "B"), ("Black", 'the "A" \\'), ("Round", "3"),
        ("Date", "2024.01.02"), ("Site", "S"), ("Event", "E"), ("Annotator", "me"),
    )  # fmt: skip
    game = PdnGame(tags, START, FOUR, "1-0", ("solid {or not}", "", "", " a\n\tb "))
    assert write_pdn(game) == (
        '[Event "E"]\n[Site "S"]\n[Date "2024.01.02"]\n[Round "3"]\n[Black "the \\"A\\" \\\\"]\n'
        '[White "B"]\n[Result "1-0"]\n[GameType "21"]\n[PlyCount "4"]\n[Annotator "me"]\n\n'
        "1. 11-15 {solid (or not)} 23-19 2. 8-11 22-17 {a b} 1-0\n"
    )
    assert read_pdn(write_pdn(game)) == [game]


def test_a_game_from_a_position_has_tags_for_it_and_white_may_move_first():
    start = state_from_fen("W:W21,K32:B1")
    game = PdnGame((), start, moves(start, "21-17", "1-5", "32-28"), "0-1")
    assert write_pdn(game) == (
        '[Result "0-1"]\n[GameType "21"]\n[SetUp "1"]\n[FEN "W:W21,K32:B1"]\n\n'
        "1... 21-17 2. 1-5 32-28 0-1\n"
    )
    assert read_pdn(write_pdn(game)) == [game]


def test_lines_are_no_longer_than_80_characters():
    rng = np.random.default_rng(6)
    game = random_game(rng, START)[0]
    text = write_pdn(game)
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) > 8


@pytest.mark.parametrize(
    "text",
    [
        "1. 11-15 23-19 2. 8-11 22-17 *",
        "1.11-15 23-19 2.8-11 22-17",
        "1. 11-15 1... 23-19 2. 8-11 2... 22-17",
        "1.11-15 1...23-19 999999999999999999999999.8-11 22-17",
        "11-15 23-19 8-11 22-17",
        "\ufeff1. 11-15! 23-19?? 2. 8-11*  22-17 !?",
        "1. 11-15 $1 $999999999999999999999999 23-19$2 2. 8-11 22-17 *",
        "1. 11-15 (1. 9-13 (1. 99-99 {)} ) junk 1-0 ) 23-19 ( ) 2. 8-11 22-17 *",
        "1. 11-15 ; 9-13 } ) {\r\n23-19 ;x\r2. 8-11\n%8-11 {( \r\n22-17 *",
        "%\ufeff\n%{\r%(\n1. 11-15 23-19 2. 8-11 22-17 *;",
        "{before}1. 11-15 23-19 2. 8-11 22-17*",
        "\x0c\t1.\t11-15\n\n\n23-19\r\n\r\n2.\r8-11\xa022-17\r",
        '[GameType "21"] 1. 11-15 23-19 2. 8-11 22-17 *',
        '[GameType " 21,B,8,8,N1,0"]\r\n\r\n1. 11-15 23-19 2. 8-11 22-17 *',
        '[ Result\t"?" ][SetUp "0"]11-15 23-19 8-11 22-17 *',
        '[FEN "B:W21-32:B1-12."] 11-15 23-19 8-11 22-17 *',
        '[Result ""] 11-15(9-13)23-19{}8-11 22-17{ \n }*',
        '[GameType ""] 11-15 23-19 8-11 22-17 0-0',
        '[GameType "?"][Result "0-0"] 11-15 23-19 8-11 22-17 *',
    ],
)
def test_ways_to_write_the_same_game(text):
    assert read_pdn(text) == [PdnGame((), START, FOUR)]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("11-15 2-0", "1-0"),
        ("11-15 23-19 0-2", "0-1"),
        ("11-15 1-1", "1/2-1/2"),
        ("11-15 1/2", "1/2-1/2"),
        ("11-15 \N{VULGAR FRACTION ONE HALF}-\N{VULGAR FRACTION ONE HALF}", "1/2-1/2"),
        ('[Result "2-0"] 11-15', "1-0"),
        ('[Result "2-0"] 11-15 1-0', "1-0"),
        ('[Result "1/2-1/2"] 11-15 1-1', "1/2-1/2"),
        ('[Result "0-2"] 11-15 *', "0-1"),
    ],
)
def test_results_in_points_are_those_of_games(text, result):
    [game] = read_pdn(text)
    assert game.result == result
    assert read_pdn(write_pdn(game)) == [game]


def test_comments_stay_with_the_move_before_them():
    (game,) = read_pdn(
        "{no} 11-15 {one;} (9-13 {no}) {two\n three} 23-19 ;no\n 8-11 { } 22-17{[4]}"
    )
    assert game.comments == ("one; two three", "", "", "[4]")


def test_tags_are_read_with_quotes_and_other_marks_in_them():
    (game,) = read_pdn(r'[Event "a \"b\" \\ \c ]{;( %"] [White ""] *')
    assert game.tags == (("Event", r'a "b" \ \c ]{;( %'), ("White", ""))


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("", []),
        (" \n;nothing\n{at all} (9-13) 1. ", []),
        ("*", ["*"]),
        ("1-0 0-1 1/2-1/2", ["1-0", "0-1", "1/2-1/2"]),
        ("11-15 1. 1-0 {done} 11-15", ["1-0", "*"]),
        ('[Event "a"] 11-15 [Event "b"] 11-15', ["*", "*"]),
        ('[Event "a"]\n\n[Result "1-0"] 11-15 [Event "b"]', ["1-0", "*"]),
        ('[Result "1/2-1/2"] 11-15 *', ["1/2-1/2"]),
        ('[Result "*"] 11-15 0-1', ["0-1"]),
        ('[Result "0-1"] 0-1 [Result "1-0"]', ["0-1", "1-0"]),
        ("1.*1.*", None),
    ],
)
def test_where_games_end_and_how(text, results):
    if results is None:
        with pytest.raises(PdnError):
            read_pdn(text)
    else:
        assert [game.result for game in read_pdn(text)] == results


READS = "Sizeup reads 21, English draughts (checkers)"
LARGER = f"and this game names squares above 32: is it 20, international draughts? {READS}"


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("1. 11-15 23-19\n2. 8-12 *", 2, 4, "'8-12' is not legal here; legal are"),
        ("1. 11-15 2.11-15", 1, 12, "'11-15' is not legal here; legal are"),
        ("\ufeff11-16 junk", 1, 7, "'junk' is not a move; expected one like 11-15"),
        ("11-15\r\n12 23-19", 2, 1, "'12' is not a move"),
        ("11-15\r\r\n %", 3, 2, "'%' is not a move"),
        ("11-15 \x00", 1, 7, r"'\x00' is not a move"),
        ("11-15\n\ud800", 2, 1, r"'\ud800' is not a move"),
        ("11-15\n" + "9" * 100_000, 2, 1, "(and 99,960 characters more) is not a move"),
        ("11-15\n" + "9" * 100_000 + "." * 100_000 + "x", 2, 200_001, "'x' is not a move"),
        ("11-15\n23-19 {never closed\n(", 2, 7, "this comment is not closed; expected }"),
        ("11-15 }", 1, 7, "there is no comment to close; expected {"),
        ("11-15\n (23-19 (((\n))", 2, 2, "this variation is not closed; expected )"),
        ("(" * 100_000, 1, 1, "this variation is not closed; expected )"),
        ("11-15 (23-19)\n)", 2, 1, "there is no variation to close; expected ("),
        (" 11-15 (23-19\n [Event \"a\"]", 2, 2, "a tag within a variation; expected )"),
        ("11-15 $", 1, 7, "a mark without a number; expected one like $1"),
        ("11-15 ]", 1, 7, "there is no tag to close; expected ["),
        ('[Event "a"]\n [Event b]', 2, 2, 'this is no tag; expected one like [Event "a name"]'),
        ('[Event "a\n"]', 1, 1, "this is no tag"),
        ('[Event "a\\"]', 1, 1, "this is no tag"),
        ('["a"]', 1, 1, "this is no tag"),
        ("[" * 100_000, 1, 1, "this is no tag"),
        ('[Event "' + "\\" * 100_001 + '"', 1, 1, "this is no tag"),
        ('[Event "a"]\n[Event "b"]', 2, 1, "the tag 'Event' is given twice"),
        ('[FEN "W:W21:B1"][FEN "W:W21:B1"]', 1, 17, "the tag 'FEN' is given twice"),
        ('[GameType "20"]', 1, 12, f"this is game type 20, international draughts; {READS}"),
        ('[GameType "20,W,10,10,N2,0"] 1. 32-28', 1, 12, "game type 20, international draughts; "),
        ('[GameType "25,W,8,8,A0,0"] 1. c3-d4', 1, 12, "this is game type 25, Russian draughts; "),
        ('\n[GameType "210"]', 2, 12, f"this is game type '210'; {READS}"),
        ('[Event "the "big" one"]', 1, 1, '"a name"], on one line, a quote in it as '),
        ("1. 32-28 19-23 2. 28x19 14x23\n3. 33-28 *", 1, 4, f"'32-28' is not legal, {LARGER}"),
        ("11-15\n34-30", 2, 1, f"'34-30' is not legal, {LARGER}"),
        ("11-15\n46:5!", 2, 1, f"'46:5!' is not legal, {LARGER}"),
        ("11-15 32-28 {44-50} (44-50) * 44-50", 1, 7, "'32-28' is not legal here; legal are"),
        ('32-28 12 [Event "a"] 44-50', 1, 1, "'32-28' is not legal here; legal are"),
        ("32-28 10-15 (33-29", 1, 1, "'32-28' is not legal here; legal are"),
        ("junk 33-28", 1, 1, f"'junk' is not legal, {LARGER}"),
        ('[Event "a"]\n[FEN "B:W21,99:B1"]', 2, 13, "there is no square 99; expected 1 to 32"),
        ('[FEN ""]', 1, 7, "expected 3"),
        ('[FEN "\\"B:W21:B1\\""]', 1, 7, "the side to move is"),
        ('[SetUp "1"] 24-20', 1, 9, "SetUp is 1, but there is no tag FEN; expected both"),
        ('[SetUp "1"] *', 1, 9, "SetUp is 1, but there is no tag FEN"),
        ('[Result "3-0"]', 1, 10, "the result is '3-0'; expected one of ('1-0', '0-1'"),
        ('[Result "2-0"]\n11-15 0-2', 2, 7, "the result is 0-2, but the tag Result says 1-0"),
        ('[Result "1-0"]\n11-15 0-1', 2, 7, "the result is 0-1, but the tag Result says 1-0"),
        ('[FEN "B:W:B1"]\n1-5', 2, 1, "'1-5' is not legal here; legal are none: the game is over"),
        ('[FEN "B:W7,8,15,16:B3"]\n3x19', 2, 1, "'3x19' is ambiguous; expected one of 3x1"),
    ],
)  # fmt: skip
def test_what_is_refused_and_where(text, line, column, says):
    with pytest.raises(PdnError) as caught:
        read_pdn(text)
    assert says in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"line {line}, column {column}: ")
    assert len(str(caught.value)) < 1000


@pytest.mark.slow
def test_long_texts_are_read_in_one_pass():
    """None of these may take longer than it takes to look at each character a few times."""
    n = 50_000
    assert read_pdn("(" * n + ")" * n + "11-15")[0].actions == FOUR[:1]
    assert read_pdn("11-15" + "{a}" * n)[0].comments == (" ".join("a" * n),)
    assert len(read_pdn("".join(f'[T{i} "{i}"]' for i in range(n // 4)))[0].tags) == n // 4
    assert read_pdn(" " * n + "\n" * n + "%\n" * n + "$1" * n + ";" * n) == []


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"tags": (("Result", "1-0"),)}, "the tag Result is written from the game's own fields"),
        ({"tags": (("a b", "1"),)}, "'a b' is no name of a tag; expected letters"),
        ({"tags": (("a", "1\n2"),)}, r"the tag a is '1\\n2'; expected a value on one line"),
        ({"tags": (("a", "1"), ("a", "2"))}, "tags are given twice: a; expected each once"),
        ({"result": "2-0"}, "the result is '2-0'; expected one of"),
        ({"comments": ("one",)}, "there are 1 comments on 4 moves; expected one for each, or none"),
    ],
)
def test_a_game_that_pdn_cannot_hold_is_refused(fields, says):
    with pytest.raises(InvalidInput, match=says):
        PdnGame(**{"tags": (), "start": START, "actions": FOUR, **fields})


def test_what_is_no_text_is_refused():
    for read in (read_pdn, lambda text: move_from_text(START, text)):
        with pytest.raises(InvalidInput, match="expected a text"):
            read(b"1. 11-15")


ODD_CHARACTERS = list(
    '\0\r\n\t \ud800\udfff\ufeff\u0661\xa0\x1c\x85\u2028{}()[];%$"\\*!?.,:-xXKBW0139/'
)
ODD_TOKENS = [
    "1-0", "0-1", "1/2-1/2", "*", "11-15", "23x18", "12...", "3.", "$7", "{c}", "{", "}", "(", ")",
    "()", "; c\n", "\n% c\n", '[FEN "W:W21,K30:BK1,2"]', '[FEN "B:W:B"]', '[SetUp "1"]', "[", "]",
    '[GameType "21"]', '[GameType "25"]', '[Result "1-0"]', '[Event "x"]', "\ufeff", "\r\n", "\0",
    "9" * 5000, "9" * 5000 + "-1", "(" * 3000, ")" * 3000, "1x" * 3000, "K", "-", "--", "1-32x",
]  # fmt: skip


def corpus(rng):
    """Texts that can be read, with everything PDN has in them."""
    games = [random_game(rng, START, most=12)[0] for _ in range(6)]
    games += [random_game(rng, random_position(rng), most=12)[0] for _ in range(12)]
    texts = [write_pdn(game) for game in games]
    texts += [text.replace("\n", "\r\n") for text in texts[:4]]
    texts += [text.replace(" 2. ", " (1. 9-13 {x} (22-18) 22-17) $5 ! 2.") for text in texts[:4]]
    return [*texts, texts[0] + texts[7], "\ufeff% x\n" + texts[1], state_to_fen(games[8].start)]


def mutated(text, other, rng):
    """One small change."""
    i, j = sorted(rng.integers(0, len(text) + 1, 2).tolist())
    j = min(j, i + 30)
    kind = rng.integers(7)
    if kind == 0:
        return text[:i] + text[j:]
    if kind == 1:
        return text[:j] + text[i:j] * int(rng.integers(1, 4)) + text[j:]
    if kind == 2:
        return text[:i] + other[int(rng.integers(0, len(other) + 1)) :]
    if kind == 3:
        return text[:i] + str(rng.choice(ODD_CHARACTERS)) + text[i + int(rng.integers(2)) :]
    if kind == 4:
        return text[:i] + f" {ODD_TOKENS[rng.integers(len(ODD_TOKENS))]} " + text[i:]
    if kind == 5:
        return text[:i] + chr(int(rng.integers(0x110000))) + text[i + 1 :]
    words = text.split(" ")
    a, b = rng.integers(0, len(words), 2)
    words[a], words[b] = words[b], words[a]
    return " ".join(words)


def fuzz(n, seed):
    """Read ``n`` mutated texts; whatever is not a PdnError goes through to the caller."""
    rng = np.random.default_rng(seed)
    texts, met = corpus(rng), Counter()
    for _ in range(n):
        text = texts[rng.integers(len(texts))]
        for _ in range(rng.integers(1, 4)):
            text = mutated(text, texts[rng.integers(len(texts))], rng)
        games = outcome(read_pdn, text)
        if isinstance(games, PdnError):
            met["refused"] += 1
            assert 1 <= games.line <= 1 + text.count("\n") + text.count("\r")
            assert 1 <= games.column <= len(text) + 1
            assert str(games).isprintable()
        else:
            met["read"] += 1
            assert [read_pdn(write_pdn(game)) for game in games] == [[game] for game in games]
        met["positions read"] += isinstance(outcome(state_from_fen, text), CheckersState)
        met["moves read"] += isinstance(outcome(move_from_text, START, text[:5]), int)
    return met


def outcome(read, *arguments):
    """What was read, or why it was refused."""
    try:
        return read(*arguments)
    except PdnError as error:
        return error


@pytest.mark.slow
def test_mutated_texts_are_read_or_refused_and_nothing_else():
    met = fuzz(3000, seed=7)
    assert met["read"] >= 150
    assert met["refused"] >= 300
    assert met["positions read"] >= 3


if __name__ == "__main__":
    began = time.perf_counter()
    print(fuzz(int(sys.argv[1]), seed=int(sys.argv[2])), f"{time.perf_counter() - began:.0f} s")
