"""One sentence for each move, which says what the numbers say and nothing else."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizeup.games import narrow_tunnel
from sizeup.games.contract import CHANCE
from sizeup.play.record import Move, Seen
from sizeup.web.sentences import plain, reason, sentence

LOOK = narrow_tunnel.LOOK
DEPTHS = (2, 4, 20)
MINUS = "\N{MINUS SIGN}"
EVEN = (0.25, 0.25, 0.5)


def said(
    evidence, before=EVEN, after=EVEN, *, types=DEPTHS, played=(), samples=0, action="W",
    reward=0.0, **more,
):  # fmt: skip
    seen = Seen(1, evidence, before, after, played, samples)
    move = Move(3, 1, action, reward, seen={0: seen})
    tell = more.pop("tell", sentence)
    return tell(LOOK, ["Your partner", "You"], move, {0: types}, teams=(0, 0), **more)


def counted(*played, samples=16, **more):
    """A move that players of each depth make in so many of their searches; None is not known."""
    known = [None if n is None else surprise((n + 0.1) / (samples + 0.5)) for n in played]
    return said(tuple(known), played=played, samples=samples, **more)


def surprise(chance):
    return -math.log(chance)


@pytest.mark.parametrize(
    ("played", "words"),
    [
        ((16, 9, 0), "A player that looks 2 ahead plays this in 16 of 16 searches, one that looks "
         "4 ahead in 9, one that looks 20 ahead in 0."),
        ((0, 3, 12), "A player that looks 20 ahead plays this in 12 of 16 searches, one that looks "
         "4 ahead in 3, one that looks 2 ahead in 0."),
        ((5.5, 0.0, 0.5), "A player that looks 2 ahead plays this in 6 of 16 searches, one that "
         "looks 20 ahead in 0, one that looks 4 ahead in 0."),
        ((1, 16, None), "A player that looks 4 ahead plays this in 16 of 16 searches and one that "
         "looks 2 ahead in 1."),
        ((16, None, None), "A player that looks 2 ahead plays this in 16 of 16 searches."),
    ],
)  # fmt: skip
def test_it_is_said_how_often_each_depth_plays_a_move(played, words):
    assert counted(*played).startswith(f"You move west. {words} Your partner is still 50 % sure")


@pytest.mark.parametrize("played", [(8, 8, 8), (16, 16, 15), (0, 0, 0), (4, 4, None)])
def test_a_move_that_every_depth_plays_as_often_tells_nothing(played):
    nothing = "Players of every depth play this about as often, so it tells nothing."
    assert (
        counted(*played) == f"You move west. {nothing} Your partner is still 50 % sure of depth 20."
    )


def test_a_move_that_nobody_makes_and_that_tells_of_none_of_them_is_no_move_that_tells_nothing():
    fewer = {"before": EVEN, "after": (0.2, 0.2, 0.4)}
    nobody = "You move west. Players of no depth play this in any of 16 searches. "
    assert counted(0, 0, 0, **fewer).startswith(nobody)
    nobody = "You move west. Almost no players do that, however far they look ahead. "
    assert counted(0, 0, 0, tell=plain, **fewer).startswith(nobody)
    assert counted(1, 0, 0, samples=64, tell=plain, **fewer).startswith(nobody)
    assert "however far" not in counted(4, 0, 0, tell=plain, **fewer)
    assert "tells nothing" in counted(0, 0, 0, tell=plain)


def heard(text):
    """In how many searches a sentence says that each depth plays the move."""
    found = re.findall(r"(?:player|one) that looks (\d+) ahead (?:plays this )?in (\d+)", text)
    return {int(depth): int(count) for depth, count in found}


counts = st.integers(0, 16)


@given(st.tuples(counts, counts, counts))
def test_nothing_is_said_but_the_counts_and_the_likeliest_comes_first(played):
    text = counted(*played)
    if "tells nothing" in text:
        assert heard(text) == {}
        assert math.log((max(played) + 0.1) / (min(played) + 0.1)) < 0.2
    else:
        assert heard(text) == dict(zip(DEPTHS, played, strict=True))
        assert list(heard(text).values()) == sorted(played, reverse=True)


def test_a_rule_without_counts_says_which_depth_it_fits_best():
    """The published rule knows losses, a record from elsewhere anything."""
    for more in ({}, {"samples": 16}, {"samples": 16, "played": (3,)}):
        text = said((0.5, 0.0, 0.4), **more)
        assert text.startswith(
            "You move west. It fits players that look 4 ahead best. Your partner"
        )
    assert "so it tells nothing. " in said((0.001, 0.0, 0.001))


@pytest.mark.parametrize(
    ("after", "words"),
    [
        ((0.0, 0.005, 0.005), "is now 99 % sure that this is none of the depths it considers."),
        ((0.2, 0.1, 0.15), "is now 55 % sure that this is none of the depths it considers."),
        ((0.3, 0.15, 0.15), "now finds depth 2 most likely, at 30 % (25 % before)."),
    ],
)
def test_none_of_the_depths_is_said_where_it_is_likelier_than_not(after, words):
    assert counted(0, 1, 0, after=after).endswith(f"Your partner {words}")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ((0.5, 0.25, 0.25), (0.99, 0.0, 0.01), "is now 99 % sure of depth 2 (50 % before)."),
        (EVEN, EVEN, "is still 50 % sure of depth 20."),
        (EVEN, (0.0, 0.0005, 0.9995), "is now >99 % sure of depth 20 (50 % before)."),
        ((0.002, 0.498, 0.5), (0.6, 0.2, 0.2), "now 60 % sure of depth 2 (<1 % before)."),
        (EVEN, (0.4, 0.3, 0.3), "now finds depth 2 most likely, at 40 % (25 % before)."),
        ((0.4, 0.5, 0.1), (0.4, 0.25, 0.35), "now finds depth 2 most likely, at 40 %."),
        ((0.4, 0.3, 0.3), (0.4, 0.35, 0.25), "still finds depth 2 most likely, at 40 %."),
        ((1 / 3,) * 3, (1 / 3,) * 3, "still finds all depths equally likely."),
        (EVEN, (1 / 3,) * 3, "now finds all depths equally likely."),
        (EVEN, (0.4, 0.4, 0.2), "now finds depths 2 and 4 most likely, at 40 % each."),
    ],
)
def test_beliefs_are_told_of_the_likeliest_depth(before, after, words):
    assert counted(4, 4, 4, before=before, after=after).endswith(f" {words}")


def test_beliefs_with_an_entry_for_none_of_these_are_even_all_the_same():
    text = counted(4, 4, 4, before=(0.33,) * 3, after=(0.33,) * 3)
    assert text.endswith("Your partner still finds all depths equally likely.")


def test_whoever_believes_is_named():
    told = counted(16, 0, 0, after=(0.98, 0.01, 0.01), observer=0)
    assert told.endswith(". A silent observer is now 98 % sure of depth 2 (25 % before).")
    untold = said((None,) * 3, after=(0.5, 0.25, 0.25))
    assert untold == "You move west. Your partner is now 50 % sure of depth 2 (25 % before)."


def test_who_knows_one_depth_is_sure_of_nothing():
    known = {"before": (0.99,), "after": (0.99,), "types": (2,)}
    assert counted(3, **known) == (
        "You move west. A player that looks 2 ahead plays this in 3 of 16 searches. "
        "Your partner considers no other depth."
    )
    strange = counted(0, **{**known, "after": (0.3,)})
    assert strange.endswith("is now 70 % sure that this is none of the depths it considers.")


def test_to_stay_is_said_and_points_have_a_true_minus():
    start = f"You stay, the only legal move, {MINUS}2 points. Players of every depth"
    assert counted(4, 4, 4, action=".", reward=-2.0, forced=True).startswith(start)
    stays = sentence(LOOK, ["Your partner", "You"], Move(1, 0, ".", 1.0), {}, teams=(0, 0))
    assert stays == "Your partner stays, 1 point."


def test_a_silent_observer_is_not_the_player_in_another_seat():
    assert ". Your partner is still" in counted(16, 0, 0, observer=2)


def test_the_deepest_who_watched_is_told_and_never_the_mover():
    """Of equals, whoever learnt most from it."""
    still, moved = ((0.5, 0.5),) * 2, ((0.5, 0.5), (0.1, 0.9))
    seen = {
        0: Seen(1, (0.0, 3.0), *still, (4, 0), 4),
        1: Seen(1, (0.0, 3.0), *moved, (2, 0), 4),
        2: Seen(1, (0.0, 3.0), *moved, (3, 1), 4),
    }
    move = Move(3, 1, "W", 0.0, seen=seen)

    def told(types):
        return sentence(LOOK, ["Zero", "One", "Two"], move, types, teams=(0, 0, 0))

    assert "plays this in 3 of 4 searches and" in told({0: (2, 4), 1: (2, 20), 2: (2, 4)})
    assert "Two is now 90 % sure of depth 4" in told({0: (2, 4), 1: (2, 20), 2: (2, 4)})
    assert "Zero still finds all depths" in told({0: (2, 6), 1: (2, 20), 2: (2, 4)})


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


@pytest.mark.parametrize(
    ("played", "words"),
    [
        ((16, 9, 0), "Nearly all players who look 2 ahead do that, about half who look 4 ahead, "
         "almost none who look 20 ahead."),
        ((0, 0, 12), "Most players who look 20 ahead do that, almost none who look 2 or 4 ahead."),
        ((5, 1, 1), "Some players who look 2 ahead do that, few who look 4 or 20 ahead."),
        ((5, 3, 5), "Players who look 2 ahead do that most often."),
        ((8, 8, 8), "Players of every depth do that about as often, so it tells nothing."),
        ((16, None, None), "Nearly all players who look 2 ahead do that."),
    ],
)  # fmt: skip
def test_a_plain_sentence_says_who_plays_like_that(played, words):
    text = counted(*played, tell=plain)
    assert text.startswith(f"You move west. {words} Your partner is still inclined to think")


def test_a_plain_sentence_without_counts_says_whom_it_is_like():
    text = said((0.5, 0.0, 0.4), tell=plain)
    assert "That is most like players who look 4 ahead." in text
    assert said((None,) * 3, tell=plain).startswith("You move west. Your partner is still")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (EVEN, (0.97, 0.02, 0.01), "is now almost certain that you look 2 ahead."),
        (EVEN, (0.1, 0.8, 0.1), "is now fairly sure that you look 4 ahead."),
        (EVEN, (0.1, 0.3, 0.6), "is still inclined to think that you look 20 ahead."),
        (EVEN, (0.4, 0.3, 0.3), "cannot tell yet how far you look ahead."),
        (EVEN, (0.01, 0.01, 0.0), "is now almost certain that you play like none of the depths it "
         "considers."),
    ],
)  # fmt: skip
def test_a_plain_sentence_says_how_sure_somebody_is(before, after, words):
    text = counted(16, 0, 0, before=before, after=after, tell=plain)
    assert text.endswith(f"Your partner {words}")
    assert counted(16, 0, 0, after=after, before=before, tell=plain, observer=0).endswith(
        f"A silent observer {words}"
    )


def test_a_plain_sentence_has_no_numbers_but_depths_and_points():
    for text in (counted(9, 4, 0, tell=plain), counted(2, 2, 3, tell=plain, samples=4)):
        assert set(map(int, re.findall(r"\d+", text))) <= set(DEPTHS)
    assert "Almost no players who look 2 ahead do that." in counted(0, types=(2,), tell=plain)
    assert counted(3, before=(0.99,), after=(0.99,), types=(2,), tell=plain) == (
        "You move west. Some players who look 2 ahead do that."
    )


def test_a_plain_sentence_of_a_forced_move_is_short():
    text = counted(4, 4, 4, action=".", reward=-2.0, forced=True, tell=plain)
    assert text == f"You stay, the only legal move, {MINUS}2 points."
    rain = Move(1, CHANCE, "rain", 1.0)
    assert plain(LOOK, ["One"], rain, {}, teams=(0,)) == "Chance decides: rain, 1 point."


@pytest.mark.parametrize(
    ("visits", "values", "words"),
    [
        ([9, 1, 5], [12.5, 3.0, 1.0], " It expects more from that than from its next choice, to "
         "stay."),
        ([9, 5, 1], [1.0, 1.001, 0.0], " To move north looked just as good."),
        ([9, 5, 1], [0.0, 2.0, 0.0], " It considered that most, though to move north looked a "
         "little better in the end."),
        ([97, 2, 1], [8.0, 686.66, 0.0], " It hardly considered anything else."),
        ([9, 0, 0], [-3.0, None, None], ""),
    ],
)  # fmt: skip
def test_a_plain_reason_leaves_the_numbers_out(visits, values, words):
    move = Move(1, 0, "E", 0.0, search=searched([[0, 0, 9], visits], [[7.0] * 3, values]))
    text = plain(LOOK, ["Your partner", "You"], move, {}, teams=(0, 0))
    assert text == f"Your partner moves east.{words}"
    noted = Move(1, 0, "E", 0.0, note="The coins are there.")
    text = plain(LOOK, ["Your partner", "You"], noted, {}, teams=(0, 0))
    assert text == "Your partner moves east: The coins are there."
