"""One sentence for each move, which says what the numbers say and nothing else."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizeup.games import narrow_tunnel
from sizeup.games.contract import CHANCE
from sizeup.play.record import Move, Seen
from sizeup.web.sentences import reason, sentence

LOOK = narrow_tunnel.LOOK
DEPTHS = (2, 4, 20)
MINUS = "\N{MINUS SIGN}"
EVEN = (0.25, 0.25, 0.5)


def said(evidence, before=EVEN, after=EVEN, *, types=DEPTHS, action="W", reward=0.0, **more):
    move = Move(3, 1, action, reward, seen={0: Seen(1, evidence, before, after)})
    return sentence(LOOK, ["Your partner", "You"], move, {0: types}, teams=(0, 0), **more)


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ((0.0, 0.1, 0.5), "depth 2 would play this, depth 4 might, depth 20 would not."),
        ((0.0, 0.04, 0.5), "depths 2 and 4 would play this, depth 20 would not."),
        ((0.1, 0.1, 0.5), "depths 2 and 4 might play this, depth 20 would not."),
        ((0.3, 0.4, 0.5), "no depth it considers would play this; depth 2 comes closest."),
        ((0.4, 0.4, 0.5), "no depth it considers would play this; depths 2 and 4 come closest."),
        ((0.5, 0.5, 0.5), "no depth it considers would play this. "),
        ((math.inf,) * 3, "no depth it considers would play this. "),
        ((0.1, 0.1, 0.1), "every depth it considers might play this. "),
        (
            (0.04, 0.0, 0.0),
            "every depth it considers would play this; it fits depths 4 and 20 best.",
        ),
        ((0.0, 0.3, None), "depth 2 would play this, depth 4 would not."),
        ((0.0, 0.0, None), "every depth it can search would play this. "),
        ((0.4, 0.4, None), "no depth it can search would play this. "),
    ],
)
def test_every_depth_is_said_to_play_what_its_loss_allows(evidence, words):
    assert f"You move west. Your partner searched: {words}" in said(evidence)


def heard(text):
    """Which depths a sentence says play the move, might, and would not."""
    clause = re.search(r"searched: (.*?)(?:; .* closest|; it fits .* best)?\. It ", text)[1]
    if clause.startswith("no depth"):
        return {"would not": None}
    if clause.startswith("every depth"):
        return {"might" if "might" in clause else "plays": None}
    parts = re.split(r", (?=depth)", clause)
    verbs = {"might": "might", "would not": "would not", "would play": "plays"}
    return {
        next(verbs[word] for word in verbs if word in part): [*map(int, re.findall(r"\d+", part))]
        for part in parts
    }


def plain(loss):
    return "plays" if round(loss, 2) < 0.05 else "might" if round(loss, 2) < 0.2 else "would not"


losses = st.one_of(
    st.floats(0, 0.5), st.sampled_from([0.0, 0.0449, 0.045, 0.0499, 0.05, 0.1949, 0.2, 0.5])
)


@given(st.tuples(losses, losses, losses))
def test_no_depth_is_said_to_play_what_it_would_not(evidence):
    wanted = {}
    for depth, loss in zip(DEPTHS, evidence, strict=True):
        wanted.setdefault(plain(loss), []).append(depth)
    found = heard(said(evidence))
    assert set(found) == set(wanted)
    for verb, depths in found.items():
        assert (list(DEPTHS) if depths is None else depths) == wanted[verb]


@given(losses, losses)
def test_numbers_that_a_table_shows_alike_have_the_same_verb(one, other):
    if f"{one:.2f}" == f"{other:.2f}":
        assert len(heard(said((one, other, 0.9)))) == len({plain(one), "would not"})


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ((0.5, 0.25, 0.25), (0.99, 0.0, 0.01), "It is now 99 % sure of depth 2 (50 % before)."),
        (EVEN, EVEN, "It is still 50 % sure of depth 20."),
        (EVEN, (0.0, 0.0005, 0.9995), "It is now >99 % sure of depth 20 (50 % before)."),
        ((0.002, 0.498, 0.5), (0.6, 0.2, 0.2), "now 60 % sure of depth 2 (<1 % before)."),
        (EVEN, (0.4, 0.3, 0.3), "It now finds depth 2 most likely, at 40 % (25 % before)."),
        ((0.4, 0.5, 0.1), (0.4, 0.25, 0.35), "It now finds depth 2 most likely, at 40 %."),
        ((0.4, 0.3, 0.3), (0.4, 0.35, 0.25), "It still finds depth 2 most likely, at 40 %."),
        ((1 / 3,) * 3, (1 / 3,) * 3, "It still finds all depths equally likely."),
        (EVEN, (1 / 3,) * 3, "It now finds all depths equally likely."),
        (EVEN, (0.4, 0.4, 0.2), "It now finds depths 2 and 4 most likely, at 40 % each."),
    ],
)
def test_beliefs_are_told_of_the_likeliest_depth(before, after, words):
    assert said((0.0,) * 3, before, after).endswith(words)


def test_whoever_believes_is_named():
    assert "west. A silent observer searched: " in said((0.0,) * 3, observer=0)
    untold = said((None,) * 3, after=(0.5, 0.25, 0.25))
    assert untold == "You move west. Your partner is now 50 % sure of depth 2 (25 % before)."


def test_who_knows_one_depth_is_sure_of_nothing():
    text = said((0.3,), (1.0,), (1.0,), types=(2,))
    assert text == (
        "You move west. Your partner searched: depth 2 would not play this. "
        "It considers no other depth."
    )


def test_to_stay_is_said_and_points_have_a_true_minus():
    start = f"You stay, the only legal move, {MINUS}2 points. Your partner searched: "
    assert said((0.0,) * 3, action=".", reward=-2.0, forced=True).startswith(start)
    stays = sentence(LOOK, ["Your partner", "You"], Move(1, 0, ".", 1.0), {}, teams=(0, 0))
    assert stays == "Your partner stays, 1 point."


def test_a_silent_observer_is_not_the_player_in_another_seat():
    assert "Your partner searched: " in said((0.0,) * 3, observer=2)


def test_agents_of_one_s_own_may_say_why():
    move = Move(1, 0, "E", 0.0, note="The coins\nare there.")
    text = sentence(LOOK, ["Your partner", "You"], move, {}, teams=(0, 0))
    assert text == "Your partner moves east: The coins are there."


def test_sentences_of_two_teams_say_who_gains():
    called = ["Your opponent", "You"]
    for player, reward, words in (
        (0, 1.0, "Your opponent plays a and gains 1 point."),
        (1, -1.0, "You play a and gain 1 point."),
        (0, -2.0, "Your opponent plays a and loses 2 points."),
    ):
        assert sentence(LOOK, called, Move(1, player, "a", reward), {}, teams=(0, 1)) == words
    forced = sentence(LOOK, called, Move(1, 1, "a", -1.0), {}, teams=(0, 1), forced=True)
    assert forced == "You play a, the only legal move, and gain 1 point."
    rain = Move(1, CHANCE, "rain", 1.0)
    assert sentence(LOOK, called, rain, {}, teams=(0, 0)) == "Chance decides: rain, 1 point."


def searched(visits, values, actions=("E", "N", "."), **more):
    return {"types": [2, 4], "actions": list(actions), "visits": visits, "values": values, **more}


@pytest.mark.parametrize(
    ("visits", "values", "words"),
    [
        ([9, 1, 5], [12.5, 3.0, 1.0], "expects 12.5 points from this, and 1 from its next choice"),
        ([9, 5, 1], [1.0, 1.001, 0.0], "expects 1 point from this, and as much from its next"),
        ([9, 5, 1], [0.0, 2.0, 0.0], "tried this most, though it expects 0 points from it, and 2"),
        ([97, 2, 1], [8.0, 686.66, 0.0], "expects 8 points from this, and hardly tried anything"),
        ([9, 0, 0], [-3.0, None, None], f"expects {MINUS}3 points from this"),
    ],
)  # fmt: skip
def test_an_agent_s_own_move_has_a_reason_from_its_own_search(visits, values, words):
    weaker = [0, 0, 9], [7.0, 7.0, 7.0]  # what a lesser depth would have found is not the reason
    search = searched([weaker[0], visits], [weaker[1], values])
    move = Move(1, 0, "E", -2.0, search=search)
    text = sentence(LOOK, ["Your partner", "You"], move, {}, teams=(0, 0))
    start = f"Your partner moves east, {MINUS}2 points: looking 4 moves ahead, it "
    assert text.startswith(start + words)


@pytest.mark.parametrize(
    "search",
    [
        None, {}, searched([], []), searched([[1, 2]], [[1, 2, 3]]), searched([["x"]], [[1]]),
        searched(3, 4), searched([[]], [[]], actions=()),
        searched([[1, 9, 1]], [[1.0, 2.0, 3.0]]),  # another move was the search's own
        searched([[9, 1, 1]], [[float("inf"), 1.0, 1.0]]),
        searched([[9, 1]], [[1.0, 1.0]], actions=("N", "S")),
        searched([[9, 1, 1]], [[1.0, 1.0, 1.0]], types=[]),
    ],
)  # fmt: skip
def test_a_search_that_does_not_explain_the_move_says_nothing(search):
    assert reason(LOOK, Move(1, 0, "E", 0.0, search=search)) == ""


def test_a_move_with_no_other_in_its_search_is_not_compared():
    search = searched([[9]], [[2.0]], actions=("E",), types=[1])
    text = reason(LOOK, Move(1, 0, "E", 0.0, search=search))
    assert text == ": looking 1 move ahead, it expects 2 points from this"
