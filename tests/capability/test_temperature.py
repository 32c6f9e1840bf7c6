import numpy as np
import pytest

from sizeup.capability import (
    Adversarial,
    Constant,
    Stochastic,
    adversarial_bound,
    paper_d,
    smallest_d,
    stochastic_bound,
    union_bound,
)
from sizeup.errors import InvalidInput


def test_the_three_temperatures():
    t = np.array([0, 1, 8, 27])
    np.testing.assert_allclose(Adversarial(3)(t), [np.inf, 18, 144, 486])
    np.testing.assert_allclose(Stochastic(4.0)(t), [np.inf, 2, 8, 18])
    np.testing.assert_allclose(Constant(0.1)(t), [0.1] * 4)


def test_the_bounds():
    np.testing.assert_allclose(adversarial_bound(0.1, [0, 1, 10]), [0, 0.3, 3.0])
    np.testing.assert_allclose(stochastic_bound(0.1, [0, 1, 8], d=64.0, players=2), [0, 0.2, 0.8])


def plain_sum(d_prime, terms=200_000):
    return 2.0 * sum(np.exp(-d_prime * np.cbrt(np.arange(1, terms))))


@pytest.mark.parametrize("d_prime", [3.0, 4.5, 8.0])
def test_union_bound_is_the_sum(d_prime):
    assert union_bound(d_prime) == pytest.approx(plain_sum(d_prime), rel=1e-9)
    assert union_bound(d_prime) >= plain_sum(d_prime) * (1 - 1e-12)


@pytest.mark.parametrize("players", [2, 3, 8])
@pytest.mark.parametrize("types", [1, 2, 16])
@pytest.mark.parametrize("delta", [0.5, 0.2, 0.05, 1e-6])
def test_smallest_d_is_valid_and_smallest(players, types, delta):
    share = delta / (players**2 * types)
    d = smallest_d(players, types, delta)
    assert union_bound(d / (72 * players**2)) <= share
    assert union_bound(d * (1 - 1e-8) / (72 * players**2)) > share


@pytest.mark.parametrize(("delta", "too_large"), [(0.2, 1.48), (0.05, 1.22)])
def test_the_closed_form_falls_short(delta, too_large):
    """At two players and two types the sum it should bound is larger than allowed."""
    share = delta / (2**2 * 2)
    assert plain_sum(paper_d(2, 2, delta) / (72 * 2**2)) / share == pytest.approx(
        too_large, abs=0.005
    )
    assert smallest_d(2, 2, delta) > paper_d(2, 2, delta)


def test_the_closed_form_is_wasteful_for_tiny_delta():
    share = 1e-9 / (2**2 * 2)
    assert union_bound(paper_d(2, 2, 1e-9) / (72 * 2**2)) < 0.95 * share
    assert smallest_d(2, 2, 1e-9) < paper_d(2, 2, 1e-9)


def test_the_closed_form_is_the_papers():
    assert paper_d(3, 4, 0.1) == pytest.approx(72 * 9 * np.log(20 * 9 * 4 / (9 * 0.1)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Constant(0), "above 0, got 0"),
        (lambda: Adversarial(1), "players must be 2 or more, got 1"),
        (lambda: Stochastic(-1.0), "d must be above 0, got -1"),
        (lambda: smallest_d(1, 2, 0.1), "2 or more"),
        (lambda: smallest_d(2, 0, 0.1), "types must be 1 or more, got 0"),
        (lambda: smallest_d(2, 2, 1.0), "strictly between 0 and 1, got 1.0"),
        (lambda: paper_d(2, 2, 0.0), "strictly between 0 and 1, got 0.0"),
        (lambda: adversarial_bound(-0.1, 1), "epsilon .* got -0.1"),
        (lambda: stochastic_bound(0.1, 1, 1.0, 1), "2 or more"),
        (lambda: stochastic_bound(0.1, 1, -1.0, 2), "d must be above 0, got -1"),
        (lambda: adversarial_bound(0.1, -5), "updates must be >= 0, got -5"),
        (lambda: adversarial_bound("x", 1), "epsilon must be a number, got 'x'"),
        (lambda: Adversarial(2.5), "players must be an integer, got 2.5"),
        (lambda: union_bound(0.0), "above 0, got 0.0"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
