"""From what was seen at each move to posteriors, tables and plain data."""

import json
from dataclasses import replace

import numpy as np
import pytest

from sizeup.capability import Tempered
from sizeup.errors import InvalidInput
from sizeup.play.choice_model import ChoiceModel
from sizeup.play.depths import conclude
from sizeup.play.look import Look, look
from tests.play.conftest import QUICK

TYPES = (1, 3)


@pytest.fixture(scope="module")
def looks(four):
    return list(look([four], TYPES, options=QUICK))


def seen(shares, player="Ann", game=0, ply=1, action="a"):
    return Look(game, ply, 0, player, action, 0, np.array(shares))


def test_the_posterior_is_bayes_rule(looks):
    player = conclude(looks, TYPES, prior=(0.8, 0.2)).players[0]
    told = np.sum([step.log_likelihood for step in player.steps], axis=0)
    weights = np.array([0.8, 0.2]) * np.exp(told)
    assert player.posterior == pytest.approx(weights / weights.sum())


def test_the_credible_set_is_the_smallest_that_has_90_percent():
    player = conclude([seen([[0.5, 0.5]] * 3)], types=(1, 2, 3))["Ann"]
    for posterior, credible in (
        ((0.9, 0.1, 0.0), (1,)),
        ((0.06, 0.04, 0.9), (3,)),
        ((0.5, 0.1, 0.4), (1, 3)),
        ((1 / 3, 1 / 3, 1 / 3), (1, 2, 3)),
        ((0.0, 1.0, 0.0), (2,)),
    ):
        assert replace(player, posterior=posterior).credible == credible


def test_a_result_is_ready_for_json_and_for_people(looks):
    found = conclude(looks, TYPES)
    body = found.to_dict(most=2)
    assert json.loads(json.dumps(body, allow_nan=False)) == body
    first = body["players"][0]
    assert first["name"] == "obl:3"
    assert len(first["telling"]) == 2
    assert len(first["steps"]) == len(found["obl:3"].steps)
    swings = [step.swing for step in found["obl:3"].telling(99)]
    assert swings == sorted(swings, reverse=True)
    lines = found.table(most=2).splitlines()
    assert lines[0].split()[:2] == ["player", "moves"]
    assert lines[1].startswith("obl:3")
    at = lines.index("obl:3: what told most")
    best = found["obl:3"].telling(1)[0]
    assert lines[at + 1] == f"  ply {best.ply}: {best.reason}"
    later = [replace(one, game=1) for one in looks]
    assert "  game 2, ply " in conclude([*looks, *later], TYPES).table()


def test_moves_that_told_nothing_are_not_told():
    moves = [seen([[0.7, 0.3], [0.7, 0.3]]), seen([[0.9, 0.1], [0.2, 0.8]], ply=3)]
    found = conclude(moves, TYPES, "paper")
    assert [step.ply for step in found["Ann"].telling()] == [3]
    alone = conclude([seen([[0.7, 0.3]])], types=(2,))
    assert (alone["Ann"].posterior, alone["Ann"].telling()) == ((1.0,), ())
    assert "told most" not in alone.table()


def test_names_stay_on_their_line():
    found = conclude([seen([[0.9, 0.1], [0.2, 0.8]], player="An\x1b[2Jn\nBen")], TYPES)
    assert found.table().splitlines()[1].startswith("An[2Jn Ben  ")
    assert found.table().splitlines()[3] == "An[2Jn Ben: what told most"


@pytest.mark.parametrize(
    "prior", [(0.5, 0.6), (1.0,), (), (1.5, -0.5), (float("nan"), 1.0), ("a", "b"), 1.0]
)
def test_bad_priors(prior):
    with pytest.raises(InvalidInput, match="a prior has 2 probabilities that sum to 1, one for"):
        conclude([], TYPES, prior=prior)


def test_a_reason_is_the_searchs_numbers():
    shares = np.array([[0.04, 0.96], [0.61, 0.39]])
    [step] = conclude([Look(0, 7, 1, "Ann", "22x15", 0, shares)], (2, 6))["Ann"].steps
    assert step.reason == "type 6 gives 22x15 61 % of its visits, type 2 4 %"


def test_the_papers_rule_is_the_clipped_loss(looks):
    step = conclude(looks, TYPES, "paper")["obl:3"].steps[0]
    shares = looks[0].shares
    loss = np.minimum(shares.max(axis=1) - shares[:, looks[0].chosen], 0.5)
    assert step.log_likelihood == pytest.approx(-loss / 0.1)
    mine = conclude(looks, TYPES, Tempered(lambda updates: 1.0 * updates, clip=0.5))
    assert mine.rule == "Tempered"
    assert sum(mine["obl:3"].posterior) == pytest.approx(1.0)


def test_infinite_evidence_is_kept_out_of_json():
    shares = np.array([[0.0, 1.0], [0.5, 0.5]])
    model = ChoiceModel(sharpness=(1e6, 1.0), error=(0.0, 0.0))
    found = conclude([Look(0, 1, 0, "Ann", "a", 0, shares)], TYPES, model)
    assert found["Ann"].posterior == (0.0, 1.0)
    assert found.to_dict()["players"][0]["steps"][0]["log_likelihood"][0] is None
    with pytest.raises(InvalidInput, match="no type explains these moves"):
        conclude([Look(0, 1, 0, "Ann", "a", 0, shares)], TYPES, model, prior=(1.0, 0.0))
