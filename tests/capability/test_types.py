import numpy as np
import pytest

from sizeup.capability import TypeSet
from sizeup.errors import InfeasibleType, InvalidInput


def test_types_have_ranks_in_ascending_order():
    depths = TypeSet([2, 4, 8])
    assert [depths.rank(c) for c in depths] == [0, 1, 2]
    assert (depths.weakest, depths.strongest, len(depths)) == (2, 8, 3)
    assert 4 in depths
    assert 3 not in depths


def test_numpy_integers_are_types():
    assert TypeSet(np.array([1, 3])) == TypeSet((1, 3))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((4, 2), "4 stands before 2"),
        ((2, 2), "2 stands before 2"),
        ((), "at least one"),
        ((1.5, 2), "integer such as a search depth, got 1.5"),
        ((True, 2), "got True"),
        (("a",), "got 'a'"),
        (5, "list of integers such as .*got 5"),
        ("24", "list of integers such as .*got '24'"),
        (None, "got None"),
    ],
)
def test_bad_type_sets_are_refused(values, message):
    with pytest.raises(InvalidInput, match=message):
        TypeSet(values)


@pytest.mark.parametrize("value", [3, 0, -2])
def test_a_type_outside_the_set_is_named(value):
    with pytest.raises(InvalidInput, match=rf"{value} is not a capability type.*\(2, 4\)"):
        TypeSet((2, 4)).rank(value)


@pytest.mark.parametrize("value", ["4", 4.0, True, None])
def test_what_is_no_type_at_all_says_so(value):
    with pytest.raises(InvalidInput, match="integer such as a search depth, got"):
        TypeSet((1, 4)).rank(value)
    with pytest.raises(InvalidInput, match="integer such as a search depth, got"):
        TypeSet((1, 4)).ranks([4, value])


def test_a_type_that_no_array_holds_is_refused():
    with pytest.raises(InvalidInput, match="a capability type is below 2,147,483,648, got 9999999"):
        TypeSet((4, 99999999999999999999))


def test_feasibility_is_an_error_that_says_what_is_feasible():
    with pytest.raises(InfeasibleType, match=r"needs type 8.*type 4.*\(2, 4\)"):
        TypeSet((2, 4, 8)).require_feasible(8, own=4, what="this")
    TypeSet((2, 4, 8)).require_feasible(2, own=4, what="this")


def test_cap_is_the_best_effort():
    assert TypeSet((2, 4, 8)).cap((2, 8, 4), at=4) == (2, 4, 4)
