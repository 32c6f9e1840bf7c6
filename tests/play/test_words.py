"""A match in words: sentences about moves, and bars."""

import math

import numpy as np
import pytest

from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.play import Move, Record, Seen
from sizeup.play.verdict import Verdict
from sizeup.play.words import belief_bars, how_often, sentence, told_apart

NAMES = ("ca:20", "obl:2", "ca:8@2,8")


def told(names=NAMES, types=(2, 20)):
    """A record of these players; whoever is not an agent by name is a person."""
    agents = tuple(read_agent(name) if ":" in name else None for name in names)
    teams, nothing = (0,) * len(names), ((), "", 0.0, None, {}, {})
    return Record("mine", names, teams, types, 0, "", {}, *nothing, agents=agents)


def seen_move(evidence, before, after, watcher=0, reward=0.0, counted=()):
    return Move(4, 1, "W", reward, seen={watcher: Seen(1, evidence, before, after, *counted)})


@pytest.mark.parametrize(
    ("move", "types", "expected"),
    [
        (Move(1, 0, "E", 0.0), (2, 20), "player 0 (ca:20) plays E."),
        (Move(1, 0, "E", -2.0), (2, 20), "player 0 (ca:20) plays E, reward −2."),
        (Move(1, -1, "rain", 0.0), (2, 20), "chance: rain."),
        (Move(1, -1, "flood", -1.5), (2, 20), "chance: flood, reward −1.5."),
        (  # counted in searches
            seen_move((0.1, 3.2), (0.5, 0.5), (0.96, 0.04), counted=((15, 0), 16)),
            (2, 20),
            "player 1 (obl:2) plays W: a type-2 player plays this in 15 of 16 searches, a type-20 "
            "player in 0; P(type 2) 50 % -> 96 %.",
        ),
        (
            seen_move((2.1, 0.3), (0.5, 0.4), (0.2, 0.75), reward=3.0, counted=((1, 6), 8)),
            (2, 20),
            "player 1 (obl:2) plays W, reward 3: a type-20 player plays this in 6 of 8 searches, "
            "a type-2 player in 1; P(type 20) 40 % -> 75 %.",
        ),
        (  # of several types the likeliest and the unlikeliest are told about
            seen_move(
                (0.3, 0.2, 1.0, 3.0), (0.25,) * 4, (0.4, 0.4, 0.2, 0.0), counted=((6, 7, 3, 0), 8)
            ),
            (2, 4, 8, 20),
            "player 1 (obl:2) plays W: a type-4 player plays this in 7 of 8 searches, a type-20 "
            "player in 0; P(type 20) 25 % -> 0 %.",
        ),
        (
            seen_move((0.1, 3.2), (0.999, 0.001), (1.0, 0.0), counted=((15, 0), 16)),
            (2, 20),
            "player 1 (obl:2) plays W: a type-2 player plays this in 15 of 16 searches, a type-20 "
            "player in 0; P(type 2) stays at 100 %.",
        ),
        (  # 8 to 9 of 16 is about as often
            seen_move((0.7, 0.6), (0.9, 0.1), (0.9, 0.1), counted=((8, 9), 16)),
            (2, 20),
            "player 1 (obl:2) plays W: it tells nothing: players of every type play this about as "
            "often (in 8 to 9 of 16 searches).",
        ),
        (  # nothing to learn about which type, but it is unlike all of them
            seen_move((3.5, 3.5), (0.495, 0.495), (0.3, 0.3), counted=((0, 0), 16)),
            (2, 20),
            "player 1 (obl:2) plays W: no type of player plays this in even 1 of 16 searches; "
            "P(type 2) 50 % -> 30 %.",
        ),
        (  # losses, by the paper's rule
            seen_move((0.0, 0.47), (0.5, 0.5), (0.99, 0.01)),
            (2, 20),
            "player 1 (obl:2) plays W: it fits a type-2 player (loss 0) better than a type-20 one "
            "(loss 0.47); P(type 2) 50 % -> 99 %.",
        ),
        (  # which are read at a low temperature: a small difference tells a lot
            seen_move((0.3, 0.47), (0.5, 0.5), (0.85, 0.15)),
            (2, 20),
            "player 1 (obl:2) plays W: it fits a type-2 player (loss 0.3) better than a type-20 "
            "one (loss 0.47); P(type 2) 50 % -> 85 %.",
        ),
        (
            seen_move((0.1, 0.11), (0.9, 0.1), (0.9, 0.1)),
            (2, 20),
            "player 1 (obl:2) plays W: it tells nothing: it fits players of every type alike.",
        ),
        (  # nothing new, but older moves are forgotten
            seen_move((0.1, 0.1), (0.9, 0.1), (0.8, 0.2)),
            (2, 20),
            "player 1 (obl:2) plays W: it tells nothing: it fits players of every type alike; "
            "P(type 20) 10 % -> 20 %.",
        ),
        (  # types of its own, one above what it can judge: there is nothing to tell it from
            seen_move((0.0, None), (0.6, 0.4), (0.6, 0.4), watcher=2),
            (2, 8, 20),
            "player 1 (obl:2) plays W.",
        ),
        (
            seen_move((2.0, None), (0.99, 0.0), (0.8, 0.0), watcher=2, counted=((1, None), 8)),
            (2, 8, 20),
            "player 1 (obl:2) plays W; P(type 2) 99 % -> 80 %.",
        ),
        (
            Move(1, 0, "E", 1.0, note="it\nhurts"),
            (2, 20),
            "player 0 (ca:20) plays E, reward 1 (it hurts).",
        ),
        (  # an agent of one's own need not say why
            seen_move((None, None), (0.5, 0.5), (0.9, 0.1)),
            (2, 20),
            "player 1 (obl:2) plays W; P(type 2) 50 % -> 90 %.",
        ),
        (seen_move((None, None), (0.5, 0.5), (0.5, 0.5)), (2, 20), "player 1 (obl:2) plays W."),
        (  # what it makes of its own move is nobody's business
            Move(1, 0, "E", 0.0, seen={0: Seen(0, (0.0, 0.5), (0.5, 0.5), (0.9, 0.1))}),
            (2, 20),
            "player 0 (ca:20) plays E.",
        ),
    ],
)
def test_sentences(move, types, expected):
    assert sentence(told(types=types), move) == expected


