"""Random typed beliefs for hypothesis."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sizeup.capability import Beliefs, TypeSet

ENERGIES = st.floats(0, 50) | st.just(np.inf)


@st.composite
def type_sets(draw):
    return TypeSet(sorted(draw(st.sets(st.integers(1, 40), min_size=1, max_size=6))))


@st.composite
def beliefs(draw, leading=None):
    """Beliefs with arbitrary energies; ``leading`` axes of holders, drawn if left out."""
    types = draw(type_sets())
    players = draw(st.integers(2, 5))
    leading = draw(st.sampled_from([(), (players,), (2, players)])) if leading is None else leading
    own = draw(hnp.arrays(np.int64, leading, elements=st.sampled_from(types.values)))
    weights = draw(hnp.arrays(np.int64, (players, len(types)), elements=st.integers(1, 9)))
    first = Beliefs.initial(types, own, players, prior=weights / weights.sum(1, keepdims=True))
    energy = draw(hnp.arrays(float, first.energy.shape, elements=ENERGIES))
    updates = draw(hnp.arrays(np.int64, first.updates.shape, elements=st.integers(0, 30)))
    return Beliefs(
        types, first.rank, np.where(first.energy > 0, np.inf, energy), updates, first.log_prior
    )


@st.composite
def beliefs_and_evidence(draw):
    held = draw(beliefs())
    subject = draw(st.integers(0, held.players - 1))
    shape = (*held.rank.shape, len(held.types))
    evidence = draw(hnp.arrays(float, shape, elements=ENERGIES))
    above = np.arange(len(held.types)) > held.rank[..., None]
    return held, subject, np.where(above, np.nan, evidence)
