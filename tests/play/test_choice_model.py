"""How likely a player of each type takes an action."""

import numpy as np
import pytest

from sizeup.errors import IllegalAction, InvalidInput
from sizeup.play.choice_model import (
    FITTED,
    PAPER,
    ChoiceModel,
    fit,
    golden_section,
    rule_of,
)


def test_a_choice_model_gives_probabilities_that_fall_with_the_share():
    model = ChoiceModel.of((2, 5, 20))
    chances = model.probabilities([[0.5, 0.3, 0.2, 0.0]] * 3)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert np.all(np.diff(chances, axis=1) <= 0)
    assert np.all(chances > 0)
    assert -np.log(chances[:, 2]) == pytest.approx(model.evidence([[0.5, 0.3, 0.2, 0.0]] * 3, 2))


def test_fitted_constants_are_those_of_their_depths_and_between():
    assert ChoiceModel.of((2, 8)).sharpness == pytest.approx((FITTED[2][0], FITTED[8][0]))
    assert ChoiceModel.of((30,)).sharpness == pytest.approx((FITTED[8][0],))
    assert ChoiceModel.of((2, 4), error=0.3).error == (0.3, 0.3)
    assert rule_of("fitted", (2, 4)) == ChoiceModel.of((2, 4))
    assert rule_of("paper", (2, 4)) is PAPER


@pytest.mark.parametrize(("sharp", "rate"), [(4.0, 0.05), (15.0, 0.2)])
def test_a_fit_finds_the_constants_that_made_the_choices(sharp, rate):
    rng = np.random.default_rng(1)
    model = ChoiceModel((sharp,), (rate,))
    moves = []
    for _ in range(4000):
        shares = rng.dirichlet(np.ones(rng.integers(2, 9)))
        chances = model.probabilities([shares])[0]
        moves.append((shares, int(rng.choice(len(shares), p=chances))))
    found = fit({4: moves})[4]
    assert found[0] == pytest.approx(sharp, rel=0.15)
    assert found[1] == pytest.approx(rate, abs=0.03)


def test_golden_section_finds_a_valley():
    assert golden_section(lambda x: abs(x - 2.0), -5.0, 9.0) == pytest.approx(2.0, abs=0.01)


def test_choice_models_refuse_nonsense():
    for types in ((), (0, 2)):
        with pytest.raises(InvalidInput, match=r"depths are whole numbers of 1 or more, got \("):
            ChoiceModel.of(types)
    for sharpness, error, heat, message in (
        ((1.0,), (0.1, 0.1), 1.0, "a sharpness and an error rate for each type"),
        ((), (), 1.0, "for each type"),
        ((-1.0,), (0.1,), 1.0, "a sharpness is 0 or more"),
        ((1.0,), (1.5,), 1.0, "an error rate is from 0 to 1"),
        ((1.0,), (0.1,), 0.0, "a temperature must be above 0"),
    ):
        with pytest.raises(InvalidInput, match=message):
            ChoiceModel(sharpness, error, heat)
    model = ChoiceModel((1.0, 1.0), (0.1, 0.1))
    with pytest.raises(InvalidInput, match="expected shares of 2 types in rows"):
        model.probabilities([[0.5, 0.5]])
    with pytest.raises(InvalidInput, match="not all 0"):
        model.probabilities([[0.0, 0.0], [0.5, 0.5]])
    for action in (2, -1, 0.5):
        with pytest.raises(IllegalAction, match="not one of the 2 legal actions"):
            model.evidence([[0.5, 0.5], [0.5, 0.5]], action)
    with pytest.raises(InvalidInput, match="no moves to fit to"):
        fit({2: []})
