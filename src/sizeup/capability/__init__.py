"""The theory: ordered types, typed beliefs, type structures, updates, temperatures, noise.

Plain NumPy; it knows no game and no search. Read it in this order:

1. :mod:`~sizeup.capability.types`, :mod:`~sizeup.capability.energy`,
   :mod:`~sizeup.capability.beliefs`: what a belief is, and its four operations;
2. :mod:`~sizeup.capability.structure`: when the beliefs of several players agree;
3. :mod:`~sizeup.capability.updates`, :mod:`~sizeup.capability.temperature`: how an action
   becomes evidence, exactly, from samples or with noise, and what is guaranteed;
4. :mod:`~sizeup.capability.qmdp`: planning on a belief;
5. :mod:`~sizeup.capability.noise`: noise, and how far beliefs drift apart.
"""

from sizeup.capability.beliefs import Beliefs, Temperature, stack
from sizeup.capability.noise import Drift, Noise, NoisyStates, NoisyValues, SolvedGame, simulate
from sizeup.capability.qmdp import Solved, assignments, hypotheses, look_ahead, phi, q_phi
from sizeup.capability.structure import (
    Disagreement,
    TypeStructure,
    assemble,
    differences,
    disagreement,
    distance,
    public_beliefs,
)
from sizeup.capability.temperature import (
    Adversarial,
    Constant,
    Stochastic,
    adversarial_bound,
    paper_d,
    smallest_d,
    stochastic_bound,
    union_bound,
)
from sizeup.capability.types import TypeSet
from sizeup.capability.updates import (
    TIE_TOLERANCE,
    Exact,
    Sampled,
    Tempered,
    UpdateRule,
    best_actions,
)

__all__ = [
    "TIE_TOLERANCE",
    "Adversarial",
    "Beliefs",
    "Constant",
    "Disagreement",
    "Drift",
    "Exact",
    "Noise",
    "NoisyStates",
    "NoisyValues",
    "Sampled",
    "Solved",
    "SolvedGame",
    "Stochastic",
    "Temperature",
    "Tempered",
    "TypeSet",
    "TypeStructure",
    "UpdateRule",
    "adversarial_bound",
    "assemble",
    "assignments",
    "best_actions",
    "differences",
    "disagreement",
    "distance",
    "hypotheses",
    "look_ahead",
    "paper_d",
    "phi",
    "public_beliefs",
    "q_phi",
    "simulate",
    "smallest_d",
    "stack",
    "stochastic_bound",
    "union_bound",
]