def test_of_several_watchers_the_strongest_is_told_about():
    strong = Seen(1, (0.0, 0.5), (0.5, 0.5), (0.9, 0.1))
    weak = Seen(1, (0.0, 0.5), (0.5, 0.5), (1.0, 0.0))
    move = Move(4, 1, "W", 0.0, seen={2: weak, 0: strong})
    assert sentence(told(), move).endswith("; player 0's P(type 2) 50 % -> 90 %.")
    names = ("ca:20", "obl:2", "ca:20@2,20")
    move = Move(4, 1, "W", 0.0, seen={0: strong, 2: weak})
    assert sentence(told(names), move).endswith("; player 2's P(type 2) 50 % -> 100 %.")


def test_a_watcher_of_any_name_is_told_about():
    move = seen_move((0.0, 0.5), (0.5, 0.5), (0.9, 0.1))
    assert sentence(told(("Ada", "obl:2")), move).endswith("; P(type 2) 50 % -> 90 %.")


def test_sentences_of_a_record(fire, draughts):
    assert sentence(fire, fire.moves[0]) == "player 0 (ca:20) plays E, reward −2."
    seen = fire.moves[1].seen[0]
    assert sentence(fire, fire.moves[1]) == (
        f"player 1 (obl:2) plays W: a type-2 player plays this in {seen.played[0]:.0f} of "
        f"{seen.samples} searches, a type-20 player in {seen.played[1]:.0f}; "
        f"P(type 2) 50 % -> {100 * seen.after[0]:.0f} %."
    )
    against = next(move for move in draughts.moves if move.reward < 0)
    assert sentence(draughts, against).endswith(f"{against.action}, reward 1 to team 1.")


def test_a_sentence_is_one_line_whatever_the_names():
    move = Move(1, 0, "a\x1b[2J\nb", 0.0)
    assert sentence(told(["x\x1b[31m\n(y)"]), move) == "player 0 (x[31m (y)) plays a[2J b."


def test_numbers_must_fit_the_types():
    with pytest.raises(
        InvalidInput, match=r"player 0 considers the types \(2, 4, 20\); expected a"
    ):
        sentence(told(types=(2, 4)), seen_move((0.0, 0.5), (0.5, 0.5), (0.9, 0.1)))
    short = seen_move((0.0, 2.5), (0.5, 0.5), (0.9, 0.1), counted=((4,), 4))
    with pytest.raises(InvalidInput, match=r"expected a number for each, got .* counts \(4,\)"):
        sentence(told(), short)


@pytest.mark.parametrize(
    ("evidence", "samples", "apart"),
    [
        ((0.7, 0.7), 8, False),
        ((0.7, 0.85), 8, False),
        ((0.7, 0.95), 8, True),
        ((0.7, 0.7, 0.95), 8, True),
        ((0.7, 0.85), 0, True),  # losses
        ((0.7, 0.71), 0, False),
        ((0.7, None), 8, False),  # one type alone
        ((0.7, math.nan), 8, False),
        ((), 8, False),
        ((0.7, math.inf), 8, True),
        ((math.inf, math.inf), 8, False),
    ],
)
def test_whether_a_move_tells_types_apart(evidence, samples, apart):
    assert told_apart(evidence, samples) == apart


