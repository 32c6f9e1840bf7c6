"""The same bits everywhere, and the right ones."""

import hashlib
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizeup.capability.energy import exp, log


def units(found, wanted):
    return abs(found - wanted) / np.spacing(abs(wanted))


@given(st.floats(-745.0, 0.0))
def test_exp_is_right(x):
    assert units(exp(np.array(x)), math.exp(x)) <= 1


@given(st.floats(5e-324, 1e308))
def test_log_is_right(x):
    assert units(log(np.array(x)), math.log(x)) <= 3


def test_ends():
    assert exp(np.array([0.0, -0.0, -746.0, -1e300, -np.inf])).tolist() == [1.0, 1.0, 0.0, 0.0, 0.0]
    assert log(np.array([0.0, 1.0, 2.0])).tolist() == [-np.inf, 0.0, math.log(2.0)]


def test_any_shape():
    assert exp(np.zeros((2, 0, 3))).shape == log(np.ones((2, 0, 3))).shape == (2, 0, 3)
    assert exp(np.array(-1.0)).shape == ()


@pytest.mark.parametrize(
    ("function", "least", "most", "digest"),
    [(exp, -50.0, 0.0, "d6b7aa0db481df22"), (log, 0.0, 8.0, "cbacba3b3fbe658d")],
    ids=["exp", "log"],
)
def test_bits(function, least, most, digest):
    """Of 32,769 arguments that are exact; NumPy's own functions give others by processor."""
    x = least + (most - least) / 2**15 * np.arange(2**15 + 1)
    assert hashlib.sha256(function(x).astype("<f8").tobytes()).hexdigest()[:16] == digest
