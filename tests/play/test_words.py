"""A match in words: sentences about moves, and bars."""

import numpy as np
import pytest

from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.play import Move, Record, Seen
from sizeup.play.words import belief_bars, sentence

NAMES = ("ca:20", "obl:2", "ca:8@2,8")


def told(names=NAMES, types=(2, 20)):
    """A record of these players; whoever is not an agent by name is a person."""
    agents = tuple(read_agent(name) if ":" in name else None for name in names)
    teams, nothing = (0,) * len(names), ((), "", 0.0, None, {}, {})
    return Record("mine", names, teams, types, 0, "", {}, *nothing, agents=agents)


def seen_move(evidence, before, after, watcher=0, reward=0.0):
    return Move(4, 1, "W", reward, seen={watcher: Seen(1, evidence, before, after)})


@pytest.mark.parametrize(
    ("move", "types", "expected"),
    [
        (Move(1, 0, "E", 0.0), (2, 20), "player 0 (ca:20) plays E."),
        (Move(1, 0, "E", -2.0), (2, 20), "player 0 (ca:20) plays E, reward −2."),
        (Move(1, -1, "rain", 0.0), (2, 20), "chance: rain."),
        (Move(1, -1, "flood", -1.5), (2, 20), "chance: flood, reward −1.5."),
        (
            seen_move((0.0, 0.47), (0.5, 0.5), (0.99, 0.01)),
            (2, 20),
            "player 1 (obl:2) plays W: a type-2 player does this (loss 0.00), a type-20 player "
            "would not (loss 0.47); P(type 2) 50 % -> 99 %.",
        ),
        (
            seen_move((0.47, 0.1), (0.5, 0.5), (0.01, 0.99), reward=3.0),
            (2, 20),
            "player 1 (obl:2) plays W, reward 3: a type-20 player might (loss 0.10), a type-2 "
            "player would not (loss 0.47); P(type 20) 50 % -> 99 %.",
        ),
        (
            seen_move((0.3, 0.47), (0.5, 0.5), (0.85, 0.15)),
            (2, 20),
            "player 1 (obl:2) plays W: this fits a type-2 player better (loss 0.30) than a type-20 "
            "player (loss 0.47); P(type 2) 50 % -> 85 %.",
        ),
        (
            seen_move((0.001, 0.003, 0.1, 0.5), (0.25,) * 4, (0.42, 0.42, 0.16, 0.0)),
            (2, 4, 8, 20),
            "player 1 (obl:2) plays W: a type-2 or type-4 player does this (loss 0.00), a type-20 "
            "player would not (loss 0.50); P(type 20) 25 % -> 0 %.",
        ),
        (
            seen_move((0.0, 0.5), (0.999, 0.001), (1.0, 0.0)),
            (2, 20),
            "player 1 (obl:2) plays W: a type-2 player does this (loss 0.00), a type-20 player "
            "would not (loss 0.50); P(type 2) stays at 100 %.",
        ),
        (  # nothing to learn, unless older moves are forgotten
            seen_move((0.1, 0.1), (0.9, 0.1), (0.9, 0.1)),
            (2, 20),
            "player 1 (obl:2) plays W.",
        ),
        (
            seen_move((0.1, 0.1), (0.9, 0.1), (0.8, 0.2)),
            (2, 20),
            "player 1 (obl:2) plays W, which fits every type alike; P(type 20) 10 % -> 20 %.",
        ),
        (  # types of its own, one above what it can judge
            seen_move((0.0, None), (0.6, 0.4), (0.6, 0.4), watcher=2),
            (2, 8, 20),
            "player 1 (obl:2) plays W.",
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
    assert "P(type 2) 50 % -> 99 %." in sentence(fire, fire.moves[1])
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


def test_bars():
    assert belief_bars([1.0, 0.0], (2, 20), width=4, mark="#").splitlines() == [
        "type 2   #### 100 %",
        "type 20         0 %",
    ]
    assert belief_bars(np.array([1.0]), (2,)) == f"type 2  {'█' * 20} 100 %"
    for wrong in ([0.5], [[0.5, 0.5]], [0.5, 1.5], [np.nan, 1.0]):
        with pytest.raises(InvalidInput, match=r"expected a probability for each of the types"):
            belief_bars(wrong, (2, 20))