def test_how_often_types_play_a_move():
    assert how_often((2, 6, 8), (2.1, 0.3, None), (1, 12, None), 16) == (
        "a type-6 player plays this in 12 of 16 searches, a type-2 player in 1"
    )
    assert how_often((2, 6, 8), (0.5, 0.45, math.nan), (9, 10, None), 16) == (
        "it tells nothing: players of every type play this about as often (in 9 to 10 of 16 "
        "searches)"
    )
    assert how_often((2, 6), (math.inf, 0.0)) == (
        "it fits a type-6 player (loss 0) better than a type-2 one (loss inf)"
    )
    assert how_often((2, 6), (0.2, 0.2)) == "it tells nothing: it fits players of every type alike"


# -- verdicts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("odds", "said", "type_", "is_none", "credible"),
    [
        ((0.9, 0.05, 0.05), "type 2 (90 %)", 2, False, (2,)),
        ((0.0, 0.0, 1.0), "type 8 (>99 %)", 8, False, (8,)),
        ((0.04, 0.89, 0.07), "cannot tell (4 or 8)", None, False, (4, 8)),
        ((1 / 3,) * 3, "cannot tell (2, 4 or 8)", None, False, (2, 4, 8)),
        ((0.5, 0.1, 0.4), "cannot tell (2 or 8)", None, False, (2, 8)),
        ((0.05, 0.0, 0.0), "none of these (95 %)", None, True, (2,)),
        ((0.0, 0.001, 0.0), "none of these (>99 %)", None, True, (4,)),
        # neither is likely enough, though the likeliest type is all but sure if it is one of them
        ((0.0, 0.5, 0.001), "cannot tell (4 or none of these)", None, False, (4,)),
        ((0.5, 0.44, 0.0), "cannot tell (2 or 4)", None, False, (2, 4)),
        ((0.0, 0.0, 0.0), "none of these (>99 %)", None, True, (2,)),
    ],
)
def test_verdicts(odds, said, type_, is_none, credible):
    verdict = Verdict((2, 4, 8), odds)
    assert (str(verdict), verdict.type, verdict.is_none) == (said, type_, is_none)
    assert verdict.credible == credible
    assert verdict.likeliest == (2, 4, 8)[int(np.argmax(odds))]
    assert verdict.none == pytest.approx(1 - sum(odds), abs=1e-9)


def test_how_sure_a_verdict_must_be():
    odds = (0.6, 0.3, 0.1)
    assert Verdict((2, 4, 8), odds).type is None
    assert Verdict((2, 4, 8), odds, confidence=0.6).type == 2
    assert Verdict((2, 4, 8), odds, confidence=0.6).credible == (2,)
    assert Verdict((2, 4, 8), odds, confidence=0.95).credible == (2, 4, 8)
    assert Verdict((2,), (0.3,), confidence=0.7).is_none
    assert not Verdict((2,), (0.3,), confidence=0.75).is_none


def test_rounding_is_no_sign_of_anybody_else():
    assert Verdict((1, 2, 3), (0.1 + 0.2, 0.3, 0.4 - 1e-12)).none == 0.0
    assert Verdict((1, 2), (0.7, 0.3 + 1e-12)).none == 0.0


def test_a_verdict_has_a_probability_for_each_type():
    with pytest.raises(InvalidInput, match=r"for each of the types \(2, 4\), got \(0\.5,\)"):
        Verdict((2, 4), [0.5])


def test_bars():
    assert belief_bars([1.0, 0.0], (2, 20), width=4, mark="#").splitlines() == [
        "type 2   #### 100 %",
        "type 20         0 %",
    ]
    assert belief_bars([0.25, 0.5], (2, 20), width=4, mark="#").splitlines() == [
        "type 2   #     25 %",
        "type 20  ##    50 %",
        "none     #     25 %",
    ]
    assert "none" not in belief_bars([0.5, 0.496], (2, 20))  # it would be 0 %
    assert belief_bars(np.array([1.0]), (2,)) == f"type 2  {'█' * 20} 100 %"
    for wrong in ([0.5], [[0.5, 0.5]], [0.5, 1.5], [np.nan, 1.0]):
        with pytest.raises(InvalidInput, match=r"expected a probability for each of the types"):
            belief_bars(wrong, (2, 20))
