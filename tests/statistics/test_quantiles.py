import numpy as np
import pytest

from sizeup.statistics.intervals import normal_reach, student_reach


def test_published_values():
    """From the tables of Student's distribution."""
    np.testing.assert_allclose(
        student_reach(0.95, [1, 2, 5, 10, 30, 120]),
        [12.7062, 4.30265, 2.57058, 2.22814, 2.04227, 1.97993],
        rtol=3e-6,
    )
    np.testing.assert_allclose(student_reach(0.99, [[1], [4]]), [[63.6567], [4.604095]], rtol=1e-6)
    assert student_reach(0.999, 5) == pytest.approx(6.86883, rel=1e-5)


def test_two_degrees_of_freedom_have_a_closed_form():
    for level in (0.1, 0.5, 0.9, 0.99):
        expected = level * np.sqrt(2 / (1 - level**2))
        assert student_reach(level, 2) == pytest.approx(expected, rel=1e-8)


def test_many_degrees_of_freedom_are_the_normal():
    assert student_reach(0.95, 1e9) == pytest.approx(normal_reach(0.95), rel=1e-5)
    steps = student_reach(0.95, np.geomspace(1, 1e6, 200))
    assert (np.diff(steps) < 0).all()
