"""After the end the moves of people are looked at again, longer, while nobody waits."""

import asyncio
import time

import numpy as np
import pytest

from sizeup.capability import Sampled
from sizeup.play.infer import Sizing
from sizeup.web.closer import RULE, CloserLook
from sizeup.web.game import LiveGame
from sizeup.web.hub import ThreadPools
from sizeup.web.messages import PlaySetup, WatchSetup
from tests.web.clients import OURS, choice_by_ply, setup

pytestmark = pytest.mark.slow


def _stopped(**changes):
    """A game of connect four that somebody has made three moves in, and its record."""
    game = LiveGame(PlaySetup(**setup(partner_depth=4, **changes)), OURS)
    made = 0
    while made < 3:
        own = game.actor == game.seat
        game.step(choice_by_ply(game.story.states[-1]) if own else None)
        made += own
    game.match.stop()
    return game, game.match.record()


def test_it_takes_more_searches_than_there_was_time_for():
    game, record = _stopped(seed=3)
    quick = Sizing([record], (2, 4), players=[f"seat {game.seat}"])
    longer = Sizing([record], (2, 4), rule=RULE, players=[f"seat {game.seat}"])
    for sizing in (quick, longer):
        while sizing.step():
            pass
    samples = [
        [step.samples for step in sizing.inference().players[0].steps] for sizing in (quick, longer)
    ]
    assert np.sum(samples[1]) > 2 * np.sum(samples[0])
    assert np.max(samples[0]) <= max(Sampled().looks)


def test_a_closer_look_is_at_people_and_at_what_their_partner_considers():
    game, record = _stopped(seed=4)
    look = CloserLook(game, record)
    while look.step():
        pass
    ((seat, odds),) = look.odds().items()
    assert seat == game.seat
    assert len(odds) == 2
    assert 0.0 < sum(odds) <= 1.0 + 1e-9  # what they lack is for none of these depths


def test_there_is_nothing_to_look_at_where_agents_play_or_one_depth_is_considered():
    watched = LiveGame(
        WatchSetup(mode="watch", game="connect-four", teams=["random", "random"], seed=1), OURS
    )
    unmoved = LiveGame(PlaySetup(**setup(partner_depth=4)), OURS)
    equals = LiveGame(PlaySetup(**setup("narrow-tunnel", partner="obl", partner_depth=2)), OURS)
    for game in (watched, unmoved, equals):
        game.match.stop()
        assert not CloserLook(game, game.match.record())


def test_the_page_is_told_twice(talk):
    game = talk.begin(setup(partner_depth=4, seed=3))
    state = talk.my_turn()
    talk.move(state, choice_by_ply(state))
    talk.send(type="stop", game_id=game["game_id"])
    ended = talk.until("ended")
    assert ended["looking"]
    assert not ended["card"]["closer"]
    judged = talk.until("judged")
    assert judged["game_id"] == game["game_id"]
    assert judged["card"]["closer"]
    assert judged["card"]["types"] == ended["card"]["types"]
    assert judged["card"]["informative"] == ended["card"]["informative"]


def test_another_game_ends_the_closer_look(talk):
    first = talk.begin(setup(partner_depth=6, seed=3))
    state = talk.my_turn()
    talk.move(state, choice_by_ply(state))
    talk.send(type="stop", game_id=first["game_id"])
    assert talk.until("ended")["looking"]
    second = talk.begin(setup(partner_depth=4, seed=4))
    state = talk.my_turn()
    talk.move(state, choice_by_ply(state))
    talk.send(type="stop", game_id=second["game_id"])
    assert talk.until("judged")["game_id"] in (first["game_id"], second["game_id"])


def test_it_waits_until_nobody_else_waits():
    async def run():
        pool, done = ThreadPools(1), []
        # Long enough that whoever does not wait for it is done before it.
        busy = asyncio.create_task(pool.search(lambda: (time.sleep(0.2), done.append("move"))))
        await asyncio.sleep(0.01)
        await pool.idly(done.append, "look")
        await busy
        pool.close()
        return done

    assert asyncio.run(run()) == ["move", "look"]


def test_patience_is_a_number_of_times():
    with pytest.raises(ValueError, match="patience"):
        Sampled(patience=0)
