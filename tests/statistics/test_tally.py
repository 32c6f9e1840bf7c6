from math import isnan

import pytest

from sizeup.statistics import Tally


def test_a_tally_counts():
    tally = Tally(3, 2, 4)
    assert tally.n == 9
    assert tally.score == pytest.approx(-1 / 9)
    assert isnan(Tally().score)
