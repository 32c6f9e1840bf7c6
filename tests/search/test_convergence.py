"""The search converges to the exact planner, for everything the planner can be asked."""

import pytest

from benchmarks.bench_convergence import CASES, errors


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_root_values_converge_to_the_planner(case):
    """Rewards are of size 1 to 4, values of size 5: within 0.2, on average within 0.06."""
    few, many = errors(case, 1000), errors(case, 16_000)
    assert many.max() < 0.2
    assert many.mean() < 0.06
    assert many.mean() < 0.45 * few.mean()  # 16 times the work: 1/4 or so
