import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sizeup.capability import Exact, Tempered, best_actions
from sizeup.errors import IllegalAction, InvalidInput

TABLES = hnp.arrays(float, (4, 3), elements=st.integers(-3, 3).map(float))


@given(TABLES, st.integers(0, 2))
def test_exact_evidence_is_minus_log_of_the_greedy_likelihood(q, action):
    evidence = Exact().evidence(q, action)
    for row, energy in zip(q, evidence, strict=True):
        best = [a for a in range(3) if row[a] == max(row)]
        likelihood = 1 / len(best) if action in best else 0.0
        assert np.exp(-energy) == pytest.approx(likelihood)


@given(TABLES, st.integers(0, 2), st.none() | st.floats(0.1, 2))
def test_tempered_evidence_is_the_clipped_loss(q, action, clip):
    evidence = Tempered(0.1, clip).evidence(q, action)
    for row, energy in zip(q, evidence, strict=True):
        assert energy == min(max(row) - row[action], np.inf if clip is None else clip)


@pytest.mark.parametrize("rule", [Exact(), Tempered(0.1), Tempered(0.1, clip=0.5)])
def test_rows_not_evaluated_stay_not_evaluated(rule):
    evidence = rule.evidence([[1.0, 0.0], [np.nan, np.nan]], 0)
    assert evidence[0] == 0.0
    assert np.isnan(evidence[1])


def test_ties_within_the_tolerance_are_ties_at_any_scale():
    for scale in (1e-3, 1.0, 1e6):
        q = scale * np.array([1.0, 1.0 - 1e-13, 0.5])
        assert best_actions(q).tolist() == [True, True, False]
    assert best_actions(np.array([1.0, 0.999]), tie_tolerance=0.01).tolist() == [True, True]
    assert best_actions(np.array([0.0, -1e-12])).tolist() == [True, True]


def test_batches_of_observers_and_episodes():
    q = np.random.default_rng(0).random((5, 2, 3, 4))
    action = np.array([0, 1, 2, 3, 0])
    evidence = Tempered(1.0).evidence(q, action[:, None])
    assert evidence.shape == (5, 2, 3)
    assert evidence[2, 1, 0] == pytest.approx(q[2, 1, 0].max() - q[2, 1, 0, 2])


@pytest.mark.parametrize("action", [2, -1, 0.5, "a"])
@pytest.mark.parametrize("rule", [Exact(), Tempered(0.1)])
def test_an_action_that_is_not_legal_is_named(rule, action):
    with pytest.raises(IllegalAction, match=f"{action!r} is not one of the 2 legal actions"):
        rule.evidence([[1.0, 0.0]], action)


def test_bad_shapes_and_clips():
    with pytest.raises(InvalidInput, match="types, actions"):
        Exact().evidence([1.0, 0.0], 0)
    with pytest.raises(InvalidInput, match="clip of a loss must be above 0, got -1"):
        Tempered(0.1, clip=-1)
    with pytest.raises(InvalidInput, match="temperature must be above 0, got -1"):
        Tempered(-1)
    with pytest.raises(InvalidInput, match="temperature must be a number, got 'x'"):
        Tempered("x")
    with pytest.raises(InvalidInput, match="tolerance for ties must be 0 or more, got -1"):
        Exact(-1)
    with pytest.raises(InvalidInput, match="tolerance for ties must be a number, got nan"):
        Exact(np.nan)
    with pytest.raises(InvalidInput, match=r"actions of shape \(3,\) do not fit"):
        Exact().evidence(np.zeros((2, 1, 2)), [0, 1, 1])
